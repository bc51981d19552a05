//! Multi-column containers (CSS Multi-column Layout 1). Lays out no block itself.
//!
//! The content is laid out once, as one column flow as wide as a column. [`pages`](super::pages) fragments it in the
//! way it fragments pages, and each part becomes a column box. Balanced columns (7.1) have the least height at which no
//! further column is needed. A bisection finds this height, and breaks the flow a dozen times. A container keeps its
//! flow ([`Columns`]). If it does not fit on its page, it is composed again during pagination: rows of columns fill the
//! pages, and only the last row is balanced.
//!
//! An element with `column-span: all` ends a row of columns. The flow after the element begins a new row (6.1).

use super::{
    column_sizes::{MAX_COLUMNS, between, fitting},
    engine::{Containing, Engine, LayoutInput},
    extents::Extents,
    fragment::{Child, Columns, Fragment, FragmentContent as Made, Pending, Role},
    pages::{Breaker, is_whole, reach},
    sizing::{Content, margins},
    tree::{BoxContent, BoxId},
};
use crate::error::Result;
use convertd_markup::css::style::{BOTTOM, Border, LEFT, Style, TOP};
use std::rc::Rc;

/// Number of bisections when columns are balanced: they determine the height for a flow of 1000 px to within 0.06 px.
const HALVINGS: usize = 14;
/// Limit on the nesting of multi-column containers; deeper ones get a single column. Each level breaks all levels
/// within it a dozen times, so the work grows exponentially with the depth.
const DEEPEST: usize = 4;
/// Height of columns without a limit, in px: more than any page.
const ENDLESS: f32 = 1e6;
/// Tolerance for rounding, in px.
const TOLERANCE: f32 = 0.05;

