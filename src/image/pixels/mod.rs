//! Pixels between source and target: their layout in memory, and the operations on them (type, colour, size,
//! orientation). Depends on no file format and no options.

pub(crate) mod ahead;
pub(crate) mod alpha;
pub(crate) mod colour;
pub(crate) mod convert;
pub(crate) mod lab;
mod layout;
pub(crate) mod orient;
pub(crate) mod palette;
pub(crate) mod quantise;
pub(crate) mod resample;
pub(crate) mod resize;
pub(crate) mod rows;
pub(crate) mod simd;
#[cfg(any(feature = "avif", feature = "jxl", feature = "libwebp"))]
pub(crate) mod spread;
pub(crate) mod squares;
pub(crate) mod stages;
pub(crate) mod ycbcr;

pub(crate) use layout::{Channels, Depth, Layout};
pub(crate) use rows::{Frame, Rows};
