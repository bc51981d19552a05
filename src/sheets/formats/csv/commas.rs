//! Columns of a CSV file whose numbers have a comma before their decimals, as programs write them in most of Europe. Such a file divides
//! its fields by something else. Told by its beginning; a column with a point before some decimals keeps its text.

use super::read::Parser;
use crate::{
    cells::{Cells, Value},
    error::Result,
    separators::Separators,
    types,
};
use std::collections::BTreeMap;

/// The limit on the columns that are looked at.
const MOST: u32 = 4096;

/// Columns of numbers with commas, by their numbers.
pub(super) struct Commas(Vec<u32>);

impl Commas {
    /// Columns of a file with this beginning.
    pub(super) fn of(sample: &str, delimiter: u8) -> Self {
        // For each column the number of fields with a comma, and whether there is one that must have a point.
        let mut columns: BTreeMap<u32, (usize, bool)> = BTreeMap::new();
        let mut parser = Parser::new(delimiter);
        let mut look = |cells: &Cells| {
            for (column, value) in cells.iter().filter(|(column, _)| *column < MOST) {
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
        // The last row of the sample may be cut off. Errors are reported when the file is read.
        if parser.parse(sample, &mut look).is_err() {
            return Self(Vec::new());
        }
        let all = columns
            .into_iter()
            .filter(|(_, (commas, has_point))| *commas > 0 && !has_point);
        Self(all.map(|(column, _)| column).collect())
    }

    pub(super) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Copies a row, with numbers in these columns.
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
        // Somewhere a point precedes decimals, or no comma does.
        check("1,5;1.5\n2.25;3\n", &[]);
        check("Roe, Ann;12\n", &[]);
        check("\"open", &[]);
    }
}
