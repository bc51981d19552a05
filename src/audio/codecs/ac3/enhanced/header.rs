//! The header of a frame of Enhanced AC-3 (A/52, E.1.2.1 and E.1.2.2). Decodes no sound.

use super::super::header::{Header, full_channels};
use convertd_core::coding::bits::MsbReader;

/// Number of bytes that [`Enhanced::read`] needs.
const HEADER_BYTES: usize = 6;

/// Stream type of a frame (table E1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamType {
    /// The frame is a program by itself, with this number.
    Independent(u8),
    /// The frame adds channels to the preceding independent frame.
    Dependent,
}

/// Header of a frame (E.1.2.1 and E.1.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Enhanced {
    pub(crate) kind: StreamType,
    /// Whether the frame was converted from AC-3, which changes its fields.
    is_converted: bool,
    /// The number of blocks of 256 samples.
    pub(crate) blocks: usize,
    /// Fields that AC-3 has, too.
    pub(crate) common: Header,
}

/// Fields in the rest of a header.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rest {
    /// Speaker locations of the channels, as bits from the highest (table E2.5). Only dependent frames state them.
    pub(crate) locations: Option<u16>,
    /// Whether the frame also contains objects (ETSI TS 103 420), known as Dolby Atmos.
    pub(crate) has_objects: bool,
}

impl Enhanced {
    /// Reads the beginning of a frame. `None` if the bytes are not the beginning of a frame of Enhanced AC-3.
    pub(crate) fn read(frame: &[u8]) -> Option<Self> {
        let mut bits = MsbReader::new(frame);
        if frame.len() < HEADER_BYTES || bits.take(16) != 0x0b77 {
            return None;
        }
        let (stream, number) = (bits.take(2), bits.take(3) as u8);
        let bytes = (bits.take(11) as usize + 1) * 2;
        let (mut rate_code, code) = (bits.take(2) as usize, bits.take(2) as usize);
        let halvings = u32::from(rate_code == 3);
        let mut blocks = [1, 2, 3, 6][code];
        if rate_code == 3 {
            (rate_code, blocks) = (code, 6);
        }
        let rate = *[48_000, 44_100, 32_000].get(rate_code)?;
        let mode = bits.take(3) as u8;
        let has_low = bits.flag();
        let kind = match stream {
            0 | 2 => StreamType::Independent(number),
            1 => StreamType::Dependent,
            _ => return None,
        };
        let is_known = (11..=16).contains(&bits.take(5));
        is_known.then_some(Self {
            kind,
            is_converted: stream == 2,
            blocks,
            common: Header {
                rate: rate >> halvings,
                bytes,
                rate_code,
                halvings,
                mode,
                has_low,
            },
        })
    }

    /// Returns whether the frame contains the fields for a converter to AC-3.
    pub(super) fn has_conversion(self) -> bool {
        self.kind != StreamType::Dependent && !self.is_converted
    }

    /// Skips the header, up to the beginning of the audio frame information.
    pub(crate) fn pass(self, bits: &mut MsbReader<'_>) -> Rest {
        let mode = self.common.mode;
        let mut rest = Rest::default();
        bits.skip(16 + 16 + 2 + 2 + 3 + 1 + 5);
        // Mode 0 has two programs, each with its own fields.
        for _ in 0..if mode == 0 { 2 } else { 1 } {
            bits.skip(5);
            skip_if(bits, 8);
        }
        if self.kind == StreamType::Dependent && bits.flag() {
            rest.locations = Some(bits.take(16) as u16);
        }
        if bits.flag() {
            self.pass_mixing(bits);
        }
        if bits.flag() {
            self.pass_information(bits);
        }
        if self.has_conversion() && self.blocks != 6 {
            bits.skip(1);
        }
        if self.is_converted && (self.blocks == 6 || bits.flag()) {
            bits.skip(6);
        }
        if bits.flag() {
            let more = bits.take(6) as usize + 1;
            // The first byte ends with a flag for objects (ETSI TS 103 420, C.3).
            rest.has_objects = bits.take(8) & 1 == 1 && more == 2;
            bits.skip((more - 1) * 8);
        }
        rest
    }

    /// Skips the mixing metadata (E.1.2.2, mixmdate).
    fn pass_mixing(self, bits: &mut MsbReader<'_>) {
        let mode = self.common.mode;
        if mode > 2 {
            bits.skip(2);
            if mode & 1 != 0 {
                bits.skip(6);
            }
        }
        if mode & 4 != 0 {
            bits.skip(6);
        }
        if self.common.has_low {
            skip_if(bits, 5);
        }
        if !self.has_conversion() {
            return;
        }
        for _ in 0..if mode == 0 { 3 } else { 2 } {
            skip_if(bits, 6);
        }
        match bits.take(2) {
            1 => bits.skip(5),
            2 => bits.skip(12),
            3 => {
                let more = bits.take(5) as usize + 2;
                bits.skip(more * 8);
            }
            _ => {}
        }
        if mode < 2 {
            for _ in 0..if mode == 0 { 2 } else { 1 } {
                skip_if(bits, 14);
            }
        }
        if bits.flag() {
            for _ in 0..self.blocks {
                if self.blocks == 1 {
                    bits.skip(5);
                } else {
                    skip_if(bits, 5);
                }
            }
        }
    }

    /// Skips the informational metadata (E.1.2.2, infomdate).
    fn pass_information(self, bits: &mut MsbReader<'_>) {
        let mode = self.common.mode;
        bits.skip(5);
        if mode == 2 {
            bits.skip(4);
        }
        if mode >= 6 {
            bits.skip(2);
        }
        for _ in 0..if mode == 0 { 2 } else { 1 } {
            skip_if(bits, 8);
        }
        if self.common.halvings == 0 {
            bits.skip(1);
        }
    }

    /// The number of channels with the full range of frequencies.
    pub(super) fn full_channels(self) -> usize {
        full_channels(self.common.mode)
    }
}

/// Skips a field of `count` bits if the flag before it is set.
fn skip_if(bits: &mut MsbReader<'_>, count: usize) {
    if bits.flag() {
        bits.skip(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_headers_are_read_and_others_are_refused() {
        // A frame of 1024 bytes with six blocks of left and right at 48 kHz.
        let stereo = [0x0b, 0x77, 0x01, 0xff, 0x34, 0x80];
        let found = Enhanced::read(&stereo).unwrap();
        assert_eq!((found.kind, found.blocks), (StreamType::Independent(0), 6));
        assert_eq!((found.common.rate, found.common.bytes), (48_000, 1024));
        assert_eq!((found.common.mode, found.common.has_low), (2, false));
        // The headers of a dependent frame with three blocks, of a frame at half the sample rate, of AC-3, of a
        // reserved stream type, and of a reserved sample rate.
        let of = |third: u8, fifth: u8, sixth: u8| {
            Enhanced::read(&[0x0b, 0x77, third, 0xff, fifth, sixth])
        };
        let dependent = of(0x41, 0x24, 0x80).unwrap();
        assert_eq!(
            (dependent.kind, dependent.blocks),
            (StreamType::Dependent, 3)
        );
        assert_eq!(of(0x01, 0xd4, 0x80).unwrap().common.rate, 22_050);
        assert_eq!(of(0x01, 0x34, 0x40), None);
        assert_eq!(of(0xc1, 0x34, 0x80), None);
        assert_eq!(of(0x01, 0xf4, 0x80), None);
    }
}
