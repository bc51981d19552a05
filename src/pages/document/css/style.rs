//! The computed style of an element: what every property comes to, in px. Knows no selector, and lays out nothing.
//!
//! Inherited values are in a part of their own ([`Text`]), shared by most elements with their parents. Values of one subject each
//! have a file of their own, and are reached through this one: `keywords`, `images`, `marks`, `shapes`, `tracks`.

use super::{colour::Paint, rgba::Rgba, space::Space, tokens::Token, value::Length};
pub(crate) use super::{
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
pub(crate) enum Size {
    /// For largest widths and heights: none.
    Auto,
    Length(Length),
    MinContent,
    MaxContent,
    FitContent,
}

/// Vertical alignment of a box on its line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum VerticalAlign {
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
pub(crate) enum LineHeight {
    Normal,
    /// So many times the size of the font.
    Times(f32),
    Px(f32),
}

/// A line below, above or through text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decoration {
    pub(crate) under: bool,
    pub(crate) over: bool,
    pub(crate) through: bool,
    pub(crate) colour: Rgba,
    pub(crate) style: LineStyle,
    /// In px.
    pub(crate) thickness: Option<f32>,
    /// Distance of the underline from the baseline, in px.
    pub(crate) offset: Option<f32>,
    /// In waves, whatever the style is.
    pub(crate) wavy: bool,
}

impl Decoration {
    /// No line.
    pub(crate) const NONE: Self = Self {
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
pub(crate) struct Shadow {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) blur: f32,
    pub(crate) spread: f32,
    pub(crate) colour: Paint,
    pub(crate) inset: bool,
}

/// A transformation of a box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Transform {
    /// To the right, downwards, and towards the eye in px.
    Translate(Length, Length, f32),
    Matrix(Space),
}

/// Inherited properties.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) colour: Rgba,
    pub(crate) families: Rc<str>,
    /// In px.
    pub(crate) size: f32,
    /// Effective zoom: its own `zoom`, times those of the elements around.
    pub(crate) zoom: f32,
    /// The size was not changed since the family became `monospace`, which browsers show smaller.
    pub(crate) plain_size: bool,
    pub(crate) weight: u16,
    pub(crate) italic: bool,
    pub(crate) variant: FontVariant,
    pub(crate) line_height: LineHeight,
    pub(crate) letter_spacing: f32,
    pub(crate) word_spacing: f32,
    pub(crate) align: TextAlign,
    /// Alignment of lines that end a block, or are broken by hand; the initial value is that of others, but not justified.
    pub(crate) align_last: Option<TextAlign>,
    pub(crate) indent: Length,
    pub(crate) transform: TextTransform,
    pub(crate) white_space: WhiteSpace,
    pub(crate) word_break: WordBreak,
    pub(crate) overflow_wrap: OverflowWrap,
    pub(crate) direction: Direction,
    pub(crate) writing: Writing,
    pub(crate) orientation: TextOrientation,
    pub(crate) visibility: Visibility,
    pub(crate) list_style: ListStyle,
    pub(crate) list_position: ListPosition,
    pub(crate) list_image: Image,
    /// The colour of what is chosen in form controls.
    pub(crate) accent: Option<Paint>,
    pub(crate) border_collapse: BorderCollapse,
    pub(crate) border_spacing: (f32, f32),
    pub(crate) caption_side: CaptionSide,
    pub(crate) empty_cells: EmptyCells,
    pub(crate) shadows: Rc<[Shadow]>,
    pub(crate) quotes: Quotes,
    pub(crate) orphans: u16,
    pub(crate) widows: u16,
    pub(crate) tab_size: f32,
    /// Decorations of the elements around, and its own.
    pub(crate) decorations: Rc<[Decoration]>,
    pub(crate) language: Option<Rc<str>>,
    /// Custom properties.
    pub(crate) custom: Option<Rc<Custom>>,
}

/// Custom properties, and those of the elements around.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Custom(pub(crate) std::collections::BTreeMap<Rc<str>, Rc<[Token]>>);

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
pub(crate) struct Border {
    /// In px, as it was asked for; see [`Border::width`].
    pub(crate) thickness: f32,
    pub(crate) style: LineStyle,
    pub(crate) colour: Paint,
}

