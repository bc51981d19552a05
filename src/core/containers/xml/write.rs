//! Writes XML. The result is well formed whatever the texts are: characters that XML does not allow are left out.

use crate::coding::escape;
use std::borrow::Cow;

/// An XML file that is being written.
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
    open: Vec<Cow<'static, str>>,
    /// Whether the last start tag still lacks its `>`.
    in_tag: bool,
}

impl Writer {
    /// Begins a file, with an XML declaration.
    pub fn new() -> Self {
        Self {
            out: "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n".to_owned(),
            ..Self::default()
        }
    }

    /// Begins a fragment, without a declaration.
    pub fn fragment() -> Self {
        Self::default()
    }

    /// Opens an element.
    pub fn start(&mut self, name: impl Into<Cow<'static, str>>) -> &mut Self {
        let name = name.into();
        self.end_tag();
        self.out.push('<');
        self.out.push_str(&name);
        self.open.push(name);
        self.in_tag = true;
        self
    }

    /// Adds an attribute to the element that was opened last. Has no effect if that element has content already.
    pub fn attribute(&mut self, name: &str, value: impl AsRef<str>) -> &mut Self {
        if self.in_tag {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape::attribute(value.as_ref(), &mut self.out);
            self.out.push('"');
        }
        self
    }

    /// Adds an attribute with a number as its value.
    pub fn number(&mut self, name: &str, value: impl Into<i64>) -> &mut Self {
        self.attribute(name, value.into().to_string())
    }

    /// Adds text and escapes it.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.end_tag();
        escape::text(text, &mut self.out);
        self
    }

    /// Adds XML that is well formed already, without escaping it.
    pub fn raw(&mut self, xml: &str) -> &mut Self {
        self.end_tag();
        self.out.push_str(xml);
        self
    }

    /// Closes the innermost element.
    pub fn end(&mut self) -> &mut Self {
        let Some(name) = self.open.pop() else {
            return self;
        };
        if std::mem::take(&mut self.in_tag) {
            self.out.push_str("/>");
        } else {
            self.out.push_str("</");
            self.out.push_str(&name);
            self.out.push('>');
        }
        self
    }

    /// Adds an element that holds only text.
    pub fn leaf(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.start(name).text(text).end()
    }

    /// Number of bytes that have been written.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Returns whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Closes all open elements and returns the file.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.out
    }

    fn end_tag(&mut self) {
        if std::mem::take(&mut self.in_tag) {
            self.out.push('>');
        }
    }
}
