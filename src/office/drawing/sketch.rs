//! A drawing of shapes in a frame, which may reach beyond it: lines have a thickness and ends, and what is turned
//! leaves its rectangle. Reads no file.

use super::{Arrow, Art, Command, Fill, Line, POINT, Path, Place, Rgba, Shown};

/// The longest drawing, in bytes. What comes later is left out.
const MOST: usize = 8 << 20;

/// Limit on the overhang of a drawing beyond its frame, in points.
const REACH: f64 = 2000.0;

/// A drawing that is being made. Its shapes are placed in English Metric Units from the upper left corner of its frame.
pub struct Sketch {
    art: Art,
    /// The width and height of the frame, in points.
    frame: (f64, f64),
    /// Overhang beyond the frame to either side, and above and below.
    reach: (f64, f64),
    /// Whether something was left out because it is too long.
    pub is_cut: bool,
}

/// A drawing as a file.
pub struct Sketched {
    pub svg: Vec<u8>,
    /// Its width and height in points. The frame is in the middle of it.
    pub size: (f64, f64),
}

impl Sketch {
    /// An empty drawing in a frame of this size, in English Metric Units.
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

    /// Draws a shape, whose paths count from the corner of its place. `picture` is what fills it if its fill is a
    /// picture.
    pub fn shape(
        &mut self,
        place: &Place,
        paths: &[Path],
        fill: &Fill,
        line: Option<&Line>,
        picture: Option<Shown<'_>>,
    ) {
        if !self.has_room() || (*fill == Fill::None && line.is_none()) {
            return;
        }
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

    /// Draws a picture in its place.
    pub fn picture(&mut self, place: &Place, picture: &Shown<'_>) {
        if !self.has_room() {
            return;
        }
        let (right, bottom) = (place.width, place.height);
        for corner in [(0.0, 0.0), (right, 0.0), (0.0, bottom), (right, bottom)] {
            self.include(place, corner, 0.0);
        }
        self.art.picture(place, picture);
    }

    /// Draws words that are stretched to fill a place.
    pub fn words(&mut self, place: &Place, words: &str, colour: Rgba) {
        if !self.has_room() || words.trim().is_empty() {
            return;
        }
        let (right, bottom) = (place.width, place.height);
        for corner in [(0.0, 0.0), (right, 0.0), (0.0, bottom), (right, bottom)] {
            self.include(place, corner, 0.0);
        }
        self.art.words(place, words, colour);
    }

    /// The drawing, even if there is nothing on it.
    pub fn finish(mut self) -> Sketched {
        let (across, down) = self.reach;
        let size = (self.frame.0 + 2.0 * across, self.frame.1 + 2.0 * down);
        Sketched {
            svg: self.art.file((-across, -down), size),
            size,
        }
    }

    /// Returns whether there is anything on it.
    pub fn is_empty(&self) -> bool {
        self.art.len() == 0
    }

    fn has_room(&mut self) -> bool {
        self.is_cut |= self.art.len() > MOST;
        !self.is_cut
    }

    /// Makes room for a point of a shape, with so much around it.
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
