//! The fonts of one document, and the face for each character. Does not draw, and leaves measuring to the faces.

mod cover;

use super::{
    face::{Face, Joining, Setting},
    measures::Measures,
    word::Word,
};
use crate::fonts::{
    Family, SIGNS, TEXT, families,
    more::{
        self,
        choice::{Region, Wish},
    },
    named,
};
use harfrust::UnicodeBuffer;
use std::{collections::HashMap, rc::Rc};

/// Index of a face in [`Faces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaceId(pub u16);

/// A face, and the styles that are synthesised because its family has no face with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The face that text is drawn with.
    pub face: FaceId,
    /// Index of the [`Measures`] of text in this face.
    pub measures: u16,
    /// Whether letters are drawn slanted, because the family has no slanted face.
    pub slant: bool,
    /// Whether letters are drawn with thicker strokes, because the family has no bold face.
    pub embolden: bool,
}

/// The family of the operator's font that has the first known one of these names, which are separated by commas, as in
/// CSS, or by semicolons.
fn own(names: &str) -> Option<Family> {
    if more::all().is_empty() {
        return None;
    }
    let found = names.split([',', ';']).find_map(|name| {
        let name = name.trim().trim_matches(['"', '\'']).to_lowercase();
        more::named(&name)
    });
    found.map(|at| Family::More(at as u16))
}

/// Properties that distinguish the fonts of a family.
#[derive(Clone, Copy)]
struct Style {
    bold: bool,
    italic: bool,
    /// Differences between the font's width class and weight and the requested ones; 0 for compiled-in fonts.
    off: (u16, u16),
}

impl Style {
    /// Distance from the requested style; the smallest one is the best.
    fn distance(&self, bold: bool, italic: bool) -> impl Ord + use<> {
        (self.off, self.bold != bold, self.italic != italic)
    }
}

/// Number of compiled-in fonts, whose indices are below this number. The indices of the operator's fonts begin at this
/// number.
const EMBEDDED: usize = TEXT.len() + 1;
/// Index of the first font that a document embeds. It is higher than the index of any other font can be.
const BROUGHT: usize = 1 << 20;

/// A request for a font, by the properties of a text.
#[derive(Clone, Copy)]
pub struct FontRequest<'l> {
    pub family: Family,
    pub bold: bool,
    pub italic: bool,
    /// Language tag of the text (BCP 47).
    pub language: Option<&'l str>,
}

/// A font that a document embeds or links to (`@font-face`; CSS Fonts 4, section 4).
pub struct DocumentFont<'f> {
    /// Name of its family, in lower case.
    pub name: Rc<str>,
    /// The lowest and the highest weight that the font covers, from 1 to 1000.
    pub weight: (u16, u16),
    pub italic: bool,
    /// Whether its `unicode-range` includes Latin letters, or is not given.
    pub is_latin: bool,
    /// The OpenType file.
    pub data: &'f [u8],
}

impl DocumentFont<'_> {
    /// Distance from the requested style; the smallest one is the best. Text with a weight above 500 prefers heavier
    /// fonts, and other text prefers lighter ones (CSS Fonts 4, section 5.2).
    fn distance(&self, weight: u16, italic: bool) -> impl Ord + use<> {
        let (low, high) = self.weight;
        let off = low.saturating_sub(weight) + weight.saturating_sub(high);
        let is_bold = weight > 500;
        let wrong_way = off > 0 && is_bold == (high < weight);
        (!self.is_latin, self.italic != italic, wrong_way, off)
    }
}

/// The named font, if only the widths of this family are known, and not its glyphs.
pub(crate) fn named_font(family: Family) -> Option<&'static named::Named> {
    match family {
        Family::Named(at) => named::all().get(usize::from(at)),
        _ => None,
    }
}

