//! The converters: a bounded queue of orders, and a fixed number of threads, the lanes, each with one job at a time.
//! Uses neither paths of files nor connections to clients: an order contains open files and a [`Watcher`].
//!
//! There are more lanes than converters, but only as many jobs run at the same time as there are converters. The other
//! jobs that have begun are stopped in favour of other orders ([`queue`]), or wait for memory ([`budget`]).

mod budget;
mod gate;
mod guard;
mod isolation;
mod lanes;
mod meter;
mod order;
mod queue;
mod turns;

pub use budget::Loan;
pub use isolation::{Allocator, CHILD_COMMAND, Fonts, Isolation, Language, Languages, child_main};
pub use meter::{Load, Outcome, PairMeter, Replaced};
use order::shutting_down;
pub use order::{Cancel, Finished, Order, Watcher};
pub use queue::Reservation;

use crate::{
    error::{Error, Result},
    job::Gate,
    metrics::Histogram,
};
use budget::Budget;
use crossbeam_channel::{Receiver, bounded};
use gate::{JobGate, ResultDisk, Terms};
use isolation::{Executor, Limits, crashed};
use lanes::Entry;
use meter::Meter;
use queue::Queue;
use std::{
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The limits of the engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of conversions that run at the same time.
    pub converters: usize,
    /// Number of additional conversions that may be stopped during the turns of other clients. Each occupies a child. A
    /// conversion in a [thread](Isolation::Thread) is never stopped.
    pub stopped: usize,
    /// The number of threads that all running conversions may use together, the converter threads included.
    pub threads: usize,
    /// The number of orders that may wait for a converter.
    pub queue: usize,
    /// The memory that all running conversions may use together, in bytes.
    pub memory: u64,
    /// The maximum length of a result in bytes.
    pub max_output: u64,
    /// Reserve of free space on the disk of results, in bytes.
    pub reserve: u64,
    /// The time that a conversion may take, whatever the size of its input.
    pub base_time: Duration,
    /// The additional time that it may take for each MiB of input.
    pub time_per_mib: Duration,
    /// Isolation between codecs and the service.
    pub isolation: Isolation,
    /// Fonts of converters besides those that are compiled in.
    pub fonts: Fonts,
    /// The languages for text recognition.
    pub languages: Languages,
}

/// Runs conversions: a queue of orders, and the threads (lanes) that take orders from it.
pub struct Engine {
    queue: Queue,
    shared: Arc<Shared>,
    languages: Vec<Language>,
    lanes: Mutex<Vec<JoinHandle<()>>>,
    /// Channel that carries nothing. It is disconnected when the last lane ends.
    ended: Receiver<()>,
}

/// State that all lanes share.
struct Shared {
    settings: Settings,
    queue: Queue,
    budget: Arc<Budget>,
    meter: Arc<Meter>,
    /// Set when the engine is stopped: the deadline for conversions that are running.
    stopping: OnceLock<Instant>,
}

/// Languages in which text can be recognised, sorted by name: compiled-in ones, and those found on the machine.
pub fn languages(wanted: &Languages) -> Vec<Language> {
    isolation::Models::new(wanted).languages()
}

