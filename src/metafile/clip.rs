//! The clip of a device, the area in which it draws: rectangles, regions and outlines. Paints nothing.

use super::{bytes::Bytes, device::Device, page::Matrix, path::Outline};

/// Maximum number of rectangles in a region.
const MAX_RECTANGLES: usize = 4000;

/// RGN_AND: intersects the clip with a region (MS-EMF 2.1.29).
const AND: u32 = 1;
/// RGN_DIFF: removes a region from the clip.
const DIFFERENCE: u32 = 4;
/// RGN_COPY: replaces the clip by a region.
const COPY: u32 = 5;

impl Device {
    /// Restricts drawing to a rectangle, or to the area outside of it.
    pub(super) fn clip_rectangle(&mut self, corners: [f64; 4], inside: bool) {
        let mut outline = Outline::default();
        outline.rectangle(self.matrix(), corners);
        self.clip_outline(&outline, if inside { AND } else { DIFFERENCE }, false);
    }

    /// Combines the clip with an outline by the mode `how`.
    pub(super) fn clip_outline(&mut self, outline: &Outline, how: u32, even_odd: bool) {
        match how {
            AND => self.state.clip = Some(self.page.clip(self.state.clip, &outline.data, even_odd)),
            COPY => self.state.clip = Some(self.page.clip(None, &outline.data, even_odd)),
            DIFFERENCE => {
                // Cuts the outline out of a rectangle around the whole device.
                let data = format!(
                    "M-9999999 -9999999H9999999V9999999H-9999999Z{}",
                    outline.data
                );
                self.state.clip = Some(self.page.clip(self.state.clip, &data, true));
            }
            // SVG has no union of clips. The clip is dropped: too much is shown rather than too little.
            _ => {
                self.state.clip = None;
                self.page.cut = true;
            }
        }
    }

    /// Combines the clip with a region (MS-EMF 2.2.24), in units of the device. Without a region, RGN_COPY removes the
    /// clip, and other modes have no effect.
    pub(super) fn clip_region(&mut self, region: Option<Bytes<'_>>, how: u32) {
        match region {
            Some(region) => {
                let outline = self::region(region, Matrix::IDENTITY);
                self.clip_outline(&outline, how, false);
            }
            None if how == COPY => self.state.clip = None,
            None => {}
        }
    }
}

/// The rectangles of a region.
pub(super) fn region(region: Bytes<'_>, matrix: Matrix) -> Outline {
    let mut outline = Outline::default();
    let count = region.u32(8).unwrap_or(0) as usize;
    for nth in 0..count.min(MAX_RECTANGLES) {
        let Some(corners) = region.rectangle(32 + nth * 16) else {
            break;
        };
        outline.rectangle(matrix, corners);
    }
    outline
}
