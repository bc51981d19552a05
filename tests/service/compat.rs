//! Answers in other services' words, as their clients ask for them: raw requests here, and the clients themselves where they are installed.

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

/// A file in a field of any name.
fn with(form: Form, name: &str, content: &[u8]) -> Form {
    form.part(
        &format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{name}\""),
        content,
    )
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
fn without_the_option_there_is_nothing() {
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
fn documents_become_pdf_under_the_name_that_is_wanted() {
    let server = both();
    let request = office(with(Form::new(), "a.md", b"# Title\n"))
        .field("Gotenberg-Output-Filename", "../wanted")
        .field("Gotenberg-Trace", "mine");
    // Markdown is none of LibreOffice's formats.
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
fn all_that_is_wrong_with_a_form_is_told_at_once() {
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
    let form = with(Form::new().field("nativeWatermarkText", "x"), "a.txt", b"a");
    refused(
        &server.send(office(form)),
        400,
        "'nativeWatermarkText' is not supported",
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
    let many = (0..1100).fold(Form::new(), |form, nth| {
        with(form, &format!("{nth}.txt"), b"a")
    });
    refused(&server.send(office(many)), 400, "more than 1000 parts");
    let form = with(Form::new(), "../../etc/a.txt", b"a");
    assert_eq!(server.send(office(form)).status, 200);
}

#[test]
fn pages_become_pdf_with_what_they_name() {
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
    // As a plain value, as some clients send it.
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
fn header_and_footer_files_stand_on_every_page() {
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
    // One of them alone.
    let answer = server.send(post("/forms/chromium/convert/html", form()));
    assert!(
        pages_of(&server, &answer.body)
            .iter()
            .all(|page| page.contains("Big"))
    );
}

#[test]
fn text_and_metadata_are_given_as_they_are_asked_for() {
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
    // Without a name and a type, as Open WebUI sends it.
    let answer = server.send(Request::new("PUT", "/tika/text").body(b"plain words".to_vec()));
    assert_eq!(
        answer.json()["X-TIKA:content"].as_str().map(str::trim),
        Some("plain words")
    );
    let answer = server.send(Request::new("PUT", "/detect/stream").body(samples::ppm(4, 3)));
    assert_eq!(&answer.body[..], b"image/x-portable-pixmap");
}

#[test]
fn what_cannot_be_read_is_told_by_the_status_alone() {
    let server = both();
    let put = |body: &[u8]| server.send(Request::new("PUT", "/tika/text").body(body.to_vec()));
    let answer = put(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!((answer.status, answer.body.len()), (415, 0));
    assert_eq!(put(b"{\\rtf1 {cut off").status, 422);
    let answer = server.send(
        Request::new("PUT", "/tika/text")
            .field("Content-Encoding", "gzip")
            .body(b"no gzip".to_vec()),
    );
    assert_eq!(answer.status, 422);
    assert_eq!(server.send(Request::new("DELETE", "/tika")).status, 405);
    assert_eq!(server.get("/tika/nothing").status, 404);
}

#[test]
fn keys_are_asked_for_as_those_clients_can_send_them() {
    let server = Server::with("--compat gotenberg,tika")
        .env("CONVERTD_API_KEYS", "secret")
        .start();
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(server.get("/version").status, 401);
    // any:secret
    let request = Request::get("/version").field("Authorization", "Basic YW55OnNlY3JldA==");
    assert_eq!(server.send(request).status, 200);
}

#[test]
fn the_clients_of_paperless_are_content() {
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
    ];
    let output = Command::new("python3")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/service/clients.py"
        ))
        .arg(format!("http://{}", server.address()))
        .arg(work.path())
        .args(files.map(|name| format!("{data}/{name}")))
        .output()
        .unwrap();
    if output.status.code() == Some(3) {
        return tools::lacking("gotenberg-client 1.0.0 and tika-client 1.0.0 from PyPI");
    }
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said.lines().filter(|line| line.starts_with("ok ")).count(),
        files.len() + 1,
        "{said}"
    );
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
