//! Checks how the cost of work grows with the size of its input. Does not check absolute times, because they depend on
//! the machine.

// Some test programs that include this file use only a part of it.
#![allow(dead_code)]

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Limit on the factor by which the cost grows if the input doubles. The factor is 2 for linear work, and 4 for
/// quadratic work.
const MAX: f64 = 2.6;

/// Limit on the number of times that a pair of costs is measured. Other programs may disturb a measurement, for example
/// through the processor's caches, but seldom six times.
const TRIES: usize = 6;

/// Minimum for the cost of the smaller input. The resolution of the clock would distort shorter times.
const LEAST: Duration = Duration::from_millis(20);

/// Fails if doubling the input multiplies the processor time of `work` in this thread by more than [`MAX`]. `work` gets
/// the size of its input. The time for dropping its result does not count.
#[track_caller]
pub(crate) fn is_linear<T>(what: &str, size: usize, mut work: impl FnMut(usize) -> T) {
    costs_no_more(what, size, |size| {
        let begun = processor_time();
        let made = work(size);
        let cost = processor_time().saturating_sub(begun);
        drop(made);
        cost
    });
}

/// Like [`is_linear`], with a cost that the caller measures, such as the processor time of another process.
#[track_caller]
pub(crate) fn costs_no_more(what: &str, size: usize, mut cost: impl FnMut(usize) -> Duration) {
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let (once, twice) = (cost(size), cost(2 * size));
        seen.push((once, twice));
        if twice.as_secs_f64() <= MAX * once.max(LEAST).as_secs_f64() {
            return;
        }
    }
    panic!("{what}: twice the input costs more than {MAX} times as much, each time: {seen:?}");
}

/// The processor time of this thread until now. Unlike elapsed time, it hardly depends on the load of the machine.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or_default(),
        time.tv_nsec.try_into().unwrap_or_default(),
    )
}

#[test]
fn quadratic_growth_is_found() {
    let quadratic = |size: usize| Duration::from_millis((size * size) as u64);
    assert!(std::panic::catch_unwind(|| costs_no_more("a square", 10, quadratic)).is_err());
    costs_no_more("a line", 100, |size| Duration::from_millis(size as u64));
    // The cost of sorting is between linear and quadratic.
    let sorting = |size: usize| Duration::from_micros((size * size.ilog2() as usize) as u64);
    costs_no_more("sorting", 100_000, sorting);
}
