//! Rows of a JPEG file (T.81, 4.8 and annex F.2), decoded one row of MCUs at a time.
//!
//! A minimum coded unit (MCU) holds as many blocks of 8 × 8 samples of each component as its sampling factors say: with
//! 4:2:0, four of luma and one of each chroma. Chroma is interpolated between two rows of its samples, one of which may
//! belong to the next row of MCUs. So two rows of MCUs are kept, unless the components are divided among several scans;
//! then all rows are kept.
//!
//! Before the first row of a progressive file, whose scans contain only parts of the coefficients, or of a file with
//! arithmetic coding, all its coefficients are decoded. At half, a quarter and an eighth of the size, only the lowest
//! coefficients of a block are transformed; at an eighth, the DC coefficient alone gives the sample.

use super::{
    bits::{self, Bits},
    coefficients::{self, Picture},
    colour,
    fault::DAMAGED,
    halves, idct,
    planes::{self, Plane},
    scan::Scan,
    structure::{Coding, Process, Structure},
};
use crate::{formats::jpeg::zigzag::index_of, pixels::simd};
use std::ops::Range;

/// A decoder that returns one row after another.
pub(crate) struct Decoder {
    file: Vec<u8>,
    structure: Structure,
    coding: Coding,
    /// The side of a block in samples: 8, or 4, 2 or 1 at reduced size.
    side: usize,
    /// The samples of each component. Each is a ring buffer of `kept_mcu_rows` rows of MCUs.
    planes: Vec<Plane>,
    /// The dequantisation factors of each component.
    factors: Vec<[f32; 64]>,
    /// The number of rows of MCUs that are kept.
    kept_mcu_rows: usize,
    /// Whether two threads decode the DC coefficients of the whole picture in parallel: see [`halves`].
    halves: bool,
    /// The number of rows of MCUs that have been decoded.
    decoded: usize,
    /// The position in the scan, if rows of MCUs are decoded on demand.
    progress: Progress,
    /// The coefficients of the whole picture, if they are decoded before the first row.
    picture: Option<Picture>,
    /// Whether damaged coefficients are decoded as far as possible.
    keeps: bool,
    /// Whether some coefficients are known to be missing.
    is_cut: bool,
    /// The next row of the picture, from 0.
    next: usize,
    /// The current row of each component, upsampled to the width of the picture.
    upsampled: [Vec<u8>; 4],
}

/// A position in a scan, between two rows of MCUs.
#[derive(Clone, Default)]
struct Progress {
    bits: bits::Position,
    /// The last DC coefficient of each component, which predicts the next one.
    predictions: [i32; 4],
    /// The number of MCUs since the last restart marker.
    mcus: usize,
}

impl Decoder {
    /// A decoder for a file that is [supported](Self::supports), at a size reduced by `reduction`: 1, 2, 4 or 8. If
    /// `spare` is set, the decoder may use a second thread.
    pub(crate) fn new(file: Vec<u8>, structure: Structure, reduction: usize, spare: bool) -> Self {
        let side = idct::SIDE / reduction;
        let (_, down) = structure.mcus();
        let halves = Self::in_halves(&structure, reduction, spare).is_some();
        let kept_mcu_rows = if halves {
            down
        } else {
            Self::kept_mcu_rows(&structure)
        };
        let planes = (structure.components.iter())
            .map(|component| Plane::new(&structure, component, reduction, kept_mcu_rows))
            .collect();
        Self {
            coding: structure.coding(),
            file,
            side,
            planes,
            factors: planes::factors(&structure, side),
            kept_mcu_rows,
            halves,
            decoded: 0,
            progress: Progress::default(),
            picture: None,
            keeps: false,
            is_cut: false,
            next: 0,
            upsampled: Default::default(),
            structure,
        }
    }

    /// Makes rows hold the samples of three components unconverted, instead of RGB.
    pub(crate) fn leave_colours(&mut self) {
        self.coding = Coding::Rgb;
    }

    /// Decodes damaged scans as far as possible. `is_damaged` is whether the walk from marker to marker found damage.
    pub(crate) fn keep(&mut self, is_damaged: bool) {
        self.keeps = true;
        self.is_cut = is_damaged
            && self.structure.is_held()
            && coefficients::is_cut(&self.structure, self.side);
    }

