//! The model of a Windows device context on which the calls of a metafile draw: its state, its objects, and the page
//! that they are painted on. Reads no records.

use super::{
    dib::Pixels,
    objects::{Brush, Font, Object, Pen, Rgb, stock},
    page::{Matrix, Page, hex, round},
    path::Outline,
};
use std::{collections::HashMap, fmt::Write as _};

/// Largest number of saved states.
const MAX_SAVED: usize = 512;
/// Largest number of objects.
const MAX_OBJECTS: usize = 20_000;

/// The state of a device context, which calls can save and restore.
#[derive(Clone)]
pub(super) struct State {
    /// World transform, from the coordinates of the drawing (world space) to page space.
    pub(super) world: Matrix,
    /// Mapping mode from page space to the device (MS-EMF 2.1.21).
    pub(super) mode: u32,
    /// Origin and extent of the window, a rectangle in page space.
    pub(super) window: ((f64, f64), (f64, f64)),
    /// Origin and extent of the viewport, the rectangle of the device that the window is mapped to. Without an extent,
    /// the viewport is as large as the picture.
    pub(super) viewport: ((f64, f64), Option<(f64, f64)>),
    /// The selected pen.
    pub(super) pen: Pen,
    /// The selected brush.
    pub(super) brush: Brush,
    /// The selected font.
    pub(super) font: Font,
    /// Colour of text.
    pub(super) text: Rgb,
    /// Colour of the background.
    pub(super) back: Rgb,
    /// Whether the background of text and hatches is filled.
    pub(super) opaque: bool,
    /// Alignment of text to its point (MS-WMF 2.1.2.3).
    pub(super) align: u32,
    /// Whether outlines are filled by the nonzero winding rule, rather than the even-odd rule.
    pub(super) winding: bool,
    /// Whether the raster operation leaves the page unchanged, whatever is drawn.
    pub(super) hidden: bool,
    /// The colour of everything that is drawn, if the raster operation is black or white.
    pub(super) forced: Option<Rgb>,
    /// Current position, in the coordinates of the drawing.
    pub(super) at: (f64, f64),
    /// Number of the current clip path of the page.
    pub(super) clip: Option<usize>,
    /// Whether arcs run clockwise.
    pub(super) clockwise: bool,
    /// Largest length of a miter, in widths of the line.
    pub(super) miter: f64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            world: Matrix::IDENTITY,
            mode: 1,
            window: ((0.0, 0.0), (1.0, 1.0)),
            viewport: ((0.0, 0.0), None),
            pen: Pen::default(),
            brush: Brush::Solid([255; 3]),
            font: Font::default(),
            text: [0; 3],
            back: [255; 3],
            opaque: true,
            align: 0,
            winding: false,
            hidden: false,
            forced: None,
            at: (0.0, 0.0),
            clip: None,
            clockwise: false,
            miter: 10.0,
        }
    }
}

/// A device context, with its state and its page.
pub(super) struct Device {
    pub(super) page: Page,
    pub(super) state: State,
    saved: Vec<State>,
    objects: HashMap<u32, Object>,
    /// The path, to which calls add instead of drawing while it is open.
    pub(super) path: Option<Outline>,
    /// Whether the path is still open for additions.
    pub(super) in_path: bool,
    /// Size of the whole picture in pixels of the device.
    pub(super) whole: (f64, f64),
    /// Pixels of the device in a millimetre.
    pub(super) dots: (f64, f64),
    /// A mask that waits for its picture, which is expected to be drawn next in the same rectangle.
    pub(super) mask: Option<Mask>,
    /// Number of pixels of all bitmaps so far, which is limited.
    pub(super) pixels: usize,
}

impl Device {
    pub(super) fn new(whole: (f64, f64), dots: (f64, f64)) -> Self {
        Self {
            page: Page::new(),
            state: State::default(),
            saved: Vec::new(),
            objects: HashMap::new(),
            path: None,
            in_path: false,
            whole,
            dots,
            mask: None,
            pixels: 0,
        }
    }

    /// The transform from the coordinates of the drawing to the device.
    pub(super) fn matrix(&self) -> Matrix {
        self.state.world.then(self.mapped())
    }

