//! Reads and writes Ogg (RFC 3533), which carries the packets of one or more streams in pages. Does not read the
//! content of the packets.
//!
//! A page has a checksum, the serial number of its stream, its own sequence number, and a granule position: the
//! position in the stream at the end of the last packet that ends in the page, in a unit that the codec defines.
//! Packets are cut into segments of at most 255 bytes; a shorter segment ends the packet, so a packet of 510 bytes
//! takes three segments, the last of them empty. A packet may extend over any number of pages. After a damaged page,
//! reading continues at the next signature whose page has a correct checksum, and packets that lost a part are dropped
//! whole.

use std::io::{self, Read};
use symphonia::core::{checksum::Crc32, io::Monitor};

/// Flag of the first page of a stream.
pub(crate) const FIRST: u8 = 0x02;
/// Flag of the last page of a stream.
pub(crate) const LAST: u8 = 0x04;
/// Flag of a page that begins with the rest of a packet from the page before.
const CONTINUED: u8 = 0x01;
/// Length of a page's header without its segment table, in bytes.
const HEAD: usize = 27;
/// A page is written when its body has this many bytes.
const PAGE_TARGET: usize = 16 << 10;

/// A page with a correct checksum.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Flags: the page continues a packet, begins a stream, or ends a stream (RFC 3533, section 6).
    pub(crate) flags: u8,
    /// Granule position at the end of the last packet that ends in this page; −1 if no packet ends in it.
    pub(crate) granule: i64,
    /// Serial number of the page's stream.
    pub(crate) serial: u32,
    /// Number of the page within the stream, from 0.
    pub(crate) sequence: u32,
    /// The segment table: the length of each segment in bytes.
    segments: Vec<u8>,
    /// The segments.
    body: Vec<u8>,
}

impl Page {
    /// Returns the pieces of packets in this page, and for each piece whether its packet ends there.
    pub(crate) fn parts(&self) -> Vec<(&[u8], bool)> {
        let mut parts = Vec::new();
        let (mut start, mut end) = (0, 0);
        for segment in &self.segments {
            end += usize::from(*segment);
            if *segment < 255 {
                parts.push((&self.body[start..end], true));
                start = end;
            }
        }
        // If the last packet does not end in this page, its rest is in the next page.
        if start < end || self.segments.last() == Some(&255) {
            parts.push((&self.body[start..end], false));
        }
        parts
    }

    /// Returns whether the first piece continues a packet of the page before.
    pub(crate) fn is_continued(&self) -> bool {
        self.flags & CONTINUED != 0
    }
}

/// Reads the next page with a correct checksum and passes over everything before it. Adds to `damaged` the number of
/// pages that have a wrong checksum or are cut short. `None` at the end of the input.
pub(crate) fn read_page(input: &mut impl Read, damaged: &mut u64) -> io::Result<Option<Page>> {
    let mut bytes: Vec<u8> = Vec::with_capacity(HEAD + 255);
    loop {
        if !fill(input, &mut bytes, HEAD)? {
            // The input may end within the signature or the header of a page.
            let begun = !bytes.is_empty() && b"OggS".starts_with(&bytes[..bytes.len().min(4)]);
            *damaged += u64::from(begun);
            return Ok(None);
        }
        if bytes.starts_with(b"OggS\0") {
            let segments = usize::from(bytes[26]);
            if !fill(input, &mut bytes, HEAD + segments)? {
                *damaged += 1;
                return Ok(None);
            }
            let body: usize = bytes[HEAD..HEAD + segments]
                .iter()
                .map(|s| usize::from(*s))
                .sum();
            let length = HEAD + segments + body;
            let whole = fill(input, &mut bytes, length)?;
            if whole && checksum(&bytes[..length]) == bytes[22..26] {
                let word = |at: usize| {
                    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
                };
                let granule = u64::from(word(6)) | u64::from(word(10)) << 32;
                let page = Page {
                    flags: bytes[5],
                    granule: granule as i64,
                    serial: word(14),
                    sequence: word(18),
                    segments: bytes[HEAD..HEAD + segments].to_vec(),
                    body: bytes[HEAD + segments..length].to_vec(),
                };
                return Ok(Some(page));
            }
            *damaged += 1;
        }
        // The next signature may be among the bytes already read.
        let next = bytes
            .windows(4)
            .skip(1)
            .position(|window| window == b"OggS");
        let drop = next.map_or(bytes.len() - 3, |at| at + 1);
        bytes.drain(..drop);
    }
}

