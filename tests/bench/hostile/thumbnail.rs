//! The wait for a thumbnail while other clients use all that they are allowed: each has as many slow conversions
//! running or waiting as the service permits for one address.

use crate::{
    support::{
        Scratch,
        common::{Result, Service, expect},
        median, timed,
    },
    targets::Target,
};
use std::{io::Write, net::TcpStream};

/// Conversions of each client: the limit of the service for one address with two converters.
const EACH: usize = 16;
/// Number of thumbnails, which are requested one after another.
const ROUNDS: usize = 3;

/// The two pictures: a small file that takes seconds to become an AVIF, and an icon.
struct Pictures {
    long: Vec<u8>,
    icon: Vec<u8>,
}

/// The waits with one, four and twelve clients, and with several numbers of converters if the server has that setting.
pub(crate) fn thumbnail(target: &Target) -> Result<Vec<(String, String)>> {
    if target.name == "nginx" {
        return Ok(Vec::new());
    }
    let pictures = pictures()?;
    let mut rows = Vec::new();
    for clients in [1, 4, 12] {
        let what = match clients {
            1 => "a thumbnail beside a client that holds all it can".to_owned(),
            _ => format!("beside {clients} of them"),
        };
        let wait = match target.name {
            "convertd" => ours(clients, &pictures)?,
            _ => theirs(target, clients, &pictures)?,
        };
        rows.push((what, wait));
    }
    Ok(rows)
}

fn pictures() -> Result<Pictures> {
    let service = Service::start(&["--log", "warn"])?;
    let png = |width: usize, height: usize| -> Result<Vec<u8>> {
        let mut ppm = format!("P6 {width} {height} 255\n").into_bytes();
        let pixel = |at: usize| {
            [
                (at % 97) as u8,
                (at / width / 9) as u8,
                (at / 97) as u8 / 64,
            ]
        };
        ppm.extend((0..width * height).flat_map(pixel));
        let answer = service.convert("p.ppm", &ppm, &[("target_format", "png")], &[])?;
        Ok(service.get_path(&answer.field("download_url")?)?.body)
    };
    Ok(Pictures {
        long: png(3000, 3000)?,
        icon: png(64, 48)?,
    })
}

fn ours(clients: usize, pictures: &Pictures) -> Result<String> {
    let scratch = Scratch::new()?;
    let mut waits = Vec::new();
    for converters in ["1", "2", "4"] {
        let dir = scratch.path(&format!("{clients}-{converters}"));
        let dir = dir.to_str().ok_or("an odd name of a directory")?;
        let service = Service::start(&[
            "--log",
            "error",
            "--trusted-proxies",
            "127.0.0.1",
            "--converters",
            converters,
            "--data-dir",
            dir,
        ])?;
        for client in 0..clients {
            let from = format!("192.0.2.{client}");
            let head = [("Prefer", "respond-async"), ("X-Forwarded-For", &from)];
            let fields = [("target_format", "avif"), ("quality", "high")];
            for _ in 0..EACH {
                // Requests beyond the limit are refused.
                let answer = service.convert("long.png", &pictures.long, &fields, &head)?;
                expect(matches!(answer.status, 202 | 503), answer.text())?;
            }
        }
        let ask = || -> Result {
            let head = [("X-Forwarded-For", "198.51.100.1")];
            let answer = service.convert(
                "icon.png",
                &pictures.icon,
                &[("target_format", "jpg")],
                &head,
            )?;
            expect(answer.status == 200, answer.text())
        };
        waits.push(format!("{:.2} s", wait(ask)?));
    }
    Ok(format!("{} (1, 2, 4 converters)", waits.join(", ")))
}

/// The wait on a server that does not distinguish clients.
fn theirs(target: &Target, clients: usize, pictures: &Pictures) -> Result<String> {
    let mut held = Vec::new();
    for _ in 0..clients * EACH {
        let mut stream = TcpStream::connect(target.address)?;
        let head = format!(
            "POST /convert?avif={{}} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
            pictures.long.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&pictures.long)?;
        held.push(stream);
    }
    let server = Service::at(target.address.to_string());
    let waited = wait(|| {
        let answer = server.request("POST", "/convert?jpeg={}", &[], &pictures.icon)?;
        expect(answer.status == 200, answer.text())
    });
    Ok(match waited {
        Ok(seconds) => format!("{seconds:.2} s"),
        Err(error) => format!("not within its time ({error})"),
    })
}

fn wait(ask: impl Fn() -> Result) -> Result<f64> {
    let rounds: Result<Vec<f64>> = (0..ROUNDS).map(|_| Ok(timed(&ask)?.0)).collect();
    Ok(median(rounds?))
}
