//! Two threads: one renews the leases of this instance in Redis once a second, and the other sends queued steps, so
//! that slow steps do not delay the leases. No request waits for this module.
//!
//! Conversions and downloads are held on a lease, which the beat renews. A holder counts the time of a lease by a
//! monotonic clock, from a moment before it sends the request; Redis counts from the moment when it handles the
//! request. So the holder always stops before another instance may start, whatever the clocks of the hosts say.
//!
//! Steps that end something are also sent from here, unless a request waits for them. For example, the thread that
//! serves all connections drops a broken one, and must not wait for a network to end its download. While Redis cannot
//! be reached, these steps are queued.

use super::{
    backlog::{Backlog, Step, UnsentSteps},
    connection::Connection,
    pool::Link,
    server_info::ServerInfo,
    wire::Reply,
};
use crate::{id::ConversionId, job, store::progress::Progress};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Interval for renewing leases and asking Redis for its state.
const BEAT: Duration = Duration::from_secs(1);
/// Interval for reconnecting to Redis, for checking watched conversions, and for reporting deliveries.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Limit on results that wait to be removed together.
const MAX_READ: usize = 16_384;
/// Limit on watched conversions.
const MAX_WATCHED: usize = 16_384;
/// Limit on conversions in one step, because Redis does nothing else until a step is done.
const MAX_BATCH: usize = 500;

/// End of a lease, in milliseconds of the heartbeat's clock; 0 if it has been lost.
#[derive(Clone)]
pub(super) struct Lease(Arc<AtomicU64>);

struct Job {
    id: ConversionId,
    progress: Arc<Progress>,
    when_lost: Option<WhenLost>,
}

/// Callback for a conversion that another instance has taken over.
type WhenLost = Box<dyn FnOnce() + Send>;

struct Download {
    id: ConversionId,
    lease: Lease,
}

#[derive(Default)]
struct Held {
    /// Jobs by the tokens of their attempts, not by identifier: a lost job may be taken again while the old attempt is
    /// still ending.
    jobs: HashMap<String, Job>,
    /// Downloads by their tokens.
    downloads: HashMap<String, Download>,
    /// Keys of requests that are being answered, with their tokens.
    keys: HashMap<String, String>,
    /// Results that were read, with the tokens of their deliveries, until Redis has been informed.
    read: Vec<(ConversionId, String)>,
    /// Conversions whose end a client waits for, each with the end of its wait.
    watched: HashMap<ConversionId, Instant>,
}

/// State that the heartbeat's threads share with the other threads.
pub(super) struct Heartbeat {
    link: Arc<Link>,
    instance: String,
    lease: Duration,
    started: Instant,
    held: Mutex<Held>,
    pub(super) server_info: ServerInfo,
    pub(super) backlog: Backlog,
    pub(super) listener: OnceLock<Listener>,
    /// Time for which ended conversions are remembered.
    remembered: Duration,
    /// Whether the threads should end. The thread that renews leases checks it before each round.
    is_leaving: AtomicBool,
    /// Whether the step `leave`, the last one of all, has been queued. Then the thread that sends the queued steps
    /// sends the rest and ends.
    has_left: AtomicBool,
}

/// Callback for a conversion that is no longer in progress.
pub(super) type Listener = Box<dyn Fn(&ConversionId) + Send + Sync>;

impl Heartbeat {
    /// Prepares the heartbeat. Nothing runs before it is started.
    pub(super) fn new(
        link: Arc<Link>,
        instance: String,
        lease: Duration,
        remembered: Duration,
    ) -> Self {
        Self {
            link,
            instance,
            lease,
            started: Instant::now(),
            held: Mutex::default(),
            server_info: ServerInfo::default(),
            backlog: Backlog::default(),
            listener: OnceLock::new(),
            remembered,
            is_leaving: AtomicBool::new(false),
            has_left: AtomicBool::new(false),
        }
    }

    /// Milliseconds since the start, plus one, because 0 stands for a lost lease.
    fn clock(&self) -> u64 {
        self.started.elapsed().as_millis() as u64 + 1
    }

    /// The length of a lease as an argument of a step, in milliseconds.
    pub(super) fn lease_ms(&self) -> String {
        self.lease.as_millis().to_string()
    }

    /// End of a lease that is requested now. Call it before the step is sent.
    pub(super) fn lease_from_now(&self) -> u64 {
        self.clock() + self.lease.as_millis() as u64
    }

    pub(super) fn hold_job(&self, id: ConversionId, token: &str, progress: Arc<Progress>) {
        let job = Job {
            id,
            progress,
            when_lost: None,
        };
        self.held().jobs.insert(token.to_owned(), job);
    }

    /// Calls `act` when another instance has taken over this attempt's conversion, or immediately if that is known
    /// already. `act` must not block.
    pub(super) fn when_lost(&self, token: &str, act: impl FnOnce() + Send + 'static) {
        let mut held = self.held();
        if let Some(job) = held.jobs.get_mut(token) {
            job.when_lost = Some(Box::new(act));
        } else {
            drop(held);
            act();
        }
    }

