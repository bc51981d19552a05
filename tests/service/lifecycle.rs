//! Expiry, restarts, crashes and shutdowns: promised results survive, and no other files remain.

use crate::{
    contract::{failure, success},
    harness::{Client, Form, Request, Server, wait_for},
    samples,
};
use rustix::process::Signal;
use std::{net::TcpStream, os::unix::process::ExitStatusExt};

fn form() -> Form {
    Form::of(&samples::ppm(16, 16), "p.ppm", "png")
}

/// A form whose upload is too large to be kept in memory.
fn large() -> Form {
    Form::of(&samples::ppm(1000, 1000), "p.ppm", "png")
}

/// Starts a conversion whose client waits for it. Returns when these numbers of conversions run and wait.
#[track_caller]
fn begin(server: &Server, form: Form, [running, waiting]: [usize; 2]) -> Client {
    let mut connection = server.connect();
    connection.write(Request::form(form).bytes());
    server.wait_until_busy(running, waiting);
    connection
}

/// The number of results that are being written.
fn outputs(server: &Server) -> usize {
    let files = server.files();
    files
        .iter()
        .filter(|file| file.starts_with("incoming/") && file.ends_with(".result"))
        .count()
}

#[track_caller]
fn stopping(server: &mut Server) {
    server.process().signal(Signal::TERM);
    server.wait_for_line("the shutdown begins", |line| line.contains("stopping"));
    // The server logs the line a moment before it begins to refuse requests.
    wait_for("new requests are refused", || {
        (server.get("/api/v1/health").status == 503).then_some(())
    });
}

// ---- expiry of links

#[test]
fn a_link_expires_and_its_file_is_deleted() {
    let server = Server::with("--link-ttl 1").start();
    let id = server.submit(form()).data("conversion_id");
    let failed = server.accept(Form::of(b"\x89PNG\r\n\x1a\n damaged", "p.png", "png"));
    server.wait_until(&id, "expired");
    let error = failure(&server.download(&id), 404);
    assert!(error.contains("expired"), "{error}");
    assert_eq!(
        server
            .connect()
            .send(Request::head(&format!("/api/v1/download/{id}")))
            .status,
        404
    );
    server.wait_until_empty();
    // The failure is reported as long as a link would have been valid.
    wait_for("the failure is forgotten", || {
        let answer = server.get(&format!("/api/v1/status/{failed}"));
        (answer.status == 200).then(|| assert_eq!(answer.data("status"), "expired"))
    });
}

// ---- restarts

#[test]
fn a_restart_serves_the_links_that_were_open() {
    let mut server = Server::start();
    let open = server.submit(form()).data("conversion_id");
    let used = server.submit(form()).data("conversion_id");
    let failed = server.accept(Form::of(b"\x89PNG\r\n\x1a\n damaged", "p.png", "png"));
    let first = server.download(&used);
    wait_for("the failure", || {
        (server.get(&format!("/api/v1/status/{failed}")).status == 400).then_some(())
    });
    for crash in [false, true] {
        let before = server.status(&open);
        if crash {
            server.kill();
        } else {
            assert_eq!(server.terminate().code(), Some(0));
        }
        server.start_again();
        assert_eq!(server.status(&open), before);
        assert_eq!(server.status(&used)["status"], "expired");
        failure(&server.download(&used), 404);
        failure(&server.get(&format!("/api/v1/status/{failed}")), 400);
    }
    let last = server.download(&open);
    assert_eq!(last.status, 200);
    assert!(
        last.body == first.body,
        "the same conversion gave another result"
    );
    assert_eq!(last.field("content-type"), Some("image/png"));
    assert_eq!(
        last.field("content-disposition"),
        Some("attachment; filename=\"p.png\"")
    );
    // The service knows that the whole file was delivered, so the link stays consumed after a crash.
    assert_eq!(server.status(&open)["status"], "expired");
    server.kill();
    server.start_again();
    assert_eq!(server.status(&open)["status"], "expired");
}

