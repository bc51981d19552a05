//! Drop-in answers for clients of other services: raw requests, and those clients themselves if they are installed.

use crate::{
    harness::{Answer, Form, Request, Server, TempDir},
    samples, tools,
};
use std::process::Command;

fn both() -> Server {
    Server::with("--compat gotenberg,tika").start()
}

fn office(form: Form) -> Request {
    post("/forms/libreoffice/convert", form)
}

fn post(path: &str, form: Form) -> Request {
    Request::new("POST", path)
        .field("Content-Type", &Form::content_type())
        .body(form.body())
}

/// Adds a file. Its name is also that of the form field, because the services accept any field name.
fn with(form: Form, name: &str, content: &[u8]) -> Form {
    form.part(
        &format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{name}\""),
        content,
    )
}

fn data(name: &str) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    std::fs::read(format!("{path}{name}")).unwrap()
}

#[track_caller]
fn refused(answer: &Answer, status: u16, words: &str) {
    let text = String::from_utf8_lossy(&answer.body);
    assert!(
        answer.status == status && text.contains(words),
        "{answer:?}: {text}"
    );
    assert_eq!(
        answer.field("content-type"),
        Some("text/plain; charset=UTF-8")
    );
    assert!(answer.field("gotenberg-trace").is_some());
}

#[test]
fn without_the_option_the_paths_do_not_exist() {
    let server = Server::start();
    for path in [
        "/forms/libreoffice/convert",
        "/tika/text",
        "/rmeta",
        "/health",
        "/version",
    ] {
        let answer = server.send(Request::new("POST", path).body(b"x".to_vec()));
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["success"], false);
    }
}

#[test]
fn documents_become_pdf_with_the_requested_name() {
    let server = both();
    let request = office(with(Form::new(), "a.md", b"# Title\n"))
        .field("Gotenberg-Output-Filename", "../wanted")
        .field("Gotenberg-Trace", "mine");
    // This Markdown becomes a PDF, although LibreOffice does not read Markdown.
    assert_eq!(server.send(request).status, 200);
    let request = office(with(Form::new(), "a.xyz", b"# Title\n"));
    refused(
        &server.send(request),
        400,
        "no form file found for extensions: [.123 ",
    );
    let request = office(with(Form::new(), "a.txt", b"words"))
        .field("Gotenberg-Output-Filename", "../wanted")
        .field("Gotenberg-Trace", "mine");
    let answer = server.send(request);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.starts_with(b"%PDF-"));
    assert_eq!(answer.field("content-type"), Some("application/pdf"));
    assert_eq!(
        answer.field("content-disposition"),
        Some("attachment; filename=\"wanted.pdf\"")
    );
    assert_eq!(answer.field("gotenberg-trace"), Some("mine"));
    let form = with(with(Form::new(), "2_a.txt", b"a"), "10_b.txt", b"b");
    let answer = server.send(office(form));
    assert_eq!(answer.field("content-type"), Some("application/zip"));
    let text = String::from_utf8_lossy(&answer.body);
    assert!(text.find("2_a.txt.pdf").unwrap() < text.find("10_b.txt.pdf").unwrap());
}

#[test]
fn all_errors_of_a_form_are_reported_together() {
    let server = both();
    let form = Form::new().field("merge", "foo").field("splitMode", "bar");
    let answer = server.send(office(form));
    refused(
        &answer,
        400,
        "Invalid form data: form field 'splitMode' is invalid (got 'bar', resulting to wrong value, expected either 'intervals' or 'pages')\nno form file found",
    );
    refused(
        &answer,
        400,
        "form field 'merge' is invalid (got 'foo', resulting to strconv.ParseBool: parsing \"foo\": invalid syntax)",
    );
    let form = with(Form::new().field("pdfa", "foo"), "a.txt", b"a");
    refused(
        &server.send(office(form)),
        400,
        "The PDF format 'foo' is not supported.",
    );
    let form = with(Form::new(), "a.docx", b"no docx");
    refused(
        &server.send(office(form)),
        400,
        "could not read the document 'a.docx'",
    );
    let form = Form::new().field("nativeTiledWatermarkText", "x");
    refused(
        &server.send(office(with(form, "a.txt", b"a"))),
        400,
        "'nativeTiledWatermarkText' is not supported",
    );
    let form = Form::new().field("metadata", "foo");
    refused(
        &server.send(office(with(form, "a.txt", b"a"))),
        400,
        "invalid character 'o' in literal false (expecting 'a')",
    );
    let answer =
        server.send(Request::new("POST", "/forms/libreoffice/convert").body(b"x".to_vec()));
    refused(&answer, 415, "want 'multipart/form-data'");
    refused(
        &server.get("/forms/libreoffice/convert"),
        405,
        "Method Not Allowed",
    );
    refused(
        &server.send(post("/forms/chromium/convert/url", Form::new())),
        404,
        "Not Found",
    );
    refused(
        &server.send(post("/forms/nothing", Form::new())),
        404,
        "Not Found",
    );
    let many = (0..2100).fold(Form::new(), |form, nth| {
        with(form, &format!("{nth}.txt"), b"a")
    });
    refused(&server.send(office(many)), 400, "more than 2000 parts");
    let form = with(Form::new(), "../../etc/a.txt", b"a");
    assert_eq!(server.send(office(form)).status, 200);
}

