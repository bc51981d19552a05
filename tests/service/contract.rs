//! What every answer has in common.

use crate::harness::Server;

#[test]
fn starts() {
    let server = Server::start();
    assert_eq!(server.get("/api/v1/health").status, 200);
}
