//! `convertd health`: asks a running service for its health, for supervisors and containers. Sends no API key, because
//! that endpoint needs none.

use super::{Failure, Outcome, terminal::harmless};
use crate::{
    error::{Error, Kind, Result},
    network,
};
use lexopt::{Arg, Parser, ValueExt};
use std::{
    io::{Read, Write},
    net::{SocketAddr, ToSocketAddrs},
    process::ExitCode,
    time::Duration,
};

/// Time limit for connecting, and for each read.
const TIMEOUT: Duration = Duration::from_secs(5);
const PATH: &str = "/api/v1/health";

/// Asks a service for its health. Fails unless the service answers with the status 200. A degraded service also answers
/// with 200.
pub(super) fn run(parser: &mut Parser) -> Outcome {
    let mut url = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::help::about("health", &argument),
            Arg::Value(value) if url.is_none() => url = Some(value.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    let authority = match url {
        Some(url) => authority(&url).ok_or_else(|| {
            Failure::Usage(format!(
                "{url:?} is not the address of a service; an example is http://127.0.0.1:8080"
            ))
        })?,
        None => local(),
    };
    let (code, body) = get(&authority)?;
    let answer: serde_json::Value = serde_json::from_str(&body).map_err(|err| {
        Error::new(
            Kind::BadInput,
            format!("the server at {authority} is not convertd"),
        )
        .caused_by(err)
    })?;
    let status = answer["data"]["status"].as_str().unwrap_or("unavailable");
    super::say(&format!(
        "{}: {}\n",
        harmless(status),
        harmless(answer["message"].as_str().unwrap_or_default())
    ))?;
    Ok(if code == 200 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The host and port of a URL, with 80 as the default port. `None` for schemes other than `http`. A colon inside the
/// brackets of an IPv6 address does not begin a port.
fn authority(url: &str) -> Option<String> {
    let rest = url
        .strip_prefix("http://")
        .or_else(|| (!url.contains("://")).then_some(url))?;
    let host = rest
        .split(['/', '?'])
        .next()
        .filter(|host| !host.is_empty())?;
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && !port.ends_with(']'));
    Some(if has_port {
        host.to_owned()
    } else {
        format!("{host}:80")
    })
}

/// The address on which a service with the same environment variables listens. An unspecified address, such as
/// `0.0.0.0`, stands for all addresses of the machine, so the loopback address is used.
fn local() -> String {
    let listen = std::env::var("CONVERTD_LISTEN")
        .ok()
        .and_then(|text| text.parse::<SocketAddr>().ok());
    let mut address = listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080)));
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() {
            [127, 0, 0, 1].into()
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        });
    }
    address.to_string()
}

/// Sends a request, and returns the status code and the body. `Connection: close` makes the end of the body the end of
/// the stream.
fn get(authority: &str) -> Result<(u16, String)> {
    let unreachable = |err: std::io::Error| {
        Error::new(Kind::NotFound, format!("no service answers at {authority}")).caused_by(err)
    };
    let addresses: Vec<SocketAddr> = authority.to_socket_addrs().map_err(unreachable)?.collect();
    let mut stream = network::connect(&addresses, TIMEOUT).map_err(unreachable)?;
    stream
        .set_read_timeout(Some(TIMEOUT))
        .map_err(unreachable)?;
    let request = format!("GET {PATH} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(unreachable)?;
    let mut answer = String::new();
    stream
        .take(64 << 10)
        .read_to_string(&mut answer)
        .map_err(unreachable)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    let code = head
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .unwrap_or(0);
    Ok((code, body.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        #[track_caller]
        fn check(url: &str, expected: Option<&str>) {
            assert_eq!(authority(url).as_deref(), expected, "{url}");
        }
        check("http://127.0.0.1:8080", Some("127.0.0.1:8080"));
        check(
            "http://127.0.0.1:8080/api/v1/health",
            Some("127.0.0.1:8080"),
        );
        check("localhost:9", Some("localhost:9"));
        check("http://[::1]", Some("[::1]:80"));
        check("http://[::1]:9", Some("[::1]:9"));
        check("https://example.org", None);
        check("http://", None);
    }
}
