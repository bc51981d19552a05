//! A small file of every format that can be read. The file comes from other tests, is written here in a few lines, or
//! is a result of the program. Compares nothing.

use crate::{
    biff,
    catalogue::{Format, named},
    hangul,
    harness::{Request, Server},
    iwa, palm,
    pict::pict,
    zips::Zip,
};
use std::{collections::BTreeMap, fs};

/// Files by their formats.
pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

/// Formats that the program does not write, each with the smallest file that other tests have for it.
static STORED: &[(&str, &str)] = &[
    // This archive contains a file for each target.
    ("7z", "archive/all.7z"),
    ("bz2", "archive/all.tar.bz2"),
    ("cb7", "archive/comic.cb7"),
    ("aac", "audio/adts.aac"),
    ("ac3", "audio/mono.ac3"),
    ("amr", "audio/speech.amr"),
    ("ape", "audio/short.ape"),
    ("caf", "audio/apple.caf"),
    ("dds", "dds/bc1.dds"),
    ("djvu", "djvu/letters.djvu"),
    ("doc", "documents/frames.doc"),
    ("eac3", "audio/tone.eac3"),
    ("fodt", "documents/frames.fodt"),
    ("heic", "heic/plain420.heic"),
    ("jp2", "jp2/grey16.jp2"),
    ("mka", "audio/mp3.mka"),
    ("mkv", "audio/tone.mkv"),
    ("mov", "audio/big.mov"),
    ("mp2", "audio/layer2.mp2"),
    ("mp4", "audio/video.mp4"),
    ("otf", "documents/fonts/boxes.otf"),
    ("ppt", "presentations/drawn.ppt"),
    ("ttf", "documents/fonts/letters.ttf"),
    ("webm", "audio/opus.webm"),
    ("woff", "documents/fonts/letters.woff"),
    ("woff2", "documents/fonts/letters.woff2"),
    ("wv", "audio/lossy.wv"),
    ("xls", "spreadsheets/book.xls"),
    ("xlsb", "spreadsheets/looks.xlsb"),
];

/// Archives that are written here. They contain a file that can be converted to the target.
pub(crate) const ARCHIVES: [&str; 5] = ["zip", "tar", "gz", "xz", "zst"];

/// Formats of the files from which the program makes files of the other formats.
static SEEDS: &[&str] = &["ppm", "wav", "html", "csv"];

const PAGE: &str = "<!DOCTYPE html><title>Page</title><h1>Title</h1><p>Some <b>words</b>.\
    <ul><li>one<li>two</ul><table border=1><tr><th>name<th>count<th>price<tr><td>apples<td>1<td>2.50\
    <tr><td>pears<td>2<td>3.50<tr><td>plums<td>3<td>4.50</table>";

const MAIL: &str = "From: A <a@example.org>\r\nTo: b@example.org\r\nSubject: Hello\r\n\
    Date: Mon, 1 Jan 2024 10:00:00 +0100\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSome words.\r\n\
    --x\r\nContent-Type: text/plain; name=note.txt\r\nContent-Disposition: attachment; filename=note.txt\r\n\r\n\
    A note.\r\n--x--\r\n";

const SLIDES: &str = r#"<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.presentation"
    xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">
    <office:body><office:presentation><draw:page draw:name="one"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="3cm">
    <draw:text-box><text:p>Words</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document>"#;

/// A drawing of one page as a single XML file.
fn drawing() -> String {
    SLIDES
        .replace("opendocument.presentation", "opendocument.graphics")
        .replace("office:presentation>", "office:drawing>")
}

const BOOK: &str = r#"<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">
    <description><title-info><author><nickname>A</nickname></author><book-title>Book</book-title><lang>en</lang></title-info></description>
    <body><section><title><p>Title</p></title><p>Some <strong>words</strong>.</p>
    <table><tr><th>name</th><th>count</th></tr><tr><td>apples</td><td>1</td></tr></table></section></body></FictionBook>"#;

const SUBTITLES: &str = "1\n00:00:01,000 --> 00:00:02,000\n<i>Some</i> words.\n";

const WEB_SUBTITLES: &str = "WEBVTT\n\n00:01.000 --> 00:02.000\n<i>Some</i> words.\n";

const SUBSTATION: &str = "[Script Info]\nScriptType: v4.00+\n\n[Events]\n\
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n\
    Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Some{\\i0} words.\n";

const NOTEBOOK: &str = r##"{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[
    {"cell_type":"markdown","metadata":{},"source":["# Title\n","words"]},
    {"cell_type":"code","metadata":{},"execution_count":1,"source":["1+1"],"outputs":[]}]}"##;

