//! Restrictions on the children of the shipped program.

use crate::harness::{Form, Server};
use std::fs;

/// A number in `/proc/PID/status`.
fn field(pid: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    u64::from_str_radix(value.trim(), 16).ok()
}

#[test]
fn children_are_confined() {
    let mut server = Server::with("--isolation process --log debug --converters 1").start();
    let locked = Form::of(b"%!", "a.pdf", "pdf");
    assert_eq!(server.submit(locked).status, 400);
    let answer = server.submit(Form::of(b"# Title\n", "a.md", "pdf"));
    assert_eq!(answer.status, 200, "{answer:?}");
    let line = server.wait_for_line("the line about confinement", |line| {
        line.contains("confined by")
    });
    let child = server.process().children()[0];
    assert_eq!(field(child, "NoNewPrivs:"), Some(1));
    assert_eq!(field(child, "CapEff:"), Some(0));
    if !line.contains("seccomp") {
        eprintln!("skipped: this kernel filters no system calls: {line}");
        return;
    }
    assert_eq!(field(child, "Seccomp:"), Some(2), "{line}");
}
