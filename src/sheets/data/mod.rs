//! Data with names and lists in JSON, JSON Lines, YAML, TOML and XML, and conversions between them. Computes nothing,
//! and follows no reference out of a file.
//!
//! Tables are streamed row by row by [`stream`](super::stream). Here a whole file is in memory, except in the
//! conversions of [`lines`], because an alias of YAML may repeat anything above it, and a table of TOML may be
//! continued at the end. Numbers are kept as digits, because no numeric type of Rust can hold all of them.

pub(crate) mod json;
mod lines;
mod lost;
pub(crate) mod toml;
pub(crate) mod xml;
pub(crate) mod yaml;

use crate::{
    coding::utf8::{Utf8, encoding_of},
    error::{Error, Kind, Result},
    format::Format,
    job::{Input, Job, Lease, Notes, Output},
};
pub(crate) use lost::Lost;
use std::{
    collections::HashMap,
    io::{Cursor, Read},
};

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 32 << 20;

/// Maximum number of values in a file. A value that an alias repeats counts each time.
const MAX_VALUES: u64 = 4_000_000;

/// Maximum length of the texts that aliases repeat, in bytes.
const MAX_REPEATED: u64 = 256 << 20;

/// Maximum nesting of values.
const DEEPEST: usize = 128;

/// Names of the data formats.
const NAMES: [&str; 5] = ["json", "jsonl", "yaml", "toml", "xml"];

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// The null value.
    Nothing,
    Boolean(bool),
    /// A number in the notation of JSON (RFC 8259, section 6), with any number of digits.
    Number(String),
    /// An infinite or invalid number in the notation of YAML: `.inf`, `-.inf`, `.nan`.
    Unbounded(&'static str),
    Text(String),
    /// A date, a time, or both, in the notation of RFC 3339.
    Moment(String),
    /// Values without names.
    List(Vec<Self>),
    /// Names with their values.
    Map(Map),
}

/// Names with their values, in the order of the file.
pub(crate) type Map = Vec<(String, Node)>;

/// Size of a value, including the values inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Size {
    /// Number of values, counting this one.
    values: u64,
    /// Length of all texts and names, in bytes.
    text: u64,
    /// Levels of lists and maps. 0 for a scalar, and for an empty list or map.
    depth: usize,
    /// Total indentation of the values inside, in spaces: two for each level below this value.
    indents: u64,
}

impl Size {
    /// Adds a value within this one.
    fn add(&mut self, inner: Self) {
        self.values += inner.values;
        self.text = self.text.saturating_add(inner.text);
        self.depth = self.depth.max(inner.depth + 1);
        let deeper = inner.indents.saturating_add(2 * inner.values);
        self.indents = self.indents.saturating_add(deeper);
    }

    /// Upper bound of the length of the written text, in bytes, if no character is escaped. Brackets, quotation marks
    /// and separators take at most 16 bytes a value. Indentation counts twice, because closing brackets are indented,
    /// too.
    fn written(self) -> u64 {
        let indents = self.indents.saturating_mul(2);
        indents
            .saturating_add(self.text)
            .saturating_add(16 * self.values)
    }
}

impl Node {
    /// Returns whether this value is a list of one or more maps, which can be the rows of a table.
    fn is_rows(&self) -> bool {
        match self {
            Self::List(items) => {
                !items.is_empty() && items.iter().all(|item| matches!(item, Self::Map(_)))
            }
            Self::Nothing
            | Self::Boolean(_)
            | Self::Number(_)
            | Self::Unbounded(_)
            | Self::Text(_)
            | Self::Moment(_)
            | Self::Map(_) => false,
        }
    }

