//! Very many connections: silent clients, slow clients, and clients that send requests and never read.

use super::{assert_sound, health};
use crate::{
    growth::costs_no_more,
    harness::{Client, DEADLINE, Request, Server, wait_for},
};
use rustix::{
    net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with},
    process::{Resource, Rlimit, getrlimit, prlimit, setrlimit},
};
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
};

/// Number of connections: `CONVERTD_CROWD`, or enough to make a cost per connection visible.
fn crowd_size() -> usize {
    std::env::var("CONVERTD_CROWD").map_or(2_000, |text| text.parse().expect("a number"))
}

/// Connects from an address in 127.0.0.0/8, which at most 16 connections share.
fn connect_from(index: usize, to: SocketAddr) -> TcpStream {
    // The socket is close-on-exec, so that servers of other tests do not inherit it.
    let (family, kind) = (AddressFamily::INET, SocketType::STREAM);
    let socket = socket_with(family, kind, SocketFlags::CLOEXEC, None).expect("a socket");
    let index = index as u32;
    let from = Ipv4Addr::from_bits(0x7f10_0000 + index / 16);
    bind(&socket, &SocketAddr::V4(SocketAddrV4::new(from, 0))).expect("an address");
    connect(&socket, &to).expect("the server accepts");
    TcpStream::from(socket)
}

/// Raises this process's limit on descriptors, because each connection needs one.
fn raise_descriptor_limit() {
    let most = getrlimit(Resource::Nofile).maximum;
    let raised = Rlimit {
        current: most,
        maximum: most,
    };
    setrlimit(Resource::Nofile, raised).expect("the limit can be raised");
}

/// Returns whether the other side has closed the connection, without waiting.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("no blocking");
    match (&*stream).read(&mut [0; 4096]) {
        Ok(len) => len == 0,
        Err(err) => err.kind() != std::io::ErrorKind::WouldBlock,
    }
}

/// A server with this many connections, half of them silent and half in the middle of a head.
fn crowded(count: usize) -> (Server, Vec<TcpStream>) {
    let server = Server::start();
    let crowd = (0..count).map(|index| {
        let mut stream = connect_from(index, server.address());
        if index % 2 == 0 {
            stream
                .write_all(b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Drip: ")
                .expect("sent");
        }
        stream
    });
    let crowd = crowd.collect();
    (server, crowd)
}

#[test]
fn silent_and_dripping_connections_delay_no_other_client() {
    raise_descriptor_limit();
    let mut server = Server::start();
    let quiet_threads = server.process().threads();
    drop(server);
    let count = crowd_size();
    // In both crowds, the same number of connections sends bytes, so that the difference between the crowds is the cost
    // of silent connections.
    let mut crowds = [count / 2, count].map(crowded);
    costs_no_more("health beside a crowd", 1, |times| {
        let (server, crowd) = &mut crowds[times - 1];
        let before = server.process().own_processor_time();
        for round in 0..100 {
            for mut stream in crowd.iter().skip(round % 10 * 2).step_by(20).take(20) {
                // The server may have closed this connection because it is slow.
                let _ = stream.write(b"x");
            }
            health(server);
        }
        let after = server.process().own_processor_time();
        after.saturating_sub(before)
    });
    let [(one, few), (mut server, crowd)] = crowds;
    drop((one, few));
    let resident = server.process().resident_kib();
    assert!(
        resident < 64 << 10,
        "{resident} KiB for {count} connections"
    );
    assert_eq!(
        server.process().threads(),
        quiet_threads,
        "the crowd costs threads"
    );
    eprintln!("{count} connections: {resident} KiB");
    drop(crowd);
    wait_for("the crowd's descriptors are free", || {
        (server.process().descriptors() < 200).then_some(())
    });
    assert_sound(&server);
}

#[test]
fn unread_answers_are_bounded_in_memory() {
    raise_descriptor_limit();
    let mut server = Server::start();
    // The answers together are larger than the socket buffers, so that the server stops in the middle of them.
    let one = b"GET /api/v1/formats HTTP/1.1\r\nHost: x\r\n\r\n";
    let many = one.repeat(2_000);
    let crowd: Vec<TcpStream> = (0..1_000)
        .map(|index| {
            let stream = connect_from(index, server.address());
            stream.set_nonblocking(true).expect("no blocking");
            let mut sent = 0;
            while let Ok(len @ 1..) = (&stream).write(&many[sent..]) {
                sent += len;
            }
            stream
        })
        .collect();
    for _ in 0..50 {
        let resident = server.process().resident_kib();
        assert!(
            resident < 64 << 10,
            "{resident} KiB for answers that nobody reads"
        );
        health(&server);
    }
    drop(crowd);
    assert_sound(&server);
}

/// Sets a flag when it is dropped. The flag ends the threads of a test.
pub(super) struct StopOnDrop<'a>(pub(super) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_client_that_pipelines_without_end_leaves_room_for_others() {
    let server = Server::start();
    let address = server.address();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // The flag is also set if an assertion below fails. Otherwise the threads would never end.
        let stopped = StopOnDrop(&stop);
        for _ in 0..2 {
            let stream = TcpStream::connect(address).expect("the server accepts");
            let reader = stream.try_clone().expect("a handle");
            let stop = &stop;
            scope.spawn(move || {
                let many = Request::get("/api/v1/health").bytes().repeat(500);
                while !stop.load(Ordering::Relaxed) {
                    let _ = (&stream).write_all(&many);
                }
                let _ = stream.shutdown(std::net::Shutdown::Both);
            });
            scope.spawn(move || while matches!((&reader).read(&mut [0; 65_536]), Ok(1..)) {});
        }
        // The clients above send and read until the flag is set. In the meantime, each of these requests must be
        // answered.
        (0..50).for_each(|_| health(&server));
        drop(stopped);
    });
}