#[test]
fn pages_become_pdf_with_the_files_that_they_name() {
    let server = both();
    let png = server.convert(&samples::ppm(40, 30), "a.ppm", "png");
    let id = png.data("conversion_id");
    let png = server.download(&id).body;
    let page = b"<p>Hello</p><img src=cid1><img src=http://127.0.0.1:1/x.png>";
    let form = with(
        with(Form::new().field("marginTop", "0.1in"), "index.html", page),
        "cid1",
        &png,
    );
    let answer = server.send(post("/forms/chromium/convert/html", form));
    assert!(
        answer.status == 200 && answer.body.starts_with(b"%PDF-"),
        "{answer:?}"
    );
    assert!(answer.body.windows(6).any(|six| six == b"/Image"));
    // Some clients send the page as a text field, without a file name.
    let form = Form::new().field("index.html", "<p>Hello</p>");
    assert_eq!(
        server
            .send(post("/forms/chromium/convert/html", form))
            .status,
        200
    );
    let form = Form::new().field("paperWidth", "x");
    refused(
        &server.send(post("/forms/chromium/convert/html", form)),
        400,
        "strconv.ParseFloat: parsing \"x\": invalid syntax)\nform file 'index.html' is required",
    );
    let page = b"<body>{{ toHTML \"a.md\" }}</body>";
    let form = with(with(Form::new(), "index.html", page), "b.md", b"# b");
    refused(
        &server.send(post("/forms/chromium/convert/markdown", form)),
        400,
        "Markdown file(s) not found: 'a.md'",
    );
}

#[test]
fn paper_and_each_margin_are_as_the_form_says() {
    let server = both();
    // A black square in the corner of the page area shows its position.
    let page = b"<!DOCTYPE html><style>@page { size: a3; margin: 3in } body { margin: 0 }</style>\
        <div style='width: 9px; height: 9px; background: black'></div>";
    #[track_caller]
    fn check(server: &Server, page: &[u8], fields: &[(&str, &str)], expected: [u32; 4]) {
        let form = with(Form::new(), "index.html", page).field("printBackground", "true");
        let form = fields
            .iter()
            .fold(form, |form, (name, value)| form.field(name, value));
        let pdf = server.send(post("/forms/chromium/convert/html", form)).body;
        let request = Request::new("PUT", "/api/v1/convert?to=png&name=a.pdf&dpi=72");
        let seen = server.send(request.body(pdf.to_vec()));
        let seen = image::load_from_memory(&seen.body).unwrap().to_luma8();
        let black = seen
            .enumerate_pixels()
            .find(|(_, _, pixel)| pixel.0[0] < 99);
        let (left, top, _) = black.expect("a square");
        assert_eq!(
            [seen.width(), seen.height(), left, top],
            expected,
            "{fields:?}"
        );
    }
    let [five, four] = [("paperWidth", "5"), ("paperHeight", "4")];
    let [left, top] = [("marginLeft", "2"), ("marginTop", "0.5")];
    check(&server, page, &[five, four, left, top], [360, 288, 144, 36]);
    let landscape = ("landscape", "true");
    check(
        &server,
        page,
        &[five, four, left, top, landscape],
        [288, 360, 144, 36],
    );
    // The paper that the page itself states has priority only with `preferCssPageSize`.
    let own =
        b"<!DOCTYPE html><style>@page { size: 3in 4in; margin: 1in } body { margin: 0 }</style>\
        <div style='width: 9px; height: 9px; background: black'></div>";
    let prefers = ("preferCssPageSize", "true");
    check(&server, own, &[five, four, left, top], [360, 288, 144, 36]);
    check(
        &server,
        own,
        &[five, four, left, top, prefers],
        [216, 288, 72, 72],
    );
}

#[test]
fn header_and_footer_files_are_on_every_page() {
    let server = both();
    let page = b"<title>Big</title><p>one<p style='break-before: page'>two";
    let header = b"<html><head><style>.pageNumber { font-size: 10px }</style></head>\
        <body><p style='font-size: 10px'><span class=title></span></p></body></html>";
    let footer = "<div style='font-size: 10px'><b class=pageNumber></b> \u{2022} <i class=totalPages></i></div>";
    let form = || {
        let form = with(Form::new(), "index.html", page);
        with(form, "header.html", header)
    };
    let answer = server.send(post(
        "/forms/chromium/convert/html",
        with(form(), "footer.html", footer.as_bytes()),
    ));
    assert_eq!(answer.status, 200, "{answer:?}");
    let pages = pages_of(&server, &answer.body);
    assert_eq!(pages.len(), 2);
    for (page, (own, number)) in pages
        .iter()
        .zip([("one", "1 \u{2022} 2"), ("two", "2 \u{2022} 2")])
    {
        let words: Vec<&str> = page.split_whitespace().collect();
        let words = words.join(" ");
        assert!(words.contains("Big") && words.contains(own), "{words}");
        assert!(words.contains(number), "{words}");
    }
    // Only the header is given.
    let answer = server.send(post("/forms/chromium/convert/html", form()));
    assert!(
        pages_of(&server, &answer.body)
            .iter()
            .all(|page| page.contains("Big"))
    );
}

