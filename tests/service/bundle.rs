//! Bundles: several results in one archive, which are consumed together or not at all. Another program reads the
//! archives.

use crate::{
    contract::failure,
    download::{Offer, is_gone, is_ready, large, offer, small},
    harness::{Answer, Client, Request, Server, wait_for},
    samples, tools,
};
use serde_json::{Value, json};
use std::{io::Write, process::Command};

fn request(body: &Value) -> Request {
    Request::new("POST", "/api/v1/bundle")
        .field("Content-Type", "application/json")
        .body(body.to_string().into_bytes())
}

fn of(ids: &[&str]) -> Request {
    request(&json!({ "conversion_ids": ids }))
}

fn ids(offers: &[Offer]) -> Vec<&str> {
    offers.iter().map(|offer| offer.id.as_str()).collect()
}

/// Names and contents of an archive, as read by Python's `zipfile`, which checks all checksums.
fn unpacked(archive: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    if !tools::has("python3") {
        return None;
    }
    let mut file = tempfile();
    file.1.write_all(archive).unwrap();
    let script = "import json, sys, zipfile\n\
        archive = zipfile.ZipFile(sys.argv[1])\n\
        assert archive.testzip() is None\n\
        print(json.dumps([[i.filename, archive.read(i).hex(), i.date_time[0]] for i in archive.infolist()]))";
    let output = Command::new("python3")
        .args(["-c", script])
        .arg(&file.0)
        .output()
        .unwrap();
    std::fs::remove_file(&file.0).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let listed: Vec<(String, String, i32)> = serde_json::from_slice(&output.stdout).unwrap();
    let bytes = |hex: &str| {
        let pairs = hex.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16);
        pairs.map(|pair| byte(pair).unwrap()).collect::<Vec<u8>>()
    };
    Some(
        listed
            .into_iter()
            .map(|(name, hex, year)| {
                assert!(year >= 2025, "{name} is of {year}");
                (name, bytes(&hex))
            })
            .collect(),
    )
}

fn tempfile() -> (std::path::PathBuf, std::fs::File) {
    let name = format!(
        "convertd-bundle-{}-{:?}.zip",
        std::process::id(),
        std::thread::current().id()
    );
    let path = std::env::temp_dir().join(name);
    let file = std::fs::File::create(&path).unwrap();
    (path, file)
}

#[test]
fn several_results_become_one_archive_and_are_consumed() {
    let server = Server::start();
    let ppm = samples::ppm(20, 20);
    let offers = [
        offer(&server, &ppm, "p.ppm", "ff"),
        offer(&server, &samples::ppm(30, 10), "P.ppm", "ff"),
        offer(&server, &ppm, "grün/../写真.ppm", "ff"),
    ];
    let mut asked = ids(&offers);
    asked.push(&offers[0].id);
    let mut connection = server.connect();
    let answer = connection.send(of(&asked));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.field("content-type"), Some("application/zip"));
    let len = answer.body.len().to_string();
    assert_eq!(answer.field("content-length"), Some(len.as_str()));
    if let Some(files) = unpacked(&answer.body) {
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["p.ff", "P (2).ff", "写真.ff"]);
        for ((name, content), offer) in files.iter().zip(&offers) {
            assert!(*content == offer.content, "{name}");
        }
    }
    for offer in &offers {
        is_gone(&server, offer);
    }
    // The connection is still usable.
    assert_eq!(connection.send(Request::get("/api/v1/health")).status, 200);
    server.wait_until_empty();
}

#[test]
fn an_unavailable_result_leaves_the_others_unconsumed() {
    let server = Server::start();
    let offers = [small(&server), small(&server)];
    let gone = small(&server);
    server.get(&gone.url);
    is_gone(&server, &gone);
    let check = |other: &str, reason: &str| {
        let answer = server.send(of(&[&offers[0].id, other, &offers[1].id]));
        let error = failure(&answer, 404);
        assert!(error.contains(other) && error.contains(reason), "{error}");
        for offer in &offers {
            is_ready(&server, offer);
        }
    };
    check(&gone.id, "has been downloaded");
    check(
        "5f0c1de0-0b7c-4f0e-9a3b-0123456789ab",
        "is not the identifier",
    );
    check("nonsense", "is not the identifier");
    assert_eq!(server.send(of(&ids(&offers))).status, 200);
}

#[test]
fn an_invalid_body_is_refused() {
    let server = Server::start();
    let check = |request: Request, status: u16, reason: &str| {
        let error = failure(&server.send(request), status);
        assert!(error.contains(reason), "{error}");
    };
    check(request(&json!({})), 400, "conversion_ids");
    check(of(&[]), 400, "empty");
    check(of(&vec!["x"; 1001]), 400, "at most 1000");
    check(of(&["x".repeat(70_000).as_str()]), 413, "longer than");
    check(
        of(&["x".repeat(70_000).as_str()]).chunked(1000),
        413,
        "longer than",
    );
    let form = Request::new("POST", "/api/v1/bundle").field("Content-Type", "text/plain");
    check(form.body(b"{}".to_vec()), 400, "application/json");
}

#[test]
fn a_broken_transfer_consumes_nothing() {
    let server = Server::start();
    let offers = [small(&server), large(&server), small(&server)];
    for received in [0, 100, 1 << 20] {
        let mut connection = server.connect();
        connection.write(of(&ids(&offers)).bytes());
        connection.read_bytes(received).unwrap();
        drop(connection);
        for offer in &offers {
            is_ready(&server, offer);
        }
    }
    let answer = wait_for("the links work again", || {
        let answer = server.send(of(&ids(&offers)));
        (answer.status == 200).then_some(answer)
    });
    if let Some(files) = unpacked(&answer.body) {
        assert!(
            files
                .iter()
                .zip(&offers)
                .all(|((_, content), offer)| *content == offer.content)
        );
    }
    for offer in &offers {
        is_gone(&server, offer);
    }
}

#[test]
fn results_sent_but_not_received_are_kept() {
    let server = Server::start();
    let offers = [
        small(&server),
        offer(&server, &samples::plain_qoi(200, 200), "p.qoi", "ff"),
    ];
    let mut connection = Client::connect_narrow(server.address());
    connection.write(of(&ids(&offers)).bytes());
    connection.peek(1);
    let error = failure(&server.send(of(&[&offers[0].id])), 404);
    assert!(error.contains("by another client"), "{error}");
    drop(connection);
    wait_for("the links work again", || {
        let answer: Answer = server.send(of(&ids(&offers)));
        (answer.status == 200).then_some(())
    });
    for offer in &offers {
        is_gone(&server, offer);
    }
}

#[test]
fn results_received_but_not_read_are_kept() {
    let server = Server::start();
    let offers = [small(&server), small(&server)];
    let mut connection = server.connect();
    connection.write(of(&ids(&offers)).bytes());
    wait_for("the client's kernel has the whole answer", || {
        (server.status(&offers[1].id)["status"] == "expired").then_some(())
    });
    // The kernel resets a connection that is closed with unread bytes, as if the client program had been killed.
    drop(connection);
    for offer in &offers {
        wait_for("the link works again", || {
            (server.status(&offer.id)["status"] == "ready").then_some(())
        });
    }
}
