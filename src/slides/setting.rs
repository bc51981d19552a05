//! Converts text of a deck to document blocks with the formatting of the slide: font sizes, colours, indents and
//! bullets.

use super::{
    counters::Counters,
    deck::{self, Bullet, ComputedStyle, Paragraph, Role, Spacing},
};
use crate::error::Result;
use convertd_office::{
    drawing::Rgba,
    wordprocessing::{self as office, Line, Marks},
};
use convertd_tree::{
    Alignment, Block, Builder, Colour, Direction, Length, LineHeight, Mark, Node, ParagraphStyle,
    TabStop, TextStyle, numbering,
};

/// Height of single-spaced lines as a multiple of the font size. Spacing in lines is relative to it.
const LINE: f64 = 1.2;

/// State of the conversion of a slide.
pub(super) struct Setting {
    /// Number of the slide, counted from 1.
    pub(super) number: usize,
    /// Whether the slide already has a title.
    pub(super) titled: bool,
}

impl Setting {
    /// Converts paragraphs to blocks. The first paragraph with text in a title becomes the heading of the slide,
    /// unless the slide has one already.
    pub(super) fn blocks(
        &mut self,
        build: &mut Builder<'_>,
        paragraphs: &[Paragraph],
        role: Role,
    ) -> Result<Vec<Block>> {
        build.begin_fragment();
        let written = self.write(build, paragraphs, role);
        let blocks = build.end_fragment()?;
        written.map(|()| blocks)
    }

    /// Writes paragraphs into the open container.
    pub(super) fn write(
        &mut self,
        build: &mut Builder<'_>,
        paragraphs: &[Paragraph],
        role: Role,
    ) -> Result<()> {
        let mut counters = Counters::default();
        for paragraph in paragraphs {
            self.paragraph(build, paragraph, role, &mut counters)?;
        }
        Ok(())
    }

    /// Writes a paragraph with its label, indents and spacing. Spacing in lines is relative to the size of the first
    /// run.
    fn paragraph(
        &mut self,
        build: &mut Builder<'_>,
        paragraph: &Paragraph,
        role: Role,
        counters: &mut Counters,
    ) -> Result<()> {
        let blank = paragraph.is_blank();
        let label = label(paragraph, counters);
        let first = paragraph.runs.first();
        let look = first.map_or(&paragraph.look, |run| &run.look);
        let (margin, indent) = paragraph.indents;
        let hangs = label.is_some() && indent < 0.0;
        let spacing_length = |spacing: Spacing| match spacing {
            Spacing::Points(points) => Length::points(points),
            Spacing::Lines(lines) => Length::points(lines * LINE * look.size),
        };
        let emu = |length: f64| Length::emu(length as i64);
        // A tab follows a hanging label. It ends at the left edge of the text, so tab stops before that edge are left
        // out.
        let label_end = hangs.then(|| TabStop {
            at: emu(margin),
            alignment: Alignment::Start,
            leader: None,
        });
        let own = paragraph.tabs.iter();
        let own = own.filter(|stop| !hangs || stop.at > emu(margin));
        let mut tabs: Vec<TabStop> = label_end.into_iter().chain(own.copied()).collect();
        tabs.sort_by_key(|stop| stop.at);
        let style = ParagraphStyle {
            alignment: Some(paragraph.alignment.unwrap_or(Alignment::Start)),
            indent_start: Some(emu(margin)),
            first_line: Some(emu(indent)),
            space_before: Some(spacing_length(paragraph.before)),
            space_after: Some(spacing_length(paragraph.after)),
            line_height: Some(match paragraph.lines {
                Spacing::Lines(lines) => {
                    LineHeight::Percent((lines * 100.0).round().clamp(10.0, 1000.0) as u16)
                }
                Spacing::Points(points) => LineHeight::Exactly(Length::points(points.max(1.0))),
            }),
            direction: paragraph.backwards.then_some(Direction::RightToLeft),
            tabs,
            text: TextStyle {
                bold: Some(false),
                italic: Some(false),
                ..text_style(look)
            },
            ..ParagraphStyle::default()
        };
        let style = build.paragraph_style(style)?;
        let mut line = Line::default();
        if let Some(label) = label {
            let own = &paragraph.bullet_look;
            let label_look = ComputedStyle {
                font: own.font.clone().or(look.font.clone()),
                size: own.size.unwrap_or(look.size * own.scale.unwrap_or(1.0)),
                colour: own.colour.unwrap_or(look.colour),
                ..ComputedStyle::default()
            };
            let look = office::Formatting {
                style: build.text_style(text_style(&label_look))?,
                ..office::Formatting::default()
            };
            line.text(look, &label);
            line.text(look, if hangs { "\t" } else { " " });
        }
        for run in &paragraph.runs {
            let own = self.formatting(build, &mut line, &run.look)?;
            match &run.text {
                // Transparent text serves only search functions, and is left out.
                _ if run.look.colour.alpha <= 0.0 => {}
                deck::Words::Text(text) => line.text(own, text),
                deck::Words::Break => line.line_break(own),
                deck::Words::Number => line.text(own, &self.number.to_string()),
                deck::Words::Formula(tex) => line.math(tex.clone(), false),
            }
        }
        let heads = role == Role::Title && !self.titled && !blank;
        self.titled |= heads;
        let number = self.number;
        line.write(build, |build| match heads {
            true => build.open(Node::Heading {
                level: 1,
                id: Some(anchor(number).into()),
                label: None,
                style,
            }),
            false => build.open(Node::Paragraph(style)),
        })
    }

