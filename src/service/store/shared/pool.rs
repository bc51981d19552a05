//! Connections to Redis. They stay open, are opened again when they break, and are not used for a while when Redis does
//! not answer. Does not depend on conversions.
//!
//! Every step that is sent here may be sent twice: the script makes the second time harmless, in most steps by means of
//! a token. So if a connection turns out to be closed (Redis closes idle ones, operators kill them), it is replaced and
//! the step repeated. A Redis that does not answer is different: after [`PATIENCE`] the link counts as down, and all
//! requests fail immediately instead of waiting as well, until a probe gets an answer. An answer that exceeds the time
//! limit of a step has the same effect, however steadily its bytes arrive.
//!
//! All connections lead to one master. When another host becomes the master, connections to the old one belong to a
//! past era, and are closed instead of used.

use super::{
    connection::{
        self, Batch, Connection, Master, PATIENCE, RETRIES, connect, forbidden, is_closed,
    },
    master::{self, Trouble},
    target::Target,
    wire::{self, Reply},
};
use crate::{
    error::{Error, Kind},
    store::state::unreachable,
};
use std::{
    collections::VecDeque,
    io,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// The script with all steps.
pub(in crate::store) const SCRIPT: &str = include_str!("state.lua");
/// Time beyond [`PATIENCE`] that an exchange may take for each of its batches: 128 KiB at 10 Mbit/s.
const BATCH_TIME: Duration = Duration::from_millis(100);
/// Number of batches that are sent before the replies to the first are read. Meanwhile the replies wait in the buffers
/// of Redis and of the kernel.
const AHEAD: usize = 8;
/// Limit on idle connections.
const MAX_IDLE: usize = 16;
/// First words of errors that mean that this Redis is still starting, is not the master, or refuses writes for now.
const UNAVAILABLE_ERRORS: [&str; 7] = [
    "LOADING",
    "READONLY",
    "MASTERDOWN",
    "NOREPLICAS",
    "CLUSTERDOWN",
    "TRYAGAIN",
    "MISCONF",
];

/// Reason why a step was not done, or may not have been done.
#[derive(Debug)]
pub(super) enum Fault {
    /// Redis cannot be reached, or does not answer.
    Away(String),
    /// Redis has no memory left.
    Full,
    /// Redis refused the step.
    Refused(String),
}

impl Fault {
    /// The error for the request that needed the step.
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Away(why) => unreachable().caused_by(why),
            Self::Full => Error::new(
                Kind::StorageFull,
                "the store that the instances share is full",
            ),
            Self::Refused(why) => {
                Error::new(Kind::Internal, "the shared store refused a step").caused_by(why)
            }
        }
    }
}

/// The link to Redis: its idle connections, the master they lead to, and whether it works.
pub(super) struct Link {
    target: Target,
    script: String,
    idle: Mutex<Vec<Connection>>,
    /// Redis's name of the script: its SHA-1.
    sha: OnceLock<String>,
    /// The master that connections lead to.
    master: Mutex<Option<Master>>,
    /// Number of the present master, one higher after each change of the master.
    era: AtomicU64,
    is_up: AtomicBool,
    /// The reason why the link is down.
    reason: Mutex<String>,
}

impl Link {
    /// Makes a link without a connection: the first call of [`probe`](Self::probe) connects it.
    pub(super) fn new(target: Target, script: String) -> Self {
        Self {
            target,
            script,
            idle: Mutex::default(),
            sha: OnceLock::new(),
            master: Mutex::default(),
            era: AtomicU64::new(0),
            is_up: AtomicBool::new(false),
            reason: Mutex::new("no connection has been tried yet".into()),
        }
    }