/// The sides of the pictures that are made here, in pixels.
const SIDES: (u16, u16) = (16, 12);

/// Red, green and blue of a pixel.
fn pixel(x: u16, y: u16) -> [u8; 3] {
    [x, y, x ^ y].map(|level| (level * 15) as u8)
}

fn pixels() -> impl Iterator<Item = [u8; 3]> {
    (0..SIDES.1).flat_map(|y| (0..SIDES.0).map(move |x| pixel(x, y)))
}

fn ppm() -> Vec<u8> {
    let mut file = format!("P6\n{} {}\n255\n", SIDES.0, SIDES.1).into_bytes();
    file.extend(pixels().flatten());
    file
}

/// A sound of a tenth of a second: 16 bits, one channel, 8 kHz.
fn wav() -> Vec<u8> {
    let mut file = b"RIFF\x64\x06\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x40\x06\0\0".to_vec();
    let level = |at: i32| (at * 700 % 20_000 - 10_000) as i16;
    file.extend((0..800).flat_map(|at| level(at).to_le_bytes()));
    file
}

/// A Photoshop file without layers, with three uncompressed planes.
fn psd() -> Vec<u8> {
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x03".to_vec();
    file.extend(u32::from(SIDES.1).to_be_bytes());
    file.extend(u32::from(SIDES.0).to_be_bytes());
    file.extend([0, 8, 0, 3]);
    // These zeros mean: no palette, no resources, no layers, no compression.
    file.extend([0; 14]);
    (0..3).for_each(|plane| file.extend(pixels().map(|pixel| pixel[plane])));
    file
}

/// A PCX file with three planes of eight bits.
fn pcx() -> Vec<u8> {
    let mut file = vec![10, 5, 1, 8, 0, 0, 0, 0];
    file.extend((SIDES.0 - 1).to_le_bytes());
    file.extend((SIDES.1 - 1).to_le_bytes());
    file.resize(65, 0);
    file.push(3);
    file.extend(SIDES.0.to_le_bytes());
    file.resize(128, 0);
    for y in 0..SIDES.1 {
        for plane in 0..3 {
            // Each sample is stored as a run of length one.
            (0..SIDES.0).for_each(|x| file.extend([0xc1, pixel(x, y)[plane]]));
        }
    }
    file
}

/// A rectangle as a 32-bit Windows metafile.
fn emf() -> Vec<u8> {
    let longs =
        |longs: &[i32]| biff::longs(&longs.iter().map(|long| *long as u32).collect::<Vec<_>>());
    let mut file = longs(&[1, 108, 0, 0, 399, 199, 0, 0, 10_000, 5_000]);
    file.extend(b" EMF");
    file.extend(longs(&[0x1_0000, 0, 0, 0, 0, 0, 0, 1600, 800, 400, 200]));
    file.resize(108, 0);
    file.extend(longs(&[43, 24, 0, 0, 200, 100]));
    file.extend(longs(&[14, 20, 0, 0, 20]));
    file
}

/// The same rectangle as a 16-bit metafile, with a header that states the size of the picture.
fn wmf() -> Vec<u8> {
    let mut file = vec![0xd7, 0xcd, 0xc6, 0x9a];
    file.extend(biff::shorts(&[0, 0, 0, 1440, 720, 1440, 0, 0, 0]));
    file.extend(biff::shorts(&[1, 9, 0x300, 0, 0, 0, 0, 0, 0]));
    // The record for the rectangle: its length in words, its function, and bottom, right, top and left.
    file.extend(biff::shorts(&[7, 0, 0x041b, 700, 1400, 0, 0]));
    file.extend(biff::shorts(&[3, 0, 0]));
    file
}

/// A camera file whose preview is this JPEG, in the only strip of its first directory.
fn dng(jpeg: &[u8]) -> Vec<u8> {
    let entries: [(u16, u16, u32, u32); 5] = [
        (0x0103, 3, 1, 7),
        (0x0106, 3, 1, 6),
        (0x0111, 4, 1, 128),
        (0x0117, 4, 1, jpeg.len() as u32),
        (0xc612, 1, 4, 0x0000_0401),
    ];
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(biff::shorts(&[tag, kind]));
        file.extend(biff::longs(&[count, value]));
    }
    file.resize(128, 0);
    file.extend(jpeg);
    file
}

