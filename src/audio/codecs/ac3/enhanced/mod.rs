//! Enhanced AC-3 (Dolby Digital Plus; A/52:2018, annex E, ETSI TS 102 366, annex E), the sound of most videos that are
//! streamed. Shares exponents, bit allocation, mantissas and transform with AC-3; reads what frames say in its own way.
//!
//! A frame has one, two, three or six blocks, and says at its beginning what AC-3 says block by block. High frequencies
//! may be copied from lower ones ([`extension`]), and where sound does not change, the six coefficients of each
//! frequency may be transformed once more ([`hybrid`]). More than 5.1 channels take several frames for the same time:
//! an independent one, and dependent ones that add channels or replace some. What repairs sound before transients
//! (transient pre-noise processing) is passed over, as in ffmpeg; enhanced coupling, which no stream that was found
//! uses, is refused by name.

pub(super) mod blocks;
pub(super) mod extension;
pub(super) mod frame;
pub(crate) mod header;
pub(super) mod hybrid;
