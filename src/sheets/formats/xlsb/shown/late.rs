//! Additions of Excel 2010 to conditional formats (MS-XLSB 2.4.24, 2.4.35, 2.4.44, 2.4.82, 2.4.332, 2.4.335): sets of icons, bars that know
//! numbers below zero, and rules that look at other sheets, which are not read.
//!
//! Each record begins with a header that may hold ranges and formulas (2.5.61). Behind it stands what the record of Excel 2007 of the same
//! kind holds, with more at its end.

use super::ranges::{MAX_RANGES, range};
use crate::{
    biff::{Record, conditions as numbers},
    shown::{
        book::Range,
        conditions::{Axis, Bars, Later, Limit},
    },
};
use convertd_tree::Colour;
use std::rc::Rc;

pub(super) const BEGIN: u16 = 1046;
pub(super) const RULE: u16 = 1048;
pub(super) const RULE_END: u16 = 1049;
pub(super) const LIMIT: u16 = 1050;
pub(super) const DATA_BAR: u16 = 1051;
pub(super) const ICON_SET: u16 = 1052;
pub(super) const COLOUR: u16 = 1055;
/// Record that names the extension of a rule of Excel 2007.
pub(super) const EXTENSION: u16 = 1146;

/// Returns whether a record belongs to these rules.
pub(super) fn is_in(kind: u16) -> bool {
    matches!(
        kind,
        BEGIN | RULE | RULE_END | LIMIT | DATA_BAR | ICON_SET | COLOUR | EXTENSION
    )
}

/// The size of a header that holds nothing.
pub(super) const HEADER: usize = 4;

/// The name by which an extension calls a rule.
pub(super) type Guid = [u8; 16];

/// The name at an offset.
pub(super) fn guid(record: Record<'_>, at: usize) -> Option<Guid> {
    record.data.get(at..)?.first_chunk().copied()
}

/// The ranges that rules hold in, which stand in the header: the second of its flags says so, then come a count, which is one, and flags.
pub(super) fn ranges(record: Record<'_>) -> Rc<[Range]> {
    if record.u32(0) & 3 != 2 {
        return Rc::from([]);
    }
    let count = (record.u32(12) as usize).min(MAX_RANGES);
    let all = (0..count).map_while(|number| range(record, 16 + 16 * number));
    all.collect()
}

/// A rule without formulas: its content is that of the rule of Excel 2007. `None` if it has
/// formulas.
pub(super) fn content(record: Record<'_>) -> Option<Record<'_>> {
    let data = record.data.get(HEADER..)?;
    (record.u32(0) == 0).then_some(Record { data, ..record })
}

/// The name of a rule, by its content.
pub(super) fn own_guid(content: Record<'_>) -> Option<Guid> {
    guid(content, 46).filter(|_| content.u32(62) != 0)
}

/// The kinds of limits that Excel chooses, for bars.
const AUTOMATIC: [u32; 2] = [8, 9];

/// A limit with its kind, and whether a value equal to it is above it. Its fields end the record, behind a header that may hold a formula.
pub(super) fn limit(record: Record<'_>) -> (u32, Option<Limit>, bool) {
    let at = record.data.len().saturating_sub(24);
    let (kind, number) = (record.u32(at), record.f64(at + 4));
    let number = Some(number).filter(|_| record.u32(at + 20) == 0);
    let limit = match kind {
        8 => Some(Limit::Least),
        9 => Some(Limit::Most),
        _ => numbers::limit(kind, number),
    };
    (kind, limit, record.u32(at + 16) != 0)
}

/// Properties of a bar in a record.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    lengths: [u8; 2],
    pub(super) hides_value: bool,
    from_right: bool,
    axis: u8,
    flags: u16,
}

impl Bar {
    pub(super) fn read(record: Record<'_>) -> Self {
        let at = |number: usize| record.u8(HEADER + number);
        Self {
            lengths: [at(0), at(1)],
            hides_value: at(2) == 0,
            from_right: at(3) == 2,
            axis: at(4),
            flags: record.u16(HEADER + 5),
        }
    }

    /// The bars with these limits and colours. `extends`: they are those of another rule, which has the colour above zero.
    pub(super) fn bars(
        self,
        limits: &[(u32, Option<Limit>)],
        colours: &[Option<Colour>],
        extends: bool,
    ) -> Option<Bars> {
        let mut colours = colours.iter().copied();
        let mut next = |is_there: bool| is_there.then(|| colours.next()).flatten().flatten();
        let (has_border, has_negative) = (self.flags & 1 != 0, self.flags & 4 != 0);
        let colour = next(!extends);
        let _border = next(has_border);
        let negative = next(has_negative);
        let _negative_border = next(has_border && self.flags & 8 != 0);
        let axis_colour = next(self.axis != 2);
        let (low, high) = (limits.first()?, limits.get(1)?);
        let share = |length: u8| f64::from(length.min(100)) / 100.0;
        Some(Bars {
            low: low.1?,
            high: high.1?,
            // The rule that is extended keeps its own.
            colour: colour.or(extends.then_some(Colour(0, 0, 0)))?,
            hides_value: self.hides_value,
            later: Some(Later {
                automatic: [low.0 == AUTOMATIC[0], high.0 == AUTOMATIC[1]],
                lengths: self.lengths.map(share),
                negative,
                axis: match self.axis {
                    1 => Axis::Middle,
                    2 => Axis::None,
                    _ => Axis::Automatic,
                },
                axis_colour,
                from_right: self.from_right,
            }),
        })
    }
}
