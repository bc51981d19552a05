//! Services that give the text of files to indexing programs: docling-serve, and Open WebUI's external loader.

use crate::harness::{Answer, Form, Request, Server, TempDir};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

const TEXT: &str = "# Title\n\nSome words.\n";

fn server() -> Server {
    Server::with("--compat docling,openwebui").start()
}

fn pdf(server: &Server, text: &str) -> Vec<u8> {
    let request = Request::new("POST", "/api/v1/convert?to=pdf&name=a.html");
    let answer = server.send(request.body(text.as_bytes().to_vec()));
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.to_vec()
}

fn put(server: &Server, name: &str, body: &[u8]) -> Answer {
    let request = Request::new("PUT", "/process")
        .field("Content-Type", "application/octet-stream")
        .field("X-Filename", name)
        .field("Authorization", "Bearer any");
    server.send(request.body(body.to_vec()))
}

#[test]
fn without_the_option_there_is_nothing() {
    let server = Server::start();
    for path in ["/process", "/v1/convert/file", "/v1/convert/source"] {
        let answer = server.send(Request::new("PUT", path).body(b"x".to_vec()));
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[test]
fn a_loader_gets_text_whole_or_page_by_page() {
    let server = server();
    let answer = put(&server, "a%20b.md", TEXT.as_bytes());
    assert_eq!(answer.status, 200, "{answer:?}");
    let told = answer.json();
    assert_eq!(told["page_content"], TEXT.trim_end());
    assert_eq!(told["metadata"]["source"], "a b.md");
    let pages = pdf(
        &server,
        "<title>T</title><h1>One</h1><h1 style='break-before:page'>Two</h1>",
    );
    let told = put(&server, "a.pdf", &pages).json();
    let list = told.as_array().unwrap();
    assert_eq!(list.len(), 2, "{told}");
    for (page, word) in list.iter().zip(["One", "Two"]) {
        assert!(
            page["page_content"].as_str().unwrap().contains(word),
            "{told}"
        );
    }
    assert_eq!(list[1]["metadata"]["page"], 2);
    // A text whose name does not tell its format is plain text.
    let told = put(&server, "a.rs", b"fn main() {}\n").json();
    assert!(
        told["page_content"].as_str().unwrap().contains("fn main"),
        "{told}"
    );
}

#[test]
fn what_has_no_text_is_told_so_that_a_loader_asks_another() {
    let server = server();
    let sound = b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x04\0\0\0\0\0\0\0";
    let answer = put(&server, "a.wav", sound);
    assert_eq!(answer.status, 422, "{answer:?}");
    assert_eq!(answer.json()["detail"], "No extractable text");
    let answer = put(&server, "a.pdf", b"%PDF-1.4 broken");
    assert_eq!(answer.status, 422);
    assert!(answer.json()["detail"].as_str().unwrap().contains("pdf"));
    let answer = server.get("/process");
    assert_eq!(answer.status, 405);
}

fn post(path: &str, form: Form) -> Request {
    Request::new("POST", path)
        .field("Content-Type", &Form::content_type())
        .body(form.body())
}

fn file(name: &str, content: &[u8]) -> Form {
    let disposition =
        format!("Content-Disposition: form-data; name=\"files\"; filename=\"{name}\"");
    Form::new().part(&disposition, content)
}

fn field(form: Form, name: &str, value: &str) -> Form {
    let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
    form.part(&disposition, value.as_bytes())
}

#[test]
fn docling_gets_the_forms_that_it_asks_for() {
    let server = server();
    assert_eq!(server.get("/health").json()["status"], "ok");
    let answer = server.send(post("/v1/convert/file", file("a.md", TEXT.as_bytes())));
    assert_eq!(answer.status, 200, "{answer:?}");
    let told = answer.json();
    assert_eq!(told["status"], "success");
    assert_eq!(told["errors"], json!([]));
    assert!(told["processing_time"].is_number());
    let document = &told["document"];
    assert_eq!(document["filename"], "a.md");
    assert_eq!(document["md_content"], TEXT.trim_end());
    assert_eq!(document["html_content"], Value::Null);
    let form = field(file("a.md", TEXT.as_bytes()), "to_formats", "html");
    let form = field(field(form, "to_formats", "text"), "to_formats", "doctags");
    let told = server.send(post("/v1/convert/file", form)).json();
    assert_eq!(told["status"], "partial_success");
    assert!(
        told["errors"][0]["error_message"]
            .as_str()
            .unwrap()
            .contains("doctags")
    );
    let document = &told["document"];
    assert!(document["html_content"].as_str().unwrap().contains("<h1"));
    assert!(
        document["text_content"]
            .as_str()
            .unwrap()
            .contains("Some words.")
    );
    assert_eq!(document["md_content"], Value::Null);
}

#[test]
fn docling_takes_files_in_json_and_fetches_none() {
    let server = server();
    let send = |json: Value| {
        let request = Request::new("POST", "/v1/convert/source")
            .field("Content-Type", "application/json")
            .body(json.to_string().into_bytes());
        server.send(request)
    };
    let picture = "<p>before <img alt=x src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='> behind</p>";
    let source =
        json!({"kind": "file", "base64_string": STANDARD.encode(picture), "filename": "a.html"});
    let answer = send(
        json!({"options": {"to_formats": ["md"], "image_export_mode": "placeholder"}, "sources": [source]}),
    );
    assert_eq!(answer.status, 200, "{answer:?}");
    let told = answer.json();
    assert_eq!(
        told["document"]["md_content"],
        "before <!-- image --> behind"
    );
    let answer = send(json!({"sources": [{"kind": "http", "url": "http://example.org/a.pdf"}]}));
    assert_eq!(answer.status, 422);
    assert!(
        answer.json()["detail"]
            .as_str()
            .unwrap()
            .contains("not fetched")
    );
    assert_eq!(server.get("/v1/status/poll/1").status, 404);
}

#[test]
fn keys_are_asked_for_in_the_fields_of_those_clients() {
    let place = TempDir::new();
    let path = place.path().join("keys");
    std::fs::write(&path, "secret\n").unwrap();
    let options = format!("--compat docling,openwebui --api-keys {}", path.display());
    let server = Server::with(&options).start();
    assert_eq!(put(&server, "a.md", b"words").status, 401);
    let request = post("/v1/convert/file", file("a.md", b"words")).field("X-Api-Key", "secret");
    assert_eq!(server.send(request).status, 200);
    assert_eq!(server.get("/health").status, 200);
}
