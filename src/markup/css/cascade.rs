//! The cascade (CSS Cascade 5): from the rules that match an element to its computed style. Builds
//! no box.
//!
//! The order, weakest first: the default sheet, presentational hints, author rules by layer,
//! specificity and order, the `style` attribute, then important author rules and important parts of
//! the `style` attribute. `!important` does not reverse layers here (6.4.4).
//!
//! Elements with the same parent style, the same matched rules and the same attributes share one
//! computed style: a table of ten thousand cells has a handful. That makes both the cascade and
//! layout affordable.

mod computed;

use super::{
    attributes,
    fonts::MEDIUM,
    matching::{Matching, STEPS},
    property::Declaration,
    selectors::{Key, Pseudo},
    sheet::{self, Sheets},
    style::{LineHeight, Style, TextAlign},
    value::FontUnits,
};
use crate::dom::{Dom, NodeId, Quirks};
use computed::adjust;
pub use computed::{StyleContext, compute};
use std::{cell::Cell, collections::HashMap, rc::Rc};

/// Limit on the entries of each of the two caches, for computed styles and for declarations of attributes. A cache
/// beyond the limit is emptied.
const MAX_SHARED: usize = 5_000;

/// Style sheets and elements of a document, with indexes and caches. Fields: the input, indexes of
/// rules, caches, and bases of lengths.
pub struct Cascade<'d> {
    dom: &'d Dom,
    sheets: Sheets,
    /// Rules by the rightmost id, class or type of their selector, so that only candidates are
    /// matched.
    by_key: HashMap<Key, Vec<u32>>,
    matching: Matching<'d>,
    /// Viewport in px.
    viewport: (f32, f32),
    /// Computed styles by their origin. The parent style is held, because its address is part of
    /// the key and must not be reused.
    shared: HashMap<Shared, (Rc<Style>, Rc<Style>)>,
    /// Parsed declarations of attributes, by their text.
    inline: HashMap<Box<str>, Rc<[Declaration]>>,
    /// Measures the fonts of styles, for units such as `ch`.
    fonts: Option<Box<Measure<'d>>>,
    /// Line height of the root element in px (`rlh`).
    root_line: Cell<f32>,
}

/// Function that measures the font of a style.
pub(crate) type Measure<'d> = dyn Fn(&Style) -> FontUnits + 'd;

/// Everything on which a computed style depends.
#[derive(PartialEq, Eq, Hash)]
struct Shared {
    /// Address of the parent's style.
    parent: usize,
    /// Matched rules in cascade order.
    rules: Vec<u32>,
    /// Presentational hints, as the text of declarations.
    hints: Box<str>,
    /// Text of the `style` attribute.
    inline: Box<str>,
    tag: Box<str>,
    language: Box<str>,
}

impl<'d> Cascade<'d> {
    /// Prepares the cascade for a viewport in px.
    pub fn new(dom: &'d Dom, sheets: Sheets, viewport: (f32, f32)) -> Self {
        let mut by_key: HashMap<Key, Vec<u32>> = HashMap::new();
        // Each rule is indexed once, under the most selective name of its rightmost compound.
        for (index, rule) in sheets.rules.iter().enumerate() {
            by_key
                .entry(rule.selector.key())
                .or_default()
                .push(index as u32);
        }
        Self {
            dom,
            sheets,
            by_key,
            matching: Matching::new(dom),
            viewport,
            shared: HashMap::new(),
            inline: HashMap::new(),
            fonts: None,
            root_line: Cell::new(FontUnits::estimated(MEDIUM).lh),
        }
    }

    /// Adds a function that measures fonts; without it, font-relative units are estimated.
    pub fn measuring(self, measure: impl Fn(&Style) -> FontUnits + 'd) -> Self {
        Self {
            fonts: Some(Box::new(measure)),
            ..self
        }
    }

    /// Style sheets of the document.
    pub fn sheets(&self) -> &Sheets {
        &self.sheets
    }

    /// Returns whether the limit on matching steps was exceeded and styles are therefore incomplete.
    pub fn is_exhausted(&self) -> bool {
        self.matching.steps.get() > STEPS
    }

    /// Rules that match an element or its pseudo-element, in cascade order.
    ///
    /// Only candidates are tested: rules whose rightmost compound selector names the id, a class or
    /// the type of the element, and rules that name none of these.
    pub(super) fn matched(&self, id: NodeId, pseudo: Option<Pseudo>) -> Vec<u32> {
        let Some(element) = self.dom.element(id) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        // Names under which a rule for this element may be indexed.
        let mut keys = vec![Key::Any, Key::Type(element.name)];
        keys.extend(element.classes.iter().map(|class| Key::Class(*class)));
        keys.extend(element.id.map(Key::Id));
        for key in keys {
            for index in self.by_key.get(&key).into_iter().flatten() {
                let rule = &self.sheets.rules[*index as usize];
                if self.is_exhausted() {
                    return found;
                }
                if rule.pseudo() == pseudo && self.matching.matches(&rule.selector, id) {
                    found.push(*index);
                }
            }
        }
        // The default sheet comes first, then layers, specificity and order (CSS Cascade 5, 6.1).
        found.sort_unstable_by_key(|index| {
            let rule = &self.sheets.rules[*index as usize];
            (!rule.default, rule.layer, rule.selector.specificity, *index)
        });
        found.dedup();
        found
    }

    /// Parses the declarations of an attribute. Results are kept, because attributes repeat.
    fn declared(&mut self, text: &str) -> Rc<[Declaration]> {
        if text.is_empty() {
            return Rc::from([]);
        }
        if let Some(known) = self.inline.get(text) {
            return known.clone();
        }
        // A document whose attributes are all different must not fill the memory, so the cache has a limit.
        if self.inline.len() > MAX_SHARED {
            self.inline.clear();
        }
        let declared: Rc<[Declaration]> = sheet::inline(text).into();
        self.inline.insert(text.into(), declared.clone());
        declared
    }

