//! Claims and deliveries: only one download of a whole result runs at a time, and the link ends only when every byte
//! has been delivered.

use super::*;
use std::{
    sync::{Barrier, mpsc},
    thread,
};

#[test]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one range is meant"
)]
fn a_result_is_deleted_once_every_byte_was_delivered_and_not_before() {
    #[track_caller]
    fn check(deliveries: &[std::ops::Range<u64>]) {
        let dir = Dir::new();
        let store = dir.store();
        let id = ready(&store).id;
        let (last, before) = deliveries.split_last().unwrap();
        for range in before {
            assert!(claim_part(&store, &id, range.clone()).delivered().is_none());
            assert!(matches!(store.status(&id, at(0)), Status::Ready(_)));
            assert_eq!(content(&claim(&store, &id)), OUTPUT);
        }
        let last_claim = claim_part(&store, &id, last.clone());
        let open = last_claim.open().unwrap();
        let receipt = last_claim.delivered();
        assert_eq!(store.status(&id, at(0)), ended(true));
        let gone = Unavailable::Expired { downloaded: true };
        assert_eq!(refusal(&store, &id, 0), gone);
        assert_eq!(dir.endings(), [ending(&id, "downloaded")]);
        drop(receipt.unwrap());
        assert_eq!(store.untidy().try_recv(), Ok(id));
        store.tidy_up(&id);
        assert!(dir.tree().is_empty());
        store.sweep(at(0));
        assert_eq!(dir.endings(), [ending(&id, "downloaded")], "once");
        let mut content = Vec::new();
        open.take(10).read_to_end(&mut content).unwrap();
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
    let claim = claim_part(&store, &record.id, 0..0);
    assert!(claim.delivered().is_some());
}

#[test]
fn a_restart_keeps_the_link_and_forgets_what_part_was_delivered() {
    let dir = Dir::new();
    let store = dir.store();
    let record = ready(&store);
    assert!(claim_part(&store, &record.id, 0..9).delivered().is_none());
    drop(store);
    let store = dir.store();
    assert_eq!(
        store.status(&record.id, at(1)),
        Status::Ready(record.clone())
    );
    assert!(claim_part(&store, &record.id, 9..10).delivered().is_none());
    assert!(claim_part(&store, &record.id, 0..9).delivered().is_some());
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
        thread::spawn(move || store.claim(&id, WHOLE, at(0), LONG).is_ok())
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
        thread::spawn(move || store.claim(&id, WHOLE, at(0), LONG).err())
    };
    assert!(first.delivered().is_some());
    let gone = Unavailable::Expired { downloaded: true };
    assert_eq!(second.join().unwrap(), Some(gone));
}

#[test]
fn one_of_many_simultaneous_downloads_consumes_the_result() {
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
                    if let Ok(claim) = store.claim(&id, WHOLE, at(0), LONG) {
                        assert_eq!(content(&claim), OUTPUT);
                        assert!(claim.delivered().is_some());
                        delivered.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(delivered.into_inner(), 1);
    }
}

#[test]
fn a_status_request_after_the_last_byte_waits_for_the_outcome() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let claim = claim(&store, &id);
    let (settled, only_the_last_stage_is_waited_for) = mpsc::channel();
    let hour = Duration::from_secs(3600);
    let asking = store.clone();
    thread::spawn(move || {
        asking.settle(&id, hour);
        settled.send(())
    });
    only_the_last_stage_is_waited_for
        .recv_timeout(hour / 12)
        .unwrap();
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
    assert!(claim.delivered().is_some());
    assert_eq!(asked.join().unwrap(), ended(true));
}

#[test]
fn a_download_that_began_in_time_finishes() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let late = store.claim(&id, WHOLE, at(TTL - 1), SOON).ok().unwrap();
    assert_eq!(store.sweep(at(TTL + 50)), 0);
    assert_eq!(content(&late), OUTPUT);
    assert!(late.delivered().is_some());
    assert_eq!(store.status(&id, at(TTL + 51)), ended(true));

    let id = ready(&store).id;
    let broken = store.claim(&id, WHOLE, at(TTL - 1), SOON).ok().unwrap();
    assert_eq!(store.sweep(at(TTL)), 0);
    drop(broken);
    assert_eq!(store.sweep(at(TTL)), 1);
    assert_eq!(store.status(&id, at(TTL)), ended(false));
}

