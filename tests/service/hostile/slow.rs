//! Clients that take their time: what they get, what they lose, and that nobody waits for them.

use super::{assert_sound, begin_upload, health, pictures, read_within};
use crate::harness::{Client, Form, Request, Server};
use std::{
    thread,
    time::{Duration, Instant},
};

/// What a limit of `seconds` may take: looked at four times a second, on a machine that has other things to do.
#[track_caller]
fn assert_took(what: &str, since: Instant, seconds: u64) {
    let took = since.elapsed();
    let expected = Duration::from_secs(seconds);
    assert!(
        took + Duration::from_millis(500) >= expected && took <= expected + Duration::from_secs(8),
        "{what}: {took:?} instead of {expected:?}"
    );
}

/// Whoever waits for a slow client waits until that is given up, which is ten seconds at the least. Less is only a machine that
/// has other things to do.
#[track_caller]
fn assert_not_held_up(since: Instant) {
    let took = since.elapsed();
    assert!(took < Duration::from_secs(9), "{took:?}");
}

/// Sends a byte now and then until the server does something about it.
fn drip(client: &mut Client) {
    let pause = Duration::from_millis(500);
    for _ in 0..100 {
        if client.try_write(b"x").is_err() || read_within(client, pause).is_ok() {
            return;
        }
    }
}

fn a_head_has_ten_seconds(server: &Server) {
    let mut client = server.connect();
    let began = Instant::now();
    client.write("GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    let answer = loop {
        match read_within(&mut client, Duration::from_millis(500)) {
            Ok(answer) => break answer,
            Err(_) => client.write("x"),
        }
    };
    assert_eq!(answer.status, 408, "{answer:?}");
    assert_took("a head", began, 10);
    assert!(client.is_closed());
}

fn silence_has_thirty_seconds(server: &Server) {
    let (mut fresh, mut used) = (server.connect(), server.connect());
    used.send(Request::get("/api/v1/health"));
    let began = Instant::now();
    for client in [&mut fresh, &mut used] {
        let patience = Some(Duration::from_secs(45));
        client.stream().set_read_timeout(patience).unwrap();
        assert!(client.is_closed());
        assert_took("silence", began, 30);
    }
}

fn a_slow_upload_is_told_so(server: &Server) {
    let began = Instant::now();
    let mut client = begin_upload(server, 1 << 20, b"--");
    let answer = loop {
        match read_within(&mut client, Duration::from_millis(500)) {
            Ok(answer) => break answer,
            Err(_) => client.write("x"),
        }
    };
    assert_eq!(answer.status, 408, "{answer:?}");
    assert_took("an upload", began, 10);
}

/// The framing of small chunks keeps the rate, and gets nowhere.
fn chunks_of_nothing_are_slow(server: &Server) {
    let request = Request::new("POST", "/api/v1/convert")
        .field("Content-Type", &Form::content_type())
        .field("Transfer-Encoding", "chunked");
    let mut client = server.connect();
    client.write(request.head_bytes());
    let began = Instant::now();
    let chunk = "1\r\nx\r\n".repeat(2_000);
    let answer = loop {
        match read_within(&mut client, Duration::from_millis(500)) {
            Ok(answer) => break answer,
            Err(_) => client.write(&chunk),
        }
    };
    assert_eq!(answer.status, 408, "{answer:?}");
    assert_took("an upload in chunks of nothing", began, 10);
}

/// It does not read its answer, but sends something now and then, as if it were alive.
fn a_download_that_nobody_reads_is_dropped(server: &Server) {
    let source = pictures::ppm(20 << 20);
    let answer = server.convert(&source, "large.ppm", "bmp");
    assert_eq!(answer.status, 200, "{answer:?}");
    let (id, url) = (answer.data("conversion_id"), answer.data("download_url"));
    let mut client = server.connect();
    client.write(Request::get(&url).bytes());
    client.read_bytes(1).expect("it begins");
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        // To write to a connection that the other side has dropped fails sooner or later.
        if client.try_write(b"\r\n").is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(500));
    }
    // Within the first window it may take what the buffers hold.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(40), "{took:?}");
    assert_eq!(server.status(&id)["status"], "ready");
    let file = server.get(&url);
    assert_eq!(
        (file.status, file.body.len() as u64),
        (200, answer.json()["data"]["file_size"].as_u64().unwrap())
    );
    assert_eq!(server.status(&id)["status"], "expired");
}

#[test]
fn time_is_limited_for_everything_a_client_may_be_slow_at() {
    let server = Server::start();
    let cases: [fn(&Server); 5] = [
        a_head_has_ten_seconds,
        silence_has_thirty_seconds,
        a_slow_upload_is_told_so,
        chunks_of_nothing_are_slow,
        a_download_that_nobody_reads_is_dropped,
    ];
    // They all wait; together they wait once.
    thread::scope(|scope| {
        for case in cases {
            let server = &server;
            scope.spawn(move || case(server));
        }
    });
    assert_sound(&server);
}

#[test]
fn slow_uploads_delay_nobody_but_uploads() {
    let server = Server::start();
    let answer = server.convert(&pictures::png(32, 32), "a.png", "bmp");
    let (id, url) = (answer.data("conversion_id"), answer.data("download_url"));
    let mut slow: Vec<Client> = (0..64)
        .map(|_| begin_upload(&server, 1 << 20, b"--"))
        .collect();
    // All workers are taken once the next one is refused.
    let request = || Request::form(Form::of(&pictures::png(8, 8), "b.png", "bmp"));
    let refused = crate::harness::wait_for("an upload is refused", || {
        let began = Instant::now();
        let answer = server.send(request());
        assert_not_held_up(began);
        (answer.status != 200).then_some(answer)
    });
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.field("retry-after").is_some(), "{refused:?}");
    let began = Instant::now();
    health(&server);
    assert_eq!(server.status(&id)["status"], "ready");
    assert_eq!(server.get(&url).status, 200);
    assert_not_held_up(began);
    drip(&mut slow[0]);
    drop(slow);
    crate::harness::wait_for("the workers are free", || {
        (server.send(request()).status == 200).then_some(())
    });
    assert_sound(&server);
}

#[test]
fn the_minimum_rate_can_be_set() {
    let server = Server::with("--min-rate 20").start();
    let body = Form::of(&pictures::png(16, 16), "a.png", "bmp").body();
    let mut client = begin_upload(&server, body.len() as u64, &body[..10]);
    // Slower than the default allows, for longer than the default waits: about 600 B in 12 s.
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
