//! Bit allocation: the number of bits of each coefficient (A/52, 7.2). It is not transmitted: encoder and decoder
//! compute the same numbers from the exponents, in integer arithmetic, by a model of masking in human hearing.
//!
//! Exponents are converted to powers on a logarithmic scale; 128 units are 6.02 dB. Powers are summed in bands. Each
//! band masks the bands above it; the farther away a band is, the less it is masked. The amount by which a coefficient
//! exceeds the mask determines its number of bits. The standard calls the code of this number the bit allocation
//! pointer (bap); this module calls it the class of the coefficient.

use std::ops::Range;

/// The largest number of coefficients of a channel, rounded up.
pub(super) const COEFFICIENTS: usize = 256;
/// Number of bands in which powers are summed.
const BANDS: usize = 50;

/// First coefficient of each band, and the end of the last band (table 7.12).
const EDGES: [u8; BANDS + 1] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28, 31, 34, 37, 40, 43, 46, 49, 55, 61, 67, 73, 79, 85, 97, 109, 121, 133, 157, 181,
    205, 229, 253,
];

/// Table to add two powers (table 7.14). The sum exceeds the larger power by at least n + 1 units as long as half of
/// the difference of the powers is at most entry n.
const SUMS: [u8; 64] = [
    209, 177, 158, 144, 133, 125, 117, 111, 105, 100, 95, 91, 87, 83, 80, 77, 74, 71, 68, 65, 63,
    60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 41, 39, 37, 36, 34, 32, 31, 29, 28, 27, 25, 24, 23, 21,
    20, 19, 17, 16, 15, 14, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
];

/// Hearing threshold of each band, divided by 16, for the three sample rates (table 7.15). The unit is the same as for
/// powers.
const HEARING: [[u8; BANDS]; 3] = [
    [
        77, 77, 68, 64, 62, 60, 59, 59, 58, 58, 58, 58, 58, 57, 57, 57, 56, 56, 55, 55, 54, 54, 53,
        53, 52, 52, 51, 50, 49, 48, 47, 47, 47, 47, 48, 49, 52, 57, 62, 66, 70, 73, 74, 70, 68, 68,
        82, 128, 132, 132,
    ],
    [
        79, 79, 70, 65, 62, 61, 60, 59, 59, 58, 58, 58, 58, 58, 57, 57, 57, 56, 56, 56, 55, 55, 54,
        54, 53, 52, 52, 52, 49, 49, 48, 47, 47, 47, 48, 48, 50, 53, 57, 62, 66, 69, 74, 73, 70, 68,
        72, 99, 132, 132,
    ],
    [
        88, 88, 75, 69, 66, 63, 62, 61, 60, 59, 59, 59, 58, 58, 58, 58, 58, 58, 58, 58, 57, 57, 57,
        57, 56, 56, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 47, 47, 48, 49, 51, 53, 60, 65, 71, 74,
        70, 68, 69, 78,
    ],
];

/// Smallest differences between power and mask, divided by 32, at which the classes 1, 2, 3 … begin (table 7.16).
const CLASSES: [u8; 15] = [1, 6, 8, 11, 13, 15, 19, 23, 27, 31, 35, 39, 43, 47, 55];

/// Smallest differences between power and mask at which the finer classes of the adaptive hybrid transform begin, also
/// divided by 32 (table E3.1).
const HYBRID_CLASSES: [u8; 19] = [
    1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 19, 23, 27, 31, 35, 39, 43, 47, 55,
];

/// Parameters of the mask that all channels share (A/52, 5.4.3.31 to 5.4.3.36).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    pub(super) slow_decay: i32,
    pub(super) fast_decay: i32,
    pub(super) slow_gain: i32,
    pub(super) knee: i32,
    pub(super) floor: i32,
}

impl Shape {
    /// Parameters from the codes of a block. With each halving of the sample rate, the decay from band to band halves,
    /// too.
    pub(super) fn of(codes: [usize; 5], halvings: u32) -> Self {
        let [slow_decay, fast_decay, slow_gain, knee, floor] = codes;
        Self {
            slow_decay: [0x0f, 0x11, 0x13, 0x15][slow_decay & 3] >> halvings,
            fast_decay: [0x3f, 0x53, 0x67, 0x7b][fast_decay & 3] >> halvings,
            slow_gain: [0x540, 0x4d8, 0x478, 0x410][slow_gain & 3],
            knee: [0, 0x700, 0x900, 0xb00][knee & 3],
            floor: [0x2f0, 0x2b0, 0x270, 0x230, 0x1f0, 0x170, 0x0f0, -0x800][floor & 7],
        }
    }
}

/// A segment of delta bit allocation: bands in which a channel's mask differs from the model (A/52, 5.4.3.47 to
/// 5.4.3.57).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    /// Number of bands between the previous segment and this one.
    pub(super) offset: u8,
    /// Number of bands in this segment.
    pub(super) bands: u8,
    /// Code of the correction: 0 to 3 lower the mask by 4 to 1 steps of 6 dB, 4 to 7 raise it by 1 to 4 steps.
    pub(super) code: u8,
}

