//! The attacks on the servers, with their measurements. Contains no assertion.

use crate::{support::common::Result, targets::Target};
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};
use std::{
    env,
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, SocketAddrV4, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// An attack on a target. Returns its measurements: pairs of a row and a figure.
pub(crate) type Attack = fn(&Target) -> Result<Vec<(String, String)>>;

/// All attacks but `thumbnail`, in the order of the table.
pub(crate) const ALL: [Attack; 5] = [crowd, slow_uploads, unread_answer, framing, pipeline];

/// Connects from an address in 127.0.0.0/8. Sixteen connections share an address.
fn connect_from(index: u32, to: SocketAddr) -> Result<TcpStream> {
    let (family, kind) = (AddressFamily::INET, SocketType::STREAM);
    let socket = socket_with(family, kind, SocketFlags::CLOEXEC, None)?;
    let from = Ipv4Addr::from_bits(0x7f10_0000 + index / 16);
    bind(&socket, &SocketAddr::V4(SocketAddrV4::new(from, 0)))?;
    connect(&socket, &to)?;
    Ok(TcpStream::from(socket))
}

/// Returns whether the other side has closed the connection, without waiting. Data that arrives before the
/// end is discarded.
fn is_closed(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    loop {
        match (&*stream).read(&mut [0; 4096]) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(err) => return err.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
}

fn crowd(target: &Target) -> Result<Vec<(String, String)>> {
    let count: u32 = env::var("CONVERTD_CROWD").map_or(Ok(10_000), |text| text.parse())?;
    let before = target.memory();
    let mut crowd = Vec::new();
    for index in 0..count {
        let mut stream = connect_from(index, target.address)?;
        if index % 2 == 0 {
            stream.write_all(
                format!("GET {} HTTP/1.1\r\nHost: x\r\nX-Drip: ", target.health).as_bytes(),
            )?;
        }
        crowd.push(stream);
    }
    let began = Instant::now();
    let p99 = target.p99(500);
    let memory = target.memory();
    while began.elapsed() < Duration::from_secs(13) {
        for mut stream in crowd.iter().step_by(2) {
            let _ = stream.write(b"x");
        }
        thread::sleep(Duration::from_secs(1));
    }
    let dripping = crowd
        .iter()
        .step_by(2)
        .filter(|stream| !is_closed(stream))
        .count();
    let count_text = count.to_string();
    Ok(vec![
        (
            format!(
                "{count_text} silent or dripping connections: health of others, 99th percentile"
            ),
            p99,
        ),
        (
            "resident memory meanwhile, and before".into(),
            format!("{memory:.0} MiB, {before:.0} MiB"),
        ),
        (
            "unfinished heads that are still open after 13 s".into(),
            dripping.to_string(),
        ),
    ])
}

fn slow_uploads(target: &Target) -> Result<Vec<(String, String)>> {
    let mut slow = Vec::new();
    for _ in 0..64 {
        let mut stream = target.connect()?;
        stream.write_all(
            format!("{}\r\nContent-Length: 1000000\r\n\r\n--", target.upload).as_bytes(),
        )?;
        slow.push(stream);
    }
    let began = Instant::now();
    let p99 = target.p99(200);
    let limit = Duration::from_secs(40);
    let cut = loop {
        for mut stream in &slow {
            let _ = stream.write(b"x");
        }
        thread::sleep(Duration::from_millis(500));
        if slow.iter().all(is_closed) {
            break format!("{:.0} s", began.elapsed().as_secs_f64());
        }
        if began.elapsed() > limit {
            let open = slow.iter().filter(|stream| !is_closed(stream)).count();
            break format!("{open} go on after {} s", limit.as_secs());
        }
    };
    Ok(vec![
        (
            "64 uploads of 2 B/s: health of others, 99th percentile".into(),
            p99,
        ),
        ("such an upload is ended after".into(), cut),
    ])
}

fn unread_answer(target: &Target) -> Result<Vec<(String, String)>> {
    let mut stream = target.connect()?;
    stream.write_all(format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target.large).as_bytes())?;
    let began = Instant::now();
    let limit = Duration::from_secs(60);
    // The connection counts as alive while data can be sent.
    let figure = loop {
        thread::sleep(Duration::from_millis(500));
        if stream.write(b"\r\n").is_err() {
            break format!("{:.0} s", began.elapsed().as_secs_f64());
        }
        if began.elapsed() > limit {
            break format!("goes on after {} s", limit.as_secs());
        }
    };
    Ok(vec![("a client that asks for 20 MiB, does not read and sends a byte now and then is dropped after".into(), figure)])
}

/// Header fields that two servers may interpret differently.
const AMBIGUOUS: [&str; 24] = [
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 5",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked;q=1",
    "Transfer-Encoding:\x0bchunked",
    "Transfer-Encoding : chunked",
    " Transfer-Encoding: chunked",
    "X: y\r\n Transfer-Encoding: chunked",
    "Transfer-Encoding:\r\n chunked",
    "X: y\nTransfer-Encoding: chunked",
    "X: y\rTransfer-Encoding: chunked",
    "X: y\0Transfer-Encoding: chunked",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 5\r\nContent-Length: 5",
    "Content-Length: 5, 5",
    "Content-Length: +5",
    "Content-Length: -5",
    "Content-Length: 0x5",
    "Content-Length: 5 5",
    "Content-Length :5",
];

fn framing(target: &Target) -> Result<Vec<(String, String)>> {
    let mut refused = 0;
    for fields in AMBIGUOUS {
        let mut stream = target.connect()?;
        let head = target.upload.clone();
        let smuggled = format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target.health);
        let _ =
            stream.write_all(format!("{head}\r\n{fields}\r\n\r\n0\r\n\r\n{smuggled}").as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text);
        let alone = text.matches("HTTP/1.1 ").count() <= 1;
        refused += usize::from(
            alone && (text.starts_with("HTTP/1.1 400") || text.starts_with("HTTP/1.1 501")),
        );
    }
    let mut stream = target.connect()?;
    stream
        .write_all(format!("{}\r\nContent-Length: 999999999\r\n\r\n", target.upload).as_bytes())?;
    let piece = vec![b'x'; 1 << 20];
    let mut sent = 0;
    while sent < 100 && stream.write_all(&piece).is_ok() {
        sent += 1;
    }
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let body = text
        .split_once("\r\n\r\n")
        .map_or(0, |(_, body)| body.len());
    let figure = match text.get(9..12) {
        Some(status) if body > 0 => format!("{status}, after {sent} MB"),
        Some(status) => format!("{status} without content, after {sent} MB"),
        None => format!("nothing, after {sent} MB"),
    };
    Ok(vec![
        (
            format!(
                "of {} requests that can be understood in two ways, refused",
                AMBIGUOUS.len()
            ),
            refused.to_string(),
        ),
        (
            "the refusal of a too large upload, at a client that sends 100 MB regardless".into(),
            figure,
        ),
    ])
}

fn pipeline(target: &Target) -> Result<Vec<(String, String)>> {
    let before = target.memory();
    let many = format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target.health).repeat(10_000);
    let clients: Vec<TcpStream> = (0..100).map(|_| target.connect()).collect::<Result<_>>()?;
    for stream in &clients {
        stream.set_nonblocking(true)?;
    }
    let mut sent = vec![0; clients.len()];
    for _ in 0..20 {
        for (stream, sent) in clients.iter().zip(&mut sent) {
            let mut stream = stream;
            while let Ok(len @ 1..) = stream.write(&many.as_bytes()[*sent..]) {
                *sent += len;
            }
        }
        thread::sleep(Duration::from_millis(50));
    }
    let p99 = target.p99(100);
    let grown = target.memory() - before;
    Ok(vec![
        (
            "100 clients that send 10,000 requests each and read nothing: memory grows by".into(),
            format!("{grown:.1} MiB"),
        ),
        ("health of others meanwhile, 99th percentile".into(), p99),
    ])
}
