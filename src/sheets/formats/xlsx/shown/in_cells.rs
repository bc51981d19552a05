//! Places the pictures in cells on the sheet. Each keeps its proportions and fits into its cell.

use super::MAX_PART;
use crate::{
    error::Result,
    ooxml::Package,
    shown::book::{Anchor, Extent, Grid, MAX_LIST, Placed},
};
use convertd_tree::{Builder, ResourceId, media};
use std::collections::HashMap;

/// Distance between a picture and the edges of its cell, in points. Keeps the grid lines visible.
const MARGIN: f32 = 1.0;

/// A picture in a cell.
pub(super) struct InCell {
    pub(super) row: u32,
    pub(super) column: u32,
    /// Name of the picture's part.
    pub(super) part: String,
    pub(super) text: Box<str>,
}

/// A picture of the workbook, stored as a resource.
#[derive(Clone, Copy)]
struct StoredPicture {
    picture: ResourceId,
    /// Width and height in pixels, if its header states them.
    size: Option<(f32, f32)>,
}

/// Adds pictures in cells to the pictures of a sheet, up to [`MAX_LIST`].
pub(super) fn place(
    package: &mut Package<'_>,
    found: Vec<InCell>,
    grid: &mut Grid,
    build: &mut Builder<'_>,
) -> Result<()> {
    // Many cells may show the same picture.
    let mut known: HashMap<String, Option<StoredPicture>> = HashMap::new();
    for cell in found {
        if grid.pictures.len() >= MAX_LIST {
            break;
        }
        let picture = match known.get(&cell.part) {
            Some(picture) => *picture,
            None => {
                let picture = read(package, &cell.part, build)?;
                known.insert(cell.part, picture);
                picture
            }
        };
        let Some(StoredPicture { picture, size }) = picture else {
            continue;
        };
        let first = (cell.row, cell.column);
        let merged = grid.merged.iter().find(|range| range.first == first);
        let last = merged.map_or(first, |range| range.last);
        let corner = |(row, column): (u32, u32)| Anchor {
            row,
            column,
            ..Anchor::default()
        };
        let from = corner(first);
        let after = corner((last.0.saturating_add(1), last.1.saturating_add(1)));
        let (width, height) = grid.extent(&from, &Extent::To(after));
        let (width, height) = (width - 2.0 * MARGIN, height - 2.0 * MARGIN);
        if width <= 0.0 || height <= 0.0 {
            continue;
        }
        let (own_width, own_height) = size.unwrap_or((width, height));
        let scale = (width / own_width).min(height / own_height);
        let (shown_width, shown_height) = (own_width * scale, own_height * scale);
        grid.pictures.push(Placed {
            from: Anchor {
                x: MARGIN + (width - shown_width) / 2.0,
                y: MARGIN + (height - shown_height) / 2.0,
                ..from
            },
            extent: Extent::Size(shown_width, shown_height),
            picture,
            alternative: cell.text,
        });
    }
    Ok(())
}

/// Reads a picture. `None` if its part is missing or larger than [`MAX_PART`].
fn read(
    package: &mut Package<'_>,
    part: &str,
    build: &mut Builder<'_>,
) -> Result<Option<StoredPicture>> {
    let Some(bytes) = package.blob(part, MAX_PART)? else {
        return Ok(None);
    };
    let size = media::size(&bytes).map(|size| (size.width as f32, size.height as f32));
    let name = part.rsplit('/').next().unwrap_or_default();
    let picture = build.resource(bytes, name, None)?;
    Ok(Some(StoredPicture { picture, size }))
}
