//! Accented letters drawn as two glyphs, an accent and its base letter, as TeX does with fonts
//! without accented letters. They become the precomposed letter (canonical composition, Unicode
//! Character Database), for European languages.

/// Each accent with its base letters, and the precomposed letters in the same order.
static COMPOSITIONS: &[(char, &str, &str)] = &[
    ('\u{2cb}', "AEIOUaeiou", "ÀÈÌÒÙàèìòù"),
    ('´', "AEIOUYaeiouyCcLlNnRrSsZz", "ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹź"),
    ('ˆ', "AEIOUaeiouCcGgHhJjSsWwYy", "ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷ"),
    ('˜', "ANOIUanoiu", "ÃÑÕĨŨãñõĩũ"),
    ('¨', "AEIOUYaeiouy", "ÄËÏÖÜŸäëïöüÿ"),
    ('˚', "AUau", "ÅŮåů"),
    ('ˇ', "CDENRSTZcdenrstz", "ČĎĚŇŘŠŤŽčďěňřšťž"),
    ('˘', "AGUagu", "ĂĞŬăğŭ"),
    ('¯', "AEIOUaeiou", "ĀĒĪŌŪāēīōū"),
    ('˙', "CEGIZcegz", "ĊĖĠİŻċėġż"),
    ('˝', "OUou", "ŐŰőű"),
    ('¸', "CSTcst", "ÇŞŢçşţ"),
    ('˛', "AEIUaeiu", "ĄĘĮŲąęįų"),
];

/// Precomposed letter of an accent and a base letter, which may be a dotless i or j. `None` if
/// there is no such letter.
pub(super) fn composed(accent: char, letter: char) -> Option<char> {
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        _ => letter,
    };
    let (_, letters, composed) = COMPOSITIONS.iter().find(|(mark, ..)| *mark == accent)?;
    let at = letters.chars().position(|c| c == letter)?;
    composed.chars().nth(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_join_their_letters() {
        assert_eq!(composed('¨', 'ı'), Some('ï'));
        assert_eq!(composed('´', 'e'), Some('é'));
        assert_eq!(composed('ˇ', 'Z'), Some('Ž'));
        assert_eq!(composed('¨', 'x'), None);
        for (_, letters, composed) in COMPOSITIONS {
            assert_eq!(letters.chars().count(), composed.chars().count());
        }
    }
}
