//! Heads that are accepted and refused, and the framing of their bodies.

use super::*;

fn read(text: &str) -> Result<Head, Refusal> {
    match find_end(text.as_bytes(), 0)? {
        Some(end) => parse(&text.as_bytes()[..end], || "generated".into()),
        None => panic!("the head is not whole: {text:?}"),
    }
}

#[track_caller]
fn accepts(text: &str) -> Head {
    read(text).unwrap_or_else(|refusal| panic!("{text:?} was refused: {refusal:?}"))
}

#[track_caller]
fn refuses(status: u16, text: &str) {
    match read(text) {
        Ok(head) => panic!("{text:?} was accepted: {head:?}"),
        Err(refusal) => assert_eq!(
            refusal.status.code(),
            status,
            "{text:?}: {}",
            refusal.detail
        ),
    }
}

#[test]
fn heads_of_clients_are_read() {
    let head = accepts("GET /a?b=c?d HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a: 2\r\n\r\n");
    assert_eq!(
        (head.path.as_str(), head.query.as_deref()),
        ("/a", Some("b=c?d"))
    );
    assert_eq!(head.fields("x-a").collect::<Vec<_>>(), ["1", "2"]);
    assert!(head.keep_alive && head.framing == Framing::None && head.request_id == "generated");
    assert_eq!(
        accepts("\r\nGET http://h:80/p HTTP/1.1\r\nHost: h\r\n\r\n").path,
        "/p"
    );
    assert_eq!(
        accepts("GET http://h?q HTTP/1.1\r\nHost: h\r\n\r\n")
            .query
            .as_deref(),
        Some("q")
    );
    assert_eq!(accepts("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").path, "*");
    let path = |target: &str| accepts(&format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n")).path;
    assert_eq!(path("/%66%6Frm%61ts%2d%2E%5F%7e%30"), "/formats-._~0");
    assert_eq!(
        path("/a%2Fb%25%3f%00%C3%A9%zz%6"),
        "/a%2Fb%25%3f%00%C3%A9%zz%6"
    );
    assert!(!accepts("GET / HTTP/1.0\r\n\r\n").keep_alive);
    assert!(accepts("GET / HTTP/1.0\r\nConnection: foo, Keep-Alive\r\n\r\n").keep_alive);
    assert!(!accepts("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").keep_alive);
    assert_eq!(
        accepts("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 007\r\n\r\n").framing,
        Framing::Length(7)
    );
    assert_eq!(
        accepts("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n").framing,
        Framing::Chunked
    );
    assert_eq!(
        accepts("GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: a-1\r\n\r\n").request_id,
        "a-1"
    );
    assert_eq!(
        accepts("GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: a b\r\n\r\n").request_id,
        "generated"
    );
}

#[test]
fn ambiguous_heads_are_refused() {
    for framing in [
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5, 5",
        "Content-Length: -1",
        "Content-Length: +5",
        "Content-Length: 0x5",
        "Content-Length:",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:\r\n chunked",
        "Content-Length : 5",
        "X: a\r\n folded",
        "X: a\rb",
        "X: a\nb",
        "X: a\0b",
        "X: a\x07b",
        "No colon",
        ": no name",
    ] {
        refuses(
            400,
            &format!("POST / HTTP/1.1\r\nHost: h\r\n{framing}\r\n\r\n"),
        );
    }
    refuses(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n");
    refuses(400, "GET / HTTP/1.1\r\n\r\n");
    refuses(400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
    refuses(400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
    refuses(400, "GET / HTTP/1.1\r\nHost: \r\n\r\n");
    refuses(400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n");
    refuses(400, "GET / HTTP/1\r\nHost: a\r\n\r\n");
    refuses(400, "GET / HTTP/01.01\r\nHost: a\r\n\r\n");
    refuses(400, "GET / HTTP/1.1\nHost: a\n\n");
    refuses(400, "GET relative HTTP/1.1\r\nHost: a\r\n\r\n");
    refuses(400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuses(400, "GET /\r\nHost: a\r\n\r\n");
    refuses(400, "\x16\x03\x01\x02\r\n\r\n");
}

#[test]
fn errors_name_the_exceeded_limit() {
    refuses(
        413,
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    );
    refuses(
        417,
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: the unexpected\r\n\r\n",
    );
    refuses(501, "BREW / HTTP/1.1\r\nHost: h\r\n\r\n");
    refuses(505, "GET / HTTP/2.0\r\nHost: h\r\n\r\n");
    refuses(505, "PRI * HTTP/2.0\r\n\r\n");
    refuses(505, "GET / HTTP/1.2\r\nHost: h\r\n\r\n");
    refuses(400, "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n");
    refuses(400, "GET / HTTQ/1.1\r\nHost: h\r\n\r\n");
    refuses(
        414,
        &format!("GET /{} HTTP/1.1\r\nHost: h\r\n\r\n", "a".repeat(8000)),
    );
    refuses(414, &format!("GET /{}", "a".repeat(MAX_HEAD)));
    refuses(
        431,
        &format!(
            "GET / HTTP/1.1\r\nHost: h\r\nX: {}\r\n\r\n",
            "a".repeat(MAX_HEAD)
        ),
    );
    refuses(
        431,
        &format!(
            "GET / HTTP/1.1\r\nHost: h\r\n{}\r\n",
            "X: a\r\n".repeat(100)
        ),
    );
}

#[test]
fn other_protocols_are_refused_by_their_first_bytes() {
    #[track_caller]
    fn check(bytes: &[u8], expected: Option<&str>) {
        let found = find_end(bytes, 0).map_err(|refusal| refusal.detail.into_owned());
        match expected {
            Some(words) => assert!(
                found.as_ref().is_err_and(|message| message.contains(words)),
                "{found:?}"
            ),
            None => assert_eq!(found, Ok(None)),
        }
    }
    check(b"\x16", Some("TLS"));
    check(b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", Some("TLS"));
    check(b"\r\n\x16", Some("TLS"));
    check(b"\x80\x2e\x01", Some("not HTTP"));
    check(b" GET / HTTP/1.1\r\n", Some("not HTTP"));
    check(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", Some("no version"));
    check(b"GET /\r\n", Some("no version"));
    check(b"", None);
    check(b"\r\n\r", None);
    check(b"G", None);
    check(b"SSH-2.0", None);
    check(b"PRI * HTTP/2.0\r\n", None);
    check(b"\r\nGET / HTTP/1.1\r\nHost", None);
}

#[test]
fn the_end_of_a_head_is_found_wherever_the_bytes_are_cut() {
    let text = b"\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\nGET";
    let end = text.len() - 3;
    for cut in 0..text.len() {
        let first = find_end(&text[..cut], 0).unwrap();
        assert_eq!(first, (cut >= end).then_some(end), "cut at {cut}");
        assert_eq!(
            find_end(text, if first.is_none() { cut } else { 0 }).unwrap(),
            Some(end),
            "cut at {cut}"
        );
    }
}