/// An Outlook message with a text, and with an empty entry that identifies the file type.
fn msg() -> Vec<u8> {
    let name = |name: &str| -> Vec<u8> { name.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let text = "__substg1.0_1000001E";
    let mut file = biff::compound_of(text, b"Some words.".to_vec());
    let text = name(text);
    let entry = file.windows(text.len()).position(|bytes| bytes == text);
    // An entry has 128 bytes.
    let next = entry.expect("the entry of the text") + 128;
    let mark = name("__properties_version1.0");
    file[next..next + mark.len()].copy_from_slice(&mark);
    file
}

/// An attachment in Outlook's format TNEF, with a subject and a text.
fn tnef() -> Vec<u8> {
    let mut file = vec![0x78, 0x9f, 0x3e, 0x22, 1, 0];
    for (id, data) in [
        (0x0001_8004_u32, &b"Hello\0"[..]),
        (0x0002_800c, b"Some words.\0"),
    ] {
        file.push(1);
        file.extend(biff::longs(&[id, data.len() as u32]));
        file.extend(data);
        let sum: u16 = data.iter().map(|byte| u16::from(*byte)).sum();
        file.extend(sum.to_le_bytes());
    }
    file
}

/// A ZIP archive of these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let add = |zip: Zip, (name, bytes): &(&str, &[u8])| zip.stored(name, bytes);
    files.iter().fold(Zip::default(), add).finish()
}

/// A tape archive of these files.
fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        let size = format!("{:011o}", bytes.len());
        header[124..135].copy_from_slice(size.as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        archive.extend(header);
        archive.extend(*bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.extend([0; 1024]);
    archive
}

/// A gzip file with stored blocks.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut blocks = bytes.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let len = block.len() as u16;
        file.push(u8::from(blocks.peek().is_none()));
        file.extend(biff::shorts(&[len, !len]));
        file.extend(block);
    }
    file.extend(crc32fast::hash(bytes).to_le_bytes());
    file.extend((bytes.len() as u32).to_le_bytes());
    file
}

/// A Zstandard file with stored blocks.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    // The header of a frame without a length, with a window of 128 KiB.
    let mut file = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    let mut blocks = bytes.chunks(100_000).peekable();
    while let Some(block) = blocks.next() {
        let head = (block.len() as u32) << 3 | u32::from(blocks.peek().is_none());
        file.extend(&head.to_le_bytes()[..3]);
        file.extend(block);
    }
    file
}

/// An xz file with one block, whose chunks are stored.
fn xz(bytes: &[u8]) -> Vec<u8> {
    let sealed = |mut part: Vec<u8>| {
        part.extend(crc32fast::hash(&part).to_le_bytes());
        part
    };
    let number = |mut number: usize| {
        let mut all = Vec::new();
        while number > 0x7f {
            all.push(number as u8 | 0x80);
            number >>= 7;
        }
        all.push(number as u8);
        all
    };
    // The block has one filter, LZMA2, with the smallest dictionary.
    let mut block = sealed(vec![2, 0, 0x21, 1, 0, 0, 0, 0]);
    for (at, chunk) in bytes.chunks(0x1_0000).enumerate() {
        block.push(if at == 0 { 1 } else { 2 });
        block.extend(((chunk.len() - 1) as u16).to_be_bytes());
        block.extend(chunk);
    }
    block.push(0);
    let mut index = vec![0, 1];
    index.extend(number(block.len()));
    index.extend(number(bytes.len()));
    index.resize(index.len().next_multiple_of(4), 0);
    let index = sealed(index);
    block.resize(block.len().next_multiple_of(4), 0);
    // These flags mean that the content has no checksum.
    let flags = [0, 0];
    let mut file = b"\xfd7zXZ\0".to_vec();
    file.extend(sealed(flags.to_vec()));
    file.extend(block);
    let words = (index.len() / 4 - 1) as u32;
    file.extend(&index);
    let end = [&words.to_le_bytes()[..], &flags].concat();
    file.extend(crc32fast::hash(&end).to_le_bytes());
    file.extend(end);
    file.extend(b"YZ");
    file
}

