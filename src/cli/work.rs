//! Conversions on an engine of their own, without a service: what is wanted of a file is checked, and the file is handed over.
//! Prints nothing, and knows no places.

use super::Failure;
use crate::{
    engine::{Cancel, Engine, Finished, Order, Settings, Watcher},
    error::{Error, Kind, Result},
    job::{Input, Progress, Quality, Task},
    registry::{Route, TargetRequest, Terms},
};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lexopt::{Parser, ValueExt};
use std::{
    ffi::OsStr,
    fs::File,
    io::BufReader,
    time::{Duration, Instant},
};

/// How long the end of the children is waited for.
const GRACE: Duration = Duration::from_secs(2);

/// What is heard of a conversion.
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

    /// Where news come.
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
        // This cannot fail, because the receiver outlives the job.
        let _ = self.sender.send((self.number, News::Progress(progress)));
    }

    fn ended(self: Box<Self>, result: Result<Finished>) {
        let _ = self.sender.send((self.number, News::Ended(result)));
    }
}

/// What the command line says of the results, but their format.
#[derive(Default)]
pub(super) struct Wanted {
    quality: Option<String>,
    options: Vec<(String, String)>,
}

impl Wanted {
    /// Takes the value of `--quality`.
    pub(super) fn take_quality(&mut self, parser: &mut Parser) -> Result<(), Failure> {
        let text = parser.value()?.string()?;
        Quality::parse(Terms::CommandLine.quality(), &text)
            .map_err(|error| Failure::Usage(error.message().to_owned()))?;
        self.quality = Some(text);
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
        let (task, route) = plan(&mut BufReader::new(reader), name.as_deref(), target, wanted)?;
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
                true => "there are none".to_owned(),
                false => format!("possible are {}", known.join(", ")),
            };
            return Err(refuse(format!(
                "there is no option {name:?} for {from} to {to}; {possible}"
            )));
        }
    }
    Ok((task, route))
}
