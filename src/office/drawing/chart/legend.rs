//! The legend: its entries, and its size and position. Draws no series.

use super::{
    hierarchy::Branch,
    labels::{called, write_lines},
    layout::Area,
    model::{Chart, ChartType, Legend, Plot, Series, Side},
    pens::{Pen, Pens, ResolvedMarker, shortened},
    points,
};
use crate::drawing::{
    Fill, Line,
    chart::canvas::{Anchor, Canvas, Outline},
};

/// Distance from the plot to a legend beside it, in points. This constant and the next four are measured in Word's
/// automatic layout.
const FROM_PLOT: f64 = 15.9;
/// Distance from the text to the edge of the frame, in points.
const TO_EDGE: f64 = 10.0;
/// Distance between the text of a legend and the edge of the frame below it, in points. For a legend at the top without
/// a title, it is the distance from the edge above it.
const BELOW: f64 = 9.2;
/// Distance between a text and the next key, in points.
const BETWEEN: f64 = 7.4;
/// Distance from a legend at the top or bottom to the plot, in points.
const ABOVE: f64 = 9.0;

/// Distance from the title to a legend at the top, in points.
const BELOW_TITLE: f64 = 4.0;

/// Side of a square key, as a share of the font size.
const SQUARE: f64 = 0.525;
/// Length of a key that is a line, as a share of the font size.
const STROKE: f64 = 1.92;
/// Distance from a key to its text, in points.
const TO_TEXT: f64 = 2.45;

/// Distance from one entry to the next, as a share of the line height.
const LEADING: f64 = 1.5;

/// Max. number of entries.
const MAX_ENTRIES: usize = 200;

/// Max. width of a legend beside the plot, as a share of the frame's width, and max. height of any other legend, as a
/// share of the frame's height.
const MAX: f64 = 0.45;

/// Key of an entry, before its text.
enum Key {
    Square(Fill, Option<Line>),
    Line(Option<Line>, Option<ResolvedMarker>),
}

/// An entry of the legend.
struct Entry {
    key: Key,
    words: String,
}

/// A legend with its position.
pub(super) struct Placed<'c> {
    legend: &'c Legend,
    entries: Vec<Entry>,
    pen: Pen,
    /// Width of the keys, in points.
    key: f64,
    pub(super) area: Area,
    /// Widths of the columns, in points.
    columns: Vec<f64>,
    /// Distance from one line to the next, in points.
    leading: f64,
}

/// Places the legend of a chart in its frame. Unless the plot may overlap the legend, the space for the plot
/// (`free_area`) is reduced. `None` without a legend or entries.
pub(super) fn place<'c>(
    pens: &Pens<'c>,
    chart: &'c Chart,
    frame: &Area,
    free_area: &mut Area,
) -> Option<Placed<'c>> {
    let legend = chart.legend.as_ref()?;
    let entries = entries(pens, chart, legend);
    if entries.is_empty() {
        return None;
    }
    let pen = pens.pen(&legend.letters);
    let size = pen.look.size;
    let is_line = entries
        .iter()
        .any(|entry| matches!(&entry.key, Key::Line(Some(_), _)));
    let key = size * if is_line { STROKE } else { SQUARE };
    let most = frame.width() * MAX;
    let beside = matches!(legend.side, Side::Left | Side::Right);
    let mut placed = Placed {
        legend,
        key,
        area: Area::default(),
        columns: Vec::new(),
        leading: pen.line() * LEADING,
        entries,
        pen,
    };
    // Width that is left for the text of an entry beside its key.
    let own = legend.place.and_then(|place| place.width);
    let text_width = match (beside, own) {
        (_, Some(width)) => frame.width() * width - key - TO_TEXT,
        (true, None) => most - key - TO_TEXT,
        (false, None) => frame.width() * 0.9 - key - TO_TEXT,
    };
    for entry in &mut placed.entries {
        entry.words = shortened(
            &placed.pen,
            &entry.words.replace('\n', " "),
            text_width.max(10.0),
        );
    }
    let widths: Vec<f64> = placed
        .entries
        .iter()
        .map(|entry| key + TO_TEXT + placed.pen.width(&entry.words))
        .collect();
    if beside {
        placed.stack(&widths, frame, free_area);
    } else {
        placed.row(&widths, frame, free_area);
    }
    // A place that the file states replaces the default place.
    if let Some(place) = &legend.place {
        placed.area = frame.placed(place, placed.area);
        // If the columns are wider than the stated place, the entries are stacked in one column.
        if !beside && own.is_some() && placed.area.width() < placed.columns.iter().sum() {
            placed.columns = vec![placed.area.width()];
        }
        // Stacked entries beside the plot are spread over the height of the place.
        if beside {
            placed.leading =
                (placed.area.height() / placed.entries.len() as f64).max(placed.pen.line());
        }
    }
    if !legend.overlays {
        placed.take_from(free_area);
    }
    Some(placed)
}

