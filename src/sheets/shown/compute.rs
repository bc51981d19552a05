//! Computes formulas that a workbook stores without their values. Such workbooks come from libraries that write
//! formulas but compute nothing. Stored values are never changed.
//!
//! A formula stays without a value if it is not supported (for example, because it calls an unknown function), if its
//! value changes from day to day (`TODAY`), if it refers to itself, or if it depends on such a formula.
//!
//! A formula is computed when another one asks for its value, so the call stack grows with each reference. Beyond a
//! depth of [`MAX_DEPTH`] the computation stops and reports the cell it needs; that cell is computed first from an
//! explicit stack. A column of 100,000 running totals therefore needs no deep recursion. Steps are counted over the
//! whole workbook; formulas that would exceed [`MAX_STEPS`] stay without values.

mod area;
mod call;
mod collect;
mod dates;
mod evaluate;
mod expression;
mod lookup;
mod money;
#[cfg(test)]
mod tests;
mod text;
pub(super) mod values;

use super::book::{Grid, Name, Value};
use crate::{error::Result, job::Job};
use convertd_office::time::Epoch;
pub(super) use evaluate::EvaluationContext;
pub(crate) use expression::{Expression, Scope};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

/// Maximum number of cells and parts of formulas evaluated for a workbook.
const MAX_STEPS: u64 = 20_000_000;

/// Maximum depth of formulas that compute one another by recursion.
const MAX_DEPTH: u32 = 8;

/// Reason why a formula has no value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::shown) enum Fault {
    /// The formula is not supported, refers to itself, has a value that depends on the day, or needs more steps than
    /// are left.
    Unknown,
    /// The formula is understood, and its value is this error (`#DIV/0!`).
    Error(Box<str>),
    /// The value of this cell (sheet, row, column) is needed first.
    Needs(usize, u32, u32),
}

/// Cells that formulas refer to.
pub(in crate::shown) trait Source {
    /// Returns the value of a cell, which may be an error value.
    fn value(&self, sheet: usize, row: u32, column: u32) -> std::result::Result<Value, Fault>;

    /// Last row and column with cells, counted from 1. Ranges over whole columns end here.
    fn extent(&self, sheet: usize) -> (u32, u32);

    /// Returns whether a subtotal skips a cell: because the cell is a subtotal itself, or because its row is hidden
    /// and `hidden` is set.
    fn is_left_out(&self, sheet: usize, row: u32, column: u32, hidden: bool) -> bool;
}

/// A sheet as the source of formulas that refer to no other sheet, such as those of conditional formats.
pub(super) struct SingleSheet<'g> {
    grid: &'g Grid,
    extent: (u32, u32),
}

impl<'g> SingleSheet<'g> {
    pub(super) fn new(grid: &'g Grid) -> Self {
        Self {
            grid,
            extent: extent(grid),
        }
    }
}

impl Source for SingleSheet<'_> {
    fn value(&self, _: usize, row: u32, column: u32) -> std::result::Result<Value, Fault> {
        Ok(cell_value(self.grid, row, column).clone())
    }

    fn extent(&self, _: usize) -> (u32, u32) {
        self.extent
    }

    fn is_left_out(&self, _: usize, row: u32, column: u32, hidden: bool) -> bool {
        is_left_out(self.grid, row, column, hidden)
    }
}

/// Last row and column of a sheet with cells, counted from 1. Goes through all rows, so callers keep the result.
fn extent(grid: &Grid) -> (u32, u32) {
    let columns = grid.rows.iter().filter_map(|line| line.cells.last());
    (
        grid.rows.last().map_or(0, |line| line.number + 1),
        columns.map(|cell| cell.column + 1).max().unwrap_or(0),
    )
}

/// Returns whether a subtotal skips a cell of a sheet: see [`Source::is_left_out`].
fn is_left_out(grid: &Grid, row: u32, column: u32, hidden: bool) -> bool {
    let Some(line) = grid.row(row) else {
        return false;
    };
    let formula = line.cell(column).and_then(|cell| cell.formula.as_deref());
    let is_one = formula.is_some_and(|formula| {
        let name = formula.trim_start_matches(['=', ' ', '+']).get(..9);
        name.is_some_and(|name| name.eq_ignore_ascii_case("SUBTOTAL("))
    });
    is_one || hidden && line.hidden
}

