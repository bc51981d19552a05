//! Generation of table boxes (CSS 2.2, 17.2): assigns cells to rows and columns, and adds anonymous
//! rows and cells. Computes no widths.

mod draft;

use super::Generator;
use crate::{
    error::Result,
    tree::{BoxId, RowGroupKind, is_space},
};
use convertd_markup::{
    css::style::{Display, Style, made},
    dom::{Data, NodeId},
};
use draft::{Draft, MAX_COLUMNS, MAX_ROWS};
use std::rc::Rc;

/// Generates the table of an element.
pub(crate) fn table(
    generator: &mut Generator<'_, '_>,
    dom: NodeId,
    style: &Rc<Style>,
) -> Result<BoxId> {
    let mut draft = Draft::new(style.clone());
    let children = within(generator, dom, style);
    parts(generator, &mut draft, &children, style)?;
    Ok(draft.finish(generator, Some(dom)))
}

/// Generates an anonymous table around misplaced table parts: `first` and its following siblings as
/// long as they are parts.
pub(crate) fn anonymous(
    generator: &mut Generator<'_, '_>,
    first: NodeId,
    around: &Rc<Style>,
    display: Display,
) -> Result<BoxId> {
    let mut children = Vec::new();
    let mut next = Some(first);
    while let Some(id) = next {
        let inner = Inner::of(generator, id, around);
        let is_within = match (&generator.dom.node(id).data, &inner.style) {
            (Data::Element(_), Some(style)) => is_part(style),
            // White space between parts does not end the table.
            _ => inner.is_space(generator),
        };
        if !is_within {
            break;
        }
        children.push(inner);
        next = generator.dom.node(id).after;
    }
    let style = made(|| around.inherited(display));
    let mut draft = Draft::new(style);
    parts(generator, &mut draft, &children, around)?;
    Ok(draft.finish(generator, None))
}

/// Generates the table of generated content, whose box is `content` and whose display type is that of a table or of a
/// part of one. Missing parts around it are anonymous (CSS 2.2, 17.2.1).
pub(crate) fn of_content(
    generator: &mut Generator<'_, '_>,
    content: BoxId,
    own: &Rc<Style>,
    around: &Rc<Style>,
    on_line: bool,
) -> BoxId {
    let style = match own.display {
        Display::Table | Display::InlineTable => own.clone(),
        _ if on_line => made(|| around.inherited(Display::InlineTable)),
        _ => made(|| around.inherited(Display::Table)),
    };
    let mut draft = Draft::new(style);
    if own.display == Display::Caption {
        draft.captions.push(content);
        return draft.finish(generator, None);
    }
    let part = match own.display {
        Display::HeadGroup => Some(RowGroupKind::Head),
        Display::FootGroup => Some(RowGroupKind::Foot),
        Display::RowGroup => Some(RowGroupKind::Body),
        _ => None,
    };
    if let Some(part) = part {
        draft.begin_group(part, own.clone(), None);
    }
    draft.begin_row(match own.display {
        Display::Row => own.clone(),
        _ => made(|| around.inherited(Display::Row)),
    });
    draft.cell(content, 1, 1);
    draft.end_row();
    draft.finish(generator, None)
}

/// A node inside a table.
#[derive(Clone)]
pub(super) struct Inner {
    pub node: NodeId,
    /// Style of its parent.
    pub around: Rc<Style>,
    /// Style of the element; `None` for text.
    style: Option<Rc<Style>>,
}

impl Inner {
    /// A node, with its computed style.
    fn of(generator: &mut Generator<'_, '_>, node: NodeId, around: &Rc<Style>) -> Self {
        let is_element = generator.dom.element(node).is_some();
        Self {
            node,
            around: around.clone(),
            style: is_element.then(|| generator.style(node, around)),
        }
    }

    /// Returns whether the node is text of white space only.
    fn is_space(&self, generator: &Generator<'_, '_>) -> bool {
        match &generator.dom.node(self.node).data {
            Data::Text(text) => text.chars().all(is_space),
            _ => false,
        }
    }
}

