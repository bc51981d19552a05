//! The compression schemes of strips and tiles, by their numbers in TIFF 6.0 and those registered later. Decompresses
//! nothing.

use super::logluv::LogEncoding;
use convertd_core::coding::fax;
use tiff::tags::CompressionMethod;

/// Compression scheme of strips or tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Plain,
    Fax(fax::Coding),
    Lzw,
    Jpeg,
    /// JPEG as TIFF 6.0 defined it before Technical Note 2: most files have the headers in tags.
    OldJpeg,
    /// JPEG streams of the lossless process.
    LosslessJpeg,
    Deflate,
    PackBits,
    Lzma,
    Zstandard,
    WebP,
    /// ThunderScan, with samples of four bits.
    ThunderScan,
    Log(LogEncoding),
}

impl Compression {
    /// The scheme with a number, given the options of Group 3 and PhotometricInterpretation. `None` if it is not
    /// supported.
    pub(crate) fn of(number: u64, options: u64, photometric: u64) -> Option<Self> {
        if let Some(log) = LogEncoding::of(number, photometric) {
            return Some(Self::Log(log));
        }
        // Numbers that were registered after TIFF 6.0 (libtiff, `tiff.h`).
        match number {
            32_809 => return Some(Self::ThunderScan),
            34_925 => return Some(Self::Lzma),
            34_926 | 50_000 => return Some(Self::Zstandard),
            50_001 => return Some(Self::WebP),
            _ => {}
        }
        let number = u16::try_from(number).ok()?;
        Some(match CompressionMethod::from_u16_exhaustive(number) {
            CompressionMethod::None => Self::Plain,
            CompressionMethod::Huffman => Self::Fax(fax::Coding::Plain),
            CompressionMethod::Fax3 => Self::Fax(fax::Coding::Three {
                two_dimensional: options & 1 != 0,
            }),
            CompressionMethod::Fax4 => Self::Fax(fax::Coding::Four),
            CompressionMethod::LZW => Self::Lzw,
            CompressionMethod::ModernJPEG => Self::Jpeg,
            CompressionMethod::JPEG => Self::OldJpeg,
            CompressionMethod::Deflate | CompressionMethod::OldDeflate => Self::Deflate,
            CompressionMethod::PackBits => Self::PackBits,
            _ => return None,
        })
    }

    /// Returns whether strips and tiles are JPEG streams.
    pub(crate) fn is_jpeg(self) -> bool {
        matches!(self, Self::Jpeg | Self::OldJpeg | Self::LosslessJpeg)
    }

    /// Returns whether the Predictor tag applies to the scheme.
    pub(crate) fn is_predicted(self) -> bool {
        matches!(
            self,
            Self::Lzw | Self::Deflate | Self::Lzma | Self::Zstandard
        )
    }
}
