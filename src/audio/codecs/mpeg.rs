//! Reads the headers of MPEG audio frames (ISO 11172-3, section 2.4.1.3; ISO 13818-3), and the tags that encoders put
//! into the first frame: the tag of Xing and LAME, and the tag of Fraunhofer (VBRI). Decodes no sound.
//!
//! A frame with such a tag has no sound, so a decoder that does not know the tag plays a moment of silence. The tag
//! holds the number of frames, which is the only statement of length that an MP3 file has. The tag of LAME also states
//! the encoder's delay and padding: the samples to drop at both ends. Every decoder adds a delay of its own, 529
//! samples, which the stated delay does not include.

/// The delay of every layer 3 decoder in samples, which comes from the overlap of its filter bank.
const DECODER_DELAY: u64 = 529;

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The version bits: 3 for MPEG 1, 2 for MPEG 2, 0 for the unofficial MPEG 2.5, which has lower sample rates.
    pub(crate) version: u8,
    /// The layer, 1 to 3.
    pub(crate) layer: u8,
    /// Index of the sample rate among the three of the version.
    rate_index: u8,
    /// Whether the frame has one channel rather than two.
    pub(crate) mono: bool,
    /// Kilobits per second; 0 in free format.
    kbps: u32,
    /// Length of the padding in bytes.
    pub(crate) padding: usize,
    /// Length of the frame in bytes, including the header; 0 as long as it is unknown in free format.
    pub(crate) length: usize,
}

impl Header {
    /// Length of a header in bytes.
    pub(crate) const SIZE: usize = 4;

    /// Longest frame of free format that is searched for, in bytes. Encoders write at most 640 kbit/s.
    pub(crate) const MAX_FREE: usize = 4096;

