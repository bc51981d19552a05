//! Reads XML piece by piece without building a tree. Stores only the namespaces in scope.
//!
//! The reader of a format enters an element and requests its children with [`Reader::next`], giving the level of that
//! element. Content that is not requested is skipped, so unknown elements need no code. The usual form is
//! ```text
//! let level = xml.level();
//! while let Some(piece) = xml.next(level)? {
//!     match piece {
//!         Piece::Element(child) => match (child.space, child.name) { ("w", "p") => paragraph(xml, child)?, _ => {} },
//!         Piece::Text(text) => …
//!     }
//! }
//! ```

use super::element::{EVENTS_PER_CHECK, Element, MAX_DEPTH, Namespaces, is_same, iterate};
use crate::{
    coding::escape::reference,
    error::{Error, Kind, Result},
    job::Job,
};
use quick_xml::events::{Event, attributes::Attribute};
use std::borrow::Cow;

/// Number of tags that a file of any size may have. The limit is higher for larger files, by [`MAX_TAGS_PER_BYTE`].
const MAX_TAGS: u64 = 2_000_000;
/// Number of tags that a file may have, besides [`MAX_TAGS`], for each byte of the packed file. A malicious file can
/// unpack to a thousand times its size. Real documents unpack to some fifteen times theirs, and a tag takes thirty
/// bytes and more, so they have about half a tag for each packed byte.
const MAX_TAGS_PER_BYTE: u64 = 4;

/// Reads one XML file. A clone continues independently from the same position, for content that is read a second time
/// or later than its turn.
#[derive(Clone)]
pub struct Reader<'a> {
    job: &'a Job<'a>,
    source: &'a str,
    events: quick_xml::Reader<&'a [u8]>,
    known: Namespaces,
    /// The prefixes in force, innermost last: the level of the element that declares the prefix, the prefix, and the
    /// short name of its namespace.
    prefixes: Vec<(usize, &'a str, &'static str)>,
    level: usize,
    /// Whether the innermost element was `<empty/>`, so that its end has not been reported yet.
    empty: bool,
    since_check: u32,
}

