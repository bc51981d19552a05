//! The output of a sink, with a buffer and a limit on its size. At most [`MAX_OUTPUT`] bytes are written.

use crate::ogg;
use convertd_core::{
    error::{Error, Kind, Result},
    job::Output,
};
use std::io::SeekFrom;

/// Largest result in bytes, a little less than the 32-bit lengths in the headers of WAV, AIFF and AU can state.
pub(crate) const MAX_OUTPUT: u64 = (4 << 30) - (64 << 20);

/// Size of the buffer in bytes.
const BUFFER: usize = 64 << 10;

/// The output that a sink writes to.
pub(crate) struct Out<'a> {
    output: &'a mut dyn Output,
    buffer: Vec<u8>,
    written: u64,
}

impl<'a> Out<'a> {
    pub(crate) fn new(output: &'a mut dyn Output) -> Self {
        Self {
            output,
            buffer: Vec::with_capacity(BUFFER),
            written: 0,
        }
    }

    /// Returns the number of bytes written so far.
    pub(crate) fn position(&self) -> u64 {
        self.written
    }

    /// Appends bytes.
    ///
    /// Errors: [`Kind::BadInput`] beyond the limit, [`Kind::StorageFull`] or [`Kind::Internal`] if the disk refuses.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        if self.written > MAX_OUTPUT {
            return Err(too_large());
        }
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush_buffer()?;
        }
        if bytes.len() >= BUFFER {
            self.output.write_all(bytes).map_err(Error::unwritten)
        } else {
            self.buffer.extend_from_slice(bytes);
            Ok(())
        }
    }

    /// Overwrites bytes that have been written before.
    pub(crate) fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        self.flush_buffer()?;
        self.output
            .seek(SeekFrom::Start(at))
            .map_err(Error::unwritten)?;
        self.output.write_all(bytes).map_err(Error::unwritten)?;
        self.output
            .seek(SeekFrom::Start(self.written))
            .map_err(Error::unwritten)?;
        Ok(())
    }

    /// Adds a packet to an Ogg stream. See [`ogg::Writer::packet`].
    pub(crate) fn packet(
        &mut self,
        pages: &mut ogg::Writer,
        packet: &[u8],
        granule: i64,
    ) -> Result<()> {
        let mut full = Vec::new();
        pages.packet(&mut full, packet, granule);
        self.put(&full)
    }

    /// Writes a page of an Ogg stream. See [`ogg::Writer::page`].
    pub(crate) fn page(&mut self, pages: &mut ogg::Writer, flags: u8) -> Result<()> {
        let mut page = Vec::new();
        pages.page(&mut page, flags);
        self.put(&page)
    }

    /// Writes the rest of the buffer.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.flush_buffer()?;
        self.output.flush().map_err(Error::unwritten)
    }

    fn flush_buffer(&mut self) -> Result<()> {
        self.output
            .write_all(&self.buffer)
            .map_err(Error::unwritten)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Returns the error for a result larger than [`MAX_OUTPUT`].
pub(crate) fn too_large() -> Error {
    Error::new(
        Kind::BadInput,
        format!(
            "the result would be larger than {} MiB, the limit; convert to a compressed format, or in parts",
            MAX_OUTPUT >> 20
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn patches_change_only_their_own_bytes() {
        let mut file = Cursor::new(Vec::new());
        let mut out = Out::new(&mut file);
        out.put(b"0123456789").unwrap();
        out.patch(2, b"ab").unwrap();
        out.put(&[b'x'; 2 * BUFFER]).unwrap();
        out.put(b"end").unwrap();
        assert_eq!(out.position(), 13 + 2 * BUFFER as u64);
        out.finish().unwrap();
        let bytes = file.into_inner();
        assert_eq!(&bytes[..11], b"01ab456789x");
        assert!(bytes.ends_with(b"xend"));
    }
}
