//! Widths of table columns. Lays out no cells.
//!
//! Widths that the source states are used if the table fits with them. Other widths follow from the content of cells
//! (CSS 2.2, 17.5.2.2, automatic table layout): each column is as wide as its widest cell on one line, if all columns
//! fit in this way. Otherwise narrow columns get the width that they need. Each of the others gets its least width and
//! a share of the remaining width, in proportion to the square root of the additional width that it could use.

use super::{
    atoms::Atoms,
    context::{BlockContext, LIST_INDENT, Layout},
    lines,
    resolver::Measuring,
    spans::Spans,
    text_format::TextFormat,
};
use convertd_tree::{Block, Cell, GroupKind, Inline, Table, Width};
use std::rc::Rc;

/// Limit on the rows that are measured in each part of a table, and on the measured lines of code. Further rows and
/// lines hardly differ.
const MEASURED: usize = 300;
/// Padding beside the text of a cell, in points, as in [`tables`](super::tables).
const SIDE: f32 = 5.4;
/// The least width of a column, in points.
const LEAST: f32 = 12.0;

/// The least useful width of content, and its width on one line, in points.
type Extent = (f32, f32);

impl Layout<'_> {
    /// The width of each column of a table, in points. `padding` is the sum of the padding on both sides of a cell.
    /// `bold_head` is true if the text of header cells is bold.
    pub fn widths(
        &mut self,
        table: &Table,
        context: &BlockContext,
        padding: f32,
        bold_head: bool,
    ) -> Vec<f32> {
        let whole = match table.width {
            Some(Width::Fixed(width)) => {
                Some(super::units::points(width).clamp(1.0, context.width))
            }
            Some(Width::Share(share)) => Some((context.width * share).max(1.0).min(context.width)),
            None => None,
        };
        let around = whole.unwrap_or(context.width);
        let given: Vec<Option<f32>> = table
            .columns
            .iter()
            .map(|column| match column.width {
                Some(Width::Fixed(width)) => Some(super::units::points(width).max(1.0)),
                Some(Width::Share(share)) => Some((around * share).max(1.0)),
                None => None,
            })
            .collect();
        // If all columns have a stated width, only the rules of Word take the content into account.
        if let Some(widths) = given.iter().copied().collect::<Option<Vec<f32>>>() {
            if self.is_word() {
                return match table.fixed {
                    true => widths,
                    false => self.fitted(table, context, widths, whole),
                };
            }
            let sum: f32 = widths.iter().sum();
            // Stated widths of columns have priority over the stated width of the table, unless they do not fit.
            let scale = if sum > context.width + 12.0 {
                context.width / sum
            } else {
                1.0
            };
            return widths.iter().map(|width| width * scale).collect();
        }
        // Other widths follow from the content. A stated width is the least width and the width on one line.
        let mut extents = self.extents(table, context, padding, bold_head);
        for (extent, given) in extents.iter_mut().zip(&given) {
            if let Some(width) = given {
                *extent = (*width, *width);
            }
        }
        share(&extents, around, whole.is_some())
    }

    /// Stated widths as Word adjusts them: no column becomes narrower than its longest word. Excess over the width of
    /// the table, or over the width of the text, is taken from the other columns in proportion to their width beyond
    /// their own longest word.
    fn fitted(
        &mut self,
        table: &Table,
        context: &BlockContext,
        mut widths: Vec<f32>,
        whole: Option<f32>,
    ) -> Vec<f32> {
        let sum: f32 = widths.iter().sum();
        // As in Word, a table may be wider than the text by the padding on both of its sides.
        let room = whole
            .unwrap_or(sum)
            .min(context.width.max(sum.min(context.width + 2.0 * SIDE)));
        let extents = self.extents(table, context, 2.0 * SIDE, false);
        for (width, (least, _)) in widths.iter_mut().zip(&extents) {
            *width = width.max(*least);
        }
        let excess = widths.iter().sum::<f32>() - room;
        let spare = |(width, (least, _)): (&f32, &Extent)| (width - least).max(0.0);
        let all: f32 = widths.iter().zip(&extents).map(spare).sum();
        if excess > 0.0 && all > 0.0 {
            let part = (excess / all).min(1.0);
            for one in widths.iter_mut().zip(&extents) {
                let less = part * spare((&*one.0, one.1));
                *one.0 -= less;
            }
        // If the table has a stated width, its columns are widened to it in proportion.
        } else if excess < -0.5 && whole.is_some() {
            let scale = room / (room + excess).max(1.0);
            widths.iter_mut().for_each(|width| *width *= scale);
        }
        widths
    }

    /// Extents of all columns. They follow first from cells in one column, then from cells over several columns, whose
    /// additional width is spread evenly.
    fn extents(
        &mut self,
        table: &Table,
        context: &BlockContext,
        padding: f32,
        bold_head: bool,
    ) -> Vec<Extent> {
        let mut extents = vec![(LEAST, LEAST); table.columns.len()];
        // Cells over several columns: first column, number of columns, and extent.
        let mut wide: Vec<(usize, usize, Extent)> = Vec::new();
        let parts = [
            (&table.head, bold_head),
            (&table.body, false),
            (&table.foot, false),
        ];
        for (part, bold) in parts {
            for (_, places) in table.grid(part).take(MEASURED) {
                for place_in_row in places {
                    let convertd_tree::Slot::Cell { column, cell } = place_in_row else {
                        continue;
                    };
                    let (least, most) =
                        self.cell_extent(cell, context, bold || bold_head && cell.heading);
                    let extent = (least + padding, most + padding);
                    let columns = usize::from(cell.columns).max(1);
                    if columns == 1 {
                        extents[column].0 = extents[column].0.max(extent.0);
                        extents[column].1 = extents[column].1.max(extent.1);
                    } else {
                        wide.push((column, columns, extent));
                    }
                }
            }
        }
        for (column, columns, extent) in wide {
            let end = (column + columns).min(extents.len());
            let covered = &mut extents[column..end];
            let sum = covered
                .iter()
                .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            // The width that the covered columns lack is spread evenly over them (CSS 2.2, 17.5.2.2, step 3).
            let more = ((extent.0 - sum.0).max(0.0), (extent.1 - sum.1).max(0.0));
            let count = covered.len().max(1) as f32;
            for one in covered {
                one.0 += more.0 / count;
                one.1 += more.1 / count;
            }
        }
        extents
    }

    /// Extent of a cell's content.
    fn cell_extent(&mut self, cell: &Cell, context: &BlockContext, bold: bool) -> Extent {
        let mut context = context.clone();
        if bold {
            let mut text_format = (*context.text_format).clone();
            text_format.bold = true;
            context.text_format = Rc::new(text_format);
        }
        if self.document.cell_style(cell.style).turn.is_some() {
            // Lines of rotated text are side by side. Most cells with rotated text have only one line, so the extent is
            // the height of a line.
            let line = 1.25 * context.text_format.size;
            return (line, line);
        }
        self.blocks_extent(&cell.blocks, &context)
    }

    /// Extent of blocks: the largest least and full widths among them, with their indents.
    pub fn blocks_extent(&mut self, blocks: &[Block], context: &BlockContext) -> Extent {
        let mut extent = (0.0_f32, 0.0_f32);
        // Blocks are stacked, so the widest one decides. Indents are approximately those of `blocks`.
        let mut include = |(least, most): Extent, indent: f32| {
            extent.0 = extent.0.max(least + indent);
            extent.1 = extent.1.max(most + indent);
        };
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => {
                    let style = self.document.paragraph_style(paragraph.style);
                    let indent = [style.indent_start, style.indent_end]
                        .into_iter()
                        .flatten()
                        .map(super::units::points);
                    let indent = indent.sum::<f32>().max(0.0);
                    let text_format = self.text_format(&context.text_format, &style.text.clone());
                    include(
                        self.line_extent(&paragraph.content, &text_format, context),
                        indent,
                    );
                }
                Block::Heading(heading) => {
                    let mut text_format = (*context.text_format).clone();
                    text_format.bold = true;
                    text_format.size *= 1.3;
                    include(
                        self.line_extent(&heading.content, &text_format, context),
                        0.0,
                    );
                }
                Block::List(list) => {
                    for item in &list.items {
                        include(self.blocks_extent(&item.blocks, context), LIST_INDENT);
                    }
                }
                Block::Definitions(definitions) => {
                    for definition in definitions {
                        include(
                            self.line_extent(
                                &definition.term,
                                &context.text_format.clone(),
                                context,
                            ),
                            0.0,
                        );
                        for blocks in &definition.details {
                            include(self.blocks_extent(blocks, context), 16.0);
                        }
                    }
                }
                Block::Quote(blocks) => include(self.blocks_extent(blocks, context), 16.0),
                Block::Group(group) => {
                    include(self.blocks_extent(&group.blocks, context), 18.0);
                    if let GroupKind::Figure { caption } = &group.kind {
                        include(self.blocks_extent(caption, context), 0.0);
                    }
                }
                Block::Code(code) => {
                    let text_format = context.text_format.code();
                    for line in code.text.split('\n').take(MEASURED) {
                        let content = [Inline::Text(line.to_owned())];
                        include(self.line_extent(&content, &text_format, context), 14.0);
                    }
                }
                Block::Table(table) => {
                    let columns = self.extents(table, context, 12.0, false);
                    include(
                        columns
                            .iter()
                            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1)),
                        0.0,
                    );
                }
                Block::Rule | Block::PageBreak | Block::ColumnBreak | Block::RawHtml(_) => {}
            }
        }
        extent
    }

    /// Extent of a paragraph's text.
    fn line_extent(
        &mut self,
        content: &[Inline],
        text_format: &TextFormat,
        context: &BlockContext,
    ) -> Extent {
        let missing = self.faces.missing().to_vec();
        let spans = Spans::of(content, text_format, context.node, &mut Measuring(self));
        let extent = lines::extent(&Atoms::by(
            self.document.typesetter,
            &spans,
            context.direction,
            &mut self.faces,
        ));
        // Characters that no font has are counted when the text is set.
        self.faces.set_missing(missing);
        extent
    }
}

