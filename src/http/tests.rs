//! Tests of the server over real sockets, with limits short enough for a test to wait for them. Knows nothing of conversions.

use super::*;
use std::{
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    ops::Range,
    thread,
    time::Instant,
};

/// The length of the answer of `/large` in bytes: more than the buffers of a connection hold.
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

/// A server that allows a second for every transfer, and one more for each `2 * min_rate` bytes. Its other limits are far
/// away.
fn serve(min_rate: u64, test: impl FnOnce(SocketAddr)) {
    let settings = Settings {
        min_rate,
        pace_window: Duration::from_secs(60),
        transfer_time: Duration::from_secs(1),
        max_held: 4 * LARGE,
        grace: Duration::ZERO,
        ..Settings::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start(listener, settings, Counter).unwrap();
    test(server.address());
    server.handle().stop();
    server.join();
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    stream
}

#[test]
fn a_whole_body_has_a_deadline_by_its_length() {
    /// Sends `count` pieces, one every 100 ms, and the end of the body. Checks the status of the answer and its time.
    #[track_caller]
    fn check(
        head: &str,
        (piece, count, end): (&str, usize, &str),
        status: &str,
        seconds: Range<f64>,
    ) {
        serve(100, |address| {
            let mut stream = connect(address);
            let began = Instant::now();
            let head = format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{head}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut writer = stream.try_clone().unwrap();
            let mut text = String::new();
            thread::scope(|scope| {
                scope.spawn(move || {
                    for piece in std::iter::repeat_n(piece, count).chain([end]) {
                        // An error means that the server has given up.
                        if writer.write_all(piece.as_bytes()).is_err() {
                            return;
                        }
                        thread::sleep(Duration::from_millis(100));
                    }
                });
                stream.read_to_string(&mut text).unwrap();
                let took = began.elapsed().as_secs_f64();
                assert!(text.starts_with(&format!("HTTP/1.1 {status}")), "{text}");
                assert!(seconds.contains(&took), "{piece:?}: {took} s");
                let _ = stream.shutdown(Shutdown::Both);
            });
        });
    }
    // 400 bytes are allowed 1 + 2 s. At 10 bytes a second they would take 40 s.
    check("Content-Length: 400", ("x", 400, ""), "408", 2.5..10.0);
    check("Content-Length: 10", ("x", 10, ""), "200", 0.8..10.0);
    // Without a length, every 200 bytes received extend the deadline by a second. 10 bytes a second are too slow for
    // that, 1000 are enough.
    let chunked = "Transfer-Encoding: chunked";
    let (one, many, end) = ("1\r\nx\r\n", "x".repeat(100), "0\r\n\r\n");
    check(chunked, (one, 400, end), "408", 0.9..10.0);
    check(
        chunked,
        (&format!("64\r\n{many}\r\n"), 20, end),
        "200",
        1.8..10.0,
    );
}

#[test]
fn what_is_read_behind_a_refusal_ends() {
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
        // This is far more than two socket buffers hold.
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
        panic!("as no handler should");
    }

    fn handle(&self, _: Request<'_, '_>) -> Response {
        Response::new(Status::OK)
    }

    fn refuse(&self, refusal: &Refusal, _: Option<&Head>) -> Response {
        Response::new(refusal.status)
    }

    fn finished(&self, _: &Exchange<'_>) {}
}

#[test]
fn a_server_that_ends_by_itself_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start(listener, Settings::default(), Broken).unwrap();
    let mut stream = connect(server.address());
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
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
    serve(LARGE as u64 / 2, |address| {
        let mut received = Vec::new();
        ask(address).read_to_end(&mut received).unwrap();
        assert!(received.len() > LARGE);
        let mut stream = ask(address);
        let (began, mut piece, mut received) = (Instant::now(), [0; 4096], 0);
        // The client reads 80 KiB a second for four seconds. Then it reads what is left in the buffers after the server has
        // given up.
        while let Ok(len @ 1..) = stream.read(&mut piece) {
            received += len;
            if began.elapsed() < Duration::from_secs(4) {
                thread::sleep(Duration::from_millis(50));
            }
        }
        assert!(received < LARGE, "it was sent whole");
    });
}
