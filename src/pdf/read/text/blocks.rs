//! Groups lines into paragraphs, headings and lists. All of this is heuristic: a heading is larger than the body, or a short
//! line in bold; a list has bullets or numbers; a paragraph ends at a gap, an indent or a short line.

use super::{
    figures::Figure,
    letters::{Letters, Thing},
    lines::{self, Line, by},
    plain::joined,
    running,
    styles::Style,
    tables::Grid,
};
use std::collections::HashMap;

/// The least size of a heading, relative to the body.
const LARGER: f32 = 1.12;

/// The longest heading in bytes.
const LONGEST_HEADING: usize = 250;

/// The deepest heading level that sizes can tell apart.
const MAX_LEVEL: u8 = 6;

/// The content of a page in reading order.
pub(crate) struct Page {
    pub(crate) lines: Vec<Line>,
    /// Targets of its links.
    pub(crate) links: Vec<String>,
    /// Its tables, by their numbers.
    pub(crate) tables: Vec<Table>,
    /// Its pictures, by their numbers.
    pub(crate) figures: Vec<Figure>,
}

impl Page {
    fn kind(&self, thing: Thing) -> Kind {
        match thing {
            Thing::Table(at) => Kind::Table(self.tables[usize::from(at)].clone()),
            Thing::Figure(at) => {
                let Figure { x, y, file, .. } = self.figures[usize::from(at)];
                Kind::Figure(file, (x.1 - x.0, y.1 - y.0))
            }
        }
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<Cell>>,
    /// How many rows are header rows.
    pub(crate) heads: usize,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
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
        Self { rows, heads }
    }
}

/// The paragraphs of a cell: lines without a gap between them.
fn paragraphs(lines: &[Line], links: &[String]) -> Vec<Vec<Span>> {
    let usual = Usual {
        size: f32::MAX,
        headings: Vec::new(),
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
        paragraph.add(line, links);
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
}

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) spans: Vec<Span>,
}

/// The typical style of a document.
struct Usual {
    /// The size of most letters.
    size: f32,
    /// The sizes of headings, the largest first.
    headings: Vec<f32>,
    /// Whether most letters are bold.
    bold: bool,
    /// Whether most letters are monospaced.
    fixed: bool,
}

impl Usual {
    fn of(pages: &[Page]) -> Self {
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
        let mut headings: Vec<f32> = sizes
            .keys()
            .map(|size| *size as f32 / 2.0)
            .filter(|other| *other >= size * LARGER)
            .collect();
        headings.sort_by(|a, b| by(*b, *a));
        Self {
            size,
            headings,
            bold: 2 * bold > all,
            fixed: 2 * fixed > all,
        }
    }

    /// The level of a heading of this size.
    fn level(&self, size: f32) -> u8 {
        let size = half_points(size) as f32 / 2.0;
        let larger = self.headings.iter().filter(|other| **other > size).count();
        (larger as u8).saturating_add(1).min(MAX_LEVEL)
    }
}

fn half_points(size: f32) -> i32 {
    (2.0 * size).round() as i32
}

/// The blocks of a document, and the number of lines left out as running headers and footers.
pub(crate) fn of(mut pages: Vec<Page>) -> (Vec<Block>, usize) {
    let left_out = running::leave_out(&mut pages);
    let usual = Usual::of(&pages);
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Paragraph> = None;
    for page in &pages {
        let right = right_edges(&page.lines);
        let mut before: Option<&Line> = None;
        for line in &page.lines {
            if let Some(thing) = line.thing {
                blocks.extend(open.take().map(|done| done.finish(&usual)));
                blocks.push(Block {
                    kind: page.kind(thing),
                    spans: Vec::new(),
                });
                before = None;
                continue;
            }
            let goes_on = open
                .as_ref()
                .is_some_and(|paragraph| paragraph.goes_on(before, line, &usual, &right));
            if !goes_on && let Some(done) = open.take() {
                blocks.push(done.finish(&usual));
            }
            open.get_or_insert_with(|| Paragraph::new(line, before, &usual))
                .add(line, &page.links);
            before = Some(line);
        }
    }
    blocks.extend(open.map(|done| done.finish(&usual)));
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
fn marker(text: &str) -> Option<(Option<u32>, usize)> {
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
struct Paragraph {
    kind: Kind,
    size: f32,
    spans: Vec<Span>,
    /// The left and right edges of its lines.
    lines: Vec<(f32, f32)>,
    /// The line spacing, once it has two lines.
    leading: Option<f32>,
    block: usize,
    bold: bool,
    /// Whether there is space above it.
    apart: bool,
}

impl Paragraph {
    fn new(line: &Line, before: Option<&Line>, usual: &Usual) -> Self {
        let is_fixed = !usual.fixed && line.runs.iter().all(|run| run.style.fixed);
        let kind = if line.size >= usual.size * LARGER {
            Kind::Heading(usual.level(line.size))
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
            Kind::Heading(_) | Kind::Code | Kind::Table(_) | Kind::Figure(..) => true,
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

    fn add(&mut self, line: &Line, links: &[String]) {
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
        let len: usize = self.spans.iter().map(|span| span.text.len()).sum();
        let text = self.spans.last().map_or("", |span| span.text.trim_end());
        let letters = self.spans.iter().flat_map(|span| span.text.chars());
        let has_letters = letters.filter(|c| c.is_alphabetic()).count() > 1;
        if let Kind::Heading(_) = self.kind
            && (len > LONGEST_HEADING || !has_letters)
        {
            self.kind = Kind::Text;
        }
        let is_title = matches!(self.kind, Kind::Text | Kind::Item(Some(_), _))
            && self.bold
            && !usual.bold
            && self.apart
            && has_letters
            && self.lines.len() == 1
            && len < 100
            && !text.ends_with(['.', ',', ';']);
        if is_title {
            let below = usual.headings.len() as u8;
            if let Kind::Item(Some(number), _) = self.kind
                && let Some(first) = self.spans.first_mut()
            {
                first.text = format!("{number}. {}", first.text);
            }
            self.kind = Kind::Heading(below.saturating_add(1).min(MAX_LEVEL));
        }
        for span in &mut self.spans {
            span.style.bold &= !usual.bold && !matches!(self.kind, Kind::Heading(_));
            span.style.fixed &= !usual.fixed;
        }
        Block {
            kind: self.kind,
            spans: self.spans,
        }
    }
}

fn is_bold(line: &Line) -> bool {
    line.runs.iter().all(|run| run.style.bold)
}