impl Engine<'_, '_> {
    /// Lays out a multi-column container. Runs of ordinary children become rows of columns, and spanning children are
    /// placed between the rows.
    pub(super) fn columns(&mut self, input: LayoutInput, role: Role) -> Result<Fragment> {
        let LayoutInput {
            id,
            height,
            containing,
            ..
        } = input;
        let style = self.style(id).clone();
        let Content {
            border,
            padding,
            edges,
            corner: (left, top),
            inner,
        } = self.content(input);
        // Height that all rows and spanning children together may have. Without a limit, columns are always balanced.
        let limit = self.bounded_height(id, height.unwrap_or(ENDLESS), containing) - edges;
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role,
        };
        let mut fragment = Fragment::new(made, input.width, 0.0);
        let boxes = self.boxes;
        let children: &[BoxId] = match &boxes.get(id).kind {
            BoxContent::Blocks(children) => children,
            _ => &[],
        };
        // Spanning applies to in-flow children only (6.1).
        let spans = |child: &BoxId| {
            let own = &boxes.get(*child).style;
            own.column_span && !own.is_absolute() && !own.floats()
        };
        // `y` is the end of the rows so far, `rest` are the children that remain, and `margin` is the margin below the
        // last spanning element.
        let (mut y, mut rest, mut margin) = (0.0_f32, children, 0.0_f32);
        // The loop alternates a row of ordinary children with a spanning element.
        loop {
            let end = rest.iter().position(spans).unwrap_or(rest.len());
            let (part, others) = rest.split_at(end);
            if !part.is_empty() || children.is_empty() {
                let free = (limit < ENDLESS / 2.0).then_some((limit - y - margin).max(1.0));
                let set = self.column_set(id, &style, part, inner, free)?;
                y += std::mem::take(&mut margin);
                let is_last = others.is_empty();
                let height = set.height;
                let row = set.composed(&mut |_| (0.0, height), is_last && style.column_fill_auto);
                let first = fragment.baselines.is_none();
                if first && let Some((first, last)) = row.baselines {
                    fragment.baselines = Some((first + top + y, last + top + y));
                }
                let height = row.height;
                fragment.add(left, top + y, row);
                y += height;
            }
            let Some((spanner, after)) = others.split_first() else {
                break;
            };
            let own = margins(self.style(*spanner), inner.width);
            let (above, below) = (own[TOP].unwrap_or(0.0), own[BOTTOM].unwrap_or(0.0));
            // The margins of adjacent spanners collapse; those of a spanner and columns do not (6.2).
            y += above.max(margin);
            let shown = self.spanner(*spanner, inner)?;
            let height = shown.1.height;
            fragment.add(left + shown.0, top + y, shown.1);
            y += height;
            (rest, margin) = (after, below);
        }
        let natural = y + margin.max(0.0) + edges;
        fragment.height = self.bounded_height(id, height.unwrap_or(natural), containing);
        self.settle(&mut fragment, &style)?;
        Ok(fragment)
    }

    /// Lays out a spanning element (`column-span: all`). Returns its left edge and its fragment.
    fn spanner(&mut self, id: BoxId, inner: Containing) -> Result<(f32, Rc<Fragment>)> {
        let margin = margins(self.style(id), inner.width);
        let sides = margin[LEFT].unwrap_or(0.0) + margin[1].unwrap_or(0.0);
        let room = (inner.width - sides).max(0.0);
        let input = LayoutInput {
            id,
            width: self.width(id, inner.width, room, false)?,
            height: self.fixed_height(id, inner),
            containing: inner,
        };
        let fragment = self.independent(input, Role::Flow)?;
        // `auto` margins centre the spanner or push it to the end, as in CSS 2.2, 10.3.3.
        let free = inner.width - sides - fragment.width;
        let x = match (margin[LEFT], margin[1]) {
            (None, None) => (free / 2.0).max(0.0),
            (None, Some(_)) => free.max(0.0),
            (Some(left), _) => left,
        };
        Ok((x, fragment))
    }

    /// Lays out these children as one column flow, or the lines of a container that has no block children. `height` is
    /// the limit on the height in px, if there is a limit.
    fn column_set(
        &mut self,
        id: BoxId,
        style: &Rc<Style>,
        children: &[BoxId],
        inner: Containing,
        height: Option<f32>,
    ) -> Result<Columns> {
        let gap = between(style, inner.width);
        // Containers nested too deeply get a single column.
        let (count, width) = match self.columns_around < DEEPEST {
            true => fitting(style, inner.width, gap),
            false => (1, inner.width),
        };
        let room = Containing {
            width,
            height: inner.height,
        };
        let nested = self.columns_around;
        self.columns_around += 1;
        let flow = self.column_flow(id, style, children, room);
        // The nesting depth is restored before an error is returned.
        self.columns_around = nested;
        let flow = flow?;
        // Balancing breaks the flow again and again; its steps are counted in advance.
        self.steps(fragments(&flow).saturating_mul(HALVINGS))?;
        // A line is never cut, so no column is lower than a line of plain text. Without lines, a height of at most 1 px
        // is ignored.
        let height = height
            .map(|height| match height < style.text.size {
                true => height.max(tallest_line(&flow)),
                false => height,
            })
            .filter(|height| *height > 1.0);
        // A column rule is painted as the left border of an otherwise empty box.
        let rule = (style.column_rule.width() > 0.0).then(|| {
            let mut own = style.inherited(convertd_markup::css::style::Display::Block);
            own.border = [Border::NONE; 4];
            own.border[LEFT] = style.column_rule;
            Rc::new(own)
        });
        Ok(Columns {
            flow: Rc::new(flow),
            count,
            width,
            gap,
            height,
            balanced: !style.column_fill_auto,
            rule,
        })
    }
}

/// Height of the tallest line in a flow, in px. Recursive, like layout itself.
fn tallest_line(fragment: &Fragment) -> f32 {
    match fragment.kind {
        Made::Line => fragment.height,
        _ => {
            let children = fragment.children.iter();
            let heights = children.map(|child| tallest_line(&child.fragment));
            heights.fold(0.0, f32::max)
        }
    }
}

/// A column flow after fragmentation, with the top and bottom of each part in it, in px.
struct Broken {
    flow: Rc<Fragment>,
    parts: Vec<(f32, f32)>,
}

impl Columns {
    /// Fragments the flow into columns; `height` gives the height of each column by its number.
    /// Returns `None` if there are more columns than the limit on pages.
    fn broken(&self, height: &dyn Fn(usize) -> f32) -> Option<Broken> {
        // A column breaks like a page, so the same breaker divides the flow, with other heights.
        let heights = |_: Option<&str>, number: usize| height(number);
        let mut breaker = Breaker::of_columns(&heights);
        let mut flow = self.flow.clone();
        breaker.break_flow(&mut flow);
        let within = flow.children.iter();
        let end = within
            .map(|child| child.y + reach(&child.fragment))
            .fold(0.0, f32::max);
        if breaker.refused {
            return None;
        }
        let pages = breaker.pages(end.max(2.0 * TOLERANCE));
        let parts = pages.into_iter().map(|(top, end, _)| (top, end)).collect();
        Some(Broken { flow, parts })
    }

