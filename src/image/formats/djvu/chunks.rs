//! Chunks of a DjVu file, and its directory (DjVu3, 8.2 and 8.3): offsets of the pages, and of parts that pages share.
//! Decodes no picture.
//!
//! A file is one FORM of chunks. The FORM of a document (DJVM) begins with a directory (DIRM), which lists the offsets
//! of further FORMs: pages (DJVU), shared parts (DJVI) and thumbnails (THUM). INCL chunks of a page name the shared
//! parts that it needs. The trap: any length or offset may be wrong, so nothing beyond the end of the file is read, and
//! each list has a limit.

use super::invalid;
use crate::pages::{Pages, Patch};
use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Name of a chunk or a FORM.
pub(super) type Name = [u8; 4];

/// Limit on the pages of a file.
const MAX_PAGES: usize = 10_000;
/// Limit on the chunks of a page. A background usually has about four.
const MAX_CHUNKS: usize = 1_000;
/// Limit on the directory, and on a packed outline, in bytes.
const MAX_DIRECTORY: u64 = 1 << 20;
/// Longest name of a part, in bytes.
pub(super) const MAX_NAME: u64 = 1 << 10;

/// A patch puts this in place of the word `FORM` at the beginning of a file, so that the reader opens a certain page.
/// The number of the page, from 0, replaces the length after the word.
const WANTED: Name = *b"PAGE";
/// Like [`WANTED`], but the reader opens only the background of the page.
const BACK: Name = *b"BACK";
/// Like [`WANTED`], but the reader opens only the foreground of the page.
const FRONT: Name = *b"MASK";
/// Offset of the word `FORM`, after the letters `AT&T`.
const START: u64 = 4;
/// Offset of the first chunk.
const FIRST: u64 = 16;

/// A chunk, or a FORM within a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) name: Name,
    /// Offset of the data in the file.
    pub(super) at: u64,
    /// Length of the data in bytes, limited to the end of the file.
    pub(super) len: u64,
    /// Whether the chunk extends beyond the end of the file.
    pub(super) is_cut: bool,
}

impl Chunk {
    /// Reads the header of the chunk at an offset. `None` at the end of the chunks.
    fn read(input: &mut dyn Input, at: u64, end: u64) -> io::Result<Option<Self>> {
        if at
            .checked_add(8)
            .is_none_or(|next_offset| next_offset > end)
        {
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

    /// Offset of the next chunk. Chunks begin at even offsets.
    fn next_offset(&self) -> u64 {
        (self.at + self.len).next_multiple_of(2)
    }

    /// Reads the data. The caller has reserved the memory.
    pub(super) fn data(&self, input: &mut dyn Input) -> io::Result<Vec<u8>> {
        self.beginning(input, u64::MAX)
    }

    /// Reads the first `most` bytes of the data, or all if there are fewer.
    pub(super) fn beginning(&self, input: &mut dyn Input, most: u64) -> io::Result<Vec<u8>> {
        let mut data = vec![0; self.len.min(most) as usize];
        input.seek(SeekFrom::Start(self.at))?;
        input.read_exact(&mut data)?;
        Ok(data)
    }
}

/// A FORM: its type and its chunks.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) kind: Name,
    pub(super) chunks: Vec<Chunk>,
    /// Whether the FORM extends beyond the end of the file.
    pub(super) is_cut: bool,
}

impl Form {
    /// Reads the FORM at an offset.
    fn read(input: &mut dyn Input, at: u64, end: u64) -> io::Result<Self> {
        let form = Chunk::read(input, at, end)?.filter(|chunk| &chunk.name == b"FORM");
        let form = form.filter(|chunk| chunk.len >= 4);
        let form =
            form.ok_or_else(|| invalid("its pages are not at the positions in its directory"))?;
        Ok(Self {
            kind: array(input, form.at)?,
            chunks: chunks(input, form.at + 4, form.at + form.len)?,
            is_cut: form.is_cut,
        })
    }

    /// The first chunk with this name.
    pub(super) fn chunk(&self, name: &Name) -> Option<Chunk> {
        self.all(name).next()
    }

