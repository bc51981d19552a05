//! The tree of a page as a sequence of events in document order: each element begins and ends, and no two of them
//! overlap. A reader of documents takes these instead of the tags of the source, which may be missing or misnested.
//! Allocates nothing, and does not recurse.

use super::{Data, Dom, Drawing, NodeId};
use crate::syntax::{element::Element, tag::Tag};
use convertd_tree::Direction;

/// An element that begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'d> {
    pub(crate) tag: Tag,
    /// Node of the element. `None` for an element inside a drawing, which has no node.
    pub(crate) node: Option<NodeId>,
    attributes: &'d [(String, String)],
    dom: Option<&'d Dom>,
}

/// Number of nodes that are searched for the first letter of an element.
const MAX_NODES: usize = 1000;
/// Limit on the text that is searched for the first letter of an element, in bytes.
const MAX_TEXT: usize = 64 << 10;

impl<'d> Start<'d> {
    /// Makes the beginning of an element inside a drawing.
    pub(crate) fn in_drawing(tag: Tag, element: &'d Element) -> Self {
        Self {
            tag,
            node: None,
            attributes: &element.attributes,
            dom: None,
        }
    }

    /// The value of the attribute with this name, which has to be in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&'d str> {
        let mut all = self.attributes.iter();
        all.find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns whether an attribute contains a word in its space-separated list.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        let words = self.get(name).unwrap_or_default();
        words.split_ascii_whitespace().any(|other| other == word)
    }

    /// Returns whether the text decides the direction of an element (`dir=auto`).
    pub(crate) fn has_automatic_direction(&self) -> bool {
        self.get("dir")
            .is_some_and(|stated| stated.eq_ignore_ascii_case("auto"))
    }

    /// Direction of the first letter in an element (HTML, 3.2.6.4). Without `dir=auto`, blocks inside the element are
    /// not searched, since their text has a direction of its own (CSS Writing Modes 4, 2.2). `None` without a letter
    /// among the first nodes.
    pub(crate) fn direction_of_text(&self) -> Option<Direction> {
        let (dom, own) = (self.dom?, self.node?);
        let is_automatic = self.has_automatic_direction();
        let is_apart = |id| match dom.kind(id) {
            Some(Tag::Bdi | Tag::Script | Tag::Style | Tag::Textarea | Tag::Template) => true,
            Some(tag) if tag.is_block() && !is_automatic => true,
            _ => dom.attribute(id, "dir").is_some(),
        };
        let mut next = dom.node(own).first;
        let mut left = MAX_TEXT;
        for _ in 0..MAX_NODES {
            let id = next?;
            let node = dom.node(id);
            if let Data::Text(text) = &node.data {
                let searched = &text[..text.floor_char_boundary(left)];
                if let Some(direction) = searched.chars().find_map(Direction::of_letter) {
                    return Some(direction);
                }
                left = left.saturating_sub(text.len());
            }
            next = node.first.filter(|_| !is_apart(id));
            // Without a child, the next node is the next sibling of the node or of an ancestor.
            let mut from = id;
            while next.is_none() && from != own {
                next = dom.node(from).after;
                from = dom.parent(from)?;
            }
        }
        None
    }
}

/// A step of the walk through a tree.
#[derive(Debug)]
pub(crate) enum Event<'d> {
    Start(Start<'d>),
    End(Tag),
    Text(&'d str),
    Drawing(Start<'d>, &'d Drawing),
}

/// The walk through a tree. Passes over elements whose names are not in [`Tag`], but not over their content.
pub(crate) struct Events<'d> {
    dom: &'d Dom,
    next: Option<NodeId>,
    /// Whether the next node is an element that ends.
    ends: bool,
    /// The element that has begun last.
    begun: Option<NodeId>,
}

impl<'d> Events<'d> {
    pub(crate) fn new(dom: &'d Dom) -> Self {
        Self {
            dom,
            next: dom.node(NodeId::DOCUMENT).first,
            ends: false,
            begun: None,
        }
    }

    /// Leaves out the content of the element that has begun last. To be called directly after its `Start` event.
    pub(crate) fn leave_out(&mut self) {
        if let Some(begun) = self.begun.take() {
            self.next = Some(begun);
            self.ends = true;
        }
    }

    /// Continues after a node: with its next sibling, or with the end of its parent.
    fn leave(&mut self, id: NodeId) {
        let node = self.dom.node(id);
        self.ends = node.after.is_none();
        let parent = node.parent.filter(|parent| *parent != NodeId::DOCUMENT);
        self.next = node.after.or(parent);
    }

    fn start(&self, id: NodeId) -> Option<Start<'d>> {
        let element = self.dom.element(id)?;
        Some(Start {
            tag: self.dom.kind(id)?,
            node: Some(id),
            attributes: &element.attributes,
            dom: Some(self.dom),
        })
    }
}

impl<'d> Iterator for Events<'d> {
    type Item = Event<'d>;

