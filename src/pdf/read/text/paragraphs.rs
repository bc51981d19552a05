//! Grouping of lines into paragraphs, headings, list items and code. All of it is heuristic: a heading is larger than
//! the body text, or a short line that is bold, italic, in capitals or numbered like 2.1; list items have bullets or
//! numbers; a paragraph ends at a gap, an indent, or after a short line.

use super::{
    block::{Block, BlockKind, BodyStyle, HeadingStyle, Span},
    code::Listing,
    columns::Column,
    headings, leaders,
    lines::Line,
    plain::joined,
    styles::Style,
};
use crate::fonts::scripts;
use convertd_tree::{Alignment, Region};

/// Smallest font size that counts as larger than the body text, relative to the size of the body text.
const LARGER: f32 = 1.12;

/// Tolerance for the ends of lines, in points.
const EDGE_TOLERANCE: f32 = 2.0;

/// Limit on the length of a heading in larger type, in bytes.
const LONGEST_HEADING: usize = 160;
/// Limit on the length of a heading on a single line in the size of the text, in bytes.
const LONGEST_TITLE: usize = 100;
/// Limit on the length of a heading in italics or in capitals, in bytes.
const LONGEST_ITALIC: usize = 60;

/// Largest line spacing within a heading, and within a paragraph whose column has no typical spacing, in multiples of
/// the font size.
const WIDEST: f32 = 1.6;
/// Largest line spacing at which a line does not stand apart, in multiples of the font size, if the column has no
/// typical spacing.
const APART: f32 = 1.3;
/// Factor by which the line spacing in a paragraph may exceed the typical spacing of its column.
const MORE: f32 = 1.15;

/// Smallest difference from the most common weight at which letters stand out.
const HEAVIER: i8 = 2;

/// Minimum number of letters of a heading in capitals.
const CAPITALS: usize = 4;

/// Marker at the start of a list item: its number, if any, and its length in bytes.
pub(crate) fn marker(text: &str) -> Option<(Option<u32>, usize)> {
    const BULLETS: [char; 14] = [
        '•', '◦', '▪', '‣', '●', '○', '■', '□', '–', '-', '*', '·', '\u{f0b7}', '\u{f0a7}',
    ];
    let mut chars = text.chars();
    let first = chars.next()?;
    if is_private(first) && chars.as_str().starts_with(' ') {
        return Some((None, first.len_utf8()));
    }
    if BULLETS.contains(&first) {
        let rest = chars.as_str();
        let is_bullet =
            rest.starts_with(' ') || (!rest.is_empty() && !first.is_ascii() && first != '–');
        return is_bullet.then(|| (None, first.len_utf8()));
    }
    // At most three digits, because four may be a year at the start of a line.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = &text[digits..];
    let is_number =
        (1..=3).contains(&digits) && (after.starts_with(". ") || after.starts_with(") "));
    is_number.then(|| (text[..digits].parse().ok(), digits + 1))
}

/// Returns whether a character is private-use: at the start of a line it is a bullet of a symbol
/// font.
fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}')
}

/// A paragraph under construction.
pub(crate) struct Paragraph {
    pub(super) kind: BlockKind,
    size: f32,
    pub(super) spans: Vec<Span>,
    /// Lines, if the paragraph is code.
    listing: Listing,
    /// Left and right edges of its lines, in points.
    lines: Vec<(f32, f32)>,
    /// Positions of its lines on the pages.
    regions: Vec<Region>,
    /// Number of its column.
    block: usize,
    /// Whether the letters of the first line are bold, or heavier than most.
    strong: bool,
    italic: bool,
    /// Edges of the column in which the paragraph begins.
    column: Option<(f32, f32)>,
    /// Whether extra space is above the paragraph.
    apart: bool,
}

impl Paragraph {
    /// Begins a paragraph with a line, and guesses its kind.
    pub(crate) fn new(
        line: &Line,
        before: Option<&Line>,
        body: &BodyStyle,
        column: Option<&Column>,
    ) -> Self {
        let kind = if line.size >= body.size * LARGER {
            BlockKind::Heading(headings::UNKNOWN)
        } else if is_code(line, body) {
            BlockKind::Code
        } else if let Some((number, _)) = marker(&line.text) {
            BlockKind::Item(number, line.x.0)
        } else {
            BlockKind::Text
        };
        let leading = column.and_then(|column| column.leading);
        let gap = before.map_or(f32::MAX, |before| line.y - before.y);
        Self {
            strong: is_strong(line, body),
            apart: gap < 0.0 || gap > leading.map_or(APART, |body| MORE * body) * line.size,
            ..Self::of_kind(kind, line)
        }
    }