/// The family of a font whose widths are known, by the first known one of these names, which are separated by commas,
/// as in CSS, or by semicolons. `None` if no name is known, or if the first known one is only the name of a generic or
/// similar family.
fn known(names: &str) -> Option<Family> {
    let found = names.split([',', ';']).map(|name| {
        let name = name.trim().trim_matches(['"', '\'']).to_lowercase();
        // The name of a compiled-in or similar family takes precedence if it comes first.
        (named::find(&name), families::family(&name))
    });
    let mut found = found.filter(|(named, like)| named.is_some() || like.is_some());
    found.next()?.0.map(|at| Family::Named(at as u16))
}

/// The fonts of a family, with their indices. They are either all compiled-in fonts or all fonts of the operator.
fn fonts(family: Family, wants_bold: bool) -> Vec<(usize, Style)> {
    let style = |bold, italic| Style {
        bold,
        italic,
        off: (0, 0),
    };
    let family = named_font(family).map_or(family, |named| named.like);
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
    // The operator's fonts belong to one family if they have any family name in common. In a family with many weights,
    // all fonts share one name, and some fonts have further names.
    let first = first.facts();
    let weight = match wants_bold {
        true => first.weight.max(700),
        false => first.weight,
    };
    let all = more::all().iter().map(more::Font::facts).enumerate();
    let same = all.filter(|(_, font)| font.names.iter().any(|name| first.names.contains(name)));
    let style = |font: &more::Facts| Style {
        bold: font.bold || font.weight >= 600,
        italic: font.italic,
        off: (
            font.width.abs_diff(first.width),
            font.weight.abs_diff(weight),
        ),
    };
    same.map(|(at, font)| (EMBEDDED + at, style(font)))
        .collect()
}

/// All faces that a document uses.
pub struct Faces<'f> {
    faces: Vec<Face<'f>>,
    measures: Vec<Measures>,
    /// For each face, the index of its own measures in `measures`.
    own: Vec<u16>,
    /// Chosen faces by family, boldness and slant.
    chosen: HashMap<(Family, bool, bool), Option<Chosen>>,
    /// The face of each font, by the font's index. `None` if the font is not readable.
    loaded: HashMap<usize, Option<FaceId>>,
    /// Font and face for a character that the compiled-in fonts lack.
    covering: HashMap<(char, Wish), Option<(usize, FaceId)>>,
    /// Index of the measures for characters that a face of the operator provides in text of a named font, by the named
    /// font and the face.
    of_lent: HashMap<(Family, FaceId), u16>,
    /// The East Asian region of the most recent character that only one region uses.
    region: Option<Region>,
    /// Scripts for which the operator's fonts were chosen, with the names of these fonts.
    lent: Vec<(&'static str, &'static str)>,
    /// Families, by the font names that the document contains.
    families: HashMap<Box<str>, Family>,
    /// Fonts that the document embeds.
    brought: Vec<DocumentFont<'f>>,
    /// Pairs of an embedded font, by its index in `brought`, and a fallback family that text asked for.
    /// [`Family::Brought`] is an index into this list.
    wishes: Vec<(usize, Family)>,
    /// A buffer that is reused for every word.
    buffer: Option<UnicodeBuffer>,
    /// Scripts with characters that no font has, and the number of these characters.
    missing: Vec<(&'static str, usize)>,
}

impl<'f> Default for Faces<'f> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'f> Faces<'f> {
    /// Makes an empty set of faces. Each face is loaded when it is first needed.
    pub fn new() -> Self {
        Self {
            faces: Vec::new(),
            measures: Vec::new(),
            own: Vec::new(),
            chosen: HashMap::new(),
            loaded: HashMap::new(),
            covering: HashMap::new(),
            of_lent: HashMap::new(),
            region: None,
            lent: Vec::new(),
            families: HashMap::new(),
            brought: Vec::new(),
            wishes: Vec::new(),
            buffer: Some(UnicodeBuffer::new()),
            missing: Vec::new(),
        }
    }

