//! Checksum of the unpacked content of a frame: the lower half of XXH64 with the seed 0 (RFC 8878, 3.1.1; "xxHash fast
//! digest algorithm", 0.1.1). Does not compare it with the stored checksum.

/// The five primes of XXH64.
const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

/// XXH64 of all bytes.
pub(super) fn xxh64(bytes: &[u8]) -> u64 {
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut sum = match stripes.is_empty() {
        true => PRIMES[4],
        false => lanes(stripes),
    };
    // The rest of less than 32 bytes is mixed in with 8, 4 and then 1 byte at a time.
    sum = sum.wrapping_add(bytes.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        sum ^= round(0, u64::from_le_bytes(*word));
        sum = mixed(sum, 27, PRIMES[0], PRIMES[3]);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        sum ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIMES[0]);
        sum = mixed(sum, 23, PRIMES[1], PRIMES[2]);
    }
    for byte in rest {
        sum ^= u64::from(*byte).wrapping_mul(PRIMES[4]);
        sum = mixed(sum, 11, PRIMES[0], 0);
    }
    // Final mixing (avalanche), so that each input bit affects each output bit.
    sum = (sum ^ sum >> 33).wrapping_mul(PRIMES[1]);
    sum = (sum ^ sum >> 29).wrapping_mul(PRIMES[2]);
    sum ^ sum >> 32
}

/// Mixes all complete stripes into one number. Each of four lanes takes every fourth word of 8 bytes; at the end the
/// lanes are merged.
fn lanes(stripes: &[[u8; 32]]) -> u64 {
    let mut lanes = [
        PRIMES[0].wrapping_add(PRIMES[1]),
        PRIMES[1],
        0,
        0_u64.wrapping_sub(PRIMES[0]),
    ];
    for stripe in stripes {
        let (words, _) = stripe.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = round(*lane, u64::from_le_bytes(*word));
        }
    }
    let turned = lanes.iter().zip([1, 7, 12, 18]);
    let sum = turned.fold(0_u64, |sum, (lane, by)| {
        sum.wrapping_add(lane.rotate_left(by))
    });
    lanes.iter().fold(sum, |sum, lane| {
        (sum ^ round(0, *lane))
            .wrapping_mul(PRIMES[0])
            .wrapping_add(PRIMES[3])
    })
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIMES[1]))
        .rotate_left(31)
        .wrapping_mul(PRIMES[0])
}

fn mixed(sum: u64, by: u32, times: u64, plus: u64) -> u64 {
    sum.rotate_left(by).wrapping_mul(times).wrapping_add(plus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_equal_those_of_xxhsum() {
        #[track_caller]
        fn check(text: &str, expected: u64) {
            assert_eq!(xxh64(text.as_bytes()), expected, "{text}");
        }
        check("", 0xef46_db37_51d8_e999);
        check("abc", 0x44bc_2cf5_ad77_0999);
        check(
            "Nobody inspects the spammish repetition",
            0xfbce_a83c_8a37_8bf1,
        );
    }
}
