//! Parses the content of derived image items (ISO/IEC 23008-12, 6.6.2): the descriptions of a grid and of an overlay.
//! Does not search for their input images.

use convertd_core::containers::bmff::Content;

/// A grid: tiles of equal size side by side. Cameras store large pictures in this way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Size of the whole picture in pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Grid {
    /// Parses an item of the type `grid` (6.6.2.3).
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut content = Content(bytes);
        let wide = is_wide(&mut content)?;
        let mut count = || Some(content.number(1)? as usize + 1);
        let (rows, columns) = (count()?, count()?);
        Some(Self {
            rows,
            columns,
            width: content.number(wide)? as u32,
            height: content.number(wide)? as u32,
        })
    }

    /// Returns whether tiles of this size cover the picture, and all of them are needed.
    pub(crate) fn is_covered_by(&self, width: u32, height: u32) -> bool {
        let needed = |side: u32, tile: u32| side.div_ceil(tile.max(1)) as usize;
        self.columns == needed(self.width, width) && self.rows == needed(self.height, height)
    }
}

/// An overlay: images on a canvas, the later ones above the earlier ones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Overlay {
    /// Fill colour of the canvas: red, green, blue and alpha.
    pub(crate) fill: [u16; 4],
    /// Size of the canvas in pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Position of the upper left corner of each image, which may be outside of the canvas.
    pub(crate) offsets: Vec<(i32, i32)>,
}

impl Overlay {
    /// Parses an item of the type `iovl` (6.6.2.2) with this number of images.
    pub(crate) fn parse(bytes: &[u8], pictures: usize) -> Option<Self> {
        let mut content = Content(bytes);
        let wide = is_wide(&mut content)?;
        let mut fill = [0; 4];
        for sample in &mut fill {
            *sample = content.number(2)? as u16;
        }
        let (width, height) = (content.number(wide)? as u32, content.number(wide)? as u32);
        let mut offset = || {
            let number = content.number(wide)? as u32;
            Some(match wide {
                2 => i32::from(number as u16 as i16),
                _ => number as i32,
            })
        };
        let offsets = (0..pictures).map(|_| Some((offset()?, offset()?)));
        Some(Self {
            fill,
            width,
            height,
            offsets: offsets.collect::<Option<_>>()?,
        })
    }
}

/// Reads the version, which must be 0, and returns the length of sides and offsets in bytes: 2 or 4, by a flag.
fn is_wide(content: &mut Content<'_>) -> Option<usize> {
    match (content.number(1)?, content.number(1)?) {
        (0, flags) => Some(if flags & 1 == 0 { 2 } else { 4 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_grids_have_16_or_32_bits() {
        #[track_caller]
        fn check(bytes: &[u8], expected: Option<(usize, usize, u32, u32)>) {
            let found = Grid::parse(bytes);
            let found = found.map(|grid| (grid.rows, grid.columns, grid.width, grid.height));
            assert_eq!(found, expected);
        }
        check(&[0, 0, 1, 2, 1, 0, 0, 9], Some((2, 3, 256, 9)));
        let long = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 9];
        check(&long, Some((1, 1, 65_536, 9)));
        check(&long[..11], None);
        check(&[1, 0, 1, 2, 1, 0, 0, 9], None);
        check(&[], None);
    }

    #[test]
    fn all_tiles_are_needed_to_cover_the_picture() {
        let grid = |rows, columns, width| Grid {
            rows,
            columns,
            width,
            height: 128,
        };
        assert!(grid(2, 3, 130).is_covered_by(64, 64));
        assert!(!grid(2, 3, 128).is_covered_by(64, 64));
        assert!(!grid(2, 3, 193).is_covered_by(64, 64));
        assert!(!grid(1, 3, 130).is_covered_by(64, 64));
        assert!(!grid(1, 1, 130).is_covered_by(0, 0));
    }

    #[test]
    fn layers_may_begin_outside_the_canvas() {
        let short = [
            0, 0, 0, 1, 0, 2, 0, 3, 0xff, 0xff, 0, 9, 0, 8, 0xff, 0xfe, 0, 5,
        ];
        let overlay = Overlay::parse(&short, 1).unwrap();
        assert_eq!(overlay.fill, [1, 2, 3, 0xffff]);
        assert_eq!((overlay.width, overlay.height), (9, 8));
        assert_eq!(overlay.offsets, [(-2, 5)]);
        assert_eq!(Overlay::parse(&short, 2), None);
        assert_eq!(Overlay::parse(&short[..17], 1), None);
    }
}
