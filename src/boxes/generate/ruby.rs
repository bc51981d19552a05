//! Words with their pronunciation above (`ruby`; CSS Ruby 1). Each pair of a base and its `rt` is a box of its own: a
//! column with the `rt` on top and the base below, whose baseline is that of the line.

use super::{Flow, Generator};
use crate::{error::Result, tree::Piece};
use convertd_markup::{
    css::style::{Align, Display, FlexDirection, Style, made},
    dom::NodeId,
};
use std::rc::Rc;

impl Generator<'_, '_> {
    /// Generates the pairs of a `ruby` element. A base without an `rt` is text of the line.
    pub(super) fn ruby(&mut self, dom: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        let pair = made(|| {
            let mut own = style.inherited(Display::InlineFlex);
            own.flex_direction = FlexDirection::ColumnReverse;
            own.align_items = Align::Center;
            own
        });
        let mut base: Vec<NodeId> = Vec::new();
        for child in self.dom.children(dom) {
            match self.dom.tag(child) {
                "rt" => {
                    let mut inner = Flow::new(pair.clone());
                    for node in base.drain(..).chain([child]) {
                        self.child(node, style, &mut inner)?;
                    }
                    let id = self.finish(inner, None);
                    let span = flow.current();
                    flow.pieces.push(Piece::Atomic(id, span));
                }
                // Parentheses are for programs that have no ruby.
                "rp" => {}
                _ => base.push(child),
            }
        }
        for node in base {
            self.child(node, style, flow)?;
        }
        Ok(())
    }
}
