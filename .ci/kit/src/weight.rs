//! Size of the program's machine code, by package and by own module, from the linker's map. Generic code counts for the
//! package that instantiates it. A symbol names that package only if it is mangled with `-C
//! symbol-mangling-version=v0`.

use crate::{Result, tree};
use std::{collections::BTreeMap, fs, path::Path};

/// Packages and modules with fewer bytes of machine code are not listed.
const LEAST: u64 = 100_000;

/// Crates of the standard library, whose generic code counts for the package that uses it.
const STANDARD: &[&str] = &["core", "alloc", "std", "hashbrown"];

/// Bytes of machine code.
#[derive(Debug, Default, PartialEq)]
struct Weights {
    packages: BTreeMap<String, u64>,
    /// Sizes of this program's own modules, with names such as `convertd_pages::spreadsheet`.
    modules: BTreeMap<String, u64>,
}

/// Prints the largest packages and modules, and the size of each feature.
pub(crate) fn print(map: &Path, target: &str) -> Result<()> {
    let text = fs::read(map).map_err(|err| {
        format!(
            "cannot read {}, which `make build` writes: {err}",
            map.display()
        )
    })?;
    let weights = weigh(&String::from_utf8_lossy(&text));
    println!(
        "machine code by package, in KB (generic code of the standard library counts for its user):"
    );
    list(&weights.packages);
    println!("of that by module of this program, each with those within:");
    list(&with_inner(&weights.modules));
    println!(
        "by feature: the modules with its name, and the packages that only this feature needs:"
    );
    list(&by_feature(&weights, target)?);
    Ok(())
}

fn list(weights: &BTreeMap<String, u64>) {
    let mut rows: Vec<_> = weights.iter().filter(|row| *row.1 >= LEAST).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(*row.1));
    for (name, bytes) in rows {
        println!("{:8}  {name}", bytes / 1000);
    }
}

/// Sizes of all modules. The size of a module includes the modules inside it.
fn with_inner(modules: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (module, bytes) in modules {
        let ends = module.match_indices("::").map(|(at, _)| at);
        for end in ends.chain([module.len()]) {
            *sums.entry(module[..end].to_owned()).or_default() += bytes;
        }
    }
    sums
}

/// The size of each default feature: the sum of the packages that only this feature needs and of the modules with its
/// name.
fn by_feature(weights: &Weights, target: &str) -> Result<BTreeMap<String, u64>> {
    let all = tree::linked(target, &[])?;
    let features = tree::default_features()?;
    let mut found = BTreeMap::new();
    for feature in &features {
        let others: Vec<&str> = features
            .iter()
            .filter(|other| *other != feature)
            .map(String::as_str)
            .collect();
        let rest = tree::linked(
            target,
            &["--no-default-features", "--features", &others.join(",")],
        )?;
        let alone = all.keys().filter(|id| !rest.contains_key(*id));
        let packages = alone.filter_map(|(name, _)| weights.packages.get(&name.replace('-', "_")));
        let modules = weights.modules.iter();
        let modules = modules.filter(|(module, _)| {
            let mut parts = module.split("::");
            parts.find(|part| features.iter().any(|one| one == part)) == Some(feature)
        });
        let bytes = packages.chain(modules.map(|(_, bytes)| bytes)).sum();
        found.insert(feature.clone(), bytes);
    }
    Ok(found)
}

/// Reads the map of LLVM's linker. A line has two addresses, a size, an alignment, and `file:(.text.SYMBOL)`.
fn weigh(map: &str) -> Weights {
    let mut weights = Weights::default();
    for line in map.lines() {
        let mut words = line.split_whitespace();
        let (Some(size), Some(place)) = (words.nth(2), words.nth(1)) else {
            continue;
        };
        let section = place.rsplit_once(":(.text.").map(|(_, section)| section);
        let symbol = section.and_then(|section| section.strip_suffix(')'));
        let (Ok(size), Some(symbol)) = (u64::from_str_radix(size, 16), symbol) else {
            continue;
        };
        // Code of the standard library counts for the first other crate that the symbol names.
        let named = paths(symbol);
        let owner = named
            .iter()
            .find(|path| !STANDARD.contains(&path[0]))
            .or_else(|| named.first());
        let Some(path) = owner else {
            *weights.packages.entry("C".into()).or_default() += size;
            continue;
        };
        *weights.packages.entry(path[0].into()).or_default() += size;
        if path[0] == tree::PROGRAM || tree::is_part(path[0]) {
            *weights.modules.entry(path.join("::")).or_default() += size;
        }
    }
    weights
}

/// The crates that a symbol names, each with up to three of the modules that follow it (RFC 2603 calls them crate roots
/// and identifiers). Empty for symbols of C.
fn paths(symbol: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    if !symbol.contains("_R") {
        return found;
    }
    let mut rest = symbol;
    while let Some(at) = rest.find("Cs") {
        rest = &rest[at + 2..];
        let Some((name, after)) = rest
            .split_once('_')
            .and_then(|(hash, after)| is_base_62(hash).then(|| identifier(after))?)
        else {
            continue;
        };
        let mut path = vec![name];
        rest = after;
        while path.len() < 4
            && let Some((name, after)) = identifier(rest)
        {
            path.push(name);
            rest = after;
        }
        found.push(path);
    }
    found
}

fn is_base_62(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Splits a text after its first identifier, which consists of a length in decimal digits and of that many bytes.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let len: usize = text[..digits].parse().ok()?;
    let rest = &text[digits..];
    let rest = rest.strip_prefix('_').unwrap_or(rest);
    (len > 0 && rest.is_char_boundary(len) && len <= rest.len()).then(|| rest.split_at(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_map_counts_for_the_crate_that_it_names() {
        let weights = weigh(
            "     VMA      LMA     Size Align Out     In      Symbol\n\
             7df880   7de880      100    16         /a.o:(.text._RNvNtCsabc_14convertd_pages4mail4read)\n\
             7df880   7de880       20    16         /a.o:(.text._RINvNtCs1_4core3ptr13drop_in_placeNtCsx2_3png7DecoderE)\n\
             7df880   7de880        8    16         /a.o:(.text._RNvCs1_4core3abs)\n\
             7df880   7de880        4    16         /a.o:(.text.WebPEncode)\n\
             7df880   7de880        4    16         /a.o:(.rodata.WebPEncode)\n",
        );
        let of = |name: &str| weights.packages.get(name).copied();
        assert_eq!(of("convertd_pages"), Some(256));
        assert_eq!(of("png"), Some(32));
        assert_eq!(of("core"), Some(8));
        assert_eq!(of("C"), Some(4));
        assert_eq!(weights.modules["convertd_pages::mail::read"], 256);
    }
}
