//! Makes rows of pixels from a tree of images. A grid is decoded one row of tiles at a time. A single coded image is
//! decoded as a whole, and its samples are converted row by row. The canvas of an overlay is held in memory as a whole.

use super::{
    codec::{self, Codec},
    items::Extents,
    layers::lay_over,
    planes::{Converter, Planes},
    rows::{CroppedRows, Decoded, Transparent},
    tree::{Base, Layers, Leaf, Picture, Tiles},
};
use crate::{
    pixels::{
        Channels, Depth, Layout, alpha,
        convert::convert,
        orient,
        resize::{Bounds, Fit, Resize},
        rows::{Frame, Rows},
    },
    source::lost,
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::{
    io::{Read, SeekFrom},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// Largest number of threads that decode tiles.
const MAX_THREADS: usize = 8;

/// The file with the coded data, which several threads read.
#[derive(Clone)]
pub(crate) struct File<'a> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) codec: &'static Codec,
    pub(crate) input: Arc<Mutex<&'a mut dyn Input>>,
}

/// Number of threads that decode a row of `tiles` tiles.
fn threads(job: &Job<'_>, tiles: usize) -> usize {
    (1 + job.spare_threads).min(tiles).clamp(1, MAX_THREADS)
}

/// The resizing of an alpha image to the size of its image, if their sizes differ.
fn fitting(alpha: &Picture, picture: &Picture) -> Option<Resize> {
    let bounds = Bounds {
        width: Some(picture.width),
        height: Some(picture.height),
        fit: Fit::Fill,
    };
    Resize::of(bounds, alpha.width, alpha.height)
}

/// Peak memory of an image's rows in bytes.
pub(crate) fn memory(job: &Job<'_>, codec: &Codec, picture: &Picture) -> u64 {
    let layout = picture.base_layout();
    let base = match &picture.base {
        Base::Coded(leaf) => {
            let pixels = codec::coded_pixels(picture.width, picture.height);
            let data = leaf.data_len(job.input_len);
            (codec.memory)(leaf.shape, pixels, data) + 32 * u64::from(picture.width)
        }
        Base::Tiles(tiles) => {
            let largest = tiles
                .pictures
                .iter()
                .map(|tile| rendering(job, codec, tile))
                .max();
            // The memory of a row of tiles, and the working memory of each thread.
            let tile = layout.sized(tiles.width, tiles.height);
            let threads = threads(job, tiles.columns) as u64;
            tiles.columns as u64 * tile.bytes() + threads * largest.unwrap_or(0)
        }
        Base::Layers(layers) => {
            let pictures = layers.pictures.iter();
            // The memory of the canvas, and of the largest layer as decoded and as converted.
            let largest = pictures.map(|(_, layer)| {
                let canvas = layer.layout().with(Channels::Rgba, layout.depth);
                rendering(job, codec, layer) + 2 * canvas.bytes()
            });
            layout.with(Channels::Rgba, layout.depth).bytes() + largest.max().unwrap_or(0)
        }
    };
    let alpha = picture.alpha.as_ref().map_or(0, |alpha| {
        let resizing = fitting(alpha, picture);
        memory(job, codec, alpha) + resizing.map_or(0, |resize| resize.memory(alpha.base_layout()))
    });
    base + alpha + 4 * layout.row_bytes() as u64
}

/// Memory for decoding a whole image, in bytes. Rotation and mirroring need two more copies of the pixels.
fn rendering(job: &Job<'_>, codec: &Codec, picture: &Picture) -> u64 {
    let turning = match picture.placement.orientation() {
        Orientation::NoTransforms => 0,
        _ => 2 * picture.layout().bytes(),
    };
    memory(job, codec, picture) + turning
}

/// Combines the rows of a picture with those of its alpha image.
pub(super) fn transparent<'a>(
    picture: &Picture,
    rows: Box<dyn Rows + 'a>,
    alpha: &Picture,
    mut alphas: Box<dyn Rows + 'a>,
) -> Box<dyn Rows + 'a> {
    let layout = picture.base_layout();
    if let Some(resize) = fitting(alpha, picture) {
        alphas = resize.apply(alphas);
    }
    let colours = convert(rows, layout.channels.without_alpha(), layout.depth, [0; 3]);
    let rows = Box::new(Transparent {
        layout,
        colour: vec![0; colours.layout().row_bytes()],
        colours,
        alpha: vec![0; layout.width as usize * layout.depth.bytes()],
        alphas: convert(alphas, Channels::Grey, layout.depth, [0; 3]),
    });
    if picture.premultiplied {
        return alpha::straight(rows);
    }
    rows
}

