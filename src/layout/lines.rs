//! Breaks a paragraph into lines, and places everything on each line. Knows nothing of pages.
//!
//! Lines are filled one after another, each as far as possible, as word processors do it, so that pages end where the author saw them
//! end. Lines with text in both directions are reordered by UAX 9 (rule L2).

use super::{
    atoms::{Atom, AtomKind, Atoms},
    decoration::Drawing,
    faces::Faces,
    item::{Area, Item, SetNote},
    line_box::LineBox,
    reach::Reach,
    shape::{Shape, TAB, tab},
    spans::{Run, Spans},
};
use convertd_tree::{Alignment, Colour, LineHeight};
use std::rc::Rc;

/// The excess that a line may have, in points, to allow for rounding.
const TOLERANCE: f32 = 0.02;

/// A line after layout.
pub struct Line {
    pub height: f32,
    /// The distance of the base line from the upper edge.
    pub baseline: f32,
    /// Part of the height that may hang out of a page.
    pub spare: f32,
    pub items: Vec<Item>,
    pub notes: Vec<SetNote>,
}

/// The least and the largest useful width of text: that of its widest unbreakable part, and that of its longest line if none is
/// broken.
pub fn extent(atoms: &Atoms) -> (f32, f32) {
    let (mut least, mut part, mut most, mut line) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for atom in &atoms.atoms {
        match atom.kind {
            AtomKind::Break => line = 0.0,
            AtomKind::Tab => line = (line / TAB).floor() * TAB + TAB,
            AtomKind::Space { .. } => line += atom.width,
            AtomKind::Word { .. } | AtomKind::Object => {
                line += atom.width;
                part += atom.width;
                least = least.max(part);
            }
        }
        if atom.may_end {
            part = 0.0;
        }
        most = most.max(line);
    }
    (least, most)
}

/// Breaks runs of text, measured, into lines of the width that the shape has; at least one.
pub fn set(spans: Spans, mut atoms: Atoms, shape: &Shape<'_>, faces: &mut Faces<'_>) -> Vec<Line> {
    let mut runs = spans.runs;
    let mut lines = Vec::new();
    let mut start = 0;
    let mut y = 0.0;
    loop {
        let first = start == 0;
        let (down, parts) = shape.parts(y, first, faces);
        let mut line: Option<Line> = None;
        let mut last = false;
        for part in parts {
            let shape = &part;
            // A part that hangs out, or is set in, is the first of the paragraph.
            let indent = if first && line.is_none() {
                shape.first_line
            } else {
                0.0
            };
            let room = (shape.width - indent).max(1.0);
            let Filled { end, head } = fill(&mut atoms.atoms, start, room, indent, shape);
            last = end >= atoms.atoms.len();
            let mut with_head = Vec::new();
            let here = match head {
                Some(head) => {
                    with_head.extend_from_slice(&atoms.atoms[start..end]);
                    with_head.push(head);
                    &mut with_head[..]
                }
                None => &mut atoms.atoms[start..end],
            };
            let ended = here
                .last()
                .is_some_and(|atom| matches!(atom.kind, AtomKind::Break));
            let place = Placing {
                shape,
                backwards: atoms.backwards,
                indent,
                room,
                label: shape.label.filter(|_| first && line.is_none()),
                justified: shape.alignment == Alignment::Justify && !last && !ended,
            };
            let set = place.line(here, &mut runs, faces);
            line = Some(match line {
                Some(line) => line.beside(set),
                None => set,
            });
            start = end;
            if last || ended {
                break;
            }
        }
        if let Some(mut line) = line {
            line.lower(down);
            y += line.height;
            lines.push(line);
        }
        // A line end at the end of a paragraph ends a line, and does not begin another one.
        if last {
            return lines;
        }
    }
}

impl Line {
    /// Both on one base line: the parts of a line on two sides of a frame.
    fn beside(mut self, mut other: Self) -> Self {
        let baseline = self.baseline.max(other.baseline);
        let below = (self.height - self.baseline).max(other.height - other.baseline);
        let mut parts = [&mut self, &mut other];
        for part in &mut parts {
            part.lower(baseline - part.baseline);
        }
        self.height = baseline + below;
        self.spare = self.spare.min(other.spare);
        self.items.append(&mut other.items);
        self.notes.append(&mut other.notes);
        self
    }

