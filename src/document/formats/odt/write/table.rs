//! Writes tables (part 3, 9). Each row needs a cell for every column; the ones covered by a cell above or to the left are
//! written as covered. Writes no content of cells itself.

use super::{
    automatic::Kind,
    context::{Context, Place},
    properties::{self, points},
};
use crate::{
    containers::xml::Writer,
    document::{
        office::{self, Use},
        tree::{
            Alignment, Border, Borders, Cell, CellStyle, Length, LineKind, Place as At, Row, Table,
            Width,
        },
    },
    error::Result,
};

impl<'a> Context<'a> {
    /// Writes a table with its caption.
    pub(super) fn table(&mut self, xml: &mut Writer, table: &'a Table) -> Result<()> {
        self.leave_lists(xml);
        let around = std::mem::take(&mut self.place);
        let open = std::mem::take(&mut self.open);
        let left = std::mem::take(&mut self.left);
        self.place = Place {
            within: Some(Use::TableCaption),
            alignment: None,
            ..around.clone()
        };
        self.blocks(xml, &table.caption)?;
        self.tables += 1;
        let style = self.table_style(table);
        xml.start("table:table")
            .attribute("table:name", format!("Table{}", self.tables))
            .attribute("table:style-name", style);
        let widths = office::column_widths(table, self.text_width);
        for width in &widths {
            let mut properties = Writer::fragment();
            properties
                .start("style:table-column-properties")
                .attribute("style:column-width", points(*width));
            let style = self.automatic.name(Kind::Column, &[], &properties.finish());
            xml.start("table:table-column")
                .attribute("table:style-name", style)
                .end();
        }
        let text_width = self.text_width;
        if !table.head.is_empty() {
            xml.start("table:table-header-rows");
            self.rows(xml, table, &table.head, &widths)?;
            xml.end();
        }
        for rows in [&table.body, &table.foot] {
            self.rows(xml, table, rows, &widths)?;
        }
        self.text_width = text_width;
        xml.end();
        self.place = around;
        self.open = open;
        self.left = left;
        Ok(())
    }

    fn table_style(&mut self, table: &Table) -> String {
        let mut xml = Writer::fragment();
        xml.start("style:table-properties");
        let width = match table.width {
            Some(Width::Fixed(width)) => width,
            Some(Width::Share(share)) => {
                let percent = (share * 100.0).round().clamp(1.0, 100.0);
                xml.attribute("style:rel-width", format!("{percent}%"));
                self.text_width.scaled(f64::from(share))
            }
            None => office::column_widths(table, self.text_width)
                .iter()
                .fold(Length::ZERO, |sum, width| sum + *width),
        };
        xml.attribute("style:width", points(width));
        let side = match table.alignment {
            Some(Alignment::Centre) => "center",
            Some(Alignment::End) => "right",
            _ => "left",
        };
        xml.attribute("table:align", side);
        if std::mem::take(&mut self.break_pending) {
            xml.attribute("fo:break-before", "page");
        }
        let properties = xml.finish();
        match self.master_pending.take() {
            Some(master) => {
                let attributes = [("style:master-page-name", master.as_str())];
                self.automatic.name(Kind::Table, &attributes, &properties)
            }
            None => self.automatic.name(Kind::Table, &[], &properties),
        }
    }

    fn rows(
        &mut self,
        xml: &mut Writer,
        table: &'a Table,
        rows: &'a [Row],
        widths: &[Length],
    ) -> Result<()> {
        for (row, places) in table.grid(rows) {
            self.grow(xml)?;
            xml.start("table:table-row");
            if let Some(height) = row.height {
                let mut properties = Writer::fragment();
                properties
                    .start("style:table-row-properties")
                    .attribute("style:min-row-height", points(height));
                let style = self.automatic.name(Kind::Row, &[], &properties.finish());
                xml.attribute("table:style-name", style);
            }
            for place in &places {
                match place {
                    At::Cell { column, cell } => self.cell(xml, table, widths, *column, cell)?,
                    At::Covered { cell, .. } => covered(xml, cell.columns.into()),
                    At::Missing { .. } => {
                        xml.start("table:table-cell").start("text:p").end().end();
                    }
                }
            }
            if places.is_empty() {
                xml.start("table:table-cell").end();
            }
            xml.end();
        }
        Ok(())
    }

    fn cell(
        &mut self,
        xml: &mut Writer,
        table: &'a Table,
        widths: &[Length],
        column: usize,
        cell: &'a Cell,
    ) -> Result<()> {
        let look = self.document.cell_style(cell.style);
        let look = if *look == CellStyle::default() {
            &GRID
        } else {
            look
        };
        let style = self
            .automatic
            .name(Kind::Cell, &[], &properties::cell(look));
        xml.start("table:table-cell")
            .attribute("table:style-name", style);
        if cell.columns > 1 {
            xml.number("table:number-columns-spanned", cell.columns);
        }
        if cell.rows > 1 {
            xml.number("table:number-rows-spanned", cell.rows);
        }
        let end = (column + usize::from(cell.columns)).min(widths.len());
        let own = &widths[column.min(end)..end];
        self.text_width = own.iter().fold(Length::ZERO, |sum, width| sum + *width);
        self.place.within = Some(Use::TableText);
        let of_column = table
            .columns
            .get(column)
            .and_then(|column| column.alignment);
        self.set_alignment(cell.alignment.or(of_column));
        let place = self.place.clone();
        self.apart(xml, place, &cell.blocks)?;
        self.set_alignment(None);
        xml.end();
        covered(xml, usize::from(cell.columns).saturating_sub(1));
        Ok(())
    }
}

fn covered(xml: &mut Writer, count: usize) {
    for _ in 0..count {
        xml.start("table:covered-table-cell").end();
    }
}

const LINE: Option<Border> = Some(Border {
    width: Length::emu(6350),
    colour: None,
    kind: LineKind::Solid,
});

/// The look of cells that have no style of their own.
static GRID: CellStyle = CellStyle {
    background: None,
    borders: Borders {
        top: LINE,
        end: LINE,
        bottom: LINE,
        start: LINE,
    },
    vertical: None,
    padding: Some(Length::emu(50_800)),
};
