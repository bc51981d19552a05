//! The tables of a sheet (ECMA-376 part 1, 18.5): where they are, and which style they have.

use super::{MAX_PART, cells::says, styles::Styles};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    office::drawing::number,
    spreadsheet::{
        cells::span,
        ooxml::{NAMESPACES, Package, Reference},
        shown::{
            book::{Book, Grid, Range},
            tables::{self, Table},
        },
    },
};

/// The limit on tables of a sheet.
const MAX_TABLES: usize = 256;

/// Gives the tables of a sheet their looks.
pub(super) fn read(
    package: &mut Package<'_>,
    references: &[Reference],
    styles: &Styles,
    grid: &mut Grid,
    book: &Book,
) -> Result<()> {
    let parts = references.iter().filter(|one| one.kind == "table");
    for part in parts.take(MAX_TABLES) {
        let Some(text) = package.text(&part.target, MAX_PART)? else {
            continue;
        };
        let mut xml = Reader::new(package.job, &text, NAMESPACES);
        let root = xml.root()?;
        let node = Node::read(&mut xml, root)?;
        if let Some(table) = table(&node) {
            // Black, and the six accents of the theme, which begin at the fifth place.
            let theme = &styles.colours.theme;
            let accents = std::array::from_fn(|at| match at {
                0 => [0; 3],
                at => theme.numbered(at + 3).unwrap_or([0; 3]),
            });
            tables::apply(&table, accents, grid, book);
        }
    }
    Ok(())
}

fn table(node: &Node<'_>) -> Option<Table> {
    let style = node.child("s", "tableStyleInfo")?;
    let (rows, columns) = span(&node.attribute("ref")?)?;
    let (rows, columns) = (rows?, columns?);
    Some(Table {
        range: Range {
            first: (rows.0, columns.0),
            last: (rows.1, columns.1),
        },
        style: style.attribute("name")?.as_ref().into(),
        has_header: number(node, "headerRowCount") != Some(0),
        has_totals: number(node, "totalsRowCount").is_some_and(|count| count > 0),
        row_stripes: says(style, "showRowStripes"),
        column_stripes: says(style, "showColumnStripes"),
        first_column: says(style, "showFirstColumn"),
        last_column: says(style, "showLastColumn"),
    })
}
