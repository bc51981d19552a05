//! Has the kernel write a result to its medium while it is still being made, so that flushing it in the end takes little.
//! Never waits for the medium.

use rustix::fs::{Advice, fadvise};
use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    num::NonZeroU64,
    ops::Range,
};

/// Bytes that are written before the medium is told. Small results are not worth it.
const BATCH: u64 = 4 << 20;

/// A file whose contents go to the medium early.
pub(crate) struct WriteBack<'a> {
    file: &'a File,
    position: u64,
    /// What the medium has not been told of; it may grow upwards or downwards.
    fresh: Range<u64>,
}

impl<'a> WriteBack<'a> {
    /// Writes to `file` from its beginning.
    pub(crate) fn new(file: &'a File) -> Self {
        Self {
            file,
            position: 0,
            fresh: 0..0,
        }
    }

    fn wrote(&mut self, written: Range<u64>) {
        let downwards = written.end == self.fresh.start;
        if downwards {
            self.fresh.start = written.start;
        } else if written.start == self.fresh.end {
            self.fresh.end = written.end;
        } else {
            self.fresh = written;
        }
        let len = self.fresh.end - self.fresh.start;
        if len < BATCH {
            return;
        }
        // On Linux this starts to write what is dirty, and drops only what is not. An error costs time and nothing else.
        let _ = fadvise(
            self.file,
            self.fresh.start,
            NonZeroU64::new(len),
            Advice::DontNeed,
        );
        let next = if downwards {
            self.fresh.start
        } else {
            self.fresh.end
        };
        self.fresh = next..next;
    }
}

impl Write for WriteBack<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        let from = self.position;
        self.position += written as u64;
        self.wrote(from..self.position);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for WriteBack<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn everything_arrives_in_whichever_order_it_is_written() {
        let path = std::env::temp_dir().join(format!("convertd-back-{}", std::process::id()));
        let mut file = File::create_new(&path).unwrap();
        let mut reader = File::open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        file.write_all(&[0; 3]).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        let block: Vec<u8> = (0..1 << 20).map(|at| (at % 251) as u8).collect();
        let mut output = WriteBack::new(&file);
        for _ in 0..9 {
            output.write_all(&block).unwrap();
        }
        // As a bitmap is written: from its end.
        for at in (9..18).rev() {
            output.seek(SeekFrom::Start(at << 20)).unwrap();
            output.write_all(&block).unwrap();
        }
        assert!(output.fresh.end - output.fresh.start < BATCH);
        let mut content = Vec::new();
        reader.read_to_end(&mut content).unwrap();
        assert!(content == block.repeat(18));
    }
}
