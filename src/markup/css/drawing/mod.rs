//! Styles of SVG drawings (SVG 2, 6), by the same cascade as documents: the result is a drawing
//! whose elements have plain presentation attributes only, which usvg reads. Draws nothing.
//!
//! usvg has a cascade of its own, for CSS 2.1: it takes the last declaration whether valid or not, knows neither custom
//! properties nor nested rules nor `@media`, and paints unknown values black, such as those in every drawing of draw.io
//! since 2025. Here, an invalid declaration is ignored (CSS Cascade 5, 4.4).
//!
//! ```text
//! text ──► tree ──► matching rules, attributes, animations ──► one valid value per property ──► text
//! ```

mod animation;
mod foreign;
mod strokes;
mod transform;
mod values;
mod write;

use self::{
    strokes::Strokes,
    values::{Found, is_property},
};
use super::{
    cascade::Cascade,
    media::Media,
    properties::substitute,
    rules::pairs,
    sheet::{SheetParser, Written},
    tokens::{Token, tokens},
    value::{Context, Cursor, FontUnits},
};
use crate::{
    dom::{Dom, NodeId, Quirks},
    image::vector::Resolved,
};
use resvg::usvg::roxmltree::{self, Node};
use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

const SVG: &str = "http://www.w3.org/2000/svg";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
/// Size in px of a drawing that states none (CSS Images 3, 5.1).
const DEFAULT: (f32, f32) = (300.0, 150.0);
/// Default font size, in px.
const MEDIUM: f32 = 16.0;
/// Limit on the invalid values that a note lists.
const MAX_NOTED: usize = 5;
/// Limit on the length of an invalid value in a note, in bytes.
const LONGEST_NOTED: usize = 60;

/// Custom properties with their substituted values.
type Custom = Rc<HashMap<Rc<str>, Rc<[Token]>>>;

/// Values that elements inherit.
#[derive(Clone)]
struct Inherited {
    custom: Custom,
    /// Font size in px.
    size: f32,
    /// Value of `color`, for HTML text inside the drawing.
    colour: String,
    strokes: Strokes,
}

/// Returns whether a declaration of a property of SVG is valid, which `@supports` asks for.
pub(super) fn is_supported(name: &str, tokens: &[Token]) -> bool {
    // The context decides about sizes only.
    values::is_supported(name, tokens, &around(MEDIUM, MEDIUM, DEFAULT))
}

