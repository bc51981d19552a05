//! FLAC frames (RFC 9639, section 9): prediction, stereo decorrelation, Rice codes. One frame depends on no other.

use super::super::pcm::{Depth, Spec};
use symphonia::core::{
    checksum::{Crc8Ccitt, Crc16Ansi},
    io::Monitor,
};

/// Frames of sound in a FLAC frame; the last one may have fewer.
pub(super) const BLOCK: usize = 4096;
/// Most coefficients of a predictor.
const MAX_ORDER: usize = 12;
/// Largest Rice parameters with codes of 4 and of 5 bits.
const MAX_RICE: (u32, u32) = (14, 30);

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Most coefficients of a predictor; 0 for the fixed predictors only.
    order: usize,
    /// Binary logarithm of the most Rice partitions.
    partitions: u32,
    /// Parts of the block, down to which windows are tried.
    windows: usize,
    /// Whether all ways of stereo are encoded, rather than the one that looks best.
    all_stereo: bool,
}

impl Effort {
    pub(super) const LOW: Self = Self {
        order: 0,
        partitions: 3,
        windows: 0,
        all_stereo: false,
    };
    pub(super) const MEDIUM: Self = Self {
        order: 8,
        partitions: 5,
        windows: 1,
        all_stereo: false,
    };
    pub(super) const HIGH: Self = Self {
        order: MAX_ORDER,
        partitions: 6,
        windows: 3,
        all_stereo: true,
    };
}

/// Encodes the frames of one stream, in any order.
#[derive(Clone)]
pub(super) struct Encoder {
    effort: Effort,
    channels: usize,
    bits: u32,
    rate: u32,
    window: Vec<f64>,
    windowed: Vec<f64>,
    planes: Vec<Vec<i32>>,
    residual: Vec<i32>,
}

/// A way to write one channel, and its cost.
struct Subframe {
    kind: Predictor,
    wasted: u32,
    residual: Vec<i32>,
    rice: Rice,
    /// Estimated length in bits.
    cost: u64,
}

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

#[derive(Default)]
struct Rice {
    order: u32,
    parameters: Vec<u32>,
}

impl Encoder {
    pub(super) fn new(spec: Spec, effort: Effort) -> Self {
        let bits = match spec.depth {
            Depth::Int(bits) => bits,
            Depth::Float => 24,
        };
        Self {
            effort,
            channels: spec.channels.count(),
            bits,
            rate: spec.rate,
            window: Vec::new(),
            windowed: Vec::new(),
            planes: Vec::new(),
            residual: Vec::new(),
        }
    }

    /// One frame of interleaved samples, at most [`BLOCK`] for each channel.
    pub(super) fn encode(&mut self, samples: &[i32], number: u64) -> Vec<u8> {
        let channels = self.channels;
        let mut planes = std::mem::take(&mut self.planes);
        planes.resize_with(channels + 2, Vec::new);
        for (channel, plane) in planes.iter_mut().take(channels).enumerate() {
            plane.clear();
            plane.extend(samples.iter().skip(channel).step_by(channels));
        }
        let frames = samples.len() / channels;
        // With 32 bits the difference of two channels has no room in an i32.
        let (assignment, subframes) = if channels == 2 && self.bits < 32 {
            let (left, rest) = planes.split_at_mut(1);
            let (right, rest) = rest.split_at_mut(1);
            let (middle, side) = rest.split_at_mut(1);
            let (middle, side) = (&mut middle[0], &mut side[0]);
            middle.clear();
            side.clear();
            middle.extend(left[0].iter().zip(&right[0]).map(|(l, r)| (l + r) >> 1));
            side.extend(left[0].iter().zip(&right[0]).map(|(l, r)| l - r));
            self.stereo([&left[0], &right[0], middle, side])
        } else {
            let bits = self.bits;
            let all = planes
                .iter()
                .take(channels)
                .map(|plane| self.subframe(plane, bits));
            (channels as u32 - 1, all.collect())
        };
        let widths = match assignment {
            8 | 10 => [self.bits, self.bits + 1],
            9 => [self.bits + 1, self.bits],
            _ => [self.bits; 2],
        };
        let signals: Vec<usize> = match assignment {
            8 => vec![0, 3],
            9 => vec![3, 1],
            10 => vec![2, 3],
            _ => (0..channels).collect(),
        };
        let mut writer = Writer::default();
        self.header(&mut writer, frames, assignment, number);
        for (i, (subframe, signal)) in subframes.iter().zip(signals).enumerate() {
            let width = widths[i.min(1)];
            subframe.write(&mut writer, &planes[signal], width);
        }
        self.planes = planes;
        writer.finish()
    }

