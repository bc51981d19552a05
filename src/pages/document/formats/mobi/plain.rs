//! The text of a book of PalmDOC, which has no markup. Looks for no structure but paragraphs.

use super::super::txt::paragraphs;
use crate::error::Result;
use convertd_markup::html;

/// Returns whether a text is markup of Mobipocket, whose first books have no header but that of PalmDOC.
pub(super) fn is_markup(text: &[u8]) -> bool {
    let head = text.trim_ascii_start();
    let head = head[..head.len().min(1024)].to_ascii_lowercase();
    ["<html", "<!doctype html", "<?xml", "<body"]
        .iter()
        .any(|tag| head.starts_with(tag.as_bytes()))
}

/// Makes a chapter in HTML of a text.
///
/// Errors: none of its own.
pub(super) fn chapter(text: &str) -> Result<String> {
    let mut page = String::from("<html><head></head><body>");
    paragraphs(text, |lines, is_filled| {
        page.push_str("<p>");
        for (number, line) in lines.iter().enumerate() {
            page.push_str(match number {
                0 => "",
                _ if is_filled => "\n",
                _ => "<br/>",
            });
            html::text(line, &mut page);
        }
        page.push_str("</p>");
        Ok(())
    })?;
    page.push_str("</body></html>");
    Ok(page)
}
