//! Splits HTML into tags, text and SVG drawings with the tokenizer of `html5gum`, which follows the standard (13.2.5)
//! and takes linear time. This module tells the tokenizer which elements contain raw text (in XHTML, none), and adds
//! drawings, which the tokenizer does not know.

use super::{
    element::{Element, string},
    svg::{Draft, Drawing, Next},
    tag::Tag,
};
use convertd_tree::scripts::is_script;
use html5gum::{
    State, StringReader, Tokenizer as Html5Tokenizer,
    emitters::callback::{Callback, CallbackEmitter, CallbackEvent},
};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// HTML: tags may be omitted, and `/>` has no meaning outside of drawings and formulas.
    Html,
    /// XHTML: every element ends with an end tag or `/>`.
    Xhtml,
}

/// The limit on the attributes of a tag. Further ones are ignored.
const MAX_ATTRIBUTES: usize = 64;

/// A token.
#[derive(Debug)]
enum Piece {
    Start(Element),
    End(Element),
    Text(String),
    /// The beginning of a CDATA section (13.2.5.42).
    Section(String),
    Doctype(Doctype),
}

/// Document type, which selects the quirks mode (HTML, 13.2.6.4.1).
#[derive(Clone, Debug, Default)]
pub(crate) struct Doctype {
    pub(crate) name: String,
    pub(crate) public: Option<String>,
    pub(crate) system: Option<String>,
    pub(crate) force_quirks: bool,
}

/// A tag of any name, the text between two tags, a drawing, or the document type.
#[derive(Debug)]
pub(crate) enum Markup {
    Start(Element),
    End(Element),
    Text(String),
    Drawing(Element, Drawing),
    Doctype(Doctype),
}

/// The markup of an HTML text, with every element.
pub(crate) struct Tokenizer<'t> {
    tokenizer: Html5Tokenizer<StringReader<'t>, CallbackEmitter<Gather, Piece>>,
    syntax: Syntax,
    /// The drawing whose end has not been reached.
    drawing: Option<Box<Draft>>,
    /// The tag that ended a drawing without being a part of it.
    tag_after_drawing: Option<Element>,
}

impl<'t> Tokenizer<'t> {
    pub(crate) fn new(text: &'t str, syntax: Syntax) -> Self {
        let emitter = CallbackEmitter::new(Gather::default());
        Self {
            tokenizer: Html5Tokenizer::new_with_emitter(text, emitter),
            syntax,
            drawing: None,
            tag_after_drawing: None,
        }
    }

    /// The markup that a token completes. `None` for a token that completes none, such as most tokens of a drawing.
    fn markup(&mut self, piece: Piece) -> Option<Markup> {
        let Some(drawing) = &mut self.drawing else {
            return match piece {
                Piece::Start(element) => self.start(element),
                Piece::End(element) => Some(Markup::End(element)),
                Piece::Text(text) => Some(Markup::Text(text)),
                Piece::Section(_) => None,
                Piece::Doctype(doctype) => Some(Markup::Doctype(doctype)),
            };
        };
        let next = match piece {
            Piece::Start(element) => match drawing.start(&element) {
                Next::Before => {
                    self.tag_after_drawing = Some(element);
                    Next::Before
                }
                next => next,
            },
            Piece::End(element) => drawing.end(element.name()),
            Piece::Text(text) => {
                drawing.text(&text);
                Next::Inside
            }
            Piece::Section(text) => {
                drawing.section(&text);
                Next::Inside
            }
            Piece::Doctype(_) => Next::Inside,
        };
        match next {
            Next::Inside => None,
            Next::End | Next::Before => self.end_drawing(),
        }
    }

    fn start(&mut self, element: Element) -> Option<Markup> {
        if element.tag == Some(Tag::Svg) {
            if !element.closes_itself {
                self.drawing = Some(Box::new(Draft::new(&element)));
            }
            return None;
        }
        if self.syntax == Syntax::Html
            && let Some(state) = element.tag.and_then(raw)
        {
            self.tokenizer.set_state(state);
        }
        Some(Markup::Start(element))
    }

    fn end_drawing(&mut self) -> Option<Markup> {
        let (root, drawing) = self.drawing.take()?.finish();
        Some(Markup::Drawing(root, drawing))
    }
}

impl Iterator for Tokenizer<'_> {
    type Item = Markup;

    fn next(&mut self) -> Option<Markup> {
        loop {
            let piece = match self.tag_after_drawing.take() {
                Some(element) => Piece::Start(element),
                None => match self.tokenizer.next() {
                    Some(Ok(piece)) => piece,
                    None => return self.end_drawing(),
                },
            };
            if let Some(markup) = self.markup(piece) {
                return Some(markup);
            }
        }
    }
}

/// Returns whether HTML contains a script: a script element, an event handler attribute, or an address that runs a
/// script.
pub(crate) fn has_scripts(text: &str) -> bool {
    let emitter = CallbackEmitter::new(Gather::default());
    let mut pieces = Html5Tokenizer::new_with_emitter(text, emitter);
    pieces.any(|piece| {
        let Ok(Piece::Start(element)) = piece else {
            return false;
        };
        element.tag == Some(Tag::Script)
            || element
                .attributes()
                .any(|(name, value)| name.starts_with("on") || is_script(value))
    })
}

/// The tokenizer state for the content of an element whose content has no tags. `None` for any other element.
fn raw(tag: Tag) -> Option<State> {
    Some(match tag {
        Tag::Textarea | Tag::Title => State::RcData,
        Tag::Style | Tag::Iframe | Tag::Xmp | Tag::Noembed | Tag::Noframes => State::RawText,
        Tag::Script => State::ScriptData,
        Tag::Plaintext => State::PlainText,
        _ => return None,
    })
}

/// Assembles tags from the events of the tokenizer.
#[derive(Debug, Default)]
struct Gather {
    element: Element,
    /// Whether the current attribute is ignored.
    drops: bool,
}

impl Callback<Piece, ()> for Gather {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: html5gum::Span<()>) -> Option<Piece> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.element = Element::new(name);
                None
            }
            CallbackEvent::AttributeName { name } => {
                let known = |(key, _): &(String, String)| key.as_bytes() == name;
                let attributes = &mut self.element.attributes;
                // If an attribute occurs twice, the first one wins.
                self.drops = attributes.len() >= MAX_ATTRIBUTES || attributes.iter().any(known);
                if !self.drops {
                    attributes.push((string(name), String::new()));
                }
                None
            }
            CallbackEvent::AttributeValue { value } => {
                if !self.drops
                    && let Some((_, text)) = self.element.attributes.last_mut()
                {
                    text.push_str(&String::from_utf8_lossy(value));
                }
                None
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                let mut element = std::mem::take(&mut self.element);
                element.closes_itself = self_closing;
                Some(Piece::Start(element))
            }
            CallbackEvent::EndTag { name } => Some(Piece::End(Element::new(name))),
            CallbackEvent::String { value } => Some(Piece::Text(string(value))),
            CallbackEvent::Comment { value } => {
                let section = value.strip_prefix(b"[CDATA[")?;
                Some(Piece::Section(string(section)))
            }
            CallbackEvent::Doctype {
                name,
                public_identifier,
                system_identifier,
                force_quirks,
            } => Some(Piece::Doctype(Doctype {
                name: string(name),
                public: public_identifier.map(string),
                system: system_identifier.map(string),
                force_quirks,
            })),
            CallbackEvent::Error(_) => None,
        }
    }
}
