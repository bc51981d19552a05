//! Converts a directory of sound files with four clients at once, and prints a table. Leaves nothing on the service.
//!
//! ```sh
//! cargo run --example convert_audio_directory                          # a few tones of its own, to opus
//! cargo run --example convert_audio_directory ~/music /tmp/out mp3 high
//! ```

mod common;

use common::{Result, Service, expect};
use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::Instant,
};

const CLIENTS: usize = 4;

/// A line of the table.
struct Row {
    name: String,
    from: String,
    before: usize,
    after: usize,
    seconds: f64,
    outcome: String,
}

fn main() -> Result {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |i: usize| arguments.get(i).map(String::as_str);
    let own = match argument(0) {
        Some(_) => None,
        None => Some(Tones::new()?),
    };
    let input = argument(0)
        .map(Path::new)
        .or(own.as_ref().map(|own| own.0.as_path()))
        .ok_or("no directory")?;
    let output = argument(1).map(PathBuf::from);
    let (target, quality) = (
        argument(2).unwrap_or("opus"),
        argument(3).unwrap_or("medium"),
    );
    if let Some(directory) = &output {
        fs::create_dir_all(directory)?;
    }
    let mut files: Vec<PathBuf> = fs::read_dir(input)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    expect(
        !files.is_empty(),
        format!("there are no files in {}", input.display()),
    )?;

    let service = Service::get()?;
    let start = Instant::now();
    let queue = Mutex::new(files.into_iter());
    let rows = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                loop {
                    let Some(path) = queue.lock().ok().and_then(|mut queue| queue.next()) else {
                        return;
                    };
                    let row = convert(&service, &path, output.as_deref(), target, quality);
                    if let Ok(mut rows) = rows.lock() {
                        rows.push(row);
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().map_err(|_| "a client has failed")?;
    rows.sort_by(|a, b| a.name.cmp(&b.name));

    println!(
        "{:<28} {:<6} {:>10} {:>10} {:>8}  outcome",
        "file", "format", "bytes", target, "seconds"
    );
    for row in &rows {
        println!(
            "{:<28} {:<6} {:>10} {:>10} {:>8.3}  {}",
            row.name, row.from, row.before, row.after, row.seconds, row.outcome
        );
    }
    let failed = rows.iter().filter(|row| row.after == 0).count();
    println!(
        "{} files in {:.1} s with {CLIENTS} clients, {failed} refused",
        rows.len(),
        start.elapsed().as_secs_f64()
    );
    expect(
        own.is_none() || failed == 0,
        "a file of our own was refused",
    )
}

/// A directory with a few tones as WAV files, which is removed when this value is dropped.
struct Tones(PathBuf);

impl Tones {
    fn new() -> Result<Self> {
        let directory = env::temp_dir().join(format!("convertd-tones-{}", std::process::id()));
        fs::create_dir_all(&directory)?;
        let tones = Self(directory);
        for (name, rate, channels, hertz) in [
            ("a low tone", 8_000, 1, 110.0),
            ("concert pitch", 44_100, 2, 440.0),
            ("high and fine", 96_000, 2, 1_760.0),
            ("surround", 48_000, 6, 220.0),
            ("telephone", 16_000, 1, 350.0),
        ] {
            let file = tones.0.join(name).with_extension("wav");
            fs::write(file, tone(rate, channels, hertz))?;
        }
        Ok(tones)
    }
}

impl Drop for Tones {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two seconds of a tone that fades, as a WAV file of 16 bits.
fn tone(rate: u32, channels: u16, hertz: f64) -> Vec<u8> {
    let frames = 2 * rate;
    let data = frames * u32::from(channels) * 2;
    let mut wav = b"RIFF".to_vec();
    wav.extend((data + 36).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    wav.extend(channels.to_le_bytes());
    wav.extend(rate.to_le_bytes());
    wav.extend((rate * u32::from(channels) * 2).to_le_bytes());
    wav.extend((channels * 2).to_le_bytes());
    wav.extend(b"\x10\0data");
    wav.extend(data.to_le_bytes());
    for frame in 0..frames {
        let seconds = f64::from(frame) / f64::from(rate);
        let level = (-2.0 * seconds).exp() * (seconds * hertz * std::f64::consts::TAU).sin();
        for _ in 0..channels {
            wav.extend(((level * 20_000.0) as i16).to_le_bytes());
        }
    }
    wav
}

fn convert(
    service: &Service,
    path: &Path,
    output: Option<&Path>,
    target: &str,
    quality: &str,
) -> Row {
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut row = Row {
        name,
        from: String::new(),
        before: 0,
        after: 0,
        seconds: 0.0,
        outcome: String::new(),
    };
    row.outcome = match try_convert(service, path, output, (target, quality), &mut row) {
        Ok(()) => "converted".to_owned(),
        Err(err) => err.to_string(),
    };
    row
}

fn try_convert(
    service: &Service,
    path: &Path,
    output: Option<&Path>,
    (target, quality): (&str, &str),
    row: &mut Row,
) -> Result {
    let content = fs::read(path)?;
    row.before = content.len();
    let fields = [("target_format", target), ("quality", quality)];
    let answer = service.convert(&row.name, &content, &fields, &[])?;
    if answer.status != 200 {
        return Err(answer.field("error")?.into());
    }
    row.from = answer.field("original_format")?;
    row.seconds = answer.field("conversion_time")?.parse()?;
    let download = service.get_path(&answer.field("download_url")?)?;
    expect(download.status == 200, "the download failed")?;
    row.after = download.body.len();
    if let Some(directory) = output {
        let file = directory.join(&row.name).with_extension(target);
        fs::write(file, &download.body)?;
    }
    Ok(())
}
