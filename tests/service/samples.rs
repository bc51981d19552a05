//! Small pictures, which are made here or by the server under test, and an independent detection of formats. Decodes
//! nothing.

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

/// A picture of one colour as QOI (qoiformat.org), with 62 pixels per byte.
pub(crate) fn plain_qoi(width: u32, height: u32) -> Vec<u8> {
    let pixels = width as usize * height as usize;
    let mut file = b"qoif".to_vec();
    file.extend(width.to_be_bytes());
    file.extend(height.to_be_bytes());
    file.extend([3, 0]);
    file.resize(file.len() + pixels / 62, 0xfd);
    if !pixels.is_multiple_of(62) {
        file.push(0xc0 | (pixels % 62 - 1) as u8);
    }
    file.extend([0, 0, 0, 0, 0, 0, 0, 1]);
    file
}

/// A picture whose conversion to [`SLOW_TARGET`] takes seconds.
pub(crate) fn slow() -> Vec<u8> {
    plain_qoi(6000, 6000)
}

/// A target format to which [`slow`] is converted in seconds.
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

/// A short tone as WAV: 16 bits, one channel, 8 kHz.
pub(crate) fn wav(milliseconds: u32) -> Vec<u8> {
    let samples = 8 * milliseconds;
    let mut file = b"RIFF".to_vec();
    file.extend((36 + 2 * samples).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(8000_u32.to_le_bytes());
    file.extend(16_000_u32.to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend((2 * samples).to_le_bytes());
    for at in 0..samples {
        let level = (f64::from(at) / 8000.0 * 440.0 * std::f64::consts::TAU).sin();
        file.extend(((level * 9000.0) as i16).to_le_bytes());
    }
    file
}

/// A file, its format, and the targets of a conversion.
pub(crate) struct Sample {
    pub(crate) format: String,
    pub(crate) file: Vec<u8>,
    /// Targets of the format, as the service lists them.
    pub(crate) targets: Vec<String>,
    /// A target of the same category whose conversion is fast and lossless.
    pub(crate) plain: &'static str,
}

/// A file of every picture or sound format that the service can read and write, and a DDS file, which it can only read.
/// The service itself makes the other files from one file for each category.
pub(crate) fn one_of_each(server: &Server) -> Vec<Sample> {
    let formats = server.get("/api/v1/formats").json();
    let formats = formats["data"]["formats"].as_array().unwrap();
    let mut samples = Vec::new();
    for entry in formats {
        let (seed, from, plain) = match entry["category"].as_str().unwrap() {
            "image" => (ppm(16, 16), "ppm", "bmp"),
            "audio" => (wav(300), "wav", "wav"),
            // Documents in different formats have only a part of their content in common, so they have tests of their
            // own.
            _ => continue,
        };
        let format = entry["format"].as_str().unwrap();
        let targets = entry["can_convert_to"].as_array().unwrap();
        let sources = entry["can_convert_from"].as_array().unwrap();
        let file = match format {
            "dds" => dds(),
            // The service cannot convert the seed to this format.
            _ if !sources.iter().any(|source| source == from) => continue,
            _ => converted(server, &seed, &format!("a.{from}"), format),
        };
        samples.push(Sample {
            format: format.to_owned(),
            file,
            targets: targets
                .iter()
                .map(|target| target.as_str().unwrap().to_owned())
                .collect(),
            plain,
        });
    }
    assert!(samples.len() >= 26, "only {} formats", samples.len());
    samples
}

/// Converts a file and downloads the result. Fails if either request does.
#[track_caller]
pub(crate) fn converted(server: &Server, file: &[u8], name: &str, target: &str) -> Vec<u8> {
    let answer = server.convert(file, name, target);
    assert_eq!(answer.status, 200, "{name} to {target}: {answer:?}");
    let download = server.get(&answer.data("download_url"));
    assert_eq!(download.status, 200, "{name} to {target}: {download:?}");
    assert_eq!(answer.json()["data"]["file_size"], download.body.len());
    download.body.0
}

/// Returns whether a PNG states that it is animated, in a chunk before its pixels.
fn has_frames(file: &[u8]) -> bool {
    let at = |name: &[u8; 4]| file.windows(4).position(|bytes| bytes == name);
    at(b"acTL").is_some_and(|frames| Some(frames) < at(b"IDAT"))
}

/// The format of a file, by its first bytes.
pub(crate) fn identify(file: &[u8]) -> &'static str {
    let starts = |magic: &[u8]| file.starts_with(magic);
    match file {
        _ if starts(b"\xff\xd8\xff") => "jpg",
        _ if starts(b"\x89PNG\r\n\x1a\n") && has_frames(file) => "apng",
        _ if starts(b"\x89PNG\r\n\x1a\n") => "png",
        _ if starts(b"GIF8") => "gif",
        _ if starts(b"RIFF") && file.get(8..12) == Some(b"WEBP") => "webp",
        _ if starts(b"II*\0") || starts(b"MM\0*") => "tiff",
        _ if starts(b"BM") => "bmp",
        _ if starts(b"\0\0\x01\0") => "ico",
        _ if starts(b"icns") => "icns",
        _ if starts(b"PK\x03\x04") => "cbz",
        _ if starts(b"\xff\x0a") || file.get(4..8) == Some(b"JXL ") => "jxl",
        _ if starts(b"qoif") => "qoi",
        _ if starts(b"#?RADIANCE") => "hdr",
        _ if starts(b"\x76\x2f\x31\x01") => "exr",
        _ if starts(b"farbfeld") => "ff",
        _ if starts(b"P4") => "pbm",
        _ if starts(b"P5") => "pgm",
        _ if starts(b"P6") => "ppm",
        _ if starts(b"P7\n") => "pam",
        _ if starts(b"Pf\n") || starts(b"PF\n") => "pfm",
        _ if starts(b"RIFF") && file.get(8..12) == Some(b"WAVE") => "wav",
        _ if starts(b"ID3")
            || starts(b"\xff\xfb")
            || starts(b"\xff\xf3")
            || starts(b"\xff\xe3") =>
        {
            "mp3"
        }
        _ if starts(b"fLaC") => "flac",
        _ if file.get(4..12) == Some(b"ftypavif") => "avif",
        _ if file.get(4..8) == Some(b"ftyp") => "m4a",
        _ if starts(b"OggS") && file.get(28..36) == Some(b"OpusHead") => "opus",
        _ if starts(b"OggS") && file.get(29..35) == Some(b"vorbis") => "ogg",
        _ if starts(b"FORM") => "aiff",
        _ if starts(b".snd") => "au",
        _ if starts(b"%PDF-") => "pdf",
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
