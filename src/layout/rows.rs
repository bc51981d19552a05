//! Table rows on pages: height, items, and division at the end of a page. Does not place rows on pages.

use super::item::{Area, Item, Owner, Row, SetCell, Slice, lower};
use convertd_tree::Border;
use std::rc::Rc;

/// Heights are equal if they differ by less than this, in points.
pub const TOLERANCE: f32 = 0.05;
/// Smallest height of a part of a nested table's row, in points: about three lines.
const LEAST: f32 = 36.0;

/// Footnotes that a slice or its cells refer to.
pub fn notes_of(slice: &Slice) -> impl Iterator<Item = &[Slice]> {
    let own = slice.notes.iter();
    let cells = slice
        .row
        .iter()
        .flat_map(|row| &row.cells)
        .flat_map(|cell| &cell.slices);
    own.chain(cells.flat_map(|slice| &slice.notes))
        .map(|note| note.slices.as_slice())
}

impl Slice {
    /// Divides the slice of a row. The space above the row stays with the first part. If the whole row has to be on the
    /// page of the next slice, the second part has to be on that page.
    pub fn cut(&self, first: Row, second: Row) -> (Self, Self) {
        let part = |row: Row, whole: &Self| Self {
            height: row.height(),
            row: Some(Box::new(row)),
            frames: whole.frames.clone(),
            head: whole.head.clone(),
            ..Self::default()
        };
        let first = Self {
            before: self.before,
            items: self.items.clone(),
            ..part(first, self)
        };
        let second = Self {
            keep: self.keep,
            ..part(second, self)
        };
        (first, second)
    }
}

impl Row {
    /// Height of the row: the height of the highest cell with its padding, but at least `least`. The height of an
    /// `exact` row is `least`.
    pub fn height(&self) -> f32 {
        if self.exact {
            return self.least;
        }
        let cells = self
            .cells
            .iter()
            .map(|cell| cell.content() + cell.above + cell.below);
        cells.fold(self.least, f32::max)
    }
}

/// Number of slices of each cell that fit into a first part of at most `room` points. `None` if none of the slices of a
/// cell fits into the first part, if nothing remains for the second part, or if the row has an exact height.
pub fn parted(row: &Row, room: f32) -> Option<Vec<usize>> {
    if row.exact {
        return None;
    }
    let mut counts = Vec::with_capacity(row.cells.len());
    let mut left = false;
    for cell in &row.cells {
        let space = room - cell.above - cell.below;
        let mut used = 0.0;
        let fits = cell.slices.iter().enumerate().take_while(|(at, slice)| {
            used += slice.height + if *at == 0 { 0.0 } else { slice.before };
            used <= space + TOLERANCE
        });
        let count = fits.count();
        if count == 0 && !cell.slices.is_empty() {
            return None;
        }
        // A division makes sense only if some cell has slices for the second part.
        left |= count < cell.slices.len();
        counts.push(count);
    }
    left.then_some(counts)
}

/// Divides a row. `counts` is the number of slices of each cell in the first part. The slices are moved, not copied,
/// because a cell may be a thousand pages high.
pub fn split(row: Row, counts: &[usize]) -> (Row, Row) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (mut cell, count) in row.cells.into_iter().zip(counts) {
        let slices = cell.slices.drain(..*count).collect();
        // Both parts get borders and padding at the page break, and text begins at the top of each part.
        cell.lowered = 0.0;
        cell.further = 0.0;
        let rest = std::mem::take(&mut cell.slices);
        first.push(SetCell {
            goes_on: false,
            slices,
            ..cell.clone()
        });
        second.push(SetCell {
            from_above: false,
            // `above` may include the space above the first paragraph, which stays in the first part.
            above: cell.above.min(cell.below),
            slices: rest,
            ..cell
        });
    }
    let part = |cells| Row {
        cells,
        ..Row::default()
    };
    (part(first), part(second))
}

/// The slices of a cell in a row of this height, each with its upper edge, by the cell's vertical alignment.
fn places(cell: &SetCell, height: f32) -> impl Iterator<Item = (f32, &Slice)> {
    let free = (height - cell.above - cell.below - cell.content()).max(0.0);
    let mut y = cell.above + cell.lowered * free;
    cell.slices.iter().enumerate().map(move |(at, slice)| {
        let before = if at == 0 { 0.0 } else { slice.before };
        let place = y + before;
        y = place + slice.height;
        (place, slice)
    })
}

/// Replaces a row of a nested table by slices without rows, which break over pages like other content of the enclosing
/// cell.
///
/// The row is divided at heights where no cell has a line. Each part draws its slice of the backgrounds and borders.
pub fn flat(slice: Slice) -> Vec<Slice> {
    let Some(row) = &slice.row else {
        return vec![Slice {
            head: None,
            ..slice
        }];
    };
    let edges = edges(row, slice.height);
    let mut parts = vec![Slice::default(); edges.len() - 1];
    for (part, edge) in parts.iter_mut().zip(edges.windows(2)) {
        part.height = edge[1] - edge[0];
        part.frames.clone_from(&slice.frames);
    }
    // The properties of the whole slice go to its first part.
    if let Some(first) = parts.first_mut() {
        first.begins = slice.begins;
        first.before = slice.before;
        first.items.clone_from(&slice.items);
        first.notes.clone_from(&slice.notes);
    }
    if let Some(last) = parts.last_mut() {
        last.keep = slice.keep;
    }
    fill(&mut parts, row, slice.height);
    parts
}

