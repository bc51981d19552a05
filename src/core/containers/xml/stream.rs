//! Reads XML from a stream, for parts that are too large for memory, such as the rows of a sheet. Holds one tag or one
//! piece of text in memory at a time.
//!
//! The reader of a format asks for token after token, and keeps track of the elements that it is in.
//! [`Reader`](super::Reader) is easier to use, and needs the whole file in memory.

use super::{
    Namespaces,
    element::{EVENTS_PER_CHECK, Element, MAX_DEPTH, Prefixes},
};
use crate::{
    coding::escape::reference,
    coding::utf8::Utf8,
    error::{Error, Kind, Result},
    job::{Job, read_buffered},
};
use quick_xml::events::Event;
use std::io::{self, BufRead, Read};

/// The longest tag, and the longest piece of text without a reference, in bytes.
const MAX_PIECE: usize = 4 << 20;

/// Reads one XML file from a stream.
pub struct Stream<'a, R: BufRead> {
    job: &'a Job<'a>,
    events: quick_xml::Reader<Bounded<Utf8<R>>>,
    buffer: Vec<u8>,
    /// The tag or the text that was read last.
    piece: String,
    prefixes: Prefixes,
    level: usize,
    since_check: u32,
}

/// A piece of an XML file.
#[derive(Debug)]
pub enum Token<'t> {
    /// The start of an element.
    Start(Element<'t>),
    /// The end of an element, also of an empty one, with the short name of its namespace and its local name.
    End(&'static str, &'t str),
    /// Text. Adjacent text may come in several pieces.
    Text(&'t str),
}

/// Kind of a token, without borrowing from it. A start tag begins with a name of `name` bytes.
enum Found {
    Start { name: usize },
    End,
    Text,
}

impl<'a, R: BufRead> Stream<'a, R> {
    /// Reads `source` from its beginning, in the encoding that it states.
    ///
    /// Errors: [`Kind::BadInput`] if it cannot be read.
    pub fn new(job: &'a Job<'a>, source: R, known: Namespaces) -> Result<Self> {
        let source = Utf8::xml(source).map_err(|err| job.unreadable(err))?;
        let mut events = quick_xml::Reader::from_reader(Bounded {
            inner: source,
            left: MAX_PIECE,
        });
        let config = events.config_mut();
        config.allow_dangling_amp = true;
        config.expand_empty_elements = true;
        Ok(Self {
            job,
            events,
            buffer: Vec::new(),
            piece: String::new(),
            prefixes: Prefixes::new(known),
            level: 0,
            since_check: 0,
        })
    }

    /// Reads the next token; `None` at the end of the file.
    ///
    /// Errors: [`Kind::BadInput`] for malformed XML, elements nested more than 512 deep, or a tag or a text of more
    /// than 4 MiB.
    // Not an `Iterator`, because that trait's items cannot borrow from the reader.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Token<'_>>> {
        let Some(found) = self.find()? else {
            return Ok(None);
        };
        Ok(Some(match found {
            Found::Text => Token::Text(&self.piece),
            Found::Start { name } => {
                let (name, attributes) = self.piece.split_at(name);
                let (space, name) = self.prefixes.resolve(name);
                Token::Start(Element {
                    space,
                    name,
                    attributes,
                })
            }
            Found::End => {
                let (space, name) = self.prefixes.resolve(&self.piece);
                Token::End(space, name)
            }
        }))
    }

    /// Reads events up to the next one that is a token, with limits on depth and on the size of a piece.
    fn find(&mut self) -> Result<Option<Found>> {
        // Declarations on an element also apply to the name in its end tag, so they are dropped only now, when the
        // caller requests the next token.
        self.prefixes.leave(self.level);
        loop {
            self.since_check += 1;
            if self.since_check == EVENTS_PER_CHECK {
                self.since_check = 0;
                self.job.check()?;
            }
            self.buffer.clear();
            self.events.get_mut().left = MAX_PIECE;
            let event = match self.events.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(quick_xml::Error::Io(err)) => return Err(self.job.unreadable(err.to_string())),
                Err(err) => {
                    let why = err.to_string();
                    return Err(self.malformed(&why));
                }
            };
            self.piece.clear();
            match event {
                Event::Start(start) => {
                    self.piece.push_str(&start);
                    let name = start.name().0.len();
                    self.level += 1;
                    if self.level > MAX_DEPTH {
                        return Err(
                            self.malformed("more than 512 elements are nested in one another")
                        );
                    }
                    self.prefixes.enter(self.level, &self.piece[name..]);
                    return Ok(Some(Found::Start { name }));
                }
                Event::End(end) => {
                    self.piece.push_str(end.name().0);
                    self.level = self.level.saturating_sub(1);
                    return Ok(Some(Found::End));
                }
                Event::Text(text) => {
                    push_lines(&mut self.piece, &text);
                    return Ok(Some(Found::Text));
                }
                Event::CData(text) => {
                    push_lines(&mut self.piece, &text);
                    return Ok(Some(Found::Text));
                }
                Event::GeneralRef(name) => {
                    self.piece.push_str(&reference(&name));
                    return Ok(Some(Found::Text));
                }
                Event::Eof if self.level > 0 => {
                    return Err(self.malformed("it ends in the middle of an element"));
                }
                Event::Eof => return Ok(None),
                Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_) => {}
            }
        }
    }

    /// The error for malformed XML.
    pub fn malformed(&self, why: &str) -> Error {
        let why: String = why.chars().take(160).collect();
        Error::new(
            Kind::BadInput,
            format!(
                "the file is not a readable {}: its XML is damaged at byte {}: {why}",
                self.job.from.name,
                self.events.buffer_position()
            ),
        )
    }
}

/// Appends text, with its line ends normalised as XML demands (XML 1.0, 2.11).
fn push_lines(piece: &mut String, text: &str) {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        piece.push_str(text);
        return;
    }
    piece.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
}

/// A reader that fails when a single piece becomes too long for memory.
struct Bounded<R> {
    inner: R,
    left: usize,
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::other(
                "a tag or a text in its XML is longer than 4 MiB",
            ));
        }
        let bytes = self.inner.fill_buf()?;
        Ok(&bytes[..bytes.len().min(self.left)])
    }

    fn consume(&mut self, len: usize) {
        self.left = self.left.saturating_sub(len);
        self.inner.consume(len);
    }
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}
