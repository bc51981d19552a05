//! The command line, as people and supervisors use it.

use crate::{
    harness::{Server, TempDir, command, program, wait_for},
    samples::{self, identify},
    tools,
};
use std::{
    fs::{self, File},
    net::TcpListener,
    os::unix::fs::OpenOptionsExt,
    process::{Command, Output},
};

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// Runs the program with arguments that are separated by spaces.
fn run(args: &str) -> Ran {
    ran(command().args(args.split_whitespace()).output().unwrap())
}

#[track_caller]
fn fails(args: &str, code: i32, words: &[&str]) {
    let ran = run(args);
    assert_eq!(ran.code, Some(code), "{args}: {}", ran.err);
    assert!(ran.out.is_empty(), "{args}: {}", ran.out);
    assert!(ran.err.starts_with("convertd: "), "{args}: {}", ran.err);
    for word in words {
        assert!(
            ran.err.contains(word),
            "{args}: {word:?} is not in {:?}",
            ran.err
        );
    }
}

#[test]
fn help_and_version_are_answers_not_errors() {
    // For each command line: words that its help must contain, and a word that it must not contain.
    let all = &[
        "convert INPUT",
        "formats",
        "health",
        "--listen",
        "CONVERTD_LISTEN",
    ][..];
    for (args, words, others) in [
        ("--help", all, ""),
        ("help", all, ""),
        ("-h", &["serve", "convert", "--help"], "--listen"),
        (
            "serve -h",
            &["--listen", "127.0.0.1:8080"],
            "CONVERTD_LISTEN",
        ),
        (
            "serve --help",
            &["--listen", "CONVERTD_LISTEN"],
            "--out-dir",
        ),
        ("convert -h", &["-t, --to", "--out-dir"], "Examples"),
        (
            "convert --help",
            &["--out-dir", "Examples", "500K"],
            "--listen",
        ),
        ("help convert", &["--out-dir", "Examples"], "--listen"),
        ("watch --help", &["--settle", "scans"], "--out-dir"),
        ("formats -h", &["--json"], "--listen"),
        ("health --help", &["[URL]"], "--listen"),
        ("completions -h", &["zsh"], "--listen"),
        ("man --help", &["man -l"], "--listen"),
        ("version -h", &["print the version"], "--listen"),
        ("licences --help", &["licences"], "--listen"),
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args}");
        for word in words {
            assert!(ran.out.contains(word), "{args}: no {word} in {}", ran.out);
        }
        let has_others = !others.is_empty() && ran.out.contains(others);
        assert!(!has_others, "{args}: {}", ran.out);
        assert!(
            ran.out.lines().all(|line| line.chars().count() <= 120),
            "{}",
            ran.out
        );
    }
    for args in ["--version", "-V", "version"] {
        let ran = run(args);
        assert_eq!(ran.out, format!("convertd {}\n", env!("CARGO_PKG_VERSION")));
        assert_eq!(ran.code, Some(0));
    }
}

