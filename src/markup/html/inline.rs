//! Embeds the files that a page refers to in the page itself: linked style sheets as `<style>`, everything else as
//! `data:` URLs. Fetches nothing: the caller provides the files, and addresses of other files stay unchanged.
//!
//! The text is walked once, with only the part of the standard's tokenizer (HTML, 13.2.5) that distinguishes tags from
//! comments and raw text; bytes that are not replaced are copied unchanged. A page may refer to one picture a million
//! times, so the total size of embedded files is limited.

use super::{
    parts::Parts,
    tags::{attribute_named, attributes, tag_end, tag_name},
    urls::{in_style, joined},
};
use crate::{coding::escape::decoded, syntax::escape::attribute};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::sync::Arc;

/// Limit on all embedded files together, in bytes of the result.
const MAX: usize = 64 << 20;
/// Limit on the nesting of imported style sheets.
const MAX_DEPTH: u8 = 3;

/// A file that a page refers to.
pub struct Named {
    media_type: String,
    bytes: Arc<[u8]>,
    /// Address to which the addresses in a style sheet are relative. `None` if it is the one that found the sheet.
    pub(super) base: Option<String>,
}

impl Named {
    /// A file of this media type, which is at the address that found it.
    pub fn new(media_type: String, bytes: Arc<[u8]>) -> Self {
        Self {
            media_type,
            bytes,
            base: None,
        }
    }
}

/// Finds the files that a page refers to, by their addresses as written.
pub trait Names {
    /// The file with this address. `None` if the caller does not have it.
    fn find(&mut self, address: &str) -> Option<Named>;

    /// Records that the file that was found last is embedded.
    fn embedded(&mut self) {}

    /// Takes the address that a page states for itself (`base`), to which its other addresses are relative.
    fn base(&mut self, _address: &str) {}

    /// HTML of the page that a frame shows at this address. All addresses are those of this page until [`Self::leave`].
    /// `None` keeps the frame as it is.
    fn frame(&mut self, _address: &str) -> Option<String> {
        None
    }

    /// Ends the page of a frame, and records whether it is shown.
    fn leave(&mut self, _is_shown: bool) {}

    /// Replacement for the target of a link, such as a place in the same document after chapters were joined. `None`
    /// keeps the target.
    fn link_target(&mut self, _address: &str) -> Option<String> {
        None
    }

    /// Second name (attribute `name`) for the element with this identifier. Replaced links can refer to it, even if
    /// several joined chapters have the same identifier. `None` adds no name.
    fn second_name(&mut self, _id: &str) -> Option<String> {
        None
    }
}

/// Counts of addresses that were not embedded.
#[derive(Default)]
pub struct NotEmbedded {
    /// Number of addresses on other hosts, which stay as they are.
    pub remote: usize,
    /// Number of references to files that would exceed the limit on the size.
    pub too_much: usize,
}

/// Embeds the files that `names` has. In the result, they have at most `most` bytes together, and at most 64 MiB.
pub fn inline(text: &str, names: &mut dyn Names, most: usize) -> (String, NotEmbedded) {
    let mut inliner = Inliner {
        names,
        out: String::with_capacity(text.len()),
        put_in: 0,
        most: most.min(MAX),
        not_embedded: NotEmbedded::default(),
        frames: 0,
    };
    inliner.page(text);
    (inliner.out, inliner.not_embedded)
}

struct Inliner<'n> {
    names: &'n mut dyn Names,
    out: String,
    /// Estimated length of the embedded files in the result so far, in bytes.
    put_in: usize,
    /// Limit on `put_in`.
    most: usize,
    not_embedded: NotEmbedded,
    /// Number of frames around the page that is being copied.
    frames: usize,
}

/// A tag or comment in a page.
struct Markup<'t> {
    /// Text in front of it.
    before: &'t str,
    /// The tag or comment with its brackets.
    tag: &'t str,
    /// Name of a start tag, in lower case. Empty for anything else.
    name: String,
    /// Content of an element whose content is raw text.
    raw: &'t str,
    /// Rest of the page.
    rest: &'t str,
}

