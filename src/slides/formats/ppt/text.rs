//! Converts text (MS-PPT 2.9.36 to 2.9.44) of a text box or the outline, with its styles, to paragraphs of a deck.
//! Does not read shapes.

use super::{
    colours::Scheme,
    kind,
    styles::{Cursor, MasterStyles, ParagraphStyle, RunStyle},
};
use crate::deck::{Bullet, BulletLook, ComputedStyle, Paragraph, Run, Spacing, Words};
use convertd_office::{art::Record, wordprocessing::in_symbol_font};
use convertd_tree::Alignment;
use std::{collections::HashMap, rc::Rc};

/// English Metric Units in a master unit, which is 1/576 inch.
pub(super) const UNIT: f64 = 914_400.0 / 576.0;

/// Limit on links in a text.
const MAX_LINKS: usize = 10_000;

/// Default bullet.
const DISC: char = '•';

/// Points in a master unit.
const POINT: f64 = 72.0 / 576.0;

/// A text: a header and the records after it, up to the next header.
#[derive(Clone, Debug, Default)]
pub(super) struct Text<'a> {
    /// Type of the text: 0 title, 1 body, 2 notes, 4 other, 5 and 6 body and title of a title slide, 7 and 8 half and
    /// quarter of a body.
    pub(super) of: u16,
    /// Characters in UTF-16. The offsets of the other fields count these.
    units: Vec<u16>,
    /// Record with the styles.
    styles: Record<'a>,
    /// Offsets of fields.
    fields: Vec<(usize, Field)>,
    /// Begin and end of each link, and its number.
    links: Vec<(usize, usize, u32)>,
}

/// A field, whose text depends on the slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Number,
    Date,
    Footer,
    /// Text that slides do not show.
    Other,
}

/// Date, number and footer that a slide shows (2.4.15).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct HeaderFooter {
    /// Whether the slide shows its number.
    pub(super) number: bool,
    /// Fixed date. A current date is left out, because it would depend on the day of the conversion.
    pub(super) date: Option<Box<str>>,
    /// Text of the footer, if the slide shows it.
    pub(super) footer: Option<Box<str>>,
}

/// A font of the presentation.
#[derive(Clone, Debug)]
pub(super) struct Font {
    pub(super) name: Rc<str>,
    /// Whether the font shows symbols instead of letters.
    pub(super) is_symbol: bool,
}

/// Context of a text.
pub(super) struct Setting<'s> {
    /// Styles of the master.
    pub(super) masters: &'s MasterStyles,
    /// Colour scheme of the slide.
    pub(super) scheme: &'s Scheme,
    /// Fonts, to which styles refer by number.
    pub(super) fonts: &'s [Font],
    /// Targets of links, by their numbers.
    pub(super) links: &'s HashMap<u32, Box<str>>,
    /// Contents of the fields.
    pub(super) furniture: &'s HeaderFooter,
}

/// Reads the texts among records, in order.
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
            // The low bytes of UTF-16.
            kind::TEXT_BYTES => {
                text.units = record.data.0.iter().map(|byte| u16::from(*byte)).collect();
            }
            kind::TEXT_STYLES => text.styles = record,
            // The action comes before the range of text to which it belongs.
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

/// Returns the kind of the field whose offset a record states. `None` for other records.
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
    /// Converts the text to paragraphs. The styles of paragraphs and the styles of runs are two lists; each entry
    /// states a length and the properties that override those of the master.
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
        // A carriage return ends a paragraph.
        while at < len {
            let mark = self.units[at..].iter().position(|unit| *unit == 0x0d);
            let end = mark.map_or(len, |mark| at + mark);
            let (level, own) = style_at(&of_paragraphs, at);
            let (mut style, base) = setting.masters.level(self.of, level);
            style.apply(&own);
            let mut paragraph = setting.paragraph(level, &style);
            // The paragraph is divided at each change of style, and at the beginning and end of each link.
            let mut from = at;
            while from < end {
                let (own, to) = stretch_at(&of_runs, from, end);
                let (link, to) = self.link_at(from, to);
                let mut run = base.clone();
                run.apply(&own);
                let mut look = setting.computed_style(&run);
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
            // The paragraph mark has the style at its own position.
            let mut last = base;
            last.apply(&style_at(&of_runs, end.min(len.saturating_sub(1))));
            paragraph.look = Rc::new(setting.computed_style(&last));
            let is_blank = paragraph.is_blank();
            paragraph.bullet = setting.bullet(&style, is_blank);
            paragraph.bullet_look = setting.bullet_look(&style);
            paragraphs.push(paragraph);
            at = end + 1;
        }
        paragraphs
    }

    /// Returns the link at a position, and the end of the text with the same link, at most `limit`.
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

    /// Adds the runs of a range with a single style: text, line breaks and fields. Fields replace the character at
    /// their position.
    fn add_runs(
        &self,
        from: usize,
        to: usize,
        look: &Rc<ComputedStyle>,
        furniture: &HeaderFooter,
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
                // A date without a fixed value is the current date, which is left out.
                (Some((_, field)), _) => {
                    let value = match field {
                        Field::Date => furniture.date.as_deref(),
                        Field::Footer => furniture.footer.as_deref(),
                        Field::Number | Field::Other => None,
                    };
                    value.map(|value| Words::Text(value.to_owned()))
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
    /// Converts a paragraph style. Negative spacing is in master units, positive spacing is a percentage of a line.
    fn paragraph(&self, level: u16, style: &ParagraphStyle) -> Paragraph {
        let spacing = |value: Option<i16>, default: f64| match value {
            None => Spacing::Lines(default),
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

    /// Returns the bullet of a paragraph. Empty paragraphs have none.
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

    /// Returns the style of a bullet. Its size is in points if negative, otherwise a percentage of the text's size.
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

    /// Converts a run style. The default size is 18 points.
    fn computed_style(&self, style: &RunStyle) -> ComputedStyle {
        let size = style.size.filter(|size| *size > 0).unwrap_or(18);
        ComputedStyle {
            font: style.font.and_then(|font| self.font(font)),
            size: f64::from(size.min(4000)),
            bold: style.bold == Some(true),
            italic: style.italic == Some(true),
            underlined: style.underlined == Some(true),
            raised: f64::from(style.raised.unwrap_or(0).clamp(-100, 100)) / 100.0,
            // The second colour of a scheme is the colour of text.
            colour: self.scheme.of_text(style.colour.unwrap_or(0x0100_0000)),
            ..ComputedStyle::default()
        }
    }

    /// Returns the name of a font.
    fn font(&self, number: u16) -> Option<Rc<str>> {
        self.face(number).map(|font| font.name.clone())
    }

    /// Finds a font by its number.
    fn face(&self, number: u16) -> Option<&Font> {
        self.fonts.get(usize::from(number))
    }
}

/// Returns the character that a bullet in a symbol font shows, or the default bullet for unknown codes.
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

/// Reads the list of lengths and properties of a text. The sum of the lengths is one more than the length of the
/// text.
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

/// Returns the properties at a position.
fn style_at<S: Clone + Default>(all: &[(usize, S)], at: usize) -> S {
    let found = all.partition_point(|(end, _)| *end <= at);
    all.get(found)
        .map(|(_, style)| style.clone())
        .unwrap_or_default()
}

/// Returns the properties at a position, and the end of their range, at most `limit`.
fn stretch_at<S: Clone + Default>(all: &[(usize, S)], at: usize, limit: usize) -> (S, usize) {
    let found = all.partition_point(|(end, _)| *end <= at);
    let end = all.get(found).map_or(limit, |(end, _)| (*end).min(limit));
    (style_at(all, at), end)
}
