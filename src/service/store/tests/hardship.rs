//! Redis in trouble: two masters, answers that arrive byte by byte, missing rights, connections that break off.

use super::{
    Dir, outcome, request,
    server::{Fate, Proxy, Redis, store_at, wait_for},
    uploaded,
};
use crate::store::{Spool, Status, Store, shared};
use std::{
    collections::BTreeSet,
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

fn why(store: &Store) -> String {
    store
        .health()
        .err()
        .map(|err| err.to_string())
        .unwrap_or_default()
}

fn commit(spool: Spool, bytes: &[u8]) -> bool {
    spool.create_output().unwrap().write_all(bytes).unwrap();
    spool
        .commit(request(), outcome(), SystemTime::now())
        .is_ok()
}

#[test]
fn two_masters_are_an_error() {
    let (Some(mut one), Some(other)) = (Redis::start(), Redis::start()) else {
        return;
    };
    let dir = Dir::new();
    let url = format!("{},127.0.0.1:{}", one.url(), other.port);
    let store = store_at(&url, dir.settings(), shared::SCRIPT);
    assert!(why(&store).contains("both masters"), "{}", why(&store));
    other.ask(&format!("REPLICAOF 127.0.0.1 {}", one.port));
    wait_for("only one master is left", || store.reachable().is_ok());
    let (used, known) = (uploaded(&store), uploaded(&store));
    let (used_id, known_id) = (used.id(), known.id());
    assert!(commit(used, b"used"));
    assert!(commit(known, b"known"));
    wait_for("the replica has them", || {
        other.number("ZCARD {convertd}:terms") == 2
    });
    // The test makes the replica a master, while the old master still runs.
    other.ask("REPLICAOF NO ONE");
    wait_for("two masters are noticed", || {
        why(&store).contains("both masters")
    });
    one.ask("CONFIG SET maxmemory 0");
    one.kill();
    wait_for("the other is used", || store.reachable().is_ok());
    let now = SystemTime::now();
    let claim = store.claim(&used_id, None, now, Duration::ZERO).unwrap();
    drop(claim.delivered());
    // The old master comes back, and still acts as master. It must never be used.
    one.start_again();
    let is_used = |status: &Status| {
        matches!(
            status,
            Status::Expired {
                downloaded: true,
                ..
            }
        )
    };
    wait_for("two masters are noticed", || {
        let status = store.status(&used_id, now, Duration::ZERO);
        assert!(
            is_used(&status) || status == Status::Unreachable,
            "{status:?}"
        );
        why(&store).contains("both masters")
    });
    one.ask(&format!("REPLICAOF 127.0.0.1 {}", other.port));
    wait_for("only one master is left", || store.reachable().is_ok());
    assert!(is_used(&store.status(&used_id, now, Duration::ZERO)));
    assert!(store.peek(&known_id, now).is_ok());
}

/// Changes that replication has not carried over are lost with the master: a new link is unknown, and a link that was
/// used works again. The manual says so.
#[test]
fn a_replica_that_lags_knows_what_it_has_heard() {
    let (Some(mut one), Some(other)) = (Redis::start(), Redis::start()) else {
        return;
    };
    let (dir, now) = (Dir::new(), SystemTime::now());
    other.ask(&format!("REPLICAOF 127.0.0.1 {}", one.port));
    let url = format!("{},127.0.0.1:{}", one.url(), other.port);
    let store = store_at(&url, dir.settings(), shared::SCRIPT);
    wait_for("only one master is left", || store.reachable().is_ok());
    let used = uploaded(&store);
    let used_id = used.id();
    assert!(commit(used, b"used"));
    wait_for("the replica has it", || {
        other.number("ZCARD {convertd}:terms") == 1
    });
    // From now on the replica receives nothing.
    other.ask(&format!("REPLICAOF 127.0.0.1 {}", other.port));
    let claim = store.claim(&used_id, None, now, Duration::ZERO).unwrap();
    drop(claim.delivered());
    let late = uploaded(&store);
    let late_id = late.id();
    assert!(commit(late, b"late"));
    one.kill();
    other.ask("REPLICAOF NO ONE");
    // The store may first have to notice that its connections to the dead master are broken.
    wait_for("the replica is used", || {
        store.status(&late_id, now, Duration::ZERO) == Status::NotFound
    });
    assert!(store.claim(&used_id, None, now, Duration::ZERO).is_ok());
}

/// A link lives as long as the instance that created it has set, measured by the clock of Redis, even if the instances
/// have different settings, and clocks that are a day slow or fast.
#[test]
fn instances_may_differ() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, other) = (Dir::new(), Dir::new());
    let mut brief = dir.settings();
    brief.link_ttl = Duration::from_secs(1);
    let brief = store_at(&redis.url(), brief, shared::SCRIPT);
    let long = redis.store(&other, shared::SCRIPT);
    wait_for("it is reached", || brief.reachable().is_ok());
    let day = Duration::from_secs(86_400);
    for now in [SystemTime::now() - day, SystemTime::now() + day] {
        let store = |store: &Store| {
            let spool = uploaded(store);
            let id = spool.id();
            spool.create_output().unwrap().write_all(b"result").unwrap();
            spool.commit(request(), outcome(), now).unwrap();
            id
        };
        let (ends, stays) = (store(&brief), store(&long));
        wait_for("its term ends", || {
            matches!(
                long.status(&ends, now, Duration::ZERO),
                Status::Expired { .. }
            )
        });
        assert!(brief.claim(&stays, None, now, Duration::ZERO).is_ok());
    }
}

