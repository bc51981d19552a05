//! The direction of imports. A package imports only packages before it in [`ORDER`]. The rooms of a package, which are
//! the modules of its `lib.rs`, do not import one another in a circle. A package does not import the names in backticks
//! in the line "Never:" of its `lib.rs`. Cargo itself refuses circles of packages, but not an import in the wrong
//! direction that has not become a circle yet.
//!
//! Reads text, not Rust: a path is whatever looks like one outside of comments.

use crate::{
    Result,
    words::{files, read},
};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::Path,
};

/// Packages from the ground up: each imports only those before it.
const ORDER: [&str; 16] = [
    "core", "audio", "image", "ocr", "tree", "office", "markup", "layout", "words", "pdfwrite",
    "boxes", "pages", "sheets", "slides", "mail", "service",
];
/// Maximum length, in lines, of the map at the beginning of a `lib.rs`.
const LONGEST_MAP: usize = 60;

/// Names that each room or package imports.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Checks all packages below `src`.
///
/// Errors: names each forbidden import.
pub(crate) fn check() -> Result<()> {
    let mut faults = Vec::new();
    for folder in Path::new("src")
        .read_dir()
        .map_err(|err| format!("src: {err}"))?
    {
        let name = folder.map_err(|err| format!("src: {err}"))?.file_name();
        if name != "main.rs" && !ORDER.iter().any(|package| name == *package) {
            faults.push(format!("src/{}: not a package in ORDER", name.display()));
        }
    }
    for (at, package) in ORDER.iter().enumerate() {
        faults.extend(faults_of(package, &ORDER[..at])?);
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "imports run one way, from the ground up:\n{}",
            faults.join("\n")
        )),
    }
}

/// Finds the faults of a package. `before` are the packages that it may import.
fn faults_of(package: &str, before: &[&str]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let folder = Path::new("src").join(package);
    let map = read(&folder.join("lib.rs"))?;
    let map: Vec<_> = map
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .collect();
    let never = never(&map);
    if map.len() > LONGEST_MAP || never.is_none() {
        faults.push(format!("src/{package}/lib.rs: opens with a map of at most {LONGEST_MAP} lines and a line \"Never:\""));
    }
    let never = never.unwrap_or_default();
    let mut rooms = Arrows::new();
    for file in files(&[&format!("src/{package}")], &["rs"])? {
        let source = read(&file)?;
        let depth = file.components().count() - usize::from(file.ends_with("mod.rs"));
        let (packages, names) = imports(&source, depth == 3);
        for name in &packages {
            let own = name.strip_prefix("convertd_");
            if own.is_some_and(|own| !before.contains(&own)) {
                faults.push(format!(
                    "{}: `{name}` does not stand before `{package}`",
                    file.display()
                ));
            } else if never.contains(name) {
                faults.push(format!(
                    "{}: `{name}` is what src/{package}/lib.rs never imports",
                    file.display()
                ));
            }
        }
        if let Some(room) = room(&file, &folder) {
            rooms.entry(room).or_default().extend(names);
        }
    }
    if let Some(circle) = circle(&rooms) {
        faults.push(format!("src/{package}: a circle of imports: {circle}"));
    }
    Ok(faults)
}

/// Names in backticks in the paragraph of a map that begins with "Never:"; `None` without such a paragraph.
fn never(map: &[&str]) -> Option<BTreeSet<String>> {
    let lines = map.iter().map(|line| line.trim_start_matches("//!").trim());
    let paragraph: Vec<_> = lines
        .skip_while(|line| !line.starts_with("Never:"))
        .take_while(|line| !line.is_empty())
        .collect();
    let text = paragraph.join(" ");
    let names = text.split('`').skip(1).step_by(2).map(str::to_owned);
    (!paragraph.is_empty()).then(|| names.collect())
}

