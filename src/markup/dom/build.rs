//! Builds the tree of elements from markup, as HTML, 13.2.6 describes it. Does not interpret styles.
//!
//! The algorithm is simplified where pages look the same: it has no insertion modes, and derives their information from
//! the stack of open elements. Whether the current node is a part of a table decides where content goes (misplaced
//! content goes before the table, 13.2.6.1), and the head ends with the first content that it cannot contain. The list
//! of active formatting elements and the adoption agency (13.2.6.4.7) are those of the standard. No more than 256
//! elements are open at once (512 in browsers): deeper ones become siblings, so code that walks the tree may recurse.

mod formatting;
mod formulas;
mod implied;
mod quirks;
mod tables;
#[cfg(test)]
mod tests;

use self::quirks::{fold_case, quirks};
use super::{Data, Dom, Element, NodeId, Quirks};
use crate::{
    error::Result,
    job::{Job, Lease},
    syntax::{
        element::Element as StartTag,
        kinds::{
            bounds_scope, is_block, is_formatting, is_heading, is_special, is_table_part, is_void,
        },
        tag::Tag,
        tokens::{Markup, Syntax, Tokenizer},
    },
};
use std::borrow::Cow;

/// The limit on open elements.
const DEEPEST: usize = 256;
/// Number of tags and texts between two checks of the job's deadline.
const TAGS_PER_CHECK: usize = 4096;

/// Builds the tree of a short text whose tags are few or known, as in tests. Leases no memory: the tree of any other
/// page may have some thousand times the length of its text, and needs [`build_within`].
pub fn build(text: &str, syntax: Syntax) -> Dom {
    let mut build = Build::new(syntax);
    for markup in Tokenizer::new(text, syntax) {
        build.markup(markup);
    }
    build.finish()
}

/// Builds the tree of a page. The memory lease grows with the tree, and has to be held as long as the tree exists.
///
/// Errors: the memory is not granted, or the job is cancelled.
pub fn build_within(job: &Job<'_>, text: &str, syntax: Syntax, lease: &Lease<'_>) -> Result<Dom> {
    /// Growth of the tree between two changes of the lease, in bytes.
    const STEP: u64 = 1 << 18;
    let mut build = Build::new(syntax);
    let mut leased = 0;
    for (number, markup) in Tokenizer::new(text, syntax).enumerate() {
        if number.is_multiple_of(TAGS_PER_CHECK) {
            job.check()?;
        }
        build.markup(markup);
        let memory = build.dom.memory();
        if memory > leased + STEP {
            leased = memory;
            lease.set(memory)?;
        }
    }
    lease.set_exactly(build.dom.memory())?;
    Ok(build.finish())
}

impl Build {
    fn new(syntax: Syntax) -> Self {
        let mut dom = Dom::new();
        if syntax == Syntax::Xhtml {
            dom.quirks = Quirks::None;
        }
        let html = element(&mut dom, "html", Vec::new());
        let head = element(&mut dom, "head", Vec::new());
        dom.insert(html, NodeId::DOCUMENT, None);
        dom.insert(head, html, None);
        Self {
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
            templates: 0,
        }
    }

    fn markup(&mut self, markup: Markup) {
        if self.templates > 0 {
            return self.skip(&markup);
        }
        match markup {
            Markup::Start(tag) => self.start(tag),
            Markup::End(tag) => self.end(tag.name()),
            Markup::Text(text) => self.text(text),
            Markup::Drawing(root, drawing) => {
                self.body();
                self.reconstruct();
                let root = named(&mut self.dom, "svg", root.into_attributes());
                let data = Data::Drawing(Box::new(root), Box::new(drawing));
                let node = self.dom.add(data);
                self.place(node);
            }
            Markup::Doctype(doctype) => {
                // A document type after content of the head or the body is ignored.
                if self.body.is_none() && self.dom.node(self.head).first.is_none() {
                    self.dom.quirks = quirks(&doctype);
                }
            }
        }
    }

    /// Leaves out content of a template, and counts the templates that are open.
    fn skip(&mut self, markup: &Markup) {
        match markup {
            Markup::Start(tag) if tag.name() == "template" => {
                let closed = tag.closes_itself && self.syntax == Syntax::Xhtml;
                self.templates += usize::from(!closed);
            }
            Markup::End(tag) if tag.name() == "template" => self.templates -= 1,
            Markup::Start(_)
            | Markup::End(_)
            | Markup::Text(_)
            | Markup::Drawing(..)
            | Markup::Doctype(_) => {}
        }
    }

    fn finish(mut self) -> Dom {
        self.body();
        let mut dom = self.dom;
        if dom.quirks == Quirks::Full {
            fold_case(&mut dom);
        }
        dom
    }
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
    /// Number of open templates, whose content is left out.
    templates: usize,
}

