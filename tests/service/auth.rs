//! API keys: only clients with a valid key have access. Other clients learn nothing about keys or files.

use crate::{
    contract::{failure, success},
    harness::{Form, Request, Server, TempDir},
    samples,
};

fn locked() -> Server {
    Server::with("--log trace")
        .env("CONVERTD_API_KEYS", "first-key, second-key")
        .start()
}

#[test]
fn every_endpoint_except_health_requires_a_key() {
    let server = locked();
    success(&server.get("/api/v1/health"), 200);
    let form = || Form::of(&samples::ppm(4, 4), "p.ppm", "png");
    let id = server
        .send(Request::form(form()).field("X-API-Key", "first-key"))
        .data("conversion_id");
    let requests = [
        Request::get("/api/v1/formats"),
        Request::head("/api/v1/formats"),
        Request::get("/api/v1/status/x"),
        Request::get(&format!("/api/v1/status/{id}")),
        Request::get("/api/v1/download/x"),
        Request::get(&format!("/api/v1/download/{id}")),
        Request::new("POST", "/api/v1/bundle"),
        Request::form(form()),
        Request::form(form()).chunked(100),
        Request::form(form()).field("Expect", "100-continue"),
        Request::form(Form::of(&vec![0; 10 << 20], "p", "png")),
    ];
    for request in requests {
        let answer = server.send(request.clone());
        assert_eq!(answer.status, 401);
        assert_eq!(answer.field("www-authenticate"), Some("Bearer"));
        if !answer.body.is_empty() {
            assert!(failure(&answer, 401).contains("key"));
        }
        let authorised = server.send(request.field("Authorization", "Bearer second-key"));
        assert_ne!(authorised.status, 401);
    }
}

#[test]
fn keys_are_accepted_in_two_header_fields_only() {
    let server = locked();
    let check = |request: Request, status: u16| {
        let answer = server.send(request.clone());
        assert_eq!(
            answer.status,
            status,
            "{:?}",
            String::from_utf8(request.head_bytes())
        );
    };
    let formats = || Request::get("/api/v1/formats");
    check(formats().field("Authorization", "Bearer first-key"), 200);
    check(formats().field("authorization", "bearer second-key"), 200);
    check(formats().field("Authorization", "BEARER   first-key "), 200);
    check(formats().field("X-API-Key", "first-key"), 200);
    check(formats().field("x-api-key", "second-key"), 200);
    check(
        formats()
            .field("X-API-Key", "wrong")
            .field("Authorization", "Bearer first-key"),
        200,
    );

    check(formats().field("Authorization", "first-key"), 401);
    check(formats().field("Authorization", "Basic first-key"), 401);
    check(
        formats().field("Authorization", "Basic Zmlyc3Qta2V5Og=="),
        401,
    );
    check(formats().field("Authorization", "Bearer"), 401);
    check(formats().field("Authorization", "Bearer "), 401);
    check(formats().field("Authorization", "Bearer first-ke"), 401);
    check(formats().field("Authorization", "Bearer first-key2"), 401);
    check(formats().field("Authorization", "Bearer FIRST-KEY"), 401);
    check(
        formats().field("Authorization", "Bearer first-key,second-key"),
        401,
    );
    check(formats().field("X-API-Key", ""), 401);
    check(formats().field("X-API-Key", "first-key, second-key"), 401);
    check(formats().field("Cookie", "key=first-key"), 401);
    for query in [
        "key=first-key",
        "api_key=first-key",
        "access_token=first-key",
        "X-API-Key=first-key",
    ] {
        check(Request::get(&format!("/api/v1/formats?{query}")), 401);
    }
    for line in server.log() {
        assert!(
            !line.contains("first-key") && !line.contains("second-key"),
            "{line}"
        );
    }
}

#[test]
fn keys_come_from_a_file_and_from_the_environment() {
    let dir = TempDir::new();
    let path = dir.path().join("keys");
    std::fs::write(
        &path,
        "# those of the night shift\nfrom-file\n\n  padded  \r\n",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let servers = [
        Server::with(&format!("--api-keys {path}")).start(),
        Server::with("--log info")
            .env("CONVERTD_API_KEYS_FILE", path)
            .start(),
        Server::with(&format!("--api-keys {path}"))
            .env("CONVERTD_API_KEYS", "from-environment")
            .start(),
    ];
    let status = |server: &Server, key: &str| {
        server
            .send(Request::get("/api/v1/formats").field("X-API-Key", key))
            .status
    };
    for server in &servers {
        assert_eq!(status(server, "from-file"), 200);
        assert_eq!(status(server, "padded"), 200);
        assert_eq!(status(server, "# those of the night shift"), 401);
        assert_eq!(server.get("/api/v1/formats").status, 401);
    }
    // The flag has priority over its variable, even if the variable names a missing file.
    let flagged = Server::with(&format!("--api-keys {path}"))
        .env("CONVERTD_API_KEYS_FILE", "/nothing/there")
        .start();
    assert_eq!(status(&flagged, "from-file"), 200);
    assert_eq!(status(&servers[2], "from-environment"), 200);
    assert_eq!(status(&servers[0], "from-environment"), 401);
}

#[test]
fn without_keys_anyone_may_send_requests() {
    let server = Server::start();
    success(
        &server.send(Request::get("/api/v1/formats").field("Authorization", "Bearer whatever")),
        200,
    );
}

#[test]
fn a_browser_may_call_only_from_a_named_origin() {
    let server = Server::with("--cors-origin https://a.example")
        .env("CONVERTD_API_KEYS", "key")
        .start();
    let ask = |method: &str, path: &str, origin: &str| {
        server.send(Request::new(method, path).field("Origin", origin))
    };
    // A preflight request carries no key.
    let preflight = ask("OPTIONS", "/api/v1/convert", "https://a.example");
    assert_eq!(preflight.status, 204);
    assert_eq!(
        preflight.field("access-control-allow-origin"),
        Some("https://a.example")
    );
    assert!(
        preflight
            .field("access-control-allow-headers")
            .unwrap()
            .contains("Authorization")
    );
    // A page can also read errors.
    for path in ["/api/v1/formats", "/api/v1/health", "/nothing"] {
        let answer = ask("GET", path, "https://a.example");
        assert_eq!(
            answer.field("access-control-allow-origin"),
            Some("https://a.example"),
            "{path}"
        );
        let stranger = ask("GET", path, "https://b.example");
        assert_eq!(
            stranger.field("access-control-allow-origin"),
            None,
            "{path}"
        );
        assert_eq!(stranger.field("vary"), Some("Origin"), "{path}");
    }
}
