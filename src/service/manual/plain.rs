//! Formats a chapter as text for a terminal, or for a client of the service that is not a browser. A table becomes a
//! list, with the first cell of each row as an item and the other cells below it, because the columns of the manual are
//! too wide for a terminal.

use super::parts::{ChapterBlock, parts, spans};

/// Width of a line: one column less than a standard terminal.
const WIDTH: usize = 79;

/// The chapter as plain text.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut before: Option<ChapterBlock> = None;
    for part in parts(text) {
        let is_close = matches!(
            (&before, &part),
            (Some(ChapterBlock::Code(_)), ChapterBlock::Code(_))
                | (Some(ChapterBlock::Item(..)), ChapterBlock::Item(..))
        );
        if before.is_some() && !is_close {
            out.push('\n');
        }
        write(&mut out, &part);
        before = Some(part);
    }
    out
}

/// Appends a part of a chapter as plain text.
fn write(out: &mut String, part: &ChapterBlock) {
    match part {
        ChapterBlock::Heading(1, title) => {
            out.push_str(&bare(title).to_uppercase());
            out.push('\n');
        }
        ChapterBlock::Heading(_, title) => {
            let title = bare(title);
            let line = "-".repeat(title.chars().count());
            out.push_str(&format!("{title}\n{line}\n"));
        }
        ChapterBlock::Paragraph(text) => wrap(out, "", "", &bare(text)),
        ChapterBlock::Item(None, text) => wrap(out, "- ", "  ", &bare(text)),
        ChapterBlock::Item(Some(number), text) => {
            wrap(out, &format!("{number}. "), "   ", &bare(text))
        }
        ChapterBlock::Row { head, cells } => {
            let mut cells = cells.iter().map(|cell| bare(cell));
            wrap(out, "", "", &cells.next().unwrap_or_default());
            let several = head.len() > 2;
            for (name, cell) in head.iter().skip(1).zip(cells) {
                let text = match several && !name.is_empty() {
                    true => format!("{}: {cell}", bare(name)),
                    false => cell,
                };
                wrap(out, "    ", "    ", &text);
            }
        }
        ChapterBlock::Code(line) if line.is_empty() => out.push('\n'),
        ChapterBlock::Code(line) => out.push_str(&format!("    {line}\n")),
    }
}

/// The text without its marks.
fn bare(text: &str) -> String {
    spans(text).into_iter().map(|(_, text)| text).collect()
}

/// Appends a text, wrapped to the width of a terminal: `first` begins the first line, `rest` all others. A word that is
/// longer than a line gets a line of its own.
fn wrap(out: &mut String, first: &str, rest: &str, text: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        let len = line.chars().count() + usize::from(!is_empty) + word.chars().count();
        if len > WIDTH && !is_empty {
            out.push_str(&line);
            out.push('\n');
            line = rest.to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_fits_into_a_terminal() {
        let text =
            "# *One*\n\n## Two\n\n- `a` b\n- c\n\n| x | y | z |\n|---|---|---|\n| 1 | 2 | 3 |\n";
        let expected = "ONE\n\nTwo\n---\n\n- a b\n- c\n\n1\n    y: 2\n    z: 3\n";
        assert_eq!(plain(text), expected);
        let long = "word ".repeat(40);
        assert!(plain(&long).lines().all(|line| line.len() <= WIDTH));
        assert_eq!(
            plain(&format!("- {long}")).lines().nth(1),
            Some(["  ", long[..75].trim_end()].concat().as_str())
        );
    }
}
