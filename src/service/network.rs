//! IP networks as an operator writes them, and connections to one of several addresses. Resolves no host names.

use std::{
    io,
    net::{IpAddr, SocketAddr, TcpStream},
    str::FromStr,
    time::Duration,
};

/// Limit on the addresses of a host that are tried.
const MAX_ADDRESSES: usize = 4;

/// Tries up to [`MAX_ADDRESSES`] addresses of a host in order, and connects to the first that accepts. A name such as
/// `localhost` often stands for an IPv6 and an IPv4 address, while the server listens on only one of them. Each address
/// that is tried gets an equal share of `patience`.
///
/// Errors: that of the last address tried, or [`io::ErrorKind::NotFound`] for a host without addresses.
pub(crate) fn connect(addresses: &[SocketAddr], patience: Duration) -> io::Result<TcpStream> {
    let addresses = &addresses[..addresses.len().min(MAX_ADDRESSES)];
    let share = patience / addresses.len().max(1) as u32;
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for address in addresses {
        match TcpStream::connect_timeout(address, share) {
            Ok(stream) => return Ok(stream),
            Err(err) => failure = err,
        }
    }
    Err(failure)
}

/// An IP network, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// The length of the network prefix in bits.
    prefix: u32,
}

impl FromStr for Network {
    type Err = ();

    /// Parses an address such as `192.0.2.1`, or a network such as `192.0.2.0/24`, of IPv4 or IPv6. A network of
    /// IPv4-mapped addresses, such as `::ffff:192.0.2.0/120`, is the network of their IPv4 addresses.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(drop)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let prefix: u32 = prefix.map_or(Ok(most), |prefix| prefix.parse().map_err(drop))?;
        if prefix > most {
            return Err(());
        }
        // The prefix of a mapped address counts the 96 bits before its IPv4 address.
        let prefix = prefix.checked_sub(most - bits(address).1).ok_or(())?;
        Ok(Self { address, prefix })
    }
}

impl Network {
    /// Returns whether the network contains `address`. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as its
    /// IPv4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        // Addresses of the other version of IP have another length, so the network contains none of them. For `::/0`,
        // the shift would be by all 128 bits; `checked_shr` then returns `None`, and every IPv6 address matches.
        let ((ours, most), (theirs, len)) = (bits(self.address), bits(address));
        most == len && (ours ^ theirs).checked_shr(most - self.prefix).unwrap_or(0) == 0
    }
}

/// An address as a number, and its length in bits. A mapped address is converted to IPv4 first.
fn bits(address: IpAddr) -> (u128, u32) {
    match address.to_canonical() {
        IpAddr::V4(address) => (address.to_bits().into(), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_host_is_reached_by_any_of_its_addresses() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let open = listener.local_addr().unwrap();
        let closed = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let patience = Duration::from_secs(9);
        let six = SocketAddr::new("::1".parse().unwrap(), open.port());
        let stream = connect(&[six, closed, open], patience).unwrap();
        assert_eq!(stream.peer_addr().unwrap(), open);
        let refused = connect(&[closed], patience).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        let nobody = connect(&[], patience).unwrap_err();
        assert_eq!(nobody.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn networks_hold_their_addresses() {
        #[track_caller]
        fn check(network: &str, address: &str, holds: bool) {
            let network: Network = network.parse().unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), holds);
        }
        check("192.0.2.1", "192.0.2.1", true);
        check("192.0.2.1", "::ffff:192.0.2.1", true);
        check("192.0.2.1", "192.0.2.2", false);
        check("192.0.2.0/24", "192.0.2.255", true);
        check("192.0.2.0/24", "192.0.3.0", false);
        check("0.0.0.0/0", "192.0.2.1", true);
        check("0.0.0.0/0", "::1", false);
        check("2001:db8::/32", "2001:db8:1::1", true);
        check("::/0", "2001:db8::1", true);
        check("::ffff:192.0.2.0/120", "192.0.2.9", true);
        check("::ffff:192.0.2.0/120", "::ffff:192.0.2.9", true);
        check("::ffff:192.0.2.0/120", "192.0.3.9", false);
        check("::ffff:192.0.2.1", "192.0.2.1", true);
        check("::ffff:0:0/96", "192.0.2.1", true);
        for wrong in [
            "",
            "a",
            "192.0.2.0/33",
            "192.0.2.0/-1",
            "::/129",
            "::ffff:192.0.2.0/95",
            "192.0.2/24",
        ] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
