//! Text and boxes on lines (CSS 2.2, 9.4.2; CSS Text 3): from pieces to measured atoms, and from those to lines beside floats.
//!
//! Words are measured, and broken by UAX 14, by [`layout`](crate::document::layout); lines are filled here, because in CSS the room is
//! another one on each line, and white space, elements with padding and floats take part.

use super::{
    engine::{Containing, Engine},
    floats::Floats,
    fragment::{Child, Fragment, Kind as Made, Pending, Role},
    sizing::margins,
    tree::{BoxId, Inlines, Piece, is_space, keeps_lines, keeps_spaces, wraps},
};
use crate::{
    document::{
        css::style::{LEFT, OverflowWrap, RIGHT, Style, TextTransform, WordBreak},
        layout::{
            atoms::{Atom, AtomKind, Atoms},
            item::Pen,
            spans::{RunKind, Spans},
            word::Word,
        },
    },
    error::Result,
};
use std::rc::Rc;

/// The excess that a line may have, in px, to allow for rounding.
const TOLERANCE: f32 = 0.02;

/// What a run of text is.
#[derive(Clone)]
pub(super) enum What {
    Text,
    Break,
    Open(usize),
    Close(usize),
    Atomic(BoxId),
    Float(BoxId),
    Absolute(BoxId),
    Anchor(Rc<str>),
}

/// What a run is, and the span that it is in.
#[derive(Clone)]
pub(super) struct Info {
    pub(super) span: usize,
    pub(super) what: What,
}

/// Lines before they are filled.
pub(super) struct Prepared {
    pub(super) atoms: Vec<Atom>,
    pub(super) backwards: bool,
    /// Of each run.
    pub(super) infos: Vec<Info>,
    /// Of each span, here or on the first line.
    pub(super) styles: Vec<Rc<Style>>,
}

/// Where lines stand: the upper left corner among the floats, and the size of the content around.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) origin: (f32, f32),
    pub(super) width: f32,
    pub(super) height: Option<f32>,
}

/// Lines after layout.
pub(super) struct Set {
    pub(super) children: Vec<Child>,
    pub(super) pending: Vec<Pending>,
    pub(super) height: f32,
    pub(super) baselines: Option<(f32, f32)>,
}

/// A line that is being filled.
pub(super) struct Filled {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) left: f32,
    pub(super) width: f32,
    pub(super) indent: f32,
    /// No line stands above it.
    pub(super) is_first: bool,
}

