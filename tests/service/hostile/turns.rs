//! Turns of clients: a client's long conversions do not delay those of other clients, however many addresses send long
//! conversions.

use super::pictures;
use crate::harness::{Answer, Form, Request, Server, wait_for};

/// A service that trusts this machine as a proxy.
fn server(args: &str) -> Server {
    Server::with(&format!("--trusted-proxies 127.0.0.1 --memory 1G {args}")).start()
}

/// Sends a file whose conversion takes many seconds, from the address `client` and with `respond-async`, until the
/// server refuses it. Returns the identifiers of the accepted conversions.
#[track_caller]
fn take_all(server: &Server, long: &Form, client: &str) -> Vec<String> {
    let send = || {
        let request = Request::form(long.clone()).field("Prefer", "respond-async");
        let answer = server.send(request.field("X-Forwarded-For", client));
        assert!(matches!(answer.status, 202 | 503), "{answer:?}");
        (answer.status == 202).then(|| answer.data("conversion_id"))
    };
    std::iter::from_fn(send).take(20).collect()
}

/// The conversion that takes longest for the size of its file.
fn long() -> Form {
    Form::of(&pictures::plain_png(3000, 3000), "long.png", "avif").field("quality", "high")
}

#[track_caller]
fn icon(server: &Server, client: &str) -> Answer {
    let icon = Request::form(Form::of(&pictures::png(64, 48), "icon.png", "bmp"));
    server.send(icon.field("X-Forwarded-For", client))
}

#[track_caller]
fn is_processing(server: &Server, id: &str) -> bool {
    server.status(id)["status"] == "processing"
}

/// Checks that a client does not have to wait for others, although each of `clients` addresses has as many conversions
/// as it may have.
#[track_caller]
fn check(converters: usize, clients: usize) {
    let server = server(&format!("--converters {converters}"));
    let long = long();
    let taken: Vec<String> = (1..=clients)
        .flat_map(|client| take_all(&server, &long, &format!("192.0.2.{client}")))
        .collect();
    assert!(taken.len() >= clients);
    for client in 1..=3 {
        let answer = icon(&server, &format!("198.51.100.{client}"));
        assert_eq!(answer.status, 200, "{clients} clients: {answer:?}");
    }
    // A fast machine may have finished some of the long conversions, but the icons did not wait for all of them.
    assert!(taken.iter().any(|id| is_processing(&server, id)));
}

#[test]
fn one_address_does_not_hold_up_another() {
    check(1, 1);
    check(2, 1);
}

#[test]
fn twelve_addresses_do_not_hold_up_a_thirteenth() {
    check(1, 12);
    check(2, 12);
}

/// Uploads that never end occupy the workers that receive them. One address can occupy only a share of these workers.
#[test]
fn one_address_does_not_hold_all_workers_that_receive_uploads() {
    let server = server("--converters 1 --workers 4 --queue 4");
    let unfinished = Request::form(long()).field("X-Forwarded-For", "192.0.2.1");
    let bytes = unfinished.bytes();
    let open = || {
        let mut connection = server.connect();
        connection.write(&bytes[..bytes.len() - 1]);
        connection
    };
    let held: Vec<_> = (0..12).map(|_| open()).collect();
    for client in 1..=3 {
        let answer = icon(&server, &format!("198.51.100.{client}"));
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    drop(held);
}

/// Two conversions may be stopped at the same time, but the memory suffices for only one of them. A new conversion
/// replaces a stopped one, and all of them finish in the end.
#[test]
fn a_new_conversion_replaces_a_stopped_one_if_memory_is_short() {
    let server = Server::with("--trusted-proxies 127.0.0.1 --converters 1 --memory 64M").start();
    let long = Form::of(&pictures::plain_png(1000, 1000), "long.png", "avif");
    let long = long.field("quality", "high");
    let accept = |client: usize| {
        let request = Request::form(long.clone()).field("Prefer", "respond-async");
        let answer = server.send(request.field("X-Forwarded-For", &format!("192.0.2.{client}")));
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.data("conversion_id")
    };
    let ids: Vec<_> = (1..=4).map(accept).collect();
    assert_eq!(icon(&server, "198.51.100.1").status, 200);
    // A fast machine may have finished some of the long conversions, but the icon did not wait for all of them.
    assert!(ids.iter().any(|id| is_processing(&server, id)));
    for id in ids {
        server.wait_until(&id, "ready");
    }
}

/// The test stops the child, which then acts as a very long conversion. The service lets the child continue after the
/// second conversion has ended.
#[test]
fn a_stopped_conversion_is_resumed() {
    let mut server = server("--converters 1");
    server.process().freeze_children();
    let form = Form::of(&pictures::png(64, 48), "icon.png", "bmp");
    let request = Request::form(form).field("Prefer", "respond-async");
    let answer = server.send(request.field("X-Forwarded-For", "192.0.2.1"));
    server.wait_until_busy(1, 0);
    assert_eq!(icon(&server, "192.0.2.2").status, 200);
    server.wait_until(&answer.data("conversion_id"), "ready");
    wait_for("only one child is kept", || {
        (server.process().children().len() == 1).then_some(())
    });
}

#[test]
fn a_stopped_conversion_ends_with_its_client_or_the_service() {
    let mut server = server("--converters 1");
    let stopped = |server: &Server, count: usize| {
        let line = format!("\nconvertd_stopped_conversions {count}\n");
        wait_for("the expected number of conversions is stopped", || {
            let page = server.get("/metrics").body.to_vec();
            String::from_utf8(page)
                .expect("it is text")
                .contains(&line)
                .then_some(())
        });
    };
    let send = |client: &str| {
        let mut connection = server.connect();
        connection.write(
            Request::form(long())
                .field("X-Forwarded-For", client)
                .bytes(),
        );
        connection
    };
    let (first, second) = (send("192.0.2.1"), send("192.0.2.2"));
    stopped(&server, 1);
    drop((first, second));
    stopped(&server, 0);
    server.wait_until_busy(0, 0);
    let ids: Vec<_> = (1..=2)
        .flat_map(|client| take_all(&server, &long(), &format!("192.0.2.{client}")))
        .collect();
    stopped(&server, 1);
    assert!(ids.iter().all(|id| is_processing(&server, id)));
    server.process().signal(rustix::process::Signal::TERM);
    server.wait();
}

/// All addresses of an IPv6 network count as one client.
#[test]
fn an_ipv6_network_counts_as_one_client() {
    let server = server("--converters 1");
    let long = long();
    let taken: usize = (1..=12)
        .map(|host| take_all(&server, &long, &format!("2001:db8::{host:x}")).len())
        .sum();
    // A client may have eight conversions for each converter.
    assert_eq!(taken, 8);
    assert!(!take_all(&server, &long, "2001:db8:0:1::1").is_empty());
}