impl<'a> File<'a> {
    /// The rows of a picture after cropping, before rotation.
    pub(crate) fn rows(&self, picture: &Picture) -> Result<Box<dyn Rows + 'a>> {
        let mut rows: Box<dyn Rows + 'a> = match &picture.base {
            Base::Coded(leaf) => self.coded(leaf, picture)?,
            Base::Tiles(tiles) => Box::new(Grid {
                file: self.clone(),
                layout: self.without_own_alpha(picture),
                tiles: tiles.clone(),
                band: Vec::new(),
                next: 0,
            }),
            Base::Layers(layers) => self.overlay(layers, picture)?,
        };
        let layout = picture.base_layout();
        if let Some(alpha) = &picture.alpha {
            rows = transparent(picture, rows, alpha, self.rows(alpha)?);
        }
        if !picture.placement.is_whole(picture.width, picture.height) {
            let placement = picture.placement;
            rows = Box::new(CroppedRows {
                layout: picture.layout(),
                row: vec![0; layout.row_bytes()],
                left: placement.left as usize * layout.pixel_bytes(),
                above: placement.top,
                rows,
            });
        }
        Ok(rows)
    }

    /// Decodes a whole picture for display: cropped and upright.
    fn frame(&self, picture: &Picture, channels: Channels, depth: Depth) -> Result<Frame> {
        let rows = convert(self.rows(picture)?, channels, depth, [0; 3]);
        Ok(orient::apply(
            rows.into_frame()?,
            picture.placement.orientation(),
        ))
    }

    /// The layout of a picture's rows before its own alpha image is added.
    fn without_own_alpha(&self, picture: &Picture) -> Layout {
        let layout = picture.base_layout();
        match picture.alpha {
            Some(_) => layout.with(layout.channels.without_alpha(), layout.depth),
            None => layout,
        }
    }

    /// Decodes a coded image.
    fn coded(&self, leaf: &Leaf, picture: &Picture) -> Result<Box<dyn Rows + 'a>> {
        self.job.check()?;
        let data = self.data(&leaf.extents)?;
        let coded = leaf.coded(picture, self.job.spare_threads);
        let planes = (self.codec.decode)(self.job, &coded, data)?;
        self.decoded(planes, leaf, picture)
    }

    /// The rows of a coded image that has been decoded. Fails if the decoder returns fewer samples than the item
    /// states, or chroma for an image that is grey by its item.
    pub(super) fn decoded(
        &self,
        planes: Box<dyn Planes>,
        leaf: &Leaf,
        picture: &Picture,
    ) -> Result<Box<dyn Rows + 'a>> {
        let job = self.job;
        let sampling = planes.sampling();
        let (width, height) = (picture.width as usize, picture.height as usize);
        if sampling.width < width || sampling.height < height {
            return Err(job.unreadable("its picture does not have the size that its header states"));
        }
        let layout = self.without_own_alpha(picture);
        if layout.channels.is_grey() && sampling.halved.is_some() && !leaf.is_alpha {
            return Err(job.unreadable("its picture does not match its item properties"));
        }
        Ok(Box::new(Decoded {
            job,
            layout,
            planes,
            converter: Converter::default(),
            code: leaf.code,
            alpha: leaf.is_alpha.then_some(self.codec.has_ranged_alpha),
            next: 0,
        }))
    }

    /// The coded data of an image.
    pub(super) fn data(&self, extents: &Extents) -> Result<Vec<u8>> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let mut data = Vec::new();
        for &(at, len) in extents {
            let left = self.job.input_len.saturating_sub(data.len() as u64);
            let wanted = if len == 0 { left } else { len.min(left) };
            let read = input
                .seek(SeekFrom::Start(at))
                .and_then(|_| (&mut **input).take(wanted).read_to_end(&mut data))
                .map_err(lost)?;
            if (read as u64) < len {
                return Err(self.job.unreadable("it ends before the picture does"));
            }
        }
        Ok(data)
    }

    /// Composes an overlay (ISO/IEC 23008-12, 6.6.2.2): a canvas of one colour, and pictures at offsets, which may be
    /// negative.
    fn overlay(&self, layers: &Layers, picture: &Picture) -> Result<Box<dyn Rows + 'a>> {
        let layout = self.without_own_alpha(picture);
        let mut canvas = Frame::new(layout.with(Channels::Rgba, layout.depth));
        let fill: Vec<u8> = match layout.depth {
            Depth::Eight => layers
                .fill
                .iter()
                .map(|sample| (sample >> 8) as u8)
                .collect(),
            _ => layers
                .fill
                .iter()
                .flat_map(|sample| sample.to_ne_bytes())
                .collect(),
        };
        for pixel in canvas.pixels.chunks_exact_mut(fill.len()) {
            pixel.copy_from_slice(&fill);
        }
        for (offset, layer) in &layers.pictures {
            let layer = self.frame(layer, Channels::Rgba, layout.depth)?;
            lay_over(self.job, &mut canvas, &layer, *offset)?;
        }
        let rows: Box<dyn Rows + 'a> = Box::new(canvas);
        Ok(convert(rows, layout.channels, layout.depth, [0; 3]))
    }
}

