//! Signs that grow with their content: delimiters, roots, large operators, accents. Sets no rows.

use super::{
    super::{
        face::Joining,
        item::{Item, Owner, Segment},
        word::Word,
    },
    piece::{AXIS, MathStyle, Piece, RULE, Setter, X_HEIGHT},
};
use crate::fonts::Family;
use convertd_tree::math::{is_integral, spacing_accent};
use std::rc::Rc;

/// Sizes of large operators except integrals, relative to the letters of the formula: in displayed formulas, and in
/// lines of text.
const LARGE: (f32, f32) = (1.35, 1.0);
/// Sizes of integrals, relative to the letters of the formula: in displayed formulas, and in lines of text.
const INTEGRAL: (f32, f32) = (1.75, 1.15);

/// Largest factor by which a delimiter is stretched vertically if it could also be assembled from pieces.
const MAX_STRETCHED: f32 = 1.7;

/// Limit on the repeated pieces of a delimiter. For a brace, this limit applies above its middle and below it.
const MAX_PIECES: usize = 200;

/// A sign after setting, with the bounds of its outline and its advance, in points. Heights are measured upwards from
/// the base line.
struct Sign {
    item: Item,
    left: f32,
    right: f32,
    low: f32,
    high: f32,
    advance: f32,
}

/// Pieces of a delimiter (U+239B to U+23AD): top, middle, bottom, and the piece that is repeated between them.
type Pieces = (Option<char>, Option<char>, Option<char>, char);

/// The pieces of a delimiter; `None` if Unicode has no pieces for it.
fn pieces(sign: char) -> Option<Pieces> {
    Some(match sign {
        '(' => (Some('⎛'), None, Some('⎝'), '⎜'),
        ')' => (Some('⎞'), None, Some('⎠'), '⎟'),
        '[' => (Some('⎡'), None, Some('⎣'), '⎢'),
        ']' => (Some('⎤'), None, Some('⎦'), '⎥'),
        '⌈' => (Some('⎡'), None, None, '⎢'),
        '⌉' => (Some('⎤'), None, None, '⎥'),
        '⌊' => (None, None, Some('⎣'), '⎢'),
        '⌋' => (None, None, Some('⎦'), '⎥'),
        '{' => (Some('⎧'), Some('⎨'), Some('⎩'), '⎪'),
        '}' => (Some('⎫'), Some('⎬'), Some('⎭'), '⎪'),
        _ => return None,
    })
}

impl Setter<'_, '_> {
    /// Sets a sign. `saying` replaces its text for extraction: the first piece of a delimiter represents the whole
    /// delimiter, and the other pieces have an empty text. `None` keeps the character as the text.
    fn sign(
        &mut self,
        character: char,
        saying: Option<&str>,
        family: Family,
        size: f32,
    ) -> Option<Sign> {
        let chosen = self.face_of(character, family, false, false)?;
        let mut word = self.faces.word(
            chosen,
            character.encode_utf8(&mut [0; 4]),
            false,
            Joining::FINE,
            None,
        );
        if let Some(text) = saying {
            word = Rc::new(Word {
                text: text.into(),
                ..word.unspoken()
            });
        }
        let pen = self.pen(chosen, size);
        let unit = pen.unit();
        let [left, low, right, high] = self.faces.face(chosen.face).bounds(character)?;
        let advance = pen.width(&word);
        Some(Sign {
            item: Item::Text {
                pen,
                y: 0.0,
                words: vec![(0.0, word)],
                belongs: Owner::To(self.node),
            },
            left: left * unit,
            right: right * unit,
            low: low * unit,
            high: high * unit,
            advance,
        })
    }

