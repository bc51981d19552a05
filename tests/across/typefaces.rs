//! Fonts that are converted to another format. fontTools reads the results, and tables are compared byte by byte.

use crate::{
    archive::hex,
    harness::{convert, converted, fixture, has_module, python},
};
use convertd::error::Kind;
use serde_json::{Value, json};

/// Fonts from other projects and from this one, with both kinds of outlines.
fn fonts() -> Vec<(&'static str, Vec<u8>)> {
    let packed = include_bytes!("../../src/core/fonts/Caladea-Italic.ttf.zlib");
    let ttf = miniz_oxide::inflate::decompress_to_vec_zlib(packed).unwrap();
    vec![
        ("a.ttf", ttf),
        ("a.ttf", fixture("documents/fonts/letters.ttf")),
        ("a.otf", fixture("documents/fonts/boxes.otf")),
    ]
}

/// Tables of a font, as fontTools reads them.
fn tables(font: &[u8]) -> Value {
    let script = "import io, json, sys\n\
        from fontTools.ttLib import TTFont\n\
        font = TTFont(io.BytesIO(bytes.fromhex(sys.stdin.read())), lazy=True, checkChecksums=2)\n\
        print(json.dumps({tag: font.reader[tag].hex() for tag in font.reader.keys()}))";
    serde_json::from_slice(&python(script, hex(font).as_bytes())).unwrap()
}

/// Names, outlines and widths of a font's glyphs, as fontTools reads them.
fn glyphs(font: &[u8]) -> Value {
    let script = "import io, json, sys\n\
        from fontTools.ttLib import TTFont\n\
        from fontTools.pens.recordingPen import RecordingPen\n\
        font = TTFont(io.BytesIO(bytes.fromhex(sys.stdin.read())))\n\
        glyphs = font.getGlyphSet()\n\
        def drawn(name):\n\
        \x20   pen = RecordingPen()\n\
        \x20   glyphs[name].draw(pen)\n\
        \x20   return str(pen.value)\n\
        print(json.dumps([[name, drawn(name), font['hmtx'][name]] for name in font.getGlyphOrder()]))";
    serde_json::from_slice(&python(script, hex(font).as_bytes())).unwrap()
}

/// The font in WOFF2, as fontTools packs it, with these tables transformed.
fn packed_by_others(font: &[u8], transformed: &[&str]) -> Vec<u8> {
    let script = "import io, json, sys\n\
        from fontTools.ttLib import TTFont\n\
        from fontTools.ttLib.woff2 import WOFF2FlavorData\n\
        text, tables = json.load(sys.stdin)\n\
        font = TTFont(io.BytesIO(bytes.fromhex(text)))\n\
        font.flavor, font.flavorData = 'woff2', WOFF2FlavorData(transformedTables=tables)\n\
        out = io.BytesIO()\n\
        font.save(out)\n\
        sys.stdout.buffer.write(out.getvalue())";
    python(
        script,
        json!([hex(font), transformed]).to_string().as_bytes(),
    )
}

/// The tables without the values that packing has to change: a flag in the table `head`, and the checksum in this
/// table.
fn without_flag(mut tables: Value) -> Value {
    let head = tables["head"].as_str().unwrap().to_owned();
    let flags = u8::from_str_radix(&head[32..34], 16).unwrap() & !8;
    let head = format!("{}{}{flags:02x}{}", &head[..16], &head[24..32], &head[34..]);
    tables["head"] = head.into();
    tables
}

#[test]
fn tables_stay_as_they_are() {
    for (name, font) in fonts() {
        let plain = &name[2..];
        let woff = converted(name, &font, "woff", &[]);
        assert!(woff.len() < font.len());
        let back = converted("a.woff", &woff, plain, &[]);
        assert!(back == font, "{name} by woff");
        let woff2 = converted(name, &font, "woff2", &[]);
        let woff = converted("a.woff2", &woff2, "woff", &[]);
        assert!(woff2.len() < woff.len(), "{} {}", woff2.len(), woff.len());
        assert!(converted("a.woff", &woff, "woff2", &[]) == woff2);
        if has_module("fontTools") {
            let truth = without_flag(tables(&font));
            assert_eq!(without_flag(tables(&woff)), truth);
            assert_eq!(without_flag(tables(&woff2)), truth);
            let back = converted("a.woff2", &woff2, plain, &[]);
            assert_eq!(without_flag(tables(&back)), truth);
        }
    }
}

