//! Pictures through HTTP, compared with sharp behind Node's `http`, and with ImageMagick and libvips as separate
//! processes. Prints the tables of the manual; contains no assertion.
//!
//! `make bench-image` runs it against the static binary. Programs that are missing are skipped. `CONVERTD_SHARP` names
//! a directory with sharp in its `node_modules`; otherwise npm installs it for the run. `CONVERTD_ROUNDS` is 7 by
//! default.

mod support;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use support::{
    Scratch, Sharp,
    common::{Answer, Result, Service, binary, expect},
    median, processor_ms, timed, watched,
};

/// A conversion, with the arguments for each of the programs.
struct Row {
    name: &'static str,
    source: &'static str,
    target: &'static str,
    /// Further fields of the form.
    fields: &'static [(&'static str, &'static str)],
    /// The query for the server with sharp; empty if sharp cannot do the conversion.
    sharp: &'static str,
    /// Arguments for ImageMagick between input and output.
    magick: &'static [&'static str],
    /// Options of libvips, appended to the name of the output; `-` if libvips cannot do the conversion.
    vips: &'static str,
    /// Goal: the largest ratio of our processor time to that of sharp that is acceptable.
    goal: f64,
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("jpg → png", "photo.jpg", "png", &[], "png", &[], "", 0.25),
    row("png → jpg", "photo.png", "jpg", &[], r#"jpeg={"quality":82}"#, &["-quality", "82", "-sampling-factor", "4:2:0"], "[Q=82]", 0.6),
    row("jpg → webp", "photo.jpg", "webp", &[], r#"webp={"quality":80}"#, &["-quality", "80"], "[Q=80]", 0.8),
    row("webp → png", "photo.webp", "png", &[], "png", &[], "", 0.5),
    row("jpg → gif", "photo.jpg", "gif", &[], "gif", &[], "-", 0.1),
    row("png → tiff, Deflate", "photo.png", "tiff", &[], r#"tiff={"compression":"deflate","predictor":"horizontal"}"#, &["-compress", "Zip"], "[compression=deflate,predictor=horizontal]", 0.8),
    row("png → tiff, plain", "photo.png", "tiff", &[("quality", "low")], r#"tiff={"compression":"none"}"#, &["-compress", "None"], "[compression=none]", 0.8),
    row("png → bmp (sharp: raw pixels)", "photo.png", "bmp", &[], "raw", &[], "-", 0.8),
    row("svg → png, 2000 × 2000", "drawing.svg", "png", &[], "png", &[], "", 0.5),
    row("jpg → jpg, 320 pixels wide", "photo.jpg", "jpg", &[("width", "320")], r#"resize=320&jpeg={"quality":82}"#, &["-resize", "320x", "-quality", "82"], "[Q=82]", 0.8),
];

#[allow(clippy::too_many_arguments)] // They are columns.
const fn row(
    name: &'static str,
    source: &'static str,
    target: &'static str,
    fields: &'static [(&'static str, &'static str)],
    sharp: &'static str,
    magick: &'static [&'static str],
    vips: &'static str,
    goal: f64,
) -> Row {
    Row {
        name,
        source,
        target,
        fields,
        sharp,
        magick,
        vips,
        goal,
    }
}

/// The installed programs.
struct Programs {
    ours: Service,
    process: u32,
    sharp: Option<Sharp>,
    magick: Option<String>,
    vips: Option<String>,
}

fn main() -> Result {
    let machine = support::machine();
    eprintln!("{machine}");
    let ours = Service::start(&["--log", "warn", "--max-upload", "1G"])?;
    let programs = Programs {
        process: ours.process().ok_or("no process")?,
        ours,
        sharp: Sharp::start(1024, 600)?,
        magick: support::image_magick(),
        vips: support::tool(&["vips"], &["--version"], "vips"),
    };
    let scratch = Scratch::new()?;
    let size = fs::metadata(binary()?)?.len() as f64 / 1e6;
    let idle = watched(programs.process, || Ok(()))?.0;
    println!("\n{machine}; the binary has {size:.1} MB; idle, with its children, {idle:.1} MiB\n");
    each_pair(&programs, &scratch)?;
    println!();
    many_at_once(&programs, &scratch)?;
    println!();
    large(&programs, &scratch)
}

// ---- one at a time

fn each_pair(programs: &Programs, scratch: &Scratch) -> Result {
    let rounds = env::var("CONVERTD_ROUNDS").map_or(Ok(7), |text| text.parse())?;
    let raw = scratch.path("photo.ppm");
    fs::write(&raw, support::photograph(4000, 3000))?;
    for (name, quality) in [
        // As cameras write it: sequential, with reduced colour resolution.
        ("photo.jpg", "medium"),
        ("photo.png", "medium"),
        ("photo.webp", "medium"),
    ] {
        support::convert_file(&raw, &scratch.path(name), quality)?;
    }
    if let Some(magick) = &programs.magick {
        // A PNG as most programs write it, with libpng and zlib.
        let written = Command::new(magick)
            .arg(&raw)
            .arg(scratch.path("photo.png"))
            .status()?;
        expect(written.success(), "the PNG could not be written")?;
    }
    fs::write(scratch.path("drawing.svg"), drawing())?;
    println!(
        "| wall / processor ms, MB | convertd | sharp | ImageMagick | libvips | against sharp, wall / processor | goal |"
    );
    println!("|---|---|---|---|---|---|---|");
    for row in ROWS {
        let source = scratch.path(row.source);
        let content = fs::read(&source)?;
        let output = scratch.path("output").with_extension(row.target);
        let mut columns: [Vec<Cost>; 4] = Default::default();
        // The first round warms up.
        for round in 0..=rounds {
            let mut note = |column: usize, cost: Cost| {
                if round > 0 {
                    columns[column].push(cost);
                }
            };
            note(
                0,
                cost(programs.process, || ours(&programs.ours, row, &content))?,
            );
            if let Some(sharp) = &programs.sharp {
                note(
                    1,
                    cost(sharp.process(), || theirs(sharp, row.sharp, &content))?,
                );
            }
            if let Some(magick) = &programs.magick {
                let mut command = Command::new(magick);
                command.arg(&source).args(row.magick);
                // The program may be built without a decoder for this format.
                if let Ok(cost) = cost_of(command.arg(&output), &output) {
                    note(2, cost);
                }
            }
            if let Some(vips) = programs.vips.as_ref().filter(|_| row.vips != "-") {
                let mut command = Command::new(vips);
                let mut to = output.clone().into_os_string();
                to.push(row.vips);
                match row.fields {
                    [("width", width)] => command.arg("thumbnail").arg(&source).arg(to).arg(width),
                    _ => command.arg("copy").arg(&source).arg(to),
                };
                if let Ok(cost) = cost_of(&mut command, &output) {
                    note(3, cost);
                }
            }
        }
        let [ours, sharp, magick, vips] = columns.map(Cost::median);
        println!(
            "| {} | {ours} | {sharp} | {magick} | {vips} | {:.2} / {:.2} | {} |",
            row.name,
            ours.wall / sharp.wall,
            ours.processor / sharp.processor,
            row.goal,
        );
    }
    Ok(())
}

/// Cost of a conversion in milliseconds, and size of its result in bytes.
struct Cost {
    wall: f64,
    processor: f64,
    bytes: usize,
}

impl Cost {
    /// Medians of the times, and the size of the last result.
    fn median(costs: Vec<Self>) -> Self {
        Self {
            wall: median(costs.iter().map(|cost| cost.wall).collect()),
            processor: median(costs.iter().map(|cost| cost.processor).collect()),
            bytes: costs.last().map_or(0, |cost| cost.bytes),
        }
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.wall.is_nan() {
            return f.write_str("–");
        }
        let megabytes = self.bytes as f64 / 1e6;
        write!(
            f,
            "{:.0} / {:.0}, {megabytes:.2}",
            self.wall, self.processor
        )
    }
}

/// Cost of `work` for a server, and the number of bytes that it returned.
fn cost(process: u32, work: impl FnOnce() -> Result<usize>) -> Result<Cost> {
    let before = processor_ms(process);
    let (seconds, bytes) = timed(work)?;
    Ok(Cost {
        wall: seconds * 1e3,
        processor: processor_ms(process) - before,
        bytes,
    })
}

/// Cost of a command that writes `output`.
fn cost_of(command: &mut Command, output: &Path) -> Result<Cost> {
    let before = processor_ms(std::process::id());
    let (seconds, status) = timed(|| Ok(command.stderr(Stdio::null()).status()?))?;
    expect(status.success(), format!("{command:?} failed"))?;
    // The benchmark itself only waits, so nearly all of the time is that of its children.
    Ok(Cost {
        wall: seconds * 1e3,
        processor: processor_ms(std::process::id()) - before,
        bytes: fs::metadata(output)?.len() as usize,
    })
}

/// Uploads, converts and downloads a file. Returns the length of the result in bytes.
fn ours(service: &Service, row: &Row, content: &[u8]) -> Result<usize> {
    let mut fields = vec![("target_format", row.target)];
    fields.extend(row.fields);
    let answer = service.convert(row.source, content, &fields, &[])?;
    expect(answer.status == 200, answer.text())?;
    let download = service.get_path(&answer.field("download_url")?)?;
    expect(download.status == 200, "the download failed")?;
    Ok(download.body.len())
}

fn theirs(sharp: &Sharp, query: &str, content: &[u8]) -> Result<usize> {
    let answer: Answer = sharp.convert(query, content)?;
    expect(answer.status == 200, answer.text())?;
    Ok(answer.body.len())
}

/// A drawing of four hundred groups, each with a circle and a line. Every other group has an opacity.
fn drawing() -> String {
    let shapes: String = (0..400)
        .map(|at| {
            let (x, y) = (at % 20 * 100, at / 20 * 100);
            let opacity = if at % 2 == 0 { " opacity='0.8'" } else { "" };
            format!(
                "<g{opacity}><circle cx='{x}' cy='{y}' r='90' fill='#{:06x}'/><path d='M{x} {y}q60 90 150 20t90-60' fill='none' stroke='#333' stroke-width='7'/></g>",
                at * 40_503 % 0xff_ffff
            )
        })
        .collect();
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='2000'>{shapes}</svg>")
}

// ---- many at once

/// Function that converts a picture on one of the servers, and returns the length of the result.
type Convert<'a> = &'a (dyn Fn(&Row, &[u8]) -> Result<usize> + Sync);

/// Eight clients, a hundred different pictures from 0.1 to 24 MP.
fn many_at_once(programs: &Programs, scratch: &Scratch) -> Result {
    const COUNT: usize = 100;
    const CLIENTS: usize = 8;
    /// Rows of the table that are requested in turn.
    const MIX: [usize; 6] = [9, 1, 2, 0, 9, 3];
    let mut pictures: Vec<(&Row, PathBuf)> = Vec::new();
    let mut pixels = 0.0;
    for at in 0..COUNT {
        // The sizes are in mixed order; sorted, each is larger than the one before by the same factor.
        let share = (at * 37 % COUNT) as f64 / (COUNT - 1) as f64;
        let size = 0.1e6 * 240_f64.powf(share);
        let (width, height) = (
            (size * 4.0 / 3.0).sqrt() as u32,
            (size * 0.75).sqrt() as u32,
        );
        pixels += f64::from(width) * f64::from(height) / 1e6;
        let row = &ROWS[MIX[at % MIX.len()]];
        let (raw, path) = (
            scratch.path("raw.ppm"),
            scratch.path(&format!("{at}-{}", row.source)),
        );
        fs::write(&raw, support::photograph(width, height))?;
        support::convert_file(&raw, &path, "medium")?;
        pictures.push((row, path));
    }
    let run = |convert: Convert<'_>| -> Result {
        let next = AtomicUsize::new(0);
        let client = || -> std::result::Result<(), String> {
            while let Some((row, path)) = pictures.get(next.fetch_add(1, Ordering::Relaxed)) {
                let content = fs::read(path).map_err(|err| err.to_string())?;
                convert(row, &content).map_err(|err| err.to_string())?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
            for client in clients {
                client.join().map_err(|_| "a client failed")??;
            }
            Ok(())
        })
    };
    let measure = |process, convert: Convert<'_>| -> Result<[f64; 3]> {
        let before = processor_ms(process);
        let (peak, (seconds, ())) = watched(process, || timed(|| run(convert)))?;
        let processor = (processor_ms(process) - before) / 1e3;
        Ok([pixels / seconds, pixels / processor, peak])
    };
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        here.push(measure(programs.process, &|row, content| {
            ours(&programs.ours, row, content)
        })?);
        if let Some(sharp) = &programs.sharp {
            there.push(measure(sharp.process(), &|row, content| {
                theirs(sharp, row.sharp, content)
            })?);
        }
    }
    println!(
        "| 8 clients, 100 pictures, {pixels:.0} MP | MP a second | MP a second of processor time | peak memory MiB |"
    );
    println!("|---|---|---|---|");
    for (name, runs) in [("convertd", here), ("sharp", there)] {
        let [rate, by_processor, peak] =
            [0, 1, 2].map(|column| median(runs.iter().map(|run| run[column]).collect()));
        println!("| {name} | {rate:.1} | {by_processor:.1} | {peak:.0} |");
    }
    Ok(())
}

// ---- one that is large

fn large(programs: &Programs, scratch: &Scratch) -> Result {
    let raw = scratch.path("large.ppm");
    fs::write(&raw, support::photograph(11_500, 8_700))?;
    println!("| 100 MP | convertd, s | peak MiB | sharp, s | peak MiB |");
    println!("|---|---|---|---|---|");
    for row in [&ROWS[1], &ROWS[0]] {
        let source = scratch.path(&format!("large-{}", row.source));
        support::convert_file(&raw, &source, "medium")?;
        let content = fs::read(&source)?;
        let (peak, (seconds, _)) = watched(programs.process, || {
            timed(|| ours(&programs.ours, row, &content))
        })?;
        print!("| {} | {seconds:.2} | {peak:.1} |", row.name);
        match &programs.sharp {
            Some(sharp) => {
                let (peak, (seconds, _)) = watched(sharp.process(), || {
                    timed(|| theirs(sharp, row.sharp, &content))
                })?;
                println!(" {seconds:.2} | {peak:.0} |");
            }
            None => println!(" – | – |"),
        }
    }
    Ok(())
}
