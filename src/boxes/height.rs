//! Heights of line boxes, and vertical alignment (CSS 2.2, 10.8). Draws nothing.
//!
//! All baselines are relative to that of the root inline box. The line height of an inline box extends around the
//! baseline of that box. The line box spans all these extents. Boxes that are aligned to its top or bottom come last,
//! because they need the height of the others (10.8.1).

use super::{
    engine::Engine,
    fragment::Role,
    positioned::relative_offset,
    runs::{SpansOnLine, Text, What},
    sizing::margins,
    tree::BoxId,
};
use convertd_layout::{
    atoms::{Atom, AtomKind},
    item::Pen,
    ornaments,
};
use convertd_markup::{
    css::style::{BOTTOM, EmphasisPosition, LineHeight, Overflow, Style, TOP, VerticalAlign},
    dom::Quirks,
};
use std::collections::HashMap;

/// Distance from the baseline up to the top of emphasis marks above the text, in ems.
const MARKS_ABOVE: f32 = ornaments::ABOVE + 0.13;
/// Distance from the baseline down to the bottom of emphasis marks below the text, in ems.
const MARKS_BELOW: f32 = ornaments::BELOW + 0.13;

/// Extent of an inline box above and below the line's baseline, in px.
#[derive(Clone, Copy, Default)]
struct Reach {
    above: f32,
    below: f32,
}

impl Reach {
    /// The empty extent, smaller than any other.
    const NONE: Self = Self {
        above: f32::MIN,
        below: f32::MIN,
    };

    /// Extent of a box with its baseline `above` px below its top.
    fn of(above: f32, height: f32) -> Self {
        Self {
            above,
            below: height - above,
        }
    }

    /// Height of the extent.
    fn height(self) -> f32 {
        self.above + self.below
    }

    /// Extends this extent so that it includes another one, whose baseline is `raised` px higher.
    fn include(&mut self, other: Self, raised: f32) {
        self.above = self.above.max(other.above + raised);
        self.below = self.below.max(other.below - raised);
    }

    /// Extends this extent so that it includes the emphasis marks of a word.
    fn include_marks(&mut self, atom: &Atom, style: &Style, raised: f32) {
        let (AtomKind::Word { pen, .. }, Some(_)) = (&atom.kind, style.text.emphasis) else {
            return;
        };
        let (above, below) = match style.text.emphasis_position {
            EmphasisPosition::Over => (MARKS_ABOVE * pen.size, f32::MIN),
            EmphasisPosition::Under => (f32::MIN, MARKS_BELOW * pen.size),
        };
        self.include(Self { above, below }, raised);
    }

    /// Extends this extent to at least `height`, for a box that is aligned to `edge`. Only the opposite edge moves.
    fn stretch(&mut self, height: f32, edge: Edge) {
        if height > self.height() {
            match edge {
                Edge::Top => self.below = height - self.above,
                Edge::Bottom => self.above = height - self.below,
            }
        }
    }
}

/// Edge of the line box that a box is aligned to.
#[derive(Clone, Copy)]
enum Edge {
    Top,
    Bottom,
}

impl Edge {
    /// Edge for a `vertical-align` value; `None` for alignment to a baseline.
    fn of(align: &VerticalAlign) -> Option<Self> {
        match align {
            VerticalAlign::Top => Some(Self::Top),
            VerticalAlign::Bottom => Some(Self::Bottom),
            _ => None,
        }
    }
}

/// Vertical metrics of a line box, in px from its top.
pub(super) struct LineMetrics {
    /// Height of the line box.
    pub height: f32,
    /// Baseline of the root inline box.
    pub baseline: f32,
    /// Top edges of the atomic inlines, by run.
    pub tops: Vec<(usize, f32)>,
}

/// Vertical alignment and relative positioning of the spans on a line, in px.
#[derive(Default)]
pub(super) struct Shifts {
    /// Rise of each span's baseline above that of the line.
    raised: HashMap<usize, f32>,
    /// Offset of each relatively positioned span.
    moved: HashMap<usize, (f32, f32)>,
}

