//! Address and path under which clients reach the service. Believes a proxy only if it was told to.
//!
//! A proxy that serves several things under one name passes on `/convert/api/v1/health` either as it is, and `--base-path /convert`
//! takes the beginning away here, or without its beginning, and says in `X-Forwarded-Prefix` what it has taken away. In both
//! cases addresses in answers begin with it. Without the base path a request is answered, too: the service's own
//! health check does not come by way of the proxy.

use super::{client::is_trusted, parts::Api};
use crate::{base_path::BasePath, http::Head};
use std::net::IpAddr;

/// The path that the routes know.
pub(super) fn path<'h>(api: &Api, head: &'h Head) -> &'h str {
    api.base_path.strip(&head.path).unwrap_or(&head.path)
}

/// Prefix of the path of every address in an answer.
pub(super) fn prefix(api: &Api, head: &Head, peer: IpAddr) -> BasePath {
    let forwarded = of_proxy(api, head, peer, "x-forwarded-prefix");
    match forwarded.and_then(|prefix| prefix.parse::<BasePath>().ok()) {
        Some(prefix) if api.base_path.strip(&head.path).is_some() => api.base_path.below(&prefix),
        Some(prefix) => prefix,
        None => api.base_path.clone(),
    }
}

/// The address of the service as the client wrote it, without a slash at its end: `https://files.example/convert`.
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

/// Value of a trusted proxy's field; of several, that of the proxy nearest to the client.
fn of_proxy<'h>(api: &Api, head: &'h Head, peer: IpAddr, name: &str) -> Option<&'h str> {
    let is_trusted = is_trusted(peer, &api.trusted_proxies);
    let value = head.field(name).filter(|_| is_trusted)?;
    value.split(',').next().map(str::trim)
}
