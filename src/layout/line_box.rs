//! Height of a line, and its baseline. Breaks no lines.
//!
//! Every run on a line reaches above and below its base line as far as its font says, whatever letters it has; the highest and the
//! lowest of them make the line. Programs agree so far. What a paragraph wants beyond that they put in different places, and Word
//! rounds: measured on 4,000 lines of its own PDFs, ascent and descent are each rounded to a twentieth of a point, and what a multiple
//! of the single spacing adds is below the text, but for pictures, which are not multiplied. LibreOffice rounds nothing, but puts it
//! there, too, and text on a line of a height of its own at four fifths of that (measured on its own PDFs).

use super::{
    atoms::{Atom, AtomKind},
    faces::Faces,
    reach::Reach,
    shape::Shape,
    spans::{Run, RunKind},
    units::points,
};
use crate::fonts::scripts;
use convertd_tree::{LineHeight, Typesetter};

/// A line without what stands on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LineBox {
    pub height: f32,
    /// The distance of the base line from the upper edge.
    pub baseline: f32,
    /// Part of the height that a line-spacing multiple adds below the text; it may hang out of a page.
    pub spare: f32,
}

impl LineBox {
    pub(crate) fn of(
        atoms: &[Atom],
        runs: &[Run],
        shape: &Shape<'_>,
        label: Option<Reach>,
        faces: &mut Faces<'_>,
    ) -> Self {
        let mut text = Reach::default();
        let mut pictures: Option<Reach> = None;
        for atom in atoms {
            let run = &runs[atom.run];
            match (&atom.kind, &run.kind) {
                (AtomKind::Object, RunKind::Picture { height, .. }) => {
                    pictures.get_or_insert_default().include(Reach {
                        above: *height + run.look.raised,
                        below: -run.look.raised,
                    });
                }
                (AtomKind::Object, _) => {}
                (AtomKind::Word { pen, word }, _)
                    if shape.typesetter == Typesetter::Word && is_east_asian(&word.text) =>
                {
                    text.include(Reach::of_east_asian(faces, *pen, &run.look));
                }
                (AtomKind::Word { pen, .. } | AtomKind::Space { pen, .. }, _) => {
                    text.include(Reach::of(faces, *pen, run.look.raised, shape.typesetter));
                }
                (AtomKind::Tab | AtomKind::Break, _) => {}
            }
        }
        // A line of which only its end is seen is as high as text would be there.
        let mark = Reach::of_look(faces, shape.look, shape.typesetter);
        let is_empty = text == Reach::default();
        if is_empty && pictures.is_none() {
            text = mark;
        }
        text.include(label.unwrap_or_default());
        let single = if is_empty {
            mark.height()
        } else {
            text.height()
        };
        Self::around(text, pictures, single, shape)
    }

    /// Around text and pictures that reach so far. A multiple is one of the height of the text, `single`.
    fn around(text: Reach, pictures: Option<Reach>, single: f32, shape: &Shape<'_>) -> Self {
        let text = on_grid(text, shape);
        let natural = text.height();
        let single = if shape.grid > 0.0 { natural } else { single };
        let is_below = shape.typesetter != Typesetter::Own;
        let (mut above, mut below, mut spare) = (text.above, text.below, 0.0);
        match shape.line_height {
            None => {}
            Some(LineHeight::Percent(percent)) => {
                let more = single * (f32::from(percent.max(1)) / 100.0 - 1.0);
                // What is less than the text needs is cut off above, so that lines never reach into those below.
                if is_below && more > 0.0 {
                    if let Some(pictures) = pictures {
                        above = above.max(pictures.above);
                        below = below.max(pictures.below);
                    }
                    below += more;
                    spare = more;
                } else {
                    above += more;
                }
            }
            Some(LineHeight::AtLeast(least)) => above += (points(least) - natural).max(0.0),
            Some(LineHeight::Exactly(exact)) => {
                let exact = points(exact).max(0.1);
                above = match shape.typesetter {
                    Typesetter::Writer => {
                        below = exact / 5.0;
                        exact - below
                    }
                    _ => exact - below,
                };
                // What does not fit is cut off.
                if is_below {
                    return Self {
                        height: above + below,
                        baseline: above,
                        spare,
                    };
                }
            }
        }
        if let Some(pictures) = pictures {
            above = above.max(pictures.above);
            below = below.max(pictures.below);
        }
        Self {
            height: (above + below).max(0.1),
            baseline: above,
            spare,
        }
    }
}

fn is_east_asian(text: &str) -> bool {
    text.chars().next().is_some_and(scripts::is_east_asian)
}

/// Text on the grid of a page: its height becomes a multiple of the grid's, and it stands in the middle of that (ECMA-376 part 1,
/// 17.6.5).
fn on_grid(text: Reach, shape: &Shape<'_>) -> Reach {
    let is_exact = matches!(shape.line_height, Some(LineHeight::Exactly(_)));
    if shape.grid <= 0.0 || is_exact {
        return text;
    }
    let lines = ((text.height() - 0.05) / shape.grid).ceil().max(1.0);
    let more = lines * shape.grid - text.height();
    Reach {
        above: text.above + more / 2.0,
        below: text.below + more / 2.0,
    }
}
