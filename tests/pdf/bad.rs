//! Files that are made to do harm: the program refuses or converts each of them in little memory. The reader counts the
//! work of a page, and these tests expect the message of its limit. Searches are also tested with twice the input,
//! which must not take much more than twice the time.

use crate::{
    harness::{all, convert, directory, is_linear, run},
    make::{self, File},
};
use convertd::error::Kind;
use std::path::Path;

/// Memory limit in bytes: an idle child, the canvas of an ordinary page, and the same again.
const MAX_MEMORY: u64 = 160 << 20;

/// Converts to a picture, to text, to a document, and to another PDF. Each may be refused with a message.
#[track_caller]
fn check(at: &Path, name: &str, file: &[u8]) {
    for to in ["png", "txt", "html", "pdf"] {
        let ran = run(at, &format!("{name}.pdf"), file, to, &[]);
        assert!(matches!(ran.code, Some(0 | 1)), "{name} to {to}: {ran:?}");
        assert!(
            !ran.said.contains("crashed"),
            "{name} to {to}: {}",
            ran.said
        );
        assert_eq!(ran.code == Some(0), ran.result.is_some());
        let mib = ran.peak >> 20;
        assert!(ran.peak < MAX_MEMORY, "{name} to {to}: {mib} MiB");
    }
}

/// Checks that a conversion to a picture is refused with these words.
#[track_caller]
fn refused(at: &Path, name: &str, file: &[u8], says: &str) {
    check(at, name, file);
    let ran = run(at, &format!("{name}.pdf"), file, "png", &[]);
    assert!(ran.said.contains(says), "{name}: {}", ran.said);
}

#[test]
fn recursive_structures_end() {
    let at = directory("loops");
    // An object stream that contains itself.
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object("<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>");
    file.stream(
        "/Type /ObjStm /N 1 /First 4 /Extends 4 0 R",
        "4 0 << /Type /ObjStm >>",
    );
    check(&at, "stream", &file.finish());
    // Pages that are their own parents and children.
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Parent 3 0 R /Count 3 >>");
    file.object("<< /Type /Pages /Kids [2 0 R 3 0 R] /Parent 2 0 R /Count 2 >>");
    check(&at, "pages", &file.finish());
    // A page tree with a depth of a hundred thousand.
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    for number in 3..100_000 {
        file.object(format!("<< /Type /Pages /Kids [{number} 0 R] /Count 1 >>"));
    }
    file.object("<< /Type /Page /MediaBox [0 0 99 99] >>");
    check(&at, "deep", &file.finish());
    // Nested arrays.
    let nested = ["[".repeat(200_000), "]".repeat(200_000)].concat();
    let content = format!("/Span << /A {nested} >> BDC EMC");
    check(&at, "nested", &make::with_content("", &content));
    check(
        &at,
        "kids",
        &make::with_content(&format!("/Annots {nested}"), ""),
    );
    // A cross-reference table whose predecessor is itself.
    let mut file = make::with_content("", "");
    let text = String::from_utf8(file.clone()).unwrap();
    let start = text.rfind("xref\n0").unwrap();
    let text = text.replace("/Root", &format!("/Prev {start} /Root"));
    file = text.into_bytes();
    check(&at, "xref", &file);
    // A stream length that refers to its own stream.
    let mut file = make::page("");
    file.object("<< /Length 4 0 R >>\nstream\nBT ET\nendstream");
    check(&at, "length", &file.finish());
}

