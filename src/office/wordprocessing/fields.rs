//! Fields of Word (ECMA-376 part 1, 17.16), which exist in RTF as well. A field has an instruction, such as `HYPERLINK
//! "https://example.org/"`, and a result: the text that the instruction produced when the document was last saved.
//!
//! Readers use the stored result, because computing it would need the complete program. Exceptions are, for example,
//! links, whose target is in the instruction, and page numbers, which depend on the layout. Computes nothing, and
//! fetches nothing.

use convertd_tree::{self as tree, StyleReference, numerals::Format};

/// Max. length of an instruction, in bytes. Text that would exceed it is ignored.
const MAX_INSTRUCTION: usize = 1 << 16;

/// Max. length of the stored result of a reference to a style, in bytes. Text that would exceed it is ignored.
const MAX_STORED: usize = 1000;

/// Field whose end is not read yet.
#[derive(Debug, Default)]
pub(crate) struct WordField {
    /// Instruction so far.
    instruction: String,
    /// Whether the instruction has ended, and the result follows.
    pub in_result: bool,
    /// Meaning of the field, known at the end of the instruction.
    pub meaning: FieldMeaning,
    /// Stored result, for references to a style.
    stored: String,
}

/// Meaning of a field for the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum FieldMeaning {
    /// The result, as plain text.
    #[default]
    Result,
    /// A link around the result, with its target.
    Link(Box<str>),
    /// A field of the tree, such as the page number. The stored result is ignored.
    Layout(tree::Field),
    /// A character in a font. The field has no result.
    Symbol(char, Box<str>),
    /// A text. The field has no result.
    Text(Box<str>),
    /// A word, and the text above it. The field has no result.
    Ruby(Box<str>, Box<str>),
    /// Nothing. The field has no visible text; an example is an index entry.
    Nothing,
}

impl WordField {
    /// Adds text to the instruction, which may consist of several runs.
    pub(super) fn instruct(&mut self, text: &str) {
        if self.instruction.len() + text.len() <= MAX_INSTRUCTION {
            self.instruction.push_str(text);
        }
    }

    /// Ends the instruction and interprets it.
    pub(super) fn begin_result(&mut self) {
        self.in_result = true;
        self.meaning = parse(&self.instruction);
    }

    /// Returns whether the field refers to a style.
    pub(super) fn is_reference(&self) -> bool {
        matches!(self.meaning, FieldMeaning::Layout(tree::Field::Styled(_)))
    }

    /// Stores a part of the result, if the field refers to a style.
    pub(super) fn store(&mut self, text: &str) {
        if self.in_result && self.is_reference() && self.stored.len() + text.len() <= MAX_STORED {
            self.stored.push_str(text);
        }
    }

    /// Returns the meaning at the end of the field.
    pub(super) fn ended(self) -> FieldMeaning {
        match self.meaning {
            FieldMeaning::Layout(tree::Field::Styled(mut reference)) => {
                reference.stored = self.stored.into();
                FieldMeaning::Layout(tree::Field::Styled(reference))
            }
            meaning => meaning,
        }
    }
}

