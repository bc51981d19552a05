//! Letters that a face lacks: another face covers them, or another letter replaces them, and the rest is counted. Reads
//! no font.

use super::super::{measures::Measures, word::Word};
use super::{Chosen, EMBEDDED, FaceId, Faces, FontRequest, named_font};
use crate::fonts::{
    Family,
    more::{
        self,
        choice::{self, Region, Wish},
    },
    named, scripts,
};
use std::rc::Rc;

impl<'f> Faces<'f> {
    /// The face that shows a character. The chosen face is tried first, and is assumed to have all of ASCII unless it
    /// is an embedded font; then the compiled-in families, then the operator's other fonts. If no face has the
    /// character, returns the chosen face. The caller then [counts](Self::miss) the character as missing.
    ///
    /// East Asian regions draw the same characters in different ways. The region comes from the character itself if
    /// only one region uses it, otherwise from the language, otherwise from earlier characters.
    pub fn cover(&mut self, character: char, chosen: Chosen, request: FontRequest<'_>) -> Chosen {
        let FontRequest {
            family,
            bold,
            italic,
            language,
        } = request;
        if let Family::Brought(number) = family {
            return self.cover_brought(character, number, chosen, (bold, italic), language);
        }
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
        let own = Region::of_character(character);
        self.region = own.or(self.region);
        // Without any of these hints, Chinese glyphs are used.
        let stated = || language.and_then(Region::of_language);
        let wish = Wish {
            bold,
            italic,
            family: named_font(family).map_or(family, |named| named.like),
            region: scripts::is_east_asian(character)
                .then(|| own.or_else(stated).or(self.region).unwrap_or(Region::China)),
        };
        match self.covering(character, wish) {
            Some(face) => Chosen {
                face,
                measures: self.lent_measures(character, face, family),
                slant: false,
                embolden: false,
            },
            None => chosen,
        }
    }

    /// Index of the measures for a character that an operator's face provides in text of this family. They are those of
    /// the named font, if its width for the character is known, and otherwise those of the face.
    fn lent_measures(&mut self, character: char, face: FaceId, family: Family) -> u16 {
        let knows = |named: &&named::Named| named.widths(false, false).0.of(character).is_some();
        let own = self.own[usize::from(face.0)];
        let Some(named) = named_font(family).filter(knows) else {
            return own;
        };
        if let Some(known) = self.of_lent.get(&(family, face)) {
            return *known;
        }
        let measures = self.add_measures(Measures::lent(named));
        self.of_lent.insert((family, face), measures);
        measures
    }

    /// The operator's font that has a character and matches the wish best.
    fn covering(&mut self, character: char, wish: Wish) -> Option<FaceId> {
        if more::all().is_empty() {
            return None;
        }
        let found = match self.covering.get(&(character, wish)) {
            Some(known) => *known,
            None => {
                // The first readable font, in order from the best match.
                let with_character = choice::with_character(character, wish).into_iter();
                let mut loaded =
                    with_character.filter_map(|at| Some((at, self.load(EMBEDDED + at)?)));
                let found = loaded.next();
                self.covering.insert((character, wish), found);
                found
            }
        };
        let (at, face) = found?;
        let lent = (scripts::name(character), &*more::all()[at].facts().title);
        if !self.lent.contains(&lent) {
            self.lent.push(lent);
        }
        Some(face)
    }

    /// Scripts for which the operator's fonts were chosen, with the names of these fonts. Empty unless the document
    /// names a font that is not the operator's.
    pub fn replaced(&self) -> &[(&'static str, &'static str)] {
        let is_ours = |family: &Family| !matches!(family, Family::More(_));
        match self.families.values().any(is_ours) {
            true => &self.lent,
            false => &[],
        }
    }

    /// Returns whether the chosen face has a glyph for the character.
    pub fn shows(&self, character: char, chosen: Chosen) -> bool {
        self.face(chosen.face).has(character)
    }

    /// Height of capital letters, in ems.
    pub fn capital(&self, chosen: Chosen) -> f32 {
        let font = &self.face(chosen.face).font;
        // 0.68 is a typical value, used for fonts that do not state their cap height.
        let height = font.metrics.cap_height.map(|height| height / font.units());
        height.unwrap_or(0.68).clamp(0.3, 1.0)
    }

    /// Counts a character that no font has.
    pub(crate) fn miss(&mut self, script: &'static str) {
        match self.missing.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => self.missing.push((script, 1)),
        }
    }

    /// Restores what [`missing`](Self::missing) returned before text was only measured.
    pub(crate) fn set_missing(&mut self, missing: Vec<(&'static str, usize)>) {
        self.missing = missing;
    }

    /// Scripts with characters that no font has, and the number of these characters.
    pub fn missing(&self) -> &[(&'static str, usize)] {
        &self.missing
    }

    /// Replacement characters for `text`, each as wide as the character in the named font, if that width is known.
    /// `None` if the font of signs has no glyph for the replacement character.
    pub(crate) fn replacement(&mut self, text: &str, family: Family) -> Option<(Chosen, Rc<Word>)> {
        let widths = named_font(family).map(|named| named.widths(false, false).0);
        let chosen = self.choose(Family::Signs, false, false)?;
        let face = &mut self.faces[usize::from(chosen.face.0)];
        let word = face.replacement(text, widths)?;
        Some((chosen, Rc::new(word)))
    }
}
