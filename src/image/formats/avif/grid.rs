//! Pictures made of tiles (ISO/IEC 23008-12, 6.6.2.3.2), as cameras make them of large ones. Decodes none of them.

use super::fault::Fault;
use crate::job::Input;
use std::io::{Read, SeekFrom};

/// A coded picture: places and lengths of its pieces in the file.
pub(crate) type Extents = Vec<(u64, u64)>;

/// A coded picture, or several of one size that stand side by side.
#[derive(Debug)]
pub(crate) struct Tiles {
    /// From left to right, then from top to bottom.
    pub(crate) places: Vec<Extents>,
    pub(crate) columns: usize,
    /// Of each tile in pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Tiles {
    /// Whether tiles of this size cover a picture, and none of them is of no use.
    pub(crate) fn cover(&self, width: u32, height: u32) -> bool {
        let needed = |side: u32, tile: u32| side.div_ceil(tile.max(1)) as usize;
        let rows = self.places.len() / self.columns.max(1);
        self.columns == needed(width, self.width) && rows == needed(height, self.height)
    }
}

/// What a grid says about itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Of the whole in pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Grid {
    /// Reads it from where it stands.
    pub(crate) fn read(input: &mut dyn Input, places: &Extents) -> Result<Self, Fault> {
        const MOST: u64 = 12;
        let mut bytes = Vec::new();
        for &(at, len) in places {
            input.seek(SeekFrom::Start(at))?;
            let room = MOST - bytes.len() as u64;
            (&mut *input).take(len.min(room)).read_to_end(&mut bytes)?;
        }
        Self::parse(&bytes).ok_or(Fault::Broken)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (&[0, flags, rows, columns], sides) = bytes.split_first_chunk()? else {
            return None;
        };
        let (width, height) = if flags & 1 == 0 {
            let &[a, b, c, d] = sides.first_chunk()?;
            (
                u16::from_be_bytes([a, b]).into(),
                u16::from_be_bytes([c, d]).into(),
            )
        } else {
            let (width, rest) = sides.split_first_chunk()?;
            let height = rest.first_chunk()?;
            (u32::from_be_bytes(*width), u32::from_be_bytes(*height))
        };
        Some(Self {
            rows: usize::from(rows) + 1,
            columns: usize::from(columns) + 1,
            width,
            height,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_short_or_long_sides() {
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
    fn tiles_cover_the_picture_exactly() {
        let tiles = |count, columns| Tiles {
            places: vec![Vec::new(); count],
            columns,
            width: 64,
            height: 64,
        };
        assert!(tiles(6, 3).cover(130, 128));
        assert!(!tiles(6, 3).cover(128, 128));
        assert!(!tiles(6, 3).cover(193, 128));
        assert!(!tiles(3, 3).cover(130, 128));
        assert!(!tiles(0, 0).cover(130, 128));
    }
}
