//! Logarithmic encodings of luminance and colour by SGI (G. Ward Larson, "LogLuv encoding for full-gamut, high-dynamic
//! range images", 1998; numbers as in libtiff): LogL with 16 bits, LogLuv with 24 and 32 bits per pixel. They are
//! converted to linear light.

/// Encoding of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogEncoding {
    /// LogL: a sign and the logarithm of luminance, 16 bits.
    Luminance,
    /// LogLuv 24: 10 bits of the logarithm, and the index of a square in the chromaticity diagram.
    Small,
    /// LogLuv 32: LogL, and two chromaticity coordinates of 8 bits.
    Large,
}

impl LogEncoding {
    /// The encoding for values of the tags Compression and PhotometricInterpretation.
    pub(crate) fn of(compression: u64, photometric: u64) -> Option<Self> {
        Some(match (compression, photometric) {
            (34_676, 32_844) => Self::Luminance,
            (34_677, 32_845) => Self::Small,
            (34_676, 32_845) => Self::Large,
            _ => return None,
        })
    }

    /// Length of a pixel in bytes.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Luminance => 2,
            Self::Small => 3,
            Self::Large => 4,
        }
    }

    /// Decompresses rows of `row_len` bytes. LogLuv 24 is stored uncompressed. In a row of the other encodings, the
    /// high bytes of all pixels come first, then the next lower ones, and so on, with run-length coding. The result has
    /// the highest byte of each pixel first. `None` if the data ends early.
    pub(crate) fn unpack(self, mut data: &[u8], row_len: usize, rows: &mut [u8]) -> Option<()> {
        if self == Self::Small {
            rows.copy_from_slice(data.get(..rows.len())?);
            return Some(());
        }
        let step = self.bytes();
        for row in rows.chunks_exact_mut(row_len) {
            for byte in 0..step {
                let mut bytes = row.iter_mut().skip(byte).step_by(step);
                let mut left = row_len / step;
                while left > 0 {
                    let (&head, rest) = data.split_first()?;
                    let (count, values) = match usize::from(head) {
                        head @ 128.. => (head - 126, &rest[..1.min(rest.len())]),
                        head => (head, &rest[..head.min(rest.len())]),
                    };
                    data = &rest[values.len()..];
                    let count = count.min(left);
                    left -= count;
                    for at in 0..count {
                        let value = if head < 128 {
                            values.get(at)
                        } else {
                            values.first()
                        };
                        *bytes.next()? = *value?;
                    }
                }
            }
        }
        Some(())
    }

    /// Converts a row to linear light: one sample per pixel for LogL, otherwise red, green and blue.
    pub(crate) fn put(self, pixels: &[u8], row: &mut [u8]) {
        let (row, _) = row.as_chunks_mut::<4>();
        let values = pixels.chunks_exact(self.bytes());
        if self == Self::Luminance {
            for (sample, pixel) in row.iter_mut().zip(values) {
                *sample = luminance(pixel[0], pixel[1]).to_ne_bytes();
            }
            return;
        }
        for (samples, pixel) in row.chunks_exact_mut(3).zip(values) {
            let (light, [u, v]) = match *pixel {
                [high, low, u, v] => {
                    let coordinate = |value: u8| (f32::from(value) + 0.5) / 410.0;
                    (luminance(high, low), [u, v].map(coordinate))
                }
                [a, b, c] => {
                    let bits = u32::from_be_bytes([0, a, b, c]);
                    let log = bits >> 14;
                    let light = match log {
                        0 => 0.0,
                        log => ((log as f32 + 0.5) / 64.0 - 12.0).exp2(),
                    };
                    (light, square(bits & 0x3fff))
                }
                _ => (0.0, WHITE),
            };
            for (sample, light) in samples.iter_mut().zip(to_rgb(light, u, v)) {
                *sample = light.to_ne_bytes();
            }
        }
    }
}

/// The luminance of LogL: a sign, and a logarithm to base 2 in steps of 1/256. Negative luminance becomes 0.
fn luminance(high: u8, low: u8) -> f32 {
    let log = u16::from_be_bytes([high & 127, low]);
    if log == 0 || high & 128 != 0 {
        return 0.0;
    }
    ((f32::from(log) + 0.5) / 256.0 - 64.0).exp2()
}

/// The coordinates u′ and v′ of equal-energy white.
const WHITE: [f32; 2] = [0.210_526_32, 0.473_684_2];

/// Converts luminance and the coordinates u′ and v′ (CIE 1976) to linear light with the primaries of Rec. 709.
fn to_rgb(light: f32, u: f32, v: f32) -> [f32; 3] {
    let scale = 1.0 / (6.0 * u - 16.0 * v + 12.0);
    let (x, y) = (9.0 * u * scale, 4.0 * v * scale);
    if light <= 0.0 || y <= 0.0 {
        return [0.0; 3];
    }
    let [x, y, z] = [x / y * light, light, (1.0 - x - y) / y * light];
    [
        2.690 * x - 1.276 * y - 0.414 * z,
        -1.022 * x + 1.978 * y + 0.044 * z,
        0.061 * x - 0.224 * y + 1.163 * z,
    ]
}