impl Build {
    fn current(&self) -> NodeId {
        self.stack.last().copied().unwrap_or(self.html)
    }

    fn current_name(&self) -> &str {
        self.dom.tag(self.current())
    }

    /// Returns the body. If it is not open yet, ends the head and opens the body.
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

    /// Adds text. White space before the body or between the parts of a table is dropped, and so is a line feed
    /// directly after the start tag of `pre`, `listing` or `textarea`.
    fn text(&mut self, mut text: String) {
        if std::mem::take(&mut self.skips_newline) && text.starts_with('\n') {
            text.remove(0);
        }
        if text.is_empty() {
            return;
        }
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        let raw = matches!(
            self.current_name(),
            "title" | "style" | "script" | "noscript"
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
        // Text directly after text is added to the same node, unless it is moved out of a table.
        let fostered = self.fosters();
        let last = self.dom.node(self.current()).last;
        if let Some(last) = last
            && !fostered
            && let Data::Text(before) = &mut self.dom.nodes[last.index()].data
        {
            before.push_str(&text);
            self.dom.memory += text.len() as u64;
            return;
        }
        let node = self.dom.add(Data::Text(text));
        self.place(node);
    }

    /// Index of the innermost open element that `is` accepts. `None` if there is no such element, or if an element
    /// inside of it ends the scope or has one of the names in `extra` (HTML, 13.2.4.2).
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

    /// Handles a start tag (HTML, 13.2.6): closes elements whose end it implies, opens missing elements around it, and
    /// adds the element.
    fn start(&mut self, tag: StartTag) {
        self.skips_newline = false;
        self.starts += 1;
        let name: Cow<'static, str> = match tag.tag {
            // An old name, which the specification also replaces (13.2.6.4.7).
            Some(Tag::Image) => "img".into(),
            Some(tag) => tag.name().into(),
            None => tag.name().to_owned().into(),
        };
        let in_formula = self.enter_formula(&tag);
        let closed = tag.closes_itself && (in_formula || self.syntax == Syntax::Xhtml);
        match &*name {
            "html" => return self.merge(self.html, tag),
            "head" => return,
            "body" => {
                let body = self.body();
                return self.merge(body, tag);
            }
            "template" => return self.template(tag, closed),
            // Metadata before the body belongs in the head.
            "base" | "link" | "meta" | "title" | "style" | "script" | "noscript"
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
            if !closed && !matches!(&*name, "form" | "input") {
                self.stack.push(node);
            }
            return;
        }
        self.imply(&name);
        // Formatting elements that the end of another element has closed are opened again (13.2.4.3).
        let formatting = is_formatting(&name);
        if formatting || !is_block(&name) && !matches!(&*name, "table") {
            self.reconstruct();
        }
        let skips = matches!(&*name, "pre" | "listing" | "textarea");
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
        // Formatting that begins in these elements ends with them (13.2.4.3).
        if matches!(
            &*name,
            "button" | "object" | "marquee" | "applet" | "select"
        ) {
            self.mark_active();
        }
    }

    /// Adds a template, which has no content here: it is inert, because only scripts use it (HTML, 4.12.3). The element
    /// itself stays, because selectors count it among its siblings.
    fn template(&mut self, tag: StartTag, closed: bool) {
        let node = element(&mut self.dom, "template", tag.into_attributes());
        let target = self.body.map_or(self.head, |_| self.current());
        self.dom.insert(node, target, None);
        self.templates = usize::from(!closed);
    }

    /// Adds the attributes of an `html` or `body` tag that the element does not have yet (13.2.6.4.7). The element
    /// keeps at most 64, because each is compared with those of every further tag.
    fn merge(&mut self, into: NodeId, tag: StartTag) {
        const MAX_ATTRIBUTES: usize = 64;
        let name = tag.name().to_owned();
        let Data::Element(known) = &mut self.dom.nodes[into.index()].data else {
            return;
        };
        let mut new = tag.into_attributes();
        new.retain(|(name, _)| !known.attributes.iter().any(|(other, _)| other == name));
        new.truncate(MAX_ATTRIBUTES.saturating_sub(known.attributes.len()));
        if new.is_empty() {
            return;
        }
        let mut attributes = known.attributes.clone();
        attributes.append(&mut new);
        let element = named(&mut self.dom, &name, attributes);
        self.dom.replace(into, Data::Element(Box::new(element)));
    }

    /// Handles an end tag. A tag of an element that is not open is ignored, except for `br` and `p`, which become empty
    /// elements.
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
            // An end tag without an open paragraph makes an empty paragraph, once the body has begun.
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
        if special && !matches!(name, "style" | "script" | "title" | "noscript" | "textarea") {
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
}
