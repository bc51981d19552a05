//! Reads texts as paragraphs of a deck. Reads no shapes.

use super::looks::Looks;
use crate::{
    deck::{Bullet, Caps, ComputedStyle, Paragraph, Run, Spacing, Words},
    error::Result,
};
use convertd_office::{
    drawing::Rgba,
    iwork::{Piece, Styled, Styles, Text},
    wordprocessing::{Level, LevelFormat, ParagraphProperties, Raised, RunProperties},
};
use convertd_tree::{Delimiter, Length, LineHeight, Numbering, Numeral, POINT, numerals::Format};
use std::rc::Rc;

/// Memory of the properties of a run without the names in them, in bytes, including the reference counts of the pointer
/// to them.
const LOOK: u64 = (size_of::<ComputedStyle>() + 2 * size_of::<usize>()) as u64;

/// Memory of a run without its characters, in bytes. The factor 2 is for the spare capacity of a growing list.
const RUN: u64 = 2 * size_of::<Run>() as u64 + LOOK;
/// Memory of a paragraph without its runs, in bytes. The factor 2 is for the spare capacity of a growing list.
const PARAGRAPH: u64 = 2 * size_of::<Paragraph>() as u64 + LOOK;

/// Font size of text without a style, in points.
const SIZE: f64 = 18.0;

impl<'o> Looks<'o> {
    /// Paragraphs of the text of the object with this number.
    pub(super) fn paragraphs(&mut self, number: u64) -> Result<Vec<Paragraph>> {
        let Some(text) = Text::open(self.job, self.objects, number)? else {
            return Ok(Vec::new());
        };
        let mut all = Vec::new();
        let mut paragraph = Paragraph::default();
        let mut styled: Rc<Styled> = Rc::default();
        let mut link: Option<Rc<str>> = None;
        text.walk(&mut |piece| {
            match piece {
                Piece::Begin {
                    style,
                    list,
                    level,
                    start,
                } => {
                    styled = self.styles.paragraph(style)?;
                    paragraph = self.begin(&styled, list, level, start)?;
                }
                Piece::End => all.push(std::mem::take(&mut paragraph)),
                Piece::Characters(words, look) => {
                    let own = self.styles.characters(look)?;
                    let mut look = look_of(&styled, &own);
                    look.link.clone_from(&link);
                    self.hold(RUN + names(&look) + words.len() as u64)?;
                    paragraph.runs.push(Run {
                        text: Words::Text(words.to_owned()),
                        look: Rc::new(look),
                    });
                }
                Piece::LineBreak => {
                    self.hold(RUN)?;
                    paragraph.runs.push(Run {
                        text: Words::Break,
                        look: paragraph.look.clone(),
                    });
                }
                Piece::Link(target) => {
                    self.hold(target.map_or(0, str::len) as u64)?;
                    link = target.map(Into::into);
                }
                Piece::Object(_)
                | Piece::Note(_)
                | Piece::PageBreak
                | Piece::ColumnBreak
                | Piece::Section(_)
                | Piece::Deleted => {}
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Creates a paragraph of this style with one run.
    pub(super) fn plain(&mut self, words: &str, style: Option<u64>) -> Result<Paragraph> {
        let styled = self.styles.paragraph(style)?;
        let mut paragraph = self.begin(&styled, None, 0, None)?;
        self.hold(RUN + words.len() as u64)?;
        paragraph.runs.push(Run {
            text: Words::Text(words.to_owned()),
            look: paragraph.look.clone(),
        });
        Ok(paragraph)
    }

    fn begin(
        &mut self,
        styled: &Styled,
        list: Option<u64>,
        level: u8,
        start: Option<u32>,
    ) -> Result<Paragraph> {
        let list = self.styles.list(&mut self.lists, list)?;
        let look = look_of(styled, &RunProperties::default());
        self.hold(PARAGRAPH + names(&look))?;
        let look = Rc::new(look);
        let own = list.and_then(|list| Styles::level(&self.lists, list, level));
        let mut paragraph = with_properties(styled);
        paragraph.level = level;
        if let Some(own) = own {
            paragraph.bullet = bullet(own, start);
            let hanging = look.size * 1.2 * POINT;
            let indent = own.indent.zip(own.hanging);
            let indent = indent.map_or(0.0, |(indent, hanging)| emu(indent + hanging));
            paragraph.indents = (indent + hanging, -hanging);
        }
        paragraph.look = look;
        Ok(paragraph)
    }
}

/// Memory of the names in the properties of a run, in bytes. Links do not count, because runs share them.
fn names(look: &ComputedStyle) -> u64 {
    let names = [&look.font, &look.language].into_iter().flatten();
    names.map(|name| name.len() as u64).sum()
}

fn emu(length: Length) -> f64 {
    length.to_emu() as f64
}

fn bullet(level: &Level, start: Option<u32>) -> Bullet {
    match level.format {
        LevelFormat::None => Bullet::None,
        LevelFormat::Bullet => Bullet::Character(level.text.clone()),
        LevelFormat::Number(format) => Bullet::Number(Numbering {
            start: start.unwrap_or(1),
            numeral: match format {
                Format::Plain(numeral) => numeral,
                _ => Numeral::Decimal,
            },
            delimiter: match &*level.text {
                text if text.starts_with('(') => Delimiter::Parentheses,
                text if text.ends_with(')') => Delimiter::Parenthesis,
                _ => Delimiter::Period,
            },
            nested: false,
        }),
    }
}

fn with_properties(styled: &Styled) -> Paragraph {
    let mut all: ParagraphProperties = styled.style.paragraph.clone();
    all.apply(&styled.own);
    let points =
        |length: Option<Length>| Spacing::Points(length.unwrap_or_default().to_points().max(0.0));
    Paragraph {
        alignment: all.alignment,
        backwards: all.right_to_left == Some(true),
        indents: (
            emu(all.indent_start.unwrap_or_default()),
            emu(all.first_line.unwrap_or_default()),
        ),
        before: points(all.space_before),
        after: points(all.space_after),
        lines: match all.line_height {
            Some(LineHeight::Percent(percent)) => Spacing::Lines(f64::from(percent) / 100.0),
            Some(LineHeight::Exactly(height)) => Spacing::Points(height.to_points()),
            Some(LineHeight::AtLeast(_)) | None => Spacing::Lines(1.0),
        },
        ..Paragraph::default()
    }
}

fn look_of(styled: &Styled, own: &RunProperties) -> ComputedStyle {
    let mut run = styled.style.run.clone();
    run.apply(&styled.run);
    run.apply(own);
    let rgba = |colour: convertd_tree::Colour| Rgba::opaque([colour.0, colour.1, colour.2]);
    ComputedStyle {
        font: run
            .latin
            .as_ref()
            .and_then(|font| font.name())
            .map(Into::into),
        size: run.size.map_or(SIZE, Length::to_points),
        bold: run.bold == Some(true),
        italic: run.italic == Some(true),
        underlined: run.underline == Some(true),
        struck: run.strike == Some(true),
        caps: match (run.capitals, run.small_caps) {
            (Some(true), _) => Caps::All,
            (_, Some(true)) => Caps::Small,
            _ => Caps::None,
        },
        raised: match run.raised {
            Some(Raised::Above) => 0.33,
            Some(Raised::Below) => -0.2,
            _ => 0.0,
        },
        spacing: run.spacing.map_or(0.0, Length::to_points),
        colour: run.colour.flatten().map_or(Rgba::BLACK, rgba),
        outlined: run.outlined == Some(true),
        highlight: run.background.flatten().map(rgba),
        language: run.language.as_deref().map(Into::into),
        link: None,
    }
}
