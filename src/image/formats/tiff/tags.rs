//! Tags that the `tiff` crate has no names for.

use tiff::tags::Tag;

/// T4Options: bit 0 says that Group 3 data uses two-dimensional coding (TIFF 6.0, section 11).
pub(crate) const T4_OPTIONS: Tag = Tag::Unknown(292);

/// YCbCrCoefficients: the weights of red, green and blue in luma (TIFF 6.0, section 21).
pub(crate) const YCBCR_COEFFICIENTS: Tag = Tag::Unknown(529);

/// ReferenceBlackWhite: the levels of black and white for each component (TIFF 6.0, section 20).
pub(crate) const REFERENCE_BLACK_WHITE: Tag = Tag::Unknown(532);

/// JPEGInterchangeFormat: offset of a JPEG file (TIFF 6.0, section 22).
pub(crate) const JPEG_INTERCHANGE_FORMAT: Tag = Tag::Unknown(513);

/// JPEGInterchangeFormatLength: length of that JPEG file in bytes.
pub(crate) const JPEG_INTERCHANGE_LENGTH: Tag = Tag::Unknown(514);

/// JPEGRestartInterval: number of MCUs between two restart markers (TIFF 6.0, section 22).
pub(crate) const JPEG_RESTART_INTERVAL: Tag = Tag::Unknown(515);

/// JPEGQTables: offset of each component's quantisation table.
pub(crate) const JPEG_Q_TABLES: Tag = Tag::Unknown(519);

/// JPEGDCTables: offset of each component's Huffman table for DC.
pub(crate) const JPEG_DC_TABLES: Tag = Tag::Unknown(520);

/// JPEGACTables: offset of each component's Huffman table for AC.
pub(crate) const JPEG_AC_TABLES: Tag = Tag::Unknown(521);
