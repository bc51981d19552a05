//! Data labels of points. Draws no points.

use super::{
    layout::Area,
    model::{Labels, Plot, Points, Series},
    pens::{Pen, Pens},
};
use crate::{
    drawing::{
        Fill,
        chart::canvas::{Anchor, Canvas, Outline},
    },
    number_format::NumberFormat,
    time::Epoch,
};

/// Max. number of data labels of a chart.
const MAX_LABELS: usize = 3000;

/// Formats a number. The default format is `General`.
pub(super) fn shown(value: f64, format: Option<&str>) -> String {
    let mut out = String::new();
    let format = NumberFormat::parse(format.unwrap_or("General"));
    format.number(value, Epoch::From1900, &mut out);
    out.trim().to_owned()
}

/// Text of a point: a number in the format of the points, if they have one, and any other text unchanged.
pub(super) fn called(points: &Points, at: usize) -> String {
    match (&points.format, points.number(at)) {
        (Some(format), Some(value)) => shown(value, Some(format)),
        _ => points.texts.get(at).cloned().unwrap_or_default(),
    }
}

/// Position of a label relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelPosition {
    Centre,
    Left,
    Right,
    Above,
    Below,
}

/// Writes labels, up to a limit on their number.
pub(super) struct Writer {
    left: usize,
}

impl Default for Writer {
    fn default() -> Self {
        Self { left: MAX_LABELS }
    }
}

/// Data labels of a series.
pub(super) struct Own<'c> {
    pens: &'c Pens<'c>,
    labels: Labels,
    pen: Pen,
    plot: &'c Plot,
    series: &'c Series,
    /// Sum of the absolute values, for percentages.
    total: f64,
}

impl<'c> Own<'c> {
    /// Returns the labels of a series. `None` if it has none.
    pub(super) fn of(pens: &'c Pens<'_>, plot: &'c Plot, series: &'c Series) -> Option<Self> {
        let labels = series.labels.over(&plot.labels);
        labels.any().then(|| Self {
            pens,
            pen: pens.pen(&labels.letters),
            labels,
            plot,
            series,
            total: series.values.numbers().map(f64::abs).sum(),
        })
    }

    /// Position of labels that the file states.
    pub(super) fn place(&self) -> Option<&str> {
        self.labels.place.as_deref()
    }

    pub(super) fn pen(&self) -> &Pen {
        &self.pen
    }

    /// Text of a point's label: series name, category, value and percentage, as the file selects them, or a text that
    /// the file states for this point. `None` if the point has no label.
    pub(super) fn text(&self, at: usize, value: f64) -> Option<String> {
        let mut points = self.labels.points.iter();
        if let Some((_, own)) = points.find(|(own, _)| *own == at) {
            return own.clone();
        }
        let is_shown = |shown: Option<bool>| shown == Some(true);
        let mut parts = Vec::new();
        if is_shown(self.labels.series) {
            parts.push(self.series.name.clone());
        }
        if is_shown(self.labels.category) {
            parts.push(called(&self.series.categories, at));
        }
        let format = self.labels.format.as_deref();
        let percent = is_shown(self.labels.percent) && self.plot.is_round();
        if is_shown(self.labels.value) {
            let format = format.filter(|_| !percent);
            parts.push(shown(
                value,
                format.or(self.series.values.format.as_deref()),
            ));
        }
        if percent && self.total > 0.0 {
            let format = format.filter(|format| format.contains('%'));
            parts.push(shown(value.abs() / self.total, format.or(Some("0%"))));
        }
        parts.retain(|part| !part.is_empty());
        let separator = self.labels.separator.as_deref().unwrap_or(", ");
        Some(parts.join(separator)).filter(|text| !text.is_empty())
    }
}

impl Writer {
    /// Writes a label at a point.
    pub(super) fn write(
        &mut self,
        canvas: &mut Canvas,
        own: &Own<'_>,
        text: &str,
        (x, y): (f64, f64),
        beside: LabelPosition,
    ) {
        // Distance from the point to its label, in points.
        const GAP: f64 = 3.0;
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let pen = &own.pen;
        let lines: Vec<&str> = text.lines().collect();
        let height = pen.line() * lines.len() as f64;
        let width = pen.width(text);
        let (x, y) = match beside {
            LabelPosition::Centre => (x, y),
            LabelPosition::Left => (x - GAP - width / 2.0, y),
            LabelPosition::Right => (x + GAP + width / 2.0, y),
            LabelPosition::Above => (x, y - GAP - height / 2.0),
            LabelPosition::Below => (x, y + GAP + height / 2.0),
        };
        let fill = own.pens.fill(&own.labels.shape, Fill::None);
        let line = own.pens.edge(&own.labels.shape);
        if fill != Fill::None || line.is_some() {
            let mut around = Outline::default();
            let (half_width, half_height) = (width / 2.0 + 2.0, height / 2.0 + 1.0);
            around.rectangle(
                (x - half_width, y - half_height),
                (x + half_width, y + half_height),
            );
            canvas.path(&around, &fill, line.as_ref());
        }
        write_lines(canvas, pen, &lines, (x, y - height / 2.0), Anchor::Middle);
    }
}

/// Writes lines of text below one another. The point is the top of the first line.
pub(super) fn write_lines(
    canvas: &mut Canvas,
    pen: &Pen,
    lines: &[impl AsRef<str>],
    (x, top): (f64, f64),
    anchor: Anchor,
) {
    let height = pen.line();
    for (nth, line) in lines.iter().enumerate() {
        let y = top + height * (nth as f64 + 0.5) + pen.drop();
        canvas.text((x, y), anchor, &pen.look, 0.0, line.as_ref());
    }
}

/// Writes text whose centre is at a point, and which is rotated around it.
pub(super) fn write_turned(
    canvas: &mut Canvas,
    pen: &Pen,
    text: &str,
    (x, y): (f64, f64),
    turn: f64,
) {
    let (sin, cos) = turn.to_radians().sin_cos();
    let drop = pen.drop();
    let at = (x - drop * sin, y + drop * cos);
    canvas.text(at, Anchor::Middle, &pen.look, turn, text);
}

/// Moves a point to the nearest position inside an area.
pub(super) fn clamped(area: &Area, (x, y): (f64, f64)) -> (f64, f64) {
    (
        x.clamp(area.left, area.right.max(area.left)),
        y.clamp(area.top, area.bottom.max(area.top)),
    )
}
