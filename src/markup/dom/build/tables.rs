//! Parts of tables, and the place of content between them (HTML, 13.2.6.1 and 13.2.6.4.9 to 13.2.6.4.15).

use super::{Build, NodeId, StartTag, element};

impl Build {
    /// Returns whether content other than parts of the table goes before the open table (13.2.6.1).
    pub(super) fn fosters(&self) -> bool {
        matches!(
            self.current_name(),
            "table" | "tbody" | "thead" | "tfoot" | "tr"
        )
    }

    /// Inserts a node at the end of the current node. If this is a table, a row group or a row, inserts it before the
    /// table instead ("foster parenting").
    pub(super) fn place(&mut self, node: NodeId) {
        let target = self.current();
        if self.fosters() {
            let foster = self
                .stack
                .iter()
                .rposition(|open| self.dom.tag(*open) == "table");
            if let Some(at) = foster {
                let table = self.stack[at];
                return match self.dom.node(table).parent {
                    Some(parent) => self.dom.insert(node, parent, Some(table)),
                    None => self
                        .dom
                        .insert(node, self.stack[at.saturating_sub(1)], None),
                };
            }
        }
        self.dom.insert(node, target, None);
    }

    /// Returns whether an element stays between the rows of a table, although it is no part of the table (13.2.6.4.9).
    pub(super) fn is_table_content(&self, name: &str, tag: &StartTag) -> bool {
        let is_hidden = || {
            tag.get("type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
        };
        self.fosters()
            && match name {
                "style" | "script" | "form" => true,
                "input" => is_hidden(),
                _ => false,
            }
    }

    /// Places a part of a table, with the missing row, row group or column group around it. A part outside of any table
    /// is ignored.
    pub(super) fn table_part(&mut self, name: &str, tag: StartTag) {
        let Some(table) = self.in_scope(|name| name == "table", &[]).or_else(|| {
            // An open cell ends the search in scope, so the table around the cell is searched separately.
            let is_cell = |name: &str| matches!(name, "td" | "th" | "caption");
            let cell = self.in_scope(is_cell, &[])?;
            self.stack[..cell]
                .iter()
                .rposition(|open| self.dom.tag(*open) == "table")
        }) else {
            return;
        };
        let holds: &[&str] = match name {
            "td" | "th" => &["tr", "tbody", "thead", "tfoot"],
            "tr" => &["tbody", "thead", "tfoot"],
            "col" => &["colgroup"],
            _ => &[],
        };
        while self.stack.len() > table + 1 && !holds.contains(&self.current_name()) {
            if matches!(self.current_name(), "td" | "th" | "caption") {
                self.clear_active();
            }
            self.stack.pop();
        }
        let current = self.current_name().to_owned();
        match name {
            "td" | "th" => {
                if current == "table" {
                    self.open("tbody");
                }
                if self.current_name() != "tr" {
                    self.open("tr");
                }
            }
            "tr" if current == "table" => self.open("tbody"),
            "col" if current == "table" => self.open("colgroup"),
            _ => {}
        }
        let node = element(&mut self.dom, name, tag.into_attributes());
        let target = self.current();
        self.dom.insert(node, target, None);
        if name != "col" {
            self.stack.push(node);
        }
        if matches!(name, "td" | "th" | "caption") {
            self.mark_active();
        }
    }

    pub(super) fn open(&mut self, name: &str) {
        let node = element(&mut self.dom, name, Vec::new());
        let target = self.current();
        self.dom.insert(node, target, None);
        self.stack.push(node);
    }

    /// Closes a part of the innermost table, and ends the formatting in its cells. Does nothing if the part is not
    /// open.
    pub(super) fn end_table_part(&mut self, name: &str) {
        let found = self.stack.iter().rposition(|open| {
            let open = self.dom.tag(*open);
            open == name || open == "table"
        });
        let Some(at) = found.filter(|at| self.dom.tag(self.stack[*at]) == name) else {
            return;
        };
        let cells = self.stack[at..].iter();
        let cells = cells
            .filter(|open| matches!(self.dom.tag(**open), "td" | "th" | "caption"))
            .count();
        for _ in 0..cells {
            self.clear_active();
        }
        self.pop_to(at);
    }
}
