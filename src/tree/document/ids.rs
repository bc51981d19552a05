//! The names of link targets in a document. Each name is unique. Names from the source stay unchanged, because links
//! refer to them.

use super::{Block, plain_text};
use std::collections::{HashMap, HashSet};

/// The names in use.
#[derive(Debug, Default)]
pub struct Ids {
    taken: HashSet<Box<str>>,
    /// For each invented name that was taken: the number to try next. Without it, the number of attempts would grow
    /// with the square of the number of equal headings.
    next: HashMap<String, usize>,
}

impl Ids {
    /// Claims a name that the source chose. False if it is empty or taken.
    pub fn claim(&mut self, name: &str) -> bool {
        !name.is_empty() && self.taken.insert(name.into())
    }

    /// Makes a name from a text by GitHub's rules for headings: letters and digits in lower case, spaces as hyphens,
    /// and a number appended if the name is taken.
    pub fn invent(&mut self, text: &str) -> Box<str> {
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

/// Gives a name to each heading without one.
pub(super) fn name_headings(blocks: &mut [Block], ids: &mut Ids) {
    for block in blocks {
        match block {
            Block::Heading(heading) if heading.id.is_empty() => {
                heading.id = ids.invent(&plain_text(&heading.content));
            }
            Block::Quote(blocks) => name_headings(blocks, ids),
            Block::Group(group) => name_headings(&mut group.blocks, ids),
            Block::List(list) => {
                for item in &mut list.items {
                    name_headings(&mut item.blocks, ids);
                }
            }
            Block::Definitions(definitions) => {
                for details in definitions
                    .iter_mut()
                    .flat_map(|definition| &mut definition.details)
                {
                    name_headings(details, ids);
                }
            }
            Block::Table(table) => {
                let rows = table.head.iter_mut().chain(&mut table.body);
                for cell in rows.chain(&mut table.foot).flat_map(|row| &mut row.cells) {
                    name_headings(&mut cell.blocks, ids);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_derived_from_text_and_unique() {
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
