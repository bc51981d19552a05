//! The rule that a paragraph of a doc comment begins with a noun or a verb, which says what the thing is or does. A paragraph that
//! begins with a relative clause ("What a frame is for.") says what the thing is about, and leaves the thing itself to be guessed.
//! Judges no other sentence: that takes a reader.

use crate::Result;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Words that no doc comment begins with.
const BANNED: [&str; 13] = [
    "What", "How", "Where", "Who", "Whoever", "Those", "That", "Which", "Of", "By", "Until", "One",
    "None",
];
/// Folders with Rust code.
const ROOTS: [&str; 2] = ["src", ".ci/kit/src"];

/// A line that breaks the rule.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    /// Number of the line, from 1.
    line: usize,
    text: String,
}

/// Checks all doc comments below the current folder.
///
/// Errors: names each line that breaks the rule.
pub(crate) fn check() -> Result<()> {
    let mut files = Vec::new();
    for root in ROOTS {
        collect(Path::new(root), &mut files)?;
    }
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|err| format!("{}: {err}", file.display()))?;
        for fault in faults(&text) {
            found.push(format!("{}:{}: {}", file.display(), fault.line, fault.text));
        }
    }
    match found.len() {
        0 => Ok(()),
        count => Err(format!(
            "{count} doc comments begin with a clause; begin with a noun or a verb that says what the thing is or does:\n{}",
            found.join("\n")
        )),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = |err| format!("{}: {err}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
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
}
