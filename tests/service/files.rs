//! Several files, folders, and resources beside a file, on the command line and over HTTP. Other programs examine the
//! results, if they are installed.

mod media;

use crate::{
    harness::{Answer, Form, Process, Server, TempDir, command, wait_for},
    samples::{self, identify},
    zips::Zip,
};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn run(dir: &Path, arguments: &str) -> Output {
    command()
        .args(arguments.split_whitespace())
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn works(dir: &Path, arguments: &str) -> String {
    let output = run(dir, arguments);
    assert!(
        output.status.success(),
        "{arguments}: {}",
        stderr_of(&output)
    );
    stderr_of(&output)
}

#[track_caller]
fn fails(dir: &Path, arguments: &str, code: i32, words: &[&str]) {
    let output = run(dir, arguments);
    let stderr = stderr_of(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {stderr}");
    for word in words {
        assert!(
            stderr.contains(word),
            "{arguments}: {word:?} is not in {stderr}"
        );
    }
}

/// Paths of all files below a directory.
fn names(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(names(&entry.path()).iter().map(|it| format!("{name}/{it}"))),
            false => found.push(name),
        }
    }
    found.sort();
    found
}

/// A directory with pictures and texts.
fn directory() -> TempDir {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("in/deep")).unwrap();
    for name in ["a.ppm", "b.ppm", "in/c.ppm", "in/deep/d.ppm"] {
        fs::write(at(name), samples::ppm(30, 20)).unwrap();
    }
    fs::write(at("in/list.csv"), "a,b\n1,2\n").unwrap();
    fs::write(at("in/.hidden.ppm"), samples::ppm(3, 2)).unwrap();
    fs::write(at("note.md"), "# Heading\n\nwords of a note\n").unwrap();
    dir
}

#[test]
fn several_files_become_one_pdf() {
    let dir = directory();
    let at = |name: &str| dir.path().join(name);
    works(dir.path(), "convert note.md a.ppm in/list.csv all.pdf");
    // Files are merged in the order of the command line, and not in the order of their names.
    works(dir.path(), "convert all.pdf all.txt");
    let text = fs::read_to_string(at("all.txt")).unwrap();
    assert!(text.contains("words of a note"), "{text}");
    works(dir.path(), "convert all.pdf page.png --option page=all");
    let pages = names(dir.path());
    let pages = pages
        .iter()
        .filter(|name| name.starts_with("page-"))
        .count();
    assert_eq!(pages, 3);
    if crate::tools::has("pdfinfo") {
        let output = Command::new("pdfinfo").arg(at("all.pdf")).output().unwrap();
        let about = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(about.contains("Pages:           3"), "{about}");
    }
    // Options for the result as a whole apply to the merged file.
    works(
        dir.path(),
        "convert all.pdf a.ppm -o locked.pdf --option encrypt=secret --option numbers=true",
    );
    fails(dir.path(), "convert locked.pdf x.txt", 1, &["password"]);
    works(
        dir.path(),
        "convert locked.pdf x.txt --option password=secret",
    );

    fails(
        dir.path(),
        "convert a.ppm b.ppm all.pdf",
        1,
        &["all.pdf exists", "--force"],
    );
    fails(
        dir.path(),
        "convert a.ppm all.pdf all.pdf -f",
        2,
        &["would replace itself"],
    );
    fails(
        dir.path(),
        "convert a.ppm b.ppm x.png",
        2,
        &["x.png is not a pdf", "--out-dir"],
    );
    fails(dir.path(), "convert a.ppm none.png x.pdf", 1, &["none.png"]);
    fs::write(at("noise.bin"), b"\x01\x02\x03\x04\x05").unwrap();
    fails(
        dir.path(),
        "convert a.ppm noise.bin x.pdf",
        1,
        &["noise.bin: ", "no supported format"],
    );
    assert!(!at("x.pdf").exists());
}

