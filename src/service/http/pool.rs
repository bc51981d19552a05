//! The two pools of workers, one for each lane. A worker holds a connection only while there is work for it, and never
//! waits for a client to read an answer.
//!
//! A pool begins with one worker and grows up to its size when several tasks arrive at the same time. The reason is
//! memory: a thread that has run keeps three pages, and with all workers started, the pool took a quarter of the
//! service's memory on a small idle machine.

use super::{
    body::{Activity, Body},
    clock::Clock,
    connection::Connection,
    fence::fenced,
    handler::{Handler, Request},
    head::Head,
    outgoing::Progress,
    refusal::Refusal,
    settings::Settings,
    signals::Signals,
};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use mio::Waker;
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::Instant,
};

/// A connection with work to do.
pub(super) struct Task {
    /// The key of the connection in the lobby.
    pub(super) key: usize,
    pub(super) connection: Box<Connection>,
    pub(super) work: WorkerTask,
}

/// A worker's task.
pub(super) enum WorkerTask {
    /// Call the handler, which may read the body, and leave its answer in the connection.
    Request(Box<Head>),
    /// Continue to send a file.
    Resume,
}

/// A connection on its way back to the lobby.
pub(super) struct Returned {
    pub(super) key: usize,
    pub(super) connection: Box<Connection>,
    pub(super) progress: io::Result<Progress>,
    pub(super) lane: Lane,
}

/// A lane: one of the two pools of workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Quick,
    Upload,
}

/// Time in milliseconds for which all workers of the upload lane may be receiving bodies before uploads can no longer
/// queue behind them.
const STALL_MS: u64 = 250;

/// The pools of both lanes, and the state of their workers that the lobby can see.
pub(super) struct Pools<H> {
    quick: Pool<H>,
    upload: Pool<H>,
    started: Instant,
}

/// The workers of one lane.
struct Pool<H> {
    sender: Sender<Task>,
    /// Template that is cloned for each further worker.
    next: Worker<H>,
    most: usize,
    threads: Vec<JoinHandle<()>>,
}

struct Worker<H> {
    handler: Arc<H>,
    settings: Arc<Settings>,
    lane: Lane,
    tasks: Receiver<Task>,
    /// Number of tasks that have been sent to the lane and are not finished.
    undone: Arc<AtomicUsize>,
    returned: Sender<Returned>,
    waker: Arc<Waker>,
    signals: Arc<Signals>,
    activities: Arc<[Activity]>,
    index: usize,
    clock: Clock,
    started: Instant,
}

// A derived implementation would require a handler that can be cloned.
impl<H> Clone for Worker<H> {
    fn clone(&self) -> Self {
        Self {
            handler: self.handler.clone(),
            settings: self.settings.clone(),
            lane: self.lane,
            tasks: self.tasks.clone(),
            undone: self.undone.clone(),
            returned: self.returned.clone(),
            waker: self.waker.clone(),
            signals: self.signals.clone(),
            activities: self.activities.clone(),
            index: self.index,
            clock: self.clock.clone(),
            started: self.started,
        }
    }
}

impl<H: Handler> Pool<H> {
    /// Starts the first worker.
    fn start(next: Worker<H>, sender: Sender<Task>, most: usize) -> io::Result<Self> {
        let mut pool = Self {
            sender,
            next,
            most,
            threads: Vec::new(),
        };
        pool.grow()?;
        Ok(pool)
    }

    fn grow(&mut self) -> io::Result<()> {
        let worker = self.next.clone();
        let name = match worker.lane {
            Lane::Quick => format!("quick-{}", worker.index),
            Lane::Upload => format!("upload-{}", worker.index),
        };
        self.threads.push(
            thread::Builder::new()
                .name(name)
                .stack_size(256 << 10)
                .spawn(move || worker.run())?,
        );
        self.next.index += 1;
        Ok(())
    }

    /// Hands over a task, or gives it back if the queue is full.
    // The error is large because it gives the connection back.
    #[allow(clippy::result_large_err)]
    fn send(&mut self, task: Task) -> Result<(), Task> {
        // The task is counted before it is sent, because a worker could finish it before the count was raised.
        let undone = self.next.undone.fetch_add(1, Ordering::Relaxed) + 1;
        if let Err(TrySendError::Full(task) | TrySendError::Disconnected(task)) =
            self.sender.try_send(task)
        {
            self.next.undone.fetch_sub(1, Ordering::Relaxed);
            return Err(task);
        }
        let count = self.threads.len();
        if undone > count
            && count < self.most
            && let Err(err) = self.grow()
        {
            log::warn!(
                "work for {undone} workers is left to {count}: no thread can be started: {err}"
            );
        }
        Ok(())
    }

    fn join(self) {
        drop(self.sender);
        for thread in self.threads {
            // A handler's panic has been answered and logged by its worker.
            let _ = thread.join();
        }
    }
}

