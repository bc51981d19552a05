//! Makes an SVG file from the tokens of a drawing in a page.
//!
//! In a page, a drawing follows the rules of HTML (13.2.6.5): quotation marks and end tags may be missing, names have
//! no capitals, and namespaces need not be declared. A file is XML, so everything is rewritten as well-formed XML with
//! declared namespaces. Scripts, event handlers and references to other files are left out, because pictures may not
//! contain them.

use super::{Drawing, names};
use crate::syntax::{data_url::is_data_url, element::Element, escape, tag::Tag};

/// The limit on the length of a drawing, in bytes.
const LONGEST: usize = 4 << 20;

/// The limit on the nesting of a drawing's elements.
const DEEPEST: usize = 128;

/// Limit on references to external pictures.
const MAX_IMAGES: usize = 64;

/// The limit on the references that are followed to find out whether a drawing shows anything.
const MAX_REFERENCES: usize = 16;

const SVG: &str = "http://www.w3.org/2000/svg";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// A drawing whose end has not been reached.
#[derive(Debug)]
pub(crate) struct Draft {
    root: Element,
    file: String,
    open: Vec<Open>,
    /// Number of open elements that are `svg`.
    roots: usize,
    paints: bool,
    /// Identifiers of the elements that `use` elements show.
    references: Vec<String>,
    images: Vec<Element>,
    title: String,
    description: String,
    /// Whether a CDATA section is open.
    in_section: bool,
    /// Whether visible content was left out.
    lost: bool,
    /// Whether a limit was exceeded. From then on only the end of the drawing is searched.
    too_large: bool,
}

/// An open element.
#[derive(Debug)]
struct Open {
    name: Box<str>,
    namespace: &'static str,
    /// Whether the element is written to the file.
    written: bool,
    /// Whether the content of the element is painted at its place, and not only where another element refers to it.
    visible: bool,
}

/// Meaning of a tag for a drawing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The tag belongs to the drawing.
    Inside,
    /// The tag is the end tag of the drawing.
    End,
    /// The drawing ended before the tag.
    Before,
}

impl Open {
    /// Returns whether this is an element of SVG whose content is HTML.
    fn has_html(&self) -> bool {
        self.namespace == SVG && matches!(&*self.name, "foreignObject" | "desc" | "title")
    }
}

impl Draft {
    /// Begins a drawing with the tag of its `svg` element.
    pub(crate) fn new(element: &Element) -> Self {
        let mut draft = Self {
            root: element.clone(),
            file: String::new(),
            open: Vec::new(),
            roots: 0,
            paints: false,
            references: Vec::new(),
            images: Vec::new(),
            title: String::new(),
            description: String::new(),
            in_section: false,
            lost: false,
            too_large: false,
        };
        draft.start(element);
        draft
    }

    /// Adds a start tag.
    pub(crate) fn start(&mut self, element: &Element) -> Next {
        let parent = self.open.last();
        let in_html = parent.is_some_and(|open| open.namespace != SVG || open.has_html());
        // Tags that SVG cannot contain end the drawing (HTML, 13.2.6.5).
        if !in_html && element.tag.is_some_and(Tag::ends_foreign_content) {
            return Next::Before;
        }
        let is_svg = element.name() == "svg";
        let len = element.attributes().map(|(_, value)| value.len()).sum();
        // A drawing that is too deep or too large is left out, but its end must still be found.
        if self.open.len() >= DEEPEST || !self.has_room(len) {
            self.too_large = true;
            self.file = String::new();
            self.roots += usize::from(is_svg && !element.closes_itself);
            return Next::Inside;
        }
        let namespace = match element.name() {
            "svg" => SVG,
            "math" => MATHML,
            _ => match parent {
                Some(open) if open.has_html() => XHTML,
                Some(open) => open.namespace,
                None => SVG,
            },
        };
        let name = match namespace {
            SVG => names::element(element.name()),
            _ => element.name(),
        };
        let visible = parent.is_none_or(|open| open.visible) && !names::defines(name);
        let declares = parent.is_none_or(|open| open.namespace != namespace);
        let around = parent.is_none_or(|open| open.written);
        let written = around && self.admits(element, name, visible);
        let void = namespace == XHTML && element.tag.is_some_and(Tag::is_void);
        let closed = element.closes_itself || void;
        let open = Open {
            name: name.into(),
            namespace,
            written,
            visible,
        };
        if written {
            self.write(element, &open, declares);
            self.file.push_str(if closed { "/>" } else { ">" });
        }
        if !closed {
            self.roots += usize::from(is_svg);
            self.open.push(open);
        }
        if self.open.is_empty() {
            return Next::End;
        }
        Next::Inside
    }

    /// Returns whether no limit was exceeded so far, and the file with this many bytes more does not exceed its own.
    fn has_room(&self, len: usize) -> bool {
        !self.too_large && self.file.len().saturating_add(len) <= LONGEST
    }

