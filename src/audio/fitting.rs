//! Converts a sound. For `max_size`, it converts several times to find the highest rate at which the lossy result has
//! at most a given number of bytes. Only the last pass writes its result, so no pass keeps a file in memory.

use super::{
    convert::{row, run},
    sink::Rate,
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Input, Job, MAX_SIZE, NEAR, Notes, Output},
};
use std::io::{self, Seek, SeekFrom, Write};

/// Converts a file.
///
/// Errors: the same as for [`run`] and [`fit`].
pub(super) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
) -> Result<Notes> {
    let made = match wanted(job) {
        Some(most) => fit(job, input, output, most),
        None => run(job, input, output, None),
    };
    // A codec that is stopped while it reads reports an error of its own, so the error of the stopped job replaces it.
    made.or_else(|error| job.check().and(Err(error)))
}

/// The requested maximum size in bytes. `None` if the job does not ask for one, or if the target format is lossless.
fn wanted(job: &Job<'_>) -> Option<u64> {
    let writer = row(job.to)?.write.as_ref()?;
    let most = job.options().integer(MAX_SIZE.name)?;
    writer.is_lossy.then_some(u64::from(most))
}

/// Converts a file into at most `most` bytes.
///
/// Errors: [`Kind::BadInput`] with the smallest possible size, if that is more than `most`; and the errors of a
/// conversion.
fn fit(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output, most: u64) -> Result<Notes> {
    let mut length = |rate: Rate| {
        let mut counter = Counter::default();
        run(job, &mut *input, &mut counter, Some(rate)).map(|_| counter.len)
    };
    let rate = best(&mut length, most)?.map_err(|least| {
        Error::new(
            Kind::BadInput,
            format!(
                "max_size is {most}; this sound takes at least {least} bytes as {}",
                job.to.name
            ),
        )
    })?;
    let mut notes = run(job, input, output, Some(rate))?;
    if rate < Rate::HIGH {
        notes.add(format!(
            "The best quality that fits into {most} bytes is {}.",
            between(rate)
        ));
    }
    Ok(notes)
}

/// Finds the highest rate whose result has at most `most` bytes, or a rate slightly below it. If no rate fits, returns
/// the size at the lowest rate. `length` returns the size at a rate.
fn best(
    length: &mut dyn FnMut(Rate) -> Result<u64>,
    most: u64,
) -> Result<std::result::Result<Rate, u64>> {
    // The search is between a rate that fits and a rate that does not.
    let (mut low, mut high) = (None::<(u8, u64)>, (Rate::HIGH.0, length(Rate::HIGH)?));
    if high.1 <= most {
        return Ok(Ok(Rate::HIGH));
    }
    loop {
        let next = match low {
            Some((rate, len)) if high.0 - rate <= 1 || len as f64 >= NEAR * most as f64 => {
                return Ok(Ok(Rate(rate)));
            }
            None if high.0 == 0 => return Ok(Err(high.1)),
            // Between two tiers, the number of bytes grows nearly linearly with the rate.
            Some((rate, len)) => {
                let part = (most - len) as f64 / (high.1 - len).max(1) as f64;
                let gap = high.0 - rate;
                let step = (part * f64::from(gap)) as u8;
                rate + step.clamp((gap / 4).max(1), gap - 1)
            }
            None if high.0 > Rate::LOW.0 => Rate::LOW.0,
            None => 0,
        };
        let len = length(Rate(next))?;
        if len <= most {
            low = Some((next, len));
        } else {
            high = (next, len);
        }
    }
}

/// Position of a rate between the tiers, in words.
fn between(rate: Rate) -> &'static str {
    match rate {
        rate if rate < Rate::LOW => "below low",
        Rate::LOW => "low",
        rate if rate < Rate::MEDIUM => "between low and medium",
        Rate::MEDIUM => "medium",
        _ => "between medium and high",
    }
}

/// An output that only counts its bytes.
#[derive(Default)]
struct Counter {
    position: u64,
    len: u64,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.position += bytes.len() as u64;
        self.len = self.len.max(self.position);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Counter {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(step) => self.position.checked_add_signed(step),
            SeekFrom::End(step) => self.len.checked_add_signed(step),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

impl Output for Counter {
    fn clear(&mut self) -> io::Result<()> {
        *self = Self::default();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_rate_that_fits_is_found() {
        #[track_caller]
        fn check(of: fn(u8) -> u64, most: u64, expected: std::result::Result<u8, u64>) {
            let mut asked = 0;
            let found = best(
                &mut |rate| {
                    asked += 1;
                    Ok(of(rate.0))
                },
                most,
            );
            match (found.unwrap(), expected) {
                (Ok(found), Ok(expected)) => {
                    assert!(of(found.0) <= most);
                    let near = of(found.0) as f64 >= NEAR * most as f64;
                    assert!(near || found.0 == expected, "{} of {most}", found.0);
                }
                (found, expected) => assert_eq!(found, expected.map(Rate)),
            }
            assert!(asked <= 12, "{asked} times");
        }
        let straight = |rate: u8| 1000 + 100 * u64::from(rate);
        check(straight, 999, Err(1000));
        check(straight, 1000, Ok(0));
        check(straight, 1099, Ok(0));
        check(straight, 2600, Ok(16));
        check(straight, 4000, Ok(30));
        check(straight, 5799, Ok(47));
        check(straight, 5800, Ok(48));
        check(straight, 1 << 40, Ok(48));
        // A format with few rates, and a format whose size grows exponentially with the rate.
        check(|rate| 1000 * u64::from(rate / 16), 1500, Ok(31));
        check(|rate| 1 << (rate / 2), 5000, Ok(25));
        check(|_| 700, 700, Ok(48));
        check(|_| 700, 699, Err(700));
    }
}
