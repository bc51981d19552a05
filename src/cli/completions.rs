//! `convertd completions SHELL`: a script by which a shell completes commands, flags, formats and words. The scripts are made from
//! the same data as the help text, and hold all they need, so that a shell never runs this program.

use super::{
    Failure, Outcome,
    flags::{COMMANDS, Command, SHELLS, Values},
};
use crate::{config::OPTIONS, registry};
use lexopt::{Arg, Parser, ValueExt};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let mut shell = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::say(&super::help::text()),
            Arg::Value(value) if shell.is_none() => shell = Some(value.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    match shell.as_deref() {
        Some("bash") => super::say(&bash()),
        Some("zsh") => super::say(&zsh()),
        Some("fish") => super::say(&fish()),
        other => Err(Failure::Usage(format!(
            "the shell is {:?}; it must be one of {}",
            other.unwrap_or_default(),
            SHELLS.join(", ")
        ))),
    }
}

/// A flag with what completes its value.
struct Known {
    name: &'static str,
    help: &'static str,
    values: Values,
}

/// The flags of a command; those of `serve` are the options of the service.
fn flags(command: &Command) -> Vec<Known> {
    if command.name == "serve" {
        let known = OPTIONS.iter().map(|option| Known {
            name: option.flag,
            help: option.help,
            values: Values::Any,
        });
        return known.collect();
    }
    let known = command.flags.iter().map(|flag| Known {
        name: flag.name,
        help: flag.help,
        values: flag.values,
    });
    known.collect()
}

/// The names and aliases of all targets.
fn formats() -> String {
    let targets = registry::formats().filter(|format| registry::routes_to(format).next().is_some());
    let names: Vec<&str> = targets
        .flat_map(|format| {
            [format.name]
                .into_iter()
                .chain(format.aliases.iter().copied())
        })
        .collect();
    names.join(" ")
}

fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|command| command.name).collect()
}

/// The words of a shell that stand for what can be completed; `None` for anything.
fn words(values: Values, formats: &str) -> Option<String> {
    match values {
        Values::None | Values::Any | Values::Directories => None,
        Values::Formats => Some(formats.to_owned()),
        Values::Words(words) => Some(words.join(" ")),
    }
}

fn bash() -> String {
    let all = formats();
    let mut text = format!(
        "# Completion of convertd for bash: source it, or put it into a directory that bash-completion reads.\n\
         _convertd() {{\n  \
           local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" command=\"${{COMP_WORDS[1]}}\"\n  \
           COMPREPLY=()\n  \
           if [ \"$COMP_CWORD\" = 1 ]; then\n    \
             COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n    \
             return\n  \
           fi\n  \
           case \"$command $before\" in\n",
        names().join(" ")
    );
    for command in COMMANDS {
        for flag in flags(command) {
            let complete = match (words(flag.values, &all), flag.values) {
                (Some(words), _) => {
                    format!("COMPREPLY=($(compgen -W \"{words}\" -- \"$word\")); return")
                }
                (None, Values::Directories) => {
                    "COMPREPLY=($(compgen -d -- \"$word\")); return".to_owned()
                }
                (None, Values::Any) if command.name == "convert" => "return".to_owned(),
                (None, _) => continue,
            };
            text.push_str(&format!(
                "    \"{} --{}\") {complete} ;;\n",
                command.name, flag.name
            ));
        }
    }
    text.push_str("  esac\n  case \"$command\" in\n");
    for command in COMMANDS {
        let mut candidates: Vec<String> = flags(command)
            .iter()
            .map(|flag| format!("--{}", flag.name))
            .collect();
        candidates.extend(command.words.iter().map(|&word| word.to_owned()));
        let files = if command.takes_files {
            "; [ \"${word#-}\" = \"$word\" ] && COMPREPLY=($(compgen -f -- \"$word\"))"
        } else {
            ""
        };
        text.push_str(&format!(
            "    {}) COMPREPLY=($(compgen -W \"{} --help\" -- \"$word\")){files} ;;\n",
            command.name,
            candidates.join(" ")
        ));
    }
    text.push_str("  esac\n}\ncomplete -o filenames -F _convertd convertd\n");
    text
}

/// Text within single quotes of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn zsh() -> String {
    let all = formats();
    let mut text = String::from(
        "#compdef convertd\n# Completion of convertd for zsh: put it into a directory of $fpath, as _convertd.\n_convertd() {\n  local -a commands\n  commands=(\n",
    );
    for command in COMMANDS {
        let entry = format!("{}:{}", command.name, command.help.replace(':', "\\:"));
        text.push_str(&format!("    {}\n", quoted(&entry)));
    }
    text.push_str(
        "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n",
    );
    for command in COMMANDS {
        text.push_str(&format!("    {})\n      _arguments", command.name));
        for flag in flags(command) {
            // Colons and brackets have a meaning there.
            let help = flag.help.replace([':', '[', ']'], " ");
            let action = match (words(flag.values, &all), flag.values) {
                (Some(words), _) => format!(":value:({words})"),
                (None, Values::Directories) => ":directory:_files -/".to_owned(),
                (None, Values::Any) => ":value:".to_owned(),
                (None, _) => String::new(),
            };
            let repeats = if flag.name == "option" { "*" } else { "" };
            let spec = format!("{repeats}--{}[{help}]{action}", flag.name);
            text.push_str(&format!(" \\\n        {}", quoted(&spec)));
        }
        if !command.words.is_empty() {
            let spec = format!("2:word:({})", command.words.join(" "));
            text.push_str(&format!(" \\\n        {}", quoted(&spec)));
        }
        if command.takes_files {
            text.push_str(" \\\n        '*:file:_files'");
        }
        text.push_str(" \\\n        '--help[show the help text]'\n      ;;\n");
    }
    text.push_str("  esac\n}\n_convertd \"$@\"\n");
    text
}

fn fish() -> String {
    let all = formats();
    let mut text = String::from(
        "# Completion of convertd for fish: put it into ~/.config/fish/completions/convertd.fish.\ncomplete -c convertd -f\n",
    );
    for command in COMMANDS {
        text.push_str(&format!(
            "complete -c convertd -n __fish_use_subcommand -a {} -d {}\n",
            command.name,
            quoted_for_fish(command.help)
        ));
        let when = format!("-n '__fish_seen_subcommand_from {}'", command.name);
        for flag in flags(command) {
            let values = match (words(flag.values, &all), flag.values) {
                (Some(words), _) => format!(" -x -a '{words}'"),
                (None, Values::Directories) => " -x -a '(__fish_complete_directories)'".to_owned(),
                (None, Values::Any) => " -x".to_owned(),
                (None, _) => String::new(),
            };
            text.push_str(&format!(
                "complete -c convertd {when} -l {}{values} -d {}\n",
                flag.name,
                quoted_for_fish(flag.help)
            ));
        }
        if !command.words.is_empty() {
            text.push_str(&format!(
                "complete -c convertd {when} -a '{}'\n",
                command.words.join(" ")
            ));
        }
        if command.takes_files {
            text.push_str(&format!("complete -c convertd {when} -F\n"));
        }
    }
    text
}

/// Text within single quotes of fish, where a backslash takes their meaning away.
fn quoted_for_fish(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
