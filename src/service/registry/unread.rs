//! Recognises formats that no converter reads, by their first bytes, so that the error message can name the format.
//! This happens only after every converter has refused the file, and it decides only the text and the reason of the
//! error.
//!
//! The signatures come from the formats' own specifications. A file of readable text may match a short signature by
//! chance, so signatures of fewer than five bytes are ignored in text.

mod signatures;

use crate::job::Input;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
use crate::{
    containers::{cfb, zip},
    office::flat,
};
#[cfg(any(feature = "document", feature = "spreadsheet"))]
use signatures::{COMPOUND, LOCKED, PACKED};
use signatures::{KINDS, PAIRS, UnreadFormat};
use std::io::SeekFrom;

/// The name of the file's format with its article, such as `a RAR archive`, if it is recognised. `head` is the
/// beginning of the file; `is_text` says whether it is readable text.
///
/// Pairs are tried before single signatures, because they are more specific: the single `OggS` also matches the files
/// of two pairs. Lookups that read more of the file come last.
pub(super) fn kind(head: &[u8], input: &mut dyn Input, is_text: bool) -> Option<&'static str> {
    let stands = |at: usize, signature: &[u8]| {
        let bytes = head.get(at..).unwrap_or_default();
        bytes.starts_with(signature)
    };
    // In text, a signature of fewer than five letters may match by chance: a text may begin with `MZ`, for example.
    let is_chance = |len: usize| is_text && len < 5;
    let pair = PAIRS.iter().find(|(first, second, _)| {
        let is_there = stands(first.0, first.1) && stands(second.0, second.1);
        is_there && !is_chance(first.1.len() + second.1.len())
    });
    let single = || {
        let is_there = |(at, signature, _): &&UnreadFormat| stands(*at, signature);
        let mut known = KINDS.iter().filter(is_there);
        known.find(|(_, signature, _)| !is_chance(signature.len()))
    };
    let pair = pair.map(|(.., what)| *what);
    pair.or_else(|| single().map(|(.., what)| *what))
        .or_else(|| markup(head))
        .or_else(|| packed(head, input))
        .or_else(|| compound(head, input))
        .or_else(|| disc(input))
}

/// The name of an Office document in a single XML file, by the beginning of the file.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn markup(head: &[u8]) -> Option<&'static str> {
    flat::is_package(head).then_some("a document of Office in a single XML file")
}

/// The name of a format that is packed as a ZIP archive, by the names in its directory.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn packed(head: &[u8], input: &mut dyn Input) -> Option<&'static str> {
    let mut names = PACKED.iter();
    let found =
        names.find(|(start, _)| zip::holds(head, input, &[&|name| name.starts_with(start)]));
    found.map(|(_, what)| *what)
}

/// The name of a format that is packed as a compound file (MS-CFB), by the names of its streams.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn compound(head: &[u8], input: &mut dyn Input) -> Option<&'static str> {
    if !head.starts_with(cfb::SIGNATURE) {
        return None;
    }
    let mut names = COMPOUND.iter();
    let found = names.find(|(name, _)| cfb::mentions(input, name));
    Some(found.map_or(
        "a compound file of an older Windows program",
        |(_, what)| what,
    ))
}

/// Returns whether a file is an encrypted Office file of unknown kind.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub(super) fn is_locked(head: &[u8], input: &mut dyn Input) -> bool {
    head.starts_with(cfb::SIGNATURE) && cfb::mentions(input, LOCKED)
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
pub(super) fn is_locked(_: &[u8], _: &mut dyn Input) -> bool {
    false
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn markup(_: &[u8]) -> Option<&'static str> {
    None
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn packed(_: &[u8], _: &mut dyn Input) -> Option<&'static str> {
    None
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn compound(_: &[u8], _: &mut dyn Input) -> Option<&'static str> {
    None
}

/// A disc image (ECMA-119, section 8.4): its volume descriptors begin at sector 16 (of 2048 bytes each), far beyond the
/// bytes in `head`. A descriptor begins with a type byte, which the identifier `CD001` follows.
fn disc(input: &mut dyn Input) -> Option<&'static str> {
    let mut identifier = [0; 5];
    input.seek(SeekFrom::Start(16 * 2048 + 1)).ok()?;
    input.read_exact(&mut identifier).ok()?;
    (&identifier == b"CD001").then_some("an image of a CD or DVD")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::formats;
    use std::{collections::HashSet, io::Cursor};

    /// Names the format of a file of 600 bytes of binary data with these parts in it.
    fn of(parts: &[(usize, &[u8])]) -> Option<&'static str> {
        let mut file = vec![0xee; 600];
        for (at, bytes) in parts {
            file[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        kind(&file[..512], &mut Cursor::new(file.clone()), false)
    }

    #[test]
    fn every_kind_is_found_and_no_format_that_is_read_is_among_them() {
        let mut whats = HashSet::new();
        for (at, signature, what) in KINDS {
            assert_eq!(of(&[(*at, signature)]), Some(*what), "{signature:?}");
            whats.insert(what);
        }
        for (first, second, what) in PAIRS {
            let found = of(&[*first, *second]).unwrap();
            assert!(
                found == *what || found.starts_with("a program for macOS"),
                "{what}"
            );
            whats.insert(what);
        }
        assert!(whats.len() > 100, "{}", whats.len());
        let signatures = KINDS.iter().map(|(at, signature, _)| (*at, *signature));
        for (at, signature) in signatures {
            let mut file = vec![0xee; 600];
            file[at..at + signature.len()].copy_from_slice(signature);
            let read = formats().find(|format| format.matches(&file));
            assert_eq!(read.map(|format| format.name), None, "{signature:?}");
        }
    }

    #[test]
    fn text_is_not_mistaken_for_another_kind() {
        #[track_caller]
        fn check(text: &[u8], expected: Option<&str>) {
            assert_eq!(kind(text, &mut Cursor::new(text), true), expected);
        }
        check(b"MZ is a code of a country", None);
        check(b"FLIFfed", None);
        check(&b"G".repeat(400), None);
        check(b"#!/bin/sh\necho", Some("a script"));
        check(b"", None);
        check(
            b"<?xml version=\"1.0\"?>\n<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\">",
            Some("a document of Office in a single XML file"),
        );
        check(b"<x/> http://www.example.org", None);
    }

    #[test]
    fn a_disc_image_is_recognised_far_from_its_beginning() {
        let mut image = vec![0; 40_000];
        image[32_769..32_774].copy_from_slice(b"CD001");
        let found = kind(&image[..512], &mut Cursor::new(&image), false);
        assert_eq!(found, Some("an image of a CD or DVD"));
    }
}
