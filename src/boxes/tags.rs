//! Structure elements of boxes for tagged PDF (PDF/UA-1): paragraphs, headings, lists and tables,
//! by the elements of the document. Ignores appearance.
//!
//! A table without any `th` counts as a layout table, and gets no table structure: e-mails nest such tables by the
//! dozen.

use super::tree::{BoxContent, BoxId, Boxes, Inlines, Piece, Table};
use convertd_layout::{
    context::Layout,
    structure::{ListLabels, NodeId, Role},
};
use convertd_markup::dom::{Dom, NodeId as ElementId};
use std::{collections::HashSet, rc::Rc};

/// Assigns structure elements to boxes. The fields are the document and its boxes, and the state of the walk.
pub(super) struct Tagger<'t, 'l> {
    pub dom: &'t Dom,
    pub boxes: &'t mut Boxes,
    pub layout: &'t mut Layout<'l>,
    /// Names that links refer to.
    pub targets: &'t HashSet<Box<str>>,
    /// Level of the last heading: levels must not be skipped (ISO 14289-1, 7.4.2).
    pub level: u8,
    /// Last entry of the innermost list of definitions.
    pub entry: Option<Entry>,
}

/// Entry of a list of definitions: terms and their definitions.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    list: NodeId,
    item: NodeId,
    /// Whether the entry has a definition (`dd`). The next term then begins another entry.
    is_complete: bool,
}

impl Tagger<'_, '_> {
    /// Tags a box and its descendants below the structure element `parent`.
    pub(crate) fn tag(&mut self, id: BoxId, parent: NodeId) {
        let dom = self.boxes.get(id).dom;
        let name = dom
            .map(|dom| self.dom.tag(dom).to_owned())
            .unwrap_or_default();
        self.anchor(id, dom);
        let language = dom
            .and_then(|dom| self.dom.attribute(dom, "lang"))
            .map(str::to_owned);
        let is_code = name == "pre" && matches!(self.boxes.get(id).kind, BoxContent::Lines(_));
        let role = self.role(&name, dom);
        let is_definition = matches!(role, Some(Role::Label | Role::ListBody));
        // A list may contain items only, so a `div` around an entry gets no element of its own (ISO 32000-1, 14.8.4.3.3).
        let is_group = name == "div" && self.parent_is(dom, "dl");
        if is_group {
            self.entry = None;
        }
        // Headings with text also get an outline entry, and list items a body. An element that has a language and no
        // role gets a division.
        let inner = match role {
            Some(Role::Heading(level)) => {
                let level = level.min(self.level + 1);
                self.level = level;
                let text = dom.map(|dom| self.dom.text(dom)).unwrap_or_default();
                let words: Vec<&str> = text.split_whitespace().collect();
                if !words.is_empty() {
                    let entry = self.layout.outline.add(level, words.join(" "));
                    self.boxes.get_mut(id).outline = Some(entry);
                }
                self.layout.structure.add(parent, Role::Heading(level))
            }
            Some(Role::ListItem) => {
                let item = self.layout.structure.add(parent, Role::ListItem);
                self.layout.structure.add(item, Role::ListBody)
            }
            // A term is the label of its definition (ISO 32000-1, 14.8.4.3.3).
            Some(role @ (Role::Label | Role::ListBody)) => {
                let fits =
                    |own: &Entry| own.list == parent && (role != Role::Label || !own.is_complete);
                let item = match self.entry.filter(fits) {
                    Some(own) => own.item,
                    None => {
                        let language = self.group_language(dom).map(Into::into);
                        self.layout
                            .structure
                            .add_with(parent, Role::ListItem, None, language)
                    }
                };
                self.entry = Some(Entry {
                    list: parent,
                    item,
                    is_complete: role == Role::ListBody,
                });
                self.layout.structure.add(item, role)
            }
            // Code may not contain blocks (ISO 32000-1, 14.8.4.4), so a `pre` with blocks gets no element.
            Some(Role::Code) if !is_code => parent,
            Some(Role::Code) => {
                let paragraph = self.layout.structure.add(parent, Role::Paragraph);
                self.layout.structure.add(paragraph, Role::Code)
            }
            Some(role) => self.layout.structure.add(parent, role),
            None if language.is_some() && !is_group => {
                let language = language.map(Into::into);
                self.layout
                    .structure
                    .add_with(parent, Role::Division, None, language)
            }
            None => parent,
        };
        self.boxes.get_mut(id).node = inner;
        // Lists within a definition have entries of their own. The entry of this list is restored after them.
        let entry = self.entry;
        self.content(id, inner, is_code || is_line(&name) || is_definition);
        if is_definition || is_group {
            self.entry = entry;
        }
    }

    /// Returns whether the parent of an element has this tag.
    fn parent_is(&self, dom: Option<ElementId>, tag: &str) -> bool {
        let parent = dom.and_then(|dom| self.dom.parent(dom));
        parent.is_some_and(|parent| self.dom.tag(parent) == tag)
    }

