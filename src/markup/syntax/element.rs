//! Tags with their attributes. Parses nothing.

use super::tag::Tag;

/// A start tag that matters to a document.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) tag: Tag,
    /// Whether it ends with `/>`.
    pub(crate) closes_itself: bool,
    /// Number of start tags of any elements before it.
    pub(crate) number: usize,
    pub(crate) attributes: Vec<(String, String)>,
}

impl Start {
    /// The value of the attribute with this name, which has to be in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns whether an attribute contains a word in its space-separated list.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        let words = self.get(name).unwrap_or_default();
        words.split_ascii_whitespace().any(|other| other == word)
    }
}

/// A tag of any name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) tag: Option<Tag>,
    /// Its name in lower case, without the prefix of its namespace. Empty if `tag` is present, because a tag knows its
    /// name.
    pub(crate) name: String,
    pub(crate) closes_itself: bool,
    pub(crate) attributes: Vec<(String, String)>,
}

impl Element {
    pub(crate) fn new(name: &[u8]) -> Self {
        let tag = Tag::of(name);
        let name = match tag {
            Some(_) => String::new(),
            None => string(name.strip_prefix(b"svg:").unwrap_or(name)),
        };
        Self {
            tag,
            name,
            ..Self::default()
        }
    }

    /// Its name in lower case.
    pub(crate) fn name(&self) -> &str {
        match self.tag {
            Some(tag) => tag.name(),
            None => &self.name,
        }
    }

    /// The value of the attribute with this name, which has to be in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes();
        all.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The names of its attributes, in lower case, and their values.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.attributes.iter();
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Its attributes.
    pub(crate) fn into_attributes(self) -> Vec<(String, String)> {
        self.attributes
    }

    /// Converts to a start tag with this tag and the same attributes.
    pub(crate) fn into_start(self, tag: Tag) -> Start {
        Start {
            tag,
            closes_itself: self.closes_itself,
            number: 0,
            attributes: self.attributes,
        }
    }
}

pub(crate) fn string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
