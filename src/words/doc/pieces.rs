//! The text and its piece table (MS-DOC 2.4.1, 2.8.35). Maps character positions (CPs) to offsets in the stream. Does
//! not read formatting.
//!
//! After a fast save, the pieces are in the stream in the order in which they were typed. A malicious file may have
//! many pieces that show the same bytes, so the text has at most as many characters as the stream has bytes.

use super::plex::Plex;
use crate::{coding::code_page::CodePage, containers::fields::Fields};

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// CP of the first character.
    start: u32,
    /// Offset of the first character in the stream.
    place: u32,
    /// Whether a character has two bytes.
    is_wide: bool,
    /// Formatting that a fast save added to the whole piece (Prm, MS-DOC 2.9.209).
    modifier: u16,
}

/// Encoding of the text.
#[derive(Clone, Copy)]
pub(super) enum Characters {
    /// Two bytes (UTF-16), or one byte in this code page; each piece states the number of bytes per character.
    Mixed(CodePage),
    /// A byte, in a code page that depends on the font.
    Bytes,
    /// Two bytes (UTF-16).
    Wide,
}

/// Text of a document.
#[derive(Debug, Default)]
pub(super) struct Text<'a> {
    /// Characters: UTF-16 code units, or bytes of a code page in Word 6.
    units: Vec<u16>,
    /// Pieces in ascending order of their CPs.
    pieces: Vec<Piece>,
    /// Property lists that [`Piece::modifier`] refers to by index.
    modifiers: Vec<&'a [u8]>,
}

impl<'a> Text<'a> {
    /// Reads a text of at most `characters` characters. Without a piece table, the text is one piece at the offset
    /// `start`.
    pub(super) fn read(
        stream: &[u8],
        table: Fields<'a>,
        start: u32,
        characters: u32,
        stored: Characters,
    ) -> Self {
        let (modifiers, plex) = parts(table);
        let mut text = Self {
            modifiers,
            ..Self::default()
        };
        let most = stream.len().min(characters as usize);
        let latin = decoder(match stored {
            Characters::Mixed(page) => Some(page),
            Characters::Bytes | Characters::Wide => None,
        });
        if plex.len() == 0 {
            let is_wide = matches!(stored, Characters::Wide);
            text.add(stream, (start, is_wide, 0), most, &latin);
        }
        for at in 0..plex.len() {
            let (from, to) = (plex.position(at), plex.position(at + 1));
            // A gap between pieces is filled with spaces, since it would shift the CPs of everything after it.
            let missing = (from as usize).saturating_sub(text.units.len()).min(most);
            text.units
                .extend(std::iter::repeat_n(u16::from(b' '), missing));
            let record = plex.record(at);
            let (place, modifier) = (record.u32(2), record.u16(6));
            let (place, is_wide) = match stored {
                Characters::Bytes => (place, false),
                Characters::Wide => (place, true),
                // Bit 30 marks pieces with one byte per character, whose offset is doubled (MS-DOC 2.9.73).
                Characters::Mixed(_) if place & 1 << 30 == 0 => (place, true),
                Characters::Mixed(_) => ((place & !(1 << 30)) / 2, false),
            };
            let len = to.saturating_sub(from) as usize;
            let remaining = most.saturating_sub(text.units.len());
            text.add(
                stream,
                (place, is_wide, modifier),
                len.min(remaining),
                &latin,
            );
        }
        text
    }

    /// Appends the text of a piece (MS-DOC 2.9.177): UTF-16 if `is_wide`, and otherwise bytes that the table `latin`
    /// maps to characters.
    fn add(
        &mut self,
        stream: &[u8],
        (place, is_wide, modifier): (u32, bool, u16),
        len: usize,
        latin: &[u16; 256],
    ) {
        let rest = stream.get(place as usize..).unwrap_or_default();
        self.pieces.push(Piece {
            start: self.units.len() as u32,
            place,
            is_wide,
            modifier,
        });
        if is_wide {
            let units = rest.chunks_exact(2).take(len);
            self.units.extend(units.map(|unit| Fields(unit).u16(0)));
        } else {
            let bytes = rest.iter().take(len);
            self.units
                .extend(bytes.map(|byte| latin[usize::from(*byte)]));
        }
    }

    /// Number of characters.
    pub(super) fn len(&self) -> u32 {
        self.units.len() as u32
    }

