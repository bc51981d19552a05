//! Data with names and lists, as JSON, YAML and TOML hold them, from each of the three to the others. Computes nothing, and follows no
//! reference out of a file.
//!
//! A table goes row by row elsewhere; here a whole file is in memory, because an alias of YAML may repeat anything above it, and a
//! table of TOML may be continued at the end. Numbers stay the digits that they are, since no type of Rust holds all of them.

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

/// Limit on the text of a file, in bytes.
const MOST_BYTES: u64 = 32 << 20;

/// Limit on the values of a file, with those that aliases repeat.
const MOST_VALUES: u64 = 4_000_000;

/// Limit on how deep values are nested.
const DEEPEST: usize = 128;

/// Formats of data.
const NAMES: [&str; 3] = ["json", "yaml", "toml"];

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Nothing,
    Boolean(bool),
    /// Number as JSON writes it (RFC 8259, section 6), with any number of digits.
    Number(String),
    /// Infinity, its opposite, or an invalid number, as YAML writes them: `.inf`, `-.inf`, `.nan`.
    Unbounded(&'static str),
    Text(String),
    /// Date, time, or both, as RFC 3339 writes them.
    Moment(String),
    List(Vec<Self>),
    Map(Map),
}

/// Names with their values, in the order of the file.
pub(crate) type Map = Vec<(String, Node)>;

impl Node {
    /// Number of values in it, itself included.
    fn count(&self) -> u64 {
        match self {
            Self::List(items) => 1 + items.iter().map(Self::count).sum::<u64>(),
            Self::Map(entries) => 1 + entries.iter().map(|(_, node)| node.count()).sum::<u64>(),
            _ => 1,
        }
    }
}

/// Whether both formats are data, so that a file becomes the other whole. A table in JSON stays one.
pub(crate) fn is_pair(from: &Format, to: &Format) -> bool {
    let is_data = |format: &Format| NAMES.contains(&format.name);
    is_data(from) && is_data(to) && [from.name, to.name] != ["json"; 2]
}

/// Converts a file of data.
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
    // The text that is written, while it grows.
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

/// Reads the table in a file of data as JSON: a list, or the only list that has a name.
///
/// Errors: as of [`convert`]; and if there is no table.
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

/// Reads a file of data.
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
    // The text, which is longer in UTF-8, and what a parser makes of it.
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

/// Whether a line of a text is a comment.
fn has_comments(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('#'))
}

/// Memory and number of values of a file that is being read.
pub(crate) struct Budget<'a> {
    job: Job<'a>,
    lease: Lease<'a>,
    values: u64,
}

impl Budget<'_> {
    /// Memory of a value in bytes, with a short text and its place in a map.
    const VALUE: u64 = 160;

    /// Counts values before they are made.
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

    fn too_deep(&self) -> Error {
        let why = format!("its values are nested deeper than {DEEPEST}, the most that is read");
        self.job.unreadable(why)
    }
}

/// A map that is being read. Of a name that stands twice, the last value counts, in the first place.
#[derive(Default)]
struct Entries {
    entries: Map,
    places: HashMap<String, usize>,
}

impl Entries {
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

    fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }
}
