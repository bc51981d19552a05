//! Automatic hyphenation: finds the places in a text where a line may end with a hyphen. Breaks no lines: the caller
//! inserts soft hyphens at these places, and a line may end at each of them.

mod patterns;

use crate::{
    error::Result,
    job::{Gate, Notes},
};
use convertd_tree::Hyphenation;
use patterns::Language;
use std::{collections::BTreeSet, ops::Range};

/// A hyphen that is seen only at the end of a line.
pub(crate) const SOFT_HYPHEN: char = '\u{ad}';
/// Limit on the letters of a word that is divided. Longer sequences of letters are not words of a language.
const MAX_WORD: usize = 80;
/// Limit on the languages that a note names.
const MAX_NOTED: usize = 8;
/// Limit on the characters of a language tag in a note.
const MAX_TAG: usize = 35;
/// Tokens and words between two checks whether the job has ended: about 12 ms of German.
const UNCHECKED: usize = 4096;

/// Finds the places of hyphens, and collects the languages without patterns.
#[derive(Default)]
pub struct Hyphenator {
    /// Tags of the languages of text that should have been hyphenated, but for which there are no patterns. The empty
    /// tag stands for text without a language.
    pub unknown: BTreeSet<Box<str>>,
    /// Whether there were more such languages than a note names.
    has_more: bool,
}

impl Hyphenator {
    /// Adds the places in a text at which its words may be divided, as offsets in bytes. `setting` gives the language
    /// and the limits for the text at an offset, or `None` where the text is not hyphenated.
    ///
    /// Errors: the job of `gate` has ended.
    pub(crate) fn places<'s>(
        &mut self,
        text: &str,
        setting: &dyn Fn(usize) -> Option<(Option<&'s str>, Hyphenation)>,
        gate: &dyn Gate,
    ) -> Result<Vec<usize>> {
        let mut places = Vec::new();
        let mut steps = 0_usize;
        let mut step = || {
            steps += 1;
            match steps % UNCHECKED {
                0 => gate.check(),
                _ => Ok(()),
            }
        };
        for token in tokens(text) {
            step()?;
            if is_technical(&text[token.clone()]) {
                continue;
            }
            for word in words(text, token) {
                step()?;
                let Some((tag, limits)) = setting(word.start) else {
                    continue;
                };
                if !is_divisible(&text[word.clone()], &limits) {
                    continue;
                }
                let Some(language) = Language::of(tag.unwrap_or_default()) else {
                    self.note(tag.unwrap_or_default());
                    continue;
                };
                let start = word.start;
                let within = divide(&text[word], language, &limits);
                places.extend(within.into_iter().map(|at| start + at));
            }
        }
        Ok(places)
    }

    /// Remembers a language without patterns, for the note about it. The tag is text of the document: a note gets only
    /// the characters that a tag may have.
    fn note(&mut self, tag: &str) {
        let is_of_tag = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let tag: Box<str> = tag.chars().take(MAX_TAG).filter(is_of_tag).collect();
        if self.unknown.len() < MAX_NOTED {
            self.unknown.insert(tag);
        } else if !self.unknown.contains(&tag) {
            self.has_more = true;
        }
    }

    /// Adds a note if text was not hyphenated because of its language.
    pub fn add_notes(&self, notes: &mut Notes) {
        let names = self.unknown.iter().map(|tag| match &**tag {
            "" => "no stated language".to_owned(),
            tag => format!("the language `{tag}`"),
        });
        let more = self.has_more.then(|| "more".to_owned());
        let names: Vec<String> = names.chain(more).collect();
        if !names.is_empty() {
            notes.add(format!(
                "The document asks for hyphenation, but text in {} is not hyphenated: there are no rules for it here",
                names.join(", ")
            ));
        }
    }
}

/// Returns whether a letter belongs to another script than those that are hyphenated: Latin, Greek and Cyrillic.
fn is_of_other_script(c: char) -> bool {
    c >= '\u{590}' && !matches!(c, '\u{1e00}'..='\u{1fff}' | '\u{2019}')
}

