//! The size of a page, and the size and position of the picture on it. Lengths are in points of 1/72 inch. Draws
//! nothing.

use crate::job::Options;
use convertd_layout::paper::{MARGIN, PAGE_SIZE, is_landscape};
use convertd_pdfwrite::object::image::turn;
use image::metadata::Orientation;

/// The density of a picture that states none, in dots per inch, as on the web.
const DOTS: f64 = 96.0;
/// Plausible densities in dots per inch. A picture with any other density is treated as if it stated none.
const CREDIBLE: std::ops::RangeInclusive<f64> = 10.0..=10_000.0;
/// The smallest width and height of a page, in points (ISO 32000-1, annex C).
const LEAST: f64 = 3.0;
/// The largest width and height of a page, in points (ISO 32000-1, annex C).
const MAX: f64 = 14_400.0;
const POINTS_PER_MILLIMETRE: f64 = 72.0 / 25.4;

/// The size of a page and the position of its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paper {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The left and lower edge, the width and the height of the picture as displayed.
    pub(super) picture: [f64; 4],
}

impl Paper {
    /// Places a picture of this displayed size in pixels, with this density in dots per inch.
    ///
    /// Without a paper size, the page is as large as the picture with its margins, within the limits of PDF. A picture
    /// that is larger than the page without its margins is scaled down; any other has the size that follows from its
    /// density. The picture is in the centre of the page. A landscape picture gets landscape paper, unless an
    /// orientation is given. An orientation without a paper size means A4.
    pub(super) fn of(
        (width, height): (f64, f64),
        density: Option<(f64, f64)>,
        options: &Options,
    ) -> Self {
        let is_credible =
            |(across, down): &(f64, f64)| CREDIBLE.contains(across) && CREDIBLE.contains(down);
        let (across, down) = density.filter(is_credible).unwrap_or((DOTS, DOTS));
        let own = (width * 72.0 / across, height * 72.0 / down);
        let margin = f64::from(options.integer(MARGIN.name).unwrap_or(0)) * POINTS_PER_MILLIMETRE;
        let landscape = is_landscape(options);
        let paper = options
            .word(PAGE_SIZE.name)
            .or(landscape.map(|_| "a4"))
            .and_then(convertd_layout::paper::size);
        let page = match paper {
            Some((short, long)) => {
                let (short, long) = (short * POINTS_PER_MILLIMETRE, long * POINTS_PER_MILLIMETRE);
                match landscape.unwrap_or(own.0 > own.1) {
                    true => (long, short),
                    false => (short, long),
                }
            }
            None => {
                let fits = |side: f64| (side + 2.0 * margin).clamp(LEAST, MAX);
                (fits(own.0), fits(own.1))
            }
        };
        // The picture may take at least a third of each side of the page, even if the margins leave less.
        let available = |side: f64| (side - 2.0 * margin).max(side / 3.0);
        let available = (available(page.0), available(page.1));
        let scale = (available.0 / own.0).min(available.1 / own.1).min(1.0);
        let seen = (own.0 * scale, own.1 * scale);
        Self {
            width: page.0,
            height: page.1,
            picture: [
                (page.0 - seen.0) / 2.0,
                (page.1 - seen.1) / 2.0,
                seen.0,
                seen.1,
            ],
        }
    }

    /// The matrix that puts the picture in its place on the page, and turns or mirrors it by its orientation. PDF draws
    /// an image into the unit square (ISO 32000-1, 8.9.5), which the matrix maps to that place.
    pub(super) fn matrix(&self, orientation: Orientation) -> [f32; 6] {
        let [x, y, w, h] = self.picture;
        let [a, b, c, d, e, f] = turn(orientation).map(f64::from);
        let matrix = [a * w, b * h, c * w, d * h, x + e * w, y + f * h];
        matrix.map(|number| number as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_as_large_as_pictures_or_as_paper() {
        #[track_caller]
        fn check(
            size: (u32, u32),
            density: Option<f64>,
            fields: &[(&str, &str)],
            expected: [i32; 6],
        ) {
            let mut options = Options::default();
            for (name, value) in fields {
                options.insert(*name, *value);
            }
            let size = (f64::from(size.0), f64::from(size.1));
            let paper = Paper::of(size, density.map(|dots| (dots, dots)), &options);
            let [x, y, w, h] = paper.picture;
            let found = [paper.width, paper.height, x, y, w, h].map(|side| side.round() as i32);
            assert_eq!(found, expected);
        }
        check((96, 192), None, &[], [72, 144, 0, 0, 72, 144]);
        check((300, 600), Some(300.0), &[], [72, 144, 0, 0, 72, 144]);
        check((300, 600), Some(1e9), &[], [225, 450, 0, 0, 225, 450]);
        let margin = ("margin", "10");
        check((96, 192), None, &[margin], [129, 201, 28, 28, 72, 144]);
        let a4 = ("page_size", "a4");
        check((4000, 3000), None, &[a4], [842, 595, 24, 0, 794, 595]);
        check(
            (3000, 4000),
            None,
            &[a4, margin],
            [595, 842, 28, 62, 539, 718],
        );
        check((96, 192), None, &[a4], [595, 842, 262, 349, 72, 144]);
        let landscape = ("orientation", "landscape");
        let portrait = ("orientation", "portrait");
        check(
            (4000, 3000),
            None,
            &[a4, portrait],
            [595, 842, 0, 198, 595, 446],
        );
        check((96, 192), None, &[landscape], [842, 595, 385, 226, 72, 144]);
        let wide = ("margin", "100");
        check(
            (3000, 4000),
            None,
            &[a4, wide],
            [595, 842, 198, 289, 198, 265],
        );
        check((100_000, 1), None, &[], [14_400, 3, 0, 1, 14_400, 0]);
    }

    #[test]
    fn corners_move_with_the_orientation() {
        /// Checks where the top left corner of the stored picture, and the corner to its right, appear on the page: on
        /// the left or right, at the bottom or top.
        #[track_caller]
        fn check(exif: u8, first: (f32, f32), second: (f32, f32)) {
            let orientation = Orientation::from_exif(exif).unwrap();
            let paper = Paper {
                width: 1.0,
                height: 1.0,
                picture: [0.0, 0.0, 1.0, 1.0],
            };
            let [a, b, c, d, e, f] = paper.matrix(orientation);
            let at = |x: f32, y: f32| (a * x + c * y + e, b * x + d * y + f);
            assert_eq!((at(0.0, 1.0), at(1.0, 1.0)), (first, second), "{exif}");
        }
        let [bottom_left, bottom_right] = [(0.0, 0.0), (1.0, 0.0)];
        let [top_left, top_right] = [(0.0, 1.0), (1.0, 1.0)];
        check(1, top_left, top_right);
        check(2, top_right, top_left);
        check(3, bottom_right, bottom_left);
        check(4, bottom_left, bottom_right);
        check(5, top_left, bottom_left);
        check(6, top_right, bottom_right);
        check(7, bottom_right, top_right);
        check(8, bottom_left, top_left);
    }
}
