//! Metrics, and the log in JSON. Every set of labels is limited, whatever clients send.

use crate::{
    contract::{failure, success},
    harness::{Answer, Form, Request, Server, wait_for},
    samples, tools,
};
use std::{
    collections::BTreeSet,
    io::Write,
    process::{Command, Stdio},
    time::Duration,
};

/// The value of a sample, as the page of metrics states it. `None` if the page has no such sample.
#[track_caller]
fn sample(page: &str, name: &str) -> Option<f64> {
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    Some(line.parse().unwrap())
}

#[track_caller]
fn page(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        answer.field("content-type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    String::from_utf8(answer.body.to_vec()).unwrap()
}

#[track_caller]
fn metrics(server: &Server) -> String {
    page(&server.get("/metrics"))
}

/// A server that has handled some requests of every kind.
fn busy() -> Server {
    let server = Server::start();
    let picture = samples::ppm(40, 30);
    let url = server
        .convert(&picture, "p.ppm", "png")
        .data("download_url");
    assert_eq!(server.get(&url).status, 200);
    success(&server.convert(&picture, "p.ppm", "png"), 200);
    failure(&server.convert(b"\x89PNG\r\n\x1a\n x", "p.png", "jpg"), 400);
    failure(&server.get("/nothing/here"), 404);
    failure(&server.send(Request::new("PUT", "/api/v1/health")), 405);
    server
}

#[test]
fn requests_and_conversions_are_counted() {
    let server = busy();
    // The service counts a request after it has sent the answer, so the page may not contain the request at first.
    let page = wait_for("everything is counted", || {
        let page = metrics(&server);
        let last = "convertd_http_requests_total{route=\"/api/v1/health\",status=\"405\"}";
        sample(&page, last).map(|_| page)
    });
    #[track_caller]
    fn check(page: &str, name: &str, expected: f64) {
        assert_eq!(sample(page, name), Some(expected), "{name} in {page}");
    }
    for (name, expected) in [
        (
            "convertd_http_requests_total{route=\"/api/v1/convert\",status=\"200\"}",
            2.0,
        ),
        (
            "convertd_http_requests_total{route=\"/api/v1/convert\",status=\"400\"}",
            1.0,
        ),
        (
            "convertd_http_requests_total{route=\"/api/v1/download/{conversion_id}\",status=\"200\"}",
            1.0,
        ),
        (
            "convertd_http_requests_total{route=\"other\",status=\"404\"}",
            1.0,
        ),
        (
            "convertd_http_request_seconds_count{route=\"/api/v1/convert\"}",
            3.0,
        ),
        (
            "convertd_conversions_total{from=\"ppm\",to=\"png\",outcome=\"done\"}",
            2.0,
        ),
        (
            "convertd_conversions_total{from=\"png\",to=\"jpg\",outcome=\"rejected\"}",
            1.0,
        ),
        (
            "convertd_conversion_seconds_count{from=\"ppm\",to=\"png\"}",
            2.0,
        ),
        ("convertd_queue_wait_seconds_count", 3.0),
        ("convertd_queue_depth", 0.0),
        ("convertd_records{state=\"live\"}", 1.0),
        ("convertd_records{state=\"ended\"}", 1.0),
    ] {
        check(&page, name, expected);
    }
    let positive = |name: &str| sample(&page, name).is_some_and(|value| value > 0.0);
    for name in [
        "convertd_http_received_bytes_total",
        "convertd_http_sent_bytes_total",
        "convertd_stored_bytes",
        "convertd_memory_budget_bytes",
        "convertd_open_connections",
    ] {
        assert!(positive(name), "{name} in {page}");
    }
    assert!(page.contains("convertd_build_info{version=\""));
    let received = sample(&page, "convertd_http_received_bytes_total").unwrap();
    assert!(received > 2.0 * 3.0 * 40.0 * 30.0, "{received}");
}

#[test]
fn waiting_conversions_and_replaced_children_are_counted() {
    let mut server = Server::with("--converters 1").start();
    server.process().freeze_children();
    let accept = |server: &Server| {
        let form = Form::of(&samples::ppm(9, 9), "p.ppm", "png");
        success(
            &server.send(Request::form(form).field("Prefer", "respond-async")),
            202,
        )
    };
    for _ in 0..3 {
        accept(&server);
    }
    server.wait_until_busy(1, 2);
    assert_eq!(
        sample(&metrics(&server), "convertd_records{state=\"processing\"}"),
        Some(3.0)
    );
    server.process().kill_children();
    wait_for("the child is replaced", || {
        let crashed = "convertd_children_replaced_total{reason=\"crashed\"}";
        sample(&metrics(&server), crashed).filter(|&count| count >= 1.0)
    });
}

#[test]
fn clients_cannot_create_labels() {
    let server = Server::start();
    let names = |page: &str| -> BTreeSet<String> {
        let lines = page.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| line.rsplit_once(' ').unwrap().0.to_owned())
            .collect()
    };
    let ask = |suffix: usize| {
        server.get(&format!("/api/v1/status/x{suffix}"));
        server.get(&format!("/api/v1/download/x{suffix}"));
        server.get(&format!("/x{suffix}"));
        server.send(Request::new("BREW", &format!("/y{suffix}")));
        server.convert(b"nothing", "p", &format!("z{suffix}"));
        server.get("/metrics");
    };
    ask(0);
    ask(1);
    let before = wait_for("all requests are counted", || {
        Some(metrics(&server)).filter(|page| page.contains("status=\"501\""))
    });
    for suffix in 2..20 {
        ask(suffix);
    }
    assert_eq!(names(&metrics(&server)), names(&before));
}

