//! The computed style of an element: values of all properties, with lengths in px or as percentages. Does not match
//! selectors, and does no layout.
//!
//! Inherited properties are in a separate type ([`Text`]), because most elements share them with
//! their parent. Most types of values are in the files `keywords`, `images`, `marks`, `shapes` and
//! `tracks`, and are re-exported here.

mod inherited;

use super::{colour::Paint, rgba::Rgba, space::Space, value::Length};
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
pub use inherited::{Custom, Text};
use std::rc::Rc;

/// Value of `width`, `height` and the like.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// `auto`; `none` for maximum sizes.
    Auto,
    Length(Length),
    MinContent,
    MaxContent,
    FitContent,
}

/// Value of `vertical-align`.
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
    /// Raises the box; percentages refer to the line height.
    Length(Length),
}

/// Value of `line-height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineHeight {
    Normal,
    /// Multiple of the font size.
    Times(f32),
    Px(f32),
}

/// A text decoration: any of three lines in one colour and style (CSS Text Decoration 3, 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoration {
    /// Whether there is an underline.
    pub under: bool,
    /// Whether there is an overline.
    pub over: bool,
    /// Whether there is a line through the text.
    pub through: bool,
    pub colour: Rgba,
    pub style: LineStyle,
    /// Thickness in px; `None` for that of the font.
    pub thickness: Option<f32>,
    /// Distance of an underline from the baseline, in px; `None` for `auto`.
    pub offset: Option<f32>,
    /// Whether the lines are wavy; overrides `style`.
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

/// A shadow of a box or of text (CSS Backgrounds 3, 6.1): offsets, blur radius and spread distance
/// in px, colour, and whether it falls inside the box.
#[derive(Clone, Debug, PartialEq)]
pub struct Shadow {
    pub x: f32,
    pub y: f32,
    pub blur: f32,
    pub spread: f32,
    pub colour: Paint,
    pub inset: bool,
}

/// A transform function.
#[derive(Clone, Debug, PartialEq)]
pub enum Transform {
    /// Horizontal and vertical offset, and offset towards the viewer in px.
    Translate(Length, Length, f32),
    Matrix(Space),
}

/// Border of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// Specified width in px; see [`Border::width`].
    pub thickness: f32,
    pub style: LineStyle,
    pub colour: Paint,
}

impl Border {
    /// Initial value: the width `medium` without a style, which paints and occupies nothing.
    pub const NONE: Self = Self {
        thickness: 3.0,
        style: LineStyle::None,
        colour: Paint::Current,
    };

    /// Used width in px (CSS Backgrounds 3, 3.3): 0 for the styles `none` and `hidden` and for a thickness of 0, else
    /// rounded down to whole px, at least 1.
    pub fn width(&self) -> f32 {
        match self.style {
            LineStyle::None | LineStyle::Hidden => 0.0,
            _ if self.thickness <= 0.0 => 0.0,
            _ => self.thickness.floor().max(1.0),
        }
    }
}

/// Number of properties whose effects are not supported.
pub(super) const UNSUPPORTED: usize = 6;

/// Index of the top side in arrays. Sides are in the order of shorthands: clockwise from the top.
pub const TOP: usize = 0;
/// Index of the right side in arrays.
pub const RIGHT: usize = 1;
/// Index of the bottom side in arrays.
pub const BOTTOM: usize = 2;
/// Index of the left side in arrays.
pub const LEFT: usize = 3;

