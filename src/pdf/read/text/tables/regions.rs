//! Regions of a page that may contain a table without a frame: clusters of phrases apart from running text. Does not
//! find columns.

use super::{
    columns::Gutters,
    rows::{Row, rows},
    words::{Content, Phrase},
};

/// Largest gap in a line of running text, in multiples of the font size.
const PROSE_GAP: f32 = 0.9;

/// Minimum number of letters in a line of running text.
const PROSE: usize = 30;
/// Minimum number of words in a line of running text.
const PROSE_WORDS: usize = 5;
/// Limit on the fraction of digits in a line of running text.
const PROSE_DIGITS: f32 = 0.2;

/// Largest line spacing of running text, in multiples of the font size.
const PROSE_LEADING: f32 = 1.8;

/// Minimum number of lines of running text.
const PROSE_LINES: usize = 3;

/// Largest indent of a line of running text, in multiples of the font size.
const INDENT: f32 = 3.0;

/// Largest vertical gap between phrases of a cluster, in multiples of the font size.
const GAP_DOWN: f32 = 2.2;
/// Largest horizontal gap between phrases of a cluster, in multiples of the font size.
const GAP_ACROSS: f32 = 24.0;

/// Largest space between clusters that are parts of one table, in multiples of the font size.
const REJOIN: f32 = 6.0;

/// Limit on the clusters that are compared.
const MAX: usize = 4000;

/// Limit on the following phrases that a phrase is compared with.
const MAX_COMPARED: usize = 500;

/// Clusters of phrases that are not running text. Phrases that are close to each other are linked, and linked phrases
/// form a cluster (union-find).
pub(super) fn clusters(phrases: Vec<Phrase>) -> Vec<Vec<Phrase>> {
    let is_prose = prose(&phrases);
    let (prose, others): (Vec<_>, Vec<_>) = phrases
        .into_iter()
        .zip(is_prose)
        .partition(|(_, is_prose)| *is_prose);
    let prose: Vec<Phrase> = prose.into_iter().map(|(phrase, _)| phrase).collect();
    let others: Vec<Phrase> = others.into_iter().map(|(phrase, _)| phrase).collect();
    let mut group: Vec<usize> = (0..others.len()).collect();
    for (at, one) in others.iter().enumerate() {
        let candidates = others.iter().enumerate().skip(at + 1).take(MAX_COMPARED);
        // Phrases are sorted from top to bottom, so the first one too far below ends the search.
        for (to, other) in
            candidates.take_while(|(_, other)| other.y.0 < one.y.1 + GAP_DOWN * one.size)
        {
            if are_linked(one, other, &prose) {
                let (one, other) = (root(&mut group, at), root(&mut group, to));
                group[one.max(other)] = one.min(other);
            }
        }
    }
    let mut clusters: Vec<Vec<Phrase>> = Vec::new();
    let mut place = vec![usize::MAX; others.len()];
    for (at, phrase) in others.into_iter().enumerate() {
        let own = root(&mut group, at);
        if place[own] == usize::MAX {
            place[own] = clusters.len();
            clusters.push(Vec::new());
        }
        clusters[place[own]].push(phrase);
    }
    join_clusters(clusters)
}

/// Joins clusters below each other that have the same columns, at least three, together with the phrases between them.
/// More than [`MAX`] clusters stay as they are.
fn join_clusters(clusters: Vec<Vec<Phrase>>) -> Vec<Vec<Phrase>> {
    if clusters.len() > MAX {
        return clusters;
    }
    let mut done: Vec<ClusterShape> = Vec::new();
    for phrases in clusters {
        let shape = ClusterShape::of(phrases);
        let above = done.iter().rposition(|above| above.continues(&shape));
        match above.filter(|_| shape.is_table()) {
            Some(at) => {
                let above = done.swap_remove(at);
                let mut both = [above.phrases, shape.phrases].concat();
                let x = (above.x.0.min(shape.x.0), above.x.1.max(shape.x.1));
                // Clusters between the two, such as headings of sections, become part of the table.
                done.retain_mut(|other| {
                    let is_between = other.x.0 >= x.0
                        && other.x.1 <= x.1
                        && other.y.0 > above.y.0
                        && other.y.1 < shape.y.1;
                    if is_between {
                        both.append(&mut other.phrases);
                    }
                    !is_between
                });
                done.push(ClusterShape::of(both));
            }
            None => done.push(shape),
        }
    }
    done.into_iter().map(|shape| shape.phrases).collect()
}

