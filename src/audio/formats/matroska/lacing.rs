//! Splits a Matroska block into its packets (lacing; RFC 9559, section 10.3). Does not read the content of the packets.
//!
//! A block may hold up to 256 packets. Their sizes come before the first packet, except the size of the last packet,
//! which takes the rest of the block. The flags of the block name the code of the sizes: Xiph's or EBML's. They may
//! also say that all packets have the same size; then no sizes are stored.

use convertd_core::containers::ebml::Number;

/// The packets of a block. `block` begins with the block's flags: the track number and the timestamp before them have
/// been removed. `None` if the packets do not fit.
pub(crate) fn packets(block: &[u8]) -> Option<Vec<&[u8]>> {
    let (flags, rest) = block.split_first()?;
    let lacing = flags >> 1 & 3;
    if lacing == 0 {
        return Some(vec![rest]);
    }
    let (&before_last, mut rest) = rest.split_first()?;
    let before_last = usize::from(before_last);
    let sizes: Vec<usize> = match lacing {
        1 => (0..before_last)
            .map(|_| xiph(&mut rest))
            .collect::<Option<_>>()?,
        2 if rest.len().is_multiple_of(before_last + 1) => {
            vec![rest.len() / (before_last + 1); before_last]
        }
        2 => return None,
        _ => differences(&mut rest, before_last)?,
    };
    let mut packets = Vec::with_capacity(before_last + 1);
    for size in sizes {
        let (packet, later) = rest.split_at_checked(size)?;
        packets.push(packet);
        rest = later;
    }
    packets.push(rest);
    Some(packets)
}

/// Takes a size in Xiph's code: the sum of bytes up to and including the first that is not 255.
fn xiph(bytes: &mut &[u8]) -> Option<usize> {
    let mut size = 0;
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        size += usize::from(byte);
        if byte < 255 {
            return Some(size);
        }
    }
}

/// Takes sizes in EBML's code: the first is a number, each other the difference from the size before it.
fn differences(bytes: &mut &[u8], count: usize) -> Option<Vec<usize>> {
    let mut sizes: Vec<usize> = Vec::with_capacity(count);
    for _ in 0..count {
        let number = Number::read(bytes)?;
        let size = match sizes.last() {
            None => usize::try_from(number.value()).ok()?,
            Some(before) => before.checked_add_signed(isize::try_from(number.signed()).ok()?)?,
        };
        sizes.push(size);
    }
    Some(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_lacing() {
        #[track_caller]
        fn check(block: &[u8], expected: Option<&[&[u8]]>) {
            assert_eq!(packets(block).as_deref(), expected);
        }
        check(b"\x80abc", Some(&[b"abc"]));
        check(b"\x02\x02\x01\x00abc", Some(&[b"a", b"", b"bc"]));
        check(b"\x04\x02abcdef", Some(&[b"ab", b"cd", b"ef"]));
        check(b"\x06\x02\x82\xbeabcd", Some(&[b"ab", b"c", b"d"]));
        check(b"\x06\x02\x82\x5f\xffabcd", Some(&[b"ab", b"cd", b""]));
        check(b"\x04\x01abc", None);
        check(b"\x02\x01\x05abc", None);
        check(b"\x06\x02\x81\x80abc", None);
        check(b"\x02\x01\xff", None);
        check(b"\x06\x01\x00", None);
        check(b"", None);
    }

    #[test]
    fn long_sizes_take_several_bytes() {
        let mut block = b"\x02\x01\xff\x2d".to_vec();
        block.resize(4 + 310, 7);
        let lengths: Vec<usize> = packets(&block).unwrap().iter().map(|p| p.len()).collect();
        assert_eq!(lengths, [300, 10]);
    }
}
