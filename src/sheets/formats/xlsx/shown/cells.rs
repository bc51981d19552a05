//! Rows and cells (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4) with their styles. Formats no values.

use super::{Shared, in_cells::InCell, strings};
use crate::{
    cells::{COLUMNS, MAX_ROWS, TOO_MANY_ROWS},
    containers::xml::{Element, Node, Reader},
    error::{Error, Kind, Result},
    ooxml::unescape,
    shown::{
        book::{Cell, Grid, Line, MAX_LIST, Range, Value},
        formula::shifted,
    },
};
use convertd_office::drawing::{flag, number};
use std::collections::HashMap;

/// Numbers of cells without a value in the result, by reason, and pictures in cells.
#[derive(Default)]
pub(super) struct Findings {
    /// The shared string is missing.
    pub(super) missing: u64,
    /// The cell is beyond the last column.
    pub(super) beyond: u64,
    /// The formula has no stored value, and cannot be computed.
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
    let mut next = 0;
    while let Some(element) = xml.next_element(level)? {
        if element.name != "row" {
            continue;
        }
        let mut line = line(&element, next);
        // Conversions to formats without styles refuse such a row, too.
        if line.number >= MAX_ROWS {
            return Err(Error::new(Kind::BadInput, TOO_MANY_ROWS));
        }
        next = line.number + 1;
        let inner = xml.level();
        let mut column = 0;
        while let Some(element) = xml.next_element(inner)? {
            if element.name != "c" {
                continue;
            }
            let node = Node::read(xml, element)?;
            if let Some(stated) =
                (node.attribute("r")).and_then(|r| super::super::sheet::column(&r))
            {
                column = stated;
            }
            if column >= COLUMNS {
                let has_value = node.child("s", "v").is_some() || node.child("s", "is").is_some();
                found.beyond += u64::from(has_value);
                column = column.saturating_add(1);
                continue;
            }
            let Some(rest) = left.checked_sub(1) else {
                return Ok(false);
            };
            *left = rest;
            let picture = node
                .attribute("vm")
                .and_then(|metadata| shared.pictures?.get(&metadata));
            if let Some(picture) = picture {
                found.pictures.push(InCell {
                    row: line.number,
                    column,
                    part: picture.part.clone(),
                    text: picture.text.clone(),
                });
            }
            line.cells.push(Cell {
                column,
                style: number(&node, "s")
                    .and_then(|s| u32::try_from(s).ok())
                    .unwrap_or(0),
                value: match picture {
                    // The stored value is only the error that older programs show.
                    Some(_) => Value::Empty,
                    None => value(&node, shared, &mut found.missing),
                },
                shown: None,
                formula: formulas.read(&node, line.number, column),
            });
            column += 1;
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

/// Reads the attributes of a row. A row without a number follows the previous one.
fn line(element: &Element<'_>, next: u32) -> Line {
    let attribute = |name| element.attribute(name);
    let is = |name| matches!(attribute(name).as_deref(), Some("1" | "true"));
    let stated = attribute("r").and_then(|r| r.trim().parse::<u32>().ok());
    let height = attribute("ht").and_then(|height| height.trim().parse::<f32>().ok());
    let style = attribute("s").and_then(|style| style.trim().parse().ok());
    Line {
        number: stated.and_then(|row| row.checked_sub(1)).unwrap_or(next),
        height: height.filter(|height| height.is_finite()),
        hidden: is("hidden"),
        style: style.filter(|_| is("customFormat")),
        cells: Vec::new(),
    }
}

/// Value of a cell by its type (18.18.11). A reference to a missing shared string is counted.
fn value(node: &Node<'_>, shared: &Shared<'_>, missing: &mut u64) -> Value {
    let kind = node.attribute("t");
    if kind.as_deref() == Some("inlineStr") {
        let text = node.child("s", "is");
        return text.map_or(Value::Empty, |text| {
            strings::string(text, &shared.styles.colours)
        });
    }
    let Some(value) = node.child("s", "v").map(|value| &*value.text) else {
        return Value::Empty;
    };
    let text = |text: &str| match text.is_empty() {
        true => Value::Empty,
        false => Value::Text(unescape(text).into()),
    };
    let trimmed = value.trim();
    match kind.as_deref() {
        Some("s") => {
            let index = trimmed.parse::<usize>().ok();
            let found = index.and_then(|index| shared.strings.get(index));
            *missing += u64::from(found.is_none() && !trimmed.is_empty());
            found.cloned().unwrap_or_default()
        }
        Some("str") => Value::Text(unescape(value).into()),
        Some("b") => Value::Boolean(matches!(trimmed, "1" | "true")),
        Some("e") => Value::Error(trimmed.into()),
        Some("d") => {
            let moment = super::super::sheet::date(trimmed);
            let serial = moment.and_then(|moment| shared.epoch.serial(moment));
            serial.map_or_else(|| text(value), Value::Number)
        }
        _ => match trimmed.parse::<f64>() {
            Ok(number) => Value::Number(number),
            Err(_) => text(trimmed),
        },
    }
}

/// Returns whether a boolean attribute is set.
pub(super) fn is_set(node: &Node<'_>, name: &str) -> bool {
    flag(node, name).unwrap_or(false)
}
