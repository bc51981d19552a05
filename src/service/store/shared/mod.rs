//! Conversions that several instances share in one Redis or Valkey: records, the queue of accepted conversions, and the
//! bytes of files. Keeps only working files on its own disk.
//!
//! # Keys
//!
//! ```text
//! {convertd}:r:<id>          hash: the record of a conversion. Its state is q (accepted), w (running), r (ready),
//!                            f (failed) or d (downloaded). json is the request, the record of the result or
//!                            the failure
//! {convertd}:b:<id>:<token>  hash: the pieces of a result, by the token of the attempt that made it
//!                            (0 for a conversion with only one attempt)
//! {convertd}:u:<id>          hash: the pieces of the upload of an accepted conversion
//! {convertd}:k:<digest>      hash: a client's key, with the digest of its request and the conversion that it leads to
//! {convertd}:secret          hash: the secret with which those digests are made
//! {convertd}:wait            list: accepted conversions that have not begun
//! {convertd}:bell            list: an element wakes an idle instance
//! {convertd}:run             sorted set: running conversions, by the ends of their leases
//! {convertd}:live            sorted set: instances, by their last heartbeats
//! {convertd}:terms           sorted set: conversions that have not ended, with owner and weight in bytes, by the
//!                            ends of their terms
//! {convertd}:ended           sorted set: conversions that have ended. The score is twice the end of the term, plus one
//!                            if the result was downloaded
//! {convertd}:places, :bytes  hashes: number and weight of the conversions of each owner, and of all owners together
//! ```
//!
//! # Steps
//!
//! Every change is one call of `state.lua`, which Redis runs by itself and by its own clock: accept → take → finish, or
//! commit; then claim → delivered → confirm. Instances are not trusted to be alive or on time. An instance holds a
//! conversion that it runs, or a download that it sends, on a lease with a random token for this attempt. Redis refuses
//! a step whose token is not that of the record. So a conversion may run twice, after a crash, but it is stored once;
//! and a download may be tried twice, but two downloads of the whole result never run at the same time.
//!
//! Redis also decides on the expiry of links: a record states the end of its term, and later requests get the answer
//! that it has expired. A later step trims an ended conversion to an entry in `ended`, which takes about 160 bytes. The
//! number of these entries is limited, and so is their share of memory, to a sixteenth; the oldest go first. Bytes and
//! records also have a time to live, in case no instance is running.
//!
//! The key `terms` lists the conversions that count towards each address and, all together, towards `--max-links`;
//! `places` and `bytes` are their totals.
//!
//! # Working files
//!
//! Converters work on files, so an upload is received into the instance's own data directory: in `scratch`, an ordinary
//! local store that holds only uploads and outputs. A download is fetched into an unnamed file first, and sent from
//! there.

mod backlog;
mod blob;
mod claim;
mod connection;
mod heartbeat;
mod keys;
mod master;
mod pool;
mod server_info;
mod shares;
mod spool;
mod target;
mod wire;

pub(super) use self::pool::SCRIPT;
pub use self::target::Target;
pub(super) use self::{
    claim::{Claim, Receipt},
    keys::KeyHold,
    spool::Spool,
};

use self::{
    backlog::Step,
    heartbeat::{Bell, Heartbeat, Threads, parse_progress},
    pool::{Fault, Link},
    wire::Reply,
};
use super::{
    local::{self, Memory},
    record::{self, Failure, Record, Request, Term},
    state::{Counts, Shared, Status, Unavailable, unreachable},
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
};
use std::{
    net::IpAddr,
    ops::Range,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Prefix of the names of all keys. The braces would put them into one slot of a cluster.
const PREFIX: &str = "{convertd}:";
const BELL: &str = "{convertd}:bell";
const BYTES: &str = "{convertd}:bytes";
/// Interval between two requests to Redis for a state that a client waits for.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Address of Redis, and the limits that instances agree on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address of Redis.
    pub target: Target,
    /// Time without a heartbeat after which other instances take over an instance's jobs.
    pub lease: Duration,
    /// Limit on accepted conversions that wait, for each instance.
    pub queue: usize,
}

/// The conversions of all instances that use one Redis. Clones share the connections to it.
#[derive(Clone)]
pub(super) struct Store(Arc<Inner>);

struct Inner {
    settings: Settings,
    link: Arc<Link>,
    heartbeat: Arc<Heartbeat>,
    threads: Mutex<Option<Threads>>,
    bell: Bell,
    scratch: local::Store,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let threads = self
            .threads
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(threads) = threads.take() {
            self.heartbeat.leave(threads);
        }
    }
}

impl Store {
    /// Opens the store, and starts its heartbeat. Redis may become available later.
    pub(super) fn open(settings: Settings, scratch: local::Store) -> Result<Self> {
        Self::open_with(settings, scratch, SCRIPT.to_owned())
    }

