//! Counters of the engine. They have no effect on its decisions.

use crate::{
    error::{Kind, Result},
    metrics::{Counter, Histogram},
    registry::Route,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Result of a conversion for the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The conversion has a result.
    Done,
    /// The file could not be converted, or exceeded its limits.
    Rejected,
    /// The client had left, or the service was stopped.
    Abandoned,
    /// A fault of the service or of its disk.
    Failed,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Done, Self::Rejected, Self::Abandoned, Self::Failed];

    /// The outcome as the value of a label of a metric.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Rejected => "rejected",
            Self::Abandoned => "abandoned",
            Self::Failed => "failed",
        }
    }

    /// Classifies the result of a conversion; an error by its kind.
    fn of<T>(result: &Result<T>) -> Self {
        let Err(error) = result else {
            return Self::Done;
        };
        match error.kind() {
            Kind::BadInput | Kind::OutOfMemory | Kind::TooLarge | Kind::NotFound => Self::Rejected,
            Kind::Disconnected | Kind::Busy | Kind::TooSlow | Kind::Conflict => Self::Abandoned,
            Kind::StorageFull | Kind::Unavailable | Kind::Internal => Self::Failed,
        }
    }
}

/// The reason why a converter child was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The child ended between two jobs.
    Died,
    /// The child ended during a job.
    Crashed,
    /// The child's job was ended, for example because the job took too long, asked for too much memory, or its client
    /// had left.
    Stopped,
    /// The child's job is run again with more memory.
    OutOfMemory,
    /// The child asked to be replaced, because its memory has grown.
    Retired,
}

impl Replaced {
    /// All reasons.
    pub const ALL: [Self; 5] = [
        Self::Died,
        Self::Crashed,
        Self::Stopped,
        Self::OutOfMemory,
        Self::Retired,
    ];

    /// The reason as the value of a label of a metric.
    pub fn word(self) -> &'static str {
        match self {
            Self::Died => "died",
            Self::Crashed => "crashed",
            Self::Stopped => "stopped",
            Self::OutOfMemory => "out_of_memory",
            Self::Retired => "retired",
        }
    }
}

/// Counters of the conversions of one format to another.
#[derive(Debug, Default)]
pub struct PairMeter {
    outcomes: [Counter; Outcome::ALL.len()],
    /// Durations of successful conversions, without their waiting time.
    pub durations: Histogram,
}

impl PairMeter {
    /// Number of conversions with this outcome.
    pub fn ended(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize].get()
    }
}

/// Names of formats: from, and to.
type PairName = (&'static str, &'static str);

/// All counters of the engine.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Counters of each pair that has occurred. Most pairs of the registry never occur.
    pairs: Mutex<BTreeMap<PairName, PairMeter>>,
    replaced: [Counter; Replaced::ALL.len()],
    /// Times from an order's arrival in the queue to the beginning of its first attempt.
    pub(super) waiting: Histogram,
}

impl Meter {
    /// Locks the counters, also after a panic of another thread.
    fn pairs(&self) -> MutexGuard<'_, BTreeMap<PairName, PairMeter>> {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn ended(&self, route: &Route, result: &Result<super::Finished>) {
        let (from, to) = (route.pair.from.name, route.pair.to.name);
        let mut pairs = self.pairs();
        let meter = pairs.entry((from, to)).or_default();
        meter.outcomes[Outcome::of(result) as usize].add(1);
        if let Ok(finished) = result {
            meter.durations.observe(finished.duration);
        }
    }

    pub(super) fn replaced(&self, why: Replaced) {
        self.replaced[why as usize].add(1);
    }

    pub(super) fn replacements(&self, why: Replaced) -> u64 {
        self.replaced[why as usize].get()
    }

    pub(super) fn each_pair(&self, mut visit: impl FnMut(&str, &str, &PairMeter)) {
        for ((from, to), meter) in &*self.pairs() {
            visit(from, to, meter);
        }
    }
}

/// Current load of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Orders that wait to be begun.
    pub waiting: usize,
    /// Conversions that run, or wait for memory.
    pub running: usize,
    /// Conversions that are stopped while those of other clients have their turn.
    pub stopped: usize,
    /// Bytes of memory that all conversions have reserved.
    pub memory: u64,
    /// Bytes of memory that all conversions may reserve together.
    pub memory_budget: u64,
}
