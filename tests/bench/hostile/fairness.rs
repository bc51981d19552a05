//! The wait for a thumbnail beside clients of the drop-in services, whose requests hold their connections until the
//! conversions end. Each client keeps as many requests open as the service permits for one address: whenever an answer
//! arrives, the next request follows. One thread does that for all of them, so that the clients take no time from the
//! service but for sending.

use crate::{
    support::{
        common::{Result, Service, expect},
        timed,
    },
    targets::Target,
};
use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// Addresses that send requests to the drop-in services.
const CLIENTS: usize = 12;
/// Requests that each of them keeps open.
const EACH: usize = 16;
/// Number of thumbnails, which are requested one after another.
const THUMBNAILS: usize = 200;
/// Words of the page that becomes a PDF. With more, a request would not fit into the buffers of a connection, and sending
/// it would wait for the service.
const WORDS: usize = 12_000;
const BOUNDARY: &str = "fairness-boundary-51c0";

/// Measures the median and the 99th percentile of 200 waits, with two converters. Other servers have no such routes.
pub(crate) fn fairness(target: &Target) -> Result<Vec<(String, String)>> {
    if target.name != "convertd" {
        return Ok(Vec::new());
    }
    let service = Service::start(&[
        "--log",
        "error",
        "--trusted-proxies",
        "127.0.0.1",
        "--converters",
        "2",
        "--compat",
        "gotenberg,tika",
    ])?;
    let words: Vec<String> = (0..WORDS)
        .map(|at| format!("word{}", at * 7 % 997))
        .collect();
    let page = format!("<!doctype html><p>{}</p>", words.join(" "));
    let requests = [
        (
            "POST",
            "/forms/chromium/convert/html",
            form(page.as_bytes()),
        ),
        ("PUT", "/tika", page.into_bytes()),
    ];
    let over = AtomicBool::new(false);
    let mut waits = thread::scope(|scope| {
        scope.spawn(|| keep_busy(&service.authority, &requests, &over));
        let waits: Vec<_> = (0..THUMBNAILS).map(|_| thumbnail(&service)).collect();
        over.store(true, Ordering::Relaxed);
        waits
    })
    .into_iter()
    .collect::<Result<Vec<f64>>>()?;
    waits.sort_by(f64::total_cmp);
    let percentile = |share: usize| waits[(waits.len() - 1) * share / 100];
    Ok(vec![(
        format!(
            "a thumbnail beside {CLIENTS} addresses with {EACH} requests each to Gotenberg's and Tika's routes"
        ),
        format!(
            "{:.2} s, 99th percentile {:.2} s",
            percentile(50),
            percentile(99)
        ),
    )])
}

/// Converts a small picture for an address of its own, and returns the seconds that took.
fn thumbnail(service: &Service) -> Result<f64> {
    let picture = [b"P6 320 240 255\n".as_slice(), &[90; 320 * 240 * 3]].concat();
    let fields = [("target_format", "jpg"), ("width", "120")];
    let head = [("X-Forwarded-For", "198.51.100.1")];
    let (seconds, answer) = timed(|| service.convert("p.ppm", &picture, &fields, &head))?;
    expect(answer.status == 200, answer.text())?;
    Ok(seconds)
}

/// Sends requests of all clients until `over` is set, and replaces each as soon as it is answered or refused.
fn keep_busy(authority: &str, requests: &[(&str, &str, Vec<u8>)], over: &AtomicBool) {
    let send = |at: usize| -> Option<TcpStream> {
        let (method, path, body) = &requests[at % requests.len()];
        let mut stream = TcpStream::connect(authority).ok()?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {authority}\r\nX-Forwarded-For: 192.0.2.{}\r\n\
             Content-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            at % CLIENTS,
            match *method {
                "POST" => format!("multipart/form-data; boundary={BOUNDARY}"),
                _ => "text/html".into(),
            },
            body.len()
        )
        .ok()?;
        stream.write_all(body).ok()?;
        stream.set_nonblocking(true).ok()?;
        Some(stream)
    };
    let mut streams: Vec<Option<TcpStream>> = (0..CLIENTS * EACH).map(send).collect();
    let mut buffer = [0; 65_536];
    while !over.load(Ordering::Relaxed) {
        for (at, stream) in streams.iter_mut().enumerate() {
            let waits = stream
                .as_mut()
                .is_some_and(|stream| match stream.read(&mut buffer) {
                    Ok(length) => length > 0,
                    Err(error) => error.kind() == ErrorKind::WouldBlock,
                });
            if !waits {
                *stream = send(at);
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Form of Gotenberg's route for HTML.
fn form(page: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"index.html\"\r\n\r\n"
    );
    [
        head.as_bytes(),
        page,
        format!("\r\n--{BOUNDARY}--\r\n").as_bytes(),
    ]
    .concat()
}
