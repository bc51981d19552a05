//! Measures picture conversions through HTTP beside sharp behind Node's `http`, ImageMagick and libvips.
//!
//! One run, alternating, medians of wall and processor time. Needs `CONVERTD_BIN` and ImageMagick for the pictures;
//! sharp where `CONVERTD_SHARP` names a directory that has it in `node_modules`, libvips where `vips` is installed.
//! What is missing is left out. The first argument is the number of rounds, 7 by default.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Instant,
};

/// From a picture to a format, as each of the programs is told.
struct Row {
    name: &'static str,
    source: &'static str,
    target: &'static str,
    width: Option<u32>,
    /// Arguments for ImageMagick between input and output.
    magick: &'static [&'static str],
    /// What `vips` saves with, behind the name of the output.
    vips: &'static str,
    /// The chain of calls on `sharp(body)`.
    sharp: &'static str,
}

const ROWS: &[Row] = &[
    row("jpg→png", "photo.jpg", "png", &[], "", "png()"),
    row(
        "png→jpg",
        "photo.png",
        "jpg",
        &["-quality", "82"],
        "[Q=82]",
        "jpeg({quality:82})",
    ),
    row(
        "jpg→webp",
        "photo.jpg",
        "webp",
        &["-quality", "80"],
        "[Q=80]",
        "webp({quality:80})",
    ),
    row("webp→png", "photo.webp", "png", &[], "", "png()"),
    row("jpg→gif", "photo.jpg", "gif", &[], "", "gif()"),
    row(
        "png→tiff",
        "photo.png",
        "tiff",
        &["-compress", "Zip"],
        "[compression=deflate,predictor=horizontal]",
        "tiff({compression:'deflate',predictor:'horizontal'})",
    ),
    row("png→bmp", "photo.png", "bmp", &[], "", ""),
    row("svg→png", "drawing.svg", "png", &[], "", "png()"),
    Row {
        width: Some(320),
        ..row(
            "jpg→320 px jpg",
            "photo.jpg",
            "jpg",
            &["-resize", "320x", "-quality", "82"],
            "[Q=82]",
            "resize(320).jpeg({quality:82})",
        )
    },
];

const fn row(
    name: &'static str,
    source: &'static str,
    target: &'static str,
    magick: &'static [&'static str],
    vips: &'static str,
    sharp: &'static str,
) -> Row {
    Row {
        name,
        source,
        target,
        width: None,
        magick,
        vips,
        sharp,
    }
}

/// Takes a picture in the body of a POST; the chain of calls stands in the query.
const SHARP: &str = r"
const http = require('http'), sharp = require('sharp');
sharp.cache(false);
http.createServer((request, response) => {
  const parts = [];
  request.on('data', part => parts.push(part)).on('end', async () => {
    const chain = decodeURIComponent(request.url.slice(2));
    try {
      const result = await eval('sharp(Buffer.concat(parts),{limitInputPixels:false}).' + chain + '.toBuffer()');
      response.writeHead(200, {'content-length': result.length}); response.end(result);
    } catch (error) { response.writeHead(500); response.end(String(error)); }
  });
}).listen(0, '127.0.0.1', function () { console.log('listening on http://127.0.0.1:' + this.address().port); });
";

const MAGICK: &str = "/usr/bin/convert";

fn main() {
    let rounds: usize = env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(7);
    let Ok(binary) = env::var("CONVERTD_BIN") else {
        eprintln!("CONVERTD_BIN must name the binary to measure");
        std::process::exit(2);
    };
    let at = env::temp_dir().join(format!("convertd-bench-image-{}", std::process::id()));
    fs::create_dir_all(&at).expect("a directory for the pictures");
    pictures(&at);
    let data = at.join("data");
    let mut ours = Server::start(
        Command::new(binary)
            .args(["--listen", "127.0.0.1:0", "--log", "info", "--data-dir"])
            .arg(data),
    );
    let mut sharp = env::var("CONVERTD_SHARP").ok().map(|directory| {
        Server::start(
            Command::new("node")
                .args(["-e", SHARP])
                .current_dir(directory),
        )
    });
    let vips = Command::new("vips").arg("--version").output().is_ok();
    println!(
        "| 12 MP, {rounds} rounds | convertd wall / cpu ms | bytes | sharp | bytes | ImageMagick | libvips | against sharp, wall / cpu |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in ROWS {
        measure(row, &at, rounds, &ours, sharp.as_ref(), vips);
    }
    println!("\nPeak resident memory: convertd {} MB", ours.peak() >> 10);
    if let Some(sharp) = &sharp {
        println!("sharp {} MB", sharp.peak() >> 10);
    }
    ours.stop();
    if let Some(sharp) = &mut sharp {
        sharp.stop();
    }
    fs::remove_dir_all(at).ok();
}

