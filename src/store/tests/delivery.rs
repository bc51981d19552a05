//! Claims and deliveries: one at a time, and whole or not at all.

use super::*;
use std::{io::Read, sync::Barrier, thread, time::Instant};

#[test]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one range is meant"
)]
fn a_result_goes_when_every_byte_has_been_delivered_and_not_before() {
    #[track_caller]
    fn check(deliveries: &[std::ops::Range<u64>]) {
        let dir = Dir::new();
        let store = dir.store();
        let id = ready(&store).id;
        let (last, before) = deliveries.split_last().unwrap();
        for range in before {
            assert!(!claim(&store, &id).delivered(range.clone()));
            assert!(matches!(store.status(&id, at(0)), Status::Ready(_)));
            let mut content = Vec::new();
            claim(&store, &id)
                .open()
                .unwrap()
                .read_to_end(&mut content)
                .unwrap();
            assert_eq!(content, OUTPUT);
        }
        let last_claim = claim(&store, &id);
        let mut open = last_claim.open().unwrap();
        assert!(last_claim.delivered(last.clone()));
        assert_eq!(store.status(&id, at(0)), ended(true));
        let gone = Unavailable::Expired { downloaded: true };
        assert_eq!(refusal(&store, &id, 0), gone);
        assert_eq!(dir.tree(), [format!("ended/{id}.downloaded")]);
        let mut content = Vec::new();
        open.read_to_end(&mut content).unwrap();
        assert_eq!(content, OUTPUT, "an open file outlives its name");
        drop(store);
        let store = dir.store();
        assert_eq!(store.status(&id, at(0)), ended(true));
    }
    check(&[0..10]);
    check(&[0..20]);
    check(&[0..0, 0..9, 1..10]);
    check(&[5..10, 5..10, 0..4, 4..5]);
    check(&[9..10, 0..9]);
}

#[test]
fn an_empty_result_is_delivered_by_an_empty_answer() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = uploaded(&store);
    spool.create_output().unwrap();
    let record = spool.commit(request(), outcome(), at(0)).unwrap();
    assert_eq!(record.file_size, 0);
    assert!(claim(&store, &record.id).delivered(0..0));
}

#[test]
fn a_restart_keeps_the_link_and_forgets_what_part_was_delivered() {
    let dir = Dir::new();
    let store = dir.store();
    let record = ready(&store);
    assert!(!claim(&store, &record.id).delivered(0..9));
    drop(store);
    let store = dir.store();
    assert_eq!(
        store.status(&record.id, at(1)),
        Status::Ready(record.clone())
    );
    assert!(!claim(&store, &record.id).delivered(9..10));
    assert!(claim(&store, &record.id).delivered(0..9));
}

#[test]
fn a_claim_excludes_others_until_it_is_given_back() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let first = claim(&store, &id);
    assert_eq!(refusal(&store, &id, 0), Unavailable::Claimed);
    assert!(store.peek(&id, at(0)).is_ok());
    let second = {
        let store = store.clone();
        thread::spawn(move || store.claim(&id, at(0), LONG).is_ok())
    };
    drop(first);
    assert!(second.join().unwrap());
    assert_eq!(claim(&store, &id).record().id, id);
}

#[test]
fn a_waiting_claim_learns_that_the_result_was_consumed() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let first = claim(&store, &id);
    let second = {
        let store = store.clone();
        thread::spawn(move || store.claim(&id, at(0), LONG).err())
    };
    assert!(first.delivered(0..10));
    let gone = Unavailable::Expired { downloaded: true };
    assert_eq!(second.join().unwrap(), Some(gone));
}

#[test]
fn of_many_downloads_at_once_one_consumes_the_result() {
    let dir = Dir::new();
    let store = dir.store();
    for _ in 0..20 {
        let id = ready(&store).id;
        let start = Barrier::new(8);
        let delivered = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    if let Ok(claim) = store.claim(&id, at(0), LONG) {
                        let mut content = Vec::new();
                        claim.open().unwrap().read_to_end(&mut content).unwrap();
                        assert_eq!(content, OUTPUT);
                        assert!(claim.delivered(0..10));
                        delivered.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(delivered.into_inner(), 1);
    }
}

#[test]
fn whoever_asks_after_the_last_byte_was_sent_learns_the_outcome() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let claim = claim(&store, &id);
    let begun = Instant::now();
    store.settle(&id, LONG);
    assert!(
        begun.elapsed() < LONG / 2,
        "only the last stage is waited for"
    );
    claim.sent();
    store.settle(&id, SOON);
    assert!(matches!(store.status(&id, at(0)), Status::Ready(_)));
    let asked = {
        let store = store.clone();
        thread::spawn(move || {
            store.settle(&id, LONG);
            store.status(&id, at(0))
        })
    };
    assert!(claim.delivered(0..10));
    assert_eq!(asked.join().unwrap(), ended(true));
}

#[test]
fn a_download_that_began_in_time_finishes() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let late = store.claim(&id, at(TTL - 1), SOON).ok().unwrap();
    assert_eq!(store.sweep(at(TTL + 50)), 0);
    assert_eq!(late.open().unwrap().metadata().unwrap().len(), 10);
    assert!(late.delivered(0..10));
    assert_eq!(store.status(&id, at(TTL + 51)), ended(true));

    let id = ready(&store).id;
    let broken = store.claim(&id, at(TTL - 1), SOON).ok().unwrap();
    assert_eq!(store.sweep(at(TTL)), 0);
    drop(broken);
    assert_eq!(store.sweep(at(TTL)), 1);
    assert_eq!(store.status(&id, at(TTL)), ended(false));
}
