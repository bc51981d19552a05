//! Plausibility checks that exclude text that resembles a table: prose in columns, tables of contents, lists, forms.
//! Changes nothing.

use super::{candidate::Aligned, columns::Placed, words::Content};

/// Minimum number of rows of a table without rules.
const ROWS: usize = 3;
/// Minimum number of rows of a table without rules that has just two columns.
const ROWS_OF_TWO: usize = 4;

/// Minimum fraction of values after the first column of a table without rules that has at least [`COLUMNS`] columns.
/// With fewer columns, half must be values.
const VALUES: f32 = 0.3;
/// Number of columns from which the fraction of values may be smaller than a half.
const COLUMNS: usize = 4;

/// Minimum typical number of letters in a phrase of prose.
const PROSE: usize = 28;

/// Limit on page numbers in a table of contents.
const MAX_PAGES: u32 = 5000;

/// Minimum fraction of the columns that a typical row fills, in a table with rules.
const FILLED: f32 = 0.34;
/// Minimum fraction of the columns that a typical row fills, in a table without rules.
const FILLED_WITHOUT_RULES: f32 = 0.5;

/// Returns whether a candidate is a table.
pub(super) fn is_table(table: &Aligned) -> bool {
    let columns = table.gutters.columns();
    let rows: Vec<Vec<Placed>> = table
        .rows
        .iter()
        .map(|row| table.gutters.place(row))
        .collect();
    let several: Vec<&Vec<Placed>> = rows.iter().filter(|row| row.len() > 1).collect();
    let is_ruled = table.rules.len() > 1;
    // A line that continues a label has no text beside it, so not every row needs several phrases. Half of the rows
    // must have several phrases, or a third in a table with rules.
    let (least, share) = match (is_ruled, columns) {
        (true, _) => (2, 3),
        (false, 2) => (ROWS_OF_TWO, 2),
        (false, _) => (ROWS, 2),
    };
    let has_rows = several.len() >= least && share * several.len() >= rows.len();
    if columns < 2 || !has_rows {
        return false;
    }
    let filled = filled(&several, columns);
    if filled
        < if is_ruled {
            FILLED
        } else {
            FILLED_WITHOUT_RULES
        }
    {
        return false;
    }
    if is_list(&several)
        || is_contents(&several, is_ruled)
        || is_form(&several)
        || is_prose(&several, columns)
    {
        return false;
    }
    if columns <= 3 && is_code(&several) {
        return false;
    }
    // In a table with two rules and two columns, few values suffice, and with more rules or columns none are needed.
    // Without rules, values are the only evidence of a table.
    let share = share_of_values(&several);
    if is_ruled {
        return share >= 0.1 || columns > 2 || table.rules.len() > 2;
    }
    let is_data = share >= if columns >= COLUMNS { VALUES } else { 0.5 };
    is_data && has_words(&rows)
}

/// Fraction of the columns that a typical row fills.
fn filled(rows: &[&Vec<Placed>], columns: usize) -> f32 {
    let of_row = |row: &&Vec<Placed>| {
        row.iter()
            .map(|placed| placed.last - placed.first + 1)
            .sum()
    };
    let mut filled: Vec<usize> = rows.iter().map(of_row).collect();
    filled.sort_unstable();
    filled[filled.len() / 2] as f32 / columns as f32
}

/// Fraction of values among the phrases after the first column.
fn share_of_values(rows: &[&Vec<Placed>]) -> f32 {
    let after = rows
        .iter()
        .flat_map(|row| row.iter())
        .filter(|placed| placed.first > 0);
    let values = after
        .clone()
        .filter(|placed| placed.phrase.content() == Content::Value);
    values.count() as f32 / after.count().max(1) as f32
}

/// Returns whether at least two phrases have words, as in headers or labels. A matrix of numbers has no words.
fn has_words(rows: &[Vec<Placed>]) -> bool {
    let texts = rows.iter().flatten().map(|placed| placed.phrase.text());
    let is_word = |text: &String| text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    texts.filter(is_word).count() > 1
}

/// Returns whether rows are program code: more than a quarter of them end like a statement or with a comment.
fn is_code(rows: &[&Vec<Placed>]) -> bool {
    let is_statement = |row: &&&Vec<Placed>| {
        let text = row[row.len() - 1].phrase.text();
        text.ends_with([';', '{', '}']) || text.starts_with("//")
    };
    4 * rows.iter().filter(is_statement).count() > rows.len()
}

