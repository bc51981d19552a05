//! Runs conversions on an engine of its own, without a service: checks the request for a file, and submits it. Prints
//! nothing, and does not choose the paths of results.

use super::Failure;
#[cfg(feature = "document")]
use super::resources::Resources;
use crate::{
    engine::{Cancel, Engine, Finished, Order, Settings, Watcher},
    error::{Error, Kind, Reason, Result},
    format::Format,
    job::{DAMAGED, Input, MAX_SIZE, Progress, Quality, Task},
    nearest,
    registry::{self, Route, TargetRequest, Terms},
};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lexopt::{Parser, ValueExt};
use std::{
    ffi::OsStr,
    fs::File,
    io::BufReader,
    path::Path,
    time::{Duration, Instant},
};

/// Time limit for the converter processes to end after the engine was stopped.
const GRACE: Duration = Duration::from_secs(2);
/// Number of waiting messages above which reports of progress are dropped, because they would be outdated. The message
/// about the end of a conversion is never dropped; the queue of the engine limits the number of these messages.
const MAX_NEWS: usize = 64;

/// A report about a conversion: its progress or its end.
pub(super) enum News {
    Progress(Progress),
    Ended(Result<Finished>),
}

/// Converters that live as long as one command.
pub(super) struct LocalConverters {
    engine: Engine,
    sender: Sender<(usize, News)>,
    news: Receiver<(usize, News)>,
}

impl LocalConverters {
    /// Starts the converters.
    pub(super) fn open(settings: Settings) -> Result<Self> {
        let engine = Engine::start(settings)?;
        let (sender, news) = unbounded();
        Ok(Self {
            engine,
            sender,
            news,
        })
    }

    /// Submits a file, whose result goes to `output`. Messages about it carry `number`. At most as many files may wait
    /// as there are converters.
    ///
    /// Errors: [`Kind::Busy`] if too many files wait.
    pub(super) fn submit(
        &self,
        number: usize,
        prepared: &PreparedFile,
        output: File,
    ) -> Result<()> {
        let reservation = self.engine.reserve(None)?;
        self.engine.submit(
            reservation,
            Order {
                task: prepared.task.clone(),
                route: prepared.route,
                input: prepared.input.try_clone().map_err(unopened)?,
                input_len: prepared.input_len,
                output,
                client: None,
                cancel: Cancel::default(),
                watcher: Box::new(Waiting {
                    number,
                    notes: prepared.notes.clone(),
                    may_be_kept: prepared.may_be_kept(),
                    sender: self.sender.clone(),
                }),
            },
        );
        Ok(())
    }

    /// The next message, if one arrives within `wait`.
    pub(super) fn news(&self, wait: Duration) -> Option<(usize, News)> {
        self.news.recv_timeout(wait).ok()
    }

    /// Channel of messages, for a caller that waits for other events as well.
    pub(super) fn channel(&self) -> &Receiver<(usize, News)> {
        &self.news
    }

    /// Stops the converters and waits for their children, so that the operating system adds their processor time to
    /// that of this program.
    pub(super) fn close(self) {
        let now = Instant::now();
        self.engine.stop(now);
        self.engine.join(now + GRACE);
    }
}

/// Passes messages about a conversion to the main thread.
struct Waiting {
    number: usize,
    /// Notes besides those of the converter.
    notes: Vec<String>,
    /// Whether the conversion supports `damaged=keep`, and the user did not set it.
    may_be_kept: bool,
    sender: Sender<(usize, News)>,
}

impl Watcher for Waiting {
    fn progress(&self, progress: Progress) {
        if self.sender.len() < MAX_NEWS {
            // This cannot fail, because the receiver outlives the job.
            let _ = self.sender.send((self.number, News::Progress(progress)));
        }
    }

    fn ended(self: Box<Self>, mut result: Result<Finished>) {
        if let Ok(finished) = &mut result {
            finished.notes.extend(self.notes);
        }
        result = result.map_err(|error| match error.reason() {
            Some(Reason::Unreadable) if self.may_be_kept => error.because(Reason::Damaged),
            _ => error,
        });
        let _ = self.sender.send((self.number, News::Ended(result)));
    }
}

