//! The wall around a service that only its own machine reaches: which names it goes by, and which web pages may use it. Asks for no
//! key.
//!
//! A listener on loopback keeps other machines out, and no web page: the browser of whoever visits one runs on this machine, and
//! sends what the page wants it to. A page gets here in two ways. It posts a form to 127.0.0.1 (a simple request, for which no
//! browser asks before); then `Sec-Fetch-Site` says that it comes from elsewhere (Fetch Metadata Request Headers, section 2), or
//! `Origin` in older browsers. Or its own name is made to lead here after it was loaded (DNS rebinding); then all is of the same
//! origin, and the page reads answers, too, but `Host` is a name that is not this machine's. An address as `Host` proves the
//! opposite: nobody can make it lead anywhere else.
//!
//! `GET` is left alone, as links from other pages are to work: it begins nothing here, and a download needs an identifier that
//! nobody guesses.

use super::client::is_trusted;
use crate::{
    http::{Head, Method, Refusal, Status},
    network::Network,
};
use std::net::{IpAddr, Ipv6Addr};

/// The names of this machine that need not be configured. Browsers and resolvers have them lead to loopback (RFC 6761, section 6.3).
const LOCALHOST: &str = "localhost";

/// Fields that only a proxy or a program writes: a page may send no such field to another origin unless it is allowed to.
const OF_PROXIES: [&str; 5] = [
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-real-ip",
];

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Wall {
    /// Whether the service listens on loopback alone.
    pub is_local: bool,
    /// The names that the service goes by, in small letters; `*` for any, `*.example` for all below one.
    pub hosts: Vec<String>,
    /// The origins whose pages may send requests that change something; `*` for any.
    pub origins: Vec<String>,
}

impl Wall {
    /// Checks where a request from `peer` comes from, by its head.
    ///
    /// Errors: the refusal, which names the option that lets it in.
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

    fn check_host(&self, head: &Head, peer: IpAddr, proxies: &[Network]) -> Result<(), Refusal> {
        // Only HTTP/1.0 has none, which no browser speaks.
        let Some(host) = head.field("host") else {
            return Ok(());
        };
        let name = name_of(host);
        // With a trusted proxy and no `--allow-host`, the proxy decides which hosts lead here.
        let is_by_proxy = self.hosts.is_empty()
            && is_trusted(peer, proxies)
            && head.field("x-forwarded-for").is_some();
        // No page is of a name without a dot: public names have none such. Containers and /etc/hosts have.
        let is_bare = !host.contains('.');
        if is_by_proxy
            || is_bare
            || is_own(&name)
            || self.hosts.iter().any(|own| covers(own, &name))
        {
            return Ok(());
        }
        Err(Refusal::new(
            Status::FORBIDDEN,
            format!(
                "this service does not go by the name {name:?}; if that name is to lead here, start the service with --allow-host {name}"
            ),
        ))
    }

    fn check_origin(&self, head: &Head) -> Result<(), Refusal> {
        let origin = head.field("origin");
        let is_foreign = match (head.field("sec-fetch-site"), origin) {
            (Some(site), _) => site.eq_ignore_ascii_case("cross-site"),
            // Behind a proxy the service may have another name than the page knows.
            (None, _) if OF_PROXIES.iter().any(|name| head.field(name).is_some()) => false,
            (None, Some(origin)) => {
                let (_, authority) = origin.split_once("://").unwrap_or_default();
                head.field("host").map(name_of) != Some(name_of(authority))
            }
            // A program.
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
                "a web page of another site ({origin}) may not use this service; if it is to, start the service with --allow-origin {origin}"
            ),
        ))
    }
}

/// A host without its port, in small letters.
fn name_of(host: &str) -> String {
    let without_port = host.rsplit_once(':').filter(|(name, port)| {
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
        is_port && (!name.contains(':') || name.ends_with(']'))
    });
    let name = without_port.map_or(host, |(name, _)| name);
    // A name may be written with the dot of the root.
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Whether a host is an address, or a name that leads to this machine everywhere.
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

/// Whether a name is that of an option, or below it.
fn covers(own: &str, name: &str) -> bool {
    match own.strip_prefix('*') {
        Some("") => true,
        Some(parent) => name.len() > parent.len() && name.ends_with(parent),
        None => own == name,
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
    fn a_name_covers_itself_and_a_star_what_is_below() {
        for (own, name, expected) in [
            ("files.example", "files.example", true),
            ("files.example", "a.files.example", false),
            ("*.example", "files.example", true),
            ("*.example", "example", false),
            ("*.example", ".example", false),
            ("*", "anything", true),
        ] {
            assert_eq!(covers(own, name), expected, "{own} {name}");
        }
    }
}
