//! The converter threads: a bounded queue of orders, and a fixed number of threads that run one job each. Knows neither where
//! files are stored nor who wants them: it gets open files and a [`Watcher`].

mod budget;
mod guard;
mod isolation;
mod meter;
mod order;
mod queue;

pub use budget::Loan;
pub use isolation::{Allocator, CHILD_COMMAND, Isolation, child_main};
pub use meter::{Load, Outcome, PairMeter, Replaced};
pub use order::{Cancel, Finished, Order, Watcher};
pub use queue::Place;

use crate::{
    error::{Error, Kind, Result},
    job::{Gate, Need, Progress, Unit},
};
use budget::{Budget, Permit};
use crossbeam_channel::bounded;
use isolation::{Executor, Limits, crashed};
use meter::Meter;
use queue::Queue;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Sound is given a second for this many of its own, beyond what its file is given: the slowest pair, on the slowest board.
const SOUND_SPEED: u32 = 8;

/// The limits of the engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of converter threads, and so of conversions that run at the same time.
    pub converters: usize,
    /// The number of threads that all running conversions may use together, the converter threads included.
    pub threads: usize,
    /// The number of orders that may wait for a converter thread.
    pub queue: usize,
    /// The memory that all running conversions may use together, in bytes.
    pub memory: u64,
    /// The maximum length of a result in bytes.
    pub max_output: u64,
    /// The time that a conversion may take, whatever the size of its input.
    pub base_time: Duration,
    /// The additional time that it may take for each MiB of input.
    pub time_per_mib: Duration,
    /// What stands between a codec and the process.
    pub isolation: Isolation,
    /// A directory with further fonts. Read by the converters, and by nobody else.
    pub fonts: Option<PathBuf>,
}

/// The converter threads.
pub struct Engine {
    queue: Queue,
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    settings: Settings,
    budget: Arc<Budget>,
    running: AtomicUsize,
    meter: Arc<Meter>,
    /// Set when the engine is stopped: the deadline for conversions that are running.
    stopping: OnceLock<Instant>,
}

impl Engine {
    /// Starts the converter threads and their children.
    ///
    /// Errors: [`Kind::Internal`] with the operating system's reason if a thread or a child cannot be started.
    pub fn start(settings: Settings) -> Result<Self> {
        if let (Isolation::Thread, Some(directory)) = (&settings.isolation, &settings.fonts) {
            isolation::open_fonts(directory)
                .map_err(|err| Error::internal("the fonts cannot be read", err))?;
        }
        let queue = Queue::new(settings.queue);
        let shared = Arc::new(Shared {
            budget: Arc::new(Budget::new(settings.memory)),
            running: AtomicUsize::new(0),
            meter: Arc::default(),
            stopping: OnceLock::new(),
            settings,
        });
        let mut threads = Vec::new();
        let (ready, started) = bounded(shared.settings.converters);
        for index in 0..shared.settings.converters {
            let (queue, shared) = (queue.clone(), shared.clone());
            let ready = ready.clone();
            let run = move || {
                let mut executor = Executor::new(&shared.settings, &shared.meter);
                // An error means that another thread has failed and nobody receives any more.
                let _ = ready.send(executor.warm_up());
                drop(ready);
                while let Some(order) = queue.next() {
                    let client = order.client;
                    shared.run(order, &mut executor);
                    queue.ended(client);
                    if let Err(error) = executor.warm_up() {
                        log::error!("{error}");
                    }
                }
            };
            threads.push(
                thread::Builder::new()
                    .name(format!("convert-{index}"))
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
            threads: Mutex::new(threads),
        })
    }

    /// Reserves a place in the queue. Take it before promising anything to the client, because [`submit`](Self::submit) cannot
    /// fail.
    ///
    /// Errors: [`Kind::Busy`] if the queue is full or the engine has been stopped.
    pub fn place(&self) -> Result<Place> {
        self.queue.place()
    }

    /// Queues an order. If the engine has been stopped since the place was taken, the order's watcher is told so at once.
    pub fn submit(&self, place: Place, order: Order) {
        if let Err(order) = place.submit(order) {
            refuse(*order);
        }
    }

    /// Lends memory for an upload of `bytes`, out of what all conversions may use together. `None` if none is left over.
    pub fn lend(&self, bytes: u64) -> Option<Loan> {
        self.shared.budget.lend(bytes)
    }

    /// Whether the queue has no place left.
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }

    /// Whether any conversion is running or waiting.
    pub fn is_busy(&self) -> bool {
        self.shared.running.load(Ordering::Acquire) > 0 || !self.queue.is_empty()
    }

    /// How much there is to do.
    pub fn load(&self) -> Load {
        Load {
            waiting: self.queue.len(),
            running: self.shared.running.load(Ordering::Acquire),
            memory: self.shared.budget.reserved(),
            memory_budget: self.shared.settings.memory,
        }
    }

    /// Shows the names of the formats, from and to, of every pair that has been converted, and what was counted of it.
    pub fn each_pair(&self, look: impl FnMut(&str, &str, &PairMeter)) {
        self.shared.meter.each_pair(look);
    }

    /// How many children were replaced for this reason.
    pub fn replacements(&self, why: Replaced) -> u64 {
        self.shared.meter.replacements(why)
    }

    /// Stops the engine: orders that wait are refused with [`Kind::Busy`] now, and conversions that run are ended with the same
    /// error at `deadline`. Returns at once.
    pub fn stop(&self, deadline: Instant) {
        self.shared.stopping.get_or_init(|| deadline);
        self.queue.close().into_iter().for_each(refuse);
    }

    /// Waits until `deadline` for the running conversions to end. Returns whether all of them did.
    pub fn join(&self, deadline: Instant) -> bool {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        while threads.iter().any(|thread| !thread.is_finished()) {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        for thread in threads.drain(..) {
            // A converter's panic was caught and reported as the result of its job.
            let _ = thread.join();
        }
        true
    }
}

