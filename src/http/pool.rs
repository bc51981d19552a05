//! The two pools of workers, one for each lane. A worker holds a connection only while there is work for it, and never waits
//! for a client to read an answer.

use super::{
    body::{Activity, Body},
    clock::Clock,
    connection::Connection,
    handler::{Handler, Request},
    head::Head,
    outgoing::Progress,
    refusal::Refusal,
    settings::Settings,
    signals::Signals,
    status::Status,
};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use mio::Waker;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    thread::{self, JoinHandle},
    time::Instant,
};

/// A connection with work to do.
pub(super) struct Task {
    /// Its key in the lobby.
    pub(super) key: usize,
    pub(super) connection: Box<Connection>,
    pub(super) work: Work,
}

/// What a worker has to do.
pub(super) enum Work {
    /// Call the handler, which may read the body, and leave its answer in the connection.
    Request(Box<Head>),
    /// Go on with sending a file.
    Resume,
}

/// A connection on its way back to the lobby.
pub(super) struct Returned {
    pub(super) key: usize,
    pub(super) connection: Box<Connection>,
    pub(super) progress: io::Result<Progress>,
    pub(super) lane: Lane,
}

/// One of the two pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Quick,
    Upload,
}

/// If all workers of the upload lane have been receiving bodies for longer than this many milliseconds, nobody may queue
/// behind them.
const STALL_MS: u64 = 250;

/// The senders of both lanes, and what the lobby can see of their workers.
pub(super) struct Pools {
    quick: Sender<Task>,
    upload: Sender<Task>,
    activities: Arc<[Activity]>,
    started: Instant,
    threads: Vec<JoinHandle<()>>,
}

struct Worker<H> {
    handler: Arc<H>,
    settings: Arc<Settings>,
    lane: Lane,
    tasks: Receiver<Task>,
    returned: Sender<Returned>,
    waker: Arc<Waker>,
    signals: Arc<Signals>,
    activities: Arc<[Activity]>,
    index: usize,
    clock: Clock,
    started: Instant,
}

impl Pools {
    /// Starts all workers. They end when the pools are dropped and the queues are empty.
    pub(super) fn start<H: Handler>(
        handler: &Arc<H>,
        settings: &Arc<Settings>,
        waker: &Arc<Waker>,
        signals: &Arc<Signals>,
        clock: &Clock,
    ) -> io::Result<(Self, Receiver<Returned>)> {
        let started = clock.now();
        let (quick, quick_tasks) = bounded(256);
        let (upload, upload_tasks) = bounded(settings.workers);
        // Room for every connection that can be out of the lobby, so that no worker ever waits for the lobby.
        let (returned, arrivals) = bounded(256 + 2 * settings.workers + settings.quick_workers);
        let activities: Arc<[Activity]> = (0..settings.workers.max(settings.quick_workers))
            .map(|_| Activity::default())
            .collect();
        // Nobody looks at the activities of the quick lane.
        let ignored: Arc<[Activity]> = (0..settings.quick_workers)
            .map(|_| Activity::default())
            .collect();
        let mut threads = Vec::new();
        let lanes = [
            (Lane::Quick, settings.quick_workers, quick_tasks, ignored),
            (
                Lane::Upload,
                settings.workers,
                upload_tasks,
                activities.clone(),
            ),
        ];
        for (lane, count, tasks, activities) in lanes {
            for index in 0..count {
                let worker = Worker {
                    handler: handler.clone(),
                    settings: settings.clone(),
                    lane,
                    tasks: tasks.clone(),
                    returned: returned.clone(),
                    waker: waker.clone(),
                    signals: signals.clone(),
                    activities: activities.clone(),
                    index,
                    clock: clock.clone(),
                    started,
                };
                let name = match lane {
                    Lane::Quick => format!("quick-{index}"),
                    Lane::Upload => format!("upload-{index}"),
                };
                threads.push(
                    thread::Builder::new()
                        .name(name)
                        .stack_size(256 << 10)
                        .spawn(move || worker.run())?,
                );
            }
        }
        Ok((
            Self {
                quick,
                upload,
                activities,
                started,
                threads,
            },
            arrivals,
        ))
    }

    /// Hands a connection to a lane, or gives it back if the lane's queue is full.
    // The error is large because it gives the connection back.
    #[allow(clippy::result_large_err)]
    pub(super) fn send(&self, lane: Lane, task: Task) -> Result<(), Task> {
        let sender = match lane {
            Lane::Quick => &self.quick,
            Lane::Upload => &self.upload,
        };
        sender.try_send(task).map_err(|err| match err {
            TrySendError::Full(task) | TrySendError::Disconnected(task) => task,
        })
    }

    /// Whether every worker of the upload lane has been receiving a body for a while. Whoever queues behind them waits for
    /// slow clients, without an end in sight, and is better refused; whoever queues behind conversions waits for the service.
    pub(super) fn is_stalled(&self, workers: usize, now: Instant) -> bool {
        let now = activity_time(self.started, now);
        self.activities[..workers].iter().all(|activity| {
            activity
                .receiving_since()
                .is_some_and(|since| now.saturating_sub(since) > STALL_MS)
        })
    }

    /// Ends the workers, and waits for them.
    pub(super) fn join(self) {
        drop((self.quick, self.upload));
        for thread in self.threads {
            // A handler's panic has been answered and logged by its worker.
            let _ = thread.join();
        }
    }
}

impl<H: Handler> Worker<H> {
    fn run(self) {
        while let Ok(Task {
            key,
            mut connection,
            work,
        }) = self.tasks.recv()
        {
            if let Work::Request(head) = work {
                self.respond(&mut connection, &head);
            }
            let progress = match self.lane {
                Lane::Quick => connection.pump(),
                // The lobby sends the answers to uploads, because they are short.
                Lane::Upload => Ok(Progress::Yielded),
            };
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
        let handler = AssertUnwindSafe(|| {
            self.handler.handle(Request {
                head,
                peer,
                body: &mut body,
            })
        });
        let response = catch_unwind(handler).unwrap_or_else(|_| {
            let refusal = Refusal::new(
                Status::INTERNAL_SERVER_ERROR,
                "the request could not be handled",
            );
            self.handler.refuse(&refusal, Some(head))
        });
        // During a shutdown no further request is served, and the client should not send one.
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
