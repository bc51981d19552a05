//! Conversions on an engine of their own, without a service: what is wanted of a file is checked, and the file is handed over.
//! Prints nothing.

use super::{
    Request,
    place::{STANDARD, Target, source},
};
use crate::{
    engine::{Cancel, Engine, Finished, Order, Settings, Watcher},
    error::{Error, Kind, Result},
    job::{Input, Progress, Task},
    registry::{Route, Terms, Wish},
};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::{
    io::BufReader,
    path::Path,
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
    /// Starts as many converters as there is work for, at the most one a core. `at_once` is the number of conversions.
    pub(super) fn open(request: &Request, at_once: usize) -> Result<Self> {
        let config = &request.config;
        let converters = config.converters.min(at_once).max(1);
        let engine = Engine::start(Settings {
            converters,
            stopped: 0,
            threads: config.converters,
            queue: converters,
            memory: config.memory,
            max_output: config.max_output,
            base_time: Duration::from_secs(24 * 3600),
            time_per_mib: Duration::ZERO,
            isolation: config.isolation.clone(),
            fonts: config.fonts.clone(),
        })?;
        let (sender, news) = unbounded();
        Ok(Self {
            engine,
            sender,
            news,
        })
    }

    /// Hands over a file. The news of it come with `number`. There is room for as many as there are converters, and as many
    /// again that wait.
    pub(super) fn submit(&self, number: usize, work: &Work) -> Result<()> {
        let about = |err| work.unwritable(err);
        let place = self.engine.place(None)?;
        self.engine.submit(
            place,
            Order {
                task: work.task.clone(),
                route: work.route,
                input: work
                    .input
                    .try_clone()
                    .map_err(|err| Error::internal("the input cannot be opened twice", err))?,
                input_len: work.input_len,
                output: work.target.file().map_err(about)?,
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

/// A file that is ready to be converted.
pub(super) struct Work {
    task: Task,
    route: &'static Route,
    input: std::fs::File,
    input_len: u64,
    target: Target,
    /// What the place of the result is called.
    place: String,
}

impl Work {
    /// Opens a file, finds out what it is, and makes a place for its result.
    ///
    /// Errors: the file cannot be read, or not be converted, or the result not be written.
    pub(super) fn new(from: &Path, to: &Path, target: &str, request: &Request) -> Result<Self> {
        let unreadable = |err| {
            let text = format!("{} cannot be read", from.display());
            Error::new(Kind::Internal, text).caused_by(err)
        };
        let input = source(from).map_err(unreadable)?;
        let input_len = input.metadata().map_err(unreadable)?.len();
        if input_len == 0 {
            let text = format!("{} is empty", from.display());
            return Err(Error::new(Kind::BadInput, text));
        }
        let reader = input
            .try_clone()
            .map_err(|err| Error::internal("the input cannot be opened twice", err))?;
        let (task, route) = plan(&mut BufReader::new(reader), from, target, request)?;
        let place = to.display().to_string();
        let target = Target::open(to).map_err(|err| unwritable(&place, err))?;
        Ok(Self {
            task,
            route,
            input,
            input_len,
            target,
            place,
        })
    }

    /// The length of the file in bytes.
    pub(super) fn input_len(&self) -> u64 {
        self.input_len
    }

    /// Puts the result where it belongs, and says how many bytes it has.
    pub(super) fn finish(self) -> Result<u64> {
        let Self { target, place, .. } = self;
        let about = |err| unwritable(&place, err);
        let file = target.file().map_err(about)?;
        let len = file.metadata().map_err(about)?.len();
        target.finish().map_err(about)?;
        Ok(len)
    }

    fn unwritable(&self, err: std::io::Error) -> Error {
        unwritable(&self.place, err)
    }
}

fn unwritable(place: &str, err: std::io::Error) -> Error {
    Error::new(Kind::Internal, format!("{place} cannot be written")).caused_by(err)
}

/// Identifies the input, and checks the target format and the options.
///
/// Unlike the service, which ignores unknown form fields because a form may serve other purposes, too, the command refuses
/// unknown options: an unknown option on the command line is a mistake.
fn plan(
    input: &mut dyn Input,
    path: &Path,
    target: &str,
    request: &Request,
) -> Result<(Task, &'static Route)> {
    let refuse = |text: String| Error::new(Kind::BadInput, text);
    let name = path.file_name().filter(|_| path != Path::new(STANDARD));
    let name = name.map(|name| name.to_string_lossy());
    let field = |name: &str| {
        let mut values = request.options.iter().filter(|(key, _)| key == name);
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(refuse(format!("the option {name:?} is given twice"))),
            (first, None) => Ok(first.map(|(_, value)| value.clone())),
        }
    };
    let wish = Wish {
        target,
        quality: request.quality.as_deref(),
        file_name: name.as_deref(),
        field: &field,
        terms: Terms::CommandLine,
    };
    let (task, route) = wish.plan(input)?;
    let known: Vec<_> = route.pair.options.iter().map(|spec| spec.name).collect();
    for (name, _) in &request.options {
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
