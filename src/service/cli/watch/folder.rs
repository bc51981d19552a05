//! Lists the files of the watched folder, and finds those that are complete. Opens no file, and follows no link,
//! because the target of a link may belong to somebody else.

use super::{
    changes::{Alarm, is_local},
    file_version::Mark,
    ignored::Ignored,
};
use crate::cli::terminal::harmless;
use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Time without a change of size and date after which a file counts as complete, if only this machine writes to the
/// folder.
const SETTLE: Duration = Duration::from_secs(2);
/// Time without a change after which a file on a network share counts as complete. It is longer, because another
/// machine may have the file open without a trace on this one.
const SETTLE_ON_SHARES: Duration = Duration::from_secs(10);
/// Minimum time without a change after which an empty file counts as complete: scanners and shares create a file long
/// before they fill it.
const SETTLE_EMPTY: Duration = Duration::from_secs(10);

/// The watched folder.
pub(super) struct Folder {
    root: PathBuf,
    alarm: Alarm,
    ignored: Ignored,
    /// Time without a change after which a file counts as complete, if the command line sets it.
    settle: Option<Duration>,
    /// Files of the last listing that need a conversion, complete or not.
    seen: HashMap<PathBuf, Seen>,
    /// Paths that have been logged already: of files that are not regular, and of unreadable directories.
    reported: HashSet<PathBuf>,
}

/// A file that needs a conversion: its version, and the time at which that version was first seen.
struct Seen {
    mark: Mark,
    since: Instant,
}

impl Seen {
    /// The moment at which the file counts as complete. Empty files wait longer.
    fn due(&self, still: Duration) -> Instant {
        let still = match self.mark.len {
            0 => still.max(SETTLE_EMPTY),
            _ => still,
        };
        self.since + still
    }
}

/// A complete file.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Path below the watched folder.
    pub(super) path: PathBuf,
    pub(super) mark: Mark,
}

/// Result of listing the folder.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    /// The moment at which the next file will be complete, if it stays unchanged.
    pub(super) due: Option<Instant>,
    /// Number of regular files whose names are not ignored, including those that need no conversion.
    pub(super) files: usize,
}

impl Folder {
    pub(super) fn new(root: PathBuf, ignored: Ignored, settle: Option<Duration>) -> Self {
        Self {
            alarm: Alarm::new(&root),
            root,
            ignored,
            settle,
            seen: HashMap::new(),
            reported: HashSet::new(),
        }
    }

    pub(super) fn alarm(&self) -> &Alarm {
        &self.alarm
    }

    /// Forgets the state of all files, because another folder is at the same path now.
    pub(super) fn restart(&mut self) {
        self.alarm.restart(&self.root);
        self.seen.clear();
        self.reported.clear();
    }

    /// Time without a change after which a file is complete.
    pub(super) fn still(&self) -> Duration {
        self.settle.unwrap_or(match is_local(&self.root) {
            true => SETTLE,
            false => SETTLE_ON_SHARES,
        })
    }

    /// Lists the whole folder. `is_settled` returns whether a file with this path and mark can be skipped.
    pub(super) fn scan(&mut self, now: Instant, is_settled: impl Fn(&Path, Mark) -> bool) -> Found {
        let mut found = Found::default();
        let still = self.still();
        // Only files of this listing are kept, so that removed files are forgotten.
        let mut seen = HashMap::new();
        let mut directories = vec![PathBuf::new()];
        while let Some(directory) = directories.pop() {
            let whole = self.root.join(&directory);
            // The directory is watched before it is read, so that files which arrive meanwhile are reported.
            self.alarm.watch(&whole);
            let entries = match fs::read_dir(&whole) {
                Ok(entries) => entries,
                Err(err) => {
                    self.log_once(&directory, &format!("cannot be read: {err}"));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let path = directory.join(entry.file_name());
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if self.ignored.covers(&path) {
                } else if kind.is_dir() {
                    directories.push(path);
                } else if !kind.is_file() {
                    self.log_once(&path, "is not a regular file, and is ignored");
                } else if let Ok(there) = entry.metadata() {
                    let mark = Mark::of(&there);
                    found.files += 1;
                    if !is_settled(&path, mark) {
                        let before = self.seen.remove(&path).filter(|seen| seen.mark == mark);
                        let before = before.unwrap_or(Seen { mark, since: now });
                        seen.insert(path, before);
                    }
                }
            }
        }
        for (path, seen) in &seen {
            match seen.due(still) {
                due if due <= now => found.candidates.push(Candidate {
                    path: path.clone(),
                    mark: seen.mark,
                }),
                due => found.due = Some(found.due.map_or(due, |other| other.min(due))),
            }
        }
        found.candidates.sort_by(|a, b| a.path.cmp(&b.path));
        self.seen = seen;
        found
    }

    /// Logs once that a file is skipped.
    fn log_once(&mut self, path: &Path, what: &str) {
        // An endless number of links must not fill the log.
        if self.reported.len() < 1000 && self.reported.insert(path.to_owned()) {
            log::warn!("{} {what}", shown(path));
        }
    }
}

/// Formats a path for the log.
pub(super) fn shown(path: &Path) -> String {
    harmless(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_taken_once_it_has_settled() {
        let id = crate::id::ConversionId::random().unwrap();
        let root = std::env::temp_dir().join(format!("convertd-folder-{id}"));
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("sub/a.png"), "one").unwrap();
        fs::write(root.join("empty"), "").unwrap();
        std::os::unix::fs::symlink("sub/a.png", root.join("link.png")).unwrap();
        std::os::unix::fs::symlink(".", root.join("loop")).unwrap();
        let mut folder = Folder::new(root.clone(), Ignored::default(), Some(SETTLE));
        let start = Instant::now();
        let mut check = |after: Duration, expected: &[&str]| {
            let found = folder.scan(start + after, |_, _| false);
            let paths: Vec<_> = found
                .candidates
                .iter()
                .map(|one| one.path.clone())
                .collect();
            assert_eq!(
                paths,
                expected.iter().map(PathBuf::from).collect::<Vec<_>>()
            );
            found.due.map(|due| due - start)
        };
        assert_eq!(check(Duration::ZERO, &[]), Some(SETTLE));
        fs::write(root.join("sub/a.png"), "more").unwrap();
        assert_eq!(check(SETTLE, &[]), Some(2 * SETTLE));
        assert_eq!(check(2 * SETTLE, &["sub/a.png"]), Some(SETTLE_EMPTY));
        assert_eq!(check(SETTLE_EMPTY, &["empty", "sub/a.png"]), None);
        let settled = folder.scan(start, |_, _| true);
        assert!(settled.candidates.is_empty() && settled.due.is_none());
        fs::remove_dir_all(root).unwrap();
    }
}
