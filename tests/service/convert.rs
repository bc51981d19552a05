//! Conversions: the form with its fields and limits, names, and every pair of formats.

use crate::{
    contract::{failure, success},
    harness::{Client, Form, Request, Server},
    samples::{self, converted, identify, ppm_size},
};

const CONVERT: &str = "/api/v1/convert";

fn picture() -> Vec<u8> {
    samples::ppm(12, 8)
}

#[test]
fn fields_come_in_any_order() {
    let server = Server::start();
    let (target, quality) = (
        |form: Form| form.field("target_format", "png"),
        |form: Form| form.field("quality", "low"),
    );
    let file = |form: Form| form.file("p.ppm", &picture());
    let other = |form: Form| form.field("comment", "none").field("", "nameless");
    let forms = [
        file(target(quality(Form::new()))),
        target(quality(file(Form::new()))),
        quality(file(target(Form::new()))),
        other(target(other(file(other(Form::new()))))),
        other(file(other(target(other(quality(other(Form::new()))))))),
    ];
    for form in forms {
        let data = success(&server.submit(form), 200);
        assert_eq!(data["target_format"], "png");
        assert_eq!(data["original_filename"], "p.ppm");
    }
}

#[test]
fn chunked_uploads_are_read_whatever_the_chunks_are() {
    let server = Server::start();
    for size in [1, 7, 100, 100_000] {
        let request = Request::form(Form::of(&picture(), "p.ppm", "png")).chunked(size);
        success(&server.send(request), 200);
    }
}

#[test]
fn a_form_may_arrive_byte_by_byte() {
    let server = Server::start();
    let mut connection = server.connect();
    for byte in Request::form(Form::of(&samples::ppm(2, 2), "p.ppm", "png")).bytes() {
        connection.write([byte]);
    }
    success(&connection.read(), 200);
}

#[test]
fn the_body_is_asked_for_once_the_head_is_accepted() {
    let server = Server::with("--max-upload 1000").start();
    let form = Form::of(&picture(), "p.ppm", "png");
    let request = Request::form(form).field("Expect", "100-continue");

    let mut connection = server.connect();
    connection.write(request.head_bytes());
    assert_eq!(connection.read().status, 100);
    connection.write(request.body_bytes());
    success(&connection.read(), 200);
    // The next request uses the same connection, and sends its body without waiting for status 100.
    success(&connection.send(request.clone().chunked(50)), 200);

    #[track_caller]
    fn refused(server: &Server, request: Request, status: u16) {
        let mut connection = server.connect();
        connection.write(request.head_bytes());
        failure(&connection.read(), status);
        assert!(connection.is_closed());
    }
    let large = Request::form(Form::of(&vec![0; 2 << 20], "p.ppm", "png"));
    refused(&server, large.clone().field("Expect", "100-continue"), 413);
    refused(&server, large, 413);
    let no_form = Request::new("POST", CONVERT).body(vec![0; 99]);
    refused(&server, no_form.field("Expect", "100-continue"), 400);
    let elsewhere = Request::new("POST", "/elsewhere").body(vec![0; 99]);
    refused(&server, elsewhere.field("Expect", "100-continue"), 404);
    let miracle = Request::form(Form::of(&picture(), "p.ppm", "png")).field("Expect", "a-miracle");
    refused(&server, miracle, 417);
}

#[test]
fn targets_may_be_spelled_differently_and_are_echoed() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, asked: &str, echoed: &str, content: &str) {
        let answer = server.convert(&picture(), "photo.ppm", asked);
        let data = success(&answer, 200);
        assert_eq!(data["target_format"], echoed);
        let download = server.get(&answer.data("download_url"));
        assert_eq!(identify(&download.body), content);
        assert_eq!(
            download.field("content-disposition"),
            Some(format!("attachment; filename=\"photo.{echoed}\"").as_str())
        );
    }
    check(&server, "png", "png", "png");
    check(&server, "PNG", "png", "png");
    check(&server, ".PNG", "png", "png");
    check(&server, " png\r\n", "png", "png");
    check(&server, "jpg", "jpg", "jpg");
    check(&server, "jpeg", "jpeg", "jpg");
    check(&server, ".JPEG", "jpeg", "jpg");
    check(&server, "tif", "tif", "tiff");
    check(&server, "ppm", "ppm", "ppm");
}

