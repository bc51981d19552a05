//! The four states of a conversion, and conversions that continue without their client.

use crate::{
    contract::{failure, now, seconds, success},
    harness::{Answer, Form, Request, Server, wait_for},
    samples,
};

fn asynchronous(form: Form) -> Request {
    Request::form(form).field("Prefer", "respond-async")
}

/// Checks the answer to an accepted asynchronous conversion, and returns the identifier.
#[track_caller]
fn accepted(answer: &Answer) -> String {
    let data = success(answer, 202);
    let id = data["conversion_id"].as_str().unwrap().to_owned();
    assert_eq!(data["status"], "processing");
    assert_eq!(data["download_url"], format!("/api/v1/download/{id}"));
    assert!(data.get("expires_at").is_none(), "{data}");
    assert_eq!(
        answer.field("location"),
        Some(format!("/api/v1/status/{id}").as_str())
    );
    assert_eq!(answer.field("preference-applied"), Some("respond-async"));
    id
}

#[test]
fn a_conversion_goes_through_its_states() {
    let mut server = Server::start();
    server.process().freeze_children();
    let picture = samples::ppm(10, 10);
    let id = accepted(&server.send(asynchronous(Form::of(&picture, "p.ppm", "png"))));
    let url = format!("/api/v1/download/{id}");

    let data = server.status(&id);
    assert_eq!(
        (&data["status"], &data["conversion_id"]),
        (&"processing".into(), &id.clone().into())
    );
    assert!(data.get("expires_at").is_none(), "{data}");
    let early = server.get(&url);
    assert!(failure(&early, 404).contains("in progress"));
    assert!(early.field("retry-after").is_some());
    assert_eq!(server.connect().send(Request::head(&url)).status, 404);

    let before = now();
    server.process().thaw_children();
    let data = server.wait_until(&id, "ready");
    assert_eq!(data["download_url"], url);
    assert!(
        (1800..=1860).contains(&(seconds(&data["expires_at"]) - before)),
        "{data}"
    );

    assert_eq!(server.get(&url).status, 200);
    let data = server.status(&id);
    assert_eq!(
        (&data["status"], &data["conversion_id"]),
        (&"expired".into(), &id.into())
    );
    server.wait_until_empty();
}

#[test]
fn respond_async_is_found_among_other_preferences() {
    let server = Server::start();
    let form = || Request::form(Form::of(&samples::ppm(4, 4), "p.ppm", "png"));
    for prefer in [
        "respond-async",
        "Respond-Async",
        "wait=10, respond-async",
        "respond-async; x=y, wait=1",
        "a,,respond-async",
    ] {
        accepted(&server.send(form().field("Prefer", prefer)));
    }
    accepted(
        &server.send(
            form()
                .field("Prefer", "wait=5")
                .field("prefer", "respond-async"),
        ),
    );
    for prefer in [
        "",
        "wait=10",
        "respond-asynchronously",
        "return=minimal",
        "\"respond-async\"",
    ] {
        let answer = server.send(form().field("Prefer", prefer));
        success(&answer, 200);
        assert_eq!(answer.field("preference-applied"), None);
    }
}

#[test]
fn errors_in_an_asynchronous_form_are_reported_at_once() {
    let server = Server::start();
    for form in [
        Form::of(&samples::ppm(4, 4), "p.ppm", "nothing"),
        Form::of(b"no picture", "p.txt", "png"),
        Form::of(b"", "p.txt", "png"),
        Form::new(),
    ] {
        failure(&server.send(asynchronous(form)), 400);
    }
    server.wait_until_empty();
}

#[test]
fn a_later_failure_is_reported_by_the_status() {
    let server = Server::start();
    let id = accepted(&server.send(asynchronous(Form::of(
        b"\x89PNG\r\n\x1a\n damaged",
        "p.png",
        "jpg",
    ))));
    let path = format!("/api/v1/status/{id}");
    let answer = wait_for("the conversion fails", || {
        Some(server.get(&path)).filter(|answer| answer.status != 200)
    });
    let error = failure(&answer, 400);
    assert!(error.to_lowercase().contains("png"), "{error}");
    let download = failure(&server.get(&format!("/api/v1/download/{id}")), 404);
    assert!(download.contains(&error), "{download}");
}

