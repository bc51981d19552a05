//! Converts a picture and downloads the result. The download works once, so nothing stays on the service.
//!
//! ```sh
//! cargo run --example convert_image                        # a picture of its own, to png
//! cargo run --example convert_image photo.jpg photo.webp   # yours
//! ```

mod common;

use common::{Result, Service, expect};
use std::{env, fs, path::Path};

fn main() -> Result {
    let mut arguments = env::args().skip(1);
    let (input, output) = (arguments.next(), arguments.next());
    let (name, content) = match &input {
        Some(path) => (path.as_str(), fs::read(path)?),
        None => ("gradient.ppm", common::picture(640, 480)),
    };
    let target = output
        .as_deref()
        .and_then(|path| Path::new(path).extension()?.to_str())
        .unwrap_or("png");

    let service = Service::get()?;
    let fields = [("target_format", target), ("quality", "high")];
    let answer = service.convert(name, &content, &fields, &[])?;
    if answer.status != 200 {
        return Err(answer.field("error")?.into());
    }
    let (size, link) = (answer.field("file_size")?, answer.field("download_url")?);
    println!(
        "{name} ({} bytes of {}) became {size} bytes of {target} in {} s",
        content.len(),
        answer.field("original_format")?,
        answer.field("conversion_time")?,
    );
    println!("the link works until {}", answer.field("expires_at")?);

    let download = service.get_path(&link)?;
    expect(download.status == 200, "the link does not work")?;
    expect(
        download.body.len().to_string() == size,
        "the download does not have the announced size",
    )?;
    if target == "png" {
        check_png(&download.body, &content)?;
    }
    println!(
        "downloaded {} bytes of {}",
        download.body.len(),
        download.header("content-type").unwrap_or("?")
    );
    if let Some(path) = output {
        fs::write(&path, &download.body)?;
        println!("saved as {path}");
    }

    let again = service.get_path(&link)?;
    println!("a second time: {}, {}", again.status, again.field("error")?);
    expect(again.status == 404, "the file could be downloaded twice")
}

/// Checks that the result is a PNG. If the original was made by this example, checks that both have the same size.
fn check_png(png: &[u8], original: &[u8]) -> Result {
    expect(png.starts_with(b"\x89PNG\r\n\x1a\n"), "this is no PNG file")?;
    let number = |at: usize| png.get(at..at + 4).map(|b| [b[0], b[1], b[2], b[3]]);
    let side = |at| {
        number(at)
            .map(u32::from_be_bytes)
            .ok_or("a PNG without a header")
    };
    let (width, height) = (side(16)?, side(20)?);
    println!("{width} by {height} pixels");
    expect(
        !original.starts_with(b"P6\n640 480\n") || (width, height) == (640, 480),
        "the picture has changed its size",
    )
}
