//! Reads a page of a DjVu file (DjVu3, 5 and 8.3.3). Decodes the chunks of the page to a background and a foreground,
//! and composes the foreground over the background, unless only one of them is requested. Leaves the codings to other
//! modules.

use super::{
    chunks::{self, File, Layer},
    colours::{self, Background, Foreground, gamma},
    invalid,
    mask::{self, Mask},
};
use crate::{
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows, palette, rows::check_row},
    source::{Header, Source, failed},
};
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use image::metadata::Orientation;
use std::io;

/// Limit on the pixels of a page and of a background. The decoders have the same limit.
const MAX_PIXELS: u64 = 64 << 20;
/// Memory of a wavelet decoder in bytes for each pixel: coefficients, planes and colours.
const WAVELETS: u64 = 20;
/// Resolution of a page that states none, in pixels per inch.
const DENSITY: f64 = 300.0;
/// Plausible resolutions in pixels per inch. A page with another one counts as a page that states none.
const CREDIBLE: std::ops::RangeInclusive<u16> = 25..=6000;

/// The INFO chunk of a page (DjVu3, 8.3.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Info {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Resolution in pixels per inch.
    pub(super) density: f64,
    /// Gamma of the displays for which the colours were made.
    pub(super) gamma: f64,
    pub(super) orientation: Orientation,
}

impl Info {
    /// Reads the header of the page. `None` for a bare picture in wavelets, which has no header.
    pub(super) fn read(input: &mut dyn Input, file: &File) -> io::Result<Option<Self>> {
        if &file.page.kind != b"DJVU" {
            return Ok(None);
        }
        let info = file.page.chunk(b"INFO");
        let info = info.ok_or_else(|| invalid("its page has no header (INFO)"))?;
        Self::parse(&info.beginning(input, 16)?).map(Some)
    }

    fn parse(data: &[u8]) -> io::Result<Self> {
        let Some(&[a, b, c, d]) = data.first_chunk() else {
            return Err(invalid("the header of its page (INFO) is too short"));
        };
        // This is the only number in the file with its low byte first.
        let density = data.get(6..8).and_then(|bytes| bytes.first_chunk());
        let density = density.map_or(0, |bytes| u16::from_le_bytes(*bytes));
        // Files of early versions have no gamma and no flags. They get a gamma of 2.2, and are not turned.
        let gamma = data.get(8).map_or(22, |gamma| (*gamma).clamp(3, 50));
        Ok(Self {
            width: u16::from_be_bytes([a, b]).into(),
            height: u16::from_be_bytes([c, d]).into(),
            density: match CREDIBLE.contains(&density) {
                true => density.into(),
                false => DENSITY,
            },
            gamma: f64::from(gamma) / 10.0,
            orientation: match data.get(9).map_or(1, |flags| flags & 7) {
                2 => Orientation::Rotate180,
                5 => Orientation::Rotate90,
                6 => Orientation::Rotate270,
                _ => Orientation::NoTransforms,
            },
        })
    }
}

/// A page whose headers have been read.
struct Page<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    file: File,
    info: Info,
    header: Header,
    /// Whether the page has only black ink on white paper, so that two palette entries suffice.
    is_ink: bool,
    /// Whether the caller has accepted a palette.
    is_indexed: bool,
    /// The colours of the foreground, if they have been read already.
    front: Option<Foreground>,
}

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let damaged = |err| failed(job, err);
    let file = File::open(input).map_err(damaged)?;
    let page = &file.page;
    let back = Background::find(input, page).map_err(damaged)?;
    let info = match Info::read(input, &file).map_err(damaged)? {
        Some(info) => info,
        None => {
            let (width, height) = back.as_ref().map_or((0, 0), |back| back.size);
            Info {
                width,
                height,
                density: DENSITY,
                gamma: 2.2,
                orientation: Orientation::NoTransforms,
            }
        }
    };
    limits::check(job, info.width, info.height, None)?;
    let pixels = u64::from(info.width) * u64::from(info.height);
    if pixels > MAX_PIXELS {
        return Err(job.unreadable(format!(
            "its page has {} × {} pixels; the limit of this format is {MAX_PIXELS} in all",
            info.width, info.height
        )));
    }
    if is_cut(&file) && Damage::of(job.options()) == Damage::Refuse {
        return Err(job.unreadable("it ends before the picture does"));
    }
    let mask = mask::find(page);
    let has_colours = Foreground::is_in(page);
    let is_ink = back.is_none() && !has_colours;
    let is_grey = !has_colours && back.as_ref().is_none_or(|back| back.is_grey);
    let (width, height) = match (file.part, &back) {
        (Layer::Back, Some(back)) => back.size,
        _ => (info.width, info.height),
    };
    let layout = Layout {
        width,
        height,
        channels: match file.part {
            Layer::Front => Channels::Rgba,
            Layer::Whole | Layer::Back if is_grey => Channels::Grey,
            Layer::Whole | Layer::Back => Channels::Rgb,
        },
        depth: Depth::Eight,
    };
    let chunks: u64 = page.chunks.iter().map(|chunk| chunk.len).sum();
    // In a page with a palette, the decoded mask has the shape of each pixel.
    let of_mask = match (mask.is_some(), page.chunk(b"FGbz").is_some()) {
        (true, true) => 6 * pixels,
        (true, false) => pixels / 2,
        (false, _) => 0,
    };
    let mut of_inner = 0;
    for inner in [back, Foreground::find(input, page).map_err(damaged)?] {
        let Some(inner) = inner else { continue };
        if colours::factor(inner.size, (info.width, info.height)).is_none() {
            return Err(job.unreadable(
                "the size of its background or of its colours differs from that of the page",
            ));
        }
        of_inner += WAVELETS * u64::from(inner.size.0) * u64::from(inner.size.1);
    }
    let memory = limits::BASE + layout.bytes() + chunks + of_mask + of_inner;
    Ok(Box::new(Page {
        job,
        input,
        info,
        header: Header {
            layout,
            orientation: info.orientation,
            icc: None,
            memory,
            animated: false,
            lossless: is_ink || file.part == Layer::Front,
        },
        file,
        is_ink,
        is_indexed: false,
        front: None,
    }))
}

