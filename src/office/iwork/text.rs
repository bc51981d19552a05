//! Divides a text into pieces. Reads no styles.
//!
//! A text is a string with tables beside it, one for each kind of property: styles of paragraphs, styles of characters,
//! lists, links, and inline objects. An entry of a table applies from its position up to the next entry. Positions are
//! counted in UTF-16 code units. Control characters end paragraphs, pages and sections.

use super::kind;
use crate::{
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Job, Lease},
};
use std::ops::Range;

/// Memory of an entry of a table, in bytes.
const ENTRY: u64 = 16;

/// Capacity of a growing text, as a multiple of its length.
const GROWTH: u64 = 2;

/// Numbers of the fields that contain the tables.
mod field {
    pub(super) const PARAGRAPHS: u32 = 5;
    pub(super) const LEVELS: u32 = 6;
    pub(super) const LISTS: u32 = 7;
    pub(super) const CHARACTERS: u32 = 8;
    pub(super) const OBJECTS: u32 = 9;
    pub(super) const LINKS: u32 = 11;
    pub(super) const STARTS: u32 = 14;
    pub(super) const NOTES: u32 = 16;
    pub(super) const SECTIONS: u32 = 17;
    pub(super) const DELETED: u32 = 22;
}

/// Part of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece<'t> {
    /// Beginning of a paragraph.
    Begin {
        /// Number of the style.
        style: Option<u64>,
        /// Number of the list's style.
        list: Option<u64>,
        /// Level in the list, from 0.
        level: u8,
        /// Number of the item, if it does not follow from the items before.
        start: Option<u32>,
    },
    /// End of a paragraph.
    End,
    /// Characters with the number of their style.
    Characters(&'t str, Option<u64>),
    LineBreak,
    PageBreak,
    ColumnBreak,
    /// Beginning of a section, with the number of its object.
    Section(u64),
    /// An inline object, by its number.
    Object(u64),
    /// A footnote, by the number of its reference.
    Note(u64),
    /// Beginning of a link to an address, or (`None`) end of the link.
    Link(Option<&'t str>),
    /// Beginning of a tracked deletion, whose text is left out.
    Deleted,
}

/// A text of a document, with its properties.
pub struct Text<'o> {
    job: &'o Job<'o>,
    objects: &'o Objects<'o>,
    storage: Message<'o>,
    text: String,
    lease: Lease<'o>,
}

/// A table of properties: positions with values, in ascending order. `next` is the index of the first entry that was
/// not reached.
#[derive(Debug, Default)]
struct Marks<T> {
    entries: Vec<(u64, T)>,
    next: usize,
}

impl<T: Copy> Marks<T> {
    fn new(mut entries: Vec<(u64, T)>) -> Self {
        entries.sort_by_key(|(at, _)| *at);
        Self { entries, next: 0 }
    }

    /// Advances to a position. Returns the value of the last entry passed on the way, if there is one.
    fn reach(&mut self, at: u64) -> Option<T> {
        let mut found = None;
        while let Some((begin, value)) = self.entries.get(self.next) {
            if *begin > at {
                break;
            }
            found = Some(*value);
            self.next += 1;
        }
        found
    }

    /// Returns the position of the next entry. `u64::MAX` after the last one.
    fn position(&self) -> u64 {
        self.entries.get(self.next).map_or(u64::MAX, |(at, _)| *at)
    }
}

/// State of a text while it is divided.
struct Walk<'t> {
    paragraphs: Marks<Option<u64>>,
    levels: Marks<u32>,
    lists: Marks<Option<u64>>,
    characters: Marks<Option<u64>>,
    objects: Marks<Option<u64>>,
    links: Marks<Option<u64>>,
    starts: Marks<u32>,
    notes: Marks<Option<u64>>,
    sections: Marks<Option<u64>>,
    deleted: Marks<Option<u64>>,
    style: Option<u64>,
    list: Option<u64>,
    level: u8,
    /// Number of the style of the current characters.
    look: Option<u64>,
    is_deleted: bool,
    is_open: bool,
    link: Option<&'t str>,
}

