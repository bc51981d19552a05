//! The path of Open WebUI's external loader. Handles no request.

use crate::http::Method;

/// A request to `/process`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) struct Route;

impl Route {
    pub(in crate::api::compat) fn parse(path: &str) -> Option<Self> {
        (path == "/process").then_some(Self)
    }

    pub(super) fn allows(self, method: Method) -> bool {
        matches!(method, Method::Put | Method::Post)
    }
}
