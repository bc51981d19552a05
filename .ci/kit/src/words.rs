//! Checks that each paragraph of a doc comment begins with a noun or a verb, which says what the documented item is or
//! does. A paragraph that begins with a relative clause ("What a frame is for.") describes the item without naming it.
//! Also finds phrases that are hard to read ("there is none") in comments, messages and the manual, and suggests a
//! plainer phrase for each. Does not check other properties of sentences, which only a reader can judge.

use crate::Result;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Words that no paragraph of a doc comment may begin with.
const BANNED: [&str; 13] = [
    "What", "How", "Where", "Who", "Whoever", "Those", "That", "Which", "Of", "By", "Until", "One",
    "None",
];
/// Phrases that readers have to read twice, each with a plainer way to say the same.
const PHRASES: [(&str, &str); 13] = [
    ("there is none", "\"without …\", \"if absent\""),
    ("there are none", "\"without …\", \"if absent\""),
    ("there was none", "\"without …\""),
    ("there were none", "\"without …\""),
    ("is none", "\"is not a …\", \"is invalid\""),
    ("are none", "\"are not …\", \"are invalid\""),
    ("be had", "\"is available\", \"can be downloaded\""),
    ("called so", "\"with this name\""),
    ("who only", "a noun"),
    ("that there is.", "leave it out"),
    ("that there are.", "leave it out"),
    ("that there is not", "\"unknown\", \"missing\""),
    ("that there are not", "\"unknown\", \"missing\""),
];

/// Folders and files that are searched for the phrases.
const TEXTS: [&str; 3] = ["src", ".ci/kit/src", "README.md"];
/// File extensions of the searched files.
const WRITTEN: [&str; 3] = ["rs", "md", "js"];

/// Folders with Rust code.
const ROOTS: [&str; 2] = ["src", ".ci/kit/src"];

/// A line that breaks the rule.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    /// Number of the line, from 1.
    line: usize,
    text: String,
}

/// Checks all doc comments and phrases below the current folder.
///
/// Errors: names each line that breaks a rule.
pub(crate) fn check() -> Result<()> {
    let mut found = Vec::new();
    for file in files(&ROOTS, &["rs"])? {
        for fault in faults(&read(&file)?) {
            found.push(format!(
                "{}:{}: begins with a clause; begin with a noun or a verb for the documented item: {}",
                file.display(),
                fault.line,
                fault.text
            ));
        }
    }
    for file in files(&TEXTS, &WRITTEN)? {
        let path = file.display().to_string();
        // This file contains the list of phrases itself.
        if path.ends_with("kit/src/words.rs") {
            continue;
        }
        for (fault, instead) in phrases(&read(&file)?) {
            found.push(format!(
                "{path}:{}: write {instead} instead: {}",
                fault.line, fault.text
            ));
        }
    }
    match found.len() {
        0 => Ok(()),
        count => Err(format!(
            "{count} lines are not in plain words:\n{}",
            found.join("\n")
        )),
    }
}

pub(crate) fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|err| format!("{}: {err}", file.display()))
}

/// All files in these folders that have one of these extensions, sorted.
pub(crate) fn files(roots: &[&str], extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for root in roots {
        match Path::new(root) {
            file if file.is_file() => files.push(file.to_owned()),
            folder => collect(folder, extensions, &mut files)?,
        }
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = |err| format!("{}: {err}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, extensions, files)?;
        } else if let Some(extension) = path.extension().and_then(|extension| extension.to_str())
            && extensions.contains(&extension)
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Finds the paragraphs of doc comments in a source that begin with a banned word.
fn faults(source: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut goes_on = false;
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim_start();
        let comment = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        if let Some(comment) = comment
            && !goes_on
            && begins_with_clause(comment.trim_start())
        {
            let text = line.to_owned();
            faults.push(Fault { line: number, text });
        }
        goes_on = comment.is_some_and(|comment| !comment.trim().is_empty());
    }
    faults
}

/// Finds the lines that contain a phrase of [`PHRASES`], each with the suggested phrase. Only whole words count.
fn phrases(source: &str) -> Vec<(Fault, &'static str)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        let phrase = PHRASES.iter().find(|(phrase, _)| has_words(line, phrase));
        if let Some((_, instead)) = phrase {
            let text = line.trim().to_owned();
            found.push((Fault { line: number, text }, *instead));
        }
    }
    found
}

/// Returns whether a line contains these words as whole words.
fn has_words(line: &str, words: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(words).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + words.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

fn begins_with_clause(sentence: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '\'' || c == '`';
    let first = sentence.split(|c| !is_letter(c)).next().unwrap_or_default();
    BANNED.contains(&first) || sentence.starts_with("Up to ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_at_the_beginning_is_found() {
        #[track_caller]
        fn check(source: &str, lines: &[usize]) {
            let found: Vec<_> = faults(source).iter().map(|fault| fault.line).collect();
            assert_eq!(found, lines, "{source}");
        }
        check("/// What a frame is for.\nstruct A;", &[1]);
        check("//! How it is done.\n\n    /// Those of a page.\n", &[1, 3]);
        check(
            "//! A frame.\n//!\n//! Where it stands.\n//! What it is.\n",
            &[3],
        );
        check("/// Up to three of them.\n", &[1]);
        check("/// The role of a frame.\n/// What follows goes on.\n", &[]);
        check("/// `None` if nothing is known.\n// What is this?\n", &[]);
        check("/// Whether it is one.\n/// Ofen.\n", &[]);
        check("let text = \"/// What\";\n", &[]);
    }

    #[test]
    fn phrases_of_habit_are_found() {
        #[track_caller]
        fn check(source: &str, lines: &[usize]) {
            let found = phrases(source);
            let found: Vec<_> = found.iter().map(|(fault, _)| fault.line).collect();
            assert_eq!(found, lines, "{source}");
        }
        check("/// A frame.\n/// `None` if there is none.\n", &[2]);
        check("\"a format that there is not\"", &[1]);
        check("// The file cannot be had.\n// Bytes are none.\n", &[1, 2]);
        check("text.is_none() // is nonesuch, this none\n", &[]);
        check("/// Checks that there is room.\n", &[]);
    }
}
