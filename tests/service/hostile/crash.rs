//! Kills the service (`kill -9`) at any moment. After that, each record is complete, each file belongs to a record, and
//! the service keeps every promise.

use super::pictures;
use crate::harness::{Client, Form, Request, Server, wait_for};
use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// The promises that clients have at the time of a crash.
#[derive(Default)]
struct Promises {
    /// Unused links.
    ready: Vec<String>,
    /// Accepted (asynchronous) conversions.
    accepted: Vec<String>,
    /// Links whose results have arrived completely. A crash may restore such a link until the service has reported it
    /// as consumed.
    delivered: Vec<String>,
    /// Links that the service has reported as consumed.
    consumed: Vec<String>,
}

fn id_of(answer: &crate::harness::Answer) -> String {
    answer.data("conversion_id")
}

/// A client that works until the service ends.
fn client(
    index: usize,
    address: std::net::SocketAddr,
    source: &[u8],
    stop: &AtomicBool,
    promises: &Mutex<Promises>,
) {
    let keep = |what: fn(&mut Promises) -> &mut Vec<String>, id: &str| {
        what(&mut promises.lock().expect("promises")).push(id.to_owned());
    };
    let ask = |request: Request| {
        let mut client = Client::over(std::net::TcpStream::connect(address).ok()?);
        client.try_write(&request.bytes()).ok()?;
        client.try_read(false).ok()
    };
    let form = || Form::of(source, "picture.png", "bmp");
    let mut turn = index;
    while !stop.load(Ordering::Relaxed) {
        turn += 1;
        let attempt = || {
            if turn.is_multiple_of(3) {
                let answer = ask(Request::form(form()).field("Prefer", "respond-async"))?;
                assert_eq!(answer.status, 202, "{answer:?}");
                keep(|promises| &mut promises.accepted, &id_of(&answer));
                return Some(());
            }
            let answer = ask(Request::form(form()))?;
            assert_eq!(answer.status, 200, "{answer:?}");
            let id = id_of(&answer);
            if turn % 3 == 1 {
                keep(|promises| &mut promises.ready, &id);
                return Some(());
            }
            let Some(file) = ask(Request::get(&answer.data("download_url"))) else {
                // The transfer was interrupted, or the file arrived completely and only the confirmation was lost. The
                // link may be consumed or not.
                keep(|promises| &mut promises.delivered, &id);
                return None;
            };
            assert_eq!(file.status, 200, "{file:?}");
            match ask(Request::get(&format!("/api/v1/status/{id}"))) {
                Some(status) => {
                    assert_eq!(status.data("status"), "expired", "read to the end");
                    keep(|promises| &mut promises.consumed, &id);
                }
                None => keep(|promises| &mut promises.delivered, &id),
            }
            Some(())
        };
        if attempt().is_none() {
            return;
        }
    }
}

/// Checks that the restarted service keeps every promise, and that it has no other conversions and no other files.
fn verify(server: &Server, promises: &mut Promises, expected: &[u8]) {
    for id in promises.accepted.drain(..) {
        wait_for("an accepted conversion is finished", || {
            (server.status(&id)["status"] == "ready").then_some(())
        });
        promises.ready.push(id);
    }
    let mut files: BTreeSet<String> = BTreeSet::new();
    // The service deletes remnants of the crash shortly after its start.
    wait_for("every file belongs to a known conversion", || {
        files = server.files().into_iter().collect();
        let strange = files.iter().find(|file| {
            let is_tombstone = file.starts_with("ended/");
            let is_result = file.ends_with(".result");
            !is_tombstone && (!is_result || file.starts_with("incoming/"))
        });
        strange.is_none().then_some(())
    });
    for id in &promises.ready {
        assert!(files.contains(&format!("{id}.result")), "{id} is lost");
    }
    for id in promises.consumed.drain(..) {
        assert_eq!(server.status(&id)["status"], "expired", "{id} is back");
        assert_eq!(server.get(&format!("/api/v1/download/{id}")).status, 404);
    }
    promises.ready.append(&mut promises.delivered);
    for id in promises.ready.drain(..) {
        let answer = server.get(&format!("/api/v1/download/{id}"));
        match answer.status {
            200 => assert!(*answer.body == *expected, "{id} is torn"),
            404 => assert_eq!(server.status(&id)["status"], "expired"),
            status => panic!("{id}: {status}"),
        }
    }
}

/// If a client has read a result completely, the result stays consumed. Before the crash, the service needs a moment to
/// notice that.
#[test]
fn a_complete_download_stays_consumed_after_a_crash() {
    let source = pictures::png(300, 200);
    let mut server = Server::with("--converters 1").start();
    for _ in 0..10 {
        let answer = server.convert(&source, "picture.png", "bmp");
        let file = server.get(&answer.data("download_url"));
        assert_eq!(file.status, 200);
        // After the service has noticed the end of the download, no crash makes the result available again.
        server.wait_until_empty();
        server.kill();
        server.start_again();
        assert_eq!(server.status(&id_of(&answer))["status"], "expired");
    }
}

#[test]
fn a_crash_at_any_moment_loses_no_accepted_work() {
    let rounds: u32 =
        std::env::var("CONVERTD_CRASHES").map_or(10, |text| text.parse().expect("a number"));
    let source = pictures::png(300, 200);
    let mut server = Server::with("--converters 2").start();
    let first = server.convert(&source, "picture.png", "bmp");
    let expected = server.get(&first.data("download_url")).body.to_vec();
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..rounds {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let (stop, promises) = (AtomicBool::new(false), Mutex::new(Promises::default()));
        let address = server.address();
        thread::scope(|scope| {
            for index in 0..6 {
                let (source, stop, promises) = (&source, &stop, &promises);
                scope.spawn(move || client(index, address, source, stop, promises));
            }
            thread::sleep(Duration::from_millis(random % 200));
            server.kill();
            stop.store(true, Ordering::Relaxed);
        });
        server.start_again();
        let mut promises = promises.into_inner().expect("promises");
        let untouched = promises.ready.clone();
        // Nobody has requested these results, so they are still available.
        for id in &untouched {
            assert_eq!(server.status(id)["status"], "ready", "{id}");
        }
        verify(&server, &mut promises, &expected);
    }
}
