//! Reads all of an XML file event by event, including parts that the other readers skip: prefixes, namespace
//! declarations, and the presence of comments. It serves the conversion of XML as data, whatever the data means.
//! Resolves no namespaces, and no entities that the file declares.
//!
//! The other readers tolerate small faults, because a damaged document is better than none. Here they are errors,
//! because skipping a fault would silently change the data.

use super::element::EVENTS_PER_CHECK;
use crate::{
    coding::escape::{is_forbidden, reference},
    error::{Error, Result},
    job::Job,
};
use quick_xml::events::{BytesStart, Event as Found};
use std::{borrow::Cow, collections::HashSet};

/// Limit on the attributes of an element, all of which are in memory before the caller sees the element.
const MAX_ATTRIBUTES: usize = 65_536;

/// Reads one XML file.
pub struct Events<'a> {
    job: &'a Job<'a>,
    source: &'a str,
    reader: quick_xml::Reader<&'a [u8]>,
    /// Number of open elements.
    level: usize,
    /// Whether the root element has ended.
    is_past_root: bool,
    /// Whether the last element was `<empty/>`, so that its end has not been reported yet.
    is_empty: bool,
    since_check: u32,
}

/// A piece of the file, in the order of the file.
#[derive(Debug)]
pub enum Event<'a> {
    /// Start of an element.
    Start(Tag),
    /// End of the innermost element.
    End,
    /// Text, a part of it, or a CDATA section, in the innermost element.
    Text(Cow<'a, str>),
    /// A reference to an entity that is not predefined, as it stands in the file: `&name;`.
    Unresolved(Cow<'a, str>),
    /// A comment, whose text is not reported.
    Comment,
    /// A processing instruction.
    Instruction,
    /// A document type declaration.
    DocumentType,
}

/// Start tag of an element.
#[derive(Debug)]
pub struct Tag {
    /// The name with its prefix.
    pub name: String,
    /// Attributes in the order of the file, including namespace declarations: names with their prefixes, and values.
    pub attributes: Vec<(String, String)>,
    /// Number of references in the values to entities that are not predefined. They stay as they are.
    pub unresolved: u64,
}

impl<'a> Events<'a> {
    /// Reads `source` from its beginning.
    pub fn new(job: &'a Job<'a>, source: &'a str) -> Self {
        Self {
            job,
            source,
            reader: quick_xml::Reader::from_str(source),
            level: 0,
            is_past_root: false,
            is_empty: false,
            since_check: 0,
        }
    }

    /// Reads the next event; `None` at the end of the file.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for XML that is not well-formed, and those of the job.
    // Not an `Iterator`, because an error ends the file.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Event<'a>>> {
        if std::mem::take(&mut self.is_empty) {
            return self.end();
        }
        loop {
            self.since_check += 1;
            if self.since_check == EVENTS_PER_CHECK {
                self.since_check = 0;
                self.job.check()?;
            }
            let found = match self.reader.read_event() {
                Ok(found) => found,
                Err(err) => return Err(self.malformed(&err.to_string())),
            };
            return Ok(Some(match found {
                Found::Start(start) => Event::Start(self.start(&start)?),
                Found::Empty(start) => {
                    self.is_empty = true;
                    Event::Start(self.start(&start)?)
                }
                Found::End(_) => return self.end(),
                Found::Text(text) => {
                    let text = text.into_inner();
                    if self.level > 0 {
                        Event::Text(with_line_feeds(text))
                    } else if text.trim_matches(is_space).is_empty() {
                        continue;
                    } else {
                        return Err(self.malformed("there is text outside of the root element"));
                    }
                }
                Found::CData(_) | Found::GeneralRef(_) if self.level == 0 => {
                    return Err(self.malformed("there is text outside of the root element"));
                }
                Found::CData(text) => Event::Text(with_line_feeds(text.into_inner())),
                Found::GeneralRef(name) => {
                    if !is_allowed(&name) {
                        let why = format!("&{}; is not a character that XML allows", &*name);
                        return Err(self.malformed(&why));
                    }
                    let text = reference(&name);
                    match is_resolved(&name, &text) {
                        true => Event::Text(text),
                        false => Event::Unresolved(text),
                    }
                }
                Found::Comment(_) => Event::Comment,
                Found::PI(_) => Event::Instruction,
                Found::DocType(_) | Found::Decl(_) if self.level > 0 || self.is_past_root => {
                    return Err(self.malformed("a declaration is not at the beginning of the file"));
                }
                Found::DocType(_) => Event::DocumentType,
                Found::Decl(_) => continue,
                Found::Eof if self.level > 0 => {
                    return Err(self.malformed("the file ends in the middle of an element"));
                }
                Found::Eof if !self.is_past_root => {
                    return Err(self.malformed("the file holds no element"));
                }
                Found::Eof => return Ok(None),
            }));
        }
    }

    /// Enters an element.
    fn start(&mut self, start: &BytesStart<'_>) -> Result<Tag> {
        if self.is_past_root {
            return Err(self.malformed("there is a second root element"));
        }
        self.level += 1;
        let mut tag = Tag {
            name: start.name().0.to_owned(),
            attributes: Vec::new(),
            unresolved: 0,
        };
        // The parser's own search for names that occur twice takes quadratic time, so a set finds them.
        let mut attributes = start.attributes();
        attributes.with_checks(false);
        let mut names = HashSet::new();
        for attribute in attributes {
            let attribute = attribute.map_err(|err| self.malformed(&err.to_string()))?;
            if names.len() >= MAX_ATTRIBUTES {
                let why = format!("an element has more than {MAX_ATTRIBUTES} attributes");
                return Err(self.malformed(&why));
            }
            let name = attribute.key.0.to_owned();
            if !names.insert(name.clone()) {
                let why = format!("the attribute {name} occurs twice in an element");
                return Err(self.malformed(&why));
            }
            let Some(value) = value(&attribute.value, &mut tag.unresolved) else {
                let why = format!(
                    "the value of the attribute {name} has an & that begins no reference, or a reference to a character that XML does not allow"
                );
                return Err(self.malformed(&why));
            };
            tag.attributes.push((name, value));
        }
        Ok(tag)
    }

    /// Leaves the innermost element.
    fn end(&mut self) -> Result<Option<Event<'a>>> {
        self.level = self.level.saturating_sub(1);
        self.is_past_root = self.level == 0;
        Ok(Some(Event::End))
    }

    /// Error for XML that is not well-formed, with the number of the line.
    pub fn malformed(&self, why: &str) -> Error {
        let at = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        let read = &self.source.as_bytes()[..at.min(self.source.len())];
        let line = 1 + memchr::memchr_iter(b'\n', read).count();
        // The parser's reason may quote the file at any length, so it is cut.
        let why: String = why.chars().take(160).collect();
        self.job.unreadable(format!("line {line}: {why}"))
    }
}

