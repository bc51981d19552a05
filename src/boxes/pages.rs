//! Breaks the strip of fragments into pages (CSS Fragmentation 3). Paints nothing.
//!
//! The strip stays one: what would cross the end of a page is moved down to where the next page begins, and what is around it grows.
//! A page is a part of the strip. What stands side by side (cells, floats, items) is moved each by itself, and the row around it
//! grows by the largest move. Heads and feet of tables are drawn again on every page that the table reaches into.

use super::fragment::{Child, Columns, Fragment, Kind, Role, TableRole};
use super::tree::BoxId;
use convertd_markup::css::style::{BOTTOM, Break, Overflow, Size, Style, TOP};
use std::rc::Rc;

/// The most pages. Browsers make them without end; nobody prints them.
const MOST_PAGES: usize = 4000;
/// The room for rounding, in px.
const TOLERANCE: f32 = 0.05;

/// Room on pages for repeated heads and feet of tables.
#[derive(Clone, Copy, Default)]
struct Repeated {
    head: f32,
    foot: f32,
    /// Padding and borders at the end of boxes, which stay with what is last in them.
    tail: f32,
}

/// Breaks a strip.
pub(super) struct Breaker<'h> {
    /// Height of a page's content, by the name and the number of the page.
    pub height: &'h dyn Fn(Option<&str>, usize) -> f32,
    /// Start of each page, and its name.
    tops: Vec<(f32, Option<Rc<str>>)>,
    /// The name of the pages that follow.
    name: Option<Rc<str>>,
    /// The parts are columns, not pages.
    columns: bool,
    /// There would be more pages than anybody prints.
    pub refused: bool,
}

impl<'h> Breaker<'h> {
    pub(crate) fn new(height: &'h dyn Fn(Option<&str>, usize) -> f32) -> Self {
        Self {
            height,
            tops: vec![(0.0, None)],
            name: None,
            columns: false,
            refused: false,
        }
    }

    /// Breaks into columns.
    pub(super) fn of_columns(height: &'h dyn Fn(Option<&str>, usize) -> f32) -> Self {
        Self {
            columns: true,
            ..Self::new(height)
        }
    }

    /// The name of the first page.
    pub(crate) fn begin(&mut self, name: Option<Rc<str>>) {
        self.tops[0].1 = name.clone();
        self.name = name;
    }

    /// Starts of the pages, and the end of the last one.
    pub(crate) fn pages(mut self, end: f32) -> Vec<(f32, f32, Option<Rc<str>>)> {
        // What ends where a page ends, within rounding, needs no further one.
        let last = self.page(end - 2.0 * TOLERANCE);
        let mut pages = Vec::new();
        for page in 0..=last {
            let (top, bottom) = self.bounds(page);
            pages.push((top, bottom, self.tops[page].1.clone()));
        }
        pages
    }

    fn bounds(&mut self, page: usize) -> (f32, f32) {
        while self.tops.len() <= page + 1 {
            let last = self.tops.len() - 1;
            let (top, name) = &self.tops[last];
            let height = (self.height)(name.as_deref(), last).max(1.0);
            let next = top + height;
            self.tops.push((next, self.name.clone()));
        }
        (self.tops[page].0, self.tops[page + 1].0)
    }

