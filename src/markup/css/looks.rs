//! Looks of the elements of a page that is read by its meaning: bold, colours, alignment, what is hidden, breaks of
//! pages. Gives nothing a place, and reads no `style` attribute, which the reader of the page knows itself.
//!
//! Each element's style is computed twice within that of its parent, with the page's sheets and without them: what differs is theirs.

use super::{
    cascade::Cascade,
    media::Media,
    rgba::Rgba,
    sheet::{Reader, Sheets},
    style::{Break, Display, FontVariant, Style, TextAlign, TextTransform, VerticalAlign},
};
use crate::html::{
    self, Look, Parted, Syntax,
    dom::{self, Data, Dom, NodeId},
    on_paper,
};
use convertd_tree::Alignment;
use std::{collections::HashMap, rc::Rc};

/// The width and height that queries of media see: the content of a page of letter, in px.
pub const VIEWPORT: (f32, f32) = (741.0, 982.0);
/// The memory for an element and its style, in bytes.
const ELEMENT: u64 = 1500;
/// Lightest text on paper, from 0 to 1: lighter text was meant for a dark background.
const LIGHTEST: f32 = 0.8;

/// The looks of the elements of a page, by the numbers of their start tags.
#[derive(Debug, Default)]
pub struct Looks(HashMap<usize, Look>);

impl Looks {
    /// The memory that they and the elements of a page take at most, in bytes.
    pub fn memory(text: &str) -> u64 {
        match has_style(text) {
            true => text.bytes().filter(|byte| *byte == b'<').count() as u64 * ELEMENT,
            false => 0,
        }
    }

    /// Looks by the style sheets of a page. Empty without any, or with more than can be tried on its elements.
    pub fn of(text: &str, syntax: Syntax) -> Self {
        if !has_style(text) {
            return Self::default();
        }
        let (mut dom, starts) = dom::build_with_starts(text, syntax);
        let (plain, own) = (sheets(&mut dom, false), sheets(&mut dom, true));
        if own.too_many {
            return Self::default();
        }
        let numbers: HashMap<NodeId, usize> = starts
            .into_iter()
            .enumerate()
            .filter_map(|(number, node)| Some((node?, number)))
            .collect();
        let mut walk = Walk {
            dom: &dom,
            plain: Cascade::new(&dom, plain, VIEWPORT),
            own: Cascade::new(&dom, own, VIEWPORT),
            numbers,
            looks: HashMap::new(),
        };
        let root = Rc::new(Style::default());
        walk.children(NodeId::DOCUMENT, &root, None, false);
        match walk.own.is_exhausted() || walk.plain.is_exhausted() {
            true => Self::default(),
            false => Self(walk.looks),
        }
    }

    /// Look of the element with this start tag.
    pub fn get(&self, number: usize) -> Option<&Look> {
        self.0.get(&number)
    }
}

/// Whether a page has style sheets, or elements that say themselves what their boxes are.
fn has_style(text: &str) -> bool {
    let mut tags = text.as_bytes().windows(6);
    tags.any(|tag| tag.eq_ignore_ascii_case(b"<style"))
        || memchr::memmem::find(text.as_bytes(), b"display:").is_some()
}

/// The rules of browsers, and with them those of the page.
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
            .map(|id| dom.text(id))
            .collect(),
        false => Vec::new(),
    };
    let quirks = dom.quirks;
    let nothing = |_: &str| None;
    let mut reader = Reader::new(&mut dom.names, quirks, media, &nothing);
    reader.sheet(super::DEFAULT, true);
    texts.iter().for_each(|text| reader.sheet(text, false));
    reader.sheets
}

/// Goes through the elements of a page.
struct Walk<'d> {
    dom: &'d Dom,
    plain: Cascade<'d>,
    own: Cascade<'d>,
    numbers: HashMap<NodeId, usize>,
    looks: HashMap<usize, Look>,
}

impl Walk<'_> {
    /// `root`: the size of the root element's font; `backed`: a background that documents can hold is behind the text. The tree is
    /// no deeper than browsers allow.
    fn children(&mut self, id: NodeId, parent: &Rc<Style>, root: Option<f32>, backed: bool) {
        let children: Vec<NodeId> = self.dom.children(id).collect();
        for child in children {
            if !matches!(self.dom.node(child).data, Data::Element(_)) || self.own.is_exhausted() {
                continue;
            }
            let style = self.own.style(child, parent, root);
            let plain = self.plain.style(child, parent, root);
            let holds = is_held(&style) && !style.background.or(style.text.colour).is_clear();
            let backed = backed || holds;
            if let Some(number) = self.numbers.get(&child)
                && let Some(look) = {
                    let parted = match html::is_block(self.dom.tag(child)) {
                        true => Parted::Not,
                        false => parted(&style),
                    };
                    difference(&style, &plain, backed, parted)
                }
            {
                self.looks.insert(*number, look);
            }
            if style.display != Display::None {
                let root = root.unwrap_or(style.text.size);
                self.children(child, &style, Some(root), backed);
            }
        }
    }
}

/// Whether documents can hold the background of an element: that of text.
fn is_held(style: &Style) -> bool {
    style.display == Display::Inline
}

fn is_light(colour: Rgba) -> bool {
    let [red, green, blue] = colour.rgb.map(|part| f32::from(part) / 255.0);
    0.3 * red + 0.59 * green + 0.11 * blue > LIGHTEST
}

/// Change that the sheets of a page make to an element.
fn difference(style: &Style, plain: &Style, backed: bool, parted: Parted) -> Option<Look> {
    if style == plain && parted == Parted::Not {
        return None;
    }
    let (own, usual) = (&style.text, &plain.text);
    let mut look = Look {
        parted,
        ..Look::default()
    };
    let is_bold = |weight: u16| weight >= 600;
    if is_bold(own.weight) != is_bold(usual.weight) {
        look.bold = Some(is_bold(own.weight));
    }
    if own.italic != usual.italic {
        look.italic = Some(own.italic);
    }
    look.underline = style.decoration.under && !plain.decoration.under;
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
    look.small_caps = own.variant == FontVariant::SmallCaps && own.variant != usual.variant;
    look.capitals = own.transform == TextTransform::Uppercase && own.transform != usual.transform;
    if own.colour != usual.colour && (backed || !is_light(own.colour)) {
        look.colour = on_paper(own.colour);
    }
    let background = style.background.or(own.colour);
    if style.background != plain.background && is_held(style) {
        look.background = on_paper(background);
    }
    if own.align != usual.align {
        look.alignment = match own.align {
            TextAlign::Left | TextAlign::Start | TextAlign::BlockLeft => Some(Alignment::Start),
            TextAlign::Right | TextAlign::End | TextAlign::BlockRight => Some(Alignment::End),
            TextAlign::Center | TextAlign::BlockCenter => Some(Alignment::Centre),
            TextAlign::Justify => Some(Alignment::Justify),
            TextAlign::MatchParent => None,
        };
    }
    look.hidden = style.display == Display::None && plain.display != Display::None;
    look.breaks_before = is_page(style.break_before) && !is_page(plain.break_before);
    look.breaks_after = is_page(style.break_after) && !is_page(plain.break_after);
    Some(look)
}

/// Break that the box of an element makes, for one that is no block by its name.
fn parted(style: &Style) -> Parted {
    match style.display {
        Display::Inline | Display::Contents | Display::None | Display::InlineBlock => Parted::Not,
        // Cells stand side by side.
        Display::Cell | Display::InlineTable | Display::InlineFlex | Display::InlineGrid => {
            Parted::Word
        }
        _ => Parted::Line,
    }
}

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
