//! Effects of style sheets on documents that are converted by meaning: bold, colours, alignment, hidden elements, page
//! breaks. Places nothing. Leaves `style` attributes to the HTML reader, except for a `display` that separates words or
//! lines.
//!
//! Each element's style is computed twice, with and without the document's own sheets: the difference is the effect of
//! these sheets.

use super::{
    cascade::Cascade,
    counters::Counters,
    look::{EdgeBreaks, Look, PAPER, on_ground, on_paper},
    media::Media,
    rgba::Rgba,
    selectors::Pseudo,
    sheet::{SheetParser, Sheets},
    style::{
        Break, Content, Decoration, Display, EmphasisPosition, FontVariant, Hyphens, LineStyle,
        Style, TextAlign, TextTransform, UnicodeBidi, VerticalAlign, Visibility,
    },
};
use crate::{
    dom::{Data, Dom, NodeId},
    syntax::tag::{Tag, is_block},
};
use convertd_tree::{Alignment, Colour, Direction, Stroke, Underline};
use std::{collections::HashMap, rc::Rc};

/// Viewport for media queries in px: the content area of a letter page.
pub const VIEWPORT: (f32, f32) = (741.0, 982.0);
/// Memory per element for its node and style, in bytes.
const ELEMENT: u64 = 1500;
/// Limit on the length of all generated texts, in bytes. Counters can make it much longer than the document.
const MAX_GENERATED: usize = 4 << 20;
/// Lightest text on paper, from 0 to 1: lighter text was meant for a dark background.
const LIGHTEST: f32 = 0.8;

/// Style differences by element.
#[derive(Debug, Default)]
pub struct Looks(HashMap<NodeId, Look>);

impl Looks {
    /// Upper bound of the memory needed for a page with this text and tree, in bytes.
    pub fn memory(text: &str, dom: &Dom) -> u64 {
        match has_style(text) {
            true => dom.len() as u64 * ELEMENT,
            false => 0,
        }
    }

    /// Computes the differences for a page with this text and tree. Empty without style sheets, or if a limit was
    /// exceeded: the document is then converted by its elements alone.
    pub fn of(text: &str, dom: &mut Dom) -> Self {
        if !has_style(text) {
            return Self::default();
        }
        // Two cascades over one tree: the default sheet alone, and with the document's sheets.
        let (plain, own) = (sheets(dom, false), sheets(dom, true));
        if own.too_many {
            return Self::default();
        }
        let generates = own.rules.iter().any(|rule| {
            let pseudo = rule.selector.pseudo;
            !rule.default && matches!(pseudo, Some(Pseudo::Before | Pseudo::After))
        });
        let dom = &*dom;
        let mut walk = Walk {
            dom,
            plain: Cascade::new(dom, plain, VIEWPORT),
            counters: Counters::new(own.counter_styles.clone()),
            own: Cascade::new(dom, own, VIEWPORT),
            length: 0,
            generates,
            looks: HashMap::new(),
        };
        let root = Rc::new(Style::default());
        walk.children(NodeId::DOCUMENT, &root, None, None);
        match walk.own.is_exhausted() || walk.plain.is_exhausted() {
            true => Self::default(),
            false => Self(walk.looks),
        }
    }

    /// Differences for an element.
    pub(crate) fn get(&self, id: NodeId) -> Option<&Look> {
        self.0.get(&id)
    }
}

/// Returns whether a document may have style sheets, or elements with a `display` of their own. Only searches the text,
/// which is much cheaper than parsing. False for most documents of plain HTML.
fn has_style(text: &str) -> bool {
    let mut tags = text.as_bytes().windows(6);
    tags.any(|tag| tag.eq_ignore_ascii_case(b"<style"))
        || memchr::memmem::find(text.as_bytes(), b"display:").is_some()
}

/// Parses the default style sheet, and with `own` those of the document that apply to print.
pub fn sheets(dom: &mut Dom, own: bool) -> Sheets {
    let media = Media {
        print: true,
        size: VIEWPORT,
    };
    let texts: Vec<String> = match own {
        true => dom
            .all()
            .filter(|id| dom.tag(*id) == "style")
            .filter(|id| media.holds_text(dom.attribute(*id, "media").unwrap_or_default()))
            .map(|id| dom.own_text(id))
            .collect(),
        false => Vec::new(),
    };
    let quirks = dom.quirks;
    // Sheets in other files are not loaded here.
    let nothing = |_: &str| None;
    let mut reader = SheetParser::new(&mut dom.names, quirks, media, &nothing);
    reader.sheet(super::DEFAULT, true);
    texts.iter().for_each(|text| reader.sheet(text, false));
    reader.sheets
}

