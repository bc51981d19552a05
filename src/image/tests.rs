//! Whole conversions of generated pictures. The results are decoded by the `image` crate and compared.

mod alpha;
mod colour;
#[cfg(feature = "svg")]
mod drawings;
mod limits;
mod moving;
mod pairs;
mod samples;
mod wishes;

use crate::*;
use ::image::{DynamicImage, ImageBuffer, ImageFormat, Rgba, RgbaImage};
use convertd_core::{
    error::Kind,
    job::{Gate, Ledger, Options, Quality, Task, Unlimited},
};
use std::io::Cursor;

/// The job of a conversion of one picture to another, within a task.
///
/// Errors: [`Kind::BadInput`] if there is no such conversion.
pub(crate) fn job<'a>(
    task: &'a Task,
    input_len: u64,
    spare_threads: usize,
    gate: &'a Ledger<'a>,
) -> Result<Job<'a>> {
    let mut pairs = (CONVERTER.pairs)().into_iter();
    let pair = pairs.find(|pair| pair.from.name == task.from && pair.to.name == task.to);
    let pair = pair.ok_or_else(|| Error::new(Kind::BadInput, "no such conversion"))?;
    Ok(pair.job(task, input_len, spare_threads, gate))
}

/// Converts `input` from `from` to `to`.
pub(crate) fn run(
    input: &[u8],
    from: &str,
    to: &str,
    quality: Quality,
) -> Result<(Vec<u8>, Notes)> {
    run_behind(&Unlimited, input, from, to, quality)
}

fn run_behind(
    gate: &dyn Gate,
    input: &[u8],
    from: &str,
    to: &str,
    quality: Quality,
) -> Result<(Vec<u8>, Notes)> {
    run_with(gate, input, from, to, quality, &Options::default())
}

fn run_with(
    gate: &dyn Gate,
    input: &[u8],
    from: &str,
    to: &str,
    quality: Quality,
    options: &Options,
) -> Result<(Vec<u8>, Notes)> {
    let task = Task {
        from: from.into(),
        to: to.into(),
        quality,
        options: options.clone(),
        file_title: None,
    };
    let ledger = Ledger::new(gate);
    let job = job(&task, input.len() as u64, 1, &ledger)?;
    let mut output = Cursor::new(Vec::new());
    let notes = convert(&job, &mut Cursor::new(input), &mut output)?;
    Ok((output.into_inner(), notes))
}

/// A smooth picture with an edge and a transparent hole. Its size should not be a multiple of common block sizes.
fn picture(width: u32, height: u32) -> RgbaImage {
    ImageBuffer::from_fn(width, height, |x, y| {
        let edge = if x > width / 2 { 40 } else { 0 };
        let alpha = if x < width / 4 && y < height / 4 {
            0
        } else {
            255
        };
        Rgba([
            (x * 200 / width) as u8 + edge,
            (y * 200 / height) as u8,
            ((x + y) * 100 / (width + height)) as u8 + edge,
            alpha,
        ])
    })
}

/// A picture as a file of the format `name`. Most formats are made by our own writers, from a PNG.
fn file(name: &str, picture: &RgbaImage) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).unwrap();
    match name {
        "png" => png.into_inner(),
        "dds" => dds(picture),
        "psd" => samples::psd(picture),
        "pcx" => samples::pcx(picture),
        // A cursor is an icon with the type 2 instead of 1.
        "cur" => {
            let mut icon = run(png.get_ref(), "png", "ico", Quality::High).unwrap().0;
            icon[2] = 2;
            icon
        }
        _ => run(png.get_ref(), "png", name, Quality::High).unwrap().0,
    }
}

/// Makes a DXT1 surface with blocks of one colour, because the `image` crate does not read uncompressed surfaces.
fn dds(picture: &RgbaImage) -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let (width, height) = (picture.width() & !3, picture.height() & !3);
    for word in [124, 0x1007, height, width, 0, 0, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend([0; 44]);
    file.extend(32u32.to_le_bytes());
    file.extend(4u32.to_le_bytes());
    file.extend(b"DXT1");
    file.extend([0; 40]);
    for y in (0..height).step_by(4) {
        for x in (0..width).step_by(4) {
            let Rgba([r, g, b, a]) = *picture.get_pixel(x, y);
            let over = |sample: u8| if a == 0 { 255 } else { u16::from(sample) };
            let colour = over(r) >> 3 << 11 | over(g) >> 2 << 5 | over(b) >> 3;
            file.extend(colour.to_le_bytes());
            file.extend(colour.to_le_bytes());
            file.extend([0; 4]);
        }
    }
    file
}

/// The formats that [`file`] can make.
fn generated() -> impl Iterator<Item = &'static str> {
    let readable = ROWS.iter().filter(|row| row.read.is_some());
    readable.map(|row| row.format.name).filter(|name| {
        !matches!(
            *name,
            "djvu" | "dng" | "heic" | "jp2" | "svg" | "emf" | "wmf" | "pict"
        )
    })
}

/// The formats that pictures are written in.
fn writable() -> impl Iterator<Item = &'static str> {
    let writable = ROWS.iter().filter(|row| row.write.is_some());
    writable.map(|row| row.format.name)
}

/// Decodes a result by the `image` crate, which is independent of our readers, if it supports the format.
fn decode(name: &str, file: &[u8]) -> DynamicImage {
    // The `image` crate cannot decode these formats here, so our own readers do. Other tests compare these formats with
    // other programs.
    if matches!(name, "avif" | "icns" | "jxl" | "pfm" | "toy") {
        let (png, _) = run(file, name, "png", Quality::Low).unwrap();
        return decode("png", &png);
    }
    let format = match name {
        "pbm" | "pgm" | "ppm" | "pam" => ImageFormat::Pnm,
        "ff" => ImageFormat::Farbfeld,
        "cur" => ImageFormat::Ico,
        "apng" => ImageFormat::Png,
        "exr" => ImageFormat::OpenExr,
        _ => ImageFormat::from_extension(name).unwrap(),
    };
    ::image::load_from_memory_with_format(file, format).unwrap()
}

/// Peak signal to noise ratio in decibels; infinite if all samples are the same.
fn psnr(a: &::image::RgbImage, b: &::image::RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let error: f64 = a
        .as_raw()
        .iter()
        .zip(b.as_raw())
        .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
        .sum();
    10.0 * (65_025.0 * a.as_raw().len() as f64 / error).log10()
}

/// The picture in 8-bit RGB, blended with white. Floats are gamma-encoded first.
fn on_white(picture: &DynamicImage) -> ::image::RgbImage {
    let rgba = match picture {
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            let mut light = picture.to_rgba32f();
            for pixel in light.pixels_mut() {
                for sample in &mut pixel.0[..3] {
                    let light = sample.clamp(0.0, 1.0);
                    *sample = if light <= 0.003_130_8 {
                        light * 12.92
                    } else {
                        1.055 * light.powf(1.0 / 2.4) - 0.055
                    };
                }
            }
            DynamicImage::ImageRgba32F(light).to_rgba8()
        }
        _ => picture.to_rgba8(),
    };
    ImageBuffer::from_fn(rgba.width(), rgba.height(), |x, y| {
        let Rgba([r, g, b, a]) = *rgba.get_pixel(x, y);
        let over = |sample: u8| {
            let sum = u32::from(sample) * u32::from(a) + 255 * u32::from(255 - a);
            ((sum + 127) / 255) as u8
        };
        ::image::Rgb([over(r), over(g), over(b)])
    })
}
