//! Chunks of a DjVu file, and its directory (DjVu3, 8.2 and 8.3): places of the pages, and of what pages have in
//! common. Decodes no picture.
//!
//! A file is one FORM of chunks. That of a document (DJVM) begins with a directory (DIRM), which lists the offsets of
//! further FORMs: pages (DJVU), what they share (DJVI) and thumbnails (THUM). A page names what it needs of others in
//! INCL chunks. The trap: every length and offset may lie, so no more is read than the file has, and of each list only
//! so many entries.

use super::invalid;
use crate::pages::{Pages, Patch};
use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Name of a chunk or a FORM.
pub(super) type Name = [u8; 4];

/// Most pages of a file that are found.
const MOST_PAGES: usize = 10_000;
/// Most chunks of a page that are looked at. Backgrounds come in about four.
const MOST_CHUNKS: usize = 1_000;
/// Longest directory, and longest name of a part, in bytes.
const MOST_DIRECTORY: u64 = 1 << 20;
const MOST_NAME: u64 = 1 << 10;

/// Bytes that stand in place of `FORM` at the beginning of a file of which a certain page is wanted, whole or only its
/// background or foreground. The number of the page from 0 follows in place of the length.
const WANTED: Name = *b"PAGE";
const BACK: Name = *b"BACK";
const FRONT: Name = *b"MASK";
/// Their offset, behind the letters `AT&T`.
const START: u64 = 4;
/// Offset of the first chunk.
const FIRST: u64 = 16;

/// A chunk, or a part of a file that is a FORM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) name: Name,
    /// Offset and length of the data, which lies within the file.
    pub(super) at: u64,
    pub(super) len: u64,
    /// Whether the file ends before the chunk does.
    pub(super) is_cut: bool,
}

impl Chunk {
    /// The chunk whose header is at an offset. `None` at the end.
    fn read(input: &mut dyn Input, at: u64, end: u64) -> io::Result<Option<Self>> {
        if at.checked_add(8).is_none_or(|behind| behind > end) {
            return Ok(None);
        }
        let head: [u8; 8] = array(input, at)?;
        let [a, b, c, d, length @ ..] = head;
        let (at, len) = (at + 8, u64::from(u32::from_be_bytes(length)));
        let left = end - at;
        Ok(Some(Self {
            name: [a, b, c, d],
            at,
            len: len.min(left),
            is_cut: len > left,
        }))
    }

    /// Offset of the next chunk. Each begins at an even one.
    fn behind(&self) -> u64 {
        (self.at + self.len).next_multiple_of(2)
    }

    /// Its data. The caller has reserved the memory.
    pub(super) fn data(&self, input: &mut dyn Input) -> io::Result<Vec<u8>> {
        self.beginning(input, u64::MAX)
    }

    /// The first bytes of its data, as many as there are up to `most`.
    pub(super) fn beginning(&self, input: &mut dyn Input, most: u64) -> io::Result<Vec<u8>> {
        let mut data = vec![0; self.len.min(most) as usize];
        input.seek(SeekFrom::Start(self.at))?;
        input.read_exact(&mut data)?;
        Ok(data)
    }
}

/// A FORM: its kind and its chunks.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) kind: Name,
    pub(super) chunks: Vec<Chunk>,
    /// Whether the file ends before it does.
    pub(super) is_cut: bool,
}

impl Form {
    /// The FORM whose header is at an offset.
    fn read(input: &mut dyn Input, at: u64, end: u64) -> io::Result<Self> {
        let form = Chunk::read(input, at, end)?.filter(|chunk| &chunk.name == b"FORM");
        let form = form.filter(|chunk| chunk.len >= 4);
        let form = form.ok_or_else(|| invalid("no page is where its directory says"))?;
        Ok(Self {
            kind: array(input, form.at)?,
            chunks: chunks(input, form.at + 4, form.at + form.len)?,
            is_cut: form.is_cut,
        })
    }

    /// The first chunk of a name.
    pub(super) fn chunk(&self, name: &Name) -> Option<Chunk> {
        self.all(name).next()
    }