    pub(super) fn let_go_of_job(&self, token: &str) {
        self.held().jobs.remove(token);
    }

    pub(super) fn hold_download(&self, id: ConversionId, token: &str, until: u64) -> Lease {
        let lease = Lease(Arc::new(AtomicU64::new(until)));
        let download = Download {
            id,
            lease: lease.clone(),
        };
        self.held().downloads.insert(token.to_owned(), download);
        lease
    }

    pub(super) fn let_go_of_download(&self, token: &str) {
        self.held().downloads.remove(token);
    }

    pub(super) fn hold_key(&self, key: &str, token: &str) {
        self.held().keys.insert(key.to_owned(), token.to_owned());
    }

    pub(super) fn let_go_of_key(&self, key: &str) {
        self.held().keys.remove(key);
    }

    /// Returns whether a download may continue.
    pub(super) fn holds(&self, lease: &Lease) -> bool {
        lease.0.load(Ordering::Acquire) > self.clock()
    }

    /// Registers `id`: the listener is called when this conversion has ended. Returns false if too many are registered.
    pub(super) fn watch(&self, id: ConversionId, limit: Duration) -> bool {
        let mut held = self.held();
        if held.watched.len() >= MAX_WATCHED {
            return false;
        }
        let until = Instant::now() + limit;
        let known = held.watched.entry(id).or_insert(until);
        *known = until.max(*known);
        true
    }

    /// Schedules the removal of a small result that was read, together with others: a step for each result would be a
    /// tenth of the cost of a small conversion in Redis.
    pub(super) fn was_read(&self, id: ConversionId, token: &str) {
        let mut held = self.held();
        if held.read.len() < MAX_READ {
            held.read.push((id, token.to_owned()));
        }
    }

    /// Starts both threads.
    pub(super) fn start(self: &Arc<Self>) -> std::io::Result<Threads> {
        let start = |name: &str, run: fn(&Self)| {
            let heartbeat = self.clone();
            thread::Builder::new()
                .name(name.into())
                .stack_size(256 << 10)
                .spawn(move || run(&heartbeat))
        };
        Ok(Threads {
            beat: start("heartbeat", Self::keep)?,
            errands: start("errands", Self::run_errands)?,
        })
    }

    /// Tells the threads to send their outstanding steps and to end, and waits for them.
    pub(super) fn leave(&self, threads: Threads) {
        self.is_leaving.store(true, Ordering::Release);
        threads.beat.thread().unpark();
        // A thread that panicked has been logged, and has nothing left to do.
        let _ = threads.beat.join();
        // The step follows the last beat, because a beat reports that this instance is alive.
        self.backlog
            .soon(Step::new(&[b"leave", self.instance.as_bytes()]));
        self.has_left.store(true, Ordering::Release);
        let _ = threads.errands.join();
    }

    /// Renews leases every [`BEAT`], and tries to reconnect every [`POLL_INTERVAL`] while Redis cannot be reached.
    fn keep(&self) {
        let mut next_beat = Instant::now();
        while !self.is_leaving.load(Ordering::Acquire) {
            if !self.link.is_up() {
                self.link.probe();
            }
            if Instant::now() >= next_beat {
                next_beat = Instant::now() + BEAT;
                self.beat();
                self.renew_keys();
            }
            let pause = match self.link.is_up() {
                true => next_beat.saturating_duration_since(Instant::now()),
                false => POLL_INTERVAL,
            };
            thread::park_timeout(pause.min(POLL_INTERVAL));
        }
    }

    /// Sends queued steps, reports deliveries and checks the watched conversions every [`POLL_INTERVAL`], and asks for
    /// the state of Redis once in each [`BEAT`].
    fn run_errands(&self) {
        let mut unsent = UnsentSteps::default();
        let mut next_round = Instant::now();
        let mut next_look = Instant::now();
        loop {
            let pause = next_look.saturating_duration_since(Instant::now());
            unsent.take(&self.backlog, pause);
            unsent.send(&self.link);
            let has_left = self.has_left.load(Ordering::Acquire);
            if Instant::now() >= next_look || has_left {
                self.tell_what_was_read();
            }
            if has_left && self.backlog.is_empty() {
                return;
            }
            if Instant::now() >= next_look {
                self.look_at_watched();
                next_look = Instant::now() + POLL_INTERVAL;
            }
            if Instant::now() >= next_round {
                next_round = Instant::now() + BEAT;
                self.link.survey();
                self.link.try_rights();
                self.server_info.ask(&self.link);
            }
        }
    }

