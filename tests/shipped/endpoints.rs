//! Requests every endpoint of the interface once. Fails if an endpoint is missing in the test.

use crate::harness::{Answer, Form, Request, Server};
use std::collections::BTreeSet;

fn form() -> Form {
    Form::of(b"# Title\n", "a.md", "pdf")
}

/// Sends requests, and records which endpoints were used.
struct Asked<'s> {
    server: &'s Server,
    operations: BTreeSet<String>,
}

impl Asked<'_> {
    /// Sends a request. `template` is the path in the OpenAPI document. `path` replaces the placeholder in it, or is
    /// added at its end.
    #[track_caller]
    fn ask(&mut self, template: &str, path: &str, request: Request, status: u16) -> Answer {
        let target = match template.find('{') {
            Some(at) => format!("{}{path}", &template[..at]),
            None => format!("{template}{path}"),
        };
        let method = request.method().to_ascii_lowercase();
        let answer = self.server.send(request.to(&target));
        assert_eq!(answer.status, status, "{method} {target}: {answer:?}");
        self.operations.insert(format!("{method} {template}"));
        answer
    }

    #[track_caller]
    fn get(&mut self, template: &str, path: &str) -> Answer {
        self.ask(template, path, Request::get(""), 200)
    }
}

#[test]
fn every_endpoint_answers() {
    let server = Server::start();
    let mut asked = Asked {
        server: &server,
        operations: BTreeSet::new(),
    };
    asked.get("/", "");
    let plain = Request::form(form());
    asked.ask("/", "", plain.clone(), 200);
    asked.get("/web/{name}", "page.js");
    asked.get("/manual", "");
    asked.get("/docs", "");
    asked.get("/api/v1", "");
    asked.get("/healthz", "");
    asked.get("/readyz", "");
    asked.get("/manual/{chapter}", "limits");
    asked.get("/api/v1/health", "");
    asked.get("/api/v1/formats", "");
    asked.get("/api/v1/formats", "?from=png");
    let convert = "/api/v1/convert";
    let first = asked
        .ask(convert, "", plain.clone(), 200)
        .data("conversion_id");
    let second = asked
        .ask(convert, "", plain.clone(), 200)
        .data("conversion_id");
    let body = Request::new("PUT", "").body(b"# Title\n".to_vec());
    asked.ask(convert, "?to=docx&name=a.md", body, 200);
    let later = plain.field("Prefer", "respond-async");
    let third = asked.ask(convert, "", later, 202).data("conversion_id");
    let (status, download) = (
        "/api/v1/status/{conversion_id}",
        "/api/v1/download/{conversion_id}",
    );
    server.wait_until(&third, "ready");
    asked.get(status, &format!("{third}?wait=1"));
    let bundle = format!(r#"{{"conversion_ids":["{first}","{second}"]}}"#);
    let bundle = Request::new("POST", "")
        .field("Content-Type", "application/json")
        .body(bundle.into_bytes());
    asked.ask("/api/v1/bundle", "", bundle, 200);
    let file = asked.get(download, &third);
    assert!(file.body.starts_with(b"%PDF"));
    let fourth = asked
        .ask(convert, "", Request::form(form()), 200)
        .data("conversion_id");
    let deleted = Request::new("DELETE", "");
    asked.ask(download, &fourth, deleted, 200);
    asked.get("/metrics", "");
    let document = asked.get("/api/v1/openapi.json", "").json();
    let mut described = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let methods = operations.as_object().unwrap().keys();
        let methods =
            methods.filter(|name| ["get", "put", "post", "delete"].contains(&name.as_str()));
        described.extend(methods.map(|method| format!("{method} {path}")));
    }
    let contents = asked.get("/api/v1", "").json();
    let listed: BTreeSet<String> = contents["data"]["endpoints"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|entry| {
            let path = entry["path"].as_str().unwrap();
            let methods = entry["methods"].as_array().unwrap().iter();
            methods.map(move |it| format!("{} {path}", it.as_str().unwrap().to_lowercase()))
        })
        .collect();
    assert_eq!(listed, described);
    let forgotten: Vec<_> = described.difference(&asked.operations).collect();
    assert!(
        forgotten.is_empty() && !described.is_empty(),
        "{forgotten:?}"
    );
}
