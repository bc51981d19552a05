//! Text of a file for programs that index documents: Markdown, page by page if the format has pages. Does not depend on
//! a particular program.

use super::{
    archive,
    detect::File,
    item::Item,
    work::{Order, Work},
};
use crate::{
    error::Result,
    format::{Category, Format},
    registry,
};

/// Limit on the text of one file, in bytes.
const MAX_TEXT: u64 = 64 << 20;

/// Beginning and end of the comment that the engine writes before each page (`pages=marked`), around the number of the
/// page.
const MARK: (&str, &str) = ("<!-- page ", " -->");

/// A page, or all text of a file.
#[derive(Debug, PartialEq)]
pub(super) struct Page {
    /// Number of the page, which starts at 1.
    pub(super) number: Option<u32>,
    /// Name of the file within an archive.
    pub(super) name: Option<String>,
    pub(super) text: String,
}

/// Returns the text, page by page: as Markdown or, if the file cannot become Markdown, as plain text. Empty if the file
/// has no text.
///
/// Errors: those of the conversion.
pub(super) fn markdown(work: &Work<'_, '_>, file: &File) -> Result<Vec<Page>> {
    let target = ["md", "txt"]
        .into_iter()
        .find(|to| converts(file.format, to));
    let Some(target) = target else {
        return Ok(Vec::new());
    };
    // In an archive, OCR reads the pictures.
    let mut options = vec![("pages", "marked".to_owned()), unwrapped()];
    if file.format.category == Category::Archive {
        options.push(("ocr", "true".to_owned()));
    }
    let order = Order {
        target,
        quality: None,
        options: &options,
    };
    let made = work.convert(&file.item, &order)?;
    if made.is_archive {
        let files = archive::unpack(&made.item)?;
        let read = |item: &Item| -> Result<Page> {
            Ok(Page {
                number: None,
                name: Some(item.name.clone()),
                text: text(item)?,
            })
        };
        return files.iter().map(read).collect();
    }
    Ok(split(&text(&made.item)?))
}

/// Returns the whole text in the format `target`, in UTF-8. `None` if the file cannot be converted to this format, or
/// becomes an archive.
///
/// Errors: those of the conversion.
pub(super) fn whole(work: &Work<'_, '_>, file: &File, target: &str) -> Result<Option<Item>> {
    if !converts(file.format, target) {
        return Ok(None);
    }
    let order = Order {
        target,
        quality: None,
        options: &[unwrapped()],
    };
    let made = work.convert(&file.item, &order)?;
    Ok((!made.is_archive).then_some(made.item))
}

/// Returns the option that puts each paragraph on one line, because indexing programs cut a text after a number of
/// characters.
fn unwrapped() -> (&'static str, String) {
    ("wrap", "none".to_owned())
}

fn converts(format: &Format, target: &str) -> bool {
    registry::by_name(target).is_some_and(|to| registry::find(format, to).is_some())
}

fn text(item: &Item) -> Result<String> {
    let bytes = item.bytes(MAX_TEXT)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Divides a text into pages, each of which begins with a mark. Text before the first mark, such as a title, goes to
/// the first page that has text; without such a page it is dropped. A text without marks is one page without a number.
fn split(text: &str) -> Vec<Page> {
    let mut front = String::new();
    let mut pages: Vec<Page> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (mark(line), pages.last_mut()) {
            (Some(number), _) => pages.push(Page {
                number: Some(number),
                name: None,
                text: String::new(),
            }),
            (None, Some(page)) => page.text.push_str(line),
            (None, None) => front.push_str(line),
        }
    }
    if pages.is_empty() {
        pages.push(Page {
            number: None,
            name: None,
            text: std::mem::take(&mut front),
        });
    }
    for page in &mut pages {
        page.text = page.text.trim_matches('\n').to_owned();
    }
    pages.retain(|page| !page.text.trim().is_empty());
    let front = front.trim_matches('\n');
    if let Some(first) = pages.first_mut().filter(|_| !front.is_empty()) {
        first.text.insert_str(0, &format!("{front}\n\n"));
    }
    pages
}

/// Returns the page number in a line that is a mark. `None` for other lines.
fn mark(line: &str) -> Option<u32> {
    let number = line.trim_end().strip_prefix(MARK.0)?.strip_suffix(MARK.1)?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_divide_a_text_into_pages() {
        #[track_caller]
        fn check(text: &str, expected: &[(Option<u32>, &str)]) {
            let pages = split(text);
            let found: Vec<_> = pages
                .iter()
                .map(|page| (page.number, page.text.as_str()))
                .collect();
            assert_eq!(found, expected, "{text:?}");
        }
        check("", &[]);
        check("a\n\nb\n", &[(None, "a\n\nb")]);
        check(
            "<!-- page 1 -->\n\na\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nc\n",
            &[(Some(1), "a"), (Some(3), "c")],
        );
        check(
            "---\ntitle: T\n---\n\n<!-- page 1 -->\n\n<!-- page 2 -->\n\nb\n",
            &[(Some(2), "---\ntitle: T\n---\n\nb")],
        );
        check("---\ntitle: T\n---\n\n<!-- page 1 -->\n", &[]);
        check("<!-- page x -->\n", &[(None, "<!-- page x -->")]);
    }
}
