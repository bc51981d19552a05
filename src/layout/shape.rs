//! Requirements that the lines of a paragraph have to meet, and the paragraph's tab stops.

use super::{
    around::Exclusions,
    atoms::{Atom, AtomKind},
    line_extent::LineExtent,
    text_format::TextFormat,
    units::points,
};
use convertd_tree::{Alignment, LineHeight, TabStop, Typesetter};

/// Distance between default tab stops, in points: half an inch, as in Word.
pub(crate) const TAB: f32 = 36.0;

/// Requirements that the lines of a paragraph have to meet. Lengths are in points.
pub struct Shape<'a> {
    /// Left edge, measured from the left edge of the column.
    pub left: f32,
    /// Width of lines, without the indent of the first line.
    pub width: f32,
    /// Further indent of the first line; negative for a hanging indent.
    pub first_line: f32,
    pub alignment: Alignment,
    pub line_height: Option<LineHeight>,
    /// Tab stops, by position in the column.
    pub tabs: &'a [TabStop],
    /// The program whose line heights are reproduced.
    pub typesetter: Typesetter,
    /// Line pitch of the document grid; 0 without a grid.
    pub grid: f32,
    /// Ascent and descent of the label in front of the first line.
    pub label: Option<LineExtent>,
    /// Exclusions that lines flow around.
    pub around: Option<&'a Exclusions>,
    /// Limit on successive lines that end with a hyphen.
    pub ladder: Option<u16>,
    /// Width that may stay empty at the end of a line before a word is divided.
    pub zone: f32,
    /// Formatting that gives the height of an empty line.
    pub text_format: &'a TextFormat,
}

impl<'a> Shape<'a> {
    /// Lines of this width, without further requirements.
    pub fn new(text_format: &'a TextFormat, width: f32) -> Self {
        Self {
            left: 0.0,
            width,
            first_line: 0.0,
            alignment: Alignment::Start,
            line_height: None,
            tabs: &[],
            typesetter: Typesetter::Own,
            grid: 0.0,
            label: None,
            around: None,
            ladder: None,
            zone: 0.0,
            text_format,
        }
    }
}

/// Width and leader of a tab at `x`, measured from the left edge of the lines. `after` are the atoms that follow the
/// tab.
///
/// The tab leads to the next tab stop beyond `x` (ECMA-376 part 1, 17.3.1.37). The end of a hanging indent is also a
/// tab stop. At a centred, end or decimal stop, the text up to the next tab is aligned with the stop.
pub fn tab(after: &[Atom], x: f32, shape: &Shape<'_>) -> (f32, Option<char>) {
    // Positions of tab stops are measured from the edge of the column.
    let column = x + shape.left;
    let own = shape
        .tabs
        .iter()
        .map(|stop| (points(stop.at), stop.alignment, stop.leader));
    let hanging = (shape.first_line < 0.0).then_some((shape.left, Alignment::Start, None));
    let next = own
        .chain(hanging)
        .filter(|(stop, ..)| *stop > column + 0.5)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((stop, alignment, leader)) = next else {
        // Default stops are multiples of `TAB`.
        let stop = ((column + 0.5) / TAB).floor() * TAB + TAB;
        return (stop - column, None);
    };
    let part = match alignment {
        Alignment::Start => return (stop - column, leader),
        Alignment::Centre => 0.5,
        Alignment::End => 1.0,
        // `Justify` stands for decimal alignment.
        Alignment::Justify => {
            let whole = whole_part(after);
            return ((stop - column - whole).max(0.0), leader);
        }
    };
    let until = after
        .iter()
        .take_while(|atom| !matches!(atom.kind, AtomKind::Tab | AtomKind::Break));
    let width: f32 = until.map(|atom| atom.width).sum();
    ((stop - column - part * width).max(0.0), leader)
}

/// Position of the stop that a tab at `x` leads to, from the left edge of the lines. `None` if that stop is not one at
/// which text ends.
pub fn end_stop(x: f32, shape: &Shape<'_>) -> Option<f32> {
    let column = x + shape.left;
    let next = (shape.tabs.iter())
        .filter(|stop| points(stop.at) > column + 0.5)
        .min_by(|a, b| points(a.at).total_cmp(&points(b.at)))?;
    (next.alignment == Alignment::End).then(|| points(next.at) - shape.left)
}

/// Width of a number's part in front of the decimal separator. Without a separator, the width of all text up to the
/// next tab.
fn whole_part(after: &[Atom]) -> f32 {
    let mut width = 0.0;
    for atom in after {
        match &atom.kind {
            AtomKind::Tab | AtomKind::Break => break,
            AtomKind::Word { word, pen } => {
                // A separator follows a digit; otherwise it may be the end of a sentence. Only the last separator
                // counts, because earlier ones separate groups of digits.
                let sign = word.text.rfind(['.', ',']);
                let sign =
                    sign.filter(|at| word.text[..*at].ends_with(|c: char| c.is_ascii_digit()));
                if let Some(at) = sign {
                    return width + word.split(at).0.advance as f32 * pen.unit();
                }
                width += atom.width;
            }
            AtomKind::Space { .. } | AtomKind::Object => width += atom.width,
        }
    }
    width
}
