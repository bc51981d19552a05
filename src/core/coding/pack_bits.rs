//! PackBits (TIFF 6.0, section 9; also used by QuickDraw): a byte states how often the next unit is repeated, or how
//! many literal units follow. A unit is one byte; for QuickDraw's 16-bit pixels it is two.

/// Unpacks units of `UNIT` bytes until `out` is full. `None` if the data ends earlier; then only the beginning of `out`
/// is filled.
pub fn unpack<const UNIT: usize>(mut data: &[u8], mut out: &mut [u8]) -> Option<()> {
    while !out.is_empty() {
        let (&head, rest) = data.split_first()?;
        data = rest;
        let len = match head {
            0..=127 => {
                let len = (usize::from(head) + 1) * UNIT;
                let (bytes, rest) = data.split_at_checked(len)?;
                let len = len.min(out.len());
                out[..len].copy_from_slice(&bytes[..len]);
                data = rest;
                len
            }
            128 => 0,
            129..=255 => {
                let (unit, rest) = data.split_first_chunk::<UNIT>()?;
                let len = ((257 - usize::from(head)) * UNIT).min(out.len());
                for (at, byte) in out[..len].iter_mut().enumerate() {
                    *byte = unit[at % UNIT];
                }
                data = rest;
                len
            }
        };
        out = &mut out[len..];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_unpacked() {
        #[track_caller]
        fn check(data: &[u8], expected: Option<&[u8]>) {
            let mut rows = [0; 6];
            let done = unpack::<1>(data, &mut rows);
            assert_eq!(done.map(|()| &rows[..]), expected);
        }
        check(&[0xfd, 7, 128, 1, 8, 9], Some(&[7, 7, 7, 7, 8, 9]));
        check(&[0x81, 5], Some(&[5; 6]));
        check(&[9, 1, 2, 3], None);
        check(&[0xfd, 7], None);
        check(&[0xfd], None);
    }

    #[test]
    fn units_may_have_two_bytes() {
        let mut rows = [0; 6];
        let done = unpack::<2>(&[0xff, 1, 2, 0, 3, 4], &mut rows);
        assert_eq!(done.map(|()| rows), Some([1, 2, 1, 2, 3, 4]));
    }
}
