//! Makes the kernel write a result to the disk while it is still growing, so that the fsync at the end has little left
//! to write. Never waits for the disk.
//!
//! On Linux, `posix_fadvise` with `POSIX_FADV_DONTNEED` starts to write the dirty pages of a range. From the page cache
//! it drops only pages that have been written already. So one call for each batch of the result makes the kernel write
//! that batch. A batch is one contiguous range. Some formats are written backwards (bitmaps from the last row to the
//! first), so a range may grow at either end.

use crate::job::Output;
use rustix::fs::{Advice, fadvise};
use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    num::NonZeroU64,
    ops::Range,
};

/// The size of a batch in bytes. Smaller results gain nothing from being written early.
const BATCH: u64 = 4 << 20;

/// A file whose contents are written to the disk early.
pub(crate) struct WriteBack<'a> {
    file: &'a File,
    position: u64,
    /// The range that has not been announced to the kernel yet. It may grow at either end.
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

    /// Adds the written bytes to the fresh range, and announces the range once it fills a batch. Bytes that are not
    /// adjacent to the range begin a new one; the old range is left to fsync.
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
        // An error only costs time: fsync writes the range in any case.
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

impl Output for WriteBack<'_> {
    fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.fresh = 0..0;
        self.rewind()
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
        // Bitmaps are written from their end.
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
