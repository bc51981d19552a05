//! Metrics of fonts that documents name but that are not compiled in: the widths of their characters, and the height of
//! their lines. Has no glyphs. Text in such a font is drawn with glyphs of a substitute family, at the widths of the
//! original, so that lines and pages break where they did for the author.
//!
//! The script `widths.py` makes the table, and lists its sources. The table is unpacked when a document first names a
//! font.

use super::{Family, families};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::sync::OnceLock;

static PACKED: &[u8] = include_bytes!("widths.txt.zlib");

/// A family of fonts.
#[derive(Debug)]
pub struct Named {
    /// Name of the family in lower case.
    name: Box<str>,
    /// The substitute family for its glyphs.
    pub like: Family,
    /// Metrics of a line.
    pub line: Line,
    /// Widths of the faces: regular, bold, italic, and bold italic. Empty where unknown.
    faces: [Widths; 4],
}

/// Vertical metrics of a line, as shares of the font size. The sum of the three is the height of a line with single
/// spacing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Ascent above the base line.
    pub ascent: f32,
    /// Descent below the base line; positive.
    pub descent: f32,
    /// Additional space above the ascent.
    pub leading: f32,
}

/// The widths of characters, in thousandths of the font size, in the order of the characters.
#[derive(Debug, Default)]
pub struct Widths(Vec<(char, u16)>);

impl Widths {
    /// The width of a character, if it is known. East Asian characters of one kind usually have the same width, so the
    /// table states it for one of them only.
    pub fn of(&self, character: char) -> Option<u16> {
        let known = |character: char| {
            let at = self.0.binary_search_by_key(&character, |(known, _)| *known);
            at.ok().map(|at| self.0[at].1)
        };
        known(character).or_else(|| known(kind(character)?))
    }

    /// All known widths.
    pub fn all(&self) -> impl Iterator<Item = (char, u16)> {
        self.0.iter().copied()
    }
}

/// The representative of the East Asian characters of one kind. Its width counts for those of them that the table
/// lacks.
fn kind(character: char) -> Option<char> {
    Some(match character {
        '\u{ac00}'..='\u{d7a3}' => '가',
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => '一',
        '\u{3041}'..='\u{3096}' => 'あ',
        '\u{30a1}'..='\u{30fa}' => 'ア',
        '\u{ff61}'..='\u{ff9f}' => 'ｱ',
        '\u{3000}'..='\u{303f}' | '\u{30fb}'..='\u{30ff}' | '\u{ff01}'..='\u{ff60}' => '、',
        _ => return None,
    })
}

impl Named {
    /// The widths for a style; if they are unknown, those of the most similar style. The flags state whether the widths
    /// are bold and italic.
    pub fn widths(&self, bold: bool, italic: bool) -> (&Widths, bool, bool) {
        let wanted = [
            (bold, italic),
            (bold, false),
            (false, italic),
            (false, false),
        ];
        let known = wanted.into_iter().find_map(|(bold, italic)| {
            let widths = &self.faces[usize::from(bold) + 2 * usize::from(italic)];
            (!widths.0.is_empty()).then_some((widths, bold, italic))
        });
        known.unwrap_or((&self.faces[0], false, false))
    }
}

/// All fonts of the table, in the order of their names.
pub fn all() -> &'static [Named] {
    static ALL: OnceLock<Vec<Named>> = OnceLock::new();
    ALL.get_or_init(|| {
        // This cannot fail: a test reads the table.
        let text = decompress_to_vec_zlib_with_limit(PACKED, 1 << 20).unwrap_or_default();
        read(&String::from_utf8_lossy(&text))
    })
}