/// Returns whether a character is white space of XML (production 3).
pub fn is_space(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\r' | '\n')
}

/// Normalises line ends (2.11).
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    match memchr::memchr(b'\r', text.as_bytes()) {
        Some(_) => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        None => text,
    }
}

/// Returns whether `text` is the character for which the reference `&name;` stands, and not the reference itself.
fn is_resolved(name: &str, text: &str) -> bool {
    name == "amp" || !text.starts_with('&') || text.len() == 1
}

/// Returns whether a reference is to an entity, or to a character that XML allows (4.1, 2.2).
fn is_allowed(name: &str) -> bool {
    let Some(digits) = name.strip_prefix('#') else {
        return true;
    };
    let (digits, base) = match digits.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    // `from_str_radix` would also accept a sign.
    let is_number = digits.chars().all(|digit| digit.is_digit(base));
    let number = u32::from_str_radix(digits, base).ok().filter(|_| is_number);
    number
        .and_then(char::from_u32)
        .is_some_and(|sign| !is_forbidden(sign))
}

/// Value of an attribute: line ends and tabs become spaces (3.3.3), and references are resolved. `None` if an ampersand
/// begins no reference, or a reference to a character that XML does not allow.
fn value(raw: &str, unresolved: &mut u64) -> Option<String> {
    let mut value = String::with_capacity(raw.len());
    let text = raw.replace("\r\n", " ").replace(['\t', '\n', '\r'], " ");
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once('&') {
        let (name, after) = after.split_once(';')?;
        if name.is_empty() || name.contains(is_space) || !is_allowed(name) {
            return None;
        }
        let text = reference(name);
        *unresolved += u64::from(!is_resolved(name, &text));
        value.push_str(before);
        value.push_str(&text);
        rest = after;
    }
    value.push_str(rest);
    Some(value)
}
