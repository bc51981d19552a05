//! Decodes binary decisions in arithmetic coding (T.81, annex D), each with an adaptive probability estimate. Does not
//! interpret the decisions.

/// State of a probability estimate: its row in [`ESTIMATES`], and in the highest bit the more probable decision.
pub(crate) type State = u8;

/// Row of the estimate that remains at one half.
const EVEN: State = ESTIMATES.len() as u8 - 1;

/// A decoder of decisions (D.2). `code` takes in a whole byte at a time, while `interval` is renormalised bit by bit.
/// So `code` is ahead by `bits` bits, and `interval` is shifted by them before the two are compared.
pub(crate) struct Coder<'a> {
    /// The entropy-coded data.
    data: &'a [u8],
    /// Offset of the next byte in the data.
    at: usize,
    /// Size of the current interval (A in the standard).
    interval: u32,
    /// Position of the code in the interval (C in the standard).
    code: u32,
    /// Number of bits that may be shifted before the next byte is read. It is negative at the beginning.
    bits: i32,
}

impl<'a> Coder<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self {
            data,
            at: 0,
            interval: 0,
            code: 0,
            bits: -16,
        }
    }

    /// The next byte; 0 after the data and at a marker, because encoders leave out zeros at the end (D.1.8).
    fn byte(&mut self) -> u32 {
        match self.data[self.at.min(self.data.len())..] {
            [0xff, 0, ..] => {
                self.at += 2;
                0xff
            }
            [0xff, ..] | [] => 0,
            [byte, ..] => {
                self.at += 1;
                byte.into()
            }
        }
    }

    /// The data after the next restart marker. `None` if there is no restart marker.
    pub(crate) fn after_restart(&self) -> Option<&'a [u8]> {
        let rest = &self.data[self.at..];
        let is_marker = |pair: &[u8]| pair[0] == 0xff && matches!(pair[1], 0xd0..=0xd7);
        let found = rest.windows(2).position(is_marker)?;
        Some(&rest[found + 2..])
    }

    /// Decodes the next decision, and adapts its probability estimate.
    pub(crate) fn bit(&mut self, state: &mut State) -> bool {
        // Renormalises the interval, and reads a byte for every eight shifts.
        while self.interval < 0x8000 {
            self.bits -= 1;
            if self.bits < 0 {
                self.code = self.code << 8 | self.byte();
                self.bits += 8;
                if self.bits < 0 {
                    self.bits += 1;
                    // The first two bytes have now been read, so the interval gets its initial size.
                    if self.bits == 0 {
                        self.interval = 0x8000;
                    }
                }
            }
            self.interval <<= 1;
        }
        let (size, if_less, if_more) = ESTIMATES[usize::from(*state & 127)];
        let size = u32::from(size);
        let probable = *state & 128;
        self.interval -= size;
        let bound = self.interval << self.bits;
        let is_upper = self.code >= bound;
        if !is_upper && self.interval >= 0x8000 {
            return probable != 0;
        }
        // The smaller part of the interval stands for the less probable decision (conditional exchange, D.2.5).
        let is_less = is_upper == (self.interval >= size);
        if is_upper {
            self.code -= bound;
            self.interval = size;
        }
        *state = if is_less {
            probable ^ if_less
        } else {
            probable | if_more
        };
        is_less != (probable != 0)
    }

    /// Decodes a decision with equal probabilities.
    pub(crate) fn even_bit(&mut self) -> bool {
        let mut state = EVEN;
        self.bit(&mut state)
    }

    /// Decodes the lower bits of a value whose highest bit is the only bit of `magnitude`; then adds 1, and applies the
    /// sign.
    pub(crate) fn rest(&mut self, magnitude: u32, state: &mut State, is_negative: bool) -> i32 {
        let mut value = magnitude;
        let mut bit = magnitude >> 1;
        while bit != 0 {
            if self.bit(state) {
                value |= bit;
            }
            bit >>= 1;
        }
        let value = value as i32 + 1;
        if is_negative { -value } else { value }
    }
}