    /// Chooses among left and right, left and side, side and right, middle and side.
    fn stereo(&mut self, signals: [&[i32]; 4]) -> (u32, Vec<Subframe>) {
        const WAYS: [(u32, usize, usize); 4] = [(1, 0, 1), (8, 0, 3), (9, 3, 1), (10, 2, 3)];
        let bits = self.bits;
        let width = |signal: usize| bits + u32::from(signal == 3);
        let best = |cost: &dyn Fn(usize) -> u64| {
            let ways = WAYS.iter().min_by_key(|(_, a, b)| cost(*a) + cost(*b));
            ways.copied().unwrap_or(WAYS[0])
        };
        if self.effort.all_stereo {
            let widths: Vec<u32> = (0..4).map(width).collect();
            let mut all: Vec<Option<Subframe>> = Vec::new();
            for (signal, width) in signals.iter().zip(widths) {
                all.push(Some(self.subframe(signal, width)));
            }
            let cost = |i: usize| all[i].as_ref().map_or(0, |subframe| subframe.cost);
            let (code, first, second) = best(&cost);
            let chosen = [first, second]
                .into_iter()
                .filter_map(|i| all[i].take())
                .collect();
            (code, chosen)
        } else {
            let costs = signals.map(second_difference);
            let (code, first, second) = best(&|i| costs[i]);
            let widths = [width(first), width(second)];
            let first = self.subframe(signals[first], widths[0]);
            let second = self.subframe(signals[second], widths[1]);
            (code, vec![first, second])
        }
    }

    fn header(&self, writer: &mut Writer, frames: usize, assignment: u32, number: u64) {
        let size = if frames == BLOCK { 12 } else { 7 };
        let (rate, rate_bits) = match self.rate {
            88_200 => (1, 0),
            176_400 => (2, 0),
            192_000 => (3, 0),
            8_000 => (4, 0),
            16_000 => (5, 0),
            22_050 => (6, 0),
            24_000 => (7, 0),
            32_000 => (8, 0),
            44_100 => (9, 0),
            48_000 => (10, 0),
            96_000 => (11, 0),
            rate if rate < 1 << 16 => (13, 16),
            _ => (0, 0),
        };
        let depth = match self.bits {
            8 => 1,
            12 => 2,
            16 => 4,
            20 => 5,
            24 => 6,
            32 => 7,
            _ => 0,
        };
        writer.put(0xfff8, 16);
        writer.put(size << 4 | rate, 8);
        writer.put(assignment << 4 | depth << 1, 8);
        writer.number(number);
        if size == 7 {
            writer.put(frames as u32 - 1, 16);
        }
        if rate_bits > 0 {
            writer.put(self.rate, rate_bits);
        }
        writer.align();
        let mut crc = Crc8Ccitt::new(0);
        crc.process_buf_bytes(&writer.bytes);
        writer.put(u32::from(crc.crc()), 8);
    }

    /// The cheapest way to write a signal of `width` bits.
    fn subframe(&mut self, signal: &[i32], width: u32) -> Subframe {
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

    fn try_fixed(&mut self, signal: &[i32], width: u32, best: &mut Subframe) {
        // Each order adds a bit.
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
        // What was differenced across the beginning is no residual; drop the warm-up.
        residual.drain(..order);
        let kind = Predictor::Fixed(order);
        self.residual = best.improve(kind, width, order, 0, residual, self.effort.partitions);
    }

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
        let extra = u64::from(precision) * order as u64 + 9;
        self.residual = best.improve(kind, width, order, extra, residual, self.effort.partitions);
    }
}

impl Subframe {
    fn plain(kind: Predictor, wasted: u32, cost: u64) -> Self {
        Self {
            kind,
            wasted,
            residual: Vec::new(),
            rice: Rice::default(),
            cost,
        }
    }

