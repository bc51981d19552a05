//! Lays out the parts of a slide below each other. Parts that do not fit are moved to further slides with the same
//! title and a number.
//!
//! Only the program that shows a slide knows the height of its text. Here, the height is estimated from the number of
//! characters: an average character is half as wide as high, and an East Asian character is as wide as high. The
//! estimate is generous, and text that does not fit is shrunk on display.

use super::{
    Grid, GridPlace, Label, Layout, Line, Page, Placed, Run, Shown, SlideObject, Words,
    lines::Item, page::GridRow,
};
use crate::numbered;
use convertd_tree::{Document, POINT, media};
use unicode_script::{Script, UnicodeScript};

/// Left edge of the area for parts, in English Metric Units.
const LEFT: i64 = 838_200;

/// Width of the area for parts, in English Metric Units.
const WIDTH: i64 = 10_515_600;

/// Top edge and height of the area for parts below a title, in English Metric Units.
const BELOW_TITLE: (i64, i64) = (1_825_625, 4_351_338);

/// Top edge and height of the area for parts on a slide without a title, in English Metric Units.
const WHOLE: (i64, i64) = (365_125, 5_811_838);

/// Distance between parts, in English Metric Units.
const GAP: i64 = 101_600;

/// Font size in tables, in points.
const TABLE_SIZE: f64 = 16.0;

/// Horizontal and vertical padding of a table cell, both sides together, in points.
const CELL: (f64, f64) = (14.4, 7.2);

/// Width and height of pictures of unknown size, in English Metric Units.
const PICTURE: (i64, i64) = (4_572_000, 3_429_000);

/// A slide before layout.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) layout: Layout,
    pub(super) title: Vec<Run>,
    pub(super) subtitle: Vec<Line>,
    /// Content below the title.
    pub(super) items: Vec<Item>,
    /// Speaker notes.
    pub(super) notes: Vec<Line>,
}

/// Lays out a slide, and adds it and its continuation slides.
pub(super) fn pages(draft: Draft, document: &Document, pages: &mut Vec<Page>) {
    let Draft {
        layout,
        title,
        subtitle,
        items,
        notes,
    } = draft;
    let (top, height) = match title.is_empty() {
        true => WHOLE,
        false => BELOW_TITLE,
    };
    let mut fit = Fit {
        document,
        top,
        height,
        used: 0,
        parts: Vec::new(),
        done: Vec::new(),
    };
    for item in items {
        match item {
            Item::Line(line) => fit.line(line),
            Item::Table(grid) => fit.table(grid),
            Item::Picture(picture) => fit.picture(picture),
        }
    }
    fit.end();
    let mut all = fit.done.into_iter();
    let first = all.next().unwrap_or_default();
    let laid_out = |title: Vec<Run>, parts: Vec<Placed>, layout: Layout| {
        let mut parts = parts;
        continue_numbering(&mut parts);
        // If the first part is a text, it is written into the body placeholder of the layout.
        let has_text = match parts.first_mut() {
            Some(first) => {
                first.is_body = matches!(first.part, SlideObject::Text(_));
                first.is_body
            }
            None => true,
        };
        Page {
            layout: match layout {
                Layout::Content if !has_text => Layout::TitleOnly,
                layout => layout,
            },
            title,
            parts,
            ..Page::default()
        }
    };
    pages.push(Page {
        subtitle,
        notes,
        ..laid_out(title.clone(), first, layout)
    });
    // Only the first slide has the notes and the subtitle. The titles of the others end with a number.
    for (number, parts) in (2..).zip(all) {
        let mut title = title.clone();
        if !title.is_empty() {
            title.push(Run {
                words: Words::Text(numbered::ending(number)),
                ..Run::default()
            });
        }
        pages.push(laid_out(title, parts, Layout::Content));
    }
}

/// Layout of a slide and its continuation slides. Lengths are in English Metric Units.
struct Fit<'d> {
    document: &'d Document,
    /// Top of the area for parts.
    top: i64,
    /// Height of the area.
    height: i64,
    /// Height in use.
    used: i64,
    /// Parts of the current slide.
    parts: Vec<Placed>,
    /// Parts of the finished slides.
    done: Vec<Vec<Placed>>,
}

