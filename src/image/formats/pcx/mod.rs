//! PCX (ZSoft PCX File Format Technical Reference Manual, revision 5): the row in the table of formats.

mod read;

use crate::{row::Row, source::Reader};
use convertd_core::format::{Category, Format, Magic};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "pcx",
        aliases: &[],
        category: Category::Image,
        description: "ZSoft Paintbrush",
        media_type: "image/vnd.zbrush.pcx",
        magic: MAGIC,
    },
    read: Some(Reader {
        recognise: Some(|head, _, extension| {
            let has_extension = extension.is_some_and(|name| ROW.format.is_called(name));
            has_extension && read::recognise(head)
        }),
        ..Reader::of(read::open)
    }),
    write: None,
};

/// The first four bytes are 10, a version (0, 2 to 5), 1 for run-length coding, and 1, 2, 4 or 8 bits; the byte at 64
/// is always 0.
#[rustfmt::skip]
const MAGIC: &[Magic] = &[
    &[(0, b"\n\0\x01\x01"), (64, b"\0")], &[(0, b"\n\0\x01\x02"), (64, b"\0")],
    &[(0, b"\n\x02\x01\x01"), (64, b"\0")], &[(0, b"\n\x02\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x03\x01\x01"), (64, b"\0")], &[(0, b"\n\x03\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x04\x01\x01"), (64, b"\0")], &[(0, b"\n\x04\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x05\x01\x01"), (64, b"\0")], &[(0, b"\n\x05\x01\x02"), (64, b"\0")],
    &[(0, b"\n\x05\x01\x04"), (64, b"\0")], &[(0, b"\n\x05\x01\x08"), (64, b"\0")],
];
