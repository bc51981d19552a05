//! The transformative properties of a decoded image: clean aperture (cropping), rotation and mirroring (ISO/IEC
//! 23008-12, 6.5.9 to 6.5.12, and ISO/IEC 14496-12, 12.1.4.1). Moves no pixels: any sequence of these properties is
//! equal to one rectangle and one orientation.

use convertd_core::containers::bmff::Content;
use image::metadata::Orientation;

/// The displayed part of an image, and its orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Left edge of the displayed rectangle in the image before rotation, in pixels.
    pub(crate) left: u32,
    /// Top edge of that rectangle in pixels.
    pub(crate) top: u32,
    /// Width of that rectangle in pixels.
    pub(crate) width: u32,
    /// Height of that rectangle in pixels.
    pub(crate) height: u32,
    /// Whether rows of the result are columns of the image.
    swaps: bool,
    /// Whether columns of the image are read from right to left.
    from_right: bool,
    /// Whether rows of the image are read from the bottom up.
    from_below: bool,
}

impl Placement {
    /// The whole image, not rotated.
    pub(crate) fn whole(width: u32, height: u32) -> Self {
        Self {
            left: 0,
            top: 0,
            width,
            height,
            swaps: false,
            from_right: false,
            from_below: false,
        }
    }

    /// Applies a property. `None` if it is invalid. Ignores properties that are not transformative.
    pub(crate) fn then(&mut self, name: &[u8; 4], property: &[u8]) -> Option<()> {
        match name {
            b"irot" => (0..property.first()? & 3).for_each(|_| self.turn_left()),
            b"imir" => self.mirror(property.first()? & 1 == 1),
            b"clap" => self.cut(property)?,
            _ => {}
        }
        Some(())
    }

    /// Width and height of the result.
    pub(crate) fn sides(&self) -> (u32, u32) {
        if self.swaps {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        }
    }

    /// Returns whether the whole of an image with this size is displayed.
    pub(crate) fn is_whole(&self, width: u32, height: u32) -> bool {
        (self.width, self.height) == (width, height)
    }

    /// The orientation as an EXIF value.
    pub(crate) fn orientation(&self) -> Orientation {
        let tag = match (self.swaps, self.from_right, self.from_below) {
            (false, false, false) => 1,
            (false, true, false) => 2,
            (false, true, true) => 3,
            (false, false, true) => 4,
            (true, false, false) => 5,
            (true, false, true) => 6,
            (true, true, true) => 7,
            (true, true, false) => 8,
        };
        Orientation::from_exif(tag).unwrap_or(Orientation::NoTransforms)
    }

    /// Rotates the result by 90 degrees, anticlockwise.
    fn turn_left(&mut self) {
        self.swaps = !self.swaps;
        if self.swaps {
            self.from_right = !self.from_right;
        } else {
            self.from_below = !self.from_below;
        }
    }

    /// Mirrors the result: left to right if `sideways`, otherwise top to bottom.
    fn mirror(&mut self, sideways: bool) {
        if sideways == self.swaps {
            self.from_below = !self.from_below;
        } else {
            self.from_right = !self.from_right;
        }
    }

