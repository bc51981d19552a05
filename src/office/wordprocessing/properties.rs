//! Properties of paragraphs and runs, in styles and as direct formatting. All properties are optional. A property
//! that is not stated is inherited from the style, then from its parent styles, and finally from the document's
//! defaults (ECMA-376 part 1, 17.7.2). Parses no file.

use super::{language::script_of_language, marks::Marks, script::Script};
use convertd_tree::{
    Alignment, Border, Borders, Colour, Direction, DropCap, EmphasisMark, Length, LineHeight, Mark,
    ParagraphStyle, TabStop, TextStyle, Underline,
};
use std::collections::HashMap;

/// Defines a struct of optional properties, and its functions, from one list of these properties.
macro_rules! properties {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$note:meta])* pub $property:ident: $value:ty,)*
        }
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$note])* pub $property: $value,)*
        }

        impl $name {
            /// Overrides these properties by those that `over` states.
            pub fn apply(&mut self, over: &Self) {
                $(if over.$property.is_some() {
                    self.$property.clone_from(&over.$property);
                })*
            }

            /// Returns the properties that differ from those in `base`.
            pub fn beyond(&self, base: &Self) -> Self {
                Self {
                    $($property: self.$property.clone().filter(|_| self.$property != base.$property),)*
                }
            }
        }
    };
}

properties! {
    /// Run properties (17.3.2).
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct RunProperties {
        /// Identifier of the character style.
        pub style: Option<Box<str>>,
        pub bold: Option<bool>,
        pub italic: Option<bool>,
        pub underline: Option<bool>,
        /// Lines and colour of the underline, if there is one.
        pub underline_look: Option<Underline>,
        /// `Some(None)` is no mark. It overrides an inherited mark.
        pub emphasis: Option<Option<EmphasisMark>>,
        /// Lines around the text.
        pub border: Option<Option<Border>>,
        pub strike: Option<bool>,
        pub small_caps: Option<bool>,
        pub capitals: Option<bool>,
        pub outlined: Option<bool>,
        pub hidden: Option<bool>,
        pub raised: Option<Raised>,
        pub highlight: Option<bool>,
        pub size: Option<Length>,
        /// Whether text in complex scripts (see [`Script::Complex`]) is bold, which the formats state separately.
        pub complex_bold: Option<bool>,
        /// Whether text in complex scripts is italic.
        pub complex_italic: Option<bool>,
        /// Font size of text in complex scripts.
        pub complex_size: Option<Length>,
        /// Additional space after each letter.
        pub spacing: Option<Length>,
        /// Width of letters, in percent.
        pub scale: Option<u16>,
        /// Distance of the text above the baseline.
        pub position: Option<Length>,
        /// Size from which letters are kerned. A negative size turns kerning off.
        pub kerned_from: Option<Length>,
        pub ligatures: Option<bool>,
        /// `Some(None)` is the automatic colour. It overrides an inherited colour.
        pub colour: Option<Option<Colour>>,
        pub background: Option<Option<Colour>>,
        /// Font of Latin text, and of text in a script whose font is not stated.
        pub latin: Option<Font>,
        /// Font of Chinese, Japanese and Korean text.
        pub east_asian: Option<Font>,
        /// Font of text in complex scripts.
        pub complex: Option<Font>,
        pub language: Option<Box<str>>,
        /// Language of Chinese, Japanese and Korean text.
        pub east_asian_language: Option<Box<str>>,
        pub right_to_left: Option<bool>,
        /// Whether the text is code, according to its character style or its font.
        pub code: Option<bool>,
    }
}

/// Vertical position of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raised {
    /// Normal text, on the baseline.
    Not,
    /// Superscript.
    Above,
    /// Subscript.
    Below,
}

/// Font by its name, or by its role in the theme, such as `minorHAnsi`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Font {
    Named(Box<str>),
    Theme(Box<str>),
}

impl Font {
    /// Returns the name. `None` if it must be found in the theme.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Theme(_) => None,
        }
    }
}

/// Fonts of a theme, by the names of their roles.
#[derive(Clone, Debug, Default)]
pub struct ThemeFonts(pub HashMap<Box<str>, Box<str>>);

impl ThemeFonts {
    /// Returns the text style of run properties for a script.
    pub fn text_style(&self, run: &RunProperties, script: Script) -> TextStyle {
        let name = |font: &Font| match font {
            Font::Named(name) => Some(name.clone()),
            Font::Theme(role) => self.0.get(role).cloned(),
        };
        run.text_style(script, |font| name(font).filter(|name| !name.is_empty()))
    }
}

