//! Columns of a CSV file whose numbers have a decimal comma, as in most of Europe. The delimiter of such a file is not
//! a comma. The columns are determined from the beginning of the file; a column in which a number can only have a
//! decimal point is not one of them.

use super::read::Parser;
use crate::{
    cells::{Cells, Value},
    error::Result,
    separators::Separators,
    types,
};
use std::collections::BTreeMap;

/// Maximum number of columns that are examined.
const MAX: u32 = 4096;

/// Numbers of the columns with a decimal comma, in ascending order.
pub(super) struct Commas(Vec<u32>);

impl Commas {
    /// Examines the beginning of a file.
    pub(super) fn of(sample: &str, delimiter: u8) -> Self {
        // For each column: the number of fields with a decimal comma, and whether a field can only have a decimal
        // point.
        let mut columns: BTreeMap<u32, (usize, bool)> = BTreeMap::new();
        let mut parser = Parser::new(delimiter);
        let mut examine = |cells: &Cells| {
            for (column, value) in cells.iter().filter(|(column, _)| *column < MAX) {
                let Value::Written(text) = value else {
                    continue;
                };
                let comma = Separators::Comma.plain(text).is_some();
                let point = Separators::Point.plain(text).is_some();
                let (commas, has_point) = columns.entry(column).or_default();
                *commas += usize::from(comma && text.contains(','));
                *has_point |= point && !comma;
            }
            Ok(())
        };
        // The parser is not finished, because the last row of the sample may be cut off. Errors are reported when the
        // file is read.
        if parser.parse(sample, &mut examine).is_err() {
            return Self(Vec::new());
        }
        let all = columns
            .into_iter()
            .filter(|(_, (commas, has_point))| *commas > 0 && !has_point);
        Self(all.map(|(column, _)| column).collect())
    }

    /// Returns whether no column has a decimal comma.
    pub(super) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Copies a row. The numbers in these columns become typed values; other fields stay as they are.
    pub(super) fn typed(&self, cells: &Cells, typed: &mut Cells) -> Result<()> {
        typed.begin(cells.row);
        (typed.hidden, typed.width) = (cells.hidden, cells.width);
        for (column, value) in cells.iter() {
            let number = match value {
                Value::Written(text) if self.0.binary_search(&column).is_ok() => {
                    let plain = Separators::Comma.plain(text);
                    plain.and_then(|plain| types::number(&plain))
                }
                _ => None,
            };
            typed.push(column, number.map_or(value, Value::Number))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_commas_are_numbers() {
        #[track_caller]
        fn check(sample: &str, expected: &[u32]) {
            assert_eq!(Commas::of(sample, b';').0, expected, "{sample}");
        }
        check("a;b;c\n1,5;2;x\n-0,25;3;y\n", &[0]);
        check("1.234,50;1,234\n7;1.5\n", &[0]);
        // Columns with a decimal point, or without a decimal comma.
        check("1,5;1.5\n2.25;3\n", &[]);
        check("Roe, Ann;12\n", &[]);
        check("\"open", &[]);
    }
}