    /// Sets a delimiter for content that extends at most by `half` points above and below the axis.
    pub(super) fn delimiter(&mut self, sign: &str, half: f32, style: MathStyle) -> Piece {
        let mut characters = sign.chars();
        let (Some(character), None) = (characters.next(), characters.next()) else {
            return self.upright(sign, style);
        };
        if character == '.' {
            return Piece::default();
        }
        let size = style.size();
        let axis = AXIS * size;
        let Some(own) = self.sign(character, None, Family::Serif, size) else {
            return self.upright(sign, style);
        };
        let height = own.high - own.low;
        // Rule 19: a delimiter may be a little shorter than its content (TeX's `\delimiterfactor` and
        // `\delimitershortfall`).
        let wanted = (2.0 * half * 0.95).max(2.0 * half - 0.4 * size);
        if wanted <= height * 1.05 {
            return self.upright(sign, style);
        }
        let ratio = wanted / height.max(0.1);
        let parts = pieces(character).filter(|_| ratio > MAX_STRETCHED);
        if let Some(parts) = parts
            && let Some(piece) = self.assembled(character, parts, wanted, style)
        {
            return piece;
        }
        // The sign is stretched vertically, and centred on the axis.
        let centre = (own.high + own.low) / 2.0;
        let matrix = [1.0, 0.0, 0.0, ratio, 0.0, centre * ratio - axis];
        let items = vec![own.item];
        Piece {
            width: own.advance,
            above: axis + wanted / 2.0,
            below: wanted / 2.0 - axis,
            items: vec![Item::Moved { matrix, items }],
            ..Piece::default()
        }
    }

    /// Assembles a delimiter from pieces. The number of repeated pieces is rounded, and all pieces are stretched to the
    /// exact height.
    fn assembled(
        &mut self,
        character: char,
        (top, middle, bottom, between): Pieces,
        wanted: f32,
        style: MathStyle,
    ) -> Option<Piece> {
        let size = style.size() * 0.85;
        let said = character.to_string();
        let mut says = Some(said.as_str());
        let mut sign = |setter: &mut Self, piece: char| {
            let text = says.take().unwrap_or("");
            setter.sign(piece, Some(text), Family::Signs, size)
        };
        let top = top.map(|piece| sign(self, piece));
        // Without a piece for the top, the delimiter begins with the repeated piece.
        let first = top.is_none().then(|| sign(self, between));
        let middle = middle.map(|piece| sign(self, piece));
        let bottom = bottom.map(|piece| sign(self, piece));
        let stem = sign(self, between)?;
        let tall = |sign: &Sign| sign.high - sign.low;
        let (top, first, middle, bottom) = (
            top.flatten(),
            first.flatten(),
            middle.flatten(),
            bottom.flatten(),
        );
        let ends = [&top, &first, &middle, &bottom].into_iter().flatten();
        // A brace has as many repeated pieces above its middle as below it.
        let fixed: f32 = ends.map(tall).sum();
        let halves = if middle.is_some() { 2 } else { 1 };
        let each = tall(&stem).max(0.1) * halves as f32;
        let count = (((wanted - fixed) / each).round().max(0.0) as usize).min(MAX_PIECES);
        let stretch = wanted / (fixed + count as f32 * each);
        let axis = AXIS * style.size();
        let mut piece = Piece {
            width: stem.advance.min(0.62 * size),
            above: axis + wanted / 2.0,
            below: wanted / 2.0 - axis,
            ..Piece::default()
        };
        // The glyphs of pieces have wide side bearings, which are cut.
        let side = (stem.advance - piece.width) / 2.0;
        let mut y = -piece.above;
        let mut put = |sign: &Sign| {
            // The matrix stretches the piece, and moves its upper edge to `y`.
            let matrix = [1.0, 0.0, 0.0, stretch, -side, y + sign.high * stretch];
            let items = vec![sign.item.clone()];
            piece.items.push(Item::Moved { matrix, items });
            y += tall(sign) * stretch;
        };
        [top, first].iter().flatten().for_each(&mut put);
        (0..count).for_each(|_| put(&stem));
        if let Some(middle) = &middle {
            put(middle);
            (0..count).for_each(|_| put(&stem));
        }
        bottom.iter().for_each(&mut put);
        Some(piece)
    }