#[test]
fn every_alias_is_accepted() {
    let server = Server::start();
    let formats = server.get("/api/v1/formats").json();
    for format in formats["data"]["formats"].as_array().unwrap() {
        let from = format["can_convert_from"].as_array().unwrap();
        if !from.iter().any(|from| from == "ppm") {
            continue;
        }
        for alias in format["aliases"].as_array().unwrap() {
            let alias = alias.as_str().unwrap();
            let data = success(&server.convert(&picture(), "p.ppm", alias), 200);
            assert_eq!(data["target_format"], alias);
        }
    }
}

#[test]
fn the_content_of_a_file_determines_its_format() {
    let server = Server::start();
    let png = converted(&server, &picture(), "p.ppm", "png");
    let jpg = converted(&server, &picture(), "p.ppm", "jpg");
    let tga = converted(&server, &picture(), "p.ppm", "tga");
    #[track_caller]
    fn check(server: &Server, file: &[u8], name: &str, format: &str) {
        let data = success(&server.convert(file, name, "bmp"), 200);
        assert_eq!(data["original_format"], format, "{name}");
    }
    check(&server, &png, "p.png", "png");
    check(&server, &png, "p.jpg", "png");
    check(&server, &png, "p.exe", "png");
    check(&server, &png, "p", "png");
    check(&server, &png, "", "png");
    check(&server, &jpg, "p.JPEG", "jpeg");
    check(&server, &jpg, "p.jpg", "jpg");
    check(&server, &jpg, "p.png", "jpg");
    check(&server, &tga, "p.tga", "tga");
}

#[test]
fn quality_changes_the_size_of_a_lossy_file() {
    let server = Server::start();
    let photo = samples::ppm(200, 200);
    let size = |target: &str, quality: Option<&str>| {
        let form = Form::of(&photo, "p.ppm", target);
        let form = quality.map_or(form.clone(), |quality| form.field("quality", quality));
        success(&server.submit(form), 200)["file_size"]
            .as_u64()
            .unwrap()
    };
    for target in ["jpg", "webp"] {
        let [low, medium, high] =
            ["low", "medium", "high"].map(|quality| size(target, Some(quality)));
        assert!(
            low < medium && medium < high,
            "{target}: {low} {medium} {high}"
        );
        assert_eq!(size(target, None), medium, "the default for {target}");
        assert_eq!(size(target, Some("60")), low, "the number for {target}");
    }
}

#[test]
fn a_format_can_be_converted_to_itself() {
    let server = Server::start();
    let jpg = converted(&server, &samples::ppm(200, 200), "p.ppm", "jpg");
    let form = Form::of(&jpg, "p.jpg", "jpg").field("quality", "low");
    let data = success(&server.submit(form), 200);
    assert!(data["file_size"].as_u64().unwrap() < jpg.len() as u64);
}

#[test]
fn errors_in_a_form_are_named() {
    let server = Server::start();
    let file = picture();
    #[track_caller]
    fn check(server: &Server, form: Form, words: &[&str]) {
        let error = failure(&server.submit(form), 400);
        for word in words {
            assert!(error.contains(word), "{word:?} is not in {error:?}");
        }
    }
    let new = Form::new;
    check(&server, new(), &["file"]);
    check(&server, new().field("target_format", "png"), &["file"]);
    check(&server, new().file("p.ppm", &file), &["target_format"]);
    check(&server, Form::of(b"", "p.ppm", "png"), &["file", "empty"]);
    check(
        &server,
        Form::of(&file, "p", "png").file("p", &file),
        &["file", "twice"],
    );
    check(
        &server,
        Form::of(&file, "p", "png").field("target_format", "png"),
        &["target_format", "twice"],
    );
    check(
        &server,
        Form::of(&file, "p", "png")
            .field("quality", "low")
            .field("quality", "low"),
        &["quality", "twice"],
    );
    for target in [
        "",
        " ",
        ".",
        "..png",
        "xyz",
        "image/png",
        "png\0",
        "p\u{202e}ng",
        "dds",
    ] {
        check(
            &server,
            Form::of(&file, "p", target),
            &["target_format", "webp"],
        );
    }
    check(&server, Form::of(&file, "p", "xyz"), &["\"xyz\""]);
    for quality in ["", "best", "HIGHEST", "0", "101", "low,high", "medium\0"] {
        check(
            &server,
            Form::of(&file, "p", "png").field("quality", quality),
            &["quality", "low", "medium", "high"],
        );
    }
    check(
        &server,
        Form::of(&file, "p", "png").field("quality", "best"),
        &["\"best\""],
    );
    check(
        &server,
        Form::of(&file, "p", "png").field("note", &"n".repeat(65_537)),
        &["note", "65536"],
    );
    let many = (0..31).fold(Form::of(&file, "p", "png"), |form, _| form.field("x", ""));
    check(&server, many, &["32"]);
    check(
        &server,
        Form::of(b"what is this", "p.png", "png"),
        &[".png", "/api/v1/formats"],
    );
    check(&server, Form::of(b"\x89PNG\r\n\x1a\n", "p.png", "png"), &[]);
    check(
        &server,
        new().part(
            "Content-Disposition: form-data; name=\"target_format\"",
            b"\xff\xfe",
        ),
        &["target_format"],
    );
    server.wait_until_empty();
}

