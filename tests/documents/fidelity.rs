//! Fidelity of conversions: words and structure, compared with those that pandoc reads in the same file. Pandoc's view
//! is stored beside each fixture; pandoc itself is needed only for files that the tests write.

use crate::{
    harness::{convert, data, directory, documents, has_at, output_of, targets},
    markup::{View, difference, likeness, view},
};
use std::fs;

fn page_of(name: &str) -> View {
    let page = convert(name, &data(name), "html").unwrap();
    view(&String::from_utf8(page).unwrap())
}

fn pandocs_view_of(name: &str) -> View {
    let page = data(&format!("{name}.pandoc.html"));
    view(&String::from_utf8(page).unwrap())
}

/// Pandoc's view of a fixture, or of the Markdown that the fixture was made from, whichever is closer to `found`: in
/// some files, pandoc does not recognise the code and the definitions that it has written itself.
fn nearest_view_of(name: &str, found: &View) -> View {
    let own = pandocs_view_of(name);
    if !name.starts_with("report") {
        return own;
    }
    let source = pandocs_view_of("report.md");
    let near = |view: &View| likeness(&view.structure, &found.structure);
    match near(&own) < near(&source) {
        true => source,
        false => own,
    }
}

/// Compares words and structure, and returns how similar they are.
#[track_caller]
fn compare(what: &str, expected: &View, found: &View, least: (f64, f64)) -> (f64, f64) {
    let words = likeness(&expected.words, &found.words);
    let structure = likeness(&expected.structure, &found.structure);
    eprintln!("{what}: words {words:.4}, structure {structure:.4}");
    assert!(
        words >= least.0,
        "{what}: words {words:.4}: {}",
        difference(&expected.words, &found.words)
    );
    assert!(
        structure >= least.1,
        "{what}: structure {structure:.4}: {}",
        difference(&expected.structure, &found.structure)
    );
    (words, structure)
}

#[test]
fn readers_find_what_pandoc_finds() {
    // In Rich Text, pandoc reads neither titles, headings by style, nor merged cells; in FictionBook it reads no
    // tables. It cannot read Word documents from before 2007.
    let (rich, names): (Vec<_>, Vec<_>) = documents()
        .into_iter()
        .filter(|name| !name.ends_with(".doc"))
        .partition(|name| name.ends_with(".rtf") || name.ends_with(".fb2"));
    for name in &rich {
        let found = page_of(name);
        compare(name, &nearest_view_of(name, &found), &found, (0.9, 0.8));
    }
    let (mut words, mut structure) = (0.0, 0.0);
    for name in &names {
        let found = page_of(name);
        let expected = nearest_view_of(name, &found);
        let found = compare(name, &expected, &found, (0.9, 0.9));
        words += found.0 / names.len() as f64;
        structure += found.1 / names.len() as f64;
    }
    assert!(words >= 0.99, "words in the mean: {words:.4}");
    // In LibreOffice's files, structure that only the names of styles express is incomplete.
    assert!(structure >= 0.96, "structure in the mean: {structure:.4}");
}

/// Path of pandoc, or of the copy in the package that pip installs.
pub(crate) fn pandoc() -> Option<String> {
    let bundled = std::process::Command::new("python3")
        .args(["-c", "import pypandoc; print(pypandoc.get_pandoc_path())"])
        .output();
    let bundled = bundled.ok().filter(|output| output.status.success());
    let path = bundled.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let path = path.unwrap_or_else(|| "pandoc".to_owned());
    has_at(&path, "pandoc").then_some(path)
}

#[test]
fn pandoc_reads_what_is_written() {
    let Some(pandoc) = pandoc() else {
        return;
    };
    let at = directory("pandoc");
    let targets = targets();
    // Slides have another structure than their source. Pandoc reads neither PDF nor plain text.
    let unread = ["odp", "pdf", "pptx", "txt"];
    let targets = targets.iter().filter(|to| !unread.contains(to));
    for to in targets {
        // In OpenDocument, pandoc reads neither blocks of code, rules nor definitions, even in its own files.
        let (single, mean, least_words) = match *to {
            "odt" => (0.79, 0.86, 0.98),
            // In Rich Text, pandoc recognises neither titles, headings by style, nor merged cells, and counts titles as
            // words of the text.
            "rtf" => (0.65, 0.75, 0.9),
            _ => (0.85, 0.94, 0.99),
        };
        let (mut words, mut structure, mut count) = (0.0, 0.0, 0.0);
        for name in documents() {
            let file = at.join("written").with_extension(to);
            fs::write(&file, convert(&name, &data(&name), to).unwrap()).unwrap();
            let from = match *to {
                "md" => "gfm+footnotes+definition_lists+tex_math_dollars",
                other => other,
            };
            let arguments = ["-f", from, "-t", "html5", "--wrap=none", "--mathml"];
            let path = file.display().to_string();
            let page = output_of(&pandoc, &[&arguments[..], &[&path]].concat());
            let what = format!("{name} to {to}");
            let found = compare(&what, &page_of(&name), &view(&page), (0.88, single));
            words += found.0;
            structure += found.1;
            count += 1.0;
        }
        let (words, structure) = (words / count, structure / count);
        eprintln!("{to}: words {words:.4}, structure {structure:.4}");
        assert!(words >= least_words, "{to}: words in the mean: {words:.4}");
        assert!(
            structure >= mean,
            "{to}: structure in the mean: {structure:.4}"
        );
    }
    let _ = fs::remove_dir_all(at);
}
