//! Bodies that Outlook stores as compressed RTF (MS-OXRTFCP), which may encapsulate HTML (MS-OXRTFEX). Extracts the
//! HTML or the plain text. Ignores the formatting of RTF text.

use super::codepage::in_codepage;

/// Initial content of the dictionary (MS-OXRTFCP 2.1.2.1).
const PRESET: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
/// Size of the dictionary, in bytes (MS-OXRTFCP 2.1.2.1). References in it wrap around.
const WINDOW: usize = 4096;
/// Maximum size of a decompressed body, in bytes.
const MAX: usize = 64 << 20;

/// Decompresses a body. `None` if it is neither compressed nor stored RTF. The header has 16 bytes (2.1.3.1): the size
/// of the rest, the size of the content, a signature and a checksum.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    let size = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
    let data = bytes.get(16..)?;
    match &bytes[8..12] {
        b"MELA" => Some(data[..size.min(data.len())].to_vec()),
        b"LZFu" => Some(inflate(data, size.min(MAX))),
        _ => None,
    }
}

/// Decompresses LZFu data (MS-OXRTFCP 3.1.4.1). Each byte of flags announces eight tokens. A token is a literal byte,
/// or a reference of two bytes into the last 4096 bytes: 12 bits of position, and 4 bits of length less 2. A reference
/// to the current position ends the data.
fn inflate(data: &[u8], size: usize) -> Vec<u8> {
    let mut window = [b' '; WINDOW];
    window[..PRESET.len()].copy_from_slice(PRESET);
    let mut at = PRESET.len();
    let mut out = Vec::new();
    let mut bytes = data.iter().copied();
    while let Some(flags) = bytes.next() {
        for bit in 0..8 {
            if out.len() >= size {
                return out;
            }
            let Some(first) = bytes.next() else {
                return out;
            };
            if flags & 1 << bit == 0 {
                window[at] = first;
                at = (at + 1) % WINDOW;
                out.push(first);
                continue;
            }
            let Some(second) = bytes.next() else {
                return out;
            };
            let from = usize::from(first) << 4 | usize::from(second >> 4);
            if from == at {
                return out;
            }
            for nth in 0..usize::from(second & 15) + 2 {
                let byte = window[(from + nth) % WINDOW];
                window[at] = byte;
                at = (at + 1) % WINDOW;
                out.push(byte);
            }
        }
    }
    out
}

/// Content of an RTF body.
#[derive(Debug, PartialEq)]
pub(super) enum Content {
    Html(String),
    Text(String),
}

/// Returns the HTML that RTF encapsulates, or its text. `\fromhtml` in the head marks encapsulated HTML (MS-OXRTFEX).
pub(super) fn content(rtf: &[u8]) -> Content {
    // The control word belongs to the RTF header, which is short.
    let head = &rtf[..rtf.len().min(2048)];
    let is_html = memchr::memmem::find(head, b"\\fromhtml").is_some();
    let text = TextExtractor::new(rtf, is_html).read();
    match is_html {
        true => Content::Html(text),
        false => Content::Text(text),
    }
}

/// State that a group saves and restores.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Whether this is a destination without text: fonts, colours, pictures.
    is_skipped: bool,
    /// Whether this text follows `\htmlrtf`: it is the RTF form of an HTML tag, and is left out of the HTML.
    is_htmlrtf: bool,
    /// Whether this text follows `\*\htmltag`: it is source text of the encapsulated HTML.
    is_tag: bool,
    /// Number of bytes that replace a `\u` character for old readers, and are skipped (`\uc`).
    skips: usize,
}

/// Extracts text from RTF in one pass.
struct TextExtractor<'r> {
    rest: &'r [u8],
    is_html: bool,
    /// Windows code page of the text (`\ansicpg`).
    codepage: u64,
    groups: Vec<Group>,
    /// State of the current group. `groups` has the states of the groups around it.
    group: Group,
    /// Bytes in the code page that are not decoded yet. A character may have two bytes, so they are decoded together.
    bytes: Vec<u8>,
    out: String,
    /// Number of bytes to skip after a `\u` character.
    skip: usize,
    /// First half of a surrogate pair, until the second half is read.
    high: Option<u16>,
}