#[test]
fn wrong_arguments_are_named() {
    fails("--frobnicate", 2, &["--frobnicate"]);
    fails("serve --frobnicate", 2, &["--frobnicate"]);
    fails("-x", 2, &["-x"]);
    fails("frobnicate", 2, &["frobnicate", "serve"]);
    fails("serve extra", 2, &["extra"]);
    fails("--listen", 2, &["--listen"]);
    fails("--listen nowhere", 2, &["--listen", "nowhere"]);
    fails("--listen 127.0.0.1", 2, &["--listen", "127.0.0.1:8080"]);
    fails("--workers 0", 2, &["--workers", "\"0\""]);
    fails("--workers many", 2, &["--workers", "many"]);
    fails("--converters -1", 2, &["--converters"]);
    fails("--queue 0", 2, &["--queue"]);
    fails("--max-upload 0", 2, &["--max-upload"]);
    fails("--max-upload 1X", 2, &["--max-upload", "1X"]);
    fails("--max-upload 99999999999999999999G", 2, &["--max-upload"]);
    fails("--link-ttl 0", 2, &["--link-ttl"]);
    fails("--link-ttl 1.5", 2, &["--link-ttl"]);
    fails("--memory 1", 2, &["--memory"]);
    fails("--log loud", 2, &["--log", "loud", "debug"]);
    fails("--isolation magic", 2, &["--isolation", "thread"]);
    fails(
        "--api-keys /nothing/there",
        2,
        &["--api-keys", "/nothing/there"],
    );
    fails("--workers 5 formats", 2, &["--workers", "formats"]);
    fails("convert", 2, &["input"]);
    fails("convert one", 2, &["output"]);
    fails("convert one two three", 2, &["three"]);
    fails("convert a.png b", 2, &["--to"]);
    // Every message about an unknown name suggests the most similar known name.
    fails("convrt a.png b.jpg", 2, &["did you mean \"convert\"?"]);
    fails("--convertrs 2", 2, &["did you mean \"--converters\"?"]);
    fails(
        "convert a b.png --qualty low",
        2,
        &["did you mean \"--quality\"?"],
    );
    fails("watch a b --setle 3", 2, &["did you mean \"--settle\"?"]);
    fails(
        "convert a.md b.pgn",
        2,
        &["b.pgn: ", "did you mean \"png\"?"],
    );
    fails("convert a.md b.jpeeg", 2, &["did you mean \"jpeg\"?"]);
    fails(
        "convert a.md b.jpeeg",
        2,
        &["Try 'convertd convert --help'"],
    );
    fails("completions", 2, &["the name of a shell: one of bash"]);
    fails(
        "convert https://host/a.png b.jpg",
        1,
        &["downloads nothing"],
    );
    fails(
        "convert a.png b.mp4",
        2,
        &["b.mp4: mp4 files can be read, but not written", "webp"],
    );
    fails(
        "convert a.png b.jpg --option widht=3",
        2,
        &["did you mean \"width\"?"],
    );
    fails(
        "convert a.png b.jpg --option width=far",
        2,
        &["--option width", "far"],
    );
    fails(
        "convert a.png b.jpg --option width=3 --option width=3",
        2,
        &["width", "twice"],
    );
    fails(
        "convert a b.jpg --from mdd",
        2,
        &["--from", "did you mean \"md\"?"],
    );
    fails(
        "convert a.png b.jpg --quality best",
        2,
        &["--quality", "best", "high"],
    );
    fails("photo.jpg out.png", 2, &["convertd convert photo.jpg"]);
    fails("help convrt", 2, &["did you mean \"convert\"?"]);
    fails("formats pgn", 2, &["did you mean \"png\"?"]);
    fails(
        "formats mp3 png",
        2,
        &["mp3 files cannot be converted to png", "wav"],
    );
    fails(
        "convert a.png b.jpg --to png --output x --out-dir y",
        2,
        &["--out-dir and --output"],
    );
    fails("convert a.png - --to jpg --json", 2, &["--json"]);
    fails("formats --xml", 2, &["--xml"]);
    fails("health a b", 2, &["b"]);
    fails("health https://a.example", 2, &["https://a.example"]);
}

#[test]
fn a_wrong_environment_variable_is_named() {
    for (name, value) in [
        ("CONVERTD_LISTEN", "nowhere"),
        ("CONVERTD_MAX_UPLOAD", "lots"),
        ("CONVERTD_LINK_TTL", "-1"),
        ("CONVERTD_API_KEYS_FILE", "/nothing/there"),
        ("CONVERTD_API_KEYS", " , "),
    ] {
        let ran = ran(command().env(name, value).output().unwrap());
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.err);
        assert!(ran.err.contains(name), "{}", ran.err);
    }
}

