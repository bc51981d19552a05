//! Hostile clients, three servers: this one, nginx with a static file and the same limits, and Node's `http` with sharp
//! behind it. Prints them side by side; asserts nothing.
//!
//! `make bench-hostile` runs it against the static binary. A peer that is not installed is skipped.
//! `CONVERTD_CROWD` says how many connections there are, 10,000 if it does not.

mod support;

use rustix::{
    net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with},
    process::{Resource, Rlimit, getrlimit, setrlimit},
};
use std::{
    env, fs,
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, SocketAddrV4, TcpListener, TcpStream},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use support::{
    Running, Scratch, Table,
    common::{Result, Service, expect},
    resident,
};

/// A server under attack.
struct Target {
    name: &'static str,
    address: SocketAddr,
    process: u32,
    health: String,
    /// Method and path of an upload, and the fields that it needs.
    upload: String,
    /// Where 20 MiB are to be had.
    large: String,
    _scratch: Option<Scratch>,
    _running: Option<Running>,
    _service: Option<Service>,
}

/// What is done to a target, and what was measured: pairs of a row and a figure.
type Attack = fn(&Target) -> Result<Vec<(String, String)>>;

fn main() -> Result {
    make_room()?;
    let machine = support::machine();
    eprintln!("{machine}");
    let mut targets = vec![convertd()?];
    targets.extend(nginx()?);
    targets.extend(node()?);
    let mut table = Table::new(["what", "convertd", "nginx", "Node and sharp"]);
    let attacks: [Attack; 5] = [crowd, slow_uploads, unread_answer, framing, pipeline];
    for attack in attacks {
        let mut rows: Vec<[String; 4]> = Vec::new();
        for target in &targets {
            let column = match target.name {
                "convertd" => 1,
                "nginx" => 2,
                _ => 3,
            };
            for (index, (what, figure)) in attack(target)?.into_iter().enumerate() {
                if rows.len() <= index {
                    rows.push([what, "–".into(), "–".into(), "–".into()]);
                }
                rows[index][column] = figure;
            }
        }
        for row in rows {
            table.row(row);
        }
    }
    println!("\n{machine}\n");
    table.print();
    Ok(())
}

// ---- the targets

fn convertd() -> Result<Target> {
    let service = Service::start(&["--log", "warn"])?;
    let ppm = support::photograph(2900, 2400);
    let answer = service.convert("large.ppm", &ppm, &[("target_format", "bmp")], &[])?;
    expect(answer.status == 200, "nothing large could be made")?;
    let text = String::from_utf8(answer.body)?;
    let large = text
        .split("\"download_url\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    Ok(Target {
        name: "convertd",
        address: service.authority.parse()?,
        process: service.process().ok_or("no process")?,
        health: "/api/v1/health".into(),
        upload: "POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b".into(),
        large: large.ok_or("no link")?.into(),
        _scratch: None,
        _running: None,
        _service: Some(service),
    })
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn nginx() -> Result<Option<Target>> {
    let Some(nginx) = support::tool(&["nginx", "/usr/sbin/nginx"], &["-v"], "nginx") else {
        return Ok(None);
    };
    let scratch = Scratch::new()?;
    let root = scratch.path("nginx");
    fs::create_dir_all(root.join("put"))?;
    fs::write(
        root.join("health"),
        r#"{"success":true,"data":{"status":"operational"}}"#,
    )?;
    fs::write(root.join("large"), vec![b'x'; 20 << 20])?;
    let port = free_port()?;
    let configuration = format!(
        "user root; daemon off; worker_processes 2; worker_rlimit_nofile 20000; pid nginx.pid; error_log error.log;
         events {{ worker_connections 16384; }}
         http {{
           access_log off; client_body_temp_path body;
           client_header_timeout 10s; client_body_timeout 10s; send_timeout 10s; keepalive_timeout 30s;
           client_max_body_size 100m; keepalive_requests 100000;
           server {{ listen 127.0.0.1:{port} backlog=4096; root {root}; location /put {{ dav_methods PUT; }} }}
         }}",
        root = root.display()
    );
    let file = root.join("nginx.conf");
    fs::write(&file, configuration)?;
    let child = Command::new(nginx)
        .arg("-p")
        .arg(&root)
        .arg("-c")
        .arg(&file)
        .stderr(Stdio::null())
        .spawn()?;
    let target = Target {
        name: "nginx",
        address: SocketAddr::from(([127, 0, 0, 1], port)),
        process: child.id(),
        health: "/health".into(),
        upload: "PUT /put/file HTTP/1.1\r\nHost: x".into(),
        large: "/large".into(),
        _scratch: Some(scratch),
        _running: Some(Running(child)),
        _service: None,
    };
    target.wait()?;
    Ok(Some(target))
}

