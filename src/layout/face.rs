//! A font face: shapes words, and measures them. Does not choose fonts.
//!
//! Shaping is the most expensive step of layout, so text is shaped word by word, and each different word only once. A
//! document of a hundred pages has about five thousand different words. All measures are in units of the font, so a
//! shaped word can be used at every size.

use super::{
    measures::Measures,
    word::{Glyph, Word},
};
use crate::fonts::{named::Widths, used::Font};
use harfrust::{
    Direction, Feature, Language, Script, ShapeOptions, ShapePlan, ShapePlanKey, ShaperData, Tag,
    UnicodeBuffer, script,
};
use skrifa::{
    MetadataProvider,
    charmap::Charmap,
    instance::{LocationRef, Size},
};
use std::{collections::HashMap, rc::Rc};

/// Limit on the shaped words that are cached for one setting and language. A full cache is emptied.
const MAX_WORDS: usize = 10_000;

/// Replaces characters that no font has.
const REPLACEMENT: char = '\u{fffd}';

/// A font after parsing.
pub struct Face<'f> {
    /// The font file, and the glyphs that the document uses.
    pub font: Font<'f>,
    shaper: ShaperData,
    /// Shaping plans, one for each script, direction, language and feature set.
    plans: Vec<ShapePlan>,
    charmap: Charmap<'f>,
    /// Cache of shaped words, one for each setting and language.
    words: Vec<Words>,
}

/// Settings that shaped words depend on, in addition to their language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Index of the [`Measures`] that give the widths.
    pub measures: u16,
    /// Whether text runs from right to left.
    pub backwards: bool,
    pub joining: Joining,
}

/// Kerning and ligatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joining {
    /// Whether pairs of letters are kerned (`kern`).
    pub(crate) kerned: bool,
    /// Whether letters form optional ligatures (`liga`, `clig`, `calt`) in scripts that do not need them. Other scripts
    /// always get these ligatures.
    pub ligated: bool,
}

impl Joining {
    /// Kerning, and all ligatures.
    pub const FINE: Self = Self {
        kerned: true,
        ligated: true,
    };
}

/// Shaped words of one setting and language.
struct Words {
    setting: Setting,
    language: Option<Box<str>>,
    shaped: HashMap<Box<str>, Rc<Word>>,
}

/// Turns kerning off.
const UNKERNED: Feature = off(b"kern");

/// Turns optional ligatures off.
const UNLIGATED: [Feature; 3] = [off(b"liga"), off(b"clig"), off(b"calt")];

/// A value that turns an OpenType feature off for the whole text.
const fn off(tag: &[u8; 4]) -> Feature {
    Feature {
        tag: Tag::new(tag),
        value: 0,
        start: 0,
        end: u32::MAX,
    }
}

/// Returns whether text of a script is correct without ligatures. In other scripts, such as Arabic, ligatures may be
/// necessary.
fn is_plain(script: Script) -> bool {
    [
        script::LATIN,
        script::GREEK,
        script::CYRILLIC,
        script::COMMON,
    ]
    .contains(&script)
}

impl<'f> Face<'f> {
    /// Reads an OpenType file. `None` if the file is not readable, or has no outlines.
    pub fn read(data: &'f [u8]) -> Option<Self> {
        let font = Font::read(data)?;
        Some(Self {
            shaper: ShaperData::new(font.font()),
            plans: Vec::new(),
            charmap: font.font().charmap(),
            words: Vec::new(),
            font,
        })
    }

    /// Units per em.
    pub fn units(&self) -> f32 {
        self.font.units()
    }

    /// Returns whether the font has a glyph for a character.
    pub fn has(&self, character: char) -> bool {
        self.charmap
            .map(character)
            .is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// Advance of the glyph for a character, in units of the font.
    pub fn width(&self, character: char) -> Option<i32> {
        let glyph = self.charmap.map(character)?.to_u32();
        (glyph != 0).then(|| self.font.advance(glyph as u16))
    }

    /// Bounds of the glyph for a character, in units of the font: left, bottom, right, top.
    pub(crate) fn bounds(&self, character: char) -> Option<[f32; 4]> {
        let glyph = self.charmap.map(character)?;
        let metrics = (self.font.font()).glyph_metrics(Size::unscaled(), LocationRef::default());
        let bounds = metrics.bounds(glyph)?;
        Some([bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max])
    }

    /// Shapes a word, or finds it in the cache. Takes a buffer for shaping, and returns it for the next word.
    ///
    /// After shaping, each glyph is paired with the part of the text that it represents, so that the text can be
    /// extracted from a PDF. If a cluster has one glyph, the glyph represents the whole text of the cluster. If a
    /// cluster has as many glyphs as characters, each glyph represents one character, in the order of the text. In all
    /// other clusters, the first glyph gets the whole text, and the word is marked as opaque. Finally, if this font
    /// replaces another font, glyphs get the widths of that font.
    pub fn word(
        &mut self,
        text: &str,
        setting: Setting,
        measures: &Measures,
        language: Option<&str>,
        mut buffer: UnicodeBuffer,
    ) -> (Rc<Word>, UnicodeBuffer) {
        let backwards = setting.backwards;
        let known = self.words(setting, language);
        if let Some(word) = self.words[known].shaped.get(text) {
            return (word.clone(), buffer);
        }
        buffer.push_str(text);
        let direction = if backwards {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        };
        // The buffer guesses the script from the text; direction and language are known.
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        let language = language.and_then(Language::new);
        if let Some(language) = language.clone() {
            buffer.set_language(language);
        }
        let script = buffer.script();
        let mut features = Vec::new();
        if !setting.joining.kerned {
            features.push(UNKERNED);
        }
        if !setting.joining.ligated && is_plain(script) {
            features.extend(UNLIGATED);
        }
        let plan = self.plan(script, direction, language.as_ref(), &features);
        let options = ShapeOptions::new().plan(Some(&self.plans[plan]));
        let shaper = self.shaper.shaper(self.font.font()).build();
        let shaped = shaper.shape(buffer, options.features(&features));
        // The end of each cluster, which is the start of the next cluster in the text.
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
            // Number of glyphs in this glyph's cluster, and the position of the glyph among them, in the order of the
            // text.
            let same = |other: &harfrust::GlyphInfo| other.cluster == info.cluster;
            let count = infos.iter().filter(|other| same(other)).count();
            let nth = infos[..at].iter().filter(|other| same(other)).count();
            let nth = if backwards { count - 1 - nth } else { nth };
            let part = text_of_glyph(cluster, count, nth).unwrap_or_else(|| {
                opaque = true;
                if nth == 0 { cluster } else { "\u{200b}" }
            });
            // A glyph without text of its own is paired with a zero width space.
            let part = if part.is_empty() { "\u{200b}" } else { part };
            let own = self.font.advance(info.glyph_id as u16);
            let mut glyph = Glyph {
                number: self.font.number(info.glyph_id as u16, part),
                start: start.min(usize::from(u16::MAX)) as u16,
                own: own as u16,
                advance: position.x_advance,
                dx: position.x_offset as i16,
                dy: position.y_offset as i16,
            };
            if !measures.is_own() {
                self.lend_width(&mut glyph, own, cluster, measures);
            }
            advance += glyph.advance;
            glyphs.push(glyph);
        }
        let word = Rc::new(Word {
            glyphs: glyphs.into(),
            text: text.into(),
            advance,
            opaque,
        });
        let words = &mut self.words[known].shaped;
        // The whole cache is emptied, because the words in use soon return to it.
        if words.len() >= MAX_WORDS {
            words.clear();
        }
        words.insert(text.into(), word.clone());
        (word, shaped.clear())
    }

