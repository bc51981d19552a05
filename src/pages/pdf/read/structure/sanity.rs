//! Whether a structure can be trusted. Many files are tagged by programs that guess worse than we do, or were edited since.

use super::{Role, Structure};
use crate::pdf::read::text::block::Page;

/// The share of letters that the structure has to cover, and the largest share that may be artifacts.
const COVERED: f64 = 0.98;
const MOST_ARTIFACTS: f64 = 0.4;

/// The share of pictures that it has to cover.
const PICTURED: f64 = 0.8;

/// The share of steps from one text to the next that lead forward, and how many steps are enough to judge by.
const FORWARD: f64 = 0.7;
const STEPS: usize = 10;

/// The most lines of a paragraph, but for code, and the share of all lines that may be in longer ones.
const LINES: usize = 60;
const IN_LONG: f64 = 0.3;

/// The share of rows that have as many cells as their table has columns.
const EVEN: f64 = 0.8;

/// Whether a structure says something, covers what is drawn, and has an order near that of the drawing.
pub(crate) fn is_sane(structure: &Structure, pages: &[Page]) -> bool {
    says_something(structure)
        && covers(pages)
        && is_in_order(pages)
        && has_paragraphs(pages)
        && has_even_tables(structure)
}

/// Whether there is an element that layout alone would not tell for sure.
fn says_something(structure: &Structure) -> bool {
    let says = |role: Role| {
        matches!(
            role,
            Role::Heading(_) | Role::HeadingOfSection | Role::Item | Role::Row
        )
    };
    structure.elements.iter().any(|element| says(element.role))
}

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
        && artifacts <= MOST_ARTIFACTS * (letters + artifacts)
        && pictured >= PICTURED * figures
}

fn is_in_order(pages: &[Page]) -> bool {
    let steps: usize = pages.iter().map(|page| page.marked.steps).sum();
    let forward: usize = pages.iter().map(|page| page.marked.forward).sum();
    steps < STEPS || forward as f64 >= FORWARD * steps as f64
}

/// Whether texts are paragraphs, not whole pages.
fn has_paragraphs(pages: &[Page]) -> bool {
    let parts = || pages.iter().flat_map(|page| &page.marked.parts);
    let lines: usize = parts().map(|part| part.lines.len()).sum();
    let long: usize = parts()
        .map(|part| part.lines.len())
        .filter(|lines| *lines > LINES)
        .sum();
    long as f64 <= IN_LONG * lines as f64
}

/// Whether the rows of tables are as wide as one another, but for some.
fn has_even_tables(structure: &Structure) -> bool {
    let (mut rows, mut even) = (0, 0);
    for element in &structure.elements {
        if element.role != Role::Table {
            continue;
        }
        let mut widths = Vec::new();
        let mut hanging = Vec::new();
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

fn kids<'a>(
    structure: &'a Structure,
    of: &'a super::Element,
) -> impl Iterator<Item = &'a super::Element> {
    of.children().map(|kid| structure.element(kid))
}

/// The columns of a row, with those that cells of earlier rows cover. `hanging` are those cells: their columns, and in how many
/// rows they go on.
fn width(structure: &Structure, row: &super::Element, hanging: &mut Vec<(usize, u16)>) -> usize {
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
