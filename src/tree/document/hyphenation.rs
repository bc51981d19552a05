//! Settings of automatic hyphenation. Has no patterns: the layout divides words.

use super::Length;

/// Automatic hyphenation of a document: words that may be divided at the end of a line, in addition to those with soft
/// hyphens. Applies to text whose language is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hyphenation {
    /// Whether paragraphs are hyphenated unless their style says otherwise.
    pub automatic: bool,
    /// Whether words in capitals are hyphenated.
    pub capitals: bool,
    /// Limit on successive lines that end with a hyphen. `None` if their number is unlimited.
    pub ladder: Option<u16>,
    /// Space that may stay empty at the end of a line. A word is divided only if more than this would stay empty.
    pub zone: Length,
    /// Smallest number of letters in a word that may be divided.
    pub word: u8,
    /// Smallest number of letters before the hyphen. The rules of a language may require more.
    pub before: u8,
    /// Smallest number of letters after the hyphen. The rules of a language may require more.
    pub after: u8,
}

impl Hyphenation {
    /// Word's defaults: the zone is a quarter of an inch (ECMA-376 part 1, 17.15.1.53).
    pub const WORD: Self = Self {
        zone: Length::twips(360),
        ..Self::CSS
    };

    /// The limits of CSS (Text 4, 6.3.2).
    const CSS: Self = Self {
        automatic: false,
        capitals: true,
        ladder: None,
        zone: Length::ZERO,
        word: 5,
        before: 2,
        after: 2,
    };
}

impl Default for Hyphenation {
    fn default() -> Self {
        Self::CSS
    }
}
