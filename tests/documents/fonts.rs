//! Fonts that an operator adds with `--fonts`: they are used by name, and for scripts that no other font has.

use crate::harness::{convert_with, directory, has, lacking, output_of, run};
use convertd::fonts::TEXT;
use std::fs;

/// Words in Cherokee, which no compiled-in font has.
const CHEROKEE: &str = "ᎠᎡᎢᎣ ᎤᎥᎦᎧ";

/// A font with the letters of Arimo at the code points of 26 Cherokee letters.
fn cherokee_font() -> Vec<u8> {
    let mut font = TEXT[0].data().to_vec();
    // A `cmap` with one group of characters (OpenType, "cmap", format 12), whose glyphs start at number 36.
    let mut cmap = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12];
    for number in [12 << 16, 28, 0, 1, 0x13a0, 0x13b9, 36_u32] {
        cmap.extend(number.to_be_bytes());
    }
    let place = font.len() as u32;
    let tables = usize::from(u16::from_be_bytes([font[4], font[5]]));
    let record = (0..tables)
        .map(|number| 12 + 16 * number)
        .find(|at| font[*at..].starts_with(b"cmap"))
        .unwrap();
    font[record + 8..record + 12].copy_from_slice(&place.to_be_bytes());
    font[record + 12..record + 16].copy_from_slice(&(cmap.len() as u32).to_be_bytes());
    font.extend(cmap);
    font
}

