//! Parses a chapter into headings, paragraphs, items, rows and code, for other output formats. Supports only the
//! Markdown that the chapters use, so that a program without document converters can print its manual. Is not a general
//! converter.

/// A part of a chapter. Its text still has Markdown's marks; [`spans`] removes them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ChapterBlock {
    /// A heading and its level; the title has level 1.
    Heading(usize, String),
    /// Lines of prose, joined by spaces.
    Paragraph(String),
    /// An item of a list, with its number if it has one.
    Item(Option<String>, String),
    /// A row of a table, with the cells of the table's head. The head itself is not a part.
    Row {
        head: Vec<String>,
        cells: Vec<String>,
    },
    /// A line of a code block, which may be empty.
    Code(String),
}

/// Style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Strong,
    Emphasis,
    Code,
}

/// Splits a chapter into its parts, line by line. A line of prose continues the paragraph or item before it, unless a
/// line of another kind is in between.
pub(crate) fn parts(text: &str) -> Vec<ChapterBlock> {
    let mut parts: Vec<ChapterBlock> = Vec::new();
    let mut lines = text.lines().peekable();
    let mut head: Option<Vec<String>> = None;
    // Whether the next line of prose belongs to the part before.
    let mut is_open = false;
    while let Some(line) = lines.next() {
        let was_open = std::mem::take(&mut is_open);
        if !line.starts_with('|') {
            head = None;
        }
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```"));
            parts.extend(code.map(|line| ChapterBlock::Code(line.to_owned())));
        } else if line.is_empty() || line.starts_with("<!--") {
        } else if line.starts_with('#') {
            let title = line.trim_start_matches('#');
            parts.push(ChapterBlock::Heading(
                line.len() - title.len(),
                title.trim().into(),
            ));
        } else if line.starts_with('|') {
            match &head {
                None => head = Some(cells(line)),
                Some(_) if line.starts_with("|--") => {}
                Some(head) => parts.push(ChapterBlock::Row {
                    head: head.clone(),
                    cells: cells(line),
                }),
            }
        } else {
            is_open = true;
            match (item(line), parts.last_mut()) {
                (Some((number, text)), _) => parts.push(ChapterBlock::Item(number, text.into())),
                (None, Some(ChapterBlock::Paragraph(before) | ChapterBlock::Item(_, before)))
                    if was_open =>
                {
                    before.push(' ');
                    before.push_str(line.trim_start());
                }
                (None, _) => parts.push(ChapterBlock::Paragraph(line.into())),
            }
        }
    }
    parts
}

/// Returns the number, if there is one, and the text of the first line of an item. `None` if the line begins no item.
fn item(line: &str) -> Option<(Option<String>, &str)> {
    if let Some(text) = line.strip_prefix("- ") {
        return Some((None, text));
    }
    let (number, text) = line.split_once(". ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (Some(number.to_owned()), text))
}

/// The cells of a line of a table. A bar after a backslash is part of a cell.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|');
    let line = line.strip_suffix('|').unwrap_or(line);
    // A NUL replaces each `\|` until the line has been split, because no chapter contains a NUL.
    let text = line.replace("\\|", "\0");
    let cells = text.split('|');
    cells.map(|cell| cell.trim().replace('\0', "|")).collect()
}

/// The pieces of a text with their styles, without marks. A link is replaced by its text.
pub(crate) fn spans(text: &str) -> Vec<(Style, String)> {
    let mut spans = Vec::new();
    let mut rest = text;
    let mut plain = String::new();
    while let Some(first) = rest.chars().next() {
        let found = match first {
            '`' => enclosed(rest, "`", Style::Code),
            '*' if rest.starts_with("**") => enclosed(rest, "**", Style::Strong),
            '*' => enclosed(rest, "*", Style::Emphasis),
            _ => None,
        };
        if let Some((style, inner, after)) = found {
            if !plain.is_empty() {
                spans.push((Style::Plain, std::mem::take(&mut plain)));
            }
            spans.push((style, inner.to_owned()));
            rest = after;
        } else if let Some((inner, after)) = link(rest) {
            plain.push_str(inner);
            rest = after;
        } else {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    if !plain.is_empty() {
        spans.push((Style::Plain, plain));
    }
    spans
}

/// If `text` begins with a piece between two marks, returns the piece and the text after it. A piece that begins or
/// ends with a space is not marked: `4 * 3 * 2` has no emphasis.
fn enclosed<'t>(text: &'t str, mark: &str, style: Style) -> Option<(Style, &'t str, &'t str)> {
    let inner = text.strip_prefix(mark)?;
    let (inner, after) = inner.split_once(mark)?;
    let is_text = !inner.is_empty() && !inner.starts_with(' ') && !inner.ends_with(' ');
    is_text.then_some((style, inner, after))
}

/// The text of a link at the beginning of `text`, and what follows it.
fn link(text: &str) -> Option<(&str, &str)> {
    let (inner, after) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    (!inner.contains(['[', ']'])).then_some((inner, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_falls_into_its_parts() {
        let text = "# Title\n\nOne\ntwo.\n\n- a\n  b\n- c\n\n1. d\n\n```sh\nx\n\ny\n```\n\n<!-- t -->\n| h | i |\n|---|---|\n| `a\\|b` | c |\n";
        let own = |text: &str| text.to_owned();
        let expected = [
            ChapterBlock::Heading(1, own("Title")),
            ChapterBlock::Paragraph(own("One two.")),
            ChapterBlock::Item(None, own("a b")),
            ChapterBlock::Item(None, own("c")),
            ChapterBlock::Item(Some(own("1")), own("d")),
            ChapterBlock::Code(own("x")),
            ChapterBlock::Code(own("")),
            ChapterBlock::Code(own("y")),
            ChapterBlock::Row {
                head: vec![own("h"), own("i")],
                cells: vec![own("`a|b`"), own("c")],
            },
        ];
        assert_eq!(parts(text), expected);
    }

    #[test]
    fn marks_become_styles() {
        #[track_caller]
        fn check(text: &str, expected: &[(Style, &str)]) {
            let expected: Vec<_> = expected
                .iter()
                .map(|(s, t)| (*s, (*t).to_owned()))
                .collect();
            assert_eq!(spans(text), expected);
        }
        check(
            "a `*b*` **c** *d*",
            &[
                (Style::Plain, "a "),
                (Style::Code, "*b*"),
                (Style::Plain, " "),
                (Style::Strong, "c"),
                (Style::Plain, " "),
                (Style::Emphasis, "d"),
            ],
        );
        check("see [limits](limits.md).", &[(Style::Plain, "see limits.")]);
        check("4 * 3 * 2 ` [x]", &[(Style::Plain, "4 * 3 * 2 ` [x]")]);
    }
}