fn node() -> Result<Option<Target>> {
    if support::tool(&["node"], &["--version"], "v").is_none()
        || support::tool(&["npm"], &["--version"], ".").is_none()
    {
        return Ok(None);
    }
    let scratch = Scratch::new()?;
    let dir = scratch.path("node");
    fs::create_dir_all(&dir)?;
    let script = dir.join("peer.mjs");
    fs::write(&script, include_str!("peer.mjs"))?;
    let installed = Command::new("npm")
        .args(["install", "--silent", "--no-audit", "--no-fund", "sharp"])
        .current_dir(&dir)
        .stdout(Stdio::null())
        .status()?;
    if !installed.success() {
        eprintln!("skipped: sharp could not be installed");
        return Ok(None);
    }
    let port = free_port()?;
    let child = Command::new("node")
        .arg(&script)
        .arg(port.to_string())
        .spawn()?;
    let target = Target {
        name: "node",
        address: SocketAddr::from(([127, 0, 0, 1], port)),
        process: child.id(),
        health: "/health".into(),
        upload: "POST /convert HTTP/1.1\r\nHost: x".into(),
        large: "/large".into(),
        _scratch: Some(scratch),
        _running: Some(Running(child)),
        _service: None,
    };
    target.wait()?;
    Ok(Some(target))
}

impl Target {
    fn wait(&self) -> Result {
        for _ in 0..200 {
            if self.health().is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(format!("{} does not start", self.name).into())
    }

    fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, Duration::from_secs(10))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.set_write_timeout(Some(Duration::from_secs(10)))?;
        Ok(stream)
    }

    /// Health from a fresh connection, in milliseconds.
    fn health(&self) -> Result<f64> {
        let began = Instant::now();
        let mut stream = self.connect()?;
        stream.write_all(
            format!(
                "GET {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                self.health
            )
            .as_bytes(),
        )?;
        let mut text = Vec::new();
        stream.read_to_end(&mut text)?;
        expect(text.starts_with(b"HTTP/1.1 200"), "not healthy")?;
        Ok(began.elapsed().as_secs_f64() * 1e3)
    }

    /// The 99th percentile of `count` looks at its health, and how many of them failed.
    fn p99(&self, count: usize) -> String {
        let mut times: Vec<f64> = (0..count).filter_map(|_| self.health().ok()).collect();
        times.sort_by(f64::total_cmp);
        let failed = count - times.len();
        let figure = match times.get(times.len().saturating_sub(1) * 99 / 100) {
            Some(time) => format!("{time:.1} ms"),
            None => "–".into(),
        };
        if failed > 0 {
            format!("{figure}, {failed} of {count} failed")
        } else {
            figure
        }
    }

    /// Resident memory with that of its children, in MiB.
    fn memory(&self) -> f64 {
        let all = std::iter::once(self.process).chain(support::children(self.process));
        all.filter_map(|pid| resident(pid, "VmRSS").ok()).sum()
    }
}

// ---- the attacks

fn make_room() -> Result {
    let most = getrlimit(Resource::Nofile).maximum;
    Ok(setrlimit(
        Resource::Nofile,
        Rlimit {
            current: most,
            maximum: most,
        },
    )?)
}

/// Connects from an address of its own in 127.0.0.0/8.
fn connect_from(index: u32, to: SocketAddr) -> Result<TcpStream> {
    let (family, kind) = (AddressFamily::INET, SocketType::STREAM);
    let socket = socket_with(family, kind, SocketFlags::CLOEXEC, None)?;
    let from = Ipv4Addr::from_bits(0x7f10_0000 + index / 16);
    bind(&socket, &SocketAddr::V4(SocketAddrV4::new(from, 0)))?;
    connect(&socket, &to)?;
    Ok(TcpStream::from(socket))
}

/// Whether the other side has closed it, without waiting. What it says on the way is not of interest.
fn is_closed(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    loop {
        match (&*stream).read(&mut [0; 4096]) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(err) => return err.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
}

fn crowd(target: &Target) -> Result<Vec<(String, String)>> {
    let count: u32 = env::var("CONVERTD_CROWD").map_or(Ok(10_000), |text| text.parse())?;
    let before = target.memory();
    let mut crowd = Vec::new();
    for index in 0..count {
        let mut stream = connect_from(index, target.address)?;
        if index % 2 == 0 {
            stream.write_all(
                format!("GET {} HTTP/1.1\r\nHost: x\r\nX-Drip: ", target.health).as_bytes(),
            )?;
        }
        crowd.push(stream);
    }
    let began = Instant::now();
    let p99 = target.p99(500);
    let memory = target.memory();
    while began.elapsed() < Duration::from_secs(13) {
        for mut stream in crowd.iter().step_by(2) {
            let _ = stream.write(b"x");
        }
        thread::sleep(Duration::from_secs(1));
    }
    let dripping = crowd
        .iter()
        .step_by(2)
        .filter(|stream| !is_closed(stream))
        .count();
    let count_text = count.to_string();
    Ok(vec![
        (
            format!(
                "{count_text} silent or dripping connections: health of others, 99th percentile"
            ),
            p99,
        ),
        (
            "resident memory meanwhile, and before".into(),
            format!("{memory:.0} MiB, {before:.0} MiB"),
        ),
        (
            "unfinished heads that are still open after 13 s".into(),
            dripping.to_string(),
        ),
    ])
}

fn slow_uploads(target: &Target) -> Result<Vec<(String, String)>> {
    let mut slow = Vec::new();
    for _ in 0..64 {
        let mut stream = target.connect()?;
        stream.write_all(
            format!("{}\r\nContent-Length: 1000000\r\n\r\n--", target.upload).as_bytes(),
        )?;
        slow.push(stream);
    }
    let began = Instant::now();
    let p99 = target.p99(200);
    let limit = Duration::from_secs(40);
    let cut = loop {
        for mut stream in &slow {
            let _ = stream.write(b"x");
        }
        thread::sleep(Duration::from_millis(500));
        if slow.iter().all(is_closed) {
            break format!("{:.0} s", began.elapsed().as_secs_f64());
        }
        if began.elapsed() > limit {
            let open = slow.iter().filter(|stream| !is_closed(stream)).count();
            break format!("{open} go on after {} s", limit.as_secs());
        }
    };
    Ok(vec![
        (
            "64 uploads of 2 B/s: health of others, 99th percentile".into(),
            p99,
        ),
        ("such an upload is ended after".into(), cut),
    ])
}

fn unread_answer(target: &Target) -> Result<Vec<(String, String)>> {
    let mut stream = target.connect()?;
    stream.write_all(format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target.large).as_bytes())?;
    let began = Instant::now();
    let limit = Duration::from_secs(60);
    // Alive, as far as sending goes.
    let figure = loop {
        thread::sleep(Duration::from_millis(500));
        if stream.write(b"\r\n").is_err() {
            break format!("{:.0} s", began.elapsed().as_secs_f64());
        }
        if began.elapsed() > limit {
            break format!("goes on after {} s", limit.as_secs());
        }
    };
    Ok(vec![("a client that asks for 20 MiB, does not read and sends a byte now and then is dropped after".into(), figure)])
}

