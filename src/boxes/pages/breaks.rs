//! Breaks between boxes and lines: forced, avoided and possible ones (CSS Fragmentation 3, 3 and 4). Moves nothing.

use super::super::fragment::{Child, Fragment, FragmentContent, Role, TableRole};
use super::{LOW_ITEMS, TOLERANCE};
use convertd_markup::css::style::{BOTTOM, Break, Display, Overflow, Size, Style, TOP};
use std::rc::Rc;

/// Heights of the line boxes of a block, in px, with the values of `orphans` and `widows`.
pub(super) struct Lines {
    heights: Vec<f32>,
    orphans: usize,
    widows: usize,
}

impl Lines {
    /// Lines of a fragment; `None` if it has no line boxes.
    pub(super) fn of(fragment: &Fragment) -> Option<Self> {
        let style = fragment.style()?;
        let lines = fragment
            .children
            .iter()
            .filter(|child| matches!(child.fragment.kind, FragmentContent::Line));
        let heights: Vec<f32> = lines.map(|child| child.fragment.height).collect();
        (!heights.is_empty()).then(|| Self {
            heights,
            orphans: usize::from(style.text.orphans),
            widows: usize::from(style.text.widows),
        })
    }

    /// Returns whether the last line must be on the same page as this line.
    fn ends_with(&self, line: usize) -> bool {
        let count = self.heights.len();
        // `widows` lines at the end stay together, and so does a short paragraph as a whole.
        line + self.widows >= count || line == 0 && count < self.orphans + self.widows
    }

    /// Height of the lines that must be on one page, beginning with this one (CSS Fragmentation 3,
    /// 3.3).
    pub(super) fn chunk(&self, line: usize) -> f32 {
        let count = self.heights.len();
        // The first line stays with the lines that `orphans` demands, and the first of the widows stays with the other
        // widows.
        let together = match line {
            0 if count < self.orphans + self.widows => count,
            0 => self.orphans,
            line if line + self.widows == count => self.widows,
            _ => 1,
        };
        self.heights.iter().skip(line).take(together.max(1)).sum()
    }
}

/// Index of the last in-flow child.
pub(super) fn last_in_flow(fragment: &Fragment) -> Option<usize> {
    let flows = |child: &Child| {
        matches!(child.fragment.kind, FragmentContent::Line)
            || matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)))
    };
    fragment.children.iter().rposition(flows)
}

/// Height of the bottom padding and border of a block, and of the margin before them. They must not be separated from
/// the last child of the block.
pub(super) fn tail(fragment: &Fragment) -> f32 {
    let FragmentContent::Box {
        border,
        padding,
        role: Role::Flow | Role::Float,
        ..
    } = &fragment.kind
    else {
        return 0.0;
    };
    let edge = border[BOTTOM] + padding[BOTTOM];
    let last = last_in_flow(fragment).map(|last| &fragment.children[last]);
    // The margin of the last child is inside the edge, so it stays with the edge.
    let margin = last.map_or(0.0, |last| {
        let own = last.fragment.style().map(|style| &style.margin[BOTTOM]);
        let room = fragment.height - edge - last.y - last.fragment.height;
        match own {
            Some(Size::Length(length)) => length.of(0.0).min(room).max(0.0),
            _ => 0.0,
        }
    });
    // Without an edge, no part of the block follows its last child.
    if edge > 0.0 { edge + margin } else { 0.0 }
}

/// Returns whether a child must be on one page with the end of its parent, because it is one of the last lines, or the
/// last child and unbreakable.
pub(super) fn stays_with_end(
    fragment: &Fragment,
    at: usize,
    lines: &Option<Lines>,
    line: usize,
) -> bool {
    let child = &fragment.children[at].fragment;
    match (lines, &child.kind) {
        (Some(lines), FragmentContent::Line) => lines.ends_with(line),
        _ => last_in_flow(fragment) == Some(at) && is_whole(child),
    }
}

