//! A conversion until its result is in the shared store: an upload of a client, or an accepted conversion that this
//! instance has taken. Its working files are those of a local spool. Redis receives an upload or a result only when it
//! is complete.

use super::{
    ONLY, Store,
    blob::{self, Stored, Trouble},
    connection::Batch,
    pool::Fault,
    result_key,
    shares::{self, Limits},
    token, unexpected, upload_key,
    wire::Reply,
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
    job,
    store::{
        local,
        progress::Progress,
        record::{Failure, MAX_ATTEMPTS, Outcome, Record, Request, Term},
    },
};
use std::{
    fs::File,
    io::{self, Write},
    net::IpAddr,
    sync::Arc,
    thread,
};

/// A conversion until its result is stored. Dropping one that was taken returns it to the queue, and the dropped
/// attempt does not count; but if the thread is panicking, the conversion fails.
pub(in crate::store) struct Spool {
    store: Store,
    id: ConversionId,
    /// Working files, under an identifier of their own: the instance that takes a conversion may be the one that
    /// accepted it, and may still be removing the files of the upload.
    files: local::Spool,
    /// Token of this attempt, which every step of it carries. [`ONLY`] for a conversion that no other instance can
    /// take.
    token: String,
    owner: Option<IpAddr>,
    stage: Stage,
}

enum Stage {
    /// Only the waiting client knows of the conversion.
    Private,
    /// Taken from the queue of accepted conversions.
    Taken {
        request: Request,
        progress: Arc<Progress>,
    },
    /// The conversion has ended, or its lease decides about it: dropping the spool has no effect.
    Over,
}

impl Spool {
    pub(super) fn new(store: &Store, files: local::Spool) -> Self {
        Self {
            store: store.clone(),
            id: files.id(),
            owner: files.owner(),
            files,
            token: ONLY.into(),
            stage: Stage::Private,
        }
    }

    /// Takes an accepted conversion from the queue, if there is one, and fetches its upload. Redis makes the conversion
    /// fail in the same step if it was tried too often or its upload is gone.
    pub(super) fn take(store: &Store) -> Result<Option<Self>> {
        let token = token()?;
        let [ttl, keep] = store.terms();
        let gone = failure_json(&Failure::internal(
            "the upload was lost before the conversion began",
        ));
        let tried = failure_json(&Failure::tried_too_often());
        let reply = store
            .0
            .link
            .step(&[
                b"take",
                b"-",
                token.as_bytes(),
                store.0.heartbeat.lease_ms().as_bytes(),
                MAX_ATTEMPTS.to_string().as_bytes(),
                &tried,
                &gone,
                ttl.as_bytes(),
                keep.as_bytes(),
            ])
            .map_err(Fault::into_error)?;
        let parts = match (reply.first_word().as_str(), &reply) {
            ("none", _) => return Ok(None),
            ("job", Reply::List(parts)) if parts.len() == 5 => parts,
            _ => return Err(unexpected(&reply).into_error()),
        };
        let text = |at: usize| parts[at].text().unwrap_or_default();
        // From here on the heartbeat renews the lease. Dropping the spool returns the conversion, also if the upload
        // cannot be fetched.
        let id: ConversionId = text(1).parse()?;
        let progress = Arc::new(Progress::default());
        store.0.heartbeat.hold_job(id, &token, progress.clone());
        let request = serde_json::from_str(&text(2))
            .map_err(|err| Error::internal("an accepted conversion cannot be read", err));
        let fetched = request.and_then(|request| {
            let files = store.0.scratch.spool(None, None)?;
            Ok((request, files))
        });
        let (request, files) = match fetched {
            Ok(fetched) => fetched,
            Err(error) => {
                // Another instance may be able to run the conversion, so it goes back to the queue.
                store.0.heartbeat.let_go_of_job(&token);
                store.soon(&[b"back", id.to_string().as_bytes(), token.as_bytes()]);
                return Err(error);
            }
        };
        let spool = Self {
            store: store.clone(),
            id,
            files,
            token,
            owner: shares::owner(&text(4)),
            stage: Stage::Taken { request, progress },
        };
        let pieces: u64 = text(3).parse().unwrap_or(0);
        spool.fetch_upload(pieces)?;
        Ok(Some(spool))
    }

