//! Inline formatting contexts (CSS 2.2, 9.4.2; CSS Text 3): from pieces to measured atoms, and from
//! atoms to line boxes beside floats. Shapes no text.
//!
//! [`layout`](convertd_layout) shapes words and finds break opportunities (UAX 14). Lines are
//! filled here because in CSS each line may have another width, and white space, inline boxes with
//! padding, and floats take part.
//!
//! A float anchored in a line can narrow that very line. So a line is filled, its floats are placed, and if they
//! narrowed the line, it is filled again. Each float is placed once, so this loop ends.

use super::{
    engine::{Containing, Engine},
    filling::{is_narrow, next_tab},
    floats::Floats,
    fragment::{Child, Fragment, FragmentContent as Made, Pending, Role},
    runs::{Filled, Prepared, Room, TOLERANCE, Text, What},
    sizing::margins,
    tree::{BoxId, Inlines, keeps_spaces},
};
use crate::error::Result;
use convertd_layout::atoms::{Atom, AtomKind};
use convertd_markup::css::style::{LEFT, RIGHT};
use std::rc::Rc;

impl Room {
    /// Returns this area as the containing block of its content.
    pub(super) fn containing(&self) -> Containing {
        Containing {
            width: self.width,
            height: self.height,
        }
    }
}

/// Line boxes of a block container, for [`Flowed`](super::block). Positions are relative to the content box, in px.
#[derive(Default)]
pub(crate) struct LineBoxes {
    pub children: Vec<Child>,
    pub pending: Vec<Pending>,
    pub height: f32,
    pub baselines: Option<(f32, f32)>,
}

impl LineBoxes {
    /// Adds a line box. Returns its height, or `None` if it has no in-flow content: such a line
    /// takes no height (CSS 2.2, 9.4.2).
    fn line(&mut self, x: f32, y: f32, mut line: Fragment) -> Option<f32> {
        let mut pending = std::mem::take(&mut line.pending);
        pending.iter_mut().for_each(|pending| {
            pending.x += x;
            pending.y += y;
        });
        self.pending.append(&mut pending);
        if line.height <= 0.0 && line.children.is_empty() {
            return None;
        }
        let (height, baselines) = (line.height, line.baselines);
        self.children.push(Child {
            x,
            y,
            fragment: Rc::new(line),
        });
        // The baselines of the whole block are those of its first and its last line.
        let (baseline, _) = baselines?;
        let first = self.baselines.map_or(y + baseline, |known| known.0);
        self.baselines = Some((first, y + baseline));
        Some(height)
    }
}

/// Lines and floats that have been placed.
struct Placed<'f> {
    lines: LineBoxes,
    /// Floats of the block formatting context.
    floats: &'f mut Floats,
    /// Floats that did not fit beside the current line. They go below it.
    late: Vec<BoxId>,
}

/// Start and state of the next line.
struct Next {
    /// Top edge, from the content box.
    y: f32,
    /// Index of the line's first atom.
    start: usize,
    is_first: bool,
    /// Assumed height, which decides which floats are beside the line. At first it is the height of the strut.
    tall: f32,
}

impl Next {
    /// Start of the first line, which is assumed to be as high as the strut.
    fn new(tall: f32) -> Self {
        Self {
            y: 0.0,
            start: 0,
            is_first: true,
            tall,
        }
    }

    /// Returns whether a line that turned out higher than assumed meets a further float, which leaves less width than
    /// the line was filled for.
    fn has_less_room(&self, height: f32, width: f32, room: Room, floats: &Floats) -> bool {
        if height <= self.tall + TOLERANCE {
            return false;
        }
        let (left, right) = (room.origin.0, room.origin.0 + room.width);
        let (from, to) = floats.room(room.origin.1 + self.y, height, left, right);
        to - from + TOLERANCE < width
    }

    /// Moves below the floats that a `<br clear>` at the end of a line clears.
    fn clear(&mut self, last: &Atom, text: Text, floats: &Floats) {
        let info = text.info(last);
        if matches!(info.what, What::Break)
            && let Some(bottom) = floats.clear(text.inlines.spans[info.span].style.clear)
        {
            self.y = self.y.max(bottom - text.room.origin.1);
        }
    }
}

