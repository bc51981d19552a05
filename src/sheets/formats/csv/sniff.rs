//! Guesses the delimiter of a CSV file. Examines only the beginning of the file.

use crate::coding::encoding;

/// Possible delimiters. If several fit equally well, the first one wins. The comma comes last because it also occurs
/// in numbers and sentences; but see [`is_plain`].
const DELIMITERS: &[u8] = b"\t;|,";

/// Maximum number of rows that are examined.
const ROWS: usize = 100;

/// Minimum number of rows of a table in a file with an unknown extension.
const TABLE: usize = 3;

/// Returns whether the bytes can be text, including UTF-16. If the file name indicates text (`named`), control
/// characters are permitted, because terminals and measuring instruments leave some of them in their files. NUL never
/// occurs in 8-bit text.
pub(super) fn is_text(head: &[u8], named: bool) -> bool {
    let wide = encoding::is_wide(head) || named && encoding::guess_utf16(head).is_some();
    let is_control =
        |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    wide || !head.contains(&0) && (named || !head.iter().any(is_control))
}

/// Returns whether the first line has a tab other than at its ends.
pub(super) fn has_tab(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.trim_ascii().contains(&b'\t')
}

/// Returns whether a text is certainly a table: it begins with at least three complete rows, all with the same number
/// of fields, which is at least two.
pub(super) fn is_table(head: &[u8], delimiters: &[u8]) -> bool {
    delimiters.iter().any(|delimiter| {
        let rows = whole_rows(head, *delimiter);
        rows.len() >= TABLE && rows[0] > 1 && rows.iter().all(|count| *count == rows[0])
    })
}

/// Guesses the delimiter of a text from its beginning. A comma if no delimiter fits.
///
/// The score is 2 if all rows have the same number of fields, and otherwise the share of rows whose number of fields is
/// the median, weighted as described below.
pub(super) fn delimiter(sample: &[u8]) -> u8 {
    let mut best = (b',', 0.0, 0);
    for &delimiter in DELIMITERS {
        let rows = whole_rows(sample, delimiter);
        let mut counts = rows.clone();
        counts.sort_unstable();
        let median = counts.get(counts.len() / 2).copied().unwrap_or(0);
        if median < 2 {
            continue;
        }
        let fit = rows.iter().filter(|count| **count == median).count() as f64 / rows.len() as f64;
        // If the number of fields varies, a delimiter that gives more fields is more likely.
        let score = if fit == 1.0 {
            2.0
        } else {
            fit * (1.0 - 1.0 / median as f64)
        };
        // If all rows are like `a,b|c,d` or `1,5;2,5`, both delimiters fit. The comma wins if it gives more fields and
        // separates more than numbers and sentences, but never against a tab.
        let more = best.0 != b'\t' && median > best.2 && delimiter == b',' && is_plain(sample);
        if score > best.1 || score == best.1 && more {
            best = (delimiter, score, median);
        }
    }
    best.0
}

/// Returns whether some comma is not part of a number or sentence: neither between two digits nor before a space.
fn is_plain(sample: &[u8]) -> bool {
    sample.windows(3).any(|around| match around {
        [before, b',', after] => {
            *after != b' ' && !(before.is_ascii_digit() && after.is_ascii_digit())
        }
        _ => false,
    })
}

/// Delimiter from a leading `sep=;` line, which Excel understands, and the length of that line in bytes.
pub(super) fn stated(sample: &[u8]) -> Option<(u8, usize)> {
    let rest = sample
        .strip_prefix(b"sep=")
        .or_else(|| sample.strip_prefix(b"\"sep="))?;
    let quoted = usize::from(sample[0] == b'"');
    let [delimiter, rest @ ..] = rest else {
        return None;
    };
    let rest = rest.get(quoted..)?;
    let end = match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => return None,
    };
    let graphic = delimiter.is_ascii_punctuation() && *delimiter != b'"' || *delimiter == b'\t';
    graphic.then_some((*delimiter, 5 + 2 * quoted + end))
}

