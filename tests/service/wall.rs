//! Access to a service that listens on loopback. Programs on the machine, the service's own pages, and pages that the
//! operator allows have access. Other web pages in a browser on the machine have no access.

use crate::{
    harness::{Answer, Form, Server},
    samples,
};

/// Sends a request with these header fields, and with a form if it is a `POST`.
fn ask(server: &Server, line: &str, fields: &str) -> Answer {
    let form = Form::of(&samples::ppm(9, 9), "p.ppm", "png");
    let (more, body) = match line.starts_with("POST") {
        true => {
            let body = form.body();
            let content_type = Form::content_type();
            let more = format!(
                "Content-Type: {content_type}\r\nContent-Length: {}\r\n",
                body.len()
            );
            (more, body)
        }
        false => (String::new(), Vec::new()),
    };
    let mut client = server.connect();
    client.write(format!("{line} HTTP/1.1\r\n{fields}{more}\r\n"));
    // The server may refuse the request before it has received the whole request.
    let _ = client.try_write(&body);
    client.read()
}

#[track_caller]
fn check(server: &Server, line: &str, fields: &str, status: u16, words: &str) {
    let answer = ask(server, line, fields);
    assert_eq!(answer.status, status, "{line}: {fields}: {answer:?}");
    if status == 403 {
        let error = answer.error();
        assert!(error.contains(words), "{error}");
    }
}

const HEALTH: &str = "GET /api/v1/health";
const CONVERT: &str = "POST /api/v1/convert";

#[test]
fn foreign_host_names_are_refused() {
    let server = Server::with("--compat gotenberg --admin-listen 127.0.0.1:0").start();
    for host in [
        "127.0.0.1:8080",
        "localhost:1",
        "LOCALHOST.",
        "a.localhost",
        "[::1]:8080",
        "convertd",
        "192.168.0.2",
    ] {
        check(&server, HEALTH, &format!("Host: {host}\r\n"), 200, "");
    }
    for host in [
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "ai.",
    ] {
        let fields = format!("Host: {host}\r\n");
        let option = "--allow-host ";
        for line in [
            HEALTH,
            CONVERT,
            "GET /",
            "GET /metrics",
            "DELETE /api/v1/download/x",
        ] {
            check(&server, line, &fields, 403, option);
        }
        let answer = ask(&server, "POST /forms/chromium/convert/html", &fields);
        assert_eq!(answer.status, 403, "{answer:?}");
        // A page that uses DNS rebinding can set the header fields of a proxy.
        let fields =
            format!("{fields}X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: localhost\r\n");
        check(&server, CONVERT, &fields, 403, option);
    }
}

#[test]
fn allowed_host_names_are_accepted() {
    let server = Server::with("--allow-host files.example,*.Lan").start();
    for (host, status) in [
        ("files.example", 200),
        ("FILES.example:443", 200),
        ("a.lan", 200),
        ("127.0.0.1", 200),
        ("a.files.example", 403),
        ("lan.example", 403),
    ] {
        let fields = format!("Host: {host}\r\n");
        check(&server, CONVERT, &fields, status, "--allow-host");
    }
    let any = Server::with("--allow-host *").start();
    check(&any, HEALTH, "Host: any.example\r\n", 200, "");
}

#[test]
fn a_trusted_proxy_may_use_any_host_name_unless_names_are_given() {
    let forwarded = "Host: files.example\r\nX-Forwarded-For: 192.0.2.1\r\n";
    let trusting = Server::with("--trusted-proxies 127.0.0.1").start();
    check(&trusting, CONVERT, forwarded, 200, "");
    check(
        &trusting,
        CONVERT,
        "Host: files.example\r\n",
        403,
        "--allow-host",
    );
    let strict = Server::with("--trusted-proxies 127.0.0.1 --allow-host other.example").start();
    check(&strict, CONVERT, forwarded, 403, "--allow-host");
}

#[test]
fn pages_of_other_sites_cannot_start_conversions() {
    let server =
        Server::with("--cors-origin https://read.example --allow-origin https://send.example")
            .start();
    let foreign = "Sec-Fetch-Site: cross-site\r\nOrigin: https://evil.example\r\n";
    for (fields, status) in [
        (foreign, 403),
        // A sandboxed page or a local file sends these fields.
        ("Sec-Fetch-Site: cross-site\r\nOrigin: null\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\n", 403),
        (
            "Sec-Fetch-Site: cross-site\r\nOrigin: https://read.example\r\n",
            200,
        ),
        (
            "Sec-Fetch-Site: cross-site\r\nOrigin: https://send.example\r\n",
            200,
        ),
        // The service's own page sends these fields; the origin of its forms may be `null`.
        ("Sec-Fetch-Site: same-origin\r\nOrigin: null\r\n", 200),
        ("Sec-Fetch-Site: none\r\n", 200),
        // Older browsers send only this field.
        ("Origin: https://evil.example\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Origin: http://localhost:8080\r\n", 200),
        // A proxy that forwards another host name adds these fields.
        (
            "Origin: https://files.example\r\nX-Forwarded-For: 192.0.2.1\r\n",
            200,
        ),
        // Programs send neither field.
        ("", 200),
    ] {
        let fields = format!("Host: localhost:8080\r\n{fields}");
        check(&server, CONVERT, &fields, status, "--allow-origin");
    }
    let fields = format!("Host: localhost\r\n{foreign}");
    check(&server, "POST /", &fields, 403, "--allow-origin");
    for line in ["PUT /api/v1/convert?to=png", "DELETE /api/v1/download/x"] {
        check(&server, line, &fields, 403, "--allow-origin");
    }
    // Links on other pages lead to the service.
    check(&server, "GET /", &fields, 200, "");
    check(&server, HEALTH, &fields, 200, "");
}

#[test]
fn a_public_service_accepts_any_host_and_origin() {
    let server = Server::with("--listen 0.0.0.0:0").start();
    let fields = "Host: files.example\r\nSec-Fetch-Site: cross-site\r\n";
    check(&server, CONVERT, fields, 200, "");
}
