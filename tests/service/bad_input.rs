//! Files that are damaged or have false headers. The answer tells the sender of the file what to do, and other clients
//! are not affected.

use crate::{
    contract::{failure, success},
    harness::{Client, Form, Request, Server, wait_for},
    samples::{self, Random, Sample},
};

/// Converts a file that may be damaged. The answer is 200 with a result, or 400 with a reason.
#[track_caller]
fn survives(connection: &mut Client, file: &[u8], name: &str, target: &str, how: &str) {
    let answer = connection.send(Request::form(Form::of(file, name, target)));
    match answer.status {
        200 => {
            let file = connection.send(Request::get(&answer.data("download_url")));
            assert_eq!(file.status, 200, "{name} to {target}, {how}");
        }
        _ => {
            let error = failure(&answer, 400);
            // One or two bytes may count as a text, and an error may then say that a text cannot be converted to the
            // target.
            assert!(
                !error.contains("target_format") || error.contains("can be converted to"),
                "{name} to {target}, {how}: {error}"
            );
        }
    }
}

/// Checks that the service has no more descriptors than before, and no files.
#[track_caller]
fn nothing_is_left(server: &mut Server, descriptors: usize) {
    server.wait_until_empty();
    wait_for("all descriptors are closed", || {
        (server.process().descriptors() <= descriptors).then_some(())
    });
    success(&server.convert(&samples::ppm(4, 4), "p.ppm", "png"), 200);
    for line in server.log() {
        assert!(
            !line.contains("panicked") && !line.contains("[ERROR]"),
            "{line}"
        );
    }
}

#[test]
fn truncated_files_do_no_harm() {
    let mut server = Server::start();
    let samples = samples::one_of_each(&server);
    let before = server.process().descriptors();
    let mut connection = server.connect();
    for Sample {
        format,
        file,
        plain,
        ..
    } in &samples
    {
        let name = format!("p.{format}");
        let steps = (1..8).map(|eighth| file.len() * eighth / 8);
        for cut in [1, 2, 4, 12, 30]
            .into_iter()
            .chain(steps)
            .chain([file.len() - 1])
        {
            if cut < file.len() {
                let how = format!("cut at {cut} of {}", file.len());
                survives(&mut connection, &file[..cut], &name, plain, &how);
            }
        }
    }
    drop(connection);
    nothing_is_left(&mut server, before);
}

#[test]
fn files_with_flipped_bits_do_no_harm() {
    let mut server = Server::start();
    let samples = samples::one_of_each(&server);
    let before = server.process().descriptors();
    let mut connection = server.connect();
    let mut random = Random::new(0x0dd_b175);
    for Sample {
        format,
        file,
        plain,
        ..
    } in &samples
    {
        let name = format!("p.{format}");
        for round in 0..24 {
            let mut damaged = file.clone();
            // Most changes are in the header, where they have the largest effect.
            let reach = if round % 3 == 0 {
                file.len()
            } else {
                file.len().min(64)
            };
            let mut how = String::from("bits flipped at");
            for _ in 0..=round / 6 {
                let (at, bit) = (random.below(reach), random.below(8));
                damaged[at] ^= 1 << bit;
                how.push_str(&format!(" {at}.{bit}"));
            }
            survives(&mut connection, &damaged, &name, plain, &how);
        }
    }
    drop(connection);
    nothing_is_left(&mut server, before);
}

#[test]
fn noise_is_harmless_under_the_name_of_every_format() {
    let mut server = Server::start();
    success(&server.get("/api/v1/health"), 200);
    let before = server.process().descriptors();
    let formats = server.get("/api/v1/formats").json();
    let mut connection = server.connect();
    let mut random = Random::new(99);
    for format in formats["data"]["formats"].as_array().unwrap() {
        let name = format!("p.{}", format["format"].as_str().unwrap());
        for len in [1, 17, 600, 5000] {
            let noise: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            survives(&mut connection, &noise, &name, "png", "noise");
            survives(&mut connection, &vec![0; len], &name, "png", "zeros");
        }
    }
    drop(connection);
    nothing_is_left(&mut server, before);
}

/// A black square PNG with this side. With one bit per pixel, 30,000 by 30,000 pixels take a hundred kilobytes; at
/// other depths, the file has no pixels.
fn png_bomb(side: u32, color: png::ColorType, depth: png::BitDepth) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    if depth == png::BitDepth::One {
        let rows = (side as usize).div_ceil(8) * side as usize;
        writer.write_image_data(&vec![0; rows]).unwrap();
    } else {
        // The header states pixels that the file does not contain.
        writer
            .write_chunk(png::chunk::IDAT, &[0x78, 0x9c, 0x63])
            .unwrap();
    }
    drop(writer);
    file
}

