//! `convertd serve`: runs the service. SIGTERM or SIGINT stops it in good order, with exit code 0; a second signal ends
//! it immediately. Never becomes a daemon: it stays in the foreground.

use super::{Failure, Outcome, signals};
use crate::{
    config::{Config, KEYS, OPTIONS},
    error::Error,
    logging, machine, nearest,
    service::Service,
};
use lexopt::{Arg, Parser, ValueExt};
use std::process::ExitCode;

/// Reads the value of an option of `serve`.
pub(super) fn value_of(parser: &mut Parser, flag: &str) -> Result<String, Failure> {
    if OPTIONS.iter().any(|option| option.flag == flag) {
        Ok(parser.value()?.string()?)
    } else {
        let known = OPTIONS.iter().map(|option| option.flag);
        let hint = nearest::flag_hint(flag, known);
        Err(Failure::Usage(format!("there is no option --{flag}{hint}")))
    }
}

/// Collects the options from flags, variables and the file, each of which overrides the next, and serves.
pub(super) fn run(parser: &mut Parser, mut settings: Vec<(String, String)>) -> Outcome {
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::help::about("serve", &argument),
            Arg::Long(flag) => {
                let flag = flag.to_owned();
                let value = value_of(parser, &flag)?;
                settings.push((flag, value));
            }
            Arg::Short(_) | Arg::Value(_) => return Err(argument.unexpected().into()),
        }
    }
    let mut config = Config::new();
    let usage = |error: Error| Failure::usage(&error);
    // A flag takes precedence over its variable, which is then not even checked.
    let flagged = |name: &str| {
        let option = OPTIONS.iter().find(|option| option.env == name);
        option.is_some_and(|option| settings.iter().any(|(flag, _)| flag == option.flag))
    };
    // The file is read first, so that variables override it, and the flags last.
    if settings.iter().filter(|(flag, _)| flag == "config").count() > 1 {
        let text = "--config is given twice; name one file".to_owned();
        return Err(Failure::Usage(text));
    }
    if let Some((_, file)) = settings.iter().find(|(flag, _)| flag == "config") {
        config.set("config", file).map_err(usage)?;
    }
    config
        .read_environment(|name| (!flagged(name)).then(|| std::env::var_os(name)).flatten())
        .map_err(usage)?;
    // A flag replaces the list that variables and the file have set, except API keys from the environment. No flag can
    // hold keys themselves, so those keys stay valid beside the keys of the file that `--api-keys` names.
    let has_keys = std::env::var_os(KEYS).is_some_and(|keys| !keys.is_empty());
    for (flag, _) in &settings {
        if flag != "api-keys" || !has_keys {
            config.empty(flag);
        }
    }
    for (flag, value) in settings.into_iter().filter(|(flag, _)| flag != "config") {
        config.set(&flag, &value).map_err(usage)?;
    }
    serve(&config)
}

/// Runs the service until it is stopped.
fn serve(config: &Config) -> Outcome {
    // This call comes first: the allocator must be set up before the log starts its thread.
    machine::keep_to_one_heap();
    logging::start(config.log, config.log_format)
        .map_err(|err| Error::internal("the log cannot be started", err))?;
    machine::keep_descriptors_from_children();
    machine::survive_the_limit_on_files()
        .map_err(|err| Error::internal("signals cannot be received", err))?;
    if config.keys.is_empty() && std::env::var_os(KEYS).is_some() {
        log::warn!("{KEYS} is empty, so the service requires no API key");
    }
    super::warn_of_variables();
    let started = Service::start(config);
    let service = match started {
        Ok(service) => service,
        Err(error) => {
            logging::flush();
            return Err(error.into());
        }
    };
    let stopper = service.stopper();
    signals::on_first(move || {
        log::info!("stopping: running requests are completed, waiting ones are rejected");
        stopper.stop();
    })?;
    if let Some(address) = service.admin_address() {
        logging::announce(&format!("metrics are on http://{address}/metrics"));
    }
    logging::announce(&format!("listening on http://{}", service.address()));
    let ended = service.join();
    match &ended {
        Ok(true) => log::info!("stopped"),
        Ok(false) => log::info!("stopped before everything was finished"),
        Err(error) => log::error!("{error}"),
    }
    logging::flush();
    ended?;
    Ok(ExitCode::SUCCESS)
}
