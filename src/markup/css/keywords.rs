//! Properties whose values are keywords of their own, such as `display`. Parses nothing else.
//!
//! The table below is the whole definition of these properties: each variant next to its keyword, the default of the
//! type first.

/// Defines an enum for the keywords of a property. The first one is the default of the type, which is the initial value
/// of most properties.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $first:ident $first_word:literal $($variant:ident $word:literal)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            #[allow(missing_docs)]
            pub enum $name { #[default] $first, $($variant),* }

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

/// A type whose values are keywords.
pub trait Word: Copy + 'static {
    /// Value for a keyword in lower case.
    fn of(word: &str) -> Option<Self>;
}

words! {
    /// Box types (CSS Display 3, 2), in one keyword each.
    Display {
        Inline "inline" Block "block" None "none" Contents "contents" ListItem "list-item" InlineBlock "inline-block"
        FlowRoot "flow-root" Flex "flex" InlineFlex "inline-flex" Grid "grid" InlineGrid "inline-grid" Table "table"
        InlineTable "inline-table" RowGroup "table-row-group" HeadGroup "table-header-group" FootGroup "table-footer-group"
        Row "table-row" Cell "table-cell" Column "table-column" ColumnGroup "table-column-group" Caption "table-caption"
    }
    /// Positioning schemes (CSS Position 3, 2).
    Position { Static "static" Relative "relative" Absolute "absolute" Fixed "fixed" Sticky "sticky" }
    /// Side that a float moves to (CSS 2.2, 9.5.1).
    Float { None "none" Left "left" Right "right" }
    /// Floats that a box stays below (CSS 2.2, 9.5.2).
    Clear { None "none" Left "left" Right "right" Both "both" }
    /// Box that `width` and `height` measure (CSS Sizing 3, 3.3).
    BoxSizing { Content "content-box" Border "border-box" }
    /// Treatment of content outside of its box (CSS Overflow 3, 3.1).
    Overflow { Visible "visible" Hidden "hidden" Clip "clip" Scroll "scroll" Auto "auto" }
    /// Visibility of boxes that keep their place (CSS 2.2, 11.2).
    Visibility { Visible "visible" Hidden "hidden" Collapse "collapse" }
    /// Styles of borders, outlines and rules (CSS Backgrounds 3, 3.2).
    LineStyle {
        None "none" Hidden "hidden" Solid "solid" Double "double" Dashed "dashed" Dotted "dotted" Groove "groove"
        Ridge "ridge" Inset "inset" Outset "outset"
    }
    /// Alignment of lines (CSS Text 3, 6.1). The `-webkit-` keywords also align blocks.
    TextAlign {
        Start "start" Left "left" Right "right" Center "center" Justify "justify" End "end"
        BlockLeft "-webkit-left" BlockRight "-webkit-right" BlockCenter "-webkit-center" MatchParent "match-parent"
    }
    /// Change of case (CSS Text 3, 2.1).
    TextTransform { None "none" Uppercase "uppercase" Lowercase "lowercase" Capitalize "capitalize" }
    /// Collapsing of spaces, and wrapping (CSS Text 3, 3).
    WhiteSpace {
        Normal "normal" Pre "pre" Nowrap "nowrap" PreWrap "pre-wrap" PreLine "pre-line" BreakSpaces "break-spaces"
    }
    /// Break opportunities between letters (CSS Text 3, 5.2).
    WordBreak { Normal "normal" BreakAll "break-all" KeepAll "keep-all" BreakWord "break-word" }
    /// Emergency breaks in words that are wider than the line (CSS Text 3, 5.5).
    OverflowWrap { Normal "normal" BreakWord "break-word" Anywhere "anywhere" }
    /// Hyphens at the ends of lines (CSS Text 3, 5.4).
    Hyphens { None "none" Manual "manual" Auto "auto" }
    /// Embeddings and isolates of the bidirectional algorithm (CSS Writing Modes 4, 2.2).
    UnicodeBidi {
        Normal "normal" Embed "embed" Isolate "isolate" BidiOverride "bidi-override"
        IsolateOverride "isolate-override" Plaintext "plaintext"
    }
    /// Side of emphasis marks in horizontal lines (CSS Text Decoration 3, 3.4).
    EmphasisPosition { Over "over" Under "under" }
    /// Writing modes: the direction of lines and of blocks (CSS Writing Modes 4, 3.2).
    Writing {
        Horizontal "horizontal-tb" VerticalRl "vertical-rl" VerticalLr "vertical-lr" SidewaysRl "sideways-rl"
        SidewaysLr "sideways-lr"
    }
    /// Orientation of letters in vertical lines (CSS Writing Modes 4, 5.1).
    TextOrientation { Mixed "mixed" Upright "upright" Sideways "sideways" }
    /// Base direction of text (CSS Writing Modes 4, 2.1).
    Direction { Ltr "ltr" Rtl "rtl" }
    /// Place of a list marker (CSS Lists 3).
    ListPosition { Outside "outside" Inside "inside" }
    /// The two border models of tables (CSS 2.2, 17.6).
    BorderCollapse { Separate "separate" Collapse "collapse" }
    /// Side of a table caption (CSS 2.2, 17.4.1).
    CaptionSide { Top "top" Bottom "bottom" }
    /// Painting of empty cells (CSS 2.2, 17.6.1.1).
    EmptyCells { Show "show" Hide "hide" }
    /// Algorithms for column widths (CSS 2.2, 17.5.2).
    TableLayout { Auto "auto" Fixed "fixed" }
    /// Small capitals (CSS Fonts 4); other variants are not supported.
    FontVariant { Normal "normal" SmallCaps "small-caps" }
    /// Forced and avoided breaks of pages and columns (CSS Fragmentation 3, 3.1).
    Break {
        Auto "auto" Avoid "avoid" Page "page" Always "always" Left "left" Right "right" Recto "recto" Verso "verso"
        All "all" AvoidPage "avoid-page" Column "column" AvoidColumn "avoid-column"
    }
    /// Scaling of replaced content in its box (CSS Images 3, 5.5).
    ObjectFit { Fill "fill" Contain "contain" Cover "cover" None "none" ScaleDown "scale-down" }
    /// Main axis of a flex container (CSS Flexbox 1, 5.1).
    FlexDirection { Row "row" RowReverse "row-reverse" Column "column" ColumnReverse "column-reverse" }
    /// Number of flex lines, and their order (CSS Flexbox 1, 5.2).
    FlexWrap { Nowrap "nowrap" Wrap "wrap" WrapReverse "wrap-reverse" }
    /// Values of all alignment properties together (CSS Box Alignment 3, 4).
    Align {
        Auto "auto" Normal "normal" Stretch "stretch" Start "start" End "end" FlexStart "flex-start" FlexEnd "flex-end"
        Center "center" Baseline "baseline" Left "left" Right "right" SelfStart "self-start" SelfEnd "self-end"
        SpaceBetween "space-between" SpaceAround "space-around" SpaceEvenly "space-evenly"
    }
    /// Mark of clipped lines (CSS Overflow 3).
    TextOverflow { Clip "clip" Ellipsis "ellipsis" }
    /// Boxes for the origin and clipping of backgrounds (CSS Backgrounds 3, 2.7 and 2.8).
    BackgroundBox { Border "border-box" Padding "padding-box" Content "content-box" Text "text" }
    /// Tiling of backgrounds along an axis (CSS Backgrounds 3, 2.4).
    Repeat { Tile "repeat" No "no-repeat" Space "space" Round "round" }
    /// Filling of border image edges (CSS Backgrounds 3, 5.5).
    Fit { Stretch "stretch" Repeat "repeat" Round "round" Space "space" }
    /// Whether descendants share the 3D space of a box (CSS Transforms 2).
    TransformStyle { Flat "flat" Space "preserve-3d" }
    /// Visibility of the back of a transformed box (CSS Transforms 2).
    Backface { Visible "visible" Hidden "hidden" }
    /// Automatic placement of grid items (CSS Grid 2, 7.7).
    GridFlow { Row "row" Column "column" Dense "dense" ColumnDense "column dense" }
}