    /// Fills rows of columns with the flow. `room` gives for each row its offset from the first row and its height
    /// limit, in px (`None` without limit). If `filled`, the last row is filled column by column instead of balanced,
    /// provided that its height is limited.
    pub(crate) fn composed(
        &self,
        room: &mut dyn FnMut(usize) -> (f32, Option<f32>),
        filled: bool,
    ) -> Fragment {
        let fixed = self.height.unwrap_or(ENDLESS);
        // Without limits, the first attempt has a single endless column, which is then balanced.
        let mut rows = vec![room(0)];
        let mut found = self.broken(&|_| rows[0].1.unwrap_or(ENDLESS).min(fixed));
        // A container with a given height has only one row. Further content goes into overflow columns beside it (8.2).
        let is_paged = self.height.is_none() && rows[0].1.is_some();
        // Each attempt fragments the whole flow. The number of rows doubles with each attempt, so that few attempts are
        // needed. Rows that stay empty are dropped below.
        while is_paged
            && let Some(broken) = &found
            && broken.parts.len() > rows.len() * self.count
            && rows.len() < MAX_COLUMNS
        {
            for number in rows.len()..2 * rows.len() {
                rows.push(room(number));
            }
            let count = self.count;
            let heights: Vec<f32> = rows.iter().map(|row| row.1.unwrap_or(ENDLESS)).collect();
            let last = heights.len() - 1;
            found = self.broken(&|number| heights[(number / count).min(last)]);
        }
        if let Some(broken) = found.as_ref().filter(|_| is_paged) {
            rows.truncate(broken.parts.len().div_ceil(self.count).max(1));
        }
        let last = rows.len() - 1;
        let heights: Vec<f32> = rows
            .iter()
            .map(|row| row.1.unwrap_or(ENDLESS).min(fixed))
            .collect();
        let most = rows.len() * self.count;
        let endless = heights[last] >= ENDLESS;
        // The last row is balanced, unless `column-fill: auto` or `filled` prevents it. A row without a height limit is
        // always balanced.
        if self.count > 1 && (self.balanced && !filled || endless) {
            let wanted = found
                .as_ref()
                .map_or(most, |broken| broken.parts.len())
                .max(most);
            let equal = self.equal(wanted, &heights);
            found = equal.or(found);
        }
        // If there are too many columns, the container shows no column at all, instead of only a part of its content.
        let Some(broken) = found else {
            return Fragment::new(Made::Columns(Rc::new(self.clone())), self.wide(), 0.0);
        };
        self.placed(&broken, &rows)
    }

