//! The computed style of an element: what every property comes to, in px. Knows no selector, and lays out nothing.
//!
//! Inherited values are in a part of their own ([`Text`]), shared by most elements with their parents. Values of one subject each
//! have a file of their own, and are reached through this one: `keywords`, `images`, `marks`, `shapes`, `tracks`.

use super::{colour::Paint, rgba::Rgba, space::Space, tokens::Token, value::Length};
pub use super::{
    images::{
        BackgroundSize, BorderImage, BorderSide, Extent, Gradient, GradientShape, Image, Layer,
        Slice,
    },
    keywords::*,
    marks::{Content, Counters, ListStyle, Quotes},
    shapes::{Shape, ShapeBox},
    tracks::{GridLine, Track, Tracks},
};
use std::rc::Rc;

/// A width or height.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// For largest widths and heights: none.
    Auto,
    Length(Length),
    MinContent,
    MaxContent,
    FitContent,
}

/// Vertical alignment of a box on its line.
#[derive(Clone, Debug, PartialEq)]
pub enum VerticalAlign {
    Baseline,
    Sub,
    Super,
    Top,
    Middle,
    Bottom,
    TextTop,
    TextBottom,
    /// Raised by so much; 100 % are the height of the line.
    Length(Length),
}

/// The height of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineHeight {
    Normal,
    /// So many times the size of the font.
    Times(f32),
    Px(f32),
}

/// A line below, above or through text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoration {
    pub under: bool,
    pub over: bool,
    pub through: bool,
    pub colour: Rgba,
    pub style: LineStyle,
    /// In px.
    pub thickness: Option<f32>,
    /// Distance of the underline from the baseline, in px.
    pub offset: Option<f32>,
    /// In waves, whatever the style is.
    pub wavy: bool,
}

impl Decoration {
    /// No line.
    pub const NONE: Self = Self {
        under: false,
        over: false,
        through: false,
        colour: Rgba::BLACK,
        style: LineStyle::Solid,
        thickness: None,
        offset: None,
        wavy: false,
    };
}

/// A shadow of a box or of text, in px.
#[derive(Clone, Debug, PartialEq)]
pub struct Shadow {
    pub x: f32,
    pub y: f32,
    pub blur: f32,
    pub spread: f32,
    pub colour: Paint,
    pub inset: bool,
}

/// A transformation of a box.
#[derive(Clone, Debug, PartialEq)]
pub enum Transform {
    /// To the right, downwards, and towards the eye in px.
    Translate(Length, Length, f32),
    Matrix(Space),
}

/// Inherited properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub colour: Rgba,
    pub families: Rc<str>,
    /// In px.
    pub size: f32,
    /// Effective zoom: its own `zoom`, times those of the elements around.
    pub zoom: f32,
    /// The size was not changed since the family became `monospace`, which browsers show smaller.
    pub(crate) plain_size: bool,
    pub weight: u16,
    pub italic: bool,
    pub variant: FontVariant,
    pub line_height: LineHeight,
    pub letter_spacing: f32,
    pub word_spacing: f32,
    pub align: TextAlign,
    /// Alignment of lines that end a block, or are broken by hand; the initial value is that of others, but not justified.
    pub align_last: Option<TextAlign>,
    pub indent: Length,
    pub transform: TextTransform,
    pub white_space: WhiteSpace,
    pub word_break: WordBreak,
    pub overflow_wrap: OverflowWrap,
    pub direction: Direction,
    pub writing: Writing,
    pub orientation: TextOrientation,
    pub visibility: Visibility,
    pub list_style: ListStyle,
    pub list_position: ListPosition,
    pub list_image: Image,
    /// The colour of what is chosen in form controls.
    pub accent: Option<Paint>,
    pub border_collapse: BorderCollapse,
    pub border_spacing: (f32, f32),
    pub caption_side: CaptionSide,
    pub(crate) empty_cells: EmptyCells,
    pub shadows: Rc<[Shadow]>,
    pub quotes: Quotes,
    pub orphans: u16,
    pub widows: u16,
    pub tab_size: f32,
    /// Decorations of the elements around, and its own.
    pub decorations: Rc<[Decoration]>,
    pub language: Option<Rc<str>>,
    /// Custom properties.
    pub custom: Option<Rc<Custom>>,
}

/// Custom properties, and those of the elements around.
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
            language: None,
            custom: None,
        }
    }
}

/// A side of a border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// In px, as it was asked for; see [`Border::width`].
    pub thickness: f32,
    pub style: LineStyle,
    pub colour: Paint,
}

impl Border {
    pub const NONE: Self = Self {
        thickness: 3.0,
        style: LineStyle::None,
        colour: Paint::Current,
    };

    /// The room that it takes in px: none without a style, and whole pixels, at least one (CSS Backgrounds 3, 4.3).
    pub fn width(&self) -> f32 {
        match self.style {
            LineStyle::None | LineStyle::Hidden => 0.0,
            _ if self.thickness <= 0.0 => 0.0,
            _ => self.thickness.floor().max(1.0),
        }
    }
}

