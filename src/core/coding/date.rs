//! Converts dates between the forms of PDF (ISO 32000-2, 7.9.4), XMP (ISO 8601) and ExifTool. Never reads a clock.

/// A date, as precise as it was stated: a year alone is a date, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    year: u16,
    /// Month, day, hour, minute and second. If a part is missing, all later parts are missing, too.
    parts: [Option<u8>; 5],
    zone: Option<Zone>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zone {
    Utc,
    /// Minutes east of UTC. An offset of 0 is not the same as `Z` in PDF.
    Offset(i16),
}

/// For each of [`Date::parts`]: its smallest and its largest value, and the separator in front of it in ISO 8601.
const RANGES: [(u8, u8, char); 5] = [
    (1, 12, '-'),
    (1, 31, '-'),
    (0, 23, 'T'),
    (0, 59, ':'),
    (0, 59, ':'),
];

impl Date {
    /// Makes a date. The first part that is out of its range is missing, and so are all later parts. `offset` is the
    /// time zone, in minutes east of UTC.
    pub fn new(year: u16, parts: [u8; 5], offset: i16) -> Self {
        let mut date = Self {
            year,
            parts: [None; 5],
            zone: Some(Zone::Offset(offset)),
        };
        for ((slot, value), (least, most, _)) in date.parts.iter_mut().zip(parts).zip(RANGES) {
            if !(least..=most).contains(&value) {
                break;
            }
            *slot = Some(value);
        }
        date
    }

    /// Parses a date in any of the three forms: `D:20060918162750-04'00'`, `2006-09-18T16:27:50-04:00` or `2006:09:18
    /// 16:27:50-04:00`. Fractions of a second are dropped. Text after the date is ignored, since PDF writers append all
    /// kinds of text. `None` if the text does not begin with a year, or if a part is out of its range.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix("D:").unwrap_or(text);
        let (year, mut rest) = digits(text, 4)?;
        // The form of PDF has no separators; without this check, the sign of its time zone would count as a separator.
        let is_packed = !rest.starts_with(['-', ':']);
        let mut date = Self {
            year,
            parts: [None; 5],
            zone: None,
        };
        for (index, (least, most, _)) in RANGES.into_iter().enumerate() {
            let separators: &[char] = match index {
                0 | 1 => &['-', ':'],
                2 => &['T', ' '],
                _ => &[':'],
            };
            let next = match is_packed {
                true => Some(rest),
                false => rest.strip_prefix(separators),
            };
            let Some((value, after)) = next.and_then(|next| digits(next, 2)) else {
                break;
            };
            let value = u8::try_from(value).ok()?;
            if !(least..=most).contains(&value) {
                return None;
            }
            date.parts[index] = Some(value);
            rest = after;
        }
        if date.parts[2].is_some() {
            if let Some(fraction) = rest.strip_prefix('.') {
                rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            }
            date.zone = Zone::parse(rest);
        }
        Some(date)
    }

    /// The form of PDF: `D:20060918162750-04'00'`.
    pub fn pdf(&self) -> String {
        let mut text = format!("D:{:04}", self.year);
        for part in self.parts.into_iter().flatten() {
            text.push_str(&format!("{part:02}"));
        }
        match self.zone {
            Some(Zone::Utc) => text.push('Z'),
            Some(Zone::Offset(offset)) => text.push_str(&format!("{}'", clock(offset, '\''))),
            None => {}
        }
        text
    }

    /// The form of XMP (ISO 16684-1, 8.2.1.2): `2006-09-18T16:27:50-04:00`. A time without a zone counts as UTC, as in
    /// programs that compare this form with the form of PDF.
    pub fn xmp(&self) -> String {
        let mut text = format!("{:04}", self.year);
        // ISO 8601 allows an hour only together with a minute, so an hour alone is left out.
        let whole = match self.parts {
            [.., Some(_), None, _] => 2,
            _ => self.parts.len(),
        };
        for (part, (.., before)) in self.parts.into_iter().take(whole).flatten().zip(RANGES) {
            text.push_str(&format!("{before}{part:02}"));
        }
        if self.parts[3].is_none() {
            return text;
        }
        if self.parts[4].is_none() {
            text.push_str(":00");
        }
        match self.zone {
            Some(Zone::Offset(offset)) => text.push_str(&clock(offset, ':')),
            Some(Zone::Utc) | None => text.push('Z'),
        }
        text
    }

    /// The form of ExifTool: `2006:09:18 16:27:50-04:00`. A missing part is written as the smallest value of its range.
    pub fn exiftool(&self) -> String {
        let part = |index: usize| self.parts[index].unwrap_or(RANGES[index].0);
        let mut text = format!(
            "{:04}:{:02}:{:02} {:02}:{:02}:{:02}",
            self.year,
            part(0),
            part(1),
            part(2),
            part(3),
            part(4)
        );
        match self.zone {
            Some(Zone::Utc) => text.push('Z'),
            Some(Zone::Offset(offset)) => text.push_str(&clock(offset, ':')),
            None => {}
        }
        text
    }

    /// Removes the time of day if the time zone is unknown, because each reader would assume its own zone.
    pub fn or_day(mut self) -> Self {
        if self.zone.is_none() {
            self.parts[2..].fill(None);
        }
        self
    }
}