#[test]
fn unsupported_scripts_are_named_and_use_added_fonts() {
    let at = directory("fonts");
    let fonts = at.join("fonts");
    fs::create_dir_all(&fonts).unwrap();
    let fonts = fonts.display().to_string();
    let text = format!("# {CHEROKEE}\n\nAnd **{CHEROKEE}** in a line.\n");
    let without = run(&at, "text.md", text.as_bytes(), "pdf", &[]);
    assert_eq!(without.code, Some(0), "{}", without.said);
    assert!(without.said.contains("Cherokee"), "{}", without.said);

    let empty = run(&at, "text.md", text.as_bytes(), "pdf", &["--fonts", &fonts]);
    assert_eq!(
        empty.result, without.result,
        "an empty directory changes nothing"
    );

    fs::write(format!("{fonts}/a-broken.ttf"), b"\0\x01\0\0\xff\xff").unwrap();
    fs::write(format!("{fonts}/b-short.otf"), b"OTTO").unwrap();
    fs::write(format!("{fonts}/c.ttf"), cherokee_font()).unwrap();
    let with = run(&at, "text.md", text.as_bytes(), "pdf", &["--fonts", &fonts]);
    assert_eq!((with.code, with.said.as_str()), (Some(0), ""));
    let plain = run(
        &at,
        "plain.md",
        b"Plain words.",
        "pdf",
        &["--fonts", &fonts],
    );
    assert_eq!((plain.code, plain.said.as_str()), (Some(0), ""));

    if has("pdffonts") && has("pdftotext") && has("qpdf") {
        let file = at.join("with.pdf");
        fs::write(&file, with.result.unwrap()).unwrap();
        let path = file.display().to_string();
        output_of("qpdf", &["--check", &path]);
        let listed = output_of("pdffonts", &[&path]);
        assert!(listed.contains("Arimo"), "{listed}");
        assert!(output_of("pdftotext", &[&path, "-"]).contains(CHEROKEE));
        fs::write(&file, plain.result.unwrap()).unwrap();
        let listed = output_of("pdffonts", &[&path]);
        assert!(!listed.contains("Arimo"), "{listed}");
    }
    let nowhere = run(&at, "text.md", b"x", "pdf", &["--fonts", "/nowhere"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(
        nowhere.said.contains("readable directory"),
        "{}",
        nowhere.said
    );
    let _ = fs::remove_dir_all(at);
}

#[test]
fn other_files_in_the_font_directory_are_skipped() {
    if !has("mkfifo") {
        return;
    }
    let at = directory("fonts-with-traps");
    let fonts = at.join("fonts");
    fs::create_dir_all(fonts.join("below")).unwrap();
    fs::write(fonts.join("below/c.ttf"), cherokee_font()).unwrap();
    std::os::unix::fs::symlink(&fonts, fonts.join("below/circle")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", fonts.join("endless.ttf")).unwrap();
    let pipe = fonts.join("a.ttf").display().to_string();
    output_of("mkfifo", &[&pipe]);
    // Fonts with parts overwritten by noise, the table directory first.
    for seed in 0..40_usize {
        let mut font = cherokee_font();
        let mut at = seed;
        while at < font.len() {
            font[at] = font[at].wrapping_add((at % 251) as u8) ^ 0x55;
            at += 11 + 37 * seed;
        }
        fs::write(fonts.join(format!("noise-{seed:02}.ttf")), font).unwrap();
    }
    let fonts = fonts.display().to_string();
    let text = format!("{CHEROKEE} in a line.\n");
    let with = run(&at, "text.md", text.as_bytes(), "pdf", &["--fonts", &fonts]);
    assert_eq!((with.code, with.said.as_str()), (Some(0), ""));
    assert!(with.result.is_some());
    let _ = fs::remove_dir_all(at);
}

#[test]
fn system_fonts_supplement_the_built_in_ones() {
    const OF_PACKAGES: [(&str, &str, &str, &str); 3] = [
        (
            "fonts-droid-fallback",
            "truetype/droid/DroidSansFallbackFull.ttf",
            "天气很好。漢字とかな",
            "Droid|Noto",
        ),
        (
            "fonts-lohit-deva",
            "truetype/lohit-devanagari/Lohit-Devanagari.ttf",
            "क्षत्रिय विद्यार्थी",
            "Devanagari|FreeS",
        ),
        (
            "fonts-tlwg-garuda-ttf",
            "truetype/tlwg/Garuda.ttf",
            "ภาษาไทย",
            "Garuda|Loma|Thai|FreeS",
        ),
    ];
    for (package, path, text, names) in OF_PACKAGES {
        if !fs::exists(format!("/usr/share/fonts/{path}")).unwrap() {
            lacking(package);
            continue;
        }
        let at = directory(package);
        let without = run(&at, "text.md", text.as_bytes(), "pdf", &[]);
        assert!(
            without.said.contains("missing from all fonts here"),
            "{}",
            without.said
        );
        let with = run(&at, "text.md", text.as_bytes(), "pdf", &["--fonts", "auto"]);
        assert_eq!((with.code, with.said.as_str()), (Some(0), ""), "{package}");
        if has("pdffonts") && has("pdftotext") {
            let file = at.join("with.pdf");
            fs::write(&file, with.result.unwrap()).unwrap();
            let path = file.display().to_string();
            let listed = output_of("pdffonts", &[&path]);
            assert!(
                names.split('|').any(|name| listed.contains(name)),
                "{listed}"
            );
            let read = output_of("pdftotext", &[&path, "-"]);
            assert!(read.contains(text), "{read}");
        }
        // A note tells the document's author which font replaces a missing font.
        let html = format!("<p style='font-family: Nowhere'>{text}</p>");
        let named = run(&at, "text.html", html.as_bytes(), "docx", &[]);
        let docx = named.result.unwrap();
        let named = run(&at, "text.docx", &docx, "pdf", &["--fonts", "auto"]);
        assert!(named.said.contains("is set in"), "{}", named.said);
        let _ = fs::remove_dir_all(at);
    }
}

#[test]
fn drawings_use_the_font_directory() {
    let at = directory("fonts-of-drawings");
    let fonts = at.join("fonts");
    fs::create_dir_all(&fonts).unwrap();
    fs::write(fonts.join("a-broken.ttf"), b"\0\x01\0\0\xff\xff").unwrap();
    fs::write(fonts.join("b-short.otf"), b"OTTO").unwrap();
    fs::write(fonts.join("c.ttf"), cherokee_font()).unwrap();
    let fonts = fonts.display().to_string();
    let svg = |attributes: &str, text: &str| {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='500' height='80'>\
             <text y='60' font-size='50' {attributes}>{text}</text></svg>"
        )
        .into_bytes()
    };
    let cherokee = svg("font-family='serif'", "Ꭰ");
    let without = run(&at, "text.svg", &cherokee, "png", &[]);
    assert!(without.said.contains("Cherokee"), "{}", without.said);
    let with = run(&at, "text.svg", &cherokee, "png", &["--fonts", &fonts]);
    assert_eq!((with.code, with.said.as_str()), (Some(0), ""));
    // The glyph is one of Arimo's letters, which the font has at a Cherokee code point.
    let is_shown = |letter: char| {
        let svg = svg("font-family='Arial'", &letter.to_string());
        run(&at, "text.svg", &svg, "png", &[]).result == with.result
    };
    assert!(with.result.is_some() && ('A'..='z').any(is_shown));
    // The font is also found by its name.
    let named = svg("font-family='arimo'", "Ꭰ");
    let named = run(&at, "text.svg", &named, "png", &["--fonts", &fonts]);
    assert!(named.result == with.result);
}

#[test]
fn missing_characters_in_cells_are_counted_once() {
    let notes = |text: &str| {
        let made = convert_with("a.md", text.as_bytes(), "pdf", "medium", &[]);
        made.unwrap().1.0
    };
    let found = notes("| a | b |\n|---|---|\n| Ꭰ | c |\n");
    assert_eq!(found, notes("Ꭰ"));
    assert_eq!(found.len(), 1, "{found:?}");
}
