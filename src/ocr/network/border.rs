//! The border of a picture: the values that a convolution gets for positions outside of it.

/// Values outside of a picture.
pub(crate) enum Border {
    /// Zeros: the middle between black and white.
    Zero,
    /// Random numbers as in Tesseract 5.0 to 5.5.0 (`minstd_rand`), starting again for every picture. Only tests need
    /// them.
    #[cfg_attr(not(test), expect(dead_code))]
    Random(u64),
}

/// The modulus of `minstd_rand`.
#[cfg(test)]
const MODULUS: u64 = (1 << 31) - 1;

impl Border {
    /// The random numbers that Tesseract uses for a network after this many rounds of training.
    #[cfg(test)]
    pub(crate) fn random(rounds: i32) -> Self {
        let seed = (i64::from(rounds) * 0x1000_0001).cast_unsigned() % MODULUS;
        let mut border = Self::Random(seed.max(1));
        border.next();
        border
    }

    /// The next activation outside of the picture.
    #[inline]
    pub(crate) fn next(&mut self) -> i8 {
        match self {
            Self::Zero => 0,
            #[cfg(test)]
            Self::Random(state) => {
                *state = *state * 48_271 % MODULUS;
                let value = 254.0 * *state as f64 / MODULUS as f64 - 127.0;
                value.round() as i8
            }
            #[cfg(not(test))]
            Self::Random(_) => 0,
        }
    }
}
