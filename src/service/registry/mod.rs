//! The list of all converters. It is searched for formats by name or content, and for routes from one format to
//! another. Contains no facts about formats itself; each converter brings its own.

mod about;
#[cfg(feature = "document")]
mod archives;
#[cfg(feature = "pdf")]
mod by_pdf;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
mod fields;
#[cfg(feature = "mail")]
mod mails;
mod target_request;
mod unread;

pub use about::{Question, ask, has_metadata};
#[cfg(feature = "document")]
pub(crate) use target_request::site_route;
pub use target_request::{INDEX, TargetRequest, Terms, accepted_by_any, target};

#[cfg(feature = "audio")]
use crate::audio;
#[cfg(feature = "pdf")]
use crate::pdf;
#[cfg(feature = "ocr")]
use crate::pictures;
#[cfg(feature = "presentation")]
use crate::presentation;
#[cfg(feature = "spreadsheet")]
use crate::spreadsheet;
#[cfg(feature = "document")]
use crate::{album, document, subtitles, typeface};
use crate::{
    error::{Error, Kind, Reason, Result, quoted},
    format::{self, Format},
    image,
    job::{Converter, Input, OptionSpec, Pair, Task, read_head},
};
#[cfg(any(feature = "document", feature = "spreadsheet"))]
use crate::{job::PASSWORD, office::locked};
#[cfg(any(feature = "document", feature = "spreadsheet"))]
use fields::Lists;
use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Every converter of this build. A file whose first bytes identify no format is offered to the functions `recognise`
/// of the converters, in this order, until one returns a format.
pub static CONVERTERS: &[&Converter] = &[
    &image::CONVERTER,
    #[cfg(feature = "audio")]
    &audio::CONVERTER,
    // Mail comes before documents, because plain text matches almost any file.
    #[cfg(feature = "mail")]
    &mails::MAILS,
    #[cfg(feature = "pdf")]
    &pdf::CONVERTER,
    #[cfg(feature = "document")]
    &subtitles::CONVERTER,
    #[cfg(feature = "document")]
    &typeface::CONVERTER,
    #[cfg(feature = "document")]
    &document::CONVERTER,
    #[cfg(feature = "presentation")]
    &presentation::CONVERTER,
    #[cfg(feature = "spreadsheet")]
    &spreadsheet::CONVERTER,
    #[cfg(feature = "document")]
    &album::CONVERTER,
    #[cfg(feature = "pdf")]
    &by_pdf::DRAWN,
    #[cfg(feature = "ocr")]
    &pictures::CONVERTER,
    #[cfg(feature = "document")]
    &archives::COMICS,
    // Archives come last, because many formats are ZIP archives.
    #[cfg(feature = "document")]
    &archives::ARCHIVES,
];

/// A conversion from one format to another, and its converter.
#[derive(Clone, Copy)]
pub struct Route {
    /// The two formats and the options.
    pub pair: Pair,
    /// The converter that performs the conversion.
    pub converter: &'static Converter,
}

/// The formats and pairs of all converters, collected once.
struct Catalogue {
    /// The formats that are read or written, in the order in which `/formats` lists them.
    formats: Vec<&'static Format>,
    /// All conversions, sorted by source and then by target, both in the order of `formats`.
    routes: Vec<Route>,
    /// Positions in `formats`, by the names of the formats.
    places: HashMap<&'static str, usize>,
}

