//! Checks a user's request for a conversion, and turns it into a task and its route, or into an error message.

use super::{Route, by_name, find, formats, identify_for, list, routes_to, unreachable, words};
use crate::{
    error::{Error, Kind, Result, quoted},
    format::{self, ARCHIVE_EXTENSION, Category, Format},
    job::{Input, OptionSpec, Options, Quality, Task},
    nearest,
};

/// Vocabulary of error messages: the names by which the user knows the parts of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Fields of a form.
    Form,
    /// Parameters of an address.
    Query,
    /// Flags of a command.
    CommandLine,
    /// Flags of a command that has no `--from`.
    WithoutFrom,
}

impl Terms {
    /// The name of the field, parameter or flag for the target format.
    pub const fn target(self) -> &'static str {
        match self {
            Self::Form => "target_format",
            Self::Query => "to",
            Self::CommandLine | Self::WithoutFrom => "--to",
        }
    }

    /// The name of the field, parameter or flag for the quality.
    pub const fn quality(self) -> &'static str {
        match self {
            Self::Form | Self::Query => "quality",
            Self::CommandLine | Self::WithoutFrom => "--quality",
        }
    }

    /// The name of the optional field `name`, on a command line with the flag before it.
    pub fn option(self, name: &str) -> String {
        match self {
            Self::Form | Self::Query => name.to_owned(),
            Self::CommandLine | Self::WithoutFrom => format!("--option {name}"),
        }
    }

    /// The remedy for a text whose format neither its content nor its name tells.
    pub(super) const fn for_texts(self) -> &'static str {
        match self {
            Self::Form | Self::Query | Self::WithoutFrom => {
                "give it an extension such as .txt, .md or .csv"
            }
            Self::CommandLine => {
                "name the format with --from FORMAT, such as --from md, or give the file an extension such as .txt, .md or .csv"
            }
        }
    }
}

/// A user's request for a conversion, before it is checked.
pub struct TargetRequest<'a> {
    /// The name or an alias of the target format, in any case.
    pub target: &'a str,
    /// The quality; `None` for the default.
    pub quality: Option<&'a str>,
    /// The name of the file, without directories. `None` if it has none.
    pub file_name: Option<&'a str>,
    /// Looks up the value of an optional field by its name. An empty value counts as absent.
    pub field: &'a dyn Fn(&str) -> Result<Option<String>>,
    /// The names of the parts of the request in error messages.
    pub terms: Terms,
}

impl TargetRequest<'_> {
    /// Identifies the file's format, and checks the target format, the quality and the options.
    ///
    /// Errors: [`Kind::BadInput`] naming the part that cannot be used, its value and what is allowed.
    pub fn plan(&self, input: &mut dyn Input) -> Result<(Task, &'static Route)> {
        // The target is checked before the file is read, because a wrong name is cheaper to detect.
        let to = target(self.target, self.terms)?;
        let quality = self.quality()?;
        let extension = self.file_name.and_then(format::extension);
        let from = identify_for(input, extension.as_deref(), self.terms)?;
        let route = find(from, to).ok_or_else(|| unreachable(from, self.target, self.terms))?;
        let options = self.options(route)?;
        let task = Task {
            // The task keeps the names of formats that the user wrote (`jpeg`, not `jpg`), because the name of the
            // result is made from them.
            from: from.name_like(extension.as_deref()).to_owned(),
            to: format::normalise(self.target),
            quality,
            options,
            file_title: self.file_name.and_then(|name| match from.category {
                // The name of an archive is kept for every target: a compressed file without a stored name gets it, for
                // example.
                Category::Archive => format::visible_stem(name),
                _ => format::title_of(name, to),
            }),
        };
        Ok((task, route))
    }

    /// Checks the request for a page that is packed into a ZIP archive with the files that it refers to. `files` are
    /// the names of the page and of these files in the archive. The option `index` names the page; by default, the page
    /// is the first file.
    ///
    /// Errors: those of [`plan`](Self::plan), and [`Kind::BadInput`] if there is no such page, or if the target cannot
    /// contain other files.
    pub fn plan_site(&self, files: &[String]) -> Result<(Task, &'static Route)> {
        let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
        let to = target(self.target, self.terms)?;
        let quality = self.quality()?;
        let index = (self.field)(INDEX)?.filter(|name| !name.trim().is_empty());
        let page = match &index {
            Some(name) if !files.contains(name) => {
                let name = quoted(name);
                return refuse(format!("index names {name}, which is not among the files"));
            }
            Some(name) => name,
            None => files.first().map_or("", String::as_str),
        };
        let Some(from) = page_format(page) else {
            return refuse(format!(
                "the form has the field \"file\" twice, and {} is not a page; send one file, or a page (html, md, ipynb or svg) \
                 and then the files that it refers to",
                quoted(page)
            ));
        };
        find(from, to).ok_or_else(|| unreachable(from, self.target, self.terms))?;
        let Some(route) = site_route(to) else {
            return refuse(format!(
                "a {} file that is made from {} cannot contain other files; send one file",
                to.name, from.name
            ));
        };
        let mut options = self.options(route)?;
        if index.is_none() {
            options.insert(INDEX, page);
        }
        let task = Task {
            from: ARCHIVE_EXTENSION.to_owned(),
            to: format::normalise(self.target),
            quality,
            options,
            file_title: format::title_of(page, to),
        };
        Ok((task, route))
    }

    fn quality(&self) -> Result<Quality> {
        self.quality.map_or(Ok(Quality::default()), |text| {
            Quality::parse(self.terms.quality(), text.trim())
        })
    }

    /// Returns the optional fields that the conversion of `route` takes. The values of other fields are checked as
    /// well, because a value that no conversion accepts is always a mistake.
    fn options(&self, route: &Route) -> Result<Options> {
        let mut options = Options::default();
        for &(name, ref specs) in super::options() {
            let Some(value) = (self.field)(name)? else {
                continue;
            };
            let field = self.terms.option(name);
            // A value of white space counts as absent, unless the field accepts white space.
            let means_nothing = |spec: &&OptionSpec| {
                let accepted = spec.accept(&field, &value);
                accepted.map_or(true, str::is_empty)
            };
            if value.trim().is_empty() && specs.iter().all(means_nothing) {
                continue;
            }
            match route.pair.options.iter().find(|spec| spec.name == name) {
                Some(spec) => options.insert(name, spec.accept(&field, &value)?),
                None => accepted_by_any(specs, &field, &value)?,
            }
        }
        Ok(options)
    }
}