/// Room that a file belongs to: the first part of its path within the package. `lib.rs` belongs to none.
fn room(file: &Path, folder: &Path) -> Option<String> {
    let path = file.strip_prefix(folder).ok()?;
    let first = path.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib").then(|| name.to_owned())
}

/// Crates and rooms that a source names at the beginning of paths: `convertd_tree::…`, `crate::room::…`, `use
/// crate::{room, …}`. In the first file of a room `super` is the crate, too.
fn imports(source: &str, is_first: bool) -> (BTreeSet<String>, BTreeSet<String>) {
    let lines = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = |text: &str| text.chars().take_while(|c| is_word(*c)).collect::<String>();
    let (mut packages, mut rooms) = (BTreeSet::new(), BTreeSet::new());
    let mut list_end = 0;
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
        if start < list_end || code[..start].ends_with("::") {
            continue;
        }
        let rest = &code[at + 2..];
        let mut heads = BTreeSet::new();
        if rest.starts_with('{') {
            let (mut depth, mut begins) = (0, true);
            for (at, c) in rest.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 1 => begins = true,
                    _ if is_word(c) && begins => {
                        heads.insert(word(&rest[at..]));
                        begins = false;
                    }
                    _ => {}
                }
                list_end = code.len() - rest.len() + at;
                if depth == 0 {
                    break;
                }
            }
        } else {
            heads.insert(word(rest));
        }
        match &code[start..at] {
            "crate" => rooms.extend(heads),
            "super" if is_first => rooms.extend(heads),
            name => drop(packages.insert(name.to_owned())),
        }
    }
    (packages, rooms)
}

/// Shortest way from a room back to itself, if there is one.
fn circle(rooms: &Arrows) -> Option<String> {
    for start in rooms.keys() {
        let mut ways = VecDeque::from([vec![start]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop_front() {
            let last = way[way.len() - 1];
            let leads = |next: &&String| *next != last && rooms[last].contains(*next);
            for next in rooms.keys().filter(leads) {
                let longer = [way.as_slice(), &[next]].concat();
                if next == start {
                    let names: Vec<_> = longer.into_iter().map(String::as_str).collect();
                    return Some(names.join(" → "));
                }
                if seen.insert(next) {
                    ways.push_back(longer);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_the_beginnings_of_paths() {
        #[track_caller]
        fn check(source: &str, packages: &[&str], rooms: &[&str]) {
            let found = imports(source, true);
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(found, (set(packages), set(rooms)), "{source}");
        }
        check("use crate::read::Page;", &[], &["read"]);
        check("use super::{read, b::C};", &[], &["read", "b"]);
        check("use crate::{a::{b, c}, d::E,\n f};", &[], &["a", "d", "f"]);
        check(
            "use convertd_tree::{Block, math::Math};",
            &["convertd_tree"],
            &[],
        );
        check(
            "let a = crate::b::c(png::D::e()); // x::y",
            &["png"],
            &["b"],
        );
    }

    #[test]
    fn circles_are_found_and_named() {
        #[track_caller]
        fn check(arrows: &[(&str, &[&str])], expected: Option<&str>) {
            let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let rooms = arrows
                .iter()
                .map(|(room, names)| ((*room).to_owned(), own(names)));
            assert_eq!(circle(&rooms.collect()).as_deref(), expected, "{arrows:?}");
        }
        check(
            &[("a", &["b", "a", "std"]), ("b", &["c"]), ("c", &[])],
            None,
        );
        check(
            &[("a", &["b"]), ("b", &["c"]), ("c", &["b"])],
            Some("b → c → b"),
        );
    }

    #[test]
    fn a_map_says_what_never_happens() {
        let map = [
            "//! A package.",
            "//!",
            "//! Never: pages; `convertd_layout` or",
            "//! `pdf_writer`.",
            "//!",
            "//! `x`.",
        ];
        let names: Vec<_> = never(&map).into_iter().flatten().collect();
        assert_eq!(names, ["convertd_layout", "pdf_writer"]);
        assert_eq!(never(&map[..1]), None);
    }
}
