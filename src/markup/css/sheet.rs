//! Parser of style sheets: style rules, at-rules and nesting (CSS Syntax 3, 5; CSS Nesting 1; CSS Paged Media 3). Does
//! not apply the rules to elements.

mod page;

use super::{
    counter_style::CounterStyles,
    font_face::FontFace,
    media::{Media, supports},
    properties,
    property::Declaration,
    rules::{Ranges, at_block, block, pairs, parts},
    selector_parser::Reading,
    selectors::{Pseudo, Selector},
    tokens::{Token, closing, tokens, trimmed},
    value::asks_for_font,
};
use crate::{
    dom::{Names, Quirks},
    syntax::parse_data_url,
};
pub use page::{PageRule, PageSelector};
use std::{collections::HashMap, rc::Rc};

/// Limit on nested rules and imports, against deep recursion.
const DEEPEST: usize = 16;
/// Limit on the rules of a document.
const MAX_RULES: usize = 200_000;

/// A style rule with a single selector; a selector list makes several rules that share their
/// declarations.
pub struct Rule {
    // The rule itself; its place in the cascade is below.
    pub selector: Selector,
    pub declarations: Rc<[Declaration]>,
    /// Declarations as tokens, if they are [kept](SheetParser::keeps_written).
    #[cfg_attr(not(feature = "svg"), allow(dead_code))] // Drawings alone need it.
    pub(super) written: Rc<[Written]>,
    /// Whether it belongs to the default sheet.
    pub default: bool,
    /// Number of its cascade layer in order; rules outside of layers have the largest number (CSS
    /// Cascade 5, 6.4).
    pub layer: u32,
}

impl Rule {
    /// Pseudo-element of its selector.
    pub(crate) fn pseudo(&self) -> Option<Pseudo> {
        self.selector.pseudo
    }
}

/// A declaration as tokens: property, value, and whether it is `!important`.
pub(super) type Written = (String, Vec<Token>, bool);

/// First and last keyframe of an animation.
pub(super) struct Keyframes {
    #[cfg_attr(not(feature = "svg"), allow(dead_code))] // Drawings alone need it.
    pub(super) name: Rc<str>,
    pub(super) first: Vec<Written>,
    pub(super) last: Vec<Written>,
}

/// Contents of all style sheets of a document.
pub struct Sheets {
    /// Style rules in order.
    pub rules: Vec<Rule>,
    /// `@page` rules in order.
    pub pages: Vec<PageRule>,
    /// Numbers of style sheets and of fonts that would have to be downloaded.
    pub remote_sheets: usize,
    pub remote_fonts: usize,
    /// Fonts in data URLs.
    pub fonts: Vec<FontFace>,
    // Findings for the notes.
    /// Whether there are animations.
    pub animates: bool,
    pub counter_styles: Rc<CounterStyles>,
    /// Whether there are `@container` or `@scope` rules, which are not supported.
    pub contains: bool,
    /// Whether a grid asks for `subgrid`, which is not supported.
    pub has_subgrids: bool,
    /// Whether text is cut after a number of lines (`line-clamp`), which is not supported.
    pub clamps: bool,
    /// Whether pages have backgrounds, which are not supported.
    pub paints_pages: bool,
    /// Keyframes, if declarations are [kept](SheetParser::keeps_written).
    pub(super) keyframes: Vec<Keyframes>,
    /// Whether the limit on rules was exceeded.
    pub too_many: bool,
    // Layers.
    /// Numbers of named layers, in order of appearance.
    layers: HashMap<Rc<str>, u32>,
    /// Number of layers.
    layer_count: u32,
}

/// Parser of style sheets.
pub struct SheetParser<'a> {
    /// Numbers of the names of types, ids and classes.
    pub names: &'a mut Names,
    /// Compatibility mode, which affects selectors.
    pub quirks: Quirks,
    /// Medium for `@media`.
    pub media: Media,
    /// Results so far.
    pub sheets: Sheets,
    /// Whether declarations are kept as tokens and not parsed: drawings have other properties than documents.
    pub(crate) keeps_written: bool,
    /// Loads a sheet from a file that accompanies the document, by its URL.
    pub beside: &'a dyn Fn(&str) -> Option<String>,
}