impl Zone {
    /// Parses `Z`, or a sign with hours and minutes: `+01'00'`, `+01'00`, `+01:00`, `+0100` or `+01`.
    fn parse(text: &str) -> Option<Self> {
        if text.starts_with(['Z', 'z']) {
            return Some(Self::Utc);
        }
        let sign = match text.chars().next()? {
            '+' => 1,
            '-' => -1,
            _ => return None,
        };
        let (hours, rest) = digits(&text[1..], 2)?;
        let rest = rest.strip_prefix(['\'', ':']).unwrap_or(rest);
        let minutes = digits(rest, 2).map_or(0, |(minutes, _)| minutes);
        let offset = i16::try_from(hours * 60 + minutes).ok()?;
        (hours < 24 && minutes < 60).then_some(Self::Offset(sign * offset))
    }
}

/// Formats an offset from UTC, given in minutes, as hours and minutes: `-04:00` if `between` is a colon.
fn clock(offset: i16, between: char) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let offset = offset.unsigned_abs();
    format!("{sign}{:02}{between}{:02}", offset / 60, offset % 60)
}

/// Parses the first `count` characters as a number, and returns it with the text after them. `None` if one of them is
/// not a digit.
fn digits(text: &str, count: usize) -> Option<(u16, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    Some((number.parse().ok().filter(|_| is_number)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_three_forms() {
        #[track_caller]
        fn check(text: &str, pdf: &str, xmp: &str, exiftool: &str) {
            let date = Date::parse(text).expect(text);
            assert_eq!(
                [date.pdf(), date.xmp(), date.exiftool()],
                [pdf, xmp, exiftool]
            );
            for same in [pdf, exiftool] {
                let again = Date::parse(same).expect(same);
                assert_eq!(again.exiftool(), exiftool, "{same}");
            }
        }
        let all = (
            "D:20060918162750-04'00'",
            "2006-09-18T16:27:50-04:00",
            "2006:09:18 16:27:50-04:00",
        );
        for text in [
            all.0,
            all.1,
            all.2,
            "D:20060918162750-04'00",
            "20060918162750-0400",
            " D:20060918162750-04'00' by a scanner",
            "2006-09-18T16:27:50.123-04:00",
        ] {
            check(text, all.0, all.1, all.2);
        }
        check(
            "2026-01-01T12:00:00Z",
            "D:20260101120000Z",
            "2026-01-01T12:00:00Z",
            "2026:01:01 12:00:00Z",
        );
        check(
            "D:20260101120000+05'30'",
            "D:20260101120000+05'30'",
            "2026-01-01T12:00:00+05:30",
            "2026:01:01 12:00:00+05:30",
        );
        check("D:2006", "D:2006", "2006", "2006:01:01 00:00:00");
        check("2006-09", "D:200609", "2006-09", "2006:09:01 00:00:00");
        check(
            "D:2006091816",
            "D:2006091816",
            "2006-09-18",
            "2006:09:18 16:00:00",
        );
        check(
            "D:200609181627-04'00'",
            "D:200609181627-04'00'",
            "2006-09-18T16:27:00-04:00",
            "2006:09:18 16:27:00-04:00",
        );
        check(
            "2006:09:18 16:27:50",
            "D:20060918162750",
            "2006-09-18T16:27:50Z",
            "2006:09:18 16:27:50",
        );
    }

    #[test]
    fn other_texts_are_not_dates() {
        for text in [
            "",
            "yesterday",
            "é",
            "206",
            "2006-13-01",
            "D:20060231256000",
            "+006",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_without_a_zone_can_be_left_out() {
        let day = Date::parse("2024-05-17T09:30:00").map(Date::or_day);
        assert_eq!(day.map(|date| date.xmp()).as_deref(), Some("2024-05-17"));
    }
}
