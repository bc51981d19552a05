//! The links of a document, with their targets.

use super::structure::NodeId;

/// A link of the document.
pub struct LinkTo {
    /// A URL, or `#name` for a destination in the document.
    pub target: Box<str>,
    /// The title, which viewers show as a tooltip.
    pub title: Box<str>,
    pub node: NodeId,
}

/// All links, indexed by number.
#[derive(Default)]
pub struct Links(Vec<LinkTo>);

impl Links {
    /// Adds a link, and returns its number.
    pub fn add(&mut self, target: &str, title: &str, node: NodeId) -> usize {
        self.0.push(LinkTo {
            target: target.into(),
            title: title.into(),
            node,
        });
        self.0.len() - 1
    }

    pub fn get(&self, number: usize) -> &LinkTo {
        &self.0[number]
    }
}
