//! Reads pictures as grey samples, for the recognition of text. Recognises nothing itself.

use super::{
    limits,
    metadata::Resolution,
    open,
    options::Wishes,
    pixels::{Channels, Depth},
    plate, row,
    still::{self, Goal, Made},
    target::{Target, by_rows},
};
use convertd_core::{
    error::{Error, Result},
    job::{Input, Job, Lease, Notes},
};

/// Credible densities in pixels per inch. Any other density is treated as unknown.
const CREDIBLE: std::ops::RangeInclusive<f64> = 50.0..=10_000.0;
/// Highest useful density in pixels per inch. A picture with a higher one is reduced to about [`DEFAULT`].
pub const MAX: f64 = 450.0;
/// Usual density of scanned pages, in pixels per inch.
pub const DEFAULT: f64 = 300.0;
/// Largest number of samples in a reduced picture.
const MAX_SAMPLES: f64 = 60e6;
/// Largest number of frames that are read from an animation. To find a frame, all frames before it are decoded.
const MAX_FRAMES: u32 = 100;
/// Least ratio of a pixel's sides at which the pixel is not treated as square. Fax pages have larger ratios.
const OBLONG: f64 = 1.3;

/// An upright picture in grey.
pub struct Grey<'j> {
    /// Width in samples.
    pub width: usize,
    /// Height in samples.
    pub height: usize,
    /// `width × height` samples, row by row from the top left; 0 is black.
    pub samples: Vec<u8>,
    /// Number of pixels of the upright picture for each sample, horizontally and vertically.
    pub scale: (f64, f64),
    /// Width and height of the upright picture in pixels.
    pub size: (u32, u32),
    /// Density of the upright picture in pixels per inch, horizontally and vertically. `None` if the file states none,
    /// or one that is not credible.
    pub density: Option<(f64, f64)>,
    _lease: Lease<'j>,
}

/// A target for which decoders deliver 8-bit grey or RGB. It is never written.
static TARGET: Target = Target {
    accepts: |channels, _| {
        let channels = if channels.is_grey() {
            Channels::Grey
        } else {
            Channels::Rgb
        };
        (channels, Depth::Eight)
    },
    max_side: limits::MAX_SIDE,
    memory: by_rows,
    ..Target::of(|_, _, _, _, _| Err(Error::internal("samples have no file of their own", "")))
};