impl Engine {
    /// Starts the lanes and, with [`Isolation::Process`], a child for each converter.
    ///
    /// Errors: [`Kind::Internal`](crate::error::Kind::Internal) with the operating system's reason if a thread or a
    /// child cannot be started.
    pub fn start(settings: Settings) -> Result<Self> {
        let shelves = isolation::Shelves::new(&settings.fonts, &settings.languages);
        if settings.isolation == Isolation::Thread {
            shelves.clone().use_here();
        }
        let spare = match settings.isolation {
            Isolation::Process { .. } => settings.stopped,
            Isolation::Thread => 0,
        };
        let lanes = settings.converters + spare;
        let queue = Queue::new(settings.queue, settings.converters, lanes);
        let shared = Arc::new(Shared {
            queue: queue.clone(),
            budget: Arc::new(Budget::new(settings.memory)),
            meter: Arc::default(),
            stopping: OnceLock::new(),
            settings,
        });
        let languages = shelves.models.languages();
        let mut threads = Vec::new();
        let (ready, started) = bounded(lanes);
        let (lives, ended) = bounded::<()>(0);
        for lane in 0..lanes {
            let (shared, ready, lives) = (shared.clone(), ready.clone(), lives.clone());
            let shelves = shelves.clone();
            let run = move || {
                let mut executor = Executor::new(&shared.settings, &shelves, &shared.meter);
                let is_warm = lane < shared.settings.converters;
                let warm = if is_warm { executor.warm_up() } else { Ok(()) };
                // If the send fails, another thread has failed and nobody receives any more.
                let _ = ready.send(warm);
                drop(ready);
                shared.work(lane, is_warm, &mut executor);
                drop(lives);
            };
            threads.push(
                thread::Builder::new()
                    .name(format!("convert-{lane}"))
                    .stack_size(8 << 20)
                    .spawn(run)
                    .map_err(|err| Error::internal("a converter thread cannot be started", err))?,
            );
        }
        drop(ready);
        started.iter().collect::<Result<Vec<()>>>()?;
        Ok(Self {
            queue,
            shared,
            languages,
            lanes: Mutex::new(threads),
            ended,
        })
    }

    /// Languages in which text could be recognised when the engine was started, sorted by name.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Reserves a place in the queue for an order of `client`. Reserve the place before a result is promised to the
    /// client: [`submit`](Self::submit) then cannot fail for lack of a place.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) if the queue is full, or the client has used up its share of
    /// it, or the engine has been stopped.
    pub fn reserve(&self, client: Option<IpAddr>) -> Result<Reservation> {
        self.queue.reserve(client)
    }

    /// Like [`reserve`](Self::reserve), but waits until the client may have a place.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) once the engine has been stopped.
    pub fn wait_and_reserve(&self, client: Option<IpAddr>) -> Result<Reservation> {
        self.queue.wait_and_reserve(client)
    }

    /// Waits until a converter is free and no order waits for it. Returns false once the engine has been stopped.
    pub fn wait_until_idle(&self) -> bool {
        self.queue.wait_until_idle()
    }

    /// Queues an order. If the engine has been stopped since the place was taken, the order's watcher receives the
    /// error at once.
    pub fn submit(&self, reservation: Reservation, order: Order) {
        if let Err(order) = reservation.submit(order) {
            refuse(*order);
        }
    }

    /// Queues the next order of a request with several steps, one of which was [submitted](Self::submit) and has ended.
    /// The order precedes all other orders of its client, and needs no place, because a request must not fail half-way.
    pub fn go_on(&self, order: Order) {
        if let Err(order) = self.queue.go_on(order) {
            refuse(*order);
        }
    }

    /// Lends memory for an upload of `bytes` from the budget. `None` if too little is left over.
    pub fn lend(&self, bytes: u64) -> Option<Loan> {
        self.shared.budget.lend(bytes)
    }

    /// Returns whether the queue has no place left.
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    /// Returns whether any conversion has begun or waits.
    pub fn is_busy(&self) -> bool {
        self.queue.begun() != (0, 0) || self.queue.waiting() > 0
    }

    /// Current load: conversions that wait, run and are stopped.
    pub fn load(&self) -> Load {
        let (running, stopped) = self.queue.begun();
        Load {
            waiting: self.queue.waiting(),
            running,
            stopped,
            memory: self.shared.budget.reserved(),
            memory_budget: self.shared.settings.memory,
        }
    }

    /// Calls `visit` with the names of both formats of every pair that has been converted, and its counters.
    pub fn each_pair(&self, visit: impl FnMut(&str, &str, &PairMeter)) {
        self.shared.meter.each_pair(visit);
    }

    /// Times that conversions waited for a converter before they began.
    pub fn waiting_times(&self) -> &Histogram {
        &self.shared.meter.waiting
    }

    /// Number of children that were replaced for this reason.
    pub fn replacements(&self, why: Replaced) -> u64 {
        self.shared.meter.replacements(why)
    }

    /// Stops the engine: orders that wait are refused with [`Kind::Busy`](crate::error::Kind::Busy) now, and
    /// conversions that run are ended with the same error at `deadline`. Does not wait for them.
    pub fn stop(&self, deadline: Instant) {
        self.shared.stopping.get_or_init(|| deadline);
        self.queue.close().into_iter().for_each(refuse);
    }

