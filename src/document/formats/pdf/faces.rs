//! The fonts of one document: which face shows which character, and what its letters measure. Draws nothing.
//!
//! Text is shaped word by word, and every word only once: a document of a hundred pages has some five thousand different ones,
//! and shaping is what layout costs most. Measures are in units of the font, so a word serves at every size.
//!
//! A PDF shows glyphs by numbers (CIDs) that its writer chooses. Each pair of a glyph and the text that it stands for gets a CID
//! of its own here, so that copied text is exact also where a font draws different characters with one glyph.

use super::families;
use crate::fonts::{Family, SIGNS, TEXT, more};
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

/// Shaped words that are kept, at most; with more, all are forgotten.
const MAX_WORDS: usize = 10_000;
/// Stands for a character that no font has.
const REPLACEMENT: char = '\u{fffd}';

/// Which face of [`Faces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FaceId(pub(super) u16);

/// A face, and what has to be done to it to look as asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chosen {
    pub(super) face: FaceId,
    /// Drawn slanted, since the family has no slanted face.
    pub(super) slant: bool,
    /// Drawn with thicker strokes, since the family has no bold face.
    pub(super) embolden: bool,
}

/// A glyph of a shaped word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// What the PDF calls it.
    pub(super) cid: u16,
    /// Where its cluster begins in the word's text.
    pub(super) start: u16,
    /// Its own width, in units of the font.
    pub(super) own: u16,
    /// How far the next one is, in units of the font: its width, and what the pair of them wants.
    pub(super) advance: i32,
    /// Where it is drawn, from where it would be, in units of the font.
    pub(super) dx: i16,
    pub(super) dy: i16,
}

/// Text without a line break in it, in one face.
#[derive(Debug)]
pub(super) struct Word {
    /// From left to right, as they are drawn.
    pub(super) glyphs: Box<[Glyph]>,
    /// What it says.
    pub(super) text: Box<str>,
    /// The sum of all advances, in units of the font.
    pub(super) advance: i32,
    /// Its glyphs do not tell its text, so the PDF has to.
    pub(super) opaque: bool,
}

impl Word {
    /// The word in two, in front of the cluster that `at` (in its text) lies in or begins.
    pub(super) fn split(&self, at: usize) -> (Self, Self) {
        let starts = self.glyphs.iter().map(|glyph| usize::from(glyph.start));
        let at = starts.filter(|start| *start <= at).max().unwrap_or(0);
        let part = |keep: &dyn Fn(usize) -> bool, text: &str, shift: usize| {
            let kept = self
                .glyphs
                .iter()
                .filter(|glyph| keep(usize::from(glyph.start)));
            let glyphs: Box<[Glyph]> = kept
                .map(|glyph| Glyph {
                    start: (usize::from(glyph.start) - shift) as u16,
                    ..*glyph
                })
                .collect();
            Self {
                advance: glyphs.iter().map(|glyph| glyph.advance).sum(),
                glyphs,
                text: text.into(),
                opaque: self.opaque,
            }
        };
        let (head, tail) = self.text.split_at(at);
        (
            part(&|start| start < at, head, 0),
            part(&|start| start >= at, tail, at),
        )
    }

    /// How many bytes of its text fit into `room` units of the font, whole clusters only, at least one cluster.
    pub(super) fn fitting(&self, room: f32) -> usize {
        let mut clusters: Vec<(usize, i32)> = Vec::new();
        for glyph in &self.glyphs {
            let start = usize::from(glyph.start);
            match clusters.iter_mut().find(|(known, _)| *known == start) {
                Some((_, advance)) => *advance += glyph.advance,
                None => clusters.push((start, glyph.advance)),
            }
        }
        clusters.sort_unstable();
        let mut used = 0.0;
        for (index, (start, advance)) in clusters.iter().enumerate() {
            used += *advance as f32;
            if used > room && index > 0 {
                return *start;
            }
        }
        self.text.len()
    }
}

/// How the shapes of a font's letters are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlines {
    /// As TrueType has them, in the table `glyf`.
    TrueType,
    /// As PostScript has them, in the table `CFF `.
    PostScript,
}

impl Outlines {
    /// None if it has neither, as fonts of nothing but pictures do.
    fn of(font: &FontRef<'_>) -> Option<Self> {
        let has = |tag: &[u8; 4]| font.table_data(skrifa::Tag::new(tag)).is_some();
        match () {
            () if has(b"glyf") => Some(Self::TrueType),
            () if has(b"CFF ") => Some(Self::PostScript),
            () => None,
        }
    }
}

