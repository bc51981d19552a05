//! Metadata of a picture on its way to another file: the resolution always, EXIF and XMP if the client asks to keep them. Never
//! invents any.
//!
//! Formats find all three in their files without decoding them, and [`exif`] reads the structure of EXIF. Metadata that no longer
//! hold for the result are changed: the orientation, which has been applied, the size, and thumbnails, which [`thumbnail`]
//! erases.

pub(crate) mod adapt;
pub(crate) mod exif;
mod forget;
mod resolution;
mod thumbnail;

pub(crate) use resolution::Resolution;

/// The largest number of bytes of EXIF, and of XMP, that are kept.
pub(crate) const MOST: usize = 1 << 20;

/// Metadata that is kept beside the picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    /// Whether EXIF and XMP are to be kept. If not, a search may end as soon as it has found the resolution.
    pub(crate) is_wanted: bool,
    /// EXIF, a TIFF structure (Exif 2.32, 4.5.2), without the `Exif\0\0` that JPEG puts before it.
    pub(crate) exif: Option<Vec<u8>>,
    /// XMP, an XML packet (ISO 16684-1).
    pub(crate) xmp: Option<Vec<u8>>,
    /// Resolution of the stored picture in a reader, and of the written one in a writer.
    pub(crate) resolution: Option<Resolution>,
}

impl Metadata {
    /// Returns whether there is neither EXIF nor XMP.
    pub(crate) fn is_empty(&self) -> bool {
        self.exif.is_none() && self.xmp.is_none()
    }

    /// Drops EXIF and XMP if they have more than `most` bytes, and tells whether one did.
    pub(crate) fn limit(&mut self, most: usize) -> bool {
        let mut dropped = false;
        for part in [&mut self.exif, &mut self.xmp] {
            dropped |= part.take_if(|part| part.len() > most).is_some();
        }
        dropped
    }

    /// The length of EXIF and XMP together, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        [&self.exif, &self.xmp]
            .into_iter()
            .flatten()
            .map(|part| part.len() as u64)
            .sum()
    }
}
