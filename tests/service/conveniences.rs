//! Conveniences: deletion of a result, safe repetition of a request, and the list of the targets of one format.

use crate::{
    contract::{failure, success},
    harness::{Form, Request, Server, TempDir, wait_for},
    samples, tools,
};

fn form() -> Form {
    Form::of(&samples::ppm(9, 9), "p.ppm", "png")
}

#[test]
fn a_result_can_be_deleted() {
    let server = Server::start();
    let record = success(&server.submit(form()), 200);
    let (id, url) = (
        record["conversion_id"].as_str().unwrap(),
        record["download_url"].as_str().unwrap(),
    );
    let delete = || server.send(Request::new("DELETE", url));
    let other = Request::new("DELETE", url).field("If-Match", "\"other\"");
    failure(&server.send(other), 412);
    let data = success(&delete(), 200);
    assert_eq!(
        (&data["status"], &data["expires_at"]),
        (&"expired".into(), &record["expires_at"])
    );
    assert!(failure(&delete(), 404).contains("deleted"));
    assert!(failure(&server.get(url), 404).contains("deleted"));
    assert_eq!(server.status(id)["status"], "expired");
    server.wait_until_empty();
}

#[test]
fn results_in_use_cannot_be_deleted() {
    let mut server = Server::start();
    let delete = |server: &Server, id: &str| {
        server.send(Request::new("DELETE", &format!("/api/v1/download/{id}")))
    };
    failure(&delete(&server, "x"), 404);
    failure(
        &delete(&server, "00000000-0000-4000-8000-000000000000"),
        404,
    );
    server.process().freeze_children();
    let accepted = server.send(Request::form(form()).field("Prefer", "respond-async"));
    let id = accepted.data("conversion_id");
    let early = delete(&server, &id);
    assert!(failure(&early, 409).contains("in progress"));
    assert!(early.field("retry-after").is_some());
    server.process().thaw_children();
    wait_for("the conversion ends", || {
        (server.status(&id)["status"] == "ready").then_some(())
    });
    success(&delete(&server, &id), 200);
}

#[test]
fn a_deleted_result_stays_deleted_after_a_crash() {
    let mut server = Server::start();
    let url = server.submit(form()).data("download_url");
    success(&server.send(Request::new("DELETE", &url)), 200);
    server.kill();
    server.start_again();
    failure(&server.get(&url), 404);
    server.wait_until_empty();
}

#[test]
fn formats_can_be_asked_for_by_source() {
    let server = Server::start();
    let all = success(&server.get("/api/v1/formats"), 200);
    let entry = |name: &str| {
        let formats = all["formats"].as_array().unwrap();
        formats
            .iter()
            .find(|entry| entry["format"] == name)
            .unwrap()
            .clone()
    };
    #[track_caller]
    fn targets(server: &Server, query: &str) -> Vec<serde_json::Value> {
        let data = success(&server.get(&format!("/api/v1/formats?{query}")), 200);
        let formats = data["formats"].as_array().unwrap();
        formats
            .iter()
            .map(|entry| entry["format"].clone())
            .collect()
    }
    let expected = entry("jpg")["can_convert_to"].as_array().unwrap().clone();
    assert!(!expected.is_empty());
    for query in ["from=jpg", "from=JPEG", "x=y&from=.jpg", "from=%6apg"] {
        assert_eq!(targets(&server, query), expected, "{query}");
    }
    let everything = all["formats"].as_array().unwrap().len();
    assert_eq!(targets(&server, "x=y").len(), everything);
    for query in ["from=", "from", "from=nothing", "from=png&from=jpg"] {
        let answer = server.get(&format!("/api/v1/formats?{query}"));
        assert!(failure(&answer, 400).contains("from"), "{query}");
    }
}

fn keyed(form: Form, key: &str) -> Request {
    Request::form(form).field("Idempotency-Key", key)
}

#[test]
fn a_repeat_with_the_same_key_gets_the_same_record() {
    let server = Server::start();
    let first = success(&server.send(keyed(form(), "k-1")), 200);
    assert_eq!(success(&server.send(keyed(form(), "k-1")), 200), first);
    // The order of the form's fields does not matter.
    let other_order = Form::new()
        .file("p.ppm", &samples::ppm(9, 9))
        .field("target_format", "png");
    assert_eq!(success(&server.send(keyed(other_order, "k-1")), 200), first);
    assert_ne!(success(&server.send(keyed(form(), "k-2")), 200), first);
    assert_ne!(success(&server.submit(form()), 200), first);
    for other in [
        Form::of(&samples::ppm(9, 8), "p.ppm", "png"),
        Form::of(&samples::ppm(9, 9), "q.ppm", "png"),
        Form::of(&samples::ppm(9, 9), "p.ppm", "jpg"),
        form().field("quality", "low"),
    ] {
        let answer = server.send(keyed(other, "k-1"));
        assert!(failure(&answer, 409).contains("Idempotency-Key"));
    }
    // After the link has been used, the key can be used for another request.
    let url = first["download_url"].as_str().unwrap();
    assert_eq!(server.get(url).status, 200);
    wait_for("the link is over", || {
        let id = first["conversion_id"].as_str().unwrap();
        (server.status(id)["status"] == "expired").then_some(())
    });
    assert_ne!(success(&server.send(keyed(form(), "k-1")), 200), first);
}