/// Parts of a text between white space, zero width spaces and objects.
fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '\u{fffc}' | '\u{e000}' | '\u{200b}');
    let mut at = 0;
    text.split(is_gap).map(move |part| {
        let start = at;
        at += part.len()
            + text[start + part.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        start..start + part.len()
    })
}

/// Returns whether a token looks like an address, a path or a name in a program.
fn is_technical(token: &str) -> bool {
    let bytes = token.as_bytes();
    let is_inner_dot = |at: usize| {
        bytes[at] == b'.'
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
            && at
                .checked_sub(1)
                .is_some_and(|at| bytes[at].is_ascii_alphanumeric())
    };
    token.contains(['@', '/', '\\', '_']) || (0..bytes.len()).any(is_inner_dot)
}

/// Words in a part of a text: letters, with apostrophes between them. Leaves out words that contain digits, combining
/// marks or soft hyphens.
fn words(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = part.start;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..part.end];
            let start = at + rest.find(char::is_alphanumeric)?;
            let rest = &text[start..part.end];
            let is_inner = |c: char| {
                c.is_alphanumeric()
                    || matches!(c, SOFT_HYPHEN | '\'' | '\u{2019}' | '\u{300}'..='\u{36f}')
            };
            let word = &rest[..rest.find(|c| !is_inner(c)).unwrap_or(rest.len())];
            at = start + word.len();
            let word = word.trim_end_matches(['\'', '\u{2019}']);
            let is_letter = |c: char| c.is_alphabetic() || matches!(c, '\'' | '\u{2019}');
            if word.chars().all(is_letter) {
                return Some(start..start + word.len());
            }
        }
    })
}

/// Returns whether a word may be divided within these limits, whatever its language.
fn is_divisible(word: &str, limits: &Hyphenation) -> bool {
    let letters = word.chars().count();
    let beside = usize::from(limits.before) + usize::from(limits.after);
    let is_capital = !limits.capitals && !word.chars().any(char::is_lowercase);
    (beside.max(limits.word.into())..=MAX_WORD).contains(&letters)
        && !is_capital
        && !word.chars().any(is_of_other_script)
}

