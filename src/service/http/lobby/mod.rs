//! The lobby is a single thread. It owns every connection that waits for its client or for a worker. Never blocks.
//!
//! Thousands of connections may be idle, send their heads byte by byte or read their answers slowly. In the lobby, each
//! of them needs a small buffer instead of a thread. Each is in one [`Phase`], and moves to the next by a readiness
//! event, by its return from a worker, or by a timer. Everything that a client could make grow has a limit
//! (connections, bytes held, requests served in a row). If there are too many connections or bytes, the connection that
//! has been idle longest or that holds most memory is closed.
//!
//! The trap: readiness is edge-triggered, so an event is reported once, even if it happens while a worker has the
//! connection. So a connection that comes back is tried before it is left to wait, and one that has used up its turn is
//! listed in `runnable`, because no further event will mention it.

mod answers;
mod deadlines;
mod doors;
mod requests;
mod shares;
mod waits;

use super::{
    clock::Clock,
    connection::Connection,
    fence::fenced,
    handler::{Exchange, Handler, Topic},
    head::Head,
    pool::{Pools, Returned, WorkerTask},
    settings::Settings,
    signals::Signals,
    slots::Slots,
    socket,
};
use crossbeam_channel::Receiver;
use mio::{Events, Interest, Poll, Token, unix::SourceFd};
use shares::Shares;
use std::{
    collections::{HashMap, VecDeque},
    io,
    net::{IpAddr, TcpListener},
    os::fd::{AsRawFd, OwnedFd},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant, SystemTime},
};

const LISTENER: Token = Token(usize::MAX - 1);
/// Number of connections in [`Lobby::runnable`] that get a turn before the lobby looks for new events.
const RUNNABLE_TURN: usize = 8;
/// Time after its acceptance or its last answer in which a connection counts as about to send a request.
const FRESH: Duration = Duration::from_secs(1);
/// Interval between two checks of all deadlines.
const TICK: Duration = Duration::from_millis(250);

pub(super) struct Lobby<H> {
    poll: Poll,
    listener: TcpListener,
    handler: Arc<H>,
    settings: Arc<Settings>,
    pools: Pools<H>,
    arrivals: Receiver<Returned>,
    signals: Arc<Signals>,
    clock: Clock,
    draining_since: Option<Instant>,
    slots: Slots<Slot>,
    /// The number of connections accepted so far.
    accepted: u64,
    /// The number of open connections of each network.
    addresses: HashMap<IpAddr, usize>,
    /// Keys of connections whose uploads wait for a worker, in order.
    queue: VecDeque<usize>,
    /// Number of places that each client takes in the queue.
    queued: Shares,
    /// Number of workers of the upload lane that each client occupies.
    uploads: Shares,
    /// Keys and numbers of connections that wait for the quick lane, in order. The number is needed because a key may
    /// belong to a newer connection by now.
    waiting: VecDeque<(usize, u64)>,
    /// Connections that can continue although no event will report them.
    runnable: VecDeque<usize>,
    /// Connections whose answers wait for an acknowledgement.
    unacknowledged: Vec<usize>,
    /// Connections whose requests wait for news, by topic.
    topics: HashMap<Topic, Vec<usize>>,
    /// Number of requests that wait for news ([`Phase::Listening`]).
    waiting_requests: usize,
    /// The memory of the buffers of all connections in the lobby, in bytes.
    held: usize,
    /// Whether the kernel may have more connections to accept.
    more_to_accept: bool,
    /// Whether accepting failed for lack of file descriptors or memory. The next tick tries again.
    accept_again: bool,
    /// Spare descriptors, see [`keep_spares`](Self::keep_spares). They are closed when the process can open no others.
    spares: Vec<OwnedFd>,
    scratch: Box<[u8]>,
    ids: RequestIds,
}

enum Slot {
    /// A worker has the connection. If the worker belongs to the upload lane, the connection counts against the share
    /// of this client.
    Away(Option<IpAddr>),
    Here(Resident),
}

struct Resident {
    connection: Box<Connection>,
    phase: Phase,
    /// Time at which the phase began. A pause shorter than [`FRESH`] before a head counts as part of the head.
    since: Instant,
    /// The part of [`Lobby::held`] that is this connection's, in bytes.
    held: usize,
    /// Whether the connection is in [`Lobby::runnable`].
    listed: bool,
}

