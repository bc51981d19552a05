//! The quantised coefficients of a JPEG, as the frame of a JPEG XL file contains them (ISO/IEC 18181-1, annexes C, G
//! and I). Rejects frames that were not made from a JPEG.
//!
//! The frame has three channels, in the order Cb, Y, Cr, or R, G, B. It is coded in groups of 256 × 256 samples, which
//! hold all coefficients except DC; the DC coefficients are a picture of their own. Blocks are transposed. If all
//! components have the same number of samples, the encoder predicted chroma from luma (C.4.5), in integers; this module
//! undoes the prediction.

use super::{
    Lost, Result,
    data::{Component, Data},
};
use crate::formats::jpeg::zigzag::index_of;
use jxl_frame::{
    Frame, FrameHeader,
    data::{HfGlobal, LfGlobalVarDct, LfGroup, PassGroupParams, PassGroupParamsVardct},
    header::Encoding,
};
use jxl_oxide::{AlignedGrid, JxlImage, JxlThreadPool};

/// A block of coefficients in zigzag order.
pub(super) type Block = [i16; 64];

/// Content of the JPEG's frame.
pub(super) struct Picture {
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) components: Vec<Plane>,
}

/// A component of the JPEG.
pub(super) struct Plane {
    /// Horizontal sampling factor.
    pub(super) horizontal: usize,
    /// Vertical sampling factor.
    pub(super) vertical: usize,
    /// Quantisation steps in zigzag order.
    pub(super) steps: [u16; 64],
    /// Number of blocks in a row, including the padding of the last MCU.
    pub(super) across: usize,
    /// Blocks from left to right, then from top to bottom.
    pub(super) blocks: Vec<Block>,
}

impl Picture {
    /// The largest sampling factors, horizontal and vertical.
    pub(super) fn sampling(&self) -> (usize, usize) {
        let most = |of: fn(&Plane) -> usize| self.components.iter().map(of).max().unwrap_or(1);
        (most(|plane| plane.horizontal), most(|plane| plane.vertical))
    }

    /// MCUs across and down in a scan of all components.
    pub(super) fn mcus(&self) -> (usize, usize) {
        let (h, v) = self.sampling();
        (
            usize::from(self.width).div_ceil(8 * h),
            usize::from(self.height).div_ceil(8 * v),
        )
    }

    /// The number of blocks with samples of a component, across and down: those of a scan without other components
    /// (A.2.2).
    pub(super) fn blocks_alone(&self, plane: &Plane) -> (usize, usize) {
        let (h, v) = self.sampling();
        (
            (usize::from(self.width) * plane.horizontal).div_ceil(8 * h),
            (usize::from(self.height) * plane.vertical).div_ceil(8 * v),
        )
    }

    /// Reads the quantised coefficients from the decoder. Fails for any picture that was not made from a JPEG.
    pub(super) fn read(image: &JxlImage, data: &Data) -> Result<Self> {
        let frame = image.frame(0).ok_or(Lost)?;
        let header = frame.header();
        let is_plain = header.encoding == Encoding::VarDct
            && header.frame_type.is_normal_frame()
            && header.upsampling == 1
            && header.flags.skip_adaptive_lf_smoothing()
            && !header.flags.use_lf_frame()
            && !image.image_header().metadata.xyb_encoded;
        let size = &image.image_header().size;
        if !is_plain || (header.width, header.height) != (size.width, size.height) {
            return Err(Lost);
        }
        let reading = Reading::new(frame, image.pool())?;
        let mut picture = Self {
            width: u16::try_from(header.width).map_err(|_| Lost)?,
            height: u16::try_from(header.height).map_err(|_| Lost)?,
            components: Vec::new(),
        };
        let channels = channels(data, header)?;
        for &channel in channels {
            let (horizontal, vertical) = factors(header, channel);
            let quantisation = reading.steps(channel)?;
            picture.components.push(Plane {
                horizontal,
                vertical,
                steps: std::array::from_fn(|at| quantisation[index_of(at)] as u16),
                across: 0,
                blocks: Vec::new(),
            });
        }
        // A channel without a component, such as the chroma of a grey picture, does not count for the sampling.
        let (across, down) = picture.mcus();
        for plane in &mut picture.components {
            plane.across = across * plane.horizontal;
            let count = plane.across * down * plane.vertical;
            plane.blocks = vec![[0; 64]; count];
        }
        // Chroma was predicted from luma only if all channels have the same sampling.
        let predicts = (0..3).all(|channel| factors(header, channel) == factors(header, 1));
        for group in 0..header.num_groups() {
            reading.read(group, predicts, channels, &mut picture)?;
        }
        Ok(picture)
    }
}

