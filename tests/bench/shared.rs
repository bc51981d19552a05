//! Compares the shared store with the directory: the cost of storing and fetching a result. Needs redis-server.

use super::support::{
    Running, Scratch, Table,
    common::{Result, Service, expect, field, picture},
    free_port, median, timed,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Times of conversions and downloads, in milliseconds.
#[derive(Default)]
struct Times {
    /// The request, without the conversion itself.
    convert: Vec<f64>,
    download: Vec<f64>,
}

pub(super) fn rows(table: &mut Table, scratch: &Scratch) -> Result {
    let found = Command::new("redis-server")
        .arg("--version")
        .output()
        .is_ok();
    if !found {
        eprintln!("without redis-server: nothing is measured of the shared store");
        return Ok(());
    }
    for (form, file) in [("", "no"), (", with its file on disk", "yes")] {
        let redis = Redis::start(scratch, file)?;
        let directory = Service::start(&[])?;
        let (one, two) = (
            Service::start(&["--store", &redis.url])?,
            Service::start(&["--store", &redis.url])?,
        );
        for (what, side, rounds, goal) in [
            ("64 KB", 148, 300, "1.0 ms; 0.6 ms"),
            ("10 MB", 1826, 20, "13 ms; 11 ms"),
        ] {
            let file = picture(side, side);
            let (mut local, mut shared) = (Times::default(), Times::default());
            for _ in 0..rounds {
                exchange(&directory, &directory, &file, &mut local)?;
                exchange(&one, &two, &file, &mut shared)?;
            }
            let shown = |times: Times| {
                let (convert, download) = (median(times.convert), median(times.download));
                format!("{convert:.2} ms; {download:.2} ms")
            };
            table.row([
                format!(
                    "shared store{form}, {what}: convert without the conversion; download elsewhere"
                ),
                shown(shared),
                format!("in the directory: {}", shown(local)),
                format!("goal {goal}"),
            ]);
        }
    }
    Ok(())
}

/// A Redis with an empty database.
struct Redis {
    url: String,
    _process: Running,
}

impl Redis {
    /// Starts Redis. `file` sets whether it keeps an append-only file: "yes" or "no".
    fn start(scratch: &Scratch, file: &str) -> Result<Self> {
        let port = free_port()?;
        let child = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--maxmemory", "1gb"])
            .args(["--port", &port.to_string(), "--appendonly", file])
            .arg("--dir")
            .arg(scratch.path(""))
            .stdout(Stdio::null())
            .spawn()?;
        let process = Running(child);
        let deadline = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            expect(Instant::now() < deadline, "redis-server did not start")?;
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(Self {
            url: format!("redis://127.0.0.1:{port}"),
            _process: process,
        })
    }
}

fn exchange(to: &Service, from: &Service, file: &[u8], times: &mut Times) -> Result {
    let (took, answer) = timed(|| to.convert("a.ppm", file, &[("target_format", "bmp")], &[]))?;
    expect(answer.status == 200, answer.text())?;
    let converting: f64 = field(answer.text(), "conversion_time")
        .unwrap_or_default()
        .parse()?;
    let url = answer.field("download_url")?;
    times.convert.push((took - converting) * 1e3);
    let len = field(answer.text(), "file_size").unwrap_or_default();
    let (took, ()) = timed(|| download(from, &url, len.parse()?))?;
    times.download.push(took * 1e3);
    Ok(())
}

/// Downloads a result of `len` bytes and discards it, because storing it would take longer than the transfer.
fn download(from: &Service, path: &str, len: usize) -> Result {
    let mut stream = TcpStream::connect(&from.authority)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n",
        from.authority
    )?;
    let mut buffer = vec![0; 256 << 10];
    let mut head = 0;
    let head_len = loop {
        head += stream.read(&mut buffer[head..])?;
        if let Some(end) = buffer[..head]
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
        {
            break end + 4;
        }
        expect(head < 4096, "the answer has no head")?;
    };
    expect(buffer.starts_with(b"HTTP/1.1 200 "), "the download failed")?;
    let mut came = head - head_len;
    while came < len {
        let read = stream.read(&mut buffer)?;
        expect(read > 0, "the download was cut short")?;
        came += read;
    }
    Ok(())
}
