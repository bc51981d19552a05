//! Baseline JPEG (ITU-T T.81, JFIF 1.02), row by row. Never writes transparency: that is laid over a background before.

mod band;
mod entropy;
mod fdct;
mod tables;

use super::{Extras, each_row, unwritable};
use crate::{
    convert::{
        Job, Notes, Output,
        image::{jpeg::place, layout::Layout, rows::Rows, simd},
    },
    error::Result,
};
use band::Band;
use entropy::{Bits, Words};
use tables::Code;

pub(super) const QUALITY: &str = "60, 82 and 92 on the usual scale; high also keeps colour at full resolution (4:4:4 instead of 4:2:0)";

/// Most bytes of what a segment holds, beside its length.
const SEGMENT: usize = 65_533;

const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const ICC: &[u8] = b"ICC_PROFILE\0";

/// Most bytes of EXIF, and of XMP: a segment, without what tells the one from the other.
pub(super) const MOST_METADATA: usize = SEGMENT - XMP.len();

pub(super) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let quality = job.quality.pick(60, 82, 92);
    let steps = [tables::LUMA, tables::CHROMA].map(|table| steps(&table, quality));
    let mut band = Band::new(layout, job.quality.pick(true, true, false));
    let mut scan = Scan::new(&steps);
    scan.bits.bytes = head(layout, &band, &steps, extras);
    each_row(job, rows, |row| {
        band.add(row);
        if band.is_full() {
            scan.add(&band);
            band.clear();
            output.write_all(&scan.bits.bytes).map_err(unwritable)?;
            scan.bits.bytes.clear();
        }
        Ok(())
    })?;
    if !band.is_empty() {
        band.fill();
        scan.add(&band);
    }
    scan.bits.finish();
    scan.bits.bytes.extend([0xff, 0xd9]);
    output.write_all(&scan.bits.bytes).map_err(unwritable)
}

/// Steps of quantisation in zigzag order, at a quality of the scale that began with the Independent JPEG Group.
fn steps(table: &[u8; 64], quality: u32) -> [u8; 64] {
    let percent = match quality {
        0..50 => 5_000 / quality.max(1),
        _ => 200 - 2 * quality.min(100),
    };
    std::array::from_fn(|at| {
        let place = place(at);
        let step = u32::from(table[place % 8 * 8 + place / 8]);
        ((step * percent + 50) / 100).clamp(1, 255) as u8
    })
}

/// Blocks of all planes, in turn.
struct Scan {
    bits: Bits,
    /// For luma, and for chroma.
    factors: [[f32; 64]; 2],
    words: [[Words; 2]; 2],
    /// The last mean of each plane.
    means: [i16; 3],
}

impl Scan {
    fn new(steps: &[[u8; 64]; 2]) -> Self {
        Self {
            bits: Bits::new(),
            factors: [0, 1].map(|at| fdct::factors(&steps[at])),
            words: [0, 1].map(|at| [&tables::DC[at], &tables::AC[at]].map(Words::of)),
            means: [0; 3],
        }
    }

    fn add(&mut self, band: &Band) {
        simd::run(
            #[inline(always)]
            || self.add_blocks(band),
        );
    }

    #[inline(always)]
    fn add_blocks(&mut self, band: &Band) {
        let units = band.planes[0].stride / band.height();
        for unit in 0..units {
            for (at, plane) in band.planes.iter().enumerate() {
                let kind = at.min(1);
                let side = plane.stride / units;
                for (y, x) in (0..side)
                    .step_by(8)
                    .flat_map(|y| (0..side).step_by(8).map(move |x| (y, x)))
                {
                    let start = y * plane.stride + unit * side + x;
                    let factors = &self.factors[kind];
                    let block = fdct::transform(&plane.samples, start, plane.stride, factors);
                    self.bits.block(&block, self.means[at], &self.words[kind]);
                    self.means[at] = block[0];
                }
            }
        }
    }
}

/// All segments before the data.
fn head(layout: Layout, band: &Band, steps: &[[u8; 64]; 2], extras: Extras) -> Vec<u8> {
    let mut head = vec![0xff, 0xd8];
    // Version 1.02, no density but square pixels, no thumbnail.
    segment(&mut head, 0xe0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0");
    for (prefix, data) in [(EXIF, extras.metadata.exif), (XMP, extras.metadata.xmp)] {
        if let Some(data) = data {
            segment(&mut head, 0xe1, &[prefix, &data].concat());
        }
    }
    // In parts, which are counted from 1 and know how many they are (ICC.1, B.4).
    let profile = extras.icc.unwrap_or_default();
    let parts = profile.chunks(SEGMENT - ICC.len() - 2);
    let count = parts.len();
    for (number, part) in (1..=255).zip(parts) {
        segment(
            &mut head,
            0xe2,
            &[ICC, &[number, count as u8], part].concat(),
        );
    }
    let kinds = band.planes.len().min(2);
    for (kind, steps) in (0..).zip(&steps[..kinds]) {
        segment(&mut head, 0xdb, &[&[kind][..], steps].concat());
    }
    let [height, width] = [layout.height, layout.width].map(|side| (side as u16).to_be_bytes());
    let count = band.planes.len() as u8;
    let mut frame = [&[8], &height[..], &width, &[count]].concat();
    let mut scan = vec![count];
    for plane in 0..count {
        let sampling = if plane == 0 && band.halves_colour {
            0x22
        } else {
            0x11
        };
        let kind = plane.min(1);
        frame.extend([plane + 1, sampling, kind]);
        scan.extend([plane + 1, kind << 4 | kind]);
    }
    segment(&mut head, 0xc0, &frame);
    for (kind, tables) in (0..).zip(tables::DC.iter().zip(&tables::AC).take(kinds)) {
        for (class, code) in [(0, tables.0), (0x10, tables.1)] {
            let Code { counts, symbols } = code;
            segment(
                &mut head,
                0xc4,
                &[&[class | kind], &counts[..], symbols].concat(),
            );
        }
    }
    // All coefficients, with all their bits.
    scan.extend([0, 63, 0]);
    segment(&mut head, 0xda, &scan);
    head
}

/// Appends a marker and its data, of at most [`SEGMENT`] bytes.
fn segment(head: &mut Vec<u8>, marker: u8, data: &[u8]) {
    head.extend([0xff, marker]);
    head.extend((data.len() as u16 + 2).to_be_bytes());
    head.extend(data);
}
