//! Documents and sheets through HTTP, compared with pandoc, typst and LibreOffice as separate processes. Prints the
//! table of the manual; contains no assertion.
//!
//! `make bench-document` runs it against the static binary. Programs that are missing are skipped: pandoc and typst
//! come from PyPI (`pip install pypandoc_binary typst`), LibreOffice from Debian. `CONVERTD_ROUNDS` is 5 by default.

mod support;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use support::{
    Scratch,
    common::{Result, Service, binary, expect},
    median, processor_ms, timed, watched,
};

/// Length of the Markdown text that is converted, in bytes.
const LEN: usize = 305_000;
/// Rows and columns of the table that is converted.
const TABLE_ROWS: usize = 50_000;
const TABLE_COLUMNS: usize = 10;
/// The text that the source repeats.
const TEXT: &str = include_str!("../data/documents/report.md");

/// A program that can do the conversion of a row.
#[derive(Clone, Copy)]
enum Peer {
    Pandoc,
    Typst,
    Office,
}

struct Row {
    source: &'static str,
    target: &'static str,
    peer: Peer,
    /// Goal: the ratio of the peer's processor time to ours.
    goal: f64,
}

#[rustfmt::skip]
const ROWS: [Row; 7] = [
    Row { source: "text.md", target: "html", peer: Peer::Pandoc, goal: 80.0 },
    Row { source: "text.md", target: "docx", peer: Peer::Pandoc, goal: 50.0 },
    Row { source: "text.docx", target: "md", peer: Peer::Pandoc, goal: 15.0 },
    Row { source: "text.docx", target: "pdf", peer: Peer::Office, goal: 10.0 },
    Row { source: "text.md", target: "pdf", peer: Peer::Typst, goal: 4.0 },
    Row { source: "table.csv", target: "xlsx", peer: Peer::Office, goal: 6.0 },
    Row { source: "table.xlsx", target: "csv", peer: Peer::Office, goal: 6.0 },
];

/// Cost of a conversion: elapsed time and processor time in milliseconds, and peak memory in MiB.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    processor: f64,
    peak: f64,
}

fn main() -> Result {
    let machine = support::machine();
    eprintln!("{machine}");
    let rounds = env::var("CONVERTD_ROUNDS").map_or(Ok(5), |text| text.parse())?;
    let scratch = Scratch::new()?;
    let pandoc = pandoc();
    let office = support::tool(&["soffice"], &["--version"], "LibreOffice");
    let typst = typst();
    let service = Service::start(&["--log", "warn"])?;
    let process = service.process().ok_or("no process")?;
    prepare(&scratch, &service, pandoc.as_deref())?;
    let size = fs::metadata(binary()?)?.len() as f64 / 1e6;
    println!(
        "\n{machine}; the binary has {size:.1} MB; {LEN} bytes of Markdown, {TABLE_ROWS} rows of {TABLE_COLUMNS} cells\n"
    );
    println!(
        "| wall ms / processor ms / peak MiB | convertd | other | processor time, ratio | memory, ratio | goal |"
    );
    println!("|---|---|---|---|---|---|");
    for row in ROWS {
        let source = scratch.path(row.source);
        let content = fs::read(&source)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let command = || match row.peer {
            Peer::Pandoc => Some(by_pandoc(pandoc.as_deref()?, &source, row.target)),
            Peer::Typst => typst.then(|| by_typst(&scratch)),
            Peer::Office => Some(by_office(office.as_deref()?, &source, row.target, &scratch)),
        };
        // The first round warms up.
        for round in 0..=rounds {
            let cost = cost_of_ours(process, || convert(&service, &row, &content))?;
            let other = command().map(cost_of).transpose()?;
            if round > 0 {
                ours.push(cost);
                theirs.extend(other);
            }
        }
        let (ours, theirs) = (middle(&ours), middle(&theirs));
        let name = match row.peer {
            Peer::Pandoc => "pandoc",
            Peer::Typst => "typst",
            Peer::Office => "LibreOffice",
        };
        println!(
            "| {} → {} | {:.0} / {:.0} / {:.0} | {name} {:.0} / {:.0} / {:.0} | {:.1} | {:.1} | {} |",
            row.source.rsplit('.').next().unwrap_or_default(),
            row.target,
            ours.wall,
            ours.processor,
            ours.peak,
            theirs.wall,
            theirs.processor,
            theirs.peak,
            theirs.processor / ours.processor,
            theirs.peak / ours.peak,
            row.goal
        );
    }
    Ok(())
}

