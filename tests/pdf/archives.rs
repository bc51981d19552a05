//! Results that claim PDF/A, from each kind of source, checked against the rules of the standard (`rules`).

use crate::{
    harness::{convert_with, fixture},
    make::File,
    rules, zips,
};
use std::{fs, path::Path};

type Fields<'f> = &'f [(&'f str, &'f str)];

fn data(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    fs::read(root.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

#[track_caller]
fn made(name: &str, file: &[u8], fields: Fields<'_>) -> (Vec<u8>, String) {
    let made = convert_with(name, file, "pdf", "medium", fields);
    let (pdf, notes) = made.unwrap_or_else(|err| panic!("{name}: {err}"));
    (pdf, notes.0.join("\n"))
}

/// Converts to PDF/A of a level such as `2U`, checks all rules, and returns the result.
#[track_caller]
fn check(name: &str, file: &[u8], fields: Fields<'_>, level: &str) -> Vec<u8> {
    let part = &level[..1];
    let fields = [&[("pdf_a", part)], fields].concat();
    let (pdf, notes) = made(name, file, &fields);
    let (claim, faults) = rules::faults(&pdf);
    assert_eq!(
        (&*claim, &*faults),
        (level, &[][..]),
        "{name} {fields:?}: {notes}"
    );
    pdf
}

#[test]
fn documents_of_each_kind_conform_to_pdf_a() {
    if !rules::can_check() {
        return;
    }
    for name in [
        "report.md",
        "report-pandoc.html",
        "report-office.docx",
        "letter.docx",
        "minutes-flat.docx",
        "report-pandoc.odt",
        "letter-office.odt",
        "frames.fodt",
        "letter-office.rtf",
        "letter-office.doc",
        "report-pandoc.epub",
        "report-epub2.epub",
    ] {
        for level in ["2U", "3U"] {
            check(name, &data(&format!("documents/{name}")), &[], level);
        }
    }
    for name in [
        "book.xlsx",
        "book.ods",
        "book.xls",
        "looks.xls",
        "looks.xlsb",
    ] {
        check(name, &data(&format!("spreadsheets/{name}")), &[], "2U");
    }
    check(
        "a.csv",
        b"a,b\n1,\xe2\x82\xac\n",
        &[("title", "A & <B>")],
        "2U",
    );
    check(
        "a.txt",
        "Words, ﬁ, 日本\n".as_bytes(),
        &[("toc", "true")],
        "2U",
    );
}

#[test]
fn html_pages_conform_to_pdf_a() {
    if !rules::can_check() {
        return;
    }
    let nested = |count: usize, style: &str| {
        format!(
            "{}x{}",
            format!("<div style='{style}'>").repeat(count),
            "</div>".repeat(count)
        )
    };
    let pages = [
        "<title>T\"'&amp;&lt;</title><meta name=author content='A, B &amp; C'><meta name=keywords content='k, l'>\
         <meta name=description content='D &lt;'><p>Text <a href='https://example.org/ä?a=b&c'>link</a> <a href='#x' title='t'>x</a><h1 id=x>H</h1>"
            .to_owned(),
        "<p style='opacity: .5; mix-blend-mode: multiply; background: linear-gradient(red, rgba(0,0,255,.3)); box-shadow: 0 0 9px red; \
         border-radius: 9px; transform: rotate(9deg)'>x"
            .to_owned(),
        "<svg width=90 height=90><defs><linearGradient id=g><stop offset=0 stop-color=red /><stop offset=1 stop-color=blue stop-opacity=.2 />\
         </linearGradient><mask id=m><circle cx=40 cy=40 r=30 fill=white /></mask></defs><rect width=80 height=80 fill='url(#g)' mask='url(#m)'/>\
         <text x=9 y=40>svg</text></svg>"
            .to_owned(),
        nested(60, "overflow: hidden; padding: 1px; border: 1px solid red"),
        nested(60, "opacity: .9"),
        nested(40, "opacity: .9; overflow: hidden; border-radius: 9px; padding: 1px"),
        nested(60, "transform: rotate(1deg)"),
        format!(
            "<svg width=90 height=90>{}<rect width=9 height=9 />{}</svg>",
            "<g opacity='.9' clip-path='circle(40px)' transform='rotate(1)'>".repeat(60),
            "</g>".repeat(60)
        ),
        format!(
            "<svg width=90 height=90>{}<rect width=9 height=9 />{}</svg>",
            "<g clip-path='circle(40px)' transform='rotate(1)'>".repeat(20),
            "</g>".repeat(20)
        ),
    ];
    for page in pages {
        let page = format!("<!doctype html>{page}");
        check("a.html", page.as_bytes(), &[], "2U");
    }
    check(
        "a.html",
        b"<style>@page { size: 3mm 3mm; margin: 0 }</style>x",
        &[],
        "2U",
    );
    check(
        "a.html",
        b"<style>@page { size: 9m 9m }</style>x",
        &[],
        "2U",
    );
}

#[test]
fn existing_files_conform_to_pdf_a() {
    if !rules::can_check() {
        return;
    }
    for name in ["cairo.pdf", "office.pdf", "packed.pdf", "scan.pdf"] {
        for (fields, level) in [
            (&[][..], "2B"),
            (&[("numbers", "true")], "3B"),
            (&[("watermark", "Draft")], "2B"),
            (&[("stamp", "Copy"), ("rotate", "90")], "2B"),
            (&[("title", "A title"), ("pages", "1")], "2B"),
            (
                &[(
                    "info",
                    "{\"Author\": \"A <B>\", \"Keywords\": \"x\", \"CreateDate\": \"2006-09-18T16:27:50-04:00\"}",
                )],
                "2B",
            ),
            (&[("flatten", "true")], "3B"),
        ] {
            check(name, &fixture(name), fields, level);
        }
    }
    check("scan.pdf", &fixture("scan.pdf"), &[("ocr", "force")], "2B");
    // Converts from one part of the standard to another part, and then again to the same part.
    let third = check("report.md", &data("documents/report.md"), &[], "3U");
    let second = check("a.pdf", &third, &[], "2B");
    check("a.pdf", &second, &[], "2B");
}

#[test]
fn merged_files_conform_to_pdf_a() {
    if !rules::can_check() {
        return;
    }
    let member = |name: &str| data(&format!("documents/{name}"));
    let mixed = zips::Zip::default()
        .stored("1.md", &member("report.md"))
        .stored("2.pdf", &fixture("cairo.pdf"))
        .stored("3.docx", &member("letter.docx"))
        .stored("4.pdf", &fixture("office.pdf"))
        .finish();
    check("a.zip", &mixed, &[("merge", "true")], "2B");
    // Merged files that each conform to a part conform to that part, even without the option.
    let parts: Vec<Vec<u8>> = ["a.md", "b.md"]
        .iter()
        .map(|name| made(name, b"# A\n\nwords\n", &[("pdf_a", "2")]).0)
        .collect();
    let same = zips::Zip::default()
        .stored("1.pdf", &parts[0])
        .stored("2.pdf", &parts[1])
        .finish();
    let (pdf, notes) = made("a.zip", &same, &[("merge", "true")]);
    let (claim, faults) = rules::faults(&pdf);
    assert_eq!((&*claim, &*faults), ("2U", &[][..]), "{notes}");
}

/// A file of one page, with these entries in its catalogue and its page, this content, and further objects from number
/// 5 on.
fn file(catalog: &str, page: &str, content: &str, others: &[&str]) -> Vec<u8> {
    let mut file = File::new();
    file.object(format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"));
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R {page} >>"
    ));
    file.stream("", content);
    for other in others {
        file.object(other);
    }
    file.finish()
}

#[test]
fn violations_of_a_standard_are_repaired_or_named() {
    if !rules::can_check() {
        return;
    }
    #[track_caller]
    fn tried(file: &[u8]) {
        for part in ["2", "3"] {
            let (pdf, notes) = made("a.pdf", file, &[("pdf_a", part)]);
            let (claim, faults) = rules::faults(&pdf);
            match notes.contains("could not be made PDF/A") {
                true => assert_eq!(claim, "", "{notes}"),
                false => assert_eq!(
                    (&*claim, &*faults),
                    (&*format!("{part}B"), &[][..]),
                    "{notes}"
                ),
            }
        }
    }
    let form = "<< /Length 0 /Type /XObject /Subtype /Form /BBox [0 0 9 9] >> stream\n\nendstream";
    let annotation = |entries: &str| {
        format!(
            "/Annots [<< /Type /Annot /Rect [0 0 9 9] /AP << /N 5 0 R /D 5 0 R >> {entries} >>]"
        )
    };
    let plain = [form];
    for entries in [
        "/Subtype /Square /A << /S /Named /N /Print >>",
        "/Subtype /Link /A << /S /Named /N /SaveAs >>",
        "/Subtype /Link /A << /S /URI /URI (http://a) /Next [<< /S /JavaScript /JS (1) >>] >>",
        "/Subtype /Link /A << /S /URI /URI (http://a) /Next << /S /Hide /T (a) >> >>",
        "/Subtype /Link /A << /S /ResetForm >>",
        "/Subtype /Link /PA << /S /JavaScript /JS (1) >>",
        "/Subtype /Widget /FT /Tx /T (a) /A << /S /URI /URI (http://a) >>",
        "/Subtype /Widget /FT /Tx /T (a) /AA << /K << /S /JavaScript /JS (1) >> >>",
        "/Subtype /Text /F 28",
        "/Subtype /Text /F 2",
        "/Subtype /Screen",
        "/Subtype /Stamp /Contents (x) /F 0",
    ] {
        tried(&file("", &annotation(entries), "", &plain));
    }
    for catalog in [
        "/OpenAction << /S /Named /N /Print >>",
        "/Outlines << /First 6 0 R /Last 6 0 R /Count 1 >>",
        "/AcroForm << /Fields [] /XFA (x) /NeedAppearances true >>",
        "/Lang (de) /Metadata 7 0 R",
        "/Threads [] /Requirements [<< /S /EnableJavaScripts >>]",
        "/Names << /EmbeddedFiles << /Names [(a.txt) << /Type /Filespec /F (a.txt) /EF << /F 8 0 R >> >>] >> >>",
        "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>",
        "/OCProperties << /OCGs [9 0 R] /D << /AS [<< /Event /View /OCGs [9 0 R] /Category [/View] >>] >> >>",
        "/OCProperties << /OCGs [9 0 R] /D << /Name (Layers 1) >> /Configs [<< /Name (Layers 1) >> << >>] >>",
    ] {
        let others = [
            form,
            "<< /Title (x) /Parent 1 0 R /A << /S /Launch /F (x) >> >>",
            "<< /Type /Metadata /Subtype /XML /Length 9 >> stream\n<nothing/>\nendstream",
            "<< /Type /EmbeddedFile /Length 1 >> stream\nx\nendstream",
            "<< /Type /OCG /Name (a) >>",
        ];
        tried(&file(catalog, "", "", &others));
    }
    for (page, content) in [
        ("/AA << /O << /S /JavaScript /JS (1) >> >>", ""),
        (
            "/Resources << /ExtGState << /G << /TR /Identity /TR2 /Identity /HTP [0 0] /BM /Odd >> >> >>",
            "/G gs",
        ),
        (
            "/Resources << /ExtGState << /G << /Type /ExtGState /BM /Multiply /ca .5 >> >> >>",
            "/G gs",
        ),
        ("/Resources << /XObject << /X 5 0 R >> >>", "/X Do"),
        ("/PresSteps << /Type /NavNode >>", ""),
        ("/Metadata 6 0 R", ""),
        (
            "",
            "BI /W 1 /H 1 /BPC 8 /CS /G /F /LZW ID \x20\x0b\x0a\x04\x04 EI",
        ),
        (
            "",
            "0 0 0 rg q q q q q q q q q q q q q q q q q q q q q q q q q q q q q q q q 0 0 9 9 re f",
        ),
        ("", "0 0 9 9 re f Q Q"),
        ("", "1 0 0 rg odd 0 0 9 9 re f"),
        ("", "BX odd EX /Odd ri"),
        ("", "q 0 0 9 9 re f"),
        ("", "/DeviceCMYK cs 0 0 0 1 sc 0 0 9 9 re f"),
    ] {
        let others = [
            form,
            "<< /Type /Metadata /Subtype /XML /Length 100 >> stream\n<?xpacket begin=\"\" id=\"W5M0MpCehiHzreSzNTczkc9d\" bytes=\"9\" encoding=\"UTF-8\"?><odd:a xmlns:odd=\"http://a\"/>\nendstream",
        ];
        tried(&file("", page, content, &others));
    }
    // Pages with sides beyond the limits of the standard.
    for sides in ["0 0 2 200", "0 0 200 20000"] {
        let page = format!("<< /Type /Page /Parent 2 0 R /MediaBox [{sides}] >>");
        let mut small = File::new();
        small.object("<< /Type /Catalog /Pages 2 0 R >>");
        small.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
        small.object(page);
        tried(&small.finish());
    }
}
