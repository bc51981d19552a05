//! A cue: words that are shown from one moment to another. The same for every format.

/// Words and the time in which they are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cue {
    /// The first moment, in milliseconds.
    pub(super) start: u64,
    /// The last moment, in milliseconds.
    pub(super) end: u64,
    pub(super) place: Place,
    pub(super) words: Vec<Piece>,
}

/// Edge of the picture that a cue stands at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    #[default]
    Bottom,
    Middle,
    Top,
}

/// A piece of the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Open(Look),
    Close(Look),
    Break,
}

/// Looks that every format has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Bold,
    Italic,
    Underline,
}

impl Look {
    /// The name of the element in SubRip and WebVTT.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bold => "b",
            Self::Italic => "i",
            Self::Underline => "u",
        }
    }

    /// The look with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Bold, Self::Italic, Self::Underline]
            .into_iter()
            .find(|look| look.name().eq_ignore_ascii_case(name))
    }
}

impl Cue {
    /// Returns whether nothing is to be seen of it.
    pub(super) fn is_empty(&self) -> bool {
        let mut pieces = self.words.iter();
        !pieces.any(|piece| matches!(piece, Piece::Text(text) if !text.trim().is_empty()))
    }
}
