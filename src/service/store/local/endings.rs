//! The file of endings: a log of the conversions that are over, one line each, appended and not fsynced. It is read
//! only at start-up and when it is rewritten to make it shorter.
//!
//! All endings share one file. A file for each would occupy an inode for as long as the ending is remembered, so enough
//! downloads in a row would use up the inodes of a small file system although nothing is stored. A line is written by
//! one system call, so a process that is killed leaves the line whole or not at all. A power cut or a full disk may
//! leave a part of a line. The reader skips such a part, and the next line that is written begins with a line feed.
//!
//! ```text
//! a5f0c1de-0b7c-4f0e-9a3b-0123456789ab downloaded 1700001800
//! ```
//!
//! The number is the end of the link's term in seconds of Unix time. A later line with the word `returned` cancels the
//! ending: the client was gone before it could read what its kernel had received, and the link works again.

use super::steps;
use crate::{
    id::ConversionId,
    store::record::{LAST_SECOND, from_unix, unix},
};
use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// Number of useless lines that the file may have before it is rewritten. At start-up, lines of cancelled and repeated
/// endings are useless. While the server runs, so are those of forgotten endings, and the limit is larger by the number
/// of remembered endings.
const MAX_STALE: usize = 4096;
/// The most bytes of the file that are read. [`compact`](Endings::compact) rewrites the file long before it reaches
/// this length.
const MAX_FILE: u64 = 32 << 20;

/// Reason why a conversion has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    /// Every byte of the result has been delivered.
    Downloaded,
    /// The term of the link was over.
    Expired,
}

impl Ending {
    pub(super) const ALL: [Self; 2] = [Self::Downloaded, Self::Expired];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Downloaded => "downloaded",
            Self::Expired => "expired",
        }
    }
}

/// Whether an ending is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Yes,
    Not,
}

const RETURNED: &str = "returned";

/// The file of endings.
pub(super) struct Endings {
    path: PathBuf,
    tail: Mutex<Tail>,
}

/// Facts of the file that are known without reading it.
#[derive(Default)]
struct Tail {
    /// Number of lines in the file. If the file could not be read, only the lines of this process count.
    lines: usize,
    /// Whether the last line is incomplete.
    torn: bool,
}

/// The content of the file: how each conversion ended, and the end of its term.
pub(super) type Known = HashMap<ConversionId, (Ending, SystemTime)>;

impl Endings {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            tail: Mutex::default(),
        }
    }

    /// Appends a line that says that `id` has ended, and tells `then` whether that succeeded. The file stays locked
    /// until `then` returns, so that the index and the file change in the same order.
    pub(super) fn bury(
        &self,
        id: &ConversionId,
        ending: Ending,
        term_end: SystemTime,
        then: impl FnOnce(Written),
    ) -> io::Result<()> {
        let mut tail = self.tail();
        let appended = self.append(&line(id, ending.word(), term_end), &mut tail);
        then(match &appended {
            Ok(()) => Written::Yes,
            Err(_) => Written::Not,
        });
        appended
    }

    /// Appends a line that says that `id` has not ended after all, if `is_so` still returns true when the file has been
    /// locked. Calls `then` after the line has been written.
    pub(super) fn take_back(
        &self,
        id: &ConversionId,
        term_end: SystemTime,
        is_so: impl FnOnce() -> bool,
        then: impl FnOnce(),
    ) -> io::Result<()> {
        let mut tail = self.tail();
        if is_so() {
            self.append(&line(id, RETURNED, term_end), &mut tail)?;
            then();
        }
        Ok(())
    }

    fn append(&self, line: &str, tail: &mut Tail) -> io::Result<()> {
        steps::step()?;
        let text = if tail.torn {
            format!("\n{line}")
        } else {
            line.to_owned()
        };
        let mut file = open(&self.path, OpenOptions::new().append(true))?;
        // If the write fails, part of the line may be in the file, and the next line has to begin with a line feed.
        tail.torn = true;
        file.write_all(text.as_bytes())?;
        tail.torn = false;
        tail.lines += 1;
        Ok(())
    }

    /// Reads the file at start-up, and rewrites it if many of its lines are useless.
    pub(super) fn read_back(&self) -> io::Result<Known> {
        let mut tail = self.tail();
        let (known, lines, torn) = self.read()?;
        (tail.lines, tail.torn) = (lines, torn);
        if lines > known.len() + MAX_STALE {
            self.rewrite(&known, &mut tail)?;
        }
        Ok(known)
    }

    /// Rewrites the file if it has far more lines than `remembered`, the number of identifiers for which
    /// `is_remembered` is true.
    pub(super) fn compact(
        &self,
        remembered: usize,
        is_remembered: impl Fn(&ConversionId) -> bool,
    ) -> io::Result<()> {
        let mut tail = self.tail();
        if tail.lines <= 2 * remembered + MAX_STALE {
            return Ok(());
        }
        let (mut known, ..) = self.read()?;
        known.retain(|id, _| is_remembered(id));
        self.rewrite(&known, &mut tail)
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the content of the file, its number of lines, and whether its last line is incomplete.
    fn read(&self) -> io::Result<(Known, usize, bool)> {
        let mut text = Vec::new();
        match File::open(&self.path) {
            Ok(file) => file.take(MAX_FILE).read_to_end(&mut text)?,
            Err(err) if err.kind() == io::ErrorKind::NotFound => 0,
            Err(err) => return Err(err),
        };
        let torn = text.last().is_some_and(|&byte| byte != b'\n');
        let (mut known, mut lines) = (Known::new(), 0);
        for line in text.split(|&byte| byte == b'\n') {
            lines += 1;
            let Some((id, word, term_end)) = std::str::from_utf8(line).ok().and_then(parse) else {
                continue;
            };
            if word == RETURNED {
                known.remove(&id);
            } else if let Some(ending) = Ending::ALL.into_iter().find(|e| e.word() == word) {
                note(&mut known, id, ending, term_end);
            }
        }
        Ok((known, lines, torn))
    }

    fn rewrite(&self, known: &Known, tail: &mut Tail) -> io::Result<()> {
        let text: String = known
            .iter()
            .map(|(id, &(ending, term_end))| line(id, ending.word(), term_end))
            .collect();
        let temporary = self.path.with_extension("tmp");
        steps::step()?;
        let mut file = open(&temporary, OpenOptions::new().write(true).truncate(true))?;
        file.write_all(text.as_bytes())?;
        // Unlike an append, a rewrite must be synced: otherwise, a power cut could lose all endings, and not only the
        // last few.
        steps::sync(&file)?;
        steps::rename(&temporary, &self.path)?;
        (tail.lines, tail.torn) = (known.len(), false);
        Ok(())
    }
}

/// Adds an ending. If a conversion has two, the download takes precedence.
fn note(known: &mut Known, id: ConversionId, ending: Ending, term_end: SystemTime) {
    if !matches!(known.get(&id), Some((Ending::Downloaded, _))) {
        known.insert(id, (ending, term_end));
    }
}

fn line(id: &ConversionId, word: &str, term_end: SystemTime) -> String {
    format!("{id} {word} {}\n", unix(term_end))
}

fn parse(line: &str) -> Option<(ConversionId, &str, SystemTime)> {
    let mut words = line.split(' ');
    let id = words.next()?.parse().ok()?;
    let word = words.next()?;
    let term_end = words.next()?.parse::<u64>().ok()?.min(LAST_SECOND);
    words
        .next()
        .is_none()
        .then(|| (id, word, from_unix(term_end)))
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.create(true).mode(0o600).open(path)
}
