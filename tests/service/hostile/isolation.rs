//! Converter children: their permissions, and the service after one of them ends.

use super::{assert_sound, pictures};
use crate::harness::{Client, Form, Request, Server, wait_for};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use std::{fs, path::Path};

/// Starts a conversion that takes seconds.
fn begin_long(server: &mut Server) -> (Client, u32) {
    let form = Form::of(pictures::long(), "large.png", "webp").field("quality", "high");
    let mut client = server.connect();
    client.write(Request::form(form).bytes());
    let child = wait_for("the conversion runs", || busy_child(server));
    (client, child)
}

/// A child in the middle of a large conversion, which is recognised by its large private memory. Resident memory would
/// not distinguish it, because an idle child also has pages of the program's file.
fn busy_child(server: &mut Server) -> Option<u32> {
    let is_busy = |pid: &u32| field(*pid, "RssAnon:") > 18 << 10;
    server.process().children().into_iter().find(is_busy)
}

/// A number in `/proc/PID/status`; 0 if it is missing.
fn field(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    let number = value.and_then(|value| value.split_whitespace().next());
    number
        .and_then(|number| {
            u64::from_str_radix(number, if name == "RssAnon:" { 10 } else { 16 }).ok()
        })
        .unwrap_or(0)
}

/// Returns whether a process has ended, or is a zombie.
fn is_dead(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_none_or(|rest| rest.trim().is_empty() || rest.trim().starts_with('Z'))
}

fn send_signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a process id"), signal).expect("the signal is sent");
}

#[test]
fn a_dying_child_fails_only_its_job() {
    let mut server = Server::with("--converters 2").start();
    // A child may abort because it cannot start a thread for lack of memory. An aborted job is therefore repeated three
    // times.
    for (signal, attempts) in [(Signal::SEGV, 1), (Signal::ABORT, 4)] {
        let (mut client, mut child) = begin_long(&mut server);
        // The job of the other child is not affected.
        assert_sound(&server);
        for attempt in 1..=attempts {
            // The first SEGV that is sent, and not caused by an access, only removes the signal handler of Rust's
            // standard library. The signal is therefore sent until the child ends.
            wait_for("the child dies", || {
                if !is_dead(child) {
                    send_signal(child, signal);
                }
                is_dead(child).then_some(())
            });
            if attempt < attempts {
                child = wait_for("another child runs the job", || busy_child(&mut server));
            }
        }
        let answer = client.read();
        assert_eq!(answer.status, 400, "{signal:?}: {answer:?}");
        assert!(answer.error().contains("decoder"), "{answer:?}");
        assert_sound(&server);
        assert_sound(&server);
        wait_for("both children are back", || {
            (server.process().children().len() == 2).then_some(())
        });
    }
    server.wait_for_line("the end of a child", |line| {
        line.contains("a converter child ended")
    });
}

/// The kernel kills a child when the machine has too little memory. The file is not the cause.
#[test]
fn a_job_is_retried_once_if_its_child_is_killed() {
    let mut server = Server::with("--converters 1").start();
    server.process().freeze_children();
    let picture = Form::of(&pictures::png(64, 48), "picture.png", "bmp");
    let mut client = server.connect();
    client.write(Request::form(picture).bytes());
    server.wait_until_busy(1, 0);
    server.process().kill_children();
    assert_eq!(client.read().status, 200);
    let (mut client, child) = begin_long(&mut server);
    send_signal(child, Signal::KILL);
    wait_for("the child is gone", || is_dead(child).then_some(()));
    let second = wait_for("another child runs the job", || busy_child(&mut server));
    send_signal(second, Signal::KILL);
    let answer = client.read();
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.field("retry-after").is_some(), "{answer:?}");
    assert_sound(&server);
}

/// The operator sets `ulimit -f`, which the child inherits. The file is not the cause of this error.
#[test]
fn exceeding_a_file_size_limit_is_reported_like_a_full_disk() {
    let mut server = Server::with("--converters 1").start();
    let limit = Rlimit {
        current: Some(1 << 20),
        maximum: Some(1 << 20),
    };
    let service = server.process().id();
    for process in server.process().children().into_iter().chain([service]) {
        let pid = Pid::from_raw(process as i32);
        prlimit(pid, Resource::Fsize, limit).expect("the limit can be set");
    }
    let answer = server.convert(&pictures::plain_png(900, 900), "large.png", "bmp");
    assert_eq!(answer.status, 507, "{answer:?}");
    assert_sound(&server);
}

#[test]
fn a_stopped_child_is_killed_at_the_time_limit() {
    let server = Server::with("--converters 1 --job-timeout 1").start();
    let mut server = server;
    let (mut client, child) = begin_long(&mut server);
    send_signal(child, Signal::STOP);
    let answer = client.read();
    assert_eq!(answer.status, 400, "{answer:?}");
    assert_sound(&server);
    assert!(is_dead(child));
}

#[test]
fn children_are_confined() {
    let mut server = Server::with("--converters 2 --log debug").start();
    assert_sound(&server);
    let line = server.wait_for_line("the line about confinement", |line| {
        line.contains("confined by")
    });
    for child in server.process().children() {
        assert_eq!(field(child, "NoNewPrivs:"), 1);
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            assert_eq!(field(child, set), 0, "{set}");
        }
        if line.contains("seccomp") {
            assert_eq!(field(child, "Seccomp:"), 2);
        }
        let descriptors: Vec<_> = fs::read_dir(format!("/proc/{child}/fd"))
            .expect("it runs")
            .flatten()
            .filter_map(|entry| fs::read_link(entry.path()).ok())
            .collect();
        assert!(descriptors.len() <= 6, "{descriptors:?}");
        for target in &descriptors {
            let known = ["/dev/null", "socket:", "/proc/"];
            let target = target.to_string_lossy();
            assert!(
                known.iter().any(|known| target.starts_with(known)),
                "{target}"
            );
        }
        let sockets = descriptors
            .iter()
            .filter(|t| t.to_string_lossy().starts_with("socket:"));
        // Standard input and its duplicate are the same socket.
        let mut sockets: Vec<_> = sockets.collect();
        sockets.dedup();
        assert_eq!(sockets.len(), 1, "{descriptors:?}");
        let environment = fs::read(format!("/proc/{child}/environ")).expect("it runs");
        assert!(environment.is_empty(), "it inherits variables");
        assert_eq!(
            fs::read_link(format!("/proc/{child}/cwd")).unwrap(),
            Path::new("/")
        );
    }
}

#[test]
fn children_end_whenever_the_service_ends() {
    let mut server = Server::with("--converters 2").start();
    let (_client, _) = begin_long(&mut server);
    let children = server.process().children();
    assert_eq!(children.len(), 2);
    server.kill();
    for child in children {
        wait_for("a child is gone", || is_dead(child).then_some(()));
    }
    server.start_again();
    let children = server.process().children();
    assert_sound(&server);
    // A terminal or supervisor sends these signals to the whole process group. They must not end children before the
    // service ends.
    for &child in &children {
        send_signal(child, Signal::TERM);
        send_signal(child, Signal::INT);
    }
    assert_sound(&server);
    assert_eq!(server.process().children(), children);
    assert!(server.terminate().success());
    for child in children {
        wait_for("a child is gone", || is_dead(child).then_some(()));
    }
}
