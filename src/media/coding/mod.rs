//! Codings that several formats share: the compressions Deflate, LZW, PackBits, LZMA2 and Zstandard, the codes of fax machines, the prefix codes
//! under Deflate and JPEG, the order of bits, the checksums of audio frames, the encodings of text, of URLs and of XML. Knows no file format.

#[cfg(any(feature = "audio", feature = "document"))]
pub mod base64;
#[cfg(any(feature = "audio", feature = "avif", feature = "jxl"))]
pub(crate) mod bits;
#[cfg(feature = "document")]
pub mod code_page;
#[cfg(feature = "audio")]
pub(crate) mod crc;
pub mod deflate;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub mod encoding;
pub mod escape;
pub(crate) mod fax;
pub mod lzw;
pub(crate) mod pack_bits;
#[cfg(feature = "document")]
pub mod percent;
pub(crate) mod prefix_codes;
#[cfg(any(feature = "document", feature = "spreadsheet", feature = "svg"))]
pub mod utf8;
pub mod xz;
pub mod zstd;
