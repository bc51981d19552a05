//! The links of a document, with their targets.

use super::structure::NodeId;

/// A link of the document.
pub(crate) struct LinkTo {
    /// A URL, or `#name` for a place in the document.
    pub(crate) target: Box<str>,
    /// The title, which viewers show as a tooltip.
    pub(crate) title: Box<str>,
    pub(crate) node: NodeId,
}

/// All links, by number.
#[derive(Default)]
pub(crate) struct Links(Vec<LinkTo>);

impl Links {
    pub(crate) fn add(&mut self, target: &str, title: &str, node: NodeId) -> usize {
        self.0.push(LinkTo {
            target: target.into(),
            title: title.into(),
            node,
        });
        self.0.len() - 1
    }

    pub(crate) fn get(&self, number: usize) -> &LinkTo {
        &self.0[number]
    }
}
