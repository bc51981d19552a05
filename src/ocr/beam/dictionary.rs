//! Follows the characters between two spaces through the dictionary: punctuation, a word or a number, and punctuation
//! again. They may be at several positions of the lists at the same time; each further character leads from these to
//! new positions.
//!
//! The list of punctuation contains the possible combinations of punctuation around a word. In them, one character
//! represents the word itself: `(·)`, `·,`.

use crate::traineddata::{
    dawg::{Dawg, PATTERN},
    unicharset::Unicharset,
};
use std::collections::HashMap;

/// The word lists of a model.
#[derive(Default)]
pub(crate) struct Dictionary {
    pub(crate) punctuation: Option<Dawg>,
    pub(crate) words: Option<Dawg>,
    pub(crate) numbers: Option<Dawg>,
}

/// The list that a word comes from; a greater value stands for a better list. The values are those of Tesseract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Permuter {
    None = 0,
    Punctuation = 1,
    /// No list: the characters were read without the dictionary.
    TopChoice = 2,
    Number = 6,
    Word = 8,
}

/// A list that words are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Words,
    Numbers,
}

/// A position in the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    /// The word's list and the last edge in it. `None` before the beginning of the word.
    word: Option<(List, usize)>,
    /// Whether the word is followed through the list of punctuation.
    punctuated: bool,
    /// The last edge in the list of punctuation. `None` before its beginning.
    punctuation: Option<usize>,
    /// Whether the word has ended, and only punctuation follows.
    back: bool,
}

/// A set of positions, by its number in [`Positions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Set(u32);

/// A step in the dictionary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// The positions after the character.
    pub(crate) set: Set,
    /// The best of the lists that contain the word so far; [`Permuter::None`] if it is in no list.
    pub(crate) permuter: Permuter,
    /// Whether the word may end with this character.
    pub(crate) ends: bool,
}

/// The sets of positions that have occurred on a line, and the set to which each character leads from them.
pub(crate) struct Positions<'m> {
    dictionary: &'m Dictionary,
    unicharset: &'m Unicharset,
    sets: Vec<Vec<Position>>,
    known: HashMap<(Set, usize), Next>,
}

impl Dictionary {
    /// Returns whether a search with this dictionary can find more than the likeliest outputs, which requires a list of
    /// words.
    pub(crate) fn is_useful(&self) -> bool {
        self.words.is_some()
    }

    fn list(&self, list: List) -> Option<&Dawg> {
        match list {
            List::Words => self.words.as_ref(),
            List::Numbers => self.numbers.as_ref(),
        }
    }
}

impl List {
    fn permuter(self) -> Permuter {
        match self {
            Self::Words => Permuter::Word,
            Self::Numbers => Permuter::Number,
        }
    }
}

impl<'m> Positions<'m> {
    /// Starts with the set of positions at the beginning of a word.
    pub(crate) fn new(dictionary: &'m Dictionary, unicharset: &'m Unicharset) -> Self {
        let punctuation = dictionary.punctuation.as_ref();
        // Whether the list of punctuation has an entry that consists only of the character for a word. It then also
        // leads through words without punctuation.
        let through =
            punctuation.is_some_and(|list| list.first(PATTERN).is_some_and(|edge| list.ends(edge)));
        let mut start = Vec::new();
        if punctuation.is_some() {
            start.push(Position {
                word: None,
                punctuated: true,
                punctuation: None,
                back: false,
            });
        }
        // Without such an entry, a word without punctuation begins directly in the lists of words.
        if !through {
            start.push(Position {
                word: None,
                punctuated: false,
                punctuation: None,
                back: false,
            });
        }
        Self {
            dictionary,
            unicharset,
            sets: vec![start],
            known: HashMap::new(),
        }
    }

    /// The beginning of a word.
    pub(crate) fn start(&self) -> Set {
        Set(0)
    }