#[test]
fn failures_that_a_program_can_handle_have_a_code() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, name: &str, [target, password]: [&str; 2], code: Option<&str>) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
        let file = std::fs::read(format!("{path}{name}")).unwrap();
        let form = || match password {
            "" => Form::of(&file, name, target),
            _ => Form::of(&file, name, target).field("password", password),
        };
        let at_once = server.send(Request::form(form()));
        let id = accepted(&server.send(asynchronous(form())));
        let later = wait_for("the conversion fails", || {
            Some(server.get(&format!("/api/v1/status/{id}"))).filter(|answer| answer.status != 200)
        });
        let download = server.get(&format!("/api/v1/download/{id}"));
        for (answer, status) in [(&at_once, 400), (&later, 400), (&download, 404)] {
            failure(answer, status);
            let found = answer.json().get("code").cloned();
            assert_eq!(found, code.map(Into::into), "{answer:?}");
        }
    }
    let docx = "locked/locked.docx";
    check(&server, docx, ["pdf", ""], Some("password_missing"));
    check(&server, docx, ["pdf", "no"], Some("password_wrong"));
    let jpg = "bad/image/truncated.jpg";
    check(&server, jpg, ["png", ""], Some("unreadable"));
    let answer = server.send(Request::form(
        Form::of(b"P1 1 1 1", "a.pbm", "png").field("width", "x"),
    ));
    failure(&answer, 400);
    assert!(answer.json().get("code").is_none(), "{answer:?}");
}

#[test]
fn unknown_identifiers_are_not_found() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, sent: &str, echoed: &str) {
        let data = server.status(sent);
        assert_eq!(data["status"], "not_found");
        assert_eq!(data["conversion_id"], echoed);
        assert!(
            data.get("expires_at").is_none() && data.get("download_url").is_none(),
            "{data}"
        );
    }
    let unknown = "00000000-0000-4000-8000-000000000000";
    check(&server, unknown, unknown);
    check(&server, "x", "x");
    check(&server, "", "");
    check(&server, "..", "..");
    check(&server, "%2e%2e", "..");
    check(&server, "%2e%2e%2fhealth", "../health");
    check(&server, "lock", "lock");
    check(&server, "ended", "ended");
    check(&server, "%E5%86%99", "写");
    check(&server, "%00%0d%0aX:%20y", "\0\r\nX: y");
    check(&server, "%ff%zz%", "\u{fffd}%zz%");
    check(
        &server,
        "a%22%3C/script%3E".split('/').next().unwrap(),
        "a\"<",
    );
    check(&server, &"a".repeat(5000), &"a".repeat(256));
    let id = server
        .convert(&samples::ppm(4, 4), "p.ppm", "png")
        .data("conversion_id");
    check(&server, &id.to_uppercase(), &id.to_uppercase());
    check(&server, &format!("{id}%20"), &format!("{id} "));
    failure(&server.get("/api/v1/status"), 404);
}

#[test]
fn progress_is_reported_while_a_conversion_runs() {
    let server = Server::start();
    let picture = samples::plain_qoi(8_000, 8_000);
    let id = accepted(&server.send(asynchronous(Form::of(&picture, "p.qoi", "png"))));
    let (mut last, mut seen) = (0.0, 0);
    wait_for("the conversion ends", || {
        let data = server.status(&id);
        if let Some(progress) = data.get("progress") {
            assert_eq!(data["status"], "processing");
            let progress = progress["fraction"].as_f64().unwrap();
            assert!(
                last <= progress && progress <= 1.0,
                "{last} then {progress}"
            );
            seen += usize::from(progress > last);
            last = progress;
        }
        (data["status"] == "ready").then_some(())
    });
    assert!(seen >= 1, "no progress was seen");
}

#[cfg(feature = "audio")]
#[test]
fn progress_of_sound_is_reported_in_seconds() {
    let server = Server::start();
    let sound = samples::wav(120_000);
    let id = accepted(&server.send(asynchronous(Form::of(&sound, "s.wav", "opus"))));
    let (mut last, mut seen) = (0.0, 0);
    wait_for("the conversion ends", || {
        let data = server.status(&id);
        if let Some(progress) = data.get("progress") {
            let done = progress["seconds_done"].as_f64().unwrap();
            assert!(last <= done && done <= 120.0, "{last} then {done}");
            assert_eq!(progress["seconds_total"], 120.0);
            let fraction = progress["fraction"].as_f64().unwrap();
            assert!((fraction - done / 120.0).abs() < 1e-6);
            seen += usize::from(done > last);
            last = done;
        }
        (data["status"] == "ready").then_some(())
    });
    assert!(seen >= 1, "no progress was seen");
    assert!(server.status(&id).get("progress").is_none());
}

#[test]
fn many_conversions_run_concurrently() {
    let server = Server::start();
    let mut connection = server.connect();
    let ids: Vec<String> = (1..=40)
        .map(|side| {
            accepted(&connection.send(asynchronous(Form::of(
                &samples::ppm(side, side),
                "p.ppm",
                "ppm",
            ))))
        })
        .collect();
    for (side, id) in (1..=40).zip(&ids) {
        server.wait_until(id, "ready");
        let file = connection.send(Request::get(&format!("/api/v1/download/{id}")));
        assert_eq!(samples::ppm_size(&file.body), (side, side));
    }
    server.wait_until_empty();
}
