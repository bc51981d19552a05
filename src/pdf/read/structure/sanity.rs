//! Plausibility of structure trees. Many files were tagged by programs that recognise less than the layout recognition
//! of this program does, or were edited after they were tagged. Trees that fail these checks are not used.

use super::{Role, Structure};
use crate::read::text::block::Page;

/// Minimum share of the letters of a file that the structure must cover.
const COVERED: f64 = 0.98;
/// Maximum share of the letters of a file that may be artifacts.
const MAX_ARTIFACTS: f64 = 0.4;

/// Minimum share of the pictures of a file that the structure must cover.
const PICTURED: f64 = 0.8;

/// Minimum share of steps between texts, in the order of drawing, that lead forward in the structure.
const FORWARD: f64 = 0.7;
/// Minimum number of steps whose direction is tested. A file with fewer steps passes this test.
const STEPS: usize = 10;

/// Number of lines above which a paragraph is probably a whole page that was tagged as one paragraph.
const LONG_LINES: usize = 60;
/// Maximum share of the lines of a file that may be in paragraphs with more than [`LONG_LINES`] lines.
const MAX_SHARE_IN_LONG: f64 = 0.3;

/// Minimum share of rows that are as wide as the widest row of their table.
const EVEN: f64 = 0.8;

/// Returns whether a structure has more information than the layout, covers the content of the pages, and has an order
/// similar to that of drawing. Most paragraphs must also be shorter than a page, and most rows of a table equally wide.
pub(crate) fn is_sane(structure: &Structure, pages: &[Page]) -> bool {
    is_informative(structure)
        && covers(pages)
        && is_in_order(pages)
        && has_paragraphs(pages)
        && has_even_tables(structure)
}

/// Returns whether the structure has an element that the layout alone does not show with certainty.
fn is_informative(structure: &Structure) -> bool {
    let is_distinct = |role: Role| {
        matches!(
            role,
            Role::Heading(_) | Role::HeadingOfSection | Role::Item | Role::Row
        )
    };
    structure
        .elements
        .iter()
        .any(|element| is_distinct(element.role))
}

/// Returns whether the structure covers most letters and pictures, and not too many letters are artifacts.
fn covers(pages: &[Page]) -> bool {
    let sum = |count: fn(&Page) -> usize| pages.iter().map(count).sum::<usize>() as f64;
    let (letters, covered) = (
        sum(|page| page.marked.letters),
        sum(|page| page.marked.covered),
    );
    let artifacts = sum(|page| page.marked.artifacts);
    let (figures, pictured) = (
        sum(|page| page.figures.len()),
        sum(|page| page.marked.figures.len()),
    );
    covered > 0.0
        && covered >= COVERED * letters
        && artifacts <= MAX_ARTIFACTS * (letters + artifacts)
        && pictured >= PICTURED * figures
}

/// Returns whether the order of the structure is similar to that of drawing. Returns true if there is too little text
/// to compare.
fn is_in_order(pages: &[Page]) -> bool {
    let steps: usize = pages.iter().map(|page| page.marked.steps).sum();
    let forward: usize = pages.iter().map(|page| page.marked.forward).sum();
    steps < STEPS || forward as f64 >= FORWARD * steps as f64
}

/// Returns whether most lines are in paragraphs of at most [`LONG_LINES`] lines.
fn has_paragraphs(pages: &[Page]) -> bool {
    let parts = || pages.iter().flat_map(|page| &page.marked.parts);
    let lines: usize = parts().map(|part| part.lines.len()).sum();
    let long_lines: usize = parts()
        .map(|part| part.lines.len())
        .filter(|lines| *lines > LONG_LINES)
        .sum();
    long_lines as f64 <= MAX_SHARE_IN_LONG * lines as f64
}

/// Returns whether most rows of tables are as wide as the widest row of their table. A cell that spans several columns
/// counts as several columns.
fn has_even_tables(structure: &Structure) -> bool {
    let (mut rows, mut even) = (0, 0);
    for element in &structure.elements {
        if element.role != Role::Table {
            continue;
        }
        let mut widths = Vec::new();
        let mut hanging = Vec::new();
        // The rows are children of the table or of its row groups. `hanging` are cells of earlier rows that span into
        // the next row.
        for kid in kids(structure, element) {
            match kid.role {
                Role::Row => widths.push(width(structure, kid, &mut hanging)),
                Role::Head | Role::Body | Role::Foot | Role::Group => {
                    let inner = kids(structure, kid);
                    let inner = inner.filter(|kid| kid.role == Role::Row);
                    widths.extend(inner.map(|row| width(structure, row, &mut hanging)));
                }
                _ => {}
            }
        }
        let widest = widths.iter().copied().max().unwrap_or(0);
        rows += widths.len();
        even += widths.iter().filter(|width| **width == widest).count();
    }
    even as f64 >= EVEN * rows as f64
}

/// The child elements of an element.
fn kids<'a>(
    structure: &'a Structure,
    element: &'a super::Element,
) -> impl Iterator<Item = &'a super::Element> {
    element.children().map(|kid| structure.element(kid))
}

/// The width of a row in columns, including columns that cells of earlier rows cover. `hanging` has an entry for each
/// of these cells: its number of columns, and the number of further rows that it covers.
fn width(structure: &Structure, row: &super::Element, hanging: &mut Vec<(usize, u16)>) -> usize {
    // Cells of earlier rows cover columns of this row. Some of these cells end in this row.
    let covered: usize = hanging.iter().map(|(columns, _)| columns).sum();
    hanging.retain_mut(|(_, rows)| {
        *rows -= 1;
        *rows > 0
    });
    let mut width = covered;
    for cell in kids(structure, row) {
        let columns = usize::from(cell.attributes.columns);
        width += columns;
        if cell.attributes.rows > 1 {
            hanging.push((columns, cell.attributes.rows - 1));
        }
    }
    width
}
