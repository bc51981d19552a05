//! The bytes of an upload: in memory while they fit into the memory that the caller allows, otherwise in a file. Does
//! not decide how much memory that is.
//!
//! Most uploads are small and live for milliseconds, but a file on disk costs two changes of a directory. So a small
//! upload is kept in a memory file (memfd_create(2)), which the converters receive as a descriptor like any other file.
//! Their descriptor is opened through `/proc/self/fd` for reading only.

use super::disk::{Disk, FileKind};
use crate::id::ConversionId;
use rustix::fs::{MemfdFlags, memfd_create};
use std::{
    fs::File,
    io::{self, Seek, Write},
    os::fd::AsRawFd,
};

/// Memory that an upload may take up before it goes to the disk.
pub struct Memory {
    len: u64,
    _held: Box<dyn Send + Sync>,
}

impl Memory {
    /// Allows `len` bytes. `held` is the caller's reservation of them, which is dropped when the upload leaves memory.
    pub fn new(len: u64, held: impl Send + Sync + 'static) -> Self {
        Self {
            len,
            _held: Box::new(held),
        }
    }
}

pub(super) enum Upload {
    Memory(File, Memory),
    /// The file is in the directory `incoming`.
    Incoming(File),
    /// The file is in the data directory, because the conversion has been accepted.
    Stored,
}

impl Upload {
    /// Creates an empty upload: in `memory`, if given, otherwise on the disk.
    pub(super) fn new(disk: &Disk, id: &ConversionId, memory: Option<Memory>) -> io::Result<Self> {
        // On old kernels, and without /proc, the upload goes to the disk.
        let in_memory = memory.and_then(|memory| Some((memory_file().ok()?, memory)));
        match in_memory {
            Some((file, memory)) => Ok(Self::Memory(file, memory)),
            None => disk.create(id, FileKind::Upload).map(Self::Incoming),
        }
    }

    pub(super) fn write(&mut self, disk: &Disk, id: &ConversionId, bytes: &[u8]) -> io::Result<()> {
        if let Self::Memory(file, memory) = self {
            if file.stream_position()? + bytes.len() as u64 <= memory.len {
                return file.write_all(bytes);
            }
            self.leave_memory(disk, id)?;
        }
        match self {
            Self::Incoming(file) => file.write_all(bytes),
            Self::Memory(..) | Self::Stored => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }

    fn leave_memory(&mut self, disk: &Disk, id: &ConversionId) -> io::Result<()> {
        if let Self::Memory(file, _) = self {
            let mut copy = disk.create(id, FileKind::Upload)?;
            io::copy(&mut reopen(file)?, &mut copy)?;
            *self = Self::Incoming(copy);
        }
        Ok(())
    }

    /// Moves the upload to where it survives a crash of the process. Returns the file, to be flushed.
    pub(super) fn keep(&mut self, disk: &Disk, id: &ConversionId) -> io::Result<File> {
        self.leave_memory(disk, id)?;
        disk.keep(id, FileKind::Upload)?;
        match std::mem::replace(self, Self::Stored) {
            Self::Incoming(file) => Ok(file),
            Self::Memory(..) | Self::Stored => File::open(disk.path_of(id, FileKind::Upload)),
        }
    }

    /// Opens the upload for reading, with a file position of its own.
    pub(super) fn open(&self, disk: &Disk, id: &ConversionId) -> io::Result<File> {
        match self {
            Self::Memory(file, _) => reopen(file),
            Self::Incoming(_) => File::open(disk.incoming(id, FileKind::Upload)),
            Self::Stored => File::open(disk.path_of(id, FileKind::Upload)),
        }
    }
}

/// An empty file in memory that can be opened again.
fn memory_file() -> io::Result<File> {
    let create = |flags| memfd_create("upload", flags | MemfdFlags::CLOEXEC);
    // Kernels before 6.3 do not know the flag, and newer ones may be configured to demand it. So it is tried first.
    let file = create(MemfdFlags::NOEXEC_SEAL).or_else(|_| create(MemfdFlags::empty()))?;
    let file = File::from(file);
    reopen(&file)?;
    Ok(file)
}

fn reopen(file: &File) -> io::Result<File> {
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
