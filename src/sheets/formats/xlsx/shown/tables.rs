//! Tables of a sheet (ECMA-376 part 1, 18.5): their ranges, names and styles. Sorts and filters nothing.

use super::{MAX_PART, cells::is_set, styles::Styles};
use crate::{
    cells::{COLUMNS, span},
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::{NAMESPACES, Package, Reference, unescape},
    shown::{
        book::{Book, Grid, Range},
        formula::columns,
        tables::{self, Table},
    },
};
use convertd_office::drawing::number;

/// Maximum number of tables of a sheet.
const MAX_TABLES: usize = 256;
/// Maximum number of tables of a workbook that formulas may refer to.
const MAX_KNOWN: usize = 1024;

/// Applies the table styles of a sheet, and adds its tables to those that formulas may refer to.
pub(super) fn read(
    package: &mut Package<'_>,
    references: &[Reference],
    styles: &Styles,
    grid: &mut Grid,
    book: &Book,
    known: &mut Vec<columns::Table>,
) -> Result<()> {
    each(package, references, |node| {
        add(node, grid, known);
        if let Some(table) = table(node) {
            // Black, and the six accent colours of the theme, whose indices begin at 4.
            let theme = &styles.colours.theme;
            let accents = std::array::from_fn(|at| match at {
                0 => [0; 3],
                at => theme.numbered(at + 3).unwrap_or([0; 3]),
            });
            tables::apply(&table, accents, grid, book);
        }
    })
}

/// Adds the tables of a sheet to those that formulas may refer to.
pub(super) fn add_names(
    package: &mut Package<'_>,
    references: &[Reference],
    grid: &Grid,
    known: &mut Vec<columns::Table>,
) -> Result<()> {
    each(package, references, |node| add(node, grid, known))
}

/// Calls `read` with each table of a sheet.
fn each(
    package: &mut Package<'_>,
    references: &[Reference],
    mut read: impl FnMut(&Node<'_>),
) -> Result<()> {
    let parts = references.iter().filter(|one| one.kind == "table");
    for part in parts.take(MAX_TABLES) {
        let Some(text) = package.text(&part.target, MAX_PART)? else {
            continue;
        };
        let mut xml = Reader::new(package.job, &text, NAMESPACES);
        let root = xml.root()?;
        read(&Node::read(&mut xml, root)?);
    }
    Ok(())
}

/// Adds a table to those that formulas may refer to, unless there are too many.
fn add(node: &Node<'_>, grid: &Grid, known: &mut Vec<columns::Table>) {
    if known.len() < MAX_KNOWN {
        known.extend(named(node, grid));
    }
}

/// Range of a table.
fn range(node: &Node<'_>) -> Option<Range> {
    let (rows, columns) = span(&node.attribute("ref")?)?;
    let (rows, columns) = (rows?, columns?);
    Some(Range {
        first: (rows.0, columns.0),
        last: (rows.1, columns.1),
    })
}

/// Table as formulas refer to it.
fn named(node: &Node<'_>, grid: &Grid) -> Option<columns::Table> {
    let name = node.attribute("displayName").or(node.attribute("name"))?;
    let columns = node.child("s", "tableColumns")?.all_named("tableColumn");
    let columns = columns.map(|one| {
        let name = one.attribute("name").unwrap_or_default();
        unescape(&name).to_lowercase().into()
    });
    Some(columns::Table {
        name: name.as_ref().into(),
        sheet: grid.sheet.name().into(),
        range: range(node)?,
        has_header: has_header(node),
        has_totals: has_totals(node),
        columns: columns.take(COLUMNS as usize).collect(),
    })
}

/// Returns whether the first row of a table is a header, which is the default.
fn has_header(node: &Node<'_>) -> bool {
    number(node, "headerRowCount") != Some(0)
}

/// Returns whether the last row of a table contains totals.
fn has_totals(node: &Node<'_>) -> bool {
    number(node, "totalsRowCount").is_some_and(|count| count > 0)
}

/// Table with its style (18.5.1.2). `None` without a style.
fn table(node: &Node<'_>) -> Option<Table> {
    let style = node.child("s", "tableStyleInfo")?;
    Some(Table {
        range: range(node)?,
        style: style.attribute("name")?.as_ref().into(),
        has_header: has_header(node),
        has_totals: has_totals(node),
        row_stripes: is_set(style, "showRowStripes"),
        column_stripes: is_set(style, "showColumnStripes"),
        first_column: is_set(style, "showFirstColumn"),
        last_column: is_set(style, "showLastColumn"),
    })
}
