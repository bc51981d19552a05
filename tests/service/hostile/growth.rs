//! Growth of processor time with the size of a file. Other tests do not show a quadratic cost, because it is small for
//! a file of a few kilobytes. These tests repeat a piece of a small file more and more often, until the file has a
//! megabyte. The piece comes from the file itself, or is known to be expensive.
//!
//! If a conversion takes longer than [`patience`], its time may grow only in proportion to the size of the file, unless
//! a large result justifies more time. A long run uses the release build, and fails at any unjustified time beyond
//! [`patience`]. `CONVERTD_FUZZ_SECONDS` sets the duration, and `CONVERTD_FUZZ_SEED` the seed.

use super::{
    assert_sound,
    fuzz::{Fixture, Random, duration, fixtures, keep},
    pieces::{Around, KNOWN, Known},
};
use crate::harness::Server;
use std::time::{Duration, Instant};

/// Limit on the size of a file in bytes.
const MAX: usize = 1_000_000;

/// Total size of the repeated pieces in the first file, in bytes.
const FIRST: usize = 32 << 10;

/// Limit on the size of a part of an archive before compression, in bytes.
const MAX_UNPACKED: usize = 2 << 20;

/// Size of a result, in bytes, that justifies a second of processor time.
const WORTH: f64 = 100e3;

/// Returns whether this is a long run (`make soak`), which uses the release build on an idle machine.
fn is_long() -> bool {
    std::env::var_os("CONVERTD_FUZZ_SECONDS").is_some()
}

/// Processor time of a conversion above which its growth is checked.
fn patience() -> Duration {
    Duration::from_secs(if is_long() { 5 } else { 10 })
}

/// Limit on the factor between the processor times of two successive files, the second of which is at most four times
/// as long: 2.6 for each doubling.
const MAX_GROWTH: f64 = 2.6 * 2.6;

/// A file that is divided into three pieces, the middle one of which is repeated.
struct Cut<'a> {
    before: &'a [u8],
    piece: &'a [u8],
    after: &'a [u8],
}

impl<'a> Cut<'a> {
    /// Chooses a piece from one delimiter to a later one, so that the piece consists of whole elements, lines or words.
    /// A parser would soon refuse parts of them.
    fn choose(random: &mut Random, bytes: &'a [u8]) -> Option<Self> {
        let mark = *random.pick(b"<\n ({[,");
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == mark).collect();
        let first = random.below(places.len().saturating_sub(1));
        let last = first + 1 + random.below(6);
        let from = *places.get(first)?;
        let to = *places.get(last).or(places.last())?;
        (from < to).then(|| Self {
            before: &bytes[..from],
            piece: &bytes[from..to],
            after: &bytes[to..],
        })
    }

    /// The file in which the repetitions of the piece take about this many bytes.
    fn repeated(&self, bytes: usize) -> Vec<u8> {
        let pieces = self.piece.repeat(bytes / self.piece.len() + 1);
        [self.before, &pieces, self.after].concat()
    }
}

/// The unpacked entries of a ZIP archive. `None` if this function cannot read the archive.
fn unpacked(archive: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let short = |at: usize| Some(u16::from_le_bytes(*archive.get(at..)?.first_chunk()?).into());
    let long = |at: usize| Some(u32::from_le_bytes(*archive.get(at..)?.first_chunk()?) as usize);
    let end = archive.windows(4).rposition(|four| four == b"PK\x05\x06")?;
    let count: usize = short(end + 10)?;
    let mut at = long(end + 16)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let (method, packed, local): (usize, _, _) =
            (short(at + 10)?, long(at + 20)?, long(at + 42)?);
        let (name, extra, comment): (usize, usize, usize) =
            (short(at + 28)?, short(at + 30)?, short(at + 32)?);
        let title = archive.get(at + 46..at + 46 + name)?.to_vec();
        let skipped: (usize, usize) = (short(local + 26)?, short(local + 28)?);
        let data = local + 30 + skipped.0 + skipped.1;
        let data = archive.get(data..data + packed)?;
        let content = match method {
            0 => data.to_vec(),
            8 => miniz_oxide::inflate::decompress_to_vec(data).ok()?,
            _ => return None,
        };
        entries.push((title, content));
        at += 46 + name + extra + comment;
    }
    Some(entries)
}

