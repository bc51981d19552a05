//! Internet messages (RFC 5322) and their parts (MIME, RFC 2045 to 2049): heads, encodings, and the division into
//! parts. Does not lay out messages.

mod encoded;
mod head;
mod lines;
mod parts;

pub use encoded::in_charset;
pub use head::{Head, MAX_ADDRESS, Valued};
pub use parts::{Pieces, decoded_body, split_parts};
