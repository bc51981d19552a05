//! ThunderScan's compression of samples of four bits (libtiff, `tif_thunder.c`), written by scanners for the Macintosh.
//! Each byte has a run, a sample, or the differences of two or three samples, each relative to the sample before. Reads
//! no tags.

/// Fills rows of `width` samples, two in a byte, the first in its high half. Differences beyond the end of a row are
/// dropped, as libtiff does: the last byte of a row may have more than the row needs. Returns `None` if the data end
/// early, or a run exceeds its row.
pub(crate) fn unpack(data: &[u8], width: usize, row_len: usize, rows: &mut [u8]) -> Option<()> {
    /// Differences for codes of two bits, modulo 16. `None` means that the code has no sample.
    const TWO: [Option<u8>; 4] = [Some(0), Some(1), None, Some(15)];
    /// Differences for codes of three bits, as in `TWO`.
    const THREE: [Option<u8>; 8] = [
        Some(0),
        Some(1),
        Some(2),
        Some(3),
        None,
        Some(13),
        Some(14),
        Some(15),
    ];
    let mut data = data.iter();
    for row in rows.chunks_mut(row_len) {
        let (mut last, mut count) = (0, 0);
        // Appends a sample, and returns whether another one fits into the row. `None` if this one does not fit.
        let mut put = |sample: u8| {
            let byte = row.get_mut(count / 2).filter(|_| count < width)?;
            match count % 2 {
                0 => *byte = sample << 4,
                _ => *byte |= sample,
            }
            count += 1;
            Some(count < width)
        };
        let mut goes_on = true;
        while goes_on {
            let byte = *data.next()?;
            match byte >> 6 {
                // A run, which repeats the last sample.
                0 => {
                    for _ in 0..byte {
                        goes_on = put(last)?;
                    }
                }
                // Three differences of two bits.
                1 => {
                    for shift in [4, 2, 0] {
                        if let Some(difference) = TWO[usize::from(byte >> shift & 3)] {
                            last = (last + difference) & 15;
                            goes_on = put(last).unwrap_or(false);
                        }
                    }
                }
                // Two differences of three bits.
                2 => {
                    for shift in [3, 0] {
                        if let Some(difference) = THREE[usize::from(byte >> shift & 7)] {
                            last = (last + difference) & 15;
                            goes_on = put(last).unwrap_or(false);
                        }
                    }
                }
                // A sample.
                _ => {
                    last = byte & 15;
                    goes_on = put(last)?;
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_add_to_the_previous_sample() {
        // A raw 9; a run of two; differences to 10, none, 9; differences to 12, 9. Then a row of zeros.
        let data = [0xc9, 2, 0b0101_1011, 0b1001_1101, 7];
        let mut rows = [0xff; 8];
        assert_eq!(unpack(&data, 7, 4, &mut rows), Some(()));
        assert_eq!(rows, [0x99, 0x9a, 0x9c, 0x90, 0, 0, 0, 0]);
        // In two rows of three samples, the last byte of each row has one difference too many: of two bits in the
        // first row, and of three bits in the second row.
        let data = [0xc0, 0b0101_0101, 0b1000_1001, 0b1000_1001];
        let mut rows = [0xff; 4];
        assert_eq!(unpack(&data, 3, 2, &mut rows), Some(()));
        assert_eq!(rows, [0x01, 0x20, 0x12, 0x30]);
        // A run that exceeds its row, and data that ends early.
        assert_eq!(unpack(&[8], 7, 4, &mut [0; 4]), None);
        assert_eq!(unpack(&[6], 7, 4, &mut [0; 4]), None);
    }
}
