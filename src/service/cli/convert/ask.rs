//! The question whether a file may be replaced, asked only at a terminal.

use crate::{
    cli::terminal::harmless,
    error::{Error, Kind, Result},
};
use std::{
    fs::Metadata,
    io::{self, IsTerminal, Write},
    os::unix::fs::MetadataExt,
    path::Path,
};

/// Files that a result may replace.
#[derive(Clone, Copy)]
pub(super) enum Replacing {
    /// Files whose replacement a person confirms.
    Asked,
    /// All files (`--force`).
    All,
    /// All files (`true`) or no file (`false`), for another part of the program, which has no terminal. A link is never
    /// followed, because it may lead out of the folders that the caller was given.
    Files(bool),
}

impl From<bool> for Replacing {
    fn from(force: bool) -> Self {
        if force { Self::All } else { Self::Asked }
    }
}

/// Answer to the question whether a file may be replaced.
enum Answer {
    Replace,
    Keep,
    /// No person can be asked, because input or output is not a terminal.
    Nobody,
}

/// Asks whether an existing file may be replaced. Does not ask with `force`, or if no file exists.
fn about(path: &Path, force: bool) -> Answer {
    if force || !is_taken(path) {
        return Answer::Replace;
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Answer::Nobody;
    }
    let mut stderr = io::stderr().lock();
    // Errors are ignored: a person who does not see the question cannot confirm.
    let _ = write!(
        stderr,
        "convertd: {} exists; replace it? [y/N] ",
        harmless(&path.display().to_string())
    );
    let _ = stderr.flush();
    let mut line = String::new();
    match io::stdin().read_line(&mut line) {
        Ok(_) if is_yes(&line) => Answer::Replace,
        Ok(_) | Err(_) => Answer::Keep,
    }
}

/// Makes sure that a path may be written: it is free, or the file may be replaced.
///
/// Errors: [`Kind::BadInput`] if it may not, or if nobody can be asked.
pub(super) fn permit(path: &Path, replacing: Replacing) -> Result<()> {
    let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
    let force = match replacing {
        Replacing::Asked => false,
        Replacing::All => true,
        Replacing::Files(overwrites) => {
            return match path.symlink_metadata() {
                Ok(found) if !found.is_file() => {
                    refuse(format!("{} is not a file", path.display()))
                }
                Ok(_) if !overwrites => {
                    refuse(format!("{} exists; overwrite replaces it", path.display()))
                }
                Ok(_) | Err(_) => Ok(()),
            };
        }
    };
    match about(path, force) {
        Answer::Replace => Ok(()),
        Answer::Keep => refuse(format!("{} stays as it is", path.display())),
        Answer::Nobody => refuse(format!("{} exists; --force replaces it", path.display())),
    }
}

/// Returns whether the output is the input itself, perhaps under another name. Files are compared by device and inode.
pub(super) fn is_same(input: &Path, output: &Path) -> bool {
    let file = |path: &Path| {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        Some((metadata.dev(), metadata.ino()))
    };
    file(input).is_some_and(|input| file(output) == Some(input))
}

/// Returns whether a result at this path would replace something: a file, or a link whatever its target. A device or a
/// pipe is written to, not replaced.
pub(super) fn is_taken(path: &Path) -> bool {
    let leads_elsewhere = path.metadata().is_ok_and(|found| !found.is_file());
    path.symlink_metadata().is_ok() && !leads_elsewhere
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_counts_as_consent() {
        for (line, expected) in [
            ("y\n", true),
            (" YES\n", true),
            ("\n", false),
            ("no\n", false),
            ("", false),
        ] {
            assert_eq!(is_yes(line), expected, "{line:?}");
        }
    }
}
