//! The code pages of Windows and older systems, by their numbers in office files. Contains only code pages that occur
//! in documents.

use super::johab;
use encoding_rs::Encoding;

/// Encoding of the text of a document. The document names the encoding by a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CodePage {
    /// An encoding of the WHATWG Encoding Standard.
    Known(&'static Encoding),
    /// A code page of MS-DOS: the 128 characters of the bytes 0x80 to 0xff.
    Dos(&'static str),
    /// Johab, a Korean encoding that composes syllables from their letters.
    Johab,
    /// A symbol font, whose character codes are not letters.
    Symbol,
}

impl CodePage {
    /// Western European, the default.
    pub const DEFAULT: Self = Self::Known(encoding_rs::WINDOWS_1252);

    /// Western European on a Macintosh.
    pub const MACINTOSH: Self = Self::Known(encoding_rs::MACINTOSH);

    /// The code page with this number.
    pub fn by_number(number: i32) -> Option<Self> {
        Some(Self::Known(match number {
            1361 => return Some(Self::Johab),
            437 | 850 => return Some(Self::Dos(if number == 437 { DOS_437 } else { DOS_850 })),
            866 => encoding_rs::IBM866,
            874 => encoding_rs::WINDOWS_874,
            // The Macintosh code pages 10001 to 10003 and 10008 differ from those of Windows in a few characters only,
            // so the Windows encodings decode them.
            932 | 10001 => encoding_rs::SHIFT_JIS,
            936 | 10008 => encoding_rs::GBK,
            949 | 10003 => encoding_rs::EUC_KR,
            950 | 10002 => encoding_rs::BIG5,
            1250 => encoding_rs::WINDOWS_1250,
            1251 => encoding_rs::WINDOWS_1251,
            1252 => encoding_rs::WINDOWS_1252,
            1253 => encoding_rs::WINDOWS_1253,
            1254 => encoding_rs::WINDOWS_1254,
            1255 => encoding_rs::WINDOWS_1255,
            1256 => encoding_rs::WINDOWS_1256,
            1257 => encoding_rs::WINDOWS_1257,
            1258 => encoding_rs::WINDOWS_1258,
            10000 => encoding_rs::MACINTOSH,
            10007 => encoding_rs::X_MAC_CYRILLIC,
            20866 => encoding_rs::KOI8_R,
            54936 => encoding_rs::GB18030,
            65001 => encoding_rs::UTF_8,
            _ => return None,
        }))
    }

    /// The code page for a character set of Windows (`lfCharSet`), which fonts in documents name by its number.
    pub fn by_charset(number: i32) -> Option<Self> {
        Self::by_number(match number {
            0 => 1252,
            2 => return Some(Self::Symbol),
            77 => 10000,
            78 => 10001,
            79 => 10003,
            80 => 10008,
            81 => 10002,
            89 => 10007,
            128 => 932,
            129 => 949,
            130 => 1361,
            134 => 936,
            136 => 950,
            161 => 1253,
            162 => 1254,
            163 => 1258,
            177 => 1255,
            178 => 1256,
            186 => 1257,
            204 => 1251,
            222 => 874,
            238 => 1250,
            254 => 437,
            255 => 850,
            _ => return None,
        })
    }

    /// The code page of Windows for a language identifier (MS-LCID), whose lower ten bits are the primary language.
    pub fn by_language(language: u16) -> Option<Self> {
        Self::by_number(match language & 0x3ff {
            0x01 | 0x20 | 0x29 => 1256,
            0x02 | 0x19 | 0x22 | 0x23 | 0x2f => 1251,
            0x04 if matches!(language, 0x0804 | 0x1004) => 936,
            0x04 => 950,
            0x05 | 0x0e | 0x15 | 0x18 | 0x1a | 0x1b | 0x1c | 0x24 => 1250,
            0x08 => 1253,
            0x0d => 1255,
            0x11 => 932,
            0x12 => 949,
            0x1e => 874,
            0x1f => 1254,
            0x25..=0x27 => 1257,
            0x2a => 1258,
            _ => return None,
        })
    }

    /// Length in bytes of the character that begins with `first`, in the code page of a font: 1 or 2.
    pub fn len_of(self, first: u8) -> usize {
        let is_double = match self {
            Self::Johab => johab::leads(first),
            Self::Symbol | Self::Dos(_) => false,
            Self::Known(encoding) if encoding.is_single_byte() => false,
            // Half-width katakana take a single byte, 0xa1 to 0xdf, between the two ranges of first bytes of pairs.
            Self::Known(encoding) if encoding == encoding_rs::SHIFT_JIS => {
                matches!(first, 0x81..=0x9f | 0xe0..=0xfc)
            }
            Self::Known(_) => matches!(first, 0x81..=0xfe),
        };
        1 + usize::from(is_double)
    }

    /// Decodes bytes to text. A byte order mark is not recognised, and invalid bytes become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        let by_byte = |of: fn(&str, u8) -> char, table: &str| {
            bytes.iter().map(|byte| of(table, *byte)).collect()
        };
        match self {
            Self::Known(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            Self::Johab => johab::decode(bytes),
            Self::Symbol => by_byte(|_, byte| char::from(byte), ""),
            Self::Dos(table) => by_byte(
                |table, byte| match byte.checked_sub(128) {
                    Some(at) => table.chars().nth(at.into()).unwrap_or('\u{fffd}'),
                    None => char::from(byte),
                },
                table,
            ),
        }
    }
}

const DOS_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
const DOS_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_in_their_code_page() {
        #[track_caller]
        fn check(number: i32, bytes: &[u8], expected: &str) {
            let page = CodePage::by_number(number).expect("a code page");
            assert_eq!(page.decode(bytes), expected);
        }
        check(1252, b"\x80\xe4", "€ä");
        check(1251, b"\xcf\xf0", "Пр");
        check(932, b"\x93\xfa\x96{", "日本");
        check(1361, b"\xd0\x65", "한");
        check(437, b"a\x81\xe1\xff", "aüß\u{a0}");
        check(850, b"\x9d\xd5", "Øı");
        assert_eq!(DOS_437.chars().count(), 128);
        assert_eq!(DOS_850.chars().count(), 128);
        assert_eq!(CodePage::by_charset(2), Some(CodePage::Symbol));
        assert_eq!(CodePage::by_number(1), None);
    }
}
