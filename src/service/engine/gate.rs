//! The gate of a running job: memory from the budget, the deadline, and cancellation. Never touches the data.
//!
//! The deadline counts the running time of the job itself, without its waits for memory and without the turns of other
//! clients. Under heavy load a conversion may therefore take longer, up to [`WHOLE_FACTOR`] times as long.

use super::{
    budget::Permit,
    isolation::Paced,
    order::{Cancel, Watcher, shutting_down},
    queue::BegunConversion,
};
use crate::{
    error::{Error, Kind, Result},
    job::{Gate, Need, Progress, Unit},
};
use std::{
    cell::Cell,
    fs::File,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Seconds of sound that extend the deadline by one second, in addition to the time for the size of the file. Measured
/// with the slowest pair of formats on the slowest machine that was tested.
const SOUND_SPEED: u32 = 8;
/// Limit on the whole time of a conversion, including its waits, as a multiple of its maximum running time.
const WHOLE_FACTOR: u32 = 20;

/// Interval for checking the disk's free space while a result grows.
const ROOM_CHECK: Duration = Duration::from_millis(200);

/// Disk on which a result grows.
pub(super) struct ResultDisk<'a> {
    result: &'a File,
    /// Reserve that stays free, in bytes.
    reserve: u64,
    /// Time of the last check.
    last_check: Mutex<Instant>,
}

impl<'a> ResultDisk<'a> {
    pub(super) fn new(result: &'a File, reserve: u64) -> Self {
        Self {
            result,
            reserve,
            last_check: Mutex::new(Instant::now()),
        }
    }

    /// Fails if less than the reserve is left on the disk, so that one result cannot fill it. Asks the kernel at most
    /// once in [`ROOM_CHECK`], and succeeds in between.
    fn check(&self) -> Result<()> {
        let mut last_check = self
            .last_check
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last_check.elapsed() < ROOM_CHECK {
            return Ok(());
        }
        *last_check = Instant::now();
        drop(last_check);
        // `f_blocks` is 0 for a file in memory, which takes no disk. In this case, and if the call fails, the check
        // succeeds, and only the length of the result is limited.
        match rustix::fs::fstatvfs(self.result) {
            Ok(disk)
                if disk.f_blocks > 0
                    && disk.f_bavail.saturating_mul(disk.f_frsize) < self.reserve =>
            {
                let text = "the service's disk is nearly full: it has no space for the result";
                Err(Error::new(Kind::StorageFull, text))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// Limits of one job.
pub(super) struct Terms<'a> {
    /// Start of the order's first attempt.
    pub(super) begun: Instant,
    /// The maximum running time of the job.
    pub(super) time: Duration,
    /// The maximum length of the job's result in bytes.
    pub(super) max_output: u64,
    /// The whole memory budget in bytes.
    pub(super) max_memory: u64,
    /// Disk on which the job's result grows.
    pub(super) disk: ResultDisk<'a>,
    /// Time at which all jobs must end. It is set when the engine is stopped.
    pub(super) stopping: &'a OnceLock<Instant>,
}

/// The gate of one running job.
pub(super) struct JobGate<'a> {
    terms: Terms<'a>,
    permit: Mutex<Permit<'a>>,
    conversion: BegunConversion<'a>,
    cancel: &'a Cancel,
    watcher: &'a dyn Watcher,
    started: Instant,
    /// The sound that has been converted, in milliseconds.
    sound_ms: AtomicU64,
    /// The time spent waiting for memory and for a converter, in microseconds.
    waited_us: AtomicU64,
}

impl<'a> JobGate<'a> {
    /// The gate of a job that starts now, with no memory yet.
    pub(super) fn new(
        terms: Terms<'a>,
        permit: Permit<'a>,
        conversion: BegunConversion<'a>,
        cancel: &'a Cancel,
        watcher: &'a dyn Watcher,
    ) -> Self {
        Self {
            terms,
            permit: Mutex::new(permit),
            conversion,
            cancel,
            watcher,
            started: Instant::now(),
            sound_ms: AtomicU64::new(0),
            waited_us: AtomicU64::new(0),
        }
    }

    /// The time that the job itself has run since this gate was made, without its waits.
    pub(super) fn spent(&self) -> Duration {
        self.started.elapsed().saturating_sub(Duration::from_micros(
            self.waited_us.load(Ordering::Relaxed),
        ))
    }

    /// Fails if the client has left, or if the engine has been stopped and its grace period is over.
    fn check_wanted(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::new(
                Kind::Disconnected,
                "the client has left, so the result is not needed",
            ));
        }
        let stopping = self.terms.stopping.get();
        if stopping.is_some_and(|&end| Instant::now() >= end) {
            return Err(shutting_down());
        }
        Ok(())
    }

    /// Fails if the waiting job is no longer wanted, or if its whole time, including its waits, exceeds the limit.
    fn check_waiting(&self) -> Result<()> {
        self.check_wanted()?;
        if self.terms.begun.elapsed() > WHOLE_FACTOR * self.allowed() {
            let text = "the service has too much to do to finish the conversion; try again later";
            return Err(Error::new(Kind::Unavailable, text));
        }
        Ok(())
    }

