//! The description of the interface for programs. That every other test's answers are as it says is seen to by the harness.

use crate::{
    harness::{Request, Server, TempDir, schema},
    tools,
};
use serde_json::Value;
use std::process::Command;

#[test]
fn it_is_served_whole() {
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
fn its_examples_are_as_it_says() {
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

/// Makes up requests from the document, valid ones and others, and looks whether the answers are as it says.
#[test]
fn schemathesis_finds_nothing() {
    if !tools::has("schemathesis") {
        return;
    }
    let server = Server::start();
    let config = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/support/schemathesis.toml"
    );
    // It leaves what it has seen where it runs.
    let dir = TempDir::new();
    let output = Command::new("schemathesis")
        .current_dir(dir.path())
        .args(["--config-file", config, "run"])
        .arg(format!("http://{}/api/v1/openapi.json", server.address()))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}
