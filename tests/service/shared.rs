//! Several instances that share a Redis server. A conversion is the same at every instance, and is performed and
//! downloaded once, whatever happens to an instance or to Redis. Each test starts a Redis server of its own.

mod redis;

use self::redis::Redis;
use crate::{
    contract::{failure, success},
    harness::{Answer, Client, Form, Request, Server, free_port, wait_for},
    samples,
};
use rustix::process::Signal;
use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

fn form() -> Form {
    Form::of(&samples::ppm(64, 64), "p.ppm", "bmp")
}

/// A form whose result is stored in Redis in many pieces, because it has 3 MB.
fn large() -> Form {
    Form::of(&samples::ppm(1000, 1000), "p.ppm", "bmp")
}

/// Sends a request until the answer is not 503: where the disk is slow, Redis may not answer in time.
#[track_caller]
fn repeated(server: &Server, request: &Request) -> Answer {
    wait_for("an answer other than 503", || {
        let answer = server.send(request.clone());
        (answer.status != 503).then_some(answer)
    })
}

fn range(server: &Server, id: &str, bytes: &str) -> Answer {
    let request = Request::get(&format!("/api/v1/download/{id}")).field("Range", bytes);
    repeated(server, &request)
}

/// Waits until Redis holds no bytes of any file.
#[track_caller]
fn wait_until_no_bytes(redis: &Redis) {
    wait_for("no bytes are left", || {
        (redis.keys("b:").is_empty() && redis.keys("u:").is_empty()).then_some(())
    });
}

// ---- requests to any instance

#[test]
fn a_link_works_once_on_any_instance() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    for form in [form as fn() -> Form, large] {
        let record = success(&one.submit(form()), 200);
        let id = record["conversion_id"].as_str().unwrap();
        let status = two.status(id);
        for name in ["file_size", "expires_at", "original_filename", "media_type"] {
            assert_eq!(status[name], record[name], "{name}");
        }
        let head = two.send(Request::head(&format!("/api/v1/download/{id}")));
        assert_eq!(head.status, 200);
        let answer = two.download(id);
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.body.len() as u64,
            record["file_size"].as_u64().unwrap()
        );
        assert_eq!(samples::identify(&answer.body), "bmp");
        for server in [&one, &two] {
            let status = server.status(id);
            assert_eq!(status["status"], "expired");
            assert_eq!(status["expires_at"], record["expires_at"]);
            assert!(failure(&server.download(id), 404).contains("downloaded"));
        }
    }
    wait_until_no_bytes(&redis);
    one.wait_until_empty();
}

#[test]
fn a_repeat_may_reach_another_instance() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (mut one, two) = (redis.instance("").start(), redis.instance("").start());
    let keyed = |form: Form, key: &str| Request::form(form).field("Idempotency-Key", key);
    let id_of = |answer: &Answer| success(answer, 200)["conversion_id"].to_string();
    let first = one.send(keyed(form(), "k"));
    assert_eq!(id_of(&two.send(keyed(form(), "k"))), id_of(&first));
    failure(&two.send(keyed(large(), "k")), 409);
    assert_eq!(one.download(&first.data("conversion_id")).status, 200);
    wait_for("the key is free", || {
        let again = two.send(keyed(form(), "k"));
        (again.status == 200 && id_of(&again) != id_of(&first)).then_some(())
    });
    // The key is taken while the first conversion runs, as long as its instance sends heartbeats.
    one.process().freeze_children();
    let mut waiting = one.connect();
    waiting.write(keyed(form(), "slow").bytes());
    wait_for("the key is taken", || {
        (redis.keys("k:").len() == 2).then_some(())
    });
    for _ in 0..5 {
        thread::sleep(Duration::from_secs(1));
        assert!(failure(&two.send(keyed(form(), "slow")), 409).contains("under way"));
    }
    one.kill();
    wait_for("the key is free", || {
        (two.send(keyed(form(), "slow")).status == 200).then_some(())
    });
}

#[test]
fn an_accepted_conversion_may_run_on_another_instance() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let accept = |number: usize| {
        let request = Request::form(large())
            .field("Prefer", "respond-async")
            .field("Idempotency-Key", &number.to_string());
        success(&repeated(&one, &request), 202)["conversion_id"].clone()
    };
    let ids: Vec<_> = (0..24).map(accept).collect();
    let ids: Vec<_> = ids.iter().map(|id| id.as_str().expect("a text")).collect();
    for id in ids {
        let status = Request::get(&format!("/api/v1/status/{id}?wait=30"));
        wait_for("the conversion", || {
            (success(&repeated(&two, &status), 200)["status"] == "ready").then_some(())
        });
        let download = Request::get(&format!("/api/v1/download/{id}"));
        assert_eq!(repeated(&two, &download).status, 200);
    }
    for server in [&one, &two] {
        let log = server.log();
        let ran = log.iter().filter(|line| line.contains("is ready")).count();
        assert!(ran > 0, "it was idle all the time");
    }
    wait_until_no_bytes(&redis);
}