/// Reads until `bytes` has `length` bytes. Returns false if the input ends earlier.
fn fill(input: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> io::Result<bool> {
    let missing = length.saturating_sub(bytes.len());
    if missing > 0 {
        input.by_ref().take(missing as u64).read_to_end(bytes)?;
    }
    Ok(bytes.len() >= length)
}

/// Computes the checksum of a page as if its checksum field were 0.
fn checksum(page: &[u8]) -> [u8; 4] {
    let mut crc = Crc32::new(0);
    crc.process_buf_bytes(&page[..22]);
    crc.process_buf_bytes(&[0; 4]);
    crc.process_buf_bytes(&page[26..]);
    crc.crc().to_le_bytes()
}

/// Writes the pages of one stream.
pub(crate) struct Writer {
    /// Serial number of the stream.
    serial: u32,
    /// Number of the next page, from 0.
    sequence: u32,
    /// The lengths of the segments in the pending page.
    segments: Vec<u8>,
    /// The bytes of the segments in the pending page.
    body: Vec<u8>,
    /// Granule position of the last packet that ends in the pending page; −1 without one.
    granule: i64,
    /// Whether the pending page begins with the rest of a packet.
    continued: bool,
}

impl Writer {
    /// Begins a stream with this serial number.
    pub(crate) fn new(serial: u32) -> Self {
        Self {
            serial,
            sequence: 0,
            segments: Vec::new(),
            body: Vec::new(),
            granule: -1,
            continued: false,
        }
    }

    /// Adds a packet that ends at granule position `granule`. Appends every page that becomes full to `output`.
    pub(crate) fn packet(&mut self, output: &mut Vec<u8>, packet: &[u8], granule: i64) {
        let mut rest = packet;
        loop {
            if self.segments.len() == 255 {
                self.page(output, 0);
                // A full page is written even within a packet.
                self.continued = rest.len() < packet.len();
            }
            let length = rest.len().min(255);
            self.segments.push(length as u8);
            self.body.extend_from_slice(&rest[..length]);
            rest = &rest[length..];
            if length < 255 {
                break;
            }
        }
        self.granule = granule;
    }

    /// Returns whether the pending page is large enough to be written.
    pub(crate) fn is_full(&self) -> bool {
        self.body.len() >= PAGE_TARGET || self.segments.len() > 250
    }

    /// Returns whether no segment is pending.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Appends the pending segments to `output` as one page.
    pub(crate) fn page(&mut self, output: &mut Vec<u8>, flags: u8) {
        let mut page = Vec::with_capacity(HEAD + self.segments.len() + self.body.len());
        page.extend(b"OggS\0");
        page.push(flags | if self.continued { CONTINUED } else { 0 });
        page.extend(self.granule.to_le_bytes());
        page.extend(self.serial.to_le_bytes());
        page.extend(self.sequence.to_le_bytes());
        // Reserves the field of the checksum, which is computed last.
        page.extend([0; 4]);
        page.push(self.segments.len() as u8);
        page.append(&mut self.segments);
        page.append(&mut self.body);
        let checksum = checksum(&page);
        page[22..26].copy_from_slice(&checksum);
        output.append(&mut page);
        self.sequence += 1;
        self.granule = -1;
        self.continued = false;
    }
}

/// Joins the packets of one stream from its pages.
#[derive(Default)]
pub(crate) struct Packets {
    /// The beginning of a packet whose end is in a later page.
    partial: Vec<u8>,
    /// Whether `partial` holds the beginning of a packet.
    open: bool,
    /// Sequence number of the last page.
    sequence: Option<u32>,
    /// Number of gaps in the sequence numbers of the pages.
    pub(crate) lost: u64,
}

impl Packets {
    /// Returns whether the last page ended within a packet.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Takes a page and returns the packets that end in it. Drops packets longer than `limit` bytes.
    pub(crate) fn push(&mut self, page: &Page, limit: usize) -> Vec<Vec<u8>> {
        let expected = self.sequence.map(|sequence| sequence.wrapping_add(1));
        if expected.is_some_and(|expected| expected != page.sequence) {
            // A page is missing, and with it the rest of an open packet.
            self.lost += 1;
            self.open = false;
        }
        self.sequence = Some(page.sequence);
        let mut packets = Vec::new();
        for (i, (part, ends)) in page.parts().into_iter().enumerate() {
            // Every part begins a packet, except for a first part that continues one.
            if i > 0 || !page.is_continued() {
                self.partial.clear();
                self.open = true;
            }
            if !self.open {
                continue;
            }
            self.partial.extend_from_slice(part);
            if self.partial.len() > limit {
                self.partial.clear();
                self.open = false;
            } else if ends {
                packets.push(std::mem::take(&mut self.partial));
                self.open = false;
            }
        }
        packets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sizes: &[usize]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut writer = Writer::new(7);
        for (i, size) in sizes.iter().enumerate() {
            writer.packet(&mut file, &vec![i as u8; *size], i as i64);
            if writer.is_full() {
                writer.page(&mut file, 0);
            }
        }
        writer.page(&mut file, LAST);
        file
    }

    fn read(mut file: &[u8]) -> (Vec<usize>, u64, u64) {
        let mut packets = Packets::default();
        let mut sizes = Vec::new();
        let mut damaged = 0;
        while let Some(page) = read_page(&mut file, &mut damaged).unwrap() {
            sizes.extend(packets.push(&page, 1 << 20).iter().map(Vec::len));
        }
        (sizes, damaged, packets.lost)
    }

    #[test]
    fn packets_of_all_sizes_survive_a_round_trip() {
        let sizes = [
            0, 1, 254, 255, 256, 510, 70_000, 3, 200_000, 0, 65_025, 65_024,
        ];
        assert_eq!(read(&written(&sizes)), (sizes.to_vec(), 0, 0));
    }

    #[test]
    fn damage_loses_only_its_page() {
        let mut file = written(&[20_000, 20_000, 20_000]);
        let clean = file.clone();
        file[25_000] ^= 1;
        assert_eq!(read(&file), (vec![20_000, 20_000], 1, 1));
        let mut junk = b"junk OggS junk".to_vec();
        junk.extend(&clean);
        assert_eq!(read(&junk), (vec![20_000; 3], 0, 0));
        assert_eq!(read(&clean[..clean.len() - 100]), (vec![20_000; 2], 1, 0));
    }
}