    /// Opens the store with this script, and starts the heartbeat. An unreachable Redis is not an error here; it is
    /// retried.
    pub(super) fn open_with(
        settings: Settings,
        scratch: local::Store,
        script: String,
    ) -> Result<Self> {
        let link = Arc::new(Link::new(settings.target.clone(), script));
        link.probe();
        let instance = token()?;
        let remembered = scratch.settings().tombstone_ttl;
        let heartbeat = Heartbeat::new(link.clone(), instance, settings.lease, remembered);
        let heartbeat = Arc::new(heartbeat);
        let threads = heartbeat
            .start()
            .map_err(|err| Error::internal("a thread cannot be started", err))?;
        Ok(Self(Arc::new(Inner {
            settings,
            link,
            heartbeat,
            threads: Mutex::new(Some(threads)),
            bell: Bell::default(),
            scratch,
        })))
    }

    pub(super) fn scratch(&self) -> &local::Store {
        &self.0.scratch
    }

    pub(super) fn spool(&self, owner: Option<IpAddr>, memory: Option<Memory>) -> Result<Spool> {
        self.reachable()?;
        self.place()?;
        Ok(Spool::new(self, self.0.scratch.spool(owner, memory)?))
    }

    /// Checks that Redis can be reached, by the result of the last step or probe.
    ///
    /// Errors: [`Kind::Busy`] if it cannot.
    pub(super) fn reachable(&self) -> Result<()> {
        match self.0.link.is_up() {
            true => Ok(()),
            false => Err(unreachable().caused_by(self.0.link.reason())),
        }
    }

    /// Checks that `owner` may store `bytes` more.
    pub(super) fn share_for(&self, owner: Option<IpAddr>, bytes: u64) -> Result<()> {
        match owner {
            Some(_) => shares::ask(self, owner, bytes),
            None => Ok(()),
        }
    }

    /// Checks that the store can take one more conversion. Asks Redis only if the store was full at the last answer.
    fn place(&self) -> Result<()> {
        let live = self.0.heartbeat.server_info.live.load(Ordering::Acquire);
        let most = self.0.scratch.settings().max_records;
        match usize::try_from(live).is_ok_and(|live| live < most) {
            true => Ok(()),
            false => shares::ask(self, None, 0),
        }
    }

    pub(super) fn room_for(&self, bytes: u64) -> Result<()> {
        if self.0.heartbeat.server_info.is_nearly_full() {
            return Err(Fault::Full.into_error());
        }
        self.0.scratch.room_for(bytes)
    }

    pub(super) fn health(&self) -> Result<()> {
        self.reachable().map_err(|_| {
            let text = format!(
                "the store that the instances share cannot be reached: {}",
                self.0.link.reason()
            );
            Error::new(Kind::Busy, text)
        })?;
        self.room_for(0)?;
        self.0.scratch.health()
    }

    /// State of `id`. Waits up to `wait` while a download has sent everything and is not acknowledged.
    pub(super) fn status(&self, id: &ConversionId, wait: Duration) -> Status {
        let until = Instant::now() + wait;
        loop {
            match self.look(id) {
                Ok(Known::Ready { settling: true, .. }) if Instant::now() < until => {
                    thread::sleep(POLL_INTERVAL);
                }
                Ok(known) => return known.into_status(),
                Err(fault) => {
                    log::debug!("{id:?}: {fault:?}");
                    return Status::Unreachable;
                }
            }
        }
    }

    pub(super) fn watch(&self, id: &ConversionId, limit: Duration) -> bool {
        self.0.heartbeat.watch(*id, limit)
    }

    pub(super) fn peek(&self, id: &ConversionId) -> Result<Arc<Record>, Unavailable> {
        match self.look(id) {
            Ok(Known::Ready { record, .. }) => Ok(record),
            Ok(known) => Err(known.into_unavailable()),
            Err(fault) => Err(away(id, &fault)),
        }
    }

    pub(super) fn claim(
        &self,
        id: &ConversionId,
        range: Option<Range<u64>>,
        wait: Duration,
        opens: bool,
    ) -> Result<Claim, Unavailable> {
        let until = Instant::now() + wait;
        let mut taken = Claim::take(self, id, range.clone(), opens);
        while matches!(taken, Err(Unavailable::Claimed)) && Instant::now() < until {
            thread::sleep(POLL_INTERVAL);
            taken = Claim::take(self, id, range.clone(), false);
        }
        taken
    }

    pub(super) fn listen(&self, listener: impl Fn(&ConversionId) + Send + Sync + 'static) {
        let _ = self.0.heartbeat.listener.set(Box::new(listener));
    }

    /// Takes an accepted conversion that no instance runs. Without one, waits for up to a second until one arrives, and
    /// leaves it to the next call.
    pub(super) fn next(&self) -> Option<Spool> {
        match Spool::take(self) {
            Ok(Some(spool)) => return Some(spool),
            Ok(None) => {}
            Err(error) => log::debug!("accepted conversions could not be taken over: {error}"),
        }
        self.0.bell.wait(&self.0.link);
        None
    }

