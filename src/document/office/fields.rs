//! Fields of Word (ECMA-376 part 1, 17.16), which RTF has as well: an instruction, and what it gave when the document was written.
//! The result is what counts, except for links and for the numbers of pages. Computes nothing and fetches nothing.

use crate::document::tree;

/// Longest instruction that is looked at, in bytes.
const MAX_INSTRUCTION: usize = 1 << 16;

/// A field that has begun.
#[derive(Debug, Default)]
pub(crate) struct WordField {
    instruction: String,
    /// Its result is being read.
    pub(crate) in_result: bool,
    /// What it means, once its instruction is whole.
    pub(crate) meaning: FieldMeaning,
}

/// What a field means to the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum FieldMeaning {
    /// Its result.
    #[default]
    Result,
    /// A link around its result.
    Link(Box<str>),
    /// A number that only the layout knows. The result is not looked at.
    Layout(tree::Field),
    /// A character, in a font. There is no result.
    Symbol(char, Box<str>),
    /// Nothing: a note for an index, say. There is no result.
    Nothing,
}

impl WordField {
    /// Adds to the instruction.
    pub(crate) fn instruct(&mut self, text: &str) {
        if self.instruction.len() + text.len() <= MAX_INSTRUCTION {
            self.instruction.push_str(text);
        }
    }

    /// The instruction is whole.
    pub(crate) fn begin_result(&mut self) {
        self.in_result = true;
        self.meaning = parse(&self.instruction);
    }
}

/// What an instruction means.
pub(crate) fn parse(instruction: &str) -> FieldMeaning {
    let words = split(instruction);
    let mut words = words.iter().map(String::as_str);
    let name = words.next().unwrap_or_default().to_ascii_uppercase();
    match name.as_str() {
        "PAGE" => FieldMeaning::Layout(tree::Field::Page),
        "NUMPAGES" => FieldMeaning::Layout(tree::Field::Pages),
        "HYPERLINK" => {
            let (mut address, mut place) = (None, None);
            while let Some(word) = words.next() {
                match word {
                    r"\l" | r"\L" => place = words.next(),
                    // The frame and the tip.
                    r"\t" | r"\o" | r"\T" | r"\O" => {
                        words.next();
                    }
                    _ if word.starts_with('\\') => {}
                    _ => address = address.or(Some(word)),
                }
            }
            match (address, place) {
                (None, None) => FieldMeaning::Result,
                (address, place) => {
                    let separator = if place.is_some() { "#" } else { "" };
                    let address = address.unwrap_or_default();
                    let place = place.unwrap_or_default();
                    FieldMeaning::Link(format!("{address}{separator}{place}").into())
                }
            }
        }
        "REF" | "PAGEREF" | "NOTEREF" => {
            let target = words.next().unwrap_or_default().to_owned();
            if !target.is_empty() && words.any(|word| word.eq_ignore_ascii_case(r"\h")) {
                FieldMeaning::Link(format!("#{target}").into())
            } else {
                FieldMeaning::Result
            }
        }
        "SYMBOL" => {
            let code = words.next().unwrap_or_default();
            let number = match code.strip_prefix("0x").or(code.strip_prefix("0X")) {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => code.parse().ok(),
            };
            let mut font = "Symbol";
            while let Some(word) = words.next() {
                if word.eq_ignore_ascii_case(r"\f") {
                    font = words.next().unwrap_or(font);
                }
            }
            match number.and_then(char::from_u32) {
                Some(c) => FieldMeaning::Symbol(c, font.into()),
                None => FieldMeaning::Result,
            }
        }
        "XE" | "TC" | "TA" | "RD" | "SET" => FieldMeaning::Nothing,
        _ => FieldMeaning::Result,
    }
}

/// The words of an instruction. In quotation marks, spaces do not count, and a backslash stands before itself and before such
/// marks.
fn split(instruction: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut chars = instruction.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut word = String::new();
        if matches!(c, '"' | '\u{201c}' | '\u{201d}') {
            while let Some(c) = chars.next() {
                match c {
                    '"' | '\u{201c}' | '\u{201d}' => break,
                    '\\' if matches!(chars.peek(), Some('\\' | '"')) => word.extend(chars.next()),
                    _ => word.push(c),
                }
            }
        } else {
            word.push(c);
            while let Some(c) = chars.next_if(|c| !c.is_whitespace() && *c != '"') {
                word.push(c);
            }
        }
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_understood() {
        #[track_caller]
        fn check(instruction: &str, expected: FieldMeaning) {
            assert_eq!(parse(instruction), expected);
        }
        let link = |target: &str| FieldMeaning::Link(target.into());
        check(
            " HYPERLINK \"https://example.org/\" \\o \"tip\" ",
            link("https://example.org/"),
        );
        check("HYPERLINK \\l \"place\"", link("#place"));
        check(
            "hyperlink \"a.html\" \\l \"b\" \\t \"_blank\"",
            link("a.html#b"),
        );
        check("HYPERLINK \"file:\\\\\\\\a\\\\b\"", link("file:\\\\a\\b"));
        check("HYPERLINK", FieldMeaning::Result);
        check(
            " PAGE  \\* MERGEFORMAT",
            FieldMeaning::Layout(tree::Field::Page),
        );
        check("NUMPAGES", FieldMeaning::Layout(tree::Field::Pages));
        check("REF _Ref1 \\h", link("#_Ref1"));
        check("REF _Ref1", FieldMeaning::Result);
        check(
            "SYMBOL 183 \\f \"Symbol\" \\s 10",
            FieldMeaning::Symbol('·', "Symbol".into()),
        );
        check("XE \"word\"", FieldMeaning::Nothing);
        check("TOC \\o \"1-3\"", FieldMeaning::Result);
        check("", FieldMeaning::Result);
    }
}
