//! Conversion without a service, test pictures, and calls of other programs. Contains no test.

use convertd::{
    error::Result,
    job::{Notes, Quality, Unlimited},
};
use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageFormat, Rgb, RgbImage, RgbaImage};
use std::{
    fs,
    io::{Cursor, Write},
    path::PathBuf,
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

#[path = "../support/conversion.rs"]
mod conversion;
#[path = "../support/tools.rs"]
mod tools;

pub(crate) use tools::{epubcheck, has, has_module};

/// ImageMagick, which Debian calls `convert`.
pub(crate) const MAGICK: &str = "/usr/bin/convert";

/// A directory for one test, which is removed when this value is dropped.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convertd-across-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file in the directory, and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file below `tests/data`.
#[track_caller]
pub(crate) fn fixture(path: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    fs::read(format!("{root}{path}")).unwrap()
}

pub(crate) fn convert(
    name: &str,
    bytes: &[u8],
    to: &str,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    conversion::run(&Unlimited, (name, bytes), to, Quality::Medium, fields, 0)
}

#[track_caller]
pub(crate) fn converted(name: &str, bytes: &[u8], to: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    match convert(name, bytes, to, fields) {
        Ok((result, _)) => result,
        Err(error) => panic!("{name} to {to}: {error}"),
    }
}

/// The standard output of a program that must succeed.
#[track_caller]
pub(crate) fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Runs a Python script with `input` on its standard input, and returns the script's output.
#[track_caller]
pub(crate) fn python(script: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// A picture in which all regions differ.
pub(crate) fn scene(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        Rgb([
            (x * 255 / width) as u8,
            (y * 255 / height) as u8,
            ((x * 7 + y * 3) % 64) as u8,
        ])
    })
}

pub(crate) fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .into()
        .write_to(&mut bytes, ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

/// The same scene in other pixel types.
pub(crate) fn variants() -> Vec<(&'static str, DynamicImage)> {
    let scene = scene(61, 47);
    let grey: GrayImage = DynamicImage::from(scene.clone()).into_luma8();
    let rgba = RgbaImage::from_fn(61, 47, |x, y| {
        let [r, g, b] = scene.get_pixel(x, y).0;
        image::Rgba([r, g, b, (x * 4) as u8])
    });
    let grey_alpha: GrayAlphaImage = DynamicImage::from(rgba.clone()).into_luma_alpha8();
    let deep = DynamicImage::from(scene.clone()).into_rgb16();
    vec![
        ("rgb", scene.into()),
        ("grey", grey.into()),
        ("rgba", rgba.into()),
        ("grey with alpha", grey_alpha.into()),
        ("16 bits", deep.into()),
    ]
}
