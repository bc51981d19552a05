//! `convertd convert`: the same converters as the service's, without the service.

use super::{Failure, Outcome};
use crate::{
    config::Config,
    engine::{Cancel, Engine, Finished, Order, Settings},
    error::{Error, Kind, Result},
    format,
    id::ConversionId,
    job::{Options, Quality},
    registry::{self, Plan},
};
use crossbeam_channel::bounded;
use lexopt::{Arg, Parser, ValueExt};
use std::{
    env,
    fs::{self, File},
    io::{self, BufReader, Seek},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let (mut to, mut quality, mut paths) = (None, Quality::default(), Vec::<PathBuf>::new());
    let mut options = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::say(&super::help()),
            Arg::Long("to") => to = Some(parser.value()?.string()?),
            Arg::Long("quality") => {
                let parsed = parser.value()?.string()?.parse::<Quality>();
                quality =
                    parsed.map_err(|error| Failure::Usage(format!("--{}", error.message())))?;
            }
            Arg::Long("option") => {
                let text = parser.value()?.string()?;
                let pair = text
                    .split_once('=')
                    .map(|(name, value)| (name.to_owned(), value.to_owned()));
                options.push(pair.ok_or_else(|| {
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
    let to = to
        .or_else(|| format::extension(&output.to_string_lossy()))
        .ok_or_else(|| {
            Failure::Usage(format!(
                "{} has no extension to tell the format by; give it with --to",
                output.display()
            ))
        })?;
    let finished = convert(input, output, &to, quality, options)?;
    for note in &finished.notes.0 {
        eprintln!("convertd: {note}");
    }
    Ok(ExitCode::SUCCESS)
}

fn convert(
    from: &Path,
    to: &Path,
    to_name: &str,
    quality: Quality,
    options: Vec<(String, String)>,
) -> Result<Finished> {
    let to_format = registry::target(to_name)?;
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
    let extension = format::extension(&from.to_string_lossy());
    let reader = input
        .try_clone()
        .map_err(|err| Error::internal("the input cannot be opened twice", err))?;
    let plan = registry::plan(
        registry::identify(&mut BufReader::new(reader), extension.as_deref())?,
        to_format,
    )?;
    let options = checked(plan, options)?;

    let unwritable = |err| Error::new(Kind::Internal, about(to, "written")).caused_by(err);
    let target = Target::open(to).map_err(unwritable)?;
    let output = target.file().map_err(unwritable)?;
    let finished = run_order(Order {
        plan,
        to_name: format::normalise(to_name),
        quality,
        options,
        input,
        input_len,
        output,
        cancel: Cancel::default(),
        began: Box::new(|| {}),
        progress: Box::new(|_, _| {}),
        done: Box::new(|_| {}),
    })?;
    target.finish().map_err(unwritable)?;
    Ok(finished)
}

fn checked(plan: Plan, given: Vec<(String, String)>) -> Result<Options> {
    let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
    let mut options = Options::default();
    for (name, value) in given {
        let known = plan.converter.options.iter().find(|it| it.name == name);
        let Some(option) = known else {
            return refuse(format!("there is no option {name:?} here"));
        };
        if options.get(&name).is_some() {
            return refuse(format!("the option {name:?} is given twice"));
        }
        options.insert(option.name, option.accept(&value)?);
    }
    Ok(options)
}

/// Runs one order on an engine of its own, with every core.
fn run_order(mut order: Order) -> Result<Finished> {
    let config = Config::new();
    let engine = Engine::start(Settings {
        converters: 1,
        threads: config.converters,
        queue: 1,
        memory: config.memory,
        max_output: u64::MAX,
        base_time: Duration::from_secs(24 * 3600),
        time_per_mib: Duration::ZERO,
        isolation: config.isolation,
    })?;
    let (sender, result) = bounded(1);
    // The receiver outlives the job.
    order.done = Box::new(move |result| drop(sender.send(result)));
    engine.submit(order)?;
    result
        .recv()
        .map_err(|err| Error::internal("the conversion ended without a result", err))?
}

/// Stands for standard input or standard output.
const STANDARD: &str = "-";

/// A file to read from its beginning, any number of times. What cannot be read so, a pipe, is copied.
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

/// A file for reading and writing that nobody else sees, and that goes with this process.
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

/// Where a result goes.
enum Target {
    /// Written beside the place that it takes in the end, so that a failure leaves what was there before.
    Place { part: PathBuf, place: PathBuf },
    /// Copied in the end to what is no regular file, or to standard output without one.
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
        // Opened, as it may be a link, a device, or not ours to replace.
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
            // Gone already if all went well.
            let _ = fs::remove_file(part);
        }
    }
}
