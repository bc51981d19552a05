//! Limits of a shared store for each address and for all together: the same shares as in the local store, but decided
//! in Redis, which stores the totals of all instances. Counts by address, because the service cannot identify the users
//! behind an address.

use super::{Store, pool::Fault, unexpected, wire::Reply};
use crate::{
    error::{Error, Result},
    store::state::{full, share_exceeded},
};
use std::net::IpAddr;

/// Arguments of a step that stores something: the owner, the limit on conversions, and the limit on their bytes.
pub(super) struct Limits {
    /// Address of the owner, or `-` without one.
    pub(super) owner: String,
    /// Limit on the number of conversions.
    pub(super) most: String,
    /// Limit on bytes; empty without a limit.
    pub(super) room: String,
}

impl Limits {
    pub(super) fn of(store: &Store, owner: Option<IpAddr>) -> Self {
        Self {
            owner: owner.map_or_else(|| "-".into(), |owner| owner.to_string()),
            most: store.0.scratch.settings().max_records.to_string(),
            room: match store.0.heartbeat.server_info.room() {
                Some(bytes) => bytes.to_string(),
                None => String::new(),
            },
        }
    }
}

/// Asks Redis whether `owner` may store `bytes` more.
pub(super) fn ask(store: &Store, owner: Option<IpAddr>, bytes: u64) -> Result<()> {
    let limits = Limits::of(store, owner);
    let reply = store.0.link.step(&[
        b"share",
        limits.owner.as_bytes(),
        bytes.to_string().as_bytes(),
        limits.most.as_bytes(),
        limits.room.as_bytes(),
    ]);
    let reply = reply.map_err(Fault::into_error)?;
    match (reply.first_word().as_str(), refusal(&reply)) {
        ("ok", _) => Ok(()),
        (_, Some(error)) => Err(error),
        (_, None) => Err(unexpected(&reply).into_error()),
    }
}

/// The error that a reply means, if Redis refuses to store more.
pub(super) fn refusal(reply: &Reply) -> Option<Error> {
    let Reply::List(parts) = reply else {
        return None;
    };
    let number = |at: usize| parts.get(at)?.text()?.parse::<u64>().ok();
    match (reply.first_word().as_str(), number(1), number(2)) {
        ("many", ..) => Some(full()),
        ("share", Some(places), Some(bytes)) => Some(share_exceeded(places, bytes)),
        _ => None,
    }
}

/// Parses the name of an owner, which is an address.
pub(super) fn owner(name: &str) -> Option<IpAddr> {
    name.parse().ok()
}
