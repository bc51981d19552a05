//! Named number formats, which Office 2003 uses in XML spreadsheets and HTML pages instead of codes. Formats nothing.

/// Names of number formats with their codes, as Excel shows them in the locale of the United States. Sorted by name.
const NAMED_CODES: &[(&str, &str)] = &[
    ("", "General"),
    ("Currency", "$#,##0.00_);[Red]($#,##0.00)"),
    ("Euro Currency", "[$€-2] #,##0.00_);[Red]([$€-2] #,##0.00)"),
    ("Fixed", "0.00"),
    ("General", "General"),
    ("General Date", "m/d/yyyy h:mm"),
    ("General Number", "General"),
    ("Long Date", "dddd, mmmm d, yyyy"),
    ("Long Time", "h:mm:ss AM/PM"),
    ("Medium Date", "d-mmm-yy"),
    ("Medium Time", "h:mm AM/PM"),
    ("On/Off", "\"On\";\"On\";\"Off\""),
    ("Percent", "0.00%"),
    ("Scientific", "0.00E+00"),
    ("Short Date", "m/d/yyyy"),
    ("Short Time", "h:mm"),
    ("Standard", "#,##0.00"),
    ("True/False", "\"True\";\"True\";\"False\""),
    ("Yes/No", "\"Yes\";\"Yes\";\"No\""),
];

/// Maximum length of a format code, in bytes.
#[cfg(feature = "document")]
const MAX_CODE: usize = 255;

/// Code of the number format that a page states by its code or name. `None` for the general format, and for a code
/// longer than [`MAX_CODE`].
#[cfg(feature = "document")]
pub(crate) fn stated_code(written: &str) -> Option<Box<str>> {
    let code = code_of(written.trim());
    let is_general = code.eq_ignore_ascii_case("general");
    (!is_general && code.len() <= MAX_CODE).then(|| code.into())
}

/// Resolves the name of a number format to its code. Returns a code unchanged.
pub(crate) fn code_of(format: &str) -> &str {
    let named = NAMED_CODES.iter().find(|(name, _)| *name == format);
    named.map_or(format, |(_, code)| code)
}
