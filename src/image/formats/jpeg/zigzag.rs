//! Zigzag order (T.81, figure A.6), the order in which the coefficients of a block are stored. Blocks are held
//! transposed here, because the forward and the inverse transform go over columns first.

/// The zigzag order, transposed.
const ZIGZAG: [u8; 64] = {
    let natural = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
        20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ];
    let mut order = [0; 64];
    let mut at = 0;
    while at < 64 {
        order[at] = (natural[at] % 8 * 8 + natural[at] / 8) as u8;
        at += 1;
    }
    order
};

/// The index in a transposed block of each coefficient in zigzag order.
#[inline(always)]
pub(crate) const fn index_of(zigzag: usize) -> usize {
    ZIGZAG[zigzag & 63] as usize
}