    /// Returns whether an element belongs in the file. Records the elements and pictures that the element refers to,
    /// and whether leaving it out is a visible loss.
    fn admits(&mut self, element: &Element, name: &str, visible: bool) -> bool {
        if names::is_left_out(name) || !is_name(name) {
            return false;
        }
        let address = element.get("href").or_else(|| element.get("xlink:href"));
        let address = address.unwrap_or_default().trim();
        match name {
            "use" => match address.strip_prefix('#') {
                Some(id) if visible && self.references.len() < MAX_REFERENCES => {
                    self.references.push(id.to_owned());
                }
                Some(_) => {}
                None => {
                    self.lost = true;
                    return false;
                }
            },
            "image" if !is_data_url(address) => {
                // A picture that is not painted at its place, or has no address, is no loss.
                if !visible || address.is_empty() {
                    return false;
                }
                if self.images.len() < MAX_IMAGES {
                    self.images.push(element.clone());
                } else {
                    self.lost = true;
                }
                return false;
            }
            _ => {}
        }
        self.paints |= visible && names::paints(name);
        true
    }

    /// Writes a start tag without its final `>`.
    fn write(&mut self, element: &Element, open: &Open, declares: bool) {
        self.file.extend(["<", &open.name]);
        if declares {
            self.attribute("xmlns", open.namespace);
        }
        if self.open.is_empty() {
            self.attribute("xmlns:xlink", XLINK);
        }
        for (name, value) in element.attributes() {
            let local = name.strip_prefix("xlink:").unwrap_or(name);
            let local = local.strip_prefix("xml:").unwrap_or(local);
            let refers = local == "href" || local == "src";
            let elsewhere = refers && !value.trim().starts_with('#') && !is_data_url(value);
            let handles_events = name.starts_with("on");
            if is_name(local) && local != "xmlns" && !handles_events && !elsewhere {
                let name = match open.namespace {
                    SVG => names::attribute(name),
                    _ => name,
                };
                self.attribute(name, value);
            }
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.file.extend([" ", name, "=\""]);
        escape::attribute(value, &mut self.file);
        self.file.push('"');
    }

    /// Adds an end tag, also for open elements inside the ended element. A tag without an open element has no effect.
    pub(crate) fn end(&mut self, name: &str) -> Next {
        if self.too_large {
            self.roots = self.roots.saturating_sub(usize::from(name == "svg"));
            return match self.roots {
                0 => Next::End,
                _ => Next::Inside,
            };
        }
        let is = |open: &Open| open.name.eq_ignore_ascii_case(name);
        if let Some(at) = self.open.iter().rposition(is) {
            self.close(at);
        }
        match self.open.is_empty() {
            true => Next::End,
            false => Next::Inside,
        }
    }

    /// Closes the open elements from this index on.
    fn close(&mut self, at: usize) {
        while self.open.len() > at
            && let Some(open) = self.open.pop()
        {
            self.roots = self.roots.saturating_sub(usize::from(&*open.name == "svg"));
            if open.written {
                self.file.extend(["</", &open.name, ">"]);
            }
        }
    }

    /// Adds text.
    pub(crate) fn text(&mut self, text: &str) {
        let text = match text.split_once("]]>") {
            Some((section, rest)) if std::mem::take(&mut self.in_section) => {
                self.characters(section);
                rest
            }
            _ => text,
        };
        self.characters(text);
    }

    /// Adds the beginning of a CDATA section. A tokenizer for HTML takes it for a comment, which ends with the first
    /// `>`.
    pub(crate) fn section(&mut self, text: &str) {
        match text.strip_suffix("]]") {
            Some(text) => self.characters(text),
            None => {
                self.in_section = true;
                self.characters(text);
                self.characters(">");
            }
        }
    }

    /// Adds text to the SVG file that is being made. `title` and `desc` of the root also become its text alternative.
    fn characters(&mut self, text: &str) {
        let Some(open) = self.open.last() else {
            return;
        };
        if !open.written {
            return;
        }
        if !self.has_room(text.len()) {
            self.too_large = true;
            return;
        }
        escape::text(text, &mut self.file);
        if let [_, child] = self.open.as_slice() {
            match &*child.name {
                "title" => self.title.push_str(text),
                "desc" => self.description.push_str(text),
                _ => {}
            }
        }
    }

    /// Ends the drawing. Returns it with the tag of its `svg` element.
    pub(crate) fn finish(mut self) -> (Element, Drawing) {
        self.close(0);
        self.too_large |= !self.has_room(0);
        let file = &self.file;
        let shown = |id: &String| {
            let mut attribute = String::from(" id=\"");
            escape::attribute(id, &mut attribute);
            attribute.push('"');
            file.contains(&attribute)
        };
        let used = self.references.iter().any(shown);
        let shows = (self.paints || used) && !self.too_large;
        self.lost |= self.too_large || !shows && !self.references.is_empty();
        let label = self.root.get("aria-label").unwrap_or(&self.title);
        let drawing = Drawing {
            words: words(label, &self.description),
            file: shows.then_some(self.file),
            images: self.images,
            lost: self.lost,
        };
        (self.root, drawing)
    }
}

/// A title and a description, separated by a colon, with one space between words.
fn words(title: &str, description: &str) -> String {
    let mut words = String::new();
    for part in [title, description] {
        for (number, word) in part.split_whitespace().enumerate() {
            words.push_str(match number {
                _ if words.is_empty() => "",
                0 => ": ",
                _ => " ",
            });
            words.push_str(word);
        }
    }
    words
}

/// Returns whether a name is valid in XML, has no namespace prefix, and consists of ASCII characters.
fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let first = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    first && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
