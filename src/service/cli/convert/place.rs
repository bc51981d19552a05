//! Sources and destinations of files: paths, pipes, devices. Never replaces an existing file before the result is
//! complete.

use crate::{
    cli::scratch::{create, nameless},
    error::{Error, Kind},
    id::ConversionId,
    machine,
};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use std::{
    fs::{self, File},
    io::{self, Seek},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

/// The path that stands for standard input or standard output.
pub(super) const STANDARD: &str = "-";

/// The error for a result that cannot be written.
pub(super) fn unwritable(place: &Path, err: io::Error) -> Error {
    let folder = place.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        let (place, folder) = (place.display(), folder.display());
        let text = format!("{place} cannot be written: there is no directory {folder}");
        return Error::new(Kind::BadInput, text);
    }
    Error::new(
        Kind::Internal,
        format!("{} cannot be written", place.display()),
    )
    .caused_by(err)
}

/// Opens the input as a file with random access, which converters need. Any other kind of file, such as a pipe, is
/// copied to a temporary file first.
pub(super) fn source(path: &Path) -> io::Result<File> {
    if path == Path::new(STANDARD) {
        return copied(&mut io::stdin().lock());
    }
    let mut file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // Files that the kernel generates while they are read, as below /proc, have length 0. They are copied like a pipe.
    if kind.is_file() && file.metadata()?.len() > 0 {
        return Ok(file);
    }
    copied(&mut file)
}

/// Copies a stream to a temporary file, and rewinds the file.
fn copied(from: &mut impl io::Read) -> io::Result<File> {
    let mut file = nameless()?;
    io::copy(from, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// Creates an unnamed file in the directory of `place`. `None` if that fails, for example because the file system does
/// not support such files.
fn nameless_beside(place: &Path) -> Option<File> {
    let directory = place
        .parent()
        .filter(|directory| !directory.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // `O_TMPFILE` (open(2)): no other process sees the file, and it vanishes if this process is killed. The mode is the
    // usual one of new files, from which the kernel subtracts the umask.
    let mode = Mode::from_raw_mode(0o666);
    let file = rustix::fs::openat(CWD, directory, flags, mode).ok()?;
    Some(File::from(file))
}

/// Gives an unnamed file a name (open(2), `O_TMPFILE`).
fn name(file: &mut File, path: &Path) -> io::Result<()> {
    let link = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, link, CWD, path, AtFlags::SYMLINK_FOLLOW).or_else(|_| {
        // If the file cannot be linked, for example without /proc, it is copied.
        file.rewind()?;
        io::copy(file, &mut create(path)?).map(drop)
    })
}

/// Returns a random name for the file until it gets its final name, which has `len` bytes. The random name is not
/// longer than the final one, because the file system may refuse longer names, but it always has at least eight random
/// digits.
fn temporary(len: usize) -> io::Result<String> {
    const PREFIX: &str = ".convertd-";
    let id = ConversionId::random().map_err(io::Error::other)?;
    let digits = id.to_string().replace('-', "");
    let most = len.saturating_sub(PREFIX.len()).clamp(8, digits.len());
    Ok(format!("{PREFIX}{}", &digits[..most]))
}

/// Destination of the result.
pub(super) enum Target {
    /// A regular file. It is written in the directory of its final `place` and renamed at the end, so that a failure
    /// leaves an old file as it was. Until then it has no name, so that an interruption leaves nothing behind. `part`
    /// is its name during the final step, or from the beginning if the file system does not support unnamed files.
    /// `is_named` says whether the file has that name now.
    Place {
        file: File,
        part: PathBuf,
        is_named: bool,
        place: PathBuf,
    },
    /// A stream, such as a device, a pipe, or standard output (`stream` is `None`). The result is written to a
    /// temporary file, and copied to the stream when it is complete.
    Stream { file: File, stream: Option<File> },
}

impl Target {
    /// Opens the target at `path`, without changing an existing file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new(STANDARD) {
            machine::standard_output()?;
            return Ok(Self::Stream {
                file: nameless()?,
                stream: None,
            });
        }
        // Opening an existing path shows whether it is a device, and whether it may be written at all. A link stays a
        // link, but the file that it leads to is replaced.
        let place = match File::options().write(true).open(path) {
            Ok(opened) if opened.metadata()?.is_file() => fs::canonicalize(path)?,
            Ok(opened) => {
                return Ok(Self::Stream {
                    file: nameless()?,
                    stream: Some(opened),
                });
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(err) => return Err(err),
        };
        let part = place.with_file_name(temporary(place.file_name().unwrap_or_default().len())?);
        let (file, is_named) = match nameless_beside(&place) {
            Some(file) => (file, false),
            None => (create(&part)?, true),
        };
        Ok(Self::Place {
            file,
            part,
            is_named,
            place,
        })
    }

    /// Changes the final name, within the same directory.
    pub(super) fn rename(&mut self, to: &Path) {
        if let Self::Place { place, .. } = self {
            to.clone_into(place);
        }
    }

    /// Returns whether the target is a file, not a stream.
    pub(super) fn is_place(&self) -> bool {
        matches!(self, Self::Place { .. })
    }

    /// A handle of the file that the result is written to. All handles share one position.
    pub(super) fn file(&self) -> io::Result<File> {
        match self {
            Self::Place { file, .. } | Self::Stream { file, .. } => file.try_clone(),
        }
    }

    /// Moves the complete result to its path, or copies it to the stream. A moved result gets the permissions of the
    /// file that it replaces, if there is one.
    pub(super) fn finish(mut self) -> io::Result<()> {
        match &mut self {
            Self::Place {
                file,
                part,
                is_named,
                place,
            } => {
                if !*is_named {
                    *is_named = true;
                    name(file, part)?;
                }
                if let Ok(before) = fs::metadata(&*place) {
                    fs::set_permissions(&*part, before.permissions())?;
                }
                fs::rename(&*part, place)?;
                *is_named = false;
                Ok(())
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
        if let Self::Place {
            part,
            is_named: true,
            ..
        } = self
        {
            // If the file cannot be removed, it stays; the program has already reported its failure.
            let _ = fs::remove_file(part);
        }
    }
}