    /// Language of the `div` that groups a term with its definitions.
    fn group_language(&self, dom: Option<ElementId>) -> Option<&str> {
        let parent = self.dom.parent(dom?)?;
        (self.dom.tag(parent) == "div").then_some(())?;
        self.dom.attribute(parent, "lang")
    }

    /// Tags the content of a box. With `line`, its lines belong to the element itself and get no
    /// paragraph.
    fn content(&mut self, id: BoxId, node: NodeId, line: bool) {
        if let Some(legend) = self.boxes.get(id).legend {
            self.tag(legend, node);
        }
        match &mut self.boxes.get_mut(id).kind {
            // With `line`, anonymous blocks belong to the element itself as well.
            BoxContent::Blocks(children) => {
                let children = children.clone();
                for child in children {
                    if line && self.boxes.get(child).dom.is_none() {
                        self.content(child, node, true);
                    } else {
                        self.tag(child, node);
                    }
                }
            }
            BoxContent::Lines(lines) => {
                let lines = lines.clone();
                let node = match line || lines.is_empty() {
                    true => node,
                    false => self.layout.structure.add(node, Role::Paragraph),
                };
                self.boxes.get_mut(id).node = node;
                self.lines(id, lines, node);
            }
            BoxContent::Table(table) => {
                let table = table.clone();
                self.table(id, &table, node);
            }
            BoxContent::Turned(inner, _) => {
                let inner = *inner;
                self.content(inner, node, line);
            }
            BoxContent::Replaced(replaced) => {
                let words = replaced.words.clone();
                // A picture without alternative text is decoration, an artifact of the layout.
                let node = match words.trim().is_empty() {
                    true => NodeId::DOCUMENT,
                    false => self
                        .layout
                        .structure
                        .add_with(node, Role::Figure, Some(words), None),
                };
                self.boxes.get_mut(id).node = node;
            }
        }
    }

    /// Tags inline content: links, code, languages, and the boxes in it.
    fn lines(&mut self, id: BoxId, lines: Rc<Inlines>, node: NodeId) {
        let holder = self.boxes.get(id).dom;
        let in_code = holder.is_some_and(|dom| self.dom.tag(dom) == "pre");
        // Structure element and link of each span; a span without its own inherits those of its parent.
        let mut found: Vec<(NodeId, Option<usize>)> = Vec::with_capacity(lines.spans.len());
        for (index, span) in lines.spans.iter().enumerate() {
            let (around, link) = span
                .parent
                .map_or((node, self.boxes.get(id).link), |parent| found[parent]);
            let own = span.dom.filter(|_| index > 0);
            let address = own
                .filter(|dom| self.dom.tag(*dom) == "a")
                .and_then(|dom| self.dom.attribute(dom, "href"));
            found.push(
                match address.map(str::trim).filter(|address| !address.is_empty()) {
                    Some(address) => {
                        let node = self.layout.structure.add(around, Role::Link);
                        let title = own
                            .and_then(|dom| self.dom.attribute(dom, "title"))
                            .unwrap_or_default();
                        (node, Some(self.layout.links.add(address, title, node)))
                    }
                    None => {
                        let is_code = own.is_some_and(|dom| {
                            matches!(self.dom.tag(dom), "code" | "kbd" | "samp" | "tt")
                        });
                        // Code in a `pre` element has its structure element already.
                        let is_code = is_code && !in_code;
                        let language = own.and_then(|dom| self.dom.attribute(dom, "lang"));
                        let node = match (is_code, language) {
                            (true, _) => self.layout.structure.add(around, Role::Code),
                            (_, Some(tag)) => self.layout.structure.add_with(
                                around,
                                Role::Span,
                                None,
                                Some(tag.into()),
                            ),
                            _ => around,
                        };
                        (node, link)
                    }
                },
            );
        }
        // Among the boxes in the lines, atomic inlines inherit the link, and out-of-flow boxes are not part of the
        // paragraph.
        for piece in &lines.pieces {
            match piece {
                Piece::Atomic(inner, span) => {
                    let (node, link) = found[*span];
                    self.boxes.get_mut(*inner).link = link;
                    let dom = self.boxes.get(*inner).dom;
                    self.anchor(*inner, dom);
                    let address = dom
                        .filter(|dom| self.dom.tag(*dom) == "a")
                        .and_then(|dom| self.dom.attribute(dom, "href"));
                    let node = match address.map(str::trim).filter(|address| !address.is_empty()) {
                        Some(address) => {
                            let node = self.layout.structure.add(node, Role::Link);
                            let link = self.layout.links.add(address, "", node);
                            self.boxes.get_mut(*inner).link = Some(link);
                            node
                        }
                        None => node,
                    };
                    self.boxes.get_mut(*inner).node = node;
                    self.content(*inner, node, true);
                }
                Piece::Float(inner) | Piece::Absolute(inner) => {
                    let around = self.layout.structure.block_around(node);
                    self.tag(*inner, around);
                }
                _ => {}
            }
        }
        // This function drops its own reference to the lines first, so that they can be changed in place.
        if let BoxContent::Lines(own) = &mut self.boxes.get_mut(id).kind {
            drop(lines);
            if let Some(own) = Rc::get_mut(own) {
                for (span, (node, link)) in own.spans.iter_mut().zip(found) {
                    (span.node, span.link) = (node, link);
                }
            }
        }
    }

