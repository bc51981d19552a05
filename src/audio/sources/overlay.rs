//! Presents a file with replaced and appended bytes to a demultiplexer that would refuse the original, although other
//! programs read it. All other bytes stay in their positions.

use std::io::{self, Read, Seek, SeekFrom};
use symphonia::core::io::MediaSource;

/// A patch: its position, and the bytes that replace those of the file.
pub(crate) type Replaced = (u64, Vec<u8>);

/// A stream with patches, and with bytes after its end.
pub(crate) struct Overlay<S> {
    inner: S,
    length: u64,
    tail: &'static [u8],
    position: u64,
    replaced: Vec<Replaced>,
}

impl<S: Seek> Overlay<S> {
    /// Goes to the beginning of the stream.
    pub(crate) fn new(
        mut inner: S,
        replaced: Vec<Replaced>,
        tail: &'static [u8],
    ) -> io::Result<Self> {
        let length = inner.seek(SeekFrom::End(0))?;
        inner.seek(SeekFrom::Start(0))?;
        Ok(Self {
            inner,
            length,
            tail,
            position: 0,
            replaced,
        })
    }

    fn len(&self) -> u64 {
        self.length + self.tail.len() as u64
    }
}

impl<S: Read> Read for Overlay<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.position.checked_sub(self.length) {
            None => self.inner.read(buffer)?,
            Some(at) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                self.tail.get(at..).unwrap_or_default().read(buffer)?
            }
        };
        for (start, bytes) in &self.replaced {
            for (offset, byte) in (*start..).zip(bytes) {
                let at = offset.checked_sub(self.position);
                if let Some(at) = at.filter(|at| *at < read as u64) {
                    buffer[at as usize] = *byte;
                }
            }
        }
        self.position += read as u64;
        Ok(read)
    }
}

impl<S: Seek> Seek for Overlay<S> {
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

impl<S: Read + Seek + Send + Sync> MediaSource for Overlay<S> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn bytes_are_replaced_from_any_reading_position() {
        let replaced = vec![(2, b"XYZ".to_vec()), (8, b"!".to_vec())];
        let mut overlay = Overlay::new(Cursor::new(*b"abcdefghij"), replaced, b"kl").unwrap();
        let mut all = String::new();
        overlay.read_to_string(&mut all).unwrap();
        assert_eq!(all, "abXYZfgh!jkl");
        overlay.seek(SeekFrom::Start(3)).unwrap();
        let mut two = [0; 2];
        overlay.read_exact(&mut two).unwrap();
        assert_eq!(&two, b"YZ");
    }
}
