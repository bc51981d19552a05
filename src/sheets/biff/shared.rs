//! Shared formulas: a group of cells whose formulas differ only by position stores one of them (MS-XLS 2.4.277,
//! MS-XLSB 2.4.823).

use super::{scope::Scope, tokens::Formula};
use std::collections::HashMap;

/// Maximum number of shared formulas of a sheet.
const MAX_SHARED: usize = 1 << 16;

/// Maximum total length of a workbook's formulas as text, in bytes.
const MAX_TEXT: u64 = 32 << 20;

/// Tokens of a formula, and the data after them.
type Parts = (Box<[u8]>, Box<[u8]>);

/// Shared formulas of a sheet, by row and column of the cell that each one is stored with.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Formulas as tokens. Relative references count from the cell that uses the formula.
    formulas: HashMap<(u32, u32), Parts>,
    /// Total length of all formulas that were converted to text, in bytes.
    written: u64,
}

impl Shared {
    /// Upper bound of the memory of a workbook's formulas as text, in bytes. The text of a shared formula is repeated
    /// for each of its cells, hence the factor.
    pub(crate) fn memory(input: u64) -> u64 {
        input.saturating_mul(16).min(MAX_TEXT)
    }

    /// Adds the shared formula that is stored with a cell.
    pub(crate) fn add(&mut self, cell: (u32, u32), formula: Formula<'_>) {
        if self.formulas.len() < MAX_SHARED {
            let parts = (formula.tokens.into(), formula.extra.into());
            self.formulas.insert(cell, parts);
        }
    }

    /// Forgets the formulas when another sheet begins.
    pub(crate) fn clear(&mut self) {
        self.formulas.clear();
    }

    /// Text of a cell's formula, whether its own or a shared one. `None` if it cannot be translated, or if the total
    /// length exceeds `most` bytes.
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