/// Returns whether rows are a list: pairs of a list marker or consecutive number and a text. Program code with line
/// numbers counts as a list.
fn is_list(rows: &[&Vec<Placed>]) -> bool {
    let first: Vec<String> = rows
        .iter()
        .filter(|row| row[0].first == 0)
        .map(|row| row[0].phrase.text())
        .collect();
    let is_mark = |text: &&String| {
        let inner = text.trim_matches(|c: char| "()[].:".contains(c));
        let is_bullet = !text.is_empty()
            && text
                .chars()
                .all(|c| "•◦▪‣●○■□–-*·\u{f0b7}\u{f0a7}o".contains(c));
        let is_number = inner.len() <= 4
            && inner.len() < text.len()
            && inner.chars().all(char::is_alphanumeric);
        is_bullet || is_number
    };
    let two = rows.iter().all(|row| row.len() == 2);
    let marks = first.iter().filter(is_mark).count();
    two && (2 * marks > first.len() || is_counted(&first)) || is_code(rows) && is_counted(&first)
}

/// Returns whether most texts are consecutive numbers.
fn is_counted(texts: &[String]) -> bool {
    let numbers: Vec<u32> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    let next = |pair: &&[u32]| pair[1] == pair[0].wrapping_add(1);
    let follow = numbers.windows(2).filter(next).count();
    10 * numbers.len() >= 8 * texts.len() && 10 * (follow + 1) >= 8 * numbers.len()
}

/// Returns whether rows are a table of contents. Its lines end with integers that follow leader dots or, in a table
/// without rules, integers that rarely decrease.
fn is_contents(rows: &[&Vec<Placed>], is_ruled: bool) -> bool {
    let page = |placed: &Placed| -> Option<u32> {
        let page = placed.phrase.text().parse().ok();
        page.filter(|page| *page < MAX_PAGES)
    };
    let all = || rows.iter().flat_map(|row| row.iter());
    let is_text = |placed: &&Placed| placed.phrase.content() == Content::Text;
    let (texts, values) = (
        all().filter(is_text).count(),
        all().filter(|placed| !is_text(placed)).count(),
    );
    let is_led = |placed: &&Placed| placed.phrase.words[0].is_led && page(placed).is_some();
    let led = all().filter(is_led).count();
    if led >= ROWS && texts >= values && 10 * led >= 6 * values {
        return true;
    }
    // Without leaders, page numbers are integers that follow a title.
    let has_letters = |row: &&&Vec<Placed>| {
        let text = row[row.len() - 2].phrase.text();
        text.chars().filter(|c| c.is_alphabetic()).count() > 2
    };
    let last = rows.iter().filter(has_letters);
    let pages: Vec<u32> = last.filter_map(|row| page(row.last()?)).collect();
    let grows = pages.windows(2).filter(|pair| pair[0] <= pair[1]).count();
    let Some((first, last)) = pages.first().zip(pages.last()) else {
        return false;
    };
    !is_ruled
        && pages.len() >= ROWS
        && 4 * pages.len() >= 3 * rows.len()
        && 10 * (grows + 1) >= 9 * pages.len()
        && first < last
}

/// Returns whether rows are a form: more than a third of the texts are labels that end with a colon.
fn is_form(rows: &[&Vec<Placed>]) -> bool {
    let all = || rows.iter().flat_map(|row| row.iter());
    let labels = all()
        .filter(|placed| placed.phrase.text().ends_with(':'))
        .count();
    3 * labels > all().count()
}

/// Returns whether at least two columns are prose.
fn is_prose(rows: &[&Vec<Placed>], columns: usize) -> bool {
    let is_text = |column: &usize| {
        let mut lens: Vec<usize> = rows
            .iter()
            .flat_map(|row| row.iter())
            .filter(|placed| placed.first == *column)
            .map(|placed| placed.phrase.len())
            .collect();
        lens.sort_unstable();
        lens.get(lens.len() / 2).is_some_and(|len| *len >= PROSE)
    };
    (0..columns).filter(is_text).count() > 1
}
