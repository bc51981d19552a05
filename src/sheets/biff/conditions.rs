//! Conditional formats in the numeric codes of xls and xlsb: types of rules, limits and icon sets (MS-XLS 2.4.43,
//! 2.5.36, 2.5.39; MS-XLSB 2.5.16, 2.5.86, 2.5.87, 2.4.331). Reads no records.

use crate::shown::conditions::{Expression, Limit, Part, Test};

// Types of rules in CF12 and BrtBeginCFRule records.
/// Compares the cell with one or two values.
pub(crate) const COMPARISON: u32 = 1;
/// Applies where a formula is true.
pub(crate) const FORMULA: u32 = 2;
/// Colour scale.
pub(crate) const SCALE: u32 = 3;
/// Data bar.
pub(crate) const BAR: u32 = 4;
/// Highest or lowest values.
pub(crate) const TOP: u32 = 5;
/// Icon set.
pub(crate) const ICONS: u32 = 6;

/// Names of icon sets, by their number.
const ICON_SETS: [&str; 20] = [
    "3Arrows",
    "3ArrowsGray",
    "3Flags",
    "3TrafficLights1",
    "3Signs",
    "3TrafficLights2",
    "3Symbols",
    "3Symbols2",
    "4Arrows",
    "4ArrowsGray",
    "4RedToBlack",
    "4Rating",
    "4TrafficLights",
    "5Arrows",
    "5ArrowsGray",
    "5Rating",
    "5Quarters",
    "3Stars",
    "3Triangles",
    "5Boxes",
];

/// Name of an icon set. An unknown number means traffic lights.
pub(crate) fn icon_set(number: u32) -> &'static str {
    let known = usize::try_from(number).ok();
    let known = known.and_then(|number| ICON_SETS.get(number));
    known.copied().unwrap_or("3TrafficLights1")
}

/// Creates a limit from its type and its number, which the file states directly or as a formula. `None` for an unknown
/// type, and if the type needs a number that is missing.
pub(crate) fn limit(kind: u32, number: Option<f64>) -> Option<Limit> {
    let number = number.filter(|number| number.is_finite());
    match kind {
        // Types 2 and 3, the smallest and the largest value, need no number. Type 1 is a plain number, and type 7 the
        // value of a formula.
        2 => Some(Limit::Least),
        3 => Some(Limit::Most),
        4 => number.map(Limit::Percent),
        5 => number.map(Limit::Percentile),
        1 | 7 => number.map(Limit::Number),
        _ => None,
    }
}

/// Condition of a formula rule that was created from a template. The template says more than the formula does. `None`
/// for other templates, and for a text template with an unknown parameter or without a text. `parameter` is the
/// argument of the template, and `text` the text that it compares with.
pub(crate) fn templated(template: u32, parameter: u32, text: Option<&str>) -> Option<Test> {
    let average = |above, equal| Test::Average {
        above,
        equal,
        deviations: f64::from(parameter.min(10)),
    };
    Some(match template {
        0x07 => Test::Duplicate(false),
        0x08 => {
            let parts = [Part::Contains, Part::Lacks, Part::Begins, Part::Ends];
            let part = parts.get(usize::try_from(parameter).ok()?)?;
            Test::Text(*part, text.filter(|text| !text.is_empty())?.to_lowercase())
        }
        0x09 => Test::Blank(true),
        0x0a => Test::Blank(false),
        0x0b => Test::Error(true),
        0x0c => Test::Error(false),
        0x19 => average(true, false),
        0x1a => average(false, false),
        0x1b => Test::Duplicate(true),
        0x1d => average(true, true),
        0x1e => average(false, true),
        _ => return None,
    })
}

/// Condition of a rule that compares the value or evaluates a formula. `operator` is the number of the comparison
/// operator, counted from 1. `None` for other types of rules, for an unknown operator, and without operands.
pub(crate) fn compared(kind: u32, operator: u32, mut operands: Vec<Expression>) -> Option<Test> {
    match kind {
        COMPARISON => {
            let at = usize::try_from(operator).ok()?.checked_sub(1)?;
            let operator = super::OPERATORS.get(at)?;
            (!operands.is_empty()).then_some(Test::Is(*operator, operands))
        }
        FORMULA => (!operands.is_empty()).then(|| Test::Formula(operands.swap_remove(0))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_meanings_of_the_specification() {
        assert_eq!(icon_set(0x10), "5Quarters");
        assert_eq!(icon_set(99), "3TrafficLights1");
        assert_eq!(limit(2, None), Some(Limit::Least));
        assert_eq!(limit(4, Some(40.0)), Some(Limit::Percent(40.0)));
        assert_eq!(limit(5, Some(f64::INFINITY)), None);
        assert_eq!(limit(7, None), None);
        assert!(matches!(
            templated(8, 2, Some("Ab")),
            Some(Test::Text(Part::Begins, text)) if text == "ab"
        ));
        assert!(templated(8, 9, Some("Ab")).is_none());
        assert!(templated(1, 0, None).is_none());
        assert!(matches!(
            templated(0x1e, 2, None),
            Some(Test::Average { above: false, equal: true, deviations }) if deviations == 2.0
        ));
    }
}