    /// All chunks of a name.
    pub(super) fn all(&self, name: &Name) -> impl Iterator<Item = Chunk> {
        let name = *name;
        let chunks = self.chunks.iter().copied();
        chunks.filter(move |chunk| chunk.name == name)
    }
}

fn chunks(input: &mut dyn Input, mut at: u64, end: u64) -> io::Result<Vec<Chunk>> {
    let mut chunks = Vec::new();
    while chunks.len() < MOST_CHUNKS
        && let Some(chunk) = Chunk::read(input, at, end)?
    {
        at = chunk.behind();
        chunks.push(chunk);
    }
    Ok(chunks)
}

/// The wanted part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// The background, in its own resolution.
    Back,
    /// The foreground, which is transparent where the background is seen.
    Front,
}

impl Part {
    /// The patch by which a reader of the file sees this part of a page.
    pub(super) fn patch(self, page: u32) -> Patch {
        let name = match self {
            Self::Whole => WANTED,
            Self::Back => BACK,
            Self::Front => FRONT,
        };
        Patch {
            from: 0,
            start: START,
            bytes: [name, page.to_be_bytes()].concat(),
        }
    }
}

/// A file of which a page has been found.
#[derive(Debug)]
pub(super) struct File {
    /// Length of the file.
    end: u64,
    /// Offsets of the FORMs of a document, and the chunk that lists them.
    parts: Vec<u64>,
    directory: Option<Chunk>,
    /// The page that is wanted, its number from 0, and the part of it.
    pub(super) page: Form,
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(super) nth: u32,
    pub(super) part: Part,
    /// Whether the file ends before this page or one of the others does, as far as that can be seen.
    pub(super) is_cut: bool,
}

impl File {
    /// Finds the page that the beginning of the file names (see [`pages`]), or the first one.
    pub(super) fn open(input: &mut dyn Input) -> io::Result<Self> {
        let end = input.seek(SeekFrom::End(0))?;
        let head: [u8; 12] = array(input, START)?;
        let [a, b, c, d, e, f, g, h, kind @ ..] = head;
        let number = u32::from_be_bytes([e, f, g, h]);
        let (nth, part) = match [a, b, c, d] {
            WANTED => (number, Part::Whole),
            BACK => (number, Part::Back),
            FRONT => (number, Part::Front),
            _ => (0, Part::Whole),
        };
        if &kind != b"DJVM" {
            let is_cut = a == b'F' && u64::from(number) + 12 > end;
            return Ok(Self {
                end,
                parts: Vec::new(),
                directory: None,
                page: Form {
                    kind,
                    chunks: chunks(input, FIRST, end)?,
                    is_cut,
                },
                nth,
                part,
                is_cut,
            });
        }
        let (directory, parts) = directory(input, end)?;
        let place = places(input, &parts, end)?.into_iter().nth(nth as usize);
        let place = place.ok_or_else(|| invalid("its directory lists no page"))?;
        let page = Form::read(input, place, end)?;
        let is_beyond = |at: &u64| at.saturating_add(12) > end;
        let is_cut = page.is_cut || parts.iter().any(is_beyond);
        Ok(Self {
            end,
            parts,
            directory: Some(directory),
            page,
            nth,
            part,
            is_cut,
        })
    }

    /// The part that an INCL chunk names.
    pub(super) fn included(&self, input: &mut dyn Input, chunk: Chunk) -> io::Result<Form> {
        let missing = "it needs shapes from another file, which is not in it (a document in several files has to be joined first, \
                       by `djvmcvt -b`)";
        let directory = self.directory.ok_or_else(|| invalid(missing))?;
        let wanted = chunk.beginning(input, MOST_NAME)?;
        let packed = directory.data(input)?;
        let packed = packed
            .get(3 + 4 * self.parts.len()..)
            .ok_or_else(|| invalid("its directory is too short"))?;
        let names = djvu_bzz::bzz_decode(packed).map_err(io::Error::other)?;
        let nth = named(&names, self.parts.len(), wanted.trim_ascii());
        let place = nth.and_then(|nth| self.parts.get(nth));
        let place = place.ok_or_else(|| invalid(missing))?;
        Form::read(input, *place, self.end)
    }
}

