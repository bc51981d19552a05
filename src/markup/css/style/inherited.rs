//! Inherited properties, which most elements share with their parents, and custom properties. Has no other property.

use super::super::{
    colour::Paint,
    images::Image,
    keywords::*,
    marks::{ListStyle, Quotes},
    rgba::Rgba,
    tokens::Token,
    value::Length,
};
use super::{Decoration, LineHeight, Shadow};
use convertd_tree::EmphasisShape;
use std::rc::Rc;

/// Inherited properties, by subject: font, spacing, lines, white space, direction, visibility,
/// lists, tables, and others.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    // Colour and font.
    pub colour: Rgba,
    pub families: Rc<str>,
    /// Font size in px.
    pub size: f32,
    /// Effective zoom: the product of `zoom` of the element and its ancestors.
    pub zoom: f32,
    /// Whether the font size still derives from the default size, which is smaller for `monospace`.
    pub(crate) plain_size: bool,
    pub weight: u16,
    pub italic: bool,
    pub variant: FontVariant,
    pub line_height: LineHeight,
    /// Additional space between letters, in px.
    pub letter_spacing: f32,
    /// Additional space between words, in px.
    pub word_spacing: f32,
    // Lines.
    pub align: TextAlign,
    /// `text-align-last`; `None` for `auto`.
    pub align_last: Option<TextAlign>,
    pub indent: Length,
    pub transform: TextTransform,
    // White space and line breaks.
    pub white_space: WhiteSpace,
    pub word_break: WordBreak,
    pub overflow_wrap: OverflowWrap,
    pub hyphens: Hyphens,
    /// `hyphenate-limit-chars`: minimum number of letters in a word, before a hyphen, and after it.
    pub hyphen_limits: [u8; 3],
    // Direction.
    pub direction: Direction,
    pub writing: Writing,
    pub orientation: TextOrientation,
    // Visibility and lists.
    pub visibility: Visibility,
    pub list_style: ListStyle,
    pub list_position: ListPosition,
    pub list_image: Image,
    /// `accent-color` of form controls.
    pub accent: Option<Paint>,
    // Tables.
    pub border_collapse: BorderCollapse,
    /// Horizontal and vertical distance of cells, in px.
    pub border_spacing: (f32, f32),
    pub caption_side: CaptionSide,
    pub(crate) empty_cells: EmptyCells,
    // Shadows, quotes, pagination and others.
    pub shadows: Rc<[Shadow]>,
    pub quotes: Quotes,
    pub orphans: u16,
    pub widows: u16,
    /// `tab-size` in spaces.
    pub tab_size: f32,
    /// Decorations of the element and of its ancestors.
    pub decorations: Rc<[Decoration]>,
    // Emphasis marks, language and custom properties.
    pub emphasis: Option<EmphasisShape>,
    pub emphasis_colour: Paint,
    pub emphasis_position: EmphasisPosition,
    pub language: Option<Rc<str>>,
    /// Custom properties; `None` for a style without them.
    pub custom: Option<Rc<Custom>>,
}

/// Custom properties of an element by name, including inherited ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Custom(pub std::collections::BTreeMap<Rc<str>, Rc<[Token]>>);

impl Default for Text {
    fn default() -> Self {
        Self {
            colour: Rgba::BLACK,
            families: "".into(),
            size: 16.0,
            zoom: 1.0,
            plain_size: true,
            weight: 400,
            italic: false,
            variant: FontVariant::Normal,
            line_height: LineHeight::Normal,
            letter_spacing: 0.0,
            word_spacing: 0.0,
            align: TextAlign::Start,
            align_last: None,
            indent: Length::ZERO,
            transform: TextTransform::None,
            white_space: WhiteSpace::Normal,
            word_break: WordBreak::Normal,
            overflow_wrap: OverflowWrap::Normal,
            hyphens: Hyphens::Manual,
            hyphen_limits: [5, 2, 2],
            direction: Direction::Ltr,
            writing: Writing::Horizontal,
            orientation: TextOrientation::Mixed,
            visibility: Visibility::Visible,
            list_style: ListStyle::Named("disc".into()),
            list_position: ListPosition::Outside,
            list_image: Image::None,
            accent: None,
            border_collapse: BorderCollapse::Separate,
            border_spacing: (0.0, 0.0),
            caption_side: CaptionSide::Top,
            empty_cells: EmptyCells::Show,
            shadows: Rc::new([]),
            quotes: None,
            orphans: 2,
            widows: 2,
            tab_size: 8.0,
            decorations: Rc::new([]),
            emphasis: None,
            emphasis_colour: Paint::Current,
            emphasis_position: EmphasisPosition::Over,
            language: None,
            custom: None,
        }
    }
}
