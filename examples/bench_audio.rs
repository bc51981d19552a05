//! Measures conversions of five minutes of stereo sound, and compares them with ffmpeg on one thread, if it is
//! installed. Rounds alternate; it prints medians, processor time and peak memory. Each conversion is a process of its
//! own, so that the comparison is fair.
//!
//! ```sh
//! cargo run --release --example bench_audio        # five rounds
//! cargo run --release --example bench_audio 11     # more
//! ```

use convertd::{
    job::{Ledger, Unlimited},
    registry::{TargetRequest, Terms},
};
use std::{
    env,
    error::Error,
    fs::{self, File, OpenOptions},
    io::{BufReader, Write},
    path::{Path, PathBuf},
    process::Command,
};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// Source, target, options for ffmpeg, and goal: the largest ratio of convertd's time to ffmpeg's that is acceptable.
const ROWS: [(&str, &str, &[&str], &str); 8] = [
    ("music.flac", "wav", &[], "0.8"),
    ("music.wav", "flac", &[], "1.5"),
    ("music.wav", "mp3", &["-b:a", "224k"], "0.8"),
    ("music.wav", "opus", &["-b:a", "96k"], "0.8"),
    ("music.wav", "m4a", &["-b:a", "160k"], "0.8"),
    ("music.wav", "ogg", &["-q:a", "6"], "2.0"),
    ("music.mp3", "wav", &[], "1.4"),
    ("music.m4a", "wav", &[], "–"),
];

/// Processor time in seconds, and peak memory in KiB.
type Cost = (f64, f64);

fn main() -> Result {
    let arguments: Vec<String> = env::args().collect();
    if let [_, mode, input, output] = arguments.as_slice()
        && mode == "convert"
    {
        return convert(Path::new(input), Path::new(output));
    }
    let rounds = arguments.get(1).map_or(Ok(5), |n| n.parse())?;
    let directory = Directory::new()?;
    let file = |name: &str| directory.0.join(name);
    fs::write(file("music.wav"), music(300))?;
    for name in ["music.flac", "music.mp3", "music.m4a"] {
        convert(&file("music.wav"), &file(name))?;
    }
    let ffmpeg = Command::new("ffmpeg").arg("-version").output().is_ok();
    if !ffmpeg {
        println!("ffmpeg is not installed: our own figures only");
    }
    let idle = median(
        (0..rounds)
            .map(|_| ours(&file("tiny.wav"), &file("tiny.out.wav")))
            .collect::<Result<_>>()?,
    );

    println!(
        "| 5 minutes stereo | ours | ffmpeg | ratio | goal | peak memory ours / ffmpeg | size ours / ffmpeg |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (source, target, options, goal) in ROWS {
        let (input, mine) = (file(source), file(&format!("ours.{target}")));
        let its = file(&format!("ffmpeg.{target}"));
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            here.push(ours(&input, &mine)?);
            if ffmpeg {
                there.push(theirs(&input, options, &its)?);
            }
        }
        let (here, there) = (median(here), median(there));
        let size =
            |path: &Path| fs::metadata(path).map_or(0.0, |metadata| metadata.len() as f64 / 1e6);
        println!(
            "| {} → {target} | {:.2} s | {:.2} s | {:.2} | {goal} | {:.1} / {:.1} MB (idle {:.1}) | {:.2} / {:.2} MB |",
            source.rsplit('.').next().unwrap_or(source),
            here.0,
            there.0,
            here.0 / there.0,
            here.1 / 1024.0,
            there.1 / 1024.0,
            idle.1 / 1024.0,
            size(&mine),
            size(&its),
        );
    }
    Ok(())
}

/// A directory that is removed when this value is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("convertd-bench-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        fs::write(path.join("tiny.wav"), music(1))?;
        Ok(Self(path))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The median of the times, and the median of the peaks.
fn median(mut costs: Vec<Cost>) -> Cost {
    if costs.is_empty() {
        return (f64::NAN, f64::NAN);
    }
    let middle = costs.len() / 2;
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let time = costs[middle].0;
    costs.sort_by(|a, b| a.1.total_cmp(&b.1));
    (time, costs[middle].1)
}

fn ours(input: &Path, output: &Path) -> Result<Cost> {
    let child = Command::new(env::current_exe()?)
        .arg("convert")
        .args([input, output])
        .output()?;
    let said = String::from_utf8(child.stdout)?;
    let mut words = said.split_whitespace();
    let mut number =
        || -> Result<f64> { Ok(words.next().ok_or("the conversion failed")?.parse()?) };
    Ok((number()?, number()?))
}

