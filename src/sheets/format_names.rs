//! Number formats by the names that Office 2003 gives them in XML and in pages of HTML. Formats nothing.

/// The codes of number formats that have names, as Excel shows them in the United States.
const NAMED_CODES: &[(&str, &str)] = &[
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

/// The longest code of a number format.
#[cfg(feature = "document")]
const MAX_CODE: usize = 255;

/// The code of the number format that a page states. `None` for the general format.
#[cfg(feature = "document")]
pub(crate) fn stated_code(written: &str) -> Option<Box<str>> {
    let code = code_of(written.trim());
    let says_nothing = code.is_empty() || code.eq_ignore_ascii_case("general");
    (!says_nothing && code.len() <= MAX_CODE).then(|| code.into())
}

/// The code of a number format, which may be a name.
pub(crate) fn code_of(format: &str) -> &str {
    let named = NAMED_CODES.iter().find(|(name, _)| *name == format);
    named.map_or(format, |(_, code)| code)
}
