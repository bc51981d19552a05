//! Paints a line when the positions of its content are known: backgrounds, words, underlines and strikeouts, leaders of
//! tabs, pictures and links.

use super::{
    atoms::{Atom, AtomKind},
    face::Joining,
    faces::Faces,
    item::{Area, Item, Owner, Pen, SetNote},
    ornaments,
    shape::{Shape, tab},
    spans::{Run, RunKind},
    text_format::TextFormat,
};
use convertd_tree::Underline;
use std::ops::Range;

/// A line while it is painted. Lengths are in points, from the left edge of the column and the top
/// of the line.
pub struct Drawing<'a, 'f> {
    /// The result, from back to front.
    pub items: Vec<Item>,
    pub atoms: &'a [Atom],
    /// All runs of the paragraph.
    pub runs: &'a mut [Run],
    /// Range of the runs that the atoms of this line belong to.
    pub(crate) runs_here: Range<usize>,
    /// Left edge of each atom.
    pub places: &'a [f32],
    /// Distance of the baseline from the top of the line.
    pub baseline: f32,
    pub height: f32,
    pub faces: &'a mut Faces<'f>,
}

impl Drawing<'_, '_> {
    /// Joins neighbouring atoms whose runs are the `same`. Returns for each stretch of joined atoms the index of its
    /// first run, and the left and right edges of the stretch. `seen` is the number of atoms before the white space at
    /// the end of the line.
    ///
    /// Atoms are in logical order, so a right-to-left stretch grows to the left.
    fn stretches(&self, seen: usize, same: impl Fn(&Run, &Run) -> bool) -> Vec<(usize, f32, f32)> {
        self.stretches_without(seen, |_, _| false, same)
    }

    /// Joins neighbouring atoms as [`stretches`](Self::stretches) does, without the atoms for which `gap` returns true.
    fn stretches_without(
        &self,
        seen: usize,
        gap: impl Fn(&Atom, &Run) -> bool,
        same: impl Fn(&Run, &Run) -> bool,
    ) -> Vec<(usize, f32, f32)> {
        let mut stretches: Vec<(usize, f32, f32)> = Vec::new();
        for (atom, x) in self.atoms[..seen].iter().zip(self.places) {
            if gap(atom, &self.runs[atom.run]) {
                continue;
            }
            let (left, right) = (*x, x + atom.width);
            if let Some((run, from, to)) = stretches.last_mut()
                && same(&self.runs[*run], &self.runs[atom.run])
                && (left - *to).abs().min((right - *from).abs()) < 0.05
            {
                *from = from.min(left);
                *to = to.max(right);
                continue;
            }
            stretches.push((atom.run, left, right));
        }
        stretches
    }

    /// Paints backgrounds of text.
    pub fn backgrounds(&mut self, seen: usize) {
        if self.runs[self.runs_here.clone()]
            .iter()
            .all(|run| run.text_format.background.is_none())
        {
            return;
        }
        let same = |a: &Run, b: &Run| {
            a.text_format.background == b.text_format.background
                && a.text_format.raised == b.text_format.raised
        };
        for (run, from, to) in self.stretches(seen, same) {
            let text_format = &self.runs[run].text_format;
            if let Some(colour) = text_format.background {
                let area = self.text_box(text_format, from, to);
                self.items.push(Item::Fill { area, colour });
            }
        }
    }

    /// Paints the words. Neighbours with the same pen, baseline and element become one item.
    pub fn words(&mut self) {
        for (atom, x) in self.atoms.iter().zip(self.places) {
            let (AtomKind::Word { word, pen } | AtomKind::Space { word, pen }) = &atom.kind else {
                continue;
            };
            let run = &self.runs[atom.run];
            let at = self.baseline - run.text_format.raised;
            if let Some(Item::Text {
                pen: before,
                y,
                words,
                belongs,
            }) = self.items.last_mut()
                && before == pen
                && *y == at
                && *belongs == Owner::To(run.node)
            {
                words.push((*x, word.clone()));
                continue;
            }
            self.items.push(Item::Text {
                pen: *pen,
                y: at,
                words: vec![(*x, word.clone())],
                belongs: Owner::To(run.node),
            });
        }
    }

    /// Paints underlines and strikeouts as filled rectangles. `seen` is the number of atoms before the white space at
    /// the end of the line.
    pub fn rules(&mut self, seen: usize) {
        for strike in [false, true] {
            let wanted = |text_format: &TextFormat| {
                if strike {
                    text_format.strike
                } else {
                    text_format.underline
                }
            };
            // The underline of single words has gaps at spaces.
            let is_gap = |atom: &Atom, run: &Run| {
                !strike && run.text_format.line.words && matches!(atom.kind, AtomKind::Space { .. })
            };
            if !self.runs[self.runs_here.clone()]
                .iter()
                .any(|run| wanted(&run.text_format))
            {
                continue;
            }
            let same = |a: &Run, b: &Run| {
                wanted(&a.text_format) == wanted(&b.text_format)
                    && a.text_format.colour == b.text_format.colour
                    && (strike || a.text_format.line == b.text_format.line)
            };
            for (run, from, to) in self.stretches_without(seen, is_gap, same) {
                let text_format = &self.runs[run].text_format;
                if !wanted(text_format) {
                    continue;
                }
                // Thickness and positions as in common fonts; the values in the font are not used.
                let thick = (text_format.size / 18.0).max(0.4);
                let y = self.baseline - text_format.raised
                    + if strike {
                        -0.29 * text_format.size
                    } else {
                        0.11 * text_format.size
                    };
                let area = Area {
                    x: from,
                    y,
                    width: to - from,
                    height: thick,
                };
                let line = match strike {
                    true => Underline::default(),
                    false => text_format.line,
                };
                self.items
                    .extend(ornaments::underline(area, line, text_format.colour));
            }
        }
    }

