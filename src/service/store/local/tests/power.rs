//! Simulated power cuts. All steps of a run are recorded. A cut is a moment of the run, and a choice of the unflushed
//! steps that the disk still has. The next start finds this state, and must keep every promise that was made before the
//! cut.
//!
//! Unflushed contents may be missing, torn or zeros, whatever the length of the file. In some of the runs, names change
//! in order, as with the journals of ext4, XFS and Btrfs; then an fsync of one file keeps all earlier changes of names.
//! In the others, names change in any order and incompletely, as POSIX allows; then only syncfs counts.

use super::*;
use crate::store::local::steps::Step;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashMap},
    os::unix::fs::MetadataExt,
};

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
    static KEEPS_NAMES: Cell<Option<bool>> = const { Cell::new(None) };
}

/// The steps of a run, and its promises.
#[derive(Default)]
struct Log {
    steps: Vec<Noted>,
    /// Numbers of files in the log, by their inodes.
    files: HashMap<u64, usize>,
    count: usize,
}

enum Noted {
    Name(Name),
    /// A file's contents have become these.
    Contents(usize, Vec<u8>),
    Sync(usize),
    SyncAll,
    /// New content of the file of endings.
    Endings(Vec<u8>),
    Promise(ConversionId, Promise),
}

#[derive(Clone)]
enum Name {
    Create(PathBuf, usize),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Promise {
    Ready,
    Accepted,
    Failed,
    /// The conversion is changing its state, or is over: both states are allowed, and so is an unknown identifier.
    None,
}

pub(in crate::store::local) fn pretended() -> Option<bool> {
    KEEPS_NAMES.get()
}

pub(in crate::store::local) fn note(step: Step<'_>) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.note(step);
        }
    });
}

impl Log {
    fn note(&mut self, step: Step<'_>) {
        let noted = match step {
            Step::Create(path, file) => {
                let number = self.count;
                self.count += 1;
                self.files.insert(file.metadata().unwrap().ino(), number);
                Noted::Name(Name::Create(path.into(), number))
            }
            Step::Write(file) => {
                return self.contents(file.metadata().unwrap().ino(), || read(file));
            }
            Step::Rename(from, to) => {
                self.contents(fs::metadata(to).unwrap().ino(), || fs::read(to).unwrap());
                Noted::Name(Name::Rename(from.into(), to.into()))
            }
            Step::Remove(path) => Noted::Name(Name::Remove(path.into())),
            Step::Sync(file) => {
                let inode = file.metadata().unwrap().ino();
                self.contents(inode, || read(file));
                Noted::Sync(self.files[&inode])
            }
            Step::SyncAll => Noted::SyncAll,
        };
        self.steps.push(noted);
    }

    /// Records the content of a file. Files that were not created by a noted step, such as the count of attempts, are
    /// left out.
    fn contents(&mut self, inode: u64, read: impl Fn() -> Vec<u8>) {
        if let Some(&number) = self.files.get(&inode) {
            self.steps.push(Noted::Contents(number, read()));
        }
    }
}

fn read(file: &fs::File) -> Vec<u8> {
    let mut bytes = vec![0; file.metadata().unwrap().len() as usize];
    std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, 0).unwrap();
    bytes
}

