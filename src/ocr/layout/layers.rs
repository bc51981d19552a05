//! Layers of ink: the page itself, and the dark areas in it, on which light letters stand. In each layer, letters are
//! ink.

use super::{
    area::Area,
    bits::Bits,
    components::{Component, Components},
};
use convertd_core::{error::Result, job::Job};

/// The largest number of dark areas that are analysed.
const MAX_LAYERS: usize = 200;

/// Owner of a component.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The component belongs to no line: perhaps a decimal point that was taken for a speck. It stays in the picture
    /// when a line is cut out.
    Nobody,
    /// The component is not text. It is removed when a line is cut out.
    Other,
    /// Ink of a line.
    Line(u32),
}

/// A layer: ink that is analysed separately.
pub(super) struct Layer<'a> {
    /// Area on the working picture.
    pub(super) area: Area,
    /// Components; their positions are relative to the area.
    pub(super) components: Components<'a>,
    /// Owner of each component.
    pub(super) owners: Vec<Owner>,
    /// Whether the layer's ink is lighter than its background.
    pub(super) light: bool,
}

impl<'a> Layer<'a> {
    fn of(area: Area, components: Components<'a>, light: bool) -> Self {
        Self {
            area,
            owners: vec![Owner::Nobody; components.list.len()],
            components,
            light,
        }
    }

    /// The layer of the page itself. `None` if the page has so many runs of ink that it is noise.
    pub(super) fn page(job: &Job<'a>, bits: &Bits<'_>) -> Result<Option<Self>> {
        let area = Area {
            left: 0,
            top: 0,
            right: bits.width as i32,
            bottom: bits.height as i32,
        };
        let components = Components::find(job, bits)?;
        Ok(components.map(|components| Self::of(area, components, false)))
    }

    /// Area of a component on the working picture.
    pub(super) fn area_of(&self, component: &Component) -> Area {
        let Area {
            left,
            top,
            right,
            bottom,
        } = component.area;
        Area {
            left: left + self.area.left,
            top: top + self.area.top,
            right: right + self.area.left,
            bottom: bottom + self.area.top,
        }
    }
}

/// Layers of light areas within dark components of the page.
pub(super) fn within<'a>(job: &Job<'a>, page: &Layer<'_>, dark: &[u32]) -> Result<Vec<Layer<'a>>> {
    let mut dark: Vec<u32> = dark.to_vec();
    let pixels = |&at: &u32| std::cmp::Reverse(page.components.list[at as usize].area.pixels());
    dark.sort_by_key(pixels);
    // Areas may contain one another, so the sum of their pixels is limited to the number of pixels of the page.
    let mut left = page.area.pixels();
    let mut layers = Vec::new();
    for &index in dark.iter().take(MAX_LAYERS) {
        let area = page.components.list[index as usize].area;
        left -= area.pixels();
        if left < 0 {
            break;
        }
        let mut bits = Bits::blank(job, area.width() as usize, area.height() as usize)?;
        for y in area.top..area.bottom {
            if y % 64 == 0 {
                job.check()?;
            }
            let mut end: Option<i32> = None;
            for run in page.components.row_between(y, area.left, area.right) {
                if run.component != index {
                    continue;
                }
                // The gap between two runs of dark pixels is light: a light letter, or the hole in a dark letter.
                if let Some(end) = end {
                    for x in end..i32::from(run.start) {
                        bits.set((x - area.left) as usize, (y - area.top) as usize, true);
                    }
                }
                end = Some(i32::from(run.end));
            }
        }
        if let Some(components) = Components::find(job, &bits)? {
            layers.push(Layer::of(area, components, true));
        }
    }
    Ok(layers)
}
