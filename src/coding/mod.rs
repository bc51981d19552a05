//! Compression that several formats share: Deflate, LZW and the prefix codes under Deflate and JPEG. Knows no file format.

pub(crate) mod deflate;
pub(crate) mod lzw;
pub(crate) mod prefix_codes;