/// The first tag or comment in a text.
fn next_markup(text: &str) -> Option<Markup<'_>> {
    let (before, rest) = text.split_at(memchr::memchr(b'<', text.as_bytes())?);
    let end = if let Some(comment) = rest.strip_prefix("<!--") {
        comment.find("-->").map_or(rest.len(), |end| end + 7)
    } else if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        tag_end(rest.as_bytes())
    } else {
        1
    };
    let (tag, rest) = rest.split_at(end);
    let name = tag_name(tag);
    let len = match name.as_str() {
        "style" | "script" | "textarea" | "title" | "xmp" => raw_len(rest, &name),
        _ => 0,
    };
    let (raw, rest) = rest.split_at(len);
    Some(Markup {
        before,
        tag,
        name,
        raw,
        rest,
    })
}

impl Inliner<'_> {
    /// Copies a page tag by tag, and replaces the addresses of files that the caller has.
    fn page(&mut self, text: &str) {
        let mut rest = text;
        while let Some(next) = next_markup(rest) {
            let Markup { tag, name, raw, .. } = next;
            self.out.push_str(next.before);
            rest = next.rest;
            match name.as_str() {
                "" => self.out.push_str(tag),
                "iframe" => match self.frame(tag, rest) {
                    Some(len) => rest = &rest[len..],
                    None => self.tag(&name, tag),
                },
                "style" => {
                    self.tag(&name, tag);
                    self.style(raw, "");
                }
                _ => {
                    self.tag(&name, tag);
                    self.out.push_str(raw);
                }
            }
        }
        self.out.push_str(rest);
    }

    /// Replaces a frame by a `<div>` with the page that it shows, if there is one. `rest` begins after the tag. Returns
    /// the length of the frame's content with its end tag. Recursive, since a frame may have frames; `names` limits
    /// their number and depth.
    fn frame(&mut self, tag: &str, rest: &str) -> Option<usize> {
        let attributes = attributes(tag);
        let address = decoded(attribute_named(&attributes, "src")?.value.into());
        let page = self.names.frame(address.trim())?;
        let content = raw_len(rest, "iframe");
        self.put_in += page.len();
        let is_too_much = self.put_in > self.most;
        self.not_embedded.too_much += usize::from(is_too_much);
        // A frame without an end tag would swallow the rest of the page.
        let is_shown = content < rest.len() && !is_too_much;
        if is_shown {
            let parts = Parts::of(&page);
            self.frames += 1;
            self.base_of(parts.head);
            self.tag("div", &format!("<div{}>", parts.attributes));
            self.page(parts.body);
            self.out.push_str("</div>");
            self.frames -= 1;
        }
        self.names.leave(is_shown);
        is_shown.then(|| content + tag_end(&rest.as_bytes()[content..]))
    }

    /// Takes the address that a page states for itself in its head, which is not copied.
    fn base_of(&mut self, head: &str) {
        let mut rest = head;
        while let Some(next) = next_markup(rest) {
            if next.name == "base" {
                self.base(next.tag);
            }
            rest = next.rest;
        }
    }

    /// Takes the address in a `base` tag.
    fn base(&mut self, tag: &str) {
        if let Some(address) = attribute_named(&attributes(tag), "href") {
            self.names.base(decoded(address.value.into()).trim());
        }
    }

    /// Copies a start tag, and replaces the addresses in it.
    fn tag(&mut self, name: &str, tag: &str) {
        let attributes = attributes(tag);
        let value_of = |wanted: &str| {
            attribute_named(&attributes, wanted).map(|one| decoded(one.value.into()))
        };
        // The content of a style sheet replaces the whole tag.
        if name == "link" {
            let rel = value_of("rel").unwrap_or_default().to_ascii_lowercase();
            let is_sheet = rel
                .split_ascii_whitespace()
                .any(|word| word == "stylesheet");
            if let Some(address) = value_of("href").filter(|_| is_sheet)
                && self.sheet(&address, value_of("media").as_deref())
            {
                return;
            }
            return self.out.push_str(tag);
        }
        if name == "base" {
            self.base(tag);
            // In the result, the base of a frame would be that of the page.
            if self.frames > 0 {
                return;
            }
        }
        // The tag is copied piece by piece, up to each value that changes.
        let mut done = 0;
        for one in &attributes {
            let lower = one.name.to_ascii_lowercase();
            let new = match lower.as_str() {
                "src" | "background" | "poster" if name != "script" && name != "iframe" => {
                    self.address(&decoded(one.value.into()), "", 0)
                }
                "href" | "xlink:href" if ["image", "feimage", "use"].contains(&name) => {
                    self.address(&decoded(one.value.into()), "", 0)
                }
                "style" if one.value.contains('(') => {
                    self.addresses_of_style(&decoded(one.value.into()), "", 0)
                }
                "href" if name == "a" || name == "area" => {
                    self.names.link_target(&decoded(one.value.into()))
                }
                "id" => {
                    if let Some(place) = self.names.second_name(&decoded(one.value.into())) {
                        self.out.push_str(&tag[done..one.at.1]);
                        self.out.push_str(" name=\"");
                        attribute(&place, &mut self.out);
                        self.out.push('"');
                        done = one.at.1;
                    }
                    None
                }
                _ => None,
            };
            if let Some(new) = new {
                self.out.push_str(&tag[done..one.at.0]);
                self.out.push('"');
                attribute(&new, &mut self.out);
                self.out.push('"');
                done = one.at.1;
            }
        }
        self.out.push_str(&tag[done..]);
    }

    /// Replaces a link to a style sheet by the sheet. Returns false, and writes nothing, if the sheet is not found or
    /// exceeds the limit on the size.
    fn sheet(&mut self, address: &str, media: Option<&str>) -> bool {
        let Some((named, _)) = self.find(&[address]) else {
            return false;
        };
        let text = String::from_utf8_lossy(&named.bytes).replace("</style", "<\\/style");
        self.out.push_str("<style");
        if let Some(media) = media {
            self.out.push_str(" media=\"");
            attribute(media, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        self.style(&text, named.base.as_deref().unwrap_or(address));
        self.out.push_str("</style>");
        true
    }

    fn style(&mut self, text: &str, base: &str) {
        match self.addresses_of_style(text, base, 0) {
            Some(text) => self.out.push_str(&text),
            None => self.out.push_str(text),
        }
    }

    /// Returns a style sheet in which `data:` URLs replace the addresses of files. Addresses are relative to `base`, the
    /// address of the sheet itself. `None` if nothing is replaced.
    fn addresses_of_style(&mut self, text: &str, base: &str, depth: u8) -> Option<String> {
        let mut out = String::new();
        let mut done = 0;
        for place in in_style(text) {
            let address = text[place.clone()].trim().trim_matches(['"', '\'']);
            if let Some(new) = self.address(address, base, depth) {
                out.push_str(&text[done..place.start]);
                out.push('"');
                out.push_str(&new);
                out.push('"');
                done = place.end;
            }
        }
        (done > 0).then(|| out + &text[done..])
    }

    /// The `data:` URL of the file that an address refers to in a sheet or page at `base`. `None` if the file is not
    /// found, or exceeds a limit.
    fn address(&mut self, address: &str, base: &str, depth: u8) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        let place = joined(base, address);
        // Some programs write addresses in a style sheet relative to the page, so this is tried next.
        let (named, place) = self.find(&[&place, address])?;
        let mut url = format!("data:{};base64,", named.media_type);
        if named.media_type.starts_with("text/css") {
            let text = String::from_utf8_lossy(&named.bytes);
            let base = named.base.as_deref().unwrap_or(place);
            let new = self.addresses_of_style(&text, base, depth + 1);
            let text = new.unwrap_or_else(|| text.into_owned());
            self.put_in += text.len().saturating_sub(named.bytes.len()) / 3 * 4;
            STANDARD.encode_string(&text, &mut url);
        } else {
            STANDARD.encode_string(&named.bytes, &mut url);
        }
        Some(url)
    }

    /// The first file that one of these addresses refers to, with its address. `None` if the caller does not have it, or
    /// if it exceeds the limit on the size. Counts remote addresses, and files that exceed the limit.
    fn find<'a>(&mut self, addresses: &[&'a str]) -> Option<(Named, &'a str)> {
        let found = addresses.iter().find_map(|address| {
            let named = self.names.find(address.trim())?;
            Some((named, *address))
        });
        let Some((named, address)) = found else {
            let is_remote = addresses.iter().any(|address| is_remote(address.trim()));
            self.not_embedded.remote += usize::from(is_remote);
            return None;
        };
        self.put_in += named.bytes.len() / 3 * 4 + 100;
        if self.put_in > self.most {
            self.not_embedded.too_much += 1;
            return None;
        }
        self.names.embedded();
        Some((named, address))
    }
}