fn promise(dir: &Dir, id: ConversionId, promise: Promise) {
    let endings = fs::read(dir.path().join("ended/log")).unwrap_or_default();
    LOG.with_borrow_mut(|log| {
        let steps = &mut log.as_mut().unwrap().steps;
        steps.push(Noted::Endings(endings));
        steps.push(Noted::Promise(id, promise));
    });
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Content of the conversion's result: its identifier, a few times.
fn expected(id: &ConversionId) -> Vec<u8> {
    id.to_string()
        .repeat(1 + id.number() as usize % 40)
        .into_bytes()
}

/// Runs conversions of all kinds, and records them.
fn run(dir: &Dir, random: &mut Random) -> Log {
    LOG.set(Some(Log::default()));
    let store = dir.store();
    let (mut ready, mut accepted) = (Vec::new(), Vec::new());
    let commit = |spool: Spool| {
        let id = spool.id();
        spool
            .create_output()
            .unwrap()
            .write_all(&expected(&id))
            .unwrap();
        spool.commit(request(), outcome(), at(0)).unwrap();
        promise(dir, id, Promise::Ready);
        id
    };
    for _ in 0..40 {
        let new = match random.below(2) {
            0 => uploaded,
            _ => uploaded_to_disk,
        };
        match random.below(8) {
            0..3 => ready.push(commit(new(&store))),
            3 => {
                let mut spool = new(&store);
                spool.accept(request(), at(0)).unwrap();
                promise(dir, spool.id(), Promise::Accepted);
                accepted.push(spool);
            }
            4 if !accepted.is_empty() => {
                let mut spool = accepted.swap_remove(random.below(accepted.len()));
                spool.begin();
                ready.push(commit(spool));
            }
            5 if !accepted.is_empty() => {
                let spool = accepted.swap_remove(random.below(accepted.len()));
                let id = spool.id();
                spool.fail(failure(), at(0));
                promise(dir, id, Promise::Failed);
            }
            6 if !ready.is_empty() => {
                let id = ready.swap_remove(random.below(ready.len()));
                promise(dir, id, Promise::None);
                let len = expected(&id).len() as u64;
                drop(claim_part(&store, &id, 0..len).delivered());
                promise(dir, id, Promise::None);
            }
            _ => {
                store.sweep(at(0));
            }
        }
    }
    LOG.take().unwrap()
}

/// The files of a disk by name.
type Names = BTreeMap<PathBuf, usize>;

fn apply(names: &mut Names, change: &Name) {
    match change {
        Name::Create(path, number) => drop(names.insert(path.clone(), *number)),
        Name::Rename(from, to) => {
            if let Some(number) = names.remove(from) {
                names.insert(to.clone(), number);
            }
        }
        Name::Remove(path) => drop(names.remove(path)),
    }
}

/// Possible state of the disk after a power cut before step `cut`.
fn disk_after(
    log: &Log,
    cut: usize,
    in_order: bool,
    random: &mut Random,
) -> BTreeMap<PathBuf, Vec<u8>> {
    let steps = &log.steps[..cut];
    let flushes_names =
        |step: &Noted| matches!(step, Noted::SyncAll) || in_order && matches!(step, Noted::Sync(_));
    let flushed = steps.iter().rposition(flushes_names).map_or(0, |at| at + 1);
    let mut names = Names::new();
    let mut pending = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if let Noted::Name(change) = step {
            match at < flushed {
                true => apply(&mut names, change),
                false => pending.push(change),
            }
        }
    }
    if in_order {
        let some = random.below(pending.len() + 1);
        pending[..some]
            .iter()
            .for_each(|change| apply(&mut names, change));
    } else {
        for change in pending {
            match (random.below(4), change) {
                (0, _) => {}
                // The disk has only one half of the rename.
                (1, Name::Rename(from, to)) => {
                    if let Some(&number) = names.get(from) {
                        names.insert(to.clone(), number);
                    }
                }
                (2, Name::Rename(from, _)) => drop(names.remove(from)),
                (_, change) => apply(&mut names, change),
            }
        }
    }
    let mut files: BTreeMap<_, _> = names
        .into_iter()
        .map(|(path, number)| (path, contents(steps, number, random)))
        .collect();
    let endings = steps.iter().rev().find_map(|step| match step {
        Noted::Endings(bytes) => Some(bytes),
        _ => None,
    });
    if let Some(bytes) = endings {
        let len = random.below(bytes.len() + 1);
        files.insert("ended/log".into(), bytes[..len].to_vec());
    }
    files
}