#[test]
fn options_come_from_a_file_as_well() {
    let dir = TempDir::new();
    let file = dir.path().join("convertd.toml");
    fs::write(
        &file,
        "# limits\nmax-upload = \"100\"\nCONVERTD_LOG=debug\nworkers = 3\n",
    )
    .unwrap();
    let path = file.to_str().unwrap().to_owned();
    // The variable has priority over the file, and the flag has priority over both.
    let server = Server::with(&format!("--config {path}"))
        .env("CONVERTD_WORKERS", "4")
        .env("CONVERTD_WROKERS", "5")
        .start();
    let answer = server.convert(&samples::ppm(30, 20), "p.ppm", "png");
    assert_eq!(answer.status, 413, "{answer:?}");
    server.wait_for_line("the warning", |line| {
        line.contains("unknown variable CONVERTD_WROKERS; did you mean \"CONVERTD_WORKERS\"?")
    });
    let server = Server::with("--max-upload 1M")
        .env("CONVERTD_CONFIG", &path)
        .start();
    assert_eq!(
        server.convert(&samples::ppm(30, 20), "p.ppm", "png").status,
        200
    );
    fs::write(&file, "\nmax-uplaod = 5\n").unwrap();
    fails(
        &format!("--config {path}"),
        2,
        &["--config", "line 2", "max-uplaod"],
    );
    fails(
        "--config /nothing/there",
        2,
        &["--config", "/nothing/there"],
    );
    let twice = "--config /nothing/there --config /nothing/else";
    fails(twice, 2, &["--config is given twice"]);
}

#[test]
fn an_empty_environment_variable_counts_as_unset() {
    let mut setup = Server::with("--max-upload 100");
    for name in [
        "WORKERS",
        "LISTEN",
        "STORE",
        "FONTS",
        "API_KEYS",
        "API_KEYS_FILE",
    ] {
        setup = setup.env(&format!("CONVERTD_{name}"), "");
    }
    let server = setup.start();
    assert_eq!(server.get("/api/v1/health").status, 200);
    // Everybody has access, and a warning tells that to the operator.
    server.wait_for_line("the warning", |line| {
        line.contains("CONVERTD_API_KEYS is empty")
    });
    assert_eq!(server.get("/api/v1/formats").status, 200);
}

#[test]
fn flags_win_over_the_environment() {
    let server = Server::with("--max-upload 100")
        .env("CONVERTD_MAX_UPLOAD", "1")
        .env("CONVERTD_LINK_TTL", "60")
        .start();
    // The upload has 71 bytes. This is more than the variable allows, but less than the flag allows.
    let record = server.convert(&samples::ppm(4, 5), "p.ppm", "png");
    assert_eq!(record.status, 200, "{record:?}");
    let expires = crate::contract::seconds(&record.json()["data"]["expires_at"]);
    assert!(expires - crate::contract::now() <= 61);
    assert_eq!(
        server.convert(&samples::ppm(10, 10), "p.ppm", "png").status,
        413
    );
}

#[test]
fn the_list_of_formats_equals_that_of_the_service() {
    let server = Server::start();
    let ran = run("formats --json");
    assert_eq!(ran.code, Some(0));
    let listed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(listed, server.get("/api/v1/formats").json());
    let table = run("formats");
    for format in listed["data"]["formats"].as_array().unwrap() {
        let name = format["format"].as_str().unwrap();
        assert!(
            table
                .out
                .lines()
                .any(|line| line.starts_with(&format!("{name} "))),
            "{name}"
        );
    }
}

#[test]
fn the_exit_status_reports_health() {
    let mut server = Server::start();
    let url = format!("http://{}", server.address());
    for url in [url.clone(), format!("{url}/"), server.address().to_string()] {
        let ran = run(&format!("health {url}"));
        assert_eq!(
            (ran.code, ran.out.contains("operational")),
            (Some(0), true),
            "{}",
            ran.err
        );
    }
    let from_environment = command()
        .arg("health")
        .env("CONVERTD_LISTEN", server.address().to_string())
        .output();
    assert_eq!(ran(from_environment.unwrap()).code, Some(0));
    server.terminate();
    fails(
        &format!("health {url}"),
        1,
        &[&server.address().to_string()],
    );

    // Now another server listens at that port.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let other = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1000]).unwrap();
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
            .unwrap();
    });
    fails(&format!("health {address}"), 1, &["convertd"]);
    other.join().unwrap();
}

