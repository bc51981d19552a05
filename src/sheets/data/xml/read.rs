//! Builds values from the events of the parser.

use super::{ATTRIBUTE, TEXT, name::is_name};
use crate::{
    containers::xml::{self, Event, Events},
    data::{Budget, DEEPEST, Entries, Lost, Node},
    error::Result,
};

/// Parses a text.
pub(crate) fn read(text: &str, budget: &mut Budget<'_>, lost: &mut Lost) -> Result<Node> {
    let job = budget.job;
    let mut events = Events::new(&job, text);
    let mut open: Vec<Element> = Vec::new();
    let mut root = Node::Nothing;
    while let Some(event) = events.next()? {
        match event {
            Event::Start(tag) => {
                budget.add(1 + tag.attributes.len() as u64)?;
                if open.len() >= DEEPEST {
                    return Err(budget.too_deep());
                }
                let mut names =
                    std::iter::once(&tag.name).chain(tag.attributes.iter().map(|(name, _)| name));
                if let Some(name) = names.find(|name| !is_name(name)) {
                    return Err(
                        events.malformed(&format!("{name:?} is not a name that XML allows"))
                    );
                }
                lost.entities += tag.unresolved;
                let mut element = Element::new(tag.name);
                for (name, value) in tag.attributes {
                    let name = format!("{ATTRIBUTE}{name}");
                    element.entries.put(name, Node::Text(value), lost);
                }
                open.push(element);
            }
            Event::End => {
                let Some(element) = open.pop() else { continue };
                let (name, node) = element.close(lost);
                match open.last_mut() {
                    Some(parent) => {
                        parent.has_elements = true;
                        parent.entries.append(name, node, lost);
                    }
                    None => root = Node::Map(vec![(name, node)]),
                }
            }
            Event::Text(text) => add(&mut open, &text),
            Event::Unresolved(text) => {
                lost.entities += 1;
                add(&mut open, &text);
            }
            Event::Comment => lost.comments = true,
            Event::Instruction => lost.instructions = true,
            Event::DocumentType => lost.document_type = true,
        }
    }
    // A list of elements is a level of its own, so values may be nested twice as deep as elements, and need their own
    // check.
    match root.size().depth > DEEPEST {
        true => Err(budget.too_deep()),
        false => Ok(root),
    }
}

/// Adds text to the innermost element.
fn add(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

/// An open element.
struct Element {
    name: String,
    /// Attributes and elements so far.
    entries: Entries,
    has_elements: bool,
    /// Text directly in the element so far.
    text: String,
}

impl Element {
    fn new(name: String) -> Self {
        Self {
            name,
            entries: Entries::default(),
            has_elements: false,
            text: String::new(),
        }
    }

    /// Name and value of the complete element. White space between elements is never text. White space in an element
    /// without child elements is text only together with other characters, or with `xml:space="preserve"`. Text beside
    /// elements loses its place.
    fn close(mut self, lost: &mut Lost) -> (String, Node) {
        let trimmed = self.text.trim_matches(xml::is_space);
        let keeps_space = || {
            let space = self.entries.get("@xml:space");
            matches!(space, Some(Node::Text(value)) if value == "preserve")
        };
        let text = match (self.has_elements, trimmed) {
            (true, "") => String::new(),
            (true, text) => {
                lost.mixed += 1;
                text.to_owned()
            }
            (false, "") if !keeps_space() => {
                lost.spaces += u64::from(!self.text.is_empty());
                String::new()
            }
            (false, _) => std::mem::take(&mut self.text),
        };
        let node = match (self.entries.entries.is_empty(), text.is_empty()) {
            (true, true) => Node::Nothing,
            (true, false) => Node::Text(text),
            (false, true) => Node::Map(self.entries.entries),
            (false, false) => {
                self.entries.append(TEXT.to_owned(), Node::Text(text), lost);
                Node::Map(self.entries.entries)
            }
        };
        (self.name, node)
    }
}
