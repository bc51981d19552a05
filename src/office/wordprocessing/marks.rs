//! Sets of marks of text, such as bold and italic. Does not store the text.

use convertd_tree::Mark;

/// Set of marks, with a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks(u8);

/// All marks, in the order in which they are nested by default.
const ALL_MARKS: [Mark; 8] = [
    Mark::Strong,
    Mark::Emphasis,
    Mark::Underline,
    Mark::Strikethrough,
    Mark::Highlight,
    Mark::SmallCaps,
    Mark::Superscript,
    Mark::Subscript,
];

impl Marks {
    /// Adds or removes a mark.
    pub fn set(&mut self, mark: Mark, on: bool) {
        let bit = 1 << mark as u8;
        if on {
            self.0 |= bit;
        } else {
            self.0 &= !bit;
        }
    }

    /// Returns whether the set contains a mark.
    pub(super) fn has(self, mark: Mark) -> bool {
        self.0 & 1 << mark as u8 != 0
    }

    /// Returns the marks of the set.
    pub(super) fn all(self) -> impl Iterator<Item = Mark> {
        ALL_MARKS.into_iter().filter(move |mark| self.has(*mark))
    }
}
