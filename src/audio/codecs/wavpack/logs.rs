//! Logarithms to the base 2 with eight fractional bits, the form in which WavPack stores some numbers. Two tables hold
//! rounded values of the power and of the logarithm.

pub(super) struct Logs {
    powers: [u8; 256],
    logs: [u8; 256],
}

impl Logs {
    pub(super) fn new() -> Self {
        let part = |i: usize| i as f64 / 256.0;
        Self {
            powers: std::array::from_fn(|i| ((part(i).exp2() - 1.0) * 256.0).round() as u8),
            logs: std::array::from_fn(|i| ((1.0 + part(i)).log2() * 256.0).round() as u8),
        }
    }

    /// The number whose logarithm is `log`. The sign of `log` is the sign of the number.
    pub(super) fn power(&self, log: i32) -> i32 {
        let size = log.unsigned_abs();
        let value = u32::from(self.powers[size as usize & 0xff]) | 0x100;
        let shift = size >> 8;
        let value = match shift {
            0..=9 => value >> (9 - shift),
            _ => value << ((shift - 9) & 31),
        };
        let value = value as i32;
        if log < 0 { value.wrapping_neg() } else { value }
    }

    /// The logarithm of a number that is not negative.
    pub(super) fn log(&self, value: u32) -> u32 {
        let value = value.wrapping_add(value >> 9);
        let bits = 32 - value.leading_zeros();
        let part = match bits {
            0..=9 => value << (9 - bits),
            _ => value >> (bits - 9),
        };
        (bits << 8) + u32::from(self.logs[part as usize & 0xff])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_nearly_undo_logarithms() {
        let logs = Logs::new();
        for value in [0, 1, 2, 3, 255, 256, 1000, 70_000, 1 << 30] {
            let back = logs.power(logs.log(value) as i32) as u32;
            assert!(back.abs_diff(value) <= value / 200, "{value}: {back}");
        }
        assert_eq!((logs.power(0x900), logs.power(-0x900)), (256, -256));
        // Corner values of the tables of the reference decoder.
        assert_eq!(
            (logs.powers[1], logs.powers[128], logs.powers[255]),
            (1, 106, 255)
        );
        assert_eq!(
            (logs.logs[1], logs.logs[128], logs.logs[255]),
            (1, 150, 255)
        );
    }
}
