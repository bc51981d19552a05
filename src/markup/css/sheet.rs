//! Style sheets: rules, media, pages (CSS Syntax 3, 5; CSS Paged Media 3). Applies no rule.

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
use crate::html::{
    dom::{Names, Quirks},
    parse_data_url,
};
use std::{collections::HashMap, rc::Rc};

/// Limit on the nesting of rules, and of imports.
const DEEPEST: usize = 16;
/// The most rules of a page.
const MOST_RULES: usize = 200_000;

/// A style rule with one selector.
pub struct Rule {
    pub selector: Selector,
    pub declarations: Rc<[Declaration]>,
    /// The declarations as they were written, if they are [kept](Reader::keeps_written).
    #[cfg_attr(not(feature = "svg"), allow(dead_code))] // Drawings alone need it.
    pub(super) written: Rc<[Written]>,
    /// Rules of the browser, before all others.
    pub default: bool,
    /// The number of its cascade layer; rules outside of layers have the largest.
    pub layer: u32,
}

impl Rule {
    pub(crate) fn pseudo(&self) -> Option<Pseudo> {
        self.selector.pseudo
    }
}

/// A declaration as it was written: its property, its value, and whether it is important.
pub(super) type Written = (String, Vec<Token>, bool);

/// Declarations of the first and the last frames of an animation.
pub(super) struct Keyframes {
    #[cfg_attr(not(feature = "svg"), allow(dead_code))] // Drawings alone need it.
    pub(super) name: Rc<str>,
    pub(super) first: Vec<Written>,
    pub(super) last: Vec<Written>,
}

/// Page selector of an `@page` rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageSelector {
    pub name: Option<Rc<str>>,
    pub first: bool,
    pub left: bool,
    pub right: bool,
    pub blank: bool,
}

impl PageSelector {
    pub fn weight(&self) -> (bool, bool, bool) {
        (
            self.name.is_some(),
            self.first || self.blank,
            self.left || self.right,
        )
    }
}

/// A rule for pages.
#[derive(Clone)]
pub struct PageRule {
    pub selector: PageSelector,
    pub size: Option<Rc<[Token]>>,
    pub declarations: Rc<[Declaration]>,
    /// Its margin boxes, by name.
    pub margins: Vec<(Rc<str>, Rc<[Declaration]>)>,
}

/// All style sheets of a page.
pub struct Sheets {
    pub rules: Vec<Rule>,
    pub pages: Vec<PageRule>,
    /// Fonts that the sheets bring, and fonts, sheets that stand elsewhere.
    pub remote_sheets: usize,
    pub remote_fonts: usize,
    /// Fonts that stand in the sheets themselves.
    pub fonts: Vec<FontFace>,
    pub animates: bool,
    pub counter_styles: Rc<CounterStyles>,
    /// Rules for containers or parts of the page, which are not read.
    pub contains: bool,
    /// Grids are asked to follow those around them, which they do not.
    pub has_subgrids: bool,
    /// The frames of animations, if declarations are [kept](Reader::keeps_written) as they were written.
    pub(super) keyframes: Vec<Keyframes>,
    /// More rules than are kept.
    pub too_many: bool,
    /// The numbers of the named layers, and how many layers there are.
    layers: HashMap<Rc<str>, u32>,
    layer_count: u32,
}

/// Reader of style sheets.
pub struct Reader<'a> {
    pub names: &'a mut Names,
    pub quirks: Quirks,
    pub media: Media,
    pub sheets: Sheets,
    /// Whether declarations are kept as they were written, for drawings, whose properties are others than those of pages.
    pub(crate) keeps_written: bool,
    /// Finds a sheet that stands beside the page.
    pub beside: &'a dyn Fn(&str) -> Option<String>,
}

/// The most fonts that sheets bring.
const MOST_FONTS: usize = 64;

const UNLAYERED: u32 = u32::MAX;

/// Context of a rule.
#[derive(Clone, Copy)]
struct Place<'p> {
    parent: Option<&'p Rc<[Selector]>>,
    layer: u32,
    depth: usize,
    default: bool,
}

