//! `Idempotency-Key`: repeats of a request lead to one conversion. Does not prolong the life of a conversion.
//!
//! A client that does not know whether its request arrived sends it again with the same key (the IETF's draft "The
//! Idempotency-Key HTTP Header Field"). The repeat gets the same record for as long as the link of the first answer
//! works. Another form under the same key is a mistake of the client, and a repeat while the first request is running
//! comes too early: both get 409.
//!
//! Keys and forms are compared by digests, which the store keeps. So they survive a restart, and are known to all
//! instances with one store. The same key from two addresses counts as two keys.

use super::{form::Form, state::Api};
use crate::{
    error::{Error, Kind, Result},
    http::Head,
    id::ConversionId,
    store::{Digest, Digester, Entered, KeyHold, Repeat, Spool},
};
use std::{fs::File, io, net::IpAddr, time::SystemTime};

/// The longest key, in bytes.
pub(super) const MAX_KEY: usize = 255;

/// Classification of a request by its idempotency key.
pub(super) enum Attempt {
    /// The first request with its key (`Some`), or a request without a key (`None`).
    First(Option<Claim>),
    /// A repeat of the request that led to this conversion.
    Repeat(ConversionId),
}

/// The claim of a first request on its key. Dropping it without [`done`](Self::done) frees the key.
pub(super) struct Claim {
    hold: KeyHold,
    repeat: Repeat,
}

/// The key of a request, if it has one.
///
/// Errors: [`Kind::BadInput`] for an invalid key.
pub(super) fn key(head: &Head) -> Result<Option<&str>> {
    let mut keys = head.fields("idempotency-key");
    let (Some(key), None) = (keys.next(), keys.next()) else {
        return match head.field("idempotency-key") {
            None => Ok(None),
            Some(_) => Err(bad("it was sent twice")),
        };
    };
    match (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(Some(key)),
        false => Err(bad("the value sent is longer, or has other characters")),
    }
}

/// Determines whether a request is the first with its key. The form must have been received into `spool` before.
///
/// Errors: those of [`key`]; [`Kind::Conflict`] if another form was sent with the key, or the first request is under
/// way; [`Kind::Busy`] if too many keys are in use.
pub(super) fn enter(api: &Api, head: &Head, form: &Form, spool: &Spool) -> Result<Attempt> {
    let Some(key) = key(head)? else {
        return Ok(Attempt::First(None));
    };
    let digester = api.store.digester()?;
    let repeat = Repeat {
        key: of_key(&digester, spool.owner(), key),
        form: of_form(&digester, form, spool.open_upload()?)?,
    };
    match api.store.enter(&repeat, SystemTime::now())? {
        Entered::First(hold) => Ok(Attempt::First(Some(Claim { hold, repeat }))),
        Entered::Repeat(id) => Ok(Attempt::Repeat(id)),
        // The order of the fields does not matter: `of_form` sorts them.
        Entered::Other => {
            let text =
                "this Idempotency-Key was sent with another form; a new conversion needs a new key";
            Err(Error::new(Kind::Conflict, text))
        }
        Entered::UnderWay => {
            let text = "a request with this Idempotency-Key is still under way";
            Err(Error::new(Kind::Conflict, text))
        }
    }
}

fn bad(what: &str) -> Error {
    let text = format!(
        "Idempotency-Key must be one word of at most {MAX_KEY} visible ASCII characters; {what}"
    );
    Error::new(Kind::BadInput, text)
}

/// The digest of a client's key.
fn of_key(digester: &Digester, client: Option<IpAddr>, key: &str) -> Digest {
    let mut digester = digester.clone();
    digester.add_text(&client.map(|client| client.to_string()).unwrap_or_default());
    digester.add_text(key);
    digester.finish()
}

/// The digest of a form whose file is in `file`.
fn of_form(digester: &Digester, form: &Form, mut file: File) -> Result<Digest> {
    let mut digester = digester.clone();
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

impl Claim {
    /// Digests by which the store recognises a repeat.
    pub(super) fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// Assigns the key to the conversion that the request led to.
    pub(super) fn done(self, id: ConversionId) {
        self.hold.done(id);
    }
}
