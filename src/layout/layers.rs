//! The floats of the page that is being filled: their exclusions, and the layers behind and in front of the text. Does
//! not break lines.

use super::{
    around::Exclusion,
    float::Ground,
    item::Area,
    item::Float,
    medium::{Medium, Placed},
};
use convertd_tree::Wrap;

/// Limit on the exclusions of a page. The time for finding space for a line is proportional to their number.
const MAX: usize = 400;

/// Position that a strip (a slice of content that is never broken across pages) would get. Lengths are in points.
pub struct Spot {
    /// Index of the current page, or of the next page if the current one is full.
    pub page: usize,
    /// Whether the strip does not fit into the current column.
    pub(crate) is_ahead: bool,
    /// Left edge of the column.
    pub x: f32,
    /// Upper edge of the strip.
    pub y: f32,
    /// The lower edge of the column.
    pub bottom: f32,
    /// Width by which this column is narrower than the widest column, and the same for the next column.
    pub less: (f32, f32),
    /// Reference areas of floats at this position.
    pub ground: Ground,
}

/// Exclusion of a float at its expected or final position.
struct Claim {
    float: usize,
    page: usize,
    area: Area,
    wrap: Wrap,
}

/// Exclusions and layers of the current page and of later pages.
#[derive(Default)]
pub struct Layers {
    /// Exclusions, at most one for each float.
    claims: Vec<Claim>,
    /// Floats behind the text, with their painting order.
    behind: Vec<(i64, Placed)>,
    /// Floats in front of the text, with their painting order.
    front: Vec<(i64, Placed)>,
}

impl Layers {
    /// Returns whether this page or a later one has exclusions.
    pub(crate) fn is_crowded(&self) -> bool {
        !self.claims.is_empty()
    }

    /// Reserves the area of a float at its expected position. An earlier reservation of the same float is replaced.
    pub fn claim(&mut self, float: &Float, page: usize, corner: (f32, f32)) {
        if float.wrap == Wrap::None {
            return;
        }
        self.claims.retain(|claim| claim.float != float.number);
        if self.claims.len() < MAX {
            self.claims.push(Claim {
                float: float.number,
                page,
                area: float.room(corner),
                wrap: float.wrap,
            });
        }
    }

    /// Reserves the areas of floats that are anchored at a spot, and returns all exclusions at the spot.
    pub(crate) fn claim_all(&mut self, floats: &[Float], spot: &Spot) -> Vec<Exclusion> {
        for float in floats {
            self.claim(float, spot.page, float.corner(&spot.ground));
        }
        self.taken(spot.page, spot.x, spot.y)
    }

    /// Lower edge of the lowest exclusion.
    pub fn deepest(&self) -> f32 {
        let bottoms = self
            .claims
            .iter()
            .map(|claim| claim.area.y + claim.area.height);
        bottoms.fold(0.0, f32::max)
    }

    /// Exclusions on a page, relative to the position of a paragraph.
    fn taken(&self, page: usize, x: f32, y: f32) -> Vec<Exclusion> {
        let here = self.claims.iter().filter(|claim| claim.page == page);
        here.map(|claim| Exclusion {
            left: claim.area.x - x,
            right: claim.area.x + claim.area.width - x,
            top: claim.area.y - y,
            bottom: claim.area.y + claim.area.height - y,
            side: match claim.wrap {
                Wrap::Around(side) => Some(side),
                Wrap::None | Wrap::TopAndBottom => None,
            },
        })
        .collect()
    }

    /// Places a float on the current page.
    pub fn put(&mut self, float: Float, page: usize, (x, y): (f32, f32)) {
        self.claim(&float, page, (x, y));
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
        self.claims.retain(|claim| claim.page > page);
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
