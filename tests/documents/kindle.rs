//! Books for the Kindle: MOBI 6 and KF8, with each compression, and damaged ones.

use crate::{
    bad::{Any, Converted, Refused, check, is_an_answer},
    harness::{convert, convert_with, data, directory, has, output_of, run},
    markup::{difference, kept, view},
    palm::{Header, book, code, contents, database, huffman, index, lz77},
    zips::entries,
};

/// A picture of one colour.
fn picture(width: u32) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(width, 20, image::Rgb([200, 30, 30]))
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

/// The book as HTML, and its notes, joined.
#[track_caller]
fn page_of(name: &str, file: &[u8]) -> (String, String) {
    let (page, notes) = convert_with(name, file, "html", "medium", &[])
        .unwrap_or_else(|err| panic!("{name}: {}", err.message()));
    (String::from_utf8(page).unwrap(), notes.0.join(" "))
}

#[track_caller]
fn has_all(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// Metadata of a book, with the second of its pictures as its cover.
fn metadata() -> Vec<(u32, Vec<u8>)> {
    vec![
        (100, b"Ann Author".to_vec()),
        (100, b"Ben &amp; Co.".to_vec()),
        (103, b"About it".to_vec()),
        (105, b"Tests".to_vec()),
        (106, b"2001-02-03".to_vec()),
        (201, 1_u32.to_be_bytes().to_vec()),
        (503, "Größe".into()),
        (524, b"de".to_vec()),
    ]
}

/// The text of a book, with a link to its second chapter.
fn markup() -> String {
    let body = "<html><head><guide></guide></head><body><h1>One</h1><p height=\"1em\" width=\"0pt\">To \
        <a filepos=0000000000>the end</a>.</p><img recindex=\"00001\" alt=\"red\"/><img recindex=\"00009\"/>\
        <mbp:pagebreak/><h1>Two</h1><p>Größe, größer</p></body></html>";
    let offset = body.find("<h1>Two").unwrap();
    body.replace("0000000000", &format!("{offset:010}"))
}

#[test]
fn mobi_books_are_read_completely() {
    let header = Header {
        texts: 2,
        metadata: metadata(),
        // Field 108: number of the first picture. Field 240: each text record has entries at its end, the rest of a
        // divided character and one other entry.
        fields: vec![(108, 3), (240, 3)],
        ..Header::default()
    };
    // The first record ends within a character. The rest of that character follows at the end of the first record, and
    // again at the beginning of the second.
    let text = markup().into_bytes();
    let cut = text.iter().position(|byte| *byte == 0xc3).unwrap() + 1;
    let first = [&text[..=cut], b"\x01xy\x83"].concat();
    let second = [&text[cut..], b"\x00\x81"].concat();
    let records = [header.record(), first, second, picture(30), picture(40)];
    let (page, notes) = page_of("a.mobi", &database(b"BOOKMOBI", "book", &records));
    has_all(
        &page,
        &[
            "<title>Größe</title>",
            "lang=\"de\"",
            "Ann Author",
            "Ben &amp; Co.",
            "Größe, größer",
            ">the end</a>",
            "alt=\"red\"",
            "alt=\"Cover\"",
        ],
    );
    // The link leads to the heading.
    let link = page.split("<a href=\"#").nth(1).unwrap();
    let name = link.split('"').next().unwrap();
    assert!(
        page.contains(&format!("<h1 id=\"{name}\">Two</h1>")),
        "{page}"
    );
    assert!(
        notes.contains("A file that the book refers to is missing."),
        "{notes}"
    );
}

#[test]
fn each_compression_gives_the_same_text() {
    let text = format!(
        "<html><body>{}</body></html>",
        "<p>Blue Größe, bluer \x02 größer</p>".repeat(40)
    );
    let plain = page_of("a.mobi", &book(&text)).0;
    let bytes = text.as_bytes();
    let packed = lz77(bytes);
    assert!(packed.len() < bytes.len() / 3);
    let header = Header {
        compression: 2,
        ..Header::default()
    };
    let records = [header.record(), packed];
    assert_eq!(
        page_of("a.mobi", &database(b"BOOKMOBI", "b", &records)).0,
        plain
    );
    // One phrase for each byte, and for repeated text a phrase that is made of other phrases.
    let repeated = "<p>Blue Größe, bluer \x02 größer</p>".as_bytes();
    let mut phrases: Vec<(Vec<u8>, bool)> = (0..240).map(|byte| (vec![byte], true)).collect();
    let codes = |text: &[u8]| {
        text.iter()
            .map(|byte| code((*byte).into()))
            .collect::<Vec<u8>>()
    };
    phrases.push((codes(repeated), false));
    phrases.push((vec![code(240); 10], false));
    let mut coded = codes(b"<html><body>");
    coded.extend([code(241); 4]);
    coded.extend(codes(b"</body></html>"));
    let [table, dictionary] = huffman(&phrases);
    let header = Header {
        compression: 0x4448,
        fields: vec![(112, 2), (116, 2)],
        ..Header::default()
    };
    let records = [header.record(), coded, table, dictionary];
    assert_eq!(
        page_of("a.azw", &database(b"BOOKMOBI", "b", &records)).0,
        plain
    );
}

#[test]
fn texts_are_decoded_as_the_header_states() {
    let header = Header {
        code_page: 1252,
        ..Header::default()
    };
    let records = [
        header.record(),
        b"<p>Gr\xf6\xdfe \x93quoted\x94</p>".to_vec(),
    ];
    let (page, _) = page_of("a.prc", &database(b"BOOKMOBI", "b", &records));
    has_all(
        &page,
        &[
            "<p>Größe “quoted”</p>",
            "<title>Title</title>",
            "lang=\"en-US\"",
        ],
    );
}

#[test]
fn palmdoc_books_are_plain_text() {
    let mut header = vec![0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 16, 0, 0, 1, 0, 0];
    let text = lz77(b"A title\n\nOne <paragraph>\nin lines.\n");
    let file = database(b"TEXtREAd", "A_book", &[header.clone(), text]);
    let (page, _) = page_of("a.pdb", &file);
    has_all(
        &page,
        &[
            "<title>A book</title>",
            "<p>A title</p>",
            "One &lt;paragraph&gt;<br",
        ],
    );
    // The first books with markup of Mobipocket have only the header of PalmDOC.
    header[1] = 1;
    let file = database(
        b"TEXtREAd",
        "b",
        &[header, b"<html><body><h1>Markup</h1>".to_vec()],
    );
    has_all(&page_of("a.prc", &file).0, &[">Markup</h1>"]);
}

/// The records of a book in KF8 of two chapters, a style sheet and a drawing, whose pictures begin with this record.
fn kf8(pictures: u32) -> Vec<Vec<u8>> {
    let skeletons = ["<html><head><link rel=\"stylesheet\" href=\"kindle:flow:0001?mime=text/css\"/></head><body></body></html>";
        2];
    let at = skeletons[0].find("</body>").unwrap();
    let fragments = [
        "<h1>One</h1><p>To <a href=\"kindle:pos:fid:0002:off:0000000000\">the end</a>, \
         <a href=\"kindle:pos:fid:0001:off:0000000003\">there</a>.</p>",
        "<p>Here</p><img src=\"kindle:embed:0001?mime=image/png\" alt=\"red\"/>",
        "<h1 id=\"two\">Two</h1><p class=\"x\">Größe</p><img src=\"kindle:flow:0002?mime=image/svg+xml\" alt=\"drawn\"/>",
    ];
    let flow = [
        skeletons[0],
        fragments[0],
        fragments[1],
        skeletons[1],
        fragments[2],
    ]
    .concat();
    let style = ".x { color: #ff0000 }";
    let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><rect width=\"40\" height=\"20\"/></svg>";
    let mut bounds = Vec::new();
    let mut last = 0;
    for part in [flow.as_str(), style, drawing] {
        bounds.extend((last as u32).to_be_bytes());
        last += part.len();
        bounds.extend((last as u32).to_be_bytes());
    }
    let [len, one, two, three] =
        [skeletons[0], fragments[0], fragments[1], fragments[2]].map(|part| part.len() as u32);
    let second = len + one + two;
    let flows = [
        b"FDST",
        &12_u32.to_be_bytes()[..],
        &3_u32.to_be_bytes(),
        &bounds,
    ]
    .concat();
    let text = [&flow, style, drawing].concat();
    let header = Header {
        version: 8,
        metadata: metadata(),
        fields: vec![(192, 6), (196, 3), (248, 4), (252, 2), (108, pictures)],
        ..Header::default()
    };
    let at = at as u32;
    let name = |offset: u32| format!("{offset:010}");
    let names = [name(at), name(at + one), name(second + at)];
    let mut records = vec![header.record(), text.into_bytes()];
    records.extend(index(&[
        ("SKEL0", 2, [0, len]),
        ("SKEL1", 1, [second, len]),
    ]));
    records.extend(index(&[
        (&names[0], 0, [0, one]),
        (&names[1], 0, [one, two]),
        (&names[2], 0, [0, three]),
    ]));
    records.push(flows);
    records
}

/// Parts of the page of every KF8 book in these tests.
const PARTS: [&str; 7] = [
    "<title>Größe</title>",
    ">the end</a>",
    "Here",
    "alt=\"red\"",
    "alt=\"drawn\"",
    "alt=\"Cover\"",
    "Größe</p>",
];

#[test]
fn kf8_books_are_assembled() {
    let mut records = kf8(7);
    records.extend([picture(30), picture(40)]);
    let (page, notes) = page_of("a.azw3", &database(b"BOOKMOBI", "b", &records));
    has_all(&page, &PARTS);
    assert_eq!(notes, "");
    let order = ["One</h1>", "Here", "alt=\"red\"", "Two</h1>", "Größe</p>"];
    let mut rest = page.as_str();
    for part in order {
        rest = &rest[rest.find(part).unwrap_or_else(|| panic!("{part}: {page}"))..];
    }
    // Links lead to the heading of the next chapter, and into the next fragment.
    let links: Vec<&str> = page.split("<a href=\"#").skip(1).collect();
    assert_eq!(links.len(), 2, "{page}");
    for (link, place) in links.iter().zip(["Two</h1>", "Here"]) {
        let name = link.split('"').next().unwrap();
        let at = page.find(&format!("id=\"{name}\"")).unwrap();
        let found = page.find(place).unwrap();
        assert!(at < found && found - at < 60, "{name}: {page}");
    }
}

#[test]
fn combined_files_are_read_as_kf8() {
    let old = Header {
        metadata: vec![(121, 5_u32.to_be_bytes().to_vec())],
        fields: vec![(108, 2)],
        ..Header::default()
    };
    let mut records = vec![
        old.record(),
        b"<p>The old one</p>".to_vec(),
        picture(30),
        picture(40),
        b"BOUNDARY".to_vec(),
    ];
    records.extend(kf8(u32::MAX));
    let file = database(b"BOOKMOBI", "b", &records);
    let (page, notes) = page_of("a.mobi", &file);
    has_all(&page, &PARTS);
    assert!(!page.contains("The old one"), "{page}");
    assert_eq!(notes, "");
    // Without a valid boundary record, the second book is not found.
    records[4] = b"Boundary".to_vec();
    has_all(
        &page_of("a.mobi", &database(b"BOOKMOBI", "b", &records)).0,
        &["The old one"],
    );
}

#[test]
fn books_from_calibre_keep_their_text() {
    let view_of = |name: &str| view(&page_of(name, &data(name)).0);
    let expected = view_of("report-pandoc.epub");
    for name in ["calibre-old.mobi", "calibre-both.mobi", "calibre.azw3"] {
        let found = view_of(name);
        let words = kept(&expected.words, &found.words);
        let differ = difference(&expected.words, &found.words);
        // In MOBI 6, notes are paragraphs with their numbers.
        assert!(words >= 0.98, "{name}: {words}: {differ}");
    }
}

#[test]
fn printed_books_keep_styles_and_breaks() {
    if !has("pdftotext") || !has("pdfimages") {
        return;
    }
    let mut records = kf8(7);
    records.extend([picture(30), picture(40)]);
    let newer = database(b"BOOKMOBI", "b", &records);
    let header = Header {
        fields: vec![(108, 2)],
        ..Header::default()
    };
    let older = database(
        b"BOOKMOBI",
        "b",
        &[header.record(), markup().into(), picture(30)],
    );
    let at = directory("kindle");
    for (name, file, pages, pictures) in [("new.azw3", newer, 3, 2), ("old.mobi", older, 2, 1)] {
        let pdf = convert(name, &file, "pdf").unwrap_or_else(|err| panic!("{}", err.message()));
        let path = at.join(name).with_extension("pdf");
        std::fs::write(&path, pdf).unwrap();
        let path = path.to_str().unwrap();
        let words = output_of("pdftotext", &[path, "-"]);
        assert_eq!(words.matches('\x0c').count(), pages, "{name}: {words}");
        has_all(&words, &["One", "the end", "Two", "Größe"]);
        let found = output_of("pdfimages", &["-list", path]);
        // The list has two header lines.
        assert_eq!(found.lines().skip(2).count(), pictures, "{name}: {found}");
    }
}

#[test]
fn toc_entries_make_chapter_headings() {
    let text = "<html><body><p>Before</p><mbp:pagebreak/><p><b>Chapter  One</b></p><p>words</p>\
        <p>A part &amp; more</p><p>Another</p></body></html>";
    let at = |words: &str| text.find(words).unwrap() as u32;
    let entries = [
        (at("<p><b>Chapter"), [0, 0], 0, "Chapter one"),
        (at("<p>A part"), [0, 0], 1, "A part & more"),
        // Other words, and places beyond the end.
        (at("<p>Another"), [0, 0], 1, "Something else"),
        (9999, [0, 0], 1, "Another"),
    ];
    let header = Header {
        fields: vec![(244, 2)],
        ..Header::default()
    };
    let mut records = vec![header.record(), text.into()];
    records.extend(contents(&entries));
    let file = database(b"BOOKMOBI", "b", &records);
    let (page, _) = page_of("a.mobi", &file);
    has_all(
        &page,
        &["Chapter One</strong></h1>", "A part &amp; more</h2>"],
    );
    assert_eq!(page.matches("Another</p>").count(), 1, "{page}");
    let book = entries_of(&convert("a.mobi", &file, "epub").unwrap());
    has_all(&book, &["Chapter One</a>", "A part &amp; more</a>"]);
    // A damaged table of contents does not matter.
    records[2].truncate(100);
    let (page, _) = page_of("a.mobi", &database(b"BOOKMOBI", "b", &records));
    has_all(&page, &["Chapter One</strong></p>"]);
}

/// The navigation document of a book.
fn entries_of(book: &[u8]) -> String {
    let parts = entries(book);
    let nav = parts.iter().find(|(name, _)| name.ends_with("nav.xhtml"));
    String::from_utf8(nav.unwrap().1.clone()).unwrap()
}

#[test]
fn toc_entries_make_chapter_headings_in_kf8() {
    let mut records = kf8(10);
    let place = (0, [1, 0], 1, "Here");
    // The header names the record with the table of contents.
    records[0][244..248].copy_from_slice(&7_u32.to_be_bytes());
    records.extend(contents(&[place]));
    records.extend([picture(30), picture(40)]);
    let (page, _) = page_of("a.azw3", &database(b"BOOKMOBI", "b", &records));
    has_all(&page, &["Here</h2>", "Two</h1>"]);
}

#[test]
fn protected_books_are_refused_with_their_protection_named() {
    let at = directory("protected");
    for encryption in [1, 2] {
        let header = Header {
            encryption,
            ..Header::default()
        };
        let file = database(b"BOOKMOBI", "b", &[header.record(), vec![7; 500]]);
        check(&at, "protected.azw", &file, 100, Refused("DRM"));
    }
    // A book without the header of Mobipocket whose record 0 is longer than the header of PalmDOC.
    let mut header = vec![0; 64];
    (header[1], header[9], header[13]) = (2, 1, 1);
    let file = database(b"TEXtREAd", "b", &[header, vec![7; 500]]);
    check(&at, "protected.prc", &file, 100, Refused("DRM"));
    let replica = book("%MOP....");
    check(&at, "replica.azw", &replica, 100, Refused("Print Replica"));
}

#[test]
fn damaged_books_are_refused_or_noted() {
    let at = directory("kindle-damaged");
    let mut records = kf8(7);
    records.extend([picture(30), picture(40)]);
    let file = database(b"BOOKMOBI", "b", &records);
    // The file is cut at different positions.
    for len in (1..file.len()).step_by(file.len() / 40) {
        let ran = run(&at, "cut.azw3", &file[..len], "md", &[]);
        is_an_answer(&format!("{len} bytes"), &ran);
    }
    let whole = database(
        b"BOOKMOBI",
        "b",
        &[
            Header {
                texts: 3,
                ..Header::default()
            }
            .record(),
            b"<p>words".to_vec(),
        ],
    );
    let (page, notes) = page_of("a.mobi", &whole);
    has_all(&page, &["words"]);
    assert!(
        notes.contains("2 parts of the text are damaged or missing."),
        "{notes}"
    );
    // One byte at a time is wrong.
    for at_byte in (60..file.len().min(4000)).step_by(97) {
        let mut wrong = file.clone();
        wrong[at_byte] ^= 0xff;
        let ran = run(&at, "wrong.azw3", &wrong, "md", &[]);
        is_an_answer(&format!("byte {at_byte}"), &ran);
    }
    // Offsets of records that point into the table of records, or that decrease.
    for (record, start) in [(1, 78_u32), (0, 0), (2, 100)] {
        let mut wrong = file.clone();
        wrong[78 + 8 * record..][..4].copy_from_slice(&start.to_be_bytes());
        check(&at, "table.mobi", &wrong, 100, Refused("table of records"));
    }
}

#[test]
fn recursive_dictionaries_end() {
    let at = directory("kindle-cycles");
    let header = Header {
        compression: 0x4448,
        fields: vec![(112, 2), (116, 2)],
        ..Header::default()
    };
    let made = |phrases: &[(Vec<u8>, bool)]| {
        let [table, dictionary] = huffman(phrases);
        let text = vec![code(0); 3000];
        database(
            b"BOOKMOBI",
            "b",
            &[header.record(), text, table, dictionary],
        )
    };
    // Phrases that form a circle, phrases that each double the next, a phrase that contains itself, no phrases, and a
    // valid chain.
    let next = |number: usize| (vec![code((number + 1) % 250); 2], false);
    let mut doubling: Vec<(Vec<u8>, bool)> = (0..250).map(next).collect();
    check(&at, "circle.mobi", &made(&doubling), 200, Any);
    doubling[30] = (b"words and words".to_vec(), true);
    check(&at, "doubling.mobi", &made(&doubling), 200, Any);
    check(
        &at,
        "itself.mobi",
        &made(&[(vec![code(0); 9], false)]),
        200,
        Any,
    );
    check(&at, "none.mobi", &made(&[]), 200, Any);
    doubling[3] = (b"word ".to_vec(), true);
    check(
        &at,
        "good.mobi",
        &made(&doubling),
        200,
        Converted("word word"),
    );
}

#[test]
fn large_books_are_bounded() {
    let at = directory("kindle-large");
    // Ten thousand records of text.
    let header = Header {
        texts: 10_000,
        ..Header::default()
    };
    let mut records = vec![header.record()];
    records.resize(10_001, b"<p>word</p>".to_vec());
    check(
        &at,
        "records.mobi",
        &database(b"BOOKMOBI", "b", &records),
        300,
        Converted("word"),
    );
    // All links of the book, each to another place.
    let links: String = (0..20_000)
        .map(|place| format!("<a filepos={place:010}>a</a>"))
        .collect();
    check(&at, "links.mobi", &book(&links), 300, Any);
    // Flows that each cover all of the text.
    let mut records = kf8(7);
    let len = records[1].len() as u32;
    let bounds = [0_u32.to_be_bytes(), len.to_be_bytes()]
        .concat()
        .repeat(20_000);
    records[6] = [
        b"FDST",
        &12_u32.to_be_bytes()[..],
        &20_000_u32.to_be_bytes(),
        &bounds,
    ]
    .concat();
    check(
        &at,
        "flows.azw3",
        &database(b"BOOKMOBI", "b", &records),
        200,
        Refused("flows overlap"),
    );
    let mut records = kf8(7);
    records[2..4].clone_from_slice(&index(&[("a", u32::MAX, [0, u32::MAX]), ("b", 9, [0, 9])]));
    check(
        &at,
        "skeletons.azw3",
        &database(b"BOOKMOBI", "b", &records),
        200,
        Refused("overlap"),
    );
}
