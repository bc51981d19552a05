//! Decodes FLAC subframes (RFC 9639, section 9.2), each of which is one channel of a frame, independent of the other
//! channels.
//!
//! A predictor computes each sample from those before it: a sum of products with fixed coefficients, shifted right. The
//! file stores the difference from the true sample, the residual. Most time is spent here, and several samples cannot
//! be computed at the same time, because each depends on the previous one. So the loop over the coefficients is
//! unrolled at compile time for the orders that encoders use (`SPAN` is the order plus one for the sample itself). Sums
//! have 32 bits if the widths allow it. Each residual is used as soon as its Rice code has been read. Other orders use
//! the next longer loop, with coefficients of 0. That loop reads samples before the first one, so every channel begins
//! with [`MAX_ORDER`] zeros.
//!
//! Sums of a damaged frame may overflow. They wrap around, and the CRC-16 of the frame finds the damage afterwards.

use super::bits::{Bits, Fault};

/// Highest order of a linear predictor, and so the number of zeros before the samples of each channel.
pub(crate) const MAX_ORDER: usize = 32;

/// A predictor computes a sample from previous samples. Its order is the number of these samples.
pub(crate) struct Predictor {
    /// Coefficients. The first one belongs to the previous sample.
    coefficients: [i32; MAX_ORDER],
    order: usize,
    shift: u32,
    /// Whether sums may exceed 32 bits.
    wide: bool,
}

/// Decodes a channel of `width` bits into `plane`, after [`MAX_ORDER`] zeros. `width` is at most the width of `S`.
pub(crate) fn decode<S: Sample>(
    bits: &mut Bits<'_>,
    width: u32,
    length: usize,
    plane: &mut Vec<S>,
) -> Result<(), Fault> {
    // Resizing keeps the zeros at the beginning. All samples after them are overwritten below.
    plane.resize(MAX_ORDER + length, S::default());
    let head = bits.take(8);
    let wasted = match head & 1 {
        0 => 0,
        _ => bits.unary()? + 1,
    };
    let Some(width) = width.checked_sub(wasted).filter(|width| *width > 0) else {
        return Err(Fault::Wrong(
            "the wasted bits of a subframe leave no bits for its samples",
        ));
    };
    let samples = &mut plane[MAX_ORDER..];
    // Types of subframes (table 19): constant, verbatim, fixed predictors of order 0 to 4, and linear predictors of
    // order 1 to 32.
    match head >> 1 {
        0 => samples.fill(S::cut(bits.signed(width))),
        1 => samples.fill_with(|| S::cut(bits.signed(width))),
        kind => {
            let order = match kind {
                8..=12 => kind as usize - 8,
                32..=63 => kind as usize - 31,
                _ => return Err(Fault::Wrong("a subframe has a reserved type")),
            };
            let Some(warm_up) = samples.get_mut(..order) else {
                return Err(Fault::Wrong(
                    "the order of a predictor is larger than its block",
                ));
            };
            warm_up.fill_with(|| S::cut(bits.signed(width)));
            let predictor = match kind {
                8..=12 => Predictor::fixed(order),
                _ => Predictor::read(bits, order, width)?,
            };
            S::predict(&predictor, bits, plane)?;
        }
    }
    if wasted > 0 {
        plane
            .iter_mut()
            .for_each(|sample| *sample = sample.shifted(wasted));
    }
    bits.check()
}

impl Predictor {
    /// The fixed predictor of this order (section 9.2.5). Intermediate sums may wrap around, because the final sum is
    /// within the range again.
    fn fixed(order: usize) -> Self {
        const COEFFICIENTS: [[i32; 4]; 5] = [
            [0, 0, 0, 0],
            [1, 0, 0, 0],
            [2, -1, 0, 0],
            [3, -3, 1, 0],
            [4, -6, 4, -1],
        ];
        let mut coefficients = [0; MAX_ORDER];
        coefficients[..4].copy_from_slice(&COEFFICIENTS[order]);
        Self {
            coefficients,
            order,
            shift: 0,
            wide: false,
        }
    }

