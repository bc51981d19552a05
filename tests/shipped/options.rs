//! Every option with each of its values: all values that an option lists, and a few useful numbers and texts. A full
//! run before a release tests all values for all pairs, which are about twenty thousand conversions. Other runs test
//! each value with each source and each target to which it applies, in as few pairs as possible.

use crate::{
    catalogue::{Choice, Format, formats, nothing_is, on_threads},
    files::{ARCHIVES, Files},
    harness::Server,
    pairs::Wish,
};
use std::collections::BTreeSet;

/// Values for options that list no values, and other fields that an option needs, encoded as in a query.
static SAMPLES: &[(&str, &[&str], &str)] = &[
    ("album", &["Album"], ""),
    ("artist", &["Artist"], ""),
    ("attach", &["%7B%7D"], ""),
    (
        "bookmarks",
        &["%5B%7B%22title%22:%22A%22,%22page%22:1,%22children%22:%5B%5D%7D%5D"],
        "",
    ),
    ("crop", &["4x3%2B1%2B2"], ""),
    ("date", &["2024-05-31"], ""),
    ("dpi", &["72"], ""),
    ("duration", &["0.02", "1:30"], ""),
    ("encrypt", &["secret", "%C3%BC"], ""),
    ("footer", &["margin.txt"], "&index=page.html"),
    ("genre", &["Folk"], ""),
    ("header", &["margin.txt"], "&index=page.html"),
    ("height", &["9", "20"], ""),
    ("index", &["page.html"], ""),
    ("info", &["%7B%22Title%22:%22x%22%7D"], ""),
    ("language", &["eng"], ""),
    ("max_size", &["1000000"], ""),
    ("owner_password", &["secret"], ""),
    ("page", &["1", "1-", "1-2"], ""),
    ("pages", &["1", "1,1-"], ""),
    ("password", &["secret"], ""),
    ("permissions", &["none", "print,copy"], "&owner_password=x"),
    ("rotate_pages", &["1", "1:180"], "&rotate=90"),
    ("pictures_folder", &["media", "..%2Fa%20b"], "&pictures=zip"),
    ("sample_rate", &["16000", "48000"], ""),
    ("sheet", &["1"], ""),
    ("split", &["1"], ""),
    ("stamp", &["Stamp"], ""),
    ("start", &["0", "0:00.001"], ""),
    ("stamp_pages", &["1"], "&stamp=x"),
    ("title", &["Title", "%C3%A4%20%26%20%3C"], ""),
    ("track", &["3/12"], ""),
    ("watermark", &["Mark"], ""),
    ("watermark_pages", &["1"], "&watermark=x"),
    ("width", &["9", "200"], ""),
];

/// Each value of an option, as a field in a query.
#[track_caller]
fn each_value(option: &Choice) -> Vec<String> {
    let name = option.name.as_str();
    let field = |value: &str| format!("&{name}={value}");
    let encoded = |value: &String| field(&value.replace('\t', "%09"));
    if !option.values.is_empty() {
        return option.values.iter().map(encoded).collect();
    }
    match option.kind.as_str() {
        "boolean" => return ["true", "false"].map(field).into(),
        "colour" => return ["white", "black", "%23336699", "336699"].map(field).into(),
        _ => {}
    }
    let known = SAMPLES.iter().find(|(known, ..)| *known == name);
    let (values, beside) = known.map_or((&[][..], ""), |(_, values, beside)| (*values, *beside));
    let bounds = [option.minimum, option.maximum];
    let is_allowed = |value: &&&str| {
        let number = value.parse::<u64>().ok();
        option.kind != "integer"
            || number.is_some_and(|number| {
                bounds[0].is_none_or(|least| number >= least)
                    && bounds[1].is_none_or(|most| number <= most)
            })
    };
    let mut all: Vec<String> = values
        .iter()
        .filter(is_allowed)
        .map(|value| field(value) + beside)
        .collect();
    // Both ends of a range are tested if they are small enough. The largest width would make a picture of gigabytes.
    // The largest resolution would make a page of 35 megapixels, which the AVIF encoder would compress for minutes.
    // `max_size` is excluded, because no result fits into one byte.
    let most = if name == "dpi" { 100 } else { 600 };
    let is_tried = |end: &u64| *end <= most && name != "max_size";
    let ends = bounds.into_iter().flatten().filter(is_tried);
    all.extend(ends.map(|end| field(&end.to_string()) + beside));
    assert!(!all.is_empty(), "no value to test {name} with");
    all
}

fn wishes(formats: &[Format]) -> Vec<Wish<'_>> {
    let mut all = Vec::new();
    for to in formats {
        for option in &to.options {
            let values = each_value(option);
            for from in to.sources.iter().filter(|from| option.applies_to(from)) {
                // An option that sets a size is not combined with a small width.
                let sizes = ["width", "height", "crop", "dpi", "single_page"];
                let small = match sizes.contains(&option.name.as_str()) {
                    true => String::new(),
                    false => to.small(from),
                };
                let tried = values
                    .iter()
                    .filter(|fields| makes_sense(from, &to.name, fields));
                all.extend(tried.map(|fields| Wish {
                    from,
                    to: &to.name,
                    fields: format!("{fields}{small}"),
                }));
            }
        }
    }
    all
}

/// Returns whether a field can be tested with the small files.
fn makes_sense(from: &str, to: &str, field: &str) -> bool {
    let is_archive = ARCHIVES.contains(&from);
    // These archives are fixed files, which do not depend on the target.
    if ["7z", "bz2"].contains(&from) {
        let relies = ["&index=", "&merge=", "&ocr=off", "&ocr=false"];
        return !relies.iter().any(|relied| field.contains(relied));
    }
    match field {
        // No archive with an HTML page becomes a file of these formats: comics consist of pictures; subtitles and fonts
        // come from their own kinds of files; and drawings come from files with pages.
        "&index=page.html" => {
            let alone = ["cbz", "otf", "srt", "svg", "ttf", "vtt", "woff", "woff2"];
            !is_archive || !alone.contains(&to)
        }
        // These formats contain recognised text, so they cannot be made without OCR.
        "&ocr=off" | "&ocr=false" => !is_archive || !["hocr", "alto"].contains(&to),
        _ => true,
    }
}

/// Selects conversions so that each format, as a source or a target, is tested with each value that applies to it. The
/// order of conversions is mixed, so that formats are paired with different ones, and is the same in every run.
fn cover(mut all: Vec<Wish<'_>>) -> Vec<Wish<'_>> {
    let mut random = 0x5eed_u64;
    for at in (1..all.len()).rev() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        all.swap(at, (random % (at as u64 + 1)) as usize);
    }
    let mut tried = BTreeSet::new();
    all.retain(|wish| {
        // The first field is the tested one.
        let value = wish.fields.split('&').nth(1).unwrap_or_default().to_owned();
        let from = tried.insert((Side::From, wish.from, value.clone()));
        let to = tried.insert((Side::To, wish.to, value));
        from || to
    });
    all
}

/// Position of a format in a pair.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    From,
    To,
}

#[test]
fn every_option_takes_each_of_its_values() {
    let server = Server::start();
    let formats = formats(&server);
    let files = Files::of_each(&server, &formats);
    let mut all = wishes(&formats);
    let whole = all.len();
    if std::env::var_os("CONVERTD_SHIPPED").is_none_or(|wanted| wanted != "all") {
        all = cover(all);
    }
    let wrong = on_threads(
        &all,
        || server.connect(),
        |client, wish| wish.check(client, &formats, &files),
    );
    eprintln!("{} of {whole} values of options of pairs", all.len());
    nothing_is(&wrong, all.len());
}