    /// Reads the header at the beginning of `bytes`. In free format, the length is the distance to the next header in
    /// `bytes`.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let header = Self::read(bytes)?;
        match header.is_free() {
            true => header.measure(bytes),
            false => Some(header),
        }
    }

    /// Completes a header of free format with the length of its frame: the distance to the next header in `bytes`. If
    /// `bytes` is long enough to contain a third header, that header must be at the same distance again.
    fn measure(self, bytes: &[u8]) -> Option<Self> {
        // Returns whether a header of the same kind begins at byte `at`.
        let like = |at: usize| {
            let next = bytes.get(at..).and_then(Self::read);
            next.filter(|next| next.kind() == self.kind())
        };
        let last = bytes.len().saturating_sub(Self::SIZE);
        // Offsets of possible second headers, each with the offset at which a third header must be.
        let mut offsets = (Self::SIZE + 8..=last.min(Self::MAX_FREE))
            .filter_map(|at| {
                like(at).map(|next| (at, at + (at + next.padding).saturating_sub(self.padding)))
            })
            .peekable();
        let first = *offsets.peek()?;
        let (length, _) = offsets
            .find(|(_, third)| like(*third).is_some())
            .or(Some(first).filter(|(_, third)| *third > last))?;
        Some(Self { length, ..self })
    }

    /// Reads the header at the beginning of `bytes`, and nothing after it. Its length is 0 in free format.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        // Kilobits per second: MPEG 1, layers 1 to 3; then MPEG 2, layer 1, and layers 2 and 3.
        const KBPS: [[u32; 15]; 5] = [
            [
                0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
            ],
            [
                0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
            ],
            [
                0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
            ],
            [
                0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
            ],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        ];
        // Eleven bits of synchronisation are followed by the version and the layer.
        let &[0xff, b, c, d, ..] = bytes else {
            return None;
        };
        let (version, layer) = (b >> 3 & 3, 4 - (b >> 1 & 3));
        if b & 0xe0 != 0xe0 || version == 1 || layer == 4 {
            return None;
        }
        let table = match (version, layer) {
            (3, layer) => usize::from(layer) - 1,
            (_, 1) => 3,
            _ => 4,
        };
        let kbps = *KBPS[table].get(usize::from(c >> 4))?;
        // Padding is one slot: 4 bytes in layer 1, otherwise a byte.
        let header = Self {
            version,
            layer,
            rate_index: c >> 2 & 3,
            mono: d >> 6 == 3,
            kbps,
            padding: usize::from(c >> 1 & 1) * if layer == 1 { 4 } else { 1 },
            length: 0,
        };
        if header.rate_index == 3 {
            return None;
        }
        let rate = header.rate();
        let length = match layer {
            1 => 12_000 * kbps / rate * 4,
            _ => header.frames() / 8 * 1000 * kbps / rate,
        };
        Some(match header.is_free() {
            true => header,
            false => header.with_length(length as usize),
        })
    }

    /// The same header in a frame of this length without padding.
    pub(crate) fn with_length(self, length: usize) -> Self {
        Self {
            length: length + self.padding,
            ..self
        }
    }

    /// Gives a frame of free format the bit rate that decoders of layers 1 and 2 expect, and the length that goes with
    /// it. These decoders use the bit rate only to choose a table, here the table of high rates. The end of a frame may
    /// be filled up with zeros, because decoders ignore all bytes after the samples. Leaves other frames unchanged, and
    /// those for which [`is_forbidden_mono`](Self::is_forbidden_mono) is true.
    pub(crate) fn state_rate(&self, frame: &mut Vec<u8>) {
        if !self.is_free()
            || self.layer == 3
            || self.is_forbidden_mono()
            || frame.len() < Self::SIZE
        {
            return;
        }
        // Index 10 is the highest bit rate that the standard allows for one channel in layer 2.
        let index = if self.mono { 10 } else { 14 };
        frame[2] |= index << 4;
        if let Some(header) = Self::read(frame) {
            frame.resize(header.length, 0);
        }
    }

    /// Returns whether the frame is of free format: the header states no bit rate. All frames of such a stream have the
    /// same length, except for padding, and only the distance between two headers gives it.
    pub(crate) fn is_free(&self) -> bool {
        self.kbps == 0
    }

    /// Returns whether this is a layer 2 frame with one channel at a bit rate that the standard forbids for one channel
    /// (ISO 11172-3, section 2.4.2.3). Frames of free format count, too, because they may exceed the allowed rates.
    pub(crate) fn is_forbidden_mono(&self) -> bool {
        (self.layer, self.version, self.mono) == (2, 3, true) && (self.is_free() || self.kbps > 192)
    }

    /// The properties that do not change within a stream, as one number.
    pub(crate) fn kind(&self) -> u32 {
        let bits = u32::from(self.version) << 8 | u32::from(self.rate_index);
        u32::from(self.is_free()) << 24 | u32::from(self.layer) << 16 | bits
    }

    /// The sample rate in hertz.
    pub(crate) fn rate(&self) -> u32 {
        let rate = [44_100, 48_000, 32_000][usize::from(self.rate_index.min(2))];
        match self.version {
            3 => rate,
            2 => rate / 2,
            _ => rate / 4,
        }
    }

    /// The number of samples that each channel has in this frame.
    pub(crate) fn frames(&self) -> u32 {
        match (self.layer, self.version) {
            (1, _) => 384,
            (3, version) if version != 3 => 576,
            _ => 1152,
        }
    }
}

/// The encoder's tag in the first frame of a file. That frame holds no sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Info {
    /// The number of frames after this frame; 0 if the tag does not state it.
    pub(crate) frames: u64,
    /// The length of the file in bytes, including this frame; 0 if the tag does not state it.
    pub(crate) bytes: u64,
    /// Samples to drop at the beginning of each channel.
    pub(crate) delay: u64,
    /// Samples to drop at the end of each channel.
    pub(crate) padding: u64,
}