/// Limit on the fonts of a document.
const MAX_FONTS: usize = 64;

/// Layer number of rules outside of layers.
const UNLAYERED: u32 = u32::MAX;

/// Context of a rule: enclosing selectors, layer, depth and origin.
#[derive(Clone, Copy)]
struct RuleContext<'p> {
    parent: Option<&'p Rc<[Selector]>>,
    layer: u32,
    depth: usize,
    default: bool,
}

impl<'a> SheetParser<'a> {
    /// Creates a parser that evaluates `@media` for this medium. For `beside`, see the field.
    pub fn new(
        names: &'a mut Names,
        quirks: Quirks,
        media: Media,
        beside: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self {
            names,
            quirks,
            media,
            beside,
            keeps_written: false,
            sheets: Sheets {
                rules: Vec::new(),
                pages: Vec::new(),
                remote_sheets: 0,
                remote_fonts: 0,
                fonts: Vec::new(),
                animates: false,
                counter_styles: Rc::default(),
                contains: false,
                has_subgrids: false,
                clamps: false,
                paints_pages: false,
                keyframes: Vec::new(),
                too_many: false,
                layers: HashMap::new(),
                layer_count: 0,
            },
        }
    }

    /// Parses a style sheet; `default` marks the browser's own.
    pub fn sheet(&mut self, text: &str, default: bool) {
        let context = RuleContext {
            parent: None,
            layer: UNLAYERED,
            depth: 0,
            default,
        };
        self.rules(&tokens(text), context);
    }

    /// Parses a list of rules.
    fn rules(&mut self, all: &[Token], context: RuleContext<'_>) {
        // Deeper rules are ignored, which bounds the recursion.
        if context.depth > DEEPEST {
            return;
        }
        let mut at = 0;
        while at < all.len() {
            match &all[at] {
                Token::Space | Token::Semicolon => at += 1,
                Token::At(name) => at = self.at_rule(&name.clone(), all, at + 1, context),
                _ => at = self.style_rule(all, at, context),
            }
        }
    }

    /// Parses the style rule at `at`. Returns the index of the next rule. A rule with an invalid
    /// selector is dropped as a whole (CSS 2.2, 4.1.7).
    fn style_rule(&mut self, all: &[Token], at: usize, context: RuleContext<'_>) -> usize {
        let Some(open) = block(all, at) else {
            return all.len();
        };
        let end = closing(all, open);
        if self.sheets.rules.len() >= MAX_RULES {
            self.sheets.too_many = true;
            return end + 1;
        }
        let mut reading = Reading {
            names: self.names,
            quirks: self.quirks,
            parent: context.parent,
        };
        // Inside another rule, selectors are relative to it.
        let mut prelude = trimmed(&all[at..open]).to_vec();
        if context.parent.is_some() {
            prelude = nested(&prelude);
        }
        let selectors = reading.list(&prelude);
        if let Some(selectors) = selectors {
            self.body(
                &all[open + 1..end.max(open + 1)],
                &selectors.into(),
                context,
            );
        }
        end + 1
    }

    /// Parses the declarations and nested rules of a style rule. Each selector of its list becomes
    /// a rule of its own, since each has its own specificity.
    fn body(&mut self, body: &[Token], selectors: &Rc<[Selector]>, context: RuleContext<'_>) {
        // Drawings parse values with their own grammar, so only the tokens are kept for them.
        let (found, inner) = match self.keeps_written {
            true => (Vec::new(), parts(body).1),
            false => declarations(body),
        };
        let written: Rc<[Written]> = match self.keeps_written {
            true => pairs(body).into(),
            false => Rc::from([]),
        };
        let is_clamp = |token: &Token| matches!(token, Token::Ident(word) if matches!(&**word, "line-clamp" | "-webkit-line-clamp"));
        self.sheets.clamps |= body.iter().any(is_clamp);
        self.sheets.has_subgrids |= body
            .iter()
            .any(|token| matches!(token, Token::Ident(word) if &**word == "subgrid"));
        let found: Rc<[Declaration]> = found.into();
        if !found.is_empty() || !written.is_empty() {
            for selector in selectors.iter() {
                self.sheets.rules.push(Rule {
                    selector: selector.clone(),
                    declarations: found.clone(),
                    written: written.clone(),
                    default: context.default,
                    layer: context.layer,
                });
            }
        }
        // Nested rules come after the declarations of the rule itself.
        let context = RuleContext {
            parent: Some(selectors),
            depth: context.depth + 1,
            ..context
        };
        for (from, to) in inner {
            self.rules(&body[from..to], context);
        }
    }

