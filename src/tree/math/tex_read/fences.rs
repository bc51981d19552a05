//! Parses constructs with a beginning and an end: `\left … \right` and `\begin{…} … \end{…}`. Does not check that the
//! rows of a matrix have equally many cells.

use super::{End, TexParser};
use crate::math::{Math, symbols};

impl TexParser<'_> {
    /// Parses the delimiter after `\left` or `\right`. A period is an invisible delimiter.
    fn delimiter(&mut self) -> Option<String> {
        let c = self.peek()?;
        if c == '\\' {
            let name = self.command()?;
            return symbols::by_name(name).map(|(sign, _)| sign.to_owned());
        }
        self.rest = &self.rest[c.len_utf8()..];
        Some(match c {
            '.' => String::new(),
            '<' => "⟨".to_owned(),
            '>' => "⟩".to_owned(),
            c => c.to_string(),
        })
    }

    /// Parses the delimiter and the content after `\left`, up to the delimiter after `\right`.
    pub(super) fn fenced(&mut self) -> Option<Math> {
        let open = self.delimiter()?;
        let content = Box::new(Math::row(self.parts(End::Right)?));
        self.command()?;
        let close = self.delimiter()?;
        Some(Math::Fenced {
            open,
            content,
            close,
        })
    }

    /// Parses an environment after `\begin`. Its name determines the delimiters and the alignment.
    pub(super) fn environment(&mut self) -> Option<Math> {
        let name = self.words()?;
        let (open, close, aligned) = match name.trim_end_matches('*') {
            "matrix" | "smallmatrix" | "array" => ("", "", false),
            "pmatrix" => ("(", ")", false),
            "bmatrix" => ("[", "]", false),
            "Bmatrix" => ("{", "}", false),
            "vmatrix" => ("|", "|", false),
            "Vmatrix" => ("‖", "‖", false),
            "cases" => ("{", "", false),
            "aligned" | "align" | "split" | "gathered" | "gather" | "equation" | "eqnarray" => {
                ("", "", true)
            }
            _ => return None,
        };
        if name == "array" {
            self.words()?;
        }
        let mut rows = vec![Vec::new()];
        loop {
            let cell = Math::row(self.parts(End::Cell)?);
            if let Some(row) = rows.last_mut() {
                row.push(cell);
            }
            if self.skip('&') {
                continue;
            }
            match self.command()? {
                "\\" => {
                    // The optional argument of `\\`, the distance to the next row, is skipped.
                    if self.rest.starts_with('[') {
                        self.rest = self.rest.split_once(']')?.1;
                    }
                    rows.push(Vec::new());
                }
                "end" => {
                    if self.words()? != name {
                        return None;
                    }
                    break;
                }
                _ => return None,
            }
        }
        // A `\\` after the last row does not begin another row.
        let empty = |row: &Vec<Math>| row.iter().all(|cell| *cell == Math::Row(Vec::new()));
        if rows.len() > 1 && rows.last().is_some_and(empty) {
            rows.pop();
        }
        let table = Math::Table { rows, aligned };
        if open.is_empty() && close.is_empty() {
            return Some(table);
        }
        Some(Math::Fenced {
            open: open.to_owned(),
            content: Box::new(table),
            close: close.to_owned(),
        })
    }
}
