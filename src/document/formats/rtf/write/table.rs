//! Writes tables. Each row states the edges of its cells, and which of them continue the cell above. Computes no spans.

use super::context::Rtf;
use crate::document::{
    office::write::TableRow,
    tree::{Length, Part, Place},
};

impl<'a> Rtf<'a> {
    /// Ends a cell. Its last paragraph needs no end of its own.
    pub(super) fn end_cell(&mut self) {
        if !std::mem::take(&mut self.open) {
            self.out.push_str("\\pard");
            self.in_table();
        }
        self.out.push_str(match self.context.place.tables {
            1 => "\\cell\n",
            _ => "\\nestcell\n",
        });
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self, row: &TableRow<'_, 'a>) {
        if self.context.place.tables == 1 {
            self.out.push_str("\\row\n");
            return;
        }
        self.out.push_str("{\\*\\nesttableprops");
        self.row_properties(row);
        // Readers that know no nested tables begin a paragraph.
        self.out.push_str("\\nestrow}{\\nonesttables\\par}\n");
    }

    /// Says in how many tables the paragraph is.
    pub(super) fn in_table(&mut self) {
        if self.context.place.tables > 0 {
            self.word("intbl");
        }
        if self.context.place.tables > 1 {
            self.number("itap", self.context.place.tables as i64);
        }
    }

    pub(super) fn row_properties(&mut self, row: &TableRow<'_, 'a>) {
        self.out.push_str("\\trowd\\trgaph108");
        if row.part == Part::Head {
            self.word("trhdr");
        }
        if let Some(height) = row.row.height {
            self.number("trrh", height.to_twips());
        }
        for place in row.places {
            let (column, wide, merge) = match place {
                Place::Cell { column, cell } => {
                    (*column, cell.columns, (cell.rows > 1).then_some("clvmgf"))
                }
                Place::Covered { column, cell } => (*column, cell.columns, Some("clvmrg")),
                Place::Missing { column } => (*column, 1, None),
            };
            if let Some(word) = merge {
                self.word(word);
            }
            for side in ["t", "l", "b", "r"] {
                self.word(&format!("clbrdr{side}\\brdrs\\brdrw10"));
            }
            let end = (column + usize::from(wide)).min(row.widths.len());
            let edge = row.widths[..end]
                .iter()
                .fold(Length::ZERO, |sum, width| sum + *width);
            self.number("cellx", edge.to_twips());
        }
    }
}
