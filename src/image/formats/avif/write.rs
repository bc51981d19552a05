//! Writes AVIF by rav1e: one picture of 8 bits. Does not use the slower settings, which take too long without the
//! encoder's assembler code.
//!
//! The settings were chosen by measuring photographs, in bytes at equal scores of ssimulacra2 and in processor time,
//! relative to the fastest preset with blocks of 16×16. Counting the bits that a block takes, instead of estimating
//! them, saves 8 % for a fifth more time. Intra angles in steps of 3° save 1.5 % for a quarter more time. Blocks of 8×8
//! besides 16×16 save 8 % for twice the time. Blocks of 32×32, a choice of transforms, the constrained directional
//! enhancement filter and 10 bits save less than they cost.

use crate::{
    hdr_colour::{Curve, HdrColour},
    pixels::{Layout, Rows, spread::spread, ycbcr},
    target::Extras,
};
use avif_serialize::{Aviffy, constants as boxes};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output, Quality},
};
use rav1e::prelude::{
    BlockSize::{self, BLOCK_8X8, BLOCK_16X16},
    ChromaSampling, ColorDescription, ColorPrimaries, Config, Context, EncoderConfig,
    EncoderStatus, Frame, MatrixCoefficients, PartitionRange, PixelRange, Plane,
    SceneDetectionSpeed, SpeedSettings, TransferCharacteristics,
};

/// Description of the quality levels for the manual.
pub(crate) const QUALITY: &str = "quantiser 157, 136 and 119 of 255 (60, 80 and 92 as numbers); only high keeps colour at full resolution (4:4:4). Each level takes twice as long as the one below it; high takes about 2 s a megapixel";

/// Largest width or height in pixels (AV1, 5.5.1: frame sizes have 16 bits).
pub(crate) const MAX_SIDE: u32 = 65_535;

/// Side in pixels of the smallest square that is worth a thread of its own.
const TILE: usize = 256;

/// Returns the peak memory of writing, in bytes.
pub(crate) fn memory(layout: Layout, quality: Quality, _: bool) -> u64 {
    // This covers the planes with their borders, their reconstructions, and the stacks of the threads. A picture of
    // noise took 26.1 bytes per pixel as 4:2:0, and 46.2 as 4:4:4; photographs took 12.4 and 19.
    let colours = if shares_chroma(layout, quality) {
        27
    } else {
        47
    };
    // With alpha, all pixels are in memory, and for each of them the distance from the nearest visible pixel.
    let alpha = match layout.channels.has_alpha() {
        true => 3 + layout.channels.count() as u64 + 1,
        false => 0,
    };
    // A border is 88 samples wide (rav1e), and sides are rounded up.
    let pixels = (u64::from(layout.width) + 192) * (u64::from(layout.height) + 192);
    (colours + alpha) * pixels + (16 << 20)
}

/// Returns whether four pixels share their chroma (4:2:0). This includes grey pictures, because every decoder reads
/// 4:2:0, and chroma planes with equal samples cost next to nothing.
fn shares_chroma(layout: Layout, quality: Quality) -> bool {
    layout.channels.is_grey() || quality.pick(true, true, false)
}

/// Returns the quantiser for a quality. The levels low, medium and high count as 60, 80 and 92. Other numbers are
/// interpolated between these, 0 (quantiser 255) and 100 (quantiser 20).
fn quantiser(quality: Quality, [low, medium, high]: [usize; 3]) -> usize {
    let Quality::Number(number) = quality else {
        return quality.pick(low, medium, high);
    };
    let number = usize::from(number);
    let between = |(from, at_from): (usize, usize), (to, at_to): (usize, usize)| {
        at_from - (at_from - at_to) * (number - from) / (to - from)
    };
    match number {
        0..60 => between((0, 255), (60, low)),
        60..80 => between((60, low), (80, medium)),
        80..92 => between((80, medium), (92, high)),
        _ => between((92, high), (100, 20)),
    }
}