    /// Size of this value. The recursion is bounded, because the readers limit the depth of values.
    fn size(&self) -> Size {
        let mut size = Size {
            values: 1,
            ..Size::default()
        };
        match self {
            Self::Text(text) | Self::Number(text) | Self::Moment(text) => {
                size.text = text.len() as u64
            }
            Self::List(items) => items.iter().for_each(|item| size.add(item.size())),
            Self::Map(entries) => {
                for (name, node) in entries {
                    size.text += name.len() as u64;
                    size.add(node.size());
                }
            }
            Self::Nothing | Self::Boolean(_) | Self::Unbounded(_) => {}
        }
        size
    }
}

/// Returns whether both formats are data, so that a file is converted as a whole. JSON to JSON is a conversion of
/// tables.
pub(crate) fn is_pair(from: &Format, to: &Format) -> bool {
    let is_data = |format: &Format| NAMES.contains(&format.name);
    is_data(from) && is_data(to) && [from.name, to.name] != ["json"; 2]
}

/// Converts a data file.
///
/// Errors: [`Kind::BadInput`] if the file is damaged, too large, or nested too deep.
pub(crate) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    if lines::is_pair(job.from, job.to) {
        return lines::convert(job, input, output);
    }
    let mut lost = Lost::default();
    let (node, lease) = read(job, input, &mut lost)?;
    let mut out = String::new();
    let node = match (job.from.name, job.to.name) {
        ("xml", "jsonl") => items_of_xml(node, &lease, notes)?,
        _ => node,
    };
    reserve(job, &node, &lease)?;
    match job.to.name {
        "jsonl" => json::write_lines(&node, &mut lost, &mut out),
        "yaml" => yaml::write(&node, &mut out),
        "toml" => toml::write(&node, &mut lost, &mut out),
        "xml" => xml::write(&node, &mut lost, &mut out),
        _ => {
            json::write(&node, Some(0), &mut lost, &mut out);
            out.push('\n');
        }
    }
    job.check()?;
    lost.add_notes(notes);
    output.write_all(out.as_bytes()).map_err(Error::unwritten)
}

/// Returns the only list of elements in an XML file, whose items become lines, or else the value of the whole file.
fn items_of_xml(node: Node, lease: &Lease<'_>, notes: &mut Notes) -> Result<Node> {
    let size = node.size();
    lease.grow(size.values * Budget::VALUE + size.text)?;
    Ok(match xml::tabular(node.clone()) {
        (Node::Map(entries), opened) if has_list(&entries, false) => {
            let (list, name) = only_list(entries, opened.is_some());
            notes.0.extend(name.map(only_list_note));
            list
        }
        _ => node,
    })
}

/// Reserves memory for the written text of a value: twice its length, because a growing buffer doubles its capacity.
/// Aliases and deep nesting make the text much longer than the file.
///
/// Errors: those of [`Job::check_growth`] and of the job's memory.
fn reserve(job: &Job<'_>, node: &Node, lease: &Lease<'_>) -> Result<()> {
    let written = match job.to.name {
        "xml" => xml::length(node),
        _ => node.size().written(),
    };
    job.check_growth(written)?;
    lease.grow(2 * written.max(job.input_len))
}

/// A list of rows as JSON, which was taken out of a file of data.
pub(crate) struct Table<'a> {
    pub(crate) json: Cursor<Vec<u8>>,
    /// Notes on losses, and on content of the file outside of the list.
    pub(crate) notes: Notes,
    /// Whether all values are texts because the format of the file has no types.
    pub(crate) is_untyped: bool,
    /// Memory of the text.
    _lease: Lease<'a>,
}

