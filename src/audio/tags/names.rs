//! Names of the usual texts in formats with free names: Vorbis comments, APE tags, Matroska, Core Audio, QuickTime.
//! Reads no tags.

use super::Key;

/// Meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Text(Key),
    /// The total number of tracks or discs.
    Total(Key),
}

use Named::{Text, Total};

/// The names, in capitals. For each key the name in Vorbis comments comes first (xiph.org, "Ogg Vorbis I format
/// specification: comment field").
const NAMES: [(Named, &str); 44] = [
    (Text(Key::Title), "TITLE"),
    (Text(Key::Title), "NAME"),
    (Text(Key::Artist), "ARTIST"),
    (Text(Key::Artist), "PERFORMER"),
    (Text(Key::Artist), "LEAD_PERFORMER"),
    (Text(Key::Album), "ALBUM"),
    (Text(Key::AlbumArtist), "ALBUMARTIST"),
    (Text(Key::AlbumArtist), "ALBUM ARTIST"),
    (Text(Key::AlbumArtist), "ALBUM_ARTIST"),
    (Text(Key::Composer), "COMPOSER"),
    (Text(Key::Track), "TRACKNUMBER"),
    (Text(Key::Track), "TRACK"),
    (Text(Key::Track), "TRACK NUMBER"),
    (Text(Key::Track), "PART_NUMBER"),
    (Text(Key::Disc), "DISCNUMBER"),
    (Text(Key::Disc), "DISC"),
    (Text(Key::Disc), "DISC NUMBER"),
    (Text(Key::Date), "DATE"),
    (Text(Key::Date), "YEAR"),
    (Text(Key::Date), "RECORDED DATE"),
    (Text(Key::Date), "DATE_RELEASED"),
    (Text(Key::Date), "DATE_RELEASE"),
    (Text(Key::Date), "DATE_RECORDED"),
    (Text(Key::Date), "CREATIONDATE"),
    (Text(Key::Genre), "GENRE"),
    (Text(Key::Comment), "COMMENT"),
    (Text(Key::Comment), "COMMENTS"),
    (Text(Key::Comment), "DESCRIPTION"),
    (Text(Key::Comment), "SUMMARY"),
    (Text(Key::Comment), "INFORMATION"),
    (Total(Key::Track), "TRACKTOTAL"),
    (Total(Key::Track), "TOTALTRACKS"),
    (Total(Key::Track), "TOTAL_PARTS"),
    (Total(Key::Track), "TRACKC"),
    (Total(Key::Disc), "DISCTOTAL"),
    (Total(Key::Disc), "TOTALDISCS"),
    (Total(Key::Disc), "DISCC"),
    (Text(Key::Title), "INAM"),
    (Text(Key::Artist), "IART"),
    (Text(Key::Album), "IPRD"),
    (Text(Key::Date), "ICRD"),
    (Text(Key::Genre), "IGNR"),
    (Text(Key::Comment), "ICMT"),
    (Text(Key::Artist), "AUTHOR"),
];

/// Returns the meaning of a name; `None` for an unknown name.
pub(crate) fn key(name: &str) -> Option<Named> {
    let name = name.trim().to_ascii_uppercase();
    let known = NAMES.iter().find(|(_, known)| *known == name);
    known.map(|(named, _)| *named)
}

/// Returns the name of a key in Vorbis comments.
pub(super) fn in_comments(key: Key) -> &'static str {
    let known = NAMES.iter().find(|(named, _)| *named == Text(key));
    known.map_or("COMMENT", |(_, name)| name)
}