    /// Crops the result to a clean aperture. The property states the size of the aperture, and the distance of its
    /// centre from the image's centre, as fractions.
    fn cut(&mut self, property: &[u8]) -> Option<()> {
        let mut content = Content(property);
        // Positions are in units of 1/256 pixel. All numbers are a numerator and a denominator.
        let mut fraction = |is_signed: bool| {
            let numerator = content.number(4)? as u32;
            let denominator = content.number(4)? as i64;
            let numerator = match is_signed {
                true => i64::from(numerator as i32),
                false => i64::from(numerator),
            };
            (denominator > 0).then(|| (numerator << 8) / denominator)
        };
        let (wide, high) = (fraction(false)? >> 8, fraction(false)? >> 8);
        let (across, down) = (fraction(true)?, fraction(true)?);
        let (width, height) = self.sides();
        let along = |side: u32, len: i64, offset: i64| {
            let side = i64::from(side);
            let start = ((side - len) * 128 + offset) >> 8;
            let end = (start + len).min(side);
            let start = start.max(0);
            (end > start).then_some((start as u32, (end - start) as u32))
        };
        let (left, width) = along(width, wide, across)?;
        let (top, height) = along(height, high, down)?;
        let (x, y) = if self.swaps {
            ((top, height), (left, width))
        } else {
            ((left, width), (top, height))
        };
        let from = |(start, len): (u32, u32), side: u32, backwards: bool| {
            if backwards { side - start - len } else { start }
        };
        self.left += from(x, self.width, self.from_right);
        self.top += from(y, self.height, self.from_below);
        (self.width, self.height) = (x.1, y.1);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clean aperture of whole numbers, with offsets in halves.
    fn clap(width: u32, height: u32, across: i32, down: i32) -> Vec<u8> {
        let offset = |offset: i32| [offset as u32, 2];
        let numbers = [[width, 1], [height, 1], offset(across), offset(down)];
        let bytes = numbers.as_flattened().iter();
        bytes.flat_map(|number| number.to_be_bytes()).collect()
    }

    #[track_caller]
    fn check(steps: &[(&[u8; 4], Vec<u8>)], part: [u32; 4], orientation: u8) {
        let mut placement = Placement::whole(100, 60);
        for (name, property) in steps {
            placement.then(name, property).unwrap();
        }
        let Placement {
            left,
            top,
            width,
            height,
            ..
        } = placement;
        assert_eq!([left, top, width, height], part);
        let expected = Orientation::from_exif(orientation).unwrap();
        assert_eq!(placement.orientation(), expected);
    }

    #[test]
    fn rotations_and_mirrors_combine() {
        const WHOLE: [u32; 4] = [0, 0, 100, 60];
        let turn = |quarters| (b"irot", vec![quarters]);
        let mirror = |axis| (b"imir", vec![axis]);
        check(&[], WHOLE, 1);
        check(&[turn(1)], WHOLE, 8);
        check(&[turn(2)], WHOLE, 3);
        check(&[turn(3)], WHOLE, 6);
        check(&[mirror(1)], WHOLE, 2);
        check(&[mirror(0)], WHOLE, 4);
        check(&[turn(1), mirror(0)], WHOLE, 5);
        check(&[turn(1), mirror(1)], WHOLE, 7);
        check(&[turn(3), mirror(1)], WHOLE, 5);
        check(&[turn(3), mirror(0)], WHOLE, 7);
        check(&[mirror(1), turn(1)], WHOLE, 5);
        check(&[turn(1), turn(1), turn(2)], WHOLE, 1);
    }

    #[test]
    fn apertures_apply_before_and_after_a_rotation() {
        let turn = |quarters| (b"irot", vec![quarters]);
        check(&[(b"clap", clap(40, 20, 0, 0))], [30, 20, 40, 20], 1);
        // The aperture is moved by 10 to the right and 5 up.
        let off = clap(40, 20, 20, -10);
        check(&[(b"clap", off.clone())], [40, 15, 40, 20], 1);
        check(&[(b"clap", off.clone()), turn(1)], [40, 15, 40, 20], 8);
        // After a turn to the left, the picture is 60 wide and 100 high. Its right side was at the bottom before, and
        // its top was at the right.
        check(&[turn(1), (b"clap", off)], [45, 20, 20, 40], 8);
        // A part that reaches beyond the picture is reduced to the overlap.
        check(&[(b"clap", clap(40, 20, 120, 0))], [90, 20, 10, 20], 1);
        let twice = [
            (b"clap", clap(40, 20, 0, 0)),
            (b"clap", clap(10, 10, -30, 0)),
        ];
        check(&twice, [30, 25, 10, 10], 1);
    }

    #[test]
    fn empty_apertures_are_refused() {
        let refused = |property: &[u8]| Placement::whole(100, 60).then(b"clap", property).is_none();
        assert!(refused(&clap(0, 20, 0, 0)));
        assert!(refused(&clap(40, 20, 400, 0)));
        assert!(refused(&clap(40, 20, 0, 0)[..31]));
        let mut divided = clap(40, 20, 0, 0);
        divided[4..8].fill(0);
        assert!(refused(&divided));
    }
}
