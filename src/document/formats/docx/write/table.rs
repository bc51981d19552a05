//! Writes tables (ECMA-376 part 1, 17.4). Each row needs a cell for every grid column; the ones covered by a cell above are
//! written as its continuation (`w:vMerge`). Writes no content of cells itself.

use super::{
    context::{Context, Place},
    properties::{borders, shading, side, value},
};
use crate::{
    containers::xml::Writer,
    document::{
        office::{self, Use},
        tree::{
            Alignment, Cell, CellStyle, CellStyleId, Length, Row, Table, VerticalAlignment, Width,
        },
    },
    error::Result,
};

impl<'a> Context<'a> {
    /// Writes a table with its caption.
    pub(super) fn table(&mut self, xml: &mut Writer, table: &'a Table) -> Result<()> {
        self.number_item(xml);
        self.end_page(xml);
        let around = self.place.clone();
        self.place = Place {
            within: Some(Use::TableCaption),
            language: around.language.clone(),
            right_to_left: around.right_to_left,
            ..Place::default()
        };
        self.blocks(xml, &table.caption)?;
        xml.start("w:tbl");
        self.table_properties(xml, table, around.depth);
        let widths = office::column_widths(table, self.text_width);
        xml.start("w:tblGrid");
        for width in &widths {
            xml.start("w:gridCol").number("w:w", width.to_twips()).end();
        }
        xml.end();
        let text_width = self.text_width;
        for (rows, head) in [
            (&table.head, true),
            (&table.body, false),
            (&table.foot, false),
        ] {
            for (row, places) in table.grid(rows) {
                self.grow(xml)?;
                self.row(xml, table, row, &places, &widths, head)?;
            }
        }
        self.text_width = text_width;
        xml.end();
        self.place = around;
        Ok(())
    }

    fn table_properties(&self, xml: &mut Writer, table: &Table, depth: usize) {
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
        if self.place.right_to_left {
            xml.start("w:bidiVisual").end();
        }
        xml.start("w:tblW");
        match table.width {
            Some(Width::Fixed(width)) => {
                xml.number("w:w", width.to_twips())
                    .attribute("w:type", "dxa");
            }
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

    fn row(
        &mut self,
        xml: &mut Writer,
        table: &Table,
        row: &Row,
        places: &[crate::document::tree::Place<'a>],
        widths: &[Length],
        head: bool,
    ) -> Result<()> {
        use crate::document::tree::Place as At;
        xml.start("w:tr");
        if head || row.height.is_some() {
            xml.start("w:trPr");
            if let Some(height) = row.height {
                value(xml, "w:trHeight", &height.to_twips().max(0).to_string());
            }
            if head {
                xml.start("w:tblHeader").end();
            }
            xml.end();
        }
        for place in places {
            let (column, cell, begins) = match place {
                At::Cell { column, cell } => (*column, Some(*cell), true),
                At::Covered { column, cell } => (*column, Some(*cell), false),
                At::Missing { column } => (*column, None, true),
            };
            xml.start("w:tc");
            let wide = cell.map_or(1, |cell| usize::from(cell.columns));
            let end = (column + wide).min(widths.len());
            let width = widths[column.min(end)..end]
                .iter()
                .fold(Length::ZERO, |sum, width| sum + *width);
            self.cell_properties(xml, cell, width, begins);
            match cell {
                Some(cell) if begins => {
                    self.text_width = width;
                    self.place.within = Some(Use::TableText);
                    self.place.alignment = cell.alignment.or(table
                        .columns
                        .get(column)
                        .and_then(|column| column.alignment));
                    self.blocks_with_end(xml, &cell.blocks)?;
                    self.place.alignment = None;
                }
                _ => {
                    xml.raw("<w:p/>");
                }
            }
            xml.end();
        }
        if places.is_empty() {
            xml.raw("<w:tc><w:p/></w:tc>");
        }
        xml.end();
        Ok(())
    }

    fn cell_properties(&self, xml: &mut Writer, cell: Option<&Cell>, width: Length, begins: bool) {
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
        let style: &CellStyle = self.document.cell_style(cell.style);
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
        if let Some(padding) = style.padding {
            xml.start("w:tcMar");
            for name in ["w:left", "w:right"] {
                xml.start(name)
                    .number("w:w", padding.to_twips().max(0))
                    .attribute("w:type", "dxa")
                    .end();
            }
            xml.end();
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
