//! Frame delays in the unit of the target format. Delays that are too long for the format are shortened and counted.

use convertd_core::job::Notes;
use std::time::Duration;

/// Returns the delay in units of 1/`per_second` s, rounded to the nearest, at most `u32::MAX`.
pub(crate) fn ticks(delay: Duration, per_second: u32) -> u32 {
    let ticks = (delay.as_secs_f64() * f64::from(per_second)).round();
    ticks.min(f64::from(u32::MAX)) as u32
}

/// Returns the delay as browsers apply it: they show a frame for 100 ms if its delay is 10 ms or less. Used for formats
/// whose players follow the delay exactly.
#[cfg_attr(not(feature = "jxl"), allow(dead_code))]
pub(crate) fn as_shown(delay: Duration) -> Duration {
    const SHORTEST: Duration = Duration::from_millis(10);
    match delay <= SHORTEST {
        true => Duration::from_millis(100),
        false => delay,
    }
}

/// Converts delays for a format with units of 1/`per_second` s and a maximum of `most` units.
pub(crate) struct Clock {
    per_second: u32,
    most: u32,
    /// The number of frames whose delay was cut.
    cut: u32,
}

impl Clock {
    /// A converter for a format.
    pub(crate) fn new(per_second: u32, most: u32) -> Self {
        Self {
            per_second,
            most,
            cut: 0,
        }
    }

    /// Returns the delay in units of the format. If it is too long, shortens and counts it.
    pub(crate) fn ticks(&mut self, delay: Duration) -> u32 {
        let ticks = ticks(delay, self.per_second);
        if ticks > self.most {
            self.cut += 1;
        }
        ticks.min(self.most)
    }

    /// Adds a note if any delay was cut.
    pub(crate) fn note(&self, format: &str, notes: &mut Notes) {
        let seconds = f64::from(self.most) / f64::from(self.per_second);
        match self.cut {
            0 => {}
            1 => notes.add(format!(
                "A frame is shown for {seconds} s, the longest that {format} can hold."
            )),
            cut => notes.add(format!(
                "{cut} frames are shown for {seconds} s each, the longest that {format} can hold."
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_short_delays_become_100_ms() {
        for (delay, shown) in [(0, 100), (10, 100), (20, 20), (70, 70)] {
            let shown = Duration::from_millis(shown);
            assert_eq!(as_shown(Duration::from_millis(delay)), shown);
        }
    }

    #[test]
    fn shortened_delays_are_counted() {
        let mut clock = Clock::new(100, 65_535);
        let mut notes = Notes::default();
        assert_eq!(clock.ticks(Duration::from_millis(655_350)), 65_535);
        clock.note("gif", &mut notes);
        assert!(notes.0.is_empty());
        assert_eq!(clock.ticks(Duration::from_secs(700)), 65_535);
        clock.note("gif", &mut notes);
        let expected = "A frame is shown for 655.35 s, the longest that gif can hold.";
        assert_eq!(notes.0, [expected]);
    }
}
