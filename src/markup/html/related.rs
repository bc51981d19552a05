//! Pages whose files are in the same message (`multipart/related`, RFC 2387; MHTML, RFC 2557). Fetches nothing.

use super::{
    addresses::{joined, root_len},
    inline::{Named, Names, NotEmbedded, inline},
};
use crate::{coding::percent::decoded as percent_decoded, containers::mime::MAX_ADDRESS};
use std::{collections::HashMap, sync::Arc};

/// Maximum number of frames whose pages are shown, and of frames within one another.
const MAX_FRAMES: usize = 64;
const MAX_DEPTH: usize = 3;

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
/// location is that of a page without an address.
pub fn inline_related<R: Related>(
    html: &str,
    location: &str,
    parts: &mut [R],
) -> (String, NotEmbedded) {
    // Limit on the embedded bytes. Base64 needs 4/3 of a file's size, and a picture is often used twice (factor 3
    // covers both, rounded up). 64 KiB are added for short texts.
    let most = parts.iter().map(|part| part.bytes().len()).sum::<usize>() * 3 + (1 << 16);
    let mut own = OwnParts {
        addresses: Addresses::of(parts, location),
        parts,
        bases: vec![Base::at(location.to_owned())],
        frames_left: MAX_FRAMES,
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
        let found = match address.get(..4) {
            Some(scheme) if scheme.eq_ignore_ascii_case("cid:") => {
                let id: String = percent_decoded(&address[4..]);
                self.ids.get(&id)
            }
            _ if self.locations.is_empty() => None,
            _ => {
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
    /// Addresses of the page and of the frames in it that are being read.
    bases: Vec<Base>,
    /// Number of frames that may still be shown.
    frames_left: usize,
    /// Contents of the parts found so far, by index, so that each is copied once even if it is used often.
    pictures: HashMap<usize, Arc<[u8]>>,
}

/// Address of a page, to which its other addresses are relative.
struct Base {
    address: String,
    /// Whether the page stated it. Only the first statement counts.
    is_stated: bool,
}

impl Base {
    fn at(address: String) -> Self {
        Self {
            address,
            is_stated: false,
        }
    }
}

impl<R> OwnParts<'_, R> {
    /// Index of the part that an address in the page refers to.
    fn nth(&self, address: &str) -> Option<usize> {
        let base = self.bases.last()?;
        self.addresses.find(&base.address, address)
    }
}

impl<R: Related> Names for OwnParts<'_, R> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let nth = self.nth(address)?;
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

    fn base(&mut self, address: &str) {
        if let Some(base) = self.bases.last_mut().filter(|base| !base.is_stated)
            && address.len() <= MAX_ADDRESS
        {
            base.address = joined(&base.address, address);
            base.is_stated = true;
        }
    }

    fn frame(&mut self, address: &str) -> Option<String> {
        let nth = self.nth(address)?;
        let part = &mut self.parts[nth];
        let is_page = matches!(part.media_type(), "text/html" | "application/xhtml+xml");
        if !is_page || self.frames_left == 0 || self.bases.len() > MAX_DEPTH {
            return None;
        }
        self.frames_left -= 1;
        part.show();
        let text = String::from_utf8_lossy(part.bytes()).into_owned();
        let outer = self.bases.last().map_or("", |base| &base.address);
        let location = joined(outer, part.location().unwrap_or(address));
        self.bases.push(Base::at(location));
        Some(text)
    }

    fn leave(&mut self) {
        self.bases.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part with its media type, its location or its identifier (`cid:…`), and its content.
    struct Part(&'static str, &'static str, &'static str);

    impl Related for Part {
        fn content_id(&self) -> Option<&str> {
            self.1.strip_prefix("cid:")
        }

        fn location(&self) -> Option<&str> {
            Some(self.1).filter(|address| !address.starts_with("cid:"))
        }

        fn media_type(&self) -> &str {
            self.0
        }

        fn bytes(&self) -> &[u8] {
            self.2.as_bytes()
        }
    }

    /// Checks the page at an address in a message with these parts. `=` stands for a picture that was found.
    #[track_caller]
    fn check(html: &str, location: &str, parts: Vec<Part>, expected: &str) {
        let mut parts = parts;
        let (found, _) = inline_related(html, location, &mut parts);
        assert_eq!(found.replace("data:image/gif;base64,eA==", "="), expected);
    }

    const PAGE: &str = "https://a.example/x/y.html";

    /// A picture at this address.
    fn picture(address: &'static str) -> Part {
        Part("image/gif", address, "x")
    }

    #[test]
    fn addresses_are_resolved_as_browsers_do() {
        let parts = || {
            vec![
                picture("https://a.example/x/i.gif"),
                picture("https://a.example/g.gif"),
                picture("https://b.example/h%20k.gif?q=1"),
            ]
        };
        check("<img src=i.gif>", PAGE, parts(), "<img src=\"=\">");
        check("<img src=../g.gif#f>", PAGE, parts(), "<img src=\"=\">");
        check("<img src=/g.gif>", PAGE, parts(), "<img src=\"=\">");
        let other = "<img src='//B.example/h k.gif?q=1'>";
        check(other, PAGE, parts(), "<img src=\"=\">");
        check("<img src=g.gif>", PAGE, parts(), "<img src=g.gif>");
        // The first base wins over the place of the page.
        let base = "<base href='../'><base href='/z/'><img src=g.gif>";
        let expected = "<base href='../'><base href='/z/'><img src=\"=\">";
        check(base, PAGE, parts(), expected);
        // Relative locations of the parts.
        check(
            "<img src=./i.gif>",
            "",
            vec![picture("i.gif")],
            "<img src=\"=\">",
        );
        check(
            "<img src=https://a.example/x/i.gif>",
            PAGE,
            vec![picture("i.gif")],
            "<img src=\"=\">",
        );
    }

    #[test]
    fn sheets_are_at_their_own_address() {
        let parts = vec![
            Part(
                "text/css",
                "https://a.example/css/a.css",
                "p{background:url(../i.gif)}",
            ),
            picture("https://a.example/i.gif"),
        ];
        let expected = "<style>p{background:url(\"=\")}</style>";
        check(
            "<link rel=stylesheet href=/css/a.css>",
            PAGE,
            parts,
            expected,
        );
    }

    #[test]
    fn frames_have_addresses_of_their_own() {
        let parts = || {
            vec![
                Part(
                    "text/html",
                    "https://a.example/f/f.html",
                    "<body class=c><img src=i.gif></body>",
                ),
                picture("https://a.example/f/i.gif"),
                picture("https://a.example/x/i.gif"),
            ]
        };
        let page = "<iframe src=../f/f.html></iframe><img src=i.gif>";
        check(
            page,
            PAGE,
            parts(),
            "<div class=c><img src=\"=\"></div><img src=\"=\">",
        );
        // A frame without an end tag stays, since its content would be the rest of the page.
        let open = "<iframe src=../f/f.html><p>x";
        check(open, PAGE, parts(), open);
        // A frame that shows itself ends.
        let (found, _) = inline_related(
            "<iframe src=cid:f></iframe>",
            "",
            &mut [Part(
                "text/html",
                "cid:f",
                "<iframe src=cid:f></iframe><iframe src=cid:f></iframe>",
            )],
        );
        assert_eq!(found.matches("<div>").count(), 1 + 2 + 4);
    }
}
