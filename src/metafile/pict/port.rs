//! A graphics port of QuickDraw: the pen, patterns, colours and font that drawing depends on. Reads no opcodes.
//!
//! Patterns of 8 × 8 dots imitated greys on black-and-white screens. They become the uniform colour that they resemble
//! from a distance.

use super::{
    super::{
        Drawn,
        device::Device,
        dib::Pixels,
        objects::{Font, Rgb},
        path::Outline,
        text::Text,
    },
    bits::Header,
    input::Input,
    region,
};
use std::collections::HashMap;

/// Units of the device in a point.
const DOTS: f64 = 20.0;

/// Largest number of clips that are stored, and largest number of font names that are stored.
const MAX_KNOWN: usize = 256;

/// RGN_COPY, the clip mode of the device that replaces the clip (MS-EMF 2.1.29).
const CLIP_REPLACE: u32 = 5;

/// TA_BASELINE, the text alignment of the device that puts the baseline at the reference point (MS-WMF 2.1.2.3).
const BASELINE: u32 = 24;

/// MAC_CHARSET (MS-WMF 2.1.1.5).
const MACINTOSH: u8 = 77;

/// Transfer modes that invert pixels (`srcXor`, `notSrcXor`, `patXor` and `notPatXor`). The modes from 0 to 7 are for
/// bitmaps.
const EXCLUSIVE: [u16; 4] = [2, 6, 10, 14];

/// The transfer mode `patBic`, which draws shapes in the background colour.
const CLEAR: u16 = 11;

/// The transfer mode `srcOr`, in which the white pixels of a bitmap are transparent.
const OR: u16 = 1;

/// The transfer mode `transparent`, in which the pixels of a bitmap with the background colour are transparent.
const TRANSPARENT: u16 = 36;

/// The colour or pattern that a shape is painted with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ink {
    /// A pattern of 64 dots: the number of dots that have the foreground colour.
    Dots(u32),
    /// A uniform colour.
    Colour(Rgb),
}

impl Ink {
    /// Reads a pattern of eight bytes, with a bit for each dot.
    pub(super) fn read(input: &mut Input<'_>) -> Option<Self> {
        let dots = input.take(8)?.iter().map(|line| line.count_ones()).sum();
        Some(Self::Dots(dots))
    }

    /// Reads a colour pattern. Kind 1 contains a pixel map, of which the mean colour is used; kind 2 contains an RGB
    /// colour. Before it, the data has a pattern in black and white, which is used if the kind is another one.
    pub(super) fn read_coloured(input: &mut Input<'_>) -> Option<Self> {
        let kind = input.u16()?;
        let plain = Self::read(input)?;
        Some(match kind {
            1 => {
                let header = Header::read(input, false)?;
                let pixels = header.pixels(input, true, ([0; 3], [255; 3]))?;
                Self::Colour(mean(&pixels))
            }
            2 => Self::Colour(input.colour()?),
            _ => plain,
        })
    }
}

/// The mean colour of pixels.
fn mean(pixels: &Pixels) -> Rgb {
    let count = pixels.width * pixels.height;
    [0, 1, 2].map(|part| {
        let parts = pixels.samples.iter().skip(part).step_by(4);
        let sum: usize = parts.map(|value| usize::from(*value)).sum();
        (sum / count.max(1)) as u8
    })
}

/// The colour with this number in classic QuickDraw, which had eight colours.
pub(super) fn old_colour(number: u32) -> Rgb {
    // White, yellow, magenta, red, cyan, green and blue; black is 33, and all other numbers count as black.
    match number {
        30 => [255; 3],
        69 => [252, 243, 5],
        137 => [242, 8, 132],
        205 => [221, 8, 6],
        273 => [2, 171, 234],
        341 => [0, 128, 17],
        409 => [0, 0, 211],
        _ => [0; 3],
    }
}

/// A shape, in coordinates of the picture. Four numbers are the left, top, right and bottom edge of a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Rectangle([f64; 4]),
    /// A rectangle with rounded corners of this width and height.
    Round([f64; 4], (f64, f64)),
    Oval([f64; 4]),
    /// A sector of the oval in this rectangle: its start and extent in degrees, clockwise from the top.
    Arc([f64; 4], f64, f64),
    Polygon(Vec<(f64, f64)>),
    /// A region as a list of rectangles.
    Region(Vec<[f64; 4]>),
}