#[test]
fn many_files_are_converted_into_a_directory() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(at("other")).unwrap();
    for name in ["a.ppm", "b.ppm", "other/a.ppm"] {
        fs::write(at(name), samples::ppm(30, 20)).unwrap();
    }
    fs::write(at("bad.png"), b"\x89PNG\r\n\x1a\n damaged").unwrap();
    let inputs = ["a.ppm", "b.ppm", "other/a.ppm"].map(at).join(" ");
    let web = at("web/small");
    let check = |args: &str, code: i32, words: &[&str], results: &[&str]| {
        let ran = run(&format!("convert {args} --to png --out-dir {web}"));
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(code), ""),
            "{}",
            ran.err
        );
        for word in words {
            assert!(ran.err.contains(word), "no {word:?} in {}", ran.err);
        }
        let mut found: Vec<_> = fs::read_dir(&web)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        assert_eq!(found, results);
    };
    let all = ["a (2).png", "a.png", "b.png"];
    check(&inputs, 0, &["3 files converted: ", " in "], &all);
    for name in all {
        let path = format!("{web}/{name}");
        assert_eq!(identify(&fs::read(path).unwrap()), "png");
    }
    // Without a terminal, the command cannot ask whether it may replace a file.
    let first = format!("{web}/a.png");
    fs::write(&first, b"mine").unwrap();
    let args = format!("{} {}", at("a.ppm"), at("bad.png"));
    let words = [
        "a.png exists",
        "--force",
        "bad.png: ",
        "no file converted, 2 failed",
    ];
    check(&args, 1, &words, &all);
    assert_eq!(fs::read(&first).unwrap(), b"mine");
    let args = format!("{args} --force --option width=5");
    check(&args, 1, &["1 file converted, 1 failed"], &all);
    assert_eq!(identify(&fs::read(&first).unwrap()), "png");
    fails(&format!("convert {inputs} --out-dir {web}"), 2, &["--to"]);
    fails(&format!("convert --to png --out-dir {web}"), 2, &["input"]);
    fails(
        &format!("convert {inputs} --to xyz --out-dir {web}"),
        2,
        &["xyz", "webp"],
    );
    fails(
        &format!("convert {inputs} --to png --out-dir {}", at("a.ppm")),
        1,
        &["a.ppm"],
    );
}

#[test]
fn shells_and_manuals_know_every_command_and_flag() {
    let words = ["serve", "convert", "out-dir", "max-upload", "completions"];
    for (shell, arguments) in [("zsh", "-n"), ("fish", "--no-execute"), ("bash", "-n")] {
        let dir = TempDir::new();
        let script = dir.path().join("script");
        fs::write(&script, run(&format!("completions {shell}")).out).unwrap();
        // A shell that is not installed is skipped.
        if let Ok(output) = Command::new(shell).arg(arguments).arg(&script).output() {
            assert!(output.status.success(), "{output:?}");
        }
    }
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&format!("completions {shell}"));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        for word in words.iter().chain(&["webp", "medium"]) {
            assert!(ran.out.contains(word), "{shell}: no {word}");
        }
    }
    fails("completions", 2, &["bash, zsh, fish"]);
    fails("completions csh", 2, &["csh", "bash, zsh, fish"]);
    let page = run("man");
    assert_eq!((page.code, page.err.as_str()), (Some(0), ""));
    assert!(page.out.starts_with(".TH CONVERTD 1"));
    for word in words {
        assert!(page.out.replace("\\-", "-").contains(word), "no {word}");
    }
    for section in [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "EXAMPLES",
        "\"EXIT STATUS\"",
        "ENVIRONMENT",
        "\"SEE ALSO\"",
    ] {
        let heading = format!(".SH {section}\n");
        assert!(page.out.contains(&heading), "no {section}");
    }
    fails("man extra", 2, &["extra"]);
}

