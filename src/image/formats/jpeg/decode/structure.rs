//! Reads the marker segments of a JPEG file (T.81, annex B) up to the end of the image. Decodes no coefficient.
//!
//! The whole file, including the entropy-coded data, is walked before anything is decoded. So the decoder knows where
//! each scan begins and ends. A truncated file is rejected before anything is decoded, unless damage is to be kept;
//! other decoders fill the missing part with grey. Each scan keeps the tables that it uses, because a later segment may
//! redefine them.

use super::{
    conditioning::Conditioning,
    fault::Fault,
    huffman::Table,
    scan::{OtherScan, Scan, Steps},
    standard,
};
use crate::formats::jpeg::markers::{
    APP0, APP1, APP2, APP14, DAC, DHT, DQT, DRI, EOI, EXIF, ICC, SOF0, SOF2, SOF3, SOF5, SOF7,
    SOF9, SOF10, SOF11, SOF13, SOF15, SOF55, SOS, Walk,
};
use convertd_core::job::Input;
use std::sync::Arc;

/// The colour model of the components, as stated by APP14 (Adobe) or JFIF, or by convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Grey,
    Rgb,
    YCbCr,
    /// CMYK as Adobe stores it: inverted, so that 255 means no ink.
    Cmyk,
    /// CMYK as above, with the first three components converted to YCbCr.
    Ycck,
}

/// A component of the frame.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(super) id: u8,
    /// Horizontal sampling factor, from 1 to 4.
    pub(crate) horizontal: usize,
    /// Vertical sampling factor, from 1 to 4.
    pub(crate) vertical: usize,
    /// Number of the quantisation table of the component.
    pub(super) quantisation: usize,
}

/// Coding process of a frame (T.81, section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Process {
    #[default]
    Huffman,
    Arithmetic,
    Lossless,
}

/// Content of the marker segments: the frame, the scans, and the tables in force.
#[derive(Default)]
pub(crate) struct Structure {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Bits of a sample: 8 or 12, or 2 to 16 if the process is lossless.
    pub(crate) precision: u8,
    pub(crate) components: Vec<Component>,
    pub(crate) process: Process,
    pub(crate) progressive: bool,
    /// Number of scans of all processes.
    pub(crate) scan_count: usize,
    pub(crate) exif: Option<Vec<u8>>,
    /// Scans of sequential Huffman coding.
    pub(crate) scans: Vec<Scan>,
    /// Scans of progressive Huffman coding, and of the other processes.
    pub(crate) other_scans: Vec<OtherScan>,
    /// The parts of the colour profile, each with its sequence number.
    icc: Vec<(u8, Vec<u8>)>,
    /// Length of all parts, in bytes.
    icc_len: usize,
    /// Whether the colour profile is too long, so that it was dropped.
    has_long_icc: bool,
    /// Colour transform of the segment APP14: 0 for none, 1 for YCbCr, 2 for YCCK.
    adobe: Option<u8>,
    /// Whether the file has the segment APP0 of JFIF.
    jfif: bool,
    /// Tables in force after the segments so far.
    pub(super) tables: Tables,
}

/// Quantisation and Huffman tables, arithmetic conditioning, and restart interval.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) steps: [Option<Steps>; 4],
    pub(super) dc: [Option<Arc<Table>>; 4],
    pub(super) ac: [Option<Arc<Table>>; 4],
    pub(super) conditioning: Conditioning,
    pub(super) restart: usize,
}

/// The largest number of scans in a file. libjpeg's progressive files have 10. Each scan costs a pass over the picture.
pub(super) const MAX_SCANS: usize = 100;

/// Largest length of a colour profile, in bytes. A longer profile is ignored.
const MAX_PROFILE: usize = 4 << 20;

impl Structure {
    /// Walks from marker to marker up to the end of the image, and fails if the file ends before it. Keeps headers,
    /// tables and metadata, but no entropy-coded data.
    pub(crate) fn parse(input: &mut dyn Input) -> Result<Self, Fault> {
        let mut found = Self::default();
        let mut walk = Walk::new(input)?;
        found.walk(&mut walk)?;
        found.complete()
    }