impl Engine<'_, '_> {
    /// Measures text.
    pub(super) fn prepared(&mut self, id: BoxId, inlines: &Inlines, first: bool) -> Rc<Prepared> {
        if let Some(known) = self.prepared.get(&(id, first)) {
            return known.clone();
        }
        let (mut spans, mut infos) = (Spans::default(), Vec::new());
        let styles: Vec<Rc<Style>> = (0..inlines.spans.len())
            .map(|span| inlines.style(span, first).clone())
            .collect();
        let looks: Vec<_> = styles.iter().map(|style| self.look(style)).collect();
        let mut at_space = true;
        let mut current = 0;
        for piece in &inlines.pieces {
            let (what, span) = match piece {
                Piece::Text(text, span) => {
                    let (own, style) = (&inlines.spans[*span], &styles[*span]);
                    let add = |spans: &mut Spans, infos: &mut Vec<Info>, text: &str| {
                        spans.push(text, &looks[*span], own.node, own.link);
                        infos.resize(
                            spans.runs.len(),
                            Info {
                                span: *span,
                                what: What::Text,
                            },
                        );
                    };
                    let lines = keeps_lines(style);
                    for (nth, line) in split(text, lines).enumerate() {
                        if nth > 0 {
                            spans.object(&looks[*span], own.node, None, RunKind::Break);
                            infos.resize(
                                spans.runs.len(),
                                Info {
                                    span: *span,
                                    what: What::Break,
                                },
                            );
                            at_space = true;
                        }
                        let line = collapsed(line, style, &mut at_space);
                        add(&mut spans, &mut infos, &transformed(&line, style));
                    }
                    current = *span;
                    continue;
                }
                Piece::Open(span) => {
                    current = *span;
                    if !has_edges(&inlines.spans[*span].style) {
                        continue;
                    }
                    (What::Open(*span), *span)
                }
                Piece::Close(span) => {
                    current = inlines.spans[*span].parent.unwrap_or(0);
                    if !has_edges(&inlines.spans[*span].style) {
                        continue;
                    }
                    (What::Close(*span), *span)
                }
                Piece::Atomic(id, span) => {
                    at_space = false;
                    (What::Atomic(*id), *span)
                }
                Piece::Float(id) => (What::Float(*id), current),
                Piece::Absolute(id) => (What::Absolute(*id), current),
                Piece::Break(span) => {
                    at_space = true;
                    (What::Break, *span)
                }
                Piece::Anchor(name) => (What::Anchor(name.clone()), current),
            };
            let own = &inlines.spans[span];
            let kind = match what {
                What::Break => RunKind::Break,
                What::Atomic(_) => RunKind::Picture {
                    number: 0,
                    width: 0.0,
                    height: 0.0,
                    over: Vec::new(),
                },
                _ => RunKind::Anchor("".into()),
            };
            spans.object(&looks[span], own.node, own.link, kind);
            infos.resize(spans.runs.len(), Info { span, what });
        }
        let direction = looks.first().and_then(|look| look.direction);
        let mut atoms = Atoms::of(&spans, direction, &mut self.layout.faces);
        for atom in &mut atoms.atoms {
            let style = &styles[infos[atom.run].span];
            space_out(atom, style);
            if !wraps(style) && !matches!(atom.kind, AtomKind::Break) {
                atom.may_end = false;
            }
        }
        keep_words(&mut atoms.atoms, |atom| &styles[infos[atom.run].span]);
        let prepared = Rc::new(Prepared {
            atoms: atoms.atoms,
            backwards: atoms.backwards,
            infos,
            styles,
        });
        self.prepared.insert((id, first), prepared.clone());
        prepared
    }

    /// The least and the largest useful width of lines.
    pub(super) fn lines_extent(&mut self, id: BoxId) -> Result<(f32, f32)> {
        let boxes = self.boxes;
        let super::tree::Kind::Lines(inlines) = &boxes.get(id).kind else {
            return Ok((0.0, 0.0));
        };
        let prepared = self.prepared(id, inlines, false);
        let style = self.style(id).clone();
        let indent = style.text.indent.of(0.0);
        let (mut least, mut part, mut most, mut line, mut space) =
            (0.0_f32, indent, 0.0_f32, indent, 0.0_f32);
        let mut floats = 0.0_f32;
        for atom in &prepared.atoms {
            let own = &inlines.spans[prepared.infos[atom.run].span].style;
            let mut width = atom.width;
            let mut narrow = width;
            match &prepared.infos[atom.run].what {
                What::Atomic(id) => (narrow, width) = self.contribution(*id)?,
                What::Float(id) => {
                    let (narrow, wide) = self.contribution(*id)?;
                    least = least.max(narrow);
                    floats += wide;
                    continue;
                }
                What::Open(span) => {
                    width = edge(&inlines.spans[*span], LEFT, 0.0);
                    narrow = width;
                }
                What::Close(span) => {
                    width = edge(&inlines.spans[*span], RIGHT, 0.0);
                    narrow = width;
                }
                _ => {}
            }
            match atom.kind {
                AtomKind::Break => {
                    most = most.max(line);
                    (line, space, part) = (0.0, 0.0, 0.0);
                }
                AtomKind::Space { .. } if !keeps_spaces(own) => {
                    space += width;
                    part += if atom.may_end { 0.0 } else { width };
                }
                AtomKind::Tab => line = next_tab(line + space, own),
                AtomKind::Space { .. } | AtomKind::Word { .. } | AtomKind::Object => {
                    line += space + width;
                    space = 0.0;
                    part += narrow;
                    if breaks_words(own) && matches!(atom.kind, AtomKind::Word { .. }) {
                        part = part.min(own.text.size);
                    }
                    least = least.max(part);
                }
            }
            if atom.may_end {
                part = 0.0;
            }
            most = most.max(line);
        }
        Ok((least.max(0.0), (most + floats).max(0.0)))
    }

