//! Parses the box with the JPEG reconstruction data (ISO/IEC 18181-2, A.2 to A.6): everything except the coefficients.
//! The box has bit fields, followed by the bytes of segments, which are compressed with Brotli. Trusts no length that
//! the bytes do not confirm.

use super::{Lost, Result};
use convertd_core::coding::bits::LsbReader;
use std::io::Read;

/// Largest uncompressed length of the bytes of segments. No JPEG in practice has longer segments.
const MAX_BYTES: u64 = 64 << 20;

/// Parts of a JPEG, except its coefficients. All lists are in the order of the file.
pub(super) struct Data {
    pub(super) is_grey: bool,
    /// The second byte of each marker. `0xff` stands for bytes between segments.
    pub(super) markers: Vec<u8>,
    pub(super) applications: Vec<Application>,
    /// Lengths of comments, including the second byte of the marker and the length field.
    pub(super) comments: Vec<usize>,
    /// Quantisation tables, from the segments DQT.
    pub(super) quantisations: Vec<Quantisation>,
    /// Components, from the segment SOF.
    pub(super) components: Vec<Component>,
    /// Huffman tables, from the segments DHT.
    pub(super) codes: Vec<Code>,
    /// Scans, from the segments SOS.
    pub(super) scans: Vec<Scan>,
    /// Restart interval in MCUs, or 0.
    pub(super) restart_interval: u16,
    /// Lengths of the bytes between segments.
    pub(super) between: Vec<usize>,
    /// Length of the bytes after the end of the image.
    pub(super) tail: usize,
    /// Bits that pad the entropy-coded data to whole bytes. `None` if all of them are ones.
    pub(super) padding: Option<Vec<bool>>,
    /// Uncompressed bytes: application segments, comments, bytes between segments, and the tail.
    pub(super) bytes: Vec<u8>,
}

/// An application segment.
pub(super) struct Application {
    pub(super) kind: SegmentSource,
    /// Length including the second byte of the marker and the length field.
    pub(super) len: usize,
}

/// Source of the content of an application segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentSource {
    /// The content is in the reconstruction data itself.
    Here,
    /// The content is a part of the colour profile of the JPEG XL file.
    Icc,
    /// The content is the EXIF data of the JPEG XL file.
    Exif,
    /// The content is the XMP packet of the JPEG XL file.
    Xmp,
}

/// A quantisation table. Its steps are not stored here; they are taken from a component that uses it.
pub(super) struct Quantisation {
    /// Whether its steps have 16 bits instead of 8.
    pub(super) is_wide: bool,
    pub(super) slot: u8,
    /// Whether this table is the last one of its segment.
    pub(super) is_last: bool,
}

/// A component of the frame.
pub(super) struct Component {
    pub(super) id: u8,
    pub(super) quantisation: u8,
}

/// A Huffman table as its segment states it (ITU-T T.81, B.2.4.2).
pub(super) struct Code {
    pub(super) is_ac: bool,
    pub(super) slot: u8,
    /// Whether this table is the last one of its segment.
    pub(super) is_last: bool,
    /// Number of codes of each length, from 1 bit.
    pub(super) counts: [u8; 16],
    /// Symbols in the order of their codes.
    pub(super) symbols: Vec<u8>,
}

/// A scan header, and the blocks in which its coding differs from the default.
pub(super) struct Scan {
    pub(super) parts: Vec<ScanComponent>,
    /// First coefficient in zigzag order.
    pub(super) first: u8,
    /// Last coefficient in zigzag order.
    pub(super) last: u8,
    /// Successive approximation: number of low bits that the previous scan of these coefficients left out; 0 in their
    /// first scan.
    pub(super) high: u8,
    /// Successive approximation: number of low bits that this scan leaves out.
    pub(super) low: u8,
    /// Blocks, numbered in the order of the scan, before which an EOB run ends although it could continue. In ascending
    /// order.
    pub(super) resets: Vec<u32>,
    /// Blocks with runs of 16 zeros before their end, and the number of these runs. In ascending order.
    pub(super) zero_runs: Vec<(u32, u32)>,
}

/// A component of a scan.
#[derive(Clone, Copy)]
pub(super) struct ScanComponent {
    /// Index of the component.
    pub(super) component: usize,
    /// Slot of its Huffman table for AC coefficients.
    pub(super) ac: u8,
    /// Slot of its Huffman table for DC coefficients.
    pub(super) dc: u8,
}

