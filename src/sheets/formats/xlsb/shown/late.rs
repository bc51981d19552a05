//! Additions of Excel 2010 to conditional formats (MS-XLSB 2.4.24, 2.4.35, 2.4.44, 2.4.82, 2.4.332, 2.4.335): icon
//! sets, data bars for negative numbers, and rules that refer to other sheets, which are not supported.
//!
//! Each record begins with a header that may contain ranges and formulas (2.5.61). Then follow the fields of the
//! record of Excel 2007, and additional ones.

use super::ranges::{MAX_RANGES, range};
use crate::{
    biff::{Record, conditions as numbers},
    shown::{
        book::Range,
        conditions::{Axis, Bars, ExtendedBar, Limit},
    },
};
use convertd_tree::Colour;
use std::rc::Rc;

// Types of records.
/// Ranges of the rules that follow (`BrtBeginConditionalFormatting14`).
pub(super) const BEGIN: u16 = 1046;
/// Beginning of a rule (`BrtBeginCFRule14`).
pub(super) const RULE: u16 = 1048;
/// End of a rule (`BrtEndCFRule14`).
pub(super) const RULE_END: u16 = 1049;
/// A limit of a bar or icon set (`BrtCFVO14`).
pub(super) const LIMIT: u16 = 1050;
/// Data bar of a rule (`BrtBeginDatabar14`).
pub(super) const DATA_BAR: u16 = 1051;
/// Icon set of a rule (`BrtBeginIconSet14`).
pub(super) const ICON_SET: u16 = 1052;
/// A colour of a bar (`BrtColor14`).
pub(super) const COLOUR: u16 = 1055;
/// Type of the record with the identifier that an extension refers to.
pub(super) const EXTENSION: u16 = 1146;

/// Returns whether a record belongs to these rules.
pub(super) fn is_in(kind: u16) -> bool {
    matches!(
        kind,
        BEGIN | RULE | RULE_END | LIMIT | DATA_BAR | ICON_SET | COLOUR | EXTENSION
    )
}

/// Size of an empty header, in bytes.
pub(super) const HEADER: usize = 4;

/// Identifier that connects a rule with its extension.
pub(super) type Guid = [u8; 16];

/// Returns the identifier at an offset.
pub(super) fn guid(record: Record<'_>, at: usize) -> Option<Guid> {
    record.data.get(at..)?.first_chunk().copied()
}

/// Reads the ranges of the rules that follow. They are in the header of the record if its flags say so, after three
/// fields: the number of lists, which is 1, flags, and the number of ranges.
pub(super) fn ranges(record: Record<'_>) -> Rc<[Range]> {
    if record.u32(0) & 3 != 2 {
        return Rc::from([]);
    }
    let count = (record.u32(12) as usize).min(MAX_RANGES);
    let all = (0..count).map_while(|number| range(record, 16 + 16 * number));
    all.collect()
}

/// Content of a rule without formulas, which has the layout of Excel 2007. `None` if the rule has formulas.
pub(super) fn content(record: Record<'_>) -> Option<Record<'_>> {
    let data = record.data.get(HEADER..)?;
    (record.u32(0) == 0).then_some(Record { data, ..record })
}

/// Identifier of a rule, if its content states one.
pub(super) fn own_guid(content: Record<'_>) -> Option<Guid> {
    guid(content, 46).filter(|_| content.u32(62) != 0)
}

/// Types of the automatic lower limit and the automatic upper limit.
const AUTOMATIC: [u32; 2] = [8, 9];

/// Reads a limit: its type, its value, and whether a value equal to the limit reaches it. The fields are at the end of
/// the record, because the header may contain a formula.
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

/// Properties of data bars.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    /// Lengths of the shortest and the longest bar, in percent of the cell's width.
    lengths: [u8; 2],
    /// Whether the cell shows only the bar.
    pub(super) hides_value: bool,
    /// Whether bars start at the right edge.
    from_right: bool,
    /// Position of the axis: 0 automatic, 1 in the middle, 2 no axis.
    axis: u8,
    /// Flags that state which colours are in the following records.
    flags: u16,
}

impl Bar {
    /// Reads the properties.
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

    /// Creates data bars from limits and colours. An extension (`extends`) has no colour of its own for positive
    /// numbers.
    pub(super) fn bars(
        self,
        limits: &[(u32, Option<Limit>)],
        colours: &[Option<Colour>],
        extends: bool,
    ) -> Option<Bars> {
        // The colours follow in a fixed order, and the flags say which of them are present.
        let mut colours = colours.iter().copied();
        let mut next = |is_present: bool| is_present.then(|| colours.next()).flatten().flatten();
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
            // An extension has no colour, but data bars need one. This black is never used, because the extended rule
            // has a colour of its own.
            colour: colour.or(extends.then_some(Colour(0, 0, 0)))?,
            hides_value: self.hides_value,
            later: Some(ExtendedBar {
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
