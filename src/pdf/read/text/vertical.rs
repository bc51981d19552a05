//! Vertical writing of Chinese, Japanese and Korean: columns run from top to bottom, and follow each other from right
//! to left.
//!
//! A font with a vertical writing mode (ISO 32000-2, 9.7.4.3) states the direction. Browsers and many other programs
//! use a horizontal font, and place each letter below the previous one. The order of drawing shows such columns,
//! because in a horizontal line each letter is beside the previous one. The letters of these columns get the
//! coordinates of text that runs downwards, so that a column is a line like any other.
//!
//! Readings (furigana) are letters of half the size, directly above a line or to the right of a column. They would
//! interrupt the sentence, so they are left out and counted.

use super::{
    compare::by,
    page_text::{Letter, Letters},
};

/// Direction of vertical writing, in degrees clockwise from the right.
pub(super) const DOWN: i16 = 90;

/// Ascent of an ideograph, as a fraction of its size.
const ABOVE: f32 = 0.88;
/// Descent of an ideograph, as a fraction of its size.
const BELOW: f32 = 0.12;

/// Largest horizontal distance between the centres of letters in one column, in multiples of the size.
const ASIDE: f32 = 0.25;
/// Distance between the baselines of adjacent letters in one column, in multiples of the size.
const NEXT: std::ops::Range<f32> = 0.4..1.5;

/// Number of word characters from which a chain of letters below one another is evidence of vertical writing.
const FEWEST: usize = 4;
/// Number of word characters from which a chain of letters below one another is a column on a page of mostly horizontal
/// text.
const FEWEST_AMONG_LINES: usize = 8;

/// Largest number of digits or Latin letters side by side in a column.
const MAX_ABREAST: usize = 4;
/// Largest width of digits or Latin letters side by side in a column, in multiples of the size.
const WIDEST_ABREAST: f32 = 1.35;

/// Size of readings, as a fraction of the size of their base, which is the ideographs that they belong to.
const READING: std::ops::Range<f32> = 0.3..0.65;
/// Distance from the baseline of a base to the baseline of its reading, as a fraction of the base's size.
const READING_ABOVE: std::ops::Range<f32> = 0.7..1.3;

/// Limit on the letters that are compared with readings.
const MAX_COMPARED: usize = 4_000_000;

/// Letters that take one position in a column: an ideograph, or a few digits side by side.
struct Cell {
    /// Index of the first letter.
    first: usize,
    /// Index after the last letter.
    last: usize,
    /// Left and right edge, in points.
    x: (f32, f32),
    /// Baseline, in points.
    y: f32,
    /// Font size of the first letter, in points.
    size: f32,
    /// Whether the letter is Chinese, Japanese or Korean, or punctuation of these scripts.
    is_sign: bool,
    /// Whether the letter is a word character: alphabetic, and Chinese, Japanese or Korean.
    is_word: bool,
}

impl Cell {
    /// Cell of the letter at `first`. Letters of other scripts, such as digits, share a cell with the letters directly
    /// beside them.
    fn of(letters: &Letters, first: usize) -> Self {
        let text = |letter: &Letter| letters.text(letter).chars();
        let letter = &letters.all[first];
        let is_sign = text(letter).all(is_sign);
        let mut cell = Self {
            first,
            last: first + 1,
            x: letter.x,
            y: letter.y,
            size: letter.size,
            is_sign,
            is_word: is_sign && text(letter).any(char::is_alphabetic),
        };
        if is_sign {
            return cell;
        }
        while let Some(next) = letters.all.get(cell.last) {
            let is_near = (next.x.0 - cell.x.1).abs() < 0.3 * next.size
                && (next.y - cell.y).abs() < 0.1 * next.size;
            if !is_near || !is_across(next) || text(next).all(self::is_sign) {
                break;
            }
            cell.x.1 = cell.x.1.max(next.x.1);
            cell.last += 1;
        }
        cell
    }

    /// Returns whether the cell can be part of a column: it is a Chinese, Japanese or Korean character, or a few narrow
    /// letters, such as digits.
    fn fits(&self) -> bool {
        let is_narrow = self.x.1 - self.x.0 <= WIDEST_ABREAST * self.size;
        self.is_sign || is_narrow && self.last - self.first <= MAX_ABREAST
    }

    fn middle(&self) -> f32 {
        0.5 * (self.x.0 + self.x.1)
    }

