//! Sets mathematics: a formula becomes a box on the baseline of a text. Parses no notation: the tree of
//! [`math`](convertd_tree::math), into which TeX, MathML and OMML are read, is the input.
//!
//! The rules are those of TeX (Knuth, *The TeXbook*, appendix G): eight classes of atoms with a table of the spaces
//! between them, fractions around an axis, scripts that keep a distance from one another, limits above and below. The
//! lengths are those of Cambria Math and Latin Modern, in ems, since none of the compiled-in fonts has a table `MATH`.
//! Letters come from Tinos, whose italic face has Greek letters; signs that Tinos lacks come from DejaVu Sans.
//! Delimiters grow by stretching. If a delimiter would be stretched too far, it is assembled from the pieces that
//! Unicode has for it (U+239B to U+23AD).
//!
//! A formula may be broken across lines after the relations and binary operators of its outermost row, as in TeX. Each
//! part between these is a box of its own.

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
    /// Width. All lengths of a formula are in points.
    pub width: f32,
    /// Extent above the base line.
    pub above: f32,
    /// Extent below the base line.
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
        // The space before an operator is in the same part as the operator, so it never begins a line.
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
