//! Protects a service on loopback from web pages: checks the host name that a request names, and the origin that it
//! comes from. Checks no key.
//!
//! A listener on loopback is out of reach for other machines, but not for web pages: the visitor's browser runs on
//! this machine, and sends requests on behalf of a page. A page can reach the service in two ways. It may post a form
//! to 127.0.0.1, which is a simple request, sent without a preflight. `Sec-Fetch-Site` (Fetch Metadata Request
//! Headers, section 2), or `Origin` in older browsers, then reveals the foreign origin. Or the page's own host name
//! starts to resolve to this machine after the page was loaded (DNS rebinding). Then the page and the service have the
//! same origin, so that the page can even read answers, but `Host` is not a name of this machine. An address in `Host`
//! is safe, because nobody can make it resolve to something else.
//!
//! `GET` is allowed from every origin, so that links on other pages work: it changes nothing, and a download needs an
//! identifier that nobody can guess.

use super::client::is_trusted;
use crate::{
    http::{Head, Method, Refusal, Status},
    network::Network,
};
use std::net::{IpAddr, Ipv6Addr};

/// Name of this machine that needs no configuration: it and all names below it resolve to loopback (RFC 6761, section
/// 6.3).
const LOCALHOST: &str = "localhost";

/// Header fields that only a proxy or a program sets: a page must ask for permission (a preflight) to send them to
/// another origin.
const PROXY_FIELDS: [&str; 5] = [
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-real-ip",
];

/// Rules about host names and origins; see the module.
#[derive(Clone, Debug, Default)]
pub struct Wall {
    /// Whether the service listens only on loopback.
    pub is_local: bool,
    /// Allowed host names, in lower case; `*` for any, `*.example` for all names below `example`.
    pub hosts: Vec<String>,
    /// The origins whose pages may send requests that change something; `*` for any.
    pub origins: Vec<String>,
}

impl Wall {
    /// Checks the host and the origin of a request from `peer`. Accepts every request if the service also listens on
    /// other addresses than loopback, and no host names are set.
    ///
    /// Errors: the refusal, which names the option that would allow the request.
    pub(super) fn check(
        &self,
        head: &Head,
        peer: IpAddr,
        proxies: &[Network],
    ) -> Result<(), Refusal> {
        if !self.is_local && self.hosts.is_empty() {
            return Ok(());
        }
        self.check_host(head, peer, proxies)?;
        match head.method {
            Method::Get | Method::Head | Method::Options => Ok(()),
            Method::Post
            | Method::Put
            | Method::Patch
            | Method::Delete
            | Method::Trace
            | Method::Query => self.check_origin(head),
        }
    }

    /// Refuses foreign host names, which a web page can make resolve to this address (DNS rebinding).
    fn check_host(&self, head: &Head, peer: IpAddr, proxies: &[Network]) -> Result<(), Refusal> {
        // The field is missing only in HTTP/1.0, which no browser uses.
        let Some(host) = head.field("host") else {
            return Ok(());
        };
        let name = name_of(host);
        // With a trusted proxy and without `--allow-host`, the proxy decides which host names reach this service.
        let is_by_proxy = self.hosts.is_empty()
            && is_trusted(peer, proxies)
            && head.field("x-forwarded-for").is_some();
        // A public host name has a dot, so a name without one cannot belong to a foreign page. Containers and entries
        // of /etc/hosts have such names.
        let is_bare = !host.contains('.');
        if is_by_proxy
            || is_bare
            || is_own(&name)
            || self.hosts.iter().any(|allowed| covers(allowed, &name))
        {
            return Ok(());
        }
        Err(Refusal::new(
            Status::FORBIDDEN,
            format!(
                "the host name {name:?} is not allowed; to allow it, start the service with --allow-host {name}"
            ),
        ))
    }

    /// Refuses requests that pages of other sites send, unless their origin is allowed.
    fn check_origin(&self, head: &Head) -> Result<(), Refusal> {
        let origin = head.field("origin");
        let is_foreign = match (head.field("sec-fetch-site"), origin) {
            (Some(site), _) => site.eq_ignore_ascii_case("cross-site"),
            // Behind a proxy, `Host` may differ from the name that the page knows, so the two are not compared.
            (None, _) if PROXY_FIELDS.iter().any(|name| head.field(name).is_some()) => false,
            (None, Some(origin)) => {
                let (_, authority) = origin.split_once("://").unwrap_or_default();
                head.field("host").map(name_of) != Some(name_of(authority))
            }
            // A request without both fields comes from a program, and not from a page.
            (None, None) => false,
        };
        let is_allowed = |origin: &str| {
            let mut allowed = self.origins.iter();
            allowed.any(|known| known == "*" || known.eq_ignore_ascii_case(origin))
        };
        let origin = origin.unwrap_or("null");
        if !is_foreign || is_allowed(origin) {
            return Ok(());
        }
        Err(Refusal::new(
            Status::FORBIDDEN,
            format!(
                "web pages of another site ({origin}) are not allowed to use this service; to allow them, start it with --allow-origin {origin}"
            ),
        ))
    }
}

/// Host name without its port, in lower case.
fn name_of(host: &str) -> String {
    let without_port = host.rsplit_once(':').filter(|(name, port)| {
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
        is_port && (!name.contains(':') || name.ends_with(']'))
    });
    let name = without_port.map_or(host, |(name, _)| name);
    // A name may end with the dot of the DNS root, which is removed.
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Returns whether a host is an address, or a name that always means this machine.
fn is_own(name: &str) -> bool {
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let is_address = match bare {
        Some(bare) => bare.parse::<Ipv6Addr>().is_ok(),
        None => name.parse::<IpAddr>().is_ok(),
    };
    is_address || covers(LOCALHOST, name) || covers("*.localhost", name)
}

/// Returns whether an allowed name covers a host name: they are equal, or the allowed name is a wildcard above it.
fn covers(allowed: &str, name: &str) -> bool {
    match allowed.strip_prefix('*') {
        Some("") => true,
        Some(parent) => name.len() > parent.len() && name.ends_with(parent),
        None => allowed == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_of_this_machine_are_its_own() {
        for (host, expected) in [
            ("127.0.0.1:8080", true),
            ("192.168.0.9", true),
            ("[::1]:8080", true),
            ("::1", true),
            ("LocalHost.:80", true),
            ("app.localhost", true),
            ("localhost.example", false),
            ("evil.example:8080", false),
            ("127.0.0.1.evil.example", false),
            ("[evil]", false),
            ("2130706433", false),
        ] {
            assert_eq!(is_own(&name_of(host)), expected, "{host}");
        }
    }

    #[test]
    fn a_name_covers_only_itself_and_a_star_its_subdomains() {
        for (allowed, name, expected) in [
            ("files.example", "files.example", true),
            ("files.example", "a.files.example", false),
            ("*.example", "files.example", true),
            ("*.example", "example", false),
            ("*.example", ".example", false),
            ("*", "anything", true),
        ] {
            assert_eq!(covers(allowed, name), expected, "{allowed} {name}");
        }
    }
}
