//! Assembly of blocks from the lines of pages, in reading order: paragraphs, headings, list items,
//! code, tables and pictures. [`paragraphs`](super::paragraphs) decides which kind a line is.

use super::{
    block::{Block, BlockKind, BodyStyle, Cell, Page, Span, Table},
    columns, continued, footnotes,
    headings::{self, Title},
    lines::{self, Line},
    page_text::{Letters, PageObject},
    paragraphs::{Paragraph, half_points, is_bold},
    running,
    tables::Grid,
};
use crate::job::Notes;
use std::collections::HashMap;

impl Page {
    /// Block kind for a table or picture of the page.
    fn kind(&self, object: PageObject) -> BlockKind {
        match object {
            PageObject::Table(at) => BlockKind::Table(self.tables[usize::from(at)].clone()),
            PageObject::Figure(at) => {
                let figure = &self.figures[usize::from(at)];
                BlockKind::Figure(figure.file, figure.size())
            }
        }
    }

    /// Block for the table or picture that a line represents, on the page with this number.
    fn block(&self, line: &Line, object: PageObject, number: usize) -> Block {
        let region = match object {
            PageObject::Table(_) => line.region(number),
            PageObject::Figure(at) => self.figures[usize::from(at)].region(number),
        };
        Block {
            regions: vec![region],
            ..Block::plain(self.kind(object))
        }
    }
}

