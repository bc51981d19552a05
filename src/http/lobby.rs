//! The lobby: one thread that holds every connection for which nothing is to be done right now. Never blocks.
//!
//! Readiness comes edge-triggered, so a connection that comes back from a worker is tried before it is left to wait.

use super::{
    Admission, Exchange, Handler, Head, Refusal, Settings, Status,
    connection::{Connection, Fill},
    head::{self, Framing},
    outgoing::Progress,
    pool::{Lane, Pools, Returned, Task, Work},
    slots::Slots,
};
use crossbeam_channel::Receiver;
use mio::{Events, Interest, Poll, Token, unix::SourceFd};
use std::{
    collections::{HashMap, VecDeque},
    io,
    net::{IpAddr, Ipv6Addr, TcpListener, TcpStream},
    os::fd::AsRawFd,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

const LISTENER: Token = Token(usize::MAX - 1);
/// How often deadlines are looked at.
const TICK: Duration = Duration::from_millis(250);
/// How many requests of one connection, and how many new connections, are served in a row.
const TURN: usize = 64;
/// How much of an unwanted body is dropped in a row.
const LINGER_TURN: usize = 1 << 20;
/// An early answer waits so long for a client that has fallen silent.
const LINGER_SILENCE: Duration = Duration::from_secs(5);
/// The longest pause between two looks at an outstanding acknowledgement.
const MAX_ACK_PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Lobby<H> {
    poll: Poll,
    listener: Option<TcpListener>,
    handler: Arc<H>,
    settings: Arc<Settings>,
    pools: Pools,
    arrivals: Receiver<Returned>,
    stopping: Arc<AtomicBool>,
    draining_since: Option<Instant>,
    slots: Slots<Slot>,
    addresses: HashMap<IpAddr, usize>,
    /// Uploads that wait for a worker, in order. A key may be stale.
    queue: VecDeque<usize>,
    queued: usize,
    busy_uploads: usize,
    /// Connections to go on with, although no event will say so.
    runnable: Vec<usize>,
    /// Connections whose answer waits for an acknowledgement.
    unacknowledged: Vec<usize>,
    /// Bytes in the input buffers of all connections that are here.
    held: usize,
    accept_again: bool,
    scratch: Box<[u8]>,
    ids: RequestIds,
}

enum Slot {
    /// With a worker.
    Away,
    Here(Resident),
}

struct Resident {
    connection: Box<Connection>,
    phase: Phase,
    /// When the phase began.
    since: Instant,
    /// Bytes of its input that are counted in [`Lobby::held`].
    held: usize,
}

enum Phase {
    /// Between requests.
    Idle,
    /// In the middle of a head, of which so much has been searched for its end.
    Head { scanned: usize },
    /// A whole head that waits for a worker of the upload lane.
    Queued(Box<Head>),
    /// An answer that waits for the client to read.
    Sending(Pace),
    /// An answer that has been sent, and that the client's side has not acknowledged.
    Unacknowledged {
        pace: Pace,
        next: Instant,
        pause: Duration,
    },
    /// A file to go on with as soon as the quick lane has room.
    Deferred,
    /// The answer is sent; what the client still sends is dropped, so that no reset overtakes the answer.
    Lingering { last_byte: Instant },
}

/// How far the client had come when it was last looked at.
#[derive(Clone, Copy)]
struct Pace {
    since: Instant,
    acknowledged: u64,
}

impl<H: Handler> Lobby<H> {
    pub(super) fn new(
        poll: Poll,
        listener: TcpListener,
        handler: Arc<H>,
        settings: Arc<Settings>,
        pools: Pools,
        arrivals: Receiver<Returned>,
        stopping: Arc<AtomicBool>,
    ) -> io::Result<Self> {
        poll.registry().register(
            &mut SourceFd(&listener.as_raw_fd()),
            LISTENER,
            Interest::READABLE,
        )?;
        Ok(Self {
            poll,
            listener: Some(listener),
            handler,
            settings,
            pools,
            arrivals,
            stopping,
            draining_since: None,
            slots: Slots::new(),
            addresses: HashMap::new(),
            queue: VecDeque::new(),
            queued: 0,
            busy_uploads: 0,
            runnable: Vec::new(),
            unacknowledged: Vec::new(),
            held: 0,
            accept_again: false,
            scratch: vec![0; 64 << 10].into_boxed_slice(),
            ids: RequestIds::new(),
        })
    }

    /// Runs until told to stop. Whether everything that ran could be finished in time.
    pub(super) fn run(mut self) -> bool {
        let mut events = Events::with_capacity(1024);
        let mut next_tick = Instant::now() + TICK;
        let finished = loop {
            if let Err(err) = self.poll.poll(&mut events, self.timeout(next_tick)) {
                if err.kind() != io::ErrorKind::Interrupted {
                    log::error!("waiting for connections failed: {err}");
                }
            }
            let now = Instant::now();
            while let Ok(returned) = self.arrivals.try_recv() {
                self.take_back(returned, now);
            }
            for event in &events {
                match event.token() {
                    LISTENER => self.accept(now),
                    Token(key) => self.drive(key, now),
                }
            }
            for key in std::mem::take(&mut self.runnable) {
                self.drive(key, now);
            }
            self.check_acknowledgements(now);
            if now >= next_tick {
                next_tick = now + TICK;
                self.tick(now);
            }
            if self.stopping.load(Ordering::Acquire) {
                if let Some(finished) = self.drain(now) {
                    break finished;
                }
            }
        };
        if finished {
            // Their senders go first, so that the workers end.
            self.pools.join();
        }
        finished
    }

    fn timeout(&self, next_tick: Instant) -> Option<Duration> {
        let now = Instant::now();
        if !self.runnable.is_empty() {
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
            // Rounded up: the poll counts in whole milliseconds.
            at.saturating_duration_since(now) + Duration::from_micros(999)
        })
    }

    // ---- connections come and go

    fn accept(&mut self, now: Instant) {
        self.accept_again = false;
        for _ in 0..TURN {
            let Some(listener) = &self.listener else {
                return;
            };
            match listener.accept() {
                Ok((stream, peer)) => {
                    if let Err(err) = self.welcome(stream, peer, now) {
                        log::warn!("a connection could not be set up: {err}");
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => return,
                Err(err)
                    if matches!(
                        err.kind(),
                        io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted
                    ) => {}
                Err(err) => {
                    // Descriptors or memory have run out: make room, and try again a little later.
                    log::warn!("accepting a connection failed: {err}");
                    self.evict();
                    self.accept_again = true;
                    return;
                }
            }
        }
        self.accept_again = true;
    }

    fn welcome(
        &mut self,
        stream: TcpStream,
        peer: std::net::SocketAddr,
        now: Instant,
    ) -> io::Result<()> {
        let address = network(peer.ip());
        let limit = self.settings.max_connections_per_address;
        let counts =
            limit > 0 && (self.settings.limit_loopback || !peer.ip().to_canonical().is_loopback());
        if counts
            && self
                .addresses
                .get(&address)
                .is_some_and(|&open| open >= limit)
        {
            log::debug!("{} has {limit} connections already", peer.ip());
            return Ok(());
        }
        if self.slots.len() >= self.settings.max_connections && !self.evict() {
            return Ok(());
        }
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let fd = stream.as_raw_fd();
        let resident = Resident {
            connection: Box::new(Connection::new(stream, peer)),
            phase: Phase::Idle,
            since: now,
            held: 0,
        };
        let key = self.slots.insert(Slot::Here(resident));
        *self.addresses.entry(address).or_default() += 1;
        let interest = Interest::READABLE | Interest::WRITABLE;
        let registered = self
            .poll
            .registry()
            .register(&mut SourceFd(&fd), Token(key), interest);
        if registered.is_err() {
            self.close(key);
        }
        registered
    }

    /// Ends a connection that is here.
    fn close(&mut self, key: usize) {
        if let Some(Slot::Here(mut resident)) = self.slots.remove(key) {
            self.held -= resident.held;
            if matches!(resident.phase, Phase::Queued(_)) {
                self.queued -= 1;
            }
            log_exchange(
                &*self.handler,
                &mut resident.connection,
                false,
                Instant::now(),
            );
            let address = network(resident.connection.peer.ip());
            if let Some(open) = self.addresses.get_mut(&address) {
                *open -= 1;
                if *open == 0 {
                    self.addresses.remove(&address);
                }
            }
            // Closing the descriptor takes it out of the poll.
        }
    }

    /// Closes the connection that has been idle for the longest time, or else the one that has been
    /// sending its head for the longest time. Whether there was one.
    fn evict(&mut self) -> bool {
        let rank = |(key, slot): (usize, &Slot)| match slot {
            Slot::Here(Resident {
                phase: Phase::Idle,
                since,
                ..
            }) => Some((0, *since, key)),
            Slot::Here(Resident {
                phase: Phase::Lingering { .. },
                since,
                ..
            }) => Some((1, *since, key)),
            Slot::Here(Resident {
                phase: Phase::Head { .. },
                since,
                ..
            }) => Some((2, *since, key)),
            Slot::Here(_) | Slot::Away => None,
        };
        let oldest = self.slots.iter().filter_map(rank).min();
        if let Some((_, _, key)) = oldest {
            self.close(key);
        }
        oldest.is_some()
    }

    // ---- one connection goes on

    fn resident(&mut self, key: usize) -> Option<&mut Resident> {
        match self.slots.get_mut(key)? {
            Slot::Here(resident) => Some(resident),
            Slot::Away => None,
        }
    }

    fn drive(&mut self, key: usize, now: Instant) {
        let Some(resident) = self.resident(key) else {
            return;
        };
        match &resident.phase {
            Phase::Idle | Phase::Head { .. } => self.read_requests(key, now),
            Phase::Queued(_) => {
                if super::socket::is_closed(&resident.connection.stream) {
                    self.close(key);
                }
            }
            Phase::Sending(_) => self.send(key, now),
            Phase::Unacknowledged { .. } => {}
            Phase::Deferred => self.resume(key, now),
            Phase::Lingering { .. } => self.linger(key, now),
        }
    }

    /// Reads and serves requests until the client has to send, or to read, or a worker has the connection.
    fn read_requests(&mut self, key: usize, now: Instant) {
        for _ in 0..TURN {
            let Self {
                slots,
                scratch,
                held,
                ..
            } = self;
            let Some(Slot::Here(resident)) = slots.get_mut(key) else {
                return;
            };
            let scanned = match resident.phase {
                Phase::Idle => 0,
                Phase::Head { scanned } => scanned,
                _ => return,
            };
            let input = &resident.connection.input;
            match head::find_end(input, scanned) {
                Ok(Some(end)) => {
                    if !self.request(key, end, now) {
                        return;
                    }
                    continue;
                }
                Ok(None) => {
                    let scanned = input.len();
                    if scanned > 0 {
                        if matches!(resident.phase, Phase::Idle) {
                            resident.since = now;
                        }
                        resident.phase = Phase::Head { scanned };
                    }
                }
                Err(refusal) => return self.refuse_unreadable(key, &refusal, now),
            }
            let filled = resident.connection.fill(scratch);
            *held = *held - resident.held + resident.connection.input.len();
            resident.held = resident.connection.input.len();
            match filled {
                Ok(Fill::Some(_)) => {}
                Ok(Fill::Nothing) => {
                    if self.held > self.settings.max_head_memory {
                        self.evict_largest_head();
                    }
                    return;
                }
                Ok(Fill::End) | Err(_) => return self.close(key),
            }
        }
        self.runnable.push(key);
    }

    /// The heads of all connections together have grown too large: the one that holds most goes.
    fn evict_largest_head(&mut self) {
        let heads = self.slots.iter().filter_map(|(key, slot)| match slot {
            Slot::Here(Resident {
                phase: Phase::Head { .. },
                held,
                ..
            }) => Some((*held, key)),
            Slot::Here(_) | Slot::Away => None,
        });
        if let Some((_, key)) = heads.max() {
            self.close(key);
        }
    }

    /// Serves the request whose head is the first `end` bytes of the input. Whether the next one can be read at once.
    fn request(&mut self, key: usize, end: usize, now: Instant) -> bool {
        let draining = self.draining_since.is_some();
        let Self {
            slots,
            ids,
            held,
            handler,
            ..
        } = self;
        let Some(Slot::Here(resident)) = slots.get_mut(key) else {
            return false;
        };
        let connection = &mut resident.connection;
        let parsed = head::parse(&connection.input[..end], || ids.next());
        connection.input.drain(..end);
        *held = *held - resident.held + connection.input.len();
        resident.held = connection.input.len();
        let head = match parsed {
            Ok(head) => head,
            Err(refusal) => {
                self.refuse_unreadable(key, &refusal, now);
                return false;
            }
        };
        connection.begin(&head, now);
        if draining {
            self.refuse(
                key,
                &head,
                &Refusal::busy("the service is shutting down"),
                now,
            );
            return false;
        }
        match handler.admit(&head, connection.peer.ip()) {
            Admission::Answer(response) => {
                // A body that nobody reads would be taken for the next request.
                let keep =
                    head.keep_alive && matches!(head.framing, Framing::None | Framing::Length(0));
                connection.answer(response, Some(&head), keep, SystemTime::now());
                self.send(key, now);
                matches!(
                    self.resident(key),
                    Some(Resident {
                        phase: Phase::Idle,
                        ..
                    })
                )
            }
            Admission::Quick => {
                if let Err(head) = self.hand_over(key, Lane::Quick, Box::new(head)) {
                    self.refuse(key, &head, &Refusal::busy("too many requests at once"), now);
                }
                false
            }
            Admission::Upload => {
                self.admit_upload(key, Box::new(head), now);
                false
            }
        }
    }

    /// Gives the connection to a worker, or the head back.
    fn hand_over(&mut self, key: usize, lane: Lane, head: Box<Head>) -> Result<(), Box<Head>> {
        match self.leave(key, lane, Work::Request(head)) {
            Ok(()) => Ok(()),
            Err(Work::Request(head)) => Err(head),
            Err(Work::Resume) => Ok(()),
        }
    }

    /// Moves a connection out of the lobby. If the lane is full it stays, and so does the work.
    fn leave(&mut self, key: usize, lane: Lane, work: Work) -> Result<(), Work> {
        let Some(Slot::Here(resident)) = self.slots.get_mut(key) else {
            return Ok(());
        };
        let (since, held) = (resident.since, resident.held);
        let Some(slot) = self.slots.get_mut(key) else {
            return Ok(());
        };
        let Slot::Here(resident) = std::mem::replace(slot, Slot::Away) else {
            return Ok(());
        };
        match self.pools.send(
            lane,
            Task {
                key,
                connection: resident.connection,
                work,
            },
        ) {
            Ok(()) => {
                self.held -= held;
                if lane == Lane::Upload {
                    self.busy_uploads += 1;
                }
                Ok(())
            }
            Err(Task {
                connection, work, ..
            }) => {
                if let Some(slot) = self.slots.get_mut(key) {
                    *slot = Slot::Here(Resident {
                        connection,
                        phase: resident.phase,
                        since,
                        held,
                    });
                }
                Err(work)
            }
        }
    }

    // ---- uploads wait for workers

    fn admit_upload(&mut self, key: usize, head: Box<Head>, now: Instant) {
        if self.busy_uploads < self.settings.workers {
            if let Err(head) = self.hand_over(key, Lane::Upload, head) {
                self.refuse(key, &head, &Refusal::busy("too many uploads at once"), now);
            }
        } else if self.queued >= self.settings.queue || self.pools.is_stalled(self.settings.workers)
        {
            self.refuse(key, &head, &Refusal::busy("too many uploads at once"), now);
        } else if let Some(resident) = self.resident(key) {
            resident.phase = Phase::Queued(head);
            resident.since = now;
            self.queue.push_back(key);
            self.queued += 1;
        }
    }

    /// Takes the head out of a connection that is queued.
    fn unqueue(&mut self, key: usize, now: Instant) -> Option<Box<Head>> {
        let resident = self.resident(key)?;
        if !matches!(resident.phase, Phase::Queued(_)) {
            return None;
        }
        resident.since = now;
        match std::mem::replace(&mut resident.phase, Phase::Idle) {
            Phase::Queued(head) => {
                self.queued -= 1;
                Some(head)
            }
            _ => None,
        }
    }

    /// Gives free workers to the uploads that have waited longest.
    fn serve_queue(&mut self, now: Instant) {
        while self.busy_uploads < self.settings.workers {
            let Some(key) = self.queue.pop_front() else {
                return;
            };
            if let Some(head) = self.unqueue(key, now) {
                if let Err(head) = self.hand_over(key, Lane::Upload, head) {
                    self.refuse(key, &head, &Refusal::busy("too many uploads at once"), now);
                }
            }
        }
    }

    fn refuse_queue(&mut self, refusal: &Refusal, now: Instant) {
        while let Some(key) = self.queue.pop_front() {
            if let Some(head) = self.unqueue(key, now) {
                self.refuse(key, &head, refusal, now);
            }
        }
    }

    // ---- answers

    fn refuse(&mut self, key: usize, head: &Head, refusal: &Refusal, now: Instant) {
        let response = self.handler.refuse(refusal);
        if let Some(resident) = self.resident(key) {
            let keep = head.keep_alive
                && head.framing == Framing::None
                && refusal.status != Status::SERVICE_UNAVAILABLE;
            resident
                .connection
                .answer(response, Some(head), keep, SystemTime::now());
            self.send(key, now);
        }
    }

    /// Answers a head that cannot be understood, and ends: where the next one begins is unknown.
    fn refuse_unreadable(&mut self, key: usize, refusal: &Refusal, now: Instant) {
        let (response, request_id) = (self.handler.refuse(refusal), self.ids.next());
        if let Some(resident) = self.resident(key) {
            resident.connection.begin_unreadable(request_id, now);
            resident
                .connection
                .answer(response, None, false, SystemTime::now());
            self.send(key, now);
        }
    }

    /// Sends what is in memory, and hands the rest to a worker.
    fn send(&mut self, key: usize, now: Instant) {
        let Some(resident) = self.resident(key) else {
            return;
        };
        let progress = resident.connection.pump_bytes();
        self.after(key, progress, now);
    }

    /// What comes after one step of sending.
    fn after(&mut self, key: usize, progress: io::Result<Progress>, now: Instant) {
        let Some(resident) = self.resident(key) else {
            return;
        };
        let pace = match &resident.phase {
            Phase::Sending(pace) | Phase::Unacknowledged { pace, .. } => *pace,
            _ => Pace {
                since: now,
                acknowledged: 0,
            },
        };
        match progress {
            Ok(Progress::Done) => self.finish(key, now),
            Ok(Progress::Blocked) => resident.phase = Phase::Sending(pace),
            Ok(Progress::Yielded) => self.resume(key, now),
            Ok(Progress::Unacknowledged) => {
                let pause = Duration::from_millis(1);
                resident.phase = Phase::Unacknowledged {
                    pace,
                    next: now + pause,
                    pause,
                };
                self.unacknowledged.push(key);
            }
            Err(err) => {
                log::debug!("an answer could not be sent: {err}");
                self.close(key);
            }
        }
    }

    /// Lets a worker go on with a file, at once or when there is room.
    fn resume(&mut self, key: usize, now: Instant) {
        if self.leave(key, Lane::Quick, Work::Resume).is_err() {
            if let Some(resident) = self.resident(key) {
                resident.phase = Phase::Deferred;
                resident.since = now;
            }
        }
    }

    /// The answer has gone out.
    fn finish(&mut self, key: usize, now: Instant) {
        let Some(Slot::Here(resident)) = self.slots.get_mut(key) else {
            return;
        };
        log_exchange(&*self.handler, &mut resident.connection, true, now);
        resident.since = now;
        resident.connection.shrink();
        if resident.connection.keep {
            resident.phase = Phase::Idle;
        } else {
            resident.phase = Phase::Lingering { last_byte: now };
            resident.connection.finish_sending();
        }
        // What has arrived in the meantime raised its event long ago.
        self.runnable.push(key);
    }

    fn linger(&mut self, key: usize, now: Instant) {
        let Self {
            slots,
            scratch,
            held,
            ..
        } = self;
        let Some(Slot::Here(resident)) = slots.get_mut(key) else {
            return;
        };
        let mut dropped = 0;
        loop {
            let filled = resident.connection.fill(scratch);
            resident.connection.input = Vec::new();
            *held -= std::mem::take(&mut resident.held);
            match filled {
                Ok(Fill::Some(len)) => {
                    dropped += len;
                    resident.phase = Phase::Lingering { last_byte: now };
                    if dropped >= LINGER_TURN {
                        return self.runnable.push(key);
                    }
                }
                Ok(Fill::Nothing) => return,
                Ok(Fill::End) | Err(_) => return self.close(key),
            }
        }
    }

    // ---- workers give back

    fn take_back(&mut self, returned: Returned, now: Instant) {
        let Returned {
            key,
            connection,
            progress,
            lane,
        } = returned;
        if lane == Lane::Upload {
            self.busy_uploads -= 1;
        }
        let held = connection.input.len();
        self.held += held;
        let phase = Phase::Sending(Pace {
            since: now,
            acknowledged: connection.acknowledged(),
        });
        let blocked = matches!(progress, Ok(Progress::Blocked));
        let fd = connection.stream.as_raw_fd();
        if let Some(slot) = self.slots.get_mut(key) {
            *slot = Slot::Here(Resident {
                connection,
                phase,
                since: now,
                held,
            });
        }
        if lane == Lane::Upload {
            self.send(key, now)
        } else {
            self.after(key, progress, now)
        }
        if blocked {
            // The edge may have passed while the worker had the connection: ask for it once more.
            let interest = Interest::READABLE | Interest::WRITABLE;
            if self
                .poll
                .registry()
                .reregister(&mut SourceFd(&fd), Token(key), interest)
                .is_err()
            {
                self.close(key);
            }
        }
        self.serve_queue(now);
    }

    fn check_acknowledgements(&mut self, now: Instant) {
        let mut keys = std::mem::take(&mut self.unacknowledged);
        keys.retain(|&key| {
            let Some(resident) = self.resident(key) else {
                return false;
            };
            let Phase::Unacknowledged { next, pause, .. } = &mut resident.phase else {
                return false;
            };
            if now < *next {
                return true;
            }
            *pause = (*pause * 2).min(MAX_ACK_PAUSE);
            *next = now + *pause;
            if matches!(
                super::socket::unacknowledged(&resident.connection.stream),
                Ok(1..)
            ) {
                return true;
            }
            // All there, or broken: sending goes on and finds out which.
            self.resume(key, now);
            false
        });
        self.unacknowledged.append(&mut keys);
    }

    // ---- time passes

    fn tick(&mut self, now: Instant) {
        if self.accept_again {
            self.accept(now);
        }
        if self.queued > 0 && self.pools.is_stalled(self.settings.workers) {
            self.refuse_queue(&Refusal::busy("too many uploads at once"), now);
        }
        let due: Vec<usize> = self
            .slots
            .iter()
            .filter(|(_, slot)| self.is_due(slot, now))
            .map(|(key, _)| key)
            .collect();
        for key in due {
            self.act_on_time(key, now);
        }
    }

    /// Whether [`act_on_time`](Self::act_on_time) has something to decide.
    fn is_due(&self, slot: &Slot, now: Instant) -> bool {
        let Slot::Here(resident) = slot else {
            return false;
        };
        let age = now.saturating_duration_since(resident.since);
        match &resident.phase {
            Phase::Idle => age >= self.settings.idle_timeout,
            Phase::Head { .. } => age >= self.settings.head_timeout,
            Phase::Queued(_) => false,
            Phase::Sending(pace) | Phase::Unacknowledged { pace, .. } => {
                now.saturating_duration_since(pace.since) >= self.settings.pace_window
            }
            Phase::Deferred => true,
            Phase::Lingering { last_byte } => {
                age >= self.settings.linger_timeout
                    || now.saturating_duration_since(*last_byte) >= LINGER_SILENCE
            }
        }
    }

    fn act_on_time(&mut self, key: usize, now: Instant) {
        let (window, min_rate) = (self.settings.pace_window, self.settings.min_rate);
        let Some(resident) = self.resident(key) else {
            return;
        };
        match &mut resident.phase {
            Phase::Idle | Phase::Lingering { .. } | Phase::Queued(_) => self.close(key),
            Phase::Head { .. } => {
                let detail = "the request head did not arrive in time";
                self.refuse_unreadable(key, &Refusal::new(Status::REQUEST_TIMEOUT, detail), now);
            }
            Phase::Sending(pace) | Phase::Unacknowledged { pace, .. } => {
                let acknowledged = resident.connection.acknowledged();
                if acknowledged.saturating_sub(pace.acknowledged)
                    < min_rate.saturating_mul(window.as_secs().max(1))
                {
                    log::debug!("a client reads its answer too slowly");
                    self.close(key);
                } else {
                    *pace = Pace {
                        since: now,
                        acknowledged,
                    };
                }
            }
            Phase::Deferred => self.resume(key, now),
        }
    }

    /// One step of stopping; ends with whether everything was finished.
    fn drain(&mut self, now: Instant) -> Option<bool> {
        if self.draining_since.is_none() {
            self.draining_since = Some(now);
            if let Some(listener) = self.listener.take() {
                // Closing takes it out of the poll; an error here changes nothing.
                let _ = self
                    .poll
                    .registry()
                    .deregister(&mut SourceFd(&listener.as_raw_fd()));
            }
            self.refuse_queue(&Refusal::busy("the service is shutting down"), now);
        }
        let unfinished = self.slots.iter().any(|(_, slot)| match slot {
            Slot::Away => true,
            Slot::Here(resident) => match resident.phase {
                Phase::Idle | Phase::Head { .. } | Phase::Lingering { .. } => false,
                Phase::Queued(_)
                | Phase::Sending(_)
                | Phase::Unacknowledged { .. }
                | Phase::Deferred => true,
            },
        });
        let late = self
            .draining_since
            .is_some_and(|since| now.saturating_duration_since(since) >= self.settings.grace);
        if !unfinished {
            Some(true)
        } else {
            late.then_some(false)
        }
    }
}

/// Reports an exchange of which at least the answer was known.
fn log_exchange(handler: &impl Handler, connection: &mut Connection, complete: bool, now: Instant) {
    let duration = connection.elapsed(now);
    let (Some(exchange), Some(outgoing)) = (connection.exchange.take(), connection.outgoing.take())
    else {
        return;
    };
    handler.finished(&Exchange {
        method: exchange.method,
        path: &exchange.path,
        status: outgoing.status(),
        bytes: outgoing.content_written(),
        duration,
        request_id: &exchange.request_id,
        complete,
    });
}

/// What shares a limit: an IPv4 address, or an IPv6 network of 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !0 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Request ids for clients that send none: unique, and of no use to guess.
struct RequestIds {
    prefix: u32,
    count: u32,
}

impl RequestIds {
    fn new() -> Self {
        // The process and the clock tell two runs apart; nothing depends on it.
        let now = SystemTime::now()
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
