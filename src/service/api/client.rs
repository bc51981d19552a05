//! Determines the client of a request, for the limits on each client. Trusts only the proxies that the operator names.
//!
//! Each proxy on the way appends to `X-Forwarded-For` the address from which it received the request. So the list is
//! read from its end, past the addresses of trusted proxies, to the first other address. The client may have forged all
//! addresses before that one.

use crate::{
    http::{Head, network},
    network::Network,
};
use std::net::{IpAddr, SocketAddr};

/// Returns the client of a request that came from `peer`: an IPv4 address, or an IPv6 network with a 64-bit prefix,
/// because one client may use all addresses of such a network. `None` for this machine itself, which has no limits.
pub(super) fn of(head: &Head, peer: IpAddr, trusted: &[Network]) -> Option<IpAddr> {
    resolve(peer, head.fields("x-forwarded-for"), trusted)
}

/// Returns the address of a client: `peer`, or the address that `X-Forwarded-For` gives if `peer` is a trusted proxy.
pub(super) fn address_of(peer: IpAddr, forwarded: Option<&str>, trusted: &[Network]) -> IpAddr {
    origin(peer, forwarded.into_iter(), trusted).to_canonical()
}

/// Returns whether an address belongs to a trusted proxy.
pub(super) fn is_trusted(peer: IpAddr, trusted: &[Network]) -> bool {
    trusted.iter().any(|proxy| proxy.contains(peer))
}

fn resolve<'h>(
    peer: IpAddr,
    fields: impl Iterator<Item = &'h str>,
    trusted: &[Network],
) -> Option<IpAddr> {
    let client = origin(peer, fields, trusted);
    (!client.to_canonical().is_loopback()).then(|| network(client))
}

/// Returns the last address that does not belong to a trusted proxy: `peer`, or one from the lists in `fields`. If the
/// lists end before such an address, or have something else in its place, returns the last trusted proxy.
fn origin<'h>(peer: IpAddr, fields: impl Iterator<Item = &'h str>, trusted: &[Network]) -> IpAddr {
    let mut client = peer;
    let mut forwarded: Vec<&str> = fields.flat_map(|value| value.split(',')).collect();
    while is_trusted(client, trusted) {
        match forwarded.pop().and_then(|text| address(text.trim())) {
            Some(next) => client = next,
            None => break,
        }
    }
    client
}

/// Parses an address, which may have a port, and brackets around an IPv6 address.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let with_port = || text.parse().map(|address: SocketAddr| address.ip());
    bare.unwrap_or(text).parse().or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_believed_if_it_is_trusted() {
        let trusted: Vec<Network> = ["127.0.0.1", "10.0.0.0/8"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let check = |peer: &str, fields: &[&str], client: Option<&str>| {
            let found = resolve(peer.parse().unwrap(), fields.iter().copied(), &trusted);
            assert_eq!(
                found,
                client.map(|text| text.parse().unwrap()),
                "{fields:?}"
            );
        };
        check("192.0.2.1", &[], Some("192.0.2.1"));
        check("192.0.2.1", &["198.51.100.1"], Some("192.0.2.1"));
        check("127.0.0.1", &[], None);
        check("127.0.0.2", &["198.51.100.1"], None);
        check("127.0.0.1", &["198.51.100.1"], Some("198.51.100.1"));
        check("127.0.0.1", &["198.51.100.1:80"], Some("198.51.100.1"));
        check(
            "127.0.0.1",
            &["203.0.113.9, 198.51.100.1, 10.1.1.1"],
            Some("198.51.100.1"),
        );
        check(
            "127.0.0.1",
            &["203.0.113.9", "198.51.100.1,10.1.1.1"],
            Some("198.51.100.1"),
        );
        check("10.0.0.1", &["unknown"], Some("10.0.0.1"));
        check("10.0.0.1", &["2001:db8::1:2:3:4"], Some("2001:db8::"));
        check("10.0.0.1", &["[2001:db8::1]:443"], Some("2001:db8::"));
    }
}
