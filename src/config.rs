//! The configuration: one table of options, each of which is a flag and an environment variable. Reads no file except the file
//! of API keys.

use crate::{
    base_path::BasePath,
    engine::Isolation,
    error::{Error, Kind, Result},
    keys::Keys,
    logging, machine,
    network::Network,
    store::{Durability, Target},
};
use log::LevelFilter;
use std::{ffi::OsString, fs, net::SocketAddr, path::PathBuf, time::Duration};

/// All options of `convertd serve`.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address and port to listen on; port 0 picks a free port.
    pub listen: SocketAddr,
    /// Where metrics are served, alone and to anybody; otherwise they are where everything else is.
    pub admin_listen: Option<SocketAddr>,
    /// The directory for uploads and results.
    pub data_dir: PathBuf,
    /// The number of uploads that are served at once.
    pub workers: usize,
    /// The number of conversions that run at once.
    pub converters: usize,
    /// The number of uploads that may wait for a worker, and of conversions that may wait for a converter.
    pub queue: usize,
    /// The maximum length of an uploaded file in bytes.
    pub max_upload: u64,
    /// How long a download link works.
    pub link_ttl: Duration,
    /// The maximum number of conversions in the store: open links, and what is under way.
    pub max_links: usize,
    /// What everything that was answered survives.
    pub durability: Durability,
    /// The engine that instances share; without one, everything is in the data directory.
    pub store: Option<Target>,
    /// How long an instance may be silent before others take up what it had.
    pub lease: Duration,
    /// The memory for all running conversions together, in bytes.
    pub memory: u64,
    /// The time that a conversion may take. It gets 5 s more for each MiB of its input.
    pub job_timeout: Duration,
    /// Whether codecs run in child processes or in threads.
    pub isolation: Isolation,
    /// A directory with fonts in addition to those that are compiled in.
    pub fonts: Option<PathBuf>,
    /// The API keys that clients may use; if there are none, the API is open to everybody.
    pub keys: Keys,
    /// The web origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// The maximum number of open connections.
    pub max_connections: usize,
    /// The maximum number of open connections from one address; 0 for no limit, by default a quarter of all. Loopback is
    /// exempt.
    pub connections_per_address: Option<usize>,
    /// The maximum number of unfinished conversions of one address; 0 for no limit, by default eight for each converter, but
    /// at most half the queue. Loopback is exempt.
    pub conversions_per_address: Option<usize>,
    /// What paths begin with behind a proxy that serves other things as well: empty, or `/convert` and the like.
    pub base_path: BasePath,
    /// The proxies whose `X-Forwarded-For` header is believed.
    pub trusted_proxies: Vec<Network>,
    /// The maximum length of a result in bytes.
    pub max_output: u64,
    /// The minimum rate at which a client must send a request or receive an answer, in bytes per second.
    pub min_rate: u64,
    /// The least severe level that is logged.
    pub log: LevelFilter,
    /// How it is written.
    pub log_format: logging::Format,
}

/// One option of `serve`.
#[derive(Debug)]
pub struct Opt {
    /// The flag, without its dashes.
    pub flag: &'static str,
    /// The environment variable that sets the same option.
    pub env: &'static str,
    /// The placeholder for the value in the help text.
    pub value: &'static str,
    /// The default value, as the help text shows it.
    pub default: &'static str,
    /// What the option is for, as the help text says it.
    pub help: &'static str,
    set: fn(&mut Config, &str) -> Result<(), String>,
}

