//! Where files come from and go to: paths, pipes, devices. Never replaces an existing file before the result is complete.

use crate::id::ConversionId;
use std::{
    env,
    fs::{self, File},
    io::{self, Seek},
    path::{Path, PathBuf},
};

/// The path that stands for standard input or standard output.
pub(super) const STANDARD: &str = "-";

/// Opens the input as a file with random access. Anything else, such as a pipe, is copied to a temporary file.
pub(super) fn source(path: &Path) -> io::Result<File> {
    if path == Path::new(STANDARD) {
        return copied(&mut io::stdin().lock());
    }
    let mut file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if kind.is_file() {
        return Ok(file);
    }
    copied(&mut file)
}

fn copied(from: &mut impl io::Read) -> io::Result<File> {
    let mut file = nameless()?;
    io::copy(from, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// A temporary file for reading and writing. It has no name, so nobody else sees it, and it disappears with this process.
fn nameless() -> io::Result<File> {
    let id = ConversionId::random().map_err(io::Error::other)?;
    let path = env::temp_dir().join(format!("convertd-{id}"));
    let file = create(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

fn create(path: &Path) -> io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
}

/// Where the result is written to.
pub(super) enum Target {
    /// Written to `part` beside its final `place` and renamed at the end, so that a failure leaves the old file as it was.
    Place { part: PathBuf, place: PathBuf },
    /// Written to a temporary file and copied at the end to something that is not a regular file: `stream`, or standard output
    /// if that is `None`.
    Stream { file: File, stream: Option<File> },
}

impl Target {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new(STANDARD) {
            return Ok(Self::Stream {
                file: nameless()?,
                stream: None,
            });
        }
        // An existing path is opened to find out whether it is a link or a device, and whether it may be written at all.
        let place = match File::options().write(true).open(path) {
            Ok(there) if there.metadata()?.is_file() => fs::canonicalize(path)?,
            Ok(there) => {
                return Ok(Self::Stream {
                    file: nameless()?,
                    stream: Some(there),
                });
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(err) => return Err(err),
        };
        let mut part = place.as_os_str().to_owned();
        let id = ConversionId::random().map_err(io::Error::other)?;
        part.push(format!(".{id}.part"));
        let part = PathBuf::from(part);
        create(&part)?;
        Ok(Self::Place { part, place })
    }

    /// The empty file to write to.
    pub(super) fn file(&self) -> io::Result<File> {
        match self {
            Self::Place { part, .. } => File::options().read(true).write(true).open(part),
            Self::Stream { file, .. } => file.try_clone(),
        }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        match &mut self {
            Self::Place { part, place } => {
                if let Ok(before) = fs::metadata(&*place) {
                    fs::set_permissions(&*part, before.permissions())?;
                }
                fs::rename(part, place)
            }
            Self::Stream { file, stream } => {
                file.rewind()?;
                match stream {
                    Some(stream) => io::copy(file, stream),
                    None => io::copy(file, &mut io::stdout().lock()),
                }
                .map(drop)
            }
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Self::Place { part, .. } = self {
            // An error means that `finish` has renamed it.
            let _ = fs::remove_file(part);
        }
    }
}
