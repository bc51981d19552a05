//! Idempotency keys of requests whose results may still be downloaded, in memory. Their digests are stored with
//! accepted conversions and with results, so after a restart these keys still lead to their conversions.

use super::Store;
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
    store::{
        digest::{Digest, Repeat},
        state::{Entered, Status},
    },
};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// Limit on remembered keys. When it is reached, keys whose links have ended are forgotten. Without such keys, further
/// ones are refused.
const MAX_KEYS: usize = 16_384;

/// Entries by the digests of their keys.
#[derive(Default)]
pub(super) struct Keys(Mutex<HashMap<Digest, Entry>>);

struct Entry {
    form: Digest,
    /// The conversion; `None` while its request is being answered.
    done: Option<ConversionId>,
}

impl Keys {
    /// Adds the keys of known conversions, at most [`MAX_KEYS`].
    pub(super) fn add(&self, known: impl Iterator<Item = (Repeat, ConversionId)>) {
        let entries = known.take(MAX_KEYS).map(|(Repeat { key, form }, id)| {
            let done = Some(id);
            (key, Entry { form, done })
        });
        self.entries().extend(entries);
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Digest, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// See [`enter`](crate::store::Store::enter).
    pub(in crate::store) fn enter(
        &self,
        repeat: &Repeat,
        now: SystemTime,
    ) -> Result<Entered<KeyHold>> {
        let is_live = |id: &ConversionId| match self.status(id, now) {
            // A conversion keeps its key until its link has ended.
            Status::Processing { .. }
            | Status::Ready(_)
            | Status::Failed(_)
            | Status::Unreachable => true,
            Status::NotFound | Status::Expired { .. } => false,
        };
        let lives = |entry: &Entry| entry.done.is_none_or(|id| is_live(&id));
        let &Repeat { key, form } = repeat;
        let mut entries = self.0.keys.entries();
        match entries.get(&key).filter(|entry| lives(entry)) {
            Some(entry) if entry.form != form => return Ok(Entered::Other),
            Some(Entry { done: None, .. }) => return Ok(Entered::UnderWay),
            Some(Entry { done: Some(id), .. }) => return Ok(Entered::Repeat(*id)),
            None => {}
        }
        // The walk over all entries happens only when the table is full.
        if entries.len() >= MAX_KEYS {
            entries.retain(|_, entry| lives(entry));
        }
        if entries.len() >= MAX_KEYS {
            let text = "too many idempotency keys are in use";
            return Err(Error::new(Kind::Busy, text));
        }
        entries.insert(key, Entry { form, done: None });
        Ok(Entered::First(KeyHold {
            store: self.clone(),
            key,
            is_done: false,
        }))
    }
}

/// The right of a first request to its key. Dropping it before [`done`](Self::done) frees the key for a repeat.
pub(in crate::store) struct KeyHold {
    store: Store,
    key: Digest,
    is_done: bool,
}

impl KeyHold {
    pub(in crate::store) fn done(mut self, id: ConversionId) {
        self.is_done = true;
        if let Some(entry) = self.store.0.keys.entries().get_mut(&self.key) {
            entry.done = Some(id);
        }
    }
}

impl Drop for KeyHold {
    fn drop(&mut self) {
        if !self.is_done {
            self.store.0.keys.entries().remove(&self.key);
        }
    }
}
