//! Tests of the server over real sockets, some of them with a clock that the test sets. Does not use conversions.

use super::{clock::Clock, *};
use std::{
    io::{self, Read, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    thread,
    time::Duration,
};

/// Length of the answer of `/large` in bytes. It exceeds the buffers of a connection.
const LARGE: usize = 12 << 20;

/// A handler that reads whole bodies, and has a large answer.
struct Counter;

impl Handler for Counter {
    fn admit(&self, head: &Head, _: IpAddr) -> Admission {
        match head.path.as_str() {
            "/large" => Admission::Answer(
                Response::new(Status::OK).payload(Payload::Bytes(vec![b'x'; LARGE].into())),
            ),
            _ => Admission::Upload,
        }
    }

    fn handle(&self, request: Request<'_, '_>) -> Response {
        match io::copy(request.body, &mut io::sink()) {
            Ok(_) => Response::new(Status::OK),
            Err(err) if err.kind() == io::ErrorKind::TimedOut => {
                Response::new(Status::REQUEST_TIMEOUT)
            }
            Err(_) => Response::new(Status::BAD_REQUEST),
        }
    }

    fn refuse(&self, refusal: &Refusal, _: Option<&Head>) -> Response {
        Response::new(refusal.status)
    }

    fn finished(&self, _: &Exchange<'_>) {}
}

/// Runs `test` against a server that allows a second for every transfer, and a further second for each `2 * min_rate`
/// bytes. The test sets the clock. The other limits are too large to matter.
fn serve(min_rate: u64, test: impl FnOnce(&Server, &Clock)) {
    let settings = Settings {
        min_rate,
        pace_window: Duration::from_secs(60),
        transfer_time: Duration::from_secs(1),
        max_held: 4 * LARGE,
        grace: Duration::ZERO,
        ..Settings::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let clock = Clock::default();
    let server = Server::start_with(listener, settings, Counter, clock.clone()).unwrap();
    test(&server, &clock);
    server.handle().stop();
    server.join();
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(300)))
        .unwrap();
    stream
}

#[test]
fn a_body_that_takes_too_long_is_refused() {
    // 4000 bytes are allowed 1 + 20 s.
    serve(100, |server, clock| {
        let mut stream = connect(server.address());
        let head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n";
        stream.write_all(head).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        let (mut sent, mut answer) = (0, [0; 12]);
        // Only the time during which the worker waits for the body counts. So time has to pass while it waits, and then
        // a byte has to end the wait.
        while stream.peek(&mut answer).is_err() {
            assert!(sent < 3999, "the body was read whole");
            clock.advance(Duration::from_secs(60));
            stream.write_all(b"x").unwrap();
            sent += 1;
        }
        assert_eq!(&answer, b"HTTP/1.1 408");
    });
}

#[test]
fn input_after_a_refusal_is_read_up_to_a_limit() {
    let settings = Settings {
        max_drain: 1 << 20,
        max_body: 1000,
        ..Settings::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start(listener, settings, Counter).unwrap();
    for head in [
        // A body that is announced and longer than `max_drain`.
        "Content-Length: 1000000000\r\n\r\n",
        // A body that is longer than announced.
        "Content-Length: 2000\r\n\r\n",
        // A head that is not HTTP.
        "\r\r\r\r",
    ] {
        let mut stream = connect(server.address());
        stream.write_all(b"POST / HTTP/1.1\r\nHost: x\r\n").unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let (piece, mut sent) = (vec![b'x'; 1 << 20], 0);
        // This is far more than the capacity of two socket buffers.
        while sent < 64 << 20 && stream.write_all(&piece).is_ok() {
            sent += piece.len();
        }
        assert!(sent < 64 << 20, "{head:?}: everything is read");
    }
    server.handle().stop();
    assert_eq!(server.join(), End::Finished);
}

/// A handler that panics in the lobby.
struct Broken;

impl Handler for Broken {
    fn admit(&self, _: &Head, _: IpAddr) -> Admission {
        panic!("a handler that panics");
    }

    fn handle(&self, _: Request<'_, '_>) -> Response {
        Response::new(Status::OK)
    }

    fn refuse(&self, refusal: &Refusal, head: Option<&Head>) -> Response {
        assert!(head.is_some(), "the handler panics on purpose");
        Response::new(refusal.status)
    }

    fn finished(&self, _: &Exchange<'_>) {}
}

#[test]
fn a_server_that_ends_by_itself_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start(listener, Settings::default(), Broken).unwrap();
    // A panic in `admit` ends one request.
    for _ in 0..3 {
        let mut stream = connect(server.address());
        let asked = stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        asked.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 500");
    }
    // A panic in `refuse` ends the server.
    connect(server.address()).write_all(b"\r\r\r\r").unwrap();
    assert_eq!(server.join(), End::Died);
}

#[test]
fn a_whole_answer_has_a_deadline_by_its_length() {
    let ask = |address| {
        let mut stream = connect(address);
        stream
            .write_all(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .unwrap();
        stream
    };
    // 12 MiB are allowed 1 + 1 s.
    serve(LARGE as u64 / 2, |server, _| {
        let mut received = Vec::new();
        ask(server.address()).read_to_end(&mut received).unwrap();
        assert!(received.len() > LARGE);
    });
    serve(LARGE as u64 / 2, |server, clock| {
        let mut stream = ask(server.address());
        let mut received = vec![0; 4096];
        stream.read_exact(&mut received).unwrap();
        while server.handle().connections() == 0 {
            thread::yield_now();
        }
        // The client has received the beginning of the answer, and reads no more until the server has given up.
        clock.advance(Duration::from_secs(3));
        while server.handle().connections() > 0 {
            thread::yield_now();
        }
        // Reads the rest from the buffers, up to the end or a reset.
        let _ = stream.read_to_end(&mut received);
        assert!(received.len() < LARGE, "the answer was sent whole");
    });
}
