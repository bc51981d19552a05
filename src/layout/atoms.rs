//! Divides the text of a paragraph into atoms: words, spaces, tabs, line breaks, and objects such as pictures. Measures
//! each atom, and determines its embedding level (UAX 9) and whether a line may end after it (UAX 14). Assigns no
//! positions.

use super::{
    faces::{Chosen, Faces, FontRequest},
    hyphenation::SOFT_HYPHEN,
    item::Pen,
    spans::{RunKind, Spans},
    word::Word,
};
use crate::fonts::scripts;
use convertd_tree::{Direction, Typesetter};
use std::rc::Rc;
use unicode_bidi::{BidiInfo, Level};
use unicode_linebreak::{BreakOpportunity, linebreaks};

/// Largest offset in a word, in bytes, at which a character of the word may begin. A longer word is divided into pieces
/// that are shaped separately. Only text without spaces, such as base64 or Thai, has longer words.
const MAX_WORD: usize = 240;

/// Bytes by which combining marks may exceed [`MAX_WORD`], so that they stay with their letter. Shaping a letter takes
/// time quadratic in the number of its marks. The Stream-Safe Text Format allows 30 marks for a letter (UAX 15, section
/// 13), and a mark has at most 4 bytes.
const MAX_MARKS: usize = 120;

/// A piece of a paragraph that is broken only if it does not fit on a line by itself.
#[derive(Clone)]
pub struct Atom {
    /// Index of the atom's run in [`Spans::runs`].
    pub run: usize,
    /// Content of the atom.
    pub kind: AtomKind,
    /// Advance, in points. A tab gets its advance when its line is filled.
    pub width: f32,
    /// The embedding level (UAX 9): odd for text from right to left.
    pub level: u8,
    /// Whether a line may end after the atom.
    pub may_end: bool,
    /// The hyphen that is added if a line ends after the atom, and the width of the hyphen.
    pub hyphen: Option<(Rc<Word>, f32)>,
}

impl Atom {
    /// Width of the hyphen at the end of a line that ends after the atom, in points; 0 without a hyphen, and where no
    /// line may end.
    pub fn hyphen_width(&self) -> f32 {
        let hyphen = self.hyphen.as_ref().filter(|_| self.may_end);
        hyphen.map_or(0.0, |(_, width)| *width)
    }
}

/// Kind of an atom.
#[derive(Clone)]
pub enum AtomKind {
    Word {
        word: Rc<Word>,
        pen: Pen,
    },
    /// Space between words, which is widened in justified lines, and dropped at the end of a line.
    Space {
        word: Rc<Word>,
        pen: Pen,
    },
    Tab,
    /// A line break that the document demands (`<br>`, U+2028).
    Break,
    /// A picture, formula, anchor or note. The kind of the run tells which.
    Object,
}

/// A paragraph after measuring.
pub struct Atoms {
    /// Atoms in logical order, the order of the text.
    pub atoms: Vec<Atom>,
    /// Whether the paragraph's base direction is right-to-left.
    pub backwards: bool,
}

impl Atoms {
    /// Measures a paragraph by this program's own rules. A `direction` of `None` lets the first
    /// strong character decide (UAX 9, rules P2 and P3).
    pub fn of(spans: &Spans, direction: Option<Direction>, faces: &mut Faces<'_>) -> Self {
        Self::by(Typesetter::Own, spans, direction, faces)
    }

