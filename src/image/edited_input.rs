//! Presents a file to a decoder from an offset on, or with some bytes replaced. So a decoder that only reads the first
//! picture of a file can read another picture of it, or a file embedded in it. Does not depend on a format.

use super::pages::Patch;
use convertd_core::job::{Input, read_buffered};
use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// A reader that replaces some bytes of its file.
pub(crate) struct EditedInput<'a> {
    input: &'a mut dyn Input,
    /// Position in the picture; the position of `input` minus `from`.
    at: u64,
    /// Offset of the picture in the file.
    from: u64,
    /// Replacements in the order of the file. Each has at least one byte.
    edits: Vec<Edit>,
}

/// Replacement of as many bytes as `bytes` has, from the offset `start` in the picture on.
pub(crate) struct Edit {
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
}

impl<'a> EditedInput<'a> {
    /// Wraps `input`, which is at its start. If `patch.from` is not 0, the caller must seek the new reader to 0 before
    /// reading.
    pub(crate) fn new(input: &'a mut dyn Input, patch: Patch) -> Self {
        let Patch { from, start, bytes } = patch;
        let mut patched = Self::edited(input, vec![Edit { start, bytes }]);
        patched.from = from;
        patched
    }

    /// Wraps `input`, which is at its start. The edits must be in the order of the file, and must not overlap.
    pub(crate) fn edited(input: &'a mut dyn Input, mut edits: Vec<Edit>) -> Self {
        edits.retain(|edit| !edit.bytes.is_empty());
        Self {
            input,
            at: 0,
            from: 0,
            edits,
        }
    }
}

impl Edit {
    /// Offset after the last replaced byte.
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl BufRead for EditedInput<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // Returns either the rest of the edit at this position, or the bytes of the file up to the next edit.
        let next = self.edits.partition_point(|edit| edit.end() <= self.at);
        let before = match self.edits.get(next) {
            Some(edit) if edit.start <= self.at => {
                return Ok(&edit.bytes[(self.at - edit.start) as usize..]);
            }
            Some(edit) => edit.start - self.at,
            None => u64::MAX,
        };
        let buffer = self.input.fill_buf()?;
        let len = usize::try_from(before).map_or(buffer.len(), |before| before.min(buffer.len()));
        Ok(&buffer[..len])
    }

    fn consume(&mut self, count: usize) {
        let next = self.edits.partition_point(|edit| edit.end() <= self.at);
        let replaced = self
            .edits
            .get(next)
            .is_some_and(|edit| edit.start <= self.at);
        self.at += count as u64;
        if !replaced {
            return self.input.consume(count);
        }
        // Skips the file's own bytes that were replaced. If the file ends among them, the next read reports that.
        let mut left = count;
        while left > 0 {
            let Ok(len) = self.input.fill_buf().map(|buffer| buffer.len().min(left)) else {
                return;
            };
            if len == 0 {
                return;
            }
            self.input.consume(len);
            left -= len;
        }
    }
}

impl Read for EditedInput<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.edits.is_empty() {
            let len = self.input.read(out)?;
            self.at += len as u64;
            return Ok(len);
        }
        read_buffered(self, out)
    }
}

impl Seek for EditedInput<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let from = self.from;
        let to = match to {
            SeekFrom::Start(at) => SeekFrom::Start(at.saturating_add(from)),
            to => to,
        };
        let at = self.input.seek(to)?;
        self.at = at.checked_sub(from).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn replaced_bytes_are_read_from_any_position() {
        for start in 0..12 {
            for len in 0..4 {
                let mut expected: Vec<u8> = (0..12).collect();
                for byte in expected.iter_mut().skip(start).take(len) {
                    *byte += 100;
                }
                let bytes: Vec<u8> = (0..len).map(|at| (start + at) as u8 + 100).collect();
                if start + len > 12 {
                    continue;
                }
                for from in 0..12 {
                    let mut file = Cursor::new((0..12).collect::<Vec<u8>>());
                    let patch = Patch {
                        from: 0,
                        start: start as u64,
                        bytes: bytes.clone(),
                    };
                    let mut patched = EditedInput::new(&mut file, patch);
                    patched.seek(SeekFrom::Start(from as u64)).unwrap();
                    let mut found = Vec::new();
                    patched.read_to_end(&mut found).unwrap();
                    assert_eq!(found, expected[from..], "{start} {len} {from}");
                }
            }
        }
    }

    #[test]
    fn positions_are_relative_to_an_embedded_file() {
        #[track_caller]
        fn check(to: SeekFrom, expected: Option<(u64, &[u8])>) {
            let mut file = Cursor::new((0..9).collect::<Vec<u8>>());
            let patch = Patch {
                from: 4,
                ..Patch::default()
            };
            let mut patched = EditedInput::new(&mut file, patch);
            let at = patched.seek(to).ok();
            let mut found = Vec::new();
            let all = at.and_then(|at| patched.read_to_end(&mut found).ok().map(|_| at));
            assert_eq!(all.map(|at| (at, &found[..])), expected);
        }
        check(SeekFrom::Start(0), Some((0, &[4, 5, 6, 7, 8])));
        check(SeekFrom::Start(3), Some((3, &[7, 8])));
        check(SeekFrom::End(-1), Some((4, &[8])));
        check(SeekFrom::End(-6), None);
    }
}