/// Writes an AVIF. Colours of fully transparent pixels are replaced by those of their neighbours, because hard edges
/// cost bytes.
pub(crate) fn write(
    job: &Job<'_>,
    mut rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    if layout.channels.has_alpha() {
        let mut frame = rows.into_frame()?;
        spread(&mut frame);
        rows = Box::new(frame);
    }
    let mut row = vec![0; layout.row_bytes()];
    // The first row is read before anything is allocated: most files that lie about their size fail here.
    rows.next_row(&mut row)?;
    let shares_chroma = shares_chroma(layout, job.quality());
    let sampling = if shares_chroma {
        ChromaSampling::Cs420
    } else {
        ChromaSampling::Cs444
    };
    let quantizer = quantiser(job.quality(), [157, 136, 119]);
    let smallest = job.quality().pick(BLOCK_16X16, BLOCK_8X8, BLOCK_8X8);
    let space = Space::of(extras.hdr);
    let mut colours = context(job, layout, Some(space), sampling, quantizer, smallest)?;
    let alpha_context = |smallest| {
        let quantizer = quantiser(job.quality(), [147, 128, 80]);
        context(
            job,
            layout,
            None,
            ChromaSampling::Cs400,
            quantizer,
            smallest,
        )
    };
    let has_alpha = layout.channels.has_alpha();
    let alpha = has_alpha.then(|| alpha_context(smallest));
    let mut alpha = alpha.transpose()?.map(|context| {
        let frame = context.new_frame();
        (context, frame)
    });
    let mut colour_frame = colours.new_frame();

    // Numbers of pixels that equal their left neighbour, in luma and in alpha.
    let (mut plain, mut plain_alpha) = (0, 0);
    let mut chroma = Chroma::new(if shares_chroma { 2 } else { 1 }, layout);
    for y in 0..layout.height as usize {
        if y > 0 {
            rows.next_row(&mut row)?;
        }
        let pixels = row.chunks_exact(layout.channels.count());
        let [luma, blue, red] = &mut colour_frame.planes;
        for (sample, pixel) in line(luma, y).iter_mut().zip(pixels.clone()) {
            *sample = colour(pixel).map_or(pixel[0], ycbcr::luma);
        }
        plain += equal_neighbours(line(luma, y), layout);
        chroma.add(pixels.clone());
        if chroma.is_complete() {
            chroma.take(line(blue, y / chroma.step), line(red, y / chroma.step));
        }
        if let Some((_, frame)) = &mut alpha {
            for (sample, pixel) in line(&mut frame.planes[0], y).iter_mut().zip(pixels) {
                *sample = pixel[layout.channels.count() - 1];
            }
            plain_alpha += equal_neighbours(line(&mut frame.planes[0], y), layout);
        }
    }
    drop(rows);
    // Large blocks save time, and usually bytes as well. But in drawings and text, where many neighbouring pixels have
    // the same colour, large blocks cost more bytes than a higher quality would.
    let is_plain = |plain: u64| plain * 2 > layout.pixels() && smallest != BLOCK_8X8;
    if is_plain(plain) {
        colours = context(job, layout, Some(space), sampling, quantizer, BLOCK_8X8)?;
    }
    if let Some((context, _)) = alpha.as_mut().filter(|_| is_plain(plain_alpha)) {
        *context = alpha_context(BLOCK_8X8)?;
    }
    let colours = encoded(job, colours, colour_frame)?;
    let alpha = alpha
        .map(|(context, frame)| encoded(job, context, frame))
        .transpose()?;
    Aviffy::new()
        .set_color_primaries(space.primaries.1)
        .set_transfer_characteristics(space.transfer.1)
        .set_chroma_subsampling((shares_chroma, shares_chroma))
        // AV1, 6.4.1: profile 0 has 4:2:0, profile 1 has 4:4:4.
        .set_seq_profile(u8::from(!shares_chroma))
        .write(
            output,
            &colours,
            alpha.as_deref(),
            layout.width,
            layout.height,
            8,
        )
        .map_err(Error::unwritten)
}

