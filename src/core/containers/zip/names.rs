//! Names for the entries of an archive that is unpacked on any system. Never lets a name lead out of the directory that
//! the archive is unpacked to.
//!
//! Windows and macOS ignore the case of letters, so two names that differ only in case would overwrite one another.
//! Characters that cannot be in a name on one of the common systems are replaced by `_`.

use crate::numbered;
use std::collections::HashSet;

/// The longest part of a path, in bytes: short enough for all common file systems.
const MAX_PART: usize = 200;
/// The longest path in bytes. A longer path loses its first parts.
const MAX_PATH: usize = 1000;
/// Maximum number of parts of a path. A deeper path loses its first parts.
const MAX_DEPTH: usize = 16;

/// The names that an archive has already.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// Makes a name harmless. If it equals an earlier one, ignoring case, a number before its extension makes it
    /// unique. Slashes separate directories.
    pub fn add(&mut self, name: &str) -> String {
        let name = harmless(name);
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() && !stem.ends_with('/') => {
                (stem, format!(".{extension}"))
            }
            _ => (name.as_str(), String::new()),
        };
        numbered::free(
            |end| format!("{stem}{end}{extension}"),
            |candidate| self.0.insert(candidate.to_lowercase()),
        )
    }

    /// Makes a name for a file with this title, outside of all directories.
    pub fn add_file(&mut self, title: &str, extension: &str) -> String {
        // A slash would create a directory.
        let title = title.replace(['/', '\\'], "_");
        self.add(&format!("{title}.{extension}"))
    }
}

fn harmless(path: &str) -> String {
    let parts: Vec<String> = path
        .split(['/', '\\'])
        .filter(|part| !matches!(part.trim(), "" | "." | ".."))
        .map(part)
        .collect();
    let skipped = parts.len().saturating_sub(MAX_DEPTH);
    let mut whole = parts[skipped..].join("/");
    while whole.len() > MAX_PATH {
        match whole.split_once('/') {
            Some((_, rest)) => whole = rest.to_owned(),
            None => break,
        }
    }
    match whole.is_empty() {
        true => "file".to_owned(),
        false => whole,
    }
}

/// Makes one part of a path valid on all common systems. A long part is cut before its extension.
fn part(name: &str) -> String {
    let mut name: String = name
        .trim()
        .chars()
        .map(|c| match c {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' => '_',
            c if c.is_control() => '_',
            c => c,
        })
        .collect();
    if name.len() > MAX_PART {
        let extension = name
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_owned());
        let extension = extension.filter(|extension| extension.len() <= 16);
        let max_stem = MAX_PART
            - extension
                .as_ref()
                .map_or(0, |extension| extension.len() + 1);
        name.truncate(name.floor_char_boundary(max_stem));
        if let Some(extension) = extension {
            name = format!("{name}.{extension}");
        }
    }
    // Windows drops dots at the end of a name, so an underscore follows them.
    if name.ends_with('.') {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_in_titles_create_no_directories() {
        let mut names = Names::default();
        for (title, expected) in [("a/b", "a_b.csv"), ("A\\B", "A_B (2).csv"), ("", ".csv")] {
            assert_eq!(names.add_file(title, "csv"), expected);
        }
    }

    #[test]
    fn names_are_harmless_and_unique() {
        #[track_caller]
        fn check(given: &[&str], expected: &[&str]) {
            let mut names = Names::default();
            let made: Vec<_> = given.iter().map(|name| names.add(name)).collect();
            assert_eq!(made, expected);
        }
        check(&["a.png", "b/a.png"], &["a.png", "b/a.png"]);
        check(
            &["a.png", "A.PNG", "a.png"],
            &["a.png", "A (2).PNG", "a (3).png"],
        );
        check(
            &["a (2).png", "a.png", "A.png"],
            &["a (2).png", "a.png", "A (3).png"],
        );
        check(
            &["../../etc/passwd", "/etc/passwd"],
            &["etc/passwd", "etc/passwd (2)"],
        );
        check(
            &["C:\\x\\y.txt", "..", "", "./."],
            &["C_/x/y.txt", "file", "file (2)", "file (3)"],
        );
        check(&["d/.hidden", "d/.HIDDEN"], &["d/.hidden", "d/.HIDDEN (2)"]);
        check(&["tab\there?.png", "end."], &["tab_here_.png", "end._"]);
        let long = format!("{}.jpeg", "ü".repeat(300));
        let made = Names::default().add(&long);
        assert!(made.len() <= MAX_PART && made.ends_with("ü.jpeg"), "{made}");
        assert!(Names::default().add(&"deep/".repeat(1000)).len() <= MAX_PATH);
    }
}
