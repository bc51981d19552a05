//! Draws a chart at a given size. Reads no file, and does not place the chart on a page.

use super::{
    axis::Panel,
    bars, boxes, derive,
    labels::{Writer, write_lines},
    layout::{Area, MARGIN},
    legend, lines,
    model::{Axis, Chart, ChartType, Plot, Side, Title},
    pens::Pens,
    pie, points, radar, sunburst, treemap,
};
use crate::drawing::{
    Fill, Palette, Theme,
    chart::canvas::{Anchor, Canvas, Outline},
};

/// Distance from the top of the frame to the title, in points.
const ABOVE_TITLE: f64 = 7.0;
/// Distance from the title to the plot, in points.
const BELOW_TITLE: f64 = 9.0;

/// Smallest side of a chart that is drawn, in points.
const LEAST: f64 = 10.0;

/// Default axis of categories, at the bottom.
static CATEGORIES: Axis = axis(Side::Bottom, false);
/// Default axis of values, at the left.
static NUMBERS: Axis = axis(Side::Left, true);

/// Creates an axis with default settings, for charts whose file describes none.
const fn axis(side: Side, has_numbers: bool) -> Axis {
    use super::model::{Crossing, LabelPlace, Letters, Ticks};
    Axis {
        id: 0,
        crosses: 0,
        has_numbers,
        hidden: false,
        side,
        least: None,
        most: None,
        step: None,
        minor_step: None,
        log_base: None,
        reversed: false,
        gridlines: None,
        minor_gridlines: None,
        title: None,
        format: None,
        ticks: Ticks::Outside,
        minor_ticks: Ticks::None,
        label_place: LabelPlace::NextTo,
        label_skip: None,
        letters: Letters {
            size: None,
            bold: None,
            italic: None,
            colour: None,
            font: None,
            turn: None,
        },
        line: None,
        at: Crossing::Zero,
        crossed_between: true,
        unit: 1.0,
    }
}

/// Draws a chart in this width and height in points, with the colours and fonts of a theme, as an SVG file. `palette`
/// has the colours of the theme, mapped for the slide or document. `None` if no part of the chart can be drawn, or if a
/// side is below 10 points; the caller may then show the values as a table.
pub fn draw(
    chart: &Chart,
    theme: &Theme,
    palette: &Palette,
    (width, height): (f64, f64),
) -> Option<Vec<u8>> {
    let derived = derive::derived(chart);
    let chart = derived.as_ref().unwrap_or(chart);
    let drawable = |plot: &&Plot| {
        plot.kind != ChartType::Other && plot.series.iter().any(|series| series.values.len() > 0)
    };
    let plots: Vec<&Plot> = chart.plots.iter().filter(drawable).collect();
    let is_small = !(width >= LEAST && height >= LEAST);
    if plots.is_empty() || is_small {
        return None;
    }
    // 14,400 points are the limit of PDF pages.
    let (width, height) = (width.min(14_400.0), height.min(14_400.0));
    let pens = Pens::new(chart, theme, palette);
    let mut canvas = Canvas::default();
    let frame = Area {
        left: 0.0,
        top: 0.0,
        right: width,
        bottom: height,
    };
    draw_box(&mut canvas, &pens, &chart.frame, &frame);
    let mut free_area = frame;
    if let Some(title) = chart.title.as_ref().filter(|_| chart.words().is_some()) {
        self::title(&mut canvas, &pens, title, &frame, &mut free_area);
    }
    let legend = legend::place(&pens, chart, &frame, &mut free_area);
    let beside = |side| legend.as_ref().is_some_and(|legend| legend.is_beside(side));
    let mut writer = Writer::default();
    // The first plot without axes, such as a pie, fills the place of all plots. The other plots are not drawn, except
    // further radar plots of a radar chart.
    let alone = plots.iter().find(|plot| plot.has_no_axes());
    if let Some(alone) = alone {
        // No margin is needed next to the legend.
        let default = Area {
            left: free_area.left + if beside(Side::Left) { 0.0 } else { MARGIN },
            top: free_area.top + MARGIN,
            right: free_area.right - if beside(Side::Right) { 0.0 } else { MARGIN },
            bottom: free_area.bottom - if beside(Side::Bottom) { 0.0 } else { MARGIN },
        };
        let area = chart
            .place
            .as_ref()
            .map_or(default, |place| frame.placed(place, default))
            .with_minimum_size();
        match alone.kind {
            ChartType::Treemap => treemap::draw(&mut canvas, &pens, &area, alone),
            ChartType::Sunburst => sunburst::draw(&mut canvas, &pens, &area, alone),
            ChartType::Pie | ChartType::Doughnut => {
                pie::draw(&mut canvas, &pens, &area, chart, alone, &mut writer)
            }
            _ => {
                let radars: Vec<&Plot> = plots
                    .iter()
                    .copied()
                    .filter(|plot| plot.kind == ChartType::Radar)
                    .collect();
                let axes = axes(chart, radars[0]);
                radar::draw(&mut canvas, &pens, &area, &radars, axes, &mut writer);
            }
        }
    } else {
        let needs = [
            if beside(Side::Left) { 0.0 } else { MARGIN },
            MARGIN,
            if beside(Side::Right) { 0.0 } else { MARGIN },
            if beside(Side::Bottom) { 0.0 } else { MARGIN },
        ];
        crossed(
            &mut canvas,
            &pens,
            &plots,
            (&frame, &free_area),
            needs,
            &mut writer,
        );
    }
    if let Some(legend) = legend {
        legend.draw(&mut canvas, &pens);
    }
    Some(canvas.finish((width, height)))
}

