//! Writes tables. Each row states the edges of its cells, and which of them continue the cell above. Computes no spans.

use super::context::{Context, NESTED, Place as Around};
use crate::{
    document::{
        office::{self, Use},
        tree::{Length, Place, Row, Table},
    },
    error::Result,
};

/// How many tables may be inside each other. Those that are deeper become paragraphs.
const DEEPEST: usize = 8;

impl<'a> Context<'a> {
    /// Writes a table with its caption.
    pub(super) fn table(&mut self, table: &'a Table) -> Result<()> {
        let around = self.place.clone();
        self.place = Around {
            within: Some(Use::TableCaption),
            tables: around.tables,
            right_to_left: around.right_to_left,
            ..Around::default()
        };
        self.blocks(&table.caption)?;
        self.place.within = Some(Use::TableText);
        if around.tables >= DEEPEST {
            self.losses.add(&NESTED);
            for cell in table.rows().flat_map(|row| &row.cells) {
                self.blocks(&cell.blocks)?;
            }
        } else {
            self.end_paragraph();
            self.place.tables += 1;
            let widths = office::column_widths(table, self.text_width);
            let text_width = self.text_width;
            for (rows, head) in [
                (&table.head, true),
                (&table.body, false),
                (&table.foot, false),
            ] {
                for (row, places) in table.grid(rows) {
                    self.grow()?;
                    self.row(table, row, &places, &widths, head)?;
                }
            }
            self.text_width = text_width;
            if around.tables == 0 {
                self.out.push_str("\\pard\n");
            }
        }
        self.place = around;
        Ok(())
    }

    fn row(
        &mut self,
        table: &'a Table,
        row: &Row,
        places: &[Place<'a>],
        widths: &[Length],
        head: bool,
    ) -> Result<()> {
        // The properties of a row precede it, but follow it in a table inside another one.
        let nested = self.place.tables > 1;
        if !nested {
            self.row_properties(row, places, widths, head);
            self.out.push('\n');
        }
        for place in places {
            if let Place::Cell { column, cell } = place {
                let end = (column + usize::from(cell.columns)).min(widths.len());
                let own = &widths[(*column).min(end)..end];
                self.text_width = own.iter().fold(Length::ZERO, |sum, width| sum + *width);
                let of_column = table
                    .columns
                    .get(*column)
                    .and_then(|column| column.alignment);
                self.place.alignment = cell.alignment.or(of_column);
                self.blocks(&cell.blocks)?;
                self.place.alignment = None;
            }
            // The last paragraph of a cell needs no end of its own.
            if !std::mem::take(&mut self.open) {
                self.out.push_str("\\pard");
                self.in_table();
            }
            self.out
                .push_str(if nested { "\\nestcell\n" } else { "\\cell\n" });
        }
        if nested {
            self.out.push_str("{\\*\\nesttableprops");
            self.row_properties(row, places, widths, head);
            // Readers that know no nested tables begin a paragraph.
            self.out.push_str("\\nestrow}{\\nonesttables\\par}\n");
        } else {
            self.out.push_str("\\row\n");
        }
        Ok(())
    }

    /// Says in how many tables the paragraph is.
    pub(super) fn in_table(&mut self) {
        if self.place.tables > 0 {
            self.word("intbl");
        }
        if self.place.tables > 1 {
            self.number("itap", self.place.tables as i64);
        }
    }

    fn row_properties(&mut self, row: &Row, places: &[Place<'a>], widths: &[Length], head: bool) {
        self.out.push_str("\\trowd\\trgaph108");
        if head {
            self.word("trhdr");
        }
        if let Some(height) = row.height {
            self.number("trrh", height.to_twips());
        }
        for place in places {
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
            let end = (column + usize::from(wide)).min(widths.len());
            let edge = widths[..end]
                .iter()
                .fold(Length::ZERO, |sum, width| sum + *width);
            self.number("cellx", edge.to_twips());
        }
    }
}