    /// Reads a linear predictor (section 9.2.6): precision, shift and coefficients.
    fn read(bits: &mut Bits<'_>, order: usize, width: u32) -> Result<Self, Fault> {
        let precision = bits.take(4) + 1;
        let shift = bits.signed(5);
        let Ok(shift) = u32::try_from(shift) else {
            return Err(Fault::Wrong("a linear predictor has a negative shift"));
        };
        if precision > 15 {
            return Err(Fault::Wrong("a linear predictor has a reserved precision"));
        }
        let mut coefficients = [0; MAX_ORDER];
        coefficients[..order].fill_with(|| bits.signed(precision) as i32);
        Ok(Self {
            coefficients,
            order,
            shift,
            wide: width + precision + order.ilog2() + u32::from(!order.is_power_of_two()) > 32,
        })
    }

    /// Reads the partitions of the residual (section 9.2.7), and adds the prediction to each residual. Uses `SPAN` − 1
    /// coefficients; those beyond the order are 0.
    fn partitions<A: Arithmetic, const SPAN: usize>(
        &self,
        bits: &mut Bits<'_>,
        plane: &mut [A::Sample],
    ) -> Result<(), Fault> {
        let length = plane.len() - MAX_ORDER;
        let parameter_bits = match bits.take(2) {
            0 => 4,
            1 => 5,
            _ => return Err(Fault::Wrong("a residual has a reserved coding method")),
        };
        let partition_order = bits.take(4);
        let partition = length >> partition_order;
        if partition << partition_order != length || partition < self.order.max(1) {
            return Err(Fault::Wrong(
                "the partitions of a residual do not fill its block",
            ));
        }
        let mut coefficients = [0; SPAN];
        coefficients[..SPAN - 1].copy_from_slice(&self.coefficients[..SPAN - 1]);
        let mut at = MAX_ORDER + self.order;
        for end in (1..=1usize << partition_order).map(|i| MAX_ORDER + i * partition) {
            // The samples of the partition, after those that predict its first sample.
            let mut rest = &mut plane[at + 1 - SPAN..end];
            let parameter = bits.take(parameter_bits);
            if parameter + 1 == 1 << parameter_bits {
                // An escape code: the residuals are plain numbers of `width` bits.
                let width = bits.take(5);
                while rest.len() >= SPAN {
                    let residual = bits.signed(width) as i32;
                    add::<A, SPAN>(rest, &coefficients, self.shift, residual);
                    rest = &mut rest[1..];
                }
            } else {
                // The compiler can keep a copy in registers, because no function call borrows it.
                let mut reader = bits.clone();
                while rest.len() >= SPAN {
                    if rest.len() > SPAN
                        && let Some([first, second]) = reader.two_rice(parameter)
                    {
                        add::<A, SPAN>(rest, &coefficients, self.shift, first);
                        add::<A, SPAN>(&mut rest[1..], &coefficients, self.shift, second);
                        rest = &mut rest[2..];
                    } else {
                        *bits = reader;
                        let residual = bits.rice(parameter)?;
                        reader = bits.clone();
                        add::<A, SPAN>(rest, &coefficients, self.shift, residual);
                        rest = &mut rest[1..];
                    }
                }
                *bits = reader;
            }
            bits.check()?;
            at = end;
        }
        Ok(())
    }
}

/// Sets the last of the first `SPAN` samples to its prediction plus its residual.
#[inline(always)]
fn add<A: Arithmetic, const SPAN: usize>(
    samples: &mut [A::Sample],
    coefficients: &[i32; SPAN],
    shift: u32,
    residual: i32,
) {
    if let Some(span) = samples.first_chunk_mut::<SPAN>() {
        span[SPAN - 1] = A::sample(span, coefficients, shift, residual);
    }
}

/// The type of a sample: 32 bits, or 64 bits for the side channel of 32-bit samples.
pub(crate) trait Sample: Copy + Default {
    /// Keeps as many low bits of a value as the type has.
    fn cut(value: i64) -> Self;

    /// Appends the wasted bits, which are zeros that the file leaves out (section 9.2.2).
    fn shifted(self, bits: u32) -> Self;

    /// Reads the residual, and restores the samples of the channel after the warm-up samples.
    fn predict(predictor: &Predictor, bits: &mut Bits<'_>, plane: &mut [Self])
    -> Result<(), Fault>;
}

impl Sample for i32 {
    fn cut(value: i64) -> Self {
        value as i32
    }

