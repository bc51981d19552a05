//! Builds values from the events of the parser. An alias becomes a copy of its value. The copy is charged before it is
//! made, so that a few lines cannot become a thousand million values.

use super::scalar;
use crate::{
    data::{Budget, DEEPEST, Entries, Lost, Node, Size, json},
    error::Result,
};
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use std::{borrow::Cow, collections::HashMap};

/// Name whose value is a map to be merged (yaml.org/type/merge.html), as in version 1.1.
const MERGE: &str = "<<";

/// Parses a text. Several documents become a list.
pub(crate) fn read(text: &str, budget: &mut Budget<'_>, lost: &mut Lost) -> Result<Node> {
    let job = budget.job;
    let mut documents = Vec::new();
    let mut build = Build {
        budget,
        lost,
        open: Vec::new(),
        anchors: HashMap::new(),
        done: None,
    };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|err| {
            let (line, column) = (err.marker().line(), err.marker().col() + 1);
            job.unreadable(format!("line {line}, column {column}: {}", err.info()))
        })?;
        match event {
            Event::DocumentStart(_) => {
                build.anchors.clear();
                build.done = None;
            }
            Event::DocumentEnd => documents.push(build.done.take().unwrap_or(Node::Nothing)),
            Event::Alias(anchor) => {
                // A list or map gets its anchor when it is complete, so an alias inside it finds no value.
                let Some((size, node)) = build.anchors.get(&anchor) else {
                    let line = span.start.line();
                    return Err(job.unreadable(format!(
                        "line {line}: an alias repeats a value that contains the alias"
                    )));
                };
                build.budget.add_copy(*size, build.open.len())?;
                let node = node.clone();
                build.put(node, 0, false)?;
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                let node = build.scalar(text, is_plain, tag.as_deref());
                let is_merge = is_plain && matches!(&node, Node::Text(text) if text == MERGE);
                build.put(node, anchor, is_merge)?;
            }
            Event::SequenceStart(anchor, tag) => {
                build.note_tag(tag.as_deref());
                build.open(Open::List(Vec::new()), anchor)?;
            }
            Event::MappingStart(anchor, tag) => {
                build.note_tag(tag.as_deref());
                build.open(Open::Map(OpenMap::default()), anchor)?;
            }
            Event::SequenceEnd | Event::MappingEnd => build.close()?,
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
    }
    Ok(match documents.len() {
        0 => Node::Nothing,
        1 => documents.remove(0),
        count => {
            build.lost.documents = count as u64;
            Node::List(documents)
        }
    })
}

/// State of the construction.
struct Build<'b, 'a> {
    /// Account of the memory.
    budget: &'b mut Budget<'a>,
    /// Counts of data that the target cannot represent.
    lost: &'b mut Lost,
    /// Open lists and maps, each with its anchor.
    open: Vec<(Open, usize)>,
    /// Values with an anchor, each with its size.
    anchors: HashMap<usize, (Size, Node)>,
    /// Value of the current document, once it is complete.
    done: Option<Node>,
}

/// An open list or map.
enum Open {
    List(Vec<Node>),
    Map(OpenMap),
}

/// A map whose end has not been read yet.
#[derive(Default)]
struct OpenMap {
    /// Names and values so far.
    entries: Entries,
    /// Name whose value comes next.
    name: Option<Name>,
    /// Maps to be merged into this one.
    merged: Vec<Node>,
}

/// A name in a map.
enum Name {
    Text(String),
    /// The name `<<`.
    Merge,
}