impl Page<'_> {
    /// Converts a colour from the gamma of the page to that of common displays: see [`gamma`].
    fn corrected(&self, mut colour: [u8; 3]) -> [u8; 3] {
        correct(gamma(self.info.gamma).as_ref(), &mut colour);
        colour
    }
}

/// Returns whether the file ends within the page, or before another FORM.
fn is_cut(file: &File) -> bool {
    file.is_cut || file.page.chunks.iter().any(|chunk| chunk.is_cut)
}

/// The background and the foreground of the requested page, in the order of drawing. Empty unless the page has both,
/// and its file is complete.
#[cfg(feature = "document")]
pub(super) fn layers(input: &mut dyn Input) -> io::Result<Vec<crate::pages::Layer>> {
    let file = File::open(input)?;
    let info = Info::read(input, &file)?;
    let back = Background::find(input, &file.page)?;
    let (Some(info), Some(back), Some(_), false) =
        (info, back, mask::find(&file.page), is_cut(&file))
    else {
        return Ok(Vec::new());
    };
    let Some(factor) = colours::factor(back.size, (info.width, info.height)) else {
        return Ok(Vec::new());
    };
    let times = |inner: u32, side: u32| f64::from(inner * factor) / f64::from(side);
    let layer = |part: Layer, scale| crate::pages::Layer {
        patch: part.patch(file.nth),
        scale,
    };
    let scale = (
        times(back.size.0, info.width),
        times(back.size.1, info.height),
    );
    Ok(vec![
        layer(Layer::Back, scale),
        layer(Layer::Front, (1.0, 1.0)),
    ])
}

impl<'a> Source<'a> for Page<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let note = is_cut(&self.file).then(|| {
            "The file is damaged: it ends before the picture does, so detail or parts are missing."
                .to_owned()
        });
        note.into_iter().collect()
    }

    fn index(&mut self, _: bool) -> Option<palette::Colours> {
        if self.file.part == Layer::Front {
            let size = (self.info.width, self.info.height);
            let front = Foreground::read(self.job, self.input, &self.file.page, size).ok()?;
            let single_colour = front.only();
            self.front = Some(front);
            let [r, g, b] = single_colour.map(|colour| self.corrected(colour))?;
            self.is_indexed = true;
            self.header.layout.channels = Channels::Grey;
            return Some(palette::Colours::new(vec![[r, g, b, 0], [r, g, b, 255]]));
        }
        if !self.is_ink {
            return None;
        }
        self.is_indexed = true;
        Some(palette::Colours::new(vec![[255; 4], [0, 0, 0, 255]]))
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            input,
            file,
            info,
            header,
            is_ink,
            is_indexed,
            front,
        } = *self;
        let page = &file.page;
        let size = (info.width, info.height);
        let corrected = gamma(info.gamma);
        let back = match file.part {
            Layer::Whole => Background::read(job, input, page, size)?,
            Layer::Back => return background_only(job, input, page, header.layout, corrected),
            Layer::Front => None,
        };
        let front = match front {
            Some(front) => front,
            None => Foreground::read(job, input, page, size)?,
        };
        let mask = match mask::find(page) {
            Some(chunk) => {
                let mask = mask::read(job, input, &file, chunk, front.needs_shapes())?;
                if mask.size() != size {
                    return Err(
                        job.unreadable("the size of its mask differs from that of the page")
                    );
                }
                Some(mask)
            }
            None => None,
        };
        let layout = header.layout;
        let mut frame = Frame::new(layout);
        let scene = Scene {
            back,
            front,
            mask,
            corrected,
        };
        let rows = frame.pixels.chunks_exact_mut(layout.row_bytes());
        for (y, row) in (0..).zip(rows) {
            check_row(job, y)?;
            match (is_ink || is_indexed, layout.channels) {
                (true, _) => scene.ink(y, if is_indexed { [0, 1] } else { [255, 0] }, row),
                (false, Channels::Grey) => scene.grey(y, row),
                (false, Channels::Rgba) => scene.front(y, row),
                (false, _) => scene.colours(y, row),
            }
        }
        Ok(Box::new(frame))
    }
}