impl<'o> Text<'o> {
    /// Opens the text of the object with this number. `None` if it is not a text.
    pub fn open(job: &'o Job<'o>, objects: &'o Objects<'o>, number: u64) -> Result<Option<Self>> {
        let Some(storage) = objects.of(number, kind::STORAGES) else {
            return Ok(None);
        };
        let mut text = Self {
            job,
            objects,
            storage,
            text: String::new(),
            lease: job.empty_lease(),
        };
        for piece in storage.all(3) {
            job.check()?;
            let piece = String::from_utf8_lossy(piece.0);
            text.lease.grow(GROWTH * piece.len() as u64)?;
            text.text.push_str(&piece);
        }
        Ok(Some(text))
    }

    /// Returns the length of the text, in bytes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Calls `piece` for each piece of the text, in order.
    pub fn walk(&self, piece: &mut dyn FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let mut walk = Walk {
            paragraphs: self.marks(field::PARAGRAPHS)?,
            levels: self.numbers(field::LEVELS)?,
            lists: self.marks(field::LISTS)?,
            characters: self.marks(field::CHARACTERS)?,
            objects: self.marks(field::OBJECTS)?,
            links: self.marks(field::LINKS)?,
            starts: self.numbers(field::STARTS)?,
            notes: self.marks(field::NOTES)?,
            sections: self.marks(field::SECTIONS)?,
            deleted: self.marks(field::DELETED)?,
            style: None,
            list: None,
            level: 0,
            look: None,
            is_deleted: false,
            is_open: false,
            link: None,
        };
        let mut begin = 0;
        // Position of the current character, in UTF-16 code units.
        let mut at = 0;
        // Position of the next entry that [`Self::change`] must apply, in UTF-16 code units.
        let mut change = 0;
        for (place, c) in self.text.char_indices() {
            let is_control =
                c < ' ' && c != '\t' || matches!(c, '\u{fffc}' | '\u{2028}' | '\u{2029}');
            if at >= change || is_control || !walk.is_open {
                self.job.check()?;
                walk.characters(&self.text, begin..place, piece)?;
                begin = place;
                change = self.change(&mut walk, at, piece)?;
            }
            if is_control {
                walk.control(c, at, piece)?;
                begin = place + c.len_utf8();
            }
            at += c.len_utf16() as u64;
        }
        walk.characters(&self.text, begin..self.text.len(), piece)?;
        walk.end(piece)
    }

    /// Applies the entries up to a position that change sections, deletions, characters and links, and begins a
    /// paragraph if none is open. Returns the position of the next such entry.
    fn change<'t>(
        &'t self,
        walk: &mut Walk<'t>,
        at: u64,
        piece: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<u64> {
        if let Some(section) = walk.sections.reach(at).flatten() {
            piece(Piece::Section(section))?;
        }
        if let Some(deleted) = walk.deleted.reach(at) {
            walk.is_deleted = deleted.is_some();
            if walk.is_deleted {
                piece(Piece::Deleted)?;
            }
        }
        if !walk.is_open {
            walk.begin(at, piece)?;
        }
        if let Some(look) = walk.characters.reach(at) {
            walk.look = look;
        }
        if let Some(link) = walk.links.reach(at) {
            let link = self.objects.of(link, &[kind::LINK]);
            let target = link.and_then(|link| link.text(2));
            // Links within a document have addresses without a scheme, and are left out.
            let target = target.filter(|target| target.contains(':'));
            if walk.link.is_some() {
                piece(Piece::Link(None))?;
            }
            if target.is_some() {
                piece(Piece::Link(target))?;
            }
            walk.link = target;
        }
        let next = [
            walk.sections.position(),
            walk.deleted.position(),
            walk.characters.position(),
            walk.links.position(),
        ];
        Ok(next.into_iter().min().unwrap_or(u64::MAX))
    }

    /// Reads a table of references to objects.
    fn marks(&self, field: u32) -> Result<Marks<Option<u64>>> {
        self.table(field, |entry| entry.reference(2))
    }

    /// Reads a table of numbers.
    fn numbers(&self, field: u32) -> Result<Marks<u32>> {
        self.table(field, |entry| {
            let number = entry.number(2).unwrap_or(0);
            number.min(u32::MAX.into()) as u32
        })
    }

