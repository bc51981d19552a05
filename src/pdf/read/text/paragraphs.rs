//! Collects the lines of a paragraph, a heading, an item or code, and tells which of these they are. All of this is heuristic: a
//! heading is larger than the body, or a short line in bold, in italics, or with a number such as 2.1; a list has bullets or
//! numbers; a paragraph ends at a gap, an indent or a short line.

use super::{
    blocks::{Block, Kind, Span, Usual},
    headings::{self, Look},
    lines::Line,
    plain::joined,
    styles::Style,
};
use crate::document::tree::Alignment;
use std::collections::HashMap;

/// The least size of a heading, relative to the body.
const LARGER: f32 = 1.12;

/// How far a line may end from where it is meant to, in points.
const STANDS: f32 = 2.0;

/// The longest heading in bytes: one in larger letters, one of a single line, and one in italics.
const LONGEST_HEADING: usize = 160;
const LONGEST_TITLE: usize = 100;
const LONGEST_ITALIC: usize = 60;

/// The marker of a list item: its number, if it has one, and the length of the marker.
pub(crate) fn marker(text: &str) -> Option<(Option<u32>, usize)> {
    const BULLETS: [char; 14] = [
        '•', '◦', '▪', '‣', '●', '○', '■', '□', '–', '-', '*', '·', '\u{f0b7}', '\u{f0a7}',
    ];
    let mut chars = text.chars();
    let first = chars.next()?;
    if BULLETS.contains(&first) {
        let rest = chars.as_str();
        let is_bullet =
            rest.starts_with(' ') || (!rest.is_empty() && !first.is_ascii() && first != '–');
        return is_bullet.then(|| (None, first.len_utf8()));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &text[digits..];
    let is_number =
        (1..=3).contains(&digits) && (behind.starts_with(". ") || behind.starts_with(") "));
    is_number.then(|| (text[..digits].parse().ok(), digits + 1))
}

/// A paragraph that is being collected.
pub(super) struct Paragraph {
    pub(super) kind: Kind,
    size: f32,
    pub(super) spans: Vec<Span>,
    /// The left and right edges of its lines.
    lines: Vec<(f32, f32)>,
    /// The line spacing, once it has two lines.
    leading: Option<f32>,
    block: usize,
    bold: bool,
    italic: bool,
    /// The edges of the column that it begins in.
    column: Option<(f32, f32)>,
    /// Whether there is space above it.
    apart: bool,
}

impl Paragraph {
    pub(super) fn new(line: &Line, before: Option<&Line>, usual: &Usual) -> Self {
        let is_fixed = !usual.fixed && line.runs.iter().all(|run| run.style.fixed);
        let kind = if line.size >= usual.size * LARGER {
            Kind::Heading(headings::UNKNOWN)
        } else if is_fixed {
            Kind::Code
        } else if let Some((number, _)) = marker(&line.text) {
            Kind::Item(number, line.x.0)
        } else {
            Kind::Text
        };
        Self::of_kind(kind, line, before)
    }

    /// One that begins with a line, and is known to be of this kind.
    pub(super) fn of_kind(kind: Kind, line: &Line, before: Option<&Line>) -> Self {
        let gap = before.map_or(f32::MAX, |before| line.y - before.y);
        Self {
            kind,
            size: line.size,
            spans: Vec::new(),
            lines: Vec::new(),
            leading: None,
            block: line.block,
            bold: is_bold(line),
            italic: is_italic(line),
            column: None,
            apart: gap < 0.0 || gap > 1.3 * line.size,
        }
    }

    /// Whether `line` continues the paragraph.
    pub(super) fn goes_on(
        &self,
        before: Option<&Line>,
        line: &Line,
        usual: &Usual,
        edges: &HashMap<usize, (f32, f32)>,
    ) -> bool {
        let is_code = !usual.fixed && line.runs.iter().all(|run| run.style.fixed);
        if (self.kind == Kind::Code) != is_code || (line.size - self.size).abs() > 0.08 * self.size
        {
            return false;
        }
        let Some(before) = before.filter(|before| before.block == line.block) else {
            // From the bottom of a column to the top of the next.
            let text = self.spans.last().map_or("", |span| span.text.trim_end());
            let is_open = text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-'));
            return matches!(self.kind, Kind::Text | Kind::Item(..))
                && is_open
                && line.text.starts_with(char::is_lowercase);
        };
        let gap = line.y - before.y;
        let most = self
            .leading
            .map_or(1.6 * line.size, |leading| 1.2 * leading);
        if gap <= 0.0 || gap > most.max(1.15 * line.size) {
            return false;
        }
        match self.kind {
            Kind::Heading(_) | Kind::Code | Kind::Table(_) | Kind::Figure(..) | Kind::Page(_) => {
                true
            }
            Kind::Text | Kind::Item(..) => {
                let (left, right) = edges.get(&line.block).copied().unwrap_or(line.x);
                let is_short = before.x.1 < right - 0.25 * (right - left);
                let is_item = matches!(self.kind, Kind::Item(..));
                let first = self.lines.first().map_or(0.0, |line| line.0);
                let is_indented = line.x.0 > before.x.0 + 0.8 * line.size
                    && !(is_item && self.lines.len() == 1)
                    && line.x.0 > first + 0.8 * line.size;
                marker(&line.text).is_none()
                    && !is_short
                    && !is_indented
                    && self.bold == is_bold(line)
            }
        }
    }

    /// Adds a line of a column with these edges.
    pub(super) fn add(&mut self, line: &Line, links: &[String], column: Option<(f32, f32)>) {
        self.column = self.column.or(column);
        let is_code = self.kind == Kind::Code;
        if let (Some(last), false) = (self.spans.last_mut(), is_code) {
            match joined(&last.text, &line.text) {
                Some((begin, _)) => last.text.truncate(begin.len()),
                None => last.text.push(' '),
            }
        } else if let Some(last) = self.spans.last_mut() {
            last.text.push('\n');
        }
        let mut text = &line.text[..];
        let mut start = 0;
        if self.lines.is_empty() && matches!(self.kind, Kind::Item(..)) {
            start = marker(text).map_or(0, |(_, len)| len);
            start += text[start..].len() - text[start..].trim_start().len();
        }
        if is_code {
            let indent =
                (line.x.0 - self.lines.first().map_or(line.x.0, |line| line.0)) / (0.6 * line.size);
            let spaces = " ".repeat(indent.round().clamp(0.0, 80.0) as usize);
            self.put(&spaces, Style::default(), None);
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
        self.lines.push(line.x);
        self.block = line.block;
    }

    fn put(&mut self, text: &str, style: Style, link: Option<Box<str>>) {
        // Spaces stay outside the styled text.
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

    pub(super) fn finish(mut self, usual: &Usual) -> Block {
        let text: String = self.spans.iter().map(|span| &span.text[..]).collect();
        let text = text.trim();
        let has_letters = text.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let may_be_one = has_letters && !headings::is_caption(text);
        if let Kind::Heading(_) = self.kind
            && (text.len() > LONGEST_HEADING || !may_be_one)
        {
            self.kind = Kind::Text;
        }
        let is_one_line = self.lines.len() == 1
            && self.apart
            && text.len() < LONGEST_TITLE
            && !text.ends_with(['.', ',', ';', ':']);
        let is_styled = (self.bold && !usual.bold)
            || (self.italic && text.len() < LONGEST_ITALIC && text.starts_with(char::is_uppercase))
            || headings::is_numbered(text);
        let may_be_title = matches!(self.kind, Kind::Text | Kind::Item(Some(_), _));
        if may_be_title && is_one_line && is_styled && may_be_one {
            if let Kind::Item(Some(number), _) = self.kind
                && let Some(first) = self.spans.first_mut()
            {
                first.text = format!("{number}. {}", first.text);
            }
            self.kind = Kind::Heading(headings::UNKNOWN);
        }
        let is_heading = matches!(self.kind, Kind::Heading(_));
        let is_larger = self.size >= usual.size * LARGER;
        for span in &mut self.spans {
            span.style.bold &= !usual.bold && !is_heading;
            span.style.italic &= !(is_heading && self.italic);
            span.style.fixed &= !usual.fixed;
        }
        Block {
            alignment: alignment(&self.lines, self.column),
            kind: self.kind,
            spans: self.spans,
            look: is_heading.then_some(Look {
                size: half_points(self.size),
                bold: self.bold && !is_larger,
                italic: self.italic && !is_larger,
            }),
        }
    }
}

pub(super) fn is_bold(line: &Line) -> bool {
    line.runs.iter().all(|run| run.style.bold)
}

/// A size in half points.
pub(super) fn half_points(size: f32) -> i32 {
    (2.0 * size).round() as i32
}

/// How lines stand in a column: in its middle, at its right, or at both sides.
fn alignment(lines: &[(f32, f32)], column: Option<(f32, f32)>) -> Option<Alignment> {
    let (left, right) = column?;
    let near = STANDS.max(0.01 * (right - left));
    let spaces = lines.iter().map(|line| (line.0 - left, right - line.1));
    let (body, _) = lines.split_at(lines.len().saturating_sub(1));
    if spaces
        .clone()
        .all(|(before, behind)| (before - behind).abs() < 2.0 * near && before > 3.0 * near)
    {
        Some(Alignment::Centre)
    } else if spaces
        .clone()
        .all(|(before, behind)| behind < near && before > 8.0 * near)
    {
        Some(Alignment::End)
    } else if body.len() > 1 && body.iter().all(|line| right - line.1 < STANDS) {
        Some(Alignment::Justify)
    } else {
        None
    }
}

fn is_italic(line: &Line) -> bool {
    line.runs.iter().all(|run| run.style.italic)
}