/// The option that names a page in an archive.
pub const INDEX: &str = "index";

/// Returns the route to `to` from a ZIP archive, in which a page is packed with the files that it refers to. `None` for
/// targets that show no other files.
pub(crate) fn site_route(to: &Format) -> Option<&'static Route> {
    let route = find(by_name(ARCHIVE_EXTENSION)?, to)?;
    let takes = route.pair.options.iter().any(|spec| spec.name == INDEX);
    takes.then_some(route)
}

/// Returns the format of a file, by the extension in its name. `None` unless files of this format may refer to other
/// files.
#[cfg(feature = "document")]
fn page_format(name: &str) -> Option<&'static Format> {
    let format = by_name(&format::extension(name)?)?;
    Some(format).filter(|format| crate::document::names_others(format))
}

/// Returns `None`, because this build reads no pages.
#[cfg(not(feature = "document"))]
fn page_format(_name: &str) -> Option<&'static Format> {
    None
}

/// Checks that one of several specifications of a field accepts the value.
///
/// Errors: that of the first specification.
pub fn accepted_by_any(specs: &[&OptionSpec], field: &str, value: &str) -> Result<()> {
    let mut answers = specs.iter().map(|spec| spec.accept(field, value).map(drop));
    let first = answers.next().unwrap_or(Ok(()));
    match answers.any(|answer| answer.is_ok()) {
        true => Ok(()),
        false => first,
    }
}

/// The format with this name, if anything can be converted to it.
///
/// Errors: [`Kind::BadInput`] with the list of possible targets.
pub fn target(name: &str, terms: Terms) -> Result<&'static Format> {
    let is_target = |format: &Format| routes_to(format).next().is_some();
    let normal = format::normalise(name);
    let known = by_name(&normal);
    known.filter(|format| is_target(format)).ok_or_else(|| {
        let possible = list(formats().filter(|format| is_target(format)));
        let why = match known {
            Some(_) => ", which can be read, but not written".to_owned(),
            None => nearest::hint(&normal, words(is_target)),
        };
        let text = format!(
            "{} is {}{why}; it must be one of {possible}",
            terms.target(),
            quoted(name)
        );
        Error::new(Kind::BadInput, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Reason;
    use std::io::Cursor;

    #[test]
    fn errors_name_fields_as_the_caller_wrote_them() {
        #[track_caller]
        fn check(terms: Terms, target: &str, quality: &str, width: &str, words: &str) {
            let field = |name: &str| Ok((name == "width").then(|| width.to_owned()));
            let request = TargetRequest {
                target,
                quality: Some(quality),
                file_name: None,
                field: &field,
                terms,
            };
            let planned = request.plan(&mut Cursor::new(b"P6\n1 1\n255\n..."));
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
        check(
            Terms::Query,
            "jpgg",
            "low",
            "5",
            "to is \"jpgg\"; did you mean \"jpg\"?; it must be one of jpg,",
        );
        check(
            Terms::Form,
            "heic",
            "low",
            "5",
            "target_format is \"heic\", which can be read, but not written; it must be one of jpg,",
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
    fn the_error_for_a_text_of_unknown_format_names_the_remedy() {
        #[track_caller]
        fn check(terms: Terms, words: &str, has_flag: bool) {
            let request = TargetRequest {
                target: "jpg",
                quality: None,
                file_name: None,
                field: &|_| Ok(None),
                terms,
            };
            let planned = request.plan(&mut Cursor::new(b"Some words.\n"));
            let error = planned.map(drop).unwrap_err();
            assert_eq!(error.reason(), Some(Reason::UnknownFormat));
            let message = error.message();
            assert!(message.contains(words), "{message}");
            assert_eq!(message.contains("--from"), has_flag, "{message}");
        }
        check(Terms::Form, "give it an extension", false);
        check(Terms::Query, "give it an extension", false);
        check(Terms::WithoutFrom, "give it an extension", false);
        check(
            Terms::CommandLine,
            "name the format with --from FORMAT",
            true,
        );
    }

    #[test]
    fn a_request_becomes_a_task() {
        let field = |name: &str| Ok((name == "width").then(|| " 7 ".to_owned()));
        let request = TargetRequest {
            target: " .JPEG ",
            quality: None,
            file_name: Some("a.pnm"),
            field: &field,
            terms: Terms::Form,
        };
        let (task, route) = request
            .plan(&mut Cursor::new(b"P6\n1 1\n255\n..."))
            .unwrap();
        assert_eq!((task.from.as_str(), task.to.as_str()), ("pnm", "jpeg"));
        assert_eq!(task.options.integer("width"), Some(7));
        assert_eq!(route.pair.to.name, "jpg");
    }
}