/// The colour space, for the coded picture and for the box `colr` of the file (ISO/IEC 14496-12, 12.1.5), which must
/// agree. The matrix is always that of BT.601, whatever the primaries are.
#[derive(Clone, Copy)]
struct Space {
    primaries: (ColorPrimaries, boxes::ColorPrimaries),
    transfer: (TransferCharacteristics, boxes::TransferCharacteristics),
}

impl Space {
    /// The space of an HDR picture, or else sRGB. Primaries are unspecified unless rav1e and `avif-serialize` have
    /// names for them.
    fn of(hdr: Option<HdrColour>) -> Self {
        use {ColorPrimaries as Coded, boxes::ColorPrimaries as Boxed};
        let srgb = (Coded::BT709, Boxed::Bt709);
        let primaries = hdr.map_or(srgb, |hdr| match hdr.primaries {
            1 => srgb,
            6 => (Coded::BT601, Boxed::Bt601),
            9 => (Coded::BT2020, Boxed::Bt2020),
            11 => (Coded::SMPTE431, Boxed::DciP3),
            12 => (Coded::SMPTE432, Boxed::DisplayP3),
            _ => (Coded::Unspecified, Boxed::Unspecified),
        });
        use {TransferCharacteristics as Tones, boxes::TransferCharacteristics as BoxedTones};
        let transfer = match hdr.map(|hdr| hdr.curve) {
            None => (Tones::SRGB, BoxedTones::Srgb),
            Some(Curve::Pq) => (Tones::SMPTE2084, BoxedTones::Smpte2084),
            Some(Curve::Hlg) => (Tones::HLG, BoxedTones::Hlg),
        };
        Self {
            primaries,
            transfer,
        }
    }
}

/// Creates an encoder for one picture: colour in this space, or alpha if `space` is `None`.
fn context(
    job: &Job<'_>,
    layout: Layout,
    space: Option<Space>,
    chroma_sampling: ChromaSampling,
    quantizer: usize,
    smallest: BlockSize,
) -> Result<Context<u8>> {
    let threads = 1 + job.spare_threads;
    // The fastest preset, with the changes that the head of this file explains.
    let mut speed_settings = SpeedSettings::from_preset(10);
    speed_settings.multiref = false;
    speed_settings.rdo_lookahead_frames = 1;
    speed_settings.scene_detection_mode = SceneDetectionSpeed::None;
    speed_settings.lrf = false;
    speed_settings.cdef = false;
    speed_settings.motion.include_near_mvs = false;
    speed_settings.motion.use_satd_subpel = false;
    speed_settings.prediction.fine_directional_intra = job.quality().pick(false, false, true);
    speed_settings.transform.rdo_tx_decision = false;
    speed_settings.transform.reduced_tx_set = true;
    speed_settings.transform.enable_inter_tx_split = true;
    speed_settings.transform.tx_domain_rate = false;
    // With blocks of 8×8, searching the partition from the smallest blocks upwards takes less time than downwards from
    // the largest.
    speed_settings.partition.encode_bottomup = smallest == BLOCK_8X8;
    speed_settings.partition.partition_range = PartitionRange::new(smallest, BLOCK_16X16);
    let config = EncoderConfig {
        width: layout.width as usize,
        height: layout.height as usize,
        bit_depth: 8,
        chroma_sampling,
        pixel_range: PixelRange::Full,
        color_description: space.map(|space| ColorDescription {
            color_primaries: space.primaries.0,
            transfer_characteristics: space.transfer.0,
            matrix_coefficients: MatrixCoefficients::BT601,
        }),
        still_picture: true,
        quantizer,
        min_quantizer: quantizer as u8,
        tiles: threads.min(layout.pixels() as usize / (TILE * TILE)),
        speed_settings,
        ..EncoderConfig::default()
    };
    Config::new()
        .with_encoder_config(config)
        .with_threads(threads)
        .new_context()
        .map_err(failed)
}

