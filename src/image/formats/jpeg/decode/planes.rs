//! Holds the samples of a component for some rows of MCUs, and computes the factors that dequantise coefficients.
//! Decodes nothing.

use super::{
    idct,
    structure::{Component, Structure},
};

/// The samples of one component.
pub(super) struct Plane {
    pub(super) samples: Vec<u8>,
    /// Number of samples in a row, including the padding of the last MCU.
    pub(super) stride: usize,
    /// The number of rows of samples in a row of MCUs.
    pub(super) mcu_rows: usize,
    /// Number of pixels of the result that a sample covers horizontally.
    pub(super) across: usize,
    /// Number of pixels of the result that a sample covers vertically.
    pub(super) down: usize,
    /// Number of samples in a row of this component, without padding.
    columns: usize,
    /// Number of rows of this component, without padding.
    pub(super) rows: usize,
}

impl Plane {
    /// Makes the plane of a component at a size reduced by `reduction`. The plane holds `kept_mcu_rows` rows of MCUs at
    /// a time.
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

    /// Returns the samples of row `y`, whose row of MCUs must be among the last `kept_mcu_rows` that were decoded.
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
    // If several of these scans contain a component, the table of the first scan counts, so it is stored last.
    let others = structure.other_scans.iter().flat_map(|scan| &scan.parts);
    for part in others.rev() {
        if let Some(steps) = &part.steps {
            factors[part.component] = idct::factors(steps, side);
        }
    }
    factors
}