    /// Begins a paragraph of a known kind.
    pub(super) fn of_kind(kind: BlockKind, line: &Line) -> Self {
        Self {
            kind,
            size: line.size,
            spans: Vec::new(),
            listing: Listing::default(),
            lines: Vec::new(),
            regions: Vec::new(),
            block: line.block,
            strong: is_bold(line),
            italic: is_italic(line),
            column: None,
            apart: true,
        }
    }

    /// Returns whether a line continues the paragraph. `before` is the line above it, unless
    /// something is in between.
    pub(super) fn continues(
        &self,
        before: Option<&Line>,
        line: &Line,
        body: &BodyStyle,
        column: Option<&Column>,
    ) -> bool {
        // Code and other text never share a paragraph, nor do clearly different font sizes.
        if (self.kind == BlockKind::Code) != is_code(line, body)
            || (line.size - self.size).abs() > 0.08 * self.size
        {
            return false;
        }
        let Some(before) = before.filter(|before| before.block == line.block) else {
            return self.continues_elsewhere(line);
        };
        let gap = line.y - before.y;
        let leading = column.and_then(|column| column.leading);
        let most = leading.map_or(WIDEST, |body| MORE * body).max(MORE);
        match self.kind {
            BlockKind::Code => Listing::continues(gap, line.size),
            // A heading ignores the spacing of its column, which is that of the body text.
            BlockKind::Heading(_) => gap > 0.0 && gap < WIDEST * line.size,
            _ if gap <= 0.0 || gap > most * line.size => false,
            // An entry of a table of contents is a paragraph of its own.
            BlockKind::Text | BlockKind::Item(..) if leaders::is_entry(&before.text) => false,
            BlockKind::Text | BlockKind::Item(..) => {
                // A line that ends before the last quarter of the column ends the paragraph.
                let (left, right) = column.map_or(line.x, |column| column.x);
                let is_short = before.x.1 < right - 0.25 * (right - left);
                let is_item = matches!(self.kind, BlockKind::Item(..));
                let first = self.lines.first().map_or(0.0, |line| line.0);
                // An indent from both the line above and the first line begins a paragraph, except in the second line
                // of an item: there the indent aligns the line with the text after the marker.
                let is_indented = line.x.0 > before.x.0 + 0.8 * line.size
                    && !(is_item && self.lines.len() == 1)
                    && line.x.0 > first + 0.8 * line.size;
                marker(&line.text).is_none()
                    && !is_short
                    && !is_indented
                    && self.strong == is_strong(line, body)
            }
            _ => true,
        }
    }

    /// Returns whether a line continues the paragraph in another column or after a picture, because the sentence has
    /// not ended. In scripts without case, the last line must also be full.
    pub(super) fn continues_elsewhere(&self, line: &Line) -> bool {
        let text = self.spans.last().map_or("", |span| span.text.trim_end());
        let is_open = text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-'));
        let is_full =
            self.column
                .zip(self.lines.last())
                .is_some_and(|((left, right), (start, end))| {
                    *end > right - 0.05 * (right - left) && *start < left + self.size
                });
        let continues =
            |c: char| c.is_lowercase() || (is_full && c.is_alphabetic() && !c.is_uppercase());
        matches!(self.kind, BlockKind::Text | BlockKind::Item(..))
            && is_open
            && line.text.starts_with(continues)
    }

