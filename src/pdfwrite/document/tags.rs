//! Writes the structure tree of a tagged PDF: an object for each element, and the parent tree that leads from marked
//! content back to its element (ISO 32000-1, 14.7.4.4). Adds no elements.

use super::{
    drawn::{Drawn, Kid},
    file::{self, File},
    paint::Page,
};
use convertd_layout::structure::{ListLabels, Node, NodeId, Role};
use pdf_writer::{
    Name, Ref, Str, TextStr,
    types::{ListNumbering, StructRole, TableHeaderScope},
    writers::{NumberTree, StructElement, StructTreeRoot},
};

/// Annotation that is a child of a structure element.
pub(super) struct Annotated {
    pub(super) object: Ref,
    /// Key in the parent tree.
    pub(super) key: i32,
    pub(super) node: NodeId,
}

/// Writes all elements that were painted, and returns the root of the tree.
pub(super) fn write(
    file: &mut File<'_>,
    nodes: &[Node],
    drawn: &Drawn,
    pages: &[Page],
    annotations: &[Annotated],
) -> Ref {
    let root = file.next();
    // The objects are numbered first, since elements refer to their parents and children.
    let refs: Vec<Option<Ref>> = nodes
        .iter()
        .enumerate()
        .map(|(at, _)| drawn.kids(NodeId::of(at)).map(|_| file.next()))
        .collect();
    let object = |id: NodeId| refs[id.index()].unwrap_or(root);
    for (index, node) in nodes.iter().enumerate() {
        let Some(id) = refs[index] else {
            continue;
        };
        let parent = if index == NodeId::DOCUMENT.index() {
            root
        } else {
            object(node.parent)
        };
        let held = drawn.kids(NodeId::of(index)).unwrap_or_default();
        if let Some(body) = plain_cell(node, parent, held, pages) {
            file.small_bytes(id, body.as_bytes());
            continue;
        }
        file::small(file, id, |written| {
            let mut element: StructElement<'_> = written.start();
            element.parent(parent);
            element.kind(role(&node.role));
            attributes(&mut element, node, id);
            if let Some(text) = &node.alternative {
                element.alt(TextStr(text));
            }
            if let Some(language) = &node.language {
                element.lang(TextStr(language));
            }
            kids(&mut element, held, pages, annotations, &object);
        });
    }
    let parents = parents(file, pages, annotations, &object);
    file::small(file, root, |written| {
        let mut tree: StructTreeRoot<'_> = written.start();
        tree.child(object(NodeId::DOCUMENT));
        tree.pair(Name(b"ParentTree"), parents);
        tree.parent_tree_next_key((pages.len() + annotations.len()) as i32);
    });
    root
}

/// Returns the structure element of a plain data cell as text, in the shortest form. `None` for a cell that spans
/// several rows or columns, has an alternative text or a language, or has other children than one piece of marked
/// content. Nearly the whole structure of a large sheet consists of plain cells.
fn plain_cell(node: &Node, parent: Ref, held: &[Kid], pages: &[Page]) -> Option<String> {
    let is_plain = matches!(
        node.role,
        Role::DataCell {
            rows: ..=1,
            columns: ..=1
        }
    );
    if !is_plain || node.alternative.is_some() || node.language.is_some() {
        return None;
    }
    let [Kid::Content { page, mark }] = *held else {
        return None;
    };
    let page = pages.get(page as usize)?.object.get();
    Some(format!(
        "<</S/TD/P {} 0 R/Pg {page} 0 R/K {mark}>>",
        parent.get()
    ))
}

/// Writes the children of a structure element (ISO 32000-1, 14.7.2): elements, marked content, and annotations.
fn kids(
    element: &mut StructElement<'_>,
    held: &[Kid],
    pages: &[Page],
    annotations: &[Annotated],
    object: &impl Fn(NodeId) -> Ref,
) {
    // The home page of an element is the page of its first content. Content on this page is referred to by its number
    // alone (MCID).
    let home = held.iter().find_map(|kid| match kid {
        Kid::Content { page, .. } => Some(*page),
        _ => None,
    });
    if let Some(page) = home {
        element.page(pages[page as usize].object);
    }
    let mut children = element.children();
    for kid in held {
        match *kid {
            Kid::Node(id) => {
                children.struct_element(object(id));
            }
            Kid::Content { page, mark } if Some(page) == home => {
                children.marked_content_id(mark as i32);
            }
            Kid::Content { page, mark } => {
                let mut reference = children.marked_content_ref();
                reference.page(pages[page as usize].object);
                reference.marked_content_id(mark as i32);
            }
            Kid::Annotation { page, number } => {
                let mut reference = children.object_ref();
                reference.page(pages[page as usize].object);
                reference.object(annotations[number as usize].object);
            }
        }
    }
}

