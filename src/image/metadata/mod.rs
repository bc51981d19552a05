//! Metadata that are copied to the result: always the resolution, and EXIF and XMP if the client asks to keep them.
//! Never adds metadata that the file does not have.
//!
//! The formats find all three without decoding pictures, and [`exif`] reads the structure of EXIF. Metadata that would
//! be wrong for the result are changed: the orientation, which has been applied; the size and the resolution;
//! thumbnails, which [`thumbnail`] erases; and outdated properties of XMP, which [`forget`] overwrites.

pub(crate) mod adapt;
pub(crate) mod colour_space;
pub(crate) mod exif;
mod forget;
mod resolution;
mod thumbnail;

pub(crate) use resolution::Resolution;

/// Maximum size of EXIF, and of XMP, in bytes. Larger metadata are left out.
pub(crate) const MAX: usize = 1 << 20;

/// Metadata of a picture that are copied to the result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    /// Whether EXIF and XMP are kept. If not, a search may end when it has found the resolution.
    pub(crate) is_wanted: bool,
    /// EXIF, a TIFF structure (Exif 2.32, 4.5.2), without the `Exif\0\0` that JPEG puts before it.
    pub(crate) exif: Option<Vec<u8>>,
    /// XMP, an XML packet (ISO 16684-1).
    pub(crate) xmp: Option<Vec<u8>>,
    /// Resolution: of the stored picture in a reader, of the result in a writer.
    pub(crate) resolution: Option<Resolution>,
}

impl Metadata {
    /// Returns whether there is neither EXIF nor XMP.
    pub(crate) fn is_empty(&self) -> bool {
        self.exif.is_none() && self.xmp.is_none()
    }

    /// Drops EXIF if it has more than `most` bytes, and XMP likewise. Returns whether it dropped either of them.
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