/// Fields that two servers could understand in two ways.
const AMBIGUOUS: [&str; 24] = [
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 5",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked;q=1",
    "Transfer-Encoding:\x0bchunked",
    "Transfer-Encoding : chunked",
    " Transfer-Encoding: chunked",
    "X: y\r\n Transfer-Encoding: chunked",
    "Transfer-Encoding:\r\n chunked",
    "X: y\nTransfer-Encoding: chunked",
    "X: y\rTransfer-Encoding: chunked",
    "X: y\0Transfer-Encoding: chunked",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 5\r\nContent-Length: 5",
    "Content-Length: 5, 5",
    "Content-Length: +5",
    "Content-Length: -5",
    "Content-Length: 0x5",
    "Content-Length: 5 5",
    "Content-Length :5",
];

fn framing(target: &Target) -> Result<Vec<(String, String)>> {
    let mut refused = 0;
    for fields in AMBIGUOUS {
        let mut stream = target.connect()?;
        let head = target.upload.clone();
        let smuggled = format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target.health);
        let _ =
            stream.write_all(format!("{head}\r\n{fields}\r\n\r\n0\r\n\r\n{smuggled}").as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text);
        let alone = text.matches("HTTP/1.1 ").count() <= 1;
        refused += usize::from(
            alone && (text.starts_with("HTTP/1.1 400") || text.starts_with("HTTP/1.1 501")),
        );
    }
    let mut stream = target.connect()?;
    stream
        .write_all(format!("{}\r\nContent-Length: 999999999\r\n\r\n", target.upload).as_bytes())?;
    let piece = vec![b'x'; 1 << 20];
    let mut sent = 0;
    while sent < 100 && stream.write_all(&piece).is_ok() {
        sent += 1;
    }
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let body = text
        .split_once("\r\n\r\n")
        .map_or(0, |(_, body)| body.len());
    let figure = match text.get(9..12) {
        Some(status) if body > 0 => format!("{status}, after {sent} MB"),
        Some(status) => format!("{status} without content, after {sent} MB"),
        None => format!("nothing, after {sent} MB"),
    };
    Ok(vec![
        (
            format!(
                "of {} requests that can be understood in two ways, refused",
                AMBIGUOUS.len()
            ),
            refused.to_string(),
        ),
        (
            "the refusal of a too large upload, at a client that sends 100 MB regardless".into(),
            figure,
        ),
    ])
}

fn pipeline(target: &Target) -> Result<Vec<(String, String)>> {
    let before = target.memory();
    let many = format!("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target.health).repeat(10_000);
    let clients: Vec<TcpStream> = (0..100).map(|_| target.connect()).collect::<Result<_>>()?;
    for stream in &clients {
        stream.set_nonblocking(true)?;
    }
    let mut sent = vec![0; clients.len()];
    for _ in 0..20 {
        for (stream, sent) in clients.iter().zip(&mut sent) {
            let mut stream = stream;
            while let Ok(len @ 1..) = stream.write(&many.as_bytes()[*sent..]) {
                *sent += len;
            }
        }
        thread::sleep(Duration::from_millis(50));
    }
    let p99 = target.p99(100);
    let grown = target.memory() - before;
    Ok(vec![
        (
            "100 clients that send 10,000 requests each and read nothing: memory grows by".into(),
            format!("{grown:.1} MiB"),
        ),
        ("health of others meanwhile, 99th percentile".into(), p99),
    ])
}