/// Largest of these widths.
fn widest(widths: impl Iterator<Item = f64>) -> f64 {
    widths.fold(0.0, f64::max)
}

impl Placed<'_> {
    /// Stacks entries of these widths beside the plot.
    fn stack(&mut self, widths: &[f64], frame: &Area, free_area: &Area) {
        let count = widths.len();
        let width = widest(widths.iter().copied());
        self.columns = vec![width];
        let fits = (free_area.height() / self.leading).floor().max(1.0);
        if fits < count as f64 {
            // The line spacing is reduced before entries are dropped.
            self.leading = (free_area.height() / count as f64).max(self.pen.line());
        }
        let shown = ((free_area.height() / self.leading).floor().max(1.0) as usize).min(count);
        self.entries.truncate(shown);
        let height = self.leading * shown as f64;
        let middle = (frame.top + frame.bottom) / 2.0;
        let top = match self.legend.in_corner {
            true => free_area.top,
            false => (middle - height / 2.0).max(free_area.top.min(middle)),
        };
        let left = match self.legend.side {
            Side::Left => frame.left + TO_EDGE,
            _ => frame.right - TO_EDGE - width,
        };
        self.area = Area {
            left,
            top,
            right: left + width,
            bottom: top + height,
        };
    }

    /// Arranges entries of these widths in rows, above or below the plot.
    fn row(&mut self, widths: &[f64], frame: &Area, free_area: &Area) {
        let count = widths.len();
        let across = frame.width() - 2.0 * TO_EDGE;
        let in_a_line = widths.iter().sum::<f64>() + BETWEEN * (count - 1) as f64;
        let columns = match in_a_line <= across {
            true => count,
            false => {
                let widest = widest(widths.iter().copied()) + BETWEEN;
                ((across / widest).floor().max(1.0) as usize).min(count)
            }
        };
        let column = |first| widest(widths.iter().skip(first).step_by(columns).copied());
        self.columns = (0..columns).map(column).collect();
        let rows = count.div_ceil(columns);
        let most_rows = (frame.height() * MAX / self.pen.line()).floor().max(1.0) as usize;
        self.entries.truncate(most_rows * columns);
        let height = self.pen.line() * rows.min(most_rows) as f64;
        self.leading = self.pen.line();
        let width = self.columns.iter().sum::<f64>() + BETWEEN * (columns - 1) as f64;
        let left = (frame.left + frame.right - width) / 2.0;
        let top = match self.legend.side {
            Side::Top if free_area.top > frame.top + 1.0 => free_area.top + BELOW_TITLE,
            Side::Top => free_area.top + BELOW,
            _ => frame.bottom - BELOW - height,
        };
        self.area = Area {
            left,
            top,
            right: left + width,
            bottom: top + height,
        };
    }

    /// Reduces the space for the plot by the space of the legend.
    fn take_from(&self, free_area: &mut Area) {
        let area = &self.area;
        match self.legend.side {
            Side::Right => free_area.right = free_area.right.min(area.left - FROM_PLOT),
            Side::Left => free_area.left = free_area.left.max(area.right + FROM_PLOT),
            Side::Top => {
                free_area.top = free_area
                    .top
                    .max(area.bottom + ABOVE - super::layout::MARGIN)
            }
            Side::Bottom => free_area.bottom = free_area.bottom.min(area.top - ABOVE),
        }
    }

    /// Returns whether the legend takes space on this side of the plot.
    pub(super) fn is_beside(&self, side: Side) -> bool {
        self.legend.side == side && !self.legend.overlays
    }

    /// Draws the legend: its frame, and its entries row by row.
    pub(super) fn draw(&self, canvas: &mut Canvas, pens: &Pens<'_>) {
        let fill = pens.fill(&self.legend.shape, Fill::None);
        let line = pens.edge(&self.legend.shape);
        let mut around = Outline::default();
        let Area {
            left,
            top,
            right,
            bottom,
        } = self.area;
        around.rectangle((left - 4.0, top - 2.0), (right + 4.0, bottom + 2.0));
        canvas.path(&around, &fill, line.as_ref());
        let columns = self.columns.len().max(1);
        for (nth, entry) in self.entries.iter().enumerate() {
            let before: f64 = self.columns.iter().take(nth % columns).sum();
            let x = left + before + BETWEEN * (nth % columns) as f64;
            let y = top + self.leading * ((nth / columns) as f64 + 0.5);
            self.key(canvas, &entry.key, (x, y));
            let text = (x + self.key + TO_TEXT, y - self.pen.line() / 2.0);
            write_lines(canvas, &self.pen, &[&entry.words], text, Anchor::Start);
        }
    }

    /// Draws the key of an entry: a filled square, or a line with its marker, vertically centred on its text.
    fn key(&self, canvas: &mut Canvas, key: &Key, (x, y): (f64, f64)) {
        let side = self.pen.look.size * SQUARE;
        let mut outline = Outline::default();
        match key {
            Key::Square(fill, line) => {
                let left = x + (self.key - side) / 2.0;
                outline.rectangle((left, y - side / 2.0), (left + side, y + side / 2.0));
                canvas.path(&outline, fill, line.as_ref());
            }
            Key::Line(line, sign) => {
                outline.move_to((x, y));
                outline.line_to((x + self.key, y));
                canvas.path(&outline, &Fill::None, line.as_ref());
                if let Some(sign) = sign {
                    let small = ResolvedMarker {
                        size: sign.size.min(self.pen.look.size * 0.7),
                        ..sign.clone()
                    };
                    points::sign(canvas, &small, (x + self.key / 2.0, y));
                }
            }
        }
    }
}