    /// Reads a table of the text: values, each with the position from which it applies.
    fn table<T: Copy>(&self, field: u32, value: impl Fn(Message<'o>) -> T) -> Result<Marks<T>> {
        let mut entries = Vec::new();
        if let Some(table) = self.storage.message(field) {
            for entry in table.all(1) {
                self.job.check()?;
                self.lease.grow(ENTRY)?;
                entries.push((entry.number(1).unwrap_or(0), value(entry)));
            }
        }
        Ok(Marks::new(entries))
    }
}

/// Returns whether the text of the object with this number has visible content: characters other than white space, or
/// objects.
pub fn has_words(objects: &Objects<'_>, number: u64) -> bool {
    let storage = objects.of(number, kind::STORAGES);
    let mut pieces = storage.iter().flat_map(|storage| storage.all(3));
    pieces.any(|piece| {
        let mut chunks = piece.0.utf8_chunks();
        chunks.any(|chunk| !chunk.valid().trim().is_empty() || !chunk.invalid().is_empty())
    })
}

impl Walk<'_> {
    /// Begins a paragraph with the style, the list and the level that apply at this position.
    fn begin(&mut self, at: u64, piece: &mut dyn FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        /// Number of list levels in Pages, Numbers and Keynote.
        const LEVELS: u32 = 9;
        // An entry without an object repeats the style before it.
        if let Some(style) = self.paragraphs.reach(at).flatten() {
            self.style = Some(style);
        }
        if let Some(list) = self.lists.reach(at).flatten() {
            self.list = Some(list);
        }
        if let Some(level) = self.levels.reach(at) {
            self.level = level.min(LEVELS - 1) as u8;
        }
        // An entry of `starts` applies only to the paragraph that begins at its position; later paragraphs continue
        // from its number.
        let start = match self.starts.entries.get(self.starts.next) {
            Some((begin, start)) if *begin == at && *start > 0 => Some(*start),
            _ => None,
        };
        self.starts.reach(at);
        self.is_open = true;
        piece(Piece::Begin {
            style: self.style,
            list: self.list,
            level: self.level,
            start,
        })
    }

    /// Ends the open paragraph, and the link in it.
    fn end(&mut self, piece: &mut dyn FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        if !std::mem::take(&mut self.is_open) {
            return Ok(());
        }
        if self.link.take().is_some() {
            piece(Piece::Link(None))?;
        }
        piece(Piece::End)
    }

    /// Passes on a part of the text, unless it is deleted.
    fn characters(
        &self,
        text: &str,
        range: Range<usize>,
        piece: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        match text.get(range) {
            Some(text) if !text.is_empty() && !self.is_deleted => {
                piece(Piece::Characters(text, self.look))
            }
            _ => Ok(()),
        }
    }

    /// Handles a control character, or a character that stands for an object.
    fn control(
        &mut self,
        c: char,
        at: u64,
        piece: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let object = self.objects.position() <= at;
        let object = object.then(|| self.objects.reach(at)).flatten().flatten();
        let note = self.notes.position() <= at;
        let note = note.then(|| self.notes.reach(at)).flatten().flatten();
        if self.is_deleted {
            return Ok(());
        }
        match c {
            '\n' | '\r' | '\u{2029}' => self.end(piece),
            '\u{2028}' | '\u{b}' => piece(Piece::LineBreak),
            '\u{4}' => self.end(piece),
            '\u{5}' => {
                piece(Piece::PageBreak)?;
                self.end(piece)
            }
            '\u{c}' => {
                piece(Piece::ColumnBreak)?;
                self.end(piece)
            }
            '\u{e}' => note.map_or(Ok(()), |note| piece(Piece::Note(note))),
            '\u{fffc}' => object.map_or(Ok(()), |object| piece(Piece::Object(object))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_are_found_in_order() {
        let mut marks = Marks::new(vec![(9, 'c'), (0, 'a'), (4, 'b')]);
        assert_eq!(marks.reach(0), Some('a'));
        assert_eq!(marks.reach(3), None);
        assert_eq!(marks.position(), 4);
        assert_eq!(marks.reach(20), Some('c'));
        assert_eq!((marks.position(), marks.reach(u64::MAX)), (u64::MAX, None));
    }
}
