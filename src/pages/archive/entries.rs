//! The files of an archive: selects and orders the entries to convert, and reads them.
//!
//! An archive may lie about everything. The ZIP reader refuses entries that overlap and entries that decompress to more than
//! they state. The limits on the number and size of files are here, and are checked before anything is decompressed.

use super::natural;
use crate::{
    containers::zip::Archive,
    error::{Error, Kind, Result},
    job::{Input, Job, Progress, Unit},
};

/// The limit on the number of files.
const MOST_FILES: usize = 10_000;
/// The limit on the size of a file, decompressed.
const MOST_BYTES: u64 = 512 << 20;
/// The limit on the size of all files together, decompressed.
const MOST_BYTES_OF_ALL: u64 = 4 << 30;

/// Files that operating systems add to archives by themselves.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// The files of an archive that are to be converted.
pub(super) struct Files<'a> {
    archive: Archive<'a>,
    /// Their indices in the directory, in the natural order of their names.
    wanted: Vec<usize>,
}

impl<'a> Files<'a> {
    /// Reads the directory, whose memory is all that the job reserves for itself.
    ///
    /// Errors: [`Kind::BadInput`] if it is damaged, has no files, or too many.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        job.reserve(Archive::memory(job))?;
        let archive = Archive::open(job, input)?;
        let mut wanted: Vec<usize> = (0..archive.entries().len())
            .filter(|&number| is_wanted(&archive.entries()[number].name))
            .collect();
        let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
        if wanted.is_empty() {
            return refuse("the archive contains no files".into());
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
        Ok(Self { archive, wanted })
    }

    /// The number of files.
    pub(super) fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Goes through the files. `take` gets the number and the name of each.
    ///
    /// Errors: that of `take`, and the job is over.
    pub(super) fn each(
        &mut self,
        job: &Job<'_>,
        take: &mut dyn FnMut(&mut Self, usize, &str) -> Result<()>,
    ) -> Result<()> {
        for nth in 0..self.len() {
            job.check()?;
            job.progress(Progress {
                done: nth as u64,
                total: self.len() as u64,
                unit: Unit::Steps,
            });
            let name = self.name(nth).to_owned();
            take(self, nth, &name)?;
        }
        Ok(())
    }

    /// The name of a file, with slashes between directories.
    pub(super) fn name(&self, nth: usize) -> &str {
        &self.archive.entries()[self.wanted[nth]].name
    }

    /// The decompressed size of a file, in bytes.
    ///
    /// Errors: [`Kind::BadInput`] if it exceeds the limit.
    pub(super) fn size(&self, nth: usize) -> Result<u64> {
        let size = self.archive.entries()[self.wanted[nth]].size;
        if size <= MOST_BYTES {
            return Ok(size);
        }
        let text =
            format!("it has {size} bytes; the limit for a file in an archive is {MOST_BYTES}");
        Err(Error::new(Kind::BadInput, text))
    }

    /// Decompresses a file. The caller has to lease its size before.
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
