//! Journal of the watch, in `.convertd-watch/journal` below the folder of results. It records what the folders
//! themselves do not show: a line for each event, with tabs between the fields. Spaces, control characters, percent
//! signs and bytes beyond ASCII are written as a percent sign and two hexadecimal digits. The last line about a file
//! counts. A line without a line break at its end was cut off by a kill, and is ignored.
//!
//! ```text
//! taken   PATH MARK PART RESULT ORIGINAL new|over
//!         the result is complete, in PART; RESULT and ORIGINAL are the future paths of the result and of the input
//!         file. If PART is empty, the result has its name already, and only the input file has to be moved or deleted
//! done    PATH MARK RESULT        the result has its name, and the input file stays
//! failed  PATH MARK               the conversion failed; a text beside the file says why
//! gone    PATH                    the file is forgotten
//! ```

use super::{file_version::Mark, writers::is_at};
use rustix::fs::{FlockOperation, flock};
use std::{
    collections::HashMap,
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File},
    io::{self, Write as _},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// Number of lines above which the journal may be rewritten.
const MIN_LINES_TO_REWRITE: usize = 10_000;

/// The word in the journal for a result that replaces no file.
const NEW: &str = "new";
/// The word in the journal for a result that replaces an earlier one ([`Taken::replaces`]).
const OVER: &str = "over";

/// State of a file; see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Taken(Taken),
    Done { mark: Mark, result: PathBuf },
    Failed(Mark),
}

/// A file whose result is complete. The result has yet to get its name, or the file has yet to be moved or deleted.
/// Each path is relative to the folder that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) mark: Mark,
    /// Name of the result in the folder of parts; empty once the result has its final name.
    pub(super) part: PathBuf,
    /// Final path of the result.
    pub(super) result: PathBuf,
    /// Future path of the file itself among the originals; empty if it stays.
    pub(super) original: PathBuf,
    /// Whether a file with the name of the result is an earlier result of the same input.
    pub(super) replaces: bool,
}

/// The journal; see the module.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Number of lines in the file.
    lines: usize,
    /// The last state of each path.
    states: HashMap<PathBuf, State>,
    /// Lock on the folder of results, for as long as this value lives.
    lock: File,
    lock_path: PathBuf,
}

