//! The tables of the manual that are generated from the code, and the formats in the README. Ensures that neither
//! claims what the program does not do.
//!
//! `make readme` writes the tables again.

use convertd::{
    config::OPTIONS,
    format::{Category, Format},
    job::OptionSpec,
    registry,
};
use std::{env, fs, path::Path};

#[test]
fn the_formats_are_those_of_the_program() {
    if IS_DEFAULT {
        check("formats", "formats", &formats());
        check("formats", "fields", &fields());
    }
}

#[test]
fn the_options_are_those_of_the_program() {
    check("options", "options", &options());
}

/// Checks the length and width of the README: it is read in five minutes, also in a terminal.
#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(readme.lines().count() <= 160);
    let long: Vec<_> = readme
        .lines()
        .filter(|line| line.chars().count() > 120)
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

/// This table is written by hand, because it groups formats by their use.
#[test]
fn the_readme_names_every_format_as_what_it_is() {
    if !IS_DEFAULT {
        return;
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let (_, table) = readme
        .split_once("| kind | read | written |\n")
        .expect("the table of formats");
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.split('|').collect();
        // Names in parentheses are aliases.
        let known = names(cells[2].split('(').next().unwrap_or_default());
        match cells[3].trim() {
            "the same" => written.extend(known.clone()),
            cell => written.extend(names(cell)),
        }
        read.extend(known);
    }
    for format in registry::formats() {
        let (is_read, is_written) = (
            registry::targets_of(format).next().is_some(),
            registry::routes_to(format).next().is_some(),
        );
        let (name, said) = (format.name, |list: &[&str]| list.contains(&format.name));
        assert_eq!(
            said(&read),
            is_read,
            "{name} among the formats that are read"
        );
        assert_eq!(
            said(&written),
            is_written,
            "{name} among the formats that are written"
        );
    }
}

/// Whether this build has all features that the manual describes.
const IS_DEFAULT: bool = cfg!(all(
    feature = "audio",
    feature = "avif",
    feature = "heic",
    feature = "jxl",
    feature = "libwebp",
    feature = "pdf",
    feature = "presentation",
    feature = "spreadsheet",
    feature = "svg"
));

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The words between backquotes in a cell.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Compares the text in a chapter between `<!-- NAME -->` and `<!-- /NAME -->`, or replaces it if `UPDATE_README` is
/// set.
#[track_caller]
fn check(chapter: &str, name: &str, expected: &str) {
    let path = root().join(format!("src/service/manual/{chapter}.md"));
    let text = fs::read_to_string(&path).expect("the chapter");
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = text.split_once(&start).expect("the start of the table");
    let (found, after) = rest.split_once(&end).expect("the end of the table");
    if found == expected {
        return;
    }
    if env::var_os("UPDATE_README").is_some() {
        fs::write(&path, [before, &start, expected, &end, after].concat())
            .expect("a chapter that can be written");
    } else {
        panic!(
            "the {name} in {} are not those of the program: run `make readme`",
            path.display()
        );
    }
}

/// The categories with their names for people.
const CATEGORIES: [(Category, &str); 7] = [
    (Category::Image, "pictures"),
    (Category::Audio, "sound"),
    (Category::Document, "documents"),
    (Category::Spreadsheet, "sheets"),
    (Category::Presentation, "slides"),
    (Category::Mail, "mail"),
    (Category::Archive, "archives"),
];

fn of_category(category: Category) -> Vec<&'static Format> {
    let formats = registry::formats();
    formats
        .filter(|format| format.category == category)
        .collect()
}

fn formats() -> String {
    let mut text = String::from("| formats | what `quality` does |\n|---|---|\n");
    for (category, _) in CATEGORIES {
        text.push_str(&rows(&of_category(category)));
    }
    text
}

fn fields() -> String {
    let mut options: Vec<(&OptionSpec, Vec<&str>)> = Vec::new();
    for (category, name) in CATEGORIES {
        for option in options_of(&of_category(category)) {
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
    let mut text = String::from("| optional form field | of | what it does |\n|---|---|---|\n");
    for (option, categories) in options {
        let (name, what) = (option.name, cell(&option.description()));
        text.push_str(&format!(
            "| `{name}` | {} | {what} |\n",
            categories.join(", ")
        ));
    }
    text
}

/// A row for all formats with the same properties.
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

/// The optional form fields of conversions to these formats, each once.
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

/// A text in which bars are escaped, so that it does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
