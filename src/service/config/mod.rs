//! The configuration: the value of every option, and its sources (defaults, a file, variables, flags). Reads only the
//! files that an option names.

mod file;
mod options;
#[cfg(test)]
mod tests;
mod values;

pub use options::{OPTIONS, Opt};
pub(crate) use values::bytes;

use crate::{
    api::Compat,
    base_path::BasePath,
    engine::{Fonts, Isolation, Languages},
    error::{Error, Kind, Result},
    keys::Keys,
    logging, machine,
    network::Network,
    store::{Durability, Target},
};
use log::LevelFilter;
use std::{ffi::OsString, net::SocketAddr, path::PathBuf, time::Duration};

/// The environment variable that holds API keys, separated by commas.
pub(crate) const KEYS: &str = "CONVERTD_API_KEYS";

/// The values of all options of `convertd serve`.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address and port to listen on; port 0 picks a free port.
    pub listen: SocketAddr,
    /// Address of a separate listener for metrics, which needs no key. If `None`, the main listener serves them.
    pub admin_listen: Option<SocketAddr>,
    /// The directory for uploads and results.
    pub data_dir: PathBuf,
    /// The maximum number of uploads at the same time.
    pub workers: usize,
    /// The maximum number of conversions at the same time.
    pub converters: usize,
    /// The number of uploads that may wait for a worker, and of conversions that may wait for a converter.
    pub queue: usize,
    /// The maximum length of an uploaded file in bytes.
    pub max_upload: u64,
    /// Lifetime of a download link.
    pub link_ttl: Duration,
    /// The maximum number of conversions in the store: open links and unfinished conversions.
    pub max_links: usize,
    /// Failures that an answered conversion survives.
    pub durability: Durability,
    /// The Redis server that instances share. If it is `None`, everything is stored in the data directory.
    pub store: Option<Target>,
    /// Time without a heartbeat after which other instances take over an instance's jobs.
    pub lease: Duration,
    /// The memory for all running conversions together, in bytes.
    pub memory: u64,
    /// The time that a conversion may take. It gets 5 s more for each MiB of its input.
    pub job_timeout: Duration,
    /// Isolation of codecs: in child processes or in threads.
    pub isolation: Isolation,
    /// The fonts in addition to those that are compiled in.
    pub fonts: Fonts,
    /// The languages for text recognition.
    pub languages: Languages,
    /// The API keys that clients may use; without keys, the API is open to everybody.
    pub keys: Keys,
    /// The web origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// Host names that clients may send in `Host`, besides those of this machine. If the list is empty, only a service
    /// on loopback checks `Host`.
    pub allow_hosts: Vec<String>,
    /// The web origins whose pages may send requests that change something, although they cannot read the answers.
    pub allow_origins: Vec<String>,
    /// The maximum number of open connections.
    pub max_connections: usize,
    /// The maximum number of open connections from one address; 0 for no limit. By default a quarter of all, and no
    /// limit if there are trusted proxies. Loopback is exempt.
    pub connections_per_address: Option<usize>,
    /// The maximum number of unfinished conversions of one address; 0 for no limit. By default eight for each
    /// converter, but at most half the queue. Loopback is exempt.
    pub conversions_per_address: Option<usize>,
    /// Prefix of all paths behind a proxy that serves other services, too: empty, or a path such as `/convert`.
    pub base_path: BasePath,
    /// The services whose APIs are imitated, so that their clients can use this service.
    pub compat: Compat,
    /// The proxies whose `X-Forwarded-For` header is trusted.
    pub trusted_proxies: Vec<Network>,
    /// The maximum length of a result in bytes.
    pub max_output: u64,
    /// The minimum rate at which a client must send a request or receive an answer, in bytes per second.
    pub min_rate: u64,
    /// The least severe level that is logged.
    pub log: LevelFilter,
    /// Format of the log's lines.
    pub log_format: logging::Format,
}

impl Config {
    /// The default configuration on this machine.
    pub fn new() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            admin_listen: None,
            data_dir: "convertd-data".into(),
            workers: 64,
            converters: machine::cores(),
            queue: 64,
            max_upload: 100 << 20,
            link_ttl: Duration::from_secs(1800),
            max_links: 16_384,
            durability: Durability::default(),
            store: None,
            lease: Duration::from_secs(15),
            memory: (machine::memory() / 4).max(16 << 20),
            job_timeout: Duration::from_secs(60),
            isolation: Isolation::default(),
            fonts: Fonts::default(),
            languages: Languages::default(),
            keys: Keys::default(),
            cors_origins: Vec::new(),
            allow_hosts: Vec::new(),
            allow_origins: Vec::new(),
            max_connections: 16_384,
            connections_per_address: None,
            conversions_per_address: None,
            base_path: BasePath::default(),
            compat: Compat::default(),
            trusted_proxies: Vec::new(),
            max_output: 2 << 30,
            min_rate: 16 << 10,
            log: LevelFilter::Info,
            log_format: logging::Format::Text,
        }
    }

    /// Empties an option whose values are added to a list, so that the values of one source replace those of an earlier
    /// source. Does nothing for other options.
    pub fn empty(&mut self, flag: &str) {
        match flag {
            "api-keys" => self.keys = Keys::default(),
            "cors-origin" => self.cors_origins.clear(),
            "allow-host" => self.allow_hosts.clear(),
            "allow-origin" => self.allow_origins.clear(),
            _ => {}
        }
    }

    /// Sets the options from environment variables. `variable` returns a variable by its name. An empty variable counts
    /// as unset, because files of variables and orchestrators leave omitted values empty.
    ///
    /// Errors: [`Kind::BadInput`] naming the variable and the values that it accepts.
    pub fn read_environment(&mut self, variable: impl Fn(&str) -> Option<OsString>) -> Result<()> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let keys = variable(KEYS);
        for option in OPTIONS {
            let value = variable(option.env);
            // Two variables hold keys, and both count.
            let is_set = value.is_some() || option.flag == "api-keys" && keys.is_some();
            if is_set {
                self.empty(option.flag);
            }
            if let Some(value) = value {
                // Bytes that are not UTF-8 are replaced, because messages show the value.
                let value = value.to_string_lossy();
                (option.set)(self, &value)
                    .map_err(|expected| option.wrong(option.env, &value, &expected))?;
            }
        }
        if let Some(keys) = keys {
            self.add_keys(&keys.to_string_lossy())
                .map_err(|text| Error::new(Kind::BadInput, text))?;
        }
        Ok(())
    }

    /// Adds API keys, separated by commas.
    ///
    /// Errors: the text holds no key. An operator who sets keys wants them to be required, so an empty value must not
    /// open the API to everybody.
    fn add_keys(&mut self, text: &str) -> std::result::Result<(), String> {
        let keys = Keys::separated_by_commas(text);
        if keys.is_empty() {
            return Err(format!(
                "{KEYS} is set, but contains no key; unset it to serve clients without keys"
            ));
        }
        self.keys.extend(keys);
        Ok(())
    }

    /// Sets one option by its flag, given without the dashes. Returns false for an unknown flag.
    ///
    /// Errors: [`Kind::BadInput`] naming the flag and the values that it accepts.
    pub fn set(&mut self, flag: &str, value: &str) -> Result<bool> {
        let Some(option) = OPTIONS.iter().find(|option| option.flag == flag) else {
            return Ok(false);
        };
        (option.set)(self, value)
            .map_err(|expected| option.wrong(&format!("--{flag}"), value, &expected))?;
        Ok(true)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}
