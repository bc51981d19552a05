//! The operating point of a layered picture (AVIF 1.1, `a1op`), which selects the layers to decode. Decodes no layer.
//!
//! The sequence header of an AV1 stream describes its operating points (AV1 specification, 5.5.1), each by a mask of
//! layers. The decoder always takes the first operating point, so this module overwrites its mask with the mask of the
//! requested point.

use convertd_core::coding::bits::MsbReader;

/// The type of an OBU with a sequence header.
const SEQUENCE_HEADER: u8 = 1;

/// Length of the mask (`operating_point_idc`) in bits.
const MASK: u32 = 12;

/// Copies the mask of operating point `point` to the first one. `None` if the headers are invalid, or have no such
/// point.
pub(super) fn choose(data: &mut [u8], point: u8) -> Option<()> {
    let mut rest = data;
    while let Some(&head) = rest.first() {
        let extended = usize::from(head >> 2 & 1);
        // An OBU without a size extends to the end of the data.
        let (start, len) = if head & 2 == 0 {
            (1 + extended, rest.len().checked_sub(1 + extended)?)
        } else {
            let (len, bytes) = leb128(rest.get(1 + extended..)?)?;
            (1 + extended + bytes, len)
        };
        let end = start.checked_add(len).filter(|end| *end <= rest.len())?;
        let (unit, next) = rest.split_at_mut(end);
        if head >> 3 & 15 == SEQUENCE_HEADER {
            let header = &mut unit[start..];
            let (first, own) = masks(header, point)?;
            let mask = mask(header, own)?;
            put(header, first, mask);
        }
        rest = next;
    }
    Some(())
}

/// Reads a number of at most eight bytes with seven bits each, lowest first. Also returns its length in bytes (4.10.5).
fn leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut number = 0u64;
    for (at, byte) in bytes.iter().take(8).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((usize::try_from(number).ok()?, at + 1));
        }
    }
    None
}

/// The mask at a bit position. `None` beyond the end.
fn mask(header: &[u8], start: usize) -> Option<u32> {
    let mut bits = MsbReader::new(header);
    bits.skip(start);
    let mask = bits.take(MASK);
    (!bits.overran()).then_some(mask)
}

/// Returns the bit positions of the masks of the first operating point and of `point`. They may be beyond the end of a
/// header that is cut short. `None` if the header has no masks, or no such point.
fn masks(header: &[u8], point: u8) -> Option<(usize, usize)> {
    let mut bits = MsbReader::new(header);
    // seq_profile and still_picture.
    bits.skip(4);
    if bits.flag() {
        // A reduced header has a single point without a mask.
        return None;
    }
    let mut delay_bits = None;
    if bits.flag() {
        // Two fields of timing_info(): num_units_in_display_tick and time_scale.
        bits.skip(64);
        if bits.flag() {
            // A number (uvlc, 4.10.3): zeros, a one, and as many further bits as there were zeros. After 32 zeros or
            // more, no further bits follow.
            let mut zeros = 0;
            while !bits.flag() {
                if bits.overran() {
                    return None;
                }
                zeros += 1;
            }
            bits.skip(if zeros < 32 { zeros } else { 0 });
        }
        // decoder_model_info(): the length of delays, and 42 bits of other fields.
        if bits.flag() {
            delay_bits = Some(bits.take(5) as usize + 1);
            bits.skip(42);
        }
    }
    let has_delays = bits.flag();
    let last = bits.take(5);
    let first = bits.position();
    for this in 0..=last {
        if this == u32::from(point) {
            return Some((first, bits.position()));
        }
        bits.skip(MASK as usize);
        // Levels above 7 are followed by a tier.
        if bits.take(5) > 7 {
            bits.skip(1);
        }
        if let Some(count) = delay_bits
            && bits.flag()
        {
            bits.skip(2 * count + 1);
        }
        if has_delays && bits.flag() {
            bits.skip(4);
        }
    }
    None
}

/// Overwrites the mask at a bit position.
fn put(header: &mut [u8], start: usize, mask: u32) {
    for bit in 0..MASK as usize {
        let at = start + bit;
        let value = (mask >> (MASK as usize - 1 - bit) & 1) as u8;
        let shift = 7 - at % 8;
        header[at / 8] = header[at / 8] & !(1 << shift) | value << shift;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporal delimiter, a sequence header with three operating points, whose masks are 0x701, 0x301 and 0x101, and
    /// a frame of one byte.
    const THREE: [u8; 22] = [
        0x12, 0, 0x0a, 15, 0x00, 0x27, 0x01, 0x29, 0x80, 0x94, 0x40, 0x4b, 0x53, 0x66, 0xed, 0x97,
        0xe0, 0x80, 0x20, 0x32, 1, 0x99,
    ];

    #[test]
    fn the_requested_mask_replaces_the_first_one() {
        #[track_caller]
        fn check(point: u8, mask: Option<u32>) {
            let mut data = THREE;
            let chosen = choose(&mut data, point);
            assert_eq!(chosen.is_some(), mask.is_some());
            let start = masks(&data[4..19], 0).unwrap().0;
            let first = super::mask(&data[4..19], start);
            assert_eq!(first, Some(mask.unwrap_or(0x701)));
            put(&mut data[4..19], start, 0x701);
            assert_eq!(data, THREE, "nothing else changes");
        }
        check(0, Some(0x701));
        check(1, Some(0x301));
        check(2, Some(0x101));
        check(3, None);
    }

    #[test]
    fn truncated_and_reduced_headers_have_no_points() {
        for len in 3..18 {
            assert_eq!(choose(&mut THREE.to_vec()[..len], 1), None, "{len}");
        }
        let mut reduced = THREE;
        reduced[4] |= 0x08;
        assert_eq!(choose(&mut reduced, 1), None);
        // An OBU without a size field, and one whose size is too large.
        let mut whole = [&[0x08][..], &THREE[4..19]].concat();
        assert_eq!(choose(&mut whole, 1), Some(()));
        let mut long = THREE;
        long[20] = 2;
        assert_eq!(choose(&mut long, 1), None);
    }
}
