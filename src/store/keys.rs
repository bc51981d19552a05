//! The keys by which clients send requests again (`Idempotency-Key`): what the first request with one has led to. Only passes on to
//! where conversions are kept.

use super::{local, shared};
use crate::id::ConversionId;

/// What a request with a key is. `H` is the right of a first one to its key.
pub enum Entered<H = KeyHold> {
    /// The first with this key.
    First(H),
    /// A repeat of the one that led to this conversion, which can still be asked for.
    Repeat(ConversionId),
    /// Another one than the first.
    Other,
    /// A repeat of one that is still under way.
    UnderWay,
}

impl<H> Entered<H> {
    pub(super) fn map<T>(self, act: impl FnOnce(H) -> T) -> Entered<T> {
        match self {
            Self::First(hold) => Entered::First(act(hold)),
            Self::Repeat(id) => Entered::Repeat(id),
            Self::Other => Entered::Other,
            Self::UnderWay => Entered::UnderWay,
        }
    }
}

/// The right of a first request to its key. Dropped, the key is free again.
pub struct KeyHold(pub(super) HoldAt);

pub(super) enum HoldAt {
    Local(local::KeyHold),
    Shared(shared::KeyHold),
}

impl KeyHold {
    /// The request has led to this conversion.
    pub fn done(self, id: ConversionId) {
        match self.0 {
            HoldAt::Local(hold) => hold.done(id),
            HoldAt::Shared(hold) => hold.done(id),
        }
    }
}