#[test]
fn pages_and_parts_become_numbered_files() {
    let dir = directory();
    let at = |name: &str| dir.path().join(name);
    works(dir.path(), "convert a.ppm b.ppm two.pdf");
    fs::create_dir(at("out")).unwrap();
    works(dir.path(), "convert two.pdf out/page.png --option page=all");
    works(dir.path(), "convert two.pdf out/part.pdf --option split=1");
    works(
        dir.path(),
        "convert two.pdf --to jpg --option page=all --out-dir out",
    );
    let expected = [
        "page-1.png",
        "page-2.png",
        "part-1.pdf",
        "part-2.pdf",
        "two-1.jpg",
        "two-2.jpg",
    ];
    assert_eq!(names(&at("out")), expected);
    for name in expected {
        let (_, extension) = name.rsplit_once('.').unwrap();
        assert_eq!(
            identify(&fs::read(at("out").join(name)).unwrap()),
            extension
        );
    }
    // An existing file is not replaced. A target with the extension of an archive becomes an archive.
    fs::write(at("out/new-2.png"), b"mine").unwrap();
    let args = "convert two.pdf out/new.png --option page=all";
    fails(dir.path(), args, 1, &["out/new-2.png exists", "--force"]);
    assert!(!at("out/new-1.png").exists());
    works(dir.path(), &format!("{args} --force"));
    assert_eq!(identify(&fs::read(at("out/new-2.png")).unwrap()), "png");
    works(
        dir.path(),
        "convert two.pdf out/all.zip --to png --option page=all",
    );
    assert!(
        fs::read(at("out/all.zip"))
            .unwrap()
            .starts_with(b"PK\x03\x04")
    );
    // Files with names of their own are not numbered, but stay in one archive.
    let archive = Zip::default()
        .stored("one.ppm", &samples::ppm(3, 2))
        .stored("two.ppm", &samples::ppm(3, 2));
    fs::write(at("many.zip"), archive.finish()).unwrap();
    works(dir.path(), "convert many.zip out/many.png");
    assert!(at("out/many.zip").exists() && !at("out/many.png").exists());
}

#[test]
fn results_are_written_beside_their_files_or_into_a_folder() {
    let dir = directory();
    let at = |name: &str| dir.path().join(name);
    let stderr = works(dir.path(), "convert --to png a.ppm");
    assert_eq!(stderr, "");
    works(dir.path(), "convert -t gif a.ppm b.ppm");
    works(dir.path(), "convert a.ppm in/c.ppm made/ --to png");
    works(dir.path(), "convert a.ppm -o made --to bmp -q");
    for name in [
        "a.png",
        "a.gif",
        "b.gif",
        "made/a.png",
        "made/c.png",
        "made/a.bmp",
    ] {
        assert!(at(name).exists(), "{name}");
    }
    fails(dir.path(), "convert --to png a.ppm", 1, &["a.png exists"]);
    fails(dir.path(), "convert a.ppm made", 2, &["--to FORMAT"]);
    fails(
        dir.path(),
        "convert in --to png",
        2,
        &["in: it is a directory", "--recursive"],
    );
    let stderr = works(dir.path(), "convert -r in tree/ -t png");
    assert!(
        stderr.contains("2 files converted, 1 file skipped (of other formats"),
        "{stderr}"
    );
    assert_eq!(names(&at("tree")), ["c.png", "deep/d.png"]);
    works(dir.path(), "convert --recursive in --to png");
    assert!(at("in/c.png").exists() && at("in/deep/d.png").exists());
    assert!(!at("in/.hidden.png").exists());
    // An empty file has the format of its extension. It fails instead of being skipped.
    fs::write(at("in/empty.jpg"), "").unwrap();
    fails(
        dir.path(),
        "convert -r in tree/ -t bmp",
        1,
        &["empty.jpg", "1 failed"],
    );
    fs::remove_file(at("in/empty.jpg")).unwrap();
    // An option that does not apply to any of the files is an error, as it is for a single file.
    fails(
        dir.path(),
        "convert a.ppm x.png --option delimiter=tab",
        2,
        &["delimiter", "width"],
    );
    fails(
        dir.path(),
        "convert --to bmp a.ppm b.ppm --option delimiter=tab",
        2,
        &["delimiter"],
    );
    // A size may have a suffix.
    works(dir.path(), "convert a.ppm small.jpg --option max_size=2K");
    assert!(fs::metadata(at("small.jpg")).unwrap().len() <= 2048);
    // The error names the missing directory, and has options in the form of this command.
    fails(
        dir.path(),
        "convert a.ppm none/whole.jpg",
        1,
        &["there is no directory none"],
    );
    fails(
        dir.path(),
        "convert a.ppm song.mp3",
        2,
        &["ppm files cannot be converted to \"mp3\"; they can be converted to jpg"],
    );
    let locked = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/locked/locked.docx");
    let arguments = format!("convert {} locked.txt", locked.display());
    fails(
        dir.path(),
        &arguments,
        1,
        &["send its password in --option password"],
    );
    // The error names the option with which the command would succeed.
    fs::write(at("whole.ppm"), samples::ppm(300, 200)).unwrap();
    works(dir.path(), "convert whole.ppm whole.jpg");
    let whole = fs::read(at("whole.jpg")).unwrap();
    fs::write(at("cut.jpg"), &whole[..whole.len() / 2]).unwrap();
    fails(
        dir.path(),
        "convert cut.jpg cut.png",
        1,
        &["--option damaged=keep"],
    );
    works(dir.path(), "convert cut.jpg cut.png --option damaged=keep");
}

