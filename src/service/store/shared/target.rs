//! Address of a shared store: the value of `--store`. Never shows a password.

use std::{fmt, str::FromStr};

/// Expected form of the value, for error messages.
const EXPECTED: &str = "redis://[user[:password]@]host:port[,host:port…][/db], valkey:// likewise, or \
                        sentinel://host:port[,host:port…]/name[/db]";
/// Default port of Redis and Valkey.
const PORT: u16 = 6379;
/// Default port of a Sentinel.
const SENTINEL_PORT: u16 = 26379;

/// A host name or address, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Host {
    pub(super) name: String,
    pub(super) port: u16,
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

/// The address of a Redis, or of the Sentinels that know it.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    /// The hosts, one of which is the master, or the Sentinels that know it.
    pub(super) hosts: Vec<Host>,
    /// The name of the master, if the hosts are Sentinels.
    pub(super) master: Option<String>,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    /// The number of the database.
    pub(super) database: u32,
}

impl FromStr for Target {
    type Err = String;

    /// Parses the value. An error states the expected form but never the value, which may contain a password.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || EXPECTED.to_owned();
        let (scheme, rest) = text.split_once("://").ok_or_else(expected)?;
        let is_sentinel = match scheme {
            "redis" | "valkey" => false,
            "sentinel" => true,
            "rediss" | "valkeys" => {
                return Err("without TLS, which convertd does not speak: use a private network, or a tunnel such as stunnel \
                            on this host, and redis://"
                    .into());
            }
            _ => return Err(expected()),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        // The last `@` ends the credentials, because a password may contain one.
        let (credentials, hosts) = match authority.rsplit_once('@') {
            Some((credentials, hosts)) => (Some(credentials), hosts),
            None => (None, authority),
        };
        let (user, password) =
            match credentials.map(|text| text.split_once(':').unwrap_or((text, ""))) {
                Some((user, password)) => (decoded(user)?, decoded(password)?),
                None => (None, None),
            };
        let default_port = if is_sentinel { SENTINEL_PORT } else { PORT };
        let hosts = hosts
            .split(',')
            .map(|host| parse_host(host, default_port))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(expected)?;
        // The path is `/db` or, for Sentinels, `/name` or `/name/db`.
        let (master, database) = match (is_sentinel, path.split_once('/')) {
            (true, Some((name, database))) => (Some(name), database),
            (true, None) => (Some(path), ""),
            (false, None) => (None, path),
            (false, Some(_)) => return Err(expected()),
        };
        let database = match database {
            "" => 0,
            digits => digits.parse().map_err(|_| expected())?,
        };
        if master.is_some_and(str::is_empty) {
            return Err(expected());
        }
        Ok(Self {
            hosts,
            master: master.map(str::to_owned),
            user,
            password,
            database,
        })
    }
}

/// Parses `host`, `host:port`, `[::1]` or `[::1]:port`. A colon in a host is allowed only in brackets.
fn parse_host(text: &str, default_port: u16) -> Option<Host> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']')?;
            host.parse::<std::net::Ipv6Addr>().ok()?;
            (
                host,
                after.strip_prefix(':').or(after.is_empty().then_some(""))?,
            )
        }
        None => text.split_once(':').unwrap_or((text, "")),
    };
    // A colon is allowed because the code above leaves one only in an IPv6 address.
    let is_sane = |c: char| c.is_ascii_alphanumeric() || ".-_:".contains(c);
    if host.is_empty() || !host.chars().all(is_sane) {
        return None;
    }
    let port = match port {
        "" => default_port,
        digits => digits.parse().ok().filter(|&port| port > 0)?,
    };
    Some(Host {
        name: host.to_owned(),
        port,
    })
}

/// Decodes percent-encoding (RFC 3986, section 2.1). `None` for an empty text.
fn decoded(text: &str) -> Result<Option<String>, String> {
    let wrong = || "with a percent sign in user and password written as %25".to_owned();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = rest
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(value.ok_or_else(wrong)?);
        rest = &rest[2..];
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    Ok((!text.is_empty()).then_some(text))
}

/// Writes the address without user and password.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.master.is_some() {
            "sentinel://"
        } else {
            "redis://"
        })?;
        for (at, host) in self.hosts.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{host}")?;
        }
        if let Some(name) = &self.master {
            write!(f, "/{name}")?;
        }
        write!(f, "/{}", self.database)
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_shown_without_their_secrets() {
        #[track_caller]
        fn check(text: &str, shown: &str, user: Option<&str>, password: Option<&str>) {
            let target: Target = text.parse().unwrap();
            assert_eq!(target.to_string(), shown);
            assert_eq!(target.user.as_deref(), user);
            assert_eq!(target.password.as_deref(), password);
            assert!(!format!("{target:?}").contains("secret"));
        }
        check("redis://10.0.0.5", "redis://10.0.0.5:6379/0", None, None);
        check("valkey://h:1/3", "redis://h:1/3", None, None);
        check(
            "redis://:secret@[::1]:7/",
            "redis://[::1]:7/0",
            None,
            Some("secret"),
        );
        check(
            "redis://u:secret%40%25@h",
            "redis://h:6379/0",
            Some("u"),
            Some("secret@%"),
        );
        check("redis://u@h,i:8", "redis://h:6379,i:8/0", Some("u"), None);
        check(
            "sentinel://h,i:1/main",
            "sentinel://h:26379,i:1/main/0",
            None,
            None,
        );
        check(
            "sentinel://u:secret@h/main/2",
            "sentinel://h:26379/main/2",
            Some("u"),
            Some("secret"),
        );
    }

    #[test]
    fn invalid_addresses_are_refused_and_not_repeated() {
        #[track_caller]
        fn check(text: &str) {
            let error = text.parse::<Target>().unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
        for text in [
            "",
            "secret",
            "secret@h:1",
            "http://secret@h",
            "rediss://:secret@h",
            "redis://",
            "redis://:secret@",
            "redis://h:0",
            "redis://h:70000",
            "redis://h/secret",
            "redis://h/1/2",
            "redis://:secret%@h",
            "redis://:secret%zz@h",
            "redis://h h",
            "redis://[::1",
            "redis://[h]:1",
            "redis://h,,i",
            "sentinel://h",
            "sentinel://h/",
            "sentinel://h/main/secret",
        ] {
            check(text);
        }
    }
}