/// Walk through the elements of a document with both cascades.
struct Walk<'d> {
    dom: &'d Dom,
    plain: Cascade<'d>,
    own: Cascade<'d>,
    counters: Counters,
    /// Whether any rule of the document is for `::before` or `::after`.
    generates: bool,
    /// Length of all generated texts, in bytes.
    length: usize,
    looks: HashMap<NodeId, Look>,
}

impl Walk<'_> {
    /// Compares the styles of an element's children. `root` is the root font size, and `ground` the background that
    /// the text already has, if documents can represent it. Recursion is limited by the depth limit of the tree.
    ///
    /// Returns whether a descendant is visible. An invisible element is hidden only without visible descendants.
    fn children(
        &mut self,
        id: NodeId,
        parent: &Rc<Style>,
        root: Option<f32>,
        ground: Option<Colour>,
    ) -> bool {
        let mut shows = false;
        let children: Vec<NodeId> = self.dom.children(id).collect();
        for child in children {
            if !matches!(self.dom.node(child).data, Data::Element(_)) || self.own.is_exhausted() {
                continue;
            }
            let style = self.own.style(child, parent, root);
            let plain = self.plain.style(child, parent, root);
            // Light text on a dark background stays readable only if the background is converted,
            // too.
            let below = ground.unwrap_or(PAPER);
            let own = on_ground(style.background.or(style.text.colour), below);
            let is_held = self.is_held(child, &style);
            let ground = own.filter(|_| is_held).or(ground);
            // A hidden element hides its descendants, too, so their styles do not matter.
            let mut visible = style.text.visibility == Visibility::Visible;
            let (mut before, mut after) = (None, None);
            if style.display != Display::None {
                let root = root.unwrap_or(style.text.size);
                if self.generates {
                    self.counters.enter(child, &style);
                }
                before = self.generated(child, &style, root, Pseudo::Before);
                visible |= self.children(child, &style, Some(root), ground);
                after = self.generated(child, &style, root, Pseudo::After);
                if self.generates {
                    self.counters.leave(child);
                }
            }
            shows |= visible;
            let parted = match is_block(self.dom.tag(child)) {
                true => EdgeBreaks::Not,
                false => parted(&style),
            };
            let generates = before.is_some() || after.is_some();
            let look = difference(&style, &plain, (ground, is_held), parted);
            if let Some(mut look) = look.or_else(|| generates.then(Look::default)) {
                (look.before, look.after) = (before, after);
                // Only the element for which a sheet changes the visibility is left out, not those that inherit it. A
                // page that is hidden as a whole is kept, because it waits for a script.
                let is_own = style.text.visibility != plain.text.visibility;
                let is_page = matches!(self.dom.tag(child), "html" | "body");
                look.hidden |= is_own && !visible && !is_page;
                self.looks.insert(child, look);
            }
        }
        shows
    }

    /// Returns whether documents can represent an element's background: that of inline elements and of parts of tables,
    /// and those that a `style` attribute states.
    fn is_held(&self, id: NodeId, style: &Style) -> bool {
        let tag = self.dom.kind(id);
        let is_stated = || {
            let stated = self.dom.attribute(id, "style").unwrap_or_default();
            stated.contains("background")
        };
        style.display == Display::Inline || tag.is_some_and(has_cells) || is_stated()
    }

    /// Text of `::before` or `::after`, if the document's sheets give it one. That of the default sheet, such as the
    /// marks of a quotation, is added by the reader of the element.
    fn generated(
        &mut self,
        id: NodeId,
        style: &Rc<Style>,
        root: f32,
        pseudo: Pseudo,
    ) -> Option<Box<str>> {
        if !self.generates || self.length > MAX_GENERATED {
            return None;
        }
        let own = self.own.part(id, pseudo, style, root)?;
        let content = own.content.clone()?;
        // Sheets for print show the addresses of links. Documents have these anyway, so such content is left out.
        if matches!(&*content, [.., Content::Attribute(name), _] | [.., Content::Attribute(name)] if &**name == "href")
        {
            return None;
        }
        let plain = self.plain.part(id, pseudo, style, root);
        if own.display == Display::None || plain.is_some_and(|plain| plain.content == own.content) {
            return None;
        }
        self.counters.enter(id, &own);
        let dom = self.dom;
        let text = self
            .counters
            .words(&content, &own, |name| dom.attribute(id, name));
        self.counters.leave(id);
        // Texts that are not shown count as well, since making them takes as long.
        self.length = self.length.saturating_add(text.len());
        if self.length > MAX_GENERATED {
            return None;
        }
        let mut text: String = text.chars().filter(|c| !is_private(*c)).collect();
        let is_shown = own.text.visibility == Visibility::Visible && own.opacity > 0.0;
        if text.trim().is_empty() || !is_shown {
            return None;
        }
        // If the content is not inline, a space separates it from the text of the element.
        if own.display != Display::Inline {
            match pseudo {
                Pseudo::After => text.insert(0, ' '),
                _ => text.push(' '),
            }
        }
        Some(text.into())
    }
}

