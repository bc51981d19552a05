//! ZIP archives (PKWARE APPNOTE 6.3.10), limited to what documents use (ISO/IEC 21320-1): entries that are stored or
//! compressed with Deflate. Never uses an entry's name as a path.

mod listing;
mod names;
mod parts;
mod read;
mod stream;
mod whole;
mod write;

pub use listing::{holds, is_cut_off};
pub use names::Names;
pub use parts::{Member, Moment, NO_DATE, directory};
pub use read::Archive;
pub use stream::Stream;
pub use {
    read::directory_memory,
    whole::unpacked,
    write::{LEVEL, Packing, Writer},
};

const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
const DIRECTORY_ENTRY: [u8; 4] = *b"PK\x01\x02";
const DIRECTORY_END: [u8; 4] = *b"PK\x05\x06";
const DIRECTORY_END_64: [u8; 4] = *b"PK\x06\x06";
const DIRECTORY_LOCATOR_64: [u8; 4] = *b"PK\x06\x07";

/// The method of entries that are not compressed (4.4.5).
pub const STORED: u16 = 0;
const DEFLATED: u16 = 8;

#[cfg(test)]
mod tests;
