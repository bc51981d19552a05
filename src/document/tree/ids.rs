//! Names of places in a document, each given once. Does not look into links: a name that changes leaves them behind, so
//! only names that nobody chose are made up.

use std::collections::{HashMap, HashSet};

/// The names that a document has.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    taken: HashSet<Box<str>>,
    /// For each made-up name that was taken: the number to try next. Without it, ten thousand equal headings would take the
    /// square of that many tries.
    next: HashMap<String, usize>,
}

impl Ids {
    /// Takes a name that the source chose. False if it is empty or somebody else has it.
    pub(crate) fn claim(&mut self, name: &str) -> bool {
        !name.is_empty() && self.taken.insert(name.into())
    }

    /// Makes a name from a text as GitHub does for headings: letters and digits in lower case, spaces as hyphens, and a
    /// number at the end of one that is taken.
    pub(crate) fn invent(&mut self, text: &str) -> Box<str> {
        let mut name = String::with_capacity(text.len());
        for c in text.trim().chars() {
            match c {
                ' ' => name.push('-'),
                '-' | '_' => name.push(c),
                _ if c.is_alphanumeric() => name.extend(c.to_lowercase()),
                _ => {}
            }
        }
        if name.is_empty() {
            name.push_str("section");
        }
        if self.claim(&name) {
            return name.into();
        }
        let mut number = self.next.get(&name).copied().unwrap_or(1);
        loop {
            let numbered = format!("{name}-{number}");
            number += 1;
            if self.claim(&numbered) {
                self.next.insert(name, number);
                return numbered.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_from_texts_and_are_unique() {
        let mut ids = Ids::default();
        assert!(ids.claim("chosen"));
        assert!(!ids.claim("chosen"));
        assert!(!ids.claim(""));
        let made = |text: &str| ids.invent(text);
        let made: Vec<_> = [
            "Chosen",
            "  What's new, in 2.0? ",
            "Größe",
            "a_b-c",
            "!",
            "!",
            "!",
            "Section 1",
        ]
        .map(made)
        .into();
        let expected = [
            "chosen-1",
            "whats-new-in-20",
            "größe",
            "a_b-c",
            "section",
            "section-1",
            "section-2",
            "section-1-1",
        ];
        assert_eq!(made.iter().map(|id| &**id).collect::<Vec<_>>(), expected);
    }
}
