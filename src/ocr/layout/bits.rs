//! Bitmaps with one bit per pixel, which is set where there is ink.

use crate::page::Page;
use convertd_core::{
    error::Result,
    job::{Job, Lease},
};
use std::sync::Mutex;

/// A bitmap whose pixels are ink or background.
pub(super) struct Bits<'a> {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The number of words in a row.
    stride: usize,
    words: Vec<u64>,
    /// Reservation of the memory. The lock is never taken; it only allows threads to share the bitmap.
    _lease: Mutex<Lease<'a>>,
}

impl<'a> Bits<'a> {
    /// A bitmap without ink.
    pub(super) fn blank(job: &Job<'a>, width: usize, height: usize) -> Result<Self> {
        let stride = width.div_ceil(64);
        let lease = job.lease((stride * height * 8) as u64)?;
        Ok(Self {
            width,
            height,
            stride,
            words: vec![0; stride * height],
            _lease: Mutex::new(lease),
        })
    }

    /// Makes the bitmap in which pixels of the page with a value of at most `most` are ink.
    pub(super) fn below(job: &Job<'a>, page: &Page<'_>, most: u8) -> Result<Self> {
        let Page {
            width,
            height,
            grey,
        } = *page;
        let mut out = Self::blank(job, width, height)?;
        for y in 0..height {
            if y % 256 == 0 {
                job.check()?;
            }
            let row = &grey[y * width..][..width];
            let words = &mut out.words[y * out.stride..][..out.stride];
            for (word, pixels) in words.iter_mut().zip(row.chunks(64)) {
                for (i, &value) in pixels.iter().enumerate() {
                    *word |= u64::from(value <= most) << i;
                }
            }
        }
        Ok(out)
    }

    pub(super) fn row(&self, y: usize) -> &[u64] {
        &self.words[y * self.stride..][..self.stride]
    }

    /// Returns whether there is ink. False outside of the bitmap.
    pub(super) fn get(&self, x: i32, y: i32) -> bool {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
        inside
            && self.words[y as usize * self.stride + x as usize / 64] >> (x as usize % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, x: usize, y: usize, ink: bool) {
        let word = &mut self.words[y * self.stride + x / 64];
        let bit = 1 << (x % 64);
        match ink {
            true => *word |= bit,
            false => *word &= !bit,
        }
    }

    /// Runs of ink in one row, from left to right, each with its first column and the column after its last one.
    pub(super) fn runs(&self, y: usize) -> Runs<'_> {
        Runs {
            words: self.row(y),
            at: 0,
        }
    }
}

/// The iterator of [`Bits::runs`].
pub(super) struct Runs<'a> {
    words: &'a [u64],
    at: usize,
}

impl Runs<'_> {
    /// The first column from `at` on with ink, or, if `ink` is false, without ink. The end of the row's last word if no
    /// column matches.
    fn seek(&self, at: usize, ink: bool) -> usize {
        let turn = if ink { 0 } else { u64::MAX };
        let mut index = at / 64;
        let Some(&word) = self.words.get(index) else {
            return self.words.len() * 64;
        };
        let mut word = (word ^ turn) & (u64::MAX << (at % 64));
        while word == 0 {
            index += 1;
            match self.words.get(index) {
                Some(&next) => word = next ^ turn,
                None => return self.words.len() * 64,
            }
        }
        index * 64 + word.trailing_zeros() as usize
    }
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let start = self.seek(self.at, true);
        if start >= self.words.len() * 64 {
            return None;
        }
        // Bits after the last pixel of the row are never set, so a run ends there at the latest.
        let end = self.seek(start, false);
        self.at = end;
        Some((start, end))
    }
}