/// Stored value of a cell.
pub(super) fn cell_value(grid: &Grid, row: u32, column: u32) -> &Value {
    let cell = grid.row(row).and_then(|line| line.cell(column));
    cell.map_or(&Value::Empty, |cell| &cell.value)
}

/// Computed values of a sheet's formulas, by row and column.
pub(crate) type Values = HashMap<(u32, u32), Value>;

/// Returns whether a cell has a formula without a stored value.
fn is_missing(cell: &super::book::Cell) -> bool {
    cell.formula.is_some() && cell.value == Value::Empty
}

/// Returns whether a sheet has formulas without stored values.
pub(crate) fn is_incomplete(grid: &Grid) -> bool {
    grid.rows
        .iter()
        .any(|line| line.cells.iter().any(is_missing))
}

/// Stores computed values in formula cells without a value. Returns the number of cells that still
/// have no value.
pub(crate) fn fill(grid: &mut Grid, values: &Values) -> u64 {
    let mut missing = 0;
    for line in &mut grid.rows {
        for cell in line.cells.iter_mut().filter(|cell| is_missing(cell)) {
            match values.get(&(line.number, cell.column)) {
                Some(value) => cell.value = value.clone(),
                None => missing += 1,
            }
        }
    }
    missing
}

/// Computes the values of all formulas without a stored value, sheet by sheet.
///
/// Errors: those of [`Job::check`].
pub(crate) fn values(
    job: &Job<'_>,
    grids: &[Grid],
    names: &[Name],
    epoch: Epoch,
) -> Result<Vec<Values>> {
    let sheets = grids.iter().map(|grid| grid.sheet.name().to_lowercase());
    let sheets: Vec<String> = sheets.collect();
    let workbook = Workbook {
        grids,
        names,
        sheets: &sheets,
        extents: grids.iter().map(extent).collect(),
        epoch,
        known: RefCell::new(HashMap::new()),
        depth: Cell::new(0),
        steps: Cell::new(MAX_STEPS),
    };
    for (sheet, grid) in grids.iter().enumerate() {
        for line in &grid.rows {
            for cell in line.cells.iter().filter(|cell| is_missing(cell)) {
                workbook.compute_with_needed(job, (sheet, line.number, cell.column))?;
            }
        }
    }
    let mut all = vec![Values::new(); grids.len()];
    for ((sheet, row, column), state) in workbook.known.into_inner() {
        if let State::Known(Ok(value)) = state {
            all[sheet].insert((row, column), value);
        }
    }
    Ok(all)
}

/// Address of a cell: sheet index, row and column.
type Place = (usize, u32, u32);

/// Progress of one formula.
enum State {
    /// Being computed. A formula that asks for it now is part of a circular reference.
    Begun,
    /// Finished, with its value or the reason why it has none.
    Known(std::result::Result<Value, Fault>),
}

/// A workbook during the computation.
struct Workbook<'g> {
    grids: &'g [Grid],
    names: &'g [Name],
    /// Names of the sheets in lower case, as references are compared.
    sheets: &'g [String],
    /// Last row and column with cells of each sheet.
    extents: Vec<(u32, u32)>,
    epoch: Epoch,
    /// State of each formula that was asked for.
    known: RefCell<HashMap<Place, State>>,
    /// Current depth of recursion: formulas that wait for one another on the call stack.
    depth: Cell<u32>,
    /// Steps left for the whole workbook.
    steps: Cell<u64>,
}

