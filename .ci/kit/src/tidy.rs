//! Checks the direction of imports. A package imports only packages before it in [`ORDER`]. The top modules of a
//! package, which its `lib.rs` declares, do not import one another in a circle. A package does not import the names in
//! backticks in the paragraph "Never:" of its `lib.rs`. Cargo itself refuses circles of packages, but accepts an import
//! in the wrong direction as long as it does not complete a circle. Comments contain no examples of code, because
//! rustdoc takes minutes to search all packages for such tests. Source files are at most [`LONGEST_FILE`] lines long.
//!
//! Does not parse Rust: outside of comments, all text in the form of a path counts as a path.

use crate::{
    Result,
    words::{files, read},
};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::Path,
};

/// Packages from the lowest layer to the highest: each imports only packages before it.
const ORDER: [&str; 19] = [
    "core", "audio", "metafile", "image", "ocr", "tree", "office", "markup", "layout", "words",
    "pdfwrite", "scan", "pdf", "boxes", "pages", "sheets", "slides", "mail", "service",
];
/// Maximum length, in lines, of the comment at the beginning of a `lib.rs`, which is the map of its package.
const LONGEST_MAP: usize = 60;
/// Maximum length, in lines, of a source file of a package.
const LONGEST_FILE: usize = 500;

/// The top modules of a package, each with the names that it imports from the package's root.
type ModuleImports = BTreeMap<String, BTreeSet<String>>;

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
            "a package imports only packages before it in ORDER, and modules do not import one another in a circle:\n{}",
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
        faults.push(format!("src/{package}/lib.rs: it must begin with a comment of at most {LONGEST_MAP} lines that has a paragraph \"Never:\""));
    }
    let never = never.unwrap_or_default();
    let mut modules = ModuleImports::new();
    for file in files(&[&format!("src/{package}")], &["rs"])? {
        let source = read(&file)?;
        if source.lines().count() > LONGEST_FILE {
            faults.push(format!(
                "{}: more than {LONGEST_FILE} lines",
                file.display()
            ));
        }
        let depth = file.components().count() - usize::from(file.ends_with("mod.rs"));
        if let Some(line) = code_example(&source) {
            faults.push(format!(
                "{}:{line}: no test runs the examples in comments; mark this one as ```text",
                file.display()
            ));
        }
        let (packages, names) = imports(&source, depth == 3);
        for name in &packages {
            let own = name.strip_prefix("convertd_");
            if own.is_some_and(|own| !before.contains(&own)) {
                faults.push(format!(
                    "{}: `{name}` is not before `{package}` in ORDER",
                    file.display()
                ));
            } else if never.contains(name) {
                faults.push(format!(
                    "{}: src/{package}/lib.rs says that it never imports `{name}`",
                    file.display()
                ));
            }
        }
        if let Some(module) = module(&file, &folder) {
            modules.entry(module).or_default().extend(names);
        }
    }
    if let Some(circle) = circle(&modules) {
        faults.push(format!("src/{package}: a circle of imports: {circle}"));
    }
    Ok(faults)
}

/// Number of the first line that begins an example of code in a doc comment. Examples of other text are marked as such.
fn code_example(source: &str) -> Option<usize> {
    let lines = (1..).zip(source.lines());
    let fences = lines.filter_map(|(number, line)| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
        Some((number, comment.trim().strip_prefix("```")?))
    });
    // Every other fence ends an example.
    let mut begins = fences.step_by(2);
    begins.find_map(|(number, kind)| (kind != "text").then_some(number))
}

/// Names in backticks in the paragraph "Never:" of a map; `None` if the map has no such paragraph.
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

/// The top module that a file belongs to: the first part of the file's path within the package. `None` for `lib.rs`.
fn module(file: &Path, folder: &Path) -> Option<String> {
    let path = file.strip_prefix(folder).ok()?;
    let first = path.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib").then(|| name.to_owned())
}

/// Crates and top modules that a source names at the beginning of paths: `convertd_tree::…`, `crate::module::…`, `use
/// crate::{module, …}`. In the first file of a top module, `super` also means the crate.
fn imports(source: &str, is_first: bool) -> (BTreeSet<String>, BTreeSet<String>) {
    let lines = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = |text: &str| text.chars().take_while(|c| is_word(*c)).collect::<String>();
    let (mut packages, mut modules) = (BTreeSet::new(), BTreeSet::new());
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
            "crate" => modules.extend(heads),
            "super" if is_first => modules.extend(heads),
            name => drop(packages.insert(name.to_owned())),
        }
    }
    (packages, modules)
}

/// Shortest circle of imports that leads from a module back to it, as text. `None` if there is no circle.
fn circle(modules: &ModuleImports) -> Option<String> {
    for start in modules.keys() {
        let mut ways = VecDeque::from([vec![start]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop_front() {
            let last = way[way.len() - 1];
            let leads = |next: &&String| *next != last && modules[last].contains(*next);
            for next in modules.keys().filter(leads) {
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
        fn check(source: &str, packages: &[&str], modules: &[&str]) {
            let found = imports(source, true);
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(found, (set(packages), set(modules)), "{source}");
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
    fn examples_of_code_are_found() {
        assert_eq!(code_example("//! ```text\n//! a\n//! ```\nfn a() {}"), None);
        assert_eq!(
            code_example("/// A.\n///\n/// ```\n/// a();\n/// ```"),
            Some(3)
        );
        assert_eq!(code_example("let a = \"```\";"), None);
    }

    #[test]
    fn circles_are_found_and_named() {
        #[track_caller]
        fn check(imports: &[(&str, &[&str])], expected: Option<&str>) {
            let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let modules = imports
                .iter()
                .map(|(module, names)| ((*module).to_owned(), own(names)));
            assert_eq!(
                circle(&modules.collect()).as_deref(),
                expected,
                "{imports:?}"
            );
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
