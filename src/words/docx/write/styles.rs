//! Writes the style definitions part (ECMA-376 part 1, 17.7). The crate `convertd_office` decides which styles exist.

use super::properties::{self, PositionProperties, flag, text_properties, value};
use crate::containers::xml::Writer;
use convertd_office::wordprocessing::{Style, Styles};
use convertd_tree::{ParagraphStyle, TextStyle};

/// Returns the part `styles.xml`: document defaults, and all styles in use. `unhyphenated` states that paragraphs are
/// not hyphenated unless their style says so.
pub(super) fn write(styles: &Styles, language: Option<&str>, unhyphenated: bool) -> String {
    let mut xml = Writer::new();
    xml.start("w:styles").attribute("xmlns:w", super::W);
    xml.start("w:docDefaults")
        .start("w:rPrDefault")
        .start("w:rPr");
    let text = TextStyle {
        language: language.map(Into::into).or(styles.text.language.clone()),
        ..styles.text.clone()
    };
    text_properties(&mut xml, &text, &[]);
    xml.end().end();
    xml.start("w:pPrDefault");
    if unhyphenated {
        xml.start("w:pPr");
        flag(&mut xml, "w:suppressAutoHyphens", true);
        xml.end();
    }
    xml.end().end();
    for style in &styles.all {
        write_style(styles, &mut xml, style);
    }
    xml.raw(OTHERS);
    xml.finish()
}

/// Writes a paragraph style with its base and its properties.
fn write_style(styles: &Styles, xml: &mut Writer, style: &Style) {
    xml.start("w:style").attribute("w:type", "paragraph");
    if &*style.id == "Normal" {
        xml.attribute("w:default", "1");
    } else if !is_known(&style.name) {
        xml.attribute("w:customStyle", "1");
    }
    xml.attribute("w:styleId", &*style.id);
    value(xml, "w:name", &style.name);
    let base = style.based_on.as_deref().filter(|base| *base != &*style.id);
    if let Some(base) = base {
        value(xml, "w:basedOn", base);
    }
    if let Some(next) = style.next {
        value(xml, "w:next", next);
    }
    xml.start("w:qFormat").end();
    // A style inherits paragraph properties from its base, so only the differences are written. Text properties are
    // written in full.
    let mut pieces = Writer::fragment();
    let below = match base {
        Some(base) => styles.all[styles.built_in(base)].look.clone(),
        None => ParagraphStyle::default(),
    };
    properties::look(
        &mut pieces,
        &PositionProperties::default(),
        &style.look,
        &below,
    );
    if let Some(level) = style.outline {
        value(&mut pieces, "w:outlineLvl", &level.to_string());
    }
    if !pieces.is_empty() {
        xml.start("w:pPr").raw(&pieces.finish()).end();
    }
    let mut pieces = Writer::fragment();
    text_properties(&mut pieces, &style.look.text, &[]);
    if !pieces.is_empty() {
        xml.start("w:rPr").raw(&pieces.finish()).end();
    }
    xml.end();
}

/// Paragraph styles that Word itself has (ECMA-376 part 1, 17.7.4.9), in lower case, except those of [`NUMBERED`].
const KNOWN: [&str; 42] = [
    "annotation text",
    "balloon text",
    "bibliography",
    "block text",
    "body text",
    "body text first indent",
    "body text indent",
    "caption",
    "closing",
    "date",
    "document map",
    "e-mail signature",
    "endnote text",
    "envelope address",
    "envelope return",
    "footer",
    "footnote text",
    "header",
    "html address",
    "html bottom of form",
    "html preformatted",
    "html top of form",
    "index heading",
    "intense quote",
    "list paragraph",
    "macro",
    "message header",
    "no spacing",
    "normal",
    "normal (web)",
    "normal indent",
    "note heading",
    "plain text",
    "quote",
    "salutation",
    "signature",
    "subtitle",
    "table of authorities",
    "table of figures",
    "title",
    "toa heading",
    "toc heading",
];

/// Styles of Word with a number in their names, and the numbers. The first of the lists (`List Bullet`) has no number.
const NUMBERED: [(&str, std::ops::RangeInclusive<u8>); 10] = [
    ("body text", 2..=3),
    ("body text first indent", 2..=2),
    ("body text indent", 2..=3),
    ("heading", 1..=9),
    ("index", 1..=9),
    ("list", 1..=5),
    ("list bullet", 1..=5),
    ("list continue", 1..=5),
    ("list number", 1..=5),
    ("toc", 1..=9),
];

/// Returns whether Word has a paragraph style of this name. Any other style is one of the document (`customStyle`).
fn is_known(name: &str) -> bool {
    let name = name.to_lowercase();
    if KNOWN.contains(&name.as_str()) || name.starts_with("list") && is_numbered(&name, 1) {
        return true;
    }
    let parts = name.rsplit_once(' ');
    parts.is_some_and(|(name, number)| number.parse().is_ok_and(|number| is_numbered(name, number)))
}

/// Returns whether Word has a style of this name with this number.
fn is_numbered(name: &str, number: u8) -> bool {
    let mut all = NUMBERED.iter();
    all.any(|(known, numbers)| *known == name && numbers.contains(&number))
}

/// Character, table and list styles, which are the same in every document.
const OTHERS: &str = concat!(
    r#"<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/></w:style>"#,
    r#"<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:basedOn w:val="DefaultParagraphFont"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>"#,
    r#"<w:style w:type="character" w:customStyle="1" w:styleId="VerbatimChar"><w:name w:val="Verbatim Char"/><w:basedOn w:val="DefaultParagraphFont"/><w:rPr><w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/></w:rPr></w:style>"#,
    r#"<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:basedOn w:val="DefaultParagraphFont"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>"#,
    r#"<w:style w:type="character" w:styleId="EndnoteReference"><w:name w:val="endnote reference"/><w:basedOn w:val="DefaultParagraphFont"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>"#,
    r#"<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>"#,
    r#"<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:left w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:bottom w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:right w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideV w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tblBorders></w:tblPr><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>"#,
    r#"<w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/><w:uiPriority w:val="99"/><w:semiHidden/></w:style>"#,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_word_does_not_have_are_those_of_the_document() {
        for name in [
            "Normal",
            "heading 9",
            "footnote text",
            "toc 3",
            "List",
            "List Bullet 5",
            "Date",
        ] {
            assert!(is_known(name), "{name}");
        }
        for name in [
            "Source Code",
            "Author",
            "heading 10",
            "toc",
            "List 1x",
            "Body Text 4",
            "My Style",
        ] {
            assert!(!is_known(name), "{name}");
        }
    }
}
