//! What a file becomes once it has been understood: a source of samples, with its tags. Reads nothing itself.

use super::{
    sound::pcm::{Block, Spec},
    tags::Tags,
};
use crate::error::Result;

/// A stream of blocks. A source never hands over more than it says, and never ends early without saying so.
pub(crate) trait Source {
    /// What the first block is going to be.
    fn spec(&self) -> Spec;

    /// How many frames there are, as far as is known before the end.
    fn frames(&self) -> Option<u64>;

    /// Whether the sound has been through a lossy codec, so that depth beyond 16 bits means nothing.
    fn lossy(&self) -> bool;

    /// Puts the next frames into `block`; there may be none. False at the end.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for content that cannot be decoded.
    fn read(&mut self, block: &mut Block) -> Result<bool>;

    /// What of the sound is missing or damaged, once the end has been reached: clauses that follow
    /// "the file is damaged: ".
    fn losses(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A file that has been understood.
pub(crate) struct Opened<'a> {
    /// The sound.
    pub(crate) source: Box<dyn Source + 'a>,
    /// What the file says about itself.
    pub(crate) tags: Tags,
    /// What the person who asked should know: whole sentences.
    pub(crate) remarks: Vec<String>,
    /// What is known to be missing or damaged already, see [`Source::losses`].
    pub(crate) losses: Vec<String>,
}

impl<'a> Opened<'a> {
    /// A file about which there is nothing else to say.
    pub(crate) fn new(source: impl Source + 'a, tags: Tags) -> Self {
        Self {
            source: Box::new(source),
            tags,
            remarks: Vec::new(),
            losses: Vec::new(),
        }
    }

    /// The same file, of which something is missing or damaged.
    pub(crate) fn with_losses(mut self, losses: impl IntoIterator<Item = String>) -> Self {
        self.losses.extend(losses);
        self
    }
}
