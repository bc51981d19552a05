//! Decodes FLAC frames (RFC 9639, section 9): the header, the checksums, and the channels from their subframes. Only
//! allocated memory is kept from frame to frame.
//!
//! The encoder may replace one channel of a stereo frame by the difference of the channels (the side), or the two
//! channels by their mean (the mid) and the side. The side needs one bit more than a sample. The side of 32-bit samples
//! has 33 bits, more than an `i32` holds. Only this side is decoded into an `i64`, because that is slower.

use super::{
    bits::{Bits, Fault},
    subframe::{self, MAX_ORDER},
};
use convertd_core::coding::crc::{crc8, crc16};

/// Length of the longest header in bytes (section 9.1): 4 fixed, 7 for the coded number, 2 for the block size, 2 for
/// the sample rate, 1 for the CRC-8.
pub(crate) const MAX_HEADER: usize = 16;

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Whether the stream has a variable block size: then `number` counts samples, and otherwise frames.
    pub(crate) variable: bool,
    /// The coded number (section 9.1.5).
    pub(crate) number: u64,
    /// The block size: samples in each channel.
    pub(crate) length: usize,
    /// The number of channels.
    pub(crate) channels: usize,
    stereo: Stereo,
    /// Bits per sample; `None` if STREAMINFO states them.
    pub(crate) bits: Option<u32>,
    /// Length of the header in bytes.
    size: usize,
}

/// Channel assignment of a frame (RFC 9639, section 9.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stereo {
    /// The channels are independent, in any number.
    No,
    LeftSide,
    SideRight,
    MiddleSide,
}

impl Header {
    /// Reads the header at the beginning of `bytes`.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        const WRONG: Fault = Fault::Wrong("its header has a reserved value or a wrong CRC-8");
        let Some(&[sync, flags, sizes, layout]) = bytes.first_chunk() else {
            return Err(Fault::Short);
        };
        if sync != 0xff || flags & 0xfe != 0xf8 || layout & 1 != 0 || sizes & 0xf == 0xf {
            return Err(WRONG);
        }
        let mut rest = &bytes[4..];
        let number = coded_number(&mut rest)?;
        let length = match sizes >> 4 {
            0 => return Err(WRONG),
            1 => 192,
            code @ 2..=5 => 144 << code,
            6 => big_endian(&mut rest, 1)? + 1,
            7 => big_endian(&mut rest, 2)? + 1,
            code => 1 << code,
        };
        match sizes & 0xf {
            12 => big_endian(&mut rest, 1)?,
            13 | 14 => big_endian(&mut rest, 2)?,
            _ => 0,
        };
        let (channels, stereo) = match layout >> 4 {
            code @ 0..=7 => (usize::from(code) + 1, Stereo::No),
            8 => (2, Stereo::LeftSide),
            9 => (2, Stereo::SideRight),
            10 => (2, Stereo::MiddleSide),
            _ => return Err(WRONG),
        };
        let bits = match layout >> 1 & 7 {
            0 => None,
            1 => Some(8),
            2 => Some(12),
            4 => Some(16),
            5 => Some(20),
            6 => Some(24),
            7 => Some(32),
            _ => return Err(WRONG),
        };
        let size = bytes.len() - rest.len();
        let Some(&checksum) = rest.first() else {
            return Err(Fault::Short);
        };
        if crc8(&bytes[..size]) != checksum || length > 0xffff {
            return Err(WRONG);
        }
        Ok(Self {
            variable: flags & 1 != 0,
            number,
            length,
            channels,
            stereo,
            bits,
            size: size + 1,
        })
    }
}

/// Reads the coded number, which uses the scheme of UTF-8, extended to 36 bits in seven bytes (section 9.1.5).
fn coded_number(bytes: &mut &[u8]) -> Result<u64, Fault> {
    let wrong = Fault::Wrong("its coded number is malformed");
    let (&first, mut rest) = bytes.split_first().ok_or(Fault::Short)?;
    let more = match first.leading_ones() {
        0 => 0,
        ones @ 2..=7 => ones - 1,
        _ => return Err(wrong),
    };
    let mut number = u64::from(first) & (0x7f >> more);
    for _ in 0..more {
        let (&byte, after) = rest.split_first().ok_or(Fault::Short)?;
        if byte >> 6 != 2 {
            return Err(wrong);
        }
        number = number << 6 | u64::from(byte & 0x3f);
        rest = after;
    }
    *bytes = rest;
    Ok(number)
}

/// Reads a number of `count` bytes.
fn big_endian(bytes: &mut &[u8], count: usize) -> Result<usize, Fault> {
    let (number, rest) = bytes.split_at_checked(count).ok_or(Fault::Short)?;
    *bytes = rest;
    Ok(number.iter().fold(0, |n, byte| n << 8 | usize::from(*byte)))
}

