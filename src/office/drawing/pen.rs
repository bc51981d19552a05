//! Draws paths in the coordinates of a shape, scaled to its rectangle: lines, curves and parts of ellipses. Reads no
//! notation.

use super::{Command, Path, Shade};

/// Pen that converts the commands of a path to an outline.
pub struct Pen {
    /// Upper left corner of the coordinate system.
    pub origin: (f64, f64),
    /// Horizontal and vertical scale.
    pub scale: (f64, f64),
    /// Current position, in the coordinates of the shape.
    pub at: (f64, f64),
    /// Number of commands so far.
    pub steps: usize,
    /// Finished paths.
    pub paths: Vec<Path>,
    /// Path that is being drawn.
    pub current: Path,
}

/// Returns an empty path, which is filled and stroked.
pub fn open() -> Path {
    Path {
        commands: Vec::new(),
        shade: Some(Shade::Plain),
        stroked: true,
    }
}

impl Pen {
    /// Creates a pen for coordinates that begin at `origin`, and are multiplied by `scale`.
    pub fn new(origin: (f64, f64), scale: (f64, f64)) -> Self {
        Self {
            origin,
            scale,
            at: (0.0, 0.0),
            steps: 0,
            paths: Vec::new(),
            current: open(),
        }
    }

    /// Converts a point to the coordinates of the outline.
    pub fn point(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (
            (x - self.origin.0) * self.scale.0,
            (y - self.origin.1) * self.scale.1,
        )
    }

    /// Adds a command to the current path.
    pub fn push(&mut self, command: Command) {
        self.steps += 1;
        self.current.commands.push(command);
    }

    /// Ends the current path, and begins another path. An empty path is dropped.
    pub fn end(&mut self) {
        let path = std::mem::replace(&mut self.current, open());
        if !path.commands.is_empty() {
            self.paths.push(path);
        }
    }

    /// Draws a line.
    pub fn line(&mut self, to: (f64, f64)) {
        self.at = to;
        let (x, y) = self.point(to);
        self.push(Command::Line(x, y));
    }

    /// Draws a Bézier curve with two control points.
    pub(crate) fn curve(
        &mut self,
        first_control: (f64, f64),
        second_control: (f64, f64),
        to: (f64, f64),
    ) {
        self.at = to;
        let ((a, b), (c, d), (x, y)) = (
            self.point(first_control),
            self.point(second_control),
            self.point(to),
        );
        self.push(Command::Curve([a, b, c, d, x, y]));
    }

    /// Draws a Bézier curve with one control point.
    pub(crate) fn quadratic(&mut self, control: (f64, f64), to: (f64, f64)) {
        let two_thirds = |from: f64, to: f64| from + (to - from) * 2.0 / 3.0;
        let first_control = (
            two_thirds(self.at.0, control.0),
            two_thirds(self.at.1, control.1),
        );
        let second_control = (two_thirds(to.0, control.0), two_thirds(to.1, control.1));
        self.curve(first_control, second_control, to);
    }

    /// Draws an arc of an ellipse with the radii `width` and `height`. Angles are in radians on the circle that is
    /// stretched to the ellipse; positive angles are clockwise, because y increases downwards.
    pub(crate) fn arc(
        &mut self,
        centre: (f64, f64),
        (width, height): (f64, f64),
        begin: f64,
        sweep: f64,
        begins_path: bool,
    ) {
        let on = |angle: f64| {
            (
                centre.0 + width * angle.cos(),
                centre.1 + height * angle.sin(),
            )
        };
        let sweep = sweep.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
        let from = on(begin);
        // With `begins_path`, or if the path is still empty, a new subpath starts at the beginning of the arc.
        // Otherwise a line leads from the current position to the beginning of the arc.
        match begins_path || self.current.commands.is_empty() {
            true => {
                self.at = from;
                let (x, y) = self.point(from);
                self.push(Command::Move(x, y));
            }
            false => self.line(from),
        }
        let pieces = (sweep.abs() / std::f64::consts::FRAC_PI_2)
            .ceil()
            .clamp(1.0, 4.0);
        let step = sweep / pieces;
        // Distance of the control points from the ends of a piece, relative to the radius.
        let reach = 4.0 / 3.0 * (step / 4.0).tan();
        for piece in 0..pieces as usize {
            let begin_angle = begin + step * piece as f64;
            let end_angle = begin_angle + step;
            let (a, b) = (on(begin_angle), on(end_angle));
            self.curve(
                (
                    a.0 - reach * width * begin_angle.sin(),
                    a.1 + reach * height * begin_angle.cos(),
                ),
                (
                    b.0 + reach * width * end_angle.sin(),
                    b.1 - reach * height * end_angle.cos(),
                ),
                b,
            );
        }
    }

    /// Draws an arc of the ellipse in a rectangle, between the rays from the centre of the ellipse to two points.
    /// `numbers` are left, top, right and bottom of the rectangle, and the coordinates of the two points.
    pub(crate) fn bounded_arc(&mut self, numbers: [f64; 8], clockwise: bool, begins_path: bool) {
        let [left, top, right, bottom, from_x, from_y, to_x, to_y] = numbers;
        let centre = ((left + right) / 2.0, (top + bottom) / 2.0);
        let (width, height) = ((right - left) / 2.0, (bottom - top) / 2.0);
        if width == 0.0 || height == 0.0 {
            return self.line((to_x, to_y));
        }
        let angle = |x: f64, y: f64| ((y - centre.1) / height).atan2((x - centre.0) / width);
        let (begin, end) = (angle(from_x, from_y), angle(to_x, to_y));
        let tau = std::f64::consts::TAU;
        let mut sweep = (end - begin).rem_euclid(tau);
        // Points in the same direction from the centre result in the whole ellipse.
        if sweep < 1e-9 {
            sweep = tau;
        }
        if !clockwise && sweep < tau {
            sweep -= tau;
        }
        self.arc(centre, (width, height), begin, sweep, begins_path);
    }

    /// Draws a quarter of an ellipse, which starts horizontally (`across`) or vertically.
    pub fn quarter(&mut self, (x, y): (f64, f64), across: bool) {
        /// Distance of the control points from the ends of a quarter, relative to the radius.
        const REACH: f64 = 0.552_284_75;
        let (from_x, from_y) = self.at;
        let (dx, dy) = ((x - from_x) * REACH, (y - from_y) * REACH);
        let (first_control, second_control) = match across {
            true => ((from_x + dx, from_y), (x, y - dy)),
            false => ((from_x, from_y + dy), (x - dx, y)),
        };
        self.curve(first_control, second_control, (x, y));
    }
}