    fn shifted(self, bits: u32) -> Self {
        self << bits
    }

    fn predict(
        predictor: &Predictor,
        bits: &mut Bits<'_>,
        plane: &mut [Self],
    ) -> Result<(), Fault> {
        let run = match (predictor.wide, predictor.order) {
            (false, 0) => Predictor::partitions::<Narrow, 1>,
            (false, 1) => Predictor::partitions::<Narrow, 2>,
            (false, 2) => Predictor::partitions::<Narrow, 3>,
            (false, 3) => Predictor::partitions::<Narrow, 4>,
            (false, 4) => Predictor::partitions::<Narrow, 5>,
            (false, 5) => Predictor::partitions::<Narrow, 6>,
            (false, 6) => Predictor::partitions::<Narrow, 7>,
            (false, 7) => Predictor::partitions::<Narrow, 8>,
            (false, 8) => Predictor::partitions::<Narrow, 9>,
            (false, 9 | 10) => Predictor::partitions::<Narrow, 11>,
            (false, 11 | 12) => Predictor::partitions::<Narrow, 13>,
            (false, _) => Predictor::partitions::<Narrow, 33>,
            (true, ..=4) => Predictor::partitions::<Wide, 5>,
            (true, 5 | 6) => Predictor::partitions::<Wide, 7>,
            (true, 7 | 8) => Predictor::partitions::<Wide, 9>,
            (true, 9..=12) => Predictor::partitions::<Wide, 13>,
            (true, _) => Predictor::partitions::<Wide, 33>,
        };
        run(predictor, bits, plane)
    }
}

impl Sample for i64 {
    fn cut(value: i64) -> Self {
        value
    }

    fn shifted(self, bits: u32) -> Self {
        self << bits
    }

    fn predict(
        predictor: &Predictor,
        bits: &mut Bits<'_>,
        plane: &mut [Self],
    ) -> Result<(), Fault> {
        predictor.partitions::<Widest, 33>(bits, plane)
    }
}

/// Widths of samples and of sums in a prediction.
trait Arithmetic {
    type Sample;

    /// Computes the last sample of a span from the samples before it. The first coefficient belongs to the sample
    /// directly before the last one.
    fn sample<const SPAN: usize>(
        span: &[Self::Sample; SPAN],
        coefficients: &[i32; SPAN],
        shift: u32,
        residual: i32,
    ) -> Self::Sample;
}

/// Samples and sums of 32 bits.
struct Narrow;
/// Samples of 32 bits, sums of 64.
struct Wide;
/// Samples and sums of 64 bits. Sums of damaged data may exceed even 64 bits.
struct Widest;

impl Arithmetic for Narrow {
    type Sample = i32;

    #[inline(always)]
    fn sample<const SPAN: usize>(
        span: &[i32; SPAN],
        coefficients: &[i32; SPAN],
        shift: u32,
        residual: i32,
    ) -> i32 {
        let mut sum = 0i32;
        for i in (0..SPAN - 1).rev() {
            sum = sum.wrapping_add(coefficients[i].wrapping_mul(span[SPAN - 2 - i]));
        }
        (sum >> shift).wrapping_add(residual)
    }
}

impl Arithmetic for Wide {
    type Sample = i32;

    #[inline(always)]
    fn sample<const SPAN: usize>(
        span: &[i32; SPAN],
        coefficients: &[i32; SPAN],
        shift: u32,
        residual: i32,
    ) -> i32 {
        let mut sum = 0i64;
        for i in (0..SPAN - 1).rev() {
            sum += i64::from(coefficients[i]) * i64::from(span[SPAN - 2 - i]);
        }
        ((sum >> shift) as i32).wrapping_add(residual)
    }
}

impl Arithmetic for Widest {
    type Sample = i64;

    #[inline(always)]
    fn sample<const SPAN: usize>(
        span: &[i64; SPAN],
        coefficients: &[i32; SPAN],
        shift: u32,
        residual: i32,
    ) -> i64 {
        let mut sum = 0i64;
        for i in (0..SPAN - 1).rev() {
            sum = sum.wrapping_add(i64::from(coefficients[i]).wrapping_mul(span[SPAN - 2 - i]));
        }
        (sum >> shift).wrapping_add(i64::from(residual))
    }
}
