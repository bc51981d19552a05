//! All picture formats of this build, in the order in which users see them. If two magic numbers could match the same
//! file, the format with the longer one comes first. A new format needs a folder and a line here.

#[cfg(feature = "avif")]
mod avif;
mod bmp;
mod dds;
#[cfg(feature = "djvu")]
mod djvu;
mod dng;
mod exr;
mod farbfeld;
mod gif;
mod hdr;
#[cfg(feature = "heic")]
mod heic;
mod icns;
mod ico;
#[cfg(feature = "jpeg2000")]
mod jp2;
mod jpeg;
#[cfg(feature = "jxl")]
mod jxl;
#[cfg(feature = "svg")]
mod metafiles;
mod pcx;
mod png;
mod pnm;
mod psd;
mod qoi;
// This module is visible to other packages, because documents use parts of it that pictures do not need.
#[cfg_attr(not(feature = "document"), allow(dead_code, unreachable_pub))]
#[cfg(feature = "svg")]
pub(crate) mod svg;
mod tga;
mod tiff;
#[cfg(test)]
mod toy;
mod webp;

use super::row::Row;

#[cfg(feature = "document")]
pub(crate) use jpeg::{as_is, write as write_jpeg};
#[cfg(feature = "document")]
pub(crate) use png::Filters;

/// The table of formats: a row of properties for each.
pub(crate) static ROWS: &[&Row] = &[
    &jpeg::ROW,
    &png::APNG,
    &png::PNG,
    &gif::ROW,
    &webp::ROW,
    #[cfg(feature = "avif")]
    &avif::ROW,
    #[cfg(feature = "heic")]
    &heic::ROW,
    // Raw files of cameras begin like TIFF files, so their row comes first.
    &dng::ROW,
    &tiff::ROW,
    &bmp::ROW,
    &ico::ROW,
    &ico::CURSOR,
    &icns::ROW,
    &qoi::ROW,
    &hdr::ROW,
    &exr::ROW,
    &farbfeld::ROW,
    &dds::ROW,
    #[cfg(feature = "djvu")]
    &djvu::ROW,
    &pnm::PBM,
    &pnm::PGM,
    &pnm::PPM,
    &pnm::PAM,
    &pnm::PFM,
    &psd::ROW,
    &pcx::ROW,
    #[cfg(feature = "svg")]
    &svg::ROW,
    #[cfg(feature = "svg")]
    &metafiles::EMF,
    #[cfg(feature = "svg")]
    &metafiles::WMF,
    #[cfg(feature = "svg")]
    &metafiles::PICT,
    #[cfg(feature = "jxl")]
    &jxl::ROW,
    #[cfg(feature = "jpeg2000")]
    &jp2::ROW,
    &tga::ROW,
    #[cfg(test)]
    &toy::ROW,
];
