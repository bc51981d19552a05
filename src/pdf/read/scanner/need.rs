//! Choice of the pages for OCR. Unless OCR is forced or off, these are the pages without usable text that show a
//! picture, letters as outlines, or letters without known characters. Decides by counts alone, and reads no page.
//!
//! OCRmyPDF asks only whether a page has any text: a page number is enough to keep a scan from being read, and garbled
//! text counts as text. Here a page has usable text if programs can extract what people see.

use convertd_scan::options::Mode;

/// Limit below which letters do not count as the text of a page: they may be a page number, a stamp, or the mark of a
/// program.
pub(crate) const FEWEST_LETTERS: usize = 20;
/// Minimum percentage of visible letters that must have a known character.
const MAPPED: usize = 80;
/// Fraction of a page that pictures must cover to count as its content.
const COVERED: f32 = 0.5;
/// Fraction of a page that pictures must cover to count as its content, if the page has no visible letters.
const COVERED_ALONE: f32 = 0.05;
/// Minimum number of filled shapes of the size of letters that count as text converted to outlines.
const FEWEST_OUTLINES: usize = 200;

/// Content of a page, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Number of visible letters.
    pub(crate) letters: usize,
    /// Number of visible letters with a known Unicode character.
    pub(crate) mapped: usize,
    /// Number of invisible letters: drawn in rendering mode 3, or covered by a picture.
    pub(crate) hidden: usize,
    /// Fraction of the page that pictures cover, from 0 to 1.
    pub(crate) covered: f32,
    /// Number of filled shapes of the size of letters.
    pub(crate) outlines: usize,
    /// Number of other objects that are drawn.
    pub(crate) others: usize,
}

/// Treatment of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The page stays as it is.
    Nothing,
    /// The page stays as it is, because it is blank.
    Blank,
    /// OCR reads the page. Visible letters stay, and recognised text at their positions is dropped.
    Beside,
    /// OCR reads the page, and the recognised text replaces all its letters.
    Instead,
}

/// Decides how a page is treated.
pub(crate) fn need(content: &Content, mode: Mode) -> Need {
    let Content {
        letters,
        mapped,
        hidden,
        covered,
        outlines,
        others,
    } = *content;
    let is_empty = letters + hidden + outlines + others == 0 && covered <= 0.0;
    match mode {
        Mode::Off => return Need::Nothing,
        _ if is_empty => return Need::Blank,
        Mode::Force => return Need::Instead,
        Mode::Auto | Mode::Redo => {}
    }
    // Invisible text by another OCR program counts even beside letters without known characters, because the program
    // read the picture of the page and not these letters.
    if hidden >= FEWEST_LETTERS && mode == Mode::Auto {
        return Need::Nothing;
    }
    if letters >= FEWEST_LETTERS {
        return match 100 * mapped >= MAPPED * letters {
            true => Need::Nothing,
            false => Need::Instead,
        };
    }
    let least = if letters == 0 { COVERED_ALONE } else { COVERED };
    if covered >= least || outlines >= FEWEST_OUTLINES {
        return Need::Beside;
    }
    Need::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_without_usable_text_are_read() {
        #[track_caller]
        fn check(content: Content, auto: Need, redo: Need) {
            assert_eq!(need(&content, Mode::Auto), auto, "{content:?}");
            assert_eq!(need(&content, Mode::Redo), redo, "{content:?}");
            assert_eq!(need(&content, Mode::Off), Need::Nothing);
            if auto != Need::Blank {
                assert_eq!(need(&content, Mode::Force), Need::Instead);
            }
        }
        use Need::*;
        let empty = Content::default();
        let typeset = Content {
            letters: 2000,
            mapped: 2000,
            ..empty
        };
        let scan = Content {
            covered: 1.0,
            ..empty
        };
        check(empty, Blank, Blank);
        check(typeset, Nothing, Nothing);
        check(scan, Beside, Beside);
        // Text in front of a picture of paper has known characters.
        check(
            Content {
                covered: 1.0,
                ..typeset
            },
            Nothing,
            Nothing,
        );
        // A page number on a scan; a page with few words and a small picture; and this page without the picture.
        check(
            Content {
                letters: 9,
                mapped: 9,
                ..scan
            },
            Beside,
            Beside,
        );
        check(
            Content {
                letters: 9,
                mapped: 9,
                covered: 0.3,
                ..empty
            },
            Nothing,
            Nothing,
        );
        check(
            Content {
                letters: 9,
                mapped: 9,
                ..empty
            },
            Nothing,
            Nothing,
        );
        // A receipt on a large page.
        check(
            Content {
                covered: 0.1,
                ..empty
            },
            Beside,
            Beside,
        );
        // A page with the text layer of another OCR program.
        check(
            Content {
                hidden: 900,
                ..scan
            },
            Nothing,
            Beside,
        );
        check(Content { hidden: 5, ..scan }, Beside, Beside);
        // Letters without known characters are replaced.
        check(
            Content {
                letters: 2000,
                mapped: 1599,
                ..empty
            },
            Instead,
            Instead,
        );
        check(
            Content {
                letters: 2000,
                mapped: 1600,
                ..empty
            },
            Nothing,
            Nothing,
        );
        check(
            Content {
                letters: 2000,
                mapped: 0,
                hidden: 1900,
                ..empty
            },
            Nothing,
            Instead,
        );
        // Text converted to outlines, and a drawing.
        check(
            Content {
                outlines: 2000,
                ..empty
            },
            Beside,
            Beside,
        );
        check(
            Content {
                outlines: 20,
                others: 300,
                ..empty
            },
            Nothing,
            Nothing,
        );
    }
}