/// Reads a number in one of four forms (ISO/IEC 18181-1, B.2.2): a least value, and the count of bits whose value is
/// added to it.
fn number(bits: &mut LsbReader<'_>, lengths: [(u32, u32); 4]) -> u32 {
    let (least, count) = lengths[bits.take(2) as usize];
    least + bits.take(count)
}

/// Reads `count` items by `read`. Fails at the end of the bits, before a false count allocates memory.
fn several<T>(
    bits: &mut LsbReader<'_>,
    count: usize,
    mut read: impl FnMut(&mut LsbReader<'_>) -> T,
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(read(bits));
        if bits.overran() {
            return Err(Lost);
        }
    }
    Ok(all)
}

impl Data {
    /// Parses the JPEG bitstream reconstruction data (ISO/IEC 18181-2, annex A): the order of markers, and everything
    /// else that the coefficients do not contain.
    pub(super) fn read(content: &[u8]) -> Result<Self> {
        const EOI: u8 = 0xd9;
        let bits = &mut LsbReader::new(content);
        let is_grey = bits.flag();
        let mut markers = Vec::new();
        while markers.last() != Some(&EOI) {
            markers.push(bits.take(6) as u8 + 0xc0);
            if bits.overran() {
                return Err(Lost);
            }
        }
        let count = |is: fn(&u8) -> bool| markers.iter().filter(|marker| is(marker)).count();
        let applications = several(
            bits,
            count(|marker| matches!(marker, 0xe0..=0xef)),
            |bits| {
                let kind = number(bits, [(0, 0), (1, 0), (2, 1), (4, 2)]);
                let len = bits.take(16) as usize + 1;
                (kind, len)
            },
        )?;
        let applications = applications.into_iter().map(|(kind, len)| {
            let kind = match kind {
                0 => SegmentSource::Here,
                1 => SegmentSource::Icc,
                2 => SegmentSource::Exif,
                3 => SegmentSource::Xmp,
                _ => return Err(Lost),
            };
            Ok(Application { kind, len })
        });
        let applications = applications.collect::<Result<Vec<_>>>()?;
        let len = |bits: &mut LsbReader<'_>| bits.take(16) as usize;
        let comments = several(bits, count(|marker| *marker == 0xfe), |bits| len(bits) + 1)?;
        let tables = bits.take(2) as usize + 1;
        let quantisations = several(bits, tables, |bits| Quantisation {
            is_wide: bits.flag(),
            slot: bits.take(2) as u8,
            is_last: bits.flag(),
        })?;
        let components = components(bits)?;
        let codes = number(bits, [(4, 0), (2, 3), (10, 4), (26, 6)]) as usize;
        let codes = (0..codes).map(|_| Code::read(bits));
        let codes = codes.collect::<Result<Vec<_>>>()?;
        let scans = count(|marker| *marker == 0xda);
        let mut scans = several(bits, scans, Scan::read)?;
        let has_interval = markers.contains(&0xdd);
        let restart_interval = if has_interval { bits.take(16) } else { 0 } as u16;
        for scan in &mut scans {
            scan.read_more(bits)?;
        }
        let between = several(bits, count(|marker| *marker == 0xff), len)?;
        let tail = number(bits, [(0, 0), (1, 8), (257, 16), (65_793, 22)]) as usize;
        let padding = match bits.flag() {
            true => {
                let count = bits.take(24) as usize;
                Some(several(bits, count, |bits| bits.flag())?)
            }
            false => None,
        };
        if bits.overran() || scans.iter().any(|scan| scan.is_beyond(components.len())) {
            return Err(Lost);
        }
        let mut data = Self {
            is_grey,
            markers,
            applications,
            comments,
            quantisations,
            components,
            codes,
            scans,
            restart_interval,
            between,
            tail,
            padding,
            bytes: Vec::new(),
        };
        data.bytes = data.decompress(bits.rest())?;
        Ok(data)
    }

    /// Decompresses the bytes after the bit fields. Their length must equal the sum of the stated lengths.
    fn decompress(&self, compressed: &[u8]) -> Result<Vec<u8>> {
        let here = self
            .applications
            .iter()
            .filter(|segment| segment.kind == SegmentSource::Here);
        let len: usize = here.map(|segment| segment.len).sum::<usize>()
            + self.comments.iter().sum::<usize>()
            + self.between.iter().sum::<usize>()
            + self.tail;
        let mut bytes = Vec::new();
        brotli_decompressor::Decompressor::new(compressed, 1 << 12)
            .take((len as u64 + 1).min(MAX_BYTES))
            .read_to_end(&mut bytes)
            .map_err(|_| Lost)?;
        if bytes.len() == len {
            Ok(bytes)
        } else {
            Err(Lost)
        }
    }
}

