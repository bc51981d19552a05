//! The interface of a file that is read: a source of samples, and its tags. Reads nothing itself.

use super::{
    sound::pcm::{Block, Spec},
    tags::Tags,
};
use convertd_core::error::Result;

/// A sequence of blocks. A source never returns more frames than it announced, and never ends early without reporting a
/// loss.
pub(crate) trait Source {
    /// Returns the description of the first block.
    fn spec(&self) -> Spec;

    /// Returns the number of sample frames, if it is known before the end.
    fn frames(&self) -> Option<u64>;

    /// Returns whether the sound comes from a lossy codec, so that a depth beyond 16 bits is meaningless.
    fn lossy(&self) -> bool;

    /// Puts the next frames into `block`, which may stay empty. Returns false at the end.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for content that cannot be decoded.
    fn read(&mut self, block: &mut Block) -> Result<bool>;

    /// Returns the losses that are known only after the end: what is missing or damaged, as clauses that follow "the
    /// file is damaged: ".
    fn losses(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A file that has been opened.
pub(crate) struct Opened<'a> {
    /// The sound.
    pub(crate) source: Box<dyn Source + 'a>,
    /// The tags of the file.
    pub(crate) tags: Tags,
    /// Notes for the user, as whole sentences.
    pub(crate) remarks: Vec<String>,
    /// Losses that are known already; see [`Source::losses`].
    pub(crate) losses: Vec<String>,
}

impl<'a> Opened<'a> {
    /// Makes a file without notes and losses.
    pub(crate) fn new(source: impl Source + 'a, tags: Tags) -> Self {
        Self {
            source: Box::new(source),
            tags,
            remarks: Vec::new(),
            losses: Vec::new(),
        }
    }

    /// Adds losses.
    pub(crate) fn with_losses(mut self, losses: impl IntoIterator<Item = String>) -> Self {
        self.losses.extend(losses);
        self
    }
}