impl Table {
    /// Makes a table from a grid. Its first rows are headers if the grid says so. Otherwise its first row is a header
    /// if the text of this row is all bold, and the text of the other rows is not all bold. A first row without text is
    /// no header. The text of header cells loses its bold style.
    pub(crate) fn of(grid: &Grid, letters: &Letters, links: &[String]) -> Self {
        let mut rows: Vec<Vec<Cell>> = (0..grid.rows).map(|_| Vec::new()).collect();
        // Whether the first row is bold and has text, and whether all others are bold.
        let (mut first, mut others) = ((true, false), true);
        for cell in &grid.cells {
            let lines = lines::of_some(letters, &cell.letters);
            let bold = lines.iter().all(is_bold);
            match cell.row {
                0 => first = (first.0 && bold, first.1 || !lines.is_empty()),
                _ => others &= bold || lines.is_empty(),
            }
            rows[cell.row].push(Cell {
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

    /// Texts of the cells of each row, with their columns.
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

/// Splits the lines of a cell into paragraphs: at wide gaps, and where the next line is in another column or not below.
fn paragraphs(lines: &[Line], links: &[String]) -> Vec<Vec<Span>> {
    let mut done: Vec<Vec<Span>> = Vec::new();
    let mut open: Option<Paragraph> = None;
    let mut before: Option<&Line> = None;
    for line in lines {
        // The baselines of lines in a paragraph are less than 1.7 font sizes apart.
        let is_near = before.is_some_and(|before| {
            let gap = line.y - before.y;
            before.block == line.block && gap > 0.0 && gap < 1.7 * line.size
        });
        if let Some(paragraph) = open.take_if(|_| !is_near) {
            done.push(paragraph.spans);
        }
        let paragraph = open.get_or_insert_with(|| Paragraph::of_kind(BlockKind::Text, line));
        paragraph.add(line, links, None);
        before = Some(line);
    }
    done.extend(open.map(|paragraph| paragraph.spans));
    // Monospaced text in a cell does not count as code.
    for span in done.iter_mut().flatten() {
        span.style.fixed = false;
    }
    done
}

impl BodyStyle {
    /// Body style, by the number of letters in each style.
    pub(crate) fn of(pages: &[Page]) -> Self {
        let mut sizes: HashMap<i32, usize> = HashMap::new();
        let (mut all, mut bold, mut fixed) = (0, 0, 0);
        let mut weights: HashMap<i8, usize> = HashMap::new();
        let lines = pages.iter().flat_map(|page| &page.lines);
        // Lines that represent a table or picture have no text of their own.
        for line in lines.filter(|line| line.object.is_none()) {
            *sizes.entry(half_points(line.size)).or_default() += line.text.len();
            let mut start = 0;
            for run in &line.runs {
                let len = run.end - std::mem::replace(&mut start, run.end);
                all += len;
                *weights.entry(run.style.weight).or_default() += len;
                bold += if run.style.bold { len } else { 0 };
                fixed += if run.style.fixed { len } else { 0 };
            }
        }
        // Of equally frequent sizes, the larger one counts as body text.
        let most = sizes.iter().max_by_key(|(size, count)| (**count, **size));
        let size = most.map_or(0.0, |(size, _)| *size as f32 / 2.0);
        Self {
            size,
            bold: 2 * bold > all,
            fixed: 2 * fixed > all,
            weight: weights
                .into_iter()
                .max_by_key(|(weight, count)| (*count, *weight))
                .map_or(0, |(weight, _)| weight),
        }
    }
}

/// All tables of a document in reading order, with their page numbers from 1.
pub(crate) fn tables(mut pages: Vec<Page>, notes: &mut Notes) -> Vec<(usize, Table)> {
    running::leave_out(&mut pages);
    continued::join(&mut pages, notes);
    let mut found = Vec::new();
    for (number, page) in (1..).zip(&pages) {
        let objects = page.lines.iter().filter_map(|line| line.object);
        found.extend(objects.filter_map(|object| match page.kind(object) {
            BlockKind::Table(table) => Some((number, table)),
            _ => None,
        }));
    }
    found
}

/// Recognised content of a document.
pub(crate) struct Content {
    pub(crate) blocks: Vec<Block>,
    /// Footnotes, to which marks in the text refer by index.
    pub(crate) notes: Vec<Vec<Span>>,
    /// Number of lines left out as running headers, footers or watermarks.
    pub(crate) left_out: usize,
}

/// Recognises the content of a document. `marks_pages` adds a block at the start of each page, or after a paragraph
/// that continues on that page.
///
/// Lines are added to an open paragraph until one does not continue it. Tables and pictures inside an open sentence are
/// added after the paragraph.
pub(crate) fn of(
    mut pages: Vec<Page>,
    outline: &[Title],
    marks_pages: bool,
    notes: &mut Notes,
) -> Content {
    // Running headers are removed, and parts of tables are joined, before styles are counted.
    let left_out = running::leave_out(&mut pages);
    continued::join(&mut pages, notes);
    let body = BodyStyle::of(&pages);
    let footnotes = footnotes::take(&mut pages, &body);
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Paragraph> = None;
    // Page marks, pictures and tables that wait for the end of the open paragraph.
    let mut marks: Vec<Block> = Vec::new();
    for (number, page) in (1..).zip(&pages) {
        if marks_pages {
            marks.push(Block::plain(BlockKind::Page(number)));
        }
        let columns = columns::of(&page.lines);
        let mut before: Option<&Line> = None;
        for (at, line) in page.lines.iter().enumerate() {
            // A table or picture ends the paragraph, unless the paragraph continues after it.
            if let Some(object) = line.object {
                let mut after = page.lines[at..].iter();
                let next = after.find(|line| line.object.is_none());
                let is_within = open
                    .as_ref()
                    .zip(next)
                    .is_some_and(|(open, next)| open.continues_elsewhere(next));
                marks.push(page.block(line, object, number));
                before = None;
                if !is_within {
                    blocks.extend(open.take().map(|done| done.finish(&body)));
                    blocks.append(&mut marks);
                }
                continue;
            }
            // A line of text continues the open paragraph, or begins a new one.
            let column = columns.get(&line.block);
            let continues = open
                .as_ref()
                .is_some_and(|paragraph| paragraph.continues(before, line, &body, column));
            if !continues && let Some(done) = open.take() {
                blocks.push(done.finish(&body));
            }
            // Waiting blocks precede the paragraph that begins now.
            if open.is_none() {
                blocks.append(&mut marks);
            }
            let paragraph = open.get_or_insert_with(|| Paragraph::new(line, before, &body, column));
            paragraph.add(line, &page.links, column.map(|column| column.x));
            paragraph.stands_at(line.region(number));
            before = Some(line);
        }
    }
    blocks.extend(open.map(|done| done.finish(&body)));
    blocks.append(&mut marks);
    if headings::settle(&mut blocks, outline) {
        notes
            .add("Headings were taken from the outline of the PDF; lines in the same style also became headings.");
    }
    Content {
        blocks,
        notes: footnotes,
        left_out,
    }
}
