//! The data directory: who may use it, which files are left alone, and what happens when it vanishes or is full.

use super::*;
use crate::error::Kind;
use std::{os::unix::fs::PermissionsExt, process::Command};

#[test]
fn files_are_for_this_user_only() {
    let dir = Dir::new();
    let store = dir.store();
    let id = ready(&store).id;
    let spool = uploaded_to_disk(&store);
    convert(&spool).unwrap();
    let mut running = accepted(&store);
    running.begin();
    let processing = running.id();
    let incoming = format!("incoming/{}", spool.id());
    for (name, mode) in [
        ("", 0o700),
        ("lock", 0o600),
        ("incoming", 0o700),
        ("ended", 0o700),
        ("key", 0o600),
        (&format!("{incoming}.upload"), 0o600),
        (&format!("{incoming}.result"), 0o600),
        (&format!("{id}.result"), 0o600),
        (&format!("{processing}.accepted"), 0o600),
        (&format!("{processing}.upload"), 0o600),
        (&format!("{processing}.attempts"), 0o600),
    ] {
        let found = fs::metadata(dir.path().join(name)).unwrap();
        assert_eq!(found.permissions().mode() & 0o7777, mode, "{name:?}");
    }
}

#[test]
fn a_directory_that_was_there_before_is_closed_to_others_if_it_is_ours_alone() {
    #[track_caller]
    fn check(other: Option<&str>, expected: u32) {
        let dir = Dir::new();
        fs::create_dir(dir.path()).unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        if let Some(other) = other {
            fs::create_dir(dir.path().join(other)).unwrap();
        }
        drop(dir.store());
        let found = fs::metadata(dir.path()).unwrap().permissions().mode();
        assert_eq!(found & 0o7777, expected, "{other:?}");
    }
    check(None, 0o700);
    check(Some("lost+found"), 0o700);
    check(Some("home"), 0o755);
}

#[test]
fn a_second_server_on_the_same_directory_gets_an_error() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = store.spool(None, None).unwrap();
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
fn a_lock_that_was_removed_by_hand_lets_no_second_server_in() {
    let dir = Dir::new();
    let store = dir.store();
    fs::remove_file(dir.path().join("lock")).unwrap();
    let err = Store::open(dir.settings(), at(0)).err().unwrap();
    assert_eq!(err.kind(), Kind::Busy);
    // Contents that have vanished are created again, under the same lock.
    fs::remove_dir(dir.path().join("incoming")).unwrap();
    store.sweep(at(0));
    store.health().unwrap();
    assert!(Store::open(dir.settings(), at(0)).is_err());
    drop(store);
    assert!(Store::open(dir.settings(), at(0)).is_ok());
}

#[test]
fn endings_take_up_no_files() {
    let dir = Dir::new();
    let Some(_mounted) = Mounted::new(dir.path(), "size=8m,nr_inodes=100") else {
        return;
    };
    let store = dir.store();
    for _ in 0..300 {
        let id = ready(&store).id;
        download(&store, &id);
    }
    store.health().unwrap();
    assert_eq!(store.counts().tombstones, 300);
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
fn foreign_files_are_kept() {
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
        format!("incoming/{upper}.upload"),
        "ended/x.expired".to_owned(),
        format!("ended/{stranger}.deleted"),
        format!("ended/{upper}.expired"),
        format!("{stranger}.tmp"),
        format!("{stranger}/thesis.doc"),
        format!("{id}x/output"),
        format!("{id}/notes.txt"),
        format!("{id}.result.bak"),
        format!("{lost}.failed/x"),
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
    assert!(!dir.path().join(format!("{id}.result")).exists());
}

#[test]
fn a_directory_that_vanishes_is_an_error_and_comes_back() {
    let dir = Dir::new();
    let store = dir.store();
    let kept = ready(&store).id;
    let spool = uploaded_to_disk(&store);
    let mut late = uploaded_to_disk(&store);
    let asynchronous = accepted(&store);
    convert(&spool).unwrap();
    fs::remove_dir_all(dir.path()).unwrap();

    let internal = |err: Option<Error>| assert_eq!(err.unwrap().kind(), Kind::Internal);
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
    assert_eq!(store.status(&id, at(TTL)), ended(false));
}

#[test]
fn free_space_excludes_the_reserve() {
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
fn a_full_disk_keeps_earlier_conversions() {
    let dir = Dir::new();
    let Some(_mounted) = Mounted::new(dir.path(), "size=1m") else {
        return;
    };
    let store = dir.store();
    let first = ready(&store).id;
    let asynchronous = accepted(&store);
    let doomed = uploaded(&store);
    // The output fills its last block, so that the record of the result needs another block on the full disk.
    let mut output = doomed.create_output().unwrap();
    output.write_all(&[0; 1 << 16]).unwrap();
    let mut hog = uploaded_to_disk(&store);
    while hog.write_all(&[0; 512]).is_ok() {}

    let kind = |result: Result<(), Error>| result.err().map(|err| err.kind());
    assert_eq!(kind(store.room_for(4096)), Some(Kind::StorageFull));
    assert_eq!(
        kind(doomed.commit(request(), outcome(), at(0)).map(drop)),
        Some(Kind::StorageFull)
    );
    let id = asynchronous.id();
    while hog.write_all(&[0; 512]).is_ok() {}
    asynchronous.fail(failure(), at(0));
    assert_eq!(store.status(&id, at(0)), Status::Failed(failure()));
    assert!(matches!(store.status(&first, at(0)), Status::Ready(_)));
    download(&store, &first);
    drop(hog);
    // The first sweep frees space, and the second one uses it.
    store.sweep(at(0));
    store.sweep(at(0));
    store.health().unwrap();
    let second = ready(&store).id;
    drop(store);
    let (store, spools) = dir.open(at(0));
    assert!(spools.is_empty());
    assert_eq!(store.status(&id, at(0)), Status::Failed(failure()));
    assert!(matches!(store.status(&second, at(0)), Status::Ready(_)));
    assert_eq!(store.status(&first, at(0)), ended(true));
}

#[test]
fn a_read_only_directory_is_named_at_the_start() {
    let dir = Dir::new();
    let Some(_mounted) = Mounted::new(dir.path(), "ro") else {
        return;
    };
    let err = Store::open(dir.settings(), at(0)).err().unwrap();
    assert_eq!(err.kind(), Kind::Internal);
    assert!(err.to_string().contains("Read-only file system"), "{err}");
}

/// A separate file system in memory that exists until the test ends.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn new(path: &'a Path, options: &str) -> Option<Self> {
        fs::create_dir(path).unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "convertd-test"])
            .arg(path)
            .output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Self(path));
        }
        eprintln!("skipped: needs the right to mount a tmpfs");
        None
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}