#[test]
fn forms_up_to_the_part_limits_are_accepted() {
    let server = Server::start();
    let form = (0..30).fold(Form::of(&picture(), "p.ppm", "png"), |form, at| {
        form.field(&format!("unknown-{at}"), &"x".repeat(30_000))
    });
    success(&server.submit(form.clone()), 200);
    let long = Form::of(&picture(), "p.ppm", "png").field("note", &"n".repeat(65_536));
    success(&server.submit(long), 200);
}

#[test]
fn bodies_that_are_not_forms_are_refused() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, content_type: Option<&str>, body: &[u8]) {
        let mut request = Request::new("POST", CONVERT).body(body.to_vec());
        if let Some(content_type) = content_type {
            request = request.field("Content-Type", content_type);
        }
        failure(&server.send(request), 400);
    }
    let form = Form::of(&picture(), "p.ppm", "png").body();
    check(&server, None, &form);
    check(&server, Some("application/json"), b"{}");
    check(
        &server,
        Some("application/x-www-form-urlencoded"),
        b"target_format=png",
    );
    check(&server, Some("multipart/form-data"), &form);
    check(&server, Some("multipart/form-data; boundary="), &form);
    check(
        &server,
        Some("multipart/form-data; boundary=another"),
        &form,
    );
    check(
        &server,
        Some(&format!("multipart/form-data; boundary={}", "b".repeat(71))),
        &form,
    );
    check(
        &server,
        Some(&format!(
            "multipart/mixed; boundary={}",
            crate::harness::BOUNDARY
        )),
        &form,
    );
    check(&server, Some(&Form::content_type()), b"");
    check(&server, Some(&Form::content_type()), b"no form at all");
    check(&server, Some(&Form::content_type()), &vec![b'-'; 100_000]);
    check(&server, Some(&Form::content_type()), &vec![b'\r'; 100_000]);
    // A request without a body.
    let bare = Request::new("POST", CONVERT).field("Content-Type", &Form::content_type());
    failure(&server.send(bare), 400);
    server.wait_until_empty();
}

#[test]
fn odd_but_valid_forms_are_read() {
    let server = Server::start();
    let file = picture();
    let boundary = crate::harness::BOUNDARY;
    #[track_caller]
    fn check(server: &Server, content_type: &str, body: Vec<u8>) {
        let request = Request::new("POST", CONVERT)
            .field("Content-Type", content_type)
            .body(body);
        let data = success(&server.send(request), 200);
        assert_eq!(data["original_format"], "ppm");
    }
    let form = || Form::of(&file, "p.ppm", "png");
    check(
        &server,
        &format!("multipart/form-data; boundary=\"{boundary}\""),
        form().body(),
    );
    check(
        &server,
        &format!("Multipart/Form-Data;charset=utf-8;BOUNDARY={boundary}"),
        form().body(),
    );
    let mut preamble = b"To be ignored.\r\n".to_vec();
    preamble.extend(form().body());
    check(&server, &Form::content_type(), preamble);
    let mut epilogue = form().body();
    epilogue.extend(b"To be ignored, too.");
    check(&server, &Form::content_type(), epilogue);
    let unquoted = Form::new()
        .part("content-disposition: form-data; name=target_format", b"png")
        .part("CONTENT-DISPOSITION:form-data;name=file;filename=p.ppm\r\nContent-Type: image/x-portable-pixmap\r\nX-Other: 1", &file);
    check(&server, &Form::content_type(), unquoted.body());
    let international = Form::new()
        .field("target_format", "png")
        .part("Content-Disposition: form-data; name=\"file\"; filename=\"p.ppm\"; filename*=UTF-8''p%C3%BC.ppm", &file);
    check(&server, &Form::content_type(), international.body());
    let nameless = Form::new()
        .field("target_format", "png")
        .part("Content-Disposition: form-data; name=\"file\"", &file);
    check(&server, &Form::content_type(), nameless.body());
}