    /// Converts character formatting to marks and a text style. Links to slides become links to their anchors.
    fn formatting(
        &self,
        build: &mut Builder<'_>,
        line: &mut Line,
        look: &ComputedStyle,
    ) -> Result<office::Formatting> {
        let mut marks = Marks::default();
        marks.set(Mark::Strong, look.bold);
        marks.set(Mark::Emphasis, look.italic);
        marks.set(Mark::Underline, look.underlined && look.link.is_none());
        marks.set(Mark::Strikethrough, look.struck);
        marks.set(Mark::SmallCaps, look.caps == deck::Caps::Small);
        marks.set(Mark::Superscript, look.raised > 0.0);
        marks.set(Mark::Subscript, look.raised < 0.0);
        let link = look
            .link
            .as_deref()
            .map(|link| match link.strip_prefix('#') {
                Some(number) => format!("#{}", anchor(number.parse().unwrap_or(0))),
                None => link.to_owned(),
            });
        Ok(office::Formatting {
            marks,
            style: build.text_style(text_style(look))?,
            link: link.map(|link| line.link(&link, "")),
            ..office::Formatting::default()
        })
    }
}

/// Returns the anchor of a slide.
pub(super) fn anchor(number: usize) -> String {
    format!("slide-{number}")
}

/// Returns the label of a paragraph, and counts numbered paragraphs.
fn label(paragraph: &Paragraph, counters: &mut Counters) -> Option<String> {
    let number = counters.count(paragraph);
    match &paragraph.bullet {
        _ if paragraph.is_blank() => None,
        Bullet::None => None,
        Bullet::Character(bullet) => (!bullet.trim().is_empty()).then(|| bullet.to_string()),
        Bullet::Picture(_) => Some("•".to_owned()),
        Bullet::Number(numbering) => Some(numbering::label(number?, *numbering, &[])),
    }
}

/// Converts character formatting to a text style.
fn text_style(look: &ComputedStyle) -> TextStyle {
    TextStyle {
        font: look.font.as_deref().map(Into::into),
        size: Some(Length::points(look.size)),
        colour: Some(colour(look.colour)),
        background: look.highlight.map(colour),
        language: look.language.as_deref().map(Into::into),
        direction: None,
        capitals: look.caps == deck::Caps::All,
        spacing: (look.spacing != 0.0).then(|| Length::points(look.spacing)),
        outlined: look.outlined,
        ..TextStyle::default()
    }
}

/// Returns an opaque colour. Transparent colours are mixed with white, the most frequent background.
pub(super) fn colour(colour: Rgba) -> Colour {
    let alpha = f64::from(colour.alpha);
    let [red, green, blue] = colour
        .rgb
        .map(|part| (f64::from(part) * alpha + 255.0 * (1.0 - alpha)).round() as u8);
    Colour(red, green, blue)
}