/// Writes the parent tree: for each page, the elements of its marked content, and for each annotation, its element.
/// Keys are in ascending order, in leaves of up to 64 entries.
fn parents(
    file: &mut File<'_>,
    pages: &[Page],
    annotations: &[Annotated],
    object: &impl Fn(NodeId) -> Ref,
) -> Ref {
    // Maximum number of entries in a leaf of the number tree.
    const TOGETHER: usize = 64;
    let mut leaves = Vec::new();
    let mut entries: Vec<(i32, Ref)> = Vec::with_capacity(pages.len() + annotations.len());
    for (key, page) in (0..).zip(pages) {
        let id = file.next();
        file::small(file, id, |written| {
            let mut array = written.array();
            for node in &page.marks {
                array.item(object(*node));
            }
        });
        entries.push((key, id));
    }
    entries.extend(
        annotations
            .iter()
            .map(|annotated| (annotated.key, object(annotated.node))),
    );
    for group in entries.chunks(TOGETHER) {
        let id = file.next();
        file::small(file, id, |written| {
            let mut tree: NumberTree<'_, Ref> = written.start();
            tree.limits(group[0].0, group[group.len() - 1].0);
            let mut nums = tree.nums();
            for (key, value) in group {
                nums.insert(*key, *value);
            }
        });
        leaves.push(id);
    }
    let id = file.next();
    file::small(file, id, |written| {
        let mut tree: NumberTree<'_, Ref> = written.start();
        tree.kids().items(leaves);
    });
    id
}

/// Writes the attributes that a role needs for PDF/UA: the numbering of lists, the spans and scopes of cells, the
/// identifiers of notes, and the placement of figures.
fn attributes(element: &mut StructElement<'_>, node: &Node, id: Ref) {
    match &node.role {
        Role::List(labels) => {
            element
                .attributes()
                .push()
                .list()
                .list_numbering(numbering(*labels));
        }
        Role::HeadCell {
            rows,
            columns,
            of_row,
        } => {
            let mut attributes = element.attributes();
            let mut table = attributes.push().table();
            table.scope(if *of_row {
                TableHeaderScope::Row
            } else {
                TableHeaderScope::Column
            });
            spans(&mut table, *rows, *columns);
        }
        Role::DataCell { rows, columns } if *rows > 1 || *columns > 1 => {
            let mut attributes = element.attributes();
            spans(&mut attributes.push().table(), *rows, *columns);
        }
        // PDF/UA requires an identifier for each note (ISO 14289-1, 7.9).
        Role::Note => {
            element.id(Str(format!("note{}", id.get()).as_bytes()));
        }
        Role::Figure => {
            element
                .attributes()
                .push()
                .layout()
                .pair(Name(b"Placement"), Name(b"Block"));
        }
        _ => {}
    }
}

/// Writes the row and column span of a cell, where they are more than 1.
fn spans(table: &mut pdf_writer::writers::TableAttributes<'_>, rows: u16, columns: u16) {
    if rows > 1 {
        table.row_span(rows.into());
    }
    if columns > 1 {
        table.col_span(columns.into());
    }
}

/// Value of the attribute `ListNumbering` (ISO 32000-1, 14.8.5.5).
fn numbering(labels: ListLabels) -> ListNumbering {
    match labels {
        ListLabels::None => ListNumbering::None,
        ListLabels::Disc => ListNumbering::Disc,
        ListLabels::Circle => ListNumbering::Circle,
        ListLabels::Square => ListNumbering::Square,
        ListLabels::Decimal => ListNumbering::Decimal,
        ListLabels::LowerAlpha => ListNumbering::LowerAlpha,
        ListLabels::UpperAlpha => ListNumbering::UpperAlpha,
        ListLabels::LowerRoman => ListNumbering::LowerRoman,
        ListLabels::UpperRoman => ListNumbering::UpperRoman,
    }
}

/// Standard structure type of a role (ISO 32000-1, 14.8.4).
fn role(role: &Role) -> StructRole {
    match role {
        Role::Document => StructRole::Document,
        Role::Division => StructRole::Div,
        Role::Paragraph => StructRole::P,
        Role::Heading(1) => StructRole::H1,
        Role::Heading(2) => StructRole::H2,
        Role::Heading(3) => StructRole::H3,
        Role::Heading(4) => StructRole::H4,
        Role::Heading(5) => StructRole::H5,
        Role::Heading(_) => StructRole::H6,
        Role::List(_) => StructRole::L,
        Role::ListItem => StructRole::LI,
        Role::Label => StructRole::Lbl,
        Role::ListBody => StructRole::LBody,
        Role::Table => StructRole::Table,
        Role::TableHead => StructRole::THead,
        Role::TableBody => StructRole::TBody,
        Role::TableFoot => StructRole::TFoot,
        Role::TableRow => StructRole::TR,
        Role::HeadCell { .. } => StructRole::TH,
        Role::DataCell { .. } => StructRole::TD,
        Role::Caption => StructRole::Caption,
        Role::Quote => StructRole::BlockQuote,
        Role::Code => StructRole::Code,
        Role::Span => StructRole::Span,
        Role::Link => StructRole::Link,
        Role::Reference => StructRole::Reference,
        Role::Note => StructRole::Note,
        Role::Figure => StructRole::Figure,
        Role::Formula => StructRole::Formula,
    }
}