    /// Maximum running time of the job. It grows with the sound that has been converted, because hours of quiet sound
    /// are a small file but much work.
    fn allowed(&self) -> Duration {
        self.terms.time + Duration::from_millis(self.sound_ms.load(Ordering::Relaxed)) / SOUND_SPEED
    }

    /// Excludes the time since `since` from the job's running time.
    fn waited(&self, since: Instant) {
        let waited = since.elapsed().as_micros() as u64;
        self.waited_us.fetch_add(waited, Ordering::Relaxed);
    }
}

impl Gate for JobGate<'_> {
    fn reserve(&self, need: Need) -> Result<()> {
        let mut permit = self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        let since = Instant::now();
        let has_waited = Cell::new(false);
        let granted = permit.resize(need.memory, || {
            if !has_waited.replace(true) {
                self.conversion.release_for_memory();
            }
            self.conversion.check()?;
            self.check_waiting()
        });
        let granted = granted.and_then(|()| match has_waited.get() {
            true => self.conversion.wait(|| self.check_waiting()),
            false => Ok(()),
        });
        self.waited(since);
        granted
    }

    fn check(&self) -> Result<()> {
        self.check_wanted()?;
        self.terms.disk.check()?;
        let allowed = self.allowed();
        if self.spent() > allowed {
            let seconds = allowed.as_secs();
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the conversion took longer than {seconds} s, the limit for a file of this size (--job-timeout)"
                ),
            ));
        }
        Ok(())
    }

    fn max_output(&self) -> u64 {
        self.terms.max_output
    }

    fn max_memory(&self) -> u64 {
        self.terms.max_memory
    }

    fn progress(&self, progress: Progress) {
        if progress.unit == Unit::Milliseconds {
            self.sound_ms.fetch_max(progress.done, Ordering::Relaxed);
        }
        self.watcher.progress(progress);
    }
}

impl Paced for JobGate<'_> {
    fn makes_room(&self) -> bool {
        self.conversion.makes_room()
    }

    fn wait_for_turn(&self) -> Result<()> {
        let since = Instant::now();
        let next = self.conversion.wait(|| self.check_waiting());
        self.waited(since);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{budget::Budget, order::Finished, queue::Queue};

    struct Nobody;

    impl Watcher for Nobody {
        fn ended(self: Box<Self>, _: Result<Finished>) {}
    }

    /// Passes to `show` the gate of a job that began this many seconds ago and may run for a minute.
    fn with_gate(seconds: u64, show: impl FnOnce(&JobGate<'_>)) {
        with_reserve(0, seconds, show);
    }

    /// Like [`with_gate`], on a disk of which `reserve` bytes must stay free.
    fn with_reserve(reserve: u64, seconds: u64, show: impl FnOnce(&JobGate<'_>)) {
        let path = std::env::temp_dir().join(format!(
            "convertd-gate-{}-{reserve}-{seconds}",
            std::process::id()
        ));
        let result = File::create(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let (budget, queue) = (Budget::new(1 << 20), Queue::new(1, 1, 1));
        let (cancel, stopping) = (Cancel::default(), OnceLock::new());
        let Some(begun) = Instant::now().checked_sub(Duration::from_secs(seconds)) else {
            return;
        };
        let terms = Terms {
            begun,
            time: Duration::from_secs(60),
            max_output: 0,
            max_memory: 0,
            disk: ResultDisk {
                last_check: Mutex::new(begun),
                ..ResultDisk::new(&result, reserve)
            },
            stopping: &stopping,
        };
        let mut gate = JobGate::new(
            terms,
            budget.permit(),
            queue.conversion(0),
            &cancel,
            &Nobody,
        );
        gate.started = begun;
        show(&gate);
    }

    #[test]
    fn sound_gets_more_time_as_it_goes_on() {
        let check = |unit, done, is_in_time: bool| {
            with_gate(100, |gate| {
                let total = 2 * done;
                gate.progress(Progress { done, total, unit });
                assert_eq!(gate.check().is_ok(), is_in_time, "{unit:?} {done}");
            });
        };
        check(Unit::Milliseconds, 0, false);
        check(Unit::Milliseconds, 200_000, false);
        check(Unit::Milliseconds, 1_000_000, true);
        check(Unit::Rows, 1_000_000, false);
    }

    #[test]
    fn a_result_does_not_take_the_last_of_the_disk() {
        with_reserve(1, 1, |gate| assert!(gate.check().is_ok()));
        with_reserve(u64::MAX, 1, |gate| {
            let error = gate.check().unwrap_err();
            assert_eq!(error.kind(), Kind::StorageFull);
        });
    }

    #[test]
    fn waits_count_only_beyond_a_limit() {
        with_gate(1100, |gate| {
            assert!(gate.check().is_err());
            let waited = Duration::from_secs(1090);
            gate.waited_us
                .store(waited.as_micros() as u64, Ordering::Relaxed);
            assert!(gate.check().is_ok());
            assert!(gate.check_waiting().is_ok());
        });
        with_gate(1300, |gate| {
            let error = gate.check_waiting().unwrap_err();
            assert_eq!(error.kind(), Kind::Unavailable);
        });
    }
}
