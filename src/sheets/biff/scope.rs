//! Tables that the formulas of a workbook refer to by numbers: sheets, names and functions of add-ins. Reads no token: see [`tokens`](super::tokens).

/// Tables that formulas refer to.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Rows and columns have as many bits as in the format of 2007.
    pub(crate) is_wide: bool,
    /// Targets of references to sheets (ExternSheet, MS-XLS 2.4.105; BrtExternSheet, MS-XLSB 2.4.664).
    pub(crate) links: Vec<Link>,
    /// All names, in order. They are counted from 1.
    pub(crate) names: Vec<Box<str>>,
    /// The names of each supporting book, in order. They are counted from 1.
    pub(crate) outer: Vec<Vec<Box<str>>>,
}

/// Target of a reference to sheets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Link {
    /// Sheet names as they precede references, with an exclamation mark.
    Sheets(Box<str>),
    /// The workbook itself, for its names.
    Book,
    /// A sheet that is no longer there.
    Deleted,
    /// A list of functions, by its number among the supporting books.
    Functions(usize),
    /// Another workbook.
    Elsewhere,
}

impl Link {
    /// The sheets of this workbook from one to another, by their numbers among all of these.
    pub(crate) fn sheets(first: i32, last: i32, names: &[String]) -> Self {
        let name = |at: i32| names.get(usize::try_from(at).ok()?);
        match (first, name(first), name(last)) {
            (-2, ..) => Self::Book,
            (_, Some(one), _) if first == last => Self::Sheets(format!("{}!", quoted(one)).into()),
            (_, Some(one), Some(other)) => {
                let both = format!("{one}:{other}");
                // Quotation marks stand around both.
                let marks = quoted(one) != *one || quoted(other) != *other;
                let both = match marks {
                    true => format!("'{}'", both.replace('\'', "''")),
                    false => both,
                };
                Self::Sheets(format!("{both}!").into())
            }
            _ => Self::Deleted,
        }
    }
}

/// The name of a sheet, in quotation marks where it needs them: those that are made of anything but letters and digits, and those that
/// could be a number or a cell.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    let is_plain = name.chars().all(plain)
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && crate::cells::reference(name).is_none()
        && !is_row_or_column(name);
    match is_plain {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "''")),
    }
}

/// Returns whether a word means a cell where rows and columns are numbered: `R1C1`, `R`, `C2`.
fn is_row_or_column(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let rest = upper.strip_prefix('R').unwrap_or(&upper);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix('C').unwrap_or(rest);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sheets_have_marks_where_they_need_them() {
        for (name, expected) in [
            ("Sales", "Sales"),
            ("Größe_2", "Größe_2"),
            ("My sheet", "'My sheet'"),
            ("It's", "'It''s'"),
            ("2024", "'2024'"),
            ("AB12", "'AB12'"),
            ("RC", "'RC'"),
            ("R2C3", "'R2C3'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(name), expected);
        }
        let names = ["A".to_owned(), "B c".to_owned()];
        let text = |first, last| match Link::sheets(first, last, &names) {
            Link::Sheets(text) => text.into_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(text(0, 0), "A!");
        assert_eq!(text(0, 1), "'A:B c'!");
        assert_eq!(text(-2, -2), "Book");
        assert_eq!(text(-1, -1), "Deleted");
        assert_eq!(text(0, 7), "Deleted");
    }
}
