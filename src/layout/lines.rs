//! Breaks a paragraph into lines, and determines the position of everything on each line. Does not depend on pages.
//!
//! Each line takes as many atoms as fit, as in word processors, so that pages end where the author saw them end. Text
//! in both directions is reordered within a line (UAX 9, rule L2).

use super::{
    atoms::{Atom, AtomKind, Atoms},
    decoration::Drawing,
    faces::Faces,
    item::{Area, Item, SetNote},
    line_box::LineBox,
    line_extent::LineExtent,
    shape::{Shape, TAB, end_stop, tab},
    spans::{Run, RunKind, Spans},
};
use convertd_tree::{Alignment, Colour, LineHeight, Typesetter};
use std::rc::Rc;

/// Tolerance for rounding in the width of a line, in points.
const TOLERANCE: f32 = 0.02;

/// Farthest that text may run beyond the edge of its paragraph to a tab stop, in points: the usual margin of a page.
const MAX_BEYOND: f32 = 72.0;

/// A line after layout. Lengths are in points.
pub struct Line {
    pub height: f32,
    /// Distance of the baseline from the upper edge.
    pub baseline: f32,
    /// Part of the height that may overflow the page.
    pub spare: f32,
    pub items: Vec<Item>,
    pub notes: Vec<SetNote>,
}

/// Smallest and largest useful width of text, in points: the width of its widest unbreakable part with its hyphen, and
/// the width of its longest line if lines end only at mandatory breaks.
pub fn extent(atoms: &Atoms) -> (f32, f32) {
    let (mut least, mut part, mut most, mut line) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for atom in &atoms.atoms {
        match atom.kind {
            AtomKind::Break => line = 0.0,
            // Tabs advance to default tab stops here, because the paragraph's own tab stops are not known.
            AtomKind::Tab => line = (line / TAB).floor() * TAB + TAB,
            AtomKind::Space { .. } => line += atom.width,
            AtomKind::Word { .. } | AtomKind::Object => {
                line += atom.width;
                part += atom.width;
                least = least.max(part + atom.hyphen_width());
            }
        }
        if atom.may_end {
            part = 0.0;
        }
        most = most.max(line);
    }
    (least, most)
}

/// Breaks measured text into lines of the shape's width. Returns at least one line.
///
/// Beside exclusions, a line may have several parts. Each part is filled like a line of its own; then all of them are
/// placed on a common baseline.
pub fn set(spans: Spans, mut atoms: Atoms, shape: &Shape<'_>, faces: &mut Faces<'_>) -> Vec<Line> {
    let mut runs = spans.runs;
    let mut lines = Vec::new();
    let mut start = 0;
    let mut y = 0.0;
    // Number of successive lines, up to the latest one, that end with a hyphen.
    let mut hyphens = 0;
    loop {
        let first = start == 0;
        // Distance by which exclusions lower the line, and the parts of the line between them.
        let (down, parts) = shape.parts(y, first, faces);
        let mut line: Option<Line> = None;
        let (mut last, mut is_broken) = (false, false);
        for part in parts {
            let shape = &part;
            // The indent of the first line applies to its first part only.
            let indent = if first && line.is_none() {
                shape.first_line
            } else {
                0.0
            };
            let room = (shape.width - indent).max(1.0);
            let divides = shape.ladder.is_none_or(|most| hyphens < most);
            let Filled { end, head } = fill(&mut atoms.atoms, start, room, indent, shape, divides);
            last = end >= atoms.atoms.len();
            let here = &mut atoms.atoms[start..end];
            // If the line ends with a part of a divided word or with a hyphen, `tail` is that part or hyphen, which is
            // not an atom of the paragraph.
            let hyphen = hyphened(here).filter(|_| !last);
            hyphens = hyphen.as_ref().map_or(0, |_| hyphens.saturating_add(1));
            let tail = head.or(hyphen);
            let mut with_tail = Vec::new();
            let here = match tail {
                Some(tail) => {
                    with_tail.extend_from_slice(here);
                    with_tail.push(tail);
                    &mut with_tail[..]
                }
                None => here,
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
            is_broken = ended;
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
        // A line break at the end of a paragraph is followed by an empty line in word processors only.
        if last && !(is_broken && shape.typesetter != Typesetter::Own) {
            return lines;
        }
    }
}

impl Line {
    /// Unites two parts of a line, on both sides of an exclusion, on a common baseline.
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

    /// Adds space above the line.
    fn lower(&mut self, by: f32) {
        if by > 0.0 {
            self.items.iter_mut().for_each(|item| item.shift(0.0, by));
            self.height += by;
            self.baseline += by;
        }
    }
}

impl Shape<'_> {
    /// Distance by which a line at `y` has to move down, and its parts between the exclusions.
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
        let (down, free) = around.room(y, self.plain_height(faces), edges);
        let mut parts: Vec<Shape<'_>> = free.into_iter().map(part).collect();
        // A hanging first line extends to the left as far as no exclusion is there.
        if let Some(first) = parts.first_mut().filter(|_| indent < 0.0) {
            first.first_line = match first.left == edges.0 {
                true => indent,
                false => (first.left - self.left).min(0.0),
            };
            first.left -= first.first_line;
            first.width += first.first_line;
        }
        (down, parts)
    }

    /// Height of a line of plain text.
    pub(crate) fn plain_height(&self, faces: &mut Faces<'_>) -> f32 {
        LineBox::of(&[], &[], self, None, faces).height
    }
}

