//! Every pair of formats, and the verdict of validators on the results. Only the words of results are compared.

use crate::{
    harness::{convert, data, directory, documents, epubcheck, has, output_of, targets},
    markup::{kept, likeness, view},
};
use std::{fs, path::Path, process::Command};

/// A document of every format that can be read, including text formats.
fn sources() -> Vec<(String, Vec<u8>)> {
    let mut sources: Vec<_> = documents()
        .into_iter()
        .map(|name| {
            let bytes = data(&name);
            (name, bytes)
        })
        .collect();
    let text = "A title\n\nA paragraph of\ntwo lines.\n\nAnother one.\n";
    sources.push(("notes.txt".into(), text.into()));
    sources
}

#[test]
fn every_pair_converts() {
    for (name, bytes) in sources() {
        for to in targets() {
            let result =
                convert(&name, &bytes, to).unwrap_or_else(|err| panic!("{name} to {to}: {err}"));
            assert!(result.len() > 40, "{name} to {to}");
            let again = convert(&name, &bytes, to).unwrap();
            assert!(result == again, "{name} to {to} is not the same twice");
        }
    }
}

#[test]
fn results_are_read_again() {
    for (name, bytes) in sources() {
        let expected = view(&text(convert(&name, &bytes, "html").unwrap()));
        for to in targets().into_iter().filter(|to| *to != "pdf") {
            let result = convert(&name, &bytes, to).unwrap();
            let back = convert(&format!("back.{to}"), &result, "html").unwrap();
            let found = view(&text(back));
            // Slides repeat titles where a text continues, and show notes on the slide with their mark.
            let words = match to {
                "pptx" | "odp" => kept(&expected.words, &found.words),
                _ => likeness(&expected.words, &found.words),
            };
            // Plain text has signs for lists and tables, and the URLs of links. In formats without pictures, a picture
            // becomes a link with its description as text.
            let least = if to == "txt" { 0.7 } else { 0.98 };
            assert!(words >= least, "{name} to {to} and back: {words}");
        }
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Writes every fixture as `to` into a directory of its own, and passes each file to `check`.
fn each(to: &str, check: &dyn Fn(&str, &Path)) {
    let at = directory(&format!("check-{to}"));
    for (name, bytes) in sources() {
        let file = at.join(&name).with_extension(to);
        fs::write(&file, convert(&name, &bytes, to).unwrap()).unwrap();
        check(&name, &file);
    }
    let _ = fs::remove_dir_all(at);
}

#[test]
fn books_pass_epubcheck() {
    let Some(archive) = epubcheck() else {
        return;
    };
    // One run for all files would stop at the first error.
    each("epub", &|name, file| {
        // A check takes some seconds, so only files with a text of their own are checked.
        if name.starts_with("report-pandoc") || name.starts_with("letter-office") {
            return;
        }
        // The run is so short that the optimising compiler would cost more time than it saves.
        let output = Command::new("java")
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar"])
            .arg(archive)
            .arg(file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let clean =
            output.status.success() && !said.contains("ERROR(") && !said.contains("WARNING(");
        assert!(clean, "{name}: {said}");
    });
}

#[test]
fn pdf_files_are_valid_and_contain_fonts_and_text() {
    if ["qpdf", "pdffonts", "pdftotext"]
        .iter()
        .any(|tool| !has(tool))
    {
        return;
    }
    each("pdf", &|name, file| {
        let path = file.display().to_string();
        output_of("qpdf", &["--check", &path]);
        let fonts = output_of("pdffonts", &[&path]);
        let mut lines = fonts.lines().skip(2).peekable();
        assert!(lines.peek().is_some(), "{name}: no font");
        for line in lines {
            // Columns from the right: object (two columns), uni, sub, emb.
            let columns: Vec<_> = line.split_whitespace().rev().collect();
            assert_eq!(&columns[2..5], ["yes", "yes", "yes"], "{name}: {line}");
        }
        let words: Vec<String> = output_of("pdftotext", &["-raw", &path, "-"])
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let page = convert(name, &fs::read(original(name, file)).unwrap(), "html").unwrap();
        let expected = view(&text(page)).words;
        let found = expected.iter().filter(|word| words.contains(word)).count();
        let recall = found as f64 / expected.len() as f64;
        assert!(recall >= 0.95, "{name}: {recall}");
    });
}

/// A copy of the source of a file.
fn original(name: &str, beside: &Path) -> std::path::PathBuf {
    let path = beside.with_file_name(name);
    let bytes = sources()
        .into_iter()
        .find(|(known, _)| known == name)
        .unwrap()
        .1;
    fs::write(&path, bytes).unwrap();
    path
}