/// The index of the part of a name, in the unpacked half of a directory of `count` parts: their sizes (three bytes
/// each), their flags, and for each its identifier, and its name and title if it has them, each with a zero behind it.
fn named(names: &[u8], count: usize, wanted: &[u8]) -> Option<usize> {
    const HAS_NAME: u8 = 0x80;
    const HAS_TITLE: u8 = 0x40;
    let flags = names.get(3 * count..4 * count)?;
    let mut strings = names.get(4 * count..)?.split(|byte| *byte == 0);
    for (nth, flags) in flags.iter().enumerate() {
        let identifier = strings.next()?;
        if identifier == wanted {
            return Some(nth);
        }
        for flag in [HAS_NAME, HAS_TITLE] {
            if flags & flag != 0 {
                strings.next()?;
            }
        }
    }
    None
}

/// The directory of a document, and the offsets in it.
fn directory(input: &mut dyn Input, end: u64) -> io::Result<(Chunk, Vec<u64>)> {
    const IN_ONE_FILE: u8 = 0x80;
    let chunk = Chunk::read(input, FIRST, end)?.filter(|chunk| &chunk.name == b"DIRM");
    let chunk = chunk.filter(|chunk| (3..MOST_DIRECTORY).contains(&chunk.len));
    let chunk = chunk.ok_or_else(|| invalid("it has no directory"))?;
    let [flags, count @ ..] = array::<3>(input, chunk.at)?;
    if flags & IN_ONE_FILE == 0 {
        return Err(invalid(
            "it is only the table of contents of a document in several files, which has to be joined first, by `djvmcvt -b`",
        ));
    }
    let count = u64::from(u16::from_be_bytes(count));
    if 3 + 4 * count > chunk.len {
        return Err(invalid("its directory is too short"));
    }
    let mut offsets = vec![0; 4 * count as usize];
    input.read_exact(&mut offsets)?;
    let offsets = offsets.as_chunks().0.iter();
    let offsets = offsets.map(|offset| u64::from(u32::from_be_bytes(*offset)));
    Ok((chunk, offsets.collect()))
}

/// Offsets of the parts that are pages.
fn places(input: &mut dyn Input, parts: &[u64], end: u64) -> io::Result<Vec<u64>> {
    let mut pages = Vec::new();
    for &at in parts {
        if at.checked_add(12).is_none_or(|behind| behind > end) {
            continue;
        }
        let head: [u8; 12] = array(input, at)?;
        if head.starts_with(b"FORM") && head.ends_with(b"DJVU") {
            pages.push(at);
        }
        if pages.len() == MOST_PAGES {
            break;
        }
    }
    Ok(pages)
}

/// Finds all pages. To read one of them, the beginning of the file is replaced by its number. `None` where that has
/// been done.
pub(super) fn pages(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let end = input.seek(SeekFrom::End(0))?;
    let head: [u8; 12] = array(input, START)?;
    if !head.starts_with(b"FORM") || !head.ends_with(b"DJVM") {
        return Ok(None);
    }
    let (_, parts) = directory(input, end)?;
    let count = places(input, &parts, end)?.len() as u32;
    let patch = |nth| Part::Whole.patch(nth);
    Ok((count > 0).then(|| Pages {
        called: ["page", "pages"],
        patches: (0..count).map(patch).collect(),
        default: 1,
        others_are_lost: true,
    }))
}

fn array<const N: usize>(input: &mut dyn Input, at: u64) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.seek(SeekFrom::Start(at))?;
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_their_identifiers() {
        // Three parts: a plain one, one with a name and a title, and one with a title.
        let names = [
            &[0; 9][..],
            &[1, 0xc0, 0x40],
            b"a\0b\0name\0title\0c\0title\0",
        ]
        .concat();
        #[track_caller]
        fn check(names: &[u8], wanted: &str, expected: Option<usize>) {
            assert_eq!(named(names, 3, wanted.as_bytes()), expected);
        }
        check(&names, "a", Some(0));
        check(&names, "b", Some(1));
        check(&names, "c", Some(2));
        check(&names, "title", None);
        check(&names[..14], "c", None);
        check(&[], "a", None);
    }
}