    /// Becomes another way if that is cheaper. Gives back a vector to use again.
    fn improve(
        &mut self,
        kind: Predictor,
        width: u32,
        order: usize,
        extra: u64,
        residual: Vec<i32>,
        partitions: u32,
    ) -> Vec<i32> {
        let (rice, bits) = rice(&residual, order, partitions);
        let cost = bits + extra + u64::from(width) * order as u64;
        if cost >= self.cost {
            return residual;
        }
        (self.kind, self.rice, self.cost) = (kind, rice, cost);
        std::mem::replace(&mut self.residual, residual)
    }

    fn write(&self, writer: &mut Writer, signal: &[i32], width: u32) {
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

/// The Rice parameters of the cheapest partition, and the bits that the residual then takes.
fn rice(residual: &[i32], warm_up: usize, most: u32) -> (Rice, u64) {
    let length = residual.len() + warm_up;
    let mut order = most.min(length.trailing_zeros());
    while order > 0 && length >> order <= warm_up {
        order -= 1;
    }
    let mut sums = Vec::with_capacity(1 << order);
    let mut rest = residual;
    for i in 0..1usize << order {
        let count = (length >> order) - if i == 0 { warm_up } else { 0 };
        let (now, later) = rest.split_at(count);
        rest = later;
        let sum = now.iter().map(|x| u64::from(x.unsigned_abs())).sum();
        sums.push((count as u64, sum));
    }
    let mut best = (Rice::default(), u64::MAX);
    loop {
        let mut parameters = Vec::with_capacity(sums.len());
        let mut bits = 6;
        for (count, sum) in &sums {
            let (parameter, cost) = parameter(*count, *sum);
            parameters.push(parameter);
            bits += cost + 4;
        }
        if parameters.iter().any(|parameter| *parameter > MAX_RICE.0) {
            bits += parameters.len() as u64;
        }
        if bits < best.1 {
            best = (Rice { order, parameters }, bits);
        }
        if order == 0 {
            return best;
        }
        order -= 1;
        sums = sums
            .chunks(2)
            .map(|pair| (pair[0].0 + pair[1].0, pair[0].1 + pair[1].1))
            .collect();
    }
}

/// The best Rice parameter for `count` numbers with this sum of magnitudes, and the bits they then take.
fn parameter(count: u64, sum: u64) -> (u32, u64) {
    let cost = |parameter: u32| {
        let unary = match parameter {
            0 => 2 * sum,
            parameter => sum >> (parameter - 1),
        };
        (count * u64::from(1 + parameter) + unary).saturating_sub(count / 2)
    };
    let guess = (sum.checked_div(count).unwrap_or(0) + 1)
        .ilog2()
        .min(MAX_RICE.1 - 1);
    let (low, high) = (guess.saturating_sub(1), guess + 1);
    let best = (low..=high)
        .min_by_key(|parameter| cost(*parameter))
        .unwrap_or(guess);
    (best, cost(best))
}

/// The sum of the magnitudes of second differences: what a signal is going to cost, roughly.
fn second_difference(signal: &[i32]) -> u64 {
    let difference = |w: &[i32]| w[2].wrapping_sub(w[1].wrapping_mul(2)).wrapping_add(w[0]);
    signal
        .windows(3)
        .map(|w| u64::from(difference(w).unsigned_abs()))
        .sum()
}

/// A Tukey window of which half is flat.
fn tukey(length: usize) -> Vec<f64> {
    let edge = (length / 4).max(1) as f64;
    let place = |i: usize| (i.min(length - 1 - i) as f64 + 0.5) / edge;
    (0..length)
        .map(place)
        .map(|place| {
            if place < 1.0 {
                0.5 - 0.5 * (std::f64::consts::PI * place).cos()
            } else {
                1.0
            }
        })
        .collect()
}

fn autocorrelation(signal: &mut Vec<f64>, order: usize) -> [f64; MAX_ORDER + 1] {
    let mut result = [0.0; MAX_ORDER + 1];
    if order <= 8 {
        result[..9].copy_from_slice(&lags::<10>(signal)[..9]);
    } else {
        result.copy_from_slice(&lags::<14>(signal)[..MAX_ORDER + 1]);
    }
    result
}

/// The first `L` lags. The lanes of the sum are the lags, so that one pass over the signal does for all.
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

/// Coefficients of the order that looks cheapest, by the recursion of Levinson and Durbin.
fn predictor(
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
        // Bits a sample of a Laplacian residual with this energy, and the bits of the coefficients.
        let deviation = 0.5 * (0.240_226_5 * error / samples).log2();
        let bits = deviation.max(0.0) * (length - order) as f64 + 16.0 * order as f64;
        if best.is_none_or(|(least, ..)| bits < least) {
            best = Some((bits, order + 1, current));
        }
    }
    best.map(|(_, order, coefficients)| (order, coefficients[..order].to_vec()))
}

/// Coefficients as integers of `precision` bits, and by how much their products have to be shifted.
fn quantise(coefficients: &[f64], precision: u32) -> Option<(Vec<i32>, u32)> {
    let largest = coefficients
        .iter()
        .fold(0.0f64, |largest, c| largest.max(c.abs()));
    if largest <= 0.0 || !largest.is_finite() {
        return None;
    }
    let shift = precision as i32 - 1 - (largest.log2().floor() as i32 + 1);
    // Coefficients beyond a few hundred predict nothing.
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

/// Appends what the predictor leaves; false if that has no room in an i32. `bits` is the width of a product.
fn linear_residual(
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

fn narrow_residual<const N: usize>(
    signal: &[i32],
    coefficients: &[i32],
    shift: u32,
    residual: &mut Vec<i32>,
) {
    let order = coefficients.len();
    // The coefficient of the sample just before stands last.
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
        // The smallest number is not allowed (section 9.2.7.3).
        match i32::try_from(i64::from(signal[i]) - (sum >> shift)) {
            Ok(x) if x > i32::MIN => residual.push(x),
            _ => return false,
        }
    }
    true
}

/// Bits, the most significant first.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Writer {
    /// Appends the low `bits` bits of `value`, at most 32.
    fn put(&mut self, value: u32, bits: u32) {
        if self.count + bits > 64 {
            self.drain();
        }
        let value = u64::from(value) & ((1 << bits) - 1);
        self.pending = self.pending << bits | value;
        self.count += bits;
    }

    /// Moves whole bytes out.
    fn drain(&mut self) {
        let whole = self.count / 8;
        if whole == 0 {
            return;
        }
        let aligned = self.pending << (64 - self.count);
        self.bytes
            .extend_from_slice(&aligned.to_be_bytes()[..whole as usize]);
        self.count -= 8 * whole;
        self.pending &= (1 << self.count) - 1;
    }

    fn signed(&mut self, value: i32, bits: u32) {
        if bits > 32 {
            // The side of 32-bit stereo is never written.
            self.put((value >> 31) as u32, bits - 32);
        }
        self.put(value as u32, bits.min(32));
    }

    /// `zeros` zeros and a one.
    fn unary(&mut self, zeros: u32) {
        let mut left = zeros;
        while left >= 32 {
            self.put(0, 32);
            left -= 32;
        }
        self.put(1, left + 1);
    }

    fn rice(&mut self, value: i32, parameter: u32) {
        let folded = (value << 1 ^ value >> 31) as u32;
        let high = folded >> parameter;
        if high + 1 + parameter <= 32 {
            let low = folded & ((1u32 << parameter) - 1);
            self.put(1 << parameter | low, high + 1 + parameter);
        } else {
            self.unary(high);
            self.put(folded, parameter);
        }
    }

    /// A frame's number, coded like a character in UTF-8 but up to 36 bits.
    fn number(&mut self, number: u64) {
        if number < 0x80 {
            return self.put(number as u32, 8);
        }
        let bits = 64 - number.leading_zeros();
        let more = if bits <= 11 { 1 } else { (bits - 2) / 5 };
        let mut shift = 6 * more;
        self.put((0xff00u64 >> (more + 1) & 0xff | number >> shift) as u32, 8);
        while shift > 0 {
            shift -= 6;
            self.put(0x80 | (number >> shift & 0x3f) as u32, 8);
        }
    }

    fn align(&mut self) {
        let over = self.count % 8;
        if over > 0 {
            self.put(0, 8 - over);
        }
        self.drain();
    }

    /// The frame with its checksum.
    fn finish(mut self) -> Vec<u8> {
        self.align();
        let mut crc = Crc16Ansi::new(0);
        crc.process_buf_bytes(&self.bytes);
        self.bytes.extend(crc.crc().to_be_bytes());
        self.bytes
    }
}
