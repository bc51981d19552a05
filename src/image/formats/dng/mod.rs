//! Raw files of cameras: the row in the table of formats. The result is the preview that the camera made, a JPEG; the
//! data of the sensor is not developed.
//!
//! Most raw files are TIFF files (DNG 1.6, TIFF/EP, and makers' variants of them) whose first picture is small. Some
//! variants have another magic number, CR3 is a list of ISO boxes, and RAF has a header of its own.

mod previews;
mod read;
mod tiffs;

use crate::{formats::tiff, row::Row, source::Reader};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "dng",
        aliases: &[
            "nef", "nrw", "cr2", "cr3", "arw", "sr2", "orf", "rw2", "raf", "pef", "srw",
        ],
        category: Category::Image,
        description: "Camera raw file; the preview in it is converted",
        media_type: "image/x-adobe-dng",
        magic: &[
            &[(0, b"II*\0\x10\0\0\0CR\x02\0")],
            &[(0, b"IIRO")],
            &[(0, b"IIRS")],
            &[(0, b"MMOR")],
            &[(0, b"IIU\0")],
            &[(0, previews::FUJIFILM)],
            &[(4, b"ftypcrx ")],
        ],
    },
    read: Some(Reader {
        recognise: Some(|_, input, _| tiffs::is_raw(input)),
        metadata: Some(tiff::find_metadata),
        ..Reader::of(read::open)
    }),
    write: None,
};
