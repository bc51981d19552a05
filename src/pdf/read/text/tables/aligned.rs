//! Tables recognised by the alignment of their text, with few horizontal rules or none. Determines
//! where a table begins and ends; [`doubts`] decides whether it is one.

use super::{
    super::{compare::by, rules::Rule},
    candidate::Aligned,
    columns::Gutters,
    doubts,
    rows::{Row, rows as rows_of},
    words::{Content, Phrase},
};

/// Minimum fraction of a table's width that a horizontal rule covers.
const RULE_SHARE: f32 = 0.7;

/// Largest distance of a rule above the first line or below the last, in multiples of the font
/// size.
const RULE_DISTANCE: f32 = 2.5;

/// Largest space between lines of a table, in multiples of the font size.
const FAR: f32 = 6.0;

/// Limit on consecutive lines without columns, such as headings, inside a table.
const HEADINGS: usize = 3;

/// Limit on the header lines above a rule. If more lines above it fit the columns, none of them is a header.
const HEAD: usize = 6;

/// Number of letters above which lines between two rules may be prose, instead of headings inside a table.
const LONG_LINE: usize = 50;

/// Finds the tables in a cluster of phrases.
pub(super) fn find(cluster: Vec<Phrase>, across: &[Rule], down: &[Rule]) -> Vec<Aligned> {
    let mut found = Vec::new();
    for mut rows in far_apart(rows_of(cluster)) {
        loop {
            // If prose is between two rules, the table ends before it, and another one begins after it.
            let rules = wide_rules(&rows, across);
            let next = next_table(&rows, &rules).map(|at| rows.split_off(at));
            if has_several(&rows) {
                found.extend(table(rows, rules, across, down));
            }
            match next {
                Some(next) => rows = next,
                None => break,
            }
        }
    }
    found
}

/// Returns whether at least two rows have several phrases.
fn has_several(rows: &[Row]) -> bool {
    let several = rows.iter().filter(|row| row.phrases.len() > 1);
    several.take(2).count() > 1
}

/// Splits rows at large spaces.
fn far_apart(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let mut parts: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        let last = parts.last().and_then(|part| part.last());
        let is_near = last.is_some_and(|last| row.y.0 - last.y.1 <= FAR * last.size.max(row.size));
        match parts.last_mut().filter(|_| is_near) {
            Some(part) => part.push(row),
            None => parts.push(vec![row]),
        }
    }
    parts
}

/// Finds the table among the phrases in a frame.
pub(super) fn within(phrases: Vec<Phrase>, across: &[Rule], down: &[Rule]) -> Option<Aligned> {
    let rows = rows_of(phrases);
    let rules = wide_rules(&rows, across);
    table(rows, rules, across, down)
}

/// Heights of rules across most of the width of the rows with several phrases, from top to bottom.
/// Collinear parts are added up.
fn wide_rules(rows: &[Row], across: &[Rule]) -> Vec<f32> {
    let several = rows.iter().filter(|row| row.phrases.len() > 1);
    let x = several.fold((f32::MAX, f32::MIN), |x, row| {
        let own = row.x();
        (x.0.min(own.0), x.1.max(own.1))
    });
    let width = x.1 - x.0;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Vec::new();
    };
    let (top, bottom) = (
        first.y.0 - RULE_DISTANCE * first.size,
        last.y.1 + RULE_DISTANCE * last.size,
    );
    let mut levels: Vec<(f32, f32)> = Vec::new();
    let from = across.partition_point(|rule| rule.at < top);
    for rule in across[from..].iter().take_while(|rule| rule.at <= bottom) {
        let len = (rule.to.min(x.1) - rule.from.max(x.0)).max(0.0);
        match levels.last_mut() {
            Some(level) if rule.at - level.0 < 1.5 => level.1 += len,
            _ => levels.push((rule.at, len)),
        }
    }
    levels.retain(|(_, len)| *len > RULE_SHARE * width);
    levels.into_iter().map(|(at, _)| at).collect()
}

/// Index of the row at which another table begins, after lines of prose between two rules.
fn next_table(rows: &[Row], rules: &[f32]) -> Option<usize> {
    let after = |at: f32| rows.partition_point(|row| row.base <= at);
    rules.windows(2).find_map(|pair| {
        let (from, to) = (after(pair[0]), after(pair[1]));
        let between = &rows[from..to];
        let phrases = between.iter().flat_map(|row| &row.phrases);
        let is_text = between.len() > 1
            && phrases.map(Phrase::len).sum::<usize>() > LONG_LINE
            && !between
                .iter()
                .any(|row| row.phrases.len() > 2 || is_values(row));
        (is_text && has_several(&rows[..from]) && has_several(&rows[to..])).then_some(to)
    })
}

/// Returns whether a row has a value after its first phrase.
fn is_values(row: &Row) -> bool {
    row.phrases
        .iter()
        .skip(1)
        .any(|phrase| phrase.content() == Content::Value)
}