    /// Gives a glyph the width that it has in the font that this font replaces. `own` is its advance in this font, and
    /// `cluster` the text of its cluster.
    fn lend_width(&self, glyph: &mut Glyph, own: i32, cluster: &str, measures: &Measures) {
        let mut characters = cluster.chars();
        let character = characters.next().filter(|_| characters.next().is_none());
        // Marks have no advance, and keep none. Kerning is the difference between the shaped advance and the font's own
        // advance. It is added to the new advance.
        if glyph.advance > 0 {
            let named = measures.advance(character, own, self.font.units());
            let drawn = (own as f32 * measures.stretch) as i32;
            // The glyph is centred in the width that it is given.
            glyph.advance = named + glyph.advance - own;
            glyph.dx = glyph.dx.saturating_add(((named - drawn) / 2) as i16);
        }
    }

    /// Replacement characters for `text`, one for each character. Each is as wide as the character that it replaces, if
    /// that width is known. `None` if this font has no replacement character.
    pub(crate) fn replacement(&mut self, text: &str, widths: Option<&Widths>) -> Option<Word> {
        let glyph = self.charmap.map(REPLACEMENT)?.to_u32() as u16;
        let own = self.font.advance(glyph);
        let units = self.font.units();
        let glyphs = text.char_indices().map(|(start, character)| {
            let known = widths.and_then(|widths| widths.of(character));
            let advance = known.map_or(own, |width| (f32::from(width) * units / 1000.0) as i32);
            Glyph {
                number: self.font.number(glyph, character.encode_utf8(&mut [0; 4])),
                start: start as u16,
                own: own as u16,
                advance,
                // The replacement character is centred in the width of the character that it replaces.
                dx: ((advance - own) / 2) as i16,
                dy: 0,
            }
        });
        let glyphs: Box<[Glyph]> = glyphs.collect();
        Some(Word {
            advance: glyphs.iter().map(|glyph| glyph.advance).sum(),
            glyphs,
            text: text.into(),
            opaque: false,
        })
    }

    /// Index of the cache for this setting and language.
    fn words(&mut self, setting: Setting, language: Option<&str>) -> usize {
        let same =
            |known: &Words| known.setting == setting && known.language.as_deref() == language;
        if let Some(at) = self.words.iter().position(same) {
            return at;
        }
        self.words.push(Words {
            setting,
            language: language.map(Into::into),
            shaped: HashMap::new(),
        });
        self.words.len() - 1
    }

    /// Index of the shaping plan for these properties. Plans are stored, because making a plan takes longer than
    /// shaping a word.
    fn plan(
        &mut self,
        script: Script,
        direction: Direction,
        language: Option<&Language>,
        features: &[Feature],
    ) -> usize {
        let key = ShapePlanKey::new(Some(script), direction)
            .language(language)
            .features(features);
        if let Some(at) = self.plans.iter().position(|plan| key.matches(plan)) {
            return at;
        }
        let shaper = self.shaper.shaper(self.font.font()).build();
        self.plans.push(ShapePlan::new(
            &shaper,
            direction,
            Some(script),
            language,
            features,
        ));
        self.plans.len() - 1
    }
}

/// The part of a cluster's text that one of its `count` glyphs represents. `None` if the text cannot be divided among
/// the glyphs.
fn text_of_glyph(cluster: &str, count: usize, nth: usize) -> Option<&str> {
    if count == 1 {
        return Some(cluster);
    }
    // Each character has a glyph, as a base letter and its marks often have.
    (cluster.chars().count() == count).then(|| {
        let mut parts = cluster
            .char_indices()
            .map(|(at, c)| (at, at + c.len_utf8()));
        parts
            .nth(nth)
            .and_then(|(from, to)| cluster.get(from..to))
            .unwrap_or_default()
    })
}