    /// Fragments the flow at the least height of the last row at which it needs no more than
    /// `wanted` columns.
    fn equal(&self, wanted: usize, heights: &[f32]) -> Option<Broken> {
        let last = heights.len() - 1;
        let attempt = |height: f32| {
            let of = |number: usize| match number / self.count {
                row if row < last => heights[row],
                _ => height,
            };
            self.broken(&of)
                .filter(|broken| broken.parts.len() <= wanted)
        };
        // At the full height of the flow, one column suffices, so the least height is at most that.
        let (mut low, mut high) = (0.0, heights[last].min(self.flow.height + 1.0));
        let mut best = attempt(high)?;
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            match attempt(middle) {
                Some(broken) => (best, high) = (broken, middle),
                None => low = middle,
            }
        }
        Some(best)
    }

    /// Width of all columns with their gaps, in px.
    fn wide(&self) -> f32 {
        self.width * self.count as f32 + self.gap * (self.count as f32 - 1.0)
    }

    /// Places the columns in their rows, with column rules between them.
    fn placed(&self, broken: &Broken, rows: &[(f32, Option<f32>)]) -> Fragment {
        let made = Made::Columns(Rc::new(self.clone()));
        let mut whole = Fragment::new(made, self.wide(), 0.0);
        let mut bottoms = vec![0.0_f32; rows.len()];
        let mut columns = Vec::new();
        let mut extents = Extents::default();
        extents.add(&broken.flow);
        // Columns fill the rows in order. Columns after the last row overflow at its side.
        for (number, (top, end)) in broken.parts.iter().enumerate() {
            let row = (number / self.count).min(rows.len() - 1);
            let along = number - row * self.count;
            let column = cut(&broken.flow, *top, *end, &extents);
            let inside = column.children.iter();
            let height = inside
                .map(|child| child.y + child.fragment.height)
                .fold(0.0, f32::max);
            bottoms[row] = bottoms[row].max(height);
            columns.push((along, row, column));
        }
        let rows_y = |row: usize| rows[row].0;
        // With `column-fill: auto`, the columns have the specified height even if they are partly empty.
        if self.height.is_some() && !self.balanced {
            bottoms[0] = self.height.unwrap_or_default();
        }
        for (along, row, mut column) in columns {
            let x = along as f32 * (self.width + self.gap);
            column.height = bottoms[row];
            if along == 0 && row == 0 {
                whole.baselines = column.baselines;
            }
            // The rule is in the middle of the gap before each column but the first of its row.
            if along > 0
                && let Some(rule) = &self.rule
            {
                let wide = rule.border[LEFT].width();
                let made = Made::Inline {
                    style: rule.clone(),
                    border: [0.0, 0.0, 0.0, wide],
                };
                let line = Fragment::new(made, wide, bottoms[row]);
                whole.add(x - (self.gap + wide) / 2.0, rows_y(row), line);
            }
            whole.add(x, rows_y(row), column);
        }
        whole.height = rows_y(rows.len() - 1) + bottoms[rows.len() - 1];
        whole.pending = self.pending(broken, rows);
        whole
    }

    /// Static positions of absolutely positioned boxes, moved from the flow into the column that contains them.
    fn pending(&self, broken: &Broken, rows: &[(f32, Option<f32>)]) -> Vec<Pending> {
        // The column is the last part that begins at or above the top of the box.
        let place = |pending: &Pending| {
            let parts = &broken.parts;
            let number = parts.partition_point(|(top, _)| *top <= pending.y + TOLERANCE);
            let number = number.saturating_sub(1);
            let row = (number / self.count).min(rows.len() - 1);
            let along = (number - row * self.count) as f32;
            Pending {
                id: pending.id,
                x: pending.x + along * (self.width + self.gap),
                y: pending.y - parts.get(number).map_or(0.0, |part| part.0) + rows[row].0,
            }
        };
        self.flow.pending.iter().map(place).collect()
    }
}

/// Number of fragments in this subtree, itself included.
pub(super) fn fragments(fragment: &Fragment) -> usize {
    let children = fragment.children.iter();
    1 + children
        .map(|child| fragments(&child.fragment))
        .sum::<usize>()
}

/// Slices a fragment between two heights, counted from its top edge. Borders and padding at a break
/// are dropped, as `box-decoration-break: slice` asks (CSS Fragmentation 3, 5.4). Children that
/// must stay whole belong to the slice in which they begin.
fn cut(fragment: &Fragment, from: f32, to: f32, extents: &Extents) -> Fragment {
    let top = from.max(0.0);
    let bottom = to.min(fragment.height).max(top);
    let mut part = Fragment::new(fragment.kind.clone(), fragment.width, bottom - top);
    if let Made::Box {
        border, padding, ..
    } = &mut part.kind
    {
        if from > TOLERANCE {
            (border[TOP], padding[TOP]) = (0.0, 0.0);
        }
        if to < fragment.height - TOLERANCE {
            (border[BOTTOM], padding[BOTTOM]) = (0.0, 0.0);
        }
    }
    if from <= TOLERANCE {
        part.baselines = fragment.baselines;
    }
    // The extents skip children that are far from the slice.
    for child in extents.seen(fragment, from - TOLERANCE, to) {
        let deep = reach(&child.fragment);
        let begins_here = child.y >= from - TOLERANCE && child.y < to - TOLERANCE;
        let y = child.y - top;
        // A child is shown whole, sliced, continued from the slice before, or not at all.
        let fits = child.y + deep <= to + TOLERANCE;
        let goes_on = child.y < from && child.y + deep > from + TOLERANCE;
        let shown = match (begins_here, is_whole(&child.fragment)) {
            (true, true) => Some((y, child.fragment.clone())),
            (true, false) if fits => Some((y, child.fragment.clone())),
            (true, false) => {
                let own = cut(&child.fragment, 0.0, to - child.y, extents);
                Some((y, Rc::new(own)))
            }
            (false, false) if goes_on => {
                let own = cut(&child.fragment, from - child.y, to - child.y, extents);
                Some((0.0, Rc::new(own)))
            }
            (false, _) => None,
        };
        if let Some((y, fragment)) = shown {
            let x = child.x;
            part.children.push(Child { x, y, fragment });
        }
    }
    part
}