/// Checks the candidates that a shell offers for the last word.
#[track_caller]
fn completed(line: &str, expected: &[&str]) {
    let script = format!(
        "source <(\"$0\" completions bash); COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _convertd; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let program = program();
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .arg(program)
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<_> = text.lines().collect();
    assert_eq!(found, expected, "{line}");
}

#[test]
fn bash_completes() {
    if !crate::tools::has("bash") {
        return;
    }
    completed("convertd con", &["convert"]);
    completed("convertd convert --to web", &["webp"]);
    completed(
        "convertd convert a.png --quality ''",
        &["low", "medium", "high"],
    );
    completed("convertd convert --out", &["--out-dir", "--output"]);
    completed("convertd convert --option damag", &["damaged="]);
    completed(
        "convertd convert --option damaged=",
        &["damaged=refuse", "damaged=keep"],
    );
    // These are the words into which bash splits an option.
    completed("convertd convert --option damaged = k", &["keep"]);
    completed("convertd convert a.png -t web", &["webp"]);
    completed("convertd completions z", &["zsh"]);
    completed("convertd serve --max-up", &["--max-upload"]);
}

#[test]
fn an_interruption_leaves_nothing_behind() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("p.ppm"), samples::ppm(3000, 2000)).unwrap();
    let opened = File::options()
        .read(true)
        .write(true)
        .custom_flags(libc::O_TMPFILE)
        .open(dir.path());
    if opened.is_err() {
        return tools::lacking("a file system with files that have no name (O_TMPFILE)");
    }
    let args = ["convert", &at("p.ppm"), &at("p.avif"), "--quality", "high"];
    let mut running = Command::new(program()).args(args).spawn().unwrap();
    let descriptors = format!("/proc/{}/fd", running.id());
    let writes = |link: fs::DirEntry| {
        let place = fs::read_link(link.path()).unwrap_or_default();
        place.starts_with(dir.path()) && !place.ends_with("p.ppm")
    };
    wait_for("the result is begun", || {
        let links = fs::read_dir(&descriptors).unwrap();
        links.flatten().any(writes).then_some(())
    });
    running.kill().unwrap();
    running.wait().unwrap();
    let left = fs::read_dir(dir.path()).unwrap().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["p.ppm"]);
}

