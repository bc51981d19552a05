//! Puts the elements of a `math` element together, whichever language they stand in: HTML has tags that may be missing, XML
//! has none. Never grows beyond a fixed number of elements; what is beyond stays as text.

use super::{
    part::{ATTRIBUTES, Part},
    read,
};
use crate::{
    containers::xml::{self, Piece},
    error::Result,
};

/// Most elements of a formula that are looked at. A page of print holds some thousand.
const MAX_PARTS: usize = 20_000;

/// Deepest elements that are looked at. Programs write several around each part.
const MAX_DEPTH: usize = 200;

/// A `math` element that is being read.
#[derive(Debug)]
pub(crate) struct Gather {
    /// What is open, outermost first. The first is the `math` element itself.
    open: Vec<Part>,
    /// How many elements within the innermost are open and not looked at.
    passed_over: usize,
    parts: usize,
}

impl Gather {
    /// The element has just begun.
    pub(crate) fn new() -> Self {
        Self {
            open: vec![Part::default()],
            passed_over: 0,
            parts: 0,
        }
    }

    /// An element begins; `attribute` gives its attributes.
    pub(crate) fn start(&mut self, name: &str, attribute: impl Fn(&str) -> Option<Box<str>>) {
        self.parts += 1;
        if self.parts > MAX_PARTS || self.open.len() > MAX_DEPTH {
            self.passed_over += 1;
            return;
        }
        let value = |name: &&'static str| Some((*name, attribute(name)?));
        self.open.push(Part {
            name: name.into(),
            attributes: ATTRIBUTES.iter().filter_map(value).collect(),
            ..Part::default()
        });
    }

    /// An element ends. An end tag without a beginning says nothing; one of an element further out ends those within as well.
    pub(crate) fn end(&mut self, name: &str) {
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

    /// Characters.
    pub(crate) fn text(&mut self, text: &str) {
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
            _ => part.children.push(Part {
                name: "mtext".into(),
                text: text.to_owned(),
                ..Part::default()
            }),
        }
    }

    /// The formula in the language of TeX. `hint` is what the element itself says of it, in TeX or in words. Empty if there is
    /// nothing in it.
    pub(crate) fn finish(mut self, hint: Option<&str>) -> String {
        self.close_down_to(1);
        let whole = self.open.pop().unwrap_or_default();
        read::read(&whole, hint)
    }

    /// Reads the innermost element of `xml`, which is a `math` element, to its end.
    pub(crate) fn read_xml(mut self, xml: &mut xml::Reader<'_>) -> Result<Self> {
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
