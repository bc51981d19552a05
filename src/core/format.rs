//! Description of a file format: names, a media type, magic bytes. Lists no formats: each is declared beside the code
//! that reads or writes it.

use serde::Serialize;

/// Field of a PDF's metadata with the part of PDF/A (ISO 19005), as XMP spells it.
pub const PDF_A_PART: &str = "pdfaid:part";
/// Field of a PDF's metadata with the conformance level of PDF/A (ISO 19005), as XMP spells it.
pub const PDF_A_CONFORMANCE: &str = "pdfaid:conformance";
/// Field of a PDF's metadata with the part of PDF/UA (ISO 14289), as XMP spells it.
pub const PDF_UA_PART: &str = "pdfuaid:part";

/// This program's own name for the list of bookmarks in the metadata of a PDF; XMP defines none.
pub const PDF_OUTLINE: &str = "pdf:outline";

/// The groups of formats that `/formats` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Still and animated images.
    Image,
    /// Sound without video.
    Audio,
    /// Text, with or without layout.
    Document,
    /// Tables of numbers, dates and text.
    Spreadsheet,
    /// Slides.
    Presentation,
    /// Messages and mailboxes.
    Mail,
    /// Several files in one.
    Archive,
}

impl Category {
    /// All categories, in the order in which lists of formats show them.
    pub const ALL: [Self; 7] = [
        Self::Image,
        Self::Audio,
        Self::Document,
        Self::Spreadsheet,
        Self::Presentation,
        Self::Mail,
        Self::Archive,
    ];

    /// Name in lists of formats.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Image => "Pictures",
            Self::Audio => "Sound",
            Self::Document => "Documents",
            Self::Spreadsheet => "Sheets",
            Self::Presentation => "Slides",
            Self::Mail => "Mail",
            Self::Archive => "Archives",
        }
    }
}

/// A file format.
#[derive(Debug)]
pub struct Format {
    /// The usual file extension in lower case. Unique among the names and aliases of all formats.
    pub name: &'static str,
    /// Other file extensions of the same format, in lower case.
    pub aliases: &'static [&'static str],
    /// The group that the format belongs to.
    pub category: Category,
    /// A short text for people.
    pub description: &'static str,
    /// The registered media type, or the one in common use.
    pub media_type: &'static str,
    /// Signatures, any of which identifies the format. Empty if files of the format have no signature.
    pub magic: &'static [Magic],
}

/// A signature: pairs of an offset from the beginning of the file and the bytes that must be there. All pairs must
/// match.
pub type Magic = &'static [(usize, &'static [u8])];

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        // In nearly all comparisons, both sides are the same static, and comparing their addresses is faster.
        std::ptr::eq(self, other) || self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// Returns whether `name`, in lower case, is this format's name or one of its aliases.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Returns whether the first bytes of a file identify this format.
    pub fn matches(&self, head: &[u8]) -> bool {
        self.magic.iter().any(|magic| {
            magic.iter().all(|(offset, bytes)| {
                head.get(*offset..)
                    .is_some_and(|tail| tail.starts_with(bytes))
            })
        })
    }

    /// `name` if it is one of this format's aliases, otherwise the format's own name. A JPEG file with the name
    /// `photo.jpeg` is reported as `jpeg`; with the name `photo.png` as `jpg`.
    pub fn name_like(&'static self, name: Option<&str>) -> &'static str {
        self.aliases
            .iter()
            .copied()
            .find(|alias| Some(*alias) == name)
            .unwrap_or(self.name)
    }
}

/// The file extension of a result that is an archive of several files.
pub const ARCHIVE_EXTENSION: &str = "zip";

/// The media type of a result that is an archive of several files (IANA, "application/zip").
pub const ARCHIVE_MEDIA_TYPE: &str = "application/zip";

/// The number of bytes at the beginning of a file that are searched for magic bytes.
pub const HEAD_LEN: usize = 512;

/// Normalises a format's name as users write it: lower case, without surrounding white space and without one leading
/// dot.
pub fn normalise(name: &str) -> String {
    let name = name.trim();
    name.strip_prefix('.').unwrap_or(name).to_ascii_lowercase()
}

/// A file name without its extension. The whole name if it has none.
pub fn stem(file_name: &str) -> &str {
    match file_name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.is_empty() => stem,
        _ => file_name,
    }
}

/// Title of a result in the format `to`: the name of the file without its extension. `None` if the result is not a
/// document, which alone must have a title, or if the name has no visible characters.
pub fn title_of(file_name: &str, to: &Format) -> Option<Box<str>> {
    (to.category == Category::Document).then(|| visible_stem(file_name))?
}

/// The name of a file without its extension and without control characters. `None` if nothing is left.
pub fn visible_stem(file_name: &str) -> Option<Box<str>> {
    let is_visible = |c: &char| !c.is_control();
    let title: String = stem(file_name).chars().filter(is_visible).collect();
    let title = title.trim();
    (!title.is_empty()).then(|| title.into())
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
    fn names_are_normalised() {
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
    fn the_extension_follows_the_last_dot() {
        #[track_caller]
        fn check(name: &str, stem: &str, extension: Option<&str>) {
            assert_eq!(super::extension(name).as_deref(), extension);
            assert_eq!(super::stem(name), stem);
        }
        check("a.b.PNG", "a.b", Some("png"));
        check("png", "png", None);
        check(".png", ".png", None);
        check("a.", "a.", None);
    }
}
