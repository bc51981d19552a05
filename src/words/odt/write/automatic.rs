//! Automatic styles (OpenDocument 1.3, part 3, 16.1). OpenDocument has no direct formatting: properties of a single
//! paragraph have to be in a style. Equal properties share a style.

use crate::containers::xml::Writer;
use std::collections::HashMap;

/// Automatic styles of a part.
#[derive(Debug, Default)]
pub(super) struct Automatic {
    /// Prefix of the style names. It distinguishes the styles of headers and footers from the styles of the text.
    prefix: &'static str,
    /// Names of the styles by their content.
    known: HashMap<(StyleFamily, String), String>,
    /// Kind, name and element of each style, in the order of first use.
    all: Vec<(StyleFamily, String, String)>,
}

/// Kind of element that a style applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StyleFamily {
    Paragraph,
    Text,
    Table,
    Column,
    Row,
    Cell,
    Graphic,
    Section,
}

impl StyleFamily {
    /// Value of `style:family`.
    fn family(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::Text => "text",
            Self::Table => "table",
            Self::Column => "table-column",
            Self::Row => "table-row",
            Self::Cell => "table-cell",
            Self::Graphic => "graphic",
            Self::Section => "section",
        }
    }

    /// Beginning of the style names.
    fn letter(self) -> &'static str {
        match self {
            Self::Paragraph => "P",
            Self::Text => "T",
            Self::Table => "Table",
            Self::Column => "Column",
            Self::Row => "Row",
            Self::Cell => "Cell",
            Self::Graphic => "fr",
            Self::Section => "Sect",
        }
    }
}

impl Automatic {
    /// Creates the automatic styles of headers and footers.
    pub(super) fn of_pages() -> Self {
        Self {
            prefix: "M",
            ..Self::default()
        }
    }

    /// Returns the name of the style with these properties, which is added if it is new. `attributes` are those of the
    /// `style:style` element.
    pub(super) fn name(
        &mut self,
        kind: StyleFamily,
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

    /// Returns all styles as XML.
    pub(super) fn write(&self) -> String {
        self.all.iter().map(|(.., style)| style.as_str()).collect()
    }
}
