//! The list of all converters, and look-ups in it: formats by name or content, routes from one format to another. Contains no
//! facts about formats itself; each converter brings its own.

#[cfg(feature = "audio")]
use crate::audio;
#[cfg(feature = "pdf")]
use crate::pdf;
#[cfg(feature = "spreadsheet")]
use crate::spreadsheet;
#[cfg(feature = "document")]
use crate::{album, archive, document};
use crate::{
    error::{Error, Kind, Result},
    format::{self, Format},
    image,
    job::{Converter, Gate, Input, Job, OptionSpec, Options, Pair, Quality, Task, read_head},
};
use std::sync::LazyLock;

/// Every converter of this build.
pub static CONVERTERS: &[&Converter] = &[
    &image::CONVERTER,
    #[cfg(feature = "audio")]
    &audio::CONVERTER,
    // Before documents, one of which is any text at all.
    #[cfg(feature = "pdf")]
    &pdf::CONVERTER,
    #[cfg(feature = "document")]
    &document::CONVERTER,
    #[cfg(feature = "spreadsheet")]
    &spreadsheet::CONVERTER,
    #[cfg(feature = "document")]
    &album::CONVERTER,
    // The last one: many formats are ZIP archives.
    #[cfg(feature = "document")]
    &ARCHIVES,
];

/// What converts each file of an archive by all the others.
#[cfg(feature = "document")]
static ARCHIVES: Converter = Converter {
    name: "archive",
    formats: || vec![&archive::ZIP],
    pairs: of_archives,
    recognise: archive::recognise,
    convert: |job, input, output| archive::convert(job, input, output, &Others),
};

/// All pairs of the other converters.
#[cfg(feature = "document")]
fn plain_pairs() -> impl Iterator<Item = Pair> {
    let others = CONVERTERS
        .iter()
        .filter(|other| other.name != ARCHIVES.name);
    others.flat_map(|other| (other.pairs)())
}

/// An archive can become whatever any file can. Its options are those of all files that can become the same.
#[cfg(feature = "document")]
fn of_archives() -> Vec<Pair> {
    static TARGETS: LazyLock<Vec<(Pair, Vec<&'static OptionSpec>)>> = LazyLock::new(|| {
        let mut targets: Vec<(Pair, Vec<&OptionSpec>)> = Vec::new();
        for pair in plain_pairs() {
            let known = targets.iter_mut().find(|(known, _)| known.to == pair.to);
            match known {
                None => targets.push((pair, pair.options.to_vec())),
                Some((_, options)) => {
                    for &spec in pair.options {
                        if options.iter().all(|known| known.name != spec.name) {
                            options.push(spec);
                        }
                    }
                }
            }
        }
        targets
    });
    let of_archive = |(pair, options): &'static (Pair, Vec<_>)| Pair {
        from: &archive::ZIP,
        options,
        ..*pair
    };
    TARGETS.iter().map(of_archive).collect()
}

/// What an archive asks of the registry.
#[cfg(feature = "document")]
struct Others;

#[cfg(feature = "document")]
impl archive::Others for Others {
    fn identify(&self, input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format> {
        identify(input, extension)
    }

    fn find(&self, from: &Format, to: &Format) -> Option<(Pair, &'static Converter)> {
        find(from, to).map(|route| (route.pair, route.converter))
    }
}

/// A conversion from one format to another, and the converter that does it.
#[derive(Clone, Copy)]
pub struct Route {
    /// The two formats and the options.
    pub pair: Pair,
    /// The converter that does it.
    pub converter: &'static Converter,
}

impl Route {
    /// The job for a task that uses this route. `input_len` is in bytes.
    pub fn job<'a>(
        &self,
        task: &'a Task,
        input_len: u64,
        spare_threads: usize,
        gate: &'a dyn Gate,
    ) -> Job<'a> {
        Job {
            task,
            from: self.pair.from,
            to: self.pair.to,
            input_len,
            spare_threads,
            gate,
        }
    }
}