/// Parses an instruction.
pub(super) fn parse(instruction: &str) -> FieldMeaning {
    let words = split(instruction);
    let mut words = words.iter().map(String::as_str);
    let name = words.next().unwrap_or_default().to_ascii_uppercase();
    let number = |field: tree::Field| {
        FieldMeaning::Layout(match number_format(words.clone()) {
            Some(format) => tree::Field::Formatted(field.into(), format),
            None => field,
        })
    };
    match name.as_str() {
        "PAGE" => number(tree::Field::Page),
        "NUMPAGES" => number(tree::Field::Pages),
        "SECTIONPAGES" => number(tree::Field::SectionPages),
        "SECTION" => number(tree::Field::Section),
        "STYLEREF" => match style_reference(words) {
            Some(reference) => FieldMeaning::Layout(tree::Field::Styled(reference.into())),
            None => FieldMeaning::Result,
        },
        "HYPERLINK" => {
            let (mut address, mut place) = (None, None);
            while let Some(word) = words.next() {
                match word {
                    r"\l" | r"\L" => place = words.next(),
                    // These switches have arguments: the target frame, and the screen tip.
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
            // Only references with `\h` are links.
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
        "EQ" => overstruck(instruction).unwrap_or(FieldMeaning::Result),
        "XE" | "TC" | "TA" | "RD" | "SET" => FieldMeaning::Nothing,
        _ => FieldMeaning::Result,
    }
}

/// Arguments of the switch `\*` for formats of numbers (17.16.4.3.1), with their names as `ST_NumberFormat`. In the
/// first four, the case of the argument is the case of the numbers.
const NUMBER_FORMATS: [(&str, &str); 11] = [
    ("ROMAN", "upperRoman"),
    ("roman", "lowerRoman"),
    ("ALPHABETIC", "upperLetter"),
    ("alphabetic", "lowerLetter"),
    ("Arabic", "decimal"),
    ("ArabicDash", "numberInDash"),
    ("Ordinal", "ordinal"),
    ("CardText", "cardinalText"),
    ("OrdText", "ordinalText"),
    ("Hex", "hex"),
    ("CircleNum", "decimalEnclosedCircle"),
];

/// Returns the format of a number that the switches of a field ask for: `\* roman`, or a picture of digits such as `\#
/// "00"`.
fn number_format<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Format> {
    let mut format = None;
    while let Some(word) = words.next() {
        let of_picture = match (word.get(..2), word.get(2..)) {
            (Some(r"\*"), _) => false,
            (Some(r"\#"), _) => true,
            _ => continue,
        };
        // The argument may follow the switch without a space.
        let argument = word.get(2..).filter(|rest| !rest.is_empty());
        let Some(argument) = argument.or_else(|| words.next()) else {
            break;
        };
        let digits = argument.len().min(9) as u8;
        if of_picture && digits > 1 && argument.bytes().all(|c| c == b'0') {
            format = Some(Format::Padded(digits));
        } else if !of_picture {
            let is_same = |(name, _): &&(&str, &str)| *name == argument;
            let is_alike = |(name, _): &&(&str, &str)| name.eq_ignore_ascii_case(argument);
            let found = NUMBER_FORMATS.iter().find(is_same);
            let found = found.or_else(|| NUMBER_FORMATS.iter().find(is_alike));
            format = found
                .and_then(|(_, name)| Format::of_word(name, None))
                .or(format);
        }
    }
    format
}

/// Returns the switch for a format of numbers. Empty if Word has none.
fn number_switch(format: Format) -> String {
    if let Format::Padded(digits) = format {
        return format!(" \\# \"{}\"", "0".repeat(digits.into()));
    }
    let found = NUMBER_FORMATS
        .iter()
        .find(|(_, name)| *name == format.word_name());
    found.map_or_else(String::new, |(name, _)| format!(" \\* {name}"))
}

/// Returns the instruction for a field of the tree.
pub fn instruction(field: &tree::Field) -> String {
    match field {
        tree::Field::Page => "PAGE".to_owned(),
        tree::Field::Pages => "NUMPAGES".to_owned(),
        tree::Field::SectionPages => "SECTIONPAGES".to_owned(),
        tree::Field::Section => "SECTION".to_owned(),
        tree::Field::Styled(reference) => {
            let name = reference.name.replace(['"', '\\'], "");
            let last = if reference.last { " \\l" } else { "" };
            format!("STYLEREF \"{name}\"{last}")
        }
        tree::Field::Formatted(field, format) => instruction(field) + &number_switch(*format),
    }
}

/// Parses the arguments of `STYLEREF` (17.16.5.59). `None` if the field shows a number or the relative position of the
/// paragraph instead of text, or if it names no style.
fn style_reference<'w>(words: impl Iterator<Item = &'w str>) -> Option<StyleReference> {
    let (mut name, mut last) = (None, false);
    for word in words {
        match word.to_ascii_lowercase().as_str() {
            r"\l" => last = true,
            r"\n" | r"\p" | r"\r" | r"\s" | r"\t" | r"\w" => return None,
            // The format of the text follows. The format, and all arguments after it, are ignored.
            r"\*" => break,
            _ => {
                name.get_or_insert(word);
            }
        }
    }
    Some(StyleReference {
        name: style_name(name?),
        last,
        stored: Box::default(),
    })
}

/// Returns the name of a style in a reference. A number is the level of a heading.
fn style_name(name: &str) -> Box<str> {
    let name = name.trim().to_lowercase();
    match name.parse::<u8>() {
        Ok(level) => format!("heading {level}").into(),
        Err(_) => name.into(),
    }
}

/// Returns the instruction that places a text over a word, as East Asian versions of Word write it. `halves` is the
/// font size of the word, in half points. `None` if the text or the word has characters that separate the arguments of
/// the field.
pub fn ruby_instruction(ruby: &tree::Ruby, halves: i64) -> Option<String> {
    let is_plain = |text: &str| !text.contains(['(', ')', '\\', ',', ';']);
    (is_plain(&ruby.above) && is_plain(&ruby.base)).then(|| {
        format!(
            "EQ \\* jc2 \\* hps{} \\o\\ad(\\s\\up {}({}),{})",
            halves / 2,
            halves / 2 - 1,
            ruby.above,
            ruby.base
        )
    })
}

/// Returns the meaning of an `EQ` field that places one text over another. East Asian versions of Word use it for words
/// below their pronunciation. The last argument of `\o` is the word, and the argument of the first `\s` is the
/// pronunciation.
fn overstruck(instruction: &str) -> Option<FieldMeaning> {
    let (_, after) = instruction.split_once("\\o")?;
    let (_, arguments) = after.split_once('(')?;
    let (mut depth, mut from) = (0_usize, 0);
    let above = || {
        let (_, raised) = arguments.split_once("\\s")?;
        let (_, above) = raised.split_once('(')?;
        let (above, _) = above.split_once(')')?;
        Some(above.trim()).filter(|above| !above.is_empty() && !above.contains('\\'))
    };
    for (at, c) in arguments.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => {
                let text = arguments[from..at].trim();
                let is_text = !text.is_empty() && !text.contains('\\');
                return is_text.then(|| match above() {
                    Some(above) => FieldMeaning::Ruby(text.into(), above.into()),
                    None => FieldMeaning::Text(text.into()),
                });
            }
            ')' => depth -= 1,
            ',' | ';' if depth == 0 => from = at + c.len_utf8(),
            _ => {}
        }
    }
    None
}