/// Paragraph properties (17.3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParagraphProperties {
    /// Identifier of the paragraph style.
    pub style: Option<Box<str>>,
    /// Number of the list. 0 removes the paragraph from the list of its style.
    pub list: Option<u32>,
    /// Level in the list, from 0.
    pub list_level: Option<u8>,
    /// Outline level, from 0. Level 9 is body text.
    pub outline: Option<u8>,
    pub alignment: Option<Alignment>,
    /// Whether `Start` and `End` in `alignment` mean the left and the right side, whatever the writing direction.
    pub is_physical: bool,
    pub indent_start: Option<Length>,
    pub indent_end: Option<Length>,
    /// Indent of the first line, relative to the other lines.
    pub first_line: Option<Length>,
    pub space_before: Option<Length>,
    pub space_after: Option<Length>,
    pub line_height: Option<LineHeight>,
    /// Whether there is no space between paragraphs of the same style.
    pub contextual_spacing: Option<bool>,
    /// Whether lines are aligned to the document grid.
    pub snap_to_grid: Option<bool>,
    pub keep_with_next: Option<bool>,
    pub keep_together: Option<bool>,
    pub page_break_before: Option<bool>,
    pub drop_cap: Option<DropCap>,
    /// Whether line numbers skip the paragraph.
    pub uncounted: Option<bool>,
    /// Whether words are divided at the ends of lines.
    pub hyphenated: Option<bool>,
    pub right_to_left: Option<bool>,
    pub background: Option<Option<Colour>>,
    pub borders: Option<Borders>,
    /// Whether the borders are not joined with those of adjacent paragraphs.
    pub boxed_apart: Option<bool>,
    /// Tab stops: position, alignment and leader. An entry without an alignment removes an inherited tab stop.
    pub tabs: Vec<(Length, Option<Alignment>, Option<char>)>,
}

impl RunProperties {
    /// Underlines the text with these lines. `None` turns an inherited underline off.
    pub fn underlined(&mut self, look: Option<Underline>) {
        self.underline = Some(look.is_some());
        self.underline_look = look.or(self.underline_look);
    }

    /// Returns the marks that these properties represent.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        marks.set(Mark::Strong, self.bold == Some(true));
        marks.set(Mark::Emphasis, self.italic == Some(true));
        marks.set(Mark::Underline, self.underline == Some(true));
        marks.set(Mark::Strikethrough, self.strike == Some(true));
        marks.set(Mark::SmallCaps, self.small_caps == Some(true));
        marks.set(Mark::Highlight, self.highlight == Some(true));
        marks.set(Mark::Superscript, self.raised == Some(Raised::Above));
        marks.set(Mark::Subscript, self.raised == Some(Raised::Below));
        marks
    }

    /// Returns the properties for text in a script. Properties that are not stated for the script are those of Latin
    /// text.
    pub(crate) fn in_script(mut self, script: Script) -> Self {
        if script == Script::Complex {
            self.bold = self.complex_bold.or(self.bold);
            self.italic = self.complex_italic.or(self.italic);
            self.size = self.complex_size.or(self.size);
        }
        self
    }

    /// Returns the text style for text in this script. `font` returns the name of a font.
    pub fn text_style(
        &self,
        script: Script,
        font: impl Fn(&Font) -> Option<Box<str>>,
    ) -> TextStyle {
        let own = match script {
            Script::Latin => &self.latin,
            Script::EastAsian => &self.east_asian,
            Script::Complex => &self.complex,
        };
        // The East Asian language applies only to East Asian text. Some files state a Western language as the East
        // Asian language; it is ignored.
        let is_of_script = |tag: &str| script_of_language(tag) == Script::EastAsian;
        let own_language = self.east_asian_language.as_ref();
        let own_language =
            own_language.filter(|tag| script == Script::EastAsian && is_of_script(tag));
        TextStyle {
            font: own.as_ref().or(self.latin.as_ref()).and_then(font),
            size: self.size,
            colour: self.colour.flatten(),
            background: self.background.flatten(),
            language: own_language.or(self.language.as_ref()).cloned(),
            direction: (self.right_to_left == Some(true)).then_some(Direction::RightToLeft),
            capitals: self.capitals == Some(true),
            outlined: self.outlined == Some(true),
            underline: self
                .underline_look
                .filter(|look| self.underline == Some(true) && *look != Underline::default()),
            emphasis: self.emphasis.flatten(),
            border: self.border.flatten(),
            spacing: self.spacing.filter(|spacing| *spacing != Length::ZERO),
            scale: self.scale.filter(|percent| *percent != 100),
            raised: self.position.filter(|raised| *raised != Length::ZERO),
            kerned_from: self.kerned_from,
            ligatures: self.ligatures,
            bold: self.bold.filter(|on| *on),
            italic: self.italic.filter(|on| *on),
        }
    }
}