/// All options, in the order of the help text.
pub static OPTIONS: &[Opt] = &[
    Opt {
        flag: "listen",
        env: "CONVERTD_LISTEN",
        value: "ADDR:PORT",
        default: "127.0.0.1:8080",
        help: "where to listen; port 0 picks a free one",
        set: |config, text| {
            put(
                &mut config.listen,
                text.parse().ok(),
                "an address and a port, such as 127.0.0.1:8080",
            )
        },
    },
    Opt {
        flag: "admin-listen",
        env: "CONVERTD_ADMIN_LISTEN",
        value: "ADDR:PORT",
        default: "none",
        help: "a listener of its own for /metrics, without API keys; else it is with the rest",
        set: |config, text| {
            put(
                &mut config.admin_listen,
                text.parse().ok().map(Some),
                "an address and a port, such as 127.0.0.1:9090",
            )
        },
    },
    Opt {
        flag: "data-dir",
        env: "CONVERTD_DATA_DIR",
        value: "DIR",
        default: "convertd-data",
        help: "where uploads and results are kept; nothing is written elsewhere",
        set: |config, text| {
            put(
                &mut config.data_dir,
                (!text.is_empty()).then(|| text.into()),
                "a directory",
            )
        },
    },
    Opt {
        flag: "workers",
        env: "CONVERTD_WORKERS",
        value: "N",
        default: "64",
        help: "uploads that are served at once",
        set: |config, text| {
            put(
                &mut config.workers,
                count(text, 1, 4096),
                "a number from 1 to 4096",
            )
        },
    },
    Opt {
        flag: "converters",
        env: "CONVERTD_CONVERTERS",
        value: "N",
        default: "one a core",
        help: "conversions that run at once",
        set: |config, text| {
            put(
                &mut config.converters,
                count(text, 1, 1024),
                "a number from 1 to 1024",
            )
        },
    },
    Opt {
        flag: "queue",
        env: "CONVERTD_QUEUE",
        value: "N",
        default: "64",
        help: "uploads, and conversions, that may wait; beyond it 503",
        set: |config, text| {
            put(
                &mut config.queue,
                count(text, 1, 65_536),
                "a number from 1 to 65536",
            )
        },
    },
    Opt {
        flag: "max-upload",
        env: "CONVERTD_MAX_UPLOAD",
        value: "BYTES",
        default: "100M",
        help: "the largest file",
        set: |config, text| put(&mut config.max_upload, bytes(text).filter(|&n| n > 0), SIZE),
    },
    Opt {
        flag: "max-output",
        env: "CONVERTD_MAX_OUTPUT",
        value: "BYTES",
        default: "2G",
        help: "the largest result",
        set: |config, text| put(&mut config.max_output, bytes(text), SIZE),
    },
    Opt {
        flag: "link-ttl",
        env: "CONVERTD_LINK_TTL",
        value: "SECONDS",
        default: "1800",
        help: "how long a download link works",
        set: |config, text| {
            let ttl = count(text, 1, 31_536_000).map(|seconds| Duration::from_secs(seconds as u64));
            put(
                &mut config.link_ttl,
                ttl,
                "a number of seconds from 1 to 31536000",
            )
        },
    },
    Opt {
        flag: "max-links",
        env: "CONVERTD_MAX_LINKS",
        value: "N",
        default: "16384",
        help: "open links, and conversions under way, that are kept; beyond it 503",
        set: |config, text| {
            put(
                &mut config.max_links,
                count(text, 1, 10_000_000),
                "a number from 1 to 10000000",
            )
        },
    },
    Opt {
        flag: "durability",
        env: "CONVERTD_DURABILITY",
        value: "KIND",
        default: "power",
        help: "what links survive: power (cuts; a flush each) or process (its crashes; none)",
        set: |config, text| {
            put(
                &mut config.durability,
                text.parse().ok(),
                "power or process",
            )
        },
    },
    Opt {
        flag: "store",
        env: "CONVERTD_STORE",
        value: "URL",
        default: "none",
        help: "a Redis or Valkey that instances share: redis://[[user]:password@]host[:port]",
        set: |config, text| {
            config.store = Some(text.parse()?);
            Ok(())
        },
    },
    Opt {
        flag: "lease",
        env: "CONVERTD_LEASE",
        value: "SECONDS",
        default: "15",
        help: "with --store: after how long a silence others take up what an instance had",
        set: |config, text| {
            let seconds = count(text, 3, 600).map(|seconds| Duration::from_secs(seconds as u64));
            put(
                &mut config.lease,
                seconds,
                "a number of seconds from 3 to 600",
            )
        },
    },
    Opt {
        flag: "memory",
        env: "CONVERTD_MEMORY",
        value: "BYTES",
        default: "a quarter of all",
        help: "memory for all running conversions together",
        set: |config, text| {
            put(
                &mut config.memory,
                bytes(text).filter(|&n| n >= 1 << 20),
                "at least 1M, such as 256M",
            )
        },
    },
    Opt {
        flag: "job-timeout",
        env: "CONVERTD_JOB_TIMEOUT",
        value: "SECONDS",
        default: "60",
        help: "what a conversion may take, and 5 more for each MiB of its file",
        set: |config, text| {
            let time = count(text, 1, 86_400).map(|seconds| Duration::from_secs(seconds as u64));
            put(
                &mut config.job_timeout,
                time,
                "a number of seconds from 1 to 86400",
            )
        },
    },
    Opt {
        flag: "isolation",
        env: "CONVERTD_ISOLATION",
        value: "KIND",
        default: "process",
        help: "what codecs run in: process (a sandboxed child of this program) or thread",
        set: |config, text| {
            put(
                &mut config.isolation,
                text.parse().ok(),
                "process or thread",
            )
        },
    },
    Opt {
        flag: "fonts",
        env: "CONVERTD_FONTS",
        value: "DIR",
        default: "none",
        help: "fonts (ttf, otf, ttc) for PDF and SVG in addition to those compiled in",
        set: |config, path| {
            // Relative to where the program was started: its children work elsewhere.
            let directory = fs::canonicalize(path).and_then(|path| {
                fs::read_dir(&path)?;
                Ok(path)
            });
            let directory =
                directory.map_err(|err| format!("a readable directory ({path}: {err})"))?;
            config.fonts = Some(directory);
            Ok(())
        },
    },
    Opt {
        flag: "api-keys",
        env: "CONVERTD_API_KEYS_FILE",
        value: "FILE",
        default: "none",
        help: "a file with one API key a line; CONVERTD_API_KEYS holds keys themselves",
        set: |config, path| {
            let text = fs::read_to_string(path)
                .map_err(|err| format!("a readable file ({path}: {err})"))?;
            let keys = Keys::one_a_line(&text);
            if keys.is_empty() {
                return Err(format!("a file with at least one key; {path} has none"));
            }
            config.keys.extend(keys);
            Ok(())
        },
    },
    Opt {
        flag: "cors-origin",
        env: "CONVERTD_CORS_ORIGIN",
        value: "ORIGIN",
        default: "none",
        help: "a web origin whose pages may call, * for any; several are separated by commas",
        set: |config, text| {
            for origin in text.split(',').map(str::trim) {
                if !is_origin(origin) {
                    return Err("origins such as https://app.example:8443, or *".to_owned());
                }
                config.cors_origins.push(origin.to_ascii_lowercase());
            }
            Ok(())
        },
    },
    Opt {
        flag: "max-connections",
        env: "CONVERTD_MAX_CONNECTIONS",
        value: "N",
        default: "16384",
        help: "connections at once; beyond it the longest idle one is closed",
        set: |config, text| {
            put(
                &mut config.max_connections,
                count(text, 8, 1_000_000),
                "a number from 8 to 1000000",
            )
        },
    },
    Opt {
        flag: "connections-per-address",
        env: "CONVERTD_CONNECTIONS_PER_ADDRESS",
        value: "N",
        default: "a quarter of all",
        help: "connections of one address, except loopback; 0 for no limit",
        set: |config, text| {
            put(
                &mut config.connections_per_address,
                count(text, 0, 1_000_000).map(Some),
                "a number",
            )
        },
    },
    Opt {
        flag: "conversions-per-address",
        env: "CONVERTD_CONVERSIONS_PER_ADDRESS",
        value: "N",
        default: "8 a converter",
        help: "conversions of one address, except loopback; 0 for no limit",
        set: |config, text| {
            put(
                &mut config.conversions_per_address,
                count(text, 0, 1_000_000).map(Some),
                "a number",
            )
        },
    },
    Opt {
        flag: "base-path",
        env: "CONVERTD_BASE_PATH",
        value: "PATH",
        default: "none",
        help: "prefix of all paths, where a proxy serves other things too, as /convert",
        set: |config, text| {
            put(
                &mut config.base_path,
                text.parse().ok(),
                "a path of letters, digits, -, ., _ and ~ that begins with a slash, such as /convert",
            )
        },
    },
    Opt {
        flag: "trusted-proxies",
        env: "CONVERTD_TRUSTED_PROXIES",
        value: "ADDR",
        default: "none",
        help: "proxies (addresses, networks) whose X-Forwarded-For, -Proto, -Prefix count",
        set: |config, text| {
            let proxies = text.split(',').map(|one| one.trim().parse().ok());
            put(
                &mut config.trusted_proxies,
                proxies.collect(),
                "addresses or networks, such as 127.0.0.1 or 10.0.0.0/8",
            )
        },
    },
    Opt {
        flag: "min-rate",
        env: "CONVERTD_MIN_RATE",
        value: "BYTES",
        default: "16K",
        help: "bytes a second that a client must send or take, over any 10 seconds",
        set: |config, text| put(&mut config.min_rate, bytes(text), SIZE),
    },
    Opt {
        flag: "log",
        env: "CONVERTD_LOG",
        value: "LEVEL",
        default: "info",
        help: "off, error, warn, info, debug or trace",
        set: |config, text| {
            put(
                &mut config.log,
                text.parse().ok(),
                "off, error, warn, info, debug or trace",
            )
        },
    },
    Opt {
        flag: "log-format",
        env: "CONVERTD_LOG_FORMAT",
        value: "FORMAT",
        default: "text",
        help: "how lines of the log are written: text, or json (an object a line)",
        set: |config, text| {
            put(
                &mut config.log_format,
                logging::Format::parse(text),
                "text or json",
            )
        },
    },
];

