//! Line boxes: the alignment and the position of all content of a line (CSS Text 3, 6; CSS Inline 3). Breaks no lines.

use super::{
    engine::Engine,
    fragment::{Fragment, FragmentContent as Made, Pending},
    height::Shifts,
    positioned::relative_offset,
    runs::{Filled, Info, SpanExtent, SpansOnLine, Text, What},
    sizing::margins,
    tree::keeps_spaces,
};
use crate::error::Result;
use convertd_layout::{
    atoms::{Atom, AtomKind},
    face::Joining,
    lines::{hyphened, order},
};
use convertd_markup::css::{
    colour::Paint,
    style::{LEFT, Overflow, RIGHT, Style, TOP, TextAlign, TextOverflow},
};
use std::rc::Rc;

impl SpanExtent {
    /// Extends the extent to these edges.
    fn reach(&mut self, from: f32, to: f32) {
        (self.from, self.to) = match self.any {
            true => (self.from.min(from), self.to.max(to)),
            false => (from, to),
        };
        self.any = true;
    }
}

impl<'a> Text<'a> {
    /// Kind and span of the run that an atom belongs to.
    pub(crate) fn info(&self, atom: &Atom) -> &'a Info {
        &self.prepared.infos[atom.run]
    }

    /// Style of the span that an atom belongs to.
    pub(crate) fn style(&self, atom: &Atom) -> &'a Rc<Style> {
        &self.prepared.styles[self.info(atom).span]
    }

    /// Returns whether an atom is out of flow: a float, an absolutely positioned box or an anchor.
    fn is_out_of_flow(&self, atom: &Atom) -> bool {
        matches!(
            self.info(atom).what,
            What::Float(_) | What::Absolute(_) | What::Anchor(_)
        )
    }

    /// Returns whether an atom keeps a line that has no other content (CSS 2.2, 9.4.2).
    fn takes_room(&self, atom: &Atom) -> bool {
        match atom.kind {
            AtomKind::Word { .. } | AtomKind::Break | AtomKind::Tab => true,
            AtomKind::Space { .. } => keeps_spaces(self.style(atom)),
            AtomKind::Object => {
                !self.is_out_of_flow(atom)
                    && (atom.width != 0.0 || matches!(self.info(atom).what, What::Atomic(_)))
            }
        }
    }

    /// Returns whether an atom at the end of a line hangs, so that alignment ignores it (CSS Text 3, 4.1.2).
    fn hangs(&self, atom: &Atom) -> bool {
        match atom.kind {
            AtomKind::Space { .. } | AtomKind::Break => true,
            AtomKind::Object => {
                self.is_out_of_flow(atom)
                    || matches!(self.info(atom).what, What::Open(_) | What::Close(_))
                        && atom.width == 0.0
            }
            AtomKind::Word { .. } | AtomKind::Tab => false,
        }
    }

    /// Number of atoms up to the last one that does not hang. The collapsible spaces after that atom lose their width.
    fn seen(&self, atoms: &mut [Atom]) -> usize {
        let seen = atoms
            .iter()
            .rposition(|atom| !self.hangs(atom))
            .map_or(0, |at| at + 1);
        for atom in &mut atoms[seen..] {
            if matches!(atom.kind, AtomKind::Space { .. }) && !keeps_spaces(self.style(atom)) {
                atom.width = 0.0;
            }
        }
        seen
    }
}

