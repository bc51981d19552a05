//! Static files of the program, as HTTP serves them: compressed on the first request of a client that accepts gzip,
//! with a checksum of their content as the entity tag. Reads nothing from disk.
//!
//! A browser keeps a copy and revalidates it each time (`no-cache`): an answer of 304 costs little, and an update never
//! mixes a page of one version with scripts of another.

use super::precondition;
use crate::http::{Head, Payload, Response, Status};
use std::{borrow::Cow, sync::OnceLock};

/// Deflate level: the highest of zlib's levels, because each file is compressed only once.
const EFFORT: u8 = 9;

/// A static file of the page.
pub(super) struct Asset {
    media_type: &'static str,
    plain: Cow<'static, [u8]>,
    /// The file compressed with gzip (RFC 1952), made on the first request for it.
    gzip: OnceLock<Vec<u8>>,
    checksum: u32,
    /// The checksum and the length in hexadecimal, as the entity tag without quotation marks.
    tag: String,
}

impl Asset {
    pub(super) fn new(media_type: &'static str, plain: impl Into<Cow<'static, [u8]>>) -> Self {
        let plain = plain.into();
        let checksum = crc32fast::hash(&plain);
        let tag = format!("{checksum:08x}-{:x}", plain.len());
        Self {
            media_type,
            gzip: OnceLock::new(),
            plain,
            checksum,
            tag,
        }
    }

    /// Returns the answer with the file, compressed if the client accepts gzip. If a condition of the request rules the
    /// content out, returns a status alone, such as 304 if the client has that version already.
    pub(super) fn answer(&self, head: &Head) -> Response {
        let compressed = accepts(head, "accept-encoding", &["gzip", "x-gzip"]);
        // Two codings are two representations, and each has a strong tag of its own (RFC 9110, section 8.8.3.3).
        let etag = match compressed {
            true => format!("\"{}-gz\"", self.tag),
            false => format!("\"{}\"", self.tag),
        };
        let refusal = precondition::evaluate(head, &etag, None);
        let response = Response::new(refusal.unwrap_or(Status::OK))
            .field("ETag", etag)
            .field("Cache-Control", "no-cache")
            .field("Vary", "Accept-Encoding");
        if refusal.is_some() {
            return response;
        }
        let response = response
            .field("Content-Type", self.media_type)
            .field("X-Content-Type-Options", "nosniff");
        if compressed {
            let response = response.field("Content-Encoding", "gzip");
            let gzip = self.gzip.get_or_init(|| gzip(&self.plain, self.checksum));
            return response.payload(Payload::Bytes(gzip.clone().into()));
        }
        response.payload(Payload::Bytes(self.plain.clone()))
    }
}

/// Returns whether a field such as `Accept-Encoding` names one of `values` with a weight other than 0 (RFC 9110,
/// section 12.4.2). A `*` in the field does not count.
pub(super) fn accepts(head: &Head, field: &str, values: &[&str]) -> bool {
    let mut ranges = head.fields(field).flat_map(|list| list.split(','));
    ranges.any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused = parts.any(|parameter| {
            let weight = parameter
                .strip_prefix("q=")
                .or(parameter.strip_prefix("Q="));
            weight.is_some_and(|weight| weight.parse() == Ok(0.0))
        });
        !refused && values.iter().any(|value| value.eq_ignore_ascii_case(name))
    })
}

/// Compresses a file with gzip.
fn gzip(plain: &[u8], checksum: u32) -> Vec<u8> {
    // The header (RFC 1952, section 2.3): magic bytes, Deflate, no flags, no time, maximum compression, unknown system.
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    file.extend(miniz_oxide::deflate::compress_to_vec(plain, EFFORT));
    file.extend(checksum.to_le_bytes());
    // The length modulo 2³² (section 2.3.1).
    file.extend((plain.len() as u32).to_le_bytes());
    file
}
