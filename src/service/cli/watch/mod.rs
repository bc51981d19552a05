//! `convertd watch`: converts files that appear in a folder, for as long as it runs. Opens no port, and writes nothing
//! outside of its two folders.
//!
//! ```text
//! folder (unchanged files) ─► work ─► a part in OUT ─► journal ─► rename the result ─► move the original ─► journal
//! ```
//! The [`journal`] records the state of each file. A result is renamed only after the journal has recorded its future
//! name. After a kill, the next run therefore knows what was finished, and completes or repeats the rest: no file is
//! lost, gets two results, or is visible while it is incomplete.

mod changes;
mod claim;
mod ending;
mod file_version;
mod folder;
mod ignored;
mod journal;
mod main_loop;
mod notes;
mod orders;
mod output_folder;
mod writers;

use super::{
    Failure, Outcome,
    flags::WATCH,
    signals, unexpected,
    work::{self, Wanted},
};
use crate::{
    config::Config,
    error::{Error, Result},
    logging, machine,
};
use crossbeam_channel::{Receiver, bounded};
use ignored::Ignored;
use lexopt::{Arg, Parser, ValueExt};
use main_loop::Watch;
use orders::{Orders, Originals};
use signal_hook::consts::SIGIO;
use std::{env, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

/// Largest value of `--settle`, in seconds.
const MAX_SETTLE: u64 = 86_400;

/// Options of the service that this command has, too.
const OF_THE_SERVICE: [&str; 11] = [
    "converters",
    "fonts",
    "isolation",
    "job-timeout",
    "log",
    "log-format",
    "max-output",
    "max-upload",
    "memory",
    "ocr-data",
    "ocr-languages",
];

/// Parses the command line of `watch`, and watches until it is stopped.
pub(super) fn run(parser: &mut Parser) -> Outcome {
    let usage = |text: String| Failure::Usage(text);
    let (mut to, mut wanted, mut originals) = (None, Wanted::default(), Originals::Move);
    let (mut ignored, mut settle) = (Ignored::default(), None);
    let (mut settings, mut paths) = (Vec::new(), Vec::<PathBuf>::new());
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::help::about("watch", &argument),
            Arg::Short('t') | Arg::Long("to") => to = Some(parser.value()?.string()?),
            Arg::Long("quality") => wanted.take_quality(parser)?,
            Arg::Long("option") => wanted.take_option(parser)?,
            Arg::Long("originals") => {
                let word = parser.value()?.string()?;
                originals = Originals::parse(&word).ok_or_else(|| {
                    usage(format!(
                        "--originals is {word:?}; it must be one of move, delete, keep"
                    ))
                })?;
            }
            Arg::Long("settle") => {
                let text = parser.value()?.string()?;
                let seconds = text.parse().ok().filter(|seconds| *seconds <= MAX_SETTLE);
                settle = Some(Duration::from_secs(seconds.ok_or_else(|| {
                    usage(format!(
                        "--settle is {text:?}; it must be a number of seconds from 0 to {MAX_SETTLE}"
                    ))
                })?));
            }
            Arg::Long("ignore") => {
                let pattern = parser.value()?;
                if !ignored.add(&pattern) {
                    return Err(usage(
                        "--ignore is empty; it must be a pattern such as *.txt or drafts/**".into(),
                    ));
                }
            }
            Arg::Long(name) if OF_THE_SERVICE.contains(&name) => {
                let name = name.to_owned();
                settings.push((name, parser.value()?.string()?));
            }
            #[cfg(feature = "document")]
            Arg::Long("resource-dir") => wanted.resources.add(parser.value()?.into())?,
            #[cfg(feature = "document")]
            Arg::Long("no-resources") => wanted.resources.off = true,
            Arg::Value(path) if paths.len() < 2 => paths.push(path.into()),
            _ => return Err(unexpected(argument, WATCH, &OF_THE_SERVICE)),
        }
    }
    let mut config = Config::new();
    let wrong = |error: Error| Failure::usage(&error);
    config
        .read_environment(|name| env::var_os(name))
        .map_err(wrong)?;
    for (flag, value) in settings {
        config.set(&flag, &value).map_err(wrong)?;
    }
    let Ok([input, output]) = <[PathBuf; 2]>::try_from(paths) else {
        return Err(usage(
            "watch needs a folder to watch, and one for the results".into(),
        ));
    };
    wanted.check()?;
    if let Some(to) = &to {
        work::target(to, &format!("--to {to}"), None)?;
    }
    let orders = Orders {
        input: orders::folder(&input, "watched")?,
        output: orders::made(&output)?,
        to,
        wanted,
        originals,
        settle,
    };
    if let Some(why) = orders.contradiction() {
        return Err(usage(why));
    }
    watch(orders, ignored, &config)
}

/// Runs the watch until a signal ends it.
fn watch(orders: Orders, ignored: Ignored, config: &Config) -> Outcome {
    machine::keep_to_one_heap();
    logging::start(config.log, config.log_format)
        .map_err(|err| Error::internal("the log cannot be started", err))?;
    machine::keep_descriptors_from_children();
    machine::survive_the_limit_on_files()
        .map_err(|err| Error::internal("signals cannot be received", err))?;
    super::warn_of_variables();
    let stopped = stopped_by_signals()?;
    let ended = Watch::start(orders, ignored, config).and_then(|watch| watch.run(&stopped));
    logging::flush();
    ended?;
    Ok(ExitCode::SUCCESS)
}

/// Channel that receives a message when the program must end.
fn stopped_by_signals() -> Result<Receiver<()>> {
    // The kernel sends SIGIO to the holder of a lease when another process opens the file (fcntl(2)). Without a
    // handler, the signal would end this program.
    signal_hook::flag::register(SIGIO, Arc::default())
        .map_err(|err| Error::internal("signals cannot be received", err))?;
    let (sender, stopped) = bounded(1);
    signals::on_first(move || {
        // A full channel means that a message is waiting already.
        let _ = sender.try_send(());
    })?;
    Ok(stopped)
}
