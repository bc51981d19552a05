//! Pictures of documents and sheets, and the options of the PDF editor for every conversion to PDF. Other programs
//! examine the results.

use crate::{
    archive::{unzip, zip},
    harness::{Directory, convert, converted, has, output, png},
};

const MARKDOWN: &[u8] = b"# One\n\nWords of a page.\n";
const PAGES: &[u8] =
    b"<h1>One</h1><p>Words.</p><h1 style='break-before: page'>Two</h1><p>More.</p>";
const TABLE: &[u8] = b"name,sum\nAnna,12\nBert,30\n";

/// Files of all kinds that become a PDF, made from one Markdown text and one table.
fn sources() -> Vec<(String, Vec<u8>)> {
    let made = ["docx", "odt", "rtf", "html", "epub", "pptx", "odp"].map(|format| {
        (
            format!("a.{format}"),
            converted("a.md", MARKDOWN, format, &[]),
        )
    });
    let sheets = ["xlsx", "ods"].map(|format| {
        (
            format!("a.{format}"),
            converted("a.csv", TABLE, format, &[]),
        )
    });
    let plain = [
        ("a.md".to_owned(), MARKDOWN.to_vec()),
        ("a.csv".to_owned(), TABLE.to_vec()),
        ("a.txt".to_owned(), b"Some words.".to_vec()),
    ];
    let all = made.into_iter().chain(sheets).chain(plain);
    all.collect()
}

/// The share of a picture's pixels that are darker than light grey (200 of 255).
fn ink(png: &[u8]) -> f64 {
    let picture = image::load_from_memory(png).unwrap().into_luma8();
    let dark = picture.pixels().filter(|pixel| pixel[0] < 200).count();
    dark as f64 / f64::from(picture.width() * picture.height())
}

#[test]
fn the_first_page_of_every_document_becomes_a_picture() {
    for (name, file) in sources() {
        if matches!(&*name, "a.csv" | "a.txt") {
            let error = convert(&name, &file, "png", &[]).unwrap_err();
            assert!(error.message().contains("can be converted to"), "{error}");
            continue;
        }
        let png = converted(&name, &file, "png", &[("width", "400")]);
        let picture = image::load_from_memory(&png).unwrap();
        assert_eq!(picture.width(), 400, "{name}");
        let ink = ink(&png);
        assert!((0.000_2..0.5).contains(&ink), "{name}: {ink}");
    }
    let sheet = converted("a.csv", TABLE, "xlsx", &[]);
    let fields = [("page_size", "a5"), ("dpi", "72")];
    let webp = converted("a.xlsx", &sheet, "webp", &fields);
    let (width, height) = image::load_from_memory(&webp)
        .map(|it| (it.width(), it.height()))
        .unwrap();
    assert_eq!((width, height), (420, 596));
}

#[test]
fn all_pages_of_a_document_are_an_archive_of_pictures() {
    if !has("python3") {
        return;
    }
    let docx = converted("a.html", PAGES, "docx", &[]);
    let (zip, notes) = convert("a.docx", &docx, "jpg", &[("page", "all"), ("dpi", "40")]).unwrap();
    assert!(notes.is_archive());
    let pages = unzip(&zip);
    assert_eq!(pages.len(), 2);
    assert!(
        pages
            .iter()
            .all(|(_, page)| image::load_from_memory(page).is_ok())
    );
}

#[test]
fn every_format_that_becomes_a_pdf_is_stamped_numbered_and_picked() {
    if !(has("pdftotext") && has("pdfinfo")) {
        return;
    }
    let mut all = sources();
    let picture = png(image::RgbImage::from_pixel(
        300,
        200,
        image::Rgb([200, 30, 30]),
    ));
    all.push(("a.png".into(), picture));
    all.push(("a.eml".into(), b"Subject: Hello\r\n\r\nWords.\r\n".to_vec()));
    let folder = Directory::new();
    for (name, file) in all {
        let fields = [
            ("stamp", "Q"),
            ("numbers", "true"),
            ("pages", "1,1"),
            ("info", "{\"Author\":\"Ada\"}"),
        ];
        let pdf = converted(&name, &file, "pdf", &fields);
        let path = folder.file("a.pdf", &pdf);
        let text = output("pdftotext", &["-layout", &path, "-"]);
        assert_eq!(text.matches('Q').count(), 2, "{name}: {text}");
        let info = output("pdfinfo", &[&path]);
        assert!(info.contains("Author:          Ada"), "{name}: {info}");
        assert!(
            info.lines()
                .any(|line| line.starts_with("Pages:") && line.ends_with(" 2")),
            "{name}: {info}"
        );
    }
}