/// Other names of fonts, each with its name in the table, all in lower case: names of East Asian fonts in their own
/// language, and fonts that have the same widths as another font. Full-width letters have lower-case forms, too.
static ALIASES: &[(&str, &str)] = &[
    ("ｍｓ ゴシック", "ms gothic"),
    ("ｍｓ 明朝", "ms mincho"),
    ("ｍｓ ｐゴシック", "ms pgothic"),
    ("ｍｓ ｐ明朝", "ms pmincho"),
    ("ms ui gothic", "ms pgothic"),
    ("メイリオ", "meiryo"),
    ("meiryo ui", "meiryo"),
    ("游ゴシック", "yu gothic"),
    ("游ゴシック light", "yu gothic"),
    ("游ゴシック medium", "yu gothic"),
    ("yu gothic light", "yu gothic"),
    ("yu gothic medium", "yu gothic"),
    ("yu gothic ui", "yu gothic"),
    ("游明朝", "yu mincho"),
    ("游明朝 demibold", "yu mincho"),
    ("游明朝 light", "yu mincho"),
    ("yu mincho demibold", "yu mincho"),
    ("yu mincho light", "yu mincho"),
    ("맑은 고딕", "malgun gothic"),
    ("malgun gothic semilight", "malgun gothic"),
    ("바탕", "batang"),
    ("바탕체", "batangche"),
    ("궁서", "batang"),
    ("gungsuh", "batang"),
    ("궁서체", "batangche"),
    ("gungsuhche", "batangche"),
    ("돋움", "dotum"),
    ("돋움체", "dotumche"),
    ("굴림", "dotum"),
    ("gulim", "dotum"),
    ("굴림체", "dotumche"),
    ("gulimche", "dotumche"),
    ("宋体", "simsun"),
    ("新宋体", "simsun"),
    ("nsimsun", "simsun"),
    ("simsun-extb", "simsun"),
    ("黑体", "simhei"),
    ("楷体", "kaiti"),
    ("楷体_gb2312", "kaiti"),
    ("kaiti_gb2312", "kaiti"),
    ("仿宋", "fangsong"),
    ("仿宋_gb2312", "fangsong"),
    ("fangsong_gb2312", "fangsong"),
    ("等线", "dengxian"),
    ("等线 light", "dengxian"),
    ("dengxian light", "dengxian"),
    ("微软雅黑", "microsoft yahei"),
    ("微软雅黑 light", "microsoft yahei"),
    ("microsoft yahei light", "microsoft yahei"),
    ("microsoft yahei ui", "microsoft yahei"),
    ("微軟正黑體", "microsoft jhenghei"),
    ("microsoft jhenghei light", "microsoft jhenghei"),
    ("microsoft jhenghei ui", "microsoft jhenghei"),
    ("新細明體", "pmingliu"),
    ("pmingliu-extb", "pmingliu"),
    ("細明體", "mingliu"),
    ("mingliu-extb", "mingliu"),
    ("mingliu_hkscs", "mingliu"),
];

/// The number of the font with this name, in lower case.
pub fn find(name: &str) -> Option<usize> {
    let find = |name: &str| all().binary_search_by_key(&name, |known| &known.name).ok();
    find(name).or_else(|| {
        let mut aliases = ALIASES.iter();
        let (_, known) = aliases.find(|(alias, _)| *alias == name)?;
        find(known)
    })
}

/// Parses the table of font metrics, whose sizes are in thousandths of an em.
fn read(text: &str) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    for line in text.lines() {
        let mut parts = line.split('\t');
        let mut part = || parts.next().unwrap_or_default();
        let (name, style) = (part(), part().parse::<usize>().unwrap_or(0));
        let mut part_of_size = || part().parse::<f32>().unwrap_or(0.0) / 1000.0;
        let line = Line {
            ascent: part_of_size(),
            descent: part_of_size(),
            leading: part_of_size(),
        };
        let characters = part().chars();
        let widths = part().split(' ').filter_map(|width| width.parse().ok());
        let widths = Widths(characters.zip(widths).collect());
        if all.last().is_none_or(|last| *last.name != *name) {
            all.push(Named {
                name: name.into(),
                like: families::family(name).unwrap_or(Family::Sans),
                line,
                faces: Default::default(),
            });
        }
        if let Some(last) = all.last_mut() {
            last.faces[style.min(3)] = widths;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_contains_the_most_common_fonts() {
        #[track_caller]
        fn check(name: &str, character: char, width: Option<u16>) {
            let named = find(name).map(|at| &all()[at]).expect(name);
            assert!(
                named.line.ascent > 0.6 && named.line.descent > 0.1,
                "{name}"
            );
            let (widths, ..) = named.widths(false, false);
            assert_eq!(widths.of(character), width, "{name}");
        }
        check("cambria", 'a', Some(488));
        check("verdana", 'n', Some(633));
        check("consolas", '~', Some(550));
        check("symbol", 'a', None);
        check("ms gothic", 'W', Some(500));
        check("ｍｓ 明朝", '漢', Some(1000));
        check("ms pgothic", 'W', Some(742));
        check("ms pgothic", 'ア', Some(898));
        check("바탕", '한', Some(1000));
        check("batang", 'm', Some(875));
        check("굴림", 'm', Some(916));
        check("malgun gothic", '한', Some(920));
        check("meiryo", 'e', Some(577));
        check("微软雅黑", '微', Some(1000));
        check("simsun", '。', Some(1000));
        check("新細明體", '新', Some(1000));
        check("cambria", '漢', None);
        assert_eq!(find("arial"), None);
        for (alias, name) in ALIASES {
            assert!(find(alias).is_some() && find(name).is_some(), "{alias}");
            assert_eq!(
                (*alias, *name),
                (&*alias.to_lowercase(), &*name.to_lowercase())
            );
        }
        for (name, like) in [
            ("ms mincho", Family::Serif),
            ("batang", Family::Serif),
            ("pmingliu", Family::Serif),
            ("simsun", Family::Serif),
            ("dotum", Family::Sans),
            ("meiryo", Family::Sans),
        ] {
            assert_eq!(find(name).map(|at| all()[at].like), Some(like), "{name}");
        }
        assert!(all().is_sorted_by_key(|named| &named.name));
    }
}