/// The formats and pairs of all converters, collected once.
struct Catalogue {
    /// In the order in which `/formats` lists them.
    formats: Vec<&'static Format>,
    /// Sorted by source and then by target, both in the order of `formats`.
    routes: Vec<Route>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let formats: Vec<_> = CONVERTERS
        .iter()
        .flat_map(|converter| (converter.formats)())
        .collect();
    let mut routes: Vec<_> = CONVERTERS
        .iter()
        .flat_map(|&converter| {
            let pairs = (converter.pairs)();
            pairs.into_iter().map(move |pair| Route { pair, converter })
        })
        .collect();
    let place = |format: &Format| formats.iter().position(|other| *other == format);
    routes.sort_by_cached_key(|route| (place(route.pair.from), place(route.pair.to)));
    Catalogue { formats, routes }
});

/// All conversions that this build can do, sorted by source and then by target.
pub fn routes() -> &'static [Route] {
    &CATALOGUE.routes
}

/// All formats that this build reads or writes.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    CATALOGUE.formats.iter().copied().filter(|format| {
        routes()
            .iter()
            .any(|route| route.pair.from == *format || route.pair.to == *format)
    })
}

/// The format with this name or alias. `name` must be in lower case.
pub fn by_name(name: &str) -> Option<&'static Format> {
    formats().find(|format| format.is_called(name))
}

/// The formats that files of format `from` can be converted to.
pub fn targets_of(from: &Format) -> impl Iterator<Item = &'static Format> {
    routes()
        .iter()
        .filter(move |route| route.pair.from == from)
        .map(|route| route.pair.to)
}

/// The formats whose files can be converted to `to`.
pub fn sources_of(to: &Format) -> impl Iterator<Item = &'static Format> {
    routes_to(to).map(|route| route.pair.from)
}

/// All routes to a format.
pub fn routes_to(to: &Format) -> impl Iterator<Item = &'static Route> {
    routes().iter().filter(move |route| route.pair.to == to)
}

/// The route from one format to another.
pub fn find(from: &Format, to: &Format) -> Option<&'static Route> {
    routes_to(to).find(|route| route.pair.from == from)
}

/// Whether any conversion has an optional field of this name.
pub fn has_option(name: &str) -> bool {
    options().iter().any(|(known, _)| *known == name)
}

/// The route of a task. A stored task may come from a build with other formats.
///
/// Errors: [`Kind::BadInput`] naming the format that is not supported.
pub fn route(task: &Task) -> Result<&'static Route> {
    let known = |name: &str| {
        by_name(name).ok_or_else(|| {
            let text = format!("{name} files are not supported");
            Error::new(Kind::BadInput, text)
        })
    };
    let (from, to) = (known(&task.from)?, known(&task.to)?);
    find(from, to).ok_or_else(|| unreachable(from, to.name, Terms::Form))
}

/// The names that error messages use for the parts of a request: those that the user knows them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Fields of a form.
    Form,
    /// Flags of a command.
    CommandLine,
}

impl Terms {
    /// The name of the target format.
    pub fn target(self) -> &'static str {
        match self {
            Self::Form => "target_format",
            Self::CommandLine => "--to",
        }
    }

    /// The name of the quality.
    pub fn quality(self) -> &'static str {
        match self {
            Self::Form => "quality",
            Self::CommandLine => "--quality",
        }
    }

    /// The name of an optional field.
    pub fn option(self, name: &str) -> String {
        match self {
            Self::Form => name.to_owned(),
            Self::CommandLine => format!("--option {name}"),
        }
    }
}

/// What a user wants made of a file, as they wrote it: nothing in it has been checked.
pub struct Wish<'a> {
    /// The name or an alias of the target format, in any case.
    pub target: &'a str,
    /// The quality; `None` for the default.
    pub quality: Option<&'a str>,
    /// The extension of the file's name, in lower case.
    pub extension: Option<&'a str>,
    /// Looks up the value of an optional field by its name. An empty value counts as none.
    pub field: &'a dyn Fn(&str) -> Result<Option<String>>,
    /// The names that errors use for these parts.
    pub terms: Terms,
}