#[test]
fn links_expire_while_the_service_is_down() {
    let mut server = Server::with("--link-ttl 1").start();
    let id = server.submit(form()).data("conversion_id");
    let end = crate::contract::seconds(&server.status(&id)["expires_at"]);
    server.kill();
    wait_for("the link's end", || {
        (crate::contract::now() > end).then_some(())
    });
    server.start_again();
    assert_eq!(server.status(&id)["status"], "expired");
    failure(&server.download(&id), 404);
    server.wait_until_empty();
}

#[test]
fn a_crash_during_a_conversion_leaves_no_unpromised_files() {
    let mut server = Server::start();
    server.process().freeze_children();
    let mut converting = begin(&server, form(), [1, 0]);
    let mut uploading = server.connect();
    let bytes = Request::form(large()).bytes();
    uploading.write(&bytes[..bytes.len() - 10]);
    wait_for("the upload is on disk", || {
        (server.files().len() >= 2).then_some(())
    });
    let children = server.process().children();
    server.kill();
    assert!(converting.is_closed() && uploading.is_closed());
    wait_for("the children end with the service", || {
        let alive = children.iter().any(|child| {
            let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            stat.contains("convertd") && !stat.contains(") Z")
        });
        (!alive).then_some(())
    });
    server.start_again();
    assert_eq!(server.files(), Vec::<String>::new());
    success(&server.submit(form()), 200);
}

#[test]
fn an_accepted_conversion_is_finished_after_a_crash() {
    let mut server = Server::with("--converters 1").start();
    server.process().freeze_children();
    let ids: Vec<String> = (0..3).map(|_| server.accept(form())).collect();
    server.kill();
    server.start_again();
    for id in &ids {
        server.wait_until(id, "ready");
        let answer = server.download(id);
        assert_eq!(
            (answer.status, samples::identify(&answer.body)),
            (200, "png")
        );
    }
    server.wait_until_empty();
}

#[test]
fn queued_conversions_survive_a_shutdown_after_a_restart() {
    let mut server = Server::with("--converters 1").start();
    server.process().freeze_children();
    let ids: Vec<String> = (0..40).map(|_| server.accept(form())).collect();
    server.kill();
    // The queue is so short that most conversions still wait when the service ends.
    server.start_again_with("--converters 1 --queue 1");
    assert_eq!(server.terminate().code(), Some(0));
    let left = server.files();
    assert!(
        left.iter().any(|file| file.ends_with(".upload")),
        "{left:?}"
    );
    server.start_again_with("--converters 1");
    for id in &ids {
        server.wait_until(id, "ready");
    }
}

#[test]
fn a_conversion_that_crashes_the_service_is_given_up() {
    let mut server = Server::start();
    let id = server.accept(Form::of(&samples::slow(), "p.qoi", samples::SLOW_TARGET));
    for attempt in 1..=3 {
        let attempts = server.data_dir().join(format!("{id}.attempts"));
        wait_for("the conversion runs", || {
            let file = std::fs::metadata(&attempts).ok()?;
            (file.len() == attempt).then_some(())
        });
        server.kill();
        server.start_again();
    }
    let path = format!("/api/v1/status/{id}");
    let answer = wait_for("the conversion is given up", || {
        Some(server.get(&path)).filter(|answer| answer.status != 200)
    });
    failure(&answer, 500);
    failure(&server.download(&id), 404);
    success(&server.submit(form()), 200);
}