    /// Paints the borders of text.
    pub fn frames(&mut self, seen: usize) {
        let runs = &self.runs[self.runs_here.clone()];
        if runs.iter().all(|run| run.text_format.border.is_none()) {
            return;
        }
        for (run, from, to) in
            self.stretches(seen, |a, b| a.text_format.border == b.text_format.border)
        {
            let text_format = &self.runs[run].text_format;
            if let Some(border) = text_format.border {
                let area = self.text_box(text_format, from, to);
                self.items.extend(ornaments::frame(area, border));
            }
        }
    }

    /// Paints the emphasis marks of letters. Spaces and punctuation have no emphasis marks.
    pub fn emphasis(&mut self) {
        for (atom, left) in self.atoms.iter().zip(self.places) {
            let text_format = &self.runs[atom.run].text_format;
            let (AtomKind::Word { word, pen }, Some(mark)) = (&atom.kind, text_format.emphasis)
            else {
                continue;
            };
            let mut x = *left;
            let baseline = self.baseline - text_format.raised;
            // In visual order, a word from right to left begins with its last letter.
            let mut clusters = word.clusters();
            if atom.level % 2 == 1 {
                clusters.reverse();
            }
            for cluster in clusters {
                let width = pen.width(&cluster);
                if cluster.text.chars().any(char::is_alphanumeric) {
                    let middle = (x + width / 2.0, baseline);
                    let colour = text_format.colour;
                    let item = ornaments::emphasis(mark, middle, text_format.size, colour);
                    self.items.push(item);
                }
                x += width;
            }
        }
    }

    /// The box of text: 0.9 em above the baseline and 0.25 em below it, for any font.
    fn text_box(&self, text_format: &TextFormat, from: f32, to: f32) -> Area {
        Area {
            x: from,
            y: self.baseline - text_format.raised - 0.9 * text_format.size,
            width: to - from,
            height: 1.15 * text_format.size,
        }
    }

    /// Paints the leaders of tabs, such as dots in a table of contents.
    ///
    /// Finds again the tab stop to which each tab leads, and repeats the leader of that stop in the gap.
    pub fn leaders(&mut self, shape: &Shape<'_>, seen: usize) {
        if shape.tabs.iter().all(|stop| stop.leader.is_none()) {
            return;
        }
        for at in 0..seen {
            let atom = &self.atoms[at];
            if !matches!(atom.kind, AtomKind::Tab) {
                continue;
            }
            let x = self.places[at] - shape.left;
            let (_, Some(leader)) = tab(&self.atoms[at + 1..], x, shape) else {
                continue;
            };
            let text_format = self.runs[atom.run].text_format.clone();
            let Some(chosen) = self.faces.choose(text_format.family, false, false) else {
                continue;
            };
            let text = leader.encode_utf8(&mut [0; 4]).to_owned();
            let word = self.faces.word(chosen, &text, false, Joining::FINE, None);
            let pen = Pen::new(chosen, &text_format, self.faces);
            let width = pen.width(&word);
            if width < 0.2 {
                continue;
            }
            // Leaders are aligned across lines: positions are multiples of the leader's width from
            // the column's edge.
            let first = (self.places[at] / width).ceil() as i32 + 1;
            let last = ((self.places[at] + atom.width) / width).floor() as i32 - 1;
            // At most 2000 signs are drawn, even if they are very narrow.
            let words =
                (first..last.min(first + 2000)).map(|nth| (nth as f32 * width, word.clone()));
            self.items.push(Item::Text {
                pen,
                y: self.baseline,
                words: words.collect(),
                belongs: Owner::Layout,
            });
        }
    }

    /// Adds pictures, link destinations, notes, and the active areas of links. Returns all items of
    /// the line, and its notes.
    pub fn objects(mut self) -> (Vec<Item>, Vec<SetNote>) {
        let mut notes = Vec::new();
        for (atom, x) in self.atoms.iter().zip(self.places) {
            if !matches!(atom.kind, AtomKind::Object) {
                continue;
            }
            let run = &mut self.runs[atom.run];
            match &mut run.kind {
                RunKind::Picture {
                    number,
                    width,
                    height,
                    over,
                } => {
                    let y = self.baseline - run.text_format.raised - *height;
                    let area = Area {
                        x: *x,
                        y,
                        width: *width,
                        height: *height,
                    };
                    let belongs = Owner::To(run.node);
                    self.items.push(Item::Picture {
                        area,
                        number: *number,
                        belongs,
                    });
                    // Texts over the drawing are relative to its upper left corner.
                    for mut item in over.drain(..) {
                        item.shift(*x, y);
                        self.items.push(item);
                    }
                }
                RunKind::Formula(formula) => {
                    let y = self.baseline - run.text_format.raised;
                    // Items of a formula are relative to the beginning of its baseline.
                    for mut item in formula.items.drain(..) {
                        item.shift(*x, y);
                        self.items.push(item);
                    }
                }
                RunKind::Anchor(name) => self.items.push(Item::Anchor {
                    name: name.clone(),
                    y: 0.0,
                }),
                RunKind::Note(set) => notes.append(set),
                RunKind::Text | RunKind::Break => {}
            }
        }
        // Neighbouring atoms of one link share an area.
        let links = self.stretches(self.atoms.len(), |a, b| a.link == b.link);
        for (run, from, to) in links {
            if let Some(link) = self.runs[run].link.filter(|_| to - from > 0.1) {
                let area = Area {
                    x: from,
                    y: 0.0,
                    width: to - from,
                    height: self.height,
                };
                self.items.push(Item::Link { area, link });
            }
        }
        (self.items, notes)
    }
}