/// Draws plots between axes: gridlines first, then areas, bars and lines, and the axes on top.
fn crossed(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    plots: &[&Plot],
    (frame, free_area): (&Area, &Area),
    needs: [f64; 4],
    writer: &mut Writer,
) {
    let chart = pens.chart;
    // Plots with the same axes share a panel.
    let mut groups: Vec<(&[u32], Vec<&Plot>)> = Vec::new();
    for plot in plots {
        match groups.iter_mut().find(|(axes, _)| *axes == &*plot.axes) {
            Some((_, own)) => own.push(plot),
            None => groups.push((&plot.axes, vec![plot])),
        }
    }
    let shrunk = |[left, top, right, bottom]: [f64; 4]| Area {
        left: free_area.left + left,
        top: free_area.top + top,
        right: free_area.right - right,
        bottom: free_area.bottom - bottom,
    };
    let stated_place = chart
        .place
        .filter(|place| place.width.is_some() && place.height.is_some());
    let panels = |area: &Area| -> Vec<Panel<'_>> {
        let panels = groups.iter().map(|(_, plots)| {
            let axes = axes(chart, plots[0]);
            Panel::new(pens, plots.clone(), axes, area)
        });
        panels.collect()
    };
    let mut area = shrunk(needs).with_minimum_size();
    // The space for labels depends on the size of the plot, which depends on that space. Two passes are enough.
    for _ in 0..2 {
        let mut all = needs;
        for panel in panels(&area) {
            panel.needs(pens, &mut all);
        }
        area = match &stated_place {
            Some(place) if chart.place_is_inner => frame.placed(place, area),
            Some(place) => {
                let outer = frame.placed(place, *frame);
                // The stated area does not include the distance from labels to the edge of the frame, which is 6.5
                // points.
                let own = |need: f64, default: f64| if need > default { need - 6.5 } else { 0.0 };
                Area {
                    left: outer.left + own(all[0], needs[0]),
                    top: outer.top + own(all[1], needs[1]),
                    right: outer.right - own(all[2], needs[2]),
                    bottom: outer.bottom - own(all[3], needs[3]),
                }
            }
            None => shrunk(all),
        }
        .with_minimum_size();
    }
    let panels = panels(&area);
    draw_box(canvas, pens, &chart.wall, &area);
    for panel in &panels {
        panel.draw_grid(canvas, pens, &area);
    }
    // Areas are behind bars, and bars behind lines, on any axes.
    for rank in 0..3 {
        for panel in &panels {
            for plot in &panel.plots {
                let (own, draw): (_, Drawer) = match plot.kind {
                    ChartType::Area => (0, lines::areas),
                    ChartType::Bar | ChartType::Column => (1, bars::draw),
                    ChartType::Line | ChartType::Stock => (2, lines::draw),
                    ChartType::Scatter | ChartType::Bubble => (2, points::draw),
                    ChartType::Boxes => (1, boxes::draw),
                    ChartType::Pie
                    | ChartType::Doughnut
                    | ChartType::Radar
                    | ChartType::Waterfall
                    | ChartType::Funnel
                    | ChartType::Histogram
                    | ChartType::Ranking
                    | ChartType::Pareto
                    | ChartType::Treemap
                    | ChartType::Sunburst
                    | ChartType::Other => continue,
                };
                if own == rank {
                    draw(canvas, pens, &area, panel, plot, writer);
                }
            }
        }
    }
    for panel in &panels {
        panel.draw_axes(canvas, pens, &area);
    }
}