    fn fetch_upload(&self, pieces: u64) -> Result<()> {
        let file = self.files.upload_file()?;
        let range = 0..pieces * blob::PIECE;
        blob::get(&self.store.0.link, &upload_key(&self.id), &range, &file).map_err(trouble)
    }

    #[cfg(test)]
    pub(in crate::store) fn token(&self) -> &str {
        &self.token
    }

    pub(in crate::store) fn owner(&self) -> Option<IpAddr> {
        self.owner
    }

    pub(in crate::store) fn id(&self) -> ConversionId {
        self.id
    }

    pub(in crate::store) fn open_upload(&self) -> Result<File> {
        self.files.open_upload()
    }

    pub(in crate::store) fn create_output(&self) -> Result<File> {
        self.files.create_output()
    }

    pub(in crate::store) fn open_output(&self) -> Result<File> {
        self.files.open_output()
    }

    pub(in crate::store) fn request(&self) -> Option<&Request> {
        match &self.stage {
            Stage::Taken { request, .. } => Some(request),
            Stage::Private | Stage::Over => None,
        }
    }

    pub(in crate::store) fn when_lost(&self, act: impl FnOnce() + Send + 'static) {
        self.store.0.heartbeat.when_lost(&self.token, act);
    }

    pub(in crate::store) fn progress(&self, now: job::Progress) {
        match &self.stage {
            Stage::Taken { progress, .. } => progress.set(now),
            Stage::Private | Stage::Over => {}
        }
    }

    /// Puts the upload into Redis, so that any idle instance can take the conversion.
    pub(in crate::store) fn accept(self, request: &Request) -> Result<()> {
        let file = self.files.open_upload()?;
        let len = length(&file)?;
        let key = upload_key(&self.id);
        let json = serde_json::to_vec(request).map_err(unwritable)?;
        let limits = Limits::of(&self.store, self.owner);
        let link = &self.store.0.link;
        let accept = |stored: Stored, batch: &mut Batch| {
            link.add_step(
                batch,
                &[
                    b"accept",
                    self.id.to_string().as_bytes(),
                    stored.pieces.to_string().as_bytes(),
                    &json,
                    self.store.0.settings.queue.to_string().as_bytes(),
                    limits.owner.as_bytes(),
                    len.to_string().as_bytes(),
                    limits.most.as_bytes(),
                    limits.room.as_bytes(),
                ],
            );
        };
        // The pieces and the step that records them are sent together, see `blob::put`.
        let reply = blob::put(link, &key, &file, len, accept).map_err(trouble)?;
        match reply.first_word().as_str() {
            "ok" => Ok(()),
            "full" => Err(Error::new(
                Kind::Busy,
                "too many conversions are waiting already",
            )),
            _ => Err(shares::refusal(&reply).unwrap_or_else(|| unexpected(&reply).into_error())),
        }
    }

    /// Puts the result into Redis, and issues the link to it.
    pub(in crate::store) fn commit(
        mut self,
        request: Request,
        outcome: Outcome,
    ) -> Result<Arc<Record>> {
        let stored = self.keep(request, outcome);
        let is_taken = matches!(self.stage, Stage::Taken { .. });
        match &stored {
            Ok(_) => self.stage = Stage::Over,
            // The error may mean that the store cannot be reached, or that it has stored the result already. The lease
            // then ends, and another attempt is made.
            Err(error) if is_taken && error.kind() == Kind::Busy => self.stage = Stage::Over,
            Err(error) => {
                self.give_up(&Failure::of(error));
            }
        }
        if is_taken {
            self.store.0.heartbeat.let_go_of_job(&self.token);
        }
        stored
    }

