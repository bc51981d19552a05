//! `convertd formats`: lists the formats as a table for people, or as the service's JSON. For a single format, lists
//! its targets with their options and values. Contains no facts about formats: the registry has them.

use super::{Failure, Outcome, help};
use crate::{
    api,
    config::Config,
    engine,
    error::{Error, Kind, Result},
    format::{self, Format},
    job::OptionSpec,
    nearest,
    registry::{self, Route},
};
use lexopt::{Arg, Parser, ValueExt};

/// Prints all formats, one format, or one conversion.
pub(super) fn run(parser: &mut Parser) -> Outcome {
    let (mut json, mut names) = (false, Vec::new());
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return help::about("formats", &argument),
            Arg::Long("json") => json = true,
            Arg::Value(name) if names.len() < 2 => names.push(known(&name.string()?)?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if json && !names.is_empty() {
        let text = "formats --json lists all formats; leave out the name";
        return Err(Failure::Usage(text.into()));
    }
    match names[..] {
        [] => all(json),
        [one] => super::say(&about(one)),
        [from, to, ..] => match registry::find(from, to) {
            Some(route) => super::say(&pair(route)),
            None => Err(Failure::Usage(format!(
                "{} files cannot be converted to {}; they can be converted to {}",
                from.name,
                to.name,
                list(registry::targets_of(from))
            ))),
        },
    }
}

/// The text about one format, about a conversion, or about all formats.
///
/// Errors: [`Kind::BadInput`] if there is no such format or conversion.
pub(super) fn text(format: Option<&str>, target: Option<&str>) -> Result<String> {
    let known = |name| known(name).map_err(Failure::into_error);
    match (format, target) {
        (None, _) => Ok(table()),
        (Some(one), None) => Ok(about(known(one)?)),
        (Some(from), Some(to)) => {
            let (from, to) = (known(from)?, known(to)?);
            registry::find(from, to).map(pair).ok_or_else(|| {
                let targets = list(registry::targets_of(from));
                let text = format!("{} becomes {targets}", from.name);
                Error::new(Kind::BadInput, text)
            })
        }
    }
}

/// The format with this name.
fn known(name: &str) -> Result<&'static Format, Failure> {
    let normal = format::normalise(name);
    registry::by_name(&normal).ok_or_else(|| {
        let hint = nearest::hint(&normal, registry::words(|_| true));
        Failure::Usage(format!("there is no format {name:?}{hint}"))
    })
}

fn list(formats: impl Iterator<Item = &'static Format>) -> String {
    let names: Vec<_> = formats.map(|format| format.name).collect();
    match names.is_empty() {
        true => "nothing".to_owned(),
        false => names.join(", "),
    }
}

/// The first line about a format: its name, its description and its aliases.
fn title(format: &Format) -> String {
    let also = match format.aliases.is_empty() {
        true => String::new(),
        false => format!(" (also {})", format.aliases.join(", ")),
    };
    format!("{}: {}{also}\n", format.name, format.description)
}

/// Sources and targets of a format, with the qualities and options of its conversions.
fn about(format: &'static Format) -> String {
    let mut text = title(format);
    help::hang(
        "\nConverts to:  ",
        &list(registry::targets_of(format)),
        &mut text,
    );
    help::hang(
        "Made from:    ",
        &list(registry::sources_of(format)),
        &mut text,
    );
    let routes: Vec<&Route> = registry::routes()
        .iter()
        .filter(|route| route.pair.from == format)
        .collect();
    if !routes.is_empty() {
        text.push_str("\nQuality of the result (--quality low, medium, high), by its format:\n");
    }
    // Targets with the same words about quality share an entry. Below, targets with the same option share one.
    let mut qualities: Vec<(&str, Vec<&str>)> = Vec::new();
    for route in &routes {
        let (words, to) = (route.pair.quality, route.pair.to.name);
        match qualities.iter_mut().find(|(known, _)| *known == words) {
            Some((_, targets)) => targets.push(to),
            None => qualities.push((words, vec![to])),
        }
    }
    for (words, targets) in qualities.iter().filter(|(words, _)| !words.is_empty()) {
        help::hang("  ", &format!("{}: {words}", targets.join(", ")), &mut text);
    }
    let mut options: Vec<(&OptionSpec, Vec<&str>)> = Vec::new();
    for route in &routes {
        for &spec in route.pair.options {
            // Comparing addresses first avoids building descriptions.
            let alike = |(known, _): &&mut (&OptionSpec, _)| {
                std::ptr::eq(*known, spec)
                    || known.name == spec.name && known.description() == spec.description()
            };
            match options.iter_mut().find(alike) {
                Some((_, targets)) => targets.push(route.pair.to.name),
                None => options.push((spec, vec![route.pair.to.name])),
            }
        }
    }
    if !options.is_empty() {
        text.push_str(
            "\nOptions (--option NAME=VALUE), and in brackets the target formats that they apply to:\n",
        );
    }
    for (spec, targets) in options {
        let all = match targets.len() == routes.len() {
            true => "all".to_owned(),
            false => targets.join(", "),
        };
        option(spec, &format!(" [{all}]"), &mut text);
    }
    text
}

/// Quality and options of a conversion.
fn pair(route: &Route) -> String {
    let pair = &route.pair;
    let mut text = format!("{} to {}\n", pair.from.name, pair.to.name);
    if !pair.quality.is_empty() {
        help::hang("\nQuality:  ", pair.quality, &mut text);
    }
    if !pair.options.is_empty() {
        text.push_str("\nOptions (--option NAME=VALUE):\n");
    }
    for spec in pair.options {
        option(spec, "", &mut text);
    }
    text
}

/// Appends an option: its name, its description, and `after`, a text about the formats that have it.
fn option(spec: &OptionSpec, after: &str, text: &mut String) {
    let words = format!("{}{after}", spec.description());
    help::hang(&format!("  {:<15} ", spec.name), &words, text);
}

/// Prints all formats and the languages for OCR, as a table or as JSON.
fn all(json: bool) -> Outcome {
    let mut config = Config::new();
    super::read_models(&mut config)?;
    let languages = engine::languages(&config.languages);
    if json {
        let json = api::formats_json(&languages);
        return super::say(&format!("{}\n", String::from_utf8_lossy(&json)));
    }
    let mut text = table();
    if !languages.is_empty() {
        text.push_str("\nLANGUAGE  CODE  TEXT OF SCANS IS RECOGNISED IN\n");
    }
    for language in &languages {
        let code = language.code.unwrap_or("-");
        let place = match language.compiled_in {
            true => " (compiled in)",
            false => "",
        };
        let (name, title) = (&language.name, &language.title);
        text.push_str(&format!("{name:<9} {code:<5} {title}{place}\n"));
    }
    text.push_str(
        "\nconvertd formats NAME lists the formats that NAME converts to, with all options.\n",
    );
    super::say(&text)
}

/// The table of all formats, with a line for each.
fn table() -> String {
    let mut text = String::from("FORMAT    READ  WRITE  DESCRIPTION\n");
    for format in registry::formats() {
        let yes = |possible: bool| if possible { "yes" } else { "-" };
        let read = yes(registry::targets_of(format).next().is_some());
        let write = yes(registry::sources_of(format).next().is_some());
        text.push_str(&format!(
            "{:<9} {read:<5} {write:<6} {}",
            format.name, format.description
        ));
        if !format.aliases.is_empty() {
            text.push_str(&format!(" (also {})", format.aliases.join(", ")));
        }
        text.push('\n');
    }
    text
}