impl Shifts {
    /// Rise of a span's baseline.
    pub(crate) fn of(&self, span: usize) -> f32 {
        self.raised.get(&span).copied().unwrap_or(0.0)
    }

    /// Offset of a span by its own `position: relative` and that of its ancestors. Does not affect other boxes (CSS
    /// 2.2, 9.4.3).
    pub(crate) fn moved(&self, span: usize) -> (f32, f32) {
        self.moved.get(&span).copied().unwrap_or_default()
    }
}

impl Engine<'_, '_> {
    /// Computes the rise and offset of each span on a line, parents before children.
    pub(super) fn shifts(&mut self, text: Text, here: &SpansOnLine) -> Shifts {
        let styles = &text.prepared.styles;
        let mut shifts = Shifts::default();
        // The root inline box (span 0) defines the baseline of the line, so it has no shift.
        for (index, _) in here.iter().filter(|(index, own)| **index > 0 && own.any) {
            let (span, style) = (&text.inlines.spans[*index], &styles[*index]);
            let parent = span.parent.unwrap_or(0);
            let metrics = self.metrics(style);
            let (above, height) = self.strut(style);
            let own = Reach {
                above,
                below: height - above,
            };
            // Shifts add up along the ancestors. The limit keeps absurd values finite.
            let raised = self.raised(style, own, &styles[parent], metrics.normal);
            let raised = (shifts.of(parent) + raised).clamp(-1e6, 1e6);
            shifts.raised.insert(*index, raised);
            let around = shifts.moved(parent);
            let own = relative_offset(style, text.room.containing());
            if around != (0.0, 0.0) || own != (0.0, 0.0) {
                let moved = (around.0 + own.0, around.1 + own.1);
                shifts.moved.insert(*index, moved);
            }
        }
        shifts
    }

    /// Rise of a baseline above that of the parent (`vertical-align`). Sub- and superscripts are shifted as in
    /// Chromium.
    fn raised(&mut self, style: &Style, own: Reach, parent: &Style, normal: f32) -> f32 {
        let around = self.metrics(parent);
        // Distances from the parent's baseline, upwards positive (10.8.1).
        match &style.vertical_align {
            VerticalAlign::Baseline | VerticalAlign::Top | VerticalAlign::Bottom => 0.0,
            VerticalAlign::Sub => -(parent.text.size / 5.0 + 1.0).floor(),
            VerticalAlign::Super => (parent.text.size / 3.0 + 1.0).floor(),
            VerticalAlign::Length(length) => length.of(style.line_height(normal)),
            VerticalAlign::Middle => around.x_height / 2.0 - (own.above - own.below) / 2.0,
            VerticalAlign::TextTop => around.ascent - own.above,
            VerticalAlign::TextBottom => own.below - around.descent,
        }
    }

