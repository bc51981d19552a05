//! Formulas that cells share (MS-XLS 2.4.277, MS-XLSB 2.4.823).

use super::{scope::Scope, tokens::Formula};
use std::collections::HashMap;

/// The limit on formulas that are shared on a sheet.
const MAX_SHARED: usize = 1 << 16;

/// The limit on the formulas of a workbook as text, in bytes.
const MAX_TEXT: u64 = 32 << 20;

/// The tokens of a formula, and the data behind them.
type Parts = (Box<[u8]>, Box<[u8]>);

/// Formulas that cells of a sheet share, by the row and column of the cell that has them.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    formulas: HashMap<(u32, u32), Parts>,
    /// The bytes of all formulas that were written as text.
    written: u64,
}

impl Shared {
    /// The memory of a workbook's formulas as text, in bytes, at most. One that is shared takes its length for each cell.
    pub(crate) fn memory(input: u64) -> u64 {
        input.saturating_mul(16).min(MAX_TEXT)
    }

    /// Adds one that a cell has.
    pub(crate) fn add(&mut self, cell: (u32, u32), formula: Formula<'_>) {
        if self.formulas.len() < MAX_SHARED {
            let parts = (formula.tokens.into(), formula.extra.into());
            self.formulas.insert(cell, parts);
        }
    }

    /// Begins another sheet.
    pub(crate) fn clear(&mut self) {
        self.formulas.clear();
    }

    /// The formula of a cell as text: its own one, or the one that it shares. `None` if it cannot be said, or if all together are
    /// longer than `most` bytes.
    pub(crate) fn text(
        &mut self,
        formula: Formula<'_>,
        scope: &Scope,
        cell: (u32, u32),
        most: u64,
    ) -> Option<String> {
        let text = match formula.owner(scope.is_wide) {
            None => formula.text(scope, cell)?,
            Some(owner) => {
                let (tokens, extra) = self.formulas.get(&owner)?;
                Formula { tokens, extra }.text(scope, cell)?
            }
        };
        self.written = self.written.saturating_add(text.len() as u64);
        (self.written <= most).then_some(text)
    }
}
