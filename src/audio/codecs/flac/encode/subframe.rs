//! Encodes FLAC subframes (RFC 9639, section 9.2), each of which is one channel of a frame, in the shortest form found.
//! Each channel is encoded by itself.
//!
//! The forms are tried from fast to slow: a constant; verbatim samples; the fixed predictor with the smallest sum of
//! absolute residuals; linear predictors, for which the whole block is analysed under a Tukey window, and at the
//! highest effort also its halves and thirds. Low bits that are zero in all samples ("wasted bits") are removed first.
//! Costs are in bits. They leave out the first byte of a subframe, and estimate the length of Rice codes from sums of
//! magnitudes.

use super::{
    bits::Writer,
    predict::{MAX_ORDER, autocorrelation, linear_residual, predictor, quantise, tukey},
    rice::{MAX_RICE, Rice, rice},
};

/// Effort of the encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The highest order of a linear predictor; 0 to use only fixed predictors.
    order: usize,
    /// The highest partition order of the residual.
    partitions: u32,
    /// Maximum number of parts into which a block is divided. Each part gets a window of its own, and its predictor is
    /// tried.
    windows: usize,
    /// Whether all four stereo signals are encoded, rather than the pair that is expected to be the shortest.
    pub(crate) all_stereo: bool,
}

impl Effort {
    /// Fixed predictors only.
    pub(crate) const LOW: Self = Self {
        order: 0,
        partitions: 3,
        windows: 0,
        all_stereo: false,
    };
    /// Linear predictors from the whole block.
    pub(crate) const MEDIUM: Self = Self {
        order: 8,
        partitions: 5,
        windows: 1,
        all_stereo: false,
    };
    /// Linear predictors also from halves and thirds of the block, and all four stereo signals.
    pub(crate) const HIGH: Self = Self {
        order: MAX_ORDER,
        partitions: 6,
        windows: 3,
        all_stereo: true,
    };
}

/// A form in which a channel can be written, with its cost.
pub(crate) struct Subframe {
    kind: Predictor,
    /// The number of low bits that are zero in all samples and are not written.
    wasted: u32,
    /// Differences between the samples and their predictions, after the warm-up.
    residual: Vec<i32>,
    /// The partitions of the residual and their Rice parameters.
    rice: Rice,
    /// Estimated length in bits.
    pub(crate) cost: u64,
}

/// The kinds of subframe. A fixed predictor has its order; a linear predictor has its coefficients, their precision in
/// bits, and the shift of the sum.
enum Predictor {
    Constant,
    Verbatim,
    Fixed(usize),
    Linear {
        coefficients: Vec<i32>,
        precision: u32,
        shift: u32,
    },
}

impl Predictor {
    /// Number of warm-up samples, which have no residual.
    fn order(&self) -> usize {
        match self {
            Self::Constant | Self::Verbatim => 0,
            Self::Fixed(order) => *order,
            Self::Linear { coefficients, .. } => coefficients.len(),
        }
    }
}

/// Finds the shortest subframe. Keeps its memory for the next block.
#[derive(Clone)]
pub(crate) struct Chooser {
    effort: Effort,
    /// The Tukey window for blocks of the last length.
    window: Vec<f64>,
    /// The samples of the block or of a part, multiplied by the window.
    windowed: Vec<f64>,
    /// Memory for the next residual.
    residual: Vec<i32>,
}

impl Chooser {
    pub(crate) fn new(effort: Effort) -> Self {
        Self {
            effort,
            window: Vec::new(),
            windowed: Vec::new(),
            residual: Vec::new(),
        }
    }

    /// Finds the shortest subframe for a signal of `width` bits.
    pub(crate) fn choose(&mut self, signal: &[i32], width: u32) -> Subframe {
        let all = signal.iter().fold(0, |all, x| all | x);
        if signal.iter().all(|x| *x == signal[0]) {
            return Subframe::plain(Predictor::Constant, 0, u64::from(width) + 8);
        }
        let wasted = all.trailing_zeros();
        let shifted: Vec<i32>;
        let signal = if wasted > 0 {
            shifted = signal.iter().map(|x| x >> wasted).collect();
            &shifted
        } else {
            signal
        };
        let width = width - wasted;
        let verbatim = u64::from(width) * signal.len() as u64;
        let mut best = Subframe::plain(Predictor::Verbatim, wasted, verbatim);
        self.try_fixed(signal, width, &mut best);
        if self.effort.order > 0 && signal.len() > 4 * MAX_ORDER {
            for parts in 1..=self.effort.windows {
                for part in 0..parts {
                    self.try_linear(signal, width, (part, parts), &mut best);
                }
            }
        }
        best
    }

    /// Tries the fixed predictors (RFC 9639, section 9.2.5). The residual of each order consists of the differences of
    /// the residual of the order below, so one pass gives the sums of all five.
    fn try_fixed(&mut self, signal: &[i32], width: u32, best: &mut Subframe) {
        // Each order of a fixed predictor may add a bit, and residuals must fit into 32 bits, so wide signals are not
        // tried; nor are blocks that are too short for the highest order.
        if width > 27 || signal.len() <= 4 {
            return;
        }
        let mut sums = [0u64; 5];
        let mut last = [0i32; 4];
        for (i, &x) in signal.iter().enumerate() {
            let d1 = x.wrapping_sub(last[0]);
            let d2 = d1.wrapping_sub(last[1]);
            let d3 = d2.wrapping_sub(last[2]);
            let d4 = d3.wrapping_sub(last[3]);
            last = [x, d1, d2, d3];
            if i >= 4 {
                for (sum, d) in sums.iter_mut().zip([x, d1, d2, d3, d4]) {
                    *sum += u64::from(d.unsigned_abs());
                }
            }
        }
        let order = (0..5).min_by_key(|order| sums[*order]).unwrap_or(0);
        let mut residual = std::mem::take(&mut self.residual);
        residual.clear();
        residual.extend_from_slice(signal);
        for _ in 0..order {
            for i in (1..residual.len()).rev() {
                residual[i] = residual[i].wrapping_sub(residual[i - 1]);
            }
        }
        // The first samples have no residual: they are the warm-up, which is written verbatim.
        residual.drain(..order);
        let kind = Predictor::Fixed(order);
        self.residual = best.improve(kind, width, 0, residual, self.effort.partitions);
    }

