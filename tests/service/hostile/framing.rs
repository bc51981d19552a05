//! Requests that two servers could interpret in different ways, and requests that never end.

use super::{assert_sound, pictures, read_within};
use crate::harness::{Client, DEADLINE, Form, Request, Server, wait_for};
use std::{
    io::{Read, Write},
    time::Duration,
};

/// All bytes that arrive until the server closes the connection.
fn read_all(client: &mut Client) -> String {
    let mut text = Vec::new();
    // A reset after the answer counts as an end of the connection.
    let _ = client.stream().read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Length of the line that closes a form, in bytes.
const END: usize = 30;

const SMUGGLED: &str = "GET /api/v1/status/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

/// Checks that a head is refused, and that the server does not answer a request that is hidden in its body.
#[track_caller]
fn refuses(server: &Server, head: &str, body: &str) {
    let mut client = server.connect();
    client.write(format!("{head}\r\n\r\n{body}{SMUGGLED}"));
    let text = read_all(&mut client);
    assert!(
        text.starts_with("HTTP/1.1 400 "),
        "{head:?} is answered with {text:?}"
    );
    assert_eq!(
        text.matches("HTTP/1.1 ").count(),
        1,
        "{head:?} smuggles: {text:?}"
    );
    assert!(text.contains("Connection: close\r\n"), "{text:?}");
}

#[test]
fn ambiguous_requests_are_refused() {
    let server = Server::start();
    let chunked = "0\r\n\r\n";
    for (fields, body) in [
        // Content-Length and Transfer-Encoding, in both orders.
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", chunked),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", chunked),
        // Contradictory Transfer-Encoding fields.
        (
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            chunked,
        ),
        ("Transfer-Encoding: chunked, chunked", chunked),
        ("Transfer-Encoding: identity, chunked", chunked),
        ("Transfer-Encoding: chunked, identity", chunked),
        ("Transfer-Encoding: xchunked", chunked),
        ("Transfer-Encoding: chunked;q=1", chunked),
        ("Transfer-Encoding: 'chunked'", chunked),
        ("Transfer-Encoding:\x0bchunked", chunked),
        ("Transfer-Encoding:\x0cchunked", chunked),
        ("Transfer-Encoding: chunk\u{212a}ed", chunked),
        ("Transfer-Encoding:", chunked),
        // Some servers read each of these lines as a Transfer-Encoding field, and others do not.
        ("Transfer-Encoding : chunked", chunked),
        ("Transfer-Encoding\t: chunked", chunked),
        (" Transfer-Encoding: chunked", chunked),
        ("X: y\r\n Transfer-Encoding: chunked", chunked),
        ("Transfer-Encoding:\r\n chunked", chunked),
        ("X: y\nTransfer-Encoding: chunked", chunked),
        ("X: y\rTransfer-Encoding: chunked", chunked),
        ("X: y\0Transfer-Encoding: chunked", chunked),
        // Contradictory or invalid lengths.
        ("Content-Length: 5\r\nContent-Length: 6", "12345"),
        ("Content-Length: 5\r\nContent-Length: 5", "12345"),
        ("Content-Length: 5, 5", "12345"),
        ("Content-Length: +5", "12345"),
        ("Content-Length: -5", "12345"),
        ("Content-Length: 0x5", "12345"),
        ("Content-Length: 5 5", "12345"),
        ("Content-Length: 5;", "12345"),
        ("Content-Length: \u{665}", "12345"),
        ("Content-Length :5", "12345"),
        // A request with two Host fields is ambiguous as well.
        ("Host: y", ""),
    ] {
        let head = format!("POST /api/v1/convert HTTP/1.1\r\nHost: x\r\n{fields}");
        refuses(&server, &head, body);
    }
    refuses(
        &server,
        "POST /api/v1/convert HTTP/1.0\r\nTransfer-Encoding: chunked",
        chunked,
    );
    refuses(&server, "GET /api/v1/health HTTP/1.1", "");
    refuses(&server, "GET /api/v1/health", "");
    refuses(
        &server,
        "GET /api/v1/health HTTP/1.1 HTTP/1.1\r\nHost: x",
        "",
    );
    assert_sound(&server);
}

#[test]
fn an_unexpected_body_is_not_the_next_request() {
    let server = Server::start();
    for method in ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"] {
        let mut client = server.connect();
        let len = SMUGGLED.len();
        client.write(format!(
            "{method} /api/v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n{SMUGGLED}"
        ));
        client.finish_sending();
        let text = read_all(&mut client);
        assert_eq!(
            text.matches("HTTP/1.1 ").count(),
            1,
            "{method} smuggles: {text:?}"
        );
    }
}

/// Sends a conversion whose chunked body is `body`, unchanged. Returns the status code, or `None` if the connection
/// ends without an answer.
fn chunked(server: &Server, body: &str) -> Option<u16> {
    let request = Request::new("POST", "/api/v1/convert")
        .field("Content-Type", &Form::content_type())
        .field("Transfer-Encoding", "chunked");
    let mut client = server.connect();
    client.write(request.head_bytes());
    // The server may refuse the request before it has received the whole request.
    let _ = client.try_write(body.as_bytes());
    client.finish_sending();
    let text = read_all(&mut client);
    assert!(
        text.matches("HTTP/1.1 ").count() <= 1,
        "{body:?} smuggles: {text:?}"
    );
    text.get(9..12)?.parse().ok()
}

