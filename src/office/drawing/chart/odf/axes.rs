//! Axes of an OpenDocument chart (OpenDocument 1.3, part 3, 11.5): at most two pairs, of which the second one is on
//! the opposite side. Draws nothing.

use super::{
    super::model::{Axis, Chart, ChartType, Crossing, LabelPlace, Plot, Side, Ticks},
    FIRST, Reading, SECOND, title,
};
use crate::containers::xml::Node;

impl Reading<'_, '_, '_> {
    /// Reads the first four axes: primary and secondary axes, for categories (x) and values (y). The z axis of
    /// three-dimensional charts is ignored.
    pub(super) fn axes(&self, chart: &mut Chart) {
        let free = chart.plots.iter().any(Plot::is_free);
        let lies = chart.plots.iter().any(|plot| plot.kind == ChartType::Bar);
        let area = chart.plots.iter().all(|plot| plot.kind == ChartType::Area);
        for node in self.area.all_named("axis").take(4) {
            let name = node.attribute("name").unwrap_or_default();
            let pair = if name.starts_with("secondary") {
                SECOND
            } else {
                FIRST
            };
            let mut axis = match dimension(node).as_str() {
                "x" => self.axis(node, free, pair),
                "y" => self.axis(node, true, [pair[1], pair[0]]),
                _ => continue,
            };
            axis.crossed_between = !area;
            let is_second = pair == SECOND;
            axis.side = match (axis.id == pair[1], lies, is_second) {
                (true, false, false) | (false, true, _) => Side::Left,
                (true, false, true) => Side::Right,
                (true, true, true) => Side::Top,
                (true, true, false) | (false, false, _) => Side::Bottom,
            };
            if is_second {
                axis.at = Crossing::Most;
            }
            chart.axes.push(axis);
        }
        // If the secondary axis of values has no axis of categories, it gets a hidden copy of the primary one.
        let has_axis = |id| chart.axes.iter().any(|axis| axis.id == id);
        if has_axis(SECOND[1]) && !has_axis(SECOND[0]) {
            let first = chart.axes.iter().find(|axis| axis.id == FIRST[0]);
            let hidden = first.map(|first| Axis {
                id: SECOND[0],
                crosses: SECOND[1],
                hidden: true,
                gridlines: None,
                minor_gridlines: None,
                title: None,
                ..first.clone()
            });
            chart.axes.extend(hidden);
        }
    }

    /// Reads an axis with its scale, gridlines, tick marks and labels. `id` and `crosses` are the identifiers of this
    /// axis and of the axis that it crosses.
    fn axis(&self, node: &Node<'_>, has_numbers: bool, [id, crosses]: [u32; 2]) -> Axis {
        let look = self.looks.of(node);
        let grid = |class: &str| {
            let mut grids = node.all_named("grid");
            let own = grids.find(|grid| match grid.attribute("class") {
                Some(own) => own == class,
                None => class == "major",
            });
            own.map(|own| self.looks.of(own).shape())
        };
        let ticks = |kind: &str| {
            let side = |side: &str| look.flag(&format!("tick-marks-{kind}-{side}")) == Some(true);
            match (side("inner"), side("outer")) {
                (true, true) => Ticks::Across,
                (true, false) => Ticks::Inside,
                (false, true) => Ticks::Outside,
                (false, false) => Ticks::None,
            }
        };
        let is_linked = look.flag("link-data-style-to-source") == Some(true);
        let limit = |name| look.number(name).filter(|_| has_numbers);
        Axis {
            id,
            crosses,
            has_numbers,
            hidden: look.flag("visible") == Some(false),
            least: limit("minimum"),
            most: limit("maximum"),
            step: limit("interval-major").filter(|step| *step > 0.0),
            log_base: (look.flag("logarithmic") == Some(true)).then_some(10.0),
            reversed: look.flag("reverse-direction") == Some(true),
            gridlines: grid("major"),
            minor_gridlines: grid("minor"),
            title: node.named("title").map(|own| title(own, self.looks)),
            format: self.looks.format(&look).filter(|_| !is_linked),
            ticks: ticks("major"),
            minor_ticks: ticks("minor"),
            label_place: match look.flag("display-label") {
                Some(false) => LabelPlace::None,
                _ => LabelPlace::NextTo,
            },
            letters: look.letters(),
            line: look.line(),
            at: match look.word("axis-position").as_deref() {
                Some("start") => Crossing::Least,
                Some("end") => Crossing::Most,
                _ => Crossing::Zero,
            },
            unit: 1.0,
            ..Axis::default()
        }
    }
}

/// Dimension of an axis: `x`, `y` or `z`.
pub(super) fn dimension(axis: &Node<'_>) -> String {
    let name = axis.attribute("dimension");
    name.map(|name| name.into_owned()).unwrap_or_default()
}