enum Phase {
    /// Between requests.
    Idle,
    /// A part of a head has arrived. Its first `scanned` bytes have been searched for the end of the head.
    Head { scanned: usize },
    /// A complete head that waits for a worker of the upload lane, and the client whose place in the queue it takes.
    Queued(Box<Head>, Option<IpAddr>),
    /// A request that waits for news, with its deadline.
    Listening {
        head: Box<Head>,
        topic: Topic,
        until: Instant,
    },
    /// Work that waits until the quick lane accepts another task.
    Waiting(WorkerTask),
    /// An answer that waits until the client has read some of it.
    Sending,
    /// An answer that has been sent and that the client's kernel has not acknowledged yet.
    Unacknowledged { next: Instant, pause: Duration },
    /// The answer has been sent, and input that still arrives is read and dropped: closing a socket with unread input
    /// makes the kernel send a reset, which can destroy the answer on its way (RFC 9112, section 9.6). `left` limits
    /// how many bytes are dropped.
    Lingering { last_byte: Instant, left: u64 },
}

impl<H: Handler> Lobby<H> {
    /// Registers the listener with the poll.
    pub(super) fn new(
        poll: Poll,
        listener: TcpListener,
        handler: Arc<H>,
        settings: Arc<Settings>,
        (pools, arrivals): (Pools<H>, Receiver<Returned>),
        signals: Arc<Signals>,
        clock: Clock,
    ) -> io::Result<Self> {
        poll.registry().register(
            &mut SourceFd(&listener.as_raw_fd()),
            LISTENER,
            Interest::READABLE,
        )?;
        let Settings { workers, queue, .. } = *settings;
        Ok(Self {
            poll,
            listener,
            handler,
            settings,
            pools,
            arrivals,
            signals,
            ids: RequestIds::new(clock.date()),
            clock,
            draining_since: None,
            slots: Slots::new(),
            accepted: 0,
            addresses: HashMap::new(),
            queue: VecDeque::new(),
            queued: Shares::new(queue),
            uploads: Shares::new(workers),
            waiting: VecDeque::new(),
            runnable: VecDeque::new(),
            unacknowledged: Vec::new(),
            topics: HashMap::new(),
            waiting_requests: 0,
            held: 0,
            more_to_accept: false,
            accept_again: false,
            spares: Vec::new(),
            scratch: vec![0; 64 << 10].into_boxed_slice(),
        })
    }

    /// Runs until it is stopped. Returns whether everything that was running could be finished in time.
    pub(super) fn run(mut self) -> bool {
        let mut events = Events::with_capacity(1024);
        let mut next_tick = self.clock.now() + TICK;
        self.keep_spares();
        let finished = loop {
            if let Err(err) = self.poll.poll(&mut events, self.timeout(next_tick))
                && err.kind() != io::ErrorKind::Interrupted
            {
                log::error!("waiting for connections failed: {err}");
            }
            let now = self.clock.now();
            while let Ok(returned) = self.arrivals.try_recv() {
                self.take_back(returned, now);
            }
            self.hear_news(now);
            for event in &events {
                match event.token() {
                    LISTENER => self.accept(now),
                    // A listed connection gets its turn below, and must not get two.
                    Token(key) if self.is_listed(key) => {}
                    Token(key) => self.drive(key, now),
                }
            }
            if self.more_to_accept {
                self.accept(now);
            }
            let turn = self.runnable.len().min(RUNNABLE_TURN);
            let runnable: VecDeque<usize> = self.runnable.drain(..turn).collect();
            for key in runnable {
                if let Some(resident) = self.resident(key) {
                    resident.listed = false;
                }
                self.drive(key, now);
            }
            self.check_acknowledgements(now);
            if now >= next_tick {
                next_tick = now + TICK;
                self.tick(now);
            }
            // The tick may have closed the last connection, and the loop may then sleep for a long time. So the count
            // is published here.
            self.signals.open.store(self.slots.len(), Ordering::Relaxed);
            if self.signals.stopping.load(Ordering::Acquire)
                && let Some(finished) = self.drain(now)
            {
                break finished;
            }
        };
        if finished {
            // `join` closes the workers' channels and waits for the workers to end.
            self.pools.join();
        }
        finished
    }

    /// The longest time that the poll may wait: zero if a connection is listed for a turn, otherwise until the next
    /// tick or the next check for an acknowledgement. `None` for no limit, if there are no connections.
    fn timeout(&self, next_tick: Instant) -> Option<Duration> {
        let now = self.clock.now();
        if !self.runnable.is_empty() || self.more_to_accept {
            return Some(Duration::ZERO);
        }
        let pauses = self
            .unacknowledged
            .iter()
            .filter_map(|&key| match self.slots.get(key) {
                Some(Slot::Here(Resident {
                    phase: Phase::Unacknowledged { next, .. },
                    ..
                })) => Some(*next),
                _ => None,
            });
        let idle = self.slots.len() == 0 && !self.accept_again && self.draining_since.is_none();
        pauses.chain((!idle).then_some(next_tick)).min().map(|at| {
            // Rounded up, because the poll counts in whole milliseconds.
            at.saturating_duration_since(now) + Duration::from_micros(999)
        })
    }