#[test]
fn every_instance_reports_a_failure() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let damaged = Form::of(b"\x89PNG\r\n\x1a\n damaged", "p.png", "jpg");
    let id = one.accept(damaged);
    let path = format!("/api/v1/status/{id}");
    for server in [&one, &two] {
        let answer = wait_for("the failure", || {
            Some(server.get(&path)).filter(|answer| answer.status != 200)
        });
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(failure(&server.download(&id), 404).contains("failed"));
    }
    assert_eq!(two.status("no-such-conversion")["status"], "not_found");
    wait_until_no_bytes(&redis);
}

#[test]
fn links_expire_by_the_clock_of_redis() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let one = redis.instance("--link-ttl 1").start();
    let two = redis.instance("--link-ttl 1").start();
    let id = one.submit(form()).data("conversion_id");
    two.wait_until(&id, "expired");
    assert!(failure(&two.download(&id), 404).contains("expired"));
    wait_until_no_bytes(&redis);
}

// ---- conversions and downloads happen once

#[test]
fn one_of_many_simultaneous_downloads_gets_the_file() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let servers = [redis.instance("").start(), redis.instance("").start()];
    for form in [form as fn() -> Form, large] {
        let id = servers[0].submit(form()).data("conversion_id");
        let statuses: Vec<u16> = thread::scope(|scope| {
            let downloads: Vec<_> = (0..12)
                .map(|at| {
                    let (server, id) = (&servers[at % 2], &id);
                    scope.spawn(move || server.download(id).status)
                })
                .collect();
            downloads
                .into_iter()
                .map(|one| one.join().unwrap())
                .collect()
        });
        let got = statuses.iter().filter(|&&status| status == 200).count();
        assert_eq!(got, 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 404].contains(status)));
    }
}

#[test]
fn a_download_that_breaks_leaves_the_file_for_another_instance() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let id = one.submit(large()).data("conversion_id");
    let mut client = Client::connect_narrow(one.address());
    client.write(Request::get(&format!("/api/v1/download/{id}")).bytes());
    client.read_bytes(1000).unwrap();
    assert_eq!(two.download(&id).status, 404, "another download holds it");
    drop(client);
    let answer = wait_for("the file can be downloaded again", || {
        Some(two.download(&id)).filter(|answer| answer.status == 200)
    });
    assert!(answer.body.len() > 3_000_000);
    assert_eq!(one.status(&id)["status"], "expired");
}

#[test]
fn ranges_from_several_instances_complete_a_download() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let record = success(&one.submit(large()), 200);
    let id = record["conversion_id"].as_str().unwrap();
    let mut parts = BTreeMap::new();
    for (at, server) in [(2, &one), (0, &two), (1, &one)] {
        let (first, last) = (at * 1_200_000, at * 1_200_000 + 1_199_999);
        assert_eq!(two.status(id)["status"], "ready");
        let answer = range(server, id, &format!("bytes={first}-{last}"));
        assert_eq!(answer.status, 206, "{answer:?}");
        parts.insert(at, answer.body.to_vec());
    }
    let whole: Vec<u8> = parts.into_values().flatten().collect();
    assert_eq!(whole.len() as u64, record["file_size"].as_u64().unwrap());
    assert_eq!(samples::identify(&whole), "bmp");
    two.wait_until(id, "expired");
    wait_until_no_bytes(&redis);
}

#[test]
fn a_bundle_takes_results_of_every_instance() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let ids = [&one, &two].map(|server| server.submit(large()).data("conversion_id"));
    let body = serde_json::json!({ "conversion_ids": ids }).to_string();
    let request = Request::new("POST", "/api/v1/bundle")
        .field("Content-Type", "application/json")
        .body(body.into_bytes());
    let answer = one.send(request);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.starts_with(b"PK") && answer.body.len() > 6_000_000);
    for id in &ids {
        two.wait_until(id, "expired");
    }
}

// ---- instances that end

