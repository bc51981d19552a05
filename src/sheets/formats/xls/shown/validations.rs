//! Data validation (MS-XLS 2.4.103). Checks no values.

use crate::{
    biff::{Formula, Scope, validation},
    containers::fields::Fields,
    shown::{book::Range, validation::Validation},
};

/// Maximum number of ranges of a rule.
const MAX_RANGES: usize = 4096;

/// Reads the rule of a record: flags, titles and texts of both messages, two formulas, and ranges.
pub(super) fn read(data: &[u8], scope: &Scope) -> Option<Validation> {
    let fields = Fields(data);
    let mut at = 4;
    let mut texts = [const { String::new() }; 4];
    for text in &mut texts {
        (*text, at) = string(fields, at);
    }
    let mut formulas = [None; 2];
    for formula in &mut formulas {
        let len = usize::from(fields.u16(at));
        *formula = (len > 0).then(|| Formula::narrow(data, at + 4, len));
        at += 4 + len;
    }
    let ranges = ranges(fields.from(at));
    let cell = ranges.first()?.first;
    let formulas = formulas.map(|formula| {
        // These formulas have no additional data.
        let formula = Formula {
            extra: &[],
            ..formula?
        };
        formula.text(scope, cell)
    });
    let [prompt_title, error_title, prompt, error] = texts;
    let messages = [(prompt_title, prompt), (error_title, error)];
    validation(fields.u32(0), ranges, messages, formulas)
}

/// Reads a list of ranges after its length: first and last row, first and last column.
pub(super) fn ranges(fields: Fields<'_>) -> Vec<Range> {
    let count = usize::from(fields.u16(0)).min(MAX_RANGES);
    let all = (0..count).map(|number| 2 + 8 * number);
    let all = all.take_while(|at| at + 8 <= fields.len()).map(|at| Range {
        first: (fields.u16(at).into(), fields.u16(at + 4).into()),
        last: (fields.u16(at + 2).into(), fields.u16(at + 6).into()),
    });
    all.filter(|range| range.first.0 <= range.last.0 && range.first.1 <= range.last.1)
        .collect()
}

/// Reads the text at an offset. Returns it with the offset of its end.
fn string(fields: Fields<'_>, at: usize) -> (String, usize) {
    let len = usize::from(fields.u16(at));
    let start = at + 3;
    match fields.u8(at + 2) & 1 {
        0 => {
            let bytes = fields.part(start, len).0.iter();
            (bytes.map(|byte| char::from(*byte)).collect(), start + len)
        }
        _ => (fields.utf16(start, len), start + 2 * len),
    }
}
