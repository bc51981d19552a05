//! Tables (CSS 2.2, 17; CSS Tables 3): cells, heights of rows, alignment in cells. Does not paginate.
//!
//! Widths of columns come first (`widths`), then every cell is laid out at its final width, rows get the height of
//! their cells, and cells are stretched to their rows. A table is at least as wide as its columns, even if its style
//! specifies less (17.5.2).

use super::{
    engine::{Containing, Engine, LayoutInput},
    fragment::{Child, Fragment, FragmentContent as Made, Role, TableRole},
    sizing::{self, across, down},
    tree::{BoxId, Group, RowGroupKind, Table},
    widths::spacing,
};
use crate::error::Result;
use convertd_markup::css::style::{
    BOTTOM, BorderCollapse, BoxSizing, Break, CaptionSide, Display, LEFT, RIGHT, Size, Style, TOP,
    VerticalAlign,
};
use std::rc::Rc;

/// A cell laid out at its final width: its position in the grid, its layout, and the values that its row needs.
struct LaidOutCell {
    id: BoxId,
    /// Left edge, in px from the left edge of the table.
    x: f32,
    /// Width in px.
    width: f32,
    /// Index of the first row in the table.
    row: usize,
    /// Number of rows spanned.
    rows: usize,
    fragment: Rc<Fragment>,
    /// Smallest height by the style of the cell, in px.
    least: f32,
    /// Baseline in px from the top, if the cell is baseline-aligned.
    baseline: Option<f32>,
}

/// Rows of a table, once their heights are known. Lengths are in px.
struct Rows<'h> {
    heights: &'h [f32],
    /// Space between two rows.
    gap: f32,
    /// Left edge of all rows, from the left edge of the table.
    left: f32,
    width: f32,
}

