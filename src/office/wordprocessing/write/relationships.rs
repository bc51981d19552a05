//! Relationships of a part: its references to other parts, and to addresses outside the package (ECMA-376 part 2,
//! 6.5). Follows no relationship.

use crate::{containers::xml::Writer, wordprocessing::uri_reference};
use std::collections::HashMap;

/// Relationships of a part (ECMA-376 part 2, 6.5).
#[derive(Clone, Debug, Default)]
pub struct Relationships {
    /// Types and targets, and whether they are outside the package.
    all: Vec<(String, String, bool)>,
    /// Indexes by type and target.
    known: HashMap<(String, String), usize>,
}

impl Relationships {
    /// Returns the identifier of the relationship to a target, and adds the relationship if it is new.
    pub fn add(&mut self, kind: &str, target: &str, external: bool) -> String {
        let target = match external {
            true => &*uri_reference(target),
            false => target,
        };
        let key = (kind.to_owned(), target.to_owned());
        let next = self.all.len();
        let at = *self.known.entry(key).or_insert(next);
        if at == next {
            self.all
                .push((kind.to_owned(), target.to_owned(), external));
        }
        format!("rId{}", at + 1)
    }

    /// Returns the relationships part, or `None` if there are no relationships.
    pub fn write(&self) -> Option<String> {
        if self.all.is_empty() {
            return None;
        }
        let mut xml = Writer::new();
        xml.start("Relationships");
        xml.attribute(
            "xmlns",
            "http://schemas.openxmlformats.org/package/2006/relationships",
        );
        for (number, (kind, target, external)) in self.all.iter().enumerate() {
            xml.start("Relationship")
                .attribute("Id", format!("rId{}", number + 1));
            let kind = match kind.as_str() {
                "core-properties" => {
                    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties".to_owned()
                }
                kind => format!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}"),
            };
            xml.attribute("Type", kind).attribute("Target", target);
            if *external {
                xml.attribute("TargetMode", "External");
            }
            xml.end();
        }
        Some(xml.finish())
    }
}
