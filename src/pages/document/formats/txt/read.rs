//! Reads plain text as paragraphs that are separated by blank lines. Looks for no other structure.

use crate::{
    coding::encoding,
    document::lines::width,
    error::Result,
    job::{Input, Job, Notes},
};
use convertd_tree::{Builder, Document, Node, ParagraphStyleId, input::read_all};

/// Reads paragraphs. Lines of a paragraph are joined if they look wrapped, and stay separate lines otherwise.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // Memory for the bytes and the decoded text, in which a character of one byte may take three.
    let (bytes, _lease) = read_all(job, input, 4)?;
    let text = encoding::decode(bytes);
    let mut build = Builder::new(job);
    paragraphs(&text, |lines, is_filled| {
        build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
        for (number, line) in lines.iter().enumerate() {
            match number {
                0 => {}
                _ if is_filled => build.soft_break()?,
                _ => build.line_break()?,
            }
            build.text(if is_filled { line.trim_start() } else { line })?;
        }
        build.close()
    })?;
    build.finish(notes)
}

/// Calls `each` with the lines of every paragraph, and with a flag that states whether these lines were wrapped at a
/// fixed width. A form feed ends a line, as a line feed does.
///
/// Errors: those of `each`.
pub(in super::super) fn paragraphs(
    text: &str,
    mut each: impl FnMut(&[&str], bool) -> Result<()>,
) -> Result<()> {
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.split(['\n', '\x0c']).chain([""]) {
        let line = line.trim_end();
        if !line.is_empty() {
            paragraph.push(line);
        } else if !paragraph.is_empty() {
            each(&paragraph, is_filled(&paragraph))?;
            paragraph.clear();
        }
    }
    Ok(())
}

/// Returns whether the lines of a paragraph were wrapped at a fixed width, so that its line ends mean nothing. This is
/// the case if the longest line has 56 to 120 columns, and the first word of each following line would not have fitted
/// on the line before it. The lines of poems, addresses and lists hardly ever pass this test.
fn is_filled(lines: &[&str]) -> bool {
    let widths: Vec<usize> = lines.iter().map(|line| width(line)).collect();
    let longest = widths.iter().copied().max().unwrap_or(0);
    let mut pairs = lines.windows(2).zip(&widths);
    (56..=120).contains(&longest)
        && pairs.all(|(pair, width_of_line)| {
            let next = pair[1].split_whitespace().next().unwrap_or_default();
            width_of_line + 1 + width(next) > longest
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intended_line_ends_are_kept() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(is_filled(&lines), expected);
        }
        check(
            "It was the best of times, it was the worst of times, it was the\n\
             age of wisdom, it was the age of foolishness, it was the epoch of\n\
             belief.",
            true,
        );
        check(
            "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:",
            false,
        );
        check("Somebody\nSomewhere Street 1\n12345 Town", false);
    }
}
