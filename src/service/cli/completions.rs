//! `convertd completions SHELL`: prints a script that completes commands, flags, formats and values. The scripts are
//! generated from the data of the help text, and are self-contained: a shell does not run this program to complete a
//! word.

use super::{
    Failure, Outcome,
    flags::{COMMANDS, Command, Flag, SHELLS, Values},
};
use crate::{config::OPTIONS, job::OptionKind, registry};
use lexopt::{Arg, Parser, ValueExt};

/// Prints the completions for a shell.
pub(super) fn run(parser: &mut Parser) -> Outcome {
    let mut shell = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => {
                return super::help::about("completions", &argument);
            }
            Arg::Value(value) if shell.is_none() => shell = Some(value.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    match shell.as_deref() {
        Some("bash") => super::say(&bash()),
        Some("zsh") => super::say(&zsh()),
        Some("fish") => super::say(&fish()),
        Some(other) => Err(Failure::Usage(format!(
            "the shell is {other:?}; it must be one of {}",
            SHELLS.join(", ")
        ))),
        None => Err(Failure::Usage(format!(
            "completions needs the name of a shell: one of {}",
            SHELLS.join(", ")
        ))),
    }
}

/// The flags of a command. Those of `serve` are the options of the service.
fn flags(command: &Command) -> Vec<Flag> {
    if command.name != "serve" {
        return command.flags.to_vec();
    }
    let options = OPTIONS.iter().map(|option| Flag {
        name: option.flag,
        short: None,
        value: option.value,
        help: option.help,
        values: Values::Any,
    });
    options.collect()
}

/// The names and aliases of all targets, separated by spaces.
fn formats() -> String {
    let targets = registry::words(|format| registry::routes_to(format).next().is_some());
    targets.collect::<Vec<_>>().join(" ")
}

/// The optional fields of conversions, each with those of its values that are words of letters and digits.
fn options() -> Vec<(&'static str, Vec<&'static str>)> {
    let words = |kind: &OptionKind| match kind {
        OptionKind::OneOf(words) => words.to_vec(),
        OptionKind::RangeOr(word) => vec![*word],
        OptionKind::Flag => vec!["true", "false"],
        OptionKind::Colour => vec!["white", "black"],
        OptionKind::Integer(_) | OptionKind::Text(_) | OptionKind::Area | OptionKind::Time => {
            Vec::new()
        }
    };
    let all = registry::options().iter().map(|(name, specs)| {
        let mut values = Vec::new();
        for word in specs.iter().flat_map(|spec| words(&spec.kind)) {
            // A word with other characters would need quoting in each of the three shells.
            let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if is_plain && !values.contains(&word) {
                values.push(word);
            }
        }
        (*name, values)
    });
    all.collect()
}

fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|command| command.name).collect()
}

/// The candidates for a value, separated by spaces. `None` if the flag has no value, or there is no list of candidates.
fn words(values: Values, formats: &str) -> Option<String> {
    match values {
        Values::None | Values::Any | Values::Directories => None,
        Values::Formats => Some(formats.to_owned()),
        Values::Words(words) => Some(words.join(" ")),
    }
}

