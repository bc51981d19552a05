//! Properties of shapes (MS-ODRAW 2.2.9, 2.3): a table of numbered values of four bytes, and longer values after the
//! table. Interprets none.

use super::records::Record;
use crate::containers::fields::Fields;

/// Numbers of the properties in use (MS-ODRAW 2.3).
pub mod property {
    // Transform and text.
    pub const ROTATION: u16 = 4;
    pub(crate) const LEFT_INSET: u16 = 129;
    pub(crate) const TOP_INSET: u16 = 130;
    pub(crate) const RIGHT_INSET: u16 = 131;
    pub(crate) const BOTTOM_INSET: u16 = 132;
    pub const ANCHOR: u16 = 135;
    pub(crate) const FLOW: u16 = 136;
    /// Text of a WordArt shape (gtextUNICODE).
    pub const WORDS: u16 = 192;
    // Picture.
    pub(crate) const CROP_TOP: u16 = 256;
    pub(crate) const CROP_BOTTOM: u16 = 257;
    pub(crate) const CROP_LEFT: u16 = 258;
    pub(crate) const CROP_RIGHT: u16 = 259;
    pub const PICTURE: u16 = 260;
    /// Coordinate system of the shape: left, top, right, bottom.
    pub const SPACE: [u16; 4] = [320, 321, 322, 323];
    /// The way in which points are joined without segments (`shapePath`).
    pub(crate) const JOINS: u16 = 324;
    pub const POINTS: u16 = 325;
    /// Segments.
    pub const STEPS: u16 = 326;
    /// First of ten adjustments.
    pub(crate) const ADJUST: u16 = 327;
    // Fill.
    pub const FILL_KIND: u16 = 384;
    pub const FILL_COLOUR: u16 = 385;
    pub const FILL_OPACITY: u16 = 386;
    pub const FILL_BACK: u16 = 387;
    pub(crate) const FILL_PICTURE: u16 = 390;
    pub(crate) const FILL_ANGLE: u16 = 395;
    pub(crate) const FILL_FOCUS: u16 = 396;
    pub(crate) const FILL_STOPS: u16 = 407;
    pub const FILL_FLAGS: u16 = 447;
    // Line.
    pub const LINE_COLOUR: u16 = 448;
    pub const LINE_WIDTH: u16 = 459;
    pub const LINE_DASH: u16 = 462;
    pub const LINE_ENDS: [u16; 2] = [464, 465];
    pub const LINE_FLAGS: u16 = 511;
    // Group shape properties.
    pub const NAME: u16 = 896;
    pub const DESCRIPTION: u16 = 897;
    /// Distances to the text around the shape: left, top, right, bottom.
    pub const DISTANCES: [u16; 4] = [900, 901, 902, 903];
    /// Horizontal alignment, and the reference area of the alignment (posh, posrelh).
    pub const ACROSS: [u16; 2] = [911, 912];
    /// Vertical alignment, and the reference area of the alignment (posv, posrelv).
    pub const DOWN: [u16; 2] = [913, 914];
    pub const TABLE: u16 = 927;
}

/// Record types of the three property tables that a shape may have.
const TABLES: [u16; 3] = [0xf00b, 0xf121, 0xf122];

/// Size of an entry, in bytes: number and value.
const SIZE: usize = 6;

/// Properties of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub struct Properties<'a> {
    tables: [Record<'a>; 3],
}

impl<'a> Properties<'a> {
    /// Reads the properties of a shape, which is a container of records.
    pub fn of(shape: Record<'a>) -> Self {
        Self {
            tables: TABLES.map(|kind| shape.child(kind).unwrap_or_default()),
        }
    }

    /// Value of a property.
    pub fn value(&self, number: u16) -> Option<u32> {
        self.find(number).map(|(value, _)| value)
    }

    /// Boolean property. A second bit, 16 positions higher, states whether the property is set; `None` if it is not
    /// set.
    pub fn flag(&self, number: u16, bit: u32) -> Option<bool> {
        let flags = self.value(number)?;
        (flags & 1 << (bit + 16) != 0).then_some(flags & 1 << bit != 0)
    }

    /// Value of a property that is longer than four bytes.
    pub fn longer(&self, number: u16) -> Option<Fields<'a>> {
        self.find(number).map(|(_, longer)| longer)
    }

    /// Text of a property. The value of the property is the length of the text in bytes.
    pub fn text(&self, number: u16) -> Option<String> {
        let (len, place) = self.find(number)?;
        let text = place.utf16(0, len as usize / 2);
        Some(text.trim_end_matches('\0').to_owned())
    }

    /// Finds a property: its value, and its longer value. Longer values follow after the table in the order of their
    /// entries.
    fn find(&self, number: u16) -> Option<(u32, Fields<'a>)> {
        self.tables.iter().find_map(|table| {
            let count = usize::from(table.instance).min(table.data.len() / SIZE);
            let mut after = count * SIZE;
            for at in 0..count {
                let kind = table.data.u16(at * SIZE);
                let value = table.data.u32(at * SIZE + 2);
                // Bit 15 marks a longer value, and the lowest 14 bits are the number.
                let len = match kind & 0x8000 {
                    0 => 0,
                    _ => length(kind & 0x3fff, value as usize, table.data.from(after)),
                };
                if kind & 0x3fff == number {
                    return Some((value, table.data.part(after, len)));
                }
                after = after.saturating_add(len);
            }
            None
        })
    }
}

/// Length of a longer value, in bytes. Some programs do not count the header of an array in its length.
fn length(number: u16, declared: usize, value: Fields<'_>) -> usize {
    /// Numbers of properties that are arrays.
    const ARRAYS: [u16; 10] = [325, 326, 337, 341, 342, 343, 407, 463, 899, 928];
    /// Size of an array's header, in bytes.
    const HEAD: usize = 6;
    /// Element size that stands for four bytes.
    const CUT: u16 = 0xfff0;
    let size = match value.u16(4) {
        CUT => 4,
        size => usize::from(size),
    };
    match ARRAYS.contains(&number) && usize::from(value.u16(0)) * size == declared {
        true => declared.saturating_add(HEAD),
        false => declared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_lengths_may_exclude_the_header() {
        #[track_caller]
        fn check(length: u32) {
            let mut table = b"\x23\0\x0b\xf0\x1a\0\0\0\x45\x81".to_vec();
            table.extend(length.to_le_bytes());
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