const SIZE: &str = "a number of bytes, such as 1048576, 512K, 100M or 2G";

impl Config {
    /// The defaults on this machine.
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
            fonts: None,
            keys: Keys::default(),
            cors_origins: Vec::new(),
            max_connections: 16_384,
            connections_per_address: None,
            conversions_per_address: None,
            base_path: BasePath::default(),
            trusted_proxies: Vec::new(),
            max_output: 2 << 30,
            min_rate: 16 << 10,
            log: LevelFilter::Info,
            log_format: logging::Format::Text,
        }
    }

    /// Sets the options that environment variables give. `variable` looks a variable up by its name.
    ///
    /// Errors: [`Kind::BadInput`] naming the variable and the values that it accepts.
    pub fn read_environment(&mut self, variable: impl Fn(&str) -> Option<OsString>) -> Result<()> {
        for option in OPTIONS {
            if let Some(value) = variable(option.env) {
                let value = value.to_string_lossy();
                (option.set)(self, &value)
                    .map_err(|expected| option.wrong(option.env, &value, &expected))?;
            }
        }
        const KEYS: &str = "CONVERTD_API_KEYS";
        if let Some(keys) = variable(KEYS) {
            let keys = Keys::separated_by_commas(&keys.to_string_lossy());
            if keys.is_empty() {
                // Whoever sets this variable wants keys to be required, so an empty one must not open the API to everybody.
                let text = format!("{KEYS} is set and holds no key; unset it to serve everybody");
                return Err(Error::new(Kind::BadInput, text));
            }
            self.keys.extend(keys);
        }
        Ok(())
    }

    /// Sets one option by its flag, given without the dashes. Returns false if there is no such flag.
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

