//! Draws pictures on a device, and applies their raster operations (MS-WMF 2.1.1.31). Does not decode the bitmaps.
//!
//! Early Windows had no opacity, so programs draw a picture with holes by two calls: first a mask that blackens the
//! area to be covered, and then the picture, which is black outside of that area. If both calls have the same
//! destination, the mask and the picture are combined into one picture with transparency.

use super::{
    bytes::Bytes,
    device::{Device, Mask},
    dib,
    dib::Pixels,
    page::Matrix,
    path::Outline,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// The raster operation SRCAND, which draws a mask.
const SOURCE_AND: u32 = 0x0088_00c6;
/// The raster operation SRCPAINT, which draws a picture after its mask.
const SOURCE_PAINT: u32 = 0x00ee_0086;
/// The raster operation SRCINVERT, which programs also use for a picture after its mask.
const SOURCE_INVERT: u32 = 0x0066_0046;
/// The raster operation PATCOPY, which fills the destination with the brush.
const PATTERN_COPY: u32 = 0x00f0_0021;
/// The raster operation BLACKNESS, which fills the destination with black.
const BLACKNESS: u32 = 0x0000_0042;
/// The raster operation WHITENESS, which fills the destination with white.
const WHITENESS: u32 = 0x00ff_0062;

/// Largest number of pixels of all pictures in a metafile together.
const MAX_PIXELS: usize = 48 << 20;

/// A picture to draw.
pub(super) struct Blit<'b> {
    /// Destination: left, top, right, bottom.
    pub(super) destination: [f64; 4],
    /// Raster operation.
    pub(super) operation: u32,
    /// The header and the encoded pixels of the bitmap. Without a source, the destination is filled.
    pub(super) source: Option<(Bytes<'b>, Bytes<'b>)>,
    /// The rectangle of the bitmap that is drawn: left, top, width, height. `None` means the whole bitmap.
    pub(super) part: Option<[f64; 4]>,
    /// Whether pixels have their own opacity.
    pub(super) alpha: bool,
    /// Opacity of the whole picture, from 0 to 1.
    pub(super) opacity: f64,
    /// The colour of transparent pixels.
    pub(super) clear: Option<[u8; 3]>,
}

impl<'b> Blit<'b> {
    /// An opaque picture.
    pub(super) fn new(
        destination: [f64; 4],
        operation: u32,
        source: Option<(Bytes<'b>, Bytes<'b>)>,
        part: Option<[f64; 4]>,
    ) -> Self {
        Self {
            destination,
            operation,
            source,
            part,
            alpha: false,
            opacity: 1.0,
            clear: None,
        }
    }
}

impl Device {
    /// Draws a picture, or fills its destination if it has no bitmap. A mask (SRCAND) is stored until its picture
    /// follows.
    pub(super) fn blit(&mut self, blit: Blit<'_>) {
        let Some((header, bits)) = blit.source else {
            return self.fill_destination(blit.destination, blit.operation);
        };
        let pixels = dib::read(header, bits, blit.alpha);
        let Some(mut pixels) = pixels else {
            self.page.cut = true;
            return;
        };
        if let Some([left, top, width, height]) = blit.part {
            let at = |side: f64| side.max(0.0) as usize;
            pixels = pixels.cropped(at(left), at(top), at(width), at(height));
        }
        if let Some(clear) = blit.clear {
            for pixel in pixels.samples.as_chunks_mut::<4>().0 {
                if pixel[..3] == clear {
                    pixel[3] = 0;
                }
            }
        }
        match blit.operation {
            SOURCE_AND => {
                self.flush_mask();
                self.mask = Some(Mask {
                    pixels,
                    destination: blit.destination,
                });
            }
            SOURCE_PAINT | SOURCE_INVERT => {
                let mask = self
                    .mask
                    .take_if(|mask| mask.destination == blit.destination);
                match mask {
                    Some(mask) => {
                        cut_out(&mut pixels, &mask.pixels);
                        self.show(&pixels, blit.destination, 1.0);
                    }
                    None => {
                        self.flush_mask();
                        // The darker a pixel is, the more transparent it becomes, because black pixels leave the page
                        // unchanged in these operations.
                        for pixel in pixels.samples.as_chunks_mut::<4>().0 {
                            pixel[3] = pixel[0].max(pixel[1]).max(pixel[2]);
                        }
                        self.show(&pixels, blit.destination, 1.0);
                    }
                }
            }
            _ => {
                self.flush_mask();
                self.show(&pixels, blit.destination, blit.opacity);
            }
        }
    }

