//! HTTP/1.1 over a raw socket: requests that are refused, deviations that are accepted, and the order of answers.

use crate::{
    contract::{failure, success},
    harness::{Form, Request, Server},
    samples,
};

const HEALTH: &str = "GET /api/v1/health HTTP/1.1\r\nHost: x\r\n";

/// A client of another protocol waits for an answer. It must get the answer before the time limit for a slow head ends.
#[test]
fn other_protocols_are_refused_at_once() {
    let server = Server::start();
    let hello = b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03 and so on";
    for (bytes, words) in [
        (&hello[..], "TLS"),
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", "no version of HTTP"),
    ] {
        let mut connection = server.connect();
        connection.write(bytes);
        let error = failure(&connection.read(), 400);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn ambiguous_heads_are_refused() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, head: &str, status: u16) {
        let mut connection = server.connect();
        connection.write(head);
        let answer = connection.read();
        failure(&answer, status);
        assert_eq!(answer.field("connection"), Some("close"), "{head:?}");
        assert!(connection.is_closed(), "{head:?}");
    }
    let get = |rest: &str| format!("GET /api/v1/health HTTP/1.1\r\n{rest}\r\n");
    let post = |rest: &str| {
        let content_type = Form::content_type();
        format!(
            "POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nContent-Type: {content_type}\r\n{rest}\r\n"
        )
    };
    check(&server, &get(""), 400);
    check(&server, &get("Host: a\r\nHost: a\r\n"), 400);
    check(&server, &get("Host: a b\r\n"), 400);
    check(&server, &get("Host: a/b\r\n"), 400);
    check(&server, &get("Host: x\r\n folded: 1\r\n"), 400);
    check(&server, &get("Host : x\r\n"), 400);
    check(&server, &get("Host: x\r\n: nameless\r\n"), 400);
    check(&server, &get("Host: x\r\nno colon\r\n"), 400);
    check(&server, &get("Host: x\r\nA: b\rc\r\n"), 400);
    check(&server, &get("Host: x\r\nA: b\nC: d\r\n"), 400);
    check(&server, &get("Host: x\r\nA: b\0c\r\n"), 400);
    check(&server, &get("Host: x\r\nA: b\u{1}c\r\n"), 400);
    check(&server, &get("Host: x\r\nA: b\u{7f}c\r\n"), 400);
    check(&server, "GET /api/v1/health HTTP/1.1\nHost: x\n\n", 400);
    check(
        &server,
        "GET  /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n",
        400,
    );
    check(&server, "GET /api/v1/health\r\nHost: x\r\n\r\n", 400);
    check(&server, "GET /api v1 HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check(&server, "GET /a\u{e9} HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check(&server, "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check(
        &server,
        "GET api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n",
        400,
    );
    check(&server, "G\tET / HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check(
        &server,
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}\r\n\r\n",
        400,
    );
    check(&server, "CONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n", 501);
    check(
        &server,
        "get /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n",
        501,
    );
    check(&server, "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505);
    check(&server, "GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505);
    check(&server, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
    check(
        &server,
        &format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(8001)),
        414,
    );
    check(&server, &format!("GET /{}", "a".repeat(20_000)), 414);
    check(
        &server,
        &get(&format!("Host: x\r\nA: {}\r\n", "a".repeat(17_000))),
        431,
    );
    check(
        &server,
        &get(&format!("Host: x\r\n{}", "A: b\r\n".repeat(100))),
        431,
    );
    for length in ["-1", "+1", "1,1", "1 1", "0x1", "", "1.0", "one"] {
        check(
            &server,
            &post(&format!("Content-Length: {length}\r\n")),
            400,
        );
    }
    check(
        &server,
        &post("Content-Length: 1\r\nContent-Length: 1\r\n"),
        400,
    );
    check(
        &server,
        &post("Content-Length: 1\r\nContent-Length: 2\r\n"),
        400,
    );
    check(
        &server,
        &post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"),
        400,
    );
    for coding in [
        "gzip",
        "identity",
        "gzip, chunked",
        "chunked, chunked",
        "chunked, gzip",
        "xchunked",
        "",
        "chunked;a=b",
        "\"chunked\"",
    ] {
        check(
            &server,
            &post(&format!("Transfer-Encoding: {coding}\r\n")),
            400,
        );
    }
    check(
        &server,
        &post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
        400,
    );
    check(&server, &post("Transfer-Encoding : chunked\r\n"), 400);
    check(
        &server,
        &post("Expect: a-miracle\r\nContent-Length: 1\r\n"),
        417,
    );
    success(&server.get("/api/v1/health"), 200);
}

#[test]
fn malformed_chunks_are_refused() {
    let server = Server::start();
    let head = Request::form(Form::new()).chunked(1).head_bytes();
    for chunks in [
        "x\r\n",
        "-1\r\n",
        "1\nx\r\n",
        "1\r\nxy\r\n",
        "1 \r\nx\r\n",
        "ffffffffffffffffff\r\n",
        "0\r\nA\0: b\r\n\r\n",
        ";\r\n",
    ] {
        let mut connection = server.connect();
        connection.write(&head);
        connection.write(chunks);
        failure(&connection.read(), 400);
        assert!(connection.is_closed(), "{chunks:?}");
    }
    server.wait_until_empty();
}

#[test]
fn harmless_deviations_are_accepted() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, head: &str) {
        let mut connection = server.connect();
        connection.write(head);
        success(&connection.read(), 200);
    }
    check(&server, &format!("\r\n\r\n{HEALTH}\r\n"));
    check(
        &server,
        "GET http://elsewhere.example/api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    check(
        &server,
        "GET HTTP://x:80/api/v1/health?a=b HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    check(
        &server,
        "GET /api/v1/health?a=/../b HTTP/1.1\r\nhost:x\r\n\r\n",
    );
    check(
        &server,
        "GET /api/v1/health HTTP/1.1\r\nHost: [::1]:8080\r\nA:\t b \t\r\nA: \u{e9}\r\n\r\n",
    );
    check(&server, "GET /api/v1/health HTTP/1.0\r\n\r\n");
    check(&server, &format!("{HEALTH}Content-Length: 0\r\n\r\n"));
    check(&server, &format!("{HEALTH}{}\r\n", "A: b\r\n".repeat(99)));
    check(
        &server,
        &format!(
            "{HEALTH}A: {}\r\n\r\n",
            "a".repeat(16_384 - HEALTH.len() - 7)
        ),
    );
    check(
        &server,
        &format!(
            "GET /api/v1/health?{} HTTP/1.1\r\nHost: x\r\n\r\n",
            "a".repeat(8000 - 15)
        ),
    );
    let byte_by_byte = format!("{HEALTH}\r\n");
    let mut connection = server.connect();
    for byte in byte_by_byte.bytes() {
        connection.write([byte]);
    }
    success(&connection.read(), 200);
}