#[test]
fn a_dead_instances_work_is_taken_over() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let mut one = redis.instance("").start();
    one.process().freeze_children();
    let id = one.accept(form());
    redis.wait_until_begun(&id);
    let alive = Instant::now();
    one.kill();
    let two = redis.instance("").start();
    two.wait_until(&id, "ready");
    // The lease of three seconds was renewed at most a second before the kill.
    assert!(
        alive.elapsed() > Duration::from_millis(1500),
        "before its lease ended"
    );
    assert_eq!(two.download(&id).status, 200);
}

#[test]
fn a_stalled_instance_gives_up_a_conversion_that_was_taken_over() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let mut one = redis.instance("--converters 1").start();
    one.process().freeze_children();
    let id = one.accept(form());
    redis.wait_until_begun(&id);
    // The instance must have given the conversion to its child. Otherwise it would have no conversion when it
    // continues, and would give the next one to the stopped child.
    one.wait_until_busy(1, 0);
    one.process().signal(Signal::STOP);
    let two = redis.instance("").start();
    two.wait_until(&id, "ready");
    one.process().signal(Signal::CONT);
    // The only converter is busy with the stopped child until the deadline of that conversion.
    success(&one.submit(form()), 200);
    assert_eq!(one.download(&id).status, 200);
}

#[test]
fn a_conversion_that_ends_every_instance_fails_after_three_attempts() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let mut server = redis.instance("").start();
    server.process().freeze_children();
    let id = server.accept(form());
    for attempt in 1..=3 {
        wait_for("the conversion is begun", || {
            let n = redis.ask(&format!("HGET {{convertd}}:r:{id} n"));
            n.contains(&format!("\n{attempt}")).then_some(())
        });
        server.kill();
        server.start_again();
        server.process().freeze_children();
    }
    let answer = wait_for("the conversion has failed", || {
        let answer = server.get(&format!("/api/v1/status/{id}"));
        (answer.status != 200).then_some(answer)
    });
    assert_eq!(answer.status, 500);
}

#[test]
fn an_instance_that_stops_gives_its_work_back_at_once() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let mut one = redis.instance("--lease 600").start();
    one.process().freeze_children();
    let id = one.accept(form());
    redis.wait_until_begun(&id);
    let two = redis.instance("").start();
    one.process().signal(Signal::TERM);
    two.wait_until(&id, "ready");
    one.wait();
}

#[test]
fn a_stalled_instance_does_not_deliver_a_result_again() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (mut one, two) = (redis.instance("").start(), redis.instance("").start());
    // The file is larger than the socket buffers, so the download stays incomplete.
    let form = Form::of(&samples::ppm(2000, 2000), "p.ppm", "bmp");
    let id = one.submit(form).data("conversion_id");
    let mut client = Client::connect_narrow(one.address());
    client.write(Request::get(&format!("/api/v1/download/{id}")).bytes());
    client.read_bytes(1000).unwrap();
    one.process().signal(Signal::STOP);
    let answer = wait_for("the lease ends", || {
        Some(two.download(&id)).filter(|answer| answer.status == 200)
    });
    assert_eq!(answer.body.len(), 12_000_054);
    one.process().signal(Signal::CONT);
    let rest = client.read_bytes(12_000_000);
    assert!(rest.is_err(), "a second delivery");
}

// ---- Redis that ends, does not answer, or is full

#[test]
fn without_redis_requests_get_503() {
    let Some(mut redis) = Redis::start() else {
        return;
    };
    let server = redis.instance("").start();
    let id = server.submit(large()).data("conversion_id");
    let path = format!("/api/v1/download/{id}");
    redis.kill();
    for request in [
        Request::form(form()),
        Request::form(form()).field("Prefer", "respond-async"),
        Request::get(&path),
        Request::new("DELETE", &path),
        Request::get(&format!("/api/v1/status/{id}")),
        Request::get(&format!("/api/v1/status/{id}?wait=1")),
    ] {
        let answer = server.send(request);
        failure(&answer, 503);
        assert!(answer.field("retry-after").is_some());
    }
    let health = success(&server.get("/api/v1/health"), 200);
    assert_eq!(health["status"], "degraded");
    assert_eq!(server.get("/api/v1/formats").status, 200);
    redis.start_again();
    wait_for("the service is operational again", || {
        (success(&server.get("/api/v1/health"), 200)["status"] == "operational").then_some(())
    });
    assert_eq!(server.get(&path).status, 200, "nothing is lost");
}