/// Limit on the nesting of groups. Deeper groups share the state of the group around them.
const MAX_GROUPS: usize = 1000;

impl<'r> TextExtractor<'r> {
    fn new(rtf: &'r [u8], is_html: bool) -> Self {
        Self {
            rest: rtf,
            is_html,
            codepage: 1252,
            groups: Vec::new(),
            group: Group {
                // Default of `\uc`.
                skips: 1,
                ..Group::default()
            },
            bytes: Vec::new(),
            out: String::new(),
            skip: 0,
            high: None,
        }
    }

    /// Reads the text to its end. In RTF that encapsulates HTML (MS-OXRTFEX), only the tags and the text outside of
    /// `\htmlrtf` are HTML.
    fn read(mut self) -> String {
        while let [byte, rest @ ..] = self.rest {
            self.rest = rest;
            match byte {
                b'{' => {
                    if self.groups.len() < MAX_GROUPS {
                        self.groups.push(self.group);
                    }
                    self.skip = 0;
                }
                b'}' => {
                    self.flush();
                    if let Some(group) = self.groups.pop() {
                        self.group = group;
                    }
                    self.skip = 0;
                }
                b'\\' => self.control(),
                // Line breaks of the file have no meaning in RTF.
                b'\r' | b'\n' => {}
                byte => self.byte(*byte),
            }
        }
        self.flush();
        self.out
    }

    /// Returns whether the text of the current group is part of the result.
    fn is_shown(&self) -> bool {
        !self.group.is_skipped && !self.group.is_htmlrtf
    }

