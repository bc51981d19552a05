//! Invitations (RFC 5545 and 5546) as a short table for readers: title, time, place and people. The table shows the
//! recurrence rule and the time zone as the calendar states them: a series is not expanded into dates, and times are
//! not converted to another zone.

use super::html::escape;
use std::fmt::Write;
use time::{Date, Month};

/// Maximum number of events shown for one calendar.
const MAX_EVENTS: usize = 100;
/// Maximum number of attendees shown for one event.
const MAX_PEOPLE: usize = 200;
/// Maximum length of a property's value, in characters.
const MAX_LETTERS: usize = 20_000;

/// A content line (RFC 5545, 3.1).
struct Property {
    /// Name in capital letters.
    name: String,
    /// Parameters: names in capital letters, values without quotation marks.
    parameters: Vec<(String, String)>,
    /// Value, still escaped; see [`Self::text`].
    value: String,
}

/// Renders the events and to-dos of a calendar as HTML paragraphs. Empty if the calendar has none.
pub(super) fn page(calendar: &str) -> String {
    let mut page = String::new();
    let mut method = String::new();
    let mut event: Option<Vec<Property>> = None;
    let mut count = 0;
    // Nesting depth inside the current event. Alarms are components inside an event, and their properties, such as
    // `DESCRIPTION`, are not properties of the event.
    let mut inner = 0_usize;
    for line in unfolded(calendar) {
        let Some(property) = Property::parse(&line) else {
            continue;
        };
        let is_event = ["VEVENT", "VTODO"]
            .iter()
            .any(|kind| property.value.eq_ignore_ascii_case(kind));
        match (&*property.name, &mut event) {
            ("METHOD", None) => method = property.value.to_uppercase(),
            ("BEGIN", None) if is_event => event = Some(Vec::new()),
            ("BEGIN", Some(_)) => inner += 1,
            ("END", Some(_)) if inner > 0 => inner -= 1,
            ("END", Some(properties)) => {
                write(&method, properties, &mut page);
                (event, count) = (None, count + 1);
                if count == MAX_EVENTS {
                    break;
                }
            }
            (_, Some(properties)) if inner == 0 => properties.push(property),
            _ => {}
        }
    }
    page
}

/// Joins folded lines (RFC 5545, 3.1): a line that begins with white space continues the line above it.
fn unfolded(calendar: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in calendar.lines() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some(last)) => last.push_str(rest),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

impl Property {
    /// Parses a content line (RFC 5545, section 3.1): a name, parameters after semicolons, and a value after the first
    /// colon outside of quotation marks.
    fn parse(line: &str) -> Option<Self> {
        // Colons and semicolons within quotation marks belong to a parameter value.
        let mut quoted = false;
        let mut cuts = Vec::new();
        let mut end = None;
        for (at, c) in line.char_indices() {
            match c {
                '"' => quoted = !quoted,
                ';' if !quoted => cuts.push(at),
                ':' if !quoted => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let end = end?;
        cuts.push(end);
        let mut start = 0;
        let mut parts = cuts.into_iter().map(|cut| {
            let part = &line[start..cut];
            // The next piece begins after the separator.
            start = cut + 1;
            part
        });
        let name = parts.next()?.to_ascii_uppercase();
        let parameters = parts.filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((
                name.to_ascii_uppercase(),
                value.trim_matches('"').to_owned(),
            ))
        });
        Some(Self {
            name,
            parameters: parameters.collect(),
            value: line[end + 1..].chars().take(MAX_LETTERS).collect(),
        })
    }

    /// Returns the value of a parameter; `name` is in capital letters.
    fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the value with the escapes of a TEXT resolved (RFC 5545, 3.3.11).
    fn text(&self) -> String {
        let mut text = String::new();
        let mut characters = self.value.chars();
        while let Some(c) = characters.next() {
            match c {
                '\\' => match characters.next() {
                    Some('n' | 'N') => text.push('\n'),
                    Some(c) => text.push(c),
                    None => {}
                },
                c => text.push(c),
            }
        }
        text.trim().to_owned()
    }

    /// Returns the name and address of a person (CAL-ADDRESS, RFC 5545, 3.3.3). The parameter `CN` is the name.
    fn person(&self) -> String {
        let address = match self.value.get(..7) {
            Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => &self.value[7..],
            _ => "",
        };
        match (
            self.parameter("CN").filter(|name| *name != address),
            address,
        ) {
            (Some(name), "") => name.to_owned(),
            (Some(name), address) => format!("{name} <{address}>"),
            (None, "") => self.value.clone(),
            (None, address) => address.to_owned(),
        }
    }