/// The channel of each component. Fails if the JPEG has another number of components than the colours of the frame
/// need.
fn channels(data: &Data, header: &FrameHeader) -> Result<&'static [usize]> {
    let has_names = |components: &[Component]| components.len() == 3;
    match (data.is_grey, header.do_ycbcr) {
        (true, _) if data.components.len() == 1 => Ok(&[1]),
        (false, true) if has_names(&data.components) => Ok(&[1, 0, 2]),
        (false, false) if has_names(&data.components) => Ok(&[0, 1, 2]),
        _ => Err(Lost),
    }
}

/// The sampling factors of a channel. `jpeg_upsampling` states in which directions the factor is 2 instead of 1
/// (ISO/IEC 18181-1, F.2).
fn factors(header: &FrameHeader, channel: usize) -> (usize, usize) {
    match header.jpeg_upsampling[channel] {
        1 => (2, 2),
        2 => (2, 1),
        3 => (1, 2),
        _ => (1, 1),
    }
}

/// For each channel of the frame, its index in the picture of DC coefficients, whose first channel is luma.
const LUMA_FIRST: [usize; 3] = [1, 0, 2];

/// State that all groups of a frame share: the parsed parts of the frame.
struct Reading<'a> {
    frame: &'a Frame,
    header: &'a FrameHeader,
    pool: &'a JxlThreadPool,
    global: jxl_frame::data::LfGlobal<i16>,
    /// Quantisation tables and entropy codes of coefficients other than DC.
    high: HfGlobal,
    /// Groups of 2048 × 2048 samples, with the DC coefficients and the factors of the prediction.
    low: Vec<LfGroup<i16>>,
}

impl<'a> Reading<'a> {
    fn new(frame: &'a Frame, pool: &'a JxlThreadPool) -> Result<Self> {
        let global = complete(frame.try_parse_lf_global::<i16>())?;
        let high = complete(frame.try_parse_hf_global(Some(&global)))?;
        let mut low = Vec::new();
        for group in 0..frame.header().num_lf_groups() {
            let config = global.gmodular.ma_config();
            let group = frame.try_parse_lf_group(global.vardct.as_ref(), config, None, group);
            low.push(complete(group)?);
        }
        Ok(Self {
            frame,
            header: frame.header(),
            pool,
            global,
            high,
            low,
        })
    }

    fn vardct(&self) -> Result<&LfGlobalVarDct> {
        self.global.vardct.as_ref().ok_or(Lost)
    }

    /// The quantisation steps of a channel, transposed.
    fn steps(&self, channel: usize) -> Result<&[i32]> {
        let steps = self.high.dequant_matrices.jpeg_quant_values(channel);
        steps.filter(|steps| steps.len() == 64).ok_or(Lost)
    }

    /// Reads the coefficients of a group into the components.
    fn read(
        &self,
        group: u32,
        predicts: bool,
        channels: &[usize],
        picture: &mut Picture,
    ) -> Result<()> {
        let header = self.header;
        let most = (0..3).map(|channel| factors(header, channel));
        let (h, v) = most.fold((1, 1), |(h, v), (x, y)| (h.max(x), v.max(y)));
        let (width, height) = header.group_size_for(group);
        let (mcus, rows) = (
            width.div_ceil(8 * h as u32) as usize,
            height.div_ceil(8 * v as u32) as usize,
        );
        let mut grids = Vec::new();
        for channel in 0..3 {
            let (x, y) = factors(header, channel);
            let grid = AlignedGrid::<i32>::with_alloc_tracker(mcus * x * 8, rows * y * 8, None);
            grids.push(grid.map_err(|_| Lost)?);
        }
        let mut grids = <[_; 3]>::try_from(grids).map_err(|_| Lost)?;
        let low = self
            .low
            .get(header.lf_group_idx_from_group_idx(group) as usize)
            .ok_or(Lost)?;
        self.decode(group, low, &mut grids)?;
        let per_row = header.groups_per_row();
        let position = [group % per_row, group / per_row].map(|at| at as usize);
        if predicts && channels.len() == 3 {
            self.predict(position, low, &mut grids)?;
        }
        let side = header.group_dim() as usize / 8;
        let lows = low.lf_coeff.as_ref().and_then(|low| low.lf_quant.image());
        let lows = lows.ok_or(Lost)?.image_channels();
        for (plane, &channel) in picture.components.iter_mut().zip(channels) {
            let grid = &grids[channel];
            let low = lows.get(LUMA_FIRST[channel]).ok_or(Lost)?;
            let offset = match header.do_ycbcr {
                true => 0,
                // JPEG subtracts 128 from samples, and JPEG XL does not. So the DC coefficients of RGB are larger by
                // 1024 (eight times 128), divided by the quantisation step.
                false => 1024 / self.steps(channel)?[0].max(1),
            };
            let (x, y) = factors(header, channel);
            let [left, top] = [position[0] * side * x / h, position[1] * side * y / v];
            let down = plane.blocks.len() / plane.across;
            for row in 0..(grid.height() / 8).min(down.saturating_sub(top)) {
                for column in 0..(grid.width() / 8).min(plane.across.saturating_sub(left)) {
                    let at = (top + row) * plane.across + left + column;
                    let block = &mut plane.blocks[at];
                    copy(grid, column, row, block);
                    // DC coefficients are stored separately for each square of 8 × 8 groups.
                    let wraps = |at: usize, side: usize| at % side;
                    let (column, row) = (
                        wraps(left + column, 8 * side * x / h),
                        wraps(top + row, 8 * side * y / v),
                    );
                    let dc = *low.try_get_ref(column, row).ok_or(Lost)?;
                    block[0] = (i32::from(dc) - offset).clamp(-2047, 2047) as i16;
                }
            }
        }
        Ok(())
    }