#[test]
fn a_slow_answer_delays_no_other_request() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, other, now) = (Dir::new(), Dir::new(), SystemTime::now());
    let slow = Arc::new(AtomicBool::new(false));
    let is_slow = slow.clone();
    // Replies of at most 200 bytes, such as those to heartbeats, and bulk strings are not delayed. A longer reply, such
    // as a record, takes at least 20 seconds.
    let proxy = Proxy::to(
        &redis,
        |_| Fate::Pass,
        move |bytes| match is_slow.load(Ordering::SeqCst)
            && bytes.len() > 200
            && !bytes.starts_with(b"$")
        {
            true => Fate::Trickle,
            false => Fate::Pass,
        },
    );
    let store = store_at(&proxy.url(), dir.settings(), shared::SCRIPT);
    let quick = redis.store(&other, shared::SCRIPT);
    wait_for("it is reached", || store.reachable().is_ok());
    let spool = uploaded(&store);
    let ready = spool.id();
    assert!(commit(spool, b"ready"));
    assert!(uploaded(&store).accept(request(), now).unwrap().is_none());
    let held = store.next().unwrap();
    slow.store(true, Ordering::SeqCst);
    // Together, these requests take longer than the lease of three seconds.
    for _ in 0..3 {
        wait_for("it is reached", || store.reachable().is_ok());
        let status = store.status(&ready, now, Duration::ZERO);
        assert_eq!(status, Status::Unreachable);
    }
    assert!(quick.next().is_none(), "the lease was lost");
    slow.store(false, Ordering::SeqCst);
    wait_for("it is reached", || store.reachable().is_ok());
    assert!(commit(held, b"in time"));
}

/// An instance that is killed while it sends a result leaves bytes without a record. They expire by themselves.
#[test]
fn bytes_without_a_record_expire() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, now) = (Dir::new(), SystemTime::now());
    let cuts = Arc::new(AtomicBool::new(false));
    let is_cut = cuts.clone();
    // Once `cuts` is set, the connection ends after the last byte of an upload or a result, so that the record never
    // follows.
    let cut = move |bytes: &[u8]| {
        let end = bytes.windows(5).rposition(|five| five == b"xxx\r\n");
        match end.filter(|_| is_cut.load(Ordering::SeqCst)) {
            Some(at) => Fate::Cut(at + 5),
            None => Fate::Pass,
        }
    };
    let proxy = Proxy::to(&redis, cut, |_| Fate::Pass);
    let store = store_at(&proxy.url(), dir.settings(), shared::SCRIPT);
    wait_for("it is reached", || store.reachable().is_ok());
    cuts.store(true, Ordering::SeqCst);
    assert!(!commit(uploaded(&store), &[b'x'; 3000]));
    let left = redis.left("{convertd}:b:");
    assert!((1..=60).contains(&left), "the result is kept for {left} s");
    redis.clear();
    wait_for("it is reached", || store.reachable().is_ok());
    let mut spool = uploaded(&store);
    spool.write_all(&[b'x'; 3000]).unwrap();
    assert!(spool.accept(request(), now).is_err());
    let left = redis.left("{convertd}:u:");
    assert!((1..=60).contains(&left), "the upload is kept for {left} s");
}

#[test]
fn a_missing_right_is_named() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let acl = include_str!("../../../../examples/deploy/cluster/users.acl");
    let rights = acl
        .lines()
        .find_map(|line| line.strip_prefix("user convertd "));
    redis.ask(&format!("ACL SETUSER convertd {}", rights.unwrap()));
    let dir = Dir::new();
    let url = format!("redis://convertd:change-me@127.0.0.1:{}", redis.port);
    let store = store_at(&url, dir.settings(), shared::SCRIPT);
    wait_for("these rights suffice", || store.health().is_ok());
    assert!(commit(uploaded(&store), b"with these rights"));
    for right in ["zadd", "blpop", "hincrby", "evalsha", "info", "script"] {
        redis.ask(&format!("ACL SETUSER convertd -{right}"));
        wait_for(right, || why(&store).to_lowercase().contains(right));
        // An instance that starts now reports the same missing right.
        let dir = Dir::new();
        let late = store_at(&url, dir.settings(), shared::SCRIPT);
        assert!(why(&late).to_lowercase().contains(right), "{}", why(&late));
        redis.ask(&format!("ACL SETUSER convertd +{right}"));
        wait_for("the restored right suffices", || store.health().is_ok());
    }
    redis.ask("ACL SETUSER convertd resetkeys ~other:*");
    wait_for("the keys", || why(&store).contains("{convertd}:"));
}

/// The step `try` of the script tries every command that any step of the script uses.
#[test]
fn every_right_is_checked() {
    let after = |text: &str, mark: &str| -> BTreeSet<String> {
        let words = text.split(mark).skip(1);
        words
            .map(|rest| rest.split('\'').next().unwrap_or_default().to_owned())
            .collect()
    };
    let (rights, _) = shared::SCRIPT.split_once("for _, right in").unwrap();
    let used = after(shared::SCRIPT, "redis.call('");
    let tried = after(rights, "{ '");
    assert!(used.is_subset(&tried), "{used:?}");
}
