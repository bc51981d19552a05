//! Text and boxes on lines (CSS 2.2, 9.4.2; CSS Text 3): from pieces to measured atoms, and from those to lines beside floats.
//!
//! Words are measured, and broken by UAX 14, by [`layout`](crate::document::layout); lines are filled here, because in CSS the room is
//! another one on each line, and white space, elements with padding and floats take part.

use super::{
    engine::{Containing, Engine},
    filling::{is_narrow, next_tab},
    floats::Floats,
    fragment::{Child, Fragment, Kind as Made, Pending, Role},
    runs::{Filled, Prepared, TOLERANCE, What},
    sizing::margins,
    tree::{BoxId, Inlines, keeps_spaces},
};
use crate::{
    document::{
        css::style::{LEFT, RIGHT},
        layout::atoms::{Atom, AtomKind},
    },
    error::Result,
};
use std::rc::Rc;

/// Where lines stand: the upper left corner among the floats, and the size of the content around.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) origin: (f32, f32),
    pub(super) width: f32,
    pub(super) height: Option<f32>,
}

impl Room {
    fn containing(&self) -> Containing {
        Containing {
            width: self.width,
            height: self.height,
        }
    }
}

/// Lines after layout.
pub(super) struct Set {
    pub(super) children: Vec<Child>,
    pub(super) pending: Vec<Pending>,
    pub(super) height: f32,
    pub(super) baselines: Option<(f32, f32)>,
}

impl Set {
    /// Adds what is on a line. Returns its height, unless nothing but what is placed by itself is on it.
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
        let (baseline, _) = baselines?;
        let first = self.baselines.map_or(y + baseline, |known| known.0);
        self.baselines = Some((first, y + baseline));
        Some(height)
    }
}

impl Engine<'_, '_> {
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
                    if is_narrow(own) && matches!(atom.kind, AtomKind::Word { .. }) {
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
        let containing = room.containing();
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
        let boxes = self.sized(&mut atoms, &prepared, inlines, room)?;
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
            let mut filled = filled;
            if self.floats_beside(
                &mut atoms,
                &prepared,
                &filled,
                (y, tall),
                room,
                floats,
                &mut set,
                &mut late,
            )? {
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
            if let Some((x, line)) = line
                && let Some(height) = set.line(x, y, line)
            {
                y += height;
                first = false;
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
                as_usual(&mut atoms, &usual, start);
                prepared = usual.clone();
                is_special = false;
            }
        }
        set.height = y;
        Ok(set)
    }

    /// The boxes that are set like letters, by run, once they are laid out; gives all objects their widths.
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

    /// Floats on a line that begins at `y` and is `tall`: beside it where there is room, otherwise `late`, below it. Returns whether
    /// there is less room for the line now.
    #[allow(clippy::too_many_arguments)]
    fn floats_beside(
        &mut self,
        atoms: &mut [Atom],
        prepared: &Prepared,
        filled: &Filled,
        (y, tall): (f32, f32),
        room: Room,
        floats: &mut Floats,
        set: &mut Set,
        late: &mut Vec<BoxId>,
    ) -> Result<bool> {
        let containing = room.containing();
        let (top, left) = (room.origin.1 + y, room.origin.0);
        for at in filled.start..filled.end {
            let What::Float(float) = prepared.infos[atoms[at].run].what else {
                continue;
            };
            if atoms[at].width < 0.0 {
                continue;
            }
            atoms[at].width = -1.0;
            let before = atoms[filled.start..at].iter();
            let used: f32 = before.map(|atom| atom.width.max(0.0)).sum();
            let needs = self.float_width(float, containing)?;
            if used + filled.indent + needs > filled.width + TOLERANCE && used > 0.0 {
                late.push(float);
                continue;
            }
            let before = floats.room(top, tall, left, left + room.width);
            let (x, at, fragment) = self.float(float, containing, floats, room.origin, y)?;
            add(set, x, at, fragment);
            if floats.room(top, tall, left, left + room.width) != before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn float_width(&mut self, id: BoxId, containing: Containing) -> Result<f32> {
        let margin = margins(self.style(id), containing.width).map(|margin| margin.unwrap_or(0.0));
        let sides = margin[LEFT] + margin[RIGHT];
        let fragment = self.shrunk(id, containing, containing.width - sides, Role::Float)?;
        Ok(fragment.width + sides)
    }
}

/// What follows the first line is measured as usual. A word that it broke has one part more.
fn as_usual(atoms: &mut [Atom], usual: &Prepared, start: usize) {
    let parts = atoms.len() - usual.atoms.len();
    let from = (start + parts.min(1)).min(atoms.len());
    let own = &usual.atoms[from.saturating_sub(parts)..];
    for (atom, own) in atoms[from..].iter_mut().zip(own) {
        if !matches!(own.kind, AtomKind::Object) {
            *atom = own.clone();
        }
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

/// The room of an element's edge: margin, border and padding.
pub(super) fn edge(span: &super::tree::Span, side: usize, width: f32) -> f32 {
    let shown = if side == LEFT { span.begins } else { span.ends };
    if !shown {
        return 0.0;
    }
    let style = &span.style;
    margins(style, width)[side].unwrap_or(0.0)
        + style.border[side].width()
        + style.padding[side].of(width)
}