#[test]
fn text_and_metadata_come_in_the_requested_format() {
    let server = both();
    let put =
        |path: &str| Request::new("PUT", path).body(b"<title>T</title><p>Hello <b>you".to_vec());
    let html = |path: &str| put(path).field("Content-Type", "text/html");
    let answer = server.send(html("/tika/text"));
    let about = answer.json();
    assert_eq!(
        about["X-TIKA:content"].as_str().map(str::trim),
        Some("Hello you")
    );
    assert_eq!(about["dc:title"], "T");
    assert!(about["X-TIKA:Parsed-By"].is_array());
    let answer = server.send(html("/tika").field("Accept", "text/plain"));
    assert_eq!(String::from_utf8_lossy(&answer.body).trim(), "Hello you");
    let answer = server.send(html("/rmeta/text"));
    assert_eq!(answer.json()[0]["dc:title"], "T");
    let answer = server.send(html("/meta").field("Accept", "application/json"));
    assert_eq!(answer.json()["Content-Type"], "text/html; charset=UTF-8");
    let answer = server.send(html("/meta/dc:title").field("Accept", "text/plain"));
    assert_eq!(&answer.body[..], b"T");
    let answer = server.send(post(
        "/tika/form/text",
        with(Form::new(), "a.txt", b"words"),
    ));
    assert_eq!(
        answer.json()["X-TIKA:content"].as_str().map(str::trim),
        Some("words")
    );
    // Open WebUI sends a file without a name and a type.
    let answer = server.send(Request::new("PUT", "/tika/text").body(b"plain words".to_vec()));
    assert_eq!(
        answer.json()["X-TIKA:content"].as_str().map(str::trim),
        Some("plain words")
    );
    let answer = server.send(Request::new("PUT", "/detect/stream").body(samples::ppm(4, 3)));
    assert_eq!(&answer.body[..], b"image/x-portable-pixmap");
}

/// A TIFF of 2 by 1 pixels from a camera, with a position.
fn photograph() -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        let mut entry = [tag.to_le_bytes(), kind.to_le_bytes()].concat();
        entry.extend([count, value].map(u32::to_le_bytes).concat());
        entry
    };
    // The GPS directory with two entries follows the header and nine entries. Texts and fractions follow the GPS
    // directory.
    let gps = 8 + 2 + 9 * 12 + 4;
    let data_at = gps + 2 + 2 * 12 + 4;
    let first = [
        entry(256, 3, 1, 2),
        entry(257, 3, 1, 1),
        entry(258, 3, 1, 8),
        entry(259, 3, 1, 1),
        entry(262, 3, 1, 1),
        entry(271, 2, 6, data_at),
        entry(273, 4, 1, data_at + 32),
        entry(279, 4, 1, 2),
        entry(0x8825, 4, 1, gps),
    ];
    file.extend((first.len() as u16).to_le_bytes());
    file.extend(first.concat());
    file.extend([0; 4]);
    file.extend(2_u16.to_le_bytes());
    file.extend(entry(1, 2, 2, u32::from(b'S')));
    file.extend(entry(2, 5, 3, data_at + 8));
    file.extend([0; 4]);
    file.extend(b"Canon\0\0\0");
    file.extend([12_u32, 1, 30, 1, 0, 1].map(u32::to_le_bytes).concat());
    file.extend([10, 20]);
    file
}

