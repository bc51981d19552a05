//! Words of a page, and the phrases that they form: words between gaps wider than the spaces of the
//! text. Upright text only.

use super::super::{
    compare::by,
    page_text::{Letter, Letters},
    rules::Rule,
    spaces,
};

/// Limit on the letters of a page. A page with more letters is a drawing that is made of letters.
const MAX_LETTERS: usize = 60_000;

/// Tolerance for the baselines of letters in a word, in multiples of the font size.
const LEVEL: f32 = 0.25;

/// Smallest gap between phrases, in multiples of the font size.
const PHRASE_GAP: f32 = 0.5;
/// Smallest gap between phrases, in multiples of the usual space. The larger one of this gap and [`PHRASE_GAP`] counts.
const PHRASE_GAP_OF_SPACES: f32 = 1.7;

/// Largest gap that may be a space, in multiples of the font size.
const WIDEST_SPACE: f32 = 0.8;

/// Largest gap between a list marker and its text, in multiples of the font size.
const MARK_GAP: f32 = 3.0;

/// Minimum number of dots in a leader.
const LEADERS: usize = 3;

/// Usual ascent, as a fraction of the font size.
const ABOVE: f32 = 0.7;
/// Usual descent, as a fraction of the font size.
const BELOW: f32 = 0.2;

/// Words on a line without wide gaps.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    pub(super) words: Vec<Word>,
    /// Left and right edge, in points.
    pub(super) x: (f32, f32),
    /// Top and bottom edge in points, by the usual ascent and descent.
    pub(super) y: (f32, f32),
    /// Baseline of the longest word, in points.
    pub(super) base: f32,
    /// Font size of the longest word, in points.
    pub(super) size: f32,
}

/// Letters without spaces between them.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Indexes of the letters.
    pub(super) letters: Vec<u32>,
    /// Characters of the word.
    pub(super) text: String,
    /// Left and right edge, in points.
    pub(super) x: (f32, f32),
    /// Baseline of the first letter, in points.
    pub(super) base: f32,
    /// Largest font size of the letters, in points.
    pub(super) size: f32,
    /// Whether a leader precedes the word.
    pub(super) is_led: bool,
    /// Whether all letters are bold.
    is_bold: bool,
}

/// Kind of a phrase's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text,
    /// A number, amount, date, or a substitute such as a dash.
    Value,
}

impl Phrase {
    /// Makes a phrase of words.
    fn of(words: Vec<Word>) -> Self {
        let longest = words.iter().max_by_key(|word| word.letters.len());
        let (base, size) = longest.map_or((0.0, 0.0), |word| (word.base, word.size));
        let edges = |(from, to): (f32, f32), word: &Word| (from.min(word.x.0), to.max(word.x.1));
        Self {
            x: words.iter().fold((f32::MAX, f32::MIN), edges),
            y: (base - ABOVE * size, base + BELOW * size),
            base,
            size,
            words,
        }
    }

    /// Splits the phrase before the word with this index.
    pub(super) fn split(mut self, at: usize) -> (Self, Self) {
        let rest = self.words.split_off(at);
        (Self::of(self.words), Self::of(rest))
    }

    /// Appends a phrase that follows on the same line.
    pub(super) fn append(&mut self, other: Self) {
        let words = std::mem::take(&mut self.words);
        *self = Self::of([words, other.words].concat());
    }

    /// Number of letters.
    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|word| word.letters.len()).sum()
    }

    /// Text, with spaces between words.
    pub(super) fn text(&self) -> String {
        let texts: Vec<&str> = self.words.iter().map(|word| &word.text[..]).collect();
        texts.join(" ")
    }

    /// Horizontal centre.
    pub(super) fn middle(&self) -> f32 {
        0.5 * (self.x.0 + self.x.1)
    }

    /// Returns whether all words are bold.
    pub(super) fn is_bold(&self) -> bool {
        self.words.iter().all(|word| word.is_bold)
    }

    /// Classifies the content of the phrase, by its digits and letters.
    pub(super) fn content(&self) -> Content {
        let (mut digits, mut others, mut all) = (0, 0, 0);
        for c in self.words.iter().flat_map(|word| word.text.chars()) {
            all += 1;
            if c.is_numeric() {
                digits += 1;
            } else if c.is_alphabetic() {
                others += 1;
            }
        }
        let is_value = match (digits, others) {
            // Up to three signs without letters or digits are a value, such as a dash.
            (0, 0) => all <= 3,
            // Substitutes such as `n/a` or `Ref.`.
            (0, _) => {
                let text = self.text().to_lowercase();
                matches!(
                    text.trim_matches(|c: char| !c.is_alphabetic() && c != '/'),
                    "n/a" | "n.a" | "na" | "nd" | "ref" | "yes" | "no" | "ns" | "n.s"
                )
            }
            (digits, others) => digits > others,
        };
        if is_value {
            Content::Value
        } else {
            Content::Text
        }
    }
}