/// Makes a table of rows, without the text above, below and beside it. `None` if it is not a table.
fn table(
    mut rows: Vec<Row>,
    mut rules: Vec<f32>,
    across: &[Rule],
    down: &[Rule],
) -> Option<Aligned> {
    let within = |rows: &[Row], rules: &[f32]| -> Vec<bool> {
        let [first, .., last] = rules else {
            return vec![true; rows.len()];
        };
        rows.iter()
            .map(|row| (*first..*last).contains(&row.base))
            .collect()
    };
    // The first guess of the columns is based on the rows between the outer rules, or on all rows if these are too few.
    let inner = within(&rows, &rules);
    let core: Vec<&Row> = rows
        .iter()
        .zip(&inner)
        .filter(|(row, is_inner)| **is_inner && row.phrases.len() > 1)
        .map(|(row, _)| row)
        .collect();
    let core = if core.len() < 2 {
        rows.iter().filter(|row| row.phrases.len() > 1).collect()
    } else {
        core
    };
    let gutters = Gutters::of(&core, &[]);
    if gutters.0.is_empty() {
        return None;
    }
    // The first guess gives the limits of the table, and the rows within these limits give the final columns.
    let (from, to) = limits(&rows, &rules, &gutters)?;
    let mut rows: Vec<Row> = rows.drain(from..to).collect();
    let several = rows.iter().filter(|row| row.phrases.len() > 1);
    let x = several.fold((f32::MAX, f32::MIN), |x, row| {
        let own = row.x();
        (x.0.min(own.0), x.1.max(own.1))
    });
    // This drops text beside the table.
    for row in &mut rows {
        row.phrases
            .retain(|phrase| phrase.x.1 > x.0 && phrase.x.0 < x.1);
    }
    rows.retain(|row| !row.phrases.is_empty());
    let y = (rows.first()?.y.0, rows.last()?.y.1);
    // A vertical rule counts as a gutter if it extends over most of the table's height.
    let places: Vec<f32> = down
        .iter()
        .filter(|rule| {
            let len = rule.to.min(y.1) - rule.from.max(y.0);
            len > 0.6 * (y.1 - y.0) && rule.at > x.0 && rule.at < x.1
        })
        .map(|rule| rule.at)
        .collect();
    let core: Vec<&Row> = rows.iter().filter(|row| row.phrases.len() > 1).collect();
    let gutters = Gutters::of(&core, &places);
    let size = rows.first()?.size;
    rules.retain(|at| (y.0 - RULE_DISTANCE * size..=y.1 + RULE_DISTANCE * size).contains(at));
    let parts = across
        .iter()
        .filter(|rule| rule.at > y.0 && rule.at < y.1 && rule.from < x.1 && rule.to > x.0);
    let table = Aligned {
        rows,
        gutters,
        rules,
        parts: parts.copied().collect(),
        x,
        y,
    };
    doubts::is_table(&table).then_some(table)
}

/// Index of the first row of a table, and of the row after its last.
fn limits(rows: &[Row], rules: &[f32], gutters: &Gutters) -> Option<(usize, usize)> {
    // A row fits if it has several phrases, and at least half of the phrases are each within a single column.
    let fits = |row: &Row| {
        let placed = gutters.place(row);
        placed.len() > 1
            && 2 * placed
                .iter()
                .filter(|placed| placed.first == placed.last)
                .count()
                >= placed.len()
    };
    let is_fit: Vec<bool> = rows.iter().map(fits).collect();
    let after = |at: f32| rows.partition_point(|row| row.base <= at);
    // Number of consecutive fitting lines above, as header.
    let above = |at: usize| is_fit[..at].iter().rev().take_while(|fits| **fits).count();
    let head = |at: usize| Some(above(at)).filter(|above| *above <= HEAD).unwrap_or(0);
    match rules {
        [first, .., last] => {
            // The table ends at the last rule, or below it if at least three more lines fit.
            let (first, last) = (after(*first), after(*last));
            let (end, count) = run(&is_fit, last);
            let to = if count > 2 { end } else { last };
            (to > first).then_some((first - head(first), to))
        }
        // A single rule with at least two fitting rows below it is above all rows, or below the header.
        [only] if run(&is_fit, after(*only)).1 > 1 => {
            let only = after(*only);
            Some((only - head(only), run(&is_fit, only).0))
        }
        _ => {
            // Without rules, the longest run of fitting rows is the table. If several runs are equally long, the first
            // counts.
            let starts = (0..rows.len()).filter(|at| is_fit[*at] && (*at == 0 || !is_fit[at - 1]));
            let runs = starts.map(|start| (run(&is_fit, start), start));
            let ((end, count), start) =
                runs.max_by_key(|((_, count), start)| (*count, rows.len() - start))?;
            (count > 0).then_some((start, end))
        }
    }
}

/// The end of the run of fitting lines that begins at `start`, and the number of fitting lines in it. A run may contain
/// a few other lines.
fn run(is_fit: &[bool], start: usize) -> (usize, usize) {
    let (mut end, mut count) = (start, 0);
    for (at, _) in is_fit
        .iter()
        .enumerate()
        .skip(start)
        .filter(|(_, fits)| **fits)
    {
        if at - end > HEADINGS {
            break;
        }
        (end, count) = (at + 1, count + 1);
    }
    (end, count)
}

/// Median font size of rows.
pub(super) fn median_size(rows: &[Row]) -> f32 {
    let mut sizes: Vec<f32> = rows.iter().map(|row| row.size).collect();
    sizes.sort_by(|a, b| by(*a, *b));
    sizes.get(sizes.len() / 2).copied().unwrap_or(10.0)
}