    /// Adds a byte of text in the code page.
    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.is_shown() {
            self.bytes.push(byte);
        }
    }

    /// Adds text that is already decoded.
    fn text(&mut self, text: &str) {
        if self.is_shown() {
            self.flush();
            self.out.push_str(text);
        }
    }

    /// Decodes the collected bytes.
    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            self.out.push_str(&in_codepage(self.codepage, bytes));
        }
    }

    /// Reads a control word or a control symbol; the backslash before it is consumed.
    fn control(&mut self) {
        let Some((&first, rest)) = self.rest.split_first() else {
            return;
        };
        if !first.is_ascii_alphabetic() {
            self.rest = rest;
            match first {
                b'\'' => {
                    let digits = rest
                        .get(..2)
                        .and_then(|digits| std::str::from_utf8(digits).ok());
                    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    if let Some(byte) = byte {
                        self.rest = &rest[2..];
                        self.byte(byte);
                    }
                }
                b'*' => self.destination(),
                b'~' => self.text("\u{a0}"),
                b'_' => self.text("\u{2011}"),
                b'{' | b'}' | b'\\' => self.byte(first),
                _ => {}
            }
            return;
        }
        let (word, number) = self.word();
        self.apply(word, number);
    }

    /// Reads the letters of a control word and its number. One space after it belongs to the word.
    fn word(&mut self) -> (&'r [u8], Option<i64>) {
        let len = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let (word, rest) = self.rest.split_at(len);
        let is_digit =
            |(at, byte): &(usize, &u8)| byte.is_ascii_digit() || (*at == 0 && **byte == b'-');
        let digits = rest.iter().enumerate().take_while(is_digit).count();
        // Longer numbers are damage; the rest of the digits becomes text.
        let (number, rest) = rest.split_at(digits.min(12));
        let number = std::str::from_utf8(number)
            .ok()
            .and_then(|number| number.parse().ok());
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        (word, number)
    }

    /// Reads an ignorable destination (`\*`). Only `\htmltag`, if the RTF encapsulates HTML, has content of the
    /// result. All other destinations are skipped.
    fn destination(&mut self) {
        if let Some(rest) = self.rest.strip_prefix(b"\\") {
            self.rest = rest;
            let (word, _) = self.word();
            self.flush();
            match word {
                b"htmltag" if self.is_html => {
                    self.group.is_tag = true;
                    self.group.is_htmlrtf = false;
                }
                _ => self.group.is_skipped = true,
            }
        }
    }

    /// Applies a control word: destinations without text are skipped, others change the state or stand for a character.
    fn apply(&mut self, word: &[u8], number: Option<i64>) {
        match word {
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object"
            | b"header" | b"footer" => {
                self.flush();
                self.group.is_skipped = true;
            }
            b"htmlrtf" => {
                self.flush();
                self.group.is_htmlrtf = self.is_html && number != Some(0) && !self.group.is_tag;
            }
            b"ansicpg" => {
                self.codepage = number
                    .and_then(|page| u64::try_from(page).ok())
                    .unwrap_or(1252)
            }
            b"uc" => {
                self.group.skips = number
                    .and_then(|count| usize::try_from(count).ok())
                    .unwrap_or(1)
                    .min(16)
            }
            b"u" => {
                self.unicode(number.unwrap_or(0) as u16);
                self.skip = self.group.skips;
            }
            b"bin" => {
                let len = number
                    .and_then(|len| usize::try_from(len).ok())
                    .unwrap_or(0);
                // Binary data follow. They may contain braces, so they are skipped by their length.
                self.rest = self.rest.get(len..).unwrap_or_default();
            }
            b"par" | b"line" => self.text(if self.is_html { "\r\n" } else { "\n" }),
            b"tab" | b"cell" => self.text("\t"),
            b"row" if !self.is_html => self.text("\n"),
            b"lquote" => self.text("‘"),
            b"rquote" => self.text("’"),
            b"ldblquote" => self.text("“"),
            b"rdblquote" => self.text("”"),
            b"bullet" => self.text("•"),
            b"endash" => self.text("–"),
            b"emdash" => self.text("—"),
            _ => {}
        }
    }

    /// Adds a UTF-16 code unit. The first half of a surrogate pair waits for the second one.
    fn unicode(&mut self, unit: u16) {
        let units = match self.high.take() {
            Some(high) => vec![high, unit],
            None if (0xd800..0xdc00).contains(&unit) => {
                self.high = Some(unit);
                return;
            }
            None => vec![unit],
        };
        let text: String = char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        self.text(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_bodies_are_unpacked() {
        // The example of MS-OXRTFCP 4.1.1.
        let packed = [
            0x2d, 0, 0, 0, 0x2b, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xf1, 0xc5, 0xc7, 0xa7, 0x03,
            0x00, 0x0a, 0x00, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0a, 0xf3,
            0x20, 0x68, 0x65, 0x6c, 0x09, 0x00, 0x20, 0x62, 0x77, 0x05, 0xb0, 0x6c, 0x64, 0x7d,
            0x0a, 0x80, 0x0f, 0xa0,
        ];
        let plain = unpack(&packed).unwrap();
        assert_eq!(plain, b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
        assert_eq!(content(&plain), Content::Text("hello world".into()));
        for end in 0..packed.len() {
            let _ = unpack(&packed[..end]);
        }
    }

    #[test]
    fn a_wrapped_page_is_extracted() {
        let rtf = b"{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0 Arial;}}{\\*\\htmltag64 <p>}\\htmlrtf \\b\\htmlrtf0 caf\\'e9 \\u8364?{\\*\\htmltag72 </p>}\\htmlrtf x\\htmlrtf0}";
        assert_eq!(content(rtf), Content::Html("<p>caf\u{e9} €</p>".into()));
        for end in 0..rtf.len() {
            content(&rtf[..end]);
        }
        content(&b"{".repeat(100_000));
    }
}
