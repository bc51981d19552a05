//! Pages whose files are in the same message (`multipart/related`, RFC 2387; MHTML, RFC 2557). Fetches nothing.

use super::inline::{Named, Names, NotEmbedded, inline, joined};
use crate::coding::percent::decoded as percent_decoded;
use std::{collections::HashMap, sync::Arc};

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

/// Addresses of the parts of a message, each with the index of the first part that has it.
pub struct Addresses {
    ids: HashMap<String, usize>,
    locations: HashMap<String, usize>,
}

impl Addresses {
    /// The addresses of these parts.
    pub fn of<R: Related>(parts: &[R]) -> Self {
        let (mut ids, mut locations) = (HashMap::new(), HashMap::new());
        for (nth, part) in parts.iter().enumerate() {
            if let Some(id) = part.content_id() {
                ids.entry(id.to_owned()).or_insert(nth);
            }
            if let Some(location) = part.location() {
                locations.entry(location.to_owned()).or_insert(nth);
            }
        }
        Self { ids, locations }
    }

    /// Index of the part that an address refers to: `cid:` with a content identifier (RFC 2392), or its location.
    pub fn find(&self, address: &str) -> Option<usize> {
        let found = match address.get(..4) {
            Some(scheme) if scheme.eq_ignore_ascii_case("cid:") => {
                let id: String = percent_decoded(&address[4..]);
                self.ids.get(&id)
            }
            _ => self.locations.get(address),
        };
        found.copied()
    }
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
        addresses: Addresses::of(parts),
        parts,
        location,
        pictures: HashMap::new(),
    };
    inline(html, &mut own, most)
}

/// The parts of one message.
struct OwnParts<'m, R> {
    parts: &'m mut [R],
    addresses: Addresses,
    /// Address of the page.
    location: &'m str,
    /// Pictures found so far by the index of their part, so that each is copied once even if it is used often.
    pictures: HashMap<usize, Arc<[u8]>>,
}

impl<R: Related> Names for OwnParts<'_, R> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let nth = self.addresses.find(address).or_else(|| {
            let whole = joined(self.location, address);
            (whole != address).then(|| self.addresses.find(&whole))?
        })?;
        let part = &mut self.parts[nth];
        part.show();
        let copied = self.pictures.entry(nth);
        let bytes = copied.or_insert_with(|| part.bytes().into()).clone();
        // The media type comes from the message, and is written into an attribute.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/+.-".contains(c);
        Some(Named {
            media_type: part.media_type().chars().filter(|c| is_plain(*c)).collect(),
            bytes,
        })
    }
}