/// Resolves the styles of a drawing. `None` if usvg can read the drawing unchanged, or if it is not SVG.
///
/// The search for certain words in the text is much cheaper than parsing, and finds that most drawings need nothing
/// more.
pub fn resolved(text: &str) -> Option<Resolved> {
    // Signs of style sheets, animations and HTML, then of values that usvg does not know.
    let signs = [
        "style",
        "var(",
        "light-dark(",
        "<animate",
        "<set",
        "foreignObject",
        "pixelated",
        "crisp-edges",
        "non-scaling-stroke",
    ];
    let units = [
        "rem\"",
        "vw\"",
        "vh\"",
        "rem'",
        "vw'",
        "vh'",
        "calc(",
        "lch(",
        "lab(",
        "hwb(",
        "color-mix(",
        "color(",
    ];
    if !signs.iter().chain(&units).any(|sign| text.contains(sign)) {
        return None;
    }
    let options = roxmltree::ParsingOptions {
        // A drawing may begin with a document type, which may define entities.
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let document = roxmltree::Document::parse_with_options(text, options).ok()?;
    let root = document.root_element();
    if root.tag_name().namespace() != Some(SVG) {
        return None;
    }
    // Selectors are matched on a tree of HTML elements, so the drawing is copied into one.
    let mut dom = Dom::of_xml();
    let mut ids = HashMap::new();
    mirror(root, NodeId::DOCUMENT, &mut dom, &mut ids);
    // Media queries see the size of the drawing, as in a browser that shows it alone.
    let viewport = viewport(root);
    let media = Media {
        print: false,
        size: viewport,
    };
    let nothing = |_: &str| None;
    let mut names = std::mem::take(&mut dom.names);
    let mut reader = SheetParser::new(&mut names, Quirks::None, media, &nothing);
    // The declarations are kept as tokens, because drawings have their own grammar for values.
    reader.keeps_written = true;
    for style in document.descendants().filter(|node| is_svg(*node, "style")) {
        // Sheets for other media are skipped as a whole.
        let wanted = style.attribute("media");
        if wanted.is_none_or(|wanted| media.holds_text(wanted)) {
            let text: String = style
                .children()
                .filter(|child| child.is_text())
                .filter_map(|child| child.text())
                .collect();
            reader.sheet(&text, false);
        }
    }
    let sheets = reader.sheets;
    dom.names = names;
    let cascade = Cascade::new(&dom, sheets, viewport);
    let mut resolver = Resolver {
        cascade,
        ids,
        viewport,
        root_size: MEDIUM,
        unknown: BTreeSet::new(),
        is_simplified: false,
        out: String::with_capacity(text.len()),
    };
    let inherited = Inherited {
        custom: Rc::default(),
        size: MEDIUM,
        colour: "black".to_owned(),
        strokes: Strokes::default(),
    };
    // Writes the whole drawing, recursively.
    resolver.element(root, &inherited, true);
    // The note names only some of the values.
    let mut notes = Vec::new();
    let unknown: Vec<_> = resolver.unknown.iter().take(MAX_NOTED).cloned().collect();
    if !unknown.is_empty() {
        let more = match resolver.unknown.len() - unknown.len() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        notes.push(format!(
            "Unknown styles of the drawing were left out: {}{more}.",
            unknown.join(", ")
        ));
    }
    if resolver.is_simplified {
        notes.push(
            "Borders, and backgrounds of single words, in a foreignObject of the drawing were left out."
                .to_owned(),
        );
    }
    Some(Resolved {
        text: resolver.out,
        notes,
    })
}

/// Returns whether a node is the SVG element of this name.
fn is_svg(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name && node.tag_name().namespace() == Some(SVG)
}

/// Copies the elements into a tree that selectors can be matched against, and records the nodes.
/// Names become lower-case, as in HTML, so that type selectors match them.
fn mirror(
    node: Node<'_, '_>,
    parent: NodeId,
    dom: &mut Dom,
    ids: &mut HashMap<roxmltree::NodeId, NodeId>,
) {
    let attributes = node.attributes().map(|attribute| {
        (
            attribute.name().to_ascii_lowercase(),
            attribute.value().to_owned(),
        )
    });
    let name = node.tag_name().name().to_ascii_lowercase();
    let own = dom.append(parent, &name, attributes.collect());
    // The identifiers connect XML nodes to the elements that selectors match.
    ids.insert(node.id(), own);
    for child in node.children() {
        if child.is_element() {
            mirror(child, own, dom, ids);
        } else if let Some(text) = child.text().filter(|_| child.is_text()) {
            dom.append_text(own, text);
        }
    }
}

/// Bases of relative lengths, for these font sizes in px.
fn around(size: f32, root_size: f32, viewport: (f32, f32)) -> Context {
    Context {
        em: size,
        rem: root_size,
        font: FontUnits::estimated(size),
        rlh: FontUnits::estimated(root_size).lh,
        viewport,
        zoom: 1.0,
    }
}

/// Viewport of a drawing in px: its width and height, or those of its `viewBox`, or else [`DEFAULT`].
fn viewport(root: Node<'_, '_>) -> (f32, f32) {
    // Only absolute sizes are used: the base of a percentage is outside of the drawing.
    let own = |name| {
        let tokens = tokens(root.attribute(name)?);
        let context = around(MEDIUM, MEDIUM, DEFAULT);
        let length = Cursor::new(&tokens).length(true)?;
        (!length.has_percentage()).then(|| length.computed(&context).of(0.0))
    };
    let view = view_box(root);
    let (width, height) = view.map_or(DEFAULT, |[_, _, width, height]| (width, height));
    (
        own("width").unwrap_or(width),
        own("height").unwrap_or(height),
    )
}

/// The `viewBox` of an element: corner, width and height. `None` without one, or if it is empty.
fn view_box(node: Node<'_, '_>) -> Option<[f32; 4]> {
    let view = node.attribute("viewBox")?;
    let view: Vec<f32> = view
        .split([' ', ',', '\t', '\n', '\r'])
        .filter(|part| !part.is_empty())
        .filter_map(|part| part.parse().ok())
        .collect();
    let view: [f32; 4] = view.try_into().ok()?;
    (view[2] > 0.0 && view[3] > 0.0).then_some(view)
}

/// State of resolving one drawing: the input, the bases of relative lengths, and the output.
struct Resolver<'d> {
    cascade: Cascade<'d>,
    /// Elements of the tree for selectors, by XML node.
    ids: HashMap<roxmltree::NodeId, NodeId>,
    /// Viewport in px.
    viewport: (f32, f32),
    /// Root element's font size in px.
    root_size: f32,
    /// Invalid values with their properties, for the notes.
    unknown: BTreeSet<String>,
    /// Whether borders or backgrounds of HTML text are left out.
    is_simplified: bool,
    /// The resolved drawing so far.
    out: String,
}

/// Resolved style of an element.
struct ElementStyle {
    /// Properties with values as usvg reads them.
    values: Vec<(String, String)>,
    inherited: Inherited,
}

impl ElementStyle {
    /// Value of a property.
    fn get(&self, wanted: &str) -> Option<&str> {
        let found = self.values.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    }
}