/// Content of a data file for a table or a document.
pub(crate) enum Content<'a> {
    Table(Table<'a>),
    /// The text of a file that holds no table, and the memory for it.
    Text(String, Lease<'a>),
}

/// Reads a data file that contains a table.
///
/// Errors: those of [`content`]; [`Kind::BadInput`] if there is no table.
pub(crate) fn table<'a>(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Table<'a>> {
    match content(job, input, false)? {
        Content::Table(table) => Ok(table),
        Content::Text(..) => Err(job.unreadable(
            "it contains no table: a table is a list of objects, or a map with exactly one such list; convert the file to json, jsonl, yaml, toml, xml or a document instead",
        )),
    }
}

/// Reads a data file as a table, or else as text. It contains a table if it is a list, a map whose only value is a
/// list, or, unless `is_whole`, a map in which exactly one value is a list of maps. In XML, this is decided after
/// [`xml::tabular`]. The text of JSON is indented, the text of another format is that of the file.
///
/// Errors: those of [`convert`].
pub(crate) fn content<'a>(
    job: &'a Job<'a>,
    input: &mut dyn Input,
    is_whole: bool,
) -> Result<Content<'a>> {
    let mut lost = Lost::default();
    let (node, lease) = read(job, input, &mut lost)?;
    let mut text = String::new();
    reserve(job, &node, &lease)?;
    let (node, opened) = match job.from.name {
        "xml" => xml::tabular(node),
        _ => (node, None),
    };
    let node = match job.from.name {
        "xml" if !is_whole => xml::as_row(node),
        _ => node,
    };
    let is_reduced = opened.is_some();
    let has_table = |entries| has_list(entries, is_whole) && !(is_whole && is_reduced);
    let (table, name) = match node {
        Node::Map(entries) if has_table(&entries) => only_list(entries, is_reduced),
        node @ Node::List(_) => (node, opened),
        node => {
            match job.from.name {
                "json" => json::write(&node, Some(0), &mut lost, &mut text),
                _ => text = decoded(job, input)?,
            }
            return Ok(Content::Text(text, lease));
        }
    };
    json::write(&table, None, &mut lost, &mut text);
    let mut notes = Notes::default();
    lost.add_notes(&mut notes);
    notes.0.extend(name.map(only_list_note));
    Ok(Content::Table(Table {
        json: Cursor::new(text.into_bytes()),
        notes,
        is_untyped: job.from.name == "xml",
        _lease: lease,
    }))
}

/// Returns whether a map contains a table; if `is_whole`, nothing else may be in it.
fn has_list(entries: &Map, is_whole: bool) -> bool {
    match entries.as_slice() {
        [(_, node)] => matches!(node, Node::List(_)),
        _ => !is_whole && entries.iter().filter(|(_, node)| node.is_rows()).count() == 1,
    }
}

/// Note for a file with other values besides the converted list.
fn only_list_note(name: String) -> String {
    format!(
        "Only the list {name:?} was converted, because a table cannot contain the other values."
    )
}

/// The table in a map that contains one, and its name if the map has other values or `is_reduced`.
fn only_list(entries: Map, is_reduced: bool) -> (Node, Option<String>) {
    let is_alone = entries.len() == 1;
    let mut lists = entries
        .into_iter()
        .filter(|(_, node)| is_alone || node.is_rows());
    match lists.next() {
        Some((name, list)) => (list, (!is_alone || is_reduced).then_some(name)),
        None => (Node::Nothing, None),
    }
}