#[test]
fn invalid_chunks_are_refused() {
    let server = Server::start();
    let extension = "e".repeat(1100);
    let trailers = "T: t\r\n".repeat(2000);
    let endless = "0".repeat(5000);
    for body in [
        "-1\r\nx\r\n0\r\n\r\n",
        "+1\r\nx\r\n0\r\n\r\n",
        "0x1\r\nx\r\n0\r\n\r\n",
        " 1\r\nx\r\n0\r\n\r\n",
        "1 \r\nx\r\n0\r\n\r\n",
        "\r\nx\r\n0\r\n\r\n",
        ";e\r\nx\r\n0\r\n\r\n",
        "g\r\nx\r\n0\r\n\r\n",
        "1\nx\n0\n\n",
        "1\r\nx0\r\n\r\n",
        "1\r\nxy\r\n0\r\n\r\n",
        "1\r\nx\n0\r\n\r\n",
        "1\rx\r\n0\r\n\r\n",
        "1;\n\r\nx\r\n0\r\n\r\n",
        "FFFFFFFFFFFFFFFF\r\nx",
        "10000000000000001\r\nx\r\n0\r\n\r\n",
        "fffffffffffff\r\nx",
        &format!("1;{extension}\r\nx\r\n0\r\n\r\n"),
        &format!("0\r\n{trailers}\r\n"),
        &format!("{endless}1\r\nx\r\n0\r\n\r\n"),
        "0\r\nbad trailer\rx\r\n\r\n",
    ] {
        let status = chunked(&server, body);
        assert_eq!(status, Some(400), "{:?}", &body[..body.len().min(60)]);
    }
    // This body consists almost only of framing. It is refused for the size of the framing, before the time limit for
    // slow clients.
    let request = Request::new("POST", "/api/v1/convert")
        .field("Content-Type", &Form::content_type())
        .field("Transfer-Encoding", "chunked");
    let mut client = server.connect();
    client.write(request.head_bytes());
    let _ = client.try_write(
        &format!("1;{}\r\nx\r\n", "e".repeat(1000))
            .repeat(100)
            .into_bytes(),
    );
    let answer = read_within(&mut client, DEADLINE).expect("an answer");
    assert_eq!(answer.status, 400, "{answer:?}");
    assert_sound(&server);
}

#[test]
fn ten_thousand_requests_come_back_in_order() {
    let mut server = Server::start();
    let before = server.process().resident_kib();
    let requests: Vec<u8> = (0..10_000)
        .flat_map(|number| {
            // Two kinds of workers answer these requests in turn, so the answers could get into a wrong order.
            let path = if number % 10 == 0 {
                "/api/v1/download/none"
            } else {
                "/api/v1/health"
            };
            let id = format!("n{number}");
            Request::get(path).field("X-Request-Id", &id).bytes()
        })
        .collect();
    let client = server.connect();
    let mut writer = client.stream().try_clone().unwrap();
    writer.set_nonblocking(true).unwrap();
    // Sends as much as possible without reading.
    let mut sent = 0;
    wait_for("neither side takes more bytes", || {
        match writer.write(&requests[sent..]) {
            Ok(len) => {
                sent += len;
                (sent == requests.len()).then_some(())
            }
            Err(_) => {
                std::thread::sleep(Duration::from_millis(300));
                match writer.write(&requests[sent..]) {
                    Ok(len) => {
                        sent += len;
                        None
                    }
                    Err(_) => Some(()),
                }
            }
        }
    });
    let grown = server.process().resident_kib().saturating_sub(before);
    assert!(grown < 2 << 10, "{grown} KiB for one client");
    writer.set_nonblocking(false).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| writer.write_all(&requests[sent..]));
        let mut client = client;
        for number in 0..10_000 {
            let answer = client.read();
            assert_eq!(answer.field("x-request-id"), Some(&*format!("n{number}")));
            assert_eq!(answer.status, if number % 10 == 0 { 404 } else { 200 });
        }
    });
}

#[test]
fn a_refusal_reaches_a_client_that_goes_on_sending() {
    let server = Server::with("--max-upload 1M").start();
    let cases: [(&str, Request, u16); 3] = [
        (
            "announced",
            Request::new("POST", "/api/v1/convert")
                .field("Content-Type", &Form::content_type())
                .field("Content-Length", "100000000"),
            413,
        ),
        (
            "in chunks",
            Request::new("POST", "/api/v1/convert")
                .field("Content-Type", &Form::content_type())
                .field("Transfer-Encoding", "chunked"),
            413,
        ),
        (
            "to nobody",
            Request::new("POST", "/api/v1/nowhere").field("Content-Length", "100000000"),
            404,
        ),
    ];
    for (what, request, status) in cases {
        let mut client = server.connect();
        client.write(request.head_bytes());
        let start = Form::new()
            .field("target_format", "png")
            .file("a.png", &[0; 100])
            .body();
        let mut piece = vec![b'x'; 1 << 20];
        if what == "in chunks" {
            client.write(format!("{:x}\r\n", start.len()));
            piece = [b"100000\r\n", &piece[..], b"\r\n"].concat();
        }
        let without_end = start.len() - END;
        client.write(&start[..without_end]);
        if what == "in chunks" {
            client.write(vec![b'x'; END]);
            client.write("\r\n");
        }
        // Continues to send. The server may have stopped reading and closed the connection.
        for _ in 0..95 {
            if client.try_write(&piece).is_err() {
                break;
            }
        }
        let answer = read_within(&mut client, DEADLINE);
        let answer = answer.unwrap_or_else(|err| panic!("{what}: the answer is lost: {err}"));
        assert_eq!(answer.status, status, "{what}: {answer:?}");
        answer.error();
    }
    let refused = server.convert(&pictures::ppm(2 << 20), "a.ppm", "png");
    assert_eq!(refused.status, 413);
    assert_sound(&server);
}
