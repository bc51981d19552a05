//! Text (MS-PPT 2.9.36 to 2.9.44): what a box or the outline says, with its styles, as paragraphs of a deck. Knows no shapes.

use super::{
    colours::Scheme,
    kind,
    styles::{Cursor, MasterStyles, ParagraphStyle, RunStyle},
};
use crate::deck::{Bullet, BulletLook, Look, Paragraph, Run, Spacing, Words};
use convertd_office::{art::Record, wordprocessing::in_symbol_font};
use convertd_tree::Alignment;
use std::{collections::HashMap, rc::Rc};

/// English Metric Units in a master unit, of which 576 are an inch.
pub(super) const UNIT: f64 = 914_400.0 / 576.0;

/// The number of links in a text.
const MAX_LINKS: usize = 10_000;

/// The bullet that is meant where none is named.
const DISC: char = '•';

/// Points in a master unit.
const POINT: f64 = 72.0 / 576.0;

/// A text: a header, and what follows it up to the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Text<'a> {
    /// 0 a title, 1 a body, 2 notes, 4 other, 5 the body and 6 the title of a first slide, 7 and 8 a half and a quarter of a body.
    pub(super) of: u16,
    units: Vec<u16>,
    styles: Record<'a>,
    /// The places of fields.
    fields: Vec<(usize, Field)>,
    /// From where to where a click leads, and the number of the link.
    links: Vec<(usize, usize, u32)>,
}

/// A field, whose text is known only when the slide is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Number,
    Date,
    Footer,
    /// Text that is not on slides.
    Other,
}

/// Header, footer, date and number that a slide shows (2.4.15).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Furniture {
    /// Whether its number is shown.
    pub(super) number: bool,
    /// The fixed date, if it is shown. A date of the day of the show is left out.
    pub(super) date: Option<Box<str>>,
    pub(super) footer: Option<Box<str>>,
}

/// A font.
#[derive(Clone, Debug)]
pub(super) struct Font {
    pub(super) name: Rc<str>,
    /// Whether it shows pictures in place of letters.
    pub(super) is_symbol: bool,
}

/// Context of a text.
pub(super) struct Setting<'s> {
    pub(super) masters: &'s MasterStyles,
    pub(super) scheme: &'s Scheme,
    pub(super) fonts: &'s [Font],
    /// Targets of links, by their numbers.
    pub(super) links: &'s HashMap<u32, Box<str>>,
    pub(super) furniture: &'s Furniture,
}

/// The texts in records, in their order.
pub(super) fn texts<'a>(records: impl Iterator<Item = Record<'a>>) -> Vec<Text<'a>> {
    let mut texts: Vec<Text<'a>> = Vec::new();
    let mut action = None;
    for record in records {
        if record.kind == kind::TEXT_HEADER {
            texts.push(Text {
                of: record.data.u32(0) as u16,
                ..Text::default()
            });
        }
        let Some(text) = texts.last_mut() else {
            continue;
        };
        match record.kind {
            kind::TEXT_CHARACTERS => {
                let units = record.data.0.chunks_exact(2);
                text.units = units
                    .map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
                    .collect();
            }
            // The lower bytes of UTF-16.
            kind::TEXT_BYTES => {
                text.units = record.data.0.iter().map(|byte| u16::from(*byte)).collect();
            }
            kind::TEXT_STYLES => text.styles = record,
            // The action, and behind it the stretch of text that it is for.
            kind::ACTION => {
                action = record.child(kind::ACTION_ATOM).map(|atom| atom.data.u32(4));
            }
            kind::TEXT_ACTION => {
                let (begin, end) = (record.data.u32(0) as usize, record.data.u32(4) as usize);
                let link = action.take().map(|link| (begin, end, link));
                text.links
                    .extend(link.filter(|_| text.links.len() < MAX_LINKS));
            }
            kind => {
                let field = field(kind).map(|field| (record.data.u32(0) as usize, field));
                text.fields.extend(field);
            }
        }
    }
    texts
}

/// The field that a record of this kind states the place of.
fn field(kind: u16) -> Option<Field> {
    Some(match kind {
        kind::NUMBER_FIELD => Field::Number,
        kind::DATE_FIELD | kind::OTHER_DATE_FIELD | kind::GENERIC_DATE_FIELD => Field::Date,
        kind::FOOTER_FIELD => Field::Footer,
        kind::HEADER_FIELD => Field::Other,
        _ => return None,
    })
}