/// Options of the command line for the results, except their format.
#[derive(Default)]
pub(super) struct Wanted {
    /// Format of files whose content is ambiguous (`--from`). It takes precedence over the extension of the name.
    from: Option<String>,
    /// Whether the command has the flag `--from`, so that error messages may advise it.
    pub(super) has_from: bool,
    quality: Option<String>,
    options: Vec<(String, String)>,
    /// Folders of resources.
    #[cfg(feature = "document")]
    pub(super) resources: Resources,
    /// Whether options that a conversion lacks are ignored. If several files are joined, each conversion may lack some
    /// of the options.
    is_lenient: bool,
}

impl Wanted {
    /// Makes the options from values that another part of the program has chosen.
    pub(super) fn of(quality: Option<String>, options: Vec<(String, String)>) -> Self {
        Self {
            quality,
            options,
            ..Self::default()
        }
    }

    /// Takes the value of `--quality`.
    pub(super) fn take_quality(&mut self, parser: &mut Parser) -> Result<(), Failure> {
        let text = parser.value()?.string()?;
        Quality::parse(Terms::CommandLine.quality(), &text)
            .map_err(|error| Failure::usage(&error))?;
        self.quality = Some(text);
        Ok(())
    }

    /// Takes the value of `--from`.
    pub(super) fn take_from(&mut self, parser: &mut Parser) -> Result<(), Failure> {
        let text = parser.value()?.string()?;
        let name = crate::format::normalise(&text);
        let is_read = |format: &Format| registry::targets_of(format).next().is_some();
        if !registry::by_name(&name).is_some_and(is_read) {
            let hint = nearest::hint(&name, registry::words(is_read));
            return Err(Failure::Usage(format!(
                "--from is {text:?}, which is not a format that convertd reads{hint}"
            )));
        }
        self.from = Some(name);
        Ok(())
    }

    /// Sets the option that merges all files of an archive into one PDF.
    #[cfg(feature = "pdf")]
    pub(super) fn join(&mut self) {
        let merge = convertd_pdf::edit::options::MERGE.name;
        self.options.retain(|(name, _)| name != merge);
        self.options.push((merge.to_owned(), "true".to_owned()));
    }

    /// Checks the options as far as that is possible without a file: each exists, is given once, and has a value that
    /// some conversion accepts.
    ///
    /// Errors: [`Failure::Usage`] naming the option.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let usage = |text: String| Err(Failure::Usage(text));
        for (at, (name, value)) in self.options.iter().enumerate() {
            if self.options[..at].iter().any(|(before, _)| before == name) {
                return usage(format!("the option {name:?} is given twice"));
            }
            let Some((_, specs)) = registry::options().iter().find(|(known, _)| known == name)
            else {
                let known = registry::options().iter().map(|(known, _)| *known);
                let hint = nearest::hint(name, known);
                return usage(format!(
                    "there is no option {name:?}{hint}; convertd formats lists all"
                ));
            };
            let field = Terms::CommandLine.option(name);
            registry::accepted_by_any(specs, &field, value)
                .map_err(|error| Failure::usage(&error))?;
        }
        Ok(())
    }

    /// Takes the value of `--option`.
    pub(super) fn take_option(&mut self, parser: &mut Parser) -> Result<(), Failure> {
        let text = parser.value()?.string()?;
        let pair = text.split_once('=').map(|(name, value)| {
            // `max_size` is a size in bytes, and takes suffixes like flags.
            let bytes = crate::config::bytes(value).filter(|_| name == MAX_SIZE.name);
            let value = bytes.map_or_else(|| value.to_owned(), |bytes| bytes.to_string());
            (name.to_owned(), value)
        });
        self.options.push(pair.ok_or_else(|| {
            Failure::Usage(format!("--option is {text:?}; it must be NAME=VALUE"))
        })?);
        Ok(())
    }
}

/// A file that is ready to be converted.
pub(super) struct PreparedFile {
    task: Task,
    route: &'static Route,
    input: File,
    input_len: u64,
    notes: Vec<String>,
    #[cfg_attr(not(feature = "pdf"), allow(dead_code))]
    is_packed: bool,
}