impl Engine<'_, '_> {
    /// Min-content and max-content width of an inline formatting context, in px.
    ///
    /// The min-content width is the widest part between break opportunities. The max-content width is the longest line
    /// with forced breaks only, plus all floats side by side.
    pub(super) fn lines_extent(&mut self, id: BoxId) -> Result<(f32, f32)> {
        let boxes = self.boxes;
        let super::tree::BoxContent::Lines(inlines) = &boxes.get(id).kind else {
            return Ok((0.0, 0.0));
        };
        let prepared = self.prepared(id, inlines, false)?;
        let style = self.style(id).clone();
        let indent = style.text.indent.of(0.0);
        // `part` is the width since the last opportunity, `line` the width since the last forced break. Spaces are
        // added only when something follows them.
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
            // Spaces at an opportunity hang, so they do not widen the part before the opportunity. At a word that may
            // break anywhere, the part so far is reduced to at most 1em, about the width of one letter.
            match atom.kind {
                AtomKind::Break => {
                    most = most.max(line);
                    (line, space, part) = (0.0, 0.0, 0.0);
                }
                AtomKind::Space { .. } if !keeps_spaces(own) => {
                    space += width;
                    part += if atom.may_end { 0.0 } else { width };
                }
                AtomKind::Tab => {
                    line = next_tab(line + space, prepared.tab);
                    space = 0.0;
                }
                AtomKind::Space { .. } | AtomKind::Word { .. } | AtomKind::Object => {
                    line += space + width;
                    space = 0.0;
                    part += narrow;
                    // A line that ends after the word may show a hyphen.
                    let mut hyphen = atom.hyphen_width();
                    if is_narrow(own) && matches!(atom.kind, AtomKind::Word { .. }) {
                        part = part.min(own.text.size);
                        hyphen = 0.0;
                    }
                    least = least.max(part + hyphen);
                }
            }
            if atom.may_end {
                part = 0.0;
            }
            most = most.max(line);
        }
        Ok((least.max(0.0), (most + floats).max(0.0)))
    }

    /// Lays out an inline formatting context: fills, aligns and stacks its lines.
    pub(crate) fn lines(
        &mut self,
        id: BoxId,
        inlines: &Inlines,
        room: Room,
        floats: &mut Floats,
    ) -> Result<LineBoxes> {
        let style = self.style(id).clone();
        let default = self.prepared(id, inlines, false)?;
        let first = inlines.first.as_ref();
        let special = first.map(|_| self.prepared(id, inlines, true));
        let special = special.transpose()?;
        // If the style of the first line shapes text into other atoms, indexes would not match, so
        // it is ignored.
        let mut special = special.filter(|own| own.atoms.len() == default.atoms.len());
        let mut prepared = special.as_ref().unwrap_or(&default).clone();
        let mut atoms = prepared.atoms.clone();
        let boxes = self.sized(&mut atoms, &prepared, inlines, room)?;
        let strut = self.strut(&style).1;
        let mut next = Next::new(strut);
        let mut placed = Placed {
            lines: LineBoxes::default(),
            floats,
            late: Vec::new(),
        };
        // Each round fills one line. If a float in the line makes the line narrower, or the line is higher than assumed
        // and meets a further float, the next round fills the same line again.
        while next.start < atoms.len() {
            self.step()?;
            let text = Text {
                prepared: &prepared,
                inlines,
                boxes: &boxes,
                block: &style,
                room,
            };
            let mut filled = self.fill_beside(&mut atoms, text, placed.floats, &mut next);
            if self.floats_beside(&mut atoms, text, &filled, &next, &mut placed)? {
                continue;
            }
            // Alignment changes the widths of atoms. A second attempt needs the old widths.
            let before =
                (!placed.floats.is_empty()).then(|| atoms[filled.start..filled.end].to_vec());
            for atom in &mut atoms[filled.start..filled.end] {
                if matches!(text.info(atom).what, What::Float(_)) {
                    atom.width = 0.0;
                }
            }
            // A line takes at least one atom, so that the loop ends.
            filled.end = filled.end.max(filled.start + 1);
            let line = self.line(&mut atoms, &filled, text)?;
            if let (Some((_, line)), Some(before)) = (&line, before)
                && next.has_less_room(line.height, filled.width, room, placed.floats)
            {
                next.tall = line.height;
                atoms[filled.start..filled.start + before.len()].clone_from_slice(&before);
                continue;
            }
            // The next line is again assumed to be as high as the strut.
            next.tall = strut;
            if let Some((x, line)) = line
                && let Some(height) = placed.lines.line(x, next.y, line)
            {
                next.y += height;
                self.reaches(next.y)?;
                next.is_first = false;
            }
            if let Some(last) = atoms[filled.start..filled.end].last() {
                next.clear(last, text, placed.floats);
            }
            // Floats that did not fit beside the line go below it.
            for float in std::mem::take(&mut placed.late) {
                let (x, top, fragment) = self.float(float, room, placed.floats, next.y)?;
                add(&mut placed.lines, x, top, fragment);
            }
            placed.floats.pass(room.origin.1 + next.y);
            next.start = filled.end;
            // The style of `::first-line` ends with the first line that has content.
            if !next.is_first && special.take().is_some() {
                as_usual(&mut atoms, &default, next.start);
                prepared = default.clone();
            }
        }
        placed.lines.height = next.y;
        // An outermost context is laid out once, so its prepared text would only take memory.
        if self.is_outermost() {
            self.prepared.remove(&(id, false));
            self.prepared.remove(&(id, true));
        }
        Ok(placed.lines)
    }

    /// Fills the next line, moving it down past floats until something fits beside them.
    fn fill_beside(
        &mut self,
        atoms: &mut Vec<Atom>,
        text: Text,
        floats: &Floats,
        next: &mut Next,
    ) -> Filled {
        let (left, right) = (text.room.origin.0, text.room.origin.0 + text.room.width);
        let indent = text.block.text.indent.of(text.room.width);
        loop {
            let top = text.room.origin.1 + next.y;
            let (from, to) = floats.room(top, next.tall, left, right);
            let mut line = Filled {
                start: next.start,
                end: next.start,
                left: from - left,
                width: to - from,
                indent: if next.is_first { indent } else { 0.0 },
                is_first: next.is_first,
            };
            let narrow = line.width + TOLERANCE < text.room.width;
            let end = self.fill(atoms, text.prepared, text.inlines, &mut line, narrow);
            next.start = line.start;
            if let Some(end) = end {
                line.end = end;
                return line;
            }
            // Below the last float nothing narrows the line. If a single atom is still too wide, it overflows.
            match floats.next_end(top) {
                Some(end) => next.y = end - text.room.origin.1,
                None => {
                    line.end = next.start + 1;
                    return line;
                }
            }
        }
    }

    /// Lays out the atomic inlines, and returns them by run. Sets the widths of objects and of the edges of inline
    /// boxes.
    fn sized(
        &mut self,
        atoms: &mut [Atom],
        prepared: &Prepared,
        inlines: &Inlines,
        room: Room,
    ) -> Result<Vec<Option<Rc<Fragment>>>> {
        let containing = room.containing();
        let mut boxes = vec![None; prepared.infos.len()];
        for atom in atoms {
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
        Ok(boxes)
    }

    /// Places the floats anchored in a line: beside the line if they fit or nothing precedes them, and otherwise below
    /// it, by adding them to [`Placed::late`]. Returns `true` if a float narrowed the line, which must then be filled
    /// again. Each float handled here is marked with a negative width.
    fn floats_beside(
        &mut self,
        atoms: &mut [Atom],
        text: Text,
        filled: &Filled,
        next: &Next,
        placed: &mut Placed<'_>,
    ) -> Result<bool> {
        let Placed {
            lines,
            floats,
            late,
        } = placed;
        let room = text.room;
        let containing = room.containing();
        let (top, left) = (room.origin.1 + next.y, room.origin.0);
        for at in filled.start..filled.end {
            let What::Float(float) = text.info(&atoms[at]).what else {
                continue;
            };
            // A float that was handled in an earlier attempt is skipped.
            if atoms[at].width < 0.0 {
                continue;
            }
            atoms[at].width = -1.0;
            let before = atoms[filled.start..at].iter();
            let used: f32 = before.map(|atom| atom.width.max(0.0)).sum();
            let needs = self.float_width(float, containing)?;
            // A float must not be placed higher than an earlier float (CSS 2.2, 9.5.1, rule 5), so after a late float
            // all others are late.
            let is_wide = used + filled.indent + needs > filled.width + TOLERANCE;
            if !late.is_empty() || is_wide && used > 0.0 {
                late.push(float);
                continue;
            }
            // Only a float that really narrows this line forces another attempt.
            let before = floats.room(top, next.tall, left, left + room.width);
            let (x, at, fragment) = self.float(float, room, floats, next.y)?;
            add(lines, x, at, fragment);
            if floats.room(top, next.tall, left, left + room.width) != before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Width of a float's margin box.
    fn float_width(&mut self, id: BoxId, containing: Containing) -> Result<f32> {
        let margin = margins(self.style(id), containing.width).map(|margin| margin.unwrap_or(0.0));
        let sides = margin[LEFT] + margin[RIGHT];
        let fragment = self.shrunk(id, containing, containing.width - sides, Role::Float)?;
        Ok(fragment.width + sides)
    }
}

/// Restores the text without `::first-line` after the first line. If the first line split a word, `atoms` is longer
/// than the default. The first atom after the line is then the rest of that word, and is left as it is.
fn as_usual(atoms: &mut [Atom], default: &Prepared, start: usize) {
    let parts = atoms.len() - default.atoms.len();
    let from = (start + parts.min(1)).min(atoms.len());
    let own = &default.atoms[from.saturating_sub(parts)..];
    for (atom, own) in atoms[from..].iter_mut().zip(own) {
        if !matches!(own.kind, AtomKind::Object) {
            *atom = own.clone();
        }
    }
}

/// Adds a float's fragment.
fn add(set: &mut LineBoxes, x: f32, y: f32, fragment: Rc<Fragment>) {
    let mut holder = Fragment::new(Made::Line, 0.0, 0.0);
    holder.add(x, y, fragment);
    set.pending.append(&mut holder.pending);
    set.children.append(&mut holder.children);
}

/// Width of an inline box's start or end edge (margin, border, padding) in px; 0 where a block divides the box, so that
/// it continues in another span.
pub(crate) fn edge(span: &super::tree::Span, side: usize, width: f32) -> f32 {
    let shown = if side == LEFT { span.begins } else { span.ends };
    if !shown {
        return 0.0;
    }
    let style = &span.style;
    margins(style, width)[side].unwrap_or(0.0)
        + style.border[side].width()
        + style.padding[side].of(width)
}
