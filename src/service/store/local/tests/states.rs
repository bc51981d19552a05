//! The states of a conversion and the transitions between them, without faults.

use super::*;
use crate::{
    job::{Progress, Unit},
    store::Counts,
};
use std::thread;

#[test]
fn a_synchronous_conversion_is_unknown_until_it_is_ready() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = uploaded(&store);
    let id = spool.id();
    assert_eq!(store.status(&id, at(0)), Status::NotFound);
    convert(&spool).unwrap();
    assert_eq!(store.status(&id, at(0)), Status::NotFound);
    let record = spool.commit(request(), outcome(), at(5)).unwrap();
    assert_eq!(store.status(&id, at(5)), Status::Ready(record.clone()));
    assert_eq!(store.peek(&id, at(5)), Ok(record.clone()));
    assert_eq!(record.id, id);
    assert_eq!(record.original_filename, "holiday.png");
    assert_eq!(record.target_format, "jpeg");
    assert_eq!(record.media_type, "image/jpeg");
    assert_eq!(record.file_size, 10);
    assert_eq!(record.conversion_time, 0.25);
    assert_eq!(record.notes.len(), 1);
    assert_eq!(record.created_at(), at(5));
    assert_eq!(record.expires_at(), at(5 + TTL));
    store.sweep(at(0));
    assert_eq!(dir.tree(), [format!("{id}.result")]);
}

#[test]
fn an_archive_stays_one_after_a_restart_and_keeps_the_name_of_its_target() {
    let dir = Dir::new();
    for archive in [false, true] {
        let store = dir.store();
        let spool = uploaded(&store);
        convert(&spool).unwrap();
        let outcome = Outcome {
            archive,
            ..outcome()
        };
        let before = spool.commit(request(), outcome, at(5)).unwrap();
        drop(store);
        let after = dir.store().peek(&before.id, at(6)).unwrap();
        assert_eq!(after, before);
        assert_eq!(after.target_format, "jpeg");
        let expected = match archive {
            true => ("application/zip", "zip"),
            false => ("image/jpeg", "jpeg"),
        };
        assert_eq!((after.media_type.as_str(), after.extension()), expected);
    }
}

#[test]
fn an_asynchronous_conversion_is_processing_from_its_acceptance_on() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = accepted(&store);
    let id = spool.id();
    let processing = |progress| Status::Processing {
        request: request(),
        progress,
    };
    assert_eq!(store.status(&id, at(0)), processing(None));
    assert_eq!(spool.request(), Some(&request()));
    assert_eq!(spool.attempts(), 0);
    let progress = Progress {
        done: 3,
        total: 10,
        unit: Unit::Rows,
    };
    spool.progress(progress);
    assert_eq!(store.status(&id, at(0)), processing(Some(progress)));
    assert_eq!(refusal(&store, &id, 0), Unavailable::Processing);
    let mut upload = Vec::new();
    spool
        .open_upload()
        .unwrap()
        .read_to_end(&mut upload)
        .unwrap();
    assert_eq!(upload, UPLOAD);
    convert(&spool).unwrap();
    let record = spool.commit(request(), outcome(), at(100)).unwrap();
    assert_eq!(store.status(&id, at(100)), Status::Ready(record.clone()));
    assert_eq!(record.expires_at(), at(100 + TTL));
    store.sweep(at(0));
    assert_eq!(dir.tree(), [format!("{id}.result")]);
}

#[test]
fn a_failure_is_reported_as_long_as_a_link_would_work() {
    #[track_caller]
    fn check(store: &Store, id: &ConversionId, seconds: u64, status: Status) {
        assert_eq!(store.status(id, at(seconds)), status, "before the sweep");
        store.sweep(at(seconds));
        assert_eq!(store.status(id, at(seconds)), status, "after the sweep");
    }
    let dir = Dir::new();
    let store = dir.store();
    let spool = accepted(&store);
    let id = spool.id();
    convert(&spool).unwrap();
    spool.fail(failure(), at(0));
    assert_eq!(dir.tree(), [format!("{id}.failed")]);
    assert_eq!(refusal(&store, &id, 0), Unavailable::Failed(failure()));
    check(&store, &id, 0, Status::Failed(failure()));
    check(&store, &id, TTL - 1, Status::Failed(failure()));
    check(&store, &id, TTL, ended(false));
    check(&store, &id, TTL + DAY - 1, ended(false));
    store.sweep(at(TTL + DAY));
    assert_eq!(store.status(&id, at(TTL + DAY)), Status::NotFound);
    assert!(dir.tree().is_empty());
}

