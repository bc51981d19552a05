//! Limits of a shared store: the memory for ended conversions, and the share of the store that one address may use.

use super::{
    Dir, outcome, request,
    server::{Redis, store_at, wait_for},
};
use crate::{
    error::Kind,
    id::ConversionId,
    store::{Outcome, Spool, Status, Store, shared},
};
use std::{
    io::Write,
    net::IpAddr,
    thread,
    time::{Duration, SystemTime},
};

fn store_for(redis: &Redis, dir: &Dir, ttl: u64, most: usize) -> Store {
    let mut settings = dir.settings();
    settings.link_ttl = Duration::from_secs(ttl);
    settings.max_records = most;
    let store = store_at(&redis.url(), settings, shared::SCRIPT);
    wait_for("it is reached", || store.reachable().is_ok());
    store
}

fn owner(number: u8) -> Option<IpAddr> {
    Some(IpAddr::from([192, 0, 2, number]))
}

fn spool(store: &Store, owner: Option<IpAddr>, len: usize) -> Result<Spool, Kind> {
    let spool = store.spool(owner, None).map_err(|err| err.kind())?;
    let mut output = spool.create_output().unwrap();
    output.write_all(&vec![7; len]).unwrap();
    Ok(spool)
}

fn keep(
    store: &Store,
    owner: Option<IpAddr>,
    len: usize,
    notes: usize,
) -> Result<ConversionId, Kind> {
    let spool = spool(store, owner, len)?;
    let id = spool.id();
    let outcome = Outcome {
        notes: vec!["n".repeat(notes)],
        ..outcome()
    };
    let kept = spool.commit(request(), outcome, SystemTime::now());
    kept.map(|_| id).map_err(|err| err.kind())
}

fn download(store: &Store, id: &ConversionId) {
    let claim = store.claim(id, None, SystemTime::now(), Duration::from_secs(5));
    drop(claim.unwrap().delivered());
}

/// Returns the status of a conversion. If its result was delivered, waits up to 5 s until Redis knows that the client
/// has read it.
fn status(store: &Store, id: &ConversionId) -> Status {
    store.status(id, SystemTime::now(), Duration::from_secs(5))
}

fn sums(redis: &Redis) -> String {
    redis.ask("HGETALL {convertd}:places") + &redis.ask("HGETALL {convertd}:bytes")
}

/// In an earlier version, a link that expired unused kept its whole record for a day, so a single address could fill a
/// small Redis.
#[test]
fn ended_conversions_take_little_memory() {
    let Some(redis) = Redis::start() else {
        return;
    };
    const COUNT: u64 = 300;
    let dir = Dir::new();
    let store = store_for(&redis, &dir, 1, 2000);
    // The first conversion makes Redis allocate memory for the script and for connections, which must not be counted
    // below.
    download(&store, &keep(&store, None, 10, 10).unwrap());
    let before = redis.memory();
    let ids: Vec<_> = (0..COUNT)
        .map(|_| keep(&store, owner(1), 1000, 30_000).unwrap())
        .collect();
    wait_for("their terms end", || {
        redis.number("ZCARD {convertd}:terms") == 0
    });
    assert_eq!(redis.number("ZCARD {convertd}:ended"), COUNT as i64 + 1);
    wait_for("their memory is free", || {
        redis.memory() < before + COUNT * 400
    });
    for id in &ids {
        assert!(matches!(
            status(&store, id),
            Status::Expired {
                downloaded: false,
                ..
            }
        ));
    }
    assert_eq!(sums(&redis).matches("192.0.2.1").count(), 0);
}

