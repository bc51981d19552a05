//! Draws axes: their lines, ticks, labels, gridlines and titles. Draws no series.

use super::{
    labels::{self, write_turned},
    layout::Area,
    model::{Axis, ChartType, Grouping, LabelPlace, Plot, Ticks, Title},
    pens::{Pen, Pens},
    ranges::{ranges, widened},
    ruler::{AxisSpace, MAX_LABELS, Marks, Ruler},
};
use crate::drawing::{
    Fill,
    chart::canvas::{Anchor, Canvas, Outline},
};

/// Length of a tick mark, in points. Like the constants below, it is measured in Word's automatic layout.
const TICK: f64 = 3.15;
/// Distance from the labels of a vertical axis to its line, in points.
const BESIDE: f64 = 9.0;
/// Distance from labels to the edge of the frame, in points.
const OUTSIDE: f64 = 6.5;
/// Distance from a horizontal axis to its labels, in points.
const BELOW: f64 = 6.5;

/// Distance from the title of an axis to its labels, in points.
const TITLE_GAP: f64 = 5.0;

/// Two axes, and the plots on them.
pub(super) struct Panel<'c> {
    pub(super) plots: Vec<&'c Plot>,
    /// Axis of categories, or of the x values of points.
    pub(super) names: Ruler<'c>,
    /// Axis of values.
    pub(super) values: Ruler<'c>,
    /// Whether bars are horizontal, so that the axes are exchanged.
    pub(super) lies: bool,
}

