//! Builds the tree of elements from markup, as HTML, 13.2.6 describes it. Does not interpret styles.
//!
//! The algorithm is simplified where pages look the same: it has no insertion modes, and derives their information from
//! the stack of open elements. Whether the current node is a part of a table decides where content goes (misplaced
//! content goes before the table, 13.2.6.1), and the head ends with the first content that it cannot contain. The list
//! of active formatting elements and the adoption agency (13.2.6.4.7) are those of the standard. No more than 256
//! elements are open at once (512 in browsers): deeper ones become siblings, so code that walks the tree may recurse.

mod formatting;
mod names;

use self::names::{
    bounds_scope, is_block, is_formatting, is_heading, is_special, is_table_part, is_void,
};
use super::{Data, Dom, Element, NodeId, Quirks};
use crate::syntax::{
    self,
    element::Element as Tag,
    tokens::{Doctype, Markup, Reader, Syntax},
};

/// The limit on open elements.
const DEEPEST: usize = 256;

/// Builds the tree of a page.
pub fn build(text: &str, syntax: Syntax) -> Dom {
    build_with_starts(text, syntax).0
}

/// Like [`build`], and also returns the element of each start tag, if it has made one.
pub fn build_with_starts(text: &str, syntax: Syntax) -> (Dom, Vec<Option<NodeId>>) {
    let mut starts = Vec::new();
    let mut dom = Dom::new();
    if syntax == Syntax::Xhtml {
        dom.quirks = Quirks::None;
    }
    let html = element(&mut dom, "html", Vec::new());
    let head = element(&mut dom, "head", Vec::new());
    dom.insert(html, NodeId::DOCUMENT, None);
    dom.insert(head, html, None);
    let mut build = Build {
        dom,
        html,
        head,
        body: None,
        stack: vec![html],
        paragraph: false,
        active: Vec::new(),
        syntax,
        form: false,
        formula: false,
        starts: 0,
        reopened: 0,
        skips_newline: false,
    };
    for markup in Reader::new(text, syntax) {
        match markup {
            Markup::Start(tag) => {
                let (name, before) = (tag.name().to_owned(), build.dom.len());
                build.start(tag);
                let made = build.made_since(before, &name);
                starts.push(made);
            }
            Markup::End(tag) => build.end(tag.name()),
            Markup::Text(text) => build.text(&text),
            Markup::Drawing(root, drawing) => {
                build.body();
                build.reconstruct();
                let root = named(&mut build.dom, "svg", root.into_attributes());
                let data = Data::Drawing(Box::new(root), Box::new(drawing));
                let node = build.dom.add(data);
                build.place(node);
            }
            Markup::Doctype(doctype) => {
                // A document type after content is ignored.
                if build.body.is_none() && build.dom.node(build.head).first.is_none() {
                    build.dom.quirks = quirks(&doctype);
                }
            }
        }
    }
    build.body();
    let mut dom = build.dom;
    if dom.quirks == Quirks::Full {
        fold_case(&mut dom);
    }
    (dom, starts)
}

/// In quirks mode, classes and identifiers are compared without regard to case.
fn fold_case(dom: &mut Dom) {
    let Dom { nodes, names, .. } = dom;
    for node in nodes {
        if let Data::Element(element) | Data::Drawing(element, ..) = &mut node.data {
            for name in element.classes.iter_mut().chain(&mut element.id) {
                let lower = names.name(*name).to_ascii_lowercase();
                *name = names.number(&lower);
            }
        }
    }
}

/// The mode that a document type selects (HTML, 13.2.6.4.1), by its public and system identifiers.
fn quirks(doctype: &Doctype) -> Quirks {
    const FULL: [&str; 12] = [
        "-//ietf//dtd html",
        "-//w3c//dtd html 3",
        "-//w3c//dtd html experimental",
        "-//w3c//dtd w3 html",
        "-//w3o//dtd w3 html",
        "-//w3c//dtd html 4.0 frameset//",
        "-//w3c//dtd html 4.0 transitional//",
        "-//netscape",
        "-//microsoft",
        "-//webtechs",
        "-//softquad",
        "html",
    ];
    let public = doctype.public.as_deref().unwrap_or_default();
    let public = public.to_ascii_lowercase();
    let begins = |start: &str| public.starts_with(start);
    // With a system identifier, these select limited quirks mode, and without one, quirks mode.
    let loose = begins("-//w3c//dtd html 4.01 frameset//")
        || begins("-//w3c//dtd html 4.01 transitional//");
    if doctype.force_quirks
        || !doctype.name.eq_ignore_ascii_case("html")
        || FULL.iter().any(|start| begins(start))
        || loose && doctype.system.is_none()
    {
        return Quirks::Full;
    }
    if loose
        || begins("-//w3c//dtd xhtml 1.0 frameset//")
        || begins("-//w3c//dtd xhtml 1.0 transitional//")
    {
        return Quirks::Limited;
    }
    Quirks::None
}

