//! Takes over the data directory of earlier versions, which had a directory for each conversion. Reads it once, at
//! start-up.
//!
//! ```text
//! <id>/record.json, output   ready
//! <id>/record.json, upload   processing
//! <id>/record.json           failed
//! incoming/<id>/             an upload or a result under way
//! ended/<id>.downloaded,      in even earlier versions: ended; the file's time of modification is the end of the
//!   <id>.expired             term
//! ```
//!
//! Each file is moved to its new name, and all are flushed once before the old records are removed. So a crash in the
//! middle leaves some files of a conversion with old names and some with new ones, and the next start continues. Files
//! that these versions would not have written stay, and so do their directories.

use super::{
    disk::{Disk, FileKind},
    endings::Ending,
    record_file::{length, read_record},
    sealed, steps,
};
use crate::{id::ConversionId, store::record::Saved};
use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::SystemTime,
};

const RECORD: &str = "record.json";
const OUTPUT: &str = "output";
const UPLOAD: &str = "upload";
/// All files that a directory may hold, in the order of removal. The record is removed first, because a directory
/// without a record is not treated as a conversion.
const FILES: [&str; 5] = [RECORD, "record.json.tmp", OUTPUT, "output.part", UPLOAD];

/// Takes over all conversions, and returns the old directories of results, which are not needed any more. Removing
/// thousands of them takes a disk a minute, so the start does not wait for that: the caller [discards](discard) the
/// directories later.
pub(super) fn run(disk: &Disk) -> io::Result<Vec<PathBuf>> {
    for (path, id, ending, term_end) in tombstones(&disk.endings_directory())? {
        disk.endings.bury(&id, ending, term_end, |_| ())?;
        steps::remove_file(&path)?;
    }
    for (dir, _) in directories(&disk.volatile_directory())? {
        discard(&dir)?;
    }
    let old = directories(disk.root())?;
    if old.is_empty() {
        return Ok(Vec::new());
    }
    log::info!(
        "taking over {} conversions of an earlier version",
        old.len()
    );
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for (dir, id) in old {
        match take_over(disk, &dir, &id) {
            // The record of a result may stay, because the next start ignores a record without its file. Any other
            // record must go now.
            Ok(Some(Saved::Ready(_))) => later.push(dir),
            Ok(Some(_) | None) => now.push(dir),
            Err(err) => log::warn!("{id:?} cannot be read, and is left where it is: {err}"),
        }
    }
    disk.flush(Vec::new(), 0)?;
    now.iter().try_for_each(|dir| discard(dir))?;
    Ok(later)
}

/// Gives the files of a conversion their new names, and returns its record, or `None` without a valid record. Files
/// that the record does not need stay, and are discarded later.
fn take_over(disk: &Disk, dir: &Path, id: &ConversionId) -> io::Result<Option<Saved>> {
    let saved = read_record(&dir.join(RECORD), id)?;
    match &saved {
        Some(Saved::Ready(record)) => {
            let path = dir.join(OUTPUT);
            let Some(len) = length(&path)?.filter(|&len| len >= record.file_size) else {
                return Ok(saved);
            };
            let output = OpenOptions::new().read(true).write(true).open(&path)?;
            let checksum = sealed::checksum(&output, record.file_size)?;
            let trailer = disk.key.trailer(record, checksum)?;
            // A crash may have left a part of the trailer. A file with any other bytes after the result is damaged, and
            // is not taken over.
            let mut begun =
                vec![0; (len - record.file_size).min(trailer.len() as u64 + 1) as usize];
            output.read_exact_at(&mut begun, record.file_size)?;
            if let Some(rest) = trailer.strip_prefix(&*begun) {
                steps::append(&output, rest)?;
                steps::rename(&path, &disk.path_of(id, FileKind::Result))?;
            }
        }
        Some(saved @ Saved::Failed { .. }) => {
            disk.keep_record(id, FileKind::Failed, saved)?;
        }
        Some(saved @ Saved::Processing { attempts, .. }) => {
            let path = dir.join(UPLOAD);
            if length(&path)?.is_some() {
                steps::rename(&path, &disk.path_of(id, FileKind::Upload))?;
            }
            disk.count_attempts(id, *attempts)?;
            disk.keep_record(id, FileKind::Accepted, saved)?;
        }
        None => {}
    }
    Ok(saved)
}

/// The directories in `dir` whose names are identifiers of conversions.
fn directories(dir: &Path) -> io::Result<Vec<(PathBuf, ConversionId)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if let Some(id) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
            && entry.file_type()?.is_dir()
        {
            found.push((entry.path(), id));
        }
    }
    Ok(found)
}

fn tombstones(dir: &Path) -> io::Result<Vec<(PathBuf, ConversionId, Ending, SystemTime)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((id, word)) = name.to_str().and_then(|name| name.split_once('.')) else {
            continue;
        };
        let ending = Ending::ALL.into_iter().find(|ending| ending.word() == word);
        let metadata = entry.metadata()?;
        if let (Ok(id), Some(ending), true) = (id.parse(), ending, metadata.is_file()) {
            found.push((entry.path(), id, ending, metadata.modified()?));
        }
    }
    Ok(found)
}

/// Removes a directory with the files that belong there.
pub(super) fn discard(dir: &Path) -> io::Result<()> {
    for name in FILES {
        // Another program may have made a directory with the name of such a file. This directory stays.
        if length(&dir.join(name))?.is_some() {
            steps::remove_file(&dir.join(name))?;
        }
    }
    match steps::remove_dir(dir) {
        Err(err) if err.kind() == io::ErrorKind::DirectoryNotEmpty => {
            log::warn!(
                "a directory of an earlier version was not removed, because it holds files that are not convertd's"
            );
            Ok(())
        }
        removed => removed,
    }
}
