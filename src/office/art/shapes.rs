//! The properties of shapes (MS-ODRAW 2.2.9, 2.3): numbers, each with a value of four bytes, and longer values behind them.
//! Interprets none.

use super::records::Record;
use crate::containers::fields::Fields;

/// The numbers of properties (2.3) that are asked for.
pub(crate) mod property {
    #[cfg(feature = "presentation")]
    pub(crate) const ROTATION: u16 = 4;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_TOP: u16 = 256;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_BOTTOM: u16 = 257;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_LEFT: u16 = 258;
    #[cfg(feature = "presentation")]
    pub(crate) const CROP_RIGHT: u16 = 259;
    pub(crate) const PICTURE: u16 = 260;
    pub(crate) const DESCRIPTION: u16 = 897;
}

/// Tables of properties: the first, the second and the third one of a shape.
const TABLES: [u16; 3] = [0xf00b, 0xf121, 0xf122];

/// Bytes of a property.
const SIZE: usize = 6;

/// The properties of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Properties<'a> {
    tables: [Record<'a>; 3],
}

impl<'a> Properties<'a> {
    /// The properties of a shape, which is a container of records.
    pub(crate) fn of(shape: Record<'a>) -> Self {
        Self {
            tables: TABLES.map(|kind| shape.child(kind).unwrap_or_default()),
        }
    }

    /// The value of a property.
    pub(crate) fn value(&self, number: u16) -> Option<u32> {
        self.find(number).map(|(value, _)| value)
    }

    /// The text of a property, whose value is its length.
    pub(crate) fn text(&self, number: u16) -> Option<String> {
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
                // Bit 15 says that there is a longer value, and the 14 lowest are the number.
                let len = if kind & 0x8000 == 0 {
                    0
                } else {
                    value as usize
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