impl PreparedFile {
    /// Recognises the format of a file, and checks that the conversion exists. `name` is the file name, if it is known;
    /// `folder` is the directory from which resources may be loaded, if any.
    ///
    /// Errors: [`Kind::BadInput`] if the format is unknown, the conversion does not exist, or it lacks an option; those
    /// of packing the file with its resources.
    pub(super) fn new(
        input: File,
        input_len: u64,
        (name, folder): (Option<&OsStr>, Option<&Path>),
        target: &str,
        wanted: &Wanted,
    ) -> Result<Self> {
        let reader = input.try_clone().map_err(unopened)?;
        let name = name.map(OsStr::to_string_lossy);
        let is_named = name.is_some();
        // `--from` replaces the extension, which counts only if the content is ambiguous.
        let name = match &wanted.from {
            Some(from) => Some(format!("{}.{from}", name.unwrap_or("input".into())).into()),
            None => name,
        };
        let (mut task, route) = plan(&mut BufReader::new(reader), name.as_deref(), target, wanted)?;
        if !is_named {
            task.file_title = None;
        }
        let prepared = Self {
            task,
            route,
            input,
            input_len,
            notes: Vec::new(),
            is_packed: false,
        };
        #[cfg(feature = "document")]
        let prepared = prepared.with_others(&wanted.resources, (name.as_deref(), folder))?;
        #[cfg(not(feature = "document"))]
        let _ = folder;
        Ok(prepared)
    }

    /// Plans the conversion of one of several files that are joined. Options of the PDF editor are left out here,
    /// because they apply to the joined file.
    ///
    /// Errors: those of [`new`](Self::new), and an empty file.
    #[cfg(feature = "pdf")]
    pub(super) fn part(
        input: File,
        (name, folder): (Option<&OsStr>, Option<&Path>),
        target: &str,
        wanted: &Wanted,
    ) -> Result<Self> {
        let len = input.metadata().map_err(unopened)?.len();
        if len == 0 {
            return Err(Error::new(Kind::BadInput, "the file is empty"));
        }
        let pdf = crate::document::pdf();
        let of_the_whole = registry::find(pdf, pdf).map_or(&[][..], |route| route.pair.options);
        let is_own = |name: &str| of_the_whole.iter().all(|spec| spec.name != name);
        let wanted = Wanted {
            options: wanted
                .options
                .iter()
                .filter(|(name, _)| is_own(name))
                .cloned()
                .collect(),
            from: wanted.from.clone(),
            has_from: wanted.has_from,
            quality: wanted.quality.clone(),
            is_lenient: true,
            resources: wanted.resources.clone(),
        };
        Self::new(input, len, (name, folder), target, &wanted)
    }

    /// Returns whether the file has been packed into an archive with its resources.
    #[cfg(feature = "pdf")]
    pub(super) fn is_packed(&self) -> bool {
        self.is_packed
    }

    /// Returns the input: the file itself or, if it was packed, the archive.
    #[cfg(feature = "pdf")]
    pub(super) fn into_input(self) -> File {
        self.input
    }

    /// Returns whether the input is an archive of several files.
    #[cfg(feature = "document")]
    pub(super) fn is_archive(&self) -> bool {
        self.route.pair.from.category == crate::format::Category::Archive
    }

    /// Sets an option if the conversion has it, and returns whether it does. The value must be valid.
    #[cfg(feature = "document")]
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        let mut specs = self.route.pair.options.iter();
        let Some(spec) = specs.find(|spec| spec.name == name) else {
            return false;
        };
        self.task.options = self.task.options.without([*spec].into_iter());
        self.task.options.insert(name, value);
        true
    }

    /// Packs the file with its resources into an archive, if it has any, and changes the route to that of an archive.
    #[cfg(feature = "document")]
    fn with_others(
        mut self,
        resources: &Resources,
        (name, folder): (Option<&str>, Option<&Path>),
    ) -> Result<Self> {
        use crate::archive::zip_format;
        let pair = &self.route.pair;
        let name = name.map_or_else(|| format!("page.{}", self.task.from), str::to_owned);
        let formats = (pair.from, pair.to);
        let packed = resources.pack(&self.input, (&name, folder), formats, &mut self.notes)?;
        if let (Some(packed), Some(route)) = (packed, registry::site_route(pair.to)) {
            self.is_packed = true;
            self.task.from = zip_format().name.to_owned();
            self.task.options.insert(registry::INDEX, packed.index);
            self.route = route;
            self.input = packed.file;
            self.input_len = packed.len;
        }
        Ok(self)
    }

    /// Returns whether the conversion has the option `damaged=keep`, and the user did not set it.
    fn may_be_kept(&self) -> bool {
        let mut options = self.route.pair.options.iter();
        options.any(|spec| spec.name == DAMAGED.name)
            && self.task.options.word(DAMAGED.name) != Some("keep")
    }

    /// The length of the file in bytes.
    pub(super) fn input_len(&self) -> u64 {
        self.input_len
    }
}

