//! Pages whose files are in the same message (`multipart/related`, RFC 2387; MHTML, RFC 2557). Fetches nothing.

use super::{
    inline::{Named, Names, NotEmbedded, inline},
    urls::{has_scheme, joined, root_len},
};
use crate::{coding::percent::decoded as percent_decoded, containers::mime::MAX_ADDRESS};
use std::{collections::HashMap, sync::Arc};

/// Maximum number of frames whose pages are shown, and of frames within one another.
const MAX_FRAMES: usize = 64;
const MAX_DEPTH: usize = 3;

/// Limit on the absolute links of a page together, in bytes: each repeats the address of the page. A character of a link
/// counts as 5 bytes, the length of `&amp;`.
const MAX_LINKS: usize = 4 << 20;

/// Address of a page without an address of its own, so that its relative addresses can be resolved (RFC 2557, section 5).
const THIS_MESSAGE: &str = "thismessage:/";

/// A part of a message that a page may refer to.
pub trait Related {
    /// Identifier of the part (`Content-ID`), without angle brackets.
    fn content_id(&self) -> Option<&str>;

    /// Address of the part (`Content-Location`).
    fn location(&self) -> Option<&str>;

    /// Media type of the part, as the message states it.
    fn media_type(&self) -> &str;

    /// Content of the part.
    fn bytes(&self) -> &[u8];

    /// Records that the page shows the part.
    fn show(&mut self) {}
}

/// Embeds the parts of a message that a page refers to as `data:` addresses, and the pages of its frames as parts of
/// the page. The page itself is at `location`, to which its addresses may be relative (RFC 2557, section 5); an empty
/// location is that of a page without an address. Links of a page with an address become absolute.
pub fn inline_related<R: Related>(
    html: &str,
    location: &str,
    parts: &mut [R],
) -> (String, NotEmbedded) {
    // Limit on the embedded bytes. Base64 needs 4/3 of a file's size, and a picture is often used twice (factor 3
    // covers both, rounded up). 64 KiB are added for short texts.
    let most = parts.iter().map(|part| part.bytes().len()).sum::<usize>() * 3 + (1 << 16);
    let location = match has_scheme(location) {
        true => location.to_owned(),
        false => format!("{THIS_MESSAGE}{}", location.trim_start_matches('/')),
    };
    let mut own = OwnParts {
        addresses: Addresses::of(parts, &location),
        parts,
        found: None,
        bases: vec![Base::at(location.clone())],
        location,
        frames_left: MAX_FRAMES,
        links_left: MAX_LINKS,
        pictures: HashMap::new(),
    };
    inline(html, &mut own, most)
}

/// Addresses of the parts of a message, each with the index of the first part that has it.
struct Addresses {
    ids: HashMap<String, usize>,
    locations: HashMap<String, usize>,
}

impl Addresses {
    /// The addresses of these parts, which may be relative to that of their page.
    fn of<R: Related>(parts: &[R], page: &str) -> Self {
        let (mut ids, mut locations) = (HashMap::new(), HashMap::new());
        for (nth, part) in parts.iter().enumerate() {
            if let Some(id) = part.content_id() {
                ids.entry(id.to_owned()).or_insert(nth);
            }
            if let Some(location) = part.location() {
                locations.entry(normal(location)).or_insert(nth);
                let whole = normal(&joined(page, location));
                locations.entry(whole).or_insert(nth);
            }
        }
        Self { ids, locations }
    }

    /// Index of the part that an address in a page at `base` refers to: `cid:` with a content identifier (RFC 2392), or
    /// the location of the part.
    fn find(&self, base: &str, address: &str) -> Option<usize> {
        // Neither the parts nor the base have longer addresses, and joining takes time in proportion to both.
        if address.len() > MAX_ADDRESS {
            return None;
        }
        let found = match is_content_id(address) {
            true => {
                let id: String = percent_decoded(&address[4..]);
                // Chromium writes the identifier of a style sheet as its location.
                let named = self.ids.get(&id);
                named.or_else(|| self.locations.get(&normal(address)))
            }
            false if self.locations.is_empty() => None,
            false => {
                let whole = self.locations.get(&normal(&joined(base, address)));
                whole.or_else(|| self.locations.get(&normal(address)))
            }
        };
        found.copied()
    }
}