/// Number of pictures in a file with pages, or of frames in a GIF, which count as pages: at most [`MAX_FRAMES`].
///
/// Errors: the file cannot be read, or its frames are damaged.
pub fn pages(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<u32> {
    let reader = row(job.from).and_then(|row| row.read.as_ref());
    let Some(reader) = reader.filter(|_| job.from.name == "gif") else {
        return plate::pages(job.from, input);
    };
    let count = open::moving(job, reader, input)?.map_or(1, |animation| animation.count);
    if count > MAX_FRAMES {
        notes.add(format!(
            "Only the first {MAX_FRAMES} of {count} frames were read."
        ));
    }
    Ok(count.clamp(1, MAX_FRAMES))
}

/// Reads a picture of the file; without a `page`, the main one.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it cannot be decoded; any error of
/// [`Job::lease`].
pub fn read<'j>(
    job: &Job<'j>,
    input: &mut dyn Input,
    page: Option<u32>,
    notes: &mut Notes,
) -> Result<Grey<'j>> {
    let Some(reader) = row(job.from).and_then(|row| row.read.as_ref()) else {
        return Err(Error::internal("no such picture", job.from.name));
    };
    let wishes = Wishes {
        page,
        keep_metadata: false,
        max_size: None,
        ..Wishes::of(job.options())
    };
    let mut made = None;
    let mut file = open::Still::new(reader, input, page, notes)?;
    let metadata = file.metadata(wishes.keep_metadata)?;
    let mut source = file.open(job)?;
    let density = metadata.resolution.and_then(Resolution::inches);
    let density =
        density.filter(|(across, down)| CREDIBLE.contains(across) && CREDIBLE.contains(down));
    let orientation = super::pixels::orient::then(source.header().orientation, wishes.turn);
    // The density is that of the stored picture, so a rotation by 90 degrees exchanges the two directions.
    let density = match super::swaps_sides(orientation) {
        true => density.map(|(across, down)| (down, across)),
        false => density,
    };
    let mut put = |rows: Made<'_>, _: &mut Notes| match rows {
        Made::Rows(mut rows, _) => {
            let layout = rows.layout();
            let (factor, stretch) = plan((layout.width, layout.height), density);
            let (width, height) = (layout.width as usize, layout.height as usize);
            let pixels = width.div_ceil(factor) * height.div_ceil(factor) * stretch.0 * stretch.1;
            let lease = job.lease(pixels as u64 + 16 * width as u64)?;
            let mut reduced = Reduced::new(width, height, factor).stretched(stretch);
            let mut row = vec![0; layout.row_bytes()];
            let mut grey = vec![0; width];
            for y in 0..layout.height {
                super::pixels::rows::check_row(job, y)?;
                rows.next_row(&mut row)?;
                match layout.channels {
                    Channels::Grey => reduced.add(&row),
                    _ => {
                        luminance(&row, &mut grey);
                        reduced.add(&grey);
                    }
                }
            }
            let (across, down) = reduced.size();
            made = Some(Grey {
                width: across,
                height: down,
                samples: reduced.finish(),
                scale: (
                    factor as f64 / stretch.0 as f64,
                    factor as f64 / stretch.1 as f64,
                ),
                size: (layout.width, layout.height),
                density,
                _lease: lease,
            });
            Ok(())
        }
        Made::File(_) => Err(Error::internal("samples are not a file", job.from.name)),
    };
    let goal = Goal {
        job,
        target: &TARGET,
        wishes: &wishes,
    };
    still::make_of(goal, source, metadata, notes, &mut put)?;
    job.reserve(limits::BASE)?;
    made.ok_or_else(|| Error::internal("the decoder passed on no picture", job.from.name))
}

/// Returns the factor by which a picture is reduced, and, for pixels that are not square, how often each sample is
/// repeated horizontally and vertically.
fn plan((width, height): (u32, u32), density: Option<(f64, f64)>) -> (usize, (usize, usize)) {
    let (across, down) = density.unwrap_or((DEFAULT, DEFAULT));
    let times = |ratio: f64| {
        if ratio >= OBLONG {
            (ratio.round() as usize).clamp(1, 8)
        } else {
            1
        }
    };
    let stretch = (times(down / across), times(across / down));
    let dense = across.max(down);
    let samples = f64::from(width) * f64::from(height) * (stretch.0 * stretch.1) as f64;
    (factor(dense, samples, MAX_SAMPLES), stretch)
}

/// Returns the factor by which a picture with `density` pixels per inch and this number of samples must be reduced. The
/// result has about [`DEFAULT`] pixels per inch if the density is above [`MAX`], and at most `most` samples.
pub fn factor(density: f64, samples: f64, most: f64) -> usize {
    let by_density = if density > MAX {
        (density / DEFAULT).round()
    } else {
        1.0
    };
    let by_samples = (samples / most).sqrt().ceil();
    by_density.max(by_samples).max(1.0) as usize
}

/// Converts pixels of red, green and blue, three bytes each, to grey.
pub fn luminance(row: &[u8], grey: &mut [u8]) {
    for (grey, [red, green, blue]) in grey.iter_mut().zip(row.as_chunks::<3>().0) {
        // The weights of BT.601 (0.299, 0.587, 0.114) in 256ths, with rounding.
        let sum = 77 * u32::from(*red) + 150 * u32::from(*green) + 29 * u32::from(*blue);
        *grey = ((sum + 128) >> 8) as u8;
    }
}