/// Places of hyphens in a divisible word, as offsets in bytes.
fn divide(word: &str, language: &Language, limits: &Hyphenation) -> Vec<usize> {
    let letters = word.chars().count();
    // Patterns have small letters, and a simple apostrophe. Places are counted in letters, so a word that has more or
    // fewer letters in lower case is not divided.
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    if lower.chars().count() != letters {
        return Vec::new();
    }
    let levels = language.levels(&lower);
    let before = language.least.0.max(limits.before.into());
    let after = language.least.1.max(limits.after.into());
    let starts = word.char_indices().map(|(at, _)| at).enumerate();
    starts
        .filter(|(count, _)| *count >= before && letters - count >= after)
        .filter(|(count, _)| levels[*count] % 2 == 1)
        .map(|(_, at)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        error::{Error, Kind},
        job::{Need, Progress, Unlimited},
    };

    /// The text with `-` at each place.
    fn shown(text: &str, tag: &str, limits: Hyphenation) -> String {
        let mut hyphenator = Hyphenator::default();
        let setting = |_| Some((Some(tag), limits));
        let places = hyphenator.places(text, &setting, &Unlimited).unwrap();
        let mut text = text.to_owned();
        for at in places.into_iter().rev() {
            text.insert(at, '-');
        }
        text
    }

    #[test]
    fn words_are_divided_by_the_rules_of_their_language() {
        #[track_caller]
        fn check(tag: &str, expected: &str) {
            let text = expected.replace('-', "");
            assert_eq!(shown(&text, tag, Hyphenation::default()), expected);
        }
        check("de-DE", "Do-nau-dampf-schiff-fahrts-ge-sell-schaft");
        check("de", "Eine \u{201e}Über-ra-schung\u{201c}, wirk-lich!");
        check("en-GB", "The as-so-ciate, hy-phen-ation, cer-tainly.");
        check("fr", "au-jour-d\u{2019}hui la consti-tu-tion");
        check("es-MX", "la cons-ti-tu-ción");
        check("it", "la co-sti-tu-zio-ne");
        check("pt-BR", "a cons-ti-tu-i-ção");
        check("nl", "de grond-wets-wij-zi-ging");
        check("pl", "kon-sty-tu-cja");
        check("sv", "grund-lags-änd-ring");
        check("da", "grund-lovs-æn-dring");
        check("fi", "pe-rus-tus-la-ki");
    }

    #[test]
    fn names_and_numbers_stay_whole() {
        #[track_caller]
        fn check(text: &str) {
            assert_eq!(shown(text, "en", Hyphenation::default()), text);
        }
        check("somebody@example.organization");
        check("https://example.org/documentation");
        check("conversion_identifier");
        check("conversion.identifier");
        check("generation2026");
        // The author has put a soft hyphen into the word.
        check("docu\u{ad}mentation");
        check("");
    }

    #[test]
    fn limits_are_kept() {
        #[track_caller]
        fn check(limits: Hyphenation, expected: &str) {
            let text = expected.replace('-', "");
            assert_eq!(shown(&text, "en", limits), expected);
        }
        let own = Hyphenation::default();
        check(own, "DOC-U-MEN-TA-TION pa-per");
        check(
            Hyphenation {
                capitals: false,
                ..own
            },
            "DOCUMENTATION pa-per",
        );
        check(Hyphenation { word: 6, ..own }, "doc-u-men-ta-tion paper");
        check(
            Hyphenation {
                before: 4,
                after: 5,
                ..own
            },
            "docu-men-tation",
        );
    }

    #[test]
    fn languages_without_patterns_are_told() {
        let mut hyphenator = Hyphenator::default();
        let own = Hyphenation::default();
        for (text, tag, after) in [
            ("svobodný", Some("cs"), 2),
            ("weapons", None, 2),
            ("漢字仮名交じり文", Some("ja"), 2),
            // Words as short as these are not divided in any language, so their languages are not noted.
            ("slov", Some("sk"), 2),
            ("slovo", Some("sl"), 4),
        ] {
            let setting = |_| Some((tag, Hyphenation { after, ..own }));
            let places = hyphenator.places(text, &setting, &Unlimited);
            assert!(places.unwrap().is_empty());
        }
        assert_eq!(hyphenator.unknown, ["".into(), "cs".into()].into());
    }

    #[test]
    fn notes_about_languages_are_bounded() {
        #[track_caller]
        fn check(tags: &[&str], expected: &str) {
            let mut hyphenator = Hyphenator::default();
            for tag in tags {
                hyphenator.note(tag);
            }
            let mut notes = Notes::default();
            hyphenator.add_notes(&mut notes);
            let note = &notes.0[0];
            let part = format!("but text in {expected} is not hyphenated");
            assert!(note.contains(&part), "{note}");
        }
        check(&["cs-CZ", "cs-CZ"], "the language `cs-CZ`");
        check(&["c`s\n\u{1b}[1m_CZ"], "the language `cs1m_CZ`");
        let long = "x".repeat(1000);
        check(&[&long], &format!("the language `{}`", &long[..MAX_TAG]));
        let tags = ["ba", "bb", "bc", "bd", "be", "bf", "bg", "bh", "bi"];
        let names = tags.map(|tag| format!("the language `{tag}`"));
        check(&tags[..8], &names[..8].join(", "));
        check(&tags, &format!("{}, more", names[..8].join(", ")));
    }

    #[test]
    fn long_text_ends_with_its_job() {
        struct Ended;
        impl Gate for Ended {
            fn reserve(&self, _: Need) -> Result<()> {
                Ok(())
            }

            fn check(&self) -> Result<()> {
                Err(Error::new(Kind::Disconnected, "ended"))
            }

            fn progress(&self, _: Progress) {}
        }
        let own = Hyphenation::default();
        for (words, is_done) in [(10, true), (UNCHECKED, false)] {
            let text = "certainly ".repeat(words);
            let setting = |_| Some((Some("en"), own));
            let places = Hyphenator::default().places(&text, &setting, &Ended);
            assert_eq!(places.is_ok(), is_done, "{words}");
        }
    }
}
