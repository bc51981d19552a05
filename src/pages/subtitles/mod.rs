//! Converts subtitles: SubRip (`srt`) and WebVTT (`vtt`) to each other, Advanced SubStation Alpha (`ass`) to both, and
//! all to plain text. Never shifts times.
//!
//! Cues are read and written one by one, so that only the text of the file and a single cue are in memory.

mod ass;
mod ass_style;
mod cue;
mod markup;
mod read;
mod write;

use crate::{
    coding::encoding,
    document,
    error::{Error, Kind, Result},
    format::{Category, Format},
    job::{Converter, Input, Job, Notes, Output, Pair},
};
use convertd_tree::input::read_all;
use cue::Cue;
use write::Dialect;

/// The converter for subtitles.
pub static CONVERTER: Converter = Converter {
    name: "subtitles",
    formats: || FORMATS.iter().collect(),
    pairs,
    recognise,
    convert,
};

/// Every format, in the order in which `/formats` lists them.
static FORMATS: [Format; 3] = [
    Format {
        name: "srt",
        aliases: &[],
        category: Category::Document,
        description: "Subtitles of SubRip",
        media_type: "application/x-subrip",
        magic: &[],
    },
    Format {
        name: "vtt",
        aliases: &[],
        category: Category::Document,
        description: "Subtitles of the web (WebVTT)",
        media_type: "text/vtt",
        magic: &[],
    },
    Format {
        name: "ass",
        aliases: &["ssa"],
        category: Category::Document,
        description: "Subtitles of SubStation Alpha",
        media_type: "text/x-ssa",
        magic: &[],
    },
];

/// Memory for the text, for the bytes it is decoded from, and for a list of its lines, per byte of the file. Events of
/// SubStation Alpha need most memory: a line has at least 18 bytes, and its event takes 48 bytes in a list that grows
/// by doubling and is sorted.
const TIMES: u64 = 8;

fn pairs() -> Vec<Pair> {
    let targets = FORMATS[..2].iter().chain([document::format("txt")]);
    let targets: Vec<&'static Format> = targets.collect();
    let pairs = FORMATS.iter().flat_map(|from| {
        let others = targets.iter().copied().filter(move |to| *to != from);
        others.map(move |to| Pair {
            from,
            to,
            quality: "no effect",
            options: &[],
        })
    });
    pairs.collect()
}

/// Recognises a format by its signature, and SubRip, which has none, by its first cue.
fn recognise(head: &[u8], _: &mut dyn Input, extension: Option<&str>) -> Option<&'static Format> {
    let [srt, vtt, ass] = &FORMATS;
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if let Some(rest) = text.strip_prefix(b"WEBVTT")
        && rest.first().is_none_or(u8::is_ascii_whitespace)
    {
        return Some(vtt);
    }
    if text.trim_ascii_start().starts_with(b"[Script Info]") {
        return Some(ass);
    }
    if is_srt(text) {
        return Some(srt);
    }
    // Text with two bytes per character is recognised by the name of the file.
    let named = |format: &&Format| extension.is_some_and(|name| format.is_called(name));
    FORMATS
        .iter()
        .filter(|_| encoding::is_wide(head))
        .find(named)
}

/// Returns whether a file begins with the number of a cue and its times.
fn is_srt(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let times = match read::is_number(first) {
        true => lines.next(),
        false => Some(first),
    };
    times.is_some_and(|line| read::times(line).is_some())
}

/// Reads cue by cue, and writes each in the dialect of the target.
fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let (bytes, _lease) = read_all(job, input, TIMES)?;
    let text = encoding::decode(bytes);
    let dialect = match job.to.name {
        "srt" => Dialect::SubRip,
        "vtt" => Dialect::WebVtt,
        _ => Dialect::Words,
    };
    let mut writer = write::Writer::new(job, dialect, output);
    let mut take = |cue: Cue| writer.add(&cue);
    let mut notes = Notes::default();
    match job.from.name {
        "srt" => read::sub_rip(&text, &mut take)?,
        "vtt" => read::web_vtt(&text, &mut take, &mut notes)?,
        _ => ass::read(job, &text, &mut take, &mut notes)?,
    }
    if writer.finish(&mut notes)? == 0 {
        let text = format!(
            "the file is not a readable {}: it has no cue, which is a line such as 00:00:01,000 --> 00:00:02,000 with words below it",
            job.from.name
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_the_beginning_of_a_file() {
        #[track_caller]
        fn check(head: &str, extension: Option<&str>, expected: Option<&str>) {
            let found = recognise(head.as_bytes(), &mut std::io::Cursor::new(b""), extension);
            assert_eq!(found.map(|format| format.name), expected, "{head:?}");
        }
        check("WEBVTT", None, Some("vtt"));
        check("\u{feff}WEBVTT - a title\n", None, Some("vtt"));
        check("WEBVTTX", None, None);
        check("[Script Info]\n", None, Some("ass"));
        check("1\r\n00:00:01,000 --> 00:00:02,500\r\nA", None, Some("srt"));
        check("\n\n00:01.5 --> 00:02.5\nA", None, Some("srt"));
        check("1\nwords", None, None);
        check("words", Some("srt"), None);
    }
}