impl Wish<'_> {
    /// Identifies the file's format, and checks the target format, the quality and the options.
    ///
    /// Errors: [`Kind::BadInput`] naming the part that cannot be used, its value and what is allowed.
    pub fn plan(&self, input: &mut dyn Input) -> Result<(Task, &'static Route)> {
        let to = target(self.target, self.terms)?;
        let quality = self.quality.map_or(Ok(Quality::default()), |text| {
            Quality::parse(self.terms.quality(), text.trim())
        })?;
        let from = identify(input, self.extension)?;
        let route = find(from, to).ok_or_else(|| unreachable(from, self.target, self.terms))?;
        let options = self.options(route)?;
        let task = Task {
            from: from.name_like(self.extension).to_owned(),
            to: format::normalise(self.target),
            quality,
            options,
        };
        Ok((task, route))
    }

    /// The optional fields that this conversion takes. The others are looked at as well, since a value that no conversion
    /// accepts is a mistake wherever it stands.
    fn options(&self, route: &Route) -> Result<Options> {
        let mut options = Options::default();
        for &(name, ref specs) in self::options() {
            let Some(value) = (self.field)(name)?.filter(|value| !value.trim().is_empty()) else {
                continue;
            };
            let field = self.terms.option(name);
            match route.pair.options.iter().find(|spec| spec.name == name) {
                Some(spec) => options.insert(name, spec.accept(&field, &value)?),
                None => accepted_by_any(specs, &field, &value)?,
            }
        }
        Ok(options)
    }
}

/// Whether one of several ways in which a field is specified accepts the value.
///
/// Errors: what the first of them says of it.
fn accepted_by_any(specs: &[&OptionSpec], field: &str, value: &str) -> Result<()> {
    let mut answers = specs.iter().map(|spec| spec.accept(field, value).map(drop));
    let first = answers.next().unwrap_or(Ok(()));
    match answers.any(|answer| answer.is_ok()) {
        true => Ok(()),
        false => first,
    }
}

/// Every optional field by its name, with each way in which it is specified.
pub fn options() -> &'static [(&'static str, Vec<&'static OptionSpec>)] {
    static ALL: LazyLock<Vec<(&str, Vec<&OptionSpec>)>> = LazyLock::new(|| {
        let mut all: Vec<(&str, Vec<&OptionSpec>)> = Vec::new();
        for spec in routes().iter().flat_map(|route| route.pair.options) {
            let at = match all.iter().position(|(name, _)| *name == spec.name) {
                Some(at) => at,
                None => {
                    all.push((spec.name, Vec::new()));
                    all.len() - 1
                }
            };
            let known = &mut all[at].1;
            // Nearly all are the same piece of data; descriptions are texts to be made.
            let alike = |other: &&OptionSpec| {
                std::ptr::eq(*other, *spec) || other.description() == spec.description()
            };
            if !known.iter().any(alike) {
                known.push(spec);
            }
        }
        all
    });
    &ALL
}

/// The format with this name, if anything can be converted to it.
///
/// Errors: [`Kind::BadInput`] with the list of possible targets.
pub fn target(name: &str, terms: Terms) -> Result<&'static Format> {
    let is_target = |format: &&Format| routes_to(format).next().is_some();
    by_name(&format::normalise(name))
        .filter(is_target)
        .ok_or_else(|| {
            let possible = list(formats().filter(is_target));
            let text = format!(
                "{} is {name:?}; it must be one of {possible}",
                terms.target()
            );
            Error::new(Kind::BadInput, text)
        })
}

fn unreachable(from: &Format, wanted: &str, terms: Terms) -> Error {
    let possible = list(targets_of(from));
    let text = format!(
        "{} is {wanted:?}; a {} file can be converted to {possible}",
        terms.target(),
        from.name
    );
    Error::new(Kind::BadInput, text)
}

