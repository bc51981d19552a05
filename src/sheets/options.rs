//! Options of conversions of sheets, and the selection of sheets. Reads no cells.

use super::worksheet::{Sheet, View};
use crate::{
    error::{Error, Kind, Result},
    job::{Notes, OptionKind, OptionSpec, Options},
};

/// Name or number of the sheet to convert.
pub(crate) static SHEET: OptionSpec = OptionSpec {
    name: "sheet",
    kind: OptionKind::Text(255),
    default: None,
    help: "sheet to convert, by name or by number (the first is 1); by default all sheets if the result can hold several (in documents only visible ones), otherwise the first visible sheet",
};

/// Number of converted sheets, for targets that hold one sheet: one, or all in an archive.
pub(crate) static SHEETS: OptionSpec = OptionSpec {
    name: "sheets",
    kind: OptionKind::OneOf(&["one", "zip"]),
    default: Some("one"),
    help: "a single sheet (one), or all sheets in a zip, each as a file with the name of its sheet (zip)",
};

/// Field delimiter of a CSV file.
pub(crate) static DELIMITER: OptionSpec = OptionSpec {
    name: "delimiter",
    kind: OptionKind::OneOf(&[",", ";", "|", "comma", "semicolon", "pipe", "tab"]),
    default: Some(","),
    help: "character between the fields of a row in the result",
};

/// Notation of numbers and dates in text files.
pub(crate) static VALUES: OptionSpec = values("exact");

/// Notation of numbers and dates in documents, which are for people to read.
#[cfg(feature = "document")]
pub(crate) static SHOWN_VALUES: OptionSpec = values("shown");

const fn values(default: &'static str) -> OptionSpec {
    OptionSpec {
        name: "values",
        kind: OptionKind::OneOf(&["exact", "shown"]),
        default: Some(default),
        help: "form of numbers and dates: with all their digits (exact), or in their number formats, as a spreadsheet program shows them (shown)",
    }
}

/// Scale of printed sheets.
#[cfg(feature = "document")]
pub(crate) static FIT: OptionSpec = OptionSpec {
    name: "fit",
    kind: OptionKind::OneOf(&["width"]),
    default: None,
    help: "width reduces every sheet until it is no wider than a page, instead of using the print scale stored in the file",
};

/// Maximum number of sheet names in a note or an error.
const MAX_NAMED: usize = 20;

/// Field delimiter that [`DELIMITER`] selects.
pub(crate) fn delimiter(options: &Options) -> u8 {
    match options.word(DELIMITER.name) {
        Some(";" | "semicolon") => b';',
        Some("|" | "pipe") => b'|',
        Some("tab") => b'\t',
        _ => b',',
    }
}

/// Returns whether [`SHEETS`] asks for an archive of all sheets.
pub(crate) fn packs_all(options: &Options) -> bool {
    options.word(SHEETS.name) == Some("zip")
}

/// Notation that the client asks for, or `default`.
pub(crate) fn view(options: &Options, default: View) -> View {
    match options.word(VALUES.name) {
        Some("shown") => View::Shown,
        Some("exact") => View::Exact,
        _ => default,
    }
}

/// Selects the sheets to convert, by index: the one that the option names; or else all with cells if the target holds
/// `many`; or else the first visible one with cells, and a note names the others. Returns at least one.
///
/// Errors: [`Kind::BadInput`] if the option names a sheet that does not exist or has no cells, or if no sheet has
/// cells.
pub(crate) fn choose(
    options: &Options,
    sheets: &[Sheet],
    many: bool,
    notes: &mut Notes,
) -> Result<Vec<usize>> {
    if let Some(wanted) = options.word(SHEET.name) {
        let sheet = named(sheets, wanted)?;
        if sheets[sheet].chart {
            let sentence = "is a chart and has no cells; convert it to pdf or html";
            return Err(Error::new(
                Kind::BadInput,
                format!("the sheet {wanted:?} {sentence}"),
            ));
        }
        return Ok(vec![sheet]);
    }
    let with_cells = (0..sheets.len()).filter(|number| !sheets[*number].chart);
    let with_cells: Vec<usize> = with_cells.collect();
    // A target for one sheet gets a hidden one only if all sheets with cells are hidden.
    let visible = with_cells.iter().find(|number| !sheets[**number].hidden);
    let Some(first) = visible.or(with_cells.first()).copied() else {
        let sentence = "the workbook contains only charts and no cells; convert it to pdf or html";
        return Err(Error::new(Kind::BadInput, sentence));
    };
    if many {
        note_charts(sheets.len() - with_cells.len(), notes);
        return Ok(with_cells);
    }
    if sheets.len() > 1 {
        let others = sheets.iter().enumerate();
        let others = others.filter(|(number, _)| *number != first);
        notes.add(format!(
            "Only the sheet {:?} was converted. The others are {}; choose one of them with the option sheet, or all with sheets=zip.",
            sheets[first].name(),
            names(others.map(|(_, sheet)| sheet))
        ));
    }
    Ok(vec![first])
}

/// Index of the sheet that the option selects.
///
/// Errors: [`Kind::BadInput`] if there is no such sheet.
fn named(sheets: &[Sheet], wanted: &str) -> Result<usize> {
    find(sheets, wanted).ok_or_else(|| {
        Error::new(
            Kind::BadInput,
            format!(
                "sheet is {wanted:?}; it must be a number from 1 to {} or one of {}",
                sheets.len(),
                names(sheets.iter())
            ),
        )
    })
}

