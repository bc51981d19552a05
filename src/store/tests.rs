//! How the store behaves, seen from outside. `crash_tests` says what it does when it is cut short.

use super::{
    Claim, Counts, Failure, Outcome, Record, Request, Settings, Spool, Status, Store, Unavailable,
};
use crate::{
    error::{Error, Kind},
    id::ConversionId,
};
use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

pub(super) const TTL: u64 = 1800;
pub(super) const DAY: u64 = 86_400;
pub(super) const OUTPUT: &[u8] = b"ten bytes!";
pub(super) const UPLOAD: &[u8] = b"what was uploaded";
const SOON: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(30);

/// A time `seconds` after the moment at which all tests begin.
pub(super) fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

/// A data directory that goes with the test.
pub(super) struct Dir(PathBuf);

impl Dir {
    pub(super) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "convertd-store-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        Self(std::env::temp_dir().join(name))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            dir: self.0.clone(),
            link_ttl: Duration::from_secs(TTL),
            tombstone_ttl: Duration::from_secs(DAY),
            reserve: 0,
            max_records: 100,
        }
    }

    pub(super) fn open(&self, now: SystemTime) -> (Store, Vec<Spool>) {
        Store::open(self.settings(), now).unwrap()
    }

    pub(super) fn store(&self) -> Store {
        self.open(at(0)).0
    }

    /// All files and empty directories, relative, sorted, the lock left out.
    pub(super) fn tree(&self) -> Vec<String> {
        fn walk(dir: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, found);
                }
                if !path.is_dir() || fs::read_dir(&path).unwrap().next().is_none() {
                    let relative = path.strip_prefix(root).unwrap();
                    found.push(relative.to_str().unwrap().to_owned());
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.0, &self.0, &mut found);
        found.retain(|name| name != "lock" && name != "incoming" && name != "ended");
        found.sort();
        found
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(super) fn request() -> Request {
    Request {
        original_filename: "holiday.png".into(),
        original_format: "png".into(),
        target_format: "jpeg".into(),
        quality: "high".into(),
        options: serde_json::json!({"width": "100"}),
        media_type: "image/jpeg".into(),
    }
}

pub(super) fn outcome() -> Outcome {
    Outcome {
        conversion_time: 0.25,
        notes: vec!["The animation was reduced to its first frame.".into()],
    }
}

pub(super) fn failure() -> Failure {
    Failure {
        client_fault: true,
        message: "the file is not a readable PNG".into(),
    }
}

pub(super) fn uploaded(store: &Store) -> Spool {
    let spool = store.spool().unwrap();
    spool.upload().write_all(UPLOAD).unwrap();
    spool
}

pub(super) fn accepted(store: &Store) -> Spool {
    let mut spool = uploaded(store);
    spool.accept(request(), at(0)).unwrap();
    spool
}

pub(super) fn convert(spool: &Spool) -> Result<(), Error> {
    let mut output = spool.create_output()?;
    output.write_all(OUTPUT).unwrap();
    Ok(())
}

pub(super) fn ready(store: &Store) -> Arc<Record> {
    let spool = uploaded(store);
    convert(&spool).unwrap();
    spool.commit(request(), outcome(), at(0)).unwrap()
}

fn claim(store: &Store, id: &ConversionId) -> Claim {
    store.claim(id, at(0), Duration::ZERO).ok().unwrap()
}

fn refusal(store: &Store, id: &ConversionId, seconds: u64) -> Unavailable {
    store.claim(id, at(seconds), SOON).err().unwrap()
}

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
    assert_eq!(
        dir.tree(),
        [format!("{id}/output"), format!("{id}/record.json")]
    );
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
    assert_eq!(spool.attempts(), 1);
    spool.progress(3, 10);
    assert_eq!(store.status(&id, at(0)), processing(Some((3, 10))));
    spool.progress(30, 10);
    assert_eq!(store.status(&id, at(0)), processing(Some((10, 10))));
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
    assert_eq!(
        dir.tree(),
        [format!("{id}/output"), format!("{id}/record.json")]
    );
}

