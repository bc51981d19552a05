//! Replaces addresses in KF8 by names of files: those of pictures and fonts (`kindle:embed`), of style sheets and
//! drawings (`kindle:flow`), and of places in the text (`kindle:pos`). Follows no other address.

use super::{kf8::Chapter, resources::Resources};
use std::collections::{BTreeSet, HashMap};

/// Longest address that is read, in bytes.
const LONGEST: usize = 200;

/// Beginning of all these addresses.
const SCHEME: &str = "kindle:";

/// Target of an address.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    /// The resource with this number.
    Resource(usize),
    /// The flow with this number.
    Flow(usize),
    /// A place in the text: the number of a fragment, and the number of bytes from the fragment's beginning to the
    /// place.
    Place(usize, usize),
}

/// Targets of the addresses in a book.
pub(super) struct Targets<'t> {
    pub(super) resources: &'t Resources,
    /// Names of the flows.
    pub(super) flows: &'t [String],
    /// Offsets of the fragments.
    pub(super) fragments: &'t [usize],
    /// Offsets at which the chapters begin, in ascending order.
    pub(super) chapters: Vec<usize>,
    /// Names of the places in each chapter, by their offsets in the chapter.
    pub(super) places: Vec<HashMap<usize, String>>,
}

/// The name of a chapter's file.
pub(super) fn chapter_name(number: usize) -> String {
    format!("part{number}.xhtml")
}

/// Finds the places that links lead to. Returns the offsets of the places in each chapter.
pub(super) fn places(chapters: &[Chapter], fragments: &[usize]) -> Vec<BTreeSet<usize>> {
    let starts: Vec<usize> = chapters.iter().map(|chapter| chapter.start).collect();
    let mut places = vec![BTreeSet::new(); chapters.len()];
    for chapter in chapters {
        let text = chapter.text.as_slice();
        for at in memchr::memmem::find_iter(text, SCHEME.as_bytes()) {
            let address = &text[at..text.len().min(at + LONGEST)];
            let address = address.split(|byte| !byte.is_ascii()).next();
            let address = address.and_then(|text| str::from_utf8(text).ok());
            if let Some((Target::Place(fragment, offset), _)) = address.and_then(target)
                && let Some((number, offset)) = place(&starts, fragments, fragment, offset)
            {
                places[number].insert(offset);
            }
        }
    }
    places
}

/// The chapter that contains a place, and the place's offset in it. `None` for an unknown fragment.
pub(super) fn place(
    starts: &[usize],
    fragments: &[usize],
    fragment: usize,
    offset: usize,
) -> Option<(usize, usize)> {
    let place = fragments.get(fragment)?.saturating_add(offset);
    let number = starts
        .partition_point(|start| *start <= place)
        .checked_sub(1)?;
    Some((number, place - starts[number]))
}

impl Targets<'_> {
    /// Replaces the addresses in a text. An address without a known target stays unchanged.
    pub(super) fn replace(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for at in memchr::memmem::find_iter(text.as_bytes(), SCHEME) {
            if at >= done
                && let Some((target, len)) = target(&text[at..])
                && let Some(name) = self.name(target)
            {
                out.push_str(&text[done..at]);
                out.push_str(&name);
                done = at + len;
            }
        }
        out.push_str(&text[done..]);
        out
    }

    /// Returns the name of the file or of the place in a file that an address leads to. The name contains no character
    /// that has to be escaped.
    fn name(&self, target: Target) -> Option<String> {
        match target {
            Target::Resource(number) => Some(self.resources.get(number)?.name.clone()),
            Target::Flow(number) => self.flows.get(number).cloned(),
            Target::Place(fragment, offset) => {
                let (number, offset) = place(&self.chapters, self.fragments, fragment, offset)?;
                let mut name = chapter_name(number);
                if let Some(place) = self.places[number].get(&offset) {
                    name.push('#');
                    name.push_str(place);
                }
                Some(name)
            }
        }
    }
}

/// The target of the address at the beginning of a text, and the length of the address.
fn target(text: &str) -> Option<(Target, usize)> {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let address = text.strip_prefix(SCHEME)?;
    let target = if let Some(number) = address.strip_prefix("embed:") {
        Target::Resource(number_of(number)?)
    } else if let Some(number) = address.strip_prefix("flow:") {
        Target::Flow(number_of(number)?)
    } else {
        let fragment = address.strip_prefix("pos:fid:")?;
        let (_, offset) = fragment.split_once(":off:")?;
        Target::Place(number_of(fragment)?, number_of(offset)?)
    };
    let is_end = |c: char| c.is_whitespace() || "\"'()<>".contains(c);
    let len = text.find(is_end).unwrap_or(text.len());
    Some((target, len))
}

/// The number at the beginning of a text, in base 32 with the digits 0 to 9 and A to V.
fn number_of(text: &str) -> Option<usize> {
    let is_end = |c: char| c.to_digit(32).is_none();
    let digits = text.split(is_end).next().unwrap_or_default();
    let number = u32::from_str_radix(digits, 32).ok()?;
    Some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_addresses_are_distinguished() {
        #[track_caller]
        fn check(text: &str, expected: Option<(Target, usize)>) {
            assert_eq!(target(text), expected, "{text}");
        }
        check(
            "kindle:embed:000V?mime=image/jpg\" alt",
            Some((Target::Resource(31), 32)),
        );
        check("kindle:flow:0010)", Some((Target::Flow(32), 16)));
        check(
            "kindle:pos:fid:0002:off:000000000A'",
            Some((Target::Place(2, 10), 34)),
        );
        check("kindle:pos:fid:0002", None);
        check("kindle:embed:", None);
        check("kindle:embed:ZZZZ", None);
        check("kindle:embed:VVVVVVVVVVVV", None);
    }

    #[test]
    fn places_are_in_the_chapter_that_they_count_to() {
        let check = |fragment, offset, expected| {
            assert_eq!(place(&[0, 100], &[10, 150], fragment, offset), expected);
        };
        check(0, 5, Some((0, 15)));
        check(0, 95, Some((1, 5)));
        check(1, usize::MAX, Some((1, usize::MAX - 100)));
        check(2, 0, None);
    }
}
