//! Makes what was just written survive a power cut, with one flush for all who ask at the same moment (group commit). Knows no
//! file names, and flushes nothing if only crashes of the process are to be survived: the kernel keeps what it was given.
//!
//! A flush is what a conversion costs: on a disk 4 ms, on an SD card a tenth of a second. So whoever finds no flush under way
//! leads: it makes one for all who have asked until then, and those who ask meanwhile form the next group.
//!
//! A single new file is flushed by fsync(2), and a group by syncfs(2). POSIX does not promise that fsync keeps the *name* of a new
//! file. The journals of ext4, XFS and Btrfs do, because they write changes of names in order and an fsync writes all that came
//! before; on any other file system syncfs is used for single files, too. syncfs also writes what others have left unwritten on
//! the same file system, which is why a single file does without it.

use super::steps;
use std::{
    fs::File,
    io,
    path::Path,
    str::FromStr,
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// What a promise survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A power cut: everything that was answered is on the disk.
    #[default]
    Power,
    /// A crash of the process alone. Nothing is flushed, which spares flash memory; a power cut may take the last half minute.
    Process,
}

impl FromStr for Durability {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "power" => Ok(Self::Power),
            "process" => Ok(Self::Process),
            _ => Err(()),
        }
    }
}

/// Flushes files of one directory.
pub(super) struct Flusher {
    durability: Durability,
    /// Whether an fsync of a file makes its name durable.
    keeps_names: bool,
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Default)]
struct State {
    /// The files of the group that is gathering, and what becomes of it.
    files: Vec<File>,
    group: Arc<Group>,
    is_flushing: bool,
}

/// How the flush of a group ended.
type Group = OnceLock<Result<(), io::ErrorKind>>;

impl Flusher {
    pub(super) fn new(durability: Durability, dir: &Path) -> Self {
        Self {
            durability,
            keeps_names: steps::keeps_names(dir),
            state: Mutex::default(),
            done: Condvar::new(),
        }
    }

    /// Returns when these files of the directory `dir` are durable, under the names that they have now.
    pub(super) fn flush(&self, dir: &Path, files: Vec<File>) -> io::Result<()> {
        if self.durability == Durability::Process {
            return Ok(());
        }
        let mut state = self.lock();
        state.files.extend(files);
        let group = state.group.clone();
        loop {
            if let Some(outcome) = group.get() {
                return outcome.map_err(io::Error::from);
            }
            if state.is_flushing {
                state = self
                    .done
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // Nobody leads, so the group that is gathering is the one of this caller.
            state.is_flushing = true;
            state.group = Arc::default();
            let files = std::mem::take(&mut state.files);
            drop(state);
            let outcome = self.write(dir, &files);
            // It has not been set before: a group has one leader.
            let _ = group.set(outcome.map_err(|err| err.kind()));
            state = self.lock();
            state.is_flushing = false;
            self.done.notify_all();
        }
    }

    fn write(&self, dir: &Path, files: &[File]) -> io::Result<()> {
        match files {
            [file] if self.keeps_names => steps::sync(file),
            _ => steps::sync_all(&File::open(dir)?),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Barrier, thread};

    #[test]
    fn whoever_asks_during_a_flush_shares_the_next_one() {
        let dir = std::env::temp_dir();
        let flusher = Flusher::new(Durability::Power, &dir);
        // A flush that lasts until both others have asked.
        flusher.lock().is_flushing = true;
        let groups = [(); 2].map(|()| flusher.lock().group.clone());
        let asked = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    asked.wait();
                    flusher
                        .flush(&dir, vec![File::open(&dir).unwrap()])
                        .unwrap();
                });
            }
            asked.wait();
            while flusher.lock().files.len() < 2 {
                thread::yield_now();
            }
            assert!(groups[0].get().is_none());
            flusher.lock().is_flushing = false;
            flusher.done.notify_all();
        });
        assert!(Arc::ptr_eq(&groups[0], &groups[1]));
        assert_eq!(groups[0].get(), Some(&Ok(())));
        assert!(flusher.lock().files.is_empty());
    }
}