/// A cluster with its geometry, in points.
struct ClusterShape {
    phrases: Vec<Phrase>,
    /// Gutters between its columns. Empty if fewer than two rows have several phrases.
    gutters: Vec<(f32, f32)>,
    /// Left and right edge.
    x: (f32, f32),
    /// Top and bottom edge.
    y: (f32, f32),
}

impl ClusterShape {
    /// Determines the geometry of a cluster.
    fn of(phrases: Vec<Phrase>) -> Self {
        let several: Vec<Row> = rows(phrases.clone())
            .into_iter()
            .filter(|row| row.phrases.len() > 1)
            .collect();
        let gutters = Gutters::of(&several.iter().collect::<Vec<_>>(), &[]);
        let edges = |(x, y): ((f32, f32), (f32, f32)), phrase: &Phrase| {
            let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
            (wider(x, phrase.x), wider(y, phrase.y))
        };
        let none = (f32::MAX, f32::MIN);
        let (x, y) = phrases.iter().fold((none, none), edges);
        Self {
            gutters: if several.len() > 1 {
                gutters.0
            } else {
                Vec::new()
            },
            phrases,
            x,
            y,
        }
    }

    /// Returns whether the cluster has at least three columns.
    fn is_table(&self) -> bool {
        self.gutters.len() > 1
    }

    /// Returns whether another cluster continues this one below, in the same columns.
    fn continues(&self, below: &Self) -> bool {
        let size = self.phrases.last().map_or(0.0, |phrase| phrase.size);
        let is_near = (0.0..REJOIN * size).contains(&(below.y.0 - self.y.1));
        if !self.is_table() || !is_near {
            return false;
        }
        let is_same = |gutter: &(f32, f32)| {
            let shared = below
                .gutters
                .iter()
                .filter(|other| other.0 < gutter.1 && other.1 > gutter.0);
            shared.count() == 1
        };
        let same = self.gutters.iter().filter(|gutter| is_same(gutter)).count();
        // Four fifths of the gutters suffice, because a column may be empty in one of the parts.
        let most = self.gutters.len().max(below.gutters.len());
        5 * same >= 4 * most
    }
}

/// The representative of a group in the union-find structure, with path halving.
fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

/// Returns whether two phrases belong to one cluster: side by side without running text between
/// them, or one closely below the other.
fn are_linked(one: &Phrase, other: &Phrase, prose: &[Phrase]) -> bool {
    let size = one.size.max(other.size);
    let overlap = one.x.1.min(other.x.1) - one.x.0.max(other.x.0);
    // Running text between two phrases on one baseline separates them, because it is another column of the page.
    if (other.base - one.base).abs() < 0.35 * size {
        let between = (one.x.1.min(other.x.1), one.x.0.max(other.x.0));
        let first = prose.partition_point(|line| line.base < one.base - size);
        let is_between = |line: &Phrase| line.x.0 < between.1 && line.x.1 > between.0;
        let candidates = prose[first..]
            .iter()
            .take_while(|line| line.base < one.base + size)
            .take(MAX_COMPARED);
        return -overlap < GAP_ACROSS * size && !candidates.into_iter().any(is_between);
    }
    overlap > 0.0 && other.y.0 - one.y.1 < GAP_DOWN * one.size.min(other.size)
}

/// A line: phrases without wide gaps between them.
struct TextLine {
    /// Indexes of the phrases.
    parts: Vec<usize>,
    /// Left and right edge, in points.
    x: (f32, f32),
    /// Baseline of the first phrase, in points.
    base: f32,
    /// Font size of the first phrase, in points.
    size: f32,
    /// Whether the line looks like running text: it has many letters, several words, few digits, and no value to its
    /// right.
    is_long: bool,
}