    /// Returns the number of the layer with this name. A new name, or an empty one, gets a new number.
    fn layer(&mut self, name: &str) -> u32 {
        if let Some(known) = self.sheets.layers.get(name) {
            return *known;
        }
        let number = self.sheets.layer_count;
        self.sheets.layer_count += 1;
        if !name.is_empty() {
            // The order of first appearance is the order of layers (CSS Cascade 5, 6.4.3).
            self.sheets.layers.insert(name.into(), number);
        }
        number
    }

    /// Parses the at-rule whose name precedes `at`. Returns the index of the next rule. Unknown
    /// rules are skipped with their blocks (CSS 2.2, 4.2).
    fn at_rule(&mut self, name: &str, all: &[Token], at: usize, context: RuleContext<'_>) -> usize {
        // Rules without a block: `@import`, and `@layer` that only fixes the order of layers.
        let open = match at_block(all, at) {
            Ok(open) => open,
            Err(end) => {
                let prelude = &all[at..end];
                match name {
                    "import" => self.import(prelude, context),
                    "layer" => {
                        for part in super::value::Cursor::new(prelude).parts() {
                            let name = joined(part.rest());
                            self.layer(&name);
                        }
                    }
                    _ => {}
                }
                return end + 1;
            }
        };
        let end = closing(all, open);
        // `Cursor::new` skips the white space before the prelude.
        let prelude = trimmed(super::value::Cursor::new(&all[at..open]).rest());
        let body = &all[open + 1..end.max(open + 1)];
        let inner = RuleContext {
            depth: context.depth + 1,
            ..context
        };
        // Conditional rules whose condition is false fall through to the last arm and are dropped.
        match name {
            // The content of a conditional group rule or layer is read as if it replaced the at-rule.
            "media" if self.media.holds(prelude) => self.grouped(body, inner),
            "supports" if supports(prelude) => self.grouped(body, inner),
            "layer" => {
                // Rules in the block belong to the layer, which is created if it is new.
                let layer = self.layer(&joined(prelude));
                self.grouped(body, RuleContext { layer, ..inner });
            }
            // The content of these rules is dropped, because they are not supported. The flag makes a note.
            "container" | "scope" => self.sheets.contains = true,
            "starting-style" => {}
            "page" => self.page(prelude, body),
            // A font without a source in a data URL would have to be downloaded. Fonts beyond the limit are dropped.
            "font-face" => match FontFace::read(&pairs(body)) {
                Some(face) if face.addresses.is_empty() => self.sheets.remote_fonts += 1,
                Some(face) if self.sheets.fonts.len() < MAX_FONTS => self.sheets.fonts.push(face),
                _ => {}
            },
            "counter-style" => {
                if let [.., Token::Ident(name)] = prelude {
                    let name = name.to_ascii_lowercase();
                    Rc::make_mut(&mut self.sheets.counter_styles).add(&name, &pairs(body));
                }
            }
            "keyframes" | "-webkit-keyframes" => {
                self.sheets.animates = true;
                if let (true, [Token::Ident(name) | Token::Text(name), ..]) =
                    (self.keeps_written, prelude)
                {
                    self.keyframes(&name.clone(), body);
                }
            }
            _ => {}
        }
        end + 1
    }

    /// Parses the block of a conditional group rule or layer. Inside a style rule, the declarations in the block apply
    /// to the elements of the style rule (CSS Nesting 1, 3.2).
    fn grouped(&mut self, body: &[Token], context: RuleContext<'_>) {
        match context.parent {
            Some(parent) if context.depth <= DEEPEST => self.body(body, parent, context),
            _ => self.rules(body, context),
        }
    }

