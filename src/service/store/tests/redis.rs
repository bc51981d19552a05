//! The shared store on a real Redis, compared with a model. To show that the comparison notices faults, it is repeated
//! with the script spoilt in each of 14 places.

use super::{
    Dir, Is, PATIENCE, compare, is, outcome, request,
    server::{Fate, Proxy, Redis, store_at, wait_for},
    take_keys, uploaded,
};
use crate::{
    error::Kind,
    store::{Backend, Spool, shared, spool::SpoolAt},
};
use std::{
    io::{Read, Write},
    os::unix::fs::FileExt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, SystemTime},
};

#[test]
fn redis_does_what_the_model_does() {
    let Some(redis) = Redis::start() else {
        return;
    };
    for seed in 1..=20 {
        let dir = Dir::new();
        let store = redis.store(&dir, shared::SCRIPT);
        redis.clear();
        compare(&store, seed, 200, PATIENCE).unwrap();
    }
}

#[test]
fn redis_keeps_keys() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let dir = Dir::new();
    take_keys(&redis.store(&dir, shared::SCRIPT));
}

/// Time for which the store with a spoilt script may differ from the model before that counts as a fault. The test
/// waits this long for each spoilt script, so the time is short.
const SOON: Duration = Duration::from_millis(500);

#[test]
fn faults_in_the_script_are_noticed() {
    let Some(redis) = Redis::start() else {
        return;
    };
    #[track_caller]
    fn check(redis: &Redis, from: &str, to: &str) {
        assert_eq!(
            shared::SCRIPT.matches(from).count(),
            1,
            "{from} stands once"
        );
        let (dir, script) = (Dir::new(), shared::SCRIPT.replace(from, to));
        let store = redis.store(&dir, &script);
        let noticed = (1..=20).any(|seed| {
            redis.clear();
            compare(&store, seed, 200, SOON).is_err()
        });
        assert!(
            noticed,
            "the comparison did not notice {to:?} in place of {from:?}"
        );
    }
    let spoiled = [
        (
            "if is_held(holds, first, last, size) then return { 'held' } end",
            "",
        ),
        ("if whole(first, last) then return true end", "return true"),
        ("last = last or size", "last = last or size - 1"),
        (
            "hold.first < last and first < hold.last",
            "hold.first <= last and first <= hold.last",
        ),
        (
            "holds[#holds + 1] = { token = token, first = first, last = last, ends",
            "holds[1] = { token = token, first = first, last = last, ends",
        ),
        ("merged[1] == 0 and merged[2] >= size", "merged[2] >= size"),
        (
            "if a <= merged[2] and merged[1] <= b then",
            "if a < merged[2] and merged[1] < b then",
        ),
        (
            "if merged[1] < merged[2] then rest[#rest + 1] = merged end",
            "",
        ),
        ("redis.call('HSET', record, 'ranges', ranges)", ""),
        (
            "redis.call('HSET', record, 'state', 'd', 'down', '1', 'dtok', token)",
            "",
        ),
        ("redis.call('HSET', record, 'state', 'r')\n", "\n"),
        ("redis.call('RPUSH', wait, id)", ""),
        ("redis.call('HSET', record, 'state', 'f', 'json', json)", ""),
        (
            "return f[1] == 'w' and f[2] == token",
            "return f[1] == 'w' and f[2] ~= token",
        ),
    ];
    for (from, to) in spoiled {
        check(&redis, from, to);
    }
}

/// An instance commits a result after the end of its lease. The model does not contain this case.
#[test]
fn an_instance_without_a_lease_is_ignored() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, other) = (Dir::new(), Dir::new());
    let (slow, quick) = (
        redis.store(&dir, shared::SCRIPT),
        redis.store(&other, shared::SCRIPT),
    );
    let now = SystemTime::now();
    let spool = uploaded(&slow);
    let id = spool.id();
    assert!(spool.accept(request(), now).unwrap().is_none());
    let late = slow.next().unwrap();
    // The lease ends: the test gives the conversion back in the name of `slow`.
    let Backend::Shared(store) = &slow.0 else {
        unreachable!("it is shared")
    };
    store.give_back(&late_token(&late), &id);
    let taken = quick.next().unwrap();
    assert_eq!(taken.id(), id);
    // With its next heartbeat the instance learns that the lease is lost. A listener that is registered after that is
    // called immediately.
    for limit in [Duration::from_secs(20), Duration::ZERO] {
        let (sender, receiver) = mpsc::channel();
        late.when_lost(move || sender.send(()).unwrap());
        receiver.recv_timeout(limit).unwrap();
    }
    let output = |spool: &Spool, bytes: &[u8]| {
        spool.create_output().unwrap().write_all(bytes).unwrap();
    };
    output(&late, b"too late!!");
    assert_eq!(
        late.commit(request(), outcome(), now).unwrap_err().kind(),
        Kind::Busy
    );
    assert_eq!(
        is(&quick.status(&id, now, Duration::ZERO)),
        Some(Is::Processing)
    );
    output(&taken, b"in time");
    taken.commit(request(), outcome(), now).unwrap();
    assert_eq!(quick.peek(&id, now).unwrap().file_size, 7);
    assert_eq!(slow.peek(&id, now).unwrap().file_size, 7);
}

