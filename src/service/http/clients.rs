//! Groups of addresses that count as one client. Does not contain the limits themselves.

use std::net::{IpAddr, Ipv6Addr};

/// The network whose clients share a limit. It is a single IPv4 address, or an IPv6 network with a 64-bit prefix,
/// because an IPv6 client usually has such a network to itself.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !0 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}