impl Journal {
    /// Opens the journal in an existing directory.
    ///
    /// Errors: [`io::ErrorKind::WouldBlock`] if another process holds it.
    pub(super) fn open(directory: &Path) -> io::Result<Self> {
        let lock_path = directory.join("lock");
        let lock = File::create(&lock_path)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let path = directory.join("journal");
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(err) if err.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(err) => return Err(err),
        };
        let mut states = HashMap::new();
        let whole = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        for line in text[..whole].split(|byte| *byte == b'\n') {
            // A line that cannot be parsed, perhaps of another version of this program, is ignored.
            if let Some((path, state)) = std::str::from_utf8(line).ok().and_then(parse) {
                match state {
                    Some(state) => states.insert(path, state),
                    None => states.remove(&path),
                };
            }
        }
        // Outdated lines are dropped at each start.
        let file = rewritten(&path, &states)?;
        Ok(Self {
            path,
            file,
            lines: states.len(),
            states,
            lock,
            lock_path,
        })
    }

    /// Returns whether the journal is still where it was opened. Returns false if its directory was removed, created
    /// again, or mounted over.
    pub(super) fn is_in_place(&self) -> bool {
        is_at(&self.lock, &self.lock_path)
    }

    /// Number of files with a state.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, path: &Path) -> Option<&State> {
        self.states.get(path)
    }

    /// Files whose results have yet to get their names, or whose originals have yet to be moved.
    pub(super) fn taken(&self) -> Vec<(PathBuf, Taken)> {
        let taken = self.states.iter().filter_map(|(path, state)| match state {
            State::Taken(taken) => Some((path.clone(), taken.clone())),
            State::Done { .. } | State::Failed(_) => None,
        });
        taken.collect()
    }

    /// Keeps only the states of some files, and rewrites the journal.
    pub(super) fn retain(&mut self, keep: impl Fn(&Path, &State) -> bool) -> io::Result<()> {
        self.states.retain(|path, state| keep(path, state));
        self.file = rewritten(&self.path, &self.states)?;
        self.lines = self.states.len();
        Ok(())
    }

    /// Records the state of a file. `None` removes the file from the journal.
    pub(super) fn note(&mut self, path: &Path, state: Option<State>) -> io::Result<()> {
        let before = self.file.metadata()?.len();
        if let Err(err) = self.file.write_all(line(path, state.as_ref()).as_bytes()) {
            // Half a line would make the next one unreadable, so it is removed.
            self.file.set_len(before)?;
            return Err(err);
        }
        self.lines += 1;
        match state {
            Some(state) => self.states.insert(path.to_owned(), state),
            None => self.states.remove(path),
        };
        // Rewriting costs time, so a journal is rewritten only if it is long, and more than half of its lines are
        // outdated.
        if self.lines > MIN_LINES_TO_REWRITE && self.lines > 2 * self.states.len() {
            self.retain(|_, _| true)?;
        }
        Ok(())
    }

    /// Flushes the journal to the disk.
    pub(super) fn flush(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Writes a journal with these states and nothing else, and opens it for appending. It is renamed when it is complete,
/// so that a kill leaves the old one.
fn rewritten(path: &Path, states: &HashMap<PathBuf, State>) -> io::Result<File> {
    let new = path.with_extension("new");
    let mut text = String::new();
    for (path, state) in states {
        text.push_str(&line(path, Some(state)));
    }
    let mut file = File::create(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    fs::rename(&new, path)?;
    // Without flushing the directory, a power cut could leave the old journal under this name, although lines were
    // flushed to the new one.
    if let Some(directory) = path.parent() {
        File::open(directory)?.sync_all()?;
    }
    File::options().append(true).open(path)
}

fn line(path: &Path, state: Option<&State>) -> String {
    let path = escaped(path);
    match state {
        Some(State::Taken(taken)) => format!(
            "taken\t{path}\t{}\t{}\t{}\t{}\t{}\n",
            taken.mark,
            escaped(&taken.part),
            escaped(&taken.result),
            escaped(&taken.original),
            if taken.replaces { OVER } else { NEW }
        ),
        Some(State::Done { mark, result }) => {
            format!("done\t{path}\t{mark}\t{}\n", escaped(result))
        }
        Some(State::Failed(mark)) => format!("failed\t{path}\t{mark}\n"),
        None => format!("gone\t{path}\n"),
    }
}

/// Parses a line of the journal: a path and its state. `None` for an unknown or damaged line.
fn parse(line: &str) -> Option<(PathBuf, Option<State>)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let mark = |text: &str| text.parse::<Mark>().ok();
    let (path, state) = match fields[..] {
        [
            "taken",
            path,
            text,
            part,
            result,
            original,
            way @ (NEW | OVER),
        ] => {
            let taken = Taken {
                mark: mark(text)?,
                part: plain(part)?,
                result: plain(result)?,
                original: plain(original)?,
                replaces: way == OVER,
            };
            (path, Some(State::Taken(taken)))
        }
        ["done", path, text, result] => {
            let (mark, result) = (mark(text)?, plain(result)?);
            (path, Some(State::Done { mark, result }))
        }
        ["failed", path, text] => (path, Some(State::Failed(mark(text)?))),
        ["gone", path] => (path, None),
        _ => return None,
    };
    Some((plain(path)?, state))
}

/// Escapes a path, which may have any bytes: the result has no tabs, spaces or line breaks.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'%' | 0..=b' ' | 0x7f.. => {
                // Writing to a string cannot fail.
                let _ = write!(text, "%{byte:02x}");
            }
            _ => text.push(char::from(byte)),
        }
    }
    text
}

/// The path that `escaped` has written. `None` if an escape is damaged.
fn plain(text: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    Some(OsString::from_vec(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noted_states_are_read_back_and_half_a_line_is_ignored() {
        let id = crate::id::ConversionId::random().unwrap();
        let directory = std::env::temp_dir().join(format!("convertd-journal-{id}"));
        fs::create_dir(&directory).unwrap();
        let mark: Mark = "5:-3:999999999".parse().unwrap();
        let odd = PathBuf::from(OsString::from_vec(b"a\xff\tb\n% c".to_vec()));
        let taken = Taken {
            mark,
            part: "1".into(),
            result: odd.clone(),
            original: "".into(),
            replaces: true,
        };
        let mut journal = Journal::open(&directory).unwrap();
        assert_eq!(
            Journal::open(&directory).map(drop).unwrap_err().kind(),
            io::ErrorKind::WouldBlock
        );
        journal
            .note(&odd, Some(State::Taken(taken.clone())))
            .unwrap();
        journal
            .note(Path::new("b"), Some(State::Failed(mark)))
            .unwrap();
        journal
            .note(Path::new("c"), Some(State::Failed(mark)))
            .unwrap();
        journal.note(Path::new("c"), None).unwrap();
        journal.file.write_all(b"gone\tb").unwrap();
        drop(journal);
        let journal = Journal::open(&directory).unwrap();
        assert_eq!(journal.taken(), [(odd, taken)]);
        assert_eq!(journal.state(Path::new("b")), Some(&State::Failed(mark)));
        assert_eq!(journal.state(Path::new("c")), None);
        assert!(journal.is_in_place());
        fs::remove_dir_all(&directory).unwrap();
        assert!(!journal.is_in_place());
    }
}
