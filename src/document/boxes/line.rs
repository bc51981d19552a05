//! One line: how high it is, and where everything on it stands (CSS 2.2, 10.8; CSS Inline 3). Breaks none.

use super::{
    engine::Engine,
    filling::ends_with_hyphen,
    fragment::{Fragment, Kind as Made, Pending},
    inline::Room,
    runs::{Filled, Prepared, What},
    sizing::margins,
    tree::{Inlines, keeps_spaces},
};
use crate::{
    document::{
        css::{
            colour::Paint,
            style::{
                BOTTOM, Direction, LEFT, Overflow, RIGHT, Style, TOP, TextAlign, TextOverflow,
                VerticalAlign,
            },
        },
        html::dom::Quirks,
        layout::{
            atoms::{Atom, AtomKind},
            face::Joining,
            lines::order,
        },
    },
    error::Result,
};
use std::{
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

/// How far something reaches above and below the base line of the line.
#[derive(Clone, Copy, Default)]
struct Reach {
    above: f32,
    below: f32,
}

/// What of a span is on a line.
#[derive(Clone, Copy, Default)]
struct Here {
    any: bool,
    text: bool,
    from: f32,
    to: f32,
    begins: bool,
    ends: bool,
}

impl Here {
    fn reach(&mut self, from: f32, to: f32) {
        (self.from, self.to) = match self.any {
            true => (self.from.min(from), self.to.max(to)),
            false => (from, to),
        };
        self.any = true;
    }
}

/// The spans on a line, outer ones first.
type Present = BTreeMap<usize, Here>;

/// How far the base lines of spans are raised above that of the line.
#[derive(Default)]
struct Shifts(HashMap<usize, f32>);

impl Shifts {
    fn of(&self, span: usize) -> f32 {
        self.0.get(&span).copied().unwrap_or(0.0)
    }
}

impl Engine<'_, '_> {
    /// Places what is on a line. Returns its left edge and the line; nothing if nothing of it has a place.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn line(
        &mut self,
        atoms: &mut [Atom],
        prepared: &Prepared,
        inlines: &Inlines,
        filled: &Filled,
        boxes: &[Option<Rc<Fragment>>],
        block: &Style,
        room: Room,
    ) -> Result<Option<(f32, Fragment)>> {
        let last_line = filled.end >= atoms.len();
        if ends_with_hyphen(atoms, filled.end, prepared) {
            let joining = self.look(block).joining();
            self.hyphenate(&mut atoms[filled.end - 1], joining);
        }
        let atoms = &mut atoms[filled.start..filled.end];
        let info = |atom: &Atom| &prepared.infos[atom.run];
        let out_of_flow = |atom: &Atom| {
            matches!(
                info(atom).what,
                What::Float(_) | What::Absolute(_) | What::Anchor(_)
            )
        };
        let style_of = |atom: &Atom| &prepared.styles[info(atom).span];
        let takes_room = |atom: &Atom| match atom.kind {
            AtomKind::Word { .. } | AtomKind::Break | AtomKind::Tab => true,
            AtomKind::Space { .. } => keeps_spaces(style_of(atom)),
            AtomKind::Object => {
                !out_of_flow(atom)
                    && (atom.width != 0.0 || matches!(info(atom).what, What::Atomic(_)))
            }
        };
        if !atoms.iter().any(takes_room) {
            let mut line = Fragment::new(Made::Line, 0.0, 0.0);
            for atom in atoms.iter() {
                match &info(atom).what {
                    What::Absolute(id) => {
                        let x = match (self.style(*id).was_inline, block.text.align) {
                            (false, _) => -filled.left,
                            (true, TextAlign::Center | TextAlign::BlockCenter) => {
                                filled.width / 2.0
                            }
                            (true, TextAlign::Right | TextAlign::BlockRight) => filled.width,
                            _ => 0.0,
                        };
                        line.pending.push(Pending { id: *id, x, y: 0.0 });
                    }
                    What::Anchor(name) => line.add(
                        0.0,
                        0.0,
                        Fragment::new(Made::Anchor(name.clone()), 0.0, 0.0),
                    ),
                    _ => {}
                }
            }
            let some = !line.pending.is_empty() || !line.children.is_empty();
            return Ok(some.then_some((filled.left, line)));
        }
        // Space at the end of a line has no width.
        let hangs = |atom: &Atom| match atom.kind {
            AtomKind::Space { .. } => true,
            AtomKind::Break => true,
            AtomKind::Object => {
                out_of_flow(atom)
                    || matches!(info(atom).what, What::Open(_) | What::Close(_))
                        && atom.width == 0.0
            }
            _ => false,
        };
        let seen = atoms
            .iter()
            .rposition(|atom| !hangs(atom))
            .map_or(0, |at| at + 1);
        for atom in &mut atoms[seen..] {
            if matches!(atom.kind, AtomKind::Space { .. })
                && !keeps_spaces(&prepared.styles[prepared.infos[atom.run].span])
            {
                atom.width = 0.0;
            }
        }
        let ended = atoms
            .last()
            .is_some_and(|atom| matches!(atom.kind, AtomKind::Break));
        let width = filled.width - filled.indent;
        let rtl = block.text.direction == Direction::Rtl;
        let align = match block.text.align_last.filter(|_| last_line || ended) {
            Some(own) => own,
            None if block.text.align == TextAlign::Justify && (last_line || ended) => {
                TextAlign::Start
            }
            None => block.text.align,
        };
        let justified = align == TextAlign::Justify;
        if block.text_overflow == TextOverflow::Ellipsis && block.overflow != Overflow::Visible {
            let joining = self.look(block).joining();
            self.cut_short(&mut atoms[..seen], width, joining);
        }
        let used: f32 = atoms[..seen].iter().map(|atom| atom.width).sum();
        if justified && used < width {
            let spaces = atoms[..seen]
                .iter()
                .filter(|atom| matches!(atom.kind, AtomKind::Space { .. }))
                .count();
            if spaces > 0 {
                let more = (width - used) / spaces as f32;
                let spaces = atoms[..seen]
                    .iter_mut()
                    .filter(|atom| matches!(atom.kind, AtomKind::Space { .. }));
                spaces.for_each(|space| space.width += more);
            }
        }
        let used: f32 = atoms[..seen].iter().map(|atom| atom.width).sum();
        let slack = (width - used).max(0.0);
        let offset = match align {
            TextAlign::Center | TextAlign::BlockCenter => slack / 2.0,
            TextAlign::Right | TextAlign::BlockRight => slack,
            TextAlign::End if !rtl => slack,
            TextAlign::Start | TextAlign::Justify | TextAlign::MatchParent if rtl => width - used,
            _ => 0.0,
        };
        let start = if rtl { 0.0 } else { filled.indent };
        let places = order(atoms, seen, start + offset, prepared.backwards);
        let here = self.present(atoms, prepared, inlines, &places);
        let shifts = self.shifts(prepared, inlines, &here);
        let (height, baseline, tops) = self.height(atoms, prepared, boxes, &here, &shifts, room);
        let mut line = Fragment::new(Made::Line, filled.width, height);
        line.baselines = Some((baseline, baseline));
        self.backgrounds(&mut line, prepared, &here, &shifts, baseline, room);
        self.words(
            &mut line, atoms, prepared, inlines, &places, &shifts, baseline,
        );
        for (index, atom) in atoms.iter().enumerate() {
            let x = places[index];
            match &info(atom).what {
                What::Atomic(id) => {
                    let Some(fragment) = &boxes[atom.run] else {
                        continue;
                    };
                    let margin =
                        margins(self.style(*id), room.width).map(|margin| margin.unwrap_or(0.0));
                    let (dx, dy) = super::block::moved(
                        self.style(*id),
                        super::engine::Containing {
                            width: room.width,
                            height: room.height,
                        },
                    );
                    let y = tops
                        .iter()
                        .find(|(run, _)| *run == atom.run)
                        .map_or(0.0, |(_, y)| *y);
                    line.add(
                        x + margin[LEFT] + dx,
                        y + margin[TOP] + dy,
                        fragment.clone(),
                    );
                }
                What::Absolute(id) if self.style(*id).was_inline => {
                    line.pending.push(Pending { id: *id, x, y: 0.0 })
                }
                What::Absolute(id) => {
                    // A block would begin below what is on the line before it.
                    let y = if atoms[..index].iter().any(takes_room) {
                        line.height
                    } else {
                        0.0
                    };
                    let x = -filled.left;
                    line.pending.push(Pending { id: *id, x, y });
                }
                What::Anchor(name) => {
                    line.add(x, 0.0, Fragment::new(Made::Anchor(name.clone()), 0.0, 0.0))
                }
                _ => {}
            }
        }
        Ok(Some((filled.left, line)))
    }

    /// Puts a hyphen behind a word that goes on on the next line.
    fn hyphenate(&mut self, atom: &mut Atom, joining: Joining) {
        if let AtomKind::Word { word, pen } = &atom.kind {
            let (text, pen) = (format!("{}-", word.text), *pen);
            let backwards = atom.level % 2 == 1;
            let faces = &mut self.layout.faces;
            let word = faces.word(pen.chosen, &text, backwards, joining, None);
            atom.width = pen.width(&word);
            atom.kind = AtomKind::Word { word, pen };
        }
    }

    /// Puts an ellipsis where text goes on beyond the edge of its box (CSS UI 4, 5.2).
    fn cut_short(&mut self, atoms: &mut [Atom], room: f32, joining: Joining) {
        let whole: f32 = atoms.iter().map(|atom| atom.width).sum();
        if whole <= room + 0.5 {
            return;
        }
        let mut x = 0.0;
        for at in 0..atoms.len() {
            if let AtomKind::Word { word, pen } = &atoms[at].kind {
                let pen = *pen;
                let dots = self
                    .layout
                    .faces
                    .word(pen.chosen, "…", false, joining, None);
                let dots = pen.width(&dots);
                let next = atoms[at + 1..].iter().find(|atom| atom.width > 0.0);
                let fits = x + atoms[at].width + if next.is_some() { dots } else { 0.0 } <= room;
                // The word itself fits, but nothing behind it does.
                let is_last =
                    fits && next.is_some_and(|next| x + atoms[at].width + next.width + dots > room);
                if !fits || is_last {
                    let scale = (pen.size / pen.units).max(1e-6);
                    let left = ((room - x - dots) / scale).max(0.0);
                    let end = if is_last {
                        word.text.len()
                    } else {
                        word.fitting(left)
                    };
                    let kept = word.text.get(..end).unwrap_or_default();
                    let kept = if room - x < dots { "" } else { kept };
                    let text = format!("{kept}…");
                    let word = self
                        .layout
                        .faces
                        .word(pen.chosen, &text, false, joining, None);
                    atoms[at].width = pen.width(&word);
                    atoms[at].kind = AtomKind::Word { word, pen };
                    for atom in &mut atoms[at + 1..] {
                        atom.width = 0.0;
                        if matches!(atom.kind, AtomKind::Word { .. } | AtomKind::Space { .. }) {
                            atom.kind = AtomKind::Tab;
                        }
                    }
                    return;
                }
            }
            x += atoms[at].width;
        }
    }

    /// Which spans are on a line, and from where to where.
    fn present(
        &self,
        atoms: &[Atom],
        prepared: &Prepared,
        inlines: &Inlines,
        places: &[f32],
    ) -> Present {
        // A paragraph may have a hundred thousand elements and a line of it three, so only those are listed.
        let (mut here, mut around) = (Present::new(), Present::new());
        for (atom, x) in atoms.iter().zip(places) {
            let info = &prepared.infos[atom.run];
            if matches!(
                info.what,
                What::Float(_) | What::Absolute(_) | What::Anchor(_)
            ) {
                continue;
            }
            let is_text = matches!(
                atom.kind,
                AtomKind::Word { .. } | AtomKind::Space { .. } | AtomKind::Tab | AtomKind::Break
            );
            here.entry(info.span).or_default().text |= is_text;
            match info.what {
                What::Open(span) => here.entry(span).or_default().begins = true,
                What::Close(span) => here.entry(span).or_default().ends = true,
                _ => {}
            }
            let margin = match info.what {
                What::Open(span) => margins(&prepared.styles[span], 0.0)[LEFT].unwrap_or(0.0),
                _ => 0.0,
            };
            let margin_end = match info.what {
                What::Close(span) => margins(&prepared.styles[span], 0.0)[RIGHT].unwrap_or(0.0),
                _ => 0.0,
            };
            let own = here.entry(info.span).or_default();
            own.reach(x + margin, x + atom.width - margin_end);
            // The margin is outside of the element itself, and inside of those around it.
            let around = around.entry(info.span).or_default();
            around.reach(*x, x + atom.width);
        }
        // From the innermost outwards: an element has a smaller number than those in it.
        while let Some((index, inside)) = around.pop_last() {
            if let Some(parent) = inlines.spans[index].parent {
                for known in [&mut here, &mut around] {
                    known
                        .entry(parent)
                        .or_default()
                        .reach(inside.from, inside.to);
                }
            }
        }
        here.entry(0).or_default().any = true;
        here
    }

    /// How far the base line of each span is raised above that of the line.
    fn shifts(&mut self, prepared: &Prepared, inlines: &Inlines, here: &Present) -> Shifts {
        let mut shifts = Shifts::default();
        for (index, _) in here.iter().filter(|(index, own)| **index > 0 && own.any) {
            let (span, style) = (&inlines.spans[*index], &prepared.styles[*index]);
            let parent = span.parent.unwrap_or(0);
            let metrics = self.metrics(style);
            let (above, height) = self.strut(style);
            let own = Reach {
                above,
                below: height - above,
            };
            let raised = self.raised(style, own, &prepared.styles[parent], metrics.normal);
            shifts
                .0
                .insert(*index, (shifts.of(parent) + raised).clamp(-1e6, 1e6));
        }
        shifts
    }

    /// How far something is raised above the base line of the span that it is in.
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

    /// The height of a line, its base line, and the upper edges of the boxes on it by run.
    #[allow(clippy::too_many_arguments)]
    fn height(
        &mut self,
        atoms: &[Atom],
        prepared: &Prepared,
        boxes: &[Option<Rc<Fragment>>],
        here: &Present,
        shifts: &Shifts,
        room: Room,
    ) -> (f32, f32, Vec<(usize, f32)>) {
        let (mut above, mut below) = (f32::MIN, f32::MIN);
        let mut include = |reach: Reach, shift: f32| {
            above = above.max(reach.above + shift);
            below = below.max(reach.below - shift);
        };
        // Old pages: an element without text on a line does not count for its height.
        let strict = self.quirks == Quirks::None;
        let mut edge_heights: Vec<(f32, bool)> = Vec::new();
        for (index, own) in here {
            let (index, style) = (*index, &prepared.styles[*index]);
            if !own.any || !strict && !own.text && !own.begins && !own.ends {
                continue;
            }
            let (strut_above, height) = self.strut(style);
            let reach = Reach {
                above: strut_above,
                below: height - strut_above,
            };
            if index > 0
                && matches!(
                    style.vertical_align,
                    VerticalAlign::Top | VerticalAlign::Bottom
                )
            {
                edge_heights.push((height, style.vertical_align == VerticalAlign::Top));
                continue;
            }
            include(reach, shifts.of(index));
        }
        let mut placed: Vec<(usize, Reach, f32)> = Vec::new();
        let mut at_edges: Vec<(usize, f32, bool)> = Vec::new();
        for atom in atoms {
            let info = &prepared.infos[atom.run];
            if let AtomKind::Word { pen, .. } = &atom.kind {
                let style = &prepared.styles[info.span];
                if style.text.line_height == crate::document::css::style::LineHeight::Normal {
                    let own = self.face_metrics(pen.chosen.face, pen.size);
                    let leading = ((own.normal - own.ascent - own.descent) / 2.0).floor();
                    let reach = Reach {
                        above: own.ascent + leading,
                        below: own.normal - own.ascent - leading,
                    };
                    include(reach, shifts.of(info.span));
                }
            }
            let What::Atomic(id) = info.what else {
                continue;
            };
            let Some(fragment) = &boxes[atom.run] else {
                continue;
            };
            let style = self.style(id).clone();
            let margin = margins(&style, room.width).map(|margin| margin.unwrap_or(0.0));
            let height = fragment.height + margin[TOP] + margin[BOTTOM];
            let visible = style.overflow == crate::document::css::style::Overflow::Visible;
            let is_table = matches!(fragment.role(), Some(super::fragment::Role::Table(_)));
            let baseline = match fragment.baselines {
                Some((first, _)) if is_table => margin[TOP] + first,
                Some((_, last)) if visible => margin[TOP] + last,
                _ => height,
            };
            let reach = Reach {
                above: baseline,
                below: height - baseline,
            };
            match style.vertical_align {
                VerticalAlign::Top => at_edges.push((atom.run, height, true)),
                VerticalAlign::Bottom => at_edges.push((atom.run, height, false)),
                _ => {
                    let around = prepared.styles[info.span].clone();
                    let normal = self.metrics(&style).normal;
                    let shift = shifts.of(info.span) + self.raised(&style, reach, &around, normal);
                    include(reach, shift);
                    placed.push((atom.run, reach, shift));
                }
            }
        }
        if above == f32::MIN {
            (above, below) = (0.0, 0.0);
        }
        let edges = at_edges
            .iter()
            .map(|(_, height, top)| (*height, *top))
            .chain(edge_heights);
        for (height, top) in edges.collect::<Vec<_>>() {
            if height > above + below {
                match top {
                    true => below = height - above,
                    false => above = height - below,
                }
            }
        }
        let whole = (above + below).max(0.0);
        let mut tops: Vec<(usize, f32)> = placed
            .into_iter()
            .map(|(run, reach, shift)| (run, above - shift - reach.above))
            .collect();
        tops.extend(
            at_edges
                .iter()
                .map(|(run, height, top)| (*run, if *top { 0.0 } else { whole - height })),
        );
        (whole, above, tops)
    }

    /// The backgrounds and borders of the elements on a line, outer ones first.
    fn backgrounds(
        &mut self,
        line: &mut Fragment,
        prepared: &Prepared,
        here: &Present,
        shifts: &Shifts,
        baseline: f32,
        room: Room,
    ) {
        for (index, own) in here.iter().filter(|(index, _)| **index > 0) {
            let style = &prepared.styles[*index];
            let is_seen = !matches!(style.background, Paint::Rgba(colour) if colour.is_clear())
                || style.border.iter().any(|side| side.width() > 0.0)
                || !style.layers.is_empty()
                || style.outline.width() > 0.0
                || !style.shadows.is_empty();
            if !own.any || !is_seen {
                continue;
            }
            let metrics = self.metrics(style);
            let border: [f32; 4] = std::array::from_fn(|side| match side {
                LEFT if !own.begins => 0.0,
                RIGHT if !own.ends => 0.0,
                side => style.border[side].width(),
            });
            let above = metrics.ascent + border[TOP] + style.padding[TOP].of(room.width);
            let below = metrics.descent + border[BOTTOM] + style.padding[BOTTOM].of(room.width);
            let made = Made::Inline {
                style: style.clone(),
                border,
            };
            let fragment = Fragment::new(made, own.to - own.from, above + below);
            line.add(own.from, baseline - shifts.of(*index) - above, fragment);
        }
    }

    /// The words on a line, those that look alike together.
    #[allow(clippy::too_many_arguments)]
    fn words(
        &mut self,
        line: &mut Fragment,
        atoms: &[Atom],
        prepared: &Prepared,
        inlines: &Inlines,
        places: &[f32],
        shifts: &Shifts,
        baseline: f32,
    ) {
        let mut at = 0;
        while at < atoms.len() {
            let (AtomKind::Word { pen, .. } | AtomKind::Space { pen, .. }) = &atoms[at].kind else {
                at += 1;
                continue;
            };
            let (pen, run) = (*pen, atoms[at].run);
            let (mut words, x) = (Vec::new(), places[at]);
            let mut end = x;
            while let Some(atom) = atoms.get(at)
                && atom.run == run
                && let AtomKind::Word { word, pen: own } | AtomKind::Space { word, pen: own } =
                    &atom.kind
                && *own == pen
            {
                if atom.width > 0.0 || matches!(atom.kind, AtomKind::Word { .. }) {
                    words.push((places[at] - x, word.clone()));
                    end = end.max(places[at] + atom.width);
                }
                at += 1;
            }
            if words.is_empty() {
                continue;
            }
            let span = &inlines.spans[prepared.infos[run].span];
            let y = baseline - shifts.of(prepared.infos[run].span);
            let made = Made::Text {
                pen,
                words,
                style: prepared.styles[prepared.infos[run].span].clone(),
                node: span.node,
                link: span.link,
            };
            line.add(x, y, Fragment::new(made, end - x, 0.0));
        }
    }
}