impl Workbook<'_> {
    /// Computes a cell. Cells that it needs and that lie too deep for recursion are computed first.
    ///
    /// The loop is a depth-first search with its own stack: a cell stays on `waiting` until it is known, and each
    /// cell that it reports as needed is pushed on top of it.
    fn compute_with_needed(&self, job: &Job<'_>, place: Place) -> Result<()> {
        let mut waiting = vec![place];
        while let Some(place) = waiting.last().copied() {
            job.check()?;
            if self.known.borrow().contains_key(&place) {
                waiting.pop();
                continue;
            }
            if let Err(Fault::Needs(sheet, row, column)) = self.compute(place) {
                let next = (sheet, row, column);
                match waiting.contains(&next) {
                    false => waiting.push(next),
                    // The cell already waits for this one, so this is a circular reference, which has no value.
                    true => {
                        let unknown = State::Known(Err(Fault::Unknown));
                        self.known.borrow_mut().insert(next, unknown);
                    }
                }
            }
        }
        Ok(())
    }

    /// Computes a formula whose value is not known yet, and remembers the result.
    ///
    /// A formula that only waits for another cell is forgotten again, so that it is retried later.
    fn compute(&self, place: Place) -> std::result::Result<Value, Fault> {
        self.known.borrow_mut().insert(place, State::Begun);
        self.depth.set(self.depth.get() + 1);
        let found = evaluate::settled(self.evaluate(place));
        self.depth.set(self.depth.get() - 1);
        let mut known = self.known.borrow_mut();
        match &found {
            Err(Fault::Needs(..)) => known.remove(&place),
            _ => known.insert(place, State::Known(found.clone())),
        };
        found
    }

    /// Evaluates the formula of a cell in the scope of its sheet.
    fn evaluate(&self, (sheet, row, column): Place) -> std::result::Result<Value, Fault> {
        let grid = &self.grids[sheet];
        let cell = grid.row(row).and_then(|line| line.cell(column));
        let formula = cell
            .and_then(|cell| cell.formula.as_deref())
            .ok_or(Fault::Unknown)?;
        let scope = Scope {
            sheets: self.sheets,
            names: self.names,
            own: sheet,
        };
        let expression = Expression::parse_in(formula, scope).ok_or(Fault::Unknown)?;
        let range = grid.arrays.get(&(row, column));
        let context = EvaluationContext {
            source: self,
            sheet,
            at: (row, column),
            first: (row, column),
            epoch: self.epoch,
            arrays: range.is_some(),
            steps: &self.steps,
        };
        let value = match range {
            None => context.value(&expression)?,
            Some(last) if *last == (row, column) => {
                let array = context.array(&expression)?;
                array.values.into_iter().next().ok_or(Fault::Unknown)?
            }
            // An array formula over several cells has a value for each of them, which is not supported.
            Some(_) => return Err(Fault::Unknown),
        };
        Ok(match value {
            // A formula that refers to an empty cell shows zero.
            Value::Empty => Value::Number(0.0),
            Value::Number(number) => Value::Number(values::fifteen(number)),
            Value::Rich(_) => Value::Text(value.text().unwrap_or_default().into()),
            other => other,
        })
    }
}

impl Source for Workbook<'_> {
    fn value(&self, sheet: usize, row: u32, column: u32) -> std::result::Result<Value, Fault> {
        let grid = self.grids.get(sheet).ok_or(Fault::Unknown)?;
        let Some(cell) = grid.row(row).and_then(|line| line.cell(column)) else {
            return Ok(Value::Empty);
        };
        if !is_missing(cell) {
            return Ok(cell.value.clone());
        }
        match self.known.borrow().get(&(sheet, row, column)) {
            Some(State::Known(value)) => return value.clone(),
            Some(State::Begun) => return Err(Fault::Unknown),
            None => {}
        }
        match self.depth.get() < MAX_DEPTH {
            true => self.compute((sheet, row, column)),
            false => Err(Fault::Needs(sheet, row, column)),
        }
    }

    fn extent(&self, sheet: usize) -> (u32, u32) {
        self.extents.get(sheet).copied().unwrap_or((0, 0))
    }

    fn is_left_out(&self, sheet: usize, row: u32, column: u32, hidden: bool) -> bool {
        let grid = self.grids.get(sheet);
        grid.is_some_and(|grid| is_left_out(grid, row, column, hidden))
    }
}