impl Build<'_, '_> {
    /// Converts a scalar. The tags `int`, `float`, `bool` and `null` of the core schema give it the type of a plain
    /// scalar; other tags of the schema make it a text.
    fn scalar(&mut self, text: Cow<'_, str>, is_plain: bool, tag: Option<&Tag>) -> Node {
        let kind = tag.filter(|tag| tag.is_yaml_core_schema());
        match kind.map(|tag| tag.suffix.as_str()) {
            Some("int" | "float" | "bool" | "null") => scalar::plain(&text),
            Some(_) => Node::Text(text.into_owned()),
            // A lone exclamation mark makes the scalar a text (6.8.2).
            None if tag.is_some_and(is_plain_mark) => Node::Text(text.into_owned()),
            None => {
                self.note_tag(tag);
                match is_plain {
                    true => scalar::plain(&text),
                    false => Node::Text(text.into_owned()),
                }
            }
        }
    }

    /// Counts a tag with a meaning for one application only.
    fn note_tag(&mut self, tag: Option<&Tag>) {
        let is_own = |tag: &Tag| !tag.is_yaml_core_schema() && !is_plain_mark(tag);
        self.lost.tags += u64::from(tag.is_some_and(is_own));
    }

    /// Opens a list or map, unless the nesting is too deep.
    fn open(&mut self, open: Open, anchor: usize) -> Result<()> {
        if self.open.len() >= DEEPEST {
            return Err(self.budget.too_deep());
        }
        self.open.push((open, anchor));
        Ok(())
    }

    /// Closes the innermost list or map, and adds it to the enclosing one.
    fn close(&mut self) -> Result<()> {
        match self.open.pop() {
            Some((Open::List(items), anchor)) => self.put(Node::List(items), anchor, false),
            Some((Open::Map(mut map), anchor)) => {
                for node in std::mem::take(&mut map.merged) {
                    merge(node, &mut map.entries, self.lost);
                }
                self.put(Node::Map(map.entries.entries), anchor, false)
            }
            None => Ok(()),
        }
    }

    /// Adds a value to the innermost list or map. Outside of lists and maps, the value is the document.
    fn put(&mut self, node: Node, anchor: usize, is_merge: bool) -> Result<()> {
        self.budget.add(1)?;
        if anchor != 0 {
            let size = node.size();
            self.budget.add_copy(size, self.open.len())?;
            self.anchors.insert(anchor, (size, node.clone()));
        }
        match self.open.last_mut() {
            None => self.done = Some(node),
            Some((Open::List(items), _)) => items.push(node),
            Some((Open::Map(map), _)) => match map.name.take() {
                Some(Name::Text(name)) => map.entries.put(name, node, self.lost),
                Some(Name::Merge) => map.merged.push(node),
                None if is_merge => map.name = Some(Name::Merge),
                None => {
                    // A list or map that is a name is replaced by its JSON text.
                    self.budget.lease.grow(node.size().written())?;
                    map.name = Some(Name::Text(name(node, self.lost)));
                }
            },
        }
        Ok(())
    }
}

/// Returns whether a tag is a lone exclamation mark.
fn is_plain_mark(tag: &Tag) -> bool {
    matches!(
        (tag.handle.as_str(), tag.suffix.as_str()),
        ("", "!") | ("!", "")
    )
}

/// Adds the entries of a merged map, or of a list of them, whose names are not in `entries` yet. If several merged maps
/// have a name, the first wins.
fn merge(node: Node, entries: &mut Entries, lost: &mut Lost) {
    match node {
        Node::Map(more) => {
            for (name, node) in more {
                if !entries.has(&name) {
                    entries.put(name, node, lost);
                }
            }
        }
        Node::List(maps) => maps.into_iter().for_each(|node| merge(node, entries, lost)),
        _ => {}
    }
}

/// Converts a value to a name.
fn name(node: Node, lost: &mut Lost) -> String {
    match node {
        Node::Text(text) | Node::Number(text) | Node::Moment(text) => text,
        Node::Nothing => "null".into(),
        Node::Boolean(is) => is.to_string(),
        Node::Unbounded(text) => text.into(),
        Node::List(_) | Node::Map(_) => {
            lost.keys += 1;
            let mut text = String::new();
            json::write(&node, None, lost, &mut text);
            text
        }
    }
}
