//! Decodes JPEG files with 12 bits per sample (T.81, 4.11), which medical and scientific programs write: sequential or
//! progressive, with Huffman or arithmetic coding. Supports no reduced size.
//!
//! libjpeg-turbo has read such files since version 3; zune-jpeg does not read them. All coefficients are in memory, and
//! each block is replaced by its samples, so that the picture is held only once. Chroma is interpolated as in files
//! with 8 bits.

use super::{
    coefficients::{self, Picture},
    fault::DAMAGED,
    held::Held,
    idct, planes,
    structure::{Coding, Structure},
};

/// A decoded picture.
pub(crate) struct Deep {
    structure: Structure,
    coding: Coding,
    picture: Picture,
    /// Whether some coefficients may be missing, because the file is damaged.
    is_cut: bool,
}

impl Deep {
    /// Memory of a decoder in bytes, besides the file.
    pub(crate) fn memory(structure: &Structure) -> u64 {
        let rows = 32 * u64::from(structure.width);
        coefficients::memory(structure, idct::SIDE) + rows + (1 << 18)
    }

    /// Decodes all scans of a file, and damaged ones as far as possible if `keep_damaged`. `is_damaged` is whether the
    /// walk from marker to marker found damage. Calls `go_on` before each scan and each component, and fails if it
    /// returns `false`.
    pub(crate) fn decode(
        file: &[u8],
        structure: Structure,
        keep_damaged: bool,
        is_damaged: bool,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Self, &'static str> {
        let mut picture = Picture::decode(file, &structure, idct::SIDE, keep_damaged, go_on)?;
        let middle = 1 << (structure.precision - 1);
        let factors = planes::factors(&structure, idct::SIDE);
        for (held, factors) in picture.components.iter_mut().zip(&factors) {
            if !go_on() {
                return Err(DAMAGED);
            }
            held.transform(factors, middle);
        }
        Ok(Self {
            is_cut: keep_damaged && is_damaged && coefficients::is_cut(&structure, idct::SIDE),
            coding: structure.coding(),
            structure,
            picture,
        })
    }

    /// Returns whether row `y` may have lost detail because the file is damaged.
    pub(crate) fn is_coarse(&self, y: usize) -> bool {
        self.is_cut || y / self.mcu_rows() >= self.picture.exact
    }

    /// Number of rows of pixels in a row of MCUs.
    fn mcu_rows(&self) -> usize {
        self.structure.sampling().1 * idct::SIDE
    }

    /// Stores row `y` with 16 bits per sample in the byte order of the machine: grey or RGB. Fails if it is missing.
    pub(crate) fn row(&self, y: usize, row: &mut [u8]) -> Result<(), &'static str> {
        let mut lines = Vec::new();
        for at in 0..self.picture.components.len() {
            lines.push(self.line(at, y)?);
        }
        let most = ((1 << self.structure.precision) - 1) as f32;
        let scale = f32::from(u16::MAX) / most;
        let stored = |value: f32| ((value * scale + 0.5) as u16).to_ne_bytes();
        let pairs = row.as_chunks_mut().0;
        match lines.as_slice() {
            [grey] => {
                for (pair, value) in pairs.iter_mut().zip(grey) {
                    *pair = stored(*value);
                }
            }
            [first, second, third, ..] => {
                let is_light = self.coding == Coding::Rgb;
                let middle = (most + 1.0) / 2.0;
                let values = first.iter().zip(second).zip(third);
                for (pixel, ((&a, &b), &c)) in pairs.as_chunks_mut::<3>().0.iter_mut().zip(values) {
                    let (blue, red) = (b - middle, c - middle);
                    // Conversion from YCbCr to RGB by JFIF 1.02.
                    let colour = if is_light {
                        [a, b, c]
                    } else {
                        let green = a - 0.344_136 * blue - 0.714_136 * red;
                        [a + 1.402 * red, green, a + 1.772 * blue]
                    };
                    *pixel = colour.map(stored);
                }
            }
            _ => return Err(DAMAGED),
        }
        Ok(())
    }

    /// The samples of a component for a row of pixels. Components of half the resolution are interpolated with weights
    /// of 3 to 1, as in [`colour`](super::colour).
    fn line(&self, at: usize, y: usize) -> Result<Vec<f32>, &'static str> {
        let (h, v) = self.structure.sampling();
        let component = &self.structure.components[at];
        let (columns, rows) = self.structure.samples_of(component);
        let (across, down) = (h / component.horizontal, v / component.vertical);
        let near = (y / down).min(rows - 1);
        let far = match (down, y % down) {
            (2, 0) => near.saturating_sub(1),
            (2, _) => (near + 1).min(rows - 1),
            _ => near,
        };
        let last = near.max(far) / (component.vertical * idct::SIDE);
        if last >= self.picture.decoded {
            return Err(DAMAGED);
        }
        let held = &self.picture.components[at];
        let samples = |row: usize| (0..columns).map(move |x| held.sample(x, row));
        let blended = |(near, far): (f32, f32)| near * 0.75 + far * 0.25;
        let row: Vec<f32> = samples(near).zip(samples(far)).map(blended).collect();
        if across != 2 {
            let repeated = row
                .iter()
                .flat_map(|value| std::iter::repeat_n(*value, across));
            return Ok(repeated.collect());
        }
        let both = (0..columns).flat_map(|x| {
            let (before, after) = (x.saturating_sub(1), (x + 1).min(columns - 1));
            [before, after].map(|far| blended((row[x], row[far])))
        });
        Ok(both.collect())
    }
}

impl Held {
    /// Replaces the coefficients of all blocks by samples. `middle` is the level shift (T.81, A.3.1).
    fn transform(&mut self, factors: &[f32; 64], middle: u16) {
        for at in 0..self.count() {
            let (block, _) = self.dequantised(at, factors, u64::MAX);
            self.block(at)
                .values
                .copy_from_slice(&idct::deep(&block, middle));
        }
    }

    /// A sample. [`transform`](Self::transform) must have been called before.
    fn sample(&self, x: usize, y: usize) -> f32 {
        let side = idct::SIDE;
        let at = y / side * self.across + x / side;
        self.values(at)[y % side * side + x % side].into()
    }
}