    /// Tags a table. The scope of a header cell comes from its attribute `scope`, or from the position of the cell.
    fn table(&mut self, id: BoxId, table: &Rc<Table>, parent: NodeId) {
        let cells = || {
            table
                .groups
                .iter()
                .flat_map(|group| &group.rows)
                .flat_map(|row| &row.cells)
        };
        let is_head = |id: BoxId| {
            self.boxes
                .get(id)
                .dom
                .is_some_and(|dom| self.dom.tag(dom) == "th")
        };
        // One header cell is enough to make the table a data table.
        let real = cells().any(|cell| is_head(cell.id));
        let whole = match real {
            true => self.layout.structure.add(parent, Role::Table),
            false => parent,
        };
        self.boxes.get_mut(id).node = whole;
        for caption in &table.captions {
            let node = match real {
                true => self.layout.structure.add(whole, Role::Caption),
                false => whole,
            };
            self.boxes.get_mut(*caption).node = node;
            self.content(*caption, node, false);
        }
        for group in &table.groups {
            for row in &group.rows {
                let node = match real {
                    true => self.layout.structure.add(whole, Role::TableRow),
                    false => whole,
                };
                for cell in &row.cells {
                    let dom = self.boxes.get(cell.id).dom;
                    // The structure tree stores spans in 16 bits.
                    let count = |count: usize| count.min(usize::from(u16::MAX)) as u16;
                    let (rows, columns) = (count(cell.rows), count(cell.columns));
                    let node = match (real, dom.is_some_and(|dom| self.dom.tag(dom) == "th")) {
                        (true, true) => {
                            let scope = dom.and_then(|dom| self.dom.attribute(dom, "scope"));
                            // Without `scope`, a header cell in the first column heads its row if the next cell is no
                            // header cell.
                            let of_row = scope == Some("row")
                                || scope.is_none() && cell.column == 0 && row.cells.len() > 1 && {
                                    let second = row.cells[1].id;
                                    self.boxes
                                        .get(second)
                                        .dom
                                        .is_none_or(|dom| self.dom.tag(dom) != "th")
                                };
                            let role = Role::HeadCell {
                                rows,
                                columns,
                                of_row,
                            };
                            self.layout.structure.add(node, role)
                        }
                        (true, false) => self
                            .layout
                            .structure
                            .add(node, Role::DataCell { rows, columns }),
                        (false, _) => node,
                    };
                    self.anchor(cell.id, dom);
                    self.boxes.get_mut(cell.id).node = node;
                    self.content(cell.id, node, false);
                }
            }
        }
    }

    /// Records that a box is the target of a link, by its `id` or its `name`.
    fn anchor(&mut self, id: BoxId, dom: Option<ElementId>) {
        let names = ["id", "name"].map(|kind| dom.and_then(|dom| self.dom.attribute(dom, kind)));
        let mut names = names.into_iter().flatten();
        if let Some(name) = names.find(|name| self.targets.contains(*name)) {
            self.boxes.get_mut(id).anchors.push(name.into());
        }
    }

    /// Structure type of an element (ISO 32000-1, 14.8.4); `None` for elements without a structure type.
    fn role(&self, name: &str, dom: Option<ElementId>) -> Option<Role> {
        Some(match name {
            "h1" => Role::Heading(1),
            "h2" => Role::Heading(2),
            "h3" => Role::Heading(3),
            "h4" => Role::Heading(4),
            "h5" => Role::Heading(5),
            "h6" => Role::Heading(6),
            "p" => Role::Paragraph,
            "ul" | "menu" | "dir" => Role::List(ListLabels::Disc),
            "ol" => Role::List(ListLabels::Decimal),
            "li" => {
                let parent = dom.and_then(|dom| self.dom.parent(dom));
                let in_list = parent.is_some_and(|parent| {
                    matches!(self.dom.tag(parent), "ul" | "ol" | "menu" | "dir")
                });
                return in_list.then_some(Role::ListItem);
            }
            "dl" => Role::List(ListLabels::None),
            "dt" | "dd" => {
                let list = dom.and_then(|dom| self.dom.parent(dom)).map(|parent| {
                    // The terms and definitions of an entry may be grouped in a `div`.
                    match self.dom.tag(parent) {
                        "div" => self.dom.parent(parent).unwrap_or(parent),
                        _ => parent,
                    }
                });
                list.filter(|list| self.dom.tag(*list) == "dl")?;
                match name {
                    "dt" => Role::Label,
                    _ => Role::ListBody,
                }
            }
            "blockquote" => Role::Quote,
            "pre" => Role::Code,
            "section" | "article" | "aside" | "nav" | "main" | "header" | "footer" => {
                Role::Division
            }
            _ => return None,
        })
    }
}

/// Returns whether the lines of an element belong to the element directly, and not to a paragraph in it.
fn is_line(name: &str) -> bool {
    matches!(name, "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "li")
}
