//! Idempotency keys, which all instances share. Identifies requests only by their digests.
//!
//! The first request with a key holds it on a lease, which the heartbeat renews until the request is answered, so the
//! key of an instance that died is soon free. After the answer, the key leads to its conversion until the link of the
//! conversion has ended. If an instance dies after it stored the result and before it stored the key, a repeat is
//! converted once more.

use super::{Store, backlog::Step, pool::Fault, token, unexpected, wire::Reply};
use crate::{
    error::Result,
    id::ConversionId,
    store::{
        digest::{Digester, Repeat},
        state::Entered,
    },
};

impl Store {
    /// Makes digests that are the same on all instances, by a secret that the first of them has put into Redis.
    pub(in crate::store) fn digester(&self) -> Result<Digester> {
        let proposal = token()?;
        let reply = self
            .0
            .link
            .step(&[b"secret", proposal.as_bytes()])
            .map_err(Fault::into_error)?;
        let secret = reply
            .text()
            .and_then(|text| u128::from_str_radix(&text, 16).ok());
        let secret = secret.ok_or_else(|| unexpected(&reply).into_error())?;
        Ok(Digester::new(secret.to_le_bytes()))
    }

    /// See [`enter`](crate::store::Store::enter).
    pub(in crate::store) fn enter(&self, repeat: &Repeat) -> Result<Entered<KeyHold>> {
        let key = repeat.key.to_string();
        let token = token()?;
        let reply = self
            .0
            .link
            .step(&[
                b"enter",
                key.as_bytes(),
                token.as_bytes(),
                repeat.form.to_string().as_bytes(),
                self.0.heartbeat.lease_ms().as_bytes(),
            ])
            .map_err(Fault::into_error)?;
        match reply.first_word().as_str() {
            "first" => {
                self.0.heartbeat.hold_key(&key, &token);
                let store = self.clone();
                Ok(Entered::First(KeyHold { store, key, token }))
            }
            "other" => Ok(Entered::Other),
            "busy" => Ok(Entered::UnderWay),
            _ => repeated(&reply)
                .map(Entered::Repeat)
                .ok_or_else(|| unexpected(&reply).into_error()),
        }
    }
}

fn repeated(reply: &Reply) -> Option<ConversionId> {
    match reply {
        Reply::List(parts) => parts.get(1)?.text()?.parse().ok(),
        _ => None,
    }
}

/// The right of a first request to its key.
pub(in crate::store) struct KeyHold {
    store: Store,
    key: String,
    token: String,
}

impl KeyHold {
    /// Reports the conversion to Redis before the answer is sent, so that a repeat at another instance finds it. If
    /// Redis cannot be reached, the report is queued.
    pub(in crate::store) fn done(self, id: ConversionId) {
        let id = id.to_string();
        let [ttl, _] = self.store.terms();
        let words: [&[u8]; 5] = [
            b"settle",
            self.key.as_bytes(),
            self.token.as_bytes(),
            id.as_bytes(),
            ttl.as_bytes(),
        ];
        if let Err(fault) = self.store.0.link.step(&words) {
            log::debug!("a key could not be recorded: {fault:?}");
            self.store.0.heartbeat.backlog.soon(Step::new(&words));
        }
    }
}

impl Drop for KeyHold {
    fn drop(&mut self) {
        self.store.0.heartbeat.let_go_of_key(&self.key);
        // Redis ignores this step if the key already leads to a conversion.
        self.store
            .soon(&[b"free", self.key.as_bytes(), self.token.as_bytes()]);
    }
}
