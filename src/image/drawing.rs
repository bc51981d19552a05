//! Interface of this package to other packages that draw pictures, such as the pages of a document: the formats that
//! can be written, their options, and the writing itself. Only implementations of [`Drawing`] draw.

use super::{
    formats::ROWS,
    limits,
    metadata::{Metadata, Resolution},
    options::{self, Wishes},
    pixels::{Channels, Depth, Layout, Rows, resize::Fit},
    row,
    source::{Header, Source},
    still::{self, Goal, Made, Put},
    target::Target,
};
use convertd_core::{
    error::{Error, Result},
    format::Format,
    job::{Job, Notes, OptionSpec, Output},
};
use image::metadata::Orientation;

/// The options for the size and the position of a result. [`write`](fn@write) reads them from the job.
pub static PLACES: [&OptionSpec; 5] = [
    &options::WIDTH,
    &options::HEIGHT,
    &options::FIT,
    &options::CROP,
    &options::ROTATE,
];

pub use super::target::Tuning;

/// Largest number of pixels in a picture.
pub const MAX_PIXELS: u64 = limits::MAX_PIXELS;

/// A picture that is drawn after its size is known and its memory granted. It is opaque, and its colours are sRGB.
pub trait Drawing {
    /// Width and height in pixels, both at least 1. This is the natural size, or the size that [`resize`](Self::resize)
    /// has set.
    fn size(&self) -> (u32, u32);

    /// Pixels per inch at the current size.
    fn dpi(&self) -> u32;

    /// Sets another size, to which the drawing is stretched.
    fn resize(&mut self, width: u32, height: u32);

    /// Peak memory of drawing in bytes, including the resulting pixels, at the current size.
    fn memory(&self) -> u64;

    /// Draws, and returns four bytes for each pixel, row by row: red, green, blue, and an unused byte.
    fn draw(self: Box<Self>) -> Result<Vec<u8>>;
}

/// The formats that can be written, the meaning of quality for each, and the other options of each.
pub fn targets() -> impl Iterator<Item = (&'static Format, &'static str, Tuning)> {
    ROWS.iter().filter_map(|row| {
        let target = row.write.as_ref()?;
        Some((&row.format, target.quality, target.tuning))
    })
}

/// The vector format that the pages of documents are drawn in.
#[cfg(feature = "svg")]
pub fn vector() -> &'static Format {
    &super::formats::svg::ROW.format
}

/// Returns whether a drawing is first drawn at the size that the job asks for, and not at its own size.
pub fn is_sized(job: &Job<'_>) -> bool {
    let wishes = Wishes::of(job.options());
    // If the result must cover a box or is cropped, the drawing is first drawn at its own size.
    wishes.bounds.fit != Fit::Cover && wishes.crop.is_none() && is_scaled(&wishes)
}

/// Returns whether the job asks for a width or a height.
fn is_scaled(wishes: &Wishes) -> bool {
    wishes.bounds.width.is_some() || wishes.bounds.height.is_some()
}

/// Writes a drawing in the target format of the job, with its options.
pub fn write<'a>(
    job: &'a Job<'a>,
    drawing: Box<dyn Drawing + 'a>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let target = target(job)?;
    let most = Wishes::of(job.options()).max_size;
    make(job, target, drawing, notes, &mut |made, notes| {
        still::write(job, target, most, made, output, notes)
    })
}

/// The writer for the job's target format.
fn target(job: &Job<'_>) -> Result<&'static Target> {
    target_of(job.to).ok_or_else(|| Error::internal("no such conversion", job.to.name))
}

/// The writer of a format.
fn target_of(format: &Format) -> Option<&'static Target> {
    row(format)?.write.as_ref()
}

/// Returns whether a file of this format can have several pages.
pub fn has_pages(format: &Format) -> bool {
    target_of(format).is_some_and(|target| target.append.is_some())
}

/// Position in a file with several pages at which the link to the next page must be written; 0 before the first page.
#[derive(Debug, Default)]
pub struct Pages(u64);

impl Pages {
    /// Adds a page in the same way as [`write`](fn@write), but without regard to `max_size`.
    pub fn add<'a>(
        &mut self,
        job: &'a Job<'a>,
        drawing: Box<dyn Drawing + 'a>,
        output: &mut dyn Output,
        notes: &mut Notes,
    ) -> Result<()> {
        let target = target(job)?;
        let append = target
            .append
            .ok_or_else(|| Error::internal("a format without pages", job.to.name))?;
        let link = &mut self.0;
        make(job, target, drawing, notes, &mut |made, _| match made {
            Made::Rows(rows, extras) => append(job, rows, *extras, output, link),
            Made::File(bytes) => output.write_all(&bytes).map_err(Error::unwritten),
        })
    }
}

/// Passes a drawing to the writer of the target, with its size and resolution.
fn make<'a>(
    job: &'a Job<'a>,
    target: &Target,
    drawing: Box<dyn Drawing + 'a>,
    notes: &mut Notes,
    put: &mut Put<'_>,
) -> Result<()> {
    let (width, height) = drawing.size();
    let dpi = f64::from(drawing.dpi());
    let header = Header {
        layout: Layout {
            width,
            height,
            channels: Channels::Rgb,
            depth: Depth::Eight,
        },
        orientation: Orientation::NoTransforms,
        icc: None,
        memory: drawing.memory(),
        animated: false,
        lossless: true,
    };
    let source = Box::new(Drawn { drawing, header });
    let wishes = Wishes::of(job.options());
    let metadata = Metadata {
        // If the job asks for a width or a height, the page is stretched, and has no meaningful resolution.
        resolution: Resolution::per_inch(dpi, dpi).filter(|_| !is_scaled(&wishes)),
        ..Metadata::default()
    };
    let goal = Goal {
        job,
        target,
        wishes: &wishes,
    };
    still::make_of(goal, source, metadata, notes, put)
}

/// A drawing as the source of a conversion.
struct Drawn<'a> {
    drawing: Box<dyn Drawing + 'a>,
    header: Header,
}

impl<'a> Source<'a> for Drawn<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn draw_at(&mut self, width: u32, height: u32) -> bool {
        self.drawing.resize(width, height);
        self.header.layout = self.header.layout.sized(width, height);
        self.header.memory = self.drawing.memory();
        true
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        Ok(Box::new(Canvas {
            layout: self.header.layout,
            pixels: self.drawing.draw()?,
            next: 0,
        }))
    }
}

/// A finished drawing that is read row by row. The fourth byte of each pixel is dropped.
struct Canvas {
    layout: Layout,
    pixels: Vec<u8>,
    /// Index of the next row.
    next: usize,
}

impl Rows for Canvas {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let bytes = 4 * self.layout.width as usize;
        let pixels = self.pixels[self.next * bytes..][..bytes].as_chunks::<4>().0;
        for (to, from) in row.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
            to.copy_from_slice(&from[..3]);
        }
        self.next += 1;
        Ok(())
    }

    fn in_memory(&self) -> bool {
        true
    }
}
