//! Pictures, compared with the results of independent programs. A test prints that a program is missing, and then
//! passes.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "avif")]
mod avif;
mod dds;
#[cfg(feature = "djvu")]
mod djvus;
mod exrs;
mod formats;
mod gifs;
mod harness;
#[cfg(feature = "heic")]
mod heic;
mod icons;
#[cfg(feature = "jpeg2000")]
mod jp2s;
mod jpegs;
#[cfg(feature = "jxl")]
mod jxl;
#[cfg(feature = "jxl")]
mod jxl_odd;
mod layers;
mod metadata;
mod noise;
mod os2;
mod pages;
mod palettes;
mod peers;
mod png_colours;
mod profiles;
mod raws;
mod resolution;
#[cfg(all(feature = "document", feature = "svg"))]
mod styles;
mod tgas;
mod tiers;
mod tiffs;
mod tiffs_by_hand;
mod wishes;