    /// Sets a large operator, centred on the axis (rule 13).
    pub(super) fn large(&mut self, sign: &str, style: MathStyle) -> Piece {
        let (shown, inline) = if is_integral(sign) { INTEGRAL } else { LARGE };
        let factor = if style.is_display() { shown } else { inline };
        let size = style.size();
        let mut piece = self.letters(sign, Family::Serif, false, false, size * factor);
        let down = (piece.above - piece.below) / 2.0 - AXIS * size;
        piece
            .items
            .iter_mut()
            .for_each(|item| item.shift(0.0, down));
        piece.above -= down;
        piece.below += down;
        // A large operator counts as a single sign, so an accent on it follows its slope (rule 12).
        piece.single = true;
        piece
    }

    /// Sets a root: the radical sign, with a bar above the content (rule 11).
    pub(super) fn root(
        &mut self,
        content: Piece,
        degree: Option<Piece>,
        style: MathStyle,
    ) -> Piece {
        let size = style.size();
        let rule = RULE * size;
        let mut clear = rule
            + if style.is_display() {
                X_HEIGHT * size / 4.0
            } else {
                rule / 2.0
            };
        let Some(sign) = self.sign('√', None, Family::Serif, size) else {
            return content;
        };
        let natural = sign.high - sign.low;
        let needed = content.above + content.below + clear + rule;
        // If the sign is taller than needed, the excess is divided: half of it goes above the content, half below.
        clear += (natural - needed).max(0.0) / 2.0;
        let ratio = (needed / natural).max(1.0);
        let top = content.above + clear + rule;
        let mut piece = Piece::default();
        let mut x = 0.0;
        if let Some(degree) = degree {
            // The degree is raised by 55 % of the height of the sign, as in TeX's `\root`, and overlaps the sign on the
            // left.
            let lift = 0.55 * natural * ratio - (natural * ratio - top);
            x = (degree.width - 0.2 * size).max(0.0);
            let left = (x + 0.2 * size - degree.width).max(0.0);
            piece.put(left, -lift, degree);
        }
        // The matrix stretches the sign, and moves its upper edge to the bar.
        let matrix = [1.0, 0.0, 0.0, ratio, x, sign.high * ratio - top];
        let (width, thick) = (sign.right, rule);
        piece.items.push(Item::Moved {
            matrix,
            items: vec![sign.item],
        });
        let (inner, above) = (content.width, top + rule);
        let below = natural * ratio - top;
        piece
            .items
            .push(self.bar(x + width - 0.02 * size, -top, inner + 0.09 * size, thick));
        piece.put(x + width, 0.0, content);
        piece.above = piece.above.max(above);
        piece.below = piece.below.max(below);
        piece.width = x + width + inner + 0.1 * size;
        piece
    }

