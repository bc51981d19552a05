//! The header of an AC-3 frame (A/52, 5.3.1 and 5.3.2), and the checksum, which Enhanced AC-3 shares. Decodes no sound.

use convertd_core::coding::{bits::MsbReader, crc::crc16};

/// Samples of each channel in a frame: six blocks of 256.
pub(crate) const FRAME_SAMPLES: u64 = 1536;
/// Number of blocks in a frame.
pub(super) const BLOCKS: usize = 6;
/// Number of bytes that [`Header::read`] needs.
const HEADER_BYTES: usize = 7;

/// Nominal bit rates in kbit/s (table 5.18).
const BIT_RATES: [usize; 19] = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
];

/// Header of a frame (syncinfo and bsi).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Samples per second.
    pub(crate) rate: u32,
    /// Length of the frame in bytes.
    pub(crate) bytes: usize,
    /// Index of the sample rate, before [`halvings`](Self::halvings): 48, 44.1 or 32 kHz.
    pub(crate) rate_code: usize,
    /// Number of times that the rate is halved: in AC-3 of version 9 and 10, which are not in the standard, and in
    /// Enhanced AC-3 at 24, 22.05 and 16 kHz.
    pub(super) halvings: u32,
    /// The audio coding mode (table 5.8), which defines the channels.
    pub(crate) mode: u8,
    /// Whether there is a channel for low frequencies.
    pub(crate) has_low: bool,
}

impl Header {
    /// Reads the beginning of a frame. `None` if the bytes are not the beginning of a frame of AC-3.
    pub(crate) fn read(frame: &[u8]) -> Option<Self> {
        let mut bits = MsbReader::new(frame);
        if frame.len() < HEADER_BYTES || bits.take(16) != 0x0b77 {
            return None;
        }
        // Skips crc1, which covers only the first 5/8 of the frame. [`is_intact`] checks the whole frame instead.
        bits.skip(16);
        let rate_code = bits.take(2) as usize;
        let size_code = bits.take(6) as usize;
        let version = bits.take(5);
        if version > 10 {
            return None;
        }
        bits.skip(3);
        let mode = bits.take(3) as u8;
        let halvings = version.saturating_sub(8);
        let bit_rate = *BIT_RATES.get(size_code / 2)?;
        // A frame holds 1536 samples (table 5.18).
        let (rate, words) = match rate_code {
            0 => (48_000, bit_rate * 2),
            1 => (44_100, bit_rate * 320 / 147 + size_code % 2),
            2 => (32_000, bit_rate * 3),
            _ => return None,
        };
        skip_levels(&mut bits, mode);
        Some(Self {
            rate: rate >> halvings,
            bytes: words * 2,
            rate_code,
            halvings,
            mode,
            has_low: bits.flag(),
        })
    }

    /// Number of full-bandwidth channels.
    pub(super) fn full_channels(self) -> usize {
        full_channels(self.mode)
    }

    /// Skips the header (A/52, 5.3.2) up to the first block.
    pub(super) fn pass(self, bits: &mut MsbReader<'_>) {
        bits.skip(16 + 16 + 8 + 8 + 3);
        skip_levels(bits, self.mode);
        bits.skip(1);
        // With two programs (mode 0), this part occurs twice.
        for _ in 0..if self.mode == 0 { 2 } else { 1 } {
            bits.skip(5);
            for length in [8, 8, 7] {
                if bits.flag() {
                    bits.skip(length);
                }
            }
        }
        bits.skip(2);
        for _ in 0..2 {
            if bits.flag() {
                bits.skip(14);
            }
        }
        if bits.flag() {
            let more = bits.take(6) as usize + 1;
            bits.skip(more * 8);
        }
    }
}

/// Number of full-bandwidth channels in an audio coding mode.
pub(super) fn full_channels(mode: u8) -> usize {
    [2, 1, 2, 3, 3, 4, 4, 5][usize::from(mode & 7)]
}

/// Skips the downmix levels.
fn skip_levels(bits: &mut MsbReader<'_>, mode: u8) {
    if mode & 1 != 0 && mode != 1 {
        bits.skip(2);
    }
    if mode & 4 != 0 {
        bits.skip(2);
    }
    if mode == 2 {
        bits.skip(2);
    }
}

/// Returns whether the checksum of a whole frame is right: the CRC over all bytes but the first two must be 0 (A/52,
/// 7.10.1).
pub(crate) fn is_intact(frame: &[u8]) -> bool {
    crc16(frame.get(2..).unwrap_or_default()) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_headers_are_read_and_others_are_refused() {
        // 192 kbit/s at 48 kHz, left and right.
        let stereo = [0x0b, 0x77, 0xaa, 0x05, 0x14, 0x40, 0x40];
        let header = Header::read(&stereo).unwrap();
        assert_eq!((header.rate, header.bytes), (48_000, 768));
        assert_eq!((header.mode, header.has_low), (2, false));
        // At 44.1 kHz the length is rounded down, or up by one word.
        let at = |code: u8| Header::read(&[0x0b, 0x77, 0, 0, 0x40 | code, 0x40, 0x40]).unwrap();
        assert_eq!((at(20).bytes, at(21).bytes), (834, 836));
        for bytes in [
            &b"\x0b\x77\xaa\x05\x14\x40"[..],
            // A reserved sample rate, a reserved size, and an unknown version.
            b"\x0b\x77\xaa\x05\xd4\x40\x40",
            b"\x0b\x77\xaa\x05\x26\x40\x40",
            b"\x0b\x77\xaa\x05\x14\x80\x40",
        ] {
            assert_eq!(Header::read(bytes), None);
        }
    }
}
