//! Handles text and inline elements.
//!
//! White space is collapsed as in CSS Text, 4.1. A space at the edge of a mark is moved out of it: the meaning is the
//! same, and Markdown can express only this form (`**a** b`). Handles no blocks.

use super::{
    attributes::is_isolated,
    state::{Letters, MEDIA, Open, PageReader, Wrap},
};
use crate::{
    css::{
        look::{self as css, EdgeBreaks},
        looks::has_cells,
    },
    dom::Start,
    error::Result,
    html::mathml,
    syntax::tag::Tag,
};
use convertd_tree::{
    Direction, Length, Mark, Node, ParagraphStyle, ParagraphStyleId, Picture, Width,
};

impl PageReader<'_, '_, '_> {
    /// Adds text.
    pub(super) fn flow(&mut self, text: &str) -> Result<()> {
        // The words are collected with single spaces between them, and added together.
        let mut first = true;
        let mut run = String::new();
        for word in text.split([' ', '\t', '\n', '\r', '\x0c']) {
            if !std::mem::take(&mut first) {
                if run.is_empty() {
                    self.line.space = true;
                } else if !run.ends_with(' ') {
                    run.push(' ');
                }
            }
            run.push_str(word);
        }
        if run.is_empty() {
            // The text is only white space: a space precedes the next content, unless that begins a line.
            return Ok(());
        }
        let trailing = run.ends_with(' ');
        if trailing {
            run.pop();
        }
        if run.is_empty() {
            self.line.space = true;
            return Ok(());
        }
        self.begin()?;
        if let Some(letters) = self.isolates.last_mut() {
            letters.add(&run);
        }
        self.raw(&run)?;
        self.line.begun = true;
        self.line.space = trailing;
        Ok(())
    }

    /// Prepares for inline content: opens a paragraph if necessary, adds pending bookmarks, line breaks or a space, and
    /// opens the marks of the enclosing elements.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.behind_formula = false;
        let overrides = self.overrides();
        let open = self.line.overrides.iter().zip(&overrides);
        let same = open.take_while(|(one, other)| one == other).count();
        self.close_overrides(same)?;
        if !self.line.begun && !self.line.paragraph && !self.line.in_heading {
            self.begin_paragraph()?;
        }
        if !self.places.is_empty() {
            self.close_wraps(0)?;
            for place in std::mem::take(&mut self.places) {
                self.build.bookmark(&place)?;
            }
        }
        let breaks = std::mem::take(&mut self.line.breaks);
        let space = std::mem::take(&mut self.line.space) && self.line.begun && breaks == 0;
        if std::mem::take(&mut self.line.stale) {
            self.wrap(breaks, space)?;
        } else {
            self.gap(breaks, space)?;
        }
        for direction in &overrides[same..] {
            // Control characters of the bidirectional algorithm (UAX #9, 2.2).
            self.raw(match direction {
                Direction::RightToLeft => "\u{202e}",
                Direction::LeftToRight => "\u{202d}",
            })?;
        }
        self.line.overrides = overrides;
        Ok(())
    }

    /// Overrides of the direction that apply to the next content: those of its block, and of the inline elements in it
    /// (CSS Writing Modes 4, 2.4.2).
    fn overrides(&self) -> Vec<Direction> {
        if self.overriding == 0 {
            return Vec::new();
        }
        let is_box = |open: &Open| {
            let is_block = open.tag.is_block() || has_cells(open.tag);
            is_block || open.tag == Tag::Caption || open.parted != EdgeBreaks::Not
        };
        let block = self.stack.iter().rposition(is_box).unwrap_or(0);
        let inside = self.stack.get(block..).unwrap_or_default();
        inside.iter().filter_map(|open| open.overrides).collect()
    }

    /// Ends the innermost overrides of the direction, until `left` of them are open.
    fn close_overrides(&mut self, left: usize) -> Result<()> {
        while self.line.overrides.len() > left {
            self.line.overrides.pop();
            self.raw("\u{202c}")?;
        }
        Ok(())
    }

    /// Adds characters to the open marks or code.
    fn raw(&mut self, text: &str) -> Result<()> {
        match &mut self.line.code {
            Some(code) => {
                code.push_str(text);
                Ok(())
            }
            None => self.build.text(text),
        }
    }

    /// Adds the line breaks or the space that precede the next content.
    fn gap(&mut self, breaks: usize, space: bool) -> Result<()> {
        if space {
            return self.raw(" ");
        }
        for _ in 0..breaks {
            self.flush_code()?;
            self.build.line_break()?;
        }
        if breaks > 0 && self.line.wraps.contains(&Wrap::Code) {
            self.line.code = Some(String::new());
        }
        Ok(())
    }

    /// Closes and opens marks until they match the open elements. Line breaks or a space go in between.
    fn wrap(&mut self, breaks: usize, space: bool) -> Result<()> {
        let mut wanted: Vec<Wrap> = Vec::new();
        // The index of the code mark. It is remembered and not searched for, because pages may open hundreds of
        // elements without closing any.
        let mut code = None;
        for wrap in self.stack.iter().flat_map(|open| &open.wraps) {
            let again = match wrap {
                // A superscript may itself have a superscript, so these may nest.
                Wrap::Mark(Mark::Superscript | Mark::Subscript) => false,
                wrap => wanted.contains(wrap),
            };
            if again {
                continue;
            }
            match &mut code {
                None => {
                    code = (*wrap == Wrap::Code).then_some(wanted.len());
                    wanted.push(wrap.clone());
                }
                // Inline code cannot contain a link, so a link inside the code is opened around the code. Other marks
                // inside the code are dropped.
                Some(code) if matches!(wrap, Wrap::Link { .. }) => {
                    wanted.insert(*code, wrap.clone());
                    *code += 1;
                }
                Some(_) => {}
            }
        }
        let open = self.line.wraps.iter();
        let same = open.zip(&wanted).take_while(|(one, other)| one == other);
        let same = same.count();
        self.close_wraps(same)?;
        self.gap(breaks, space)?;
        for wrap in wanted.drain(same..) {
            match &wrap {
                Wrap::Mark(mark) => self.build.open(Node::Marked(*mark))?,
                Wrap::Span(style) => self.build.open(Node::Span(*style))?,
                Wrap::Link { target, title } => self.build.open(Node::Link {
                    target: target.clone(),
                    title: title.clone(),
                })?,
                Wrap::Code => self.line.code = Some(String::new()),
            }
            self.line.wraps.push(wrap);
        }
        Ok(())
    }

    /// Closes the innermost wraps, until `left` of them are open.
    fn close_wraps(&mut self, left: usize) -> Result<()> {
        while self.line.wraps.len() > left {
            self.line.stale = true;
            match self.line.wraps.pop() {
                Some(Wrap::Code) => self.flush_code()?,
                Some(_) => self.build.close()?,
                None => {}
            }
        }
        Ok(())
    }

    pub(super) fn flush_code(&mut self) -> Result<()> {
        match self.line.code.take() {
            Some(code) if !code.is_empty() => self.build.code(code),
            _ => Ok(()),
        }
    }

    /// Whether a paragraph is hyphenated whose element states `own`, if that differs from the document.
    pub(super) fn hyphenated(&self, own: Option<bool>) -> Option<bool> {
        let mut around = self.stack.iter().rev();
        let stated = own.or_else(|| around.find_map(|open| open.hyphenated));
        stated.filter(|is| *is != self.build.hyphenation.automatic)
    }

    /// Opens a paragraph, unless the default paragraph of the builder will do.
    fn begin_paragraph(&mut self) -> Result<()> {
        let mut style = ParagraphStyle {
            hyphenated: self.hyphenated(None),
            ..ParagraphStyle::default()
        };
        for open in &self.stack {
            style.alignment = open.alignment.or(style.alignment);
            style.direction = open.direction.or(style.direction);
            if open.tag == Tag::Td || open.tag == Tag::Th {
                // The cell itself has the alignment, so that of the elements up to the cell is dropped.
                style.alignment = None;
            }
        }
        let nearest = self.stack.iter().rev().find(|open| open.tag.is_block());
        let own = nearest.is_some_and(|open| open.tag == Tag::P);
        if own {
            self.build.set_loose();
        }
        let id = self.build.paragraph_style(style)?;
        if own || id != ParagraphStyleId::DEFAULT {
            self.build.open(Node::Paragraph(id))?;
            self.line.paragraph = true;
        }
        Ok(())
    }

    /// Ends the current line and its paragraph.
    pub(super) fn end_line(&mut self) -> Result<()> {
        self.close_overrides(0)?;
        self.close_wraps(0)?;
        if std::mem::take(&mut self.line.paragraph) {
            self.build.close()?;
        } else if !self.line.in_heading {
            self.build.end_paragraph()?;
        }
        // A block element inside of a heading is separated by a space.
        self.line.space = self.line.in_heading && self.line.begun;
        self.line.begun &= self.line.in_heading;
        self.line.breaks = 0;
        Ok(())
    }

    /// Separates the text before the edge of a box from the text after the edge, by a space or the end of the line.
    pub(super) fn part(&mut self, parted: EdgeBreaks) -> Result<()> {
        match parted {
            EdgeBreaks::Not => {}
            EdgeBreaks::Word => self.line.space = true,
            EdgeBreaks::Line => self.end_line()?,
        }
        Ok(())
    }

    pub(super) fn line_break(&mut self) -> Result<()> {
        // A line break at the beginning of a line has no effect but spacing. `end_line` drops those at its end.
        if self.line.begun {
            self.line.breaks += 1;
        }
        Ok(())
    }

    /// Like [`begin`](Self::begin), for a note reference. Writers superscript it themselves, so superscript marks are
    /// closed first.
    pub(super) fn begin_plainly(&mut self) -> Result<()> {
        self.begin()?;
        while let Some(Wrap::Mark(Mark::Superscript)) = self.line.wraps.last() {
            self.close_wraps(self.line.wraps.len() - 1)?;
        }
        self.flush_code()?;
        self.line.begun = true;
        Ok(())
    }

    /// Handles an inline element: line breaks, pictures, controls, links and marks.
    pub(super) fn inline_element(&mut self, start: &Start<'_>) -> Result<()> {
        let tag = start.tag;
        match tag {
            Tag::Br => return self.line_break(),
            Tag::Wbr => return Ok(()),
            Tag::Img | Tag::Image => return self.image(start),
            Tag::Input => return self.input(start),
            Tag::Audio | Tag::Video => self.build.lost(&MEDIA),
            // A button is rendered as a box and so separated from the text around it.
            Tag::Button => self.line.space = true,
            Tag::A if self.note_reference(start)? => return Ok(()),
            _ => {}
        }
        let look = self.look(start);
        self.place(start);
        if self.hidden == 0 {
            self.part(look.parted)?;
        }
        let wraps = self.wraps(start, &look)?;
        // Generated text replaces the usual quotation marks, which are generated as well (HTML, 15.3.4).
        if tag == Tag::Q && look.before.is_none() {
            self.sign("“")?;
        }
        self.push(Open {
            wraps,
            direction: look.direction,
            hidden: look.hidden || tag == Tag::Datalist,
            parted: look.parted,
            before: look.before.clone(),
            after: look.after.clone(),
            isolated: is_isolated(start, &look),
            ..self.open(start, &look)
        })
    }

    /// Adds a character that belongs to an element, and not to the text in it.
    pub(super) fn sign(&mut self, mark: &str) -> Result<()> {
        if self.hidden > 0 {
            return Ok(());
        }
        self.begin()?;
        self.line.begun = true;
        self.raw(mark)
    }

    /// Writes the closing quotation mark of a `q` element.
    pub(super) fn end_quotation(&mut self) -> Result<()> {
        self.line.space = false;
        self.sign("”")
    }

    /// Adds a picture, with its size and text alternative. Pages that load pictures late have the address in
    /// `data-src` instead of `src`.
    pub(super) fn image(&mut self, start: &Start<'_>) -> Result<()> {
        let look = self.look(start);
        if look.hidden || self.hidden > 0 {
            return Ok(());
        }
        let address = start
            .get("src")
            .or_else(|| start.get("data-src"))
            .or_else(|| start.get("xlink:href"))
            .or_else(|| start.get("href"))
            .unwrap_or_default()
            .trim();
        if address.is_empty() {
            return Ok(());
        }
        let classes = start.get("class").unwrap_or_default();
        if self.behind_formula && classes.contains("mwe-math-fallback-image") {
            // MediaWiki adds a picture of each formula as a fallback.
            return Ok(());
        }
        let length = |name| start.get(name).and_then(css::length);
        // The numbers of an `image` in an SVG drawing are in units of the drawing, so only those of `img` count.
        let length = |name| length(name).filter(|_| start.tag == Tag::Img);
        let width = match look.width {
            Some(Width::Fixed(width)) => Some(width),
            _ => length("width"),
        };
        let picture = Picture {
            source: self.picture_source(address)?,
            alternative: start.get("alt").unwrap_or_default().into(),
            title: start.get("title").unwrap_or_default().into(),
            width: width.filter(|width| *width > Length::ZERO),
            height: look.height.or_else(|| length("height")),
            frame: None,
        };
        self.picture(start, picture)
    }

    /// Adds the picture of an element to the line.
    pub(super) fn picture(&mut self, start: &Start<'_>, picture: Picture) -> Result<()> {
        self.place(start);
        self.begin()?;
        self.flush_code()?;
        self.line.begun = true;
        self.build.picture(picture)?;
        if self.line.wraps.contains(&Wrap::Code) {
            self.line.code = Some(String::new());
        }
        Ok(())
    }

    pub(super) fn math(&mut self, math: mathml::MathReader) -> Result<()> {
        if self.hidden > 0 {
            return Ok(());
        }
        let display = math.display;
        let Some(tex) = math.tex() else {
            return Ok(());
        };
        self.begin()?;
        self.flush_code()?;
        self.line.begun = true;
        self.behind_formula = true;
        self.build.math(tex, display)
    }
}

impl Letters {
    /// Adds the letters of a text.
    fn add(&mut self, text: &str) {
        for direction in text.chars().filter_map(Direction::of_letter) {
            self.right_to_left |= direction == Direction::RightToLeft;
            self.left_to_right |= direction == Direction::LeftToRight;
        }
    }
}
