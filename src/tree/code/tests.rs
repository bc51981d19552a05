//! Tests of the scanner: each row is a text whose coloured pieces are in angle brackets after a letter for their
//! meaning.

use super::*;

/// Returns the text with its pieces marked: `k‹let›`.
fn marked(info: &str, text: &str) -> String {
    let pieces: Vec<_> = pieces(info, text).collect();
    let whole: String = pieces.iter().map(|piece| piece.1).collect();
    assert_eq!(whole, text, "{info}");
    let mut out = String::new();
    for (kind, text) in pieces {
        let sign = match kind {
            None => {
                out.push_str(text);
                continue;
            }
            Some(TokenKind::Comment) => 'c',
            Some(TokenKind::Literal) => 's',
            Some(TokenKind::Number) => 'n',
            Some(TokenKind::Keyword) => 'k',
            Some(TokenKind::Name) => 'f',
            Some(TokenKind::Property) => 'p',
            Some(TokenKind::Added) => '+',
            Some(TokenKind::Removed) => '-',
        };
        out.push_str(&format!("{sign}‹{text}›"));
    }
    out
}

#[track_caller]
fn check(info: &str, expected: &str) {
    let mut text = String::new();
    // The text is the expected result without its marks.
    let letters: Vec<char> = expected.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let is_sign = letters.get(at + 1) == Some(&'‹');
        if !is_sign && !matches!(letter, '‹' | '›') {
            text.push(*letter);
        }
    }
    assert_eq!(marked(info, &text), expected, "{info}");
}

#[test]
fn programming_languages_are_highlighted() {
    check(
        "rust",
        "k‹fn› f‹main›() { k‹let› x = n‹1_000u32›; f‹println!›(s‹\"{x}\"›); } c‹// end \"›\n",
    );
    check(
        "rust",
        "k‹fn› a<p‹'a›>(x: &p‹'a› k‹str›) -> k‹char› { s‹'\\''› }",
    );
    check(
        "rust,ignore",
        "p‹#[derive(Debug)]›\nk‹let› s = s‹r#\"a\"b\"#›; s‹'x'›..n‹2›",
    );
    check(
        "python",
        "f‹@cache›\nk‹def› f‹f›(x):\n    s‹\"\"\"Doc's\n    two\"\"\"›\n    k‹return› s‹f\"{x}\"› c‹# it's›\n",
    );
    check(
        "ipython3",
        "x = s‹r'\\'›; y = n‹1e-5› k‹if› n‹None› k‹else› n‹0xff›",
    );
    check(
        "js",
        "k‹const› a = s‹/[/\"]+/g›, b = n‹4› / n‹2› / c; s‹`a\n${b}`›.f‹map›(x => n‹null›)",
    );
    check(
        "json",
        "{f‹\"a\"›: s‹\"b\"›, f‹\"c\"› : [n‹1.5›, -n‹2e+3›, n‹true›]}",
    );
    check("c", "k‹#include› <stdio.h>\nk‹int› x = s‹'a'›;");
    check(
        "c++",
        "k‹auto› s = s‹L\"a\\\"b\"›; c‹/* a\n b */› k‹return› n‹nullptr›;",
    );
    check("c#", "k‹var› p = s‹@\"c:\\\"›;\nk‹#region› A\n");
    check(
        "java",
        "f‹@Override› k‹public› p‹String› f‹name›() { k‹return› s‹\"x\"›; }",
    );
    check("go", "k‹func› f‹main›() { x := s‹`a\\`›; k‹defer› f‹f›() }");
    check(
        "ruby",
        "k‹def› f\n  p‹@a› = { p‹:b› => s‹/x y/› } c‹# no›\nk‹end›",
    );
    check("php", "p‹$a› = s‹'b'›; c‹// c›\nc‹# d›\np‹#[Route]›\n");
    check(
        "sql",
        "k‹SELECT› a k‹from› t k‹WHERE› b = s‹'it''s'› c‹-- x›",
    );
    check("kotlin", "k‹val› x: p‹Int› = f‹f›(s‹\"\"\"a\"b\"\"\"›)");
    check(
        "swift",
        "k‹guard› k‹let› x = y k‹else› { k‹return› n‹nil› }",
    );
    check("docker", "k‹FROM› rust:n‹1.90› k‹AS› build\nk‹ENV› A=p‹$B›");
}

#[test]
fn shell_variables_and_here_documents_are_highlighted() {
    check(
        "bash",
        "k‹for› f k‹in› *.txt; k‹do› k‹echo› s‹\"$f\"› p‹$1› a#b; k‹done› c‹# it's›",
    );
    check("sh", "cat s‹<<-'EOF'› > x s‹\nit's\n\tEOF›\nk‹echo› x");
    check("sh", "cat s‹<<EOF\nit's\nEOF›\nk‹echo› x");
    check(
        "console",
        "c‹$› f‹ls› -l\nit's\nc‹me@host:~$› f‹cat› s‹'a'›\n",
    );
}

