//! Pages whose files are in the same message (`multipart/related`, RFC 2387; MHTML, RFC 2557). Fetches nothing.

use super::inline::{Named, Names, NotEmbedded, inline, joined};
use crate::coding::percent::decoded as percent_decoded;
use std::sync::Arc;

/// A part of a message that a page may refer to.
pub trait Related {
    /// Its identifier (`Content-ID`), without angle brackets.
    fn content_id(&self) -> Option<&str>;

    /// Its address (`Content-Location`).
    fn location(&self) -> Option<&str>;

    /// Its media type, as the message states it.
    fn media_type(&self) -> &str;

    /// Its content.
    fn bytes(&self) -> &[u8];

    /// Records that the page shows it.
    fn show(&mut self) {}
}

/// Index of the part that an address refers to: `cid:` with a content identifier (RFC 2392), or its location.
pub fn related<R: Related>(parts: &[R], address: &str) -> Option<usize> {
    let lower = address.get(..4).map(str::to_ascii_lowercase);
    let id = match lower.as_deref() {
        Some("cid:") => Some(percent_decoded(&address[4..])),
        _ => None,
    };
    parts.iter().position(|part| match &id {
        Some(id) => part.content_id() == Some(id),
        None => part.location() == Some(address),
    })
}

/// Embeds the parts of a message that a page refers to as `data:` addresses.
pub fn inline_related<R: Related>(html: &str, parts: &mut [R]) -> (String, NotEmbedded) {
    inline_related_at(html, "", parts)
}

/// Embeds the parts of a message that a page refers to. The page itself is at `location`, to which its addresses may be
/// relative (RFC 2557, section 5).
pub fn inline_related_at<R: Related>(
    html: &str,
    location: &str,
    parts: &mut [R],
) -> (String, NotEmbedded) {
    // Limit on the embedded bytes. Base64 needs 4/3 of a file's size, and a picture is often used twice (factor 3
    // covers both, rounded up). 64 KiB are added for short texts.
    let most = parts.iter().map(|part| part.bytes().len()).sum::<usize>() * 3 + (1 << 16);
    let mut own = OwnParts {
        parts,
        location,
        pictures: Vec::new(),
    };
    inline(html, &mut own, most)
}

/// The parts of one message.
struct OwnParts<'m, R> {
    parts: &'m mut [R],
    /// Address of the page.
    location: &'m str,
    /// Pictures found so far with their index, so that each is copied once even if it is used often.
    pictures: Vec<(usize, Arc<[u8]>)>,
}

impl<R: Related> Names for OwnParts<'_, R> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let nth = related(self.parts, address).or_else(|| {
            let whole = joined(self.location, address);
            (whole != address).then(|| related(self.parts, &whole))?
        })?;
        let part = &mut self.parts[nth];
        part.show();
        let known = self.pictures.iter().find(|(known, _)| *known == nth);
        let bytes = match known {
            Some((_, bytes)) => bytes.clone(),
            None => {
                let bytes: Arc<[u8]> = part.bytes().into();
                self.pictures.push((nth, bytes.clone()));
                bytes
            }
        };
        // The media type comes from the message, and is written into an attribute.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/+.-".contains(c);
        Some(Named {
            media_type: part.media_type().chars().filter(|c| is_plain(*c)).collect(),
            bytes,
        })
    }
}
