//! Start tags and attributes, which `Reader` and `Stream` share. Reads no file.

use crate::coding::escape::decoded;
use quick_xml::events::attributes::{Attribute, Attributes};
use std::borrow::Cow;

/// Limit on the nesting of elements. Real documents nest some dozen levels.
pub(super) const MAX_DEPTH: usize = 512;

/// Number of events between two checks of the job's deadline.
pub(super) const EVENTS_PER_CHECK: u32 = 1 << 14;

/// The namespaces that a format knows, each with the short name that its code uses. Several namespaces may share a
/// short name.
pub type Namespaces = &'static [(&'static str, &'static str)];

/// The start of an element: its name and attributes.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// The short name of its namespace; empty for a namespace that the format does not know.
    pub space: &'static str,
    /// Its name without a prefix.
    pub name: &'a str,
    /// Its attributes, unparsed.
    pub(super) attributes: &'a str,
}

impl<'a> Element<'a> {
    /// The value of the first attribute with this local name, whatever its prefix.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The value of the first attribute that has this local name and a prefix. Finds `r:id` in elements where a plain
    /// `id` means something else.
    pub fn prefixed(&self, name: &str) -> Option<Cow<'a, str>> {
        let is = |known: &str| {
            known
                .split_once(':')
                .is_some_and(|(_, local)| local == name)
        };
        let mut all = iterate(self.attributes).filter(|one| is(one.key.0));
        all.next().map(|one| decoded(one.value))
    }

    /// The namespace declarations among the attributes, as they stand in the file.
    pub fn declarations(&self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> + use<'a> {
        let all = iterate(self.attributes).map(|Attribute { key, value }| (key.0, value));
        all.filter(|(name, _)| *name == "xmlns" || name.starts_with("xmlns:"))
    }

    /// Attributes except namespace declarations: names with their prefixes, and unescaped values.
    pub(super) fn prefixed_attributes(
        &self,
    ) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> + use<'a> {
        iterate(self.attributes).filter_map(|Attribute { key, value }| {
            let declares = key.0 == "xmlns" || key.0.starts_with("xmlns:");
            (!declares).then(|| (key.0, decoded(value)))
        })
    }

    /// All attributes except namespace declarations: local names and unescaped values.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> + use<'a> {
        iterate(self.attributes).filter_map(|Attribute { key, value }| {
            let (prefix, name) = key.0.split_once(':').unwrap_or(("", key.0));
            let declares = prefix == "xmlns" || (prefix.is_empty() && name == "xmlns");
            (!declares).then(|| (name, decoded(value)))
        })
    }
}

/// Parses the attributes up to the first malformed one.
pub(super) fn iterate(attributes: &str) -> impl Iterator<Item = Attribute<'_>> + use<'_> {
    let mut all = Attributes::new(attributes, 0);
    all.with_checks(false);
    all.map_while(|attribute| attribute.ok())
}

/// The prefixes in force in a stream, innermost last.
#[derive(Debug)]
pub(super) struct Prefixes {
    known: Namespaces,
    /// Declarations of prefixes: the level of the declaring element, the prefix, and the short name of the namespace.
    declared: Vec<(usize, Box<str>, &'static str)>,
}

/// Returns whether two prefixes are the same. Does not compare the bytes of empty texts: an empty text has a dangling
/// address, and a vectorised load from an unmapped address costs 0.2 µs even if it loads no byte. These loads took more
/// than half of the time for reading a sheet.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

impl Prefixes {
    pub(super) fn new(known: Namespaces) -> Self {
        Self {
            known,
            declared: Vec::new(),
        }
    }

    /// Adds the namespaces that the element at `level` declares.
    pub(super) fn enter(&mut self, level: usize, attributes: &str) {
        if memchr::memmem::find(attributes.as_bytes(), b"xmlns").is_none() {
            return;
        }
        for Attribute { key, value } in iterate(attributes) {
            let Some(rest) = key.0.strip_prefix("xmlns") else {
                continue;
            };
            let prefix = match rest.strip_prefix(':') {
                Some(prefix) => prefix,
                None if rest.is_empty() => "",
                None => continue,
            };
            let known = self.known.iter().find(|(name, _)| *name == value);
            let space = known.map_or("", |(_, space)| *space);
            self.declared.push((level, prefix.into(), space));
        }
    }

    /// Drops the declarations of elements deeper than `level`.
    pub(super) fn leave(&mut self, level: usize) {
        while self.declared.last().is_some_and(|(deep, ..)| *deep > level) {
            self.declared.pop();
        }
    }

    /// The short name of a name's namespace, and the name without its prefix.
    pub(super) fn resolve<'n>(&self, name: &'n str) -> (&'static str, &'n str) {
        let (prefix, name) = name.split_once(':').unwrap_or(("", name));
        let mut inner = self.declared.iter().rev();
        let space = inner
            .find(|(_, known, _)| is_same(known, prefix))
            .map_or("", |(.., space)| space);
        (space, name)
    }
}
