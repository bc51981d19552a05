//! Pagination (CSS Fragmentation 3): breaks the tall fragment of a document into pages, or that of
//! a multi-column container into columns. Paints nothing.
//!
//! The fragment stays one tree. A child that would cross a page end moves down to the top of the next page, and its
//! ancestors grow by the same distance. Each page is then a slice of the tree. Boxes side by side (cells, floats, flex
//! items) are moved independently, and their parent grows by the largest move. The header and the footer of a table are
//! added again on each page that has rows of the table, unless they are high.
//!
//! A child begins on a page only if its first unbreakable part fits on that page, or is higher than any page. [`chunk`]
//! computes this part from orphans, widows and `break-inside`.

mod breaks;
mod table;

use super::fragment::{Child, Columns, Fragment, FragmentContent, Role, TableRole};
use super::tree::BoxId;
use breaks::{
    Lines, avoids_after, avoids_before, breaks_somewhere, chunk, first_break, is_forced,
    last_break, last_in_flow, loses_padding, own_margin, stays_with_end, tail,
};
pub(crate) use breaks::{is_whole, reach};
use convertd_markup::css::style::Break;
use std::rc::Rc;

/// Limit on pages. A longer document is laid out without its styles. Browsers have no such limit.
const MAX_PAGES: usize = 4000;
/// Height in px up to which a flex container with items beside one another, such as cards, stays on one page: a fifth
/// of A4.
const LOW_ITEMS: f32 = 200.0;
/// Tolerance for rounding, in px.
const TOLERANCE: f32 = 0.05;

/// Heights reserved on pages, in px.
#[derive(Clone, Copy, Default)]
struct Repeated {
    /// Repeated table headers at the top of each page.
    head: f32,
    /// Repeated table footers at the bottom of each page.
    foot: f32,
    /// Bottom padding and border of enclosing boxes, which must be on one page with their last child.
    tail: f32,
}

/// State of pagination.
pub(super) struct Breaker<'h> {
    // The input.
    /// Height of a page's content area in px, by page name and number from 0.
    pub height: &'h dyn Fn(Option<&str>, usize) -> f32,
    // The state: the pages so far, and the name of further pages.
    /// Start and name of each page so far; the last entry is the end of the last page.
    tops: Vec<(f32, Option<Rc<str>>)>,
    /// Name of the following pages (`page`, CSS Paged Media 3).
    name: Option<Rc<str>>,
    /// Whether the parts are columns instead of pages.
    columns: bool,
    /// Whether the limit on pages was exceeded.
    pub refused: bool,
}

impl<'h> Breaker<'h> {
    /// A breaker with one unnamed page.
    pub(crate) fn new(height: &'h dyn Fn(Option<&str>, usize) -> f32) -> Self {
        Self {
            height,
            tops: vec![(0.0, None)],
            name: None,
            columns: false,
            refused: false,
        }
    }

    /// A breaker that divides a flow into columns of these heights.
    pub(super) fn of_columns(height: &'h dyn Fn(Option<&str>, usize) -> f32) -> Self {
        Self {
            columns: true,
            ..Self::new(height)
        }
    }

    /// Sets the name of the first page.
    pub(crate) fn begin(&mut self, name: Option<Rc<str>>) {
        self.tops[0].1 = name.clone();
        self.name = name;
    }

    /// Start, end and name of each page, for content that ends at `end`.
    pub(crate) fn pages(mut self, end: f32) -> Vec<(f32, f32, Option<Rc<str>>)> {
        // Content that ends at a page end, except for rounding, needs no further page.
        let last = self.page(end - 2.0 * TOLERANCE);
        let mut pages = Vec::new();
        for page in 0..=last {
            let (top, bottom) = self.bounds(page);
            pages.push((top, bottom, self.tops[page].1.clone()));
        }
        pages
    }