    /// Renews the leases of all jobs and downloads with one step. Redis answers with a digit for each job, and then for
    /// each download: 1 if this instance still holds the lease.
    fn beat(&self) {
        let until = self.lease_from_now();
        let mut words: Vec<Vec<u8>> = vec![
            b"beat".to_vec(),
            self.instance.clone().into(),
            self.lease_ms().into(),
            self.remembered.as_secs().to_string().into(),
            self.server_info.most_ended().to_string().into(),
        ];
        let (mut jobs, mut downloads) = (Vec::new(), Vec::new());
        {
            let held = self.held();
            words.push(held.jobs.len().to_string().into());
            for (token, job) in &held.jobs {
                let progress = job
                    .progress
                    .get()
                    .and_then(|now| serde_json::to_vec(&now).ok());
                words.push(job.id.to_string().into());
                words.push(token.clone().into());
                words.push(progress.unwrap_or_default());
                jobs.push(token.clone());
            }
            for (token, download) in &held.downloads {
                words.push(download.id.to_string().into());
                words.push(token.clone().into());
                downloads.push(download.lease.clone());
            }
        }
        let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        let Ok(Reply::List(reply)) = self.link.step(&words) else {
            return;
        };
        let [
            Reply::Text(digits),
            Reply::Number(waiting),
            Reply::Number(running),
            Reply::Number(live),
        ] = &reply[..]
        else {
            return;
        };
        let live = (*live).try_into().unwrap_or(0);
        self.server_info.live.store(live, Ordering::Release);
        let processing = waiting.saturating_add(*running).try_into().unwrap_or(0);
        self.server_info
            .processing
            .store(processing, Ordering::Release);
        let (of_jobs, of_downloads) = digits.split_at(jobs.len().min(digits.len()));
        for (token, _) in jobs
            .iter()
            .zip(of_jobs)
            .filter(|(_, digit)| **digit != b'1')
        {
            let lost = self.held().jobs.remove(token);
            if let Some(job) = lost {
                log::warn!("{:?} has been taken over by another instance", job.id);
                if let Some(act) = job.when_lost {
                    act();
                }
            }
        }
        for (lease, digit) in downloads.iter().zip(of_downloads) {
            lease
                .0
                .store(if *digit == b'1' { until } else { 0 }, Ordering::Release);
        }
    }

    /// Renews the leases of keys. Losing a key only means that a repeat of its request is converted once more.
    fn renew_keys(&self) {
        let mut words = vec![b"hold".to_vec(), self.lease_ms().into()];
        for (key, token) in &self.held().keys {
            words.push(key.clone().into());
            words.push(token.clone().into());
        }
        if words.len() > 2 {
            let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
            // The next beat tries again.
            let _ = self.link.step(&words);
        }
    }

    /// Tells Redis which results were read, so that it removes their bytes. If Redis cannot be reached, the bytes
    /// expire soon by themselves.
    fn tell_what_was_read(&self) {
        let read = std::mem::take(&mut self.held().read);
        for batch in read.chunks(MAX_BATCH) {
            let names: Vec<String> = batch.iter().map(|(id, _)| id.to_string()).collect();
            let pairs = names.iter().zip(batch);
            let pairs = pairs.flat_map(|(id, (_, token))| [id.as_bytes(), token.as_bytes()]);
            let words: Vec<&[u8]> = [b"confirm" as &[u8]].into_iter().chain(pairs).collect();
            if let Err(fault) = self.link.step(&words) {
                log::debug!(
                    "{} delivered results wait to be removed: {fault:?}",
                    batch.len()
                );
            }
        }
    }

    /// Calls the listener for conversions that are no longer in progress.
    fn look_at_watched(&self) {
        let now = Instant::now();
        let watched: Vec<ConversionId> = {
            let mut held = self.held();
            held.watched.retain(|_, until| *until > now);
            held.watched.keys().copied().collect()
        };
        for batch in watched.chunks(MAX_BATCH) {
            let names: Vec<String> = batch.iter().map(ToString::to_string).collect();
            let words: Vec<&[u8]> = [b"running" as &[u8]]
                .into_iter()
                .chain(names.iter().map(String::as_bytes))
                .collect();
            // Without an answer from Redis they stay watched.
            let Ok(Reply::Text(digits)) = self.link.step(&words) else {
                return;
            };
            for (id, _) in batch.iter().zip(digits).filter(|(_, digit)| *digit != b'1') {
                self.held().watched.remove(id);
                if let Some(listener) = self.listener.get() {
                    listener(id);
                }
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The heartbeat's threads.
pub(super) struct Threads {
    beat: JoinHandle<()>,
    errands: JoinHandle<()>,
}

/// A connection of its own on which this instance waits for accepted conversions.
#[derive(Default)]
pub(super) struct Bell(Mutex<Option<Connection>>);

impl Bell {
    /// Waits up to a second for an accepted conversion. Redis blocks the connection meanwhile, so it cannot be one of
    /// the shared ones.
    pub(super) fn wait(&self, link: &Link) {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if link.wait_for(&mut own, super::BELL, 1).is_err() {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Parses the progress of a conversion as Redis holds it.
pub(super) fn parse_progress(text: &str) -> Option<job::Progress> {
    serde_json::from_str(text).ok()
}
