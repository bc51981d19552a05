//! Axes: where values and categories are on them, their lines, ticks, labels, grids and titles. Draws no series.

use super::{
    labels::{self, shown, write_turned},
    layout::Area,
    model::{Axis, Crossing, Grouping, Kind, LabelPlace, Plot, Ticks, Title},
    pens::{Pen, Pens},
    scale::Scale,
};
use crate::office::drawing::{
    Fill,
    chart::canvas::{Anchor, Canvas, Outline},
};

/// Lengths of Word's automatic layout, in points: of a tick; from the labels of an upright axis to its line, and to the edge of the
/// frame; from a lying axis to its labels, and from there to the edge.
const TICK: f64 = 3.15;
const BESIDE: f64 = 9.0;
const OUTSIDE: f64 = 6.5;
const BELOW: f64 = 6.5;

/// From a title of an axis to its labels, in points.
const TITLE_GAP: f64 = 5.0;

/// The most labels of an axis.
const MAX_LABELS: usize = 400;

/// The most lines of the label of a category.
const MAX_LINES: usize = 4;

/// An axis in one direction.
pub(super) struct Ruler<'c> {
    pub(super) axis: &'c Axis,
    /// Whether it lies, from left to right.
    pub(super) lies: bool,
    pub(super) marks: Marks,
    pen: Pen,
    labels: Vec<(f64, Vec<String>)>,
    /// How labels that have no room are turned.
    turn: f64,
}

/// What is marked on an axis.
pub(super) enum Marks {
    Numbers(Scale),
    /// The number of categories, and whether each has a part of the axis, rather than a point on it.
    Names {
        count: usize,
        between: bool,
    },
}

impl Ruler<'_> {
    /// Where a category is: from 0 to 1.
    pub(super) fn name(&self, at: usize) -> f64 {
        let Marks::Names { count, between } = self.marks else {
            return 0.0;
        };
        let share = match between {
            true => (at as f64 + 0.5) / count.max(1) as f64,
            false => at as f64 / count.saturating_sub(1).max(1) as f64,
        };
        if self.axis.reversed {
            1.0 - share
        } else {
            share
        }
    }

    /// Where a number is.
    pub(super) fn number(&self, value: f64) -> f64 {
        match &self.marks {
            Marks::Numbers(scale) => scale.share(value),
            Marks::Names { .. } => 0.0,
        }
    }

    /// The same, for what must not leave the plot.
    pub(super) fn within(&self, value: f64) -> f64 {
        self.number(value).clamp(0.0, 1.0)
    }

    /// Where bars rise from.
    pub(super) fn base(&self) -> f64 {
        match &self.marks {
            Marks::Numbers(scale) => scale.within(scale.base()),
            Marks::Names { .. } => 0.0,
        }
    }

    /// How wide a category is, as a share of the axis.
    pub(super) fn room(&self) -> f64 {
        match self.marks {
            Marks::Names {
                count,
                between: true,
            } => 1.0 / count.max(1) as f64,
            Marks::Names { count, .. } => 1.0 / count.saturating_sub(1).max(1) as f64,
            Marks::Numbers(_) => 1.0,
        }
    }

    /// Where another axis that crosses this one does so.
    fn crossed(&self, at: Crossing) -> f64 {
        let ends = |first: bool| match (first, self.axis.reversed) {
            (true, false) | (false, true) => 0.0,
            _ => 1.0,
        };
        match (at, &self.marks) {
            (Crossing::Least, _) => ends(true),
            (Crossing::Most, _) => ends(false),
            (Crossing::Zero, Marks::Numbers(scale)) => scale.within(scale.base()),
            (Crossing::Zero, Marks::Names { .. }) => ends(true),
            (Crossing::At(value), Marks::Numbers(scale)) => scale.within(value),
            (Crossing::At(value), Marks::Names { count, between }) => {
                let all = if *between {
                    *count
                } else {
                    count.saturating_sub(1)
                };
                let share = ((value - 1.0) / all.max(1) as f64).clamp(0.0, 1.0);
                if self.axis.reversed {
                    1.0 - share
                } else {
                    share
                }
            }
        }
    }

    /// How far the widest label goes away from the axis.
    fn depth(&self) -> f64 {
        let line = self.pen.line();
        let (sin, cos) = self.turn.to_radians().sin_cos();
        let depths = self.labels.iter().map(|(_, lines)| {
            let width = lines
                .iter()
                .map(|line| self.pen.width(line))
                .fold(0.0, f64::max);
            let height = line * lines.len() as f64;
            match self.lies {
                true => width * sin.abs() + height * cos.abs(),
                false => width * cos.abs() + height * sin.abs(),
            }
        });
        depths.fold(0.0, f64::max)
    }
}