/// Children of an element, in which a `display: contents` element is replaced by its own children.
fn within(generator: &mut Generator<'_, '_>, dom: NodeId, style: &Rc<Style>) -> Vec<Inner> {
    let mut all = Vec::new();
    // The walk uses a list instead of recursion, because `display: contents` may be nested deeply.
    let mut open = vec![(generator.dom.children(dom), style.clone())];
    while let Some((children, around)) = open.last_mut() {
        let Some(child) = children.next() else {
            open.pop();
            continue;
        };
        let inner = Inner::of(generator, child, around);
        match &inner.style {
            Some(own) if own.display == Display::Contents => {
                open.push((generator.dom.children(child), own.clone()));
            }
            _ => all.push(inner),
        }
    }
    all
}

/// Returns whether nodes contain anything but white space.
fn is_seen(generator: &Generator<'_, '_>, nodes: &[Inner]) -> bool {
    nodes.iter().any(|inner| !inner.is_space(generator))
}

/// Returns whether a style makes an element part of a table.
pub(crate) fn is_part(style: &Style) -> bool {
    matches!(
        style.display,
        Display::RowGroup
            | Display::HeadGroup
            | Display::FootGroup
            | Display::Row
            | Display::Cell
            | Display::Caption
            | Display::Column
            | Display::ColumnGroup
    ) && !style.is_absolute()
        && !style.floats()
}

/// Returns whether a style makes a box a table, or a part of one.
pub(crate) fn is_of_table(style: &Style) -> bool {
    matches!(style.display, Display::Table | Display::InlineTable) || is_part(style)
}

/// Wraps nodes that are not cells in an anonymous cell (CSS 2.2, 17.2.1). White space alone is
/// dropped.
fn flush(
    generator: &mut Generator<'_, '_>,
    draft: &mut Draft,
    loose: &mut Vec<Inner>,
    parent: &Rc<Style>,
) -> Result<()> {
    let nodes = std::mem::take(loose);
    if is_seen(generator, &nodes) {
        let style = made(|| parent.inherited(Display::Cell));
        let id = generator.some_children(&nodes, &style)?;
        draft.cell(id, 1, 1);
    }
    Ok(())
}

/// Generates the children of a table. Runs of cells and of children that are not table parts become anonymous rows.
fn parts(
    generator: &mut Generator<'_, '_>,
    draft: &mut Draft,
    children: &[Inner],
    parent: &Rc<Style>,
) -> Result<()> {
    let mut cells: Vec<Inner> = Vec::new();
    // Text, cells, and elements that are not table parts gather until the next other part.
    for inner in children {
        let Some(style) = &inner.style else {
            cells.push(inner.clone());
            continue;
        };
        if style.display == Display::None {
            continue;
        }
        generator.backdrop(style)?;
        if !is_part(style) || style.display == Display::Cell {
            cells.push(inner.clone());
            continue;
        }
        let child = inner.node;
        loose_row(generator, draft, &mut cells, parent)?;
        let part = match style.display {
            Display::HeadGroup => RowGroupKind::Head,
            Display::FootGroup => RowGroupKind::Foot,
            _ => RowGroupKind::Body,
        };
        match style.display {
            Display::Caption => {
                let id = generator.children_of(child, style)?;
                draft.captions.push(id);
            }
            Display::Column => column(generator, draft, child, style),
            Display::ColumnGroup => {
                let mut is_empty = true;
                // The columns are inside the group. A group without columns counts as `span` columns itself.
                for id in generator.dom.children(child) {
                    if generator.dom.element(id).is_none() {
                        continue;
                    }
                    let own = generator
                        .cascade
                        .style(id, style, Some(generator.root_size));
                    if own.display == Display::Column {
                        generator.backdrop(&own)?;
                        column(generator, draft, id, &own);
                        is_empty = false;
                    }
                }
                if is_empty {
                    column(generator, draft, child, style);
                }
            }
            Display::Row => {
                // Adjacent rows outside of a group share a group.
                if draft.groups.last().is_none_or(|group| group.dom.is_some()) {
                    let style = made(|| parent.inherited(Display::RowGroup));
                    draft.begin_group(RowGroupKind::Body, style, None);
                }
                whole_row(generator, draft, child, style)?;
            }
            // Any other part is a row group.
            _ => {
                generator.counters.enter(child, style);
                draft.begin_group(part, style.clone(), Some(child));
                let inner = within(generator, child, style);
                rows(generator, draft, &inner, style)?;
                generator.counters.leave(child);
            }
        }
    }
    loose_row(generator, draft, &mut cells, parent)
}