#[test]
fn a_damaged_record_fails_only_its_conversion() {
    let mut server = Server::start();
    let ids: Vec<String> = (0..6)
        .map(|_| server.submit(form()).data("conversion_id"))
        .collect();
    server.kill();
    let dir = server.data_dir();
    let path = |at: usize| dir.join(format!("{}.result", ids[at]));
    let altered = |at: usize, change: fn(&mut Vec<u8>)| {
        let mut bytes = std::fs::read(path(at)).unwrap();
        change(&mut bytes);
        std::fs::write(path(at), bytes).unwrap();
    };
    std::fs::write(path(0), b"").unwrap();
    std::fs::write(path(1), b"{\"no\": \"record\"}").unwrap();
    std::fs::remove_file(path(2)).unwrap();
    altered(3, |bytes| bytes.truncate(bytes.len() / 2));
    // A power cut may leave this state: the record was written, and the data of the result was not.
    altered(4, |bytes| bytes[..20].fill(0));
    std::fs::write(dir.join("a-strangers-file"), b"precious").unwrap();
    std::fs::create_dir(dir.join("a-strangers-directory")).unwrap();
    server.start_again();
    for id in &ids[..5] {
        failure(&server.download(id), 404);
    }
    assert_eq!(server.download(&ids[5]).status, 200);
    assert_eq!(
        std::fs::read(dir.join("a-strangers-file")).unwrap(),
        b"precious"
    );
    assert!(dir.join("a-strangers-directory").is_dir());
}

// ---- shutdown

#[test]
fn a_shutdown_waits_for_running_conversions() {
    let mut server = Server::start();
    server.process().freeze_children();
    let mut converting = begin(&server, form(), [1, 0]);
    let mut idle = server.connect();
    success(&idle.send(Request::get("/api/v1/health")), 200);
    stopping(&mut server);
    // All new requests are refused.
    let refused = server.get("/api/v1/health");
    assert!(failure(&refused, 503).contains("shutting down"));
    assert!(refused.field("retry-after").is_some());
    failure(&server.submit(form()), 503);
    server.process().thaw_children();
    let answer = converting.read();
    let id = answer.data("conversion_id");
    success(&answer, 200);
    assert_eq!(answer.field("connection"), Some("close"));
    assert!(idle.is_closed());
    assert_eq!(server.wait().code(), Some(0));
    assert!(TcpStream::connect(server.address()).is_err());
    server.start_again();
    assert_eq!(server.download(&id).status, 200);
}