/// Form of an address in which equal addresses are written equally: without a fragment, percent-encoding, white space
/// and leading `./`, and with scheme and host in lower case (RFC 3986, 6.2.2).
fn normal(address: &str) -> String {
    let address = address.split('#').next().unwrap_or_default();
    let (root, path) = address.split_at(root_len(address));
    let path: String = percent_decoded(path).split_whitespace().collect();
    format!(
        "{}{}",
        root.to_ascii_lowercase(),
        path.trim_start_matches("./")
    )
}

/// The parts of one message.
struct OwnParts<'m, R> {
    parts: &'m mut [R],
    addresses: Addresses,
    /// Index of the part that was found last.
    found: Option<usize>,
    /// Address of the page, to which the addresses of the parts may be relative.
    location: String,
    /// Addresses of the page and of the frames in it that are being read.
    bases: Vec<Base>,
    /// Number of frames that may still be shown.
    frames_left: usize,
    /// Length of the links that may still become absolute, in bytes.
    links_left: usize,
    /// Contents of the parts found so far, by index, so that each is copied once even if it is used often.
    pictures: HashMap<usize, Arc<[u8]>>,
}

/// Address of a page, to which its other addresses are relative.
struct Base {
    address: String,
    /// Whether the page stated it. Only the first statement counts.
    is_stated: bool,
    /// Index of the part with the page of a frame.
    frame: Option<usize>,
}

impl Base {
    fn at(address: String) -> Self {
        Self {
            address,
            is_stated: false,
            frame: None,
        }
    }
}

impl<R: Related> OwnParts<'_, R> {
    /// Index of the part that an address in the page refers to.
    fn nth(&self, address: &str) -> Option<usize> {
        let base = self.bases.last()?;
        self.addresses.find(&base.address, address)
    }

    /// Address to which the addresses in a part are relative: that of the part, or else that of the page. The
    /// identifier of a part is not an address.
    fn base_of(&self, nth: usize) -> String {
        match self.parts[nth].location().filter(|own| !is_content_id(own)) {
            Some(own) => joined(&self.location, own),
            None => self.location.clone(),
        }
    }
}

/// Returns whether an address is a content identifier (RFC 2392).
fn is_content_id(address: &str) -> bool {
    let scheme = address.get(..4);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("cid:"))
}

impl<R: Related> Names for OwnParts<'_, R> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let nth = self.nth(address)?;
        self.found = Some(nth);
        let part = &self.parts[nth];
        let copied = self.pictures.entry(nth);
        let bytes = copied.or_insert_with(|| part.bytes().into()).clone();
        // The media type comes from the message, and is written into an attribute.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/+.-".contains(c);
        let media_type: String = part.media_type().chars().filter(|c| is_plain(*c)).collect();
        let is_sheet = media_type == "text/css";
        let mut named = Named::new(media_type, bytes);
        named.base = is_sheet.then(|| self.base_of(nth));
        Some(named)
    }

    fn embedded(&mut self) {
        if let Some(nth) = self.found {
            self.parts[nth].show();
        }
    }

    fn base(&mut self, address: &str) {
        if let Some(base) = self.bases.last_mut().filter(|base| !base.is_stated)
            && address.len() <= MAX_ADDRESS
        {
            if !address.is_empty() {
                base.address = joined(&base.address, address);
            }
            base.is_stated = true;
        }
    }

    fn frame(&mut self, address: &str) -> Option<String> {
        let nth = self.nth(address)?;
        let part = &self.parts[nth];
        let is_page = matches!(part.media_type(), "text/html" | "application/xhtml+xml");
        if !is_page || self.frames_left == 0 || self.bases.len() > MAX_DEPTH {
            return None;
        }
        self.frames_left -= 1;
        let text = String::from_utf8_lossy(part.bytes()).into_owned();
        self.bases.push(Base {
            frame: Some(nth),
            ..Base::at(self.base_of(nth))
        });
        Some(text)
    }

    fn leave(&mut self, is_shown: bool) {
        if let Some(Base {
            frame: Some(nth), ..
        }) = self.bases.pop()
            && is_shown
        {
            self.parts[nth].show();
        }
    }

    fn link_target(&mut self, address: &str) -> Option<String> {
        let address = address.trim();
        let base = &self.bases.last()?.address;
        // Addresses of files, and those within the message, are of no use outside of it.
        let is_on_host = ["http://", "https://"].iter().any(|root| {
            let begin = base.get(..root.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(root))
        });
        if !is_on_host || address.len() > MAX_ADDRESS || self.links_left == 0 {
            return None;
        }
        let whole = joined(base, address);
        self.links_left = self.links_left.saturating_sub(5 * whole.len());
        (whole != address).then_some(whole)
    }
}

#[cfg(test)]
mod tests;
