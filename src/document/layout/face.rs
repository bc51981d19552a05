//! One font: shapes words, and measures them. Chooses nothing.
//!
//! Text is shaped word by word, and every word only once: a document of a hundred pages has some five thousand different ones,
//! and shaping is what layout costs most. Measures are in units of the font, so a word serves at every size.

use super::word::{Glyph, Word};
use crate::fonts::used::Font;
use harfrust::{
    Direction, Language, Script, ShapeOptions, ShapePlan, ShapePlanKey, ShaperData, UnicodeBuffer,
};
use skrifa::{MetadataProvider, charmap::Charmap};
use std::{collections::HashMap, rc::Rc};

/// The largest number of shaped words that are kept. When there are more, all are dropped.
const MAX_WORDS: usize = 10_000;
/// The character that is shown for one that no font has.
const REPLACEMENT: char = '\u{fffd}';

/// A font that has been read.
pub(crate) struct Face {
    pub(crate) font: Font<'static>,
    shaper: ShaperData,
    plans: Vec<ShapePlan>,
    charmap: Charmap<'static>,
    /// For each direction and language.
    words: Vec<Words>,
}

/// Words of one direction and language that have been shaped.
struct Words {
    backwards: bool,
    language: Option<Box<str>>,
    shaped: HashMap<Box<str>, Rc<Word>>,
}

impl Face {
    /// Reads an OpenType file. `None` if it is not readable, or has no outlines.
    pub(crate) fn read(data: &'static [u8]) -> Option<Self> {
        let font = Font::read(data)?;
        Some(Self {
            shaper: ShaperData::new(font.font()),
            plans: Vec::new(),
            charmap: font.font().charmap(),
            words: Vec::new(),
            font,
        })
    }

    pub(crate) fn units(&self) -> f32 {
        self.font.units()
    }

    pub(crate) fn has(&self, character: char) -> bool {
        self.charmap
            .map(character)
            .is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// Shapes a word, and gives the buffer back.
    pub(crate) fn word(
        &mut self,
        text: &str,
        backwards: bool,
        language: Option<&str>,
        mut buffer: UnicodeBuffer,
    ) -> (Rc<Word>, UnicodeBuffer) {
        let known = self.words(backwards, language);
        if let Some(word) = self.words[known].shaped.get(text) {
            return (word.clone(), buffer);
        }
        buffer.push_str(text);
        let direction = if backwards {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        };
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        let language = language.and_then(Language::new);
        if let Some(language) = language.clone() {
            buffer.set_language(language);
        }
        let script = buffer.script();
        let plan = self.plan(script, direction, language.as_ref());
        let shaper = self.shaper.shaper(self.font.font()).build();
        let shaped = shaper.shape(buffer, ShapeOptions::new().plan(Some(&self.plans[plan])));
        let mut ends: Vec<usize> = shaped
            .glyph_infos()
            .iter()
            .map(|glyph| glyph.cluster as usize)
            .collect();
        ends.push(text.len());
        ends.sort_unstable();
        ends.dedup();
        let (mut glyphs, mut opaque, mut advance) = (Vec::with_capacity(shaped.len()), false, 0);
        let infos = shaped.glyph_infos();
        for (at, (info, position)) in infos.iter().zip(shaped.glyph_positions()).enumerate() {
            let start = info.cluster as usize;
            let end = ends
                .iter()
                .find(|end| **end > start)
                .copied()
                .unwrap_or(text.len());
            let cluster = text.get(start..end).unwrap_or_default();
            let same = |other: &harfrust::GlyphInfo| other.cluster == info.cluster;
            let count = infos.iter().filter(|other| same(other)).count();
            let nth = infos[..at].iter().filter(|other| same(other)).count();
            let nth = if backwards { count - 1 - nth } else { nth };
            let part = match count {
                1 => cluster,
                // A letter and its marks, each with a glyph.
                _ if cluster.chars().count() == count => {
                    let mut parts = cluster
                        .char_indices()
                        .map(|(at, c)| (at, at + c.len_utf8()));
                    parts
                        .nth(nth)
                        .and_then(|(from, to)| cluster.get(from..to))
                        .unwrap_or_default()
                }
                _ => {
                    opaque = true;
                    if nth == 0 { cluster } else { "\u{200b}" }
                }
            };
            let part = if part.is_empty() { "\u{200b}" } else { part };
            glyphs.push(Glyph {
                number: self.font.number(info.glyph_id as u16, part),
                start: start.min(usize::from(u16::MAX)) as u16,
                own: self.font.advance(info.glyph_id as u16) as u16,
                advance: position.x_advance,
                dx: position.x_offset as i16,
                dy: position.y_offset as i16,
            });
            advance += position.x_advance;
        }
        let word = Rc::new(Word {
            glyphs: glyphs.into(),
            text: text.into(),
            advance,
            opaque,
        });
        let words = &mut self.words[known].shaped;
        if words.len() >= MAX_WORDS {
            words.clear();
        }
        words.insert(text.into(), word.clone());
        (word, shaped.clear())
    }

    /// The sign for characters that no font has, standing for `text`. None if this font has no such sign.
    pub(crate) fn replacement(&mut self, text: &str) -> Option<Word> {
        let glyph = self.charmap.map(REPLACEMENT)?.to_u32() as u16;
        let advance = self.font.advance(glyph);
        let glyphs = text.char_indices().map(|(start, character)| Glyph {
            number: self.font.number(glyph, character.encode_utf8(&mut [0; 4])),
            start: start as u16,
            own: advance as u16,
            advance,
            dx: 0,
            dy: 0,
        });
        let glyphs: Box<[Glyph]> = glyphs.collect();
        Some(Word {
            advance: advance * glyphs.len() as i32,
            glyphs,
            text: text.into(),
            opaque: false,
        })
    }

    fn words(&mut self, backwards: bool, language: Option<&str>) -> usize {
        let same =
            |known: &Words| known.backwards == backwards && known.language.as_deref() == language;
        if let Some(at) = self.words.iter().position(same) {
            return at;
        }
        self.words.push(Words {
            backwards,
            language: language.map(Into::into),
            shaped: HashMap::new(),
        });
        self.words.len() - 1
    }

    fn plan(&mut self, script: Script, direction: Direction, language: Option<&Language>) -> usize {
        let key = ShapePlanKey::new(Some(script), direction).language(language);
        if let Some(at) = self.plans.iter().position(|plan| key.matches(plan)) {
            return at;
        }
        let shaper = self.shaper.shaper(self.font.font()).build();
        self.plans.push(ShapePlan::new(
            &shaper,
            direction,
            Some(script),
            language,
            &[],
        ));
        self.plans.len() - 1
    }
}
