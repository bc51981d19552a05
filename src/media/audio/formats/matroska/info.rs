//! The element of a Matroska file with general information (RFC 9559, 5.1.2), for Symphonia's demultiplexer, which refuses files that do not name the programs
//! that made them. Others read them, the specification notwithstanding.

use crate::containers::ebml::Number;

const TIMESTAMP_SCALE: u64 = 0x002a_d7b1;
/// The programs: the library that multiplexes, and the one that writes.
const MUXING_APP: u64 = 0x4d80;
const WRITING_APP: u64 = 0x5741;
/// The shortest element with a name: two bytes of identifier, one of length, and a blank.
const NAME: usize = 4;
/// The longest content whose length takes one byte.
const SHORT: usize = 126;

/// The same information, of the same length, with names of programs. `None` if both are there, or if there is no room for
/// them.
pub(super) fn completed(info: &[u8]) -> Option<Vec<u8>> {
    let mut children = Vec::new();
    let mut rest = info;
    while !rest.is_empty() {
        let start = rest;
        let id = Number::read(&mut rest)?.with_marker();
        let size = usize::try_from(Number::read(&mut rest)?.size()?).ok()?;
        rest = rest.get(size..)?;
        children.push((id, &start[..start.len() - rest.len()]));
    }
    let has = |name| children.iter().any(|(id, _)| *id == name);
    if has(MUXING_APP) && has(WRITING_APP) {
        return None;
    }
    let room = info.len().checked_sub(2 * NAME)?;
    let mut made = Vec::with_capacity(info.len());
    // What times are measured in must stay; the rest does as long as there is room.
    children.sort_by_key(|(id, _)| *id != TIMESTAMP_SCALE);
    for (id, child) in children {
        if matches!(id, MUXING_APP | WRITING_APP) {
            continue;
        }
        if made.len() + child.len() <= room {
            made.extend(child);
        } else if id == TIMESTAMP_SCALE {
            return None;
        }
    }
    made.extend([0x57, 0x41, 0x81, b' ']);
    // The other name fills what is left.
    let left = info.len() - made.len();
    made.extend([0x4d, 0x80]);
    match left - 3 {
        len @ ..=SHORT => made.push(0x80 | len as u8),
        len => made.extend((0x4000 | (len - 1) as u16).to_be_bytes()),
    }
    made.resize(info.len(), b' ');
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_named_where_there_is_room() {
        #[track_caller]
        fn check(info: &[u8], expected: Option<&[u8]>) {
            assert_eq!(completed(info).as_deref(), expected);
        }
        let scale = b"\x2a\xd7\xb1\x83\x0f\x42\x40";
        let duration = b"\x44\x89\x88\x40\xb7\x70\0\0\0\0\0";
        // The duration makes room.
        check(
            &[&duration[..], scale].concat(),
            Some(&[&scale[..], b"\x57\x41\x81 \x4d\x80\x84    "].concat()),
        );
        let named = b"\x57\x41\x81A\x4d\x80\x81B";
        check(&[&scale[..], named].concat(), None);
        check(scale, None);
        let title = [&b"\x7b\xa9\x40\xc8"[..], &[b'a'; 200]].concat();
        let made = completed(&title).unwrap();
        assert_eq!(made.len(), 204);
        assert_eq!(made[..8], *b"\x57\x41\x81 \x4d\x80\x40\xc4");
    }
}
