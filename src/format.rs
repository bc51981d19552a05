//! What a file format is: names, a media type, magic bytes. Lists none: each stands with the code that reads or writes it.

use serde::Serialize;

/// The groups that `/formats` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Pictures, still or animated.
    Image,
    /// Sound without picture.
    Audio,
    /// Text, with or without layout.
    Document,
}

/// One file format.
#[derive(Debug)]
pub struct Format {
    /// The usual file extension, lower case. Unique among names and aliases.
    pub name: &'static str,
    /// Other extensions for the same content.
    pub aliases: &'static [&'static str],
    /// The group it belongs to.
    pub category: Category,
    /// A short text for people.
    pub description: &'static str,
    /// The registered media type, or the one that is in common use.
    pub media_type: &'static str,
    /// Alternatives, any of which identifies the format. Empty where the content has no signature.
    pub magic: &'static [Magic],
}

/// Byte strings that must all stand at their offsets from the beginning of the file.
pub type Magic = &'static [(usize, &'static [u8])];

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// Whether `name` is this format's name or one of its aliases. `name` is in lower case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Whether the first bytes of a file identify this format.
    pub fn matches(&self, head: &[u8]) -> bool {
        self.magic.iter().any(|magic| {
            magic.iter().all(|(offset, bytes)| {
                head.get(*offset..)
                    .is_some_and(|tail| tail.starts_with(bytes))
            })
        })
    }

    /// `name` if it is one of this format's names, else the format's own: how a file that is
    /// called `photo.jpeg` stays a `jpeg` while one called `photo.png` with the same content is a `jpg`.
    pub fn name_like(&'static self, name: Option<&str>) -> &'static str {
        self.aliases
            .iter()
            .copied()
            .find(|alias| Some(*alias) == name)
            .unwrap_or(self.name)
    }
}

/// How many bytes of a file are looked at for its magic bytes.
pub const HEAD_LEN: usize = 512;

/// A format's name as users write it: any case, one leading dot forgiven.
pub fn normalise(name: &str) -> String {
    let name = name.trim();
    name.strip_prefix('.').unwrap_or(name).to_ascii_lowercase()
}

/// The extension of a file name in lower case, without the dot.
pub fn extension(file_name: &str) -> Option<String> {
    let (stem, extension) = file_name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then(|| extension.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_people_write_them() {
        #[track_caller]
        fn check(written: &str, name: &str) {
            assert_eq!(normalise(written), name);
        }
        check("png", "png");
        check(".PNG", "png");
        check(" JPEG ", "jpeg");
        check("..png", ".png");
        check("", "");
    }

    #[test]
    fn extensions_come_from_the_last_dot() {
        #[track_caller]
        fn check(name: &str, extension: Option<&str>) {
            assert_eq!(super::extension(name).as_deref(), extension);
        }
        check("a.b.PNG", Some("png"));
        check("png", None);
        check(".png", None);
        check("a.", None);
    }
}
