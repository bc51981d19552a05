//! Writes tables (OpenDocument 1.3, part 3, 9). Each row needs a cell for every column. Where a cell above or to the
//! left covers a column, a covered cell is written. Writes no content of cells.

use super::{
    automatic::StyleFamily,
    context::Odt,
    properties::{self, points},
};
use crate::containers::xml::Writer;
use convertd_office::wordprocessing as office;
use convertd_tree::{
    Alignment, Border, Borders, Cell, CellStyle, Length, LineKind, Row, Table, Width,
};

impl<'a> Odt<'a> {
    /// Opens a table with its columns.
    pub(super) fn start_table(&mut self, table: &'a Table, widths: &[Length]) {
        self.tables += 1;
        let style = self.table_style(table);
        self.xml
            .start("table:table")
            .attribute("table:name", format!("Table{}", self.tables))
            .attribute("table:style-name", style);
        for width in widths {
            let mut properties = Writer::fragment();
            properties
                .start("style:table-column-properties")
                .attribute("style:column-width", points(*width));
            let style = self
                .automatic
                .name(StyleFamily::Column, &[], &properties.finish());
            self.xml
                .start("table:table-column")
                .attribute("table:style-name", style)
                .end();
        }
    }

    /// Returns the automatic style of a table: its width, alignment and writing direction, and a pending page break.
    fn table_style(&mut self, table: &Table) -> String {
        let mut xml = Writer::fragment();
        xml.start("style:table-properties");
        let width = match table.width {
            Some(Width::Fixed(width)) => width,
            Some(Width::Share(share)) => {
                let percent = (share * 100.0).round().clamp(1.0, 100.0);
                xml.attribute("style:rel-width", format!("{percent}%"));
                self.context.text_width.scaled(f64::from(share))
            }
            None => office::column_widths(table, self.context.text_width)
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
        if table.direction.is_some() {
            xml.attribute("style:writing-mode", "rl-tb");
        }
        if std::mem::take(&mut self.context.break_pending) {
            xml.attribute("fo:break-before", "page");
        }
        let master = self.master_pending.take();
        if let Some(number) = master.as_ref().and_then(|master| master.number) {
            xml.number("style:page-number", number);
        }
        let properties = xml.finish();
        match master {
            Some(master) => {
                let attributes = [("style:master-page-name", master.name.as_str())];
                self.automatic
                    .name(StyleFamily::Table, &attributes, &properties)
            }
            None => self.automatic.name(StyleFamily::Table, &[], &properties),
        }
    }

    /// Opens a row.
    pub(super) fn start_row(&mut self, row: &Row) {
        self.xml.start("table:table-row");
        if let Some(height) = row.height {
            let name = match row.exact {
                true => "style:row-height",
                false => "style:min-row-height",
            };
            let mut properties = Writer::fragment();
            properties
                .start("style:table-row-properties")
                .attribute(name, points(height));
            let style = self
                .automatic
                .name(StyleFamily::Row, &[], &properties.finish());
            self.xml.attribute("table:style-name", style);
        }
    }

    /// Opens a cell.
    pub(super) fn start_cell(&mut self, cell: &'a Cell) {
        // Cells without a style get the borders of a grid.
        let look = self.context.document.cell_style(cell.style);
        let look = if *look == CellStyle::default() {
            &GRID
        } else {
            look
        };
        let look = properties::cell(look);
        let style = self.automatic.name(StyleFamily::Cell, &[], &look);
        let xml = self.xml.start("table:table-cell");
        xml.attribute("table:style-name", style);
        if cell.columns > 1 {
            xml.number("table:number-columns-spanned", cell.columns);
        }
        if cell.rows > 1 {
            xml.number("table:number-rows-spanned", cell.rows);
        }
    }

    /// Writes covered cells.
    pub(super) fn covered_cells(&mut self, count: usize) {
        for _ in 0..count {
            self.xml.start("table:covered-table-cell").end();
        }
    }
}

/// Border of cells without a style: half a point.
const LINE: Option<Border> = Some(Border {
    width: Length::emu(6350),
    colour: None,
    kind: LineKind::Solid,
    space: None,
});

/// Formatting of cells without a style.
static GRID: CellStyle = CellStyle {
    background: None,
    borders: Borders {
        top: LINE,
        end: LINE,
        bottom: LINE,
        start: LINE,
    },
    vertical: None,
    turn: None,
    padding: Some(Length::emu(50_800)),
    padding_end: None,
    padding_top: None,
    padding_bottom: None,
};
