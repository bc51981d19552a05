//! Unpacks request bodies in gzip (RFC 1952) while they arrive. A body may have several members, one after another
//! (section 2.2). Other bytes after the members are an error. Unpacks no more than the caller reads, so a limit on
//! reading also limits the expansion of a small body.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Read};

/// Reader of the unpacked bytes.
pub(super) struct Gunzip<R> {
    members: MultiGzDecoder<BufReader<R>>,
    has_failed: bool,
}

impl<R: Read> Gunzip<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            members: MultiGzDecoder::new(BufReader::new(inner)),
            has_failed: false,
        }
    }

    /// Returns whether reading failed: the body is damaged or cut off, other data follows it, or the connection failed.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.members.read(out);
        if let Err(err) = &read {
            self.has_failed |= err.kind() != io::ErrorKind::Interrupted;
        }
        read
    }
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

    /// Unpacks a body. `None` if reading fails.
    fn unpacked(body: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut gunzip = Gunzip::new(body);
        let read = gunzip.read_to_end(&mut out);
        assert_eq!(gunzip.has_failed(), read.is_err());
        read.ok().map(|_| out)
    }

    #[test]
    fn packed_bodies_are_unpacked() {
        for plain in [&b""[..], b"x", &[7; 300_000]] {
            assert_eq!(unpacked(&packed(plain)).as_deref(), Some(plain));
        }
    }

    #[test]
    fn all_gzip_members_are_unpacked() {
        let three = [packed(b"one, "), packed(b""), packed(&[b'x'; 100_000])].concat();
        let expected = [&b"one, "[..], &[b'x'; 100_000]].concat();
        assert_eq!(unpacked(&three), Some(expected));
    }

    #[test]
    fn damage_is_an_error() {
        let good = packed(&[7; 300_000]);
        for end in 0..good.len() {
            assert_eq!(unpacked(&good[..end]), None, "{end} bytes");
        }
        for at in [0, 20, good.len() - 6] {
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            assert_eq!(unpacked(&bad), None, "byte {at}");
        }
        for after in [&b"garbage"[..], b"\0", &good[..good.len() - 1]] {
            assert_eq!(unpacked(&[&good, after].concat()), None);
        }
    }
}