impl Catalogue {
    /// The key by which routes are sorted. Formats that this build does not support come first.
    fn key(&self, from: &Format, to: &Format) -> (Option<usize>, Option<usize>) {
        let place = |format: &Format| self.places.get(format.name).copied();
        (place(from), place(to))
    }
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // Drawings use the CSS of HTML pages. Its implementation is in the package of documents, on which the package of
    // drawings does not depend, so it is registered here.
    #[cfg(all(feature = "document", feature = "svg"))]
    document::style_drawings();
    let mut routes: Vec<_> = CONVERTERS
        .iter()
        .flat_map(|&converter| {
            let pairs = (converter.pairs)();
            pairs.into_iter().map(move |pair| Route { pair, converter })
        })
        .collect();
    #[cfg(feature = "pdf")]
    // Routes to PDF get the options of the PDF editor, and the converter that applies them.
    by_pdf::add_fields(&mut routes);
    #[cfg(any(feature = "document", feature = "spreadsheet"))]
    add_passwords(&mut routes);
    let used: HashSet<&str> = routes
        .iter()
        .flat_map(|route| [route.pair.from.name, route.pair.to.name])
        .collect();
    let formats: Vec<&Format> = CONVERTERS
        .iter()
        .flat_map(|converter| (converter.formats)())
        .filter(|format| used.contains(format.name))
        .collect();
    let mut places = HashMap::new();
    for (place, format) in formats.iter().enumerate() {
        places.entry(format.name).or_insert(place);
    }
    let mut catalogue = Catalogue {
        formats,
        routes: Vec::new(),
        places,
    };
    routes.sort_by_cached_key(|route| catalogue.key(route.pair.from, route.pair.to));
    catalogue.routes = routes;
    catalogue
});

/// Adds the field with the password to the conversions of files that may be encrypted.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn add_passwords(routes: &mut [Route]) {
    static PASSWORDS: [&OptionSpec; 1] = [&PASSWORD];
    let mut lists = Lists::default();
    for route in routes {
        let fields = &mut route.pair.options;
        if locked::takes_password(route.pair.from.name) {
            *fields = lists.joined(fields, &PASSWORDS, |_| true);
        }
    }
}

/// All conversions that this build can do, sorted by source and then by target.
pub fn routes() -> &'static [Route] {
    &CATALOGUE.routes
}

/// All formats that this build reads or writes.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    CATALOGUE.formats.iter().copied()
}

/// Names and aliases of the formats that `which` accepts.
pub fn words(which: impl Fn(&Format) -> bool) -> impl Iterator<Item = &'static str> {
    formats()
        .filter(move |format| which(format))
        .flat_map(|format| {
            [format.name]
                .into_iter()
                .chain(format.aliases.iter().copied())
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

/// Returns the route from one format to another, or `None` if this build does not have it.
pub fn find(from: &Format, to: &Format) -> Option<&'static Route> {
    let routes = routes();
    let key = CATALOGUE.key(from, to);
    let place = |route: &Route| CATALOGUE.key(route.pair.from, route.pair.to);
    routes
        .get(routes.partition_point(|route| place(route) < key))
        .filter(|route| route.pair.from == from && route.pair.to == to)
}

/// Returns whether any conversion has an optional field of this name.
pub fn has_option(name: &str) -> bool {
    options().iter().any(|(known, _)| *known == name)
}

/// The names of all fields of a form except the file.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    let own = [Terms::Form.target(), Terms::Form.quality()];
    own.into_iter()
        .chain(options().iter().map(|(name, _)| *name))
}

/// The route of a task. A stored task may come from a build with other formats.
///
/// Errors: [`Kind::BadInput`] naming the format that is not supported, or listing the possible targets of the source.
pub fn route(task: &Task) -> Result<&'static Route> {
    if let Some(route) = about::route(task) {
        return Ok(route);
    }
    let known = |name: &str| {
        by_name(name).ok_or_else(|| {
            let text = format!("{name} files are not supported");
            Error::new(Kind::BadInput, text)
        })
    };
    let (from, to) = (known(&task.from)?, known(&task.to)?);
    find(from, to).ok_or_else(|| unreachable(from, to.name, Terms::Form))
}

