//! The stack of open containers: implicit opening and closing, and the parent that a closed
//! container goes to. Adds no content.

use super::{Builder, CUT_CELLS};
use crate::{
    document::{
        Inline, MAX_BLOCK_DEPTH, Node,
        frames::{Frame, Product},
        place::{self, Allowed},
    },
    error::Result,
};

impl Builder<'_> {
    pub(super) fn top(&mut self) -> &mut Frame {
        if self.stack.is_empty() {
            self.stack.push(Frame::new(None, 0, false));
        }
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    pub(super) fn add(&mut self, product: Product) -> Result<()> {
        let size = self.top().take(product);
        self.charge(size)
    }

    /// Closes containers that the builder has opened on its own and that cannot hold `node`.
    pub(super) fn close_implicit_for(&mut self, node: &Node) -> Result<()> {
        while let Some(top) = self.stack.last()
            && top.implicit
            && !top.accepts(node)
        {
            self.pop()?;
        }
        Ok(())
    }

    /// Opens the containers that are missing between the innermost one and `node`, if they are obvious: an item in a
    /// list, a row and a cell in a table, details in a definition list, a paragraph around inlines.
    pub(super) fn open_missing(&mut self, node: &Node) -> Result<()> {
        while let Some(missing) = place::missing(self.top().takes, node) {
            self.open_implicit(missing)?;
        }
        Ok(())
    }

    fn open_implicit(&mut self, node: Node) -> Result<()> {
        // All containers that [`Self::open_missing`] opens are allowed at their depth, so only the first arm is
        // reached.
        let depth = match self.place_of(&node) {
            Allowed::At(depth) => depth,
            Allowed::Nowhere | Allowed::NoteInNote | Allowed::TooDeep => MAX_BLOCK_DEPTH,
        };
        self.stack.push(Frame::new(Some(node), depth, true));
        self.charge(0)
    }

    /// The depth that `node` gets in the innermost container, which accepts it.
    pub(super) fn place_of(&mut self, node: &Node) -> Allowed {
        // The document always has a root container.
        self.top();
        place::place_of(&self.stack, node)
    }

    /// Closes the innermost container and adds the result to the container around it.
    pub(super) fn pop(&mut self) -> Result<()> {
        if self.stack.len() < 2 {
            return Ok(());
        }
        let Some(mut frame) = self.stack.pop() else {
            return Ok(());
        };
        if let Some(Node::Heading { id, .. } | Node::Figure { id } | Node::Aside { id }) =
            &mut frame.node
            && let Some(name) = id
            && !self.ids.claim(name)
        {
            *id = None;
        }
        let (product, cut) = frame.finish();
        self.losses.add_many(&CUT_CELLS, cut);
        match product {
            Product::Nothing => Ok(()),
            Product::Note(id, blocks) => {
                if let Some(note) = self.document.notes.get_mut(id.index()) {
                    note.blocks.extend(blocks);
                }
                Ok(())
            }
            Product::InlineNote(kind, blocks) => {
                let id = self.reserve_note(kind)?;
                self.document.notes[id.index()].blocks = blocks;
                self.add(Product::Inline(Inline::Note(id)))
            }
            product => self.add(product),
        }
    }
}
