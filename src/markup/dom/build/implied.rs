//! Ends that the start of another element implies (HTML, 13.2.6.4.7).

use super::{Build, Quirks};
use crate::syntax::kinds::{is_block, is_heading, is_special};

impl Build {
    /// Closes open elements that cannot contain an element of this name.
    pub(super) fn imply(&mut self, name: &str) {
        if self.current_name() == "colgroup" {
            self.stack.pop();
        }
        match name {
            "li" => self.close_item(&["li"]),
            "dd" | "dt" => self.close_item(&["dd", "dt"]),
            "option" | "optgroup" if self.current_name() == "option" => {
                self.stack.pop();
            }
            // Another control ends a list of options.
            "input" | "textarea" => {
                self.end_select();
            }
            // A table directly in a table, row group or row ends the table around it (13.2.6.4.9).
            "table" if self.fosters() => self.end("table"),
            "rb" | "rtc" | "rt" | "rp" => self.close_ruby_part(name),
            "a" => {
                let after = self.active.iter().rev().map_while(|active| *active);
                let open = after.into_iter().find(|open| self.dom.tag(*open) == "a");
                if open.is_some() {
                    self.end("a");
                }
            }
            "button" => {
                if let Some(at) = self.in_scope(|name| name == "button", &[]) {
                    self.pop_to(at);
                }
            }
            "nobr" if self.in_scope(|name| name == "nobr", &[]).is_some() => self.end("nobr"),
            _ => {}
        }
        // A table ends a paragraph, except in quirks mode, where a paragraph may contain it.
        if is_block(name) || name == "table" && self.dom.quirks != Quirks::Full {
            self.close_paragraph();
        }
        if is_heading(name) && is_heading(self.current_name()) {
            self.stack.pop();
        }
    }

    /// Ends the open `select`, and returns whether there was one.
    pub(super) fn end_select(&mut self) -> bool {
        let select = self.in_scope(|name| name == "select", &[]);
        if select.is_some() {
            self.end("select");
        }
        select.is_some()
    }

    /// Ends the part of a `ruby` before another part (13.2.6.4.7).
    fn close_ruby_part(&mut self, name: &str) {
        while self.stack.len() > 1 {
            match self.current_name() {
                "rb" | "rt" | "rp" => {}
                "rtc" if matches!(name, "rb" | "rtc") => {}
                _ => return,
            }
            self.stack.pop();
        }
    }

    /// Closes the innermost open item with one of these names, unless a special element other than `address`, `div` and
    /// `p` is open inside of it (13.2.6.4.7).
    fn close_item(&mut self, names: &[&str]) {
        for at in (0..self.stack.len()).rev() {
            let open = self.dom.tag(self.stack[at]);
            if names.contains(&open) {
                return self.pop_to(at);
            }
            if is_special(open) && !matches!(open, "address" | "div" | "p") {
                return;
            }
        }
    }
}
