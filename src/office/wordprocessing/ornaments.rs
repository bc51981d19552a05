//! Underlines and emphasis marks of Word's formats, which have the same kinds under different names (ECMA-376 part 1,
//! 17.18.99 and 17.18.24; MS-DOC 2.9.127; RTF 1.9.1, "Character Text"). Resolves no styles.

use convertd_tree::{EmphasisMark, EmphasisShape, Stroke, Underline};

/// Kind of underline: its name in WordprocessingML, its word in RTF, its number in Word's binary format, and the
/// underline in the tree.
type UnderlineNames = (&'static str, &'static str, u8, Underline);

const fn kind(
    word: &'static str,
    rtf: &'static str,
    code: u8,
    stroke: Stroke,
    more: u8,
) -> UnderlineNames {
    let look = Underline {
        stroke,
        thick: more == THICK,
        double: more == DOUBLE,
        words: more == WORDS,
        colour: None,
    };
    (word, rtf, code, look)
}

const USUAL: u8 = 0;
const THICK: u8 = 1;
const DOUBLE: u8 = 2;
const WORDS: u8 = 3;

use Stroke::{Dashed, DotDashed, DotDotDashed, Dotted, LongDashed, Solid, Wavy};

/// All kinds of underlines. The first kind is the default.
static KINDS: [UnderlineNames; 17] = [
    kind("single", "ul", 1, Solid, USUAL),
    kind("words", "ulw", 2, Solid, WORDS),
    kind("double", "uldb", 3, Solid, DOUBLE),
    kind("thick", "ulth", 6, Solid, THICK),
    kind("dotted", "uld", 4, Dotted, USUAL),
    kind("dottedHeavy", "ulthd", 20, Dotted, THICK),
    kind("dash", "uldash", 7, Dashed, USUAL),
    kind("dashedHeavy", "ulthdash", 23, Dashed, THICK),
    kind("dashLong", "ulldash", 39, LongDashed, USUAL),
    kind("dashLongHeavy", "ulthldash", 55, LongDashed, THICK),
    kind("dotDash", "uldashd", 9, DotDashed, USUAL),
    kind("dashDotHeavy", "ulthdashd", 25, DotDashed, THICK),
    kind("dotDotDash", "uldashdd", 10, DotDotDashed, USUAL),
    kind("dashDotDotHeavy", "ulthdashdd", 26, DotDotDashed, THICK),
    kind("wave", "ulwave", 11, Wavy, USUAL),
    kind("wavyHeavy", "ulhwave", 27, Wavy, THICK),
    kind("wavyDouble", "ululdbwave", 43, Wavy, DOUBLE),
];

/// Underline with this name in WordprocessingML. Unknown names get the default.
pub fn underline_of_name(name: &str) -> Underline {
    let found = KINDS.iter().find(|(word, ..)| *word == name);
    found.map(|(.., look)| *look).unwrap_or_default()
}

/// Underline with this control word in RTF. `None` for other words.
pub fn underline_of_word(word: &str) -> Option<Underline> {
    let found = KINDS.iter().find(|(_, rtf, ..)| *rtf == word);
    found.map(|(.., look)| *look)
}

/// Underline with this number in Word's binary format. Unknown numbers get the default.
pub fn underline_of_code(code: u8) -> Underline {
    let found = KINDS.iter().find(|(_, _, own, _)| *own == code);
    found.map(|(.., look)| *look).unwrap_or_default()
}

/// Returns the name in WordprocessingML and the word in RTF of the kind that equals this underline apart from its
/// colour, or else of the first kind with the same stroke.
pub fn underline_names(look: Underline) -> (&'static str, &'static str) {
    let plain = Underline {
        colour: None,
        ..look
    };
    let same = |(.., own): &&UnderlineNames| *own == plain;
    let similar = |(.., own): &&UnderlineNames| own.stroke == look.stroke;
    let found = KINDS.iter().find(same);
    let found = found.or_else(|| KINDS.iter().find(similar));
    found.map_or(("single", "ul"), |(word, rtf, ..)| (word, rtf))
}

/// Kinds of emphasis marks: the name in WordprocessingML, the word in RTF, and the mark. The number in Word's binary
/// format is the index plus 1.
static MARKS: [(&str, &str, EmphasisMark); 4] = [
    ("dot", "accdot", mark(EmphasisShape::Dot, false)),
    ("comma", "acccomma", mark(EmphasisShape::Comma, false)),
    ("circle", "acccircle", mark(EmphasisShape::Circle, false)),
    ("underDot", "accunderdot", mark(EmphasisShape::Dot, true)),
];

const fn mark(shape: EmphasisShape, below: bool) -> EmphasisMark {
    EmphasisMark { shape, below }
}

/// Emphasis mark with this name in WordprocessingML. `None` for other names, such as `none`.
pub fn emphasis_of_name(name: &str) -> Option<EmphasisMark> {
    let found = MARKS.iter().find(|(word, ..)| *word == name);
    found.map(|(.., mark)| *mark)
}

/// Emphasis mark with this control word in RTF. `None` for other words.
pub fn emphasis_of_word(word: &str) -> Option<EmphasisMark> {
    let found = MARKS.iter().find(|(_, rtf, _)| *rtf == word);
    found.map(|(.., mark)| *mark)
}

/// Emphasis mark with this number in Word's binary format. `None` for 0, which is no mark, and for unknown numbers.
pub fn emphasis_of_code(code: u8) -> Option<EmphasisMark> {
    let index = usize::from(code).checked_sub(1)?;
    MARKS.get(index).map(|(.., mark)| *mark)
}

/// Returns the name in WordprocessingML and the word in RTF of this mark. A mark that Word does not have becomes a dot
/// on the same side of the letters.
pub fn emphasis_names(mark: EmphasisMark) -> (&'static str, &'static str) {
    let found = MARKS.iter().find(|(.., own)| *own == mark);
    let similar = || MARKS.iter().find(|(.., own)| own.below == mark.below);
    let found = found.or_else(similar);
    found.map_or(("dot", "accdot"), |(word, rtf, _)| (word, rtf))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_underlines_have_a_name_in_each_format() {
        for (word, rtf, code, look) in KINDS {
            assert_eq!(underline_of_name(word), look);
            assert_eq!(underline_of_word(rtf), Some(look));
            assert_eq!(underline_of_code(code), look);
            assert_eq!(underline_names(look), (word, rtf));
        }
        // A kind that Word does not have.
        let look = Underline {
            stroke: Stroke::Dashed,
            double: true,
            ..Underline::default()
        };
        assert_eq!(underline_names(look).0, "dash");
        assert_eq!(underline_of_word("ulnone"), None);
    }

    #[test]
    fn emphasis_marks_have_a_name_in_each_format() {
        for (at, (word, rtf, mark)) in (1..).zip(MARKS) {
            assert_eq!(emphasis_of_name(word), Some(mark));
            assert_eq!(emphasis_of_word(rtf), Some(mark));
            assert_eq!(emphasis_of_code(at), Some(mark));
            assert_eq!(emphasis_names(mark), (word, rtf));
        }
        let disc = mark(EmphasisShape::Disc, true);
        assert_eq!(emphasis_names(disc).0, "underDot");
        assert_eq!(emphasis_of_code(0), None);
    }
}