/// The centre of the square with this number in the chromaticity diagram. Other numbers stand for white.
fn square(number: u32) -> [f32; 2] {
    /// Side of a square in u′ and v′ (`uvcode.h` of libtiff).
    const SIDE: f32 = 0.0035;
    /// The smallest v′ of the diagram.
    const LOWEST: f32 = 0.016_94;
    let mut number = number;
    let mut row = 0;
    for &(start, squares, rows) in &CHART {
        for _ in 0..rows {
            if number < squares {
                let u = start as f32 / 1e6 + (number as f32 + 0.5) * SIDE;
                return [u, LOWEST + (row as f32 + 0.5) * SIDE];
            }
            number -= squares;
            row += 1;
        }
    }
    WHITE
}

/// The rows of squares that cover all visible colours, from the lowest v′: the start of a row (u′, in millionths), the
/// number of its squares, and the number of equal rows.
#[rustfmt::skip]
const CHART: [(u32, u32, u32); 82] = [
    (247_663, 4, 1), (243_779, 6, 1), (241_684, 7, 1), (237_874, 9, 1), (235_906, 10, 1), (232_153, 12, 1),
    (228_352, 14, 1), (226_259, 15, 1), (222_371, 17, 1), (220_410, 18, 1), (214_710, 21, 1), (212_714, 22, 1),
    (210_721, 23, 1), (204_976, 26, 1), (202_986, 27, 1), (199_245, 29, 1), (195_525, 31, 1), (193_560, 32, 1),
    (189_878, 34, 1), (186_216, 36, 2), (182_592, 38, 1), (179_003, 40, 1), (175_466, 42, 1), (172_001, 44, 2),
    (168_612, 46, 2), (163_575, 49, 1), (158_642, 52, 3), (153_815, 55, 2), (149_097, 58, 2), (142_746, 62, 3),
    (138_270, 65, 3), (132_166, 69, 2), (126_204, 73, 3), (120_381, 77, 4), (112_962, 82, 3), (107_450, 86, 4),
    (100_343, 91, 3), (95_126, 95, 4), (88_276, 100, 4), (81_523, 105, 4), (74_861, 110, 4), (68_290, 115, 4),
    (63_573, 119, 4), (57_219, 124, 4), (50_985, 129, 5), (44_859, 134, 4), (40_571, 138, 4), (36_339, 142, 4),
    (32_139, 146, 4), (27_947, 150, 3), (23_739, 154, 4), (19_504, 158, 3), (16_976, 161, 4), (12_639, 165, 3),
    (9_991, 168, 3), (9_016, 170, 3), (6_217, 173, 2), (5_097, 175, 3), (3_909, 177, 2), (2_340, 177, 1),
    (2_389, 170, 1), (1_068, 164, 1), (1_653, 157, 1), (717, 150, 1), (1_614, 143, 1), (270, 136, 1),
    (484, 129, 1), (1_103, 123, 1), (1_242, 115, 1), (1_188, 109, 1), (1_011, 103, 1), (709, 97, 1),
    (301, 89, 1), (2_416, 82, 1), (3_251, 76, 1), (3_246, 69, 1), (4_141, 62, 1), (5_963, 55, 1),
    (8_839, 47, 1), (10_490, 40, 1), (16_994, 31, 1), (23_659, 21, 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_has_all_squares() {
        let rows: u32 = CHART.iter().map(|(_, _, rows)| rows).sum();
        let squares: u32 = CHART.iter().map(|(_, squares, rows)| squares * rows).sum();
        assert_eq!((rows, squares), (163, 16_289));
        assert_eq!(square(16_289), WHITE);
    }

    #[test]
    fn white_is_grey_and_red_is_red() {
        #[track_caller]
        fn check(log: LogEncoding, pixel: &[u8], expected: [f32; 3]) {
            let mut row = [0; 12];
            log.put(pixel, &mut row);
            let found = [0, 1, 2].map(|at| f32::from_ne_bytes(row.as_chunks().0[at]));
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 0.05, "{found} {expected}");
            }
        }
        // Luminance 1, which is 2 to the power of 0, at u′ = 86.3 / 410 and v′ = 194.2 / 410.
        check(LogEncoding::Large, &[0x40, 0, 86, 194], [1.0; 3]);
        check(LogEncoding::Large, &[0, 0, 86, 194], [0.0; 3]);
        // Rec. 709's red is at (0.451, 0.523), with 0.256 of the luminance of this white.
        check(LogEncoding::Large, &[0x3e, 0x08, 184, 214], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn byte_planes_are_unpacked() {
        let mut rows = [0; 8];
        let data = [2, 1, 2, 0x80, 9, 0x82, 7];
        assert_eq!(LogEncoding::Luminance.unpack(&data, 8, &mut rows), Some(()));
        assert_eq!(rows, [1, 7, 2, 7, 9, 7, 9, 7]);
        assert_eq!(
            LogEncoding::Luminance.unpack(&data[..6], 8, &mut rows),
            None
        );
        assert_eq!(LogEncoding::Luminance.unpack(&[], 8, &mut rows), None);
    }
}
