//! Documents over HTTP: a result has the requested format with its name and media type, and losses are in `notes`. The
//! tests of documents check the content of results.

#![cfg(feature = "document")]

use crate::{
    contract::{failure, success},
    harness::{Form, Server},
};
use std::{fs, path::Path};

fn data(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/documents");
    fs::read(root.join(name)).unwrap()
}

#[test]
fn results_have_their_names_and_media_types() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, file: &str, target: &str, media_type: &str, begins: &[u8]) {
        let (_, extension) = file.rsplit_once('.').unwrap();
        let name = format!("My letter.v2.{extension}");
        let answer = server.convert(&data(file), &name, target);
        let data = success(&answer, 200);
        assert_eq!(data["original_filename"], *name);
        assert_eq!(data["media_type"], media_type);
        let download = server.get(&answer.data("download_url"));
        assert_eq!(download.status, 200, "{download:?}");
        assert_eq!(download.field("content-type"), Some(media_type));
        let name = format!("attachment; filename=\"My letter.v2.{target}\"");
        assert_eq!(download.field("content-disposition"), Some(&*name));
        assert!(download.body.starts_with(begins), "{file} to {target}");
    }
    let office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let odt = "application/vnd.oasis.opendocument.text";
    let text = "text/plain; charset=utf-8";
    check(&server, "letter.docx", "pdf", "application/pdf", b"%PDF-");
    check(&server, "letter.docx", "odt", odt, b"PK\x03\x04");
    check(&server, "letter-office.odt", "docx", office, b"PK\x03\x04");
    let epub = "application/epub+zip";
    check(&server, "report-pandoc.docx", "epub", epub, b"PK\x03\x04");
    check(&server, "letter.docx", "rtf", "application/rtf", b"{\\rtf1");
    check(
        &server,
        "letter.docx",
        "html",
        "text/html",
        b"<!DOCTYPE html>",
    );
    check(&server, "letter.docx", "md", "text/markdown", b"---\n");
    check(&server, "letter.docx", "txt", text, b"Quarterly letter");
}

#[test]
fn options_and_qualities_are_fields_of_the_form() {
    let server = Server::start();
    let form = |target: &str| Form::of(&data("letter.docx"), "letter.docx", target);
    let converted = |form: Form| {
        let answer = server.submit(form);
        success(&answer, 200);
        server.get(&answer.data("download_url")).body.to_vec()
    };
    let untitled = converted(form("html"));
    let titled = converted(form("html").field("title", "Umbenannt & neu"));
    let holds = |page: &[u8], text: &str| String::from_utf8_lossy(page).contains(text);
    assert!(holds(&titled, "<title>Umbenannt &amp; neu</title>"));
    assert!(!holds(&untitled, "Umbenannt"));
    let paper = form("pdf")
        .field("page_size", "letter")
        .field("margin", "10");
    assert!(converted(paper).starts_with(b"%PDF-"));
    let low = converted(form("pdf").field("quality", "low"));
    assert!(low.starts_with(b"%PDF-"));

    #[track_caller]
    fn refused(server: &Server, form: Form, words: &str) {
        let error = failure(&server.submit(form), 400);
        assert!(error.contains(words), "{error}");
    }
    refused(&server, form("pdf").field("page_size", "a9"), "one of a3");
    refused(&server, form("pdf").field("margin", "2cm"), "margin");
    refused(&server, form("docx").field("quality", "best"), "quality");
    refused(&server, form("pdf").field("toc", "perhaps"), "toc");
}

#[test]
fn losses_have_notes() {
    let server = Server::start();
    let answer = server.convert(&data("letter.docx"), "letter.docx", "txt");
    let data = success(&answer, 200);
    let notes = data["notes"].as_array().expect("notes");
    assert!(
        notes
            .iter()
            .any(|note| note == "A picture was replaced by its alternative text."),
        "{notes:?}"
    );
    let nothing = server.convert(b"Only words.\n", "words.txt", "html");
    let data = success(&nothing, 200);
    let notes = data["notes"].as_array();
    assert!(notes.is_none_or(Vec::is_empty), "{notes:?}");
}

#[test]
fn invalid_documents_are_refused_with_a_reason() {
    let server = Server::start();
    #[track_caller]
    fn check(server: &Server, name: &str, bytes: &[u8], words: &str) {
        let error = failure(&server.convert(bytes, name, "pdf"), 400);
        assert!(error.contains(words), "{name}: {error}");
    }
    let letter = data("letter.docx");
    check(&server, "a.docx", &letter[..letter.len() / 2], "cut off");
    check(&server, "a.docx", &letter[..100], "cut off");
    check(&server, "a.xlsx", &letter[..letter.len() / 2], "cut off");
    check(&server, "a.pptx", &letter[..letter.len() / 2], "cut off");
}

#[test]
fn a_truncated_rtf_is_read_to_its_end() {
    let server = Server::start();
    let answer = server.convert(b"{\\rtf1 {no end", "a.rtf", "txt");
    let data = success(&answer, 200);
    let note = data["notes"][0].to_string();
    assert!(note.contains("cut off"), "{note}");
    let text = server.get(&answer.data("download_url"));
    assert_eq!(text.body.trim_ascii(), b"no end");
}

/// A conversion needs at least as much memory as the file is long, so a file can be refused before it is read.
#[test]
fn texts_beyond_the_memory_budget_are_refused_with_figures() {
    let server = Server::with("--memory 64M").start();
    let line = "The quick brown fox jumps over the lazy dog.\n\n";
    let text = line.repeat((40 << 20) / line.len());
    for name in ["large.txt", "large.html", "large.md"] {
        let error = failure(&server.convert(text.as_bytes(), name, "docx"), 400);
        assert!(error.contains("needs"), "{name}: {error}");
        assert!(error.contains("64 MiB"), "{name}: {error}");
    }
    // The service still works.
    success(&server.convert(b"Words.\n", "small.txt", "docx"), 200);
}

/// If all pages are requested, the download is an archive, or a single file for tiff. The record still names the
/// requested format.
#[cfg(feature = "pdf")]
#[test]
fn all_pages_of_a_pdf_come_as_an_archive() {
    let server = Server::start();
    let letter = server.convert(&data("letter.docx"), "letter.docx", "pdf");
    let pdf = server.get(&letter.data("download_url")).body.to_vec();
    #[track_caller]
    fn check(server: &Server, pdf: &[u8], target: &str, media_type: &str, name: &str) {
        let form = Form::of(pdf, "letter.pdf", target);
        let answer = server.submit(form.field("page", "all").field("dpi", "36"));
        let data = success(&answer, 200);
        assert_eq!(data["target_format"], *target);
        assert_eq!(data["media_type"], *media_type);
        let download = server.get(&answer.data("download_url"));
        assert_eq!(download.field("content-type"), Some(media_type));
        let expected = format!("attachment; filename=\"{name}\"");
        assert_eq!(download.field("content-disposition"), Some(&*expected));
    }
    check(&server, &pdf, "png", "application/zip", "letter.zip");
    check(&server, &pdf, "tiff", "image/tiff", "letter.tiff");
    let form = Form::of(&pdf, "letter.pdf", "png").field("page", "0");
    let error = failure(&server.submit(form), 400);
    assert!(error.contains("or all"), "{error}");
}