fn theirs(input: &Path, options: &[&str], output: &Path) -> Result<Cost> {
    let child = Command::new("ffmpeg")
        .args([
            "-nostdin",
            "-loglevel",
            "info",
            "-benchmark",
            "-y",
            "-threads",
            "1",
            "-i",
        ])
        .arg(input)
        .args(options)
        .args(["-threads", "1"])
        .arg(output)
        .output()?;
    let said = String::from_utf8_lossy(&child.stderr).into_owned();
    let number = |name: &str| -> Result<f64> {
        let (_, rest) = said.rsplit_once(name).ok_or("ffmpeg failed")?;
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        Ok(rest[..end].parse()?)
    };
    Ok((number("utime=")? + number("stime=")?, number("maxrss=")?))
}

/// Converts a file, and prints its cost to standard output.
fn convert(from: &Path, to: &Path) -> Result {
    let extension = |path: &Path| {
        path.extension()
            .and_then(|end| end.to_str())
            .unwrap_or("")
            .to_owned()
    };
    let mut input = BufReader::with_capacity(1 << 16, File::open(from)?);
    let target = extension(to);
    let wish = TargetRequest {
        target: &target,
        quality: None,
        file_name: from.file_name().and_then(|name| name.to_str()),
        field: &|_| Ok(None),
        terms: Terms::CommandLine,
    };
    let (task, route) = wish.plan(&mut input)?;
    let ledger = Ledger::new(&Unlimited);
    let job = route.pair.job(&task, fs::metadata(from)?.len(), 0, &ledger);
    let mut output = OpenOptions::new()
        .create(true)
        .truncate(true)
        .read(true)
        .write(true)
        .open(to)?;
    (route.converter.convert)(&job, &mut input, &mut output)?;
    if env::args().nth(1).as_deref() == Some("convert") {
        let stat = fs::read_to_string("/proc/self/stat")?;
        // Fields 14 and 15 of `/proc/PID/stat` (proc(5)), counted from behind the name, in hundredths of a second.
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let ticks = after_name
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(str::parse::<f64>);
        let ticks: f64 = ticks.sum::<std::result::Result<_, _>>()?;
        let status = fs::read_to_string("/proc/self/status")?;
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap_or("0");
        writeln!(
            std::io::stdout(),
            "{} {}",
            ticks / 100.0,
            peak.trim().trim_end_matches(" kB")
        )?;
    }
    Ok(())
}

/// Plucked strings with a drum and a little noise, as a WAV file.
fn music(seconds: usize) -> Vec<u8> {
    const RATE: usize = 44_100;
    let frames = seconds * RATE;
    let mut wav =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data"
            .to_vec();
    wav.extend((4 * frames as u32).to_le_bytes());
    let mut seed = 1u32;
    let mut noise = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / 8_388_608.0 - 1.0
    };
    // Six strings (Karplus-Strong synthesis), which are plucked in turn.
    let mut strings: Vec<(Vec<f32>, usize)> = Vec::new();
    for length in [337, 267, 225, 168, 150, 112] {
        strings.push((vec![0.0; length], 0));
    }
    for frame in 0..frames {
        let beat = frame / (RATE / 4);
        if frame % (RATE / 4) == 0 {
            let count = strings.len();
            let (string, _) = &mut strings[beat * 5 % count];
            string.iter_mut().for_each(|x| *x = noise() * 0.6);
        }
        let (mut left, mut right) = (0.0, 0.0);
        for (i, (string, at)) in strings.iter_mut().enumerate() {
            let next = (*at + 1) % string.len();
            string[*at] = 0.4985 * (string[*at] + string[next]);
            let pan = i as f32 / 5.0;
            left += string[*at] * (1.0 - pan);
            right += string[*at] * pan;
            *at = next;
        }
        let since = (frame % (RATE / 2)) as f32 / RATE as f32;
        let drum = (-since * 30.0).exp() * 0.2;
        for side in [left, right] {
            let sample = (side * 0.5 + noise() * (drum + 0.012)) * 26_000.0;
            wav.extend((sample.clamp(-32_768.0, 32_767.0) as i16).to_le_bytes());
        }
    }
    wav
}
