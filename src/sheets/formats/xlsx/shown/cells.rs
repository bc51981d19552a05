//! Rows and cells (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4) with their styles. Formats no values.

use super::{
    super::cells::{self, Kind},
    Shared,
    in_cells::InCell,
    strings,
};
use crate::{
    cells::COLUMNS,
    containers::xml::{Element, Node, Reader},
    error::{self, Error, Result},
    shown::{
        book::{Cell, Grid, Line, MAX_LIST, Range, Value},
        formula::shifted,
    },
    stored::Losses,
};
use convertd_office::drawing::{flag, number};
use std::collections::HashMap;

/// Losses in cells, and pictures in cells.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) losses: Losses,
    /// Number of formulas that have no stored value, and cannot be computed.
    pub(super) unknown: u64,
    /// Pictures in the cells of the sheet that is being read.
    pub(super) pictures: Vec<InCell>,
}

/// Reads the cells of a sheet part and nothing else. `xml` is at its beginning. Returns false if there are more than
/// `left` cells.
pub(super) fn alone(
    xml: &mut Reader<'_>,
    shared: &Shared<'_>,
    grid: &mut Grid,
    left: &mut usize,
) -> Result<bool> {
    xml.root()?;
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        if element.space == "s" && element.name == "sheetData" {
            return read(xml, shared, grid, left, &mut Findings::default());
        }
    }
    Ok(true)
}

/// Reads the rows of the open `sheetData`. Returns false if there are more than `left` cells.
pub(super) fn read(
    xml: &mut Reader<'_>,
    shared: &Shared<'_>,
    grid: &mut Grid,
    left: &mut usize,
    found: &mut Findings,
) -> Result<bool> {
    let level = xml.level();
    let mut formulas = Formulas::default();
    let (mut next, mut open) = (0, cells::Cell::default());
    while let Some(element) = xml.next_element(level)? {
        if element.name != "row" {
            continue;
        }
        let mut line = line(&element, next)?;
        next = line.number + 1;
        let inner = xml.level();
        let mut column = 0;
        while let Some(element) = xml.next_element(inner)? {
            if element.name != "c" {
                continue;
            }
            let node = Node::read(xml, element)?;
            open.begin(&element, column);
            column = open.column + 1;
            if open.column >= COLUMNS {
                let has_value = node.child("s", "v").is_some() || node.child("s", "is").is_some();
                found.losses.beyond += u64::from(has_value);
                continue;
            }
            let Some(rest) = left.checked_sub(1) else {
                return Ok(false);
            };
            *left = rest;
            let picture = shared.pictures.and_then(|all| all.get(&open.metadata));
            if let Some(picture) = picture {
                found.pictures.push(InCell {
                    row: line.number,
                    column: open.column,
                    part: picture.part.clone(),
                    text: picture.text.clone(),
                });
            }
            line.cells.push(Cell {
                column: open.column,
                style: u32::try_from(open.style).unwrap_or(0),
                value: match picture {
                    // The stored value is only the error that older programs show.
                    Some(_) => Value::Empty,
                    None => value(&node, open.kind, shared, &mut found.losses),
                },
                shown: None,
                formula: formulas.read(&node, line.number, open.column),
            });
        }
        grid.rows.push(line);
    }
    grid.sort_rows();
    grid.arrays = formulas.arrays;
    Ok(true)
}

/// Formulas of a sheet that concern several cells.
#[derive(Default)]
struct Formulas {
    /// Shared formulas by index (18.3.1.40): text, and row and column of the cell that has it.
    shared: HashMap<i64, (Box<str>, u32, u32)>,
    /// Last cell of array formulas, by their first cell.
    arrays: HashMap<(u32, u32), (u32, u32)>,
}

impl Formulas {
    /// Formula of a cell. Data tables have none, but their values are kept.
    fn read(&mut self, node: &Node<'_>, row: u32, column: u32) -> Option<Box<str>> {
        let formula = node.child("s", "f")?;
        match formula.attribute("t").as_deref() {
            None | Some("normal") => {}
            Some("shared") => {
                let number = number(formula, "si")?;
                if formula.text.is_empty() {
                    let (text, first_row, first_column) = self.shared.get(&number)?;
                    let rows = i64::from(row) - i64::from(*first_row);
                    let columns = i64::from(column) - i64::from(*first_column);
                    return shifted(text, rows, columns).map(Into::into);
                }
                if self.shared.len() < MAX_LIST {
                    self.shared
                        .insert(number, ((&*formula.text).into(), row, column));
                }
            }
            Some("array") => {
                let range = formula.attribute("ref").and_then(|all| Range::parse(&all));
                let range = range.filter(|range| range.first == (row, column))?;
                if self.arrays.len() == MAX_LIST {
                    return None;
                }
                self.arrays.insert(range.first, range.last);
            }
            Some(_) => return None,
        }
        (!formula.text.is_empty()).then(|| (&*formula.text).into())
    }
}

/// Reads the attributes of a row.
fn line(element: &Element<'_>, next: u32) -> Result<Line> {
    let row = cells::row(element, next);
    let (number, hidden) = row.map_err(|why| Error::new(error::Kind::BadInput, why))?;
    let attribute = |name| element.attribute(name);
    let height = attribute("ht").and_then(|height| height.trim().parse::<f32>().ok());
    let style = attribute("s").and_then(|style| style.trim().parse().ok());
    let custom = attribute("customFormat");
    Ok(Line {
        number,
        height: height.filter(|height| height.is_finite()),
        hidden,
        style: style.filter(|_| matches!(custom.as_deref(), Some("1" | "true"))),
        cells: Vec::new(),
    })
}

/// Value of a cell of this type.
fn value(node: &Node<'_>, kind: Kind, shared: &Shared<'_>, losses: &mut Losses) -> Value {
    if kind == Kind::Inline {
        let text = node.child("s", "is");
        return text.map_or(Value::Empty, |text| {
            strings::string(text, &shared.styles.colours)
        });
    }
    let Some(value) = node.child("s", "v") else {
        return Value::Empty;
    };
    let text = kind.text(&value.text);
    let find = |number| shared.strings.get(number).cloned();
    kind.value(&text).in_book(shared.epoch, losses, find)
}

/// Returns whether a boolean attribute is set.
pub(super) fn is_set(node: &Node<'_>, name: &str) -> bool {
    flag(node, name).unwrap_or(false)
}