#[test]
fn json_output_has_one_line_per_result() {
    let dir = directory();
    fs::write(dir.path().join("bad.png"), b"\x89PNG\r\n\x1a\n damaged").unwrap();
    let output = run(
        dir.path(),
        "convert a.ppm bad.png --to jpg --out-dir out --json",
    );
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines.sort_by_key(|line| line["inputs"].to_string());
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["inputs"], serde_json::json!(["a.ppm"]));
    assert_eq!(lines[0]["outputs"], serde_json::json!(["out/a.jpg"]));
    assert_eq!(lines[0]["success"], true);
    let len = fs::metadata(dir.path().join("out/a.jpg")).unwrap().len();
    assert_eq!(lines[0]["size"], len);
    assert!(lines[0]["seconds"].is_f64() && lines[0]["notes"].is_array());
    assert_eq!(lines[1]["success"], false);
    assert!(lines[1]["error"].as_str().unwrap().contains("png"));
    // Notes contain options in the form of the command line.
    let head: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
    let frame: &[u8] = b"!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";
    let animation = [head, frame, frame, b";"].concat();
    fs::write(dir.path().join("two.gif"), animation).unwrap();
    let output = run(dir.path(), "convert two.gif two.jpg --json");
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let note = line["notes"][0].as_str().unwrap();
    assert!(note.contains("--option page"), "{note}");
    let output = run(dir.path(), "convert a.ppm a.png --json");
    assert_eq!(
        output.stdout.iter().filter(|byte| **byte == b'\n').count(),
        1
    );
    assert!(stderr_of(&output).is_empty());
    assert!(works(dir.path(), "convert b.ppm b.png -v").contains("b.ppm became b.png: "));
}

/// A red picture.
fn red() -> Vec<u8> {
    let mut picture = b"P6\n40 40\n255\n".to_vec();
    picture.extend([255, 0, 0].repeat(1600));
    picture
}