#[test]
fn parts_are_delivered_in_parallel_and_a_whole_file_alone() {
    #[track_caller]
    fn check(held: Range<u64>, asked: Range<u64>, granted: bool) {
        let dir = Dir::new();
        let store = dir.store();
        let id = ready(&store).id;
        let held = claim_part(&store, &id, held);
        let outcome = store.claim(&id, asked.clone(), at(0), Duration::ZERO);
        assert_eq!(outcome.is_ok(), granted);
        drop((held, outcome));
        assert!(store.claim(&id, asked, at(0), Duration::ZERO).is_ok());
    }
    check(0..5, 5..10, true);
    check(0..5, 4..10, false);
    check(4..5, 4..5, false);
    check(0..10, 0..10, false);
    check(0..5, 0..10, false);
    check(0..10, 5..10, true);
}

#[test]
fn parallel_parts_make_one_download() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let parts = [0..4, 4..7, 7..10].map(|range| claim_part(&store, &id, range));
    let [first, second, third] = parts;
    assert!(second.delivered().is_none());
    assert!(third.delivered().is_none());
    assert!(first.delivered().is_some());
    assert_eq!(store.status(&id, at(0)), ended(true));
}

#[test]
fn a_result_that_was_received_but_not_read_comes_back() {
    let dir = Dir::new();
    let store = dir.store();
    let record = ready(&store);
    let id = record.id;
    let receipt = claim(&store, &id).delivered().unwrap();
    store.sweep(at(0));
    assert_eq!(store.status(&id, at(0)), ended(true));
    receipt.lost();
    assert_eq!(store.status(&id, at(0)), Status::Ready(record.clone()));
    let again = claim(&store, &id);
    assert_eq!(content(&again), OUTPUT);
    drop(again);
    assert_eq!(store.untidy().try_recv(), Ok(id));
    store.tidy_up(&id);
    let lines = [ending(&id, "downloaded"), ending(&id, "returned")];
    assert_eq!(dir.endings(), lines);
    drop(store);
    let store = dir.store();
    assert_eq!(store.status(&id, at(0)), Status::Ready(record));
    download(&store, &id);
    assert_eq!(store.status(&id, at(0)), ended(true));
    drop(store);
    assert_eq!(dir.store().status(&id, at(0)), ended(true));
    assert!(dir.tree().is_empty());
}

#[test]
fn a_crash_before_it_is_known_whether_it_was_read_counts_as_a_download() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let receipt = claim(&store, &id).delivered().unwrap();
    faults::set(faults::Plan::DieAfter(0));
    drop((receipt, store));
    faults::set(faults::Plan::Work);
    let store = dir.store();
    assert_eq!(store.status(&id, at(0)), ended(true));
    assert!(dir.tree().is_empty());
}

/// A client may download a result before the upload that it was made from has been removed.
#[test]
fn a_cleanup_during_a_download_keeps_the_result_until_its_end() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = uploaded_to_disk(&store);
    convert(&spool).unwrap();
    let id = spool.commit(request(), outcome(), at(0)).unwrap().id;
    assert_eq!(
        dir.tree(),
        [format!("{id}.result"), format!("incoming/{id}.upload")]
    );
    let receipt = claim(&store, &id).delivered().unwrap();
    store.tidy_up(&id);
    assert_eq!(dir.tree(), [format!("{id}.result")], "it may come back");
    drop(receipt);
    store.sweep(at(0));
    assert!(dir.tree().is_empty());
}

#[test]
fn a_result_that_is_not_what_was_stored_has_expired() {
    let dir = Dir::new();
    let ids = [(); 2].map(|()| ready(&dir.store()).id);
    let path = dir.path().join(format!("{}.result", ids[0]));
    let mut bytes = fs::read(&path).unwrap();
    bytes[..OUTPUT.len()].fill(0);
    fs::write(&path, bytes).unwrap();
    let store = dir.store();
    let gone = Unavailable::Expired { downloaded: false };
    assert_eq!(refusal(&store, &ids[0], 0), gone);
    assert_eq!(store.status(&ids[0], at(0)), ended(false));
    store.sweep(at(0));
    assert_eq!(dir.tree(), [format!("{}.result", ids[1])]);
    assert_eq!(content(&claim(&store, &ids[1])), OUTPUT);
}

#[test]
fn a_record_that_the_service_did_not_write_is_rejected() {
    let dir = Dir::new();
    let id = ready(&dir.store()).id;
    let path = dir.path().join(format!("{id}.result"));
    let mut bytes = fs::read(&path).unwrap();
    let at_name = bytes
        .windows(7)
        .position(|bytes| bytes == b"holiday")
        .unwrap();
    bytes[at_name] = b'H';
    fs::write(&path, bytes).unwrap();
    assert_eq!(dir.store().status(&id, at(0)), Status::NotFound);
    assert!(dir.tree().is_empty());
}
