//! Enhanced AC-3 (Dolby Digital Plus; A/52:2018, annex E, ETSI TS 102 366, annex E), the sound of most streamed videos.
//! Shares exponents, bit allocation, mantissas and transform with AC-3. The syntax of its frames is different, and two
//! tools are added: spectral extension and the adaptive hybrid transform.
//!
//! A frame has one, two, three or six blocks, and states at its beginning many parameters that AC-3 repeats in each
//! block. High frequencies may be copied from lower ones ([`extension`]). If the sound does not change, the six
//! coefficients of each frequency may be transformed once more ([`hybrid`]). More than 5.1 channels take several frames
//! for the same time: an independent one, and dependent ones that add or replace channels. Transient pre-noise
//! processing, which repairs the sound before transients, is skipped, as in ffmpeg. Enhanced coupling is refused with a
//! message; no known stream uses it.

pub(super) mod blocks;
pub(super) mod extension;
pub(super) mod frame;
pub(crate) mod header;
pub(super) mod hybrid;
