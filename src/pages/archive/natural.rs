//! Natural order of file names: `page 2` before `page 10`, regardless of case. Does not use the order of a particular
//! language.

use std::cmp::Ordering;

/// Compares names piece by piece: runs of digits by their value, and everything else character by character. Names that
/// are equal in this sense are compared byte by byte, so that the order is always defined.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let (Some(a), Some(b)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| one.cmp(other));
        };
        let order = if a.is_ascii_digit() && b.is_ascii_digit() {
            let (number, rest) = digits(left);
            let (other_number, other_rest) = digits(right);
            (left, right) = (rest, other_rest);
            // Without leading zeros, the longer number is the larger one.
            number
                .len()
                .cmp(&other_number.len())
                .then_with(|| number.cmp(other_number))
        } else {
            left = &left[a.len_utf8()..];
            right = &right[b.len_utf8()..];
            // The contents of a directory come before files and directories whose longer names begin with its name.
            let rank = |c: char| (c == '/', c.to_lowercase().next().unwrap_or(c));
            rank(b)
                .0
                .cmp(&rank(a).0)
                .then_with(|| rank(a).1.cmp(&rank(b).1))
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Splits a name after its leading digits, and removes leading zeros from the digits.
fn digits(name: &str) -> (&str, &str) {
    let end = name
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(name.len());
    let (number, rest) = name.split_at(end);
    (number.trim_start_matches('0'), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        #[track_caller]
        fn check(names: &[&str]) {
            let mut sorted = names.to_vec();
            sorted.reverse();
            sorted.sort_by(|one, other| compare(one, other));
            assert_eq!(sorted, names);
        }
        check(&["page 1.jpg", "page 2.jpg", "Page 10.jpg", "page 011.jpg"]);
        check(&["IMG_0999.heic", "IMG_1000.heic", "img_10000.heic"]);
        check(&["a/2.png", "a/10.png", "b/1.png"]);
        check(&["a", "a01", "a1", "b"]);
        check(&[
            "",
            "1",
            "99999999999999999999998",
            "99999999999999999999999",
        ]);
        check(&["ä1", "Ä2"]);
    }
}
