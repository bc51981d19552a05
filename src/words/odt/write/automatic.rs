//! Automatic styles (part 3, 16.1). OpenDocument has no direct formatting: any properties that a paragraph has for
//! itself have to be in a style. Equal properties share a style.

use crate::containers::xml::Writer;
use std::collections::HashMap;

/// The automatic styles of a part.
#[derive(Debug, Default)]
pub(super) struct Automatic {
    /// The prefix of the style names, which keeps those of headers and footers apart from those of the text.
    prefix: &'static str,
    known: HashMap<(Kind, String), String>,
    /// The styles in the order of their first use.
    all: Vec<(Kind, String, String)>,
}

/// The kind of element that a style is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Paragraph,
    Text,
    Table,
    Column,
    Row,
    Cell,
    Graphic,
}

impl Kind {
    fn family(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::Text => "text",
            Self::Table => "table",
            Self::Column => "table-column",
            Self::Row => "table-row",
            Self::Cell => "table-cell",
            Self::Graphic => "graphic",
        }
    }

    fn letter(self) -> &'static str {
        match self {
            Self::Paragraph => "P",
            Self::Text => "T",
            Self::Table => "Table",
            Self::Column => "Column",
            Self::Row => "Row",
            Self::Cell => "Cell",
            Self::Graphic => "fr",
        }
    }
}

impl Automatic {
    /// The automatic styles of headers and footers.
    pub(super) fn of_pages() -> Self {
        Self {
            prefix: "M",
            ..Self::default()
        }
    }

    /// The name of the style with these properties. `attributes` are those of the `style:style` element itself.
    pub(super) fn name(
        &mut self,
        kind: Kind,
        attributes: &[(&str, &str)],
        properties: &str,
    ) -> String {
        let mut xml = Writer::fragment();
        xml.start("style:style");
        for (name, value) in attributes {
            xml.attribute(name, value);
        }
        xml.raw(properties);
        let key = (kind, xml.finish());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let name = format!("{}{}{}", self.prefix, kind.letter(), self.all.len() + 1);
        let mut xml = Writer::fragment();
        xml.start("style:style")
            .attribute("style:name", &name)
            .attribute("style:family", kind.family());
        for (name, value) in attributes {
            xml.attribute(name, value);
        }
        xml.raw(properties);
        self.all.push((kind, name.clone(), xml.finish()));
        self.known.insert(key, name.clone());
        name
    }

    /// Writes all of them.
    pub(super) fn write(&self) -> String {
        self.all.iter().map(|(.., style)| style.as_str()).collect()
    }
}
