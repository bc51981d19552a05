//! Ranges of pages, such as `3,1-2,5-`. Knows nothing of PDF.

use crate::error::{Error, Kind, Reason, Result};

/// The pages in a list, counted from 0, in its order. `5-` continues to the last page, `-3` begins with the first one,
/// and `7-5` counts down.
///
/// Errors: [`Kind::BadInput`] for a page beyond the last one, and for a text that is not a list of pages.
pub(super) fn pages(list: &str, count: usize, most: usize) -> Result<Vec<usize>> {
    let mut pages = Vec::new();
    for range in list.split(',') {
        let range = range.trim();
        let (first, last) = match range.split_once('-') {
            None => {
                let page = number(range, list, count)?;
                (page, page)
            }
            Some(("", "")) => return Err(unreadable(list)),
            Some((first, last)) => {
                let end = |text: &str, otherwise| match text.trim() {
                    "" => Ok(otherwise),
                    text => number(text, list, count),
                };
                (end(first, 1)?, end(last, count)?)
            }
        };
        if pages.len() + first.abs_diff(last) >= most {
            let text = format!("pages lists more than {most} pages, the limit of a result");
            return Err(Error::new(Kind::BadInput, text).because(Reason::PageList));
        }
        if first <= last {
            pages.extend(first - 1..last);
        } else {
            pages.extend((last - 1..first).rev());
        }
    }
    Ok(pages)
}

fn number(text: &str, list: &str, count: usize) -> Result<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(unreadable(list));
    }
    match text.parse() {
        Ok(page) if (1..=count).contains(&page) => Ok(page),
        _ => {
            let text: String = text.chars().take(20).collect();
            let has = match count {
                1 => "1 page".to_owned(),
                count => format!("{count} pages"),
            };
            let text = format!("pages lists page {text}, but the PDF has {has}");
            Err(Error::new(Kind::BadInput, text).because(Reason::PageMissing))
        }
    }
}

fn unreadable(list: &str) -> Error {
    let shown: String = list.chars().take(40).collect();
    let text =
        format!("pages must be a list of pages and ranges, such as 3,1-2,5-, but is {shown:?}");
    Error::new(Kind::BadInput, text).because(Reason::PageList)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        #[track_caller]
        fn check(list: &str, expected: &[usize]) {
            assert_eq!(pages(list, 6, 20).unwrap(), expected, "{list}");
        }
        check("3,1-2,5-", &[2, 0, 1, 4, 5]);
        check(" 2 , -2", &[1, 0, 1]);
        check("3-1", &[2, 1, 0]);
        check("6-6", &[5]);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        #[track_caller]
        fn check(list: &str, expected: &str) {
            let text = pages(list, 6, 20).unwrap_err().to_string();
            assert!(text.contains(expected), "{list}: {text}");
        }
        check("1-999999999", "page 999999999, but the PDF has 6 pages");
        check("0", "page 0");
        check("7", "page 7");
        check("99999999999999999999999999", "page 99999999999999999999,");
        check("", "a list of pages");
        check("-", "a list of pages");
        check("1,,2", "a list of pages");
        check("1-2-3", "a list of pages");
        check("a", "a list of pages");
        check("+1", "a list of pages");
        check("1-,1-,1-,1-", "more than 20 pages");
    }
}
