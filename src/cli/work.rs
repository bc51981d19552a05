//! Conversions on an engine of their own, without a service: checks the request for a file, and submits it.
//! Prints nothing, and knows no places.

use super::{Failure, nearest};
use crate::{
    engine::{Cancel, Engine, Finished, Order, Settings, Watcher},
    error::{Error, Kind, Result},
    format::Format,
    job::{Input, Progress, Quality, Task},
    registry::{self, Route, TargetRequest, Terms},
};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lexopt::{Parser, ValueExt};
use std::{
    ffi::OsStr,
    fs::File,
    io::BufReader,
    time::{Duration, Instant},
};

/// Time limit for the end of the children.
const GRACE: Duration = Duration::from_secs(2);
/// Number of news that may wait before those of progress are dropped, which are out of date then. An end is always told, once an
/// order, so that the engine's queue bounds it.
const MOST_NEWS: usize = 64;

/// News of a conversion.
pub(super) enum News {
    Progress(Progress),
    Ended(Result<Finished>),
}

/// Converters for the time of one command.
pub(super) struct Shop {
    engine: Engine,
    sender: Sender<(usize, News)>,
    news: Receiver<(usize, News)>,
}

impl Shop {
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

    /// Hands over a file, whose result goes to `output`. The news of it come with `number`. There is room for as many as there
    /// are converters, and as many again that wait.
    ///
    /// Errors: [`Kind::Busy`] if there is no room.
    pub(super) fn submit(&self, number: usize, work: &Work, output: File) -> Result<()> {
        let place = self.engine.place(None)?;
        self.engine.submit(
            place,
            Order {
                task: work.task.clone(),
                route: work.route,
                input: work.input.try_clone().map_err(unopened)?,
                input_len: work.input_len,
                output,
                client: None,
                cancel: Cancel::default(),
                watcher: Box::new(Waiting {
                    number,
                    sender: self.sender.clone(),
                }),
            },
        );
        Ok(())
    }

    /// Waits for news, at most for `wait`.
    pub(super) fn news(&self, wait: Duration) -> Option<(usize, News)> {
        self.news.recv_timeout(wait).ok()
    }

    /// Channel of news.
    pub(super) fn channel(&self) -> &Receiver<(usize, News)> {
        &self.news
    }

    /// Ends the converters. Their children are waited for, so that their processor time counts as this program's.
    pub(super) fn close(self) {
        let now = Instant::now();
        self.engine.stop(now);
        self.engine.join(now + GRACE);
    }
}

/// Passes news to the main thread.
struct Waiting {
    number: usize,
    sender: Sender<(usize, News)>,
}

impl Watcher for Waiting {
    fn progress(&self, progress: Progress) {
        if self.sender.len() < MOST_NEWS {
            // This cannot fail, because the receiver outlives the job.
            let _ = self.sender.send((self.number, News::Progress(progress)));
        }
    }

    fn ended(self: Box<Self>, result: Result<Finished>) {
        let _ = self.sender.send((self.number, News::Ended(result)));
    }
}

/// Wishes of the command line for the results, but their format.
#[derive(Default)]
pub(super) struct Wanted {
    /// Format of files that neither their contents nor their names tell.
    from: Option<String>,
    quality: Option<String>,
    options: Vec<(String, String)>,
}

impl Wanted {
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
            let hint = nearest::hint(&name, names(is_read));
            return Err(Failure::Usage(format!(
                "--from is {text:?}, which is not a format that convertd reads{hint}"
            )));
        }
        self.from = Some(name);
        Ok(())
    }

    /// Checks what can be wrong whatever the files are.
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
        let pair = text
            .split_once('=')
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.options.push(pair.ok_or_else(|| {
            Failure::Usage(format!("--option is {text:?}; it must be NAME=VALUE"))
        })?);
        Ok(())
    }
}

/// A file that is ready to be converted.
pub(super) struct Work {
    task: Task,
    route: &'static Route,
    input: File,
    input_len: u64,
}