/// For each state of a probability estimate: the size of the less probable subinterval (Qe), and the next states after
/// the less and after the more probable decision (table D.3). Adding 128 exchanges the two decisions. The last row is
/// not in the table of the standard; it remains at one half.
#[rustfmt::skip]
const ESTIMATES: [(u16, u8, u8); 114] = [
    (0x5a1d, 1 | 128, 1), (0x2586, 14, 2), (0x1114, 16, 3), (0x080b, 18, 4), (0x03d8, 20, 5),
    (0x01da, 23, 6), (0x00e5, 25, 7), (0x006f, 28, 8), (0x0036, 30, 9), (0x001a, 33, 10),
    (0x000d, 35, 11), (0x0006, 9, 12), (0x0003, 10, 13), (0x0001, 12, 13), (0x5a7f, 15 | 128, 15),
    (0x3f25, 36, 16), (0x2cf2, 38, 17), (0x207c, 39, 18), (0x17b9, 40, 19), (0x1182, 42, 20),
    (0x0cef, 43, 21), (0x09a1, 45, 22), (0x072f, 46, 23), (0x055c, 48, 24), (0x0406, 49, 25),
    (0x0303, 51, 26), (0x0240, 52, 27), (0x01b1, 54, 28), (0x0144, 56, 29), (0x00f5, 57, 30),
    (0x00b7, 59, 31), (0x008a, 60, 32), (0x0068, 62, 33), (0x004e, 63, 34), (0x003b, 32, 35),
    (0x002c, 33, 9), (0x5ae1, 37 | 128, 37), (0x484c, 64, 38), (0x3a0d, 65, 39), (0x2ef1, 67, 40),
    (0x261f, 68, 41), (0x1f33, 69, 42), (0x19a8, 70, 43), (0x1518, 72, 44), (0x1177, 73, 45),
    (0x0e74, 74, 46), (0x0bfb, 75, 47), (0x09f8, 77, 48), (0x0861, 78, 49), (0x0706, 79, 50),
    (0x05cd, 48, 51), (0x04de, 50, 52), (0x040f, 50, 53), (0x0363, 51, 54), (0x02d4, 52, 55),
    (0x025c, 53, 56), (0x01f8, 54, 57), (0x01a4, 55, 58), (0x0160, 56, 59), (0x0125, 57, 60),
    (0x00f6, 58, 61), (0x00cb, 59, 62), (0x00ab, 61, 63), (0x008f, 61, 32), (0x5b12, 65 | 128, 65),
    (0x4d04, 80, 66), (0x412c, 81, 67), (0x37d8, 82, 68), (0x2fe8, 83, 69), (0x293c, 84, 70),
    (0x2379, 86, 71), (0x1edf, 87, 72), (0x1aa9, 87, 73), (0x174e, 72, 74), (0x1424, 72, 75),
    (0x119c, 74, 76), (0x0f6b, 74, 77), (0x0d51, 75, 78), (0x0bb6, 77, 79), (0x0a40, 77, 48),
    (0x5832, 80 | 128, 81), (0x4d1c, 88, 82), (0x438e, 89, 83), (0x3bdd, 90, 84), (0x34ee, 91, 85),
    (0x2eae, 92, 86), (0x299a, 93, 87), (0x2516, 86, 71), (0x5570, 88 | 128, 89), (0x4ca9, 95, 90),
    (0x44d9, 96, 91), (0x3e22, 97, 92), (0x3824, 99, 93), (0x32b4, 99, 94), (0x2e17, 93, 86),
    (0x56a8, 95 | 128, 96), (0x4f46, 101, 97), (0x47e5, 102, 98), (0x41cf, 103, 99), (0x3c3d, 104, 100),
    (0x375e, 99, 93), (0x5231, 105, 102), (0x4c0f, 106, 103), (0x4639, 107, 104), (0x415e, 103, 99),
    (0x5627, 105 | 128, 106), (0x50e7, 108, 107), (0x4b85, 109, 103), (0x5597, 110, 109), (0x504f, 111, 107),
    (0x5a10, 110 | 128, 111), (0x5522, 112, 109), (0x59eb, 112 | 128, 111), (0x5a1d, 113, 113),
];