impl Border {
    pub(crate) const NONE: Self = Self {
        thickness: 3.0,
        style: LineStyle::None,
        colour: Paint::Current,
    };

    /// The room that it takes in px: none without a style, and whole pixels, at least one (CSS Backgrounds 3, 4.3).
    pub(crate) fn width(&self) -> f32 {
        match self.style {
            LineStyle::None | LineStyle::Hidden => 0.0,
            _ if self.thickness <= 0.0 => 0.0,
            _ => self.thickness.floor().max(1.0),
        }
    }
}

/// Sides in the order of shorthands.
pub(crate) const TOP: usize = 0;
pub(crate) const RIGHT: usize = 1;
pub(crate) const BOTTOM: usize = 2;
pub(crate) const LEFT: usize = 3;

/// The computed style of an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) text: Rc<Text>,
    pub(crate) display: Display,
    pub(crate) zoom: f32,
    pub(crate) position: Position,
    /// It would stand on a line if it were not placed by itself.
    pub(crate) was_inline: bool,
    pub(crate) float: Float,
    pub(crate) clear: Clear,
    pub(crate) sizing: BoxSizing,
    pub(crate) width: Size,
    pub(crate) height: Size,
    pub(crate) min_width: Size,
    pub(crate) min_height: Size,
    pub(crate) max_width: Size,
    pub(crate) max_height: Size,
    pub(crate) margin: [Size; 4],
    pub(crate) padding: [Length; 4],
    pub(crate) border: [Border; 4],
    /// Across and down, from the upper left corner clockwise.
    pub(crate) radius: [(Length, Length); 4],
    pub(crate) inset: [Size; 4],
    pub(crate) background: Paint,
    pub(crate) layers: Rc<[Layer]>,
    pub(crate) background_clip: BackgroundBox,
    pub(crate) background_origin: BackgroundBox,
    pub(crate) overflow: Overflow,
    pub(crate) opacity: f32,
    pub(crate) z_index: Option<i32>,
    pub(crate) vertical_align: VerticalAlign,
    pub(crate) table_layout: TableLayout,
    pub(crate) content: Option<Rc<[Content]>>,
    pub(crate) counter_reset: Counters,
    pub(crate) counter_increment: Counters,
    pub(crate) counter_set: Counters,
    pub(crate) break_before: Break,
    pub(crate) break_after: Break,
    pub(crate) break_inside: Break,
    pub(crate) page: Option<Rc<str>>,
    /// A form control looks as the browser has it, where no style sheet says more.
    pub(crate) native: bool,
    pub(crate) text_overflow: TextOverflow,
    pub(crate) shadows: Rc<[Shadow]>,
    pub(crate) outline: Border,
    pub(crate) outline_offset: f32,
    pub(crate) object_fit: ObjectFit,
    pub(crate) object_position: (Length, Length),
    pub(crate) border_image: Rc<BorderImage>,
    pub(crate) clip_path: Option<Rc<Shape>>,
    pub(crate) clip_box: ShapeBox,
    /// The value of `clip`, which counts for boxes that are placed by themselves.
    pub(crate) clip: Option<Rc<Shape>>,
    /// It has no box, and those around it are of a container of flex or grid.
    pub(crate) passes_items: bool,
    /// Fill of text in place of its colour.
    pub(crate) text_fill: Option<Paint>,
    pub(crate) transforms: Rc<[Transform]>,
    /// Transforms of `translate`, `rotate` and `scale`, applied before `transform`.
    pub(crate) moves: [Option<Transform>; 3],
    /// With its distance from the page in px.
    pub(crate) transform_origin: (Length, Length, f32),
    pub(crate) transform_style: TransformStyle,
    pub(crate) backface: Backface,
    /// Distance of the eye in front of the page, in px.
    pub(crate) perspective: Option<f32>,
    pub(crate) perspective_origin: (Length, Length),
    pub(crate) flex_direction: FlexDirection,
    pub(crate) flex_wrap: FlexWrap,
    pub(crate) flex_grow: f32,
    pub(crate) flex_shrink: f32,
    pub(crate) flex_basis: Size,
    pub(crate) order: i32,
    pub(crate) justify_content: Align,
    pub(crate) align_content: Align,
    pub(crate) align_items: Align,
    pub(crate) align_self: Align,
    pub(crate) justify_items: Align,
    pub(crate) justify_self: Align,
    /// Between rows, and between columns.
    pub(crate) row_gap: Option<Length>,
    pub(crate) column_gap: Option<Length>,
    pub(crate) grid_columns: Rc<[Tracks]>,
    pub(crate) grid_rows: Rc<[Tracks]>,
    pub(crate) grid_auto_columns: Rc<[Track]>,
    pub(crate) grid_auto_rows: Rc<[Track]>,
    pub(crate) grid_flow: GridFlow,
    /// The names of the areas, row by row.
    pub(crate) grid_areas: Rc<[Vec<Rc<str>>]>,
    /// Row start and end, column start and end.
    pub(crate) grid_lines: [GridLine; 4],
    pub(crate) column_count: Option<u16>,
    pub(crate) column_width: Option<f32>,
    pub(crate) column_rule: Border,
    pub(crate) column_span: bool,
    /// Columns are filled one after another, not made equally high.
    pub(crate) column_fill_auto: bool,
    pub(crate) aspect_ratio: Option<f32>,
    /// Its own lines below, above and through text, before they are passed on.
    pub(crate) decoration: Decoration,
    pub(crate) decoration_colour: Option<Paint>,
    /// Filters, masks and others of which nothing is seen here.
    pub(crate) unsupported: bool,
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
pub(crate) fn made(make: impl FnOnce() -> Style) -> Rc<Style> {
    Rc::new(make())
}

