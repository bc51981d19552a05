//! Formulas in MathML.

use super::{escape, tag::Tag, tokens::Start};

/// Writes a formula of TeX.
pub(crate) fn write(tex: &str, display: bool, out: &mut String) {
    out.push_str("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"");
    if display {
        out.push_str(" display=\"block\"");
    }
    out.push_str("><semantics><mtext>");
    escape::text(tex, out);
    out.push_str("</mtext><annotation encoding=\"application/x-tex\">");
    escape::text(tex, out);
    out.push_str("</annotation></semantics></math>");
}

/// Gathers what a `<math>` element says.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) display: bool,
    /// What its annotation or its attribute has.
    tex: String,
    text: String,
    in_annotation: bool,
    in_tex: bool,
}

impl Reader {
    pub(super) fn new(start: &Start) -> Self {
        Self {
            display: start.get("display") == Some("block"),
            tex: start.get("alttext").unwrap_or_default().to_owned(),
            text: String::new(),
            in_annotation: false,
            in_tex: false,
        }
    }

    pub(super) fn start(&mut self, start: &Start, closed: bool) {
        if start.tag == Tag::Annotation && !closed {
            self.in_annotation = true;
            self.in_tex = start.get("encoding") == Some("application/x-tex");
            if self.in_tex {
                self.tex.clear();
            }
        }
    }

    pub(super) fn end(&mut self, tag: Tag) {
        if tag == Tag::Annotation {
            self.in_annotation = false;
            self.in_tex = false;
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.in_tex {
            self.tex.push_str(text);
        } else if !self.in_annotation {
            self.text.push_str(text);
        }
    }

    /// The formula in the language of TeX.
    pub(super) fn tex(self) -> Option<String> {
        let tex = if self.tex.trim().is_empty() {
            let words: Vec<&str> = self.text.split_ascii_whitespace().collect();
            words.join(" ")
        } else {
            self.tex.trim().to_owned()
        };
        (!tex.is_empty()).then_some(tex)
    }
}
