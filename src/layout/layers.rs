//! The frames of the page that is being filled: the room that each takes from text, and what is painted behind and in front of the
//! text. Knows no lines.

use super::{
    around::Taken,
    float::Ground,
    item::Area,
    item::Float,
    medium::{Medium, Placed},
};
use convertd_tree::Wrap;

/// The most frames of a page that text flows around. More of them would be between any two lines.
const MOST: usize = 400;

/// Place where a strip would stand.
pub struct Spot {
    /// The number of the page from 0; that of the next one if there is no room on this one.
    pub page: usize,
    /// There is no room in the column that is being filled.
    pub(crate) is_ahead: bool,
    /// The left edge of the column, and the upper edge of the strip.
    pub x: f32,
    pub y: f32,
    /// The lower edge of the column.
    pub bottom: f32,
    /// Width by which this column is narrower than the widest one, and the same for the next column.
    pub less: (f32, f32),
    pub ground: Ground,
}

/// Room that a frame takes, once it is known about where it will stand.
struct Claim {
    float: usize,
    page: usize,
    area: Area,
    wrap: Wrap,
}

/// See the module.
#[derive(Default)]
pub struct Layers {
    claims: Vec<Claim>,
    behind: Vec<(i64, Placed)>,
    front: Vec<(i64, Placed)>,
}

impl Layers {
    /// Whether text has to flow around anything on this page or a later one.
    pub(crate) fn is_crowded(&self) -> bool {
        !self.claims.is_empty()
    }

    /// Takes the room for a frame where it will probably stand.
    pub fn claim(&mut self, float: &Float, page: usize, corner: (f32, f32)) {
        if float.wrap == Wrap::None {
            return;
        }
        self.claims.retain(|claim| claim.float != float.number);
        if self.claims.len() < MOST {
            self.claims.push(Claim {
                float: float.number,
                page,
                area: float.room(corner),
                wrap: float.wrap,
            });
        }
    }

    /// Takes the room for frames that are anchored at a spot, and returns what the lines there flow around.
    pub(crate) fn claim_all(&mut self, floats: &[Float], spot: &Spot) -> Vec<Taken> {
        for float in floats {
            self.claim(float, spot.page, float.corner(&spot.ground));
        }
        self.taken(spot.page, spot.x, spot.y)
    }

    /// The lowest place that text flows around.
    pub fn deepest(&self) -> f32 {
        let bottoms = self
            .claims
            .iter()
            .map(|claim| claim.area.y + claim.area.height);
        bottoms.fold(0.0, f32::max)
    }

    /// Exclusions for lines whose column begins there on this page.
    fn taken(&self, page: usize, x: f32, y: f32) -> Vec<Taken> {
        let here = self.claims.iter().filter(|claim| claim.page == page);
        here.map(|claim| Taken {
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

    /// Puts a frame on this page, which is the one that is being filled.
    pub fn put(&mut self, float: Float, page: usize, (x, y): (f32, f32)) {
        self.claim(&float, page, (x, y));
        let layer = match float.behind {
            true => &mut self.behind,
            false => &mut self.front,
        };
        let items = float.items;
        layer.push((float.order, Placed { x, y, items }));
    }

    /// Paints what is on this page, whose text is painted already, and forgets it.
    pub fn paint(&mut self, page: usize, medium: &mut dyn Medium) {
        self.claims.retain(|claim| claim.page > page);
        if !self.behind.is_empty() {
            medium.behind(page, None, &sorted(&mut self.behind));
        }
        for placed in sorted(&mut self.front) {
            for item in &placed.items {
                medium.draw(item, placed.x, placed.y);
            }
        }
    }
}

/// Content of a layer in painting order, from back to front.
fn sorted(layer: &mut Vec<(i64, Placed)>) -> Vec<Placed> {
    let mut all = std::mem::take(layer);
    all.sort_by_key(|(order, _)| *order);
    all.into_iter().map(|(_, placed)| placed).collect()
}
