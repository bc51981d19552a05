//! A file with a box `ftyp` after its end, for a demultiplexer that insists on one, and without boxes that it refuses to read: they
//! get another name. Changes nothing else.

use std::io::{self, Read, Seek, SeekFrom};
use symphonia::core::io::MediaSource;

/// The box: QuickTime, version 0.
const TYPE: [u8; 16] = *b"\0\0\0\x10ftypqt  \0\0\0\0";

/// The name of boxes to pass over (ISO/IEC 14496-12, 8.1.2).
const FREE: [u8; 4] = *b"free";

/// A stream, and possibly the box after it.
pub(crate) struct Typed<S> {
    inner: S,
    length: u64,
    tail: &'static [u8],
    position: u64,
    /// Where the names of boxes are that are to be passed over.
    hidden: Vec<u64>,
}

impl<S: Seek> Typed<S> {
    /// Goes to the beginning of the stream.
    pub(crate) fn new(mut inner: S, with_type: bool, hidden: Vec<u64>) -> io::Result<Self> {
        let length = inner.seek(SeekFrom::End(0))?;
        inner.seek(SeekFrom::Start(0))?;
        let tail: &[u8] = if with_type { &TYPE } else { &[] };
        Ok(Self {
            inner,
            length,
            tail,
            position: 0,
            hidden,
        })
    }

    fn len(&self) -> u64 {
        self.length + self.tail.len() as u64
    }
}

impl<S: Read> Read for Typed<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.position.checked_sub(self.length) {
            None => self.inner.read(buffer)?,
            Some(at) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                self.tail.get(at..).unwrap_or_default().read(buffer)?
            }
        };
        for (name, byte) in self.hidden.iter().flat_map(|name| (*name..).zip(FREE)) {
            let at = name.checked_sub(self.position);
            if let Some(at) = at.filter(|at| *at < read as u64) {
                buffer[at as usize] = byte;
            }
        }
        self.position += read as u64;
        Ok(read)
    }
}

impl<S: Seek> Seek for Typed<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.len().checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.inner
            .seek(SeekFrom::Start(self.position.min(self.length)))?;
        Ok(self.position)
    }
}

impl<S: Read + Seek + Send + Sync> MediaSource for Typed<S> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.len())
    }
}
