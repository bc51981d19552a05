//! Idempotency keys: each leads to the conversion of the first request that carried it. Passes every call on to the
//! local store, which is a directory, or to the shared store, which is Redis.

use super::{local, shared};
use crate::id::ConversionId;

/// The claim of a first request on its key. Dropping it without calling [`done`](Self::done) frees the key.
pub struct KeyHold(pub(super) HoldAt);

pub(super) enum HoldAt {
    Local(local::KeyHold),
    Shared(shared::KeyHold),
}

impl KeyHold {
    /// Assigns the key to the conversion that the request led to.
    pub fn done(self, id: ConversionId) {
        match self.0 {
            HoldAt::Local(hold) => hold.done(id),
            HoldAt::Shared(hold) => hold.done(id),
        }
    }
}
