//! The description of a Matroska track (RFC 9559, section 5.1.4). A missing element has the default of the
//! specification, and elements without meaning for sound are skipped, so that they cannot make a file unreadable.

use crate::sources::stored::Stored;
use convertd_core::containers::ebml::{children, float, text, unsigned};

const NUMBER: u64 = 0xd7;
const TYPE: u64 = 0x83;
const CODEC_ID: u64 = 0x86;
const CODEC_PRIVATE: u64 = 0x63a2;
const CODEC_DELAY: u64 = 0x56aa;
const AUDIO: u64 = 0xe1;
const RATE: u64 = 0xb5;
const CHANNELS: u64 = 0x9f;
const BITS: u64 = 0x6264;
/// ContentEncodings: the storage of packets (section 5.1.4.1.31).
const ENCODINGS: u64 = 0x6d80;
const ENCODING: u64 = 0x6240;
const COMPRESSION: u64 = 0x5034;
const ALGORITHM: u64 = 0x4254;
const SETTINGS: u64 = 0x4255;
const ENCRYPTION: u64 = 0x5035;
/// Number of the algorithm zlib, which is the default.
const ZLIB: u64 = 0;
/// Number of the algorithm "header stripping", which omits bytes that all packets begin with.
const STRIPPING: u64 = 3;
/// Largest number of bytes that header stripping may omit. Further ones are ignored.
const MAX_STRIPPED: usize = 256;
/// The type of tracks with moving pictures.
const VIDEO: u64 = 1;
/// The type of tracks with sound.
const SOUND: u64 = 2;

/// Properties in the elements of a track.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) number: u64,
    kind: u64,
    pub(super) codec: String,
    pub(super) setup: Vec<u8>,
    /// The delay at the beginning, in nanoseconds.
    pub(super) delay: u64,
    pub(super) rate: u32,
    pub(super) channels: u32,
    /// Bits of a sample; 0 if the track does not state it.
    pub(super) bits: u32,
    pub(super) stored: Stored,
    /// Name of the algorithm that packets are compressed with, if it is not supported.
    pub(super) unsupported: Option<&'static str>,
    pub(super) is_encrypted: bool,
}

impl Entry {
    /// Reads a track entry (RFC 9559, section 5.1.4.1).
    pub(super) fn read(body: &[u8]) -> Self {
        let mut entry = Self {
            number: 0,
            kind: 0,
            codec: String::new(),
            setup: Vec::new(),
            delay: 0,
            rate: 8000,
            channels: 1,
            bits: 0,
            stored: Stored::Plain,
            unsupported: None,
            is_encrypted: false,
        };
        for (id, body) in children(body) {
            match id {
                NUMBER => entry.number = unsigned(body),
                TYPE => entry.kind = unsigned(body),
                CODEC_ID => entry.codec = text(body),
                CODEC_PRIVATE => entry.setup = body.to_vec(),
                CODEC_DELAY => entry.delay = unsigned(body),
                AUDIO => entry.audio(body),
                ENCODINGS => entry.encodings(body),
                _ => {}
            }
        }
        entry
    }

    pub(super) fn is_sound(&self) -> bool {
        self.kind == SOUND
    }

    pub(super) fn is_video(&self) -> bool {
        self.kind == VIDEO
    }

    fn audio(&mut self, body: &[u8]) {
        for (id, body) in children(body) {
            match id {
                RATE => self.rate = float(body).round() as u32,
                CHANNELS => self.channels = u32::try_from(unsigned(body)).unwrap_or(u32::MAX),
                BITS => self.bits = u32::try_from(unsigned(body)).unwrap_or(0),
                _ => {}
            }
        }
    }

    fn encodings(&mut self, body: &[u8]) {
        let encodings = children(body).filter(|(id, _)| *id == ENCODING);
        for (id, body) in encodings.flat_map(|(_, body)| children(body)) {
            match id {
                COMPRESSION => self.compression(body),
                ENCRYPTION => self.is_encrypted = true,
                _ => {}
            }
        }
    }

    /// Reads the compression of packets (section 5.1.4.1.31.5).
    fn compression(&mut self, body: &[u8]) {
        let (mut algorithm, mut settings) = (ZLIB, &[][..]);
        for (id, body) in children(body) {
            match id {
                ALGORITHM => algorithm = unsigned(body),
                SETTINGS => settings = body,
                _ => {}
            }
        }
        match algorithm {
            ZLIB => self.stored = Stored::Zlib,
            STRIPPING => {
                self.stored = Stored::Prefix(settings[..settings.len().min(MAX_STRIPPED)].to_vec());
            }
            1 => self.unsupported = Some("bzlib"),
            2 => self.unsupported = Some("LZO1X"),
            _ => self.unsupported = Some("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compression_is_known_by_its_number() {
        #[track_caller]
        fn check(compression: &[u8], stored: &Stored, unsupported: Option<&str>) {
            let mut entry = Entry::read(&[]);
            entry.compression(compression);
            assert_eq!((&entry.stored, entry.unsupported), (stored, unsupported));
        }
        check(&[], &Stored::Zlib, None);
        check(&[0x42, 0x54, 0x81, 0], &Stored::Zlib, None);
        check(&[0x42, 0x54, 0x81, 1], &Stored::Plain, Some("bzlib"));
        check(&[0x42, 0x54, 0x81, 2], &Stored::Plain, Some("LZO1X"));
        let stripping = [0x42, 0x54, 0x81, 3, 0x42, 0x55, 0x81, 7];
        check(&stripping, &Stored::Prefix(vec![7]), None);
    }
}
