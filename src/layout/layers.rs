//! The floats of the page that is being filled: their exclusions, and the layers behind and in front of the text. Does
//! not break lines.

use super::{
    around::Exclusion,
    float::ReferenceAreas,
    item::Area,
    item::Float,
    medium::{Medium, Placed},
};
use convertd_tree::Wrap;

/// Limit on the exclusions of a page. The time for finding space for a line is proportional to their number.
const MAX: usize = 400;

/// Position that a [slice](super::item::Slice) would get. Lengths are in points.
pub struct SlicePosition {
    /// Index of the current page, or of the next page if the current one is full.
    pub page: usize,
    /// Whether the slice does not fit into the current column.
    pub(crate) is_ahead: bool,
    /// Left edge of the column.
    pub x: f32,
    /// Upper edge of the slice.
    pub y: f32,
    /// The lower edge of the column.
    pub bottom: f32,
    /// Width by which this column is narrower than the widest column, and the same for the next column.
    pub less: (f32, f32),
    /// Reference areas of floats at this position.
    pub areas: ReferenceAreas,
}

/// Exclusion of a float at its expected or final position.
struct ReservedArea {
    float: usize,
    page: usize,
    area: Area,
    wrap: Wrap,
}

/// Exclusions and layers of the current page and of later pages.
#[derive(Default)]
pub struct Layers {
    /// Exclusions, at most one for each float.
    reserved: Vec<ReservedArea>,
    /// Floats behind the text, with their painting order.
    behind: Vec<(i64, Placed)>,
    /// Floats in front of the text, with their painting order.
    front: Vec<(i64, Placed)>,
}

impl Layers {
    /// Returns whether this page or a later one has exclusions.
    pub(crate) fn is_crowded(&self) -> bool {
        !self.reserved.is_empty()
    }

    /// Reserves the area of a float at its expected position. An earlier reservation of the same float is replaced.
    pub fn reserve(&mut self, float: &Float, page: usize, corner: (f32, f32)) {
        if float.wrap == Wrap::None {
            return;
        }
        self.reserved.retain(|taken| taken.float != float.number);
        if self.reserved.len() < MAX {
            self.reserved.push(ReservedArea {
                float: float.number,
                page,
                area: float.room(corner),
                wrap: float.wrap,
            });
        }
    }

    /// Reserves the areas of floats that are anchored at a position, and returns all exclusions there.
    pub(crate) fn reserve_all(
        &mut self,
        floats: &[Float],
        position: &SlicePosition,
    ) -> Vec<Exclusion> {
        for float in floats {
            self.reserve(float, position.page, float.corner(&position.areas));
        }
        self.taken(position.page, position.x, position.y)
    }

    /// Lower edge of the lowest exclusion.
    pub fn deepest(&self) -> f32 {
        let bottoms = self
            .reserved
            .iter()
            .map(|taken| taken.area.y + taken.area.height);
        bottoms.fold(0.0, f32::max)
    }

    /// Exclusions on a page, relative to the position of a paragraph.
    fn taken(&self, page: usize, x: f32, y: f32) -> Vec<Exclusion> {
        let here = self.reserved.iter().filter(|taken| taken.page == page);
        here.map(|taken| Exclusion {
            left: taken.area.x - x,
            right: taken.area.x + taken.area.width - x,
            top: taken.area.y - y,
            bottom: taken.area.y + taken.area.height - y,
            side: match taken.wrap {
                Wrap::Around(side) => Some(side),
                Wrap::None | Wrap::TopAndBottom => None,
            },
        })
        .collect()
    }

    /// Places a float on the current page.
    pub fn put(&mut self, float: Float, page: usize, (x, y): (f32, f32)) {
        self.reserve(&float, page, (x, y));
        let layer = match float.behind {
            true => &mut self.behind,
            false => &mut self.front,
        };
        let items = float.items;
        layer.push((float.order, Placed { x, y, items }));
    }

    /// Paints the floats of the current page, whose text is already painted, and forgets them.
    pub fn paint(&mut self, page: usize, medium: &mut dyn Medium) {
        // Exclusions on later pages stay, because their floats are not placed yet.
        self.reserved.retain(|taken| taken.page > page);
        if !self.behind.is_empty() {
            medium.draw_background(page, None, &sorted(&mut self.behind));
        }
        for placed in sorted(&mut self.front) {
            for item in &placed.items {
                medium.draw(item, placed.x, placed.y);
            }
        }
    }
}

/// Takes the content of a layer in painting order, from back to front.
fn sorted(layer: &mut Vec<(i64, Placed)>) -> Vec<Placed> {
    let mut all = std::mem::take(layer);
    all.sort_by_key(|(order, _)| *order);
    all.into_iter().map(|(_, placed)| placed).collect()
}
