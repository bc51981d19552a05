//! The tables in the README that the code can write itself. Never lets one say what the program does not do.
//!
//! `make readme` writes them anew.

use convertd::{
    config::OPTIONS,
    format::{Category, Format},
    job::OptionSpec,
    registry,
};
use std::{env, fs, path::Path};

#[test]
fn the_formats_are_those_of_the_program() {
    // The README describes what is built by default.
    if cfg!(all(
        feature = "audio",
        feature = "avif",
        feature = "libwebp"
    )) {
        check("formats", &formats());
    }
}

#[test]
fn the_options_are_those_of_the_program() {
    check("options", &options());
}

/// Compares what stands between `<!-- NAME -->` and `<!-- /NAME -->`, or replaces it if `UPDATE_README` is set.
#[track_caller]
fn check(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).expect("the README");
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = readme.split_once(&start).expect("the start of the table");
    let (found, after) = rest.split_once(&end).expect("the end of the table");
    if found == expected {
        return;
    }
    if env::var_os("UPDATE_README").is_some() {
        fs::write(&path, [before, &start, expected, &end, after].concat())
            .expect("a README that can be written");
    } else {
        panic!("the {name} in the README are not those of the program: run `make readme`");
    }
}

fn formats() -> String {
    let mut text = String::from("| formats | what `quality` does |\n|---|---|\n");
    let mut fields = String::from("| optional form field | of | what it does |\n|---|---|---|\n");
    let mut options: Vec<(&OptionSpec, Vec<&str>)> = Vec::new();
    for (category, name) in [
        (Category::Image, "pictures"),
        (Category::Audio, "sound"),
        (Category::Document, "documents"),
        (Category::Spreadsheet, "sheets"),
        (Category::Archive, "archives"),
    ] {
        let of_category: Vec<_> = registry::formats()
            .filter(|format| format.category == category)
            .collect();
        text.push_str(&rows(&of_category));
        for option in options_of(&of_category) {
            let description = option.description();
            match options
                .iter_mut()
                .find(|(known, _)| known.description() == description)
            {
                Some((_, categories)) if categories.contains(&name) => {}
                Some((_, categories)) => categories.push(name),
                None => options.push((option, vec![name])),
            }
        }
    }
    for (option, categories) in options {
        let (name, what) = (option.name, cell(&option.description()));
        fields.push_str(&format!(
            "| `{name}` | {} | {what} |\n",
            categories.join(", ")
        ));
    }
    text + "\n" + &fields
}

/// A row for all formats of which the same can be said.
fn rows(formats: &[&'static Format]) -> String {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for format in formats {
        let names: Vec<_> = [format.name]
            .iter()
            .chain(format.aliases)
            .map(|name| format!("`{name}`"))
            .collect();
        let names = format!("{} {}", names.join(" "), format.description);
        let quality = match registry::routes_to(format).next() {
            Some(route) => route.pair.quality.to_owned(),
            None => "*only in*".to_owned(),
        };
        let quality = match registry::targets_of(format).next() {
            Some(_) => quality,
            None => format!("*only out*; {quality}"),
        };
        match rows.iter_mut().find(|(known, _)| *known == quality) {
            Some((_, all)) => all.push(names),
            None => rows.push((quality, vec![names])),
        }
    }
    let row = |(quality, names): (String, Vec<String>)| {
        format!("| {} | {} |\n", cell(&names.join("; ")), cell(&quality))
    };
    rows.into_iter().map(row).collect()
}

/// The optional form fields for conversions to these formats, each once.
fn options_of(formats: &[&'static Format]) -> Vec<&'static OptionSpec> {
    let mut all: Vec<&'static OptionSpec> = Vec::new();
    let routes = formats
        .iter()
        .flat_map(|format| registry::routes_to(format));
    for option in routes.flat_map(|route| route.pair.options) {
        let is_other = |known: &&OptionSpec| known.name != option.name || known.help != option.help;
        if all.iter().all(is_other) {
            all.push(option);
        }
    }
    all
}

fn options() -> String {
    let mut text =
        String::from("| option | environment | default | what it is for |\n|---|---|---|---|\n");
    for option in OPTIONS {
        text.push_str(&format!(
            "| `--{} {}` | `{}` | {} | {} |\n",
            option.flag,
            option.value,
            option.env,
            option.default,
            cell(option.help)
        ));
    }
    text
}

/// Text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
