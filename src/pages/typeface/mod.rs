//! Fonts: converts OpenType files (`ttf`, `otf`) and the packed formats for the web (`woff`, `woff2`) to each other.
//! Changes no outline.
//!
//! All four formats contain the same tables, which are copied byte for byte, with three exceptions: wrong checksums are
//! corrected, with a note; `woff2` requires a flag in the table `head`, which states that the font was packed; and this
//! change invalidates the signature (`DSIG`), which is left out, with a note.

mod checked;
mod packed;

use crate::{
    error::{Error, Kind, Result},
    fonts::web,
    format::{Category, Format},
    job::{Converter, Input, Job, Notes, Output, Pair},
};
use convertd_tree::input::read_all;

/// The converter for fonts.
pub static CONVERTER: Converter = Converter {
    name: "typeface",
    formats: || FORMATS.iter().collect(),
    pairs,
    recognise: |_, _, _| None,
    convert,
};

/// Every format, in the order in which `/formats` lists them.
static FORMATS: [Format; 4] = [
    Format {
        name: "ttf",
        aliases: &[],
        category: Category::Document,
        description: "TrueType font",
        media_type: "font/ttf",
        magic: &[&[(0, b"\0\x01\0\0\0")], &[(0, b"true\0")]],
    },
    Format {
        name: "otf",
        aliases: &[],
        category: Category::Document,
        description: "OpenType font with PostScript outlines",
        media_type: "font/otf",
        magic: &[&[(0, b"OTTO\0")]],
    },
    Format {
        name: "woff",
        aliases: &[],
        category: Category::Document,
        description: "Web font (WOFF)",
        media_type: "font/woff",
        magic: &[&[(0, b"wOFF")]],
    },
    Format {
        name: "woff2",
        aliases: &[],
        category: Category::Document,
        description: "Web font (WOFF 2)",
        media_type: "font/woff2",
        magic: &[&[(0, b"wOF2")]],
    },
];

/// Effect of the quality on packed formats.
const PACKED: &str = "compression effort: low is fast, high makes the smallest file";
/// Effect of the quality on plain formats.
const PLAIN: &str = "no effect";

/// Limit on the size of an unpacked font, in bytes.
const MAX: usize = 64 << 20;
/// Memory per byte of an unpacked font: its tables, a copy of them, and the result.
const TIMES: u64 = 4;

/// Returns whether a format is a plain OpenType file.
fn is_plain(format: &Format) -> bool {
    matches!(format.name, "ttf" | "otf")
}

fn pairs() -> Vec<Pair> {
    let pairs = FORMATS.iter().flat_map(|from| {
        // Plain formats do not convert to each other, because TrueType and PostScript outlines would have to be
        // redrawn.
        let is_pair = move |to: &&Format| *to != from && !(is_plain(from) && is_plain(to));
        FORMATS.iter().filter(is_pair).map(move |to| Pair {
            from,
            to,
            quality: if is_plain(to) { PLAIN } else { PACKED },
            options: &[],
        })
    });
    pairs.collect()
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let (bytes, _file) = read_all(job, input, 1)?;
    let len = web::claimed(&bytes, MAX) as u64;
    if len >= MAX as u64 {
        let text = format!(
            "the font takes {} MiB or more; it must be smaller",
            MAX >> 20
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let _tables = job.lease(TIMES * len)?;
    let mut font = web::read(&bytes, MAX).map_err(|fault| job.unreadable(fault))?;
    drop(bytes);
    job.check()?;
    checked::check(&font).map_err(|fault| job.unreadable(fault))?;
    let mut notes = Notes::default();
    if font.has_more {
        notes.add("The extended metadata and the private data of the WOFF file were left out.");
    }
    if !font.unsound.is_empty() {
        let names: Vec<String> = font.unsound.iter().map(|name| shown(*name)).collect();
        notes.add(format!(
            "Wrong checksums were corrected, in these tables: {}.",
            names.join(", ")
        ));
    }
    let is_postscript = font.flavour == *b"OTTO";
    let file = match job.to.name {
        "ttf" if is_postscript => {
            let text = "the outlines of this font are PostScript (CFF), which a ttf cannot hold; convert it to otf";
            return Err(Error::new(Kind::BadInput, text));
        }
        "otf" if !is_postscript => {
            notes.add(
                "The otf has the TrueType outlines of the source; such a font is usually a ttf.",
            );
            web::written(font)
        }
        "woff" => packed::woff(job, &font)?,
        "woff2" => packed::woff2(job, &mut font, &mut notes)?,
        _ => web::written(font),
    };
    output.write_all(&file).map_err(Error::unwritten)?;
    Ok(notes)
}

/// The name of a table without trailing spaces.
fn shown(name: web::Name) -> String {
    name.escape_ascii().to_string().trim_end().to_owned()
}