    pub(super) fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Acquire)
    }

    /// The reason why the link is down.
    pub(super) fn reason(&self) -> String {
        lock(&self.reason).clone()
    }

    /// Tries to connect, and records whether that succeeded. Returns whether Redis answers.
    pub(super) fn probe(&self) -> bool {
        let found = master::find(&self.target).map_err(Trouble::into_text);
        let connected = found.and_then(|master| {
            self.follow(master);
            self.connect()
        });
        match connected {
            Ok(connection) => {
                self.put_back(connection);
                if !self.is_up.swap(true, Ordering::AcqRel) {
                    log::info!("connected to the shared store at {}", self.target);
                }
                true
            }
            Err(why) => {
                self.mark_down(why);
                false
            }
        }
    }

    /// Checks that the master in use is still the only one. With one host and no Sentinels there is nothing to check.
    pub(super) fn survey(&self) {
        if self.target.hosts.len() < 2 && self.target.master.is_none() {
            return;
        }
        match master::find(&self.target) {
            Ok(master) => self.follow(master),
            Err(Trouble::Two(why)) => drop(self.mark_down(why)),
            // The next request that needs a connection gets the error, so nothing is done here.
            Err(Trouble::None(_)) => {}
        }
    }

    /// Makes all further connections lead to this master.
    fn follow(&self, master: Master) {
        let mut current = lock(&self.master);
        if current.as_ref() == Some(&master) {
            return;
        }
        if let Some(before) = &*current
            && before.host != master.host
        {
            let (before, now) = (&before.host, &master.host);
            log::warn!("the shared store has moved to {now}; it was at {before}");
        }
        *current = Some(master);
        self.era.fetch_add(1, Ordering::AcqRel);
        drop(current);
        self.forget_connections();
    }

    /// Checks that Redis grants all rights that the steps need.
    pub(super) fn try_rights(&self) {
        if let Ok(reply) = self.step(&[b"try"])
            && let Some(why) = forbidden(&reply)
        {
            self.mark_down(why);
        }
    }

    fn mark_down(&self, why: String) -> Fault {
        let was_up = self.is_up.swap(false, Ordering::AcqRel);
        lock(&self.idle).clear();
        let mut reason = lock(&self.reason);
        if was_up || *reason != why {
            log::warn!("the shared store at {} cannot be used: {why}", self.target);
        }
        reason.clone_from(&why);
        Fault::Away(why)
    }

    /// Does one step. An error that Redis replies becomes a [`Fault`].
    pub(super) fn step(&self, words: &[&[u8]]) -> Result<Reply, Fault> {
        let replies = self.run(|batch| self.add_step(batch, words))?;
        Ok(replies.into_iter().next_back().unwrap_or(Reply::Nothing))
    }

    /// Adds one step to a batch.
    pub(super) fn add_step(&self, batch: &mut Batch, words: &[&[u8]]) {
        let sha = self.sha.get().map_or("", String::as_str);
        let call = [b"EVALSHA" as &[u8], sha.as_bytes(), b"0"];
        batch.add(&[&call, words].concat());
    }

    /// Sends the requests that `build` adds to a batch, and returns their replies. An error among the replies becomes a
    /// [`Fault`]. If the connection turns out to be closed, all requests are sent again.
    pub(super) fn run(&self, build: impl Fn(&mut Batch)) -> Result<Vec<Reply>, Fault> {
        let mut all = Vec::new();
        let build = |_, batch: &mut Batch| {
            build(batch);
            Ok(())
        };
        self.stream(1, build, |_, replies| {
            all = replies;
            Ok::<_, Fault>(())
        })?;
        Ok(all)
    }

    /// Sends `count` batches, numbered from 0, and hands the replies to each batch to `take`, in order. Up to [`AHEAD`]
    /// batches are sent before their replies arrive, so that Redis never waits for the next one. If the connection
    /// turns out to be closed, or if Redis does not have the script, everything begins again with batch 0, up to
    /// [`RETRIES`] times. All batches together have one deadline.
    ///
    /// Errors: the first that `build` or `take` returns, which stops the exchange, or a [`Fault`] of Redis.
    pub(super) fn stream<E: From<Fault>>(
        &self,
        count: u64,
        mut build: impl FnMut(u64, &mut Batch) -> Result<(), E>,
        mut take: impl FnMut(u64, Vec<Reply>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut tries = 0;
        let more = BATCH_TIME.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        let until = Instant::now() + PATIENCE + more;
        loop {
            if !self.is_up() {
                return Err(Fault::Away(self.reason()).into());
            }
            let done = self.take().and_then(|mut connection| {
                connection.finish_by(until);
                let done = exchange(&mut connection, count, &mut build, &mut take)?;
                Ok((connection, done))
            });
            match done {
                Ok((connection, Done::All(outcome))) => {
                    self.put_back(connection);
                    return outcome;
                }
                // An operator has flushed the scripts, or Redis has restarted: a new connection loads the script again.
                Ok((_, Done::Refused(why)))
                    if wire::code(&why) == "NOSCRIPT" && tries < RETRIES =>
                {
                    tries += 1;
                    self.forget_connections();
                }
                Ok((connection, Done::Refused(why))) => {
                    self.put_back(connection);
                    return Err(self.refused(why).into());
                }
                Err(err) if is_closed(&err) && tries < RETRIES => {
                    tries += 1;
                    // The other connections were most likely closed, too.
                    self.forget_connections();
                }
                Err(err) => {
                    return Err(self
                        .mark_down(connection::Fault::from(&err).to_string())
                        .into());
                }
            }
        }
    }

    fn refused(&self, why: String) -> Fault {
        match wire::code(&why) {
            "OOM" => Fault::Full,
            code if UNAVAILABLE_ERRORS.contains(&code) => self.mark_down(format!("it says {why}")),
            // The probe finds out which right is missing.
            "NOPERM" => self.mark_down(format!("the user of --store lacks a permission: {why}")),
            _ => Fault::Refused(why),
        }
    }

    /// Waits up to `seconds` for an element of a list and removes it, on a connection of the caller's own. Returns
    /// whether there was one.
    pub(super) fn wait_for(
        &self,
        own: &mut Option<Connection>,
        list: &str,
        seconds: u64,
    ) -> Result<bool, Fault> {
        if !self.is_up() {
            *own = None;
            return Err(Fault::Away(self.reason()));
        }
        own.take_if(|connection| !self.is_current(connection));
        let mut wait = || -> io::Result<Reply> {
            let connection = match own {
                Some(connection) => connection,
                None => own.insert(self.take()?),
            };
            // Redis sends nothing while it waits, so its silence is not a fault.
            connection.bear_silence(PATIENCE + Duration::from_secs(seconds));
            let seconds = seconds.to_string();
            connection.ask(&[b"BLPOP", list.as_bytes(), seconds.as_bytes()])
        };
        match wait() {
            Ok(Reply::Error(why)) => {
                *own = None;
                Err(self.refused(why))
            }
            Ok(reply) => Ok(reply != Reply::Nothing),
            Err(err) => {
                *own = None;
                match is_closed(&err) {
                    true => Ok(false),
                    false => Err(self.mark_down(connection::Fault::from(&err).to_string())),
                }
            }
        }
    }

    fn take(&self) -> io::Result<Connection> {
        let idle = lock(&self.idle).pop();
        let idle = idle.filter(|connection| self.is_current(connection));
        idle.map_or_else(|| self.connect().map_err(io::Error::other), Ok)
    }

    fn is_current(&self, connection: &Connection) -> bool {
        connection.era == self.era.load(Ordering::Acquire)
    }

    fn put_back(&self, connection: Connection) {
        let mut idle = lock(&self.idle);
        if idle.len() < MAX_IDLE && self.is_current(&connection) {
            idle.push(connection);
        }
    }

    fn forget_connections(&self) {
        lock(&self.idle).clear();
    }

    fn connect(&self) -> Result<Connection, String> {
        let (master, era) = {
            let current = lock(&self.master);
            let master = current.clone().ok_or("no master has been found yet")?;
            (master, self.era.load(Ordering::Acquire))
        };
        let (mut connection, sha) = connect(&self.target, &self.script, &master)?;
        connection.era = era;
        self.sha.get_or_init(|| sha);
        Ok(connection)
    }
}