    /// Stores the bytes of the result in Redis, and then the record, with a step that also ends the conversion. Redis
    /// sets the term, by its own clock.
    fn keep(&self, request: Request, outcome: Outcome) -> Result<Arc<Record>> {
        let output = self.files.open_output()?;
        let file_size = length(&output)?;
        let key = result_key(&self.id, &self.token);
        let record = Record::new(
            self.id,
            request,
            outcome,
            file_size,
            self.owner,
            Term::between(0, 0),
        );
        let step: &[u8] = match self.stage {
            Stage::Private | Stage::Over => b"commit",
            Stage::Taken { .. } => b"finish",
        };
        let json = serde_json::to_vec(&record).map_err(unwritable)?;
        let [ttl, keep] = self.store.terms();
        let limits = Limits::of(&self.store, self.owner);
        let link = &self.store.0.link;
        let issue = |stored: Stored, batch: &mut Batch| {
            link.add_step(
                batch,
                &[
                    step,
                    self.id.to_string().as_bytes(),
                    self.token.as_bytes(),
                    stored.pieces.to_string().as_bytes(),
                    file_size.to_string().as_bytes(),
                    stored.checksum.to_string().as_bytes(),
                    &json,
                    ttl.as_bytes(),
                    keep.as_bytes(),
                    limits.owner.as_bytes(),
                    limits.most.as_bytes(),
                    limits.room.as_bytes(),
                ],
            );
        };
        let reply = blob::put(link, &key, &output, file_size, issue).map_err(trouble)?;
        let Reply::List(parts) = &reply else {
            return Err(unexpected(&reply).into_error());
        };
        let number = |at: usize| parts.get(at)?.text()?.parse().ok();
        match (reply.first_word().as_str(), number(1), number(2)) {
            ("ok", Some(from), Some(to)) => Ok(Arc::new(Record {
                term: Term::between(from, to),
                ..record
            })),
            ("lost", ..) => Err(Error::new(
                Kind::Busy,
                "another instance has taken the conversion over",
            )),
            _ => Err(shares::refusal(&reply).unwrap_or_else(|| unexpected(&reply).into_error())),
        }
    }

    pub(in crate::store) fn fail(mut self, failure: &Failure) {
        self.give_up(failure);
    }

    fn give_up(&mut self, failure: &Failure) {
        if matches!(
            std::mem::replace(&mut self.stage, Stage::Over),
            Stage::Taken { .. }
        ) {
            self.store.0.heartbeat.let_go_of_job(&self.token);
            let [ttl, keep] = self.store.terms();
            self.store.soon(&[
                b"fail",
                self.id.to_string().as_bytes(),
                self.token.as_bytes(),
                &failure_json(failure),
                ttl.as_bytes(),
                keep.as_bytes(),
            ]);
        }
    }
}

/// Appends to the upload.
impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.files.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.files.flush()
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::Taken { .. }) {
            return;
        }
        if thread::panicking() {
            self.give_up(&Failure::unexpected());
            return;
        }
        self.store.0.heartbeat.let_go_of_job(&self.token);
        let id = self.id.to_string();
        self.store
            .soon(&[b"back", id.as_bytes(), self.token.as_bytes()]);
    }
}

fn length(file: &File) -> Result<u64> {
    let found = file.metadata();
    Ok(found
        .map_err(|err| Error::storage("a working file cannot be read", err))?
        .len())
}

fn failure_json(failure: &Failure) -> Vec<u8> {
    serde_json::to_vec(failure).unwrap_or_default()
}

fn unwritable(err: serde_json::Error) -> Error {
    Error::internal("a record cannot be written", err)
}

fn trouble(trouble: Trouble) -> Error {
    match trouble {
        Trouble::Redis(fault) => fault.into_error(),
        Trouble::Disk(err) => Error::storage("a working file cannot be used", err),
        Trouble::Gone => Fault::Refused("an upload has vanished".into()).into_error(),
    }
}
