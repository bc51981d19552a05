//! Code that the examples share: a service to talk to, and just enough HTTP and JSON for the standard library alone. A
//! program of your own would use its HTTP client and its JSON library instead.

// Every example compiles its own copy of this module, and uses only a part of it.
#![allow(dead_code, unreachable_pub)]

use std::{
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

/// Any error ends an example with a message and a status other than 0.
pub type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// Fails with `message` unless `condition` holds.
pub fn expect(condition: bool, message: impl Into<String>) -> Result {
    if condition {
        Ok(())
    } else {
        Err(message.into().into())
    }
}

/// A service: the one at `CONVERTD_URL`, or a process that this value starts, and ends when it is dropped.
pub struct Service {
    /// Host and port.
    pub authority: String,
    own: Option<(Child, PathBuf)>,
}

impl Service {
    /// The service at this host and port.
    pub fn at(authority: impl Into<String>) -> Self {
        Self {
            authority: authority.into(),
            own: None,
        }
    }

    /// Connects to a service, or starts one on a free port with a data directory that is deleted afterwards.
    pub fn get() -> Result<Self> {
        match env::var("CONVERTD_URL") {
            Ok(url) => Ok(Self::at(authority(&url)?)),
            Err(_) => {
                let service = Self::start(&[])?;
                println!("started a service at http://{}", service.authority);
                Ok(service)
            }
        }
    }

    /// Starts a service with more options.
    pub fn start(options: &[&str]) -> Result<Self> {
        let binary = binary()?;
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convertd-example-{}-{count}", std::process::id());
        let data_dir = env::temp_dir().join(name);
        let mut child = Command::new(&binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(&data_dir)
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|err| format!("{} cannot be started: {err}", binary.display()))?;
        let mut log = BufReader::new(child.stderr.take().ok_or("no standard error")?);
        // From here on, dropping this value cleans up, even after an error.
        let mut service = Self {
            authority: String::new(),
            own: Some((child, data_dir)),
        };
        let mut said = String::new();
        service.authority = loop {
            let start = said.len();
            if log.read_line(&mut said)? == 0 {
                return Err(format!("the service did not start:\n{said}").into());
            }
            if let Some((_, url)) = said[start..].split_once("listening on ") {
                break authority(url.trim())?;
            }
        };
        // The log is read to its end, because the service would have to wait if nobody did.
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Ok(service)
    }

    /// The process id, if the example has started the service.
    pub fn process(&self) -> Option<u32> {
        self.own.as_ref().map(|(child, _)| child.id())
    }

    /// Sends a `GET` request.
    pub fn get_path(&self, path: &str) -> Result<Answer> {
        self.request("GET", path, &[], &[])
    }

    /// Uploads a file for conversion. `options` are further fields of the form.
    pub fn convert(
        &self,
        file_name: &str,
        file: &[u8],
        options: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Result<Answer> {
        let boundary = "example-boundary-7f3d2c";
        let mut form = Vec::new();
        for (name, value) in options {
            write!(
                form,
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            )?;
        }
        write!(
            form,
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\r\n"
        )?;
        let end = format!("\r\n--{boundary}--\r\n");
        let content_type = format!("multipart/form-data; boundary={boundary}");
        let mut all = vec![("Content-Type", content_type.as_str())];
        all.extend_from_slice(headers);
        self.send(
            "POST",
            "/api/v1/convert",
            &all,
            &[&form, file, end.as_bytes()],
        )
    }

    /// Sends a request on a connection of its own.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer> {
        self.send(method, path, headers, &[body])
    }

    /// Like [`request`](Self::request), with content in several parts.
    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[&[u8]],
    ) -> Result<Answer> {
        let mut stream = TcpStream::connect(&self.authority)
            .map_err(|err| format!("no service answers at {}: {err}", self.authority))?;
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n",
            self.authority
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let length: usize = body.iter().map(|part| part.len()).sum();
        if length > 0 {
            head.push_str(&format!("Content-Length: {length}\r\n"));
        }
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        // A service that refuses a request early may not read the rest; its answer tells why.
        let sent = body.iter().try_for_each(|part| stream.write_all(part));
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        Answer::parse(bytes).or_else(|err| sent.map_err(Into::into).and(Err(err)))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some((child, data_dir)) = &mut self.own {
            // The process and the directory may be gone already.
            let _ = child.kill();
            let _ = child.wait();
            let _ = fs::remove_dir_all(data_dir);
        }
    }
}

/// The program to start: `CONVERTD_BIN`, or the one that cargo builds.
pub fn binary() -> Result<PathBuf> {
    if let Some(path) = env::var_os("CONVERTD_BIN") {
        return Ok(path.into());
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--bin", "convertd"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()?;
    expect(built.success(), "convertd could not be built")?;
    // This program is at target/debug/examples/NAME.
    let example = env::current_exe()?;
    let directory = example.ancestors().nth(2).ok_or("no target directory")?;
    Ok(directory.join("convertd"))
}

fn authority(url: &str) -> Result<String> {
    let rest = url
        .strip_prefix("http://")
        .ok_or_else(|| format!("{url:?} is no http:// address"))?;
    Ok(rest.split('/').next().unwrap_or_default().to_owned())
}

/// An answer of the service.
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The status line and the header fields.
    pub head: String,
    /// The content.
    pub body: Vec<u8>,
}

impl Answer {
    fn parse(mut bytes: Vec<u8>) -> Result<Self> {
        let end = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .ok_or("the answer has no head")?;
        let body = bytes.split_off(end + 4);
        let head = String::from_utf8(bytes)?;
        let status = head.split(' ').nth(1).ok_or("the answer has no status")?;
        let answer = Self {
            status: status.parse()?,
            head,
            body,
        };
        if let Some(len) = answer.header("content-length") {
            expect(
                len.parse() == Ok(answer.body.len()),
                "the answer was cut short",
            )?;
        }
        Ok(answer)
    }

    /// The value of a header field. Names are compared without case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The content as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or("(no text)")
    }

    /// A field of the answer's JSON: a text without its quotation marks, any other value as it is written.
    ///
    /// Errors: the field is missing, or the answer is an error.
    pub fn field(&self, name: &str) -> Result<String> {
        field(self.text(), name).ok_or_else(|| {
            format!("status {}, no {name:?} in: {}", self.status, self.text()).into()
        })
    }
}

/// The first field of this name in a JSON text. That is enough for the service's records, which are flat and have no
/// spaces.
pub fn field(json: &str, name: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{name}\":"))?;
    let Some(text) = rest.strip_prefix('"') else {
        return Some(rest[..rest.find([',', '}'])?].to_owned());
    };
    let (mut value, mut escaped) = (String::new(), false);
    for character in text.chars() {
        match character {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return Some(value),
            _ => {
                value.push(character);
                escaped = false;
            }
        }
    }
    None
}

/// A small picture (binary PPM): a gradient with a white frame.
pub fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut ppm = format!("P6\n{width} {height}\n255\n").into_bytes();
    for y in 0..height {
        for x in 0..width {
            let frame = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            let pixel = [(x * 255 / width) as u8, (y * 255 / height) as u8, 128];
            ppm.extend_from_slice(if frame { &[255; 3] } else { &pixel });
        }
    }
    ppm
}