    /// Measures a paragraph by the line breaking rules of `typesetter`.
    ///
    /// The break opportunities of UAX 14 divide the text into segments. A segment is divided again where the run, the
    /// direction or the face changes. Only the last atom of a segment may end a line.
    pub fn by(
        typesetter: Typesetter,
        spans: &Spans,
        direction: Option<Direction>,
        faces: &mut Faces<'_>,
    ) -> Self {
        let text = &spans.text;
        let bidi = Bidi::of(text, direction);
        let mut cutter = Cutter {
            spans,
            faces,
            bidi: &bidi,
            atoms: Vec::with_capacity(text.len() / 4 + 1),
        };
        let mut start = 0;
        for (end, opportunity) in linebreaks(text) {
            // Unicode allows a break after a slash, in addresses and between alternatives (UAX 14, class SY); Word does
            // not break a line there.
            let is_slash = end < text.len() && text.as_bytes()[..end].ends_with(b"/");
            if is_slash && typesetter == Typesetter::Word {
                continue;
            }
            cutter.cut(start, end);
            if let Some(last) = cutter.atoms.last_mut() {
                let breaks = matches!(last.kind, AtomKind::Break);
                // `linebreaks` reports the end of the text as a mandatory break. The last atom of the text may end a
                // line only if it is a line break.
                last.may_end =
                    breaks || end < text.len() || opportunity == BreakOpportunity::Allowed;
            }
            start = end;
        }
        Self {
            atoms: cutter.atoms,
            backwards: bidi.backwards,
        }
    }
}

/// Embedding levels of a text (UAX 9), one for each byte.
struct Bidi {
    /// Whether the base direction is right-to-left.
    backwards: bool,
    /// `None` if all text runs from left to right.
    levels: Option<Vec<Level>>,
}

impl Bidi {
    /// Runs the bidirectional algorithm, unless the text has no right-to-left characters and `direction` is not
    /// right-to-left. Most text is of this kind, and the algorithm would take longer than all other steps together.
    fn of(text: &str, direction: Option<Direction>) -> Self {
        if text.is_ascii() && direction != Some(Direction::RightToLeft) {
            return Self {
                backwards: false,
                levels: None,
            };
        }
        // All right-to-left letters are above U+0590, and begin with a byte of 0xd6 or more in UTF-8. The bytes 0xe2
        // and 0xef begin punctuation and presentation forms, which the next two conditions check.
        let plain = text
            .bytes()
            .all(|byte| byte < 0xd6 || byte == 0xef || byte == 0xe2);
        // RLM, RLE, RLO and RLI set a direction from right to left (UAX 9, section 2).
        let plain = plain && !text.contains(['\u{200f}', '\u{202b}', '\u{202e}', '\u{2067}']);
        let plain = plain
            // These ranges are Hebrew and Arabic presentation forms.
            && !text
                .chars()
                .any(|c| matches!(c, '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'));
        if plain && direction != Some(Direction::RightToLeft) {
            return Self {
                backwards: false,
                levels: None,
            };
        }
        let level = direction.map(|direction| match direction {
            Direction::LeftToRight => Level::ltr(),
            Direction::RightToLeft => Level::rtl(),
        });
        // Line separators must not end the paragraph here, so zero width spaces replace them. Both characters have
        // three bytes, so offsets stay valid.
        let text = text.replace('\u{2028}', "\u{200b}");
        let info = BidiInfo::new(&text, level);
        Self {
            backwards: info
                .paragraphs
                .first()
                .map_or(level == Some(Level::rtl()), |first| first.level.is_rtl()),
            levels: Some(info.levels),
        }
    }

    /// Embedding level of the character at byte `at`; 0 for text from left to right.
    fn level(&self, at: usize) -> u8 {
        self.levels
            .as_ref()
            .and_then(|levels| levels.get(at))
            .map_or(0, Level::number)
    }
}

/// The state of a division of text into atoms.
struct Cutter<'a, 'f> {
    spans: &'a Spans,
    faces: &'a mut Faces<'f>,
    bidi: &'a Bidi,
    atoms: Vec<Atom>,
}