/// Two axes, and the plots on them.
pub(super) struct Panel<'c> {
    pub(super) plots: Vec<&'c Plot>,
    /// The axis of categories, or that of the first numbers of points.
    pub(super) names: Ruler<'c>,
    pub(super) values: Ruler<'c>,
    /// Whether bars lie.
    pub(super) lies: bool,
}

impl<'c> Panel<'c> {
    /// The axes of plots that are to be in a rectangle. It is asked twice: for an estimate of the rectangle, and for what is left
    /// when the labels have their room.
    pub(super) fn new(
        pens: &Pens<'c>,
        plots: Vec<&'c Plot>,
        [names, values]: [&'c Axis; 2],
        area: &Area,
    ) -> Self {
        let lies = plots.iter().any(|plot| plot.kind == Kind::Bar);
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
        let names = match is_free {
            true => {
                let format = format(&|series| &series.categories);
                let room = Room::new(pens, names, !lies, area);
                let plot = plots.iter().find(|plot| plot.kind == Kind::Bubble);
                let first = plot.map_or(first, |plot| widened(first, plot.bubble_scale));
                room.numbers(first, format, false)
            }
            false => {
                let between = values.crossed_between && !only_areas(&plots)
                    || plots
                        .iter()
                        .any(|plot| matches!(plot.kind, Kind::Bar | Kind::Column));
                Room::new(pens, names, !lies, area).names(&plots, between)
            }
        };
        let bubbles = plots.iter().find(|plot| plot.kind == Kind::Bubble);
        let second = bubbles.map_or(second, |plot| widened(second, plot.bubble_scale));
        let values = Room::new(pens, values, lies, area).numbers(second, value_format, percent);
        Self {
            plots,
            names,
            values,
            lies,
        }
    }

    /// The point of two shares, of the axis of names and of that of values.
    pub(super) fn at(&self, area: &Area, name: f64, value: f64) -> (f64, f64) {
        match self.lies {
            true => area.at(value, name),
            false => area.at(name, value),
        }
    }

    /// Both axes, each with the place where it stands on the other.
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

    /// What labels and titles need outside of the plot: left, top, right, bottom.
    pub(super) fn needs(&self, pens: &Pens<'_>, needs: &mut [f64; 4]) {
        for (ruler, stands, _) in self.both() {
            if ruler.axis.hidden {
                continue;
            }
            let far = far(ruler, stands);
            let side = match (ruler.lies, far) {
                (true, false) => 3,
                (true, true) => 1,
                (false, false) => 0,
                (false, true) => 2,
            };
            let mut need = 0.0;
            if shows_labels(ruler) && is_outside(ruler, stands) {
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
            // The last label of a lying axis may go beyond it.
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

    /// Draws what is behind the series.
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

    /// Draws the axes themselves.
    pub(super) fn draw_axes(&self, canvas: &mut Canvas, pens: &Pens<'_>, area: &Area) {
        for (ruler, stands, _) in self.both() {
            if !ruler.axis.hidden {
                line(canvas, pens, area, ruler, stands);
                let depth = labels(canvas, area, ruler, stands);
                title(canvas, pens, area, ruler, stands, depth);
            }
        }
    }
}

/// Whether labels are on the side where the other axis ends, not where it begins.
fn far(ruler: &Ruler<'_>, stands: f64) -> bool {
    match ruler.axis.label_place {
        LabelPlace::Low => false,
        LabelPlace::High => true,
        LabelPlace::NextTo | LabelPlace::None => stands > 0.999,
    }
}

fn shows_labels(ruler: &Ruler<'_>) -> bool {
    ruler.axis.label_place != LabelPlace::None && !ruler.labels.is_empty()
}

/// Whether the labels are beside the plot, not within.
fn is_outside(ruler: &Ruler<'_>, stands: f64) -> bool {
    ruler.axis.label_place != LabelPlace::NextTo || !(0.001..=0.999).contains(&stands)
}

/// Where the ticks of an axis are.
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

fn minor(ruler: &Ruler<'_>) -> Vec<f64> {
    match &ruler.marks {
        Marks::Numbers(scale) => {
            let ticks = scale.minor_ticks(ruler.axis.minor_step).into_iter();
            ticks.map(|tick| scale.share(tick)).collect()
        }
        Marks::Names { .. } => Vec::new(),
    }
}

fn line(canvas: &mut Canvas, pens: &Pens<'_>, area: &Area, ruler: &Ruler<'_>, stands: f64) {
    let Some(line) = pens.rule(ruler.axis.line.as_ref()) else {
        return;
    };
    let at = |share: f64| match ruler.lies {
        true => area.at(share, stands),
        false => area.at(stands, share),
    };
    let mut outline = Outline::default();
    outline.move_to(at(0.0));
    outline.line_to(at(1.0));
    // Outside is away from the plot, or towards the beginning of the other axis.
    let out = if stands > 0.999 { -1.0 } else { 1.0 };
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

/// Writes the labels, and returns how far from the plot they end.
fn labels(canvas: &mut Canvas, area: &Area, ruler: &Ruler<'_>, stands: f64) -> f64 {
    if !shows_labels(ruler) {
        return 0.0;
    }
    let far = far(ruler, stands);
    let edge = match ruler.axis.label_place {
        LabelPlace::Low => 0.0,
        LabelPlace::High => 1.0,
        LabelPlace::NextTo | LabelPlace::None => stands,
    };
    let pen = &ruler.pen;
    let height = pen.line();
    for (share, lines) in &ruler.labels {
        let all = height * lines.len() as f64;
        if !ruler.lies {
            let (x, y) = area.at(edge, *share);
            let (x, anchor) = match far {
                true => (x + BESIDE, Anchor::Start),
                false => (x - BESIDE, Anchor::End),
            };
            labels::write_lines(canvas, pen, lines, (x, y - all / 2.0), anchor);
            continue;
        }
        let (x, y) = area.at(*share, edge);
        let top = if far { y - BELOW - all } else { y + BELOW };
        if ruler.turn == 0.0 {
            labels::write_lines(canvas, pen, lines, (x, top), Anchor::Middle);
            continue;
        }
        // Turned text ends, or begins, below its tick.
        let text = lines.join(" ");
        let anchor = if (ruler.turn < 0.0) == far {
            Anchor::Start
        } else {
            Anchor::End
        };
        let (sin, cos) = ruler.turn.to_radians().sin_cos();
        let drop = pen.drop();
        let start = if far {
            y - BELOW
        } else {
            y + BELOW + height / 2.0 * cos.abs()
        };
        let at = (x - drop * sin, start + drop * cos);
        canvas.text(at, anchor, &pen.look, ruler.turn, &text);
    }
    match is_outside(ruler, stands) {
        true => ruler.depth() + if ruler.lies { BELOW } else { BESIDE },
        false => 0.0,
    }
}

fn title(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    ruler: &Ruler<'_>,
    stands: f64,
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
    let far = far(ruler, stands);
    let (middle_x, middle_y) = area.centre();
    let (x, y) = match (ruler.lies, far) {
        (true, false) => (middle_x, area.bottom + away),
        (true, true) => (middle_x, area.top - away),
        (false, false) => (area.left - away, middle_y),
        (false, true) => (area.right + away, middle_y),
    };
    let turn = pen.turn.unwrap_or(if ruler.lies { 0.0 } else { -90.0 });
    place_title(canvas, &pen, title, (x, y), turn);
}

fn place_title(canvas: &mut Canvas, pen: &Pen, title: &Title, (x, y): (f64, f64), turn: f64) {
    let lines: Vec<&str> = title.words.lines().collect();
    if turn == 0.0 {
        let top = y - pen.line() * lines.len() as f64 / 2.0;
        labels::write_lines(canvas, pen, &lines, (x, top), Anchor::Middle);
    } else {
        write_turned(canvas, pen, &lines.join(" "), (x, y), turn);
    }
}

fn only_areas(plots: &[&Plot]) -> bool {
    plots.iter().all(|plot| plot.kind == Kind::Area)
}

/// A range of numbers, if there are any.
type Range = Option<(f64, f64)>;

fn spread(numbers: impl Iterator<Item = f64>, range: &mut Range) {
    for number in numbers {
        let (low, high) = range.unwrap_or((number, number));
        *range = Some((low.min(number), high.max(number)));
    }
}

/// The ranges of the numbers on both axes.
fn ranges(plots: &[&Plot], percent: bool) -> (Range, Range) {
    let (mut first, mut second) = (None, None);
    for plot in plots {
        if plot.is_free() {
            for series in &plot.series {
                let at = |nth| series.categories.number(nth).or(Some(nth as f64 + 1.0));
                spread((0..series.values.len()).filter_map(at), &mut first);
            }
        }
        if plot.is_stacked() && !percent {
            for at in 0..count(plot) {
                let (below, above) = sums(plot, at);
                let is_line = matches!(plot.kind, Kind::Line | Kind::Area);
                let all = if is_line {
                    [0.0, below + above]
                } else {
                    [below, above]
                };
                spread(all.into_iter(), &mut second);
            }
        } else if !percent {
            for series in &plot.series {
                spread(series.values.numbers(), &mut second);
            }
        }
    }
    if percent {
        let negative = plots.iter().flat_map(|plot| &plot.series);
        let negative = negative
            .flat_map(|series| series.values.numbers())
            .any(|value| value < 0.0);
        second = Some((if negative { -1.0 } else { 0.0 }, 1.0));
    }
    (first, second)
}

/// The number of categories of a plot.
pub(super) fn count(plot: &Plot) -> usize {
    let counts = plot
        .series
        .iter()
        .map(|series| series.values.len().max(series.categories.len()));
    counts.max().unwrap_or(0)
}

/// The sums of the negative and of the positive values of a category.
pub(super) fn sums(plot: &Plot, at: usize) -> (f64, f64) {
    let values = plot
        .series
        .iter()
        .filter_map(|series| series.values.number(at));
    values.fold((0.0, 0.0), |(below, above), value| match value < 0.0 {
        true => (below + value, above),
        false => (below, above + value),
    })
}

/// A range with room for bubbles at its ends: the largest is a quarter as wide as the plot.
fn widened(range: Range, scale: f64) -> Range {
    let (low, high) = range?;
    let room = (high - low).max(high.abs() * 0.05) * 0.132 * scale.min(2.0);
    Some((if low >= 0.0 { low } else { low - room }, high + room))
}

/// The room that an axis has for its labels.
struct Room<'c> {
    axis: &'c Axis,
    lies: bool,
    pen: Pen,
    length: f64,
    across: f64,
}

impl<'c> Room<'c> {
    fn new(pens: &Pens<'_>, axis: &'c Axis, lies: bool, area: &Area) -> Self {
        let (length, across) = match lies {
            true => (area.width(), area.height()),
            false => (area.height(), area.width()),
        };
        Self {
            axis,
            lies,
            pen: pens.pen(&axis.letters),
            length,
            across,
        }
    }

    fn numbers(self, range: Range, format: Option<&str>, tight: bool) -> Ruler<'c> {
        let format = self.axis.format.as_deref().or(format);
        let room = match self.lies {
            false => self.pen.line() * 1.23,
            true => {
                let (low, high) = range.unwrap_or_default();
                let widths = [low, high].map(|value| {
                    self.pen
                        .width(&shown(value / self.axis.unit.max(1e-300), format))
                });
                (widths[0].max(widths[1]) * 1.2).max(self.pen.line() * 1.5)
            }
        };
        let intervals = (self.length / room).floor().clamp(1.0, 10.0) as usize;
        let scale = Scale::new(range, self.axis, intervals, tight);
        let unit = if self.axis.unit > 0.0 {
            self.axis.unit
        } else {
            1.0
        };
        let labels = match self.axis.label_place {
            LabelPlace::None => Vec::new(),
            _ => scale
                .ticks()
                .into_iter()
                .map(|tick| (scale.share(tick), vec![shown(tick / unit, format)]))
                .collect(),
        };
        Ruler {
            axis: self.axis,
            lies: self.lies,
            marks: Marks::Numbers(scale),
            turn: 0.0,
            labels: if labels.len() <= MAX_LABELS {
                labels
            } else {
                Vec::new()
            },
            pen: self.pen,
        }
    }

    fn names(self, plots: &[&Plot], between: bool) -> Ruler<'c> {
        let counts = plots.iter().map(|plot| count(plot));
        let count = counts.max().unwrap_or(0);
        let mut ruler = Ruler {
            axis: self.axis,
            lies: self.lies,
            marks: Marks::Names { count, between },
            pen: self.pen,
            labels: Vec::new(),
            turn: 0.0,
        };
        if count == 0 || self.axis.label_place == LabelPlace::None || self.axis.hidden {
            return ruler;
        }
        let series = plots.iter().flat_map(|plot| &plot.series);
        let named = series
            .map(|series| &series.categories)
            .find(|names| names.len() > 0);
        let own_format = self.axis.format.as_deref();
        let label = |at: usize| match named {
            None => (at + 1).to_string(),
            Some(names) => match (names.number(at), own_format, &names.format) {
                (Some(value), Some(format), Some(_)) => shown(value, Some(format)),
                _ => labels::called(names, at),
            },
        };
        let pen = &ruler.pen;
        let slot = self.length * ruler.room();
        // Labels that stand closer than their height cannot be read.
        let closest = pen.line() / slot.max(1e-6);
        let least = closest.ceil().max(1.0) as usize;
        let skip = self
            .axis
            .label_skip
            .unwrap_or(least)
            .max(count.div_ceil(MAX_LABELS));
        let texts: Vec<(usize, String)> =
            (0..count).step_by(skip).map(|at| (at, label(at))).collect();
        let width = slot * skip as f64 * 0.95;
        let wrapped = |width: f64| -> Vec<Vec<String>> {
            texts
                .iter()
                .map(|(_, text)| pen.wrap(text, width))
                .collect()
        };
        let fits = |lines: &[Vec<String>]| {
            let mut all = lines.iter();
            all.all(|own| own.len() <= MAX_LINES && own.iter().all(|line| pen.width(line) <= width))
        };
        let lines = match self.lies {
            false => wrapped(self.across * 0.35),
            true => {
                let whole = wrapped(f64::INFINITY);
                let broken = wrapped(width);
                if let Some(turn) = pen.turn.filter(|turn| *turn != 0.0) {
                    ruler.turn = turn;
                    whole
                } else if fits(&whole) || pen.turn.is_some() {
                    whole
                } else if fits(&broken) {
                    broken
                } else {
                    ruler.turn = if slot * skip as f64 > pen.line() * 1.1 {
                        -45.0
                    } else {
                        -90.0
                    };
                    whole
                }
            }
        };
        let most = self.across * 0.4;
        let lines = lines.into_iter().map(|own| match ruler.turn {
            0.0 => own,
            _ => own.iter().map(|line| shortened(pen, line, most)).collect(),
        });
        let at = texts.iter().map(|(at, _)| ruler.name(*at));
        ruler.labels = at.zip(lines).collect();
        ruler
    }
}

/// Text that is cut where it would become wider than this.
pub(super) fn shortened(pen: &Pen, text: &str, width: f64) -> String {
    if pen.width(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for one in text.chars() {
        short.push(one);
        if pen.width(&short) + pen.look.size > width {
            break;
        }
    }
    short.push('…');
    short
}