/// Sides in the order of shorthands.
pub const TOP: usize = 0;
pub const RIGHT: usize = 1;
pub const BOTTOM: usize = 2;
pub const LEFT: usize = 3;

/// The computed style of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    pub text: Rc<Text>,
    pub display: Display,
    pub zoom: f32,
    pub position: Position,
    /// It would stand on a line if it were not placed by itself.
    pub was_inline: bool,
    pub float: Float,
    pub clear: Clear,
    pub sizing: BoxSizing,
    pub width: Size,
    pub height: Size,
    pub min_width: Size,
    pub min_height: Size,
    pub max_width: Size,
    pub max_height: Size,
    pub margin: [Size; 4],
    pub padding: [Length; 4],
    pub border: [Border; 4],
    /// Across and down, from the upper left corner clockwise.
    pub radius: [(Length, Length); 4],
    pub inset: [Size; 4],
    pub background: Paint,
    pub layers: Rc<[Layer]>,
    pub background_clip: BackgroundBox,
    pub background_origin: BackgroundBox,
    pub overflow: Overflow,
    pub opacity: f32,
    pub z_index: Option<i32>,
    pub vertical_align: VerticalAlign,
    pub table_layout: TableLayout,
    pub content: Option<Rc<[Content]>>,
    pub counter_reset: Counters,
    pub counter_increment: Counters,
    pub counter_set: Counters,
    pub break_before: Break,
    pub break_after: Break,
    pub break_inside: Break,
    pub page: Option<Rc<str>>,
    /// A form control looks as the browser has it, where no style sheet says more.
    pub native: bool,
    pub text_overflow: TextOverflow,
    pub shadows: Rc<[Shadow]>,
    pub outline: Border,
    pub outline_offset: f32,
    pub object_fit: ObjectFit,
    pub object_position: (Length, Length),
    pub border_image: Rc<BorderImage>,
    pub clip_path: Option<Rc<Shape>>,
    pub clip_box: ShapeBox,
    /// The value of `clip`, which counts for boxes that are placed by themselves.
    pub clip: Option<Rc<Shape>>,
    /// It has no box, and those around it are of a container of flex or grid.
    pub passes_items: bool,
    /// Fill of text in place of its colour.
    pub text_fill: Option<Paint>,
    pub transforms: Rc<[Transform]>,
    /// Transforms of `translate`, `rotate` and `scale`, applied before `transform`.
    pub moves: [Option<Transform>; 3],
    /// With its distance from the page in px.
    pub transform_origin: (Length, Length, f32),
    pub transform_style: TransformStyle,
    pub backface: Backface,
    /// Distance of the eye in front of the page, in px.
    pub perspective: Option<f32>,
    pub perspective_origin: (Length, Length),
    pub flex_direction: FlexDirection,
    pub flex_wrap: FlexWrap,
    pub flex_grow: f32,
    pub flex_shrink: f32,
    pub flex_basis: Size,
    pub order: i32,
    pub justify_content: Align,
    pub align_content: Align,
    pub align_items: Align,
    pub align_self: Align,
    pub justify_items: Align,
    pub justify_self: Align,
    /// Between rows, and between columns.
    pub row_gap: Option<Length>,
    pub column_gap: Option<Length>,
    pub grid_columns: Rc<[Tracks]>,
    pub grid_rows: Rc<[Tracks]>,
    pub grid_auto_columns: Rc<[Track]>,
    pub grid_auto_rows: Rc<[Track]>,
    pub grid_flow: GridFlow,
    /// The names of the areas, row by row.
    pub grid_areas: Rc<[Vec<Rc<str>>]>,
    /// Row start and end, column start and end.
    pub grid_lines: [GridLine; 4],
    pub column_count: Option<u16>,
    pub column_width: Option<f32>,
    pub column_rule: Border,
    pub column_span: bool,
    /// Columns are filled one after another, not made equally high.
    pub column_fill_auto: bool,
    pub aspect_ratio: Option<f32>,
    /// Its own lines below, above and through text, before they are passed on.
    pub decoration: Decoration,
    pub decoration_colour: Option<Paint>,
    /// Filters, masks and others of which nothing is seen here.
    pub unsupported: bool,
}