    /// Adds room above.
    fn lower(&mut self, by: f32) {
        if by > 0.0 {
            self.items.iter_mut().for_each(|item| item.shift(0.0, by));
            self.height += by;
            self.baseline += by;
        }
    }
}

impl Shape<'_> {
    /// The parts of a line that begins at `y`, with what is beside them left out, and how much further down it begins.
    fn parts(&self, y: f32, first: bool, faces: &mut Faces<'_>) -> (f32, Vec<Shape<'_>>) {
        let part = |(left, width)| Shape {
            left,
            width,
            ..*self
        };
        let Some(around) = self.around else {
            return (0.0, vec![part((self.left, self.width))]);
        };
        let indent = if first { self.first_line.min(0.0) } else { 0.0 };
        let edges = (self.left + indent, self.left + self.width);
        let (down, mut free) = around.room(y, self.plain_height(faces), edges);
        // Only the very edge leaves room for what hangs out.
        if let Some((left, width)) = free.first_mut().filter(|(left, _)| *left == edges.0) {
            *left -= indent;
            *width += indent;
        }
        (down, free.into_iter().map(part).collect())
    }

    /// Height of a line of plain text.
    pub(crate) fn plain_height(&self, faces: &mut Faces<'_>) -> f32 {
        LineBox::of(&[], &[], self, None, faces).height
    }
}

/// Content that fits on a line.
struct Filled {
    /// The number of the first atom after it.
    end: usize,
    /// The part of a word that stands at its end; the rest of that word is the atom at `end`.
    head: Option<Atom>,
}

/// Fills the line that begins with atom `start`.
fn fill(atoms: &mut [Atom], start: usize, room: f32, indent: f32, shape: &Shape<'_>) -> Filled {
    let whole = |end| Filled { end, head: None };
    let (mut x, mut end) = (0.0, None);
    let mut at = start;
    while at < atoms.len() {
        match atoms[at].kind {
            AtomKind::Break => return whole(at + 1),
            AtomKind::Tab => {
                let width = tab(&atoms[at + 1..], x + indent, shape).0;
                // A tab that leads beyond the edge ends the line, unless it stands first.
                if x + width > room + TOLERANCE && at > start {
                    return whole(end.unwrap_or(at));
                }
                atoms[at].width = width;
                x += width;
            }
            AtomKind::Space { .. } => x += atoms[at].width,
            AtomKind::Word { .. } | AtomKind::Object => {
                let width = atoms[at].width;
                if x + width > room + TOLERANCE && x + width > 0.0 {
                    if let Some(end) = end {
                        return whole(end);
                    }
                    let head = split(&mut atoms[at], room - x, at > start);
                    let end = match head {
                        Some(_) => at,
                        None => at.max(start + 1),
                    };
                    return Filled { end, head };
                }
                x += width;
            }
        }
        if atoms[at].may_end {
            end = Some(at + 1);
        }
        at += 1;
    }
    whole(atoms.len())
}

/// Takes as much off the front of a word as has room, if anything has. `others` says that something stands in front of it on
/// the line.
fn split(atom: &mut Atom, room: f32, others: bool) -> Option<Atom> {
    let AtomKind::Word { word, pen } = &atom.kind else {
        return None;
    };
    let pen = *pen;
    let scale = pen.unit();
    let fits = word.fitting(room / scale);
    if fits == 0 || fits >= word.text.len() {
        return None;
    }
    let (head, tail) = word.split(fits);
    let width = head.advance as f32 * scale;
    if head.glyphs.is_empty() || tail.glyphs.is_empty() || (others && width > room) {
        return None;
    }
    let head = Atom {
        width,
        kind: AtomKind::Word {
            word: Rc::new(head),
            pen,
        },
        may_end: true,
        ..*atom
    };
    atom.width = tail.advance as f32 * scale;
    atom.kind = AtomKind::Word {
        word: Rc::new(tail),
        pen,
    };
    Some(head)
}

struct Placing<'a> {
    shape: &'a Shape<'a>,
    backwards: bool,
    indent: f32,
    room: f32,
    /// Extent of the label in front of the line.
    label: Option<Reach>,
    justified: bool,
}