    /// Tries a linear predictor that is computed from part number `part.0` of `part.1` equal parts of the block:
    /// windowed autocorrelation, the Levinson–Durbin recursion, and quantised coefficients.
    fn try_linear(
        &mut self,
        signal: &[i32],
        width: u32,
        part: (usize, usize),
        best: &mut Subframe,
    ) {
        let order = self.effort.order;
        if self.window.len() != signal.len() {
            self.window = tukey(signal.len());
        }
        let (start, end) = (
            signal.len() * part.0 / part.1,
            signal.len() * (part.0 + 1) / part.1,
        );
        self.windowed.clear();
        if part.1 == 1 {
            let windowed = signal
                .iter()
                .zip(&self.window)
                .map(|(x, w)| f64::from(*x) * w);
            self.windowed.extend(windowed);
        } else {
            let window = tukey(end - start);
            let windowed = signal[start..end]
                .iter()
                .zip(&window)
                .map(|(x, w)| f64::from(*x) * w);
            self.windowed.extend(windowed);
        }
        let correlation = autocorrelation(&mut self.windowed, order);
        let Some((order, predictor)) = predictor(&correlation, order, signal.len(), part.1) else {
            return;
        };
        let precision = if width <= 17 { 13 } else { 14 };
        let Some((coefficients, shift)) = quantise(&predictor, precision) else {
            return;
        };
        let mut residual = std::mem::take(&mut self.residual);
        residual.clear();
        if !linear_residual(
            signal,
            &coefficients,
            shift,
            width + precision,
            &mut residual,
        ) {
            self.residual = residual;
            return;
        }
        let kind = Predictor::Linear {
            coefficients,
            precision,
            shift,
        };
        // Bits of the coefficients, four bits for their precision and five for the shift.
        let extra = u64::from(precision) * order as u64 + 9;
        self.residual = best.improve(kind, width, extra, residual, self.effort.partitions);
    }
}

impl Subframe {
    /// A subframe without a residual.
    fn plain(kind: Predictor, wasted: u32, cost: u64) -> Self {
        Self {
            kind,
            wasted,
            residual: Vec::new(),
            rice: Rice::default(),
            cost,
        }
    }

    /// Replaces this subframe by another form if that is shorter. `extra` is the cost of its predictor in bits. Returns
    /// the residual that is not kept, so that its memory is used again.
    fn improve(
        &mut self,
        kind: Predictor,
        width: u32,
        extra: u64,
        residual: Vec<i32>,
        partitions: u32,
    ) -> Vec<i32> {
        let order = kind.order();
        let (rice, bits) = rice(&residual, order, partitions);
        let cost = bits + extra + u64::from(width) * order as u64;
        if cost >= self.cost {
            return residual;
        }
        (self.kind, self.rice, self.cost) = (kind, rice, cost);
        std::mem::replace(&mut self.residual, residual)
    }

    /// Writes the subframe (RFC 9639, section 9.2).
    pub(crate) fn write(&self, writer: &mut Writer, signal: &[i32], width: u32) {
        // The type of the subframe (RFC 9639, section 9.2.1), and whether there are wasted bits.
        let code = match &self.kind {
            Predictor::Constant => 0,
            Predictor::Verbatim => 1,
            Predictor::Fixed(order) => 8 | *order as u32,
            Predictor::Linear { coefficients, .. } => 32 | (coefficients.len() as u32 - 1),
        };
        writer.put(code << 1 | u32::from(self.wasted > 0), 8);
        if self.wasted > 0 {
            writer.unary(self.wasted - 1);
        }
        let width = width - self.wasted;
        // Writes samples without compression.
        let raw = |writer: &mut Writer, count: usize| {
            for x in &signal[..count] {
                writer.signed(x >> self.wasted, width);
            }
        };
        match &self.kind {
            Predictor::Constant => return raw(writer, 1),
            Predictor::Verbatim => return raw(writer, signal.len()),
            Predictor::Fixed(order) => raw(writer, *order),
            Predictor::Linear {
                coefficients,
                precision,
                shift,
            } => {
                raw(writer, coefficients.len());
                writer.put(precision - 1, 4);
                writer.put(*shift, 5);
                for coefficient in coefficients {
                    writer.signed(*coefficient, *precision);
                }
            }
        }
        // Large parameters need the method with parameters of 5 bits.
        let wide = self
            .rice
            .parameters
            .iter()
            .any(|parameter| *parameter > MAX_RICE.0);
        writer.put(u32::from(wide), 2);
        writer.put(self.rice.order, 4);
        let mut rest = &self.residual[..];
        let partition = signal.len() >> self.rice.order;
        for (i, parameter) in self.rice.parameters.iter().enumerate() {
            // The first partition is shorter by the warm-up.
            let warm_up = if i == 0 {
                signal.len() - self.residual.len()
            } else {
                0
            };
            let (now, later) = rest.split_at(partition - warm_up);
            rest = later;
            writer.put(*parameter, if wide { 5 } else { 4 });
            for x in now {
                writer.rice(*x, *parameter);
            }
        }
    }
}
