//! Holds the samples of a component for some rows of MCUs, and the factors of the transform. Decodes nothing.

use super::{
    idct,
    structure::{Component, Structure},
};

/// The samples of one component.
pub(super) struct Plane {
    pub(super) samples: Vec<u8>,
    pub(super) stride: usize,
    /// The number of rows of samples in a row of MCUs.
    pub(super) mcu_rows: usize,
    /// The number of pixels of the result that a sample covers, horizontally and vertically.
    pub(super) across: usize,
    pub(super) down: usize,
    /// Number of samples in a row of this component, and number of its rows, without padding.
    columns: usize,
    pub(super) rows: usize,
}

impl Plane {
    /// Makes planes for a size reduced by `reduction`, that hold `kept_mcu_rows` rows of MCUs.
    pub(super) fn new(
        structure: &Structure,
        component: &Component,
        reduction: usize,
        kept_mcu_rows: usize,
    ) -> Self {
        let side = idct::SIDE / reduction;
        let (h, v) = structure.sampling();
        let (across, _) = structure.mcus();
        let mcu_rows = component.vertical * side;
        let stride = across * component.horizontal * side;
        let (width, height) = structure.samples_of(component);
        Self {
            samples: vec![0; stride * mcu_rows * kept_mcu_rows],
            stride,
            mcu_rows,
            across: h / component.horizontal,
            down: v / component.vertical,
            columns: width.div_ceil(reduction),
            rows: height.div_ceil(reduction),
        }
    }

    /// The samples of a row.
    pub(super) fn row(&self, y: usize, kept_mcu_rows: usize) -> &[u8] {
        let at = y % (self.mcu_rows * kept_mcu_rows) * self.stride;
        &self.samples[at..][..self.columns]
    }
}

/// The dequantisation factors of each component, for blocks of `side` samples.
pub(super) fn factors(structure: &Structure, side: usize) -> Vec<[f32; 64]> {
    let mut factors = vec![[0.0; 64]; structure.components.len()];
    for part in structure.scans.iter().flat_map(|scan| &scan.parts) {
        factors[part.component] = idct::factors(&part.steps, side);
    }
    // If scans use several tables for a component, the first one counts.
    let others = structure.other_scans.iter().flat_map(|scan| &scan.parts);
    for part in others.rev() {
        if let Some(steps) = &part.steps {
            factors[part.component] = idct::factors(steps, side);
        }
    }
    factors
}