#[test]
fn an_unexpected_body_is_never_parsed_as_a_request() {
    let server = Server::start();
    let smuggled = "GET /api/v1/formats HTTP/1.1\r\nHost: x\r\n\r\n";
    let len = smuggled.len();
    let heads = [
        format!("GET /api/v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n"),
        format!("GET /api/v1/status/x HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n"),
        format!("POST /api/v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n"),
        format!("POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n"),
        format!("OPTIONS /api/v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n"),
        format!("BREW / HTTP/1.1\r\nHost: x\r\nContent-Length: {len}\r\n\r\n"),
    ];
    for head in heads {
        let mut connection = server.connect();
        connection.write(format!("{head}{smuggled}"));
        connection.read();
        assert!(connection.is_closed(), "{head}");
    }
}

#[test]
fn connections_stay_open_as_the_client_requests() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, head: &str, stays: bool) {
        let mut connection = server.connect();
        connection.write(head);
        let answer = connection.read();
        if stays {
            assert_ne!(answer.field("connection"), Some("close"), "{head}");
            success(&connection.send(Request::get("/api/v1/health")), 200);
        } else {
            assert_eq!(answer.field("connection"), Some("close"), "{head}");
            assert!(connection.is_closed(), "{head}");
        }
    }
    check(&server, &format!("{HEALTH}\r\n"), true);
    check(
        &server,
        &format!("{HEALTH}Connection: keep-alive\r\n\r\n"),
        true,
    );
    check(
        &server,
        &format!("{HEALTH}Connection: close\r\n\r\n"),
        false,
    );
    check(
        &server,
        &format!("{HEALTH}Connection: a, Close\r\n\r\n"),
        false,
    );
    check(
        &server,
        &format!("{HEALTH}Connection: a\r\nConnection: close\r\n\r\n"),
        false,
    );
    check(&server, "GET /api/v1/health HTTP/1.0\r\n\r\n", false);
    check(&server, "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", true);
    check(
        &server,
        "DELETE /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n",
        true,
    );
    check(
        &server,
        "GET /api/v1/status/x HTTP/1.1\r\nHost: x\r\n\r\n",
        true,
    );
    check(
        &server,
        "GET /api/v1/download/x HTTP/1.1\r\nHost: x\r\n\r\n",
        true,
    );
    check(
        &server,
        "OPTIONS /api/v1/convert HTTP/1.1\r\nHost: x\r\n\r\n",
        true,
    );
    let mut old = server.connect();
    old.write("GET /api/v1/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assert_eq!(old.read().field("connection"), Some("keep-alive"));
    success(&old.send(Request::get("/api/v1/health")), 200);
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Server::start();
    let picture = samples::ppm(64, 64);
    let ready: Vec<String> = (0..3)
        .map(|_| {
            server
                .convert(&picture, "p.ppm", "bmp")
                .data("download_url")
        })
        .collect();
    let requests = [
        Request::get("/api/v1/health"),
        Request::form(Form::of(&picture, "p.ppm", "png")),
        Request::get(&ready[0]),
        Request::get("/nothing"),
        Request::get("/api/v1/status/x"),
        Request::form(Form::of(&picture, "p.ppm", "jpg")).chunked(1000),
        Request::get(&ready[1]),
        Request::get(&ready[1]),
        Request::get("/api/v1/formats"),
        Request::get(&ready[2]).field("Range", "bytes=0-0"),
        Request::form(Form::of(&picture, "p.ppm", "nothing")),
    ];
    let statuses = [200, 200, 200, 404, 200, 200, 200, 404, 200, 206, 400];
    let mut all = Vec::new();
    for (at, request) in requests.into_iter().enumerate() {
        all.extend(
            request
                .field("X-Request-Id", &format!("number-{at}"))
                .bytes(),
        );
    }
    let mut connection = server.connect();
    connection.write(all);
    for (at, status) in statuses.into_iter().enumerate() {
        let answer = connection.read();
        assert_eq!(answer.status, status, "number {at}: {answer:?}");
        assert_eq!(
            answer.field("x-request-id"),
            Some(format!("number-{at}").as_str())
        );
    }
}

#[test]
fn a_thousand_pipelined_requests_are_all_answered() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.write(
        format!("{HEALTH}\r\n").repeat(500)
            + &"GET /api/v1/status/x HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500),
    );
    for _ in 0..1000 {
        assert_eq!(connection.read().status, 200);
    }
}

#[test]
fn nothing_is_read_after_a_refused_head() {
    let server = Server::start();
    let mut connection = server.connect();
    connection.write(format!("GET / HTTP/1.1\r\n\r\n{HEALTH}\r\n"));
    failure(&connection.read(), 400);
    assert!(connection.is_closed());
}

#[test]
fn silent_clients_delay_no_other_client() {
    let server = Server::with("--workers 2 --queue 1").start();
    let mut silent: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for (at, connection) in silent.iter_mut().enumerate() {
        connection.write(&HEALTH.as_bytes()[..at % HEALTH.len()]);
    }
    success(&server.get("/api/v1/health"), 200);
    success(&server.convert(&samples::ppm(4, 4), "p.ppm", "png"), 200);
}
