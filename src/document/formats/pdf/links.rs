//! The links of a document, with their targets.

use super::structure::NodeId;

/// A link of the document.
pub(super) struct LinkTo {
    /// A URL, or `#name` for a place in the document.
    pub(super) target: Box<str>,
    /// The title, which viewers show as a tooltip.
    pub(super) title: Box<str>,
    pub(super) node: NodeId,
}

/// All links, by number.
#[derive(Default)]
pub(super) struct Links(Vec<LinkTo>);

impl Links {
    pub(super) fn add(&mut self, target: &str, title: &str, node: NodeId) -> usize {
        self.0.push(LinkTo {
            target: target.into(),
            title: title.into(),
            node,
        });
        self.0.len() - 1
    }

    pub(super) fn get(&self, number: usize) -> &LinkTo {
        &self.0[number]
    }
}