/// Heights at which a row can be divided without cutting through a line of any cell, from its upper
/// to its lower edge.
///
/// Walks over the lines of all cells in the order of their upper edges. Divides the row above a line that begins below
/// the ends of all earlier lines. A part has a minimum height, which is a share of the row's height, so that the number
/// of parts is in proportion to the row's content.
fn edges(row: &Row, whole: f32) -> Vec<f32> {
    let cells = row.cells.iter();
    let mut taken: Vec<(f32, f32)> = cells
        .flat_map(|cell| places(cell, whole).map(|(y, slice)| (y, y + slice.height)))
        .collect();
    taken.sort_by(|one, other| one.0.total_cmp(&other.0));
    // Limit on the number of parts: four for each slice of an average cell, but at least 20.
    let most = (4 * taken.len() / row.cells.len().max(1)).max(20);
    let least = (whole / most as f32).max(LEAST);
    let mut edges = vec![0.0];
    let mut begins = 0.0;
    let mut end = f32::MIN;
    for (from, to) in taken {
        if from > end - TOLERANCE && from > begins + least && whole > from + LEAST {
            begins = from;
            edges.push(from);
        }
        end = end.max(to);
    }
    edges.push(whole);
    edges
}

/// Items of a row: backgrounds, then the content of cells, then borders.
pub(crate) fn row_items(row: &Row, height: f32) -> Vec<Item> {
    let mut whole = Slice {
        height,
        ..Slice::default()
    };
    fill(std::slice::from_mut(&mut whole), row, height);
    whole.items
}

/// Adds the items of a row, and its footnotes, to `parts`, which together are as high as the row. Content that extends
/// beyond the row stays in the first or the last part.
fn fill(parts: &mut [Slice], row: &Row, whole: f32) {
    let last = parts.len() - 1;
    // Backgrounds are below the content, and borders above it.
    for (at, part) in parts.iter_mut().enumerate() {
        for cell in &row.cells {
            if let Some(colour) = cell.background {
                let further = if at == last { cell.further } else { 0.0 };
                let area = Area {
                    x: cell.x,
                    y: 0.0,
                    width: cell.width,
                    height: part.height + further,
                };
                part.items.push(Item::Fill { area, colour });
            }
        }
    }
    for cell in &row.cells {
        // Each slice goes to the part in which the slice begins.
        let (mut at, mut above) = (0, 0.0);
        for (number, (y, slice)) in places(cell, whole).enumerate() {
            while at < last && y > above + parts[at].height - TOLERANCE {
                above += parts[at].height;
                at += 1;
            }
            let (part, y) = (&mut parts[at], y - above);
            let before = if number == 0 { 0.0 } else { slice.before };
            let frames = slice.frames.iter();
            part.items
                .extend(frames.map(|frame| frame.draw(y, slice.height, before)));
            let mut inner = slice.items.clone();
            lower(&mut inner, y);
            part.items.append(&mut inner);
            part.notes.extend(slice.notes.iter().cloned());
        }
    }
    for (at, part) in parts.iter_mut().enumerate() {
        let height = part.height;
        for cell in &row.cells {
            let (left, right) = (cell.x, cell.x + cell.width);
            let mut line = |border: Option<Border>, from: (f32, f32), to: (f32, f32)| {
                if let Some(border) = border {
                    part.items.push(Item::Line { from, to, border });
                }
            };
            line(cell.left, (left, 0.0), (left, height));
            line(cell.right, (right, 0.0), (right, height));
            if at == 0 && !cell.from_above {
                line(cell.top, (left, 0.0), (right, 0.0));
            }
            if at == last && !cell.goes_on {
                line(cell.bottom, (left, height), (right, height));
            }
        }
    }
}

/// A copy of header rows, as artifacts, which is repeated on later pages.
pub fn repeated(slices: &[Slice]) -> Rc<Vec<Slice>> {
    let slices = slices.iter().map(|slice| {
        let mut slice = slice.clone();
        silence(&mut slice);
        slice
    });
    Rc::new(slices.collect())
}

/// Removes notes, destinations and links of a repeated row, and turns its text into an artifact.
fn silence(slice: &mut Slice) {
    slice.notes.clear();
    slice.head = None;
    slice.items.retain(|draw| {
        !matches!(
            draw,
            Item::Anchor { .. } | Item::Outline { .. } | Item::Link { .. }
        )
    });
    for draw in &mut slice.items {
        if let Item::Text { belongs, .. } | Item::Picture { belongs, .. } = draw {
            *belongs = Owner::Layout;
        }
    }
    for cell in slice.row.iter_mut().flat_map(|row| &mut row.cells) {
        cell.slices.iter_mut().for_each(silence);
    }
}
