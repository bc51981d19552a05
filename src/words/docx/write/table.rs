//! Writes tables (ECMA-376 part 1, 17.4). Each row needs a cell for every grid column. Where a cell above covers a
//! column, a continuation of that cell is written (`w:vMerge`). Writes no content of cells.

use super::{
    context::Docx,
    properties::{borders, shading, side, value},
};
use convertd_office::wordprocessing::write::TableRow;
use convertd_tree::{
    Alignment, Cell, CellStyle, CellStyleId, Length, Part, Table, Turn, VerticalAlignment, Width,
};

impl<'a> Docx<'a> {
    /// Opens a table with its properties and its grid. `lists` is the number of lists around the table, which indent
    /// it.
    pub(super) fn start_table(&mut self, table: &'a Table, widths: &[Length], lists: usize) {
        self.xml.start("w:tbl");
        self.table_properties(table, lists);
        let xml = &mut self.xml;
        xml.start("w:tblGrid");
        for width in widths {
            xml.start("w:gridCol").number("w:w", width.to_twips()).end();
        }
        xml.end();
    }

    /// Writes the properties of a table. A table without formatted cells gets Word's grid style.
    fn table_properties(&mut self, table: &Table, depth: usize) {
        let xml = &mut self.xml;
        let plain = table
            .rows()
            .flat_map(|row| &row.cells)
            .all(|cell| cell.style == CellStyleId::default());
        xml.start("w:tblPr");
        value(
            xml,
            "w:tblStyle",
            if plain { "TableGrid" } else { "TableNormal" },
        );
        if table.direction.is_some() || self.context.place.right_to_left {
            xml.start("w:bidiVisual").end();
        }
        xml.start("w:tblW");
        match table.width {
            Some(Width::Fixed(width)) => {
                xml.number("w:w", width.to_twips())
                    .attribute("w:type", "dxa");
            }
            // Shares are in fiftieths of a percent.
            Some(Width::Share(share)) => {
                xml.number("w:w", (f64::from(share) * 5000.0).round() as i64)
                    .attribute("w:type", "pct");
            }
            None => {
                xml.number("w:w", 0).attribute("w:type", "auto");
            }
        }
        xml.end();
        if let Some(alignment) = table.alignment {
            let name = match alignment {
                Alignment::Justify => Alignment::Start,
                other => other,
            };
            value(xml, "w:jc", side(name));
        }
        // Each list around the table, up to nine, indents it by half an inch.
        if depth > 0 {
            xml.start("w:tblInd")
                .number("w:w", 720 * depth.min(9) as i64)
                .attribute("w:type", "dxa")
                .end();
        }
        let fixed = table.columns.iter().all(|column| column.width.is_some());
        if fixed {
            xml.start("w:tblLayout").attribute("w:type", "fixed").end();
        }
        let head = if table.head.is_empty() { "0" } else { "1" };
        xml.start("w:tblLook")
            .attribute("w:val", if head == "1" { "0620" } else { "0600" });
        xml.attribute("w:firstRow", head)
            .attribute("w:lastRow", "0")
            .attribute("w:firstColumn", "0");
        xml.attribute("w:lastColumn", "0")
            .attribute("w:noHBand", "1")
            .attribute("w:noVBand", "1")
            .end();
        xml.end();
    }

    /// Opens a row with its properties.
    pub(super) fn start_row(&mut self, row: &TableRow<'_, 'a>) {
        let xml = &mut self.xml;
        let head = row.part == Part::Head;
        xml.start("w:tr");
        if head || row.row.height.is_some() {
            xml.start("w:trPr");
            if let Some(height) = row.row.height {
                let height = height.to_twips().max(0).to_string();
                xml.start("w:trHeight").attribute("w:val", height);
                if row.row.exact {
                    xml.attribute("w:hRule", "exact");
                }
                xml.end();
            }
            if head {
                xml.start("w:tblHeader").end();
            }
            xml.end();
        }
    }

    /// Opens a cell with its properties. `cell` is `None` for a cell that the row lacks. `begins` is false if the cell
    /// continues a vertically merged cell.
    pub(super) fn start_cell(&mut self, cell: Option<&Cell>, width: Length, begins: bool) {
        let xml = &mut self.xml;
        xml.start("w:tc");
        xml.start("w:tcPr");
        xml.start("w:tcW")
            .number("w:w", width.to_twips())
            .attribute("w:type", "dxa")
            .end();
        let Some(cell) = cell else {
            xml.end();
            return;
        };
        if cell.columns > 1 {
            value(xml, "w:gridSpan", &cell.columns.to_string());
        }
        if cell.rows > 1 {
            xml.start("w:vMerge");
            if begins {
                xml.attribute("w:val", "restart");
            }
            xml.end();
        }
        let style: &CellStyle = self.context.document.cell_style(cell.style);
        if style.borders != Default::default() {
            xml.start("w:tcBorders");
            borders(
                xml,
                &style.borders,
                ["w:top", "w:left", "w:bottom", "w:right"],
            );
            xml.end();
        }
        if let Some(background) = style.background {
            shading(xml, background);
        }
        // The schema prescribes this order.
        let sides = [
            ("w:top", style.padding_top),
            ("w:left", style.padding),
            ("w:bottom", style.padding_bottom),
            ("w:right", style.padding_end.or(style.padding)),
        ];
        if sides.iter().any(|(_, padding)| padding.is_some()) {
            xml.start("w:tcMar");
            for (name, padding) in sides {
                let Some(padding) = padding else {
                    continue;
                };
                xml.start(name)
                    .number("w:w", padding.to_twips().max(0))
                    .attribute("w:type", "dxa")
                    .end();
            }
            xml.end();
        }
        if let Some(turn) = style.turn {
            let name = match turn {
                Turn::Down => "tbRl",
                Turn::Up => "btLr",
            };
            value(xml, "w:textDirection", name);
        }
        if let Some(vertical) = style.vertical {
            let name = match vertical {
                VerticalAlignment::Top => "top",
                VerticalAlignment::Middle => "center",
                VerticalAlignment::Bottom => "bottom",
            };
            value(xml, "w:vAlign", name);
        }
        xml.end();
    }
}
