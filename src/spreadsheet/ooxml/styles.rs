//! The meaning of numbers by their cell styles. Ignores everything else in a style.

use crate::{
    containers::xml::{Stream, Token},
    error::Result,
    spreadsheet::number_format::Meaning,
};
use std::{collections::HashMap, io::BufRead};

/// The limit on number formats and cell styles. Excel itself allows 64,000.
const MAX: usize = 1 << 17;

/// For each cell style, the meaning of numbers.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    codes: HashMap<u32, Meaning>,
    cells: Vec<Meaning>,
}

impl Styles {
    /// Reads the styles part of XLSX.
    pub(crate) fn read<R: BufRead>(xml: &mut Stream<'_, R>) -> Result<Self> {
        let mut styles = Self::default();
        let mut in_cells = false;
        while let Some(token) = xml.next()? {
            match token {
                Token::Start(element) if element.space == "s" => {
                    let number = || element.attribute("numFmtId")?.trim().parse().ok();
                    match element.name {
                        "numFmt" => {
                            let code = element.attribute("formatCode").unwrap_or_default();
                            if let Some(number) = number() {
                                styles.add_code(number, &code);
                            }
                        }
                        "cellXfs" => in_cells = true,
                        "xf" if in_cells => styles.add_cell(number().unwrap_or(0)),
                        _ => {}
                    }
                }
                Token::End("s", "cellXfs") => in_cells = false,
                _ => {}
            }
        }
        Ok(styles)
    }

    /// Adds a custom number format with its identifier.
    pub(crate) fn add_code(&mut self, number: u32, code: &str) {
        if self.codes.len() < MAX {
            self.codes.insert(number, Meaning::of(code));
        }
    }

    /// Adds the next cell style, with the identifier of its number format.
    pub(crate) fn add_cell(&mut self, format: u32) {
        if self.cells.len() < MAX {
            let code = self.codes.get(&format).copied();
            self.cells
                .push(code.unwrap_or_else(|| Meaning::built_in(format)));
        }
    }

    /// The meaning of a number with this cell style.
    pub(crate) fn shown(&self, style: usize) -> Meaning {
        self.cells.get(style).copied().unwrap_or_default()
    }
}
