//! Reads the licence files in a package's folder: recognises the licence in each file, and finds its copyright holders.
//! A file that is not a well-known text gets no name, and is always printed. Examples are a notice, a patent grant, and
//! a file with several licences.

use crate::Result;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Parts of the names of licence files. Case is ignored. Files in subfolders count as well, because third-party code
/// and data often have a folder of their own.
const NAMES: &[&str] = &[
    "license",
    "licence",
    "copying",
    "copyright",
    "notice",
    "patents",
    "unlicense",
];

/// Folders whose files are never linked.
const NOT_LINKED: &[&str] = &[
    "tests",
    "test-data",
    "benches",
    "examples",
    "fuzz",
    "debian",
    "target",
];

/// File extensions of source code. A file with such an extension does not count as a licence file, whatever its name
/// is.
const PROGRAMS: &[&str] = &["rs", "py", "sh", "c", "h"];

/// Phrases that identify a licence text, each with the licence's name in SPDX. The first phrase that occurs in a text
/// counts, because some texts also contain the phrases of others.
const PHRASES: &[(&str, &str)] = &[
    (
        "LLVM Exceptions to the Apache",
        "Apache-2.0 WITH LLVM-exception",
    ),
    ("Apache License Version 2.0, January 2004", "Apache-2.0"),
    ("Mozilla Public License Version 2.0", "MPL-2.0"),
    ("GNU LESSER GENERAL PUBLIC LICENSE Version 3", "LGPL-3.0"),
    ("UNICODE LICENSE V3", "Unicode-3.0"),
    ("Boost Software License - Version 1.0", "BSL-1.0"),
    ("Creative Commons CC0 1.0 Universal", "CC0-1.0"),
    ("CC0 1.0 Universal", "CC0-1.0"),
    (
        "This is free and unencumbered software released into the public domain",
        "Unlicense",
    ),
    (
        "the above copyright notice and this permission notice appear in all copies",
        "ISC",
    ),
    (
        "The above copyright notice and this permission notice",
        "MIT",
    ),
    (
        "Permission to use, copy, modify, and/or distribute this software for any purpose",
        "0BSD",
    ),
    // The licence of Zlib has the same clause under another number.
    (
        "would be appreciated but is not required. 3. Altered source versions",
        "bzip2-1.0.6",
    ),
    (
        "This software is provided 'as-is', without any express or implied warranty",
        "Zlib",
    ),
    ("may be used to endorse or promote products", "BSD-3-Clause"),
    (
        "Redistributions in binary form must reproduce the above",
        "BSD-2-Clause",
    ),
];

/// Characters at the beginning of a line that are not part of the licence text.
const DECORATION: [char; 5] = ['*', '-', '#', '/', ' '];

/// Largest size of a file with a short licence, in bytes. A larger file has other content as well.
const SHORT: usize = 2_400;

/// A licence file.
pub(crate) struct Text {
    /// Its name in SPDX, if it is a well-known text.
    pub(crate) licence: Option<&'static str>,
    /// The lines that name the copyright holders.
    pub(crate) holders: Vec<String>,
    /// The text without those lines.
    pub(crate) body: String,
}

impl Text {
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').replace('\r', "");
        let licence = identify(&text);
        let (mut holders, mut body) = (Vec::new(), Vec::new());
        // A well-known text is printed once for all packages, with the holders of each package. Any other text is
        // printed as a whole.
        let terms = match licence {
            Some(name) if name.starts_with("Apache-2.0") => terms_of_apache(&text),
            _ => &text,
        };
        let mut goes_on = false;
        for line in terms.lines() {
            if licence.is_some() && (goes_on || is_holder(line)) {
                goes_on = line.trim_end().ends_with(',');
                holders.push(line.trim().trim_start_matches(DECORATION).to_owned());
            } else {
                body.push(line.trim_end());
            }
        }
        Self {
            licence,
            holders,
            body: body.join("\n").trim_matches('\n').to_owned(),
        }
    }

    /// A key that is equal for texts that differ only in their titles, case, punctuation or line breaks.
    pub(crate) fn key(&self) -> String {
        const BEGINNINGS: &[&str] = &[
            "TERMS AND CONDITIONS",
            "Permission is hereby granted",
            "1. Definitions",
        ];
        let places = BEGINNINGS
            .iter()
            .filter_map(|beginning| self.body.find(beginning));
        let terms = match self.licence {
            Some(_) => &self.body[places.min().unwrap_or(0)..],
            None => &self.body,
        };
        let letters = terms.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    }
}