/// A ZIP archive of entries. The first entry is not compressed, as in EPUB and OpenDocument.
fn packed(entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (index, (name, content)) in entries.iter().enumerate() {
        let (method, data) = match index {
            0 => (0, content.clone()),
            _ => (8, miniz_oxide::deflate::compress_to_vec(content, 6)),
        };
        let mut head = vec![20, 0, 0, 0, method, 0, 0, 0, 0x21, 0];
        let numbers = [
            crc32fast::hash(content),
            data.len() as u32,
            content.len() as u32,
        ];
        head.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        let place = out.len() as u32;
        out.extend([&b"PK\x03\x04"[..], &head, name, &data].concat());
        directory.extend([&b"PK\x01\x02\x14\0"[..], &head, &[0; 10]].concat());
        directory.extend(place.to_le_bytes());
        directory.extend(name);
    }
    let (place, count) = (out.len() as u32, (entries.len() as u16).to_le_bytes());
    out.extend(&directory);
    out.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(place.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// Versions of a file that contain one of its pieces more and more often. In an archive, the piece is in one of the
/// parts.
fn growing(random: &mut Random, content: &[u8]) -> Vec<Vec<u8>> {
    let mut entries = unpacked(content);
    let is_marked = |part: &[u8]| std::str::from_utf8(part).is_ok() && part.contains(&b'<');
    let (part, most) = match &mut entries {
        Some(entries) => {
            let marked = |index: &usize| is_marked(&entries[*index].1);
            let parts: Vec<usize> = (0..entries.len()).filter(marked).collect();
            let Some(part) = parts.get(random.below(parts.len())) else {
                return Vec::new();
            };
            (Some(*part), MAX_UNPACKED)
        }
        None => (None, MAX - content.len()),
    };
    let grown = match (&entries, part) {
        (Some(entries), Some(part)) => entries[part].1.clone(),
        _ => content.to_vec(),
    };
    let Some(cut) = Cut::choose(random, &grown) else {
        return Vec::new();
    };
    of_sizes(most, |size| {
        let repeated = cut.repeated(size);
        let (Some(entries), Some(part)) = (&mut entries, part) else {
            return repeated;
        };
        entries[part].1 = repeated;
        packed(entries)
    })
}

/// Versions of a file that contain a known expensive piece more and more often, and the format of the file.
fn known(random: &mut Random, fixtures: &[Fixture]) -> Option<(&'static str, Vec<Vec<u8>>)> {
    let Known {
        format,
        around,
        pieces,
    } = random.pick(KNOWN);
    let piece = random.pick(pieces).as_bytes();
    let files = match around {
        Around::Text(before, after) => {
            let (before, after) = (before.as_bytes(), after.as_bytes());
            let cut = Cut {
                before,
                piece,
                after,
            };
            of_sizes(MAX - 1000, |size| cut.repeated(size))
        }
        Around::Operators => of_sizes(MAX - 2000, |size| pdf(&piece.repeat(size / piece.len()))),
        Around::Part(name, mark) => {
            let ours = fixtures.iter().find(|fixture| fixture.name == *format)?;
            let mut entries = unpacked(&ours.content)?;
            let part = entries.iter().position(|(own, _)| own == name.as_bytes())?;
            let whole = entries[part].1.clone();
            let at = whole
                .windows(mark.len())
                .position(|own| own == mark.as_bytes())?;
            let (before, after) = whole.split_at(at + mark.len());
            let cut = Cut {
                before,
                piece,
                after,
            };
            of_sizes(MAX_UNPACKED, |size| {
                entries[part].1 = cut.repeated(size);
                packed(&entries)
            })
        }
    };
    Some((format, files))
}

/// A PDF of one page with these operators.
fn pdf(operators: &[u8]) -> Vec<u8> {
    let stream = |entries: &str, content: &[u8]| {
        let head = format!("<<{entries}/Length {}>>stream\n", content.len());
        [head.as_bytes(), content, b"\nendstream"].concat()
    };
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>/Pattern<</P 7 0 R>>/ExtGState<</G<</ca .5/BM/Multiply>>>>>>>>".to_vec(),
        stream("", operators),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        stream("/Type/XObject/Subtype/Form/BBox[0 0 99 99]", b"0 0 9 9 re f"),
        stream("/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 2 2]/XStep 2/YStep 2/Resources<<>>", b"0 0 1 1 re f"),
    ];
    let (mut file, mut table) = (b"%PDF-1.4\n".to_vec(), String::new());
    for (number, object) in (1..).zip(&objects) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let (place, count) = (file.len(), objects.len() + 1);
    file.extend(format!("xref\n0 {count}\n0000000000 65535 f \n{table}trailer<</Size {count}/Root 1 0 R>>\nstartxref\n{place}\n%%EOF\n").bytes());
    file
}

/// Files of increasing sizes, up to the limits.
fn of_sizes(most: usize, file: impl FnMut(usize) -> Vec<u8>) -> Vec<Vec<u8>> {
    let sizes =
        std::iter::successors(Some(FIRST), |size| Some(size * 4)).take_while(|size| *size < most);
    let files: Vec<_> = sizes.chain([most]).map(file).collect();
    files.into_iter().filter(|file| file.len() <= MAX).collect()
}

/// Converts files until a conversion takes too long for its result. Returns a description of that conversion.
fn too_long(server: &mut Server, name: &str, target: &str, files: &[Vec<u8>]) -> Option<String> {
    let mut times = Vec::new();
    let mut last = None;
    for bytes in files {
        let before = server.process().processor_time();
        let answer = server.convert(bytes, &format!("a.{name}"), target);
        let took = server.process().processor_time().saturating_sub(before);
        times.push(format!(
            "{:.2} s for {} bytes",
            took.as_secs_f64(),
            bytes.len()
        ));
        let mut made = 0.0;
        if answer.status == 200 {
            made = server.get(&answer.data("download_url")).body.len() as f64;
        }
        // Times below this value consist mainly of the fixed cost of a conversion.
        let least = Duration::from_secs(1);
        let grows = last
            .replace(took)
            .is_none_or(|before| took.as_secs_f64() > MAX_GROWTH * before.max(least).as_secs_f64());
        let is_long_and_poor = took > patience() && made < WORTH * took.as_secs_f64();
        if is_long_and_poor && (is_long() || grows) {
            let path = keep("long", name, target, bytes);
            let message = if answer.status == 200 {
                String::new()
            } else {
                answer.error()
            };
            let times = times.join(", ");
            return Some(format!(
                "{times}: {name} to {target}: {message} ({})",
                path.display()
            ));
        }
    }
    None
}

#[test]
fn processor_time_grows_in_proportion_to_the_file() {
    let mut server = Server::with("--job-timeout 1200 --memory 1G --converters 1").start();
    let mut fixtures = fixtures().to_vec();
    // Fixtures with pictures and sound are left out. Their time depends on pixels and seconds, which repetition does
    // not add.
    let is_text = |content: &[u8]| std::str::from_utf8(content).is_ok();
    let is_pdf = |content: &[u8]| content.starts_with(b"%PDF");
    fixtures.retain(|fixture| {
        let content = &fixture.content;
        let is_kind = is_text(content) || is_pdf(content) || unpacked(content).is_some();
        is_kind && content.len() < MAX / 2
    });
    // The encoders of these formats take long for each pixel.
    let is_slow = |target: &String| matches!(target.as_str(), "avif" | "jxl" | "webp");
    for fixture in &mut fixtures {
        fixture.targets.retain(|target| !is_slow(target));
    }
    fixtures.retain(|fixture| !fixture.targets.is_empty());
    assert!(fixtures.len() > 5, "only {} kinds", fixtures.len());
    let deadline = Instant::now() + duration();
    let mut random = Random::new(200);
    let (mut findings, mut tried) = (Vec::new(), 0);
    while Instant::now() < deadline {
        let (format, files) = match random.below(2) {
            0 => {
                let fixture = random.pick(&fixtures);
                let files = growing(&mut random, &fixture.content);
                (fixture.name.as_str(), files)
            }
            _ => known(&mut random, &fixtures).expect("every format has a file"),
        };
        let targets = fixtures.iter().find(|fixture| fixture.name == format);
        let Some(Fixture { targets, .. }) = targets else {
            continue;
        };
        let target = random.pick(targets);
        tried += usize::from(!files.is_empty());
        let finding = too_long(&mut server, format, target, &files);
        finding.iter().for_each(|finding| eprintln!("{finding}"));
        findings.extend(finding);
    }
    eprintln!("{tried} files that grow, of {} kinds", fixtures.len());
    assert!(tried > 0);
    assert!(
        findings.is_empty(),
        "{} findings: {findings:#?}",
        findings.len()
    );
    assert!(server.process().exited().is_none());
    assert_sound(&server);
}

#[test]
fn archives_are_unpacked_and_packed() {
    let entries = vec![
        (b"mimetype".to_vec(), b"a/b".to_vec()),
        (b"c.xml".to_vec(), b"<c/>".repeat(100)),
    ];
    let archive = packed(&entries);
    assert_eq!(unpacked(&archive), Some(entries));
    assert!(archive.len() < 300);
}