impl Style {
    /// Style of an anonymous box within one of this style: inherited properties alone.
    pub(crate) fn inherited(&self, display: Display) -> Self {
        Self {
            text: self.text.clone(),
            page: self.page.clone(),
            display,
            ..Self::default()
        }
    }

    pub(crate) fn is_positioned(&self) -> bool {
        self.position != Position::Static
    }

    /// Whether it is taken out of the flow and placed by itself.
    pub(crate) fn is_absolute(&self) -> bool {
        matches!(self.position, Position::Absolute | Position::Fixed)
    }

    pub(crate) fn floats(&self) -> bool {
        self.float != Float::None && !self.is_absolute()
    }

    /// Whether a container lays out its children as items of a line or of a grid.
    pub(crate) fn has_items(&self) -> bool {
        matches!(
            self.display,
            Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid
        )
    }

    /// Whether it is transformed, or what is in it is seen in space: boxes that are fixed refer to it.
    pub(crate) fn is_in_space(&self) -> bool {
        !self.transforms.is_empty()
            || self.perspective.is_some()
            || self.transform_style == TransformStyle::Space
    }

    /// Whether any of its corners is round.
    pub(crate) fn is_round(&self) -> bool {
        self.radius
            .iter()
            .any(|(x, y)| x.of(100.0) > 0.0 && y.of(100.0) > 0.0)
    }

    pub(crate) fn is_inline_level(&self) -> bool {
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
    pub(crate) fn is_stacking_context(&self) -> bool {
        self.opacity < 1.0
            || self.is_in_space()
            || self.clip_path.is_some()
            || matches!(self.position, Position::Fixed | Position::Sticky)
            || self.z_index.is_some()
    }

    pub(crate) fn is_rtl(&self) -> bool {
        self.text.direction == Direction::Rtl
    }

    /// The line height in px for a font of this style that asks for `normal`.
    pub(crate) fn line_height(&self, normal: f32) -> f32 {
        match self.text.line_height {
            LineHeight::Normal => normal,
            LineHeight::Times(times) => (times * self.text.size).clamp(0.0, 1e6),
            LineHeight::Px(px) => px.max(0.0),
        }
    }
}