fn pictures(at: &Path) {
    let path = |name: &str| at.join(name).display().to_string();
    let run = |arguments: &[&str]| {
        let done = Command::new(MAGICK).args(arguments).status();
        assert!(
            done.is_ok_and(|status| status.success()),
            "ImageMagick is needed"
        );
    };
    let photo = path("photo.png");
    run(&[
        "-size",
        "4000x3000",
        "-seed",
        "7",
        "plasma:tomato-steelblue",
        "-pointsize",
        "120",
        "-fill",
        "white",
        "-annotate",
        "+300+800",
        "The quick brown fox",
        "-attenuate",
        "0.06",
        "+noise",
        "Gaussian",
        "-depth",
        "8",
        "-define",
        "png:color-type=2",
        &photo,
    ]);
    run(&[
        &photo,
        "-quality",
        "90",
        "-sampling-factor",
        "2x2",
        &path("photo.jpg"),
    ]);
    run(&[&photo, "-quality", "80", &path("photo.webp")]);
    let shapes: String = (0..400)
        .map(|at| {
            let (x, y) = (at % 20 * 100, at / 20 * 100);
            format!("<g opacity='0.8'><circle cx='{x}' cy='{y}' r='90' fill='#{:06x}'/><path d='M{x} {y}q60 90 150 20t90-60' fill='none' stroke='#333' stroke-width='7'/></g>", at * 40_503 % 0xff_ffff)
        })
        .collect();
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='2000'>{shapes}</svg>"
    );
    fs::write(at.join("drawing.svg"), svg).expect("a drawing");
}

fn measure(row: &Row, at: &Path, rounds: usize, ours: &Server, sharp: Option<&Server>, vips: bool) {
    let body = fs::read(at.join(row.source)).expect("a picture");
    let source = at.join(row.source).display().to_string();
    let output = at.join(format!("out.{}", row.target)).display().to_string();
    let mut times: [Vec<(f64, f64)>; 4] = Default::default();
    let mut sizes = [0; 2];
    // The first round warms up.
    for round in 0..=rounds {
        let mut note = |who: usize, time: (f64, f64)| {
            if round > 0 {
                times[who].push(time);
            }
        };
        note(0, ours.timed(|| sizes[0] = ours.convert(row, &body)));
        if let Some(sharp) = sharp.filter(|_| !row.sharp.is_empty()) {
            note(
                1,
                sharp.timed(|| {
                    sizes[1] = sharp
                        .post(&format!("/?{}", encoded(row.sharp)), &body)
                        .len()
                }),
            );
        }
        let mut magick = Command::new(MAGICK);
        magick.arg(&source).args(row.magick).arg(&output);
        note(2, timed_child(&mut magick));
        if vips && row.target != "bmp" {
            let mut command = Command::new("vips");
            let output = format!("{output}{}", row.vips);
            match row.width {
                Some(width) => command.args(["thumbnail", &source, &output, &width.to_string()]),
                None => command.args(["copy", &source, &output]),
            };
            note(3, timed_child(&mut command));
        }
    }
    let medians = times.map(median);
    let show = |time: Option<(f64, f64)>| {
        time.map_or("–".into(), |(wall, cpu)| format!("{wall:.0} / {cpu:.0}"))
    };
    let ratio = match (medians[0], medians[1]) {
        (Some(ours), Some(sharp)) => format!("{:.2} / {:.2}", ours.0 / sharp.0, ours.1 / sharp.1),
        _ => "–".into(),
    };
    println!(
        "| {} | {} | {} | {} | {} | {} | {} | {ratio} |",
        row.name,
        show(medians[0]),
        sizes[0],
        show(medians[1]),
        sizes[1],
        show(medians[2]),
        show(medians[3]),
    );
}