/// Shares a width among columns. If `all` is set, the columns together always take the whole width.
///
/// If all columns fit with each cell on one line, they get these widths. If not even the least widths fit, they are
/// scaled down. Otherwise columns that need no more than an equal share get as much as they need, and the others share
/// the rest.
fn share(extents: &[Extent], width: f32, all: bool) -> Vec<f32> {
    let least: f32 = extents.iter().map(|extent| extent.0).sum();
    let most: f32 = extents.iter().map(|extent| extent.1.max(extent.0)).sum();
    // Text that just fits must not break because of rounding errors.
    let slack = 0.1;
    if most + slack * extents.len() as f32 <= width {
        let scale = if all { width / most.max(1.0) } else { 1.0 };
        let one = |extent: &Extent| {
            if all {
                extent.1.max(extent.0) * scale
            } else {
                extent.1.max(extent.0) + slack
            }
        };
        return extents.iter().map(one).collect();
    }
    if least >= width {
        return extents
            .iter()
            .map(|extent| extent.0 * width / least)
            .collect();
    }
    // A long text in one column does not narrow columns that need no more than an equal share.
    let fair = width / extents.len().max(1) as f32;
    let modest: Vec<Option<f32>> = extents
        .iter()
        .map(|extent| {
            let most = extent.1.max(extent.0);
            (most <= fair).then_some(most + slack)
        })
        .collect();
    let taken: f32 = modest.iter().flatten().sum();
    let others: Vec<Extent> = extents
        .iter()
        .zip(&modest)
        .filter(|(_, modest)| modest.is_none())
        .map(|(one, _)| *one)
        .collect();
    let others_least: f32 = others.iter().map(|one| one.0).sum();
    let left = width - taken;
    // If the least widths of the other columns do not fit beside these, all columns share the width.
    if left < others_least {
        return weighted(extents, width);
    }
    let mut shares = weighted(&others, left).into_iter();
    modest
        .into_iter()
        .map(|one| one.or_else(|| shares.next()).unwrap_or(LEAST))
        .collect()
}