    /// Draws a mask that no picture has followed: black, and the more opaque the darker the mask is.
    pub(super) fn flush_mask(&mut self) {
        let Some(Mask {
            mut pixels,
            destination,
        }) = self.mask.take()
        else {
            return;
        };
        for pixel in pixels.samples.as_chunks_mut::<4>().0 {
            let light = pixel[0].max(pixel[1]).max(pixel[2]);
            *pixel = [0, 0, 0, 255 - light];
        }
        self.show(&pixels, destination, 1.0);
    }

    /// Fills a rectangle by one of the raster operations PATCOPY, BLACKNESS and WHITENESS. Others draw nothing.
    fn fill_destination(&mut self, destination: [f64; 4], operation: u32) {
        let mut outline = Outline::default();
        outline.rectangle(self.matrix(), destination);
        let before = self.state.forced;
        match operation {
            PATTERN_COPY => {}
            BLACKNESS => self.state.forced = Some([0; 3]),
            WHITENESS => self.state.forced = Some([255; 3]),
            _ => return,
        }
        self.paint(&outline, true, false);
        self.state.forced = before;
    }

    /// Draws pixels in a rectangle. If the metafile then has more than [`MAX_PIXELS`], marks the drawing as incomplete
    /// instead.
    pub(super) fn show(&mut self, pixels: &Pixels, destination: [f64; 4], opacity: f64) {
        let count = pixels.width * pixels.height;
        if self.state.hidden || is_empty(destination) || self.pixels + count > MAX_PIXELS {
            self.page.cut |= self.pixels + count > MAX_PIXELS;
            return;
        }
        self.pixels += count;
        if let Some(file) = pixels.png() {
            self.embed("png", &file, destination, opacity);
        }
    }

    /// Draws a picture file in a rectangle. `kind` is `png` or `jpeg`.
    pub(super) fn embed(&mut self, kind: &str, file: &[u8], destination: [f64; 4], opacity: f64) {
        if self.state.hidden || is_empty(destination) {
            return;
        }
        let [left, top, right, bottom] = destination;
        let matrix = Matrix([right - left, 0.0, 0.0, bottom - top, left, top]).then(self.matrix());
        if !self.page.has_room(file.len() * 4 / 3 + 200) {
            return;
        }
        for corner in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            self.page.ink(matrix.apply(corner));
        }
        let opacity = if opacity < 1.0 {
            format!(" opacity=\"{opacity:.3}\"")
        } else {
            String::new()
        };
        let mut element = format!(
            "<image width=\"1\" height=\"1\" preserveAspectRatio=\"none\"{opacity}{} xlink:href=\"data:image/{kind};base64,",
            matrix.attribute()
        );
        BASE64_STANDARD.encode_string(file, &mut element);
        element.push_str("\"/>");
        self.page.add(self.state.clip, &element);
    }

    /// Defines an SVG pattern from a bitmap, and returns the number of the pattern.
    pub(super) fn pattern(&mut self, header: Bytes<'_>, bits: Bytes<'_>) -> Option<usize> {
        let pixels = dib::read(header, bits, false)?;
        self.tile(&pixels)
    }

    /// Defines an SVG pattern from pixels, and returns the number of the pattern.
    pub(super) fn tile(&mut self, pixels: &Pixels) -> Option<usize> {
        // Brushes usually have 8 × 8 pixels. A brush of more than 65,536 pixels is not supported.
        if pixels.width * pixels.height > 1 << 16 {
            return None;
        }
        let file = pixels.png()?;
        // A pixel of the pattern is a pixel of the screen, at 96 dots per inch.
        let dot = self.dots.0.max(0.001) * 25.4 / 96.0;
        let (width, height) = (pixels.width as f64 * dot, pixels.height as f64 * dot);
        let image = BASE64_STANDARD.encode(&file);
        Some(self.page.define(|id| {
            format!(
                "<pattern id=\"p{id}\" width=\"{width}\" height=\"{height}\" patternUnits=\"userSpaceOnUse\"><image \
                 width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
                 xlink:href=\"data:image/png;base64,{image}\"/></pattern>"
            )
        }))
    }
}

/// Makes pixels the more transparent the lighter a mask is. If the mask has another size, it is scaled.
fn cut_out(pixels: &mut Pixels, mask: &Pixels) {
    let (width, height) = (pixels.width, pixels.height);
    for (at, pixel) in pixels.samples.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (x, y) = (at % width, at / width);
        let (x, y) = (x * mask.width / width, y * mask.height / height);
        let of_mask = mask.samples.get((y * mask.width + x) * 4).copied();
        pixel[3] = 255 - of_mask.unwrap_or(0);
    }
}

/// Returns whether a rectangle has no area.
fn is_empty([left, top, right, bottom]: [f64; 4]) -> bool {
    left == right || top == bottom
}
