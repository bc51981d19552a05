//! The manual: chapters of Markdown that are part of the program, for the command line, for `man`, and for the web
//! page. Adds no text of its own to the chapters.

mod parts;
mod plain;

#[cfg(test)]
use parts::{ChapterBlock, parts};
pub(crate) use plain::plain;

/// A chapter of the manual.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chapter {
    /// Name, as `convertd help NAME` takes it; its file has the same name.
    pub(crate) name: &'static str,
    /// Subject of the chapter, in a few words.
    pub(crate) about: &'static str,
    /// Markdown. Its first line is the title, a heading of the first level.
    pub(crate) text: &'static str,
}

impl Chapter {
    /// The heading of the chapter, without its marks.
    pub(crate) fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches(['#', ' '])
    }
}

/// The chapters, in the order in which they are read.
pub(crate) static CHAPTERS: [Chapter; 13] = [
    Chapter {
        name: "interface",
        about: "HTTP API, status codes, the web page",
        text: include_str!("interface.md"),
    },
    Chapter {
        name: "drop-in",
        about: "APIs of Gotenberg, Tika and others, for existing clients",
        text: include_str!("drop-in.md"),
    },
    Chapter {
        name: "command-line",
        about: "converting files without a service",
        text: include_str!("command-line.md"),
    },
    Chapter {
        name: "formats",
        about: "supported formats, quality, optional fields",
        text: include_str!("formats.md"),
    },
    Chapter {
        name: "options",
        about: "options of the service",
        text: include_str!("options.md"),
    },
    Chapter {
        name: "limits",
        about: "limits of files, requests, memory and time",
        text: include_str!("limits.md"),
    },
    Chapter {
        name: "security",
        about: "security guarantees, and their limits",
        text: include_str!("security.md"),
    },
    Chapter {
        name: "operation",
        about: "deployment, health, log, data",
        text: include_str!("operation.md"),
    },
    Chapter {
        name: "instances",
        about: "several instances that act as one service",
        text: include_str!("instances.md"),
    },
    Chapter {
        name: "building",
        about: "build features, other platforms, offline builds, dependencies, licences",
        text: include_str!("building.md"),
    },
    Chapter {
        name: "figures",
        about: "measured speed, size and fidelity",
        text: include_str!("figures.md"),
    },
    Chapter {
        name: "decisions",
        about: "design decisions and their reasons",
        text: include_str!("decisions.md"),
    },
    Chapter {
        name: "development",
        about: "structure of the code, adding a format, debugging",
        text: include_str!("development.md"),
    },
];

/// The names of all chapters.
pub(crate) static NAMES: [&str; CHAPTERS.len()] = {
    // An iterator cannot run in a constant, so the names are copied in a loop.
    let mut names = [""; CHAPTERS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = CHAPTERS[at].name;
        at += 1;
    }
    names
};

/// The chapter with this name.
pub(crate) fn chapter(name: &str) -> Option<&'static Chapter> {
    CHAPTERS.iter().find(|chapter| chapter.name == name)
}

/// A line for each chapter: its name and its subject.
pub(crate) fn contents() -> String {
    let line = |chapter: &Chapter| format!("  {:<13} {}\n", chapter.name, chapter.about);
    CHAPTERS.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_has_a_title_and_a_name_that_an_address_can_have() {
        for chapter in &CHAPTERS {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
            assert!(chapter.name.bytes().all(is_plain), "{}", chapter.name);
            assert!(chapter.text.starts_with("# "), "{}", chapter.name);
            assert!(!chapter.title().is_empty(), "{}", chapter.name);
        }
        assert!(chapter("limits").is_some());
        assert!(chapter("Limits").is_none());
    }

    #[test]
    fn chapters_are_wrapped_so_that_changes_can_be_read() {
        for chapter in &CHAPTERS {
            for part in parts(chapter.text) {
                assert!(
                    !matches!(part, ChapterBlock::Row { ref cells, .. } if cells.is_empty()),
                    "{}",
                    chapter.name
                );
            }
            let long = |line: &&str| {
                let is_prose = !line.starts_with(['|', '`', '<']);
                is_prose && line.chars().count() > 120
            };
            let found: Vec<_> = chapter.text.lines().filter(long).collect();
            assert!(found.is_empty(), "{}: {found:?}", chapter.name);
        }
    }
}
