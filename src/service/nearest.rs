//! Suggests the known word closest to a mistyped one, for commands, flags, formats, options and fields. Corrects
//! nothing by itself.

/// Longest word that gets a hint, in bytes. Computing the distance takes time proportional to the product of both
/// lengths, and a request may contain a word of any length.
const MAX_WORD: usize = 64;

/// Hint for an unknown word, as the end of an error message: `; did you mean "png"?`, or nothing if no known word is
/// near.
pub(crate) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean {near:?}?"),
        None => String::new(),
    }
}

/// Hint for an unknown flag, as the end of an error message: `; did you mean "--force"?`, or nothing if no known flag
/// is near.
pub(crate) fn flag_hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean \"--{near}\"?"),
        None => String::new(),
    }
}

/// Returns the known word with the smallest edit distance to `word`, ignoring case. The distance is at most a third of
/// the length of `word`, or 1 for a word of fewer than three letters, and always less than half of the length. `None`
/// without such a word, or if `word` is longer than [`MAX_WORD`].
fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_WORD {
        return None;
    }
    let word = word.to_lowercase();
    let len = word.chars().count();
    let most = (len / 3).max(1);
    let near = known
        .into_iter()
        .map(|known| (distance(&word, &known.to_lowercase()), known));
    // In a word of two letters, one different letter is not a reliable hint.
    let near = near.filter(|(distance, _)| *distance <= most && 2 * distance < len);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Edit distance: the number of letters that are omitted, added, changed, or swapped with the next one (optimal string
/// alignment).
fn distance(one: &str, other: &str) -> usize {
    // Three rows of the usual table are enough: a swap looks two rows back.
    let [one, other] = [one, other].map(|text| text.chars().collect::<Vec<_>>());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (column, other_letter) in other.iter().enumerate() {
            let changed = last[column] + usize::from(letter != other_letter);
            let mut least = changed.min(last[column + 1] + 1).min(row[column] + 1);
            if at > 0 && column > 0 && one[at - 1] == *other_letter && *letter == other[column - 1]
            {
                let swapped: &Vec<usize> = &before;
                least = least.min(swapped[column - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_words_are_recognised() {
        let known = [
            "convert", "watch", "formats", "width", "height", "png", "jpg", "QUEUE",
        ];
        for (word, expected) in [
            ("convrt", Some("convert")),
            ("fromats", Some("formats")),
            ("widht", Some("width")),
            ("PNGG", Some("png")),
            ("jpgg", Some("jpg")),
            ("pmg", Some("png")),
            ("QEUE", Some("QUEUE")),
            ("xy", None),
            ("frobnicate", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }

    #[test]
    fn long_words_get_no_hint() {
        let (longest, longer) = ("a".repeat(MAX_WORD), "a".repeat(MAX_WORD + 1));
        assert!(nearest(&longest, [longer.as_str()]).is_some());
        assert!(nearest(&longer, [longest.as_str()]).is_none());
    }
}
