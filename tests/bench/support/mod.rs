//! Code that the benchmarks share: processes and their memory, other programs, medians, the table. Contains no
//! assertion, because figures get worse on a busy machine.

#![allow(dead_code, unreachable_pub)]

#[path = "../../../examples/common/mod.rs"]
pub mod common;

use common::Result;
use std::{
    env, fs,
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::{Duration, Instant},
};

/// The median of the values; for an even number of values, the upper of the two in the middle. NaN without values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs `work`, and returns its duration in seconds with its result.
pub fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let started = Instant::now();
    let result = work()?;
    Ok((started.elapsed().as_secs_f64(), result))
}

/// Resident memory of a process in MiB, by a field of `/proc/PID/status`: `VmRSS` now, `VmHWM` at its peak.
pub fn resident(process: u32, field: &str) -> Result<f64> {
    kib(&format!("/proc/{process}/status"), field)
}

/// Proportional memory of a process in MiB: memory that several processes share counts in part.
pub fn proportional(process: u32) -> Result<f64> {
    kib(&format!("/proc/{process}/smaps_rollup"), "Pss")
}

fn kib(path: &str, field: &str) -> Result<f64> {
    let text = fs::read_to_string(path)?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))
        .ok_or_else(|| format!("{path} has no {field}"))?;
    Ok(line.trim_end_matches("kB").trim().parse::<f64>()? / 1024.0)
}

/// Resets `VmHWM`.
pub fn forget_peak(process: u32) -> Result {
    Ok(fs::write(format!("/proc/{process}/clear_refs"), "5")?)
}

/// Processor time of a process and of its children, in milliseconds. Children that have ended count if the process has
/// waited for them.
pub fn processor_ms(process: u32) -> f64 {
    // Fields 14 to 17 of `/proc/PID/stat` (proc(5)), in hundredths of a second. The name (field 2) may contain spaces,
    // so fields are counted from its end.
    let ticks = |process: u32, fields: usize| -> f64 {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let fields = after_name.split_whitespace().skip(11).take(fields);
        fields.filter_map(|field| field.parse::<f64>().ok()).sum()
    };
    let alive: f64 = children(process)
        .into_iter()
        .map(|child| ticks(child, 2))
        .sum();
    (ticks(process, 4) + alive) * 10.0
}

/// Runs `work`, and returns the peak memory of a process and its children meanwhile, in MiB.
pub fn watched<T>(process: u32, work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let together = || -> f64 {
        let all = children(process).into_iter().chain([process]);
        all.filter_map(|pid| proportional(pid).ok()).sum()
    };
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut most = together();
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(10));
                most = f64::max(most, together());
            }
            most
        });
        let result = work();
        over.store(true, Ordering::Relaxed);
        Ok((watcher.join().unwrap_or(f64::NAN), result?))
    })
}

/// The children of `process`.
pub fn children(process: u32) -> Vec<u32> {
    let parent = format!("PPid:\t{process}");
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    numbers
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            fs::read_to_string(format!("/proc/{pid}/status"))
                .is_ok_and(|status| status.lines().any(|line| line == parent))
        })
        .collect()
}

/// The first of these programs that runs with `arguments` and prints `expected`.
pub fn tool(names: &[&str], arguments: &[&str], expected: &str) -> Option<String> {
    let found = names.iter().find(|name| {
        Command::new(name)
            .args(arguments)
            .output()
            .is_ok_and(|output| {
                let text = [output.stdout, output.stderr].concat();
                String::from_utf8_lossy(&text).contains(expected)
            })
    });
    if found.is_none() {
        eprintln!("skipped: needs {}", names.join(" or "));
    }
    found.map(|name| (*name).to_owned())
}

/// ImageMagick's `convert`, under the name by which it is installed.
pub fn image_magick() -> Option<String> {
    let names = ["convert", "/usr/bin/convert", "magick"];
    tool(&names, &["-version"], "ImageMagick")
}

