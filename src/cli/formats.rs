//! `convertd formats`: lists the formats as a table for people, or as the JSON with which the service answers. Knows no
//! formats itself.

use super::Outcome;
use crate::{api, config::Config, engine, registry};
use lexopt::{Arg, Parser};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let mut json = false;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::say(&super::help::text()),
            Arg::Long("json") => json = true,
            _ => return Err(argument.unexpected().into()),
        }
    }
    let mut config = Config::new();
    super::read_models(&mut config)?;
    let languages = engine::languages(&config.languages);
    if json {
        let json = api::formats_json(&languages);
        return super::say(&format!("{}\n", String::from_utf8_lossy(&json)));
    }
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
    super::say(&text)
}
