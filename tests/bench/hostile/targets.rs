//! The three servers, with the same limits as far as they have them. Servers that are not installed are skipped.

use crate::support::{
    self, Running, Scratch, Sharp,
    common::{Result, Service, expect},
    resident,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A server under attack.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    pub(crate) process: u32,
    pub(crate) health: String,
    /// Method and path of an upload, and the fields that it needs.
    pub(crate) upload: String,
    /// Path of a file of 20 MiB.
    pub(crate) large: String,
    _scratch: Option<Scratch>,
    _running: Option<Running>,
    _sharp: Option<Sharp>,
    _service: Option<Service>,
}

/// Raises the limit on file descriptors, which the clients need.
pub(crate) fn make_room() -> Result {
    let most = getrlimit(Resource::Nofile).maximum;
    Ok(setrlimit(
        Resource::Nofile,
        Rlimit {
            current: most,
            maximum: most,
        },
    )?)
}

pub(crate) fn convertd() -> Result<Target> {
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
        _sharp: None,
        _service: Some(service),
    })
}

pub(crate) fn nginx() -> Result<Option<Target>> {
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
    let port = support::free_port()?;
    let configuration = format!(
        "user root; daemon off; worker_processes 2; worker_rlimit_nofile 20000; pid nginx.pid; error_log error.log;
         events {{ worker_connections 16384; }}
         http {{
           access_log off; client_body_temp_path body; proxy_temp_path t1; fastcgi_temp_path t2; uwsgi_temp_path t3; scgi_temp_path t4;
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
        _sharp: None,
        _service: None,
    };
    target.wait()?;
    Ok(Some(target))
}

pub(crate) fn node() -> Result<Option<Target>> {
    let Some(sharp) = Sharp::start(100, 30)? else {
        return Ok(None);
    };
    Ok(Some(Target {
        name: "node",
        address: sharp.address,
        process: sharp.process(),
        health: "/health".into(),
        upload: "POST /convert HTTP/1.1\r\nHost: x".into(),
        large: "/large".into(),
        _scratch: None,
        _running: None,
        _sharp: Some(sharp),
        _service: None,
    }))
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

    pub(crate) fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, Duration::from_secs(10))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.set_write_timeout(Some(Duration::from_secs(10)))?;
        Ok(stream)
    }

    /// Duration of a health check over a new connection, in milliseconds.
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

    /// The 99th percentile of `count` health checks, and the number of failed ones.
    pub(crate) fn p99(&self, count: usize) -> String {
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

    /// Resident memory of the process and its children, in MiB.
    pub(crate) fn memory(&self) -> f64 {
        let all = std::iter::once(self.process).chain(support::children(self.process));
        all.filter_map(|pid| resident(pid, "VmRSS").ok()).sum()
    }
}