#[test]
fn a_shutdown_answers_an_unfinished_upload() {
    let mut server = Server::start();
    let mut uploading = server.connect();
    let bytes = Request::form(large()).bytes();
    uploading.write(&bytes[..bytes.len() - 100]);
    wait_for("the upload has begun", || {
        (!server.files().is_empty()).then_some(())
    });
    stopping(&mut server);
    uploading.write(&bytes[bytes.len() - 100..]);
    let answer = uploading.read();
    let why = failure(&answer, 503);
    assert!(why.contains("shutting down"), "{why}");
    assert!(answer.field("retry-after").is_some());
    assert_eq!(answer.field("connection"), Some("close"));
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn a_shutdown_refuses_waiting_requests() {
    let mut server = Server::with("--converters 1").start();
    server.process().freeze_children();
    let mut running = begin(&server, form(), [1, 0]);
    let mut waiting = begin(&server, form(), [1, 1]);
    let accepted = server.accept(form());
    stopping(&mut server);
    let refused = waiting.read();
    failure(&refused, 503);
    assert!(refused.field("retry-after").is_some());
    server.process().thaw_children();
    success(&running.read(), 200);
    assert_eq!(server.wait().code(), Some(0));
    // Accepted conversions survive the shutdown.
    server.start_again();
    server.wait_until(&accepted, "ready");
}

#[test]
fn a_shutdown_lets_a_download_finish() {
    let mut server = Server::start();
    let record = server.convert(&samples::plain_qoi(2000, 2000), "p.qoi", "ff");
    let (id, url) = (record.data("conversion_id"), record.data("download_url"));
    let mut connection = server.connect();
    connection.write(Request::get(&url).bytes());
    connection.peek(100_000);
    stopping(&mut server);
    assert_eq!(connection.read().body.len(), 16 + 8 * 2000 * 2000);
    assert_eq!(server.wait().code(), Some(0));
    server.start_again();
    assert_eq!(server.status(&id)["status"], "expired");
}

#[test]
fn an_interrupt_stops_the_service_like_a_termination() {
    let mut server = Server::start();
    server.process().signal(Signal::INT);
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let mut server = Server::start();
    server.process().freeze_children();
    let mut converting = begin(&server, form(), [1, 0]);
    stopping(&mut server);
    server.process().signal(Signal::TERM);
    let status = server.wait();
    assert!(
        status.code() == Some(143) || status.signal() == Some(15),
        "{status}"
    );
    assert!(converting.is_closed());
    server.start_again();
    assert_eq!(server.files(), Vec::<String>::new());
}

#[test]
fn a_full_log_blocks_no_request() {
    // The standard error of this process is not read after its first lines.
    let mut child = crate::harness::command();
    let dir = crate::harness::TempDir::new();
    let mut child = child
        .args(["--log", "trace", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(dir.path().join("data"))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let address = lines
        .find_map(|line| Some(line.unwrap().split_once("http://")?.1.parse().unwrap()))
        .unwrap();
    let mut connection = Client::connect(address);
    for _ in 0..5000 {
        assert_eq!(connection.send(Request::get("/api/v1/health")).status, 200);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

// ---- disconnects and overload

#[test]
fn a_conversion_whose_client_has_left_is_not_run() {
    let mut server = Server::with("--converters 1").start();
    server.process().freeze_children();
    let running = begin(&server, form(), [1, 0]);
    let waiting = begin(&server, form(), [1, 1]);
    drop(waiting);
    wait_for("the waiting conversion is dropped", || {
        (outputs(&server) == 1).then_some(())
    });
    drop(running);
    server.wait_until_empty();
    // The converter has been freed or replaced.
    server.process().thaw_children();
    success(&server.submit(form()), 200);
}

#[test]
fn a_full_queue_is_reported_at_once() {
    let mut server = Server::with("--converters 1 --queue 1").start();
    server.process().freeze_children();
    let mut running = begin(&server, form(), [1, 0]);
    let mut waiting = begin(&server, form(), [1, 1]);
    let refused = server.submit(form());
    failure(&refused, 503);
    assert!(
        refused
            .field("retry-after")
            .unwrap()
            .parse::<u32>()
            .unwrap()
            > 0
    );
    failure(
        &server.send(Request::form(form()).field("Prefer", "respond-async")),
        503,
    );
    let health = success(&server.get("/api/v1/health"), 200);
    assert_eq!(health["status"], "degraded");
    // The server still answers other requests.
    success(&server.get("/api/v1/formats"), 200);
    success(&server.get("/api/v1/status/x"), 200);
    server.process().thaw_children();
    success(&running.read(), 200);
    success(&waiting.read(), 200);
    assert_eq!(
        success(&server.get("/api/v1/health"), 200)["status"],
        "operational"
    );
    success(&server.submit(form()), 200);
}

#[test]
fn links_beyond_the_limit_are_refused() {
    let server = Server::with("--max-links 2").start();
    let ids = [(); 2].map(|()| server.submit(form()).data("conversion_id"));
    failure(&server.submit(form()), 503);
    wait_for("health says so", || {
        let health = success(&server.get("/api/v1/health"), 200);
        (health["status"] == "degraded").then_some(())
    });
    assert_eq!(server.download(&ids[0]).status, 200);
    success(&server.submit(form()), 200);
}

#[test]
fn a_converter_that_dies_is_replaced() {
    let mut server = Server::with("--converters 1 --queue 1").start();
    for _ in 0..3 {
        server.process().freeze_children();
        let mut converting = begin(&server, form(), [1, 0]);
        let accepted = server.accept(form());
        // The child is killed, and its conversion is repeated by another child.
        server.process().kill_children();
        let again = converting.read();
        success(&again, 200);
        assert_eq!(server.download(&again.data("conversion_id")).status, 200);
        server.wait_until(&accepted, "ready");
        assert_eq!(server.download(&accepted).status, 200);
    }
    server.wait_until_empty();
}
