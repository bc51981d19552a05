//! Nodes that have been set, the size and style in which a node is set, and the lengths of mathematics. Sets nothing.

use super::{
    super::{
        faces::Faces,
        item::{Area, Item},
        structure::NodeId,
        text_format::TextFormat,
    },
    classes::Class,
};
use convertd_tree::math::Style;

/// Height of the axis above the base line, in ems. Fractions and delimiters are centred on the axis.
pub(super) const AXIS: f32 = 0.25;
/// Thickness of the bar of a fraction or a root, in ems.
pub(super) const RULE: f32 = 0.045;
/// Height of a small letter, in ems.
pub(super) const X_HEIGHT: f32 = 0.45;
/// Size of scripts, relative to the text.
const SCRIPT: f32 = 0.72;
/// Size of the scripts of scripts, relative to the text.
const SCRIPT_OF_SCRIPT: f32 = 0.58;

/// Style in which a node is set (*The TeXbook*, chapter 17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Display,
    Text,
    Script,
    ScriptOfScript,
}

/// Size and style of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct MathStyle {
    /// Size of the text around the formula, in points.
    pub(super) text: f32,
    pub(super) level: Level,
    /// Alphabet of the letters; `None` for the default, which is italic for variables.
    pub(super) letters: Option<Style>,
}

impl MathStyle {
    /// Size and style of a whole formula.
    pub(super) fn outermost(text: f32, display: bool) -> Self {
        let level = if display { Level::Display } else { Level::Text };
        Self {
            text,
            level,
            letters: None,
        }
    }

    /// Size of letters in points.
    pub(super) fn size(self) -> f32 {
        self.text
            * match self.level {
                Level::Display | Level::Text => 1.0,
                Level::Script => SCRIPT,
                Level::ScriptOfScript => SCRIPT_OF_SCRIPT,
            }
    }

    pub(super) fn is_display(self) -> bool {
        self.level == Level::Display
    }

    /// Returns this manner in another style. The size of the text around the formula stays the same.
    pub(super) fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Size and style of a script.
    pub(super) fn script(self) -> Self {
        self.at(match self.level {
            Level::Display | Level::Text => Level::Script,
            Level::Script | Level::ScriptOfScript => Level::ScriptOfScript,
        })
    }

    /// Size and style of numerator and denominator.
    pub(super) fn fraction(self) -> Self {
        match self.level {
            Level::Display => self.at(Level::Text),
            _ => self.script(),
        }
    }
}

/// A node that has been set.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    /// Width, in points.
    pub(super) width: f32,
    /// Extent above the base line, in points.
    pub(super) above: f32,
    /// Extent below the base line, in points.
    pub(super) below: f32,
    pub(super) items: Vec<Item>,
    pub(super) class: Class,
    /// Overhang of the last letter's outline beyond the letter's advance, in points.
    pub(super) slant: f32,
    /// Whether the piece is a single letter or sign. Its scripts and accents are then placed differently (rules 12 and
    /// 18a).
    pub(super) single: bool,
}

impl Piece {
    /// Empty space of this width.
    pub(super) fn room(width: f32) -> Self {
        Self {
            width,
            class: Class::Room,
            ..Self::default()
        }
    }

    /// Takes over the items of another piece, moved by `x` to the right and `y` down, and grows to include them.
    pub(super) fn put(&mut self, x: f32, y: f32, mut other: Self) {
        other.items.iter_mut().for_each(|item| item.shift(x, y));
        self.items.append(&mut other.items);
        self.above = self.above.max(other.above - y);
        self.below = self.below.max(other.below + y);
        self.width = self.width.max(x + other.width);
    }

    /// Appends another piece at the right, after a space of the width `room`.
    pub(super) fn append(&mut self, room: f32, other: Self) {
        let x = self.width + room;
        self.slant = other.slant;
        let end = x + other.width;
        self.put(x, 0.0, other);
        self.width = end;
    }

    #[cfg(test)]
    pub(super) fn height(&self) -> f32 {
        self.above + self.below
    }
}

/// Sets nodes in the fonts of a document.
pub(super) struct Setter<'a, 'f> {
    pub(super) faces: &'a mut Faces<'f>,
    pub(super) text_format: &'a TextFormat,
    pub(super) node: NodeId,
}

impl Setter<'_, '_> {
    /// A filled rectangle.
    pub(super) fn bar(&self, x: f32, y: f32, width: f32, height: f32) -> Item {
        Item::Fill {
            area: Area {
                x,
                y,
                width,
                height,
            },
            colour: self.text_format.colour,
        }
    }
}