    /// Breaks lines, and places what is on them.
    pub(super) fn lines(
        &mut self,
        id: BoxId,
        inlines: &Inlines,
        room: Room,
        floats: &mut Floats,
    ) -> Result<Set> {
        let prepared = self.prepared(id, inlines, false);
        let style = self.style(id).clone();
        let containing = Containing {
            width: room.width,
            height: room.height,
        };
        let mut set = Set {
            children: Vec::new(),
            pending: Vec::new(),
            height: 0.0,
            baselines: None,
        };
        let usual = prepared;
        let special = inlines
            .first
            .as_ref()
            .map(|_| self.prepared(id, inlines, true));
        // Where its text is divided in another way, the first line looks like the others.
        let special = special.filter(|own| own.atoms.len() == usual.atoms.len());
        let mut prepared = special.clone().unwrap_or_else(|| usual.clone());
        let mut is_special = special.is_some();
        let mut atoms = prepared.atoms.clone();
        // The boxes that are set like letters, by run.
        let mut boxes: Vec<Option<Rc<Fragment>>> = vec![None; prepared.infos.len()];
        for atom in &mut atoms {
            match &prepared.infos[atom.run].what {
                What::Atomic(id) => {
                    let margin = margins(self.style(*id), room.width);
                    let sides = margin[LEFT].unwrap_or(0.0) + margin[RIGHT].unwrap_or(0.0);
                    let fragment =
                        self.shrunk(*id, containing, room.width - sides, Role::Atomic)?;
                    atom.width = fragment.width + sides;
                    boxes[atom.run] = Some(fragment);
                }
                What::Open(span) => atom.width = edge(&inlines.spans[*span], LEFT, room.width),
                What::Close(span) => atom.width = edge(&inlines.spans[*span], RIGHT, room.width),
                _ => {}
            }
        }
        let (mut y, mut start, mut first) = (0.0_f32, 0, true);
        let strut = self.strut(&style).1;
        let mut late: Vec<BoxId> = Vec::new();
        // How high the line is, as far as that is known: it must have room beside the floats.
        let mut tall = strut;
        while start < atoms.len() {
            self.step()?;
            let indent = if first {
                style.text.indent.of(room.width)
            } else {
                0.0
            };
            let filled = loop {
                let (from, to) = floats.room(
                    room.origin.1 + y,
                    tall,
                    room.origin.0,
                    room.origin.0 + room.width,
                );
                let mut line = Filled {
                    start,
                    end: start,
                    left: from - room.origin.0,
                    width: to - from,
                    indent,
                    is_first: first,
                };
                let narrow = line.width + TOLERANCE < room.width;
                let first_end = self.fill(&mut atoms, &prepared, inlines, &mut line, narrow);
                start = line.start;
                if let Some(end) = first_end {
                    line.end = end;
                    break line;
                }
                // Nothing fits beside the floats here.
                match floats.next_end(room.origin.1 + y) {
                    Some(end) => y = end - room.origin.1,
                    None => {
                        line.end = start + 1;
                        break line;
                    }
                }
            };
            // Floats on this line: beside it where there is room, otherwise below.
            let mut filled = filled;
            let mut again = false;
            for at in filled.start..filled.end {
                let What::Float(float) = prepared.infos[atoms[at].run].what else {
                    continue;
                };
                if atoms[at].width < 0.0 {
                    continue;
                }
                atoms[at].width = -1.0;
                let used: f32 = atoms[filled.start..at]
                    .iter()
                    .map(|atom| atom.width.max(0.0))
                    .sum();
                let needs = self.float_width(float, containing)?;
                if used + filled.indent + needs > filled.width + TOLERANCE && used > 0.0 {
                    late.push(float);
                    continue;
                }
                let before = floats.room(
                    room.origin.1 + y,
                    tall,
                    room.origin.0,
                    room.origin.0 + room.width,
                );
                let (x, top, fragment) = self.float(float, containing, floats, room.origin, y)?;
                add(&mut set, x, top, fragment);
                if floats.room(
                    room.origin.1 + y,
                    tall,
                    room.origin.0,
                    room.origin.0 + room.width,
                ) != before
                {
                    again = true;
                    break;
                }
            }
            if again {
                continue;
            }
            let before = (!floats.is_empty()).then(|| atoms[filled.start..filled.end].to_vec());
            for atom in &mut atoms[filled.start..filled.end] {
                if matches!(prepared.infos[atom.run].what, What::Float(_)) {
                    atom.width = 0.0;
                }
            }
            filled.end = filled.end.max(filled.start + 1);
            let line = self.line(
                &mut atoms, &prepared, inlines, &filled, &boxes, &style, room,
            )?;
            if let (Some((_, line)), Some(before)) = (&line, before)
                && line.height > tall + TOLERANCE
            {
                let (left, right) = (room.origin.0, room.origin.0 + room.width);
                let (from, to) = floats.room(room.origin.1 + y, line.height, left, right);
                if to - from + TOLERANCE < filled.width {
                    // A float that begins beside the line leaves less room for it.
                    tall = line.height;
                    atoms[filled.start..filled.start + before.len()].clone_from_slice(&before);
                    continue;
                }
            }
            tall = strut;
            if let Some((x, mut line)) = line {
                let mut pending = std::mem::take(&mut line.pending);
                pending.iter_mut().for_each(|pending| {
                    pending.x += x;
                    pending.y += y;
                });
                set.pending.append(&mut pending);
                if line.height > 0.0 || !line.children.is_empty() {
                    let baseline = line.baselines.map_or(0.0, |lines| lines.0);
                    let is_line = line.baselines.is_some();
                    let height = line.height;
                    set.children.push(Child {
                        x,
                        y,
                        fragment: Rc::new(line),
                    });
                    if is_line {
                        set.baselines = Some((
                            set.baselines.map_or(y + baseline, |known| known.0),
                            y + baseline,
                        ));
                        y += height;
                        first = false;
                    }
                }
            }
            // `clear` on a line break.
            if let Some(last) = atoms[filled.start..filled.end].last()
                && matches!(atoms_what(&prepared, last), What::Break)
            {
                let clear = inlines.spans[prepared.infos[last.run].span].style.clear;
                if let Some(bottom) = floats.clear(clear) {
                    y = y.max(bottom - room.origin.1);
                }
            }
            for float in std::mem::take(&mut late) {
                let (x, top, fragment) = self.float(float, containing, floats, room.origin, y)?;
                add(&mut set, x, top, fragment);
            }
            floats.pass(room.origin.1 + y);
            start = filled.end;
            if is_special && !first {
                // What follows the first line is measured as usual. A word that it broke has one part more.
                let parts = atoms.len() - usual.atoms.len();
                let from = (start + parts.min(1)).min(atoms.len());
                let as_usual = &usual.atoms[from.saturating_sub(parts)..];
                for (atom, own) in atoms[from..].iter_mut().zip(as_usual) {
                    if !matches!(own.kind, AtomKind::Object) {
                        *atom = own.clone();
                    }
                }
                prepared = usual.clone();
                is_special = false;
            }
        }
        set.height = y;
        Ok(set)
    }

