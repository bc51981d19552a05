//! Computes the checksums of audio frames. The header of a FLAC frame has a CRC-8 with the polynomial x⁸+x²+x+1 (RFC
//! 9639, section 9.1.8). A whole frame of FLAC (section 9.3) or AC-3 (A/52, 7.10.1) has a CRC-16 with the polynomial
//! x¹⁶+x¹⁵+x²+1. The two CRCs start from 0. Does not compare them with stored checksums.
//!
//! The CRC-16 covers every byte of a frame, so it is computed for sixteen bytes at a time, and byte by byte only for
//! the rest of less than sixteen. Table `i` holds the remainder of each byte value when `i` zero bytes follow. CRCs are
//! linear, so the remainder of a block is the XOR of sixteen look-ups, which the processor can do independently of one
//! another.

/// Table `i` has the CRC-16 of each byte value followed by `i` zero bytes.
static CRC16: [[u16; 256]; 16] = tables16();
/// CRC-8 of each byte value.
static CRC8: [u8; 256] = table8();

/// The CRC-16 of a frame.
pub fn crc16(bytes: &[u8]) -> u16 {
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut crc = 0u16;
    for block in blocks {
        let [high, low] = crc.to_be_bytes();
        let mut next =
            CRC16[15][usize::from(block[0] ^ high)] ^ CRC16[14][usize::from(block[1] ^ low)];
        for (table, byte) in CRC16[..14].iter().rev().zip(&block[2..]) {
            next ^= table[usize::from(*byte)];
        }
        crc = next;
    }
    rest.iter().fold(crc, |crc, byte| {
        crc << 8 ^ CRC16[0][usize::from((crc >> 8) as u8 ^ byte)]
    })
}

/// The CRC-8 of a frame's header.
pub fn crc8(bytes: &[u8]) -> u8 {
    bytes
        .iter()
        .fold(0, |crc, byte| CRC8[usize::from(crc ^ byte)])
}

/// Computes [`CRC16`].
const fn tables16() -> [[u16; 256]; 16] {
    let mut tables = [[0u16; 256]; 16];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = (byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = crc << 1 ^ if crc & 0x8000 != 0 { 0x8005 } else { 0 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut i = 1;
    while i < 16 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[i - 1][byte];
            tables[i][byte] = before << 8 ^ tables[0][(before >> 8) as usize];
            byte += 1;
        }
        i += 1;
    }
    tables
}

/// Computes [`CRC8`].
const fn table8() -> [u8; 256] {
    let mut table = [0u8; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u8;
        let mut bit = 0;
        while bit < 8 {
            crc = crc << 1 ^ if crc & 0x80 != 0 { 0x07 } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_match_known_values() {
        assert_eq!(crc8(b"123456789"), 0xf4);
        assert_eq!(crc16(b"123456789"), 0xfee8);
        let long: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        let slow = |bytes: &[u8]| {
            bytes.iter().fold(0u16, |crc, byte| {
                (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
                    crc << 1 ^ if crc & 0x8000 != 0 { 0x8005 } else { 0 }
                })
            })
        };
        for length in [0, 1, 15, 16, 17, 999] {
            assert_eq!(crc16(&long[..length]), slow(&long[..length]));
        }
    }
}