#[test]
fn a_running_download_survives_redis_and_counts() {
    let Some(mut redis) = Redis::start() else {
        return;
    };
    let server = redis.instance("--lease 60").start();
    let record = success(&server.submit(large()), 200);
    let id = record["conversion_id"].as_str().unwrap();
    let mut client = Client::connect_narrow(server.address());
    client.write(Request::get(&format!("/api/v1/download/{id}")).bytes());
    client.read_bytes(1000).unwrap();
    redis.kill();
    client
        .read_bytes(record["file_size"].as_u64().unwrap() as usize - 1000)
        .unwrap();
    redis.start_again();
    wait_for("the delivery is reported", || {
        let answer = server.get(&format!("/api/v1/status/{id}"));
        (answer.status == 200 && answer.json()["data"]["status"] == "expired").then_some(())
    });
    wait_until_no_bytes(&redis);
}

#[test]
fn a_frozen_redis_blocks_no_request() {
    let Some(mut redis) = Redis::start() else {
        return;
    };
    let server = redis.instance("").start();
    let id = server.submit(form()).data("conversion_id");
    redis.signal(Signal::STOP);
    let path = format!("/api/v1/status/{id}");
    for _ in 0..3 {
        failure(&server.get(&path), 503);
    }
    redis.signal(Signal::CONT);
    wait_for("the service answers again", || {
        (server.get(&path).status == 200).then_some(())
    });
    assert_eq!(server.download(&id).status, 200);
}

#[test]
fn redis_may_come_up_after_the_service() {
    let Some(mut late) = Redis::start() else {
        return;
    };
    late.kill();
    let server = late.instance("").start();
    failure(&server.submit(form()), 503);
    assert_eq!(
        success(&server.get("/api/v1/health"), 200)["status"],
        "degraded"
    );
    late.start_again();
    wait_for("the service reaches Redis", || {
        (server.submit(form()).status == 200).then_some(())
    });
}

#[test]
fn the_first_host_that_is_a_master_is_used() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let Some(replica) = Redis::with(&format!("--replicaof 127.0.0.1 {}", redis.port())) else {
        return;
    };
    let url = format!(
        "valkey://127.0.0.1:{},127.0.0.1:{},127.0.0.1:{}/2",
        free_port(),
        replica.port(),
        redis.port()
    );
    let server = Server::with("--lease 3")
        .env("CONVERTD_STORE", &url)
        .start();
    assert_eq!(server.submit(form()).status, 200);
}

#[test]
fn sentinels_know_where_the_master_is() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let sentinel = redis.sentinel("main");
    let url = format!(
        "sentinel://127.0.0.1:{},127.0.0.1:{}/main",
        free_port(),
        sentinel.port()
    );
    let server = Server::with("--lease 3").env("CONVERTD_STORE", &url);
    assert_eq!(server.start().submit(form()).status, 200);
    let url = url.replace("/main", "/other");
    let server = Server::with("--lease 3")
        .env("CONVERTD_STORE", &url)
        .start();
    server.wait_for_line("the reason", |line| line.contains("does not know other"));
    failure(&server.submit(form()), 503);
}

#[test]
fn a_full_redis_refuses_and_can_be_emptied() {
    let Some(redis) = Redis::with("--maxmemory 24mb") else {
        return;
    };
    let server = redis.instance("").start();
    let mut ids = Vec::new();
    let refusal = wait_for("Redis is full", || {
        let answer = server.submit(large());
        if answer.status == 200 {
            ids.push(answer.data("conversion_id"));
            return None;
        }
        Some(answer)
    });
    assert!([503, 507].contains(&refusal.status), "{refusal:?}");
    assert!(refusal.field("retry-after").is_some());
    assert!(!ids.is_empty());
    // Small results fill the memory that large results leave.
    wait_for("uploads are refused", || {
        let answer = server.submit(Form::of(&samples::ppm(200, 200), "p.ppm", "bmp"));
        if answer.status == 200 {
            ids.push(answer.data("conversion_id"));
        }
        (success(&server.get("/api/v1/health"), 200)["status"] == "degraded").then_some(())
    });
    for id in &ids {
        assert_eq!(server.status(id)["status"], "ready");
        assert_eq!(server.download(id).status, 200);
    }
    wait_for("there is room again", || {
        (server.submit(large()).status == 200).then_some(())
    });
}