    /// The page that a place is on.
    fn page(&mut self, y: f32) -> usize {
        while self.tops.last().is_some_and(|last| last.0 <= y) {
            if self.tops.len() > MOST_PAGES {
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

    /// Breaks the strip, which begins at 0; returns by how much it grew.
    pub(crate) fn strip(&mut self, strip: &mut Rc<Fragment>) -> f32 {
        self.children(Rc::make_mut(strip), 0.0, Repeated::default())
    }

    fn within(&mut self, fragment: &mut Rc<Fragment>, y: f32, repeated: Repeated) -> f32 {
        if self.refused || is_whole(fragment) || fragment.children.is_empty() {
            return 0.0;
        }
        let page = self.page(y);
        let (_, page_end) = self.bounds(page);
        let end = page_end - repeated.foot + TOLERANCE;
        let fits = y + fragment.height + repeated.tail <= end;
        if fits && !breaks_somewhere(fragment, self.columns) && reach(fragment) <= page_end - y {
            return 0.0;
        }
        let fragment = Rc::make_mut(fragment);
        if let Kind::Columns(columns) = &fragment.kind
            && !self.columns
        {
            let columns = columns.clone();
            return self.in_columns(fragment, &columns, y, repeated);
        }
        if matches!(
            fragment.kind,
            Kind::Box {
                role: Role::Table(TableRole::Table),
                ..
            }
        ) {
            return self.table(fragment, y, repeated);
        }
        self.children(fragment, y, repeated)
    }

    /// Columns that do not fit on their page: as much of them as there is room for on each.
    fn in_columns(
        &mut self,
        fragment: &mut Fragment,
        columns: &Columns,
        y: f32,
        repeated: Repeated,
    ) -> f32 {
        let first = self.page(y);
        let mut room = |row: usize| {
            let (start, end) = self.bounds((first + row).min(MOST_PAGES));
            let from = if row == 0 { y } else { start + repeated.head };
            let height = (end - repeated.foot - repeated.tail - from).max(1.0);
            (from - y, Some(height))
        };
        let height = fragment.height;
        *fragment = columns.composed(&mut room, false);
        // What is placed by itself stands already.
        fragment.pending.clear();
        fragment.height - height
    }

    fn children(&mut self, fragment: &mut Fragment, y: f32, repeated: Repeated) -> f32 {
        let lines = Lines::of(fragment);
        let (last, tail) = (last_in_flow(fragment), repeated.tail + tail(fragment));
        // What stands side by side begins with the same move; what follows, with the largest of those.
        let (mut group_shift, mut group_bottom, mut next_shift) = (0.0_f32, f32::MIN, 0.0_f32);
        let mut before: Option<(f32, Break)> = None;
        let mut line = 0;
        let mut at = 0;
        while at < fragment.children.len() {
            if self.refused {
                return 0.0;
            }
            let inner = Repeated {
                tail: if last == Some(at) { tail } else { 0.0 },
                ..repeated
            };
            let mut chunk = self.chunk_at(fragment, at, &lines, line);
            if stays_with_end(fragment, at, &lines, line) {
                chunk += tail;
            }
            let is_line =
                lines.is_some() && matches!(fragment.children[at].fragment.kind, Kind::Line);
            line += usize::from(is_line);
            let child = &mut fragment.children[at];
            at += 1;
            if matches!(child.fragment.role(), Some(Role::Absolute)) {
                let top = y + child.y;
                self.within(&mut child.fragment, top, Repeated::default());
                continue;
            }
            let floats = matches!(child.fragment.role(), Some(Role::Float));
            let bottom = child.y + child.fragment.height;
            if !floats {
                if child.y + TOLERANCE >= group_bottom {
                    group_shift = next_shift;
                    group_bottom = bottom;
                } else {
                    group_bottom = group_bottom.max(bottom);
                }
            }
            let style = child.fragment.style().cloned();
            let mut top = y + child.y + group_shift;
            top = self.moved(top, child, style.as_deref(), before, chunk, repeated);
            let shift = top - (y + child.y);
            child.y = top - y;
            let grown = self.within(&mut child.fragment, top, inner);
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

    /// Start of a child: its natural one, or the top of a later page.
    fn moved(
        &mut self,
        top: f32,
        child: &Child,
        style: Option<&Style>,
        before: Option<(f32, Break)>,
        chunk: f32,
        repeated: Repeated,
    ) -> f32 {
        let page = self.page(top);
        let (start, end) = self.bounds(page);
        let start = start + if page > 0 { repeated.head } else { 0.0 };
        let in_flow = matches!(child.fragment.kind, Kind::Line)
            || matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)));
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
        // What has no name of its own has that of what is around it, and so pages without a name come back behind it.
        let is_box = matches!(&child.fragment.kind, Kind::Box { id, role: Role::Flow, .. } if *id != BoxId::NOBODY);
        let renamed = is_box && before.is_some() && !self.columns && name != self.name;
        if (is_forced(forced, self.columns) && before.is_some() || renamed) && in_flow {
            let margin = style.map_or(0.0, own_margin);
            let here = before.map_or(top, |(bottom, _)| bottom);
            let mut page = self.page(here - TOLERANCE);
            let (begins, _) = self.bounds(page);
            if here > begins + TOLERANCE {
                page += 1;
            }
            // Pages with an even number, from 1, are on the left.
            let odd = match forced {
                Break::Left | Break::Verso => Some(true),
                Break::Right | Break::Recto => Some(false),
                _ => None,
            };
            if odd.is_some_and(|odd| (page % 2 == 1) != odd) {
                page += 1;
            }
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
        // A margin at the end of a page does not go on on the next one.
        if in_flow
            && let Some((bottom, _)) = before
            && bottom <= start - repeated.head + TOLERANCE
            && top > start
            && page > 0
        {
            top = start;
        }
        let room = end - repeated.foot - top;
        let page_room = end - repeated.foot - start;
        if top > start + TOLERANCE && loses_padding(&child.fragment, room, page_room, 0) {
            let (next, _) = self.bounds(page + 1);
            return next + repeated.head;
        }
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

    /// Height of a child that has to fit on one page, so that the child may begin there.
    fn chunk_at(&self, fragment: &Fragment, at: usize, lines: &Option<Lines>, line: usize) -> f32 {
        let child = &fragment.children[at];
        if let Some(lines) = lines
            && matches!(child.fragment.kind, Kind::Line)
        {
            return lines.chunk(line);
        }
        let mut chunk = chunk(&child.fragment, 0);
        // What must not be parted from what follows.
        let mut last = at;
        let avoids = |style: &Style| matches!(style.break_after, Break::Avoid | Break::AvoidPage);
        let before = |style: &Style| matches!(style.break_before, Break::Avoid | Break::AvoidPage);
        while last + 1 < fragment.children.len()
            && last < at + 20
            && let Some(style) = fragment.children[last].fragment.style()
            && let Some(next) = fragment.children[last + 1].fragment.style()
            && (avoids(style) || before(next))
        {
            last += 1;
            let next = &fragment.children[last];
            chunk = next.y - child.y + self::chunk(&next.fragment, 0);
        }
        chunk
    }

    /// A table: its head and foot stand on every page.
    fn table(&mut self, fragment: &mut Fragment, y: f32, repeated: Repeated) -> f32 {
        let part = |wanted: &TableRole| {
            fragment.children.iter().find(|child| matches!(child.fragment.role(), Some(Role::Table(role)) if role == wanted)).cloned()
        };
        let (head, foot) = (part(&TableRole::Head), part(&TableRole::Foot));
        let page = self.page(y);
        let (start, end) = self.bounds(page);
        // One that takes much of the page is not repeated.
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
        let inner = Repeated {
            head: repeated.head + height(&head),
            foot: repeated.foot + height(&foot),
            tail: 0.0,
        };
        let is = |child: &Child, role: TableRole| matches!(child.fragment.role(), Some(Role::Table(own)) if *own == role);
        let (mut shift, mut before) = (0.0_f32, None);
        let mut last_body = y;
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
            let body = !is(child, TableRole::Head) && !is(child, TableRole::Foot);
            shift += self.within(&mut child.fragment, top, own);
            if body {
                last_body = top + child.fragment.height;
            }
            before = Some((top + child.fragment.height, Break::Auto));
        }
        fragment.height += shift;
        let first = self.page(y + head.as_ref().map_or(0.0, |head| head.y));
        let last = self.page(last_body - TOLERANCE);
        for page in first..=last.min(first + MOST_PAGES) {
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

/// Draws a head or foot again.
fn again(fragment: &mut Fragment, y: f32, part: &Child) {
    let mut copy = Fragment::new(Kind::Repeated, part.fragment.width, part.fragment.height);
    copy.add(0.0, 0.0, part.fragment.clone());
    copy.pending.clear();
    fragment.children.push(Child {
        x: part.x,
        y,
        fragment: Rc::new(copy),
    });
}

/// The lines of a block.
struct Lines {
    heights: Vec<f32>,
    orphans: usize,
    widows: usize,
}

impl Lines {
    fn of(fragment: &Fragment) -> Option<Self> {
        let style = fragment.style()?;
        let lines = fragment
            .children
            .iter()
            .filter(|child| matches!(child.fragment.kind, Kind::Line));
        let heights: Vec<f32> = lines.map(|child| child.fragment.height).collect();
        (!heights.is_empty()).then(|| Self {
            heights,
            orphans: usize::from(style.text.orphans),
            widows: usize::from(style.text.widows),
        })
    }

    /// Whether what begins with this line reaches to the last one.
    fn ends_with(&self, line: usize) -> bool {
        let count = self.heights.len();
        line + self.widows >= count || line == 0 && count < self.orphans + self.widows
    }

    /// Height that has to fit on one page, so that this line may begin there.
    fn chunk(&self, line: usize) -> f32 {
        let count = self.heights.len();
        let together = match line {
            0 if count < self.orphans + self.widows => count,
            0 => self.orphans,
            line if line + self.widows == count => self.widows,
            _ => 1,
        };
        self.heights.iter().skip(line).take(together.max(1)).sum()
    }
}

/// The last child of a fragment that is in the flow.
fn last_in_flow(fragment: &Fragment) -> Option<usize> {
    let flows = |child: &Child| {
        matches!(child.fragment.kind, Kind::Line)
            || matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)))
    };
    fragment.children.iter().rposition(flows)
}

/// Padding and border at the end of a block, with the margin in front of them: they are not parted from what is last in it.
fn tail(fragment: &Fragment) -> f32 {
    let Kind::Box {
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
    let margin = last.map_or(0.0, |last| {
        let own = last.fragment.style().map(|style| &style.margin[BOTTOM]);
        let room = fragment.height - edge - last.y - last.fragment.height;
        match own {
            Some(Size::Length(length)) => length.of(0.0).min(room).max(0.0),
            _ => 0.0,
        }
    });
    if edge > 0.0 { edge + margin } else { 0.0 }
}

/// Whether a child is among the last lines, or not broken and the last: what is kept with the end of the block around it.
fn stays_with_end(fragment: &Fragment, at: usize, lines: &Option<Lines>, line: usize) -> bool {
    let child = &fragment.children[at].fragment;
    match (lines, &child.kind) {
        (Some(lines), Kind::Line) => lines.ends_with(line),
        _ => last_in_flow(fragment) == Some(at) && is_whole(child),
    }
}

/// Whether a fragment that begins with this much room below it has a row at its beginning that fits but for the padding of its cells.
/// Browsers put such a row on the next page, if it fits there.
fn loses_padding(fragment: &Fragment, room: f32, page: f32, depth: usize) -> bool {
    if fragment.height <= room + TOLERANCE || depth > 300 {
        return false;
    }
    let flows = |child: &&Child| matches!(child.fragment.role(), Some(Role::Flow | Role::Table(_)));
    let mut inner = fragment.children.iter().filter(flows);
    let goes_on = |child: &Child| loses_padding(&child.fragment, room - child.y, page, depth + 1);
    if fragment.role() != Some(&Role::Table(TableRole::Row)) {
        return inner.next().is_some_and(goes_on);
    }
    let content = |cell: &Child| {
        let inside = cell.fragment.children.iter();
        inside
            .map(|child| cell.y + child.y + child.fragment.height)
            .fold(0.0, f32::max)
    };
    let fits = inner.clone().all(|cell| content(cell) <= room + TOLERANCE);
    fits && fragment.height <= page + TOLERANCE || inner.any(goes_on)
}

/// Height of a fragment that has to fit on one page, so that the fragment may begin there.
fn chunk(fragment: &Fragment, depth: usize) -> f32 {
    if is_whole(fragment) {
        return fragment.height;
    }
    if depth > 300 {
        return 0.0;
    }
    if let Some(lines) = Lines::of(fragment) {
        let first = fragment
            .children
            .iter()
            .find(|child| matches!(child.fragment.kind, Kind::Line));
        return first.map_or(0.0, |first| first.y) + lines.chunk(0);
    }
    let flows =
        |child: &&Child| !matches!(child.fragment.role(), Some(Role::Absolute | Role::Float));
    let mut inner = fragment.children.iter().filter(flows);
    let Some(first) = inner.next() else {
        return 0.0;
    };
    // The head of a table stays with its first row, as do captions.
    let stays = first.fragment.role() == Some(&Role::Table(TableRole::Head))
        || (first.fragment.style())
            .is_some_and(|style| matches!(style.break_after, Break::Avoid | Break::AvoidPage));
    if let Some(next) = inner.next().filter(|_| stays) {
        return next.y + chunk(&next.fragment, depth + 1);
    }
    let bottom = first.y + first.fragment.height;
    // What stands beside the first one begins with it.
    let beside = fragment
        .children
        .iter()
        .filter(flows)
        .take_while(|child| child.y < bottom - TOLERANCE || child.y <= first.y);
    beside
        .map(|child| child.y + chunk(&child.fragment, depth + 1))
        .fold(0.0, f32::max)
}

/// Whether something is not broken.
pub(crate) fn is_whole(fragment: &Fragment) -> bool {
    match &fragment.kind {
        Kind::Line
        | Kind::Picture { .. }
        | Kind::Missing
        | Kind::Text { .. }
        | Kind::Inline { .. }
        | Kind::Marker { .. }
        | Kind::Anchor(_)
        | Kind::Turned(..)
        | Kind::Repeated => true,
        Kind::Columns(_) => false,
        Kind::Box { style, role, .. } => {
            *role == Role::Atomic
                || matches!(
                    style.break_inside,
                    Break::Avoid | Break::AvoidPage | Break::AvoidColumn
                )
                || fragment.children.iter().any(|child| {
                    matches!(child.fragment.kind, Kind::Picture { .. } | Kind::Missing)
                })
        }
    }
}

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

/// The break before a box: its own, or that of its first child.
fn first_break(fragment: &Fragment, style: &Style, columns: bool) -> Break {
    if is_forced(style.break_before, columns) || !matches!(fragment.kind, Kind::Box { .. }) {
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

/// The break behind a box: its own, or that of its last child.
fn last_break(fragment: &Fragment, style: &Style, columns: bool) -> Break {
    if is_forced(style.break_after, columns) || !matches!(fragment.kind, Kind::Box { .. }) {
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

fn own_margin(style: &Style) -> f32 {
    match &style.margin[TOP] {
        Size::Length(length) => length.of(0.0).max(0.0),
        _ => 0.0,
    }
}

/// Whether there is a break in a fragment that somebody asked for.
fn breaks_somewhere(fragment: &Fragment, columns: bool) -> bool {
    fragment.children.iter().any(|child| {
        let own = child.fragment.style().is_some_and(|style| {
            is_forced(style.break_before, columns)
                || is_forced(style.break_after, columns)
                || style.page.is_some()
        });
        own || matches!(child.fragment.kind, Kind::Box { .. })
            && breaks_somewhere(&child.fragment, columns)
    })
}

/// Lower end of a fragment, with its visible overflow.
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