#[test]
fn a_failure_is_told_as_long_as_a_link_would_work() {
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
    assert_eq!(dir.tree(), [format!("{id}/record.json")]);
    assert_eq!(refusal(&store, &id, 0), Unavailable::Failed(failure()));
    check(&store, &id, 0, Status::Failed(failure()));
    check(&store, &id, TTL - 1, Status::Failed(failure()));
    check(&store, &id, TTL, Status::Expired { downloaded: false });
    check(
        &store,
        &id,
        TTL + DAY - 1,
        Status::Expired { downloaded: false },
    );
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
    let expired = Status::Expired { downloaded: false };
    assert_eq!(store.sweep(at(TTL - 1)), 0);
    drop(store.claim(&id, at(TTL - 1), SOON).ok().unwrap());
    assert_eq!(store.status(&id, at(TTL)), expired, "before the sweep");
    let over = Unavailable::Expired { downloaded: false };
    assert_eq!(refusal(&store, &id, TTL), over);
    assert_eq!(store.peek(&id, at(TTL)), Err(over));
    assert_eq!(store.sweep(at(TTL)), 1);
    assert_eq!(store.status(&id, at(TTL)), expired);
    assert_eq!(dir.tree(), [format!("ended/{id}.expired")]);
    let tombstone = fs::metadata(dir.path().join(format!("ended/{id}.expired"))).unwrap();
    assert_eq!(tombstone.modified().unwrap(), at(TTL));
    drop(store);
    let (store, _) = dir.open(at(TTL + DAY - 1));
    assert_eq!(store.status(&id, at(TTL + DAY - 1)), expired);
    drop(store);
    let (store, _) = dir.open(at(TTL + DAY));
    assert_eq!(store.status(&id, at(TTL + DAY)), Status::NotFound);
    assert!(dir.tree().is_empty());
}

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
            assert!(!claim(&store, &id).delivered(range.clone(), at(0)));
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
        assert!(last_claim.delivered(last.clone(), at(0)));
        assert_eq!(
            store.status(&id, at(0)),
            Status::Expired { downloaded: true }
        );
        let gone = Unavailable::Expired { downloaded: true };
        assert_eq!(refusal(&store, &id, 0), gone);
        assert_eq!(dir.tree(), [format!("ended/{id}.downloaded")]);
        let mut content = Vec::new();
        open.read_to_end(&mut content).unwrap();
        assert_eq!(content, OUTPUT, "an open file outlives its name");
        drop(store);
        let store = dir.store();
        assert_eq!(
            store.status(&id, at(0)),
            Status::Expired { downloaded: true }
        );
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
    assert!(claim(&store, &record.id).delivered(0..0, at(0)));
}

#[test]
fn a_restart_keeps_the_link_and_forgets_what_part_was_delivered() {
    let dir = Dir::new();
    let store = dir.store();
    let record = ready(&store);
    assert!(!claim(&store, &record.id).delivered(0..9, at(0)));
    drop(store);
    let store = dir.store();
    assert_eq!(
        store.status(&record.id, at(1)),
        Status::Ready(record.clone())
    );
    assert!(!claim(&store, &record.id).delivered(9..10, at(0)));
    assert!(claim(&store, &record.id).delivered(0..9, at(0)));
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
    assert!(first.delivered(0..10, at(0)));
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
                        assert!(claim.delivered(0..10, at(0)));
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
    assert!(claim.delivered(0..10, at(0)));
    assert_eq!(asked.join().unwrap(), Status::Expired { downloaded: true });
}

