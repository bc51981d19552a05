//! An element of MathML. It is stored until the whole formula has been read. Interprets nothing.

/// An element of MathML.
#[derive(Debug, Default)]
pub(super) struct MathElement {
    pub(super) name: Box<str>,
    pub(super) attributes: Vec<(&'static str, Box<str>)>,
    pub(super) children: Vec<MathElement>,
    /// The text directly inside the element, without that of its children.
    pub(super) text: String,
}

/// The attributes that affect the meaning of a formula. Other attributes are dropped.
pub(super) const ATTRIBUTES: &[&str] = &[
    "close",
    "columnalign",
    "encoding",
    "fence",
    "form",
    "linethickness",
    "mathvariant",
    "open",
    "width",
];

impl MathElement {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| &**value)
    }

    /// Appends the text of the element and its descendants, without annotations.
    pub(super) fn all_text(&self, out: &mut String) {
        if self.name.starts_with("annotation") {
            return;
        }
        out.push_str(&self.text);
        for child in &self.children {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            child.all_text(out);
        }
    }
}
