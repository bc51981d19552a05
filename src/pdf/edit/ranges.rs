//! Ranges of pages, such as `3,1-2,5-`.

use crate::error::{Error, Kind, Reason, Result};

/// The pages in a list, counted from 0, in the order of the list. `5-` continues to the last page, `-3` begins with the
/// first one, and `7-5` counts down. `field` is the name of the list in errors, `count` the number of pages of the
/// file, and `most` the limit on the pages in the list.
///
/// Errors: [`Kind::BadInput`] for a page beyond the last one, for a list of more than `most` pages, and for a text that
/// is not a list of pages.
pub(super) fn pages(field: &str, list: &str, count: usize, most: usize) -> Result<Vec<usize>> {
    let whole = List { field, list, count };
    let mut pages = Vec::new();
    for range in list.split(',') {
        whole.add(range, &mut pages, most)?;
    }
    Ok(pages)
}

/// The pages in a list as [`pages`] takes it, each with its angle in degrees clockwise. An angle follows a colon, as
/// in `1:90,3-5:180`. Pages without an angle get `default`.
///
/// Errors: those of [`pages`], and [`Kind::BadInput`] for an angle other than 0, 90, 180 and 270 degrees.
pub(super) fn turned(
    field: &str,
    list: &str,
    default: i64,
    count: usize,
    most: usize,
) -> Result<Vec<(usize, i64)>> {
    let whole = List { field, list, count };
    let (mut pages, mut angles) = (Vec::new(), Vec::new());
    for item in list.split(',') {
        let (range, angle) = match item.split_once(':') {
            None => (item, default),
            Some((range, angle)) => (range, whole.angle(angle.trim())?),
        };
        whole.add(range, &mut pages, most)?;
        angles.resize(pages.len(), angle);
    }
    Ok(pages.into_iter().zip(angles).collect())
}

/// A list of pages, as the user wrote it.
struct List<'l> {
    /// The name of the list, for errors.
    field: &'l str,
    list: &'l str,
    /// Number of pages of the file.
    count: usize,
}

impl List<'_> {
    /// Adds the pages of one range of the list.
    fn add(&self, range: &str, pages: &mut Vec<usize>, most: usize) -> Result<()> {
        let range = range.trim();
        let (first, last) = match range.split_once('-') {
            None => {
                let page = self.number(range)?;
                (page, page)
            }
            Some(("", "")) => return Err(self.unreadable()),
            Some((first, last)) => {
                let end = |text: &str, otherwise| match text.trim() {
                    "" => Ok(otherwise),
                    text => self.number(text),
                };
                (end(first, 1)?, end(last, self.count)?)
            }
        };
        if pages.len() + first.abs_diff(last) >= most {
            let text = format!(
                "{} lists more than {most} pages, the limit of a result",
                self.field
            );
            return Err(Error::new(Kind::BadInput, text).because(Reason::PageList));
        }
        if first <= last {
            pages.extend(first - 1..last);
        } else {
            pages.extend((last - 1..first).rev());
        }
        Ok(())
    }

    fn number(&self, text: &str) -> Result<usize> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(self.unreadable());
        }
        match text.parse() {
            Ok(page) if (1..=self.count).contains(&page) => Ok(page),
            _ => {
                let text: String = text.chars().take(20).collect();
                let has = match self.count {
                    1 => "1 page".to_owned(),
                    count => format!("{count} pages"),
                };
                let text = format!("{} lists page {text}, but the PDF has {has}", self.field);
                Err(Error::new(Kind::BadInput, text).because(Reason::PageMissing))
            }
        }
    }

    fn angle(&self, text: &str) -> Result<i64> {
        match text {
            "0" => Ok(0),
            "90" => Ok(90),
            "180" => Ok(180),
            "270" => Ok(270),
            _ => {
                let text: String = text.chars().take(20).collect();
                let text = format!(
                    "{} has the angle {text:?}; it must be 0, 90, 180 or 270",
                    self.field
                );
                Err(Error::new(Kind::BadInput, text).because(Reason::PageList))
            }
        }
    }

    fn unreadable(&self) -> Error {
        let shown: String = self.list.chars().take(40).collect();
        let text = format!(
            "{} must be a list of pages and ranges, such as 3,1-2,5-, but is {shown:?}",
            self.field
        );
        Error::new(Kind::BadInput, text).because(Reason::PageList)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        #[track_caller]
        fn check(list: &str, expected: &[usize]) {
            assert_eq!(pages("pages", list, 6, 20).unwrap(), expected, "{list}");
        }
        check("3,1-2,5-", &[2, 0, 1, 4, 5]);
        check(" 2 , -2", &[1, 0, 1]);
        check("3-1", &[2, 1, 0]);
        check("6-6", &[5]);
    }

    #[test]
    fn angles_are_those_of_their_pages() {
        let turned = |list| turned("rotate_pages", list, 90, 6, 20);
        let expected = [(0, 90), (2, 180), (3, 180), (5, 0)];
        assert_eq!(turned("1, 3-4 : 180,6:0").unwrap(), expected);
        for (list, expected) in [
            ("1:45", "rotate_pages has the angle \"45\""),
            ("1:", "rotate_pages has the angle"),
            (":90", "rotate_pages must be a list of pages"),
            ("7:90", "rotate_pages lists page 7"),
            ("1-:0,1-:0,1-:0,1-:0", "more than 20 pages"),
        ] {
            let text = turned(list).unwrap_err().to_string();
            assert!(text.contains(expected), "{list}: {text}");
        }
    }

    #[test]
    fn invalid_ranges_are_refused() {
        #[track_caller]
        fn check(list: &str, expected: &str) {
            let text = pages("pages", list, 6, 20).unwrap_err().to_string();
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
