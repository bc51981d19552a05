//! Counters and histograms for monitoring. Does not depend on the meaning of the counters, and stores no history.
//!
//! Each part of the service counts its actions in values of its own. [`Text`] writes these values in the text format of
//! Prometheus. Nothing is pushed: a monitoring system has to fetch the page.

pub mod process;
mod text;

pub use text::{MetricType, Text};

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// A count of events, which only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds `more` to the count.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Upper bounds of the buckets of every [`Histogram`]: in seconds as text, and in microseconds. They range from the
/// time of an answer from memory to that of the longest conversions.
const BOUNDS: [(&str, u64); 15] = [
    ("0.001", 1_000),
    ("0.005", 5_000),
    ("0.01", 10_000),
    ("0.025", 25_000),
    ("0.05", 50_000),
    ("0.1", 100_000),
    ("0.25", 250_000),
    ("0.5", 500_000),
    ("1", 1_000_000),
    ("2.5", 2_500_000),
    ("5", 5_000_000),
    ("10", 10_000_000),
    ("30", 30_000_000),
    ("60", 60_000_000),
    ("300", 300_000_000),
];

/// Durations, counted in buckets that are the same for all histograms.
#[derive(Debug, Default)]
pub struct Histogram {
    /// The count of each bucket alone, without the counts of smaller buckets. The last bucket has no upper bound.
    counts: [Counter; BOUNDS.len() + 1],
    /// Sum of all durations in microseconds.
    sum: Counter,
}

impl Histogram {
    /// Counts an event that took `duration`.
    pub fn observe(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|(_, bound)| *bound < micros);
        self.counts[bucket].add(1);
        self.sum.add(micros);
    }
}
