//! A bill of materials in CycloneDX 1.6 (JSON): all linked packages, and other linked or embedded works. It contains
//! neither a time nor a serial number, so that the same source gives the same file.

use crate::{
    Result,
    tree::{self, Id, PROGRAM, Package},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// Prints the bill of materials for a target and for features, which are arguments for cargo.
pub(crate) fn print(target: &str, features: &[&str]) -> Result<()> {
    let linked = tree::linked(target, features)?;
    let packages = tree::packages()?;
    let checksums = checksums(&read("Cargo.lock")?);
    let describe = |id: &Id| -> Result<Value> {
        let package = packages
            .get(id)
            .ok_or_else(|| format!("cargo does not describe {} {}", id.0, id.1))?;
        Ok(component(package, checksums.get(id)))
    };
    let (mut program, mut components) = (Value::Null, Vec::new());
    for id in linked.keys() {
        match id.0 == PROGRAM {
            true => program = describe(id)?,
            false => components.push(describe(id)?),
        }
    }
    let mut dependencies: Vec<Value> = linked
        .iter()
        .map(|(id, needs)| json!({"ref": purl(id), "dependsOn": needs.iter().map(purl).collect::<Vec<_>>()}))
        .collect();
    let has = |names: &[&str]| linked.keys().any(|id| names.contains(&&*id.0));
    // Only the layout of text depends on `unicode-linebreak`, and it has the patterns.
    let (with_fonts, with_patterns) = (has(&["skrifa", "resvg"]), has(&["unicode-linebreak"]));
    for other in others(target, with_fonts, with_patterns)? {
        dependencies.push(json!({"ref": other["bom-ref"], "dependsOn": []}));
        for entry in &mut dependencies {
            if entry["ref"] == program["bom-ref"]
                && let Some(needs) = entry["dependsOn"].as_array_mut()
            {
                needs.push(other["bom-ref"].clone());
            }
        }
        components.push(other);
    }
    program["type"] = json!("application");
    program["properties"] = json!([
        {"name": "convertd:target", "value": target},
        {"name": "convertd:features", "value": if features.is_empty() { "default".to_owned() } else { features.join(" ") }},
    ]);
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "tools": {"components": [{"type": "application", "name": env!("CARGO_PKG_NAME")}]},
            "component": program,
        },
        "components": components,
        "dependencies": dependencies,
    });
    println!("{document:#}");
    Ok(())
}

/// A package as a component. `checksum` belongs to the package's archive in the registry.
fn component(package: &Package, checksum: Option<&String>) -> Value {
    let reference = purl(&package.id);
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": package.id.0,
        "version": package.id.1,
        "purl": reference,
        "licenses": [{"expression": package.licence.replace('/', " OR ")}],
    });
    if let Some(checksum) = checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    if let Some(repository) = &package.repository {
        component["externalReferences"] = json!([{"type": "vcs", "url": repository}]);
    }
    if let Some(version) = bundled_libwebp(package) {
        let reference = format!("pkg:generic/libwebp@{version}");
        component["components"] = json!([{
            "type": "library", "bom-ref": reference, "name": "libwebp", "version": version, "purl": reference,
            "licenses": [{"expression": "BSD-3-Clause"}],
        }]);
    }
    component
}

/// The version of libwebp that this package contains, from the version numbers in the header of libwebp's encoder.
fn bundled_libwebp(package: &Package) -> Option<String> {
    if package.id.0 != "libwebp-sys" {
        return None;
    }
    let source = fs::read_to_string(package.folder.join("vendor/src/enc/vp8i_enc.h")).ok()?;
    let number = |name: &str| {
        let mut lines = source
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("#define {name} ")));
        lines.next().map(|rest| rest.trim().to_owned())
    };
    Some(format!(
        "{}.{}.{}",
        number("ENC_MAJ_VERSION")?,
        number("ENC_MIN_VERSION")?,
        number("ENC_REV_VERSION")?
    ))
}

/// Linked or embedded works that are not packages.
fn others(target: &str, with_fonts: bool, with_patterns: bool) -> Result<Vec<Value>> {
    let compiler = output("rustc", &["--version"])?;
    let version = compiler
        .split_whitespace()
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    let mut others = vec![json!({
        "type": "library", "bom-ref": "rust-std", "name": "Rust's standard library", "version": version,
        "licenses": [{"expression": "MIT OR Apache-2.0"}],
    })];
    others.push(match target.contains("musl") {
        // musl is part of Rust's standard library for this target.
        true => json!({"type": "library", "bom-ref": "libc", "name": "musl", "licenses": [{"expression": "MIT"}]}),
        false => {
            let mut library = json!({
                "type": "library", "bom-ref": "libc", "name": "GNU C library", "licenses": [{"expression": "LGPL-2.1-or-later"}],
            });
            // The version of the C library can be asked for only on the target itself.
            let here = output("rustc", &["--print", "host-tuple"])?;
            if here.trim() == target
                && let Ok(answer) = output("getconf", &["GNU_LIBC_VERSION"])
            {
                library["version"] = json!(answer.trim().trim_start_matches("glibc "));
            }
            library
        }
    });
    if with_fonts {
        let fonts = [
            ("Arimo, Tinos, Cousine, Caladea, Carlito", "OFL-1.1"),
            ("DejaVu Sans", "Bitstream-Vera"),
        ];
        others.extend(fonts.iter().map(|(name, licence)| {
            json!({"type": "data", "bom-ref": format!("font-{licence}"), "name": name, "licenses": [{"expression": licence}]})
        }));
    }
    if with_patterns {
        // The notices of Kuiken (English) and Saarinen (Finnish) are no licences that SPDX lists.
        let licence =
            "MIT AND BSD-3-Clause AND LPPL-1.3c AND LicenseRef-Kuiken AND LicenseRef-Saarinen";
        others.push(json!({
            "type": "data", "bom-ref": "hyphenation-patterns", "name": "hyphenation patterns (hyph-utf8)",
            "licenses": [{"expression": licence}],
        }));
    }
    Ok(others)
}

/// The address of a package, as purl-spec writes it.
fn purl(id: &Id) -> String {
    format!("pkg:cargo/{}@{}", id.0, id.1.replace('+', "%2B"))
}

/// The checksums in a lock file, whose lines are in the order in which cargo writes them.
fn checksums(lock: &str) -> BTreeMap<Id, String> {
    let mut all = BTreeMap::new();
    for entry in lock.split("[[package]]") {
        let value = |name: &str| {
            let mut lines = entry
                .lines()
                .filter_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
            lines
                .next()
                .map(|rest| rest.trim_end_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(checksum)) =
            (value("name"), value("version"), value("checksum"))
        {
            all.insert((name, version), checksum);
        }
    }
    all
}

fn read(name: &str) -> Result<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    fs::read_to_string(&path).map_err(|err| format!("cannot read {}: {err}", path.display()))
}

fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let answer = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|err| format!("cannot run {program}: {err}"))?;
    Ok(String::from_utf8_lossy(&answer.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_found_in_a_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"12ab\"\ndependencies = [\n \"b\",\n]\n\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\n";
        let all = checksums(lock);
        assert_eq!(all.len(), 1);
        assert_eq!(all[&("a".to_owned(), "1.0.0".to_owned())], "12ab");
    }
}