fn late_token(spool: &Spool) -> String {
    match &spool.0 {
        SpoolAt::Shared(spool) => spool.token().to_owned(),
        SpoolAt::Local(_) => unreachable!("it is shared"),
    }
}

/// The division of a result into pieces has no effect on ranges, wherever they begin and end.
#[test]
fn ranges_do_not_depend_on_pieces() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, now) = (Dir::new(), SystemTime::now());
    let store = redis.store(&dir, shared::SCRIPT);
    let bytes: Vec<u8> = (0..400_000_u32).map(|at| (at / 7) as u8).collect();
    let check = |spool: Spool| {
        let id = spool.id();
        spool.create_output().unwrap().write_all(&bytes).unwrap();
        spool.commit(request(), outcome(), now).unwrap();
        for range in [
            0..1,
            5..131_008,
            131_007..131_009,
            262_016..400_000,
            131_008..270_000,
        ] {
            // The previous claim is given back a moment after it was dropped, so this claim may have to wait.
            let wait = Duration::from_secs(5);
            let claim = store.claim_to_open(&id, range.clone(), now, wait);
            let mut read = vec![0; (range.end - range.start) as usize];
            let file = claim.unwrap().open().unwrap();
            file.read_exact_at(&mut read, range.start).unwrap();
            assert!(
                read == bytes[range.start as usize..range.end as usize],
                "{range:?}"
            );
        }
    };
    check(uploaded(&store));
    assert!(uploaded(&store).accept(request(), now).unwrap().is_none());
    check(store.next().unwrap());
}

/// A step may be sent again because it is unknown whether it arrived. It takes effect once, and its data has the usual
/// lifetime.
#[test]
fn a_step_that_is_sent_twice_takes_effect_once() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, now) = (Dir::new(), SystemTime::now());
    // Whether the next reply that contains the status "ok" is lost, together with its connection.
    let breaks = Arc::new(AtomicBool::new(false));
    let breaks_next = breaks.clone();
    let lose = move |bytes: &[u8]| {
        let is_step = bytes.windows(6).any(|six| six == b"\r\nok\r\n");
        match is_step && breaks_next.swap(false, Ordering::SeqCst) {
            true => Fate::Cut(0),
            false => Fate::Pass,
        }
    };
    let proxy = Proxy::to(&redis, |_| Fate::Pass, lose);
    let store = store_at(&proxy.url(), dir.settings(), shared::SCRIPT);
    wait_for("it is reached", || store.reachable().is_ok());
    let bytes: Vec<u8> = (0..300_000_u32).map(|at| (at / 7) as u8).collect();
    let finish = |spool: Spool| {
        let id = spool.id();
        spool.create_output().unwrap().write_all(&bytes).unwrap();
        breaks.store(true, Ordering::SeqCst);
        spool.commit(request(), outcome(), now).unwrap();
        assert!(!breaks.load(Ordering::SeqCst), "nothing was lost");
        let left = redis.left("{convertd}:b:");
        assert!(left > 60, "the result is kept for {left} s");
        let claim = store.claim_to_open(&id, None, now, Duration::ZERO).unwrap();
        let mut read = Vec::new();
        claim.open().unwrap().read_to_end(&mut read).unwrap();
        assert!(read == bytes, "another result");
        drop(claim.delivered());
    };
    finish(uploaded(&store));
    redis.clear();
    let spool = uploaded(&store);
    breaks.store(true, Ordering::SeqCst);
    spool.accept(request(), now).unwrap();
    assert!(!breaks.load(Ordering::SeqCst), "nothing was lost");
    let left = redis.left("{convertd}:u:");
    assert!(left > 60, "the upload is kept for {left} s");
    finish(store.next().unwrap());
    assert!(store.next().is_none(), "it was accepted twice");
}
