//! The chunk `CHAN`, which states the speakers of an AIFF file: an `AudioChannelLayout` (Apple, "Core Audio Data
//! Types"). Lists of single speakers are not supported.
//!
//! A layout is either a number for a well-known order of speakers, or a bitmap of speakers. The bits are those of
//! [`Channels::mask`].

use crate::sound::channels::{Channels, QUAD};

/// `kAudioChannelLayoutTag_UseChannelBitmap`.
const BITMAP: u32 = 1 << 16;

/// The well-known layouts whose channels are in the order of the mask's bits: the number of each, and its mask. The
/// lower half of a number counts the channels.
const KNOWN: [(u32, u32); 10] = [
    // Quadraphonic, and ITU_2_2.
    (108 << 16 | 4, QUAD),
    (132 << 16 | 4, QUAD),
    // MPEG_3_0_A, MPEG_4_0_A, MPEG_5_0_A, MPEG_5_1_A, MPEG_6_1_A and MPEG_7_1_A.
    (113 << 16 | 3, 0x7),
    (115 << 16 | 4, 0x107),
    (117 << 16 | 5, 0x37),
    (121 << 16 | 6, 0x3f),
    (125 << 16 | 7, 0x13f),
    (126 << 16 | 8, 0xff),
    // DVD_4 and DVD_10.
    (133 << 16 | 3, 0xb),
    (136 << 16 | 4, 0xf),
];

/// The speaker mask that a chunk states; 0 if the layout is unknown.
pub(crate) fn mask(chunk: &[u8]) -> u32 {
    let word = |at: usize| {
        let bytes = chunk.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes))
    };
    match word(0) {
        BITMAP => word(4),
        tag => (KNOWN.iter().find(|(known, _)| *known == tag)).map_or(0, |(_, mask)| *mask),
    }
}

/// The chunk for a layout: a bitmap, and no list of speakers.
pub(crate) fn chunk(channels: Channels) -> Vec<u8> {
    [BITMAP, channels.mask(), 0].map(u32::to_be_bytes).concat()
}