#[test]
fn pictures_sound_mail_and_documents_have_metadata() {
    let server = both();
    let meta = |path: &str, body: Vec<u8>| {
        let request = Request::new("PUT", path).field("Accept", "application/json");
        let answer = server.send(request.body(body));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let about = meta("/meta", photograph());
    assert_eq!(about["tiff:ImageWidth"], "2", "{about}");
    assert_eq!(about["tiff:Make"], "Canon");
    assert_eq!(about["geo:lat"], "-12.5");
    let about = meta("/rmeta", data("audio/tagged.flac"));
    let about = &about[0];
    assert_eq!(about["xmpDM:audioSampleRate"], "44100", "{about}");
    assert_eq!(about["xmpDM:genre"], "Jazz");
    assert_eq!(about["dc:title"], "T\u{e4}uschung");
    let mail = b"From: A <a@example.org>\r\nTo: b@example.org\r\nSubject: Hi\r\nDate: Mon, 1 Jan 2024 10:00:00 +0100\r\n\r\nx";
    let about = meta("/meta", mail.to_vec());
    assert_eq!(about["Message-From"], "A <a@example.org>", "{about}");
    assert_eq!(about["Message:From-Email"], "a@example.org");
    assert_eq!(about["dc:title"], "Hi");
    assert_eq!(about["dcterms:created"], "2024-01-01T09:00:00Z");
    let about = meta("/meta", data("documents/letter.docx"));
    assert_eq!(about["dc:title"], "A letter with tables", "{about}");
    let created = about["dcterms:created"].as_str().unwrap();
    assert!(created.len() == 20 && created.ends_with('Z'), "{created}");
    let request = Request::new("PUT", "/meta").field("Accept", "application/rdf+xml");
    let answer = server.send(request.body(data("documents/letter.docx")));
    let text = String::from_utf8_lossy(&answer.body);
    assert!(
        text.contains("<dc:title>A letter with tables</dc:title>"),
        "{text}"
    );
}

#[test]
fn embedded_files_are_unpacked_and_languages_detected() {
    let server = both();
    let put = |path: &str, body: &[u8]| server.send(Request::new("PUT", path).body(body.to_vec()));
    let mail = b"From: a@example.org\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
        --b\r\n\r\nHello\r\n--b\r\nContent-Disposition: attachment; filename=../../n.bin\r\n\r\nWITHIN\r\n--b--\r\n";
    let answer = put("/unpack", mail);
    assert_eq!(answer.field("content-type"), Some("application/zip"));
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(
        text.contains("n.bin") && text.contains("WITHIN") && !text.contains(".."),
        "{text}"
    );
    let text = String::from_utf8_lossy(&put("/unpack/all", mail).body).into_owned();
    assert!(text.contains("__TEXT__") && text.contains("__METADATA__") && text.contains("WITHIN"));
    assert_eq!(put("/unpack", b"nothing is in it").status, 204);
    let form = with(Form::new().field("config", "{}"), "a.txt", b"a");
    let answer = server.send(post("/unpack", form));
    assert_eq!(answer.status, 403, "{answer:?}");
    for (text, language) in [
        ("The house is not for sale, and it was never ours.", "en"),
        (
            "Das Haus ist nicht zu verkaufen und es war nie unser.",
            "de",
        ),
    ] {
        for path in ["/language", "/language/stream", "/language/string"] {
            assert_eq!(&put(path, text.as_bytes()).body[..], language.as_bytes());
        }
    }
    // The words in the data of a picture are not its text.
    let picture = [
        &data("jpeg/420-12.jpg")[..],
        b"The house is not for sale, and it was never ours.",
    ];
    assert!(put("/language", &picture.concat()).body.is_empty());
    assert_eq!(put("/tika/json/nobody", b"a").status, 400);
    let answer = put("/tika/json/text", b"words");
    assert_eq!(
        answer.json()["X-TIKA:content"].as_str().map(str::trim),
        Some("words")
    );
}

#[test]
fn documents_are_opened_with_their_password() {
    let server = both();
    let locked = data("locked/locked.docx");
    let plain = data("documents/letter.docx");
    let form = |file: &[u8]| with(Form::new(), "a.docx", file);
    let answer = server.send(office(form(&locked).field("password", "secret é")));
    assert!(answer.body.starts_with(b"%PDF"), "{answer:?}");
    let is_protected = "is password-protected. Provide its password";
    refused(&server.send(office(form(&locked))), 400, is_protected);
    let other = form(&locked).field("password", "other");
    refused(&server.send(office(other)), 400, is_protected);
    let needless = form(&plain).field("password", "other");
    refused(
        &server.send(office(needless)),
        400,
        "is not password-protected",
    );
    let put = |password: &str| {
        let request = Request::new("PUT", "/tika").field("Accept", "text/plain");
        server.send(request.field("Password", password).body(locked.clone()))
    };
    assert_eq!(put("other").status, 422);
    let text = put("secret é").body;
    assert_eq!(text.trim_ascii(), b"What is locked in a document");
}

#[test]
fn unreadable_files_get_a_status_without_a_body() {
    let server = both();
    let put = |body: &[u8]| server.send(Request::new("PUT", "/tika/text").body(body.to_vec()));
    let answer = put(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!((answer.status, answer.body.len()), (415, 0));
    assert_eq!(put(b"%PDF-1.7\n%cut off").status, 422);
    let answer = server.send(
        Request::new("PUT", "/tika/text")
            .field("Content-Encoding", "gzip")
            .body(b"no gzip".to_vec()),
    );
    assert_eq!(answer.status, 400);
    assert_eq!(server.send(Request::new("DELETE", "/tika")).status, 405);
    assert_eq!(server.get("/tika/nothing").status, 404);
}

#[test]
fn bookmarks_are_written_merged_and_read() {
    let server = both();
    let page = |title: &str| {
        let text = format!("<title>{title}</title><h1>{title}</h1>");
        let request = Request::new("POST", "/api/v1/convert?to=pdf&name=a.html");
        server.send(request.body(text.into_bytes())).body.to_vec()
    };
    let field = |form: Form, name: &str, value: &str| {
        let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
        form.part(&disposition, value.as_bytes())
    };
    let read = |file: &[u8]| {
        let form = with(Form::new(), "a.pdf", file);
        let answer = server
            .send(post("/forms/pdfengines/bookmarks/read", form))
            .json();
        answer["a.pdf"].to_string()
    };
    let (one, two) = (page("One"), page("Two"));
    assert_eq!(read(&one), r#"[{"page":1,"title":"One"}]"#);
    let list = r#"[{"title":"A","page":1,"children":[{"title":"B","page":1}]}]"#;
    let form = field(with(Form::new(), "a.pdf", &one), "bookmarks", list);
    let written = server.send(post("/forms/pdfengines/bookmarks/write", form));
    assert_eq!(written.status, 200, "{written:?}");
    let expected = r#"[{"children":[{"page":1,"title":"B"}],"page":1,"title":"A"}]"#;
    assert_eq!(read(&written.body), expected);
    let merged = |fields: &[(&str, &str)]| {
        let form = with(with(Form::new(), "1.pdf", &one), "2.pdf", &two);
        let form = fields
            .iter()
            .fold(form, |form, (name, value)| field(form, name, value));
        read(&server.send(post("/forms/pdfengines/merge", form)).body)
    };
    assert_eq!(
        merged(&[("autoIndexBookmarks", "true")]),
        r#"[{"page":1,"title":"One"},{"page":2,"title":"Two"}]"#
    );
    let by_file = r#"{"2.pdf":[{"title":"X","page":1}]}"#;
    assert_eq!(
        merged(&[("bookmarks", by_file)]),
        r#"[{"page":2,"title":"X"}]"#
    );
    assert_eq!(
        merged(&[("titleBookmarks", "true"), ("bookmarks", by_file)]),
        r#"[{"children":[{"page":1,"title":"One"}],"page":1,"title":"One"},{"children":[{"page":2,"title":"X"}],"page":2,"title":"Two"}]"#
    );
    // This list is longer than a message to a converter.
    let many: Vec<_> = (0..3000)
        .map(|at| serde_json::json!({"title": format!("Chapter {at}"), "page": 1}))
        .collect();
    let many = serde_json::Value::from(many).to_string();
    let form = field(with(Form::new(), "a.pdf", &one), "bookmarks", &many);
    let written = server.send(post("/forms/pdfengines/bookmarks/write", form));
    assert_eq!(read(&written.body), many);
    let form = field(with(Form::new(), "a.pdf", &one), "bookmarks", "foo");
    let answer = server.send(post("/forms/pdfengines/bookmarks/write", form));
    refused(&answer, 400, "form field 'bookmarks' is invalid");
}

#[test]
fn files_are_embedded_with_their_relationship() {
    if !tools::has("qpdf") {
        return;
    }
    let server = both();
    let request = Request::new("POST", "/api/v1/convert?to=pdf&name=a.html");
    let page = server.send(request.body(b"<title>T</title><h1>T</h1>".to_vec()));
    let folder = TempDir::new();
    let told = |file: &[u8], arguments: &[&str]| {
        let path = folder.path().join("a.pdf");
        std::fs::write(&path, file).unwrap();
        let mut qpdf = Command::new("qpdf");
        let output = qpdf.args(arguments).arg(&path).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let form = |fields: &[(&str, &str)]| {
        let form = with(Form::new(), "a.pdf", &page.body).part(
            "Content-Disposition: form-data; name=\"embeds\"; filename=\"données.xml\"",
            b"<data/>",
        );
        // The conversion of archives drops files with this name, but an embedded file must stay.
        let form = form.part(
            "Content-Disposition: form-data; name=\"embeds\"; filename=\"Thumbs.db\"",
            b"thumbs",
        );
        fields.iter().fold(form, |form, (name, value)| {
            let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
            form.part(&disposition, value.as_bytes())
        })
    };
    let about = r#"{"données.xml":{"mimeType":"text/xml","relationship":"Data"}}"#;
    let fields = [("embedsMetadata", about), ("pdfa", "PDF/A-3b")];
    let answer = server.send(post("/forms/pdfengines/embed", form(&fields)));
    assert_eq!(answer.status, 200, "{answer:?}");
    let list = told(&answer.body, &["--list-attachments", "--verbose"]);
    assert!(list.contains("données.xml"), "{list}");
    assert!(list.contains("Thumbs.db"), "{list}");
    let shown = told(&answer.body, &["--show-attachment=données.xml"]);
    assert_eq!(shown, "<data/>");
    let json = told(&answer.body, &["--json"]);
    assert!(json.contains("\"/AFRelationship\": \"/Data\""), "{json}");
    assert!(
        json.contains("/text/xml") && json.contains("\"/AF\""),
        "{json}"
    );
    assert!(String::from_utf8_lossy(&answer.body).contains("<pdfaid:part>3"));
    let answer = server.send(post(
        "/forms/pdfengines/embed",
        form(&[("userPassword", "secret")]),
    ));
    let list = told(&answer.body, &["--password=secret", "--list-attachments"]);
    assert!(list.contains("données.xml"), "{list}");
    let answer = server.send(post(
        "/forms/pdfengines/merge",
        form(&[("pdfa", "PDF/A-2b")]),
    ));
    refused(&answer, 400, "does not support embedded files");
    let wrong = r#"{"données.xml":{"relationship":"Friend"}}"#;
    let answer = server.send(post(
        "/forms/pdfengines/embed",
        form(&[("embedsMetadata", wrong)]),
    ));
    refused(&answer, 400, "Friend");
}

#[test]
fn keys_are_accepted_as_basic_credentials() {
    let server = Server::with("--compat gotenberg,tika")
        .env("CONVERTD_API_KEYS", "secret")
        .start();
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(server.get("/version").status, 401);
    // The credentials are `any:secret` in base64.
    let request = Request::get("/version").field("Authorization", "Basic YW55OnNlY3JldA==");
    assert_eq!(server.send(request).status, 200);
}

/// The rules for methods are those of the API: `OPTIONS` names them, and so does an answer 405.
#[test]
fn paths_name_their_methods() {
    let server =
        Server::with("--compat gotenberg,tika,docling --cors-origin https://a.example").start();
    for (path, allowed) in [
        ("/forms/pdfengines/merge", "POST, OPTIONS"),
        ("/version", "GET, HEAD, OPTIONS"),
        ("/tika", "GET, HEAD, POST, PUT, OPTIONS"),
        ("/rmeta/text", "POST, PUT, OPTIONS"),
        ("/rmeta/form", "POST, OPTIONS"),
        ("/v1/convert/file", "POST, OPTIONS"),
    ] {
        let origin = |method| Request::new(method, path).field("Origin", "https://a.example");
        let answer = server.send(origin("OPTIONS"));
        assert_eq!(answer.status, 204, "{path}");
        assert_eq!(answer.field("allow"), Some(allowed), "{path}");
        let shared = answer.field("access-control-allow-origin");
        assert_eq!(shared, Some("https://a.example"), "{path}");
        let answer = server.send(origin("DELETE"));
        assert_eq!(answer.status, 405, "{path}");
        assert_eq!(answer.field("allow"), Some(allowed), "{path}");
    }
    for path in ["/forms/other", "/tika/other/path", "/v1/other"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn the_clients_of_paperless_get_the_expected_results() {
    if !tools::has("python3") {
        return;
    }
    let server = both();
    let work = TempDir::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let files = [
        "documents/letter.docx",
        "documents/letter-office.odt",
        "documents/letter-office.doc",
        "documents/letter-office.rtf",
        "spreadsheets/book.xlsx",
        "spreadsheets/book.ods",
        "spreadsheets/book.xls",
        "presentations/talk.ppt",
    ];
    let request = Request::new("PUT", "/api/v1/convert?to=pptx&name=deck.md");
    let slides = server.send(request.body(b"# Sales\n\n- more of them\n".to_vec()));
    let deck = work.path().join("deck.pptx");
    std::fs::write(&deck, &*slides.body).unwrap();
    let output = Command::new("python3")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/service/clients.py"
        ))
        .arg(format!("http://{}", server.address()))
        .arg(work.path())
        .args(files.map(|name| format!("{data}/{name}")))
        .arg(&deck)
        .output()
        .unwrap();
    if output.status.code() == Some(3) {
        return tools::lacking("gotenberg-client 1.0.0 and tika-client 1.0.0 from PyPI");
    }
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        stdout
            .lines()
            .filter(|line| line.starts_with("ok "))
            .count(),
        files.len() + 2,
        "{stdout}"
    );
}

#[test]
fn an_ordinary_pdf_becomes_pdf_a_if_possible() {
    let server = both();
    let pdf = server.send(office(with(Form::new(), "1.txt", b"one"))).body;
    let claims = |pdf: &[u8]| pdf.windows(11).any(|window| window == b"pdfaid:part");
    assert!(!claims(&pdf));
    let to = |pdf: &[u8]| {
        let form = with(Form::new(), "a.pdf", pdf).field("pdfa", "PDF/A-2b");
        server.send(post("/forms/pdfengines/convert", form))
    };
    let answer = to(&pdf);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(claims(&answer.body) && pages_of(&server, &answer.body)[0].contains("one"));
    // The PDF uses a font that is not embedded, so it cannot become PDF/A.
    let bare = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj 4 0 obj<</Length 26>>stream\nBT /F 9 Tf 9 9 Td (a)Tj ET\nendstream endobj 5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj trailer<</Root 1 0 R>>";
    assert_eq!(to(bare).status, 400);
}

/// The texts of a PDF's pages.
fn pages_of(server: &Server, pdf: &[u8]) -> Vec<String> {
    let request = Request::new("PUT", "/api/v1/convert?to=txt&name=a.pdf");
    let answer = server.send(request.body(pdf.to_vec()));
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = String::from_utf8_lossy(&answer.body);
    text.split('\u{c}').map(str::to_owned).collect()
}

#[test]
fn pdfs_are_stamped_and_made_smaller() {
    let server = both();
    let form = with(with(Form::new(), "1.txt", b"one"), "2.txt", b"two");
    let pdf = server.send(office(form.field("merge", "true"))).body;
    assert_eq!(pages_of(&server, &pdf).len(), 2);
    let stamp = |pages: &str| {
        let form = Form::new()
            .field("stampSource", "text")
            .field("stampExpression", "DRAFT")
            .field("stampPages", pages);
        server.send(post("/forms/pdfengines/stamp", with(form, "a.pdf", &pdf)))
    };
    let has = |pages: &str| -> Vec<bool> {
        let answer = stamp(pages);
        assert_eq!(answer.status, 200, "{answer:?}");
        let pages = pages_of(&server, &answer.body);
        pages.iter().map(|page| page.contains("DRAFT")).collect()
    };
    assert_eq!(has(""), [true, true]);
    assert_eq!(has("2"), [false, true]);
    let form = || with(Form::new(), "a.pdf", &pdf);
    let to = |path: &str, form: Form| server.send(post(path, form));
    refused(
        &to("/forms/pdfengines/stamp", form()),
        400,
        "form field 'stampSource' is required",
    );
    let marked = form()
        .field("watermarkSource", "text")
        .field("watermarkExpression", "BELOW")
        .field("watermarkPages", "1");
    let answer = to("/forms/pdfengines/watermark", marked);
    assert_eq!(answer.status, 200, "{answer:?}");
    let marks = pages_of(&server, &answer.body);
    let marks: Vec<bool> = marks.iter().map(|page| page.contains("BELOW")).collect();
    assert_eq!(marks, [true, false]);
    refused(
        &to(
            "/forms/pdfengines/split",
            form().field("splitMode", "pages").field("splitSpan", "foo"),
        ),
        400,
        "The requested split mode is not supported",
    );
    let looks = form()
        .field("stampSource", "text")
        .field("stampExpression", "A")
        .field("stampOptions", "{}");
    refused(&to("/forms/pdfengines/stamp", looks), 400, "stampOptions");
    let answer = to("/forms/pdfengines/optimize", form());
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(pages_of(&server, &answer.body).len(), 2);
    refused(
        &to(
            "/forms/pdfengines/optimize",
            form().field("imageQuality", "200"),
        ),
        400,
        "value is superior to 100",
    );
}

#[test]
fn the_stages_of_gotenberg_9_are_run() {
    let server = both();
    let form = with(with(Form::new(), "1.txt", b"one"), "2.txt", b"two");
    let stages = r#"[{"op":"merge"},{"op":"rotate","angle":-90,"pages":"1"},{"op":"set-metadata","title":"Nine"}]"#;
    let answer = server.send(office(form.field("stages", stages)));
    assert_eq!(answer.status, 200, "{answer:?}");
    let pdf = answer.body;
    assert_eq!(pages_of(&server, &pdf).len(), 2);
    let form = || with(Form::new(), "a.pdf", &pdf);
    let to = |path: &str, form: Form| server.send(post(path, form));
    let about = to("/forms/pdf/metadata", form()).json();
    assert_eq!(about["a.pdf"]["title"], "Nine", "{about}");
    let stages = r#"[{"op":"select","pages":"2"},{"op":"optimize"}]"#;
    let answer = to("/forms/pdf/pipe", form().field("stages", stages));
    let pages = pages_of(&server, &answer.body);
    assert!(pages.len() == 1 && pages[0].contains("two"), "{pages:?}");
    let answer = to("/forms/pdf/split", form().field("ranges", r#"["1","2"]"#));
    assert_eq!(answer.field("content-type"), Some("application/zip"));
    let text = String::from_utf8_lossy(&answer.body);
    assert!(text.contains("a_0.pdf") && text.contains("a_1.pdf"));
    assert_eq!(
        to("/forms/pdf/encrypt", form().field("userPassword", "x")).status,
        200
    );
    refused(&to("/forms/pdf/rotate", form()), 400, "'angle' is required");
    refused(
        &to(
            "/forms/pdf/pipe",
            form().field("stages", r#"[{"op":"sign"}]"#),
        ),
        400,
        "the stage 'sign' is not supported",
    );
    refused(&to("/forms/pdf/pipe", form()), 400, "'stages' is required");
    refused(&to("/forms/pdf/sign", form()), 404, "Not Found");
}

#[test]
fn a_document_may_become_a_single_page_in_its_style_for_screens() {
    let server = both();
    let page = b"<style>@media screen { p::after { content: 'SCREEN' } }</style>\
        <p>one<p style='break-before: page'>two<p style='margin-top: 60cm'>three";
    let form = with(Form::new(), "index.html", page)
        .field("singlePage", "true")
        .field("emulatedMediaType", "screen");
    let answer = server.send(post("/forms/chromium/convert/html", form));
    let pages = pages_of(&server, &answer.body);
    assert!(pages.len() == 1, "{pages:?}");
    assert!(
        pages[0].contains("three") && pages[0].contains("SCREEN"),
        "{pages:?}"
    );
    let page = b"<link rel=stylesheet href='http://127.0.0.1:1/a.css'><p>x";
    let form = with(Form::new(), "index.html", page).field("failOnResourceLoadingFailed", "true");
    refused(
        &server.send(post("/forms/chromium/convert/html", form)),
        409,
        "Chromium failed to load resources",
    );
}

/// A PDF of one page with these words, which names no font file.
fn page(words: &str) -> Vec<u8> {
    let content = format!("BT /F 12 Tf 20 100 Td ({words}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 1/Kids[3 0 R]>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_owned(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = String::from("xref\n0 6\n0000000000 65535 f \n");
    for (nth, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", nth + 1).bytes());
    }
    let at = file.len();
    file.extend(format!("{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n").bytes());
    file
}

#[test]
fn no_file_of_a_merge_is_lost() {
    let server = both();
    let merge = |form: Form| server.send(post("/forms/pdfengines/merge", form));
    let good = || with(Form::new(), "1.pdf", &page("one"));
    // A bad file is put before, between and after good ones, by its name.
    let locked = data("pdf/locked.pdf.bin");
    for (name, file) in [
        ("0.pdf", &b"%PDF-1.4 broken"[..]),
        ("2.pdf", &locked),
        ("10.pdf", b""),
        ("a.pdf", b"no pdf at all"),
    ] {
        let form = with(with(good(), name, file), "3.pdf", &page("three"));
        let answer = merge(form);
        refused(&answer, 400, &format!("could not be merged: {name}: "));
    }
    // A file with another extension is not ignored.
    let answer = merge(with(good(), "notes.txt", b"words"));
    refused(&answer, 400, "form file 'notes.txt' cannot be merged");
    let stages = Form::new().field("stages", r#"[{"op":"merge"}]"#);
    let form = with(with(stages, "1.pdf", &page("one")), "2.txt", b"words");
    refused(&server.send(post("/forms/pdf/pipe", form)), 400, "'2.txt'");
    // Two files with the same name are both merged.
    let answer = merge(with(good(), "1.pdf", &page("another")));
    assert_eq!(answer.status, 200, "{answer:?}");
    let pages = pages_of(&server, &answer.body);
    assert!(pages.len() == 2 && pages[0].contains("one") && pages[1].contains("another"));
}

#[test]
fn every_format_that_becomes_a_pdf_is_merged() {
    let server = both();
    let form = || Form::new().field("merge", "true");
    let sent = with(with(form(), "1.md", b"# One"), "2.txt", b"two");
    let answer = server.send(office(with(sent, "3.pdf", &page("three"))));
    assert_eq!(answer.status, 200, "{answer:?}");
    let pages = pages_of(&server, &answer.body);
    for (page, words) in pages.iter().zip(["One", "two", "three"]) {
        assert!(page.contains(words), "{page}");
    }
    assert_eq!(pages.len(), 3);
    let sent = with(with(form(), "1.txt", b"one"), "2.xyz", b"two");
    refused(
        &server.send(office(sent)),
        400,
        "form file '2.xyz' cannot be merged",
    );
    let sent = with(with(form(), "1.txt", b"one"), "2.docx", b"no docx");
    refused(&server.send(office(sent)), 400, "the document '2.docx'");
    // Without a merge, files that LibreOffice does not read are ignored if there are others, as in Gotenberg.
    let sent = with(with(Form::new(), "1.txt", b"one"), "2.md", b"two");
    let answer = server.send(office(sent));
    assert_eq!(answer.field("content-type"), Some("application/pdf"));
}

#[test]
fn a_thousand_small_pdfs_fit_into_128_mebibytes() {
    let server = Server::with("--compat gotenberg --memory 128M").start();
    let mut form = Form::new();
    for nth in 1..=1000 {
        form = with(form, &format!("{nth}.pdf"), &page(&format!("page {nth}")));
    }
    let answer = server.send(post("/forms/pdfengines/merge", form));
    let text = String::from_utf8_lossy(&answer.body[..answer.body.len().min(300)]);
    assert_eq!(answer.status, 200, "{text}");
    let about = server.send(post(
        "/forms/pdf/metadata",
        with(Form::new(), "a.pdf", &answer.body),
    ));
    assert_eq!(about.status, 200);
    assert_eq!(pages_of(&server, &answer.body).len(), 1000);
}

#[test]
fn a_request_of_many_steps_takes_one_place_and_few_descriptors() {
    // While a conversion is running, only one other conversion may wait.
    let server = Server::with("--compat gotenberg --converters 1 --queue 1 --max-links 3").start();
    let form = with(Form::new(), "1.pdf", &page("one"));
    let ranges = vec!["\"1\""; 300].join(",");
    let split = |ranges: &str| {
        let stages =
            format!("[{{\"op\":\"split\",\"ranges\":[{ranges}]}},{{\"op\":\"optimize\"}}]");
        with(Form::new(), "1.pdf", &page("one")).field("stages", &stages)
    };
    let answer = server.send(post("/forms/pdf/pipe", split(&ranges)));
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = String::from_utf8_lossy(&answer.body);
    assert!(text.contains("1_0.pdf") && text.contains("1_299.pdf"));
    // A request that is too large is refused before any work is done.
    let ranges = vec!["\"1\""; 20_000].join(",");
    refused(
        &server.send(post("/forms/pdf/pipe", split(&ranges))),
        400,
        "the request needs 40000 conversions; the limit for one request is 2500",
    );
    let answer = server.send(post("/forms/pdfengines/flatten", form));
    assert_eq!(answer.status, 200);
}

#[test]
fn only_metadata_count_as_a_pdf_a_claim() {
    let server = both();
    let words = page("pdfaid:part pdfuaid:part <pdfaid:part>2</pdfaid:part>");
    let convert = |file: &[u8], name: &str, value: &str| {
        let form = with(Form::new(), "a.pdf", file).field(name, value);
        server.send(post("/forms/pdfengines/convert", form))
    };
    // The PDF uses a font that is not embedded, so it cannot become PDF/A or PDF/UA.
    assert_eq!(convert(&words, "pdfa", "PDF/A-2b").status, 400);
    assert_eq!(convert(&words, "pdfua", "true").status, 400);
    let made = |part: &str, name: &str| {
        let form = with(Form::new(), name, b"words").field("pdfa", part);
        let answer = server.send(office(form));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    };
    let part = |file: &[u8]| {
        let request = Request::new("PUT", "/meta").field("Accept", "application/json");
        let about = server.send(request.body(file.to_vec())).json();
        about["pdfaid:part"].as_str().map(str::to_owned)
    };
    let (two, three) = (made("PDF/A-2b", "2.txt"), made("PDF/A-3b", "3.txt"));
    assert_eq!(part(&two).as_deref(), Some("2"));
    assert_eq!(part(&three).as_deref(), Some("3"));
    assert_eq!(part(&words), None);
    // A PDF/A file can become another part of PDF/A.
    let answer = convert(&two, "pdfa", "PDF/A-3b");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(part(&answer.body).as_deref(), Some("3"));
    let merged = |files: [&[u8]; 2], pdfa: Option<&str>| {
        let form = pdfa.map_or(Form::new(), |pdfa| Form::new().field("pdfa", pdfa));
        let form = with(with(form, "1.pdf", files[0]), "2.pdf", files[1]);
        server.send(post("/forms/pdfengines/merge", form))
    };
    assert_eq!(part(&merged([&two, &two], None).body).as_deref(), Some("2"));
    assert_eq!(part(&merged([&two, &three], None).body), None);
    assert_eq!(part(&merged([&two, &words], None).body), None);
    let answer = merged([&two, &three], Some("PDF/A-2b"));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(part(&answer.body).as_deref(), Some("2"));
    assert_eq!(merged([&two, &words], Some("PDF/A-2b")).status, 400);
    // An encrypted file cannot conform to PDF/A.
    let form = with(Form::new(), "a.pdf", &two).field("ownerPassword", "secret");
    let answer = server.send(post("/forms/pdfengines/encrypt", form));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(part(&answer.body), None);
}

#[test]
fn all_members_of_a_body_are_unpacked() {
    let server = both();
    let member = |text: &[u8]| {
        let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
        // The member has one stored block (RFC 1951, 3.2.4).
        let len = text.len() as u16;
        bytes.extend(len.to_le_bytes());
        bytes.extend((!len).to_le_bytes());
        bytes.extend(text);
        bytes.extend(crc32fast::hash(text).to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes
    };
    let put = |body: Vec<u8>| {
        let request = Request::new("PUT", "/tika").field("Accept", "text/plain");
        server.send(request.field("Content-Encoding", "gzip").body(body))
    };
    let both = [member(b"one, "), member(b"two")].concat();
    assert_eq!(put(both.clone()).body.trim_ascii(), b"one, two");
    assert_eq!(put([&both[..], b"garbage"].concat()).status, 400);
    assert_eq!(put(both[..both.len() - 1].to_vec()).status, 400);
}
