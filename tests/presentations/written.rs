//! Presentations made of documents: the division into slides, and whether other programs read them.

use crate::{
    harness::{convert_with, text_of},
    tools,
    zips::entries,
};
use std::{io::Write, process::Command};

const TALK: &str = "---\ntitle: A talk\nauthor: Ann\n---\n\n# Part one\n\n## First\n\n- one\n  - two\n- [three](#second)\n\n\
    <div class=\"notes\">\n\nSpeak **up**.\n\n</div>\n\n## Second\n\n1. a\n2. b\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\n\
    ```\ncode  here\n```\n\n::: notes\n\nSlowly.\n\n:::\n";

/// Checks the slides of a document: it is converted to a presentation, which is then converted to Markdown.
#[track_caller]
fn check(page: &str, expected: &str) {
    for to in ["pptx", "odp"] {
        let (file, _) = convert_with("a.md", page.as_bytes(), to, &[]).unwrap();
        let text = text_of(&format!("a.{to}"), &file, "md").unwrap();
        // If the presentation has a title, the Markdown begins with a head that contains it.
        let body = text
            .split_once("\n---\n\n")
            .map_or(&*text, |(_, body)| body);
        assert_eq!(body, expected, "{to}");
    }
}

#[test]
fn each_heading_that_carries_text_is_a_slide() {
    check(
        "# A\n\ntext\n\n# B\n\n- c\n  - d\n",
        "# A\n\ntext\n\n# B\n\n- c\n  - d\n",
    );
    check(
        "# A\n\n## B\n\nb\n\n### C\n\nc\n",
        "# A\n\n# B\n\nb\n\n**C**\n\nc\n",
    );
    check("a\n\n---\n\nb\n", "# Slide 1\n\na\n\n# Slide 2\n\nb\n");
    // A footnote is shown once, however often the slide refers to it.
    let (file, _) =
        convert_with("a.md", b"# A\n\nb[^1] c[^1]\n\n[^1]: words\n", "pptx", &[]).unwrap();
    let text = text_of("a.pptx", &file, "txt").unwrap();
    assert_eq!(text.matches("words").count(), 1, "{text}");
    check("1. a\n2. b\n", "# Slide 1\n\n1. a\n2. b\n");
}

#[test]
fn notes_are_those_of_the_speaker() {
    let expected = "# A\n\ntext\n\n> Speak up.\n";
    check("# A\n\ntext\n\n::: notes\nSpeak up.\n:::\n", expected);
    check(
        "# A\n\ntext\n\n::: {.notes}\n\nSpeak up.\n\n:::\n",
        expected,
    );
    check(
        "# A\n\ntext\n\n<div class=\"notes\">\n\nSpeak up.\n\n</div>\n",
        expected,
    );
}

#[test]
fn long_content_continues_on_further_slides() {
    let items: String = (0..30).map(|nth| format!("1. item {nth}\n")).collect();
    let (file, _) =
        convert_with("a.md", format!("# A\n\n{items}").as_bytes(), "pptx", &[]).unwrap();
    let text = text_of("a.pptx", &file, "md").unwrap();
    assert!(
        text.contains("# A (2)") && text.contains("30. item 29"),
        "{text}"
    );
    let rows: String = (0..60).map(|nth| format!("| {nth} | b |\n")).collect();
    let table = format!("# A\n\n| h | i |\n|---|---|\n{rows}");
    let (file, _) = convert_with("a.md", table.as_bytes(), "odp", &[]).unwrap();
    let text = text_of("a.odp", &file, "md").unwrap();
    assert_eq!(
        text.matches("# A").count(),
        text.matches("| h").count(),
        "{text}"
    );
    assert!(text.contains("| 59"), "{text}");
}

#[test]
fn every_part_has_a_type_and_is_there() {
    let (file, _) = convert_with("a.md", TALK.as_bytes(), "pptx", &[]).unwrap();
    let parts = entries(&file);
    let text = |name: &str| {
        let (_, bytes) = parts.iter().find(|(known, _)| known == name).unwrap();
        String::from_utf8(bytes.clone()).unwrap()
    };
    let types = text("[Content_Types].xml");
    for (name, _) in parts.iter().filter(|(name, _)| name.ends_with(".xml")) {
        let known = types.contains(&format!("\"/{name}\"")) || name == "[Content_Types].xml";
        assert!(known, "{name}");
    }
    for (name, rels) in parts.iter().filter(|(name, _)| name.ends_with(".rels")) {
        let rels = String::from_utf8(rels.clone()).unwrap();
        let targets = rels
            .split("Target=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap());
        for target in targets {
            let file = target.rsplit('/').next().unwrap();
            assert!(
                parts.iter().any(|(part, _)| part.ends_with(file)),
                "{name}: {target}"
            );
        }
    }
}

#[test]
fn slides_of_one_format_become_those_of_another() {
    let (file, _) = convert_with("a.md", TALK.as_bytes(), "pptx", &[]).unwrap();
    let (file, notes) = convert_with("a.pptx", &file, "odp", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    let text = text_of("a.odp", &file, "md").unwrap();
    assert!(
        text.contains("# Second") && text.contains("> Slowly."),
        "{text}"
    );
}

#[test]
fn python_pptx_reads_written_decks() {
    const SCRIPT: &str = "import sys, pptx\n\
        for slide in pptx.Presentation(sys.argv[1]).slides:\n\
        \x20   title = slide.shapes.title\n\
        \x20   notes = slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ''\n\
        \x20   tables = sum(shape.has_table for shape in slide.shapes)\n\
        \x20   print(slide.slide_layout.name, '|', title.text if title else '', '|', notes, '|', tables)\n";
    if !tools::has("python3") || !tools::has_module("pptx") {
        return;
    }
    let (file, _) = convert_with("a.md", TALK.as_bytes(), "pptx", &[]).unwrap();
    let mut saved = tempfile();
    saved.1.write_all(&file).unwrap();
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(&saved.0)
        .output()
        .unwrap();
    std::fs::remove_file(&saved.0).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let found = String::from_utf8(output.stdout).unwrap();
    let expected = "Title Slide | A talk |  | 0\nSection Header | Part one |  | 0\n\
        Title and Content | First | Speak up. | 0\nTitle and Content | Second | Slowly. | 1\n";
    assert_eq!(found, expected, "{said}");
}

fn tempfile() -> (std::path::PathBuf, std::fs::File) {
    let path = std::env::temp_dir().join(format!("convertd-written-{}.pptx", std::process::id()));
    let file = std::fs::File::create(&path).unwrap();
    (path, file)
}
