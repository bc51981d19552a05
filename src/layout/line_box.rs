//! Height of a line, and its baseline. Breaks no lines.
//!
//! A run takes ascent and descent from its font, whatever letters it contains. The natural height of a line is the
//! largest ascent of its runs plus the largest descent. All office programs compute it like that. They differ in
//! rounding, and in where they put the space that the paragraph's line height adds.
//!
//! Word rounds each ascent and descent to a twentieth of a point. If the line height is a multiple, Word puts the
//! additional space below the text, and does not multiply the height of pictures (measured on 4,000 lines of PDFs by
//! Word). LibreOffice does not round, and puts the additional space below the text as well. In a line of exact height,
//! LibreOffice puts the baseline at four fifths of the height (measured on PDFs by LibreOffice).

use super::{
    atoms::{Atom, AtomKind},
    faces::Faces,
    line_extent::LineExtent,
    shape::Shape,
    spans::{Run, RunKind},
    units::points,
};
use crate::fonts::scripts;
use convertd_tree::{LineHeight, Typesetter};

/// Height and baseline of a line, without its content. Lengths are in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LineBox {
    pub height: f32,
    /// Distance of the baseline from the upper edge.
    pub baseline: f32,
    /// Part of the height that a line-spacing multiple adds below the text. It may overflow the
    /// page.
    pub spare: f32,
}

impl LineBox {
    /// Line box of atoms, and of the list label in front of them. An empty line is as high as text in the formatting of
    /// its paragraph would be.
    pub(crate) fn of(
        atoms: &[Atom],
        runs: &[Run],
        shape: &Shape<'_>,
        label: Option<LineExtent>,
        faces: &mut Faces<'_>,
    ) -> Self {
        // Pictures have an extent of their own, because a line height in percent scales only the height of text.
        let mut text = LineExtent::default();
        let mut pictures: Option<LineExtent> = None;
        for atom in atoms {
            let run = &runs[atom.run];
            if let Some(mark) = run.text_format.emphasis {
                text.include(LineExtent::of_mark(mark, &run.text_format));
            }
            match (&atom.kind, &run.kind) {
                (AtomKind::Object, RunKind::Picture { height, .. }) => {
                    pictures.get_or_insert_default().include(LineExtent {
                        above: *height + run.text_format.raised,
                        below: -run.text_format.raised,
                    });
                }
                (AtomKind::Object, RunKind::Formula(formula)) => {
                    text.include(LineExtent::of_text(
                        faces,
                        &run.text_format,
                        shape.typesetter,
                    ));
                    pictures.get_or_insert_default().include(LineExtent {
                        above: formula.above + run.text_format.raised,
                        below: formula.below - run.text_format.raised,
                    });
                }
                (AtomKind::Object, _) => {}
                (AtomKind::Word { pen, word }, _)
                    if shape.typesetter == Typesetter::Word && is_east_asian(&word.text) =>
                {
                    text.include(LineExtent::of_east_asian(faces, *pen, &run.text_format));
                }
                (AtomKind::Word { pen, .. } | AtomKind::Space { pen, .. }, _) => {
                    text.include(LineExtent::of(
                        faces,
                        *pen,
                        run.text_format.raised,
                        shape.typesetter,
                    ));
                }
                (AtomKind::Tab | AtomKind::Break, _) => {}
            }
        }
        // An empty line is as high as its paragraph mark.
        let mark = LineExtent::of_text(faces, shape.text_format, shape.typesetter);
        let is_empty = text == LineExtent::default();
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

    /// Line box around text and pictures of these extents. `single` is the height of a single-spaced line, to which
    /// line heights in percent refer. On a document grid, they refer to the height of the text on the grid instead.
    fn around(
        text: LineExtent,
        pictures: Option<LineExtent>,
        single: f32,
        shape: &Shape<'_>,
    ) -> Self {
        let text = on_grid(text, shape);
        let natural = text.height();
        let single = if shape.grid > 0.0 { natural } else { single };
        let is_below = shape.typesetter != Typesetter::Own;
        let (mut above, mut below, mut spare) = (text.above, text.below, 0.0);
        match shape.line_height {
            None => {}
            Some(LineHeight::Percent(percent)) => {
                let more = single * (f32::from(percent.max(1)) / 100.0 - 1.0);
                // A multiple above 100 % adds space below the text in Word and LibreOffice, and above the text in this
                // program. A multiple below 100 % reduces the height above the text in all three programs, so that no
                // line overlaps the next one.
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
                    // LibreOffice puts the baseline at four fifths of the height. In the other programs, the descent of
                    // the text stays as it is.
                    Typesetter::Writer => {
                        below = exact / 5.0;
                        exact - below
                    }
                    _ => exact - below,
                };
                // In Word and LibreOffice, an exact height crops taller content.
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

/// Returns whether text begins with an East Asian character.
fn is_east_asian(text: &str) -> bool {
    text.chars().next().is_some_and(scripts::is_east_asian)
}

/// Extent of text on the document grid: its height becomes a multiple of the line pitch, with the text in the middle
/// (ECMA-376 part 1, 17.6.5). Lines of an exact height ignore the grid.
fn on_grid(text: LineExtent, shape: &Shape<'_>) -> LineExtent {
    let is_exact = matches!(shape.line_height, Some(LineHeight::Exactly(_)));
    if shape.grid <= 0.0 || is_exact {
        return text;
    }
    let lines = ((text.height() - 0.05) / shape.grid).ceil().max(1.0);
    let more = lines * shape.grid - text.height();
    LineExtent {
        above: text.above + more / 2.0,
        below: text.below + more / 2.0,
    }
}