impl Work {
    /// Finds out what a file is, and whether that can be made of it which is wanted. `name` is its name without directories, if it
    /// has one.
    ///
    /// Errors: [`Kind::BadInput`] if it cannot.
    pub(super) fn new(
        input: File,
        input_len: u64,
        name: Option<&OsStr>,
        target: &str,
        wanted: &Wanted,
    ) -> Result<Self> {
        let reader = input.try_clone().map_err(unopened)?;
        let name = name.map(OsStr::to_string_lossy);
        let is_named = name.is_some();
        // A format that was said counts as an extension does: for what contents do not tell.
        let name = match &wanted.from {
            Some(from) => Some(format!("{}.{from}", name.unwrap_or("input".into())).into()),
            None => name,
        };
        let (mut task, route) = plan(&mut BufReader::new(reader), name.as_deref(), target, wanted)?;
        if !is_named {
            task.file_title = None;
        }
        Ok(Self {
            task,
            route,
            input,
            input_len,
        })
    }

    /// The length of the file in bytes.
    pub(super) fn input_len(&self) -> u64 {
        self.input_len
    }
}

/// A format that can be written, by the name that somebody gave it in `written`: a path, or `--to` and a name.
///
/// Errors: [`Failure::Usage`] with what a file of the format `from` can become, if that is known.
pub(super) fn target(
    name: &str,
    written: &str,
    from: Option<&Format>,
) -> Result<&'static Format, Failure> {
    let is_written = |format: &Format| registry::routes_to(format).next().is_some();
    let normal = crate::format::normalise(name);
    let why = match registry::by_name(&normal) {
        Some(format) if is_written(format) => return Ok(format),
        Some(format) => format!("{} is only read", format.name),
        None => {
            let hint = nearest::hint(&normal, names(is_written));
            format!("there is no format {name:?}{hint}")
        }
    };
    let list = |formats: Vec<&str>| formats.join(", ");
    let possible = match from {
        Some(from) => {
            let targets = registry::targets_of(from).map(|format| format.name);
            format!("{} becomes {}", from.name, list(targets.collect()))
        }
        None => format!("written are {}", list(names(is_written).collect())),
    };
    Err(Failure::Usage(format!("{written}: {why}; {possible}")))
}

/// Names of formats.
fn names(which: impl Fn(&Format) -> bool) -> impl Iterator<Item = &'static str> {
    registry::formats()
        .filter(move |format| which(format))
        .map(|format| format.name)
}

fn unopened(err: std::io::Error) -> Error {
    Error::internal("the input cannot be opened twice", err)
}

/// Identifies the input, and checks the target format and the options.
///
/// Unlike the service, which ignores unknown form fields because a form may serve other purposes, too, the command refuses
/// unknown options: an unknown option on the command line is a mistake.
fn plan(
    input: &mut dyn Input,
    name: Option<&str>,
    target: &str,
    wanted: &Wanted,
) -> Result<(Task, &'static Route)> {
    let refuse = |text: String| Error::new(Kind::BadInput, text);
    let field = |name: &str| {
        let mut values = wanted.options.iter().filter(|(key, _)| key == name);
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(refuse(format!("the option {name:?} is given twice"))),
            (first, None) => Ok(first.map(|(_, value)| value.clone())),
        }
    };
    let request = TargetRequest {
        target,
        quality: wanted.quality.as_deref(),
        file_name: name,
        field: &field,
        terms: Terms::CommandLine,
    };
    let (task, route) = request.plan(input)?;
    let known: Vec<_> = route.pair.options.iter().map(|spec| spec.name).collect();
    for (name, _) in &wanted.options {
        if !known.contains(&name.as_str()) {
            let (from, to) = (route.pair.from.name, route.pair.to.name);
            let possible = match known.is_empty() {
                true => "this conversion takes no options".to_owned(),
                false => format!("possible are {}", known.join(", ")),
            };
            return Err(refuse(format!(
                "there is no option {name:?} for {from} to {to}; {possible}"
            )));
        }
    }
    Ok((task, route))
}