#[test]
fn the_number_of_ended_conversions_is_limited() {
    let Some(redis) = Redis::with("--maxmemory 4mb") else {
        return;
    };
    let dir = Dir::new();
    let store = store_for(&redis, &dir, 600, 10);
    for _ in 0..2000 {
        download(&store, &keep(&store, None, 10, 10).unwrap());
    }
    // Redis may forget conversions that ended in the same second in any order, so the last one must end in a later
    // second.
    thread::sleep(Duration::from_millis(1100));
    let last = keep(&store, None, 10, 10).unwrap();
    download(&store, &last);
    // The entries, of 160 bytes each, may take at most a sixteenth of the 4 MiB.
    wait_for("the oldest are forgotten", || {
        redis.number("ZCARD {convertd}:ended") <= (4 << 20) / 16 / 160
    });
    assert!(matches!(
        status(&store, &last),
        Status::Expired {
            downloaded: true,
            ..
        }
    ));
}

#[test]
fn an_address_has_a_quarter_of_the_places() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let (dir, other) = (Dir::new(), Dir::new());
    let (store, elsewhere) = (
        store_for(&redis, &dir, 600, 8),
        store_for(&redis, &other, 600, 8),
    );
    let first = keep(&store, owner(1), 10, 10).unwrap();
    // A conversion that is accepted counts as well, even after another instance has finished it.
    let accepted = elsewhere.spool(owner(1), None).unwrap();
    assert!(
        accepted
            .accept(request(), SystemTime::now())
            .unwrap()
            .is_none()
    );
    assert_eq!(store.share_for(owner(1), 1).unwrap_err().kind(), Kind::Busy);
    assert_eq!(keep(&elsewhere, owner(1), 10, 10), Err(Kind::Busy));
    let taken = store.next().unwrap();
    assert_eq!(taken.owner(), owner(1));
    taken.create_output().unwrap().write_all(b"result").unwrap();
    taken
        .commit(request(), outcome(), SystemTime::now())
        .unwrap();
    assert_eq!(keep(&elsewhere, owner(1), 10, 10), Err(Kind::Busy));
    download(&store, &first);
    keep(&elsewhere, owner(1), 10, 10).unwrap();
    // Other addresses have shares of their own, but all clients together cannot keep more than the 8 conversions of the
    // store.
    for number in [2, 2, 3, 3] {
        keep(&store, owner(number), 10, 10).unwrap();
    }
    keep(&store, None, 10, 10).unwrap();
    let last = keep(&store, None, 10, 10).unwrap();
    assert_eq!(keep(&store, None, 10, 10), Err(Kind::Busy));
    wait_for("uploads are refused", || {
        store.spool(owner(4), None).is_err()
    });
    download(&elsewhere, &last);
    keep(&store, owner(4), 10, 10).unwrap();
}

#[test]
fn an_address_has_half_of_the_bytes() {
    let Some(redis) = Redis::with("--maxmemory 16mb") else {
        return;
    };
    let dir = Dir::new();
    let store = store_for(&redis, &dir, 600, 1000);
    wait_for("the memory limit is known", || {
        store.counts().shared.unwrap().limit > 0
    });
    let mut count = 0;
    while keep(&store, owner(1), 1 << 20, 10).is_ok() {
        count += 1;
    }
    // An address may use half of the 16 MiB, but even without data Redis takes some of these itself.
    assert!((3..=7).contains(&count), "{count} MiB");
    assert_eq!(
        store.share_for(owner(1), 1 << 20).unwrap_err().kind(),
        Kind::Busy
    );
    store.share_for(owner(2), 1 << 20).unwrap();
    keep(&store, owner(2), 1 << 20, 10).unwrap();
}

/// If a client hangs up before it has read its result, the result becomes available and counts again.
#[test]
fn a_result_that_comes_back_counts_again() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let dir = Dir::new();
    let store = store_for(&redis, &dir, 600, 8);
    let id = keep(&store, owner(1), 10, 10).unwrap();
    let counted = sums(&redis);
    let claim = store
        .claim(&id, None, SystemTime::now(), Duration::ZERO)
        .unwrap();
    let receipt = claim.delivered().unwrap();
    assert_eq!(sums(&redis), "*0\r\n+OK\r\n".repeat(2));
    receipt.lost();
    wait_for("it is back", || {
        matches!(status(&store, &id), Status::Ready(_))
    });
    assert_eq!(sums(&redis), counted);
}