    /// Parses a DATE or DATE-TIME (RFC 5545, 3.3.4 and 3.3.5), such as `20260131T093000Z`, into date, time of day and
    /// zone. The time and the zone are empty for a date. A value that cannot be parsed is returned unchanged as the
    /// date.
    fn moment(&self) -> (String, String, String) {
        let value = self.value.trim();
        let part = |range: std::ops::Range<usize>| {
            let part = value.get(range).unwrap_or_default();
            if part.bytes().all(|byte| byte.is_ascii_digit()) {
                part
            } else {
                ""
            }
        };
        let (year, month, day) = (part(0..4), part(4..6), part(6..8));
        if day.is_empty() {
            return (value.to_owned(), String::new(), String::new());
        }
        let date = format!("{year}-{month}-{day}");
        let (hours, minutes) = (part(9..11), part(11..13));
        if minutes.is_empty() {
            return (date, String::new(), String::new());
        }
        let zone = match (value.ends_with('Z'), self.parameter("TZID")) {
            (true, _) => " UTC".to_owned(),
            (false, Some(zone)) => format!(" ({zone})"),
            (false, None) => String::new(),
        };
        (date, format!("{hours}:{minutes}"), zone)
    }
}

/// Writes an event as a paragraph with a line per fact, and its description below. The method of the calendar (RFC
/// 5546, 1.4) decides the label of the first line, such as an invitation or a reply. If the method or the status says
/// so, it is a cancellation.
fn write(method: &str, properties: &[Property], page: &mut String) {
    let all = |name: &'static str| {
        properties
            .iter()
            .filter(move |property| property.name == name)
    };
    let text = |name: &'static str| {
        all(name)
            .next()
            .map(Property::text)
            .filter(|text| !text.is_empty())
    };
    let is_cancelled = method == "CANCEL"
        || text("STATUS").is_some_and(|status| status.eq_ignore_ascii_case("cancelled"));
    let kind = match method {
        _ if is_cancelled => "Cancelled",
        "REPLY" => "Answer to",
        "COUNTER" => "Other time for",
        "REQUEST" => "Invitation",
        _ => "Event",
    };
    let people: Vec<String> = all("ATTENDEE")
        .take(MAX_PEOPLE)
        .map(|person| {
            let answer = match person.parameter("PARTSTAT") {
                Some("ACCEPTED") => " (accepted)",
                Some("DECLINED") => " (declined)",
                Some("TENTATIVE") => " (tentative)",
                _ => "",
            };
            format!("{}{answer}", person.person())
        })
        .collect();
    let people = Some(people.join(", ")).filter(|people| !people.is_empty());
    let rows = [
        (
            kind,
            text("SUMMARY").or_else(|| Some("(no title)".to_owned())),
        ),
        ("When", event_time(properties)),
        ("Due", all("DUE").next().map(point)),
        (
            // Rows without a value are left out below.
            "Repeats",
            all("RRULE").next().map(|rule| series(&rule.value)),
        ),
        ("Where", text("LOCATION")),
        ("Organizer", all("ORGANIZER").next().map(Property::person)),
        ("Who", people),
    ];
    page.push_str("<p>");
    let rows = rows
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    for (nth, (name, value)) in rows.enumerate() {
        if nth > 0 {
            page.push_str("<br>");
        }
        // Writing to a string cannot fail.
        let _ = write!(page, "<b>{name}:</b> ");
        lines(&value, page);
    }
    page.push_str("</p>");
    if let Some(text) = text("DESCRIPTION") {
        page.push_str("<p>");
        lines(&text, page);
        page.push_str("</p>");
    }
}

/// Appends text, with a `<br>` between its lines.
fn lines(text: &str, page: &mut String) {
    for (nth, line) in text.lines().enumerate() {
        if nth > 0 {
            page.push_str("<br>");
        }
        escape(line, page);
    }
}

/// Renders a point in time with its zone.
fn point(property: &Property) -> String {
    let (date, time, zone) = property.moment();
    match &*time {
        "" => date,
        time => format!("{date} {time}{zone}"),
    }
}

/// Returns the time of an event: its start, and its end or duration. If start and end are in different zones, as for a
/// flight, each is shown with its own zone.
fn event_time(properties: &[Property]) -> Option<String> {
    let find = |name: &str| properties.iter().find(|property| property.name == name);
    let begin = find("DTSTART")?;
    let (date, time, zone) = begin.moment();
    let mut out = date.clone();
    if !time.is_empty() {
        let _ = write!(out, " {time}");
    }
    match (find("DTEND").map(Property::moment), find("DURATION")) {
        (Some((end, until, other)), _) if other != zone && !until.is_empty() => {
            let _ = write!(out, "{zone} – {end} {until}{other}");
            return Some(out);
        }
        // If the event ends on the day on which it starts, the date is shown once.
        (Some((end, until, _)), _) if end == date && !until.is_empty() => {
            let _ = write!(out, "–{until}");
        }
        // `DTEND` is exclusive (RFC 5545, 3.6.1). So an end without a time of day is the day after the last day of
        // the event.
        (Some((end, until, _)), _) if until.is_empty() => {
            let last = day_before(&end).unwrap_or(end);
            if last > date {
                let _ = write!(out, " – {last}");
            }
        }
        (Some((end, until, _)), _) => {
            let _ = write!(out, " – {end} {until}");
        }
        (None, Some(duration)) => {
            let _ = write!(out, ", {}", length(&duration.value));
        }
        (None, None) => {}
    }
    out.push_str(&zone);
    Some(out)
}

