//! Codings that several formats share: the compressions Deflate, LZW, PackBits, LZMA2 and Zstandard, the codes of fax
//! machines, the prefix codes of Deflate and JPEG, the order of bits, the checksums of audio frames, the encodings of
//! text, of URLs and of XML, and dates as PDF and XMP write them. Reads no file format.

pub mod base64;
pub mod bits;
pub mod code_page;
pub mod crc;
pub mod date;
pub mod deflate;
pub mod encoding;
pub mod escape;
pub mod fax;
mod johab;
pub mod lzw;
pub mod pack_bits;
pub mod percent;
pub mod prefix_codes;
pub mod utf8;
pub mod xz;
pub mod zstd;
