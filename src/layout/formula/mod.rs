//! Sets mathematics: a formula becomes a box on the baseline of a text. Parses no notation: the tree of
//! [`math`](convertd_tree::math), into which TeX, MathML and OMML are read, is the input.
//!
//! The rules are those of TeX (Knuth, *The TeXbook*, appendix G): eight classes of atoms with a table of the spaces
//! between them, fractions around an axis, scripts that keep a distance from one another, limits above and below. The
//! lengths are those of Cambria Math and Latin Modern, in ems, since none of the compiled-in fonts has a table `MATH`.
//! Letters come from Tinos, whose italic face has Greek letters; signs that it lacks come from DejaVu Sans. Delimiters
//! grow by stretching. Taller delimiters are assembled from the pieces that Unicode has for them (U+239B to U+23AD).
//!
//! A formula within a line breaks after its relations and binary operators, as in TeX; each part is a box of its own.

mod classes;
mod letters;
mod piece;
mod scripts;
mod set;
mod signs;

use super::{faces::Faces, item::Item, structure::NodeId, text_format::TextFormat};
use classes::Class;
use convertd_tree::math::Math;
use piece::{MathStyle, Piece, Setter};

/// A laid out part of a formula, which is never broken across lines.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Width in points. All lengths here are in points.
    pub width: f32,
    /// Extent above and below the base line.
    pub above: f32,
    pub below: f32,
    /// Items, relative to the left edge and the base line.
    pub items: Vec<Item>,
    /// Whether the formula is on a line of its own, centred.
    pub display: bool,
}

/// Sets a formula. Returns its parts; a line may end between two of them.
pub fn set(
    math: &Math,
    display: bool,
    text_format: &TextFormat,
    node: NodeId,
    faces: &mut Faces<'_>,
) -> Vec<Formula> {
    let row = match math {
        Math::Row(parts) => parts,
        one => std::slice::from_ref(one),
    };
    let mut setter = Setter {
        faces,
        text_format,
        node,
    };
    let style = MathStyle::outermost(text_format.size, display);
    let mut parts = Vec::new();
    let mut part = Piece::default();
    for (piece, room) in setter.spaced(row, style) {
        let ends = matches!(piece.class, Class::Relation | Class::Binary);
        // The space before an operator belongs to the same part, so it does not begin a line.
        part.append(room, piece);
        if ends {
            parts.push(std::mem::take(&mut part));
        }
    }
    if part.width > 0.0 || parts.is_empty() {
        parts.push(part);
    }
    let parts = parts.into_iter().map(|part| Formula {
        width: part.width,
        above: part.above,
        below: part.below,
        items: part.items,
        display,
    });
    parts.collect()
}
