//! Mapping of Arabic presentation forms (Unicode block Arabic Presentation Forms-B), which some
//! fonts assign to their glyphs, to letters (compatibility decompositions of the Unicode Character
//! Database).

/// Letters of a presentation form, which must be at least U+FE70. `None` above U+FEFC.
pub(super) fn letters(shape: char) -> Option<&'static str> {
    // Each run is indexed by its last form, so the run of a form is the first whose last form is not smaller.
    let at = SHAPES.partition_point(|(last, _)| *last < shape);
    SHAPES.get(at).map(|(_, letters)| *letters)
}

/// Last form of each run of forms with the same letters, from U+FE70 on.
static SHAPES: &[(char, &str)] = &[
    ('\u{fe70}', "\u{64b}"),
    ('\u{fe71}', "\u{640}\u{64b}"),
    ('\u{fe72}', "\u{64c}"),
    ('\u{fe74}', "\u{64d}"),
    ('\u{fe76}', "\u{64e}"),
    ('\u{fe77}', "\u{640}\u{64e}"),
    ('\u{fe78}', "\u{64f}"),
    ('\u{fe79}', "\u{640}\u{64f}"),
    ('\u{fe7a}', "\u{650}"),
    ('\u{fe7b}', "\u{640}\u{650}"),
    ('\u{fe7c}', "\u{651}"),
    ('\u{fe7d}', "\u{640}\u{651}"),
    ('\u{fe7e}', "\u{652}"),
    ('\u{fe7f}', "\u{640}\u{652}"),
    ('\u{fe80}', "\u{621}"),
    ('\u{fe82}', "\u{622}"),
    ('\u{fe84}', "\u{623}"),
    ('\u{fe86}', "\u{624}"),
    ('\u{fe88}', "\u{625}"),
    ('\u{fe8c}', "\u{626}"),
    ('\u{fe8e}', "\u{627}"),
    ('\u{fe92}', "\u{628}"),
    ('\u{fe94}', "\u{629}"),
    ('\u{fe98}', "\u{62a}"),
    ('\u{fe9c}', "\u{62b}"),
    ('\u{fea0}', "\u{62c}"),
    ('\u{fea4}', "\u{62d}"),
    ('\u{fea8}', "\u{62e}"),
    ('\u{feaa}', "\u{62f}"),
    ('\u{feac}', "\u{630}"),
    ('\u{feae}', "\u{631}"),
    ('\u{feb0}', "\u{632}"),
    ('\u{feb4}', "\u{633}"),
    ('\u{feb8}', "\u{634}"),
    ('\u{febc}', "\u{635}"),
    ('\u{fec0}', "\u{636}"),
    ('\u{fec4}', "\u{637}"),
    ('\u{fec8}', "\u{638}"),
    ('\u{fecc}', "\u{639}"),
    ('\u{fed0}', "\u{63a}"),
    ('\u{fed4}', "\u{641}"),
    ('\u{fed8}', "\u{642}"),
    ('\u{fedc}', "\u{643}"),
    ('\u{fee0}', "\u{644}"),
    ('\u{fee4}', "\u{645}"),
    ('\u{fee8}', "\u{646}"),
    ('\u{feec}', "\u{647}"),
    ('\u{feee}', "\u{648}"),
    ('\u{fef0}', "\u{649}"),
    ('\u{fef4}', "\u{64a}"),
    ('\u{fef6}', "\u{644}\u{622}"),
    ('\u{fef8}', "\u{644}\u{623}"),
    ('\u{fefa}', "\u{644}\u{625}"),
    ('\u{fefc}', "\u{644}\u{627}"),
];

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn shapes_become_letters() {
        #[track_caller]
        fn check(shape: char, expected: &str) {
            assert_eq!(letters(shape), Some(expected));
        }
        // Beh alone, at the end, at the beginning and within a word; the ligature of lam and alef.
        for shape in '\u{fe8f}'..='\u{fe92}' {
            check(shape, "\u{628}");
        }
        check('\u{fefb}', "\u{644}\u{627}");
        check('\u{fefc}', "\u{644}\u{627}");
    }
}