    /// Start and end of a page. Pages after the last known one are added.
    fn bounds(&mut self, page: usize) -> (f32, f32) {
        // Each page begins where the one before it ends; its height may depend on its name and
        // number.
        while self.tops.len() <= page + 1 {
            let last = self.tops.len() - 1;
            let (top, name) = &self.tops[last];
            let height = (self.height)(name.as_deref(), last).max(1.0);
            let next = top + height;
            self.tops.push((next, self.name.clone()));
        }
        (self.tops[page].0, self.tops[page + 1].0)
    }

    /// Number of the page that contains `y`.
    fn page(&mut self, y: f32) -> usize {
        // Pages are added until one ends below `y`.
        while self.tops.last().is_some_and(|last| last.0 <= y) {
            if self.tops.len() > MAX_PAGES {
                self.refused = true;
                break;
            }
            let next = self.tops.len();
            self.bounds(next);
        }
        self.tops
            .partition_point(|(top, _)| *top <= y + TOLERANCE)
            .saturating_sub(1)
    }

    /// Divides a fragment that begins at 0 into pages or columns. Returns by how much it grew.
    pub(crate) fn break_flow(&mut self, flow: &mut Rc<Fragment>) -> f32 {
        self.children(Rc::make_mut(flow), 0.0, Repeated::default())
    }

    /// Divides a fragment at `y` into pages. Returns by how much it grew. A fragment is not changed if it fits on its
    /// page with its overflow and contains neither a forced break nor a page name, or if it must stay whole.
    fn within(&mut self, fragment: &mut Rc<Fragment>, y: f32, repeated: Repeated) -> f32 {
        // A fragment without children has no position at which it could break.
        if self.refused || is_whole(fragment) || fragment.children.is_empty() {
            return 0.0;
        }
        let page = self.page(y);
        let (_, page_end) = self.bounds(page);
        let end = page_end - repeated.foot + TOLERANCE;
        let fits = y + fragment.height + repeated.tail <= end;
        // Usually the fragment fits, contains no forced break, and has no overflow that crosses the page end.
        if fits && !breaks_somewhere(fragment, self.columns) && reach(fragment) <= page_end - y {
            return 0.0;
        }
        let fragment = Rc::make_mut(fragment);
        // Columns are not moved, but filled again, in rows that end at page ends.
        if let FragmentContent::Columns(columns) = &fragment.kind
            && !self.columns
        {
            let columns = columns.clone();
            return self.in_columns(fragment, &columns, y, repeated);
        }
        if matches!(
            fragment.kind,
            FragmentContent::Box {
                role: Role::Table(TableRole::Table),
                ..
            }
        ) {
            return self.table(fragment, y, repeated);
        }
        self.children(fragment, y, repeated)
    }

    /// Composes the columns of a multi-column container that does not fit on its page. Each page gets a row of columns,
    /// which is as high as the space on the page.
    fn in_columns(
        &mut self,
        fragment: &mut Fragment,
        columns: &Columns,
        y: f32,
        repeated: Repeated,
    ) -> f32 {
        let first = self.page(y);
        // Offset and height of each row. The first row begins at the container, the others at the top of their page.
        let mut room = |row: usize| {
            let (start, end) = self.bounds((first + row).min(MAX_PAGES));
            let from = if row == 0 { y } else { start + repeated.head };
            let height = (end - repeated.foot - repeated.tail - from).max(1.0);
            (from - y, Some(height))
        };
        let height = fragment.height;
        *fragment = columns.composed(&mut room, false);
        // Absolutely positioned boxes have been placed already, so their static positions are dropped.
        fragment.pending.clear();
        fragment.height - height
    }

