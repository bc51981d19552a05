//! The header of Monkey's Audio, in both of its forms (the SDK's `APEHeader.cpp`): until version 3.97 a single header;
//! from 3.98 on a descriptor with the lengths of all parts, and a header. All numbers are little-endian. Reads no
//! sound.

use crate::{
    damage::{bad, header_error},
    sound::{
        channels::Channels,
        pcm::{Depth, Spec},
    },
    stream::Stream,
};
use convertd_core::error::Result;

/// Header of a file: its sampling, and the positions of its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// Version times 1000: 3990 is 3.99.
    pub(crate) version: u16,
    /// Compression level, in steps of 1000 up to 5000.
    pub(crate) level: u16,
    pub(crate) spec: Spec,
    pub(crate) bits: u16,
    /// Number of frames.
    pub(crate) frames: u32,
    /// Number of sample frames in each frame but the last one.
    pub(crate) length: u32,
    /// Number of sample frames in the last frame.
    pub(crate) last_length: u32,
    /// Position of the seek table, which has a number of four bytes for each frame.
    pub(crate) table: u64,
    /// Bytes after the last frame that belong to the original file, such as chunks of a WAV file.
    pub(crate) trailing_bytes: u64,
}

/// The oldest version that is read.
const OLDEST: u16 = 3950;
/// The first version with a descriptor.
const DESCRIPTOR: u16 = 3980;
/// Sample frames in a frame of versions before 3.98, whose headers do not state the number.
const LENGTH: u32 = 73_728 * 4;
/// Limit on the samples of a frame in bytes, several times the size that the encoder chooses for 16-bit stereo.
const MAX_FRAME: u64 = 32 << 20;

/// Flag of an old header: samples have 8 bits.
const EIGHT_BITS: u16 = 1;
/// Flag of an old header: it states the peak level.
const HAS_PEAK: u16 = 4;
/// Flag of an old header: samples have 24 bits.
const TWENTY_FOUR_BITS: u16 = 8;
/// Flag of an old header: it states the length of the seek table.
const HAS_TABLE_LENGTH: u16 = 16;
/// Flag of an old header: the header of the original WAV file does not follow.
const NO_WAV_HEADER: u16 = 32;
/// Flag of a new header: samples are floating-point numbers.
const FLOAT: u16 = 4096;

/// Bytes of a header, read as numbers by their positions.
struct Words<const N: usize>([u8; N]);

impl<const N: usize> Words<N> {
    fn short(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    fn long(&self, at: usize) -> u32 {
        u32::from(self.short(at)) | u32::from(self.short(at + 2)) << 16
    }
}

impl Header {
    /// Reads the header at the beginning of a stream. Refuses versions and values that are not supported.
    pub(crate) fn read(stream: &mut Stream<'_>) -> Result<Self> {
        let head = Words(stream.array::<32>().map_err(header_error)?);
        if !head.0.starts_with(b"MAC ") {
            return Err(bad(
                "the file is not Monkey's Audio: it does not begin with the signature MAC",
            ));
        }
        let version = head.short(4);
        if version < OLDEST {
            return Err(bad(format!(
                "the file was made by version {}.{:02} of Monkey's Audio; versions from 3.95 on are supported",
                version / 1000,
                version % 1000 / 10
            )));
        }
        let header = match version < DESCRIPTOR {
            true => Self::read_old(version, &head)?,
            false => Self::read_new(version, &head, stream)?,
        };
        header.check()?;
        Ok(header)
    }

    /// Reads a header older than version 3.98, whose flags announce optional fields.
    fn read_old(version: u16, head: &Words<32>) -> Result<Self> {
        let flags = head.short(8);
        let mut table = 32;
        if flags & HAS_PEAK != 0 {
            table += 4;
        }
        if flags & HAS_TABLE_LENGTH != 0 {
            table += 4;
        }
        if flags & NO_WAV_HEADER == 0 {
            table += u64::from(head.long(16));
        }
        let bits = match flags {
            flags if flags & EIGHT_BITS != 0 => 8,
            flags if flags & TWENTY_FOUR_BITS != 0 => 24,
            _ => 16,
        };
        Ok(Self {
            version,
            level: head.short(6),
            spec: spec(head.long(12), head.short(10), bits)?,
            bits,
            frames: head.long(24),
            length: LENGTH,
            last_length: head.long(28),
            table,
            trailing_bytes: head.long(20).into(),
        })
    }

    /// Reads the descriptor and the header of version 3.98 and later.
    fn read_new(version: u16, head: &Words<32>, stream: &mut Stream<'_>) -> Result<Self> {
        let (descriptor, header) = (u64::from(head.long(8)), u64::from(head.long(12)));
        let trailing_bytes = {
            // The descriptor's other fields follow: the number of bytes after the last frame, and a checksum.
            let rest = Words(stream.array::<20>().map_err(header_error)?);
            rest.long(0)
        };
        stream
            .skip(descriptor.saturating_sub(52))
            .map_err(header_error)?;
        let own = Words(stream.array::<24>().map_err(header_error)?);
        if own.short(2) & FLOAT != 0 {
            return Err(bad(
                "the file holds floating-point samples, which are not supported in Monkey's Audio",
            ));
        }
        let bits = own.short(16);
        Ok(Self {
            version,
            level: own.short(0),
            spec: spec(own.long(20), own.short(18), bits)?,
            bits,
            frames: own.long(12),
            length: own.long(4),
            last_length: own.long(8),
            table: descriptor.max(52) + header.max(24),
            trailing_bytes: trailing_bytes.into(),
        })
    }

    /// Checks the values before memory is allocated by them.
    fn check(&self) -> Result<()> {
        if !(1000..=5000).contains(&self.level) || !self.level.is_multiple_of(1000) {
            return Err(bad(format!(
                "the file's compression level is {}; 1000 to 5000 are supported",
                self.level
            )));
        }
        if self.frames == 0 {
            return Err(bad(
                "the file contains no sound, or its encoder did not finish it",
            ));
        }
        if self.last_length > self.length || self.frame_bytes() > MAX_FRAME {
            return Err(bad(format!(
                "the file's header is invalid: it states frames of {} samples, and a last one of {}",
                self.length, self.last_length
            )));
        }
        if self.bits == 32 && self.spec.channels.count() > 2 {
            return Err(bad(
                "the file has more than two channels of 32 bits, which is not supported",
            ));
        }
        Ok(())
    }

    /// The size of a frame's samples in bytes.
    pub(crate) fn frame_bytes(&self) -> u64 {
        let samples = u64::from(self.length) * self.spec.channels.count() as u64;
        samples * u64::from(self.bits / 8)
    }

    /// The number of sample frames.
    pub(crate) fn total(&self) -> u64 {
        u64::from(self.frames - 1) * u64::from(self.length) + u64::from(self.last_length)
    }
}

fn spec(rate: u32, channels: u16, bits: u16) -> Result<Spec> {
    if ![8, 16, 24, 32].contains(&bits) {
        return Err(bad(format!(
            "the file's samples have {bits} bits; 8, 16, 24 and 32 are supported"
        )));
    }
    Spec::new(
        rate,
        Channels::of(channels.into())?,
        Depth::Int(bits.into()),
    )
}
