//! Properties of every answer: the envelope, its types, times and header fields.

use crate::{
    harness::{Answer, Form, Request, Server},
    samples,
};
use serde_json::Value;
use std::time::SystemTime;

/// Seconds since 1970, from a time in the format of the interface. Fails for any other format.
#[track_caller]
pub(crate) fn seconds(value: &Value) -> u64 {
    let text = value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is not a text"));
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00Z", "{text}");
    let at = time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339);
    at.unwrap().unix_timestamp().try_into().unwrap()
}

pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap().as_secs()
}

/// Checks the envelope of a successful answer, and returns its data.
#[track_caller]
pub(crate) fn success(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer:?}");
    let value = answer.json();
    assert_eq!(value["success"], true, "{value}");
    assert!(
        value["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{value}"
    );
    assert!(value["data"].is_object(), "{value}");
    assert!(value.get("error").is_none(), "{value}");
    no_null(&value);
    value["data"].clone()
}

/// Checks the envelope of an error, and returns its detail.
#[track_caller]
pub(crate) fn failure(answer: &Answer, status: u16) -> String {
    assert_eq!(answer.status, status, "{answer:?}");
    let value = answer.json();
    assert_eq!(value["success"], false, "{value}");
    assert!(
        value["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{value}"
    );
    assert!(value.get("data").is_none(), "{value}");
    assert!(
        now().abs_diff(seconds(&value["timestamp"])) <= 60,
        "{value}"
    );
    no_null(&value);
    let detail = value["error"].as_str().unwrap_or_default();
    assert!(!detail.is_empty(), "{value}");
    detail.to_owned()
}

#[track_caller]
fn no_null(value: &Value) {
    match value {
        Value::Null => panic!("a field is null"),
        Value::Array(values) => values.iter().for_each(no_null),
        Value::Object(fields) => fields.values().for_each(no_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[track_caller]
fn texts(value: &Value) -> Vec<&str> {
    let values = value
        .as_array()
        .unwrap_or_else(|| panic!("{value} is not an array"));
    values.iter().map(|value| value.as_str().unwrap()).collect()
}

/// Checks that an identifier has the form of RFC 9562, version 4.
#[track_caller]
fn check_id(id: &str) {
    let shape: String = id
        .chars()
        .map(|c| {
            if matches!(c, '0'..='9' | 'a'..='f') {
                'x'
            } else {
                c
            }
        })
        .collect();
    assert_eq!(shape, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "{id}");
    assert!(
        id.as_bytes()[14] == b'4' && b"89ab".contains(&id.as_bytes()[19]),
        "{id}"
    );
}

#[test]
fn health_reports_version_time_and_state() {
    let server = Server::start();
    let answer = server.get("/api/v1/health");
    let data = success(&answer, 200);
    assert_eq!(data["status"], "operational");
    assert!(now().abs_diff(seconds(&data["timestamp"])) <= 60);
    assert!(now().abs_diff(seconds(&answer.json()["timestamp"])) <= 60);
    let version = data["version"].as_str().unwrap();
    let package = env!("CARGO_PKG_VERSION");
    assert_eq!(version, &package[..package.rfind('.').unwrap()]);
}

#[test]
fn sources_and_targets_of_formats_agree() {
    let server = Server::start();
    let data = success(&server.get("/api/v1/formats"), 200);
    let formats = data["formats"].as_array().unwrap();
    let entry = |name: &str| formats.iter().find(|entry| entry["format"] == name);
    for format in formats {
        let name = format["format"].as_str().unwrap();
        assert_eq!(name, name.to_lowercase());
        assert!(!format["category"].as_str().unwrap().is_empty());
        assert!(!format["description"].as_str().unwrap().is_empty());
        let (to, from) = (
            texts(&format["can_convert_to"]),
            texts(&format["can_convert_from"]),
        );
        assert!(
            !to.is_empty() || !from.is_empty(),
            "{name} has neither sources nor targets"
        );
        for other in to {
            let other =
                entry(other).unwrap_or_else(|| panic!("{name} becomes an unlisted {other}"));
            assert!(
                texts(&other["can_convert_from"]).contains(&name),
                "{name} in {other}"
            );
        }
        for other in from {
            let other =
                entry(other).unwrap_or_else(|| panic!("{name} is made of an unlisted {other}"));
            assert!(
                texts(&other["can_convert_to"]).contains(&name),
                "{name} in {other}"
            );
        }
        for alias in texts(&format["aliases"]) {
            assert!(entry(alias).is_none(), "{alias} is a format of its own");
        }
        assert_eq!(
            formats
                .iter()
                .filter(|entry| entry["format"] == name)
                .count(),
            1
        );
    }
    assert!(formats.iter().any(|format| format["category"] == "image"));
}

#[test]
fn a_conversion_record_has_every_field_in_its_type() {
    let server = Server::start();
    let before = now();
    let data = success(&server.convert(&samples::ppm(20, 10), "p.ppm", "png"), 200);
    let id = data["conversion_id"].as_str().unwrap();
    check_id(id);
    assert_eq!(data["original_filename"], "p.ppm");
    assert_eq!(data["original_format"], "ppm");
    assert_eq!(data["target_format"], "png");
    assert!(data["file_size"].as_u64().unwrap() > 0);
    assert!(
        data["conversion_time"].is_f64(),
        "{}",
        data["conversion_time"]
    );
    assert!((0.0..30.0).contains(&data["conversion_time"].as_f64().unwrap()));
    assert_eq!(data["download_url"], format!("/api/v1/download/{id}"));
    let life = seconds(&data["expires_at"]) - before;
    assert!((1800..=1860).contains(&life), "the link lives {life} s");

    let status = success(&server.get(&format!("/api/v1/status/{id}")), 200);
    assert_eq!(status["status"], "ready");
    for field in ["conversion_id", "expires_at", "download_url"] {
        assert_eq!(status[field], data[field]);
    }
}

#[test]
fn identifiers_are_never_repeated() {
    let server = Server::start();
    let picture = samples::ppm(2, 2);
    let ids: std::collections::HashSet<String> = (0..20)
        .map(|_| server.convert(&picture, "p", "ppm").data("conversion_id"))
        .collect();
    assert_eq!(ids.len(), 20);
}

#[test]
fn every_error_has_the_same_shape() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, request: Request, status: u16) {
        let answer = server.send(request);
        failure(&answer, status);
        assert_eq!(answer.field("x-content-type-options"), Some("nosniff"));
    }
    check(&server, Request::get("/nothing"), 404);
    check(&server, Request::get("/api/v1/nothing"), 404);
    check(&server, Request::get("/api/v1/health/"), 404);
    check(&server, Request::get("/api/v2/health"), 404);
    check(&server, Request::get("/api/v1/download"), 404);
    check(&server, Request::get("/api/v1/download/x/y"), 404);
    check(&server, Request::get("/api/v1/status/x/y"), 404);
    check(&server, Request::get("/API/V1/HEALTH"), 404);
    check(&server, Request::get("/api/v1/download/x"), 404);
    check(&server, Request::get("/api/v1/convert"), 405);
    check(
        &server,
        Request::new("POST", "/api/v1/health").body(vec![]),
        405,
    );
    check(
        &server,
        Request::new("POST", "/api/v1/convert").body(vec![]),
        400,
    );
    check(&server, Request::form(Form::new()), 400);
    check(&server, Request::new("BREW", "/api/v1/health"), 501);
    check(&server, Request::get("health"), 400);
    check(
        &server,
        Request::get("/api/v1/health").field("Host", "again"),
        400,
    );
}

#[test]
fn wrong_methods_are_answered_with_the_allowed_ones() {
    let server = Server::start();
    let id = "/00000000-0000-4000-8000-000000000000";
    let check = |path: &str, wrong: &[&str], allowed: &str| {
        for method in wrong {
            let answer = server.send(Request::new(method, path));
            failure(&answer, 405);
            assert_eq!(answer.field("allow"), Some(allowed), "{method} {path}");
        }
        let answer = server.send(Request::new("OPTIONS", path));
        assert_eq!(
            (answer.status, answer.field("allow")),
            (204, Some(allowed)),
            "{path}"
        );
        assert_eq!(answer.field("content-length"), None, "{path}");
    };
    let readable = "GET, HEAD, OPTIONS";
    for path in ["health", "formats", "openapi.json", &format!("status{id}")] {
        let wrong = ["POST", "PUT", "DELETE", "PATCH", "TRACE"];
        check(&format!("/api/v1/{path}"), &wrong, readable);
    }
    let wrong = ["POST", "PUT", "PATCH", "TRACE", "QUERY"];
    check(
        &format!("/api/v1/download{id}"),
        &wrong,
        "GET, HEAD, DELETE, OPTIONS",
    );
    check(
        "/api/v1/convert",
        &["GET", "PUT", "DELETE", "PATCH", "TRACE"],
        "POST, PUT, OPTIONS",
    );
    let head = server.connect().send(Request::head("/api/v1/convert"));
    assert_eq!(
        (head.status, head.field("allow")),
        (405, Some("POST, PUT, OPTIONS"))
    );
}

#[test]
fn head_answers_like_get_without_the_content() {
    let server = Server::start();
    let record = server.convert(&samples::ppm(9, 9), "p.ppm", "bmp");
    let id = record.data("conversion_id");
    let mut connection = server.connect();
    let paths = [
        "/api/v1/health".to_owned(),
        "/api/v1/formats".to_owned(),
        "/api/v1/nothing".to_owned(),
        format!("/api/v1/status/{id}"),
        "/api/v1/status/unknown".to_owned(),
        "/api/v1/download/unknown".to_owned(),
        format!("/api/v1/download/{id}"),
    ];
    for path in paths {
        let head = connection.send(Request::head(&path));
        let get = connection.send(Request::get(&path));
        assert_eq!(head.status, get.status, "{path}");
        let shared = |answer: &Answer| {
            let mut fields = answer.fields.clone();
            fields.retain(|(name, _)| name != "date" && name != "x-request-id");
            fields
        };
        assert_eq!(shared(&head), shared(&get), "{path}");
        assert!(head.body.is_empty() && !get.body.is_empty());
    }
}

#[test]
fn every_answer_carries_a_request_id_and_the_log_has_it() {
    let server = Server::start();
    let echo = |sent: &str| {
        let request = Request::get("/api/v1/health").field("X-Request-Id", sent);
        server
            .send(request)
            .field("x-request-id")
            .unwrap()
            .to_owned()
    };
    for sane in ["a", "0123-abc_DEF.x:y=z+/", &"r".repeat(128)] {
        assert_eq!(echo(sane), sane);
        server.wait_for_line("the request's line", |line| line.ends_with(sane));
    }
    for insane in ["", "two words", &"r".repeat(129), "a\tb", "a\"b", "{}", "é"] {
        let id = echo(insane);
        assert!(
            id != insane && !id.is_empty(),
            "{insane:?} came back as {id:?}"
        );
    }
    let requests = [
        Request::get("/nothing"),
        Request::get("bad target"),
        Request::new("BREW", "/"),
        Request::form(Form::new()),
        Request::get("/api/v1/download/x"),
    ];
    let mut ids = std::collections::HashSet::new();
    for request in requests {
        let answer = server.send(request);
        let id = answer
            .field("x-request-id")
            .expect("a request id")
            .to_owned();
        server.wait_for_line("the request's line", |line| line.contains(&id));
        assert!(ids.insert(id));
    }
}

#[test]
fn the_log_has_one_line_a_request_and_no_whole_identifier() {
    let mut server = Server::with("--log trace").start();
    let record = server.convert(&samples::ppm(8, 8), "p.ppm", "bmp");
    let id = record.data("conversion_id");
    let path = format!("/api/v1/download/{id}");
    let request = Request::get(&format!("{path}?key=secret")).field("X-Request-Id", "the-download");
    let size = server.send(request).body.len();
    server.get(&format!("/api/v1/status/{id}"));
    let line = server.wait_for_line("the download's line", |line| line.contains("the-download"));
    let words: Vec<&str> = line.split(' ').skip_while(|word| *word != "GET").collect();
    assert_eq!(words[1], &path[..path.len() - 28], "{line}");
    assert_eq!(
        words[2..5],
        ["200", size.to_string().as_str(), "B"],
        "{line}"
    );
    assert!(
        words[5].parse::<f64>().is_ok() && words[6] == "ms",
        "{line}"
    );
    server.terminate();
    let log = server.log();
    let requests = |text: &str| log.iter().filter(|line| line.contains(text)).count();
    assert_eq!(
        (
            requests("/convert 200"),
            requests("/download/"),
            requests("/status/")
        ),
        (1, 1, 1),
        "{log:#?}"
    );
    for line in &log {
        assert!(!line.contains(&id) && !line.contains("secret"), "{line}");
    }
}

#[test]
fn a_failed_request_is_logged_with_its_client_and_the_reason() {
    let server = Server::with("--trusted-proxies 127.0.0.1").start();
    let id = "a5f0c1de-0b7c-4f0e-9a3b-0123456789ab";
    for (request, words) in [
        (
            Request::form(Form::of(b"?", "a.xyz", "png")),
            "198.51.100.7: ",
        ),
        (
            Request::get(&format!("/api/v1/nothing/{id}")),
            "198.51.100.7: unknown path /api/v1/nothing/a5f0c1de;",
        ),
        (
            Request::get(&format!("/api/v1/download/{id}")),
            "198.51.100.7: ",
        ),
    ] {
        let request = request.field("X-Forwarded-For", "203.0.113.9, 198.51.100.7");
        let answer = server.send(request);
        let request_id = answer.field("x-request-id").unwrap().to_owned();
        let line = server.wait_for_line("the request's line", |line| line.contains(&request_id));
        let (_, rest) = line.split_once(&format!("{request_id} ")).expect("more");
        assert!(rest.starts_with(words) && rest.len() > 20, "{line}");
        assert!(!line.contains(id), "{line}");
    }
    server.get("/api/v1/health");
    let line = server.wait_for_line("the line of the request for health", |line| {
        line.contains("/health 200")
    });
    assert!(!line.contains("127.0.0.1"), "{line}");
}

#[test]
fn an_unknown_field_gets_a_note_with_the_nearest_name() {
    let server = Server::start();
    let form = Form::of(&samples::ppm(8, 8), "p.ppm", "png").field("widht", "4");
    let record = success(&server.submit(form), 200);
    assert_eq!(
        record["notes"][0],
        "The field \"widht\" is unknown and was ignored; did you mean \"width\"?"
    );
    let form = Form::of(&samples::ppm(8, 8), "p.ppm", "png");
    let form = form.field("page_size", "a4").field("margin", " ");
    let record = success(&server.submit(form), 200);
    assert_eq!(
        record["notes"],
        serde_json::json!(["The field page_size has no effect on a conversion of ppm to png."])
    );
    let request = Request::new("PUT", "/api/v1/convert?to=png&zzzz=1").body(samples::ppm(8, 8));
    let notes = server
        .send(request)
        .field("conversion-notes")
        .unwrap()
        .to_owned();
    assert!(notes.contains("zzzz"), "{notes}");
}

#[test]
fn times_in_heads_are_http_dates() {
    let server = Server::start();
    let answer = server.get("/api/v1/health");
    let date = httpdate::parse_http_date(answer.field("date").unwrap()).unwrap();
    let date = date
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    assert!(now().abs_diff(date) <= 60);
}
