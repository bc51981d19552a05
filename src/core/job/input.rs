//! The input and the output of a conversion as a converter sees them: streams of bytes with random access. A converter
//! never learns a path.

use std::{
    fs::File,
    io::{self, BufRead, BufWriter, Cursor, Read, Seek, SeekFrom, Write},
};

/// Input of a converter: a file, a buffer in memory, or a guarded reader around one of them.
pub trait Input: BufRead + Seek + Send {}
impl<T: BufRead + Seek + Send> Input for T {}

/// Output of a converter. It is empty at the start, and the converter need not flush it.
pub trait Output: Write + Seek + Send {
    /// Discards everything written so far, for a converter that has to start again.
    fn clear(&mut self) -> io::Result<()>;
}

impl Output for File {
    fn clear(&mut self) -> io::Result<()> {
        self.set_len(0)?;
        self.rewind()
    }
}

impl Output for Cursor<Vec<u8>> {
    fn clear(&mut self) -> io::Result<()> {
        self.get_mut().clear();
        self.rewind()
    }
}

impl<O: Output> Output for BufWriter<O> {
    fn clear(&mut self) -> io::Result<()> {
        // Flushes first, because buffered bytes must be discarded, too.
        self.rewind()?;
        self.get_mut().clear()
    }
}

/// The length of `input` in bytes. Leaves its position at the beginning.
pub fn input_len(input: &mut dyn Input) -> io::Result<u64> {
    let len = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    Ok(len)
}

/// Reads up to `limit` bytes from the beginning of `input`, and leaves its position there.
pub fn read_head(input: &mut dyn Input, limit: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(limit.min(4096));
    input.seek(SeekFrom::Start(0))?;
    input.take(limit as u64).read_to_end(&mut head)?;
    input.seek(SeekFrom::Start(0))?;
    Ok(head)
}

/// [`Read::read`] for a buffered reader: copies from the bytes that [`BufRead::fill_buf`] returns.
pub fn read_buffered(input: &mut impl BufRead, out: &mut [u8]) -> io::Result<usize> {
    let ready = input.fill_buf()?;
    let len = ready.len().min(out.len());
    out[..len].copy_from_slice(&ready[..len]);
    input.consume(len);
    Ok(len)
}