/// Writes the sources: Markdown, the same text as a Word document, and in typst's own language if pandoc is installed.
fn prepare(scratch: &Scratch, service: &Service, pandoc: Option<&str>) -> Result {
    let (_, body) = TEXT.split_once("\n---\n").ok_or("no text")?;
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= LEN {
            break;
        }
        // Names of notes must be unique in the file. A picture beside the file is missing in a request.
        text += &body
            .replace("[^first]", &format!("[^a{number}]"))
            .replace("[^second]", &format!("[^b{number}]"))
            .replace("![A gradient, in small](picture.png)", "");
    }
    let markdown = scratch.path("text.md");
    fs::write(&markdown, &text)?;
    let answer = service.convert(
        "text.md",
        text.as_bytes(),
        &[("target_format", "docx")],
        &[],
    )?;
    expect(answer.status == 200, answer.text())?;
    let document = service.get_path(&answer.field("download_url")?)?;
    fs::write(scratch.path("text.docx"), document.body)?;
    let table = table();
    fs::write(scratch.path("table.csv"), &table)?;
    let answer = service.convert(
        "table.csv",
        table.as_bytes(),
        &[("target_format", "xlsx")],
        &[],
    )?;
    expect(answer.status == 200, answer.text())?;
    let workbook = service.get_path(&answer.field("download_url")?)?;
    fs::write(scratch.path("table.xlsx"), workbook.body)?;
    if let Some(pandoc) = pandoc {
        for name in ["text.docx", "text.typ"] {
            let mut command = Command::new(pandoc);
            command.arg(&markdown).args(["-s", "-o"]);
            expect(
                command.arg(scratch.path(name)).status()?.success(),
                "pandoc has failed",
            )?;
        }
    }
    Ok(())
}

/// A table of numbers, amounts, dates and words, the same in every run.
fn table() -> String {
    let mut text = String::new();
    let mut seed = 0x5eed_u64;
    for row in 0..TABLE_ROWS {
        for column in 0..TABLE_COLUMNS {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let value = match column % 5 {
                0 => row.to_string(),
                1 => format!("{}.{:02}", seed % 10_000, seed / 10_000 % 100),
                2 => format!(
                    "20{:02}-{:02}-{:02}",
                    seed % 30,
                    seed / 30 % 12 + 1,
                    seed / 360 % 28 + 1
                ),
                3 => format!("Name {}", seed % 5000),
                _ => ["red", "green", "blue"][(seed % 3) as usize].to_owned(),
            };
            text += &value;
            text.push(if column + 1 == TABLE_COLUMNS {
                '\n'
            } else {
                ','
            });
        }
    }
    text
}

/// Uploads, converts and downloads a file.
fn convert(service: &Service, row: &Row, content: &[u8]) -> Result<()> {
    let fields = [("target_format", row.target)];
    let answer = service.convert(row.source, content, &fields, &[])?;
    expect(answer.status == 200, answer.text())?;
    let download = service.get_path(&answer.field("download_url")?)?;
    expect(download.status == 200, "the download failed")
}

fn by_pandoc(pandoc: &str, source: &Path, target: &str) -> Command {
    let mut command = Command::new(pandoc);
    command.arg(source).arg("-s").arg("-o");
    command.arg(source.with_file_name("result").with_extension(target));
    command
}

fn by_typst(scratch: &Scratch) -> Command {
    let mut command = Command::new("python3");
    command.args([
        "-c",
        "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])",
    ]);
    command.args([scratch.path("text.typ"), scratch.path("typst.pdf")]);
    command
}

fn by_office(office: &str, source: &Path, target: &str, scratch: &Scratch) -> Command {
    let mut command = Command::new(office);
    let profile = scratch.path("profile").display().to_string();
    command.arg(format!("-env:UserInstallation=file://{profile}"));
    command.args(["--headless", "--convert-to", target, "--outdir"]);
    command.arg(scratch.path("office")).arg(source);
    command
}

fn cost_of_ours(process: u32, work: impl FnOnce() -> Result<()>) -> Result<Cost> {
    let before = processor_ms(process);
    let (peak, (seconds, ())) = watched(process, || timed(work))?;
    Ok(Cost {
        wall: seconds * 1e3,
        processor: processor_ms(process) - before,
        peak,
    })
}

fn cost_of(mut command: Command) -> Result<Cost> {
    let before = processor_ms_of_ended()?;
    let (seconds, peak) = timed(|| {
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let (peak, status) = watched(child.id(), || Ok(child.wait()?))?;
        expect(status.success(), format!("{command:?} failed"))?;
        Ok(peak)
    })?;
    Ok(Cost {
        wall: seconds * 1e3,
        processor: processor_ms_of_ended()? - before,
        peak,
    })
}

/// Processor time of all processes that this one has started and waited for (proc_pid_stat(5), `cutime` and `cstime`),
/// in milliseconds. Its own time is not included.
fn processor_ms_of_ended() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no fields")?;
    let ticks = fields.split_whitespace().skip(13).take(2);
    Ok(ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        * 10.0)
}

/// Medians of each cost.
fn middle(costs: &[Cost]) -> Cost {
    let of = |field: fn(&Cost) -> f64| median(costs.iter().map(field).collect());
    Cost {
        wall: of(|cost| cost.wall),
        processor: of(|cost| cost.processor),
        peak: of(|cost| cost.peak),
    }
}

/// The pandoc that pip has installed, which is newer than Debian's, or else the one on the path.
fn pandoc() -> Option<String> {
    let script = "import pypandoc; print(pypandoc.get_pandoc_path())";
    let output = Command::new("python3").args(["-c", script]).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    if output.status.success() && path.is_file() {
        return Some(path.display().to_string());
    }
    support::tool(&["pandoc"], &["--version"], "pandoc")
}

fn typst() -> bool {
    let output = Command::new("python3")
        .args(["-c", "import typst"])
        .output();
    let found = output.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: needs typst");
    }
    found
}