/// Possible content of a file: the last flushed content, or the content that was written since, whole, cut off, or with
/// zeros in it.
fn contents(steps: &[Noted], number: usize, random: &mut Random) -> Vec<u8> {
    let flushes = |step: &Noted| match step {
        Noted::SyncAll => true,
        Noted::Sync(file) => *file == number,
        _ => false,
    };
    let flushed = steps.iter().rposition(flushes).unwrap_or(0);
    let versions: Vec<(usize, &Vec<u8>)> = steps
        .iter()
        .enumerate()
        .filter_map(|(at, step)| match step {
            Noted::Contents(file, bytes) if *file == number => Some((at, bytes)),
            _ => None,
        })
        .collect();
    let first = versions.iter().rposition(|&(at, _)| at < flushed);
    let Some((last, since)) = versions[first.unwrap_or(0)..].split_last() else {
        return Vec::new();
    };
    if first.is_some() && since.is_empty() {
        return last.1.clone();
    }
    let mut bytes = last.1.clone();
    match random.below(5) {
        0 => bytes.truncate(random.below(last.1.len() + 1)),
        1 => bytes.fill(0),
        2 => {
            let from = random.below(bytes.len());
            let to = from + random.below(bytes.len() - from + 1);
            bytes[from..to].fill(0);
        }
        3 => {
            bytes = since
                .first()
                .map_or_else(Vec::new, |(_, older)| older.to_vec())
        }
        _ => {}
    }
    bytes
}

/// Starts a store with the state after a cut, and checks it.
fn check(log: &Log, root: &Path, cut: usize, in_order: bool, random: &mut Random) {
    let dir = Dir::in_memory();
    for name in ["incoming", "ended"] {
        fs::create_dir_all(dir.path().join(name)).unwrap();
    }
    for (path, bytes) in disk_after(log, cut, in_order, random) {
        let path = path.strip_prefix(root).unwrap_or(&path);
        fs::write(dir.path().join(path), bytes).unwrap();
    }
    let (store, spools) = dir.open(at(0));
    let mut promises = HashMap::new();
    for (at, step) in log.steps.iter().enumerate() {
        if let Noted::Promise(id, promise) = step {
            // Conversions without a promise are checked as well, because they must not deliver a torn file, either.
            let kept = promises.entry(*id).or_insert(Promise::None);
            if at < cut {
                *kept = *promise;
            }
        }
    }
    for (id, promise) in promises {
        let status = store.status(&id, at(0));
        let context = format!("{id:?} cut at {cut}, in order: {in_order}: {status:?}");
        let len = expected(&id).len() as u64;
        let claim = store.claim(&id, 0..len, at(0), Duration::ZERO);
        if let Ok(claim) = &claim {
            assert!(content(claim) == expected(&id), "torn: {context}");
        }
        let upload = spools.iter().find(|spool| spool.id() == id);
        if let Some(spool) = upload.filter(|_| promise != Promise::None) {
            let mut upload = Vec::new();
            spool
                .open_upload()
                .unwrap()
                .read_to_end(&mut upload)
                .unwrap();
            assert!(upload == UPLOAD, "torn upload: {context}");
        }
        let kept = match promise {
            Promise::Ready => claim.is_ok(),
            // The next step may have been made without an answer to the client.
            Promise::Accepted => {
                claim.is_ok() || upload.is_some() || matches!(status, Status::Failed(_))
            }
            Promise::Failed => status == Status::Failed(failure()),
            Promise::None => true,
        };
        assert!(kept, "{promise:?} was lost: {context}");
    }
}

#[test]
fn a_power_cut_at_any_point_breaks_no_promise_and_leaves_no_torn_file() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..100 {
        let in_order = round % 2 == 0;
        KEEPS_NAMES.set(Some(in_order));
        let dir = Dir::in_memory();
        let log = run(&dir, &mut random);
        for _ in 0..100 {
            let cut = random.below(log.steps.len() + 1);
            check(&log, dir.path(), cut, in_order, &mut random);
        }
    }
    KEEPS_NAMES.set(None);
}

/// Shows that the test above would notice a store that flushes nothing.
#[test]
fn without_a_flush_a_power_cut_breaks_promises() {
    let lost = std::panic::catch_unwind(|| {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let dir = Dir::in_memory();
        let mut log = run(&dir, &mut random);
        log.steps
            .retain(|step| !matches!(step, Noted::SyncAll | Noted::Sync(_)));
        for _ in 0..100 {
            check(&log, dir.path(), log.steps.len(), true, &mut random);
        }
    });
    assert!(lost.is_err());
}
