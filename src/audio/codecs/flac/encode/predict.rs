//! Linear prediction for FLAC (RFC 9639, section 9.2.6): windows, coefficients, and the residual. Writes nothing.
//!
//! This is the usual method. The autocorrelation of the windowed block is fed to the Levinson-Durbin recursion, which
//! yields the best predictor of every order in one pass, together with the energy of its residual. The order is chosen
//! by that energy and by the number of bits that the coefficients take; no order is tried by encoding. The coefficients
//! are then rounded to 13 or 14 bits, and the rounding error of each is carried over to the next.

/// The highest predictor order that is tried.
pub(crate) const MAX_ORDER: usize = 12;

/// A Tukey window (tapered cosine) whose middle half is flat.
pub(crate) fn tukey(length: usize) -> Vec<f64> {
    let edge = (length / 4).max(1) as f64;
    let distance = |i: usize| (i.min(length - 1 - i) as f64 + 0.5) / edge;
    (0..length)
        .map(distance)
        .map(|distance| {
            if distance < 1.0 {
                0.5 - 0.5 * (std::f64::consts::PI * distance).cos()
            } else {
                1.0
            }
        })
        .collect()
}

/// Returns the autocorrelation of `signal` at the lags 0 to `order`, and perhaps at larger ones.
pub(crate) fn autocorrelation(signal: &mut Vec<f64>, order: usize) -> [f64; MAX_ORDER + 1] {
    let mut result = [0.0; MAX_ORDER + 1];
    if order <= 8 {
        result[..9].copy_from_slice(&lags::<10>(signal)[..9]);
    } else {
        result.copy_from_slice(&lags::<14>(signal)[..MAX_ORDER + 1]);
    }
    result
}

/// The autocorrelation at lags 0 to `L` − 1. The sum has one lane for each lag, so that one pass over the signal
/// computes all of them.
fn lags<const L: usize>(signal: &mut Vec<f64>) -> [f64; L] {
    let length = signal.len();
    signal.resize(length + L, 0.0);
    let mut sums = [0.0; L];
    for window in signal.windows(L).filter_map(<[f64]>::first_chunk::<L>) {
        for lag in 0..L {
            sums[lag] += window[0] * window[lag];
        }
    }
    signal.truncate(length);
    sums
}

/// The order with the lowest estimated cost, up to `most`, and its coefficients, by the Levinson-Durbin recursion.
/// `correlation` is that of one of `parts` parts of a block of `length` samples. `None` if no order is usable, as in
/// silence.
pub(crate) fn predictor(
    correlation: &[f64; MAX_ORDER + 1],
    most: usize,
    length: usize,
    parts: usize,
) -> Option<(usize, Vec<f64>)> {
    let mut error = correlation[0];
    if error <= 0.0 {
        return None;
    }
    let mut current = [0.0; MAX_ORDER];
    let mut best: Option<(f64, usize, [f64; MAX_ORDER])> = None;
    let samples = (length / parts) as f64;
    for order in 0..most {
        let mut sum = correlation[order + 1];
        for i in 0..order {
            sum -= current[i] * correlation[order - i];
        }
        let reflection = sum / error;
        let before = current;
        current[order] = reflection;
        for i in 0..order {
            current[i] = before[i] - reflection * before[order - 1 - i];
        }
        error *= 1.0 - reflection * reflection;
        if error <= 0.0 || !error.is_finite() {
            break;
        }
        // Bits per sample of a residual with this energy and a Laplacian distribution, plus the bits of the
        // coefficients.
        let deviation = 0.5 * (0.240_226_5 * error / samples).log2();
        let bits = deviation.max(0.0) * (length - order) as f64 + 16.0 * order as f64;
        if best.is_none_or(|(least, ..)| bits < least) {
            best = Some((bits, order + 1, current));
        }
    }
    best.map(|(_, order, coefficients)| (order, coefficients[..order].to_vec()))
}

/// Rounds coefficients to integers of `precision` bits. Also returns the number of bits by which sums of products have
/// to be shifted right. `None` if no coefficient differs from 0, or one is too large.
pub(crate) fn quantise(coefficients: &[f64], precision: u32) -> Option<(Vec<i32>, u32)> {
    let largest = coefficients
        .iter()
        .fold(0.0f64, |largest, c| largest.max(c.abs()));
    if largest <= 0.0 || !largest.is_finite() {
        return None;
    }
    let shift = precision as i32 - 1 - (largest.log2().floor() as i32 + 1);
    // Coefficients that are this large, a few hundred and more, predict nothing useful.
    if shift < 4 {
        return None;
    }
    let shift = shift.min(15) as u32;
    let limit = (1 << (precision - 1)) - 1;
    let mut rest = 0.0;
    let quantised = coefficients.iter().map(|c| {
        let exact = c * f64::from(1u32 << shift) + rest;
        let whole = (exact.round() as i32).clamp(-limit - 1, limit);
        rest = exact - f64::from(whole);
        whole
    });
    Some((quantised.collect(), shift))
}

/// Appends the residual of a linear predictor. Returns false if a residual does not fit into an `i32`. `bits` is the
/// width of the product of a sample and a coefficient.
pub(crate) fn linear_residual(
    signal: &[i32],
    coefficients: &[i32],
    shift: u32,
    bits: u32,
    residual: &mut Vec<i32>,
) -> bool {
    let narrow = bits + coefficients.len().next_power_of_two().ilog2() <= 33;
    match (narrow, coefficients.len()) {
        (true, 1..=4) => narrow_residual::<4>(signal, coefficients, shift, residual),
        (true, 5..=8) => narrow_residual::<8>(signal, coefficients, shift, residual),
        (true, _) => narrow_residual::<MAX_ORDER>(signal, coefficients, shift, residual),
        (false, _) => return wide_residual(signal, coefficients, shift, residual),
    }
    true
}

/// The residual for sums that fit 32 bits. The number of coefficients is fixed at compile time, so that the loop is
/// unrolled.
fn narrow_residual<const N: usize>(
    signal: &[i32],
    coefficients: &[i32],
    shift: u32,
    residual: &mut Vec<i32>,
) {
    let order = coefficients.len();
    // The coefficient of the nearest sample comes last.
    let mut reversed = [0i32; N];
    for (i, coefficient) in coefficients.iter().enumerate() {
        reversed[N - 1 - i] = *coefficient;
    }
    for i in order..N.min(signal.len()) {
        let sum: i32 = (0..order)
            .map(|j| coefficients[j] * signal[i - 1 - j])
            .sum();
        residual.push(signal[i] - (sum >> shift));
    }
    let windows = signal.windows(N).filter_map(<[i32]>::first_chunk::<N>);
    residual.extend(windows.zip(signal.iter().skip(N)).map(|(window, x)| {
        let mut sum = 0i32;
        for j in 0..N {
            sum = sum.wrapping_add(reversed[j].wrapping_mul(window[j]));
        }
        x - (sum >> shift)
    }));
}

fn wide_residual(
    signal: &[i32],
    coefficients: &[i32],
    shift: u32,
    residual: &mut Vec<i32>,
) -> bool {
    let order = coefficients.len();
    for i in order..signal.len() {
        let products = coefficients.iter().zip(signal[i - order..i].iter().rev());
        let sum: i64 = products.map(|(c, x)| i64::from(*c) * i64::from(*x)).sum();
        // The format does not allow `i32::MIN` as a residual (section 9.2.7.3).
        match i32::try_from(i64::from(signal[i]) - (sum >> shift)) {
            Ok(x) if x > i32::MIN => residual.push(x),
            _ => return false,
        }
    }
    true
}