#[test]
fn the_limit_on_files_is_exact() {
    let file = picture();
    let server = Server::with(&format!("--max-upload {}", file.len())).start();
    let mut larger = file.clone();
    larger.push(0);
    for chunks in [None, Some(100)] {
        let request = |file: &[u8]| {
            let request =
                Request::form(Form::of(file, "p.ppm", "png").field("note", &"n".repeat(9000)));
            chunks.map_or(request.clone(), |size| request.chunked(size))
        };
        success(&server.send(request(&file)), 200);
        let error = failure(&server.send(request(&larger)), 413);
        assert!(error.contains(&file.len().to_string()), "{error}");
    }
    // If the file precedes a field, the field is not read after the file was refused.
    let form = Form::new()
        .file("p.ppm", &larger)
        .field("target_format", "png");
    failure(&server.submit(form), 413);
    wait_for_ready_only(&server, 2);
}

/// Waits until the data directory contains this many results and no other files.
#[track_caller]
fn wait_for_ready_only(server: &Server, results: usize) {
    crate::harness::wait_for("only results are left", || {
        let files = server.files();
        let whole = files
            .iter()
            .all(|file| file.ends_with(".result") && !file.starts_with("incoming/"));
        (whole && files.len() == results).then_some(())
    });
}

#[test]
fn a_length_that_cannot_fit_is_refused_unread() {
    let server = Server::with("--max-upload 1000").start();
    let head = |len: u64| {
        format!(
            "POST {CONVERT} HTTP/1.1\r\nHost: x\r\nContent-Type: {}\r\nContent-Length: {len}\r\n\r\n",
            Form::content_type()
        )
    };
    for len in [1000 + (1 << 20) + 1, 99_999_999_999_999, u64::MAX] {
        let mut connection = server.connect();
        connection.write(head(len));
        failure(&connection.read(), 413);
    }
    let mut beyond = server.connect();
    beyond.write(head(1).replace(
        "Content-Length: 1",
        "Content-Length: 99999999999999999999999",
    ));
    failure(&beyond.read(), 413);
}

/// The server does not read the remainder of a body of many megabytes.
#[test]
fn an_early_error_reaches_a_client_that_keeps_sending() {
    let server = Server::with("--max-upload 64M").start();
    let file = vec![0; 30 << 20];
    #[track_caller]
    fn check(server: &Server, request: Request, status: u16) {
        // Many clients write the whole request before they read.
        let mut connection = server.connect();
        connection.write(request.bytes());
        failure(&connection.read(), status);
    }
    check(&server, Request::form(Form::of(&file, "p", "nothing")), 400);
    check(
        &server,
        Request::form(Form::of(&file, "p", "nothing")).chunked(100_000),
        400,
    );
    check(
        &server,
        Request::new("POST", CONVERT).body(file.clone()),
        400,
    );
    check(
        &server,
        Request::new("POST", "/elsewhere").body(file.clone()),
        404,
    );
    check(
        &server,
        Request::form(Form::of(&vec![0; 70 << 20], "p", "png")),
        413,
    );
    server.wait_until_empty();
}

#[test]
fn an_error_in_a_field_after_the_file_is_reported() {
    let server = Server::start();
    let form = Form::new()
        .file("p.ppm", &picture())
        .field("target_format", "png")
        .field("quality", "best");
    assert!(failure(&server.submit(form), 400).contains("quality"));
    server.wait_until_empty();
}

#[test]
fn the_connection_stays_after_a_form_that_was_read_whole() {
    let server = Server::start();
    let mut connection = server.connect();
    for _ in 0..3 {
        success(
            &connection.send(Request::form(Form::of(&picture(), "p.ppm", "png"))),
            200,
        );
        let corrupt = Form::of(b"\x89PNG\r\n\x1a\nnot really", "p.png", "bmp");
        failure(&connection.send(Request::form(corrupt)), 400);
    }
}

