//! Makes a PNG of each picture whose format the target does not support. A drawing gets the resolution of the quality
//! level, and the PNG of any other picture has as many pixels as the picture. Metafiles (EMF, WMF, PICT) become
//! drawings (SVG) if the target supports drawings.

#[cfg(feature = "svg")]
use crate::image::vector;
use crate::{
    error::Result,
    image::inlay,
    job::{Job, Notes},
};
#[cfg(feature = "svg")]
use convertd_metafile as metafile;
#[cfg(feature = "svg")]
use convertd_tree::drawings::Budget;
use convertd_tree::{Document, Inline, Picture, PictureSource, each_inline, media};

/// Limit on the pixels of a drawing. A larger drawing gets a lower resolution.
#[cfg(feature = "svg")]
const MAX_DRAWN: f64 = 16e6;
/// Limit on the pixels of all drawings together, because their compressed PNGs are in memory at the same time.
#[cfg(feature = "svg")]
const MAX_ALL: f64 = 400e6;
/// The displayed width, in inches, of a wide drawing for which the document states no size: the width of the text area
/// on common paper sizes.
#[cfg(feature = "svg")]
const TEXT_WIDTH: f64 = 6.7;
/// Units of a drawing per inch (CSS, 6.2).
#[cfg(feature = "svg")]
const UNITS: f64 = 96.0;

/// Adds a PNG to each picture that the text shows and whose media type is not one of `held`. If `held` has SVG, a
/// metafile is replaced by an SVG instead.
///
/// Errors: those of [`Job::reserve`] and [`Job::check`]. A picture that cannot be decoded gets no PNG.
pub fn run(
    job: &Job<'_>,
    document: &mut Document,
    held: &[&str],
    #[cfg_attr(not(feature = "svg"), expect(unused_variables))] notes: &mut Notes,
) -> Result<()> {
    #[cfg(feature = "svg")]
    let mut easel = Rasterizer::new();
    for (number, shown) in shown(document).into_iter().enumerate() {
        let resource = &document.resources()[number];
        if shown.is_none() || resource.pixels.is_some() || held.contains(&&*resource.media_type) {
            continue;
        }
        job.check()?;
        let png = match media::sniff(&resource.bytes) {
            #[cfg(feature = "svg")]
            Some("image/emf" | "image/wmf" | "image/x-pict") if held.contains(&"image/svg+xml") => {
                let _lease = job.lease(2 * resource.bytes.len() as u64 + metafile::MEMORY)?;
                if let Some(drawn) = metafile::draw(job, &resource.bytes)? {
                    document.redraw(number, drawn.svg);
                }
                continue;
            }
            #[cfg(feature = "svg")]
            Some("image/svg+xml" | "image/emf" | "image/wmf" | "image/x-pict") => {
                easel.draw(job, document, number, shown.unwrap_or_default(), notes)?
            }
            _ => decode(job, document, number),
        };
        if let Some(png) = png {
            document.add_pixels(number, png);
        }
    }
    document.hold(job)
}

/// The largest width and height in inches at which a resource is shown; 0 if the text states no size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shown {
    width: f64,
    height: f64,
}

/// Size at which each resource is shown, or `None` if the text does not show it.
fn shown(document: &Document) -> Vec<Option<Shown>> {
    let mut all = vec![None; document.resources().len()];
    let mut visit = |inline: &Inline| {
        if let Inline::Picture(picture) = inline
            && let PictureSource::Resource(id) = picture.source
        {
            let shown: &mut Shown = all[id.index()].get_or_insert_default();
            let Picture { width, height, .. } = **picture;
            let inches = |length: Option<convertd_tree::Length>| {
                length.map_or(0.0, |length| length.to_points() / 72.0)
            };
            shown.width = shown.width.max(inches(width));
            shown.height = shown.height.max(inches(height));
        }
    };
    for blocks in document.sections().iter().map(|section| &section.blocks) {
        each_inline(blocks, &mut visit);
    }
    for note in document.notes() {
        each_inline(&note.blocks, &mut visit);
    }
    all
}

/// Converts a raster picture to PNG. `None` if it cannot be decoded.
fn decode(job: &Job<'_>, document: &Document, number: usize) -> Option<Vec<u8>> {
    let bytes = &document.resources()[number].bytes;
    inlay::format(bytes)?;
    let png = inlay::named("png")?;
    inlay::convert(job, bytes, png, &[]).ok()
}

/// Encodes samples of 8 bits as a PNG. `density` is the number of pixels per inch, horizontally and vertically.
#[cfg(feature = "svg")]
fn pack(
    samples: &[u8],
    (width, height): (u32, u32),
    colour: png::ColorType,
    density: Option<(f64, f64)>,
) -> Option<Vec<u8>> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let per_metre = |dots: f64| (dots / 0.0254).round().clamp(1.0, 1e9) as u32;
    encoder.set_pixel_dims(density.map(|(across, down)| png::PixelDimensions {
        xppu: per_metre(across),
        yppu: per_metre(down),
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(samples).ok()?;
    writer.finish().ok()?;
    Some(png)
}

/// Draws drawings as pictures, within a limit on the pixels of all of them.
#[cfg(feature = "svg")]
struct Rasterizer {
    budget: Budget,
    /// Number of pixels that may still be drawn.
    left: f64,
}

#[cfg(feature = "svg")]
impl Rasterizer {
    fn new() -> Self {
        Self {
            budget: Budget::default(),
            left: MAX_ALL,
        }
    }

    /// Draws a drawing as a PNG, whose density (pixels per metre) states the natural size of the drawing. `None` if the
    /// drawing cannot be drawn, or exceeds a limit.
    fn draw(
        &mut self,
        job: &Job<'_>,
        document: &Document,
        number: usize,
        shown: Shown,
        notes: &mut Notes,
    ) -> Result<Option<Vec<u8>>> {
        let bytes = &document.resources()[number].bytes;
        let Some(drawing) = self.budget.read(job, bytes)? else {
            return Ok(None);
        };
        let size = drawing.tree.size();
        let own = (f64::from(size.width()), f64::from(size.height()));
        let (inches, ratio) = (own.0 / UNITS, own.1 / own.0);
        let width = match shown {
            Shown { width, .. } if width > 0.0 => width,
            Shown { height, .. } if height > 0.0 => height / ratio,
            _ => inches.min(TEXT_WIDTH),
        };
        let dots = job.quality().pick(110.0, 200.0, 300.0);
        // The width in pixels at which the area, width² × ratio, reaches the limit.
        let most = (MAX_DRAWN.min(self.left) / ratio).sqrt();
        let side = |len: f64| len.ceil().clamp(1.0, 16_000.0);
        let across = side((width * dots).min(most));
        let down = side(across * ratio);
        if across * down > self.left || !self.budget.allows(&drawing, across) {
            return Ok(None);
        }
        self.left -= across * down;
        let pixels = (across as u32, down as u32);
        // Memory for the samples and their compressed form, four bytes per pixel each. `reserve` below asks for the
        // memory of the canvases.
        let packed = 8 * (across * down) as u64;
        let _lease = job.lease(packed + (4 << 20))?;
        let samples = vector::within(job, bytes.len() as u64, |job| {
            job.reserve(drawing.memory_at(pixels))?;
            vector::draw(job, &drawing, pixels)
        });
        let Ok(samples) = samples else {
            return Ok(None);
        };
        let mut remarks = Notes::default();
        for note in drawing.notes() {
            remarks.add(note);
        }
        remarks.move_into(notes);
        let density = (across / inches, down / (inches * ratio));
        Ok(pack(&samples, pixels, png::ColorType::Rgba, Some(density)))
    }
}
