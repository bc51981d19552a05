//! The interface between this container and a format's codec for coded images. Holds no decoder itself.

use super::planes::{Code, Planes};
use convertd_core::{error::Result, job::Job};

/// Properties of coded images in a decoder configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The bits of a sample: the larger number of luma and chroma.
    pub(crate) bits: u32,
    pub(crate) grey: bool,
    /// Number of samples in both chroma planes, in percent of the luma samples: 0, 50, 100 or 200.
    pub(crate) chroma: u64,
    /// Colour description in the coded image itself.
    pub(crate) code: Code,
}

/// Decoder of coded images of one type.
pub(crate) struct Codec {
    /// The type of its items, and of the sample entries of its tracks.
    pub(crate) kind: [u8; 4],
    /// The type of the property that holds the decoder configuration.
    pub(crate) config: [u8; 4],
    /// Reads the decoder configuration. Returns `None` if the configuration is invalid.
    pub(crate) shape: fn(&[u8]) -> Option<Shape>,
    /// The peak memory of decoding in bytes, including the planes, for a number of pixels and of coded bytes.
    pub(crate) memory: fn(Shape, u64, u64) -> u64,
    /// Whether alpha images use the sample range (limited or full) that the coded image states. Otherwise the range is
    /// always full.
    pub(crate) has_ranged_alpha: bool,
    pub(crate) decode: Decode,
    /// Begins to decode a sequence. `None` if the decoder does not support sequences.
    pub(crate) follow: Option<Follow>,
}

/// Decodes one picture from its configuration and its data. The decoded picture must have the width and height that the
/// file states.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the data is damaged, has another size, or uses
/// an unsupported feature.
pub(crate) type Decode = fn(&Job<'_>, &Coded<'_>, Vec<u8>) -> Result<Box<dyn Planes>>;

/// Begins to decode the pictures of a sequence, which share one description.
pub(crate) type Follow = fn(&Job<'_>, &Coded<'_>) -> Result<Box<dyn Following>>;

/// Decodes pictures of a sequence, each of which may depend on those before it.
#[cfg_attr(not(feature = "avif"), allow(dead_code))]
pub(crate) trait Following {
    /// Decodes the next picture.
    ///
    /// Errors: [`BadInput`](convertd_core::error::Kind::BadInput) if the data is damaged, or has another size than the
    /// picture.
    fn next(&mut self, job: &Job<'_>, data: Vec<u8>) -> Result<Box<dyn Planes>>;
}

/// A coded image.
pub(crate) struct Coded<'a> {
    // Each codec uses only some of these fields, and a build may have a single codec.
    #[cfg_attr(not(feature = "heic"), allow(dead_code))]
    pub(crate) config: &'a [u8],
    /// The number of the image's operating point, which selects the layers that are decoded.
    #[cfg_attr(not(feature = "avif"), allow(dead_code))]
    pub(crate) point: u8,
    pub(crate) width: u32,
    pub(crate) height: u32,
    #[cfg_attr(not(feature = "avif"), allow(dead_code))]
    pub(crate) spare_threads: usize,
}

/// The largest number of pixels with which an image of this size is coded: its sides are padded to multiples of a
/// block's side, which is at most 64 pixels.
pub(crate) fn coded_pixels(width: u32, height: u32) -> u64 {
    let side = |side: u32| u64::from(side).next_multiple_of(64);
    side(width) * side(height)
}