    fn float_width(&mut self, id: BoxId, containing: Containing) -> Result<f32> {
        let margin = margins(self.style(id), containing.width).map(|margin| margin.unwrap_or(0.0));
        let sides = margin[LEFT] + margin[RIGHT];
        let fragment = self.shrunk(id, containing, containing.width - sides, Role::Float)?;
        Ok(fragment.width + sides)
    }

    /// Fills a line. Returns the number of the first atom behind it; `None` if not even the first part fits beside floats.
    fn fill(
        &mut self,
        atoms: &mut Vec<Atom>,
        prepared: &Prepared,
        inlines: &Inlines,
        line: &mut Filled,
        narrow: bool,
    ) -> Option<usize> {
        let room = line.width - line.indent;
        let (mut x, mut end) = (0.0_f32, None);
        let mut at = line.start;
        let mut content = false;
        while at < atoms.len() {
            let own = &inlines.spans[prepared.infos[atoms[at].run].span].style;
            match atoms[at].kind {
                AtomKind::Break => return Some(at + 1),
                AtomKind::Tab => {
                    let width = next_tab(x, own) - x;
                    atoms[at].width = width;
                    x += width;
                }
                AtomKind::Space { .. } => {
                    // Spaces hang, or vanish, at the end of a line, and at its beginning.
                    if !content && !keeps_spaces(own) {
                        atoms[at].width = 0.0;
                    }
                    x += atoms[at].width;
                }
                AtomKind::Object
                    if matches!(
                        prepared.infos[atoms[at].run].what,
                        What::Float(_) | What::Absolute(_) | What::Anchor(_)
                    ) => {}
                AtomKind::Word { .. } | AtomKind::Object => {
                    let width = atoms[at].width;
                    if x + width > room + TOLERANCE && width > 0.0 {
                        // Words that may be broken anywhere fill the line; others begin the next one.
                        let anywhere = own.text.word_break == WordBreak::BreakAll && wraps(own);
                        if let Some(end) = end
                            && !anywhere
                        {
                            return Some(end);
                        }
                        if breaks_words(own) {
                            let split = split_word(atoms, line, at, room - x, content);
                            if split.or(end).is_some() {
                                return split.or(end);
                            }
                        }
                        if narrow {
                            return None;
                        }
                        if breaks_words(own) && content {
                            return Some(at);
                        }
                    }
                    x += width;
                    content = true;
                }
            }
            if atoms[at].may_end && (content || keeps_spaces(own)) {
                end = Some(at + 1);
                if x > room + TOLERANCE && !matches!(atoms[at].kind, AtomKind::Space { .. }) {
                    // What cannot be broken is wider than the line: it ends with it.
                    let spaces = atoms[at + 1..]
                        .iter()
                        .take_while(|atom| matches!(atom.kind, AtomKind::Space { .. }));
                    return Some(at + 1 + spaces.count());
                }
            }
            at += 1;
        }
        Some(atoms.len())
    }
}