#[test]
fn files_are_converted_without_a_server() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("p.ppm"), samples::ppm(30, 20)).unwrap();
    let check = |args: &str, output: &str, format: &str| {
        let ran = run(args);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(0), ""),
            "{args}: {}",
            ran.err
        );
        assert_eq!(identify(&fs::read(at(output)).unwrap()), format);
    };
    check(
        &format!("convert {} {}", at("p.ppm"), at("p.png")),
        "p.png",
        "png",
    );
    check(
        &format!("convert {} {} --to .GIF", at("p.png"), at("p.any")),
        "p.any",
        "gif",
    );
    check(
        &format!(
            "convert --quality low --to jpeg {} {}",
            at("p.png"),
            at("low")
        ),
        "low",
        "jpg",
    );
    check(
        &format!("convert {} {} --quality high", at("p.png"), at("high.jpg")),
        "high.jpg",
        "jpg",
    );
    let size = |name: &str| fs::metadata(at(name)).unwrap().len();
    assert!(size("low") < size("high.jpg"));
    // An existing file is replaced only with `--force`, and never by its own result.
    let taken = fs::read(at("p.png")).unwrap();
    let onto = |output: &str| format!("convert {} {}", at("p.ppm"), at(output));
    fails(&onto("p.png"), 1, &["p.png exists", "--force"]);
    fails(
        &format!("convert {0} {0} -f", at("p.png")),
        2,
        &["would replace itself"],
    );
    fails(
        &format!(
            "convert {} --to png --out-dir {} -f",
            at("p.png"),
            dir.path().display()
        ),
        2,
        &["would replace itself"],
    );
    assert_eq!(fs::read(at("p.png")).unwrap(), taken);
    check(&format!("{} -f", onto("p.png")), "p.png", "png");
    check(
        &format!("convert -f -o {} {}", at("p.png"), at("p.ppm")),
        "p.png",
        "png",
    );

    // This name has the maximum length of a file name.
    let long = "n".repeat(251) + ".png";
    check(&onto(&long), &long, "png");
    fs::remove_file(at(&long)).unwrap();

    // The user has a file that is named like a partial result.
    fs::write(at("p.png.part"), b"mine").unwrap();
    check(&format!("{} -f", onto("p.png")), "p.png", "png");
    assert_eq!(fs::read(at("p.png.part")).unwrap(), b"mine");
    fs::remove_file(at("p.png.part")).unwrap();

    // A link is followed, a device stays a device, and a dash means standard input or output.
    std::os::unix::fs::symlink("p.png", at("link.png")).unwrap();
    check(
        &format!("convert {} {} -f", at("p.ppm"), at("link.png")),
        "p.png",
        "png",
    );
    assert!(fs::symlink_metadata(at("link.png")).unwrap().is_symlink());
    fs::remove_file(at("link.png")).unwrap();
    let ran_into = run(&format!("convert {} /dev/null --to bmp", at("p.png")));
    assert_eq!((ran_into.code, ran_into.err.as_str()), (Some(0), ""));
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let piped = command()
        .args(["convert", "-", "-", "--to", "bmp"])
        .stdin(fs::File::open(at("p.png")).unwrap())
        .output()
        .unwrap();
    assert_eq!(identify(&piped.stdout), "bmp");
    // The error says that neither the content nor a name tells the format.
    let piped = |arguments: &[&str]| {
        fs::write(at("text"), "# Title\n").unwrap();
        let mut command = command();
        let command = command
            .args(["convert", "-", "-", "--to", "html"])
            .args(arguments);
        let output = command.stdin(File::open(at("text")).unwrap()).output();
        fs::remove_file(at("text")).unwrap();
        ran(output.unwrap())
    };
    let page = piped(&["--from", "md"]);
    assert!(page.out.contains("<h1"), "{} {}", page.out, page.err);
    assert!(!piped(&["--from", "txt"]).out.contains("<h1"));
    let unknown = piped(&[]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err.contains("--from FORMAT"), "{}", unknown.err);
    fails(
        &format!("convert {} a.png", dir.path().display()),
        1,
        &["directory"],
    );

    let before = fs::read(at("p.png")).unwrap();
    fs::write(at("bad.png"), b"\x89PNG\r\n\x1a\n damaged").unwrap();
    fs::write(at("empty.png"), b"").unwrap();
    fails(
        &format!("convert {} {} -f", at("bad.png"), at("p.png")),
        1,
        &[],
    );
    fails(
        &format!("convert {} {} -f", at("empty.png"), at("p.png")),
        1,
        &["empty"],
    );
    fails(
        &format!("convert {} {} -f", at("missing.png"), at("p.png")),
        1,
        &["missing.png"],
    );
    let missing = run(&format!("convert {} {}", at("missing.png"), at("q.png")));
    assert!(!missing.err.contains("os error"), "{}", missing.err);
    fails(
        &format!("convert {} {}", at("p.png"), at("nowhere/p.jpg")),
        1,
        &["nowhere"],
    );
    fails(
        &format!("convert {} {}", at("p.png"), at("p.xyz")),
        2,
        &[
            "p.xyz: there is no format \"xyz\"; png files can be converted to ",
            "webp",
        ],
    );
    assert_eq!(
        fs::read(at("p.png")).unwrap(),
        before,
        "a failure changed the existing file"
    );
    let mut left: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(
        left,
        [
            "bad.png",
            "empty.png",
            "high.jpg",
            "low",
            "p.any",
            "p.png",
            "p.ppm"
        ]
    );
}

