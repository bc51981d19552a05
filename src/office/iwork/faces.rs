//! Divides PostScript names of fonts into a family and a face. Looks for no font.

/// Limit on the length of the name of a family, in characters without the inserted spaces.
const MAX_NAME: usize = 80;

/// A font by its PostScript name.
#[derive(Debug, PartialEq)]
pub(super) struct Face {
    pub(super) family: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

/// Divides a PostScript name into family and face. PostScript names have no spaces, so a space is inserted before
/// each capital letter of the family that follows a small letter.
pub(super) fn face(name: &str) -> Face {
    let (family, face) = name.split_once('-').unwrap_or((name, ""));
    // Names of Monotype's fonts end with `MT` (`ArialMT`), and some of them with `PSMT` (`TimesNewRomanPSMT`). Both are
    // removed.
    let family = family.trim_end_matches("MT").trim_end_matches("PS");
    let mut spaced = String::new();
    let mut before = ' ';
    for c in family.chars().take(MAX_NAME) {
        if c.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(c);
        before = c;
    }
    let holds = |words: [&str; 3]| words.iter().any(|word| face.contains(word));
    Face {
        family: if spaced.is_empty() {
            name.chars().take(MAX_NAME).collect()
        } else {
            spaced
        },
        bold: holds(["Bold", "Heavy", "Black"]) && !face.contains("Semi"),
        italic: holds(["Italic", "Oblique", "Inclined"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postscript_names_have_a_family_and_a_face() {
        #[track_caller]
        fn check(name: &str, family: &str, bold: bool, italic: bool) {
            let expected = Face {
                family: family.to_owned(),
                bold,
                italic,
            };
            assert_eq!(face(name), expected, "{name}");
        }
        check("Calibri-Bold", "Calibri", true, false);
        check(
            "TimesNewRomanPS-BoldItalicMT",
            "Times New Roman",
            true,
            true,
        );
        check("TimesNewRomanPSMT", "Times New Roman", false, false);
        check("ArialMT", "Arial", false, false);
        check("HelveticaNeue-Light", "Helvetica Neue", false, false);
        check("HelveticaNeue-SemiBold", "Helvetica Neue", false, false);
        check("Courier-Oblique", "Courier", false, true);
        check("MT", "MT", false, false);
    }
}
