//! Groups lines into paragraphs, headings and lists. All of this is heuristic: a heading is larger than the body, or a short
//! line in bold, in italics, or with a number such as 2.1; a list has bullets or numbers; a paragraph ends at a gap, an indent or a short line.

use super::{
    continued,
    figures::Figure,
    headings::{self, Look, Title},
    letters::{Letters, Thing},
    lines::{self, Line},
    marked::Marked,
    plain::joined,
    running,
    styles::Style,
    tables::Grid,
};
use crate::{document::tree::Alignment, job::Notes};
use std::collections::HashMap;

/// The least size of a heading, relative to the body.
const LARGER: f32 = 1.12;

/// How far a line may end from where it is meant to, in points.
const STANDS: f32 = 2.0;

/// The longest heading in bytes: one in larger letters, one of a single line, and one in italics.
const LONGEST_HEADING: usize = 160;
const LONGEST_TITLE: usize = 100;
const LONGEST_ITALIC: usize = 60;

/// The content of a page in reading order.
pub(crate) struct Page {
    pub(crate) lines: Vec<Line>,
    /// Targets of its links.
    pub(crate) links: Vec<String>,
    /// Its tables, by their numbers.
    pub(crate) tables: Vec<Table>,
    /// Its pictures, by their numbers.
    pub(crate) figures: Vec<Figure>,
    /// Its texts by the file's own structure, if there is one.
    pub(crate) marked: Marked,
    /// Its width and height in points.
    pub(crate) size: (f32, f32),
}

impl Page {
    fn kind(&self, thing: Thing) -> Kind {
        match thing {
            Thing::Table(at) => Kind::Table(self.tables[usize::from(at)].clone()),
            Thing::Figure(at) => {
                let figure = &self.figures[usize::from(at)];
                Kind::Figure(figure.file, figure.size())
            }
        }
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// Where it is on its page, from left to right.
    pub(crate) x: (f32, f32),
    /// How many columns it has.
    pub(crate) columns: usize,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// How many rows are header rows.
    pub(crate) heads: usize,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Its first column, from 0.
    #[cfg(feature = "spreadsheet")]
    pub(crate) column: usize,
    /// How many rows and columns it spans.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) paragraphs: Vec<Vec<Span>>,
}

impl Table {
    /// The table of a grid. The first row is a header row if the grid says so, or if it alone is entirely bold.
    pub(crate) fn of(grid: &Grid, letters: &Letters, links: &[String]) -> Self {
        let mut rows: Vec<Vec<Cell>> = (0..grid.rows).map(|_| Vec::new()).collect();
        let (mut first, mut others) = ((true, false), true);
        for cell in &grid.cells {
            let lines = lines::of_some(letters, &cell.letters);
            let bold = lines.iter().all(is_bold);
            match cell.row {
                0 => first = (first.0 && bold, first.1 || !lines.is_empty()),
                _ => others &= bold || lines.is_empty(),
            }
            rows[cell.row].push(Cell {
                #[cfg(feature = "spreadsheet")]
                column: cell.column,
                rows: cell.rows,
                columns: cell.columns,
                paragraphs: paragraphs(&lines, links),
            });
        }
        let is_head = first.1 && (grid.heads > 0 || (first.0 && !others));
        let heads = if is_head { grid.heads.max(1) } else { 0 };
        let cells = rows.iter_mut().take(heads).flatten();
        for span in cells.flat_map(|cell| &mut cell.paragraphs).flatten() {
            span.style.bold = false;
        }
        Self {
            x: grid.x,
            columns: grid.columns,
            rows,
            heads,
        }
    }

    /// The texts of its cells, with their columns.
    #[cfg(feature = "spreadsheet")]
    pub(crate) fn texts(&self) -> Vec<Vec<(u32, String)>> {
        let rows = self.rows.iter();
        rows.map(|row| {
            row.iter()
                .map(|cell| (cell.column as u32, cell.text()))
                .collect()
        })
        .collect()
    }
}

impl Cell {
    /// Its text, its paragraphs in lines.
    pub(crate) fn text(&self) -> String {
        let text = |spans: &Vec<Span>| -> String {
            let all: String = spans.iter().map(|span| &span.text[..]).collect();
            all.trim().to_owned()
        };
        let paragraphs: Vec<String> = self.paragraphs.iter().map(text).collect();
        paragraphs.join("\n")
    }
}

/// The paragraphs of a cell: lines without a gap between them.
fn paragraphs(lines: &[Line], links: &[String]) -> Vec<Vec<Span>> {
    let usual = Usual {
        size: f32::MAX,
        bold: false,
        fixed: true,
    };
    let mut done: Vec<Vec<Span>> = Vec::new();
    let mut open: Option<Paragraph> = None;
    let mut before: Option<&Line> = None;
    for line in lines {
        let is_near = before.is_some_and(|before| {
            let gap = line.y - before.y;
            before.block == line.block && gap > 0.0 && gap < 1.7 * line.size
        });
        if let Some(paragraph) = open.take_if(|_| !is_near) {
            done.push(paragraph.spans);
        }
        let paragraph = open.get_or_insert_with(|| Paragraph {
            kind: Kind::Text,
            ..Paragraph::new(line, before, &usual)
        });
        paragraph.add(line, links, None);
        before = Some(line);
    }
    done.extend(open.map(|paragraph| paragraph.spans));
    for span in done.iter_mut().flatten() {
        span.style.fixed = false;
    }
    done
}

/// A part of a paragraph in one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
    pub(crate) link: Option<Box<str>>,
}