    /// Divides the children of a fragment at `y` into pages. Returns by how much it grew.
    ///
    /// `next_shift` is the move that applies to everything below the children so far. Children that overlap vertically
    /// are a group: each is moved from the shift at the start of the group, and the content below moves by the largest
    /// of these moves.
    fn children(&mut self, fragment: &mut Fragment, y: f32, repeated: Repeated) -> f32 {
        let lines = Lines::of(fragment);
        let (last, tail) = (last_in_flow(fragment), repeated.tail + tail(fragment));
        // Shift and bottom edge of the current group, and the shift of the next one.
        let (mut group_shift, mut group_bottom, mut next_shift) = (0.0_f32, f32::MIN, 0.0_f32);
        let mut before: Option<(f32, Break)> = None;
        let mut line = 0;
        let mut at = 0;
        while at < fragment.children.len() {
            if self.refused {
                return 0.0;
            }
            // Below the last child, the bottom edge of its parent must fit on the page.
            let inner = Repeated {
                tail: if last == Some(at) { tail } else { 0.0 },
                ..repeated
            };
            // Height of the content that must be on one page with the start of this child.
            let mut chunk = self.chunk_at(fragment, at, &lines, line);
            if stays_with_end(fragment, at, &lines, line) {
                chunk += tail;
            }
            let is_line = lines.is_some()
                && matches!(fragment.children[at].fragment.kind, FragmentContent::Line);
            line += usize::from(is_line);
            let child = &mut fragment.children[at];
            at += 1;
            // An absolutely positioned box is broken separately, and does not move other boxes.
            if matches!(child.fragment.role(), Some(Role::Absolute)) {
                let top = y + child.y;
                self.within(&mut child.fragment, top, Repeated::default());
                continue;
            }
            let floats = matches!(child.fragment.role(), Some(Role::Float));
            let bottom = child.y + child.fragment.height;
            // A child below all children so far begins a new group. A float never begins a group.
            if !floats {
                if child.y + TOLERANCE >= group_bottom {
                    group_shift = next_shift;
                    group_bottom = bottom;
                } else {
                    group_bottom = group_bottom.max(bottom);
                }
            }
            let style = child.fragment.style().cloned();
            // The child begins at its natural position plus the group's shift, or at the top of a later page.
            let mut top = y + child.y + group_shift;
            top = self.moved(top, child, before, chunk, repeated);
            let shift = top - (y + child.y);
            child.y = top - y;
            let grown = self.within(&mut child.fragment, top, inner);
            // If a margin was truncated, the child may also move up: then the shift is negative.
            if !floats {
                next_shift =
                    next_shift
                        .max(shift + grown)
                        .max(if shift < 0.0 { f32::MIN } else { 0.0 });
                if shift < 0.0 {
                    next_shift = shift + grown;
                }
                let after = style.as_ref().map_or(Break::Auto, |style| {
                    last_break(&child.fragment, style, self.columns)
                });
                before = Some((top + child.fragment.height, after));
            }
        }
        let growth = next_shift;
        fragment.height = (fragment.height + growth).max(0.0);
        growth
    }