#[test]
fn line_based_languages_are_highlighted() {
    check(
        "yaml",
        "c‹# it's›\nf‹on›:\n  - f‹run›: k‹|›\ns‹      it's: so›\n    f‹if›: n‹true› c‹# x›\nf‹url›: http://a\nf‹\"k\"›: p‹&a› s‹'b'›\n",
    );
    check(
        "yml",
        "f‹a›: [n‹1›, s‹\"b\"›, n‹2.5›]\nf‹v›: 1.2.3\nk‹---›\n",
    );
    check(
        "toml",
        "k‹[a.b]›\nf‹c› = s‹\"d\"› c‹# e›\nf‹f› = [n‹1›, n‹true›]\nf‹g› = s‹\"\"\"›\ns‹h = 1›\ns‹\"\"\"›\n",
    );
    check("ini", "c‹; a›\nk‹[b]›\nf‹c d›=n‹1›\n");
    check(
        "make",
        "p‹A› := b\nf‹all›: a p‹$(B)›\n\t@cc -o p‹$@› s‹'x'›\nk‹ifeq› (p‹$(A)›,b)\n",
    );
    check(
        "diff",
        "f‹--- a›\nf‹+++ b›\nn‹@@ -1 +1 @@›\n-‹-x›\n+‹+y›\n z\n",
    );
}

#[test]
fn markup_and_embedded_languages_are_highlighted() {
    check(
        "html",
        "k‹<!DOCTYPE html>›\nf‹<p› p‹class›=s‹\"a\"›f‹>›it's n‹&amp;› f‹</p>›c‹<!-- x -->›",
    );
    check(
        "html",
        "f‹<script>›k‹let› a = s‹\"<b>\"›;f‹</script><style>›\nf‹a›{p‹b›:n‹1px›}f‹</style>›",
    );
    check("xml", "f‹<?xml› p‹version›=s‹'1.0'›f‹?><a:b/>›");
    // HTML does not distinguish capitals from small letters.
    check(
        "html",
        "f‹<SCRIPT>›k‹let› a = n‹1›;f‹</Script><p>›let a = 1;f‹</p>›",
    );
    // XML is case-sensitive: the element `Style` of KML is not the element `style` of HTML.
    check("xml", "f‹<Style><a>›b: 1;f‹</a></Style><b/>›");
    check("xml", "f‹<style>›\nf‹a›{p‹b›:n‹1px›}f‹</style>›");
    // An empty element has no content.
    for (from, to) in [("<script/>", "</script>"), ("<style/>", "</style>")] {
        for language in ["html", "xml"] {
            check(language, &format!("f‹{from}<p>›let a = 1;f‹</p>{to}›"));
        }
    }
    check("svg", "f‹<script› p‹href›=s‹\"a.js\"› f‹/><g>›if a;f‹</g>›");
    check(
        "css",
        "c‹/* a */›\nf‹.a› > f‹b› { p‹color›: n‹#fff›; p‹width›: f‹calc›(n‹100%› - n‹2em›) k‹!important› }\nk‹@media› print { f‹a:hover› { p‹x›: s‹\"y\"› } }",
    );
}

#[test]
fn unknown_languages_are_not_highlighted() {
    for info in ["", "text", "mermaid", "constructor", "{}", "—"] {
        assert_eq!(marked(info, "let x = \"1\""), "let x = \"1\"");
    }
    assert_eq!(marked("{.rust .numberLines}", "let"), "k‹let›");
    assert_eq!(marked("JS{1,3}", "let"), "k‹let›");
}

#[test]
fn oversized_texts_are_not_highlighted() {
    let line = "let x = 1;\n";
    let text = line.repeat(LARGEST / line.len() + 1);
    let fits = &text[..text.len() - line.len()];
    assert!(fits.len() <= LARGEST && pieces("rust", fits).count() > 100_000);
    assert!(pieces("rust", &text).eq([(None, &*text)]));
    let lines: Vec<_> = lines("rust", &text).take(2).collect();
    assert_eq!(lines, [[(None, "let x = 1;")], [(None, "let x = 1;")]]);
}

#[test]
fn lines_exclude_line_ends_and_include_empty_lines() {
    let lines = |text| -> Vec<String> {
        let line = |line: Vec<Piece<'_>>| line.iter().map(|piece| piece.1).collect();
        lines("c", text).map(line).collect()
    };
    assert_eq!(lines("/* a\r\nb */ x\n\ny"), ["/* a", "b */ x", "", "y"]);
    assert_eq!(lines(""), [""]);
    assert_eq!(lines("a\n"), ["a", ""]);
}

/// The pieces of any text, even of a truncated text, together are that text.
#[test]
fn no_text_is_changed() {
    let text = "<a b='é\n/* \"x\\\n'''`${ #[<<EOF $( 'é' 0x.5e+ /[é/ r#\"é @\"\\ --[[ <!-- é\n\tk: |\n  é\n= \"\"\"é\n$ é\\\né";
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for name in languages::Language::all() {
        assert!(languages::of(name).is_some(), "{name}");
        for at in &ends {
            marked(name, &text[*at..]);
            marked(name, &text[..*at]);
        }
    }
}

#[test]
fn language_names_are_unique() {
    let mut names: Vec<_> = languages::Language::all().collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// Every colour has the contrast that WCAG 2.1 requires on the background of code blocks.
#[test]
fn colours_have_enough_contrast() {
    let light = |Colour(red, green, blue): Colour| {
        let part = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    };
    let kinds = [
        TokenKind::Comment,
        TokenKind::Literal,
        TokenKind::Number,
        TokenKind::Keyword,
        TokenKind::Name,
        TokenKind::Property,
        TokenKind::Added,
        TokenKind::Removed,
    ];
    for kind in kinds {
        let contrast = (light(Colour(0xf4, 0xf4, 0xf4)) + 0.05) / (light(kind.colour()) + 0.05);
        assert!(contrast >= 4.5, "{kind:?}: {contrast}");
    }
}