/// All optional fields by name. A field may have several specifications, because its values may depend on the target.
pub fn options() -> &'static [(&'static str, Vec<&'static OptionSpec>)] {
    static ALL: LazyLock<Vec<(&str, Vec<&OptionSpec>)>> = LazyLock::new(|| {
        let mut all: Vec<(&str, Vec<&OptionSpec>)> = Vec::new();
        let mut places = HashMap::new();
        // Thousands of routes share a few hundred lists of options. Each list is read once.
        let mut seen = HashSet::new();
        let lists = routes().iter().map(|route| route.pair.options);
        for spec in lists
            .filter(|list| seen.insert(list.as_ptr_range()))
            .flatten()
        {
            let at = *places.entry(spec.name).or_insert_with(|| {
                all.push((spec.name, Vec::new()));
                all.len() - 1
            });
            let known = &mut all[at].1;
            // Nearly all specifications of a field are the same static. Comparing addresses first avoids building
            // descriptions.
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

/// The error for a conversion that does not exist, with the targets of the source.
fn unreachable(from: &Format, wanted: &str, terms: Terms) -> Error {
    let possible = list(targets_of(from));
    let from = from.name;
    let text = match terms {
        // The user may have named the target by the extension of a file, so the message does not name the flag.
        Terms::CommandLine | Terms::WithoutFrom => format!(
            "{from} files cannot be converted to {}; they can be converted to {possible}",
            quoted(wanted)
        ),
        Terms::Form | Terms::Query => format!(
            "{} is {}; {from} files can be converted to {possible}",
            terms.target(),
            quoted(wanted)
        ),
    };
    Error::new(Kind::BadInput, text).because(Reason::NotOffered)
}

/// Returns the format of a file, by its content. `extension` is used only where the content is ambiguous.
///
/// Errors: [`Kind::BadInput`] if no converter reads such content; also those of reading the file.
pub fn identify(input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format> {
    identify_for(input, extension, Terms::Form)
}

/// Returns the format of a file, as [`identify`] does. An error gives the remedy in the vocabulary of `terms`.
fn identify_for(
    input: &mut dyn Input,
    extension: Option<&str>,
    terms: Terms,
) -> Result<&'static Format> {
    // The signatures at fixed offsets come first, because they need only the bytes of `head`. The functions `recognise`
    // may seek in the whole file, so they come second.
    let head = read_head(input, format::HEAD_LEN)
        .map_err(|err| Error::storage("the file could not be read", err))?;
    if let Some(format) = formats().find(|format| format.matches(&head)) {
        return Ok(format);
    }
    CONVERTERS
        .iter()
        .find_map(|converter| (converter.recognise)(&head, input, extension))
        .ok_or_else(|| {
            let is_text = is_text(&head);
            let named = extension.filter(|name| formats().any(|format| format.is_called(name)));
            let what = match (unread::kind(&head, input, is_text), named) {
                (Some(kind), Some(name)) => {
                    format!("the file is called .{name}, but it is {kind}, which cannot be converted")
                }
                (Some(kind), None) => format!("the file is {kind}, which cannot be converted"),
                (None, Some(name)) => format!(
                    "the file is called .{name}, but its content matches no supported format: it has another format, or its beginning is damaged"
                ),
                (None, None) if is_text => format!(
                    "the content of the file matches no supported format: it is text, and no extension tells which format; {}",
                    terms.for_texts()
                ),
                (None, None) => "the content of the file matches no supported format".to_owned(),
            };
            let text = format!("{what}; {SUPPORTED}");
            let reason = match unread::is_locked(&head, input) {
                true => Reason::Encrypted,
                false => Reason::UnknownFormat,
            };
            Error::new(Kind::BadInput, text).because(reason)
        })
}

/// Hint to the lists of formats, for errors: all their names would fill a terminal.
const SUPPORTED: &str = "/api/v1/formats and convertd formats list what is supported";

/// Returns whether the beginning of a file is text in UTF-8 without control characters other than tabs, line ends and
/// form feeds. The last character may be cut off.
fn is_text(head: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0c".contains(byte);
    let is_utf8 = std::str::from_utf8(head).map_or_else(|err| err.error_len().is_none(), |_| true);
    !head.is_empty() && is_utf8 && !head.iter().any(is_control)
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
    fn no_beginning_of_a_file_makes_the_detection_panic() {
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
                // Any result is fine, as long as nothing panics.
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
            assert!(seen.insert(*name), "{name} is listed twice");
            assert_eq!(format::normalise(name), *name);
        }
    }

    #[test]
    fn no_pair_is_listed_twice() {
        let mut seen = HashSet::new();
        for Route { pair, .. } in routes() {
            let names = (pair.from.name, pair.to.name);
            assert!(seen.insert(names), "{names:?} is listed twice");
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
}