#[test]
fn a_repeat_is_known_after_a_restart() {
    let mut server = Server::start();
    let done = success(&server.send(keyed(form(), "done")), 200);
    server.process().freeze_children();
    let ask =
        |server: &Server| server.send(keyed(form(), "accepted").field("Prefer", "respond-async"));
    let accepted = ask(&server).data("conversion_id");
    server.kill();
    server.start_again();
    assert_eq!(success(&server.send(keyed(form(), "done")), 200), done);
    assert_eq!(ask(&server).data("conversion_id"), accepted);
    server.wait_until(&accepted, "ready");
    let other = keyed(Form::of(&samples::ppm(9, 8), "p.ppm", "png"), "done");
    failure(&server.send(other), 409);
}

#[test]
fn a_failed_request_leaves_its_key_free() {
    let server = Server::start();
    let bad = Form::of(b"\x89PNG\r\n\x1a\n damaged", "p.png", "jpg");
    failure(&server.send(keyed(bad, "k")), 400);
    success(&server.send(keyed(form(), "k")), 200);
}

#[test]
fn an_accepted_conversion_can_be_requested_again() {
    let mut server = Server::start();
    server.process().freeze_children();
    let ask = |server: &Server| server.send(keyed(form(), "k").field("Prefer", "respond-async"));
    let first = success(&ask(&server), 202);
    assert_eq!(success(&ask(&server), 202), first);
    server.process().thaw_children();
    let id = first["conversion_id"].as_str().unwrap();
    wait_for("the conversion ends", || {
        (server.status(id)["status"] == "ready").then_some(())
    });
    assert_eq!(
        success(&ask(&server), 200)["conversion_id"],
        first["conversion_id"]
    );
}

#[test]
fn a_repeat_during_the_first_request_is_refused() {
    let mut server = Server::start();
    server.process().freeze_children();
    let mut first = server.connect();
    first.write(keyed(form(), "k").bytes());
    // The key is in use while the conversion of its request waits.
    server.wait_until_busy(1, 0);
    let answer = server.send(keyed(form(), "k"));
    assert!(failure(&answer, 409).contains("under way"));
    assert!(answer.field("retry-after").is_some());
    server.process().thaw_children();
    success(&first.read(), 200);
}

#[test]
fn invalid_idempotency_keys_are_refused() {
    let server = Server::start();
    for key in ["", "a b", "é", &"x".repeat(256)] {
        let answer = server.send(keyed(form(), key));
        assert!(failure(&answer, 400).contains("Idempotency-Key"), "{key}");
    }
    let twice = keyed(form(), "a").field("Idempotency-Key", "a");
    assert!(failure(&server.send(twice), 400).contains("twice"));
}

/// Checks that a client in `examples` converts a file, and reports failures.
#[track_caller]
fn check_client(program: &str, script: &str) {
    if !tools::has(program) {
        return;
    }
    let server = Server::start();
    let work = TempDir::new();
    let source = work.path().join("a \"picture\".ppm");
    std::fs::write(&source, samples::ppm(8, 6)).unwrap();
    let run = |result: &str| {
        std::process::Command::new(program)
            .arg(format!("{}/examples/{script}", env!("CARGO_MANIFEST_DIR")))
            .arg(&source)
            .arg(work.path().join(result))
            .arg("width=4")
            .env("CONVERTD_URL", format!("http://{}", server.address()))
            .output()
            .unwrap()
    };
    let output = run("small.png");
    assert!(output.status.success(), "{output:?}");
    let png = std::fs::read(work.path().join("small.png")).unwrap();
    assert_eq!(samples::identify(&png), "png");
    assert_eq!(&png[16..20], [0, 0, 0, 4], "its width");
    let output = run("small.xyz");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && stderr.contains("400: "),
        "{output:?}"
    );
}

#[test]
fn the_client_in_python_converts() {
    check_client("python3", "convert.py");
}

#[test]
fn the_client_in_javascript_converts() {
    check_client("node", "convert.mjs");
}
