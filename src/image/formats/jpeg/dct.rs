//! Scale factors, and the transposition of a block, which both directions of the discrete cosine transform share (T.81,
//! A.3.3).

/// Returns the factor that the fast transforms leave out of row or column `at`.
pub(crate) fn scale(at: usize) -> f64 {
    use std::f64::consts::{PI, SQRT_2};
    if at == 0 {
        1.0
    } else {
        SQRT_2 * (at as f64 * PI / 16.0).cos()
    }
}

/// The transposed block: its columns as rows.
#[inline(always)]
pub(crate) fn turned(rows: &[[f32; 8]; 8]) -> [[f32; 8]; 8] {
    let mut turned = [[0.0; 8]; 8];
    for (x, row) in rows.iter().enumerate() {
        for (column, value) in turned.iter_mut().zip(row) {
            column[x] = *value;
        }
    }
    turned
}

/// The value at sample `x` of the orthonormal cosine with frequency `u`, by its definition (T.81, A.3.3).
#[cfg(test)]
pub(crate) fn cosine(x: usize, u: usize) -> f64 {
    use std::f64::consts::{FRAC_1_SQRT_2, PI};
    let scale = if u == 0 { FRAC_1_SQRT_2 } else { 1.0 };
    scale * ((2 * x + 1) as f64 * u as f64 * PI / 16.0).cos() / 2.0
}