    /// Returns whether `next` is directly below this cell.
    fn is_above(&self, next: &Cell) -> bool {
        let size = self.size.max(next.size);
        (self.middle() - next.middle()).abs() < ASIDE * size
            && NEXT.contains(&((next.y - self.y) / size))
            && self.size.min(next.size) > 0.7 * size
    }

    /// Returns whether `next` is directly beside this cell, on the same line.
    fn is_beside(&self, next: &Cell) -> bool {
        let size = self.size.max(next.size);
        (self.y - next.y).abs() < 0.2 * size
            && (-0.3..1.0).contains(&((next.x.0 - self.x.1) / size))
    }
}

/// Gives letters of vertical columns the coordinates of text that runs downwards.
pub(super) fn turn(letters: &mut Letters) {
    let cells = cells(letters);
    // 1. Links between neighbours in the order of drawing.
    let next_to = |at: usize| at + 1 < cells.len() && cells[at].last == cells[at + 1].first;
    let is_above = |at: usize| next_to(at) && cells[at].is_above(&cells[at + 1]);
    let is_beside = |at: usize| next_to(at) && cells[at].is_beside(&cells[at + 1]);
    // 2. Chains of cells below one another, each with its number of word characters.
    let mut chains: Vec<(std::ops::Range<usize>, usize)> = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let first = at;
        while is_above(at) {
            at += 1;
        }
        at += 1;
        if at - first > 1 {
            let words = words(letters, &cells[first..at]);
            chains.push((first..at, words));
        }
    }
    // 3. The direction of most of the page's text.
    let count_down: usize = chains
        .iter()
        .map(|chain| chain.1)
        .filter(|words| *words >= FEWEST)
        .sum();
    if count_down < FEWEST {
        return;
    }
    let across = |at: &usize| cells[*at].is_word && is_beside(*at);
    let count_across = (0..cells.len()).filter(across).count();
    let is_vertical = count_down >= count_across;
    let mut turned = vec![false; cells.len()];
    for (chain, words) in chains {
        let fewest = if is_vertical { 1 } else { FEWEST_AMONG_LINES };
        if words >= fewest {
            turned[chain].fill(true);
        }
    }
    if is_vertical {
        // On a vertical page, the remaining signs are columns of one letter, unless another cell is beside them on a
        // line.
        for at in 0..cells.len() {
            let beside = is_beside(at) || at > 0 && is_beside(at - 1);
            turned[at] |= cells[at].is_sign && !beside;
        }
    }
    // 4. New coordinates.
    for (cell, _) in cells.iter().zip(&turned).filter(|(_, turned)| **turned) {
        let count = (cell.last - cell.first) as f32;
        let (top, height) = (cell.y - ABOVE * cell.size, cell.size);
        let y = (0.5 - BELOW) * cell.size - cell.middle();
        for (nth, letter) in letters.all[cell.first..cell.last].iter_mut().enumerate() {
            let begin = top + height * nth as f32 / count;
            letter.x = (begin, begin + height / count);
            letter.y = y;
            letter.angle = DOWN;
        }
    }
}

/// Moves a letter of a vertical font from its horizontal origin to its position in the column. Returns the start of the
/// letter along the column, and its baseline.
pub(super) fn place((x, y): (f64, f64), advance: f64, size: f64) -> (f64, f64) {
    let half = 0.5 * advance / 1000.0 * size;
    (
        x - f64::from(ABOVE) * size,
        y - half + f64::from(0.5 - BELOW) * size,
    )
}

/// Cells of the horizontal letters, in the order of drawing.
fn cells(letters: &Letters) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.all.get(at) {
        if !is_across(letter) {
            at += 1;
            continue;
        }
        let cell = Cell::of(letters, at);
        at = cell.last;
        if cell.fits() {
            cells.push(cell);
        }
    }
    cells
}

/// Returns whether this is a letter of horizontal text. A table or picture is also stored as a letter.
fn is_across(letter: &Letter) -> bool {
    letter.angle == 0 && letter.object.is_none()
}

/// Number of word characters in a chain. 0 if only a few different ones occur, like the marks in a column of a table.
fn words(letters: &Letters, cells: &[Cell]) -> usize {
    let words = || cells.iter().filter(|cell| cell.is_word);
    let mut different: Vec<&str> = words()
        .take(64)
        .map(|cell| letters.text(&letters.all[cell.first]))
        .collect();
    let sampled = different.len();
    different.sort_unstable();
    different.dedup();
    match 2 * different.len() > sampled.min(20) {
        true => words().count(),
        false => 0,
    }
}

/// Returns whether a character is Chinese, Japanese or Korean, or punctuation of these scripts.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}'
        | '…' | '‥' | '―' | '—' | '‘' | '’' | '“' | '”' | '·')
}