    /// Returns whether the last row lacks detail because the file is damaged.
    pub(crate) fn is_coarse(&self) -> bool {
        let exact = self
            .picture
            .as_ref()
            .map_or(usize::MAX, |found| found.exact);
        self.is_cut || self.decoded > exact
    }

    /// Returns whether this decoder can decode a file: one with a DCT, in which the sampling factors of each component
    /// divide the largest ones.
    pub(crate) fn supports(structure: &Structure) -> bool {
        let (h, v) = structure.sampling();
        structure.process != Process::Lossless
            && structure
                .components
                .iter()
                .all(|c| h.is_multiple_of(c.horizontal) && v.is_multiple_of(c.vertical))
    }

    /// Memory in bytes for decoding by [`halves`], if that is possible.
    fn in_halves(structure: &Structure, reduction: usize, spare: bool) -> Option<u64> {
        let dc_only = reduction == idct::SIDE;
        halves::memory(structure).filter(|_| spare && dc_only)
    }

    /// The memory of a decoder in bytes, besides the file. The arguments are those of [`new`](Self::new).
    pub(crate) fn memory(structure: &Structure, reduction: usize, spare: bool) -> u64 {
        let (_, down) = structure.mcus();
        let kept_mcu_rows = Self::kept_mcu_rows(structure) as u64;
        let all = structure.coefficients() / (reduction * reduction) as u64;
        let halves = Self::in_halves(structure, reduction, spare).unwrap_or(0);
        let coefficients = if structure.is_held() {
            coefficients::memory(structure, idct::SIDE / reduction)
        } else {
            0
        };
        coefficients
            + all / (down as u64).max(1) * kept_mcu_rows
            + halves
            + 32 * u64::from(structure.width)
            + (1 << 18)
    }

    /// The number of rows of MCUs that are kept, unless [`halves`] decodes the picture.
    fn kept_mcu_rows(structure: &Structure) -> usize {
        let (_, down) = structure.mcus();
        if structure.streams() || structure.is_held() {
            down.min(2)
        } else {
            down
        }
    }

