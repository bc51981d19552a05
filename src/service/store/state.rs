//! States of conversions, in the form that both kinds of store report. Stores nothing itself.

use super::record::{Failure, Record, Request};
use crate::{
    error::{Error, Kind},
    id::ConversionId,
    job::Progress,
};
use std::{sync::Arc, time::SystemTime};

/// State of an identifier.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// No conversion has this identifier, or it was forgotten.
    NotFound,
    /// Accepted and not finished.
    Processing {
        /// The client's request.
        request: Request,
        /// Progress of the conversion; `None` until the converter reports it.
        progress: Option<Progress>,
    },
    /// The result can be downloaded.
    Ready(Arc<Record>),
    /// The result has been downloaded or deleted, or the term of the result or of the failure is over.
    Expired {
        /// Whether the client downloaded or deleted it, rather than leaving it to expire.
        downloaded: bool,
        /// The end of the link's term, in whole seconds. It may lie in the future if the result was downloaded or
        /// deleted.
        expires_at: SystemTime,
    },
    /// There is no result, and there will not be one.
    Failed(Failure),
    /// The shared store cannot be reached.
    Unreachable,
}

/// Reason why there is nothing to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No conversion has this identifier, or it was forgotten.
    NotFound,
    /// There is no result yet.
    Processing,
    /// There is no result, and there will not be one.
    Failed(Failure),
    /// The result is gone: downloaded, deleted or expired.
    Expired {
        /// Whether the client downloaded or deleted it, rather than leaving it to expire.
        downloaded: bool,
    },
    /// Another download of the result is running.
    Claimed,
    /// The shared store cannot be reached.
    Unreachable,
}

/// Outcome of a request with an idempotency key. `H` is the hold on the key, which only the first request gets.
pub enum Entered<H> {
    /// The first request with this key.
    First(H),
    /// A repeat of the request that led to this conversion, which still exists.
    Repeat(ConversionId),
    /// A different request with the same key.
    Other,
    /// A repeat of a request that is still being answered.
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

/// The error for a shared store that cannot be reached.
pub fn unreachable() -> Error {
    Error::new(
        Kind::Busy,
        "the store that the instances share cannot be reached at the moment; try again",
    )
}

/// The error for a store that has reached its limit on conversions.
pub(super) fn full() -> Error {
    Error::new(
        Kind::Busy,
        "the service holds as many conversions as it can; try again later",
    )
}

/// The error for an address that has used up its share of the store.
pub(super) fn share_exceeded(places: u64, bytes: u64) -> Error {
    let text = format!(
        "your address has {places} results of {} MiB in total, the limit for one address: download some, or wait until their links expire",
        bytes.div_ceil(1 << 20)
    );
    Error::new(Kind::Busy, text)
}

/// Number of conversions in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Uploads that are being received, and synchronous conversions that are running.
    pub spools: usize,
    /// Accepted (asynchronous) conversions that are not finished.
    pub processing: usize,
    /// Results to download, and failures of accepted conversions.
    pub live: usize,
    /// Conversions whose result or failure is gone, and of which only the kind of ending is remembered.
    pub tombstones: usize,
    /// Bytes of all results.
    pub bytes: u64,
    /// State of the shared store, if there is one. The other fields then count the conversions in the data directory of
    /// this instance, except `processing`, which counts those of all instances.
    pub shared: Option<Shared>,
}

/// State of a shared store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Whether the shared store can be reached.
    pub is_up: bool,
    /// The memory that the shared store uses, in bytes.
    pub memory: u64,
    /// The limit on that memory, in bytes; 0 for no limit.
    pub limit: u64,
}