#[test]
fn a_download_that_began_in_time_finishes() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let late = store.claim(&id, at(TTL - 1), SOON).ok().unwrap();
    assert_eq!(store.sweep(at(TTL + 50)), 0);
    assert_eq!(late.open().unwrap().metadata().unwrap().len(), 10);
    assert!(late.delivered(0..10, at(TTL + 51)));
    assert_eq!(
        store.status(&id, at(TTL + 51)),
        Status::Expired { downloaded: true }
    );

    let id = ready(&store).id;
    let broken = store.claim(&id, at(TTL - 1), SOON).ok().unwrap();
    assert_eq!(store.sweep(at(TTL)), 0);
    drop(broken);
    assert_eq!(store.sweep(at(TTL)), 1);
    assert_eq!(
        store.status(&id, at(TTL)),
        Status::Expired { downloaded: false }
    );
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
    let expired = Status::Expired { downloaded: false };
    assert_eq!(store.status(&id, at(0)), expired, "what has ended stays so");
    drop(store);
    let (store, _) = dir.open(at(0) - hour);
    assert_eq!(store.status(&id, at(0) - hour), expired);
    store.sweep(at(DAY) + hour);
    assert_eq!(store.status(&id, at(DAY) + hour), Status::NotFound);

    let ahead = ready(&store).id;
    let years_back = at(0) - Duration::from_secs(10 * 365 * DAY);
    assert_eq!(store.sweep(years_back), 1, "a link must not last for years");
    assert_eq!(store.status(&ahead, years_back), expired);
}

#[test]
fn a_dropped_spool_leaves_nothing() {
    let dir = Dir::new();
    let store = dir.store();
    drop(store.spool().unwrap());
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
    assert!(dir.tree().is_empty());
    assert_eq!(store.counts(), Counts::default());
}

#[test]
fn an_output_can_be_begun_anew() {
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
        let spool = spools.pop().unwrap();
        assert_eq!(
            (spool.id(), spool.attempts()),
            (id, 1),
            "stopped in good order"
        );
        assert_eq!(spool.request(), Some(&request()));
        assert!(matches!(
            store.status(&id, at(1)),
            Status::Processing { .. }
        ));
    }
    for attempt in 1..4 {
        let (store, mut spools) = dir.open(at(1));
        let spool = spools.pop().unwrap();
        assert_eq!(spool.attempts(), attempt, "killed");
        super::faults::set(super::faults::Plan::DieAfter(0));
        drop((spool, store));
        super::faults::set(super::faults::Plan::Work);
    }
    let (store, mut spools) = dir.open(at(1));
    let spool = spools.pop().unwrap();
    let mut upload = Vec::new();
    spool
        .open_upload()
        .unwrap()
        .read_to_end(&mut upload)
        .unwrap();
    assert_eq!(upload, UPLOAD);
    upload.clear();
    spool.upload().read_to_end(&mut upload).unwrap();
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
    assert!(!failure.client_fault);
    assert_eq!(dir.tree(), [format!("{id}/record.json")]);
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
fn no_more_conversions_are_taken_than_agreed() {
    let dir = Dir::new();
    let settings = Settings {
        max_records: 3,
        ..dir.settings()
    };
    let store = Store::open(settings, at(0)).unwrap().0;
    let spool = store.spool().unwrap();
    let id = ready(&store).id;
    let processing = accepted(&store);
    let counts = Counts {
        spools: 1,
        processing: 1,
        live: 1,
        tombstones: 0,
    };
    assert_eq!(store.counts(), counts);
    let busy = |store: &Store| store.spool().err().map(|err| err.kind());
    assert_eq!(busy(&store), Some(Kind::Busy));
    drop(spool);
    let spool = store.spool().unwrap();
    assert_eq!(busy(&store), Some(Kind::Busy));
    assert!(claim(&store, &id).delivered(0..10, at(0)));
    assert_eq!(busy(&store), None);
    drop((spool, processing));
}