#[test]
fn promtool_finds_no_fault() {
    if !tools::has("promtool") {
        return;
    }
    let page = metrics(&busy());
    let mut promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = promtool.stdin.take().unwrap();
    stdin.write_all(page.as_bytes()).unwrap();
    drop(stdin);
    let output = promtool.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && stderr.trim().is_empty(),
        "{stderr}"
    );
}

#[test]
fn metrics_need_the_key_if_one_is_set() {
    let server = Server::with("--log info")
        .env("CONVERTD_API_KEYS", "the-key")
        .start();
    failure(&server.get("/metrics"), 401);
    page(&server.send(Request::get("/metrics").field("X-API-Key", "the-key")));
    failure(&server.send(Request::new("POST", "/metrics")), 405);
}

#[test]
fn metrics_may_have_a_listener_of_their_own() {
    let mut server = Server::with("--admin-listen 127.0.0.1:0")
        .env("CONVERTD_API_KEYS", "the-key")
        .start();
    let line = server.wait_for_line("the line with the address of the metrics", |line| {
        line.contains("metrics are on")
    });
    let (_, address) = line.split_once("http://").unwrap();
    let address = address.trim_end_matches("/metrics").parse().unwrap();
    let admin = |request: Request| crate::harness::Client::connect(address).send(request);
    let text = page(&admin(Request::get("/metrics?x=y")));
    assert!(sample(&text, "convertd_queue_depth").is_some());
    assert_eq!(admin(Request::head("/metrics")).status, 200);
    failure(&admin(Request::get("/api/v1/health")), 404);
    let refused = admin(Request::new("DELETE", "/metrics"));
    failure(&refused, 405);
    assert_eq!(refused.field("allow"), Some("GET, HEAD, OPTIONS"));
    let key = |request: Request| request.field("X-API-Key", "the-key");
    failure(&server.send(key(Request::get("/metrics"))), 404);
    assert!(server.terminate().success());
}

#[test]
fn the_cost_of_a_page_does_not_depend_on_the_number_of_records() {
    let mut server = Server::start();
    let empty = cheapest_pages(&mut server);
    // The test writes the records itself, because so many conversions would take minutes. The service reads them as
    // records of an earlier run.
    server.terminate();
    let data = server.data_dir();
    let now = crate::contract::now();
    for number in 0..10_000 {
        let id = format!("00000000-0000-4000-8000-{number:012x}");
        let dir = data.join(&id);
        std::fs::create_dir(&dir).unwrap();
        std::fs::write(dir.join("output"), b"content").unwrap();
        let record = format!(
            r#"{{"state":"ready","id":"{id}","original_filename":"a.png","original_format":"png","target_format":"jpg",
            "media_type":"image/jpeg","file_size":7,"conversion_time":0.1,"notes":[],"created_at":{now},"expires_at":{}}}"#,
            now + 1800
        );
        std::fs::write(dir.join("record.json"), record).unwrap();
    }
    server.start_again();
    let page = metrics(&server);
    assert_eq!(
        sample(&page, "convertd_records{state=\"live\"}"),
        Some(10_000.0)
    );
    assert_eq!(sample(&page, "convertd_stored_bytes"), Some(70_000.0));
    let full = cheapest_pages(&mut server);
    eprintln!("/metrics with 10,000 records: {full:?}; with none: {empty:?}");
    // If the service read every record, a request would take a hundred times as long on any machine.
    assert!(full < 3 * empty, "{full:?} instead of {empty:?}");
}

/// The smallest processor time for a hundred requests of the page of metrics, out of ten measurements.
#[track_caller]
fn cheapest_pages(server: &mut Server) -> Duration {
    let mut connection = server.connect();
    let costs = (0..10).map(|_| {
        let before = server.process().own_processor_time();
        for _ in 0..100 {
            assert_eq!(connection.send(Request::get("/metrics")).status, 200);
        }
        server.process().own_processor_time() - before
    });
    costs.min().unwrap()
}

#[test]
fn the_log_can_be_json_lines() {
    let mut server = Server::with("--log-format json --log debug").start();
    let request = Request::get("/api/v1/health?a=\"b").field("X-Request-Id", "my-id");
    success(&server.send(request), 200);
    assert!(server.terminate().success());
    let lines: Vec<serde_json::Value> = server
        .log()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|err| panic!("{line}: {err}")))
        .collect();
    assert!(lines.len() >= 3, "{lines:?}");
    for line in &lines {
        for name in ["time", "level", "message"] {
            assert!(line[name].is_string(), "{name} of {line}");
        }
        assert!(line["time"].as_str().unwrap().ends_with('Z'), "{line}");
    }
    let request = lines
        .iter()
        .find(|line| line["request_id"] == "my-id")
        .expect("the request");
    assert_eq!(
        (&request["method"], &request["path"], &request["status"]),
        (&"GET".into(), &"/api/v1/health".into(), &200.into())
    );
    assert!(request["bytes"].as_u64().unwrap() > 50);
    assert!(request["ms"].as_f64().unwrap() >= 0.0);
    assert_eq!(request["complete"], true);
}
