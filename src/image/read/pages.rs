//! Files with several pictures: pages of a TIFF, entries of an icon, frames of an animation. Decodes nothing but frames
//! that stand before the one that is wanted.
//!
//! A decoder of a TIFF or an icon reads the first picture, or the best one. So that it reads another, it is shown a file in
//! which that one is the first: a few bytes at the beginning are replaced on the way.

use super::{Header, Source, animation, open, tiff_numbers::Numbers};
use crate::{
    error::{Error, Kind, Result},
    image::{
        animation::Frames,
        rows::{Frame, Rows},
    },
    job::{Input, Job},
};
use std::{
    collections::HashSet,
    io::{self, BufRead, Read, Seek, SeekFrom},
};

/// Most pages that are looked for.
const MAX_PAGES: usize = 10_000;

/// A file in which the wanted page comes first.
pub(crate) struct Paged<'a> {
    input: &'a mut dyn Input,
    /// Where `input` stands.
    at: u64,
    /// What stands in the file instead of its own bytes, and from where.
    patch: (u64, Vec<u8>),
    /// How many pages there are; 1 for formats without pages.
    count: u32,
}

impl<'a> Paged<'a> {
    /// Finds the pages of `input` and checks that the one that is wanted is there; it counts from 1.
    pub(crate) fn new(job: &Job<'_>, input: &'a mut dyn Input, page: Option<u32>) -> Result<Self> {
        let unreadable = |err| Error::storage("the upload could not be read", err);
        let (mut patch, mut count) = ((0, Vec::new()), 1);
        // What cannot be walked has one page, of which its decoder knows what is wrong with it.
        match job.from.name {
            "tiff" => {
                if let Ok(Some((places, pointer))) = tiff_pages(input) {
                    count = places.len() as u32;
                    if let Some(place) = places.get(chosen(page, count, "page")?) {
                        patch = pointer.to(*place);
                    }
                }
            }
            "ico" => {
                if let (Some(page), Ok(entries)) = (page, icon_entries(input)) {
                    count = entries.len() as u32;
                    if let Some(entry) = entries.get(chosen(Some(page), count, "entry")?) {
                        patch = (0, [b"\0\0\x01\0\x01\0", &entry[..]].concat());
                    }
                }
            }
            // Counted when they are opened.
            "gif" | "webp" | "png" | "apng" => {}
            _ => drop(chosen(page, 1, "page")?),
        }
        input.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        Ok(Self {
            input,
            at: 0,
            patch,
            count,
        })
    }

    /// What to say about the pages that are not shown, if none was asked for.
    pub(crate) fn note(&self, page: Option<u32>) -> Option<String> {
        (self.count > 1 && page.is_none()).then(|| {
            let count = self.count;
            format!("Only the first of {count} pages is kept; the field page chooses another.")
        })
    }

    /// Opens the picture, or the frame of an animation that is asked for.
    pub(crate) fn open<'b>(
        &'b mut self,
        job: &'b Job<'b>,
        page: Option<u32>,
    ) -> Result<Box<dyn Source<'b> + 'b>> {
        let (Some(page), "gif" | "webp" | "png" | "apng") = (page, job.from.name) else {
            return open(job, self);
        };
        // Colour and orientation are those of the file, whichever frame is taken.
        let (icc, orientation) = {
            let mut still = open(job, self)?;
            let header = still.header();
            (header.icc.take(), header.orientation)
        };
        super::rewind(self)?;
        let count = animation::count(job, self)?;
        let before = chosen(Some(page), count, "frame")?;
        if count == 1 {
            return open(job, self);
        }
        let Some(found) = animation::open(job, self)? else {
            return Err(job.unreadable("its frames cannot be found"));
        };
        found.check()?;
        Ok(Box::new(Nth {
            job,
            header: Header {
                layout: found.layout,
                orientation,
                icc,
                memory: found.memory,
                animated: false,
                lossless: found.lossless,
            },
            frames: found.frames,
            before,
        }))
    }
}

/// The index of a page, the first one by default. `what` is what the format calls it.
fn chosen(page: Option<u32>, count: u32, what: &str) -> Result<usize> {
    let page = page.unwrap_or(1);
    if (1..=count.max(1)).contains(&page) {
        return Ok(page as usize - 1);
    }
    let what = match (count, what) {
        (0 | 1, _) => "only one".into(),
        (_, "entry") => format!("{count} entries"),
        _ => format!("{count} {what}s"),
    };
    Err(Error::new(
        Kind::BadInput,
        format!("page is {page}; the file has {what}"),
    ))
}

/// A frame of an animation.
struct Nth<'a> {
    job: &'a Job<'a>,
    header: Header,
    frames: Frames<'a>,
    /// How many come before it.
    before: usize,
}

impl<'a> Source<'a> for Nth<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut wanted: Option<Frame> = None;
        for frame in self.frames.by_ref().take(self.before + 1) {
            wanted = Some(frame?.0);
        }
        match wanted {
            Some(frame) => Ok(Box::new(frame)),
            None => Err(self.job.unreadable("the frame is missing")),
        }
    }
}

/// Where the directories of all pages stand. Smaller copies and masks of other pages are none, unless there is nothing
/// else. The chain ends where it leads out of the file or back: some writers do not end it properly.
fn tiff_pages(input: &mut dyn Input) -> io::Result<Option<(Vec<u64>, Numbers)>> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        return Ok(None);
    };
    let (mut pages, mut all, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut place = first;
    while place != 0 && all.len() < MAX_PAGES && seen.insert(place) {
        let Ok((partial, next)) = directory(input, place, numbers) else {
            break;
        };
        all.push(place);
        if !partial {
            pages.push(place);
        }
        place = next;
    }
    let pages = if pages.is_empty() { all } else { pages };
    Ok((!pages.is_empty()).then_some((pages, numbers)))
}