/// Settings for text.
pub(super) struct PortText {
    /// Font number.
    pub(super) font: u16,
    /// Style bits: 1 bold, 2 italic, 4 underlined.
    pub(super) face: u8,
    /// Size in points.
    pub(super) size: f64,
    /// Position of the last text.
    pub(super) at: (f64, f64),
}

/// A port, and the device that it draws on.
pub(super) struct Port {
    pub(super) device: Device,
    /// Foreground and background colour.
    pub(super) front: Rgb,
    pub(super) back: Rgb,
    /// Patterns for lines, for filled shapes, and for erased shapes.
    pub(super) pen: Ink,
    pub(super) fill: Ink,
    pub(super) ground: Ink,
    /// Width and height of the pen, and its transfer mode.
    pub(super) pen_size: (f64, f64),
    pub(super) mode: u16,
    /// Width and height of the corners of rounded rectangles.
    pub(super) oval: (f64, f64),
    pub(super) text: PortText,
    /// Names of fonts by their numbers.
    fonts: HashMap<u16, String>,
    /// The last shape of each kind, for opcodes that repeat it.
    pub(super) last: [Option<Shape>; 6],
    /// Clips that were defined before, by the bytes of the region and the origin of the window. `None` is no clip.
    clips: HashMap<Vec<u8>, Option<usize>>,
}

impl Port {
    /// Creates a port with this frame, in points.
    pub(super) fn new([left, top, right, bottom]: [f64; 4]) -> Self {
        let size = (right - left, bottom - top);
        // The device assumes screens of 96 pixels per inch (25.4 mm). With this number of units per millimetre, a pixel
        // has `DOTS` units: it is a point wide, as on the screens of QuickDraw.
        let dots = DOTS * 96.0 / 25.4;
        let mut device = Device::new((size.0 * DOTS, size.1 * DOTS), (dots, dots));
        // The mapping mode MM_ANISOTROPIC: each axis has a scale of its own.
        device.state.mode = 8;
        device.state.window = ((left, top), size);
        device.state.align = BASELINE;
        Self {
            device,
            front: [0; 3],
            back: [255; 3],
            pen: Ink::Dots(64),
            fill: Ink::Dots(64),
            ground: Ink::Dots(0),
            pen_size: (1.0, 1.0),
            mode: 8,
            oval: (0.0, 0.0),
            text: PortText {
                font: 0,
                face: 0,
                size: 12.0,
                at: (0.0, 0.0),
            },
            fonts: HashMap::new(),
            last: Default::default(),
            clips: HashMap::new(),
        }
    }

    /// Finishes the picture, which has the size of its frame. `None` if nothing was drawn, or the frame is empty.
    pub(super) fn finish(self) -> Option<Drawn> {
        let (width, height) = self.device.whole;
        let cut = self.device.page.cut;
        let view = [0.0, 0.0, width, height];
        let svg = self.device.page.finish(view, (width / DOTS, height / DOTS));
        svg.map(|svg| Drawn { svg, cut })
    }

    /// The colour of an ink in the transfer mode of the pen. `None` if this mode inverts pixels, which SVG cannot
    /// express.
    pub(super) fn colour(&mut self, ink: Ink) -> Option<Rgb> {
        if EXCLUSIVE.contains(&self.mode) {
            self.device.page.cut = true;
            return None;
        }
        Some(match ink {
            _ if self.mode == CLEAR => self.back,
            Ink::Colour(colour) => colour,
            Ink::Dots(dots) => {
                let mix = |front: u8, back: u8| {
                    let sum = u32::from(front) * dots + u32::from(back) * (64 - dots.min(64));
                    (sum / 64) as u8
                };
                let [front, back] = [self.front, self.back];
                [0, 1, 2].map(|part: usize| mix(front[part], back[part]))
            }
        })
    }

