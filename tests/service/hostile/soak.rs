//! All kinds of load at once, for `CONVERTD_SOAK_SECONDS`. Only a long run shows whether memory stays constant.

use super::{assert_sound, fuzz::STYLED, pictures, read_within};
use crate::{
    harness::{Answer, Client, Form, Request, Server, wait_for},
    watch::Watched,
};
use std::{
    fs,
    net::{Shutdown, SocketAddr},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Number of client threads.
const CLIENTS: u64 = 12;

/// Duration of a run, in seconds, from which on memory must stay constant. In a shorter run, the buffers of the threads
/// still grow.
const LONG: u64 = 60;

/// Number of memory samples per second.
const SAMPLES: u64 = 2;

/// State that all client threads share: the file that they send, the expected result, and measurements.
struct Traffic {
    address: SocketAddr,
    picture: Vec<u8>,
    expected: Vec<u8>,
    stop: AtomicBool,
    served: AtomicU64,
    health: Mutex<Vec<Duration>>,
}

impl Traffic {
    fn send(&self, request: Request) -> Answer {
        Client::connect(self.address).send(request)
    }

    fn form(&self) -> Form {
        Form::of(&self.picture, "picture.png", "bmp")
    }

    /// Sends a request. Returns `None` if the answer asks the client to try again later.
    #[track_caller]
    fn expect(&self, status: u16, request: Request) -> Option<Answer> {
        let answer = self.send(request);
        if answer.status == 503 {
            assert!(answer.field("retry-after").is_some(), "{answer:?}");
            return None;
        }
        assert_eq!(answer.status, status, "{answer:?}");
        Some(answer)
    }

    fn download_whole(&self, answer: &Answer) {
        let url = answer.data("download_url");
        let file = self.send(Request::get(&url));
        assert_eq!(file.status, 200, "{file:?}");
        assert!(*file.body == *self.expected, "a wrong file");
        let status = self.send(Request::get(&url.replace("download", "status")));
        assert_eq!(status.data("status"), "expired", "after a whole download");
        assert_eq!(self.send(Request::get(&url)).status, 404);
    }

    /// Sends two texts that become one PDF, as Gotenberg's clients do.
    fn merge(&self, form: Form) {
        let form = form.file("a.txt", b"one").file("b.md", b"# two");
        let request = Request::new("POST", "/forms/libreoffice/convert")
            .field("Content-Type", &Form::content_type())
            .body(form.body());
        if let Some(answer) = self.expect(200, request) {
            assert!(answer.body.starts_with(b"%PDF-"), "{answer:?}");
        }
    }

    fn run_action(&self, kind: u64) {
        match kind % 17 {
            0 => {
                let began = Instant::now();
                let answer = self.send(Request::get("/api/v1/health"));
                self.health.lock().expect("times").push(began.elapsed());
                assert_eq!(answer.status, 200, "{answer:?}");
            }
            1 => drop(self.expect(200, Request::get("/api/v1/formats"))),
            2..=4 => {
                if let Some(answer) = self.expect(200, Request::form(self.form())) {
                    self.download_whole(&answer);
                }
            }
            5 => {
                let request = Request::form(self.form()).field("Prefer", "respond-async");
                if let Some(accepted) = self.expect(202, request) {
                    let path = format!("/api/v1/status/{}", accepted.data("conversion_id"));
                    let ready = wait_for("the conversion is ready", || {
                        let status = self.send(Request::get(&path));
                        (status.data("status") == "ready").then_some(status)
                    });
                    self.download_whole(&ready);
                }
            }
            6 => {
                // This download is interrupted, and then continued.
                if let Some(answer) = self.expect(200, Request::form(self.form()).chunked(777)) {
                    let url = answer.data("download_url");
                    let mut client = Client::connect(self.address);
                    client.write(Request::get(&url).field("Range", "bytes=0-9").bytes());
                    let part = client.read();
                    assert_eq!((part.status, part.body.len()), (206, 10));
                    drop(client);
                    let rest = self.send(Request::get(&url).field("Range", "bytes=10-"));
                    assert_eq!(rest.status, 206, "{rest:?}");
                    assert!([&part.body[..], &rest.body[..]].concat() == self.expected);
                }
            }
            7 => {
                let damaged = &self.picture[..self.picture.len() / 2];
                drop(self.expect(400, Request::form(Form::of(damaged, "a.png", "jpg"))));
            }
            8 => drop(self.expect(
                400,
                Request::form(Form::of(&self.picture, "a.png", "nothing")),
            )),
            9 => {
                let request = Request::new("POST", "/api/v1/convert")
                    .field("Content-Type", &Form::content_type())
                    .field("Content-Length", "999999999");
                let mut client = Client::connect(self.address);
                client.write(request.head_bytes());
                assert!(matches!(client.read().status, 413 | 503));
            }
            10 => {
                // This upload is interrupted.
                let bytes = Request::form(self.form()).bytes();
                let mut client = Client::connect(self.address);
                client.write(&bytes[..bytes.len() - 100]);
                let _ = client.stream().shutdown(Shutdown::Both);
            }
            11 => {
                let mut client = Client::connect(self.address);
                client.write(Request::get("/api/v1/health").bytes().repeat(50));
                for _ in 0..50 {
                    assert_eq!(client.read().status, 200);
                }
            }
            12 => {
                let mut client = Client::connect(self.address);
                client.write(
                    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                );
                assert_eq!(client.read().status, 400);
                assert!(client.is_closed());
            }
            13 => self.merge(Form::new().field("merge", "true")),
            14 => {
                let stages =
                    r#"[{"op":"merge"},{"op":"rotate","angle":90,"pages":"1"},{"op":"optimize"}]"#;
                self.merge(Form::new().field("stages", stages));
            }
            15 => {
                let page = Form::of(STYLED.as_bytes(), "page.html", "pdf");
                if let Some(answer) = self.expect(200, Request::form(page)) {
                    let file = self.send(Request::get(&answer.data("download_url")));
                    assert!(file.body.starts_with(b"%PDF-"), "{file:?}");
                }
            }
            _ => {
                // This client leaves before its conversion has ended.
                let mut client = Client::connect(self.address);
                client.write(Request::form(self.form()).bytes());
                let _ = read_within(&mut client, Duration::from_millis(1));
            }
        }
        self.served.fetch_add(1, Ordering::Relaxed);
    }
}

/// Limit on the number of workers that start after the service: those for uploads, and those of the quick lane.
const WORKERS: u64 = 64 + 8;

/// Fills the list of ended conversions up to its limit, so that it does not grow during the measurement. The files are
/// in the form of an earlier version, which the service reads when it starts.
fn remember_endings(server: &Server) {
    let dir = server.data_dir().join("ended");
    for number in 0..65_536_u32 {
        let name = format!("{number:08x}-0000-4000-8000-000000000000.downloaded");
        fs::write(dir.join(name), "").expect("a tombstone");
    }
}

/// Puts pictures into a watched folder and takes the results away, until `stop`. Returns samples of the memory of the
/// program that watches, in KiB.
fn watch(picture: &[u8], stop: &AtomicBool) -> Vec<u64> {
    let watched = Watched::new("--to bmp");
    let mut resident = Vec::new();
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        watched.put(&format!("{number}.png"), picture);
        let result = format!("out/{number}.bmp");
        assert!(watched.wait(&result).starts_with(b"BM"));
        watched.wait(&format!("out/originals/{number}.png"));
        fs::remove_file(watched.at(&result)).expect("a result");
        fs::remove_file(watched.at(&format!("out/originals/{number}.png"))).expect("an original");
        resident.push(watched.resident_kib());
    }
    resident
}