/// Returns whether a fragment starts with a table row whose content fits into the space `room`, but not with the
/// padding of its cells. Browsers move such a row to the next page if it fits there.
pub(super) fn loses_padding(fragment: &Fragment, room: f32, page: f32, depth: usize) -> bool {
    if fragment.height <= room + TOLERANCE || depth > 300 {
        return false;
    }
    let flows = |child: &&Child| matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)));
    let mut inner = fragment.children.iter().filter(flows);
    let goes_on = |child: &Child| loses_padding(&child.fragment, room - child.y, page, depth + 1);
    // The search follows the first in-flow box down to the first row.
    if fragment.role() != Some(&Role::Table(TableRole::Row)) {
        return inner.next().is_some_and(goes_on);
    }
    let content = |cell: &Child| {
        let inside = cell.fragment.children.iter();
        inside
            .map(|child| cell.y + child.y + child.fragment.height)
            .fold(0.0, f32::max)
    };
    // All cells fit without their padding, and the whole row fits on an empty page.
    let fits = inner.clone().all(|cell| content(cell) <= room + TOLERANCE);
    fits && fragment.height <= page + TOLERANCE || inner.any(goes_on)
}

/// Height of the first part of a fragment that cannot be broken. The search goes down to a depth of
/// 300.
pub(super) fn chunk(fragment: &Fragment, depth: usize) -> f32 {
    if is_whole(fragment) {
        return fragment.height;
    }
    if depth > 300 {
        return 0.0;
    }
    // The first part of a block of lines is its orphans.
    if let Some(lines) = Lines::of(fragment) {
        let first = fragment
            .children
            .iter()
            .find(|child| matches!(child.fragment.kind, FragmentContent::Line));
        return first.map_or(0.0, |first| first.y) + lines.chunk(0);
    }
    // Floats and absolutely positioned boxes are broken separately.
    let flows =
        |child: &&Child| !matches!(child.fragment.role(), Some(Role::Absolute | Role::Float));
    let mut inner = fragment.children.iter().filter(flows);
    let Some(first) = inner.next() else {
        return 0.0;
    };
    // A table header stays with the first row, and a box that avoids a break after itself stays with the next box.
    let stays = first.fragment.role() == Some(&Role::Table(TableRole::Head))
        || avoids_after(&first.fragment);
    let next = inner.next();
    if let Some(next) = next.filter(|_| stays) {
        return next.y + chunk(&next.fragment, depth + 1);
    }
    let bottom = first.y + first.fragment.height;
    let is_flex = fragment
        .style()
        .is_some_and(|style| style.display == Display::Flex);
    if is_flex
        && fragment.height <= LOW_ITEMS
        && next.is_some_and(|next| next.y < bottom - TOLERANCE)
    {
        return fragment.height;
    }
    // Children beside the first one begin on the same page.
    let beside = fragment
        .children
        .iter()
        .filter(flows)
        .take_while(|child| child.y < bottom - TOLERANCE || child.y <= first.y);
    beside
        .map(|child| child.y + chunk(&child.fragment, depth + 1))
        .fold(0.0, f32::max)
}

/// Returns whether a fragment must not be broken (monolithic content, or `break-inside: avoid`; CSS
/// Fragmentation 3, 4.1).
pub(crate) fn is_whole(fragment: &Fragment) -> bool {
    match &fragment.kind {
        FragmentContent::Line
        | FragmentContent::Picture { .. }
        | FragmentContent::Missing
        | FragmentContent::Text { .. }
        | FragmentContent::Inline { .. }
        | FragmentContent::Marker { .. }
        | FragmentContent::Anchor(_)
        | FragmentContent::Turned(..)
        | FragmentContent::Repeated => true,
        FragmentContent::Columns(_) => false,
        // Atomic inlines are monolithic, and so is a box around a picture.
        FragmentContent::Box { style, role, .. } => {
            *role == Role::Atomic
                || matches!(
                    style.break_inside,
                    Break::Avoid | Break::AvoidPage | Break::AvoidColumn
                )
                || fragment.children.iter().any(|child| {
                    matches!(
                        child.fragment.kind,
                        FragmentContent::Picture { .. } | FragmentContent::Missing
                    )
                })
        }
    }
}