    /// Computes the height of a line box and the positions of its atomic inlines (CSS 2.2, 10.8.1).
    pub(crate) fn line_metrics(
        &mut self,
        atoms: &[Atom],
        text: Text,
        here: &SpansOnLine,
        shifts: &Shifts,
    ) -> LineMetrics {
        let mut reach = Reach::NONE;
        // A box that is aligned to the top or bottom stretches the line after all others are placed.
        let mut spans_at_edges = Vec::new();
        self.reach_of_spans(text, here, shifts, &mut reach, &mut spans_at_edges);
        // Words with `line-height: normal` (whose font may be a fallback), emphasis marks and atomic inlines also
        // extend the line.
        let (mut placed, mut boxes_at_edges) = (Vec::new(), Vec::new());
        for atom in atoms {
            if let AtomKind::Word { pen, .. } = &atom.kind
                && text.style(atom).text.line_height == LineHeight::Normal
            {
                let shift = shifts.of(text.info(atom).span);
                reach.include(self.reach_of_face(pen), shift);
            }
            reach.include_marks(atom, text.style(atom), shifts.of(text.info(atom).span));
            let Some((id, own)) = self.reach_of_box(atom, text) else {
                continue;
            };
            let style = self.style(id).clone();
            if let Some(edge) = Edge::of(&style.vertical_align) {
                boxes_at_edges.push((atom.run, own.height(), edge));
                continue;
            }
            let normal = self.metrics(&style).normal;
            let raised = self.raised(&style, own, &text.style(atom).clone(), normal);
            let shift = shifts.of(text.info(atom).span) + raised;
            reach.include(own, shift);
            placed.push((atom.run, shift + own.above));
        }
        // If all boxes of the line are aligned to its edges, the extent has no content yet and begins with height 0.
        if reach.above == f32::MIN {
            reach = Reach::default();
        }
        let of_boxes = boxes_at_edges
            .iter()
            .map(|(_, height, edge)| (*height, *edge));
        for (height, edge) in of_boxes.chain(spans_at_edges) {
            reach.stretch(height, edge);
        }
        // Tops are distances from the top edge of the line.
        let whole = reach.height().max(0.0);
        let placed = placed
            .into_iter()
            .map(|(run, above)| (run, reach.above - above));
        let at_edges = boxes_at_edges
            .into_iter()
            .map(|(run, height, edge)| match edge {
                Edge::Top => (run, 0.0),
                Edge::Bottom => (run, whole - height),
            });
        LineMetrics {
            height: whole,
            baseline: reach.above,
            tops: placed.chain(at_edges).collect(),
        }
    }

    /// Adds the inline boxes of a line to its extent, or to `at_edges` if they are aligned to its
    /// top or bottom.
    fn reach_of_spans(
        &mut self,
        text: Text,
        here: &SpansOnLine,
        shifts: &Shifts,
        reach: &mut Reach,
        at_edges: &mut Vec<(f32, Edge)>,
    ) {
        // In quirks mode, an inline box without text, border or padding does not affect the height of the line (Quirks
        // Mode, 3.3).
        let strict = self.quirks == Quirks::None;
        // The extent of an inline box is that of its strut, whatever font its text really has.
        for (index, own) in here {
            let style = &text.prepared.styles[*index];
            if !own.any || !strict && !own.text && !own.begins && !own.ends {
                continue;
            }
            let (above, height) = self.strut(style);
            match Edge::of(&style.vertical_align).filter(|_| *index > 0) {
                Some(edge) => at_edges.push((height, edge)),
                None => reach.include(Reach::of(above, height), shifts.of(*index)),
            }
        }
    }

    /// Extent of the face of a word: with `line-height: normal`, each font used on a line affects the height of the
    /// line (CSS Inline 3, 5.1).
    fn reach_of_face(&self, pen: &Pen) -> Reach {
        let own = self.face_metrics(pen.chosen.face, pen.size);
        let leading = ((own.normal - own.ascent - own.descent) / 2.0).floor();
        Reach::of(own.ascent + leading, own.normal)
    }

    /// Extent of the margin box of an atomic inline. Its baseline is that of its last line (first row of a table), or
    /// its bottom margin edge if it has no lines or its overflow is clipped (CSS 2.2, 10.8.1).
    fn reach_of_box(&self, atom: &Atom, text: Text) -> Option<(BoxId, Reach)> {
        // Only atomic inlines have a box.
        let What::Atomic(id) = text.info(atom).what else {
            return None;
        };
        let fragment = text.boxes[atom.run].as_ref()?;
        let style = self.style(id);
        let margin = margins(style, text.room.width).map(Option::unwrap_or_default);
        // The line has to contain the margin box, not only the border box.
        let height = fragment.height + margin[TOP] + margin[BOTTOM];
        let is_table = matches!(fragment.role(), Some(Role::Table(_)));
        let baseline = match fragment.baselines {
            Some((first, _)) if is_table => margin[TOP] + first,
            Some((_, last)) if style.overflow == Overflow::Visible => margin[TOP] + last,
            _ => height,
        };
        Some((id, Reach::of(baseline, height)))
    }
}