#[test]
fn a_truncated_form_is_refused_and_leaves_nothing() {
    let server = Server::start();
    let body = Form::of(&samples::ppm(2, 2), "p.ppm", "png").body();
    let end = body.len() - 2;
    for cut in 0..end {
        // Either the connection ends before the announced length, or the length is right but the form in the body is
        // incomplete.
        let announced = [body.len(), cut];
        for len in announced {
            let mut connection = server.connect();
            connection.write(format!(
                "POST {CONVERT} HTTP/1.1\r\nHost: x\r\nContent-Type: {}\r\nContent-Length: {len}\r\n\r\n",
                Form::content_type()
            ));
            connection.write(&body[..cut]);
            connection.finish_sending();
            let answer = connection.read();
            assert_eq!(answer.status, 400, "cut at {cut} of {len}: {answer:?}");
        }
    }
    server.wait_until_empty();
}

#[test]
fn a_truncated_chunked_form_is_refused_and_leaves_nothing() {
    let server = Server::start();
    let request = Request::form(Form::of(&samples::ppm(2, 2), "p.ppm", "png")).chunked(64);
    let body = request.body_bytes();
    // The cuts do not reach the last chunk, which is empty. Without this chunk, the form is complete although the body
    // is not.
    for cut in 0..body.len() - 7 {
        let mut connection = server.connect();
        connection.write(request.head_bytes());
        connection.write(&body[..cut]);
        connection.finish_sending();
        let answer = connection.read();
        assert_eq!(answer.status, 400, "cut at {cut}: {answer:?}");
    }
    server.wait_until_empty();
}

#[test]
fn a_client_that_disconnects_in_mid_form_leaves_nothing() {
    let mut server = Server::start();
    success(&server.get("/api/v1/health"), 200);
    let before = server.process().descriptors();
    let bytes = Request::form(Form::of(&samples::ppm(100, 100), "p.ppm", "png")).bytes();
    for cut in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut connection = server.connect();
        connection.write(&bytes[..cut]);
    }
    crate::harness::wait_for("all descriptors are closed", || {
        (server.process().descriptors() <= before).then_some(())
    });
    server.wait_until_empty();
}

#[test]
fn names_are_sanitised() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, sent: &str, kept: &str) {
        let answer = server.convert(&picture(), sent, "png");
        assert_eq!(success(&answer, 200)["original_filename"], kept, "{sent:?}");
        let download = server.get(&answer.data("download_url"));
        assert_eq!(download.status, 200);
        let disposition = download.field("content-disposition").unwrap();
        assert!(
            disposition.starts_with("attachment; filename=\""),
            "{disposition}"
        );
        assert!(
            disposition
                .bytes()
                .all(|byte| (b' '..=b'~').contains(&byte)),
            "{disposition}"
        );
    }
    check(&server, "photo.ppm", "photo.ppm");
    check(&server, "../../etc/passwd", "passwd");
    check(&server, "/etc/passwd", "passwd");
    check(&server, "C:\\Users\\me\\p.ppm", "p.ppm");
    check(&server, "..", "upload");
    check(&server, ".", "upload");
    check(&server, "dir/", "upload");
    check(&server, "", "upload");
    check(&server, "a b, c=d.ppm", "a b, c=d.ppm");
    check(&server, "ünïcödé 写真 📷.ppm", "ünïcödé 写真 📷.ppm");
    check(&server, "\u{202e}gnp.exe", "gnp.exe");
    check(&server, "a\u{9b}\u{85}b", "ab");
    check(&server, "quo%22te.ppm", "quo\"te.ppm");
    check(&server, "100%.ppm", "100%.ppm");
    check(&server, "-rf *", "-rf *");
    check(&server, &"a".repeat(5000), &"a".repeat(255));
    check(
        &server,
        &format!("{}.ppm", "é".repeat(2500)),
        &format!("{}.ppm", "é".repeat(125)),
    );
    let all = server.files().join("\n");
    assert!(!all.contains("passwd") && !all.contains("photo"), "{all}");
}

#[test]
fn a_malformed_part_head_is_quoted() {
    let server = Server::start();
    let form = Form::of(&picture(), "p.ppm", "png");
    let check = |head: &str, word: &str| {
        let error = failure(&server.submit(form.clone().part(head, b"x")), 400);
        assert!(
            error.contains("malformed") && error.contains(word),
            "{error}"
        );
        assert!(!error.contains("deprecated"), "{error}");
    };
    check("Content-Disposition: attachment; name=\"x\"", "attachment");
    check("Content-Disposition: form-data", "no name");
    check("Content-Type: text/plain", "no Content-Disposition");
    check("", "no Content-Disposition");
    check("no colon", "no Content-Disposition");
}