#[test]
fn options_that_exclude_each_other_are_wrong_arguments() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("a.md"), "# Title\n").unwrap();
    let made = run(&format!("convert {} {}", at("a.md"), at("a.pdf")));
    assert_eq!(made.code, Some(0), "{}", made.err);
    for (input, lock) in [
        ("a.md", "encrypt"),
        ("a.pdf", "encrypt"),
        ("a.pdf", "owner_password"),
    ] {
        fails(
            &format!(
                "convert {} {} --option pdf_a=2 --option {lock}=secret",
                at(input),
                at("b.pdf")
            ),
            2,
            &["pdf_a and", lock, "exclude each other"],
        );
    }
    assert!(!fs::exists(at("b.pdf")).unwrap());
}

#[test]
fn a_port_in_use_is_named() {
    let server = Server::start();
    let dir = TempDir::new();
    let args = format!(
        "--listen {} --data-dir {}",
        server.address(),
        dir.path().join("data").display()
    );
    fails(&args, 1, &[&server.address().to_string()]);
}

#[test]
fn a_data_directory_is_locked_by_one_server() {
    let server = Server::start();
    let dir = server.data_dir();
    fails(
        &format!("--listen 127.0.0.1:0 --data-dir {}", dir.display()),
        1,
        &[dir.to_str().unwrap()],
    );
    assert_eq!(server.get("/api/v1/health").status, 200);
}

#[test]
fn an_impossible_data_directory_is_named() {
    let dir = TempDir::new();
    let file = dir.path().join("file");
    fs::write(&file, b"").unwrap();
    fails(
        &format!("--listen 127.0.0.1:0 --data-dir {}", file.display()),
        1,
        &[file.to_str().unwrap()],
    );
    let below = file.join("data");
    fails(
        &format!("--listen 127.0.0.1:0 --data-dir {}", below.display()),
        1,
        &[file.to_str().unwrap()],
    );
}

#[test]
fn nothing_is_written_outside_of_the_data_directory() {
    let dir = TempDir::new();
    let ran = ran(command()
        .arg("formats")
        .current_dir(dir.path())
        .output()
        .unwrap());
    assert_eq!(ran.code, Some(0));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn licences_list_every_dependency_with_its_text() {
    let ran = run("licences");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for word in [
        concat!("convertd ", env!("CARGO_PKG_VERSION"), " is licensed under"),
        "\n  httparse 1.",
        "\n  Rust's standard library",
        "MPL-2.0, for:\n  symphonia",
        "Mozilla Public License Version 2.0",
        "SIL OPEN FONT LICENSE",
        "Copyright (c) 2010, Google Inc.",
    ] {
        assert!(ran.out.contains(word), "no {word:?}");
    }
    let terms = ran.out.matches("END OF TERMS AND CONDITIONS").count();
    assert!(terms < 8, "the Apache License is there {terms} times");
    let lame = ran.out.contains("GNU LIBRARY GENERAL PUBLIC LICENSE");
    assert_eq!(lame, cfg!(feature = "lame"));
    fails("licences please", 2, &["please"]);
}

#[test]
fn limits_are_named_and_can_be_set() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (input, output) = (at("p.ppm"), at("p.bmp"));
    fs::write(&input, samples::ppm(4000, 3000)).unwrap();
    let command = format!("convert {input} {output}");
    // The pixels of the result have 36 MB.
    fails(
        &format!("{command} --max-output 30M"),
        1,
        &["30 MiB", "--max-output"],
    );
    fails(
        &format!("convert {input} {} --memory 1M", at("p.avif")),
        1,
        &["--memory"],
    );
    fails(
        &format!("{command} --memory much"),
        2,
        &["--memory", "much"],
    );
    assert!(!fs::exists(&output).unwrap());
    let ran = run(&format!("{command} --max-output 40M --memory 1G"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}
