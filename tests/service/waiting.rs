//! `?wait=`: an answer that is delayed until a conversion has ended. A waiting request needs no thread, and little
//! memory.

use crate::{
    contract::{failure, success},
    harness::{Client, Form, Request, Server, wait_for},
    samples,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::time::{Duration, Instant};

#[track_caller]
fn accepted(server: &Server, file: &[u8], name: &str) -> String {
    let form = Form::of(file, name, "png");
    let answer = server.send(Request::form(form).field("Prefer", "respond-async"));
    success(&answer, 202)["conversion_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn status_of(id: &str, wait: &str) -> Request {
    Request::get(&format!("/api/v1/status/{id}?wait={wait}"))
}

#[test]
fn the_answer_comes_when_the_conversion_ends() {
    let mut server = Server::start();
    server.process().freeze_children();
    let good = accepted(&server, &samples::ppm(9, 9), "p.ppm");
    let bad = accepted(&server, b"\x89PNG\r\n\x1a\n damaged", "p.png");
    let mut waiting: Vec<Client> = (0..4).map(|_| server.connect()).collect();
    for (client, id) in waiting.iter_mut().zip([&good, &bad, &good, &bad]) {
        client.write(status_of(id, "60").bytes());
    }
    // Another request on the same connection is answered after the waiting one.
    waiting[0].write(Request::get("/api/v1/health").bytes());
    let mut other = server.connect();
    success(&other.send(Request::get("/api/v1/health")), 200);
    server.process().thaw_children();
    for (index, client) in waiting.iter_mut().enumerate() {
        let answer = client.read();
        if index % 2 == 0 {
            assert_eq!(success(&answer, 200)["status"], "ready");
        } else {
            failure(&answer, 400);
        }
    }
    success(&waiting[0].read(), 200);
}

#[test]
fn ended_conversions_are_answered_at_once() {
    let mut server = Server::start();
    let id = server
        .convert(&samples::ppm(4, 4), "p.ppm", "png")
        .data("conversion_id");
    // A wait ends after at most a minute. All other requests below are answered within that minute.
    server.process().freeze_children();
    let standing = accepted(&server, &samples::ppm(4, 4), "p.ppm");
    let mut waiting = server.connect();
    waiting.write(status_of(&standing, "60").bytes());
    let state = |id: &str| success(&server.send(status_of(id, "60")), 200)["status"].clone();
    assert_eq!(state(&id), "ready");
    server.get(&format!("/api/v1/download/{id}"));
    assert_eq!(state(&id), "expired");
    assert_eq!(state("00000000-0000-4000-8000-000000000000"), "not_found");
    assert_eq!(state("nothing"), "not_found");
    waiting.stream().set_nonblocking(true).unwrap();
    assert!(
        waiting.try_read(false).is_err(),
        "the waiting request was answered too early"
    );
    server.process().thaw_children();
}

#[test]
fn after_the_waiting_time_the_answer_has_the_current_state() {
    let mut server = Server::start();
    server.process().freeze_children();
    let id = accepted(&server, &samples::ppm(4, 4), "p.ppm");
    for (wait, least) in [("1", 1), ("0", 0), ("00&other=1", 0)] {
        let asked = Instant::now();
        let data = success(&server.send(status_of(&id, wait)), 200);
        assert_eq!(data["status"], "processing", "{data}");
        assert!(asked.elapsed() >= Duration::from_secs(least), "{wait}");
    }
    let head = Request::head(&format!("/api/v1/status/{id}?wait=1"));
    assert_eq!(server.send(head).status, 200);
    server.process().thaw_children();
}

#[test]
fn invalid_waiting_times_are_refused() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, query: &str) {
        let answer = server.get(&format!("/api/v1/status/x?{query}"));
        assert!(failure(&answer, 400).contains("wait"), "{query}");
    }
    for wait in [
        "",
        "61",
        "-1",
        "+1",
        "1.5",
        "1s",
        "x",
        "99999999999999999999",
        "%31+",
    ] {
        check(&server, &format!("wait={wait}"));
    }
    check(&server, "wait");
    check(&server, "wait=1&wait=1");
}

#[test]
fn a_shutdown_ends_waiting_requests() {
    let mut server = Server::start();
    server.process().freeze_children();
    let id = accepted(&server, &samples::ppm(4, 4), "p.ppm");
    let mut client = server.connect();
    client.write(status_of(&id, "60").bytes());
    // When a later request has been answered, the server must have read the waiting one.
    success(&server.get("/api/v1/health"), 200);
    server.process().signal(rustix::process::Signal::TERM);
    assert_eq!(success(&client.read(), 200)["status"], "processing");
    server.process().thaw_children();
    server.wait();
}

/// As many requests wait as the limit on descriptors permits, but at most 5,000. Together they take less than 32 MiB,
/// and none of them takes a thread.
#[test]
fn thousands_of_waiting_requests_take_little_memory() {
    const CROWD: usize = 5_000;
    let limit = getrlimit(Resource::Nofile).maximum;
    let raised = Rlimit {
        current: limit,
        maximum: limit,
    };
    setrlimit(Resource::Nofile, raised).expect("the limit can be raised");
    let crowd = CROWD.min(limit.unwrap_or(u64::MAX) as usize / 3);
    let mut server = Server::start();
    server.process().freeze_children();
    let id = accepted(&server, &samples::ppm(4, 4), "p.ppm");
    let (before, threads) = (server.process().resident_kib(), server.process().threads());
    let mut waiting: Vec<Client> = (0..crowd).map(|_| server.connect()).collect();
    for client in &mut waiting {
        client.write(status_of(&id, "60").bytes());
    }
    let open = |server: &Server| {
        let page = server.get("/metrics").body.to_vec();
        let page = String::from_utf8(page).unwrap();
        let line = page.lines().find_map(|line| {
            line.strip_prefix("convertd_open_connections ")
                .map(str::to_owned)
        });
        line.unwrap().parse::<usize>().unwrap()
    };
    wait_for("all clients are connected", || {
        (open(&server) > crowd).then_some(())
    });
    let cost = server.process().resident_kib().saturating_sub(before);
    eprintln!("{crowd} waiting clients cost {cost} KiB");
    assert!(cost < 32 << 10, "{cost} KiB");
    // Workers of the quick lane may have started in the meantime, but no thread per waiting request.
    let more = server.process().threads().saturating_sub(threads);
    assert!(more <= 8, "{more} threads");
    server.process().thaw_children();
    for client in &mut waiting {
        assert_eq!(success(&client.read(), 200)["status"], "ready");
    }
}