    pub(super) fn counts(&self) -> Counts {
        let server_info = &self.0.heartbeat.server_info;
        let processing = server_info.processing.load(Ordering::Acquire);
        Counts {
            processing: usize::try_from(processing).unwrap_or(usize::MAX),
            shared: Some(Shared {
                is_up: self.0.link.is_up(),
                memory: server_info.memory.load(Ordering::Acquire),
                limit: server_info.limit.load(Ordering::Acquire),
            }),
            ..self.0.scratch.counts()
        }
    }

    /// The arguments of a step that set how long a link works (in milliseconds), and how long its end is remembered (in
    /// seconds).
    fn terms(&self) -> [String; 2] {
        let settings = self.0.scratch.settings();
        [
            settings.link_ttl.as_millis().to_string(),
            settings.tombstone_ttl.as_secs().to_string(),
        ]
    }

    fn soon(&self, words: &[&[u8]]) {
        self.0.heartbeat.backlog.soon(Step::new(words));
    }

    /// Returns a conversion to the queue on behalf of the attempt that took it.
    #[cfg(test)]
    pub(super) fn give_back(&self, token: &str, id: &ConversionId) {
        let id = id.to_string();
        let words = [b"back" as &[u8], id.as_bytes(), token.as_bytes()];
        self.0.link.step(&words).unwrap();
    }

    fn look(&self, id: &ConversionId) -> Result<Known, Fault> {
        let reply = self.0.link.step(&[b"look", id.to_string().as_bytes()])?;
        Known::parse(&reply, id).ok_or_else(|| unexpected(&reply))
    }
}

/// State of an identifier in Redis.
enum Known {
    Nothing,
    Processing {
        request: Request,
        progress: Option<crate::job::Progress>,
    },
    Ready {
        record: Arc<Record>,
        /// Whether a download has sent everything and waits for the acknowledgement.
        settling: bool,
    },
    Failed(Failure),
    Over {
        downloaded: bool,
        expires_at: SystemTime,
    },
}

impl Known {
    /// Parses the reply to the step `look`, or to the step `claim` for a conversion without a result to download.
    fn parse(reply: &Reply, id: &ConversionId) -> Option<Self> {
        let Reply::List(parts) = reply else {
            return None;
        };
        let parts: Vec<String> = parts.iter().map(Reply::text).collect::<Option<_>>()?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match parts[..] {
            ["none"] => Some(Self::Nothing),
            ["over", downloaded, expires_at] => Some(Self::Over {
                downloaded: downloaded == "1",
                expires_at: record::from_unix(expires_at.parse().ok()?),
            }),
            ["q" | "w", json, _, _, _, progress] => Some(Self::Processing {
                request: serde_json::from_str(json).ok()?,
                progress: parse_progress(progress),
            }),
            ["r", json, from, to, settling, _] => Some(Self::Ready {
                record: Arc::new(parse_record(json, from, to, id)?),
                settling: settling == "1",
            }),
            ["f", json, ..] => serde_json::from_str(json).ok().map(Self::Failed),
            _ => None,
        }
    }

    fn into_status(self) -> Status {
        match self {
            Self::Nothing => Status::NotFound,
            Self::Processing { request, progress } => Status::Processing { request, progress },
            Self::Ready { record, .. } => Status::Ready(record),
            Self::Failed(failure) => Status::Failed(failure),
            Self::Over {
                downloaded,
                expires_at,
            } => Status::Expired {
                downloaded,
                expires_at,
            },
        }
    }

    /// Reason why there is nothing to download.
    fn into_unavailable(self) -> Unavailable {
        match self {
            Self::Nothing => Unavailable::NotFound,
            Self::Processing { .. } => Unavailable::Processing,
            Self::Ready { .. } => Unavailable::Claimed,
            Self::Failed(failure) => Unavailable::Failed(failure),
            Self::Over { downloaded, .. } => Unavailable::Expired { downloaded },
        }
    }
}

/// Parses a stored record, and sets the term that Redis gave it.
fn parse_record(json: &str, from: &str, to: &str, id: &ConversionId) -> Option<Record> {
    let record: Record = serde_json::from_str(json).ok()?;
    let term = Term::between(from.parse().ok()?, to.parse().ok()?);
    (record.id == *id).then_some(Record { term, ..record })
}

/// Token of the only attempt at a conversion whose client waits for it. It is a constant, so the identifier alone gives
/// the key of the result, and the result can be requested together with its claim.
const ONLY: &str = "0";

/// Random name of an instance, an attempt, a claim or a key's holder; also a proposed secret.
fn token() -> Result<String> {
    Ok(format!("{:032x}", ConversionId::random()?.number()))
}

fn result_key(id: &ConversionId, token: &str) -> String {
    format!("{PREFIX}b:{id}:{token}")
}

fn upload_key(id: &ConversionId) -> String {
    format!("{PREFIX}u:{id}")
}

fn away(id: &ConversionId, fault: &Fault) -> Unavailable {
    log::debug!("{id:?}: {fault:?}");
    Unavailable::Unreachable
}

fn unexpected(reply: &Reply) -> Fault {
    Fault::Refused(format!("an unexpected reply: {}", reply.first_word()))
}
