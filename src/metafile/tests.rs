//! Tests of metafiles that are built record by record, both valid and hostile.

use super::*;
use convertd_core::job::testing::with_job;

/// An EMF with these records. Its frame is 100 by 50 millimetres, on a device with four dots per millimetre.
fn emf(records: &[Vec<u8>]) -> Vec<u8> {
    let mut header = Vec::new();
    for word in [1, 108, 0, 0, 399, 199, 0, 0, 10_000, 5_000] {
        header.extend(i32::to_le_bytes(word));
    }
    header.extend(b" EMF");
    for word in [
        0x1_0000, 0, 0, 0, 0, 0, 0, 1600, 800, 400, 200, 0, 0, 0, 0, 0,
    ] {
        header.extend(i32::to_le_bytes(word));
    }
    header.resize(108, 0);
    let mut file = header;
    records.iter().for_each(|record| file.extend(record));
    file.extend(record(14, &[0, 0, 20]));
    file
}

fn record(kind: i32, words: &[i32]) -> Vec<u8> {
    let len = 8 + 4 * words.len() as i32;
    let all = [kind, len].into_iter().chain(words.iter().copied());
    all.flat_map(i32::to_le_bytes).collect()
}

/// A WMF with these records.
fn wmf(records: &[(u16, &[i16])]) -> Vec<u8> {
    let mut file = vec![0xd7, 0xcd, 0xc6, 0x9a];
    for word in [0_i16, 0, 0, 1440, 720, 1440, 0, 0, 0] {
        file.extend(word.to_le_bytes());
    }
    for word in [1_i16, 9, 0x300, 0, 0, 0, 0, 0, 0] {
        file.extend(word.to_le_bytes());
    }
    for (function, words) in records {
        file.extend((3 + words.len() as u32).to_le_bytes());
        file.extend(function.to_le_bytes());
        words
            .iter()
            .for_each(|word| file.extend(word.to_le_bytes()));
    }
    file.extend([3, 0, 0, 0, 0, 0]);
    file
}

fn drawn(file: &[u8]) -> Option<String> {
    let drawn = with_job(|job| draw(job, file)).unwrap();
    drawn.map(|drawn| String::from_utf8(drawn.svg).unwrap())
}

#[test]
fn an_emf_has_the_size_of_its_frame() {
    let svg = drawn(&emf(&[record(43, &[0, 0, 200, 100])])).unwrap();
    assert!(
        svg.contains("width=\"283.465pt\" height=\"141.732pt\""),
        "{svg}"
    );
    assert!(svg.contains("M0 0L200 0L200 100L0 100Z"), "{svg}");
}

#[test]
fn windows_may_be_upside_down_and_handles_are_reused() {
    let records = [
        record(17, &[8]),
        record(10, &[0, 100]),
        record(9, &[100, -100]),
        // A red brush, which is deleted, and a blue brush with the same handle.
        record(39, &[1, 0, 0x0000ff, 0]),
        record(40, &[1]),
        record(39, &[1, 0, 0xff0000, 0]),
        record(37, &[1]),
        record(37, &[0x8000_0008_u32 as i32]),
        record(43, &[0, 100, 50, 50]),
    ];
    let svg = drawn(&emf(&records)).unwrap();
    assert!(
        svg.contains("M0 0L200 0L200 100L0 100Z\" fill=\"#0000ff\""),
        "{svg}"
    );
}

#[test]
fn text_stays_text() {
    let words: Vec<i32> = "Hi".encode_utf16().map(i32::from).collect();
    let mut fields = vec![0; 4];
    fields.extend([
        1,
        0,
        0,
        10,
        20,
        2,
        76,
        0,
        0,
        0,
        0,
        0,
        80,
        words[0] | words[1] << 16,
        7,
        7,
    ]);
    let svg = drawn(&emf(&[record(84, &fields)])).unwrap();
    assert!(svg.contains(">Hi</text>"), "{svg}");
}

