//! Writes tables as HTML. Computes no widths.

use super::{
    Writer,
    look::{colour, direction, text_align},
};
use crate::error::Result;
use convertd_tree::{Alignment, Cell, Column, Row, Slot, Table, VerticalAlignment, Width};
use std::fmt::Write as _;

impl Writer<'_> {
    /// Writes a table with caption, column widths and parts.
    pub(super) fn table(&mut self, table: &Table) -> Result<()> {
        self.line_start();
        self.out.push_str("<table");
        direction(table.direction, &mut self.out);
        let mut css = String::new();
        width(table.width, &mut css);
        match table.alignment {
            Some(Alignment::Centre) => css.push_str("margin-left: auto; margin-right: auto; "),
            Some(Alignment::End) => css.push_str("margin-left: auto; "),
            _ => {}
        }
        self.style(&css);
        self.out.push_str(">\n");
        if !table.caption.is_empty() {
            self.out.push_str("<caption>");
            self.loosely(&table.caption)?;
            self.out.push_str("</caption>\n");
        }
        if table.columns.iter().any(|column| column.width.is_some()) {
            self.out.push_str("<colgroup>\n");
            for column in &table.columns {
                self.out.push_str("<col");
                let mut css = String::new();
                width(column.width, &mut css);
                self.style(&css);
                self.out.push_str(" />\n");
            }
            self.out.push_str("</colgroup>\n");
        }
        self.part(table, &table.head, "thead")?;
        self.part(table, &table.body, "tbody")?;
        self.part(table, &table.foot, "tfoot")?;
        self.out.push_str("</table>\n");
        Ok(())
    }

    fn part(&mut self, table: &Table, rows: &[Row], name: &str) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "<{name}>").unwrap_or_default();
        for (_, places) in table.grid(rows) {
            self.out.push_str("<tr>\n");
            // Positions that a cell from above covers, and missing cells, are not written.
            for place in places {
                if let Slot::Cell { column, cell } = place {
                    let column = table.columns.get(column).copied().unwrap_or_default();
                    self.cell(cell, column, name == "thead")?;
                }
            }
            self.out.push_str("</tr>\n");
        }
        writeln!(self.out, "</{name}>").unwrap_or_default();
        Ok(())
    }

    /// Writes a cell with its spans and style.
    fn cell(&mut self, cell: &Cell, column: Column, in_head: bool) -> Result<()> {
        let name = if cell.heading || in_head { "th" } else { "td" };
        write!(self.out, "<{name}").unwrap_or_default();
        if cell.columns > 1 {
            write!(self.out, " colspan=\"{}\"", cell.columns).unwrap_or_default();
        }
        if cell.rows > 1 {
            write!(self.out, " rowspan=\"{}\"", cell.rows).unwrap_or_default();
        }
        let mut css = String::new();
        if let Some(alignment) = cell.alignment.or(column.alignment) {
            css.push_str(text_align(alignment));
        }
        let style = self.document.cell_style(cell.style);
        colour("background-color", style.background, &mut css);
        css.push_str(match style.vertical {
            Some(VerticalAlignment::Top) => "vertical-align: top; ",
            Some(VerticalAlignment::Middle) => "vertical-align: middle; ",
            Some(VerticalAlignment::Bottom) => "vertical-align: bottom; ",
            None => "",
        });
        self.style(&css);
        self.out.push('>');
        self.loosely(&cell.blocks)?;
        writeln!(self.out, "</{name}>").unwrap_or_default();
        Ok(())
    }
}

fn width(width: Option<Width>, css: &mut String) {
    match width {
        Some(Width::Fixed(length)) => {
            write!(css, "width: {:.1}pt; ", length.to_points()).unwrap_or_default();
        }
        Some(Width::Share(share)) => {
            write!(css, "width: {:.1}%; ", share * 100.0).unwrap_or_default();
        }
        None => {}
    }
}
