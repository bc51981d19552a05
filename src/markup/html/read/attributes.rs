//! Interprets attributes: metadata, the look of elements, identifiers and pictures. Adds no text to the tree.

use super::state::{Open, PageReader, Wrap};
use crate::{
    css::{
        look::{self as css, Look, PAPER},
        looks::has_cells,
        style::UnicodeBidi,
    },
    dom::Start,
    error::Result,
    syntax::{parse_data_url, tag::Tag},
};
use convertd_tree::{
    Alignment, Colour, Direction, EmphasisMark, Mark, PictureSource, TextStyle, TextStyleId,
};

impl PageReader<'_, '_, '_> {
    pub(super) fn title(&mut self, title: &str) {
        let title = collapsed(title);
        if !title.is_empty() && self.build.metadata.title.is_none() {
            self.build.metadata.title = Some(title);
        }
    }

    /// Takes metadata from a `meta` element, under the common names and those of Dublin Core.
    pub(super) fn meta(&mut self, start: &Start<'_>) {
        let (Some(name), Some(value)) = (start.get("name"), start.get("content")) else {
            return;
        };
        let value = collapsed(value);
        if value.is_empty() {
            return;
        }
        let metadata = &mut self.build.metadata;
        let name = name.to_ascii_lowercase();
        match name
            .trim_start_matches("dcterms.")
            .trim_start_matches("dc.")
        {
            "author" | "creator" if !metadata.authors.contains(&value) => {
                metadata.authors.push(value)
            }
            "date" | "created" | "issued" => metadata.date = Some(value),
            "subject" => metadata.subject = Some(value),
            "description" => metadata.description = Some(value),
            "language" if metadata.language.is_none() => metadata.language = Some(value),
            "keywords" => {
                let words = value.split(',').map(|word| word.trim().to_owned());
                metadata
                    .keywords
                    .extend(words.filter(|word| !word.is_empty()));
            }
            _ => {}
        }
    }

    /// The look of an element according to its tag, its attributes, and the style sheets.
    pub(super) fn look(&self, start: &Start<'_>) -> Look {
        let mut look = start.get("style").map(css::look).unwrap_or_default();
        if let Some(sheets) = (self.looks.zip(start.node)).and_then(|(looks, id)| looks.get(id)) {
            look = look.or(sheets);
        }
        if let Some(alignment) = start.get("align").and_then(css::alignment) {
            look.alignment = look.alignment.or(Some(alignment));
        }
        if start.tag == Tag::Center {
            look.alignment = Some(Alignment::Centre);
        }
        if let Some(stated) = start.get("dir") {
            look.direction = css::direction(stated).or(look.direction);
        }
        // A `bdi` without a direction has the marks of an isolate instead.
        if look.bidi == Some(UnicodeBidi::Plaintext) || start.has_automatic_direction() {
            look.direction = start.direction_of_text();
            // Without a letter, `dir=auto` stands for left to right (HTML, 3.2.6.4).
            if start.has_automatic_direction() && start.tag != Tag::Bdi {
                look.direction = look.direction.or(Some(Direction::LeftToRight));
            }
        }
        // Only a script or a button shows a popover, so it is hidden here.
        look.hidden |= start.get("hidden").is_some() || start.get("popover").is_some();
        // MediaWiki hides the MathML of a formula visually and shows a picture instead. Here the MathML is read instead
        // of the picture.
        look.hidden &= !start.has_word("class", "mwe-math-mathml-a11y");
        look
    }

    /// The background of an element, blended with the one below it. `None` if the element has no background.
    pub(super) fn ground(&self, start: &Start<'_>, look: &Look) -> Option<Colour> {
        let own = look.background.or_else(|| {
            let stated = start.get("bgcolor").filter(|_| has_cells(start.tag))?;
            css::legacy_colour(stated)
        });
        css::on_ground(own?, self.ground_below())
    }

    /// The background on which the next element is drawn.
    fn ground_below(&self) -> Colour {
        let mut grounds = self.stack.iter().rev();
        grounds.find_map(|open| open.ground).unwrap_or(PAPER)
    }

    /// An open element with those properties that all kinds of elements pass on to their content.
    pub(super) fn open(&self, start: &Start<'_>, look: &Look) -> Open {
        Open {
            ground: self.ground(start, look),
            hyphenated: look.hyphenated,
            overrides: is_override(start, look)
                .then_some(look.direction.unwrap_or(Direction::LeftToRight)),
            ..Open::new(start.tag)
        }
    }

    /// Registers the identifier of an element, and the `name` of an `a`, if a link points to it.
    pub(super) fn place(&mut self, start: &Start<'_>) {
        let names = [
            start.get("id"),
            (start.tag == Tag::A).then(|| start.get("name")).flatten(),
        ];
        for id in names.into_iter().flatten() {
            let name = self.origin.name(id);
            if self.origin.is_target(&name) && !self.places.iter().any(|place| *place == *name) {
                let name = name.into_owned();
                self.places.push(name);
            }
        }
    }

    pub(super) fn picture_source(&mut self, address: &str) -> Result<PictureSource> {
        if let Some(id) = self.origin.picture(self.build, address)? {
            return Ok(PictureSource::Resource(id));
        }
        if let Some((media_type, bytes)) = parse_data_url(address) {
            let id = self.build.resource(bytes, "", Some(&media_type))?;
            return Ok(PictureSource::Resource(id));
        }
        Ok(PictureSource::Address(address.into()))
    }

    /// The marks, link or style that an element gives to the text inside it.
    pub(super) fn wraps(&mut self, start: &Start<'_>, look: &Look) -> Result<Vec<Wrap>> {
        let mut wraps = Vec::new();
        let mut mark = |mark| wraps.push(Wrap::Mark(mark));
        match start.tag {
            Tag::B | Tag::Strong if look.bold != Some(false) => mark(Mark::Strong),
            Tag::I | Tag::Em | Tag::Cite | Tag::Dfn if look.italic != Some(false) => {
                mark(Mark::Emphasis);
            }
            Tag::U | Tag::Ins => mark(Mark::Underline),
            Tag::S | Tag::Strike | Tag::Del => mark(Mark::Strikethrough),
            Tag::Sup => mark(Mark::Superscript),
            Tag::Sub => mark(Mark::Subscript),
            Tag::Mark => mark(Mark::Highlight),
            Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp | Tag::Var => wraps.push(Wrap::Code),
            Tag::A => {
                if let Some(address) = start.get("href") {
                    let target = self.origin.link(address.trim()).into_owned().into();
                    let title = start.get("title").unwrap_or_default().into();
                    wraps.push(Wrap::Link { target, title });
                }
            }
            _ => {}
        }
        let is_text = !has_cells(start.tag);
        let mut mark = |mark, says| {
            if says && is_text && !wraps.contains(&Wrap::Mark(mark)) {
                wraps.push(Wrap::Mark(mark));
            }
        };
        // A heading may be bold or italic, and a link underlined, without a mark.
        let heading = start.tag.level().is_some();
        mark(Mark::Strong, look.bold == Some(true) && !heading);
        mark(Mark::Emphasis, look.italic == Some(true) && !heading);
        mark(Mark::Underline, look.underline && start.tag != Tag::A);
        mark(Mark::Strikethrough, look.strikethrough);
        mark(Mark::Superscript, look.superscript);
        mark(Mark::Subscript, look.subscript);
        mark(Mark::SmallCaps, look.small_caps);
        let is_underlined = wraps.contains(&Wrap::Mark(Mark::Underline));
        let ground = self.ground(start, look);
        let below = || ground.unwrap_or_else(|| self.ground_below());
        let mut style = TextStyle {
            font: look.font.clone(),
            size: look.size,
            colour: look.colour.and_then(|own| css::on_ground(own, below())),
            background: ground.filter(|_| is_text),
            emphasis: look.emphasis.map(|shape| EmphasisMark {
                shape,
                below: look.emphasis_below,
            }),
            capitals: look.capitals,
            underline: look.line.filter(|_| is_underlined),
            ..TextStyle::default()
        };
        if let Some(language) = start.get("lang").or_else(|| start.get("xml:lang"))
            && !language.trim().is_empty()
        {
            style.language = Some(language.trim().into());
        }
        // Control characters in the text state the order of letters that ignores their own direction. Without
        // `unicode-bidi`, `direction` has no effect on inline text (CSS Writing Modes 4, 2.1).
        let is_embedded = start.get("dir").is_some() || look.bidi.is_some();
        if !start.tag.is_special() && is_embedded && !is_override(start, look) {
            style.direction = look.direction;
        }
        if start.tag == Tag::Font {
            let colour = start.get("color").map(str::to_ascii_lowercase);
            let colour =
                colour.and_then(|word| css::colour(&word).or_else(|| Colour::parse(&word)));
            style.colour = style.colour.or(colour);
            style.font = style.font.or_else(|| start.get("face").map(Into::into));
        }
        let id = self.build.text_style(style)?;
        if id != TextStyleId::DEFAULT {
            wraps.push(Wrap::Span(id));
        }
        Ok(wraps)
    }
}

/// Returns whether the letters of an element run in the direction of the element, whatever their own is.
fn is_override(start: &Start<'_>, look: &Look) -> bool {
    match look.bidi {
        Some(UnicodeBidi::BidiOverride | UnicodeBidi::IsolateOverride) => true,
        Some(_) => false,
        None => start.tag == Tag::Bdo,
    }
}

/// Returns whether the text of an element has no effect on the order of the text around it.
pub(super) fn is_isolated(start: &Start<'_>, look: &Look) -> bool {
    match look.bidi {
        Some(UnicodeBidi::Isolate | UnicodeBidi::Plaintext) => true,
        Some(_) => false,
        None => start.tag == Tag::Bdi,
    }
}

/// Collapses each run of white space to one space, and removes it at both ends.
pub(super) fn collapsed(text: &str) -> String {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.join(" ")
}
