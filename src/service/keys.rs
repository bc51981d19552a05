//! The API keys that an operator sets. Never shows a key, not even in `Debug` output.

use std::fmt;

/// The keys that clients may use. Without keys, the API is open to everybody.
#[derive(Clone, Default)]
pub struct Keys(Vec<String>);

impl Keys {
    /// Parses the text of a key file, with one key per line. Empty lines and lines that begin with `#` are ignored.
    pub fn one_a_line(text: &str) -> Self {
        Self::from_pieces(
            text.lines()
                .filter(|line| !line.trim_start().starts_with('#')),
        )
    }

    /// Parses keys that are separated by commas. Empty ones are ignored.
    pub fn separated_by_commas(text: &str) -> Self {
        Self::from_pieces(text.split(','))
    }

    fn from_pieces<'t>(pieces: impl Iterator<Item = &'t str>) -> Self {
        let keys = pieces.map(str::trim).filter(|key| !key.is_empty());
        Self(keys.map(str::to_owned).collect())
    }

    /// Adds the keys of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns whether there are no keys, and so everybody may use the API.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether `offered` is one of the keys. The time that this takes does not depend on how much of a key
    /// matches, so that an attacker cannot find a key byte by byte.
    pub fn contains(&self, offered: &str) -> bool {
        let mut found = false;
        for known in &self.0 {
            found |= equal(offered.as_bytes(), known.as_bytes());
        }
        found
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} keys", self.0.len())
    }
}

/// Compares in a time that depends only on the lengths.
fn equal(a: &[u8], b: &[u8]) -> bool {
    // No early exit: every byte is compared. `black_box` keeps the compiler from adding one.
    let differences = a.iter().zip(b).fold(0, |found, (a, b)| found | (a ^ b));
    std::hint::black_box(differences) == 0 && a.len() == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_their_source_has_them() {
        assert_eq!(
            Keys::one_a_line("# ops\nalpha\n\n  be,ta  \r\n").0,
            ["alpha", "be,ta"]
        );
        assert!(Keys::one_a_line("#only a comment").is_empty());
        assert_eq!(
            Keys::separated_by_commas("alpha, #beta,").0,
            ["alpha", "#beta"]
        );
        assert!(Keys::separated_by_commas(" , ").is_empty());
        assert!(!format!("{:?}", Keys::one_a_line("secret")).contains("secret"));
    }

    #[test]
    fn keys_are_compared_whole() {
        assert!(equal(b"key", b"key"));
        assert!(!equal(b"key", b"keys"));
        assert!(!equal(b"", b"key"));
        assert!(!equal(b"kez", b"key"));
    }
}
