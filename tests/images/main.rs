//! Pictures against independent programs. Each test says so and passes where the one that it needs is missing.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "avif")]
mod avif;
mod dds;
mod formats;
mod gifs;
mod harness;
#[cfg(feature = "heic")]
mod heic;
#[cfg(feature = "jxl")]
mod jxl;
mod metadata;
mod noise;
mod pages;
mod palettes;
mod peers;
mod profiles;
mod tiffs;
mod wishes;