impl<'a> Reader<'a> {
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
                keyframes: Vec::new(),
                too_many: false,
                layers: HashMap::new(),
                layer_count: 0,
            },
        }
    }

    /// Adds the rules of a sheet.
    pub fn sheet(&mut self, text: &str, default: bool) {
        let place = Place {
            parent: None,
            layer: UNLAYERED,
            depth: 0,
            default,
        };
        self.rules(&tokens(text), place);
    }

    fn rules(&mut self, all: &[Token], place: Place<'_>) {
        if place.depth > DEEPEST {
            return;
        }
        let mut at = 0;
        while at < all.len() {
            match &all[at] {
                Token::Space | Token::Semicolon => at += 1,
                Token::At(name) => at = self.at_rule(&name.clone(), all, at + 1, place),
                _ => at = self.style_rule(all, at, place),
            }
        }
    }

    /// A style rule that begins at `at`; where the next one begins.
    fn style_rule(&mut self, all: &[Token], at: usize, place: Place<'_>) -> usize {
        let Some(open) = block(all, at) else {
            return all.len();
        };
        let end = closing(all, open);
        if self.sheets.rules.len() >= MOST_RULES {
            self.sheets.too_many = true;
            return end + 1;
        }
        let mut reading = Reading {
            names: self.names,
            quirks: self.quirks,
            parent: place.parent,
        };
        let mut prelude = trimmed(&all[at..open]).to_vec();
        if place.parent.is_some() {
            prelude = nested(&prelude);
        }
        let selectors = reading.list(&prelude);
        if let Some(selectors) = selectors {
            self.body(&all[open + 1..end.max(open + 1)], &selectors.into(), place);
        }
        end + 1
    }

    /// The declarations of a rule, and the rules in it.
    fn body(&mut self, body: &[Token], selectors: &Rc<[Selector]>, place: Place<'_>) {
        let (found, inner) = match self.keeps_written {
            true => (Vec::new(), parts(body).1),
            false => declarations(body),
        };
        let written: Rc<[Written]> = match self.keeps_written {
            true => pairs(body).into(),
            false => Rc::from([]),
        };
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
                    default: place.default,
                    layer: place.layer,
                });
            }
        }
        let place = Place {
            parent: Some(selectors),
            depth: place.depth + 1,
            ..place
        };
        for (from, to) in inner {
            self.rules(&body[from..to], place);
        }
    }

    /// The number of a layer; one without a name is always another.
    fn layer(&mut self, name: &str) -> u32 {
        if let Some(known) = self.sheets.layers.get(name) {
            return *known;
        }
        let number = self.sheets.layer_count;
        self.sheets.layer_count += 1;
        if !name.is_empty() {
            self.sheets.layers.insert(name.into(), number);
        }
        number
    }

    /// Reads an at-rule behind its name; returns the start of the next rule.
    fn at_rule(&mut self, name: &str, all: &[Token], at: usize, place: Place<'_>) -> usize {
        let open = match at_block(all, at) {
            Ok(open) => open,
            Err(end) => {
                let prelude = &all[at..end];
                match name {
                    "import" => self.import(prelude, place),
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
        // Between a name and what it is about stands a space.
        let prelude = trimmed(super::value::Cursor::new(&all[at..open]).rest());
        let body = &all[open + 1..end.max(open + 1)];
        let inner = Place {
            depth: place.depth + 1,
            ..place
        };
        match name {
            "media" if self.media.holds(prelude) => self.grouped(body, inner),
            "supports" if supports(prelude) => self.grouped(body, inner),
            "layer" => {
                let layer = self.layer(&joined(prelude));
                self.grouped(body, Place { layer, ..inner });
            }
            "container" | "scope" => self.sheets.contains = true,
            "starting-style" => {}
            "page" => self.page(prelude, body),
            "font-face" => match FontFace::read(&pairs(body)) {
                Some(face) if face.addresses.is_empty() => self.sheets.remote_fonts += 1,
                Some(face) if self.sheets.fonts.len() < MOST_FONTS => self.sheets.fonts.push(face),
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

    /// Reads the block of a grouping rule: rules, or declarations for the rule around.
    fn grouped(&mut self, body: &[Token], place: Place<'_>) {
        match place.parent {
            Some(parent) if place.depth <= DEEPEST => self.body(body, parent, place),
            _ => self.rules(body, place),
        }
    }

    /// Declarations of the first and the last frames of an animation.
    fn keyframes(&mut self, name: &Rc<str>, body: &[Token]) {
        /// The most animations whose frames are kept.
        const MOST: usize = 1000;
        if self.sheets.keyframes.len() >= MOST {
            return;
        }
        let mut frames = Keyframes {
            name: name.clone(),
            first: Vec::new(),
            last: Vec::new(),
        };
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

    fn import(&mut self, prelude: &[Token], place: Place<'_>) {
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
        if !self.media.holds(cursor.rest()) || place.depth > DEEPEST {
            return;
        }
        match self.fetched(&address) {
            Some(text) => {
                let inner = Place {
                    depth: place.depth + 4,
                    ..place
                };
                self.rules(&tokens(&text), inner);
            }
            None => self.sheets.remote_sheets += 1,
        }
    }

    /// The text of a sheet that is in the page or beside it.
    pub fn fetched(&self, address: &str) -> Option<String> {
        if let Some((_, bytes)) = parse_data_url(address) {
            return Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        (self.beside)(address)
    }

    fn page(&mut self, prelude: &[Token], body: &[Token]) {
        let mut selectors = Vec::new();
        for mut part in super::value::Cursor::new(prelude).parts() {
            let mut selector = PageSelector::default();
            while let Some(token) = part.next() {
                match token {
                    Token::Ident(name) => selector.name = Some(name.clone()),
                    Token::Colon => match part.word().as_deref() {
                        Some("first") => selector.first = true,
                        Some("left") => selector.left = true,
                        Some("right") => selector.right = true,
                        Some("blank") => selector.blank = true,
                        _ => {}
                    },
                    _ => {}
                }
            }
            selectors.push(selector);
        }
        let mut margins = Vec::new();
        let mut plain = Vec::new();
        let mut at = 0;
        while at < body.len() {
            if let Token::At(name) = &body[at]
                && let Some(open) = block(body, at)
            {
                let end = closing(body, open);
                let (found, _) = declarations(&body[open + 1..end.max(open + 1)]);
                margins.push((name.clone(), found.into()));
                at = end + 1;
            } else {
                plain.push(body[at].clone());
                at += 1;
            }
        }
        let (found, _) = declarations(&plain);
        let found: Rc<[Declaration]> = found.into();
        let size = pairs(&plain)
            .into_iter()
            .rev()
            .find(|(name, ..)| name == "size");
        let size: Option<Rc<[Token]>> = size.map(|(_, value, _)| value.into());
        for selector in selectors {
            self.sheets.pages.push(PageRule {
                selector,
                size: size.clone(),
                declarations: found.clone(),
                margins: margins.clone(),
            });
        }
    }
}

/// A selector in another rule: relative to it where it does not name it.
fn nested(prelude: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    for (index, part) in super::value::Cursor::new(prelude)
        .parts()
        .into_iter()
        .enumerate()
    {
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

/// The valid declarations of a body, and where the rules in it stand.
fn declarations(body: &[Token]) -> (Vec<Declaration>, Ranges) {
    let mut all = Vec::new();
    for (name, value, important) in pairs(body) {
        let mut found = properties::parse(&name, &value).unwrap_or_default();
        let measures = asks_for_font(&value);
        for one in &mut found {
            one.important = important;
            one.measures |= measures;
        }
        all.extend(found);
    }
    (all, parts(body).1)
}

/// The declarations of a `style` attribute, or of a block without rules in it.
pub fn inline(text: &str) -> Vec<Declaration> {
    declarations(&tokens(text)).0
}
