//! Chooses among many fonts for a character that the compiled-in fonts lack. Opens few font files, because the list of
//! fonts rules out most of them.

use super::{Facts, Font, all};
use crate::fonts::{Family, families};

/// Properties that the font of a text should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wish {
    /// Whether the face should be bold.
    pub bold: bool,
    /// Whether the face should be slanted.
    pub italic: bool,
    /// The family of the surrounding text. A font of the same kind, with or without serifs, is preferred.
    pub family: Family,
    /// The region of Chinese, Japanese or Korean text. These languages share characters, but each draws them in its own
    /// form.
    pub region: Option<Region>,
}

/// A region with its own form of Chinese characters. Its value is the number of the bit by which fonts claim to cover
/// its code page (OpenType, "OS/2", `ulCodePageRange1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// Japanese (JIS).
    Japan = 17,
    /// Simplified Chinese (GBK).
    China = 18,
    /// Korean (Wansung).
    Korea = 19,
    /// Traditional Chinese (Big5).
    Taiwan = 20,
}

impl Region {
    /// Words for the region in the names of fonts.
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Japan => &["jp"],
            Self::China => &["sc", "cn", "gb"],
            Self::Korea => &["kr"],
            Self::Taiwan => &["tc", "tw", "hk"],
        }
    }

    /// Region of a language tag (BCP 47).
    pub fn of_language(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        let has = |part: &str| tag.split(['-', '_']).any(|own| own == part);
        match tag.split(['-', '_']).next()? {
            "ja" => Some(Self::Japan),
            "ko" => Some(Self::Korea),
            "zh" if ["tw", "hk", "mo", "hant"].into_iter().any(has) => Some(Self::Taiwan),
            "zh" | "yue" => Some(Self::China),
            _ => None,
        }
    }

    /// Region of a character that is used in only one region.
    pub fn of_character(character: char) -> Option<Self> {
        match character {
            '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Some(Self::Japan),
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7ff}' => {
                Some(Self::Korea)
            }
            _ => None,
        }
    }
}

/// Finds the fonts that have a character, as indices, the closest one first.
pub fn with_character(character: char, wish: Wish) -> Vec<usize> {
    let fonts = all().iter().enumerate();
    let mut with_character: Vec<_> = fonts.filter(|(_, font)| font.has(character)).collect();
    with_character.sort_by_key(|(_, font)| distance(font, wish));
    with_character.into_iter().map(|(at, _)| at).collect()
}

/// Distance of a font from a wish, as a tuple. Tuples are compared element by element, so the first element counts
/// most.
fn distance(font: &Font, wish: Wish) -> impl Ord + use<> {
    let facts = font.facts();
    let of_region = wish
        .region
        .map_or(0, |region| region_distance(facts, region));
    let kind = families::family(&facts.title);
    let has_serifs = |family: Family| matches!(family, Family::Serif | Family::Cambria);
    let is_mono = kind == Some(Family::Mono);
    let weight = if wish.bold { 700 } else { 400 };
    (
        of_region,
        is_mono != (wish.family == Family::Mono),
        kind.is_some_and(has_serifs) != has_serifs(wish.family),
        facts.width.abs_diff(5),
        facts.weight.abs_diff(weight),
        facts.italic != wish.italic,
    )
}

/// Distance of a font from a region: 0 if the font has the region in its name, 1 if it claims to cover the region's
/// code page, 2 otherwise or if it has another region in its name. The name counts more, because fonts with very many
/// characters claim to cover the code pages of several regions.
fn region_distance(facts: &Facts, region: Region) -> u8 {
    let words = || facts.title.split(' ').map(str::to_ascii_lowercase);
    let is_of = |region: Region| words().any(|word| region.words().contains(&&*word));
    let regions = [Region::Japan, Region::China, Region::Korea, Region::Taiwan];
    match () {
        () if is_of(region) => 0,
        () if regions.into_iter().any(is_of) => 2,
        () if facts.code_pages & 1 << region as u32 != 0 => 1,
        () => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_code_pages_decide_on_the_region() {
        #[track_caller]
        fn check(title: &str, code_pages: u32, expected: [u8; 2]) {
            let facts = Facts {
                title: title.to_owned(),
                code_pages,
                ..Facts::default()
            };
            let regions = [Region::Japan, Region::China];
            assert_eq!(
                regions.map(|region| region_distance(&facts, region)),
                expected,
                "{title}"
            );
        }
        check("Noto Sans CJK JP", 1 << 17 | 1 << 18, [0, 2]);
        check("Noto Serif SC", 1 << 18, [2, 0]);
        check("Droid Sans Fallback", 1 << 17 | 1 << 18, [1, 1]);
        check("IPAGothic", 1 << 17, [1, 2]);
        check("Noto Sans", 0, [2, 2]);
    }

    #[test]
    fn languages_have_a_region() {
        #[track_caller]
        fn check(tag: &str, region: Option<Region>) {
            assert_eq!(Region::of_language(tag), region, "{tag}");
        }
        check("ja-JP", Some(Region::Japan));
        check("zh", Some(Region::China));
        check("zh-Hant-HK", Some(Region::Taiwan));
        check("zh_TW", Some(Region::Taiwan));
        check("en-US", None);
        check("", None);
    }
}
