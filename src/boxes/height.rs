//! Heights of lines, and vertical alignment of their content (CSS 2.2, 10.8).

use super::{
    block::moved,
    engine::Engine,
    fragment::Role,
    line::{Present, Text},
    runs::What,
    sizing::margins,
    tree::BoxId,
};
use convertd_layout::{
    atoms::{Atom, AtomKind},
    item::Pen,
};
use convertd_markup::{
    css::style::{BOTTOM, LineHeight, Overflow, Style, TOP, VerticalAlign},
    html::dom::Quirks,
};
use std::collections::HashMap;

/// Extent above and below the baseline of the line.
#[derive(Clone, Copy, Default)]
struct Reach {
    above: f32,
    below: f32,
}

impl Reach {
    /// The empty extent.
    const NONE: Self = Self {
        above: f32::MIN,
        below: f32::MIN,
    };

    fn of(above: f32, height: f32) -> Self {
        Self {
            above,
            below: height - above,
        }
    }

    fn height(self) -> f32 {
        self.above + self.below
    }

    fn include(&mut self, other: Self, raised: f32) {
        self.above = self.above.max(other.above + raised);
        self.below = self.below.max(other.below - raised);
    }

    /// Makes room for something at an edge.
    fn stretch(&mut self, height: f32, edge: Edge) {
        if height > self.height() {
            match edge {
                Edge::Top => self.below = height - self.above,
                Edge::Bottom => self.above = height - self.below,
            }
        }
    }
}

/// The edge of a line at which something stands.
#[derive(Clone, Copy)]
enum Edge {
    Top,
    Bottom,
}

impl Edge {
    fn of(align: &VerticalAlign) -> Option<Self> {
        match align {
            VerticalAlign::Top => Some(Self::Top),
            VerticalAlign::Bottom => Some(Self::Bottom),
            _ => None,
        }
    }
}

/// The height of a line, its base line below its top, and the upper edges of the boxes on it by run.
pub(super) struct Tall {
    pub height: f32,
    pub baseline: f32,
    pub tops: Vec<(usize, f32)>,
}

/// Rises of the baselines of spans above that of the line, and offsets of spans to the right and down.
#[derive(Default)]
pub(super) struct Shifts {
    raised: HashMap<usize, f32>,
    moved: HashMap<usize, (f32, f32)>,
}

impl Shifts {
    pub(crate) fn of(&self, span: usize) -> f32 {
        self.raised.get(&span).copied().unwrap_or(0.0)
    }

    /// Offset by `position: relative` of a span and of those around it, which does not affect anything beside them (CSS 2.2, 9.4.3).
    pub(crate) fn moved(&self, span: usize) -> (f32, f32) {
        self.moved.get(&span).copied().unwrap_or_default()
    }
}

impl Engine<'_, '_> {
    /// Rise of each span's baseline above that of the line, and the offset of each from there.
    pub(super) fn shifts(&mut self, text: Text, here: &Present) -> Shifts {
        let styles = &text.prepared.styles;
        let mut shifts = Shifts::default();
        for (index, _) in here.iter().filter(|(index, own)| **index > 0 && own.any) {
            let (span, style) = (&text.inlines.spans[*index], &styles[*index]);
            let parent = span.parent.unwrap_or(0);
            let metrics = self.metrics(style);
            let (above, height) = self.strut(style);
            let own = Reach {
                above,
                below: height - above,
            };
            let raised = self.raised(style, own, &styles[parent], metrics.normal);
            let raised = (shifts.of(parent) + raised).clamp(-1e6, 1e6);
            shifts.raised.insert(*index, raised);
            let around = shifts.moved(parent);
            let own = moved(style, text.room.containing());
            if around != (0.0, 0.0) || own != (0.0, 0.0) {
                let moved = (around.0 + own.0, around.1 + own.1);
                shifts.moved.insert(*index, moved);
            }
        }
        shifts
    }

    /// Rise above the baseline of the parent span (`vertical-align`).
    fn raised(&mut self, style: &Style, own: Reach, parent: &Style, normal: f32) -> f32 {
        let around = self.metrics(parent);
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

    /// Height of a line (CSS 2.2, 10.8.1).
    pub(crate) fn tall(
        &mut self,
        atoms: &[Atom],
        text: Text,
        here: &Present,
        shifts: &Shifts,
    ) -> Tall {
        let mut reach = Reach::NONE;
        // What stands at an edge of the line makes it higher once all else is placed.
        let mut spans_at_edges = Vec::new();
        self.reach_of_spans(text, here, shifts, &mut reach, &mut spans_at_edges);
        let (mut placed, mut boxes_at_edges) = (Vec::new(), Vec::new());
        for atom in atoms {
            if let AtomKind::Word { pen, .. } = &atom.kind
                && text.style(atom).text.line_height == LineHeight::Normal
            {
                let shift = shifts.of(text.info(atom).span);
                reach.include(self.reach_of_face(pen), shift);
            }
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
        if reach.above == f32::MIN {
            reach = Reach::default();
        }
        let of_boxes = boxes_at_edges
            .iter()
            .map(|(_, height, edge)| (*height, *edge));
        for (height, edge) in of_boxes.chain(spans_at_edges) {
            reach.stretch(height, edge);
        }
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
        Tall {
            height: whole,
            baseline: reach.above,
            tops: placed.chain(at_edges).collect(),
        }
    }

    /// Adds the spans on a line to its reach, and those that stand at an edge of it to `at_edges`.
    fn reach_of_spans(
        &mut self,
        text: Text,
        here: &Present,
        shifts: &Shifts,
        reach: &mut Reach,
        at_edges: &mut Vec<(f32, Edge)>,
    ) {
        // Old pages: an element without text on a line does not count for its height.
        let strict = self.quirks == Quirks::None;
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

    /// The reach of a face itself, for text whose lines are as high as it asks for.
    fn reach_of_face(&self, pen: &Pen) -> Reach {
        let own = self.face_metrics(pen.chosen.face, pen.size);
        let leading = ((own.normal - own.ascent - own.descent) / 2.0).floor();
        Reach::of(own.ascent + leading, own.normal)
    }

    /// A box that is set like a letter, with its margins, if the atom is one.
    fn reach_of_box(&self, atom: &Atom, text: Text) -> Option<(BoxId, Reach)> {
        let What::Atomic(id) = text.info(atom).what else {
            return None;
        };
        let fragment = text.boxes[atom.run].as_ref()?;
        let style = self.style(id);
        let margin = margins(style, text.room.width).map(Option::unwrap_or_default);
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