/// Returns whether a character is kana: the script of readings.
fn is_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Returns whether a character is an ideograph.
fn is_ideograph(c: char) -> bool {
    matches!(c, '々' | '〆' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Removes the readings above ideographs, and counts them.
pub(super) fn drop_readings(letters: &mut Letters) {
    // 1. Ideographs by direction and baseline.
    let is_base = |letter: &&Letter| letters.text(letter).chars().all(is_ideograph);
    let mut bases: Vec<&Letter> = letters.all.iter().filter(is_base).collect();
    if bases.is_empty() {
        return;
    }
    bases.sort_by(|a, b| a.angle.cmp(&b.angle).then(by(a.y, b.y)));
    // 2. Runs of small kana on one baseline.
    let kana = |letter: &Letter| letters.text(letter).chars().all(is_kana);
    let mut dropped: Vec<std::ops::Range<usize>> = Vec::new();
    let mut compared = 0;
    let mut at = 0;
    while at < letters.all.len() && compared < MAX_COMPARED {
        let letter = &letters.all[at];
        let first = at;
        at += 1;
        if !kana(letter) {
            continue;
        }
        let mut x = letter.x;
        while let Some(next) = letters.all.get(at) {
            let continues = next.angle == letter.angle
                && (next.y - letter.y).abs() < 0.1 * letter.size
                && (next.size - letter.size).abs() < 0.1 * letter.size
                && (-0.5..1.0).contains(&((next.x.0 - x.1) / letter.size))
                && kana(next);
            if !continues {
                break;
            }
            x.1 = x.1.max(next.x.1);
            at += 1;
        }
        // 3. The ideographs below the run must be larger, and cover most of its length. The size of a reading limits
        // the size of its base, and so the distance of both baselines. Only ideographs within this distance are
        // searched.
        let size = letter.size;
        let key = |base: &&Letter| (base.angle, base.y);
        let lowest = letter.y + READING_ABOVE.start * size / READING.end;
        let highest = letter.y + READING_ABOVE.end * size / READING.start;
        let begin = bases.partition_point(|base| {
            let (angle, y) = key(base);
            angle < letter.angle || angle == letter.angle && y < lowest
        });
        let mut covered = 0.0;
        for base in &bases[begin..] {
            if base.angle != letter.angle || base.y > highest {
                break;
            }
            compared += 1;
            let is_larger = READING.contains(&(size / base.size));
            let is_below = READING_ABOVE.contains(&((base.y - letter.y) / base.size));
            if is_larger && is_below {
                // A reading may be somewhat longer than its base.
                let reach = 0.5 * base.size;
                let (begin, end) = (base.x.0 - reach, base.x.1 + reach);
                covered += (x.1.min(end) - x.0.max(begin)).max(0.0);
            }
        }
        if covered >= 0.9 * (x.1 - x.0) {
            dropped.push(first..at);
        }
    }
    if dropped.is_empty() {
        return;
    }
    letters.readings += dropped.len();
    let mut dropped = dropped.into_iter().flatten().peekable();
    let mut index = 0;
    letters.all.retain(|_| {
        let is_dropped = dropped.next_if_eq(&index).is_some();
        index += 1;
        !is_dropped
    });
}

/// Ordinary form of a character that has a separate form for vertical writing.
pub(super) fn upright(c: char) -> char {
    const FORMS: [(char, char); 32] = [
        ('︐', '，'),
        ('︑', '、'),
        ('︒', '。'),
        ('︓', '：'),
        ('︔', '；'),
        ('︕', '！'),
        ('︖', '？'),
        ('︗', '〖'),
        ('︘', '〗'),
        ('︙', '…'),
        ('︰', '‥'),
        ('︱', '—'),
        ('︲', '–'),
        ('︳', '＿'),
        ('︵', '（'),
        ('︶', '）'),
        ('︷', '｛'),
        ('︸', '｝'),
        ('︹', '〔'),
        ('︺', '〕'),
        ('︻', '【'),
        ('︼', '】'),
        ('︽', '《'),
        ('︾', '》'),
        ('︿', '〈'),
        ('﹀', '〉'),
        ('﹁', '「'),
        ('﹂', '」'),
        ('﹃', '『'),
        ('﹄', '』'),
        ('﹇', '［'),
        ('﹈', '］'),
    ];
    let found = FORMS.iter().find(|(form, _)| *form == c);
    found.map_or(c, |(_, median)| *median)
}
