//! Sets the nodes of a formula: rows, fractions, delimited content, tables. Letters, scripts and growing signs are in
//! files of their own. Rules are those of *The TeXbook*, appendix G.

use super::{
    classes::{self, Class},
    piece::{AXIS, Level, MathStyle, Piece, RULE, Setter},
};
use convertd_tree::math::Math;

impl Setter<'_, '_> {
    /// Sets nodes next to each other. Returns each piece with the space before it.
    pub(super) fn spaced(&mut self, parts: &[Math], style: MathStyle) -> Vec<(Piece, f32)> {
        let mut classes: Vec<Class> = parts.iter().map(Class::of).collect();
        classes::settle(&mut classes);
        let unit = style.size() / 18.0;
        let in_script = style.level > Level::Text;
        let mut before: Option<Class> = None;
        let mut pieces = Vec::with_capacity(parts.len());
        for (part, class) in parts.iter().zip(classes) {
            let mut piece = self.part(part, style);
            piece.class = class;
            let room = before.map_or(0.0, |before| classes::room(before, class, in_script));
            // Empty pieces are dropped, so that they do not separate their neighbours.
            if !(piece.width == 0.0 && piece.items.is_empty()) {
                before = Some(class);
                pieces.push((piece, room * unit));
            }
        }
        pieces
    }

    /// Sets a row. A row of a single letter counts as a single letter.
    fn row(&mut self, parts: &[Math], style: MathStyle) -> Piece {
        let pieces = self.spaced(parts, style);
        let single = pieces.len() == 1;
        let mut row = Piece::default();
        for (piece, room) in pieces {
            row.single = single && piece.single;
            row.append(room, piece);
        }
        row
    }

    /// Sets a node. Recursive; the depth of the tree was limited when it was read.
    pub(super) fn part(&mut self, math: &Math, style: MathStyle) -> Piece {
        match math {
            Math::Row(parts) => self.row(parts, style),
            Math::Identifier(name) => self.identifier(name, style),
            Math::Number(digits) => self.number(digits, style),
            Math::Operator(sign) if convertd_tree::math::is_large(sign) => self.large(sign, style),
            Math::Operator(sign) => self.upright(sign, style),
            Math::Text(words) => {
                let family = self.text_format.family;
                self.letters(
                    words,
                    family,
                    self.text_format.bold,
                    self.text_format.italic,
                    style.size(),
                )
            }
            Math::Space(width) => Piece::room(f32::from(*width) / 18.0 * style.size()),
            Math::Fraction { above, below, line } => self.fraction(above, below, *line, style),
            Math::Root { content, degree } => {
                let content = self.part(content, style);
                let degree = degree.as_ref();
                let degree =
                    degree.map(|degree| self.part(degree, style.at(Level::ScriptOfScript)));
                self.root(content, degree, style)
            }
            Math::Scripts {
                base,
                below,
                above,
                limits,
            } => self.with_scripts(base, below.as_deref(), above.as_deref(), *limits, style),
            Math::Accent {
                content,
                sign,
                over,
            } => {
                let content = self.part(content, style);
                self.accent(content, *sign, *over, style)
            }
            Math::Fenced {
                open,
                content,
                close,
            } => self.fenced(open, content, close, style),
            Math::Table { rows, aligned } => self.table(rows, *aligned, false, style),
            Math::Styled(alphabet, content) => {
                let letters = Some(*alphabet);
                self.part(content, MathStyle { letters, ..style })
            }
        }
    }

    /// Sets a fraction: numerator and denominator above and below the axis (rule 15). The shifts are the parameters σ8
    /// to σ12 of Computer Modern, in ems.
    fn fraction(&mut self, above: &Math, below: &Math, line: bool, style: MathStyle) -> Piece {
        let inner = style.fraction();
        let (over, under) = (self.part(above, inner), self.part(below, inner));
        let size = style.size();
        let (rule, axis) = (RULE * size, AXIS * size);
        let display = style.is_display();
        let (mut up, mut down) = match (display, line) {
            (true, _) => (0.677 * size, 0.686 * size),
            (false, true) => (0.394 * size, 0.345 * size),
            (false, false) => (0.444 * size, 0.345 * size),
        };
        // 15d: the smallest distance between the bar and each part.
        if line {
            let clear = if display { 3.0 * rule } else { 1.5 * rule };
            up = up.max(axis + rule / 2.0 + clear + over.below);
            down = down.max(clear + under.above - axis + rule / 2.0);
        } else {
            // 15c: without a bar, the smallest distance between the parts.
            let clear = if display { 7.0 * rule } else { 3.0 * rule };
            let gap = (up - over.below) - (under.above - down);
            let more = (clear - gap).max(0.0) / 2.0;
            up += more;
            down += more;
        }
        let side = 0.1 * size;
        let width = over.width.max(under.width);
        let mut piece = Piece {
            class: Class::Inner,
            ..Piece::default()
        };
        let (left_over, left_under) = ((width - over.width) / 2.0, (width - under.width) / 2.0);
        piece.put(side + left_over, -up, over);
        if line {
            piece
                .items
                .push(self.bar(side, -axis - rule / 2.0, width, rule));
        }
        piece.put(side + left_under, down, under);
        piece.width = width + 2.0 * side;
        piece
    }

