//! Growth of what work costs with the size of its input. Judges no time by itself: that of one machine says nothing of another.

// Not every test program that includes this uses all of it.
#![allow(dead_code)]

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The most that twice the input may cost, in times of what once costs. Work that is linear costs 2, work that grows with the
/// square 4.
const MOST: f64 = 2.6;

/// How often the pair is measured at the most. Other programs on the machine disturb caches, too, and seldom six times.
const TRIES: usize = 6;

/// The least that the smaller half of a pair costs. Below it the clock's own steps would be compared.
const LEAST: Duration = Duration::from_millis(20);

/// Fails if twice the input takes more than [`MOST`] times the processor time of this thread. `work` is given a size, and returns
/// what need not be counted as cost: it is dropped afterwards.
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

/// The same with a cost that is measured elsewhere, such as that of another process.
#[track_caller]
pub(crate) fn costs_no_more(what: &str, size: usize, mut cost: impl FnMut(usize) -> Duration) {
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let (once, twice) = (cost(size), cost(2 * size));
        seen.push((once, twice));
        if twice.as_secs_f64() <= MOST * once.max(LEAST).as_secs_f64() {
            return;
        }
    }
    panic!("{what}: twice the input costs more than {MOST} times as much, each time: {seen:?}");
}

/// The processor time of this thread so far. A busy machine makes everything late, but not this.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or_default(),
        time.tv_nsec.try_into().unwrap_or_default(),
    )
}

#[test]
fn a_square_is_found() {
    let quadratic = |size: usize| Duration::from_millis((size * size) as u64);
    assert!(std::panic::catch_unwind(|| costs_no_more("a square", 10, quadratic)).is_err());
    costs_no_more("a line", 100, |size| Duration::from_millis(size as u64));
    // Between the two lies what sorts.
    let sorting = |size: usize| Duration::from_micros((size * size.ilog2() as usize) as u64);
    costs_no_more("sorting", 100_000, sorting);
}
