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

use super::fragment::{Child, Columns, Fragment, FragmentContent, Role, TableRole};
use super::tree::BoxId;
use convertd_markup::css::style::{BOTTOM, Break, Display, Overflow, Size, Style, TOP};
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
            top = self.moved(top, child, style.as_deref(), before, chunk, repeated);
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
        style: Option<&Style>,
        before: Option<(f32, Break)>,
        chunk: f32,
        repeated: Repeated,
    ) -> f32 {
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

    /// Divides a table into pages, and repeats its header and footer so that each page has them. A header or footer
    /// higher than a quarter of the page is not repeated.
    fn table(&mut self, fragment: &mut Fragment, y: f32, repeated: Repeated) -> f32 {
        let part = |wanted: &TableRole| {
            fragment.children.iter().find(|child| matches!(child.fragment.role(), Some(Role::Table(role)) if role == wanted)).cloned()
        };
        // The header and footer are copied before the rows move.
        let (head, foot) = (part(&TableRole::Head), part(&TableRole::Foot));
        let page = self.page(y);
        let (start, end) = self.bounds(page);
        // Repeating a large header would leave little space for rows.
        let repeats = |child: &Option<Child>| {
            child
                .as_ref()
                .map_or(0.0, |child| child.fragment.height)
                .min(end - start)
                <= (end - start) / 4.0
        };
        let head = head.filter(|_| repeats(&part(&TableRole::Head)));
        let foot = foot.filter(|_| repeats(&part(&TableRole::Foot)));
        let height = |part: &Option<Child>| part.as_ref().map_or(0.0, |part| part.fragment.height);
        // On each page, space is reserved for the header and the footer.
        let inner = Repeated {
            head: repeated.head + height(&head),
            foot: repeated.foot + height(&foot),
            tail: 0.0,
        };
        let is = |child: &Child, role: TableRole| matches!(child.fragment.role(), Some(Role::Table(own)) if *own == role);
        let (mut shift, mut before) = (0.0_f32, None);
        let mut last_body = y;
        // The header stays on one page with the first row.
        for at in 0..fragment.children.len() {
            let chunk = match is(&fragment.children[at], TableRole::Head) {
                true => {
                    let own = fragment.children[at].fragment.height;
                    let next = fragment
                        .children
                        .get(at + 1)
                        .map_or(0.0, |next| chunk(&next.fragment, 0));
                    own + next
                }
                false => chunk(&fragment.children[at].fragment, 0),
            };
            let child = &mut fragment.children[at];
            let own = match is(child, TableRole::Head) || is(child, TableRole::Foot) {
                true => repeated,
                false => inner,
            };
            let style = child.fragment.style().cloned();
            let wanted = y + child.y + shift;
            let top = self.moved(wanted, child, style.as_deref(), before, chunk, own);
            shift = top - (y + child.y);
            child.y = top - y;
            // The end of the table follows from its rows, and not from its header and footer.
            let body = !is(child, TableRole::Head) && !is(child, TableRole::Foot);
            shift += self.within(&mut child.fragment, top, own);
            if body {
                last_body = top + child.fragment.height;
            }
            before = Some((top + child.fragment.height, Break::Auto));
        }
        fragment.height += shift;
        // Adds a header on every page but the first, and a footer on every page but the last.
        let first = self.page(y + head.as_ref().map_or(0.0, |head| head.y));
        let last = self.page(last_body - TOLERANCE);
        for page in first..=last.min(first + MAX_PAGES) {
            let (start, end) = self.bounds(page);
            if let Some(head) = head.as_ref().filter(|_| page > first) {
                again(fragment, start + repeated.head - y, head);
            }
            if let Some(foot) = foot.as_ref().filter(|_| page < last) {
                let height = foot.fragment.height;
                again(fragment, end - repeated.foot - height - y, foot);
            }
        }
        shift
    }
}

/// Adds a copy of a header or footer. The copy has no static positions, because they belong to the original.
fn again(fragment: &mut Fragment, y: f32, part: &Child) {
    let mut copy = Fragment::new(
        FragmentContent::Repeated,
        part.fragment.width,
        part.fragment.height,
    );
    copy.add(0.0, 0.0, part.fragment.clone());
    copy.pending.clear();
    fragment.children.push(Child {
        x: part.x,
        y,
        fragment: Rc::new(copy),
    });
}

/// Heights of the line boxes of a block, in px, with the values of `orphans` and `widows`.
struct Lines {
    heights: Vec<f32>,
    orphans: usize,
    widows: usize,
}

impl Lines {
    /// Lines of a fragment; `None` if it has no line boxes.
    fn of(fragment: &Fragment) -> Option<Self> {
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
    fn chunk(&self, line: usize) -> f32 {
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
fn last_in_flow(fragment: &Fragment) -> Option<usize> {
    let flows = |child: &Child| {
        matches!(child.fragment.kind, FragmentContent::Line)
            || matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)))
    };
    fragment.children.iter().rposition(flows)
}

/// Height of the bottom padding and border of a block, and of the margin before them. They must not be separated from
/// the last child of the block.
fn tail(fragment: &Fragment) -> f32 {
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
fn stays_with_end(fragment: &Fragment, at: usize, lines: &Option<Lines>, line: usize) -> bool {
    let child = &fragment.children[at].fragment;
    match (lines, &child.kind) {
        (Some(lines), FragmentContent::Line) => lines.ends_with(line),
        _ => last_in_flow(fragment) == Some(at) && is_whole(child),
    }
}

/// Returns whether a fragment starts with a table row whose content fits into the space `room`, but not with the
/// padding of its cells. Browsers move such a row to the next page if it fits there.
fn loses_padding(fragment: &Fragment, room: f32, page: f32, depth: usize) -> bool {
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
fn chunk(fragment: &Fragment, depth: usize) -> f32 {
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
fn is_forced(one: Break, columns: bool) -> bool {
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
fn avoids_after(fragment: &Fragment) -> bool {
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
fn avoids_before(fragment: &Fragment) -> bool {
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
fn first_break(fragment: &Fragment, style: &Style, columns: bool) -> Break {
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
fn last_break(fragment: &Fragment, style: &Style, columns: bool) -> Break {
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
fn own_margin(style: &Style) -> f32 {
    match &style.margin[TOP] {
        Size::Length(length) => length.of(0.0).max(0.0),
        _ => 0.0,
    }
}

/// Returns whether a fragment contains a forced break or a page name.
fn breaks_somewhere(fragment: &Fragment, columns: bool) -> bool {
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