/// Makes an element, with numbers for its name, its id and its classes.
fn named(dom: &mut Dom, name: &str, attributes: Vec<(String, String)>) -> Element {
    let value = |wanted: &str| {
        let found = attributes.iter().find(|(name, _)| name == wanted);
        found.map_or("", |(_, value)| value.as_str())
    };
    let id = Some(value("id")).filter(|id| !id.is_empty());
    let id = id.map(|id| dom.names.number(id));
    let classes = value("class").split_ascii_whitespace();
    let classes = classes.map(|class| dom.names.number(class)).collect();
    Element {
        name: dom.names.number(name),
        id,
        classes,
        attributes,
    }
}

fn element(dom: &mut Dom, name: &str, attributes: Vec<(String, String)>) -> NodeId {
    let element = named(dom, name, attributes);
    dom.add(Data::Element(Box::new(element)))
}

struct Build {
    dom: Dom,
    html: NodeId,
    head: NodeId,
    body: Option<NodeId>,
    stack: Vec<NodeId>,
    /// Whether a paragraph may be open. Nearly every element closes an open paragraph, and this flag avoids a search of
    /// the whole stack.
    paragraph: bool,
    /// Active formatting elements; `None` is a marker.
    active: Vec<Option<NodeId>>,
    syntax: Syntax,
    /// Whether a form is open, in which no other form can begin.
    form: bool,
    /// Whether a formula may be open. Avoids a search of the stack, like `paragraph`.
    formula: bool,
    /// Number of start tags so far.
    starts: usize,
    /// Number of formatting elements that were opened again.
    reopened: usize,
    /// Whether a line feed at the beginning of the next text is dropped.
    skips_newline: bool,
}

impl Build {
    fn current(&self) -> NodeId {
        self.stack.last().copied().unwrap_or(self.html)
    }

    fn current_name(&self) -> &str {
        self.dom.tag(self.current())
    }

    /// Ends the head, and opens the body.
    fn body(&mut self) -> NodeId {
        if let Some(body) = self.body {
            return body;
        }
        let body = element(&mut self.dom, "body", Vec::new());
        self.dom.insert(body, self.html, None);
        self.stack = vec![self.html, body];
        self.body = Some(body);
        body
    }

    /// Returns whether content other than parts of the table goes before the open table (13.2.6.1).
    fn fosters(&self) -> bool {
        matches!(
            self.current_name(),
            "table" | "tbody" | "thead" | "tfoot" | "tr"
        )
    }

