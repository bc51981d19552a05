//! Checks that no client and no file ends the service, blocks other clients, or loses results. `make soak` runs these
//! tests for longer, and `make bench-hostile` measures.

mod crash;
mod crowd;
mod disk;
mod framing;
mod fuzz;
mod greed;
mod growth;
mod isolation;
mod pictures;
mod pieces;
mod slow;
mod soak;
mod turns;

use crate::harness::{Answer, Client, Request, Server};
use std::time::Duration;

/// Checks the health endpoint over a new connection.
#[track_caller]
fn health(server: &Server) {
    let answer = server.get("/api/v1/health");
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// Checks that the service converts, delivers and is healthy after an attack.
#[track_caller]
fn assert_sound(server: &Server) {
    let answer = server.convert(&pictures::png(16, 16), "sound.png", "bmp");
    assert_eq!(answer.status, 200, "{answer:?}");
    let file = server.get(&answer.data("download_url"));
    assert_eq!((file.status, file.body.get(..2)), (200, Some(&b"BM"[..])));
    assert_eq!(server.get("/api/v1/health").data("status"), "operational");
}

/// Reads an answer within `limit` instead of the deadline of the harness.
fn read_within(client: &mut Client, limit: Duration) -> std::io::Result<Answer> {
    client.stream().set_read_timeout(Some(limit))?;
    client.try_read(false)
}

/// Sends the head of an upload and the first bytes of its body. The test may send the remaining bytes later.
#[track_caller]
fn begin_upload(server: &Server, len: u64, sent: &[u8]) -> Client {
    let mut client = server.connect();
    let request = Request::new("POST", "/api/v1/convert")
        .field("Content-Type", &crate::harness::Form::content_type())
        .field("Content-Length", &len.to_string());
    client.write(request.head_bytes());
    client.write(sent);
    client
}
