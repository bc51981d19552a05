//! Lists and tables of a structure tree.

use super::{Label, TextStyle, Writer};
use crate::{
    error::Result,
    read::structure::{Element, Kid, Role},
};
use convertd_tree::{CellShape, Delimiter, ListKind, ListLook, Node, Numbering, Numeral, Part};

impl Writer<'_, '_> {
    /// Writes a list. The attribute `ListNumbering` and the label of the first item decide the kind of the list. Labels
    /// are not written as text, because the list generates its own.
    pub(super) fn list(&mut self, number: u32) -> Result<()> {
        let structure = self.structure;
        let element = structure.element(number);
        let items: Vec<u32> = element.children().collect();
        let is_item = |item: &&u32| structure.element(**item).role == Role::Item;
        let first = items.iter().find(is_item).copied();
        // If the item has no label element, its text begins with the marker, so its words are used.
        let label = first.and_then(|first| self.label(first).or_else(|| Some(self.words(first))));
        let kind = list_kind(element, &label.unwrap_or_default());
        self.mark_page_of(number)?;
        self.composer.builder.open(Node::List {
            kind,
            tight: true,
            look: ListLook::default(),
        })?;
        self.within += 1;
        for item in items {
            if structure.element(item).role == Role::Item {
                self.composer.builder.open(Node::Item {
                    task: None,
                    label: None,
                })?;
                // A marker in the text is dropped, because the list generates one.
                if self.label(item).is_none() {
                    self.dropped_label = Some(Label::Marker);
                }
                self.flow(item, TextStyle::Paragraphs)?;
                self.dropped_label = None;
                self.composer.builder.close()?;
            } else {
                self.block(item)?;
            }
        }
        self.within -= 1;
        self.composer.builder.close()
    }

    /// Writes a table. Child elements other than captions, rows and row groups are written after the table.
    pub(super) fn table(&mut self, number: u32) -> Result<()> {
        let structure = self.structure;
        let element = structure.element(number);
        self.mark_page_of(number)?;
        let regions = self.regions_of_block(number);
        let is_placed = self.composer.open_regions(&regions)?;
        self.composer.builder.open(Node::Table {
            columns: Vec::new(),
            width: None,
            alignment: None,
        })?;
        self.within += 1;
        // The rows are children of the table or of row groups. Other child elements of the table are collected here.
        // Text directly in the table is left out.
        let mut others = Vec::new();
        // Whether all rows so far are header rows.
        let mut heads = true;
        for kid in &element.kids {
            let Kid::Element(kid) = *kid else { continue };
            match structure.element(kid).role {
                Role::Caption => {
                    self.composer.builder.open(Node::Caption)?;
                    self.flow(kid, TextStyle::Paragraphs)?;
                    self.composer.builder.close()?;
                }
                Role::Row => self.row(kid, None, &mut heads)?,
                Role::Head => self.rows(kid, Some(Part::Head), &mut heads)?,
                Role::Foot => self.rows(kid, Some(Part::Foot), &mut heads)?,
                Role::Body | Role::Group => self.rows(kid, None, &mut heads)?,
                _ => others.push(kid),
            }
        }
        self.within -= 1;
        self.composer.builder.close()?;
        self.composer.close_regions(is_placed)?;
        for other in others {
            self.block(other)?;
        }
        Ok(())
    }

    /// Writes the rows of a row group. Other elements in it are left out.
    pub(super) fn rows(&mut self, number: u32, part: Option<Part>, heads: &mut bool) -> Result<()> {
        let structure = self.structure;
        for kid in &structure.element(number).kids {
            if let Kid::Element(row) = *kid
                && structure.element(row).role == Role::Row
            {
                self.row(row, part, heads)?;
            }
        }
        Ok(())
    }

    /// Writes a row. In a table head or foot, it belongs to this part. Otherwise, it is a header row if it has only
    /// header cells and all rows above it are header rows.
    pub(super) fn row(&mut self, number: u32, part: Option<Part>, heads: &mut bool) -> Result<()> {
        let structure = self.structure;
        let cells: Vec<u32> = structure.element(number).children().collect();
        let is_head = |cell: &u32| structure.element(*cell).role == Role::HeadCell;
        // After a row with data cells, only rows in a table head are header rows.
        *heads &= !cells.is_empty() && cells.iter().all(is_head) || part == Some(Part::Head);
        let own = if *heads { Part::Head } else { Part::Body };
        self.composer.builder.open(Node::Row {
            part: part.unwrap_or(own),
            height: None,
        })?;
        for cell in cells {
            let attributes = structure.element(cell).attributes;
            let heading = is_head(&cell);
            self.composer.builder.open(Node::Cell(CellShape {
                rows: attributes.rows,
                columns: attributes.columns,
                heading,
                ..CellShape::default()
            }))?;
            // Header cells are bold anyway, so bold text in these cells is not marked.
            let previous = std::mem::replace(&mut self.is_plain, heading);
            self.flow(cell, TextStyle::Paragraphs)?;
            self.is_plain = previous;
            self.composer.builder.close()?;
        }
        self.composer.builder.close()
    }
}

/// The kind of a list, from its attributes and the label of its first item. A single letter counts as a number only if
/// it has a bracket or a dot.
fn list_kind(element: &Element, label: &str) -> ListKind {
    // The label without brackets and dots. `is_numbered` tells whether it had any.
    let word = label.split_whitespace().next().unwrap_or_default();
    let core = word.trim_matches(['(', ')', '.', ' ']);
    let number: Option<u32> = core.parse().ok();
    let named = element.attributes.numbering.flatten();
    let mut chars = core.chars();
    let is_numbered = core.len() < word.len();
    let letter = chars
        .next()
        .filter(|_| chars.next().is_none() && is_numbered);
    // A label from `a` to `h` is a letter of the alphabet. `i` is more often the first Roman numeral. Other letters are
    // taken for bullets.
    let numeral = match (number, named, letter) {
        (Some(_), _, _) => Numeral::Decimal,
        (None, Some(numeral), _) => numeral,
        (None, None, Some('a'..='h')) => Numeral::LowerAlpha,
        (None, None, Some('A'..='H')) => Numeral::UpperAlpha,
        (None, None, Some('i')) => Numeral::LowerRoman,
        (None, None, Some('I')) => Numeral::UpperRoman,
        (None, None, _) => return ListKind::Bullet,
    };
    ListKind::Ordered(Numbering {
        start: number.unwrap_or(1),
        numeral,
        delimiter: match (word.starts_with('('), word.ends_with(')')) {
            (true, true) => Delimiter::Parentheses,
            (false, true) => Delimiter::Parenthesis,
            _ => Delimiter::Period,
        },
        ..Numbering::default()
    })
}