    /// The family for text whose source names these fonts, separated by commas. Returns `otherwise` if none of the
    /// names is known.
    pub fn family(&mut self, names: &str, otherwise: Family) -> Family {
        if let Some(family) = self.families.get(names) {
            return *family;
        }
        // The operator's fonts have priority, then fonts whose widths are known, then similar families.
        let family = own(names)
            .or_else(|| known(names))
            .or_else(|| families::family(names))
            .unwrap_or(otherwise);
        self.families.insert(names.into(), family);
        family
    }

    /// Adds a font that the document embeds.
    pub fn bring(&mut self, font: DocumentFont<'f>) {
        self.brought.push(font);
    }

    /// The family for text in an embedded font, which has this name in lower case. The family consists of the font that
    /// matches weight and slant best, and a fallback family for characters that this font lacks. `None` if the document
    /// embeds no font of this name.
    pub fn brought(
        &mut self,
        name: &str,
        (weight, italic): (u16, bool),
        otherwise: impl FnOnce(&mut Self) -> Family,
    ) -> Option<Family> {
        let fonts = self.brought.iter().enumerate();
        let (at, _) = fonts
            .filter(|(_, font)| *font.name == *name)
            .min_by_key(|(_, font)| font.distance(weight, italic))?;
        let wish = (at, otherwise(self));
        let known = self.wishes.iter().position(|known| *known == wish);
        let number = known.unwrap_or_else(|| {
            self.wishes.push(wish);
            self.wishes.len() - 1
        });
        Some(Family::Brought(u16::try_from(number).ok()?))
    }

    /// Returns whether faces of this family may lack even ASCII letters, which is possible only for embedded fonts.
    pub(crate) fn may_lack_letters(&self, family: Family) -> bool {
        matches!(family, Family::Brought(_))
    }

    /// The face of an embedded font. Missing bold and slanted styles are synthesised.
    fn chosen_of(&mut self, at: usize, bold: bool, italic: bool) -> Option<Chosen> {
        let face = self.load(BROUGHT + at)?;
        let font = self.brought.get(at)?;
        Some(Chosen {
            face,
            measures: self.own[usize::from(face.0)],
            slant: italic && !font.italic,
            embolden: bold && font.weight.0 < 600,
        })
    }

    /// The face for a character in text with an embedded font: that font, another font of the same family, or the
    /// fallback.
    fn cover_brought(
        &mut self,
        character: char,
        number: u16,
        chosen: Chosen,
        (bold, italic): (bool, bool),
        language: Option<&str>,
    ) -> Chosen {
        if self.face(chosen.face).has(character) {
            return chosen;
        }
        let Some(&(at, otherwise)) = self.wishes.get(usize::from(number)) else {
            return chosen;
        };
        // `unicode-range` may divide a family into several files.
        let name = self.brought[at].name.clone();
        let same = (0..self.brought.len()).filter(|at| self.brought[*at].name == name);
        let mut same: Vec<usize> = same.collect();
        let weight = if bold { 700 } else { 400 };
        same.sort_by_key(|at| self.brought[*at].distance(weight, italic));
        for other in same {
            if let Some(found) = self.chosen_of(other, bold, italic)
                && self.face(found.face).has(character)
            {
                return found;
            }
        }
        match self.choose(otherwise, bold, italic) {
            Some(next) => {
                let request = FontRequest {
                    family: otherwise,
                    bold,
                    italic,
                    language,
                };
                self.cover(character, next, request)
            }
            None => chosen,
        }
    }

    /// The face that matches best. Each choice is made once, and then cached. `None` if no font could be read.
    pub fn choose(&mut self, family: Family, bold: bool, italic: bool) -> Option<Chosen> {
        if let Some(known) = self.chosen.get(&(family, bold, italic)) {
            return *known;
        }
        let chosen = self.find(family, bold, italic);
        self.chosen.insert((family, bold, italic), chosen);
        chosen
    }