/// A directory that is deleted at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(format!("convertd-bench-{process}-{number}"));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // An error leaves the directory behind.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that is killed when this value is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        for _ in 0..50 {
            if matches!(self.0.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port of 127.0.0.1 that is free at the moment.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Node's `http` with sharp. `POST /convert?jpeg={"quality":82}` answers with the converted body.
pub struct Sharp {
    pub address: SocketAddr,
    running: Running,
    _scratch: Scratch,
}

impl Sharp {
    /// Starts Node with the sharp in `CONVERTD_SHARP/node_modules`, or with one that npm installs for this run. `None`
    /// if neither is possible. The server accepts bodies of up to `most` MiB, and waits up to `seconds` for each.
    pub fn start(most: u32, seconds: u32) -> Result<Option<Self>> {
        if tool(&["node"], &["--version"], "v").is_none() {
            return Ok(None);
        }
        let scratch = Scratch::new()?;
        let directory = scratch.path("node");
        fs::create_dir_all(&directory)?;
        match env::var_os("CONVERTD_SHARP") {
            Some(at) => symlink(
                Path::new(&at).join("node_modules"),
                directory.join("node_modules"),
            )?,
            None => {
                let installed = Command::new("npm")
                    .args(["install", "--silent", "--no-audit", "--no-fund", "sharp"])
                    .current_dir(&directory)
                    .stdout(Stdio::null())
                    .status();
                if !installed.is_ok_and(|status| status.success()) {
                    eprintln!("skipped: sharp could not be installed");
                    return Ok(None);
                }
            }
        }
        let script = directory.join("peer.mjs");
        fs::write(&script, include_str!("../peer.mjs"))?;
        let port = free_port()?;
        let child = Command::new("node")
            .arg(&script)
            .args([port.to_string(), most.to_string(), seconds.to_string()])
            .spawn()?;
        let sharp = Self {
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            running: Running(child),
            _scratch: scratch,
        };
        let deadline = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(sharp.address).is_err() {
            common::expect(Instant::now() < deadline, "Node did not start")?;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Some(sharp))
    }

    pub fn process(&self) -> u32 {
        self.running.0.id()
    }

    /// Converts `content` as the query says; see `peer.mjs`.
    pub fn convert(&self, query: &str, content: &[u8]) -> Result<common::Answer> {
        let server = common::Service::at(self.address.to_string());
        server.request("POST", &format!("/convert?{query}"), &[], content)
    }
}

/// Converts a file with the program itself, without a service.
pub fn convert_file(from: &Path, to: &Path, quality: &str) -> Result {
    let status = Command::new(common::binary()?)
        .args(["convert", "--force"])
        .args([from, to])
        .args(["--quality", quality])
        .status()?;
    common::expect(status.success(), format!("{} was not made", to.display()))
}

/// A picture that resembles a photograph (binary PPM): gradients of light, noise like that of a sensor, and lines with
/// hard edges like text.
pub fn photograph(width: u32, height: u32) -> Vec<u8> {
    let mut ppm = format!("P6\n{width} {height}\n255\n").into_bytes();
    ppm.reserve(3 * (width * height) as usize);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for y in 0..height {
        for x in 0..width {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let text = y % 1000 < 300 && y % 30 < 16 && glyph(x / 3, y / 3);
            let (u, v) = (
                f64::from(x) / f64::from(width),
                f64::from(y) / f64::from(height),
            );
            let light = 0.55 + 0.35 * (7.0 * u).sin() * (5.0 * v).cos();
            for (channel, tint) in [1.0, 0.85, 0.7 + 0.3 * v].into_iter().enumerate() {
                // The sum of three random numbers resembles the noise of a sensor.
                let bits = (random >> (16 * channel)) as u32;
                let noise = f64::from((bits & 15) + (bits >> 4 & 15) + (bits >> 8 & 15)) - 22.5;
                let base = if text { 20.0 } else { 255.0 * light * tint };
                ppm.push((base + noise / 3.0).clamp(0.0, 255.0) as u8);
            }
        }
    }
    ppm
}

/// Returns whether a pixel belongs to a letter of an invented script.
fn glyph(x: u32, y: u32) -> bool {
    let letter = (x / 8).wrapping_mul(2_654_435_761) ^ (y / 10).wrapping_mul(40_503);
    !letter.is_multiple_of(6) && x % 8 < 6 && (letter >> ((x % 8 / 2) + 3 * (y % 10 / 2)) & 1) == 1
}

/// A table in Markdown.
pub struct Table(Vec<[String; 4]>);

impl Table {
    pub fn new(heads: [&str; 4]) -> Self {
        Self(vec![
            heads.map(str::to_owned),
            ["---"; 4].map(str::to_owned),
        ])
    }

    pub fn row(&mut self, cells: [String; 4]) {
        eprintln!("  {}", cells.join(" | "));
        self.0.push(cells);
    }

    pub fn print(&self) {
        for cells in &self.0 {
            println!("| {} |", cells.join(" | "));
        }
    }
}

/// Description of the machine in one line.
pub fn machine() -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1))
        .unwrap_or("unknown processor");
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "{} cores of {model}; load when it began {}",
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        load.split(' ').next().unwrap_or("?"),
    )
}