impl Fit<'_> {
    /// Returns the remaining height.
    fn remaining_height(&self) -> i64 {
        self.height - self.used
    }

    /// Ends the current slide. If its last part is a text, it gets the remaining height.
    fn end(&mut self) {
        let remaining = self.remaining_height().max(0);
        let is_only = self.parts.len() == 1;
        if let Some(last) = self.parts.last_mut()
            && matches!(last.part, SlideObject::Text(_))
        {
            last.height += remaining;
            if is_only {
                (last.y, last.height) = (self.top, self.height);
            }
        }
        if !self.parts.is_empty() {
            self.done.push(std::mem::take(&mut self.parts));
        }
        self.used = 0;
    }

    /// Places a part below the others.
    fn put(&mut self, part: SlideObject, (x, width, height): (i64, i64, i64)) {
        if !self.parts.is_empty() {
            self.used += GAP;
        }
        self.parts.push(Placed {
            x,
            y: self.top + self.used,
            width,
            height,
            part,
            is_body: false,
        });
        self.used += height;
    }

    /// Adds a line to the last text, or begins a text.
    fn line(&mut self, line: Line) {
        let height = height(&line, WIDTH as f64 / POINT - 14.4) as i64;
        if height > self.remaining_height() && !self.parts.is_empty() {
            self.end();
        }
        if let Some(last) = self.parts.last_mut()
            && let SlideObject::Text(lines) = &mut last.part
        {
            lines.push(line);
            last.height += height;
            self.used += height;
        } else {
            self.put(SlideObject::Text(vec![line]), (LEFT, WIDTH, height));
        }
    }

    /// Places a picture, scaled down to the width of the area and to the remaining height.
    fn picture(&mut self, picture: Shown) {
        let (width, height) = self.size(&picture);
        // A picture moves to the next slide if the remaining height is less than both the height of the picture and
        // two fifths of the area.
        let min_height = height.min(self.height * 2 / 5);
        if self.remaining_height() - GAP < min_height && !self.parts.is_empty() {
            self.end();
        }
        let available = (self.remaining_height() - GAP * i64::from(!self.parts.is_empty())).max(1);
        let scale = (WIDTH as f64 / width as f64)
            .min(available as f64 / height as f64)
            .min(1.0);
        let side = |side: i64| ((side as f64 * scale) as i64).max(1);
        let (width, height) = (side(width), side(height));
        self.put(
            SlideObject::Picture(picture),
            (LEFT + (WIDTH - width) / 2, width, height),
        );
    }

    /// Returns the size of a picture in English Metric Units: the requested size, completed by the aspect ratio of the
    /// file, or the size that the file has at 96 dpi. If the file states no size, [`PICTURE`] replaces it.
    fn size(&self, picture: &Shown) -> (i64, i64) {
        let bytes = &self.document.resource(picture.id).bytes;
        let own = media::size(bytes).or_else(|| media::units(bytes));
        let own = own.map_or(PICTURE, |size| {
            let side = |pixels: u32| i64::from(pixels.max(1)) * 9525;
            (side(size.width), side(size.height))
        });
        let (across, down) = own;
        let (width, height) = match picture.size {
            (Some(width), Some(height)) => (width, height),
            (Some(width), None) => (width, (width as f64 * down as f64 / across as f64) as i64),
            (None, Some(height)) => ((height as f64 * across as f64 / down as f64) as i64, height),
            (None, None) => own,
        };
        (width.max(1), height.max(1))
    }

    /// Places a table. If it is higher than the remaining height, it continues on the next slides, with its header
    /// rows repeated.
    fn table(&mut self, grid: Grid) {
        let columns = column_widths(&grid);
        let heights: Vec<i64> = grid
            .rows
            .iter()
            .map(|row| row_height(row, &columns))
            .collect();
        let head: i64 = heights[..grid.head.min(heights.len())].iter().sum();
        let first = heights.get(grid.head).copied().unwrap_or(0);
        if self.remaining_height() - GAP < head + first && !self.parts.is_empty() {
            self.end();
        }
        let mut rows: Vec<GridRow> = grid.rows;
        rows.iter_mut()
            .zip(&heights)
            .for_each(|(row, height)| row.height = *height);
        let body = rows.split_off(grid.head.min(rows.len()));
        let head_rows = rows;
        let mut part = head_rows.clone();
        let mut part_height = head;
        let mut left = 0_u16;
        for row in body {
            let gap = if self.parts.is_empty() { 0 } else { GAP };
            let has_rows = part.len() > head_rows.len();
            // Rows that are joined by a spanning cell stay together.
            if left == 0 && has_rows && part_height + row.height > self.remaining_height() - gap {
                let rows = std::mem::replace(&mut part, head_rows.clone());
                self.put_rows(rows, part_height, &columns, grid.head);
                self.end();
                part_height = head;
            }
            let spans = row.places.iter().filter_map(|place| match place {
                GridPlace::Cell(cell) => Some(cell.rows.saturating_sub(1)),
                GridPlace::Covered { .. } => None,
            });
            left = spans.max().unwrap_or(0).max(left.saturating_sub(1));
            part_height += row.height;
            part.push(row);
        }
        if !part.is_empty() {
            self.put_rows(part, part_height, &columns, grid.head);
        }
    }

    /// Places rows as a table.
    fn put_rows(&mut self, rows: Vec<GridRow>, height: i64, columns: &[i64], head: usize) {
        let grid = Grid {
            columns: columns.to_vec(),
            rows,
            head,
        };
        self.put(SlideObject::Table(grid), (LEFT, WIDTH, height));
    }
}