/// A directory with texts that refer to pictures in a folder below them, beside them, and outside of their folder.
fn site() -> TempDir {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("site/img")).unwrap();
    fs::create_dir(at("other")).unwrap();
    fs::write(at("red.ppm"), red()).unwrap();
    works(dir.path(), "convert red.ppm red.png");
    for name in ["site/img/red one.png", "other/red.png"] {
        fs::copy(at("red.png"), at(name)).unwrap();
    }
    symlink("../../other/red.png", at("site/img/link.png")).unwrap();
    symlink("red one.png", at("site/img/inner.png")).unwrap();
    fs::write(
        at("site/style.css"),
        "h1 { background: url('img/red one.png') }",
    )
    .unwrap();
    fs::write(at("site/a.md"), "# Title\n\n![red](img/red%20one.png)\n").unwrap();
    fs::write(
        at("site/a.html"),
        "<!doctype html><link rel=stylesheet href=style.css><h1>Title</h1>",
    )
    .unwrap();
    fs::write(
        at("site/a.svg"),
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><image href='img/red one.png' width='40' height='40'/></svg>",
    )
    .unwrap();
    let cell = serde_json::json!({"cell_type": "markdown", "metadata": {}, "source": ["![red](<img/red one.png>)"]});
    let notebook =
        serde_json::json!({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    fs::write(at("site/a.ipynb"), notebook.to_string()).unwrap();
    dir
}

/// Returns whether a result shows the red picture: in its pixels, or as a picture in a document that this program can
/// read.
fn shows_red(dir: &Path, result: &str) -> bool {
    let place = dir.join("shown.ppm");
    let _ = fs::remove_file(&place);
    let page = match result.ends_with(".docx") {
        true => {
            works(
                dir,
                &format!("convert {result} shown.pdf -f --no-resources"),
            );
            "shown.pdf"
        }
        false => result,
    };
    works(dir, &format!("convert {page} shown.ppm"));
    let picture = fs::read(place).unwrap();
    picture
        .windows(30)
        .any(|pixels| pixels == [255, 0, 0].repeat(10))
}

#[test]
fn resources_beside_a_file_are_loaded() {
    let dir = site();
    for from in ["md", "html", "svg", "ipynb"] {
        for to in ["pdf", "docx", "png"] {
            let result = format!("{from}.{to}");
            if !matches!(
                (from, to),
                ("md" | "ipynb", "png") | ("svg" | "html", "docx")
            ) {
                works(dir.path(), &format!("convert site/a.{from} {result}"));
                assert!(shows_red(dir.path(), &result), "{result}");
            }
        }
        works(
            dir.path(),
            &format!("convert site/a.{from} without.pdf -f --no-resources"),
        );
        assert!(!shows_red(dir.path(), "without.pdf"), "{from}");
    }
    // In Markdown, the addresses of pictures stay the same.
    works(dir.path(), "convert site/a.html page.md");
    works(dir.path(), "convert site/a.md copy.md");
    let text = fs::read_to_string(dir.path().join("copy.md")).unwrap();
    assert!(text.contains("img/red%20one.png"), "{text}");
    // If several files are merged, the resources of each are loaded.
    works(dir.path(), "convert site/a.md site/a.html both.pdf");
    assert!(shows_red(dir.path(), "both.pdf"));
}

#[test]
fn nothing_outside_of_the_folder_is_taken() {
    let dir = site();
    let page = |address: &str| {
        let text = format!("![x]({address})\n");
        fs::write(dir.path().join("site/out.md"), text).unwrap();
    };
    let outside = dir.path().join("other/red.png");
    for address in ["../other/red.png", "img/link.png", "%2e%2e/other/red.png"] {
        page(address);
        let stderr = works(dir.path(), "convert site/out.md out.pdf -f");
        assert!(
            stderr.contains("is outside the folder of the file"),
            "{address}: {stderr}"
        );
        assert!(!shows_red(dir.path(), "out.pdf"), "{address}");
        works(
            dir.path(),
            "convert site/out.md out.pdf -f --resource-dir other",
        );
        assert!(shows_red(dir.path(), "out.pdf"), "{address}");
    }
    // A path from the root is relative to the folder of the file. An address with a scheme refers to no file.
    for address in [
        outside.to_str().unwrap(),
        &format!("file://{}", outside.display()),
    ] {
        page(address);
        works(dir.path(), "convert site/out.md out.pdf -f");
        assert!(!shows_red(dir.path(), "out.pdf"), "{address}");
    }
    for address in [
        "/img/red%20one.png",
        "img/inner.png",
        "./img/red%20one.png?raw=1#top",
    ] {
        page(address);
        works(dir.path(), "convert site/out.md out.pdf -f");
        assert!(shows_red(dir.path(), "out.pdf"), "{address}");
    }
    // Only pictures, style sheets and fonts are loaded. The content decides, and not the name.
    fs::write(dir.path().join("site/secret.txt"), "words of a secret").unwrap();
    fs::write(
        dir.path().join("site/out.html"),
        "<iframe src=secret.txt></iframe><img src=secret.txt>",
    )
    .unwrap();
    works(dir.path(), "convert site/out.html out.html -f");
    let text = fs::read_to_string(dir.path().join("out.html")).unwrap();
    assert!(!text.contains("base64"), "{text}");
    fails(
        dir.path(),
        "convert site/a.md x.pdf --resource-dir none",
        2,
        &["--resource-dir", "none"],
    );
}

#[test]
fn a_watched_folder_loads_resources_beside_a_file() {
    let dir = site();
    let watch = command()
        .args([
            "watch",
            "site",
            "results",
            "--to",
            "pdf",
            "--originals",
            "keep",
            "--settle",
            "0",
        ])
        .args(["--ignore", "*.png", "--ignore", "*.css"])
        .current_dir(dir.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let watch = Process::new(watch);
    // All four files named `a` become PDF files with this name. Three of them get a number.
    wait_for("the results", || {
        let results = dir.path().join("results");
        let made = results.is_dir().then(|| names(&results))?;
        let made = made
            .iter()
            .filter(|name| name.ends_with(".pdf") && !name.starts_with('.'));
        (made.count() == 4).then_some(())
    });
    drop(watch);
    for name in ["a.pdf", "a (2).pdf", "a (3).pdf", "a (4).pdf"] {
        fs::copy(
            dir.path().join("results").join(name),
            dir.path().join("one.pdf"),
        )
        .unwrap();
        assert!(shows_red(dir.path(), "one.pdf"), "{name}");
    }
}

#[test]
fn a_page_in_an_archive_becomes_every_kind_of_document() {
    let dir = site();
    let server = Server::start();
    let file = |name: &str| fs::read(dir.path().join("site").join(name)).unwrap();
    let mut archive = Zip::default();
    for name in ["a.md", "a.html", "style.css", "img/red one.png"] {
        archive = archive.stored(name, &file(name));
    }
    let archive = archive.finish();
    for (index, target) in [
        ("a.md", "docx"),
        ("a.md", "pdf"),
        ("a.html", "png"),
        ("a.html", "pdf"),
    ] {
        let form = Form::of(&archive, "site.zip", target).field("index", index);
        let answer = server.submit(form);
        assert_eq!(answer.status, 200, "{answer:?}");
        let result = format!("http.{target}");
        let body = server.get(&answer.data("download_url")).body;
        fs::write(dir.path().join(&result), &body[..]).unwrap();
        assert!(shows_red(dir.path(), &result), "{index} {target}");
    }
    for target in ["epub", "odt", "html", "rtf", "pptx", "odp"] {
        let form = Form::of(&archive, "site.zip", target).field("index", "a.md");
        let answer = server.submit(form);
        assert_eq!(answer.status, 200, "{target}: {answer:?}");
    }
    let form = Form::of(&archive, "site.zip", "docx").field("index", "none.md");
    let answer = server.submit(form);
    assert_eq!(answer.status, 400, "{answer:?}");
}

#[test]
fn a_page_may_be_sent_with_the_files_that_it_names() {
    let dir = site();
    let server = Server::start();
    let file = |name: &str| fs::read(dir.path().join("site").join(name)).unwrap();
    let picture = file("img/red one.png");
    let read = |answer: &Answer, result: &str| {
        assert_eq!(answer.status, 200, "{result}: {answer:?}");
        let body = server.get(&answer.data("download_url")).body;
        fs::write(dir.path().join(result), &body[..]).unwrap();
        body
    };
    for target in [
        "pdf", "docx", "odt", "epub", "html", "md", "rtf", "pptx", "odp", "png", "txt",
    ] {
        let form = Form::of(&file("a.md"), "a.md", target).file("img/red one.png", &picture);
        let answer = server.submit(form);
        let result = format!("sent.{target}");
        let body = read(&answer, &result);
        assert_eq!(answer.data("original_filename"), "a.md");
        assert_eq!(answer.data("original_format"), "md");
        match target {
            "pdf" | "docx" | "odt" | "epub" => {
                assert!(shows_red(dir.path(), &result), "{target}");
            }
            "txt" => assert!(String::from_utf8_lossy(&body).contains("Title")),
            // A missing picture would cause a note.
            _ => assert!(answer.json()["data"].get("notes").is_none(), "{answer:?}"),
        }
    }
    // The style sheet and its picture are sent without their folders, as curl sends files.
    let page = || Form::of(&file("a.html"), "a.html", "pdf").file("style.css", &file("style.css"));
    read(
        &server.submit(page().file("red one.png", &picture)),
        "flat.pdf",
    );
    assert!(shows_red(dir.path(), "flat.pdf"));
    // The field `index` names the main file, which is not the first one here.
    let form = Form::of(&picture, "img/red one.png", "pdf")
        .file("a.svg", &file("a.svg"))
        .field("index", "a.svg");
    let answer = server.submit(form);
    read(&answer, "index.pdf");
    assert!(shows_red(dir.path(), "index.pdf"));
    assert_eq!(answer.data("original_format"), "svg");

    let refused = |form: Form, words: &str| {
        let answer = server.submit(form);
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(answer.error().contains(words), "{answer:?}");
    };
    refused(
        page().file("style.css", b""),
        "two files with the name \"style.css\"",
    );
    refused(page().field("index", "b.html"), "index names \"b.html\"");
    refused(
        Form::of(&picture, "a.png", "pdf").file("b.png", &picture),
        "\"a.png\" is not a page",
    );
    refused(
        Form::of(&file("a.md"), "a.md", "mp3").file("b.png", &picture),
        "md files can be converted to",
    );
    refused(
        Form::of(&file("a.html"), "a.html", "xlsx").file("b.png", &picture),
        "cannot contain other files",
    );
}

#[test]
fn unreadable_files_are_named_and_the_others_converted() {
    let dir = directory();
    // The kernel refuses paths of more than 4,096 bytes for every program, also for this test.
    let mut below = PathBuf::from("in/deep");
    while below.as_os_str().len() < 3_860 {
        below.push("d".repeat(150));
    }
    let deep = dir.path().join(below);
    fs::create_dir_all(&deep).unwrap();
    let [file, folder] = ["f.ppm", "g"].map(|end| format!("{}{end}", "n".repeat(240)));
    let script = format!(
        "cp {} {file} && mkdir {folder}",
        dir.path().join("a.ppm").display()
    );
    let made = Command::new("sh")
        .args(["-c", &script])
        .current_dir(&deep)
        .status();
    assert!(made.unwrap().success());
    let named = [file, folder].map(|name| format!("{name} cannot be read"));
    let words: [&str; 4] = [&named[0], &named[1], "2 files converted", "2 failed"];
    fails(dir.path(), "convert -r in out/ -t png", 1, &words);
    let at = |name: &str| dir.path().join("out").join(name);
    assert!(at("c.png").exists() && at("deep/d.png").exists());
}

#[test]
fn an_archive_is_not_replaced_by_its_results() {
    let dir = directory();
    let packed = Zip::default()
        .stored("photo.ppm", &samples::ppm(30, 20))
        .finish();
    fs::write(dir.path().join("own.zip"), &packed).unwrap();
    works(dir.path(), "convert own.zip other.png");
    assert!(dir.path().join("other.zip").exists());
    let message = ["own.zip would be replaced by its results"];
    fails(dir.path(), "convert own.zip own.png -f", 1, &message);
    assert_eq!(fs::read(dir.path().join("own.zip")).unwrap(), packed);
}
