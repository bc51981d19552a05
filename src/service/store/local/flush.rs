//! Makes written data survive a power cut, with one flush for all threads that ask at the same moment (group commit).
//! Flushes nothing if only crashes of the process are to be survived, because written data stays in the kernel then.
//!
//! The flush dominates the cost of storing a conversion: 4 ms on a disk, a tenth of a second on an SD card. So a thread
//! that finds no flush under way becomes the leader: it makes one flush for all threads that have asked until then, and
//! those that ask meanwhile form the next group.
//!
//! With few clients, groups would stay small and the disk would wear: eight clients on two cores, with a disk that
//! flushes in a millisecond, needed 0.6 flushes per conversion. So a leader that knows of other unfinished conversions
//! waits for them, for three times as long as the last flush took and no longer than [`PATIENCE`]. If no thread joined
//! the last group, the next leader does not wait. Waiting starts again once two threads have formed a group by chance.
//! Waiting reduced the flushes to 0.3 per conversion, at the same rate of conversions; waiting for one flush time
//! instead of three gave 0.5.
//!
//! A single new file is flushed by fsync(2), and a group by syncfs(2). POSIX does not promise that fsync keeps the
//! *name* of a new file. The journals of ext4, XFS and Btrfs do, because they write changes of names in order, and an
//! fsync writes all earlier changes. On any other file system, syncfs is used even for a single file. Where fsync
//! suffices it is preferred, because syncfs also writes everything that other programs have left unwritten on the file
//! system.

use super::steps;
use std::{
    fs::File,
    io,
    path::Path,
    str::FromStr,
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

/// Kinds of failure that a stored conversion survives, once the client has its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A power cut: everything that was answered is on the disk.
    #[default]
    Power,
    /// A crash of the process alone. Nothing is flushed, which spares flash memory; a power cut may lose the last half
    /// minute.
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

/// Longest time that a leader waits for other threads. Tests set other times.
const PATIENCE: Duration = Duration::from_millis(10);

/// Flushes files of one directory.
pub(super) struct Flusher {
    durability: Durability,
    /// Whether an fsync of a file makes its name durable.
    keeps_names: bool,
    /// Longest time for which a leader waits for other threads.
    patience: Duration,
    state: Mutex<State>,
    /// Signals that a thread has joined the gathering group.
    joined: Condvar,
    /// Signals that a flush is over.
    done: Condvar,
}

struct State {
    /// Files of the group that is gathering.
    files: Vec<File>,
    /// Number of threads in that group.
    members: usize,
    /// Result of the flush of that group, shared with its threads.
    group: Arc<Group>,
    /// Whether a leader is waiting for others or flushing.
    is_led: bool,
    last: Flush,
}

/// Facts of the previous flush.
struct Flush {
    members: usize,
    took: Duration,
}

impl Default for State {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            members: 0,
            group: Arc::default(),
            is_led: false,
            last: Flush {
                members: 2,
                took: Duration::ZERO,
            },
        }
    }
}

/// Result of a group's flush.
type Group = OnceLock<Result<(), io::ErrorKind>>;

impl Flusher {
    pub(super) fn new(durability: Durability, dir: &Path) -> Self {
        Self {
            durability,
            keeps_names: steps::keeps_names(dir),
            patience: PATIENCE,
            state: Mutex::default(),
            joined: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// Waits until these files of the directory `dir` are durable under their present names. Does nothing with
    /// [`Durability::Process`]. `others` is the number of callers that may soon ask for the same.
    pub(super) fn flush(&self, dir: &Path, files: Vec<File>, others: usize) -> io::Result<()> {
        if self.durability == Durability::Process {
            return Ok(());
        }
        let mut state = self.lock();
        state.files.extend(files);
        state.members += 1;
        self.joined.notify_one();
        let group = state.group.clone();
        loop {
            if let Some(outcome) = group.get() {
                return outcome.map_err(io::Error::from);
            }
            if state.is_led {
                state = self
                    .done
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // Without a leader, this caller leads the group that is gathering.
            state.is_led = true;
            state = self.gather(state, others);
            state.group = Arc::default();
            let members = std::mem::take(&mut state.members);
            let files = std::mem::take(&mut state.files);
            drop(state);
            let begun = Instant::now();
            let outcome = self.write(dir, &files);
            // The cell is still empty: only the leader of a group sets its outcome.
            let _ = group.set(outcome.map_err(|err| err.kind()));
            state = self.lock();
            state.last = Flush {
                members,
                took: begun.elapsed(),
            };
            state.is_led = false;
            self.done.notify_all();
        }
    }

    /// Waits until `others` threads have joined the leader, for at most three times as long as the last flush took.
    /// Does not wait if the last group had only one member.
    fn gather<'a>(&self, state: MutexGuard<'a, State>, others: usize) -> MutexGuard<'a, State> {
        if state.last.members < 2 {
            return state;
        }
        let patience = (3 * state.last.took).min(self.patience);
        let waited = self
            .joined
            .wait_timeout_while(state, patience, |state| state.members <= others);
        waited.unwrap_or_else(PoisonError::into_inner).0
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
    fn callers_during_a_flush_share_the_next_one() {
        let dir = std::env::temp_dir();
        let flusher = Flusher::new(Durability::Power, &dir);
        // Simulates a flush that is under way until both other threads have asked.
        flusher.lock().is_led = true;
        let groups = [(); 2].map(|()| flusher.lock().group.clone());
        let asked = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    asked.wait();
                    flusher
                        .flush(&dir, vec![File::open(&dir).unwrap()], 0)
                        .unwrap();
                });
            }
            asked.wait();
            while flusher.lock().files.len() < 2 {
                thread::yield_now();
            }
            assert!(groups[0].get().is_none());
            flusher.lock().is_led = false;
            flusher.done.notify_all();
        });
        assert!(Arc::ptr_eq(&groups[0], &groups[1]));
        assert_eq!(groups[0].get(), Some(&Ok(())));
        assert!(flusher.lock().files.is_empty());
    }

    #[test]
    fn a_leader_waits_for_others_but_not_twice_in_vain() {
        let dir = std::env::temp_dir();
        let mut flusher = Flusher::new(Durability::Power, &dir);
        flusher.patience = Duration::from_secs(3600);
        flusher.lock().last.took = Duration::from_secs(3600);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| flusher.flush(&dir, Vec::new(), 2).unwrap());
            }
        });
        assert_eq!(flusher.lock().last.members, 3);
        flusher.patience = Duration::from_millis(1);
        flusher.flush(&dir, Vec::new(), 2).unwrap();
        assert_eq!(flusher.lock().last.members, 1, "nobody came");
        flusher.patience = Duration::from_secs(3600);
        flusher.lock().last.took = Duration::from_secs(3600);
        flusher.flush(&dir, Vec::new(), 2).unwrap();
    }
}
