//! Cell styles of a written workbook. They are a fixed set, because the styles part is written before the rows. Reads
//! nothing.

use crate::{
    number::NumberStyle,
    time::{Clock, Moment},
};
use std::fmt::Write as _;

/// Maximum number of decimal places of a style.
const DECIMALS: u8 = 15;

/// Index of the first style with decimal places. Style 0 is the general format.
const FIXED: u32 = 1;
/// Index of the first percentage style.
const PERCENT: u32 = FIXED + DECIMALS as u32;
/// Index of the first style in scientific notation.
const SCIENTIFIC: u32 = PERCENT + DECIMALS as u32 + 1;
/// Index of the first style of a date or time.
const MOMENTS: u32 = SCIENTIFIC + DECIMALS as u32 + 1;

/// Format codes of dates and times. Each code with a time has a second one with milliseconds after it.
const MOMENT_CODES: [&str; 7] = [
    "yyyy\\-mm\\-dd",
    "yyyy\\-mm\\-dd\\ hh:mm:ss",
    "yyyy\\-mm\\-dd\\ hh:mm:ss.000",
    "hh:mm:ss",
    "hh:mm:ss.000",
    "[h]:mm:ss",
    "[h]:mm:ss.000",
];

/// Index of the style for a number.
pub(super) fn of_number(style: NumberStyle) -> u32 {
    match style {
        NumberStyle::General | NumberStyle::Fixed(0) => 0,
        NumberStyle::Fixed(decimals) => FIXED + u32::from(decimals.min(DECIMALS)) - 1,
        NumberStyle::Percent(decimals) => PERCENT + u32::from(decimals.min(DECIMALS)),
        NumberStyle::Scientific(decimals) => SCIENTIFIC + u32::from(decimals.min(DECIMALS)),
    }
}

/// Index of the style for a date or time.
pub(super) fn of_moment(moment: Moment) -> u32 {
    let (Moment::Date(time) | Moment::Time(time) | Moment::DateTime(time) | Moment::Duration(time)) =
        moment;
    let thousandths = u32::from(time % 1000 != 0);
    MOMENTS
        + match moment.clock() {
            Clock::Date => 0,
            Clock::DateTime => 1 + thousandths,
            Clock::Time => 3 + thousandths,
            Clock::Duration => 5 + thousandths,
        }
}

/// Writes the styles part (ECMA-376 part 1, 18.8). Identifiers of custom number formats begin at 164.
pub(super) fn part() -> String {
    let mut codes = vec!["General".to_owned()];
    let zeros = |count: u8| match count {
        0 => "0".to_owned(),
        _ => format!("0.{}", "0".repeat(count.into())),
    };
    codes.extend((1..=DECIMALS).map(zeros));
    codes.extend((0..=DECIMALS).map(|count| zeros(count) + "%"));
    codes.extend((0..=DECIMALS).map(|count| zeros(count) + "E+00"));
    codes.extend(MOMENT_CODES.map(str::to_owned));
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">",
    );
    // Writing to a string cannot fail.
    let _ = write!(xml, "<numFmts count=\"{}\">", codes.len() - 1);
    for (number, code) in codes.iter().enumerate().skip(1) {
        let _ = write!(
            xml,
            "<numFmt numFmtId=\"{}\" formatCode=\"{code}\"/>",
            163 + number
        );
    }
    xml += "</numFmts><fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font></fonts>\
        <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>\
        <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
        <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>";
    let _ = write!(xml, "<cellXfs count=\"{}\">", codes.len());
    for number in 0..codes.len() {
        let (format, applied) = match number {
            0 => (0, ""),
            _ => (163 + number, " applyNumberFormat=\"1\""),
        };
        let _ = write!(
            xml,
            "<xf numFmtId=\"{format}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"{applied}/>"
        );
    }
    xml += "</cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>";
    xml
}
