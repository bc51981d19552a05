//! Parses the fields of a form in Gotenberg's syntax, with Gotenberg's error messages. All problems of a form are
//! reported together, as Gotenberg does. Does not apply any field.

use super::refusal::Refusal;
use crate::api::compat::{
    form::{Part, Sent},
    item::Item,
};
use std::collections::{HashMap, hash_map::Entry};

/// Fields that Gotenberg 9 has renamed, with their new names.
const RENAMED: [(&str, &str); 10] = [
    ("nativePageRanges", "nativePages"),
    ("generateDocumentOutline", "nativeBookmarks"),
    ("generateTaggedPdf", "nativeTaggedPdf"),
    ("exportBookmarks", "nativeBookmarks"),
    ("pdfa", "nativePdfa"),
    ("pdfua", "nativePdfua"),
    ("quality", "nativeQuality"),
    ("losslessImageCompression", "nativeLosslessImageCompression"),
    ("reduceImageResolution", "nativeReduceImageResolution"),
    ("maxImageResolution", "nativeMaxImageResolution"),
];

/// The fields of one form, and the problems that were found in them so far.
pub(super) struct Fields<'a> {
    sent: &'a Sent,
    problems: Vec<String>,
    /// Names of fields that were set and have no effect.
    idle: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(sent: &'a Sent) -> Self {
        Self {
            sent,
            problems: Vec::new(),
            idle: Vec::new(),
        }
    }

    /// Returns the value of a field under its old or new name. An empty value counts as absent.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        let own = |name: &str| self.sent.field(name).filter(|value| !value.is_empty());
        let renamed = RENAMED.iter().filter(|(known, _)| *known == name);
        own(name).or_else(|| renamed.map(|(_, new)| *new).find_map(own))
    }

    /// Returns the value of a required field. Its absence is a problem.
    pub(super) fn required(&mut self, name: &str) -> Option<&'a str> {
        let value = self.text(name);
        if value.is_none() {
            self.problem(format!("form field '{name}' is required"));
        }
        value
    }

    /// Returns the number of fields of this name.
    pub(super) fn count(&self, name: &str) -> usize {
        let fields = self.sent.fields.iter();
        fields.filter(|(known, _)| known == name).count()
    }

    /// Reads a boolean in the syntax of Go's `strconv.ParseBool`. Any other value is a problem.
    pub(super) fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.text(name) {
            None => default,
            Some("1" | "t" | "T" | "TRUE" | "true" | "True") => true,
            Some("0" | "f" | "F" | "FALSE" | "false" | "False") => false,
            Some(value) => {
                let why = format!("strconv.ParseBool: parsing {value:?}: invalid syntax");
                self.invalid(name, value, &why);
                default
            }
        }
    }

    /// Reads a whole number. `check` returns an error message for a number that is not allowed.
    pub(super) fn whole(
        &mut self,
        name: &str,
        check: impl Fn(i64) -> Option<&'static str>,
    ) -> Option<i64> {
        let value = self.text(name)?;
        match value.parse::<i64>() {
            Ok(number) => match check(number) {
                None => Some(number),
                Some(why) => {
                    self.invalid(name, value, why);
                    None
                }
            },
            Err(_) => {
                let why = format!("strconv.Atoi: parsing {value:?}: invalid syntax");
                self.invalid(name, value, &why);
                None
            }
        }
    }

    /// Reads a decimal number.
    pub(super) fn number(&mut self, name: &str, default: f64) -> f64 {
        self.text(name)
            .map_or(default, |value| self.parsed(name, value, value, default))
    }

    /// Reads a length: a number of inches, or a number with a unit. Returns inches.
    pub(super) fn length(&mut self, name: &str, default: f64) -> f64 {
        const UNITS: [(&str, f64); 6] = [
            ("pt", 1.0 / 72.0),
            ("px", 1.0 / 96.0),
            ("in", 1.0),
            ("mm", 1.0 / 25.4),
            ("cm", 1.0 / 2.54),
            ("pc", 1.0 / 6.0),
        ];
        let Some(value) = self.text(name) else {
            return default;
        };
        let unit = UNITS.iter().find(|(unit, _)| value.ends_with(unit));
        let (digits, factor) = unit.map_or((value, 1.0), |(unit, factor)| {
            (&value[..value.len() - unit.len()], *factor)
        });
        self.parsed(name, value, digits, default / factor) * factor
    }

    fn parsed(&mut self, name: &str, value: &str, digits: &str, default: f64) -> f64 {
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => number,
            Ok(_) | Err(_) => {
                let why = format!("strconv.ParseFloat: parsing {digits:?}: invalid syntax");
                self.invalid(name, value, &why);
                default
            }
        }
    }

    /// Records which of these fields the form has. They have no effect, because they only tune how the work is done, or
    /// configure a component that this service does not have.
    pub(super) fn idle(&mut self, names: &[&'static str]) {
        let given = names.iter().filter(|name| self.text(name).is_some());
        let given: Vec<&str> = given.copied().collect();
        self.idle.extend(given);
    }

    /// Reads a boolean that has no effect in this service, and records it if it is true.
    pub(super) fn idle_flag(&mut self, name: &'static str) {
        if self.flag(name, false) {
            self.idle(&[name]);
        }
    }

    /// Reads a boolean of which only the default is supported, because another value would change the result.
    pub(super) fn fixed(&mut self, name: &'static str, default: bool) {
        if self.flag(name, default) != default {
            self.unsupported(name);
        }
    }

    /// Reports fields that would change the result and are not supported.
    pub(super) fn refused(&mut self, names: &[&'static str]) {
        for name in names {
            if self.text(name).is_some() {
                self.unsupported(name);
            }
        }
    }

    /// Records that a field is not supported.
    pub(super) fn unsupported(&mut self, name: &str) {
        self.problem(format!(
            "form field '{name}' is not supported by this server; leave it out"
        ));
    }

    /// Records an error of a field.
    pub(super) fn invalid(&mut self, name: &str, value: &str, why: &str) {
        let shown: String = value.chars().take(200).collect();
        self.problem(format!(
            "form field '{name}' is invalid (got '{shown}', resulting to {why})"
        ));
    }

    pub(super) fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    /// Returns the files with one of these extensions, in the order in which they are merged. An error message shows
    /// the extensions as `[.pdf .x]`.
    pub(super) fn files(&mut self, extensions: &[&str]) -> Vec<&'a Part> {
        let mut files: Vec<&Part> = Vec::new();
        let mut last = HashMap::new();
        for part in &self.sent.files {
            if !is_special(&part.field) && has_extension(&part.item.name, extensions) {
                // If two files have the same name, the last one is kept, in the place of the first.
                match last.entry(part.item.name.as_str()) {
                    Entry::Occupied(known) => files[*known.get()] = part,
                    Entry::Vacant(place) => {
                        place.insert(files.len());
                        files.push(part);
                    }
                }
            }
        }
        self.in_order(files, extensions)
    }

    /// Like [`files`](Self::files), but if the form has no such file, returns the files that `converts` accepts,
    /// although Gotenberg would refuse them.
    pub(super) fn files_or(
        &mut self,
        extensions: &[&str],
        converts: fn(&str) -> bool,
    ) -> Vec<&'a Part> {
        let mut content = self.resources();
        if content.any(|part| has_extension(&part.item.name, extensions)) {
            return self.files(extensions);
        }
        let others = self.resources();
        let others: Vec<_> = others.filter(|part| converts(&part.item.name)).collect();
        self.in_order(others, extensions)
    }

    /// Returns the files to merge: those with one of these extensions, and those that `converts` accepts. A file that
    /// cannot be merged is a problem, and two files with the same name are both merged.
    pub(super) fn all_files(
        &mut self,
        extensions: &[&str],
        converts: fn(&str) -> bool,
    ) -> Vec<&'a Part> {
        let is_one =
            |part: &&Part| has_extension(&part.item.name, extensions) || converts(&part.item.name);
        let (files, others) = self.resources().partition::<Vec<_>, _>(is_one);
        if !files.is_empty() {
            for part in others {
                let name = &part.item.name;
                self.problem(format!("form file '{name}' cannot be merged: files with its extension cannot be converted to PDF"));
            }
        }
        self.in_order(files, extensions)
    }

    /// Sorts files as Gotenberg does. An empty list is a problem.
    fn in_order(&mut self, mut files: Vec<&'a Part>, extensions: &[&str]) -> Vec<&'a Part> {
        files.sort_by(|one, other| super::sequence::compare(&one.item.name, &other.item.name));
        if files.is_empty() {
            let list = extensions.join(" ");
            self.problem(format!("no form file found for extensions: [{list}]"));
        }
        files
    }

    /// Returns the file of this name in an ordinary field. If several files have this name, the last one counts.
    pub(super) fn file(&mut self, name: &str) -> Option<&'a Part> {
        let mut named = self.sent.files.iter().rev();
        named.find(|part| part.item.name == name && !is_special(&part.field))
    }

    /// Returns the file of this name. Its absence is a problem.
    pub(super) fn required_file(&mut self, name: &str) -> Option<&'a Part> {
        let file = self.file(name);
        if file.is_none() {
            self.problem(format!("form file '{name}' is required"));
        }
        file
    }

    /// Returns the files that were sent in this field.
    pub(super) fn files_in(&self, field: &str) -> impl Iterator<Item = &'a Item> + use<'a> {
        let parts = self.sent.files.iter();
        let field = field.to_owned();
        let parts = parts.filter(move |part| part.field == field);
        parts.map(|part| &part.item)
    }

    /// Returns whether a file was sent in this field.
    pub(super) fn has_file_in(&self, field: &str) -> bool {
        self.sent.files.iter().any(|part| part.field == field)
    }

    /// Returns all files of the form that are content, and not overlays or attachments.
    pub(super) fn resources(&self) -> impl Iterator<Item = &'a Part> + use<'a> {
        let files = self.sent.files.iter();
        files.filter(|part| !is_special(&part.field))
    }

    /// Ends the parsing, and returns the names of fields without an effect.
    ///
    /// Errors: all problems, if there are any.
    pub(super) fn end(self) -> Result<Vec<&'static str>, Refusal> {
        match self.problems.is_empty() {
            true => Ok(self.idle),
            false => Err(Refusal::form(&self.problems.join("\n"))),
        }
    }
}

/// Returns Go's error for a text that begins like a literal of JSON (`true`, `false`, `null`) and continues
/// differently. `None` for other texts.
pub(super) fn go_json(text: &str) -> Option<String> {
    let words = ["true", "false", "null"];
    let word = words
        .iter()
        .find(|word| &word[..1] == text.get(..1).unwrap_or_default())?;
    let (at, expected) = word
        .chars()
        .enumerate()
        .skip(1)
        .find(|(at, c)| text.chars().nth(*at) != Some(*c))?;
    let found = text.chars().nth(at)?;
    Some(format!(
        "invalid character '{found}' in literal {word} (expecting '{expected}')"
    ))
}

/// Returns whether files in this field are overlays or attachments, and not content.
fn is_special(field: &str) -> bool {
    matches!(field, "embeds" | "watermark" | "stamp" | "facturx")
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        let extension = extension.to_ascii_lowercase();
        extensions.iter().any(|known| known[1..] == extension)
    })
}
