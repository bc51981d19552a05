//! Slow clients: their answers, the time limits of their connections, and the rule that no other client waits for them.

use super::{assert_sound, begin_upload, crowd::StopOnDrop, health, pictures, read_within};
use crate::harness::{Answer, Client, Form, Request, Server, wait_for};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Fails if a limit of `seconds` ended something too early. The server checks its limits four times a second, so half a
/// second is tolerated. There is no upper bound, because the delay after the limit depends on the machine.
#[track_caller]
fn check_not_sooner(what: &str, since: Instant, seconds: u64) {
    let took = since.elapsed() + Duration::from_millis(500);
    assert!(took >= Duration::from_secs(seconds), "{what}: {took:?}");
}

/// Sends a piece twice a second until the server answers.
#[track_caller]
fn drip(what: &str, client: &mut Client, piece: &str) -> Answer {
    wait_for(what, || {
        let answer = read_within(client, Duration::from_millis(500)).ok();
        if answer.is_none() {
            // The server may have closed the connection after its answer. The client can still read the answer.
            let _ = client.try_write(piece.as_bytes());
        }
        answer
    })
}

fn slow_heads_get_408(server: &Server) {
    let mut client = server.connect();
    let began = Instant::now();
    client.write("GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    let answer = drip("a head is given up", &mut client, "x");
    assert_eq!(answer.status, 408, "{answer:?}");
    check_not_sooner("a head", began, 10);
    assert!(client.is_closed());
}

fn silent_connections_are_closed(server: &Server) {
    let began = Instant::now();
    let (mut fresh, mut used) = (server.connect(), server.connect());
    used.send(Request::get("/api/v1/health"));
    for client in [&mut fresh, &mut used] {
        assert!(client.is_closed());
        check_not_sooner("silence", began, 30);
    }
}

fn slow_uploads_get_408(server: &Server) {
    let began = Instant::now();
    let mut client = begin_upload(server, 1 << 20, b"--");
    let answer = drip("an upload is given up", &mut client, "x");
    assert_eq!(answer.status, 408, "{answer:?}");
    check_not_sooner("an upload", began, 10);
}

/// The framing of small chunks alone reaches the minimum rate, but the chunks transfer almost no content.
fn tiny_chunks_count_as_slow(server: &Server) {
    let request = Request::new("POST", "/api/v1/convert")
        .field("Content-Type", &Form::content_type())
        .field("Transfer-Encoding", "chunked");
    let mut client = server.connect();
    let began = Instant::now();
    client.write(request.head_bytes());
    let chunks = "1\r\nx\r\n".repeat(2_000);
    let answer = drip("chunks of nothing are given up", &mut client, &chunks);
    assert_eq!(answer.status, 408, "{answer:?}");
    check_not_sooner("an upload in chunks of nothing", began, 10);
}

/// A client that does not read the answer, but sends bytes at intervals, as if it were alive.
fn unread_downloads_are_dropped(server: &Server) {
    let source = pictures::ppm(20 << 20);
    let answer = server.convert(&source, "large.ppm", "bmp");
    assert_eq!(answer.status, 200, "{answer:?}");
    let (id, url) = (answer.data("conversion_id"), answer.data("download_url"));
    let mut client = server.connect();
    client.write(Request::get(&url).bytes());
    client.read_bytes(1).expect("it begins");
    wait_for("the connection is dropped", || {
        thread::sleep(Duration::from_millis(500));
        // If the server has closed the connection, writing fails after a while.
        client.try_write(b"\r\n").err()
    });
    assert_eq!(server.status(&id)["status"], "ready");
    let file = server.get(&url);
    assert_eq!(
        (file.status, file.body.len() as u64),
        (200, answer.json()["data"]["file_size"].as_u64().unwrap())
    );
    assert_eq!(server.status(&id)["status"], "expired");
}

#[test]
fn every_slow_action_of_a_client_has_a_time_limit() {
    let server = Server::start();
    let cases: [fn(&Server); 5] = [
        slow_heads_get_408,
        silent_connections_are_closed,
        slow_uploads_get_408,
        tiny_chunks_count_as_slow,
        unread_downloads_are_dropped,
    ];
    // All cases wait at the same time.
    thread::scope(|scope| {
        for case in cases {
            let server = &server;
            scope.spawn(move || case(server));
        }
    });
    assert_sound(&server);
}

/// These clients are just fast enough to keep their connections. Other requests must not have to wait for them.
#[test]
fn slow_uploads_delay_only_uploads() {
    let server = Server::with("--min-rate 1").start();
    let answer = server.convert(&pictures::png(32, 32), "a.png", "bmp");
    let (id, url) = (answer.data("conversion_id"), answer.data("download_url"));
    let slow: Vec<Client> = (0..64)
        .map(|_| begin_upload(&server, 1 << 20, b"--"))
        .collect();
    let request = || Request::form(Form::of(&pictures::png(8, 8), "b.png", "bmp"));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // The flag is also set if an assertion below fails. Otherwise the threads would never end.
        let _stopped = StopOnDrop(&stop);
        let stop = &stop;
        scope.spawn(move || {
            let mut slow = slow;
            while !stop.load(Ordering::Relaxed) {
                for client in &mut slow {
                    let _ = client.try_write(b"x");
                }
                thread::sleep(Duration::from_millis(200));
            }
        });
        // An upload is refused when all workers are busy.
        let refused = wait_for("an upload is refused", || {
            let answer = server.send(request());
            (answer.status != 200).then_some(answer)
        });
        assert_eq!(refused.status, 503, "{refused:?}");
        assert!(refused.field("retry-after").is_some(), "{refused:?}");
        health(&server);
        assert_eq!(server.status(&id)["status"], "ready");
        assert_eq!(server.get(&url).status, 200);
    });
    wait_for("the workers are free", || {
        (server.send(request()).status == 200).then_some(())
    });
    assert_sound(&server);
}

#[test]
fn the_minimum_rate_can_be_set() {
    let server = Server::with("--min-rate 20").start();
    let body = Form::of(&pictures::png(16, 16), "a.png", "bmp").body();
    let mut client = begin_upload(&server, body.len() as u64, &body[..10]);
    // This client is slower than the default minimum rate for longer than the default window: it sends about 600 bytes
    // in 12 s.
    let pause = Duration::from_millis(1000);
    let (mut rest, last) = body[10..].split_at(600);
    while let Some((piece, more)) = rest.split_at_checked(50) {
        client.write(piece);
        rest = more;
        thread::sleep(pause);
    }
    client.write(last);
    assert_eq!(client.read().status, 200);
}