/// The format of a file, by its content. Its extension is used only where the content is ambiguous.
///
/// Errors: [`Kind::BadInput`] if no converter reads such content.
pub fn identify(input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format> {
    let head = read_head(input, format::HEAD_LEN)
        .map_err(|err| Error::storage("the file could not be read", err))?;
    if let Some(format) = formats().find(|format| format.matches(&head)) {
        return Ok(format);
    }
    CONVERTERS
        .iter()
        .find_map(|converter| (converter.recognise)(&head, input, extension))
        .ok_or_else(|| {
            let possible = list(formats().filter(|format| targets_of(format).next().is_some()));
            let text = format!(
                "the content of the file matches no supported format; supported are {possible}"
            );
            Error::new(Kind::BadInput, text)
        })
}

fn list(formats: impl Iterator<Item = &'static Format>) -> String {
    formats
        .map(|format| format.name)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::HashSet, io::Cursor};

    #[test]
    fn no_beginning_of_a_file_upsets_whoever_looks_at_it() {
        const LENGTHS: [usize; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24];
        let values = [0, 1, 2, 0xff];
        for number in 0..256 {
            let start = [0, 2, 4, 6].map(|shift| values[number >> shift & 3]);
            for (len, rest) in LENGTHS
                .into_iter()
                .flat_map(|len| [0, 1].map(|rest| (len, rest)))
            {
                let mut head = [start.as_slice(), &[rest; 20]].concat();
                head.truncate(len);
                // Whatever it is taken for.
                let _ = identify(&mut Cursor::new(&head), (len % 3 == 0).then_some("tga"));
            }
        }
    }

    #[test]
    fn names_and_aliases_are_unique_and_normalised() {
        let mut seen = HashSet::new();
        for name in CATALOGUE
            .formats
            .iter()
            .flat_map(|format| format.aliases.iter().chain([&format.name]))
        {
            assert!(seen.insert(*name), "{name} stands twice");
            assert_eq!(format::normalise(name), *name);
        }
    }

    #[test]
    fn no_pair_stands_twice() {
        let mut seen = HashSet::new();
        for Route { pair, .. } in routes() {
            let names = (pair.from.name, pair.to.name);
            assert!(seen.insert(names), "{names:?} stands twice");
        }
    }

    #[test]
    fn content_decides_by_its_first_bytes() {
        #[track_caller]
        fn check(head: &[u8], name: Option<&str>) {
            let found = identify(&mut Cursor::new(head), None);
            assert_eq!(found.ok().map(|format| format.name), name);
        }
        check(b"\xff\xd8\xff\xe0\0\x10JFIF", Some("jpg"));
        check(b"RIFF\x10\0\0\0WEBPVP8 ", Some("webp"));
        check(b"RIFF\x10\0\0\0", None);
        check(b"P6\n1 1\n255\n...", Some("ppm"));
        check(b"", None);
    }

    #[test]
    fn errors_speak_of_what_was_written() {
        #[track_caller]
        fn check(terms: Terms, target: &str, quality: &str, width: &str, words: &str) {
            let field = |name: &str| Ok((name == "width").then(|| width.to_owned()));
            let wish = Wish {
                target,
                quality: Some(quality),
                extension: None,
                field: &field,
                terms,
            };
            let planned = wish.plan(&mut Cursor::new(b"P6\n1 1\n255\n..."));
            let message = planned.map(drop).unwrap_err().message().to_owned();
            assert!(message.starts_with(words), "{message}");
        }
        check(
            Terms::Form,
            "x",
            "low",
            "",
            "target_format is \"x\"; it must be one of jpg,",
        );
        check(Terms::CommandLine, "x", "low", "", "--to is \"x\"");
        check(Terms::Form, "png", "best", "", "quality is \"best\"");
        check(
            Terms::CommandLine,
            "png",
            "best",
            "",
            "--quality is \"best\"",
        );
        check(
            Terms::Form,
            "png",
            "low",
            "0",
            "width is \"0\"; it must be a whole number",
        );
        check(
            Terms::CommandLine,
            "png",
            "low",
            "0",
            "--option width is \"0\"",
        );
    }

    #[test]
    fn a_wish_becomes_a_task() {
        let field = |name: &str| Ok((name == "width").then(|| " 7 ".to_owned()));
        let wish = Wish {
            target: " .JPEG ",
            quality: None,
            extension: Some("pnm"),
            field: &field,
            terms: Terms::Form,
        };
        let (task, route) = wish.plan(&mut Cursor::new(b"P6\n1 1\n255\n...")).unwrap();
        assert_eq!((task.from.as_str(), task.to.as_str()), ("pnm", "jpeg"));
        assert_eq!(task.options.integer("width"), Some(7));
        assert_eq!(route.pair.to.name, "jpg");
    }
}