/// The format with this name, if it can be written. `written` is the text of the user: a path, or `--to` and a name.
///
/// Errors: [`Failure::Usage`] with the targets of the format `from`, if that is known.
pub(super) fn target(
    name: &str,
    written: &str,
    from: Option<&Format>,
) -> Result<&'static Format, Failure> {
    let is_written = |format: &Format| registry::routes_to(format).next().is_some();
    let normal = crate::format::normalise(name);
    let why = match registry::by_name(&normal) {
        Some(format) if is_written(format) => return Ok(format),
        Some(format) => format!("{} files can be read, but not written", format.name),
        None => {
            let hint = nearest::hint(&normal, registry::words(is_written));
            format!("there is no format {name:?}{hint}")
        }
    };
    let list = |formats: Vec<&str>| formats.join(", ");
    let possible = match from {
        Some(from) => {
            let targets = registry::targets_of(from).map(|format| format.name);
            format!(
                "{} files can be converted to {}",
                from.name,
                list(targets.collect())
            )
        }
        None => format!(
            "the formats that can be written are {}",
            list(names(is_written).collect())
        ),
    };
    Err(Failure::Usage(format!("{written}: {why}; {possible}")))
}

/// Returns whether several files can be joined into one file of this format.
pub(super) fn is_joined(name: &str) -> bool {
    let format = registry::by_name(&crate::format::normalise(name));
    cfg!(feature = "pdf") && format.is_some_and(|format| format.name == "pdf")
}

/// Names of the formats for which `which` returns true.
fn names(which: impl Fn(&Format) -> bool) -> impl Iterator<Item = &'static str> {
    registry::formats()
        .filter(move |format| which(format))
        .map(|format| format.name)
}

fn unopened(err: std::io::Error) -> Error {
    Error::internal("the input cannot be opened twice", err)
}

/// Identifies the format of the input, and checks the target format and the options.
///
/// The service ignores unknown form fields, because a form may have fields for other purposes. This command refuses
/// unknown options, because they can only be mistakes.
fn plan(
    input: &mut dyn Input,
    name: Option<&str>,
    target: &str,
    wanted: &Wanted,
) -> Result<(Task, &'static Route)> {
    let field = |name: &str| -> Result<Option<String>> {
        // `check` has refused options that are given twice.
        let given = wanted.options.iter().find(|(key, _)| key == name);
        Ok(given.map(|(_, value)| value.clone()))
    };
    let request = TargetRequest {
        target,
        quality: wanted.quality.as_deref(),
        file_name: name,
        field: &field,
        terms: match wanted.has_from {
            true => Terms::CommandLine,
            false => Terms::WithoutFrom,
        },
    };
    let (task, route) = request.plan(input)?;
    let known: Vec<_> = route.pair.options.iter().map(|spec| spec.name).collect();
    for (name, _) in wanted.options.iter().filter(|_| !wanted.is_lenient) {
        if !known.contains(&name.as_str()) {
            let (from, to) = (route.pair.from.name, route.pair.to.name);
            let possible = match known.is_empty() {
                true => "this conversion has no options".to_owned(),
                false => format!("its options are {}", known.join(", ")),
            };
            let hint = nearest::hint(name, known.iter().copied());
            let text = format!("there is no option {name:?} for {from} to {to}{hint}; {possible}");
            return Err(Error::new(Kind::BadInput, text).because(Reason::NotOffered));
        }
    }
    Ok((task, route))
}
