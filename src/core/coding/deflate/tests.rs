use super::*;

/// Compresses and unpacks. Returns the compressed size.
#[track_caller]
fn check(data: &[u8]) -> usize {
    pack(data, false)
}

#[track_caller]
fn pack(data: &[u8], searches: bool) -> usize {
    let mut compressor = Compressor::new(searches, data.len() as u64);
    let (mut stream, mut taken) = (Vec::new(), Vec::new());
    let mut parts = data.chunks(compressor.part_len()).peekable();
    while let Some(part) = parts.next() {
        compressor.part(part, parts.peek().is_none());
        compressor.take(&mut taken);
        stream.append(&mut taken);
    }
    let unpacked = miniz_oxide::inflate::decompress_to_vec_zlib(&stream).unwrap();
    assert!(unpacked == data, "{} bytes", data.len());
    stream.len()
}

fn noise(len: usize, bits: u32) -> Vec<u8> {
    let mut seed = 7u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> (32 - bits)) as u8
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn compressed_data_is_unpacked_unchanged() {
    for len in [1, 2, 3, 7, 8, 9, 300, 70_000, BLOCK, BLOCK + 1, 3 * BLOCK] {
        for bits in 1..=8 {
            check(&noise(len, bits));
        }
        assert!(check(&vec![0; len]) < 100 + len / 500);
        check(&vec![255; len]);
    }
}

#[test]
fn runs_of_every_length_are_unpacked_unchanged() {
    for zeros in (0..600).chain([1 << 17]) {
        for before in [0, 1, 5, 8] {
            let data = [
                noise(before, 3),
                vec![0; zeros],
                noise(11, 3),
                vec![0; zeros],
            ];
            let data = data.concat();
            check(&[data, vec![9]].concat());
        }
    }
}

#[test]
fn no_code_is_too_long() {
    // Fibonacci counts: each symbol is about as frequent as all rarer ones together, which makes the deepest Huffman
    // tree.
    let mut data = Vec::new();
    let (mut small, mut large) = (1, 1);
    for byte in 1..=22 {
        data.extend(vec![byte; small]);
        (small, large) = (large, small + large);
    }
    data.truncate(BLOCK);
    check(&data);
}

#[test]
fn the_search_is_used_only_if_its_result_is_smaller() {
    // Noise and a repeated pattern, in separate segments or across their bounds, and a few bytes of noise.
    let pattern = noise(500, 8).repeat(5_000);
    for data in [
        [noise(SEGMENT, 4), pattern.clone(), noise(2 * SEGMENT, 4)].concat(),
        [pattern, noise(SEGMENT + 3, 8)].concat(),
        noise(9, 2),
    ] {
        assert!(pack(&data, true) <= check(&data) + 5 * data.len().div_ceil(SEGMENT));
    }
}

#[test]
fn noise_hardly_grows() {
    let len = 5 * BLOCK;
    assert!(check(&noise(len, 8)) < len + len / 1000);
}
