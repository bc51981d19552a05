//! MathML inside of HTML: writes formulas, and passes the elements of a formula on to the reader for MathML.

use crate::containers::xml;
use crate::{
    dom::Start,
    syntax::{escape, tag::Tag},
};
use convertd_tree::math::mathml;

/// Writes a TeX formula as MathML, with its source as an annotation. If the TeX is not understood, writes the source as
/// visible text and returns false.
pub(super) fn write(tex: &str, display: bool, out: &mut String) -> bool {
    let mut formula = xml::Writer::fragment();
    if mathml::write(&mut formula, tex, display) {
        out.push_str(&formula.finish());
        return true;
    }
    out.push_str("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"");
    if display {
        out.push_str(" display=\"block\"");
    }
    out.push_str("><semantics><mtext>");
    escape::text(tex, out);
    out.push_str("</mtext><annotation encoding=\"application/x-tex\">");
    escape::text(tex, out);
    out.push_str("</annotation></semantics></math>");
    false
}

/// Reads a `math` element.
#[derive(Debug)]
pub(super) struct MathReader {
    /// Whether the formula is displayed in a line of its own.
    pub(super) display: bool,
    /// Value of the attribute `alttext`.
    alternative: Option<String>,
    parts: mathml::Gather,
}

impl MathReader {
    pub(super) fn new(start: &Start<'_>) -> Self {
        Self {
            display: start.get("display") == Some("block"),
            alternative: start.get("alttext").map(str::to_owned),
            parts: mathml::Gather::new(),
        }
    }

    pub(super) fn start(&mut self, start: &Start<'_>) {
        let name = start.tag.name();
        self.parts
            .start(name, |name| start.get(name).map(Into::into));
    }

    pub(super) fn end(&mut self, tag: Tag) {
        self.parts.end(tag.name());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.parts.text(text);
    }

    /// The formula in TeX, or `None` if the element is empty.
    pub(super) fn tex(self) -> Option<String> {
        let tex = self.parts.finish(self.alternative.as_deref());
        (!tex.is_empty()).then_some(tex)
    }
}