/// What a paragraph is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text,
    /// With its level, from 1.
    Heading(u8),
    /// An item of a list, with its number if it has one, and how far it is indented in points.
    Item(Option<u32>, f32),
    /// Lines in a monospaced font.
    Code,
    Table(Table),
    /// With the number of its file, and its width and height in points.
    Figure(usize, (f32, f32)),
    /// The beginning of a page, with its number from 1.
    Page(usize),
}

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) spans: Vec<Span>,
    /// How its lines stand in their column, as far as that is clear.
    pub(crate) alignment: Option<Alignment>,
    /// How its letters look, if it may be a heading.
    pub(super) look: Option<Look>,
}

impl Block {
    fn plain(kind: Kind) -> Self {
        Self {
            kind,
            spans: Vec::new(),
            alignment: None,
            look: None,
        }
    }

    /// All of its text.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| &span.text[..]).collect()
    }
}

/// The typical style of a document.
pub(crate) struct Usual {
    /// The size of most letters.
    size: f32,
    /// Whether most letters are bold.
    pub(super) bold: bool,
    /// Whether most letters are monospaced.
    pub(super) fixed: bool,
}

impl Usual {
    pub(crate) fn of(pages: &[Page]) -> Self {
        let mut sizes: HashMap<i32, usize> = HashMap::new();
        let (mut all, mut bold, mut fixed) = (0, 0, 0);
        let lines = pages.iter().flat_map(|page| &page.lines);
        for line in lines.filter(|line| line.thing.is_none()) {
            *sizes.entry(half_points(line.size)).or_default() += line.text.len();
            let mut start = 0;
            for run in &line.runs {
                let len = run.end - std::mem::replace(&mut start, run.end);
                all += len;
                bold += if run.style.bold { len } else { 0 };
                fixed += if run.style.fixed { len } else { 0 };
            }
        }
        let most = sizes.iter().max_by_key(|(size, count)| (**count, **size));
        let size = most.map_or(0.0, |(size, _)| *size as f32 / 2.0);
        Self {
            size,
            bold: 2 * bold > all,
            fixed: 2 * fixed > all,
        }
    }
}

fn half_points(size: f32) -> i32 {
    (2.0 * size).round() as i32
}

/// The tables of a document in reading order, with the numbers of their pages, from 1.
#[cfg(feature = "spreadsheet")]
pub(crate) fn tables(mut pages: Vec<Page>, notes: &mut Notes) -> Vec<(usize, Table)> {
    running::leave_out(&mut pages);
    continued::join(&mut pages, notes);
    let mut found = Vec::new();
    for (number, page) in (1..).zip(&pages) {
        let things = page.lines.iter().filter_map(|line| line.thing);
        found.extend(things.filter_map(|thing| match page.kind(thing) {
            Kind::Table(table) => Some((number, table)),
            _ => None,
        }));
    }
    found
}

/// The blocks of a document, and the number of lines left out as running headers and footers.
/// With `marks_pages`, there is one where each page begins, or behind a paragraph that goes on there.
pub(crate) fn of(
    mut pages: Vec<Page>,
    outline: &[Title],
    marks_pages: bool,
    notes: &mut Notes,
) -> (Vec<Block>, usize) {
    let left_out = running::leave_out(&mut pages);
    continued::join(&mut pages, notes);
    let usual = Usual::of(&pages);
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Paragraph> = None;
    // The marks that wait for the end of a paragraph.
    let mut marks: Vec<Block> = Vec::new();
    for (number, page) in (1..).zip(&pages) {
        if marks_pages {
            marks.push(Block::plain(Kind::Page(number)));
        }
        let right = right_edges(&page.lines);
        let mut before: Option<&Line> = None;
        for line in &page.lines {
            if let Some(thing) = line.thing {
                blocks.extend(open.take().map(|done| done.finish(&usual)));
                blocks.append(&mut marks);
                blocks.push(Block::plain(page.kind(thing)));
                before = None;
                continue;
            }
            let goes_on = open
                .as_ref()
                .is_some_and(|paragraph| paragraph.goes_on(before, line, &usual, &right));
            if !goes_on && let Some(done) = open.take() {
                blocks.push(done.finish(&usual));
            }
            if open.is_none() {
                blocks.append(&mut marks);
            }
            open.get_or_insert_with(|| Paragraph::new(line, before, &usual))
                .add(line, &page.links, right.get(&line.block).copied());
            before = Some(line);
        }
    }
    blocks.extend(open.map(|done| done.finish(&usual)));
    blocks.append(&mut marks);
    if headings::settle(&mut blocks, outline) {
        notes
            .add("Headings are those that the outline of the PDF names, and what looks like them.");
    }
    (blocks, left_out)
}

/// The right edge of each block of a page.
fn right_edges(lines: &[Line]) -> HashMap<usize, (f32, f32)> {
    let mut edges: HashMap<usize, (f32, f32)> = HashMap::new();
    for line in lines {
        let edge = edges.entry(line.block).or_insert(line.x);
        *edge = (edge.0.min(line.x.0), edge.1.max(line.x.1));
    }
    edges
}

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
    fn goes_on(
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

    fn finish(mut self, usual: &Usual) -> Block {
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

fn is_bold(line: &Line) -> bool {
    line.runs.iter().all(|run| run.style.bold)
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
