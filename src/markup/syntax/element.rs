//! Tags with their attributes. Parses nothing.

use super::tag::Tag;

/// A tag of any name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) tag: Option<Tag>,
    /// Its name in lower case, without the prefix `svg:`. Empty if `tag` is present, because a tag knows its name.
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

    /// Takes the names and values of all attributes.
    pub(crate) fn into_attributes(self) -> Vec<(String, String)> {
        self.attributes
    }
}

pub(crate) fn string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
