//! The OpenAPI document itself. In all other tests, the harness checks answers against this document.

use crate::{
    harness::{Request, Server, TempDir, schema},
    tools,
};
use serde_json::Value;
use std::process::Command;

#[test]
fn the_description_is_served_unchanged() {
    let server = Server::start();
    let answer = server.get("/api/v1/openapi.json");
    assert_eq!(answer.status, 200);
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(&*answer.body, convertd::api::openapi_json());
    let head = server.send(Request::head("/api/v1/openapi.json"));
    let len = answer.body.len().to_string();
    assert_eq!(head.field("content-length"), Some(len.as_str()));
}

#[test]
fn the_examples_match_their_schemas() {
    fn check(value: &Value) {
        match value {
            Value::Object(members) => {
                if let (Some(schema), Some(example)) =
                    (members.get("schema"), members.get("example"))
                {
                    schema::valid(example, schema).unwrap_or_else(|what| panic!("{what}"));
                }
                members.values().for_each(check);
            }
            Value::Array(values) => values.iter().for_each(check),
            _ => {}
        }
    }
    check(&serde_json::from_slice(convertd::api::openapi_json()).unwrap());
}

/// Schemathesis generates valid and invalid requests from the document, and checks the answers against it.
#[test]
fn schemathesis_finds_no_fault() {
    if !tools::has("schemathesis") {
        return;
    }
    let server = Server::start();
    let config = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/support/schemathesis.toml"
    );
    // The tool leaves files in its working directory.
    let dir = TempDir::new();
    let output = Command::new("schemathesis")
        .current_dir(dir.path())
        .args(["--config-file", config, "run"])
        .arg(format!("http://{}/api/v1/openapi.json", server.address()))
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}");
}