#[test]
fn exponentially_nested_drawings_are_refused() {
    let at = directory("multiply");
    // Each form draws the next one ten times, with a depth of forty.
    let mut file = make::page("/Resources << /XObject << /X 5 0 R >> >>");
    file.stream("", "/X Do");
    for number in 6..46 {
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {number} 0 R >> >>"
        );
        file.stream(&entries, "/X Do ".repeat(10));
    }
    file.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9]",
        "0 0 5 5 re f",
    );
    refused(&at, "forms", &file.finish(), "forms within forms");
    // A form that draws itself.
    let mut file = make::page("/Resources << /XObject << /X 5 0 R >> >>");
    file.stream("", "/X Do");
    file.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>",
        "/X Do /X Do /X Do",
    );
    check(&at, "itself", &file.finish());
    // A tiling pattern in which 10¹⁴ copies overlap at each point.
    let mut file = make::page("/Resources << /Pattern << /P 5 0 R >> >>");
    file.stream("", "/Pattern cs /P scn 0 0 500 500 re f");
    file.stream(
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1000 1000] /XStep 0.0001 /YStep 0.0001 /Resources << >>",
        "0 0 1 1 re f",
    );
    check(&at, "pattern", &file.finish());
    // A Type 3 glyph that draws itself.
    let mut file = make::page("/Resources << /Font << /T 5 0 R >> >>");
    file.stream("", "BT /T 10 Tf 50 50 Td (aaaa) Tj ET");
    file.object(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 /LastChar 97 \
         /Widths [1000] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << /Font << /T 5 0 R >> >> >>",
    );
    file.stream("", "1000 0 d0 BT /T 500 Tf (aaaaaaaaaa) Tj ET");
    check(&at, "letters", &file.finish());
    // Dashes of a millionth of a point, more letters than fit on a page, and a mesh of two hundred thousand patches.
    let dashes = make::with_content("", "[0.000001] 0 d 5 w 0 0 m 200 200 l S");
    refused(&at, "dashes", &dashes, "too many drawing operations");
    let text = "BT /F 9 Tf (hello world) Tj ET ".repeat(1_000_000);
    refused(
        &at,
        "text",
        &make::with_content("", &text),
        "too many drawing operations",
    );
    let mut file = make::page("/Resources << /Shading << /S 5 0 R >> >>");
    file.stream("", "/S sh");
    let patch: Vec<u8> = [0]
        .into_iter()
        .chain((0..24).map(|at| at * 10))
        .chain(1..5)
        .collect();
    file.stream(
        "/ShadingType 6 /BitsPerFlag 8 /ColorSpace /DeviceGray /BitsPerCoordinate 8 /BitsPerComponent 8 \
         /Decode [0 200 0 200 0 1]",
        patch.repeat(200_000),
    );
    refused(&at, "mesh", &file.finish(), "too many drawing operations");
    // Twenty thousand pictures of 81 megapixels.
    let content =
        "q 500 0 0 500 0 0 cm BI /W 9000 /H 9000 /BPC 1 /CS /G ID x EI Q\n".repeat(20_000);
    check(&at, "inline", &make::with_content("", &content));
}

/// Adds a compressed stream, so that the size of the file does not justify its cost.
fn packed(file: &mut File, entries: &str, content: impl AsRef<[u8]>) {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(content.as_ref(), 9);
    file.stream(&format!("/Filter /FlateDecode {entries}"), packed);
}