#[test]
fn a_link_works_until_its_last_second_and_is_remembered_for_a_day() {
    let dir = Dir::new();
    let store = dir.store();
    let record = ready(&store);
    let id = record.id;
    let expired = ended(false);
    assert_eq!(store.sweep(at(TTL - 1)), 0);
    drop(store.claim(&id, WHOLE, at(TTL - 1), SOON).ok().unwrap());
    assert_eq!(store.status(&id, at(TTL)), expired, "before the sweep");
    let over = Unavailable::Expired { downloaded: false };
    assert_eq!(refusal(&store, &id, TTL), over);
    assert_eq!(store.peek(&id, at(TTL)), Err(over));
    assert_eq!(store.sweep(at(TTL)), 1);
    assert_eq!(store.status(&id, at(TTL)), expired);
    assert!(dir.tree().is_empty());
    assert_eq!(dir.endings(), [ending(&id, "expired")]);
    drop(store);
    let (store, _) = dir.open(at(TTL + DAY - 1));
    assert_eq!(store.status(&id, at(TTL + DAY - 1)), expired);
    drop(store);
    let (store, _) = dir.open(at(TTL + DAY));
    assert_eq!(store.status(&id, at(TTL + DAY)), Status::NotFound);
    assert!(dir.tree().is_empty());
}

#[test]
fn the_end_of_the_term_is_reported_after_every_ending_and_a_restart() {
    #[track_caller]
    fn check(end: impl Fn(&Store) -> ConversionId, downloaded: bool) {
        let dir = Dir::new();
        let store = dir.store();
        let id = end(&store);
        assert_eq!(store.status(&id, at(TTL)), ended(downloaded), "at once");
        drop(store);
        for seconds in [TTL, TTL + DAY - 1] {
            let (store, _) = dir.open(at(seconds));
            assert_eq!(store.status(&id, at(seconds)), ended(downloaded));
        }
        let (store, _) = dir.open(at(TTL + DAY));
        assert_eq!(store.status(&id, at(TTL + DAY)), Status::NotFound);
        assert!(dir.tree().is_empty());
    }
    let downloaded = |store: &Store| {
        let id = ready(store).id;
        download(store, &id);
        assert_eq!(store.status(&id, at(1)), ended(true), "within the term");
        id
    };
    check(downloaded, true);
    let swept_late = |store: &Store| {
        let id = ready(store).id;
        assert_eq!(store.sweep(at(TTL + 500)), 1);
        id
    };
    check(swept_late, false);
    let unswept = |store: &Store| ready(store).id;
    check(unswept, false);
    let failed = |store: &Store| {
        let spool = accepted(store);
        let id = spool.id();
        spool.fail(failure(), at(0));
        id
    };
    check(failed, false);
}

#[test]
fn a_clock_that_steps_moves_the_end_of_a_link_by_no_more_than_the_step() {
    let dir = Dir::new();
    let store = dir.store();
    let hour = Duration::from_secs(3600);
    let id = ready(&store).id;
    store.sweep(at(0) - hour);
    assert!(matches!(store.status(&id, at(0) - hour), Status::Ready(_)));
    store.sweep(at(TTL - 1));
    assert!(matches!(store.status(&id, at(TTL - 1)), Status::Ready(_)));
    assert_eq!(store.sweep(at(0) + hour), 1);
    store.sweep(at(0));
    let expired = ended(false);
    assert_eq!(
        store.status(&id, at(0)),
        expired,
        "an ended conversion stays ended"
    );
    drop(store);
    let (store, _) = dir.open(at(0) - hour);
    assert_eq!(store.status(&id, at(0) - hour), expired);
    store.sweep(at(DAY) + hour);
    assert_eq!(store.status(&id, at(DAY) + hour), Status::NotFound);

    let ahead = ready(&store).id;
    let years_back = at(0) - Duration::from_secs(10 * 365 * DAY);
    assert_eq!(store.sweep(years_back), 1, "a link must not last for years");
    assert_eq!(store.status(&ahead, years_back), expired);
    store.sweep(years_back);
    assert_eq!(store.status(&ahead, years_back), Status::NotFound);
    assert!(dir.tree().is_empty(), "a tombstone must not last for years");
}

