//! Tables of a workbook that formulas refer to by index: sheets, names, and functions of add-ins. The tokens of
//! formulas are read in [`tokens`](super::tokens).

/// Tables that formulas refer to.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Whether the formulas are those of an xlsb, which has wider row numbers, UTF-16 texts and larger sheets than an
    /// xls.
    pub(crate) is_wide: bool,
    /// Targets of references to sheets, by index (ExternSheet, MS-XLS 2.4.105; BrtExternSheet, MS-XLSB 2.4.664).
    pub(crate) links: Vec<Link>,
    /// Defined names in order. Formulas count them from 1.
    pub(crate) names: Vec<Box<str>>,
    /// Names of each supporting workbook or add-in, in order. Formulas count them from 1.
    pub(crate) outer: Vec<Vec<Box<str>>>,
}

/// Target of a reference to sheets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Link {
    /// A sheet or range of sheets of this workbook, as the text before the reference, with its exclamation mark.
    Sheets(Box<str>),
    /// The workbook itself, which its global names belong to.
    Book,
    /// A sheet that was deleted.
    Deleted,
    /// An add-in with functions, by its index among the supporting workbooks.
    Functions(usize),
    /// Another workbook. References to it are not translated.
    Elsewhere,
}

impl Link {
    /// Creates a reference to the sheets of this workbook from `first` to `last`, by their indices in `names`. -2
    /// stands for the workbook itself, and other indices without a sheet for a deleted one.
    pub(crate) fn sheets(first: i32, last: i32, names: &[String]) -> Self {
        let name = |at: i32| names.get(usize::try_from(at).ok()?);
        match (first, name(first), name(last)) {
            (-2, ..) => Self::Book,
            (_, Some(one), _) if first == last => Self::Sheets(format!("{}!", quoted(one)).into()),
            (_, Some(one), Some(other)) => {
                let both = format!("{one}:{other}");
                // One pair of quotation marks encloses both names.
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

/// Quotes the name of a sheet if necessary: if it contains anything but letters, digits and underscores, begins with a
/// digit, or could be read as a reference.
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

/// Returns whether a name could be a reference in R1C1 notation: `R1C1`, `R`, `C2`.
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
