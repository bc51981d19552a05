//! Property sets (MS-OLEPS): metadata of a document, such as title and author. All programs of Office store them in the
//! same form, in a separate stream. Does not read the document itself.
//!
//! A set has a section with a list of properties, each with an identifier and the offset of its value. The trap is the
//! code page: it is a property itself, and may come after the texts that need it.

use super::fields::Fields;
use crate::coding::code_page::CodePage;

/// The name of the stream with the summary of a document (MS-OSHARED 2.3.3.2.1).
pub const SUMMARY: &str = "\u{5}SummaryInformation";

/// Maximum number of properties that are read. A summary has nineteen.
const MAX: usize = 256;

/// Maximum length of a text, in bytes (VT_LPSTR) or UTF-16 units (VT_LPWSTR); longer texts are cut.
const LONGEST: usize = 1 << 16;

/// Number of ticks of 100 nanoseconds from the year 1601 to 1970.
const EPOCH: u64 = 116_444_736_000_000_000;
/// Number of ticks of 100 nanoseconds in a second.
const SECOND: u64 = 10_000_000;

/// The properties that a summary shares with documents of other formats. Missing texts are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// PIDSI_TITLE.
    pub title: String,
    /// PIDSI_SUBJECT.
    pub subject: String,
    /// PIDSI_AUTHOR.
    pub author: String,
    /// PIDSI_KEYWORDS.
    pub keywords: String,
    /// PIDSI_COMMENTS.
    pub comments: String,
    /// Date of creation, in the format of ISO 8601.
    pub created: Option<String>,
    /// Time of the last save in UTC, to the minute, in the format of ISO 8601 without a time zone.
    pub saved: Option<String>,
}

impl Summary {
    /// Reads the stream of a summary. Damaged properties count as missing.
    pub fn read(stream: &[u8]) -> Self {
        let stream = Fields(stream);
        let mut summary = Self::default();
        if stream.u16(0) != 0xfffe {
            return summary;
        }
        let section = stream.from(stream.u32(44) as usize);
        let count = (section.u32(4) as usize).min(MAX);
        let all = (0..count).map(|at| {
            let number = section.u32(8 + at * 8);
            let value = section.from(section.u32(12 + at * 8) as usize);
            (number, value)
        });
        let page = all.clone().find(|(number, _)| *number == 1);
        let page = page.map_or(1252, |(_, value)| value.u16(4));
        let page = CodePage::by_number(page.into()).unwrap_or(CodePage::DEFAULT);
        for (number, value) in all {
            match number {
                2 => summary.title = text(value, page),
                3 => summary.subject = text(value, page),
                4 => summary.author = text(value, page),
                5 => summary.keywords = text(value, page),
                6 => summary.comments = text(value, page),
                12 => summary.created = moment(value).map(|(day, _)| day),
                13 => {
                    summary.saved = moment(value).map(|(day, minute)| {
                        let (hour, minute) = (minute / 60, minute % 60);
                        format!("{day}T{hour:02}:{minute:02}")
                    });
                }
                _ => {}
            }
        }
        summary
    }
}

/// Reads a text: a type, a length in units that includes the zero at the end, and units of one byte (VT_LPSTR) or two
/// (VT_LPWSTR).
fn text(value: Fields<'_>, page: CodePage) -> String {
    let len = value.u32(4) as usize;
    // A length beyond the end of the stream is damage, and the text counts as missing. A long text is cut.
    if len > value.0.len() {
        return String::new();
    }
    let len = len.min(LONGEST);
    let text = match value.u16(0) {
        0x1e => page.decode(value.part(8, len).0),
        0x1f => value.utf16(8, len),
        _ => String::new(),
    };
    let end = text.find('\0').unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// Splits a time (VT_FILETIME) into its date and the minute of that day. `None` for a time before 1970. Programs write
/// 0 for an unknown time.
fn moment(value: Fields<'_>) -> Option<(String, u64)> {
    if value.u16(0) != 0x40 {
        return None;
    }
    let ticks = u64::from(value.u32(8)) << 32 | u64::from(value.u32(4));
    let seconds = ticks.checked_sub(EPOCH)? / SECOND;
    let (days, minute) = (seconds / 86_400, seconds % 86_400 / 60);
    // Howard Hinnant's `civil_from_days`, with years that begin in March.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year + next;
    (year < 10_000).then(|| (format!("{year:04}-{month:02}-{day:02}"), minute))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream with these properties: number, type, and the bytes of the value.
    fn stream(properties: &[(u32, u32, Vec<u8>)]) -> Vec<u8> {
        let mut section = Vec::new();
        let mut values = Vec::new();
        for (number, kind, value) in properties {
            let at = 8 + properties.len() * 8 + values.len();
            section.extend(number.to_le_bytes());
            section.extend((at as u32).to_le_bytes());
            values.extend(kind.to_le_bytes());
            values.extend(value);
        }
        let mut stream = vec![0; 48];
        stream[..2].copy_from_slice(b"\xfe\xff");
        stream[44] = 48;
        stream.extend(0_u32.to_le_bytes());
        stream.extend((properties.len() as u32).to_le_bytes());
        stream.extend(section);
        stream.extend(values);
        stream
    }

    fn counted(text: &[u8], units: u32) -> Vec<u8> {
        let mut value = units.to_le_bytes().to_vec();
        value.extend(text);
        value
    }

    #[test]
    fn summaries_are_read_in_their_code_page() {
        let ticks = EPOCH + 19_860 * 86_400 * SECOND;
        let found = Summary::read(&stream(&[
            (2, 0x1e, counted(b"\xcf\xf0\0", 3)),
            (4, 0x1f, counted(b"\xe4\0b\0\0\0", 3)),
            (12, 0x40, ticks.to_le_bytes().to_vec()),
            (1, 0x02, 1251_u32.to_le_bytes().to_vec()),
        ]));
        assert_eq!(found.title, "Пр");
        assert_eq!(found.author, "äb");
        assert_eq!(found.created.as_deref(), Some("2024-05-17"));
        assert_eq!(found.subject, "");
    }

    #[test]
    fn damaged_properties_count_as_missing() {
        #[track_caller]
        fn check(stream: &[u8]) {
            assert_eq!(Summary::read(stream), Summary::default());
        }
        check(b"");
        check(b"\xfe\xff");
        check(&stream(&[
            (2, 0x1e, counted(b"", u32::MAX)),
            (12, 0x40, vec![0; 8]),
        ]));
        let mut lost = stream(&[(2, 0x1e, counted(b"a\0", 2))]);
        lost[44..48].copy_from_slice(&[0xff; 4]);
        check(&lost);
    }
}
