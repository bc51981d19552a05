//! The colour space of an HDR picture, as code points of ITU-T H.273, which avif, heic, png and jxl all store. Does not
//! convert colours: a picture in such a space is not tone-mapped here.
//!
//! An ICC profile cannot say that a value stands for a luminance, so a picture that loses these code points looks pale
//! and dark. A target that can [store](crate::target::Target::carries_hdr) the code points gets them instead of a
//! profile.

/// Primaries and transfer function of an HDR picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HdrColour {
    /// Code point of the primaries (table 2), such as 9 for those of BT.2020.
    pub(crate) primaries: u8,
    pub(crate) curve: Curve,
}

/// The transfer functions of HDR (table 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Curve {
    /// Perceptual quantiser (SMPTE ST 2084).
    Pq = 16,
    /// Hybrid log-gamma (BT.2100).
    Hlg = 18,
}

impl HdrColour {
    /// The colour space with these code points. `None` if the transfer function is not for HDR, or `primaries` is above
    /// 255.
    pub(crate) fn of(primaries: u16, transfer: u16) -> Option<Self> {
        let curve = match transfer {
            16 => Curve::Pq,
            18 => Curve::Hlg,
            _ => return None,
        };
        let primaries = primaries.try_into().ok()?;
        Some(Self { primaries, curve })
    }

    /// The note about a picture with colours brighter than white.
    pub(crate) fn note(self) -> String {
        let kind = match self.curve {
            Curve::Pq => "PQ",
            Curve::Hlg => "HLG",
        };
        format!("The picture is HDR ({kind}); its colours were not tone-mapped for other screens.")
    }
}