fn atoms_what<'p>(prepared: &'p Prepared, atom: &Atom) -> &'p What {
    &prepared.infos[atom.run].what
}

fn add(set: &mut Set, x: f32, y: f32, fragment: Rc<Fragment>) {
    let mut holder = Fragment::new(Made::Line, 0.0, 0.0);
    holder.add(x, y, fragment);
    set.pending.append(&mut holder.pending);
    set.children.append(&mut holder.children);
}

/// Whether a word may be broken anywhere where it does not fit.
fn breaks_words(style: &Style) -> bool {
    let text = &style.text;
    wraps(style)
        && (text.overflow_wrap != OverflowWrap::Normal
            || matches!(text.word_break, WordBreak::BreakAll | WordBreak::BreakWord))
}

/// Makes two atoms of a word that has no room, which is atom `at` of a line. Returns the number of the first atom behind that line,
/// if something of the word has room.
fn split_word(
    atoms: &mut Vec<Atom>,
    line: &mut Filled,
    at: usize,
    room: f32,
    others: bool,
) -> Option<usize> {
    let AtomKind::Word { word, pen } = &atoms[at].kind else {
        return None;
    };
    let scale = pen.size / pen.units;
    let fits = word.fitting((room / scale).max(0.0));
    if fits == 0 || fits >= word.text.len() {
        return None;
    }
    let (head, tail) = word.split(fits);
    let width = head.advance as f32 * scale;
    if head.glyphs.is_empty() || tail.glyphs.is_empty() || others && width > room + TOLERANCE {
        return None;
    }
    let pen = *pen;
    let mut head_atom = atoms[at].clone();
    head_atom.width = width;
    head_atom.kind = AtomKind::Word {
        word: Rc::new(head),
        pen,
    };
    head_atom.may_end = true;
    atoms[at].width = tail.advance as f32 * scale;
    atoms[at].kind = AtomKind::Word {
        word: Rc::new(tail),
        pen,
    };
    // Atoms of lines that are set are of no use any more: the place of the last one is taken, as moving all that follow for every
    // line would take the square of their number.
    if line.is_first {
        atoms.insert(at, head_atom);
        return Some(at + 1);
    }
    line.start -= 1;
    atoms[line.start..at].rotate_left(1);
    atoms[at - 1] = head_atom;
    Some(at)
}