/// Whether a directory describes a part of another page, and where the next one stands.
fn directory(input: &mut dyn Input, place: u64, numbers: Numbers) -> io::Result<(bool, u64)> {
    let (count_len, entry_len) = (numbers.count_len(), numbers.entry_len());
    let mut bytes = [0; 20];
    input.seek(SeekFrom::Start(place))?;
    input.read_exact(&mut bytes[..count_len])?;
    let count = numbers.value(&bytes[..count_len]).min(65_535);
    // Entries are sorted, and no tag is smaller than NewSubfileType (254).
    let mut partial = false;
    if count > 0 {
        input.read_exact(&mut bytes[..entry_len])?;
        let value = if numbers.big { 12 } else { 8 };
        let is_kind = numbers.value(&bytes[..2]) == 254;
        // A reduced copy (bit 0), or a transparency mask (bit 2).
        partial = is_kind && numbers.value(&bytes[value..value + 4]) & 5 != 0;
    }
    let end = place
        .checked_add(count_len as u64 + count * entry_len as u64)
        .ok_or(io::ErrorKind::InvalidData)?;
    input.seek(SeekFrom::Start(end))?;
    Ok((partial, numbers.offset(input)?))
}

/// The entries of an icon's directory.
fn icon_entries(input: &mut dyn Input) -> io::Result<Vec<[u8; 16]>> {
    let mut head = [0; 6];
    input.seek(SeekFrom::Start(0))?;
    input.read_exact(&mut head)?;
    let mut entries = vec![[0; 16]; u16::from_le_bytes([head[4], head[5]]).into()];
    input.read_exact(entries.as_flattened_mut())?;
    Ok(entries)
}

impl BufRead for Paged<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let (start, bytes) = &self.patch;
        let end = start + bytes.len() as u64;
        if (*start..end).contains(&self.at) {
            return Ok(&bytes[(self.at - start) as usize..]);
        }
        let ahead = start.checked_sub(self.at).filter(|_| end > *start);
        let before = ahead.unwrap_or(u64::MAX);
        let buffer = self.input.fill_buf()?;
        let len = usize::try_from(before).map_or(buffer.len(), |before| before.min(buffer.len()));
        Ok(&buffer[..len])
    }

    fn consume(&mut self, count: usize) {
        let (start, bytes) = &self.patch;
        let patched = (*start..start + bytes.len() as u64).contains(&self.at);
        self.at += count as u64;
        if !patched {
            return self.input.consume(count);
        }
        // The bytes below those that were shown are passed over. A file that ends among them is found out by the next read.
        let mut left = count;
        while left > 0 {
            let Ok(len) = self.input.fill_buf().map(|buffer| buffer.len().min(left)) else {
                return;
            };
            if len == 0 {
                return;
            }
            self.input.consume(len);
            left -= len;
        }
    }
}

impl Read for Paged<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.patch.1.is_empty() {
            let len = self.input.read(out)?;
            self.at += len as u64;
            return Ok(len);
        }
        let buffer = self.fill_buf()?;
        let len = buffer.len().min(out.len());
        out[..len].copy_from_slice(&buffer[..len]);
        self.consume(len);
        Ok(len)
    }
}

impl Seek for Paged<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.input.seek(to)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn replaced_bytes_are_read_wherever_one_starts() {
        for start in 0..12 {
            for len in 0..4 {
                let mut expected: Vec<u8> = (0..12).collect();
                for byte in expected.iter_mut().skip(start).take(len) {
                    *byte += 100;
                }
                let bytes: Vec<u8> = (0..len).map(|at| (start + at) as u8 + 100).collect();
                if start + len > 12 {
                    continue;
                }
                for from in 0..12 {
                    let mut file = Cursor::new((0..12).collect::<Vec<u8>>());
                    let mut paged = Paged {
                        input: &mut file,
                        at: 0,
                        patch: (start as u64, bytes.clone()),
                        count: 1,
                    };
                    paged.seek(SeekFrom::Start(from as u64)).unwrap();
                    let mut found = Vec::new();
                    paged.read_to_end(&mut found).unwrap();
                    assert_eq!(found, expected[from..], "{start} {len} {from}");
                }
            }
        }
    }

    /// Directories at these places, each leading to the next, with their NewSubfileType.
    #[track_caller]
    fn check(kinds: &[u32], last: u32, expected: &[u64]) {
        for little in [true, false] {
            let long = |value: u32| {
                if little {
                    value.to_le_bytes()
                } else {
                    value.to_be_bytes()
                }
            };
            let short = |value: u16| {
                if little {
                    value.to_le_bytes()
                } else {
                    value.to_be_bytes()
                }
            };
            let mut file = if little { *b"II*\0" } else { *b"MM\0*" }.to_vec();
            file.extend(long(8));
            for (at, kind) in kinds.iter().enumerate() {
                file.extend(short(1));
                file.extend(short(254));
                file.extend(short(4));
                file.extend(long(1));
                file.extend(long(*kind));
                let next = file.len() as u32 + 4;
                file.extend(long(if at + 1 == kinds.len() { last } else { next }));
            }
            let found = tiff_pages(&mut Cursor::new(file)).unwrap();
            let found = found.map_or(Vec::new(), |(places, _)| places);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn pages_are_full_pictures_and_a_broken_chain_ends() {
        check(&[0], 0, &[8]);
        check(&[0, 2, 2], 0, &[8, 26, 44]);
        check(&[1, 0, 4], 0, &[26]);
        check(&[1, 1], 0, &[8, 26]);
        check(&[0, 0], 8, &[8, 26]);
        check(&[0, 0], 999_999, &[8, 26]);
        check(&[], 0, &[]);
    }
}
