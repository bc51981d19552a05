//! Reads the description of a sound track: the first entry of its `stsd` box (ISO 14496-12, section 12.2.3; Apple,
//! "QuickTime File Format", "Sound sample description"). Reads no samples.
//!
//! QuickTime's entries have three versions; 1 and 2 add fields after those of version 0. Boxes come after the fields.
//! In QuickTime, the boxes that belong to the codec are inside a box `wave`.

use crate::codecs::raw::Encoding;
use convertd_core::containers::bmff::Content;

/// Sample entry of a sound track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// The name of the codec.
    pub(crate) kind: [u8; 4],
    pub(crate) channels: u32,
    bits: u32,
    /// The sample rate in hertz; 0 if the entry does not say.
    pub(crate) rate: u32,
    /// Flags of `lpcm`: 1 for floating point, 2 for the most significant byte first, 4 for signed integers.
    flags: u32,
    /// Whether the box `enda` says that numbers have the least significant byte first.
    little: bool,
    /// The configuration of Apple Lossless.
    pub(crate) cookie: Option<Vec<u8>>,
}

impl Entry {
    /// Reads the first entry in the content of a `stsd` box. `None` if the entry is cut off.
    pub(crate) fn read(table: &[u8]) -> Option<Self> {
        let mut table = Content(table);
        table.take(8)?;
        let (kind, mut content) = table.next_box()?;
        content.take(8)?;
        let version = content.number(2)?;
        content.take(6)?;
        let mut entry = Self {
            kind,
            channels: content.number(2)? as u32,
            bits: content.number(2)? as u32,
            ..Self::default()
        };
        content.take(4)?;
        entry.rate = (content.number(4)? >> 16) as u32;
        match version {
            // Version 1 adds four fields. Only the number of bytes of a sample is used, because the number of bits is
            // at most 16 there, even for longer samples. The other three fields describe packets, and follow from the
            // codec.
            1 => {
                content.take(12)?;
                let bytes = content.number(4)? as u32;
                if (1..=8).contains(&bytes) && entry.bits <= 16 && kind != *b"ima4" {
                    entry.bits = entry.bits.max(8 * bytes.min(4));
                }
            }
            2 => {
                content.take(4)?;
                entry.rate = f64::from_bits(content.number(8)?).round() as u32;
                entry.channels = content.number(4)? as u32;
                content.take(4)?;
                entry.bits = content.number(4)? as u32;
                entry.flags = content.number(4)? as u32;
                content.take(8)?;
            }
            _ => {}
        }
        entry.boxes(content, 0);
        Some(entry)
    }

    fn boxes(&mut self, mut content: Content<'_>, depth: u32) {
        while let Some((kind, mut inside)) = content.next_box() {
            match &kind {
                b"wave" if depth == 0 => self.boxes(inside, 1),
                b"enda" => self.little = inside.number(2) == Some(1),
                // PCM of ISO/IEC 23003-5: version and flags, the byte order, and the bits of a sample.
                b"pcmC" => {
                    if let Some(&[order, bits]) = inside.0.get(4..6) {
                        (self.little, self.bits) = (order & 1 != 0, bits.into());
                    }
                }
                b"alac" => self.cookie = inside.0.get(4..).map(<[u8]>::to_vec),
                _ => {}
            }
        }
    }

    /// Returns the encoding of samples that are stored one by one. `None` for all other codecs.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        let big = !self.little;
        let signed = |bytes, big| Some(Encoding::Signed { bytes, big });
        match (&self.kind, self.bits) {
            (b"twos" | b"sowt", 1..=8) => signed(1, true),
            (b"twos", bits @ 9..=32) => signed(bits.div_ceil(8), true),
            (b"sowt", bits @ 9..=32) => signed(bits.div_ceil(8), false),
            (b"raw " | b"NONE" | [0, 0, 0, 0], 1..=8) => Some(Encoding::Unsigned8),
            (b"raw " | b"NONE" | [0, 0, 0, 0], bits @ 9..=32) => signed(bits.div_ceil(8), true),
            (b"in24", _) => signed(3, big),
            (b"in32", _) => signed(4, big),
            (b"ipcm", bits @ (16 | 24 | 32)) => signed(bits / 8, big),
            (b"fpcm", 32) => Some(Encoding::Float32 { big }),
            (b"fpcm", 64) => Some(Encoding::Float64 { big }),
            (b"fl32", _) => Some(Encoding::Float32 { big }),
            (b"fl64", _) => Some(Encoding::Float64 { big }),
            (b"alaw", _) => Some(Encoding::ALaw),
            (b"ulaw", _) => Some(Encoding::MuLaw),
            (b"lpcm", bits) => {
                let (float, big, is_signed) = (
                    self.flags & 1 != 0,
                    self.flags & 2 != 0,
                    self.flags & 4 != 0,
                );
                match bits {
                    32 if float => Some(Encoding::Float32 { big }),
                    64 if float => Some(Encoding::Float64 { big }),
                    8 if !is_signed && !float => Some(Encoding::Unsigned8),
                    8 | 16 | 24 | 32 if is_signed && !float => signed(bits / 8, big),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the name of the codec if it is known and not supported, or not supported in fragmented files.
    pub(crate) fn unsupported(&self) -> Option<&'static str> {
        Some(match &self.kind {
            b"samr" => "AMR (narrowband)",
            b"sawb" => "AMR (wideband)",
            b"sawp" => "AMR-WB+",
            b"sac3" => "Dolby Digital (AC-3)",
            b"ac-4" => "Dolby AC-4",
            b"mlpa" => "Dolby TrueHD",
            b"dtsc" | b"dtsh" | b"dtsl" | b"dtse" | b"dtsx" => "DTS",
            b"ipcm" | b"fpcm" => "PCM in fragments",
            b"QDM2" | b"QDMC" => "QDesign Music",
            b"Qclp" | b"sqcp" => "Qualcomm PureVoice (QCELP)",
            b"sevc" => "EVRC",
            b"MAC3" | b"MAC6" => "MACE",
            b"agsm" => "GSM 06.10",
            b"ms\0\x02" => "Microsoft ADPCM",
            b"ms\0\x11" => "IMA ADPCM as in WAV",
            b".mp1" | b"ms\0\x50" | b".mp2" => "MPEG audio, layer 1 or 2",
            b"mha1" | b"mhm1" => "MPEG-H",
            b"drms" | b"enca" => "protected against copying",
            b"wma " => "Windows Media Audio",
            b"vdva" | b"dvca" => "DV audio",
            _ => return None,
        })
    }
}
