//! `GET /api/v1`: the list of endpoints for somebody who has only the address. The OpenAPI document and the manual
//! describe them.

use super::{
    endpoint::{Call, Endpoint},
    envelope,
    state::Api,
};
use crate::http::{Response, Status};
use serde::Serialize;

/// The list, with links.
#[derive(Serialize)]
struct Contents {
    version: &'static str,
    openapi: String,
    manual: String,
    endpoints: Vec<Entry>,
}

/// An endpoint of the interface.
#[derive(Serialize)]
struct Entry {
    path: String,
    methods: Vec<&'static str>,
}

/// Lists the endpoints that the OpenAPI document describes.
pub(super) fn answer(api: &Api, call: &Call<'_>, endpoints: &[Endpoint]) -> Response {
    let prefix = call.prefix(api);
    let entries = endpoints.iter().filter_map(|endpoint| {
        let described = endpoint.operations.iter();
        let described = described.filter(|operation| operation.describe.is_some());
        let methods: Vec<_> = described
            .map(|operation| operation.method.as_str())
            .collect();
        (!methods.is_empty()).then(|| Entry {
            path: format!("{prefix}{}", endpoint.template),
            methods,
        })
    });
    let contents = Contents {
        version: concat!(
            env!("CARGO_PKG_VERSION_MAJOR"),
            ".",
            env!("CARGO_PKG_VERSION_MINOR")
        ),
        openapi: format!("{prefix}/api/v1/openapi.json"),
        manual: format!("{prefix}/manual/interface"),
        endpoints: entries.collect(),
    };
    envelope::success(Status::OK, "Endpoints of this service", contents)
}