/// Returns the day before a date in the form `2026-01-31`.
fn day_before(date: &str) -> Option<String> {
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let day = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?);
    let before = day.ok()?.previous_day()?;
    let month = u8::from(before.month());
    Some(format!(
        "{:04}-{month:02}-{:02}",
        before.year(),
        before.day()
    ))
}

/// Renders a duration (RFC 5545, 3.3.6) in words, such as "1 h 30 min" for `PT1H30M`. Zero units are left out.
fn length(value: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut number = String::new();
    let mut is_time = false;
    for c in value.chars().take(40) {
        let unit = match c {
            '0'..='9' => {
                number.push(c);
                continue;
            }
            'T' => {
                is_time = true;
                continue;
            }
            'W' => "weeks",
            'D' => "days",
            'H' => "h",
            'M' if is_time => "min",
            'S' => "s",
            _ => continue,
        };
        if !number.trim_start_matches('0').is_empty() {
            out.push(format!("{number} {unit}"));
        }
        number.clear();
    }
    out.join(" ")
}

/// Renders a recurrence rule (RFC 5545, 3.3.10) in words, such as "weekly on MO, WE, 4 times". A rule whose
/// frequency is not daily, weekly, monthly or yearly is returned unchanged.
fn series(rule: &str) -> String {
    let part = |wanted: &str| {
        let mut parts = rule.split(';').filter_map(|part| part.split_once('='));
        let found = parts.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.trim())
    };
    let interval = part("INTERVAL").filter(|interval| *interval != "1");
    let kind = part("FREQ").unwrap_or_default().to_ascii_uppercase();
    let (unit, often) = match &*kind {
        "DAILY" => ("days", "daily"),
        "WEEKLY" => ("weeks", "weekly"),
        "MONTHLY" => ("months", "monthly"),
        "YEARLY" => ("years", "yearly"),
        _ => return rule.to_owned(),
    };
    let mut out = match interval {
        Some(interval) => format!("every {interval} {unit}"),
        None => often.to_owned(),
    };
    if let Some(days) = part("BYDAY") {
        let _ = write!(out, " on {}", days.replace(',', ", "));
    }
    if let Some(count) = part("COUNT") {
        let _ = write!(out, ", {count} times");
    }
    if let Some(end) = part("UNTIL") {
        let end = Property {
            name: String::new(),
            parameters: Vec::new(),
            value: end.to_owned(),
        };
        let _ = write!(out, ", until {}", end.moment().0);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(event: &str, expected: &str) {
        let calendar = format!(
            "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VTIMEZONE\r\nDTSTART:16010101T000000\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\n{event}\r\nBEGIN:VALARM\r\nDESCRIPTION:no\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        );
        assert_eq!(page(&calendar), expected);
    }

    #[test]
    fn events_become_paragraphs() {
        check(
            "SUMMARY:Plan\\, and\r\n  more\r\nDTSTART;TZID=\"A:B\":20240722T080000\r\nDTEND;TZID=\"A:B\":20240722T083000\r\nLOCATION:Room 4\r\nORGANIZER;CN=\"Roe, Ann\":mailto:ann@x\r\nATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:MAILTO:bob@x\r\nATTENDEE:mailto:c@x\r\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20241231T000000Z\r\nDESCRIPTION:one\\ntwo <x>",
            "<p><b>Invitation:</b> Plan, and more<br><b>When:</b> 2024-07-22 08:00–08:30 (A:B)<br><b>Repeats:</b> every 2 weeks on MO, WE, until 2024-12-31<br><b>Where:</b> Room 4<br><b>Organizer:</b> Roe, Ann &lt;ann@x&gt;<br><b>Who:</b> Bob &lt;bob@x&gt; (accepted), c@x</p><p>one<br>two &lt;x&gt;</p>",
        );
        check(
            "DTSTART;VALUE=DATE:20240228\r\nDTEND;VALUE=DATE:20240302",
            "<p><b>Invitation:</b> (no title)<br><b>When:</b> 2024-02-28 – 2024-03-01</p>",
        );
        check(
            "DTSTART:20240228T230000Z\r\nDURATION:PT1H30M\r\nSUMMARY:x\r\nSTATUS:CANCELLED",
            "<p><b>Cancelled:</b> x<br><b>When:</b> 2024-02-28 23:00, 1 h 30 min UTC</p>",
        );
        check(
            "DTSTART;TZID=Europe/Berlin:20240228T100000\r\nDTEND;TZID=America/New_York:20240228T130000",
            "<p><b>Invitation:</b> (no title)<br><b>When:</b> 2024-02-28 10:00 (Europe/Berlin) – 2024-02-28 13:00 (America/New_York)</p>",
        );
        check(
            "DTSTART:20240228T230000Z\r\nDUE;TZID=A:20240301T120000",
            "<p><b>Invitation:</b> (no title)<br><b>When:</b> 2024-02-28 23:00 UTC<br><b>Due:</b> 2024-03-01 12:00 (A)</p>",
        );
        check(
            "DUE;VALUE=DATE:20240301",
            "<p><b>Invitation:</b> (no title)<br><b>Due:</b> 2024-03-01</p>",
        );
        assert_eq!(page("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY"), "");
    }
}
