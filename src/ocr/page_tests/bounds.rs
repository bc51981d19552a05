//! Tests of pages without text, pages beyond the limits, and the memory that a page takes.

use super::{Drawn, FOX, SEA, draw, lines, read_page, texts};
use crate::{Model, Settings, read};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{
        Gate, Need, Progress,
        testing::{with_job, with_job_behind},
    },
};
use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

/// Pseudo-random numbers, the same each time (xorshift).
pub(super) struct Noise(AtomicU32);

impl Default for Noise {
    fn default() -> Self {
        Self(AtomicU32::new(0x2545_f491))
    }
}

impl Noise {
    pub(super) fn next(&self) -> u32 {
        let mut x = self.0.load(Ordering::Relaxed);
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        self.0.store(x, Ordering::Relaxed);
        x >> 8
    }
}

fn filled(width: usize, height: usize, value: impl Fn(usize, usize) -> u8) -> Drawn {
    Drawn {
        width,
        height,
        grey: vec![0; width * height],
    }
    .map(|x, y, _| value(x, y))
}

#[test]
fn pages_without_text_have_no_lines() {
    let noise = Noise::default();
    for (what, page) in [
        ("nothing", filled(0, 0, |_, _| 0)),
        ("a pixel", filled(1, 1, |_, _| 0)),
        ("white", filled(300, 400, |_, _| 255)),
        ("black", filled(300, 400, |_, _| 0)),
        ("grey", filled(300, 400, |_, _| 128)),
        (
            "two columns of pixels",
            filled(2, 30_000, |_, y| (y % 7 * 36) as u8),
        ),
        (
            "two rows of pixels",
            filled(30_000, 2, |x, _| (x % 7 * 36) as u8),
        ),
        (
            "lines of a pixel",
            filled(400, 600, |_, y| (y % 2 * 255) as u8),
        ),
        (
            "columns of a pixel",
            filled(400, 600, |x, _| (x % 2 * 255) as u8),
        ),
        (
            "a chequerboard",
            filled(400, 600, |x, y| ((x + y) % 2 * 255) as u8),
        ),
        ("a gradient", filled(400, 600, |x, y| ((x + y) / 4) as u8)),
        ("noise", filled(700, 700, |_, _| noise.next() as u8)),
        (
            "specks",
            filled(
                700,
                700,
                |_, _| if noise.next() % 20 == 0 { 0 } else { 255 },
            ),
        ),
        (
            "blots",
            filled(600, 600, |x, y| {
                if (x / 3 * 7919 + y / 3 * 104_729) % 11 < 2 {
                    0
                } else {
                    255
                }
            }),
        ),
    ] {
        let text = read_page(&page, true);
        let letters: usize = texts(&text).iter().map(String::len).sum();
        // Noise may resemble a few letters.
        assert!(letters <= 12, "{what}: {:?}", texts(&text));
    }
}

#[test]
fn one_letter_may_be_as_large_as_the_page() {
    let page = draw(2600, 3000, &lines(200, 2500, 3200, &["A"]));
    assert_eq!(texts(&read_page(&page, false)), ["A"]);
}

#[test]
fn a_page_beyond_the_limits_is_refused() {
    let page = filled(30_001, 1, |_, _| 255);
    let error = with_job(|job| {
        read(
            job,
            &page.page(),
            &[Model::built_in(0).unwrap()],
            &Settings::default(),
        )
        .unwrap_err()
    });
    assert_eq!(error.kind(), Kind::BadInput);
    assert!(error.to_string().contains("30001 × 1 pixels"), "{error}");
}

/// Records the peak of the leased memory, and ends the job after a number of checks for cancellation.
struct Watched {
    most: Mutex<u64>,
    checks: Mutex<u64>,
}

impl Gate for Watched {
    fn reserve(&self, need: Need) -> Result<()> {
        let mut most = self.most.lock().unwrap();
        *most = need.memory.max(*most);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let mut checks = self.checks.lock().unwrap();
        *checks = checks
            .checked_sub(1)
            .ok_or_else(|| Error::new(Kind::Busy, "too late"))?;
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

#[test]
fn a_page_takes_little_memory_and_can_be_cancelled() {
    let page = draw(
        2480,
        3508,
        &(lines(300, 400, 48, &FOX) + &lines(300, 1000, 48, &SEA)),
    );
    let noise = Noise::default();
    let noise = filled(
        2480,
        3508,
        |_, _| if noise.next() % 9 == 0 { 0 } else { 255 },
    );
    let run = |page: &Drawn, checks: u64| {
        let gate = Watched {
            most: Mutex::default(),
            checks: Mutex::new(checks),
        };
        let result = with_job_behind(&gate, |job| {
            read(
                job,
                &page.page(),
                &[Model::built_in(0).unwrap()],
                &Settings::default(),
            )
        });
        let most = *gate.most.lock().unwrap();
        (result.map(|text| text.lines.len()), most)
    };
    // The limits do not include the page itself, which takes 8.3 MiB, because it belongs to the caller.
    let (lines, most) = run(&page, u64::MAX);
    assert_eq!(lines.unwrap(), 12);
    assert!(most < 24 << 20, "{most}");
    let (_, most) = run(&noise, u64::MAX);
    assert!(most < 128 << 20, "{most}");
    for checks in [0, 3, 40, 120] {
        let (result, _) = run(&page, checks);
        assert_eq!(result.unwrap_err().kind(), Kind::Busy, "{checks}");
    }
}
