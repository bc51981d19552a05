//! Text and names of sheets as they are written in XML. Writes no element.

/// The name of a sheet in a reference.
pub(super) fn quoted(sheet: &str) -> String {
    match sheet.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => sheet.to_owned(),
        false => format!("'{}'", sheet.replace('\'', "''")),
    }
}

/// Text for XML, in an attribute as well. What XML cannot hold is left out.
pub(super) fn text(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            other => out.push(other),
        }
    }
    out
}