/// Splits an instruction into its words. Quotation marks enclose a word with spaces. Within them, a backslash escapes
/// another backslash or a quotation mark.
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
        #[track_caller]
        fn check_number(switches: &str, format: &str, written: &str) {
            let format = Format::of_word(format, Some("001, 002, ...")).expect("a format");
            let field = tree::Field::Formatted(tree::Field::Pages.into(), format);
            assert_eq!(instruction(&field), written);
            assert_eq!(
                parse(&format!("NUMPAGES {switches}")),
                FieldMeaning::Layout(field)
            );
        }
        check_number(r"\* ROMAN", "upperRoman", r"NUMPAGES \* ROMAN");
        check_number(
            r"\*roman \* MERGEFORMAT",
            "lowerRoman",
            r"NUMPAGES \* roman",
        );
        check_number(r"\* Alphabetic", "upperLetter", r"NUMPAGES \* ALPHABETIC");
        check_number(r"\* Arabic", "decimal", r"NUMPAGES \* Arabic");
        check_number(r"\* OrdText \* Caps", "ordinalText", r"NUMPAGES \* OrdText");
        check_number("\\# \"000\"", "custom", "NUMPAGES \\# \"000\"");
        check("SECTION", FieldMeaning::Layout(tree::Field::Section));
        let styled = |name: &str, last| {
            let (name, stored) = (name.into(), Box::default());
            let reference = StyleReference { name, last, stored };
            FieldMeaning::Layout(tree::Field::Styled(reference.into()))
        };
        check(
            "STYLEREF \"Heading 1\" \\* MERGEFORMAT",
            styled("heading 1", false),
        );
        check("STYLEREF 2", styled("heading 2", false));
        check("STYLEREF \\l Term", styled("term", true));
        check("STYLEREF 1 \\n", FieldMeaning::Result);
        check("REF _Ref1 \\h", link("#_Ref1"));
        check("REF _Ref1", FieldMeaning::Result);
        check(
            "SYMBOL 183 \\f \"Symbol\" \\s 10",
            FieldMeaning::Symbol('·', "Symbol".into()),
        );
        check("XE \"word\"", FieldMeaning::Nothing);
        let phonetic = "EQ \\* jc2 \\* hps10 \\o\\ad(\\s\\up 9(とう, きょう),東京)";
        check(
            phonetic,
            FieldMeaning::Ruby("東京".into(), "とう, きょう".into()),
        );
        let ruby = tree::Ruby {
            base: "東京".into(),
            above: "とうきょう".into(),
        };
        check(
            &ruby_instruction(&ruby, 21).expect("a field"),
            FieldMeaning::Ruby("東京".into(), "とうきょう".into()),
        );
        let listed = tree::Ruby {
            above: "a, b".into(),
            ..ruby
        };
        assert_eq!(ruby_instruction(&listed, 21), None);
        check("EQ \\o(a,b)", FieldMeaning::Text("b".into()));
        check("EQ \\f(1,2)", FieldMeaning::Result);
        check("EQ \\o(((", FieldMeaning::Result);
        check("TOC \\o \"1-3\"", FieldMeaning::Result);
        check("", FieldMeaning::Result);
    }
}
