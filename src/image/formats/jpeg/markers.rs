//! Markers of JPEG (ITU-T T.81, table B.1), and what application segments begin with. Reads no file.

/// What a segment of EXIF begins with.
pub(crate) use crate::image::metadata::exif::PREFIX as EXIF;

/// What a segment of XMP begins with (XMP specification, part 3, 1.1.3).
pub(crate) const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// What a part of a colour profile begins with (ICC.1, B.4).
pub(crate) const ICC: &[u8] = b"ICC_PROFILE\0";