    fn resident(&mut self, key: usize) -> Option<&mut Resident> {
        match self.slots.get_mut(key)? {
            Slot::Here(resident) => Some(resident),
            Slot::Away(_) => None,
        }
    }

    /// Updates the count of a connection's buffers. If all buffers together exceed [`Settings::max_held`], the
    /// connection with the largest is closed.
    fn weigh(&mut self, key: usize) {
        if let Some(Slot::Here(resident)) = self.slots.get_mut(key) {
            self.held -= resident.held;
            resident.held = resident.weight();
            self.held += resident.held;
        }
        if self.held > self.settings.max_held {
            self.evict_largest();
        }
    }

    fn is_listed(&mut self, key: usize) -> bool {
        self.resident(key).is_some_and(|resident| resident.listed)
    }

    /// Lists a connection that has more to do than its turn allows. Each connection is listed only once.
    fn go_on_later(&mut self, key: usize) {
        if let Some(resident) = self.resident(key)
            && !std::mem::replace(&mut resident.listed, true)
        {
            self.runnable.push_back(key);
        }
    }

    /// Continues with a connection after an event, by its phase.
    fn drive(&mut self, key: usize, now: Instant) {
        let Some(resident) = self.resident(key) else {
            return;
        };
        match &resident.phase {
            Phase::Idle | Phase::Head { .. } => self.read_requests(key, now),
            Phase::Queued(..) | Phase::Listening { .. } => {
                if socket::is_closed(&resident.connection.stream) {
                    self.close(key);
                }
            }
            Phase::Waiting(_) => {
                if socket::is_broken(&resident.connection.stream) {
                    self.close(key);
                }
            }
            Phase::Sending => self.send_and_go_on(key, now),
            Phase::Unacknowledged { .. } => self.look_for_acknowledgement(key, now),
            Phase::Lingering { .. } => self.linger(key, now),
        }
    }
}

impl Resident {
    /// Returns whether the connection has been between requests for less than [`FRESH`], so that a request is expected.
    fn is_fresh(&self, now: Instant) -> bool {
        matches!(self.phase, Phase::Idle) && now.saturating_duration_since(self.since) < FRESH
    }

    /// The memory of the connection's buffers and of its waiting head, in bytes.
    fn weight(&self) -> usize {
        let head = match &self.phase {
            Phase::Queued(head, _)
            | Phase::Waiting(WorkerTask::Request(head))
            | Phase::Listening { head, .. } => head.weight(),
            Phase::Idle
            | Phase::Head { .. }
            | Phase::Waiting(WorkerTask::Resume)
            | Phase::Sending
            | Phase::Unacknowledged { .. }
            | Phase::Lingering { .. } => 0,
        };
        self.connection.weight() + head
    }
}

/// Reports an exchange to the handler, if it got as far as an answer.
fn log_exchange(handler: &impl Handler, connection: &mut Connection, complete: bool, now: Instant) {
    let duration = connection.elapsed(now);
    let (Some(exchange), Some(outgoing)) = (connection.exchange.take(), connection.outgoing.take())
    else {
        return;
    };
    let exchange = Exchange {
        method: exchange.method,
        path: &exchange.path,
        status: outgoing.status(),
        received: exchange.received,
        bytes: outgoing.content_written(),
        duration,
        request_id: &exchange.request_id,
        complete,
        peer: connection.peer.ip(),
        forwarded: exchange.forwarded.as_deref(),
        reason: exchange.reason.as_deref(),
    };
    // If the handler panics, the connection continues: the answer has been sent.
    let _ = fenced(|| handler.finished(&exchange));
    connection.receipt = outgoing.into_receipt();
}

/// Request ids for clients that send none. They are unique and not secret.
struct RequestIds {
    prefix: u32,
    count: u32,
}

impl RequestIds {
    /// Makes ids that differ from those of another run of the server, because their prefix is made of the process id
    /// and the time.
    fn new(now: SystemTime) -> Self {
        let now = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            prefix: now.as_millis() as u32 ^ std::process::id().rotate_left(16),
            count: 0,
        }
    }

    fn next(&mut self) -> String {
        self.count = self.count.wrapping_add(1);
        format!("{:08x}-{:06x}", self.prefix, self.count)
    }
}
