//! The files of an archive: selects and orders the entries to convert, and reads them.
//!
//! The sizes and offsets that an archive states may be false. The readers of the containers refuse entries that
//! decompress to more than they state, and that of ZIP also entries that overlap. The limits on the number and size of
//! files are here, and are checked before a file is read.

use super::{
    container::{self, Container, Member},
    formats::{self, COMIC_INFO},
    natural,
};
use crate::{
    error::{Error, Kind, Result},
    job::{Input, Job, Progress, Unit},
    litter,
};

/// The limit on the number of files.
const MAX_FILES: usize = 10_000;
/// The limit on the size of a file, decompressed, in bytes.
const MAX_BYTES: u64 = 512 << 20;
/// The limit on the size of all files together, decompressed, in bytes.
const MAX_BYTES_OF_ALL: u64 = 4 << 30;

/// Limit on the metadata of a comic, in bytes.
pub(super) const MAX_COMIC_INFO: u64 = 1 << 20;

/// The files of an archive that are to be converted.
pub(super) struct Files<'a> {
    container: Box<dyn Container + 'a>,
    /// Indices of these files in the container, in the natural order of their names.
    wanted: Vec<usize>,
    /// Index of the metadata of a comic, which is not converted.
    comic_info: Option<usize>,
}

impl<'a> Files<'a> {
    /// Lists the files.
    ///
    /// Errors: [`Kind::BadInput`] if the archive is damaged, or has no files, too many, or files that are too large
    /// together.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let Some(row) = formats::row(job.from) else {
            return Err(Error::internal("no format of archives", job.from.name));
        };
        let container = container::open(job, input, row.shape)?;
        let members = container.members();
        let comic_info = members
            .iter()
            .position(|member| is_comic_info(&member.name));
        let mut wanted: Vec<usize> = (0..members.len())
            .filter(|&number| is_wanted(&members[number].name))
            .collect();
        let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
        if wanted.is_empty() {
            return refuse("the archive contains no files".into());
        }
        if wanted.len() > MAX_FILES {
            let count = wanted.len();
            return refuse(format!(
                "the archive has {count} files; the limit is {MAX_FILES}: send it in parts"
            ));
        }
        let total = wanted
            .iter()
            .map(|&number| members[number].size)
            .fold(0, u64::saturating_add);
        if total > MAX_BYTES_OF_ALL {
            return refuse(format!(
                "the files in the archive have {total} bytes when they are unpacked; the limit is {MAX_BYTES_OF_ALL}"
            ));
        }
        wanted.sort_by(|&one, &other| natural::compare(&members[one].name, &members[other].name));
        Ok(Self {
            container,
            wanted,
            comic_info,
        })
    }

    /// Notes about entries of the archive that are not among these files.
    pub(super) fn remarks(&self) -> Vec<String> {
        self.container.remarks()
    }

    /// Returns whether the container holds a single file, so that the result is not an archive.
    pub(super) fn is_single(&self) -> bool {
        self.container.is_single()
    }

    /// Reads the metadata of a comic. `None` if it is missing, unreadable, or larger than [`MAX_COMIC_INFO`].
    pub(super) fn comic_info(&mut self) -> Option<Vec<u8>> {
        let number = self.comic_info?;
        let is_small = self.container.members()[number].size <= MAX_COMIC_INFO;
        is_small.then(|| self.container.read(number).ok())?
    }

    /// The number of files.
    pub(super) fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Calls `take` with the number and the name of each file.
    ///
    /// Errors: those of `take`, and those of the job's deadline.
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
        &self.member(nth).name
    }

    /// The decompressed size of a file, in bytes.
    ///
    /// Errors: [`Kind::BadInput`] if it exceeds the limit.
    pub(super) fn size(&self, nth: usize) -> Result<u64> {
        let size = self.member(nth).size;
        if size <= MAX_BYTES {
            return Ok(size);
        }
        let text =
            format!("it has {size} bytes; the limit for a file in an archive is {MAX_BYTES}");
        Err(Error::new(Kind::BadInput, text))
    }

    /// Decompresses a file. The caller must have leased memory of the file's size.
    pub(super) fn read(&mut self, nth: usize) -> Result<Vec<u8>> {
        self.container.read(self.wanted[nth])
    }

    fn member(&self, nth: usize) -> &Member {
        &self.container.members()[self.wanted[nth]]
    }
}

fn is_wanted(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let mut parts = name.split('/');
    // macOS stores the attributes of `a.jpg` in `._a.jpg`, which is no file to convert.
    let is_litter =
        parts.any(|part| litter::is_of_system(part.as_bytes())) || file.starts_with("._");
    !file.is_empty() && !is_litter && !is_comic_info(name)
}

fn is_comic_info(name: &str) -> bool {
    name.eq_ignore_ascii_case(COMIC_INFO)
}
