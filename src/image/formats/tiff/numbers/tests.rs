use super::*;

fn samples(kind: SampleFormat, bits: u64, count: u64, is_little: bool) -> Samples {
    let photometric = if count < 3 { 1 } else { 2 };
    Samples::of(kind, bits, (photometric, count, 2), is_little).unwrap()
}

#[test]
fn integers_of_any_width_are_read() {
    #[track_caller]
    fn check(bits: u64, is_little: bool, bytes: &[u8], expected: &[u16]) {
        let mut samples = samples(SampleFormat::Integer, bits, 1, is_little);
        let mut row = vec![0; expected.len() * samples.depth().bytes()];
        samples.put(&[bytes], &mut row);
        let found: Vec<u16> = match samples.depth() {
            Depth::Eight => row.iter().map(|&byte| byte.into()).collect(),
            _ => row
                .as_chunks()
                .0
                .iter()
                .map(|&pair| u16::from_ne_bytes(pair))
                .collect(),
        };
        assert_eq!(found, expected, "{bits} bits");
    }
    check(3, false, &[0b0001_1101, 0b0000_0000], &[0, 255, 73]);
    check(6, true, &[0b1111_1100, 0b0001_0000], &[255, 4]);
    check(12, true, &[0xff, 0xf0, 0x01], &[65_535, 16]);
    check(24, true, &[1, 0, 0x80, 0xff, 0xff, 0xff], &[32_768, 65_535]);
    check(24, false, &[0x80, 0, 1], &[32_768]);
    check(
        32,
        false,
        &[0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0],
        &[65_535, 32_768],
    );
    check(31, false, &[0xff, 0xff, 0xff, 0xfe], &[65_535]);
}

#[test]
fn planes_signs_and_other_colours_are_read() {
    #[track_caller]
    fn check(kind: SampleFormat, bits: u64, photometric: u64, planes: &[&[u8]], expected: &[u8]) {
        let pixel = (photometric, planes.len() as u64, 0);
        let mut samples = Samples {
            is_planar: true,
            ..Samples::of(kind, bits, pixel, false).unwrap()
        };
        assert_eq!(samples.planes(), planes.len());
        let mut row = vec![0; expected.len()];
        samples.put(planes, &mut row);
        assert_eq!(row, expected);
    }
    check(
        SampleFormat::Integer,
        4,
        2,
        &[&[0xf0], &[0x0f], &[0x00]],
        &[255, 0, 0, 0, 255, 0],
    );
    check(
        SampleFormat::Integer,
        8,
        5,
        &[&[255], &[0], &[0], &[0]],
        &[0, 255, 255],
    );
    check(
        SampleFormat::Integer,
        8,
        8,
        &[&[255], &[0], &[0]],
        &[255; 3],
    );
    check(
        SampleFormat::Integer,
        8,
        9,
        &[&[0], &[128], &[128]],
        &[0; 3],
    );
    let grey = |value: u16| value.to_ne_bytes();
    check(SampleFormat::Signed, 16, 1, &[&[0x80, 0]], &grey(0));
    check(SampleFormat::Signed, 16, 1, &[&[0, 0]], &grey(0x8000));
    check(SampleFormat::Signed, 8, 1, &[&[0xff]], &[255]);
}

#[test]
fn floats_are_read() {
    #[track_caller]
    fn check(bits: u64, bytes: &[u8], expected: f32) {
        let mut samples = samples(SampleFormat::Float, bits, 1, false);
        let mut row = [0; 4];
        samples.put(&[bytes], &mut row);
        assert_eq!(f32::from_ne_bytes(row), expected, "{bits} bits");
    }
    check(16, &[0x3c, 0], 1.0);
    check(16, &[0xb8, 0], -0.5);
    check(16, &[0, 1], 2_f32.powi(-24));
    check(16, &[0x7c, 0], 0.0);
    check(24, &[0x3f, 0, 0], 1.0);
    check(32, &1.5_f32.to_be_bytes(), 1.5);
    check(64, &0.25_f64.to_be_bytes(), 0.25);
}
