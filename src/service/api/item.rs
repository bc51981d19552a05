//! A file, or a part of a file, between the steps of a request. Intermediate files have no name, and the kernel deletes
//! them after their last use.

use crate::{
    api::plain_body,
    error::{Error, Kind, Result},
    http::Payload,
    store::Spool,
};
use std::{fs::File, ops::Range, os::unix::fs::FileExt, sync::Arc};

/// Size of the pieces in which a file is copied, in bytes.
const CHUNK_SIZE: usize = 64 << 10;

/// A file on its way from the request to the answer.
#[derive(Clone)]
pub(super) struct Item {
    /// Name of the file for the client.
    pub(super) name: String,
    held: Arc<Held>,
    range: Range<u64>,
}

/// The open file behind an item, and what must live as long as the file is used.
struct Held {
    file: File,
    /// The spool of an upload. The store counts the upload until the spool is dropped.
    _spool: Option<Spool>,
}

impl Item {
    /// Item of an upload in a spool.
    pub(super) fn uploaded(name: String, spool: Spool) -> Result<Self> {
        let file = spool.open_upload()?;
        Self::new(name, file, Some(spool))
    }

    /// Item of an intermediate file, which has no path. `name` is its name for the client.
    pub(super) fn made(name: String, file: File) -> Result<Self> {
        Self::new(name, file, None)
    }

    fn new(name: String, file: File, spool: Option<Spool>) -> Result<Self> {
        let end = file.metadata().map_err(unreadable)?.len();
        let held = Held {
            file,
            _spool: spool,
        };
        Ok(Self {
            name,
            held: Arc::new(held),
            range: 0..end,
        })
    }

    /// Returns whether the item is a whole file, not a part of one.
    pub(super) fn is_whole(&self) -> Result<bool> {
        let len = self.held.file.metadata().map_err(unreadable)?.len();
        Ok(self.range == (0..len))
    }

    /// Returns a handle of the underlying file, which may be longer than the item. All handles share one position.
    pub(super) fn file(&self) -> Result<File> {
        self.held.file.try_clone().map_err(unreadable)
    }

    pub(super) fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Returns a part of this item as an item of its own. `range` is relative to the beginning of this item, in bytes.
    pub(super) fn part(&self, name: String, range: Range<u64>) -> Self {
        let start = self.range.start;
        Self {
            name,
            held: self.held.clone(),
            range: start + range.start..start + range.end,
        }
    }

    /// The content as the payload of an answer.
    pub(super) fn payload(&self) -> Result<Payload> {
        Ok(plain_body::stream(self.file()?, self.range.clone()))
    }

    /// Reads the whole content of the item into memory.
    ///
    /// Errors: [`Kind::BadInput`] if the item has more than `most` bytes.
    pub(super) fn bytes(&self, most: u64) -> Result<Vec<u8>> {
        if self.len() > most {
            let text = format!("{:?} has more than {most} bytes", self.name);
            return Err(Error::new(Kind::BadInput, text));
        }
        let mut bytes = vec![0; self.len() as usize];
        self.held
            .file
            .read_exact_at(&mut bytes, self.range.start)
            .map_err(unreadable)?;
        Ok(bytes)
    }

    /// Calls `visit` with the content, piece by piece.
    pub(super) fn each_piece(&self, mut visit: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut piece = vec![0; CHUNK_SIZE.min(self.len() as usize)];
        let mut at = self.range.start;
        while at < self.range.end {
            let len = (self.range.end - at).min(piece.len() as u64) as usize;
            self.held
                .file
                .read_exact_at(&mut piece[..len], at)
                .map_err(unreadable)?;
            visit(&piece[..len])?;
            at += len as u64;
        }
        Ok(())
    }
}

fn unreadable(err: std::io::Error) -> Error {
    Error::storage("a file could not be read", err)
}