impl Cutter<'_, '_> {
    /// Divides the text between two break opportunities where one run ends and the next one begins.
    fn cut(&mut self, mut start: usize, end: usize) {
        let runs = &self.spans.runs;
        // Runs are in the order of the text, so bisection finds the first one that ends after `start`.
        let mut run = runs.partition_point(|run| run.end <= start);
        while start < end && run < runs.len() {
            let stop = runs[run].end.min(end);
            match runs[run].kind {
                RunKind::Text => self.text(run, start, stop),
                RunKind::Break => self.push(run, AtomKind::Break, 0.0, start),
                RunKind::Picture { width, .. } => self.push(run, AtomKind::Object, width, start),
                RunKind::Formula(ref formula) => {
                    self.push(run, AtomKind::Object, formula.width, start);
                }
                // Anchors and notes have a position on the line, but no width.
                RunKind::Anchor(_) | RunKind::Note(_) => {
                    self.push(run, AtomKind::Object, 0.0, start)
                }
            }
            start = stop;
            run += 1;
        }
    }

    /// Adds an atom whose text begins at byte `at`.
    fn push(&mut self, run: usize, kind: AtomKind, width: f32, at: usize) {
        self.atoms.push(Atom {
            run,
            kind,
            width,
            level: self.bidi.level(at),
            may_end: false,
            hyphen: None,
        });
    }

    /// Divides the text of one run at spaces, tabs, and changes of direction or face.
    ///
    /// A word grows character by character. It ends before a space, a tab, a soft hyphen, an invisible control, a
    /// character of another embedding level, or a character that another face has to show. It also ends at its maximum
    /// length. A mark or joiner stays with its letter, even if the face does not show it.
    fn text(&mut self, run: usize, start: usize, end: usize) {
        let text_format = self.spans.runs[run].text_format.clone();
        let Some(wanted) =
            self.faces
                .choose(text_format.family, text_format.bold, text_format.italic)
        else {
            return;
        };
        let text = &self.spans.text[start..end];
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let first = rest.chars().next().unwrap_or(' ');
            if first == '\t' {
                self.push(run, AtomKind::Tab, 0.0, start + at);
                at += 1;
                continue;
            }
            if first == ' ' {
                let len = rest.len() - rest.trim_start_matches(' ').len();
                let len = len.min(MAX_WORD);
                let chosen = self.face(first, wanted, run);
                self.shape(run, chosen, start + at, start + at + len, true);
                at += len;
                continue;
            }
            if first == SOFT_HYPHEN {
                self.soften();
            }
            if invisible(first) || first == SOFT_HYPHEN {
                at += first.len_utf8();
                continue;
            }
            // A word begins here. If `whole`, the font has all ASCII letters, so these need no look-up.
            let chosen = self.face(first, wanted, run);
            let shown = self.faces.shows(first, chosen);
            let whole = !self
                .faces
                .may_lack_letters(self.spans.runs[run].text_format.family);
            let level = self.bidi.level(start + at);
            let mut len = first.len_utf8();
            for (offset, character) in rest.char_indices().skip(1) {
                if character == ' '
                    || character == '\t'
                    || invisible(character)
                    || character == SOFT_HYPHEN
                    || self.bidi.level(start + at + offset) != level
                {
                    break;
                }
                // Combining marks, joiners and variation selectors stay with their base character.
                let joins = matches!(character, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
                let stays = joins || whole && character.is_ascii() && chosen == wanted && shown;
                if !stays {
                    let other = self.face(character, wanted, run);
                    if other != chosen || self.faces.shows(character, other) != shown {
                        break;
                    }
                }
                // A mark may exceed the limit on the length of a word, so that it is not separated from its letter.
                if offset > MAX_WORD && !(joins && offset < MAX_WORD + MAX_MARKS) {
                    break;
                }
                len = offset + character.len_utf8();
            }
            if shown {
                self.shape(run, chosen, start + at, start + at + len, false);
            } else {
                self.missing(run, start + at, start + at + len);
            }
            at += len;
        }
    }

    /// The face that shows a character in this run; `wanted` if no face shows it.
    fn face(&mut self, character: char, wanted: Chosen, run: usize) -> Chosen {
        let text_format = &self.spans.runs[run].text_format;
        let request = FontRequest {
            family: text_format.family,
            bold: text_format.bold,
            italic: text_format.italic,
            language: text_format.language.as_deref(),
        };
        self.faces.cover(character, wanted, request)
    }