/// Returns whether an address is that of a file on another host.
fn is_remote(address: &str) -> bool {
    ["http:", "https:", "//"].iter().any(|start| {
        let begin = address.as_bytes().get(..start.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// The length of raw text up to the end tag of its element.
fn raw_len(text: &str, name: &str) -> usize {
    let bytes = text.as_bytes();
    memchr::memmem::find_iter(bytes, "</")
        .find(|at| {
            let after = bytes.get(at + 2..at + 2 + name.len());
            after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes()))
        })
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One;

    impl Names for One {
        fn find(&mut self, address: &str) -> Option<Named> {
            let (media_type, bytes): (_, &[u8]) = match address {
                "a.png" | "cid:a&b" => ("image/png", b"x"),
                "a.css" => ("text/css", b"b{background:url( 'a.png' )}"),
                "css/b.css" => ("text/css", b"@import 'in/c.css';"),
                "css/in/c.css" => ("text/css", b"i{background:url(../d.png)}"),
                "css/d.png" => ("image/png", b"x"),
                "css/self.css" => ("text/css", b"@import 'self.css';@import 'self.css';"),
                _ => return None,
            };
            Some(Named::new(media_type.into(), bytes.into()))
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(inline(text, &mut One, MAX).0, expected);
    }

    #[test]
    fn referenced_files_are_embedded() {
        let url = "data:image/png;base64,eA==";
        check("<img src=a.png>", &format!("<img src=\"{url}\">"));
        check(
            "<feImage xlink:href='a.png'/><image href='a.png'/>",
            &format!("<feImage xlink:href=\"{url}\"/><image href=\"{url}\"/>"),
        );
        check(
            "<img alt='>' src='cid:a&amp;b' />",
            &format!("<img alt='>' src=\"{url}\" />"),
        );
        check("<img src='cid:a&#x26;b'>", &format!("<img src=\"{url}\">"));
        check(
            "<p style=\"background:url(a.png)\">",
            &format!("<p style=\"background:url(&quot;{url}&quot;)\">"),
        );
        check(
            "<LINK href=a.css rel=StyleSheet media=print>",
            &format!("<style media=\"print\">b{{background:url(\"{url}\")}}</style>"),
        );
    }

    #[test]
    fn urls_are_relative_to_their_style_sheet() {
        let data = |text: &str| format!("\"data:text/css;base64,{}\"", STANDARD.encode(text));
        let inner = "i{background:url(\"data:image/png;base64,eA==\")}";
        check(
            "<link rel=stylesheet href=css/b.css>",
            &format!("<style>@import {};</style>", data(inner)),
        );
        check(
            "<style>@import url(css/in/c.css);</style>",
            &format!("<style>@import url({});</style>", data(inner)),
        );
        // A sheet that imports itself.
        let (text, _) = inline("<style>@import 'css/self.css'</style>", &mut One, MAX);
        assert!(text.len() < 10_000, "{}", text.len());
    }

    #[test]
    fn other_text_is_unchanged() {
        for text in [
            "",
            "<",
            "<img src=b.png>",
            "<!-- <img src=a.png> --><p",
            "<script>'<img src=a.png>'</script>",
            "<script src=a.png></script>",
            "<img src",
            "<img src=",
            "<img src='",
            "<a href=a.png>é",
            "a < b <é> </p>",
            "<textarea><img src=a.png></textarea>",
            "<!--",
        ] {
            check(text, text);
        }
        let (_, not_embedded) = inline("<img src=https://a.example/b><img src=//c>", &mut One, MAX);
        assert_eq!(not_embedded.remote, 2);
    }

    #[test]
    fn embedded_size_is_limited() {
        struct Big(Arc<[u8]>);
        impl Names for Big {
            fn find(&mut self, _: &str) -> Option<Named> {
                Some(Named::new("image/png".into(), self.0.clone()))
            }
        }
        let (text, not_embedded) = inline(
            &"<img src=a>".repeat(200),
            &mut Big(vec![0; 1 << 20].into()),
            MAX,
        );
        assert!(text.len() < MAX + (1 << 20) && not_embedded.too_much > 100);
    }
}