#[test]
fn the_oldest_tombstones_are_forgotten_first() {
    let dir = Dir::new();
    drop(dir.store());
    let ids: Vec<_> = (0..5).map(|_| ConversionId::random().unwrap()).collect();
    for (seconds, id) in (0..).zip(&ids) {
        let path = dir.path().join(format!("ended/{id}.expired"));
        fs::File::create(path)
            .unwrap()
            .set_modified(at(seconds))
            .unwrap();
    }
    let store = dir.store();
    let forgotten = store.index().forget_beyond(3);
    assert_eq!(forgotten, ids[..2]);
    assert_eq!(store.counts().tombstones, 3);
}

#[test]
fn files_are_for_this_user_only() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let spool = uploaded(&store);
    convert(&spool).unwrap();
    let incoming = format!("incoming/{}", spool.id());
    for (name, mode) in [
        ("", 0o700),
        ("lock", 0o600),
        ("incoming", 0o700),
        ("ended", 0o700),
        (&incoming, 0o700),
        (&format!("{incoming}/upload"), 0o600),
        (&format!("{incoming}/output.part"), 0o600),
        (&id.to_string(), 0o700),
        (&format!("{id}/record.json"), 0o600),
        (&format!("{id}/output"), 0o600),
    ] {
        let found = fs::metadata(dir.path().join(name)).unwrap();
        assert_eq!(found.permissions().mode() & 0o7777, mode, "{name:?}");
    }
}

#[test]
fn a_second_server_on_the_same_directory_is_told_so() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = store.spool().unwrap();
    drop(store);
    let err = Store::open(dir.settings(), at(0)).err().unwrap();
    assert_eq!(err.kind(), Kind::Busy);
    assert!(err.message().contains("in use by another server"), "{err}");
    assert!(
        err.message().contains(dir.path().to_str().unwrap()),
        "{err}"
    );
    drop(spool);
    assert!(Store::open(dir.settings(), at(0)).is_ok());
}

#[test]
fn a_directory_that_cannot_be_used_is_named() {
    let dir = Dir::new();
    fs::write(dir.path(), "a file").unwrap();
    let err = Store::open(dir.settings(), at(0)).err().unwrap();
    assert_eq!(err.kind(), Kind::Internal);
    assert!(
        err.message().contains(dir.path().to_str().unwrap()),
        "{err}"
    );
    fs::remove_file(dir.path()).unwrap();
}

#[test]
fn what_others_have_put_there_stays() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let lost = ConversionId::random().unwrap();
    let stranger = ConversionId::random().unwrap();
    drop(store);
    let upper = stranger.to_string().to_uppercase();
    let theirs = [
        "README".to_owned(),
        "lost+found/a".to_owned(),
        "incoming/notes.txt".to_owned(),
        format!("incoming/{upper}/upload"),
        "ended/x.expired".to_owned(),
        format!("ended/{stranger}.deleted"),
        format!("ended/{upper}.expired"),
        format!("{stranger}.tmp"),
        format!("{stranger}/thesis.doc"),
        format!("{id}x/output"),
        format!("{id}/notes.txt"),
        format!("{lost}/record.json/x"),
    ];
    for name in &theirs {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
    let target = Dir::new();
    fs::create_dir(target.path()).unwrap();
    fs::write(target.path().join("upload"), "").unwrap();
    let link = dir.path().join(ConversionId::random().unwrap().to_string());
    std::os::unix::fs::symlink(target.path(), link).unwrap();

    let store = dir.store();
    assert!(matches!(store.status(&id, at(0)), Status::Ready(_)));
    store.sweep(at(TTL));
    store.sweep(at(TTL + DAY));
    drop(store);
    drop(dir.open(at(TTL + DAY)));
    for name in &theirs {
        let content = fs::read_to_string(dir.path().join(name));
        assert_eq!(content.ok().as_deref(), Some(name.as_str()));
    }
    assert!(target.path().join("upload").exists());
    assert!(!dir.path().join(id.to_string()).join("output").exists());
}