/// End of an exchange after all its replies have arrived.
enum Done<E> {
    All(Result<(), E>),
    /// Redis answered with an error; this is the first one.
    Refused(String),
}

/// Makes one attempt at [`Link::stream`]. After an error it sends no more batches, and reads the replies to those
/// already sent so that the connection can be used again.
fn exchange<E>(
    connection: &mut Connection,
    count: u64,
    build: &mut impl FnMut(u64, &mut Batch) -> Result<(), E>,
    take: &mut impl FnMut(u64, Vec<Reply>) -> Result<(), E>,
) -> io::Result<Done<E>> {
    let (mut sent, mut taken) = (0, 0);
    // Numbers of replies that the batches under way still expect, in order.
    let mut expected = VecDeque::new();
    let (mut refused, mut outcome) = (None, Ok(()));
    loop {
        let is_well = |outcome: &Result<(), E>| refused.is_none() && outcome.is_ok();
        while is_well(&outcome) && sent < count && expected.len() < AHEAD {
            let mut batch = Batch::default();
            outcome = build(sent, &mut batch);
            if outcome.is_ok() {
                connection.send(&batch)?;
                expected.push_back(batch.len());
                sent += 1;
            }
        }
        let Some(replies) = expected.pop_front() else {
            break;
        };
        let replies: Vec<Reply> = (0..replies)
            .map(|_| connection.receive())
            .collect::<io::Result<_>>()?;
        let error = replies.iter().find_map(|reply| match reply {
            Reply::Error(why) => Some(why.clone()),
            Reply::Text(_) | Reply::Nothing | Reply::Number(_) | Reply::List(_) => None,
        });
        if error.is_none() && is_well(&outcome) {
            outcome = take(taken, replies);
        }
        refused = refused.or(error);
        taken += 1;
    }
    Ok(match refused {
        Some(why) => Done::Refused(why),
        None => Done::All(outcome),
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