/// The computed style of an element.
///
/// Fields by subject: inherited properties; box type and position; sizes and edges; background and
/// effects; generated content and breaks; transforms; flexbox, alignment and grid; columns; text
/// decoration. Arrays of four are top, right, bottom, left, except for `radius` and `grid_lines`.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    // Inherited properties; box type and position.
    pub text: Rc<Text>,
    pub display: Display,
    pub zoom: f32,
    pub position: Position,
    /// Whether `display` was inline-level before absolute positioning made the box a block; affects
    /// the static position.
    pub was_inline: bool,
    pub float: Float,
    pub clear: Clear,
    // Sizes and edges.
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
    /// Horizontal and vertical radii, clockwise from the top left corner.
    pub radius: [(Length, Length); 4],
    pub inset: [Size; 4],
    // Background and effects.
    pub background: Paint,
    pub layers: Rc<[Layer]>,
    pub background_clip: BackgroundBox,
    pub background_origin: BackgroundBox,
    pub overflow: Overflow,
    pub opacity: f32,
    pub z_index: Option<i32>,
    pub vertical_align: VerticalAlign,
    pub unicode_bidi: UnicodeBidi,
    pub table_layout: TableLayout,
    // Generated content and breaks.
    pub content: Option<Rc<[Content]>>,
    pub counter_reset: Counters,
    pub counter_increment: Counters,
    pub counter_set: Counters,
    pub break_before: Break,
    pub break_after: Break,
    pub break_inside: Break,
    pub page: Option<Rc<str>>,
    /// Whether a form control keeps its native appearance.
    pub native: bool,
    // Overflow, shadows and outlines.
    pub text_overflow: TextOverflow,
    pub shadows: Rc<[Shadow]>,
    pub outline: Border,
    pub outline_offset: f32,
    // Replaced content, border images and clipping.
    pub object_fit: ObjectFit,
    pub object_position: (Length, Length),
    pub border_image: Rc<BorderImage>,
    pub clip_path: Option<Rc<Shape>>,
    pub clip_box: ShapeBox,
    /// Value of `clip`, which applies to absolutely positioned boxes only.
    pub clip: Option<Rc<Shape>>,
    /// Whether it has `display: contents` inside a flex or grid container, so that its children
    /// become items.
    pub passes_items: bool,
    /// `-webkit-text-fill-color`.
    pub text_fill: Option<Paint>,
    // Transforms.
    pub transforms: Rc<[Transform]>,
    /// `translate`, `rotate` and `scale`, which are applied before `transform`.
    pub moves: [Option<Transform>; 3],
    /// Horizontal and vertical position, and depth in px.
    pub transform_origin: (Length, Length, f32),
    pub transform_style: TransformStyle,
    pub backface: Backface,
    /// Distance of the viewer in px; `None` without a perspective.
    pub perspective: Option<f32>,
    pub perspective_origin: (Length, Length),
    // Flexbox, alignment and grid.
    // Main axis, flexible lengths and order of items.
    pub flex_direction: FlexDirection,
    pub flex_wrap: FlexWrap,
    pub flex_grow: f32,
    pub flex_shrink: f32,
    pub flex_basis: Size,
    pub order: i32,
    // Alignment along the inline axis (`justify`) and the block axis (`align`), or in a flex container along the main
    // axis and the cross axis.
    pub justify_content: Align,
    pub align_content: Align,
    pub align_items: Align,
    pub align_self: Align,
    pub justify_items: Align,
    pub justify_self: Align,
    // Gaps and tracks.
    /// Gap between rows; `None` is `normal`.
    pub row_gap: Option<Length>,
    /// Gap between columns; `None` is `normal`.
    pub column_gap: Option<Length>,
    pub grid_columns: Rc<[Tracks]>,
    pub grid_rows: Rc<[Tracks]>,
    pub grid_auto_columns: Rc<[Track]>,
    pub grid_auto_rows: Rc<[Track]>,
    pub grid_flow: GridFlow,
    /// Names of areas, row by row.
    pub grid_areas: Rc<[Vec<Rc<str>>]>,
    /// Grid lines: row start and end, column start and end.
    pub grid_lines: [GridLine; 4],
    // Columns.
    pub column_count: Option<u16>,
    pub column_width: Option<f32>,
    pub column_rule: Border,
    pub column_span: bool,
    /// `column-fill: auto`: columns are filled in turn instead of balanced.
    pub column_fill_auto: bool,
    pub aspect_ratio: Option<f32>,
    /// Text decoration of the element itself, before it is propagated to the text.
    pub decoration: Decoration,
    pub decoration_colour: Option<Paint>,
    /// Effects of the element that are not supported, such as filters and masks: whether each of the properties has a
    /// value that has an effect.
    pub unsupported: [bool; UNSUPPORTED],
}

impl Default for Style {
    fn default() -> Self {
        // Initial values, in the order of the fields.
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
            unicode_bidi: UnicodeBidi::Normal,
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
            unsupported: [false; UNSUPPORTED],
        }
    }
}

/// Makes a style on the heap. The function is not inlined: boxes are generated recursively, and a
/// style on the stack of each level would exhaust it.
#[inline(never)]
pub fn made(make: impl FnOnce() -> Style) -> Rc<Style> {
    Rc::new(make())
}

impl Style {
    /// Style of an anonymous box: inherited properties only (CSS 2.2, 9.2.1.1), and the named page,
    /// which propagates through anonymous boxes.
    pub fn inherited(&self, display: Display) -> Self {
        Self {
            text: self.text.clone(),
            page: self.page.clone(),
            display,
            ..Self::default()
        }
    }

    /// Returns whether the box is positioned (CSS 2.2, 9.3.1).
    pub fn is_positioned(&self) -> bool {
        self.position != Position::Static
    }

    /// Returns whether the box is absolutely positioned, with `absolute` or `fixed`.
    pub fn is_absolute(&self) -> bool {
        matches!(self.position, Position::Absolute | Position::Fixed)
    }

    /// Returns whether the box is a float. `float` does not apply to absolutely positioned boxes
    /// (CSS 2.2, 9.7).
    pub fn floats(&self) -> bool {
        self.float != Float::None && !self.is_absolute()
    }

    /// Returns whether the box is a flex or grid container.
    pub fn has_items(&self) -> bool {
        matches!(
            self.display,
            Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid
        )
    }

    /// Returns whether the box has transforms, a perspective or a 3D rendering context. Such a box is the containing
    /// block of fixed descendants (CSS Transforms 1, 2).
    pub fn is_in_space(&self) -> bool {
        !self.transforms.is_empty()
            || self.perspective.is_some()
            || self.transform_style == TransformStyle::Space
    }

    /// Returns whether any corner is rounded. A corner with one radius of 0 is square (CSS
    /// Backgrounds 3, 4.1).
    pub fn is_round(&self) -> bool {
        self.radius
            .iter()
            .any(|(x, y)| x.of(100.0) > 0.0 && y.of(100.0) > 0.0)
    }

    /// Returns whether the box is inline-level.
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

    /// Returns whether the box establishes a stacking context (CSS 2.2, 9.9.1 and later
    /// specifications).
    pub fn is_stacking_context(&self) -> bool {
        self.opacity < 1.0
            || self.is_in_space()
            || self.clip_path.is_some()
            || matches!(self.position, Position::Fixed | Position::Sticky)
            || self.z_index.is_some()
    }

    /// Returns whether text runs from right to left.
    pub fn is_rtl(&self) -> bool {
        self.text.direction == Direction::Rtl
    }

    /// Line height in px. `normal` is the height for the value `normal`. The limit keeps absurd multiples within the
    /// range of page coordinates.
    pub fn line_height(&self, normal: f32) -> f32 {
        match self.text.line_height {
            LineHeight::Normal => normal,
            LineHeight::Times(times) => (times * self.text.size).clamp(0.0, 1e6),
            LineHeight::Px(px) => px.max(0.0),
        }
    }
}
