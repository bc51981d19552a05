//! Generates the file that `convertd licences` prints: the components of the program, their licences, and each licence
//! text once. The file is in the repository, because a build must not read the folders of its dependencies. `--check`
//! fails if the file differs from the dependencies.

use crate::{
    Result,
    spdx::{self, Expression},
    texts::{self, Text},
    tree::{self, Id, PROGRAM, Package},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Targets that the program may be built for. Some packages are linked on only one of them.
const TARGETS: &[&str] = &[
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
    "armv7-unknown-linux-gnueabihf",
];

/// Generated files: for every build, for a static build with the GNU C library, and for the feature `lame`.
const FILES: [&str; 3] = [
    "licences.txt.zlib",
    "licences-glibc.txt.zlib",
    "licences-lame.txt.zlib",
];

/// Linked or embedded works that are not packages: a label, the licence, the copyright holder, and the path of the
/// licence text in the source tree. The path is `None` if a package contains the same text.
const OTHERS: &[(&str, &str, &str, Option<&str>)] = &[
    (
        "Rust's standard library",
        "Apache-2.0",
        "Copyright The Rust Project Contributors",
        None,
    ),
    (
        "fonts (Arimo and others)",
        "OFL-1.1",
        "",
        Some("src/core/fonts/LICENSE"),
    ),
    (
        "font DejaVu Sans",
        "Bitstream-Vera",
        "",
        Some("src/core/fonts/LICENSE-DejaVu"),
    ),
    (
        "OCR models of Tesseract (tessdata_fast)",
        "Apache-2.0",
        "Copyright 2006-2022 Google Inc.",
        None,
    ),
    (
        "hyphenation patterns (hyph-utf8)",
        "MIT, BSD-3-Clause, LPPL-1.3c, terms of Kuiken and of Saarinen",
        "",
        Some("src/layout/hyphenation/LICENSE"),
    ),
    (
        "names of emoji (gemoji)",
        "MIT",
        "Copyright 2019 GitHub, Inc.",
        None,
    ),
];

/// Like [`OTHERS`], for works that are only in a static build with the GNU C library.
const GLIBC: &[(&str, &str, &str, Option<&str>)] = &[(
    "GNU C library",
    "LGPL-2.1-or-later",
    "",
    Some(".ci/kit/LGPL-2.1.txt"),
)];

/// Limit on the total size of the generated files in the binary of a default build, in bytes.
const BUDGET: usize = 60_000;

/// A licence text, and the works under this licence.
struct Group {
    title: String,
    /// Works under this licence, each with the lines that name its copyright holders.
    members: Vec<(String, Vec<String>)>,
    body: String,
}

/// Generates and writes all files.
pub(crate) fn write() -> Result<()> {
    for (path, text) in files()? {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 10);
        println!(
            "{}: {} bytes, {} packed",
            path.display(),
            text.len(),
            packed.len()
        );
        fs::write(&path, packed)
            .map_err(|err| format!("cannot write {}: {err}", path.display()))?;
    }
    Ok(())
}

/// Fails if a generated file differs from the dependencies, or if the files are too large.
pub(crate) fn check() -> Result<()> {
    let mut size = 0;
    for (path, expected) in files()? {
        let packed =
            fs::read(&path).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
        // The feature of this file is off by default.
        size += if path.ends_with(FILES[2]) {
            0
        } else {
            packed.len()
        };
        let text = miniz_oxide::inflate::decompress_to_vec_zlib(&packed)
            .map_err(|err| format!("{} is damaged: {err}", path.display()))?;
        if let Some((line, (old, new))) = differing(&String::from_utf8_lossy(&text), &expected) {
            return Err(format!(
                "{} differs from the dependencies (line {line}: {old:?}, now {new:?}); run `make licences`",
                path.display()
            ));
        }
    }
    if size > BUDGET {
        return Err(format!(
            "the licences take {size} bytes of the binary, and may take {BUDGET}"
        ));
    }
    println!("licences: complete, all allowed, {size} bytes");
    Ok(())
}

/// The first line in which two texts differ.
fn differing<'a>(old: &'a str, new: &'a str) -> Option<(usize, (&'a str, &'a str))> {
    let count = old.lines().count().max(new.lines().count());
    let old = old.lines().chain(std::iter::repeat("(nothing)"));
    let new = new.lines().chain(std::iter::repeat("(nothing)"));
    (1..=count)
        .zip(old.zip(new))
        .find(|(_, (old, new))| old != new)
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Paths of the generated files, each with the text that it should have.
fn files() -> Result<Vec<(PathBuf, String)>> {
    let packages = tree::packages()?;
    let linked = |features: &[&str]| -> Result<BTreeSet<Id>> {
        let mut all = BTreeSet::new();
        for target in TARGETS {
            all.extend(tree::linked(target, features)?.into_keys());
        }
        Ok(all)
    };
    let always = linked(&[])?;
    let with_lame: BTreeSet<Id> = linked(&["--features", "lame"])?
        .difference(&always)
        .cloned()
        .collect();
    let of = |ids: &BTreeSet<Id>| -> Result<Vec<&Package>> {
        ids.iter()
            .map(|id| {
                packages
                    .get(id)
                    .ok_or_else(|| format!("cargo does not describe {} {}", id.0, id.1))
            })
            .collect()
    };
    let texts = [
        document(&of(&always)?, &[], OTHERS)?,
        document(&[], &[], GLIBC)?,
        document(&of(&with_lame)?, spdx::WITH_LAME, &[])?,
    ];
    let paths = FILES
        .iter()
        .map(|name| top().join("src/service/cli").join(name));
    Ok(paths.zip(texts).collect())
}

