//! Languages by the names that people give them, and the files of their models. Reads no model.
//!
//! Tesseract's models are files called `deu.traineddata` (a language, by ISO 639-3) or `Latin.traineddata` (a script),
//! and every distribution packages them under these names. Two are compiled in: English, and the Latin script, which
//! stands for every language that is written in it. Others are installed files. The child process that converts can
//! open no file, so the service keeps a [`Shelf`], which finds and opens them; a child asks for them by name through
//! its [`Source`].

mod shelf;
mod source;
mod table;

pub use shelf::Shelf;
pub use source::{Available, Source, come_from};

use convertd_core::error::{Error, Kind, Result, quoted};
use std::{collections::BTreeSet, fs::File};

/// The models that are compiled in, by the names of their files.
pub const BUILT_IN: [&str; 2] = ["eng", "Latin"];
/// The maximum number of languages that one page is read with: each costs the time of a whole reading.
pub const MAX_LANGUAGES: usize = 8;
/// The maximum length of a language's name in bytes.
const MAX_NAME: usize = 32;

/// The model of a requested language.
#[derive(Debug)]
pub enum Chosen {
    /// A compiled-in model, by its index in [`BUILT_IN`].
    BuiltIn(usize),
    /// An installed model: the name of its file without the extension, and the file, open for reading.
    File(String, File),
}

/// The models for the languages of the client, or for the operator's default. Empty without either; then the page
/// itself decides between the compiled-in models.
///
/// Errors: [`Kind::BadInput`] for a malformed list, and for a language without a model. The message names the package
/// that has the model, if it is known.
pub fn chosen(wanted: Option<&str>) -> Result<Vec<Chosen>> {
    let names = match wanted {
        Some(text) => parse(text)?,
        None => source::available().default,
    };
    names.into_iter().map(open).collect()
}

fn open(name: String) -> Result<Chosen> {
    // An installed model takes precedence over a compiled-in one: it may have lists of words, which compiled-in models
    // lack, and an operator may have retrained it.
    if let Some(file) = source::file(&name) {
        return Ok(Chosen::File(name, file));
    }
    let built_in = BUILT_IN.iter().position(|one| *one == name);
    built_in.map(Chosen::BuiltIn).ok_or_else(|| missing(&name))
}

/// The error for a language whose model is missing.
fn missing(name: &str) -> Error {
    let text = match package(name) {
        Some(package) => format!(
            "language={name}: the model for {} is missing; install Debian's package {package}, or put {name}.traineddata into the folder that --ocr-data names",
            title(name).unwrap_or(name)
        ),
        None => format!(
            "language={name} is unknown: there is no file {name}.traineddata; name a language as Tesseract's file is named (deu), or by its ISO 639-1 code (de), and join several with + (deu+eng)"
        ),
    };
    Error::new(Kind::BadInput, text)
}

/// Names of files from a list such as `deu+eng` or `de,en`, without repetitions.
///
/// Errors: [`Kind::BadInput`] for an empty list, for a list of more than [`MAX_LANGUAGES`], and for an impossible name.
pub fn parse(text: &str) -> Result<Vec<String>> {
    let bad = |why: String| Err(Error::new(Kind::BadInput, format!("language {why}")));
    let mut names: Vec<String> = Vec::new();
    for name in text.split(['+', ',']).map(str::trim) {
        let Some(name) = file_name(name) else {
            return bad(format!(
                "is {}; it must be names such as deu, de or Latin, joined by +",
                quoted(text)
            ));
        };
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() > MAX_LANGUAGES {
            return bad(format!(
                "names more than {MAX_LANGUAGES} languages, the limit, because each language makes OCR slower"
            ));
        }
    }
    Ok(names)
}