    /// Adds a line in a column with these edges. Hyphenated words are joined.
    pub(crate) fn add(&mut self, line: &Line, links: &[String], column: Option<(f32, f32)>) {
        self.column = self.column.or(column);
        self.lines.push(line.x);
        self.block = line.block;
        if self.kind == BlockKind::Code {
            self.listing.add(line);
            return;
        }
        if let Some(last) = self.spans.last_mut() {
            match joined(&last.text, &line.text) {
                Some((begin, _)) => last.text.truncate(begin.len()),
                None if scripts::touch(&last.text, &line.text) => {}
                None => last.text.push(' '),
            }
        }
        let mut text = &line.text[..];
        let mut start = 0;
        if self.lines.len() == 1 && matches!(self.kind, BlockKind::Item(..)) {
            start = marker(text).map_or(0, |(_, len)| len);
            start += text[start..].len() - text[start..].trim_start().len();
        }
        for run in &line.runs {
            let end = run.end.min(text.len());
            if end > start {
                let link = run.link.and_then(|link| links.get(usize::from(link)));
                self.put(
                    &text[start..end],
                    run.style,
                    link.map(|link| link.as_str().into()),
                );
                start = end;
            }
        }
        text = &text[start.min(text.len())..];
        self.put(text, Style::default(), None);
    }

    /// Adds the position of a line that was added.
    pub(super) fn stands_at(&mut self, place: Region) {
        place.join(&mut self.regions);
    }

    /// Spans of the text.
    pub(super) fn into_spans(self) -> Vec<Span> {
        match self.kind {
            BlockKind::Code => vec![Span {
                text: self.listing.text(),
                ..Span::default()
            }],
            _ => self.spans,
        }
    }

    /// Adds text in a style. Leading white space goes to the previous span.
    fn put(&mut self, text: &str, mut style: Style, link: Option<Box<str>>) {
        // The weight is needed only for detecting headings. Different weights would split spans, so it is reset.
        style.weight = 0;
        // Markdown's `**` must touch the word, so leading spaces go to the span before it.
        let word = text.trim_start();
        let spaces = &text[..text.len() - word.len()];
        match self.spans.last_mut() {
            Some(last) if last.style == style && last.link == link => {
                last.text.push_str(text);
                return;
            }
            Some(last) => last.text.push_str(spaces),
            None => {}
        }
        if !word.is_empty() {
            self.spans.push(Span {
                text: word.to_owned(),
                style,
                link,
            });
        }
    }

    /// Finishes the paragraph: makes the final decision on headings, and removes formatting that is
    /// usual or implied.
    pub(crate) fn finish(mut self, body: &BodyStyle) -> Block {
        let text: String = self.spans.iter().map(|span| &span.text[..]).collect();
        let text = text.trim();
        let has_letters = text.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let may_be_one = has_letters && !headings::is_caption(text);
        if let BlockKind::Heading(_) = self.kind
            && (text.len() > LONGEST_HEADING || !may_be_one)
        {
            self.kind = BlockKind::Text;
        }
        // A heading in the size of the body text must be a short single line that stands out and is not a sentence.
        let is_one_line = self.lines.len() == 1
            && text.len() < LONGEST_TITLE
            && !text.ends_with(['.', ',', ';', ':']);
        let is_styled = self.strong
            || (self.italic && text.len() < LONGEST_ITALIC && text.starts_with(char::is_uppercase))
            || headings::is_numbered(text)
            || (is_capitals(text) && text.len() < LONGEST_ITALIC);
        let may_be_title = matches!(self.kind, BlockKind::Text | BlockKind::Item(Some(_), _))
            && is_one_line
            && is_styled
            && may_be_one
            && !leaders::is_entry(text);
        if may_be_title && self.apart {
            // If a numbered title was recognised as a list item, its number becomes text again.
            if let BlockKind::Item(Some(number), _) = self.kind
                && let Some(first) = self.spans.first_mut()
            {
                first.text = format!("{number}. {}", first.text);
            }
            self.kind = BlockKind::Heading(headings::UNKNOWN);
        }
        let is_heading = matches!(self.kind, BlockKind::Heading(_));
        let is_larger = self.size >= body.size * LARGER;
        let style = HeadingStyle {
            size: half_points(self.size),
            bold: self.strong && !is_larger,
            italic: self.italic && !is_larger,
            larger: is_larger,
        };
        for span in &mut self.spans {
            leaders::shorten(&mut span.text);
            span.style.bold &= !body.bold && !is_heading;
            span.style.italic &= !(is_heading && self.italic);
            span.style.fixed &= !body.fixed;
        }
        let may_be_like =
            may_be_title && self.kind == BlockKind::Text && (style.bold || style.italic);
        Block {
            alignment: alignment(&self.lines, self.column),
            heading_style: is_heading.then_some(style),
            conditional_style: may_be_like.then_some(style),
            kind: self.kind.clone(),
            regions: std::mem::take(&mut self.regions),
            spans: self.into_spans(),
        }
    }
}