impl Text<'_> {
    /// Its paragraphs. `base` is what its shape says.
    pub(super) fn paragraphs(&self, setting: &Setting<'_>) -> Vec<Paragraph> {
        let len = self.units.len();
        let mut cursor = Cursor(self.styles.data);
        let of_paragraphs = stretches(&mut cursor, len, |cursor| {
            let level = cursor.u16().min(8);
            (level, ParagraphStyle::read(cursor))
        });
        let of_runs = stretches(&mut cursor, len, RunStyle::read);
        let mut paragraphs = Vec::new();
        let mut at = 0;
        while at < len {
            let mark = self.units[at..].iter().position(|unit| *unit == 0x0d);
            let end = mark.map_or(len, |mark| at + mark);
            let (level, own) = style_at(&of_paragraphs, at);
            let (mut style, base) = setting.masters.level(self.of, level);
            style.apply(&own);
            let mut paragraph = setting.paragraph(level, &style);
            let mut from = at;
            while from < end {
                let (own, to) = stretch_at(&of_runs, from, end);
                let (link, to) = self.link_at(from, to);
                let mut run = base.clone();
                run.apply(&own);
                let mut look = setting.look(&run);
                look.link =
                    link.and_then(|link| setting.links.get(&link).map(|link| (**link).into()));
                look.underlined |= look.link.is_some();
                self.add_runs(
                    from,
                    to,
                    &Rc::new(look),
                    setting.furniture,
                    &mut paragraph.runs,
                );
                from = to;
            }
            let mut last = base;
            last.apply(&style_at(&of_runs, end.min(len.saturating_sub(1))));
            paragraph.look = Rc::new(setting.look(&last));
            let is_blank = paragraph.is_blank();
            paragraph.bullet = setting.bullet(&style, is_blank);
            paragraph.bullet_look = setting.bullet_look(&style);
            paragraphs.push(paragraph);
            at = end + 1;
        }
        paragraphs
    }

    /// The link at a position, and the end of the text that it covers; before `limit`.
    fn link_at(&self, at: usize, limit: usize) -> (Option<u32>, usize) {
        let mut limit = limit;
        for (begin, end, link) in &self.links {
            if (*begin..*end).contains(&at) {
                return (Some(*link), limit.min(*end));
            }
            if *begin > at {
                limit = limit.min(*begin);
            }
        }
        (None, limit)
    }

    /// Adds the runs of a stretch with one look: text, line breaks and fields.
    fn add_runs(
        &self,
        from: usize,
        to: usize,
        look: &Rc<Look>,
        furniture: &Furniture,
        runs: &mut Vec<Run>,
    ) {
        let mut units = Vec::new();
        let mut add = |words: Words| {
            runs.push(Run {
                text: words,
                look: look.clone(),
            });
        };
        let text =
            |units: &mut Vec<u16>| Words::Text(String::from_utf16_lossy(&std::mem::take(units)));
        for (at, unit) in self.units[from..to].iter().enumerate() {
            let field = self.fields.iter().find(|(place, _)| *place == from + at);
            let words = match (field, unit) {
                (Some((_, Field::Number)), _) => Some(Words::Number),
                // A date that is not fixed is that of the day of the show.
                (Some((_, field)), _) => {
                    let said = match field {
                        Field::Date => furniture.date.as_deref(),
                        Field::Footer => furniture.footer.as_deref(),
                        Field::Number | Field::Other => None,
                    };
                    said.map(|said| Words::Text(said.to_owned()))
                }
                (None, 0x0b) => Some(Words::Break),
                (None, 0x09 | 0x20..) => {
                    units.push(*unit);
                    continue;
                }
                (None, _) => continue,
            };
            if !units.is_empty() {
                add(text(&mut units));
            }
            words.into_iter().for_each(&mut add);
        }
        if !units.is_empty() {
            add(text(&mut units));
        }
    }
}

