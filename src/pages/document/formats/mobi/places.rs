//! Gives names to places in markup. The links of a book lead to offsets in its text; in HTML they need names. Changes
//! nothing else.

use convertd_markup::html::{attribute_named, attributes, tag_end, tag_name};
use std::collections::{BTreeSet, HashMap};

/// Markup after its places were given names.
pub(super) struct Named {
    pub(super) text: Vec<u8>,
    /// Names of the places, by their offsets. Places outside of the body have no names.
    pub(super) names: HashMap<usize, String>,
}

/// Gives each place in the body a name. The name is the identifier of the tag at the place, or a new identifier that
/// contains the offset of the place.
pub(super) fn name(text: &[u8], places: &BTreeSet<usize>) -> Named {
    let mut named = Named {
        text: Vec::with_capacity(text.len() + 32 * places.len()),
        names: HashMap::new(),
    };
    let body = body(text);
    let mut places = places.range(body..).copied().peekable();
    named.text.extend_from_slice(&text[..body]);
    let mut at = body;
    while at < text.len() {
        let rest = &text[at..];
        let start = at + memchr::memchr(b'<', rest).unwrap_or(rest.len());
        // Gives names to the places in the text before the tag.
        while let Some(place) = places.next_if(|place| *place < start) {
            let mut cut = place;
            // A place within a UTF-8 character is moved to the beginning of the character.
            while cut > at && text[cut] & 0xc0 == 0x80 {
                cut -= 1;
            }
            named.copy(&text[at..cut]);
            named.anchor(place);
            at = cut;
        }
        named.copy(&text[at..start]);
        let end = start + tag_end(&text[start..]);
        let first = places.next_if(|place| *place < end);
        let name = first.map(|place| named.tag(&text[start..end], place));
        if first.is_none() {
            named.copy(&text[start..end]);
        }
        while let Some(place) = places.next_if(|place| *place < end) {
            named.names.extend(name.clone().map(|name| (place, name)));
        }
        at = end;
    }
    named
}

impl Named {
    fn copy(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Adds an element whose identifier names a place between tags. Returns the identifier.
    fn anchor(&mut self, place: usize) -> String {
        let name = format!("place{place}");
        self.copy(format!("<a id=\"{name}\"></a>").as_bytes());
        self.names.insert(place, name.clone());
        name
    }

    /// Copies a tag and names its place. Returns the name: the identifier of the tag, or the identifier of an anchor
    /// beside the tag if the tag cannot have one.
    fn tag(&mut self, tag: &[u8], place: usize) -> String {
        let text = String::from_utf8_lossy(tag);
        let kind = tag_name(&text);
        if kind.is_empty() || !kind.is_ascii() {
            let name = self.anchor(place);
            self.copy(tag);
            return name;
        }
        if kind.contains(':') {
            // A tag of Mobipocket, such as a page break, is replaced or dropped later, so the anchor goes after it.
            self.copy(tag);
            return self.anchor(place);
        }
        let known = attributes(&text);
        let id = attribute_named(&known, "id");
        let is_plain = |c: char| c.is_alphanumeric() || "-_.:".contains(c);
        let name = match id.map(|id| id.value) {
            Some(id) if !id.is_empty() && id.chars().all(is_plain) => {
                self.copy(tag);
                id.to_owned()
            }
            Some(_) => {
                let name = self.anchor(place);
                self.copy(tag);
                return name;
            }
            None => {
                let name = format!("place{place}");
                let name_end = 1 + kind.len();
                self.copy(&tag[..name_end]);
                self.copy(format!(" id=\"{name}\"").as_bytes());
                self.copy(&tag[name_end..]);
                name
            }
        };
        self.names.insert(place, name.clone());
        name
    }
}

/// Offset of the body's content, directly after its tag. 0 if there is no such tag.
fn body(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', &text[at..]).map(|start| at + start) {
        let end = start + tag_end(&text[start..]);
        let tag = &text[start..end];
        let is_body = tag.len() > 5 && tag[1..5].eq_ignore_ascii_case(b"body");
        if is_body && !tag[5].is_ascii_alphanumeric() {
            return end;
        }
        at = end;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, places: &[usize], expected: &str, names: &[(usize, &str)]) {
        let named = name(text.as_bytes(), &places.iter().copied().collect());
        assert_eq!(String::from_utf8(named.text).unwrap(), expected);
        let mut found: Vec<(usize, &str)> = named
            .names
            .iter()
            .map(|(place, name)| (*place, name.as_str()))
            .collect();
        found.sort_unstable();
        assert_eq!(found, names, "{text}");
    }

    #[test]
    fn places_have_the_names_of_their_tags() {
        check("<p>é</p>", &[], "<p>é</p>", &[]);
        check(
            "<p>a<b id='x'>b</b>",
            &[0, 4],
            "<p id=\"place0\">a<b id='x'>b</b>",
            &[(0, "place0"), (4, "x")],
        );
        // Places within a tag, within a character, and before an end tag.
        check(
            "<p class=a>é</p>",
            &[3, 5, 12, 13],
            "<p id=\"place3\" class=a><a id=\"place12\"></a>é<a id=\"place13\"></a></p>",
            &[
                (3, "place3"),
                (5, "place3"),
                (12, "place12"),
                (13, "place13"),
            ],
        );
        check(
            "a<mbp:pagebreak/>b",
            &[1, 18, 40],
            "a<mbp:pagebreak/><a id=\"place1\"></a>b",
            &[(1, "place1")],
        );
        check(
            "<p id='a b'>",
            &[0],
            "<a id=\"place0\"></a><p id='a b'>",
            &[(0, "place0")],
        );
        check("<p", &[0], "<p id=\"place0\"", &[(0, "place0")]);
    }

    #[test]
    fn the_text_begins_after_the_body_tag() {
        check(
            "<html><head/><Body a='>'>b",
            &[3, 25],
            "<html><head/><Body a='>'><a id=\"place25\"></a>b",
            &[(25, "place25")],
        );
        check(
            "<bodyguard>b",
            &[11],
            "<bodyguard><a id=\"place11\"></a>b",
            &[(11, "place11")],
        );
    }
}