    /// Stores the next row: grey, RGB, or CMYK in which 255 means no ink; or unconverted samples after
    /// [`leave_colours`](Self::leave_colours). Fails if the data is damaged.
    pub(crate) fn next_row(&mut self, row: &mut [u8]) -> Result<(), &'static str> {
        let y = self.next;
        self.next += 1;
        for at in 0..self.planes.len() {
            let plane = &self.planes[at];
            let near = (y / plane.down).min(plane.rows - 1);
            // Chroma of half the height is blended from the nearer and the farther row of its samples. At the edges of
            // the picture, the farther row is missing, and the nearer one counts twice.
            let far = match (plane.down, y % plane.down) {
                (2, 0) => near.checked_sub(1),
                (2, _) => Some(near + 1).filter(|far| *far < plane.rows),
                _ => None,
            };
            let (across, last) = (plane.across, near.max(far.unwrap_or(0)));
            let blends = plane.down == 2;
            while self.decoded * self.planes[at].mcu_rows <= last {
                self.decode_mcus()?;
            }
            let plane = &self.planes[at];
            let mut out = std::mem::take(&mut self.upsampled[at]);
            let near_row = plane.row(near, self.kept_mcu_rows);
            let far_row = if blends {
                Some(far.map_or(near_row, |far| plane.row(far, self.kept_mcu_rows)))
            } else {
                None
            };
            colour::upsample(near_row, far_row, across, &mut out);
            self.upsampled[at] = out;
        }
        let [first, second, third, fourth] = &self.upsampled;
        match self.coding {
            Coding::Grey => row.copy_from_slice(&first[..row.len()]),
            Coding::YCbCr => colour::to_rgb(first, second, third, row),
            Coding::Rgb => {
                for (x, pixel) in row.as_chunks_mut().0.iter_mut().enumerate() {
                    *pixel = [first[x], second[x], third[x]];
                }
            }
            Coding::Cmyk => {
                for (x, pixel) in row.as_chunks_mut().0.iter_mut().enumerate() {
                    *pixel = [first[x], second[x], third[x], fourth[x]];
                }
            }
            Coding::Ycck => {
                let mut rgb = vec![0; row.len() / 4 * 3];
                colour::to_rgb(first, second, third, &mut rgb);
                let pixels = row.as_chunks_mut().0.iter_mut().zip(rgb.as_chunks().0);
                for ((pixel, &[c, m, y]), &k) in pixels.zip(fourth) {
                    // The conversion gives the complements of the inks (Adobe, Technical Note 5116).
                    *pixel = [255 - c, 255 - m, 255 - y, k];
                }
            }
        }
        Ok(())
    }

    /// Decodes the next row of MCUs; or the whole picture if its components are divided among several scans, or if
    /// [`halves`] decodes it.
    fn decode_mcus(&mut self) -> Result<(), &'static str> {
        let (_, down) = self.structure.mcus();
        if self.decoded >= down {
            return Err(DAMAGED);
        }
        if self.halves {
            self.decoded = down;
            return self.decode_dc();
        }
        if self.structure.is_held() {
            return self.transform_mcus();
        }
        let (first, last) = if self.structure.streams() {
            (self.decoded, self.decoded + 1)
        } else {
            (0, down)
        };
        for scan in &self.structure.scans {
            let run = Run {
                data: &self.file[scan.data.clone()],
                structure: &self.structure,
                scan,
                factors: &self.factors,
                side: self.side,
                kept_mcu_rows: self.kept_mcu_rows,
            };
            let progress = std::mem::take(&mut self.progress);
            let progress = run.decode(progress, first..last, &mut self.planes)?;
            if self.structure.streams() {
                self.progress = progress;
            }
        }
        self.decoded = last;
        Ok(())
    }

    /// Decodes all coefficients if they must come first and have not been decoded. Calls `go_on` before each scan, and
    /// fails if `go_on` returns `false`. If `prepare` is not called, the first row decodes the coefficients, which
    /// cannot be stopped.
    pub(crate) fn prepare(&mut self, go_on: &dyn Fn() -> bool) -> Result<(), &'static str> {
        if self.structure.is_held() && self.picture.is_none() {
            let file = std::mem::take(&mut self.file);
            let found = Picture::decode(&file, &self.structure, self.side, self.keeps, go_on)?;
            self.picture = Some(found);
        }
        Ok(())
    }

    /// Transforms the next row of MCUs from the coefficients of the picture, which the first call decodes unless
    /// [`prepare`](Self::prepare) has done so.
    fn transform_mcus(&mut self) -> Result<(), &'static str> {
        self.prepare(&|| true)?;
        let Some(picture) = &self.picture else {
            return Err(DAMAGED);
        };
        if self.decoded >= picture.decoded {
            return Err(DAMAGED);
        }
        let row = self.decoded;
        self.decoded += 1;
        let (side, kept_mcu_rows) = (self.side, self.kept_mcu_rows);
        let parts = picture.components.iter().zip(&self.factors);
        for ((held, factors), plane) in parts.zip(&mut self.planes) {
            let rows = plane.mcu_rows / side;
            for block_row in row * rows..(row + 1) * rows {
                let at = block_row * side % (plane.mcu_rows * kept_mcu_rows) * plane.stride;
                let (samples, stride) = (&mut plane.samples[at..], plane.stride);
                simd::run(
                    #[inline(always)]
                    || held.put(block_row, factors, side, samples, stride),
                );
            }
        }
        Ok(())
    }

    /// Decodes the DC coefficients of all blocks, which are the samples of a picture of one eighth of the size.
    fn decode_dc(&mut self) -> Result<(), &'static str> {
        let scan = &self.structure.scans[0];
        let data = &self.file[scan.data.clone()];
        let differences = halves::differences(data, &self.structure, scan)?;
        let mut differences = differences.into_iter();
        let mut predictions = [0i32; 4];
        let (across, down) = self.structure.mcus();
        for (y, x) in (0..down).flat_map(|y| (0..across).map(move |x| (y, x))) {
            for part in &scan.parts {
                let component = &self.structure.components[part.component];
                let (h, v) = (component.horizontal, component.vertical);
                let plane = &mut self.planes[part.component];
                let factor = self.factors[part.component][0];
                let dc = &mut predictions[part.component];
                for row in y * v..(y + 1) * v {
                    for column in x * h..(x + 1) * h {
                        *dc = dc.wrapping_add(differences.next().ok_or(DAMAGED)?.into());
                        let at = row * plane.stride + column;
                        idct::flat(*dc as f32 * factor, 1, &mut plane.samples, at, plane.stride);
                    }
                }
            }
        }
        Ok(())
    }
}