impl Files {
    /// A file of each format that can be read. Fails if a format has no file.
    #[track_caller]
    pub(crate) fn of_each(server: &Server, formats: &[Format]) -> Self {
        let mut files = Self(BTreeMap::new());
        let made = |from: &str, file: &[u8], to: &str| {
            let request = Request::new("PUT", &format!("/api/v1/convert?to={to}&name=a.{from}"));
            let answer = server.send(request.body(file.to_vec()));
            assert_eq!(answer.status, 200, "{from} to {to}: {answer:?}");
            answer.body.0
        };
        for format in formats.iter().filter(|format| !format.targets.is_empty()) {
            let name = format.name.as_str();
            let file = match name {
                "ppm" => ppm(),
                "wav" => wav(),
                "html" => PAGE.into(),
                "csv" => b"name,count\na,1\nb,2\n".to_vec(),
                "svg" => b"<svg xmlns='http://www.w3.org/2000/svg' width='16' height='12'><path d='M0 0L9 9'/><text y='9'>a</text></svg>".to_vec(),
                "md" => b"# Title\n\nSome *words*.\n".to_vec(),
                "eml" => MAIL.into(),
                "mbox" => format!("From a@example.org Mon Jan  1 10:00:00 2024\r\n{MAIL}\r\n").into(),
                "msg" => msg(),
                "tnef" => tnef(),
                "ipynb" => NOTEBOOK.into(),
                "fodp" => SLIDES.into(),
                "fodg" => drawing().into(),
                "odg" => Zip::default()
                    .stored("mimetype", b"application/vnd.oasis.opendocument.graphics")
                    .packed("content.xml", drawing().as_bytes())
                    .finish(),
                "fb2" => BOOK.into(),
                "mobi" => palm::book(PAGE),
                "hwpx" => hangul::sample(&made("ppm", &ppm(), "png")),
                "pages" => iwa::pages(&made("ppm", &ppm(), "png")),
                "key" => iwa::key(&made("ppm", &ppm(), "png")),
                "numbers" => iwa::numbers(&[&["name", "count"], &["apples", "pears"]]),
                "srt" => SUBTITLES.into(),
                "vtt" => WEB_SUBTITLES.into(),
                "ass" => SUBSTATION.into(),
                "psd" => psd(),
                "pcx" => pcx(),
                "emf" => emf(),
                "wmf" => wmf(),
                "pict" => [&[0; 512], &pict()[..]].concat(),
                // The PDF comes from a page with words, and not from a picture.
                "pdf" => made("html", PAGE.as_bytes(), "pdf"),
                "dng" => dng(&made("ppm", &ppm(), "jpg")),
                "cur" => {
                    let mut icon = made("ppm", &ppm(), "ico");
                    icon[2] = 2;
                    icon
                }
                "zip" => zip(&[("page.html", PAGE.as_bytes())]),
                "tar" => tar(&[("page.html", PAGE.as_bytes())]),
                "gz" => gzip(PAGE.as_bytes()),
                "xz" => xz(PAGE.as_bytes()),
                "zst" => zstd(PAGE.as_bytes()),
                "cbz" => zip(&[("1.ppm", &ppm()), ("ComicInfo.xml", b"<ComicInfo/>")]),
                "cbt" => tar(&[("1.ppm", &ppm())]),
                _ => match STORED.iter().find(|(format, _)| *format == name) {
                    Some((_, path)) => {
                        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
                        fs::read(format!("{root}{path}")).unwrap()
                    }
                    None => {
                        let seed = SEEDS.iter().find(|seed| format.sources.iter().any(|from| from == *seed));
                        let seed = seed.unwrap_or_else(|| panic!("there is no small file of {name}"));
                        let file = files.0.get(*seed).cloned().unwrap_or_else(|| match *seed {
                            "ppm" => ppm(),
                            "wav" => wav(),
                            "csv" => b"name,count\na,1\n".to_vec(),
                            _ => PAGE.into(),
                        });
                        made(seed, &file, name)
                    }
                },
            };
            files.0.insert(name.to_owned(), file);
        }
        files
    }

    /// The file of a format, for a conversion to `to`. An archive contains a file that can be converted to `to`.
    #[track_caller]
    pub(crate) fn of(&self, formats: &[Format], from: &str, to: &str) -> Vec<u8> {
        if !ARCHIVES.contains(&from) {
            let file = self.0.get(from);
            return file
                .unwrap_or_else(|| panic!("there is no small file of {from}"))
                .clone();
        }
        let sources = &named(formats, to).sources;
        let takes = |name: &&str| sources.iter().any(|from| from == name);
        // An archive may contain a page with the files that the page refers to.
        let inside = ["html", "ppm", "wav", "csv", "ass", "md", "woff", "woff2"]
            .into_iter()
            .find(takes);
        let inside = inside.unwrap_or_else(|| panic!("nothing in an archive becomes {to}"));
        let page = format!("page.{inside}");
        let files = [(&*page, &*self.0[inside]), ("margin.txt", b"words")];
        match from {
            "zip" => zip(&files),
            "tar" => tar(&files),
            "xz" => xz(&tar(&files)),
            "zst" => zstd(&tar(&files)),
            _ => gzip(&tar(&files)),
        }
    }

    pub(crate) fn formats(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