/// Adds a column, or several if it has a `span`.
fn column(generator: &Generator<'_, '_>, draft: &mut Draft, id: NodeId, style: &Rc<Style>) {
    let span = number(generator, id, "span", MAX_COLUMNS)
        .unwrap_or(1)
        .max(1);
    for _ in 0..span.min(MAX_COLUMNS - draft.columns.len().min(MAX_COLUMNS)) {
        draft.columns.push(Some(style.clone()));
    }
}

/// Non-negative integer from an attribute, at most `most`. Text after its digits is ignored.
fn number(generator: &Generator<'_, '_>, id: NodeId, name: &str, most: usize) -> Option<usize> {
    let text = generator.dom.attribute(id, name)?.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end]
        .parse::<usize>()
        .ok()
        .map(|number| number.min(most))
}

/// Generates the rows of a row group. Children that are not rows become anonymous rows.
fn rows(
    generator: &mut Generator<'_, '_>,
    draft: &mut Draft,
    children: &[Inner],
    parent: &Rc<Style>,
) -> Result<()> {
    let mut loose = Vec::new();
    for inner in children {
        match &inner.style {
            Some(style) if style.display == Display::None => {}
            Some(style) if style.display == Display::Row && !style.is_absolute() => {
                loose_row(generator, draft, &mut loose, parent)?;
                whole_row(generator, draft, inner.node, style)?;
            }
            _ => loose.push(inner.clone()),
        }
    }
    loose_row(generator, draft, &mut loose, parent)
}

/// Generates the row of an element.
fn whole_row(
    generator: &mut Generator<'_, '_>,
    draft: &mut Draft,
    dom: NodeId,
    style: &Rc<Style>,
) -> Result<()> {
    generator.backdrop(style)?;
    generator.counters.enter(dom, style);
    draft.begin_row(style.clone());
    let inner = within(generator, dom, style);
    row(generator, draft, &inner, style)?;
    draft.end_row();
    generator.counters.leave(dom);
    Ok(())
}

/// Wraps nodes that are not rows in an anonymous row. White space alone is dropped.
fn loose_row(
    generator: &mut Generator<'_, '_>,
    draft: &mut Draft,
    loose: &mut Vec<Inner>,
    parent: &Rc<Style>,
) -> Result<()> {
    let nodes = std::mem::take(loose);
    if is_seen(generator, &nodes) {
        draft.begin_row(made(|| parent.inherited(Display::Row)));
        row(generator, draft, &nodes, parent)?;
        draft.end_row();
    }
    Ok(())
}

/// Generates the cells of a row. Children that are not cells become anonymous cells.
fn row(
    generator: &mut Generator<'_, '_>,
    draft: &mut Draft,
    children: &[Inner],
    parent: &Rc<Style>,
) -> Result<()> {
    let mut loose = Vec::new();
    // Children between two cells are collected for an anonymous cell.
    for inner in children {
        match &inner.style {
            Some(style) if style.display == Display::None => {}
            Some(style) if style.display == Display::Cell && !style.is_absolute() => {
                flush(generator, draft, &mut loose, parent)?;
                let child = inner.node;
                let columns = number(generator, child, "colspan", MAX_COLUMNS)
                    .unwrap_or(1)
                    .max(1);
                // `rowspan="0"` spans the rest of the group (HTML, 4.9.11).
                let rows = match number(generator, child, "rowspan", MAX_ROWS) {
                    Some(0) => MAX_ROWS,
                    rows => rows.unwrap_or(1),
                };
                let id = generator.children_of(child, style)?;
                draft.cell(id, columns, rows);
            }
            _ => loose.push(inner.clone()),
        }
    }
    flush(generator, draft, &mut loose, parent)
}