/// Reads a data file.
fn read<'a>(job: &Job<'a>, input: &mut dyn Input, lost: &mut Lost) -> Result<(Node, Lease<'a>)> {
    if job.input_len > MAX_BYTES {
        let text = format!(
            "the {} file is larger than {} MiB, the limit",
            job.from.name,
            MAX_BYTES >> 20
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    // Memory of the text, which is longer in UTF-8, and of the parser.
    let mut budget = Budget {
        job: *job,
        lease: job.lease(8 * job.input_len)?,
        values: 0,
        repeated: 0,
    };
    let text = decoded(job, input)?;
    lost.comments = matches!(job.from.name, "yaml" | "toml") && has_comments(&text);
    let node = match job.from.name {
        "yaml" => yaml::read(&text, &mut budget, lost)?,
        "toml" => toml::read(&text, &mut budget)?,
        "xml" => xml::read(&text, &mut budget, lost)?,
        "jsonl" => json::read_lines(&text, &mut budget, lost)?,
        _ => json::read(&text, &mut budget, lost)?,
    };
    Ok((node, budget.lease))
}

/// The text of a file in UTF-8.
fn decoded(job: &Job<'_>, input: &mut dyn Input) -> Result<String> {
    let unreadable = |err: std::io::Error| job.unreadable(err);
    let decoder = match job.from.name {
        "xml" => input.rewind().and_then(|()| Utf8::xml(&mut *input)),
        _ => encoding_of(input).map(|encoding| Utf8::new(&mut *input, encoding)),
    };
    let mut text = String::new();
    let mut decoded = decoder.map_err(unreadable)?.take(2 * MAX_BYTES);
    decoded.read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// Returns whether a line of a text begins with a number sign, and so is probably a comment.
fn has_comments(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('#'))
}

/// Account of the memory and the values of a file that is being read.
pub(crate) struct Budget<'a> {
    job: Job<'a>,
    /// Memory of the values so far.
    lease: Lease<'a>,
    /// Number of values so far.
    values: u64,
    /// Length of the texts that aliases repeat, in bytes.
    repeated: u64,
}

impl Budget<'_> {
    /// Memory of a value with a short text and its entry in a map, in bytes.
    const VALUE: u64 = 160;

    /// Charges for values before they are created.
    fn add(&mut self, values: u64) -> Result<()> {
        self.job.check()?;
        self.values = self.values.saturating_add(values);
        if self.values > MAX_VALUES {
            let text = format!(
                "the {} file has more than {MAX_VALUES} values, including those that aliases repeat",
                self.job.from.name
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        self.lease.grow(values * Self::VALUE)
    }

    /// Charges for a copy of a value of this size, which is nested at this depth, before the copy is made.
    fn add_copy(&mut self, size: Size, depth: usize) -> Result<()> {
        if depth + size.depth > DEEPEST {
            return Err(self.too_deep());
        }
        self.repeated = self.repeated.saturating_add(size.text);
        if self.repeated > MAX_REPEATED {
            let text = format!(
                "the aliases of the {} file repeat more than {} MiB of text",
                self.job.from.name,
                MAX_REPEATED >> 20
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        self.add(size.values)?;
        self.lease.grow(size.text)
    }

    /// Error for values that are nested too deeply.
    fn too_deep(&self) -> Error {
        let why = format!("its values are nested more than {DEEPEST} deep, the limit");
        self.job.unreadable(why)
    }
}

/// A map that is being read. A name that occurs several times stays at its first place.
#[derive(Default)]
struct Entries {
    /// Names and values in the order of the file.
    entries: Map,
    /// Index of each name in `entries`.
    places: HashMap<String, usize>,
}

impl Entries {
    /// Adds a value, or replaces the value with the same name.
    fn put(&mut self, name: String, node: Node, lost: &mut Lost) {
        match self.places.get(&name) {
            Some(&at) => {
                lost.repeated += 1;
                self.entries[at].1 = node;
            }
            None => {
                self.places.insert(name.clone(), self.entries.len());
                self.entries.push((name, node));
            }
        }
    }

    /// Adds a value. Values with the same name become a list at the place of the first.
    fn append(&mut self, name: String, node: Node, lost: &mut Lost) {
        let Some(&at) = self.places.get(&name) else {
            return self.put(name, node, lost);
        };
        lost.scattered += u64::from(at + 1 != self.entries.len());
        match &mut self.entries[at].1 {
            Node::List(items) => items.push(node),
            first => {
                let one = std::mem::replace(first, Node::Nothing);
                *first = Node::List(vec![one, node]);
            }
        }
    }

    /// The value with this name.
    fn get(&self, name: &str) -> Option<&Node> {
        self.places.get(name).map(|at| &self.entries[*at].1)
    }

    /// Returns whether the map has this name.
    fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }
}
