//! Converts the text of a PalmDOC book, which has no markup. Finds paragraphs, but no other structure.

use super::super::txt::paragraphs;
use crate::error::Result;
use convertd_markup::html;

/// Returns whether a text is markup of Mobipocket. The first books with such markup have only the header of PalmDOC.
pub(super) fn is_markup(text: &[u8]) -> bool {
    let head = text.trim_ascii_start();
    let head = head[..head.len().min(1024)].to_ascii_lowercase();
    ["<html", "<!doctype html", "<?xml", "<body"]
        .iter()
        .any(|tag| head.starts_with(tag.as_bytes()))
}

/// Converts a text to a chapter in HTML.
///
/// Errors: those of [`paragraphs`].
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