impl<H: Handler> Pools<H> {
    /// Starts the first worker of each pool. The workers end when the pools are dropped and the queues are empty.
    pub(super) fn start(
        handler: &Arc<H>,
        settings: &Arc<Settings>,
        waker: &Arc<Waker>,
        signals: &Arc<Signals>,
        clock: &Clock,
    ) -> io::Result<(Self, Receiver<Returned>)> {
        let started = clock.now();
        // The channel holds every connection that can be with a worker, so that no worker ever waits for the lobby.
        let (returned, arrivals) = bounded(256 + 2 * settings.workers + settings.quick_workers);
        let pool = |lane, most, queue| {
            let (sender, tasks) = bounded(queue);
            let worker = Worker {
                handler: handler.clone(),
                settings: settings.clone(),
                lane,
                tasks,
                undone: Arc::default(),
                returned: returned.clone(),
                waker: waker.clone(),
                signals: signals.clone(),
                activities: (0..most).map(|_| Activity::default()).collect(),
                index: 0,
                clock: clock.clone(),
                started,
            };
            Pool::start(worker, sender, most)
        };
        let pools = Self {
            quick: pool(Lane::Quick, settings.quick_workers, 256)?,
            upload: pool(Lane::Upload, settings.workers, settings.workers)?,
            started,
        };
        Ok((pools, arrivals))
    }

    /// Hands a connection to a lane, or gives it back if the lane's queue is full.
    #[allow(clippy::result_large_err)]
    pub(super) fn send(&mut self, lane: Lane, task: Task) -> Result<(), Task> {
        match lane {
            Lane::Quick => self.quick.send(task),
            Lane::Upload => self.upload.send(task),
        }
    }

    /// Returns whether every worker of the upload lane has been receiving a body for a while. A request that queues for
    /// these workers would wait for slow clients without any limit on the time, so it is refused. Behind workers that
    /// wait for conversions, a request may queue, because the time of conversions is limited.
    pub(super) fn is_stalled(&self, now: Instant) -> bool {
        let now = activity_time(self.started, now);
        self.upload.next.activities.iter().all(|activity| {
            activity
                .receiving_since()
                .is_some_and(|since| now.saturating_sub(since) > STALL_MS)
        })
    }

    /// Ends the workers, and waits for them.
    pub(super) fn join(self) {
        self.quick.join();
        self.upload.join();
    }
}

impl<H: Handler> Worker<H> {
    /// Works on tasks until the channel is closed. Each connection returns to the lobby, even after a panic.
    fn run(self) {
        while let Ok(Task {
            key,
            mut connection,
            work,
        }) = self.tasks.recv()
        {
            // The connection must return to the lobby even after a panic, because otherwise its place would be lost.
            // The lobby then closes it.
            let progress = fenced(|| {
                if let WorkerTask::Request(head) = work {
                    self.respond(&mut connection, &head);
                }
                match self.lane {
                    Lane::Quick => connection.pump(),
                    // The lobby sends the answers to uploads, because they are short.
                    Lane::Upload => Ok(Progress::Yielded),
                }
            });
            let progress = progress.unwrap_or_else(|| Err(io::Error::other("a worker panicked")));
            // The task counts as done before the connection is returned, so that its next request finds the worker
            // free.
            self.undone.fetch_sub(1, Ordering::Relaxed);
            if self
                .returned
                .send(Returned {
                    key,
                    connection,
                    progress,
                    lane: self.lane,
                })
                .is_err()
            {
                return;
            }
            if let Err(err) = self.waker.wake() {
                log::error!("the lobby cannot be woken: {err}");
            }
        }
    }

    /// Lets the handler answer a request, and sets the answer on the connection.
    fn respond(&self, connection: &mut Connection, head: &Head) {
        let now_ms = activity_time(self.started, self.clock.now());
        let Connection {
            stream,
            input,
            peer,
            ..
        } = connection;
        let peer = peer.ip();
        let activity = &self.activities[self.index];
        let mut body = Body::new(
            stream,
            input,
            head,
            &self.settings,
            &self.clock,
            activity,
            now_ms,
        );
        let response = fenced(|| {
            self.handler.handle(Request {
                head,
                peer,
                body: &mut body,
            })
        });
        let response =
            response.unwrap_or_else(|| self.handler.refuse(&Refusal::fault(), Some(head)));
        // During a shutdown no further request is served, so the answer must announce the end of the connection.
        let ends = self.signals.stopping.load(Ordering::Acquire);
        let keep = head.keep_alive && body.is_complete() && !ends;
        let (unread, received) = (body.unread(), body.received());
        drop(body);
        connection.unread = unread;
        if let Some(exchange) = &mut connection.exchange {
            exchange.received = received;
        }
        connection.answer(response, Some(head), keep, self.clock.date());
    }
}

/// The time as [`Activity`] counts it: in milliseconds since the pools were started, from 1.
fn activity_time(started: Instant, now: Instant) -> u64 {
    now.saturating_duration_since(started).as_millis() as u64 + 1
}
