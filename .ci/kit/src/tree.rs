//! Packages that cargo links into the program. `cargo tree` lists them for a target and features, but does not describe
//! them. `cargo metadata` describes every package, but its list includes packages for tests and for building. This
//! module therefore runs both commands.

use crate::Result;
use serde_json::Value;
use std::{collections::BTreeMap, path::PathBuf, process::Command};

/// The name and the version of a package. They identify the package, because all packages come from one registry.
pub(crate) type Id = (String, String);

/// The root package. Packages whose names begin with this name, such as `convertd-core`, are parts of the program.
pub(crate) const PROGRAM: &str = "convertd";

/// A package as its manifest describes it.
pub(crate) struct Package {
    pub(crate) id: Id,
    /// An SPDX expression. Old manifests contain names with slashes between them instead.
    pub(crate) licence: String,
    pub(crate) authors: Vec<String>,
    pub(crate) repository: Option<String>,
    /// The folder with the package's source.
    pub(crate) folder: PathBuf,
}

/// Linked packages, each with the packages that it needs.
pub(crate) type Tree = BTreeMap<Id, Vec<Id>>;

/// The packages that are linked for a target. `features` are arguments for cargo.
pub(crate) fn linked(target: &str, features: &[&str]) -> Result<Tree> {
    let fixed = [
        "tree",
        "--locked",
        "--package",
        PROGRAM,
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "depth",
        "--format",
        "|{p}",
        "--target",
        target,
    ];
    let text = cargo(&[&fixed, features].concat())?;
    parse(&String::from_utf8_lossy(&text))
}

/// Reads lines such as `2|adler2 v2.0.1`: the depth of a package in the tree, its name and its version. The remainder
/// of a line is ignored.
fn parse(text: &str) -> Result<Tree> {
    let mut tree = Tree::new();
    let mut above: Vec<Id> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let odd = || format!("cargo tree printed a line that is not understood: {line:?}");
        let (depth, package) = line.split_once('|').ok_or_else(odd)?;
        let depth: usize = depth.parse().map_err(|_| odd())?;
        let mut words = package.split_whitespace();
        let name = match words.next().ok_or_else(odd)? {
            part if is_part(part) => PROGRAM,
            name => name,
        };
        let version = words
            .next()
            .and_then(|word| word.strip_prefix('v'))
            .ok_or_else(odd)?;
        let id = (name.to_owned(), version.to_owned());
        above.truncate(depth);
        if let Some(parent) = above.last() {
            let needed = tree.entry(parent.clone()).or_default();
            if *parent != id && !needed.contains(&id) {
                needed.push(id.clone());
            }
        }
        tree.entry(id.clone()).or_default();
        above.push(id);
    }
    Ok(tree)
}

/// Returns whether this is the name of one of the program's own packages or crates, other than the root package.
pub(crate) fn is_part(name: &str) -> bool {
    let rest = name.strip_prefix(PROGRAM);
    rest.is_some_and(|rest| rest.starts_with(['-', '_']))
}

/// The default features of the program.
pub(crate) fn default_features() -> Result<Vec<String>> {
    let answer = metadata("--no-deps")?;
    let mut packages = described(&answer)?.iter();
    let program = packages
        .find(|package| package["name"] == PROGRAM)
        .ok_or("cargo metadata knows no program")?;
    let features = program["features"]["default"]
        .as_array()
        .into_iter()
        .flatten();
    Ok(features
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect())
}

/// Every package of the lock file.
pub(crate) fn packages() -> Result<BTreeMap<Id, Package>> {
    let answer = metadata("--all-features")?;
    described(&answer)?
        .iter()
        .map(|package| describe(package).map(|known| (known.id.clone(), known)))
        .collect()
}

/// The part of cargo's metadata that `which` asks for.
fn metadata(which: &str) -> Result<Value> {
    let answer = cargo(&["metadata", "--locked", "--format-version", "1", which])?;
    serde_json::from_slice(&answer)
        .map_err(|err| format!("the output of cargo metadata is not JSON: {err}"))
}

fn described(metadata: &Value) -> Result<&Vec<Value>> {
    let packages = metadata["packages"].as_array();
    Ok(packages.ok_or("cargo metadata printed no packages")?)
}

fn describe(package: &Value) -> Result<Package> {
    let text = |field: &str| package[field].as_str().map(str::to_owned);
    let name = text("name").ok_or("cargo metadata printed a package without a name")?;
    let version = text("version").ok_or_else(|| format!("{name} has no version"))?;
    let licence = text("license").ok_or_else(|| format!("{name} {version} states no licence"))?;
    let mut folder =
        PathBuf::from(text("manifest_path").ok_or_else(|| format!("{name} has no manifest"))?);
    folder.pop();
    let authors = package["authors"].as_array().into_iter().flatten();
    Ok(Package {
        id: (name, version),
        licence,
        authors: authors
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        repository: text("repository"),
        folder,
    })
}

fn cargo(arguments: &[&str]) -> Result<Vec<u8>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .output()
        .map_err(|err| format!("cannot run cargo: {err}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim_end()
        ));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_read_with_what_each_package_needs() {
        let id = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        let tree =
            parse("0|a v1.0.0 (/here)\n1|b v2.0.0\n2|c v0.1.0+with-c\n1|c v0.1.0+with-c (*)\n")
                .unwrap();
        let (a, b, c) = (id("a", "1.0.0"), id("b", "2.0.0"), id("c", "0.1.0+with-c"));
        assert_eq!(tree[&a], [b.clone(), c.clone()]);
        assert_eq!(tree[&b], std::slice::from_ref(&c));
        assert_eq!(tree[&c], []);
        let tree = parse("0|convertd v1.0.0\n1|convertd-core v1.0.0\n2|b v2.0.0\n").unwrap();
        let program = id("convertd", "1.0.0");
        assert_eq!(tree.keys().collect::<Vec<_>>(), [&b, &program]);
        assert_eq!(tree[&program], [b]);
        assert!(parse("a v1.0.0").is_err());
        assert!(parse("0|a 1.0.0").is_err());
    }
}
