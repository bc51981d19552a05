//! Request bodies that were compressed with gzip (RFC 1952), unpacked while they arrive. Unpacks no more than the caller reads, so that
//! whoever limits what is read limits what a small body can become.

use miniz_oxide::{
    DataFormat, MZError, MZFlush, MZStatus,
    inflate::stream::{InflateState, inflate},
};
use std::io::{self, BufRead, BufReader, Read};

/// The longest name or comment in a header, in bytes.
const MOST_TEXT: usize = 64 << 10;

/// A reader of what was compressed.
pub(super) struct Gunzip<R> {
    inner: BufReader<R>,
    state: Box<InflateState>,
    place: Place,
    checksum: crc32fast::Hasher,
    len: u32,
}

#[derive(PartialEq, Eq)]
enum Place {
    Header,
    Data,
    End,
}

impl<R: Read> Gunzip<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner: BufReader::new(inner),
            state: InflateState::new_boxed(DataFormat::Raw),
            place: Place::Header,
            checksum: crc32fast::Hasher::new(),
            len: 0,
        }
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Section 2.3: ten bytes, and what their flags announce.
    fn header(&mut self) -> io::Result<()> {
        let [id1, id2, method, flags, ..] = self.bytes::<10>()?;
        if (id1, id2, method) != (0x1f, 0x8b, 8) {
            return Err(damaged("it is not gzip"));
        }
        if flags & 4 != 0 {
            let len = u16::from_le_bytes(self.bytes()?);
            io::copy(&mut (&mut self.inner).take(len.into()), &mut io::sink())?;
        }
        for flag in [8, 16] {
            if flags & flag != 0 {
                let mut text = Vec::new();
                let mut limited = (&mut self.inner).take(MOST_TEXT as u64);
                limited.read_until(0, &mut text)?;
                if text.last() != Some(&0) {
                    return Err(damaged("a name in its header does not end"));
                }
            }
        }
        if flags & 2 != 0 {
            self.bytes::<2>()?;
        }
        Ok(())
    }

    /// Section 2.3.1: the checksum and the length.
    fn trailer(&mut self) -> io::Result<()> {
        let checksum = u32::from_le_bytes(self.bytes()?);
        let len = u32::from_le_bytes(self.bytes()?);
        match checksum == self.checksum.clone().finalize() && len == self.len {
            true => Ok(()),
            false => Err(damaged("its checksum is wrong")),
        }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.place == Place::Header {
            self.header()?;
            self.place = Place::Data;
        }
        while self.place == Place::Data {
            let input = self.inner.fill_buf()?;
            let is_over = input.is_empty();
            let step = inflate(&mut self.state, input, out, MZFlush::None);
            self.inner.consume(step.bytes_consumed);
            let written = &out[..step.bytes_written];
            self.checksum.update(written);
            self.len = self.len.wrapping_add(written.len() as u32);
            match step.status {
                Ok(MZStatus::StreamEnd) => {
                    self.trailer()?;
                    self.place = Place::End;
                }
                Ok(_) | Err(MZError::Buf) if !is_over || step.bytes_written > 0 => {}
                Ok(_) | Err(_) => return Err(damaged("it is damaged or cut off")),
            }
            if step.bytes_written > 0 {
                return Ok(step.bytes_written);
            }
        }
        Ok(0)
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::other(format!("the body cannot be unpacked: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    fn packed(plain: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 2, 255];
        bytes.extend(b"name\0");
        bytes.extend(compress_to_vec(plain, 6));
        bytes.extend(crc32fast::hash(plain).to_le_bytes());
        bytes.extend((plain.len() as u32).to_le_bytes());
        bytes
    }

    #[test]
    fn what_was_packed_comes_out() {
        for plain in [&b""[..], b"x", &[7; 300_000]] {
            let mut out = Vec::new();
            Gunzip::new(&packed(plain)[..])
                .read_to_end(&mut out)
                .unwrap();
            assert_eq!(out, plain);
        }
    }

    #[test]
    fn damage_is_an_error() {
        let good = packed(&[7; 300_000]);
        for end in 0..good.len() {
            let mut out = Vec::new();
            assert!(Gunzip::new(&good[..end]).read_to_end(&mut out).is_err());
        }
        for at in [0, 20, good.len() - 6] {
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            assert!(Gunzip::new(&bad[..]).read_to_end(&mut Vec::new()).is_err());
        }
    }
}