/// Returns whether a break value forces a break. Columns break at page breaks, too (CSS
/// Fragmentation 3, 3.1).
pub(super) fn is_forced(one: Break, columns: bool) -> bool {
    columns && one == Break::Column
        || matches!(
            one,
            Break::Page
                | Break::Always
                | Break::Left
                | Break::Right
                | Break::Recto
                | Break::Verso
                | Break::All
        )
}

/// Returns whether a box avoids a break after it: by its own style, or by that of its last child (CSS Fragmentation 3,
/// 3.1), such as a heading in a box of its own.
pub(super) fn avoids_after(fragment: &Fragment) -> bool {
    let is_avoided = |style: &Style| matches!(style.break_after, Break::Avoid | Break::AvoidPage);
    let last = || {
        let mut children = fragment.children.iter().rev();
        children.find(|child| matches!(child.fragment.role(), Some(Role::Flow)))
    };
    fragment.style().is_some_and(|style| is_avoided(style))
        || matches!(fragment.kind, FragmentContent::Box { .. })
            && last().is_some_and(|last| avoids_after(&last.fragment))
}

/// Returns whether a box avoids a break before it, by its own style or by that of its first child.
pub(super) fn avoids_before(fragment: &Fragment) -> bool {
    let is_avoided = |style: &Style| matches!(style.break_before, Break::Avoid | Break::AvoidPage);
    let first = || {
        let mut children = fragment.children.iter();
        children.find(|child| matches!(child.fragment.role(), Some(Role::Flow)))
    };
    fragment.style().is_some_and(|style| is_avoided(style))
        || matches!(fragment.kind, FragmentContent::Box { .. })
            && first().is_some_and(|first| avoids_before(&first.fragment))
}

/// Break before a box: its own, or the break of its first child (CSS Fragmentation 3, 3.1). A first child far below the
/// top is not at the start of the box.
pub(super) fn first_break(fragment: &Fragment, style: &Style, columns: bool) -> Break {
    if is_forced(style.break_before, columns)
        || !matches!(fragment.kind, FragmentContent::Box { .. })
    {
        return style.break_before;
    }
    let first = fragment
        .children
        .iter()
        .find(|child| matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_))));
    match first.and_then(|first| first.fragment.style().map(|style| (first, style.clone()))) {
        Some((first, own)) if first.y < 200.0 => first_break(&first.fragment, &own, columns),
        _ => style.break_before,
    }
}

/// Break after a box: its own, or that of its last child.
pub(super) fn last_break(fragment: &Fragment, style: &Style, columns: bool) -> Break {
    if is_forced(style.break_after, columns)
        || !matches!(fragment.kind, FragmentContent::Box { .. })
    {
        return style.break_after;
    }
    let last = fragment
        .children
        .iter()
        .rev()
        .find(|child| matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_))));
    match last.and_then(|last| last.fragment.style().map(|style| (last, style.clone()))) {
        Some((last, own)) => last_break(&last.fragment, &own, columns),
        None => style.break_after,
    }
}

/// Top margin in px.
pub(super) fn own_margin(style: &Style) -> f32 {
    match &style.margin[TOP] {
        Size::Length(length) => length.of(0.0).max(0.0),
        _ => 0.0,
    }
}

/// Returns whether a fragment contains a forced break or a page name.
pub(super) fn breaks_somewhere(fragment: &Fragment, columns: bool) -> bool {
    fragment.children.iter().any(|child| {
        let own = child.fragment.style().is_some_and(|style| {
            is_forced(style.break_before, columns)
                || is_forced(style.break_after, columns)
                || style.page.is_some()
        });
        own || matches!(child.fragment.kind, FragmentContent::Box { .. })
            && breaks_somewhere(&child.fragment, columns)
    })
}

/// Bottom edge of a fragment with its visible overflow, from its top, in px.
pub(crate) fn reach(fragment: &Fragment) -> f32 {
    let hides = |style: &Rc<Style>| style.overflow != Overflow::Visible;
    if fragment.style().is_some_and(hides) {
        return fragment.height;
    }
    let within = fragment
        .children
        .iter()
        .map(|child| child.y + reach(&child.fragment));
    within.fold(fragment.height, f32::max)
}