/// Decodes the background of a page at its own resolution.
fn background_only(
    job: &Job<'_>,
    input: &mut dyn Input,
    page: &chunks::Form,
    layout: Layout,
    corrected: Option<[u8; 256]>,
) -> Result<Box<dyn Rows>> {
    let pixels = colours::background(job, input, page)?;
    let pixels =
        pixels.filter(|pixels| (pixels.width, pixels.height) == (layout.width, layout.height));
    let pixels = pixels.ok_or_else(|| {
        job.unreadable("the size of its background differs from that in its header")
    })?;
    let mut frame = Frame::new(layout);
    let count = layout.channels.count();
    let out = frame.pixels.chunks_exact_mut(count);
    for (out, pixel) in out.zip(pixels.data.chunks_exact(pixels.step)) {
        out.copy_from_slice(&pixel[..count]);
    }
    correct(corrected.as_ref(), &mut frame.pixels);
    Ok(Box::new(frame))
}

/// The decoded parts of a page, ready to be composed.
struct Scene {
    back: Option<Background>,
    front: Foreground,
    mask: Option<Mask>,
    /// Table that converts levels to the gamma of common displays: see [`gamma`].
    corrected: Option<[u8; 256]>,
}

impl Scene {
    /// Fills a row with two values: `paper`, and `ink` where the mask is set.
    fn ink(&self, y: u32, [paper, ink]: [u8; 2], row: &mut [u8]) {
        row.fill(paper);
        if let Some(mask) = &self.mask {
            mask.row(y, |x, _| row[x] = ink);
        }
    }

    fn grey(&self, y: u32, row: &mut [u8]) {
        row.fill(255);
        if let Some(back) = &self.back {
            back.row(y, |x, [level, ..]| row[x] = level);
        }
        self.correct(row);
        if let Some(mask) = &self.mask {
            mask.row(y, |x, _| row[x] = 0);
        }
    }

    fn colours(&self, y: u32, row: &mut [u8]) {
        row.fill(255);
        let pixels = row.as_chunks_mut().0;
        if let Some(back) = &self.back {
            back.row(y, |x, colour| pixels[x] = colour);
        }
        if let Some(mask) = &self.mask {
            mask.row(y, |x, shape| pixels[x] = self.front.colour(x, y, shape));
        }
        self.correct(row);
    }

    /// Fills a row with the foreground alone. Transparent pixels repeat the colour before them, so that the rows
    /// compress well.
    fn front(&self, y: u32, row: &mut [u8]) {
        let pixels = row.as_chunks_mut::<4>().0;
        if let Some(mask) = &self.mask {
            let mut next = 0;
            let mut last = [0; 3];
            mask.row(y, |x, shape| {
                let [r, g, b] = last;
                pixels[next..x].fill([r, g, b, 0]);
                last = self.front.colour(x, y, shape);
                self.correct(&mut last);
                let [r, g, b] = last;
                pixels[x] = [r, g, b, 255];
                next = x + 1;
            });
            let [r, g, b] = last;
            pixels[next..].fill([r, g, b, 0]);
        }
    }

    fn correct(&self, row: &mut [u8]) {
        correct(self.corrected.as_ref(), row);
    }
}

/// Converts levels by a table of [`gamma`].
fn correct(corrected: Option<&[u8; 256]>, levels: &mut [u8]) {
    if let Some(corrected) = corrected {
        for level in levels {
            *level = corrected[usize::from(*level)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_headers_and_wrong_fields_get_defaults() {
        #[track_caller]
        fn check(data: &[u8], density: f64, gamma: f64, orientation: Orientation) {
            let expected = Info {
                width: 258,
                height: 772,
                density,
                gamma,
                orientation,
            };
            assert_eq!(Info::parse(data).unwrap(), expected);
        }
        let upright = Orientation::NoTransforms;
        check(&[1, 2, 3, 4], 300.0, 2.2, upright);
        check(&[1, 2, 3, 4, 24], 300.0, 2.2, upright);
        check(&[1, 2, 3, 4, 24, 0, 100, 0], 100.0, 2.2, upright);
        check(&[1, 2, 3, 4, 24, 0, 1, 0, 0, 9], 300.0, 0.3, upright);
        let turned = [1, 2, 3, 4, 24, 0, 88, 2, 18, 5];
        check(&turned, 600.0, 1.8, Orientation::Rotate90);
        assert!(Info::parse(&[1, 2, 3]).is_err());
    }
}