/// Justifies a line by widening its spaces, and returns the offset of its start for other
/// alignments, in px (CSS Text 3, 6). The last line and lines before a forced break follow
/// `text-align-last`.
fn align(atoms: &mut [Atom], width: f32, text: &Text, is_last: bool) -> f32 {
    let block = text.block;
    // The last line of justified text is aligned at the start, unless a style says otherwise (CSS
    // Text 3, 6.3).
    let align = match block.text.align_last.filter(|_| is_last) {
        Some(own) => own,
        None if block.text.align == TextAlign::Justify && is_last => TextAlign::Start,
        None => block.text.align,
    };
    let used = |atoms: &[Atom]| atoms.iter().map(|atom| atom.width).sum::<f32>();
    let is_space = |atom: &Atom| matches!(atom.kind, AtomKind::Space { .. });
    // The remaining width is divided among the spaces. A line without spaces does not change.
    let missing = width - used(atoms);
    if align == TextAlign::Justify && missing > 0.0 {
        let spaces = atoms.iter().filter(|atom| is_space(atom)).count();
        for space in atoms.iter_mut().filter(|atom| is_space(atom)) {
            space.width += missing / spaces as f32;
        }
    }
    let missing = width - used(atoms);
    let slack = missing.max(0.0);
    // Lines of right-to-left text that are aligned at the start begin at the right, also if they overflow.
    let is_rtl = text.prepared.backwards;
    match align {
        TextAlign::Center | TextAlign::BlockCenter => slack / 2.0,
        TextAlign::Right | TextAlign::BlockRight => slack,
        TextAlign::End if !is_rtl => slack,
        TextAlign::Start | TextAlign::Justify | TextAlign::MatchParent if is_rtl => missing,
        _ => 0.0,
    }
}

/// Positions on a line, in px.
#[derive(Clone, Copy)]
struct LinePositions<'a> {
    /// Left edge of each atom.
    places: &'a [f32],
    /// Top edges of the atomic inlines, by run.
    tops: &'a [(usize, f32)],
    /// Extents of the spans on the line.
    here: &'a SpansOnLine,
    /// Vertical alignment and relative positioning of these spans.
    shifts: &'a Shifts,
}

/// Fragment of a link target.
fn anchor(name: &Rc<str>) -> Fragment {
    Fragment::new(Made::Anchor(name.clone()), 0.0, 0.0)
}

impl Engine<'_, '_> {
    /// Lays out one line from the atoms that fill it. Returns its left edge and line box; `None` if the line has
    /// neither content nor static positions nor link targets.
    pub(crate) fn line(
        &mut self,
        atoms: &mut [Atom],
        filled: &Filled,
        text: Text,
    ) -> Result<Option<(f32, Fragment)>> {
        let block = text.block;
        let mut is_last = filled.end >= atoms.len();
        let atoms = &mut atoms[filled.start..filled.end];
        // A line that ends at a soft hyphen shows it.
        let mut with_hyphen = Vec::new();
        let atoms = match hyphened(atoms).filter(|_| !is_last) {
            Some(hyphen) => {
                with_hyphen.extend_from_slice(atoms);
                with_hyphen.push(hyphen);
                &mut with_hyphen[..]
            }
            None => atoms,
        };
        if !atoms.iter().any(|atom| text.takes_room(atom)) {
            let line = self.empty_line(atoms, filled, text);
            return Ok(line.map(|line| (filled.left, line)));
        }
        // Atoms that hang at the end are ignored by the alignment.
        let seen = text.seen(atoms);
        let ending = atoms.last().map(|atom| &atom.kind);
        is_last |= matches!(ending, Some(AtomKind::Break));
        let width = filled.width - filled.indent;
        // With `text-overflow: ellipsis` in a box that clips its content, an ellipsis replaces the part of the line
        // that does not fit.
        if block.text_overflow == TextOverflow::Ellipsis && block.overflow != Overflow::Visible {
            let joining = self.look(block).joining();
            self.cut_short(&mut atoms[..seen], width, joining);
        }
        let offset = align(&mut atoms[..seen], width, &text, is_last);
        let is_rtl = text.prepared.backwards;
        let start = if is_rtl { 0.0 } else { filled.indent };
        // The horizontal positions are computed in visual order (UAX 9), then the vertical metrics, and then the
        // fragments from back to front.
        let places = order(atoms, seen, start + offset, text.prepared.backwards);
        let here = self.present(atoms, text, &places);
        let shifts = self.shifts(text, &here);
        let metrics = self.line_metrics(atoms, text, &here, &shifts);
        let mut line = Fragment::new(Made::Line, filled.width, metrics.height);
        line.baselines = Some((metrics.baseline, metrics.baseline));
        self.backgrounds(&mut line, text, &here, &shifts);
        words(&mut line, atoms, text, &places, &shifts);
        let positions = LinePositions {
            places: &places,
            tops: &metrics.tops,
            here: &here,
            shifts: &shifts,
        };
        self.objects(&mut line, atoms, filled, text, positions)?;
        Ok(Some((filled.left, line)))
    }