#[test]
fn a_dropped_spool_leaves_nothing() {
    let dir = Dir::new();
    let store = dir.store();
    drop(store.spool(None, None).unwrap());
    let spool = uploaded(&store);
    convert(&spool).unwrap();
    drop(spool);
    let spool = uploaded(&store);
    convert(&spool).unwrap();
    spool.fail(failure(), at(0));
    let spool = uploaded(&store);
    let id = spool.id();
    let err = spool.commit(request(), outcome(), at(0)).unwrap_err();
    assert_eq!(err.kind(), Kind::Internal, "there was no output");
    assert_eq!(store.status(&id, at(0)), Status::NotFound);
    assert_eq!(store.untidy().try_iter().count(), 4);
    store.sweep(at(0));
    assert!(dir.tree().is_empty());
    assert_eq!(store.counts(), Counts::default());
}

#[test]
fn an_output_can_be_started_over() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = uploaded(&store);
    spool.create_output().unwrap().write_all(&[7; 100]).unwrap();
    convert(&spool).unwrap();
    let record = spool.commit(request(), outcome(), at(0)).unwrap();
    assert_eq!(record.file_size, 10);
}

#[test]
fn an_accepted_conversion_is_run_again_after_a_restart_and_counted_if_it_was_cut_short() {
    let dir = Dir::new();
    let spool = accepted(&dir.store());
    let id = spool.id();
    drop(spool);
    for _ in 0..3 {
        let (store, mut spools) = dir.open(at(1));
        let mut spool = spools.pop().unwrap();
        assert_eq!(
            (spool.id(), spool.attempts()),
            (id, 0),
            "stopped in good order"
        );
        spool.begin();
        assert_eq!(spool.attempts(), 1);
        assert_eq!(spool.request(), Some(&request()));
        assert!(matches!(
            store.status(&id, at(1)),
            Status::Processing { .. }
        ));
    }
    // Each round ends with a killed service. In the first and the fourth round, the conversion only waits, so no
    // attempt is counted.
    for (begins, attempts) in [(false, 0), (true, 0), (true, 1), (false, 2), (true, 2)] {
        let (store, mut spools) = dir.open(at(1));
        let mut spool = spools.pop().unwrap();
        assert_eq!(spool.attempts(), attempts, "killed");
        if begins {
            spool.begin();
        }
        faults::set(faults::Plan::DieAfter(0));
        drop((spool, store));
        faults::set(faults::Plan::Work);
    }
    let (store, mut spools) = dir.open(at(1));
    let spool = spools.pop().unwrap();
    assert_eq!(spool.attempts(), 3);
    let mut upload = Vec::new();
    spool
        .open_upload()
        .unwrap()
        .read_to_end(&mut upload)
        .unwrap();
    assert_eq!(upload, UPLOAD);
    convert(&spool).unwrap();
    let record = spool.commit(request(), outcome(), at(2)).unwrap();
    assert_eq!(store.status(&id, at(2)), Status::Ready(record));
}

#[test]
fn a_panic_in_a_conversion_is_its_failure() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = accepted(&store);
    let id = spool.id();
    let panicked = thread::spawn(move || {
        let _spool = spool;
        std::panic::resume_unwind(Box::new("as a decoder would"));
    });
    assert!(panicked.join().is_err());
    let Status::Failed(failure) = store.status(&id, at(0)) else {
        panic!("still processing");
    };
    assert_eq!(failure.kind, crate::error::Kind::Internal);
    assert_eq!(dir.tree(), [format!("{id}.failed")]);
}

#[test]
fn an_accepted_conversion_that_cannot_be_stored_has_failed() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = accepted(&store);
    let id = spool.id();
    assert!(spool.commit(request(), outcome(), at(0)).is_err());
    assert!(matches!(store.status(&id, at(0)), Status::Failed(_)));
    drop(store);
    let (store, spools) = dir.open(at(0));
    assert!(matches!(store.status(&id, at(0)), Status::Failed(_)));
    assert!(spools.is_empty());
}

#[test]
fn conversions_beyond_the_limit_are_refused() {
    let dir = Dir::new();
    let settings = Settings {
        max_records: 3,
        ..dir.settings()
    };
    let store = Store::open(settings, at(0)).unwrap().0;
    let spool = store.spool(None, None).unwrap();
    let id = ready(&store).id;
    let processing = accepted(&store);
    let counts = crate::store::Counts {
        spools: 1,
        processing: 1,
        live: 1,
        tombstones: 0,
        bytes: WHOLE.end,
        shared: None,
    };
    assert_eq!(store.counts(), counts);
    let busy = |store: &Store| store.spool(None, None).err().map(|err| err.kind());
    assert_eq!(busy(&store), Some(Kind::Busy));
    assert_eq!(store.health().unwrap_err().kind(), Kind::Busy);
    drop(spool);
    let spool = store.spool(None, None).unwrap();
    assert_eq!(busy(&store), Some(Kind::Busy));
    // The files of the delivered conversion do not count from now on, although they still exist.
    let receipt = claim(&store, &id).delivered();
    assert_eq!(busy(&store), None);
    drop((spool, processing, receipt));
}