/// Reads the IDs of the components, with short forms for the usual ones, and the slots of their quantisation tables.
fn components(bits: &mut LsbReader<'_>) -> Result<Vec<Component>> {
    let ids = match bits.take(2) {
        0 => vec![1],
        1 => vec![1, 2, 3],
        2 => b"RGB".to_vec(),
        _ => {
            let count = bits.take(2) as usize + 1;
            several(bits, count, |bits| bits.take(8) as u8)?
        }
    };
    let components = ids.into_iter().map(|id| Component {
        id,
        quantisation: bits.take(2) as u8,
    });
    Ok(components.collect())
}

impl Code {
    /// Parses a Huffman table.
    fn read(bits: &mut LsbReader<'_>) -> Result<Self> {
        let (is_ac, slot, is_last) = (bits.flag(), bits.take(2) as u8, bits.flag());
        let mut counts = [0; 17];
        // Numbers of codes of each length, from 0 bits. The longest code consists of ones only.
        for count in &mut counts {
            *count = number(bits, [(0, 0), (1, 0), (2, 3), (0, 8)]) as u8;
        }
        let sum = counts.iter().map(|count| usize::from(*count)).sum();
        // The last symbol, 256, stands for the code of all ones, which no JPEG may use (C.2). It is not in the segment.
        let mut symbols = several(bits, sum, |bits| {
            number(bits, [(0, 2), (4, 2), (8, 4), (1, 8)])
        })?;
        let [none, counts @ ..] = counts;
        let mut counts: [u8; 16] = counts;
        let longest = counts.iter_mut().rev().find(|count| **count > 0);
        let (Some(256), Some(longest), 0) = (symbols.pop(), longest, none) else {
            return Err(Lost);
        };
        *longest -= 1;
        Ok(Self {
            is_ac,
            slot,
            is_last,
            counts,
            symbols: symbols.into_iter().map(|symbol| symbol as u8).collect(),
        })
    }
}

impl Scan {
    /// Reads a scan header.
    fn read(bits: &mut LsbReader<'_>) -> Self {
        let count = bits.take(2) + 1;
        let (first, last) = (bits.take(6) as u8, bits.take(6) as u8);
        let (low, high) = (bits.take(4) as u8, bits.take(4) as u8);
        let parts = (0..count).map(|_| ScanComponent {
            component: bits.take(2) as usize,
            ac: bits.take(2) as u8,
            dc: bits.take(2) as u8,
        });
        let parts = parts.collect();
        // Skips the number of the last pass that the scan needs, which is only useful for truncated codestreams.
        number(bits, [(0, 0), (1, 0), (2, 0), (3, 3)]);
        Self {
            parts,
            first,
            last,
            high,
            low,
            resets: Vec::new(),
            zero_runs: Vec::new(),
        }
    }

    /// Reads the fields that follow the headers of all scans.
    fn read_more(&mut self, bits: &mut LsbReader<'_>) -> Result<()> {
        const COUNTS: [(u32, u32); 4] = [(0, 0), (1, 2), (4, 4), (20, 16)];
        const STEPS: [(u32, u32); 4] = [(0, 0), (1, 3), (9, 5), (41, 28)];
        // Each number of a block is stored as the count of blocks between this block and the previous one of the list.
        let mut next = 0_u32;
        let count = number(bits, COUNTS) as usize;
        self.resets = several(bits, count, |bits| {
            let block = next.saturating_add(number(bits, STEPS));
            next = block.saturating_add(1);
            block
        })?;
        next = 0;
        let count = number(bits, COUNTS) as usize;
        self.zero_runs = several(bits, count, |bits| {
            let runs = number(bits, [(1, 0), (2, 2), (5, 4), (20, 8)]);
            let block = next.saturating_add(number(bits, STEPS));
            next = block.saturating_add(1);
            (block, runs)
        })?;
        Ok(())
    }

    /// Returns whether the scan refers to a component that does not exist, or has an impossible range of coefficients
    /// or bits.
    fn is_beyond(&self, components: usize) -> bool {
        self.first > self.last
            || self.low > 13
            || self.parts.iter().any(|part| part.component >= components)
    }
}