/// The means of the second and of the last minute. In a run of less than four minutes, the means of the second and of
/// the last quarter.
fn early_and_late_means(samples: &[u64]) -> (u64, u64) {
    let part = (samples.len() / 4).clamp(1, 60 * SAMPLES as usize);
    let mean = |part: &[u64]| part.iter().sum::<u64>() / part.len().max(1) as u64;
    let last = &samples[samples.len().saturating_sub(part)..];
    (
        mean(&samples[part..(2 * part).min(samples.len())]),
        mean(last),
    )
}

#[test]
fn a_long_mixed_load_leaks_nothing() {
    let seconds: u64 =
        std::env::var("CONVERTD_SOAK_SECONDS").map_or(5, |text| text.parse().expect("a number"));
    // Unused links take memory. They expire soon, so that their number is the same early and late.
    let mut server =
        Server::with("--converters 2 --log warn --link-ttl 10 --compat gotenberg").start();
    let long = seconds >= LONG;
    if long {
        server.terminate();
        remember_endings(&server);
        server.start_again();
    }
    let picture = pictures::png(120, 80);
    let first = server.convert(&picture, "picture.png", "bmp");
    let expected = server.get(&first.data("download_url")).body.to_vec();
    let idle = (server.process().descriptors(), server.process().threads());
    let traffic = Traffic {
        address: server.address(),
        picture,
        expected,
        stop: AtomicBool::new(false),
        served: AtomicU64::new(0),
        health: Mutex::default(),
    };
    let mut resident = Vec::new();
    let watching = thread::scope(|scope| {
        let watching = scope.spawn(|| watch(&traffic.picture, &traffic.stop));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|index| {
                let traffic = &traffic;
                scope.spawn(move || {
                    let mut kind = index;
                    while !traffic.stop.load(Ordering::Relaxed) {
                        // The step reaches every kind of action, in a different order for each client.
                        kind = kind.wrapping_mul(5).wrapping_add(2 * index + 3);
                        traffic.run_action(kind >> 8);
                    }
                })
            })
            .collect();
        for _ in 0..seconds * SAMPLES {
            thread::sleep(Duration::from_secs(1) / SAMPLES as u32);
            resident.push(server.process().resident_kib());
            if clients.iter().any(thread::ScopedJoinHandle::is_finished) {
                break;
            }
        }
        traffic.stop.store(true, Ordering::Relaxed);
        watching.join().expect("the watch has run")
    });
    let (early, late) = early_and_late_means(&watching);
    eprintln!(
        "{} watched files; resident early {early} KiB, late {late} KiB",
        watching.len()
    );
    assert!(!long || late <= early + early / 10, "{watching:?}");
    let mut times = traffic.health.into_inner().expect("times");
    times.sort();
    let (early, late) = early_and_late_means(&resident);
    eprintln!(
        "{} exchanges in {seconds} s; health 50 % {:?}, 99 % {:?}; resident early {early} KiB, late {late} KiB",
        traffic.served.into_inner(),
        times[times.len() / 2],
        times[times.len() * 99 / 100],
    );
    // Unused links and ended conversions take memory by design, up to a limit on their number.
    let promised = (records(&server, "live") * 600 + records(&server, "ended") * 150) / 1024;
    eprintln!("of which links and endings may take {promised} KiB");
    assert!(
        !long || late <= early + early / 10 + promised,
        "it grows: {resident:?}"
    );
    // Workers start when there is work, and then stay.
    let most = idle.1 + WORKERS;
    wait_for("descriptors and threads are as they were", || {
        let now = (server.process().descriptors(), server.process().threads());
        (now.0 <= idle.0 && now.1 <= most).then_some(())
    });
    assert_sound(&server);
}

/// The number of conversions in a state.
#[track_caller]
fn records(server: &Server, state: &str) -> u64 {
    let metrics = String::from_utf8(server.get("/metrics").body.to_vec()).expect("text");
    let name = format!("convertd_records{{state=\"{state}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
    line.and_then(|value| value.trim().parse().ok())
        .expect("a count")
}