/// The operator's font that has one of these names, separated by commas as in CSS.
fn own(names: &str) -> Option<Family> {
    if more::all().is_empty() {
        return None;
    }
    let found = names.split(',').find_map(|name| {
        let name = name.trim().trim_matches(['"', '\'']).to_lowercase();
        more::named(&name)
    });
    found.map(|at| Family::More(at as u16))
}

/// A font, ready to be measured.
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

/// How a font differs from others of its family.
struct Style {
    bold: bool,
    italic: bool,
}

impl Style {
    /// How close it comes to what is asked for.
    fn rank(&self, bold: bool, italic: bool) -> u8 {
        2 * u8::from(self.bold == bold) + u8::from(self.italic == italic)
    }
}

/// How many fonts are compiled in. The operator's own are numbered behind them.
const EMBEDDED: usize = TEXT.len() + 1;

/// The fonts of a family, with their numbers.
fn fonts(family: Family) -> Vec<(usize, Style)> {
    let style = |bold, italic| Style { bold, italic };
    let Family::More(first) = family else {
        let embedded = TEXT.iter().chain([&SIGNS]).enumerate();
        let of_family = embedded.filter(|(_, font)| font.family == family);
        return of_family
            .map(|(at, font)| (at, style(font.bold, font.italic)))
            .collect();
    };
    let Some(first) = more::all().get(usize::from(first)) else {
        return Vec::new();
    };
    let same = |font: &more::Font| font.facts().names == first.facts().names;
    let all = more::all().iter().enumerate();
    all.filter(|(_, font)| same(font))
        .map(|(at, font)| (EMBEDDED + at, style(font.facts().bold, font.facts().italic)))
        .collect()
}

/// All faces that a document uses.
pub(super) struct Faces {
    faces: Vec<Face>,
    /// The face of each font, by the font's number.
    loaded: HashMap<usize, Option<FaceId>>,
    /// The face of the operator's fonts that shows a character.
    covering: HashMap<(char, bool, bool), Option<FaceId>>,
    families: HashMap<Box<str>, Family>,
    buffer: Option<UnicodeBuffer>,
    /// Scripts with characters that no font has, and how many of those there were.
    missing: Vec<(&'static str, usize)>,
}

impl Faces {
    pub(super) fn new() -> Self {
        Self {
            faces: Vec::new(),
            loaded: HashMap::new(),
            covering: HashMap::new(),
            families: HashMap::new(),
            buffer: Some(UnicodeBuffer::new()),
            missing: Vec::new(),
        }
    }

    /// The family for text whose source names these fonts; `otherwise`, if nothing is known about them.
    pub(super) fn family(&mut self, names: &str, otherwise: Family) -> Family {
        if let Some(family) = self.families.get(names) {
            return *family;
        }
        let family = own(names)
            .or_else(|| families::family(names))
            .unwrap_or(otherwise);
        self.families.insert(names.into(), family);
        family
    }

    /// The face that comes closest.
    pub(super) fn choose(&mut self, family: Family, bold: bool, italic: bool) -> Option<Chosen> {
        let mut fonts = fonts(family);
        fonts.sort_by_key(|(_, font)| std::cmp::Reverse(font.rank(bold, italic)));
        let loaded = fonts
            .iter()
            .find_map(|(at, font)| Some((self.load(*at)?, font)));
        let Some((face, font)) = loaded else {
            // A file that claims to be a font, and is none.
            let is_own = matches!(family, Family::More(_));
            return is_own.then(|| self.choose(Family::Sans, bold, italic))?;
        };
        Some(Chosen {
            face,
            slant: italic && !font.italic,
            embolden: bold && !font.bold,
        })
    }

    fn load(&mut self, at: usize) -> Option<FaceId> {
        if let Some(face) = self.loaded.get(&at) {
            return *face;
        }
        let face = self.read(at);
        self.loaded.insert(at, face);
        face
    }

    fn read(&mut self, at: usize) -> Option<FaceId> {
        let data = match at.checked_sub(EMBEDDED) {
            Some(own) => more::all().get(own)?.data()?,
            None => TEXT.iter().chain([&SIGNS]).nth(at)?.data(),
        };
        let font = FontRef::from_index(data, 0).ok()?;
        let outlines = Outlines::of(&font)?;
        let id = FaceId(self.faces.len() as u16);
        let (size, location) = (Size::unscaled(), LocationRef::default());
        self.faces.push(Face {
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
        });
        Some(id)
    }

