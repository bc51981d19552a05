//! The computed style of an element: what every property comes to, in px. Knows no selector, and lays out nothing.
//!
//! What is inherited is a part of its own ([`Text`]), shared by most elements with their parents.

use super::{
    colour::Paint, counter_style::CounterStyle, rgba::Rgba, space::Space, tokens::Token,
    value::Length,
};
use std::rc::Rc;

/// Makes an enum of the words of a property; the first one is the initial value.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $first:ident $first_word:literal $($variant:ident $word:literal)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            #[allow(missing_docs)]
            pub(crate) enum $name { #[default] $first, $($variant),* }

            impl Word for $name {
                fn of(word: &str) -> Option<Self> {
                    match word {
                        $first_word => Some(Self::$first),
                        $($word => Some(Self::$variant),)*
                        _ => None,
                    }
                }
            }
        )*
    };
}

/// A value that is one of several words.
pub(crate) trait Word: Copy + 'static {
    fn of(word: &str) -> Option<Self>;
}

words! {
    Display {
        Inline "inline" Block "block" None "none" Contents "contents" ListItem "list-item" InlineBlock "inline-block"
        FlowRoot "flow-root" Flex "flex" InlineFlex "inline-flex" Grid "grid" InlineGrid "inline-grid" Table "table"
        InlineTable "inline-table" RowGroup "table-row-group" HeadGroup "table-header-group" FootGroup "table-footer-group"
        Row "table-row" Cell "table-cell" Column "table-column" ColumnGroup "table-column-group" Caption "table-caption"
    }
    Position { Static "static" Relative "relative" Absolute "absolute" Fixed "fixed" Sticky "sticky" }
    Float { None "none" Left "left" Right "right" }
    Clear { None "none" Left "left" Right "right" Both "both" }
    BoxSizing { Content "content-box" Border "border-box" }
    Overflow { Visible "visible" Hidden "hidden" Clip "clip" Scroll "scroll" Auto "auto" }
    Visibility { Visible "visible" Hidden "hidden" Collapse "collapse" }
    LineStyle {
        None "none" Hidden "hidden" Solid "solid" Double "double" Dashed "dashed" Dotted "dotted" Groove "groove"
        Ridge "ridge" Inset "inset" Outset "outset"
    }
    TextAlign {
        Start "start" Left "left" Right "right" Center "center" Justify "justify" End "end"
        BlockLeft "-webkit-left" BlockRight "-webkit-right" BlockCenter "-webkit-center" MatchParent "match-parent"
    }
    TextTransform { None "none" Uppercase "uppercase" Lowercase "lowercase" Capitalize "capitalize" }
    WhiteSpace {
        Normal "normal" Pre "pre" Nowrap "nowrap" PreWrap "pre-wrap" PreLine "pre-line" BreakSpaces "break-spaces"
    }
    WordBreak { Normal "normal" BreakAll "break-all" KeepAll "keep-all" BreakWord "break-word" }
    OverflowWrap { Normal "normal" BreakWord "break-word" Anywhere "anywhere" }
    Direction { Ltr "ltr" Rtl "rtl" }
    ListPosition { Outside "outside" Inside "inside" }
    BorderCollapse { Separate "separate" Collapse "collapse" }
    CaptionSide { Top "top" Bottom "bottom" }
    EmptyCells { Show "show" Hide "hide" }
    TableLayout { Auto "auto" Fixed "fixed" }
    FontVariant { Normal "normal" SmallCaps "small-caps" }
    Break {
        Auto "auto" Avoid "avoid" Page "page" Always "always" Left "left" Right "right" Recto "recto" Verso "verso"
        All "all" AvoidPage "avoid-page" Column "column" AvoidColumn "avoid-column"
    }
    ObjectFit { Fill "fill" Contain "contain" Cover "cover" None "none" ScaleDown "scale-down" }
    FlexDirection { Row "row" RowReverse "row-reverse" Column "column" ColumnReverse "column-reverse" }
    FlexWrap { Nowrap "nowrap" Wrap "wrap" WrapReverse "wrap-reverse" }
    Align {
        Auto "auto" Normal "normal" Stretch "stretch" Start "start" End "end" FlexStart "flex-start" FlexEnd "flex-end"
        Center "center" Baseline "baseline" Left "left" Right "right" SelfStart "self-start" SelfEnd "self-end"
        SpaceBetween "space-between" SpaceAround "space-around" SpaceEvenly "space-evenly"
    }
    TextOverflow { Clip "clip" Ellipsis "ellipsis" }
    BackgroundBox { Border "border-box" Padding "padding-box" Content "content-box" Text "text" }
    Repeat { Tile "repeat" No "no-repeat" Space "space" Round "round" }
    Fit { Stretch "stretch" Repeat "repeat" Round "round" Space "space" }
    TransformStyle { Flat "flat" Space "preserve-3d" }
    Backface { Visible "visible" Hidden "hidden" }
    GridFlow { Row "row" Column "column" Dense "dense" ColumnDense "column dense" }
}

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

/// Where a box stands on its line.
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
    /// How far the line below text stands from the base line, in px.
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

/// What stands in front of an item of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ListStyle {
    None,
    /// A counter style, by its name.
    Named(Rc<str>),
    /// One that is written in place.
    Own(Rc<CounterStyle>),
    Text(Rc<str>),
}

/// A piece of generated content.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Text(Rc<str>),
    Attribute(Rc<str>),
    /// Name, style, and what stands between the numbers of all levels.
    Counter(Rc<str>, Rc<str>, Option<Rc<str>>),
    Url(Rc<str>),
    Quote {
        opens: bool,
        shown: bool,
    },
}

