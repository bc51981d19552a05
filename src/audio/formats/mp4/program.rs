//! Writes the `AudioSpecificConfig` of four speakers in a square (ISO 14496-3, sections 1.6.2.1 and 4.4.1.1). AAC has
//! no channel configuration for them, so a `program_config_element` states the speaker position of each element.
//! Encodes no sound.
//!
//! The encoder supports four channels only as configuration 4: a single channel element, a pair, and another single
//! one. The program declares the pair to be in front, and the two single channels to be the left and the right one at
//! the back.

/// Builds the `AudioSpecificConfig` for quad. The sample rate is taken from `four`, the `AudioSpecificConfig` for
/// channel configuration 4.
pub(crate) fn quad(four: &[u8]) -> Vec<u8> {
    const LOW_COMPLEXITY: u32 = 2;
    let rate = four
        .first_chunk()
        .map_or(0, |start| u32::from(u16::from_be_bytes(*start)) >> 7 & 15);
    // Values, each with its width in bits.
    let fields = [
        // The object type, the index of the sample rate, channel configuration 0, and three flags of GASpecificConfig.
        (LOW_COMPLEXITY, 5),
        (rate, 4),
        (0, 4),
        (0, 3),
        // The program: its tag, its profile (the object type less 1), and the sample rate again.
        (0, 4),
        (LOW_COMPLEXITY - 1, 2),
        (rate, 4),
        // Numbers of elements: in front, at the sides, at the back; then zeros for low-frequency channels, data,
        // coupling channels, and three kinds of mixdown.
        (1, 4),
        (0, 4),
        (2, 4),
        (0, 2),
        (0, 3),
        (0, 4),
        (0, 3),
        // The elements, as a flag for a pair and a tag.
        (0b1_0000, 5),
        (0b0_0000, 5),
        (0b0_0001, 5),
        // Padding to the next byte, and the length of a comment.
        (0, 7),
        (0, 8),
    ];
    let (mut bits, mut length) = (0u128, 0);
    for (value, width) in fields {
        bits = bits << width | u128::from(value);
        length += width;
    }
    (bits << (128 - length)).to_be_bytes()[..length as usize / 8].to_vec()
}