/// Decodes frames and reuses memory between them.
#[derive(Default)]
pub(crate) struct Decoder {
    /// The samples of each channel.
    planes: Vec<Vec<i32>>,
    /// The side channel of samples of 32 bits, which needs 33 bits.
    side: Vec<i64>,
}

impl Decoder {
    /// Decodes a frame whose samples have `bits` bits. Appends the samples, interleaved, to `samples`, and returns the
    /// length of the frame in bytes.
    pub(crate) fn decode(
        &mut self,
        header: &Header,
        bits: u32,
        bytes: &[u8],
        samples: &mut Vec<i32>,
    ) -> Result<usize, Fault> {
        let body = bytes.get(header.size..).ok_or(Fault::Short)?;
        let mut reader = Bits::new(body);
        self.planes
            .resize_with(header.channels.max(self.planes.len()), Vec::new);
        for (i, plane) in self.planes.iter_mut().take(header.channels).enumerate() {
            let is_side = match header.stereo {
                Stereo::No => false,
                Stereo::LeftSide | Stereo::MiddleSide => i == 1,
                Stereo::SideRight => i == 0,
            };
            if is_side && bits == 32 {
                subframe::decode(&mut reader, 33, header.length, &mut self.side)?;
            } else {
                let width = bits + u32::from(is_side);
                subframe::decode(&mut reader, width, header.length, plane)?;
            }
        }
        let end = header.size + reader.align();
        let checksum = bytes.get(end..).and_then(<[u8]>::first_chunk);
        let checksum = u16::from_be_bytes(*checksum.ok_or(Fault::Short)?);
        if crc16(&bytes[..end]) != checksum {
            return Err(Fault::Wrong("its CRC-16 is wrong"));
        }
        self.interleave(header, bits == 32, samples);
        Ok(end + 2)
    }

    /// Interleaves the channels, and restores left and right if the frame stores the side (RFC 9639, section 4.2).
    fn interleave(&self, header: &Header, long_side: bool, samples: &mut Vec<i32>) {
        let start = samples.len();
        samples.resize(start + header.length * header.channels, 0);
        let samples = &mut samples[start..];
        let plane = |i: usize| &self.planes[i][MAX_ORDER..];
        let mut planes = self.planes.iter().take(header.channels);
        match (planes.next(), planes.next()) {
            (Some(_), None) => samples.copy_from_slice(plane(0)),
            (Some(_), Some(_)) if header.channels == 2 => {
                let frames = samples.as_chunks_mut().0;
                if long_side && header.stereo != Stereo::No {
                    return self.interleave_long(header.stereo, frames);
                }
                let (first, second) = (plane(0), plane(1));
                match header.stereo {
                    Stereo::No => pair(frames, first, second, |a, b| [a, b]),
                    Stereo::LeftSide => pair(frames, first, second, |left, side| {
                        [left, left.wrapping_sub(side)]
                    }),
                    Stereo::SideRight => pair(frames, first, second, |side, right| {
                        [side.wrapping_add(right), right]
                    }),
                    Stereo::MiddleSide => pair(frames, first, second, |middle, side| {
                        // The mean was rounded down. The bit lost by rounding equals the lowest bit of the difference
                        // (section 4.2).
                        let sum = middle << 1 | side & 1;
                        [sum.wrapping_add(side) >> 1, sum.wrapping_sub(side) >> 1]
                    }),
                }
            }
            _ => {
                for i in 0..header.channels {
                    let samples_of_channel = samples.iter_mut().skip(i).step_by(header.channels);
                    samples_of_channel
                        .zip(plane(i))
                        .for_each(|(to, sample)| *to = *sample);
                }
            }
        }
    }

    /// Interleaves stereo samples of 32 bits, whose side channel has 33.
    fn interleave_long(&self, stereo: Stereo, frames: &mut [[i32; 2]]) {
        let side = &self.side[MAX_ORDER..];
        let other = &self.planes[usize::from(stereo == Stereo::SideRight)][MAX_ORDER..];
        for ((frame, side), other) in frames.iter_mut().zip(side).zip(other) {
            let (side, other) = (*side, i64::from(*other));
            let [left, right] = match stereo {
                Stereo::No | Stereo::LeftSide => [other, other.wrapping_sub(side)],
                Stereo::SideRight => [side.wrapping_add(other), other],
                Stereo::MiddleSide => {
                    let sum = other << 1 | side & 1;
                    [sum.wrapping_add(side) >> 1, sum.wrapping_sub(side) >> 1]
                }
            };
            *frame = [left as i32, right as i32];
        }
    }
}

/// Fills each frame with the result of `form` for its samples of the two stored channels.
fn pair(
    frames: &mut [[i32; 2]],
    first: &[i32],
    second: &[i32],
    form: impl Fn(i32, i32) -> [i32; 2],
) {
    for ((frame, first), second) in frames.iter_mut().zip(first).zip(second) {
        *frame = form(*first, *second);
    }
}
