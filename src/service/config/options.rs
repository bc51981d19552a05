//! The options of `serve`: one table, each row of which is a flag, an environment variable, and the check of its
//! values.

use super::values::{SIZE, languages, put};
use super::{
    Config, file,
    values::{bytes, count, is_host, is_origin},
};
use crate::{
    engine::Fonts,
    error::{Error, Kind},
    keys::Keys,
    logging,
};
use std::{fs, time::Duration};

/// An option of `serve`.
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
    /// Purpose of the option, for the help text.
    pub help: &'static str,
    /// Parses a value and stores it. An error is a phrase for the expected value, which completes "must be …".
    pub(super) set: fn(&mut Config, &str) -> Result<(), String>,
}

/// All options, in the order of the help text.
pub static OPTIONS: &[Opt] = &[
    // `config` is the first row: variables are read in the order of the rows, and all other variables override the
    // file.
    Opt {
        flag: "config",
        env: "CONVERTD_CONFIG",
        value: "FILE",
        default: "none",
        help: "file with one option per line (max-upload = 500M); flags and variables win",
        set: |config, text| file::read(config, text),
    },
    Opt {
        flag: "listen",
        env: "CONVERTD_LISTEN",
        value: "ADDR:PORT",
        default: "127.0.0.1:8080",
        help: "address and port to listen on; port 0 picks a free one",
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
        help: "separate address for /metrics, without API keys; by default that of --listen",
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
        help: "directory for uploads and results; nothing is written elsewhere",
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
        help: "max. uploads at the same time",
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
        default: "one per core",
        help: "max. conversions at the same time",
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
        help: "max. waiting uploads, and max. waiting conversions; further ones get status 503",
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
        help: "max. size of an uploaded file",
        set: |config, text| put(&mut config.max_upload, bytes(text).filter(|&n| n > 0), SIZE),
    },
    Opt {
        flag: "max-output",
        env: "CONVERTD_MAX_OUTPUT",
        value: "BYTES",
        default: "2G",
        help: "max. size of a result",
        set: |config, text| put(&mut config.max_output, bytes(text), SIZE),
    },
    Opt {
        flag: "link-ttl",
        env: "CONVERTD_LINK_TTL",
        value: "SECONDS",
        default: "1800",
        help: "lifetime of a download link, in seconds",
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
        help: "max. open links and unfinished conversions together; more get status 503",
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
        help: "power: results survive a power cut (fsync); process: only a crash (no fsync)",
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
        help: "Redis or Valkey shared by all instances: redis://[[user]:password@]host[:port]",
        set: |config, text| {
            // An error of `Target` is already a phrase for the expected value, and leaves out the password.
            config.store = Some(text.parse()?);
            Ok(())
        },
    },
    Opt {
        flag: "lease",
        env: "CONVERTD_LEASE",
        value: "SECONDS",
        default: "15",
        help: "with --store: seconds without a heartbeat until other instances take over a job",
        set: |config, text| {
            // Leases are renewed once a second, so the shortest lease survives one late renewal.
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
        default: "a quarter of the RAM",
        help: "max. memory of all running conversions together",
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
        help: "max. seconds per conversion, plus 5 seconds for each MiB of its file",
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
        help: "run codecs in a sandboxed child process (process) or in the service (thread)",
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
        value: "KIND",
        default: "auto",
        help: "extra fonts: auto (those of the machine), none, or a directory of ttf, otf, ttc",
        set: |config, text| {
            // Parsing cannot fail: any word but `auto` and `none` is the path of a directory.
            let Ok(fonts) = text.parse();
            if let Fonts::Directory(directory) = &fonts {
                fs::read_dir(directory)
                    .map_err(|err| format!("auto, none or a readable directory ({err})"))?;
            }
            config.fonts = fonts;
            Ok(())
        },
    },
    Opt {
        flag: "ocr-data",
        env: "CONVERTD_OCR_DATA",
        value: "DIR",
        default: "none",
        help: "directory of Tesseract models (deu.traineddata), searched before the system's",
        set: |config, text| {
            fs::read_dir(text).map_err(|err| format!("a readable directory ({err})"))?;
            config.languages.directory = Some(text.into());
            Ok(())
        },
    },
    Opt {
        flag: "ocr-languages",
        env: "CONVERTD_OCR_LANGUAGES",
        value: "NAMES",
        default: "by page",
        help: "OCR languages, such as deu+eng, if the client names none",
        set: |config, text| {
            config.languages.default = languages(text)?;
            Ok(())
        },
    },
    Opt {
        flag: "api-keys",
        env: "CONVERTD_API_KEYS_FILE",
        value: "FILE",
        default: "none",
        help: "file with one API key per line; CONVERTD_API_KEYS holds the keys themselves",
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
        help: "web origins whose pages may call the API, separated by commas; * for any",
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
        flag: "allow-host",
        env: "CONVERTD_ALLOW_HOST",
        value: "NAME",
        default: "none",
        help: "host names accepted on loopback, besides localhost and IP addresses; * for any",
        set: |config, text| {
            for name in text.split(',').map(str::trim) {
                if !is_host(name) {
                    return Err("names such as files.example, *.example, or * for any".to_owned());
                }
                config.allow_hosts.push(name.to_ascii_lowercase());
            }
            Ok(())
        },
    },
    Opt {
        flag: "allow-origin",
        env: "CONVERTD_ALLOW_ORIGIN",
        value: "ORIGIN",
        default: "none",
        help: "web origins whose pages may send forms to a loopback address; * for any",
        set: |config, text| {
            for origin in text.split(',').map(str::trim) {
                // Pages without an origin, such as local files, send "null".
                if origin != "null" && !is_origin(origin) {
                    return Err("origins such as https://app.example:8443, null, or *".to_owned());
                }
                config.allow_origins.push(origin.to_ascii_lowercase());
            }
            Ok(())
        },
    },
    Opt {
        flag: "max-connections",
        env: "CONVERTD_MAX_CONNECTIONS",
        value: "N",
        default: "16384",
        help: "max. open connections; beyond that, the one that is idle for longest is closed",
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
        default: "max-connections / 4",
        help: "max. connections per address, except loopback; 0 for no limit",
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
        default: "8 per converter",
        help: "max. conversions per address, except loopback; 0 for no limit",
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
        help: "prefix of all paths, such as /convert, behind a proxy for several services",
        set: |config, text| {
            put(
                &mut config.base_path,
                text.parse().ok(),
                "a path of letters, digits, -, ., _ and ~ that begins with a slash, such as /convert",
            )
        },
    },
    Opt {
        flag: "compat",
        env: "CONVERTD_COMPAT",
        value: "SERVICES",
        default: "none",
        help: "APIs to imitate, comma-separated: gotenberg, tika, azure, docling, openwebui",
        set: |config, text| {
            put(
                &mut config.compat,
                text.parse().ok(),
                "gotenberg, tika, azure, docling or openwebui, or several of them separated by commas",
            )
        },
    },
    Opt {
        flag: "trusted-proxies",
        env: "CONVERTD_TRUSTED_PROXIES",
        value: "ADDR",
        default: "none",
        help: "proxies (addresses or networks) whose X-Forwarded-For, -Proto, -Prefix count",
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
        help: "min. bytes per second that a client must send or receive, over any 10 seconds",
        set: |config, text| put(&mut config.min_rate, bytes(text), SIZE),
    },
    Opt {
        flag: "log",
        env: "CONVERTD_LOG",
        value: "LEVEL",
        default: "info",
        help: "log level: off, error, warn, info, debug or trace",
        set: |config, text| {
            put(
                &mut config.log,
                text.parse().ok(),
                "log level: off, error, warn, info, debug or trace",
            )
        },
    },
    Opt {
        flag: "log-format",
        env: "CONVERTD_LOG_FORMAT",
        value: "FORMAT",
        default: "text",
        help: "log format: text, or json (one object per line)",
        set: |config, text| {
            put(
                &mut config.log_format,
                logging::Format::parse(text),
                "text or json",
            )
        },
    },
];

impl Opt {
    /// The error for an invalid value. The address of a Redis may contain a password, so the message does not repeat
    /// it.
    pub(super) fn wrong(&self, name: &str, value: &str, expected: &str) -> Error {
        let text = match self.flag {
            "store" => format!("{name} cannot be used; it must be {expected}"),
            _ => format!("{name} is {value:?}; it must be {expected}"),
        };
        Error::new(Kind::BadInput, text)
    }
}
