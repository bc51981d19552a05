//! Sends damaged files through every converter, and damaged requests to every endpoint. The random numbers depend only
//! on a seed, so that every run is the same. `CONVERTD_FUZZ_SECONDS` sets the duration, and `CONVERTD_FUZZ_SEED` the
//! seed.

use super::{assert_sound, pictures, read_within};
use crate::harness::{DEADLINE, Form, Request, Server};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
    thread,
    time::{Duration, Instant},
};

pub(super) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

pub(super) fn duration() -> Duration {
    Duration::from_secs(number("CONVERTD_FUZZ_SECONDS", 5))
}

/// Pseudo-random numbers by xorshift64*, the same on every machine.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(stream: u64) -> Self {
        let seed = number("CONVERTD_FUZZ_SEED", 1);
        Self(
            (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ (stream + 1).wrapping_mul(0xd134_2543_de82_ef95),
        )
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    pub(super) fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }
}

/// False values that replace the lengths in a file.
const LIES: [u32; 9] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
];

/// Damages a file several times: truncates it, flips bits, inserts pieces, or changes bytes that may be a length.
fn damage(random: &mut Random, original: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        // Most changes are in the header, where they have the largest effect.
        let region = if random.below(3) == 0 {
            bytes.len()
        } else {
            bytes.len().min(256)
        };
        let at = random.below(region);
        match random.below(6) {
            0 => bytes.truncate(at + 1),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.next() as u8,
            3 => {
                let lie = *random.pick(&LIES);
                let lie = if random.below(2) == 0 {
                    lie.to_be_bytes()
                } else {
                    lie.to_le_bytes()
                };
                let width = *random.pick(&[1, 2, 4]);
                let part = if random.below(2) == 0 {
                    &lie[..width]
                } else {
                    &lie[4 - width..]
                };
                let end = (at + width).min(bytes.len());
                bytes[at..end].copy_from_slice(&part[..end - at]);
            }
            4 => {
                let from = random.below(other.len());
                let piece = &other[from..other.len().min(from + 1 + random.below(64))];
                let end = (at + random.below(64)).min(bytes.len());
                bytes.splice(at..end, piece.iter().copied());
            }
            _ => {
                let end = (at + 1 + random.below(128)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// A file that tests damage: its name, its content, and its targets.
#[derive(Clone)]
pub(super) struct Fixture {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
    pub(super) targets: Vec<String>,
}

fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// All files of less than 64 KiB below a directory.
fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if entry.metadata().is_ok_and(|data| data.len() < 64 << 10) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A page whose styles use many features.
pub(super) const STYLED: &str = "<!doctype html><style>
    @page { size: a6; margin: 9mm; @top-left { content: counter(page, upper-roman) } } @page wide { size: a6 landscape }
    @counter-style own { system: additive; additive-symbols: 5 V, 1 I; range: 1 30; pad: 3 '.'; suffix: ') ' }
    :root { --a: calc(1px * 9); --b: var(--a, 2em) } p:has(> b):nth-child(2n + 1 of p) { width: clamp(9px, var(--b), 50%) }
    @layer x { @media print { @supports (gap: 1px) { .f { display: flex; gap: 3px; & > * { flex: 1 1 20% } } } } }
    .g { display: grid; grid-template: [a] 'x y' 20px [b] / repeat(auto-fill, minmax(40px, 1fr)); page: wide }
    .c { columns: 2 40px; column-rule: 1px solid } h2 { column-span: all } ol { list-style: own }
    .d { border: 6px solid; border-image: linear-gradient(45deg, red, oklch(0.7 0.2 30 / 0.5)) 30% fill / 4px / 2px round space;
    border-radius: 9px / 20%; box-shadow: inset 2px 2px 4px 1px color-mix(in lab, red 20%, blue); clip-path: polygon(0 0, 90% 10px, 50% 100%);
    background: repeating-conic-gradient(from 9deg at 20% 3px, red 0 9deg, blue 0 2%), radial-gradient(circle closest-side, red, blue) space;
    transform: rotate(9deg) scale(0.5); float: left; text-decoration: underline wavy 2px; text-overflow: ellipsis; overflow: hidden }
    li::marker { content: counters(list-item, '.') ' ' } p::first-letter { float: left; font-size: 2em } q { quotes: '<' '>' }
    </style><p>a <b>b</b><p><q>c</q><div class=f><i>d</i><i>e</i></div><div class=g><i>f</i><i>g</i></div><div class=c>h<h2>i</h2>j</div>
    <ol start=7><li>k<ol><li>l</ol></ol><div class=d>m n</div><table><thead><tr><th>o<tbody><tr><td rowspan=2>p<td>q</table>";

/// A page that embeds a font from the test files.
fn with_font(file: &str) -> String {
    let font = fs::read(data_dir().join("documents/fonts").join(file)).unwrap_or_default();
    let font: String = font.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!(
        "<style>@font-face {{ font-family: a; src: url(data:font/woff2,{font}) }} p {{ font-family: a }}</style><p>abc"
    )
}

/// Small archives whose parts are not compressed, so that damage reaches the content.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn packed() -> Vec<(&'static str, Vec<u8>)> {
    use crate::{hangul, iwa, zips::Zip};

    let picture = pictures::png(9, 7);
    let comic = Zip::default()
        .stored("page 2.png", &picture)
        .stored("page 10.png", &picture)
        .stored(
            "ComicInfo.xml",
            b"<ComicInfo><Title>a</Title><Manga>YesAndRightToLeft</Manga></ComicInfo>",
        );
    vec![
        ("cbz", comic.finish()),
        ("hwpx", hangul::stored(&picture)),
        ("pages", iwa::pages(&picture)),
        ("key", iwa::key(&picture)),
        (
            "numbers",
            iwa::numbers(&[&["name", "count"], &["apples", "1"]]),
        ),
    ]
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn packed() -> Vec<(&'static str, Vec<u8>)> {
    Vec::new()
}

/// A small file of every format: files that are stored in the repository, and results of conversions of a few simple
/// files. They are made once for all tests.
pub(super) fn fixtures() -> &'static [Fixture] {
    static FIXTURES: OnceLock<Vec<Fixture>> = OnceLock::new();
    FIXTURES.get_or_init(|| made_by(&Server::with("--job-timeout 120").start()))
}

fn made_by(server: &Server) -> Vec<Fixture> {
    let formats = server.get("/api/v1/formats").json();
    let formats = formats["data"]["formats"].as_array().expect("formats");
    let targets_of = |name: &str| {
        let is = |value: &serde_json::Value| value == name;
        let format = formats.iter().find(|format| {
            is(&format["format"])
                || format["aliases"]
                    .as_array()
                    .is_some_and(|names| names.iter().any(is))
        });
        let targets = format.and_then(|format| format["can_convert_to"].as_array());
        let names = |list: &Vec<serde_json::Value>| {
            list.iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect::<Vec<_>>()
        };
        targets.map_or_else(Vec::new, names)
    };
    let mut wav = b"RIFF\xb4\x03\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x90\x03\0\0".to_vec();
    wav.extend(
        (0..456_u32).flat_map(|at| (((at * at * 37) % 20_000) as i16 - 10_000).to_le_bytes()),
    );
    let simple = [
        ("png", pictures::png(24, 17)),
        ("wav", wav),
        ("csv", b"name,count\n\"a, b\",1\nc,2\n".to_vec()),
        ("json", br#"[{"a": 1, "b": [true, null, "x\u00e9"]}, {"a": 2.5}]"#.to_vec()),
        ("md", b"# Title\n\n- one\n- *two* [link](http://x/)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n".to_vec()),
        ("html", b"<!doctype html><title>t</title><table><tr><td>a<td>b</table><p>x &amp; <b>y</b>".to_vec()),
        ("html", STYLED.into()),
        ("html", with_font("letters.woff2").into_bytes()),
        ("svg", br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0L9 9"/><text>a</text></svg>"#.to_vec()),
        ("json", br#"{"a": {"b": [1, 2.5, "2024-01-01T00:00:00Z"]}, "c": [{"d": true}, {"d": false}]}"#.to_vec()),
        ("yaml", b"a: &x\n  b: [1, .inf, !!str 2, ~]\n  'c': |-\n    d\n    e\nf:\n  <<: *x\n  ? g\n  : >+\n    h\n...\n--- # i\n- !j {k: *x}\n".to_vec()),
        ("toml", b"a.b = 0x1F\nc = 1979-05-27T07:32:00-08:00\n[[d]]\ne = { f = [1, 'g'], h = \"\"\"i\\u00e9\"\"\" }\n[d.j]\nk = -inf\n".to_vec()),
        ("xml", b"<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY e 'f'>]>\n<p:a xmlns:p='u' b='1&#9;'><?q?><i>1</i><!-- c --><i x='&e;'>&lt;2</i><![CDATA[<d>]]><j/></p:a>\n".to_vec()),
        ("djvu", include_bytes!("../../data/djvu/outline.djvu").to_vec()),
        ("xml", b"<rows><row><a>1</a><b>x</b></row><row><a>2.5</a></row></rows>".to_vec()),
        ("srt", "1\n00:00:01,000 --> 00:00:02,500 X1:1\n<i>One</i> <font color=\"#ff0000\">é</font>\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}- Two\n- three\n".into()),
        ("vtt", b"WEBVTT\n\nSTYLE\n::cue { color: red }\n\nNOTE a\n\nb\n00:01.000 --> 00:02.000 align:start line:0%\n<v Someone>One <00:01.500><c.x>two</c>\n".to_vec()),
        ("ass", b"[Script Info]\nPlayResX: 640\n\n[V4+ Styles]\nFormat: Name, Fontsize, Bold\nStyle: A,20,-1\n\n[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:02.00,A,{\\i1\\pos(9,9)}One\\Ntwo{\\p1}m 0 0 l 9 9{\\p0}\n".to_vec()),
    ];
    let mut found = Vec::new();
    for (name, content) in simple.into_iter().chain(packed()) {
        let targets = targets_of(name);
        for target in &targets {
            let answer = server.convert(&content, &format!("a.{name}"), target);
            if answer.status == 200 {
                let made = server.get(&answer.data("download_url")).body.to_vec();
                if !targets_of(target).is_empty() {
                    found.push((target.clone(), made));
                }
            }
        }
        if !targets.is_empty() {
            found.push((name.to_owned(), content));
        }
    }
    for path in files_below(&data_dir()) {
        let extension = path
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default();
        if let Ok(content) = fs::read(&path) {
            found.push((extension.to_lowercase(), content));
        }
    }
    let with_targets = |(name, content): (String, Vec<u8>)| {
        let targets = targets_of(&name);
        (!targets.is_empty() && !content.is_empty()).then_some(Fixture {
            name,
            content,
            targets,
        })
    };
    found.into_iter().filter_map(with_targets).collect()
}

/// Stores the file that caused a finding, so that it can be examined and added to `tests/data/bad`.
pub(super) fn keep(what: &str, fixture: &str, target: &str, bytes: &[u8]) -> PathBuf {
    let dir = std::env::temp_dir().join("convertd-findings");
    let _ = fs::create_dir_all(&dir);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path = dir.join(format!("{what}-to-{target}-{hash:016x}.{fixture}"));
    let _ = fs::write(&path, bytes);
    path
}

/// Checks that the conversion of a damaged file ends with an error or a result.
fn check_file(server: &Server, name: &str, target: &str, bytes: &[u8]) -> Result<(), String> {
    let answer = server.convert(bytes, &format!("a.{name}"), target);
    let found = |what: &str, detail: &str| {
        let path = keep(what, name, target, bytes);
        Err(format!(
            "{what}: {name} to {target}: {detail} ({})",
            path.display()
        ))
    };
    match answer.status {
        200 => {
            let file = server.get(&answer.data("download_url"));
            if file.status == 200 {
                Ok(())
            } else {
                found("lost", &format!("{file:?}"))
            }
        }
        // A codec that panics or is killed is a finding, although the service continues.
        400 if answer.error().contains("crashed its decoder") => found("crash", &answer.error()),
        400 if answer.error().contains("took longer") => found("slow", &answer.error()),
        400 => Ok(()),
        _ => found("fault", &format!("{answer:?}")),
    }
}

#[test]
fn damaged_files_are_refused_or_converted() {
    let mut server = Server::with("--job-timeout 120 --memory 256M").start();
    let fixtures = fixtures();
    assert!(fixtures.len() > 10, "only {} formats", fixtures.len());
    let deadline = Instant::now() + duration();
    let (findings, tried) = (Mutex::new(Vec::new()), Mutex::new(0));
    thread::scope(|scope| {
        for stream in 0..2 {
            let (server, findings, tried) = (&server, &findings, &tried);
            scope.spawn(move || {
                let mut random = Random::new(stream);
                while Instant::now() < deadline {
                    let (fixture, other) = (random.pick(fixtures), random.pick(fixtures));
                    let bytes = damage(&mut random, &fixture.content, &other.content);
                    let target = random.pick(&fixture.targets);
                    if bytes.is_empty() {
                        continue;
                    }
                    if let Err(finding) = check_file(server, &fixture.name, target, &bytes) {
                        findings.lock().expect("findings").push(finding);
                    }
                    *tried.lock().expect("a count") += 1;
                }
            });
        }
    });
    eprintln!(
        "{} damaged files of {} kinds",
        tried.into_inner().expect("a count"),
        fixtures.len()
    );
    let findings = findings.into_inner().expect("findings");
    assert!(
        findings.is_empty(),
        "{} findings: {findings:#?}",
        findings.len()
    );
    assert!(server.process().exited().is_none());
    assert_sound(&server);
}

/// Files that caused findings in earlier runs.
#[test]
fn bad_files_fail_cleanly() {
    let server = Server::with("--job-timeout 120 --memory 256M").start();
    let formats = fixtures();
    // All targets of a file use the same reader, so three of them are enough. All are tested if `CONVERTD_FUZZ_SECONDS`
    // is set.
    let all = std::env::var_os("CONVERTD_FUZZ_SECONDS").is_some();
    for (number, path) in files_below(&data_dir().join("bad")).into_iter().enumerate() {
        let extension = path
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default();
        let content = fs::read(&path).expect("a file");
        let targets = formats.iter().find(|fixture| fixture.name == extension);
        let targets = targets.map_or(&[][..], |fixture| &fixture.targets);
        let step = if all {
            1
        } else {
            targets.len().div_ceil(3).max(1)
        };
        for target in targets.iter().skip(number % step).step_by(step) {
            if let Err(finding) = check_file(&server, extension, target, &content) {
                panic!("{}: {finding}", path.display());
            }
        }
    }
    assert_sound(&server);
}

/// The server soon answers or ends the connection, whatever a client sends.
#[test]
fn damaged_requests_are_answered_or_cut_off() {
    // Some of the requests are valid conversions whose results nobody fetches.
    let server = Server::with("--link-ttl 5").start();
    let form = Form::of(&pictures::png(4, 4), "a.png", "bmp");
    let originals: Vec<Vec<u8>> = [
        Request::get("/api/v1/health").field("Connection", "keep-alive"),
        Request::get("/api/v1/formats?x=y%20z").field("Origin", "https://a.example"),
        Request::head("/api/v1/download/00000000-0000-4000-8000-000000000000")
            .field("Range", "bytes=0-5,7-"),
        Request::get("/api/v1/status/00000000-0000-4000-8000-000000000000")
            .field("Authorization", "Bearer x"),
        Request::form(form.clone()).field("Prefer", "respond-async; wait=5"),
        Request::form(form.clone()).field("Expect", "100-continue"),
        Request::form(form).chunked(100),
    ]
    .iter()
    .map(Request::bytes)
    .collect();
    let deadline = Instant::now() + duration();
    thread::scope(|scope| {
        for stream in 0..2 {
            let (server, originals) = (&server, &originals);
            scope.spawn(move || {
                let mut random = Random::new(100 + stream);
                while Instant::now() < deadline {
                    let (one, other) = (random.pick(originals), random.pick(originals));
                    let mut bytes = damage(&mut random, one, other);
                    bytes.extend_from_slice(other);
                    let mut client = server.connect();
                    let _ = client.try_write(&bytes);
                    client.finish_sending();
                    let mut answers = 0;
                    loop {
                        match read_within(&mut client, DEADLINE) {
                            Ok(answer) => {
                                assert!(
                                    answer.status < 500 || matches!(answer.status, 501 | 503 | 505),
                                    "{answer:?}"
                                );
                                answers += 1;
                                assert!(answers < 50, "more answers than requests");
                            }
                            Err(err) => {
                                let waited = matches!(
                                    err.kind(),
                                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                                );
                                assert!(
                                    !waited,
                                    "no answer to {:?}",
                                    String::from_utf8_lossy(&bytes)
                                );
                                break;
                            }
                        }
                    }
                }
            });
        }
    });
    assert_sound(&server);
}
