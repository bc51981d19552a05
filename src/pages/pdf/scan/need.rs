//! Choice of the pages that are read from their picture: those that have one and no text that is of use. Looks at no page itself.
//!
//! OCRmyPDF asks whether there is any text at all, so that a page number keeps a scan from being read, and refuses the file; and garbled
//! text counts as text for it. Here the page counts as read if people could read it and programs, too.

use crate::scan::options::Mode;

/// The fewest letters that are the text of a page. Fewer are a page number, a stamp, or the mark of a program.
pub(crate) const FEWEST_LETTERS: usize = 20;
/// The share of letters that must stand for characters, in per cent.
const MAPPED: usize = 80;
/// The share of a page that pictures cover if they are what is on it; and if nothing else is.
const COVERED: f32 = 0.5;
const COVERED_ALONE: f32 = 0.05;
/// The fewest filled shapes of the size of letters that are text turned into outlines.
const FEWEST_OUTLINES: usize = 200;

/// Content of a page, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Letters that are seen, and those of them that stand for characters.
    pub(crate) letters: usize,
    pub(crate) mapped: usize,
    /// Letters that are not seen: drawn so, or behind a picture.
    pub(crate) hidden: usize,
    /// The share of the page that pictures cover, from 0 to 1.
    pub(crate) covered: f32,
    /// Filled shapes of the size of letters.
    pub(crate) outlines: usize,
    /// Anything else that is drawn.
    pub(crate) others: usize,
}

/// Treatment of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It stays as it is.
    Nothing,
    /// It stays as it is, and nothing is on it.
    Blank,
    /// It is read. Letters that are seen stay; what is read in their place is dropped.
    Beside,
    /// It is read, and that counts in place of all letters that it has.
    Instead,
}

/// Decides.
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
    // Text that another program has read counts, also beside letters of unknown fonts: it is known to belong to none of them.
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
        // A letter over the picture of its paper.
        check(
            Content {
                covered: 1.0,
                ..typeset
            },
            Nothing,
            Nothing,
        );
        // The number of a page, and a picture on a page of few words.
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
        // Another program has read it.
        check(
            Content {
                hidden: 900,
                ..scan
            },
            Nothing,
            Beside,
        );
        check(Content { hidden: 5, ..scan }, Beside, Beside);
        // Letters that stand for nothing.
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
        // Text turned into outlines, and a drawing.
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
