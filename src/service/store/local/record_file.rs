//! Reads records from files of their own, and the lengths of files. Changes nothing.

use super::sealed::MAX_RECORD;
use crate::{id::ConversionId, store::record::Saved};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// Reads the record in a file that contains only the record. `None` if the file is missing or its content is not a
/// record of `id`.
pub(super) fn read_record(path: &Path, id: &ConversionId) -> io::Result<Option<Saved>> {
    match length(path)? {
        Some(len) if len <= MAX_RECORD => {
            let mut json = Vec::new();
            File::open(path)?.take(MAX_RECORD).read_to_end(&mut json)?;
            Ok(Saved::parse(&json, id))
        }
        Some(_) | None => Ok(None),
    }
}

/// The length of a regular file in bytes. `None` if the path leads to no regular file.
pub(super) fn length(path: &Path) -> io::Result<Option<u64>> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(found.is_file().then_some(found.len())),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err),
    }
}