    /// Parses `@keyframes` (CSS Animations 1); only the first and last frame are kept, since a
    /// still picture shows one of them.
    fn keyframes(&mut self, name: &Rc<str>, body: &[Token]) {
        /// Limit on the animations of a document.
        const MAX: usize = 1000;
        if self.sheets.keyframes.len() >= MAX {
            return;
        }
        // Frames between the first and the last never show in a still picture.
        let mut frames = Keyframes {
            name: name.clone(),
            first: Vec::new(),
            last: Vec::new(),
        };
        // Keyframe selectors are `from`, `to` and percentages; several may share a block.
        let mut at = 0;
        while let Some(open) = block(body, at) {
            let end = closing(body, open);
            let declared = pairs(&body[open + 1..end.max(open + 1)]);
            for token in &body[at..open] {
                match token {
                    Token::Ident(word) if word.eq_ignore_ascii_case("from") => {
                        frames.first.extend(declared.iter().cloned());
                    }
                    Token::Percentage(part) if *part <= 0.0 => {
                        frames.first.extend(declared.iter().cloned());
                    }
                    Token::Ident(word) if word.eq_ignore_ascii_case("to") => {
                        frames.last.extend(declared.iter().cloned());
                    }
                    Token::Percentage(part) if *part >= 100.0 => {
                        frames.last.extend(declared.iter().cloned());
                    }
                    _ => {}
                }
            }
            at = end + 1;
        }
        self.sheets.keyframes.push(frames);
    }

    /// Parses `@import` (CSS Cascade 5, 2): a URL or string, and media queries. Sheets that cannot
    /// be loaded are counted.
    fn import(&mut self, prelude: &[Token], context: RuleContext<'_>) {
        let mut cursor = super::value::Cursor::new(prelude);
        let address = match cursor.peek() {
            Some(Token::Text(address) | Token::Url(address)) => {
                let address = address.clone();
                cursor.next();
                address
            }
            Some(Token::Function(_)) => match cursor.function() {
                Some((_, mut inside)) => match inside.next() {
                    Some(Token::Text(address)) => address.clone(),
                    _ => return,
                },
                None => return,
            },
            _ => return,
        };
        if !self.media.holds(cursor.rest()) || context.depth > DEEPEST {
            return;
        }
        match self.fetched(&address) {
            Some(text) => {
                // An import costs more depth than a rule, so that chains of imports end early.
                let inner = RuleContext {
                    depth: context.depth + 4,
                    ..context
                };
                self.rules(&tokens(&text), inner);
            }
            None => self.sheets.remote_sheets += 1,
        }
    }

    /// Returns the text of a sheet at a data URL, or in a file that accompanies the document. `None` if neither exists.
    pub fn fetched(&self, address: &str) -> Option<String> {
        if let Some((_, bytes)) = parse_data_url(address) {
            return Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        (self.beside)(address)
    }
}

/// Makes a nested selector list absolute: `& ` is put before selectors without `&` (CSS Nesting 1,
/// 3.1). The space is the descendant combinator.
fn nested(prelude: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    for (index, part) in super::value::Cursor::new(prelude)
        .parts()
        .into_iter()
        .enumerate()
    {
        // The commas of the list are restored between its parts.
        if index > 0 {
            out.push(Token::Comma);
        }
        if !part.rest().contains(&Token::Delim('&')) {
            out.push(Token::Delim('&'));
            out.push(Token::Space);
        }
        out.extend_from_slice(part.rest());
    }
    out
}

/// Name of a layer, such as `a.b`, from its tokens.
fn joined(tokens: &[Token]) -> String {
    let mut name = String::new();
    for token in tokens {
        match token {
            Token::Ident(part) => name.push_str(part),
            Token::Delim('.') => name.push('.'),
            _ => {}
        }
    }
    name
}

/// Valid declarations of a block, and the ranges of its nested rules.
fn declarations(body: &[Token]) -> (Vec<Declaration>, Ranges) {
    let mut all = Vec::new();
    for (name, value, important) in pairs(body) {
        let mut found = properties::parse(&name, &value).unwrap_or_default();
        // The flag of a declaration says whether a font has to be measured, as for values in `ch`.
        let measures = asks_for_font(&value);
        for one in &mut found {
            one.important = important;
            one.measures |= measures;
        }
        all.extend(found);
    }
    (all, parts(body).1)
}

/// Parses the declarations of a `style` attribute, or of a block without nested rules.
pub fn inline(text: &str) -> Vec<Declaration> {
    declarations(&tokens(text)).0
}