/// Pairs of quotation marks; `None` for those of the language.
pub(crate) type Quotes = Option<Rc<[(Rc<str>, Rc<str>)]>>;

/// Changes of a counter.
pub(crate) type Counters = Rc<[(Rc<str>, i32)]>;

/// A gradient.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gradient {
    pub(crate) shape: GradientShape,
    pub(crate) stops: Vec<(Option<Length>, Paint)>,
    pub(crate) repeats: bool,
}

/// The direction of a gradient.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GradientShape {
    /// In degrees, 0 upwards, clockwise.
    Angle(f32),
    /// To a side or a corner: -1, 0 or 1 to the right and downwards.
    Towards(f32, f32),
    /// From a point outwards; a circle, or as wide and high as its box.
    Radial {
        circle: bool,
        extent: Extent,
        at: (Length, Length),
    },
    /// Around a point, from an angle in degrees on.
    Conic { from: f32, at: (Length, Length) },
}

/// How far a circle or an ellipse reaches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Extent {
    FarthestCorner,
    FarthestSide,
    ClosestCorner,
    ClosestSide,
    /// Across and down; a circle has one.
    Lengths(Length, Option<Length>),
}

/// What a box is clipped to. Lengths are of its [`ShapeBox`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Round {
        circle: bool,
        extent: Extent,
        at: (Length, Length),
    },
    Inset {
        sides: [Length; 4],
        radius: Length,
    },
    Polygon(Vec<(Length, Length)>),
}

/// The box that a shape is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShapeBox {
    Margin,
    #[default]
    Border,
    Padding,
    Content,
}

/// Where the picture of a border is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slice {
    Pixels(f32),
    Part(f32),
}

/// How wide one side of the picture of a border is drawn, or how far it stands out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BorderSide {
    /// As wide as it is in the picture.
    Auto,
    /// So many times the width of the border.
    Times(f32),
    Length(Length),
}

/// The picture of a border.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BorderImage {
    pub(crate) source: Image,
    pub(crate) slices: [Slice; 4],
    /// Its middle is drawn, too.
    pub(crate) fill: bool,
    pub(crate) width: [BorderSide; 4],
    pub(crate) outset: [BorderSide; 4],
    /// Across, and down.
    pub(crate) fits: (Fit, Fit),
}

impl Default for BorderImage {
    fn default() -> Self {
        Self {
            source: Image::None,
            slices: [Slice::Part(1.0); 4],
            fill: false,
            width: std::array::from_fn(|_| BorderSide::Times(1.0)),
            outset: std::array::from_fn(|_| BorderSide::Times(0.0)),
            fits: (Fit::Stretch, Fit::Stretch),
        }
    }
}

/// The picture of a background.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Image {
    None,
    Url(Rc<str>),
    Gradient(Rc<Gradient>),
}

/// How large a background picture is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BackgroundSize {
    Cover,
    Contain,
    Fixed(Option<Length>, Option<Length>),
}

/// One layer of a background.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) image: Image,
    pub(crate) position: (Length, Length),
    pub(crate) size: BackgroundSize,
    /// Across, and down.
    pub(crate) repeats: (Repeat, Repeat),
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            image: Image::None,
            position: (Length::ZERO, Length::ZERO),
            size: BackgroundSize::Fixed(None, None),
            repeats: (Repeat::Tile, Repeat::Tile),
        }
    }
}

/// A transformation of a box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Transform {
    /// To the right, downwards, and towards the eye in px.
    Translate(Length, Length, f32),
    Matrix(Space),
}

/// The size of a track of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Track {
    Size(Size),
    Fraction(f32),
    MinMax(Box<Track>, Box<Track>),
    FitContent(Length),
}

/// A part of the list of tracks of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tracks {
    One(Track),
    /// Repeated so often, or as often as there is room (`None`), fitting instead of filling if it says so.
    Repeat(Option<u16>, bool, Vec<Track>),
    /// The names of a line.
    Names(Vec<Rc<str>>),
}

/// A line of a grid, where an item begins or ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum GridLine {
    #[default]
    Auto,
    Line(i16),
    Span(u16),
    Named(Rc<str>, i16),
}

/// What is inherited.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) colour: Rgba,
    pub(crate) families: Rc<str>,
    /// In px.
    pub(crate) size: f32,
    /// How much larger all of it is: its own `zoom`, and those of the elements around.
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
    /// Of lines that end a block, or are broken by hand; the initial value is that of others, but not justified.
    pub(crate) align_last: Option<TextAlign>,
    pub(crate) indent: Length,
    pub(crate) transform: TextTransform,
    pub(crate) white_space: WhiteSpace,
    pub(crate) word_break: WordBreak,
    pub(crate) overflow_wrap: OverflowWrap,
    pub(crate) direction: Direction,
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
    /// Those of the elements around, and its own.
    pub(crate) decorations: Rc<[Decoration]>,
    pub(crate) language: Option<Rc<str>>,
    /// Custom properties.
    pub(crate) custom: Option<Rc<Custom>>,
}

/// Custom properties, and those of the elements around.
#[derive(Debug, Default, PartialEq)]
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

/// One side of a border.
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
    /// What text is filled with instead of its colour.
    pub(crate) text_fill: Option<Paint>,
    pub(crate) transforms: Rc<[Transform]>,
    /// What `translate`, `rotate` and `scale` ask for, before the transforms.
    pub(crate) moves: [Option<Transform>; 3],
    /// With its distance from the page in px.
    pub(crate) transform_origin: (Length, Length, f32),
    pub(crate) transform_style: TransformStyle,
    pub(crate) backface: Backface,
    /// How far in front of the page the boxes in it are seen from, in px.
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

impl Style {
    /// That of an anonymous box within one of this style: what is inherited, and nothing else.
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
