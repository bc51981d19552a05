//! Decodes lossless JPEG (T.81, annex H): each sample is predicted from its neighbours, and the difference is
//! Huffman-coded.
//!
//! Digital negatives and medical pictures use it, with 2 to 16 bits per sample. libjpeg-turbo has read it since version
//! 3; zune-jpeg does not read it.

use super::{
    bits::Bits,
    fault::DAMAGED,
    huffman::Table,
    scan::OtherScan,
    structure::{Coding, Structure},
};

/// The samples of a picture.
pub(crate) struct Samples {
    planes: Vec<Plane>,
    /// Largest sampling factors of all components, horizontal and vertical.
    most: (usize, usize),
}

/// The samples of a component, including the padding of the last MCUs.
struct Plane {
    samples: Vec<u16>,
    /// Number of samples in a row, including the padding.
    width: usize,
    /// Horizontal sampling factor: number of samples of this component in an MCU, across.
    horizontal: usize,
    /// Vertical sampling factor: number of samples of this component in an MCU, down.
    vertical: usize,
}

impl Samples {
    /// Samples of row `y`, interleaved by pixel. A subsampled sample is repeated for all its pixels.
    pub(crate) fn row(&self, y: usize, width: usize) -> impl Iterator<Item = u16> {
        (0..width).flat_map(move |x| {
            self.planes.iter().map(move |plane| {
                let row = y * plane.vertical / self.most.1;
                plane.samples[row * plane.width + x * plane.horizontal / self.most.0]
            })
        })
    }
}

/// Returns whether this decoder supports the file.
pub(crate) fn supports(structure: &Structure) -> bool {
    match structure.coding() {
        Coding::Grey | Coding::Rgb => true,
        Coding::YCbCr => structure.precision <= 8,
        Coding::Cmyk | Coding::Ycck => false,
    }
}

/// Memory of [`decode`] in bytes.
pub(crate) fn memory(structure: &Structure) -> u64 {
    2 * structure.coefficients()
}

/// Decodes all scans.
pub(crate) fn decode(file: &[u8], structure: &Structure) -> Result<Samples, &'static str> {
    let (across, down) = structure.mcus();
    let planes = structure.components.iter().map(|component| {
        let width = across * component.horizontal;
        Plane {
            samples: vec![0; width * down * component.vertical],
            width,
            horizontal: component.horizontal,
            vertical: component.vertical,
        }
    });
    let mut planes: Vec<_> = planes.collect();
    for scan in &structure.other_scans {
        let data = file.get(scan.data.clone()).ok_or(DAMAGED)?;
        let run = Run {
            scan,
            // The first prediction is half of the range, which the point transform makes smaller (H.1.2.1).
            middle: 1 << (u32::from(structure.precision) - scan.low - 1),
        };
        run.decode(data, structure, &mut planes)?;
    }
    Ok(Samples {
        planes,
        most: structure.sampling(),
    })
}

/// A scan that is being decoded.
struct Run<'a> {
    scan: &'a OtherScan,
    /// Prediction of the first sample.
    middle: i32,
}

impl Run<'_> {
    /// Decodes a lossless scan (T.81, annex H). Each sample is stored as the difference from a prediction by its
    /// neighbours.
    fn decode(
        &self,
        data: &[u8],
        structure: &Structure,
        planes: &mut [Plane],
    ) -> Result<(), &'static str> {
        let parts = self.scan.parts.iter();
        let parts: Option<Vec<(usize, &Table)>> = parts
            .map(|part| Some((part.component, part.codes.as_deref()?)))
            .collect();
        let parts = parts.ok_or(DAMAGED)?;
        let order = self.scan.order(structure);
        let mut bits = Bits::starting(data, 0);
        // The row of MCUs in which prediction began or restarted. Its first row of samples is predicted without the row
        // above.
        let mut first = 0;
        let mut since = 0;
        for y in 0..order.down {
            for x in 0..order.across {
                if self.scan.restart > 0 && since == self.scan.restart {
                    if !bits.restart() {
                        return Err(DAMAGED);
                    }
                    // A restart interval is a number of whole rows (H.1.1), so prediction restarts with row `y`.
                    (first, since) = (y, 0);
                }
                since += 1;
                for (&(component, codes), &(h, v)) in parts.iter().zip(&order.units) {
                    let plane = &mut planes[component];
                    for row in y * v..(y + 1) * v {
                        for column in x * h..(x + 1) * h {
                            let difference = bits.difference(codes).ok_or(DAMAGED)?;
                            let predicted = self.prediction(plane, column, row, row == first * v);
                            // All computation is modulo 65,536 (H.1.2.1).
                            let sample = predicted.wrapping_add(difference) as u16;
                            plane.samples[row * plane.width + column] = sample << self.scan.low;
                        }
                    }
                }
            }
            if bits.overran() {
                return Err(DAMAGED);
            }
        }
        Ok(())
    }

    /// Prediction of a sample (H.1.2.1) by its neighbours to the left, above, and above to the left, with the predictor
    /// of the scan (table H.1). The first row after a restart uses only the sample to the left, and the first column
    /// only the sample above.
    fn prediction(&self, plane: &Plane, x: usize, y: usize, is_first_row: bool) -> i32 {
        let at = y * plane.width + x;
        let stored = |back: usize| i32::from(plane.samples[at - back] >> self.scan.low);
        match (is_first_row, x) {
            (true, 0) => return self.middle,
            (true, _) => return stored(1),
            (false, 0) => return stored(plane.width),
            (false, _) => {}
        }
        let (left, above, corner) = (stored(1), stored(plane.width), stored(plane.width + 1));
        match self.scan.first {
            1 => left,
            2 => above,
            3 => corner,
            4 => left + above - corner,
            5 => left + ((above - corner) >> 1),
            6 => above + ((left - corner) >> 1),
            _ => (left + above) / 2,
        }
    }
}
