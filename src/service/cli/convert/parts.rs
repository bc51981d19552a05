//! Results that consist of several files. A converter packs these files into one archive. If the members are numbered
//! pages or parts, this module unpacks them beside the wanted path: `scan-1.png`, `scan-2.png`. An archive whose
//! members have names of their own stays an archive.

use super::{
    ask::{self, Replacing},
    place::{Target, unwritable},
};
use crate::{
    containers::zip::Archive,
    error::{Error, Result},
    format::{ARCHIVE_MEDIA_TYPE, Category, Format},
    job::{Ledger, Options, Pair, Quality, Task, Unlimited},
};
use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

/// Prefixes of the names that converters give to numbered pages and parts.
const NUMBERED: [&str; 2] = ["page-", "part-"];

/// The format of the archive that a converter has written. It is not in the registry, and exists only because the
/// reader of archives needs a job, which needs a format.
static RESULT: Format = Format {
    name: "result",
    aliases: &[],
    category: Category::Archive,
    description: "Results of a conversion",
    media_type: ARCHIVE_MEDIA_TYPE,
    magic: &[],
};

/// Writes the files of an archive beside `place`. Returns their paths and their total length in bytes; `None` for an
/// archive whose files are not numbered one after another.
///
/// Errors: a file with such a name exists and may not be replaced, or cannot be written.
pub(super) fn unpack(
    file: File,
    place: &Path,
    replacing: Replacing,
) -> Result<Option<(Vec<PathBuf>, u64)>> {
    opened(file, |archive| unpack_numbered(archive, place, replacing))
}

/// Opens the archive that a converter has written.
pub(super) fn opened<T>(file: File, work: impl FnOnce(&mut Archive<'_>) -> Result<T>) -> Result<T> {
    let task = Task {
        from: RESULT.name.to_owned(),
        to: RESULT.name.to_owned(),
        quality: Quality::default(),
        options: Options::default(),
        file_title: None,
    };
    let pair = Pair {
        from: &RESULT,
        to: &RESULT,
        quality: "",
        options: &[],
    };
    let unreadable = |err| Error::storage("the result could not be read", err);
    let len = file.metadata().map_err(unreadable)?.len();
    let ledger = Ledger::new(&Unlimited);
    let job = pair.job(&task, len, 0, &ledger);
    let mut input = BufReader::new(file);
    work(&mut Archive::open(&job, &mut input)?)
}

/// Writes the numbered files of an archive beside `place`.
fn unpack_numbered(
    archive: &mut Archive<'_>,
    place: &Path,
    replacing: Replacing,
) -> Result<Option<(Vec<PathBuf>, u64)>> {
    // Names in an archive are not trusted: the paths are made from the wanted path and a number.
    let names: Vec<Box<str>> = archive.entries().iter().map(|it| it.name.clone()).collect();
    // The first number need not be 1, because a range of pages keeps the numbers of the pages.
    let Some(first) = names.first().and_then(|name| number(name)) else {
        return Ok(None);
    };
    let counted = (first..).zip(&names);
    if counted.clone().any(|(nth, name)| number(name) != Some(nth)) {
        return Ok(None);
    }
    let places: Vec<PathBuf> = counted.map(|(nth, _)| beside(place, nth)).collect();
    for place in &places {
        ask::permit(place, replacing)?;
    }
    let mut together = 0;
    for (nth, place) in places.iter().enumerate() {
        together += write(archive, nth, place)?;
    }
    Ok(Some((places, together)))
}

/// Writes one file of an archive, counted from 0, to a path. Returns its length in bytes.
pub(super) fn write(archive: &mut Archive<'_>, nth: usize, place: &Path) -> Result<u64> {
    let about = |err| unwritable(place, err);
    let bytes = archive.read_nth(nth)?;
    let target = Target::open(place).map_err(about)?;
    let mut output = target.file().map_err(about)?;
    output.write_all(&bytes).map_err(about)?;
    target.finish().map_err(about)?;
    Ok(bytes.len() as u64)
}

/// The number in the name of a page or part. `None` for any other name.
fn number(name: &str) -> Option<usize> {
    let rest = NUMBERED
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))?;
    rest.split_once('.')?.0.parse().ok()
}

/// Inserts a number after the stem of a path: `a-1.png`.
fn beside(place: &Path, number: usize) -> PathBuf {
    let mut name = place.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = place.extension() {
        name.push(".");
        name.push(extension);
    }
    place.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_names() {
        assert_eq!(
            beside(Path::new("a/b.c.png"), 12),
            Path::new("a/b.c-12.png")
        );
        assert_eq!(beside(Path::new("b"), 1), Path::new("b-1"));
        assert_eq!(number("page-007.png"), Some(7));
        assert_eq!(number("part-1.pdf"), Some(1));
        assert_eq!(number("page-x.png"), None);
        assert_eq!(number("photo-1.png"), None);
    }
}