#[test]
fn nobody_takes_more_than_a_share_of_the_places() {
    let owner = |number: u8| Some(std::net::IpAddr::from([192, 0, 2, number]));
    let dir = Dir::new();
    let settings = Settings {
        max_records: 12,
        ..dir.settings()
    };
    let store = Store::open(settings.clone(), at(0)).unwrap().0;
    let spool = |owner| {
        let spool = store.spool(owner, None).unwrap();
        convert(&spool).unwrap();
        spool
    };
    let done = |owner| spool(owner).commit(request(), outcome(), at(0)).unwrap().id;
    let share = |store: &Store, of| store.share_for(of, 0).err().map(|err| err.kind());
    let first = done(owner(1));
    let mut failing = spool(owner(1));
    failing.accept(request(), at(0)).unwrap();
    failing.fail(failure(), at(0));
    assert_eq!(share(&store, owner(1)), None);
    let mut processing = spool(owner(1));
    processing.accept(request(), at(0)).unwrap();
    assert_eq!(share(&store, owner(1)), Some(Kind::Busy));
    assert_eq!(share(&store, owner(2)), None);
    assert_eq!(share(&store, None), None);
    drop((processing, store));
    // The same holds after a restart.
    let (store, resumed) = Store::open(settings, at(0)).unwrap();
    assert_eq!(resumed[0].owner(), owner(1));
    assert_eq!(share(&store, owner(1)), Some(Kind::Busy));
    let too_much = store.share_for(owner(1), u64::MAX).unwrap_err();
    assert!(
        too_much.message().contains("3 results of 1 MiB"),
        "{too_much}"
    );
    download(&store, &first);
    assert_eq!(share(&store, owner(1)), None);
    // The first result of an owner is accepted even if it is larger than half of the disk.
    assert!(store.share_for(owner(1), u64::MAX).is_ok());
}

#[test]
fn the_oldest_tombstones_are_forgotten_first() {
    let dir = Dir::new();
    drop(dir.store());
    let ids: Vec<_> = (0..5).map(|_| ConversionId::random().unwrap()).collect();
    let lines = (0..)
        .zip(&ids)
        .map(|(seconds, id)| format!("{id} expired {}\n", 1_700_000_000 + seconds));
    fs::write(dir.path().join("ended/log"), lines.collect::<String>()).unwrap();
    let store = dir.store();
    let forgotten = store.index().forget_beyond(3);
    assert_eq!(forgotten, ids[..2]);
    assert_eq!(store.counts().tombstones, 3);
}

#[test]
fn a_small_upload_is_in_memory_until_it_grows_or_is_accepted() {
    #[track_caller]
    fn check(spool: &Spool, bytes: &[u8]) {
        for _ in 0..2 {
            let mut read = Vec::new();
            let mut upload = spool.open_upload().unwrap();
            upload.read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
            assert!(upload.write_all(b"x").is_err(), "the upload is read-only");
        }
    }
    let dir = Dir::new();
    let store = dir.store();
    let held = Arc::new(());
    let memory = || Some(Memory::new(20, held.clone()));
    let mut spool = store.spool(None, memory()).unwrap();
    spool.write_all(&[1; 10]).unwrap();
    spool.write_all(&[2; 10]).unwrap();
    assert!(dir.tree().is_empty());
    check(&spool, &[[1; 10], [2; 10]].concat());
    assert_eq!(Arc::strong_count(&held), 2);
    spool.write_all(&[3; 10]).unwrap();
    assert_eq!(Arc::strong_count(&held), 1, "given back");
    assert_eq!(dir.tree(), [format!("incoming/{}.upload", spool.id())]);
    check(&spool, &[[1; 10], [2; 10], [3; 10]].concat());
    drop(spool);
    let mut spool = store.spool(None, memory()).unwrap();
    spool.write_all(UPLOAD).unwrap();
    spool.accept(request(), at(0)).unwrap();
    assert_eq!(Arc::strong_count(&held), 1, "given back");
    check(&spool, UPLOAD);
    let spool = store.spool(None, memory()).unwrap();
    drop(spool);
    assert_eq!(Arc::strong_count(&held), 1, "given back");
}
