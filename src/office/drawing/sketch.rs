//! A drawing of shapes in a frame. Shapes may extend beyond it, because lines have a width and decorations, and rotated
//! shapes leave their rectangles. Reads no files.

use super::{Arrow, Art, Command, Fill, Line, Path, Place, Rgba, Shown};
use convertd_tree::POINT;

/// Length of a drawing, in bytes, above which all further shapes are left out.
const MAX: usize = 8 << 20;

/// Max. overhang beyond the frame at each side, in points.
const REACH: f64 = 2000.0;

/// Drawing that is being made. Shapes are placed in English Metric Units from the upper left corner of the frame.
pub struct Sketch {
    art: Art,
    /// Width and height of the frame, in points.
    frame: (f64, f64),
    /// Overhang beyond the frame, in points: the same at the left and the right, and the same at the top and the
    /// bottom.
    reach: (f64, f64),
    /// Whether the drawing reached its max. length, and shapes are missing.
    pub is_cut: bool,
}

/// Finished drawing.
pub struct Sketched {
    /// SVG file.
    pub svg: Vec<u8>,
    /// Width and height, in points. The frame is in the centre.
    pub size: (f64, f64),
}

impl Sketch {
    /// Creates an empty drawing for a frame of this size, in English Metric Units.
    pub fn new(width: f64, height: f64) -> Self {
        let side = |emu: f64| (emu / POINT).clamp(0.0, 14_400.0);
        let frame = (side(width), side(height));
        Self {
            art: Art::new(frame),
            frame,
            reach: (0.0, 0.0),
            is_cut: false,
        }
    }

    /// Draws a shape. The coordinates of its paths begin at the corner of its place. `picture` is the fill of the
    /// shape, if that fill is a picture.
    pub fn shape(
        &mut self,
        place: &Place,
        paths: &[Path],
        fill: &Fill,
        line: Option<&Line>,
        picture: Option<Shown<'_>>,
    ) {
        if !self.is_below_limit() || (*fill == Fill::None && line.is_none()) {
            return;
        }
        // Distance in points to which the line and its decorations extend from the path.
        let stroke = line.map_or(0.0, |line| {
            let width = line.width as f64 / POINT;
            let ends = line.ends != [Arrow::None; 2];
            width / 2.0 + if ends { width.max(1.0) * 1.5 } else { 0.0 }
        });
        for point in paths.iter().flat_map(|path| &path.commands) {
            match *point {
                Command::Move(x, y) | Command::Line(x, y) => self.include(place, (x, y), stroke),
                Command::Curve([a, b, c, d, x, y]) => {
                    for at in [(a, b), (c, d), (x, y)] {
                        self.include(place, at, stroke);
                    }
                }
                Command::Close => {}
            }
        }
        self.art.paths(place, paths, fill, line, picture);
    }

    /// Draws a picture.
    pub fn picture(&mut self, place: &Place, picture: &Shown<'_>) {
        if !self.is_below_limit() {
            return;
        }
        let (right, bottom) = (place.width, place.height);
        for corner in [(0.0, 0.0), (right, 0.0), (0.0, bottom), (right, bottom)] {
            self.include(place, corner, 0.0);
        }
        self.art.picture(place, picture);
    }

    /// Draws text that is stretched to fill a place.
    pub fn words(&mut self, place: &Place, words: &str, colour: Rgba) {
        if !self.is_below_limit() || words.trim().is_empty() {
            return;
        }
        let (right, bottom) = (place.width, place.height);
        for corner in [(0.0, 0.0), (right, 0.0), (0.0, bottom), (right, bottom)] {
            self.include(place, corner, 0.0);
        }
        self.art.words(place, words, colour);
    }

    /// Returns the drawing, even if it is empty.
    pub fn finish(mut self) -> Sketched {
        let (across, down) = self.reach;
        let size = (self.frame.0 + 2.0 * across, self.frame.1 + 2.0 * down);
        Sketched {
            svg: self.art.file((-across, -down), size),
            size,
        }
    }

    /// Returns whether nothing was drawn.
    pub fn is_empty(&self) -> bool {
        self.art.len() == 0
    }

    /// Returns whether the drawing is below its max. length.
    fn is_below_limit(&mut self) -> bool {
        self.is_cut |= self.art.len() > MAX;
        !self.is_cut
    }

    /// Extends the overhang to contain a point of a shape, with a distance of `around` points on all sides. The
    /// coordinates of the point begin at the corner of the shape's place.
    fn include(&mut self, place: &Place, (x, y): (f64, f64), around: f64) {
        let (half_width, half_height) = (place.width / 2.0, place.height / 2.0);
        let flip = |flipped: bool, at: f64| if flipped { -at } else { at };
        let (x, y) = (
            flip(place.flips.0, x - half_width),
            flip(place.flips.1, y - half_height),
        );
        let (sin, cos) = place.turn.to_radians().sin_cos();
        let (x, y) = (
            (place.x + half_width + x * cos - y * sin) / POINT,
            (place.y + half_height + x * sin + y * cos) / POINT,
        );
        let beyond = |at: f64, side: f64| (around - at).max(at + around - side).clamp(0.0, REACH);
        self.reach.0 = self.reach.0.max(beyond(x, self.frame.0));
        self.reach.1 = self.reach.1.max(beyond(y, self.frame.1));
    }
}