/// Returns for each phrase whether it is running text. Running text is a stack of several lines, most of which are
/// long.
fn prose(phrases: &[Phrase]) -> Vec<bool> {
    let texts = texts(phrases);
    let mut stacks: Vec<Vec<usize>> = Vec::new();
    // A stack is a sequence of lines below each other with similar spacing, size and left edge.
    for (at, text) in texts.iter().enumerate() {
        let continues = |stack: &&mut Vec<usize>| {
            let last = &texts[*stack.last().unwrap_or(&0)];
            let gap = text.base - last.base;
            let overlap = text.x.1.min(last.x.1) - text.x.0.max(last.x.0);
            let shorter = (text.x.1 - text.x.0).min(last.x.1 - last.x.0);
            gap > 0.3 * last.size
                && gap < PROSE_LEADING * last.size
                && (text.size - last.size).abs() < 0.12 * last.size
                && (text.x.0 - last.x.0).abs() < INDENT * last.size
                && overlap > 0.6 * shorter
        };
        match stacks.iter_mut().rev().take(64).find(continues) {
            Some(stack) => stack.push(at),
            None => stacks.push(vec![at]),
        }
    }
    let mut is_prose = vec![false; phrases.len()];
    let mut boxes = Vec::new();
    for stack in &stacks {
        // A stack is prose if it has several lines, and two thirds of them are long.
        let long_lines = stack.iter().filter(|at| texts[**at].is_long).count();
        if stack.len() < PROSE_LINES || 3 * long_lines < 2 * stack.len() {
            continue;
        }
        let of = |at: &usize| &texts[*at];
        for part in stack.iter().flat_map(|at| &of(at).parts) {
            is_prose[*part] = true;
        }
        let x = stack.iter().map(of).fold((f32::MAX, f32::MIN), |x, text| {
            (x.0.min(text.x.0), x.1.max(text.x.1))
        });
        let (first, last) = (of(&stack[0]), of(&stack[stack.len() - 1]));
        boxes.push((
            x,
            (first.base - 0.5 * first.size, last.base + 0.5 * last.size),
        ));
    }
    // Other phrases inside the box of a stack belong to lines with wide gaps, so they are running text as well.
    for (phrase, is_prose) in phrases.iter().zip(&mut is_prose) {
        let is_within = |((from, to), (top, bottom)): &((f32, f32), (f32, f32))| {
            phrase.x.0 > from - 1.0
                && phrase.x.1 < to + 1.0
                && (*top..*bottom).contains(&phrase.base)
        };
        *is_prose |= boxes.iter().any(is_within);
    }
    is_prose
}

/// Returns for each line whether a value stands alone to its right, as beside a row label.
fn beside_values(texts: &[TextLine], phrases: &[Phrase]) -> Vec<bool> {
    let is_value = |text: &TextLine| {
        text.parts
            .iter()
            .all(|at| phrases[*at].content() == Content::Value)
    };
    let are_values: Vec<bool> = texts.iter().map(is_value).collect();
    let beside = |at: usize| {
        let text = &texts[at];
        let first = texts.partition_point(|other| other.base < text.base - 0.2 * text.size);
        let candidates = texts[first..].iter().zip(&are_values[first..]);
        let candidates =
            candidates.take_while(|(other, _)| other.base < text.base + 0.2 * text.size);
        let mut candidates = candidates.take(MAX_COMPARED);
        candidates.any(|(other, is_value)| {
            *is_value && (0.0..GAP_ACROSS * text.size).contains(&(other.x.0 - text.x.1))
        })
    };
    (0..texts.len()).map(beside).collect()
}

/// Groups phrases into lines.
fn texts(phrases: &[Phrase]) -> Vec<TextLine> {
    let mut texts: Vec<TextLine> = Vec::new();
    for (at, phrase) in phrases.iter().enumerate() {
        let before = texts.iter_mut().rev().take(32).find(|text| {
            (text.base - phrase.base).abs() < 0.2 * phrase.size
                && (-0.5 * phrase.size..PROSE_GAP * phrase.size).contains(&(phrase.x.0 - text.x.1))
        });
        match before {
            Some(text) => {
                text.parts.push(at);
                text.x.1 = text.x.1.max(phrase.x.1);
            }
            None => texts.push(TextLine {
                parts: vec![at],
                x: phrase.x,
                base: phrase.base,
                size: phrase.size,
                is_long: false,
            }),
        }
    }
    let values = beside_values(&texts, phrases);
    for (text, has_values) in texts.iter_mut().zip(values) {
        let words = || text.parts.iter().flat_map(|at| &phrases[*at].words);
        let letters: usize = words().map(|word| word.letters.len()).sum();
        let digits = words()
            .flat_map(|word| word.text.chars())
            .filter(|c| c.is_numeric());
        text.is_long = !has_values
            && letters >= PROSE
            && words().count() >= PROSE_WORDS
            && (digits.count() as f32) < PROSE_DIGITS * letters as f32;
    }
    texts
}