    /// Characters in a range of CPs.
    pub(super) fn units(&self, from: u32, to: u32) -> &[u16] {
        let to = (to as usize).min(self.units.len());
        self.units.get(from as usize..to).unwrap_or_default()
    }

    /// Character at a CP, or 0 after the end of the text.
    pub(super) fn unit(&self, at: u32) -> u16 {
        self.units.get(at as usize).copied().unwrap_or(0)
    }

    /// Offset of a character in the stream.
    pub(super) fn place(&self, at: u32) -> u32 {
        let (piece, _) = self.piece(at);
        let width = if piece.is_wide { 2 } else { 1 };
        let inside = at.saturating_sub(piece.start);
        piece.place.saturating_add(inside.saturating_mul(width))
    }

    /// Converts the offset where formatting ends to a CP: at most the end of the piece of `at`, and at least one
    /// character after `at`.
    pub(super) fn end(&self, at: u32, place: u32) -> u32 {
        let (piece, next) = self.piece(at);
        let width = if piece.is_wide { 2 } else { 1 };
        let inside = place.saturating_sub(piece.place) / width;
        next.min(piece.start.saturating_add(inside)).max(at + 1)
    }

    /// Returns the formatting that a fast save added to a character: a property list, or a single modifier with an
    /// opcode and a value of one byte each.
    pub(super) fn modifier(&self, at: u32) -> Modifier<'a> {
        let (Piece { modifier, .. }, _) = self.piece(at);
        match modifier {
            0 => Modifier::None,
            // The lowest bit tells the two forms apart (Prm0 and Prm1).
            single if single & 1 == 0 => {
                Modifier::One((single >> 1 & 0x7f) as u8, (single >> 8) as u8)
            }
            many => match self.modifiers.get(usize::from(many >> 1)) {
                Some(list) => Modifier::Many(list),
                None => Modifier::None,
            },
        }
    }

    /// Returns the piece of a character, and the CP where the next piece begins.
    fn piece(&self, at: u32) -> (Piece, u32) {
        let next = self.pieces.partition_point(|piece| piece.start <= at);
        let end = self.pieces.get(next).map_or(u32::MAX, |next| next.start);
        let piece = next.checked_sub(1).and_then(|at| self.pieces.get(at));
        let whole = Piece {
            start: 0,
            place: 0,
            is_wide: false,
            modifier: 0,
        };
        (piece.copied().unwrap_or(whole), end)
    }
}

/// Formatting that a fast save added to a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Modifier<'a> {
    None,
    /// Opcode (in the numbers of Word 6) and value.
    One(u8, u8),
    /// Property list.
    Many(&'a [u8]),
}

/// Splits a piece table (Clx, MS-DOC 2.9.38) into property lists (marked by 1) and pieces (marked by 2).
fn parts(table: Fields<'_>) -> (Vec<&[u8]>, Plex<'_>) {
    let mut modifiers = Vec::new();
    let mut rest = table;
    loop {
        match rest.u8(0) {
            1 => {
                let len = usize::from(rest.u16(1));
                modifiers.push(rest.part(3, len).0);
                rest = rest.from(3 + len);
            }
            2 => return (modifiers, Plex::new(rest.part(5, rest.u32(1) as usize), 8)),
            _ => return (modifiers, Plex::default()),
        }
    }
}

/// Builds a table from bytes to UTF-16 in a code page. Without a code page, bytes stay as they are.
fn decoder(page: Option<CodePage>) -> [u16; 256] {
    let mut units = std::array::from_fn(|byte| byte as u16);
    if let Some(page) = page {
        for (byte, unit) in (0..=255_u8).zip(&mut units) {
            let text = page.decode(&[byte]);
            *unit = text.encode_utf16().next().unwrap_or(*unit);
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_flag_sets_the_character_width() {
        #[track_caller]
        fn check(stored: Characters, place: u32, expected: &str) {
            let mut table = b"\x02\x10\0\0\0\0\0\0\0\x02\0\0\0\0\0".to_vec();
            table.extend(place.to_le_bytes());
            table.extend([0, 0]);
            let text = Text::read(b"..a\0b\0", Fields(&table), 0, 2, stored);
            assert_eq!(String::from_utf16_lossy(text.units(0, 2)), expected);
        }
        let mixed = || Characters::Mixed(CodePage::DEFAULT);
        check(mixed(), 2, "ab");
        check(mixed(), 1 << 30 | 4, "a\0");
        check(Characters::Bytes, 2, "a\0");
        check(Characters::Wide, 2, "ab");
    }
}