/// Returns the column widths in English Metric Units, in proportion to the longest lines (at most 40 em). A column
/// whose longest line is shorter than a third of the average counts as a third. Cells that span columns are ignored.
fn column_widths(grid: &Grid) -> Vec<i64> {
    let count = grid.columns.len().max(1);
    let mut widths = vec![1.0_f64; count];
    for row in &grid.rows {
        for (width, place) in widths.iter_mut().zip(&row.places) {
            if let GridPlace::Cell(cell) = place
                && cell.columns == 1
            {
                let longest = cell.lines.iter().map(|line| ems(&line.runs));
                *width = width.max(longest.fold(0.0, f64::max).min(40.0));
            }
        }
    }
    let least = widths.iter().sum::<f64>() / count as f64 / 3.0;
    widths
        .iter_mut()
        .for_each(|width| *width = width.max(least));
    let whole: f64 = widths.iter().sum();
    widths
        .iter()
        .map(|width| (WIDTH as f64 * width / whole) as i64)
        .collect()
}

/// Estimates the height of a table row from the lengths of its texts, in English Metric Units.
fn row_height(row: &GridRow, columns: &[i64]) -> i64 {
    let cells = row.places.iter().zip(columns).filter_map(|(place, width)| {
        let GridPlace::Cell(cell) = place else {
            return None;
        };
        let available = (*width as f64 / POINT - CELL.0).max(TABLE_SIZE);
        let lines = cell.lines.iter().map(|line| {
            let needed = ems(&line.runs) * TABLE_SIZE;
            (needed / available).ceil().max(1.0)
        });
        Some(lines.sum::<f64>().max(1.0))
    });
    let lines = cells.fold(1.0, f64::max);
    ((lines * TABLE_SIZE * 1.2 + CELL.1) * POINT) as i64
}

/// Estimates the height of a line with its space above, in English Metric Units. `width` is in points.
fn height(line: &Line, width: f64) -> f64 {
    let size = line.size();
    let available = (width - f64::from(line.level) * 36.0 - 18.0).max(size);
    let breaks = line
        .runs
        .iter()
        .filter(|run| run.words == Words::Break)
        .count();
    let lines = (ems(&line.runs) * size / available).ceil().max(1.0) + breaks as f64;
    let above = match line.kind {
        kind if kind.is_close() => 0.0,
        _ if line.level == 0 => 10.0,
        _ => 5.0,
    };
    (lines * size * 1.15 + above) * POINT
}

/// Estimates the width of text, as a multiple of the font size.
fn ems(runs: &[Run]) -> f64 {
    let run_width = |run: &Run| match &run.words {
        Words::Break => 0.0,
        Words::Text(text) => {
            let each = text.chars().map(|c| match c {
                _ if run.code => 0.6,
                c if (c as u32) < 0x1100 => 0.5,
                c if is_wide(c) => 1.0,
                _ => 0.5,
            });
            each.sum()
        }
    };
    runs.iter().map(run_width).sum()
}

/// Returns whether a character is about as wide as high.
fn is_wide(c: char) -> bool {
    matches!(
        c.script(),
        Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul
    )
}

/// Sets the start of each list to the number of its first item on the slide, so that lists continue across slides.
fn continue_numbering(parts: &mut [Placed]) {
    let mut starts: Vec<(u32, u32)> = Vec::new();
    for placed in parts {
        let SlideObject::Text(lines) = &mut placed.part else {
            continue;
        };
        for line in lines {
            if let Label::Number {
                numbering,
                list,
                number,
            } = &mut line.label
            {
                let known = starts.iter().find(|(known, _)| known == list);
                let start = known.map_or(*number, |(_, start)| *start);
                if known.is_none() {
                    starts.push((*list, start));
                }
                numbering.start = start;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::LineKind;

    fn line(text: &str) -> Item {
        Item::Line(Line {
            kind: LineKind::Text,
            runs: vec![Run {
                words: Words::Text(text.to_owned()),
                ..Run::default()
            }],
            ..Line::default()
        })
    }

    #[test]
    fn overflowing_content_moves_to_another_slide() {
        let document = Document::default();
        let draft = Draft {
            title: vec![Run {
                words: Words::Text("Title".to_owned()),
                ..Run::default()
            }],
            items: (0..30).map(|_| line("words")).collect(),
            ..Draft::default()
        };
        let mut all = Vec::new();
        pages(draft, &document, &mut all);
        let lines = all.iter().flat_map(|page| &page.parts);
        let lines = lines.map(|placed| match &placed.part {
            SlideObject::Text(lines) => lines.len(),
            _ => 0,
        });
        assert_eq!(lines.sum::<usize>(), 30);
        assert_eq!(all.len(), 4);
        let last = &all[3].title[1].words;
        assert_eq!(*last, Words::Text(" (4)".to_owned()));
    }
}