/// The licence files of a package, in the order of their paths.
pub(crate) fn of(folder: &Path) -> Result<Vec<Text>> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort();
    let read = |path: &PathBuf| {
        let bytes =
            fs::read(path).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
        Ok(Text::parse(&String::from_utf8_lossy(&bytes)))
    };
    paths.iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |err: std::io::Error| format!("cannot read {}: {err}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if path.is_dir() {
            if !NOT_LINKED.contains(&name.as_str()) && !name.starts_with('.') {
                collect(&path, paths)?;
            }
            continue;
        }
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if NAMES.iter().any(|part| name.contains(part)) && !PROGRAMS.contains(&extension.as_ref()) {
            paths.push(path);
        }
    }
    Ok(())
}

/// The SPDX name of the licence in a text, by the phrase of [`PHRASES`] that the text contains. `None` if the text
/// contains no such phrase, or more than this licence.
fn identify(text: &str) -> Option<&'static str> {
    let words = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let mut found = PHRASES
        .iter()
        .filter_map(|(phrase, name)| Some((words.find(&phrase.to_lowercase())?, *name)));
    let (place, name) = found.next()?;
    // A file with several licences gets no name. The text of a long licence begins with the licence's name.
    let long = ["Apache", "MPL", "LGPL", "CC0"]
        .iter()
        .any(|start| name.starts_with(start));
    let whole = match (long, name.contains(" WITH ")) {
        (true, false) => place < 100 && words.len() < 20_000,
        (true, true) => words.starts_with("apache license") && words.len() < 20_000,
        (false, _) => words.len() < SHORT,
    };
    whole.then_some(name)
}

/// The terms of the Apache licence, without the appendix, which explains how to apply the licence.
fn terms_of_apache(text: &str) -> &str {
    const END: &str = "END OF TERMS AND CONDITIONS";
    match text.find(END) {
        Some(place) if !text.contains("LLVM Exceptions") => &text[..place + END.len()],
        _ => text,
    }
}

/// Returns whether a line names a copyright holder. A line that only mentions copyright lines does not.
fn is_holder(line: &str) -> bool {
    let line = line.trim().trim_start_matches(DECORATION).to_lowercase();
    let marks = ["(c)", "©", "all rights reserved"];
    let marked = marks.iter().any(|mark| line.contains(mark))
        || line.bytes().any(|byte| byte.is_ascii_digit());
    let named = line.starts_with("copyright the") || line.starts_with("copyright by");
    let dated = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
    line == "all rights reserved."
        || line.strip_prefix("(c) ").is_some_and(dated)
        || line.starts_with("copyright") && (marked || named)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIT: &str = "MIT License\n\nCopyright (c) 2020 A. Person\n\nPermission is hereby granted, … The above copyright notice\nand this permission notice shall be included\nTHE SOFTWARE IS PROVIDED";

    #[test]
    fn a_usual_text_is_known_and_parted_from_its_holders() {
        let text = Text::parse(MIT);
        assert_eq!(text.licence, Some("MIT"));
        assert_eq!(text.holders, ["Copyright (c) 2020 A. Person"]);
        assert!(!text.body.contains("A. Person"));
        assert_eq!(
            text.key(),
            Text::parse(&MIT.replace('\n', "\r\n").replace("A. Person", "B")).key()
        );
    }

    #[test]
    fn unknown_texts_stay_whole() {
        for text in [
            "Copyright (c) 2020 A. Person\nSee elsewhere.",
            &MIT.repeat(20),
        ] {
            let parsed = Text::parse(text);
            assert_eq!((parsed.licence, parsed.body.as_str()), (None, text));
            assert!(parsed.holders.is_empty());
        }
    }
}