    /// Computed style of an element whose parent has this style. `root` is the root element's font
    /// size in px; `None` for the root element itself.
    ///
    /// The declarations depend on rules and attributes, the rest on the parent's style; elements
    /// that agree in all of them share one style.
    pub fn style(&mut self, id: NodeId, parent: &Rc<Style>, root: Option<f32>) -> Rc<Style> {
        let rules = self.matched(id, None);
        let hints = attributes::hints(self.dom, id);
        let inline = self.dom.attribute(id, "style").unwrap_or_default();
        let key = Shared {
            // The cache also holds the parent, so that no other style gets its address.
            parent: Rc::as_ptr(parent) as usize,
            rules,
            hints: hints.into(),
            inline: inline.into(),
            tag: self.dom.tag(id).into(),
            language: self.language_of(id).unwrap_or_default().into(),
        };
        if let Some((_, known)) = self.shared.get(&key) {
            return known.clone();
        }
        // A new combination: parse the declarations that are not cached yet, then compute.
        let (hints, inline) = (self.declared(&key.hints), self.declared(&key.inline));
        let style = Rc::new(self.computed(id, &key.rules, &hints, &inline, parent, root));
        if self.shared.len() > MAX_SHARED {
            self.shared.clear();
        }
        self.shared.insert(key, (parent.clone(), style.clone()));
        style
    }

    /// Computed style of a pseudo-element; `None` if no rule matches, so that it generates no box.
    /// Attributes do not apply to pseudo-elements.
    pub fn part(
        &mut self,
        id: NodeId,
        pseudo: Pseudo,
        parent: &Rc<Style>,
        root: f32,
    ) -> Option<Rc<Style>> {
        let rules = self.matched(id, Some(pseudo));
        if rules.is_empty() {
            return None;
        }
        // A pseudo-element has neither presentational hints nor a `style` attribute.
        let nothing: Rc<[Declaration]> = Rc::from([]);
        Some(Rc::new(self.computed(
            id,
            &rules,
            &nothing,
            &nothing,
            parent,
            Some(root),
        )))
    }

    /// Sorts the declarations for an element by the order of the cascade (CSS Cascade 5, 6.1) and applies them. A later
    /// declaration overwrites the value that an earlier one has set for the same property.
    fn computed(
        &self,
        id: NodeId,
        rules: &[u32],
        hints: &[Declaration],
        inline: &[Declaration],
        parent: &Rc<Style>,
        root: Option<f32>,
    ) -> Style {
        let rule = |index: &u32| &self.sheets.rules[*index as usize];
        // The rules are sorted already; those of the default sheet come first.
        let own = rules.partition_point(|index| rule(index).default);
        let (default, author) = rules.split_at(own);
        let of = |rules: &'_ [u32]| {
            rules
                .iter()
                .flat_map(|index| rule(index).declarations.iter())
                .collect::<Vec<_>>()
        };
        let (default, author) = (of(default), of(author));
        // From the weakest to the strongest: the default sheet, hints, rules of the document, the `style` attribute,
        // and then the important declarations of these rules and this attribute.
        let mut all: Vec<&Declaration> = Vec::new();
        all.extend(&default);
        all.extend(hints);
        all.extend(author.iter().filter(|one| !one.important));
        all.extend(inline.iter().filter(|one| !one.important));
        all.extend(author.iter().filter(|one| one.important));
        all.extend(inline.iter().filter(|one| one.important));
        // Text properties inherit, so they begin as the parent's; all others begin as initial
        // values.
        let mut style = Style {
            text: parent.text.clone(),
            ..Style::default()
        };
        let tag = self.dom.tag(id);
        if tag == "table" && self.dom.quirks == Quirks::Full {
            self.forget_text(&mut style);
        }
        self.language(id, &mut style);
        // Block alignment by a parent's `align` attribute does not inherit into tables.
        if tag == "table"
            && matches!(
                style.text.align,
                TextAlign::BlockLeft | TextAlign::BlockRight | TextAlign::BlockCenter
            )
        {
            Rc::make_mut(&mut style.text).align = TextAlign::Start;
        }
        let around = StyleContext {
            parent,
            root,
            viewport: self.viewport,
            fonts: self.fonts.as_deref(),
            root_line: Some(&self.root_line),
            steps: &self.matching.steps,
        };
        compute(&mut style, &all, &around);
        adjust(&mut style, parent, root.is_none());
        style
    }

    /// Resets text properties that tables do not inherit in quirks mode (HTML, 15.3.8).
    fn forget_text(&self, style: &mut Style) {
        let plain = Style::default();
        let text = Rc::make_mut(&mut style.text);
        text.size = MEDIUM;
        text.plain_size = true;
        text.weight = 400;
        text.italic = false;
        text.variant = plain.text.variant;
        text.line_height = LineHeight::Normal;
        text.white_space = plain.text.white_space;
        text.align = TextAlign::Start;
    }

    /// Language that the element itself specifies.
    fn language_of(&self, id: NodeId) -> Option<&'d str> {
        let own = self.dom.attribute(id, "lang");
        own.or_else(|| self.dom.attribute(id, "xml:lang"))
    }

    /// Sets the language of an element; an empty attribute resets it.
    fn language(&self, id: NodeId, style: &mut Style) {
        if let Some(tag) = self.language_of(id).map(str::trim) {
            Rc::make_mut(&mut style.text).language = (!tag.is_empty()).then(|| tag.into());
        }
    }
}