impl Setting<'_> {
    /// Converts a paragraph style. Negative spacing is in points (master units of 1/576 inch), positive in per cent of a line.
    fn paragraph(&self, level: u16, style: &ParagraphStyle) -> Paragraph {
        let spacing = |value: Option<i16>, usual: f64| match value {
            None => Spacing::Lines(usual),
            Some(value) if value < 0 => Spacing::Points(f64::from(-i32::from(value)) * POINT),
            Some(value) => Spacing::Lines(f64::from(value) / 100.0),
        };
        let margin = f64::from(style.margin.unwrap_or(0)) * UNIT;
        let indent = f64::from(style.indent.unwrap_or(0)) * UNIT;
        Paragraph {
            level: level as u8,
            alignment: match style.alignment {
                Some(1) => Some(Alignment::Centre),
                Some(2) => Some(Alignment::End),
                Some(3) => Some(Alignment::Justify),
                _ => None,
            },
            indents: (margin, indent - margin),
            before: spacing(style.before, 0.0),
            after: spacing(style.after, 0.0),
            lines: spacing(style.lines, 1.0),
            ..Paragraph::default()
        }
    }

    fn bullet(&self, style: &ParagraphStyle, is_blank: bool) -> Bullet {
        if style.has_bullet != Some(true) || is_blank {
            return Bullet::None;
        }
        let bullet = style.bullet.unwrap_or(DISC);
        let font = style.bullet_font.and_then(|font| self.face(font));
        let shown = match font {
            Some(font) if font.is_symbol => symbol(&font.name, bullet),
            _ => bullet,
        };
        Bullet::Character(shown.to_string().into())
    }

    /// The look of a bullet. Its size is in points if negative, otherwise in per cent of the text.
    fn bullet_look(&self, style: &ParagraphStyle) -> BulletLook {
        let size = style.bullet_size.map(f64::from);
        BulletLook {
            font: style
                .bullet_font
                .and_then(|font| self.face(font))
                .filter(|font| !font.is_symbol)
                .map(|font| font.name.clone()),
            size: size.filter(|size| *size < 0.0).map(|size| -size),
            scale: size.filter(|size| *size >= 25.0).map(|size| size / 100.0),
            colour: style
                .bullet_colour
                .map(|colour| self.scheme.of_text(colour)),
        }
    }

    /// The look of a run. A size that is not stated is 18 points.
    fn look(&self, style: &RunStyle) -> Look {
        let size = style.size.filter(|size| *size > 0).unwrap_or(18);
        Look {
            font: style.font.and_then(|font| self.font(font)),
            size: f64::from(size.min(4000)),
            bold: style.bold == Some(true),
            italic: style.italic == Some(true),
            underlined: style.underlined == Some(true),
            raised: f64::from(style.raised.unwrap_or(0).clamp(-100, 100)) / 100.0,
            // The second colour of a scheme is that of text.
            colour: self.scheme.of_text(style.colour.unwrap_or(0x0100_0000)),
            ..Look::default()
        }
    }

    fn font(&self, number: u16) -> Option<Rc<str>> {
        self.face(number).map(|font| font.name.clone())
    }

    fn face(&self, number: u16) -> Option<&Font> {
        self.fonts.get(usize::from(number))
    }
}

/// The character that a bullet of a symbol font shows, or the most frequent bullet for unknown characters.
fn symbol(font: &str, bullet: char) -> char {
    let shown = in_symbol_font(font, bullet);
    if shown != bullet {
        return shown;
    }
    // Fonts of dingbats have the codes of Zapf Dingbats.
    match u32::from(bullet) & 0xff {
        0x6e => '■',
        0x75 | 0x76 => '◆',
        0xa8 => '◆',
        0xe4 | 0xd8 => '➤',
        0xe5 | 0xe6 => '➥',
        0xfc | 0x34 => '✓',
        _ => DISC,
    }
}

/// Stretches of text, each with its end and its style. Their counts together are the text's length and one more.
fn stretches<S>(
    cursor: &mut Cursor<'_>,
    len: usize,
    mut read: impl FnMut(&mut Cursor<'_>) -> S,
) -> Vec<(usize, S)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at <= len && cursor.0.len() > 4 {
        at += (cursor.u32() as usize).clamp(1, len + 1);
        all.push((at, read(cursor)));
    }
    all
}

/// The style at this position.
fn style_at<S: Clone + Default>(all: &[(usize, S)], at: usize) -> S {
    let found = all.partition_point(|(end, _)| *end <= at);
    all.get(found)
        .map(|(_, style)| style.clone())
        .unwrap_or_default()
}

/// The same, and where it ends; before `limit`.
fn stretch_at<S: Clone + Default>(all: &[(usize, S)], at: usize, limit: usize) -> (S, usize) {
    let found = all.partition_point(|(end, _)| *end <= at);
    let end = all.get(found).map_or(limit, |(end, _)| (*end).min(limit));
    (style_at(all, at), end)
}