impl Default for Style {
    fn default() -> Self {
        const AUTO: Size = Size::Auto;
        let zero = || Length::ZERO;
        let none: Counters = Rc::new([]);
        Self {
            text: Rc::default(),
            display: Display::Inline,
            zoom: 1.0,
            position: Position::Static,
            was_inline: false,
            float: Float::None,
            clear: Clear::None,
            sizing: BoxSizing::Content,
            width: AUTO,
            height: AUTO,
            min_width: AUTO,
            min_height: AUTO,
            max_width: AUTO,
            max_height: AUTO,
            margin: [const { Size::Length(Length::ZERO) }; 4],
            padding: std::array::from_fn(|_| zero()),
            border: [Border::NONE; 4],
            radius: std::array::from_fn(|_| (zero(), zero())),
            inset: [AUTO; 4],
            background: Paint::Rgba(Rgba::CLEAR),
            layers: Rc::new([]),
            background_clip: BackgroundBox::Border,
            background_origin: BackgroundBox::Padding,
            overflow: Overflow::Visible,
            opacity: 1.0,
            z_index: None,
            vertical_align: VerticalAlign::Baseline,
            table_layout: TableLayout::Auto,
            content: None,
            counter_reset: none.clone(),
            counter_increment: none.clone(),
            counter_set: none,
            break_before: Break::Auto,
            break_after: Break::Auto,
            break_inside: Break::Auto,
            page: None,
            native: false,
            text_overflow: TextOverflow::Clip,
            shadows: Rc::new([]),
            outline: Border::NONE,
            outline_offset: 0.0,
            object_fit: ObjectFit::Fill,
            object_position: (Length::percent(50.0), Length::percent(50.0)),
            border_image: Rc::default(),
            clip_path: None,
            clip_box: ShapeBox::Border,
            clip: None,
            passes_items: false,
            text_fill: None,
            transforms: Rc::new([]),
            moves: [const { None }; 3],
            transform_origin: (Length::percent(50.0), Length::percent(50.0), 0.0),
            transform_style: TransformStyle::Flat,
            backface: Backface::Visible,
            perspective: None,
            perspective_origin: (Length::percent(50.0), Length::percent(50.0)),
            flex_direction: FlexDirection::Row,
            flex_wrap: FlexWrap::Nowrap,
            flex_grow: 0.0,
            flex_shrink: 1.0,
            flex_basis: AUTO,
            order: 0,
            justify_content: Align::Normal,
            align_content: Align::Normal,
            align_items: Align::Normal,
            align_self: Align::Auto,
            justify_items: Align::Normal,
            justify_self: Align::Auto,
            row_gap: None,
            column_gap: None,
            grid_columns: Rc::new([]),
            grid_rows: Rc::new([]),
            grid_auto_columns: Rc::new([]),
            grid_auto_rows: Rc::new([]),
            grid_flow: GridFlow::Row,
            grid_areas: Rc::new([]),
            grid_lines: std::array::from_fn(|_| GridLine::Auto),
            column_count: None,
            column_width: None,
            column_rule: Border::NONE,
            column_span: false,
            column_fill_auto: false,
            aspect_ratio: None,
            decoration: Decoration::NONE,
            decoration_colour: None,
            unsupported: false,
        }
    }
}

/// Makes a style where it stays. Boxes are made by going down a tree, and a copy on the stack for each of its levels would be too
/// much for that.
#[inline(never)]
pub fn made(make: impl FnOnce() -> Style) -> Rc<Style> {
    Rc::new(make())
}

impl Style {
    /// Style of an anonymous box within one of this style: inherited properties alone.
    pub fn inherited(&self, display: Display) -> Self {
        Self {
            text: self.text.clone(),
            page: self.page.clone(),
            display,
            ..Self::default()
        }
    }

    pub fn is_positioned(&self) -> bool {
        self.position != Position::Static
    }

    /// Whether it is taken out of the flow and placed by itself.
    pub fn is_absolute(&self) -> bool {
        matches!(self.position, Position::Absolute | Position::Fixed)
    }

    pub fn floats(&self) -> bool {
        self.float != Float::None && !self.is_absolute()
    }

    /// Whether a container lays out its children as items of a line or of a grid.
    pub fn has_items(&self) -> bool {
        matches!(
            self.display,
            Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid
        )
    }

    /// Whether it is transformed, or what is in it is seen in space: boxes that are fixed refer to it.
    pub fn is_in_space(&self) -> bool {
        !self.transforms.is_empty()
            || self.perspective.is_some()
            || self.transform_style == TransformStyle::Space
    }

    /// Whether any of its corners is round.
    pub fn is_round(&self) -> bool {
        self.radius
            .iter()
            .any(|(x, y)| x.of(100.0) > 0.0 && y.of(100.0) > 0.0)
    }

    pub fn is_inline_level(&self) -> bool {
        matches!(
            self.display,
            Display::Inline
                | Display::InlineBlock
                | Display::InlineFlex
                | Display::InlineGrid
                | Display::InlineTable
        )
    }

    /// Whether it is a stacking context, painted as a whole (CSS 2.2, 9.9.1 and successors).
    pub fn is_stacking_context(&self) -> bool {
        self.opacity < 1.0
            || self.is_in_space()
            || self.clip_path.is_some()
            || matches!(self.position, Position::Fixed | Position::Sticky)
            || self.z_index.is_some()
    }

    pub fn is_rtl(&self) -> bool {
        self.text.direction == Direction::Rtl
    }

    /// The line height in px for a font of this style that asks for `normal`.
    pub fn line_height(&self, normal: f32) -> f32 {
        match self.text.line_height {
            LineHeight::Normal => normal,
            LineHeight::Times(times) => (times * self.text.size).clamp(0.0, 1e6),
            LineHeight::Px(px) => px.max(0.0),
        }
    }
}
