//! Subscripts and superscripts, beside their base or as limits above and below it. Decides no size of its own.

use super::{
    classes::Class,
    piece::{Manner, Piece, RULE, Setter, X_HEIGHT},
};
use convertd_tree::math::{Math, WITH_LIMITS, is_integral};

impl Setter<'_, '_> {
    pub(super) fn with_scripts(
        &mut self,
        base: &Math,
        below: Option<&Math>,
        above: Option<&Math>,
        limits: bool,
        manner: Manner,
    ) -> Piece {
        let is_large = base.is_large_operator();
        let stacked = match base {
            Math::Operator(sign) if is_large => manner.is_display() && !is_integral(sign),
            Math::Identifier(name) if WITH_LIMITS.contains(&name.as_str()) => manner.is_display(),
            _ => limits,
        };
        let set_base = self.part(base, manner);
        let inner = manner.script();
        if let Some(primes @ Math::Operator(sign)) = above
            && sign.chars().all(|c| c == '′')
            && below.is_none()
        {
            // Primes stand as high as they should by themselves.
            let sign = self.part(primes, manner);
            let mut piece = set_base;
            piece.single = false;
            piece.append(piece.slant, sign);
            piece.slant = 0.0;
            return piece;
        }
        let below = below.map(|below| self.part(below, inner));
        let above = above.map(|above| self.part(above, inner));
        let mut piece = match stacked {
            true => limited(set_base, below, above, manner),
            false => scripted(set_base, below, above, manner, is_large),
        };
        piece.class = Class::of(base);
        piece
    }
}

/// Rule 13a: scripts above and below the middle of their base.
fn limited(base: Piece, below: Option<Piece>, above: Option<Piece>, manner: Manner) -> Piece {
    let size = manner.size();
    let slant = base.slant;
    let width = [Some(&base), below.as_ref(), above.as_ref()];
    let width = width
        .into_iter()
        .flatten()
        .map(|piece| piece.width)
        .fold(0.0, f32::max);
    let (top, bottom) = (base.above, base.below);
    let mut piece = Piece::default();
    let middle = |piece: &Piece| (width - piece.width) / 2.0;
    if let Some(above) = above {
        let gap = (0.111 * size).max(0.2 * size - above.below);
        let y = top + gap + above.below;
        piece.put(middle(&above) + slant / 2.0, -y, above);
        piece.above += 0.1 * size;
    }
    piece.put(middle(&base), 0.0, base);
    if let Some(below) = below {
        let gap = (0.14 * size).max(0.55 * size - below.above);
        let y = bottom + gap + below.above;
        piece.put(middle(&below) - slant / 2.0, y, below);
        piece.below += 0.1 * size;
    }
    piece.width = piece.width.max(width);
    piece
}

/// Rule 18: scripts at the right of their base.
fn scripted(
    base: Piece,
    below: Option<Piece>,
    above: Option<Piece>,
    manner: Manner,
    is_large: bool,
) -> Piece {
    let size = manner.size();
    let script = manner.script().size();
    let drop = !base.single || is_large;
    let mut up = if drop {
        base.above - 0.386 * script
    } else {
        0.0
    };
    let mut down = if drop { base.below + 0.1 * script } else { 0.0 };
    let x = X_HEIGHT * size;
    if let Some(above) = &above {
        let least = if manner.is_display() { 0.413 } else { 0.37 };
        up = up.max(least * size).max(above.below + x / 4.0);
    }
    if let Some(below) = &below {
        let least = if above.is_some() { 0.247 } else { 0.15 };
        down = down.max(least * size).max(below.above - 0.8 * x);
    }
    if let (Some(above), Some(below)) = (&above, &below) {
        let gap = (up - above.below) - (below.above - down);
        let least = 4.0 * RULE * size;
        if gap < least {
            down += least - gap;
            let more = 0.8 * x - (up - above.below);
            if more > 0.0 {
                up += more;
                down -= more;
            }
        }
    }
    let (edge, slant) = (base.width, base.slant);
    let mut piece = base;
    piece.single = false;
    piece.slant = 0.0;
    // The subscript of a sign that leans, such as an integral, is where that begins.
    if let Some(below) = below {
        let back = if is_large { slant.max(0.0) } else { 0.0 };
        piece.put((edge - back * 0.5).max(0.0), down, below);
    }
    if let Some(above) = above {
        piece.put(edge + slant + 0.02 * size, -up, above);
    }
    piece.width += 0.05 * size;
    piece
}
