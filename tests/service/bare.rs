//! A request whose whole body is the file, and whose answer is the result. curl and programs without forms use such
//! requests.

use crate::{
    contract::{failure, success},
    harness::{Answer, Form, Request, Server, TempDir, wait_for},
    samples, tools,
};
use std::process::Command;

fn put(query: &str, body: &[u8]) -> Request {
    Request::new("PUT", &format!("/api/v1/convert?{query}")).body(body.to_vec())
}

fn notes(answer: &Answer) -> Vec<String> {
    let text = answer.field("conversion-notes").expect("notes");
    serde_json::from_str(text).expect("JSON")
}

/// Waits until the received file has been deleted, which happens shortly after the answer.
#[track_caller]
fn wait_until_nothing_is_left(server: &Server) {
    wait_for("nothing is left", || {
        server.files().is_empty().then_some(())
    });
}

#[test]
fn the_answer_is_the_file_and_the_service_keeps_nothing() {
    let server = Server::start();
    let picture = samples::ppm(64, 48);
    for method in ["PUT", "POST"] {
        for request in [
            Request::new(method, "/api/v1/convert?to=png&name=photo.ppm").body(picture.clone()),
            Request::new(method, "/api/v1/convert?to=PNG")
                .field("Content-Disposition", "attachment; filename=\"photo.ppm\"")
                .field("Content-Type", "application/x-www-form-urlencoded")
                .body(picture.clone())
                .chunked(1000),
        ] {
            let answer = server.send(request);
            assert_eq!(answer.status, 200, "{answer:?}");
            assert_eq!(answer.field("content-type"), Some("image/png"));
            assert_eq!(
                answer.field("content-disposition"),
                Some("attachment; filename=\"photo.png\"")
            );
            assert_eq!(answer.field("cache-control"), Some("no-store"));
            assert_eq!(answer.field("conversion-notes"), None);
            assert_eq!(samples::identify(&answer.body), "png");
        }
    }
    wait_until_nothing_is_left(&server);
}

#[test]
fn clients_that_accept_json_get_a_record() {
    let server = Server::start();
    let request = || put("to=png&name=photo.ppm", &samples::ppm(64, 48));
    let record = success(
        &server.send(request().field("Accept", "text/html, application/json;q=0.9")),
        200,
    );
    assert_eq!(record["original_filename"], "photo.ppm");
    assert_eq!(record["target_format"], "png");
    let id = record["conversion_id"].as_str().unwrap();
    assert_eq!(samples::identify(&server.download(id).body), "png");
    let accepted = server.send(request().field("Prefer", "respond-async"));
    success(&accepted, 202);
    let id = accepted.data("conversion_id");
    server.wait_until(&id, "ready");
    assert_eq!(samples::identify(&server.download(&id).body), "png");
}

#[test]
fn the_query_takes_the_fields_of_a_form() {
    let server = Server::start();
    let picture = samples::ppm(64, 48);
    for query in [
        "to=bmp&width=16",
        "to=bmp&option=width=16",
        "to=bmp&quality=low&option=width%3D16&unknown=1",
    ] {
        let answer = server.send(put(query, &picture));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(&answer.body[18..22], 16_u32.to_le_bytes(), "{query}");
    }
    // A body whose media type is that of a form is read as a form.
    let form = Form::of(&picture, "photo.ppm", "png");
    let request = Request::new("POST", "/api/v1/convert?to=png")
        .field("Content-Type", &Form::content_type())
        .body(form.body());
    assert_eq!(success(&server.send(request), 200)["target_format"], "png");
}

#[test]
fn notes_are_in_a_header_field() {
    let server = Server::start();
    let page = b"<p>Of <b>words</b> <img src=\"http://example.com/\xc3\xbc.png\" alt=\"\"></p>";
    let answer = server.send(put("to=pdf&name=%C3%BC.html", page));
    assert_eq!(answer.status, 200, "{answer:?}");
    let disposition = answer.field("content-disposition").unwrap();
    assert!(
        disposition.ends_with("filename*=UTF-8''%C3%BC.pdf"),
        "{disposition}"
    );
    assert!(!notes(&answer).is_empty());
}

#[test]
fn errors_match_those_of_forms() {
    let server = Server::with("--max-upload 100000").start();
    #[track_caller]
    fn check(server: &Server, request: Request, status: u16, word: &str) {
        let error = failure(&server.send(request), status);
        assert!(error.contains(word), "{error}");
    }
    let picture = samples::ppm(8, 8);
    for (query, word) in [
        ("to=nonsense", "to is"),
        ("to=png&to=bmp", "the parameter \"to\" twice"),
        ("to=png&quality=best", "quality"),
        ("to=png&option=width", "NAME=VALUE"),
        ("to=png&option=nonsense=1", "which no conversion takes"),
        ("to=png&width=-1", "width"),
        (
            "to=png&width=1&option=width=2",
            "the parameter \"width\" twice",
        ),
        ("to=mp3", "mp3"),
    ] {
        check(&server, put(query, &picture), 400, word);
    }
    check(&server, put("to=png", b""), 400, "must be the file");
    check(
        &server,
        put("to=png", b"\x89PNG\r\n\x1a\n damaged"),
        400,
        "",
    );
    check(&server, put("to=png", &[0; 100_001]), 413, "100000");
    check(
        &server,
        put("to=png", &[0; 100_001]).chunked(9000),
        413,
        "100000",
    );
    check(
        &server,
        put("to=png", &picture).field("Content-Encoding", "gzip"),
        400,
        "gzip",
    );
    check(&server, Request::get("/api/v1/convert?to=png"), 405, "PUT");
    // If the query contains no target, the path expects a form.
    check(
        &server,
        put("", &picture),
        405,
        "target must be in the address",
    );
    wait_until_nothing_is_left(&server);
}

