//! Subscripts and superscripts, next to their base or as limits above and below it. The sizes of their letters follow
//! from the style.

use super::{
    classes::Class,
    piece::{MathStyle, Piece, RULE, Setter, X_HEIGHT},
};
use convertd_tree::math::{Math, WITH_LIMITS, is_integral};

impl Setter<'_, '_> {
    /// Sets a base with scripts. In displayed formulas, the scripts of large operators except integrals, and of names
    /// such as `lim`, are limits (*The TeXbook*, appendix G, rule 13). The scripts of integrals are never limits. Those
    /// of other bases are limits if `limits` is true.
    pub(super) fn with_scripts(
        &mut self,
        base: &Math,
        below: Option<&Math>,
        above: Option<&Math>,
        limits: bool,
        style: MathStyle,
    ) -> Piece {
        let is_large = base.is_large_operator();
        let stacked = match base {
            Math::Operator(sign) if is_large => style.is_display() && !is_integral(sign),
            Math::Identifier(name) if WITH_LIMITS.contains(&name.as_str()) => style.is_display(),
            _ => limits,
        };
        let set_base = self.part(base, style);
        let inner = style.script();
        if let Some(primes @ Math::Operator(sign)) = above
            && sign.chars().all(|c| c == '′')
            && below.is_none()
        {
            // The glyph of a prime is raised and small already, so primes are appended as they are.
            let sign = self.part(primes, style);
            let mut piece = set_base;
            piece.single = false;
            piece.append(piece.slant, sign);
            piece.slant = 0.0;
            return piece;
        }
        let below = below.map(|below| self.part(below, inner));
        let above = above.map(|above| self.part(above, inner));
        let mut piece = match stacked {
            true => limited(set_base, below, above, style),
            false => scripted(set_base, below, above, style, is_large),
        };
        piece.class = Class::of(base);
        piece
    }
}

/// Sets limits above and below the centre of their base (rule 13a). The gaps correspond to the parameters ξ9 to ξ13 of
/// TeX, in ems: smallest gap, smallest distance from the edge of the base to the base line of a limit, and padding at
/// the outer edges.
fn limited(base: Piece, below: Option<Piece>, above: Option<Piece>, style: MathStyle) -> Piece {
    let size = style.size();
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
        // The limits follow the slope of a slanted base: the upper limit moves to the right by half of the overhang,
        // and the lower limit to the left.
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

/// Sets scripts to the right of their base (rule 18).
fn scripted(
    base: Piece,
    below: Option<Piece>,
    above: Option<Piece>,
    style: MathStyle,
    is_large: bool,
) -> Piece {
    let size = style.size();
    let script = style.script().size();
    // 18a: the scripts of a compound base or large operator are placed relative to the edges of the base, those of a
    // single letter relative to the base line.
    let drop = !base.single || is_large;
    let mut up = if drop {
        base.above - 0.386 * script
    } else {
        0.0
    };
    let mut down = if drop { base.below + 0.1 * script } else { 0.0 };
    let x = X_HEIGHT * size;
    // 18c: the superscript is raised at least by the parameter of the style, and its lower edge is at least a quarter
    // of the x-height above the base line.
    if let Some(above) = &above {
        let least = if style.is_display() { 0.413 } else { 0.37 };
        up = up.max(least * size).max(above.below + x / 4.0);
    }
    // 18b and 18d: the subscript is lowered at least by 0.15 em, or by 0.247 em below a superscript, and its upper edge
    // is at most four fifths of the x-height above the base line.
    if let Some(below) = &below {
        let least = if above.is_some() { 0.247 } else { 0.15 };
        down = down.max(least * size).max(below.above - 0.8 * x);
    }
    // 18e: the gap between the two scripts is at least four times the thickness of a rule. To get this gap, the
    // subscript moves down. If the lower edge of the superscript is then below four fifths of the x-height, both
    // scripts move up until it is at that height.
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
    // The lower end of a slanted large operator, such as an integral, is to the left of its upper end, so the subscript
    // moves to the left.
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