#[test]
fn control_characters_are_left_out_of_names() {
    let server = Server::start();
    for name in [
        "a\0b.ppm",
        "a\u{1b}b.ppm",
        "a\u{7f}b.ppm",
        "a\rb.ppm",
        "a\nb.ppm",
        "a\tb.ppm",
    ] {
        let record = server.convert(&picture(), name, "png");
        assert_eq!(success(&record, 200)["original_filename"], "ab.ppm");
    }
}

#[test]
fn a_name_in_invalid_utf_8_does_no_harm() {
    let server = Server::start();
    let mut body = Form::of(&picture(), "p@.ppm", "png").body();
    let at = body.iter().position(|&byte| byte == b'@').unwrap();
    body[at] = 0xe9;
    let request = Request::new("POST", CONVERT)
        .field("Content-Type", &Form::content_type())
        .body(body);
    let answer = server.send(request);
    assert!(matches!(answer.status, 200 | 400), "{answer:?}");
}

/// Targets for text that is recognised in pictures.
const TEXT: [&str; 6] = ["md", "html", "docx", "txt", "hocr", "alto"];

#[test]
fn every_advertised_pair_works() {
    let server = Server::start();
    let mut connection = server.connect();
    let mut pairs = 0;
    for sample in samples::one_of_each(&server) {
        for to in &sample.targets {
            let pair = format!("{} to {to}", sample.format);
            let name = format!("a.{}", sample.format);
            let record = connection.send(Request::form(Form::of(&sample.file, &name, to)));
            success(&record, 200);
            let result = connection
                .send(Request::get(&record.data("download_url")))
                .body
                .0;
            if TEXT.contains(&to.as_str()) {
                // The pictures contain no text, so their results are not checked.
                continue;
            }
            assert_eq!(identify(&result), to, "{pair}");
            pairs += 1;
            if ["pdf", "cbz"].contains(&to.as_str()) {
                // A page has no size in pixels, and a comic is not one picture.
                continue;
            }
            let back = Form::of(&result, &format!("a.{to}"), sample.plain);
            let back = connection.send(Request::form(back));
            assert_eq!(back.status, 200, "{pair} and back: {back:?}");
            let back = connection
                .send(Request::get(&back.data("download_url")))
                .body;
            match sample.plain {
                "bmp" => assert_eq!((back[18], back[22]), (16, 16), "{pair}"),
                // The sound has 300 ms at any sampling rate, and codecs may add padding.
                _ => assert!(back.len() > 4800, "{pair}: {} B", back.len()),
            }
        }
    }
    assert!(pairs >= 18 * 17 + 8 * 8, "only {pairs} pairs");
    server.wait_until_empty();
}

#[test]
fn a_missing_pair_is_refused_with_the_existing_ones() {
    let server = Server::start();
    let error = failure(&server.convert(&samples::dds(), "p.dds", "dds"), 400);
    assert!(error.contains("dds") && error.contains("png"), "{error}");
}

#[test]
fn memory_does_not_grow_with_the_upload() {
    let mut server = Server::start();
    success(&server.convert(&picture(), "p.ppm", "png"), 200);
    let before = server.process().peak_allocated_kib();
    let form = Form::new()
        .file("p", &vec![b'x'; 60 << 20])
        .field("target_format", "nothing");
    failure(&server.submit(form), 400);
    let grown = server.process().peak_allocated_kib().saturating_sub(before);
    assert!(grown < 4 << 10, "{grown} KiB more for an upload of 60 MiB");
}

#[test]
fn many_clients_at_once_get_each_their_own() {
    let server = Server::start();
    std::thread::scope(|scope| {
        for client in 0..8 {
            let server = &server;
            scope.spawn(move || {
                let mut connection = Client::connect(server.address());
                for round in 0..5 {
                    let (width, height) = (3 + client, 5 + round);
                    let form = Form::of(&samples::ppm(width, height), "p.ppm", "ppm");
                    let answer = connection.send(Request::form(form));
                    let url = answer.data("download_url");
                    let file = connection.send(Request::get(&url));
                    assert_eq!(ppm_size(&file.body), (width, height));
                }
            });
        }
    });
    server.wait_until_empty();
}