    /// Number of sets, as a measure of memory.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Makes the step that the character `id` leads to from a set of positions.
    pub(crate) fn next(&mut self, set: Set, id: usize) -> Next {
        if let Some(next) = self.known.get(&(set, id)) {
            return *next;
        }
        let mut to = Step::default();
        if id != PATTERN {
            for position in &self.sets[set.0 as usize] {
                self.advance(*position, id, &mut to);
            }
        }
        let next = Next {
            set: Set(self.sets.len() as u32),
            permuter: to.permuter.unwrap_or(Permuter::None),
            ends: to.ends,
        };
        self.sets.push(to.positions);
        self.known.insert((set, id), next);
        next
    }

    /// Adds to `to` all positions that the character `id` leads to from `position`: in the list of punctuation, at the
    /// beginning of a word, or within it.
    fn advance(&self, position: Position, id: usize, to: &mut Step) {
        let punctuation = self.dictionary.punctuation.as_ref();
        let punctuation = punctuation.filter(|_| position.punctuated);
        let Some((list, edge)) = position.word else {
            let Some(marks) = punctuation else {
                self.begin(id, None, to);
                return;
            };
            let follow = |id| match position.punctuation {
                None => marks.first(id),
                Some(edge) => marks.after(edge, id),
            };
            if let Some(edge) = follow(PATTERN) {
                self.begin(id, Some((edge, marks.ends(edge))), to);
            }
            if let Some(edge) = follow(id) {
                let next = Position {
                    punctuation: Some(edge),
                    ..position
                };
                to.add(next, Permuter::Punctuation, marks.ends(edge));
            }
            return;
        };
        let Some(dawg) = self.dictionary.list(list) else {
            return;
        };
        if let (Some(marks), Some(before), true) =
            (punctuation, position.punctuation, dawg.ends(edge))
            && let Some(edge) = marks.after(before, id)
        {
            let next = Position {
                punctuation: Some(edge),
                back: true,
                ..position
            };
            to.add(next, list.permuter(), marks.ends(edge));
        }
        if position.back {
            return;
        }
        if let Some(edge) = dawg.after(edge, self.as_in(list, id)) {
            let may_end = match (punctuation, position.punctuation) {
                (Some(marks), Some(edge)) => marks.ends(edge),
                _ => true,
            };
            let next = Position {
                word: Some((list, edge)),
                ..position
            };
            to.add(next, list.permuter(), dawg.ends(edge) && may_end);
        }
    }

    /// Begins a word. `punctuation` is the last edge in the list of punctuation, and whether an entry of that list may
    /// end there; `None` if the word is not followed through that list.
    fn begin(&self, id: usize, punctuation: Option<(usize, bool)>, to: &mut Step) {
        for list in [List::Words, List::Numbers] {
            let Some(dawg) = self.dictionary.list(list) else {
                continue;
            };
            if let Some(edge) = dawg.first(self.as_in(list, id)) {
                let next = Position {
                    word: Some((list, edge)),
                    punctuated: punctuation.is_some(),
                    punctuation: punctuation.map(|(edge, _)| edge),
                    back: false,
                };
                let may_end = punctuation.is_none_or(|(_, ends)| ends);
                to.add(next, list.permuter(), dawg.ends(edge) && may_end);
            }
        }
    }

    /// The character as the list contains it: the list of numbers has the same character for all digits.
    fn as_in(&self, list: List, id: usize) -> usize {
        match list {
            List::Numbers if self.unicharset.is_digit(id) => PATTERN,
            List::Words | List::Numbers => id,
        }
    }
}

/// The step from a set of positions, as far as it has been computed: [`Next`], with the positions themselves.
#[derive(Default)]
struct Step {
    positions: Vec<Position>,
    permuter: Option<Permuter>,
    ends: bool,
}

impl Step {
    fn add(&mut self, position: Position, permuter: Permuter, ends: bool) {
        if !self.positions.contains(&position) {
            self.positions.push(position);
        }
        self.permuter = self.permuter.max(Some(permuter));
        self.ends |= ends;
    }
}
