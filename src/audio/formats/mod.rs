//! The audio formats, one folder each, and the table with a row for each format. Their readers and writers are in the
//! folders.

mod aac;
mod ac3;
mod aiff;
mod amr;
mod ape;
mod au;
mod caf;
mod flac;
mod matroska;
mod mp3;
mod mp4;
mod ogg;
mod opus;
#[cfg(test)]
mod toy;
mod wav;
mod wavpack;

use super::row::Row;

/// Every audio format, in the order in which users see them.
pub(crate) static ROWS: &[&Row] = &[
    &mp3::MP3,
    &wav::ROW,
    &flac::ROW,
    &mp4::M4A,
    &ogg::ROW,
    &opus::ROW,
    &aac::ROW,
    &ac3::AC3,
    &ac3::EAC3,
    &aiff::ROW,
    &au::ROW,
    &caf::ROW,
    &ape::ROW,
    &wavpack::ROW,
    &amr::ROW,
    &mp3::MP2,
    &matroska::MKA,
    &mp4::MP4,
    &mp4::MOV,
    &matroska::MKV,
    &matroska::WEBM,
    #[cfg(test)]
    &toy::ROW,
];