/// Phrases of a page, from top to bottom and left to right. No phrase crosses a rule in `down`, except after a bullet.
/// Leaders are dropped. Artifacts and rotated letters are not part of phrases.
pub(super) fn phrases(letters: &Letters, down: &[Rule]) -> Vec<Phrase> {
    if letters.all.len() > MAX_LETTERS {
        return Vec::new();
    }
    let mut order: Vec<u32> = (0..letters.all.len() as u32)
        .filter(|index| {
            let letter = &letters.all[*index as usize];
            letter.angle == 0 && letter.object.is_none() && !letter.artifact
        })
        .collect();
    let at = |index: &u32| &letters.all[*index as usize];
    order.sort_by(|a, b| by(at(a).y, at(b).y));
    let mut lines: Vec<Vec<Word>> = Vec::new();
    let mut rest = &order[..];
    // Letters belong to one level if their baselines are near that of the topmost letter.
    while let Some(first) = rest.first().map(at) {
        let is_on_level =
            |index: &&u32| at(index).y <= first.y + LEVEL * first.size.min(at(index).size);
        let count = rest.iter().take_while(is_on_level).count().max(1);
        let mut level = rest[..count].to_vec();
        rest = &rest[count..];
        level.sort_by(|a, b| by(at(a).x.0, at(b).x.0));
        lines.push(words(letters, &level));
    }
    attach_raised(&mut lines);
    let space = median_space(&lines);
    let mut phrases: Vec<Phrase> = lines
        .into_iter()
        .flat_map(|line| split_line(line, space, down))
        .collect();
    phrases.sort_by(|a, b| by(a.base, b.base).then(by(a.x.0, b.x.0)));
    phrases
}

/// Words of the letters on one level.
fn words(letters: &Letters, level: &[u32]) -> Vec<Word> {
    let line: Vec<&Letter> = level
        .iter()
        .map(|index| &letters.all[*index as usize])
        .collect();
    let begins = spaces::before(letters, &line);
    let mut words: Vec<Word> = Vec::new();
    for ((index, letter), begins) in level.iter().zip(line).zip(begins) {
        let text = letters.text(letter);
        match words.last_mut().filter(|_| !begins) {
            Some(word) => {
                word.letters.push(*index);
                word.text.push_str(text);
                word.x.1 = word.x.1.max(letter.x.1);
                word.size = word.size.max(letter.size);
                word.is_bold &= letter.style.bold;
            }
            None => words.push(Word {
                letters: vec![*index],
                text: text.to_owned(),
                x: letter.x,
                base: letter.y,
                size: letter.size,
                is_led: false,
                is_bold: letter.style.bold,
            }),
        }
    }
    let words = words
        .into_iter()
        .flat_map(|word| word.without_leaders(letters));
    drop_leaders(words.collect())
}

impl Word {
    /// Returns whether the word is a bullet.
    fn is_bullet(&self) -> bool {
        let mut chars = self.text.chars();
        let is_one = chars
            .next()
            .is_some_and(|c| "•◦▪‣●○■□\u{f0b7}\u{f0a7}".contains(c));
        is_one && chars.next().is_none()
    }

    /// Returns whether the word is a long number. Between two long numbers, a smaller gap than between other words
    /// begins a new phrase.
    fn is_large(&self) -> bool {
        self.text.len() > 3
            && self
                .text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '%'))
    }

    /// Parts of the word before and after leaders.
    fn without_leaders(self, letters: &Letters) -> Vec<Self> {
        let chars: Vec<char> = self.text.chars().collect();
        let is_run =
            |at: &[char]| at.len() >= LEADERS && at.iter().take(LEADERS).all(|c| is_dot(*c));
        // The indexes of characters and of letters agree only if each letter is one character.
        if chars.len() != self.letters.len() || !(0..chars.len()).any(|at| is_run(&chars[at..])) {
            return vec![self];
        }
        let mut parts: Vec<Self> = Vec::new();
        let mut from = 0;
        // Skips the leaders, and stores each part between them.
        while from < chars.len() {
            if is_run(&chars[from..]) {
                from += chars[from..].iter().take_while(|c| is_dot(**c)).count();
                continue;
            }
            let ends = |at: &usize| is_run(&chars[*at..]);
            let to = (from + 1..chars.len()).find(ends).unwrap_or(chars.len());
            let x = |at: usize| letters.all[self.letters[at] as usize].x;
            parts.push(Self {
                letters: self.letters[from..to].to_vec(),
                text: chars[from..to].iter().collect(),
                x: (x(from).0, x(to - 1).1),
                is_led: from > 0,
                ..self.clone()
            });
            from = to;
        }
        parts
    }
}

