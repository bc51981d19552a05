//! The properties of shapes (MS-ODRAW 2.2.9, 2.3): numbers, each with a value of four bytes, and longer values behind
//! them. Interprets none.

use super::records::Record;
use crate::containers::fields::Fields;

/// The numbers of properties (2.3) that are asked for.
pub mod property {
    pub const ROTATION: u16 = 4;
    pub(crate) const LEFT_INSET: u16 = 129;
    pub(crate) const TOP_INSET: u16 = 130;
    pub(crate) const RIGHT_INSET: u16 = 131;
    pub(crate) const BOTTOM_INSET: u16 = 132;
    pub const ANCHOR: u16 = 135;
    pub(crate) const FLOW: u16 = 136;
    /// Text of a WordArt shape (gtextUNICODE).
    pub const WORDS: u16 = 192;
    pub(crate) const CROP_TOP: u16 = 256;
    pub(crate) const CROP_BOTTOM: u16 = 257;
    pub(crate) const CROP_LEFT: u16 = 258;
    pub(crate) const CROP_RIGHT: u16 = 259;
    pub const PICTURE: u16 = 260;
    /// The edges of a shape's own space, how its points are joined, and its points and steps in it.
    pub const SPACE: [u16; 4] = [320, 321, 322, 323];
    pub(crate) const JOINS: u16 = 324;
    pub const POINTS: u16 = 325;
    pub const STEPS: u16 = 326;
    /// The first of ten values that can be adjusted.
    pub(crate) const ADJUST: u16 = 327;
    pub const FILL_KIND: u16 = 384;
    pub const FILL_COLOUR: u16 = 385;
    pub const FILL_OPACITY: u16 = 386;
    pub const FILL_BACK: u16 = 387;
    pub(crate) const FILL_PICTURE: u16 = 390;
    pub(crate) const FILL_ANGLE: u16 = 395;
    pub(crate) const FILL_FOCUS: u16 = 396;
    pub(crate) const FILL_STOPS: u16 = 407;
    pub const FILL_FLAGS: u16 = 447;
    pub const LINE_COLOUR: u16 = 448;
    pub const LINE_WIDTH: u16 = 459;
    pub const LINE_DASH: u16 = 462;
    pub const LINE_ENDS: [u16; 2] = [464, 465];
    pub const LINE_FLAGS: u16 = 511;
    pub const NAME: u16 = 896;
    pub const DESCRIPTION: u16 = 897;
    /// Wrap distances: left, top, right, bottom.
    pub const DISTANCES: [u16; 4] = [900, 901, 902, 903];
    /// Horizontal and vertical position, and their references (posh, posrelh, posv, posrelv).
    pub const ACROSS: [u16; 2] = [911, 912];
    pub const DOWN: [u16; 2] = [913, 914];
    pub const TABLE: u16 = 927;
}

/// Tables of properties: the first, the second and the third one of a shape.
const TABLES: [u16; 3] = [0xf00b, 0xf121, 0xf122];

/// Bytes of a property.
const SIZE: usize = 6;

/// The properties of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub struct Properties<'a> {
    tables: [Record<'a>; 3],
}

impl<'a> Properties<'a> {
    /// The properties of a shape, which is a container of records.
    pub fn of(shape: Record<'a>) -> Self {
        Self {
            tables: TABLES.map(|kind| shape.child(kind).unwrap_or_default()),
        }
    }

    /// The value of a property.
    pub fn value(&self, number: u16) -> Option<u32> {
        self.find(number).map(|(value, _)| value)
    }

    /// A flag, which counts only where another one says that it does.
    pub fn flag(&self, number: u16, bit: u32) -> Option<bool> {
        let flags = self.value(number)?;
        (flags & 1 << (bit + 16) != 0).then_some(flags & 1 << bit != 0)
    }

    /// The longer value of a property.
    pub fn longer(&self, number: u16) -> Option<Fields<'a>> {
        self.find(number).map(|(_, longer)| longer)
    }

    /// The text of a property, whose value is its length.
    pub fn text(&self, number: u16) -> Option<String> {
        let (len, place) = self.find(number)?;
        let text = place.utf16(0, len as usize / 2);
        Some(text.trim_end_matches('\0').to_owned())
    }

    /// The value of a property, and the longer value that is behind all of its table.
    fn find(&self, number: u16) -> Option<(u32, Fields<'a>)> {
        self.tables.iter().find_map(|table| {
            let count = usize::from(table.instance).min(table.data.len() / SIZE);
            let mut behind = count * SIZE;
            for at in 0..count {
                let kind = table.data.u16(at * SIZE);
                let value = table.data.u32(at * SIZE + 2);
                // Bit 15 marks a longer value, and the 14 lowest bits are the number.
                let len = match kind & 0x8000 {
                    0 => 0,
                    _ => length(kind & 0x3fff, value as usize, table.data.from(behind)),
                };
                if kind & 0x3fff == number {
                    return Some((value, table.data.part(behind, len)));
                }
                behind = behind.saturating_add(len);
            }
            None
        })
    }
}

/// The length of a longer value. Programs may count an array without the six bytes before its elements.
fn length(number: u16, said: usize, value: Fields<'_>) -> usize {
    /// The numbers of properties that are arrays, the bytes before the elements, and what stands for elements of four
    /// bytes.
    const ARRAYS: [u16; 10] = [325, 326, 337, 341, 342, 343, 407, 463, 899, 928];
    const HEAD: usize = 6;
    const CUT: u16 = 0xfff0;
    let size = match value.u16(4) {
        CUT => 4,
        size => usize::from(size),
    };
    match ARRAYS.contains(&number) && usize::from(value.u16(0)) * size == said {
        true => said.saturating_add(HEAD),
        false => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_may_be_counted_without_their_heads() {
        #[track_caller]
        fn check(said: u32) {
            let mut table = b"\x23\0\x0b\xf0\x1a\0\0\0\x45\x81".to_vec();
            table.extend(said.to_le_bytes());
            table.extend(b"\x81\x83\x02\0\0\0\x01\0\x01\0\xf0\xff\x05\0\x07\0a\0");
            let shape = Record {
                data: Fields(&table),
                ..Record::default()
            };
            let properties = Properties::of(shape);
            let points = properties.longer(property::POINTS).unwrap();
            assert_eq!((points.len(), points.u16(8)), (10, 7));
            assert_eq!(properties.text(property::DESCRIPTION).as_deref(), Some("a"));
        }
        check(10);
        check(4);
    }
}