#[test]
fn outlines_that_were_transformed_are_drawn_as_before() {
    if !has_module("fontTools") || !has_module("brotli") {
        return;
    }
    for (name, font) in fonts() {
        for transformed in [&["glyf", "loca"][..], &["glyf", "loca", "hmtx"], &[]] {
            let woff2 = packed_by_others(&font, transformed);
            let back = converted("a.woff2", &woff2, &name[2..], &[]);
            assert_eq!(glyphs(&back), glyphs(&font), "{name} {transformed:?}");
            // The outlines take at most 5 % more bytes than before.
            assert!(
                back.len() < font.len() * 21 / 20,
                "{} {}",
                back.len(),
                font.len()
            );
        }
    }
}

#[test]
fn a_font_keeps_its_kind_of_outlines() {
    let otf = fixture("documents/fonts/boxes.otf");
    let woff = converted("a.otf", &otf, "woff", &[]);
    let err = convert("a.woff", &woff, "ttf", &[]).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput);
    assert!(err.message().contains("convert it to otf"), "{err}");
    let ttf = fixture("documents/fonts/letters.woff");
    let (_, notes) = convert("a.woff", &ttf, "otf", &[]).unwrap();
    assert!(notes.0[0].contains("TrueType"), "{notes:?}");
}

#[test]
fn wrong_checksums_are_corrected_with_a_note() {
    let mut font = fixture("documents/fonts/letters.ttf");
    let sound = font.clone();
    // This byte belongs to the checksum of the first table.
    font[16] ^= 1;
    let (woff, notes) = convert("a.ttf", &font, "woff", &[]).unwrap();
    assert!(
        notes.0[0].contains("Wrong checksums were corrected"),
        "{notes:?}"
    );
    let (back, notes) = convert("a.woff", &woff, "ttf", &[]).unwrap();
    assert!(back == sound && notes.0.is_empty(), "{notes:?}");
}

#[test]
fn inconsistent_fonts_are_refused() {
    #[track_caller]
    fn check(name: &str, font: &[u8], to: &str, says: &str) {
        let err = convert(name, font, to, &[]).map(drop).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
        assert!(err.message().contains(says), "{err}");
    }
    let files = ["ttf", "woff", "woff2"]
        .map(|kind| (kind, fixture(&format!("documents/fonts/letters.{kind}"))));
    for (kind, font) in &files {
        let name = format!("a.{kind}");
        let to = if *kind == "woff" { "woff2" } else { "woff" };
        for len in (12..font.len() - 4).step_by(5) {
            check(&name, &font[..len], to, "not a readable");
        }
        for at in (5..font.len()).step_by(7) {
            let mut damaged = font.clone();
            damaged[at] ^= 0xff;
            // A damaged file may be refused, with an error that concerns the file.
            if let Err(err) = convert(&name, &damaged, to, &[]) {
                assert_eq!(err.kind(), Kind::BadInput, "{at}: {err}");
            }
        }
    }
    let [(_, ttf), (_, woff), (_, woff2)] = files;
    let with = |font: &[u8], at: usize, value: u32| {
        let mut font = font.to_vec();
        font[at..at + 4].copy_from_slice(&value.to_be_bytes());
        font
    };
    check("a.ttf", &with(&ttf, 20, 12), "woff", "overlap");
    check("a.woff", &with(&woff, 48, 44), "woff2", "overlap");
    check("a.woff", &with(&woff, 16, 1 << 30), "woff2", "64 MiB");
    check("a.woff2", &with(&woff2, 16, 1 << 30), "woff", "64 MiB");
    check(
        "a.woff2",
        &with(&woff2, 16, 1 << 8),
        "woff",
        "larger than its header states",
    );
    check("a.ttf", &with(&ttf, 4, 0), "woff", "no tables");
}