/// Number of fields in each non-empty row, without the last row if it may be incomplete.
fn whole_rows(text: &[u8], delimiter: u8) -> Vec<usize> {
    let mut rows = fields(text, delimiter);
    if rows.len() > 1 && !text.ends_with(b"\n") && !text.ends_with(b"\r") {
        rows.pop();
    }
    rows
}

/// Number of fields in each of the first [`ROWS`] non-empty rows, including a last row that may be incomplete.
fn fields(text: &[u8], delimiter: u8) -> Vec<usize> {
    let mut rows = Vec::new();
    let (mut count, mut quoted, mut at_start, mut empty) = (1, false, true, true);
    for &byte in text {
        if quoted {
            quoted = byte != b'"';
            continue;
        }
        match byte {
            b'\n' | b'\r' => {
                if !empty {
                    rows.push(count);
                }
                if rows.len() == ROWS {
                    return rows;
                }
                (count, at_start, empty) = (1, true, true);
                continue;
            }
            // This includes the second quotation mark of an escaped pair inside a quoted field.
            b'"' if at_start => quoted = true,
            _ if byte == delimiter => count += 1,
            _ => {}
        }
        empty = false;
        at_start = byte == delimiter || byte == b'"';
    }
    if !empty {
        rows.push(count);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_found() {
        #[track_caller]
        fn check(text: &str, expected: char) {
            assert_eq!(char::from(delimiter(text.as_bytes())), expected, "{text}");
        }
        check("a,b\n1,2\n3,4\n", ',');
        check("a;b\n1,5;2,5\n3,1;4,2\n", ';');
        check("1,5;2,5\n3,1;4,2\n", ';');
        check("a\tb, c\n1\t2\n", '\t');
        check("a|b\n1|2\n", '|');
        check("a,b\n\"1;2;3\",\"x\n;;y\"\n5,6\n", ',');
        check("name\nSmith, John\nDoe, Jane\n", ',');
        check("a;b;c\n1;2\n3;4;5\n", ';');
        check("1,5;2,5;3\n3,1;4,2;5\n", ';');
        check("Doe, Jane, PhD;1\nRoe, John, MD;2\n", ';');
        check("a,b,c,d|e,f\n", ',');
        check("1,a|b,3\n2,c|d,4\n", ',');
        check("1,a;b,3\n2,c;d,4\n", ',');
        check("a|b,c\n1|2,3\n", '|');
        check("a\tb,c,d\n1\t2,x,y\n", '\t');
        check("", ',');
        check("one", ',');
        check("a,b", ',');
        check("a;b", ';');
    }

    #[test]
    fn utf_16_without_byte_order_mark_needs_the_name_of_a_text_file() {
        let wide: Vec<u8> = "Å,1\r\n2,3\r\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(is_text(&wide, true));
        assert!(!is_text(&wide, false));
        assert!(!is_text(
            b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04",
            true
        ));
    }

    #[test]
    fn a_delimiter_can_be_stated() {
        assert_eq!(stated(b"sep=;\r\na;b"), Some((b';', 7)));
        assert_eq!(stated(b"sep=|\na"), Some((b'|', 6)));
        assert_eq!(stated(b"\"sep=;\"\r\na;b"), Some((b';', 9)));
        assert_eq!(stated(b"sep=ab\n"), None);
        assert_eq!(stated(b"separate"), None);
    }

    #[test]
    fn only_a_steady_table_is_one_without_a_name() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            assert_eq!(is_table(text.as_bytes(), b",;|"), expected, "{text}");
        }
        check("a,b\n1,2\n3,4\n5", true);
        check("a;b;c\n1;2;3\n4;5;6\n7;8", true);
        check("a,b\n1,2\n", false);
        check("Dear Sir, I write\nto you, today,\nin haste.\nYours", false);
        check("one\ntwo\nthree\nfour\n", false);
    }
}
