//! A Macintosh picture (QuickDraw) as office files contain it. Draws nothing.

/// A picture of 100 × 50 points: a red rectangle of 30 × 20, and the word "Drawn".
pub(crate) fn pict() -> Vec<u8> {
    let calls: [&[u8]; 6] = [
        b"\0\0\0\0\0\0\0\x32\0\x64\x11\x01\x01\0\x0a\0\0\0\0\0\x32\0\x64",
        b"\x0e\0\0\0\xcd",
        b"\x31\0\x05\0\x05\0\x19\0\x23",
        b"\x0d\0\x0a\x28\0\x28\0\x05",
        b"\x05Drawn",
        b"\xff",
    ];
    calls.concat()
}