/// Entries of the legend that the file does not hide: one for each point of pies, and of bars of a single series with
/// varied colours; one for each outermost category of treemaps and sunbursts; and one for each series of any other
/// plot.
fn entries(pens: &Pens<'_>, chart: &Chart, legend: &Legend) -> Vec<Entry> {
    let mut entries = Vec::new();
    let only = chart
        .plots
        .iter()
        .filter(|plot| !plot.series.is_empty())
        .count()
        == 1;
    for plot in &chart.plots {
        let by_point = plot.is_round()
            || plot.varies
                && only
                && plot.series.len() == 1
                && matches!(plot.kind, ChartType::Bar | ChartType::Column);
        if by_point {
            entries.extend(points_of(pens, plot));
            continue;
        }
        if matches!(plot.kind, ChartType::Treemap | ChartType::Sunburst) {
            entries.extend(branches_of(pens, plot));
            continue;
        }
        let mut own: Vec<Entry> = plot
            .series
            .iter()
            .map(|series| entry(pens, plot, series))
            .collect();
        // The entries are reversed if bars or areas have the opposite order from top to bottom.
        let upright = matches!(legend.side, Side::Left | Side::Right);
        let piled = plot.is_stacked()
            && upright
            && matches!(plot.kind, ChartType::Column | ChartType::Area);
        if piled || plot.kind == ChartType::Bar && !plot.is_stacked() {
            own.reverse();
        }
        entries.extend(own);
    }
    let mut number = 0;
    entries.retain(|_| {
        number += 1;
        !legend.hidden.contains(&(number - 1))
    });
    entries.truncate(MAX_ENTRIES);
    entries
}

/// Entries for the points of the first series, named by their categories or numbered.
fn points_of(pens: &Pens<'_>, plot: &Plot) -> Vec<Entry> {
    let Some(series) = plot.series.first() else {
        return Vec::new();
    };
    let count = series
        .values
        .len()
        .max(series.categories.len())
        .min(MAX_ENTRIES);
    let entry = |at: usize| {
        let (fill, line) = pens.body(plot, series, at);
        Entry {
            key: Key::Square(fill, line),
            words: match called(&series.categories, at) {
                words if words.is_empty() => (at + 1).to_string(),
                words => words,
            },
        }
    };
    (0..count).map(entry).collect()
}

/// Entries for the outermost categories, in the order of the file.
fn branches_of(pens: &Pens<'_>, plot: &Plot) -> Vec<Entry> {
    let Some(series) = plot.series.first() else {
        return Vec::new();
    };
    let mut branches = Branch::of(series).within;
    branches.sort_by_key(|branch| branch.point);
    let entry = |(nth, branch): (usize, Branch)| Entry {
        key: Key::Square(Fill::Solid(pens.accent(nth)), None),
        words: branch.name,
    };
    branches.into_iter().enumerate().map(entry).collect()
}

/// Entry of a series. The key of a line, stock, scatter or radar chart that is not filled is a line; all others are a
/// square.
fn entry(pens: &Pens<'_>, plot: &Plot, series: &Series) -> Entry {
    let key = match plot.kind {
        ChartType::Line | ChartType::Stock | ChartType::Scatter | ChartType::Radar
            if !plot.filled =>
        {
            let line = match plot.kind {
                ChartType::Stock => series.shape.line.as_ref().and_then(|_| pens.stroke(series)),
                _ => pens.stroke(series).filter(|_| plot.lines),
            };
            Key::Line(line, pens.marker(plot, series, None))
        }
        _ => Key::Square(pens.filling(series), pens.edge(&series.shape)),
    };
    let words = match series.name.trim() {
        "" => format!("Series{}", series.index + 1),
        name => name.to_owned(),
    };
    Entry { key, words }
}