#[test]
fn expensive_small_files_are_refused() {
    let at = directory("costly");
    // Functions with two hundred thousand operators: in a gradient, in the colour of many shapes, and in a picture
    // with two inks.
    let with = |resources: &str, content: &str, objects: &[&str], inputs: usize| {
        let mut file = make::page(&format!("/Resources << {resources} >>"));
        packed(&mut file, "", content);
        objects.iter().for_each(|object| {
            file.object(object);
        });
        let program = format!("{{ {} 1 0 1 }}", "dup pop ".repeat(100_000));
        let pairs = "0 1 ".repeat(inputs);
        let entries = format!("/FunctionType 4 /Domain [{pairs}] /Range [0 1 0 1 0 1]");
        packed(&mut file, &entries, program);
        let file = file.finish();
        assert!(file.len() < 8_000, "{}", file.len());
        file
    };
    let plane = "<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1 0 1] /Matrix [612 0 0 792 0 0] /Function 6 0 R >>";
    let gradient = with("/Shading << /S 5 0 R >>", "/S sh", &[plane], 2);
    refused(&at, "plane", &gradient, "too many drawing operations");
    let axis = "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 612 792] /Function 6 0 R >>";
    let gradient = with("/Shading << /S 5 0 R >>", &"/S sh ".repeat(100), &[axis], 1);
    refused(&at, "axis", &gradient, "too many drawing operations");
    let inks = "/ColorSpace << /C [/DeviceN [/A /B] /DeviceRGB 5 0 R] >>";
    let shapes = "/C cs ".to_owned() + &"0.5 0.5 scn 0 0 9 9 re f ".repeat(50_000);
    let colours = with(inks, &shapes, &[], 2);
    refused(&at, "inks", &colours, "too many drawing operations");
    // A short function is harmless.
    let mut file = make::page("/Resources << /Shading << /S 5 0 R >> >>");
    file.stream("", "/S sh");
    file.object(axis);
    let entries = "/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]";
    file.stream(entries, "{ dup 0.5 mul exch dup 1 exch sub }");
    let ran = run(&at, "short.pdf", &file.finish(), "png", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    // Three million letters in 38 KB.
    let text = "BT /F 12 Tf 100 700 Td (Hello World) Tj ET\n".repeat(300_000);
    let mut file = make::page("");
    packed(&mut file, "", text);
    refused(&at, "hello", &file.finish(), "too many drawing operations");
}

#[test]
fn impossible_sizes_are_refused() {
    let at = directory("sizes");
    let giant = make::with_content("/MediaBox [0 0 14400000 14400000]", "0 0 9 9 re f");
    refused(&at, "giant", &giant, "choose a lower dpi");
    let picture = |entries: &str, content: &[u8]| {
        let mut file = make::page("/Resources << /XObject << /X 5 0 R >> >>");
        file.stream("", "500 0 0 500 0 0 cm /X Do");
        file.stream(
            &format!("/Type /XObject /Subtype /Image {entries}"),
            content,
        );
        file.finish()
    };
    let plain = "/BitsPerComponent 8 /ColorSpace /DeviceRGB";
    let large = picture(
        &format!("/Width 2000000000 /Height 2000000000 {plain}"),
        b"x",
    );
    check(&at, "picture", &large);
    // JBIG2 and JPEG 2000 whose own headers claim a larger size than the picture has.
    let jbig2 =
        b"\0\0\0\0\x30\0\x01\0\0\0\x13\xff\xff\xff\xf0\xff\xff\xff\xf0\0\0\0\0\0\0\0\0\0\0\0";
    let entries =
        "/Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode";
    check(&at, "jbig2", &picture(entries, jbig2));
    let mut codestream = b"\xff\x4f\xff\x51\0\x2f\0\0".to_vec();
    for side in [
        0x7fff_ffff_u32,
        0x7fff_ffff,
        0,
        0,
        0x7fff_ffff,
        0x7fff_ffff,
        0,
        0,
    ] {
        codestream.extend(side.to_be_bytes());
    }
    codestream.extend(b"\0\x03\x07\x01\x01\x07\x01\x01\x07\x01\x01");
    codestream.extend(b"\xff\x52\0\x0c\0\0\0\x01\0\x05\x04\x04\0\x01\xff\x5c\0\x04\x40\x40");
    codestream.extend(b"\xff\x90\0\x0a\0\0\0\0\0\0\0\x01\xff\x93\xff\xd9");
    check(
        &at,
        "jpx",
        &picture("/Width 8 /Height 8 /Filter /JPXDecode", &codestream),
    );
    // Zeros that are compressed, repeated and compressed again.
    let zeros = vec![0; 8 << 20];
    let once = fdeflate::compress_to_vec(&zeros);
    let content = fdeflate::compress_to_vec(&once.repeat(50));
    let mut file = make::page("");
    file.stream("/Filter [/FlateDecode /FlateDecode]", content);
    check(&at, "zeros", &file.finish());
}

#[test]
fn cyclic_trees_end() {
    let at = directory("rings");
    let mut file = File::new();
    file.object(
        "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /Names << /EmbeddedFiles 6 0 R >> >>",
    );
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object("<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 612 792] >>");
    file.stream("", "");
    file.object("<< /First 5 0 R /Next 5 0 R /Title (Again) >>");
    file.object("<< /Kids [6 0 R 6 0 R 6 0 R] /Names [(a) 6 0 R (b) << /UF (b.txt) >>] >>");
    check(&at, "rings", &file.finish());
}

/// Numbers that look random and are the same in every run (xorshift64).
fn numbers() -> impl FnMut(u64) -> u64 {
    let mut random = 0x7ab1e_u64;
    move |below| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    }
}

/// A page with this many words of one letter, at the positions that `place` returns.
fn words(count: u64, size: u32, mut place: impl FnMut(u64) -> (u64, u64)) -> String {
    let words: String = (0..count)
        .map(|at| {
            let (x, y) = place(at);
            format!("1 0 0 1 {x} {y} Tm (7) Tj ")
        })
        .collect();
    format!("BT /F {size} Tf {words} ET")
}

