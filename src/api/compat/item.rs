//! A file on its way from a request to its answer, or a part of one. Keeps the store's file until nothing uses it any more.

use crate::{
    api::bare,
    error::{Error, Kind, Result},
    http::Payload,
    store::Spool,
};
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    ops::Range,
    os::unix::fs::FileExt,
    sync::Arc,
};

/// How much of a file is copied at once, in bytes.
const AT_ONCE: usize = 64 << 10;

/// A file on its way from the request to the answer.
#[derive(Clone)]
pub(super) struct Item {
    /// The name that the client knows it by.
    pub(super) name: String,
    spool: Arc<Spool>,
    at: At,
    range: Range<u64>,
}

/// Which file of the spool it is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Upload,
    Output,
}

impl Item {
    /// What was written to a spool.
    pub(super) fn uploaded(name: String, spool: Spool) -> Result<Self> {
        Self::new(name, spool, At::Upload)
    }

    /// What a conversion wrote to a spool.
    pub(super) fn made(name: String, spool: Spool) -> Result<Self> {
        Self::new(name, spool, At::Output)
    }

    fn new(name: String, spool: Spool, at: At) -> Result<Self> {
        let mut item = Self {
            name,
            spool: Arc::new(spool),
            at,
            range: 0..0,
        };
        item.range.end = item.file_len()?;
        Ok(item)
    }

    fn file_len(&self) -> Result<u64> {
        Ok(self.file()?.metadata().map_err(unreadable)?.len())
    }

    /// Whether it is a file of its own, and not a part of one.
    pub(super) fn is_whole(&self) -> Result<bool> {
        Ok(self.range == (0..self.file_len()?))
    }

    /// The file that it is, or is a part of.
    pub(super) fn file(&self) -> Result<File> {
        match self.at {
            At::Upload => self.spool.open_upload(),
            At::Output => self.spool.open_output(),
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// A part of this file as a file of its own.
    pub(super) fn part(&self, name: String, range: Range<u64>) -> Self {
        let start = self.range.start;
        Self {
            name,
            spool: self.spool.clone(),
            at: self.at,
            range: start + range.start..start + range.end,
        }
    }

    /// Its content as that of an answer.
    pub(super) fn payload(&self) -> Result<Payload> {
        Ok(bare::stream(self.file()?, self.range.clone()))
    }

    /// All of it in memory, which is for what is known to be small.
    ///
    /// Errors: [`Kind::BadInput`] if it has more than `most` bytes.
    pub(super) fn bytes(&self, most: u64) -> Result<Vec<u8>> {
        if self.len() > most {
            let text = format!("{:?} has more than {most} bytes", self.name);
            return Err(Error::new(Kind::BadInput, text));
        }
        let mut bytes = vec![0; self.len() as usize];
        self.file()?
            .read_exact_at(&mut bytes, self.range.start)
            .map_err(unreadable)?;
        Ok(bytes)
    }

    /// Shows its bytes piece by piece.
    pub(super) fn each_piece(&self, mut look: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut file = self.file()?;
        file.seek(SeekFrom::Start(self.range.start))
            .map_err(unreadable)?;
        let mut rest = file.take(self.len());
        let mut piece = vec![0; AT_ONCE];
        loop {
            match rest.read(&mut piece).map_err(unreadable)? {
                0 => return Ok(()),
                len => look(&piece[..len])?,
            }
        }
    }
}

fn unreadable(err: std::io::Error) -> Error {
    Error::storage("a file could not be read", err)
}
