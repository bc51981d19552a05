//! Reads the rows of a flattened picture. Its channels follow one another in the file, so each is read from its own
//! position, uncompressed or by PackBits (TIFF 6.0, section 9). Holds only a few rows.

use super::structure::{Structure, bytes};
use convertd_core::{coding::pack_bits, job::Input};
use std::io::{self, Read, SeekFrom};

/// Smallest number of bytes that one read from a channel asks for.
const CHUNK: usize = 1 << 15;

/// Reading position in a channel.
struct Plane {
    /// Offset in the file of the next byte that is not in the buffer.
    at: u64,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that have been used.
    used: usize,
    /// Compressed length of each row. Empty if rows are not compressed.
    lengths: Vec<u32>,
}

/// Reader of several channels, which returns a row of each at a time.
pub(crate) struct Planes<'a> {
    input: &'a mut dyn Input,
    planes: Vec<Plane>,
    rows: Vec<Vec<u8>>,
    next: usize,
}

/// Length of a row of one channel in bytes.
pub(crate) fn row_bytes(width: u32, depth: u16) -> usize {
    (width as usize * usize::from(depth)).div_ceil(8)
}

impl<'a> Planes<'a> {
    /// Memory for reading, in bytes.
    pub(crate) fn memory(width: u32, height: u32, depth: u16, used: usize) -> u64 {
        let row = row_bytes(width, depth);
        used as u64 * (4 * u64::from(height) + (2 * CHUNK + 8 * row) as u64)
    }

    /// Opens the first `used` channels. `None` if their compression is unknown.
    pub(crate) fn open(
        input: &'a mut dyn Input,
        structure: &Structure,
        used: usize,
    ) -> io::Result<Option<Self>> {
        let row = row_bytes(structure.width, structure.depth);
        let height = structure.height as usize;
        input.seek(SeekFrom::Start(structure.data))?;
        let compression = u16::from_be_bytes(bytes(input)?);
        let start = structure.data + 2;
        let plane = |at, lengths| Plane {
            at,
            buffer: Vec::new(),
            used: 0,
            lengths,
        };
        let planes = match compression {
            0 => (0..used)
                .map(|number| plane(start + (number * row * height) as u64, Vec::new()))
                .collect(),
            1 => {
                // The lengths of all rows of all channels come first.
                let width = if structure.wide { 4 } else { 2 };
                let mut at = start + width * u64::from(structure.channels) * height as u64;
                let mut planes = Vec::new();
                for _ in 0..used {
                    let mut lengths = Vec::with_capacity(height);
                    for _ in 0..height {
                        lengths.push(if structure.wide {
                            u32::from_be_bytes(bytes(input)?)
                        } else {
                            u16::from_be_bytes(bytes(input)?).into()
                        });
                    }
                    let len: u64 = lengths.iter().map(|len| u64::from(*len)).sum();
                    planes.push(plane(at, lengths));
                    at += len;
                }
                planes
            }
            _ => return Ok(None),
        };
        Ok(Some(Self {
            input,
            planes,
            rows: vec![vec![0; row]; used],
            next: 0,
        }))
    }

    /// Reads the next row of each channel.
    pub(crate) fn next(&mut self) -> io::Result<&[Vec<u8>]> {
        for (plane, row) in self.planes.iter_mut().zip(&mut self.rows) {
            let len = row.len();
            match plane.lengths.get(self.next) {
                None => row.copy_from_slice(plane.take(self.input, len)?),
                // No writer makes a row twice as long by compressing it, so a longer row is damage.
                Some(&packed) if packed as usize > 2 * len + 128 => {
                    return Err(invalid("a compressed row is too long"));
                }
                Some(&packed) => unpack(plane.take(self.input, packed as usize)?, row)?,
            }
        }
        self.next += 1;
        Ok(&self.rows)
    }
}

impl Plane {
    /// Returns the next `len` bytes, and reads more if the buffer has fewer.
    fn take(&mut self, input: &mut dyn Input, len: usize) -> io::Result<&[u8]> {
        let held = self.buffer.len() - self.used;
        if held < len {
            self.buffer.drain(..self.used);
            self.used = 0;
            let wanted = (len - held).max(CHUNK);
            input.seek(SeekFrom::Start(self.at))?;
            let read = (&mut *input)
                .take(wanted as u64)
                .read_to_end(&mut self.buffer)?;
            self.at += read as u64;
            if self.buffer.len() < len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        self.used += len;
        Ok(&self.buffer[self.used - len..self.used])
    }
}

/// Unpacks a row that was compressed by PackBits.
pub(crate) fn unpack(packed: &[u8], row: &mut [u8]) -> io::Result<()> {
    pack_bits::unpack::<1>(packed, row).ok_or_else(|| invalid("a compressed row is too short"))
}

/// The error for a file that is damaged.
pub(crate) fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unpacked() {
        #[track_caller]
        fn check(packed: &[u8], expected: Option<&[u8]>) {
            let mut row = [0; 5];
            let result = unpack(packed, &mut row);
            assert_eq!(result.ok().map(|()| &row[..]), expected);
        }
        check(&[4, 1, 2, 3, 4, 5], Some(&[1, 2, 3, 4, 5]));
        check(&[252, 7], Some(&[7; 5]));
        check(&[128, 254, 7, 1, 8, 9], Some(&[7, 7, 7, 8, 9]));
        check(&[129, 7], Some(&[7; 5]));
        check(&[254, 7], None);
        check(&[4, 1, 2], None);
        check(&[252], None);
        check(&[], None);
    }
}