/// Shape and colour of an underline; `None` if it is a single solid line in the colour of the text. `text` is the
/// colour of the text.
fn line(decoration: &Decoration, text: Rgba) -> Option<Underline> {
    let line = Underline {
        stroke: match decoration.style {
            _ if decoration.wavy => Stroke::Wavy,
            LineStyle::Dotted => Stroke::Dotted,
            LineStyle::Dashed => Stroke::Dashed,
            _ => Stroke::Solid,
        },
        double: decoration.style == LineStyle::Double && !decoration.wavy,
        colour: (decoration.colour != text)
            .then(|| on_paper(decoration.colour))
            .flatten(),
        ..Underline::default()
    };
    (line != Underline::default()).then_some(line)
}

/// Returns whether a character is for private use. In generated content, it is a sign of an icon font.
fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Returns whether an element is a table, or a part of one whose background is that of its cells.
pub(crate) fn has_cells(tag: Tag) -> bool {
    tag == Tag::Table
        || tag.is_table_part() && !matches!(tag, Tag::Caption | Tag::Col | Tag::Colgroup)
}

/// Returns whether text of a colour is too light for paper, by its luma (ITU-R BT.601).
fn is_light(colour: Rgba) -> bool {
    let [red, green, blue] = colour.rgb.map(|part| f32::from(part) / 255.0);
    0.3 * red + 0.59 * green + 0.11 * blue > LIGHTEST
}