    /// Chooses the face of the family's readable font that is nearest to the requested style. Missing bold and slanted
    /// styles are synthesised.
    fn find(&mut self, family: Family, bold: bool, italic: bool) -> Option<Chosen> {
        if let Family::Brought(number) = family {
            let (at, otherwise) = *self.wishes.get(usize::from(number))?;
            let own = self.chosen_of(at, bold, italic);
            return own.or_else(|| self.choose(otherwise, bold, italic));
        }
        let mut fonts = fonts(family, bold);
        fonts.sort_by_key(|(_, font)| font.distance(bold, italic));
        let loaded = fonts
            .iter()
            .find_map(|(at, font)| Some((self.load(*at)?, font)));
        let Some((face, font)) = loaded else {
            // If the operator's file cannot be parsed as a font, a sans-serif font is used instead.
            let is_own = matches!(family, Family::More(_));
            return is_own.then(|| self.choose(Family::Sans, bold, italic))?;
        };
        let (slant, embolden) = (italic && !font.italic, bold && !font.bold);
        let measures = match named_font(family) {
            None => self.own[usize::from(face.0)],
            Some(named) => {
                // The widths are those of the named font, and the glyphs are those of a similar face. If the widths of
                // this style are not known, those of another one are compared with the face of that style.
                let (_, is_bold, is_italic) = named.widths(bold, italic);
                let base = self.choose(named.like, is_bold, is_italic)?.face;
                let (face, base) = (self.face(face), self.face(base));
                let measures = Measures::named(named, bold, italic, face, base);
                self.add_measures(measures)
            }
        };
        Some(Chosen {
            face,
            measures,
            slant,
            embolden,
        })
    }

    /// Adds measures, and returns their index.
    fn add_measures(&mut self, measures: Measures) -> u16 {
        self.measures.push(measures);
        (self.measures.len() - 1) as u16
    }

    /// The face of a font, which is read when it is first needed.
    fn load(&mut self, at: usize) -> Option<FaceId> {
        if let Some(face) = self.loaded.get(&at) {
            return *face;
        }
        let face = self.read(at);
        self.loaded.insert(at, face);
        face
    }

    /// Reads a font. The indices begin with compiled-in fonts, followed by the operator's fonts, and then embedded
    /// fonts.
    fn read(&mut self, at: usize) -> Option<FaceId> {
        let data = match at.checked_sub(EMBEDDED) {
            Some(_) if at >= BROUGHT => self.brought.get(at - BROUGHT)?.data,
            Some(own) => more::all().get(own)?.data()?,
            None => TEXT.iter().chain([&SIGNS]).nth(at)?.data(),
        };
        let id = FaceId(self.faces.len() as u16);
        let face = Face::read(data)?;
        let own = self.add_measures(Measures::of(&face));
        self.own.push(own);
        self.faces.push(face);
        Some(id)
    }

    /// The face with this index.
    pub fn face(&self, id: FaceId) -> &Face<'f> {
        &self.faces[usize::from(id.0)]
    }

    /// The measures of text in a face.
    pub fn measures(&self, chosen: Chosen) -> &Measures {
        &self.measures[usize::from(chosen.measures)]
    }

    /// All faces that were loaded so far, with their indices.
    pub fn all(&self) -> impl Iterator<Item = (FaceId, &Face<'f>)> {
        (0..).map(FaceId).zip(&self.faces)
    }

    /// Shapes a word. `backwards` means from right to left.
    pub fn word(
        &mut self,
        chosen: Chosen,
        text: &str,
        backwards: bool,
        joining: Joining,
        language: Option<&str>,
    ) -> Rc<Word> {
        // The shaper consumes the buffer and returns it, so that all words share one allocation.
        let buffer = self.buffer.take().unwrap_or_default();
        let setting = Setting {
            measures: chosen.measures,
            backwards,
            joining,
        };
        let face = &mut self.faces[usize::from(chosen.face.0)];
        let measures = &self.measures[usize::from(chosen.measures)];
        let (word, buffer) = face.word(text, setting, measures, language, buffer);
        self.buffer = Some(buffer);
        word
    }
}