    /// Waits until `deadline` for the running conversions to end. Returns whether all of them did.
    pub fn join(&self, deadline: Instant) -> bool {
        // Nothing is ever sent: the wait ends when the last lane ends, or at the deadline.
        if let Err(error) = self.ended.recv_deadline(deadline)
            && error.is_timeout()
        {
            return false;
        }
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        for lane in lanes.drain(..) {
            // A converter's panic was caught and reported as the result of its job, so an error here is ignored.
            let _ = lane.join();
        }
        true
    }
}

impl Shared {
    /// Main loop of a lane: takes conversions from the queue until the engine stops.
    fn work(&self, lane: usize, is_warm: bool, executor: &mut Executor) {
        let mut is_warm = is_warm;
        while let Some(entry) = self.queue.next(lane, is_warm) {
            is_warm = self.run(lane, entry, executor);
            if !is_warm {
                executor.cool_down();
            } else if let Err(error) = executor.warm_up() {
                log::error!("{error}");
            }
        }
    }

    /// Runs one order until it ends or is sent back to the queue. Returns whether the lane should keep its child.
    fn run(&self, lane: usize, entry: Entry, executor: &mut Executor) -> bool {
        let Entry {
            mut order,
            queued,
            begun,
        } = entry;
        let running = self.queue.begun().0;
        let spare_threads = self.settings.threads.saturating_sub(running);
        if begun.is_none() {
            self.meter.waiting.observe(queued.elapsed());
            order.watcher.began();
        }
        let begun = begun.unwrap_or_else(Instant::now);
        let job = AssertUnwindSafe(|| self.attempt(&order, begun, lane, spare_threads, executor));
        let result = catch_unwind(job).unwrap_or_else(|_| Err(crashed("the converter panicked")));
        let left = self.queue.leave(lane);
        match result {
            Err(_) if left.is_sent_back => self.send_back(order, queued, begun),
            result => self.conclude(order, result),
        }
        left.stays_warm
    }

    /// Puts an order that had to leave its lane back into the queue.
    fn send_back(&self, order: Order, queued: Instant, begun: Instant) {
        match order.start_over() {
            Ok(()) => {
                let entry = Entry {
                    order,
                    queued,
                    begun: Some(begun),
                };
                if let Err(order) = self.queue.take_back(entry) {
                    refuse(*order);
                }
            }
            Err(error) => self.conclude(order, Err(error)),
        }
    }

    /// Counts a result, and passes it to the watcher.
    fn conclude(&self, order: Order, result: Result<Finished>) {
        self.meter.ended(order.route, &result);
        // Closes the order's files before the watcher receives the result.
        let Order { watcher, .. } = order;
        if catch_unwind(AssertUnwindSafe(|| watcher.ended(result))).is_err() {
            log::error!("a finished conversion could not be handed on");
        }
    }

    /// Runs an order in a lane until it has ended or has to leave. `begun` is the time at which its first attempt
    /// began.
    fn attempt(
        &self,
        order: &Order,
        begun: Instant,
        lane: usize,
        spare_threads: usize,
        executor: &mut Executor,
    ) -> Result<Finished> {
        let mebibytes = order.input_len as f64 / f64::from(1 << 20);
        let terms = Terms {
            begun,
            time: self.settings.base_time + self.settings.time_per_mib.mul_f64(mebibytes),
            max_output: self.settings.max_output,
            max_memory: self.settings.memory,
            disk: ResultDisk::new(&order.output, self.settings.reserve),
            stopping: &self.stopping,
        };
        let (permit, conversion) = (self.budget.permit(), self.queue.conversion(lane));
        let gate = JobGate::new(terms, permit, conversion, &order.cancel, &*order.watcher);
        gate.check()?;
        let limits = Limits {
            spare_threads,
            max_output: self.settings.max_output,
            memory: self.settings.memory,
        };
        let notes = executor.run(order, limits, &gate)?;
        Ok(Finished {
            notes,
            duration: gate.spent(),
        })
    }
}

/// Ends an order that cannot be queued or leaves the queue, because the engine has been stopped.
fn refuse(order: Order) {
    let Order { watcher, .. } = order;
    watcher.ended(Err(shutting_down()));
}
