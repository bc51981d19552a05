//! Formulas in a page: MathML by the rules for foreign content (HTML, 13.2.6.5). Builds no element.

use super::{Build, StartTag};
use crate::syntax::tag::Tag;

impl Build {
    /// Returns whether a start tag is in a formula, where `/>` ends an element (13.2.6.5). A tag that no formula can
    /// contain ends the formula.
    pub(super) fn enter_formula(&mut self, tag: &StartTag) -> bool {
        if !self.formula {
            return tag.name() == "math";
        }
        let math = self.formula_at();
        let breaks_out = tag.tag.is_some_and(Tag::ends_foreign_content);
        match math {
            Some(at) if breaks_out => {
                self.pop_to(at);
                false
            }
            Some(_) => true,
            None => tag.name() == "math",
        }
    }

    /// Index of the innermost open `math` element. `None` outside of formulas, and within an element such as `mi`, whose
    /// content is HTML.
    fn formula_at(&mut self) -> Option<usize> {
        for at in (0..self.stack.len()).rev() {
            match self.dom.tag(self.stack[at]) {
                "math" => return Some(at),
                "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml" => return None,
                _ => {}
            }
        }
        self.formula = false;
        None
    }
}