    /// Inserts a node at the current insertion point.
    fn place(&mut self, node: NodeId) {
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

    /// Adds text. White space between `head` and `body` belongs to neither, and a line end directly after `pre` is
    /// dropped.
    fn text(&mut self, text: &str) {
        let mut text = text;
        if std::mem::take(&mut self.skips_newline) {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        if text.is_empty() {
            return;
        }
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        let raw = matches!(
            self.current_name(),
            "title" | "style" | "script" | "noscript" | "template"
        );
        if self.body.is_none() && !raw {
            if blank {
                return;
            }
            self.body();
        }
        if blank && (self.fosters() || self.current_name() == "colgroup") {
            return;
        }
        if self.current_name() == "colgroup" {
            self.stack.pop();
        }
        if !raw {
            self.reconstruct();
        }
        // Adjacent text is one node.
        let fostered = self.fosters();
        let last = self.dom.node(self.current()).last;
        if let Some(last) = last
            && !fostered
            && let Data::Text(before) = &mut self.dom.nodes[last.index()].data
        {
            before.push_str(text);
            return;
        }
        let node = self.dom.add(Data::Text(text.to_owned()));
        self.place(node);
    }

    /// Index of the innermost open element that `is` accepts. `None` if an element inside of it ends the scope, or has
    /// one of the names in `extra` (HTML, 13.2.4.2).
    fn in_scope(&self, is: impl Fn(&str) -> bool, extra: &[&str]) -> Option<usize> {
        for at in (0..self.stack.len()).rev() {
            let name = self.dom.tag(self.stack[at]);
            if is(name) {
                return Some(at);
            }
            if bounds_scope(name) || extra.contains(&name) {
                return None;
            }
        }
        None
    }

    fn pop_to(&mut self, at: usize) {
        self.stack.truncate(at.max(1));
    }

    fn close_paragraph(&mut self) {
        if !self.paragraph {
            return;
        }
        match self.in_scope(|name| name == "p", &["button"]) {
            Some(at) => self.pop_to(at),
            None => self.paragraph = self.stack.iter().any(|open| self.dom.tag(*open) == "p"),
        }
    }

    fn clear_active(&mut self) {
        while let Some(Some(_)) = self.active.pop() {}
    }

    /// The element that a start tag has made. Elements that the tag implies may have been made before it.
    fn made_since(&self, before: usize, name: &str) -> Option<NodeId> {
        let last = self.dom.len().checked_sub(1)?;
        match name {
            "html" => Some(self.html),
            "body" => self.body,
            _ if last < before => None,
            _ => Some(NodeId(last as u32)).filter(|id| self.dom.tag(*id) == name),
        }
    }

    /// Handles a start tag (HTML, 13.2.6): closes elements whose end it implies, opens missing elements around it, and
    /// adds the element.
    fn start(&mut self, tag: Tag) {
        self.skips_newline = false;
        self.starts += 1;
        let name = tag.name().to_owned();
        let in_formula = self.enter_formula(&tag);
        let closed = tag.closes_itself && (in_formula || self.syntax == Syntax::Xhtml);
        match name.as_str() {
            "html" => return self.merge(self.html, tag),
            "head" => return,
            "body" => {
                let body = self.body();
                return self.merge(body, tag);
            }
            // Metadata before the body belongs in the head.
            "base" | "link" | "meta" | "title" | "style" | "script" | "noscript" | "template"
                if self.body.is_none() =>
            {
                let (head, void) = (self.head, is_void(&name));
                let node = element(&mut self.dom, &name, tag.into_attributes());
                self.dom.insert(node, head, None);
                if !void && !closed {
                    self.stack = vec![self.html, head, node];
                }
                return;
            }
            _ => {
                self.body();
            }
        }
        if is_table_part(&name) {
            return self.table_part(&name, tag);
        }
        if name == "form" && !closed && std::mem::replace(&mut self.form, true)
            || name == "select" && self.end_select()
        {
            return;
        }
        if self.is_table_content(&name, &tag) {
            let node = element(&mut self.dom, &name, tag.into_attributes());
            let target = self.current();
            self.dom.insert(node, target, None);
            if !matches!(&*name, "form" | "input") {
                self.stack.push(node);
            }
            return;
        }
        self.imply(&name);
        // Opens formatting elements again that a misplaced end tag has closed (13.2.4.3).
        let formatting = is_formatting(&name);
        if formatting || !is_block(&name) && !matches!(name.as_str(), "table") {
            self.reconstruct();
        }
        let skips = matches!(name.as_str(), "pre" | "listing" | "textarea");
        // An old name, which the specification also replaces (13.2.6.4.7).
        let name = if name == "image" {
            "img".to_owned()
        } else {
            name
        };
        let void = is_void(&name) || closed;
        let node = element(&mut self.dom, &name, tag.into_attributes());
        // Deeper elements become siblings.
        if self.stack.len() >= DEEPEST {
            self.stack.pop();
        }
        self.place(node);
        if void {
            return;
        }
        self.stack.push(node);
        self.paragraph |= name == "p";
        self.formula |= name == "math";
        self.skips_newline = skips;
        if formatting {
            self.push_active(node);
        }
        // A marker: formatting that begins in these elements ends with them (13.2.4.3).
        if matches!(
            name.as_str(),
            "button" | "object" | "marquee" | "applet" | "select"
        ) {
            self.active.push(None);
        }
    }

    /// Closes open elements that cannot contain an element of this name.
    fn imply(&mut self, name: &str) {
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
            // A table directly between the rows of another ends the other one (13.2.6.4.9).
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
        // In quirks mode, a paragraph may contain a table.
        if is_block(name) || name == "table" && self.dom.quirks != Quirks::Full {
            self.close_paragraph();
        }
        if is_heading(name) && is_heading(self.current_name()) {
            self.stack.pop();
        }
        if self.current_name() == "colgroup" {
            self.stack.pop();
        }
    }

    /// Ends the open list of options, and returns whether there was one.
    fn end_select(&mut self) -> bool {
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

    /// Returns whether an element stays between the rows of a table, although it is no part of the table (13.2.6.4.9).
    fn is_table_content(&self, name: &str, tag: &Tag) -> bool {
        let is_hidden = || {
            tag.get("type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
        };
        self.fosters()
            && match name {
                "style" | "script" | "template" | "form" => true,
                "input" => is_hidden(),
                _ => false,
            }
    }

    /// Returns whether a start tag is in a formula, where `/>` ends an element (13.2.6.5). A tag that no formula can
    /// contain ends the formula.
    fn enter_formula(&mut self, tag: &Tag) -> bool {
        if !self.formula {
            return tag.name() == "math";
        }
        let math = self.formula_at();
        let breaks_out = tag.tag.is_some_and(syntax::tag::Tag::ends_foreign_content);
        match math {
            Some(at) if breaks_out => {
                self.pop_to(at);
                false
            }
            Some(_) => true,
            None => tag.name() == "math",
        }
    }

    /// Index of the open `math` element. `None` if there is none, or if an element of text is open in it, which contains
    /// HTML.
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

    /// Adds the attributes of a further `html` or `body` tag that the element does not have yet (13.2.6.4.7).
    fn merge(&mut self, into: NodeId, tag: Tag) {
        let name = tag.name().to_owned();
        let mut attributes = match &self.dom.node(into).data {
            Data::Element(element) => element.attributes.clone(),
            _ => Vec::new(),
        };
        for (name, value) in tag.into_attributes() {
            if !attributes.iter().any(|(known, _)| *known == name) {
                attributes.push((name, value));
            }
        }
        let element = named(&mut self.dom, &name, attributes);
        self.dom.nodes[into.index()].data = Data::Element(Box::new(element));
    }

    /// Closes the innermost open item with one of these names, unless another special element is inside of it
    /// (13.2.6.4.7).
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

    /// Places a part of a table, with the missing row or row group around it. A part outside of any table is ignored.
    fn table_part(&mut self, name: &str, tag: Tag) {
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
            self.active.push(None);
        }
    }

    fn open(&mut self, name: &str) {
        let node = element(&mut self.dom, name, Vec::new());
        let target = self.current();
        self.dom.insert(node, target, None);
        self.stack.push(node);
    }

    /// Handles an end tag. A tag of an element that is not open is ignored, except for `br`, which becomes an element.
    fn end(&mut self, name: &str) {
        self.skips_newline = false;
        match name {
            "html" | "body" | "head" => {
                if name == "head" && self.body.is_none() {
                    self.stack = vec![self.html, self.head];
                }
                return;
            }
            "br" => {
                self.body();
                self.reconstruct();
                let node = element(&mut self.dom, "br", Vec::new());
                return self.place(node);
            }
            "form" => self.form = false,
            // An end tag without a paragraph makes an empty one.
            "p" if self.in_scope(|name| name == "p", &["button"]).is_none() => {
                if self.body.is_some() {
                    let node = element(&mut self.dom, "p", Vec::new());
                    self.place(node);
                }
                return;
            }
            "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "caption" | "colgroup" => {
                return self.end_table_part(name);
            }
            _ if is_formatting(name) => return self.adopt(name),
            _ if is_heading(name) => {
                if let Some(at) = self.in_scope(is_heading, &[]) {
                    self.pop_to(at);
                }
                return;
            }
            _ => {}
        }
        let special = is_special(name) || matches!(name, "object" | "marquee");
        if special
            && !matches!(
                name,
                "style" | "script" | "title" | "template" | "noscript" | "textarea"
            )
        {
            let extra: &[&str] = if name == "li" { &["ol", "ul"] } else { &[] };
            if let Some(at) = self.in_scope(|open| open == name, extra) {
                self.pop_to(at);
                if matches!(name, "button" | "object" | "marquee" | "select") {
                    self.clear_active();
                }
            }
            return;
        }
        self.end_any_other(name);
    }

    /// Closes a part of the innermost table, and ends the formatting in its cells. Does nothing if the part is not
    /// open.
    fn end_table_part(&mut self, name: &str) {
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
