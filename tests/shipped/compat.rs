//! The supported routes of Gotenberg and Tika, each once.

use crate::harness::{Form, Request, Server};

fn put(form: Form, name: &str, content: &[u8]) -> Form {
    form.part(
        &format!("Content-Disposition: form-data; name=\"files\"; filename=\"{name}\""),
        content,
    )
}

fn pdf(server: &Server) -> Vec<u8> {
    let request = Request::new("PUT", "/api/v1/convert?to=pdf&name=a.md");
    let answer = server.send(request.body(b"# Title\n\nwords\n".to_vec()));
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.0
}

#[test]
fn each_of_gotenbergs_forms_answers() {
    let server = Server::with("--compat gotenberg").start();
    let pdf = pdf(&server);
    let page = b"<p>words".as_slice();
    let check = |path: &str, files: &[(&str, &[u8])], fields: &[(&str, &str)]| {
        let form = files.iter().fold(Form::new(), |form, (name, content)| {
            put(form, name, content)
        });
        let form = fields
            .iter()
            .fold(form, |form, (name, value)| form.field(name, value));
        let request = Request::new("POST", &format!("/forms/{path}"))
            .field("Content-Type", &Form::content_type())
            .body(form.body());
        let answer = server.send(request);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(!answer.body.is_empty(), "{path}");
    };
    let (one, two) = (
        [("a.pdf", &pdf[..])],
        [("a.pdf", &pdf[..]), ("b.pdf", &pdf[..])],
    );
    check("libreoffice/convert", &[("a.txt", b"words")], &[]);
    check("chromium/convert/html", &[("index.html", page)], &[]);
    check(
        "chromium/convert/markdown",
        &[
            ("index.html", br#"<p>{{ toHTML "a.md" }}"#),
            ("a.md", b"words"),
        ],
        &[],
    );
    for (path, files, fields) in [
        ("merge", &two[..], &[][..]),
        (
            "split",
            &one[..],
            &[("splitMode", "intervals"), ("splitSpan", "1")][..],
        ),
        ("flatten", &one[..], &[]),
        ("rotate", &one[..], &[("rotateAngle", "90")]),
        ("encrypt", &one[..], &[("userPassword", "secret")]),
        ("convert", &one[..], &[("pdfa", "PDF/A-2b")]),
        (
            "watermark",
            &one[..],
            &[("watermarkSource", "text"), ("watermarkExpression", "x")],
        ),
        (
            "stamp",
            &one[..],
            &[("stampSource", "text"), ("stampExpression", "x")],
        ),
        ("optimize", &one[..], &[]),
        ("metadata/read", &one[..], &[]),
        (
            "metadata/write",
            &one[..],
            &[("metadata", r#"{"Title":"T"}"#)],
        ),
    ] {
        check(&format!("pdfengines/{path}"), files, fields);
    }
    for (path, files, fields) in [
        (
            "pipe",
            &one[..],
            &[("stages", r#"[{"op":"rotate","angle":90}]"#)][..],
        ),
        ("merge", &two[..], &[]),
        ("split", &one[..], &[("every", "1")]),
        ("select", &one[..], &[("pages", "1")]),
        ("rotate", &one[..], &[("angle", "90")]),
        ("encrypt", &one[..], &[("userPassword", "secret")]),
        ("optimize", &one[..], &[]),
        ("flatten-form", &one[..], &[]),
        (
            "set-metadata",
            &one[..],
            &[("metadata", r#"{"Title":"T"}"#)],
        ),
        ("metadata", &one[..], &[]),
    ] {
        check(&format!("pdf/{path}"), files, fields);
    }
    for path in ["/health", "/version"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
}

#[test]
fn each_of_tikas_paths_answers() {
    let server = Server::with("--compat tika").start();
    let document = b"<title>Title</title><p>Some words that are English.".as_slice();
    for path in [
        "tika",
        "tika/text",
        "tika/html",
        "tika/md",
        "tika/json",
        "tika/json/text",
        "rmeta",
        "rmeta/text",
        "meta",
        "meta/dc:title",
        "detect/stream",
        "language/stream",
    ] {
        let request = Request::new("PUT", &format!("/{path}"))
            .field("Content-Type", "text/html")
            .body(document.to_vec());
        let answer = server.send(request);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(!answer.body.is_empty(), "{path}");
    }
    for path in [
        "tika/form",
        "tika/form/text",
        "rmeta/form",
        "rmeta/form/text",
        "meta/form",
    ] {
        let request = Request::new("POST", &format!("/{path}"))
            .field("Content-Type", &Form::content_type())
            .body(put(Form::new(), "a.html", document).body());
        let answer = server.send(request);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    let mail = b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
        Content-Disposition: attachment; filename=a.txt\r\n\r\nwords\r\n--b--\r\n";
    for path in ["unpack", "unpack/all"] {
        let request = Request::new("PUT", &format!("/{path}")).body(mail.to_vec());
        let answer = server.send(request);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    for path in ["version", "mime-types", "parsers", "detectors", "tika"] {
        assert_eq!(server.get(&format!("/{path}")).status, 200, "{path}");
    }
}
