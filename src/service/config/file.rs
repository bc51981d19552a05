//! A file of options in the syntax of TOML or of environment files: one option per line, under the name of its flag or
//! of its variable. Has no sections and no lists.
//!
//! ```text
//! # settings of the service
//! listen = "0.0.0.0:8080"
//! CONVERTD_MAX_UPLOAD=500M
//! ```

use super::{Config, KEYS, OPTIONS};
use std::fs;

/// Maximum size of the file, in bytes.
const MAX: u64 = 1 << 20;

/// Reads a file of options into `config`.
///
/// Errors: a phrase that completes "must be …", with the number of the line and the expected value.
pub(super) fn read(config: &mut Config, path: &str) -> Result<(), String> {
    let unreadable = |err| format!("a file that can be read ({err})");
    let len = fs::metadata(path).map_err(unreadable)?.len();
    if len > MAX {
        return Err(format!("a file of at most {MAX} bytes"));
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    for (nth, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        set(config, line)
            .map_err(|why| format!("a file of options; in line {}, {why}", nth + 1))?;
    }
    Ok(())
}

/// Sets the option that a line names: by its flag, with dashes or underscores, or by its environment variable.
fn set(config: &mut Config, line: &str) -> Result<(), String> {
    let Some((name, value)) = line.split_once('=') else {
        return Err(format!("{line:?} is not NAME = VALUE"));
    };
    let (name, value) = (name.trim(), unquoted(value.trim())?);
    // This variable holds the keys themselves. It is not in the table of options, whose `api-keys` is a file of keys.
    if name == KEYS {
        return match value.is_empty() {
            true => Ok(()),
            false => config.add_keys(value),
        };
    }
    let flag = name.replace('_', "-");
    // A file cannot name another file: reading two files that name each other would never end.
    let known = OPTIONS
        .iter()
        .find(|option| option.env == name || option.flag == flag);
    let Some(option) = known.filter(|option| option.flag != "config") else {
        return Err(format!("unknown option {name:?}"));
    };
    // An empty value counts as unset, as it does for environment variables.
    if value.is_empty() {
        return Ok(());
    }
    (option.set)(config, value)
        .map_err(|expected| option.wrong(name, value, &expected).message().to_owned())
}

/// Returns the value without its quotation marks, and without a comment after it. In a value without quotation marks, a
/// `#` begins a comment only after a space, because a password or an address may contain a `#`.
fn unquoted(value: &str) -> Result<&str, String> {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            let end = rest.find(quote);
            let end =
                end.ok_or_else(|| format!("the closing quotation mark of {value} is missing"))?;
            let after_quote = rest[end + 1..].trim_start();
            return match after_quote.is_empty() || after_quote.starts_with('#') {
                true => Ok(&rest[..end]),
                false => Err(format!("there is more text after {value}")),
            };
        }
    }
    let end = value.find(" #").unwrap_or(value.len());
    Ok(value[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_write_them() {
        let mut config = Config::new();
        for line in [
            "workers = 5",
            "max_upload = \"7M\" # for now",
            "CONVERTD_QUEUE='9'",
            "converters=3 # cores",
            "store =",
            "CONVERTD_API_KEYS =",
            "CONVERTD_API_KEYS = a, b",
        ] {
            set(&mut config, line).unwrap();
        }
        assert_eq!((config.workers, config.max_upload), (5, 7 << 20));
        assert_eq!((config.queue, config.converters), (9, 3));
        assert!(config.keys.contains("a") && config.keys.contains("b"));
        for (line, expected) in [
            ("workers", "NAME = VALUE"),
            ("[serve]", "NAME = VALUE"),
            ("wokers = 5", "wokers"),
            ("config = x", "config"),
            ("workers = many", "number"),
            ("workers = \"5", "quotation mark"),
            ("workers = \"5\" x", "more text"),
            ("CONVERTD_API_KEYS = ,", "contains no key"),
            ("store = http://:secret@host", "store cannot be used"),
        ] {
            let error = set(&mut config, line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