impl ParagraphProperties {
    /// Overrides these properties by those that `over` states. Tab stops are added.
    pub fn apply(&mut self, over: &Self) {
        fn set<T: Clone>(own: &mut Option<T>, over: &Option<T>) {
            if over.is_some() {
                own.clone_from(over);
            }
        }
        set(&mut self.style, &over.style);
        set(&mut self.list, &over.list);
        set(&mut self.list_level, &over.list_level);
        set(&mut self.outline, &over.outline);
        // The field `is_physical` belongs to the alignment, so it is overridden together with the alignment.
        if over.alignment.is_some() {
            self.is_physical = over.is_physical;
        }
        set(&mut self.alignment, &over.alignment);
        set(&mut self.indent_start, &over.indent_start);
        set(&mut self.indent_end, &over.indent_end);
        set(&mut self.first_line, &over.first_line);
        set(&mut self.space_before, &over.space_before);
        set(&mut self.space_after, &over.space_after);
        set(&mut self.line_height, &over.line_height);
        set(&mut self.contextual_spacing, &over.contextual_spacing);
        set(&mut self.snap_to_grid, &over.snap_to_grid);
        set(&mut self.keep_with_next, &over.keep_with_next);
        set(&mut self.keep_together, &over.keep_together);
        set(&mut self.page_break_before, &over.page_break_before);
        set(&mut self.drop_cap, &over.drop_cap);
        set(&mut self.uncounted, &over.uncounted);
        set(&mut self.hyphenated, &over.hyphenated);
        set(&mut self.right_to_left, &over.right_to_left);
        set(&mut self.background, &over.background);
        set(&mut self.borders, &over.borders);
        set(&mut self.boxed_apart, &over.boxed_apart);
        self.tabs.extend_from_slice(&over.tabs);
    }

    /// Returns the tab stops, sorted by position, without removed tab stops.
    pub(crate) fn tab_stops(&self) -> Vec<TabStop> {
        let mut stops: Vec<TabStop> = Vec::new();
        for (at, alignment, leader) in &self.tabs {
            stops.retain(|stop| stop.at != *at);
            if let Some(alignment) = *alignment {
                stops.push(TabStop {
                    at: *at,
                    alignment,
                    leader: *leader,
                });
            }
        }
        stops.sort_by_key(|stop| stop.at);
        stops
    }

    /// Returns the paragraph style of these properties, without its name and its text style.
    pub fn style(&self) -> ParagraphStyle {
        let length = |length: Option<Length>| length.or(Some(Length::ZERO));
        let nonzero = |length: Option<Length>| length.filter(|length| *length != Length::ZERO);
        ParagraphStyle {
            name: None,
            alignment: self.side().filter(|own| *own != Alignment::Start),
            indent_start: nonzero(self.indent_start),
            indent_end: nonzero(self.indent_end),
            first_line: nonzero(self.first_line),
            space_before: length(self.space_before),
            space_after: length(self.space_after),
            contextual_spacing: self.contextual_spacing == Some(true),
            line_height: self.line_height.or(Some(LineHeight::Percent(100))),
            off_grid: self.snap_to_grid == Some(false),
            keep_with_next: self.keep_with_next == Some(true),
            keep_together: self.keep_together == Some(true),
            page_break_before: self.page_break_before == Some(true),
            drop_cap: self.drop_cap,
            uncounted: self.uncounted == Some(true),
            hyphenated: self.hyphenated,
            direction: (self.right_to_left == Some(true)).then_some(Direction::RightToLeft),
            background: self.background.flatten(),
            borders: self.borders.unwrap_or_default(),
            boxed_apart: self.boxed_apart == Some(true),
            tabs: self.tab_stops(),
            text: TextStyle::default(),
        }
    }

    /// Returns the alignment relative to the writing direction: in right-to-left text, the physical left side is the
    /// end.
    fn side(&self) -> Option<Alignment> {
        match (self.alignment?, self.right_to_left) {
            (Alignment::Start, Some(true)) if self.is_physical => Some(Alignment::End),
            (Alignment::End, Some(true)) if self.is_physical => Some(Alignment::Start),
            (side, _) => Some(side),
        }
    }

    /// Adds the width of the side borders, and their distance from the text, to the indents. OpenDocument measures
    /// indents to the borders (OpenDocument 1.3, part 3, 20.210), other formats to the text.
    pub(crate) fn indent_to_text(&mut self) {
        let borders = self.borders.unwrap_or_default();
        for (indent, border) in [
            (&mut self.indent_start, borders.start),
            (&mut self.indent_end, borders.end),
        ] {
            if let Some(distance) = border.and_then(|border| border.room()) {
                *indent = Some(indent.unwrap_or_default() + distance);
            }
        }
    }

    /// Removes the start indent and the first-line indent, which the list determines.
    pub(crate) fn put_in_list(&mut self) {
        self.indent_start = None;
        self.first_line = None;
    }

    /// Returns whether direct formatting indents all lines of the paragraph, and further than its style does. Authors
    /// often format block quotations in this way, without a quotation style.
    pub(crate) fn is_indented_in(&self, style: &Self) -> bool {
        // The leftmost position of a line.
        let left = |start: Option<Length>, first: Option<Length>| {
            let first = first.filter(|first| *first < Length::ZERO);
            start.unwrap_or_default() + first.unwrap_or_default()
        };
        let leftmost = left(self.indent_start, self.first_line.or(style.first_line));
        self.indent_start.is_some()
            && leftmost > Length::ZERO
            && leftmost > left(style.indent_start, style.first_line)
    }

    /// Returns whether a list of paragraphs with these properties is tight: without space between items.
    pub(crate) fn is_tight_in(&self, style: &Self) -> bool {
        let mut all = style.clone();
        all.apply(self);
        let none = |length: Option<Length>| length.is_none_or(|length| length == Length::ZERO);
        all.contextual_spacing == Some(true) || (none(all.space_before) && none(all.space_after))
    }
}