impl Engine<'_, '_> {
    /// Lays out a table, which becomes wider than `input` says if its columns need it.
    pub(super) fn table(
        &mut self,
        input: LayoutInput,
        table: &Rc<Table>,
        role: Role,
    ) -> Result<Fragment> {
        let LayoutInput { id, containing, .. } = input;
        let style = self.style(id).clone();
        // Borders and column widths are needed before any cell can be laid out.
        self.collapse(id, table);
        let widths = self.column_widths(id, table, input.width)?;
        let gaps = spacing(&style);
        let (border, mut padding) = self.edges(id, containing.width);
        // Collapsed tables have no padding (CSS 2.2, 17.6.2).
        if style.text.border_collapse == BorderCollapse::Collapse {
            padding = [0.0; 4];
        }
        let around = self.table_edges(id, table.count);
        let width = input.width.max(widths.iter().sum::<f32>() + around);
        // Left edges of the columns, mirrored for right-to-left tables.
        let mut lefts = Vec::with_capacity(widths.len());
        let mut x = border[LEFT] + padding[LEFT] + gaps.0;
        for width in &widths {
            lefts.push(x);
            x += width + gaps.0;
        }
        if style.is_rtl() {
            for (left, own) in lefts.iter_mut().zip(&widths) {
                *left = width - *left - own;
            }
        }
        let rows: usize = table.groups.iter().map(|group| group.rows.len()).sum();
        let cells = self.cells(table, &widths, &lefts, gaps.0, style.is_rtl())?;
        // The heights follow from the content. If the style of the table specifies more, the rows are stretched.
        let mut heights = self.row_heights(table, &cells, rows, gaps.1);
        let edges = down(&border) + down(&padding);
        let natural: f32 = heights.iter().sum::<f32>()
            + edges
            + if rows > 0 {
                gaps.1 * (rows as f32 + 1.0)
            } else {
                0.0
            };
        let wanted = self.bounded_height(id, input.height.unwrap_or(natural), containing);
        if wanted > natural && rows > 0 {
            stretch(&mut heights, wanted - natural);
        }
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role: Role::Table(TableRole::Table),
        };
        let mut fragment = Fragment::new(made, width, natural.max(wanted));
        let mut y = border[TOP] + padding[TOP] + gaps.1;
        let mut first = 0;
        let mut cells = cells.into_iter().peekable();
        let rows = Rows {
            heights: &heights,
            gap: gaps.1,
            left: border[LEFT] + padding[LEFT] + gaps.0,
            width: width - across(&border) - across(&padding) - 2.0 * gaps.0,
        };
        // The groups are stacked. Each takes the cells of its rows from the list, which is in grid order.
        for group in &table.groups {
            let until = first + group.rows.len();
            let mut own = Vec::new();
            while cells.peek().is_some_and(|cell| cell.row < until) {
                own.extend(cells.next());
            }
            let made = self.group(group, own, first, &rows)?;
            let height = made.height;
            // The baseline of a table is that of its first row (CSS 2.2, 10.8.1). If that row has no baseline, the
            // first row of the next group is used.
            if fragment.baselines.is_none()
                && let Some((first, last)) = made.baselines
            {
                fragment.baselines = Some((y + first, y + last));
            }
            fragment.add(rows.left, y, made);
            y += height + if group.rows.is_empty() { 0.0 } else { gaps.1 };
            first = until;
        }
        self.settle(&mut fragment, &style)?;
        self.captioned((id, table), fragment, containing, role)
    }

    /// Wraps a table with captions in its table wrapper box, which takes over margins and breaks
    /// (CSS 2.2, 17.4).
    fn captioned(
        &mut self,
        (id, table): (BoxId, &Table),
        mut fragment: Fragment,
        containing: Containing,
        role: Role,
    ) -> Result<Fragment> {
        if table.captions.is_empty() {
            return Ok(fragment);
        }
        // Besides inherited properties, the wrapper takes only margins and breaks from the table.
        let own = self.style(id).clone();
        let style = Style {
            margin: own.margin.clone(),
            break_before: own.break_before,
            break_after: own.break_after,
            break_inside: own.break_inside,
            ..own.inherited(Display::Block)
        };
        let made = Made::Box {
            id: BoxId::NOBODY,
            style: Rc::new(style),
            border: [0.0; 4],
            padding: [0.0; 4],
            role,
        };
        if let Made::Box { style, .. } = &mut fragment.kind {
            let own = Rc::make_mut(style);
            (own.break_before, own.break_after) = (Break::Auto, Break::Auto);
        }
        let width = fragment.width;
        let mut whole = Fragment::new(made, width, 0.0);
        // Captions at the top come before the table, those at the bottom after it.
        let (mut y, mut below) = (0.0, Vec::new());
        for caption in &table.captions {
            let style = self.style(*caption).clone();
            let margin = sizing::margins(&style, width).map(|margin| margin.unwrap_or(0.0));
            let room = Containing {
                width: (width - margin[LEFT] - margin[RIGHT]).max(0.0),
                height: containing.height,
            };
            let input = LayoutInput {
                id: *caption,
                width: room.width,
                height: self.height_at(*caption, room.width, room),
                containing: room,
            };
            let mut set = self.independent(input, Role::Flow)?;
            if style.text.caption_side == CaptionSide::Bottom {
                below.push((margin, set));
                continue;
            }
            // A caption above the table must not be separated from the first row.
            if let Made::Box { style, .. } = &mut Rc::make_mut(&mut set).kind {
                Rc::make_mut(style).break_after = Break::Avoid;
            }
            let height = set.height;
            whole.add(margin[LEFT], y + margin[TOP], set);
            y += margin[TOP] + height + margin[BOTTOM];
        }
        let height = fragment.height;
        whole.baselines = fragment
            .baselines
            .map(|(first, last)| (first + y, last + y));
        whole.add(0.0, y, fragment);
        y += height;
        for (margin, set) in below {
            let height = set.height;
            whole.add(margin[LEFT], y + margin[TOP], set);
            y += margin[TOP] + height + margin[BOTTOM];
        }
        whole.height = y;
        Ok(whole)
    }

    /// Lays out all cells at the widths of the columns that they span.
    fn cells(
        &mut self,
        table: &Table,
        widths: &[f32],
        lefts: &[f32],
        gap: f32,
        rtl: bool,
    ) -> Result<Vec<LaidOutCell>> {
        let mut set = Vec::new();
        let rows = table.groups.iter().flat_map(|group| &group.rows);
        for (row, cell) in rows
            .enumerate()
            .flat_map(|(row, own)| own.cells.iter().map(move |cell| (row, cell)))
        {
            self.step()?;
            let end = cell.column + cell.columns;
            let width =
                widths[cell.column..end].iter().sum::<f32>() + gap * (cell.columns - 1) as f32;
            let input = LayoutInput {
                id: cell.id,
                width,
                height: None,
                containing: Containing {
                    width,
                    height: None,
                },
            };
            let fragment = self.independent(input, Role::Table(TableRole::Cell(None)))?;
            let style = self.style(cell.id);
            // `height` of a cell is a minimum for its row (CSS 2.2, 17.5.3).
            let edges = {
                let (border, padding) = self.edges(cell.id, width);
                match style.sizing {
                    BoxSizing::Content => down(&border) + down(&padding),
                    BoxSizing::Border => 0.0,
                }
            };
            let least = match &style.height {
                Size::Length(length) => length.definite(None).map_or(0.0, |height| height + edges),
                _ => 0.0,
            };
            // All values except `top`, `middle` and `bottom` align by the baseline (CSS 2.2, 17.5.3).
            let is_baseline = !matches!(
                style.vertical_align,
                VerticalAlign::Top | VerticalAlign::Middle | VerticalAlign::Bottom
            );
            let x = if rtl {
                lefts[end - 1]
            } else {
                lefts[cell.column]
            };
            set.push(LaidOutCell {
                id: cell.id,
                x,
                width,
                row,
                rows: cell.rows,
                baseline: is_baseline
                    .then(|| fragment.baselines.map_or(fragment.height, |lines| lines.0)),
                fragment,
                least,
            });
        }
        Ok(set)
    }

    /// Heights of the rows (CSS 2.2, 17.5.3), in px.
    ///
    /// Cells in one row come first, aligned by their baselines. Then cells that span rows, in the order of the number
    /// of their rows, spread their excess over their rows without a specified height, in proportion to the heights so
    /// far. If that is impossible, the last row of the cell takes the excess.
    fn row_heights(&self, table: &Table, cells: &[LaidOutCell], rows: usize, gap: f32) -> Vec<f32> {
        let mut heights = vec![0.0_f32; rows];
        let mut fixed = vec![false; rows];
        let styles = table
            .groups
            .iter()
            .flat_map(|group| &group.rows)
            .map(|row| &row.style);
        // A row with a specified height begins with it.
        for (at, style) in styles.enumerate() {
            if let Size::Length(length) = &style.height
                && let Some(height) = length.definite(None)
            {
                heights[at] = height.max(0.0);
                fixed[at] = true;
            }
        }
        // Extents above and below the common baseline of each row.
        let mut above = vec![0.0_f32; rows];
        let mut below = vec![0.0_f32; rows];
        for cell in cells.iter().filter(|cell| cell.rows == 1) {
            let height = cell.fragment.height.max(cell.least);
            heights[cell.row] = heights[cell.row].max(height);
            if let Some(baseline) = cell.baseline {
                above[cell.row] = above[cell.row].max(baseline);
                below[cell.row] = below[cell.row].max(cell.fragment.height - baseline);
            }
        }
        for at in 0..rows {
            heights[at] = heights[at].max(above[at] + below[at]);
        }
        // Cells that span fewer rows come first.
        let mut spanning: Vec<&LaidOutCell> = cells.iter().filter(|cell| cell.rows > 1).collect();
        spanning.sort_by_key(|cell| cell.rows);
        for cell in spanning {
            let end = (cell.row + cell.rows).min(rows);
            let have: f32 =
                heights[cell.row..end].iter().sum::<f32>() + gap * (end - cell.row - 1) as f32;
            let more = cell.fragment.height.max(cell.least) - have;
            if more <= 0.0 {
                continue;
            }
            // Rows without a specified height take the excess. If there are no such rows, or if their heights are 0,
            // the last row of the cell takes it.
            let free: Vec<usize> = (cell.row..end).filter(|at| !fixed[*at]).collect();
            let weight: f32 = free.iter().map(|at| heights[*at]).sum();
            if free.is_empty() || weight <= 0.0 {
                heights[end - 1] += more;
                continue;
            }
            for at in free {
                heights[at] += more * heights[at] / weight;
            }
        }
        heights
    }

    /// Stacks the rows of a row group and stretches their cells. `first` is the index of the group's first row in the
    /// table.
    fn group(
        &mut self,
        group: &Group,
        cells: Vec<LaidOutCell>,
        first: usize,
        rows: &Rows<'_>,
    ) -> Result<Fragment> {
        let Rows {
            heights,
            gap,
            left,
            width,
        } = *rows;
        let role = match group.part {
            RowGroupKind::Head => Role::Table(TableRole::Head),
            RowGroupKind::Foot => Role::Table(TableRole::Foot),
            RowGroupKind::Body => Role::Flow,
        };
        let made = |style: &Rc<Style>, id: BoxId, role: Role| Made::Box {
            id,
            style: style.clone(),
            border: [0.0; 4],
            padding: [0.0; 4],
            role,
        };
        // Rows and row groups have no boxes of their own in the box tree.
        let nobody = BoxId::NOBODY;
        let mut whole = Fragment::new(made(&group.style, nobody, role), width, 0.0);
        let mut cells = cells.into_iter().peekable();
        let mut y = 0.0;
        for (index, row) in group.rows.iter().enumerate() {
            let at = first + index;
            let mut set = Fragment::new(
                made(&row.style, nobody, Role::Table(TableRole::Row)),
                width,
                heights[at],
            );
            let mut own = Vec::new();
            while cells.peek().is_some_and(|cell| cell.row == at) {
                own.extend(cells.next());
            }
            // The row's baseline is the lowest of its cells' baselines.
            let line = own
                .iter()
                .filter_map(|cell| cell.baseline)
                .fold(0.0, f32::max);
            // A spanning cell covers the gaps between its rows as well.
            for cell in own {
                let end = (at + cell.rows).min(first + group.rows.len());
                let height = heights[at..end].iter().sum::<f32>() + gap * (end - at - 1) as f32;
                let (x, id) = (cell.x - left, cell.id);
                let fragment = self.stretched(cell, height, line, id);
                set.add(x, 0.0, fragment);
            }
            // If no cell is aligned to the baseline, the row has the baseline of its first cell that has one.
            set.baselines = (line > 0.0).then_some((line, line)).or_else(|| {
                let cells = set.children.iter();
                cells.filter_map(|cell| cell.fragment.baselines).next()
            });
            if index == 0 {
                whole.baselines = set.baselines;
            }
            whole.add(0.0, y, set);
            y += heights[at] + gap;
        }
        whole.height = if group.rows.is_empty() { 0.0 } else { y - gap };
        Ok(whole)
    }

    /// Stretches a cell to its row and moves its content by `vertical-align`. `line` is the
    /// baseline of the row.
    fn stretched(&mut self, cell: LaidOutCell, height: f32, line: f32, id: BoxId) -> Fragment {
        let style = self.style(id).clone();
        let mut fragment = (*cell.fragment).clone();
        let slack = height - fragment.height;
        let lowered = match style.vertical_align {
            VerticalAlign::Middle => slack / 2.0,
            VerticalAlign::Bottom => slack,
            VerticalAlign::Top => 0.0,
            _ => line - cell.baseline.unwrap_or(line),
        };
        let lowered = lowered.max(0.0);
        fragment.height = height;
        fragment.width = cell.width;
        // The content moves within the cell; the cell itself fills its rows.
        for Child { y, .. } in &mut fragment.children {
            *y += lowered;
        }
        for pending in &mut fragment.pending {
            pending.y += lowered;
        }
        fragment.baselines = fragment
            .baselines
            .map(|(first, last)| (first + lowered, last + lowered));
        if let Made::Box { role, .. } = &mut fragment.kind {
            let borders = self.collapsed.get(&id).cloned();
            *role = Role::Table(TableRole::Cell(borders));
        }
        fragment
    }
}

/// Distributes extra height over rows in proportion to their heights, or evenly if all are empty.
fn stretch(heights: &mut [f32], more: f32) {
    let whole: f32 = heights.iter().sum();
    let count = heights.len() as f32;
    for height in heights {
        *height += if whole > 0.0 {
            more * *height / whole
        } else {
            more / count
        };
    }
}
