//! Metadata of a picture on its way to another file: the resolution always, EXIF and XMP for those who ask for
//! them. Never invents any.
//!
//! Formats find all three in their files without decoding them; [`exif`] knows what is in the second. What no longer holds for
//! the result is changed: the orientation, which has been applied, the size, and thumbnails, which [`thumbnail`] erases.

pub(crate) mod adapt;
pub(crate) mod exif;
mod forget;
mod resolution;
mod thumbnail;

pub(crate) use resolution::Resolution;

/// Most bytes of EXIF, and of XMP, that are kept.
pub(crate) const MOST: usize = 1 << 20;

/// Metadata that is kept beside the picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    /// Whether EXIF and XMP are wanted. If not, whoever finds the resolution need not look any further.
    pub(crate) is_wanted: bool,
    /// A TIFF structure (Exif 2.32, 4.5.2), without the `Exif\0\0` that JPEG puts before it.
    pub(crate) exif: Option<Vec<u8>>,
    /// An XML packet (ISO 16684-1).
    pub(crate) xmp: Option<Vec<u8>>,
    /// Resolution of the picture as it is stored; for a writer, as it is written.
    pub(crate) resolution: Option<Resolution>,
}

impl Metadata {
    /// Whether there is neither EXIF nor XMP.
    pub(crate) fn is_empty(&self) -> bool {
        self.exif.is_none() && self.xmp.is_none()
    }

    /// Drops what has more than `most` bytes, and tells whether there was any.
    pub(crate) fn limit(&mut self, most: usize) -> bool {
        let mut dropped = false;
        for part in [&mut self.exif, &mut self.xmp] {
            dropped |= part.take_if(|part| part.len() > most).is_some();
        }
        dropped
    }

    /// Bytes of both.
    pub(crate) fn bytes(&self) -> u64 {
        [&self.exif, &self.xmp]
            .into_iter()
            .flatten()
            .map(|part| part.len() as u64)
            .sum()
    }
}
