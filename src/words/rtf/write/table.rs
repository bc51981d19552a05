//! Writes tables. Each row states the edges of its cells, and which of them continue the cell above. Computes no spans.

use super::context::Rtf;
use convertd_office::wordprocessing::write::TableRow;
use convertd_tree::{
    Border, Borders, Cell, CellStyle, Length, LineKind, Part, Slot, Typesetter, VerticalAlignment,
};

impl<'a> Rtf<'a> {
    /// Ends a cell. The mark of the cell also ends its last paragraph.
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

    /// Ends a row. For a nested table, the definition of the row follows here.
    pub(super) fn end_row(&mut self, row: &TableRow<'_, 'a>) {
        if self.context.place.tables == 1 {
            self.out.push_str("\\row\n");
            return;
        }
        self.out.push_str("{\\*\\nesttableprops");
        self.row_properties(row);
        // Readers without nested tables begin a paragraph instead.
        self.out.push_str("\\nestrow}{\\nonesttables\\par}\n");
    }

    /// Writes the number of tables around the paragraph.
    pub(super) fn in_table(&mut self) {
        if self.context.place.tables > 0 {
            self.word("intbl");
        }
        if self.context.place.tables > 1 {
            self.number("itap", self.context.place.tables as i64);
        }
    }

    /// Writes the formatting of a cell. If the source of the document has no pages (`Typesetter::Own`), cells without a
    /// style get lines.
    fn cell_look(&mut self, cell: Option<&Cell>) {
        let document = self.context.document;
        let mut style = cell.map_or_else(CellStyle::default, |cell| {
            document.cell_style(cell.style).clone()
        });
        if style == CellStyle::default() && document.typesetter == Typesetter::Own {
            style.borders = Borders::all(Border {
                width: Length::points(0.5),
                colour: None,
                kind: LineKind::Solid,
                space: None,
            });
        }
        match style.vertical {
            Some(VerticalAlignment::Middle) => self.word("clvertalc"),
            Some(VerticalAlignment::Bottom) => self.word("clvertalb"),
            Some(VerticalAlignment::Top) | None => {}
        }
        for (side, border) in [
            ("t", style.borders.top),
            ("l", style.borders.start),
            ("b", style.borders.bottom),
            ("r", style.borders.end),
        ] {
            if let Some(border) = border {
                self.word(&format!("clbrdr{side}"));
                self.line(border);
            }
        }
        if let Some(background) = style.background {
            let number = self.colour(background);
            self.number("clcbpat", number as i64);
        }
    }

    /// Writes the definition of a row: the right edge of each cell in twips, and marks for merged cells.
    pub(super) fn row_properties(&mut self, row: &TableRow<'_, 'a>) {
        self.out.push_str("\\trowd\\trgaph108");
        if row.backwards {
            self.word("rtlrow");
        }
        if row.part == Part::Head {
            self.word("trhdr");
        }
        if let Some(height) = row.row.height {
            // A negative height is exact.
            let sign = if row.row.exact { -1 } else { 1 };
            self.number("trrh", sign * height.to_twips());
        }
        for place in row.places {
            let (column, wide, merge) = match place {
                Slot::Cell { column, cell } => {
                    (*column, cell.columns, (cell.rows > 1).then_some("clvmgf"))
                }
                Slot::Covered { column, cell } => (*column, cell.columns, Some("clvmrg")),
                Slot::Missing { column } => (*column, 1, None),
            };
            if let Some(word) = merge {
                self.word(word);
            }
            let cell = match place {
                Slot::Cell { cell, .. } | Slot::Covered { cell, .. } => Some(*cell),
                Slot::Missing { .. } => None,
            };
            self.cell_look(cell);
            let end = (column + usize::from(wide)).min(row.widths.len());
            let edge = row.widths[..end]
                .iter()
                .fold(Length::ZERO, |sum, width| sum + *width);
            self.number("cellx", edge.to_twips());
        }
    }
}