/// A scan that is being decoded.
struct Run<'a> {
    data: &'a [u8],
    structure: &'a Structure,
    scan: &'a Scan,
    factors: &'a [[f32; 64]],
    side: usize,
    kept_mcu_rows: usize,
}

impl Run<'_> {
    /// Decodes the given rows of MCUs, and returns the position after them.
    fn decode(
        &self,
        mut progress: Progress,
        rows: Range<usize>,
        planes: &mut [Plane],
    ) -> Result<Progress, &'static str> {
        simd::run(
            #[inline(always)]
            || self.decode_mcus(std::mem::take(&mut progress), rows.clone(), planes),
        )
    }

    /// The loop of [`decode`](Self::decode), compiled for the vector instructions of the machine.
    #[inline(always)]
    fn decode_mcus(
        &self,
        mut progress: Progress,
        rows: Range<usize>,
        planes: &mut [Plane],
    ) -> Result<Progress, &'static str> {
        let mut bits = Bits::resume(self.data, progress.bits);
        let end = idct::needed(self.side);
        // A scan of one component is not interleaved: its MCU is a single block (T.81, A.2.2).
        let alone = self.scan.parts.len() == 1;
        let (across, rows) = if alone {
            let component = &self.structure.components[self.scan.parts[0].component];
            let (across, down) = self.structure.mcus_alone(component);
            let own = component.vertical;
            (across, rows.start * own..(rows.end * own).min(down))
        } else {
            (self.structure.mcus().0, rows)
        };
        for y in rows {
            for x in 0..across {
                if self.scan.restart > 0 && progress.mcus == self.scan.restart {
                    if !bits.restart() {
                        return Err(DAMAGED);
                    }
                    // A restart marker resets the predictions, so that an error does not spread beyond it (T.81,
                    // F.1.1.5.1).
                    progress.predictions = [0; 4];
                    progress.mcus = 0;
                }
                progress.mcus += 1;
                for part in &self.scan.parts {
                    let component = &self.structure.components[part.component];
                    let (h, v) = if alone {
                        (1, 1)
                    } else {
                        (component.horizontal, component.vertical)
                    };
                    let plane = &mut planes[part.component];
                    let factors = &self.factors[part.component];
                    let prediction = &mut progress.predictions[part.component];
                    let kept_rows = plane.mcu_rows * self.kept_mcu_rows;
                    for block_y in y * v..(y + 1) * v {
                        for block_x in x * h..(x + 1) * h {
                            let row = block_y * self.side % kept_rows;
                            let at = row * plane.stride + block_x * self.side;
                            let (samples, stride) = (&mut plane.samples, plane.stride);
                            if self.side == 1 {
                                // Only the DC coefficient is used.
                                let difference = bits.block(&part.dc, &part.ac, 1, |_, _| {});
                                *prediction = prediction.wrapping_add(difference.ok_or(DAMAGED)?);
                                idct::flat(*prediction as f32 * factors[0], 1, samples, at, stride);
                                continue;
                            }
                            let mut block = [0.0; 64];
                            // A block whose AC coefficients are all zero has a single value, and needs no transform.
                            let mut flat = true;
                            let difference = bits
                                .block(&part.dc, &part.ac, end, |at, value| {
                                    block[index_of(at)] = value as f32 * factors[at];
                                    flat = false;
                                })
                                .ok_or(DAMAGED)?;
                            *prediction = prediction.wrapping_add(difference);
                            block[0] = *prediction as f32 * factors[0];
                            idct::put(&block, flat, self.side, samples, at, stride);
                        }
                    }
                }
            }
            if bits.overran() {
                return Err(DAMAGED);
            }
        }
        progress.bits = bits.position();
        Ok(progress)
    }
}
