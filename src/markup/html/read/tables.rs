//! Handles tables: which table elements end which others (HTML, 13.2.6.4.9 to 15). Browsers move text between rows to a
//! place before the table; here it becomes a row.

use super::state::{Active, Open, Reader, Table};
use crate::{
    css::look::{self as css, Look},
    error::Result,
    syntax::{element::Start, tag::Tag},
};
use convertd_tree::{
    Alignment, CellShape, CellStyle, Column, MAX_COLUMNS, Node, Part, VerticalAlignment,
};

impl Reader<'_, '_, '_> {
    /// Begins a table. Its columns are known only at the first row, so it is opened later.
    pub(super) fn table_start(&mut self, start: &Start) -> Result<()> {
        // A table directly between the rows of another ends the other one.
        if matches!(
            self.table_context(),
            Some(Tag::Table | Tag::Tbody | Tag::Tr)
        ) {
            self.end_element(Tag::Table)?;
        }
        self.close_paragraph()?;
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
            ..Open::new(Tag::Table)
        })
    }

    /// The innermost open element of the innermost table. `Tbody` also stands for `thead` and `tfoot`, and `Td` for
    /// `th`.
    fn table_context(&self) -> Option<Tag> {
        self.stack.iter().rev().find_map(|open| match open.tag {
            Tag::Table | Tag::Tr | Tag::Caption => Some(open.tag),
            Tag::Tbody | Tag::Thead | Tag::Tfoot => Some(Tag::Tbody),
            Tag::Td | Tag::Th => Some(Tag::Td),
            _ => None,
        })
    }

    /// Passes the table on to the builder before its first content.
    fn begin_table(&mut self) -> Result<()> {
        let Some(state) = self.tables.last_mut() else {
            return Ok(());
        };
        if std::mem::replace(&mut state.begun, true) {
            return Ok(());
        }
        let node = Node::Table {
            columns: std::mem::take(&mut state.columns),
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

    /// Handles a part of a table (HTML, 13.2.6.4.9 to 13.2.6.4.15): closes parts that it cannot be in, and opens
    /// missing ones.
    pub(super) fn table_part(&mut self, start: &Start) -> Result<()> {
        let tag = start.tag;
        let Some(mut context) = self.table_context() else {
            // Outside of a table, table elements are ignored, but still end the line.
            return self.end_line();
        };
        if context == Tag::Td || context == Tag::Caption {
            self.pop_context(&[Tag::Td, Tag::Th, Tag::Caption])?;
            context = self.table_context().unwrap_or(Tag::Table);
        }
        match tag {
            Tag::Col => {
                self.pop_context(&[Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Tr])?;
                self.column(start);
                return Ok(());
            }
            Tag::Colgroup => {
                return self.pop_context(&[Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Tr]);
            }
            Tag::Caption | Tag::Tbody | Tag::Thead | Tag::Tfoot => {
                if context != Tag::Table {
                    self.pop_context(&[Tag::Tr])?;
                    self.pop_context(&[Tag::Tbody, Tag::Thead, Tag::Tfoot])?;
                }
            }
            Tag::Tr => {
                if context == Tag::Tr {
                    self.pop_context(&[Tag::Tr])?;
                }
                if self.table_context() == Some(Tag::Table) {
                    self.push_part(Tag::Tbody, 0, start)?;
                }
            }
            _ => {
                if context == Tag::Table {
                    self.push_part(Tag::Tbody, 0, start)?;
                }
                if context != Tag::Tr {
                    self.row(start)?;
                }
            }
        }
        match tag {
            Tag::Tr => self.row(start),
            Tag::Td | Tag::Th => self.cell(start),
            Tag::Caption => {
                self.begin_table()?;
                if self.hidden == 0 {
                    self.build.open(Node::Caption)?;
                }
                self.mark_active();
                self.push_part(tag, u8::from(self.hidden == 0), start)
            }
            _ => self.push_part(tag, 0, start),
        }
    }

    /// Adds the columns of a `col`, at most up to the limit of a table.
    fn column(&mut self, start: &Start) {
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

    /// Opens a part of a table. If the tag only implies this part, its style does not apply to it.
    fn push_part(&mut self, tag: Tag, nodes: u8, start: &Start) -> Result<()> {
        let look = self.look(start);
        self.push(Open {
            nodes,
            alignment: look.alignment.filter(|_| tag == start.tag),
            hidden: look.hidden && tag == start.tag,
            ..Open::new(tag)
        })
    }

    /// Begins a row in the part of the table that is open.
    fn row(&mut self, start: &Start) -> Result<()> {
        self.begin_table()?;
        let part = self.stack.iter().rev().find_map(|open| match open.tag {
            Tag::Thead => Some(Part::Head),
            Tag::Tbody => Some(Part::Body),
            Tag::Tfoot => Some(Part::Foot),
            _ => None,
        });
        let hidden = self.hidden > 0 || start.tag == Tag::Tr && self.look(start).hidden;
        if !hidden {
            self.build.open(Node::Row {
                part: part.unwrap_or_default(),
                height: None,
            })?;
        }
        let mut look = self.look(start);
        if start.tag != Tag::Tr {
            look = Look::default();
        }
        self.push(Open {
            nodes: u8::from(!hidden),
            alignment: look.alignment,
            hidden: look.hidden,
            ..Open::new(Tag::Tr)
        })
    }

    /// Begins a cell, with its spans, alignment and style.
    fn cell(&mut self, start: &Start) -> Result<()> {
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
        let colour = start.get("bgcolor").map(str::to_ascii_lowercase);
        let style = self.build.cell_style(CellStyle {
            background: look.background.or_else(|| css::colour(&colour?)),
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
        self.mark_active();
        self.push(Open {
            nodes: u8::from(!hidden),
            wraps,
            direction: look.direction,
            hidden: look.hidden,
            before: look.before,
            after: look.after,
            ..Open::new(start.tag)
        })
    }

    /// Adds a marker, so that formatting from outside of a cell is not reopened inside it.
    fn mark_active(&mut self) {
        self.active.push(Active {
            tag: None,
            wraps: Vec::new(),
            number: 0,
            open: false,
        });
    }

    /// Closes the innermost element with one of these tags, if it belongs to the innermost table.
    fn pop_context(&mut self, tags: &[Tag]) -> Result<()> {
        for at in (0..self.stack.len()).rev() {
            if tags.contains(&self.stack[at].tag) {
                return self.pop_to(at);
            }
            if self.stack[at].tag == Tag::Table {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn table_end(&mut self, tag: Tag) -> Result<()> {
        match tag {
            Tag::Table => {
                let table = self.stack.iter().rposition(|open| open.tag == Tag::Table);
                match table {
                    Some(at) => self.pop_to(at),
                    None => self.end_line(),
                }
            }
            Tag::Col | Tag::Colgroup => Ok(()),
            _ => self.pop_context(&[tag]),
        }
    }
}