/// Gives each column its least width, and shares the rest in proportion to the square root of the additional width that
/// each could use.
fn weighted(extents: &[Extent], width: f32) -> Vec<f32> {
    let least: f32 = extents.iter().map(|extent| extent.0).sum();
    // Because of the square root, a single very long cell does not take the whole width.
    let wish = |extent: &Extent| (extent.1 - extent.0).max(0.0).sqrt();
    let wishes: f32 = extents.iter().map(wish).sum();
    let left = (width - least).max(0.0);
    extents
        .iter()
        .map(|extent| {
            extent.0
                + if wishes > 0.0 {
                    left * wish(extent) / wishes
                } else {
                    0.0
                }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_share_the_width_by_content() {
        #[track_caller]
        fn check(extents: &[Extent], width: f32, all: bool, expected: &[f32]) {
            let shares = share(extents, width, all);
            let near = shares
                .iter()
                .zip(expected)
                .all(|(one, other)| (one - other).abs() < 0.5);
            assert!(near && shares.len() == expected.len(), "{shares:?}");
        }
        check(&[(10.0, 40.0), (10.0, 40.0)], 100.0, false, &[40.0, 40.0]);
        check(&[(10.0, 40.0), (10.0, 10.0)], 100.0, true, &[80.0, 20.0]);
        check(&[(10.0, 20.0), (10.0, 900.0)], 100.0, false, &[20.0, 80.0]);
        check(&[(80.0, 90.0), (120.0, 900.0)], 100.0, false, &[40.0, 60.0]);
    }
}
