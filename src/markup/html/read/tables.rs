//! Handles tables: columns, rows, cells and captions. Relies on the tree of the page, in which each cell is in a row,
//! and each row in a row group.

use super::state::{Open, PageReader, Table};
use crate::{css::look as css, dom::Start, error::Result, syntax::tag::Tag};
use convertd_tree::{
    Alignment, CellShape, CellStyle, Column, MAX_COLUMNS, Node, Part, VerticalAlignment,
};

impl PageReader<'_, '_, '_> {
    /// Begins a table. `begin_table` opens its node later, when the columns are known.
    pub(super) fn table_start(&mut self, start: &Start<'_>) -> Result<()> {
        self.end_line()?;
        let look = self.look(start);
        self.place(start);
        let wraps = self.wraps(start, &look)?;
        if self.hidden == 0 && !look.hidden && !self.places.is_empty() {
            // A link target before the table goes into a paragraph without text.
            self.begin()?;
            self.end_line()?;
        }
        let width = look
            .width
            .or_else(|| start.get("width").and_then(css::width));
        let around = self.stack.iter().rev().find_map(|open| open.alignment);
        self.tables.push(Table {
            width,
            alignment: look
                .alignment
                .or(around.filter(|side| *side == Alignment::Centre)),
            ..Table::default()
        });
        self.push(Open {
            wraps,
            direction: look.direction,
            hidden: look.hidden,
            breaks_after: look.breaks_after,
            ..self.open(start, &look)
        })
    }

    /// Passes the table on to the builder before its first content, and columns that come after its caption before its
    /// first row.
    fn begin_table(&mut self) -> Result<()> {
        let Some(state) = self.tables.last_mut() else {
            return Ok(());
        };
        let columns = std::mem::take(&mut state.columns);
        if std::mem::replace(&mut state.begun, true) {
            if self.hidden == 0 && !columns.is_empty() {
                self.build.set_columns(columns);
            }
            return Ok(());
        }
        let node = Node::Table {
            columns,
            width: state.width,
            alignment: state.alignment,
        };
        if self.hidden == 0
            && let Some(open) = self
                .stack
                .iter_mut()
                .rev()
                .find(|open| open.tag == Tag::Table)
        {
            open.nodes = 1;
            self.build.open(node)?;
        }
        Ok(())
    }

    /// Handles a part of a table.
    pub(super) fn table_part(&mut self, start: &Start<'_>) -> Result<()> {
        let tag = start.tag;
        match tag {
            Tag::Col => {
                self.column(start);
                Ok(())
            }
            Tag::Colgroup => Ok(()),
            Tag::Tr => self.row(start),
            Tag::Td | Tag::Th => self.cell(start),
            Tag::Caption => {
                self.begin_table()?;
                if self.hidden == 0 {
                    self.build.open(Node::Caption)?;
                }
                self.push_part(u8::from(self.hidden == 0), start)
            }
            _ => self.push_part(0, start),
        }
    }

    /// Adds the columns of a `col`, at most up to the limit of a table.
    fn column(&mut self, start: &Start<'_>) {
        let look = self.look(start);
        let width = look
            .width
            .or_else(|| start.get("width").and_then(css::width));
        let column = Column {
            alignment: look.alignment,
            width,
        };
        let span = start
            .get("span")
            .and_then(|number| number.trim().parse().ok());
        if let Some(state) = self.tables.last_mut() {
            let most = MAX_COLUMNS - state.columns.len().min(MAX_COLUMNS);
            let span = span.unwrap_or(1_usize).clamp(1, most.max(1));
            state
                .columns
                .extend(std::iter::repeat_n(column, span.min(most)));
        }
    }

    /// Puts a part of a table on the stack. `nodes` is the number of nodes of the document that were opened for it.
    fn push_part(&mut self, nodes: u8, start: &Start<'_>) -> Result<()> {
        let look = self.look(start);
        let wraps = self.wraps(start, &look)?;
        self.push(Open {
            nodes,
            wraps,
            alignment: look.alignment,
            hidden: look.hidden,
            ..self.open(start, &look)
        })
    }

    /// Begins a row in the part of the table that is open.
    fn row(&mut self, start: &Start<'_>) -> Result<()> {
        self.begin_table()?;
        let part = self.stack.iter().rev().find_map(|open| match open.tag {
            Tag::Thead => Some(Part::Head),
            Tag::Tbody => Some(Part::Body),
            Tag::Tfoot => Some(Part::Foot),
            _ => None,
        });
        let look = self.look(start);
        let hidden = self.hidden > 0 || look.hidden;
        if !hidden {
            self.build.open(Node::Row {
                part: part.unwrap_or_default(),
                height: None,
            })?;
        }
        let wraps = self.wraps(start, &look)?;
        self.push(Open {
            nodes: u8::from(!hidden),
            wraps,
            alignment: look.alignment,
            hidden: look.hidden,
            ..self.open(start, &look)
        })
    }

    /// Begins a cell, with its spans, alignment and style.
    fn cell(&mut self, start: &Start<'_>) -> Result<()> {
        let look = self.look(start);
        let span = |name| {
            start
                .get(name)
                .and_then(|number| number.trim().parse::<u32>().ok())
        };
        // A `rowspan` of 0 extends to the end of the row group.
        let rows = span("rowspan").unwrap_or(1).min(u32::from(u16::MAX));
        let rows = if rows == 0 { u32::from(u16::MAX) } else { rows };
        let columns = span("colspan").unwrap_or(1).clamp(1, MAX_COLUMNS as u32);
        let vertical = look.vertical.or_else(|| start.get("valign"));
        let open = self.open(start, &look);
        // A cell shows the background of its row or table, unless it is that of the paper.
        let shown = || {
            let mut around = self.stack.iter().rev();
            let table = around.find_map(|open| {
                let is_end = open.tag == Tag::Table;
                (is_end || open.ground.is_some()).then_some(open.ground)
            });
            table.flatten().filter(|ground| *ground != css::PAPER)
        };
        let background = open.ground.or_else(shown);
        let style = self.build.cell_style(CellStyle {
            background,
            vertical: match vertical {
                Some("top") => Some(VerticalAlignment::Top),
                Some("middle") => Some(VerticalAlignment::Middle),
                Some("bottom") => Some(VerticalAlignment::Bottom),
                _ => None,
            },
            ..CellStyle::default()
        })?;
        // Inherited from the row or row group.
        let inherited = || {
            let parts = self.stack.iter().rev();
            let mut parts = parts.take_while(|open| open.tag != Tag::Table);
            parts.find_map(|open| open.alignment)
        };
        let alignment = look.alignment.or_else(inherited);
        let hidden = look.hidden || self.hidden > 0;
        self.place(start);
        let wraps = self.wraps(start, &look)?;
        if !hidden {
            self.build.open(Node::Cell(CellShape {
                rows: u16::try_from(rows).unwrap_or(u16::MAX),
                columns: u16::try_from(columns).unwrap_or(u16::MAX),
                heading: start.tag == Tag::Th,
                alignment,
                style,
            }))?;
        }
        self.push(Open {
            nodes: u8::from(!hidden),
            wraps,
            direction: look.direction,
            hidden: look.hidden,
            before: look.before,
            after: look.after,
            ..open
        })
    }
}
