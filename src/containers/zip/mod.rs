//! ZIP archives (PKWARE APPNOTE 6.3.10), limited to what documents use (ISO/IEC 21320-1): entries that are stored or
//! compressed with Deflate. Never uses an entry's name as a path.

mod read;
mod write;

pub(crate) use read::Archive;
pub(crate) use write::{Packing, Writer};

const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
const DIRECTORY_ENTRY: [u8; 4] = *b"PK\x01\x02";
const DIRECTORY_END: [u8; 4] = *b"PK\x05\x06";

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

#[cfg(test)]
mod tests;