    /// Parses a file that may be damaged: the list of scans ends where the walk fails. Also returns a description of
    /// the damage, if there is any.
    pub(crate) fn parse_damaged(
        input: &mut dyn Input,
    ) -> Result<(Self, Option<&'static str>), Fault> {
        let mut found = Self::default();
        let mut walk = Walk::new(input)?;
        let Err(fault) = found.walk(&mut walk) else {
            return Ok((found.complete()?, None));
        };
        let Fault::Broken(what) = fault else {
            return Err(fault);
        };
        found.end_scan(walk.at);
        Ok((found.complete()?, Some(what)))
    }

    /// Walks to the end of the image.
    fn walk(&mut self, walk: &mut Walk<'_>) -> Result<(), Fault> {
        let found = self;
        loop {
            let marker = walk.marker()?;
            // The two bytes of the marker have been read, so the data of the scan ends before them.
            found.end_scan(walk.at - 2);
            if marker == EOI {
                return Ok(());
            }
            let segment = walk.segment()?;
            found.segment(marker, &segment, walk.at)?;
        }
    }

    /// Ends the entropy-coded data of the last scan at `at`, if it has no end yet.
    fn end_scan(&mut self, at: usize) {
        let last = self.scans.last_mut().map(|scan| &mut scan.data);
        let other = self.other_scans.last_mut().map(|scan| &mut scan.data);
        if let Some(data) = last.or(other)
            && data.start == data.end
        {
            data.end = at;
        }
    }