/// Encodes a frame, and returns the AV1 bitstream.
fn encoded(job: &Job<'_>, mut context: Context<u8>, frame: Frame<u8>) -> Result<Vec<u8>> {
    job.check()?;
    context.send_frame(frame).map_err(failed)?;
    context.flush();
    let mut stream = Vec::new();
    loop {
        match context.receive_packet() {
            Ok(packet) => stream.extend(packet.data),
            Err(EncoderStatus::Encoded) => {}
            Err(EncoderStatus::LimitReached) => return Ok(stream),
            Err(err) => return Err(failed(err)),
        }
    }
}

fn failed(err: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::internal("the AVIF could not be made", err)
}

/// Number of samples of a row that equal their left neighbour.
fn equal_neighbours(row: &[u8], layout: Layout) -> u64 {
    let row = &row[..layout.width as usize];
    row.windows(2).filter(|two| two[0] == two[1]).count() as u64
}

/// The samples of a plane from row `y` on.
fn line(plane: &mut Plane<u8>, y: usize) -> &mut [u8] {
    let start = y * plane.cfg.stride;
    &mut plane.data_origin_mut()[start..]
}

/// The colour of a pixel; `None` for grey.
fn colour(pixel: &[u8]) -> Option<[u8; 3]> {
    pixel.first_chunk().copied()
}

/// Averages chroma over squares of pixels, row by row.
struct Chroma {
    /// Side of a square.
    step: usize,
    width: usize,
    /// Number of rows that have not been added.
    left: usize,
    /// Number of rows in the current squares.
    rows: usize,
    /// Sums of blue and red chroma of each square.
    sums: Vec<[i32; 2]>,
}

impl Chroma {
    fn new(step: usize, layout: Layout) -> Self {
        let width = layout.width as usize;
        Self {
            step,
            width,
            left: layout.height as usize,
            rows: 0,
            sums: vec![[0; 2]; width.div_ceil(step)],
        }
    }

    /// Adds a row of pixels.
    fn add<'a>(&mut self, mut pixels: impl Iterator<Item = &'a [u8]>) {
        for sum in &mut self.sums {
            for pixel in pixels.by_ref().take(self.step) {
                let Some(colour) = colour(pixel) else {
                    continue;
                };
                let [blue, red] = ycbcr::chroma(colour.map(i32::from));
                *sum = [sum[0] + blue, sum[1] + red];
            }
        }
        self.left -= 1;
        self.rows += 1;
    }

    /// Returns whether the squares are full, or the picture ends.
    fn is_complete(&self) -> bool {
        self.rows == self.step || self.left == 0
    }

    /// Stores the averages, and starts the next squares.
    fn take(&mut self, blue: &mut [u8], red: &mut [u8]) {
        for (at, sum) in self.sums.iter_mut().enumerate() {
            let columns = self.step.min(self.width - at * self.step);
            let unit = (columns * self.rows) as i32 * 65_536;
            // The mean can be rounded up to 128, which would give 256, so the sum is limited to 255.
            [blue[at], red[at]] =
                sum.map(|sum| (((sum + unit / 2).div_euclid(unit)) + 128).min(255) as u8);
            *sum = [0; 2];
        }
        self.rows = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{Channels, Depth};

    #[test]
    fn chroma_is_the_mean_of_existing_pixels() {
        let layout = Layout {
            width: 3,
            height: 3,
            channels: Channels::Rgb,
            depth: Depth::Eight,
        };
        let [red, blue, grey] = [[255, 0, 0], [0, 0, 255], [90, 90, 90]];
        let rows = [[red, blue, grey], [red, blue, red], [grey, grey, blue]];
        let mut chroma = Chroma::new(2, layout);
        let mut found = Vec::new();
        for row in rows {
            chroma.add(row.as_flattened().chunks_exact(3));
            if chroma.is_complete() {
                let (mut blues, mut reds) = ([0; 2], [0; 2]);
                chroma.take(&mut blues, &mut reds);
                found.push((blues, reds));
            }
        }
        // As blue and red chroma, pure red is 85 and 255.5, and pure blue 255.5 and 107. Only their average is rounded.
        assert_eq!(found, [([170, 106], [181, 192]), ([128, 255], [128, 107])]);
    }
}