    /// Sets an accent above or below its content (rule 12).
    pub(super) fn accent(
        &mut self,
        content: Piece,
        sign: char,
        over: bool,
        style: MathStyle,
    ) -> Piece {
        let size = style.size();
        let rule = RULE * size;
        let mut piece = content;
        let (width, above, below) = (piece.width, piece.above, piece.below);
        // An accent on a single letter moves to the right, because most single letters are slanted.
        let lean = if piece.single {
            above * 0.12 + piece.slant / 2.0
        } else {
            0.0
        };
        let gap = 0.1 * size;
        let wide = !piece.single;
        let sign = spacing_accent(sign);
        // Bars, braces and arrows are drawn as wide as the content, except that an arrow on a single letter is 0.5 to
        // 0.7 em wide. All other accents are glyphs.
        let grown = match sign {
            '\u{203e}' | '_' => {
                let shift = if over && piece.single {
                    lean / 2.0
                } else {
                    0.0
                };
                let y = if over {
                    -above - gap - rule
                } else {
                    below + gap
                };
                piece.items.push(self.bar(shift, y, width, rule));
                gap + 2.0 * rule
            }
            '\u{23de}' | '\u{23df}' => {
                let tall = 0.3 * size;
                let y = if over { -above - gap } else { below + gap };
                let path = brace(width, y, if over { -tall } else { tall }, rule);
                piece.items.push(Item::Path {
                    path: path.into(),
                    colour: self.text_format.colour,
                });
                gap + tall
            }
            '\u{2192}' | '\u{2190}' => {
                let span = if wide {
                    width
                } else {
                    (0.5 * size).max(width.min(0.7 * size))
                };
                let middle = width / 2.0 + lean;
                let y = if over {
                    -above - 0.2 * size
                } else {
                    below + 0.2 * size
                };
                let to_right = sign != '\u{2190}';
                let path = arrow(middle - span / 2.0, y, span, size, to_right);
                piece.items.push(Item::Path {
                    path: path.into(),
                    colour: self.text_format.colour,
                });
                if over { 0.34 * size } else { 0.3 * size }
            }
            _ => {
                let shown = match sign {
                    '^' => '\u{2c6}',
                    '~' => '\u{2dc}',
                    other => other,
                };
                let Some(mark) = self.sign(shown, None, Family::Serif, size) else {
                    return piece;
                };
                let natural = (mark.right - mark.left).max(0.1);
                // Hats and tildes on more than a single letter are stretched to 90 % of the width of the content, but
                // at most eightfold.
                let grows = wide && matches!(shown, '\u{2c6}' | '\u{2dc}');
                let stretch = if grows {
                    (width * 0.9 / natural).clamp(1.0, 8.0)
                } else {
                    1.0
                };
                let middle = width / 2.0 + lean;
                let x = middle - stretch * (mark.left + mark.right) / 2.0;
                // The lower edge of the mark is above the gap, or its upper edge is below the gap.
                let lift = if over {
                    above + gap - mark.low
                } else {
                    mark.high - below - gap - 2.0 * mark.high
                };
                let matrix = [stretch, 0.0, 0.0, 1.0, x, -lift];
                let top = mark.high - mark.low;
                piece.items.push(Item::Moved {
                    matrix,
                    items: vec![mark.item],
                });
                top + gap
            }
        };
        match over {
            true => piece.above += grown,
            false => piece.below += grown,
        }
        piece.slant = 0.0;
        piece.single = false;
        piece
    }
}

/// The outline of a horizontal brace: from `y`, `tall` points down (or up if negative), as wide as its content.
fn brace(width: f32, y: f32, tall: f32, thick: f32) -> Vec<Segment> {
    // The first edge runs from left to right, with a curve at each end, and two curves that meet in the tip. The other
    // edge runs back at the distance of the line width.
    let half = tall / 2.0;
    let radius = (width / 4.0).min(half.abs());
    let (middle, near) = (width / 2.0, y + half);
    let thick = thick * tall.signum();
    let outer = near + thick;
    vec![
        Segment::Move((0.0, y)),
        Segment::Curve((0.0, near), (0.0, near), (radius, near)),
        Segment::Line((middle - radius, near)),
        Segment::Curve((middle, near), (middle, near), (middle, y + tall)),
        Segment::Curve((middle, near), (middle, near), (middle + radius, near)),
        Segment::Line((width - radius, near)),
        Segment::Curve((width, near), (width, near), (width, y)),
        Segment::Curve((width, outer), (width, outer), (width - radius, outer)),
        Segment::Line((middle + radius, outer)),
        Segment::Curve((middle, outer), (middle, outer), (middle, y + tall)),
        Segment::Curve((middle, outer), (middle, outer), (middle - radius, outer)),
        Segment::Line((radius, outer)),
        Segment::Curve((0.0, outer), (0.0, outer), (0.0, y)),
        Segment::Close,
    ]
}

/// The outline of an arrow whose shaft is at `y`.
fn arrow(x: f32, y: f32, width: f32, size: f32, to_right: bool) -> Vec<Segment> {
    let (thick, head) = (RULE * size / 2.0, 0.14 * size);
    let at = |along: f32, down: f32| {
        let along = if to_right { along } else { width - along };
        (x + along, y + down)
    };
    vec![
        Segment::Move(at(0.0, -thick)),
        Segment::Line(at(width - head, -thick)),
        Segment::Line(at(width - 1.3 * head, -head * 0.7)),
        Segment::Line(at(width, 0.0)),
        Segment::Line(at(width - 1.3 * head, head * 0.7)),
        Segment::Line(at(width - head, thick)),
        Segment::Line(at(0.0, thick)),
        Segment::Close,
    ]
}
