//! Crops a picture row by row while it is decoded. Neither scales nor turns it.

use super::{
    animation::Area,
    hdr_colour::HdrColour,
    pixels::{Layout, Rows, orient, palette::Colours},
    source::{Header, Source},
};
use convertd_core::error::{Error, Kind, Result};

/// A source that is a rectangle of another source.
struct Cropped<'a> {
    source: Box<dyn Source<'a> + 'a>,
    /// The rectangle in the coordinates of the file, before the orientation is applied.
    part: Area,
    header: Header,
}

/// Crops a source to `area`: width, height, left and top in the upright picture.
///
/// Errors: [`Kind::BadInput`] if the area extends beyond the picture.
pub(crate) fn crop<'a>(
    mut source: Box<dyn Source<'a> + 'a>,
    area: [u32; 4],
) -> Result<Box<dyn Source<'a> + 'a>> {
    let header = source.header();
    let layout = header.layout;
    check(area, orient::upright(layout, header.orientation))?;
    let sides = (layout.width, layout.height);
    let [width, height, left, top] = orient::before(area, header.orientation, sides);
    let part = Area {
        left,
        top,
        width,
        height,
    };
    let header = header_of(part, header);
    Ok(Box::new(Cropped {
        source,
        part,
        header,
    }))
}

/// Checks that an area is within a picture.
///
/// Errors: [`Kind::BadInput`] if it is not.
pub(crate) fn check([width, height, left, top]: [u32; 4], layout: Layout) -> Result<()> {
    let fits = |at: u32, len: u32, side: u32| at.checked_add(len).is_some_and(|end| end <= side);
    if fits(left, width, layout.width) && fits(top, height, layout.height) {
        return Ok(());
    }
    Err(Error::new(
        Kind::BadInput,
        format!(
            "crop is {width}x{height}+{left}+{top}; it must lie within the picture, which has {} × {} pixels",
            layout.width, layout.height
        ),
    ))
}

/// Returns the header of the cropped picture, and moves the colour profile of `whole` to it.
fn header_of(part: Area, whole: &mut Header) -> Header {
    Header {
        layout: whole.layout.sized(part.width, part.height),
        icc: whole.icc.take(),
        memory: whole.memory + 2 * whole.layout.row_bytes() as u64,
        ..*whole
    }
}

impl<'a> Source<'a> for Cropped<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        self.source.notes()
    }

    fn hdr(&self) -> Option<HdrColour> {
        self.source.hdr()
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        let colours = self.source.index(transparency)?;
        let icc = self.header.icc.take();
        self.header = Header {
            icc,
            ..header_of(self.part, self.source.header())
        };
        Some(colours)
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self { source, part, .. } = *self;
        let mut rows = source.decode()?;
        let mut row = vec![0; rows.layout().row_bytes()];
        // The rows above the rectangle have to be decoded, too.
        for _ in 0..part.top {
            rows.next_row(&mut row)?;
        }
        Ok(Box::new(CroppedRows { rows, part, row }))
    }
}

/// The rows of a rectangle.
struct CroppedRows<'a> {
    rows: Box<dyn Rows + 'a>,
    part: Area,
    /// A row of the whole picture.
    row: Vec<u8>,
}

impl Rows for CroppedRows<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout().sized(self.part.width, self.part.height)
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.next_row(&mut self.row)?;
        let from = self.part.left as usize * self.rows.layout().pixel_bytes();
        row.copy_from_slice(&self.row[from..from + row.len()]);
        Ok(())
    }

    fn in_memory(&self) -> bool {
        self.rows.in_memory()
    }
}
