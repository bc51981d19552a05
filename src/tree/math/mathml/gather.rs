//! Collects the elements of a `math` element before it is interpreted, in HTML and in XML. HTML may omit end tags, so
//! elements are closed as needed. The number of elements is limited; of further elements, only the text is read.

use super::{
    part::{ATTRIBUTES, MathElement},
    read,
};
use crate::{
    containers::xml::{self, Piece},
    error::Result,
};

/// The limit on the number of elements in a formula. A printed page of mathematics has a few thousand elements.
const MAX_PARTS: usize = 20_000;

/// The limit on the depth of elements. Programs wrap every part in several elements.
const MAX_DEPTH: usize = 200;

/// A `math` element that is being read.
#[derive(Debug)]
pub struct Gather {
    /// The open elements, the outermost first. The first is `math` itself.
    open: Vec<MathElement>,
    /// The number of open elements that are skipped because of a limit.
    passed_over: usize,
    /// The number of elements so far, including those that are skipped.
    parts: usize,
}

impl Default for Gather {
    fn default() -> Self {
        Self::new()
    }
}

impl Gather {
    /// Begins after the start tag of `math`.
    pub fn new() -> Self {
        Self {
            open: vec![MathElement::default()],
            passed_over: 0,
            parts: 0,
        }
    }

    /// Handles a start tag. `attribute` returns the value of an attribute.
    pub fn start(&mut self, name: &str, attribute: impl Fn(&str) -> Option<Box<str>>) {
        self.parts += 1;
        if self.parts > MAX_PARTS || self.open.len() > MAX_DEPTH {
            self.passed_over += 1;
            return;
        }
        let value = |name: &&'static str| Some((*name, attribute(name)?));
        self.open.push(MathElement {
            name: name.into(),
            attributes: ATTRIBUTES.iter().filter_map(value).collect(),
            ..MathElement::default()
        });
    }

    /// Handles an end tag. An end tag without a start tag is ignored. The end tag of an outer element also closes the
    /// elements inside it. Inside skipped elements, every end tag closes one of them, whatever its name is.
    pub fn end(&mut self, name: &str) {
        if self.passed_over > 0 {
            self.passed_over -= 1;
            return;
        }
        let open = self
            .open
            .iter()
            .skip(1)
            .rposition(|part| &*part.name == name);
        if let Some(at) = open {
            self.close_down_to(at + 1);
        }
    }

    /// Handles text. The text of skipped elements becomes an `mtext` in the innermost element that is not skipped.
    pub fn text(&mut self, text: &str) {
        let Some(part) = self.open.last_mut() else {
            return;
        };
        if self.passed_over > 0 && text.trim().is_empty() {
            return;
        }
        if self.passed_over == 0 {
            part.text.push_str(text);
            return;
        }
        match part.children.last_mut() {
            Some(last) if &*last.name == "mtext" => last.text.push_str(text),
            _ => part.children.push(MathElement {
                name: "mtext".into(),
                text: text.to_owned(),
                ..MathElement::default()
            }),
        }
    }

    /// Returns the formula in TeX, or an empty string if the element has no content. `hint` is the alternative text of
    /// the element.
    pub fn finish(mut self, hint: Option<&str>) -> String {
        self.close_down_to(1);
        let whole = self.open.pop().unwrap_or_default();
        read::read(&whole, hint)
    }

    /// Reads the innermost open element of `xml`, a `math` element, to its end.
    pub fn read_xml(mut self, xml: &mut xml::Reader<'_>) -> Result<Self> {
        let outer = xml.level();
        let mut names = Vec::new();
        loop {
            match xml.next(outer + names.len())? {
                Some(Piece::Element(element)) => {
                    self.start(element.name, |name| element.attribute(name).map(Into::into));
                    names.push(element.name);
                }
                Some(Piece::Text(text)) => self.text(&text),
                None => match names.pop() {
                    Some(name) => self.end(name),
                    None => return Ok(self),
                },
            }
        }
    }

    fn close_down_to(&mut self, kept: usize) {
        while self.open.len() > kept.max(1) {
            let Some(part) = self.open.pop() else { return };
            if let Some(around) = self.open.last_mut() {
                around.children.push(part);
            }
        }
    }
}