    pub(super) fn face(&self, id: FaceId) -> &Face {
        &self.faces[usize::from(id.0)]
    }

    /// All faces that were chosen so far, with their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = (FaceId, &Face)> {
        (0..).map(FaceId).zip(&self.faces)
    }

    /// What has to be shown for a character, and in which face: in the chosen one, if it can, or another one. A character
    /// that no font has is shown as a sign that says so, and is counted.
    pub(super) fn cover(
        &mut self,
        character: char,
        chosen: Chosen,
        family: Family,
        bold: bool,
        italic: bool,
    ) -> Chosen {
        if character.is_ascii() || self.face(chosen.face).has(character) {
            return chosen;
        }
        for other in [Family::Sans, Family::Serif, Family::Signs] {
            if other == family {
                continue;
            }
            if let Some(chosen) = self.choose(other, bold, italic)
                && self.face(chosen.face).has(character)
            {
                return chosen;
            }
        }
        match self.covering(character, bold, italic) {
            Some(face) => Chosen {
                face,
                slant: false,
                embolden: false,
            },
            None => chosen,
        }
    }

    /// The face of the operator's fonts that has a character, and comes closest.
    fn covering(&mut self, character: char, bold: bool, italic: bool) -> Option<FaceId> {
        if more::all().is_empty() {
            return None;
        }
        if let Some(known) = self.covering.get(&(character, bold, italic)) {
            return *known;
        }
        let all = more::all().iter().enumerate();
        let mut having: Vec<_> = all.filter(|(_, font)| font.has(character)).collect();
        having.sort_by_key(|(_, font)| {
            let facts = font.facts();
            let style = Style {
                bold: facts.bold,
                italic: facts.italic,
            };
            std::cmp::Reverse(style.rank(bold, italic))
        });
        let face = having.iter().find_map(|(at, _)| self.load(EMBEDDED + at));
        self.covering.insert((character, bold, italic), face);
        face
    }

    /// Whether any face shows it.
    pub(super) fn shows(&self, character: char, chosen: Chosen) -> bool {
        self.face(chosen.face).has(character)
    }

    /// Counts a character that no font has.
    pub(super) fn miss(&mut self, script: &'static str) {
        match self.missing.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => self.missing.push((script, 1)),
        }
    }

    /// Scripts with characters that no font has, and how many.
    pub(super) fn missing(&self) -> &[(&'static str, usize)] {
        &self.missing
    }

    /// Shapes a word.
    pub(super) fn word(
        &mut self,
        face: FaceId,
        text: &str,
        backwards: bool,
        language: Option<&str>,
    ) -> Rc<Word> {
        let buffer = self.buffer.take().unwrap_or_default();
        let face = &mut self.faces[usize::from(face.0)];
        let (word, buffer) = face.word(text, backwards, language, buffer);
        self.buffer = Some(buffer);
        word
    }

    /// The sign for characters that no font has, standing for `text`.
    pub(super) fn replacement(&mut self, text: &str) -> Option<(FaceId, Rc<Word>)> {
        let chosen = self.choose(Family::Signs, false, false)?;
        let face = &mut self.faces[usize::from(chosen.face.0)];
        let glyph = face.charmap.map(REPLACEMENT)?.to_u32() as u16;
        let advance = face.advance(glyph);
        let glyphs = text.char_indices().map(|(start, character)| Glyph {
            cid: face.cid(glyph, character.encode_utf8(&mut [0; 4])),
            start: start as u16,
            own: advance as u16,
            advance,
            dx: 0,
            dy: 0,
        });
        let glyphs: Box<[Glyph]> = glyphs.collect();
        let word = Word {
            advance: advance * glyphs.len() as i32,
            glyphs,
            text: text.into(),
            opaque: false,
        };
        Some((chosen.face, Rc::new(word)))
    }
}

impl Face {
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

    fn has(&self, character: char) -> bool {
        self.charmap
            .map(character)
            .is_some_and(|glyph| glyph.to_u32() != 0)
    }

    fn word(
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

    /// The CID of a glyph that stands for `text`. There are 65,535 at most; what comes later is shown as a missing glyph.
    /// A font with PostScript's outlines names its glyphs by CIDs itself, so that each glyph has one alone.
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