    /// All chunks with this name.
    pub(super) fn all(&self, name: &Name) -> impl Iterator<Item = Chunk> {
        let name = *name;
        let chunks = self.chunks.iter().copied();
        chunks.filter(move |chunk| chunk.name == name)
    }
}

fn chunks(input: &mut dyn Input, mut at: u64, end: u64) -> io::Result<Vec<Chunk>> {
    let mut chunks = Vec::new();
    while chunks.len() < MAX_CHUNKS
        && let Some(chunk) = Chunk::read(input, at, end)?
    {
        at = chunk.next_offset();
        chunks.push(chunk);
    }
    Ok(chunks)
}

/// The requested layer of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Whole,
    /// The background, at its own resolution.
    Back,
    /// The foreground, which is transparent where the background is visible.
    Front,
}

impl Layer {
    /// The patch that makes readers of the file return this layer of a page.
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

/// A file and one of its pages.
#[derive(Debug)]
pub(super) struct File {
    /// Length of the file in bytes.
    end: u64,
    /// Offsets of the FORMs of a document. Empty for a file without a directory.
    parts: Vec<u64>,
    /// The chunk that lists the FORMs of a document.
    directory: Option<Chunk>,
    /// The requested page.
    pub(super) page: Form,
    /// Number of the requested page, from 0.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(super) nth: u32,
    /// The requested layer of the page.
    pub(super) part: Layer,
    /// Whether the file ends within this page, or before another FORM of the directory.
    pub(super) is_cut: bool,
}

impl File {
    /// Finds the requested page, whose number a patch has put at the beginning of the file (see [`pages`]). Without a
    /// patch it is the first page.
    pub(super) fn open(input: &mut dyn Input) -> io::Result<Self> {
        let end = input.seek(SeekFrom::End(0))?;
        let head: [u8; 12] = array(input, START)?;
        let [a, b, c, d, e, f, g, h, kind @ ..] = head;
        let number = u32::from_be_bytes([e, f, g, h]);
        let (nth, part) = match [a, b, c, d] {
            WANTED => (number, Layer::Whole),
            BACK => (number, Layer::Back),
            FRONT => (number, Layer::Front),
            _ => (0, Layer::Whole),
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
        let offset = page_offsets(input, &parts, end)?
            .into_iter()
            .nth(nth as usize);
        let offset = offset.ok_or_else(|| invalid("its directory lists no pages"))?;
        let page = Form::read(input, offset, end)?;
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

    /// Finds the part that an INCL chunk names.
    pub(super) fn included(&self, input: &mut dyn Input, chunk: Chunk) -> io::Result<Form> {
        let missing = "it uses shapes from another file; if the document consists of several files, join them first with `djvmcvt -b`";
        let directory = self.directory.ok_or_else(|| invalid(missing))?;
        let wanted = chunk.beginning(input, MAX_NAME)?;
        let packed = directory.data(input)?;
        let packed = packed
            .get(3 + 4 * self.parts.len()..)
            .ok_or_else(|| invalid("its directory is too short"))?;
        let names = djvu_bzz::bzz_decode(packed).map_err(io::Error::other)?;
        let nth = named(&names, self.parts.len(), wanted.trim_ascii());
        let offset = nth.and_then(|nth| self.parts.get(nth));
        let offset = offset.ok_or_else(|| invalid(missing))?;
        Form::read(input, *offset, self.end)
    }
}

/// The index of the part with this identifier.
fn named(names: &[u8], count: usize, wanted: &[u8]) -> Option<usize> {
    identifiers(names, count)
        .iter()
        .position(|identifier| *identifier == wanted)
}

/// Returns the identifiers of the parts, from the second half of a directory of `count` parts, which has been unpacked.
/// It has the sizes of all parts (three bytes each), their flags, and then for each part its identifier and, if
/// its flags say so, its name and its title. A zero ends each text. A directory that ends early has fewer identifiers.
pub(super) fn identifiers(names: &[u8], count: usize) -> Vec<&[u8]> {
    const HAS_NAME: u8 = 0x80;
    const HAS_TITLE: u8 = 0x40;
    let flags = names.get(3 * count..4 * count).unwrap_or_default();
    let strings = names.get(4 * count..).unwrap_or_default();
    let mut strings = strings.split(|byte| *byte == 0);
    let mut found = Vec::new();
    for flags in flags {
        let Some(identifier) = strings.next() else {
            break;
        };
        found.push(identifier);
        for flag in [HAS_NAME, HAS_TITLE] {
            if flags & flag != 0 {
                strings.next();
            }
        }
    }
    found
}

/// The packed outline of a document, and the parts of the document to which its entries may refer.
#[cfg(feature = "document")]
pub(super) struct Outlined {
    pub(super) packed: Vec<u8>,
    /// Second half of the directory, still packed, with the identifier of each part.
    pub(super) names: Vec<u8>,
    /// For each part, the number of its page from 1, if it is a page.
    pub(super) pages: Vec<Option<u32>>,
}

/// Finds the outline of a document. `None` if the document has no outline.
#[cfg(feature = "document")]
pub(super) fn outlined(input: &mut dyn Input) -> io::Result<Option<Outlined>> {
    let end = input.seek(SeekFrom::End(0))?;
    let head: [u8; 12] = array(input, START)?;
    if !head.starts_with(b"FORM") || !head.ends_with(b"DJVM") {
        return Ok(None);
    }
    let (chunk, parts) = directory(input, end)?;
    // The outline, if there is one, immediately follows the directory.
    let outline = Chunk::read(input, chunk.next_offset(), end)?;
    let Some(outline) = outline.filter(|chunk| &chunk.name == b"NAVM") else {
        return Ok(None);
    };
    if outline.len > MAX_DIRECTORY {
        return Err(invalid("its outline is too long"));
    }
    let mut names = chunk.data(input)?;
    names.drain(..names.len().min(3 + 4 * parts.len()));
    let offsets = page_offsets(input, &parts, end)?;
    let mut numbers = (1..).zip(offsets).peekable();
    let pages = parts.iter().map(|part| {
        let next = numbers.next_if(|(_, offset)| offset == part);
        next.map(|(number, _)| number)
    });
    Ok(Some(Outlined {
        pages: pages.collect(),
        names,
        packed: outline.data(input)?,
    }))
}

/// Reads the directory of a document. Returns its chunk, and the offsets in it.
fn directory(input: &mut dyn Input, end: u64) -> io::Result<(Chunk, Vec<u64>)> {
    const IN_ONE_FILE: u8 = 0x80;
    let chunk = Chunk::read(input, FIRST, end)?.filter(|chunk| &chunk.name == b"DIRM");
    let chunk = chunk.filter(|chunk| (3..MAX_DIRECTORY).contains(&chunk.len));
    let chunk = chunk.ok_or_else(|| invalid("it has no directory"))?;
    let [flags, count @ ..] = array::<3>(input, chunk.at)?;
    if flags & IN_ONE_FILE == 0 {
        return Err(invalid(
            "it is only the table of contents of a document in several files; join them first with `djvmcvt -b`",
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
fn page_offsets(input: &mut dyn Input, parts: &[u64], end: u64) -> io::Result<Vec<u64>> {
    let mut pages = Vec::new();
    for &at in parts {
        if at
            .checked_add(12)
            .is_none_or(|next_offset| next_offset > end)
        {
            continue;
        }
        let head: [u8; 12] = array(input, at)?;
        if head.starts_with(b"FORM") && head.ends_with(b"DJVU") {
            pages.push(at);
        }
        if pages.len() == MAX_PAGES {
            break;
        }
    }
    Ok(pages)
}

/// Finds all pages. For each page, a patch replaces the beginning of the file by the number of the page. `None` for a
/// file that is not a document (DJVM), that has no pages, or that already has such a patch.
pub(super) fn pages(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let end = input.seek(SeekFrom::End(0))?;
    let head: [u8; 12] = array(input, START)?;
    if !head.starts_with(b"FORM") || !head.ends_with(b"DJVM") {
        return Ok(None);
    }
    let (_, parts) = directory(input, end)?;
    let count = page_offsets(input, &parts, end)?.len() as u32;
    let patch = |nth| Layer::Whole.patch(nth);
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
        // Three parts: one without name and title, one with both, and one with a title.
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