#[test]
fn the_longest_idle_connection_makes_room() {
    let server = Server::with("--max-connections 40").start();
    let crowd: Vec<TcpStream> = (0..40)
        .map(|index| {
            let stream = connect_from(index, server.address());
            // Each connection is made after the server has answered on the previous one, so that the server knows their
            // order.
            let mut client = Client::over(stream);
            assert_eq!(client.send(Request::get("/api/v1/health")).status, 200);
            client.into_stream()
        })
        .collect();
    let mut late = Vec::new();
    for _ in 0..10 {
        let mut client = server.connect();
        assert_eq!(client.send(Request::get("/api/v1/health")).status, 200);
        late.push(client);
    }
    let closed: Vec<bool> = crowd.iter().map(is_closed).collect();
    let expected: Vec<bool> = (0..40).map(|index| index < 10).collect();
    assert_eq!(
        closed, expected,
        "the oldest ten are closed, and nobody else"
    );
    for mut client in late {
        assert_eq!(client.send(Request::get("/api/v1/health")).status, 200);
    }
}

#[test]
fn new_connections_are_not_closed_first() {
    let server = Server::with("--max-connections 40").start();
    let mut dripping = std::collections::VecDeque::new();
    let mut drip = |count: usize| {
        for _ in 0..count {
            let mut stream = connect_from(dripping.len(), server.address());
            stream
                .write_all(b"GET /api/v1/health HTTP/1.1\r\nX-Drip: ")
                .expect("sent");
            dripping.push_back(stream);
            dripping.truncate(400);
        }
    };
    drip(80);
    for _ in 0..20 {
        let mut client = server.connect();
        // More slow clients connect between this client's connection and its request.
        drip(20);
        client.write(Request::get("/api/v1/health").bytes());
        assert_eq!(client.read().status, 200);
    }
}

#[test]
fn three_thousand_simultaneous_requests_are_all_answered() {
    raise_descriptor_limit();
    let server = Server::start();
    let answer = server.convert(&super::pictures::ppm(20 << 20), "large.ppm", "bmp");
    let url = answer.data("download_url");
    // One client is downloading a result. Each other request for this result makes a worker wait briefly.
    let mut reader = server.connect();
    reader.write(Request::get(&url).bytes());
    reader.peek(1);
    let crowd: Vec<TcpStream> = (0..3_000)
        .map(|index| connect_from(index, server.address()))
        .collect();
    let paths = [
        url.clone(),
        url.replace("download", "status"),
        "/api/v1/download/none".into(),
    ];
    for (index, mut stream) in crowd.iter().enumerate() {
        let request = Request::get(&paths[index % paths.len()]);
        stream.write_all(&request.bytes()).expect("sent");
    }
    for (index, stream) in crowd.into_iter().enumerate() {
        let answer = Client::over(stream).read();
        // On a slow machine, another client may get the result, because the reader does not read.
        assert!(matches!(answer.status, 200 | 404), "{index}: {answer:?}");
    }
}

#[test]
fn exhausted_descriptors_do_not_stop_accept() {
    raise_descriptor_limit();
    let mut server = Server::start();
    assert_sound(&server);
    let limit = server.process().descriptors() as u64 + 24;
    let pid = rustix::process::Pid::from_raw(server.process().id() as i32);
    let low = Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    prlimit(pid, Resource::Nofile, low).expect("the limit can be set");
    let crowd: Vec<TcpStream> = (0..300)
        .map(|index| connect_from(index, server.address()))
        .collect();
    for _ in 0..20 {
        health(&server);
    }
    server.wait_for_line("the line about the failed accept", |line| {
        line.contains("accepting a connection failed")
    });
    drop(crowd);
    assert_sound(&server);
}

#[test]
fn a_burst_of_connections_is_accepted() {
    raise_descriptor_limit();
    let server = Server::start();
    // All connections are in the backlog before the server accepts one. It needs more than one round to accept them
    // all.
    let crowd: Vec<TcpStream> = (0..600)
        .map(|index| connect_from(index, server.address()))
        .collect();
    for mut stream in &crowd {
        stream
            .write_all(&Request::get("/api/v1/health").bytes())
            .expect("sent");
    }
    for stream in crowd {
        stream.set_read_timeout(Some(DEADLINE)).expect("a time-out");
        let mut client = Client::over(stream);
        assert_eq!(client.read().status, 200);
    }
}
