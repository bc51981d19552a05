//! Address and path under which clients reach the service. Trusts only proxies that the operator has named.
//!
//! A proxy that serves several services under one name forwards `/convert/api/v1/health` in one of two ways. It may
//! forward the path unchanged. In this case, `--base-path /convert` removes the prefix here. Or it removes the prefix,
//! and states it in `X-Forwarded-Prefix`. In both cases the paths in answers begin with the prefix. A request without
//! the base path is answered as well, because the service's own health check does not pass through the proxy.

use super::{client::is_trusted, state::Api};
use crate::{base_path::BasePath, http::Head};
use std::net::IpAddr;

/// Returns the path of a request without the base path, as the templates of the endpoints have it. A path that does not
/// begin with the base path stays as it is.
pub(super) fn path<'h>(api: &Api, head: &'h Head) -> &'h str {
    api.base_path.strip(&head.path).unwrap_or(&head.path)
}

/// Prefix of all paths in an answer.
pub(super) fn prefix(api: &Api, head: &Head, peer: IpAddr) -> BasePath {
    let forwarded = of_proxy(api, head, peer, "x-forwarded-prefix");
    match forwarded.and_then(|prefix| prefix.parse::<BasePath>().ok()) {
        Some(prefix) if api.base_path.strip(&head.path).is_some() => api.base_path.below(&prefix),
        Some(prefix) => prefix,
        None => api.base_path.clone(),
    }
}

/// The address of the service for the client, without a slash at its end: `https://files.example/convert`. `HOST`
/// stands for a host name that is missing or has unusual characters. The scheme is `http`, unless a trusted proxy says
/// that the client used `https`.
pub(super) fn address(api: &Api, head: &Head, peer: IpAddr) -> String {
    let scheme = match of_proxy(api, head, peer, "x-forwarded-proto") {
        Some("https") => "https",
        Some(_) | None => "http",
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".:-[]_".contains(&byte);
    let host = head.field("host").filter(|host| host.bytes().all(is_plain));
    let prefix = prefix(api, head, peer);
    format!("{scheme}://{}{prefix}", host.unwrap_or("HOST"))
}

/// Value of a header field that a trusted proxy has set. If several proxies have set it, that of the proxy nearest to
/// the client counts.
fn of_proxy<'h>(api: &Api, head: &'h Head, peer: IpAddr, name: &str) -> Option<&'h str> {
    let is_trusted = is_trusted(peer, &api.trusted_proxies);
    let value = head.field(name).filter(|_| is_trusted)?;
    value.split(',').next().map(str::trim)
}
