//! Writes the header: fonts, colours, styles, lists, document information, and the properties of the whole document.
//! Writes nothing of the body.

use super::{
    context::{Rtf, escape},
    notes,
};
use convertd_office::wordprocessing::{
    self as office, LEVELS, WrittenLabel, WrittenLevel, is_typewriter,
};
use convertd_tree::{Delimiter, Numbering, Numeral, PageSetup};
use std::fmt::Write as _;

/// Number of the character style for code. The styles of the document have smaller numbers.
pub(super) const CODE: usize = 4000;

/// Number of the paragraph style for horizontal rules.
pub(super) const RULE: usize = 4001;

/// Returns the header. It is generated after the body, since it lists the fonts, colours and lists in use.
pub(super) fn write(rtf: &Rtf<'_>) -> String {
    let mut out = String::from("{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0\n{\\fonttbl");
    for (number, font) in rtf.fonts.iter().enumerate() {
        // If a program lacks the font, the family shows whether the font has a fixed width, and thus whether the text
        // is code.
        let family = if is_typewriter(font) {
            "fmodern"
        } else {
            "fnil"
        };
        write!(out, "{{\\f{number}\\{family} ").unwrap_or_default();
        escape(&mut out, &font.replace(';', " "));
        out.push_str(";}");
    }
    out.push_str("}\n{\\colortbl;");
    for colour in &rtf.colours {
        let (red, green, blue) = (colour.0, colour.1, colour.2);
        write!(out, "\\red{red}\\green{green}\\blue{blue};").unwrap_or_default();
    }
    out.push_str("}\n{\\stylesheet");
    let language = rtf.context.document.metadata.language.as_deref();
    let language = language.and_then(office::language_number);
    for (number, style) in rtf.context.styles.all.iter().enumerate() {
        write!(out, "{{\\s{number}").unwrap_or_default();
        let text = &style.look.text;
        for (word, is) in [("\\b", text.bold), ("\\i", text.italic)] {
            if is == Some(true) {
                out.push_str(word);
            }
        }
        if let Some(number) = language {
            write!(out, "\\lang{number}").unwrap_or_default();
        }
        if let Some(level) = style.outline {
            write!(out, "\\outlinelevel{level}").unwrap_or_default();
        }
        if let Some(size) = text.size.or(rtf.context.styles.text.size) {
            write!(out, "\\fs{}", (size.to_points() * 2.0).round()).unwrap_or_default();
        }
        out.push(' ');
        escape(&mut out, &style.name.replace(';', " "));
        out.push_str(";}");
    }
    writeln!(
        out,
        "{{\\*\\cs{CODE} Verbatim Char;}}{{\\s{RULE} Horizontal Line;}}}}"
    )
    .unwrap_or_default();
    lists(&mut out, rtf);
    info(&mut out, rtf);
    if let Some(number) = language {
        writeln!(out, "\\deflang{number}").unwrap_or_default();
    }
    if rtf.context.document.spaces_overlap {
        out.push_str("\\htmautsp\n");
    }
    if rtf.facing {
        out.push_str("\\facingp\n");
    }
    if rtf.context.document.is_hyphenated() {
        let own = rtf.context.document.hyphenation;
        let (zone, capitals) = (own.zone.to_twips(), u8::from(own.capitals));
        let most = own.ladder.unwrap_or(0);
        writeln!(
            out,
            "\\hyphauto1\\hyphhotz{zone}\\hyphconsec{most}\\hyphcaps{capitals}"
        )
        .unwrap_or_default();
    }
    // Some programs read only the numbering of the document. So this numbering is that of the sections, if all sections
    // have the same.
    let document = rtf.context.document;
    notes::of_document(
        &mut out,
        match document.common_note_setups() {
            (common, false) => common,
            (_, true) => document.note_setups,
        },
    );
    if let Some(page) = rtf.page {
        paper(&mut out, page);
    }
    out
}

/// Writes the page size and margins of the document, in twips.
fn paper(out: &mut String, page: &PageSetup) {
    for (word, length) in [
        ("paperw", page.width),
        ("paperh", page.height),
        ("margl", page.left),
        ("margr", page.right),
        ("margt", page.top),
        ("margb", page.bottom),
    ] {
        write!(out, "\\{word}{}", length.to_twips()).unwrap_or_default();
    }
    if page.width > page.height {
        out.push_str("\\landscape");
    }
    out.push('\n');
}