impl Resolver<'_> {
    /// Declarations for an element in cascade order, weakest first. The flag marks values from attributes and animation
    /// elements, which may have numbers without units.
    ///
    /// The order is that of CSS Cascade 5, 6.1: presentation attributes, rules, the `style` attribute, animations, and
    /// finally important declarations.
    fn declared(&self, node: Node<'_, '_>) -> Vec<(Written, bool)> {
        let mut all: Vec<(Written, bool)> = Vec::new();
        // Presentation attributes are weaker than any rule (SVG 2, 6.6).
        for attribute in node.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_none() && is_property(name) {
                let value = tokens(attribute.value());
                all.push(((name.to_owned(), value, false), true));
            }
        }
        let rules = match self.ids.get(&node.id()) {
            Some(id) => self.cascade.matched(*id, None),
            None => Vec::new(),
        };
        let sheets = self.cascade.sheets();
        let rules = rules.iter().map(|index| &sheets.rules[*index as usize]);
        let of_rules = rules.flat_map(|rule| rule.written.iter().cloned());
        let own = pairs(&tokens(node.attribute("style").unwrap_or_default()));
        let declared: Vec<Written> = of_rules.chain(own).collect();
        let normal = declared.iter().filter(|(_, _, important)| !important);
        all.extend(normal.cloned().map(|one| (one, false)));
        let animated = animation::of_sheets(&declared, &sheets.keyframes);
        all.extend(animated.into_iter().map(|one| (one, false)));
        all.extend(
            animation::of_elements(node)
                .into_iter()
                .map(|one| (one, true)),
        );
        let important = declared.into_iter().filter(|(_, _, important)| *important);
        all.extend(important.map(|one| (one, false)));
        all
    }

    /// Resolves the style of an element: substitutes custom properties, then finds the last valid
    /// value of each property.
    fn look(&mut self, node: Node<'_, '_>, parent: &Inherited, is_root: bool) -> ElementStyle {
        let declared = self.declared(node);
        let custom = custom_properties(&declared, &parent.custom);
        let mut found = Found::default();
        for ((name, value, _), is_attribute) in declared {
            if name.starts_with("--") {
                continue;
            }
            // Most values have no `var()`, and need no copy.
            let has_var = value
                .iter()
                .any(|token| matches!(token, Token::Function(name) if &**name == "var"));
            if !has_var {
                found.push(&name, value, is_attribute, false);
                continue;
            }
            let mut complete = Vec::new();
            let held = |name: &Rc<str>| custom.get(name).cloned();
            // A value that is invalid after substitution counts as `unset` (CSS Variables 1, 3.1).
            match substitute(&value, &held, (0, &mut 0), &mut complete) {
                Some(()) => found.push(&name, complete, is_attribute, true),
                None => found.unset(&name),
            }
        }
        // The font size comes first, because other lengths may be relative to it (`em`).
        let context = around(parent.size, self.root_size, self.viewport);
        let size = found.font_size(&context).unwrap_or(parent.size);
        if is_root {
            self.root_size = size;
        }
        let context = around(size, self.root_size, self.viewport);
        let values = found.values(node, &context, &mut |name, text| {
            let mut text = text.to_owned();
            if text.len() > LONGEST_NOTED {
                text.truncate(text.floor_char_boundary(LONGEST_NOTED));
                text.push('…');
            }
            self.unknown.insert(format!("{name}: {text}"));
        });
        let mut look = ElementStyle {
            values,
            inherited: Inherited {
                custom,
                size,
                colour: parent.colour.clone(),
                strokes: parent.strokes.clone(),
            },
        };
        let colour = look.get("color").map(str::to_owned);
        // Only a computed colour (`#…` or `rgba(…)`) replaces the parent's colour; keywords keep it.
        if let Some(colour) = colour.filter(|colour| colour.starts_with(['#', 'r'])) {
            look.inherited.colour = colour;
        }
        look
    }
}

/// Custom properties of an element: inherited ones, overridden by its own.
fn custom_properties(declared: &[(Written, bool)], parent: &Custom) -> Custom {
    let own = declared.iter().map(|(written, _)| written);
    let mut own = own.filter(|(name, ..)| name.starts_with("--")).peekable();
    // Most elements declare no custom property and share the table of their parent.
    if own.peek().is_none() {
        return parent.clone();
    }
    let mut all = HashMap::clone(parent);
    let mut names = Vec::new();
    for (name, value, _) in own {
        let name: Rc<str> = name.as_str().into();
        all.insert(name.clone(), value.as_slice().into());
        names.push(name);
    }
    // References are substituted where a property is declared, not where it is used (CSS Variables
    // 1, 3).
    let mut complete = all.clone();
    for name in names {
        let mut out = Vec::new();
        let held = |name: &Rc<str>| all.get(name).cloned();
        let value = all.get(&name).cloned().unwrap_or_else(|| Rc::from([]));
        match substitute(&value, &held, (0, &mut 0), &mut out) {
            Some(()) => complete.insert(name, out.into()),
            None => complete.remove(&name),
        };
    }
    Rc::new(complete)
}

#[cfg(test)]
mod tests;