/// Function that draws a plot.
type Drawer = fn(&mut Canvas, &Pens<'_>, &Area, &Panel<'_>, &Plot, &mut Writer);

/// Axes of a plot: the axis of categories (or of x values) first. Default axes if the file does not describe two.
fn axes<'c>(chart: &'c Chart, plot: &Plot) -> [&'c Axis; 2] {
    let mut own = plot.axes.iter().filter_map(|id| chart.axis(*id));
    match (own.next(), own.next()) {
        (Some(one), Some(other)) if plot.is_free() => {
            let lies = |axis: &Axis| matches!(axis.side, Side::Bottom | Side::Top);
            if lies(other) && !lies(one) {
                [other, one]
            } else {
                [one, other]
            }
        }
        (Some(one), Some(other)) if one.has_numbers && !other.has_numbers => [other, one],
        (Some(one), Some(other)) => [one, other],
        _ => [&CATEGORIES, &NUMBERS],
    }
}

/// Draws the fill and the border of a rectangle.
fn draw_box(canvas: &mut Canvas, pens: &Pens<'_>, shape: &super::model::Shape, area: &Area) {
    let mut outline = Outline::default();
    outline.rectangle((area.left, area.top), (area.right, area.bottom));
    let fill = pens.fill(shape, Fill::None);
    canvas.path(&outline, &fill, pens.edge(shape).as_ref());
}

/// Draws the title of a chart. Unless the plot may overlap the title, the space for the plot (`free_area`) is reduced.
fn title(canvas: &mut Canvas, pens: &Pens<'_>, title: &Title, frame: &Area, free_area: &mut Area) {
    let pen = pens.heading(&title.letters, 1.2);
    let lines = pen.wrap(&title.words, frame.width() * 0.9);
    let height = pen.line() * lines.len() as f64;
    let width = lines.iter().map(|line| pen.width(line)).fold(0.0, f64::max);
    let middle = (frame.left + frame.right) / 2.0;
    let default = Area {
        left: middle - width / 2.0,
        top: frame.top + ABOVE_TITLE,
        right: middle + width / 2.0,
        bottom: frame.top + ABOVE_TITLE + height,
    };
    let place = title
        .place
        .as_ref()
        .map_or(default, |place| frame.placed(place, default));
    draw_box(canvas, pens, &title.shape, &place);
    write_lines(
        canvas,
        &pen,
        &lines,
        ((place.left + place.right) / 2.0, place.top),
        Anchor::Middle,
    );
    if !title.overlays {
        free_area.top = free_area.top.max(default.bottom + BELOW_TITLE - MARGIN);
    }
}
