//! `convertd convert`: the same converters as the service's, without the service.

use super::{Failure, Outcome};
use crate::{
    config::Config,
    convert::{Cancel, Engine, Finished, Options, Order, Plan, Quality, Settings, registry},
    error::{Error, Kind, Result},
    format,
};
use crossbeam_channel::bounded;
use lexopt::{Arg, Parser, ValueExt};
use std::{
    fs::{self, File},
    io::BufReader,
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
    let input = File::open(from)
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

    // Beside the target, so that a failure leaves what was there before.
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = Part(PathBuf::from(part));
    let unwritable = |err| Error::new(Kind::Internal, about(to, "written")).caused_by(err);
    let output = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&part.0)
        .map_err(unwritable)?;
    let finished = run_order(Order {
        plan,
        to_name: format::normalise(to_name),
        quality,
        options,
        input,
        input_len,
        output,
        cancel: Cancel::default(),
        progress: Box::new(|_, _| {}),
        done: Box::new(|_| {}),
    })?;
    fs::rename(&part.0, to).map_err(unwritable)?;
    Ok(finished)
}

fn checked(plan: Plan, given: Vec<(String, String)>) -> Result<Options> {
    let mut options = Options::default();
    for (name, value) in given {
        let known = plan
            .converter
            .options
            .iter()
            .find(|option| option.name == name);
        let option = known.ok_or_else(|| {
            Error::new(Kind::BadInput, format!("there is no option {name:?} here"))
        })?;
        if !(option.check)(&value) {
            return Err(Error::new(
                Kind::BadInput,
                format!("{name} is {value:?}; it must be: {}", option.help),
            ));
        }
        options.insert(name, value);
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

/// A file that is removed unless it has been renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // Gone already if all went well.
        let _ = fs::remove_file(&self.0);
    }
}
