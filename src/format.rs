//! Format names, media types and magic bytes, as data. Knows no converter: what can be made from what is `convert`'s.

use serde::Serialize;

/// The groups that `/formats` shows and that the folders under `convert` follow.
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

/// One file format. All of them stand in [`FORMATS`].
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

/// How many bytes of a file [`by_magic`] looks at.
pub const HEAD_LEN: usize = 512;

/// A format's name as users write it: any case, one leading dot forgiven.
pub fn normalise(name: &str) -> String {
    let name = name.trim();
    name.strip_prefix('.').unwrap_or(name).to_ascii_lowercase()
}

/// The format with this name or alias, already [normalised](normalise).
pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.is_called(name))
}

/// The format that the first [`HEAD_LEN`] bytes of a file identify, if any does.
pub fn by_magic(head: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.matches(head))
}

/// The extension of a file name in lower case, without the dot.
pub fn extension(file_name: &str) -> Option<String> {
    let (stem, extension) = file_name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then(|| extension.to_ascii_lowercase())
}

const fn image(
    name: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    media_type: &'static str,
    magic: &'static [Magic],
) -> Format {
    Format {
        name,
        aliases,
        category: Category::Image,
        description,
        media_type,
        magic,
    }
}

const fn audio(
    name: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    media_type: &'static str,
    magic: &'static [Magic],
) -> Format {
    Format {
        name,
        aliases,
        category: Category::Audio,
        description,
        media_type,
        magic,
    }
}

/// A version (0, 2 to 5), run-length coding, and 1, 2, 4 or 8 bits; and a byte that is always 0.
#[rustfmt::skip]
const PCX_MAGIC: &[Magic] = &[
    &[(0, b"\n\0\x01\x01"), (64, b"\0")], &[(0, b"\n\0\x01\x02"), (64, b"\0")],
    &[(0, b"\n\x02\x01\x01"), (64, b"\0")], &[(0, b"\n\x02\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x03\x01\x01"), (64, b"\0")], &[(0, b"\n\x03\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x04\x01\x01"), (64, b"\0")], &[(0, b"\n\x04\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x05\x01\x01"), (64, b"\0")], &[(0, b"\n\x05\x01\x02"), (64, b"\0")],
    &[(0, b"\n\x05\x01\x04"), (64, b"\0")], &[(0, b"\n\x05\x01\x08"), (64, b"\0")],
];

