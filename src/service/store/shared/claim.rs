//! The right to deliver a result or a part of it, which Redis grants so that two downloads of the whole result never
//! run at the same time, on whatever instances. Dropping it never waits for a network.
//!
//! A claim is a lease: the heartbeat renews it, and [`Claim::holds`] says whether it is still valid. If an instance or
//! its network stood still for longer than the lease, another instance may have begun to deliver the same result, so
//! the download must be aborted.

use super::{
    Known, ONLY, Store, away,
    backlog::Step,
    blob::{self, Trouble},
    heartbeat::Lease,
    parse_record,
    pool::Fault,
    result_key, token, unexpected,
    wire::Reply,
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
    store::{record::Record, state::Unavailable},
};
use std::{
    fs::File,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// The right to deliver a range of a result. Dropping it gives the right back.
pub(in crate::store) struct Claim {
    store: Store,
    record: Arc<Record>,
    range: Range<u64>,
    token: String,
    lease: Lease,
    /// Token of the attempt that made the result. It is a part of the Redis key of the result's bytes.
    made_by: String,
    checksum: u32,
    /// First piece of the range, if Redis sent it with the claim. Empty after the result has been opened.
    piece: Mutex<Vec<u8>>,
    /// Whether Redis has released the claim, or a queued step will release it.
    is_over: bool,
}

impl Claim {
    /// Claims `range` or, with `None`, the whole result. If the caller `opens` the result next, the first piece of the
    /// range is requested along with the claim, because most results have only one piece. (A script that returned the
    /// piece would take Redis four times as long as a plain read.)
    pub(super) fn take(
        store: &Store,
        id: &ConversionId,
        range: Option<Range<u64>>,
        opens: bool,
    ) -> Result<Self, Unavailable> {
        let token = token().map_err(|_| Unavailable::Unreachable)?;
        let (first, last) = match &range {
            Some(range) => (range.start.to_string(), range.end.to_string()),
            None => ("0".into(), String::new()),
        };
        // The lease starts before the request is sent, so that it ends here before it ends in Redis.
        let until = store.0.heartbeat.lease_from_now();
        let (link, heartbeat) = (&store.0.link, &store.0.heartbeat);
        // The key of the first piece is known in advance only if an attempt with the token `ONLY` made the result. The
        // first piece of any other result is fetched by `open`.
        let (id_text, key) = (id.to_string(), result_key(id, ONLY));
        let at = blob::piece_at(range.as_ref().map_or(0, |range| range.start)).to_string();
        let mut replies = link
            .run(|batch| {
                link.add_step(
                    batch,
                    &[
                        b"claim",
                        id_text.as_bytes(),
                        token.as_bytes(),
                        first.as_bytes(),
                        last.as_bytes(),
                        heartbeat.lease_ms().as_bytes(),
                        blob::PIECE.to_string().as_bytes(),
                    ],
                );
                if opens {
                    batch.add(&[b"HGET", key.as_bytes(), at.as_bytes()]);
                }
            })
            .map_err(|fault| away(id, &fault))?
            .into_iter();
        let reply = replies.next().unwrap_or(Reply::Nothing);
        match reply.first_word().as_str() {
            "ok" => {}
            "held" => return Err(Unavailable::Claimed),
            _ => {
                let known = Known::parse(&reply, id).ok_or_else(|| unexpected(&reply));
                return Err(known.map_or_else(|fault| away(id, &fault), Known::into_unavailable));
            }
        }
        let granted = || {
            let Reply::List(parts) = &reply else {
                return None;
            };
            let text = |at: usize| parts.get(at)?.text();
            let record = parse_record(&text(1)?, &text(2)?, &text(3)?, id)?;
            Some((record, text(4)?, text(5)?.parse().ok()?))
        };
        let (record, made_by, checksum) = granted().ok_or_else(|| away(id, &unexpected(&reply)))?;
        let piece = match replies.next() {
            Some(Reply::Text(bytes)) if made_by == ONLY => bytes,
            Some(_) | None => Vec::new(),
        };
        let lease = heartbeat.hold_download(*id, &token, until);
        let range = range.unwrap_or(0..record.file_size);
        Ok(Self {
            store: store.clone(),
            record: Arc::new(record),
            range,
            token,
            lease,
            made_by,
            checksum,
            piece: Mutex::new(piece),
            is_over: false,
        })
    }

    pub(in crate::store) fn record(&self) -> &Arc<Record> {
        &self.record
    }

    /// Fetches the range into an unnamed file, at its own positions. The whole range is fetched before the first byte
    /// is sent, so a running download does not depend on Redis.
    pub(in crate::store) fn open(&self) -> Result<File> {
        let unreadable = |err| Error::storage("the result cannot be fetched", err);
        let scratch = self.store.scratch();
        scratch.room_for(self.range.end - self.range.start)?;
        let file = scratch.scratch_file().map_err(unreadable)?;
        let mut range = self.range.clone();
        let piece = std::mem::take(&mut *self.piece.lock().unwrap_or_else(PoisonError::into_inner));
        if !piece.is_empty() {
            range.start = blob::put_piece(&piece, &range, &file).map_err(unreadable)?;
        }
        let key = result_key(&self.record.id, &self.made_by);
        blob::get(&self.store.0.link, &key, &range, &file).map_err(|trouble| match trouble {
            Trouble::Redis(fault) => fault.into_error(),
            Trouble::Disk(err) => unreadable(err),
            Trouble::Gone => Error::new(
                Kind::Busy,
                "the link has ended while the result was being fetched",
            ),
        })?;
        Ok(file)
    }

    pub(in crate::store) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns whether the lease is valid: until it ends, no other instance can begin to deliver the result.
    pub(in crate::store) fn holds(&self) -> bool {
        self.store.0.heartbeat.holds(&self.lease)
    }

    /// Tells Redis before the last bytes are sent, unless Redis marked them as sent already, so that no other instance
    /// offers a result that the client already has.
    pub(in crate::store) fn sent(&self) {
        if !self.is_sent_at_once() {
            self.mark(b"1");
        }
    }

    pub(in crate::store) fn unsent(&self) {
        if !self.is_sent_at_once() {
            self.mark(b"0");
        }
    }

    /// Returns whether Redis marked everything as sent when it granted the claim, as it does for a range in one piece.
    fn is_sent_at_once(&self) -> bool {
        blob::is_one_piece(&self.range)
    }

    fn mark(&self, sent: &[u8]) {
        let id = self.id();
        let words = [b"sent" as &[u8], id.as_bytes(), self.token.as_bytes(), sent];
        if let Err(fault) = self.store.0.link.step(&words) {
            log::debug!("{:?}: {fault:?}", self.record.id);
        }
    }

    /// Notes that the peer's kernel has the bytes. If Redis is unreachable, the report is queued.
    pub(in crate::store) fn delivered(mut self) -> Option<Receipt> {
        let id = self.id();
        let (first, last) = (self.range.start.to_string(), self.range.end.to_string());
        let words: [&[u8]; 5] = [
            b"delivered",
            id.as_bytes(),
            self.token.as_bytes(),
            first.as_bytes(),
            last.as_bytes(),
        ];
        let done = self.store.0.link.step(&words);
        // The step that reports the delivery gives the claim back as well. The claim counts as given back unless Redis
        // refused the step: after `Away`, the step is queued below.
        self.is_over = !matches!(done, Err(Fault::Full | Fault::Refused(_)));
        match done {
            Ok(reply) if reply.first_word() == "whole" => Some(Receipt {
                store: self.store.clone(),
                id: self.record.id,
                token: self.token.clone(),
                is_small: self.record.file_size <= blob::PIECE,
                is_read: true,
            }),
            Ok(_) => None,
            // The queue cannot return a receipt, so a complete delivery counts as read.
            Err(Fault::Away(_)) => {
                let confirm = Step::new(&[b"confirm", id.as_bytes(), self.token.as_bytes()]);
                let step = Step::new(&words).then("whole", confirm);
                self.store.0.heartbeat.backlog.soon(step);
                None
            }
            Err(fault) => {
                log::warn!(
                    "{:?}: its delivery could not be recorded: {fault:?}",
                    self.record.id
                );
                None
            }
        }
    }

    fn id(&self) -> String {
        self.record.id.to_string()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.store.0.heartbeat.let_go_of_download(&self.token);
        if !self.is_over {
            self.store
                .soon(&[b"release", self.id().as_bytes(), self.token.as_bytes()]);
        }
    }
}

/// A recorded delivery. Dropping it confirms that the client has read the result, whose bytes are then removed.
pub(in crate::store) struct Receipt {
    store: Store,
    id: ConversionId,
    token: String,
    /// Whether the bytes fit into one piece: a small result may stay in Redis until several can be removed with one
    /// step.
    is_small: bool,
    is_read: bool,
}

impl Receipt {
    /// Makes the link work again.
    pub(in crate::store) fn lost(mut self) {
        self.is_read = false;
    }
}

impl Drop for Receipt {
    fn drop(&mut self) {
        if self.is_read && self.is_small {
            self.store.0.heartbeat.was_read(self.id, &self.token);
            return;
        }
        let step: &[u8] = if self.is_read { b"confirm" } else { b"revive" };
        let id = self.id.to_string();
        let mut words = vec![step, id.as_bytes(), self.token.as_bytes()];
        let [_, keep] = self.store.terms();
        if !self.is_read {
            words.push(keep.as_bytes());
        }
        self.store.soon(&words);
    }
}
