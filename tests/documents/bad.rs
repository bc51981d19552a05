//! Files that are wrong or made to do harm. Each conversion ends within the memory limit, with a right result or with a
//! message that a person can act on. Files that might take quadratic time are tried in two sizes. They are converted by
//! the program itself, because they are meant to harm the child process.

mod damage;
mod layout;
mod locked;
mod references;
mod sizes;

use crate::harness::{Ran, convert, is_linear, run};
use std::path::Path;

/// Expected outcome of a conversion.
pub(crate) enum Fate<'a> {
    /// The file is refused, with these words in the message.
    Refused(&'a str),
    /// The file is converted, with these words in the result.
    Converted(&'a str),
    /// Either, as long as the conversion ends.
    Any,
}
pub(crate) use Fate::{Any, Converted, Refused};

/// Converts to Markdown with the program, and checks the outcome and that memory stays below `most` MiB.
#[track_caller]
pub(crate) fn check(at: &Path, name: &str, bytes: &[u8], most: u64, fate: Fate<'_>) {
    check_to(at, name, bytes, "md", most, fate);
}

#[track_caller]
pub(crate) fn check_to(at: &Path, name: &str, bytes: &[u8], to: &str, most: u64, fate: Fate<'_>) {
    let ran = run(at, name, bytes, to, &[]);
    let what = format!("{name} to {to} ({} MiB)", ran.peak >> 20);
    eprintln!(
        "{what}: {:?} {}",
        ran.code,
        ran.said.lines().next().unwrap_or_default()
    );
    assert!(ran.peak >> 20 <= most, "{what}");
    match fate {
        Refused(words) => {
            assert_eq!(ran.code, Some(1), "{what}: {}", ran.said);
            assert!(ran.said.contains(words), "{what}: {}", ran.said);
            assert!(ran.result.is_none(), "{what}: a result is left");
        }
        Converted(words) => {
            assert_eq!(ran.code, Some(0), "{what}: {}", ran.said);
            let result = String::from_utf8_lossy(ran.result.as_deref().unwrap()).into_owned();
            assert!(result.contains(words), "{what}: {words:?} is not there");
        }
        Any => is_an_answer(&what, &ran),
    }
}

/// Converts in memory the files that `file` makes for a size and for twice that size, and checks that the time grows
/// little faster than the size.
#[track_caller]
pub(crate) fn grows(name: &str, to: &str, size: usize, file: impl Fn(usize) -> String) {
    let files = [size, 2 * size].map(file);
    is_linear(&format!("{name} to {to}"), 1, |times| {
        convert(name, files[times - 1].as_bytes(), to)
    });
}

/// Checks that the outcome is a result, or an error about the file.
#[track_caller]
pub(crate) fn is_an_answer(what: &str, ran: &Ran) {
    assert!(matches!(ran.code, Some(0 | 1)), "{what}: {}", ran.said);
    assert!(
        !ran.said.contains("crashed its decoder"),
        "{what}: {}",
        ran.said
    );
}