/// Returns whether a character is used in leaders.
fn is_dot(c: char) -> bool {
    matches!(c, '.' | '…' | '·' | '_')
}

/// Removes leaders whose dots are separate words.
fn drop_leaders(words: Vec<Word>) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::with_capacity(words.len());
    // Number of words at the end of `kept` that consist of dots.
    let mut dots = 0;
    for word in words {
        let is_dots = word.text.chars().all(is_dot);
        if !is_dots && dots >= LEADERS {
            kept.truncate(kept.len() - dots);
        }
        let is_led = word.is_led || (!is_dots && dots >= LEADERS);
        dots = if is_dots { dots + 1 } else { 0 };
        kept.push(Word { is_led, ..word });
    }
    if dots >= LEADERS {
        kept.truncate(kept.len() - dots);
    }
    kept
}

/// Joins super- and subscripts, such as footnote marks, to the word they belong to.
fn attach_raised(lines: &mut [Vec<Word>]) {
    for at in 0..lines.len() {
        // The word to which a raised word belongs can only be on the level directly above or below.
        for other in [at.wrapping_sub(1), at + 1] {
            if other >= lines.len() {
                continue;
            }
            let small = std::mem::take(&mut lines[at]);
            let hosts = &mut lines[other];
            let mut kept = Vec::new();
            for word in small {
                // Words are sorted, so candidates are adjacent.
                let next = hosts.partition_point(|host| host.x.0 < word.x.0);
                let beside = next.saturating_sub(2)..(next + 2).min(hosts.len());
                let host = hosts[beside].iter_mut().find(|host| {
                    let is_small = word.size < 0.85 * host.size;
                    let is_near = (word.base - host.base).abs() < 0.6 * host.size;
                    let gap = (word.x.0 - host.x.1).max(host.x.0 - word.x.1);
                    is_small && is_near && gap < 0.15 * host.size
                });
                match host {
                    Some(host) => {
                        host.x = (host.x.0.min(word.x.0), host.x.1.max(word.x.1));
                        host.letters.extend(word.letters);
                        host.text.push_str(&word.text);
                    }
                    None => kept.push(word),
                }
            }
            lines[at] = kept;
        }
    }
}

/// Median of the gaps that may be spaces, in multiples of the font size.
fn median_space(lines: &[Vec<Word>]) -> f32 {
    let gaps = |line: &Vec<Word>| -> Vec<f32> {
        let pairs = line.windows(2);
        pairs
            .map(|pair| (pair[1].x.0 - pair[0].x.1) / pair[0].size)
            .collect()
    };
    let mut gaps: Vec<f32> = lines.iter().flat_map(gaps).collect();
    gaps.retain(|gap| (0.0..WIDEST_SPACE).contains(gap));
    gaps.sort_by(|a, b| by(*a, *b));
    gaps.get(gaps.len() / 2).copied().unwrap_or(0.25)
}

/// Splits a line into phrases at wide gaps and rules, and between long numbers.
fn split_line(words: Vec<Word>, space: f32, down: &[Rule]) -> Vec<Phrase> {
    let is_ruled = |last: &Word, word: &Word| {
        let middle = word.base - 0.3 * word.size;
        let first = down.partition_point(|rule| rule.at < last.x.1 - 1.0);
        let between = down[first..]
            .iter()
            .take_while(|rule| rule.at < word.x.0 + 1.0);
        between
            .into_iter()
            .any(|rule| rule.from < middle && middle < rule.to)
    };
    let least = PHRASE_GAP.max(PHRASE_GAP_OF_SPACES * space);
    let continues = |phrase: &Vec<Word>, word: &Word| {
        let Some(last) = phrase.last() else {
            return true;
        };
        let gap = (word.x.0 - last.x.1) / last.size.max(word.size);
        let is_mark = phrase.len() == 1 && last.is_bullet();
        if is_mark {
            return gap < MARK_GAP;
        }
        // A gap of more than 0.4 font sizes may be a space between words, but between long numbers it separates
        // columns.
        gap < least && !is_ruled(last, word) && !(gap > 0.4 && last.is_large() && word.is_large())
    };
    let mut phrases: Vec<Vec<Word>> = Vec::new();
    for word in words {
        match phrases.last_mut().filter(|phrase| continues(phrase, &word)) {
            Some(phrase) => phrase.push(word),
            None => phrases.push(vec![word]),
        }
    }
    phrases.into_iter().map(Phrase::of).collect()
}
