//! Metadata of a book, such as title, authors and language, from the numbered entries of EXTH. Reads no text of the
//! book.

use super::{database::Database, header::Header};
use crate::coding::escape;
use convertd_office::wordprocessing::language;
use convertd_tree::Metadata;

// Kinds of entries.
const AUTHOR: u32 = 100;
const DESCRIPTION: u32 = 103;
const SUBJECT: u32 = 105;
const DATE: u32 = 106;
const TITLE: u32 = 503;
const LANGUAGE: u32 = 524;
/// Kind of the entry with the number of the cover among the pictures, counted from 0.
pub(super) const COVER: u32 = 201;

/// The metadata of a book.
pub(super) fn metadata(database: &Database, header: &Header<'_>) -> Metadata {
    let texts = |kind: u32| {
        let entries = header.metadata.iter().filter(move |entry| entry.0 == kind);
        entries.filter_map(move |(_, value)| line(header, value))
    };
    let title = texts(TITLE).next().or_else(|| line(header, header.title));
    Metadata {
        // The name of the database is the beginning of the title, with underscores instead of spaces.
        title: title.or_else(|| Some(line(header, database.name())?.replace('_', " "))),
        authors: texts(AUTHOR).collect(),
        language: texts(LANGUAGE).next().or_else(|| tag(header.language)),
        description: texts(DESCRIPTION).next(),
        keywords: texts(SUBJECT).collect(),
        date: texts(DATE).next(),
        ..Metadata::default()
    }
}

/// Decodes a text and joins its lines. `None` if it is blank.
fn line(header: &Header<'_>, value: &[u8]) -> Option<String> {
    let text = escape::decoded(header.code_page.decode(value).into());
    let words = text.split(|c: char| c.is_whitespace() || c == '\0');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The language tag for a language identifier of Windows. The header may state only the primary language, without a
/// country.
fn tag(number: u32) -> Option<String> {
    let number = number & 0xffff;
    if number >> 10 != 0 {
        return language(number as i32).map(Into::into);
    }
    let tag = language((number | 0x400) as i32)?;
    Some(tag.split('-').next().unwrap_or(tag).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_may_have_a_country() {
        for (number, expected) in [
            (9, Some("en")),
            (0x409, Some("en-US")),
            (0x809, Some("en-GB")),
            (0, None),
        ] {
            assert_eq!(tag(number).as_deref(), expected, "{number}");
        }
    }
}