/// Writes the document information.
fn info(out: &mut String, rtf: &Rtf<'_>) {
    let metadata = &rtf.context.document.metadata;
    let authors = office::authors(metadata);
    let keywords = office::keywords(metadata);
    out.push_str("{\\info");
    for (word, value) in [
        ("title", &metadata.title),
        ("subject", &metadata.subject),
        ("author", &authors),
        ("keywords", &keywords),
        ("doccomm", &metadata.description),
    ] {
        if let Some(value) = value {
            write!(out, "{{\\{word} ").unwrap_or_default();
            escape(out, value);
            out.push('}');
        }
    }
    out.push_str("}\n");
}

/// Writes the list table and the list override table.
fn lists(out: &mut String, rtf: &Rtf<'_>) {
    out.push_str("{\\*\\listtable");
    for (number, levels) in rtf.context.lists.definitions.iter().enumerate() {
        write!(out, "{{\\list\\listtemplateid{}", number + 1).unwrap_or_default();
        for (level, written) in levels.iter().enumerate().take(LEVELS) {
            list_level(out, level, *written);
        }
        writeln!(out, "\\listid{}}}", number + 1).unwrap_or_default();
    }
    out.push_str("}\n{\\*\\listoverridetable");
    for (number, (definition, start)) in rtf.context.lists.lists.iter().enumerate() {
        write!(out, "{{\\listoverride\\listid{}", definition + 1).unwrap_or_default();
        match start {
            Some((level, start)) => {
                write!(out, "\\listoverridecount{}", level + 1).unwrap_or_default();
                // An override lists all levels up to the level that it changes.
                for at in 0..=*level {
                    out.push_str("{\\lfolevel");
                    if at == *level {
                        write!(out, "\\listoverridestartat\\levelstartat{start}")
                            .unwrap_or_default();
                    }
                    out.push('}');
                }
            }
            None => out.push_str("\\listoverridecount0"),
        }
        write!(out, "\\ls{}}}", number + 1).unwrap_or_default();
    }
    out.push_str("}\n");
}

/// Writes a level of a list.
fn list_level(out: &mut String, level: usize, written: WrittenLevel) {
    let mut start = 1;
    let (format, text, numbers) = match written.label {
        WrittenLabel::Nothing | WrittenLabel::Bullet(_) | WrittenLabel::Bullets => {
            // 23 is the number format of bullets.
            (23, bullet_text(written.bullet(level)), String::new())
        }
        WrittenLabel::Number(numbering) => {
            start = numbering.start;
            let (text, numbers) = number_text(level, numbering);
            (numeral(numbering.numeral), text, numbers)
        }
    };
    write!(
        out,
        "{{\\listlevel\\levelnfc{format}\\leveljc0\\levelfollow0\\levelstartat{start}{{\\leveltext{text};}}{{\\levelnumbers{numbers};}}\\fi{}\\li{}}}",
        written.first_line.to_twips(),
        written.indent.to_twips()
    )
    .unwrap_or_default();
}

/// Returns the pattern of a bullet.
fn bullet_text(bullet: Option<char>) -> String {
    // The pattern begins with its length in UTF-16 code units.
    let mut text = format!("\\'{:02x}", bullet.map_or(0, char::len_utf16));
    escape(&mut text, &String::from_iter(bullet));
    text
}

/// Returns the pattern of a level, preceded by its length, and the positions of the level numbers in it.
fn number_text(level: usize, numbering: Numbering) -> (String, String) {
    let first = if numbering.nested { 0 } else { level };
    let (before, after) = match numbering.delimiter {
        Delimiter::Period => ("", "."),
        Delimiter::Parenthesis => ("", ")"),
        Delimiter::Parentheses => ("(", ")"),
        Delimiter::None => ("", ""),
    };
    let mut text = before.to_owned();
    let mut length = before.len();
    let mut numbers = String::new();
    for at in first..=level {
        if at > first {
            text.push('.');
            length += 1;
        }
        length += 1;
        write!(text, "\\'{at:02x}").unwrap_or_default();
        write!(numbers, "\\'{length:02x}").unwrap_or_default();
    }
    length += after.len();
    (format!("\\'{length:02x}{text}{after}"), numbers)
}

/// Number format of a numeral system (`\levelnfc`).
fn numeral(numeral: Numeral) -> u8 {
    match numeral {
        Numeral::Decimal => 0,
        Numeral::UpperRoman => 1,
        Numeral::LowerRoman => 2,
        Numeral::UpperAlpha => 3,
        Numeral::LowerAlpha => 4,
    }
}
