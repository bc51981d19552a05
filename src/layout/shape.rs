//! Requirements on the lines of a paragraph, and its tab stops.

use super::{
    around::Around,
    atoms::{Atom, AtomKind},
    look::Look,
    reach::Reach,
    units::points,
};
use convertd_tree::{Alignment, LineHeight, TabStop, Typesetter};

/// Tabs are this far apart where a paragraph has none of its own, in points.
pub(crate) const TAB: f32 = 36.0;

/// Requirements on the lines of a paragraph.
pub struct Shape<'a> {
    /// From the left edge of the column.
    pub left: f32,
    pub width: f32,
    /// Further room in front of the first line; less than zero for a line that hangs out.
    pub first_line: f32,
    pub alignment: Alignment,
    pub line_height: Option<LineHeight>,
    pub tabs: &'a [TabStop],
    pub typesetter: Typesetter,
    /// The height that lines are multiples of; 0 for any.
    pub grid: f32,
    /// Extent of the number or bullet in front of the first line.
    pub label: Option<Reach>,
    /// Exclusions that the lines flow around.
    pub around: Option<&'a Around>,
    /// Look of a line without text.
    pub look: &'a Look,
}

impl<'a> Shape<'a> {
    /// Lines of a column of this width, and nothing said of them; one without text would look so.
    pub fn new(look: &'a Look, width: f32) -> Self {
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
            look,
        }
    }
}

/// Width of a tab at `x` (from the indent of the paragraph) in front of `behind`, and its leader.
pub fn tab(behind: &[Atom], x: f32, shape: &Shape<'_>) -> (f32, Option<char>) {
    // Stops count from the edge of the column; a line that hangs out has one where the other lines begin.
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
        let stop = ((column + 0.5) / TAB).floor() * TAB + TAB;
        return (stop - column, None);
    };
    let part = match alignment {
        Alignment::Start => return (stop - column, leader),
        Alignment::Centre => 0.5,
        Alignment::End => 1.0,
        Alignment::Justify => {
            let whole = whole_part(behind);
            return ((stop - column - whole).max(0.0), leader);
        }
    };
    let until = behind
        .iter()
        .take_while(|atom| !matches!(atom.kind, AtomKind::Tab | AtomKind::Break));
    let width: f32 = until.map(|atom| atom.width).sum();
    ((stop - column - part * width).max(0.0), leader)
}

/// Width of a number's part before the decimal sign.
fn whole_part(behind: &[Atom]) -> f32 {
    let mut width = 0.0;
    for atom in behind {
        match &atom.kind {
            AtomKind::Tab | AtomKind::Break => break,
            AtomKind::Word { word, pen } => {
                // Behind a digit, since a full stop may also end a word; the last of several, since they group digits.
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