/// Atoms that fit on a line.
struct Filled {
    /// Index of the first atom after them.
    end: usize,
    /// First part of a word that was divided at the end of the line. The atom at `end` is the remainder of that word.
    head: Option<Atom>,
}

/// Fills the line that begins with atom `start`, up to the last break opportunity that fits. Without one, the word that
/// does not fit is divided if possible. `room` is the width of the line without `indent`. If `divides` is false, the
/// line ends with a hyphen only if it does not contain the end of a word.
fn fill(
    atoms: &mut [Atom],
    start: usize,
    room: f32,
    indent: f32,
    shape: &Shape<'_>,
    divides: bool,
) -> Filled {
    let whole = |end| Filled { end, head: None };
    let (edge, mut room) = (room, room);
    let (mut x, mut end) = (0.0, None);
    // Right edge of the last word or object, and the width that is free after the last whole word; infinite without a
    // whole word.
    let (mut seen, mut rest) = (0.0, f32::INFINITY);
    let mut at = start;
    while at < atoms.len() {
        match atoms[at].kind {
            AtomKind::Break => return whole(at + 1),
            AtomKind::Tab => {
                if shape.typesetter == Typesetter::Word
                    && let Some(stop) = end_stop(x + indent, shape)
                {
                    room = room.max((stop - indent).min(edge + MAX_BEYOND));
                }
                let width = tab(&atoms[at + 1..], x + indent, shape).0;
                // A tab that leads beyond the edge goes to the next line, unless the tab is the first atom of this
                // line.
                if x + width > room + TOLERANCE && at > start {
                    return whole(end.unwrap_or(at));
                }
                atoms[at].width = width;
                x += width;
            }
            AtomKind::Space { .. } => x += atoms[at].width,
            AtomKind::Word { .. } | AtomKind::Object => {
                let width = atoms[at].width;
                // If the atom does not fit, the line ends at the last opportunity before the atom. Without an
                // opportunity, the atom is divided. If it cannot be divided, it goes to the next line, unless it is the
                // first atom of this line.
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
                seen = x;
            }
        }
        // A soft hyphen is an opportunity only if the hyphen fits, too, and if the line would be too short otherwise. A
        // line without the end of a word has to end with a hyphen, and takes as many syllables as fit.
        let is_end = match &atoms[at].hyphen {
            Some((_, width)) => {
                let is_wanted = rest.is_infinite() || divides && rest > shape.zone;
                is_wanted && x + width <= room + TOLERANCE
            }
            None => {
                if atoms[at].may_end {
                    rest = room - seen;
                }
                true
            }
        };
        if atoms[at].may_end && is_end {
            end = Some(at + 1);
        }
        at += 1;
    }
    whole(atoms.len())
}