impl Info {
    /// Reads the tag of Xing and LAME, or the tag of Fraunhofer, from a complete frame. `None` if the frame has no tag.
    pub(crate) fn parse(header: &Header, frame: &[u8]) -> Option<Self> {
        if header.layer != 3 {
            return None;
        }
        let long = |bytes: &[u8], at: usize| {
            let word = bytes.get(at..at + 4)?.first_chunk::<4>()?;
            Some(u64::from(u32::from_be_bytes(*word)))
        };
        // Fraunhofer's tag is always 32 bytes after the header.
        if let Some(tag) = frame.get(36..).filter(|rest| rest.starts_with(b"VBRI")) {
            return Some(Self {
                bytes: long(tag, 10)?,
                frames: long(tag, 14)?,
                ..Self::default()
            });
        }
        // The tag of Xing comes after the side information, whose length depends on version and channels.
        let side = match (header.version, header.mono) {
            (3, false) => 32,
            (3, true) | (_, false) => 17,
            (_, true) => 9,
        };
        let tag = frame.get(Header::SIZE + side..)?;
        if !tag.starts_with(b"Xing") && !tag.starts_with(b"Info") {
            return None;
        }
        let flags = long(tag, 4)?;
        // The flags state which fields follow: frames, bytes, a table for seeking, the quality.
        let mut info = Self::default();
        let mut at = 8;
        if flags & 1 != 0 {
            info.frames = long(tag, at)?;
            at += 4;
        }
        if flags & 2 != 0 {
            info.bytes = long(tag, at)?;
            at += 4;
        }
        at += if flags & 4 != 0 { 100 } else { 0 };
        at += if flags & 8 != 0 { 4 } else { 0 };
        let encoder = tag.get(at..at + 4).unwrap_or_default();
        // Delay and padding are 12 bits each.
        if matches!(encoder, b"LAME" | b"Lavf" | b"Lavc")
            && let Some(&[a, b, c]) = tag.get(at + 21..at + 24)
        {
            info.delay = (u64::from(a) << 4 | u64::from(b >> 4)) + DECODER_DELAY;
            let padding = u64::from(b & 0xf) << 8 | u64::from(c);
            info.padding = padding.saturating_sub(DECODER_DELAY);
        }
        Some(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_give_the_length_of_their_frame() {
        #[track_caller]
        fn check(bytes: [u8; 4], expected: Option<(u8, usize, u32, u32)>) {
            let header = Header::parse(&bytes);
            let found = header.map(|h| (h.layer, h.length, h.rate(), h.frames()));
            assert_eq!(found, expected);
        }
        check([0xff, 0xfb, 0x90, 0x64], Some((3, 417, 44_100, 1152)));
        check([0xff, 0xfb, 0x92, 0x64], Some((3, 418, 44_100, 1152)));
        check([0xff, 0xf3, 0x40, 0xc4], Some((3, 104, 22_050, 576)));
        check([0xff, 0xe3, 0x18, 0xc4], Some((3, 72, 8_000, 576)));
        check([0xff, 0xfd, 0x94, 0x00], Some((2, 480, 48_000, 1152)));
        check([0xff, 0xff, 0x18, 0x00], Some((1, 48, 32_000, 384)));
        check([0xff, 0xfb, 0x00, 0x64], None);
        check([0xff, 0xfb, 0xf0, 0x64], None);
        check([0xff, 0xfb, 0x9c, 0x64], None);
        check([0xff, 0xeb, 0x90, 0x64], None);
        check([0xff, 0xf9, 0x90, 0x64], None);
    }

    #[test]
    fn the_next_header_gives_the_length_in_free_format() {
        #[track_caller]
        fn check(offsets: &[(usize, u8)], length: usize, expected: Option<usize>) {
            let mut bytes = vec![0; length];
            for (at, padding) in offsets {
                bytes[*at..at + 4].copy_from_slice(&[0xff, 0xfb, padding << 1, 0x64]);
            }
            assert_eq!(Header::parse(&bytes).map(|header| header.length), expected);
        }
        check(&[(0, 0), (490, 0), (980, 0)], 2000, Some(490));
        check(&[(0, 1), (491, 0), (981, 0)], 2000, Some(491));
        check(&[(0, 0), (490, 1), (981, 0)], 2000, Some(490));
        // Bytes within the first frame look like a header.
        check(&[(0, 0), (100, 0), (490, 0), (980, 0)], 2000, Some(490));
        check(&[(0, 0), (490, 0)], 900, Some(490));
        check(&[(0, 0)], 2000, None);
        check(&[(0, 0), (5000, 0)], 6000, None);
    }

    #[test]
    fn the_first_frame_may_hold_a_tag() {
        let header = Header::parse(&[0xff, 0xfb, 0x90, 0x64]).unwrap();
        let mut frame = vec![0; header.length];
        assert_eq!(Info::parse(&header, &frame), None);
        frame[36..44].copy_from_slice(b"Info\0\0\0\x03");
        frame[44..52].copy_from_slice(b"\0\0\0\x07\0\0\x0b\xb8");
        frame[52..56].copy_from_slice(b"LAME");
        frame[73..76].copy_from_slice(&[0x24, 0x04, 0x80]);
        let info = Info {
            frames: 7,
            bytes: 3000,
            delay: 576 + 529,
            padding: 1152 - 529,
        };
        assert_eq!(Info::parse(&header, &frame), Some(info));
        frame[36..54].copy_from_slice(b"VBRI\0\x01\0\0\0\x64\0\0\x10\0\0\0\0\x09");
        assert_eq!(
            Info::parse(&header, &frame).map(|i| (i.bytes, i.frames)),
            Some((4096, 9))
        );
    }
}