/// Rows of a grid. One row of tiles is in memory.
struct Grid<'a> {
    file: File<'a>,
    tiles: Arc<Tiles>,
    layout: Layout,
    /// Decoded tiles of the current row.
    band: Vec<Frame>,
    next: u32,
}

impl Grid<'_> {
    /// Decodes the row of tiles that starts with the next row of pixels. Threads share the tiles equally.
    fn load(&mut self) -> Result<()> {
        let Self {
            file,
            tiles,
            layout,
            band,
            ..
        } = self;
        // Frees the old tiles before the new ones are allocated, to halve the peak memory.
        band.clear();
        let first = (self.next / tiles.height) as usize * tiles.columns;
        let tiles = &tiles.pictures[first..][..tiles.columns];
        let threads = threads(file.job, tiles.len());
        let decode = |tiles: &[Picture]| -> Result<Vec<Frame>> {
            let frames = tiles
                .iter()
                .map(|tile| file.frame(tile, layout.channels, layout.depth));
            frames.collect()
        };
        if threads == 1 {
            *band = decode(tiles)?;
            return Ok(());
        }
        let shares = tiles.chunks(tiles.len().div_ceil(threads));
        let decoded: Vec<Result<Vec<Frame>>> = thread::scope(|scope| {
            let running: Vec<_> = shares.map(|share| scope.spawn(|| decode(share))).collect();
            let ended = running.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            ended.collect()
        });
        for frames in decoded {
            band.extend(frames?);
        }
        Ok(())
    }
}

impl Rows for Grid<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let line = self.next % self.tiles.height;
        if line == 0 {
            self.load()?;
        }
        let step = self.tiles.width as usize * self.layout.pixel_bytes();
        for (part, tile) in row.chunks_mut(step).zip(&self.band) {
            part.copy_from_slice(&tile.row(line)[..part.len()]);
        }
        self.next += 1;
        Ok(())
    }
}