/// Selects the sheets to show, by index: all visible sheets, including those that are charts, or the sheet that the
/// option selects. If all sheets are hidden, selects all of them.
///
/// Errors: [`Kind::BadInput`] if the option names a sheet that does not exist.
#[cfg(feature = "document")]
pub(crate) fn choose_visible(
    options: &Options,
    sheets: &[Sheet],
    notes: &mut Notes,
) -> Result<Vec<usize>> {
    if let Some(wanted) = options.word(SHEET.name) {
        return Ok(vec![named(sheets, wanted)?]);
    }
    let visible = (0..sheets.len()).filter(|number| !sheets[*number].hidden);
    let visible: Vec<usize> = visible.collect();
    if visible.is_empty() {
        return Ok((0..sheets.len()).collect());
    }
    match sheets.len() - visible.len() {
        0 => {}
        1 => notes.add("A hidden sheet was left out; choose it with the option sheet.".to_owned()),
        hidden => notes.add(format!(
            "{hidden} hidden sheets were left out; choose one of them with the option sheet."
        )),
    }
    Ok(visible)
}

/// Selects the sheets to show as tables, by index: all visible sheets with cells, or the sheet that the option
/// selects. If no visible sheet has cells, selects the first hidden sheet with cells. Returns at least one.
///
/// Errors: those of [`choose`].
#[cfg(feature = "document")]
pub(crate) fn choose_tables(
    options: &Options,
    sheets: &[Sheet],
    notes: &mut Notes,
) -> Result<Vec<usize>> {
    let is_seen = |sheet: &Sheet| !sheet.hidden && !sheet.chart;
    if options.word(SHEET.name).is_some() || !sheets.iter().any(is_seen) {
        return choose(options, sheets, false, notes);
    }
    let mut visible = choose_visible(options, sheets, notes)?;
    let all = visible.len();
    visible.retain(|number| !sheets[*number].chart);
    note_charts(all - visible.len(), notes);
    Ok(visible)
}

/// Adds a note about chart sheets that were left out.
fn note_charts(count: usize, notes: &mut Notes) {
    match count {
        0 => {}
        1 => notes.add("A sheet that is a chart was left out.".to_owned()),
        charts => notes.add(format!("{charts} sheets that are charts were left out.")),
    }
}

/// Finds a sheet by its exact name, then by its name in any case, then by its number. A sheet may be named "2", hence
/// this order.
fn find(sheets: &[Sheet], wanted: &str) -> Option<usize> {
    let exact = sheets.iter().position(|sheet| sheet.name() == wanted);
    let lower = wanted.to_lowercase();
    let alike = |sheet: &Sheet| sheet.name().trim().to_lowercase() == lower;
    let number = || wanted.parse::<usize>().ok()?.checked_sub(1);
    exact
        .or_else(|| sheets.iter().position(alike))
        .or_else(|| number().filter(|number| *number < sheets.len()))
}

/// Adds a note that names the hidden sheets, for a target that cannot hide them.
pub(crate) fn note_hidden(sheets: &[Sheet], notes: &mut Notes) {
    let hidden: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.hidden).collect();
    if !hidden.is_empty() {
        let hidden = hidden
            .into_iter()
            .map(|sheet| format!("{:?}", sheet.name()));
        notes.add(format!(
            "Hidden sheets are in the result, too: {}.",
            list(hidden)
        ));
    }
}

/// Lists sheet names for a message, and marks hidden sheets.
fn names<'s>(sheets: impl Iterator<Item = &'s Sheet>) -> String {
    list(sheets.map(|sheet| match sheet.hidden {
        true => format!("{:?} (hidden)", sheet.name()),
        false => format!("{:?}", sheet.name()),
    }))
}

/// Lists the first [`MAX_NAMED`] names, and the number of the others.
fn list(mut names: impl Iterator<Item = String>) -> String {
    let named: Vec<String> = names.by_ref().take(MAX_NAMED).collect();
    match names.count() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheets() -> Vec<Sheet> {
        ["Notes", "2", "Säle"]
            .iter()
            .enumerate()
            .map(|(number, name)| Sheet {
                title: Some((*name).to_owned()),
                hidden: number == 0,
                chart: false,
            })
            .collect()
    }

    #[test]
    fn a_sheet_is_chosen_by_name_or_number() {
        #[track_caller]
        fn check(wanted: Option<&str>, many: bool, expected: &[usize], noted: bool) {
            let mut options = Options::default();
            if let Some(wanted) = wanted {
                options.insert("sheet", wanted);
            }
            let mut notes = Notes::default();
            let chosen = choose(&options, &sheets(), many, &mut notes);
            assert_eq!(chosen.unwrap_or_default(), expected);
            assert_eq!(!notes.0.is_empty(), noted);
        }
        check(None, false, &[1], true);
        check(None, true, &[0, 1, 2], false);
        check(Some("1"), true, &[0], false);
        check(Some("2"), false, &[1], false);
        check(Some("3"), false, &[2], false);
        check(Some("SÄLE"), false, &[2], false);
        for wrong in ["0", "4", "-1", "Sales"] {
            check(Some(wrong), false, &[], false);
        }
    }

    #[test]
    fn a_missing_sheet_is_answered_with_those_that_are_there() {
        let mut options = Options::default();
        options.insert("sheet", "Sales");
        let error = choose(&options, &sheets(), false, &mut Notes::default()).unwrap_err();
        assert_eq!(
            error.message(),
            "sheet is \"Sales\"; it must be a number from 1 to 3 or one of \"Notes\" (hidden), \"2\", \"Säle\""
        );
    }
}
