//! Draws SVG with resvg at the requested size. Estimates the cost of filters, pictures and paint at that size first,
//! because drawing cannot be stopped.

use super::{filters, parse::Parsed};
use crate::{
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows},
    source::{Header, Source, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use resvg::tiny_skia::{Pixmap, Transform};

struct Svg<'a> {
    job: &'a Job<'a>,
    header: Header,
    parsed: Parsed,
}

/// Opens a drawing in its natural size, which the plan may change before it is drawn.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let parsed = Parsed::read(job, input)?;
    let size = parsed.natural_size();
    let mut source = Svg {
        job,
        header: Header {
            layout: Layout {
                width: 0,
                height: 0,
                channels: Channels::Rgba,
                depth: Depth::Eight,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: 0,
            animated: false,
            lossless: true,
        },
        parsed,
    };
    source.draw_at(size.0, size.1);
    Ok(Box::new(source))
}

impl<'a> Source<'a> for Svg<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        self.parsed.notes()
    }

    fn draw_at(&mut self, width: u32, height: u32) -> bool {
        self.header.layout = self.header.layout.sized(width, height);
        self.header.memory = self.parsed.memory_at((width, height));
        true
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let layout = self.header.layout;
        // The limit applies to the requested size, not to the natural size of the drawing.
        limits::check_size(layout.width, layout.height)?;
        let pixels = draw(self.job, &self.parsed, (layout.width, layout.height))?;
        Ok(Box::new(Frame::from_pixels(layout, pixels)))
    }
}

/// Draws at this width and height in pixels. Returns four bytes per pixel, row by row: red, green, blue and opacity.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it would take too long.
pub fn draw(job: &Job<'_>, parsed: &Parsed, (width, height): (u32, u32)) -> Result<Vec<u8>> {
    let size = parsed.tree.size();
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    let scaled = f64::from(width) / f64::from(size.width());
    let pixels = f64::from(width) * f64::from(height);
    if filters::are_too_slow(parsed.tree.root(), pixels, scaled) {
        return Err(unsupported(
            job,
            "filters, pictures or overlapping areas that take too long at this size",
        ));
    }
    let mut canvas = Pixmap::new(width, height).ok_or_else(|| job.unreadable("it has no size"))?;
    resvg::render(&parsed.tree, scale, &mut canvas.as_mut());
    Ok(canvas.take_demultiplied())
}
