//! Handles block elements other than tables.

use super::{
    lists::Counter,
    state::{CLOSED, Capture, Open, PageReader},
};
use crate::{css::look::Look, dom::Start, error::Result, syntax::tag::Tag};
use convertd_tree::{Node, ParagraphStyle};

impl PageReader<'_, '_, '_> {
    /// Opens a block element.
    pub(super) fn block(&mut self, start: &Start<'_>) -> Result<()> {
        let tag = start.tag;
        self.end_line()?;
        let look = self.look(start);
        if tag == Tag::Hr {
            if self.hidden == 0 && !self.stack.iter().any(|open| open.notes) {
                self.place(start);
                self.build.rule()?;
            }
            return Ok(());
        }
        let mut open = Open {
            alignment: look.alignment,
            direction: look.direction,
            hidden: look.hidden,
            breaks_after: look.breaks_after,
            ..self.open(start, &look)
        };
        if self.as_shown && start.get("open").is_none() {
            open.closed = tag == Tag::Details;
            if tag == Tag::Dialog {
                open.hidden = true;
                self.build.lost(&CLOSED);
            }
        }
        if start.get("id") == Some("title-block-header") {
            // The title block that this program and pandoc write repeats the metadata from the head, so it is hidden.
            self.build.metadata.title_block = true;
            open.hidden = true;
            return self.push(open);
        }
        let guides = |name| {
            let words = ["toc", "doc-toc", "landmarks", "page-list", "doc-pagelist"];
            words.iter().any(|word| start.has_word(name, word))
        };
        // A table of contents or page list is left out, because writers generate their own.
        open.hidden |= tag == Tag::Nav && (guides("role") || guides("epub:type"));
        if self.hidden > 0 && tag == Tag::P && start.has_word("class", "subtitle") {
            self.push(open)?;
            self.capture = Some(Capture::Subtitle(String::new()));
            return Ok(());
        }
        open.notes = self.begins_notes(start);
        let in_notes = self.stack.iter().any(|open| open.notes);
        // Inside a section of notes, the heading and the list around the notes are not content.
        open.hidden |= in_notes && tag.level().is_some();
        if open.hidden || self.hidden > 0 || open.notes || in_notes && tag == Tag::Ol {
            return self.push(open);
        }
        if look.breaks_before {
            self.build.page_break()?;
        }
        open.wraps = self.wraps(start, &look)?;
        if let Some(note) = self.note_body(start) {
            self.build.open(Node::NoteBody(note))?;
            open.nodes = 1;
            return self.push(open);
        }
        let id = start.get("id").map(|id| self.origin.name(id).into_owned());
        let named = tag.level().is_some() || tag == Tag::Figure;
        if !named {
            self.place(start);
        }
        if matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir) {
            let counter = Counter::new(start, &look, &self.counter_styles);
            self.build.open(counter.node())?;
            open.nodes = 1;
            open.counter = Some(counter);
        } else {
            // Generated text (`::before`) of an item without a marker may be its marker.
            let is_marker = tag == Tag::Li && self.is_marked_by_text(&look);
            if let Some(node) = self.node(start, id, &look)? {
                self.build.open(node)?;
                open.nodes = 1;
            }
            // A definition list contains only terms and definitions, so its generated text is left out.
            if tag != Tag::Dl {
                open.before = look.before.filter(|_| !is_marker);
                open.after = look.after;
            }
        }
        self.line.in_heading |= tag.level().is_some() || tag == Tag::Dt;
        if matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext) {
            self.capture = Some(Capture::Code {
                info: language(start),
                text: String::new(),
            });
        }
        self.push(open)
    }

    /// The node of the tree for an element. `None` for an element without a node of its own.
    fn node(&mut self, start: &Start<'_>, id: Option<String>, look: &Look) -> Result<Option<Node>> {
        let id = id.map(Into::into);
        Ok(Some(match start.tag {
            tag if tag.level().is_some() => {
                let mut id = id;
                if id.is_none() && !self.places.is_empty() {
                    // A heading without an identifier takes the first registered one, usually that of its section.
                    id = Some(self.places.remove(0).into());
                }
                let hyphenated = self.hyphenated(look.hyphenated);
                let style = self.build.paragraph_style(ParagraphStyle {
                    alignment: look.alignment,
                    direction: look.direction,
                    hyphenated,
                    ..ParagraphStyle::default()
                })?;
                Node::Heading {
                    level: tag.level().unwrap_or(1),
                    id,
                    label: None,
                    style,
                }
            }
            Tag::Blockquote => Node::Quote,
            Tag::Li => self.item(start, look)?,
            Tag::Dl => Node::Definitions,
            Tag::Dt => Node::Term,
            Tag::Dd => Node::Details,
            Tag::Figure => Node::Figure { id },
            Tag::Figcaption => Node::Caption,
            // Speaker notes as reveal.js and pandoc mark them.
            Tag::Aside | Tag::Div if start.has_word("class", "notes") => Node::Speaker,
            Tag::Aside => Node::Aside { id: None },
            _ => return Ok(None),
        }))
    }
}

/// The programming language of a code block, from the class names that syntax highlighters use.
pub(super) fn language(start: &Start<'_>) -> Box<str> {
    language_of_class(start.get("class").unwrap_or_default()).into()
}

/// The programming language that class names state. Empty if none does.
pub fn language_of_class(classes: &str) -> &str {
    let mut words = classes.split_ascii_whitespace();
    let marked = words.clone().find_map(|word| {
        word.strip_prefix("language-")
            .or_else(|| word.strip_prefix("lang-"))
            .or_else(|| word.strip_prefix("highlight-source-"))
    });
    // The notation of pandoc: `sourceCode python`.
    let beside = || {
        let source = words.clone().any(|word| word == "sourceCode");
        words.find(|word| source && *word != "sourceCode" && *word != "numberSource")
    };
    marked.or_else(beside).unwrap_or_default()
}