    /// Shapes text in a face, with the letter spacing of its run, and adds it as a word or a space.
    fn shape(&mut self, run: usize, chosen: Chosen, start: usize, end: usize, space: bool) {
        let text_format = &self.spans.runs[run].text_format;
        let pen = Pen::new(chosen, text_format, self.faces);
        let text = &self.spans.text[start..end];
        let backwards = self.bidi.level(start) % 2 == 1;
        let mut word = self.faces.word(
            chosen,
            text,
            backwards,
            text_format.joining(),
            text_format.language.as_deref(),
        );
        // `spaced` takes the letter spacing in font units.
        if text_format.spacing != 0.0 {
            word = Rc::new(word.spaced((text_format.spacing / pen.unit()).round() as i32));
        }
        let width = pen.width(&word);
        let kind = if space {
            AtomKind::Space { word, pen }
        } else {
            AtomKind::Word { word, pen }
        };
        self.push(run, kind, width, start);
    }

    /// Gives the last atom a hyphen, which is shown if a line ends after the atom. Does nothing if the last atom is not
    /// a word.
    fn soften(&mut self) {
        let Some(Atom {
            kind: AtomKind::Word { pen, .. },
            run,
            ..
        }) = self.atoms.last()
        else {
            return;
        };
        let (pen, text_format) = (*pen, self.spans.runs[*run].text_format.clone());
        let word = self
            .faces
            .word(pen.chosen, "-", false, text_format.joining(), None);
        let width = pen.width(&word);
        // Programs that extract text from the file must not find a hyphen within the word, so the text of the hyphen is
        // a soft hyphen.
        let word = Word {
            text: SOFT_HYPHEN.encode_utf8(&mut [0; 4]).into(),
            ..word.unspoken()
        };
        if let Some(last) = self.atoms.last_mut() {
            last.hyphen = Some((Rc::new(word), width));
        }
    }

    /// Adds replacement characters for text that no face shows, and counts each character as missing from its script.
    fn missing(&mut self, run: usize, start: usize, end: usize) {
        let text = &self.spans.text[start..end];
        for character in text.chars() {
            self.faces.miss(scripts::name(character));
        }
        let text_format = &self.spans.runs[run].text_format;
        let Some((chosen, word)) = self.faces.replacement(text, text_format.family) else {
            return;
        };
        let pen = Pen::new(chosen, text_format, self.faces);
        let width = pen.width(&word);
        self.push(run, AtomKind::Word { word, pen }, width, start);
    }
}

/// Returns whether a character is an invisible control, such as those of line breaking and direction.
fn invisible(character: char) -> bool {
    matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{structure::NodeId, text_format::TextFormat};

    #[test]
    fn word_length_is_bounded() {
        #[track_caller]
        fn check(text: &str, whole: bool) {
            let mut spans = Spans::default();
            spans.push(text, &Rc::new(TextFormat::plain()), NodeId::DOCUMENT, None);
            let atoms = Atoms::of(&spans, None, &mut Faces::new()).atoms;
            let words = atoms.iter().filter_map(|atom| match &atom.kind {
                AtomKind::Word { word, .. } => Some(word.text.len()),
                _ => None,
            });
            let words: Vec<usize> = words.collect();
            let longest = words.iter().max().copied().unwrap_or(0);
            assert!(longest <= MAX_WORD + MAX_MARKS + 4, "{longest}");
            assert_eq!(words.len() == 1, whole, "{words:?}");
        }
        check("word", true);
        // A word is not divided between a letter and its marks.
        check(
            &format!("{}{}", "a".repeat(MAX_WORD), "\u{301}".repeat(30)),
            true,
        );
        check(&format!("a{}", "\u{301}".repeat(5000)), false);
        check(&"\u{200d}".repeat(5000), false);
    }
}
