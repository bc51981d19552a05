//! Classes of scripts for which runs have separate fonts. Does not choose the fonts.

/// Class of scripts, which determines the font of a run. A run has a font for each class (`w:rFonts`, ECMA-376 part 1,
/// 17.3.2.26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// Latin letters, and all characters of no other class.
    Latin,
    /// Chinese, Japanese, Korean.
    EastAsian,
    /// Right-to-left scripts such as Arabic and Hebrew, and those of India and south-east Asia.
    Complex,
}

impl Script {
    /// Returns the class of most letters of a text. Digits and punctuation do not count.
    pub fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Latin;
        }
        let (mut latin, mut east, mut complex) = (0, 0, 0);
        for c in text.chars() {
            match u32::from(c) {
                0x590..=0x109f | 0x1780..=0x17ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff => {
                    complex += 1
                }
                0x1100..=0x11ff | 0x2e80..=0xd7ff | 0xf900..=0xfaff | 0xff00..=0xffef => east += 1,
                0x20000..=0x3ffff => east += 1,
                _ if c.is_alphabetic() => latin += 1,
                _ => {}
            }
        }
        if east > latin.max(complex) {
            Self::EastAsian
        } else if complex > latin {
            Self::Complex
        } else {
            Self::Latin
        }
    }
}