/// A kind of page: its name, a number of elements, and a function that makes the content for a number.
type Crowd = (&'static str, u64, fn(u64) -> String);

/// Pages that are crowded with parts of tables.
fn crowds() -> [Crowd; 4] {
    [
        // Words in rows and columns, and at random positions.
        ("grid", 50_000, |count| {
            words(count, 2, |at| (2 * (at % 300), 3 * (at / 300)))
        }),
        ("heap", 50_000, |count| {
            let mut next = numbers();
            words(count, 3, |_| (next(600), next(780)))
        }),
        // Crossing lines and touching boxes, with fewer words.
        ("rules", 9_000, |count| {
            let mut next = numbers();
            let rules: String = (0..count)
                .map(|at| match at % 2 {
                    0 => format!(
                        "{} {y} m {} {y} l S ",
                        next(300),
                        300 + next(300),
                        y = next(780)
                    ),
                    _ => format!(
                        "{x} {} m {x} {} l S ",
                        next(390),
                        390 + next(390),
                        x = next(600)
                    ),
                })
                .collect();
            rules + &words(10_000, 3, |_| (next(600), next(780)))
        }),
        ("boxes", 4_000, |count| {
            let mut next = numbers();
            let boxes: String = (0..count)
                .map(|at| format!("{} {} 9 9 re f ", at % 60 * 10, at / 60 * 10))
                .collect();
            format!("0.5 g {boxes} 0 g ") + &words(10_000, 3, |_| (next(600), next(780)))
        }),
    ]
}

#[test]
fn the_search_for_tables_has_a_limit() {
    let at = directory("crowds");
    for (name, count, crowd) in crowds() {
        check(&at, name, &make::with_content("", &crowd(count)));
    }
}

#[test]
fn dense_pages_take_linear_time() {
    for (name, count, crowd) in crowds() {
        let files = [count / 4, count / 2].map(|count| make::with_content("", &crowd(count)));
        for to in ["html", "csv"] {
            is_linear(&format!("{name} to {to}"), 1, |times| {
                convert("crowd.pdf", &files[times - 1], to)
            });
        }
    }
}

#[test]
fn an_object_stream_inside_itself_hides_no_objects() {
    const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [72 /J] >> >>";
    const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 3 0 R \
                        /Resources << /Font << /F 9 0 R >> >> >>";
    #[track_caller]
    fn check(compressed: &[(usize, &str)], alone: &[&str]) {
        let mut file = File::new();
        file.object("<< /Type /Catalog /Pages 2 0 R >>");
        file.object("<< /Type /Pages /Kids [6 0 R] /Count 1 >>");
        file.stream("", "BT /F 12 Tf 20 20 Td (Hello) Tj ET");
        for object in alone {
            file.object(object);
        }
        let (mut heads, mut bodies) = (String::new(), String::new());
        for (number, object) in compressed {
            heads += &format!("{number} {} ", bodies.len());
            bodies += &format!("{object} ");
        }
        let entries = format!(
            "/Type /ObjStm /N {} /First {}",
            compressed.len(),
            heads.len()
        );
        file.stream(&entries, heads + &bodies);
        let numbers: Vec<usize> = compressed.iter().map(|(number, _)| *number).collect();
        let file = file.finish_nested(&numbers);
        for to in ["txt", "pdf"] {
            let made = convert("a.pdf", &file, to).unwrap();
            let text = match to {
                "pdf" => {
                    assert!(made != file, "not written anew");
                    convert("a.pdf", &made, "txt").unwrap()
                }
                _ => made,
            };
            assert_eq!(String::from_utf8(text).unwrap().trim(), "Jello", "{to}");
        }
    }
    check(&[(6, PAGE), (9, FONT)], &[]);
    // Only the font is at another offset than the table states.
    check(&[(9, FONT)], &["null", "null", PAGE]);
}

#[test]
fn damaged_files_are_refused_or_read() {
    let mut random = 0x5eed_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for (name, whole) in all() {
        let mut damaged: Vec<Vec<u8>> = (1..10)
            .map(|part| whole[..whole.len() * part / 10].to_vec())
            .collect();
        damaged.extend((0..20).map(|_| {
            let mut bytes = whole.clone();
            for _ in 0..=next(8) {
                let at = next(bytes.len());
                bytes[at] = next(256) as u8;
            }
            bytes
        }));
        for (nth, bytes) in damaged.into_iter().enumerate() {
            // The targets of text use the same reader, so each damaged file is converted to only one of the targets.
            let to = ["txt", "pdf", "md", "pdf", "docx", "csv"][nth % 6];
            if let Err(err) = convert(&name, &bytes, to) {
                assert_eq!(err.kind(), Kind::BadInput, "{name} to {to}: {err}");
            }
        }
    }
}
