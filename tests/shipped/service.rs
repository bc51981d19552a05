//! Tests of the service that need more than one conversion: a store that two instances share, shutdown and restart.

use crate::{
    harness::{Form, Server},
    redis::Redis,
};

fn form() -> Form {
    Form::of(b"# Title\n", "a.md", "pdf")
}

#[test]
fn instances_share_a_store() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let id = one.accept(form());
    two.wait_until(&id, "ready");
    let file = two.download(&id);
    assert_eq!(file.status, 200, "{file:?}");
    assert!(file.body.starts_with(b"%PDF"));
    assert_eq!(one.status(&id)["status"], "expired");
}

#[test]
fn results_outlive_the_service() {
    let mut server = Server::start();
    let id = server.submit(form()).data("conversion_id");
    assert!(server.terminate().success());
    server.start_again();
    assert!(server.download(&id).body.starts_with(b"%PDF"));
    server.wait_until_empty();
}