/// The completions for bash, generated from the commands.
fn bash() -> String {
    let all = formats();
    let (functions, case) = bash_options();
    let mut text = format!(
        "# Completion of convertd for bash: source it, or put it into a directory that bash-completion reads.\n\
         {functions}_convertd() {{\n  \
           local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" command=\"${{COMP_WORDS[1]}}\"\n  \
           COMPREPLY=()\n  \
           if [ \"$COMP_CWORD\" = 1 ]; then\n    \
             COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n    \
             return\n  \
           fi\n\
         {case}  case \"$command $before\" in\n",
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
                // Offers nothing. Without this branch, the rule below would offer files for the value.
                (None, Values::Any) if command.name == "convert" => "return".to_owned(),
                (None, _) => continue,
            };
            text.push_str(&format!(
                "    \"{} --{}\"{}) {complete} ;;\n",
                command.name,
                flag.name,
                flag.short.map_or_else(String::new, |short| format!(
                    "|\"{} -{short}\"",
                    command.name
                ))
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

/// The completion of `--option NAME=VALUE`: a function, and the code that calls it. bash may have split the word at
/// `=`, depending on `COMP_WORDBREAKS`, so the code looks for `--option` one, two or three words back.
fn bash_options() -> (String, &'static str) {
    let all = options();
    let names: Vec<String> = all.iter().map(|(name, _)| format!("{name}=")).collect();
    let mut function = format!(
        "_convertd_option() {{\n  case \"$1\" in\n    '') COMPREPLY=($(compgen -W \"{}\" -- \"$2\")); compopt -o nospace 2>/dev/null ;;\n",
        names.join(" ")
    );
    for (name, values) in all.iter().filter(|(_, values)| !values.is_empty()) {
        let values = values.join(" ");
        function.push_str(&format!(
            "    {name}) COMPREPLY=($(compgen -W \"{values}\" -P \"$3\" -- \"$2\")) ;;\n"
        ));
    }
    function.push_str("  esac\n}\n");
    let case = "  local option=\"${COMP_WORDS[COMP_CWORD-2]}\" further=\"\"
  [ \"$COMP_CWORD\" -gt 3 ] && further=\"${COMP_WORDS[COMP_CWORD-3]}\"
  if [ \"$before\" = --option ]; then
    case \"$word\" in
      *=*) _convertd_option \"${word%%=*}\" \"${word#*=}\" \"${word%%=*}=\" ;;
      *) _convertd_option '' \"$word\" ;;
    esac
    return
  fi
  [ \"$option\" = --option ] && [ \"$word\" = = ] && { _convertd_option \"$before\" ''; return; }
  [ \"$further\" = --option ] && [ \"$before\" = = ] && { _convertd_option \"$option\" \"$word\"; return; }
";
    (function, case)
}

/// Quotes a text for a shell, in single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The completions for zsh.
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
            // Colons and brackets are special characters in zsh's descriptions.
            let help = flag.help.replace([':', '[', ']'], " ");
            let action = match (words(flag.values, &all), flag.values) {
                (Some(words), _) => format!(":value:({words})"),
                (None, Values::Directories) => ":directory:_files -/".to_owned(),
                (None, Values::Any) if flag.name == "option" => {
                    ":option:_convertd_option".to_owned()
                }
                (None, Values::Any) => ":value:".to_owned(),
                (None, _) => String::new(),
            };
            let repeats = if flag.name == "option" { "*" } else { "" };
            if let Some(short) = flag.short {
                let spec = format!("-{short}[{help}]{action}");
                text.push_str(&format!(" \\\n        {}", quoted(&spec)));
            }
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
    text.push_str("  esac\n}\n");
    text.push_str(&zsh_options());
    text.push_str("_convertd \"$@\"\n");
    text
}

/// The function for `--option NAME=VALUE`: completes the name, and after `=` the value.
fn zsh_options() -> String {
    let all = options();
    let mut text = String::from(
        "_convertd_option() {\n  if compset -P '*='; then\n    case ${IPREFIX%=} in\n",
    );
    for (name, values) in all.iter().filter(|(_, values)| !values.is_empty()) {
        text.push_str(&format!("      {name}) compadd {} ;;\n", values.join(" ")));
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    text.push_str(&format!(
        "    esac\n  else\n    compadd -S = -- {}\n  fi\n}}\n",
        names.join(" ")
    ));
    text
}

/// The completions for fish.
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
                (None, Values::Any) if flag.name == "option" => {
                    format!(" -x -a '{}'", fish_options())
                }
                (None, Values::Any) => " -x".to_owned(),
                (None, _) => String::new(),
            };
            let short = flag
                .short
                .map_or_else(String::new, |short| format!(" -s {short}"));
            text.push_str(&format!(
                "complete -c convertd {when}{short} -l {}{values} -d {}\n",
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

/// The candidates for `--option`: each name with each of its values, or only `NAME=` if there is no list of values.
fn fish_options() -> String {
    let mut all = Vec::new();
    for (name, values) in options() {
        match values.is_empty() {
            true => all.push(format!("{name}=")),
            false => all.extend(values.iter().map(|value| format!("{name}={value}"))),
        }
    }
    all.join(" ")
}

/// Quotes a text for fish, in single quotes, with backslashes.
fn quoted_for_fish(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