/// Files whose headers state far more data than the file has or can have.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let be = |numbers: &[u32]| {
        numbers
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect::<Vec<u8>>()
    };
    let le = |numbers: &[u32]| {
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let huge = u32::MAX;
    let tiff_entry = |tag: u16, value: u32| {
        let mut entry = tag.to_le_bytes().to_vec();
        entry.extend(4_u16.to_le_bytes());
        entry.extend(le(&[1, value]));
        entry
    };
    let mut tiff = b"II*\0\x08\0\0\0\x06\0".to_vec();
    for (tag, value) in [
        (256, 4_000_000_000),
        (257, 4_000_000_000),
        (262, 1),
        (273, 8),
        (278, huge),
        (279, huge),
    ] {
        tiff.extend(tiff_entry(tag, value));
    }
    tiff.extend(le(&[0]));
    let bmp = |width: u32, height: u32| {
        let head = le(&[
            54 + 16,
            0,
            54,
            40,
            width,
            height,
            1 | 24 << 16,
            0,
            0,
            0,
            0,
            0,
            0,
        ]);
        [&b"BM"[..], &head, &[0; 16]].concat()
    };
    let exr = {
        let mut file = b"\x76\x2f\x31\x01\x02\0\0\0".to_vec();
        let mut attribute = |name: &str, kind: &str, value: &[u8]| {
            file.extend([name.as_bytes(), b"\0", kind.as_bytes(), b"\0"].concat());
            file.extend((value.len() as u32).to_le_bytes());
            file.extend(value);
        };
        let window = le(&[0, 0, 0x0fff_ffff, 0x0fff_ffff]);
        let channel = [&b"R\0"[..], &le(&[1, 0, 1, 1]), b"\0"].concat();
        attribute("channels", "chlist", &channel);
        attribute("compression", "compression", &[3]);
        attribute("dataWindow", "box2i", &window);
        attribute("displayWindow", "box2i", &window);
        attribute("lineOrder", "lineOrder", &[0]);
        attribute("pixelAspectRatio", "float", &1_f32.to_le_bytes());
        attribute("screenWindowCenter", "v2f", &[0; 8]);
        attribute("screenWindowWidth", "float", &1_f32.to_le_bytes());
        file.push(0);
        file
    };
    let mut dds = samples::dds();
    dds[12..20].fill(0xff);
    let webp = [
        &b"RIFF"[..],
        &le(&[30]),
        b"WEBPVP8X",
        &le(&[10, 0]),
        &[0xff; 6],
        b"VP8L",
        &le(&[5]),
        b"\x2f\xff\xff\xff\xff\0",
    ]
    .concat();
    let jpg = b"\xff\xd8\xff\xc2\0\x11\x08\xff\xff\xff\xff\x03\x01\x44\0\x02\x44\0\x03\x44\0\xff\xda\0\x0c\x03\x01\0\x02\0\x03\0\0\x3f\0".to_vec();
    vec![
        ("png", png_bomb(30_000, png::ColorType::Rgba, png::BitDepth::Sixteen)),
        ("png", png_bomb(0x7fff_ffff, png::ColorType::Rgb, png::BitDepth::Eight)),
        ("gif", [&b"GIF89a\xff\xff\xff\xff\x80\0\0"[..], &[0; 6], b"\x2c\0\0\0\0\xff\xff\xff\xff\0\x02\x01\x44\0\x3b"].concat()),
        ("jpg", jpg),
        ("webp", webp),
        ("tiff", tiff),
        ("bmp", bmp(0x7fff_ffff, 0x7fff_ffff)),
        ("bmp", bmp(100_000, 0x8000_0000)),
        ("ico", [&b"\0\0\x01\0\x01\0\0\0\0\0\x01\0\x20\0"[..], &le(&[huge, 22]), &le(&[40, 0x7fff_ffff, 0x7fff_ffff])].concat()),
        ("qoi", [&b"qoif"[..], &be(&[huge, huge]), b"\x04\0"].concat()),
        ("qoi", samples::plain_qoi(60_000, 8)[..14].to_vec()),
        ("hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2000000000 +X 2000000000\n".to_vec()),
        ("exr", exr),
        ("ff", [&b"farbfeld"[..], &be(&[huge, huge])].concat()),
        ("dds", dds),
        ("ppm", b"P6 4000000000 4000000000 255\n".to_vec()),
        ("ppm", b"P3 99999999999999999999 1 255\n".to_vec()),
        ("pbm", b"P4 4000000000 4000000000\n".to_vec()),
        ("pam", b"P7\nWIDTH 4000000000\nHEIGHT 4000000000\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec()),
        ("tga", [&[0_u8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0xff, 0xff, 0xff, 0xff, 32, 8]].concat()),
    ]
}

#[test]
fn oversized_dimensions_are_refused_before_allocation() {
    let mut server = Server::with("--memory 64M").start();
    samples::converted(&server, &samples::ppm(4, 4), "p.ppm", "png");
    let children = server.process().children();
    let before = server.process().descriptors();
    let peak = server.process().peak_allocated_kib();
    for (format, bomb) in bombs() {
        for target in ["webp", "png", "gif"] {
            let error = failure(&server.convert(&bomb, &format!("p.{format}"), target), 400);
            assert!(
                !error.contains("target_format"),
                "{format} to {target}: {error}"
            );
        }
    }
    // None of these files caused a child to be killed.
    assert_eq!(server.process().children(), children);
    let grown = server.process().peak_allocated_kib().saturating_sub(peak);
    assert!(grown < 8 << 10, "{grown} KiB more");
    nothing_is_left(&mut server, before);
}

#[test]
fn small_files_with_too_many_pixels_are_refused() {
    let server = Server::with("--memory 64M").start();
    let bomb = png_bomb(30_000, png::ColorType::Grayscale, png::BitDepth::One);
    assert!(bomb.len() < 200_000, "{} bytes", bomb.len());
    for (bomb, target) in [
        (&bomb, "gif"),
        (&bomb, "exr"),
        (&samples::plain_qoi(12_000, 12_000), "exr"),
        (&samples::plain_qoi(12_000, 12_000), "webp"),
    ] {
        let error = failure(&server.convert(bomb, "p.png", target), 400);
        assert!(!error.contains("target_format"), "{target}: {error}");
    }
}
