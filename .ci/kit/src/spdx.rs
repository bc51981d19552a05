//! Licence expressions (SPDX 2.3, annex D), and the list of allowed licences. Of several alternatives, the first one in
//! the list is chosen. Does not read licence texts.

use crate::Result;

/// Allowed licences of linked works in a default build, in order of preference. All but MPL-2.0 require only notices.
/// MPL-2.0 requires the source of its own files, which is in the archive of `make dist`.
const ALLOWED: &[&str] = &[
    "Apache-2.0",
    "MIT",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "Zlib",
    "bzip2-1.0.6",
    "BSL-1.0",
    "Unlicense",
    "CC0-1.0",
    "Unicode-3.0",
    "IJG",
    "NCSA",
    "MPL-2.0",
];

/// Licences that are allowed only with the feature `lame`, which is off by default.
pub(crate) const WITH_LAME: &[&str] = &["LGPL-3.0"];

/// A licence expression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Licence(String),
    Any(Vec<Expression>),
    All(Vec<Expression>),
}

impl Expression {
    /// Reads an expression. `MIT/Apache-2.0` is an old form in manifests, and means `MIT OR Apache-2.0`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let spaced = text
            .replace('/', " OR ")
            .replace('(', " ( ")
            .replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut parser = Parser { words: &words };
        let expression = parser.any();
        match (expression, parser.words) {
            (Some(expression), []) => Ok(expression),
            _ => Err(format!("{text:?} is not a licence expression")),
        }
    }

    /// The licences that apply if the best allowed alternative is chosen. `None` if no alternative is allowed.
    pub(crate) fn choose(&self, more: &[&str]) -> Option<Vec<String>> {
        self.ranked(more).map(|(_, chosen)| chosen)
    }

    /// The chosen licences, with their rank. The rank of a licence is its position in the list of allowed licences. Of
    /// alternatives, the one with the lowest rank is chosen. Licences that apply together get the highest of their
    /// ranks.
    fn ranked(&self, more: &[&str]) -> Option<(usize, Vec<String>)> {
        match self {
            Self::Licence(name) => {
                let rank = ALLOWED.iter().chain(more).position(|known| known == name)?;
                Some((rank, vec![name.clone()]))
            }
            Self::Any(parts) => parts
                .iter()
                .filter_map(|part| part.ranked(more))
                .min_by_key(|(rank, _)| *rank),
            Self::All(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| part.ranked(more)).collect();
                let parts = parts?;
                let rank = parts.iter().map(|(rank, _)| *rank).max()?;
                Some((
                    rank,
                    parts.into_iter().flat_map(|(_, chosen)| chosen).collect(),
                ))
            }
        }
    }

    /// All licences that the expression names.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::Licence(name) => vec![name],
            Self::Any(parts) | Self::All(parts) => parts.iter().flat_map(Self::names).collect(),
        }
    }
}

/// A parser, with the words that it has not read yet. `AND` binds closer than `OR`, and `WITH` closer than both.
struct Parser<'a> {
    words: &'a [&'a str],
}

impl Parser<'_> {
    fn any(&mut self) -> Option<Expression> {
        let mut parts = vec![self.all()?];
        while self.takes("OR") {
            parts.push(self.all()?);
        }
        Some(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Expression::Any(parts)
        })
    }

    fn all(&mut self) -> Option<Expression> {
        let mut parts = vec![self.one()?];
        while self.takes("AND") {
            parts.push(self.one()?);
        }
        Some(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Expression::All(parts)
        })
    }

    fn one(&mut self) -> Option<Expression> {
        if self.takes("(") {
            let inner = self.any()?;
            return self.takes(")").then_some(inner);
        }
        let name = self
            .word()
            .filter(|word| !["OR", "AND", "WITH", ")"].contains(word))?
            .to_owned();
        if self.takes("WITH") {
            let exception = self.word()?;
            return Some(Expression::Licence(format!("{name} WITH {exception}")));
        }
        Some(Expression::Licence(name))
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    fn word(&mut self) -> Option<&str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&[&str]>) {
        let chosen = Expression::parse(text).unwrap().choose(&[]);
        let expected = expected.map(|names| names.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(chosen, expected, "{text}");
    }

    #[test]
    fn the_best_allowed_alternative_is_chosen() {
        check("MIT", Some(&["MIT"]));
        check("MIT OR Apache-2.0", Some(&["Apache-2.0"]));
        check("MIT/Apache-2.0", Some(&["Apache-2.0"]));
        check(
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            Some(&["Apache-2.0"]),
        );
        check(
            "(Apache-2.0 OR MIT) AND BSD-3-Clause",
            Some(&["Apache-2.0", "BSD-3-Clause"]),
        );
        check(
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
            Some(&["Apache-2.0 WITH LLVM-exception"]),
        );
        check(
            "MIT AND BSD-3-Clause OR Zlib",
            Some(&["MIT", "BSD-3-Clause"]),
        );
    }

    #[test]
    fn licences_that_are_not_allowed_are_refused() {
        check("GPL-3.0-only", None);
        check("LGPL-3.0", None);
        check("MIT AND AGPL-3.0", None);
        let lame = Expression::parse("LGPL-3.0").unwrap();
        assert_eq!(lame.choose(WITH_LAME), Some(vec!["LGPL-3.0".to_owned()]));
        for wrong in ["", "MIT OR", "(MIT", "MIT Apache-2.0", "MIT WITH", ")"] {
            assert!(Expression::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
