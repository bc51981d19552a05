//! Words with their pronunciation above (`ruby`; CSS Ruby 1). Each pair of a base and its `rt` is a box of its own,
//! with the `rt` above the base. The base is on the baseline of the line.

use super::{Flow, Generator};
use crate::{
    error::Result,
    tree::{Piece, is_space},
};
use convertd_core::fonts::scripts::is_east_asian;
use convertd_markup::{
    css::style::{Display, Style, TextAlign, made},
    dom::{Data, NodeId},
};
use std::{collections::VecDeque, rc::Rc};

impl Generator<'_, '_> {
    /// Generates the pairs of a `ruby` element. A base without an `rt` is text on the line.
    pub(super) fn ruby(&mut self, dom: NodeId, style: &Rc<Style>, flow: &mut Flow) -> Result<()> {
        // The last line of a block decides the baseline of its box, so the base comes last.
        let pair = made(|| {
            let mut own = style.inherited(Display::InlineBlock);
            Rc::make_mut(&mut own.text).align = TextAlign::Center;
            own
        });
        let mut bases: VecDeque<Vec<NodeId>> = VecDeque::new();
        // White space after a pair, before the next base; `None` before the first pair.
        let mut gap: Option<String> = None;
        for child in self.ruby_parts(dom) {
            if let Data::Text(text) = &self.dom.node(child).data
                && text.chars().all(is_space)
            {
                if let Some(gap) = gap.as_mut().filter(|_| bases.is_empty()) {
                    gap.push_str(text);
                }
                continue;
            }
            match self.dom.tag(child) {
                "rt" => {
                    self.ruby_gap(gap.as_deref(), bases.front(), flow);
                    gap = Some(String::new());
                    let mut inner = Flow::new(pair.clone());
                    self.child(child, style, &mut inner)?;
                    for node in bases.pop_front().unwrap_or_default() {
                        self.child(node, style, &mut inner)?;
                    }
                    let id = self.finish(inner, None);
                    let span = flow.current();
                    flow.pieces.push(Piece::Atomic(id, span));
                }
                "rb" => bases.push_back(vec![child]),
                // Parentheses are for programs that do not support ruby, so they are left out.
                "rp" => {}
                _ => match bases.back_mut() {
                    Some(base) if self.dom.tag(base[0]) != "rb" => base.push(child),
                    _ => bases.push_back(vec![child]),
                },
            }
        }
        self.ruby_gap(gap.as_deref(), bases.front(), flow);
        for node in bases.into_iter().flatten() {
            self.child(node, style, flow)?;
        }
        Ok(())
    }

    /// Adds a space between a pair and the next base, if white space separates them. A line break of the source before
    /// an East Asian letter does not count.
    fn ruby_gap(&self, gap: Option<&str>, base: Option<&Vec<NodeId>>, flow: &mut Flow) {
        let (Some(gap), Some(base)) = (gap, base) else {
            return;
        };
        let text: String = base.iter().map(|node| self.dom.text(*node)).collect();
        let letters = text.trim_start_matches(is_space);
        let space = format!("{gap}{}", &text[..text.len() - letters.len()]);
        let is_source = space.contains('\n') && letters.starts_with(is_east_asian);
        if !space.is_empty() && !is_source {
            let span = flow.current();
            flow.pieces.push(Piece::Text(" ".to_owned(), span));
        }
    }

    /// Children of a `ruby` element, with those of its `rtc`.
    fn ruby_parts(&self, dom: NodeId) -> Vec<NodeId> {
        let mut parts = Vec::new();
        for child in self.dom.children(dom) {
            match self.dom.tag(child) {
                "rtc" => parts.extend(self.dom.children(child)),
                _ => parts.push(child),
            }
        }
        parts
    }
}
