//! Automatic hyphenation, in every format that can ask for it: the ends of lines as poppler finds them, and words that
//! come out whole again.

use crate::{
    harness::{convert, directory, has, output_of, run},
    zips,
};
use std::fs;

const TEXT: &str = "Die Donaudampfschifffahrtsgesellschaft beschäftigt außerordentlich viele \
                    Verwaltungsangestellte und Binnenschifffahrtskapitäne.";

/// Lines of a PDF that end with a hyphen, and all of its lines.
fn lines(name: &str, pdf: &[u8]) -> (usize, Vec<String>) {
    let at = directory(name);
    let file = at.join("page.pdf");
    fs::write(&file, pdf).unwrap();
    let text = output_of("pdftotext", &["-layout", &file.display().to_string(), "-"]);
    let _ = fs::remove_dir_all(at);
    let ends = |line: &&str| line.ends_with(['\u{ad}', '-']);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let count = lines.iter().filter(|line| ends(line)).count();
    let lines = lines.iter().map(|line| line.replace('\u{ad}', "-"));
    (count, lines.collect())
}

/// A Word document in a narrow column, with these settings and paragraphs: properties, language and text of each.
fn word(settings: &str, paragraphs: &[(&str, &str, &str)]) -> Vec<u8> {
    let paragraph = |(own, language, text): &(&str, &str, &str)| {
        format!(
            "<w:p><w:pPr>{own}</w:pPr><w:r><w:rPr><w:rFonts w:ascii=\"Arial\" w:hAnsi=\"Arial\"/><w:lang w:val=\"{language}\"/></w:rPr><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body: String = paragraphs.iter().map(paragraph).collect();
    let body = format!(
        "<w:body>{body}<w:sectPr><w:pgSz w:w=\"3400\" w:h=\"12000\"/><w:pgMar w:top=\"400\" w:right=\"400\" w:bottom=\"400\" w:left=\"400\" w:header=\"200\" w:footer=\"200\" w:gutter=\"0\"/></w:sectPr></w:body>"
    );
    zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[("r", "settings", "settings.xml", false)]).as_bytes(),
        )
        .packed(
            "word/settings.xml",
            zips::word_xml("settings", settings).as_bytes(),
        )
        .finish()
}

/// A sign for each line of a Word document: `-` if it ends with a hyphen, else a dot.
fn ends(settings: &str, paragraphs: &[(&str, &str, &str)]) -> String {
    let pdf = convert("a.docx", &word(settings, paragraphs), "pdf").unwrap();
    let (_, lines) = lines("hyphens-word", &pdf);
    let sign = |line: &String| if line.ends_with('-') { '-' } else { '.' };
    lines.iter().map(sign).collect()
}

#[test]
fn words_are_divided_where_the_document_asks() {
    if !has("pdftotext") {
        return;
    }
    let auto = word("<w:autoHyphenation/>", &[("", "de-DE", TEXT)]);
    let pdf = convert("a.docx", &auto, "pdf").unwrap();
    let (_, found) = lines("hyphens-auto", &pdf);
    assert_eq!(found, EXPECTED, "docx");
    // The text has no hyphens that are only at the ends of lines.
    let text = String::from_utf8(convert("a.pdf", &pdf, "txt").unwrap()).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words.join(" "), TEXT);
    // Other formats keep the setting and the language.
    for through in ["docx", "odt", "rtf"] {
        let between = convert("a.docx", &auto, through).unwrap();
        let pdf = convert(&format!("a.{through}"), &between, "pdf").unwrap();
        assert_eq!(lines("hyphens-through", &pdf).1, EXPECTED, "{through}");
    }
    assert!(!ends("", &[("", "de-DE", TEXT)]).contains('-'));
}

#[test]
fn word_documents_limit_hyphenation() {
    #[track_caller]
    fn check(settings: &str, own: &str, text: &str, expected: &str) {
        let settings = format!("<w:autoHyphenation/>{settings}");
        assert_eq!(ends(&settings, &[(own, "en-US", text)]), expected);
    }
    if !has("pdftotext") {
        return;
    }
    let text = "An incomprehensible responsibility: internationalization, characteristically unconstitutional.";
    check("", "", text, "--..");
    check("", "<w:suppressAutoHyphens/>", text, ".....");
    check("", "<w:suppressAutoHyphens w:val=\"0\"/>", text, "--..");
    check("<w:consecutiveHyphenLimit w:val=\"1\"/>", "", text, "-.-..");
    // The room at the end of each line is in the zone.
    check("<w:hyphenationZone w:val=\"2000\"/>", "", text, ".....");
    let capitals = "An INCOMPREHENSIBLE RESPONSIBILITY";
    check("", "", capitals, "-.");
    check("<w:doNotHyphenateCaps/>", "", capitals, "...");
}

