//! Small pictures, made here or by the server under test, and an independent look at what a file is.
//! Decodes nothing.

use crate::harness::Server;

/// Numbers that look random and are the same in every run (xorshift64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// A colourful picture as PPM: a gradient with some noise.
pub(crate) fn ppm(width: usize, height: usize) -> Vec<u8> {
    let mut random = Random::new(0x5eed);
    let mut file = format!("P6\n{width} {height}\n255\n").into_bytes();
    for y in 0..height {
        for x in 0..width {
            let noise = random.below(32);
            let level = |at: usize, of: usize| (at * 223 / of + noise) as u8;
            file.extend([
                level(x, width),
                level(y, height),
                level(x + y, width + height),
            ]);
        }
    }
    file
}

/// A picture of one colour as QOI (qoiformat.org), 62 pixels a byte.
pub(crate) fn plain_qoi(width: u32, height: u32) -> Vec<u8> {
    let pixels = width as usize * height as usize;
    let mut file = b"qoif".to_vec();
    file.extend(width.to_be_bytes());
    file.extend(height.to_be_bytes());
    file.extend([3, 0]);
    file.resize(file.len() + pixels / 62, 0xfd);
    if pixels % 62 > 0 {
        file.push(0xc0 | (pixels % 62 - 1) as u8);
    }
    file.extend([0, 0, 0, 0, 0, 0, 0, 1]);
    file
}

/// A picture that keeps a converter busy for seconds on its way to [`SLOW_TARGET`].
pub(crate) fn slow() -> Vec<u8> {
    plain_qoi(6000, 6000)
}

/// See [`slow`].
pub(crate) const SLOW_TARGET: &str = "exr";

/// A picture of 16 by 16 pixels as DDS with DXT1 blocks.
pub(crate) fn dds() -> Vec<u8> {
    let mut words = [0_u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1] = 124;
    words[2] = 0x0008_1007;
    words[3] = 16;
    words[4] = 16;
    words[5] = 128;
    words[19] = 32;
    words[20] = 4;
    words[21] = u32::from_le_bytes(*b"DXT1");
    words[27] = 0x1000;
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for block in 0..16 {
        file.extend([0x1f, block * 8, 0xe0, 0x07, 0x1b, 0xe4, 0x1b, 0xe4]);
    }
    file
}

/// A file of every format that can be read, the server's own work but for what it cannot write.
pub(crate) fn one_of_each(server: &Server) -> Vec<(String, Vec<u8>)> {
    let picture = ppm(16, 16);
    let formats = server.get("/api/v1/formats").json();
    let formats = formats["data"]["formats"].as_array().unwrap();
    let pictures = formats.iter().filter(|entry| {
        entry["category"] == "image" && !entry["can_convert_to"].as_array().unwrap().is_empty()
    });
    pictures
        .map(|entry| {
            let name = entry["format"].as_str().unwrap();
            let file = match name {
                "dds" => dds(),
                _ => converted(server, &picture, "a.ppm", name),
            };
            (name.to_owned(), file)
        })
        .collect()
}

/// Converts and downloads; both must succeed.
#[track_caller]
pub(crate) fn converted(server: &Server, file: &[u8], name: &str, target: &str) -> Vec<u8> {
    let answer = server.convert(file, name, target);
    assert_eq!(answer.status, 200, "{name} to {target}: {answer:?}");
    let download = server.get(&answer.data("download_url"));
    assert_eq!(download.status, 200, "{name} to {target}: {download:?}");
    assert_eq!(answer.json()["data"]["file_size"], download.body.len());
    download.body.0
}

/// What a file is, by its first bytes.
pub(crate) fn identify(file: &[u8]) -> &'static str {
    let starts = |magic: &[u8]| file.starts_with(magic);
    match file {
        _ if starts(b"\xff\xd8\xff") => "jpg",
        _ if starts(b"\x89PNG\r\n\x1a\n") => match file.windows(4).any(|chunk| chunk == b"acTL") {
            true => "apng",
            false => "png",
        },
        _ if starts(b"GIF8") => "gif",
        _ if starts(b"RIFF") && file.get(8..12) == Some(b"WEBP") => "webp",
        _ if starts(b"II*\0") || starts(b"MM\0*") => "tiff",
        _ if starts(b"BM") => "bmp",
        _ if starts(b"\0\0\x01\0") => "ico",
        _ if starts(b"qoif") => "qoi",
        _ if starts(b"#?RADIANCE") => "hdr",
        _ if starts(b"\x76\x2f\x31\x01") => "exr",
        _ if starts(b"farbfeld") => "ff",
        _ if starts(b"P4") => "pbm",
        _ if starts(b"P5") => "pgm",
        _ if starts(b"P6") => "ppm",
        _ if starts(b"P7\n") => "pam",
        [_, 0 | 1, 1..=3 | 9..=11, ..] => "tga",
        _ => "unknown",
    }
}

/// Width and height of a binary PPM.
pub(crate) fn ppm_size(file: &[u8]) -> (usize, usize) {
    let text = String::from_utf8_lossy(&file[..file.len().min(40)]).into_owned();
    let mut words = text.split_whitespace().skip(1);
    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    (number(), number())
}