/// Allows no break between letters where `word-break` is `keep-all` (CSS Text 3, 5.2): East Asian words stay whole.
fn keep_words<'s>(atoms: &mut [Atom], style: impl Fn(&Atom) -> &'s Rc<Style>) {
    for at in 1..atoms.len() {
        if style(&atoms[at - 1]).text.word_break != WordBreak::KeepAll {
            continue;
        }
        let [
            AtomKind::Word { word, .. },
            AtomKind::Word { word: next, .. },
        ] = [&atoms[at - 1].kind, &atoms[at].kind]
        else {
            continue;
        };
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if is_letter(word.text.chars().last()) && is_letter(next.text.chars().next()) {
            atoms[at - 1].may_end = false;
        }
    }
}

/// Where text behind a tab goes on.
fn next_tab(x: f32, style: &Style) -> f32 {
    let stop = (style.text.tab_size * style.text.size * 0.6).max(1.0);
    ((x + 0.01) / stop).floor() * stop + stop
}

/// Adds the spacing of letters and words.
fn space_out(atom: &mut Atom, style: &Style) {
    let text = &style.text;
    let is_space = matches!(atom.kind, AtomKind::Space { .. });
    let extra = |pen: &Pen| {
        let word = if is_space { text.word_spacing } else { 0.0 };
        let per_px = pen.units / pen.size.max(0.01);
        ((text.letter_spacing + word) * per_px).clamp(-1e6, 1e6) as i32
    };
    let (AtomKind::Word { word, pen } | AtomKind::Space { word, pen }) = &mut atom.kind else {
        return;
    };
    let by = extra(pen);
    if by == 0 {
        return;
    }
    let glyphs: Box<[_]> = word
        .glyphs
        .iter()
        .map(|glyph| crate::document::layout::word::Glyph {
            advance: glyph.advance + by,
            ..*glyph
        })
        .collect();
    let advance = word.advance + by * glyphs.len() as i32;
    atom.width = advance as f32 * pen.size / pen.units;
    *word = Rc::new(Word {
        glyphs,
        text: word.text.clone(),
        advance,
        opaque: word.opaque,
    });
}

/// Whether an element takes room on a line beside its content.
fn has_edges(style: &Style) -> bool {
    let some = |side: usize| {
        style.padding[side].of(100.0) != 0.0
            || style.border[side].width() != 0.0
            || matches!(&style.margin[side], crate::document::css::style::Size::Length(length) if length.of(100.0) != 0.0)
    };
    some(LEFT) || some(RIGHT)
}

/// The room of an element's edge: margin, border and padding.
fn edge(span: &super::tree::Span, side: usize, width: f32) -> f32 {
    let shown = if side == LEFT { span.begins } else { span.ends };
    if !shown {
        return 0.0;
    }
    let style = &span.style;
    margins(style, width)[side].unwrap_or(0.0)
        + style.border[side].width()
        + style.padding[side].of(width)
}

/// The lines of text whose line ends are kept.
fn split(text: &str, lines: bool) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let own = rest?;
        let end = if lines { own.find('\n') } else { None };
        match end {
            Some(end) => {
                rest = Some(&own[end + 1..]);
                Some(own[..end].trim_end_matches('\r'))
            }
            None => {
                rest = None;
                Some(own)
            }
        }
    })
}

/// Text with its white space collapsed, as far as the style asks for it.
fn collapsed(text: &str, style: &Style, at_space: &mut bool) -> String {
    if keeps_spaces(style) {
        if !text.is_empty() {
            *at_space = false;
        }
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_space(c) {
            if !*at_space {
                out.push(' ');
            }
            *at_space = true;
        } else {
            out.push(c);
            *at_space = false;
        }
    }
    out
}

fn transformed(text: &str, style: &Style) -> String {
    match style.text.transform {
        TextTransform::None | TextTransform::Uppercase => text.to_owned(),
        TextTransform::Lowercase => text.to_lowercase(),
        TextTransform::Capitalize => {
            let mut before = ' ';
            let mut out = String::with_capacity(text.len());
            for c in text.chars() {
                if before.is_alphanumeric() || before == '\'' {
                    out.push(c);
                } else {
                    out.extend(c.to_uppercase());
                }
                before = c;
            }
            out
        }
    }
}