impl Opt {
    /// The error for a value that cannot be used. An address with a password in it is not repeated.
    fn wrong(&self, name: &str, value: &str, expected: &str) -> Error {
        let text = match self.flag {
            "store" => format!("{name} cannot be used; it must be {expected}"),
            _ => format!("{name} is {value:?}; it must be {expected}"),
        };
        Error::new(Kind::BadInput, text)
    }
}

fn put<T>(place: &mut T, value: Option<T>, expected: &str) -> Result<(), String> {
    *place = value.ok_or_else(|| expected.to_owned())?;
    Ok(())
}

/// Whether this is `*`, or what a browser could send as `Origin` (RFC 6454, section 6.2): a scheme and an authority, nothing
/// else.
fn is_origin(text: &str) -> bool {
    text == "*"
        || text.split_once("://").is_some_and(|(scheme, authority)| {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
            !scheme.is_empty()
                && scheme.chars().all(is_name)
                && !authority.is_empty()
                && !authority.contains(['/', '?', '#', '@', ' '])
        })
}

fn count(text: &str, least: usize, most: usize) -> Option<usize> {
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
}

/// Parses a number of bytes with an optional binary suffix: `512K`, `100M`, `2G`, or `100MiB`.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let shift = match suffix
        .trim()
        .trim_end_matches("iB")
        .trim_end_matches('B')
        .to_ascii_uppercase()
        .as_str()
    {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests;
