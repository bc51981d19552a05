//! Hyperlinks (MS-XLS 2.4.140; MS-OSHARED 2.3.7). Does not follow them.

use crate::{
    biff::Record,
    shown::book::{Link, Range},
};

/// Class identifier of URL monikers, in the byte order of a GUID.
const URL: [u8; 16] = [
    0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11, 0x8c, 0x82, 0x00, 0xaa, 0x00, 0x4b, 0xa9, 0x0b,
];

/// Reads the hyperlink of a record. `None` for a link to a file, and for a link that is damaged or has no target.
pub(super) fn read(record: Record<'_>) -> Option<Link> {
    let range = Range {
        first: (record.u16(0).into(), record.u16(4).into()),
        last: (record.u16(2).into(), record.u16(6).into()),
    };
    let flags = record.u32(28);
    let mut rest = record.data.get(32..)?;
    // Display name and target frame, which are not used.
    if flags & 0x10 != 0 {
        text(&mut rest, 2)?;
    }
    if flags & 0x80 != 0 {
        text(&mut rest, 2)?;
    }
    let mut target = String::new();
    // The target is a text (bit 8), or a moniker with a class identifier.
    if flags & 1 != 0 {
        if flags & 0x100 != 0 {
            target = text(&mut rest, 2)?;
        } else {
            let class = rest.get(..16)?;
            rest = &rest[16..];
            if class != URL {
                return None;
            }
            target = text(&mut rest, 1)?;
        }
    }
    // A place in the target, such as a cell.
    if flags & 8 != 0 {
        let place = text(&mut rest, 2)?;
        target = format!("{target}#{place}");
    }
    (!target.is_empty()).then(|| Link {
        range,
        target: target.into(),
        title: Box::default(),
    })
}

/// Reads a text in UTF-16 after its length, which counts units of `unit` bytes. The text ends at the first NUL.
fn text(rest: &mut &[u8], unit: usize) -> Option<String> {
    let len = u32::from_le_bytes(*rest.first_chunk()?) as usize;
    let bytes = rest.get(4..)?.get(..len.checked_mul(unit)?)?;
    *rest = &rest[4 + bytes.len()..];
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]))
        .take_while(|unit| *unit != 0)
        .take(4096)
        .collect();
    Some(String::from_utf16_lossy(&units))
}
