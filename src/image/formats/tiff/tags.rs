//! Tags that the `tiff` crate has no name for. Reads none of them.

use tiff::tags::Tag;

/// What a fax of Group 3 is coded with: bit 0 tells that it is in two dimensions (TIFF 6.0, section 11).
pub(crate) const T4_OPTIONS: Tag = Tag::Unknown(292);

/// The shares of red, green and blue in luma (TIFF 6.0, section 21).
pub(crate) const YCBCR_COEFFICIENTS: Tag = Tag::Unknown(529);

/// The levels that stand for black and white, for each channel (TIFF 6.0, section 20).
pub(crate) const REFERENCE_BLACK_WHITE: Tag = Tag::Unknown(532);
