//! Properties whose values are keywords of their own, such as `display`. Parses nothing else.
//!
//! The table below is the whole definition of these properties: a variant and its keyword side by
//! side, the initial value first.

/// Defines an enum for the keywords of a property; the first one is the initial value.
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
    Writing {
        Horizontal "horizontal-tb" VerticalRl "vertical-rl" VerticalLr "vertical-lr" SidewaysRl "sideways-rl"
        SidewaysLr "sideways-lr"
    }
    TextOrientation { Mixed "mixed" Upright "upright" Sideways "sideways" }
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