/// The head of a request is checked before the client sends the body.
#[test]
fn the_body_is_requested_only_after_a_valid_head() {
    let server = Server::start();
    let expecting = |query: &str| put(query, &samples::ppm(64, 48)).field("Expect", "100-continue");
    for (query, status) in [("to=png", "100"), ("to=nonsense", "400")] {
        let mut client = server.connect();
        client.write(expecting(query).head_bytes());
        let line = client.read_bytes(12).unwrap();
        assert_eq!(&line[9..], status.as_bytes(), "{query}");
    }
}

#[test]
fn an_idempotency_key_is_held_only_during_its_request() {
    let mut server = Server::start();
    let request = || put("to=png", &samples::ppm(64, 48)).field("Idempotency-Key", "k");
    for _ in 0..2 {
        assert_eq!(server.send(request()).status, 200);
    }
    server.process().freeze_children();
    let mut first = server.connect();
    first.write(request().bytes());
    // The first request must arrive before the second one, which would otherwise be converted, and would wait for its
    // answer.
    server.wait_until_busy(1, 0);
    wait_for("the key is taken", || {
        (server.send(request()).status == 409).then_some(())
    });
}

#[test]
fn no_file_remains_after_a_client_disconnects() {
    let server = Server::start();
    let mut client = crate::harness::Client::connect_narrow(server.address());
    client.write(put("to=bmp", &samples::ppm(1500, 1500)).bytes());
    client.read_bytes(1000).unwrap();
    drop(client);
    wait_until_nothing_is_left(&server);
    assert_eq!(server.send(put("to=png", &samples::ppm(8, 8))).status, 200);
}

#[test]
fn api_keys_are_required() {
    let server = Server::with("--log debug")
        .env("CONVERTD_API_KEYS", "secret-key-of-some-length")
        .start();
    let picture = samples::ppm(8, 8);
    failure(&server.send(put("to=png", &picture)), 401);
    let answer =
        server.send(put("to=png", &picture).field("X-API-Key", "secret-key-of-some-length"));
    assert_eq!(answer.status, 200);
}

#[test]
fn curl_needs_no_form() {
    if !tools::has("curl") {
        return;
    }
    let (server, dir) = (Server::start(), TempDir::new());
    std::fs::write(dir.path().join("notes.md"), "# Title\n\nA *word*.\n").unwrap();
    let url = format!(
        "http://{}/api/v1/convert?to=html&name=notes.md",
        server.address()
    );
    let output = Command::new("curl")
        .current_dir(dir.path())
        .args(["-sS", "-T", "notes.md", &url, "-o", "notes.html"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let page = std::fs::read_to_string(dir.path().join("notes.html")).unwrap();
    assert!(page.contains("<em>word</em>"), "{page}");
}

#[test]
fn a_form_and_its_query_must_agree() {
    let server = Server::start();
    let picture = samples::ppm(8, 6);
    let post = |query: &str, form: Form| {
        let request = Request::new("POST", &format!("/api/v1/convert?{query}"));
        let request = request.field("Content-Type", &Form::content_type());
        server.send(request.body(form.body()))
    };
    let form = || Form::new().file("a.ppm", &picture);
    // A field is in the query, in the form, or in both with the same value.
    for (query, form) in [
        ("to=png", form()),
        ("to=PNG&quality=high", form().field("target_format", "png")),
        ("to=png&width=4", form().field("width", " 4 ")),
        ("width=4", form().field("target_format", "png")),
    ] {
        let answer = post(query, form);
        let record = success(&answer, 200);
        assert_eq!(record["target_format"], "png", "{query}");
    }
    // A query without a target is read as well.
    let record = success(
        &post("quality=low&wdth=4", form().field("target_format", "png")),
        200,
    );
    assert!(
        record["notes"][0].as_str().unwrap().contains("wdth"),
        "{record}"
    );
    for (query, form) in [
        ("to=png", form().field("target_format", "bmp")),
        ("to=png&quality=low", form().field("quality", "high")),
        ("to=png&width=4", form().field("width", "5")),
        (
            "width=4",
            form().field("target_format", "png").field("width", "5"),
        ),
    ] {
        let error = failure(&post(query, form), 400);
        assert!(error.contains("send only one of them"), "{error}");
    }
    failure(&post("to=nothing", form()), 400);
}