impl Placing<'_> {
    fn line(&self, atoms: &mut [Atom], runs: &mut [Run], faces: &mut Faces<'_>) -> Line {
        let seen = atoms
            .iter()
            .rposition(|atom| !matches!(atom.kind, AtomKind::Space { .. } | AtomKind::Break));
        let seen = seen.map_or(0, |at| at + 1);
        self.spread(&mut atoms[..seen]);
        let used: f32 = atoms[..seen].iter().map(|atom| atom.width).sum();
        let slack = (self.room - used).max(0.0);
        let part = match (self.shape.alignment, self.backwards) {
            (Alignment::Centre, _) => 0.5,
            (Alignment::End, false) | (Alignment::Start | Alignment::Justify, true) => 1.0,
            (Alignment::End, true) | (Alignment::Start | Alignment::Justify, false) => 0.0,
        };
        // The indent of the first line is at the side where reading begins.
        let left = self.shape.left + if self.backwards { 0.0 } else { self.indent };
        let places = order(atoms, seen, left + slack * part, self.backwards);
        let LineBox {
            height,
            baseline,
            spare,
        } = LineBox::of(atoms, runs, self.shape, self.label, faces);
        let runs_here = match (atoms.first(), atoms.last()) {
            (Some(first), Some(last)) => first.run..last.run + 1,
            _ => 0..0,
        };
        let mut drawing = Drawing {
            items: Vec::new(),
            atoms,
            runs,
            runs_here,
            places: &places,
            baseline,
            height,
            faces,
        };
        drawing.backgrounds(seen);
        drawing.words();
        drawing.rules(seen);
        drawing.leaders(self.shape, seen);
        let (items, notes) = drawing.objects();
        Line {
            height,
            baseline,
            spare,
            items,
            notes,
        }
    }

    /// Widens the spaces of a justified line, but only after its last tab.
    fn spread(&self, atoms: &mut [Atom]) {
        if !self.justified {
            return;
        }
        let used: f32 = atoms.iter().map(|atom| atom.width).sum();
        let from = atoms
            .iter()
            .rposition(|atom| matches!(atom.kind, AtomKind::Tab))
            .map_or(0, |at| at + 1);
        let is_space = |atom: &&mut Atom| matches!(atom.kind, AtomKind::Space { .. });
        let spaces = atoms[from..].iter_mut().filter(is_space).count();
        if spaces == 0 || used >= self.room {
            return;
        }
        let more = (self.room - used) / spaces as f32;
        for space in atoms[from..].iter_mut().filter(is_space) {
            space.width += more;
        }
    }
}

/// Left edge of each atom. Atoms after the first `seen` ones are invisible, and take no room.
pub fn order(atoms: &[Atom], seen: usize, left: f32, backwards: bool) -> Vec<f32> {
    let base = u8::from(backwards);
    let mut order: Vec<usize> = (0..seen).collect();
    let level = |at: usize| match atoms[at].kind {
        // UAX 9, L1: tabs go with the paragraph.
        AtomKind::Tab => base,
        _ => atoms[at].level,
    };
    let highest = order.iter().map(|at| level(*at)).max().unwrap_or(0);
    // L2: from the highest level down to the lowest odd one, whatever stands at that level or above is turned around.
    for turned in (1..=highest).rev() {
        let mut at = 0;
        while at < order.len() {
            let run = order[at..]
                .iter()
                .take_while(|one| level(**one) >= turned)
                .count();
            order[at..at + run].reverse();
            at += run.max(1);
        }
    }
    let mut places = vec![0.0; atoms.len()];
    let mut x = left;
    for at in order {
        places[at] = x;
        x += atoms[at].width;
    }
    let end = if backwards { left } else { x };
    places[seen..].fill(end);
    places
}

/// A line across, as high as a line of text.
pub fn rule(left: f32, width: f32, colour: Colour) -> Line {
    let area = Area {
        x: left,
        y: 5.6,
        width,
        height: 0.75,
    };
    Line {
        spare: 0.0,
        height: 12.0,
        baseline: 6.0,
        items: vec![Item::Fill { area, colour }],
        notes: Vec::new(),
    }
}

/// The height of lines without a style: a little more than the font asks for.
pub(crate) fn airy() -> LineHeight {
    LineHeight::Percent(112)
}
