//! Writes paragraph and character properties. A paragraph in RTF does not inherit from its style, so the properties of
//! the style are repeated. Looks up no styles.

use super::context::Rtf;
use convertd_office::wordprocessing::{
    Script, emphasis_names, language_number, script_of_language, underline_names,
};
use convertd_tree::{
    Alignment, Border, Borders, Colour, Direction, LineHeight, LineKind, Mark, ParagraphStyle,
    TextStyle,
};

/// Colour of a highlight that states no colour.
const MARKER: Colour = Colour(0xff, 0xff, 0);

impl Rtf<'_> {
    /// Writes the properties of a paragraph with the formatting `own`. Properties that it does not state come from
    /// `base`, except `\contextualspace`, `\pagebb`, `\rtlpar`, borders and tab stops.
    pub(super) fn paragraph_look(&mut self, own: &ParagraphStyle, base: &ParagraphStyle) {
        let alignment = own
            .alignment
            .or(self.context.place.alignment)
            .or(base.alignment);
        let backwards =
            own.direction == Some(Direction::RightToLeft) || self.context.place.right_to_left;
        // `\ql` and `\qr` align text at the left and at the right side of the page, also in right-to-left text.
        self.word(match (alignment, backwards) {
            (None | Some(Alignment::Start), false) | (Some(Alignment::End), true) => "ql",
            (None | Some(Alignment::Start), true) | (Some(Alignment::End), false) => "qr",
            (Some(Alignment::Centre), _) => "qc",
            (Some(Alignment::Justify), _) => "qj",
        });
        // The list determines the indents of its items.
        if self.context.place.list.is_none() {
            for (word, length) in [
                ("li", own.indent_start.or(base.indent_start)),
                ("fi", own.first_line.or(base.first_line)),
            ] {
                if let Some(length) = length {
                    self.number(word, length.to_twips());
                }
            }
        }
        for (word, length) in [
            ("ri", own.indent_end.or(base.indent_end)),
            ("sb", own.space_before.or(base.space_before)),
            ("sa", own.space_after.or(base.space_after)),
        ] {
            if let Some(length) = length {
                self.number(word, length.to_twips());
            }
        }
        match own.line_height.or(base.line_height) {
            Some(LineHeight::Percent(percent)) => {
                self.number("sl", i64::from(percent) * 240 / 100);
                self.word("slmult1");
            }
            Some(LineHeight::Exactly(length)) => self.number("sl", -length.to_twips().abs()),
            Some(LineHeight::AtLeast(length)) => self.number("sl", length.to_twips().abs()),
            None => {}
        }
        if own.contextual_spacing {
            self.word("contextualspace");
        }
        if own.keep_with_next || base.keep_with_next {
            self.word("keepn");
        }
        if own.keep_together || base.keep_together {
            self.word("keep");
        }
        if own.uncounted || base.uncounted {
            self.word("noline");
        }
        let document = self.context.document;
        let hyphenated = own.hyphenated.or(base.hyphenated);
        if document.is_hyphenated() && !hyphenated.unwrap_or(document.hyphenation.automatic) {
            self.word("hyphpar0");
        }
        if own.page_break_before {
            self.word("pagebb");
        }
        if backwards {
            self.word("rtlpar");
        }
        if let Some(background) = own.background.or(base.background) {
            let number = self.colour(background);
            self.number("cbpat", number as i64);
        }
        if own.borders != Borders::default() {
            let borders = &own.borders;
            self.lines(
                "brdr",
                [
                    ("t", borders.top),
                    ("l", borders.start),
                    ("b", borders.bottom),
                    ("r", borders.end),
                ],
            );
        }
        for stop in &own.tabs {
            match stop.alignment {
                Alignment::Start => {}
                Alignment::Centre => self.word("tqc"),
                Alignment::End => self.word("tqr"),
                Alignment::Justify => self.word("tqdec"),
            }
            match stop.leader {
                Some('.') => self.word("tldot"),
                Some('-') => self.word("tlhyph"),
                Some(_) => self.word("tlul"),
                None => {}
            }
            self.number("tx", stop.at.to_twips());
        }
    }

    /// Writes the lines of some sides, each after the control word for its side, which begins with `word`.
    pub(super) fn lines(&mut self, word: &str, sides: [(&str, Option<Border>); 4]) {
        for (side, border) in sides {
            let Some(border) = border else { continue };
            self.word(&format!("{word}{side}"));
            self.line(border);
            if let Some(space) = border.space {
                self.number("brsp", space.to_twips());
            }
        }
    }

    /// Writes the properties of a border line. The caller has written the word for its side.
    pub(super) fn line(&mut self, border: Border) {
        self.word(match border.kind {
            LineKind::Solid => "brdrs",
            LineKind::Double => "brdrdb",
            LineKind::Dashed => "brdrdash",
            LineKind::Dotted => "brdrdot",
        });
        self.number("brdrw", border.width.to_twips().clamp(2, 255));
        if let Some(colour) = border.colour {
            let number = self.colour(colour);
            self.number("brdrcf", number as i64);
        }
    }

    /// Begins a mark: writes its control word into the group that was opened for it.
    pub(super) fn begin_mark(&mut self, mark: Mark) {
        self.marks.push(mark);
        let word = match mark {
            Mark::Emphasis => "i",
            Mark::Strong => "b",
            Mark::Strikethrough => "strike",
            Mark::Underline => "ul",
            Mark::SmallCaps => "scaps",
            Mark::Superscript => "super",
            Mark::Subscript => "sub",
            Mark::Highlight => {
                // A highlight is a colour of the colour table.
                let number = self.colour(MARKER);
                return self.number("highlight", number as i64);
            }
        };
        self.word(word);
    }

    /// Writes the properties of a text style.
    pub(super) fn text_look(&mut self, text: &TextStyle) {
        if let Some(fonts) = &text.font {
            let number = self.font(fonts);
            self.number("f", number as i64);
        }
        if let Some(size) = text.size {
            let halves = (size.to_points() * 2.0).round().clamp(2.0, 3276.0);
            self.number("fs", halves as i64);
        }
        if let Some(colour) = text.colour {
            let number = self.colour(colour);
            self.number("cf", number as i64);
        }
        if let Some(background) = text.background {
            let number = self.colour(background);
            let is_marked = self.marks.contains(&Mark::Highlight);
            let word = if is_marked { "highlight" } else { "chcbpat" };
            self.number(word, number as i64);
        }
        for (word, is) in [("b", text.bold), ("i", text.italic)] {
            match is {
                Some(true) => self.word(word),
                Some(false) => self.number(word, 0),
                None => {}
            }
        }
        if text.capitals {
            self.word("caps");
        }
        if text.outlined {
            self.word("outl");
        }
        // The kind and the colour of the underline. An enclosing `Mark::Underline` only writes `\ul`.
        if let Some(line) = text.underline {
            self.word(underline_names(line).1);
            if let Some(colour) = line.colour {
                let number = self.colour(colour);
                self.number("ulc", number as i64);
            }
        }
        if let Some(mark) = text.emphasis {
            self.word(emphasis_names(mark).1);
        }
        if let Some(line) = text.border {
            self.word("chbrdr");
            self.line(line);
            if let Some(space) = line.space {
                self.number("brsp", space.to_twips());
            }
        }
        if let Some(spacing) = text.spacing {
            self.number("expndtw", spacing.to_twips());
        }
        if let Some(percent) = text.scale {
            self.number("charscalex", percent.into());
        }
        if text.direction == Some(Direction::RightToLeft) {
            self.word("rtlch");
        }
        if let Some(language) = &text.language {
            self.language(language);
        }
    }

    /// Writes the language of text. Programs have a second and a third one for East Asian and for right-to-left letters.
    fn language(&mut self, tag: &str) {
        let Some(number) = language_number(tag) else {
            return;
        };
        match script_of_language(tag) {
            Script::EastAsian => self.number("langfe", number.into()),
            Script::Complex => self.number("alang", number.into()),
            Script::Latin => {}
        }
        self.number("lang", number.into());
    }
}
