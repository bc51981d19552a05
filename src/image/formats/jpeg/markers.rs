//! The markers of JPEG (ITU-T T.81, annex B): their codes, the identifiers of application segments, and the walk from
//! one marker to the next. Does not interpret segments.

use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Start of the image.
pub(crate) const SOI: u8 = 0xd8;
/// End of the image.
pub(crate) const EOI: u8 = 0xd9;
/// Frame header: baseline. All frame headers from SOF0 to SOF7 mean Huffman coding.
pub(crate) const SOF0: u8 = 0xc0;
/// Frame header: extended sequential.
pub(crate) const SOF1: u8 = 0xc1;
/// Frame header: progressive.
pub(crate) const SOF2: u8 = 0xc2;
/// Frame header: lossless.
pub(crate) const SOF3: u8 = 0xc3;
/// Frame header: differential sequential, the first of the hierarchical processes.
pub(crate) const SOF5: u8 = 0xc5;
/// Frame header: differential lossless, the last of the hierarchical processes with Huffman coding.
pub(crate) const SOF7: u8 = 0xc7;
/// Frame header: extended sequential. All frame headers from SOF9 to SOF15 mean arithmetic coding.
pub(crate) const SOF9: u8 = 0xc9;
/// Frame header: progressive, with arithmetic coding.
pub(crate) const SOF10: u8 = 0xca;
/// Frame header: lossless, with arithmetic coding.
pub(crate) const SOF11: u8 = 0xcb;
/// Frame header: differential sequential, the first of the hierarchical processes with arithmetic coding.
pub(crate) const SOF13: u8 = 0xcd;
/// Frame header: differential lossless, the last of the hierarchical processes with arithmetic coding.
pub(crate) const SOF15: u8 = 0xcf;
/// Frame header of JPEG-LS (ITU-T T.87), which is another standard.
pub(crate) const SOF55: u8 = 0xf7;
/// Conditioning of arithmetic coding.
pub(crate) const DAC: u8 = 0xcc;
/// Huffman tables.
pub(crate) const DHT: u8 = 0xc4;
/// Quantisation tables.
pub(crate) const DQT: u8 = 0xdb;
/// Restart interval.
pub(crate) const DRI: u8 = 0xdd;
/// Start of scan: a scan header.
pub(crate) const SOS: u8 = 0xda;
/// Application segment of JFIF.
pub(crate) const APP0: u8 = 0xe0;
/// Application segment of EXIF and of XMP.
pub(crate) const APP1: u8 = 0xe1;
/// Application segment of colour profiles.
pub(crate) const APP2: u8 = 0xe2;
/// Application segment of Adobe.
pub(crate) const APP14: u8 = 0xee;
/// A comment.
pub(crate) const COM: u8 = 0xfe;

/// First byte of every marker.
pub(crate) const PREFIX: u8 = 0xff;
/// Stuffed byte after 0xFF in entropy-coded data.
const STUFFING: u8 = 0x00;
/// A marker for private use in arithmetic coding (TEM), without a segment.
const TEM: u8 = 0x01;
/// First restart marker; seven more follow.
pub(crate) const RST0: u8 = 0xd0;

/// The identifier of a segment with the header of JFIF.
pub(crate) const JFIF: &[u8] = b"JFIF\0";

/// The identifier of a segment with EXIF.
pub(crate) use crate::metadata::exif::PREFIX as EXIF;

/// The identifier of a segment with XMP (XMP specification, part 3, 1.1.3).
pub(crate) const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// The identifier of a segment with a part of a colour profile (ICC.1, B.4).
pub(crate) const ICC: &[u8] = b"ICC_PROFILE\0";

/// Returns whether a file begins with the start of the image, followed by a marker that is possible there. Like
/// libjpeg, skips bytes without meaning between the two markers.
pub(crate) fn begins(head: &[u8]) -> bool {
    let Some(mut rest) = head.strip_prefix(&[PREFIX, SOI]) else {
        return false;
    };
    while let Some(at) = memchr::memchr(PREFIX, rest) {
        rest = &rest[at..];
        let fill = rest.iter().take_while(|byte| **byte == PREFIX).count();
        match rest.get(fill) {
            Some(&STUFFING) => rest = &rest[fill..],
            Some(marker) => return matches!(*marker, SOF0..=SOF15 | DQT..=0xef | 0xfe),
            None => return false,
        }
    }
    false
}

/// A walk over the markers of a file.
pub(crate) struct Walk<'i> {
    input: &'i mut dyn Input,
    /// Position in the file.
    pub(crate) at: usize,
}

impl<'i> Walk<'i> {
    /// Starts after the start of the image (SOI).
    pub(crate) fn new(input: &'i mut dyn Input) -> io::Result<Self> {
        input.seek(SeekFrom::Start(0))?;
        let mut walk = Self { input, at: 0 };
        walk.bytes::<2>()?;
        Ok(walk)
    }

    /// Finds the next marker with a segment, or the end of the image (EOI). Skips entropy-coded data.
    pub(crate) fn marker(&mut self) -> io::Result<u8> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let found = memchr::memchr(PREFIX, buffer);
            let used = found.map_or(buffer.len(), |at| at + 1);
            self.input.consume(used);
            self.at += used;
            if found.is_none() {
                continue;
            }
            // Any number of fill bytes 0xFF may precede a marker (B.1.1.2).
            let mut marker = PREFIX;
            while marker == PREFIX {
                [marker] = self.bytes()?;
            }
            if !matches!(marker, STUFFING | TEM | RST0..=SOI) {
                return Ok(marker);
            }
        }
    }

    /// Reads the content of the segment after a marker, without its length field.
    pub(crate) fn segment(&mut self) -> io::Result<Vec<u8>> {
        let len = usize::from(u16::from_be_bytes(self.bytes()?));
        let len = len.checked_sub(2).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut segment = vec![0; len];
        self.input.read_exact(&mut segment)?;
        self.at += len;
        Ok(segment)
    }

    /// Reads the next `N` bytes.
    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.at += N;
        Ok(bytes)
    }
}

/// Appends a marker and its content, which may have at most 65,533 bytes.
pub(crate) fn segment(to: &mut Vec<u8>, marker: u8, data: &[u8]) {
    to.extend([PREFIX, marker]);
    to.extend((data.len() as u16 + 2).to_be_bytes());
    to.extend(data);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_before_the_second_marker_are_skipped() {
        #[track_caller]
        fn check(head: &[u8], expected: bool) {
            assert_eq!(begins(head), expected, "{head:x?}");
        }
        check(b"\xff\xd8\xff\xe0", true);
        check(b"\xff\xd8\x01\x02\xff\0\xff\xff\xdb", true);
        check(b"\xff\xd8\0\xff\xfe", true);
        // After the start of the image: another start, the end, a restart marker, TEM, nothing, and text.
        check(b"\xff\xd8\0\xff\xd8", false);
        check(b"\xff\xd8\0\xff\xd9", false);
        check(b"\xff\xd8\0\xff\xd0", false);
        check(b"\xff\xd8\0\xff\x01\xff\xdb", false);
        check(b"\xff\xd8\0\xff", false);
        check(b"\xff\xd8 and some text", false);
        check(b"\0\xff\xdb", false);
    }
}
