//! Splits HTML into tags and text with the tokenizer of `html5gum`, which follows the standard (13.2.5) and takes linear
//! time. The tokenizer has to be told which elements contain raw text; that is done here.

use super::tag::Tag;
use html5gum::{
    State, StringReader, Tokenizer,
    emitters::callback::{Callback, CallbackEmitter, CallbackEvent},
};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// HTML: tags may be omitted, and `/>` has no meaning.
    Html,
    /// XHTML: every element ends with an end tag or `/>`.
    Xhtml,
}

/// The limit on the attributes of a tag. Further ones are ignored.
const MOST_ATTRIBUTES: usize = 64;

/// A tag, or the text between two tags.
#[derive(Debug)]
pub(super) enum Token {
    Start(Start),
    End(Tag),
    Text(String),
}

/// A start tag.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) tag: Tag,
    /// Whether it ends with `/>`.
    pub(super) closes_itself: bool,
    attributes: Vec<(String, String)>,
}

impl Start {
    /// The value of the attribute with this name, which has to be in lower case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether an attribute contains a word in its space-separated list.
    pub(super) fn has_word(&self, name: &str, word: &str) -> bool {
        let words = self.get(name).unwrap_or_default();
        words.split_ascii_whitespace().any(|other| other == word)
    }
}

/// The tokens of an HTML text.
pub(super) struct Tokens<'t> {
    tokenizer: Tokenizer<StringReader<'t>, CallbackEmitter<Gather, Token>>,
    syntax: Syntax,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, syntax: Syntax) -> Self {
        let emitter = CallbackEmitter::new(Gather::default());
        Self {
            tokenizer: Tokenizer::new_with_emitter(text, emitter),
            syntax,
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let Ok(token) = self.tokenizer.next()?;
        if self.syntax == Syntax::Html
            && let Token::Start(start) = &token
            && let Some(state) = raw(start.tag)
        {
            self.tokenizer.set_state(state);
        }
        Some(token)
    }
}

/// The tokenizer state for the content of an element that contains no tags.
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
    tag: Option<Tag>,
    attributes: Vec<(String, String)>,
    /// Whether the current attribute is ignored.
    drops: bool,
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Callback<Token, ()> for Gather {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: html5gum::Span<()>) -> Option<Token> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = Tag::of(name);
                self.attributes.clear();
                None
            }
            CallbackEvent::AttributeName { name } => {
                let known = |(key, _): &(String, String)| key.as_bytes() == name;
                // Attributes of unknown elements are ignored. If an attribute occurs twice, the first one counts.
                self.drops = self.tag.is_none()
                    || self.attributes.len() >= MOST_ATTRIBUTES
                    || self.attributes.iter().any(known);
                if !self.drops {
                    self.attributes.push((string(name), String::new()));
                }
                None
            }
            CallbackEvent::AttributeValue { value } => {
                if !self.drops
                    && let Some((_, text)) = self.attributes.last_mut()
                {
                    text.push_str(&String::from_utf8_lossy(value));
                }
                None
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                let tag = self.tag.take()?;
                Some(Token::Start(Start {
                    tag,
                    closes_itself: self_closing,
                    attributes: std::mem::take(&mut self.attributes),
                }))
            }
            CallbackEvent::EndTag { name } => {
                self.attributes.clear();
                Tag::of(name).map(Token::End)
            }
            CallbackEvent::String { value } => Some(Token::Text(string(value))),
            CallbackEvent::Comment { .. }
            | CallbackEvent::Doctype { .. }
            | CallbackEvent::Error(_) => None,
        }
    }
}
