//! Searches the directories of a TIFF-based raw file for JPEG files. Decodes no picture.

use crate::{
    edited_input::EditedInput, metadata::colour_space::directory_states_adobe_rgb, pages::Patch,
};
use convertd_core::{
    containers::ifd::{Directory, Numbers},
    job::Input,
};
use std::io::{self, SeekFrom};
use tiff::tags::Tag;

/// Largest number of directories that are searched.
const MAX_DIRECTORIES: usize = 32;
/// Largest number of entries in a directory.
const MAX_ENTRIES: usize = 512;

// Tags (TIFF 6.0, TIFF/EP, Exif 2.32, DNG 1.6).
const COMPRESSION: u16 = 0x0103;
const PHOTOMETRIC: u16 = 0x0106;
const STRIPS: u16 = 0x0111;
const ORIENTATION: u16 = 0x0112;
const DIRECTORIES: u16 = 0x014a;
const JPEG: u16 = 0x0201;
const EXIF: u16 = 0x8769;
const MAKER: u16 = 0x927c;
const DNG_VERSION: u16 = 0xc612;
/// Panasonic's tag for an embedded JPEG.
const PANASONIC: u16 = 0x002e;
/// Tag of Olympus for the directory of camera settings.
const OLYMPUS_SETTINGS: u16 = 0x2020;
/// Tag in the camera settings of Olympus for the offset of a JPEG.
const OLYMPUS_PREVIEW: u16 = 0x0101;

/// Photometric interpretations of sensor data: a colour filter array, and linear raw.
const SENSORS: [u64; 2] = [32_803, 34_892];

/// Compressions that only raw files by Nikon, Sony, Samsung and Pentax use.
const OWN: [u64; 5] = [32_767, 32_769, 32_770, 34_713, 65_535];

/// Results from the directories of a file.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Offsets of possible JPEG files. Some of them are something else.
    pub(crate) offsets: Vec<u64>,
    /// Orientation of the picture, from the first directory.
    pub(crate) orientation: Option<u8>,
    /// Whether a directory states that the pictures are in Adobe RGB, as the Exif directory may.
    pub(crate) is_adobe_rgb: bool,
    /// Whether the file has sensor data.
    pub(crate) is_raw: bool,
}

/// Returns whether a file is a TIFF with sensor data.
pub(crate) fn is_raw(input: &mut dyn Input) -> bool {
    search(input).is_ok_and(|found| found.is_some_and(|found| found.is_raw))
}

/// Searches the directories of a file. `None` if the file is neither a TIFF nor a variant of TIFF with another magic
/// number. Skips damaged directories.
pub(crate) fn search(input: &mut dyn Input) -> io::Result<Option<Found>> {
    let mut head = [0; 4];
    input.seek(SeekFrom::Start(0))?;
    input.read_exact(&mut head)?;
    // Olympus and Panasonic write other letters or another number in place of the 42 of TIFF.
    let bytes: &[u8] = match &head {
        b"IIRO" | b"IIRS" | b"IIU\0" => b"II*\0",
        b"MMOR" => b"MM\0*",
        _ => b"",
    };
    input.seek(SeekFrom::Start(0))?;
    let patch = Patch {
        bytes: bytes.to_vec(),
        ..Patch::default()
    };
    let mut input = EditedInput::new(input, patch);
    let Some((numbers, first)) = Numbers::of(&mut input)? else {
        return Ok(None);
    };
    let mut found = Found::default();
    let mut offsets = vec![first];
    let mut at = 0;
    while let Some(&offset) = offsets.get(at) {
        if at == MAX_DIRECTORIES {
            break;
        }
        // An unreadable directory is skipped, and so are the directories to which it refers.
        if let Ok(next) = found.add(&mut input, numbers, offset, at == 0) {
            for offset in next {
                if offset > 0 && !offsets.contains(&offset) {
                    offsets.push(offset);
                }
            }
        }
        at += 1;
    }
    Ok(Some(found))
}

impl Found {
    /// Adds the results from a directory, and returns the offsets of the directories to which it refers.
    fn add(
        &mut self,
        input: &mut dyn Input,
        numbers: Numbers,
        offset: u64,
        is_first: bool,
    ) -> io::Result<Vec<u64>> {
        let directory = Directory::read(input, numbers, offset, MAX_ENTRIES)?;
        let mut values = |tag: u16, most: usize| {
            let tag = Tag::from_u16_exhaustive(tag);
            directory.values(input, tag, most).unwrap_or_default()
        };
        let mut value = |tag: u16| values(tag, 1).first().copied();
        let compression = value(COMPRESSION);
        self.is_raw |= value(PHOTOMETRIC).is_some_and(|kind| SENSORS.contains(&kind))
            || compression.is_some_and(|kind| OWN.contains(&kind))
            || value(DNG_VERSION).is_some();
        if is_first {
            self.orientation = value(ORIENTATION).and_then(|turn| u8::try_from(turn).ok());
        }
        self.offsets.extend(value(JPEG));
        let strips = values(STRIPS, 2);
        // The compressions 6 and 7 are JPEG. A JPEG file is a single strip.
        if let (Some(6 | 7), [strip]) = (compression, &strips[..]) {
            self.offsets.push(*strip);
        }
        let mut next = values(DIRECTORIES, MAX_DIRECTORIES);
        next.extend(values(EXIF, 1));
        self.is_adobe_rgb |= directory_states_adobe_rgb(&directory, input).unwrap_or(false);
        let stored = |tag: u16| {
            let tag = Tag::from_u16_exhaustive(tag);
            directory.entries.iter().find(|entry| entry.tag == tag)
        };
        self.offsets
            .extend(stored(PANASONIC).map(|entry| entry.offset));
        if let Some(notes) = stored(MAKER) {
            // Only the maker notes of Olympus are supported.
            let preview = olympus(input, notes.offset).unwrap_or_default();
            self.offsets.extend(preview);
        }
        let mut pointer = vec![0; numbers.pointer_to(0).len()];
        input.seek(SeekFrom::Start(directory.end))?;
        input.read_exact(&mut pointer)?;
        next.push(numbers.value(&pointer));
        Ok(next)
    }
}

/// Offset of the JPEG in the maker notes of an Olympus camera, which begin at `offset`. All pointers in the notes are
/// relative to `offset`.
fn olympus(input: &mut dyn Input, offset: u64) -> io::Result<Option<u64>> {
    let mut head = [0; 12];
    input.seek(SeekFrom::Start(offset))?;
    input.read_exact(&mut head)?;
    let first = match &head {
        b"OLYMPUS\0II\x03\0" => 12,
        _ if head.starts_with(b"OM SYSTEM\0") => 16,
        _ => return Ok(None),
    };
    input.seek(SeekFrom::Start(offset))?;
    let patch = Patch {
        from: offset,
        start: 0,
        bytes: b"II*\0".to_vec(),
    };
    let mut input = EditedInput::new(input, patch);
    let Some((numbers, _)) = Numbers::of(&mut input)? else {
        return Ok(None);
    };
    let notes = Directory::read(&mut input, numbers, first, MAX_ENTRIES)?;
    let settings = notes.value(&mut input, Tag::from_u16_exhaustive(OLYMPUS_SETTINGS))?;
    let Some(settings) = settings else {
        return Ok(None);
    };
    let settings = Directory::read(&mut input, numbers, settings, MAX_ENTRIES)?;
    let preview = settings.value(&mut input, Tag::from_u16_exhaustive(OLYMPUS_PREVIEW))?;
    Ok(preview.map(|preview| preview.saturating_add(offset)))
}
