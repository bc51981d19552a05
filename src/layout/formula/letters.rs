//! Letters, digits and signs of fixed size: chooses the face and the mathematical alphabet in which each is shown.

use super::{
    super::{
        face::Joining,
        faces::{Chosen, FontRequest},
        item::{Item, Owner, Pen},
        text_format::TextFormat,
    },
    piece::{MathStyle, Piece, Setter},
};
use crate::fonts::Family;
use convertd_tree::math::Style;

impl Setter<'_, '_> {
    /// Sets a name. A single letter is a variable, and is italic by default. Several letters are the name of a
    /// function, and are upright.
    pub(super) fn identifier(&mut self, name: &str, style: MathStyle) -> Piece {
        let mut characters = name.chars();
        let only = characters.next().filter(|_| characters.next().is_none());
        let size = style.size();
        let Some(letter) = only else {
            let bold = style.letters == Some(Style::Bold) || self.text_format.bold;
            return self.letters(name, Family::Serif, bold, false, size);
        };
        // Capital Greek letters are upright, as in TeX. Signs that Unicode counts as letters, and letters of scripts
        // without italics, are upright, too.
        let slants = letter.is_alphabetic()
            && !matches!(letter, 'Α'..='Ω' | 'ℵ' | 'ℜ' | 'ℑ' | '℘' | 'ℏ')
            && !scripts(letter);
        let (shown, family, bold, italic) = match style.letters {
            None => (letter, Family::Serif, self.text_format.bold, slants),
            Some(Style::Upright) => (letter, Family::Serif, self.text_format.bold, false),
            Some(Style::Bold) => (letter, Family::Serif, true, false),
            Some(Style::Italic) => (
                letter,
                Family::Serif,
                self.text_format.bold,
                letter.is_alphabetic(),
            ),
            Some(Style::SansSerif) => (letter, Family::Sans, self.text_format.bold, false),
            Some(Style::Monospace) => (letter, Family::Mono, self.text_format.bold, false),
            // These alphabets have characters of their own. If no font has them, bold or italic letters are used
            // instead.
            Some(alphabet @ (Style::DoubleStruck | Style::Script | Style::Fraktur)) => {
                match in_alphabet(letter, alphabet).filter(|shown| self.shows(*shown)) {
                    Some(shown) => (shown, Family::Serif, false, false),
                    None => (
                        letter,
                        Family::Serif,
                        alphabet != Style::Script,
                        alphabet == Style::Script,
                    ),
                }
            }
        };
        let mut piece = self.letters(shown.encode_utf8(&mut [0; 4]), family, bold, italic, size);
        piece.single = true;
        piece
    }

    /// Sets digits, in the alphabet of `style`.
    pub(super) fn number(&mut self, digits: &str, style: MathStyle) -> Piece {
        let bold = style.letters == Some(Style::Bold) || self.text_format.bold;
        let family = match style.letters {
            Some(Style::SansSerif) => Family::Sans,
            Some(Style::Monospace) => Family::Mono,
            _ => Family::Serif,
        };
        if style.letters == Some(Style::DoubleStruck) {
            let shown = digits
                .chars()
                .map(|digit| in_alphabet(digit, Style::DoubleStruck).unwrap_or(digit));
            let shown: String = shown.collect();
            return self.letters(&shown, family, false, false, style.size());
        }
        self.letters(digits, family, bold, false, style.size())
    }

    /// Sets a sign of fixed size.
    pub(super) fn upright(&mut self, sign: &str, style: MathStyle) -> Piece {
        let bold = style.letters == Some(Style::Bold) || self.text_format.bold;
        let mut piece = self.letters(sign, Family::Serif, bold, false, style.size());
        piece.single = true;
        piece
    }

    /// Returns whether any font has this character.
    fn shows(&mut self, character: char) -> bool {
        let found = self.face_of(character, Family::Serif, false, false);
        found.is_some_and(|chosen| self.faces.shows(character, chosen))
    }

    /// The face for a character: that of the family if it has the character, otherwise a fallback.
    pub(super) fn face_of(
        &mut self,
        character: char,
        family: Family,
        bold: bool,
        italic: bool,
    ) -> Option<Chosen> {
        let chosen = self.faces.choose(family, bold, italic)?;
        let request = FontRequest {
            family,
            bold,
            italic,
            language: self.text_format.language.as_deref(),
        };
        Some(self.faces.cover(character, chosen, request))
    }

    /// A pen for a face at this size. Properties of the surrounding text that would distort a formula, such as
    /// horizontal scaling, are dropped.
    pub(super) fn pen(&self, chosen: Chosen, size: f32) -> Pen {
        let plain = TextFormat {
            size,
            scale: 1.0,
            outlined: false,
            ..self.text_format.clone()
        };
        Pen::new(chosen, &plain, self.faces)
    }

