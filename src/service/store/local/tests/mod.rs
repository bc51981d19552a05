//! Behaviour of the store. Nearly all of these tests use only its interface, and check its effects on the disk.

mod crash;
mod delivery;
mod disk;
pub(super) mod faults;
pub(super) mod power;
mod states;
mod upgrade;

use super::{Claim, Durability, Memory, Settings, Spool, Store};
use crate::{
    error::{Error, Kind},
    id::ConversionId,
    job::{Options, Quality, Task},
    store::{Failure, Outcome, Record, Request, Status, Unavailable},
};
use std::{
    fs,
    io::{Read, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

const TTL: u64 = 1800;
const DAY: u64 = 86_400;
const OUTPUT: &[u8] = b"ten bytes!";
const WHOLE: Range<u64> = 0..10;
const UPLOAD: &[u8] = b"what was uploaded";
const SOON: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(30);

/// The time `seconds` after the moment at which all tests begin.
fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

/// A data directory that is removed when the test ends.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// Makes a directory in memory if possible, where a flush takes no time.
    fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        match memory.is_dir() {
            true => Self::below(memory),
            false => Self::new(),
        }
    }

    fn below(parent: &Path) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "convertd-store-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        Self(parent.join(name))
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn settings(&self) -> Settings {
        Settings {
            dir: self.0.clone(),
            link_ttl: Duration::from_secs(TTL),
            tombstone_ttl: Duration::from_secs(DAY),
            reserve: 0,
            max_records: 100,
            durability: Durability::Power,
        }
    }

    fn open(&self, now: SystemTime) -> (Store, Vec<Spool>) {
        Store::open(self.settings(), now).unwrap()
    }

    fn store(&self) -> Store {
        self.open(at(0)).0
    }

    /// The lines of the file of endings.
    fn endings(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join("ended/log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The relative paths of all files and empty directories, sorted, without the lock, the key, the file of endings,
    /// and the directories `incoming` and `ended` themselves.
    fn tree(&self) -> Vec<String> {
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
        found.retain(|name| {
            !["lock", "key", "incoming", "ended", "ended/log"].contains(&name.as_str())
        });
        found.sort();
        found
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn request() -> Request {
    let mut options = Options::default();
    options.insert("width", "100");
    Request {
        original_filename: "holiday.png".into(),
        task: Task {
            from: "png".into(),
            to: "jpeg".into(),
            quality: Quality::High,
            options,
            file_title: None,
        },
        original_format: None,
        media_type: "image/jpeg".into(),
        remarks: Vec::new(),
        repeat: None,
    }
}

fn outcome() -> Outcome {
    Outcome {
        conversion_time: 0.25,
        notes: vec!["The animation was reduced to its first frame.".into()],
        archive: false,
    }
}

fn failure() -> Failure {
    Failure {
        kind: Kind::BadInput,
        reason: None,
        message: "the file is not a readable PNG".into(),
    }
}

/// The status of a conversion that has ended and whose term began at the start of the test.
fn ended(downloaded: bool) -> Status {
    Status::Expired {
        downloaded,
        expires_at: at(TTL),
    }
}

/// A small upload, in memory.
fn uploaded(store: &Store) -> Spool {
    let mut spool = store.spool(None, Some(Memory::new(100, ()))).unwrap();
    spool.write_all(UPLOAD).unwrap();
    spool
}

fn uploaded_to_disk(store: &Store) -> Spool {
    let mut spool = store.spool(None, None).unwrap();
    spool.write_all(UPLOAD).unwrap();
    spool
}

/// The bytes of a result as its client gets them.
fn content(claim: &Claim) -> Vec<u8> {
    let mut content = Vec::new();
    let len = claim.record().file_size;
    claim
        .open()
        .unwrap()
        .take(len)
        .read_to_end(&mut content)
        .unwrap();
    content
}

fn accepted(store: &Store) -> Spool {
    let mut spool = uploaded(store);
    spool.accept(request(), at(0)).unwrap();
    spool
}

fn convert(spool: &Spool) -> Result<(), Error> {
    let mut output = spool.create_output()?;
    output.write_all(OUTPUT).unwrap();
    Ok(())
}

fn ready(store: &Store) -> Arc<Record> {
    let spool = uploaded(store);
    convert(&spool).unwrap();
    spool.commit(request(), outcome(), at(0)).unwrap()
}

/// A line of the file of endings, for a conversion whose term began at the start of the test.
fn ending(id: &ConversionId, word: &str) -> String {
    format!("{id} {word} {}", 1_700_000_000 + TTL)
}

fn claim(store: &Store, id: &ConversionId) -> Claim {
    claim_part(store, id, WHOLE)
}

fn claim_part(store: &Store, id: &ConversionId, range: Range<u64>) -> Claim {
    store.claim(id, range, at(0), Duration::ZERO).ok().unwrap()
}

/// Delivers a whole result to a client that reads it.
fn download(store: &Store, id: &ConversionId) {
    drop(claim(store, id).delivered().unwrap());
    store.sweep(at(0));
}

fn refusal(store: &Store, id: &ConversionId, seconds: u64) -> Unavailable {
    store.claim(id, WHOLE, at(seconds), SOON).err().unwrap()
}
