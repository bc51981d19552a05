//! One font: shapes words, measures them, and numbers the glyphs that they show. Chooses nothing.
//!
//! Text is shaped word by word, and every word only once: a document of a hundred pages has some five thousand different ones,
//! and shaping is what layout costs most. Measures are in units of the font, so a word serves at every size.
//!
//! A PDF shows glyphs by numbers (CIDs) that its writer chooses. Each pair of a glyph and the text that it stands for gets a CID
//! of its own here, so that copied text is exact also where a font draws different characters with one glyph.

use super::word::{Glyph, Word};
use harfrust::{
    Direction, FontRef, Language, Script, ShapeOptions, ShapePlan, ShapePlanKey, ShaperData,
    UnicodeBuffer,
};
use skrifa::{
    MetadataProvider,
    charmap::Charmap,
    instance::{LocationRef, Size},
    metrics::{GlyphMetrics, Metrics},
};
use std::{collections::HashMap, rc::Rc};

/// The largest number of shaped words that are kept. When there are more, all are dropped.
const MAX_WORDS: usize = 10_000;
/// The character that is shown for one that no font has.
const REPLACEMENT: char = '\u{fffd}';

/// The format of the outlines of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlines {
    /// TrueType outlines, in the table `glyf`.
    TrueType,
    /// PostScript outlines, in the table `CFF `.
    PostScript,
}

impl Outlines {
    /// `None` if it has neither, as fonts that hold only bitmaps do.
    fn of(font: &FontRef<'_>) -> Option<Self> {
        let has = |tag: &[u8; 4]| font.table_data(skrifa::Tag::new(tag)).is_some();
        match () {
            () if has(b"glyf") => Some(Self::TrueType),
            () if has(b"CFF ") => Some(Self::PostScript),
            () => None,
        }
    }
}

/// A font that has been read.
pub(super) struct Face {
    data: &'static [u8],
    font: FontRef<'static>,
    shaper: ShaperData,
    plans: Vec<ShapePlan>,
    charmap: Charmap<'static>,
    widths: GlyphMetrics<'static>,
    pub(super) metrics: Metrics,
    pub(super) outlines: Outlines,
    /// For each direction and language.
    words: Vec<Words>,
    cids: HashMap<u16, Vec<u16>>,
    /// The glyph and text of each CID, from 1.
    pub(super) shown: Vec<(u16, Box<str>)>,
}

/// Words of one direction and language that have been shaped.
struct Words {
    backwards: bool,
    language: Option<Box<str>>,
    shaped: HashMap<Box<str>, Rc<Word>>,
}

impl Face {
    /// Reads an OpenType file. `None` if it is not readable, or has no outlines.
    pub(super) fn read(data: &'static [u8]) -> Option<Self> {
        let font = FontRef::from_index(data, 0).ok()?;
        let outlines = Outlines::of(&font)?;
        let (size, location) = (Size::unscaled(), LocationRef::default());
        Some(Self {
            data,
            shaper: ShaperData::new(&font),
            plans: Vec::new(),
            charmap: font.charmap(),
            widths: font.glyph_metrics(size, location),
            metrics: font.metrics(size, location),
            words: Vec::new(),
            cids: HashMap::new(),
            shown: Vec::new(),
            outlines,
            font,
        })
    }

    /// The font, an OpenType file.
    pub(super) fn data(&self) -> &'static [u8] {
        self.data
    }

    /// The font's PostScript name.
    pub(super) fn name(&self) -> String {
        let names = self
            .font
            .localized_strings(skrifa::string::StringId::POSTSCRIPT_NAME);
        let name = names
            .english_or_first()
            .map(|name| name.to_string())
            .unwrap_or_default();
        let name: String = name
            .chars()
            .filter(|c: &char| c.is_ascii_alphanumeric() || *c == '-')
            .take(60)
            .collect();
        if name.is_empty() {
            "Font".to_owned()
        } else {
            name
        }
    }

    pub(super) fn is_bold(&self) -> bool {
        self.font.attributes().weight.value() >= 600.0
    }

    pub(super) fn units(&self) -> f32 {
        f32::from(self.metrics.units_per_em.max(1))
    }

    pub(super) fn advance(&self, glyph: u16) -> i32 {
        self.widths
            .advance_width(skrifa::GlyphId::from(glyph))
            .unwrap_or(0.0) as i32
    }

    pub(super) fn has(&self, character: char) -> bool {
        self.charmap
            .map(character)
            .is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// Shapes a word, and gives the buffer back.
    pub(super) fn word(
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
        let shaper = self.shaper.shaper(&self.font).build();
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
                cid: self.cid(info.glyph_id as u16, part),
                start: start.min(usize::from(u16::MAX)) as u16,
                own: self.advance(info.glyph_id as u16) as u16,
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
    pub(super) fn replacement(&mut self, text: &str) -> Option<Word> {
        let glyph = self.charmap.map(REPLACEMENT)?.to_u32() as u16;
        let advance = self.advance(glyph);
        let glyphs = text.char_indices().map(|(start, character)| Glyph {
            cid: self.cid(glyph, character.encode_utf8(&mut [0; 4])),
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
        let shaper = self.shaper.shaper(&self.font).build();
        self.plans.push(ShapePlan::new(
            &shaper,
            direction,
            Some(script),
            language,
            &[],
        ));
        self.plans.len() - 1
    }

    /// The CID of a glyph that stands for `text`. There are at most 65,535; beyond that, the missing glyph is shown. A font with
    /// PostScript outlines assigns CIDs to its glyphs itself, so that each glyph has only one.
    fn cid(&mut self, glyph: u16, text: &str) -> u16 {
        let known = self.cids.entry(glyph).or_default();
        if let (Outlines::PostScript, Some(cid)) = (self.outlines, known.first()) {
            return *cid;
        }
        let said = |cid: &&u16| &*self.shown[usize::from(**cid) - 1].1 == text;
        if let Some(cid) = known.iter().find(said) {
            return *cid;
        }
        let Ok(cid) = u16::try_from(self.shown.len() + 1) else {
            return 0;
        };
        self.shown.push((glyph, text.into()));
        known.push(cid);
        cid
    }
}
