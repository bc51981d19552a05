//! Figures of the service itself: memory, start, uploads, requests per second, and pictures from upload to download.
//! Prints the table of the manual. Does not measure single codecs.
//!
//! `make bench` runs it against the static binary. Programs that are missing (nginx, wrk, ImageMagick) are skipped.

mod shared;
mod support;

use std::{
    env, fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use support::{
    Running, Scratch, Table,
    common::{Result, Service, binary, expect},
    median, timed,
};

/// The largest upload that the service accepts, in bytes.
const UPLOAD: usize = 100 << 20;

fn main() -> Result {
    let mut table = Table::new(["what", "convertd", "beside it", "ratio or goal"]);
    let scratch = Scratch::new()?;
    let machine = support::machine();
    eprintln!("{machine}");
    size_and_start(&mut table)?;
    idle(&mut table)?;
    refused_upload(&mut table)?;
    health(&mut table, &scratch)?;
    pictures(&mut table, &scratch)?;
    shared::rows(&mut table, &scratch)?;
    println!("\n{machine}\n");
    table.print();
    Ok(())
}

fn size_and_start(table: &mut Table) -> Result {
    let binary = binary()?;
    let size = fs::metadata(&binary)?.len() as f64 / f64::from(1 << 20);
    table.row([
        "binary, stripped".into(),
        format!("{size:.1} MiB"),
        "–".into(),
        "".into(),
    ]);
    let mut times = Vec::new();
    for _ in 0..21 {
        let (time, service) = timed(|| {
            let service = Service::start(&[])?;
            expect(
                service.get_path("/api/v1/health")?.status == 200,
                "no health",
            )?;
            Ok(service)
        })?;
        drop(service);
        times.push(time * 1e3);
    }
    table.row([
        "start to first answer".into(),
        format!("{:.1} ms", median(times)),
        "–".into(),
        "below 20 ms".into(),
    ]);
    Ok(())
}

fn idle(table: &mut Table) -> Result {
    let service = Service::start(&[])?;
    let process = service.process().unwrap_or_default();
    service.get_path("/api/v1/health")?;
    let children = support::children(process);
    let mut all = support::proportional(process)?;
    for child in &children {
        all += support::proportional(*child)?;
    }
    table.row([
        "memory when idle".into(),
        format!(
            "{:.1} MiB; of it {:.1} MiB of its own; {all:.1} MiB with {} warm children (PSS)",
            support::resident(process, "VmRSS")?,
            support::resident(process, "RssAnon")?,
            children.len()
        ),
        "–".into(),
        "below 2.5 MiB of its own".into(),
    ]);
    Ok(())
}

/// Sends a form with the file first and an unknown target last, so that everything is received and stored before it is
/// refused.
fn refused_upload(table: &mut Table) -> Result {
    let service = Service::start(&[])?;
    let process = service.process().unwrap_or_default();
    let before = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n";
    let after = "\r\n--b\r\nContent-Disposition: form-data; name=\"target_format\"\r\n\r\nnothing\r\n--b--\r\n";
    let head = format!(
        "POST /api/v1/convert HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\n\r\n",
        service.authority,
        before.len() + UPLOAD + after.len()
    );
    let block = vec![0x5a_u8; 1 << 20];
    let (mut rates, mut peaks) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        support::forget_peak(process)?;
        let idle = support::resident(process, "VmRSS")?;
        let (time, ()) = timed(|| {
            let mut stream = TcpStream::connect(&service.authority)?;
            stream.write_all(head.as_bytes())?;
            stream.write_all(before.as_bytes())?;
            for _ in 0..UPLOAD / block.len() {
                stream.write_all(&block)?;
            }
            stream.write_all(after.as_bytes())?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            expect(answer.starts_with("HTTP/1.1 400"), answer)
        })?;
        rates.push(UPLOAD as f64 / 1e6 / time);
        peaks.push(support::resident(process, "VmHWM")? - idle);
    }
    table.row([
        "100 MiB upload, refused after it".into(),
        format!(
            "{:.0} MB/s, {:.1} MiB above idle",
            median(rates),
            peaks.into_iter().fold(0.0, f64::max)
        ),
        "–".into(),
        "below 16 MiB".into(),
    ]);
    Ok(())
}

fn health(table: &mut Table, scratch: &Scratch) -> Result {
    let (Some(nginx), Some(wrk)) = (
        support::tool(&["nginx", "/usr/sbin/nginx"], &["-v"], "nginx"),
        support::tool(&["wrk"], &["-v"], "wrk"),
    ) else {
        return Ok(());
    };
    for (logged, level, access_log) in [
        ("each logged", "info", "access.log"),
        ("not logged", "warn", "off"),
    ] {
        let service = Service::start(&["--log", level])?;
        let body = service.get_path("/api/v1/health")?.body;
        let (authority, _peer) = start_nginx(&nginx, scratch, &body, access_log)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            ours.push(requests(&wrk, &service.authority)?);
            theirs.push(requests(&wrk, &authority)?);
        }
        let (ours, theirs) = (median(ours), median(theirs));
        table.row([
            format!("`GET /health`, keep-alive, {logged}"),
            format!("{ours:.0}/s"),
            format!("nginx, a file: {theirs:.0}/s"),
            format!("{:.2}, at least 0.9", ours / theirs),
        ]);
    }
    Ok(())
}

