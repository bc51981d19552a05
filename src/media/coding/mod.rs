//! What several formats share: the compressions Deflate, LZW, PackBits, LZMA2 and Zstandard, the codes of fax machines, the prefix codes
//! under Deflate and JPEG, the order of bits, the checksums of audio frames, the encodings of text. Knows no file format.

#[cfg(feature = "document")]
pub(crate) mod base64;
#[cfg(any(feature = "audio", feature = "avif", feature = "jxl"))]
pub(crate) mod bits;
#[cfg(feature = "document")]
pub(crate) mod code_page;
#[cfg(feature = "audio")]
pub(crate) mod crc;
pub(crate) mod deflate;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub(crate) mod encoding;
pub(crate) mod fax;
pub(crate) mod lzw;
pub(crate) mod pack_bits;
pub(crate) mod prefix_codes;
#[cfg(any(feature = "document", feature = "spreadsheet", feature = "svg"))]
pub(crate) mod utf8;
pub(crate) mod xz;
pub(crate) mod zstd;