    /// Sets letters next to each other. Their extent above and below the base line is that of their outlines, not that
    /// of the font.
    pub(super) fn letters(
        &mut self,
        text: &str,
        family: Family,
        bold: bool,
        italic: bool,
        size: f32,
    ) -> Piece {
        let mut piece = Piece::default();
        // Adjacent letters in the same face are collected. A combining mark stays with its letter.
        let mut parts: Vec<(Chosen, String)> = Vec::new();
        for character in text.chars() {
            let Some(chosen) = self.face_of(character, family, bold, italic) else {
                continue;
            };
            let is_mark = matches!(character, '\u{300}'..='\u{36f}');
            if !is_mark && !self.faces.shows(character, chosen) {
                self.faces.miss(crate::fonts::scripts::name(character));
            }
            match parts.last_mut() {
                Some((same, part)) if is_mark || *same == chosen => part.push(character),
                _ => parts.push((chosen, character.to_string())),
            }
        }
        for (chosen, part) in parts {
            let language = self.text_format.language.as_deref();
            let word = self
                .faces
                .word(chosen, &part, false, Joining::FINE, language);
            let pen = self.pen(chosen, size);
            let width = pen.width(&word);
            let mut set = Piece {
                width,
                ..Piece::default()
            };
            for character in part.chars() {
                let Some([_, low, right, high]) = self.faces.face(chosen.face).bounds(character)
                else {
                    continue;
                };
                let unit = pen.unit();
                set.above = set.above.max(high * unit);
                set.below = set.below.max(-low * unit);
                // The overhang of the last outline beyond its advance, which a superscript must avoid.
                let advance = self.faces.face(chosen.face).width(character).unwrap_or(0) as f32;
                set.slant = ((right - advance) * unit).max(0.0);
            }
            set.items.push(Item::Text {
                pen,
                y: 0.0,
                words: vec![(0.0, word)],
                belongs: Owner::To(self.node),
            });
            let slant = set.slant;
            piece.append(0.0, set);
            piece.slant = slant;
        }
        piece
    }
}

/// Returns whether a letter belongs to a script without italics. All letters above U+052F, the end of Cyrillic, count
/// as such, except for two variants of Greek and Latin letters.
fn scripts(letter: char) -> bool {
    u32::from(letter) > 0x52f && !matches!(letter, 'ϵ' | 'ℓ')
}

/// The letter or digit in a mathematical alphabet (U+1D400 to U+1D7FF). Some letters were encoded earlier, in the block
/// Letterlike Symbols, and their positions in the alphabet are empty.
fn in_alphabet(letter: char, style: Style) -> Option<char> {
    let outside = match (style, letter) {
        (Style::DoubleStruck, 'C') => 'ℂ',
        (Style::DoubleStruck, 'H') => 'ℍ',
        (Style::DoubleStruck, 'N') => 'ℕ',
        (Style::DoubleStruck, 'P') => 'ℙ',
        (Style::DoubleStruck, 'Q') => 'ℚ',
        (Style::DoubleStruck, 'R') => 'ℝ',
        (Style::DoubleStruck, 'Z') => 'ℤ',
        (Style::Script, 'B') => 'ℬ',
        (Style::Script, 'E') => 'ℰ',
        (Style::Script, 'F') => 'ℱ',
        (Style::Script, 'H') => 'ℋ',
        (Style::Script, 'I') => 'ℐ',
        (Style::Script, 'L') => 'ℒ',
        (Style::Script, 'M') => 'ℳ',
        (Style::Script, 'R') => 'ℛ',
        (Style::Fraktur, 'C') => 'ℭ',
        (Style::Fraktur, 'H') => 'ℌ',
        (Style::Fraktur, 'I') => 'ℑ',
        (Style::Fraktur, 'R') => 'ℜ',
        (Style::Fraktur, 'Z') => 'ℨ',
        _ => '\0',
    };
    if outside != '\0' {
        return Some(outside);
    }
    // This is the capital A of the alphabet. The 26 small letters follow the capitals.
    let first = match style {
        Style::DoubleStruck => 0x1d538,
        Style::Script => 0x1d49c,
        Style::Fraktur => 0x1d504,
        _ => return None,
    };
    let code = u32::from(letter);
    let at = match letter {
        'A'..='Z' => first + code - u32::from('A'),
        'a'..='z' => first + 26 + code - u32::from('a'),
        '0'..='9' if style == Style::DoubleStruck => 0x1d7d8 + code - u32::from('0'),
        _ => return None,
    };
    char::from_u32(at)
}