    /// Decodes the coefficients of a group, except DC, into the grids.
    fn decode(
        &self,
        group: u32,
        low: &LfGroup<i16>,
        grids: &mut [AlignedGrid<i32>; 3],
    ) -> Result<()> {
        let mut output = grids.each_mut().map(|grid| grid.as_subgrid_mut());
        for pass in 0..self.header.passes.num_passes {
            let found = complete(self.frame.pass_group_bitstream(pass, group))?;
            if found.partial {
                return Err(Lost);
            }
            let mut bitstream = found.bitstream;
            let params = PassGroupParams {
                frame_header: self.header,
                lf_group: low,
                pass_idx: pass,
                group_idx: group,
                global_ma_config: self.global.gmodular.ma_config(),
                modular: None,
                vardct: Some(PassGroupParamsVardct {
                    lf_vardct: self.vardct()?,
                    hf_global: &self.high,
                    hf_coeff_output: &mut output,
                }),
                allow_partial: false,
                tracker: None,
                pool: self.pool,
            };
            jxl_frame::data::decode_pass_group(&mut bitstream, params).map_err(|_| Lost)?;
        }
        Ok(())
    }

    /// Adds the prediction from luma to the coefficients of chroma, in fixed point with 11 bits, as libjxl does.
    fn predict(
        &self,
        position: [usize; 2],
        low: &LfGroup<i16>,
        grids: &mut [AlignedGrid<i32>; 3],
    ) -> Result<()> {
        /// Half of the unit in fixed point, for rounding.
        const ROUND: i64 = 1 << 10;
        /// Denominator of the factors in the file (ISO/IEC 18181-1, C.4.5).
        const UNIT: i64 = 84;
        let correlation = &self.vardct()?.lf_chan_corr;
        if i64::from(correlation.colour_factor) != UNIT
            || correlation.base_correlation_x != 0.0
            || correlation.base_correlation_b != 0.0
        {
            return Err(Lost);
        }
        let meta = low.hf_meta.as_ref().ok_or(Lost)?;
        let luma_steps = self.steps(1)?;
        // A factor applies to a tile of 64 × 64 samples.
        let tiles = self.header.group_dim() as usize / 64;
        let [cb, y, cr] = grids;
        for (channel, grid, factors) in [(0, cb, &meta.x_from_y), (2, cr, &meta.b_from_y)] {
            let steps = self.steps(channel)?;
            let ratios: Vec<i64> = luma_steps
                .iter()
                .zip(steps)
                .map(|(luma, own)| (i64::from(*luma) << 11) / i64::from(*own).max(1))
                .collect();
            for row in 0..grid.height() {
                for column in 0..grid.width() {
                    let tile = [column, row].map(|at| at / 64);
                    let at = |axis: usize| position[axis] % 8 * tiles + tile[axis];
                    let factor = *factors.try_get_ref(at(0), at(1)).ok_or(Lost)?;
                    let factor = i64::from(factor) * (1 << 11) / UNIT;
                    let scale = (ratios[row % 8 + 8 * (column % 8)] * factor + ROUND) >> 11;
                    let luma = i64::from(*y.try_get_ref(column, row).ok_or(Lost)?);
                    let predicted = (luma * scale + ROUND) >> 11;
                    if let Some(own) = grid.try_get_mut(column, row) {
                        *own = own.wrapping_add(predicted as i32);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Copies the coefficients of a block, except DC, from a grid to zigzag order. The grid holds blocks transposed.
fn copy(grid: &AlignedGrid<i32>, column: usize, row: usize, block: &mut Block) {
    for (at, value) in block.iter_mut().enumerate().skip(1) {
        let (x, y) = (index_of(at) / 8, index_of(at) % 8);
        if let Some(found) = grid.try_get_ref(column * 8 + x, row * 8 + y) {
            *value = *found as i16;
        }
    }
}

/// A part of a frame, if it is complete and valid.
fn complete<T, E>(parsed: Option<std::result::Result<T, E>>) -> Result<T> {
    parsed.and_then(std::result::Result::ok).ok_or(Lost)
}
