//! Prefix of all paths of a service that shares its host name with other services. Never contains a host.

use std::{fmt, str::FromStr};

/// Longest prefix, in bytes.
const MAX_LEN: usize = 256;

/// The prefix: empty, or a path without a trailing slash, such as `/convert`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl FromStr for BasePath {
    type Err = ();

    /// Parses `/convert`, `/convert/`, or `/` for an empty prefix. Refuses empty segments, because `//host` before a
    /// path would name a host. Also refuses the segments `.` and `..`, and characters other than letters, digits, `-`,
    /// `.`, `_` and `~`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let path = text.strip_suffix('/').unwrap_or(text);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_segment =
            |text: &str| !matches!(text, "" | "." | "..") && text.bytes().all(is_plain);
        let is_path = match path.strip_prefix('/') {
            Some(rest) => rest.split('/').all(is_segment),
            None => path.is_empty(),
        };
        if is_path && path.len() <= MAX_LEN {
            Ok(Self(path.into()))
        } else {
            Err(())
        }
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl BasePath {
    /// Appends this path to `outer`.
    #[must_use]
    pub fn below(&self, outer: &Self) -> Self {
        Self(format!("{outer}{self}"))
    }

    /// The rest of `path` after the prefix, `/` if nothing follows. `None` if `path` does not begin with the prefix.
    pub fn strip<'p>(&self, path: &'p str) -> Option<&'p str> {
        match path.strip_prefix(&self.0)? {
            "" => Some("/"),
            rest => rest.starts_with('/').then_some(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_is_a_path_and_no_host() {
        #[track_caller]
        fn check(text: &str, expected: Option<&str>) {
            let path = text.parse::<BasePath>().ok().map(|path| path.to_string());
            assert_eq!(path.as_deref(), expected, "{text:?}");
        }
        check("", Some(""));
        check("/", Some(""));
        check("/convert", Some("/convert"));
        check("/a/b-c_d.e~f/", Some("/a/b-c_d.e~f"));
        check("convert", None);
        check("//evil.example", None);
        check("/a//b", None);
        check("/a/../b", None);
        check("/a\"b", None);
        check("/a b", None);
        check(&format!("/{}", "x".repeat(300)), None);
    }

    #[test]
    fn a_prefix_ends_with_a_segment() {
        #[track_caller]
        fn check(base: &str, path: &str, expected: Option<&str>) {
            assert_eq!(base.parse::<BasePath>().unwrap().strip(path), expected);
        }
        check("/convert", "/convert", Some("/"));
        check("/convert", "/convert/", Some("/"));
        check("/convert", "/convert/api/v1/health", Some("/api/v1/health"));
        check("/convert", "/converter", None);
        check("/convert", "/api/v1/convert", None);
        check("", "/api", Some("/api"));
    }
}
