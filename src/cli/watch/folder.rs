//! What lies in the watched folder, and what of it stands still. Opens no file, and follows no link: what a link leads to may be
//! somebody else's.

use super::{alarm::Alarm, mark::Mark};
use crate::cli::terminal::harmless;
use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How long the size and the time of a file must stay as they are before it is taken.
const STILL: Duration = Duration::from_secs(1);
/// The same for a file of no bytes: scanners and shares make a file long before they fill it.
const EMPTY_STILL: Duration = Duration::from_secs(10);

/// What the name of the text ends with that says why a file was not converted.
pub(super) const NOTE: &str = ".error.txt";

/// What others call a file that they are still writing.
const UNFINISHED: [&str; 7] = [
    ".part",
    ".partial",
    ".crdownload",
    ".download",
    ".filepart",
    ".tmp",
    "~",
];

/// Files that systems make for themselves.
const OF_SYSTEMS: [&str; 2] = ["Thumbs.db", "desktop.ini"];

/// The watched folder.
pub(super) struct Folder {
    root: PathBuf,
    alarm: Alarm,
    seen: HashMap<PathBuf, Seen>,
    /// What has been said already, of what is left alone.
    told: HashSet<PathBuf>,
}

struct Seen {
    mark: Mark,
    since: Instant,
}

impl Seen {
    fn due(&self) -> Instant {
        let still = match self.mark.len {
            0 => EMPTY_STILL,
            _ => STILL,
        };
        self.since + still
    }
}

/// A file that stands still.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Its path below the folder.
    pub(super) path: PathBuf,
    pub(super) mark: Mark,
}

/// What a look has found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    /// When the next file will have stood still for long enough, if it does.
    pub(super) due: Option<Instant>,
}

impl Folder {
    pub(super) fn new(root: PathBuf) -> Self {
        Self {
            alarm: Alarm::new(&root),
            root,
            seen: HashMap::new(),
            told: HashSet::new(),
        }
    }

    pub(super) fn alarm(&self) -> &Alarm {
        &self.alarm
    }

    /// Looks at everything. What `is_settled` says of a file, by its path and mark, is that it need not be looked at.
    pub(super) fn look(&mut self, now: Instant, is_settled: impl Fn(&Path, Mark) -> bool) -> Found {
        let mut found = Found::default();
        let mut seen = HashMap::new();
        let mut directories = vec![PathBuf::new()];
        while let Some(directory) = directories.pop() {
            let whole = self.root.join(&directory);
            // Watched first: what comes while it is read is told.
            self.alarm.watch(&whole);
            let entries = match fs::read_dir(&whole) {
                Ok(entries) => entries,
                Err(err) => {
                    self.tell(&directory, &format!("cannot be read: {err}"));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let path = directory.join(&name);
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if is_ignored(&name) {
                } else if kind.is_dir() {
                    directories.push(path);
                } else if !kind.is_file() {
                    self.tell(&path, "is no ordinary file, and is left alone");
                } else if let Ok(there) = entry.metadata() {
                    let mark = Mark::of(&there);
                    if !is_settled(&path, mark) {
                        let before = self.seen.remove(&path).filter(|seen| seen.mark == mark);
                        let before = before.unwrap_or(Seen { mark, since: now });
                        seen.insert(path, before);
                    }
                }
            }
        }
        for (path, seen) in &seen {
            match seen.due() {
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

    /// Says something about what is left alone, once.
    fn tell(&mut self, path: &Path, what: &str) {
        // Who makes links without end does not get a log without end.
        if self.told.len() < 1000 && self.told.insert(path.to_owned()) {
            log::warn!("{} {what}", shown(path));
        }
    }
}

/// Whether a name says that the file is not meant.
fn is_ignored(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let ends = |end: &&str| bytes.to_ascii_lowercase().ends_with(end.as_bytes());
    bytes.starts_with(b".")
        || ends(&NOTE)
        || UNFINISHED.iter().any(ends)
        || OF_SYSTEMS.iter().any(|own| name == *own)
}

/// A path as a log may show it.
pub(super) fn shown(path: &Path) -> String {
    harmless(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_not_meant() {
        for (name, expected) in [
            ("a.png", false),
            ("report.error.txt", true),
            ("error.txt", false),
            (".hidden.png", true),
            ("a.png.part", true),
            ("a.docx~", true),
            ("film.CRDOWNLOAD", true),
            ("Thumbs.db", true),
        ] {
            assert_eq!(is_ignored(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn a_file_is_taken_when_it_has_stood_still() {
        let id = crate::id::ConversionId::random().unwrap();
        let root = std::env::temp_dir().join(format!("convertd-folder-{id}"));
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("sub/a.png"), "one").unwrap();
        fs::write(root.join("empty"), "").unwrap();
        std::os::unix::fs::symlink("sub/a.png", root.join("link.png")).unwrap();
        std::os::unix::fs::symlink(".", root.join("loop")).unwrap();
        let mut folder = Folder::new(root.clone());
        let start = Instant::now();
        let mut check = |after: Duration, expected: &[&str]| {
            let found = folder.look(start + after, |_, _| false);
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
        assert_eq!(check(Duration::ZERO, &[]), Some(STILL));
        fs::write(root.join("sub/a.png"), "more").unwrap();
        assert_eq!(check(STILL, &[]), Some(2 * STILL));
        assert_eq!(check(2 * STILL, &["sub/a.png"]), Some(EMPTY_STILL));
        assert_eq!(check(EMPTY_STILL, &["empty", "sub/a.png"]), None);
        let settled = folder.look(start, |_, _| true);
        assert!(settled.candidates.is_empty() && settled.due.is_none());
        fs::remove_dir_all(root).unwrap();
    }
}
