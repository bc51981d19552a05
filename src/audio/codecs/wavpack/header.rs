//! The header of a WavPack block ("WavPack 4 & 5 Binary File / Block Format"): 32 bytes, little-endian, and the parts
//! after it. Decodes no sound.

use crate::sound::{
    channels::Channels,
    pcm::{Depth, Spec},
};

/// Bytes of a header.
pub(crate) const HEADER: usize = 32;
/// First bytes of every header.
pub(crate) const MAGIC: &[u8; 4] = b"wvpk";
/// Limit of a block in bytes. The reference decoder refuses headers of longer blocks.
pub(crate) const MAX_BYTES: u32 = 1 << 20;
/// Limit of a block in sample frames. The reference decoder refuses headers of longer blocks.
pub(crate) const MAX_FRAMES: u32 = 3 << 16;

/// Sample rates in hertz, by index. The last index means that a sub-block states the rate.
const RATES: [u32; 15] = [
    6000, 8000, 9600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000,
    88_200, 96_000, 192_000,
];

/// Flags of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags(u32);

impl Flags {
    const MONO: u32 = 1 << 2;
    /// Lossy: residuals are stored approximately.
    pub(crate) const HYBRID: u32 = 1 << 3;
    pub(super) const JOINT: u32 = 1 << 4;
    pub(super) const FLOAT: u32 = 1 << 7;
    /// Integers have low bits that are stored separately.
    pub(super) const LONG: u32 = 1 << 8;
    /// In a lossy block, the bit rate of each channel follows the loudness.
    pub(super) const RATE: u32 = 1 << 9;
    pub(super) const BALANCE: u32 = 1 << 10;
    /// The first of the blocks that together hold all channels.
    pub(crate) const FIRST: u32 = 1 << 11;
    /// The last of the blocks that together hold all channels.
    pub(crate) const LAST: u32 = 1 << 12;
    /// Both channels are the same, and only one is stored.
    pub(super) const FALSE_STEREO: u32 = 1 << 30;
    /// Direct Stream Digital: single bits at millions per second.
    pub(crate) const DSD: u32 = 1 << 31;

    pub(crate) fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// The number of channels of the block.
    pub(crate) fn channels(self) -> usize {
        if self.has(Self::MONO) { 1 } else { 2 }
    }

    /// The number of channels that are stored: 1 for mono and for two equal channels.
    pub(super) fn coded_channels(self) -> usize {
        match self.has(Self::MONO | Self::FALSE_STEREO) {
            true => 1,
            false => 2,
        }
    }

    /// Bits that a sample takes without compression, a multiple of 8.
    pub(super) fn bits(self) -> u32 {
        8 * (self.0 & 3) + 8
    }

    /// Left shift of the decoded samples, in bits.
    pub(super) fn shift(self) -> u32 {
        self.0 >> 13 & 31
    }

    pub(crate) fn depth(self) -> Depth {
        match self.has(Self::FLOAT) {
            true => Depth::Float,
            false => Depth::Int(self.bits()),
        }
    }
}

/// Header of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// Bytes after the header.
    pub(crate) bytes: u32,
    /// Sample frames of the file, if the encoder knew the number.
    pub(crate) total: Option<u64>,
    /// Index of the block's first sample frame in the file.
    pub(crate) index: u64,
    /// Number of sample frames. A block without sample frames carries only metadata.
    pub(crate) frames: u32,
    pub(crate) flags: Flags,
    pub(super) version: u16,
    pub(super) checksum: u32,
}

impl Header {
    /// Reads a header; `None` if these bytes are not a header.
    pub(crate) fn read(data: &[u8; HEADER]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([data[at], data[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        // The total has 40 bits. Its fifth byte counts in steps of 2³²−1, because the largest number of four bytes
        // means "unknown".
        let high = |at: usize| u64::from(data[at]) * u64::from(u32::MAX);
        let header = Self {
            bytes: long(4).checked_sub(24)?,
            version: short(8),
            total: (long(12) != u32::MAX).then(|| u64::from(long(12)) + high(11)),
            index: u64::from(long(16)) + (u64::from(data[10]) << 32),
            frames: long(20),
            flags: Flags(long(24)),
            checksum: long(28),
        };
        let is_valid = data.starts_with(MAGIC)
            && header.bytes.is_multiple_of(2)
            && header.bytes < MAX_BYTES
            && header.is_possible();
        is_valid.then_some(header)
    }

    /// Header of a block from the fields of a packet in another container; `None` if they contradict one another.
    pub(super) fn of_packet(version: u16, frames: u32, flags: u32, checksum: u32) -> Option<Self> {
        let header = Self {
            bytes: 0,
            total: None,
            index: 0,
            frames,
            flags: Flags(flags),
            version,
            checksum,
        };
        header.is_possible().then_some(header)
    }

    fn is_possible(&self) -> bool {
        (0x402..=0x410).contains(&self.version) && self.frames < MAX_FRAMES
    }
}

/// Iterator over the sub-blocks after a header: the identifier of each, and its data. Ends at a part that is cut short.
pub(super) struct Parts<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Parts<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (&[id, words], mut rest) = self.0.split_first_chunk()?;
        let mut bytes = 2 * usize::from(words);
        if id & 0x80 != 0 {
            let (&[middle, high], after) = rest.split_first_chunk()?;
            bytes += usize::from(middle) << 9 | usize::from(high) << 17;
            rest = after;
        }
        let (data, rest) = rest.split_at_checked(bytes)?;
        self.0 = rest;
        let is_odd = usize::from(id & 0x40 != 0);
        Some((id & 0x3f, &data[..bytes.checked_sub(is_odd)?]))
    }
}

/// The description of a file, from the headers of the blocks with its channels and from the data of the first block.
///
/// Errors: the reason why the header is invalid.
pub(crate) fn spec(flags: Flags, channels: usize, first: &[u8]) -> Result<Spec, String> {
    let (mut count, mut mask) = (channels as u32, 0);
    let mut rate = RATES.get((flags.0 >> 23 & 15) as usize).copied();
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)) as u32
    };
    for part in Parts(first) {
        match part {
            (0x0d, [low, _, high, speakers @ ..]) if matches!(speakers.len(), 3 | 4) => {
                count = u32::from(*low) + (u32::from(high & 15) << 8) + 1;
                mask = number(speakers);
            }
            (0x0d, [all, speakers @ ..]) if speakers.len() < 5 => {
                count = (*all).into();
                mask = number(speakers);
            }
            (0x27, bytes @ ([_, _, _] | [_, _, _, _])) => rate = Some(number(bytes)),
            _ => {}
        }
    }
    if count as usize != channels {
        return Err(format!(
            "its blocks have {channels} channels, and its header says {count}"
        ));
    }
    let rate = rate.ok_or("its sample rate is missing")?;
    let channels = Channels::with_mask(count, mask).map_err(|err| err.to_string())?;
    Spec::new(rate, channels, flags.depth()).map_err(|err| err.to_string())
}