/// The hyphen at the end of a line that ends within a word.
pub fn hyphened(line: &[Atom]) -> Option<Atom> {
    let last = line.last()?;
    let (AtomKind::Word { pen, .. }, Some((word, width))) = (&last.kind, &last.hyphen) else {
        return None;
    };
    Some(Atom {
        kind: AtomKind::Word {
            word: word.clone(),
            pen: *pen,
        },
        width: *width,
        hyphen: None,
        ..last.clone()
    })
}

/// Divides a word: returns the part that fits into `room` points, and leaves the remainder in `atom`. `others` is true
/// if other content precedes the word on its line; otherwise the part has at least one cluster. `None` if the word was
/// not divided.
fn split(atom: &mut Atom, room: f32, others: bool) -> Option<Atom> {
    let AtomKind::Word { word, pen } = &atom.kind else {
        return None;
    };
    let pen = *pen;
    let scale = pen.unit();
    // Only whole clusters fit, so that marks stay with their letters.
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
        hyphen: None,
        kind: AtomKind::Word {
            word: Rc::new(head),
            pen,
        },
        may_end: true,
        ..atom.clone()
    };
    atom.width = tail.advance as f32 * scale;
    atom.kind = AtomKind::Word {
        word: Rc::new(tail),
        pen,
    };
    Some(head)
}

/// Placement of the atoms of one line. Lengths are in points.
struct Placing<'a> {
    shape: &'a Shape<'a>,
    /// Whether the base direction of the paragraph is right-to-left.
    backwards: bool,
    /// Indent of the line.
    indent: f32,
    /// Width of the line without the indent.
    room: f32,
    /// Ascent and descent of the label in front of the line.
    label: Option<LineExtent>,
    /// Whether spaces are widened until the line is full.
    justified: bool,
}

impl Placing<'_> {
    /// Places atoms on a common baseline, in visual order and aligned, and paints them.
    fn line(&self, atoms: &mut [Atom], runs: &mut [Run], faces: &mut Faces<'_>) -> Line {
        // White space at the end of a line is not counted in the width of the line.
        let seen = atoms
            .iter()
            .rposition(|atom| !matches!(atom.kind, AtomKind::Space { .. } | AtomKind::Break));
        let seen = seen.map_or(0, |at| at + 1);
        self.spread(&mut atoms[..seen]);
        let used: f32 = atoms[..seen].iter().map(|atom| atom.width).sum();
        // Free width of the line, and the share of it that is to the left of the text.
        let slack = (self.room - used).max(0.0);
        let is_shown = |atom: &Atom| matches!(&runs[atom.run].kind, RunKind::Formula(formula) if formula.display);
        // A displayed formula is centred, whatever the alignment of its paragraph.
        let alignment = match atoms[..seen].iter().any(is_shown) {
            true => Alignment::Centre,
            false => self.shape.alignment,
        };
        let part = match (alignment, self.backwards) {
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
        drawing.frames(seen);
        drawing.emphasis();
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
        // Spaces before a tab keep their width, because the text after them would otherwise leave its tab stop.
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

/// Returns the left edge of each atom, after arranging the atoms in visual order (UAX 9, rules L1 and L2). Atoms after
/// the first `seen` ones are invisible, and all have the position of the line's end.
pub fn order(atoms: &[Atom], seen: usize, left: f32, backwards: bool) -> Vec<f32> {
    let base = u8::from(backwards);
    let mut order: Vec<usize> = (0..seen).collect();
    let level = |at: usize| match atoms[at].kind {
        // L1: tabs have the level of the paragraph.
        AtomKind::Tab => base,
        _ => atoms[at].level,
    };
    let highest = order.iter().map(|at| level(*at)).max().unwrap_or(0);
    // L2: for each level from the highest down to 1, sequences of atoms at that level or above are
    // reversed.
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

/// A horizontal rule, as high as a line of text.
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

/// Line height of paragraphs without a style: 12 % more than the font states.
pub(crate) fn default_line_height() -> LineHeight {
    LineHeight::Percent(112)
}

#[cfg(test)]
mod tests;