#[test]
fn a_directory_that_vanishes_is_an_error_and_comes_back() {
    let dir = Dir::new();
    let store = dir.store();
    let kept = ready(&store).id;
    let spool = uploaded(&store);
    let mut late = uploaded(&store);
    let asynchronous = accepted(&store);
    convert(&spool).unwrap();
    fs::remove_dir_all(dir.path()).unwrap();

    let internal = |err: Option<Error>| assert_eq!(err.unwrap().kind(), Kind::Internal);
    internal(store.health().err());
    internal(store.room_for(1).err());
    internal(claim(&store, &kept).open().err());
    internal(spool.open_upload().err());
    internal(late.accept(request(), at(0)).err());
    internal(spool.commit(request(), outcome(), at(0)).err());
    let id = asynchronous.id();
    asynchronous.fail(failure(), at(0));
    assert_eq!(store.status(&id, at(0)), Status::Failed(failure()));
    drop(late);

    store.sweep(at(1));
    store.health().unwrap();
    let id = ready(&store).id;
    assert!(Store::open(dir.settings(), at(0)).is_err(), "locked again");
    fs::remove_dir_all(dir.path()).unwrap();
    let spool = uploaded(&store);
    convert(&spool).unwrap();
    spool.commit(request(), outcome(), at(0)).unwrap();
    assert_eq!(store.sweep(at(TTL)), 4);
    assert_eq!(
        store.status(&id, at(TTL)),
        Status::Expired { downloaded: false }
    );
}

#[test]
fn room_is_what_the_reserve_leaves() {
    let dir = Dir::new();
    let store = dir.store();
    store.room_for(1).unwrap();
    let kind = |result: Result<(), Error>| result.err().map(|err| err.kind());
    assert_eq!(kind(store.room_for(u64::MAX)), Some(Kind::StorageFull));
    drop(store);
    let settings = Settings {
        reserve: 1 << 60,
        ..dir.settings()
    };
    let store = Store::open(settings, at(0)).unwrap().0;
    assert_eq!(kind(store.room_for(0)), Some(Kind::StorageFull));
    assert_eq!(kind(store.health()), Some(Kind::StorageFull));
}

#[test]
fn a_full_disk_costs_no_conversion_that_was_stored_before() {
    let dir = Dir::new();
    fs::create_dir(dir.path()).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "convertd-test"])
        .arg(dir.path())
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: needs the right to mount a tmpfs");
        return;
    }
    struct Unmount<'a>(&'a Path);
    impl Drop for Unmount<'_> {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(self.0).status();
        }
    }
    let _unmount = Unmount(dir.path());

    let store = dir.store();
    let first = ready(&store).id;
    let asynchronous = accepted(&store);
    let doomed = uploaded(&store);
    convert(&doomed).unwrap();
    let hog = uploaded(&store);
    let mut file = hog.upload();
    while file.write_all(&[0; 512]).is_ok() {}

    let kind = |result: Result<(), Error>| result.err().map(|err| err.kind());
    assert_eq!(kind(store.room_for(4096)), Some(Kind::StorageFull));
    assert_eq!(
        kind(doomed.commit(request(), outcome(), at(0)).map(drop)),
        Some(Kind::StorageFull)
    );
    let id = asynchronous.id();
    while file.write_all(&[0; 512]).is_ok() {}
    asynchronous.fail(failure(), at(0));
    assert_eq!(store.status(&id, at(0)), Status::Failed(failure()));
    assert!(matches!(store.status(&first, at(0)), Status::Ready(_)));
    assert!(claim(&store, &first).delivered(0..10, at(0)));
    drop(hog);
    store.sweep(at(0));
    store.health().unwrap();
    let second = ready(&store).id;
    drop(store);
    let (store, spools) = dir.open(at(0));
    assert!(spools.is_empty());
    assert_eq!(store.status(&id, at(0)), Status::Failed(failure()));
    assert!(matches!(store.status(&second, at(0)), Status::Ready(_)));
    assert_eq!(
        store.status(&first, at(0)),
        Status::Expired { downloaded: true }
    );
}