/// Parameters of a channel's bit allocation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    pub(super) shape: Shape,
    /// The offset of the signal-to-noise ratio, in the unit of powers.
    pub(super) offset: i32,
    pub(super) fast_gain: i32,
    /// Initial leaks of the coupling channel: fast and slow.
    pub(super) leaks: [i32; 2],
    /// Whether this is the low-frequency channel.
    pub(super) is_low: bool,
    /// Whether the channel uses the adaptive hybrid transform.
    pub(super) is_hybrid: bool,
    /// Index of the sample rate: 48, 44.1 or 32 kHz.
    pub(super) rate_code: usize,
}

/// The sum of two powers.
fn sum(a: i32, b: i32) -> i32 {
    let difference = (a - b).abs() >> 1;
    a.max(b) + SUMS.partition_point(|&most| i32::from(most) >= difference) as i32
}

/// Writes the classes of the coefficients in `range`, which must not be empty, to `classes`.
pub(super) fn classes(
    exponents: &[u8; COEFFICIENTS],
    range: Range<usize>,
    terms: &Terms,
    segments: &[Segment],
    classes: &mut [u8; COEFFICIENTS],
) {
    // The smallest possible offset means that no coefficient is coded.
    if terms.offset == -960 {
        classes[range].fill(0);
        return;
    }
    let power = |at: usize| 3072 - (i32::from(exponents[at]) << 7);
    let band_of = |at: usize| EDGES.partition_point(|&edge| usize::from(edge) <= at) - 1;
    let bands = band_of(range.start)..band_of(range.end - 1) + 1;
    let within = |band: usize| {
        usize::from(EDGES[band]).max(range.start)..usize::from(EDGES[band + 1]).min(range.end)
    };
    // Bands outside of `bands` stay 0. `excitation` may compare the last band with the one after it.
    let mut powers = [0; BANDS + 1];
    for band in bands.clone() {
        powers[band] = within(band).map(power).reduce(sum).unwrap_or(0);
    }
    let mut mask = excitation(&powers, bands.clone(), terms);
    let hearing = &HEARING[terms.rate_code.min(2)];
    for band in bands.clone() {
        if powers[band] < terms.shape.knee {
            mask[band] += (terms.shape.knee - powers[band]) >> 2;
        }
        mask[band] = mask[band].max(i32::from(hearing[band]) << 4);
    }
    let mut band = 0;
    for segment in segments {
        band += usize::from(segment.offset);
        let code = i32::from(segment.code);
        let delta = if code >= 4 { code - 3 } else { code - 4 } << 7;
        for mask in mask.iter_mut().skip(band).take(segment.bands.into()) {
            *mask += delta;
        }
        band += usize::from(segment.bands);
    }
    let steps: &[u8] = if terms.is_hybrid {
        &HYBRID_CLASSES
    } else {
        &CLASSES
    };
    for band in bands {
        let above = (mask[band] - terms.offset - terms.shape.floor).max(0) & 0x1fe0;
        let level = above + terms.shape.floor;
        for at in within(band) {
            let address = ((power(at) - level) >> 5).clamp(0, 63);
            classes[at] = steps.partition_point(|&least| i32::from(least) <= address) as u8;
        }
    }
}

/// Excitation function of each band, with the spread of lower bands (A/52, 7.2.2.4).
fn excitation(powers: &[i32; BANDS + 1], bands: Range<usize>, terms: &Terms) -> [i32; BANDS] {
    let Terms {
        shape,
        fast_gain,
        is_low,
        ..
    } = *terms;
    let mut excitations = [0; BANDS];
    let [mut fast, mut slow] = terms.leaks;
    let mut from = bands.start;
    if bands.start == 0 {
        let mut low = 0;
        // The low-frequency channel ends with band 6, so there is no next band to compare.
        let has_next = |band: usize| !(is_low && band == 6);
        let mut is_rising = true;
        for band in 0..bands.end.min(22) {
            let power = powers[band];
            if has_next(band) {
                low = compensation(low, power, powers[band + 1], band);
            }
            if is_rising {
                (fast, slow) = (power - fast_gain, power - shape.slow_gain);
                excitations[band] = fast - low;
                let peaks = band >= 2 && has_next(band) && power <= powers[band + 1];
                is_rising = band < 6 && !peaks;
            } else {
                fast = (fast - shape.fast_decay).max(power - fast_gain);
                slow = (slow - shape.slow_decay).max(power - shape.slow_gain);
                excitations[band] = slow.max(fast - low);
            }
        }
        from = 22;
    }
    for band in from..bands.end {
        fast = (fast - shape.fast_decay).max(powers[band] - fast_gain);
        slow = (slow - shape.slow_decay).max(powers[band] - shape.slow_gain);
        excitations[band] = fast.max(slow);
    }
    excitations
}

/// Low-frequency compensation of a band (A/52, 7.2.2.4). It is large if the power rises to the next band by 256 units.
/// It decreases if the power falls, and in each band from 20 on.
fn compensation(before: i32, power: i32, next: i32, band: usize) -> i32 {
    match band {
        0..=6 if power + 256 == next => 384,
        7..=19 if power + 256 == next => 320,
        0..=19 if power > next => (before - 64).max(0),
        0..=19 => before,
        _ => (before - 128).max(0),
    }
}

/// Factor of an exponent: 2⁻ᵉ.
pub(super) fn power(exponent: u8) -> f32 {
    f32::from_bits((127 - u32::from(exponent.min(24))) << 23)
}
