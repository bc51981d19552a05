//! Temporary files. They have no name, so nobody else sees them, and they disappear with this process.

use crate::id::ConversionId;
use std::{env, fs, fs::File, io, path::Path};

/// Creates a temporary file for reading and writing, and immediately removes its name.
pub(super) fn nameless() -> io::Result<File> {
    let id = ConversionId::random().map_err(io::Error::other)?;
    let path = env::temp_dir().join(format!("convertd-{id}"));
    let file = create(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Creates a file that does not exist yet.
pub(super) fn create(path: &Path) -> io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
}