#[test]
fn each_format_asks_in_its_way() {
    if !has("pdftotext") {
        return;
    }
    let check = |name: &str, file: &str, expected: bool| {
        let pdf = convert(name, file.as_bytes(), "pdf").unwrap();
        let (count, lines) = lines("hyphens-formats", &pdf);
        assert_eq!(count > 1, expected, "{lines:?} from {file}");
        let text = String::from_utf8(convert("a.pdf", &pdf, "txt").unwrap()).unwrap();
        // Words that are longer than a line are cut where they are not hyphenated.
        let whole = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(whole(&text), whole(TEXT), "{file}");
    };
    let rtf = |document: &str, own: &str| {
        let text = TEXT.replace('ä', "\\'e4").replace('ß', "\\'df");
        format!(
            "{{\\rtf1\\ansi\\ansicpg1252\\deflang1031{document}\\paperw3400\\paperh12000\\margl400\\margr400\\margt400\\margb400\\pard{own}\\lang1031 {text}\\par}}"
        )
    };
    check("a.rtf", &rtf("\\hyphauto1", ""), true);
    check("a.rtf", &rtf("\\hyphauto1", "\\hyphpar0"), false);
    check("a.rtf", &rtf("", "\\hyphpar"), false);
    let odt = |own: &str| {
        format!(
            "<?xml version=\"1.0\"?><office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" office:mimetype=\"application/vnd.oasis.opendocument.text\" office:version=\"1.3\"><office:automatic-styles><style:style style:name=\"P1\" style:family=\"paragraph\" style:master-page-name=\"Standard\"><style:text-properties fo:language=\"de\" fo:country=\"DE\" {own}/></style:style><style:page-layout style:name=\"L\"><style:page-layout-properties fo:page-width=\"6cm\" fo:page-height=\"20cm\" fo:margin=\"0.7cm\"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name=\"Standard\" style:page-layout-name=\"L\"/></office:master-styles><office:body><office:text><text:p text:style-name=\"P1\">{TEXT}</text:p></office:text></office:body></office:document>"
        )
    };
    check("a.fodt", &odt("fo:hyphenate=\"true\""), true);
    check("a.fodt", &odt("fo:hyphenate=\"false\""), false);
    let many = "fo:hyphenate=\"true\" fo:hyphenation-remain-char-count=\"30\"";
    check("a.fodt", &odt(many), false);
    let html = |style: &str, language: &str| {
        format!(
            "<style>@page {{ size: 6cm 20cm; margin: .7cm }} p {{ font: 12px Arial; {style} }}</style><p lang={language}>{TEXT}</p>"
        )
    };
    check("a.html", &html("hyphens: auto", "de"), true);
    check("a.html", &html("hyphens: manual", "de"), false);
    check("a.html", &html("", "de"), false);
    let limits = "hyphens: auto; hyphenate-limit-chars: 60";
    check("a.html", &html(limits, "de"), false);
}

#[test]
fn soft_hyphens_of_pages_can_be_turned_off() {
    if !has("pdftotext") {
        return;
    }
    let page = |hyphens: &str| {
        format!(
            "<style>@page {{ size: 3cm 9cm; margin: .5cm }} p {{ font: 12px Arial; hyphens: {hyphens} }}</style><p>hyphen&shy;ation and hyphen&shy;ation</p>"
        )
    };
    let count = |hyphens| {
        let pdf = convert("a.html", page(hyphens).as_bytes(), "pdf").unwrap();
        lines("hyphens-soft", &pdf).0
    };
    assert_eq!((count("manual"), count("none")), (2, 0));
}

#[test]
fn a_language_without_rules_is_noted() {
    let at = directory("hyphens-note");
    let czech = "Nejneobhospodařovávatelnější";
    for (language, expected) in [("cs-CZ", true), ("de-DE", false)] {
        let file = word("<w:autoHyphenation/>", &[("", language, czech)]);
        let ran = run(&at, "a.docx", &file, "pdf", &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.said);
        let note = "text in the language `cs-CZ` is not hyphenated";
        assert_eq!(ran.said.contains(note), expected, "{}", ran.said);
    }
    let _ = fs::remove_dir_all(at);
}

/// Lines of the text in the column of the Word document.
const EXPECTED: [&str; 6] = [
    "Die Donaudampfschiff-",
    "fahrtsgesellschaft be-",
    "schäftigt außerordentlich",
    "viele Verwaltungsange-",
    "stellte und Binnenschiff-",
    "fahrtskapitäne.",
];
