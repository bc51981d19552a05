//! Gotenberg's order of files: by the number at the beginning of a name, or directly before its extension. Other digits
//! are compared as characters.

use std::cmp::Ordering;

/// Position of the number in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberPosition {
    Front,
    Back,
}

/// Compares two names as Gotenberg does. Names with a number come before names without one. Two names with a number at
/// the beginning are compared by this number first, other names with a number by the text around it first.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    match (number(one), number(other)) {
        (Some(a), Some(b)) => match (a.place, b.place) {
            (NumberPosition::Front, NumberPosition::Front) => {
                (a.value, a.rest).cmp(&(b.value, b.rest))
            }
            (NumberPosition::Back, NumberPosition::Back) => {
                (a.rest, a.value, one).cmp(&(b.rest, b.value, other))
            }
            (NumberPosition::Front, NumberPosition::Back) => {
                a.rest.cmp(&b.rest).then(Ordering::Less)
            }
            (NumberPosition::Back, NumberPosition::Front) => {
                a.rest.cmp(&b.rest).then(Ordering::Greater)
            }
        },
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}

/// The number of a name.
struct Number<'n> {
    value: u64,
    /// The name before and after the number.
    rest: [&'n str; 2],
    place: NumberPosition,
}

/// Returns the number at the beginning of a name or, without one, the number directly before its extension.
fn number(name: &str) -> Option<Number<'_>> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let front = digits(name);
    if let Ok(value) = name[..front].parse() {
        return Some(Number {
            value,
            rest: [&name[front..], ""],
            place: NumberPosition::Front,
        });
    }
    let stem = name.rfind('.').unwrap_or(name.len());
    let back = name[..stem].bytes().rev().take_while(u8::is_ascii_digit);
    let start = stem - back.count();
    let value = name[start..stem].parse().ok()?;
    Some(Number {
        value,
        rest: [&name[..start], &name[stem..]],
        place: NumberPosition::Back,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_front_count_before_those_at_the_end() {
        #[track_caller]
        fn check(names: &[&str]) {
            let mut sorted = names.to_vec();
            sorted.reverse();
            sorted.sort_by(|one, other| compare(one, other));
            assert_eq!(sorted, names);
        }
        check(&["2_b.pdf", "10_a.pdf", "page_2.pdf", "page_10.pdf", "a.pdf"]);
        check(&["page.2.pdf", "page.10.pdf"]);
        check(&["00001_html.pdf", "00002_email_as_pdf.pdf"]);
        check(&["é.pdf", "日本.pdf"]);
        check(&["1", "a1", "99999999999999999999999.pdf"]);
    }
}
