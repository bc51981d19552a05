//! The functions of the network's nodes, computed in the same way on every machine. Mathematical libraries differ in
//! the last bit of their results, which could change the recognised text.
//!
//! The hyperbolic tangent and the logistic function are interpolated linearly in tables of 4096 values at steps of
//! 1/256, because the networks were trained with these (Tesseract's `functions.h`). The tables are computed at the
//! first use.

use std::sync::OnceLock;

/// Number of values in a table.
const LEN: usize = 4096;
/// Number of values for each unit of the argument.
const SCALE: f32 = 256.0;
/// Lower limit on the logarithm of a probability. Outputs with this certainty count as impossible.
pub(crate) const LEAST_CERTAINTY: f32 = -20.0;
/// Lower limit on a probability: e⁻²⁰.
const LEAST_PROBABILITY: f32 = 2.061_153_6e-9;

/// Tables of the hyperbolic tangent and of the logistic function. An entry is a value, and the difference from it to
/// the next value.
pub(crate) struct Tables {
    tanh: Box<[(f32, f32); LEN]>,
    logistic: Box<[(f32, f32); LEN]>,
}

/// The tables.
pub(crate) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables {
        tanh: table(|x| {
            let e = exp(-2.0 * x);
            (1.0 - e) / (1.0 + e)
        }),
        logistic: table(|x| 1.0 / (1.0 + exp(-x))),
    })
}

fn table(function: impl Fn(f64) -> f64) -> Box<[(f32, f32); LEN]> {
    let at = |index: usize| function(index as f64 / f64::from(SCALE)) as f32;
    let mut table = Box::new([(1.0, 0.0); LEN]);
    for (index, entry) in table.iter_mut().enumerate().take(LEN - 1) {
        *entry = (at(index), at(index + 1) - at(index));
    }
    table
}

impl Tables {
    /// Hyperbolic tangent.
    #[inline(always)]
    pub(crate) fn tanh(&self, x: f32) -> f32 {
        let value = between(&self.tanh, x.abs());
        if x < 0.0 { -value } else { value }
    }

    /// Logistic function. For a negative number it is 1 minus the function of the absolute value. A table for negative
    /// numbers would round differently.
    #[inline(always)]
    pub(crate) fn logistic(&self, x: f32) -> f32 {
        let value = between(&self.logistic, x.abs());
        if x < 0.0 { 1.0 - value } else { value }
    }
}

/// Interpolates a table at `x`, which is not negative. Beyond the table, the last entry applies.
#[inline(always)]
fn between(table: &[(f32, f32); LEN], x: f32) -> f32 {
    let x = x * SCALE;
    let index = (x as i32 as usize).min(LEN - 1);
    let (value, step) = table[index];
    // The last entry has no next one to interpolate with.
    let part = if index == LEN - 1 {
        0.0
    } else {
        x - index as f32
    };
    value + step * part
}

/// Converts an activation to its stored form: 1 becomes 127, and halves are rounded away from zero.
#[inline(always)]
pub(crate) fn quantised(value: f32) -> i8 {
    round(value * 127.0).clamp(-127, 127) as i8
}

/// The nearest integer. Halves are rounded away from zero.
#[inline(always)]
pub(crate) fn round(value: f32) -> i32 {
    (value + 0.5f32.copysign(value)) as i32
}

/// Turns values into probabilities that add up to 1.
pub(crate) fn softmax(values: &mut [f32]) {
    /// Lower limit on the difference from the greatest value.
    const LOWEST: f32 = -86.0;
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0f32;
    for value in &mut *values {
        *value = exp(f64::from((*value - most).max(LOWEST))) as f32;
        sum += *value;
    }
    if sum > 0.0 {
        for value in values {
            *value /= sum;
        }
    }
}

/// Certainty of a probability: its natural logarithm, at least [`LEAST_CERTAINTY`].
pub(crate) fn certainty(probability: f32) -> f32 {
    if probability > LEAST_PROBABILITY {
        ln(f64::from(probability)) as f32
    } else {
        LEAST_CERTAINTY
    }
}

/// 1/n for n from 1 to 13.
const INVERSES: [f64; 13] = {
    let mut inverses = [1.0; 13];
    let mut index = 0;
    while index < 13 {
        inverses[index] = 1.0 / (index + 1) as f64;
        index += 1;
    }
    inverses
};

/// eˣ for |x| < 700, as a power of two times a series. Its error is far below the precision of 32 bits.
fn exp(x: f64) -> f64 {
    // ln 2 is the sum of `HIGH` and `LOW`. `HIGH` ends in as many zero bits as the power has bits, so that their
    // product is exact.
    const HIGH: f64 = 0.693_147_180_369_123_8;
    const LOW: f64 = 1.908_214_929_270_587_7e-10;
    let power = (x * std::f64::consts::LOG2_E).round();
    let rest = (x - power * HIGH) - power * LOW;
    // 1 + x(1 + x/2 (1 + x/3 (…))), to the thirteenth power. Divisions would take three times as long.
    let mut sum = 1.0;
    for inverse in INVERSES.iter().rev() {
        sum = 1.0 + sum * rest * inverse;
    }
    sum * f64::from_bits(((power as i64 + 1023) as u64) << 52)
}

/// Natural logarithm of a positive, normal number: the power of two, and ln m = 2 artanh((m − 1)/(m + 1)) as a series.
fn ln(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    let mut power = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & MANTISSA | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        power += 1;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut sum = 0.0;
    for odd in (0..12).rev() {
        sum = sum * square + 1.0 / f64::from(2 * odd + 1);
    }
    2.0 * ratio * sum + power as f64 * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_equal_those_of_the_system_in_32_bits() {
        for step in -22_000..22_000 {
            let x = f64::from(step) / 256.0;
            assert_eq!(exp(x) as f32, x.exp() as f32, "exp({x})");
            let x = (f64::from(step) / 500.0).exp();
            assert!((ln(x) - x.ln()).abs() < 1e-13, "ln({x})");
        }
        for (index, entry) in tables().tanh.iter().enumerate().take(LEN - 1) {
            assert_eq!(entry.0, (index as f64 / 256.0).tanh() as f32);
        }
    }

    #[test]
    fn activations_are_rounded_away_from_zero() {
        #[track_caller]
        fn check(value: f32, expected: i8) {
            assert_eq!(quantised(value), expected);
            assert_eq!(quantised(-value), -expected);
        }
        check(0.0, 0);
        check(0.5 / 127.0, 1);
        check(0.49 / 127.0, 0);
        check(1.0, 127);
        check(9.0, 127);
    }

    #[test]
    fn functions_saturate_at_one() {
        let tables = tables();
        assert_eq!(tables.tanh(0.0), 0.0);
        assert_eq!(tables.logistic(0.0), 0.5);
        for x in [4095.0 / 256.0, 16.0, 1e9, f32::INFINITY] {
            assert_eq!((tables.tanh(x), tables.tanh(-x)), (1.0, -1.0));
            assert_eq!((tables.logistic(x), tables.logistic(-x)), (1.0, 0.0));
        }
    }
}