/// Returns whether a text consists of capitals and a few signs, with at least [`CAPITALS`] letters.
fn is_capitals(text: &str) -> bool {
    let is_sign = |c: char| c == ' ' || matches!(c, '-' | '–' | ',' | ':' | '&' | '’' | '\'');
    let count = text.chars().filter(|c| c.is_alphabetic()).count();
    count >= CAPITALS && text.chars().all(|c| c.is_uppercase() || is_sign(c))
}

/// Returns whether a line is completely monospaced, although most letters of the document are not.
fn is_code(line: &Line, body: &BodyStyle) -> bool {
    !body.fixed && line.runs.iter().all(|run| run.style.fixed)
}

/// Returns whether a line stands out: it is bold and the body text is not, or its words are heavier than the body text.
fn is_strong(line: &Line, body: &BodyStyle) -> bool {
    let is_heavier = |style: Style| style.weight >= body.weight + HEAVIER;
    (is_bold(line) && !body.bold) || all_words(line, is_heavier)
}

/// Returns whether all words of a line are bold.
pub(super) fn is_bold(line: &Line) -> bool {
    all_words(line, |style| style.bold)
}

/// Returns whether all words of a line are italic.
fn is_italic(line: &Line) -> bool {
    all_words(line, |style| style.italic)
}

/// Returns whether all words of a line satisfy a condition. Numbers and signs are ignored, unless
/// there are no words.
fn all_words(line: &Line, is_styled: impl Fn(Style) -> bool) -> bool {
    let mut start = 0;
    let (mut words, mut all, mut any) = (true, true, false);
    for run in &line.runs {
        let own = std::mem::replace(&mut start, run.end)..run.end;
        let has_letters = line.text[own].contains(char::is_alphabetic);
        any |= has_letters;
        all &= is_styled(run.style);
        words &= is_styled(run.style) || !has_letters;
    }
    if any { words } else { all }
}

/// Font size in half points, rounded.
pub(super) fn half_points(size: f32) -> i32 {
    (2.0 * size).round() as i32
}

/// Alignment of lines in a column; `None` for left-aligned, or if it is ambiguous.
fn alignment(lines: &[(f32, f32)], column: Option<(f32, f32)>) -> Option<Alignment> {
    let (left, right) = column?;
    let tolerance = EDGE_TOLERANCE.max(0.01 * (right - left));
    let spaces = lines.iter().map(|line| (line.0 - left, right - line.1));
    let (body, _) = lines.split_at(lines.len().saturating_sub(1));
    // Centred lines have equal space on both sides, right-aligned ones only before them; in a
    // justified paragraph, all lines but the last reach the right edge.
    if spaces
        .clone()
        .all(|(before, after)| (before - after).abs() < 2.0 * tolerance && before > 3.0 * tolerance)
    {
        Some(Alignment::Centre)
    } else if spaces
        .clone()
        .all(|(before, after)| after < tolerance && before > 8.0 * tolerance)
    {
        Some(Alignment::End)
    } else if body.len() > 1 && body.iter().all(|line| right - line.1 < EDGE_TOLERANCE) {
        Some(Alignment::Justify)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{super::lines::Run, *};

    #[test]
    fn words_that_are_heavier_than_most_stand_out() {
        #[track_caller]
        fn check(runs: &[(&str, i8)], body: i8, expected: bool) {
            let mut line = Line::with("");
            for (text, weight) in runs {
                line.text.push_str(text);
                line.runs.push(Run {
                    end: line.text.len(),
                    style: Style {
                        weight: *weight,
                        bold: *weight > 2,
                        ..Style::default()
                    },
                    link: None,
                });
            }
            let body = BodyStyle {
                size: 10.0,
                bold: body > 2,
                fixed: false,
                weight: body,
            };
            assert_eq!(is_strong(&line, &body), expected, "{}", line.text);
        }
        check(&[("Medium among light", 1)], -1, true);
        check(&[("Medium among regular", 1)], 0, false);
        check(&[("2.1 ", 0), ("Bold behind a number", 3)], 0, true);
        check(&[("In part ", 0), ("bold", 3)], 0, false);
        check(&[("Bold among bold", 3)], 3, false);
    }
}
