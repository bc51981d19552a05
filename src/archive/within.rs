//! The files of an archive: which of its entries are files that somebody wants converted, in which order, and what is in them.
//!
//! An archive may lie about everything. Entries that share bytes and entries that unpack to more than they say are
//! refused by the reader; how many there may be, and how large one and all may become, is decided here, before anything is
//! unpacked.

use super::natural;
use crate::{
    containers::zip::Archive,
    error::{Error, Kind, Result},
    job::{Input, Job},
};

/// The most files in an archive.
const MOST_FILES: usize = 10_000;
/// The most bytes of one file, unpacked.
const MOST_BYTES: u64 = 512 << 20;
/// The most bytes of all files together, unpacked.
const MOST_BYTES_OF_ALL: u64 = 4 << 30;

/// What operating systems leave in archives beside what people put there.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// The files of an archive.
pub(super) struct Files<'a> {
    archive: Archive<'a>,
    /// Their numbers in the directory, in the natural order of their names.
    wanted: Vec<usize>,
    directory: u64,
}

impl<'a> Files<'a> {
    /// Reads the directory.
    ///
    /// Errors: [`Kind::BadInput`] if it is damaged, has no files, or too many.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        // The directory takes a part of the input, and some times as much once it has been read.
        let directory = (1 << 20) + 4 * job.input_len.min(Archive::MAX_DIRECTORY);
        job.reserve(directory)?;
        let archive = Archive::open(job, input)?;
        let mut wanted: Vec<usize> = (0..archive.entries().len())
            .filter(|&number| is_wanted(&archive.entries()[number].name))
            .collect();
        let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
        if wanted.is_empty() {
            return refuse("there are no files in the archive".into());
        }
        if wanted.len() > MOST_FILES {
            let count = wanted.len();
            return refuse(format!(
                "the archive has {count} files; the limit is {MOST_FILES}: send it in parts"
            ));
        }
        let total = wanted
            .iter()
            .map(|&number| archive.entries()[number].size)
            .fold(0, u64::saturating_add);
        if total > MOST_BYTES_OF_ALL {
            return refuse(format!(
                "the files in the archive have {total} bytes when they are unpacked; the limit is {MOST_BYTES_OF_ALL}"
            ));
        }
        let entries = archive.entries();
        wanted.sort_by(|&one, &other| natural::compare(&entries[one].name, &entries[other].name));
        Ok(Self {
            archive,
            wanted,
            directory,
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Memory that the directory takes, in bytes.
    pub(super) fn directory(&self) -> u64 {
        self.directory
    }

    /// The name of a file, with slashes between directories.
    pub(super) fn name(&self, nth: usize) -> &str {
        &self.archive.entries()[self.wanted[nth]].name
    }

    /// How many bytes it has, unpacked.
    ///
    /// Errors: [`Kind::BadInput`] if that are too many.
    pub(super) fn size(&self, nth: usize) -> Result<u64> {
        let size = self.archive.entries()[self.wanted[nth]].size;
        if size <= MOST_BYTES {
            return Ok(size);
        }
        let text =
            format!("it has {size} bytes; the limit for a file in an archive is {MOST_BYTES}");
        Err(Error::new(Kind::BadInput, text))
    }

    /// Unpacks a file, which takes as much memory as it has bytes. The caller has reserved it.
    pub(super) fn read(&mut self, nth: usize) -> Result<Vec<u8>> {
        self.archive.read_nth(self.wanted[nth])
    }
}

fn is_wanted(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let is_litter =
        LITTER.contains(&file) || file.starts_with("._") || name.starts_with("__MACOSX/");
    !file.is_empty() && !is_litter
}
