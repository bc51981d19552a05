//! The tables in the README that the code can write itself. Never lets one say what the program does not do.
//!
//! `make readme` writes them anew.

use convertd::{
    config::OPTIONS,
    format::{Category, Format},
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
    let mut text = String::new();
    for category in [Category::Image, Category::Audio, Category::Document] {
        let of_category: Vec<_> = registry::formats()
            .filter(|format| format.category == category)
            .collect();
        if of_category.is_empty() {
            continue;
        }
        text.push_str(match category {
            Category::Image => "### Images\n\n",
            Category::Audio => "### Audio\n\n",
            Category::Document => "### Documents\n\n",
        });
        text.push_str(
            "| format | also called | what it is | read | written | what `quality` does |\n",
        );
        text.push_str("|---|---|---|---|---|---|\n");
        for format in &of_category {
            text.push_str(&row(format));
        }
        text.push('\n');
        text.push_str(&fields(&of_category));
    }
    text
}

fn row(format: &'static Format) -> String {
    let mark = |possible: bool| if possible { "yes" } else { "–" };
    let quality = registry::routes_to(format)
        .next()
        .map_or("", |route| route.pair.quality);
    format!(
        "| `{}` | {} | {} | {} | {} | {} |\n",
        format.name,
        format.aliases.join(", "),
        format.description,
        mark(registry::targets_of(format).next().is_some()),
        mark(registry::sources_of(format).next().is_some()),
        quality,
    )
}

/// The optional form fields for conversions to these formats.
fn fields(formats: &[&'static Format]) -> String {
    let mut seen = Vec::new();
    let mut rows = String::new();
    let routes = formats
        .iter()
        .flat_map(|format| registry::routes_to(format));
    for option in routes.flat_map(|route| route.pair.options) {
        if !seen.contains(&option.name) {
            seen.push(option.name);
            let text = option.description();
            rows.push_str(&format!("| `{}` | {} |\n", option.name, cell(&text)));
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!("| optional form field | what it does |\n|---|---|\n{rows}\n")
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
