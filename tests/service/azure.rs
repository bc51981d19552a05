//! The Read model of Azure's Document Intelligence: raw requests, and the client library that paperless-ngx uses, if it
//! is installed.

use crate::{
    harness::{Answer, Request, Server, TempDir, wait_for},
    tools,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::process::Command;

const ANALYZE: &str =
    "/documentintelligence/documentModels/prebuilt-read:analyze?api-version=2024-11-30";

fn server() -> Server {
    Server::with("--compat azure").start()
}

/// A picture of a page with some words. The service itself draws it.
fn scan(server: &Server) -> Vec<u8> {
    let page = b"# Delivery note\n\nThe parcel was handed over on Tuesday.\n";
    let pdf =
        server.send(Request::new("POST", "/api/v1/convert?to=pdf&name=a.md").body(page.to_vec()));
    assert_eq!(pdf.status, 200, "{pdf:?}");
    let picture = server.send(
        Request::new("POST", "/api/v1/convert?to=png&dpi=200&name=a.pdf").body(pdf.body.to_vec()),
    );
    assert_eq!(picture.status, 200, "{picture:?}");
    picture.body.to_vec()
}

/// The path of an analysis, which the client polls.
fn begun(answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{answer:?}");
    let location = answer.field("operation-location").unwrap();
    let path = location.strip_prefix("http://").unwrap();
    path[path.find('/').unwrap()..].to_owned()
}

fn ended(server: &Server, path: &str) -> Value {
    wait_for("the analysis to end", || {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{answer:?}");
        let state = answer.json();
        (state["status"] != "running").then_some(state)
    })
}

#[test]
fn a_picture_becomes_words_with_their_places() {
    let server = server();
    let picture = scan(&server);
    let json = json!({ "base64Source": STANDARD.encode(&picture) }).to_string();
    let bodies = [
        ("application/octet-stream", picture),
        ("application/json; charset=utf-8", json.into_bytes()),
    ];
    for (kind, body) in bodies {
        let request = Request::new("POST", ANALYZE)
            .field("Content-Type", kind)
            .body(body);
        let path = begun(&server.send(request));
        let state = ended(&server, &path);
        assert_eq!(state["status"], "succeeded", "{state}");
        let result = &state["analyzeResult"];
        assert_eq!(result["apiVersion"], "2024-11-30");
        assert_eq!(result["modelId"], "prebuilt-read");
        let content = result["content"].as_str().unwrap();
        assert!(
            content.contains("The parcel was handed over on Tuesday."),
            "{content}"
        );
        let page = &result["pages"][0];
        for word in page["words"].as_array().unwrap() {
            let begin = word["span"]["offset"].as_u64().unwrap() as usize;
            let length = word["span"]["length"].as_u64().unwrap() as usize;
            let from_content: String = content.chars().skip(begin).take(length).collect();
            assert_eq!(word["content"], from_content);
            let corners = word["polygon"].as_array().unwrap();
            assert_eq!(corners.len(), 8);
            assert!(corners[0].as_f64() < page["width"].as_f64());
        }
        // Reading a result does not consume it.
        assert_eq!(server.get(&path).json()["status"], "succeeded");
        let path = &path[..path.find('?').unwrap()];
        assert_eq!(server.get(&format!("{path}/pdf")).status, 404);
        assert_eq!(server.send(Request::new("DELETE", path)).status, 204);
        assert_eq!(server.get(path).status, 404);
    }
}

#[test]
fn the_searchable_pdf_is_available_beside_the_words() {
    let server = server();
    let picture = scan(&server);
    let request = Request::new("POST", &format!("{ANALYZE}&output=pdf")).body(picture);
    let path = begun(&server.send(request));
    let state = ended(&server, &path);
    let content = state["analyzeResult"]["content"].as_str().unwrap();
    assert!(content.contains("parcel"), "{state}");
    let path = &path[..path.find('?').unwrap()];
    let pdf = server.get(&format!("{path}/pdf"));
    assert_eq!(pdf.field("content-type"), Some("application/pdf"));
    let text =
        Request::new("POST", "/api/v1/convert?to=txt&ocr=off&name=a.pdf").body(pdf.body.to_vec());
    let text = String::from_utf8(server.send(text).body.to_vec()).unwrap();
    assert!(text.contains("handed over"), "{text}");
}

#[test]
fn errors_are_in_azures_format() {
    let server = server();
    #[track_caller]
    fn check(answer: &Answer, status: u16, code: &str, words: &str) {
        let error = &answer.json()["error"];
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(error["code"], code, "{error}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
    let other = ANALYZE.replace("prebuilt-read", "prebuilt-invoice");
    let answer = server.send(Request::new("POST", &other).body(b"x".to_vec()));
    check(&answer, 404, "ModelNotFound", "prebuilt-read");
    // The URL is checked before the file. A client must not get an error after its analysis was accepted.
    let twice = format!("{ANALYZE}&api-version=2023-07-31");
    let twice = Request::new("POST", &twice).body(b"only words, no picture".to_vec());
    check(
        &server.send(twice),
        400,
        "InvalidRequest",
        "\"api-version\" twice",
    );
    let url = Request::new("POST", ANALYZE)
        .field("Content-Type", "application/json")
        .body(b"{\"urlSource\":\"http://a.example/b.pdf\"}".to_vec());
    check(&server.send(url), 400, "InvalidRequest", "base64Source");
    let text = Request::new("POST", ANALYZE).body(b"only words, no picture".to_vec());
    check(
        &server.send(text),
        400,
        "InvalidRequest",
        "matches no supported format",
    );
    let results = "/documentintelligence/documentModels/prebuilt-read/analyzeResults";
    let unknown = server.get(&format!("{results}/58a2a33e-2e3a-42d6-96a2-e901043d1aca"));
    check(&unknown, 404, "NotFound", "unknown analysis");
    check(
        &server.get(&format!("{results}/1")),
        404,
        "NotFound",
        "unknown path or analysis",
    );
    check(&server.get(ANALYZE), 405, "InvalidRequest", "method");
    // The identifier of a conversion that is not an analysis is unknown here.
    let id = server.convert(b"# a", "a.md", "html").data("conversion_id");
    check(
        &server.get(&format!("{results}/{id}")),
        404,
        "NotFound",
        "unknown analysis",
    );
}

#[test]
fn requests_without_the_option_or_the_key_are_refused() {
    let plain = Server::start();
    let request = || Request::new("POST", ANALYZE).body(b"x".to_vec());
    assert_eq!(plain.send(request()).json()["success"], false);
    let locked = Server::with("--compat azure")
        .env("CONVERTD_API_KEYS", "sesame")
        .start();
    let answer = locked.send(request());
    assert_eq!(
        (answer.status, &answer.json()["error"]["code"]),
        (401, &json!("401"))
    );
    let answer = locked.send(request().field("Ocp-Apim-Subscription-Key", "sesame"));
    assert_eq!(answer.status, 400, "{answer:?}");
}

#[test]
fn the_client_of_paperless_gets_text_and_pdf() {
    if !tools::has("python3") {
        return;
    }
    let server = server();
    let work = TempDir::new();
    let path = work.path().join("scan.png");
    std::fs::write(&path, scan(&server)).unwrap();
    let output = Command::new("python3")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/service/paperless_azure.py"
        ))
        .arg(format!("http://{}", server.address()))
        .arg("any")
        .arg(&path)
        .arg("parcel")
        .output()
        .unwrap();
    if output.status.code() == Some(3) {
        return tools::lacking("azure-ai-documentintelligence 1.0.2 from PyPI");
    }
    assert!(output.status.success(), "{output:?}");
}