/// Starts nginx with two processes and one small file.
fn start_nginx(
    nginx: &str,
    scratch: &Scratch,
    file: &[u8],
    access_log: &str,
) -> Result<(String, Running)> {
    let root = scratch.path("nginx");
    fs::create_dir_all(root.join("api/v1"))?;
    fs::write(root.join("api/v1/health"), file)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let authority = format!("127.0.0.1:{port}");
    let user = match env::var("USER") {
        Ok(user) if user != "root" => String::new(),
        _ => "user root;".into(),
    };
    let configuration = format!(
        "{user} daemon off; worker_processes 2; pid nginx.pid; error_log error.log;
         events {{ worker_connections 1024; }}
         http {{
           access_log {access_log}; sendfile on; tcp_nopush on; open_file_cache max=10;
           default_type application/json; keepalive_requests 1000000000;
           client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
           server {{ listen {authority}; root .; }}
         }}"
    );
    fs::write(root.join("nginx.conf"), configuration)?;
    let prefix = format!("{}/", root.display());
    let child = Command::new(nginx)
        .args(["-p", &prefix, "-c", "nginx.conf"])
        .stderr(Stdio::null())
        .spawn()?;
    let running = Running(child);
    let deadline = Instant::now() + Duration::from_secs(5);
    while TcpStream::connect(&authority).is_err() {
        expect(Instant::now() < deadline, "nginx did not start")?;
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok((authority, running))
}

/// Requests per second over 64 connections.
fn requests(wrk: &str, authority: &str) -> Result<f64> {
    let output = Command::new(wrk)
        .args(["-t2", "-c64", "-d3s"])
        .arg(format!("http://{authority}/api/v1/health"))
        .output()?;
    let stdout = String::from_utf8(output.stdout)?;
    expect(!stdout.contains("Non-2xx"), stdout.clone())?;
    let line = stdout
        .lines()
        .find_map(|line| line.strip_prefix("Requests/sec:"))
        .ok_or("wrk says nothing")?;
    Ok(line.trim().parse()?)
}

fn pictures(table: &mut Table, scratch: &Scratch) -> Result {
    let raw = scratch.path("photo.ppm");
    fs::write(&raw, support::photograph(4000, 3000))?;
    let (jpg, png) = (scratch.path("photo.jpg"), scratch.path("photo.png"));
    support::convert_file(&raw, &jpg, "high")?;
    support::convert_file(&raw, &png, "medium")?;
    let magick = support::image_magick();
    let service = Service::start(&[])?;
    for (from, to) in [(&jpg, "png"), (&png, "jpg")] {
        let content = fs::read(from)?;
        let (mut ours, mut theirs, mut sizes) = (Vec::new(), Vec::new(), (0, 0));
        for _ in 0..5 {
            let (time, len) = timed(|| through_http(&service, from, &content, to))?;
            ours.push(time * 1e3);
            sizes.0 = len;
            if let Some(magick) = &magick {
                let output = scratch.path(&format!("magick.{to}"));
                let (time, ()) = timed(|| {
                    let mut command = Command::new(magick);
                    command.arg(from);
                    if to == "jpg" {
                        // The settings of medium quality.
                        command.args(["-quality", "82", "-sampling-factor", "4:2:0"]);
                    }
                    command.arg(&output);
                    let status = command.status()?;
                    expect(status.success(), "ImageMagick failed")
                })?;
                theirs.push(time * 1e3);
                sizes.1 = fs::metadata(&output)?.len() as usize;
            }
        }
        let extension = from.extension().unwrap_or_default().display();
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        let (ours, theirs) = (median(ours), median(theirs));
        table.row([
            format!("12 MP {extension} to {to}, through HTTP"),
            format!("{ours:.0} ms, {:.1} MiB", mib(sizes.0)),
            format!(
                "ImageMagick, no HTTP: {theirs:.0} ms, {:.1} MiB",
                mib(sizes.1)
            ),
            format!("{:.2}", ours / theirs),
        ]);
    }
    Ok(())
}

/// Uploads, converts and downloads a file; returns the length of the result.
fn through_http(service: &Service, from: &Path, content: &[u8], to: &str) -> Result<usize> {
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    let answer = service.convert(&name, content, &[("target_format", to)], &[])?;
    expect(answer.status == 200, answer.text())?;
    let download = service.get_path(&answer.field("download_url")?)?;
    expect(download.status == 200, "the download failed")?;
    Ok(download.body.len())
}
