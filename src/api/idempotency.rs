//! `Idempotency-Key`: a conversion that is asked for twice is done once. Keeps no conversion alive.
//!
//! A client that does not know whether its request arrived sends it again with the same key (the IETF's draft
//! "The Idempotency-Key HTTP Header Field"). For as long as the link of the first answer works, the repeat gets the same record.
//! Another form under the same key is a mistake of the client's, and so is a repeat while the first is under way: 409.
//!
//! Keys and forms are compared by their digests, which the store keeps with the conversion, so that a restart forgets neither. Keys
//! of different addresses are different keys.

use super::{Api, form::Form};
use crate::{
    error::{Error, Kind, Result},
    http::Head,
    id::ConversionId,
    store::{Digest, Digester, Repeat, Spool, Status, Store},
};
use std::{
    collections::HashMap,
    fs::File,
    io,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// The longest key, in bytes.
pub(super) const MAX_KEY: usize = 255;
/// Keys that are remembered; beyond it those whose links are over are forgotten.
const MAX_KEYS: usize = 16_384;

/// The keys of requests whose results may still be had. Clones share them.
#[derive(Clone)]
pub(super) struct Keys(Arc<Shared>);

struct Shared {
    digester: Digester,
    /// By the digests of the keys.
    entries: Mutex<HashMap<Digest, Entry>>,
}

struct Entry {
    form: Digest,
    /// The conversion; none while its request is under way.
    done: Option<ConversionId>,
}

/// What a request is.
pub(super) enum Attempt {
    /// The first with its key, or it has none.
    First(Option<Claim>),
    /// A repeat of the one that led to this conversion.
    Repeat(ConversionId),
}

/// The right of a first request to its key. Dropped, the key is free again.
pub(super) struct Claim {
    keys: Keys,
    repeat: Repeat,
    done: bool,
}

/// The key of a request, if it has one.
///
/// Errors: [`Kind::BadInput`] for one that is no key.
pub(super) fn key(head: &Head) -> Result<Option<&str>> {
    let mut keys = head.fields("idempotency-key");
    let (Some(key), None) = (keys.next(), keys.next()) else {
        return match head.field("idempotency-key") {
            None => Ok(None),
            Some(_) => Err(bad("it stands twice")),
        };
    };
    match (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(Some(key)),
        false => Err(bad("it is something else")),
    }
}

/// Finds out whether a request is the first with its key. Its form has been received.
///
/// Errors: those of [`key`]; [`Kind::Conflict`] if another form was sent with the key, or the first request is under way;
/// [`Kind::Busy`] if too many keys are in use.
pub(super) fn enter(api: &Api, head: &Head, form: &Form, spool: &Spool) -> Result<Attempt> {
    let Some(key) = key(head)? else {
        return Ok(Attempt::First(None));
    };
    let keys = &api.idempotency;
    let repeat = Repeat {
        key: keys.of(spool.owner(), key),
        form: keys.of_form(form, spool.open_upload()?)?,
    };
    let now = SystemTime::now();
    let is_live = |id: &ConversionId| match api.store.status(id, now, Duration::ZERO) {
        Status::Processing { .. } | Status::Ready(_) | Status::Failed(_) | Status::Unreachable => {
            true
        }
        Status::NotFound | Status::Expired { .. } => false,
    };
    keys.enter(repeat, is_live)
}

fn bad(what: &str) -> Error {
    let text = format!(
        "Idempotency-Key must be one word of at most {MAX_KEY} visible ASCII characters; {what}"
    );
    Error::new(Kind::BadInput, text)
}

impl Keys {
    /// Those of the conversions in a store.
    pub(super) fn of_store(store: &Store) -> Self {
        let known = store.repeats().into_iter().take(MAX_KEYS);
        let entries = known.map(|(Repeat { key, form }, id)| {
            let done = Some(id);
            (key, Entry { form, done })
        });
        Self(Arc::new(Shared {
            digester: store.digester(),
            entries: Mutex::new(entries.collect()),
        }))
    }

    /// The digest of a client's key.
    fn of(&self, client: Option<IpAddr>, key: &str) -> Digest {
        let mut digester = self.0.digester.clone();
        digester.add_text(&client.map(|client| client.to_string()).unwrap_or_default());
        digester.add_text(key);
        digester.finish()
    }

    /// The digest of a form whose file is in `file`.
    fn of_form(&self, form: &Form, mut file: File) -> Result<Digest> {
        let mut digester = self.0.digester.clone();
        let mut fields: Vec<_> = form.fields.iter().collect();
        fields.sort();
        let texts = fields.iter().flat_map(|(name, value)| [name, value]);
        for text in texts.chain([&form.file_name]) {
            digester.add_text(text);
        }
        io::copy(&mut file, &mut digester)
            .map_err(|err| Error::storage("the upload cannot be read", err))?;
        Ok(digester.finish())
    }

    /// Takes a key, or finds what it has led to. `is_live` says whether a conversion can still be asked for.
    fn enter(&self, repeat: Repeat, is_live: impl Fn(&ConversionId) -> bool) -> Result<Attempt> {
        let Repeat { key, form } = repeat;
        let lives = |entry: &Entry| entry.done.is_none_or(|id| is_live(&id));
        let mut entries = self.entries();
        match entries.get(&key).filter(|entry| lives(entry)) {
            Some(entry) if entry.form != form => {
                let text = "this Idempotency-Key was sent with another form; a new conversion needs a new key";
                return Err(Error::new(Kind::Conflict, text));
            }
            Some(Entry { done: None, .. }) => {
                let text = "a request with this Idempotency-Key is still under way";
                return Err(Error::new(Kind::Conflict, text));
            }
            Some(Entry { done: Some(id), .. }) => return Ok(Attempt::Repeat(*id)),
            None => {}
        }
        if entries.len() >= MAX_KEYS {
            entries.retain(|_, entry| lives(entry));
        }
        if entries.len() >= MAX_KEYS {
            return Err(Error::new(
                Kind::Busy,
                "too many idempotency keys are in use",
            ));
        }
        entries.insert(key, Entry { form, done: None });
        Ok(Attempt::First(Some(Claim {
            keys: self.clone(),
            repeat,
            done: false,
        })))
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Digest, Entry>> {
        self.0
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim {
    /// What a repeat is known by.
    pub(super) fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// The request has led to this conversion.
    pub(super) fn done(mut self, id: ConversionId) {
        self.done = true;
        if let Some(entry) = self.keys.entries().get_mut(&self.repeat.key) {
            entry.done = Some(id);
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.done {
            self.keys.entries().remove(&self.repeat.key);
        }
    }
}