#[test]
fn a_new_pdf_is_locked_and_turned_in_one_request() {
    if !has("qpdf") {
        return;
    }
    let folder = Directory::new();
    let docx = converted("a.md", MARKDOWN, "docx", &[]);
    let pdf = converted(
        "a.docx",
        &docx,
        "pdf",
        &[("encrypt", "secret"), ("rotate", "90"), ("title", "Of one")],
    );
    let path = folder.file("a.pdf", &pdf);
    let encryption = output("qpdf", &["--password=secret", "--show-encryption", &path]);
    assert!(encryption.contains("AESv3"), "{encryption}");
    let json = output("qpdf", &["--password=secret", "--json", &path]);
    assert!(json.contains("\"/Rotate\": 90") && json.contains("Of one"));
    // A picture is rotated before it is placed on the page, and the page is not rotated again.
    let picture = png(image::RgbImage::new(300, 200));
    let fields = [("rotate", "90"), ("stamp", "Q")];
    let path = folder.file("b.pdf", &converted("a.png", &picture, "pdf", &fields));
    let json = output("qpdf", &["--json", &path]);
    assert!(!json.contains("\"/Rotate\": 90"), "{json}");
    let png = converted(
        "b.pdf",
        &std::fs::read(&path).unwrap(),
        "png",
        &[("dpi", "36")],
    );
    let picture = image::load_from_memory(&png).unwrap();
    assert!(picture.height() > picture.width());
}

#[test]
fn every_kind_of_file_becomes_an_archival_pdf() {
    let slides = converted("a.md", MARKDOWN, "pptx", &[]);
    let picture = png(image::RgbImage::new(30, 20));
    for (name, file) in [
        ("a.pptx", &slides[..]),
        ("a.png", &picture),
        ("a.csv", TABLE),
        ("a.md", MARKDOWN),
    ] {
        for fields in [
            &[("pdf_a", "true")][..],
            &[("pdf_a", "true"), ("numbers", "true")],
        ] {
            let (pdf, notes) = convert(name, file, "pdf", fields).unwrap();
            let claims = pdf.windows(11).any(|window| window == b"pdfaid:part");
            assert!(claims, "{name} with {fields:?}: {:?}", notes.0);
        }
    }
}

#[test]
fn parts_of_a_merged_archive_are_not_edited_twice() {
    if !has("pdftotext") {
        return;
    }
    let zip = zip(&[("1.md", MARKDOWN), ("2.csv", TABLE)]);
    let folder = Directory::new();
    let pdf = converted("a.zip", &zip, "pdf", &[("merge", "true"), ("stamp", "Q")]);
    let text = output("pdftotext", &[&folder.file("a.pdf", &pdf), "-"]);
    let pages = text.matches('\u{c}').count();
    assert_eq!((pages, text.matches('Q').count()), (2, 2), "{text}");
}

#[test]
fn each_picture_has_the_fields_of_its_format() {
    let names = |from: &str, to: &str| {
        let format = |name| convertd::registry::by_name(name).unwrap();
        let route = convertd::registry::find(format(from), format(to)).unwrap();
        let names = route.pair.options.iter().map(|spec| spec.name);
        names.collect::<Vec<_>>()
    };
    for from in ["docx", "xlsx", "pptx", "md"] {
        for (to, sized, lossless) in [
            ("jpg", true, false),
            ("png", false, false),
            ("webp", true, true),
            ("bmp", false, false),
        ] {
            let names = names(from, to);
            assert_eq!(names.contains(&"max_size"), sized, "{from} to {to}");
            assert_eq!(names.contains(&"lossless"), lossless, "{from} to {to}");
            assert!(
                names.contains(&"dpi") && !names.contains(&"notes"),
                "{from} to {to}"
            );
        }
    }
}