    /// Sets content between delimiters that grow with it (rule 19). The delimiters are centred on the axis, so they
    /// extend equally far above and below it, as far as the content needs.
    fn fenced(&mut self, open: &str, content: &Math, close: &str, style: MathStyle) -> Piece {
        let inner = match content {
            // A table without a closing delimiter is a definition by cases. Its columns are left-aligned.
            Math::Table { rows, aligned } => {
                self.table(rows, *aligned, close.is_empty() || close == ".", style)
            }
            content => self.part(content, style),
        };
        let size = style.size();
        let axis = AXIS * size;
        let half = (inner.above - axis).max(inner.below + axis);
        let mut piece = self.delimiter(open, half, style);
        let space = if matches!(content, Math::Table { .. }) {
            0.1
        } else {
            0.03
        } * size;
        piece.append(space, inner);
        let close = self.delimiter(close, half, style);
        piece.append(space, close);
        piece.class = Class::Inner;
        piece.single = false;
        piece.slant = 0.0;
        piece
    }

    /// Sets a table. If `aligned`, columns alternate between right and left alignment, as in aligned equations;
    /// otherwise they are centred, or left-aligned if `to_left`.
    fn table(
        &mut self,
        rows: &[Vec<Math>],
        aligned: bool,
        to_left: bool,
        style: MathStyle,
    ) -> Piece {
        let size = style.size();
        // As in LaTeX, the cells of a displayed matrix are in text style, and those of aligned equations in display
        // style.
        let inner = match (style.level, aligned) {
            (Level::Display, false) => style.at(Level::Text),
            _ => style,
        };
        let set: Vec<Vec<Piece>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| self.part(cell, inner)).collect())
            .collect();
        let count = set.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = set.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width).fold(0.0, f32::max)
        };
        let widths: Vec<f32> = (0..count).map(width).collect();
        // Columns of aligned equations meet at the relation, with a thick space, and pairs of columns are two ems
        // apart. Columns of other tables are one em apart.
        let gap = |column: usize| match (column, aligned) {
            (0, _) => 0.0,
            (_, false) => size,
            (column, true) if column % 2 == 1 => 5.0 / 18.0 * size,
            (_, true) => 2.0 * size,
        };
        // The least extents of a row (a strut), and the space between rows.
        let (strut_above, strut_below, jot) = (0.75 * size, 0.3 * size, 0.18 * size);
        let mut piece = Piece::default();
        let (mut y, mut last_below) = (0.0, None);
        for row in set {
            let above = row
                .iter()
                .map(|cell| cell.above)
                .fold(strut_above, f32::max);
            let below = row
                .iter()
                .map(|cell| cell.below)
                .fold(strut_below, f32::max);
            y += above + last_below.map_or(0.0, |below: f32| below + jot);
            last_below = Some(below);
            let mut x = 0.0;
            for (column, cell) in row.into_iter().enumerate() {
                x += gap(column);
                let free = widths[column] - cell.width;
                // Share of the free width that is to the left of the cell.
                let part = match (aligned, to_left) {
                    (true, _) => f32::from(u8::from(column % 2 == 0)),
                    (false, true) => 0.0,
                    (false, false) => 0.5,
                };
                piece.put(x + free * part, y, cell);
                x += widths[column];
            }
            piece.width = piece.width.max(x);
        }
        let total = y + last_below.unwrap_or(0.0);
        // The table is centred on the axis.
        let lift = total / 2.0 + AXIS * size;
        piece
            .items
            .iter_mut()
            .for_each(|item| item.shift(0.0, -lift));
        piece.above = lift;
        piece.below = total - lift;
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{faces::Faces, structure::NodeId, text_format::TextFormat};

    fn piece(tex: &str, display: bool) -> Piece {
        let math = convertd_tree::math::parse(tex).expect(tex);
        let (mut faces, text_format) = (Faces::new(), TextFormat::plain());
        let mut setter = Setter {
            faces: &mut faces,
            text_format: &text_format,
            node: NodeId::DOCUMENT,
        };
        setter.part(&math, MathStyle::outermost(10.0, display))
    }

    #[test]
    fn formula_height_grows_with_its_parts() {
        #[track_caller]
        fn check(taller: &str, than: &str, display: bool) {
            let (one, other) = (piece(taller, display), piece(than, display));
            assert!(one.height() > other.height() + 1.0, "{taller}: {one:?}");
        }
        check(r"\frac{a}{b}", "a", false);
        check(r"\frac{\frac{a}{b}}{c}", r"\frac{a}{c}", true);
        check("x^2_i", "x", false);
        check(r"\sqrt{\frac{a}{b}}", r"\frac{a}{b}", true);
        check(
            r"\begin{matrix} a \\ b \\ c \end{matrix}",
            r"\begin{matrix} a \\ b \end{matrix}",
            true,
        );
        check(r"\left(\frac{a}{b}\right)", "(a)", true);
        check(r"\sum_{i=1}^n", r"\sum", true);
        check(r"\overbrace{a+b}^{n}", "a+b", true);
        check(r"\hat{x}", "x", true);
        check(r"\underbrace{a+b}", "a+b", true);
    }

    #[test]
    fn limits_are_above_in_display_and_beside_inline() {
        let (shown, inline) = (piece(r"\sum_{i=1}^n", true), piece(r"\sum_{i=1}^n", false));
        assert!(shown.height() > inline.height() + 3.0);
        assert!(inline.width > piece(r"\sum", false).width + 2.0);
    }
}
