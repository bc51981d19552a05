//! Output of a drawing with resolved styles. Drops everything that is not drawn: style sheets,
//! animations, and the private data of editors.

use super::{
    ElementStyle, Inherited, Resolver, SVG, animation, foreign, strokes, values::is_property,
};
use crate::coding::escape;
use resvg::usvg::roxmltree::Node;

/// Namespace of XLink, such as of `xlink:href`.
const XLINK: &str = "http://www.w3.org/1999/xlink";
/// Namespace of the prefix `xml`, such as of `xml:space`.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// SVG elements that are not copied: their effect is resolved already, or they draw nothing.
const DONE: [&str; 7] = [
    "style",
    "animate",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "set",
    "script",
];
/// Properties that usvg reads in a `style` attribute only.
const STYLED: [&str; 4] = [
    "mix-blend-mode",
    "isolation",
    "font-kerning",
    "image-rendering",
];
/// Properties that are not presentation attributes.
const NOT_ATTRIBUTES: [&str; 2] = ["background-color", "max-width"];

impl Resolver<'_> {
    /// Writes an element with its descendants. Its attributes are kept, except for properties,
    /// which are replaced by their resolved values.
    pub(super) fn element(&mut self, node: Node<'_, '_>, parent: &Inherited, is_root: bool) {
        let name = node.tag_name().name();
        if node.tag_name().namespace() != Some(SVG) || DONE.contains(&name) {
            return;
        }
        let mut look = self.look(node, parent, is_root);
        // An animation of the transform replaces the value of `transform`.
        if let Some(turned) = animation::transform(node) {
            look.values.retain(|(name, _)| name != "transform");
            look.values.push(("transform".to_owned(), turned));
        }
        strokes::resolve(node, &mut look, is_root.then_some(self.viewport));
        if name == "foreignObject" {
            return foreign::lines(self, node, &look);
        }
        self.out.push('<');
        self.out.push_str(name);
        if is_root {
            self.attribute("xmlns", SVG);
            self.attribute("xmlns:xlink", XLINK);
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            // Attributes of other namespaces are private data of editors.
            match attribute.namespace() {
                None if name == "style" || is_property(name) => {}
                None => self.attribute(name, attribute.value()),
                Some(XLINK) => self.attribute(&format!("xlink:{name}"), attribute.value()),
                Some(XML) => self.attribute(&format!("xml:{name}"), attribute.value()),
                Some(_) => {}
            }
        }
        self.properties(&look, is_root);
        self.out.push('>');
        for child in node.children() {
            if child.is_element() {
                self.element(child, &look.inherited, false);
            } else if let Some(text) = child.text().filter(|_| child.is_text()) {
                self.text(text);
            }
        }
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// Writes the properties of an element as attributes, or in `style` where usvg needs that.
    fn properties(&mut self, look: &ElementStyle, is_root: bool) {
        let mut style = String::new();
        for (name, value) in &look.values {
            if STYLED.contains(&name.as_str()) {
                style.push_str(&format!("{name}:{value};"));
            } else if !NOT_ATTRIBUTES.contains(&name.as_str()) {
                self.attribute(name, value);
            }
        }
        // Only the root element's background is painted.
        if let Some(colour) = look.get("background-color").filter(|_| is_root) {
            style.push_str(&format!("background:{colour}"));
        }
        if !style.is_empty() {
            self.attribute("style", &style);
        }
    }

    /// Writes an attribute, escaped. Line breaks are escaped too, because XML parsers turn them
    /// into spaces.
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape::attribute(value, &mut self.out);
        self.out.push('"');
    }

    /// Writes text, escaped.
    pub(super) fn text(&mut self, text: &str) {
        escape::text(text, &mut self.out);
    }
}