    /// Start of a child: its natural position `top`, or the top of a later page. `before` is the bottom edge of the
    /// previous in-flow child and the break after it.
    ///
    /// First, a forced break or a new page name moves the child to a new page. Then margins at an unforced page end are
    /// dropped (5.2). Last, a child whose first unbreakable part does not fit moves to the next page, unless that part
    /// is higher than a page and the child as a whole can be broken.
    fn moved(
        &mut self,
        top: f32,
        child: &Child,
        before: Option<(f32, Break)>,
        chunk: f32,
        repeated: Repeated,
    ) -> f32 {
        let style = child.fragment.style().map(Rc::as_ref);
        // The page on which the child would begin, without the header that is repeated on it.
        let page = self.page(top);
        let (start, end) = self.bounds(page);
        let start = start + if page > 0 { repeated.head } else { 0.0 };
        let in_flow = matches!(child.fragment.kind, FragmentContent::Line)
            || matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)));
        // Break values before this child: that of the previous child after itself, and that of the child or its
        // descendants.
        let wanted = before.map_or(Break::Auto, |(_, after)| after);
        let own = style.map_or(Break::Auto, |style| {
            first_break(&child.fragment, style, self.columns)
        });
        let forced = if is_forced(own, self.columns) {
            own
        } else {
            wanted
        };
        let name = style.and_then(|style| style.page.clone());
        // A box without `page` uses the name of its parent, so unnamed pages return after a named
        // box.
        let is_box = matches!(&child.fragment.kind, FragmentContent::Box { id, role: Role::Flow, .. } if *id != BoxId::NOBODY);
        let renamed = is_box && before.is_some() && !self.columns && name != self.name;
        // Forced breaks apply only between boxes, so a forced break before the first child has no effect here.
        if (is_forced(forced, self.columns) && before.is_some() || renamed) && in_flow {
            let margin = style.map_or(0.0, own_margin);
            let position = before.map_or(top, |(bottom, _)| bottom);
            let mut page = self.page(position - TOLERANCE);
            let (begins, _) = self.bounds(page);
            // No page is added if the child is at the top of a page already.
            if position > begins + TOLERANCE {
                page += 1;
            }
            // A break to a left or right page may leave a page blank (CSS Fragmentation 3, 3.1). Page numbers count
            // from 0 here; left pages have odd ones.
            let odd = match forced {
                Break::Left | Break::Verso => Some(true),
                Break::Right | Break::Recto => Some(false),
                _ => None,
            };
            if odd.is_some_and(|odd| (page % 2 == 1) != odd) {
                page += 1;
            }
            // A new name may change the size of this page and of all later ones, which are
            // forgotten.
            if renamed {
                self.name = name.clone();
                self.tops.truncate(page + 1);
            }
            let (begins, _) = self.bounds(page);
            if renamed {
                self.tops[page].1 = name;
                self.tops.truncate(page + 1);
            }
            return begins + repeated.head + margin;
        }
        let mut top = top;
        // A margin that crosses an unforced break is truncated (CSS Fragmentation 3, 5.2).
        if in_flow
            && let Some((bottom, _)) = before
            && bottom <= start - repeated.head + TOLERANCE
            && top > start
            && page > 0
        {
            top = start;
        }
        // Space from here to the page end, and on a whole page.
        let room = end - repeated.foot - top;
        let page_room = end - repeated.foot - start;
        if top > start + TOLERANCE && loses_padding(&child.fragment, room, page_room, 0) {
            let (next, _) = self.bounds(page + 1);
            return next + repeated.head;
        }
        // The child moves to the next page unless this part fits here. A part that is higher than any page stays where
        // it is, unless it cannot be broken at all.
        let fits_somewhere = chunk <= end - repeated.foot - start + TOLERANCE;
        if chunk > room + TOLERANCE
            && top > start + TOLERANCE
            && (fits_somewhere || is_whole(&child.fragment))
        {
            let (next, _) = self.bounds(page + 1);
            return next + repeated.head;
        }
        top
    }

    /// Height of the part of a child that must be on one page with the start of the child. The next siblings that
    /// `break-after: avoid` or `break-before: avoid` joins to it are added, at most 20 of them.
    fn chunk_at(&self, fragment: &Fragment, at: usize, lines: &Option<Lines>, line: usize) -> f32 {
        let child = &fragment.children[at];
        // Among lines, `orphans` and `widows` decide.
        if let Some(lines) = lines
            && matches!(child.fragment.kind, FragmentContent::Line)
        {
            return lines.chunk(line);
        }
        let mut chunk = chunk(&child.fragment, 0);
        // Siblings that must not be separated are added.
        let mut last = at;
        while last + 1 < fragment.children.len()
            && last < at + 20
            && let (one, next) = (&fragment.children[last], &fragment.children[last + 1])
            && one.fragment.style().is_some()
            && next.fragment.style().is_some()
            && (avoids_after(&one.fragment) || avoids_before(&next.fragment))
        {
            last += 1;
            let next = &fragment.children[last];
            chunk = next.y - child.y + self::chunk(&next.fragment, 0);
        }
        chunk
    }
}