    /// The transform from page space to the device (MS-EMF 2.1.21). The metric modes have an upward vertical axis.
    fn mapped(&self) -> Matrix {
        let State {
            mode,
            window,
            viewport,
            ..
        } = &self.state;
        let ((wx, wy), (ww, wh)) = *window;
        let (vx, vy) = viewport.0;
        let metric = |unit: f64| (self.dots.0 * unit, -self.dots.1 * unit);
        let (sx, sy) = match mode {
            // MM_LOMETRIC, MM_HIMETRIC, MM_LOENGLISH, MM_HIENGLISH and MM_TWIPS: the unit in millimetres.
            2 => metric(0.1),
            3 => metric(0.01),
            4 => metric(0.254),
            5 => metric(0.0254),
            6 => metric(25.4 / 1440.0),
            7 | 8 => {
                let (width, height) = viewport.1.unwrap_or(self.whole);
                let divided = |one: f64, other: f64| if other == 0.0 { 1.0 } else { one / other };
                let (sx, sy) = (divided(width, ww), divided(height, wh));
                match mode {
                    // MM_ISOTROPIC: both directions have the smaller scale.
                    7 => {
                        let least = sx.abs().min(sy.abs());
                        (least * sx.signum(), least * sy.signum())
                    }
                    _ => (sx, sy),
                }
            }
            _ => (1.0, 1.0),
        };
        Matrix([sx, 0.0, 0.0, sy, vx - wx * sx, vy - wy * sy])
    }

    /// Saves the state.
    pub(super) fn save(&mut self) {
        if self.saved.len() < MAX_SAVED {
            self.saved.push(self.state.clone());
        }
    }

    /// Restores a saved state: a negative number counts back from the last state, a positive number from the first
    /// state. States that were saved after the restored one are dropped.
    pub(super) fn restore(&mut self, which: i32) {
        let len = self.saved.len() as i64;
        let at = if which < 0 {
            len + i64::from(which)
        } else {
            i64::from(which) - 1
        };
        let Ok(at) = usize::try_from(at) else {
            return;
        };
        if at < self.saved.len() {
            self.saved.truncate(at + 1);
            if let Some(state) = self.saved.pop() {
                self.state = state;
            }
        }
    }

    /// Stores an object under a handle.
    pub(super) fn create(&mut self, handle: u32, object: Object) {
        if self.objects.len() < MAX_OBJECTS || self.objects.contains_key(&handle) {
            self.objects.insert(handle, object);
        }
    }

    /// Stores an object under the lowest free handle.
    pub(super) fn create_next(&mut self, object: Object) {
        let free =
            (0..=self.objects.len() as u32).find(|handle| !self.objects.contains_key(handle));
        if let Some(handle) = free {
            self.create(handle, object);
        }
    }

    /// Deletes an object. If it is selected, it stays selected until another one replaces it.
    pub(super) fn delete(&mut self, handle: u32) {
        self.objects.remove(&handle);
    }

    /// Selects an object by its handle. The highest bit marks stock objects, which every device has.
    pub(super) fn select(&mut self, handle: u32) {
        let object = match handle & 0x8000_0000 {
            0 => self.objects.get(&handle).cloned(),
            _ => Some(stock(handle & 0x7fff_ffff)),
        };
        match object {
            Some(Object::Pen(pen)) => self.state.pen = pen,
            Some(Object::Brush(brush)) => self.state.brush = brush,
            Some(Object::Font(font)) => self.state.font = font,
            Some(Object::Other) | None => {}
        }
    }

    /// Applies a raster operation (MS-WMF 2.1.1.2). Operations that mix with the colours below are treated as a plain
    /// copy.
    pub(super) fn operation(&mut self, code: u32) {
        // R2_NOP (11), R2_BLACK (1) and R2_WHITE (16).
        self.state.hidden = code == 11;
        self.state.forced = match code {
            1 => Some([0; 3]),
            16 => Some([255; 3]),
            _ => None,
        };
    }

    /// Adds to the path while one is open; otherwise draws a new outline immediately. `make` adds the lines.
    pub(super) fn outline(
        &mut self,
        make: impl FnOnce(&mut Outline, Matrix),
        filled: bool,
        stroked: bool,
    ) {
        let matrix = self.matrix();
        if self.in_path {
            let path = self.path.get_or_insert_default();
            make(path, matrix);
            return;
        }
        let mut outline = Outline::default();
        make(&mut outline, matrix);
        self.paint(&outline, filled, stroked);
    }

    /// Draws lines that begin at the current position, or adds them to the open path. Then moves the current position
    /// to `end` if there is one.
    pub(super) fn onwards(
        &mut self,
        make: impl FnOnce(&mut Outline, Matrix),
        end: Option<(f64, f64)>,
    ) {
        let at = self.state.at;
        let begins = !self.in_path || self.path.as_ref().is_none_or(Outline::is_empty);
        self.outline(
            |outline, matrix| {
                if begins {
                    outline.move_to(matrix, at);
                }
                make(outline, matrix);
            },
            false,
            true,
        );
        if let Some(end) = end {
            self.state.at = end;
        }
    }

    /// Moves the current position. In a path, this begins a new subpath.
    pub(super) fn move_to(&mut self, point: (f64, f64)) {
        self.state.at = point;
        if self.in_path {
            let matrix = self.matrix();
            self.path.get_or_insert_default().move_to(matrix, point);
        }
    }