/// Grey samples that are reduced as rows arrive: each result is the mean of a square of samples. Incomplete squares at
/// the right and lower edges are dropped, unless the picture is smaller than a square.
#[derive(Debug)]
pub struct Reduced {
    width: usize,
    /// Side of a square in samples.
    factor: usize,
    /// Number of times that each result is repeated, horizontally and vertically.
    stretch: (usize, usize),
    /// Sums of the samples in the current squares.
    sums: Vec<u32>,
    /// Number of rows in the current squares.
    rows: usize,
    samples: Vec<u8>,
    height: usize,
}

impl Reduced {
    /// Starts with no rows. Rows have `width` samples, and each square of `factor` × `factor` samples becomes one.
    pub fn new(width: usize, height: usize, factor: usize) -> Self {
        let across = (width / factor).max(1);
        Self {
            width: across,
            factor,
            stretch: (1, 1),
            sums: vec![0; across],
            rows: 0,
            samples: Vec::with_capacity(across * (height / factor).max(1)),
            height: 0,
        }
    }

    /// Repeats each result this many times horizontally and vertically.
    fn stretched(mut self, stretch: (usize, usize)) -> Self {
        self.stretch = stretch;
        self
    }

    /// Adds a row.
    pub fn add(&mut self, row: &[u8]) {
        for (sum, part) in self.sums.iter_mut().zip(row.chunks(self.factor)) {
            *sum += part.iter().map(|sample| u32::from(*sample)).sum::<u32>();
        }
        self.rows += 1;
        if self.rows == self.factor {
            self.put();
        }
    }

    /// Stores the means of the current squares, and starts the next ones.
    fn put(&mut self) {
        let count = (self.rows * self.factor) as u32;
        let start = self.samples.len();
        for sum in &mut self.sums {
            let sample = ((*sum + count / 2) / count).min(255) as u8;
            self.samples
                .extend(std::iter::repeat_n(sample, self.stretch.0));
            *sum = 0;
        }
        let end = self.samples.len();
        for _ in 1..self.stretch.1 {
            self.samples.extend_from_within(start..end);
        }
        self.height += self.stretch.1;
        self.rows = 0;
    }

    /// Width and height of the result so far.
    pub fn size(&self) -> (usize, usize) {
        let last = usize::from(self.height == 0) * self.stretch.1;
        (self.width * self.stretch.0, self.height + last)
    }

    /// The resulting samples.
    pub fn finish(mut self) -> Vec<u8> {
        if self.height == 0 {
            self.put_rest();
        }
        self.samples
    }

    /// Stores the incomplete squares of a picture that is lower than a square.
    fn put_rest(&mut self) {
        self.rows = self.rows.max(1);
        self.put();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_pictures_are_reduced_and_oblong_pixels_repeated() {
        assert_eq!(plan((2000, 3000), None), (1, (1, 1)));
        assert_eq!(plan((2000, 3000), Some((300.0, 300.0))), (1, (1, 1)));
        assert_eq!(plan((5000, 7000), Some((600.0, 600.0))), (2, (1, 1)));
        // A fax page, at 204 × 98 pixels per inch.
        assert_eq!(plan((1728, 1100), Some((204.0, 98.0))), (1, (1, 2)));
        assert_eq!(plan((20_000, 30_000), None), (4, (1, 1)));
    }

    #[test]
    fn samples_are_means_of_squares() {
        let mut reduced = Reduced::new(5, 3, 2);
        for row in [[0, 10, 20, 30, 99], [10, 20, 30, 40, 99], [99; 5]] {
            reduced.add(&row);
        }
        assert_eq!(reduced.size(), (2, 1));
        assert_eq!(reduced.finish(), [10, 30]);
        let mut stretched = Reduced::new(2, 1, 1).stretched((1, 2));
        stretched.add(&[1, 2]);
        assert_eq!(stretched.size(), (2, 2));
        assert_eq!(stretched.finish(), [1, 2, 1, 2]);
    }

    #[test]
    fn luminance_weights_the_colours() {
        let mut grey = [0; 3];
        luminance(&[255, 255, 255, 0, 0, 0, 255, 0, 0], &mut grey);
        assert_eq!(grey, [255, 0, 77]);
    }
}
