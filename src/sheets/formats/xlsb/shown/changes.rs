//! Differential formats of rules: lists of properties, each with a type and a length (MS-XLSB 2.4.356; MS-XLS 2.5.279
//! has the same properties). Does not apply them.

use crate::{
    biff::{PATTERNS, Record, STROKES, underline},
    containers::fields::Fields,
    shown::{
        differential::{Differential, FontChange},
        style::{Edge, Fill, Format},
    },
};
use convertd_tree::Colour;
use std::rc::Rc;

/// Reads a differential format. `colour` reads the colour at an offset of the record.
pub(super) fn read(record: Record<'_>, colour: &dyn Fn(usize) -> Option<Colour>) -> Differential {
    let fields = Fields(record.data);
    let mut change = Differential::default();
    let mut font = FontChange::default();
    let (mut pattern, mut fore, mut back) = (None, None, None);
    let mut at = 6;
    for _ in 0..fields.u16(4) {
        let (kind, len) = (fields.u16(at), usize::from(fields.u16(at + 2)));
        // The length includes the type and the length themselves.
        if len < 4 || at + len > fields.len() {
            break;
        }
        let value = at + 4;
        let edge = || {
            let stroke = usize::from(fields.u16(value + 8)).checked_sub(1)?;
            Some(Edge {
                stroke: *STROKES.get(stroke)?,
                colour: colour(value).unwrap_or(Colour(0, 0, 0)),
            })
        };
        // Fill (0x00 to 0x02), font (0x05, 0x19 to 0x1d), borders (0x06 to 0x09), and number format (0x26, 0x29).
        match kind {
            0x00 => pattern = Some(usize::from(fields.u8(value))),
            0x01 => fore = colour(value),
            0x02 => back = colour(value),
            0x05 => font.colour = colour(value),
            0x06 => change.edges.top = edge(),
            0x07 => change.edges.bottom = edge(),
            0x08 => change.edges.left = edge(),
            0x09 => change.edges.right = edge(),
            0x19 => font.bold = Some(fields.u16(value) >= 600),
            0x1a => {
                font.underline = Some(underline(fields.u16(value)));
            }
            0x1c => font.italic = Some(fields.u8(value) != 0),
            0x1d => font.strike = Some(fields.u8(value) != 0),
            0x26 => {
                let code = fields.utf16(value + 4, fields.u16(value + 2).into());
                change.format = Some(Rc::new(Format::new(&code)));
            }
            0x29 => change.format = Some(Rc::new(Format::built_in(fields.u16(value).into()))),
            _ => {}
        }
        at += len;
    }
    change.font = Some(font);
    change.fill = fill(pattern, fore, back);
    change
}

/// Fill of a differential format. A solid fill takes its colour from the background colour of the pattern.
fn fill(pattern: Option<usize>, fore: Option<Colour>, back: Option<Colour>) -> Option<Fill> {
    Fill::of_pattern(PATTERNS.get(pattern.unwrap_or(1))?, fore, back, true)
}