    /// Fills an outline with the brush if `filled`, and strokes it with the pen if `stroked`.
    pub(super) fn paint(&mut self, outline: &Outline, filled: bool, stroked: bool) {
        if outline.is_empty() || self.state.hidden {
            return;
        }
        let Some([left, top, right, bottom]) = outline.bounds else {
            return;
        };
        let fill = if filled { self.fill() } else { None };
        let stroke = if stroked { self.stroke() } else { None };
        if fill.is_none() && stroke.is_none() {
            return;
        }
        let fill = fill.unwrap_or_else(|| "fill=\"none\"".to_owned());
        let stroke = stroke.unwrap_or_default();
        self.page.ink((left, top));
        self.page.ink((right, bottom));
        let element = format!("<path d=\"{}\" {fill}{stroke}/>", outline.data);
        self.page.add(self.state.clip, &element);
    }

    /// The SVG attributes of the brush. `None` if it is invisible.
    pub(super) fn fill(&mut self) -> Option<String> {
        let rule = if self.state.winding {
            ""
        } else {
            " fill-rule=\"evenodd\""
        };
        if let Some(colour) = self.state.forced {
            return Some(format!("fill=\"{}\"{rule}", hex(colour)));
        }
        let paint = match self.state.brush.clone() {
            Brush::None => return None,
            Brush::Solid(colour) => hex(colour),
            Brush::Pattern(number) => format!("url(#p{number})"),
            Brush::Dots(dots) => {
                let dots = dots.coloured(self.state.back, self.state.text);
                match dots.plain() {
                    Some(colour) => hex(colour),
                    None => format!("url(#p{})", self.tile(&dots)?),
                }
            }
            Brush::Hatch(style, colour) => {
                let number = self.hatch(style, colour);
                format!("url(#p{number})")
            }
        };
        Some(format!("fill=\"{paint}\"{rule}"))
    }

    /// Defines a hatch pattern as an SVG pattern, and returns its number. A tile is eight pixels of a screen wide, as
    /// in Windows.
    fn hatch(&mut self, style: u32, colour: Rgb) -> usize {
        let back = self.state.opaque.then_some(self.state.back);
        // Eight pixels at 96 dots per inch, in units of the device.
        let side = round(self.dots.0.max(0.001) * 25.4 / 96.0 * 8.0);
        let half = round(side / 2.0);
        // Horizontal, vertical, both diagonals, cross, and diagonal cross (MS-WMF 2.1.1.12).
        let lines = match style {
            0 => format!("M0 {half}H{side}"),
            1 => format!("M{half} 0V{side}"),
            2 => format!("M0 0L{side} {side}"),
            3 => format!("M0 {side}L{side} 0"),
            4 => format!("M0 {half}H{side}M{half} 0V{side}"),
            _ => format!("M0 0L{side} {side}M0 {side}L{side} 0"),
        };
        self.page.define(|id| {
            let mut pattern = format!("<pattern id=\"p{id}\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\">");
            if let Some(back) = back {
                let _ = write!(pattern, "<path d=\"M0 0H{side}V{side}H0Z\" fill=\"{}\"/>", hex(back));
            }
            let _ = write!(
                pattern,
                "<path d=\"{lines}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/></pattern>",
                hex(colour),
                round(side / 8.0)
            );
            pattern
        })
    }

    /// The SVG attributes of the pen. `None` if it is invisible.
    fn stroke(&self) -> Option<String> {
        let pen = &self.state.pen;
        if !pen.shown {
            return None;
        }
        // The thinnest line is three quarters of a pixel wide at 96 dots per inch.
        let least = self.dots.0.max(0.001) * 25.4 / 96.0 * 0.75;
        let width = (pen.width * self.matrix().scale()).max(least);
        let colour = self.state.forced.unwrap_or(pen.colour);
        let mut stroke = format!(
            " stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"{}\" stroke-linejoin=\"{}\"",
            hex(colour),
            round(width),
            pen.cap,
            pen.join
        );
        if pen.join == "miter" {
            let _ = write!(
                stroke,
                " stroke-miterlimit=\"{}\"",
                round(self.state.miter.max(1.0))
            );
        }
        if !pen.dashes.is_empty() {
            let unit = width.max(least * 1.5);
            let dashes: Vec<String> = pen
                .dashes
                .iter()
                .map(|dash| round(dash * unit).to_string())
                .collect();
            let _ = write!(stroke, " stroke-dasharray=\"{}\"", dashes.join(" "));
            // Round caps would close the gaps between dashes, so they become butt caps.
            stroke = stroke.replace("linecap=\"round\"", "linecap=\"butt\"");
        }
        Some(stroke)
    }
}

/// A bitmap that has been drawn as a mask, and its rectangle.
pub(super) struct Mask {
    pub(super) pixels: Pixels,
    pub(super) destination: [f64; 4],
}
