//! Data with names and lists in JSON, YAML and TOML, and conversions between the three. Computes nothing, and follows
//! no reference out of a file.
//!
//! Tables are streamed row by row elsewhere. Here a whole file is in memory, because an alias of YAML may repeat
//! anything above it, and a table of TOML may be continued at the end. Numbers are kept as digits, because no numeric
//! type of Rust can hold all of them.

pub(crate) mod json;
mod lost;
pub(crate) mod toml;
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
const MOST_BYTES: u64 = 32 << 20;

/// Maximum number of values in a file. A value that an alias repeats counts each time.
const MOST_VALUES: u64 = 4_000_000;

/// Maximum nesting of values.
const DEEPEST: usize = 128;

/// Names of the data formats.
const NAMES: [&str; 3] = ["json", "yaml", "toml"];

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

impl Node {
    /// Number of values in this one, itself included.
    fn count(&self) -> u64 {
        match self {
            Self::List(items) => 1 + items.iter().map(Self::count).sum::<u64>(),
            Self::Map(entries) => 1 + entries.iter().map(|(_, node)| node.count()).sum::<u64>(),
            _ => 1,
        }
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
/// Errors: [`Kind::BadInput`] if it is damaged, too large, or nested too deep.
pub(crate) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut lost = Lost::default();
    let (node, lease) = read(job, input, &mut lost)?;
    let mut out = String::new();
    // Memory of the written text as it grows.
    lease.grow(3 * job.input_len)?;
    match job.to.name {
        "yaml" => yaml::write(&node, &mut out),
        "toml" => toml::write(&node, &mut lost, &mut out),
        _ => {
            json::write(&node, Some(0), &mut lost, &mut out);
            out.push('\n');
        }
    }
    job.check()?;
    lost.tell(notes);
    output.write_all(out.as_bytes()).map_err(Error::unwritten)
}

/// Reads a data file that contains a table, and returns the table as JSON: the file is a list, or a map whose only
/// value is a list.
///
/// Errors: those of [`convert`]; [`Kind::BadInput`] if there is no such list.
pub(crate) fn table<'a>(
    job: &'a Job<'a>,
    input: &mut dyn Input,
) -> Result<(Cursor<Vec<u8>>, Lease<'a>)> {
    let mut lost = Lost::default();
    let (node, lease) = read(job, input, &mut lost)?;
    let table = match node {
        Node::Map(mut entries) if entries.len() == 1 => entries.pop().map(|(_, node)| node),
        node => Some(node),
    };
    let Some(table @ Node::List(_)) = table else {
        return Err(job.unreadable(
            "it has no list that could be a table; it can be converted to json, yaml and toml",
        ));
    };
    let mut text = String::new();
    lease.grow(3 * job.input_len)?;
    json::write(&table, None, &mut lost, &mut text);
    Ok((Cursor::new(text.into_bytes()), lease))
}

/// Reads a data file.
fn read<'a>(job: &Job<'a>, input: &mut dyn Input, lost: &mut Lost) -> Result<(Node, Lease<'a>)> {
    if job.input_len > MOST_BYTES {
        let text = format!(
            "the {} file has more than {} MiB, the most that is read at once",
            job.from.name,
            MOST_BYTES >> 20
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let unreadable = |err: std::io::Error| job.unreadable(err);
    let encoding = encoding_of(input).map_err(unreadable)?;
    input.rewind().map_err(unreadable)?;
    // Memory of the text, which is longer in UTF-8, and of the parser.
    let mut budget = Budget {
        job: *job,
        lease: job.lease(8 * job.input_len)?,
        values: 0,
    };
    let mut text = String::new();
    let mut decoded = Utf8::new(&mut *input, encoding).take(2 * MOST_BYTES);
    decoded.read_to_string(&mut text).map_err(unreadable)?;
    lost.comments = job.from.name != "json" && has_comments(&text);
    let node = match job.from.name {
        "yaml" => yaml::read(&text, &mut budget, lost)?,
        "toml" => toml::read(&text, &mut budget)?,
        _ => json::read(&text, &mut budget, lost)?,
    };
    Ok((node, budget.lease))
}

/// Returns whether a line of a text is a comment.
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
}

impl Budget<'_> {
    /// Memory of a value with a short text and its entry in a map, in bytes.
    const VALUE: u64 = 160;

    /// Charges for values before they are created.
    fn add(&mut self, values: u64) -> Result<()> {
        self.job.check()?;
        self.values = self.values.saturating_add(values);
        if self.values > MOST_VALUES {
            let text = format!(
                "the {} file has more than {MOST_VALUES} values, with those that aliases repeat",
                self.job.from.name
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        self.lease.grow(values * Self::VALUE)
    }

    /// Error for values that are nested too deeply.
    fn too_deep(&self) -> Error {
        let why = format!("its values are nested deeper than {DEEPEST}, the most that is read");
        self.job.unreadable(why)
    }
}

/// A map that is being read. If a name occurs twice, the last value counts, at the place of the first.
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

    /// Returns whether the map has this name.
    fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }
}
