//! Pictures of a deck as resources of a document. Each picture is read once.

use super::deck::Deck;
use crate::error::Result;
use convertd_tree::{Builder, ResourceId};
use std::collections::HashMap;

/// Resources by the names of the pictures in the deck. `None` for missing pictures.
#[derive(Default)]
pub(crate) struct Pictures(HashMap<Box<str>, Option<ResourceId>>);

impl Pictures {
    /// Reads a picture, unless it is known already. `None` if the deck lacks it.
    ///
    /// Errors: those of [`Deck::picture`] and of the document's memory.
    pub(crate) fn read(
        &mut self,
        build: &mut Builder<'_>,
        deck: &mut dyn Deck,
        name: &str,
    ) -> Result<Option<ResourceId>> {
        if let Some(known) = self.0.get(name) {
            return Ok(*known);
        }
        let id = match deck.picture(name)? {
            Some(bytes) => Some(build.resource(bytes, name, None)?),
            None => None,
        };
        self.0.insert(name.into(), id);
        Ok(id)
    }

    /// Returns a picture that has been read. `None` if the deck lacks it.
    pub(crate) fn get(&self, name: &str) -> Option<ResourceId> {
        self.0.get(name).copied().flatten()
    }
}
