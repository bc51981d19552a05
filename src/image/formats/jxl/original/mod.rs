//! Restores the JPEG from which a JPEG XL file was made, bit for bit (ISO/IEC 18181-2, annex A). The result is verified
//! before it is returned.
//!
//! Such a file stores the quantised coefficients of the JPEG as its own. A box named `jbrd` has the rest of the JPEG:
//! the order of its markers, its Huffman codes, the coefficients that each scan has, and the padding bits. This module
//! makes the JPEG from the coefficients and the box. The JPEG decoder then decodes the result, which must have the
//! coefficients of the file.
//!
//! jxl-jbr 0.2.1, which jxl-oxide calls for this, has several faults: it damages scans of one component if chroma is
//! subsampled (as in all progressive files with 4:2:0), omits the prediction of chroma if all components are sampled
//! 1×2, writes the marker of a comment twice, and mirrors the padding bits. So this module is our own code; only the
//! coefficients come from jxl-oxide.

mod check;
mod coefficients;
mod data;
mod entropy;
mod scans;
mod segments;

use convertd_core::{
    containers::bmff::Head,
    containers::bytes,
    job::{Input, Job},
};
use jxl_oxide::{AuxBoxData, JxlImage};

/// Maximum number of boxes that are read to find the box with the data.
const MAX_BOXES: usize = 1 << 10;

/// Bytes of memory per pixel: the coefficients of three components with 32 bits and with 16 bits, and those of the
/// decoded result, for the check.
pub(super) const BYTES_A_PIXEL: u64 = 30;

/// The error for a JPEG that cannot be restored, without a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost;

type Result<T> = std::result::Result<T, Lost>;

/// Restores the JPEG. `None` if that fails, or if the result does not match the file.
pub(super) fn restore(job: &Job<'_>, image: &JxlImage, input: &mut dyn Input) -> Option<Vec<u8>> {
    let data = data::Data::read(&find(input)?).ok()?;
    let picture = coefficients::Picture::read(image, &data).ok()?;
    let described = segments::Described {
        icc: image.original_icc().unwrap_or_default(),
        exif: match image.aux_boxes().first_exif() {
            Ok(AuxBoxData::Data(exif)) => exif.payload(),
            _ => &[],
        },
        xmp: match image.aux_boxes().first_xml() {
            AuxBoxData::Data(xmp) => xmp,
            _ => &[],
        },
    };
    let file = segments::write(&data, &picture, &described, &|| job.check().is_ok()).ok()?;
    check::is_of(&file, &picture).then_some(file)
}

/// The content of the box `jbrd`.
fn find(input: &mut dyn Input) -> Option<Vec<u8>> {
    let mut offset = 0;
    for _ in 0..MAX_BOXES {
        let head = Head::read(input, offset).ok()?;
        if &head.kind == b"jbrd" {
            input.seek(std::io::SeekFrom::Start(head.start)).ok()?;
            return bytes::up_to(input, head.len.unwrap_or(u64::MAX)).ok();
        }
        offset = head.next()?;
    }
    None
}
