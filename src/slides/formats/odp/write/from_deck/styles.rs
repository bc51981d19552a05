//! Styles of a presentation. Equal properties share a style, which gets a name when it is first used. Writes no
//! content.

use crate::containers::xml::Writer;
use std::collections::HashMap;

/// Automatic styles of one part, and named definitions of the whole presentation.
#[derive(Default)]
pub(super) struct Styles {
    /// Automatic styles of the part that is being written.
    automatic: Named,
    /// Gradients, pictures of fills, dashes and markers.
    common: Named,
}

/// Elements with names, in the order of their first use.
#[derive(Default)]
struct Named {
    written: String,
    /// Names by the prefix of the name and the content of the element.
    known: HashMap<(&'static str, String), String>,
    /// Number of elements so far.
    count: usize,
}

impl Named {
    /// Returns the name of an element, which `write` writes under this name if it is new.
    fn name(
        &mut self,
        prefix: &'static str,
        content: String,
        write: impl FnOnce(&str, &str) -> String,
    ) -> String {
        let Self {
            written,
            known,
            count,
        } = self;
        let name = known
            .entry((prefix, content))
            .or_insert_with_key(|(_, content)| {
                *count += 1;
                let name = format!("{prefix}{count}");
                written.push_str(&write(&name, content));
                name
            });
        name.clone()
    }
}

impl Styles {
    /// Returns the name of the automatic style of this family with these properties, which are XML elements.
    pub(super) fn automatic(&mut self, family: &'static str, properties: Writer) -> String {
        let prefix = match family {
            "presentation" => "pr",
            "graphic" => "gr",
            "paragraph" => "P",
            "text" => "T",
            "drawing-page" => "dp",
            "table-cell" => "ce",
            "table-row" => "ro",
            _ => "co",
        };
        self.automatic
            .name(prefix, properties.finish(), |name, content| {
                let mut xml = Writer::fragment();
                xml.start("style:style")
                    .attribute("style:name", name)
                    .attribute("style:family", family);
                if family == "presentation" {
                    xml.attribute("style:parent-style-name", "Plain-title");
                }
                xml.raw(content);
                xml.finish()
            })
    }

    /// Returns the name of the list style with these levels, which are XML elements.
    pub(super) fn list(&mut self, levels: Writer) -> String {
        self.automatic.name("L", levels.finish(), |name, content| {
            let mut xml = Writer::fragment();
            xml.start("text:list-style").attribute("style:name", name);
            xml.raw(content);
            xml.finish()
        })
    }

    /// Returns the name of a definition of the whole presentation: an element with these attributes, which the caller
    /// has escaped if needed.
    pub(super) fn common(
        &mut self,
        prefix: &'static str,
        element: &'static str,
        attributes: String,
    ) -> String {
        self.common.name(prefix, attributes, |name, content| {
            format!("<{element} draw:name=\"{name}\" {content}/>")
        })
    }

    /// Returns the automatic styles of the part, and begins another part, which does not see them.
    pub(super) fn end_part(&mut self) -> String {
        self.automatic.known.clear();
        std::mem::take(&mut self.automatic.written)
    }

    /// Number of bytes of all styles.
    pub(super) fn len(&self) -> usize {
        self.automatic.written.len() + self.common.written.len()
    }

    /// Returns the definitions of the whole presentation.
    pub(super) fn commons(&self) -> &str {
        &self.common.written
    }
}
