//! `convertd convert`: converts one file with the converters of the service, without a running service. Never replaces an
//! existing file before the result is complete.

use super::{Failure, Outcome};
use crate::{
    config::Config,
    engine::{Cancel, Engine, Finished, Order, Settings, Watcher},
    error::{Error, Kind, Result},
    format,
    id::ConversionId,
    job::{Input, Quality, Task},
    registry::{self, Route, Terms, Wish},
};
use crossbeam_channel::{Sender, bounded};
use lexopt::{Arg, Parser, ValueExt};
use std::{
    env,
    fs::{self, File},
    io::{self, BufReader, Seek},
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

/// How long the end of the child is waited for.
const GRACE: Duration = Duration::from_secs(2);

/// The options of the command line.
#[derive(Default)]
struct Request {
    to: Option<String>,
    quality: Option<String>,
    options: Vec<(String, String)>,
    /// The value of `--fonts`.
    fonts: Option<String>,
}

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let (mut request, mut paths) = (Request::default(), Vec::<PathBuf>::new());
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::say(&super::help()),
            Arg::Long("to") => request.to = Some(parser.value()?.string()?),
            Arg::Long("quality") => {
                let text = parser.value()?.string()?;
                Quality::parse(Terms::CommandLine.quality(), &text)
                    .map_err(|error| Failure::Usage(error.message().to_owned()))?;
                request.quality = Some(text);
            }
            Arg::Long("fonts") => request.fonts = Some(parser.value()?.string()?),
            Arg::Long("option") => {
                let text = parser.value()?.string()?;
                let pair = text
                    .split_once('=')
                    .map(|(name, value)| (name.to_owned(), value.to_owned()));
                request.options.push(pair.ok_or_else(|| {
                    Failure::Usage(format!("--option is {text:?}; it must be NAME=VALUE"))
                })?);
            }
            Arg::Value(path) if paths.len() < 2 => paths.push(path.into()),
            _ => return Err(argument.unexpected().into()),
        }
    }
    let [input, output] = &paths[..] else {
        return Err(Failure::Usage(
            "convert needs an input file and an output file".into(),
        ));
    };
    let to = request
        .to
        .take()
        .or_else(|| format::extension(&output.to_string_lossy()))
        .ok_or_else(|| {
            Failure::Usage(format!(
                "{} has no extension that tells the format; name the format with --to",
                output.display()
            ))
        })?;
    let finished = convert(input, output, &to, &request)?;
    for note in &finished.notes.0 {
        eprintln!("convertd: {note}");
    }
    if finished.notes.is_archive() && !is_named_archive(output) {
        eprintln!(
            "convertd: the result is a ZIP archive of {to} files, whatever {} is called",
            output.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether nobody takes the output for something other than an archive.
fn is_named_archive(output: &Path) -> bool {
    let extension = format::extension(&output.to_string_lossy());
    output == Path::new(STANDARD) || extension.as_deref() == Some(format::ARCHIVE_EXTENSION)
}

fn convert(from: &Path, to: &Path, target: &str, request: &Request) -> Result<Finished> {
    registry::target(target, Terms::CommandLine)?;
    let mut config = Config::new();
    if let Some(directory) = &request.fonts {
        config.set("fonts", directory)?;
    }
    let about = |path: &Path, what: &str| format!("{} cannot be {what}", path.display());
    let input = source(from)
        .map_err(|err| Error::new(Kind::Internal, about(from, "read")).caused_by(err))?;
    let input_len = input
        .metadata()
        .map_err(|err| Error::new(Kind::Internal, about(from, "read")).caused_by(err))?
        .len();
    if input_len == 0 {
        return Err(Error::new(
            Kind::BadInput,
            format!("{} is empty", from.display()),
        ));
    }
    let reader = input
        .try_clone()
        .map_err(|err| Error::internal("the input cannot be opened twice", err))?;
    let (task, route) = plan(&mut BufReader::new(reader), from, target, request)?;

    let unwritable = |err| Error::new(Kind::Internal, about(to, "written")).caused_by(err);
    let place = Target::open(to).map_err(unwritable)?;
    let output = place.file().map_err(unwritable)?;
    let (sender, result) = bounded(1);
    let order = Order {
        task,
        route,
        input,
        input_len,
        output,
        client: None,
        cancel: Cancel::default(),
        watcher: Box::new(Waiting(sender)),
    };
    let engine = start(config, order)?;
    let finished = result.recv();
    // The child is waited for, so that its processor time counts as this program's.
    let now = Instant::now();
    engine.stop(now);
    engine.join(now + GRACE);
    let finished =
        finished.map_err(|err| Error::internal("the conversion ended without a result", err))??;
    place.finish().map_err(unwritable)?;
    Ok(finished)
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
    let extension = format::extension(&path.to_string_lossy());
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
        extension: extension.as_deref(),
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

/// Passes the result of the conversion to the main thread.
struct Waiting(Sender<Result<Finished>>);

impl Watcher for Waiting {
    fn ended(self: Box<Self>, result: Result<Finished>) {
        // This cannot fail, because the receiver outlives the job.
        let _ = self.0.send(result);
    }
}

/// Starts one order on an engine of its own that may use all cores.
fn start(config: Config, order: Order) -> Result<Engine> {
    let engine = Engine::start(Settings {
        converters: 1,
        threads: config.converters,
        queue: 1,
        memory: config.memory,
        max_output: u64::MAX,
        base_time: Duration::from_secs(24 * 3600),
        time_per_mib: Duration::ZERO,
        isolation: config.isolation,
        fonts: config.fonts,
    })?;
    let place = engine.place()?;
    engine.submit(place, order);
    Ok(engine)
}

/// The path that stands for standard input or standard output.
const STANDARD: &str = "-";

/// Opens the input as a file with random access. Anything else, such as a pipe, is copied to a temporary file.
fn source(path: &Path) -> io::Result<File> {
    if path == Path::new(STANDARD) {
        return copied(&mut io::stdin().lock());
    }
    let mut file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if kind.is_file() {
        return Ok(file);
    }
    copied(&mut file)
}

fn copied(from: &mut impl io::Read) -> io::Result<File> {
    let mut file = nameless()?;
    io::copy(from, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// A temporary file for reading and writing. It has no name, so nobody else sees it, and it disappears with this process.
fn nameless() -> io::Result<File> {
    let id = ConversionId::random().map_err(io::Error::other)?;
    let path = env::temp_dir().join(format!("convertd-{id}"));
    let file = create(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

fn create(path: &Path) -> io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
}

/// Where the result is written to.
enum Target {
    /// Written to `part` beside its final `place` and renamed at the end, so that a failure leaves the old file as it was.
    Place { part: PathBuf, place: PathBuf },
    /// Written to a temporary file and copied at the end to something that is not a regular file: `stream`, or standard output
    /// if that is `None`.
    Stream { file: File, stream: Option<File> },
}

impl Target {
    fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new(STANDARD) {
            return Ok(Self::Stream {
                file: nameless()?,
                stream: None,
            });
        }
        // An existing path is opened to find out whether it is a link or a device, and whether it may be written at all.
        let place = match File::options().write(true).open(path) {
            Ok(there) if there.metadata()?.is_file() => fs::canonicalize(path)?,
            Ok(there) => {
                return Ok(Self::Stream {
                    file: nameless()?,
                    stream: Some(there),
                });
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(err) => return Err(err),
        };
        let mut part = place.as_os_str().to_owned();
        let id = ConversionId::random().map_err(io::Error::other)?;
        part.push(format!(".{id}.part"));
        let part = PathBuf::from(part);
        create(&part)?;
        Ok(Self::Place { part, place })
    }

    /// The empty file to write to.
    fn file(&self) -> io::Result<File> {
        match self {
            Self::Place { part, .. } => File::options().read(true).write(true).open(part),
            Self::Stream { file, .. } => file.try_clone(),
        }
    }

    fn finish(mut self) -> io::Result<()> {
        match &mut self {
            Self::Place { part, place } => {
                if let Ok(before) = fs::metadata(&*place) {
                    fs::set_permissions(&*part, before.permissions())?;
                }
                fs::rename(part, place)
            }
            Self::Stream { file, stream } => {
                file.rewind()?;
                match stream {
                    Some(stream) => io::copy(file, stream),
                    None => io::copy(file, &mut io::stdout().lock()),
                }
                .map(drop)
            }
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Self::Place { part, .. } = self {
            // An error means that `finish` has renamed it.
            let _ = fs::remove_file(part);
        }
    }
}
