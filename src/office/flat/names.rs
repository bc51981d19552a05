//! Translates names of WordprocessingML 2003 to names of Office Open XML (ECMA-376 part 1, 17). Most names differ only
//! in spelling: `line-rule="at-least"` is now `lineRule="atLeast"`. Does not interpret names and values.

use std::borrow::Cow;

/// Translates the name of an element.
pub(super) fn element(name: &str) -> Cow<'_, str> {
    Cow::Borrowed(match name {
        "listPr" => "numPr",
        "ilfo" => "numId",
        "listDef" => "abstractNum",
        "list" => "num",
        "ilst" => "abstractNumId",
        "listStyleLink" => "numStyleLink",
        "nfc" => "numFmt",
        "hmerge" => "hMerge",
        "vmerge" => "vMerge",
        "textFlow" => "textDirection",
        _ => return joined(name),
    })
}

/// Translates the name of an attribute.
pub(super) fn attribute(name: &str) -> Cow<'_, str> {
    Cow::Borrowed(match name {
        "fareast" => "eastAsia",
        "listDefId" => "abstractNumId",
        "ilfo" => "numId",
        "hspace" => "hSpace",
        "vspace" => "vSpace",
        "hanchor" => "hAnchor",
        "vanchor" => "vAnchor",
        _ => return joined(name),
    })
}

/// Translates the value of an attribute. The names of the element and the attribute are those of 2003.
pub(super) fn value<'v>(element: &str, name: &str, value: &'v str) -> Cow<'v, str> {
    match (element, name) {
        ("nfc", "val") => numeral(value).into(),
        ("style", "type") if value == "list" => "numbering".into(),
        ("tblLayout" | "suff" | "tblOverlap", _) => value.to_ascii_lowercase().into(),
        // Values chosen by users are not translated.
        (
            "name" | "aliases" | "basedOn" | "next" | "link" | "pStyle" | "rStyle" | "tblStyle"
            | "lang" | "lvlText",
            _,
        ) => value.into(),
        // Values from a fixed list are spelled like names.
        (
            _,
            "val" | "type" | "fmt" | "leader" | "wrap" | "restart" | "display" | "h-rule"
            | "line-rule" | "offset-from" | "hanchor" | "vanchor" | "x-align" | "y-align",
        ) => joined(value),
        _ => value.into(),
    }
}

/// Removes hyphens, and capitalizes the letters after them. Texts with characters other than small letters, digits and
/// hyphens are returned unchanged.
fn joined(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.contains('-')
        || !name.starts_with(|c: char| c.is_ascii_lowercase())
        || !name.chars().all(plain)
    {
        return name.into();
    }
    let mut words = name.split('-');
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        joined.extend([&*first.to_ascii_uppercase(), rest]);
    }
    joined.into()
}

/// Returns the name of a number format (MS-OSHARED 2.2.1.3). Unknown formats become decimal.
fn numeral(code: &str) -> &'static str {
    match code {
        "1" => "upperRoman",
        "2" => "lowerRoman",
        "3" => "upperLetter",
        "4" => "lowerLetter",
        "5" => "ordinal",
        "6" => "cardinalText",
        "7" => "ordinalText",
        "22" => "decimalZero",
        "23" => "bullet",
        "255" => "none",
        _ => "decimal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_converted_to_ooxml_spelling() {
        assert_eq!(attribute("line-rule"), "lineRule");
        assert_eq!(attribute("h-ansi"), "hAnsi");
        assert_eq!(element("sz-cs"), "szCs");
        assert_eq!(element("vmerge"), "vMerge");
        assert_eq!(value("spacing", "line-rule", "at-least"), "atLeast");
        assert_eq!(value("shd", "val", "pct-10"), "pct10");
        assert_eq!(value("pStyle", "val", "my-style"), "my-style");
        assert_eq!(value("t", "val", "-5"), "-5");
        assert_eq!(value("x", "val", "a-"), "a");
    }
}
