//! Paragraphs with backgrounds and borders: the boxes around their slices. Breaks no lines.

use super::super::{
    context::JoinedBorders,
    item::{Area, Item, lower},
    paragraph_format::ParagraphFormat,
    shape::Shape,
    units::points,
};
use convertd_tree::{Border, Borders};

/// Borders and background of a paragraph, around its lines.
pub(super) struct Framed<'p> {
    pub(super) format: &'p ParagraphFormat,
    pub(super) shape: &'p Shape<'p>,
    /// Whether the paragraphs above and below share the box.
    pub(super) joins: JoinedBorders,
    /// Default distance between a border and the text, in points.
    pub(super) space: f32,
    pub(super) backwards: bool,
}

impl Framed<'_> {
    /// Returns whether the box has neither borders nor a background.
    pub(super) fn is_plain(&self) -> bool {
        self.format.background.is_none() && self.format.borders == Borders::default()
    }

    /// Height that a border takes above or below a line, with its distance from the text.
    fn edge(&self, border: Option<Border>) -> f32 {
        border.map_or(0.0, |border| {
            points(border.width) + border.space.map_or(self.space, points)
        })
    }

    /// Draws the part of the paragraph's box around one line of the given height. `first` and `last` tell whether the
    /// line is the first or the last one of its paragraph. `between` is the space to the paragraph above. The space
    /// belongs to the box if that paragraph shares the box. Returns the distance by which the line was lowered, and its
    /// height with the borders.
    pub(super) fn line(
        &self,
        items: &mut Vec<Item>,
        height: f32,
        (first, last): (bool, bool),
        between: f32,
    ) -> (f32, f32) {
        let format = self.format;
        let (begins, ends) = (first && !self.joins.above, last && !self.joins.below);
        let top = if begins {
            self.edge(format.borders.top)
        } else {
            0.0
        };
        let bottom = if ends {
            self.edge(format.borders.bottom)
        } else {
            0.0
        };
        let height = height + top + bottom;
        if top > 0.0 {
            lower(items, top);
        }
        if !self.is_plain() {
            // The space between two paragraphs that share a box lies inside the box.
            let above = if first && self.joins.above {
                between
            } else {
                0.0
            };
            let part = Boxed {
                above,
                height,
                first: begins,
                last: ends,
            };
            draw_box(items, format, self.shape, &part, self.backwards);
        }
        (top, height)
    }
}

/// The part of a paragraph's box around one line.
struct Boxed {
    /// Space above the line that lies inside the box, in points.
    above: f32,
    height: f32,
    /// Whether the box begins with this line.
    first: bool,
    /// Whether the box ends with this line.
    last: bool,
}

/// Draws background and borders of a paragraph around one of its lines.
fn draw_box(
    items: &mut Vec<Item>,
    format: &ParagraphFormat,
    shape: &Shape<'_>,
    part: &Boxed,
    backwards: bool,
) {
    let Boxed {
        above,
        height,
        first,
        last,
    } = *part;
    // Default distance of the borders at the sides from the text, in points.
    let (side, borders) = (4.0, &format.borders);
    let (left, right) = if backwards {
        (borders.end, borders.start)
    } else {
        (borders.start, borders.end)
    };
    let margin = |border: Option<Border>| {
        border.map_or(0.0, |border| match border.space {
            Some(space) => points(space) + points(border.width) / 2.0,
            None => side,
        })
    };
    // The box includes a hanging first line.
    let from = shape.left + shape.first_line.min(0.0) - margin(left);
    let to = shape.left + shape.width + margin(right);
    if let Some(colour) = format.background {
        let area = Area {
            x: from,
            y: -above,
            width: to - from,
            height: height + above,
        };
        items.insert(0, Item::Fill { area, colour });
    }
    let mut line = |border: Option<Border>, from: (f32, f32), to: (f32, f32)| {
        if let Some(border) = border {
            items.push(Item::Line { from, to, border });
        }
    };
    // Each line draws its part of the borders at the sides. The first line draws the upper border, and the last line
    // draws the lower one.
    line(left, (from, -above), (from, height));
    line(right, (to, -above), (to, height));
    if first {
        line(borders.top, (from, 0.0), (to, 0.0));
    }
    if last {
        line(borders.bottom, (from, height), (to, height));
    }
}
