//! Checks of a font's tables against one another, so that only usable fonts are packed: the tables that every font has,
//! and the offsets of the outlines. Corrects nothing.

use crate::fonts::web::{Font, Name};

/// Magic number in the table `head` (OpenType, "head").
const MAGIC: [u8; 4] = [0x5f, 0x0f, 0x3c, 0xf5];
/// Tables that every font has, with their minimum lengths in bytes and the error for a missing or shorter one.
const TABLES: [(&Name, usize, &str); 3] = [
    (b"head", 54, "its header (head) is missing or too short"),
    (b"maxp", 6, "its number of glyphs (maxp) is missing"),
    (b"cmap", 4, "its table of characters (cmap) is missing"),
];
/// Tables with outlines or bitmaps of glyphs. A font has at least one of them.
const GLYPHS: [&Name; 6] = [b"glyf", b"CFF ", b"CFF2", b"CBDT", b"EBDT", b"sbix"];

/// Checks a font.
///
/// Errors: a description of the fault, as a clause such as "it has no glyphs".
pub(super) fn check(font: &Font) -> Result<(), &'static str> {
    for (name, least, fault) in TABLES {
        if font.table(name).is_none_or(|table| table.len() < least) {
            return Err(fault);
        }
    }
    let head = font.table(b"head").unwrap_or_default();
    if head[12..16] != MAGIC {
        return Err("its header (head) is damaged");
    }
    if GLYPHS.iter().all(|name| font.table(name).is_none()) {
        return Err("it has no glyphs");
    }
    let Some(glyf) = font.table(b"glyf") else {
        return Ok(());
    };
    let places = font
        .table(b"loca")
        .ok_or("its table of outline positions (loca) is missing")?;
    let maxp = font.table(b"maxp").unwrap_or_default();
    let count = usize::from(u16::from_be_bytes([maxp[4], maxp[5]]));
    let is_long = head[51] != 0;
    let size = if is_long { 4 } else { 2 };
    let places = places
        .get(..size * (count + 1))
        .ok_or("its table of outline positions (loca) is too short")?;
    let mut last = 0;
    for place in places.chunks_exact(size) {
        let place = match place {
            [a, b, c, d] => u32::from_be_bytes([*a, *b, *c, *d]) as usize,
            [a, b] => 2 * usize::from(u16::from_be_bytes([*a, *b])),
            _ => 0,
        };
        if place < last || place > glyf.len() {
            return Err("its table of outline positions (loca) is invalid");
        }
        last = place;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::web::{MAX_LEN, read};

    const PLAIN: &[u8] = include_bytes!("../../../tests/data/documents/fonts/letters.ttf");

    #[track_caller]
    fn check_without(name: &Name, change: impl Fn(&mut Vec<u8>), fault: &str) {
        let mut font = read(PLAIN, MAX_LEN).unwrap();
        change(font.table_mut(name).unwrap());
        assert!(check(&font).unwrap_err().contains(fault));
    }

    #[test]
    fn inconsistent_tables_are_reported() {
        check(&read(PLAIN, MAX_LEN).unwrap()).unwrap();
        check_without(b"head", |table| table.truncate(53), "head");
        check_without(b"head", |table| table[12] = 0, "head");
        check_without(b"maxp", |table| table[4] = 0xff, "too short");
        check_without(b"loca", |table| table[2] = 0xff, "is invalid");
        check_without(b"glyf", |table| table.truncate(4), "is invalid");
    }
}
