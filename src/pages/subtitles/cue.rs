//! A cue: text that is shown for a period of time. The same type serves all formats.

/// Text and the time in which it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cue {
    /// Start in milliseconds.
    pub(super) start: u64,
    /// End in milliseconds.
    pub(super) end: u64,
    pub(super) edge: Edge,
    pub(super) words: Vec<Piece>,
}

/// Edge of the picture at which a cue is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Edge {
    #[default]
    Bottom,
    Middle,
    Top,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Open(Emphasis),
    Close(Emphasis),
    Break,
}

/// Styles that all formats have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emphasis {
    Bold,
    Italic,
    Underline,
}

impl Emphasis {
    /// Name of the element in SubRip and WebVTT.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bold => "b",
            Self::Italic => "i",
            Self::Underline => "u",
        }
    }

    /// The style with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Bold, Self::Italic, Self::Underline]
            .into_iter()
            .find(|emphasis| emphasis.name().eq_ignore_ascii_case(name))
    }
}

impl Cue {
    /// Returns whether the cue has no visible text.
    pub(super) fn is_empty(&self) -> bool {
        let mut pieces = self.words.iter();
        !pieces.any(|piece| matches!(piece, Piece::Text(text) if !text.trim().is_empty()))
    }
}