/// A piece of an element's content.
#[derive(Clone, Debug)]
pub enum Piece<'a> {
    /// A child element. Its content comes next; the reader skips the part of it that the caller does not read.
    Element(Element<'a>),
    /// Text. Adjacent text may come in several pieces.
    Text(Cow<'a, str>),
}

impl<'a> Reader<'a> {
    /// Reads `source` from its beginning.
    pub fn new(job: &'a Job<'a>, source: &'a str, known: Namespaces) -> Self {
        let mut events = quick_xml::Reader::from_str(source);
        events.config_mut().allow_dangling_amp = true;
        Self {
            job,
            source,
            events,
            known,
            prefixes: Vec::new(),
            level: 0,
            empty: false,
            since_check: 0,
        }
    }

    /// Number of open elements, which is the level of the innermost one.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Number of bytes of the source that have been read, up to the end of a tag or a text.
    pub fn position(&self) -> usize {
        usize::try_from(self.events.buffer_position()).unwrap_or(usize::MAX)
    }

    /// The text of the source from this byte on.
    pub fn text_from(&self, start: usize) -> Option<&'a str> {
        self.source.get(start..)
    }

    /// Reads the next piece of the open element at `level`; `None` at its end. The unread content of elements inside it
    /// is skipped.
    ///
    /// Errors: [`Kind::BadInput`] for malformed XML, or elements nested more than 512 deep.
    pub fn next(&mut self, level: usize) -> Result<Option<Piece<'a>>> {
        if self.level < level {
            return Ok(None);
        }
        loop {
            if std::mem::take(&mut self.empty) {
                self.end();
                if self.level < level {
                    return Ok(None);
                }
            }
            self.since_check += 1;
            if self.since_check == EVENTS_PER_CHECK {
                self.since_check = 0;
                self.job.check()?;
            }
            let event = match self.events.read_event() {
                Ok(event) => event,
                Err(err) => return Err(self.malformed(&err.to_string())),
            };
            let own_level = self.level == level;
            match event {
                Event::Start(start) => {
                    let element = self.start(start.name().0.len(), start.len(), 1)?;
                    if own_level {
                        return Ok(Some(Piece::Element(element)));
                    }
                }
                Event::Empty(start) => {
                    let element = self.start(start.name().0.len(), start.len(), 2)?;
                    self.empty = true;
                    if own_level {
                        return Ok(Some(Piece::Element(element)));
                    }
                }
                Event::End(_) => {
                    self.end();
                    if self.level < level {
                        return Ok(None);
                    }
                }
                Event::Text(text) if own_level => return Ok(Some(Piece::Text(text.into_inner()))),
                Event::CData(text) if own_level => return Ok(Some(Piece::Text(text.into_inner()))),
                Event::GeneralRef(name) if own_level => {
                    return Ok(Some(Piece::Text(reference(&name))));
                }
                Event::Eof if self.level > 0 => {
                    return Err(self.malformed("it ends in the middle of an element"));
                }
                Event::Eof => return Ok(None),
                _ => {}
            }
        }
    }

    /// Reads the next child of the open element at `level`; `None` at its end. Skips text.
    pub fn next_element(&mut self, level: usize) -> Result<Option<Element<'a>>> {
        loop {
            match self.next(level)? {
                Some(Piece::Element(element)) => return Ok(Some(element)),
                Some(Piece::Text(_)) => {}
                None => return Ok(None),
            }
        }
    }

    /// Reads the start of the root element.
    ///
    /// Errors: [`Kind::BadInput`] if the file has no root element, or more tags than a file of its size may have.
    pub fn root(&mut self) -> Result<Element<'a>> {
        let tags = memchr::memchr_iter(b'<', self.source.as_bytes()).count() as u64;
        let most = MAX_TAGS + MAX_TAGS_PER_BYTE * self.job.input_len;
        if tags > most {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the {} looks like a decompression bomb: it unpacks to {tags} XML tags; at most {most} are read from a file of its size",
                    self.job.from.name
                ),
            ));
        }
        let root = self.next_element(0)?;
        root.ok_or_else(|| self.malformed("it holds no element"))
    }

    /// The attributes of the element that was entered last, without namespace declarations: the short name of the
    /// namespace, the local name and the value. An attribute without a prefix has no namespace (Namespaces in XML 1.0,
    /// 6.2).
    pub fn attributes(&self, element: &Element<'a>) -> Vec<(&'static str, &'a str, Cow<'a, str>)> {
        let named = |(name, value): (&'a str, Cow<'a, str>)| match name.split_once(':') {
            Some((prefix, local)) => (self.space(prefix), local, value),
            None => ("", name, value),
        };
        element.prefixed_attributes().map(named).collect()
    }

    /// Reads all text in the innermost element, including the text of the elements in it.
    pub fn text(&mut self) -> Result<String> {
        let level = self.level;
        let mut text = String::new();
        while let Some(piece) = self.next(level)? {
            match piece {
                Piece::Text(piece) => text.push_str(&piece),
                Piece::Element(_) => text.push_str(&self.text()?),
            }
        }
        Ok(text)
    }

    /// The error for malformed XML.
    pub fn malformed(&self, why: &str) -> Error {
        let at = self.events.buffer_position();
        // The parser's reason may quote the file at any length, so it is cut.
        let why: String = why.chars().take(160).collect();
        Error::new(
            Kind::BadInput,
            format!(
                "the file is not a readable {}: its XML is damaged at byte {at}: {why}",
                self.job.from.name
            ),
        )
    }

    /// Enters the element whose start tag has just been read. `name` is the length of its name, `len` the length of
    /// everything between its angle brackets, and `closing` that of `>` or `/>`, all in bytes.
    fn start(&mut self, name: usize, len: usize, closing: usize) -> Result<Element<'a>> {
        self.level += 1;
        if self.level > MAX_DEPTH {
            return Err(self.malformed("more than 512 elements are nested in one another"));
        }
        let end = usize::try_from(self.events.buffer_position()).unwrap_or(usize::MAX);
        let end = end.saturating_sub(closing);
        let tag = self.source.get(end.saturating_sub(len)..end);
        let (name, attributes) = tag
            .unwrap_or_default()
            .split_at_checked(name)
            .unwrap_or_default();
        if memchr::memmem::find(attributes.as_bytes(), b"xmlns").is_some() {
            self.declare(attributes);
        }
        let (prefix, name) = name.split_once(':').unwrap_or(("", name));
        let space = self.space(prefix);
        Ok(Element {
            space,
            name,
            attributes,
        })
    }

    fn end(&mut self) {
        while self
            .prefixes
            .last()
            .is_some_and(|(level, ..)| *level == self.level)
        {
            self.prefixes.pop();
        }
        self.level = self.level.saturating_sub(1);
    }

    fn declare(&mut self, attributes: &'a str) {
        for Attribute { key, value } in iterate(attributes) {
            let prefix = match key.0.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) => match rest.strip_prefix(':') {
                    Some(prefix) => prefix,
                    None => continue,
                },
                None => continue,
            };
            let known = self.known.iter().find(|(name, _)| *name == value);
            let space = known.map_or("", |(_, space)| *space);
            self.prefixes.push((self.level, prefix, space));
        }
    }

    fn space(&self, prefix: &str) -> &'static str {
        let mut inner = self.prefixes.iter().rev();
        inner
            .find(|(_, known, _)| is_same(known, prefix))
            .map_or("", |(.., space)| space)
    }
}
