//! Reads the header of an ADTS frame (ISO 13818-7, section 6.2.1). Decodes no sound.

use crate::codecs::aac::RATES;

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    object: u8,
    rate_index: u8,
    /// The channel configuration; 0 if only the sound itself defines the channels.
    pub(crate) channels: u8,
    /// Length of the frame in bytes, including the header.
    pub(crate) length: usize,
    /// Length of the header in bytes.
    pub(crate) head: usize,
}

impl Header {
    /// Reads the header from the first seven bytes of a frame.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let &[a, b, c, d, e, f, _, ..] = bytes else {
            return None;
        };
        let header = Self {
            object: (c >> 6) + 1,
            rate_index: c >> 2 & 0xf,
            channels: (c & 1) << 2 | d >> 6,
            length: usize::from(d & 3) << 11 | usize::from(e) << 3 | usize::from(f >> 5),
            head: if b & 1 == 0 { 9 } else { 7 },
        };
        let valid = a == 0xff && b & 0xf6 == 0xf0 && usize::from(header.rate_index) < RATES.len();
        (valid && header.length > header.head).then_some(header)
    }

    /// The sample rate in hertz. An HE-AAC decoder may double it.
    pub(crate) fn rate(&self) -> u32 {
        RATES[usize::from(self.rate_index)]
    }

    /// The properties that do not change within a stream, as one number.
    pub(crate) fn kind(&self) -> u32 {
        u32::from(self.object) << 16 | u32::from(self.rate_index) << 8 | u32::from(self.channels)
    }

    /// The `AudioSpecificConfig` with the same object type, sample rate and channel configuration.
    pub(crate) fn setup(&self) -> [u8; 2] {
        [
            self.object << 3 | self.rate_index >> 1,
            self.rate_index << 7 | self.channels << 3,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_headers_are_read_and_others_are_refused() {
        let header = Header::parse(&[0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc]).unwrap();
        assert_eq!((header.length, header.head, header.channels), (16, 7, 2));
        assert_eq!(header.setup(), [0x12, 0x10]);
        for bytes in [
            &b"\xff\xfb\x90\x64\0\0\0"[..],
            b"\xff\xf1\x7c\x80\x02\x1f\xfc",
            b"\xff\xf1",
        ] {
            assert_eq!(Header::parse(bytes), None);
        }
    }
}