/// The file name for a language as people name it: by the file name itself, or by a code of ISO 639-1, in any case, and
/// optionally after `script/`. Other names are returned as they are. `None` if `name` cannot be a file name.
fn file_name(name: &str) -> Option<String> {
    let name = name.strip_prefix("script/").unwrap_or(name);
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(is_safe) {
        return None;
    }
    let language = table::LANGUAGES.iter().find(|row| {
        row.file.eq_ignore_ascii_case(name)
            || !row.code.is_empty() && row.code.eq_ignore_ascii_case(name)
    });
    let script = || {
        table::SCRIPTS
            .iter()
            .find(|row| row.file.eq_ignore_ascii_case(name))
    };
    let known = language
        .map(|row| row.file)
        .or_else(|| Some(script()?.file));
    Some(known.unwrap_or(name).to_owned())
}

/// English name of a language or script, by the name of its file. `None` for a file that is in neither table.
pub fn title(name: &str) -> Option<&'static str> {
    let language = table::LANGUAGES.iter().find(|row| row.file == name);
    let script = || table::SCRIPTS.iter().find(|row| row.file == name);
    language
        .map(|row| row.title)
        .or_else(|| Some(script()?.file))
}

/// Debian's package with the model, by the name of the model's file. `None` for a file that is in neither table.
fn package(name: &str) -> Option<String> {
    if let Some(script) = table::SCRIPTS.iter().find(|row| row.file == name) {
        return Some(format!("tesseract-ocr-script-{}", script.package));
    }
    let language = table::LANGUAGES.iter().find(|row| row.file == name)?;
    Some(format!("tesseract-ocr-{}", language.file.replace('_', "-")))
}

/// Code of ISO 639-1, by the name of the model's file. `None` if the table has no code for it.
pub fn code(name: &str) -> Option<&'static str> {
    let language = table::LANGUAGES.iter().find(|row| row.file == name)?;
    Some(language.code).filter(|code| !code.is_empty())
}

/// All languages that can be read, by the names of their files, sorted: those compiled in, and those installed.
pub fn all(installed: Vec<String>) -> Vec<String> {
    let mut names: BTreeSet<String> = installed.into_iter().collect();
    names.extend(BUILT_IN.map(str::to_owned));
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_several_names() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
        check("deu", &["deu"]);
        check("de+en", &["deu", "eng"]);
        check("DEU, Eng", &["deu", "eng"]);
        check("deu+de+deu", &["deu"]);
        check("script/latin", &["Latin"]);
        check("chi_sim_vert", &["chi_sim_vert"]);
        check("my_own", &["my_own"]);
    }

    #[test]
    fn invalid_names_are_refused() {
        #[track_caller]
        fn check(text: &str, why: &str) {
            let error = parse(text).unwrap_err();
            assert!(error.message().contains(why), "{}", error.message());
        }
        check("", "joined by +");
        check("deu+", "joined by +");
        check("../../etc/passwd", "joined by +");
        check(&"x".repeat(33), "joined by +");
        let many: Vec<_> = (0..200).map(|n| format!("l{n}")).collect();
        check(&many.join("+"), "more than 8");
    }

    #[test]
    fn a_missing_model_is_named_with_its_package() {
        #[track_caller]
        fn check(name: &str, part: &str) {
            let error = missing(name);
            assert_eq!(error.kind(), Kind::BadInput);
            assert!(error.message().contains(part), "{}", error.message());
        }
        check(
            "fra",
            "French is missing; install Debian's package tesseract-ocr-fra,",
        );
        check("chi_sim", "tesseract-ocr-chi-sim,");
        check("HanS_vert", "tesseract-ocr-script-hans-vert,");
        check("klingon", "klingon is unknown");
    }

    #[test]
    fn rows_are_sorted_and_codes_unique() {
        assert!(table::LANGUAGES.is_sorted_by(|a, b| a.file < b.file));
        assert!(table::SCRIPTS.is_sorted_by(|a, b| a.file < b.file));
        let codes = table::LANGUAGES.iter().map(|row| row.code);
        let mut codes: Vec<_> = codes.filter(|code| !code.is_empty()).collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }
}