impl Shared {
    fn run(&self, mut order: Order, executor: &mut Executor) {
        let running = self.running.fetch_add(1, Ordering::AcqRel) + 1;
        let spare_threads = self.settings.threads.saturating_sub(running);
        if self.stopping.get().is_none() {
            order.watcher.began();
        }
        let job = AssertUnwindSafe(|| self.attempt(&order, spare_threads, executor));
        let result = catch_unwind(job).unwrap_or_else(|_| Err(crashed("the converter panicked")));
        self.running.fetch_sub(1, Ordering::AcqRel);
        self.meter.ended(order.route, &result);
        // This closes the order's files before the watcher hears of the result.
        let Order { watcher, .. } = order;
        if catch_unwind(AssertUnwindSafe(|| watcher.ended(result))).is_err() {
            log::error!("a finished conversion could not be handed on");
        }
    }

    fn attempt(
        &self,
        order: &Order,
        spare_threads: usize,
        executor: &mut Executor,
    ) -> Result<Finished> {
        if self.stopping.get().is_some() {
            return Err(shutting_down());
        }
        let allowed = self.settings.base_time
            + self
                .settings
                .time_per_mib
                .mul_f64(order.input_len as f64 / f64::from(1 << 20));
        let gate = JobGate {
            permit: Mutex::new(self.budget.permit()),
            cancel: &order.cancel,
            stopping: &self.stopping,
            started: Instant::now(),
            allowed,
            sound_ms: AtomicU64::new(0),
            waited_us: AtomicU64::new(0),
            max_output: self.settings.max_output,
            max_memory: self.settings.memory,
            watcher: &*order.watcher,
        };
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

/// Ends an order that no converter has begun.
fn refuse(order: Order) {
    let Order { watcher, .. } = order;
    watcher.ended(Err(shutting_down()));
}

fn shutting_down() -> Error {
    Error::new(Kind::Busy, "the service is shutting down")
}

/// The gate of one running job.
struct JobGate<'a> {
    permit: Mutex<Permit<'a>>,
    cancel: &'a Cancel,
    stopping: &'a OnceLock<Instant>,
    started: Instant,
    allowed: Duration,
    /// The sound that has been converted, in milliseconds.
    sound_ms: AtomicU64,
    /// The time spent waiting for memory, in microseconds.
    waited_us: AtomicU64,
    max_output: u64,
    max_memory: u64,
    watcher: &'a dyn Watcher,
}

impl JobGate<'_> {
    /// The time spent on the job itself, without waiting for memory.
    fn spent(&self) -> Duration {
        self.started.elapsed().saturating_sub(Duration::from_micros(
            self.waited_us.load(Ordering::Relaxed),
        ))
    }

    fn check_wanted(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::new(
                Kind::Disconnected,
                "nobody waits for the result any more",
            ));
        }
        if self
            .stopping
            .get()
            .is_some_and(|&end| Instant::now() >= end)
        {
            return Err(shutting_down());
        }
        Ok(())
    }
}

impl Gate for JobGate<'_> {
    fn reserve(&self, need: Need) -> Result<()> {
        let mut permit = self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = Instant::now();
        let granted = permit.resize(need.memory, || self.check_wanted());
        self.waited_us
            .fetch_add(asked.elapsed().as_micros() as u64, Ordering::Relaxed);
        granted
    }

    fn check(&self) -> Result<()> {
        self.check_wanted()?;
        // Quiet sound takes few bytes and much work: hours of it are a few megabytes.
        let sound = Duration::from_millis(self.sound_ms.load(Ordering::Relaxed)) / SOUND_SPEED;
        let allowed = self.allowed + sound;
        if self.spent() > allowed {
            let seconds = allowed.as_secs();
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the conversion took longer than the {seconds} s that a file of this size is given"
                ),
            ));
        }
        Ok(())
    }

    fn max_output(&self) -> u64 {
        self.max_output
    }

    fn max_memory(&self) -> u64 {
        self.max_memory
    }

    fn progress(&self, progress: Progress) {
        if progress.unit == Unit::Milliseconds {
            self.sound_ms.fetch_max(progress.done, Ordering::Relaxed);
        }
        self.watcher.progress(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;

    impl Watcher for Nobody {
        fn ended(self: Box<Self>, _: Result<Finished>) {}
    }

    #[test]
    fn sound_gets_more_time_as_it_goes_on() {
        let budget = Budget::new(1 << 20);
        let (cancel, stopping) = (Cancel::default(), OnceLock::new());
        let Some(begun) = Instant::now().checked_sub(Duration::from_secs(100)) else {
            return;
        };
        let check = |unit, done, is_in_time: bool| {
            let gate = JobGate {
                permit: Mutex::new(budget.permit()),
                cancel: &cancel,
                stopping: &stopping,
                started: begun,
                allowed: Duration::from_secs(60),
                sound_ms: AtomicU64::new(0),
                waited_us: AtomicU64::new(0),
                max_output: 0,
                max_memory: 0,
                watcher: &Nobody,
            };
            let total = 2 * done;
            gate.progress(Progress { done, total, unit });
            assert_eq!(gate.check().is_ok(), is_in_time, "{unit:?} {done}");
        };
        check(Unit::Milliseconds, 0, false);
        check(Unit::Milliseconds, 200_000, false);
        check(Unit::Milliseconds, 1_000_000, true);
        check(Unit::Rows, 1_000_000, false);
    }
}