    /// Interprets a marker segment that ends at `end` in the file. Definitions hold until they are replaced, so each
    /// scan keeps the tables that were in force.
    fn segment(&mut self, marker: u8, segment: &[u8], end: usize) -> Result<(), Fault> {
        match marker {
            SOF0..=SOF3 | SOF9 | SOF10 => self.frame(marker, segment)?,
            SOF5..=SOF7 | SOF13..=SOF15 => return Err(Fault::Unsupported("hierarchical coding")),
            SOF11 => return Err(Fault::Unsupported("lossless arithmetic coding")),
            SOF55 => return Err(Fault::Unsupported("JPEG-LS")),
            DHT => self.huffman(segment)?,
            DQT => self.quantisation(segment)?,
            DAC => self.tables.conditioning.set(segment)?,
            DRI => match segment {
                [high, low, ..] => self.tables.restart = u16::from_be_bytes([*high, *low]).into(),
                _ => return Err(Fault::Broken("its restart interval is cut short")),
            },
            SOS => {
                // Motion JPEG leaves out the standard tables of T.81, K.3. So they are defined if no other Huffman
                // table has been.
                let mut tables = self.tables.dc.iter().chain(&self.tables.ac);
                if self.process == Process::Huffman && tables.all(Option::is_none) {
                    self.huffman(&standard::HUFFMAN)?;
                }
                self.scan(segment, end)?;
            }
            APP0 => self.jfif |= segment.starts_with(b"JFIF\0"),
            APP1 => {
                if let Some(exif) = segment.strip_prefix(EXIF) {
                    self.exif.get_or_insert_with(|| exif.to_vec());
                }
            }
            APP2 => {
                if let Some([number, _, part @ ..]) = segment.strip_prefix(ICC) {
                    // A sequence number has one byte, so there are at most 255 parts.
                    self.icc_len += part.len();
                    self.has_long_icc |= self.icc_len > MAX_PROFILE || self.icc.len() >= 255;
                    match self.has_long_icc {
                        true => self.icc.clear(),
                        false => self.icc.push((*number, part.to_vec())),
                    }
                }
            }
            APP14 => {
                // Version, two fields of flags, and the colour transform.
                if let Some([_, _, _, _, _, _, transform, ..]) = segment.strip_prefix(b"Adobe") {
                    self.adobe = Some(*transform);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Parses a frame header (T.81, B.2.2): process, size, and the sampling factors of the components.
    fn frame(&mut self, marker: u8, segment: &[u8]) -> Result<(), Fault> {
        if !self.components.is_empty() {
            return Err(Fault::Broken("it has two frame headers"));
        }
        let [precision, h1, h0, w1, w0, count, components @ ..] = segment else {
            return Err(Fault::Broken("its frame header is cut short"));
        };
        self.process = match marker {
            SOF3 => Process::Lossless,
            SOF9 | SOF10 => Process::Arithmetic,
            _ => Process::Huffman,
        };
        match (self.process, precision) {
            (Process::Lossless, 2..=16) | (_, 8 | 12) => self.precision = *precision,
            _ => return Err(Fault::Broken("its sample depth is invalid")),
        }
        self.width = u16::from_be_bytes([*w1, *w0]).into();
        self.height = u16::from_be_bytes([*h1, *h0]).into();
        if self.height == 0 {
            return Err(Fault::Unsupported(
                "a height that is stated after the picture (DNL)",
            ));
        }
        self.progressive = matches!(marker, SOF2 | SOF10);
        self.components = components
            .as_chunks::<3>()
            .0
            .iter()
            .map(|&[id, sampling, quantisation]| Component {
                id,
                horizontal: (sampling >> 4).into(),
                vertical: (sampling & 15).into(),
                quantisation: quantisation.into(),
            })
            .collect();
        if self.components.len() != usize::from(*count) || !matches!(count, 1 | 3 | 4) {
            return Err(Fault::Unsupported(
                "a number of components other than 1, 3 or 4",
            ));
        }
        let impossible = |c: &Component| {
            !matches!(c.horizontal, 1..=4) || !matches!(c.vertical, 1..=4) || c.quantisation > 3
        };
        if self.components.iter().any(impossible) {
            return Err(Fault::Broken("its sampling factors are invalid"));
        }
        // A single component is never interleaved, so its sampling factors have no meaning, and are replaced by 1.
        if let [only] = self.components.as_mut_slice() {
            (only.horizontal, only.vertical) = (1, 1);
        }
        Ok(())
    }

    /// Parses quantisation tables (T.81, B.2.4.1), of 8 or 16 bits.
    fn quantisation(&mut self, mut segment: &[u8]) -> Result<(), Fault> {
        const SHORT: Fault = Fault::Broken("a quantisation table is cut short");
        while let Some((&head, rest)) = segment.split_first() {
            let table = self
                .tables
                .steps
                .get_mut(usize::from(head & 15))
                .ok_or(SHORT)?;
            let mut steps = [0u16; 64];
            if head >> 4 == 0 {
                let (bytes, rest) = rest.split_at_checked(64).ok_or(SHORT)?;
                for (step, &byte) in steps.iter_mut().zip(bytes) {
                    *step = byte.into();
                }
                segment = rest;
            } else {
                let (bytes, rest) = rest.split_at_checked(128).ok_or(SHORT)?;
                for (step, &bytes) in steps.iter_mut().zip(bytes.as_chunks().0) {
                    *step = u16::from_be_bytes(bytes);
                }
                segment = rest;
            }
            *table = Some(Arc::new(steps));
        }
        Ok(())
    }

    /// Parses Huffman tables (T.81, B.2.4.2).
    fn huffman(&mut self, mut segment: &[u8]) -> Result<(), Fault> {
        const SHORT: Fault = Fault::Broken("a Huffman table is cut short");
        while let Some((&head, rest)) = segment.split_first() {
            let (counts, rest) = rest.split_first_chunk::<16>().ok_or(SHORT)?;
            let len = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, rest) = rest.split_at_checked(len).ok_or(SHORT)?;
            let tables = if head >> 4 == 0 {
                &mut self.tables.dc
            } else {
                &mut self.tables.ac
            };
            let slot = tables.get_mut(usize::from(head & 15)).ok_or(SHORT)?;
            let table = Table::new(counts, symbols).ok_or(Fault::Broken(
                "a Huffman table has too many codes of one length",
            ))?;
            *slot = Some(Arc::new(table));
            segment = rest;
        }
        Ok(())
    }

    /// Checks that the file has a frame and a scan, and data of each component unless it is progressive.
    fn complete(self) -> Result<Self, Fault> {
        if self.components.is_empty() || self.scan_count == 0 {
            return Err(Fault::Broken("it contains no picture"));
        }
        // Scans of a progressive file may be missing: the picture then lacks detail.
        if !self.progressive && !(0..self.components.len()).all(|at| self.covers(at)) {
            return Err(Fault::Broken("a component has no data"));
        }
        Ok(self)
    }

    /// The colour model of the components.
    pub(crate) fn coding(&self) -> Coding {
        let ids: Vec<u8> = self
            .components
            .iter()
            .map(|component| component.id)
            .collect();
        match (self.components.len(), self.adobe) {
            (1, _) => Coding::Grey,
            (4, Some(2)) => Coding::Ycck,
            (4, _) => Coding::Cmyk,
            (_, Some(0)) if !self.jfif => Coding::Rgb,
            // Lossless files are seldom converted to YCbCr, even those with a JFIF header. So they count as RGB, unless
            // a component is subsampled.
            (_, None)
                if self.process == Process::Lossless
                    && self
                        .components
                        .iter()
                        .all(|c| (c.horizontal, c.vertical) == (1, 1)) =>
            {
                Coding::Rgb
            }
            (_, None) if !self.jfif && ids == *b"RGB" => Coding::Rgb,
            _ => Coding::YCbCr,
        }
    }

    /// Returns whether one scan holds all components, so that rows can be decoded in order.
    pub(crate) fn streams(&self) -> bool {
        self.scans.len() == 1
    }

    /// Returns whether the coefficients of the whole picture are kept in memory.
    pub(super) fn is_held(&self) -> bool {
        self.progressive || self.process == Process::Arithmetic || self.is_deep()
    }

    /// Returns whether a sample has more than 8 bits, in a process with a DCT: see [`deep`](super::deep).
    pub(crate) fn is_deep(&self) -> bool {
        self.precision > 8 && self.process != Process::Lossless
    }

    /// The largest sampling factors, horizontal and vertical.
    pub(crate) fn sampling(&self) -> (usize, usize) {
        let most = |of: fn(&Component) -> usize| self.components.iter().map(of).max().unwrap_or(1);
        (most(|c| c.horizontal), most(|c| c.vertical))
    }

    /// The number of samples in a row of a component, and the number of its rows (A.1.1).
    pub(crate) fn samples_of(&self, component: &Component) -> (usize, usize) {
        let (h, v) = self.sampling();
        (
            (self.width as usize * component.horizontal).div_ceil(h),
            (self.height as usize * component.vertical).div_ceil(v),
        )
    }

    /// The side of a data unit in samples: 8 for a block, or 1 if the process has no DCT.
    fn unit(&self) -> usize {
        match self.process {
            Process::Huffman | Process::Arithmetic => 8,
            Process::Lossless => 1,
        }
    }

    /// MCUs across and down, for scans of all components.
    pub(crate) fn mcus(&self) -> (usize, usize) {
        let (h, v) = self.sampling();
        (
            (self.width as usize).div_ceil(self.unit() * h),
            (self.height as usize).div_ceil(self.unit() * v),
        )
    }

    /// MCUs across and down in a scan of this component alone, which is not interleaved: its MCU is one data unit, and
    /// no units pad the edges (A.2.2).
    pub(crate) fn mcus_alone(&self, component: &Component) -> (usize, usize) {
        let (width, height) = self.samples_of(component);
        (width.div_ceil(self.unit()), height.div_ceil(self.unit()))
    }

    /// Number of coefficients of all components, including the padding at the edges. Without a DCT, these are samples.
    pub(crate) fn coefficients(&self) -> u64 {
        let (across, down) = self.mcus();
        let units: usize = self
            .components
            .iter()
            .map(|c| c.horizontal * c.vertical)
            .sum();
        across as u64 * down as u64 * (units * self.unit().pow(2)) as u64
    }

    /// The colour profile, assembled from its parts in the order of their numbers (ICC.1:2022, B.4). `None` if the file
    /// has no profile, or a too long one.
    pub(crate) fn icc(&self) -> Option<Vec<u8>> {
        let mut parts: Vec<_> = self.icc.iter().collect();
        parts.sort_by_key(|(number, _)| *number);
        let profile: Vec<u8> = parts
            .into_iter()
            .flat_map(|(_, part)| part.clone())
            .collect();
        (!profile.is_empty()).then_some(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_that_is_too_long_is_dropped_as_a_whole() {
        let profile = |parts: u8| {
            let mut found = Structure::default();
            for number in 1..=parts {
                let part = [ICC, &[number, parts], &[number; 65_000]].concat();
                found.segment(APP2, &part, 0).map_err(drop).unwrap();
            }
            found.icc().map(|profile| profile.len())
        };
        assert_eq!(profile(2), Some(130_000));
        assert_eq!(profile(64), Some(4_160_000));
        assert_eq!(profile(65), None);
        assert_eq!(profile(70), None);
    }
}