    /// Sets the clip to a region. A rectangle of the region that covers the whole window removes the clip. Files repeat
    /// the same regions many times, so their clips are stored.
    pub(super) fn clip(&mut self, region: Input<'_>) {
        let state = &self.device.state;
        let ((left, top), (width, height)) = state.window;
        let key = [region.rest(), &left.to_le_bytes(), &top.to_le_bytes()].concat();
        if let Some(known) = self.clips.get(&key) {
            self.device.state.clip = *known;
            return;
        }
        let Some(parts) = region::rectangles(region) else {
            return;
        };
        let covers = |part: &[f64; 4]| {
            part[0] <= left && part[1] <= top && part[2] >= left + width && part[3] >= top + height
        };
        if parts.iter().any(covers) {
            self.device.state.clip = None;
        } else {
            self.clip_to(&parts, CLIP_REPLACE);
        }
        if self.clips.len() < MAX_KNOWN {
            self.clips.insert(key, self.device.state.clip);
        }
    }

    /// Combines the clip with rectangles, by the clip mode `how`.
    fn clip_to(&mut self, parts: &[[f64; 4]], how: u32) {
        let (mut outline, matrix) = (Outline::default(), self.device.matrix());
        for part in parts {
            outline.rectangle(matrix, *part);
        }
        self.device.clip_outline(&outline, how, false);
    }

    /// Stores the name of a font for its number.
    pub(super) fn name(&mut self, number: u16, name: String) {
        if self.fonts.len() < MAX_KNOWN {
            self.fonts.insert(number, name);
        }
    }

    /// Draws text whose baseline begins at the point `at`.
    pub(super) fn write(&mut self, at: (f64, f64), letters: &[u8]) {
        self.text.at = at;
        // The names of fonts that were present on every Macintosh, for numbers that the file does not name. All other
        // numbers become Helvetica.
        let default = match self.text.font {
            2 => "New York",
            4 => "Monaco",
            20 => "Times",
            22 => "Courier",
            23 => "Symbol",
            _ => "Helvetica",
        };
        let name = self.fonts.get(&self.text.font).cloned();
        let size = self.text.size;
        self.device.state.font = Font {
            size: if size > 0.0 { size } else { 12.0 },
            bold: self.text.face & 1 != 0,
            italic: self.text.face & 2 != 0,
            underlined: self.text.face & 4 != 0,
            charset: MACINTOSH,
            name: name.unwrap_or_else(|| default.to_owned()),
            ..Font::default()
        };
        self.device.state.text = self.front;
        let (words, _) = self.device.decoded(letters);
        self.device.write(Text {
            at,
            words,
            advances: Vec::new(),
            within: None,
            filled: false,
            clipped: false,
        });
    }

    /// Draws the rectangle `part` of a bitmap in the rectangle `destination`, clipped to the region `mask`, if any.
    pub(super) fn show(
        &mut self,
        header: &Header,
        mut pixels: Pixels,
        (part, destination): ([f64; 4], [f64; 4]),
        mode: u16,
        mask: Option<Input<'_>>,
    ) {
        let clear = match mode & 0x3f {
            TRANSPARENT => Some(self.back),
            // White pixels leave the page unchanged. In a bitmap with one bit per pixel, these are the bits that are
            // not set; they have the background colour in `pixels`.
            OR if header.plain => Some(self.back),
            OR => Some([255; 3]),
            mode if EXCLUSIVE.contains(&mode) => {
                self.device.page.cut = true;
                return;
            }
            _ => None,
        };
        if let Some(clear) = clear {
            for pixel in pixels.samples.as_chunks_mut::<4>().0 {
                if pixel[..3] == clear {
                    pixel[3] = 0;
                }
            }
        }
        let ([left, top, ..], at) = (header.bounds, |side: f64| side.max(0.0) as usize);
        let (width, height) = (part[2] - part[0], part[3] - part[1]);
        let pixels = pixels.cropped(at(part[0] - left), at(part[1] - top), at(width), at(height));
        let before = self.device.state.clip;
        if let Some(parts) = mask.and_then(region::rectangles) {
            const CLIP_INTERSECT: u32 = 1;
            self.clip_to(&parts, CLIP_INTERSECT);
        }
        self.device.show(&pixels, destination, 1.0);
        self.device.state.clip = before;
    }
}