impl<'c> Panel<'c> {
    /// Creates the axes of plots in a rectangle. It is called several times, since the rectangle depends on the size of
    /// the labels, and the labels on the rectangle.
    pub(super) fn new(
        pens: &Pens<'c>,
        plots: Vec<&'c Plot>,
        [names, values]: [&'c Axis; 2],
        area: &Area,
    ) -> Self {
        let lies = plots.iter().any(|plot| plot.kind == ChartType::Bar);
        let is_free = plots.iter().any(|plot| plot.is_free());
        let format = |of: &dyn Fn(&'c super::model::Series) -> &'c super::model::Points| {
            let mut series = plots.iter().flat_map(|plot| &plot.series);
            series.find_map(|series| of(series).format.as_deref())
        };
        let percent = plots.iter().any(|plot| plot.grouping == Grouping::Percent);
        let value_format = match percent {
            true => Some("0%"),
            false => format(&|series| &series.values),
        };
        let (first, second) = ranges(&plots, percent);
        // In scatter and bubble charts, both axes have numbers.
        let names = match is_free {
            true => {
                let format = format(&|series| &series.categories);
                let space = AxisSpace::new(pens, names, !lies, area);
                let plot = plots.iter().find(|plot| plot.kind == ChartType::Bubble);
                let first = plot.map_or(first, |plot| widened(first, plot.bubble_scale));
                space.numbers(first, format, false)
            }
            false => {
                // Bars and boxes need space on both sides of a name. If all plots are areas, they begin and end at the
                // edges.
                let between = values.crossed_between && !only_areas(&plots)
                    || plots.iter().any(|plot| {
                        matches!(
                            plot.kind,
                            ChartType::Bar | ChartType::Column | ChartType::Boxes
                        )
                    });
                AxisSpace::new(pens, names, !lies, area).names(&plots, between)
            }
        };
        let bubbles = plots.iter().find(|plot| plot.kind == ChartType::Bubble);
        let second = bubbles.map_or(second, |plot| widened(second, plot.bubble_scale));
        let values =
            AxisSpace::new(pens, values, lies, area).numbers(second, value_format, percent);
        Self {
            plots,
            names,
            values,
            lies,
        }
    }

    /// Point at these positions (from 0 to 1) on the axis of names and on the axis of values.
    pub(super) fn at(&self, area: &Area, name: f64, value: f64) -> (f64, f64) {
        match self.lies {
            true => area.at(value, name),
            false => area.at(name, value),
        }
    }

    /// Both axes: each axis, its position on the other axis, and that other axis.
    fn both(&self) -> [(&Ruler<'c>, f64, &Ruler<'c>); 2] {
        [
            (
                &self.names,
                self.values.crossed(self.names.axis.at),
                &self.values,
            ),
            (
                &self.values,
                self.names.crossed(self.values.axis.at),
                &self.names,
            ),
        ]
    }

    /// Adds the space that labels and titles need outside of the plot: left, top, right, bottom.
    pub(super) fn needs(&self, pens: &Pens<'_>, needs: &mut [f64; 4]) {
        for (ruler, position, _) in self.both() {
            if ruler.axis.hidden {
                continue;
            }
            let is_at_end = is_at_end(ruler, position);
            // Index in `needs`.
            let side = match (ruler.lies, is_at_end) {
                (true, false) => 3,
                (true, true) => 1,
                (false, false) => 0,
                (false, true) => 2,
            };
            let mut need = 0.0;
            if shows_labels(ruler) && is_outside(ruler, position) {
                need += ruler.depth() + if ruler.lies { BELOW } else { BESIDE };
            }
            if let Some(title) = &ruler.axis.title
                && !title.words.is_empty()
            {
                let lines = title.words.lines().count() as f64;
                need += TITLE_GAP + pens.heading(&title.letters, 1.0).line() * lines;
            }
            if need > 0.0 {
                needs[side] = f64::max(needs[side], need + OUTSIDE);
            }
            // The last number of a horizontal axis may extend beyond the axis.
            if ruler.lies
                && ruler.turn == 0.0
                && shows_labels(ruler)
                && matches!(ruler.marks, Marks::Numbers(_))
            {
                let width = |label: Option<&(f64, Vec<String>)>| {
                    label.map_or(0.0, |(_, lines)| {
                        ruler.pen.width(lines.first().map_or("", |line| line))
                    })
                };
                needs[2] = needs[2].max(width(ruler.labels.last()) / 2.0 + 4.0);
            }
        }
    }

    /// Draws the gridlines, which are behind the series.
    pub(super) fn draw_grid(&self, canvas: &mut Canvas, pens: &Pens<'_>, area: &Area) {
        for ruler in [&self.names, &self.values] {
            let across = |share: f64, outline: &mut Outline| {
                let (from, to) = match ruler.lies {
                    true => (area.at(share, 0.0), area.at(share, 1.0)),
                    false => (area.at(0.0, share), area.at(1.0, share)),
                };
                outline.move_to(from);
                outline.line_to(to);
            };
            let grids = [
                (&ruler.axis.minor_gridlines, minor(ruler)),
                (&ruler.axis.gridlines, major(ruler)),
            ];
            for (shape, shares) in grids {
                let Some(shape) = shape else {
                    continue;
                };
                let mut outline = Outline::default();
                shares
                    .into_iter()
                    .for_each(|share| across(share, &mut outline));
                canvas.path(
                    &outline,
                    &Fill::None,
                    pens.rule(shape.line.as_ref()).as_ref(),
                );
            }
        }
    }

    /// Draws both axes, unless they are hidden.
    pub(super) fn draw_axes(&self, canvas: &mut Canvas, pens: &Pens<'_>, area: &Area) {
        for (ruler, position, _) in self.both() {
            if !ruler.axis.hidden {
                line(canvas, pens, area, ruler, position);
                let depth = labels(canvas, area, ruler, position);
                title(canvas, pens, area, ruler, position, depth);
            }
        }
    }
}

/// Returns whether labels are at the end of the other axis, and not at its beginning. `position` is where the axis
/// crosses the other axis, from 0 to 1.
fn is_at_end(ruler: &Ruler<'_>, position: f64) -> bool {
    match ruler.axis.label_place {
        LabelPlace::Low => false,
        LabelPlace::High => true,
        LabelPlace::NextTo | LabelPlace::None => position > 0.999,
    }
}

/// Returns whether an axis shows labels.
fn shows_labels(ruler: &Ruler<'_>) -> bool {
    ruler.axis.label_place != LabelPlace::None && !ruler.labels.is_empty()
}

/// Returns whether the labels are beside the plot, and not inside.
fn is_outside(ruler: &Ruler<'_>, position: f64) -> bool {
    ruler.axis.label_place != LabelPlace::NextTo || !(0.001..=0.999).contains(&position)
}

/// Positions of the major ticks.
fn major(ruler: &Ruler<'_>) -> Vec<f64> {
    match &ruler.marks {
        Marks::Numbers(scale) => scale
            .ticks()
            .into_iter()
            .map(|tick| scale.share(tick))
            .collect(),
        Marks::Names { count, between } => {
            let parts = if *between {
                *count
            } else {
                count.saturating_sub(1)
            }
            .max(1);
            let step = parts.div_ceil(MAX_LABELS);
            let shares = (0..=parts).step_by(step.max(1));
            shares.map(|at| at as f64 / parts as f64).collect()
        }
    }
}

/// Positions of the minor ticks.
fn minor(ruler: &Ruler<'_>) -> Vec<f64> {
    match &ruler.marks {
        Marks::Numbers(scale) => {
            let ticks = scale.minor_ticks(ruler.axis.minor_step).into_iter();
            ticks.map(|tick| scale.share(tick)).collect()
        }
        Marks::Names { .. } => Vec::new(),
    }
}

/// Draws the line of an axis at this position (from 0 to 1) of the other axis, with its tick marks.
fn line(canvas: &mut Canvas, pens: &Pens<'_>, area: &Area, ruler: &Ruler<'_>, position: f64) {
    let Some(line) = pens.rule(ruler.axis.line.as_ref()) else {
        return;
    };
    let at = |share: f64| match ruler.lies {
        true => area.at(share, position),
        false => area.at(position, share),
    };
    let mut outline = Outline::default();
    outline.move_to(at(0.0));
    outline.line_to(at(1.0));
    // "Outside" is away from the plot, or towards the beginning of the other axis.
    let out = if position > 0.999 { -1.0 } else { 1.0 };
    for (ticks, shares, length) in [
        (ruler.axis.ticks, major(ruler), TICK),
        (ruler.axis.minor_ticks, minor(ruler), TICK * 0.6),
    ] {
        let (inwards, outwards) = match ticks {
            Ticks::None => continue,
            Ticks::Inside => (length, 0.0),
            Ticks::Outside => (0.0, length),
            Ticks::Across => (length, length),
        };
        for share in shares {
            let (x, y) = at(share);
            let (dx, dy) = if ruler.lies { (0.0, out) } else { (-out, 0.0) };
            outline.move_to((x - dx * inwards, y - dy * inwards));
            outline.line_to((x + dx * outwards, y + dy * outwards));
        }
    }
    canvas.path(&outline, &Fill::None, Some(&line));
}

/// Draws the labels, and returns the distance from the plot to their far edge. 0 without labels, and for labels inside
/// the plot.
fn labels(canvas: &mut Canvas, area: &Area, ruler: &Ruler<'_>, position: f64) -> f64 {
    if !shows_labels(ruler) {
        return 0.0;
    }
    let is_at_end = is_at_end(ruler, position);
    let edge = match ruler.axis.label_place {
        LabelPlace::Low => 0.0,
        LabelPlace::High => 1.0,
        LabelPlace::NextTo | LabelPlace::None => position,
    };
    let pen = &ruler.pen;
    let height = pen.line();
    for (share, lines) in &ruler.labels {
        let all = height * lines.len() as f64;
        if !ruler.lies {
            let (x, y) = area.at(edge, *share);
            let (x, anchor) = match is_at_end {
                true => (x + BESIDE, Anchor::Start),
                false => (x - BESIDE, Anchor::End),
            };
            labels::write_lines(canvas, pen, lines, (x, y - all / 2.0), anchor);
            continue;
        }
        let (x, y) = area.at(*share, edge);
        let top = if is_at_end {
            y - BELOW - all
        } else {
            y + BELOW
        };
        if ruler.turn == 0.0 {
            labels::write_lines(canvas, pen, lines, (x, top), Anchor::Middle);
            continue;
        }
        // Rotated text ends, or begins, at its tick.
        let text = lines.join(" ");
        let anchor = if (ruler.turn < 0.0) == is_at_end {
            Anchor::Start
        } else {
            Anchor::End
        };
        let (sin, cos) = ruler.turn.to_radians().sin_cos();
        let drop = pen.drop();
        let start = if is_at_end {
            y - BELOW
        } else {
            y + BELOW + height / 2.0 * cos.abs()
        };
        let at = (x - drop * sin, start + drop * cos);
        canvas.text(at, anchor, &pen.look, ruler.turn, &text);
    }
    match is_outside(ruler, position) {
        true => ruler.depth() + if ruler.lies { BELOW } else { BESIDE },
        false => 0.0,
    }
}

/// Draws the title of an axis outside of its labels, whose extent is `depth`. Unless the file states a rotation, the
/// title of a vertical axis is rotated by 90 degrees anticlockwise.
fn title(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    ruler: &Ruler<'_>,
    position: f64,
    depth: f64,
) {
    let Some(title) = ruler
        .axis
        .title
        .as_ref()
        .filter(|title| !title.words.is_empty())
    else {
        return;
    };
    let pen = pens.heading(&title.letters, 1.0);
    let lines: Vec<&str> = title.words.lines().collect();
    let height = pen.line() * lines.len() as f64;
    let away = depth + TITLE_GAP + height / 2.0;
    let is_at_end = is_at_end(ruler, position);
    let (middle_x, middle_y) = area.centre();
    let (x, y) = match (ruler.lies, is_at_end) {
        (true, false) => (middle_x, area.bottom + away),
        (true, true) => (middle_x, area.top - away),
        (false, false) => (area.left - away, middle_y),
        (false, true) => (area.right + away, middle_y),
    };
    let turn = pen.turn.unwrap_or(if ruler.lies { 0.0 } else { -90.0 });
    place_title(canvas, &pen, title, (x, y), turn);
}

/// Draws a title around a point.
fn place_title(canvas: &mut Canvas, pen: &Pen, title: &Title, (x, y): (f64, f64), turn: f64) {
    let lines: Vec<&str> = title.words.lines().collect();
    if turn == 0.0 {
        let top = y - pen.line() * lines.len() as f64 / 2.0;
        labels::write_lines(canvas, pen, &lines, (x, top), Anchor::Middle);
    } else {
        write_turned(canvas, pen, &lines.join(" "), (x, y), turn);
    }
}

/// Returns whether all plots are areas, which begin on the axis instead of beside it.
fn only_areas(plots: &[&Plot]) -> bool {
    plots.iter().all(|plot| plot.kind == ChartType::Area)
}