#[test]
fn requests_succeed_during_maintenance_of_redis() {
    let Some(redis) = Redis::with("--timeout 1") else {
        return;
    };
    let (one, two) = (redis.instance("").start(), redis.instance("").start());
    let rounds = 20;
    let mut busy = 0;
    // The service waits three seconds for Redis. A busy machine may sometimes need longer.
    let mut asked = |server: &Server, request: Request| {
        wait_for("an answer", || {
            let answer = server.send(request.clone());
            busy += u32::from(answer.status == 503);
            (answer.status != 503).then_some(answer)
        })
    };
    for round in 0..rounds {
        let answer = asked(&one, Request::form(form()));
        assert_eq!(answer.status, 200, "{answer:?}");
        let id = answer.data("conversion_id");
        redis.ask("CLIENT KILL TYPE normal SKIPME yes");
        if round % 5 == 0 {
            redis.ask("SCRIPT FLUSH");
        }
        let status = asked(&two, Request::get(&format!("/api/v1/status/{id}")));
        assert_eq!(status.status, 200, "{status:?}");
        redis.ask("CLIENT KILL TYPE normal SKIPME yes");
        let file = asked(&two, Request::get(&format!("/api/v1/download/{id}")));
        assert_eq!(file.status, 200, "{file:?}");
    }
    assert!(busy < rounds, "{busy} requests failed in {rounds} rounds");
}

// ---- wrong configuration

#[test]
fn an_invalid_address_ends_the_start_and_is_not_shown() {
    for url in ["redis:/x", "rediss://:secret@127.0.0.1", "http://secret"] {
        let output = crate::harness::command()
            .args(["serve", "--listen", "127.0.0.1:0", "--store", url])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && text.contains("--store"),
            "{text}"
        );
        assert!(!text.contains("secret"), "{text}");
    }
}

#[test]
fn a_wrong_password_is_reported_and_not_shown() {
    let Some(redis) = Redis::with("--requirepass right") else {
        return;
    };
    let url = format!("redis://:secret-word@127.0.0.1:{}", redis.port());
    let server = Server::with("--log debug")
        .env("CONVERTD_STORE", &url)
        .start();
    server.wait_for_line("the reason", |line| line.contains("WRONGPASS"));
    failure(&server.submit(form()), 503);
    assert!(
        server
            .log()
            .iter()
            .all(|line| !line.contains("secret-word"))
    );
    let url = format!("redis://:right@127.0.0.1:{}", redis.port());
    let server = Server::with("--lease 3")
        .env("CONVERTD_STORE", &url)
        .start();
    assert_eq!(server.submit(form()).status, 200);
}

#[test]
fn the_log_warns_of_settings_with_which_redis_loses_data() {
    let options = "--appendonly no --maxmemory 0 --maxmemory-policy allkeys-lru";
    let Some(redis) = Redis::with(options) else {
        return;
    };
    let server = redis.instance("").start();
    for word in ["appendonly", "maxmemory there", "noeviction"] {
        server.wait_for_line(word, |line| line.contains("[WARN]") && line.contains(word));
    }
}

// ---- repeated crashes

/// Converts on three instances that are killed again and again. Each result is delivered exactly once.
/// `CONVERTD_CRASHES` sets the number of kills.
#[test]
fn nothing_is_lost_or_delivered_twice_while_instances_die() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let crashes = std::env::var("CONVERTD_CRASHES").ok();
    let crashes: usize = crashes.and_then(|text| text.parse().ok()).unwrap_or(6);
    let mut servers: Vec<Server> = (0..3).map(|_| redis.instance("").start()).collect();
    let mut random = samples::Random::new(17);
    let (mut promised, mut delivered) = (Vec::new(), 0);
    for _ in 0..crashes {
        for at in 0..6 {
            let server = &servers[random.below(3)];
            match at % 2 {
                0 => promised.push(server.accept(form())),
                _ => promised.push(server.submit(form()).data("conversion_id")),
            }
        }
        let victim = random.below(3);
        // When the instance is killed, it has some of the accepted conversions, and is sending a result.
        let id = servers[victim].submit(large()).data("conversion_id");
        let mut client = Client::connect_narrow(servers[victim].address());
        client.write(Request::get(&format!("/api/v1/download/{id}")).bytes());
        client.read_bytes(1000).unwrap();
        promised.push(id);
        servers[victim].kill();
        servers[victim].start_again();
        let half = promised.len() / 2;
        for id in promised.drain(..half) {
            let server = &servers[random.below(3)];
            server.wait_until(&id, "ready");
            wait_for("the claim of the dead instance ends", || {
                (server.download(&id).status == 200).then_some(())
            });
            delivered += 1;
            let other = &servers[random.below(3)];
            let again = Request::get(&format!("/api/v1/download/{id}"));
            assert_eq!(repeated(other, &again).status, 404, "a second time");
        }
    }
    for id in promised.drain(..) {
        let server = &servers[random.below(3)];
        server.wait_until(&id, "ready");
        wait_for("the claim of the dead instance ends", || {
            (server.download(&id).status == 200).then_some(())
        });
        delivered += 1;
    }
    assert_eq!(delivered, crashes * 7);
    wait_until_no_bytes(&redis);
}