    /// Line box without in-flow content, which has only static positions and link targets. `None` if it has neither.
    fn empty_line(&self, atoms: &[Atom], filled: &Filled, text: Text) -> Option<Fragment> {
        let mut line = Fragment::new(Made::Line, 0.0, 0.0);
        for atom in atoms {
            match &text.info(atom).what {
                What::Absolute(id) => {
                    // The static position of a block is at the left edge. The static position of an inline box is where
                    // text would be aligned.
                    let x = match (self.style(*id).was_inline, text.block.text.align) {
                        (false, _) => -filled.left,
                        (true, TextAlign::Center | TextAlign::BlockCenter) => filled.width / 2.0,
                        (true, TextAlign::Right | TextAlign::BlockRight) => filled.width,
                        _ => 0.0,
                    };
                    line.pending.push(Pending { id: *id, x, y: 0.0 });
                }
                What::Anchor(name) => line.add(0.0, 0.0, anchor(name)),
                _ => {}
            }
        }
        (!line.pending.is_empty() || !line.children.is_empty()).then_some(line)
    }

    /// Adds the atomic inlines of a line, link targets, and the static positions of absolutely
    /// positioned boxes.
    fn objects(
        &mut self,
        line: &mut Fragment,
        atoms: &[Atom],
        filled: &Filled,
        text: Text,
        positions: LinePositions<'_>,
    ) -> Result<()> {
        // The position of an inline box that is a containing block follows from the extent and the shift of its span.
        let around = (positions.here, positions.shifts);
        for (index, (atom, x)) in atoms.iter().zip(positions.places).enumerate() {
            let info = text.info(atom);
            match &info.what {
                What::Atomic(id) => {
                    let Some(fragment) = &text.boxes[atom.run] else {
                        continue;
                    };
                    let style = self.style(*id);
                    let margin = margins(style, text.room.width).map(Option::unwrap_or_default);
                    let (dx, dy) = relative_offset(style, text.room.containing());
                    // The vertical position follows from the alignment, and from the shift of relatively positioned
                    // spans.
                    let top = positions.tops.iter().find(|(run, _)| *run == atom.run);
                    let y = top.map_or(0.0, |(_, y)| *y);
                    let span = positions.shifts.moved(info.span);
                    line.add(
                        x + margin[LEFT] + dx + span.0,
                        y + margin[TOP] + dy + span.1,
                        fragment.clone(),
                    );
                }
                // An inline box may itself be the containing block (CSS 2.2, 10.1).
                What::Absolute(id)
                    if self.placed_in_span(line, (*id, info.span), text, around, *x)? => {}
                What::Absolute(id) => {
                    let (x, y) = match self.style(*id).was_inline {
                        true => (*x, 0.0),
                        // A block's static position is below the inline content before it (CSS 2.2,
                        // 10.6.4).
                        false if atoms[..index].iter().any(|atom| text.takes_room(atom)) => {
                            (-filled.left, line.height)
                        }
                        false => (-filled.left, 0.0),
                    };
                    line.pending.push(Pending { id: *id, x, y });
                }
                What::Anchor(name) => line.add(*x, 0.0, anchor(name)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Truncates a line with an ellipsis where it exceeds its box (CSS UI 4, 5.2).
    ///
    /// The first word that does not fit is cut and gets the ellipsis. A word that fits gets the ellipsis if the next
    /// visible atom would not fit. All atoms after the ellipsis lose their width.
    fn cut_short(&mut self, atoms: &mut [Atom], room: f32, joining: Joining) {
        let whole: f32 = atoms.iter().map(|atom| atom.width).sum();
        if whole <= room + 0.5 {
            return;
        }
        // Width of the atoms that fit so far.
        let mut x = 0.0;
        for at in 0..atoms.len() {
            if let AtomKind::Word { word, pen } = &atoms[at].kind {
                let pen = *pen;
                let dots = self
                    .layout
                    .faces
                    .word(pen.chosen, "…", false, joining, None);
                let dots = pen.width(&dots);
                // If another visible atom follows, the ellipsis must fit after this atom as well.
                let next = atoms[at + 1..].iter().find(|atom| atom.width > 0.0);
                let fits = x + atoms[at].width + if next.is_some() { dots } else { 0.0 } <= room;
                // Whether the word fits, but the next visible atom does not.
                let is_last =
                    fits && next.is_some_and(|next| x + atoms[at].width + next.width + dots > room);
                // A word that does not fit is cut to the width that the ellipsis leaves.
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
                    // All later atoms are invisible. Words and spaces become empty tabs, so that nothing is painted.
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

    /// Collects the spans on a line with their extents. The extent of a span includes those of the spans inside it.
    fn present(&self, atoms: &[Atom], text: Text, places: &[f32]) -> SpansOnLine {
        let prepared = text.prepared;
        // A paragraph may have 100,000 spans, and a line only three, so only the spans on the line are listed.
        let (mut here, mut around) = (SpansOnLine::new(), SpansOnLine::new());
        for (atom, x) in atoms.iter().zip(places) {
            if text.is_out_of_flow(atom) {
                continue;
            }
            let info = text.info(atom);
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
            // The margin is part of the atom of the edge, but not of the span's box.
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
            // A margin lies outside the span itself, but inside its parents.
            let around = around.entry(info.span).or_default();
            around.reach(*x, x + atom.width);
        }
        // Children come before their parents, because inner spans have higher indexes.
        while let Some((index, inside)) = around.pop_last() {
            if let Some(parent) = text.inlines.spans[index].parent {
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

    /// Adds the backgrounds and borders of inline boxes, outermost first.
    fn backgrounds(
        &mut self,
        line: &mut Fragment,
        text: Text,
        here: &SpansOnLine,
        shifts: &Shifts,
    ) {
        let baseline = line.baselines.map_or(0.0, |(first, _)| first);
        for (index, own) in here.iter().filter(|(index, _)| **index > 0) {
            let style = &text.prepared.styles[*index];
            // Inline boxes that paint nothing themselves need no fragment.
            let is_seen = !matches!(style.background, Paint::Rgba(colour) if colour.is_clear())
                || style.border.iter().any(|side| side.width() > 0.0)
                || !style.layers.is_empty()
                || style.outline.width() > 0.0
                || !style.shadows.is_empty();
            if !own.any || !is_seen {
                continue;
            }
            let (dx, dy) = shifts.moved(*index);
            let raised = baseline - shifts.of(*index);
            let (top, height, border) = self.part(style, own, raised, text.room);
            let made = Made::Inline {
                style: style.clone(),
                border,
            };
            let fragment = Fragment::new(made, own.to - own.from, height);
            line.add(own.from + dx, top + dy, fragment);
        }
    }
}

/// Adds the text of a line: consecutive words of one run and font form one fragment.
fn words(line: &mut Fragment, atoms: &[Atom], text: Text, places: &[f32], shifts: &Shifts) {
    let baseline = line.baselines.map_or(0.0, |(first, _)| first);
    let mut at = 0;
    while at < atoms.len() {
        let (AtomKind::Word { pen, .. } | AtomKind::Space { pen, .. }) = &atoms[at].kind else {
            // Objects, tabs and breaks have no text.
            at += 1;
            continue;
        };
        let (pen, run) = (*pen, atoms[at].run);
        let (mut words, x) = (Vec::new(), places[at]);
        let mut end = x;
        // Words and spaces that share a run and a font form one text fragment.
        while let Some(atom) = atoms.get(at)
            && atom.run == run
            && let AtomKind::Word { word, pen: own } | AtomKind::Space { word, pen: own } =
                &atom.kind
            && *own == pen
        {
            // Collapsed spaces are left out.
            if atom.width > 0.0 || matches!(atom.kind, AtomKind::Word { .. }) {
                words.push((places[at] - x, word.clone()));
                end = end.max(places[at] + atom.width);
            }
            at += 1;
        }
        if words.is_empty() {
            continue;
        }
        words.shrink_to_fit();
        let number = text.prepared.infos[run].span;
        let span = &text.inlines.spans[number];
        let (dx, dy) = shifts.moved(number);
        let y = baseline - shifts.of(number) + dy;
        let made = Made::Text {
            pen,
            words,
            style: text.prepared.styles[number].clone(),
            node: span.node,
            link: span.link,
        };
        line.add(x + dx, y, Fragment::new(made, end - x, 0.0));
    }
}