/// Medians of wall and processor time, each for itself.
fn median(times: Vec<(f64, f64)>) -> Option<(f64, f64)> {
    let middle = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = times.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    Some((middle(|time| time.0)?, middle(|time| time.1)?))
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// Milliseconds that a command takes.
fn timed_child(command: &mut Command) -> (f64, f64) {
    let (before, start) = (cpu("self", 15), Instant::now());
    let done = command.stderr(Stdio::null()).status();
    assert!(done.is_ok(), "{command:?} does not start");
    (
        start.elapsed().as_secs_f64() * 1e3,
        cpu("self", 15) - before,
    )
}

/// Processor time of a process in milliseconds: its own from field 13 on, of its dead children from field 15 on.
fn cpu(process: &str, field: usize) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let ticks = |at: usize| {
        fields
            .get(at - 2)
            .and_then(|n| n.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    // A hundred ticks a second.
    (ticks(field) + ticks(field + 1)) * 10.0
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// Starts a server and waits until it says where it listens.
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (sender, receiver) = std::sync::mpsc::channel();
        let outputs: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().expect("piped")),
            Box::new(child.stderr.take().expect("piped")),
        ];
        for output in outputs {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if let Some((_, address)) = line.split_once("listening on http://") {
                        let address = address.split(['/', ' ']).next().unwrap_or_default();
                        let _ = sender.send(address.to_owned());
                    }
                }
            });
        }
        let address = receiver
            .recv_timeout(std::time::Duration::from_secs(20))
            .expect("the server says where it listens");
        Self { child, address }
    }

    /// The server and the processes it has started.
    fn processes(&self) -> Vec<String> {
        let own = self.child.id().to_string();
        let path = format!("/proc/{own}/task/{own}/children");
        let children = fs::read_to_string(path).unwrap_or_default();
        let mut all: Vec<String> = children.split_whitespace().map(str::to_owned).collect();
        for task in fs::read_dir(format!("/proc/{own}/task"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let more = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(more.split_whitespace().map(str::to_owned));
        }
        all.push(own);
        all.sort();
        all.dedup();
        all
    }

    fn timed(&self, run: impl FnOnce()) -> (f64, f64) {
        let used = || {
            self.processes()
                .iter()
                .map(|process| cpu(process, 13))
                .sum::<f64>()
        };
        let (before, start) = (used(), Instant::now());
        run();
        (start.elapsed().as_secs_f64() * 1e3, used() - before)
    }

    /// Kilobytes at the peak, summed over all processes.
    fn peak(&self) -> u64 {
        let of = |process: &String| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
            let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        self.processes().iter().filter_map(of).sum()
    }

    /// Uploads, converts and downloads. The bytes of the result.
    fn convert(&self, row: &Row, body: &[u8]) -> usize {
        let width = row
            .width
            .map_or(String::new(), |width| part("width", &width.to_string()));
        let mut form = format!(
            "{}{width}--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
            part("target_format", row.target),
            row.source
        )
        .into_bytes();
        form.extend(body);
        form.extend(b"\r\n--b--\r\n");
        let answer = self.request(
            "POST",
            "/api/v1/convert",
            "Content-Type: multipart/form-data; boundary=b\r\n",
            &form,
        );
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let url = answer
            .split_once("\"download_url\":")
            .and_then(|(_, rest)| rest.split('"').nth(1))
            .unwrap_or_else(|| panic!("{}: {answer}", row.name));
        self.request("GET", url, "", b"").len()
    }

    fn post(&self, path: &str, body: &[u8]) -> Vec<u8> {
        self.request("POST", path, "", body)
    }

    /// One request over a connection of its own; the body of the answer.
    fn request(&self, method: &str, path: &str, fields: &str, body: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).expect("the server accepts");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{fields}\r\n",
            self.address,
            body.len()
        );
        stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body))
            .expect("a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer
            .windows(4)
            .position(|bytes| bytes == b"\r\n\r\n")
            .expect("a head");
        assert!(
            answer.starts_with(b"HTTP/1.1 200"),
            "{path}: {}",
            String::from_utf8_lossy(&answer[..answer.len().min(600)])
        );
        answer.split_off(end + 4)
    }

    fn stop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn part(name: &str, value: &str) -> String {
    format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
}