/// Makes the text of a generated file, for these packages.
fn document(
    packages: &[&Package],
    more: &[&str],
    others: &[(&str, &str, &str, Option<&str>)],
) -> Result<String> {
    let mut list = String::new();
    let entry = |label: &str, licence: &str| format!("  {label:<36} {licence}\n");
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    // Labels, licences and holders of works that contain no text of their licence. They get the text of another work.
    let mut without_text: Vec<(String, String, String)> = Vec::new();
    for package in packages {
        let (name, version) = &package.id;
        // The program's own version is left out, so that a new version does not change the file.
        let label = if name == PROGRAM {
            name.clone()
        } else {
            format!("{name} {version}")
        };
        let expression = Expression::parse(&package.licence)?;
        let chosen = match name == PROGRAM {
            true => expression.names().into_iter().map(str::to_owned).collect(),
            false => expression.choose(more).ok_or_else(|| {
                format!(
                    "{label} is licensed under {}, which is not allowed: see .ci/kit/src/spdx.rs",
                    package.licence
                )
            })?,
        };
        let between = if name == PROGRAM { " or " } else { " and " };
        list.push_str(&entry(&label, &chosen.join(between)));
        let mut missing: BTreeSet<&str> = chosen.iter().map(String::as_str).collect();
        let files = if name == PROGRAM {
            own(&package.folder)?
        } else {
            texts::of(&package.folder)?
        };
        for text in files {
            if let Some(licence) = text.licence {
                // This text is that of an alternative that was not chosen.
                if expression.names().contains(&licence)
                    && !chosen.iter().any(|name| name == licence)
                {
                    continue;
                }
                missing.remove(licence);
            }
            insert(&mut groups, &label, text);
        }
        let authors = package.authors.join(", ");
        let holder = if authors.is_empty() {
            format!("Copyright the authors of {name}")
        } else {
            format!("Copyright {authors}")
        };
        without_text.extend(
            missing
                .into_iter()
                .map(|licence| (label.clone(), licence.to_owned(), holder.clone())),
        );
    }
    for &(label, licence, holder, file) in others {
        list.push_str(&entry(label, licence));
        let Some(file) = file else {
            without_text.push((label.to_owned(), licence.to_owned(), holder.to_owned()));
            continue;
        };
        let body = read(&top().join(file))?.trim().to_owned();
        let members = vec![(label.to_owned(), Vec::new())];
        groups.insert(
            format!("0 {licence} {label}"),
            Group {
                title: licence.to_owned(),
                members,
                body,
            },
        );
    }
    for (label, licence, holder) in without_text {
        // If there are several wordings of a licence, the work gets the most frequent wording.
        let same = groups.values_mut().filter(|group| group.title == licence);
        let group = same.max_by_key(|group| group.members.len());
        let group = group.ok_or_else(|| {
            format!("{label} has no text of {licence}, and nor has any other package")
        })?;
        group.members.push((label, vec![holder]));
    }
    Ok(format!(
        "{list}{}",
        groups.into_values().map(render).collect::<String>()
    ))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|err| format!("cannot read {}: {err}", path.display()))
}

/// The licences of the program itself, which are in one file with a rule above and below the title of each text.
fn own(folder: &Path) -> Result<Vec<Text>> {
    let file = read(&folder.join("LICENSE"))?;
    let parts = file.split("=====\n").skip(2).step_by(2);
    Ok(parts
        .map(|part| Text::parse(part.trim_end_matches(['=', '\n'])))
        .collect())
}

fn insert(groups: &mut BTreeMap<String, Group>, label: &str, text: Text) {
    let title = text.licence.unwrap_or("notice").to_owned();
    // Well-known texts come first, in the order of their names. All other texts follow.
    let key = match text.licence {
        Some(_) => format!("0 {title} {}", text.key()),
        None => format!("1 {}", text.key()),
    };
    let group = groups.entry(key).or_insert_with(|| Group {
        title,
        members: Vec::new(),
        body: text.body,
    });
    match group.members.last_mut() {
        Some((last, holders)) if last == label => holders.extend(text.holders),
        _ => group.members.push((label.to_owned(), text.holders)),
    }
}

fn render(mut group: Group) -> String {
    group.members.sort();
    let rule = "=".repeat(80);
    let mut text = format!("\n{rule}\n{}, for:\n", group.title);
    for (label, holders) in &group.members {
        text.push_str(&format!("  {label}\n"));
        let first = |&(place, holder): &(usize, &String)| !holders[..place].contains(holder);
        text.extend(
            holders
                .iter()
                .enumerate()
                .filter(first)
                .map(|(_, holder)| format!("      {holder}\n")),
        );
    }
    text.push_str(&format!("{rule}\n{}\n", group.body));
    text
}
