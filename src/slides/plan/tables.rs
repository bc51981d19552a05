//! Tables of a slide, and tables of the values of charts, as tables of the document. Sets no text.

use super::super::{
    deck::{Body, Cell, ComputedStyle, Paragraph, Role, Row, Run, Spacing, Table, Words},
    setting::colour,
};
use super::{Draft, Plan};
use crate::error::Result;
use convertd_office::drawing::{Chart, Fill, Line, Place, Rgba};
use convertd_tree::{
    Alignment, Block, Border, Borders, Builder, CellShape, CellStyle, Column, Length, LineKind,
    Node, POINT, Part, Width,
};
use std::rc::Rc;

impl<'d> Plan<'d> {
    /// Converts a table to blocks with fixed column widths.
    pub(super) fn table(
        &mut self,
        build: &mut Builder<'_>,
        draft: &mut Draft,
        table: &Table,
    ) -> Result<Vec<Block>> {
        let fixed = |emu: f64| Width::Fixed(Length::emu(emu as i64));
        let setting = &mut draft.setting;
        build.begin_fragment();
        let columns = table.columns.iter().map(|width| Column {
            width: Some(fixed(*width)),
            alignment: None,
        });
        build.open(Node::Table {
            columns: columns.collect(),
            width: Some(fixed(table.columns.iter().sum())),
            alignment: Some(Alignment::Start),
        })?;
        for (nth, row) in table.rows.iter().enumerate() {
            let heads = nth == 0 && table.headed;
            build.open(Node::Row {
                part: if heads { Part::Head } else { Part::Body },
                height: Some(Length::emu(row.height as i64)),
            })?;
            for cell in row.cells.iter().filter(|cell| cell.spans.0 > 0) {
                let [left, top, right, bottom] = cell.borders.each_ref().map(border);
                let background = cell.fill.colour().filter(|fill| fill.alpha > 0.0);
                let background = background.map(colour);
                let [before, above, after, below] =
                    (cell.text.insets).map(|inset| Some(Length::emu(inset as i64)));
                let style = build.cell_style(CellStyle {
                    background,
                    borders: Borders {
                        top,
                        end: right,
                        bottom,
                        start: left,
                    },
                    vertical: cell.text.anchor,
                    padding: before,
                    padding_end: after,
                    padding_top: above,
                    padding_bottom: below,
                    ..CellStyle::default()
                })?;
                build.open(Node::Cell(CellShape {
                    rows: cell.spans.0,
                    columns: cell.spans.1,
                    heading: heads,
                    alignment: None,
                    style,
                }))?;
                setting.write(build, &cell.text.paragraphs, Role::Other)?;
                build.close()?;
            }
            build.close()?;
        }
        build.close()?;
        build.end_fragment()
    }
}

/// Converts the values of a chart to a table as wide as `place`. The font size, from 5 to 14 points, depends on the
/// height of `place` and the number of rows.
pub(crate) fn table_of(chart: &Chart, place: Place) -> Table {
    let columns = chart.columns();
    let rows = columns.iter().map(|(_, points, _)| points.len()).max();
    let rows = rows.map_or(0, |rows| rows + 1);
    let height = place.height / POINT / rows.max(1) as f64;
    let look = Rc::new(ComputedStyle {
        size: (height / 1.6).clamp(5.0, 14.0),
        ..ComputedStyle::default()
    });
    let line = Line {
        width: 6_350,
        colour: Rgba::opaque([191; 3]),
        dashes: &[],
        round: false,
        ends: Default::default(),
    };
    let cell = |text: &str, is_value: bool| Cell {
        spans: (1, 1),
        text: Body {
            paragraphs: vec![Paragraph {
                runs: vec![Run {
                    text: Words::Text(text.to_owned()),
                    look: look.clone(),
                }],
                alignment: is_value.then_some(Alignment::End),
                lines: Spacing::Lines(1.0),
                look: look.clone(),
                ..Paragraph::default()
            }],
            insets: [25_400.0; 4],
            ..Body::default()
        },
        fill: Fill::None,
        borders: std::array::from_fn(|_| Some(line.clone())),
    };
    let width = place.width / columns.len().max(1) as f64;
    let row = |nth: usize| Row {
        height: 0.0,
        cells: columns
            .iter()
            .map(|(name, points, is_value)| match nth.checked_sub(1) {
                None => cell(name, *is_value),
                Some(at) => cell(points.get(at).map_or("", String::as_str), *is_value),
            })
            .collect(),
    };
    Table {
        columns: columns.iter().map(|_| width).collect(),
        rows: (0..rows).map(row).collect(),
        headed: true,
    }
}

/// Converts a line of a table cell to a border.
fn border(line: &Option<Line>) -> Option<Border> {
    let line = line.as_ref()?;
    Some(Border {
        width: Length::emu(line.width),
        colour: Some(colour(line.colour)),
        kind: match line.dashes {
            [] => LineKind::Solid,
            [dash, ..] if *dash <= 1.0 => LineKind::Dotted,
            _ => LineKind::Dashed,
        },
        space: None,
    })
}