/// Difference between the styles with and without the document's sheets; `None` if they are equal. Only properties that
/// the document model can represent are compared. `ground` is the background of its text, if that can be represented, and
/// `is_held` whether that of the element itself can be.
fn difference(
    style: &Style,
    plain: &Style,
    (ground, is_held): (Option<Colour>, bool),
    parted: EdgeBreaks,
) -> Option<Look> {
    if style == plain && parted == EdgeBreaks::Not {
        return None;
    }
    let (own, default) = (&style.text, &plain.text);
    let mut look = Look {
        parted,
        ..Look::default()
    };
    // Document formats know bold only as a flag; weights of 600 and more look bold.
    let is_bold = |weight: u16| weight >= 600;
    if is_bold(own.weight) != is_bold(default.weight) {
        look.bold = Some(is_bold(own.weight));
    }
    if own.italic != default.italic {
        look.italic = Some(own.italic);
    }
    // A decoration matters only if the sheet adds it: the model cannot remove an inherited one.
    look.underline = style.decoration.under && !plain.decoration.under;
    let is_changed = style.decoration != plain.decoration || style.decoration_colour.is_some();
    // The last line is that of the element itself, with its final colour.
    if let Some(drawn) = own.decorations.last()
        && style.decoration.under
        && is_changed
    {
        look.line = line(drawn, own.colour);
    }
    look.strikethrough = style.decoration.through && !plain.decoration.through;
    if style.vertical_align != plain.vertical_align {
        look.superscript = style.vertical_align == VerticalAlign::Super;
        look.subscript = style.vertical_align == VerticalAlign::Sub;
        look.vertical = match style.vertical_align {
            VerticalAlign::Top => Some("top"),
            VerticalAlign::Middle => Some("middle"),
            VerticalAlign::Bottom => Some("bottom"),
            _ => None,
        };
    }
    look.small_caps = own.variant == FontVariant::SmallCaps && own.variant != default.variant;
    look.capitals = own.transform == TextTransform::Uppercase && own.transform != default.transform;
    // Light text would be invisible on paper without its background, so its colour is used only with a background.
    if own.colour != default.colour && (ground.is_some() || !is_light(own.colour)) {
        look.colour = Some(own.colour);
    }
    if style.background != plain.background && is_held {
        look.background = Some(style.background.or(own.colour));
    }
    if own.emphasis != default.emphasis {
        look.emphasis = own.emphasis;
        look.emphasis_below = own.emphasis_position == EmphasisPosition::Under;
    }
    if own.hyphens != default.hyphens {
        look.hyphenated = Some(own.hyphens == Hyphens::Auto);
    }
    if style.unicode_bidi != plain.unicode_bidi {
        look.bidi = Some(style.unicode_bidi);
    }
    // Letters that are overridden have the inherited direction, too.
    let is_override = matches!(
        look.bidi,
        Some(UnicodeBidi::BidiOverride | UnicodeBidi::IsolateOverride)
    );
    if style.is_rtl() != plain.is_rtl() || is_override {
        look.direction = Some(match style.is_rtl() {
            true => Direction::RightToLeft,
            false => Direction::LeftToRight,
        });
    }
    if own.align != default.align {
        look.alignment = match own.align {
            TextAlign::Left | TextAlign::Start | TextAlign::BlockLeft => Some(Alignment::Start),
            TextAlign::Right | TextAlign::End | TextAlign::BlockRight => Some(Alignment::End),
            TextAlign::Center | TextAlign::BlockCenter => Some(Alignment::Centre),
            TextAlign::Justify => Some(Alignment::Justify),
            TextAlign::MatchParent => None,
        };
    }
    if own.list_style != default.list_style {
        look.list_style = Some(own.list_style.clone());
    }
    look.hidden = style.display == Display::None && plain.display != Display::None;
    look.breaks_before = is_page(style.break_before) && !is_page(plain.break_before);
    look.breaks_after = is_page(style.break_after) && !is_page(plain.break_after);
    Some(look)
}

/// Separation that an element's box causes, for elements that are not blocks by name. It keeps
/// words of neighbouring boxes apart when they become plain text.
fn parted(style: &Style) -> EdgeBreaks {
    match style.display {
        Display::Inline | Display::Contents | Display::None | Display::InlineBlock => {
            EdgeBreaks::Not
        }
        // These boxes are side by side with others, so they separate words.
        Display::Cell | Display::InlineTable | Display::InlineFlex | Display::InlineGrid => {
            EdgeBreaks::Word
        }
        _ => EdgeBreaks::Line,
    }
}

/// Returns whether a break value forces a page break (CSS Fragmentation 3, 3.1).
fn is_page(one: Break) -> bool {
    matches!(
        one,
        Break::Page
            | Break::Always
            | Break::All
            | Break::Left
            | Break::Right
            | Break::Recto
            | Break::Verso
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dom::build, syntax::tokens::Syntax};

    fn looks(page: &str) -> Looks {
        Looks::of(page, &mut build(page, Syntax::Html))
    }

    #[test]
    fn generated_text_is_that_which_readers_see() {
        #[track_caller]
        fn check(rule: &str, expected: &[&str]) {
            let page = format!("<style>p::after {{ {rule} }}</style><p>text</p>");
            let looks = looks(&page);
            let found = looks.0.values().filter_map(|look| look.after.as_deref());
            assert_eq!(found.collect::<Vec<&str>>(), expected, "{rule}");
        }
        check("content: '!'", &["!"]);
        check("content: '!'; opacity: 0.5", &["!"]);
        check("content: '!'; opacity: 0", &[]);
        check("content: '!'; visibility: hidden", &[]);
        check("content: '!'; display: none", &[]);
    }

    #[test]
    fn all_generated_texts_together_have_a_limit() {
        let rule = format!("p::before {{ content: '{}' }}", "x".repeat(100_000));
        let page = format!("<style>{rule}</style>{}", "<p>text</p>".repeat(100));
        let looks = looks(&page);
        let texts = looks.0.values().filter_map(|look| look.before.as_deref());
        assert_eq!(texts.count(), MAX_GENERATED / 100_000);
    }
}
