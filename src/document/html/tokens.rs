//! Cuts HTML into tags and text, by the tokenizer of `html5gum`, which follows the standard (13.2.5) and takes linear time. What
//! the standard leaves to the construction of the tree is done here: which elements hold raw text.

use super::tag::Tag;
use html5gum::{
    State, StringReader, Tokenizer,
    emitters::callback::{Callback, CallbackEmitter, CallbackEvent},
};

/// Which of the two languages that look alike a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Tags may be missing; `/>` means nothing.
    Html,
    /// XML: every element ends where it says.
    Xhtml,
}

/// Most attributes of a tag that are kept.
const MOST_ATTRIBUTES: usize = 64;

/// A tag, or the text between two.
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
    /// It ends with `/>`.
    pub(super) closes_itself: bool,
    attributes: Vec<(String, String)>,
}

impl Start {
    /// The value of an attribute; its name in lower case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether an attribute, a list of words, has this word.
    pub(super) fn has_word(&self, name: &str, word: &str) -> bool {
        let words = self.get(name).unwrap_or_default();
        words.split_ascii_whitespace().any(|other| other == word)
    }
}

/// The tags and the text of some HTML.
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

/// How the content of an element is read, if it holds no tags.
fn raw(tag: Tag) -> Option<State> {
    Some(match tag {
        Tag::Textarea | Tag::Title => State::RcData,
        Tag::Style | Tag::Iframe | Tag::Xmp | Tag::Noembed | Tag::Noframes => State::RawText,
        Tag::Script => State::ScriptData,
        Tag::Plaintext => State::PlainText,
        _ => return None,
    })
}

/// Puts tags together.
#[derive(Debug, Default)]
struct Gather {
    tag: Option<Tag>,
    attributes: Vec<(String, String)>,
    /// The attribute that was begun last is not kept.
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
                // Those of elements that are not looked at are not either; of two with the same name, the first counts.
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