#[test]
fn text_is_decoded_by_the_charset_of_its_font() {
    #[track_caller]
    fn check(charset: u8, bytes: &[u8; 4], expected: &str) {
        let words = [[bytes[0], bytes[1]], [bytes[2], bytes[3]]].map(i16::from_le_bytes);
        let font = [
            -12,
            0,
            0,
            0,
            400,
            0,
            i16::from_le_bytes([0, charset]),
            0,
            0,
            0x78,
        ];
        let svg = drawn(&wmf(&[
            (0x02fb, &font),
            (0x012d, &[0]),
            (0x0521, &[4, words[0], words[1], 100, 100]),
        ]))
        .unwrap();
        assert!(svg.contains(&format!(">{expected}</text>")), "{svg}");
    }
    // Katakana of half width have one byte each, and other Japanese characters two.
    check(128, b"\xb1\xb2\x93\xfa", "ｱｲ日");
    check(128, b"a\xdf\xe0\x40", "aﾟ漾");
    check(129, b"\xb0\xa1ab", "가ab");
    check(130, b"\xd0\x65\x8b\x69", "한글");
    check(0, b"\xe4\xf6\xfc!", "äöü!");
}

#[test]
fn a_wmf_has_its_stated_size() {
    let svg = drawn(&wmf(&[
        (0x020b, &[0, 0]),
        (0x020c, &[720, 1440]),
        (0x041b, &[720, 1440, 0, 0]),
    ]))
    .unwrap();
    assert!(svg.contains("width=\"72pt\" height=\"36pt\""), "{svg}");
    assert!(svg.contains("M0 0L1440 0L1440 720L0 720Z"), "{svg}");
}

#[test]
fn a_mask_and_its_picture_are_combined() {
    // Bitmaps of two pixels with 24 bits: where the mask is white, the background stays visible.
    let blit = |operation: i32, bits: [i32; 2]| {
        let mut fields = vec![
            0, 0, 0, 0, 10, 10, 0, 0, 2, 1, 80, 40, 120, 8, 0, operation, 20, 10,
        ];
        fields.extend([40, 2, 1, 24 << 16 | 1, 0, 8, 0, 0, 0, 0]);
        fields.extend(bits);
        record(81, &fields)
    };
    let mask = blit(0x0088_00c6, [0xffffff, 0]);
    let picture = blit(0x00ee_0086, [0, 0xff]);
    let svg = drawn(&emf(&[mask, picture])).unwrap();
    assert_eq!(svg.matches("<image").count(), 1, "{svg}");
}

#[test]
fn hostile_records_end_at_once() {
    let restores: Vec<Vec<u8>> = (0..5000)
        .flat_map(|_| [record(33, &[]), record(33, &[]), record(34, &[-1])])
        .collect();
    let many = record(3, &[0, 0, 0, 0, i32::MAX, 1, 1]);
    let bomb = {
        let mut fields = vec![
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            1,
            1,
            80,
            40,
            120,
            8,
            0,
            0x00cc_0020,
            20,
            10,
        ];
        fields.extend([
            40,
            1_000_000,
            1_000_000,
            32 << 16 | 1,
            0,
            8,
            0,
            0,
            0,
            0,
            0,
            0,
        ]);
        record(81, &fields)
    };
    let shape = record(43, &[0, 0, 9, 9]);
    for file in [
        emf(&restores),
        emf(&[many, shape.clone()]),
        emf(&[bomb, shape.clone()]),
    ] {
        drawn(&file);
    }
    // Wrong lengths: zero, too short, too long, and beyond the address range.
    for len in [0_u32, 4, 1000, u32::MAX] {
        let mut file = emf(&[shape.clone(), shape.clone()]);
        file[112..116].copy_from_slice(&len.to_le_bytes());
        drawn(&file);
        let mut file = wmf(&[(0x041b, &[720, 1440, 0, 0])]);
        file[40..44].copy_from_slice(&len.to_le_bytes());
        drawn(&file);
    }
}

#[test]
fn damaged_files_cause_no_panic() {
    let whole = [
        emf(&[
            record(17, &[8]),
            record(9, &[10, 10]),
            record(59, &[]),
            record(43, &[0, 0, 5, 5]),
            record(60, &[]),
            record(67, &[5]),
        ]),
        wmf(&[
            (0x020c, &[72, 144]),
            (0x0538, &[2, 3, 3, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]),
            (0x0a32, &[1, 1, 2, 0, 0x4141, 5, 5]),
        ]),
    ];
    let mut seed = 7_u32;
    for file in &whole {
        for _ in 0..3000 {
            let mut damaged = file.clone();
            for _ in 0..3 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = 45 + (seed >> 8) as usize % (damaged.len() - 45);
                damaged[at] = seed as u8;
            }
            drawn(&damaged);
            drawn(&damaged[..damaged.len() * 2 / 3]);
        }
    }
}