/// Every format that some converter may read or write, in the order in which `/formats` lists them.
/// Where two signatures could match the same file, the longer one stands first.
pub static FORMATS: &[Format] = &[
    image(
        "jpg",
        &["jpeg", "jpe", "jfif"],
        "JPEG photograph",
        "image/jpeg",
        &[&[(0, b"\xff\xd8\xff")]],
    ),
    image(
        "apng",
        &[],
        "Animated PNG",
        "image/apng",
        &[&[(0, b"\x89PNG\r\n\x1a\n"), (37, b"acTL")]],
    ),
    image(
        "png",
        &[],
        "Portable Network Graphics",
        "image/png",
        &[&[(0, b"\x89PNG\r\n\x1a\n")]],
    ),
    image(
        "gif",
        &[],
        "Graphics Interchange Format",
        "image/gif",
        &[&[(0, b"GIF87a")], &[(0, b"GIF89a")]],
    ),
    image(
        "webp",
        &[],
        "WebP picture",
        "image/webp",
        &[&[(0, b"RIFF"), (8, b"WEBP")]],
    ),
    image(
        "avif",
        &[],
        "AV1 picture",
        "image/avif",
        &[&[(4, b"ftypavif")], &[(4, b"ftypavis")]],
    ),
    image(
        "tiff",
        &["tif"],
        "Tagged Image File Format",
        "image/tiff",
        &[
            &[(0, b"II*\0")],
            &[(0, b"MM\0*")],
            &[(0, b"II+\0")],
            &[(0, b"MM\0+")],
        ],
    ),
    image(
        "bmp",
        &["dib"],
        "Windows bitmap",
        "image/bmp",
        &[&[(0, b"BM"), (6, b"\0\0\0\0")]],
    ),
    image(
        "ico",
        &[],
        "Windows icon",
        "image/vnd.microsoft.icon",
        &[&[(0, b"\0\0\x01\0"), (5, b"\0")]],
    ),
    image(
        "qoi",
        &[],
        "Quite OK Image",
        "image/qoi",
        &[&[(0, b"qoif")]],
    ),
    image(
        "hdr",
        &["rgbe"],
        "Radiance high dynamic range",
        "image/vnd.radiance",
        &[&[(0, b"#?RADIANCE")], &[(0, b"#?RGBE")]],
    ),
    image(
        "exr",
        &[],
        "OpenEXR high dynamic range",
        "image/x-exr",
        &[&[(0, b"\x76\x2f\x31\x01")]],
    ),
    image(
        "ff",
        &["farbfeld"],
        "Farbfeld 16-bit picture",
        "image/x-farbfeld",
        &[&[(0, b"farbfeld")]],
    ),
    image(
        "dds",
        &[],
        "DirectDraw surface",
        "image/vnd-ms.dds",
        &[&[(0, b"DDS \x7c\0\0\0")]],
    ),
    image(
        "pbm",
        &[],
        "Portable bitmap, black and white",
        "image/x-portable-bitmap",
        &[&[(0, b"P1")], &[(0, b"P4")]],
    ),
    image(
        "pgm",
        &[],
        "Portable greymap",
        "image/x-portable-graymap",
        &[&[(0, b"P2")], &[(0, b"P5")]],
    ),
    image(
        "ppm",
        &["pnm"],
        "Portable pixmap, colour",
        "image/x-portable-pixmap",
        &[&[(0, b"P3")], &[(0, b"P6")]],
    ),
    image(
        "pam",
        &[],
        "Portable arbitrary map",
        "image/x-portable-arbitrarymap",
        &[&[(0, b"P7\n")]],
    ),
    image(
        "psd",
        &["psb"],
        "Photoshop document, its flattened picture",
        "image/vnd.adobe.photoshop",
        &[&[(0, b"8BPS\0\x01")], &[(0, b"8BPS\0\x02")]],
    ),
    image(
        "pcx",
        &[],
        "ZSoft Paintbrush",
        "image/vnd.zbrush.pcx",
        PCX_MAGIC,
    ),
    image("svg", &[], "Scalable Vector Graphics", "image/svg+xml", &[]),
    image(
        "jxl",
        &[],
        "JPEG XL",
        "image/jxl",
        &[&[(0, b"\xff\x0a")], &[(0, b"\0\0\0\x0cJXL \r\n\x87\n")]],
    ),
    image(
        "tga",
        &["targa", "icb", "vda", "vst"],
        "Truevision TGA",
        "image/x-tga",
        &[],
    ),
    audio("mp3", &["mpga"], "MPEG audio, layer 3", "audio/mpeg", &[]),
    audio(
        "wav",
        &["wave"],
        "Waveform audio, uncompressed",
        "audio/wav",
        &[
            &[(0, b"RIFF"), (8, b"WAVE")],
            &[(0, b"RF64"), (8, b"WAVE")],
            &[(0, b"BW64"), (8, b"WAVE")],
        ],
    ),
    audio(
        "flac",
        &[],
        "Free Lossless Audio Codec",
        "audio/flac",
        &[&[(0, b"fLaC")]],
    ),
    audio(
        "m4a",
        &["m4b"],
        "MPEG-4 audio: AAC or Apple Lossless",
        "audio/mp4",
        &[&[(4, b"ftypM4A ")], &[(4, b"ftypM4B ")]],
    ),
    audio(
        "ogg",
        &["oga"],
        "Ogg Vorbis",
        "audio/ogg",
        &[
            &[(0, b"OggS"), (28, b"\x01vorbis")],
            &[(0, b"OggS"), (28, b"\x7fFLAC")],
        ],
    ),
    audio(
        "opus",
        &[],
        "Ogg Opus",
        "audio/ogg; codecs=opus",
        &[&[(0, b"OggS"), (28, b"OpusHead")]],
    ),
    audio(
        "aac",
        &["adts"],
        "AAC without a container",
        "audio/aac",
        &[],
    ),
    audio(
        "aiff",
        &["aif", "aifc"],
        "Audio Interchange File Format, uncompressed",
        "audio/aiff",
        &[&[(0, b"FORM"), (8, b"AIFF")], &[(0, b"FORM"), (8, b"AIFC")]],
    ),
    audio(
        "au",
        &["snd"],
        "Sun and NeXT audio, uncompressed",
        "audio/basic",
        &[&[(0, b".snd\0\0")]],
    ),
    audio(
        "caf",
        &[],
        "Core Audio Format",
        "audio/x-caf",
        &[&[(0, b"caff\0\x01")]],
    ),
    audio(
        "mp2",
        &["mp1", "mpa"],
        "MPEG audio, layers 1 and 2",
        "audio/mpeg",
        &[],
    ),
    audio("mka", &[], "Matroska audio", "audio/matroska", &[]),
    audio(
        "mp4",
        &["m4v", "3gp", "3g2"],
        "MPEG-4 video: its first audio track",
        "video/mp4",
        &[],
    ),
    audio(
        "mov",
        &["qt"],
        "QuickTime video: its first audio track",
        "video/quicktime",
        &[&[(4, b"ftypqt  ")]],
    ),
    audio(
        "mkv",
        &[],
        "Matroska video: its first audio track",
        "video/matroska",
        &[],
    ),
    audio(
        "webm",
        &[],
        "WebM video: its first audio track",
        "video/webm",
        &[],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_unique_and_normalised() {
        let mut seen = std::collections::HashSet::new();
        for name in FORMATS
            .iter()
            .flat_map(|format| format.aliases.iter().chain([&format.name]))
        {
            assert!(seen.insert(*name), "{name} stands twice");
            assert_eq!(normalise(name), *name);
        }
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        #[track_caller]
        fn check(written: &str, name: Option<&str>) {
            assert_eq!(by_name(&normalise(written)).map(|format| format.name), name);
        }
        check("png", Some("png"));
        check(".PNG", Some("png"));
        check(" JPEG ", Some("jpg"));
        check("..png", None);
        check("", None);
        check("docx2", None);
    }

    #[test]
    fn content_decides_by_its_first_bytes() {
        #[track_caller]
        fn check(head: &[u8], name: Option<&str>) {
            assert_eq!(by_magic(head).map(|format| format.name), name);
        }
        check(b"\xff\xd8\xff\xe0\0\x10JFIF", Some("jpg"));
        check(b"RIFF\x10\0\0\0WEBPVP8 ", Some("webp"));
        check(b"RIFF\x10\0\0\0", None);
        check(b"P6\n1 1\n255\n...", Some("ppm"));
        check(b"", None);
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
