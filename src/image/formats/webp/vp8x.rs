//! The chunk `VP8X` (RFC 9649, 2.7), which lists the contents of a WebP besides its image. Does not read or
//! write other chunks.

/// Flag: the file has an ICC profile.
pub(crate) const ICC: u8 = 0x20;
/// Flag: a frame may have transparent pixels.
pub(crate) const ALPHA: u8 = 0x10;
/// Flag: the file has EXIF.
pub(crate) const EXIF: u8 = 0x08;
/// Flag: the file has XMP.
pub(crate) const XMP: u8 = 0x04;
/// Flag: the file is an animation.
#[cfg(feature = "libwebp")]
pub(crate) const ANIMATION: u8 = 0x02;

/// The content of the chunk for a canvas of this size.
pub(crate) fn extended(flags: u8, width: u32, height: u32) -> [u8; 10] {
    let mut data = [0; 10];
    data[0] = flags;
    data[4..7].copy_from_slice(&(width - 1).to_le_bytes()[..3]);
    data[7..].copy_from_slice(&(height - 1).to_le_bytes()[..3]);
    data
}