    fn next(&mut self) -> Option<Event<'d>> {
        loop {
            let id = self.next?;
            if self.ends {
                self.leave(id);
                match self.dom.kind(id) {
                    Some(tag) => return Some(Event::End(tag)),
                    None => continue,
                }
            }
            let node = self.dom.node(id);
            match &node.data {
                Data::Element(_) => {
                    match node.first {
                        Some(first) => self.next = Some(first),
                        None => self.ends = true,
                    }
                    if let Some(start) = self.start(id) {
                        self.begun = Some(id);
                        return Some(Event::Start(start));
                    }
                }
                Data::Text(text) => {
                    self.leave(id);
                    return Some(Event::Text(text));
                }
                Data::Drawing(_, drawing) => {
                    self.leave(id);
                    if let Some(start) = self.start(id) {
                        return Some(Event::Drawing(start, drawing));
                    }
                }
                Data::Document => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::build, *};
    use crate::syntax::tokens::Syntax;

    /// Compares the events of the body of a page.
    #[track_caller]
    fn check(body: &str, expected: &str) {
        check_page(&format!("<!DOCTYPE html><body>{body}"), expected);
    }

    /// Compares the events of a page, without those of the root element, the head and the body.
    #[track_caller]
    fn check_page(page: &str, expected: &str) {
        let dom = build(page, Syntax::Html);
        let events = Events::new(&dom).filter_map(|event| match event {
            Event::Start(start) if is_frame(start.tag) => None,
            Event::End(tag) if is_frame(tag) => None,
            Event::Start(start) => Some(format!("<{}>", start.tag.name())),
            Event::End(tag) if tag.is_void() => None,
            Event::End(tag) => Some(format!("</{}>", tag.name())),
            Event::Text(text) => Some(text.to_owned()),
            Event::Drawing(..) => Some("<svg/>".to_owned()),
        });
        assert_eq!(events.collect::<String>(), expected, "{page}");
    }

    fn is_frame(tag: Tag) -> bool {
        matches!(tag, Tag::Html | Tag::Head | Tag::Body)
    }

    #[test]
    fn misnested_formatting_is_repaired() {
        check("<b>a<p>b</b>c</p>", "<b>a</b><p><b>b</b>c</p>");
        check(
            "<p>1<b>2<i>3</b>4</i>5",
            "<p>1<b>2<i>3</i></b><i>4</i>5</p>",
        );
        check("<p><u>a<p>b", "<p><u>a</u></p><p><u>b</u></p>");
        check("<a href=1>a<a href=2>b</a>c", "<a>a</a><a>b</a>c");
        check(
            "<table><tr><td><em>a<td>b",
            "<table><tbody><tr><td><em>a</em></td><td>b</td></tr></tbody></table>",
        );
    }

    #[test]
    fn omitted_tags_are_added() {
        check(
            "<p>a<ul><li>b<li>c</ul>d",
            "<p>a</p><ul><li>b</li><li>c</li></ul>d",
        );
        check(
            "<dl><dt>a<dd>b<dt>c",
            "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>",
        );
        check(
            "<table><td>a<th>b<tr><td>c",
            "<table><tbody><tr><td>a</td><th>b</th></tr><tr><td>c</td></tr></tbody></table>",
        );
        check("a</p>b", "a<p></p>b");
        check("a</br>b", "a<br>b");
    }

    #[test]
    fn misplaced_content_goes_before_the_table() {
        check(
            "<table>a<tr>b<td>c",
            "ab<table><tbody><tr><td>c</td></tr></tbody></table>",
        );
        check(
            "<table><tr><p>a</p><td>b",
            "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>",
        );
        check(
            "<table><tr><table><tr><td>a",
            "<table><tbody><tr></tr></tbody></table><table><tbody><tr><td>a</td></tr></tbody></table>",
        );
        check(
            "<table><form><tr><input type=HIDDEN><td>a",
            "<table><form></form><tbody><tr><input><td>a</td></tr></tbody></table>",
        );
    }

    #[test]
    fn controls_and_rubies_end_before_the_next() {
        check(
            "<select><option>a<option>b<input>c",
            "<select><option>a</option><option>b</option></select><input>c",
        );
        check(
            "<ruby>a<rp>(<rt>b<rp>)</ruby>c",
            "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>c",
        );
        check("<form>a<form>b</form>c</form>d", "<form>ab</form>cd");
    }

    #[test]
    fn content_of_templates_is_left_out() {
        let empty = "<template></template>";
        check(
            "<template><p>x</template><p>REST",
            &format!("{empty}<p>REST</p>"),
        );
        check_page(
            "<head><template><p>HIDDEN</p></template><title>a</title>",
            &format!("{empty}<title>a</title>"),
        );
        check("<template><b>x</template>rest", &format!("{empty}rest"));
        check(
            "<template>a<template>b</template><svg>c</svg></template>d</template>e",
            &format!("{empty}de"),
        );
        check(
            "<table><template><tr><td>a</template><tr><td>b",
            &format!("<table>{empty}<tbody><tr><td>b</td></tr></tbody></table>"),
        );
        // A template that never ends contains the rest of the page.
        check("a<template>b</p></body>c", &format!("a{empty}"));
        let dom = build("<p>a<template/>b</p>", Syntax::Xhtml);
        assert_eq!(dom.text(NodeId::DOCUMENT), "ab");
    }

    #[test]
    fn elements_of_formulas_may_close_themselves() {
        check(
            "<math><mi>a</mi><mspace/><mo/></math>b<mi/>c",
            "<math><mi>a</mi><mspace></mspace><mo></mo></math>b<mi>c</mi>",
        );
        check("<math><mi>a</mi><p>b", "<math><mi>a</mi></math><p>b</p>");
    }

    #[test]
    fn formatting_that_never_ends_is_opened_again_for_a_limited_number_of_elements() {
        let fonts: String = (0..200).map(|size| format!("<font size={size}>")).collect();
        // The first paragraph contains the fonts, and every other one opens them again.
        let page = format!("<p>{fonts}{}", "<p>a".repeat(10_000));
        let dom = build(&page, Syntax::Html);
        assert!(dom.len() < 200_000, "{}", dom.len());
    }
}
